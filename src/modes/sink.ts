/** What flat equations are written into as scalar ones, and how their expressions are made scalar: what all kinds of them need. */
import type { FlatModel, Origin } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { Action, GuardedEquation, Scalar } from './guarded.ts';

export interface ScalarSink {
  readonly flat: FlatModel;
  readonly pool: Pool;
  readonly flags: { readonly initial: number; readonly terminal: number };
  readonly scalars: Scalar[];
  readonly equations: GuardedEquation[];
  readonly actions: Action[];
  /** Adds a scalar and gives its symbol. */
  addScalar(scalar: Scalar): number;
  elements(expr: Expr, origin: Origin): Expr[];
  scalar(expr: Expr, origin: Origin): Expr;
  /** Scalar symbols of a variable of the flat model. */
  symbolsOf(variable: number): number[];
}
