/**
 * The elastic law of contact: how hard two bodies press on each other that overlap by a depth, and how they rub.
 *
 *     normal force = c depth^(3/2) (1 + d rate),   rate: how fast the depth grows
 *
 * c is that of Hertz, for the radii of curvature and the stiffness of both. The damping d is such that, of two bodies that meet with some speed and nothing else
 * acts on, the speed at which they part is `restitution` times that: with k = d speed,
 *
 *     k (1 + restitution) = ln((1 + k) / (1 - restitution k))
 *
 * which follows from the integral of v dv / (1 + d v) over the depth, the same on the way in and on the way out.
 */

/** What two materials do to each other. */
export interface Touching {
  /** Speed after an impact by speed before. */
  readonly restitution: number;
  /** Force along the surface by the normal one. */
  readonly friction: number;
  /** Torque against rolling and turning by normal force and radius. */
  readonly rolling: number;
}

/** Below this speed, in m/s, friction grows with the speed, and impacts are less and less elastic; below this angular velocity, in rad/s, resistance grows. */
export const slow = 1e-3;
export const slowTurn = 1e-2;

/** Hertz's factor; `modulus` is E/(1 - nu^2) of each, radii may be infinite, but not both. */
export function stiffness(modulusA: number, modulusB: number, radiusA: number, radiusB: number): number {
  const modulus = 1 / (1 / modulusA + 1 / modulusB);
  const radius = 1 / (1 / radiusA + 1 / radiusB);
  return (4 / 3) * Math.sqrt(radius) * modulus;
}

/** k of a restitution from 0 to 1. */
export function damping(restitution: number): number {
  if (restitution >= 1) return 0;
  const e = Math.max(restitution, least);
  // Of x = e k, between 0 and 1, the difference of both sides grows from below zero.
  let [low, high] = [0, 1];
  for (let n = 0; n < 200 && high - low > 1e-16 * high; n++) {
    const x = (low + high) / 2;
    const k = x / e;
    if (Math.log1p(k) - Math.log1p(-x) - k * (1 + e) > 0) high = x;
    else low = x;
  }
  return (low + high) / 2 / e;
}
const least = 1e-3;

/** A speed against which something is measured: itself, but never zero, and smooth. */
export const regular = (speed: number, small: number): number =>
  speed >= small ? speed : (speed * speed * (1 - speed / (3 * small))) / small + small / 3;
