/**
 * Orthogonal factorisation by Householder's reflections, H = I - tau v v' with v[1] = 1 and the rest of v below the diagonal, as LAPACK keeps it, and least
 * squares by it.
 */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, put, taken } from './dense.ts';
import { solveTriangle } from './lu.ts';

/** Makes the elements of a column below `row` zero; v takes their place. Gives tau. */
export function reflector(a: Dense, row: number, column: number): number {
  let largest = 0;
  for (let i = row + 1; i < a.rows; i++) largest = Math.max(largest, Math.abs(a.at(i, column)));
  if (largest === 0) return 0;
  const alpha = a.at(row, column);
  const scale = Math.max(largest, Math.abs(alpha));
  let sum = (alpha / scale) ** 2;
  for (let i = row + 1; i < a.rows; i++) sum += (a.at(i, column) / scale) ** 2;
  const beta = (alpha > 0 ? -scale : scale) * Math.sqrt(sum);
  for (let i = row + 1; i < a.rows; i++) a.set(i, column, a.at(i, column) / (alpha - beta));
  a.set(row, column, beta);
  return (beta - alpha) / beta;
}

/** H C for the columns `from` to the end, with v from column `column` of `a`, whose first element stands in row `row`. */
export function reflectRows(a: Dense, row: number, column: number, tau: number, c: Dense, from = 0): void {
  if (tau === 0) return;
  for (let j = from; j < c.columns; j++) {
    let sum = c.at(row, j);
    for (let i = row + 1; i < c.rows; i++) sum += a.at(i, column) * c.at(i, j);
    sum *= tau;
    c.set(row, j, c.at(row, j) - sum);
    for (let i = row + 1; i < c.rows; i++) c.set(i, j, c.at(i, j) - a.at(i, column) * sum);
  }
}

/** C H. */
export function reflectColumns(a: Dense, row: number, column: number, tau: number, c: Dense): void {
  if (tau === 0) return;
  for (let i = 0; i < c.rows; i++) {
    let sum = c.at(i, row);
    for (let j = row + 1; j < c.columns; j++) sum += a.at(j, column) * c.at(i, j);
    sum *= tau;
    c.set(i, row, c.at(i, row) - sum);
    for (let j = row + 1; j < c.columns; j++) c.set(i, j, c.at(i, j) - a.at(j, column) * sum);
  }
}

/** A = Q R in place. */
export function factoriseQr(a: Dense): Float64Array {
  const tau = new Float64Array(Math.min(a.rows, a.columns));
  for (let k = 0; k < tau.length; k++) {
    tau[k] = reflector(a, k, k);
    reflectRows(a, k, k, tau[k]!, a, k + 1);
  }
  return tau;
}

/** A P = Q R in place, the column with the largest rest first; columns from 0 in their new order. */
function factorisePivoted(a: Dense): { readonly tau: Float64Array; readonly order: number[] } {
  const tau = new Float64Array(Math.min(a.rows, a.columns));
  const order = Array.from({ length: a.columns }, (_, j) => j);
  const rest = (j: number, from: number): number => {
    let sum = 0;
    for (let i = from; i < a.rows; i++) sum = Math.hypot(sum, a.at(i, j));
    return sum;
  };
  for (let k = 0; k < tau.length; k++) {
    let [p, most] = [k, rest(k, k)];
    for (let j = k + 1; j < a.columns; j++) {
      const own = rest(j, k);
      if (own > most) [p, most] = [j, own];
    }
    if (p !== k) {
      for (let i = 0; i < a.rows; i++) {
        const x = a.at(i, k);
        a.set(i, k, a.at(i, p));
        a.set(i, p, x);
      }
      [order[k], order[p]] = [order[p]!, order[k]!];
    }
    tau[k] = reflector(a, k, k);
    reflectRows(a, k, k, tau[k]!, a, k + 1);
  }
  return { tau, order };
}

/** Q' C in place, or Q C. */
function applyQ(qr: Dense, tau: Float64Array, c: Dense, transposed: boolean): void {
  const count = tau.length;
  for (let s = 0; s < count; s++) {
    const k = transposed ? s : count - 1 - s;
    reflectRows(qr, k, k, tau[k]!, c);
  }
}

