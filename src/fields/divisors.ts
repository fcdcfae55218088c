/**
 * What equations may be divided by. Surely by what is known not to vanish (`structure/nonzero.ts`). Beyond that it is assumed of some
 * factors that change while a model runs:
 *
 * - that user functions are positive: conductivities, viscosities, friction factors;
 * - that the factor of a derivative does not vanish, unless it does so in a branch: a heat capacity that depends on the temperature.
 *
 * Scalars need no such assumption, as their systems are solved with pivots: a run that fails after one was made is made again
 * with scalars.
 */
import { isNonzero, isParametric, type Knowledge } from '../structure/nonzero.ts';
import { nodesOf, substitute } from '../symbolic/analyse.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** Stands for the value of any user function: no symbol of a model. */
const positive = 2 ** 29;

export class Divisors {
  /** Whether something was assumed so far. */
  assumed = false;
  private readonly pool: Pool;
  private readonly knowledge: Knowledge;
  private readonly withFunctions: Knowledge;

  constructor(pool: Pool, knowledge: Knowledge) {
    this.pool = pool;
    this.knowledge = knowledge;
    this.withFunctions = {
      isParameter: (symbol) => symbol === positive || knowledge.isParameter(symbol),
      evaluate: (expr) =>
        expr.kind === 'ref' && expr.symbol === positive ? 1 : (knowledge.evaluate?.(expr) ?? Number.NaN),
    };
  }

  isSure(factor: Expr): boolean {
    return isNonzero(factor, this.knowledge);
  }

  /** Whether an equation can be divided by the factor of an unknown. */
  allows(factor: Expr, unknown: Ref): boolean {
    if (this.isSure(factor)) return true;
    if (!this.isPositive(factor) && !(unknown.order === 1 && this.isCapacity(factor))) return false;
    this.assumed = true;
    return true;
  }

  private isPositive(factor: Expr): boolean {
    const { pool } = this;
    if (!nodesOf(factor).some(({ kind }) => kind === 'call')) return false;
    const value = pool.ref(positive);
    const assumed = substitute(pool, factor, (node) => (node.kind === 'call' ? value : undefined));
    return isNonzero(assumed, this.withFunctions);
  }

  private isCapacity(factor: Expr): boolean {
    if (this.isSure(factor)) return true;
    if (factor.kind === 'apply' && (factor.op === 'mul' || factor.op === 'div' || factor.op === 'neg'))
      return factor.args.every((arg) => this.isCapacity(arg));
    const isChoice = (node: Expr): boolean => node.kind === 'apply' && node.op === 'if';
    return !isParametric(factor, this.knowledge) && !nodesOf(factor).some(isChoice);
  }
}
