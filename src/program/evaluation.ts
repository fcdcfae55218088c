/**
 * Values of a model in a run: the memory in which they lie, and expressions evaluated on it. This is what ticks and built-in components need to
 * know of a `Runtime`, which is made of them.
 */
import type { Memory } from '../code/memory.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

export interface StageEvaluation {
  readonly model: GuardedModel;
  readonly pool: Pool;
  readonly memory: Memory;
  slot(leaf: Expr): number;
  get(leaf: Expr): number;
  evaluate(expr: Expr): number;
  text(expr: Expr): string;
  print(expr: Expr): string;
}
