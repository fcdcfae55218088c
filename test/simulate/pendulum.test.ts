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
