/** Pairs of shapes of rigid bodies: which there are, where they are, and how those that touch are part of the mechanism. */
import { remember } from '../../../collections/memo.ts';
import type { TouchClosure } from '../../dynamics/closure.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import type { Sight } from '../../dynamics/sight.ts';
import { goOn, type Hold, Touch } from '../../dynamics/touch.ts';
import type { Frames } from '../../frames.ts';
import { type Assembly, GONE } from '../../scene/assembly.ts';
import type { Collider, Scene } from '../../scene/scene.ts';
import { atOrigin, type Pose } from '../../space.ts';
import type { Touching as Law } from '../law.ts';
import { Nearby, type SavedNearby } from '../nearby.ts';
import { boundsOf } from '../support.ts';
import { apartOf } from './encounter.ts';
import { type Known, Patch } from './patch.ts';

/** Boxes around shapes that are farther apart than this part of the smaller one tell enough. */
const FAR = 0.1;

export interface RigidPair {
  /** Its number among all pairs. */
  readonly index: number;
  readonly first: Collider;
  readonly second: Collider;
  readonly patch: Patch;
  readonly law: Law;
  touch: Touch | undefined;
  /** What it was before an event. */
  before: Touch | undefined;
  /** Of the present structure. */
  a: number;
  b: number;
  poseA: Pose;
  poseB: Pose;
}

/** What is near and touches, as a value. */
export interface SavedPairs {
  readonly near: SavedNearby;
  readonly touches: readonly SavedTouch[];
  readonly switched: readonly boolean[];
}

interface SavedTouch {
  readonly index: number;
  readonly hold: Hold;
  readonly known: readonly Known[];
  readonly directions: readonly number[];
  readonly twist: readonly number[];
  readonly slow: number;
  readonly light: number;
  readonly sideways: number;
  readonly pinned: number;
  readonly isYoung: boolean;
}

/** What decides which shapes may touch. */
interface Circumstances {
  readonly places: Assembly['places'];
  readonly switched: readonly boolean[];
}

export class RigidPairs {
  /** Those that are near each other. */
  readonly nearby: Nearby<RigidPair>;
  /** The same in the order of their numbers. */
  present: readonly RigidPair[] = [];
  mechanism!: Mechanism;
  /** Where the shapes of a pair are, as `place` has found. */
  readonly rotation = new Float64Array(18);
  readonly position = new Float64Array(6);
  /** The same, and how the shapes move, as `lookAt` has found. */
  private readonly sight: Sight = {
    A: this.rotation.subarray(0, 9),
    B: this.rotation.subarray(9),
    fromA: this.position.subarray(0, 3),
    fromB: this.position.subarray(3),
    wA: new Float64Array(3),
    wB: new Float64Array(3),
    uA: new Float64Array(3),
    uB: new Float64Array(3),
    apart: new Float64Array(3),
  };
  /** Pairs that were near each other at some time, by their numbers. */
  private readonly known = new Map<number, RigidPair>();
  /** Boxes around all shapes, as in `Broad`, and of each the motion that it was found for. */
  private readonly boxes: Float64Array;
  private readonly versions: Float64Array;
  private places: Assembly['places'] = [];
  frames!: Frames;
  /** Of each switch: whether its pairs may not touch. */
  private switched: readonly boolean[];
  /** Where objects were, and what was switched off, when all that may touch was looked at last. */
  private seen: Circumstances = { places: [], switched: [] };

  constructor(readonly scene: Pick<Scene, 'colliders' | 'touching' | 'switches' | 'areNeighbours'>) {
    const { colliders } = scene;
    this.switched = scene.switches.map(() => false);
    this.boxes = new Float64Array(6 * colliders.length);
    this.versions = new Float64Array(colliders.length);
    this.nearby = new Nearby(colliders, {
      mayTouch: (first, second) => this.mayTouch(first, second),
      between: (first, second) => this.between(first, second),
      distance: (pair) => this.gap(pair),
      touches: ({ touch }) => touch !== undefined,
      isSteep: false,
    });
  }

  /** The pair of two shapes, by their numbers. */
  between(i: number, j: number): RigidPair {
    const { colliders, touching } = this.scene;
    const [first, second] = [colliders[i]!, colliders[j]!];
    return remember(this.known, i * colliders.length + j, () => {
      const pair = {
        index: i * colliders.length + j,
        first,
        second,
        patch: new Patch(first.convex, second.convex),
        law: touching(first.material, second.material),
        touch: undefined,
        before: undefined,
        a: 0,
        b: 0,
        poseA: atOrigin,
        poseB: atOrigin,
      };
      this.join(pair);
      return pair;
    });
  }

  /** Two shapes that may touch and whose law is of a kind, if there are any. */
  find(isMeant: (law: Law) => boolean): readonly [Collider, Collider] | undefined {
    const { colliders, touching } = this.scene;
    const materials = [...new Set(colliders.map(({ material }) => material))];
    const hasLaw = (first: string, second: string) => isMeant(touching(first, second));
    if (!materials.some((first) => materials.some((second) => hasLaw(first, second)))) return undefined;
    for (const first of colliders)
      for (const second of colliders.slice(first.index + 1))
        if (hasLaw(first.material, second.material) && this.mayTouch(first.index, second.index))
          return [first, second];
    return undefined;
  }

