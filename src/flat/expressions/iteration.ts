/**
 * Iterators of for-equations, comprehensions and reductions. The body is translated once, with the iterator as a symbol;
 * only where it needs the value of the iterator (it selects among components, or sizes depend on it) it is
 * translated once for every value.
 */
import {
  countedType,
  countOf,
  type Dimension,
  declaredIndexType,
  dimensionAt,
  impliedDimension,
} from '../../model/classes/counted.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { rangeCount } from '../../symbolic/ranges.ts';
import type * as ast from '../../syntax/ast.ts';
import { type SubscriptUse, subscriptUses } from '../../syntax/subscripts.ts';
import { type Context, type FlatBuilder, type Loop, refuse, report, withLocal } from '../core/context.ts';
import { upTo } from '../core/families.ts';
import { isUnknown, simple, type Type, typeName, type Value } from '../core/values.ts';
import { fixedValue, numbers } from './constants.ts';
import { expression } from './expressions.ts';
import { localValue } from './references.ts';
import { elementIndex, indexed, notFixed } from './subscripts.ts';

/** Bodies written out one by one are limited, so that a wrong bound does not exhaust memory. */
const maximalUnrolling = 200_000;

export interface IteratedRange {
  readonly values: readonly number[];
  /** The values, where they are Strings. */
  readonly texts?: readonly string[];
  readonly expr: Expr;
  readonly type: Type;
  /** Of arrays of more dimensions, and of records: what the iterator stands for, by the number of the row or record. */
  readonly row?: (number: Expr) => Value;
}

/** What an iterator stands for whose range has a value, or a number, at hand. */
const atHand = ({ row, type }: IteratedRange, value: Expr): Value =>
  row ? row(value) : simple(value, type, 'constant');

/** The rows of an array, or the records of one: loops over them count them (section 11.2.2). */
export function rowsOf(
  builder: FlatBuilder,
  value: Value,
): Required<Pick<IteratedRange, 'expr' | 'type' | 'row'>> {
  return {
    expr: upTo(builder.pool, value.dims[0]!),
    type: 'Integer',
    row: (number) => indexed(builder, value, [elementIndex(number)]),
  };
}

/** Whether a loop over a value has something else than numbers, Booleans or texts in its turns. */
export const isOfRows = (value: Value): boolean =>
  value.dims.length > 0 && (value.kind === 'record' || value.dims.length > 1);

/**
 * Loops of equations and of algorithm sections run over vectors alone, as the compliance suite of the Modelica Association has it (`For.ArrayRange`);
 * those of functions and expressions over the rows of other arrays, too (section 8.3.2.1). Says so and gives false where an array is none of them.
 */
export function mayRunOver(value: Value, range: ast.Node, context: Context): boolean {
  if (value.dims.length < 2) return true;
  report('dimension-mismatch', `A loop cannot run over ${typeName(value)} here.`, range, context, {
    hint: 'Run over the numbers of its rows, `for i in 1:size(m, 1)`; loops of functions and of expressions run over rows.',
  });
  return false;
}

/** A body for all values of a range. */
export interface IteratedPart<T> {
  readonly iterator: number;
  readonly range: IteratedRange;
  readonly body: T;
}

export type Iteration<T> =
  | { readonly kind: 'family'; readonly parts: readonly IteratedPart<T>[] }
  | { readonly kind: 'unrolled'; readonly bodies: readonly T[] };

/**
 * Translates a body over the values of an iterator; undefined after an error or when an outer loop must be unrolled. An attempt that did not
 * succeed is taken back: `attempt` tells how, besides what the builder has noted. `within` is the text that the iterator can be used in.
 */
export function iterate<T>(
  node: ast.Iterator,
  within: unknown,
  context: Context,
  body: (inner: Context) => T,
  mustUnroll = false,
  attempt: () => () => void = () => () => {},
): Iteration<T> | undefined {
  const range = rangeOfIterator(node, within, context);
  if (!range) return undefined;
  if (range.texts) {
    const { pool } = context.builder;
    const bodies = range.texts.map((text) =>
      body(withLocal(context, node.name.text, simple(pool.text(text), 'String', 'constant'))),
    );
    return { kind: 'unrolled', bodies };
  }
  if (!mustUnroll) {
    const takeBack = marked(context.builder, attempt);
    const parts = partsOf(node, range, context, body, attempt);
    if (parts) return { kind: 'family', parts };
    takeBack();
    if (anyMarked(context.loop)) return undefined;
  }
  if (range.values.length > maximalUnrolling) {
    const message = `A loop over ${range.values.length} components is too long.`;
    return refuse('limit-exceeded', message, node, context, {
      hint: `At most ${maximalUnrolling} are written out one by one; use arrays of variables instead.`,
    });
  }
  const bodies: T[] = [];
  for (const at of range.values) {
    const value = atHand(range, context.builder.pool.const(at));
    bodies.push(body(withLocal(context, node.name.text, value)));
  }
  return { kind: 'unrolled', bodies };
}

