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
 * Friction, and the resistance against turning and rolling, are those of bristles: they bend with the bodies as long as that needs less than the largest force, and slip
 * beyond (an elastoplastic law, P. Dupont and others, Single state elastoplastic friction models, 2002). What sticks does not creep, and what slides is held back
 * by the largest force.
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
/** What rests is pressed on by its weight at least; in m/s2. */
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

/**
 * d of what met with a speed and is pressed by a depth with a force, by the mass that this moves. What rests comes to rest without swinging; what does not bounce at all
 * is damped as if its weight alone pressed it.
 */
export function dampingAt(k: number, speed: number, depth: number, pushed: number): number {
  const most = 2 * Math.sqrt(1.5 / (depth * WEIGHT));
  const resting = pushed > WEIGHT ? most * Math.sqrt(WEIGHT / pushed) : most;
  const share = bouncing(speed);
  return share > 0 ? resting + share * (Math.min(k / speed, most) - resting) : resting;
}

/** How much of what meets with a speed bounces, from 0 to 1. */
export const bouncing = (speed: number): number => smooth(2 * (speed / SLOW) - 1);

/** The time in which something of a radius, that is held back from rolling by a stiffness of so many times its weight, comes to rest without swinging. */
export const rollingLag = (radius: number, stiffness: number): number =>
  2 * Math.sqrt((1.4 * radius) / (stiffness * WEIGHT));

/** From 0 to 1 with both ends level. */
export function smooth(x: number): number {
  return x <= 0 ? 0 : x >= 1 ? 1 : x * x * (3 - 2 * x);
}

/** Bristles can be bent by this share of a shape, and twisted by this angle at least, however little they are pressed. */
export const LEAST_BENT = 1e-5;
/** Bristles that slide are bent by about this share of the depth more than the largest force needs. */
const BEYOND = 0.5;

/** How fast bristles slip that are bent too much, by a depth: with how fast surfaces move against each other, and at least in the time in which what rests does so. */
export const slipping = (speed: number, depth: number): number =>
  (speed + Math.sqrt(WEIGHT * depth)) / (BEYOND * depth);

/**
 * Bristles that are bent by z, between surfaces that move past each other with v (both of three numbers): adds to `force` what they do, up to `most`, and to `rate` how they
 * bend on. They slip where they are bent by more than that needs. Gives by which share of that they are bent.
 */
export function bend(
  z: Float64Array,
  v: Float64Array,
  most: number,
  { least, stiffness: given, lag, growth, slipping: slips, wiped }: Bristles,
  force: Float64Array,
  rate: Float64Array,
): number {
  const softness = Math.min(1, (given * least) / most);
  const stiffness = softness < 1 ? given : most / least;
  const share = (stiffness * Math.hypot(z[0]!, z[1]!, z[2]!)) / most;
  const [hold, slip] = share > 1 ? [stiffness / share, wiped + slips * (1 - 1 / share)] : [stiffness, wiped];
  let square = 0;
  for (let i = 0; i < 3; i++) {
    pull[i] = -hold * z[i]! - stiffness * lag * v[i]!;
    square += pull[i]! * pull[i]!;
    rate[i] = rate[i]! + v[i]! - (slip + (1 - softness) * growth) * z[i]!;
  }
  const size = Math.sqrt(square);
  const limited = size > most ? most / size : 1;
  for (let i = 0; i < 3; i++) force[i] = force[i]! + limited * pull[i]!;
  return share;
}

export interface Bristles {
  /** They can be bent by so much, however little they are pressed. */
  least: number;
  stiffness: number;
  /** The time in which they come to rest. */
  lag: number;
  /** How fast the stiffness grows, by itself: those that come to touch are not bent. */
  growth: number;
  /** How fast they slip, by how much they are bent. */
  slipping: number;
  /** How fast another motion lets them slip. */
  wiped: number;
}

const pull = new Float64Array(3);
