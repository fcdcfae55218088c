/** Jacobians by differences where it is not known what depends on what: patterns are learned, and learned again where they lack something. */
import { describe, expect, test } from 'vitest';
import { scattered } from '../../src/builtin/component.ts';
import { Bdf } from '../../src/solve/bdf.ts';
import { differenceJacobian } from '../../src/solve/differences.ts';
import { newStatistics, type OdeSystem } from '../../src/solve/integrator.ts';
import { densePattern } from '../../src/solve/sparse.ts';

type Slope = (t: number, y: Float64Array, i: number) => number;

const system = (n: number, slope: Slope): OdeSystem => ({
  n,
  loose: true,
  pattern: densePattern(n),
  rhs(t, y, dy) {
    for (let i = 0; i < n; i++) dy[i] = slope(t, y, i);
    return dy.every(Number.isFinite);
  },
});

/** All entries of the Jacobian, by row and column, after some evaluations. */
function jacobianOf({ n, ...rest }: OdeSystem, points: readonly (readonly [number, Float64Array])[]) {
  const statistics = newStatistics();
  const jacobian = differenceJacobian({ n, ...rest }, { values: new Float64Array(n).fill(1e6) }, statistics);
  let values = new Float64Array(0);
  for (const [t, y] of points) {
    expect(jacobian.prepare!(t, y)).toBe(true);
    values = new Float64Array(jacobian.pattern.rows.length);
    expect(jacobian.evaluate(t, y, values)).toBe(true);
  }
  const full = Array.from({ length: n }, () => new Array<number>(n).fill(0));
  const { starts, rows } = jacobian.pattern;
  for (let j = 0; j < n; j++)
    for (let k = starts[j]!; k < starts[j + 1]!; k++) full[rows[k]!]![j] = values[k]!;
  return { full, entries: rows.length, evaluations: statistics.evaluations };
}

const n = 100;
const y = Float64Array.from({ length: n }, (_, i) => 2 + Math.sin(i));

describe('a pattern that is learned', () => {
  test('has what depends on what, and few evaluations from then on', () => {
    const ring: Slope = (_, y, i) => y[i]! * y[(i + 1) % n]! - 3 * y[(i + n - 1) % n]!;
    const once = jacobianOf(system(n, ring), [[0, y]]);
    expect(once.entries).toBe(3 * n);
    for (let i = 0; i < n; i++) {
      expect(once.full[i]![i]).toBeCloseTo(y[(i + 1) % n]!, 4);
      expect(once.full[i]![(i + 1) % n]).toBeCloseTo(y[i]!, 4);
      expect(once.full[i]![(i + n - 1) % n]).toBeCloseTo(-3, 4);
    }
    const twice = jacobianOf(system(n, ring), [
      [0, y],
      [1, y],
    ]);
    expect(twice.evaluations - once.evaluations).toBeLessThan(10);
  });

  test('grows where something depends on more than it did', () => {
    // At zero no product shows on what it depends; a branch reads the other neighbour from time 1 on.
    const slope: Slope = (t, y, i) => -y[i]! + y[i]! * y[(i + 7) % n]! + (t < 1 ? 0 : 5 * y[(i + 3) % n]!);
    const { full, entries } = jacobianOf(system(n, slope), [
      [0, new Float64Array(n)],
      [0, y],
      [1, y],
      [0, y],
    ]);
    expect(entries).toBe(3 * n);
    for (let i = 0; i < n; i++) {
      expect(full[i]![i]).toBeCloseTo(-1 + y[(i + 7) % n]!, 4);
      expect(full[i]![(i + 7) % n]).toBeCloseTo(y[i]!, 4);
      expect(full[i]![(i + 3) % n]).toBeCloseTo(0, 4);
    }
  });

  test('begins anew where its bound is another one', () => {
    // Before time 1 each depends on the next, from then on on the one before; bounds say no more than that.
    const beside = (offset: number) =>
      scattered(
        n,
        Array.from({ length: n }, (_, i) => [i, (i + offset + n) % n] as const),
      );
    const bounds = [beside(1), beside(-1)].map((columns) => ({ n, ...columns }));
    let bound = bounds[0]!;
    const turning: OdeSystem = {
      n,
      loose: true,
      get pattern() {
        return bound;
      },
      rhs(t, y, dy) {
        bound = bounds[t < 1 ? 0 : 1]!;
        for (let i = 0; i < n; i++) dy[i] = 4 * y[(i + (t < 1 ? 1 : n - 1)) % n]!;
        return true;
      },
    };
    const jacobian = differenceJacobian(turning, { values: new Float64Array(n).fill(1e6) }, newStatistics());
    for (const [t, offset] of [
      [0, 1],
      [1, n - 1],
      [0, 1],
    ] as const) {
      turning.rhs(t, y, new Float64Array(n));
      expect(jacobian.prepare!(t, y)).toBe(true);
      const { starts, rows } = jacobian.pattern;
      const values = new Float64Array(rows.length);
      jacobian.evaluate(t, y, values);
      for (let i = 0; i < n; i++) {
        const j = (i + offset) % n;
        const at = rows.subarray(starts[j], starts[j + 1]!).indexOf(i);
        expect(values[starts[j]! + at]).toBeCloseTo(4, 4);
      }
    }
  });

  test('is the whole where everything depends on everything', () => {
    const weight = (i: number, j: number) => Math.cos(i + 2 * j);
    const slope: Slope = (_, y, i) => y.reduce((sum, value, j) => sum + weight(i, j) * value, 0);
    const { full, entries } = jacobianOf(system(n, slope), [
      [0, y],
      [1, y],
    ]);
    expect(entries).toBe(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) expect(full[i]![j]).toBeCloseTo(weight(i, j), 2);
  });

  test('is not kept where the function cannot be evaluated', () => {
    const root: OdeSystem = system(n, (_, y, i) => Math.sqrt(y[i]! - 2));
    const jacobian = differenceJacobian(root, { values: new Float64Array(n).fill(1e6) }, newStatistics());
    expect(jacobian.prepare!(0, new Float64Array(n))).toBe(false);
    expect(jacobian.prepare!(0, new Float64Array(n).fill(3))).toBe(true);
    expect(jacobian.pattern.rows.length).toBe(n);
  });
});

