/** Where runs end that cannot go on, or are stopped: one time, in messages, results and the last row. */
import { describe, expect, it } from 'vitest';
import { loadModel, type SimulationResult, type StopSignal, simulate } from '../../src/index.ts';

/** A run has one time of its end. */
function endOf({ status, time, table, diagnostics, modes }: SimulationResult): number {
  expect(table.time[table.rowCount - 1]).toBe(time);
  expect(modes.at(-1)!.to).toBe(time);
  const { message } = diagnostics.find(({ code }) => code !== 'interrupted' || status === 'stopped')!;
  expect(Number(/time (-?[\d.e+-]+\d)/.exec(message)![1])).toBe(time);
  return time;
}

describe('a run ends at the last time at which its equations have values', () => {
  const models: [what: string, text: string, end: number, last: Record<string, number>][] = [
    [
      'a root of a state',
      'Real x(start = 0, fixed = true), y; equation der(x) = 1; y = sqrt(0.55 - x);',
      0.55,
      { x: 0.55 },
    ],
    [
      'a root of a state beside an event',
      'Real x(start = 0, fixed = true), y; Boolean b = x > 0.3; equation der(x) = 1; y = sqrt(0.55 - x);',
      0.55,
      { x: 0.55, b: 1 },
    ],
    ['a root of time', 'Real y; equation y = sqrt(0.55 - time);', 0.55, {}],
    [
      'a logarithm',
      'Real x(start = 1, fixed = true), y; equation der(x) = -2*x; y = log(x - 0.3);',
      Math.log(1 / 0.3) / 2,
      { x: 0.3 },
    ],
    [
      'a system that has no solution any more',
      'Real x(start = 1, fixed = true), y(start = 1); equation der(x) = 1; y^2 = 1.7 - x;',
      0.7,
      { x: 1.7 },
    ],
    [
      'an element of an array that stays one',
      'Real x[50](each start = 0, each fixed = true), y[50]; equation for i in 1:50 loop der(x[i]) = i/50; y[i] = sqrt(0.55 - x[i]); end for;',
      0.55,
      { 'x[50]': 0.55 },
    ],
  ];
  for (const [what, text, end, last] of models)
    for (const intervals of [1, 2, 3, 10, 997])
      it(`${what}, with ${intervals} intervals`, async () => {
        const result = await simulate(loadModel(`model M ${text} end M;`), {
          stopTime: 1,
          intervals,
          tolerance: 1e-9,
        });
        expect(result.status).toBe('failed');
        expect(Math.abs(endOf(result) - end)).toBeLessThan(1e-7);
        const { table, time } = result;
        for (const [name, value] of Object.entries(last))
          expect(Math.abs(table.value(name, time) - value)).toBeLessThan(1e-7);
        // The rows of the grid before the end are all there.
        const grid = Array.from({ length: intervals + 1 }, (_, k) => k / intervals).filter((t) => t < end);
        expect(grid.filter((t) => !table.time.includes(t))).toEqual([]);
      });

  it('has a last row where the integrator gives up', async () => {
    const text = 'model M Real x(start = 1, fixed = true); equation der(x) = x^2; end M;';
    const result = await simulate(loadModel(text), { stopTime: 2, intervals: 2 });
    expect(result.status).toBe('failed');
    expect(Math.abs(endOf(result) - 1)).toBeLessThan(1e-5);
    expect(result.table.value('x', result.time)).toBeGreaterThan(1e6);
  });

  it('has a last row where an assertion fails between rows', async () => {
    const text =
      'model M Real x(start = 0, fixed = true); equation der(x) = 1; assert(noEvent(x < 0.55), "too far"); end M;';
    const result = await simulate(loadModel(text), { stopTime: 1, intervals: 1 });
    expect(result.status).toBe('failed');
    const { table, time } = result;
    expect(table.time[table.rowCount - 1]).toBe(time);
    expect(Math.abs(table.value('x', time) - time)).toBeLessThan(1e-9);
  });
});

describe('a stopped run', () => {
  const atLook = (n: number): StopSignal => {
    let looks = 0;
    return {
      get aborted() {
        return ++looks > n;
      },
    };
  };

  for (const method of ['rk', 'bdf', 'radau'] as const)
    for (const looks of [300, 301, 302, 303, 304, 317, 1001, 1002])
      it(`has a last row at the time of the stop: ${method}, look ${looks}`, async () => {
        const text =
          'model M Real x(start = 0, fixed = true), y(start = 1, fixed = true); equation der(x) = y; der(y) = -x; end M;';
        const options = { stopTime: 1e5, intervals: 2, tolerance: 1e-10, method, signal: atLook(looks) };
        const result = await simulate(loadModel(text), options);
        expect(result.status).toBe('stopped');
        const end = endOf(result);
        expect(end).toBeGreaterThan(0);
        expect(Math.abs(result.table.value('x', end) - Math.sin(end))).toBeLessThan(1e-6);
      });
});
