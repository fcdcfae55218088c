/** Array sizes of expressions (specification 3.6, section 10.1), as far as they follow from the sizes of their parts without any value. */
import { sameItems } from '../../collections/lists.ts';
import { intrinsics } from '../../symbolic/intrinsics.ts';
import type * as ast from '../../syntax/ast.ts';
import { everyNode } from '../../syntax/walk.ts';
import { type ClassEntity, entityOf } from '../classes/class.ts';
import { findClass, resolve } from '../classes/lookup.ts';
import { type ShapeComponent, shapeOf } from '../classes/shape.ts';
import type { Resolution } from '../instance.ts';
import { arrayOf, dimsOf, real, type Value } from '../value.ts';
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
      return evaluator.frame?.holder(e.parts[0]!.name)
        ? heldSizes(evaluator, e)
        : referenceSizes(evaluator, e);
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

/** Of a variable of a function, or an iterator. */
function heldSizes(evaluator: Evaluator, { parts }: ast.ComponentRef): readonly number[] | undefined {
  const [part, ...rest] = parts;
  const value = evaluator.frame?.holder(part!.name)?.values.get(part!.name);
  return value && rest.length === 0
    ? subscriptedSizes(evaluator, dimsOf(value), part!.subscripts)
    : undefined;
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
  // Sides that are added have the same sizes.
  if (operator === '+' || operator === '-') return left ?? right;
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
  const counted = countedSizes(evaluator, resolution.name, call, dims);
  if (counted) return counted.every((n) => n !== undefined) ? counted : undefined;
  const rule = intrinsics.get(resolution.name)?.sizes;
  return typeof rule === 'number' ? dims(rule) : rule?.(dims);
}

/** Of functions whose sizes are values of their arguments, each `undefined` where it is none; what they are filled with need not have a value yet. */
function countedSizes(
  evaluator: Evaluator,
  name: string,
  { positional }: ast.Call,
  dims: (k: number) => readonly number[] | undefined,
): readonly (number | undefined)[] | undefined {
  const count = (argument: (typeof positional)[number] | undefined): number | undefined => {
    const value = !argument || argument.kind === 'partial' ? undefined : evaluator.value(argument);
    return value?.kind === 'integer' ? value.value : undefined;
  };
  switch (name) {
    case 'fill':
      return [...positional.slice(1).map(count), ...(dims(0) ?? [undefined])];
    case 'zeros':
    case 'ones':
      return positional.map(count);
    case 'identity':
      return [count(positional[0]), count(positional[0])];
    case 'linspace':
      return [count(positional[2])];
    case 'diagonal':
      return [dims(0)?.[0], dims(0)?.[0]];
    case 'size':
      return positional.length > 1 ? [] : [dims(0)?.length];
    case 'cat':
      return joinedSizes(
        count(positional[0]),
        positional.slice(1).map((_, k) => dims(k + 1)),
      );
    default:
      return undefined;
  }
}

/** Of arrays that are joined along a dimension. */
function joinedSizes(
  along: number | undefined,
  parts: readonly (readonly number[] | undefined)[],
): readonly (number | undefined)[] {
  const total = parts.reduce<number | undefined>((all, dims) => {
    const own = dims?.[(along ?? 0) - 1];
    return all === undefined || own === undefined ? undefined : all + own;
  }, 0);
  return (parts[0] ?? [undefined]).map((own, d) => (d + 1 === along ? total : own));
}

/** Of the first output as it is declared, in front of them those of what the function is applied to element by element. */
function outputSizes(
  entity: ClassEntity,
  evaluator: Evaluator,
  call: ast.Call,
): readonly number[] | undefined {
  const components = [...shapeOf(entity).components.values()];
  const output = components.find(({ clause }) => clause.causality === 'output');
  if (!output || !isPlain(output)) return undefined;
  const inputs = components.filter(({ clause }) => clause.causality === 'input');
  const isScalar = subscriptsOf(output).length === 0;
  const values = new Map<string, Value>();
  let around: readonly number[] = [];
  for (const [input, argument] of argumentsOf(inputs, call)) {
    if (!input || argument.kind === 'partial') return undefined;
    const isArray = subscriptsOf(input).length > 0 || !isPlain(input);
    if (isArray && isScalar) continue;
    const dims = inferSizes(evaluator, argument);
    if (!dims) return undefined;
    if (!isArray && dims.length > 0) around = around.length > 0 ? around : dims;
    else if (!isScalar) values.set(input.name, standIn(evaluator, input, argument, dims));
  }
  if (isScalar) return around;
  for (const input of inputs) {
    const value = input.modifier?.value ? undefined : input.declaration.modification?.value;
    if (value && value !== 'break' && !values.has(input.name) && subscriptsOf(input).length === 0)
      values.set(input.name, standIn(evaluator.called(input.lexical, values), input, value, []));
  }
  const open = new Set(components.map(({ name }) => name).filter((name) => !values.has(name)));
  const needsMore = subscriptsOf(output).some((subscript) =>
    [...everyNode(subscript)].some((node) => node.kind === 'ref' && open.has(node.parts[0]!.name)),
  );
  const own = needsMore ? undefined : declaredSizes(evaluator, output, values);
  return own && [...around, ...own];
}

/** Whether the sizes of a component are all in its own declaration. */
const isPlain = ({ lexical, clause }: ShapeComponent): boolean => {
  const type = findClass(lexical, clause.type);
  return type !== undefined && shapeOf(type).subscripts.length === 0;
};

const subscriptsOf = ({ declaration, clause }: ShapeComponent): readonly ast.Subscript[] => [
  ...declaration.subscripts,
  ...clause.subscripts,
];

function argumentsOf(
  inputs: readonly ShapeComponent[],
  call: ast.Call,
): (readonly [ShapeComponent | undefined, ast.Call['positional'][number]])[] {
  const named = call.named.map(
    ({ name, value }) => [inputs.find((input) => input.name === name.text), value] as const,
  );
  return [...call.positional.map((value, k) => [inputs[k], value] as const), ...named];
}

/** What an input is as far as sizes tell: Reals, and elements of arrays, are no numbers, so no size can follow from them. */
function standIn(
  evaluator: Evaluator,
  { lexical, clause }: ShapeComponent,
  argument: ast.Expression,
  dims: readonly number[],
): Value {
  const type = findClass(lexical, clause.type);
  const isCount = dims.length === 0 && type && shapeOf(type).predefined !== 'Real';
  return isCount ? evaluator.value(argument) : arrayOf(dims, () => real(Number.NaN));
}

function declaredSizes(
  evaluator: Evaluator,
  output: ShapeComponent,
  values: ReadonlyMap<string, Value>,
): readonly number[] | undefined {
  const sizes: number[] = [];
  const inside = evaluator.called(output.lexical, values);
  for (const subscript of subscriptsOf(output)) {
    const value = subscript.kind === 'colon' ? undefined : inside.value(subscript);
    if (value?.kind !== 'integer') return undefined;
    sizes.push(value.value);
  }
  return sizes;
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
