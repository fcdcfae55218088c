/**
 * Bodies that touch: pairs of shapes that are near each other, which of them overlap, and the forces between these.
 *
 * A pair that is near has two event indicators: its distance, and, while it touches and comes apart again, how fast its depth grows. What touches stays so until the
 * distance is positive again, so that forces are smooth between events. A contact that is pressed again without having opened has come to rest.
 *
 * A pair that touches has a place among the states. There is room for some more than there are, so that most contacts come and go without another segment.
 */
import type { ComponentEvent, Segment } from '../../../builtin/component.ts';
import { remember } from '../../../collections/memo.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import type { Frames } from '../../frames.ts';
import type { CoupledObjects } from '../../pattern.ts';
import { type Assembly, GONE } from '../../scene/assembly.ts';
import type { Collider, Scene, SceneTouch } from '../../scene/scene.ts';
import { SLOW } from '../law.ts';
import { Nearby, type SavedNearby } from '../nearby.ts';
import { Sensed } from '../sensed.ts';
import { BENT, Contact, MET, STATES, STORED, TWISTED } from './contact.ts';

/** Names and sizes of the numbers of a contact among the states. */
const states = [
  { name: 'speed', from: MET, to: STORED, nominal: 1 },
  { name: 'stored', from: STORED, to: BENT, nominal: 0.1 },
  { name: 'bent', from: BENT, to: TWISTED, nominal: 1e-3 },
  { name: 'twisted', from: TWISTED, to: STATES, nominal: 1e-1 },
] as const;
/** Indicators before those of pairs: how far shapes may still move. */
const OWN = 1;
/** Shapes that overlap by less than this share of the thinner one just touch. */
const JUST = 1e-4;

/** Shapes that part with more or less energy than their law says, by this part of that with which they met, are told of. */
const ASTRAY = 0.01;

/** Shapes that have lost energy in an impact without a reason, or gained some where that is negative; as a part of what they had. */
export interface Stray {
  readonly first: Collider;
  readonly second: Collider;
  readonly part: number;
}

/** Shapes that part after they were deeper in each other than the thinner one is thick. */
export type Through = Overlap;

/** Shapes that are in each other. */
export interface Overlap {
  readonly first: Collider;
  readonly second: Collider;
  readonly depth: number;
}

export class Contacts {
  private readonly colliders: readonly Collider[];
  /** Those that are near each other now. */
  private readonly nearby: Nearby<Contact>;
  /** Pairs that were near each other at some time, by their shapes. */
  private readonly known = new Map<number, Contact>();
  private touching: Contact[] = [];
  /** Those that have been told of for their energy. */
  private readonly strayed = new Set<Contact>();
  /** So many contacts have room among the states; `free` places are not used. */
  private room = 0;
  private free: number[] = [];
  /** Of each switch: whether its pairs may not touch. */
  private readonly switched: boolean[];
  private frames!: Frames;
  private mechanism!: Mechanism;
  /** By link: its mass, and that of all that it carries. */
  private masses: number[] = [];
  /** States of the point that is looked at, and where they begin. */
  private x: Float64Array = new Float64Array(0);
  private begin = 0;
  /** Whether forces are those of the point that is looked at. */
  private isPressed = false;
  private readonly sensed = new Map<SceneTouch, Sensed>();
  /** Another one for each point that is looked at. */
  private stamp = 0;

  constructor(private readonly scene: Scene) {
    this.colliders = scene.colliders;
    this.nearby = new Nearby(this.colliders, {
      mayTouch: (first, second) => this.mayTouch(first, second),
      between: (first, second) => this.between(first, second),
      distance: (contact) => contact.distance(this.frames),
      touches: ({ touches }) => touches,
      isSteep: true,
    });
    this.switched = scene.switches.map(() => false);
  }

  get any(): boolean {
    return this.colliders.length > 1;
  }

  /** Nothing touches any more. */
  forget(): void {
    for (const contact of this.known.values()) contact.forget();
    this.strayed.clear();
    this.touching = [];
    this.room = 0;
  }

