/** What has to be remembered from one iteration to the next: the variables with a value of `pre`. */

import { reachable } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { GuardedModel } from './guarded.ts';

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
  for (const e of [...model.equations, ...model.initialEquations]) {
    collect(e.left);
    collect(e.right);
  }
  for (const c of model.conditions) collect(c.value);
  for (const r of model.relations) {
    collect(r.left);
    collect(r.right);
  }
  for (const a of model.actions) {
    if (a.fire) collect(a.fire);
    if (a.kind === 'reinit') collect(a.value);
    if (a.kind === 'assert') collect(a.condition);
  }
  for (const { transitions } of model.machines) {
    for (const t of transitions) for (const e of [t.condition, ...t.actions.map((a) => a.value)]) collect(e);
  }
  for (const [symbol, scalar] of model.scalars.entries()) if (scalar.kind === 'discrete') symbols.add(symbol);
  return [...symbols].sort((a, b) => a - b);
}
