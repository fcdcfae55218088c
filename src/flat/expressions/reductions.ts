/** Reductions with iterators: `sum(e for i in r, j in s)` and its relatives (Modelica 3.6, section 10.3.4.1). */
import type { Op } from '../../symbolic/expr.ts';
import type * as ast from '../../syntax/ast.ts';
import { type Context, report } from '../core/context.ts';
import {
  arrayLike,
  isNumeric,
  isUnknown,
  join,
  type RecordValue,
  type Simple,
  simple,
  type Type,
  typeName,
  type Value,
} from '../core/values.ts';
import type { Variability } from '../flat.ts';
import { expression } from './expressions.ts';
import { total } from './fields.ts';
import { iterate } from './iteration.ts';
import { stacked } from './references.ts';

const reductions: { readonly [name: string]: Op } = {
  sum: 'sumOver',
  product: 'productOver',
  min: 'minOver',
  max: 'maxOver',
};

const unrolledReductions: { readonly [name: string]: Op } = {
  sum: 'sum',
  product: 'product',
  min: 'minOf',
  max: 'maxOf',
};

/** `sum(e for i in r, j in s)`. */
export function reduction(name: string, node: ast.Call, context: Context): Value {
  const op = reductions[name];
  const body = node.positional[0];
  if (name === 'array' && body && body.kind !== 'partial') {
    return expression({ ...node, kind: 'comprehension', value: body, iterators: node.iterators! }, context);
  }
  if (!op || !body || body.kind === 'partial') {
    return report('bad-call', `\`${name}\` cannot be used with \`for\`.`, node, context, {
      hint: 'Reductions are `sum`, `product`, `min` and `max`.',
    });
  }
  return reduced(name, body, node.iterators!, context);
}

function reduced(
  name: string,
  body: ast.Expression,
  iterators: readonly ast.Iterator[],
  context: Context,
): Value {
  const { builder } = context;
  const last = iterators[iterators.length - 1];
  if (!last) {
    const value = expression(body, context);
    if (isUnknown(value) || (isAddable(name) && value.kind === 'record' && value.operators)) return value;
    if (value.kind === 'record' || value.dims.length > 0 || !isReducible(name, value.type)) {
      const what = isAddable(name) ? 'scalar numbers' : 'scalars that have an order';
      const message = `\`${name}\` needs ${what}, not ${typeName(value)}.`;
      return report('type-mismatch', message, body, context);
    }
    return value;
  }
  const inner = iterators.slice(0, -1);
  const around: Context = { ...context, inExpression: true };
  const result = iterate(last, [body, inner], around, (c) => reduced(name, body, inner, c));
  if (!result) return builder.unknown;
  const { pool } = builder;
  if (result.kind === 'unrolled') {
    if (result.bodies.some(isUnknown)) return builder.unknown;
    const [first] = result.bodies;
    if (first?.kind === 'record' && isAddable(name)) {
      const all = stacked(builder, result.bodies, [result.bodies.length]);
      return total(name, all as RecordValue, last, context);
    }
    const bodies = result.bodies as Simple[];
    return simple(
      pool.apply(unrolledReductions[name]!, pool.apply('array', ...bodies.map((value) => value.expr))),
      bodies[0]?.type ?? 'Real',
      variabilityOfAll(bodies),
    );
  }
  const { iterator, range, body: value } = result.parts[0]!;
  if (isUnknown(value)) return value;
  if (value.kind === 'record' && isAddable(name)) {
    const all = arrayLike(value, [range.values.length], (expr) =>
      pool.apply('comprehension', expr, pool.iter(iterator), range.expr),
    );
    return total(name, all as RecordValue, last, context);
  }
  const ofNone = range.values.length === 0 ? extreme(name, (value as Simple).type) : undefined;
  if (ofNone !== undefined) return { ...(value as Simple), expr: pool.const(ofNone) };
  return {
    ...(value as Simple),
    expr: pool.apply(reductions[name]!, (value as Simple).expr, pool.iter(iterator), range.expr),
  };
}

/** Records have sums and products, but no least and greatest. */
const isAddable = (name: string): name is 'sum' | 'product' => name === 'sum' || name === 'product';

/** Numbers, and for the least and greatest also Booleans and enumerations (section 10.3.4.1). */
const isReducible = (name: string, type: Type): boolean =>
  isNumeric(type) || (!isAddable(name) && (type === 'Boolean' || typeof type === 'object'));

/** The least and greatest of no Booleans and of no literals: the last and the first value of the type. */
function extreme(name: string, type: Type): number | undefined {
  const literals = type === 'Boolean' ? 1 : typeof type === 'object' ? type.literals.length : undefined;
  if (literals === undefined) return undefined;
  return name === 'min' ? literals : type === 'Boolean' ? 0 : 1;
}

const variabilityOfAll = (values: readonly Simple[]): Variability =>
  values.reduce<Variability>((all, value) => join(all, value.variability), 'constant');
