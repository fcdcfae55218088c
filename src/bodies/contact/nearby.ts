/**
 * Which shapes may touch before the next look, and when that must be. From one look to the next each shape stays in its box, which has room for its present speed; two
 * shapes whose boxes meet are near each other. Of these it is known how far they are apart, so the next look comes before one could have gone through the other.
 *
 * `slack` watches over it: as long as it is positive, nothing has moved farther than it was given room for.
 *
 * Each pair that is near has a place, at which its event indicators are: no two pairs share them. Where places do not suffice it is crowded, and there must be more of them.
 */
import type { Frames } from '../frames.ts';
import { GONE } from '../scene/assembly.ts';
import type { Collider } from '../scene/scene.ts';
import { Broad } from './broad.ts';
import { boundsOf } from './support.ts';

/** Shapes may go into each other by this share of both thicknesses before somebody looks. */
const DEEP = 0.25;
/** What may begin to act between two looks, in m/s2, beside what made shapes as fast as they are. */
const SURPRISE = 20;
/** The time from one look to the next becomes longer by this factor at most; where forces are not steep, it need not be short because an event was. */
const GROWTH = 2;
/** How many pairs may be near each other at first. */
const FEW = 8;

export interface NearPair {
  readonly first: Collider;
  readonly second: Collider;
}

/** What pairs of shapes are, and do; shapes are given by their numbers. */
export interface Pairing<Pair extends NearPair> {
  /** Whether two shapes of different bodies may touch. */
  mayTouch(first: number, second: number): boolean;
  between(first: number, second: number): Pair;
  /** How far they are apart now, or less. */
  distance(pair: Pair): number;
  touches(pair: Pair): boolean;
  /** Whether forces grow steeply from where shapes begin to touch, so that steps had better begin as short as the last one was. */
  readonly isSteep: boolean;
}

export class Nearby<Pair extends NearPair> {
  /** Pairs that are near each other, by place. */
  readonly near: (Pair | undefined)[] = [];
  /** More pairs are near each other than there are places. */
  isCrowded = false;
  private readonly broad: Broad;
  /** The last look: when it was, when the next must be, and of each shape rotation and position, and how far it may move until then. */
  private seen: Seen;
  private readonly speed: Float64Array;
  /** Pairs that are near and do not touch; of each how far both may move until the next look. */
  private apart: Pair[] = [];
  private ways = new Float64Array(0);

