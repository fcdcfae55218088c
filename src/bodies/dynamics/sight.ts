/** The closure that is looked at, in world axes. Its rows are made while it is in sight: one after the other, in `rows.ts`. */
import { placeFrame } from './flat.ts';
import type { Motion } from './motion.ts';

/** Two frames and how they move, along the axes of the world; P_a and P_b are those of their links. */
export interface Sight {
  /** Rotations, and origins from P_a. */
  readonly A: Float64Array;
  readonly B: Float64Array;
  readonly fromA: Float64Array;
  readonly fromB: Float64Array;
  /** Angular velocities, and velocities of P_a and P_b. */
  readonly wA: Float64Array;
  readonly wB: Float64Array;
  readonly uA: Float64Array;
  readonly uB: Float64Array;
  /** From P_a to P_b. */
  readonly apart: Float64Array;
}

/** Frames A and B, and their origins from P_a and P_b. */
export const A = new Float64Array(9);
export const B = new Float64Array(9);
export const sA = new Float64Array(3);
export const sB = new Float64Array(3);
/** The origin of B from that of A, and from P_a; and P_b from there. */
export const d = new Float64Array(3);
export const arm = new Float64Array(3);
export const apart = new Float64Array(3);
/** Angular velocities, velocities of P_a and P_b, and how B turns past A. */
export const wA = new Float64Array(3);
export const wB = new Float64Array(3);
export const uA = new Float64Array(3);
export const uB = new Float64Array(3);
export const omega = new Float64Array(3);

export const sight: Sight = { A, B, fromA: sA, fromB: arm, wA, wB, uA, uB, apart };

/** Looks at a closure of links a and b, whose frames in these are `poses` from `at` on; returns the largest of the numbers that its residuals are differences of. */
export function look(motion: Motion, a: number, b: number, poses: Float64Array, at: number): number {
  const { tree, frames, places, bases, velocities } = motion;
  const { n, root } = tree;
  placeFrame(frames, a, poses, at, A, sA);
  placeFrame(frames, b, poses, at + 12, B, sB);
  const [rootA, rootB] = [a === n ? n : root[a]!, b === n ? n : root[b]!];
  let size = 0;
  for (let i = 0; i < 3; i++) {
    d[i] = places[3 * b + i]! - places[3 * a + i]! + sB[i]! - sA[i]!;
    if (rootA !== rootB) d[i] = d[i]! + (bases[3 * rootB + i]! - bases[3 * rootA + i]!);
    arm[i] = sA[i]! + d[i]!;
    apart[i] = arm[i]! - sB[i]!;
    wA[i] = velocities[6 * a + i]!;
    wB[i] = velocities[6 * b + i]!;
    uA[i] = velocities[6 * a + 3 + i]!;
    uB[i] = velocities[6 * b + 3 + i]!;
    omega[i] = wB[i]! - wA[i]!;
    size = Math.max(
      size,
      Math.abs(places[3 * a + i]!) + Math.abs(sA[i]!),
      Math.abs(places[3 * b + i]!) + Math.abs(sB[i]!),
    );
    if (rootA !== rootB)
      size = Math.max(size, Math.abs(bases[3 * rootB + i]!), Math.abs(bases[3 * rootA + i]!));
  }
  return size;
}
