/**
 * What elements are counted by: types that are given for sizes and ranges (specification 3.6, sections 10.1 and 11.2.2.2), and the dimensions
 * from which an iterator without a range takes its own (section 11.2.2.1).
 */
import type { DiagnosticCode } from '../../diagnostic/codes.ts';
import type * as ast from '../../syntax/ast.ts';
import type { SubscriptUse } from '../../syntax/subscripts.ts';
import { printExpression } from '../../syntax/unparse.ts';
import type { Enumeration, IndexType, Scope } from '../instance.ts';
import { entityOf } from './class.ts';
import { resolve } from './lookup.ts';
import { shapeOf } from './shape.ts';

/** A type whose values can be counted. */
export type CountedType = 'Boolean' | Enumeration;

/** The type that an expression names, where its values can be counted. */
export function countedType(scope: Scope, node: ast.Expression): CountedType | undefined {
  if (node.kind !== 'ref') return undefined;
  const resolution = resolve(scope, node);
  if (resolution.kind === 'builtin' && resolution.name === 'Boolean') return 'Boolean';
  if (resolution.kind !== 'class') return undefined;
  const { enumeration, predefined, subscripts } = shapeOf(entityOf(resolution.class));
  if (enumeration) return enumeration;
  return predefined === 'Boolean' && subscripts.length === 0 ? 'Boolean' : undefined;
}

export const countOf = (type: CountedType): number => (type === 'Boolean' ? 2 : type.literals.length);

/** How messages name what a dimension is counted by. */
export const indexName = (type: IndexType): string =>
  typeof type === 'object' ? type.path : (type ?? 'Integer');

/** The number of elements of a dimension of an array, and what they are counted by. */
export interface Dimension {
  readonly count: number;
  readonly type: IndexType;
}

/** The dimension of a component or constant at which a subscript stands. */
export function dimensionAt(scope: Scope, { ref, part, dimension }: SubscriptUse): Dimension | undefined {
  const resolution = resolve(scope, ref);
  const isConstant = resolution.kind === 'constant' && part === ref.parts.length - 1;
  const instance =
    resolution.kind === 'component'
      ? resolution.parts[part]?.instance
      : isConstant
        ? resolution.instance
        : undefined;
  const count = instance?.dims[dimension];
  return count === undefined ? undefined : { count, type: instance!.indexTypes[dimension] };
}

/** What counts a dimension of a variable of a function, by its declaration. */
export function declaredIndexType(scope: Scope, name: string, dimension: number): IndexType {
  const component = shapeOf(entityOf(scope.lexical)).components.get(name);
  const size = component?.declaration.subscripts[dimension];
  return (size && size.kind !== 'colon' && countedType(scope, size)) || 'Integer';
}

/** Why an iterator has no range. */
export interface NoRange {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly node: ast.Node;
  readonly hint: string;
}

/** The dimension over which an iterator runs: all uses as a subscript must agree. A use whose array is not known gives the use itself. */
export function impliedDimension(
  iterator: ast.Iterator,
  uses: Iterable<SubscriptUse>,
  dimensionOf: (use: SubscriptUse) => Dimension | undefined,
): { readonly dimension: Dimension } | { readonly problem: NoRange } | { readonly unknown: SubscriptUse } {
  const { text: name } = iterator.name;
  let first: { readonly use: SubscriptUse; readonly dimension: Dimension } | undefined;
  for (const use of uses) {
    const dimension = dimensionOf(use);
    if (!dimension) return { unknown: use };
    if (!first) {
      first = { use, dimension };
      continue;
    }
    const { type, count } = first.dimension;
    const differ = indexName(type) !== indexName(dimension.type);
    if (!differ && count === dimension.count) continue;
    const [ranges, others] = differ
      ? [`values of ${indexName(type)}`, `values of ${indexName(dimension.type)}`]
      : [`1:${count}`, `1:${dimension.count}`];
    const message = `\`${name}\` would run over ${ranges} in \`${printExpression(first.use.ref)}\`, but over ${others} in \`${printExpression(use.ref)}\`.`;
    const hint = `Write the range: \`for ${name} in …\`.`;
    return { problem: { code: 'dimension-mismatch', message, node: use.ref, hint } };
  }
  if (first) return { dimension: first.dimension };
  const message = `\`${name}\` has no range, and is never a subscript that could give it one.`;
  return {
    problem: { code: 'bad-subscript', message, node: iterator, hint: `Write \`for ${name} in 1:n\`.` },
  };
}
