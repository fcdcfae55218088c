/** What sensors and force elements read of the motion of objects against each other. */
import type { Frames } from './frames.ts';
import { writeCardanAngles } from './space.ts';

/** An object against another one, along the axes of a third. */
export interface Against {
  readonly of: number;
  readonly origin: number;
  readonly resolve: number;
}

export function position(
  frames: Frames,
  { of, origin, resolve }: Against,
  y: Float64Array,
  at: number,
): void {
  difference(frames.position, of, origin);
  back(frames.rotation, resolve, y, at);
}

/** The derivative of `position` where the axes are those of the origin: the velocity as seen from there. */
export function velocity(
  frames: Frames,
  { of, origin, resolve }: Against,
  y: Float64Array,
  at: number,
): void {
  difference(frames.position, of, origin);
  const x = d[0]!;
  const v = d[1]!;
  const z = d[2]!;
  const wx = frames.angular[3 * origin]!;
  const wy = frames.angular[3 * origin + 1]!;
  const wz = frames.angular[3 * origin + 2]!;
  difference(frames.velocity, of, origin);
  d[0]! -= wy * z - wz * v;
  d[1]! -= wz * x - wx * z;
  d[2]! -= wx * v - wy * x;
  back(frames.rotation, resolve, y, at);
}

export function angularVelocity(
  frames: Frames,
  { of, origin, resolve }: Against,
  y: Float64Array,
  at: number,
): void {
  difference(frames.angular, of, origin);
  back(frames.rotation, resolve, y, at);
}

/** Angles about x, the new y and the new z that turn the origin into the object. */
export function angles(frames: Frames, against: Against, y: Float64Array, at: number): void {
  rotation(frames, against, m);
  writeCardanAngles(m, 0, y, at);
}

/**
 * Angles in the world, of objects one after the other. Many are not turned against the one before, whose angles they have.
 */
export function worldAngles(
  { rotation: all }: Frames,
  object: number,
  before: number,
  y: Float64Array,
  at: number,
  atBefore: number,
): void {
  const r = 9 * object;
  const b = 9 * before;
  let isSame = before >= 0;
  for (let i = 0; i < 9 && isSame; i++) isSame = all[r + i] === all[b + i];
  if (isSame) for (let i = 0; i < 3; i++) y[at + i] = y[atBefore + i]!;
  else writeCardanAngles(all, r, y, at);
}

/** The matrix that takes coordinates in the object to those in the origin. */
export function rotation(frames: Frames, { of, origin }: Against, out: Float64Array): void {
  const all = frames.rotation;
  const [a, b] = [9 * origin, 9 * of];
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += all[a + 3 * k + i]! * all[b + 3 * k + j]!;
      out[3 * i + j] = sum;
    }
}

export function distance(frames: Frames, { of, origin }: Against): number {
  difference(frames.position, of, origin);
  return lengthOf();
}

/** The derivative of the distance; where it is zero, the size of the velocity. */
export function distanceSpeed(frames: Frames, { of, origin }: Against): number {
  difference(frames.position, of, origin);
  const x = d[0]!;
  const y = d[1]!;
  const z = d[2]!;
  const length = lengthOf();
  difference(frames.velocity, of, origin);
  if (length === 0) return lengthOf();
  return (x * d[0]! + y * d[1]! + z * d[2]!) / length;
}

const d = new Float64Array(3);
const m = new Float64Array(9);

function difference(vectors: Float64Array, of: number, origin: number): void {
  for (let i = 0; i < 3; i++) d[i] = vectors[3 * of + i]! - vectors[3 * origin + i]!;
}

/** Of the difference. */
const lengthOf = (): number => Math.sqrt(d[0]! * d[0]! + d[1]! * d[1]! + d[2]! * d[2]!);

/** The difference along the axes of an object. */
function back(rotation: Float64Array, object: number, y: Float64Array, at: number): void {
  const r = 9 * object;
  for (let i = 0; i < 3; i++)
    y[at + i] = rotation[r + i]! * d[0]! + rotation[r + 3 + i]! * d[1]! + rotation[r + 6 + i]! * d[2]!;
}
