/** What holds now: the part of a scene that may change while it runs. */
import { sameItems } from '../collections/lists.ts';
import type { Leading } from './ports.ts';
import type { Scene } from './scene/scene.ts';
import type { Pose } from './space.ts';

export interface Structure {
  /** Joints that hold, with the pose of the second object in the first: their objects are one body. */
  readonly held: ReadonlyMap<number, Pose>;
  /**
   * Joints that hold while their objects stay apart, and closures hold them: those whose reactions are measured, and all where joints are pushed, which
   * have to stay joints.
   */
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
  leading: Leading,
): Structure {
  const measured = new Set(sensors.flatMap(({ kind, of }) => (kind === 'ReactionSensor' ? [of] : [])));
  const isBound = (k: number) => leading === 'pushed' || measured.has(k);
  const isWheel = (k: number) => joints[k]!.rolling !== undefined;
  const posed = (of: readonly number[], known: ReadonlyMap<number, Pose>) =>
    new Map(of.map((k) => [k, known.get(k) ?? poseOf(k)]));
  const holders = holding.filter((k) => !isWheel(k));
  return {
    held: posed(
      holders.filter((k) => !isBound(k)),
      before.held,
    ),
    bound: posed(holders.filter(isBound), before.bound),
    rolling: holding.filter(isWheel),
  };
}

/** The joints that hold or roll, in order. */
export const holdersOf = ({ held, bound, rolling }: Structure): number[] =>
  [...held.keys(), ...bound.keys(), ...rolling].sort((a, b) => a - b);

export const isSame = (a: readonly number[], structure: Structure): boolean =>
  sameItems(a, holdersOf(structure));
