/** Factorisation into triangles, and what is solved by it: general, banded, tridiagonal and symmetric positive definite matrices. */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, norm, put, taken } from './dense.ts';

/** LU in place with the largest pivot of each column; number (from 1) of the first pivot that is zero, otherwise 0. */
export function factorise(a: Dense, pivots: Float64Array): number {
  let info = 0;
  for (let k = 0; k < Math.min(a.rows, a.columns); k++) {
    let p = k;
    for (let i = k + 1; i < a.rows; i++) if (Math.abs(a.at(i, k)) > Math.abs(a.at(p, k))) p = i;
    pivots[k] = p + 1;
    const pivot = a.at(p, k);
    if (pivot === 0) {
      info ||= k + 1;
      continue;
    }
    if (p !== k) swapRows(a, k, p);
    for (let i = k + 1; i < a.rows; i++) a.set(i, k, a.at(i, k) / pivot);
    for (let j = k + 1; j < a.columns; j++) {
      const x = a.at(k, j);
      if (x !== 0) for (let i = k + 1; i < a.rows; i++) a.set(i, j, a.at(i, j) - a.at(i, k) * x);
    }
  }
  return info;
}

function swapRows(a: Dense, i: number, k: number): void {
  for (let j = 0; j < a.columns; j++) {
    const x = a.at(i, j);
    a.set(i, j, a.at(k, j));
    a.set(k, j, x);
  }
}

/** Triangular systems in place: op(T) X = B. */
export function solveTriangle(t: Dense, b: Dense, upper: boolean, transposed: boolean, unit: boolean): void {
  const n = b.rows;
  const at = (i: number, j: number): number => (transposed ? t.at(j, i) : t.at(i, j));
  const backward = upper !== transposed;
  for (let c = 0; c < b.columns; c++)
    for (let s = 0; s < n; s++) {
      const i = backward ? n - 1 - s : s;
      let sum = b.at(i, c);
      for (let r = 0; r < s; r++) {
        const j = backward ? n - 1 - r : r;
        sum -= at(i, j) * b.at(j, c);
      }
      b.set(i, c, unit ? sum : sum / at(i, i));
    }
}

/** op(A) X = B from the factors of A. */
export function solveFactored(lu: Dense, pivots: Float64Array, b: Dense, transposed: boolean): void {
  const n = lu.rows;
  if (transposed) {
    solveTriangle(lu, b, true, true, false);
    solveTriangle(lu, b, false, true, true);
    for (let k = n - 1; k >= 0; k--) if (pivots[k] !== k + 1) swapRows(b, k, pivots[k]! - 1);
    return;
  }
  for (let k = 0; k < n; k++) if (pivots[k] !== k + 1) swapRows(b, k, pivots[k]! - 1);
  solveTriangle(lu, b, false, false, true);
  solveTriangle(lu, b, true, false, false);
}

/** 1 / (norm of A · norm of its inverse), computed, not estimated; 0 for a singular matrix. */
function reciprocalCondition(kind: string, lu: Dense, anorm: number): number {
  const n = lu.rows;
  if (n === 0) return 1;
  for (let k = 0; k < n; k++) if (lu.at(k, k) === 0) return 0;
  const inverse = Dense.identity(n);
  solveTriangle(lu, inverse, false, false, true);
  solveTriangle(lu, inverse, true, false, false);
  const own = norm(kind, inverse);
  return own === 0 || anorm === 0 ? 0 : 1 / anorm / own;
}

function requirePivots(pivots: Float64Array, n: number): void {
  for (let k = 0; k < n; k++)
    if (!(pivots[k]! >= 1 && pivots[k]! <= n))
      throw new Error(`the pivot ${pivots[k]} of row ${k + 1} is no row of ${n}`);
}

