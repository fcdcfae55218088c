/** A motion as a value, whatever its bodies are joined to: what goes over from one structure to the next. */
import { remember } from '../collections/memo.ts';
import type { Frames } from './frames.ts';
import type { Scene } from './scene/scene.ts';
import type { Pose, Quaternion, Vector } from './space.ts';

export interface Snapshot {
  /** By joint and step. */
  readonly coordinates: readonly Float64Array[];
  readonly speeds: readonly (readonly number[])[];
  /** Of spherical joints. */
  readonly orientations: readonly (Quaternion | undefined)[];
  /** Of objects that may be free, be joined or be taken away. */
  readonly placed: Placed;
  /** By object: 1 of those that are not there. */
  readonly gone: Uint8Array;
}

interface Placing {
  readonly pose: Pose;
  readonly linear: Vector;
  readonly angular: Vector;
}

/** Where some objects are, and how they move. */
export class Placed {
  private readonly placings = new Map<number, Placing>();

  constructor(objects: readonly number[], frames: Frames) {
    for (const object of objects)
      this.placings.set(object, {
        pose: frames.pose(object),
        linear: frames.linearVelocity(object),
        angular: frames.angularVelocity(object),
      });
  }

  /** Of an object that is among them; whoever asks for another one is mistaken. */
  of(object: number): Placing {
    const placing = this.placings.get(object);
    if (!placing) throw new Error(`The object ${object} has no place in this motion.`);
    return placing;
  }
}

/** Objects that a snapshot has to know: all others are fixed in one of them, or in the world. */
export const tracedIn = (scene: Scene): readonly number[] => remember(traced, scene, () => findTraced(scene));

const traced = new WeakMap<Scene, readonly number[]>();

function findTraced({ objects, joints, removals }: Scene): readonly number[] {
  const free = [...objects.keys()].filter((k) => !objects[k]!.fixed);
  const joined = joints.flatMap(({ a, b }) => [a, b]);
  return [...new Set([...free, ...joined, ...removals.flatMap((removal) => removal.objects)])];
}
