/** The condition of dense matrices, to tell whether a solution can be expected to be accurate. */
import { solveDense } from '../../src/solve/dense.ts';

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

/** Replaces `b` by the solution of A' x = b, with the result of `factorDense`. */
function solveDenseTransposed(n: number, a: Float64Array, pivots: Int32Array, b: Float64Array): void {
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
