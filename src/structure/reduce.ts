/**
 * Index reduction once the offsets are known: the derivatives F, F', …, F^(c) of every equation, and the
 * Jacobian of the leading system. By Griewank's lemma the partial derivative of F_i^(c_i) by x_j^(d_j) is
 * that of F_i by x_j^(sigma_ij) where d_j - c_i = sigma_ij, and zero elsewhere: no derivative of an equation
 * has to be differentiated for it.
 */
import type { CallRule } from '../symbolic/differentiate.ts';
import { gradient, timeDerivative } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';

/** One side each, so that what was solved for one variable stays so when it is differentiated. */
export interface Sides {
  readonly left: Expr;
  readonly right: Expr;
}

export interface NotDifferentiable {
  /** Position of the equation. */
  readonly row: number;
  readonly reason: string;
}

/** `derivatives[i][k]` is equation i differentiated k times, for k = 0 … c_i. */
export function differentiateEquations(
  pool: Pool,
  calls: CallRule | undefined,
  equations: readonly Sides[],
  c: ArrayLike<number>,
  isConstant: (symbol: number) => boolean,
  withoutDerivative?: (symbol: number) => string | undefined,
): { readonly derivatives: readonly (readonly Sides[])[]; readonly problems: readonly NotDifferentiable[] } {
  const memo = new Map<Expr, Expr>();
  const problems: NotDifferentiable[] = [];
  const derivatives = equations.map((equation, row) => {
    const list: Sides[] = [equation];
    for (let k = 1; k <= c[row]!; k++) {
      const previous = list[k - 1]!;
      const left = timeDerivative(pool, calls, previous.left, isConstant, memo, withoutDerivative);
      const right = timeDerivative(pool, calls, previous.right, isConstant, memo, withoutDerivative);
      if (!left.value || !right.value) {
        problems.push({ row, reason: left.reason ?? right.reason ?? '' });
        break;
      }
      list.push({ left: left.value, right: right.value });
    }
    return list;
  });
  return { derivatives, problems };
}

/** The partial derivative by the leading derivative of a variable. */
export interface Coefficient {
  readonly symbol: number;
  readonly value: Expr;
}

/** A row of the leading Jacobian; its values are unknown (NaN) where there is a reason. */
export interface LeadingRow {
  readonly values: readonly Coefficient[];
  readonly reason: string | undefined;
}

/**
 * One row of the leading Jacobian: partial derivatives of `residual` by the leaves that are tight, by increasing symbol.
 */
export function leadingRow(
  pool: Pool,
  calls: CallRule | undefined,
  residual: Expr,
  tight: ReadonlySet<Expr>,
): LeadingRow {
  const { value: slopes, reason } = gradient(pool, residual, (leaf) => tight.has(leaf), calls);
  const unknown = pool.const(Number.NaN);
  const values: Coefficient[] = [];
  for (const leaf of tight) {
    const value = slopes ? slopes.get(leaf) : unknown;
    if (value) values.push({ symbol: (leaf as Ref).symbol, value });
  }
  return { values: values.sort((p, q) => p.symbol - q.symbol), reason };
}
