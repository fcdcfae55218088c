/** What holds now: the part of a scene that may change while it runs. */
import { sameItems } from '../collections/lists.ts';
import type { Scene } from './scene/scene.ts';
import type { Pose } from './space.ts';

export interface Structure {
  /** Joints that hold, with the pose of the second object in the first: their objects are one body. */
  readonly held: ReadonlyMap<number, Pose>;
  /** Joints that hold and whose reactions are measured: their objects stay apart, and a closure holds them. */
  readonly bound: ReadonlyMap<number, Pose>;
  /** Wheels that touch their planes. */
  readonly rolling: readonly number[];
}

export const nothingHolds: Structure = { held: new Map(), bound: new Map(), rolling: [] };

/** The structure in which these joints hold and wheels roll; `poseOf` gives the pose that a joint begins to hold. */
export function structureOf(
  { joints, sensors }: Scene,
  holding: readonly number[],
  before: Structure,
  poseOf: (joint: number) => Pose,
): Structure {
  const measured = new Set(sensors.flatMap(({ kind, of }) => (kind === 'ReactionSensor' ? [of] : [])));
  const isWheel = (k: number) => joints[k]!.rolling !== undefined;
  const posed = (of: readonly number[], known: ReadonlyMap<number, Pose>) =>
    new Map(of.map((k) => [k, known.get(k) ?? poseOf(k)]));
  const holders = holding.filter((k) => !isWheel(k));
  return {
    held: posed(
      holders.filter((k) => !measured.has(k)),
      before.held,
    ),
    bound: posed(
      holders.filter((k) => measured.has(k)),
      before.bound,
    ),
    rolling: holding.filter(isWheel),
  };
}

/** The joints that hold or roll, in order. */
export const holdersOf = ({ held, bound, rolling }: Structure): number[] =>
  [...held.keys(), ...bound.keys(), ...rolling].sort((a, b) => a - b);

export const isSame = (a: readonly number[], structure: Structure): boolean =>
  sameItems(a, holdersOf(structure));
