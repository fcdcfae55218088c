/**
 * Expressions of the source as typed expressions (Modelica 3.6, chapters 3, 6 and 10): literals, conditional expressions,
 * ranges and arrays. Every construct checks the types and sizes of its parts.
 */
import { sameItems } from '../../collections/lists.ts';
import type { Dimension } from '../../model/classes/counted.ts';
import { dimsName } from '../../model/value.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { rangeCount } from '../../symbolic/ranges.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, report } from '../core/context.ts';
import {
  arrayLike,
  atMost,
  commonType,
  isNumeric,
  isUnknown,
  join,
  mapLeaves,
  nameOf,
  type RecordValue,
  type Simple,
  simple,
  type Type,
  typeName,
  type Value,
} from '../core/values.ts';
import { call } from './calls.ts';
import { fixedNumber } from './constants.ts';
import { onRecords } from './fields.ts';
import { type Decide, guarded } from './guards.ts';
import { iterate, needsValue } from './iteration.ts';
import { binaryChain, unary } from './operators.ts';
import { reference, stacked, subscripted } from './references.ts';
import { notFixed } from './subscripts.ts';

/** Longest array that is worth writing out; larger ones are surely a mistake. */
export const maximalElements = 10_000_000;

export function expression(node: ast.Expression, context: Context): Value {
  const { pool } = context.builder;
  switch (node.kind) {
    case 'number':
      return simple(pool.const(node.value), node.integer ? 'Integer' : 'Real', 'constant');
    case 'string':
      return simple(pool.text(node.value), 'String', 'constant');
    case 'boolean':
      return simple(pool.bool(node.value), 'Boolean', 'constant');
    case 'end': {
      if (context.end) return lastOf(context.end, pool);
      const message = '`end` stands for a size only inside a subscript.';
      return report('bad-subscript', message, node, context);
    }
    case 'ref':
      return reference(node, context);
    case 'call':
      return call(node, context);
    case 'unary':
      return unary(node, context);
    case 'binary':
      return binaryChain(node, context);
    case 'if':
      return ifExpression(node, context);
    case 'range':
      return rangeExpression(node, context);
    case 'array':
      return arrayExpression(node, context);
    case 'matrix':
      return matrixExpression(node, context);
    case 'comprehension':
      return comprehension(node.value, node.iterators, context);
    case 'index':
      return subscripted(expression(node.array, context), { ...node, name: '(…)' }, context);
    case 'tuple': {
      if (node.members.length === 1 && node.members[0]) return expression(node.members[0], context);
      const message = 'A list in parentheses can only stand left of a call.';
      return report('type-mismatch', message, node, context);
    }
  }
}

/** What `end` stands for: a number, or the last value of the type that counts the dimension. */
function lastOf({ count, type = 'Integer' }: Dimension, pool: Pool): Simple {
  return simple(pool.const(type === 'Boolean' ? 1 : count), type, 'constant');
}

/** An expression that must be a value of a predefined type, not a record. */
export function simpleExpression(node: ast.Expression, context: Context): Simple {
  return asSimple(expression(node, context), node, context);
}

function asSimple(value: Value, node: ast.Node, context: Context): Simple {
  if (value.kind === 'simple') return value;
  return report('type-mismatch', `A record (${typeName(value)}) cannot stand here.`, node, context);
}

/** A scalar of type Boolean. */
export function condition(node: ast.Expression, context: Context): Simple {
  const value = simpleExpression(node, context);
  if (isUnknown(value) || (value.type === 'Boolean' && value.dims.length === 0)) return value;
  const message = `A condition must be Boolean, not ${typeName(value)}.`;
  return report('type-mismatch', message, node, context);
}

// ---------------------------------------------------------------- if, ranges, arrays

function ifExpression(node: ast.IfExpression, context: Context): Value {
  const translate = (decide: Decide, tests: Simple[]): Value => {
    const conditions: Simple[] = [];
    const values: Value[] = [];
    for (const branch of node.branches) {
      const test = condition(branch.condition, context);
      if (isUnknown(test)) return test;
      tests.push(test);
      const known = decide(test);
      if (known === 0) continue;
      values.push(expression(branch.value, context));
      if (known === 1) return conditional(node, conditions, values, context);
      conditions.push(test);
    }
    values.push(expression(node.otherwise, context));
    return conditional(node, conditions, values, context);
  };
  return guarded(context, translate) ?? context.builder.unknown;
}

function conditional(
  node: ast.IfExpression,
  conditions: readonly Simple[],
  values: readonly Value[],
  context: Context,
): Value {
  if (values.some(isUnknown)) return context.builder.unknown;
  let result = values[values.length - 1]!;
  for (let i = conditions.length - 1; i >= 0; i--) {
    const test = conditions[i]!;
    const then = values[i]!;
    const fixed = sameShape(then, result) && !isClock(then) ? undefined : fixedChoice(context.builder, test);
    const chosen = fixed === undefined ? choose(node, test, then, result, context) : fixed ? then : result;
    if (isUnknown(chosen)) return chosen;
    result = chosen;
  }
  return result;
}