describe('a stiff system whose pattern is learned', () => {
  /** The end of a run, and how often the right-hand side was asked. */
  function run(of: OdeSystem, start: Float64Array, end: number): { y: Float64Array; evaluations: number } {
    const bdf = new Bdf(of, { relative: 1e-9, absolute: 1e-12 });
    bdf.start(0, start);
    while (bdf.t < end) expect(bdf.step(end).kind).not.toBe('failed');
    return { y: bdf.y, evaluations: bdf.statistics.evaluations };
  }

  test('of 1,000 states decays as its wave does', () => {
    const n = 1000;
    const k = 1e4;
    const heat: Slope = (_, y, i) => k * ((y[i - 1] ?? 0) - 2 * y[i]! + (y[i + 1] ?? 0));
    const wave = (m: number) => (_: unknown, i: number) => Math.sin((m * Math.PI * (i + 1)) / (n + 1));
    const rate = k * (2 - 2 * Math.cos((50 * Math.PI) / (n + 1)));
    const { y, evaluations } = run(system(n, heat), Float64Array.from({ length: n }, wave(50)), 5 / rate);
    for (const i of [0, 7, 500, 999]) expect(y[i]).toBeCloseTo(Math.exp(-5) * wave(50)(0, i), 8);
    expect(evaluations).toBeLessThan(2 * n);
  });

  test('follows a wind that turns', () => {
    // dy/dt = v(t) (neighbour upwind - y) with y = c + i*d: the solution stays linear in i, c' = -|v| d with the sign of v.
    const n = 80;
    const v = (t: number) => 1e3 * Math.cos(t);
    const ends = (t: number) => -1e3 * 0.5 * Math.sin(t);
    const at = (t: number, i: number) => 1 + 0.5 * i + ends(t);
    const wind: Slope = (t, y, i) => {
      const [before, after] = [i === 0 ? at(t, -1) : y[i - 1]!, i === n - 1 ? at(t, n) : y[i + 1]!];
      return v(t) > 0 ? v(t) * (before - y[i]!) : -v(t) * (after - y[i]!);
    };
    const { y } = run(
      system(n, wind),
      Float64Array.from({ length: n }, (_, i) => at(0, i)),
      4,
    );
    for (const i of [0, 40, 79]) expect(Math.abs(y[i]! / at(4, i) - 1)).toBeLessThan(1e-6);
  });
});

test('a component at zero is moved by as much of its nominal value as shows beside rounding errors of f', () => {
  const statistics = newStatistics();
  const beside: OdeSystem = {
    n: 1,
    rhs(_, y, dy) {
      dy[0] = 1000 + y[0]! - 1000;
      return true;
    },
  };
  const jacobian = differenceJacobian(beside, { values: Float64Array.of(1e6) }, statistics, () => 1);
  const values = new Float64Array(1);
  expect(jacobian.evaluate(0, Float64Array.of(0), values)).toBe(true);
  expect(Math.abs(values[0]! - 1)).toBeLessThan(0.02);
});
