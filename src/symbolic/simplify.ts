/** Local simplification rules, applied when the pool builds an operator node. */
import type { Expr, Op } from './expr.ts';
import type { Pool } from './pool.ts';

export function simplifyApply(pool: Pool, op: Op, args: readonly Expr[]): Expr {
  return pool.raw(op, args);
}
