/**
 * Rigid bodies that touch, as a closure (`rows.ts`): points of contact keep their gaps closed, and friction holds them or lets them slide. Which points press,
 * and whether they hold, stays the same between events.
 *
 * | hold | rows |
 * |---|---|
 * | smooth | of each point its gap |
 * | stick | as well, and the motion along the surface: two rows at the middle of the points, and one for turning where there are several |
 * | slide | of each point its gap; its force is along n - friction times the direction of slip; a point that does not slip has two rows more |
 * | start | of each point its gap; its force is along n - friction times the direction in which it will slide: while it is decided what that is |
 * | glide | as well, but the direction is the one in which it began to slide, and rows keep it, since the direction of a slip that is hardly there is any |
 */
import { cross, dot } from './flat.ts';
import type { Sight } from './sight.ts';

export type Hold = 'smooth' | 'stick' | 'slide' | 'start' | 'glide';

/** Two shapes that touch each other: where, for given poses. Everything is along the axes of the world, from any common origin. */
export interface Footing {
  /**
   * Rotations (rows) and positions of both; results stay until the next call. `isNextTo`: the poses are those of the last call but for little, which makes it cheaper;
   * otherwise results do not depend on any call before.
   */
  measure(rotation: Float64Array, position: Float64Array, isNextTo?: boolean): void;
  /** The points that press, always in the same order. */
  readonly count: number;
  readonly points: Float64Array;
  readonly gaps: Float64Array;
  /** From A to B: of both surfaces, and of each point. */
  readonly normal: Float64Array;
  readonly normals: Float64Array;
  /** The shape that the plane of all points is fixed in, while these are fixed in the other one: 1 is A, 2 is B; 3: none, since edges cross in a single point; 0: points move along both shapes. */
  readonly base: 0 | 1 | 2 | 3;
  /** Of each point, where there is a base: the same for this point; 0 where edges cross. */
  readonly planes: Uint8Array;
  /** Of each point, where there is a base: directions of the edges of A and B where two cross; zeros of others. */
  readonly edges: Float64Array;
  /** Where it is known how the nearest points move, because one shape is a ball. */
  readonly ball?: Ball | undefined;
  /** The size of the smaller shape. */
  readonly size: number;
}

/** A ball that touches a face, an edge or a corner. */
export interface Ball {
  /** Which shape it is: 1 is A, 2 is B. */
  readonly of: 1 | 2;
  readonly radius: number;
  /** By how much the other shape extends beyond its core. */
  readonly margin: number;
  /** In how many directions the nearest point of the core of the other shape may move: 2 on a face, 1 on an edge, 0 at a corner. */
  readonly freedom: number;
  /** The direction of the edge, of length 1. */
  readonly edge: readonly number[];
}

/** How far shapes move, by their size, and turn in the steps by which it is seen how points of contact move. */
const STEP = 1e-3;
/** By so much they become shorter, down to the least, where rates over one and two of them differ by more than this part of the fastest motion. */
const SHORTER = 0.1;
const LEAST_STEP = 1e-6;
const ROUGH = 1e-3;

export class Touch {
  hold: Hold = 'smooth';
  /** Of each point, in the frame of A: the direction in which it slides, or will. */
  directions: Float64Array = none;
  /** In the frame of A: how points would move that friction could not hold. */
  motions: Float64Array = none;
  /** Where a pair slides: the point about which it turns, because that one sticks; -1: none. */
  pinned = -1;
  /** How a pair glides: its velocity in the frame of A at the middle of the points, and its angular velocity about the normal; of any size. */
  readonly twist = new Float64Array(4);
  /** Forces that are none; and where it glides, one that is too much to keep its direction. */
  light = 0;
  sideways = 0;
  /** Whether it slides since it has ceased to glide: a slip that may grow slowly. */
  isYoung = false;
  /** A speed of slip at which the direction is that one rather than that of the slip. */
  slow = 0;
  count = 0;
  readonly normal = new Float64Array(3);
  readonly normalRate = new Float64Array(3);
  normals: Float64Array = none;
  normalRates: Float64Array = none;
  points: Float64Array = none;
  pointRates: Float64Array = none;
  gaps: Float64Array = none;
  /** Of each point: how it moves on B past A, without what is along the normal. */
  slips: Float64Array = none;
  /** As in `Footing`, where the shapes were looked at last. */
  private base: Footing['base'] = 0;
  private planes: Uint8Array = new Uint8Array(0);
  private edges: Float64Array = none;
  /** For which poses of the shapes that was: rotations and positions; not a number where they were not yet looked at. */
  private readonly seen = new Float64Array(24);
  /** Angular velocities and velocities that rates were found for; not a number where they are not known for these poses. */
  private readonly motion = new Float64Array(12);

