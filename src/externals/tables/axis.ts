/**
 * One direction of a table: in which interval a value lies, and how the values and slopes at its two ends are weighed there. Interpolation along an axis is
 *
 *     c y[i] + w (y[i+1] - y[i]) + p s[i] + q s[i+1]         y values, s slopes (of cubic Hermite interpolation)
 *
 * and its derivatives have the same form, with weights that are the derivatives of these. So one formula serves curves and, applied in both directions,
 * surfaces, for all kinds of interpolation and extrapolation and for all orders.
 */

/** As `Modelica.Blocks.Types.Smoothness` counts. */
export const smoothnessKinds = [
  'linear',
  'akima',
  'constant',
  'fritschButland',
  'steffen',
  'modifiedAkima',
] as const;
export type Smoothness = (typeof smoothnessKinds)[number];

/** As `Modelica.Blocks.Types.Extrapolation` counts. */
export const extrapolationKinds = ['hold', 'lastTwoPoints', 'periodic', 'none'] as const;
export type Extrapolation = (typeof extrapolationKinds)[number];

/** Where a value lies: in an interval, or outside of the points. */
export type Side = 'left' | 'inside' | 'right';

export interface Place {
  readonly side: Side;
  /** Number of the interval; outside, the one at the end. */
  readonly interval: number;
  /** The value, moved into the points where they repeat periodically. */
  readonly at: number;
}

export interface Weights {
  readonly interval: number;
  readonly c: number;
  readonly w: number;
  readonly p: number;
  readonly q: number;
}

export class Axis {
  readonly min: number;
  readonly max: number;

  constructor(
    readonly points: Float64Array,
    readonly smoothness: Smoothness,
    readonly extrapolation: Extrapolation,
  ) {
    this.min = points[0]!;
    this.max = points[points.length - 1]!;
  }

  /** Throws where the value lies outside and nothing may be extrapolated; `name` is what the value is called. */
  locate(u: number, name: string): Place {
    const { points, min, max, extrapolation } = this;
    const last = Math.max(0, points.length - 2);
    if (points.length === 1) return { side: 'inside', interval: 0, at: u };
    if (extrapolation === 'periodic') {
      const at = this.wrapped(u);
      return { side: 'inside', interval: Math.min(intervalOf(points, at, 0, last + 1), last), at };
    }
    const side = u < min ? 'left' : u > max ? 'right' : 'inside';
    if (side === 'inside')
      return { side, interval: Math.min(intervalOf(points, u, 0, last + 1), last), at: u };
    if (extrapolation === 'none') throw outside(name, u, min, max);
    return { side, interval: side === 'left' ? 0 : last, at: u };
  }

  /** Into the points, by as few whole periods as possible: from the right onto the last point, from the left onto the first one. */
  wrapped(u: number): number {
    const { min, max } = this;
    if (u >= min && u <= max) return u;
    const period = max - min;
    const periods = u > max ? Math.ceil((u - max) / period) : Math.floor((u - min) / period);
    return Math.min(Math.max(u - periods * period, min), max);
  }

  /** Of the derivative of this order at a place. */
  weights({ side, interval, at }: Place, order: number): Weights {
    const { points, smoothness, extrapolation } = this;
    if (points.length === 1) return still(interval, order);
    const start = points[interval]!;
    const width = points[interval + 1]! - start;
    if (side !== 'inside' && extrapolation === 'hold')
      return side === 'left' ? still(interval, order) : ended(interval, order);
    const straight = smoothness === 'linear' || (smoothness === 'constant' && side !== 'inside');
    // Two points at one place are a jump.
    if (straight && width === 0) return side === 'left' ? still(interval, order) : ended(interval, order);
    if (straight) return line(interval, order, (at - start) / width, width);
    if (smoothness === 'constant')
      return at >= points[interval + 1]! ? ended(interval, order) : still(interval, order);
    if (side === 'left') return tangent(interval, order, 0, at - start);
    if (side === 'right') return tangent(interval, order, 1, at - start - width);
    return hermite(interval, order, (at - start) / width, width);
  }
}

/** Applies weights to values and slopes that lie in an array from `first`, `step` apart. */
export function apply(
  { interval, c, w, p, q }: Weights,
  values: ArrayLike<number>,
  slopes: ArrayLike<number> | undefined,
  first = 0,
  step = 1,
): number {
  const k = first + interval * step;
  const y = c === 0 ? 0 : c * values[k]!;
  const rise = w === 0 ? 0 : w * (values[k + step]! - values[k]!);
  return slopes && (p !== 0 || q !== 0) ? y + rise + (p * slopes[k]! + q * slopes[k + step]!) : y + rise;
}

/** The last of the intervals `from` to `to` - 1 that begins at or before a value; the first of them where there is none. */
export function intervalOf(points: ArrayLike<number>, u: number, from: number, to: number): number {
  let [low, high] = [from, to];
  while (high > low + 1) {
    const middle = (low + high) >> 1;
    if (u < points[middle]!) high = middle;
    else low = middle;
  }
  return high > low && high === to && u >= points[high]! ? high : low;
}

const still = (interval: number, order: number): Weights => ({
  interval,
  c: order === 0 ? 1 : 0,
  w: 0,
  p: 0,
  q: 0,
});

const ended = (interval: number, order: number): Weights => ({
  interval,
  c: order === 0 ? 1 : 0,
  w: order === 0 ? 1 : 0,
  p: 0,
  q: 0,
});

function line(interval: number, order: number, share: number, width: number): Weights {
  const w = order === 0 ? share : order === 1 ? 1 / width : 0;
  return { interval, c: order === 0 ? 1 : 0, w, p: 0, q: 0 };
}

/** Along the tangent at the beginning (end = 0) or the end (end = 1) of an interval. */
function tangent(interval: number, order: number, end: number, distance: number): Weights {
  const slope = order === 0 ? distance : order === 1 ? 1 : 0;
  const c = order === 0 ? 1 : 0;
  return { interval, c, w: c * end, p: end === 0 ? slope : 0, q: end === 1 ? slope : 0 };
}

function hermite(interval: number, order: number, x: number, h: number): Weights {
  switch (order) {
    case 0:
      return {
        interval,
        c: 1,
        w: x * x * (3 - 2 * x),
        p: h * x * (1 - x) * (1 - x),
        q: h * x * x * (x - 1),
      };
    case 1:
      return {
        interval,
        c: 0,
        w: (6 * x * (1 - x)) / h,
        p: (1 - x) * (1 - 3 * x),
        q: x * (3 * x - 2),
      };
    default:
      return { interval, c: 0, w: (6 - 12 * x) / (h * h), p: (6 * x - 4) / h, q: (6 * x - 2) / h };
  }
}

export function outside(name: string, u: number, min: number, max: number): Error {
  const [word, bound] = u < min ? ['least', min] : ['largest', max];
  return new Error(
    `${name} is ${u}, outside of the table, whose ${word} value is ${bound}, and \`extrapolation\` is \`NoExtrapolation\``,
  );
}
