/** Eigenvalues and eigenvectors of a matrix, by its real Schur form. Those of a complex pair are the columns k (real part) and k + 1 (imaginary part). */
import type { Externals } from '../../symbolic/foreign.ts';
import { type Box, Dense, give, isNone, norm, put, taken } from './dense.ts';
import { eigenvaluesOf, schurOf } from './schur.ts';

/**
 * Right eigenvectors of T by substitution from below, in complex numbers. Where two eigenvalues are the same, a small number stands for the zero that would
 * be divided by.
 */
export function triangularVectors(t: Dense): Dense {
  const n = t.rows;
  const out = new Dense(n, n);
  const { re, im } = eigenvaluesOf(t);
  const small = Math.max(Number.EPSILON * norm('1', t), Number.MIN_VALUE * 2 ** 52);
  for (let k = 0; k < n; k++) {
    const pair = im[k]! > 0;
    const [xr, xi] = [new Float64Array(n), new Float64Array(n)];
    const last = pair ? k + 1 : k;
    if (!pair) xr[k] = 1;
    else {
      // (T - λ) x = 0 in the block itself: i w x1 = t12 x2.
      xr[k] = t.at(k, k + 1);
      xi[k + 1] = im[k]!;
      const size = Math.max(Math.abs(xr[k]!), Math.abs(xi[k + 1]!));
      xr[k]! /= size;
      xi[k + 1]! /= size;
    }
    substitute(t, re[k]!, pair ? im[k]! : 0, k - 1, last, xr, xi, small);
    scaleLargest(xr, xi);
    for (let i = 0; i < n; i++) {
      out.set(i, k, xr[i]!);
      if (pair) out.set(i, k + 1, xi[i]!);
    }
    if (pair) k++;
  }
  return out;
}

function substitute(
  t: Dense,
  re: number,
  im: number,
  from: number,
  last: number,
  xr: Float64Array,
  xi: Float64Array,
  small: number,
): void {
  const rest = (i: number, after: number): [number, number] => {
    let [r, s] = [0, 0];
    for (let j = after; j <= last; j++) {
      r -= t.at(i, j) * xr[j]!;
      s -= t.at(i, j) * xi[j]!;
    }
    return [r, s];
  };
  for (let i = from; i >= 0; i--) {
    const block = i > 0 && t.at(i, i - 1) !== 0;
    if (!block) {
      const [r, s] = divided(rest(i, i + 1), away([t.at(i, i) - re, -im], small));
      xr[i] = r;
      xi[i] = s;
    } else {
      const [first, second] = [rest(i - 1, i + 1), rest(i, i + 1)];
      const [a, d]: [Complex, Complex] = [
        [t.at(i - 1, i - 1) - re, -im],
        [t.at(i, i) - re, -im],
      ];
      const [b, c] = [t.at(i - 1, i), t.at(i, i - 1)];
      const ad = times(a, d);
      const det = away([ad[0] - b * c, ad[1]], small * small);
      const [p, q] = [times(first, d), times(second, a)];
      const x = divided([p[0] - b * second[0], p[1] - b * second[1]], det);
      const y = divided([q[0] - c * first[0], q[1] - c * first[1]], det);
      [xr[i - 1], xi[i - 1]] = x;
      [xr[i], xi[i]] = y;
      i--;
    }
    rescale(xr, xi);
  }
}

type Complex = [number, number];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

function divided([a, b]: Complex, [c, d]: Complex): Complex {
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = d / c;
    const size = c + d * ratio;
    return [(a + b * ratio) / size, (b - a * ratio) / size];
  }
  const ratio = c / d;
  const size = c * ratio + d;
  return [(a * ratio + b) / size, (b * ratio - a) / size];
}

const away = (x: Complex, small: number): Complex =>
  Math.abs(x[0]) + Math.abs(x[1]) < small ? [small, 0] : x;

/** Before numbers become too large. */
function rescale(xr: Float64Array, xi: Float64Array): void {
  const most = Math.max(...xr.map(Math.abs), ...xi.map(Math.abs));
  if (most > 1e100) for (const part of [xr, xi]) for (let i = 0; i < part.length; i++) part[i]! /= most;
}

