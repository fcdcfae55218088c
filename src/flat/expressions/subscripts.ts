/**
 * Subscripts (Modelica 3.6, section 10.5): translated, checked against the sizes of what they subscript, and applied to
 * values. Also the numbers that must be known while flattening, such as sizes.
 */

import { type CountedType, indexName } from '../../model/classes/counted.ts';
import type { IndexType } from '../../model/instance.ts';
import { subscriptsOf } from '../../names/names.ts';
import { substitute } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { rangeCount } from '../../symbolic/ranges.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, refuse, report, reportSize } from '../core/context.ts';
import {
  atMost,
  count,
  isUnknown,
  join,
  mapLeaves,
  nameOf,
  type Simple,
  type Value,
} from '../core/values.ts';
import type { Variability } from '../flat.ts';
import { fixedNumber, literalValue } from './constants.ts';
import { expression } from './expressions.ts';
import { needsValue } from './iteration.ts';

/** One subscript: an element, several of them, or the whole dimension. */
export type Index =
  | { readonly kind: 'element'; readonly expr: Expr; readonly variability: Variability }
  | { readonly kind: 'slice'; readonly expr: Expr; readonly size: number; readonly variability: Variability }
  | { readonly kind: 'all' };

/** The subscript of one element, which does not change during a run. */
export const elementIndex = (expr: Expr): Index => ({ kind: 'element', expr, variability: 'constant' });

/** Translates subscripts and checks them against the sizes of what they subscript, and against what these are counted by, where known. */
export function indicesOf(
  subscripts: readonly ast.Subscript[],
  dims: readonly number[],
  part: ast.RefPart,
  context: Context,
  types: readonly IndexType[] = [],
): Index[] | undefined {
  if (subscripts.length > dims.length) {
    const has =
      dims.length === 0
        ? 'is a scalar'
        : `has ${dims.length} ${dims.length === 1 ? 'dimension' : 'dimensions'}`;
    const message = `\`${part.name}\` ${has} but gets ${subscripts.length} subscripts.`;
    return refuse('bad-subscript', message, part, context);
  }
  const result: Index[] = [];
  for (let d = 0; d < subscripts.length; d++) {
    const index = indexOf(subscripts[d]!, dims[d]!, types[d], part, context);
    if (!index) return undefined;
    result.push(index);
  }
  return result;
}

function indexOf(
  node: ast.Subscript,
  size: number,
  type: IndexType,
  part: ast.RefPart,
  context: Context,
): Index | undefined {
  if (node.kind === 'colon') return { kind: 'all' };
  const value = expression(node, { ...context, end: { count: size, type } });
  if (isUnknown(value) || !isSubscript(value, size, type, node, part, context)) return undefined;
  const given =
    value.type === 'Boolean' ? context.builder.pool.add(value.expr, context.builder.pool.one) : value.expr;
  const expr = withParameterValues(given, context);
  if (!expr || !inBounds(expr, value.dims, size, node, part, context)) return undefined;
  return value.dims.length === 0
    ? { kind: 'element', expr, variability: value.variability }
    : { kind: 'slice', expr, size: value.dims[0]!, variability: value.variability };
}

/** Whether a value can choose among the elements of a dimension: these are counted by its type (section 10.5). */
function isSubscript(
  value: Value,
  size: number,
  type: IndexType,
  node: ast.Node,
  part: ast.RefPart,
  context: Context,
): value is Simple & { readonly type: Exclude<IndexType, undefined> } {
  const own = value.kind === 'simple' && value.dims.length <= 1 ? value.type : undefined;
  const counts = own === 'Integer' || own === 'Boolean' || typeof own === 'object';
  // The size of `x[:]` comes from a value: what counts its elements is not said.
  const fits =
    type === undefined ? own !== 'Boolean' || size === 2 : indexName(type) === nameOf(own ?? 'unknown');
  if (counts && fits) return true;
  const wanted =
    type === undefined || type === 'Integer' ? 'an Integer' : `a value of \`${indexName(type)}\``;
  const found = own === 'Integer' ? 'an Integer' : own === 'Boolean' ? 'a Boolean' : undefined;
  const message = `A subscript of \`${part.name}\` must be ${wanted}${found && found !== wanted ? `, not ${found}` : ''}.`;
  report('type-mismatch', message, node, context, { hint: counts ? conversion(own, type) : undefined });
  return false;
}

