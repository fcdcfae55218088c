// A row of tanks with pipes between them: arrays of components that are connected by index.
import { array, flow, Integer, Model, modelica, Par, potential, Var } from 'mutabor';

export const Port = Model({ p: potential({ unit: 'Pa' }), q: flow({ unit: 'm3/s' }) });

export const Tank = Model({
  port: Port,
  A: Par({ value: 1, unit: 'm2', info: 'Cross section' }),
  h: Var({ unit: 'm', init: 0 }),
  equations: modelica`
    A*der(h) = port.q;
    port.p = 1000*9.81*h;
  `,
});

export const Pipe = Model({
  a: Port,
  b: Port,
  k: Par({ value: 1e-5, unit: 'm3/(s.Pa)' }),
  equations: modelica`
    a.q = k*(a.p - b.p);
    a.q + b.q = 0;
  `,
});

export const Tanks = Model({
  info: 'The first tank is full, the others fill',
  n: Integer(5),
  h0: Par({ value: 2, unit: 'm' }),
  tank: array(Tank, 'n').with({ h: { init: modelica`{if i == 1 then h0 else 0 for i in 1:n}` } }),
  pipe: array(Pipe, 'n - 1'),
  total: modelica`sum(tank.h)`,
  connections: modelica`
    for i in 1:n - 1 loop
      connect(tank[i].port, pipe[i].a);
      connect(pipe[i].b, tank[i + 1].port);
    end for;
  `,
  experiment: { stopTime: 200 },
});

export default Tanks;
