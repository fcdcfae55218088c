// A low-pass filter: a capacitor that is charged through a resistor.
import { Model, merge, modelica, Var } from 'mutabor';
import { Capacitor, ConstantVoltage, Ground, Resistor } from './electric.mjs';

export const Filter = Model({
  info: 'Low-pass filter',
  R: merge(Resistor, { R: 0.5 }),
  C: merge(Capacitor, { C: 2, v: Var({ init: 0.1 }) }),
  V: merge(ConstantVoltage, { V: 10 }),
  ground: Ground,
  connections: modelica`
    connect(V.p, R.p);
    connect(R.n, C.p);
    connect(C.n, V.n);
    connect(V.n, ground.p);
  `,
  experiment: { stopTime: 10 },
});

export default Filter;
