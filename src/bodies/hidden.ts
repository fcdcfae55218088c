/** Hidden states of a setup: coordinates and speeds of the links that are not driven. */
import { withPath } from '../names/names.ts';
import type { Tree } from './dynamics/tree.ts';
import type { LinkOrigin } from './scene/assembly.ts';
import type { Scene } from './scene/scene.ts';

/** The size of what counts as small for quaternions and angular velocities. */
const orientationNominal = 0.1;

/** A state, and the places of its elements among coordinates or speeds. */
export interface HiddenState {
  readonly name: string;
  readonly nominal: number;
  readonly from: number;
  readonly to: number;
}

export interface HiddenStates {
  readonly coordinates: readonly HiddenState[];
  readonly speeds: readonly HiddenState[];
  /** The places of all elements. */
  readonly q: Int32Array;
  readonly v: Int32Array;
}

export function hiddenStates(scene: Scene, origins: readonly LinkOrigin[], { qAt, vAt }: Tree): HiddenStates {
  const free = origins.flatMap((origin, k) => {
    if (origin.kind === 'free') return [{ k, name: scene.objects[origin.object]!.name }];
    const { name, steps, drive } = scene.joints[origin.joint]!;
    return drive ? [] : [{ k, name: steps.length > 1 ? `${name}.step${origin.step + 1}` : name }];
  });
  const states = (at: Int32Array, suffix: string): readonly HiddenState[] =>
    free.map(({ k, name }) => ({
      name: withPath(name, suffix),
      // Errors of an orientation go into all directions: they count more than those of one angle.
      nominal: qAt[k + 1]! - qAt[k]! > 1 ? orientationNominal : 1,
      from: at[k]!,
      to: at[k + 1]!,
    }));
  const [coordinates, speeds] = [states(qAt, 'q'), states(vAt, 'qd')];
  return { coordinates, speeds, q: placesOf(coordinates), v: placesOf(speeds) };
}

const placesOf = (states: readonly HiddenState[]): Int32Array =>
  Int32Array.from(states.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, i) => from + i)));
