/**
 * Hessenberg and real Schur form: A = Z T Z' with T upper triangular but for blocks of two rows, whose diagonals are equal and whose other elements differ in
 * sign; these hold pairs of complex eigenvalues. Implicit double shifts (J. G. F. Francis 1961; G. H. Golub, C. F. Van Loan: Matrix Computations, section 7.5).
 */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, put, taken } from './dense.ts';
import { applied, reflectColumns, reflector, reflectRows } from './qr.ts';

const mostSteps = 40;

/** To Hessenberg form in place; gives the factors of the reflections, the first of which begins in row `first` + 1. */
export function toHessenberg(a: Dense, first = 0, last = a.rows - 1): Float64Array {
  const tau = new Float64Array(Math.max(0, a.rows - 1));
  for (let k = first; k < last - 1; k++) {
    // Rows after the last one are zero there already.
    tau[k] = reflector(a, k + 1, k);
    reflectRows(a, k + 1, k, tau[k]!, a, k + 1);
    reflectColumns(a, k + 1, k, tau[k]!, a);
  }
  return tau;
}

/** The product of these reflections. */
export function hessenbergQ(a: Dense, tau: Float64Array): Dense {
  const q = Dense.identity(a.rows);
  for (let k = tau.length - 1; k >= 0; k--) reflectRows(a, k + 1, k, tau[k]!, q);
  return q;
}

export function clearBelow(h: Dense): void {
  for (let j = 0; j < h.columns; j++) for (let i = j + 2; i < h.rows; i++) h.set(i, j, 0);
}

