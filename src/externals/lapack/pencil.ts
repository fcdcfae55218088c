/**
 * Generalised eigenvalues, A x = λ B x with λ = alpha/beta, by the QZ algorithm (C. B. Moler, G. W. Stewart 1973) with single shifts in complex numbers. Where beta
 * is zero, the eigenvalue is infinite; where alpha is zero as well, the pencil is singular.
 */
import type { Externals } from '../../symbolic/foreign.ts';
import {
  absolute,
  add,
  type Complex,
  ComplexMatrix,
  complex,
  conjugate,
  divide,
  multiply,
  root,
  rotationFor,
  subtract,
} from './complex.ts';
import { type Box, Dense, give, isNone, norm, put, taken } from './dense.ts';

const mostSteps = 60;

interface Pencil {
  readonly a: ComplexMatrix;
  readonly b: ComplexMatrix;
  /** Q' A Z and Q' B Z are what a and b were. */
  readonly q: ComplexMatrix;
  readonly z: ComplexMatrix;
}

/** Applies a rotation to rows i and i + 1 of both matrices. */
function turnRows({ a, b, q }: Pencil, i: number, x: Complex, y: Complex): void {
  const rotation = rotationFor(x, y);
  a.turnRows(i, rotation);
  b.turnRows(i, rotation);
  q.turnColumns(i, { c: rotation.c, s: { re: -rotation.s.re, im: -rotation.s.im } });
}

/** Turns columns j and j + 1 so that y, which stands in column j, becomes zero; x stands beside it in column j + 1. */
function turnColumns({ a, b, z }: Pencil, j: number, y: Complex, x: Complex): void {
  const rotation = rotationFor(x, y);
  for (const own of [a, b, z]) own.turnColumns(j, rotation);
}

function prepared(a: Dense, b: Dense): Pencil {
  const n = a.rows;
  const pencil: Pencil = {
    a: ComplexMatrix.of(a),
    b: ComplexMatrix.of(b),
    q: ComplexMatrix.of(Dense.identity(n)),
    z: ComplexMatrix.of(Dense.identity(n)),
  };
  const zero = complex(0);
  for (let j = 0; j < n - 1; j++)
    for (let i = n - 2; i >= j; i--) {
      turnRows(pencil, i, pencil.b.at(i, j), pencil.b.at(i + 1, j));
      pencil.b.set(i + 1, j, zero);
    }
  for (let j = 0; j < n - 2; j++)
    for (let i = n - 2; i > j; i--) {
      turnRows(pencil, i, pencil.a.at(i, j), pencil.a.at(i + 1, j));
      pencil.a.set(i + 1, j, zero);
      turnColumns(pencil, i, pencil.b.at(i + 1, i), pencil.b.at(i + 1, i + 1));
      pencil.b.set(i + 1, i, zero);
    }
  return pencil;
}

/** To triangles; number of eigenvalues that were not found. */
function triangulate(pencil: Pencil, sizeA: number, sizeB: number): number {
  const { a, b } = pencil;
  const zero = complex(0);
  const isSmall = (x: Complex, size: number): boolean => absolute(x) <= Number.EPSILON * size;
  let steps = 0;
  for (let end = a.size - 1; end > 0; ) {
    let begin = end;
    while (begin > 0 && !isSmall(a.at(begin, begin - 1), sizeA)) begin--;
    if (begin > 0) a.set(begin, begin - 1, zero);
    if (begin === end) {
      end--;
      steps = 0;
      continue;
    }
    let empty = begin;
    while (empty <= end && !isSmall(b.at(empty, empty), sizeB)) empty++;
    if (empty <= end) {
      chase(pencil, begin, empty, end);
      end--;
      steps = 0;
      continue;
    }
    if (steps++ >= mostSteps || !Number.isFinite(sizeA + sizeB)) return end + 1;
    step(pencil, begin, end, steps % 10 === 0);
  }
  return 0;
}

/** A zero on the diagonal of B goes to its end, where an infinite eigenvalue splits off. */
function chase(pencil: Pencil, begin: number, empty: number, end: number): void {
  const { a, b } = pencil;
  const zero = complex(0);
  b.set(empty, empty, zero);
  for (let k = empty; k < end; k++) {
    turnRows(pencil, k, b.at(k, k + 1), b.at(k + 1, k + 1));
    b.set(k + 1, k + 1, zero);
    if (k > begin) {
      turnColumns(pencil, k - 1, a.at(k + 1, k - 1), a.at(k + 1, k));
      a.set(k + 1, k - 1, zero);
      b.set(k, k - 1, zero);
    }
  }
  turnColumns(pencil, end - 1, a.at(end, end - 1), a.at(end, end));
  a.set(end, end - 1, zero);
}

