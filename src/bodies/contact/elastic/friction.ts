/**
 * Friction between two surfaces that press on each other, by bristles (`law.ts`) that stand on them: those that are *bent*, as one surface slides along the other, pull with a
 * force; those that are *twisted*, about the normal as one spins on the other and across it as one rolls, with a torque.
 */
import { cross, dot } from '../../dynamics/flat.ts';
import { bend, LEAST_BENT, rollingLag, slipping, smooth, type Touching } from '../law.ts';

/** How much more easily surfaces give way along each other than into each other (R. D. Mindlin). */
const SIDEWAYS = 0.8;
/** How much stiffer what holds back from rolling is than the surface on which it does. */
const ROLLING = 10;

/** How two surfaces press on each other, how the second moves against the first where they do, and what friction does. */
export interface Rubbing {
  readonly law: Touching;
  /** From the first to the second, and the force along it. */
  readonly n: Float64Array;
  readonly normal: number;
  /** How deep they are in each other, and how fast that grows; how deep they are for bristles, which have some room always. */
  readonly depth: number;
  readonly rate: number;
  readonly room: number;
  /** The force without damping, by the depth; and the time in which the damping brings to rest. */
  readonly stiffness: number;
  readonly lag: number;
  /** The common radius of curvature, zero where both are flat; how far from the centre that acts which resists spinning; the radius of what is flat. */
  readonly radius: number;
  readonly lever: number;
  readonly flat: number;
  /** How the second moves along the surface, and turns; and how fast both turn about the normal, in the mean. */
  readonly slip: Float64Array;
  readonly turn: Float64Array;
  readonly carried: number;
  /** Force and torque on the second, and how bristles bend and twist on; friction adds to them. */
  readonly force: Float64Array;
  readonly torque: Float64Array;
  readonly bending: Float64Array;
  readonly twisting: Float64Array;
}

/** Rubs surfaces whose bristles are bent and twisted as x says, from these places on. */
export function rub(surfaces: Rubbing, x: Float64Array, bent: number, twisted: number): void {
  const { law, radius, lever } = surfaces;
  const slips = slipping(speedOf(surfaces.turn) * (radius || lever) + Math.abs(surfaces.rate), surfaces.room);
  const spinning = spin(surfaces, x, twisted, slips);
  if (law.friction > 0) slide(surfaces, x, bent, spinning);
  if (law.rolling > 0 && radius > 0) roll(surfaces, x, twisted, slips);
}

/** Resists turning about the normal; gives from 0 to 1 how much it does so in vain. */
function spin(surfaces: Rubbing, x: Float64Array, twisted: number, slips: number): number {
  const { law, n, normal, radius, lever, stiffness, turn, torque, twisting } = surfaces;
  const most = normal * (law.friction * lever + law.rolling * radius);
  if (!(most > 0)) return 0;
  const twist = along(x, twisted, n);
  const speed = dot(turn, n);
  for (let i = 0; i < 3; i++) {
    deflection[i] = twist * n[i]!;
    motion[i] = speed * n[i]!;
  }
  const bristles = {
    least: LEAST_BENT,
    stiffness: SIDEWAYS * stiffness * lever * lever + rollingStiffness(surfaces),
    lag: surfaces.lag,
    growth: 1.5 * growthOf(surfaces),
    slipping: slips,
    wiped: 0,
  };
  return smooth(2 * bend(deflection, motion, most, bristles, torque, twisting) - 1);
}

/** Resists sliding. */
function slide(surfaces: Rubbing, x: Float64Array, bent: number, spinning: number): void {
  const { law, n, normal, rate, room, lag, lever, slip, turn, carried, force, bending } = surfaces;
  flatten(x, bent, n, deflection);
  const least = LEAST_BENT * surfaces.flat;
  const bristles = {
    least,
    stiffness: SIDEWAYS * surfaces.stiffness,
    lag: lag * (1 - spinning),
    growth: growthOf(surfaces) / 2,
    slipping: slipping(speedOf(slip) + Math.abs(rate), room),
    // What spins on a face wipes its bristles: friction only holds back what moves as fast as that.
    wiped: (spinning * Math.abs(dot(turn, n)) * lever) / Math.max(least, law.friction * room),
  };
  bend(deflection, slip, law.friction * normal, bristles, force, bending);
  // Bristles turn about the normal with the bodies.
  cross(n, deflection, motion);
  for (let i = 0; i < 3; i++) bending[i] = bending[i]! + carried * motion[i]!;
}

/** Resists turning across the normal. */
function roll(surfaces: Rubbing, x: Float64Array, twisted: number, slips: number): void {
  const { law, n, normal, radius, turn, torque, twisting } = surfaces;
  flatten(x, twisted, n, deflection);
  flatten(turn, 0, n, motion);
  const bristles = {
    least: LEAST_BENT,
    stiffness: ROLLING * rollingStiffness(surfaces),
    lag: rollingLag(radius, ROLLING),
    growth: 1.5 * growthOf(surfaces),
    slipping: slips,
    wiped: 0,
  };
  bend(deflection, motion, normal * law.rolling * radius, bristles, torque, twisting);
}

/** Bristles that are not pressed slip as those do that hardly are; `apart` is how fast the surfaces move along the normal. */
export function straighten(
  { law, radius, flat, room, slip, turn, bending, twisting }: Rubbing,
  apart: number,
  x: Float64Array,
  bent: number,
  twisted: number,
): void {
  const slides = slipping(speedOf(slip) + Math.abs(apart), room);
  const turns = slipping(speedOf(turn) * (radius || flat) + Math.abs(apart), room);
  for (let i = 0; i < 3; i++) {
    if (law.friction > 0) bending[i] = slip[i]! - slides * x[bent + i]!;
    twisting[i] = -turns * x[twisted + i]!;
  }
}

/** Torque by angle, of a surface that is as large as round ones of this radius and depth press on. */
const rollingStiffness = ({ stiffness, radius, depth }: Rubbing): number => stiffness * radius * depth;

/** How fast the depth grows, by itself. */
const growthOf = ({ rate, depth }: Rubbing): number => (rate > 0 ? rate / depth : 0);

const speedOf = (v: Float64Array): number => Math.hypot(v[0]!, v[1]!, v[2]!);

/** What the vector at a place has along the normal, and what is left of it along the surface. */
export const along = (x: Float64Array, from: number, n: Float64Array): number =>
  x[from]! * n[0]! + x[from + 1]! * n[1]! + x[from + 2]! * n[2]!;

export function flatten(x: Float64Array, from: number, n: Float64Array, into: Float64Array): void {
  const part = along(x, from, n);
  for (let i = 0; i < 3; i++) into[i] = x[from + i]! - part * n[i]!;
}

const deflection = new Float64Array(3);
const motion = new Float64Array(3);
