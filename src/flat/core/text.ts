/** Expressions as text, with the names that a flat model gives to the numbers in them. */
import { partsOf } from '../../names/names.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ValueType } from '../../symbolic/function.ts';
import { printExpr } from '../../symbolic/print.ts';
import type { Typing } from '../../symbolic/typing.ts';
import type { FlatEquation } from '../flat.ts';

export interface NameTable {
  readonly variable: (symbol: number) => string;
  /** A variable with subscripts; where it is not given they stand after the name. */
  readonly element?: (symbol: number, subscripts: readonly string[]) => string;
  readonly iterator: (iterator: number) => string;
  /** A function, by the output that is asked for. */
  readonly fn: (fn: number, output: number) => string;
  /** Whether calls of a function stand where only `pure(…)` lets them. */
  readonly purified?: (fn: number) => boolean;
  /** The class of external objects of a path. */
  readonly object?: (path: string) => string | undefined;
  readonly local?: (index: number) => string;
  /** How a name is written as an identifier; by default without quotes where it needs none. */
  readonly spelled?: (name: string) => string;
  /** The name of a value of a symbol whose values have names. */
  readonly value?: (symbol: number, value: number) => string | undefined;
  /** Words for what has some of its own. */
  readonly phrase?: (expr: Expr) => string | undefined;
  /** An equation that has words of its own. */
  readonly sentence?: (equation: FlatEquation) => string | undefined;
  /** The clock that an equation stands under, as it is written. */
  readonly clockOf?: (equation: FlatEquation) => string | undefined;
  /** What is nested deeper prints as `…`; default 200. */
  readonly deepest?: number;
  /** Where types are known the text means the same when it is read again. */
  readonly typing?: Typing;
}

/** The text of an expression, which stands where a value of the type `wanted` does. */
export function exprText(expr: Expr, names: NameTable, wanted?: ValueType): string {
  return printExpr(
    expr,
    {
      nameOfSymbol: names.variable,
      ...(names.element && { nameOfElement: names.element }),
      nameOfIterator: names.iterator,
      nameOfFunction: names.fn,
      ...(names.purified && { isPurified: names.purified }),
      ...(names.value && { nameOfValue: names.value }),
      ...(names.phrase && { phrase: names.phrase }),
      ...(names.deepest && { deepest: names.deepest }),
      ...(names.local && { nameOfLocal: names.local }),
      ...(names.typing && { typing: names.typing }),
    },
    wanted,
  );
}

/** What a value of a variable is called that is no number: `Phase.solid`, `true`; undefined for numbers. */
export function literalOf({ type, literals, enumeration }: ValueNames, value: number): string | undefined {
  if (type === 'Boolean') return value === 0 ? 'false' : 'true';
  const literal = literals?.[value - 1];
  return literal && [...partsOf(enumeration ?? '').slice(-1), literal].join('.');
}

export interface ValueNames {
  readonly type: string;
  /** Of an enumeration: the names of the values from 1 on, and the path of the type. */
  readonly literals?: readonly string[] | undefined;
  readonly enumeration?: string | undefined;
}
