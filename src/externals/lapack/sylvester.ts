/** Sylvester equations of matrices in Schur form (R. H. Bartels, G. W. Stewart 1972), and eigenvalues in another order by them. */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, norm, put, taken } from './dense.ts';
import { factorise, solveFactored } from './lu.ts';
import { columnsOfQ, factoriseQr } from './qr.ts';
import { eigenvaluesOf, standardise } from './schur.ts';

/** First rows of the blocks on the diagonal, and the end. */
function blocksOf(t: Dense): number[] {
  const starts: number[] = [];
  for (let k = 0; k < t.rows; k++) {
    starts.push(k);
    if (k + 1 < t.rows && t.at(k + 1, k) !== 0) k++;
  }
  return [...starts, t.rows];
}

/** op(A) X + sign X op(B) = C in place, block by block; 1 where the equation is almost singular and was disturbed. */
function sylvester(a: Dense, b: Dense, c: Dense, transA: boolean, transB: boolean, sign: number): number {
  const [rows, columns] = [blocksOf(a), blocksOf(b)];
  const small = Number.EPSILON * Math.max(norm('M', a), norm('M', b), Number.MIN_VALUE / Number.EPSILON);
  const [own, other] = [transA ? a.transposed() : a, transB ? b.transposed() : b];
  let info = 0;
  for (let s = 0; s + 1 < columns.length; s++) {
    const q = transB ? columns.length - 2 - s : s;
    const [j, jEnd] = [columns[q]!, columns[q + 1]!];
    for (let r = 0; r + 1 < rows.length; r++) {
      const p = transA ? r : rows.length - 2 - r;
      const [i, iEnd] = [rows[p]!, rows[p + 1]!];
      const [m, n] = [iEnd - i, jEnd - j];
      // What is known already goes to the right side; the rest is a system of at most four equations.
      const right = new Dense(m * n, 1);
      const matrix = new Dense(m * n, m * n);
      for (let x = 0; x < m; x++)
        for (let y = 0; y < n; y++) {
          let sum = c.at(i + x, j + y);
          for (let k = 0; k < a.rows; k++)
            if (k < i || k >= iEnd) sum -= own.at(i + x, k) * (isKnown(k, i, transA) ? c.at(k, j + y) : 0);
          for (let k = 0; k < b.rows; k++)
            if (k < j || k >= jEnd)
              sum -= sign * other.at(k, j + y) * (isKnown(k, j, !transB) ? c.at(i + x, k) : 0);
          const row = x + y * m;
          right.set(row, 0, sum);
          for (let k = 0; k < m; k++) matrix.set(row, k + y * m, own.at(i + x, i + k));
          for (let k = 0; k < n; k++)
            matrix.set(row, x + k * m, matrix.at(row, x + k * m) + sign * other.at(j + k, j + y));
        }
      info = Math.max(info, solveSmall(matrix, right, small));
      for (let x = 0; x < m; x++) for (let y = 0; y < n; y++) c.set(i + x, j + y, right.at(x + y * m, 0));
    }
  }
  return info;
}

/** Blocks before this one were solved, or those after it. */
const isKnown = (k: number, own: number, before: boolean): boolean => (before ? k < own : k > own);

function solveSmall(matrix: Dense, right: Dense, small: number): number {
  const pivots = new Float64Array(matrix.rows);
  factorise(matrix, pivots);
  let info = 0;
  for (let k = 0; k < matrix.rows; k++)
    if (Math.abs(matrix.at(k, k)) < small) {
      matrix.set(k, k, small);
      info = 1;
    }
  solveFactored(matrix, pivots, right, false);
  return info;
}

/** Swaps two neighbouring blocks of T that begin in `k` and have p and q rows (Z. Bai, J. Demmel 1993). */
function swapBlocks(t: Dense, z: Dense, k: number, p: number, q: number): void {
  const size = p + q;
  const x = t.part(k, k + p, k + p, k + size);
  // A X - X B = C: the columns of [-X; I] span the space of the second block.
  sylvester(t.part(k, k + p, k, k + p), t.part(k + p, k + size, k + p, k + size), x, false, false, -1);
  const span = new Dense(size, q);
  for (let j = 0; j < q; j++) {
    for (let i = 0; i < p; i++) span.set(i, j, -x.at(i, j));
    span.set(p + j, j, 1);
  }
  const turn = columnsOfQ(span, factoriseQr(span), size);
  const left = turn.transposed().times(t.part(k, k + size, k, t.columns));
  for (let i = 0; i < size; i++) for (let j = k; j < t.columns; j++) t.set(k + i, j, left.at(i, j - k));
  for (const own of [t, z]) {
    const rows = own === t ? k + size : own.rows;
    const right = own.part(0, rows, k, k + size).times(turn);
    for (let j = 0; j < size; j++) for (let i = 0; i < rows; i++) own.set(i, k + j, right.at(i, j));
  }
  for (let i = q; i < size; i++) for (let j = 0; j < q; j++) t.set(k + i, k + j, 0);
  if (q === 2) standardise(t, z, k);
  if (p === 2) standardise(t, z, k + q);
}

/** Selected eigenvalues come first, in their order; how many they are. */
function reorder(t: Dense, z: Dense, selected: readonly boolean[]): number {
  let done = 0;
  const starts = blocksOf(t);
  const blocks = starts.slice(0, -1).map((start, k) => {
    const size = starts[k + 1]! - start;
    return { size, wanted: selected.slice(start, start + size).some(Boolean) };
  });
  for (let k = 0, first = 0; k < blocks.length; k++) {
    const own = blocks[k]!;
    if (!own.wanted) continue;
    for (let at = k; at > first; at--) {
      const begin = blocks.slice(0, at - 1).reduce((sum, { size }) => sum + size, 0);
      swapBlocks(t, z, begin, blocks[at - 1]!.size, own.size);
      [blocks[at - 1], blocks[at]] = [own, blocks[at - 1]!];
    }
    first++;
    done += own.size;
  }
  return done;
}

export const sylvesters: Externals = {
  dtrsyl: (
    trana: string,
    tranb: string,
    isgn: number,
    m: number,
    n: number,
    a: Float64Array,
    lda: number,
    b: Float64Array,
    ldb: number,
    c: Float64Array,
    ldc: number,
    scale: Box,
    info: Box,
  ) => {
    const x = taken('C', c, m, n, ldc);
    const [own, other] = [taken('A', a, m, m, lda), taken('B', b, n, n, ldb)];
    put(info, sylvester(own, other, x, !isNone(trana), !isNone(tranb), isgn));
    put(scale, 1);
    give(x, c, ldc);
  },

  /** Condition numbers (`s`, `sep`) are not computed. */
  dtrsen: (
    _job: string,
    compq: string,
    select: readonly boolean[],
    n: number,
    t: Float64Array,
    ldt: number,
    q: Float64Array,
    ldq: number,
    re: Float64Array,
    im: Float64Array,
    m: Box,
    _s: Box,
    _sep: Box,
    _work: Float64Array,
    _lwork: number,
    _iwork: Float64Array,
    _liwork: number,
    info: Box,
  ) => {
    const own = taken('T', t, n, n, ldt);
    const vectors = isNone(compq) ? Dense.identity(n) : taken('Q', q, n, n, ldq);
    put(m, reorder(own, vectors, select));
    const found = eigenvaluesOf(own);
    re.set(found.re);
    im.set(found.im);
    give(own, t, ldt);
    if (!isNone(compq)) give(vectors, q, ldq);
    put(info, 0);
  },
};
