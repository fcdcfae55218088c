/**
 * Which shapes may touch before the next look, and when that must be. From one look to the next each shape stays in its box, which has room for its present speed; two
 * shapes whose boxes meet are near each other. Of these it is known how far they are apart, so the next look comes before one could have gone through the other.
 *
 * `slack` watches over it: as long as it is positive, nothing has moved farther than it was given room for.
 */
import type { Frames } from '../../frames.ts';
import { GONE } from '../../scene/assembly.ts';
import type { Collider } from '../../scene/scene.ts';
import { Broad } from '../broad.ts';
import { boundsOf } from '../support.ts';
import type { Contact } from './contact.ts';

/** Shapes may go into each other by this share of both thicknesses before somebody looks. */
const DEEP = 0.25;
/** What may begin to act between two looks, in m/s2, beside what made shapes as fast as they are. */
const SURPRISE = 20;
/** The time from one look to the next becomes longer by this factor at most. */
const GROWTH = 2;

export class Nearby {
  private readonly broad: Broad;
  /** The last look: when it was, when the next must be, and of each shape rotation and position, and how far it may move until then. */
  private seen: Seen;
  private readonly speed: Float64Array;
  /** Of each pair that is near and does not touch: how far both may move until the next look. */
  private ways = new Float64Array(0);

  constructor(private readonly colliders: readonly Collider[]) {
    const n = colliders.length;
    this.broad = new Broad(n);
    this.seen = {
      time: Number.NaN,
      period: 0,
      rotation: new Float64Array(9 * n),
      position: new Float64Array(3 * n),
      room: new Float64Array(n),
    };
    this.speed = new Float64Array(n);
  }

  save(): SavedNearby {
    return structuredClone({ ...this.seen, ways: this.ways });
  }

  load({ ways, ...seen }: SavedNearby): void {
    this.seen = structuredClone(seen);
    this.ways = ways.slice();
  }

  /** Shapes of one body do not touch; those that are not there touch nothing. */
  setUp(bodyOf: (object: number) => number): void {
    for (const [k, { object }] of this.colliders.entries()) {
      this.broad.group[k] = bodyOf(object);
      this.broad.off[k] = bodyOf(object) === GONE ? 1 : 0;
    }
    this.seen.time = Number.NaN;
  }

  /** Looks around: calls `near` with each pair of shapes whose boxes meet, and how far both may move together. */
  look(frames: Frames, time: number, near: (first: number, second: number, room: number) => void): void {
    const { colliders, broad, speed, seen } = this;
    let period = time > seen.time ? GROWTH * (time - seen.time) : seen.period;
    if (Number.isNaN(seen.time)) period = Infinity;
    for (const [k, { object, reach, thickness }] of colliders.entries()) {
      speed[k] = lengthOf(frames.velocity, object) + reach * lengthOf(frames.angular, object);
      if (Number.isNaN(seen.time)) period = Math.min(period, timeFor(DEEP * thickness, speed[k]!));
    }
    for (const [k, { object, convex, thickness }] of colliders.entries()) {
      seen.room[k] = DEEP * thickness + (speed[k]! + SURPRISE * period) * period;
      boundsOf(convex, frames.rotation, frames.position, object, seen.room[k]!, broad.bounds, 6 * k);
      seen.rotation.set(frames.rotation.subarray(9 * object, 9 * object + 9), 9 * k);
      seen.position.set(frames.position.subarray(3 * object, 3 * object + 3), 3 * k);
    }
    seen.time = time;
    seen.period = period;
    broad.update();
    for (let i = 0; i < broad.count; i++) {
      const [first, second] = [broad.pairs[2 * i]!, broad.pairs[2 * i + 1]!];
      near(first, second, seen.room[first]! + seen.room[second]!);
    }
  }

  /** When the next look must be, as far as these pairs are concerned, which do not touch. */
  until(pairs: readonly Contact[], frames: Frames): number {
    if (this.ways.length < pairs.length) this.ways = new Float64Array(2 * pairs.length);
    const { seen, speed } = this;
    for (const [k, contact] of pairs.entries()) {
      const { first, second } = contact;
      const way = Math.max(0, contact.distance(frames)) + DEEP * (first.thickness + second.thickness);
      this.ways[k] = way;
      seen.period = Math.min(seen.period, timeFor(way, speed[first.index]! + speed[second.index]!));
    }
    return seen.time + seen.period;
  }

  /** How far all shapes still may move; the pairs are those of `until`. */
  slack(pairs: readonly Contact[], frames: Frames): number {
    const { colliders, ways } = this;
    let least = Infinity;
    for (let k = 0; k < colliders.length; k++) {
      moved[k] = this.broad.off[k] ? 0 : this.moved(k, frames);
      least = Math.min(least, this.seen.room[k]! - moved[k]!);
    }
    for (let k = 0; k < pairs.length; k++) {
      const { first, second } = pairs[k]!;
      least = Math.min(least, ways[k]! - moved[first.index]! - moved[second.index]!);
    }
    return least;
  }

  /** How far a point of a shape may have moved since the last look. */
  private moved(k: number, frames: Frames): number {
    const { object, reach } = this.colliders[k]!;
    const { rotation, position } = this.seen;
    const [r, p] = [9 * object, 3 * object];
    let [turned, gone] = [0, 0];
    for (let i = 0; i < 9; i++) turned += (frames.rotation[r + i]! - rotation[9 * k + i]!) ** 2;
    for (let i = 0; i < 3; i++) gone += (frames.position[p + i]! - position[3 * k + i]!) ** 2;
    return Math.sqrt(gone) + reach * Math.sqrt(turned);
  }
}

interface Seen {
  time: number;
  period: number;
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly room: Float64Array;
}

/** What was seen, as a value. */
export type SavedNearby = Readonly<Seen> & { readonly ways: Float64Array };

const moved: number[] = [];

/** The time for a way at a speed, with some acceleration. */
function timeFor(way: number, speed: number): number {
  return (2 * way) / (speed + Math.sqrt(speed * speed + 4 * SURPRISE * way));
}

const lengthOf = (vectors: Float64Array, k: number): number =>
  Math.hypot(vectors[3 * k]!, vectors[3 * k + 1]!, vectors[3 * k + 2]!);
