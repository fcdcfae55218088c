/**
 * Second derivatives by time of the scalar operators, as ranges: with them, and the value and the slope in the middle of a piece of time, ranges of slopes and of values become
 * narrower, because what cancels in the middle cancels there exactly. Where an operator has no rule, or may have none there, nothing is known.
 *
 *     low[k] .. high[k]   second derivatives of node k; its values and slopes are known already
 */
import type { Op } from './expr.ts';
import { cosineRange, HIGH, LOW, last, type Ranges, sineRange, times, wholePower } from './intervals.ts';

export interface Curved extends Ranges {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/** Writes the second derivatives of node k; a, b and c are its arguments. */
export type BendRule = (x: Curved, k: number, a: number, b: number, c: number) => void;

/** The rule of an operator; where there is none, only what does not move has a second derivative. */
export function bendRule(op: Op): BendRule {
  return rules[op] ?? resting;
}

const infinity = Number.POSITIVE_INFINITY;

function set(x: Curved, k: number, low: number, high: number): void {
  const known = low <= high;
  x.low[k] = known ? low : -infinity;
  x.high[k] = known ? high : infinity;
}

const unknown = (x: Curved, k: number): void => set(x, k, -infinity, infinity);

const resting: BendRule = (x, k) => (x.from[k] === 0 && x.to[k] === 0 ? set(x, k, 0, 0) : unknown(x, k));

const copy = (x: Curved, k: number, a: number): void => set(x, k, x.low[a]!, x.high[a]!);

/** f(a)'' = f''(a) a'^2 + f'(a) a'', with ranges of f' and f''. */
function chain(x: Curved, k: number, a: number, dl: number, dh: number, ddl: number, ddh: number): void {
  const p = Math.abs(x.from[a]!);
  const q = Math.abs(x.to[a]!);
  const least = x.from[a]! <= 0 && x.to[a]! >= 0 ? 0 : Math.min(p, q) ** 2;
  times(ddl, ddh, least, Math.max(p, q) ** 2);
  const low = last[LOW]!;
  const high = last[HIGH]!;
  times(dl, dh, x.low[a]!, x.high[a]!);
  set(x, k, low + last[LOW]!, high + last[HIGH]!);
}

const multiply: BendRule = (x, k, a, b) => {
  if (a === b) return power(x, k, a, 2);
  times(x.from[a]!, x.to[a]!, x.from[b]!, x.to[b]!);
  let low = 2 * last[LOW]!;
  let high = 2 * last[HIGH]!;
  times(x.low[a]!, x.high[a]!, x.lo[b]!, x.hi[b]!);
  low += last[LOW]!;
  high += last[HIGH]!;
  times(x.lo[a]!, x.hi[a]!, x.low[b]!, x.high[b]!);
  set(x, k, low + last[LOW]!, high + last[HIGH]!);
};

/** q = a/b: q'' = (a'' - 2 q' b' - q b'')/b. */
const divide: BendRule = (x, k, a, b) => {
  const bl = x.lo[b]!;
  const bh = x.hi[b]!;
  if (bl <= 0 && bh >= 0) return unknown(x, k);
  times(x.from[k]!, x.to[k]!, x.from[b]!, x.to[b]!);
  let low = x.low[a]! - 2 * last[HIGH]!;
  let high = x.high[a]! - 2 * last[LOW]!;
  times(x.lo[k]!, x.hi[k]!, x.low[b]!, x.high[b]!);
  low -= last[HIGH]!;
  high -= last[LOW]!;
  times(low, high, 1 / bh, 1 / bl);
  set(x, k, last[LOW]!, last[HIGH]!);
};

function power(x: Curved, k: number, a: number, n: number) {
  const l = x.lo[a]!;
  const h = x.hi[a]!;
  if (n === 0) return set(x, k, 0, 0);
  if (n === 1) return copy(x, k, a);
  // Powers of what may be negative, and fractions of what may be zero.
  if (Number.isInteger(n) ? n < 0 && l <= 0 && h >= 0 : !(l > 0)) return unknown(x, k);
  wholePower(l, h, n - 1);
  times(last[LOW]!, last[HIGH]!, n, n);
  const dl = last[LOW]!;
  const dh = last[HIGH]!;
  wholePower(l, h, n - 2);
  times(last[LOW]!, last[HIGH]!, n * (n - 1), n * (n - 1));
  chain(x, k, a, dl, dh, last[LOW]!, last[HIGH]!);
}

const rules: Partial<Record<Op, BendRule>> = {
  add: (x, k, a, b) => set(x, k, x.low[a]! + x.low[b]!, x.high[a]! + x.high[b]!),
  sub: (x, k, a, b) => set(x, k, x.low[a]! - x.high[b]!, x.high[a]! - x.low[b]!),
  neg: (x, k, a) => set(x, k, -x.high[a]!, -x.low[a]!),
  mul: multiply,
  div: divide,
  pow: (x, k, a, b) => (x.lo[b] === x.hi[b] ? power(x, k, a, x.lo[b]!) : resting(x, k, a, b, b)),
  sqrt: (x, k, a) => power(x, k, a, 0.5),
  exp: (x, k, a) => chain(x, k, a, x.lo[k]!, x.hi[k]!, x.lo[k]!, x.hi[k]!),
  log: (x, k, a) => {
    const l = x.lo[a]!;
    const h = x.hi[a]!;
    if (!(l > 0)) return unknown(x, k);
    chain(x, k, a, 1 / h, 1 / l, -1 / (l * l), -1 / (h * h));
  },
  sin: (x, k, a) => {
    cosineRange(x.lo[a]!, x.hi[a]!);
    const dl = last[LOW]!;
    const dh = last[HIGH]!;
    sineRange(x.lo[a]!, x.hi[a]!);
    chain(x, k, a, dl, dh, -last[HIGH]!, -last[LOW]!);
  },
  cos: (x, k, a) => {
    sineRange(x.lo[a]!, x.hi[a]!);
    const dl = -last[HIGH]!;
    const dh = -last[LOW]!;
    cosineRange(x.lo[a]!, x.hi[a]!);
    chain(x, k, a, dl, dh, -last[HIGH]!, -last[LOW]!);
  },
  // f' = 1 - f^2, f'' = -2 f f'.
  tanh: (x, k, a) => {
    wholePower(x.lo[k]!, x.hi[k]!, 2);
    const dl = 1 - last[HIGH]!;
    const dh = 1 - last[LOW]!;
    times(-2 * x.hi[k]!, -2 * x.lo[k]!, dl, dh);
    chain(x, k, a, dl, dh, last[LOW]!, last[HIGH]!);
  },
  // f' = 1/(1 + a^2), f'' = -2 a f'^2.
  atan: (x, k, a) => {
    wholePower(x.lo[a]!, x.hi[a]!, 2);
    const dl = 1 / (1 + last[HIGH]!);
    const dh = 1 / (1 + last[LOW]!);
    times(-2 * x.hi[a]!, -2 * x.lo[a]!, dl * dl, dh * dh);
    chain(x, k, a, dl, dh, last[LOW]!, last[HIGH]!);
  },
  abs: (x, k, a) => {
    if (x.lo[a]! >= 0) return copy(x, k, a);
    if (x.hi[a]! <= 0) return set(x, k, -x.high[a]!, -x.low[a]!);
    unknown(x, k);
  },
  min: (x, k, a, b) => {
    if (x.hi[a]! <= x.lo[b]!) return copy(x, k, a);
    if (x.hi[b]! <= x.lo[a]!) return copy(x, k, b);
    unknown(x, k);
  },
  max: (x, k, a, b) => {
    if (x.lo[a]! >= x.hi[b]!) return copy(x, k, a);
    if (x.lo[b]! >= x.hi[a]!) return copy(x, k, b);
    unknown(x, k);
  },
  if: (x, k, a, b, c) => {
    if (x.lo[a]! > 0) return copy(x, k, b);
    if (x.hi[a] === 0) return copy(x, k, c);
    unknown(x, k);
  },
  noEvent: copy,
  homotopy: copy,
  smooth: (x, k, _a, b) => copy(x, k, b),
};
