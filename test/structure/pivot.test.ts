import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseColumns, chooseDependent as chooseSparse, stateWeights } from '../../src/structure/pivot.ts';

const { never, introduced, prefer, always } = stateWeights;
const plain = stateWeights.default;

/** The choice for a matrix that is written out. */
const chooseDependent = (matrix: readonly (readonly number[])[], weights: number[], current?: number[]) =>
  chooseSparse(padded(matrix), weights, current);

describe('choice of dependent variables', () => {
  test('the larger coefficient is solved for', () => {
    expect(chooseDependent([[1.2, -1.6]], [plain, plain]).dependent).toEqual([1]);
    expect(chooseDependent([[1.6, -1.2]], [plain, plain]).dependent).toEqual([0]);
  });

  test('of equals the first stays a state', () => {
    expect(chooseDependent([[1, -1]], [plain, plain]).dependent).toEqual([1]);
  });

  test('preference wins over size, unless it is nearly singular', () => {
    expect(chooseDependent([[1, 0.01]], [prefer, plain]).dependent).toEqual([1]);
    expect(chooseDependent([[1, 1e-5]], [prefer, plain]).dependent).toEqual([0]);
  });

  test('never and always are absolute, and so is what was introduced', () => {
    expect(chooseDependent([[1, 1e-5]], [plain, never]).dependent).toEqual([1]);
    expect(chooseDependent([[1, 1e-5]], [always, plain]).dependent).toEqual([1]);
    expect(chooseDependent([[1, 1e-5]], [plain, introduced]).dependent).toEqual([1]);
    expect(chooseDependent([[1, 0]], [always, plain]).dependent).toEqual([0]);
  });

  test('in a large matrix too, where pivots are taken column by column', () => {
    const n = 80;
    const rows = Array.from({ length: n }, (_, i) => [{ column: i, value: i === n - 1 ? 1e-3 : 1 }]);
    rows[n - 1]!.push({ column: n, value: 1 });
    const dependent = Array.from({ length: n }, (_, i) => i);
    expect(chooseColumns(rows, [...dependent.map(() => plain), always])).toEqual(dependent);
    expect(chooseColumns(rows, [...dependent.map(() => plain), plain])).toContain(n);
  });

  test('the quality of the choice in force', () => {
    const at = (x: number, y: number, current: number[]) =>
      chooseDependent([[2 * x, 2 * y]], [plain, plain], current).quality;
    expect(at(0.6, -0.8, [1])).toBe(1);
    expect(at(0.6, -0.8, [0])).toBeCloseTo(0.75, 12);
    expect(at(0, 1, [0])).toBe(0);
    // Determinants 1*4 - 2*3 = -2 of columns 0, 1; the best is |2*8 - 4*5| = 4 or better.
    const { dependent, quality } = chooseDependent(
      [
        [1, 2, 5],
        [3, 4, 8],
      ],
      [plain, plain, plain],
      [0, 1],
    );
    const det = { '0,1': 2, '0,2': 7, '1,2': 4 }[dependent.join()]!;
    expect(quality).toBeCloseTo(2 / det, 12);
  });

  test('a singular matrix gives fewer columns than rows', () => {
    expect(
      chooseDependent(
        [
          [1, 2, 1],
          [2, 4, 2],
        ],
        [plain, plain, plain],
      ).dependent.length,
    ).toBe(1);
  });
});

/** Rank of an integer matrix, exactly, by fraction-free elimination. */
function rank(matrix: readonly (readonly number[])[], columns: readonly number[]): number {
  const a = matrix.map((row) => columns.map((j) => BigInt(row[j]!)));
  let r = 0;
  for (let j = 0; j < columns.length; j++) {
    const p = a.findIndex((row, i) => i >= r && row[j] !== 0n);
    if (p === -1) continue;
    [a[r], a[p]] = [a[p]!, a[r]!];
    const pivot = a[r]!;
    for (let i = r + 1; i < a.length; i++) {
      const factor = a[i]![j]!;
      a[i] = a[i]!.map((value, k) => value * pivot[j]! - factor * pivot[k]!);
    }
    r++;
  }
  return r;
}

const problems = fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 6 })).chain(([m, n]) =>
  fc.record({
    matrix: fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: n, maxLength: n }), {
      minLength: m,
      maxLength: m,
    }),
    weights: fc.array(fc.constantFrom(never, introduced, plain, always), { minLength: n, maxLength: n }),
  }),
);

/** Padding with columns of zeros makes the same problem large enough for the sparse algorithm. */
function padded(matrix: readonly (readonly number[])[]) {
  return matrix.map((row) =>
    row.map((value, column) => ({ column, value })).filter(({ value }) => value !== 0),
  );
}

describe('laws', () => {
  test('the chosen columns are independent and of the lowest classes: a basis of greatest weight', () => {
    fc.assert(
      fc.property(problems, ({ matrix, weights }) => {
        const wide = [...weights, ...new Array<number>(7000).fill(plain)];
        for (const dependent of [
          chooseDependent(matrix, weights).dependent,
          chooseColumns(padded(matrix), wide),
        ]) {
          const all = weights.map((_, j) => j);
          expect(dependent.length).toBe(rank(matrix, all));
          expect(rank(matrix, dependent)).toBe(dependent.length);
          for (const limit of [never, introduced, plain, always]) {
            const below = all.filter((j) => weights[j]! <= limit);
            expect(dependent.filter((j) => weights[j]! <= limit).length).toBe(rank(matrix, below));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a chain of 10,000 rigid couplings', () => {
    const n = 10_000;
    const rows = Array.from({ length: n - 1 }, (_, i) => [
      { column: i, value: 1 },
      { column: i + 1, value: -1 },
    ]);
    const dependent = chooseColumns(rows, new Array<number>(n).fill(plain));
    expect(dependent.length).toBe(n - 1);
    expect(dependent.includes(0)).toBe(false);
  });
});
