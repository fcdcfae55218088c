import { describe, expect, test } from 'vitest';
import { tangentCode } from '../../src/code/tangent.ts';
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
