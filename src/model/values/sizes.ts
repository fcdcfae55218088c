/** Array sizes of expressions (specification 3.6, section 10.1), as far as they follow from the sizes of their parts without any value. */
import { sameItems } from '../../collections/lists.ts';
import { intrinsics } from '../../symbolic/intrinsics.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import { findClass, resolve } from '../classes/lookup.ts';
import { type ShapeComponent, shapeOf } from '../classes/shape.ts';
import type { Resolution } from '../instance.ts';
import { dimsOf } from '../value.ts';
import type { Evaluator } from './evaluator.ts';

/** The sizes of an expression, or `undefined` where only its value shows them. */
export function inferSizes(evaluator: Evaluator, e: ast.Expression): readonly number[] | undefined {
  switch (e.kind) {
    case 'number':
    case 'string':
    case 'boolean':
      return [];
    case 'array': {
      const first = e.elements[0];
      const inner = first ? inferSizes(evaluator, first) : [];
      return inner && [e.elements.length, ...inner];
    }
    case 'ref':
      return evaluator.frame?.holder(e.parts[0]!.name) ? undefined : referenceSizes(evaluator, e);
    case 'unary':
      return inferSizes(evaluator, e.operand);
    case 'binary':
      return spineSizes(evaluator, e);
    case 'if':
      return branchSizes(evaluator, e);
    case 'matrix':
      return matrixSizes(evaluator, e);
    case 'comprehension':
      return comprehensionSizes(evaluator, e.value, e.iterators);
    case 'range':
      return dimsOf(evaluator.value(e));
    case 'end':
      return [];
    case 'call':
      return callSizes(evaluator, e);
    case 'index': {
      const dims = inferSizes(evaluator, e.array);
      return dims && subscriptedSizes(evaluator, dims, e.subscripts);
    }
    case 'tuple':
      return e.members.length === 1 && e.members[0] ? inferSizes(evaluator, e.members[0]) : undefined;
    default:
      return e satisfies never;
  }
}

/** Long sums lean to the left: their spine is walked, not recursed into. */
function spineSizes(evaluator: Evaluator, e: ast.Binary): readonly number[] | undefined {
  const spine: ast.Binary[] = [e];
  let first = e.left;
  for (; first.kind === 'binary'; first = first.left) spine.push(first);
  let dims = inferSizes(evaluator, first);
  for (let at = spine.pop(); at; at = spine.pop()) {
    dims = binarySizes(at.operator, dims, inferSizes(evaluator, at.right));
  }
  return dims;
}

function binarySizes(
  operator: ast.BinaryOperator,
  left: readonly number[] | undefined,
  right: readonly number[] | undefined,
): readonly number[] | undefined {
  if (!left || !right) return undefined;
  if (operator !== '*') return left.length > 0 ? left : right;
  if (left.length === 0) return right;
  return right.length === 0 ? left : [...left.slice(0, -1), ...right.slice(1)];
}

/** The condition decides only where the branches differ. */
function branchSizes(evaluator: Evaluator, e: ast.IfExpression): readonly number[] | undefined {
  const last = inferSizes(evaluator, e.otherwise);
  const all = e.branches.map(({ value }) => inferSizes(evaluator, value));
  if (last && all.every((dims) => dims && sameItems(dims, last))) return last;
  const taken = e.branches.findIndex(({ condition }) => evaluator.condition(condition));
  return taken < 0 ? last : all[taken];
}

/** `[a, b; c, d]`: parts side by side in rows, rows below each other; scalars and vectors count as columns. */
function matrixSizes(evaluator: Evaluator, e: ast.MatrixExpression): readonly number[] | undefined {
  let height = 0;
  let width = 0;
  for (const row of e.rows) {
    let columns = 0;
    let rows = 0;
    for (const part of row) {
      const dims = inferSizes(evaluator, part);
      if (!dims || dims.length > 2) return undefined;
      columns += dims[1] ?? 1;
      rows = dims[0] ?? 1;
    }
    height += rows;
    width = columns;
  }
  return [height, width];
}

