/** Products with parameters that are zero do not count in the structure. */
import { expect, test } from 'vitest';
import { withoutZeros } from '../../src/structure/zeros.ts';
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