function step(pencil: Pencil, begin: number, end: number, exceptional: boolean): void {
  const { a, b } = pencil;
  const zero = complex(0);
  const shift = exceptional
    ? divide(complex(absolute(a.at(end, end - 1)), absolute(a.at(end, end))), b.at(end - 1, end - 1))
    : shiftOf(pencil, end);
  let x = subtract(a.at(begin, begin), multiply(shift, b.at(begin, begin)));
  let y = a.at(begin + 1, begin);
  for (let k = begin; k < end; k++) {
    turnRows(pencil, k, x, y);
    if (k > begin) a.set(k + 1, k - 1, zero);
    turnColumns(pencil, k, b.at(k + 1, k), b.at(k + 1, k + 1));
    b.set(k + 1, k, zero);
    if (k + 2 > end) continue;
    x = a.at(k + 1, k);
    y = a.at(k + 2, k);
  }
}

/** The eigenvalue of the last two rows that is closer to the quotient of the last elements. */
function shiftOf({ a, b }: Pencil, end: number): Complex {
  const k = end - 1;
  // M = A inv(B) of these rows, B being triangular.
  const m11 = divide(a.at(k, k), b.at(k, k));
  const m21 = divide(a.at(end, k), b.at(k, k));
  const m12 = divide(subtract(a.at(k, end), multiply(m11, b.at(k, end))), b.at(end, end));
  const m22 = divide(subtract(a.at(end, end), multiply(m21, b.at(k, end))), b.at(end, end));
  const half = { re: (m11.re - m22.re) / 2, im: (m11.im - m22.im) / 2 };
  const inside = root(add(multiply(half, half), multiply(m12, m21)));
  const middle = { re: (m11.re + m22.re) / 2, im: (m11.im + m22.im) / 2 };
  const [first, second] = [add(middle, inside), subtract(middle, inside)];
  return absolute(subtract(first, m22)) < absolute(subtract(second, m22)) ? first : second;
}

/** One eigenvalue, with the row of the triangles that it stands in. */
interface Found {
  readonly at: number;
  readonly alpha: Complex;
  readonly beta: number;
}

export interface Generalised {
  readonly found: readonly Found[];
  readonly pencil: Pencil;
  readonly info: number;
}

/** Real ones and pairs; of a pair the one with the positive imaginary part comes first. */
export function generalised(a: Dense, b: Dense): Generalised {
  const n = a.rows;
  const pencil = prepared(a, b);
  const [sizeA, sizeB] = [norm('F', a), norm('F', b)];
  const info = triangulate(pencil, sizeA, sizeB);
  const all = Array.from({ length: n }, (_, at): Found => {
    const [alpha, beta] = [pencil.a.at(at, at), pencil.b.at(at, at)];
    const size = absolute(beta);
    if (size <= Number.EPSILON * sizeB) return { at, alpha: complex(absolute(alpha)), beta: 0 };
    return { at, alpha: multiply(alpha, { re: beta.re / size, im: -beta.im / size }), beta: size };
  });
  const isReal = ({ alpha, beta }: Found): boolean =>
    beta === 0 || Math.abs(alpha.im) <= 100 * n * Number.EPSILON * (sizeA + absolute(alpha));
  const left = new Set(all);
  const found: Found[] = [];
  for (const own of all) {
    if (!left.delete(own)) continue;
    if (isReal(own)) {
      found.push({ ...own, alpha: complex(own.alpha.re) });
      continue;
    }
    const wanted = divide(conjugate(own.alpha), complex(own.beta));
    const distance = (other: Found): number =>
      absolute(subtract(divide(other.alpha, complex(other.beta)), wanted));
    const [partner] = [...left].filter((one) => !isReal(one)).sort((p, q) => distance(p) - distance(q));
    if (partner) left.delete(partner);
    const upper = own.alpha.im > 0 ? own : (partner ?? own);
    found.push(upper, { ...upper, alpha: conjugate(upper.alpha) });
  }
  return { found, pencil, info };
}

/** Vectors of an eigenvalue by substitution in the triangles: right (β A - α B) x = 0, left y' (β A - α B) = 0. */
function vectorOf(
  { pencil }: Generalised,
  { at, alpha, beta }: Found,
  isLeft: boolean,
  small: number,
): Complex[] {
  const { a, b, q, z } = pencil;
  const n = a.size;
  const m = (i: number, j: number): Complex =>
    subtract({ re: beta * a.at(i, j).re, im: beta * a.at(i, j).im }, multiply(alpha, b.at(i, j)));
  const x = Array.from({ length: n }, () => complex(0));
  x[at] = complex(1);
  const steps = isLeft ? n - 1 - at : at;
  for (let s = 1; s <= steps; s++) {
    const i = isLeft ? at + s : at - s;
    let sum = complex(0);
    for (let k = 0; k < s; k++) {
      const j = isLeft ? at + k : at - k;
      sum = subtract(sum, multiply(isLeft ? conjugate(m(j, i)) : m(i, j), x[j]!));
    }
    const own = isLeft ? conjugate(m(i, i)) : m(i, i);
    x[i] = divide(sum, absolute(own) < small ? complex(small) : own);
    const most = Math.max(...x.map(absolute));
    if (most > 1e100) for (const [k, one] of x.entries()) x[k] = divide(one, complex(most));
  }
  return (isLeft ? q : z).times(x);
}

