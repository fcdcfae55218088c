/** Clocks with solver methods: derivatives on a clock, integrated from tick to tick, against the same steps by hand. */
import { describe, expect, it } from 'vitest';
import { Failure, loadModel } from '../../src/index.ts';
import { close, done } from './notation.ts';

const model = (method: string, initial = '', start = '(start = 2)') => `
  model M
    Real u = 1 + time;
    Real us;
    Real x${start};
    Real y;
    Clock c = Clock(Clock(1, 10), solverMethod = "${method}");
  ${initial}
  equation
    us = sample(u, c);
    der(x) = us - 3*x;
    y = hold(x);
  end M;`;

/** x at tick n of der(x) = u(t) - 3 x, by steps `next(x, u, v)` from u at a tick to v at the next one. */
function stepped(n: number, next: (x: number, u: number, v: number) => number, start = 2): number {
  let x = start;
  for (let k = 0; k < n; k++) x = next(x, 1 + 0.1 * k, 1 + 0.1 * (k + 1));
  return x;
}

const methods = {
  ExplicitEuler: (x: number, u: number) => x + 0.1 * (u - 3 * x),
  ImplicitEuler: (x: number, _: number, v: number) => (x + 0.1 * v) / 1.3,
  ImplicitTrapezoid: (x: number, u: number, v: number) => (x + 0.05 * (u - 3 * x) + 0.05 * v) / 1.15,
};

describe('derivatives on a clock', () => {
  for (const [method, next] of Object.entries(methods))
    it(`follow ${method}`, async () => {
      const { table } = await done(model(method), { stopTime: 1.05 });
      for (const n of [0, 1, 5, 10]) close(table.value('y', n / 10 + 0.04), stepped(n, next), 1e-12);
    });

  it('begin with initial equations of states', async () => {
    const text = model('ImplicitEuler', 'parameter Real x0 = 5; initial equation x = x0;', '');
    const { table } = await done(text, { stopTime: 1.05 });
    close(table.value('y', 0.04), 5, 1e-12);
    close(table.value('y', 1.04), stepped(10, methods.ImplicitEuler, 5), 1e-12);
  });

  it('of arrays are integrated too', async () => {
    const { table } = await done(
      `model M
        Real us;
        Real z[2](start = {1, 0});
        Real y = hold(z[1]);
        Clock c = Clock(Clock(1, 10), solverMethod = "ExplicitEuler");
      equation
        us = sample(0*time, c);
        der(z) = {z[2] + us, -z[1]};
      end M;`,
      { stopTime: 0.35 },
    );
    let [a, b] = [1, 0];
    for (let k = 0; k < 3; k++) [a, b] = [a + 0.1 * b, b - 0.1 * a];
    close(table.value('y', 0.34), a, 1e-12);
  });

  it('can stand in a when with the clock', async () => {
    const { table } = await done(
      `model M
        Real x(start = 1);
        Real y = hold(x);
      equation
        when Clock(Clock(1, 10), solverMethod = "ExplicitEuler") then
          der(x) = -x;
        end when;
      end M;`,
      { stopTime: 0.55 },
    );
    close(table.value('y', 0.54), 0.9 ** 5, 1e-12);
  });

  it('need a method that there is', () => {
    const load = () => loadModel(model('ExplicitHeun3'));
    expect(load).toThrow(Failure);
    expect(load).toThrow(/solver method `ExplicitHeun3` is not available/);
  });
});

describe('simultaneous equations on a clock', () => {
  it('can be held', async () => {
    const { table } = await done(
      `model M
        Real a, b;
        Real y = hold(a);
      equation
        a + b = sample(time, Clock(1, 2));
        a - b = 1;
      end M;`,
      { stopTime: 1.2 },
    );
    close(table.value('y', 1.1), 1, 1e-12);
  });
});
