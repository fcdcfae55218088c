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

/** Where the axes are at a time, and how fast; before and after the motion they rest. */
export function along(leg: Leg, time: number, position: Float64Array, velocity: Float64Array): void {
  const { start, accelerated, decelerating, end, from, to, acceleration } = leg;
  const isLate = 2 * time > start + end;
  if (time <= start || time >= end) {
    position.set(isLate || time >= end ? to : from);
    velocity.fill(0);
    return;
  }
  const rise = accelerated - start;
  const highest = acceleration * rise;
  // The way is the same seen from both of its ends.
  const rest = isLate ? end - time : time - start;
  const isRamp = isLate ? time > decelerating : time < accelerated;
  const share = isRamp ? (acceleration * rest * rest) / 2 : highest * (rest - rise / 2);
  const rate = isRamp ? acceleration * rest : highest;
  const [near, far] = isLate ? [to, from] : [from, to];
  for (let i = 0; i < from.length; i++) {
    position[i] = near[i]! + share * (far[i]! - near[i]!);
    velocity[i] = rate * (to[i]! - from[i]!);
  }
}

/** The next instant after a time at which the acceleration of the motion changes. */
export function nextBend({ accelerated, decelerating, end }: Leg, time: number): number {
  for (const bend of [accelerated, decelerating]) if (bend > time && bend < end) return bend;
  return end;
}