/** The largest element has a sum of absolute parts of 1; vectors of real eigenvalues are real. */
function normalised(x: readonly Complex[], isReal: boolean): Complex[] {
  const most = x.reduce((best, own) => (absolute(own) > absolute(best) ? own : best), complex(0));
  if (absolute(most) === 0) return [...x];
  const turned = isReal ? x.map((own) => divide(own, most)) : [...x];
  const size = Math.max(...turned.map(({ re, im }) => Math.abs(re) + Math.abs(im)));
  return turned.map(({ re, im }) => complex(re / size, isReal ? 0 : im / size));
}

function vectors(own: Generalised, isLeft: boolean, into: Float64Array, ld: number): void {
  const { found, pencil } = own;
  const n = pencil.a.size;
  const out = new Dense(n, n);
  for (let k = 0; k < n; k++) {
    const one = found[k]!;
    const isReal = one.alpha.im === 0;
    const small = Number.EPSILON * Math.max(one.beta, absolute(one.alpha), Number.MIN_VALUE / Number.EPSILON);
    const x = normalised(vectorOf(own, one, isLeft, small), isReal);
    for (let i = 0; i < n; i++) {
      out.set(i, k, x[i]!.re);
      if (!isReal) out.set(i, k + 1, x[i]!.im);
    }
    if (!isReal) k++;
  }
  give(out, into, ld);
}

function values({ found }: Generalised, re: Float64Array, im: Float64Array, beta: Float64Array): void {
  for (const [k, own] of found.entries()) {
    re[k] = own.alpha.re;
    im[k] = own.alpha.im;
    beta[k] = own.beta;
  }
}

function handOver(
  jobvl: string,
  jobvr: string,
  n: number,
  a: Float64Array,
  lda: number,
  b: Float64Array,
  ldb: number,
  re: Float64Array,
  im: Float64Array,
  beta: Float64Array,
  vl: Float64Array,
  ldvl: number,
  vr: Float64Array,
  ldvr: number,
  info: Box,
): void {
  const own = generalised(taken('A', a, n, n, lda), taken('B', b, n, n, ldb));
  values(own, re, im, beta);
  put(info, own.info);
  if (own.info > 0) return;
  if (!isNone(jobvl)) vectors(own, true, vl, ldvl);
  if (!isNone(jobvr)) vectors(own, false, vr, ldvr);
}

type Numbers = Float64Array;

const dggev = (
  jobvl: string,
  jobvr: string,
  n: number,
  a: Numbers,
  lda: number,
  b: Numbers,
  ldb: number,
  re: Numbers,
  im: Numbers,
  beta: Numbers,
  vl: Numbers,
  ldvl: number,
  vr: Numbers,
  ldvr: number,
  _work: Numbers,
  _lwork: number,
  info: Box,
) => handOver(jobvl, jobvr, n, a, lda, b, ldb, re, im, beta, vl, ldvl, vr, ldvr, info);

export const pencils: Externals = {
  dggev,
  /** An older name. */
  dgegv: dggev,

  /** Condition numbers and the data of balancing are left as they are. */
  dggevx: (
    _balanc: string,
    jobvl: string,
    jobvr: string,
    _sense: string,
    n: number,
    a: Numbers,
    lda: number,
    b: Numbers,
    ldb: number,
    re: Numbers,
    im: Numbers,
    beta: Numbers,
    vl: Numbers,
    ldvl: number,
    vr: Numbers,
    ldvr: number,
    ...rest: readonly unknown[]
  ) => handOver(jobvl, jobvr, n, a, lda, b, ldb, re, im, beta, vl, ldvl, vr, ldvr, rest.at(-1) as Box),

  /** Of a Hessenberg and a triangular matrix, eigenvalues only. */
  dhgeqz: (
    job: string,
    compq: string,
    compz: string,
    n: number,
    _ilo: number,
    _ihi: number,
    h: Numbers,
    ldh: number,
    t: Numbers,
    ldt: number,
    re: Numbers,
    im: Numbers,
    beta: Numbers,
    _q: Numbers,
    _ldq: number,
    _z: Numbers,
    _ldz: number,
    _work: Numbers,
    _lwork: number,
    info: Box,
  ) => {
    if (job.toUpperCase() !== 'E' || !isNone(compq) || !isNone(compz))
      throw new Error('only the eigenvalues of a pencil can be asked for, not its Schur form');
    const own = generalised(taken('H', h, n, n, ldh), taken('T', t, n, n, ldt));
    values(own, re, im, beta);
    put(info, own.info);
  },
};
