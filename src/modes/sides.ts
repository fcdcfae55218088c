/** What can change in expressions, and which side of an equation it determines: a discrete variable that stands alone, or nothing for sure. */
import { Failure } from '../diagnostic/failure.ts';
import type { FlatModel, Origin } from '../flat/flat.ts';
import { children, reachable } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { influentialArguments } from '../symbolic/influence.ts';
import { slicedOutput } from '../symbolic/slice.ts';
import type { GuardedEquation, Scalar } from './guarded.ts';

/** Whether an expression, but for what is inside it, may change between events. */
export const flows = (scalars: readonly Scalar[], e: Expr): boolean =>
  e.kind === 'time' || (e.kind === 'ref' && (e.order > 0 || scalars[e.symbol]!.kind === 'continuous'));

/** Whether nothing in an expression changes during a run. */
export function isConstant(scalars: readonly Scalar[], expr: Expr): boolean {
  return !reachable(
    expr,
    (e) =>
      e.kind === 'held' ||
      e.kind === 'time' ||
      e.kind === 'pre' ||
      (e.kind === 'ref' && scalars[e.symbol]!.kind !== 'parameter'),
  );
}

export class EquationSides {
  constructor(
    private readonly flat: FlatModel,
    private readonly scalars: readonly Scalar[],
  ) {}

  /** The sides of an equation, with what it assigns on the left; `once` where it is computed once only. */
  oriented(
    left: Expr,
    right: Expr,
    origin: Origin,
    once: boolean,
  ): Pick<GuardedEquation, 'left' | 'right' | 'assigns'> {
    const l = this.discreteSymbol(left, right);
    const r = this.isContinuous(left) ? undefined : this.discreteSymbol(right, left);
    // b1 = b2 may be solved for either side; structure decides.
    if ((l === undefined) === (r === undefined)) return { left, right, assigns: undefined };
    const [symbol, own, given] = l !== undefined ? [l, left, right] : [r!, right, left];
    const { pool, functions } = this.flat;
    const value = (given.kind === 'call' && slicedOutput(pool, functions, given)) || given;
    if (!once) this.checkDiscrete(symbol, value, origin);
    return { left: own, right: value, assigns: symbol };
  }

  /** The discrete variable that stands alone on a side and can be computed from the other one. */
  private discreteSymbol(expr: Expr, expression: Expr): number | undefined {
    if (expr.kind !== 'ref' || expr.order > 0) return undefined;
    const { kind, type } = this.scalars[expr.symbol]!;
    if (kind !== 'discrete') return undefined;
    // An equation between a discrete Real and continuous variables determines one of the latter, as does `n = x`.
    const other = type === 'Real' || expression.kind === 'ref';
    return other && this.isContinuous(expression) ? undefined : expr.symbol;
  }

  private isContinuous(expr: Expr): boolean {
    return reachable(expr, (e) => e.kind === 'ref' && flows(this.scalars, e));
  }

  /** An output of a function changes with the arguments that act on it: a counter of a loop not with what the loop sums up. */
  changesContinuously(expr: Expr): boolean {
    const { functions } = this.flat;
    const acting = (e: Expr): readonly Expr[] =>
      e.kind === 'call' && e.fn < functions.length ? influentialArguments(functions, e) : children(e);
    return reachable(expr, (e) => flows(this.scalars, e), new Set(), acting);
  }

  /** Discrete values that are computed from continuous ones without an event would stay what they were at the start. */
  checkDiscrete(symbol: number, value: Expr, origin: Origin): void {
    if (!this.changesContinuously(value)) return;
    const { name, type } = this.scalars[symbol]!;
    const message = `The ${type} variable ${name} can change at events only, but its equation changes continuously.`;
    const functions =
      type === 'Real' || this.flat.functions.length === 0
        ? ''
        : '; those in functions do where these have `annotation(GenerateEvents = true)`';
    const hint = `Compute it in a when-equation, or from relations that cause events${functions}.`;
    throw Failure.of('translate', 'variability', message, { span: origin.span, hint });
  }
}