  /** Whether two shapes, by their numbers, are of different bodies that may touch. */
  mayTouch(i: number, j: number): boolean {
    const { places, switched } = this;
    return this.isAllowed(i, j, { places, switched });
  }

  /** Whether shapes are of bodies that could touch, if they were not switched off or removed. */
  areApart({ first, second }: RigidPair): boolean {
    const [a, b] = [first, second].map(({ object }) => this.places[object]?.link ?? GONE);
    return (a !== b || a === GONE) && !this.scene.areNeighbours(first.object, second.object);
  }

  /** The distance of shapes in the world, however far they are apart, and where they were left if they are removed. */
  distance({ first, second, patch }: RigidPair): number {
    const { frames, mechanism } = this;
    frames.update(first.object, mechanism);
    frames.update(second.object, mechanism);
    return patch.manifold.pair.measure(frames.rotation, frames.position, first.object, second.object);
  }

  /** Whether a pair may touch since the last look, and could not before: then the shapes may be anywhere. */
  isNew({ first, second }: RigidPair): boolean {
    return !this.isAllowed(first.index, second.index, this.seen);
  }

  private isAllowed(i: number, j: number, { places, switched }: Circumstances): boolean {
    const { colliders, switches, areNeighbours } = this.scene;
    const [first, second] = [colliders[i]!.object, colliders[j]!.object];
    const [a, b] = [places[first]?.link ?? GONE, places[second]?.link ?? GONE];
    if (a === b || a === GONE || b === GONE || areNeighbours(first, second)) return false;
    return !switches.some(({ between }, k) => switched[k] && between(first, second) !== 0);
  }

  /** Takes up another mechanism, in which nothing touches yet. Objects of one body do not touch each other. */
  setUp({ places }: Assembly, frames: Frames, mechanism: Mechanism): void {
    this.frames = frames;
    this.mechanism = mechanism;
    this.places = places;
    this.versions.fill(-1);
    this.forget();
    mechanism.touch([]);
    this.nearby.setUp((object) => places[object]!.link);
    for (const pair of this.known.values()) this.join(pair);
  }

  /** What the shapes of a pair are fixed in. */
  private join(pair: RigidPair): void {
    const { n } = this.mechanism.tree;
    const [first, second] = [this.places[pair.first.object]!, this.places[pair.second.object]!];
    pair.a = first.link < 0 ? n : first.link;
    pair.b = second.link < 0 ? n : second.link;
    pair.poseA = first.pose;
    pair.poseB = second.pose;
  }

  /** Finds pairs that are near each other, where the mechanism is; gives what `Nearby.look` does. */
  lookAround(time: number): { readonly until: number; readonly renewed: boolean } {
    const { frames, mechanism } = this;
    for (const { object } of this.scene.colliders) frames.update(object, mechanism);
    for (const pair of this.touching()) if (!this.mayTouch(pair.first.index, pair.second.index)) part(pair);
    const found = this.nearby.look(frames, time, this.touching());
    this.list();
    return found;
  }

  private list(): void {
    this.present = this.nearby.near
      .filter((pair) => pair !== undefined)
      .sort((one, other) => one.index - other.index);
  }

  /** How far all shapes still may move until somebody looks around. */
  slack(): number {
    return this.nearby.slack(this.frames);
  }

  /** From here on what may touch has been looked at. */
  noteSeen(): void {
    this.seen = { places: this.places, switched: this.switched };
  }

  /** Nothing touches any more. */
  forget(): void {
    for (const pair of this.known.values()) part(pair);
  }

  save(): SavedPairs {
    const touches = this.touching().map(({ index, patch, touch }) => ({
      index,
      hold: touch!.hold,
      known: patch.save(),
      directions: [...touch!.directions],
      twist: [...touch!.twist],
      slow: touch!.slow,
      light: touch!.light,
      sideways: touch!.sideways,
      pinned: touch!.pinned,
      isYoung: touch!.isYoung,
    }));
    return { near: this.nearby.save(), touches, switched: this.switched };
  }

  load({ near, touches, switched }: SavedPairs): void {
    this.forget();
    this.switched = switched;
    for (const { index, known, directions, twist, ...own } of touches) {
      const pair = this.nearby.pairOf(index);
      pair.patch.take(known);
      pair.touch = new Touch(pair.patch, pair.law.friction);
      Object.assign(pair.touch, own);
      pair.touch.twist.set(twist);
      pair.touch.directions.set(directions);
    }
    this.nearby.load(near);
    this.list();
    this.noteSeen();
    this.install();
  }

  /** Which pairs the model switches off. */
  turn(isOff: (condition: string) => boolean): void {
    this.switched = this.scene.switches.map(({ condition }) => isOff(condition));
  }

  touching(): RigidPair[] {
    return this.present.filter(({ touch }) => touch);
  }

