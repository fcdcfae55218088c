/** A rocket whose states appear and disappear. Exact values by polynomials of time. */
import { describe, expect, it } from 'vitest';
import { rocket } from '../../examples/typescript/rocket.ts';
import { loadModel, simulate } from '../../src/index.ts';

const source = `
model Rocket
  parameter Real m1 = 100, m2 = 100, f1max = 1e4, f2max = 2e3, t1 = 5, t2 = 10, t3 = 15, g = 9.81;
  annotation(__Mutabor(builtIn = "rocket"));
end Rocket;
model Flight
  Rocket rocket;
end Flight;
`;

const fly = (overrides = {}, options = {}) =>
  simulate(loadModel(source, 'Flight', overrides, { builtIns: [rocket] }), {
    stopTime: 15,
    tolerance: 1e-9,
    ...options,
  });

describe('a rocket as a built-in component', () => {
  it('has 2, 4 and 2 states, with exact values where they change', async () => {
    const { status, table, segments, statistics, diagnostics } = await fly();
    expect(diagnostics).toEqual([]);
    expect(status).toBe('done');
    expect(segments.map((s) => [s.from, s.to, s.states, s.variant])).toEqual([
      [0, 5, 2, 2],
      [5, 10, 4, 4],
      [10, 15, 2, 2],
    ]);
    expect(statistics.restarts).toBe(2);
    expect(statistics.modesCompiled).toBe(1);
    const at = (name: string, time: number, side: 'before' | 'after' = 'after') =>
      table.value(`rocket.${name}`, time, side);
    expect(at('v1', 5)).toBeCloseTo(75.95, 6);
    expect(at('h1', 5)).toBeCloseTo(294.0416666666667, 6);
    expect(at('h2', 5)).toBeCloseTo(294.0416666666667, 6);
    expect(at('v1', 10, 'before')).toBeCloseTo(26.9, 6);
    expect(at('h1', 10, 'before')).toBeCloseTo(551.1666666666667, 6);
    expect(at('v2', 10)).toBeCloseTo(101.9, 6);
    expect(at('h2', 10)).toBeCloseTo(759.5, 6);
    expect(at('v2', 15)).toBeCloseTo(77.85, 6);
    expect(at('h2', 15)).toBeCloseTo(1229.7083333333333, 6);
  });

  it('has no values where a state does not exist', async () => {
    const { table } = await fly({}, { intervals: 30 });
    const missing = (name: string) =>
      [...table.time].filter((_, row) => Number.isNaN(table.at(`rocket.${name}`, row)));
    expect(table.names.filter((name) => name.startsWith('rocket.') && !table.isConstant(name))).toEqual([
      'rocket.h1',
      'rocket.v1',
      'rocket.f1',
      'rocket.h2',
      'rocket.v2',
      'rocket.f2',
    ]);
    for (const name of ['h1', 'v1', 'f1']) {
      expect(Math.min(...missing(name))).toBe(10);
      // The end of the second burn is an event: two rows at 15.
      expect(missing(name)).toHaveLength(12);
    }
    for (const name of ['h2', 'v2', 'f2']) {
      expect(Math.max(...missing(name))).toBe(5);
      expect(missing(name)).toHaveLength(11);
    }
    expect(table.info('rocket.h2')).toMatchObject({ unit: 'm', role: 'state' });
    expect(table.value('rocket.f1', 2.5)).toBeCloseTo(5000, 9);
    expect(table.value('rocket.f2', 10)).toBeCloseTo(1000, 9);
  });

  it('separates at once where the first phase has no length', async () => {
    const { table, segments } = await fly({ 'rocket.t1': 0, 'rocket.f1max': 0 });
    expect(segments[0]).toMatchObject({ from: 0, to: 10, states: 4 });
    // m2 dv2/dt = 2000 (15 - t)/15 - m2 g
    expect(table.value('rocket.v2', 10)).toBeCloseTo((2000 * (10 - 100 / 30)) / 100 - 98.1, 6);
  });
});
