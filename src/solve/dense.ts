/**
 * LU factorisation of dense matrices with partial pivoting, in place (Golub and Van Loan, Matrix
 * Computations, 4th ed., 3.4). Matrices are stored by columns: entry (i, j) of an n x n matrix is `a[i + j *
 * n]`. After `factor` the strict lower part holds the multipliers of L, the upper part U, and `pivots[k]` the
 * row that was exchanged with row k in step k.
 */
import { pulse } from '../diagnostic/pulse.ts';

/** Factors `a` in place. False, with `a` partly overwritten, where a pivot is zero or not finite. */
export function factorDense(n: number, a: Float64Array, pivots: Int32Array): boolean {
  for (let k = 0; k < n; k++) {
    pulse();
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