/** Which clock it is must be known before the run. */
const isClock = (value: Value): boolean => value.kind === 'simple' && value.type === 'Clock';

const sameShape = (a: Value, b: Value): boolean => sameItems(a.dims, b.dims);

function fixedChoice(builder: FlatBuilder, test: Simple): number | undefined {
  return atMost(test.variability, 'parameter') ? fixedNumber(builder, test.expr) : undefined;
}

/** `if test then a else b`, for records member by member. */
function choose(node: ast.IfExpression, test: Simple, a: Value, b: Value, context: Context): Value {
  if (a.kind === 'record' || b.kind === 'record') {
    if (a.kind !== b.kind) return branchesDiffer(node, a, b, context);
    const fields = new Map<string, Value>();
    for (const [name, field] of (a as RecordValue).fields) {
      const other = (b as RecordValue).fields.get(name);
      if (!other) return branchesDiffer(node, a, b, context);
      fields.set(name, choose(node, test, field, other, context));
    }
    return { ...(a as RecordValue), fields };
  }
  const type = commonType(a.type, b.type);
  if (type === undefined) return branchesDiffer(node, a, b, context);
  if (type === 'Clock') {
    const message = 'Conditions that choose between clocks must be known before the run.';
    return report('variability', message, node, context);
  }
  if (!sameItems(a.dims, b.dims)) {
    const message = `The branches have different sizes: ${dimsName(a.dims)} and ${dimsName(b.dims)}.`;
    return report('dimension-mismatch', message, node, context);
  }
  const variability = join(test.variability, join(a.variability, b.variability));
  return simple(context.builder.apply('if', a.dims, test.expr, a.expr, b.expr), type, variability, a.dims);
}

function branchesDiffer(node: ast.Node, a: Value, b: Value, context: Context): Simple {
  const message = `The branches have different types: ${typeName(a)} and ${typeName(b)}.`;
  return report('type-mismatch', message, node, context);
}

/** The first value of a range, its step and the last value. */
export function rangeEnds(node: ast.RangeExpression, context: Context): [Simple, Simple, Simple] {
  const first = simpleExpression(node.first, context);
  const { pool } = context.builder;
  const step = node.step ? simpleExpression(node.step, context) : simple(pool.one, 'Integer', 'constant');
  return [first, step, simpleExpression(node.last, context)];
}

/** The type of the values of a range: numbers, or values of a type that can be counted, one after the other (section 10.4.3). */
export function rangeType(
  [first, step, last]: readonly Simple[],
  node: ast.RangeExpression,
): Type | undefined {
  const type = commonType(first!.type, last!.type);
  if (type === undefined || type === 'String' || type === 'Clock') return undefined;
  if (isNumeric(type)) return isNumeric(step!.type) ? commonType(type, step!.type) : undefined;
  return node.step ? undefined : type;
}

function rangeExpression(node: ast.RangeExpression, context: Context): Value {
  const { builder } = context;
  const { pool } = builder;
  const ends = rangeEnds(node, context);
  const [first, step, last] = ends;
  if (ends.some(isUnknown)) return builder.unknown;
  if (ends.some((end) => end.dims.length > 0)) {
    return report('dimension-mismatch', 'The bounds of a range must be scalars.', node, context);
  }
  const type = rangeType(ends, node);
  if (type === undefined) {
    const message = `A range cannot go from ${nameOf(first.type)} to ${nameOf(last.type)}.`;
    return report('type-mismatch', message, node, context);
  }
  const variability = join(first.variability, join(step.variability, last.variability));
  const bounds: number[] = [];
  for (const end of ends) {
    if (needsValue(end.expr, context)) return builder.unknown;
    const at = fixedNumber(builder, end.expr);
    if (at === undefined) {
      notFixed(end, 'The bound of a range', node, context);
      return builder.unknown;
    }
    bounds.push(at);
  }
  if (bounds[1] === 0) return report('bad-subscript', 'The step of a range is zero.', node.step!, context);
  const size = rangeCount(bounds[0]!, bounds[1]!, bounds[2]!);
  if (size > maximalElements) {
    return report('limit-exceeded', `The range has ${size} elements.`, node, context);
  }
  const [low, by, high] = bounds.map((at) => pool.const(at));
  if (type === 'Boolean') {
    const values = Array.from({ length: size }, (_, k) => pool.bool(bounds[0]! + k > 0));
    const expr = size > 0 ? pool.apply('array', ...values) : pool.apply('fill', pool.zero, pool.zero);
    return simple(expr, type, variability, [size]);
  }
  return simple(pool.apply('range', low!, by!, high!), type, variability, [size]);
}

function arrayExpression(node: ast.ArrayExpression, context: Context): Value {
  const elements = node.elements.map((element) => expression(element, context));
  return arrayOf(elements, node, context);
}

