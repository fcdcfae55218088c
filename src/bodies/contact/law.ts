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
 * which follows from the integral of v dv / (1 + d v) over the depth, the same on the way in and on the way out. What touches slowly is damped so that it comes to
 * rest at once.
 *
 * Friction, and the resistance against turning and rolling, are those of bristles (P. R. Dahl, 1968; C. Canudas de Wit and others, A new model for control of systems with
 * friction, 1995): they bend with the bodies, and slip the more the nearer they are to the largest force. What sticks does not creep, and what slides is held
 * back by the largest force.
 */

/** What two materials do to each other. */
export interface Touching {
  /** Speed after an impact by speed before. */
  readonly restitution: number;
  /** Force along the surface by the normal one. */
  readonly friction: number;
  /** Torque against rolling and turning by normal force and radius. */
  readonly rolling: number;
  /** By how much it is stiffer than the materials say. */
  readonly stiffness: number;
}

/** What meets more slowly, in m/s, does not bounce. */
export const SLOW = 1e-3;
/** What rests is damped as a weight on its contact would have to be to come to rest without swinging; in m/s2. */
const WEIGHT = 9.81;

/** Hertz's factor; `modulus` is E/(1 - nu^2) of each, the radius that of both together. */
export function hertz(modulusA: number, modulusB: number, radius: number): number {
  return ((4 / 3) * Math.sqrt(radius)) / (1 / modulusA + 1 / modulusB);
}

/** k of a restitution from 0 to 1. */
export function damping(restitution: number): number {
  if (restitution >= 1) return 0;
  const e = Math.max(restitution, LEAST);
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
const LEAST = 1e-3;

/** d of what met with a speed and is pressed by a depth; never more than brings it to rest. */
export function dampingAt(k: number, speed: number, depth: number): number {
  const resting = 2 * Math.sqrt(1.5 / (depth * WEIGHT));
  const share = smooth(2 * (speed / SLOW) - 1);
  return share > 0 ? resting + share * (Math.min(k / speed, resting) - resting) : resting;
}

/** The time in which something of a radius, that is held back from rolling by a stiffness of so many times its weight, comes to rest without swinging. */
export const rollingLag = (radius: number, stiffness: number): number =>
  2 * Math.sqrt((1.4 * radius) / (stiffness * WEIGHT));

/** From 0 to 1 with both ends level. */
function smooth(x: number): number {
  return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x);
}

/** Bristles can be bent by this share of a shape, and twisted by this angle at least, however little they are pressed. */
export const LEAST_BENT = 1e-5;
/** What slides bends them by so much more than what pulls with the largest force, which is exact then. */
const BEYOND = 1.25;

/**
 * Bristles that are bent by z, between surfaces that move past each other with v (both of three numbers): adds to `force` what they do, up to `most`, and to `rate` how they
 * bend on. `given` is their stiffness, which is less where they could not be bent by `least` with it; `lag` is the time in which they come to rest, `growth` how fast the
 * stiffness grows, by itself: those that come to touch are not bent.
 */
export function bend(
  z: Float64Array,
  v: Float64Array,
  most: number,
  least: number,
  given: number,
  lag: number,
  growth: number,
  force: Float64Array,
  rate: Float64Array,
): void {
  const softness = Math.min(1, (given * least) / most);
  const stiffness = softness < 1 ? given : most / least;
  const share = (stiffness * Math.hypot(z[0]!, z[1]!, z[2]!)) / most;
  const slip = (Math.hypot(v[0]!, v[1]!, v[2]!) * stiffness) / (BEYOND * most);
  const hold = stiffness * Math.min(1, 1 / share);
  let square = 0;
  for (let i = 0; i < 3; i++) {
    const bending = v[i]! - slip * z[i]!;
    pull[i] = -hold * z[i]! - stiffness * lag * bending;
    square += pull[i]! * pull[i]!;
    rate[i] = rate[i]! + bending - (1 - softness) * growth * z[i]!;
  }
  const size = Math.sqrt(square);
  const limited = size > most ? most / size : 1;
  for (let i = 0; i < 3; i++) force[i] = force[i]! + limited * pull[i]!;
}
const pull = new Float64Array(3);
