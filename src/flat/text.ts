/** Expressions as text, with the names that a flat model gives to the numbers in them. */
import type { Expr } from '../symbolic/expr.ts';
import { printExpr } from '../symbolic/print.ts';

export interface NameTable {
  readonly variable: (symbol: number) => string;
  readonly iterator: (iterator: number) => string;
  readonly fn: (fn: number) => string;
  readonly local?: (index: number) => string;
}

export function exprText(expr: Expr, names: NameTable): string {
  return printExpr(expr, {
    nameOfSymbol: names.variable,
    nameOfIterator: names.iterator,
    nameOfFunction: names.fn,
    ...(names.local && { nameOfLocal: names.local }),
  });
}
