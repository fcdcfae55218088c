/**
 * Left limits that initial equations determine (Modelica 3.6, section 8.6: at the beginning `pre(v)` is an unknown). `pre(n) = 3` says it outright; `active = true`
 * says it where the model computes `active = pre(next)`, and `pre(a) = pre(b)` hands it on. So variables and left limits that equations copy from
 * each other form groups, and an initial equation that gives a value to one of a group gives it to all its left limits.
 */
import { Ties } from '../../collections/forest.ts';
import type { Mode } from '../../modes/mode.ts';
import type { SortedMode } from '../../structure/analysis.ts';
import type { Expr, Pre } from '../../symbolic/expr.ts';
import type { RunValues } from '../evaluation.ts';
import type { Runtime } from '../runtime.ts';

/** A left limit and what an initial equation says it is. */
export interface LeftLimit {
  readonly limit: Pre;
  readonly value: Expr;
}

/** Initial equations of left limits; of several for the same the first: the others must agree. What they depend on may be determined with them. */
export function leftLimits(equations: Mode['initialEquations'], resolve: (expr: Expr) => Expr): LeftLimit[] {
  const values = new Map<Pre, Expr>();
  for (const { left, right } of equations)
    if (left.kind === 'pre' && !values.has(left)) values.set(left, resolve(right));
  return [...values].map(([limit, value]) => ({ limit, value }));
}

/** Sets the left limits that initial equations of a mode determine by way of others. */
export function setLeftLimits(
  { values }: Runtime,
  equations: Mode['initialEquations'],
  { mode, sorted }: { readonly mode: Mode; readonly sorted: SortedMode },
): void {
  if (equations.length === 0) return;
  const { limits, given, groupOf } = copies(values, equations, mode, sorted);
  const determined = new Set<Expr>(equations.map(({ left }) => left));
  for (const limit of limits) {
    const value = given.get(groupOf(limit));
    if (!value || determined.has(limit) || values.model.scalars[limit.symbol]!.fixed) continue;
    values.set(limit, values.evaluate(value));
  }
}

function copies(values: RunValues, equations: Mode['initialEquations'], mode: Mode, sorted: SortedMode) {
  const { pool, model } = values;
  const ties = new Ties();
  const limits = new Set<Pre>();
  const isVariable = (expr: Expr): boolean =>
    expr.kind === 'pre' ||
    (expr.kind === 'ref' && expr.order === 0 && model.scalars[expr.symbol]?.kind !== 'parameter');
  const tie = (a: Expr, b: Expr): void => {
    ties.tie(a.id, b.id);
    for (const leaf of [a, b]) if (leaf.kind === 'pre') limits.add(leaf);
  };
  for (const { assigns, right } of mode.equations)
    if (assigns !== undefined && isVariable(right)) tie(pool.ref(assigns), right);
  for (const { symbol, target, sign } of sorted.aliases)
    if (sign === 1) tie(pool.ref(symbol), pool.ref(target));
  const given = new Map<number, Expr>();
  const gifts: { readonly variable: Expr; readonly value: Expr }[] = [];
  for (const { left, right } of equations) {
    if (isVariable(left) && isVariable(right)) tie(left, right);
    else if (isVariable(left)) gifts.push({ variable: left, value: right });
    else if (isVariable(right)) gifts.push({ variable: right, value: left });
  }
  for (const { variable, value } of gifts) given.set(ties.root(variable.id), value);
  return { limits, given, groupOf: (leaf: Expr) => ties.root(leaf.id) };
}
