/** Aliases of a sorted mode: variables that were eliminated because they equal others. */
import type { Switching } from '../structure/jumps.ts';
import { aliasOf, type SortedMode } from '../structure/sorted.ts';
import { substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Runtime } from './runtime.ts';

/** Replaces eliminated variables by what they are aliases of. */
export function aliasResolver({ pool }: Runtime, { aliases }: SortedMode): (expr: Expr) => Expr {
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

/** What relations compare, in terms of the variables of a mode; undefined where time decides. */
export function relationsIn(runtime: Runtime, sorted: SortedMode): Switching['relationOf'] {
  const resolve = aliasResolver(runtime, sorted);
  return (relation) => {
    const { op, left, right, switchTime } = runtime.model.relations[relation]!;
    return switchTime ? undefined : { op, indicator: resolve(runtime.pool.sub(left, right)) };
  };
}
