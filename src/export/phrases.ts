/** Small expressions that the text is made of, built as they should be read. */
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** `variable == value`, of Integers. */
export const equal = (pool: Pool, variable: Ref, value: number): Expr => is(pool, variable, value);

export const is = (pool: Pool, left: Expr, value: number): Expr => pool.raw('eq', [left, pool.const(value)]);

/** False. */
export const nowhere = (pool: Pool): Expr => pool.zero;

export function conjunction(pool: Pool, parts: readonly Expr[]): Expr {
  return parts.reduce<Expr>((all, part) => pool.and(all, part), pool.one);
}

export function disjunction(pool: Pool, parts: readonly Expr[]): Expr {
  return [...new Set(parts)].reduce<Expr>((any, part) => pool.apply('or', any, part), pool.zero);
}

/** `if` for each distinct value, the most frequent one last, as `else`. */
export function choice(
  pool: Pool,
  cases: readonly { readonly when: Expr; readonly value: Expr }[],
  otherwise?: Expr,
): Expr {
  const groups = new Map<Expr, Expr[]>();
  for (const { when, value } of cases) groups.set(value, [...(groups.get(value) ?? []), when]);
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
