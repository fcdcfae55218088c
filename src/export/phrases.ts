/** Small expressions that the text is made of, built as they should be read. */
import { append } from '../collections/groups.ts';
import type { FlatAction, FlatEquation, Origin } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** Of what the text alone has. */
export const nowhereInText: Origin = { span: undefined, component: '' };

export const define = (left: Expr, right: Expr, origin = nowhereInText): FlatEquation => ({
  kind: 'equal',
  left,
  right,
  origin,
});

/** Actions at the events at which one of some Booleans becomes true. */
export const whenever = (
  condition: Expr,
  body: readonly FlatAction[],
  origin = nowhereInText,
): FlatEquation => ({
  kind: 'when',
  branches: [{ condition, body }],
  origin,
});

/** `left == value`, of Integers. */
export const equal = (pool: Pool, left: Expr, value: number): Expr =>
  pool.raw('eq', [left, pool.const(value)]);

export function conjunction(pool: Pool, parts: readonly Expr[]): Expr {
  return parts.reduce<Expr>((all, part) => pool.and(all, part), pool.one);
}

export function disjunction(pool: Pool, parts: readonly Expr[]): Expr {
  return [...new Set(parts)].reduce<Expr>((any, part) => pool.apply('or', any, part), pool.zero);
}

/** The condition of a when-equation: one Boolean, or several of which any one counts. */
export const array = (pool: Pool, parts: readonly Expr[]): Expr =>
  parts.length === 1 ? parts[0]! : pool.raw('array', parts);

/** The alternatives of a disjunction. */
export function disjuncts(expr: Expr): Expr[] {
  if (expr.kind === 'const') return [];
  return expr.kind === 'apply' && expr.op === 'or' ? expr.args.flatMap(disjuncts) : [expr];
}

/** A value where something holds. */
export interface Case {
  readonly when: Expr;
  readonly value: Expr;
}

/** The value of the first case that holds. */
export const chain = (pool: Pool, cases: readonly Case[], otherwise: Expr): Expr =>
  cases.reduceRight((rest, { when, value }) => pool.if(when, value, rest), otherwise);

/** `if` for each distinct value, the most frequent one last, as `else`. */
export function choice(pool: Pool, cases: readonly Case[], otherwise?: Expr): Expr {
  const groups = new Map<Expr, Expr[]>();
  for (const { when, value } of cases) append(groups, value, when);
  const list = [...groups.entries()];
  let result = otherwise;
  if (!result) {
    let most = 0;
    for (const [k, [, whens]] of list.entries()) if (whens.length >= list[most]![1].length) most = k;
    result = list.splice(most, 1)[0]![0];
  }
  for (const [value, whens] of list.reverse()) result = pool.if(disjunction(pool, whens), value, result);
  return result;
}
