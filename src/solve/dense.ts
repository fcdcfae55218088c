/**
 * LU factorisation of dense matrices with partial pivoting, in place. Matrices are stored by columns: entry (i, j) of an n x n matrix is `a[i + j *
 * n]`. After `factorDense` the strict lower part holds the multipliers of L, the upper part U, and `pivots[k]` the
 * row that was exchanged with row k in step k. `kernels/dense.ts` does the work.
 */
import { sharedKernel } from './kernel.ts';

/** Factors `a` in place. False, with `a` partly overwritten, where a pivot is zero or not finite. */
export function factorDense(n: number, a: Float64Array, pivots: Int32Array): boolean {
  const kernel = sharedKernel();
  const matrix = kernel.take(8 * n * n);
  const exchanges = kernel.take(4 * n);
  kernel.doubles(matrix.address, n * n).set(a);
  const isRegular = kernel.exports.factorDense(n, matrix.address, exchanges.address) !== 0;
  a.set(kernel.doubles(matrix.address, n * n));
  pivots.set(kernel.integers(exchanges.address, n));
  for (const block of [matrix, exchanges]) kernel.give(block);
  return isRegular;
}

/** Replaces `b` by the solution of A x = b, with the result of `factorDense`. */
export function solveDense(n: number, a: Float64Array, pivots: Int32Array, b: Float64Array): void {
  const kernel = sharedKernel();
  const matrix = kernel.take(8 * n * n);
  const exchanges = kernel.take(4 * n);
  const right = kernel.take(8 * n);
  kernel.doubles(matrix.address, n * n).set(a);
  kernel.integers(exchanges.address, n).set(pivots);
  kernel.doubles(right.address, n).set(b);
  kernel.exports.solveDense(n, matrix.address, exchanges.address, right.address);
  b.set(kernel.doubles(right.address, n));
  for (const block of [matrix, exchanges, right]) kernel.give(block);
}