  constructor(
    readonly footing: Footing,
    readonly friction: number,
  ) {
    this.renew();
  }

  /** Room for the points that press now. */
  renew(): void {
    const { count } = this.footing;
    this.count = count;
    this.pinned = -1;
    this.normals = new Float64Array(3 * count);
    this.normalRates = new Float64Array(3 * count);
    this.points = new Float64Array(3 * count);
    this.pointRates = new Float64Array(3 * count);
    this.gaps = new Float64Array(count);
    this.slips = new Float64Array(3 * count);
    this.directions = new Float64Array(3 * count);
    this.planes = new Uint8Array(count);
    this.edges = new Float64Array(6 * count);
    this.seen.fill(Number.NaN);
  }

  get rows(): number {
    const { count, hold, pinned } = this;
    if (hold === 'stick') return count + (count > 1 ? 3 : 2);
    if (hold === 'glide') return count + (count > 1 ? 2 : 1);
    return count + (hold === 'slide' && pinned >= 0 ? 2 : 0);
  }

  /** Where the shapes touch that have the frames A and B, and how they slide there. Rates are those of the last `move`. Gives whether it was not known. */
  look(sight: Sight): boolean {
    const { footing, normal, normals, points, gaps, count } = this;
    rotation.set(sight.A);
    rotation.set(sight.B, 9);
    position.set(sight.fromA);
    position.set(sight.fromB, 3);
    const isNew = !this.hasSeen();
    if (isNew) {
      this.motion.fill(Number.NaN);
      footing.measure(rotation, position);
      normal.set(footing.normal);
      normals.set(footing.normals.subarray(0, 3 * count));
      points.set(footing.points.subarray(0, 3 * count));
      gaps.set(footing.gaps.subarray(0, count));
      this.base = footing.base;
      this.planes.set(footing.planes.subarray(0, count));
      this.edges.set(footing.edges.subarray(0, 6 * count));
    }
    this.slide(sight);
    return isNew;
  }

  /** Whether shapes are where they were looked at last; they are from here on. */
  private hasSeen(): boolean {
    const { seen } = this;
    let isSame = true;
    for (let i = 0; i < 24; i++) {
      const now = i < 18 ? rotation[i]! : position[i - 18]!;
      if (seen[i] !== now) isSame = false;
      seen[i] = now;
    }
    return isSame;
  }

  /** As `look`, and how normals and points move. */
  move(sight: Sight): void {
    const isNew = this.look(sight);
    if (this.base !== 0) {
      this.follow(sight);
      return;
    }
    if (this.hasMoved(sight)) return;
    const { ball } = this.footing;
    if (ball && this.count === 1) this.roll(ball, sight);
    else this.differentiate(sight, isNew);
  }

  /** Whether rates are those of the last `move`, because shapes move as they did; they do from here on. */
  private hasMoved({ wA, wB, uA, uB }: Sight): boolean {
    const { motion } = this;
    let isSame = true;
    for (const [k, of] of [wA, wB, uA, uB].entries())
      for (let i = 0; i < 3; i++) {
        if (motion[3 * k + i] !== of[i]) isSame = false;
        motion[3 * k + i] = of[i]!;
      }
    return isSame;
  }

  /**
   * How the normal and the point of a ball move, with the velocity u of its centre past the other shape. From that shape on the normal is m, along what is between both
   * cores, of length l: m' = w x m + (u - what the nearest point goes along an edge - what is along m)/l; on a face it turns with that.
   */
  private roll({ of, radius, margin, freedom, edge }: Ball, sight: Sight): void {
    const { normal, normalRate, normalRates, pointRates, gaps } = this;
    const { fromA, fromB, wA, wB, uA, uB, apart } = sight;
    const sign = of === 2 ? 1 : -1;
    const centre = of === 2 ? fromB : fromA;
    for (let i = 0; i < 3; i++) arm[i] = centre[i]! - apart[i]!;
    cross(wA, centre, t);
    cross(wB, arm, r);
    for (let i = 0; i < 3; i++) {
      own[i] = of === 2 ? uB[i]! + r[i]! : uA[i]! + t[i]!;
      slip[i] = sign * (uB[i]! + r[i]! - uA[i]! - t[i]!);
      arm[i] = sign * normal[i]!;
    }
    const opening = dot(slip, arm);
    const gap = gaps[0]!;
    let along = 0;
    for (let i = 0; i < 3; i++) along += freedom === 1 ? edge[i]! * slip[i]! : 0;
    for (let i = 0; i < 3; i++)
      across[i] = freedom === 2 ? 0 : slip[i]! - opening * arm[i]! - (freedom === 1 ? along * edge[i]! : 0);
    cross(of === 2 ? wA : wB, arm, t);
    for (let i = 0; i < 3; i++) {
      const rate = t[i]! + across[i]! / (radius + margin + gap);
      normalRate[i] = normalRates[i] = sign * rate;
      pointRates[i] = own[i]! - (radius + gap / 2) * rate - (opening / 2) * arm[i]!;
    }
  }

