/** What has to be remembered from one iteration to the next: the variables with a value of `pre`. */

import { eachNode } from '../symbolic/analyse.ts';
import type { GuardedModel } from './guarded.ts';
import { eachUse } from './uses.ts';

/** Variables whose left limit is asked for somewhere, and all discrete ones. */
export function rememberedIn(model: Omit<GuardedModel, 'remembered'>): number[] {
  const symbols = new Set<number>();
  const exprs = [...model.initialEquations, ...model.relations].flatMap(({ left, right }) => [left, right]);
  eachUse(model, (expr) => exprs.push(expr));
  eachNode(exprs, (node) => {
    if (node.kind === 'pre') symbols.add(node.symbol);
  });
  for (const [symbol, scalar] of model.scalars.entries()) if (scalar.kind === 'discrete') symbols.add(symbol);
  return [...symbols].sort((a, b) => a - b);
}
