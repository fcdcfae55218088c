/**
 * Typed values: what an expression of the source becomes. A simple value pairs an `Expr` with its type, its sizes and
 * how often it may change; a record is its fields. An array of records is a record of arrays: every field then has
 * the sizes of the record before its own (Modelica 3.6, chapters 3.8, 6 and 10).
 */

import type { ClassEntity } from '../../model/classes/class.ts';
import type { Enumeration } from '../../model/instance.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { ValueType } from '../../symbolic/function.ts';
import type { Variability } from '../flat.ts';

/**
 * `Clock` values are the symbols of clocks (`flat/expressions/clocks.ts`). `unknown` is the type of what was already reported as wrong;
 * nothing more is said about it.
 */
export type Type = ValueType | Enumeration | 'Clock' | 'unknown';

export interface Simple {
  readonly kind: 'simple';
  readonly expr: Expr;
  readonly type: Type;
  readonly dims: readonly number[];
  readonly variability: Variability;
}

export interface RecordValue {
  readonly kind: 'record';
  /** Qualified name of the record class. */
  readonly path: string;
  /** The operator record whose operators it has. */
  readonly operators?: ClassEntity | undefined;
  /** The function that it is, with inputs bound to its fields (`flat/expressions/closures.ts`). */
  readonly closure?: ClassEntity | undefined;
  readonly dims: readonly number[];
  readonly fields: ReadonlyMap<string, Value>;
}

export type Value = Simple | RecordValue;

export function simple(
  expr: Expr,
  type: Type,
  variability: Variability,
  dims: readonly number[] = [],
): Simple {
  return { kind: 'simple', expr, type, dims, variability };
}

const order: Record<Variability, number> = { constant: 0, parameter: 1, discrete: 2, continuous: 3 };

/** The more variable of two. */
export function join(a: Variability, b: Variability): Variability {
  return order[a] >= order[b] ? a : b;
}

/** True where `a` changes at most as often as `b`. */
export function atMost(a: Variability, b: Variability): boolean {
  return order[a] <= order[b];
}

export function variabilityOf(value: Value): Variability {
  if (value.kind === 'simple') return value.variability;
  let result: Variability = 'constant';
  for (const field of value.fields.values()) result = join(result, variabilityOf(field));
  return result;
}

export function isUnknown(value: Value): boolean {
  return value.kind === 'simple' && value.type === 'unknown';
}

export function isNumeric(type: Type): boolean {
  return type === 'Real' || type === 'Integer';
}

/** The type that holds values of both, where there is one: Integer widens to Real. */
export function commonType(a: Type, b: Type): Type | undefined {
  if (a === 'unknown' || b === 'unknown') return 'unknown';
  if (typeof a === 'object' || typeof b === 'object') {
    return typeof a === 'object' && typeof b === 'object' && a.path === b.path ? a : undefined;
  }
  if (a === b) return a;
  return isNumeric(a) && isNumeric(b) ? 'Real' : undefined;
}

/** How values of a type are stored: enumerations are Integers from 1; a clock has no value that could be looked at. */
export function storage(type: Type): ValueType {
  if (typeof type === 'object') return 'Integer';
  if (type === 'Clock') return 'Boolean';
  return type === 'unknown' ? 'Real' : type;
}

export function count(dims: readonly number[]): number {
  let product = 1;
  for (const n of dims) product *= n;
  return product;
}

/** `Real[3, 2]`, as messages write a type. */
export function typeName(value: Value): string {
  const name = value.kind === 'record' ? value.path : nameOf(value.type);
  return value.dims.length ? `${name}[${value.dims.join(', ')}]` : name;
}

export function nameOf(type: Type): string {
  return typeof type === 'object' ? type.path : type;
}

/** The leaves of a value, in order of declaration, each with its dotted name below the value. */
export function leaves(value: Value, prefix = ''): { name: string; value: Simple }[] {
  if (value.kind === 'simple') return [{ name: prefix, value }];
  const result: { name: string; value: Simple }[] = [];
  for (const [name, field] of value.fields) {
    result.push(...leaves(field, prefix ? `${prefix}.${name}` : name));
  }
  return result;
}

/** The same structure with every leaf replaced, and with other sizes of its records. */
export function mapLeaves(
  value: Value,
  change: (leaf: Simple) => Simple,
  sizes: (own: readonly number[]) => readonly number[] = (own) => own,
): Value {
  if (value.kind === 'simple') return change(value);
  const fields = new Map<string, Value>();
  for (const [name, field] of value.fields) fields.set(name, mapLeaves(field, change, sizes));
  return { ...value, dims: sizes(value.dims), fields };
}

/** An array of sizes `dims` whose elements are like a value: `expr` makes the leaves of it. */
export function arrayLike(value: Value, dims: readonly number[], expr: (leaf: Expr) => Expr): Value {
  const sizes = (own: readonly number[]): number[] => [...dims, ...own];
  const over = (leaf: Simple): Simple => ({ ...leaf, expr: expr(leaf.expr), dims: sizes(leaf.dims) });
  return mapLeaves(value, over, sizes);
}