  save(): SavedContacts {
    return {
      touching: this.touching.map((contact) => {
        const { slot, isReturning, radius, most, deepest } = contact;
        return { pair: this.nearby.keyOf(contact), slot, isReturning, radius, most, deepest };
      }),
      room: this.room,
      begin: this.begin,
      switched: this.switched.slice(),
      seen: this.nearby.save(),
    };
  }

  load({ touching, room, begin, switched, seen }: SavedContacts): void {
    this.forget();
    this.touching = touching.map(({ pair, ...own }) =>
      Object.assign(this.nearby.pairOf(pair), { touches: true, ...own }),
    );
    this.room = room;
    this.begin = begin;
    this.switched.splice(0, this.switched.length, ...switched);
    this.listFree();
    this.nearby.load(seen);
  }

  private between(first: number, second: number): Contact {
    const key = first * this.colliders.length + second;
    let contact = this.known.get(key);
    if (!contact) {
      const [a, b] = [this.colliders[first]!, this.colliders[second]!];
      contact = new Contact(a, b, this.scene.touching(a.material, b.material));
      this.known.set(key, contact);
    }
    return contact;
  }

  // -------------------------------------------------------------- segments

  /** Takes up another mechanism. */
  setUp({ places, links }: Assembly, frames: Frames, mechanism: Mechanism): void {
    if (!this.any) return;
    this.frames = frames;
    this.mechanism = mechanism;
    const bodyOf = (object: number) => places[object]!.link;
    this.nearby.setUp(bodyOf);
    this.drop(({ first, second }) => {
      const [a, b] = [bodyOf(first.object), bodyOf(second.object)];
      return a === b || a === GONE || b === GONE;
    });
    this.masses = links.map(({ mass }) => mass.mass);
    for (const [k, { parent }] of [...links.entries()].reverse())
      if (parent >= 0) this.masses[parent]! += this.masses[k]!;
    for (const contact of this.touching) contact.mass = this.massOf(contact);
  }

  /** What moves when two bodies are pressed together: each with what it carries. */
  private massOf({ first, second }: Contact): number {
    const inverse = (object: number) => 1 / (this.masses[this.frames.linkOf(object)] ?? Infinity);
    return 1 / (inverse(first.object) + inverse(second.object));
  }

  /** What no longer may touch does not. */
  private drop(isOver: (contact: Contact) => boolean): void {
    for (const contact of this.touching) if (isOver(contact)) contact.cease();
    this.touching = this.touching.filter(({ touches }) => touches);
  }

  /** States and indicators of a segment. */
  declare(segment: Segment): void {
    if (!this.any) return;
    this.nearby.makeRoom();
    segment.indicators(OWN + 2 * this.nearby.near.length);
    const count = this.touching.length;
    if (count > this.room || 4 * count < this.room) this.room = Math.ceil(1.25 * count);
    for (const [slot, contact] of this.touching.entries()) contact.slot = slot;
    this.listFree();
    for (let slot = 0; slot < this.room; slot++)
      for (const [k, { name, from, to, nominal }] of states.entries()) {
        const start = this.touching[slot]?.kept.subarray(from, to) ?? new Float64Array(to - from);
        const at = segment.state(`contact${slot + 1}.${name}`, { start, hidden: true, nominal });
        if (slot === 0 && k === 0) this.begin = at;
      }
  }

  private listFree(): void {
    const used = new Set(this.touching.map(({ slot }) => slot));
    this.free = [];
    for (let slot = this.room - 1; slot >= 0; slot--) if (!used.has(slot)) this.free.push(slot);
  }

  // -------------------------------------------------------------- looking around

  /** Finds pairs that are near each other; gives the time of the next look, and whether indicators stand for others from here on. */
  look(time: number): { readonly until: number; readonly renewed: boolean } {
    const isNew = this.note();
    const { until, renewed } = this.nearby.look(this.frames, time, this.touching);
    return { until, renewed: renewed || isNew };
  }

