/**
 * What equations may be divided by. Surely by what is known not to vanish (`structure/nonzero.ts`). Beyond that it is assumed of some
 * factors that change while a model runs:
 *
 * - that user functions are positive: conductivities, viscosities, friction factors;
 * - that variables have the sign that their bounds (`min = 0`) or their equations (`G = A*k(T)/L`) give them;
 * - that the factor of a derivative does not vanish, unless it does so in a branch: a heat capacity that depends on the temperature.
 *
 * Scalars need no such assumption, as their systems are solved with pivots: a run that fails after one was made is made again
 * with scalars.
 */
import { definiteSign, isNonzero, isParametric, type Knowledge } from '../../structure/nonzero.ts';
import { nodesOf, substitute } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';

/** Stands for the value of any user function: no symbol of a model. */
const positive = 2 ** 29;

/** What is known of a variable. */
export interface DeclaredRange {
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** Right sides of its equations, and of how many elements they are. */
  readonly values: readonly Expr[];
  readonly defined: number;
}

export class Divisors {
  /** Whether something was assumed so far. */
  assumed = false;
  private readonly assuming: Knowledge;
  /** Signs that variables are assumed to have: 0 where none, and while they are being found. */
  private readonly signs = new Map<number, number>();

  constructor(
    private readonly pool: Pool,
    private readonly knowledge: Knowledge,
    private readonly declared: (symbol: number) => DeclaredRange | undefined,
  ) {
    this.assuming = {
      isParameter: (symbol) =>
        symbol === positive || knowledge.isParameter(symbol) || this.signOf(symbol) !== 0,
      evaluate: (expr) => {
        if (expr.kind !== 'ref') return Number.NaN;
        if (expr.symbol === positive) return 1;
        return knowledge.isParameter(expr.symbol)
          ? (knowledge.evaluate?.(expr) ?? Number.NaN)
          : this.signOf(expr.symbol);
      },
    };
  }

  isSure(factor: Expr): boolean {
    return isNonzero(factor, this.knowledge);
  }

  /** Whether an equation can be divided by the factor of an unknown. */
  allows(factor: Expr, unknown: Ref): boolean {
    if (this.isSure(factor)) return true;
    if (!this.isAssumed(factor) && !(unknown.order === 1 && this.isCapacity(factor))) return false;
    this.assumed = true;
    return true;
  }

  private isAssumed(factor: Expr): boolean {
    return isNonzero(this.withoutCalls(factor), this.assuming);
  }

  /** A factor with something positive in place of user functions. */
  private withoutCalls(factor: Expr): Expr {
    const { pool } = this;
    return substitute(pool, factor, (node) => (node.kind === 'call' ? pool.ref(positive) : undefined));
  }

  private signOf(symbol: number): number {
    let sign = this.signs.get(symbol);
    if (sign === undefined) {
      this.signs.set(symbol, 0);
      this.signs.set(symbol, (sign = this.findSign(symbol)));
    }
    return sign;
  }

  private findSign(symbol: number): number {
    const declared = this.declared(symbol);
    if (!declared) return 0;
    const { size, min, max, values, defined } = declared;
    if (min >= 0) return 1;
    if (max <= 0) return -1;
    if (defined < size) return 0;
    const signs = values.map((value) => definiteSign(this.withoutCalls(value), this.assuming));
    return signs.every((sign) => sign === signs[0]) ? signs[0]! : 0;
  }

  private isCapacity(factor: Expr): boolean {
    if (this.isSure(factor)) return true;
    if (factor.kind === 'apply' && (factor.op === 'mul' || factor.op === 'div' || factor.op === 'neg'))
      return factor.args.every((arg) => this.isCapacity(arg));
    const isChoice = (node: Expr): boolean => node.kind === 'apply' && node.op === 'if';
    return !isParametric(factor, this.knowledge) && !nodesOf(factor).some(isChoice);
  }
}