export const lu: Externals = {
  dgetrf: (m: number, n: number, a: Float64Array, lda: number, pivots: Float64Array, info: Box) => {
    const own = taken('A', a, m, n, lda);
    put(info, factorise(own, pivots));
    give(own, a, lda);
  },

  dgetrs: (
    trans: string,
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    pivots: Float64Array,
    b: Float64Array,
    ldb: number,
    info: Box,
  ) => {
    requirePivots(pivots, n);
    const x = taken('B', b, n, nrhs, ldb);
    solveFactored(taken('LU', a, n, n, lda), pivots, x, !isNone(trans));
    give(x, b, ldb);
    put(info, 0);
  },

  dgetri: (
    n: number,
    a: Float64Array,
    lda: number,
    pivots: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    requirePivots(pivots, n);
    const own = taken('LU', a, n, n, lda);
    for (let k = 0; k < n; k++)
      if (own.at(k, k) === 0) {
        put(info, k + 1);
        return;
      }
    const inverse = Dense.identity(n);
    solveFactored(own, pivots, inverse, false);
    give(inverse, a, lda);
    put(info, 0);
  },

  dgesv: (
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    pivots: Float64Array,
    b: Float64Array,
    ldb: number,
    info: Box,
  ) => {
    const own = taken('A', a, n, n, lda);
    const failed = factorise(own, pivots);
    put(info, failed);
    if (failed > 0) return;
    const x = taken('B', b, n, nrhs, ldb);
    solveFactored(own, pivots, x, false);
    give(x, b, ldb);
  },

  /** With one step of iterative refinement; nothing is equilibrated. */
  dgesvx: (
    _fact: string,
    trans: string,
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    _af: Float64Array,
    _ldaf: number,
    pivots: Float64Array,
    _equed: string,
    _r: Float64Array,
    _c: Float64Array,
    b: Float64Array,
    ldb: number,
    x: Float64Array,
    ldx: number,
    rcond: Box,
    _ferr: Float64Array,
    _berr: Float64Array,
    _work: Float64Array,
    _iwork: Float64Array,
    info: Box,
  ) => {
    const [own, right] = [taken('A', a, n, n, lda), taken('B', b, n, nrhs, ldb)];
    const factors = own.copy();
    const failed = factorise(factors, pivots);
    const transposed = !isNone(trans);
    const condition =
      failed > 0
        ? 0
        : reciprocalCondition(transposed ? 'I' : '1', factors, norm(transposed ? 'I' : '1', own));
    put(rcond, condition);
    put(info, failed || (condition < Number.EPSILON / 2 ? n + 1 : 0));
    if (failed > 0) return;
    const solution = right.copy();
    solveFactored(factors, pivots, solution, transposed);
    const rest = (transposed ? own.transposed() : own).times(solution);
    for (let k = 0; k < rest.data.length; k++) rest.data[k] = right.data[k]! - rest.data[k]!;
    solveFactored(factors, pivots, rest, transposed);
    const better = rest.data.every(Number.isFinite);
    if (better) for (let k = 0; k < rest.data.length; k++) solution.data[k]! += rest.data[k]!;
    give(solution, x, ldx);
  },

  dgecon: (
    kind: string,
    n: number,
    a: Float64Array,
    lda: number,
    anorm: number,
    rcond: Box,
    _work: Float64Array,
    _iwork: Float64Array,
    info: Box,
  ) => {
    put(rcond, reciprocalCondition(kind, taken('LU', a, n, n, lda), anorm));
    put(info, 0);
  },

  /** Row i of column j stands in row kl + ku + 1 + i - j of the bands; the first kl rows are room for what fills in. */
  dgbsv: (
    n: number,
    kl: number,
    ku: number,
    nrhs: number,
    bands: Float64Array,
    ldab: number,
    pivots: Float64Array,
    b: Float64Array,
    ldb: number,
    info: Box,
  ) => {
    const x = taken('B', b, n, nrhs, ldb);
    if (bands.length < n * ldab || ldab < 2 * kl + ku + 1)
      throw new Error(`A has ${bands.length} elements, too few for ${2 * kl + ku + 1} × ${n}`);
    const place = (i: number, j: number): number => kl + ku + i - j + j * ldab;
    const wide = kl + ku;
    for (let j = 0; j < n; j++) for (let i = Math.max(0, j - wide); i < j - ku; i++) bands[place(i, j)] = 0;
    for (let k = 0; k < n; k++) {
      const end = Math.min(n - 1, k + kl);
      let p = k;
      for (let i = k + 1; i <= end; i++)
        if (Math.abs(bands[place(i, k)]!) > Math.abs(bands[place(p, k)]!)) p = i;
      pivots[k] = p + 1;
      const pivot = bands[place(p, k)]!;
      if (pivot === 0) {
        put(info, k + 1);
        return;
      }
      const last = Math.min(n - 1, k + wide);
      for (let j = k; p !== k && j <= last; j++) {
        const own = bands[place(k, j)]!;
        bands[place(k, j)] = bands[place(p, j)]!;
        bands[place(p, j)] = own;
      }
      if (p !== k) swapRows(x, k, p);
      for (let i = k + 1; i <= end; i++) {
        const factor = bands[place(i, k)]! / pivot;
        if (factor === 0) continue;
        for (let j = k + 1; j <= last; j++) bands[place(i, j)]! -= factor * bands[place(k, j)]!;
        for (let c = 0; c < nrhs; c++) x.set(i, c, x.at(i, c) - factor * x.at(k, c));
      }
    }
    for (let c = 0; c < nrhs; c++)
      for (let i = n - 1; i >= 0; i--) {
        let sum = x.at(i, c);
        for (let j = i + 1; j <= Math.min(n - 1, i + wide); j++) sum -= bands[place(i, j)]! * x.at(j, c);
        x.set(i, c, sum / bands[place(i, i)]!);
      }
    give(x, b, ldb);
    put(info, 0);
  },

  dgtsv: (
    n: number,
    nrhs: number,
    lower: Float64Array,
    diagonal: Float64Array,
    upper: Float64Array,
    b: Float64Array,
    ldb: number,
    info: Box,
  ) => {
    const x = taken('B', b, n, nrhs, ldb);
    const far = new Float64Array(n);
    for (let k = 0; k < n - 1; k++) {
      if (Math.abs(lower[k]!) > Math.abs(diagonal[k]!)) {
        // The next row goes first.
        const [d, u] = [diagonal[k]!, upper[k]!];
        diagonal[k] = lower[k]!;
        upper[k] = diagonal[k + 1]!;
        lower[k] = d;
        diagonal[k + 1] = u;
        if (k < n - 2) {
          far[k] = upper[k + 1]!;
          upper[k + 1] = 0;
        }
        swapRows(x, k, k + 1);
      }
      if (diagonal[k] === 0) {
        put(info, k + 1);
        return;
      }
      const factor = lower[k]! / diagonal[k]!;
      diagonal[k + 1]! -= factor * upper[k]!;
      if (k < n - 2) upper[k + 1]! -= factor * far[k]!;
      for (let c = 0; c < nrhs; c++) x.set(k + 1, c, x.at(k + 1, c) - factor * x.at(k, c));
    }
    if (n > 0 && diagonal[n - 1] === 0) {
      put(info, n);
      return;
    }
    for (let c = 0; c < nrhs; c++)
      for (let i = n - 1; i >= 0; i--) {
        let sum = x.at(i, c);
        if (i < n - 1) sum -= upper[i]! * x.at(i + 1, c);
        if (i < n - 2) sum -= far[i]! * x.at(i + 2, c);
        x.set(i, c, sum / diagonal[i]!);
      }
    give(x, b, ldb);
    put(info, 0);
  },

  dpotrf: (uplo: string, n: number, a: Float64Array, lda: number, info: Box) => {
    const own = taken('A', a, n, n, lda);
    const upper = uplo.toUpperCase() === 'U';
    const [at, set] = upper
      ? [(i: number, j: number) => own.at(j, i), (i: number, j: number, x: number) => own.set(j, i, x)]
      : [(i: number, j: number) => own.at(i, j), (i: number, j: number, x: number) => own.set(i, j, x)];
    let failed = 0;
    for (let j = 0; j < n && failed === 0; j++) {
      let square = at(j, j);
      for (let k = 0; k < j; k++) square -= at(j, k) ** 2;
      if (!(square > 0)) {
        failed = j + 1;
        break;
      }
      set(j, j, Math.sqrt(square));
      for (let i = j + 1; i < n; i++) {
        let sum = at(i, j);
        for (let k = 0; k < j; k++) sum -= at(i, k) * at(j, k);
        set(i, j, sum / at(j, j));
      }
    }
    give(own, a, lda);
    put(info, failed);
  },

  /** op(A) X = alpha B, or X op(A) = alpha B. */
  dtrsm: (
    side: string,
    uplo: string,
    transA: string,
    diag: string,
    m: number,
    n: number,
    alpha: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
  ) => {
    const right = side.toUpperCase() === 'R';
    const size = right ? n : m;
    const own = taken('A', a, size, size, lda);
    const given = taken('B', b, m, n, ldb);
    for (let k = 0; k < given.data.length; k++) given.data[k]! *= alpha;
    const x = right ? given.transposed() : given;
    const transposed = isNone(transA) === right;
    solveTriangle(own, x, uplo.toUpperCase() === 'U', transposed, diag.toUpperCase() === 'U');
    give(right ? x.transposed() : x, b, ldb);
  },

  dlange: (kind: string, m: number, n: number, a: Float64Array, lda: number) =>
    norm(kind, taken('A', a, m, n, lda)),
};