  /** What is pressed less and less will be at rest if it is pressed more again. */
  private note(): boolean {
    this.press();
    let isNew = false;
    for (const contact of this.touching) {
      const met = this.x[this.stateOf(contact) + MET]!;
      contact.note(met);
      if (contact.isReturning || contact.rate >= 0 || !(met > SLOW)) continue;
      contact.isReturning = isNew = true;
    }
    return isNew;
  }

  private mayTouch(first: number, second: number): boolean {
    const [a, b] = [this.colliders[first]!, this.colliders[second]!];
    if (this.scene.areNeighbours(a.object, b.object)) return false;
    return !this.scene.switches.some((own, k) => this.switched[k] && own.between(a.object, b.object) !== 0);
  }

  /** Writes all indicators. */
  indicators(z: Float64Array): void {
    if (!this.any) return;
    const { nearby, frames } = this;
    const { near } = nearby;
    z[0] = nearby.slack(frames);
    this.press();
    for (let k = 0; k < near.length; k++) {
      const contact = near[k];
      z[OWN + 2 * k] = contact ? contact.distance(frames) - (contact.touches ? contact.gap : 0) : 1;
      z[OWN + 2 * k + 1] = contact?.isReturning ? contact.rate : -1;
    }
  }

  /** On which side of zero indicators are, by what is known to touch. */
  sides(into: Int8Array): void {
    if (!this.any) return;
    into[0] = 1;
    for (const [k, contact] of this.nearby.near.entries()) {
      into[OWN + 2 * k] = contact?.touches ? -1 : 1;
      into[OWN + 2 * k + 1] = -1;
    }
  }

  // -------------------------------------------------------------- events

  /** Which pairs the model switches off; true where that has changed. */
  turn(isOff: (condition: string) => boolean): boolean {
    let isNew = false;
    for (const [k, { condition }] of this.scene.switches.entries()) {
      const off = isOff(condition);
      isNew ||= off !== this.switched[k];
      this.switched[k] = off;
    }
    if (isNew) this.drop(({ first, second }) => !this.mayTouch(first.index, second.index));
    return isNew;
  }

  /**
   * Sees which pairs touch now. Gives what that changes: states or forces, or even the number of states. `overlapping` gets those that overlap without having
   * met: at the start, when contact is switched on, where a body comes back, or where one lets go of another. `straying` gets those that part with another energy than their law
   * says, and `passing` those that may have passed through each other, once each.
   */
  settle(
    { point: { t, x }, crossed }: Pick<ComponentEvent, 'point' | 'crossed'>,
    overlapping: (overlap: Overlap) => void,
    straying: (stray: Stray) => void,
    passing: (through: Through) => void,
  ): Change {
    this.keep();
    this.look(t);
    let change: Change = this.nearby.isCrowded ? 'segment' : 'nothing';
    const met: Contact[] = [];
    for (const [k, contact] of this.nearby.near.entries()) {
      if (!contact) continue;
      const distance = contact.distance(this.frames);
      const touches = contact.touches ? distance <= contact.gap : distance < 0;
      if (touches && contact.isReturning && crossed.includes(OWN + 2 * k + 1)) {
        contact.rest();
        change = 'values';
      }
      if (touches === contact.touches) continue;
      change = 'values';
      if (!touches) {
        const { first, second, astray, deepest } = contact;
        if (deepest > Math.min(first.thickness, second.thickness) && !this.strayed.has(contact)) {
          this.strayed.add(contact);
          passing({ first, second, depth: deepest });
        } else if (Math.abs(astray) > ASTRAY && !this.strayed.has(contact)) {
          this.strayed.add(contact);
          straying({ first, second, part: astray });
        }
        contact.left = 0;
        contact.forget();
        continue;
      }
      met.push(contact);
      contact.mass = this.massOf(contact);
      contact.meet(this.frames);
      const { first, second, left } = contact;
      if (-distance > left + JUST * Math.min(first.thickness, second.thickness))
        overlapping({ first, second, depth: -distance });
    }
    if (change === 'nothing') return change;
    this.touching = [...this.touching.filter(({ touches }) => touches), ...met];
    this.isPressed = false;
    if (this.nearby.isCrowded || this.touching.length > this.room) return 'segment';
    this.listFree();
    for (const contact of met) contact.slot = this.free.pop()!;
    this.write(x);
    return change;
  }

