// A sampled controller for the speed of a body: P and PI, as changes of one model.
import { input, Model, modelica, Var } from 'mutabor';

export const Body = Model({
  m: 1,
  d: 0.1,
  f: input,
  s: Var({ init: 0 }),
  v: Var({ init: 5 }),
  equations: modelica`
    der(s) = v;
    m*der(v) = f - d*v;
  `,
});

export const SpeedControl = Model({
  partial: true,
  body: Body,
  K: 5,
  vref: 100,
  vs: Var({ info: 'Sampled speed' }),
  u: Var({ start: 0, info: 'Output of the controller' }),
  equations: modelica`
    vs = sample(body.v, Clock(0.1));
    body.f = hold(u);
  `,
  experiment: { stopTime: 1.5 },
});

export const P = Model({ extends: SpeedControl, equations: modelica`u = K*(vref - vs)` });

export const PI = Model({
  extends: SpeedControl,
  Ti: 2,
  e: Var({ info: 'Error' }),
  sum: Var({ start: 10, info: 'Sum of all errors' }),
  equations: modelica`
    e = vref - vs;
    sum = previous(sum) + e;
    u = K*(e + sum/Ti);
  `,
});

export default PI;