/** The body with the iterator as a symbol, in as many parts of the range as it asks for; undefined where it needs the values. */
function partsOf<T>(
  node: ast.Iterator,
  range: IteratedRange,
  context: Context,
  body: (inner: Context) => T,
  attempt: () => () => void,
): IteratedPart<T>[] | undefined {
  const { builder } = context;
  const parts: IteratedPart<T>[] = [];
  const open: IteratedRange[] = [range];
  while (open.length > 0) {
    const part = open.pop()!;
    const takeBack = marked(builder, attempt);
    const iterator = builder.iterator(node.name.text);
    const loop: Loop = { iterator, values: part.values, unroll: false, outer: context.loop };
    const value = atHand(part, builder.pool.iter(iterator));
    const result = body({ ...withLocal(context, node.name.text, value), loop });
    if (loop.unroll) return undefined;
    if (!loop.parts) {
      parts.push({ iterator, range: part, body: result });
      continue;
    }
    takeBack();
    for (const values of loop.parts.toReversed())
      open.push({ ...part, values, expr: rangeExpr(builder, values) });
  }
  return parts;
}

/** How to take back what follows. */
function marked(builder: FlatBuilder, attempt: () => () => void): () => void {
  const mark = builder.mark();
  const takeBack = attempt();
  return () => {
    builder.rewind(mark);
    takeBack();
  };
}

function anyMarked(loop: Loop | undefined): boolean {
  for (let outer = loop; outer; outer = outer.outer) if (outer.unroll) return true;
  return false;
}

function rangeOfIterator(node: ast.Iterator, within: unknown, context: Context): IteratedRange | undefined {
  const counted = countedRange(node, within, context);
  if (counted) return { ...counted, values: rangeNumbers(counted.expr)! };
  if (!node.range) return undefined;
  const value = expression(node.range, context);
  if (isUnknown(value)) return undefined;
  if (isOfRows(value)) {
    if (!context.inExpression && !mayRunOver(value, node.range, context)) return undefined;
    const rows = rowsOf(context.builder, value);
    return { ...rows, values: rangeNumbers(rows.expr)! };
  }
  if (value.kind === 'record' || value.dims.length !== 1) {
    const message = `The range of \`${node.name.text}\` must be a vector.`;
    return refuse('dimension-mismatch', message, node.range, context);
  }
  const numbered = rangeNumbers(value.expr);
  if (numbered) return { values: numbered, expr: value.expr, type: value.type };
  const data = fixedValue(context.builder, value.expr);
  if (data === undefined) {
    if (!needsValue(value.expr, context)) {
      // The values of a vector may change, its size does not.
      if (context.inExpression && value.type !== 'String') {
        const rows = rowsOf(context.builder, value);
        return { ...rows, values: rangeNumbers(rows.expr)! };
      }
      notFixed(value, `The range of \`${node.name.text}\``, node.range, context);
    }
    return undefined;
  }
  if (value.type === 'String')
    return { values: [], texts: data.items as string[], expr: value.expr, type: value.type };
  const values = numbers(data);
  return { values, expr: rangeExpr(context.builder, values), type: value.type };
}

/** The values of a range of Integers whose bounds are numbers. */
function rangeNumbers(expr: Expr): number[] | undefined {
  if (expr.kind !== 'apply' || expr.op !== 'range') return undefined;
  const [first, step, last] = expr.args;
  if (first?.kind !== 'const' || step?.kind !== 'const' || last?.kind !== 'const') return undefined;
  if (![first.value, step.value].every(Number.isInteger)) return undefined;
  const size = rangeCount(first.value, step.value, last.value);
  const values = new Array<number>(size);
  for (let k = 0; k < size; k++) values[k] = first.value + k * step.value;
  return values;
}

