/** Expressions as text, with the names that a flat model gives to the numbers in them. */
import type { Expr, Op } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { printExpr } from '../symbolic/print.ts';
import { booleanWord, type IsBoolean, spelled } from './booleans.ts';

export interface NameTable {
  readonly variable: (symbol: number) => string;
  /** A variable with subscripts; where it is not given they stand after the name. */
  readonly element?: (symbol: number, subscripts: readonly string[]) => string;
  readonly iterator: (iterator: number) => string;
  readonly fn: (fn: number) => string;
  readonly local?: (index: number) => string;
  /** Writes `der(der(x))` for `der(x, 2)`. */
  readonly nestedDerivatives?: boolean;
  /** Other names for functions. */
  readonly operator?: (op: Op) => string | undefined;
  /** What is nested deeper prints as `…`; default 200. */
  readonly deepest?: number;
  /** Where types are known: which leaves are Boolean. Then Boolean constants are `false` and `true`. */
  readonly types?: { readonly pool: Pool; readonly isBoolean: IsBoolean };
}

/** The text of an expression; `boolean` where it stands for a Boolean. */
export function exprText(expr: Expr, names: NameTable, boolean = false): string {
  const { types } = names;
  return printExpr(types ? spelled(types.pool, expr, boolean, types.isBoolean) : expr, {
    nameOfSymbol: (symbol) => booleanWord(symbol) ?? names.variable(symbol),
    ...(names.element && { nameOfElement: names.element }),
    nameOfIterator: names.iterator,
    nameOfFunction: names.fn,
    ...(names.nestedDerivatives && { nestedDerivatives: true }),
    ...(names.operator && { nameOfOperator: names.operator }),
    ...(names.deepest && { deepest: names.deepest }),
    ...(names.local && { nameOfLocal: names.local }),
  });
}

/** True where an expression is known to be Boolean because it is a Boolean variable. */
export const isBooleanLeaf = (expr: Expr, names: NameTable): boolean => names.types?.isBoolean(expr) ?? false;
