/** Tables, transfer functions, controllers and sampled blocks of the library against closed forms. */
import { describe, expect, test } from 'vitest';
import { linearize, loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { run } from './notation.ts';

/** A block with its output at some times, and the limit from the left where there are three numbers. */
type Case = [block: string, ...points: (readonly [time: number, value: number, before?: number])[]];

const cases: Case[] = [
  ['TimeTable b(table = {{0, 0}, {1, 2}, {1, 5}, {2, 4}})', [0.5, 1], [1, 5, 2], [1.5, 4.5], [2.5, 4]],
  [
    'TimeTable b(table = {{0.5, 1}, {1, 3}, {1.5, 2}}, smoothness = Smoothness.steps)',
    [0.2, 1],
    [0.75, 1],
    [1, 3, 1],
    [1.25, 3],
    [1.5, 2, 3],
    [2.5, 2],
  ],
  [
    'TimeTable b(table = {{0, 0}, {0.25, 1}, {0.5, 0}}, extrapolation = Extrapolation.periodic, startTime = -0.1)',
    [0, 0.4],
    [0.4, 0],
    [1.05, 0.6],
    [2.5, 0.4],
  ],
  [
    'TimeTable b(table = {{0.2, 1}, {0.7, 2}, {0.7, 0}}, extrapolation = Extrapolation.periodic)',
    [0.1, 1.8],
    [0.2, 1],
    [0.45, 1.5],
    [0.7, 1, 2],
    [2.45, 1.5],
  ],
  [
    'TimeTable b(table = {{0.5, 1}, {1, 3}, {1.5, 2}}, extrapolation = Extrapolation.linear, offset = 10)',
    [0, 9],
    [0.75, 12],
    [2, 11],
  ],
  [
    'TimeTable b(table = {{0, 0}, {0.5, 0.25}, {1, 1}, {1.5, 2.25}, {2, 4}, {2.5, 6.25}}, smoothness = Smoothness.akima)',
    [0.3, 0.09],
    [1.1, 1.21],
    [2.4, 5.76],
  ],
  // Hermite in the middle: (y0 + y1)/2 + h (s0 - s1)/8, with the slope 6/(3/1 + 3/3) = 1.5 at the middle point.
  [
    'TimeTable b(table = {{0, 0}, {1, 1}, {2, 4}}, smoothness = Smoothness.monotone)',
    [0.5, 0.5 + (1 - 1.5) / 8],
    [1.5, 2.5 + (1.5 - 3) / 8],
    [2.2, 4],
  ],
  ['Table1D b(table = {{0, 0}, {1, 1}, {2, 4}}, u = 2*time - 1)', [0.25, 0], [1, 1], [1.25, 2.5], [2, 4]],
  [
    'Table1D b(table = {{0, 0}, {1, 1}, {2, 4}}, extrapolation = Extrapolation.linear, u = 2*time - 1)',
    [0.25, -0.5],
    [2, 7],
  ],
  [
    'Table1D b(table = {{0, 0}, {1, 1}, {2, 4}}, smoothness = Smoothness.steps, u = 3 - 2*time)',
    [0.25, 4],
    [0.6, 1],
    [1.2, 0],
    [2, 0],
  ],
  [
    'Table1D b(table = {{0, 0}, {1, 1}, {2, 0}}, extrapolation = Extrapolation.periodic, u = 3*time - 3)',
    [0.5, 0.5],
    [1.5, 0.5],
    [2.5, 0.5],
  ],
  [
    'Table1D b(table = {{0, 0}, {1, 1}, {2, 4}, {3, 9}}, smoothness = Smoothness.akima, u = time)',
    [0.5, 0.25],
    [1.7, 2.89],
    [2.3, 5.29],
  ],
  ['Table1D b(table = {{0, 3}, {2, 1}}, smoothness = Smoothness.akima, u = time)', [1, 2]],
  [
    'Table2D b(x1 = {0, 1, 2}, x2 = {0, 10}, table = {{0, 1}, {2, 3}, {4, 9}}, u1 = time, u2 = 5*time)',
    [0.5, 1.25],
    [1.5, 5.25],
  ],
  [
    'Table2D b(x1 = {0, 1}, x2 = {0, 1}, table = {{0, 1}, {2, 3}}, u1 = 3*time - 2, u2 = 0.5)',
    [0.2, 0.5],
    [0.8, 0.5 + 2 * 0.4],
    [2, 2.5],
  ],
  [
    'Table2D b(x1 = {0, 1}, x2 = {0, 1}, table = {{0, 1}, {2, 3}}, extrapolation = Extrapolation.linear, u1 = 3*time, u2 = 2)',
    [1, 8],
  ],
  [
    'Table2D b(x1 = {0, 1, 2}, x2 = {0, 1}, table = {{0, 1}, {2, 3}, {4, 5}}, smoothness = Smoothness.steps, u1 = time, u2 = 0.5)',
    [0.5, 0],
    [1.5, 2],
    [2.2, 4],
  ],
  [
    'Trapezoid b(amplitude = 2, offset = 1, startTime = 0.5)',
    [0.25, 1],
    [0.625, 2],
    [0.9, 3],
    [1.125, 2],
    [1.4, 1],
    [1.625, 2],
  ],
  ['Trapezoid b(rising = 0, falling = 0, width = 0.5)', [0.25, 1], [0.5, 0, 1], [0.75, 0], [1, 1, 0]],
  ['SawTooth b(amplitude = 3, period = 0.5, offset = 1)', [0.25, 2.5], [0.5, 1, 4], [2.4, 1 + 3 * 0.8]],
  ['Division b(u1 = 1, u2 = time + 1)', [1, 0.5]],
  ['Min b(u1 = time, u2 = 1)', [0.5, 0.5], [2, 1]],
  ['Max b(u1 = time, u2 = 1)', [0.5, 1], [2, 2]],
  ['Sum b(n = 3, k = {1, 2, 3}, u = {time, 1, 2})', [0.5, 8.5]],
  ['DeadZone b(uMax = 0.5, uMin = -1, u = 2*time - 2)', [0.25, -0.5], [1, 0], [2, 1.5]],
  ['RateLimiter b(u = if time > 0.5 then 1 else 0, rising = 2, falling = -1)', [0.5, 0], [0.75, 0.5], [2, 1]],
  ['RateLimiter b(u = if time > 0.5 then 0 else 1, y_start = 1, rising = 2, falling = -1)', [1, 0.5], [2, 0]],
  [
    'Sampler b(u = time, period = 0.3, y_start = 7, startTime = 0.1)',
    [0.05, 7],
    [0.45, 0.4],
    [0.7, 0.7, 0.4],
  ],
  ['ZeroOrderHold b(u = time, period = 0.3)', [0.45, 0.3], [0.7, 0.6]],
  ['UnitDelay b(u = time, period = 0.3, y_start = -1)', [0.2, -1], [0.45, 0], [0.7, 0.3]],
  ['Derivative b(k = 2, T = 0.5, u = 3*time)', [1, 6 * (1 - Math.exp(-2))]],
  // (s + 2)/((2 s + 1)(s + 1)): step response 2 + exp(-t) - 3 exp(-t/2)
  [
    'TransferFunction b(b = {1, 2}, a = {2, 3, 1}, u = 1)',
    [1, 2 + Math.exp(-1) - 3 * Math.exp(-0.5)],
    [2.5, 2 + Math.exp(-2.5) - 3 * Math.exp(-1.25)],
  ],
  // (4 s + 2)/(2 s + 4) = 2 - 3/(s + 2)
  ['TransferFunction b(b = {4, 2}, a = {2, 4}, u = 1)', [0, 2], [1, 2 - 1.5 * (1 - Math.exp(-2))]],
  ['TransferFunction b(b = {6}, a = {2}, u = time)', [1, 3]],
  // No error yet: u_m = 0, so y = k (1 + t/Ti)
  ['PID b(u_s = 1, u_m = 0, k = 2, Ti = 0.5)', [1, 2 * (1 + 2)], [2.5, 2 * 6]],
  [
    'PID b(u_s = 1, u_m = time, k = 2, Ti = 0, Td = 0.5, Nd = 5)',
    [1, 2 * (1 - 1 - 0.5 * (1 - Math.exp(-10)))],
  ],
  ['PID b(u_s = 1, u_m = 0, k = 2, Ti = 0, wp = 0.5, yMax = 0.7)', [1, 0.7]],
];

const before = ({ table }: SimulationResult, time: number): number => table.value('b.y', time, 'before');

test.each(cases)('%s', async (block, ...points) => {
  const result = await run('Blocks', `${block};`, 2.5);
  for (const [time, value, left] of points) {
    expect(result.table.value('b.y', time), `at ${time}`).toBeCloseTo(value, 5);
    if (left !== undefined) expect(before(result, time), `before ${time}`).toBeCloseTo(left, 5);
  }
});

test('a linear system oscillates', async () => {
  const { table } = await run(
    'Blocks',
    'StateSpace b(A = {{0, 1}, {-1, -1}}, B = {{0}, {1}}, C = {{1, 0}, {0, 2}}, D = {{0}, {3}}, u = {1});',
    2,
  );
  const w = Math.sqrt(3) / 2;
  const y = (t: number) => 1 - Math.exp(-t / 2) * (Math.cos(w * t) + Math.sin(w * t) / (2 * w));
  const v = (t: number) => (Math.exp(-t / 2) * Math.sin(w * t)) / w;
  expect(table.value('b.y[1]', 2)).toBeCloseTo(y(2), 6);
  expect(table.value('b.y[2]', 2)).toBeCloseTo(2 * v(2) + 3, 6);
});

test('the linear model of a model is a block that does the same', async () => {
  const { A, B, C, D } = await linearize(
    loadModel(
      'model M input Real u; output Real y = x; Real x(start = 0, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = 3*u - 2*x - v; end M;',
    ),
  );
  const text = (rows: readonly (readonly number[])[]) =>
    JSON.stringify(rows).replaceAll('[', '{').replaceAll(']', '}');
  const { table } = await run(
    'Blocks',
    `StateSpace b(A = ${text(A)}, B = ${text(B)}, C = ${text(C)}, D = ${text(D)}, u = {1}); SecondOrder s(w = sqrt(2), D = 1/(2*sqrt(2)), k = 1.5, u = 1);`,
    3,
  );
  expect(table.value('b.y[1]', 3)).toBeCloseTo(table.value('s.y', 3), 6);
});

describe('a controller at its limit', () => {
  const loop = (ni: number) =>
    `PID c(u_s = 1, u_m = g.y, k = 4, Ti = 0.5, yMax = 1.2, Ni = ${ni}); FirstOrder g(T = 2, u = c.y);`;

  test('holds it, and comes back without running away', async () => {
    const { table } = await run('Blocks', loop(0.9), 10);
    expect(Math.max(...table.get('c.y'))).toBe(1.2);
    // While the output is limited, the plant rises as 1.2 (1 - exp(-t/2)).
    expect(table.value('g.y', 1)).toBeCloseTo(1.2 * (1 - Math.exp(-0.5)), 6);
    expect(table.value('g.y', 10)).toBeCloseTo(1, 3);
    const windup = await run('Blocks', loop(1e9), 10);
    expect(Math.max(...windup.table.get('g.y'))).toBeGreaterThan(Math.max(...table.get('g.y')) + 0.05);
  });

  test('the integral settles where it is led back as fast as it grows', async () => {
    // (e + (y - v)/(k Ni))/Ti = 0 with e = 1: v = yMax + k Ni.
    const { table } = await run(
      'Blocks',
      'PID b(u_s = 1, u_m = 0, k = 2, Ti = 0.5, yMax = 3, Ni = 0.8);',
      20,
    );
    expect(table.value('b.v', 20)).toBeCloseTo(3 + 2 * 0.8, 5);
  });
});

test('a timer counts while its condition holds', async () => {
  const { table } = await run('Blocks', 'Timer b(u = time > 0.5 and time < 1.25 or time > 2);', 2.5);
  for (const [time, value] of [
    [0.25, 0],
    [1, 0.5],
    [1.5, 0],
    [2.25, 0.25],
  ] as const)
    expect(table.value('b.y', time)).toBeCloseTo(value, 9);
});

test('the slope of a table is exact: an integral of it needs no small steps', async () => {
  const { table, statistics } = await run(
    'Blocks',
    'Table1D t(table = {{0, 0}, {1, 1}, {2, 0}}, u = time); Integrator b(u = t.y); Real slope = der(t.y);',
    2,
  );
  expect(table.value('b.y', 2)).toBeCloseTo(1, 9);
  expect([table.value('slope', 0.5), table.value('slope', 1.5)]).toEqual([1, -1]);
  expect(statistics.events).toBeGreaterThan(0);
});

describe('wrong values', () => {
  const problem = async (block: string): Promise<string> => {
    const result = await simulate(loadModel(`model Test import Mutabor.Blocks.*; ${block}; end Test;`), {
      stopTime: 3,
    });
    return result.diagnostics
      .filter((d) => d.severity === 'error')
      .map((d) => d.message)
      .join();
  };

  test.each([
    ['Table1D b(table = {{0, 0}, {0, 1}}, u = time)', /Inputs of the table must increase/],
    [
      'Table1D b(table = {{0, 0}, {1, 1}}, extrapolation = Extrapolation.forbidden, u = time)',
      /The input is outside of the table/,
    ],
    ['Table1D b(table = {{0, 0}}, u = time)', /A table needs two points at least/],
    [
      'Table1D b(table = {{0, 0}}, smoothness = Smoothness.akima, u = time)',
      /A table needs two points at least/,
    ],
    ['TimeTable b(table = {{0, 0}})', /A table needs two points at least/],
    ['TransferFunction b(b = {1}, a = {0, 1}, u = 1)', /must not be zero/],
    ['TimeTable b(table = {{1, 0}, {0, 1}})', /Times of the table must not decrease/],
    [
      'TimeTable b(table = {{0, 0}, {1, 1}}, extrapolation = Extrapolation.forbidden)',
      /The time is outside of the table/,
    ],
    ['Table2D b(smoothness = Smoothness.akima, u1 = 0, u2 = 0)', /linear or steps/],
    ['TransferFunction b(b = {1, 2, 3}, a = {1, 1}, u = 1)', /numerator must not be of higher degree/],
    ['PID b(yMax = 1, yMin = 2, u_s = 0, u_m = 0)', /upper limit must lie above/],
    ['Trapezoid b(period = 0.5)', /must not take longer than the period/],
  ])('%s', async (block, message) => {
    expect(await problem(block)).toMatch(message);
  });
});