/** Elements of equal sizes and compatible types as one array. */
export function arrayOf(elements: readonly Value[], node: ast.Node, context: Context): Value {
  const { builder } = context;
  if (elements.some(isUnknown)) return builder.unknown;
  const first = elements[0];
  if (!first) return simple(builder.pool.apply('array'), 'Real', 'constant', [0]);
  let type: Type | undefined = first.kind === 'simple' ? first.type : 'unknown';
  for (const element of elements) {
    if (element.kind !== first.kind) return elementsDiffer(first, element, node, context);
    if (!sameItems(element.dims, first.dims)) {
      const message = `The elements of an array have different sizes: ${dimsName(first.dims)} and ${dimsName(element.dims)}.`;
      return report('dimension-mismatch', message, node, context);
    }
    if (element.kind === 'simple') type = commonType(type, element.type);
    if (type === undefined) return elementsDiffer(first, element, node, context);
  }
  const value = stacked(builder, elements, [elements.length]);
  return value.kind === 'simple' ? { ...value, type } : value;
}

function elementsDiffer(a: Value, b: Value, node: ast.Node, context: Context): Simple {
  const message = `The elements of an array have different types: ${typeName(a)} and ${typeName(b)}.`;
  return report('type-mismatch', message, node, context);
}

/** `[a, b; c, d]`: rows are joined along the second dimension and then along the first (chapter 10.4.2). */
function matrixExpression(node: ast.MatrixExpression, context: Context): Value {
  const { builder } = context;
  const rows = node.rows.map((row) => row.map((entry) => expression(entry, context)));
  const entries = rows.flat();
  if (entries.some(isUnknown)) return builder.unknown;
  if (entries.every((entry) => entry.dims.length === 0)) {
    const values = rows.map((row) => arrayOf(row, node, context));
    return arrayOf(values, node, context);
  }
  const rank = Math.max(2, ...entries.map((entry) => entry.dims.length));
  const rowValues = rows.map((row) =>
    joined(
      2,
      row.map((entry) => promoted(builder, entry, rank)),
      node,
      context,
    ),
  );
  return rowValues.some(isUnknown) ? builder.unknown : joined(1, rowValues, node, context);
}

function promoted(builder: FlatBuilder, value: Value, rank: number): Value {
  const missing = rank - value.dims.length;
  if (missing === 0) return value;
  const sizes = (dims: readonly number[]): number[] => [...dims, ...Array<number>(missing).fill(1)];
  const promote = (leaf: Simple): Simple => ({
    ...leaf,
    expr: builder.pool.apply('promote', leaf.expr, builder.pool.const(rank)),
    dims: sizes(leaf.dims),
  });
  return mapLeaves(value, promote, sizes);
}

/** Arrays joined along a dimension, those of records field by field. */
export function joined(k: number, parts: readonly Value[], node: ast.Node, context: Context): Value {
  const other = parts.find((part) => part.kind !== parts[0]!.kind);
  if (other) return elementsDiffer(parts[0]!, other, node, context);
  const catenated = (values: readonly Value[]): Value => catenate(k, values as Simple[], node, context);
  if (parts[0]!.kind === 'simple') return catenated(parts);
  const args = parts.map((value) => ({ value, node }));
  return onRecords('cat', args, node, context, (simple) => catenated(simple.map(({ value }) => value)));
}

/** `cat(k, …)`: all sizes but number `k` agree. */
function catenate(k: number, parts: readonly Simple[], node: ast.Node, context: Context): Simple {
  const first = parts[0]!;
  let type: Type | undefined = first.type;
  let total = 0;
  let variability = first.variability;
  for (const part of parts) {
    type = type && commonType(type, part.type);
    if (type === undefined) return elementsDiffer(first, part, node, context);
    const fits =
      part.dims.length === first.dims.length && part.dims.every((n, d) => d === k - 1 || n === first.dims[d]);
    if (!fits || k < 1 || k > first.dims.length) {
      const message = `Cannot join arrays of sizes ${dimsName(first.dims)} and ${dimsName(part.dims)} along dimension ${k}.`;
      return report('dimension-mismatch', message, node, context);
    }
    total += part.dims[k - 1]!;
    variability = join(variability, part.variability);
  }
  const dims = first.dims.map((n, d) => (d === k - 1 ? total : n));
  if (parts.length === 1) return first;
  const expr: Expr = context.builder.pool.apply(
    'cat',
    context.builder.pool.const(k),
    ...parts.map((p) => p.expr),
  );
  return simple(expr, type, variability, dims);
}

/** `{e for i in r, j in s}` is `{{e for i in r} for j in s}` (chapter 10.4.1). */
function comprehension(value: ast.Expression, iterators: readonly ast.Iterator[], context: Context): Value {
  const { builder } = context;
  const last = iterators[iterators.length - 1];
  if (!last) return expression(value, context);
  const rest = iterators.slice(0, -1);
  const around: Context = { ...context, inExpression: true };
  const result = iterate(last, [value, rest], around, (inner) => comprehension(value, rest, inner));
  if (!result) return builder.unknown;
  if (result.kind === 'unrolled') return arrayOf(result.bodies, last, context);
  const { iterator, range, body } = result.parts[0]!;
  if (isUnknown(body)) return body;
  const { pool } = builder;
  return arrayLike(body, [range.values.length], (expr) =>
    pool.apply('comprehension', expr, pool.iter(iterator), range.expr),
  );
}
