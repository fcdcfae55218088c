/** What flat equations are written into as scalar ones, and how their expressions are made scalar: what all kinds of them need. */
import type { FlatModel, Guard, Origin } from '../flat/flat.ts';
import { symbolsOf } from '../symbolic/analyse.ts';
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
  /** Whether a value may be another one without an event. */
  changesContinuously(expr: Expr): boolean;
  /** Scalar symbols of a variable of the flat model. */
  symbolsOf(variable: number): number[];
}

/** `symbol = value`, which a discrete variable can only be computed by. */
export function definition(
  { pool, scalars }: Pick<ScalarSink, 'pool' | 'scalars'>,
  symbol: number,
  value: Expr,
  guard: Guard,
  origin: Origin,
): GuardedEquation {
  const assigns = scalars[symbol]!.kind === 'discrete' ? symbol : undefined;
  return { guard, left: pool.ref(symbol), right: value, assigns, origin };
}

/** When all variables of some expressions exist, each where its guard holds. */
export function existenceOf(exprs: readonly Expr[], guardOf: (symbol: number) => Guard | undefined): Guard {
  const literals = new Map<number, Guard[number]>();
  for (const symbol of exprs.flatMap(symbolsOf))
    for (const literal of guardOf(symbol) ?? []) literals.set(literal.condition, literal);
  return [...literals.values()];
}
