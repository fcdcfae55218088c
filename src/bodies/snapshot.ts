/** A motion as a value, whatever its bodies are joined to: what goes over from one structure to the next. */
import { copyNumbers } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';
import { type Frames, matrixIn, vectorIn } from './frames.ts';
import type { Scene } from './scene/scene.ts';
import type { Pose, Quaternion, Vector } from './space.ts';

export interface Snapshot {
  /** By step of all joints (`stepsIn`). */
  readonly coordinates: Float64Array;
  readonly speeds: Float64Array;
  /** Of spherical joints. */
  readonly orientations: ReadonlyMap<number, Quaternion>;
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
  /** Of each object 18: rotation, position, velocity, angular velocity. */
  private readonly numbers: Float64Array;

  constructor(
    private readonly objects: readonly number[],
    { rotation, position, velocity, angular }: Frames,
  ) {
    const numbers = new Float64Array(18 * objects.length);
    for (let n = 0; n < objects.length; n++) {
      const k = objects[n]!;
      copyNumbers(rotation, 9 * k, numbers, 18 * n, 9);
      copyNumbers(position, 3 * k, numbers, 18 * n + 9, 3);
      copyNumbers(velocity, 3 * k, numbers, 18 * n + 12, 3);
      copyNumbers(angular, 3 * k, numbers, 18 * n + 15, 3);
    }
    this.numbers = numbers;
  }

  /** Of an object that is among them; whoever asks for another one is mistaken. */
  of(object: number): Placing {
    const n = this.objects.indexOf(object);
    if (n < 0) throw new Error(`The object ${object} has no place in this motion.`);
    return {
      pose: { rotation: matrixIn(this.numbers, 2 * n), translation: vectorIn(this.numbers, 6 * n + 3) },
      linear: vectorIn(this.numbers, 6 * n + 4),
      angular: vectorIn(this.numbers, 6 * n + 5),
    };
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
