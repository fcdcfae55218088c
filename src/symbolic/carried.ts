/**
 * What a flow carries along: `x*(if x > 0 then a else b)`, `if x >= 0 then x*a else x*b`. It chooses by the direction of the flow x, and does not jump where that changes, because both
 * sides are zero there (Modelica 3.6, sections 3.7.4.2 and 15.3). Products by other flows may.
 */
import type { Apply, Expr } from './expr.ts';
import type { Pool } from './pool.ts';

/** A conditional expression whose condition compares with zero. */
export interface Choice {
  readonly condition: Expr;
  readonly holds: Expr;
  readonly fails: Expr;
}

/**
 * The choice in such an expression, and the same expression with another condition; undefined for any other. `sidesOf` gives the sides of a relation that is a condition.
 */
export function carried(
  pool: Pool,
  node: Apply,
  sidesOf: (condition: Expr) => { readonly left: Expr; readonly right: Expr } | undefined,
): { readonly choice: Choice; readonly by: (condition: Expr) => Expr } | undefined {
  if (node.op === 'if') {
    const own = choiceOf(pool, node, sidesOf);
    const vanishes = (branch: Expr) => branch === pool.zero || isMultiple(pool, branch, own!.flow);
    if (!own || !vanishes(own.choice.holds) || !vanishes(own.choice.fails)) return undefined;
    return { choice: own.choice, by: (condition) => chosen(pool, own.choice, condition) };
  }
  if (node.op !== 'mul') return undefined;
  const [a, b] = node.args as [Expr, Expr];
  for (const [factor, other] of [
    [a, b],
    [b, a],
  ] as const) {
    const own = choiceOf(pool, factor, sidesOf);
    if (own && isMultiple(pool, other, own.flow))
      return { choice: own.choice, by: (condition) => pool.mul(other, chosen(pool, own.choice, condition)) };
  }
  return undefined;
}

function choiceOf(
  pool: Pool,
  expr: Expr,
  sidesOf: Parameters<typeof carried>[2],
): { readonly choice: Choice; readonly flow: Expr } | undefined {
  if (expr.kind !== 'apply' || expr.op !== 'if') return undefined;
  const [condition, holds, fails] = expr.args as [Expr, Expr, Expr];
  const sides = sidesOf(condition);
  if (!sides) return undefined;
  const { left, right } = sides;
  const flow = right === pool.zero ? left : left === pool.zero ? right : undefined;
  return flow && { choice: { condition, holds, fails }, flow };
}

const chosen = (pool: Pool, { holds, fails }: Choice, condition: Expr): Expr =>
  pool.if(condition, holds, fails);

/** Whether an expression is zero where x is: x itself, or a product with it. */
function isMultiple(pool: Pool, expr: Expr, x: Expr): boolean {
  if (expr === x || expr === pool.neg(x)) return true;
  if (expr.kind !== 'apply') return false;
  if (expr.op === 'neg') return isMultiple(pool, expr.args[0]!, x);
  return expr.op === 'mul' && expr.args.some((factor) => isMultiple(pool, factor, x));
}
