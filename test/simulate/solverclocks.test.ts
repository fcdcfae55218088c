/** Solver methods of clocks with several stages, against the recursions of section 16.8.2. */
import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { close, done } from './notation.ts';

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
