/**
 * Built-in functions of records: `size` looks at the sizes alone, functions that select or repeat elements work on every field by
 * itself, and sums and products use the operators of the record (Modelica 3.6, chapters 10.3 and 14).
 */
import type * as ast from '../../syntax/ast.ts';
import { type Context, report } from '../core/context.ts';
import {
  isUnknown,
  leaves,
  mapLeaves,
  type RecordValue,
  type Simple,
  simple,
  typeName,
  type Value,
} from '../core/values.ts';
import type { CallArgument } from './calls.ts';
import { folded } from './overloads.ts';
import { elementsOf } from './subscripts.ts';

/** Functions that do not look at the values of what they work on. */
const fieldwise = new Set([
  'fill',
  'noEvent',
  'smooth',
  'homotopy',
  'pre',
  'scalar',
  'vector',
  'matrix',
  'transpose',
  'cat',
]);

/** Those that only see the sizes of a record, not the sizes of its fields. */
const reshaping = new Set(['scalar', 'vector', 'matrix', 'transpose', 'cat']);

/** A built-in function of arguments of which some are records; `apply` is the function of simple values. */
export function onRecords(
  name: string,
  args: readonly CallArgument[],
  node: ast.Node,
  context: Context,
  apply: (args: readonly CallArgument[]) => Value,
): Value {
  const record = args.find(({ value }) => value.kind === 'record')!;
  const value = record.value as RecordValue;
  if (name === 'size' || name === 'ndims') {
    const sizes = simple(context.builder.pool.zero, 'Real', 'constant', value.dims);
    return apply(args.map((arg) => (arg === record ? { ...arg, value: sizes } : arg)));
  }
  if ((name === 'sum' || name === 'product') && value.operators) return total(name, value, node, context);
  const hasSizes = leaves(value).some((leaf) => leaf.value.dims.length > value.dims.length);
  if (fieldwise.has(name) && !(reshaping.has(name) && hasSizes)) {
    const result = overFields(args, apply);
    if (result) return result;
  }
  const message = `\`${name}\` cannot take a record (${typeName(value)}).`;
  return report('type-mismatch', message, record.node, context);
}

/** The sum or product of all elements of an array of operator records. */
export function total(name: 'sum' | 'product', value: RecordValue, node: ast.Node, context: Context): Value {
  if (value.dims.length === 0) return value;
  const elements = elementsOf(context.builder, value);
  return folded(name === 'sum' ? '+' : '*', elements, value.operators, node, context);
}

/** A function of simple values for every field of records; undefined where these have different fields. */
function overFields(
  args: readonly CallArgument[],
  apply: (args: readonly CallArgument[]) => Value,
): Value | undefined {
  const first = args.find(({ value }) => value.kind === 'record')!.value as RecordValue;
  const names = leaves(first).map(({ name }) => name);
  const lists = args.map(({ value }) =>
    value.kind === 'record' ? new Map(leaves(value).map((leaf) => [leaf.name, leaf.value])) : undefined,
  );
  if (lists.some((list) => list && (list.size !== names.length || names.some((name) => !list.has(name)))))
    return undefined;
  const results: Simple[] = [];
  for (const name of names) {
    const result = apply(args.map((arg, k) => ({ ...arg, value: lists[k]?.get(name) ?? arg.value })));
    if (isUnknown(result) || result.kind === 'record') return result;
    results.push(result);
  }
  const own = leaves(first)[0]!.value.dims.length - first.dims.length;
  const dims = results[0]!.dims.slice(0, results[0]!.dims.length - own);
  let next = 0;
  return mapLeaves(
    first,
    () => results[next++]!,
    (old) => [...dims, ...old.slice(first.dims.length)],
  );
}