function comprehensionSizes(
  evaluator: Evaluator,
  body: ast.Expression,
  iterators: readonly ast.Iterator[],
): readonly number[] | undefined {
  const last = iterators.at(-1);
  if (!last) return inferSizes(evaluator, body);
  const rest = iterators.slice(0, -1);
  const values = evaluator.iterate(last, [body, rest]);
  const first = values[0];
  if (!first) return undefined;
  const inner = comprehensionSizes(evaluator.within(new Map([[last.name.text, first]])), body, rest);
  return inner && [values.length, ...inner];
}

function callSizes(evaluator: Evaluator, call: ast.Call): readonly number[] | undefined {
  const resolution = resolve(evaluator.scope, call.callee);
  if (resolution.kind === 'class') return outputSizes(entityOf(resolution.class), evaluator, call);
  if (resolution.kind !== 'builtin' || call.iterators) return undefined;
  const dims = (k: number): readonly number[] | undefined => {
    const argument = call.positional[k];
    return argument && argument.kind !== 'partial' ? inferSizes(evaluator, argument) : undefined;
  };
  if (resolution.name === 'fill') return filledSizes(evaluator, call, dims(0));
  const rule = intrinsics.get(resolution.name)?.sizes;
  return typeof rule === 'number' ? dims(rule) : rule?.(dims);
}

/** `fill(s, n, m)`: the sizes are values, what is filled in need not have one yet. */
function filledSizes(
  evaluator: Evaluator,
  { positional }: ast.Call,
  inner: readonly number[] | undefined,
): readonly number[] | undefined {
  const outer: number[] = [];
  for (const argument of positional.slice(1)) {
    const value = argument.kind === 'partial' ? undefined : evaluator.value(argument);
    if (value?.kind !== 'integer') return undefined;
    outer.push(value.value);
  }
  return inner && [...outer, ...inner];
}

/** A function whose first output is scalar gives a scalar, or an array if it is applied to all elements of one. */
function outputSizes(
  entity: ClassEntity,
  evaluator: Evaluator,
  call: ast.Call,
): readonly number[] | undefined {
  const components = [...shapeOf(entity).components.values()];
  const isScalar = ({ lexical, clause, declaration }: ShapeComponent): boolean => {
    const type = findClass(lexical, clause.type);
    const own = declaration.subscripts.length + clause.subscripts.length;
    return own === 0 && type !== undefined && shapeOf(type).subscripts.length === 0;
  };
  const output = components.find(({ clause }) => clause.causality === 'output');
  if (!output || !isScalar(output)) return undefined;
  const inputs = components.filter(({ clause }) => clause.causality === 'input');
  for (const [k, argument] of call.positional.entries()) {
    const input = inputs[k];
    if (!input || argument.kind === 'partial') return undefined;
    const dims = isScalar(input) ? inferSizes(evaluator, argument) : [];
    if (!dims) return undefined;
    if (dims.length > 0) return dims;
  }
  return [];
}

export function referenceSizes(evaluator: Evaluator, ref: ast.ComponentRef): readonly number[] | undefined {
  const resolution = resolve(evaluator.scope, ref);
  if (resolution.kind === 'component') return partSizes(evaluator, resolution);
  if (resolution.kind === 'builtin') return resolution.name === 'time' ? [] : undefined;
  if (resolution.kind !== 'constant') return undefined;
  return subscriptedSizes(evaluator, resolution.instance.dims, resolution.subscripts);
}

function partSizes(
  evaluator: Evaluator,
  { parts }: Extract<Resolution, { kind: 'component' }>,
): readonly number[] | undefined {
  const dims: number[] = [];
  for (const { part, instance } of parts) {
    const own = subscriptedSizes(evaluator, instance.dims, part.subscripts);
    if (!own) return undefined;
    dims.push(...own);
  }
  return dims;
}

function subscriptedSizes(
  evaluator: Evaluator,
  dims: readonly number[],
  subscripts: readonly ast.Subscript[],
): readonly number[] | undefined {
  if (subscripts.length > dims.length) return undefined;
  const left: number[] = [];
  for (const [d, n] of dims.entries()) {
    const subscript = subscripts[d];
    const index = subscript ? evaluator.index(subscript, n) : 'all';
    if (index === 'all') left.push(n);
    else if (typeof index !== 'number') left.push(index.length);
  }
  return left;
}