/** The first columns of Q. */
export function columnsOfQ(qr: Dense, tau: Float64Array, columns: number): Dense {
  const q = new Dense(qr.rows, columns);
  for (let k = 0; k < Math.min(qr.rows, columns); k++) q.set(k, k, 1);
  applyQ(qr, tau, q, false);
  return q;
}

/** Least squares of a matrix of full rank, or the shortest solution where there are more columns; number of a column (from 1) that depends on others. */
function leastSquares(a: Dense, b: Dense): { readonly x: Dense; readonly info: number } {
  const tall = a.rows >= a.columns;
  const own = tall ? a : a.transposed();
  const tau = factoriseQr(own);
  const n = own.columns;
  for (let k = 0; k < n; k++)
    if (own.at(k, k) === 0) return { x: new Dense(a.columns, b.columns), info: k + 1 };
  const x = new Dense(a.columns, b.columns);
  if (tall) {
    applyQ(own, tau, b, true);
    const top = b.part(0, n, 0, b.columns);
    solveTriangle(own, top, true, false, false);
    return { x: top, info: 0 };
  }
  const top = b.part(0, n, 0, b.columns);
  solveTriangle(own, top, true, true, false);
  for (let j = 0; j < b.columns; j++) for (let i = 0; i < n; i++) x.set(i, j, top.at(i, j));
  applyQ(own, tau, x, false);
  return { x, info: 0 };
}

/** The shortest of all least squares solutions, by a complete orthogonal factorisation. */
function shortest(
  a: Dense,
  b: Dense,
  rcond: number,
): { readonly x: Dense; readonly rank: number; readonly order: number[] } {
  const { tau, order } = factorisePivoted(a);
  const largest = tau.length > 0 ? Math.abs(a.at(0, 0)) : 0;
  let rank = 0;
  while (rank < tau.length && Math.abs(a.at(rank, rank)) > rcond * largest) rank++;
  applyQ(a, tau, b, true);
  const right = b.part(0, rank, 0, b.columns);
  const upper = a.part(0, rank, 0, a.columns);
  for (let j = 0; j < rank; j++) for (let i = j + 1; i < rank; i++) upper.set(i, j, 0);
  const { x: permuted } = leastSquares(upper, right);
  const x = new Dense(a.columns, b.columns);
  for (let j = 0; j < b.columns; j++)
    for (const [k, column] of order.entries()) x.set(column, j, permuted.at(k, j));
  return { x, rank, order };
}

/** Where columns are wanted in front, which no function of the Modelica Standard Library asks for. */
function requireFree(pivots: Float64Array): void {
  if (pivots.some((own) => own !== 0)) throw new Error('columns that stay in front are not supported');
}

function leastSquaresY(
  m: number,
  n: number,
  nrhs: number,
  a: Float64Array,
  lda: number,
  b: Float64Array,
  ldb: number,
  pivots: Float64Array,
  rcond: number,
  rank: Box,
  info: Box,
): void {
  requireFree(pivots);
  const right = taken('B', b, Math.max(m, n), nrhs, ldb).part(0, m, 0, nrhs);
  const found = shortest(taken('A', a, m, n, lda), right, rcond);
  give(found.x, b, ldb);
  for (const [k, column] of found.order.entries()) pivots[k] = column + 1;
  put(rank, found.rank);
  put(info, 0);
}

function pivoted(
  m: number,
  n: number,
  a: Float64Array,
  lda: number,
  pivots: Float64Array,
  tau: Float64Array,
  info: Box,
): void {
  requireFree(pivots);
  const own = taken('A', a, m, n, lda);
  const found = factorisePivoted(own);
  give(own, a, lda);
  tau.set(found.tau);
  for (const [k, column] of found.order.entries()) pivots[k] = column + 1;
  put(info, 0);
}

