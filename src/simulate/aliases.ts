/** Aliases of a sorted mode: variables that were eliminated because they equal others. */
import type { SortedMode } from '../structure/sorted.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Runtime } from './runtime.ts';

/** Replaces eliminated variables by what they are aliases of. */
export function aliasResolver(runtime: Runtime, sorted: SortedMode): (expr: Expr) => Expr {
  const { pool } = runtime;
  const aliases = new Map(sorted.aliases.map((a) => [a.symbol, a]));
  if (aliases.size === 0) return (expr) => expr;
  const memo = new Map<Expr, Expr>();
  return (expr) =>
    substitute(
      pool,
      expr,
      (leaf) => {
        if (leaf.kind !== 'ref') return undefined;
        const alias = aliases.get(leaf.symbol);
        if (!alias) return undefined;
        const target = pool.ref(alias.target, leaf.order);
        return alias.sign === 1 ? target : pool.neg(target);
      },
      memo,
    );
}
