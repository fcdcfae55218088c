/** Solver methods of clocks with several stages, against the recursions of section 16.8.2. */
import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { close, done, run } from './notation.ts';

const h = 0.1;

/** x' = y with y = -x*w + u, z' = x*y; u is sampled, w an Integer that changes. */
const model = (method: string) => `model M
    Real x(start = 1, fixed = true), y, z(start = 0, fixed = true), u;
    Integer w;
  equation
    u = sample(sin(3*time), Clock(Clock(1, 10), solverMethod = "${method}"));
    w = sample(if time < 0.45 then 1 else 3);
    der(x) = y;
    y = -x*w + u;
    der(z) = x*y;
  end M;`;

const slopes = ([x]: readonly number[], u: number, w: number): number[] => {
  const y = -x! * w + u;
  return [y, x! * y];
};
const input = (k: number) => Math.sin(3 * k * h);
const factor = (k: number) => (k * h < 0.45 ? 1 : 3);
const moved = (s: readonly number[], by: number, k: readonly number[]) => s.map((v, i) => v + by * k[i]!);

type Step = (state: readonly number[], k: number) => readonly number[];

const midpoint: Step = (s, k) => {
  const half = moved(s, h / 2, slopes(s, input(k), factor(k)));
  return moved(s, h, slopes(half, (input(k) + input(k + 1)) / 2, factor(k)));
};

