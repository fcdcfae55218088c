import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { colour, compressColumns, type Pattern, tangentCode } from '../../src/code/tangent.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import type { Expr } from '../../src/symbolic/expr.ts';
import { Pool } from '../../src/symbolic/pool.ts';

const pool = new Pool();
const [x, y, w, z] = [0, 1, 2, 3].map((symbol) => pool.ref(symbol)) as [Expr, Expr, Expr, Expr];
const [dx, dy] = [pool.ref(10), pool.ref(11)];

describe('tangents', () => {
  test('of w := x*y, z := sin(w) + y in direction (dx, dy)', () => {
    const definitions = [
      { leaf: w, value: pool.mul(x, y) },
      { leaf: z, value: pool.add(pool.apply('sin', w), y) },
    ];
    const tangents = new Map<Expr, Expr>([
      [x, dx],
      [y, dy],
    ]);
    let next = 20;
    const code = tangentCode(pool, undefined, definitions, tangents, () => pool.ref(next++));
    const values = new Map<Expr, number>([
      [x, 0.7],
      [y, -1.3],
      [dx, 0.25],
      [dy, 2],
    ]);
    values.set(w, 0.7 * -1.3);
    for (const { leaf, value } of code)
      values.set(
        leaf,
        evaluate(value, (l) => values.get(l)!),
      );
    const dw = 0.25 * -1.3 + 0.7 * 2;
    expect(values.get(tangents.get(w)!)).toBeCloseTo(dw, 14);
    expect(values.get(tangents.get(z)!)).toBeCloseTo(Math.cos(0.7 * -1.3) * dw + 2, 14);
  });

  test('what does not depend on a seed has no tangent, and a copy needs no code', () => {
    const definitions = [
      { leaf: w, value: pool.apply('sin', y) },
      { leaf: z, value: x },
    ];
    const tangents = new Map<Expr, Expr>([[x, dx]]);
    const code = tangentCode(pool, undefined, definitions, tangents, () => pool.ref(30));
    expect(code).toEqual([]);
    expect(tangents.has(w)).toBe(false);
    expect(tangents.get(z)).toBe(dx);
  });

  test('a leaf that is assigned anew loses its tangent', () => {
    const tangents = new Map<Expr, Expr>([[x, dx]]);
    tangentCode(pool, undefined, [{ leaf: x, value: pool.const(3) }], tangents, () => pool.ref(30));
    expect(tangents.has(x)).toBe(false);
  });
});

function patternOf(n: number, entries: readonly (readonly number[])[]): Pattern {
  return compressColumns(
    entries.map((columns) => Int32Array.from(new Set(columns)).sort()),
    n,
  );
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
});
