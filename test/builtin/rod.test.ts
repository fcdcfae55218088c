/** A heated rod of n cells, also one that is refined and coarsened while it runs. */
import { describe, expect, it } from 'vitest';
import { rod } from '../../examples/typescript/rod.ts';
import { instantiate, loadModel, type SimulateOptions, simulate } from '../../src/index.ts';
import { rodTemperature } from '../problems/rod.ts';

const source = `
connector HeatPort
  Real T;
  flow Real Q_flow;
end HeatPort;
model Rod
  HeatPort a, b;
  parameter Real L = 1, A = 4e-4, rho = 7500, lambda = 74, c = 450;
  parameter Real T0[:] = {293.15};
  parameter Integer sizes[:] = {5};
  parameter Real times[:] = fill(0.0, 0);
  Real Ta, Tb, G;
equation
  a.Q_flow = G*(a.T - Ta);
  b.Q_flow = G*(b.T - Tb);
  annotation(__Mutabor(builtIn = "rod"));
end Rod;
model FixedTemperature
  HeatPort port;
equation
  port.T = 493.15;
end FixedTemperature;
model Heated
  Rod rod;
  FixedTemperature fixed;
  Real E(start = 0, fixed = true) "Heat that came in";
equation
  connect(fixed.port, rod.a);
  der(E) = rod.a.Q_flow;
end Heated;
model Insulated
  Rod rod(T0 = {300, 500, 320, 280, 450, 290, 400});
end Insulated;
`;

const run = (name: string, overrides: Record<string, string>, options: SimulateOptions) =>
  simulate(loadModel(source, name, overrides, { builtIns: [rod] }), options);

/** Temperatures of all cells. */
const exact = (n: number, time: number): number[] =>
  Array.from({ length: n }, (_, i) => rodTemperature(n, i + 1, time));

const temperatures = (table: { value(name: string, time: number): number }, n: number, time: number) =>
  Array.from({ length: n }, (_, i) => table.value(`rod.T[${i + 1}]`, time));

describe('a rod as a built-in component', () => {
  it('the oracle has the published values', () => {
    const five = [492.963024285, 492.607375341, 492.304842279, 492.085039144, 491.969481797];
    for (const [i, T] of exact(5, 1e5).entries()) expect(T).toBeCloseTo(five[i]!, 7);
    const eight = [478.349783285, 449.384102583, 422.275999746, 398.117604909, 377.81143621];
    for (const [i, expected] of eight.entries()) expect(exact(8, 1e4)[i]).toBeCloseTo(expected, 7);
  });

  it.each([
    [5, 'auto'],
    [8, 'auto'],
    [100, 'auto'],
    [100, 'bdf'],
  ] as const)('with %i cells, %s', async (n, method) => {
    const options = { stopTime: 1e5, tolerance: 1e-9, intervals: 10, method } as const;
    const { diagnostics, table, segments } = await run('Heated', { 'rod.sizes': `{${n}}` }, options);
    expect(diagnostics).toEqual([]);
    expect(segments[0]).toMatchObject({ states: n + 1, variant: n });
    for (const time of [1e4, 1e5])
      for (const [i, T] of exact(n, time).entries())
        expect(Math.abs(temperatures(table, n, time)[i]! / T - 1)).toBeLessThan(1e-6);
    expect(table.value('rod.b.T', 1e5)).toBeCloseTo(table.value(`rod.T[${n}]`, 1e5), 8);
  });

  it('with 10000 cells takes the work of a band, not of a full matrix', async () => {
    const n = 10_000;
    const { status, table, statistics } = await run(
      'Heated',
      { 'rod.sizes': `{${n}}` },
      { stopTime: 1e4, tolerance: 1e-7, intervals: 2, method: 'bdf' },
    );
    expect(status).toBe('done');
    for (const i of [1, 18, 501, 2501, 5001, n])
      expect(Math.abs(table.value(`rod.T[${i}]`, 1e4) / rodTemperature(n, i, 1e4) - 1)).toBeLessThan(1e-5);
    // Two groups of three columns and the states of the equations: a handful of evaluations for each Jacobian.
    expect(statistics.evaluations).toBeLessThan(4 * statistics.steps + 10 * statistics.jacobians + 50);
  }, 20_000);

  it('has any number of cells in runs of one object, which is translated once', async () => {
    const simulation = instantiate(source, { name: 'Heated', builtIns: [rod] });
    for (const [k, n] of [5, 8, 100, 5].entries()) {
      const merge = { rod: { sizes: [n] } };
      const { table, statistics, segments } = await simulation.simulate({
        stopTime: 1e5,
        tolerance: 1e-9,
        intervals: 2,
        merge,
      });
      expect([statistics.translations, segments[0]!.variant]).toEqual([k === 0 ? 1 : 0, n]);
      for (const [i, T] of exact(n, 1e5).entries())
        expect(Math.abs(temperatures(table, n, 1e5)[i]! / T - 1)).toBeLessThan(1e-6);
    }
    const merge = { rod: { sizes: [5, 8], times: [2e4] } };
    const { statistics, segments } = await simulation.simulate({ stopTime: 1e5, merge });
    expect([statistics.translations, ...segments.map((s) => s.variant)]).toEqual([0, 5, 8]);
  });

  it('keeps its energy while it is refined and coarsened', async () => {
    const sizes = [7, 14, 9, 100, 3, 8];
    const { status, table, segments, statistics } = await run(
      'Insulated',
      { 'rod.sizes': `{${sizes}}`, 'rod.times': '{500, 1000, 1500, 2500, 4000}' },
      { stopTime: 6000, tolerance: 1e-8, intervals: 60 },
    );
    expect(status).toBe('done');
    expect(segments.map((s) => s.states)).toEqual(sizes);
    expect(statistics.restarts).toBe(5);
    const energy = table.get('rod.energy');
    for (const value of energy) expect(Math.abs(value / energy[0]! - 1)).toBeLessThan(1e-10);
    expect(table.value('rod.T[9]', 1200)).not.toBeNaN();
    expect(table.value('rod.T[9]', 3000)).toBeNaN();
    expect(table.at('rod.T[100]', 0)).toBeNaN();
  });

  it('keeps the heat that came in while it is refined and coarsened', async () => {
    const { status, table, segments } = await run(
      'Heated',
      { 'rod.sizes': '{5, 8, 40, 5}', 'rod.times': '{2000, 5000, 20000}' },
      { stopTime: 1e5, tolerance: 1e-8, intervals: 100 },
    );
    expect(status).toBe('done');
    expect(segments.map((s) => [s.states, s.variant])).toEqual([
      [6, 5],
      [9, 8],
      [41, 40],
      [6, 5],
    ]);
    const energy = table.get('rod.energy');
    const entered = table.get('E');
    for (const [row, value] of energy.entries())
      expect(Math.abs((value - entered[row]!) / energy[0]! - 1)).toBeLessThan(1e-10);
    // The end does not depend on the way there.
    for (const [i, T] of exact(5, 1e5).entries())
      expect(Math.abs(table.value(`rod.T[${i + 1}]`, 1e5) - T)).toBeLessThan(0.05);
  });
});