/** The range that a type gives, as in `for e in E`, or a dimension that the iterator chooses from, as in `for i loop x[i] = …`. */
export function countedRange(
  node: ast.Iterator,
  within: unknown,
  context: Context,
): Pick<IteratedRange, 'expr' | 'type'> | undefined {
  const { pool } = context.builder;
  const isLocal = node.range?.kind === 'ref' && localValue(node.range.parts[0]!.name, context) !== undefined;
  const type = node.range && !isLocal ? countedType(context.scope, node.range) : undefined;
  const dimension = node.range ? type && { type, count: countOf(type) } : impliedRange(node, within, context);
  if (!dimension) return undefined;
  const { type: own = 'Integer', count } = dimension;
  const [first, last] = own === 'Boolean' ? [0, 1] : [1, count];
  return { expr: pool.apply('range', pool.const(first), pool.one, pool.const(last)), type: own };
}

function impliedRange(node: ast.Iterator, within: unknown, context: Context): Dimension | undefined {
  const { text: name } = node.name;
  const found = impliedDimension(node, subscriptUses(name, within), (use) => usedDimension(use, context));
  if ('dimension' in found) return found.dimension;
  if ('problem' in found) {
    const { code, message, node: place, hint } = found.problem;
    return refuse(code, message, place, context, { hint });
  }
  // What is wrong with the array shows where it is used.
  const before = context.builder.diagnostics.length;
  const number = simple(context.builder.pool.one, 'Integer', 'constant');
  expression(found.unknown.ref, withLocal(context, name, number));
  if (context.builder.diagnostics.length > before) return undefined;
  const message = `The range of \`${name}\` is not known here.`;
  return refuse('unsupported', message, node, context, { hint: `Write \`for ${name} in 1:n\`.` });
}

/** The dimension that a subscript chooses from: of a variable of a function, or of a component. */
function usedDimension(use: SubscriptUse, context: Context): Dimension | undefined {
  const { ref, part, dimension } = use;
  const [first, ...rest] = ref.parts.slice(0, part + 1);
  let value = ref.global ? undefined : localValue(first!.name, context);
  if (!value) return dimensionAt(context.scope, use);
  let outer = 0;
  for (const { name } of rest) {
    outer = value.dims.length;
    const field: Value | undefined = value.kind === 'record' ? value.fields.get(name) : undefined;
    if (!field) return undefined;
    value = field;
  }
  const count = value.dims[outer + dimension];
  if (count === undefined) return undefined;
  return { count, type: part === 0 ? declaredIndexType(context.scope, first!.name, dimension) : 'Integer' };
}

/** A constant range, kept short where the values are equidistant. */
function rangeExpr(builder: FlatBuilder, values: readonly number[]): Expr {
  const { pool } = builder;
  const first = values[0] ?? 1;
  const step = values.length > 1 ? values[1]! - first : 1;
  const last = values.length === 0 ? 0 : values[values.length - 1]!;
  // Equal values, and some that are nearly equal, are no range.
  const isRange = rangeCount(first, step, last) === values.length;
  if (isRange && values.every((v, i) => v === first + i * step)) {
    return pool.apply('range', pool.const(first), pool.const(step), pool.const(last));
  }
  return pool.apply('array', ...values.map((v) => pool.const(v)));
}

/**
 * True where an expression that must be known now depends on iterators of enclosing for-constructs, which are then marked
 * to be unrolled, or on inputs of a function, which is then translated for their values. Arrays of components on whose
 * element numbers it depends are not uniform.
 */
export function needsValue(expr: Expr, context: Context): boolean {
  if (expr.kind === 'const') return false;
  const found = waitsForValue(expr, context);
  if (!found && fixedValue(context.builder, expr) === undefined) context.builder.families.demandCommon(expr);
  return found;
}

function waitsForValue(expr: Expr, context: Context): boolean {
  if (!context.loop && !context.sizing) return false;
  let found = false;
  for (const node of nodesOf(expr)) {
    if (node.kind === 'iter') found = markLoop(node.iterator, context) || found;
    else if (node.kind === 'local' && context.sizing) {
      const owner = context.sizing.owners[node.index];
      if (owner === undefined) continue;
      context.sizing.needed.add(owner);
      found = true;
    }
  }
  return found;
}

function markLoop(iterator: number, context: Context): boolean {
  for (let loop = context.loop; loop; loop = loop.outer) {
    if (loop.iterator !== iterator) continue;
    loop.unroll = true;
    return true;
  }
  return false;
}
