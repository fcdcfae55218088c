/** Dynamic state selection: a Cartesian pendulum has no pair of states that is good everywhere. */
import { expect, test } from 'vitest';
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
