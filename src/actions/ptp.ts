/**
 * Motion from point to point: all axes begin and end together, at rest, as fast as the slowest of them may go. The share s of the way grows
 * with constant acceleration, then with constant speed, then with constant deceleration,
 *
 *     speed of s         ____________
 *                       /            \
 *                      /              \
 *                  ___/                \___
 *                  start  a          d  end
 *
 * or, where the way is too short for the highest speed, without the part in the middle (a = d).
 */

/** A motion between two points. Times are absolute. */
export interface Leg {
  readonly start: number;
  /** End of the acceleration. */
  readonly accelerated: number;
  /** Begin of the deceleration. */
  readonly decelerating: number;
  readonly end: number;
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Of the share of the way. */
  readonly acceleration: number;
}

/** Highest speeds and accelerations of the axes, all positive. */
export interface AxisLimits {
  readonly speed: Float64Array;
  readonly acceleration: Float64Array;
}

/** The motion that begins at a time. A way of length zero takes no time. */
export function pointToPoint(
  start: number,
  from: Float64Array,
  to: Float64Array,
  { speed, acceleration }: AxisLimits,
): Leg {
  // Seconds at the highest speed, and square seconds at the highest acceleration, of the slowest axis.
  let [cruise, ramp] = [0, 0];
  for (let i = 0; i < from.length; i++) {
    const way = Math.abs(to[i]! - from[i]!);
    cruise = Math.max(cruise, way / speed[i]!);
    ramp = Math.max(ramp, way / acceleration[i]!);
  }
  if (ramp === 0)
    return { start, accelerated: start, decelerating: start, end: start, from, to, acceleration: 0 };
  const [short, long] = [Math.sqrt(ramp), ramp / cruise];
  const isShort = short <= long;
  const accelerated = start + (isShort ? short : long);
  return {
    start,
    accelerated,
    decelerating: isShort ? accelerated : start + cruise,
    end: start + (isShort ? 2 * short : cruise + long),
    from,
    to,
    acceleration: 1 / ramp,
  };
}

/**
 * A piece of a motion: a parabola for each axis.
 *
 *     position = base + (time - since) (rate + (time - since) bend / 2)
 */
export interface Piece {
  readonly since: number;
  readonly base: Float64Array;
  readonly rate: Float64Array;
  readonly bend: Float64Array;
}

export const isSame = (a: Piece, b: Piece): boolean =>
  a.since === b.since &&
  (['base', 'rate', 'bend'] as const).every((part) => a[part].every((value, k) => value === b[part][k]));

/** Axes that rest somewhere. */
export function resting(base: Float64Array): Piece {
  const zero = new Float64Array(base.length);
  return { since: 0, base, rate: zero, bend: zero };
}

/** The piece that begins at a time, or is under way; before and after the motion the axes rest. The last one is seen from its end, so that it ends where it shall. */
export function pieceAt(leg: Leg, time: number): Piece {
  const { start, accelerated, decelerating, end, from, to, acceleration } = leg;
  if (time >= end) return resting(to);
  if (time < start) return resting(from);
  const rise = accelerated - start;
  const way = from.map((value, i) => to[i]! - value);
  const share = (factor: number) => way.map((value) => factor * value);
  if (time < accelerated) return { since: start, base: from, rate: share(0), bend: share(acceleration) };
  if (time >= decelerating) return { since: end, base: to, rate: share(0), bend: share(-acceleration) };
  const reached = (acceleration * rise * rise) / 2;
  return {
    since: accelerated,
    base: from.map((value, i) => value + reached * way[i]!),
    rate: share(acceleration * rise),
    bend: share(0),
  };
}

/** The next instant after a time at which the acceleration of the motion changes. */
export function nextBend({ accelerated, decelerating, end }: Leg, time: number): number {
  for (const bend of [accelerated, decelerating]) if (bend > time && bend < end) return bend;
  return end;
}
