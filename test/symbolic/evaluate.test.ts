import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluate, evaluateText } from '../../src/symbolic/evaluate.ts';
import type { Expr, Op } from '../../src/symbolic/expr.ts';
import { numberText } from '../../src/symbolic/text.ts';
import { built, dual, fresh, names, type Tree, trees, values } from './notation.ts';

const value = (tree: Tree, x = 0, y = 0): number => {
  const { pool, x: first } = fresh();
  return evaluate(built(pool, tree, false), (leaf) => (leaf === first ? x : y));
};

describe('numbers', () => {
  it('follow the definitions of Modelica', () => {
    const table: [Op, number, number, number][] = [
      ['mod', 3, 1.4, 3 - 2 * 1.4],
      ['mod', -3, 1.4, -3 + 3 * 1.4],
      ['mod', 3, -1.4, 3 - 3 * 1.4],
      ['rem', 3, -1.4, 3 - 2 * 1.4],
      ['rem', -3, 1.4, -3 + 2 * 1.4],
      ['idiv', 7, -2, -3],
      ['idiv', -7, -2, 3],
      ['pow', 2, -2, 0.25],
      ['pow', -2, 3, -8],
      ['atan2', -1, 0, -Math.PI / 2],
      ['min', 2, 3, 2],
      ['max', 2, 3, 3],
    ];
    for (const [op, x, y, expected] of table)
      expect(value([op, 'x', 'y'], x, y), `${op}(${x}, ${y})`).toBe(expected);
    expect(value(['floor', 'x'], -0.5)).toBe(-1);
    expect(value(['ceil', 'x'], 0.5)).toBe(1);
    expect(value(['sign', 'x'], -0.5)).toBe(-1);
    expect(value(['sign', 'x'], 0)).toBe(0);
    expect(value(['smooth', 1, 'x'], 4)).toBe(4);
    expect(value(['homotopy', 'x', 'y'], 4, 5)).toBe(4);
    expect(value(['div', 'x', 'y'], 1, 0)).toBe(Number.POSITIVE_INFINITY);
    expect(value(['log', 'x'], -1)).toBeNaN();
  });
  it('evaluate only what is needed', () => {
    const { pool, x, y } = fresh();
    const only = (leaf: unknown): number => {
      if (leaf === y) throw new Error('y was asked for');
      return 1;
    };
    expect(evaluate(pool.raw('if', [x, x, y]), only)).toBe(1);
    expect(evaluate(pool.raw('or', [x, y]), only)).toBe(1);
    expect(evaluate(pool.raw('and', [pool.not(x), y]), only)).toBe(0);
    expect(() => evaluate(pool.raw('and', [x, y]), only)).toThrow('y was asked for');
  });
  it('ask for event operators like leaves', () => {
    const { pool, x } = fresh();
    const sample = pool.apply('sample', x, pool.one);
    expect(evaluate(pool.if(sample, pool.const(5), x), (leaf) => (leaf === sample ? 1 : 0))).toBe(5);
    expect(evaluate(pool.apply('edge', x), () => 1)).toBe(1);
  });
  it('agree with an independent evaluator', () => {
    fc.assert(
      fc.property(trees(false), values, (tree, point) => {
        const { pool } = fresh();
        const expected = dual(tree, (name) => ({ v: point[names.indexOf(name)]!, d: 0 })).v;
        const actual = evaluate(
          built(pool, tree, false),
          (leaf) => point[(leaf as { symbol: number }).symbol]!,
        );
        expect(actual === expected || (Number.isNaN(actual) && Number.isNaN(expected))).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
  it('can be deep and can share', () => {
    const { pool, x } = fresh();
    let sum: Expr = x;
    for (let i = 1; i <= 100_000; i++) sum = pool.raw('add', [sum, pool.const(i)]);
    expect(evaluate(sum, () => 0)).toBe(5_000_050_000);
    let doubled: Expr = x;
    for (let i = 0; i < 60; i++) doubled = pool.raw('add', [doubled, doubled]);
    expect(evaluate(doubled, () => 1)).toBe(2 ** 60);
  });
});

describe('texts', () => {
  it('write numbers as String() does', () => {
    const table: [number, string][] = [
      [0, '0'],
      [-0, '0'],
      [12, '12'],
      [1234567, '1234567'],
      [0.5, '0.5'],
      [Math.PI, '3.14159'],
      [-2.5e-7, '-2.5e-07'],
      [1e-5, '1e-05'],
      [0.0001, '0.0001'],
      [123456.7, '123457'],
      [1234567.8, '1.23457e+06'],
      [1.5e300, '1.5e+300'],
      [Number.NaN, 'NaN'],
      [Number.NEGATIVE_INFINITY, '-Inf'],
    ];
    for (const [number, text] of table) expect(numberText(number)).toBe(text);
    expect(numberText(Math.PI, 3)).toBe('3.14');
  });
  it('join messages', () => {
    const { pool, x, y } = fresh();
    const environment = {
      leaf: (leaf: unknown) => (leaf === x ? 2.25 : 1),
      isBoolean: (leaf: Expr) => leaf === y,
    };
    const text = (...args: Expr[]): string => evaluateText(pool.apply('concat', ...args), environment);
    expect(text(pool.text('x = '), pool.apply('string', x), pool.text('!'))).toBe('x = 2.25!');
    expect(text(pool.apply('string', pool.apply('gt', x, y)))).toBe('true');
    expect(text(pool.apply('string', y))).toBe('true');
    expect(text(pool.apply('string', x, pool.const(6), pool.zero))).toBe('  2.25');
    expect(text(pool.apply('string', x, pool.const(6)), pool.text('|'))).toBe('2.25  |');
    expect(text(pool.apply('string', x, pool.zero, pool.one, pool.const(2)))).toBe('2.2');
    expect(text(pool.apply('if', pool.apply('gt', x, y), pool.text('a'), pool.text('b')))).toBe('a');
    expect(evaluateText(pool.text('plain'), environment)).toBe('plain');
    const equal = pool.raw('eq', [pool.text('a'), pool.if(y, pool.text('a'), pool.text('b'))]);
    expect(evaluate(equal, () => 1)).toBe(1);
    expect(evaluate(equal, () => 0)).toBe(0);
  });
});
