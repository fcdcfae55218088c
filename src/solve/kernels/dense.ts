/**
 * LU factorisation of dense matrices with partial pivoting, in place (Golub and Van Loan, Matrix
 * Computations, 4th ed., 3.4). Matrices are stored by columns: entry (i, j) of an n x n matrix is element
 * i + j n. After `factorDense` the strict lower part holds the multipliers of L, the upper part U, and element k of `pivots` the
 * row that was exchanged with row k in step k.
 */
import { pulse } from './host';
import { at, clear, get, Integers, put, set, Vector } from './vector';

/** A pulse for so many columns. */
const COLUMNS_PER_PULSE = 16;

/** A dense matrix given by the nonzeros of a pattern. */
@unmanaged
export class Dense {
  n: i32;
  nonzeros: i32;
  matrix: Vector;
  exchanges: Integers;
  /** Where each nonzero of the pattern lies in `matrix`. */
  places: Integers;

  factor(values: Vector): bool {
    clear(this.matrix, this.n * this.n);
    for (let k = 0; k < this.nonzeros; k++) set(this.matrix, at(this.places, k), get(values, k));
    return factorDense(this.n, this.matrix, this.exchanges);
  }

  solve(b: Vector): void {
    solveDense(this.n, this.matrix, this.exchanges, b);
  }
}

/** Factors `a` in place. False, with `a` partly overwritten, where a pivot is zero or not finite. */
export function factorDense(n: i32, a: Vector, pivots: Integers): bool {
  for (let k = 0; k < n; k++) {
    if (k % COLUMNS_PER_PULSE === COLUMNS_PER_PULSE - 1) pulse();
    const column = k * n;
    const p = largestRow(n, a, column, k);
    const pivot = get(a, column + p);
    put(pivots, k, p);
    if (!(abs(pivot) > 0) || !Number.isFinite(pivot)) return false;
    if (p !== k) exchangeRows(n, a, p, k);
    const inverse = 1 / pivot;
    for (let i = k + 1; i < n; i++) set(a, column + i, get(a, column + i) * inverse);
    for (let j = k + 1; j < n; j++) {
      const other = j * n;
      const factor = get(a, other + k);
      if (factor === 0) continue;
      for (let i = k + 1; i < n; i++) set(a, other + i, get(a, other + i) - factor * get(a, column + i));
    }
  }
  return true;
}

/** Replaces `b` by the solution of A x = b, with the result of `factorDense`. */
export function solveDense(n: i32, a: Vector, pivots: Integers, b: Vector): void {
  for (let k = 0; k < n; k++) {
    const p = at(pivots, k);
    const value = get(b, p);
    if (p !== k) {
      set(b, p, get(b, k));
      set(b, k, value);
    }
  }
  for (let k = 0; k < n; k++) {
    const value = get(b, k);
    if (value === 0) continue;
    const column = k * n;
    for (let i = k + 1; i < n; i++) set(b, i, get(b, i) - value * get(a, column + i));
  }
  for (let k = n - 1; k >= 0; k--) {
    const column = k * n;
    const value = get(b, k) / get(a, column + k);
    set(b, k, value);
    if (value === 0) continue;
    for (let i = 0; i < k; i++) set(b, i, get(b, i) - value * get(a, column + i));
  }
}

function largestRow(n: i32, a: Vector, column: i32, from: i32): i32 {
  let row = from;
  let largest = abs(get(a, column + from));
  for (let i = from + 1; i < n; i++) {
    const size = abs(get(a, column + i));
    if (size > largest) {
      largest = size;
      row = i;
    }
  }
  return row;
}

function exchangeRows(n: i32, a: Vector, p: i32, q: i32): void {
  for (let k = 0; k < n * n; k += n) {
    const value = get(a, k + p);
    set(a, k + p, get(a, k + q));
    set(a, k + q, value);
  }
}