export interface Eigenvalues {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/** Turns a Hessenberg matrix into T, and Z with it. Number of eigenvalues that were not found: of what is not finite, none is. */
export function toSchur(h: Dense, z: Dense): number {
  if (!h.data.every(Number.isFinite)) return h.rows;
  let end = h.rows - 1;
  for (let steps = 0; end >= 0; ) {
    const begin = blockBegin(h, end);
    if (begin === end) {
      end--;
      steps = 0;
    } else if (begin === end - 1) {
      standardise(h, z, begin);
      end -= 2;
      steps = 0;
    } else if (steps++ >= mostSteps) return end + 1;
    else francisStep(h, z, begin, end, steps % 10 === 0);
  }
  return 0;
}

/** The first row of the part that does not fall apart; what is as good as zero becomes zero. */
function blockBegin(h: Dense, end: number): number {
  for (let k = end; k > 0; k--) {
    const size = Math.abs(h.at(k - 1, k - 1)) + Math.abs(h.at(k, k));
    const around = size === 0 ? Math.abs(h.at(0, 0)) + Math.abs(h.at(end, end)) : size;
    if (Math.abs(h.at(k, k - 1)) <= Number.EPSILON * around || h.at(k, k - 1) === 0) {
      h.set(k, k - 1, 0);
      return k;
    }
  }
  return 0;
}

function francisStep(h: Dense, z: Dense, begin: number, end: number, exceptional: boolean): void {
  const n = h.rows;
  const [a, b, c, d] = [h.at(end - 1, end - 1), h.at(end - 1, end), h.at(end, end - 1), h.at(end, end)];
  let [sum, product] = [a + d, a * d - b * c];
  if (exceptional) {
    const size = Math.abs(c) + Math.abs(h.at(end - 1, end - 2));
    [sum, product] = [1.5 * size + 2 * d, size * size + d * (1.5 * size + d)];
  }
  const first = h.at(begin, begin);
  const next = h.at(begin + 1, begin);
  let x = first * first + h.at(begin, begin + 1) * next - sum * first + product;
  let y = next * (first + h.at(begin + 1, begin + 1) - sum);
  let w = next * h.at(begin + 2, begin + 1);
  for (let k = begin; k < end; k++) {
    const rows = k + 2 <= end ? 3 : 2;
    const v = new Dense(rows, 1, Float64Array.of(x, y, w).slice(0, rows));
    const tau = reflector(v, 0, 0);
    v.set(0, 0, 1);
    if (tau !== 0) {
      reflect(h, v.data, tau, k, Math.max(begin, k - 1), n);
      reflectRight(h, v.data, tau, k, Math.min(end, k + 3) + 1);
      reflectRight(z, v.data, tau, k, z.rows);
    }
    if (k > begin) for (let i = k + 1; i < k + rows; i++) h.set(i, k - 1, 0);
    if (k + 1 < end) [x, y, w] = [h.at(k + 1, k), h.at(k + 2, k), k + 3 <= end ? h.at(k + 3, k) : 0];
  }
}

/** Rows `row`… of the columns from `from`. */
function reflect(h: Dense, v: Float64Array, tau: number, row: number, from: number, to: number): void {
  for (let j = from; j < to; j++) {
    let sum = 0;
    for (let i = 0; i < v.length; i++) sum += v[i]! * h.at(row + i, j);
    for (let i = 0; i < v.length; i++) h.set(row + i, j, h.at(row + i, j) - tau * sum * v[i]!);
  }
}

function reflectRight(h: Dense, v: Float64Array, tau: number, column: number, rows: number): void {
  for (let i = 0; i < rows; i++) {
    let sum = 0;
    for (let j = 0; j < v.length; j++) sum += v[j]! * h.at(i, column + j);
    for (let j = 0; j < v.length; j++) h.set(i, column + j, h.at(i, column + j) - tau * sum * v[j]!);
  }
}

/** Turns rows and columns k and k + 1 so that their block is triangular, or has equal diagonal elements. */
export function standardise(t: Dense, z: Dense, k: number): void {
  const [a, b, c, d] = [t.at(k, k), t.at(k, k + 1), t.at(k + 1, k), t.at(k + 1, k + 1)];
  if (c === 0) return;
  const half = (a - d) / 2;
  const inside = half * half + b * c;
  if (inside >= 0) {
    const root = half + (half < 0 ? -1 : 1) * Math.sqrt(inside);
    // An eigenvector of the block is (root, c), of the eigenvalue d + root.
    const size = Math.hypot(root, c);
    rotate(t, z, k, size === 0 ? 0 : root / size, size === 0 ? 1 : c / size);
    t.set(k + 1, k, 0);
    return;
  }
  const sigma = b + c;
  const size = Math.hypot(sigma, a - d);
  if (size > 0) {
    const cos = Math.sqrt((1 + Math.abs(sigma) / size) / 2);
    rotate(t, z, k, cos, (-half / (size * cos)) * (sigma < 0 ? -1 : 1));
  }
  const mean = (t.at(k, k) + t.at(k + 1, k + 1)) / 2;
  t.set(k, k, mean);
  t.set(k + 1, k + 1, mean);
  // Rounding can leave a block with real eigenvalues that are almost the same.
  if (t.at(k, k + 1) * t.at(k + 1, k) > 0) standardise(t, z, k);
}

/** G' T G and Z G with G = [cos, -sin; sin, cos], where T is not zero. */
export function rotate(t: Dense, z: Dense, k: number, cos: number, sin: number): void {
  for (let j = k; j < t.columns; j++) {
    const [x, y] = [t.at(k, j), t.at(k + 1, j)];
    t.set(k, j, cos * x + sin * y);
    t.set(k + 1, j, cos * y - sin * x);
  }
  for (const own of [t, z])
    for (let i = 0; i < (own === t ? k + 2 : own.rows); i++) {
      const [x, y] = [own.at(i, k), own.at(i, k + 1)];
      own.set(i, k, cos * x + sin * y);
      own.set(i, k + 1, cos * y - sin * x);
    }
}

/** Of a matrix in real Schur form. */
export function eigenvaluesOf(t: Dense): Eigenvalues {
  const n = t.rows;
  const [re, im] = [new Float64Array(n), new Float64Array(n)];
  for (let k = 0; k < n; k++) {
    re[k] = t.at(k, k);
    if (k + 1 < n && t.at(k + 1, k) !== 0) {
      re[k + 1] = t.at(k + 1, k + 1);
      im[k] = Math.sqrt(Math.abs(t.at(k, k + 1))) * Math.sqrt(Math.abs(t.at(k + 1, k)));
      im[k + 1] = -im[k]!;
      k++;
    }
  }
  return { re, im };
}

/** Schur form of a general matrix, in place; Z and the number of eigenvalues that were not found. */
export function schurOf(a: Dense): { readonly z: Dense; readonly info: number } {
  const tau = toHessenberg(a);
  const z = hessenbergQ(a, tau);
  clearBelow(a);
  return { z, info: toSchur(a, z) };
}

function giveEigenvalues(t: Dense, re: Float64Array, im: Float64Array): void {
  const own = eigenvaluesOf(t);
  re.set(own.re);
  im.set(own.im);
}

export const schur: Externals = {
  dgehrd: (
    n: number,
    ilo: number,
    ihi: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const own = taken('A', a, n, n, lda);
    tau.set(toHessenberg(own, ilo - 1, ihi - 1).subarray(0, tau.length));
    give(own, a, lda);
    put(info, 0);
  },

  dorghr: (
    n: number,
    _ilo: number,
    _ihi: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    give(hessenbergQ(taken('A', a, n, n, lda), tau), a, lda);
    put(info, 0);
  },

  dormhr: (
    side: string,
    trans: string,
    m: number,
    n: number,
    _ilo: number,
    _ihi: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    c: Float64Array,
    ldc: number,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const left = side.toUpperCase() === 'L';
    const size = left ? m : n;
    const own = taken('A', a, size, Math.max(0, size - 1), lda);
    const factors = tau.subarray(0, Math.max(0, size - 1));
    applied(own, factors, 1, left, !isNone(trans), taken('C', c, m, n, ldc), (out) => give(out, c, ldc));
    put(info, 0);
  },

  dhseqr: (
    _job: string,
    compz: string,
    n: number,
    _ilo: number,
    _ihi: number,
    h: Float64Array,
    ldh: number,
    re: Float64Array,
    im: Float64Array,
    z: Float64Array,
    ldz: number,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const t = taken('H', h, n, n, ldh);
    clearBelow(t);
    const own = compz.toUpperCase() === 'V' ? taken('Z', z, n, n, ldz) : Dense.identity(n);
    put(info, toSchur(t, own));
    giveEigenvalues(t, re, im);
    give(t, h, ldh);
    if (!isNone(compz)) give(own, z, ldz);
  },

  dgees: (
    jobvs: string,
    _sort: string,
    _select: unknown,
    n: number,
    a: Float64Array,
    lda: number,
    sdim: Box,
    re: Float64Array,
    im: Float64Array,
    vs: Float64Array,
    ldvs: number,
    _work: Float64Array,
    _lwork: number,
    _bwork: unknown,
    info: Box,
  ) => {
    const t = taken('A', a, n, n, lda);
    const { z, info: failed } = schurOf(t);
    put(info, failed);
    put(sdim, 0);
    giveEigenvalues(t, re, im);
    give(t, a, lda);
    if (!isNone(jobvs)) give(z, vs, ldvs);
  },
};