  private slide(sight: Sight): void {
    const { normals, slips, count } = this;
    for (let k = 0; k < count; k++) {
      this.velocity(k, sight, slip);
      let along = 0;
      for (let i = 0; i < 3; i++) along += slip[i]! * normals[3 * k + i]!;
      for (let i = 0; i < 3; i++) slips[3 * k + i] = slip[i]! - along * normals[3 * k + i]!;
    }
  }

  /** How B moves past A at a point. */
  velocity(k: number, { wA, wB, uA, uB, apart }: Sight, into: Float64Array): void {
    for (let i = 0; i < 3; i++) arm[i] = this.points[3 * k + i]!;
    cross(wA, arm, t);
    for (let i = 0; i < 3; i++) arm[i] = arm[i]! - apart[i]!;
    cross(wB, arm, r);
    for (let i = 0; i < 3; i++) into[i] = uB[i]! + r[i]! - uA[i]! - t[i]!;
  }

  /** How the normal and the points move that are fixed in one of the shapes, or where edges cross. */
  private follow(sight: Sight): void {
    const { base, planes, normal, normals, normalRate, normalRates, points, pointRates, count } = this;
    const { wA, wB, uA, uB, apart } = sight;
    cross(base === 1 ? wA : wB, normal, normalRate);
    for (let k = 0; k < count; k++) {
      if (this.crossing(k, sight)) continue;
      const isOnA = planes[k] === 1;
      for (let i = 0; i < 3; i++) arm[i] = normals[3 * k + i]!;
      cross(isOnA ? wA : wB, arm, t);
      normalRates.set(t, 3 * k);
      for (let i = 0; i < 3; i++) arm[i] = points[3 * k + i]! - (isOnA ? apart[i]! : 0);
      cross(isOnA ? wB : wA, arm, t);
      for (let i = 0; i < 3; i++) pointRates[3 * k + i] = (isOnA ? uB[i]! : uA[i]!) + t[i]!;
    }
    if (base === 3) normalRate.set(normalRates.subarray(0, 3));
  }

  /** Where edges a and b cross: n is along a x b, and the point goes along a so that it stays on b. False where none do. */
  private crossing(k: number, { wA, wB, uA }: Sight): boolean {
    const { normals, normalRates, points, pointRates, slips, edges } = this;
    for (let i = 0; i < 3; i++) {
      own[i] = edges[6 * k + i]!;
      other[i] = edges[6 * k + 3 + i]!;
      arm[i] = normals[3 * k + i]!;
      slip[i] = slips[3 * k + i]!;
    }
    cross(own, other, t);
    const sine = dot(t, arm);
    if (sine === 0) return false;
    // n' is that of (wA x a) x b + a x (wB x b), by the sine and without its part along n.
    cross(wA, own, t);
    cross(t, other, r);
    cross(wB, other, t);
    cross(own, t, across);
    for (let i = 0; i < 3; i++) r[i] = (r[i]! + across[i]!) / sine;
    const along = dot(r, arm);
    for (let i = 0; i < 3; i++) normalRates[3 * k + i] = r[i]! - along * arm[i]!;
    // slip = s' a - t' b: s' = (slip x b).n / (a x b).n
    cross(slip, other, t);
    const by = dot(t, arm) / sine;
    for (let i = 0; i < 3; i++) arm[i] = points[3 * k + i]!;
    cross(wA, arm, t);
    for (let i = 0; i < 3; i++) pointRates[3 * k + i] = uA[i]! + t[i]! + by * own[i]!;
    return true;
  }