/** The largest sum of the absolute real and imaginary part is 1. */
export function scaleLargest(xr: Float64Array, xi: Float64Array): void {
  let most = 0;
  for (let i = 0; i < xr.length; i++) most = Math.max(most, Math.abs(xr[i]!) + Math.abs(xi[i]!));
  if (most > 0)
    for (let i = 0; i < xr.length; i++) {
      xr[i]! /= most;
      xi[i]! /= most;
    }
}

/** Left ones: of the transposed matrix, turned round so that it is upper triangular again. */
export function leftTriangularVectors(t: Dense): Dense {
  const n = t.rows;
  const turned = new Dense(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) turned.set(i, j, t.at(n - 1 - j, n - 1 - i));
  const right = triangularVectors(turned);
  const out = new Dense(n, n);
  for (let k = 0; k < n; k++) {
    const pair = k + 1 < n && t.at(k + 1, k) !== 0;
    // u' T = λ u' means T' conj(u) = λ conj(u).
    const own = pair ? n - 2 - k : n - 1 - k;
    for (let i = 0; i < n; i++) {
      out.set(i, k, right.at(n - 1 - i, own));
      if (pair) out.set(i, k + 1, -right.at(n - 1 - i, own + 1));
    }
    if (pair) k++;
  }
  return out;
}

/** Length 1, and the largest element of a complex one real, as dgeev has them. */
function normalise(vectors: Dense, im: Float64Array): void {
  const n = vectors.rows;
  for (let k = 0; k < n; k++) {
    const pair = im[k]! > 0;
    const size = Math.hypot(...vectors.data.subarray(k * n, (k + (pair ? 2 : 1)) * n));
    if (size === 0) continue;
    let [cos, sin] = [1, 0];
    if (pair) {
      let most = 0;
      for (let i = 0; i < n; i++) {
        const [x, y] = [vectors.at(i, k), vectors.at(i, k + 1)];
        const length = Math.hypot(x, y);
        if (length > most) [most, cos, sin] = [length, x / length, y / length];
      }
    }
    for (let i = 0; i < n; i++) {
      const [x, y] = [vectors.at(i, k) / size, pair ? vectors.at(i, k + 1) / size : 0];
      vectors.set(i, k, cos * x + sin * y);
      if (pair) vectors.set(i, k + 1, cos * y - sin * x);
    }
    if (pair) k++;
  }
}

/** Scales rows and columns by powers of 2 until they are alike (B. N. Parlett, C. Reinsch 1969); gives the factors. */
function balance(a: Dense): Float64Array {
  const n = a.rows;
  const scale = new Float64Array(n).fill(1);
  for (let calm = false, rounds = 0; !calm && rounds < 100; rounds++) {
    calm = true;
    for (let i = 0; i < n; i++) {
      let [c, r] = [0, 0];
      for (let j = 0; j < n; j++)
        if (j !== i) {
          c = Math.hypot(c, a.at(j, i));
          r = Math.hypot(r, a.at(i, j));
        }
      if (c === 0 || r === 0 || !Number.isFinite(c + r)) continue;
      const f = 2 ** Math.round(Math.log2(r / c) / 2);
      if (f === 1 || (c * f) ** 2 + (r / f) ** 2 >= 0.95 * (c * c + r * r)) continue;
      calm = false;
      scale[i]! *= f;
      for (let j = 0; j < n; j++) {
        a.set(i, j, a.at(i, j) / f);
        a.set(j, i, a.at(j, i) * f);
      }
    }
  }
  return scale;
}

interface Eigen {
  readonly t: Dense;
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly right: () => Dense;
  readonly left: () => Dense;
  readonly info: number;
}

