/**
 * The way that values take over an instant. A balance sum(a_j * der(x_j)) + sum(b_k * f_k) = ... integrated over an instant is
 * sum(integral of a_j dx_j) + sum(b_k * weight of f_k) = 0. Where a coefficient depends on variables that jump, it is integrated
 * along the straight line from the values before to the values after, or of many short ones. If the form is an exact differential, as der(q(x)) written out is, all ways
 * give the same: the jump of q. If it is not, the balance has no definite meaning, and the straight line is one choice among many.
 *
 * What time and discrete values alone determine ("given") jumps first, then all else: coefficients of impulses see its value after.
 *
 * A factor of the impulses of a balance that depends on nothing but the one variable whose derivative is in it is divided out first:
 * der(v) = i/C(v) means C(v)*der(v) = i.
 */
import { leaves, substitute } from '../../symbolic/analyse.ts';
import type { Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';

/** An unknown and the leaf that stands for its left limit. */
export interface Jump {
  readonly unknown: Ref;
  readonly left: Ref;
}

/** One summand of a balance: a coefficient, and what it is multiplied by. */
export interface BalanceTerm {
  readonly coefficient: Expr;
  /** A jump, or the weight of an impulse. */
  readonly amount: { readonly jump: Jump } | { readonly weight: Ref };
}

/** A balance with coefficients that depend on what jumps. */
export interface JumpBalance {
  readonly index: number;
  readonly terms: readonly BalanceTerm[];
  /** What the rule of quadrature misses; added to it. */
  readonly correction: Ref;
}

/** The two parts of the way: what is given moves, then all else. */
export type Leg = 'given' | 'others';

/** Gauss-Legendre nodes and weights on [0, 1]: exact for polynomials up to degree 9. */
const nodes: readonly (readonly [at: number, weight: number])[] = [
  [0.04691007703066802, 0.11846344252809454],
  [0.23076534494715845, 0.23931433524968324],
  [0.5, 0.28444444444444444],
  [0.7692346550528415, 0.23931433524968324],
  [0.9530899229693319, 0.11846344252809454],
];

export class Path {
  private readonly jumps: ReadonlyMap<Expr, Jump>;

  /** `given` and `free` are symbols; what is free has no value before. */
  constructor(
    private readonly pool: Pool,
    jumps: readonly Jump[],
    private readonly given: ReadonlySet<number>,
    private readonly free: ReadonlySet<number>,
  ) {
    this.jumps = new Map(jumps.map((jump) => [jump.unknown, jump]));
  }

  /** The sum of terms over the way, by quadrature. */
  sum(terms: readonly BalanceTerm[]): Expr {
    const { pool } = this;
    let total: Expr = pool.zero;
    for (const { coefficient, amount } of terms) {
      const mean = this.mean(coefficient, this.legOf(amount));
      const size = 'weight' in amount ? amount.weight : pool.sub(amount.jump.unknown, amount.jump.left);
      total = pool.add(total, pool.mul(mean, size));
    }
    return total;
  }

  legOf(amount: BalanceTerm['amount']): Leg {
    return 'jump' in amount && this.given.has(amount.jump.unknown.symbol) ? 'given' : 'others';
  }

  /** Whether a coefficient changes on the way. */
  varies(coefficient: Expr): boolean {
    return leaves(coefficient).some((leaf) => this.jumps.has(leaf));
  }

  /** What a variable does on a leg of the way. */
  moves({ symbol }: Ref, leg: Leg): 'before' | 'moving' | 'after' {
    if (this.free.has(symbol)) return 'after';
    if (this.given.has(symbol)) return leg === 'given' ? 'moving' : 'after';
    return leg === 'given' ? 'before' : 'moving';
  }

  /** Terms without the factor that all impulses have in common, where it is a function of the only variable that is differentiated. */
  normalised(terms: readonly BalanceTerm[]): readonly BalanceTerm[] {
    const factor = terms.find((t) => 'weight' in t.amount && this.varies(t.coefficient))?.coefficient;
    const jumps = terms.flatMap(({ amount }) => ('jump' in amount ? [amount.jump.unknown] : []));
    if (!factor || jumps.length !== 1) return terms;
    if (leaves(factor).some((leaf) => this.jumps.has(leaf) && leaf !== jumps[0])) return terms;
    const divided = terms.map((t) => ({ ...t, coefficient: this.ratio(t.coefficient, factor) }));
    const common = divided.every((t) => 'jump' in t.amount || !this.varies(t.coefficient));
    return common ? divided : terms;
  }

  private ratio(coefficient: Expr, factor: Expr): Expr {
    const { pool } = this;
    if (coefficient === factor) return pool.one;
    return coefficient === pool.neg(factor) ? pool.const(-1) : pool.quotient(coefficient, factor);
  }

  private mean(coefficient: Expr, leg: Leg): Expr {
    const { pool } = this;
    if (!this.varies(coefficient)) return coefficient;
    const moving = leaves(coefficient).some(
      (leaf) => this.jumps.has(leaf) && this.moves(leaf as Ref, leg) === 'moving',
    );
    if (!moving) return this.at(coefficient, leg, 0);
    let sum: Expr = pool.zero;
    for (const [s, weight] of nodes)
      sum = pool.add(sum, pool.mul(pool.const(weight), this.at(coefficient, leg, s)));
    return sum;
  }

  private at(coefficient: Expr, leg: Leg, s: number): Expr {
    const { pool } = this;
    return substitute(pool, coefficient, (leaf) => {
      const jump = this.jumps.get(leaf);
      if (!jump) return undefined;
      const { unknown, left } = jump;
      switch (this.moves(unknown, leg)) {
        case 'before':
          return left;
        case 'after':
          return unknown;
        case 'moving':
          return pool.add(left, pool.mul(pool.const(s), pool.sub(unknown, left)));
      }
    });
  }
}