/** How to come from the type of a subscript to the one by which elements are counted. */
function conversion(own: CountedType | 'Integer', type: IndexType): string | undefined {
  if (own === 'Boolean')
    return 'A Boolean chooses one of two elements, of an array that is declared with `[Boolean]`.';
  if (typeof type === 'object' && own === 'Integer')
    return `Write one of its literals, such as \`${type.path}.${type.literals[0]}\`, or \`${type.path}(i)\` for number i.`;
  return typeof own === 'object' && type === 'Integer' ? 'Write `Integer(…)`.' : undefined;
}

/**
 * Parameters in subscripts decide which variables an equation contains, so their values are put in. Undefined where loops have to be
 * unrolled for that.
 */
function withParameterValues(expr: Expr, context: Context): Expr | undefined {
  const { builder } = context;
  if (expr.kind === 'const' || expr.kind === 'iter') return expr;
  let waits = false;
  const result = substitute(builder.pool, expr, (leaf) => {
    if (leaf.kind !== 'ref') return undefined;
    const value = fixedNumber(builder, leaf);
    if (value !== undefined) return builder.pool.const(value);
    // Parameters of the elements of an array of components may differ.
    if (isOfElement(builder, leaf.symbol)) waits = needsValue(leaf, context) || waits;
    return undefined;
  });
  return waits ? undefined : result;
}

const isOfElement = (builder: FlatBuilder, symbol: number): boolean =>
  builder.isFixed(symbol) && builder.families.around(builder.instances[symbol]).length > 0;

/** False, with a message, where a constant subscript lies outside its dimension. */
function inBounds(
  expr: Expr,
  dims: readonly number[],
  size: number,
  node: ast.Expression,
  part: ast.RefPart,
  context: Context,
): boolean {
  const { builder } = context;
  if (!isSurelyWithin(expr, dims, size, context)) builder.unsure++;
  const bounds = dims.length === 0 ? [literalValue(builder, expr)] : rangeBounds(builder, expr);
  for (const at of bounds) {
    if (at === undefined || (at >= 1 && at <= size)) continue;
    const range = size === 0 ? 'the dimension is empty' : `the dimension goes from 1 to ${size}`;
    const message = `Subscript ${at} of \`${part.name}\` is outside: ${range}.`;
    report('bad-subscript', message, node, context);
    return false;
  }
  return true;
}

/** Whether a single subscript lies in its dimension for all values of the iterators; sizes of slices do not depend on them. */
function isSurelyWithin(expr: Expr, dims: readonly number[], size: number, context: Context): boolean {
  if (dims.length > 0 || expr.kind === 'const') return true;
  const [low, high] = extent(expr, context);
  return low >= 1 && high <= size;
}

