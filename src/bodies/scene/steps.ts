/** The steps of all joints of a scene, one after the other: coordinates, speeds and links of joints are numbered so. */
import { remember } from '../../collections/memo.ts';
import type { Scene } from './scene.ts';

export interface Steps {
  /** Of each joint: its first step; how many there are at the end. */
  readonly at: Int32Array;
  /** Of each step with one coordinate: its joint; -1 of others. */
  readonly plain: Int32Array;
  /** Joints that are spherical. */
  readonly spherical: readonly number[];
}

export const stepsIn = (scene: Scene): Steps => remember(known, scene, () => stepsOf(scene));

const known = new WeakMap<Scene, Steps>();

function stepsOf({ joints }: Scene): Steps {
  const at = new Int32Array(joints.length + 1);
  const plain = joints.flatMap(({ steps }, joint) => {
    at[joint + 1] = at[joint]! + steps.length;
    return steps.map(({ kind }) => (kind === 'spherical' ? -1 : joint));
  });
  const spherical = [...joints.keys()].filter((joint) => joints[joint]!.steps[0]?.kind === 'spherical');
  return { at, plain: Int32Array.from(plain), spherical };
}
