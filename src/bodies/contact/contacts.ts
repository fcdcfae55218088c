/**
 * Bodies that touch: pairs of shapes that may do so, which of them do, and the forces between these. A pair has one event indicator, its distance; what touches stays
 * so until the distance is positive again, so that forces are smooth between events.
 */
import type { Mechanism } from '../dynamics/mechanism.ts';
import type { Frames } from '../frames.ts';
import type { Assembly } from '../scene/assembly.ts';
import type { Collider, Scene } from '../scene/scene.ts';
import { Pair } from './distance.ts';
import { damping, regular, slow, slowTurn, stiffness, type Touching } from './law.ts';

interface Contact {
  readonly first: Collider;
  readonly second: Collider;
  readonly pair: Pair;
  readonly law: Touching;
  /** k of the restitution (`law.ts`). */
  readonly damping: number;
  /** How far apart their origins are when they can no longer touch. */
  readonly reach: number;
  touches: boolean;
  /** How fast they met. */
  speed: number;
}

/** Which pairs touch, as a value: indices, and how fast they met. */
export type SavedContacts = readonly (readonly [index: number, speed: number])[];

export class Contacts {
  private readonly all: readonly Contact[];
  /** Pairs of bodies that move against each other in the present structure. */
  private present: Contact[] = [];
  private frames!: Frames;
  private mechanism!: Mechanism;

  constructor({ colliders, touching }: Scene) {
    const all: Contact[] = [];
    for (const [i, first] of colliders.entries())
      for (const second of colliders.slice(i + 1)) {
        const law = touching(first.material, second.material);
        all.push({
          first,
          second,
          pair: new Pair(first.convex, second.convex),
          law,
          damping: damping(law.restitution),
          reach: first.reach + second.reach,
          touches: false,
          speed: 0,
        });
      }
    this.all = all;
  }

  get count(): number {
    return this.present.length;
  }

  /** Nothing touches any more. */
  forget(): void {
    for (const contact of this.all) {
      contact.touches = false;
      contact.pair.forget();
    }
  }

  save(): SavedContacts {
    return this.all.flatMap(({ touches, speed }, k) => (touches ? [[k, speed] as const] : []));
  }

  load(saved: SavedContacts): void {
    this.forget();
    for (const [k, speed] of saved) Object.assign(this.all[k]!, { touches: true, speed });
  }

  /** Takes up another mechanism. Objects of one body, and of bodies that a joint joins, do not touch each other. */
  setUp({ places, links }: Assembly, frames: Frames, mechanism: Mechanism): void {
    this.frames = frames;
    this.mechanism = mechanism;
    this.present = this.all.filter(({ first, second }) => {
      const [a, b] = [places[first.object]!.link, places[second.object]!.link];
      const isJoint = (child: number, parent: number) =>
        child >= 0 && links[child]!.parent === parent && links[child]!.kind !== 'free';
      return a !== b && a > -2 && b > -2 && !isJoint(a, b) && !isJoint(b, a);
    });
  }

  /** Distances, where bodies are; of pairs that are far apart, less than that. */
  distances(into: Float64Array): void {
    for (const [k, contact] of this.present.entries()) into[k] = this.distance(contact);
  }

  private distance({ pair, first, second, reach }: Contact): number {
    const { position, rotation } = this.frames;
    const [a, b] = [3 * first.object, 3 * second.object];
    const apart =
      Math.hypot(
        position[b]! - position[a]!,
        position[b + 1]! - position[a + 1]!,
        position[b + 2]! - position[a + 2]!,
      ) - reach;
    return apart > 0 ? apart : pair.measure(rotation, position, first.object, second.object);
  }

  sides(into: Int8Array): void {
    for (const [k, { touches }] of this.present.entries()) into[k] = touches ? -1 : 1;
  }

