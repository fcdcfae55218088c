/** Reductions with iterators: `sum(e for i in r, j in s)` and its relatives (Modelica 3.6, section 10.3.4.1). */

import { sameItems } from '../../collections/lists.ts';
import { dimsName } from '../../model/value.ts';
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
import { elementsOf } from './subscripts.ts';

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
    if (isUnknown(value) || isReducible(name, value)) return value;
    const message = `\`${name}\` needs ${needed(name)}, not ${typeName(value)}.`;
    return report('type-mismatch', message, body, context);
  }
  const inner = iterators.slice(0, -1);
  const around: Context = { ...context, inExpression: true };
  const result = iterate(last, [body, inner], around, (c) => reduced(name, body, inner, c));
  if (!result) return builder.unknown;
  if (result.kind === 'unrolled') {
    if (result.bodies.some(isUnknown)) return builder.unknown;
    const other = result.bodies.find(({ dims }) => !sameItems(dims, result.bodies[0]!.dims));
    if (other) {
      const message = `\`${name}\` is given arrays of the sizes ${dimsName(result.bodies[0]!.dims)} and ${dimsName(other.dims)}.`;
      return report('dimension-mismatch', message, body, context);
    }
    return elementwise(context, result.bodies, (bodies) => ofBodies(name, bodies, last, context));
  }
  const { iterator, range, body: value } = result.parts[0]!;
  if (isUnknown(value)) return value;
  return elementwise(context, [value], ([own]) => {
    if (own!.kind === 'record' && isAddable(name)) {
      const all = arrayLike(own!, [range.values.length], (expr) =>
        builder.pool.apply('comprehension', expr, builder.pool.iter(iterator), range.expr),
      );
      return total(name, all as RecordValue, last, context);
    }
    const { pool } = builder;
    const scalar = own as Simple;
    const ofNone = range.values.length === 0 ? extreme(name, scalar.type) : undefined;
    if (ofNone !== undefined) return { ...scalar, expr: pool.const(ofNone) };
    return { ...scalar, expr: pool.apply(reductions[name]!, scalar.expr, pool.iter(iterator), range.expr) };
  });
}

/** The sum of arrays has the sums of their elements. */
function elementwise(
  { builder }: Context,
  bodies: readonly Value[],
  scalar: (bodies: readonly Value[]) => Value,
): Value {
  const dims = bodies[0]?.dims ?? [];
  if (dims.length === 0) return scalar(bodies);
  const elements = bodies.map((body) => elementsOf(builder, body));
  const sums = elements[0]!.map((_, k) => scalar(elements.map((own) => own[k]!)));
  return sums.find(isUnknown) ?? stacked(builder, sums, dims);
}

/** Of scalars that are written out. */
function ofBodies(name: string, bodies: readonly Value[], node: ast.Node, context: Context): Value {
  const { builder } = context;
  const [first] = bodies;
  if (first?.kind === 'record' && isAddable(name))
    return total(name, stacked(builder, bodies, [bodies.length]) as RecordValue, node, context);
  const all = bodies as Simple[];
  const exprs = all.map(({ expr }) => expr);
  return simple(
    builder.pool.apply(unrolledReductions[name]!, builder.pool.apply('array', ...exprs)),
    all[0]?.type ?? 'Real',
    variabilityOfAll(all),
  );
}

/** What the table of section 10.3.4.1 asks for: `sum` takes arrays too, the others scalars. */
function isReducible(name: string, value: Value): boolean {
  if (value.dims.length > 0 && name !== 'sum') return false;
  return value.kind === 'record'
    ? isAddable(name) && value.operators !== undefined
    : isElement(name, value.type);
}

const needed = (name: string): string =>
  name === 'sum' ? 'numbers' : name === 'product' ? 'scalar numbers' : 'scalars that have an order';

/** Records have sums and products, but no least and greatest. */
const isAddable = (name: string): name is 'sum' | 'product' => name === 'sum' || name === 'product';

/** Numbers, and for the least and greatest also Booleans and enumerations (section 10.3.4.1). */
const isElement = (name: string, type: Type): boolean =>
  isNumeric(type) || (!isAddable(name) && (type === 'Boolean' || typeof type === 'object'));

/** The least and greatest of no Booleans and of no literals: the last and the first value of the type. */
function extreme(name: string, type: Type): number | undefined {
  const literals = type === 'Boolean' ? 1 : typeof type === 'object' ? type.literals.length : undefined;
  if (literals === undefined) return undefined;
  return name === 'min' ? literals : type === 'Boolean' ? 0 : 1;
}

const variabilityOfAll = (values: readonly Simple[]): Variability =>
  values.reduce<Variability>((all, value) => join(all, value.variability), 'constant');