export const qr: Externals = {
  dgeqrf: (
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const own = taken('A', a, m, n, lda);
    tau.set(factoriseQr(own));
    give(own, a, lda);
    put(info, 0);
  },

  dgeqp3: (
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    pivots: Float64Array,
    tau: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => pivoted(m, n, a, lda, pivots, tau, info),

  dgeqpf: (
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    pivots: Float64Array,
    tau: Float64Array,
    _work: Float64Array,
    info: Box,
  ) => pivoted(m, n, a, lda, pivots, tau, info),

  dorgqr: (
    m: number,
    n: number,
    k: number,
    a: Float64Array,
    lda: number,
    tau: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    if (n > m || k > n) throw new Error(`Q has ${m} rows: neither ${n} columns nor ${k} reflections fit`);
    give(columnsOfQ(taken('QR', a, m, n, lda), tau.subarray(0, k), n), a, lda);
    put(info, 0);
  },

  dormqr: (
    side: string,
    trans: string,
    m: number,
    n: number,
    k: number,
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
    const count = Math.min(k, tau.length);
    const own = taken('A', a, left ? m : n, count, lda);
    applied(own, tau.subarray(0, count), 0, left, !isNone(trans), taken('C', c, m, n, ldc), (out) =>
      give(out, c, ldc),
    );
    put(info, 0);
  },

  dgels: (
    trans: string,
    m: number,
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const own = taken('A', a, m, n, lda);
    const matrix = isNone(trans) ? own : own.transposed();
    const right = taken('B', b, Math.max(m, n), nrhs, ldb).part(0, matrix.rows, 0, nrhs);
    const found = leastSquares(matrix, right);
    put(info, found.info);
    if (found.info === 0) give(found.x, b, ldb);
  },

  dgelsy: (
    m: number,
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    pivots: Float64Array,
    rcond: number,
    rank: Box,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => leastSquaresY(m, n, nrhs, a, lda, b, ldb, pivots, rcond, rank, info),

  dgelsx: (
    m: number,
    n: number,
    nrhs: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    pivots: Float64Array,
    rcond: number,
    rank: Box,
    _work: Float64Array,
    info: Box,
  ) => leastSquaresY(m, n, nrhs, a, lda, b, ldb, pivots, rcond, rank, info),

  /** Smallest A x - c with B x = d: x = Q1 y1 + Q2 y2 with B' = Q1 R. 1: rows of B depend on each other, 2: the rest does not determine x. */
  dgglse: (
    m: number,
    n: number,
    p: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    c: Float64Array,
    d: Float64Array,
    x: Float64Array,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    if (p > n || m + p < n)
      throw new Error(
        `there are ${n} unknowns, ${p} conditions and ${m} equations: it needs ${p} ≤ ${n} ≤ ${m + p}`,
      );
    const across = taken('B', b, p, n, ldb).transposed();
    const tau = factoriseQr(across);
    const limit = n * Number.EPSILON * Math.hypot(...across.data);
    for (let k = 0; k < p; k++)
      if (!(Math.abs(across.at(k, k)) > limit)) {
        put(info, 1);
        return;
      }
    const y1 = new Dense(p, 1, d.slice(0, p));
    solveTriangle(across, y1, true, true, false);
    const q = columnsOfQ(across, tau, n);
    const first = q.part(0, n, 0, p).times(y1);
    const own = taken('A', a, m, n, lda);
    const rest = own.times(first);
    for (let i = 0; i < m; i++) rest.set(i, 0, c[i]! - rest.at(i, 0));
    const free = own.times(q.part(0, n, p, n));
    const size = Math.hypot(...free.data);
    const found = leastSquares(free, rest);
    for (let k = 0; k < n - p; k++)
      if (found.info > 0 || !(Math.abs(free.at(k, k)) > n * Number.EPSILON * size)) {
        put(info, 2);
        return;
      }
    const second = q.part(0, n, p, n).times(found.x);
    for (let i = 0; i < n; i++) x[i] = first.at(i, 0) + second.at(i, 0);
    put(info, 0);
  },
};

/** Q C, Q' C, C Q or C Q', with Q as a product of reflections whose first row is `shift` + k. */
export function applied(
  a: Dense,
  tau: Float64Array,
  shift: number,
  left: boolean,
  transposed: boolean,
  c: Dense,
  done: (out: Dense) => void,
): void {
  const count = tau.length;
  // Q = H1 H2 …: Q' C begins with H1, Q C with the last; on the right it is the other way round.
  const forward = left === transposed;
  for (let s = 0; s < count; s++) {
    const k = forward ? s : count - 1 - s;
    if (left) reflectRows(a, k + shift, k, tau[k]!, c);
    else reflectColumns(a, k + shift, k, tau[k]!, c);
  }
  done(c);
}
