/** The electrical components of the examples, as models in TypeScript. */
import { flow, Model, modelica, Par, potential, Var } from '../../src/index.ts';

export const Pin = Model('Pin', { v: potential({ unit: 'V' }), i: flow({ unit: 'A' }) });

export const OnePort = Model('OnePort', {
  partial: true,
  p: Pin,
  n: Pin,
  v: Var({ unit: 'V', info: 'Voltage drop' }),
  i: Var({ unit: 'A', info: 'Current from p to n' }),
  equations: modelica`
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  `,
});

export const Resistor = Model('Resistor', {
  extends: OnePort,
  R: Par({ value: 1, unit: 'Ohm' }),
  equations: modelica`R*i = v`,
});

export const Capacitor = Model('Capacitor', {
  extends: OnePort,
  C: Par({ value: 1, unit: 'F' }),
  v: Var({ init: 0 }),
  equations: modelica`C*der(v) = i`,
});

export const Inductor = Model('Inductor', {
  extends: OnePort,
  L: Par({ value: 1, unit: 'H' }),
  i: Var({ init: 0 }),
  equations: modelica`L*der(i) = v`,
});

export const ConstantVoltage = Model('ConstantVoltage', {
  extends: OnePort,
  V: Par({ value: 1, unit: 'V' }),
  equations: modelica`v = V`,
});

export const Ground = Model('Ground', { p: Pin, equations: modelica`p.v = 0` });