  /**
   * How the normal and the points move while both shapes go on: differences of fourth order, seen from P_a. Where a piece of a surface ends nearby, such as the side of
   * a cylinder at its rim, what is beyond must not count: steps become smaller until those of both lengths say the same.
   */
  private differentiate(sight: Sight, isMeasured: boolean): void {
    const { footing, normalRate, normalRates, pointRates, count } = this;
    const { wA, wB, uA, uB } = sight;
    let relative = 0;
    for (let i = 0; i < 3; i++) relative += (uB[i]! - uA[i]!) ** 2;
    const fastest = Math.max(
      Math.sqrt(dot(wA, wA)),
      Math.sqrt(dot(wB, wB)),
      Math.sqrt(relative) / footing.size,
    );
    normalRate.fill(0);
    normalRates.fill(0);
    pointRates.fill(0);
    // The footing goes on from where the shapes are.
    if (!isMeasured) footing.measure(rotation, position);
    if (fastest > 0)
      for (let step = STEP; ; step *= SHORTER) {
        const apart = this.differences(sight, step / fastest);
        if (apart <= ROUGH * fastest || step * SHORTER < LEAST_STEP) break;
      }
    for (let i = 0; i < 3 * count; i++) pointRates[i] = pointRates[i]! + uA[i % 3]!;
  }

  /** Rates by differences over a time h. Gives by how much those over h and 2 h alone are apart: of directions, and of points by the size. */
  private differences(sight: Sight, h: number): number {
    const { footing, normalRate, normalRates, pointRates, count } = this;
    const most = 3 * count;
    if (bend.length < 2 * most) bend = new Float64Array(2 * most);
    bend.fill(0, 0, 2 * most);
    normalRate.fill(0);
    normalRates.fill(0);
    pointRates.fill(0);
    for (let step = 0; step < 4; step++) {
      const time = steps[step]! * h;
      const weight = weights[step]! / h;
      const bending = bends[step]! / h;
      goOn(sight, time, rotation, position);
      footing.measure(rotation, position, true);
      for (let i = 0; i < 3; i++) normalRate[i] = normalRate[i]! + weight * footing.normal[i]!;
      for (let i = 0; i < most; i++) {
        pointRates[i] = pointRates[i]! + weight * footing.points[i]!;
        normalRates[i] = normalRates[i]! + weight * footing.normals[i]!;
        bend[i] = bend[i]! + (bending * footing.points[i]!) / footing.size;
        bend[most + i] = bend[most + i]! + bending * footing.normals[i]!;
      }
    }
    let largest = 0;
    for (let i = 0; i < 2 * most; i++) largest = Math.max(largest, Math.abs(bend[i]!));
    return largest;
  }
}

/** Of a derivative of fourth order: where values are taken, and how they count. */
const steps = [-2, -1, 1, 2] as const;
const weights = [1 / 12, -2 / 3, 2 / 3, -1 / 12] as const;
/** The difference of those of second order, over two steps and over one. */
const bends = [-1 / 4, 1 / 2, -1 / 2, 1 / 4] as const;

/** Where frames are that go on to move as they do for some time: rotations, and origins from P_a, which stays. */
export function goOn(
  { A, B, fromA, fromB, wA, wB, uA, uB, apart }: Sight,
  time: number,
  rotation: Float64Array,
  position: Float64Array,
): void {
  turn(A, wA, time, rotation, 0);
  turn(B, wB, time, rotation, 9);
  turned(fromA, wA, time, t);
  for (let i = 0; i < 3; i++) arm[i] = fromB[i]! - apart[i]!;
  turned(arm, wB, time, r);
  for (let i = 0; i < 3; i++) {
    position[i] = t[i]!;
    position[3 + i] = apart[i]! + time * (uB[i]! - uA[i]!) + r[i]!;
  }
}

/** What a rotation becomes that turns with w for some time. */
function turn(of: Float64Array, w: Float64Array, time: number, into: Float64Array, at: number): void {
  for (let j = 0; j < 3; j++) {
    for (let i = 0; i < 3; i++) own[i] = of[3 * i + j]!;
    turned(own, w, time, own);
    for (let i = 0; i < 3; i++) into[at + 3 * i + j] = own[i]!;
  }
}

/** What a vector becomes that turns with w for some time (Rodrigues). */
function turned(of: Float64Array, w: Float64Array, time: number, into: Float64Array): void {
  const rate = Math.sqrt(dot(w, w));
  const angle = rate * time;
  if (angle === 0) {
    into.set(of);
    return;
  }
  cross(w, of, across);
  cross(w, across, twice);
  const [sine, versed] = [Math.sin(angle) / rate, (2 * Math.sin(angle / 2) ** 2) / (rate * rate)];
  for (let i = 0; i < 3; i++) into[i] = of[i]! + sine * across[i]! + versed * twice[i]!;
}

const none = new Float64Array(0);
const rotation = new Float64Array(18);
const position = new Float64Array(6);
const arm = new Float64Array(3);
const slip = new Float64Array(3);
const own = new Float64Array(3);
const other = new Float64Array(3);
const across = new Float64Array(3);
const twice = new Float64Array(3);
let bend = new Float64Array(0);
const t = new Float64Array(3);
const r = new Float64Array(3);
