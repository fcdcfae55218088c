// A mobile: a weight on a spring that carries two smaller mobiles. The model is made by a function that calls itself.
import { connect, flow, Model, modelica, Par, potential, Var } from 'mutabor';

export const Flange = Model({ s: potential({ unit: 'm' }), f: flow({ unit: 'N' }) });

export const Spring = Model({
  a: Flange,
  b: Flange,
  c: Par({ value: 100, unit: 'N/m' }),
  length: Par({ value: 1, unit: 'm' }),
  equations: modelica`
    a.f = c*(a.s - b.s - length);
    a.f + b.f = 0;
  `,
});

export const Weight = Model({
  flange: Flange,
  m: Par({ value: 0.1, unit: 'kg' }),
  v: Var({ unit: 'm/s', start: 0 }),
  equations: modelica`
    v = der(flange.s);
    m*der(v) = flange.f - 9.81*m;
  `,
  initialEquations: modelica`
    v = 0;
    der(v) = 0;
  `,
});

export const Ceiling = Model({ flange: Flange, equations: modelica`flange.s = 0` });

export function Mobile(depth) {
  const Hanging = Model({
    flange: Flange,
    spring: Spring,
    weight: Weight,
    connections: connect('spring.b', 'weight.flange'),
  });
  const top = connect('flange', 'spring.a');
  if (depth === 1) return Model({ extends: Hanging, connections: top });
  return Model({
    extends: Hanging,
    left: Mobile(depth - 1),
    right: Mobile(depth - 1),
    connections: [top, connect('spring.b', 'left.flange', 'right.flange')],
  });
}

export default Model({
  info: 'A mobile of seven weights, pushed once',
  ceiling: Ceiling,
  mobile: Mobile(3),
  connections: connect('ceiling.flange', 'mobile.flange'),
  equations: modelica`
    when time >= 0.5 then
      reinit(mobile.left.weight.v, -1);
    end when;
  `,
  experiment: { stopTime: 3 },
});