  constructor(
    private readonly colliders: readonly Collider[],
    private readonly pairing: Pairing<Pair>,
  ) {
    const n = colliders.length;
    this.near.length = Math.min(FEW, (n * (n - 1)) / 2);
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

  /** The number of a pair. */
  keyOf({ first, second }: NearPair): number {
    return first.index * this.colliders.length + second.index;
  }

  /** The pair with a number. */
  pairOf(key: number): Pair {
    const n = this.colliders.length;
    return this.pairing.between(Math.floor(key / n), key % n);
  }

  save(): SavedNearby {
    const near = this.near.map((pair) => pair && this.keyOf(pair));
    const ways = this.ways.slice(0, this.apart.length);
    return structuredClone({ ...this.seen, near, apart: this.apart.map((pair) => this.keyOf(pair)), ways });
  }

  load({ near, apart, ways, ...seen }: SavedNearby): void {
    this.seen = structuredClone(seen);
    this.near.splice(0, this.near.length, ...near.map((key) => (key === undefined ? key : this.pairOf(key))));
    this.apart = apart.map((key) => this.pairOf(key));
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

  /** Makes more places, where it is crowded; indicators are declared anew. */
  makeRoom(): void {
    if (this.isCrowded) this.near.length *= 2;
  }

  /** Finds pairs that are near each other, with those that touch; gives the time of the next look, and whether places are those of other pairs from here on. */
  look(
    frames: Frames,
    time: number,
    touching: Iterable<Pair>,
  ): { readonly until: number; readonly renewed: boolean } {
    const now = this.sweep(frames, time);
    for (const pair of touching) now.add(pair);
    let renewed = false;
    for (const [k, pair] of this.near.entries()) {
      if (!pair || now.delete(pair)) continue;
      this.near[k] = undefined;
      renewed = true;
    }
    let place = 0;
    for (const pair of now) {
      while (this.near[place]) place++;
      if (place >= this.near.length) break;
      this.near[place] = pair;
      renewed = true;
    }
    this.isCrowded = now.size > 0 && place >= this.near.length;
    this.apart = this.near.filter((pair): pair is Pair => pair !== undefined && !this.pairing.touches(pair));
    const until = this.until();
    return { until: this.isCrowded ? time : until, renewed };
  }

  /** Pairs of shapes whose boxes meet, and that are no farther apart than both may move together. */
  private sweep(frames: Frames, time: number): Set<Pair> {
    const { colliders, broad, speed, seen, pairing } = this;
    let period = Infinity;
    for (const [k, { object, reach, thickness }] of colliders.entries()) {
      speed[k] = lengthOf(frames.velocity, object) + reach * lengthOf(frames.angular, object);
      if (!broad.off[k]) period = Math.min(period, timeFor(DEEP * thickness, speed[k]!));
    }
    if (!Number.isNaN(seen.time)) {
      const next = time > seen.time ? GROWTH * (time - seen.time) : seen.period;
      period = pairing.isSteep ? next : Math.max(period, next);
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
    const found = new Set<Pair>();
    for (let i = 0; i < broad.count; i++) {
      const [first, second] = [broad.pairs[2 * i]!, broad.pairs[2 * i + 1]!];
      if (!pairing.mayTouch(first, second)) continue;
      const pair = pairing.between(first, second);
      if (!(pairing.distance(pair) > seen.room[first]! + seen.room[second]!)) found.add(pair);
    }
    return found;
  }

  /** When the next look must be, as far as pairs are concerned that do not touch. */
  private until(): number {
    const { seen, speed, apart, pairing } = this;
    if (this.ways.length < apart.length) this.ways = new Float64Array(2 * apart.length);
    for (const [k, pair] of apart.entries()) {
      const { first, second } = pair;
      const way = Math.max(0, pairing.distance(pair)) + DEEP * (first.thickness + second.thickness);
      this.ways[k] = way;
      seen.period = Math.min(seen.period, timeFor(way, speed[first.index]! + speed[second.index]!));
    }
    return seen.time + seen.period;
  }

  /** How far all shapes still may move. */
  slack(frames: Frames): number {
    const { colliders, ways, apart } = this;
    let least = Infinity;
    for (let k = 0; k < colliders.length; k++) {
      moved[k] = this.broad.off[k] ? 0 : this.moved(k, frames);
      least = Math.min(least, this.seen.room[k]! - moved[k]!);
    }
    for (let k = 0; k < apart.length; k++) {
      const { first, second } = apart[k]!;
      least = Math.min(least, ways[k]! - moved[first.index]! - moved[second.index]!);
    }
    return least;
  }

  /** How far a point of a shape may have moved since the last look: what turns by an angle is apart from what it was by at most 2 sin(angle/2) of its reach. */
  private moved(k: number, frames: Frames): number {
    const { object, reach } = this.colliders[k]!;
    const { rotation, position } = this.seen;
    const [r, p] = [9 * object, 3 * object];
    let [turned, gone] = [0, 0];
    for (let i = 0; i < 9; i++) turned += (frames.rotation[r + i]! - rotation[9 * k + i]!) ** 2;
    for (let i = 0; i < 3; i++) gone += (frames.position[p + i]! - position[3 * k + i]!) ** 2;
    return Math.sqrt(gone) + reach * Math.sqrt(turned / 2);
  }
}

interface Seen {
  time: number;
  period: number;
  readonly rotation: Float64Array;
  readonly position: Float64Array;
  readonly room: Float64Array;
}

/** What was seen, as a value: pairs by their number. */
export type SavedNearby = Readonly<Seen> & {
  readonly near: readonly (number | undefined)[];
  readonly apart: readonly number[];
  readonly ways: Float64Array;
};

const moved: number[] = [];

/** The time for a way at a speed, with some acceleration. */
function timeFor(way: number, speed: number): number {
  return (2 * way) / (speed + Math.sqrt(speed * speed + 4 * SURPRISE * way));
}

const lengthOf = (vectors: Float64Array, k: number): number =>
  Math.hypot(vectors[3 * k]!, vectors[3 * k + 1]!, vectors[3 * k + 2]!);
