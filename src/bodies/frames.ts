/** Frames of all objects in the world, in typed arrays: where the bodies are that they are fixed in, and their poses in these. */
import type { Mechanism } from './dynamics/mechanism.ts';
import type { Place } from './scene/assembly.ts';
import type { Matrix, Pose, Vector } from './space.ts';

export class Frames {
  /** Rows of rotations, positions, angular velocities, velocities of the origins. */
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly angular: Float64Array;
  readonly velocity: Float64Array;
  private readonly links: Int32Array;
  private readonly poses: Float64Array;
  /** By object: for which motion it was placed last. */
  private readonly versions: Float64Array;

  constructor(places: readonly Place[]) {
    const n = places.length;
    this.rotation = new Float64Array(9 * n);
    this.position = new Float64Array(3 * n);
    this.angular = new Float64Array(3 * n);
    this.velocity = new Float64Array(3 * n);
    this.links = Int32Array.from(places, ({ link }) => link);
    this.poses = new Float64Array(12 * n);
    this.versions = new Float64Array(n);
    this.renew(places, places.keys());
  }

  /** These objects are elsewhere in the same bodies. */
  renew(places: readonly Place[], objects: Iterable<number>): void {
    this.versions.fill(-1);
    for (const k of objects) {
      const { pose, link } = places[k]!;
      this.poses.set(pose.rotation, 12 * k);
      this.poses.set(pose.translation, 12 * k + 9);
      if (link >= 0) continue;
      this.rotation.set(pose.rotation, 9 * k);
      this.position.set(pose.translation, 3 * k);
    }
  }

  /** The link of an object; -1: the world. */
  linkOf(object: number): number {
    return this.links[object]!;
  }

  pose(object: number): Pose {
    return {
      translation: vectorIn(this.position, object),
      rotation: matrixIn(this.rotation, object),
    };
  }

  linearVelocity(object: number): Vector {
    return vectorIn(this.velocity, object);
  }

  angularVelocity(object: number): Vector {
    return vectorIn(this.angular, object);
  }

  /** An object that is not there stays where it was, at rest. */
  leave(object: number, { rotation, translation }: Pose): void {
    this.rotation.set(rotation, 9 * object);
    this.position.set(translation, 3 * object);
    this.angular.fill(0, 3 * object, 3 * object + 3);
    this.velocity.fill(0, 3 * object, 3 * object + 3);
  }

  /** Follows the bodies, for one object. */
  update(object: number, { motion }: Mechanism): void {
    const link = this.links[object]!;
    if (link < 0 || this.versions[object] === motion.version) return;
    this.versions[object] = motion.version;
    const { rotation, position, angular, velocity, poses } = this;
    const r = motion.rotation;
    const b = 9 * link;
    const f = 9 * object;
    const p = 12 * object;
    const o = 3 * object;
    const l = 3 * link;
    for (let i = 0; i < 3; i++) {
      const x = r[b + 3 * i]!;
      const y = r[b + 3 * i + 1]!;
      const z = r[b + 3 * i + 2]!;
      rotation[f + 3 * i] = x * poses[p]! + y * poses[p + 3]! + z * poses[p + 6]!;
      rotation[f + 3 * i + 1] = x * poses[p + 1]! + y * poses[p + 4]! + z * poses[p + 7]!;
      rotation[f + 3 * i + 2] = x * poses[p + 2]! + y * poses[p + 5]! + z * poses[p + 8]!;
      position[o + i] = motion.position[l + i]! + x * poses[p + 9]! + y * poses[p + 10]! + z * poses[p + 11]!;
    }
    const ax = position[o]! - motion.position[l]!;
    const ay = position[o + 1]! - motion.position[l + 1]!;
    const az = position[o + 2]! - motion.position[l + 2]!;
    const wx = motion.angular[l]!;
    const wy = motion.angular[l + 1]!;
    const wz = motion.angular[l + 2]!;
    angular[o] = wx;
    angular[o + 1] = wy;
    angular[o + 2] = wz;
    velocity[o] = motion.velocity[l]! + wy * az - wz * ay;
    velocity[o + 1] = motion.velocity[l + 1]! + wz * ax - wx * az;
    velocity[o + 2] = motion.velocity[l + 2]! + wx * ay - wy * ax;
  }
}

/** Vector k of those that lie one after the other. */
export const vectorIn = (array: Float64Array, k: number): Vector => [
  array[3 * k]!,
  array[3 * k + 1]!,
  array[3 * k + 2]!,
];

/** Matrix k of those that lie one after the other. */
export const matrixIn = (array: Float64Array, k: number): Matrix => [
  array[9 * k]!,
  array[9 * k + 1]!,
  array[9 * k + 2]!,
  array[9 * k + 3]!,
  array[9 * k + 4]!,
  array[9 * k + 5]!,
  array[9 * k + 6]!,
  array[9 * k + 7]!,
  array[9 * k + 8]!,
];