  /** Sees which pairs touch now; true where that has changed. `overlapping` gets those that overlap without having met. */
  look(overlapping?: (first: Collider, second: Collider, depth: number) => void): boolean {
    let isNew = false;
    for (const contact of this.present) {
      const distance = this.distance(contact);
      const touches = distance < 0 || (distance === 0 && contact.touches);
      if (touches === contact.touches) continue;
      isNew = true;
      contact.touches = touches;
      contact.speed = touches ? Math.max(0, this.approach(contact)) : 0;
      if (touches) overlapping?.(contact.first, contact.second, -distance);
    }
    return isNew;
  }

  /** How fast the depth of a pair grows; fills `slip`, `turn` with how the second moves past the first. */
  private approach({ pair, first, second }: Contact): number {
    const { position, velocity, angular } = this.frames;
    const [a, b] = [3 * first.object, 3 * second.object];
    let along = 0;
    for (let i = 0; i < 3; i++) at[i] = (pair.pointA[i]! + pair.pointB[i]!) / 2;
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      const moves = (o: number) =>
        velocity[o + i]! +
        angular[o + j]! * (at[k]! - position[o + k]!) -
        angular[o + k]! * (at[j]! - position[o + j]!);
      slip[i] = moves(b) - moves(a);
      turn[i] = angular[b + i]! - angular[a + i]!;
      along += slip[i]! * pair.normal[i]!;
    }
    for (let i = 0; i < 3; i++) slip[i] = slip[i]! - along * pair.normal[i]!;
    return -along;
  }

  /** Adds forces of what touches. */
  apply(wrenches: Float64Array): void {
    for (const contact of this.present) if (contact.touches) this.press(contact, wrenches);
  }

  private press(contact: Contact, wrenches: Float64Array): void {
    const { pair, first, second, law, speed } = contact;
    const depth = -this.distance(contact);
    if (!(depth > 0)) return;
    const [radiusA, radiusB] = [pair.radiusA, pair.radiusB];
    const isFlat = radiusA === Infinity && radiusB === Infinity;
    const flat = Math.min(first.convex.size, second.convex.size) / 2;
    const c = stiffness(first.modulus, second.modulus, isFlat ? flat : radiusA, isFlat ? flat : radiusB);
    const rate = this.approach(contact);
    const normal = Math.max(
      0,
      c * depth * Math.sqrt(depth) * (1 + (contact.damping / regular(speed, slow)) * rate),
    );
    const sliding = Math.hypot(slip[0]!, slip[1]!, slip[2]!);
    const rubbing = (law.friction * normal) / regular(sliding, slow);
    const turning = Math.hypot(turn[0]!, turn[1]!, turn[2]!);
    const radius = isFlat ? flat : 1 / (1 / radiusA + 1 / radiusB);
    const resisting = (law.rolling * radius * normal) / regular(turning, slowTurn);
    for (let i = 0; i < 3; i++) {
      force[i] = normal * pair.normal[i]! - rubbing * slip[i]!;
      torque[i] = -resisting * turn[i]!;
    }
    this.add(wrenches, second.object, 1);
    this.add(wrenches, first.object, -1);
  }

  private add(wrenches: Float64Array, object: number, sign: number): void {
    const link = this.frames.linkOf(object);
    if (link < 0) return;
    const { position } = this.mechanism.motion;
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      const arm =
        (at[j]! - position[3 * link + j]!) * force[k]! - (at[k]! - position[3 * link + k]!) * force[j]!;
      wrenches[6 * link + i] = wrenches[6 * link + i]! + sign * (arm + torque[i]!);
      wrenches[6 * link + 3 + i] = wrenches[6 * link + 3 + i]! + sign * force[i]!;
    }
  }
}

/** Of the pair that is looked at: where it touches, how the second moves past the first and turns against it, force and torque on the second. */
const at = new Float64Array(3);
const slip = new Float64Array(3);
const turn = new Float64Array(3);
const force = new Float64Array(3);
const torque = new Float64Array(3);
