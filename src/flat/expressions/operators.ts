/**
 * Unary and binary operators (Modelica 3.6, sections 3.4 to 3.6 and 10.6): the types and sizes of operands decide what an
 * operator means. `*` is scaling or a product of linear algebra; `/` gives a Real.
 */
import { sameItems } from '../../collections/lists.ts';
import { dimsName } from '../../model/value.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Op } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, type FlatBuilder, report } from '../core/context.ts';
import {
  atMost,
  commonType,
  count,
  isNumeric,
  isUnknown,
  join,
  type Simple,
  simple,
  type Type,
  typeName,
  type Value,
} from '../core/values.ts';
import { fixedNumber } from './constants.ts';
import { expression } from './expressions.ts';
import { guarded } from './guards.ts';
import { overloadedBinary, overloadedUnary } from './overloads.ts';
import { stacked } from './references.ts';
import { elementsOf } from './subscripts.ts';

export function unary(node: ast.Unary, context: Context): Value {
  const value = expression(node.operand, context);
  if (isUnknown(value)) return value;
  if (value.kind === 'record') return overloadedUnary(node, value, context);
  const wanted = node.operator === 'not' ? value.type === 'Boolean' : isNumeric(value.type);
  if (!wanted) {
    const needs = node.operator === 'not' ? 'a Boolean' : 'a number';
    const message = `\`${node.operator}\` needs ${needs}, not ${typeName(value)}.`;
    return report('type-mismatch', message, node.operand, context);
  }
  if (node.operator === '+' || node.operator === '.+') return value;
  return {
    ...value,
    expr: context.builder.apply(node.operator === 'not' ? 'not' : 'neg', value.dims, value.expr),
  };
}

/** Long sums lean to the left; they are walked without recursion so that their length is not limited by the stack. */
export function binaryChain(node: ast.Binary, context: Context): Value {
  const chain: ast.Binary[] = [];
  let left: ast.Expression = node;
  while (left.kind === 'binary') {
    chain.push(left);
    left = left.left;
  }
  let value: Value = expression(left, context);
  for (let i = chain.length - 1; i >= 0; i--) {
    const step = chain[i]!;
    value = isLogical(step) ? guardedSide(step, value, context) : sides(step, value, context);
  }
  return value;
}

const isLogical = ({ operator }: ast.Binary): boolean => operator === 'and' || operator === 'or';

function sides(node: ast.Binary, left: Value, context: Context): Value {
  return binary(node, left, expression(node.right, context), context);
}

/** `and` and `or` may guard their right side: where the left side decides, it is not looked at. */
function guardedSide(node: ast.Binary, left: Value, context: Context): Value {
  if (isUnknown(left) || left.kind !== 'simple' || left.type !== 'Boolean' || left.dims.length > 0)
    return sides(node, left, context);
  const decisive = node.operator === 'or' ? 1 : 0;
  const value = guarded(context, (decide, tests) => {
    tests.push(left);
    return decide(left) === decisive ? left : sides(node, left, context);
  });
  return value ?? context.builder.unknown;
}

function binary(node: ast.Binary, left: Value, right: Value, context: Context): Value {
  if (isUnknown(left) || isUnknown(right)) return context.builder.unknown;
  if (left.kind === 'record' || right.kind === 'record') return overloadedBinary(node, left, right, context);
  switch (node.operator) {
    case '+':
    case '-':
    case '.+':
    case '.-':
      return additive(node, left, right, context);
    case '*':
      return product(node, left, right, context);
    case '/':
      if (right.dims.length > 0) {
        const message = `Cannot divide by an array (${typeName(right)}).`;
        return report('dimension-mismatch', message, node, context, {
          hint: 'Use `./` to divide element by element.',
        });
      }
      return arithmetic(node, 'div', 'Real', left, right, context);
    case './':
      return arithmetic(node, 'div', 'Real', left, right, context);
    case '.*':
      return arithmetic(node, 'mul', commonType(left.type, right.type), left, right, context);
    case '^':
      return power(node, left, right, context);
    case '.^':
      return arithmetic(node, 'pow', 'Real', left, right, context);
    case 'and':
    case 'or':
      return logical(node, node.operator, left, right, context);
    default:
      return relation(node, node.operator, left, right, context);
  }
}

