/** Singular values by Jacobi's rotations of columns (M. R. Hestenes 1958; G. H. Golub, C. F. Van Loan: Matrix Computations, section 8.6): slow, but accurate to the last digits. */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, norm, put, taken } from './dense.ts';
import { columnsOfQ, factoriseQr } from './qr.ts';

const mostSweeps = 60;

export interface SingularValues {
  readonly u: Dense;
  /** Largest first. */
  readonly sigma: Float64Array;
  readonly v: Dense;
  /** Whether it came to an end: numbers that are not finite have no singular values. */
  readonly done: boolean;
}

/** A = U diag(sigma) V', U and V square. */
export function singularValues(a: Dense): SingularValues {
  if (a.rows < a.columns) {
    const { u, sigma, v, done } = singularValues(a.transposed());
    return { u: v, sigma, v: u, done };
  }
  const [m, n] = [a.rows, a.columns];
  const scale = norm('M', a) || 1;
  const work = new Dense(
    m,
    n,
    a.data.map((own) => own / scale),
  );
  const v = Dense.identity(n);
  const done = a.data.every(Number.isFinite) && turned(work, v);
  const lengths = Float64Array.from({ length: n }, (_, j) => length(work, j));
  const order = Array.from({ length: n }, (_, j) => j).sort((p, q) => lengths[q]! - lengths[p]!);
  const sigma = Float64Array.from(order, (j) => lengths[j]! * scale);
  const [sorted, left] = [new Dense(n, n), new Dense(m, n)];
  for (const [k, j] of order.entries()) {
    for (let i = 0; i < n; i++) sorted.set(i, k, v.at(i, j));
    for (let i = 0; i < m; i++) left.set(i, k, lengths[j]! > 0 ? work.at(i, j) / lengths[j]! : 0);
  }
  return { u: completed(left, sigma), sigma, v: sorted, done };
}

/** The square of a length that rounding alone has left, beside elements of at most 1: where the rank is not full, columns shrink without end. */
const nothing = 2 ** -1000;

/** Turns pairs of columns until all are orthogonal. */
function turned(a: Dense, v: Dense): boolean {
  const n = a.columns;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    let calm = true;
    for (let p = 0; p < n - 1; p++)
      for (let q = p + 1; q < n; q++) {
        let [alpha, beta, gamma] = [0, 0, 0];
        for (let i = 0; i < a.rows; i++) {
          const [x, y] = [a.at(i, p), a.at(i, q)];
          alpha += x * x;
          beta += y * y;
          gamma += x * y;
        }
        if (Math.min(alpha, beta) < nothing) continue;
        if (Math.abs(gamma) <= Number.EPSILON * Math.sqrt(alpha) * Math.sqrt(beta)) continue;
        calm = false;
        const zeta = (beta - alpha) / (2 * gamma);
        const t = Math.sign(zeta || 1) / (Math.abs(zeta) + Math.hypot(1, zeta));
        const c = 1 / Math.hypot(1, t);
        turn(a, p, q, c, c * t);
        turn(v, p, q, c, c * t);
      }
    if (calm) return true;
  }
  return false;
}

function turn(a: Dense, p: number, q: number, c: number, s: number): void {
  for (let i = 0; i < a.rows; i++) {
    const [x, y] = [a.at(i, p), a.at(i, q)];
    a.set(i, p, c * x - s * y);
    a.set(i, q, s * x + c * y);
  }
}

function length(a: Dense, j: number): number {
  let sum = 0;
  for (let i = 0; i < a.rows; i++) sum = Math.hypot(sum, a.at(i, j));
  return sum;
}

/** An orthogonal matrix whose first columns are the given ones, where their singular values are not zero. */
function completed(left: Dense, sigma: Float64Array): Dense {
  const [m, n] = [left.rows, left.columns];
  let rank = 0;
  while (rank < n && sigma[rank]! > sigma[0]! * Number.EPSILON * m) rank++;
  const known = left.part(0, m, 0, rank);
  const qr = known.copy();
  const q = columnsOfQ(qr, factoriseQr(qr), m);
  for (let j = 0; j < rank; j++) for (let i = 0; i < m; i++) q.set(i, j, known.at(i, j));
  return q;
}

function handOver(
  wanted: boolean,
  m: number,
  n: number,
  a: Float64Array,
  lda: number,
  sigma: Float64Array,
  u: Float64Array,
  ldu: number,
  vt: Float64Array,
  ldvt: number,
  info: Box,
): void {
  const found = singularValues(taken('A', a, m, n, lda));
  sigma.set(found.sigma);
  if (wanted) {
    give(found.u, u, ldu);
    give(found.v.transposed(), vt, ldvt);
  }
  put(info, found.done ? 0 : 1);
}

export const svd: Externals = {
  dgesvd: (
    jobu: string,
    _jobvt: string,
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    sigma: Float64Array,
    u: Float64Array,
    ldu: number,
    vt: Float64Array,
    ldvt: number,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => handOver(!isNone(jobu), m, n, a, lda, sigma, u, ldu, vt, ldvt, info),

  dgesdd: (
    job: string,
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    sigma: Float64Array,
    u: Float64Array,
    ldu: number,
    vt: Float64Array,
    ldvt: number,
    _work: Float64Array,
    _lwork: number,
    _iwork: Float64Array,
    info: Box,
  ) => handOver(!isNone(job), m, n, a, lda, sigma, u, ldu, vt, ldvt, info),
};
