/**
 * Conditions of transitions that are true while something changes, and false as soon as it has: `edge(b)`, `change(n)`, and Booleans that are
 * equal to them. When all has settled at an instant, and transitions are taken, nothing changes any more; so such conditions count as
 * when-clauses see them.
 */
import { append } from '../../collections/groups.ts';
import type { GuardedModel } from '../../modes/guarded.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';

/** Tells whether an expression compares what is with what was before, itself or through discrete variables that do not remember anything. */
export function passingIn({
  equations,
  scalars,
}: Pick<GuardedModel, 'equations' | 'scalars'>): (expr: Expr) => boolean {
  const definitions = new Map<number, Expr[]>();
  for (const { assigns, right } of equations) {
    if (assigns !== undefined && scalars[assigns]!.kind === 'discrete') append(definitions, assigns, right);
  }
  return (expr) => {
    const seen = new Set<number>();
    const open = [expr];
    for (let next = open.pop(); next; next = open.pop()) {
      for (const leaf of leaves(next)) {
        if (leaf.kind === 'pre') return true;
        if (leaf.kind !== 'ref' || seen.has(leaf.symbol)) continue;
        seen.add(leaf.symbol);
        const own = definitions.get(leaf.symbol) ?? [];
        const remembers = own.some((value) =>
          leaves(value).some((l) => l.kind === 'pre' && l.symbol === leaf.symbol),
        );
        if (!remembers) open.push(...own);
      }
    }
    return false;
  };
}