  /** What contacts have among the states goes on with them. */
  keep(): void {
    for (const contact of this.touching) {
      const at = this.stateOf(contact);
      for (let k = 0; k < STATES; k++) contact.kept[k] = this.x[at + k]!;
    }
  }

  private write(x: Float64Array): void {
    x.fill(0, this.begin, this.begin + STATES * this.room);
    for (const contact of this.touching) x.set(contact.kept, this.stateOf(contact));
  }

  // -------------------------------------------------------------- forces

  /** Another point is looked at. */
  see(x: Float64Array): void {
    this.x = x;
    this.isPressed = false;
  }

  private press(): void {
    if (this.isPressed) return;
    for (const contact of this.touching) contact.press(this.frames, this.x, this.stateOf(contact));
    this.isPressed = true;
    this.stamp++;
  }

  /** Adds forces of what touches. */
  apply(wrenches: Float64Array): void {
    this.press();
    for (const contact of this.touching) {
      this.add(wrenches, contact, contact.second.object, 1);
      this.add(wrenches, contact, contact.first.object, -1);
    }
  }

  private add(wrenches: Float64Array, { at, force, torque }: Contact, object: number, sign: number): void {
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

  /** Shapes that touch, those that press most first. */
  pressing(): (readonly [Collider, Collider])[] {
    return [...this.touching]
      .sort((a, b) => b.normal - a.normal)
      .map(({ first, second }) => [first, second] as const);
  }

  // -------------------------------------------------------------- states

  /** Where the states of a contact begin. */
  private stateOf({ slot }: Contact): number {
    return this.begin + STATES * slot;
  }

  /** How many states contacts have. */
  get stateCount(): number {
    return STATES * this.room;
  }

  /** Objects that touch, with the states of their contact. */
  coupled(): CoupledObjects[] {
    return this.touching.map((contact) => {
      const from = this.stateOf(contact);
      const { first, second } = contact;
      return { first: first.object, second: second.object, from, to: from + STATES };
    });
  }

  /** How the states change. */
  derivatives(dx: Float64Array): void {
    if (this.room === 0) return;
    this.press();
    dx.fill(0, this.begin, this.begin + STATES * this.room);
    for (const contact of this.touching) dx.set(contact.rates, this.stateOf(contact));
  }

  // -------------------------------------------------------------- sensors

  /** What a sensor sees, at the point that is looked at. */
  sense(sensor: SceneTouch): Sensed {
    const into = remember(this.sensed, sensor, () => new Sensed());
    this.press();
    if (into.stamp !== this.stamp) this.gather(sensor, into);
    into.stamp = this.stamp;
    return into;
  }

  private gather({ between }: SceneTouch, into: Sensed): void {
    into.clear();
    for (const contact of this.touching) {
      const sign = between(contact.first.object, contact.second.object);
      if (sign !== 0) into.add(contact, sign);
    }
    if (into.distance < 0) return;
    for (const [i, first] of this.colliders.entries())
      for (let k = i + 1; k < this.colliders.length; k++) {
        const second = this.colliders[k]!;
        const sign = between(first.object, second.object);
        if (sign === 0 || this.scene.areNeighbours(first.object, second.object)) continue;
        if (this.frames.linkOf(first.object) === this.frames.linkOf(second.object)) continue;
        const contact = this.between(i, k);
        if (contact.measure(this.frames) < into.distance) into.near(contact, this.frames, sign);
      }
    if (into.distance === Infinity) into.distance = 0;
  }
}

/** What an event changes. */
export type Change = 'nothing' | 'values' | 'segment';

/** What is near and touches, as a value: pairs by their number. */
export interface SavedContacts {
  readonly touching: readonly {
    readonly pair: number;
    readonly slot: number;
    readonly isReturning: boolean;
    readonly radius: number;
    readonly most: number;
    readonly deepest: number;
  }[];
  readonly room: number;
  readonly begin: number;
  readonly switched: readonly boolean[];
  readonly seen: SavedNearby;
}
