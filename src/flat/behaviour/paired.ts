/**
 * If-equations of the elements of an array. Conditions stand in one table for the whole model and have no iterator, so that an if-equation
 * whose condition differs from element to element is written out one by one; unless its branches determine the same variables:
 *
 *     if T > Tm then c = c1; else c = c2; end if;        is        c = if T > Tm then c1 else c2;
 *
 * Where left sides are other expressions, or right sides have derivatives, branches may differ in their structure; they are not paired.
 */
import { nodesOf } from '../../symbolic/analyse.ts';
import type * as ast from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/unparse.ts';
import { type Context, originOf } from '../core/context.ts';
import { isUnknown } from '../core/values.ts';
import { condition } from '../expressions/expressions.ts';
import { decideParameters } from '../expressions/guards.ts';
import type { FlatEquality, FlatEquation } from '../flat.ts';

/** Whether there is an `else`, and all branches have equations with the same left sides. */
export function isPaired({ branches, otherwise }: ast.IfEquation): boolean {
  if (!otherwise || otherwise.length === 0) return false;
  const lefts = leftSides(otherwise);
  if (!lefts || lefts.size !== otherwise.length) return false;
  return branches.every(({ body }) => {
    const own = leftSides(body);
    return (
      own &&
      body.length === lefts.size &&
      own.size === lefts.size &&
      [...own].every((left) => lefts.has(left))
    );
  });
}

/** The equations with conditional right sides; undefined where the condition is the same for all elements, or branches cannot be paired. */
export function pairedEquations(
  node: ast.IfEquation,
  context: Context,
  translate: (equation: ast.Equation) => FlatEquation[],
): FlatEquation[] | undefined {
  const { builder } = context;
  if (!isPaired(node)) return undefined;
  const mark = builder.mark();
  const conditions = node.branches.map((branch) => condition(branch.condition, context));
  const isOfElement = conditions.some(
    (value) => !isUnknown(value) && nodesOf(value.expr).some(({ kind }) => kind === 'iter'),
  );
  const bodies = isOfElement ? [...node.branches.map(({ body }) => body), node.otherwise!] : [];
  const { unsure } = builder;
  const rows = bodies.map((body) => rowsOf(body.flatMap(translate)));
  const [first, ...others] = rows;
  const equations = [...(first ?? [])].map(([left, equation]): FlatEquality | undefined => {
    const partners = others.map((own) => own?.get(left));
    if (!partners.every((partner) => partner !== undefined)) return undefined;
    const rights = [equation, ...partners].map(({ right }) => right);
    const right = rights.reduceRight((otherwise, right, k) =>
      builder.pool.if((conditions[k] as { expr: typeof right }).expr, right, otherwise),
    );
    return { ...equation, right, origin: originOf(node, context) };
  });
  // Branches that make no sense by themselves are translated for the values of the iterator that choose them.
  const fits =
    builder.diagnostics.length === mark[0] &&
    rows.length > 0 &&
    rows.every((own) => own?.size === first?.size);
  if (fits && equations.every((equation) => equation !== undefined)) {
    if (builder.unsure > unsure) for (const test of conditions) decideParameters(builder, test);
    return equations;
  }
  builder.rewind(mark);
  return undefined;
}

/** By variable; undefined where there is something else than equations for variables, or a derivative on a right side. */
function rowsOf(equations: readonly FlatEquation[]): Map<FlatEquality['left'], FlatEquality> | undefined {
  const rows = new Map<FlatEquality['left'], FlatEquality>();
  for (const equation of equations) {
    if (equation.kind !== 'equal' || equation.left.kind !== 'ref' || rows.has(equation.left))
      return undefined;
    if (nodesOf(equation.right).some((node) => node.kind === 'ref' && node.order > 0)) return undefined;
    rows.set(equation.left, equation);
  }
  return rows;
}

function leftSides(body: readonly ast.Equation[]): Set<string> | undefined {
  const lefts = new Set<string>();
  for (const equation of body) {
    if (equation.kind !== 'equal') return undefined;
    lefts.add(printExpression(equation.left));
  }
  return lefts;
}
