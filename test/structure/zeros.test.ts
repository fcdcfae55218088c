/** Products with parameters that are zero do not count in the structure. */
import { expect, test } from 'vitest';
import { withoutZeroFactors, withoutZeros } from '../../src/structure/zeros.ts';
import type { Expr, Ref } from '../../src/symbolic/expr.ts';
import { printExpr } from '../../src/symbolic/print.ts';
import { Notation } from './notation.ts';

/** What is left of an equation where g and h are zero. */
function left(text: string): string {
  const notation = new Notation();
  const zeros = new Set([notation.symbol('g'), notation.symbol('h')]);
  const equation = notation.equation(text);
  const [result] = withoutZeros(notation.pool, [equation], zeros);
  if (result === equation) return 'the same';
  const names = { nameOfSymbol: (symbol: number) => notation.name(symbol) };
  return `${printExpr(result!.left, names)} = ${printExpr(result!.right, names)}`;
}

test.each([
  ['i = g*v', 'i = 0'],
  ["t = c*x + g*x'", 't = c*x'],
  ['y = sin(a + g*b)*(1 + h*b)', 'y = sin(a)'],
  ['y = x*(g*h)', 'y = 0'],
  ["g*v' = i", '0 = i'],
])('%s', (text, expected) => {
  expect(left(text)).toBe(expected);
});

test.each(['i = c*v', 'y = x + g', 'y = x/g', 'y = x^g', 'y = exp(g)'])('%s stays as it is', (text) => {
  expect(left(text)).toBe('the same');
});

test('a condition that makes a factor zero chooses between terms', () => {
  const notation = new Notation();
  const { pool } = notation;
  const [g, s, u, v] = ['g', 's', 'u', 'v'].map((name) => pool.ref(notation.symbol(name))) as [
    Ref,
    Ref,
    Ref,
    Ref,
  ];
  const factor = (then: Expr, otherwise: Expr) => pool.if(pool.held(0), then, otherwise);
  const rest = (right: Expr) =>
    withoutZeros(pool, [{ left: v, right, assigns: undefined, index: 0 }], new Set([g.symbol]))[0]!.right;
  const product = (then: Expr, otherwise: Expr) => pool.mul(pool.mul(s, u), factor(then, otherwise));
  expect(withoutZeroFactors(pool, product(pool.one, pool.zero))).toBe(factor(pool.mul(s, u), pool.zero));
  expect(withoutZeroFactors(pool, product(pool.one, g))).toBe(product(pool.one, g));
  expect(rest(product(pool.one, g))).toBe(factor(pool.mul(s, u), pool.zero));
  expect(rest(product(pool.zero, pool.one))).toBe(factor(pool.zero, pool.mul(s, u)));
  expect(rest(pool.add(u, pool.mul(factor(g, s), s)))).toBe(pool.add(u, factor(pool.zero, pool.mul(s, s))));
  // Neither is zero; both are; a term is no factor.
  expect(rest(product(pool.one, u))).toBe(product(pool.one, u));
  expect(rest(product(pool.zero, g))).toBe(pool.zero);
  expect(rest(pool.add(s, factor(g, pool.one)))).toBe(pool.add(s, factor(g, pool.one)));
});
