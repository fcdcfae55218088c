import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { colour, compressed, type SparsePattern, transposed } from '../../src/collections/pattern.ts';

function patternOf(n: number, entries: readonly (readonly number[])[]): SparsePattern {
  return transposed(compressed(entries.map((columns) => Int32Array.from(new Set(columns)).sort())), n);
}

describe('colouring', () => {
  test('a tridiagonal matrix needs three groups', () => {
    const n = 100;
    const rows = Array.from({ length: n }, (_, i) => [i - 1, i, i + 1].filter((j) => j >= 0 && j < n));
    expect(colour(patternOf(n, rows)).length).toBe(3);
  });

  test('a diagonal matrix needs one, a full one as many as columns, an empty one none', () => {
    expect(colour(patternOf(3, [[0], [1], [2]])).map((g) => [...g])).toEqual([[0, 1, 2]]);
    expect(colour(patternOf(3, [[0, 1, 2]])).length).toBe(3);
    expect(colour(patternOf(3, []))).toEqual([]);
  });

  test('an arrow needs two groups', () => {
    // Full first column and diagonal: columns 1 … n-1 never meet.
    const rows = Array.from({ length: 50 }, (_, i) => (i === 0 ? [0] : [0, i]));
    expect(colour(patternOf(50, rows)).length).toBe(2);
  });

  test('random patterns: every column once, no shared row within a group', () => {
    const rows = fc.array(fc.array(fc.nat(29), { maxLength: 6 }), { maxLength: 40 });
    fc.assert(
      fc.property(rows, (entries) => {
        const pattern = patternOf(30, entries);
        const seen = new Set<number>();
        for (const columns of colour(pattern)) {
          const taken = new Set<number>();
          for (const j of columns) {
            expect(seen.has(j)).toBe(false);
            seen.add(j);
            for (let e = pattern.starts[j]!; e < pattern.starts[j + 1]!; e++) {
              expect(taken.has(pattern.rows[e]!)).toBe(false);
              taken.add(pattern.rows[e]!);
            }
          }
        }
        expect([...seen].sort((p, q) => p - q)).toEqual([...new Set(entries.flat())].sort((p, q) => p - q));
      }),
    );
  });

  test('in a given order: first fit, columns without entries included', () => {
    const groups = colour(
      patternOf(4, [
        [0, 1],
        [1, 3],
      ]),
      [0, 1, 2, 3],
    );
    expect(groups.map((g) => [...g])).toEqual([[0, 2, 3], [1]]);
  });
});

test('transposing twice gives the pattern back', () => {
  const pattern = patternOf(4, [[0, 3], [], [1, 3]]);
  expect(pattern).toEqual({ n: 4, starts: Int32Array.of(0, 1, 2, 2, 4), rows: Int32Array.of(0, 2, 0, 2) });
  expect(transposed(transposed(pattern, 3), 4)).toEqual(pattern);
});
