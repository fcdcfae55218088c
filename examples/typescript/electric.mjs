// Electrical components as models in JavaScript.
import { flow, input, Model, modelica, Par, potential, Var } from 'mutabor';

export const Pin = Model({ v: potential({ unit: 'V' }), i: flow({ unit: 'A' }) });

export const OnePort = Model({
  partial: true,
  p: Pin,
  n: Pin,
  v: Var({ unit: 'V', info: 'Voltage between the pins' }),
  i: Var({ unit: 'A', info: 'Current from p to n' }),
  equations: modelica`
    v = p.v - n.v;
    0 = p.i + n.i;
    i = p.i;
  `,
});

export const Resistor = Model({
  extends: OnePort,
  R: Par({ value: 1, unit: 'Ohm' }),
  equations: modelica`R*i = v`,
});

export const Capacitor = Model({
  extends: OnePort,
  C: Par({ value: 1, unit: 'F' }),
  v: Var({ init: 0 }),
  equations: modelica`C*der(v) = i`,
});

export const Inductor = Model({
  extends: OnePort,
  L: Par({ value: 1, unit: 'H' }),
  i: Var({ init: 0 }),
  equations: modelica`L*der(i) = v`,
});

export const ConstantVoltage = Model({
  extends: OnePort,
  V: Par({ value: 1, unit: 'V' }),
  equations: modelica`v = V`,
});

export const SignalVoltage = Model({
  extends: OnePort,
  u: input({ unit: 'V' }),
  equations: modelica`v = u`,
});

export const Ground = Model({ p: Pin, equations: modelica`p.v = 0` });
