/** Aliases of a sorted mode: variables that were eliminated because they equal others. */
import { aliasOf, type SortedMode } from '../structure/analysis.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** Replaces eliminated variables by what they are aliases of. */
export function aliasResolver(pool: Pool, { aliases }: SortedMode): (expr: Expr) => Expr {
  if (aliases.length === 0) return (expr) => expr;
  const memo = new Map<Expr, Expr>();
  return (expr) =>
    substitute(
      pool,
      expr,
      (leaf) => {
        if (leaf.kind !== 'ref') return undefined;
        const alias = aliasOf(aliases, leaf.symbol);
        if (!alias) return undefined;
        const target = pool.ref(alias.target, leaf.order);
        return alias.sign === 1 ? target : pool.neg(target);
      },
      memo,
    );
}
