/** What holds now: the part of a scene that may change while it runs. */
import { sameItems } from '../collections/lists.ts';
import type { Scene } from './scene/scene.ts';
import type { Pose } from './space.ts';

export interface Structure {
  /** Joints that hold, with the pose of the second object in the first: their objects are one body. */
  readonly held: ReadonlyMap<number, Pose>;
  /**
   * Joints that hold while their objects stay apart, and closures hold them: those whose reactions are measured, and all where a joint with a flange
   * would be no link otherwise.
   */
  readonly bound: ReadonlyMap<number, Pose>;
  /** Wheels that touch their planes. */
  readonly rolling: readonly number[];
  /** Objects that are taken away. */
  readonly removed: readonly number[];
  /** At the instant of a change: joints that begin to hold, with their poses, or to roll. Closures hold them besides all that holds already. */
  readonly beginning?: ReadonlyMap<number, Pose | undefined>;
}

export const nothingHolds: Structure = { held: new Map(), bound: new Map(), rolling: [], removed: [] };

/** The structure without these objects and what holds them. */
export function withoutObjects(
  { joints }: Scene,
  structure: Structure,
  removed: readonly number[],
): Structure {
  const stays = (joint: number) => !removed.includes(joints[joint]!.a) && !removed.includes(joints[joint]!.b);
  const left = <Value>(of: ReadonlyMap<number, Value>) => new Map([...of].filter(([joint]) => stays(joint)));
  const { held, bound, rolling } = structure;
  return { held: left(held), bound: left(bound), rolling: rolling.filter(stays), removed };
}

/**
 * The structure in which these joints hold and wheels roll; `poseOf` gives the pose that a joint begins to hold. `keepsFlanges` says whether joints with
 * flanges still are links where joints hold.
 */
export function structureOf(
  scene: Scene,
  holding: readonly number[],
  before: Structure,
  poseOf: (joint: number) => Pose,
  keepsFlanges: (held: Structure['held']) => boolean,
): Structure {
  const { joints, sensors } = scene;
  const measured = new Set(sensors.flatMap(({ kind, of }) => (kind === 'ReactionSensor' ? [of] : [])));
  const isWheel = (k: number) => joints[k]!.rolling !== undefined;
  const poses = new Map(
    holding
      .filter((k) => !isWheel(k))
      .map((k) => [k, before.held.get(k) ?? before.bound.get(k) ?? poseOf(k)] as const),
  );
  const rolling = holding.filter(isWheel);
  const held = new Map([...poses].filter(([k]) => !measured.has(k)));
  const { removed } = before;
  if (!keepsFlanges(held)) return { held: new Map(), bound: poses, rolling, removed };
  return { held, bound: new Map([...poses].filter(([k]) => measured.has(k))), rolling, removed };
}

/** The instant at which some of what holds in a structure begins. */
export function beginningOf(structure: Structure, joints: readonly number[]): Structure {
  const { held, bound, rolling, removed } = structure;
  const without = <Value>(of: ReadonlyMap<number, Value>) =>
    new Map([...of].filter(([joint]) => !joints.includes(joint)));
  return {
    held: without(held),
    bound: without(bound),
    rolling: rolling.filter((joint) => !joints.includes(joint)),
    removed,
    beginning: new Map(joints.map((joint) => [joint, held.get(joint) ?? bound.get(joint)])),
  };
}

/** The joints that hold or roll, in order. */
export const holdersOf = ({ held, bound, rolling }: Structure): number[] =>
  [...held.keys(), ...bound.keys(), ...rolling].sort((a, b) => a - b);

export const isSame = (a: readonly number[], structure: Structure): boolean =>
  sameItems(a, holdersOf(structure));
