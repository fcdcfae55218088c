/** Dense and sparse LU: constructed systems A x = b, laws on random patterns. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SparsePattern } from '../../src/collections/pattern.ts';
import { factorDense, solveDense } from '../../src/solve/dense.ts';
import { createLinearSolver, DenseSolver } from '../../src/solve/linear.ts';
import { minimumDegree, transversal } from '../../src/solve/order.ts';
import { densePattern, SparseLu } from '../../src/solve/sparse.ts';
import { patternOf, tridiagonal } from '../problems/problem.ts';
import { oneNorm, reciprocalCondition } from './condition.ts';

/** A matrix by rows, as columns in storage. */
function columns(rows: number[][]): Float64Array {
  const n = rows.length;
  return Float64Array.from({ length: n * n }, (_, k) => rows[k % n]![Math.floor(k / n)]!);
}

/** A x for nonzeros `values` on a pattern. */
function multiply(pattern: SparsePattern, values: Float64Array, x: Float64Array): Float64Array {
  const b = new Float64Array(pattern.n);
  for (let j = 0; j < pattern.n; j++) {
    for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++) {
      b[pattern.rows[k]!] = b[pattern.rows[k]!]! + values[k]! * x[j]!;
    }
  }
  return b;
}

/** max |A x - b| over what rounding allows, |A| |x| + |b|. */
function backwardError(
  pattern: SparsePattern,
  values: Float64Array,
  x: Float64Array,
  b: Float64Array,
): number {
  const r = multiply(pattern, values, x);
  const size = multiply(pattern, values.map(Math.abs), x.map(Math.abs));
  let worst = 0;
  for (let i = 0; i < r.length; i++) {
    worst = Math.max(worst, Math.abs(r[i]! - b[i]!) / (size[i]! + Math.abs(b[i]!) + 1e-300));
  }
  return worst;
}

describe('dense LU', () => {
  test('a system with a zero in the corner needs the exchange of rows', () => {
    const a = columns([
      [0, 2, 1],
      [1, 1, 0],
      [4, 0, 2],
    ]);
    const pivots = new Int32Array(3);
    expect(factorDense(3, a, pivots)).toBe(true);
    const b = Float64Array.of(7, 3, 10);
    solveDense(3, a, pivots, b);
    expect([...b]).toEqual([1, 2, 3]);
  });

  test.each([
    [
      'zero column',
      [
        [1, 0],
        [2, 0],
      ],
    ],
    [
      'equal rows',
      [
        [1, 2],
        [1, 2],
      ],
    ],
    [
      'not a number',
      [
        [Number.NaN, 1],
        [1, 1],
      ],
    ],
    [
      'infinite',
      [
        [Number.POSITIVE_INFINITY, 1],
        [1, 1],
      ],
    ],
  ])('%s is refused', (_name, rows) => {
    expect(factorDense(2, columns(rows), new Int32Array(2))).toBe(false);
  });

  test('the condition of the Hilbert matrix of order 5 is 943656', () => {
    const hilbert = Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, j) => 1 / (i + j + 1)));
    const a = columns(hilbert);
    const norm = oneNorm(5, a);
    const pivots = new Int32Array(5);
    factorDense(5, a, pivots);
    const condition = 1 / reciprocalCondition(5, a, pivots, norm);
    expect(condition / 943656).toBeCloseTo(1, 6);
  });

  test('an empty system is solved', () => {
    const solver = createLinearSolver(densePattern(0));
    expect(solver.factor(new Float64Array(0))).toBe(true);
    solver.solve(new Float64Array(0));
  });
});

/** Random square patterns with entries, structurally regular or not. */
const randomMatrix = fc
  .integer({ min: 1, max: 40 })
  .chain((n) =>
    fc.record({
      n: fc.constant(n),
      entries: fc.array(
        fc.tuple(
          fc.nat(n - 1),
          fc.nat(n - 1),
          fc.integer({ min: -9, max: 9 }).filter((v) => v !== 0),
        ),
        { maxLength: 4 * n },
      ),
      diagonal: fc.boolean(),
      shift: fc.nat(n - 1),
    }),
  )
  .map(({ n, entries, diagonal, shift }) => {
    const byColumn: Map<number, number>[] = Array.from({ length: n }, () => new Map());
    for (const [i, j, v] of entries) byColumn[j]!.set(i, v);
    // A shifted diagonal makes the matrix structurally regular without a zero-free diagonal.
    if (diagonal) for (let j = 0; j < n; j++) byColumn[j]!.set((j + shift) % n, 10 + j / 7);
    const sorted = byColumn.map((column) => [...column.keys()].sort((a, b) => a - b));
    const values = Float64Array.from(sorted.flatMap((rows, j) => rows.map((i) => byColumn[j]!.get(i)!)));
    return { pattern: patternOf(sorted), values };
  });

function denseFactorable(pattern: SparsePattern, values: Float64Array): number {
  const solver = new DenseSolver(pattern);
  if (!solver.factor(values)) return 0;
  const a = new Float64Array(pattern.n ** 2);
  for (let j = 0; j < pattern.n; j++) {
    for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++)
      a[pattern.rows[k]! + j * pattern.n] = values[k]!;
  }
  const norm = oneNorm(pattern.n, a);
  const pivots = new Int32Array(pattern.n);
  factorDense(pattern.n, a, pivots);
  return reciprocalCondition(pattern.n, a, pivots, norm);
}

