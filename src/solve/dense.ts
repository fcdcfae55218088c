/**
 * LU factorisation of dense matrices with partial pivoting, in place (Golub and Van Loan, Matrix
 * Computations, 4th ed., 3.4). Matrices are stored by columns: entry (i, j) of an n x n matrix is `a[i + j *
 * n]`. After `factor` the strict lower part holds the multipliers of L, the upper part U, and `pivots[k]` the
 * row that was exchanged with row k in step k.
 */

/** Factors `a` in place. False, with `a` partly overwritten, where a pivot is zero or not finite. */
export function factorDense(n: number, a: Float64Array, pivots: Int32Array): boolean {
  for (let k = 0; k < n; k++) {
    const column = k * n;
    const p = largestRow(n, a, column, k);
    const pivot = a[column + p]!;
    pivots[k] = p;
    if (!(Math.abs(pivot) > 0) || !Number.isFinite(pivot)) return false;
    if (p !== k) exchangeRows(n, a, p, k);
    const inverse = 1 / pivot;
    for (let i = k + 1; i < n; i++) a[column + i] = a[column + i]! * inverse;
    for (let j = k + 1; j < n; j++) {
      const other = j * n;
      const factor = a[other + k]!;
      if (factor === 0) continue;
      for (let i = k + 1; i < n; i++) a[other + i] = a[other + i]! - factor * a[column + i]!;
    }
  }
  return true;
}

/** Replaces `b` by the solution of A x = b, with the result of `factorDense`. */
export function solveDense(n: number, a: Float64Array, pivots: Int32Array, b: Float64Array): void {
  for (let k = 0; k < n; k++) {
    const p = pivots[k]!;
    const value = b[p]!;
    if (p !== k) {
      b[p] = b[k]!;
      b[k] = value;
    }
  }
  for (let k = 0; k < n; k++) {
    const value = b[k]!;
    if (value === 0) continue;
    const column = k * n;
    for (let i = k + 1; i < n; i++) b[i] = b[i]! - value * a[column + i]!;
  }
  for (let k = n - 1; k >= 0; k--) {
    const column = k * n;
    const value = b[k]! / a[column + k]!;
    b[k] = value;
    if (value === 0) continue;
    for (let i = 0; i < k; i++) b[i] = b[i]! - value * a[column + i]!;
  }
}

/** Replaces `b` by the solution of A' x = b, with the result of `factorDense`. */
export function solveDenseTransposed(n: number, a: Float64Array, pivots: Int32Array, b: Float64Array): void {
  for (let k = 0; k < n; k++) {
    const column = k * n;
    let sum = b[k]!;
    for (let i = 0; i < k; i++) sum -= a[column + i]! * b[i]!;
    b[k] = sum / a[column + k]!;
  }
  for (let k = n - 1; k >= 0; k--) {
    const column = k * n;
    let sum = b[k]!;
    for (let i = k + 1; i < n; i++) sum -= a[column + i]! * b[i]!;
    b[k] = sum;
  }
  for (let k = n - 1; k >= 0; k--) {
    const p = pivots[k]!;
    if (p === k) continue;
    const value = b[p]!;
    b[p] = b[k]!;
    b[k] = value;
  }
}

/** The largest sum of absolute values of a column. */
export function oneNorm(n: number, a: Float64Array): number {
  let norm = 0;
  for (let j = 0; j < n; j++) {
    let sum = 0;
    for (let i = j * n; i < (j + 1) * n; i++) sum += Math.abs(a[i]!);
    if (!(sum <= norm)) norm = sum;
  }
  return norm;
}

/**
 * An estimate of the reciprocal condition number in the 1-norm, from the factors of A and the 1-norm of A
 * itself. Hager's method (SIAM J. Sci. Stat. Comput. 5, 1984) climbs to a local maximum of |A^-1 x|; it may
 * underestimate the condition, seldom by more than a factor of three.
 */
export function reciprocalCondition(n: number, a: Float64Array, pivots: Int32Array, norm: number): number {
  if (n === 0) return 1;
  const x = new Float64Array(n).fill(1 / n);
  const sign = new Float64Array(n);
  let estimate = 0;
  for (let round = 0; round < HAGER_ROUNDS; round++) {
    solveDense(n, a, pivots, x);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += Math.abs(x[i]!);
    if (!(sum > estimate)) break;
    estimate = sum;
    for (let i = 0; i < n; i++) sign[i] = x[i]! < 0 ? -1 : 1;
    solveDenseTransposed(n, a, pivots, sign);
    let largest = 0;
    for (let i = 1; i < n; i++) if (Math.abs(sign[i]!) > Math.abs(sign[largest]!)) largest = i;
    x.fill(0);
    x[largest] = 1;
  }
  return estimate > 0 && norm > 0 ? 1 / (estimate * norm) : 0;
}

/** Hager's iteration ends after two or three rounds; the bound only guards against cycling. */
const HAGER_ROUNDS = 5;

function largestRow(n: number, a: Float64Array, column: number, from: number): number {
  let row = from;
  let largest = Math.abs(a[column + from]!);
  for (let i = from + 1; i < n; i++) {
    const size = Math.abs(a[column + i]!);
    if (size > largest) {
      largest = size;
      row = i;
    }
  }
  return row;
}

function exchangeRows(n: number, a: Float64Array, p: number, q: number): void {
  for (let at = 0; at < n * n; at += n) {
    const value = a[at + p]!;
    a[at + p] = a[at + q]!;
    a[at + q] = value;
  }
}