function additive(node: ast.Binary, left: Simple, right: Simple, context: Context): Value {
  const elementwise = node.operator.startsWith('.');
  if (!elementwise && !sameItems(left.dims, right.dims)) {
    const scalar = left.dims.length === 0 || right.dims.length === 0;
    const hint = scalar ? `Use \`.${node.operator}\` to combine an array with a scalar.` : undefined;
    return sizesDiffer(node, left, right, context, hint);
  }
  if (node.operator.endsWith('+') && left.type === 'String' && right.type === 'String')
    return joinedTexts(node, left, right, context);
  const op = node.operator.endsWith('+') ? 'add' : 'sub';
  return arithmetic(node, op, commonType(left.type, right.type), left, right, context);
}

/** Strings one after the other, in arrays element by element. */
function joinedTexts(node: ast.Binary, left: Simple, right: Simple, context: Context): Value {
  const { builder } = context;
  if (left.dims.length > 0 && right.dims.length > 0 && !sameItems(left.dims, right.dims))
    return sizesDiffer(node, left, right, context);
  const dims = left.dims.length > 0 ? left.dims : right.dims;
  const variability = join(left.variability, right.variability);
  if (dims.length === 0)
    return simple(builder.pool.apply('concat', left.expr, right.expr), 'String', variability);
  const [a, b] = [left, right].map((side) => (side.dims.length > 0 ? elementsOf(builder, side) : undefined));
  const parts = Array.from({ length: count(dims) }, (_, k) => {
    const [x, y] = [a?.[k] ?? left, b?.[k] ?? right] as [Simple, Simple];
    return simple(builder.pool.apply('concat', x.expr, y.expr), 'String', variability);
  });
  if (parts.length > 0) return stacked(builder, parts, dims);
  return { ...(left.dims.length > 0 ? left : right), variability };
}

/** An operator on numbers, element by element; a scalar goes with every element. */
function arithmetic(
  node: ast.Binary,
  op: Op,
  type: Type | undefined,
  left: Simple,
  right: Simple,
  context: Context,
): Value {
  const wrong = [left, right].find((side) => !isNumeric(side.type));
  if (wrong || type === undefined) {
    const message = `\`${node.operator}\` needs numbers, not ${typeName(left)} and ${typeName(right)}.`;
    return report('type-mismatch', message, node, context);
  }
  if (left.dims.length > 0 && right.dims.length > 0 && !sameItems(left.dims, right.dims)) {
    return sizesDiffer(node, left, right, context);
  }
  const dims = left.dims.length > 0 ? left.dims : right.dims;
  const expr = context.builder.apply(op, dims, left.expr, right.expr);
  const value = simple(expr, type, join(left.variability, right.variability), dims);
  return type === 'Integer' ? exact(value, node, context) : value;
}

/**
 * Integers are doubles, which hold whole numbers up to 2^53 and round larger ones. What is computed from variables is checked when
 * it is computed, a parameter when it gets its value; numbers of loops, on which subscripts depend, are small.
 */
export function exact(value: Simple, node: ast.Node, context: Context): Simple {
  const { expr, dims, variability } = value;
  if (variability === 'constant') {
    const known = dims.length === 0 ? fixedNumber(context.builder, expr) : undefined;
    if (known === undefined || Number.isSafeInteger(known)) return value;
    const message = `The Integer ${known} is beyond 2^53, the largest that is exact.`;
    return report('limit-exceeded', message, node, context, { hint: 'Compute with Reals.' });
  }
  const isCounted = context.loop !== undefined || leaves(expr).length === 0;
  if (variability === 'parameter' || isCounted || expr.kind !== 'apply') return value;
  return { ...value, expr: context.builder.apply('exact', dims, expr) };
}

function sizesDiffer(node: ast.Binary, left: Simple, right: Simple, context: Context, hint?: string): Simple {
  const message = `The sides of \`${node.operator}\` have different sizes: ${dimsName(left.dims)} and ${dimsName(right.dims)}.`;
  return report('dimension-mismatch', message, node, context, { hint });
}

/** `*`: scaling where a side is scalar, otherwise the products of linear algebra. */
function product(node: ast.Binary, left: Simple, right: Simple, context: Context): Value {
  const type = commonType(left.type, right.type);
  if (left.dims.length === 0 || right.dims.length === 0 || !isNumeric(left.type) || !isNumeric(right.type)) {
    return arithmetic(node, 'mul', type, left, right, context);
  }
  const a = left.dims;
  const b = right.dims;
  if (a.length > 2 || b.length > 2 || a[a.length - 1] !== b[0]) {
    return sizesDiffer(node, left, right, context, 'Use `.*` for a product element by element.');
  }
  return matmul(context.builder, left, right);
}

