/** What has to be remembered from one iteration to the next: the variables with a value of `pre`. */

import { reachable } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { GuardedModel } from './guarded.ts';
import { eachUse } from './uses.ts';

/** Variables whose left limit is asked for somewhere, and all discrete ones. */
export function rememberedIn(model: Omit<GuardedModel, 'remembered'>): number[] {
  const symbols = new Set<number>();
  const seen = new Set<Expr>();
  const collect = (expr: Expr) => {
    reachable(
      expr,
      (e) => {
        if (e.kind === 'pre') symbols.add(e.symbol);
        return false;
      },
      seen,
    );
  };
  eachUse(model, collect);
  for (const { left, right } of [...model.initialEquations, ...model.relations]) {
    collect(left);
    collect(right);
  }
  for (const [symbol, scalar] of model.scalars.entries()) if (scalar.kind === 'discrete') symbols.add(symbol);
  return [...symbols].sort((a, b) => a - b);
}
