/**
 * Ranges of the scalar operators: from ranges of the arguments, and of their derivatives by time, a range of the value and of its derivative
 * (R. E. Moore, Interval Analysis, 1966; derivatives by forward mode). Ranges may be too wide, never too narrow but for rounding, which
 * is not directed. A value that may jump has the derivative from -inf to inf; so has one that may not exist.
 *
 *     lo[k] .. hi[k]     values of node k
 *     from[k] .. to[k]   derivatives of node k
 */
import type { Op } from './expr.ts';

export interface Ranges {
  readonly lo: Float64Array;
  readonly hi: Float64Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/** Writes the ranges of node k; a, b and c are its arguments. */
export type RangeRule = (x: Ranges, k: number, a: number, b: number, c: number) => void;

/** The rule of an operator on numbers; undefined where there is none. */
export function rangeRule(op: Op): RangeRule | undefined {
  return rules[op];
}

const infinity = Number.POSITIVE_INFINITY;
const turn = 2 * Math.PI;

/** The last range that was computed: inner loops allocate nothing, as variables outside of functions would. */
export const last = new Float64Array(2);
export const LOW = 0;
export const HIGH = 1;

function set(x: Ranges, k: number, lo: number, hi: number, from: number, to: number): void {
  const known = lo <= hi;
  const smooth = from <= to;
  x.lo[k] = known ? lo : -infinity;
  x.hi[k] = known ? hi : infinity;
  x.from[k] = smooth ? from : -infinity;
  x.to[k] = smooth ? to : infinity;
}

/** Zero times anything is zero: an unbounded range has no infinite element. */
const product = (p: number, q: number): number => (p === 0 || q === 0 ? 0 : p * q);

/** By the signs of the factors: mostly two products are all that is needed. */
export function times(al: number, ah: number, bl: number, bh: number): void {
  if (al >= 0) {
    last[LOW] = product(bl >= 0 ? al : ah, bl);
    last[HIGH] = product(bh <= 0 ? al : ah, bh);
  } else if (ah <= 0) {
    last[LOW] = product(bh <= 0 ? ah : al, bh);
    last[HIGH] = product(bl >= 0 ? ah : al, bl);
  } else if (bl >= 0) {
    last[LOW] = product(al, bh);
    last[HIGH] = product(ah, bh);
  } else if (bh <= 0) {
    last[LOW] = product(ah, bl);
    last[HIGH] = product(al, bl);
  } else {
    last[LOW] = Math.min(product(al, bh), product(ah, bl));
    last[HIGH] = Math.max(product(al, bl), product(ah, bh));
  }
}

/** A function of one argument with known values and slopes `dl .. dh` over its range. */
function chain(x: Ranges, k: number, a: number, lo: number, hi: number, dl: number, dh: number): void {
  times(dl, dh, x.from[a]!, x.to[a]!);
  set(x, k, lo, hi, last[LOW]!, last[HIGH]!);
}

/** Nothing is known. */
const unknown = (x: Ranges, k: number): void => set(x, k, -infinity, infinity, -infinity, infinity);

const jump = (x: Ranges, k: number, lo: number, hi: number): void =>
  set(x, k, lo, hi, lo === hi ? 0 : -infinity, lo === hi ? 0 : infinity);

const copy = (x: Ranges, k: number, a: number): void => set(x, k, x.lo[a]!, x.hi[a]!, x.from[a]!, x.to[a]!);

function hull(x: Ranges, k: number, a: number, b: number): void {
  const lo = Math.min(x.lo[a]!, x.lo[b]!);
  const hi = Math.max(x.hi[a]!, x.hi[b]!);
  set(x, k, lo, hi, Math.min(x.from[a]!, x.from[b]!), Math.max(x.to[a]!, x.to[b]!));
}

export function sineRange(l: number, h: number): void {
  if (!(h - l < turn)) {
    last[LOW] = -1;
    last[HIGH] = 1;
    return;
  }
  const p = Math.sin(l);
  const q = Math.sin(h);
  const reaches = (phase: number) => phase + turn * Math.ceil((l - phase) / turn) <= h;
  last[LOW] = reaches(-Math.PI / 2) ? -1 : Math.min(p, q);
  last[HIGH] = reaches(Math.PI / 2) ? 1 : Math.max(p, q);
}

export const cosineRange = (l: number, h: number): void => sineRange(l + Math.PI / 2, h + Math.PI / 2);

const multiply: RangeRule = (x, k, a, b) => {
  if (a === b) return power(x, k, a, 2);
  times(x.from[a]!, x.to[a]!, x.lo[b]!, x.hi[b]!);
  const from = last[LOW]!;
  const to = last[HIGH]!;
  times(x.lo[a]!, x.hi[a]!, x.from[b]!, x.to[b]!);
  const p = from + last[LOW]!;
  const q = to + last[HIGH]!;
  times(x.lo[a]!, x.hi[a]!, x.lo[b]!, x.hi[b]!);
  set(x, k, last[LOW]!, last[HIGH]!, p, q);
};

const divide: RangeRule = (x, k, a, b) => {
  const bl = x.lo[b]!;
  const bh = x.hi[b]!;
  if (bl <= 0 && bh >= 0) return unknown(x, k);
  const rl = 1 / bh;
  const rh = 1 / bl;
  times(x.lo[a]!, x.hi[a]!, rl, rh);
  const lo = last[LOW]!;
  const hi = last[HIGH]!;
  times(lo, hi, x.from[b]!, x.to[b]!);
  times(x.from[a]! - last[HIGH]!, x.to[a]! - last[LOW]!, rl, rh);
  set(x, k, lo, hi, last[LOW]!, last[HIGH]!);
};

/** A whole number as exponent, by the monotone parts of the power. */
function power(x: Ranges, k: number, a: number, n: number) {
  const l = x.lo[a]!;
  const h = x.hi[a]!;
  if (n < 0 && l <= 0 && h >= 0) return unknown(x, k);
  wholePower(l, h, n - 1);
  const dl = n * (n < 0 ? last[HIGH]! : last[LOW]!);
  const dh = n * (n < 0 ? last[LOW]! : last[HIGH]!);
  wholePower(l, h, n);
  chain(x, k, a, last[LOW]!, last[HIGH]!, dl, dh);
}

/** Powers of a range that is positive where n is no whole number, and without zero where it is negative. */
export function wholePower(l: number, h: number, n: number): void {
  const p = l ** n;
  const q = h ** n;
  last[LOW] = n > 0 && n % 2 === 0 && l < 0 && h > 0 ? 0 : Math.min(p, q);
  last[HIGH] = Math.max(p, q);
}

const raise: RangeRule = (x, k, a, b) => {
  const exponent = x.lo[b]!;
  const isConstant = exponent === x.hi[b];
  if (isConstant && Number.isInteger(exponent)) return power(x, k, a, exponent);
  const l = Math.max(0, x.lo[a]!);
  const h = x.hi[a]!;
  if (isConstant && exponent > 0) {
    const p = l ** (exponent - 1);
    const q = h ** (exponent - 1);
    return chain(x, k, a, l ** exponent, h ** exponent, exponent * Math.min(p, q), exponent * Math.max(p, q));
  }
  if (!(l > 0)) return unknown(x, k);
  // a^b = exp(b log a), with the derivative a^b (b' log a + b a'/a).
  times(x.lo[b]!, x.hi[b]!, Math.log(l), Math.log(h));
  const lo = Math.exp(last[LOW]!);
  const hi = Math.exp(last[HIGH]!);
  times(x.from[b]!, x.to[b]!, Math.log(l), Math.log(h));
  let from = last[LOW]!;
  let to = last[HIGH]!;
  times(x.from[a]!, x.to[a]!, 1 / h, 1 / l);
  times(x.lo[b]!, x.hi[b]!, last[LOW]!, last[HIGH]!);
  from = from + last[LOW]!;
  to = to + last[HIGH]!;
  times(lo, hi, from, to);
  set(x, k, lo, hi, last[LOW]!, last[HIGH]!);
};

/** An operator that grows with its argument, where this lies in its domain; `slope` is monotone but for zero. */
function growing(
  f: (u: number) => number,
  slope: (u: number) => number,
  least = -infinity,
  most = infinity,
): RangeRule {
  return (x, k, a) => {
    const l = Math.max(least, x.lo[a]!);
    const h = Math.min(most, x.hi[a]!);
    const p = slope(l);
    const q = slope(h);
    const middle = l < 0 && h > 0 ? slope(0) : p;
    chain(x, k, a, f(l), f(h), Math.min(p, q, middle), Math.max(p, q, middle));
  };
}

const arcSlope = (u: number): number => 1 / Math.sqrt(1 - u * u);

const arctangent = growing(Math.atan, (u) => 1 / (1 + u * u));

const tangent: RangeRule = (x, k, a) => {
  const l = x.lo[a]!;
  const h = x.hi[a]!;
  if (Math.floor(l / Math.PI + 0.5) !== Math.floor(h / Math.PI + 0.5)) return unknown(x, k);
  const p = Math.tan(l);
  const q = Math.tan(h);
  const least = p <= 0 && q >= 0 ? 0 : Math.min(p * p, q * q);
  chain(x, k, a, p, q, 1 + least, 1 + Math.max(p * p, q * q));
};

const absolute: RangeRule = (x, k, a) => {
  const l = x.lo[a]!;
  const h = x.hi[a]!;
  if (l >= 0) return copy(x, k, a);
  if (h <= 0) return set(x, k, -h, -l, -x.to[a]!, -x.from[a]!);
  const most = Math.max(Math.abs(x.from[a]!), Math.abs(x.to[a]!));
  set(x, k, 0, Math.max(-l, h), -most, most);
};

/** The one of two arguments that `wins`, where that is certain. */
const chosen =
  (pick: (p: number, q: number) => number, sign: 1 | -1): RangeRule =>
  (x, k, a, b) => {
    const [upper, lower] = sign > 0 ? [a, b] : [b, a];
    if (x.lo[upper]! >= x.hi[lower]!) return copy(x, k, a);
    if (x.lo[lower]! >= x.hi[upper]!) return copy(x, k, b);
    const lo = pick(x.lo[a]!, x.lo[b]!);
    const hi = pick(x.hi[a]!, x.hi[b]!);
    set(x, k, lo, hi, Math.min(x.from[a]!, x.from[b]!), Math.max(x.to[a]!, x.to[b]!));
  };

/** a - round(a/b)*b, where the quotient does not change; otherwise less than b away from zero. */
const remainder =
  (round: (u: number) => number): RangeRule =>
  (x, k, a, b) => {
    const divisor = x.lo[b]!;
    if (divisor <= 0 && x.hi[b]! >= 0) return unknown(x, k);
    const p = round(x.lo[a]! / divisor);
    const q = round(x.hi[a]! / divisor);
    const size = Math.max(Math.abs(divisor), Math.abs(x.hi[b]!));
    if (divisor !== x.hi[b] || p !== q) return set(x, k, -size, size, -infinity, infinity);
    set(x, k, x.lo[a]! - p * divisor, x.hi[a]! - p * divisor, x.from[a]!, x.to[a]!);
  };

const rounded =
  (round: (u: number) => number): RangeRule =>
  (x, k, a) =>
    jump(x, k, round(x.lo[a]!), round(x.hi[a]!));

/** A Boolean that is certain, or may be both. */
const truth = (x: Ranges, k: number, always: boolean, never: boolean): void =>
  jump(x, k, always ? 1 : 0, never ? 0 : 1);

const rules: Partial<Record<Op, RangeRule>> = {
  add: (x, k, a, b) =>
    set(x, k, x.lo[a]! + x.lo[b]!, x.hi[a]! + x.hi[b]!, x.from[a]! + x.from[b]!, x.to[a]! + x.to[b]!),
  sub: (x, k, a, b) =>
    set(x, k, x.lo[a]! - x.hi[b]!, x.hi[a]! - x.lo[b]!, x.from[a]! - x.to[b]!, x.to[a]! - x.from[b]!),
  neg: (x, k, a) => set(x, k, -x.hi[a]!, -x.lo[a]!, -x.to[a]!, -x.from[a]!),
  mul: multiply,
  div: divide,
  pow: raise,
  sin: (x, k, a) => {
    cosineRange(x.lo[a]!, x.hi[a]!);
    const dl = last[LOW]!;
    const dh = last[HIGH]!;
    sineRange(x.lo[a]!, x.hi[a]!);
    chain(x, k, a, last[LOW]!, last[HIGH]!, dl, dh);
  },
  cos: (x, k, a) => {
    sineRange(x.lo[a]!, x.hi[a]!);
    const dl = -last[HIGH]!;
    const dh = -last[LOW]!;
    cosineRange(x.lo[a]!, x.hi[a]!);
    chain(x, k, a, last[LOW]!, last[HIGH]!, dl, dh);
  },
  tan: tangent,
  asin: growing(Math.asin, arcSlope, -1, 1),
  acos: (x, k, a) => {
    const l = Math.max(-1, x.lo[a]!);
    const h = Math.min(1, x.hi[a]!);
    const most = Math.max(arcSlope(l), arcSlope(h));
    chain(
      x,
      k,
      a,
      Math.acos(h),
      Math.acos(l),
      -most,
      l < 0 && h > 0 ? -1 : -Math.min(arcSlope(l), arcSlope(h)),
    );
  },
  atan: arctangent,
  atan2: (x, k, a, b) => {
    if (!(x.lo[b]! > 0)) return set(x, k, -Math.PI, Math.PI, -infinity, infinity);
    divide(x, k, a, b, b);
    arctangent(x, k, k, k, k);
  },
  sinh: growing(Math.sinh, Math.cosh),
  cosh: (x, k, a) => {
    const l = x.lo[a]!;
    const h = x.hi[a]!;
    const p = Math.cosh(l);
    const q = Math.cosh(h);
    chain(x, k, a, l < 0 && h > 0 ? 1 : Math.min(p, q), Math.max(p, q), Math.sinh(l), Math.sinh(h));
  },
  tanh: growing(Math.tanh, (u) => 1 / Math.cosh(u) ** 2),
  exp: growing(Math.exp, Math.exp),
  log: growing(Math.log, (u) => 1 / u, 0),
  log10: growing(Math.log10, (u) => 1 / (u * Math.LN10), 0),
  sqrt: growing(Math.sqrt, (u) => 0.5 / Math.sqrt(u), 0),
  abs: absolute,
  sign: rounded(Math.sign),
  min: chosen(Math.min, -1),
  max: chosen(Math.max, 1),
  floor: rounded(Math.floor),
  ceil: rounded(Math.ceil),
  idiv: (x, k, a, b) => {
    divide(x, k, a, b, b);
    jump(x, k, Math.trunc(x.lo[k]!), Math.trunc(x.hi[k]!));
  },
  mod: remainder(Math.floor),
  rem: remainder(Math.trunc),
  lt: (x, k, a, b) => truth(x, k, x.hi[a]! < x.lo[b]!, x.lo[a]! >= x.hi[b]!),
  le: (x, k, a, b) => truth(x, k, x.hi[a]! <= x.lo[b]!, x.lo[a]! > x.hi[b]!),
  gt: (x, k, a, b) => truth(x, k, x.lo[a]! > x.hi[b]!, x.hi[a]! <= x.lo[b]!),
  ge: (x, k, a, b) => truth(x, k, x.lo[a]! >= x.hi[b]!, x.hi[a]! < x.lo[b]!),
  eq: (x, k, a, b) => {
    const same = x.lo[a] === x.hi[a] && x.lo[b] === x.hi[b] && x.lo[a] === x.lo[b];
    truth(x, k, same, x.hi[a]! < x.lo[b]! || x.lo[a]! > x.hi[b]!);
  },
  ne: (x, k, a, b) => {
    const same = x.lo[a] === x.hi[a] && x.lo[b] === x.hi[b] && x.lo[a] === x.lo[b];
    truth(x, k, x.hi[a]! < x.lo[b]! || x.lo[a]! > x.hi[b]!, same);
  },
  and: (x, k, a, b) => jump(x, k, Math.min(x.lo[a]!, x.lo[b]!), Math.min(x.hi[a]!, x.hi[b]!)),
  or: (x, k, a, b) => jump(x, k, Math.max(x.lo[a]!, x.lo[b]!), Math.max(x.hi[a]!, x.hi[b]!)),
  not: (x, k, a) => jump(x, k, 1 - x.hi[a]!, 1 - x.lo[a]!),
  if: (x, k, a, b, c) => {
    if (x.lo[a]! > 0) return copy(x, k, b);
    if (x.hi[a] === 0) return copy(x, k, c);
    hull(x, k, b, c);
    set(x, k, x.lo[k]!, x.hi[k]!, -infinity, infinity);
  },
  noEvent: copy,
  homotopy: copy,
  smooth: (x, k, _a, b) => copy(x, k, b),
};