describe('sparse LU', () => {
  test('an arrow pointing up and left fills nothing when ordered well', () => {
    const n = 200;
    const arrow = patternOf(
      Array.from({ length: n }, (_, j) => (j === 0 ? Array.from({ length: n }, (_, i) => i) : [0, j])),
    );
    const values = new Float64Array(arrow.rows.length).fill(1);
    for (let j = 0; j < n; j++) {
      for (let k = arrow.starts[j]!; k < arrow.starts[j + 1]!; k++)
        if (arrow.rows[k] === j) values[k] = n + j;
    }
    const solver = new SparseLu(arrow);
    expect(solver.factor(values)).toBe(true);
    expect(solver.fill).toBe(2 * (n - 1));
  });

  test('a tridiagonal matrix fills nothing', () => {
    const pattern = tridiagonal(500);
    const solver = new SparseLu(pattern);
    expect(solver.factor(heat(pattern))).toBe(true);
    expect(solver.fill).toBe(2 * 499);
  });

  test('a grid of 40 x 40 fills less than a third of what the natural order does', () => {
    const side = 40;
    const pattern = grid(side);
    const solver = new SparseLu(pattern);
    expect(solver.factor(heat(pattern))).toBe(true);
    expect(solver.fill).toBeLessThan((2 * side ** 3) / 3);
  });

  test('solves A x = b and agrees with dense LU on what is singular', () => {
    fc.assert(
      fc.property(randomMatrix, ({ pattern, values }) => {
        const condition = denseFactorable(pattern, values);
        const solver = new SparseLu(pattern);
        const regular = solver.factor(values);
        if (condition > 1e-10) expect(regular).toBe(true);
        if (!regular) return;
        if (condition < 1e-10) return;
        const b = Float64Array.from({ length: pattern.n }, (_, i) => Math.sin(i + 1));
        const x = Float64Array.from(b);
        solver.solve(x);
        expect(backwardError(pattern, values, x, b)).toBeLessThan(1e-9);
      }),
      { numRuns: 400 },
    );
  });

  test('a structurally singular matrix is refused whatever its values', () => {
    const pattern = patternOf([[0, 1], [2], [2], [0, 3]]);
    expect(transversal(pattern)).toBeUndefined();
    expect(new SparseLu(pattern).factor(new Float64Array(6).fill(1))).toBe(false);
  });

  test('refactoring for new values equals factoring anew', () => {
    fc.assert(
      fc.property(
        randomMatrix,
        fc.infiniteStream(fc.double({ min: 0.5, max: 2, noNaN: true })),
        ({ pattern, values }, stream) => {
          const used = new SparseLu(pattern);
          if (!used.factor(values)) return;
          const changed = values.map((v) => v * (stream.next().value as number));
          if (denseFactorable(pattern, changed) < 1e-8) return;
          const fresh = new SparseLu(pattern);
          expect(used.factor(changed)).toBe(true);
          expect(fresh.factor(changed)).toBe(true);
          const b = Float64Array.from({ length: pattern.n }, (_, i) => Math.cos(i));
          const x = Float64Array.from(b);
          used.solve(x);
          expect(backwardError(pattern, changed, x, b)).toBeLessThan(1e-9);
          const z = Float64Array.from(b);
          fresh.solve(z);
          expect(backwardError(pattern, changed, z, b)).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('pivots that vanish in the new values are chosen anew', () => {
    const pattern = densePattern(3);
    const solver = new SparseLu(pattern);
    const first = columns([
      [4, 1, 0],
      [1, 4, 1],
      [0, 1, 4],
    ]);
    const second = columns([
      [0, 1, 0],
      [1, 0, 1],
      [0, 1, 4],
    ]);
    expect(solver.factor(first)).toBe(true);
    expect(solver.factor(second)).toBe(true);
    const b = Float64Array.of(2, 4, 14);
    solver.solve(b);
    expect([...b]).toEqual([1, 2, 3]);
    expect(solver.factor(new Float64Array(9))).toBe(false);
    expect(solver.factor(first)).toBe(true);
  });

  test('the order is a permutation', () => {
    fc.assert(
      fc.property(randomMatrix, ({ pattern }) => {
        const rowOf = transversal(pattern);
        if (rowOf === undefined) return;
        expect([...rowOf].sort((a, b) => a - b)).toEqual(Array.from(rowOf, (_, i) => i));
        expect([...minimumDegree(pattern, rowOf)].sort((a, b) => a - b)).toEqual(
          Array.from(rowOf, (_, i) => i),
        );
      }),
    );
  });
});

/** Five-point pattern on a square grid. */
function grid(side: number): SparsePattern {
  return patternOf(
    Array.from({ length: side * side }, (_, j) => {
      const x = j % side;
      return [j - side, x > 0 ? j - 1 : -1, j, x < side - 1 ? j + 1 : -1, j + side].filter(
        (i) => i >= 0 && i < side * side,
      );
    }),
  );
}

/** 5 on the diagonal, -1 elsewhere. */
function heat(pattern: SparsePattern): Float64Array {
  const values = new Float64Array(pattern.rows.length).fill(-1);
  for (let j = 0; j < pattern.n; j++) {
    for (let k = pattern.starts[j]!; k < pattern.starts[j + 1]!; k++)
      if (pattern.rows[k] === j) values[k] = 5;
  }
  return values;
}