const classical: Step = (s, k) => {
  const mean = (input(k) + input(k + 1)) / 2;
  const k1 = slopes(s, input(k), factor(k));
  const k2 = slopes(moved(s, h / 2, k1), mean, factor(k));
  const k3 = slopes(moved(s, h / 2, k2), mean, factor(k));
  const k4 = slopes(moved(s, h, k3), input(k + 1), factor(k + 1));
  return s.map((v, i) => v + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
};

describe('solver methods with several stages', () => {
  test.each([
    ['ExplicitMidPoint2', midpoint],
    ['ExplicitRungeKutta4', classical],
    ['External', classical],
  ] as const)('%s', async (method, step) => {
    const { table } = await done(model(method), { stopTime: 1 });
    let state: readonly number[] = [1, 0];
    for (let k = 0; k <= 10; k++) {
      const at = k * h + 1e-9;
      close(table.value('x', Math.min(at, 1)), state[0]!, 1e-12);
      close(table.value('z', Math.min(at, 1)), state[1]!, 1e-12);
      state = step(state, k);
    }
  });

  test('are as exact as their order says', async () => {
    const at = async (method: string, n: number) => {
      const { table } = await done(
        `model M Real x(start = 1, fixed = true); equation when Clock(Clock(1, ${n}), solverMethod = "${method}") then der(x) = -x; end when; end M;`,
        { stopTime: 1 },
      );
      return Math.abs(table.value('x', 1) - Math.exp(-1));
    };
    for (const [method, order] of [
      ['ExplicitMidPoint2', 2],
      ['ExplicitRungeKutta4', 4],
    ] as const) {
      const gained = Math.log2((await at(method, 10)) / (await at(method, 20)));
      expect(Math.abs(gained - order)).toBeLessThan(0.15);
    }
  });

  test('of arrays, with algebraic variables in loops', async () => {
    const { table } = await done(
      `model M
        Real x[3](start = {1, 2, 3}, each fixed = true), y[3];
      equation
        when Clock(Clock(1, 10), solverMethod = "ExplicitRungeKutta4") then
          for i in 1:3 loop
            y[i] = -i*x[i];
          end for;
          der(x) = y;
        end when;
      end M;`,
      { stopTime: 1 },
    );
    for (const i of [1, 2, 3]) {
      const q = -i * h;
      close(table.value(`x[${i}]`, 1), i * (1 + q + q ** 2 / 2 + q ** 3 / 6 + q ** 4 / 24) ** 10, 1e-12);
    }
  });

  test.each([
    ['Real v(start = 0); equation v = previous(v) + x;', 'uses `previous`'],
    ['Real v; equation if x > 0.5 then v = 1; else x*v = 3; end if;', 'an if-equation'],
  ])('have no meaning where %s', (text, words) => {
    const found = problems(
      `model M Real x(start = 1); ${text}
       equation when Clock(Clock(1, 10), solverMethod = "ExplicitRungeKutta4") then der(x) = -x; end when; end M;`,
    );
    expect(found.join(' ')).toContain(words);
  });
});

describe('initial equations on clocks with solver methods', () => {
  const at = async (body: string, names: readonly string[], stopTime = 0.25): Promise<number[]> => {
    const { table } = await done(`model M ${body} end M;`, { stopTime });
    return names.map((name) => table.value(name, stopTime));
  };
  const clock = (method: string) => `Clock(Clock(1, 10), solverMethod = "${method}")`;

  test('an output determines the state that it follows from', async () => {
    // y = 2*(x + u) + 1 = 3 at u = 0: x = 1; then x = 1 + 0.1*0.1 + 0.1*0.2.
    const [x, y] = await at(
      `Real x, y, u; initial equation y = 3; equation u = sample(time, ${clock('ImplicitEuler')}); der(x) = u; y = 2*(x + u) + 1;`,
      ['x', 'y'],
    );
    close(x!, 1.03, 1e-12);
    close(y!, 3.46, 1e-12);
  });

  test('a steady state, one equation for each state', async () => {
    // u = 1: x = 1 and x - 2*z = 1, z = 0. Slopes at 0: 0 and 1; at 0.1: 1.1 - 1 and 1 - 0.2.
    const [x, z] = await at(
      `Real x(start = 7), z, u; initial equation der(x) = 0; der(z) = 1;
       equation u = sample(time + 1, ${clock('ExplicitEuler')}); der(x) = u - x; der(z) = x - 2*z;`,
      ['x', 'z'],
    );
    close(x!, 1.01, 1e-12);
    close(z!, 0.18, 1e-12);
  });

  test('parameters choose between them, and vectors begin together', async () => {
    const [a, b, c] = await at(
      `parameter Integer kind = 2; Real x[2], u, w(start = 4);
       initial equation der(x) = {0, 0}; if kind == 1 then w = 3; elseif kind == 2 then der(w) = 5; else u = 7; end if;
       equation u = sample(1.0, ${clock('ImplicitTrapezoid')}); der(x) = {u, 2*u} - x; der(w) = u*w/2;`,
      ['x[1]', 'x[2]', 'w'],
      0,
    );
    close(a!, 1, 1e-12);
    close(b!, 2, 1e-12);
    close(c!, 10, 1e-12);
  });

  test('more of them than states are refused', async () => {
    const found = await problems(
      `model M Real x(start = 7), u; initial equation der(x) = 0; x + u = 3; equation u = sample(time + 1, ${clock('ExplicitEuler')}); der(x) = u - x; end M;`,
    );
    expect(found.join()).toMatch(/more initial equations than states/);
  });
});

describe('inverse models on clocks with solver methods', () => {
  const filter = `Real f[2](start = {0.5, 0.5}), x, u, r, w;
    equation
      r = sample(1 + time, Clock(Clock(1, 10), solverMethod = "METHOD"));
      der(f[1]) = r - f[1];
      der(f[2]) = f[1] - f[2];
      x = f[2];
      der(x) = u - x;`;

  test.each([
    ['ExplicitEuler', (f: number, r: number) => f + h * (r - f)],
    ['ImplicitEuler', (f: number, _: number, next: number) => (f + h * next) / (1 + h)],
  ] as const)('%s: what goes in follows from derivatives of what comes out', async (method, step) => {
    // u = der(x) + x = der(f2) + f2 = f1, and w follows from u by another integration of the same.
    const { table } = await done(`model M ${filter.replace('METHOD', method)} der(w) = u - w; end M;`, {
      stopTime: 1,
    });
    let f = 0.5;
    for (let k = 0; k <= 10; k++) {
      close(table.value('u', Math.min(k * h + 1e-9, 1)), f, 1e-12);
      f = step(f, 1 + k * h, 1 + (k + 1) * h);
    }
  });

  test('twice differentiated, with the states that are preferred', async () => {
    // s = x, der(x) = v, der(v) = u, and s' = f1 - s, f1' = r - f1: u = s'' = (r - f1) - (f1 - s).
    const { table } = await done(
      `model M
        Real f(start = 9), s(start = 9), x(start = 1, fixed = true, stateSelect = StateSelect.always), v(start = 2, fixed = true, stateSelect = StateSelect.always), u, r;
      equation
        r = sample(3.0, Clock(Clock(1, 10), solverMethod = "ExplicitEuler"));
        der(f) = r - f;
        der(s) = f - s;
        s = x;
        der(x) = v;
        der(v) = u;
      end M;`,
      { stopTime: 0.15 },
    );
    // At 0: f = v + s = 3, u = 0 - 2. At 0.1: x = 1.2, v = 1.8, f = 3, u = -1.8.
    close(table.value('f', 0), 3, 1e-12);
    close(table.value('u', 0), -2, 1e-12);
    close(table.value('x', 0.15), 1.2, 1e-12);
    close(table.value('u', 0.15), -1.8, 1e-12);
  });

  test('what is sampled has no derivatives', async () => {
    const { diagnostics } = await run(
      'model M Real x(start = 1), u; equation x = sample(time, Clock(Clock(1, 10), solverMethod = "ExplicitEuler")); der(x) = u; end M;',
    );
    expect(diagnostics.map(({ message }) => message).join()).toMatch(/cannot determine/);
  });
});