  /** Tells the mechanism what touches. */
  install(): void {
    this.mechanism.touch(
      this.touching().map(
        ({ a, b, poseA, poseB, touch }): TouchClosure => ({
          kind: 'touch',
          a: a === this.mechanism.tree.n ? -1 : a,
          b: b === this.mechanism.tree.n ? -1 : b,
          poseA,
          poseB,
          touch: touch!,
        }),
      ),
    );
  }

  /** Nothing touches, for now. */
  release(): void {
    for (const pair of this.present) pair.touch = undefined;
    this.mechanism.touch([]);
  }

  /** The first row of each pair that touches. */
  rows(): Map<RigidPair, number> {
    const { closures } = this.mechanism;
    const touching = this.touching();
    const from = closures.closures.length - touching.length;
    const found = new Map<RigidPair, number>();
    for (let row = closures.count - 1; row >= 0; row--) {
      const c = closures.closureOf[row]!;
      if (c >= from) found.set(touching[c - from]!, row);
    }
    return found;
  }

  /** The distance of a pair; of one that is far apart, that of the boxes around both, which is less. */
  gap(pair: RigidPair): number {
    const apart = this.apart(pair);
    if (apart > FAR * pair.patch.size) return apart;
    this.place(pair);
    return pair.patch.distance(this.rotation, this.position);
  }

  /** How far the boxes around both shapes are apart; negative where they overlap. */
  private apart({ first, second }: RigidPair): number {
    const { boxes } = this;
    this.surround(first);
    this.surround(second);
    const [i, j] = [6 * first.index, 6 * second.index];
    let most = -Infinity;
    for (let k = 0; k < 3; k++) {
      const [above, below] = [boxes[j + k]! - boxes[i + 3 + k]!, boxes[i + k]! - boxes[j + 3 + k]!];
      if (above > most) most = above;
      if (below > most) most = below;
    }
    return most;
  }

  /** Brings the box around a shape to where that is. */
  private surround({ index, object, convex }: Collider): void {
    const { frames, mechanism, versions } = this;
    const { version } = mechanism.motion;
    if (versions[index] === version) return;
    versions[index] = version;
    frames.update(object, mechanism);
    boundsOf(convex, frames.rotation, frames.position, object, 0, this.boxes, 6 * index);
  }

  /** Poses of the shapes of a pair, positions from P_a: `rotation`, `position`. */
  place({ first, second, a }: RigidPair): void {
    this.placeShape(first.object, 0, a);
    this.placeShape(second.object, 1, a);
  }

  private placeShape(object: number, which: number, a: number): void {
    const { frames, mechanism, rotation, position } = this;
    frames.update(object, mechanism);
    for (let i = 0; i < 9; i++) rotation[9 * which + i] = frames.rotation[9 * object + i]!;
    for (let i = 0; i < 3; i++)
      position[3 * which + i] = frames.position[3 * object + i]! - this.originOf(a, i);
  }

  /** Where an object is in the world. */
  placeOf(object: number, i: number): number {
    this.frames.update(object, this.mechanism);
    return this.frames.position[3 * object + i]!;
  }

  /** Where P of a link is in the world. */
  originOf(link: number, i: number): number {
    const { bases, places, tree } = this.mechanism.motion;
    return link === tree.n ? 0 : bases[3 * tree.root[link]! + i]! + places[3 * link + i]!;
  }

  /** Has a touch of a pair look where the mechanism is. */
  lookAt(pair: RigidPair, touch: Touch): void {
    const { a, b } = pair;
    const { wA, wB, uA, uB, apart } = this.sight;
    const { velocities } = this.mechanism.motion;
    this.place(pair);
    for (let i = 0; i < 3; i++) {
      wA[i] = velocities[6 * a + i]!;
      wB[i] = velocities[6 * b + i]!;
      uA[i] = velocities[6 * a + 3 + i]!;
      uB[i] = velocities[6 * b + 3 + i]!;
    }
    apartOf(this.mechanism, a, b, apart);
    touch.move(this.sight);
  }

  /** How fast point k moves on B past A, after `lookAt`, and how fast its gap opens. */
  approachOf(touch: Touch, k: number): { readonly speed: number; readonly along: number } {
    touch.velocity(k, this.sight, velocity);
    const along = [0, 1, 2].reduce((sum, i) => sum + velocity[i]! * touch.normals[3 * k + i]!, 0);
    return { speed: Math.hypot(...velocity), along };
  }

  /** How fast shapes turn, after `lookAt`, the faster one. */
  turningOf(): number {
    const { wA, wB } = this.sight;
    return Math.max(Math.hypot(wA[0]!, wA[1]!, wA[2]!), Math.hypot(wB[0]!, wB[1]!, wB[2]!));
  }

  /** The distance of a pair after it has gone on to move as `lookAt` has found, for some time. */
  distanceAfter({ patch }: RigidPair, time: number): number {
    goOn(this.sight, time, rotation, position);
    return patch.distance(rotation, position);
  }
}

const velocity = new Float64Array(3);
const rotation = new Float64Array(18);
const position = new Float64Array(6);

/** A pair does not touch any more. */
function part(pair: RigidPair): void {
  pair.touch = undefined;
  pair.patch.forget();
}
