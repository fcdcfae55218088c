// The speed control of a direct-current motor: a controller, the motor with its winding, a shaft with a load.
import { connect, flow, input, Model, modelica, output, Par, potential, Var } from 'mutabor';
import { Ground, Inductor, Pin, Resistor, SignalVoltage } from './electric.mjs';

export const Flange = Model({ phi: potential({ unit: 'rad' }), tau: flow({ unit: 'N.m' }) });

export const Inertia = Model({
  a: Flange,
  b: Flange,
  J: Par({ value: 1, unit: 'kg.m2' }),
  phi: Var({ unit: 'rad', init: 0 }),
  w: Var({ unit: 'rad/s', init: 0 }),
  equations: modelica`
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J*der(w) = a.tau + b.tau;
  `,
});

export const Torque = Model({
  flange: Flange,
  tau: input({ unit: 'N.m' }),
  equations: modelica`flange.tau = -tau`,
});

export const EMF = Model({
  info: 'Between circuit and shaft',
  p: Pin,
  n: Pin,
  flange: Flange,
  k: Par({ value: 1, unit: 'N.m/A' }),
  equations: modelica`
    0 = p.i + n.i;
    p.v - n.v = k*der(flange.phi);
    flange.tau = -k*p.i;
  `,
});

export const PI = Model({
  u: input,
  y: output,
  k: 1,
  T: Par({ value: 1, unit: 's' }),
  x: Var({ init: 0 }),
  equations: modelica`
    der(x) = u/T;
    y = k*(x + u);
  `,
});

export const Motor = Model({
  source: SignalVoltage,
  R: Resistor.with({ R: 0.5 }),
  L: Inductor.with({ L: 0.05 }),
  emf: EMF.with({ k: 1 }),
  ground: Ground,
  rotor: Inertia.with({ J: 1e-3 }),
  u: input({ unit: 'V' }),
  flange: Flange,
  connections: [
    connect('source.p', 'R.p'),
    connect('R.n', 'L.p'),
    connect('L.n', 'emf.p'),
    connect('emf.n', 'source.n', 'ground.p'),
    connect('emf.flange', 'rotor.a'),
    connect('rotor.b', 'flange'),
    connect('u', 'source.u'),
  ],
});

export const MotorControl = Model({
  info: 'A motor that is kept at its speed',
  reference: Par({ value: 10, unit: 'rad/s' }),
  controller: PI.with({ k: 2, T: 0.5 }),
  motor: Motor,
  // What is connected rigidly moves together: only one of the two inertias has its own initial values.
  load: Inertia.with({ J: 0.1, phi: { init: null }, w: { init: null } }),
  brake: Torque.with({ tau: modelica`if time < 3 then 0 else -2` }),
  equations: modelica`
    controller.u = reference - load.w;
    motor.u = controller.y;
  `,
  connections: [connect('motor.flange', 'load.a'), connect('load.b', 'brake.flange')],
  experiment: { stopTime: 6 },
});

export default MotorControl;