function eigenOf(a: Dense): Eigen {
  const t = a.copy();
  const scale = balance(t);
  const { z, info } = schurOf(t);
  const { re, im } = eigenvaluesOf(t);
  const whole = (vectors: Dense, factor: (i: number) => number): Dense => {
    const out = z.times(vectors);
    for (let j = 0; j < out.columns; j++)
      for (let i = 0; i < out.rows; i++) out.set(i, j, out.at(i, j) * factor(i));
    normalise(out, im);
    return out;
  };
  return {
    t,
    re,
    im,
    right: () => whole(triangularVectors(t), (i) => scale[i]!),
    left: () => whole(leftTriangularVectors(t), (i) => 1 / scale[i]!),
    info,
  };
}

/** The eigenvalues of a matrix by rows; undefined where some are not found. */
export function eigenvalues(rows: readonly ArrayLike<number>[]): { re: number; im: number }[] | undefined {
  const n = rows.length;
  const a = new Dense(n, n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) a.set(i, j, rows[i]![j]!);
  const { re, im, info } = eigenOf(a);
  return info > 0 ? undefined : Array.from(re, (value, k) => ({ re: value, im: im[k]! }));
}

export const eigen: Externals = {
  dgeev: (
    jobvl: string,
    jobvr: string,
    n: number,
    a: Float64Array,
    lda: number,
    re: Float64Array,
    im: Float64Array,
    vl: Float64Array,
    ldvl: number,
    vr: Float64Array,
    ldvr: number,
    _work: Float64Array,
    _lwork: number,
    info: Box,
  ) => {
    const found = eigenOf(taken('A', a, n, n, lda));
    re.set(found.re);
    im.set(found.im);
    put(info, found.info);
    if (found.info > 0) return;
    if (!isNone(jobvl)) give(found.left(), vl, ldvl);
    if (!isNone(jobvr)) give(found.right(), vr, ldvr);
  },

  /** Condition numbers and the data of balancing are left as they are. */
  dgeevx: (
    _balanc: string,
    jobvl: string,
    jobvr: string,
    _sense: string,
    n: number,
    a: Float64Array,
    lda: number,
    re: Float64Array,
    im: Float64Array,
    vl: Float64Array,
    ldvl: number,
    vr: Float64Array,
    ldvr: number,
    ilo: Box,
    ihi: Box,
    _scale: Float64Array,
    _abnrm: Box,
    _rconde: Float64Array,
    _rcondv: Float64Array,
    _work: Float64Array,
    _lwork: number,
    _iwork: Float64Array,
    info: Box,
  ) => {
    const found = eigenOf(taken('A', a, n, n, lda));
    re.set(found.re);
    im.set(found.im);
    give(found.t, a, lda);
    put(ilo, 1);
    put(ihi, n);
    put(info, found.info);
    if (found.info > 0) return;
    if (!isNone(jobvl)) give(found.left(), vl, ldvl);
    if (!isNone(jobvr)) give(found.right(), vr, ldvr);
  },

  dtrevc: (
    side: string,
    howmny: string,
    _select: unknown,
    n: number,
    t: Float64Array,
    ldt: number,
    vl: Float64Array,
    ldvl: number,
    vr: Float64Array,
    ldvr: number,
    _mm: number,
    m: Box,
    _work: Float64Array,
    info: Box,
  ) => {
    if (howmny.toUpperCase() === 'S') throw new Error('a selection of eigenvectors is not supported');
    const own = taken('T', t, n, n, ldt);
    const back = howmny.toUpperCase() === 'B';
    const write = (vectors: Dense, into: Float64Array, ld: number): void =>
      give(back ? rescaled(taken('Q', into, n, n, ld).times(vectors), own) : vectors, into, ld);
    if (side.toUpperCase() !== 'L') write(triangularVectors(own), vr, ldvr);
    if (side.toUpperCase() !== 'R') write(leftTriangularVectors(own), vl, ldvl);
    put(m, n);
    put(info, 0);
  },
};

/** After the change of coordinates the largest elements are 1 again. */
function rescaled(vectors: Dense, t: Dense): Dense {
  const n = vectors.rows;
  const none = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    const pair = k + 1 < n && t.at(k + 1, k) !== 0;
    const column = (j: number): Float64Array => vectors.data.subarray(j * n, (j + 1) * n);
    scaleLargest(column(k), pair ? column(k + 1) : none);
    if (pair) k++;
  }
  return vectors;
}
