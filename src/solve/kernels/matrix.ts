/**
 * The iteration matrix of implicit methods, I - gamma df/dy. Where algebraic equations g(t, y, u) = 0 are solved for together with y, it has more rows:
 *
 *     I - gamma f_y   - gamma f_u
 *     g_y             g_u
 */
import { jacobian as evaluateJacobian } from './host';
import { Linear } from './linear';
import { at, clear, get, Integers, set, Vector } from './vector';

/** Laid out by the host for each pattern of J = d(f, g)/d(y, u): the nonzeros of the matrix are those of J and the diagonal. */
@unmanaged
export class Matrix {
  /** The number of columns, and of rows of f. */
  n: i32;
  differential: i32;
  nonzeros: i32;
  nonzerosOfJacobian: i32;
  values: Vector;
  jacobian: Vector;
  /** The rows of the nonzeros of J, and where these lie in `values`. */
  rows: Integers;
  places: Integers;
  /** Where the diagonal lies. */
  diagonal: Integers;
  linear: Linear;
  /** Scratch memory for a number for each row. */
  sums: Vector;
  /** Whether the norm of J is known. */
  isMeasured: i32;
  norm: f64;

  /** Factors the matrix with the J of the last evaluation. */
  factor(gamma: f64): bool {
    const count = this.nonzerosOfJacobian;
    const values = this.values;
    if (count < this.nonzeros) clear(values, this.nonzeros);
    for (let k = 0; k < count; k++) {
      const entry = get(this.jacobian, k);
      set(values, at(this.places, k), at(this.rows, k) < this.differential ? -gamma * entry : entry);
    }
    const last = min(this.n, this.differential);
    for (let j = 0; j < last; j++) {
      const place = at(this.diagonal, j);
      set(values, place, get(values, place) + 1);
    }
    return this.linear.factor(values);
  }

  solve(b: Vector): void {
    this.linear.solve(b);
  }
}

/** The largest sum of a row's absolute values: an upper bound of the spectral radius of J. */
export function normOf(matrix: Matrix): f64 {
  if (matrix.isMeasured) return matrix.norm;
  const sums = matrix.sums;
  clear(sums, matrix.n);
  for (let k = 0; k < matrix.nonzerosOfJacobian; k++) {
    const row = at(matrix.rows, k);
    set(sums, row, get(sums, row) + abs(get(matrix.jacobian, k)));
  }
  let largest: f64 = 0;
  for (let i = 0; i < matrix.n; i++) if (!(get(sums, i) <= largest)) largest = get(sums, i);
  matrix.isMeasured = 1;
  matrix.norm = largest;
  return largest;
}

/** Factors the matrix with the J of the last evaluation. */
export function factorMatrix(matrix: Matrix, gamma: f64): bool {
  return matrix.factor(gamma);
}

/** Evaluates J; gives the matrix that it belongs to, or null where that fails. */
export function evaluated(t: f64, y: Vector): Matrix | null {
  return changetype<Matrix | null>(evaluateJacobian(t, y));
}