function matmul(builder: FlatBuilder, left: Simple, right: Simple): Simple {
  const dims = [...left.dims.slice(0, -1), ...right.dims.slice(1)];
  const expr = builder.pool.apply('matmul', left.expr, right.expr);
  return simple(expr, commonType(left.type, right.type)!, join(left.variability, right.variability), dims);
}

function power(node: ast.Binary, left: Simple, right: Simple, context: Context): Value {
  const { builder } = context;
  if (left.dims.length === 0 && right.dims.length === 0) {
    return arithmetic(node, 'pow', 'Real', left, right, context);
  }
  const exponent =
    right.dims.length === 0 && right.type === 'Integer' ? fixedNumber(builder, right.expr) : undefined;
  const square = left.dims.length === 2 && left.dims[0] === left.dims[1];
  if (!square || exponent === undefined || exponent < 0) {
    const message = '`^` needs scalars, or a square matrix and a fixed non-negative Integer.';
    return report('dimension-mismatch', message, node, context, {
      hint: 'Use `.^` for powers element by element.',
    });
  }
  if (exponent === 0)
    return { ...left, expr: builder.pool.apply('identity', builder.pool.const(left.dims[0]!)) };
  let result = left;
  for (let i = 1; i < exponent; i++) result = matmul(builder, result, left);
  return result;
}

function logical(node: ast.Binary, op: 'and' | 'or', left: Simple, right: Simple, context: Context): Value {
  if (left.type !== 'Boolean' || right.type !== 'Boolean') {
    const message = `\`${op}\` needs Booleans, not ${typeName(left)} and ${typeName(right)}.`;
    return report('type-mismatch', message, node, context);
  }
  if (!sameItems(left.dims, right.dims)) return sizesDiffer(node, left, right, context);
  const expr = context.builder.apply(op, left.dims, left.expr, right.expr);
  return simple(expr, 'Boolean', join(left.variability, right.variability), left.dims);
}

const relations = { '<': 'lt', '<=': 'le', '>': 'gt', '>=': 'ge', '==': 'eq', '<>': 'ne' } as const;

function relation(
  node: ast.Binary,
  operator: keyof typeof relations,
  left: Simple,
  right: Simple,
  context: Context,
): Value {
  const { builder } = context;
  if (left.dims.length > 0 || right.dims.length > 0) {
    return report('dimension-mismatch', `\`${operator}\` compares scalars only.`, node, context);
  }
  const type = commonType(left.type, right.type);
  if (type === undefined || type === 'Clock') {
    const message = `Cannot compare ${typeName(left)} with ${typeName(right)}.`;
    return report('type-mismatch', message, node, context);
  }
  const variability = join(left.variability, right.variability);
  if (type === 'String') return textRelation(node, relations[operator], left, right, variability, context);
  const expr = builder.pool.apply(relations[operator], left.expr, right.expr);
  // Between continuous values a relation changes at events only.
  return simple(expr, 'Boolean', atMost(variability, 'discrete') ? variability : 'discrete');
}

/** Between texts: they change at events only, so that no relation between them causes any. */
function textRelation(
  node: ast.Binary,
  op: (typeof relations)[keyof typeof relations],
  left: Simple,
  right: Simple,
  variability: Simple['variability'],
  { builder, place, ...context }: Context,
): Value {
  const { pool } = builder;
  const isEquality = op === 'eq' || op === 'ne';
  const expr = isEquality
    ? pool.apply(op, left.expr, right.expr)
    : pool.apply(op, pool.apply('order', left.expr, right.expr), pool.zero);
  const known = fixedNumber(builder, expr);
  if (known !== undefined) return simple(pool.const(known), 'Boolean', variability);
  if (place !== 'function' && !atMost(variability, 'discrete')) {
    const message = 'A String that changes continuously cannot be compared.';
    return report(
      'variability',
      message,
      node,
      { builder, place, ...context },
      {
        hint: 'Compare the numbers that it is made of, or make it in a `when`.',
      },
    );
  }
  return simple(expr, 'Boolean', variability);
}