/** Least and greatest value of a sum of iterators and numbers; without bounds where it is something else. */
function extent(expr: Expr, context: Context): readonly [number, number] {
  if (expr.kind === 'const') return [expr.value, expr.value];
  if (expr.kind === 'iter') {
    let loop = context.loop;
    while (loop && loop.iterator !== expr.iterator) loop = loop.outer;
    if (loop) return [least(loop.values, Math.min), least(loop.values, Math.max)];
  }
  if (expr.kind === 'apply' && (expr.op === 'add' || expr.op === 'sub')) {
    const [[a, b], [c, d]] = expr.args.map((arg) => extent(arg, context)) as [
      [number, number],
      [number, number],
    ];
    return expr.op === 'add' ? [a + c, b + d] : [a - d, b - c];
  }
  return [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
}

/** The first value in an order; of nothing no number, which lies in no bounds. */
function least(values: readonly number[], order: (a: number, b: number) => number): number {
  let result = values[0] ?? Number.NaN;
  for (const value of values) result = order(result, value);
  return result;
}

function rangeBounds(builder: FlatBuilder, expr: Expr): (number | undefined)[] {
  if (expr.kind !== 'apply' || expr.op !== 'range') return [];
  const [first, step, last] = expr.args.map((arg) => literalValue(builder, arg));
  if (first === undefined || step === undefined || last === undefined) return [];
  const count = rangeCount(first, step, last);
  return count === 0 ? [] : [first, first + (count - 1) * step];
}

/** Applies translated subscripts to a value; missing ones stand for whole dimensions. */
export function indexed(builder: FlatBuilder, value: Value, indices: readonly Index[]): Value {
  if (indices.every((index) => index.kind === 'all')) return value;
  const dims = (of: readonly number[]): number[] => keptSizes(indices, of);
  let variability: Variability = 'constant';
  for (const index of indices) if (index.kind !== 'all') variability = join(variability, index.variability);
  const leafAt = (leaf: Simple): Simple => ({
    ...leaf,
    expr: indexExpr(builder, leaf.expr, indices, leaf.dims.length),
    dims: dims(leaf.dims),
    variability: join(leaf.variability, variability),
  });
  return mapLeaves(value, leafAt, dims);
}

/** The sizes that subscripts leave; missing ones stand for whole dimensions. */
export function keptSizes(indices: readonly Index[], dims: readonly number[]): number[] {
  return dims.flatMap((n, d) => {
    const index = indices[d];
    if (!index || index.kind === 'all') return [n];
    return index.kind === 'slice' ? [index.size] : [];
  });
}

function indexExpr(builder: FlatBuilder, expr: Expr, indices: readonly Index[], rank: number): Expr {
  const { pool } = builder;
  const [first, ...rest] = indices;
  if (first?.kind === 'element') {
    const element = elementOf(pool, expr, first.expr);
    if (element) return rest.length === 0 ? element : indexExpr(builder, element, rest, rank - 1);
  }
  const subscripts: Expr[] = [];
  for (let d = 0; d < rank; d++) {
    const index = indices[d];
    subscripts.push(!index || index.kind === 'all' ? pool.apply('colon') : index.expr);
  }
  if (subscripts.every((s) => s.kind === 'apply' && s.op === 'colon')) return expr;
  if (expr.kind === 'ref' || expr.kind === 'pre' || expr.kind === 'local') {
    const all = atColons(expr.subscripts, subscripts);
    if (all)
      switch (expr.kind) {
        case 'ref':
          return pool.ref(expr.symbol, expr.order, all);
        case 'pre':
          return pool.pre(expr.symbol, all);
        case 'local':
          return pool.local(expr.index, all);
      }
  }
  return pool.apply('subscript', expr, ...subscripts);
}

/** Subscripts of what others have selected: they take the places of the colons. Undefined after slices of another kind. */
function atColons(present: readonly Expr[], added: readonly Expr[]): readonly Expr[] | undefined {
  if (present.length === 0) return added;
  let next = 0;
  const result = present.map((own) => (own.kind === 'apply' && own.op === 'colon' ? added[next++] : own));
  return next === added.length ? (result as Expr[]) : undefined;
}

/** One element of an array whose construction is known, at a constant subscript. */
function elementOf(pool: Pool, array: Expr, subscript: Expr): Expr | undefined {
  if (array.kind !== 'apply' || subscript.kind !== 'const') return undefined;
  const at = subscript.value;
  const [body, ...rest] = array.args;
  switch (array.op) {
    case 'array':
      return array.args[at - 1];
    case 'fill':
      return rest.length === 1 ? body : pool.apply('fill', body!, ...rest.slice(1));
    case 'range':
      return pool.add(body!, pool.mul(pool.const(at - 1), rest[0]!));
    case 'comprehension': {
      const [iterator, range] = rest;
      const value =
        rest.length === 2 && range?.kind === 'apply' ? elementOf(pool, range, subscript) : undefined;
      return value && substitute(pool, body!, (node) => (node === iterator ? value : undefined));
    }
    default:
      return undefined;
  }
}

/** The elements of an array value, row-major. */
export function elementsOf(builder: FlatBuilder, value: Value): Value[] {
  return Array.from({ length: count(value.dims) }, (_, k) => {
    const at = subscriptsOf(value.dims, k).map((n) => elementIndex(builder.pool.const(n)));
    return indexed(builder, value, at);
  });
}

/** A size or count that must be known now, or undefined with a message (or unrolling asked for). */
export function requiredInteger(
  value: Value,
  what: string,
  node: ast.Node,
  context: Context,
): number | undefined {
  if (isUnknown(value)) return undefined;
  const ok = value.kind === 'simple' && value.dims.length === 0;
  if (!ok || (value.type !== 'Integer' && typeof value.type !== 'object' && value.type !== 'Boolean'))
    return refuse('type-mismatch', `${what} must be an Integer.`, node, context);
  if (needsValue(value.expr, context)) return undefined;
  const n = fixedNumber(context.builder, value.expr);
  if (n === undefined) notFixed(value, what, node, context);
  return n;
}

export function notFixed(value: Simple, what: string, node: ast.Node, context: Context): void {
  if (!atMost(value.variability, 'parameter')) {
    const tell = context.place === 'function' ? reportSize : report;
    tell('variability', `${what} must be known before the simulation starts.`, node, context, {
      hint: 'Use constants and parameters only.',
    });
  } else {
    report('no-value', `${what} has no value that can be computed here.`, node, context, {
      hint: 'Give the parameters that it depends on a value.',
    });
  }
}
