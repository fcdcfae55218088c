/** Random mechanisms and their states, from a seed. */

import { Mechanism } from '../../../src/bodies/dynamics/mechanism.ts';
import type { JointKind, Link, Tree } from '../../../src/bodies/dynamics/tree.ts';
import type { MassProperties } from '../../../src/bodies/mass.ts';
import {
  atOrigin,
  inverse,
  type Matrix,
  matrixOf,
  norm,
  type Pose,
  placed,
  product,
  type Quaternion,
  scaled,
  transposed,
  type Vector,
} from '../../../src/bodies/space.ts';
import { nine, three } from './dense.ts';

/** Numbers between -1 and 1. */
export type Draw = () => number;

/** Mulberry32. */
export function drawer(seed: number): Draw {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 31 - 1;
  };
}

export const vector = (draw: Draw): Vector => [draw(), draw(), draw()];
export function direction(draw: Draw): Vector {
  const some = vector(draw);
  const length = norm(some);
  return length > 0.1 && length <= 1 ? scaled(1 / length, some) : direction(draw);
}
export function quaternion(draw: Draw): Quaternion {
  const [w, x, y, z] = [draw(), draw(), draw(), draw()];
  const length = Math.hypot(w, x, y, z);
  return length > 0.1 && length <= 1 ? [w / length, x / length, y / length, z / length] : quaternion(draw);
}
export const pose = (draw: Draw): Pose => ({
  translation: vector(draw),
  rotation: matrixOf(quaternion(draw)),
});

/** Principal moments of a possible body, and the rotation of its principal axes. */
export function body(draw: Draw): MassProperties & { readonly moments: Vector; readonly axes: Quaternion } {
  const mass = 1.5 + draw();
  const [a, b, c] = [1.2 + draw(), 1.2 + draw(), 1.2 + draw()];
  const moments: Vector = [0.1 * (b + c), 0.1 * (a + c), 0.1 * (a + b)];
  const axes = quaternion(draw);
  const r = matrixOf(axes);
  const diagonal: Matrix = [moments[0], 0, 0, 0, moments[1], 0, 0, 0, moments[2]];
  return {
    mass,
    centre: vector(draw),
    inertia: product(product(r, diagonal), transposed(r)),
    moments,
    axes,
  };
}

export interface Choice {
  readonly n: number;
  readonly kinds?: readonly JointKind[];
  /** Of a hundred joints that can be, how many are driven. */
  readonly driven?: number;
}

export type RandomLink = Link & { readonly mass: ReturnType<typeof body> };

export function randomLinks(
  draw: Draw,
  { n, kinds = ['revolute', 'prismatic', 'screw', 'spherical', 'free'], driven = 0 }: Choice,
): RandomLink[] {
  const pick = (count: number) => Math.min(count - 1, Math.floor(((draw() + 1) / 2) * count));
  return Array.from({ length: n }, (_, k): RandomLink => {
    const kind = kinds[pick(kinds.length)]!;
    return {
      parent: pick(Math.min(k, 4) + 1) === 0 ? -1 : k - 1 - pick(Math.min(k, 4)),
      kind,
      axis: direction(draw),
      pitch: draw(),
      before: pose(draw),
      after: pose(draw),
      mass: body(draw),
      driven: kind !== 'spherical' && kind !== 'free' && pick(100) < driven,
    };
  });
}

export const numbers = (draw: Draw, n: number): Float64Array => Float64Array.from({ length: n }, draw);

/** Coordinates whose quaternions are far enough from zero, but not of unit length. */
export function coordinates(draw: Draw, { n, nq, kind, qAt }: Tree): Float64Array {
  const q = numbers(draw, nq);
  for (let k = 0; k < n; k++)
    if (kind[k]! >= 3) q.set(scaledUp(quaternion(draw), 1 + draw() / 2), qAt[k + 1]! - 4);
  return q;
}
const scaledUp = (q: Quaternion, by: number): number[] => q.map((value) => by * value);

/** A body with one number for all its inertia. */
export const ball = (mass: number, inertia: number, centre: Vector = [0, 0, 0]): MassProperties => ({
  mass,
  centre,
  inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia],
});

export const at = (...translation: [number, number, number]): Pose => ({ ...atOrigin, translation });

/** A link that hangs in its joint. */
export const link = (options: Partial<Link>): Link => ({
  parent: -1,
  kind: 'revolute',
  axis: [0, 1, 0],
  before: atOrigin,
  after: atOrigin,
  mass: ball(1, 1),
  ...options,
});

/** A closure that holds what is: frame B is where A is. */
export function holding<Between extends { a: number; poseA: Pose; b: number; poseB: Pose }>(
  links: readonly Link[],
  closure: Between,
  q: Float64Array,
): Between {
  const mechanism = new Mechanism({ links });
  const { motion, tree } = mechanism;
  mechanism.locate(q, new Float64Array(tree.nv));
  const where = (k: number): Pose =>
    k < 0 ? atOrigin : { rotation: nine(motion.rotation, k), translation: three(motion.position, k) };
  return { ...closure, poseB: placed(inverse(where(closure.b)), placed(where(closure.a), closure.poseA)) };
}

/** The largest difference, relative to the largest number or 1. */
export function difference(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} and ${expected.length} numbers`);
  let [most, scale] = [0, 1];
  for (let i = 0; i < expected.length; i++) {
    most = Math.max(most, Math.abs(actual[i]! - expected[i]!));
    scale = Math.max(scale, Math.abs(expected[i]!));
    if (!Number.isFinite(actual[i]!)) return Number.POSITIVE_INFINITY;
  }
  return most / scale;
}
