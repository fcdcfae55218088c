/** Dynamic state selection: a Cartesian pendulum has no pair of states that is good everywhere. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done, example } from './notation.ts';

test('the pendulum swings over the top for 100 s and keeps its energy', async () => {
  const { table, modes, statistics } = await done(example('Pendulum'), { stopTime: 100, tolerance: 1e-8 });
  const energy = table.get('energy');
  const y = table.get('y');
  const start = 6.5 ** 2 / 2 - 9.81;
  let drift = 0;
  for (const e of energy) drift = Math.max(drift, Math.abs(e / start - 1));
  expect(drift).toBeLessThan(1e-5);
  expect(Math.max(...y)).toBeGreaterThan(0.99);
  const x = table.get('x');
  for (let k = 0; k < x.length; k++) expect(Math.abs(x[k]! ** 2 + y[k]! ** 2 - 1)).toBeLessThan(1e-10);
  expect(modes.every((m) => m.index === 3 && m.states.length === 2)).toBe(true);
  expect(statistics.modesCompiled).toBe(2);
});

test('small oscillations have the exact period', async () => {
  // Period 4 K(sin(a/2))/sqrt(g/L) by the arithmetic-geometric mean, amplitude a = 0.5.
  const a = 0.5;
  let m = 1;
  let n = Math.cos(a / 2);
  for (let k = 0; k < 8; k++) [m, n] = [(m + n) / 2, Math.sqrt(m * n)];
  const period = (2 * Math.PI) / (m * Math.sqrt(9.81));
  const { table } = await done(example('Pendulum'), {
    stopTime: period,
    tolerance: 1e-9,
    set: { 'x.start': Math.sin(a), 'y.start': -Math.cos(a), 'vx.start': 0 },
  });
  close(table.value('x', period), Math.sin(a));
  close(table.value('y', period), -Math.cos(a));
});

const bare = (starts: string) => `model Bare
  Real ${starts}, l;
equation
  der(x) = vx; der(y) = vy; der(vx) = l*x; der(vy) = l*y - 9.81; x^2 + y^2 = 1;
end Bare;`;

test.each(['x(start = 1), y(start = 0), vx(start = 0), vy', 'x(start = 1), y, vx(start = 0), vy'])(
  'it is let go where it lies on its side, with start values that determine nothing there: %s',
  async (starts) => {
    let [m, n] = [1, Math.cos(Math.PI / 4)];
    for (let k = 0; k < 8; k++) [m, n] = [(m + n) / 2, Math.sqrt(m * n)];
    const quarter = Math.PI / 2 / (m * Math.sqrt(9.81));
    const { table } = await done(bare(starts), { stopTime: 3 * quarter, tolerance: 1e-9, intervals: 3 });
    const first = ['x', 'y', 'vx', 'vy'].map((name) => table.at(name, 0) + 0);
    expect(first).toEqual([1, 0, 0, 0]);
    for (const [k, direction] of [
      [1, -1],
      [3, 1],
    ] as const) {
      expect(Math.abs(table.value('x', k * quarter))).toBeLessThan(1e-6);
      close(table.value('vx', k * quarter), direction * Math.sqrt(2 * 9.81));
    }
  },
);

test('a start value of a velocity is used wherever it determines the other one', async () => {
  const { table } = await done(bare('x(start = 0.8), y(start = -0.6), vx(start = 3), vy'), { stopTime: 0.1 });
  close(table.at('vx', 0), 3);
  close(table.at('vy', 0), 4);
});

describe('loose tolerances cost accuracy, not the run', () => {
  const g = 9.81;
  const pendulum = (length: number, angle: number) => `model Pendulum
      Real x(start = ${length * Math.sin(angle)}, fixed = true), y(start = ${-length * Math.cos(angle)});
      Real vx(start = 0, fixed = true), vy, F;
    equation
      x^2 + y^2 = ${length}^2;
      der(x) = vx;
      der(y) = vy;
      der(vx) = -F*x;
      der(vy) = -F*y - ${g};
    end Pendulum;`;

  /** The angle after a while, by many small steps of the classical method for phi'' = -g/L sin phi. */
  function angleAfter(time: number, length: number, start: number): number {
    const n = 20_000;
    const h = time / n;
    const pull = (phi: number) => (-g / length) * Math.sin(phi);
    let [phi, w] = [start, 0];
    for (let k = 0; k < n; k++) {
      const [a1, b1] = [w, pull(phi)];
      const [a2, b2] = [w + 0.5 * h * b1, pull(phi + 0.5 * h * a1)];
      const [a3, b3] = [w + 0.5 * h * b2, pull(phi + 0.5 * h * a2)];
      const [a4, b4] = [w + h * b3, pull(phi + h * a3)];
      phi += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
      w += (h / 6) * (b1 + 2 * b2 + 2 * b3 + b4);
    }
    return phi;
  }

  test('a pendulum in Cartesian coordinates stays on its circle, and on its way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0.4, max: 3, noNaN: true }),
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.constantFrom('auto', 'bdf', 'radau', 'rk'),
        fc.constantFrom(1e-4, 5e-4, 1e-3, 1e-2, 5e-2),
        async (angle, length, method, tolerance) => {
          const { table } = await done(pendulum(length, angle), { stopTime: 8, tolerance, method });
          const [x, y] = [table.get('x'), table.get('y')];
          for (let row = 0; row < x.length; row++)
            expect(Math.abs(Math.hypot(x[row]!, y[row]!) / length - 1)).toBeLessThan(1e-5);
          if (tolerance > 1e-4 || angle > 2.5) return;
          const phi = angleAfter(1, length, angle);
          expect(Math.abs(table.value('x', 1) / length - Math.sin(phi))).toBeLessThan(0.05);
          expect(Math.abs(table.value('y', 1) / length + Math.cos(phi))).toBeLessThan(0.05);
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);

  const mechanisms = {
    'double pendulum': `model Double
        Real x1(start = sin(2), fixed = true), y1(start = -cos(2));
        Real x2(start = sin(2) + sin(2.5), fixed = true), y2(start = -cos(2) - cos(2.5));
        Real u1(start = 0, fixed = true), v1, u2(start = 0, fixed = true), v2, F1, F2;
      equation
        x1^2 + y1^2 = 1;
        (x2 - x1)^2 + (y2 - y1)^2 = 1;
        der(x1) = u1; der(y1) = v1; der(x2) = u2; der(y2) = v2;
        der(u1) = -F1*x1 + F2*(x2 - x1);
        der(v1) = -F1*y1 + F2*(y2 - y1) - 9.81;
        der(u2) = -F2*(x2 - x1);
        der(v2) = -F2*(y2 - y1) - 9.81;
      end Double;`,
    'slider-crank': `model Crank
        Real x(start = 0.6, fixed = true), y(start = 0.8), s(start = 0.6 + sqrt(2.5^2 - 0.64));
        Real u(start = -3.2, fixed = true), v, w, F, G;
      equation
        x^2 + y^2 = 1;
        (s - x)^2 + y^2 = 6.25;
        der(x) = u; der(y) = v; der(s) = w;
        der(u) = -F*x + G*(s - x);
        der(v) = -F*y - G*y;
        0.5*der(w) = -G*(s - x);
      end Crank;`,
    'four-bar linkage': `model FourBar
        Real x(start = 0, fixed = true), y(start = 1), p(start = 2.5), q(start = 2.2);
        Real u(start = -4, fixed = true), v, a, b, F, G, H;
      equation
        x^2 + y^2 = 1;
        (p - x)^2 + (q - y)^2 = 9;
        (p - 3)^2 + q^2 = 6.25;
        der(x) = u; der(y) = v; der(p) = a; der(q) = b;
        der(u) = -F*x + G*(p - x);
        der(v) = -F*y + G*(q - y) - 1;
        der(a) = -G*(p - x) - H*(p - 3);
        der(b) = -G*(q - y) - H*q - 1;
      end FourBar;`,
  };

  test.each(Object.entries(mechanisms))('%s', async (_name, text) => {
    for (const method of ['auto', 'bdf', 'radau', 'rk'] as const)
      for (const tolerance of [1e-3, 1e-2, 5e-2]) await done(text, { stopTime: 5, tolerance, method });
  });
});

test.each(['auto', 'rk'] as const)(
  'a coarse step does not go on to where its states say little of the other coordinates, by %s',
  async (method) => {
    const { table } = await done(
      `model Cartesian
         Real x(start = 1, fixed = true), y(start = 0), vx(start = 0), vy(start = 0, fixed = true), l;
         Real energy = 0.5*(vx^2 + vy^2) + 9.81*y;
       equation
         der(x) = vx;
         der(y) = vy;
         der(vx) = -l*x;
         der(vy) = -l*y - 9.81;
         x^2 + y^2 = 1;
       end Cartesian;`,
      { stopTime: 3, tolerance: 1e-3, method },
    );
    // 9.81 changes hands twice in each swing; the energy itself is zero.
    for (let k = 0; k <= 30; k++) expect(Math.abs(table.value('energy', k / 10))).toBeLessThan(0.1);
  },
);
