/**
 * What touches from an event on: which points press, and whether their pairs stick or slide. First it is guessed from velocities: all points that do not part press, and what
 * does not slip sticks. Then the worst mistake is corrected, again and again, until forces and accelerations are as they should be. Where that leads in a circle, the law of Coulomb is
 * solved for all points at once. Whatever was found is looked at once more as a whole (`admissible.ts`); where it cannot be, another way is tried, and where none leads anywhere the run ends.
 */

import { listed } from '../../../diagnostic/words.ts';
import { acrossOf, dot } from '../../dynamics/flat.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import type { Hold, Touch } from '../../dynamics/touch.ts';
import { partFailure } from '../../scene/names.ts';
import { excessOf } from './admissible.ts';
import type { Encounter } from './encounter.ts';
import { bearingOf, direct, gripOf, turned } from './friction.ts';
import { type Instant, LIGHT, type Meeting, type Moved, REACHED } from './meeting.ts';
import type { RigidPair, RigidPairs } from './pairs.ts';

/** Speeds that are none: by the speeds before, and by what accelerations reach over the size. */
const SLOW = 1e-10;
const STILL = 1e-9;
const STOPPED = 1e-7;
const CREEP = 1e-11;
/** Up to this speed, by what accelerations reach over the size, what begins to slide keeps its direction; and by `slow` of a touch. */
const GLIDING = 1e-5;
export const GLIDING_BY_SLOW = GLIDING / CREEP;
/** What slides may have come to rest at a limit up to this speed, by the same: points that turn about each other slip in all directions in the end, faster than steps can follow. */
const ENDING = GLIDING / 2;
/** A point about which a pair turns slips by no more than this part of what others do. */
const TURNING = 1e-3;
/** Directions that are equal; how often they are corrected, and how often a point or pair may change its mind. */
const EQUAL = 1e-13;
const MOST_TURNS = 500;
const MOST_CHANGES = 20;
/** So often at one instant, what hardly parts is held; then it may let others approach again and again. */
const PATIENT = 4;
/** What of forces and accelerations cannot be, by what they are sums of, and is still taken for their errors. */
const ADMITTED = 1e-4;
/** What is held takes no more than this part of the largest speed, or of what accelerations reach over the size. */
const TAKEN = 1e-2;
const REACHING = 1e-3;
/** Forces that are none by so much more are heard of. */
const UNHEARD = 10;
/** So much more may keep the direction of what glides until it is decided anew. */
const FIRM = 10;
/** So many pairs are named. */
const mostNamed = 3;

/** Where the direction comes from of what has hardly begun to slip: it is as it was before, that of the slip, or that which forces give it. */
type Along = 'before' | 'slip' | 'forces';

export class Decision {
  private readonly mechanism: Mechanism;
  /** A pair that slides so that nothing keeps it apart. */
  private jammed: RigidPair | undefined;

  constructor(
    private readonly pairs: RigidPairs,
    private readonly moved: Moved,
    private readonly encounter: Encounter,
    private readonly near: readonly Meeting[],
    private readonly instant: Instant,
  ) {
    this.mechanism = pairs.mechanism;
  }

  /** Finds what touches; `fastest`: how fast each pair is at most. */
  decide(fastest: Float64Array): void {
    const { near, moved, instant } = this;
    const v = moved.v.slice();
    const opened = [...instant.opened];
    const guessed = (along: Along, holds: boolean) => this.guess(fastest, along, holds) && this.settle();
    const ways = [true, false].flatMap((holds) => [
      () => guessed('before', holds),
      () => guessed('slip', holds),
      () => guessed('forces', holds),
      () => this.search() && this.begin(),
      () => this.search() && this.settle(),
    ]);
    for (const way of ways) {
      moved.v.set(v);
      instant.opened.clear();
      for (const index of opened) instant.opened.add(index);
      if (way() && this.isAdmissible()) return;
    }
    throw this.jammed ? jamming(this.jammed) : unsettled(near.map(({ pair }) => pair));
  }

  /** A first guess of what touches: all points that do not part press, where it `holds` also what hardly parts; pairs that do not slip stick. */
  private guess(fastest: Float64Array, along: Along, holds: boolean): true {
    const { pairs, encounter, near, instant } = this;
    for (const meeting of near) begin(meeting);
    const { speeds, scales, firsts } = encounter;
    for (const [p, meeting] of near.entries()) {
      const { pair, touch, known, size } = meeting;
      const reach = (k: number) => Math.sqrt(scales[k]! * size);
      const points = known.map((_, k) => firsts[p]! + k);
      const closed = points.filter(
        (k) =>
          Math.abs(speeds[3 * k]!) <= SLOW * (fastest[p]! + reach(k)) ||
          (holds && instant.looks <= PATIENT && encounter.isSlow(k)),
      );
      const isOpen = closed.length === 1 && instant.opened.has(pair.index);
      if (closed.length === 0 || isOpen) {
        pair.patch.take([]);
        continue;
      }
      touch.slow = CREEP * Math.max(...closed.map(reach));
      if (instant.carried.has(pair.index)) {
        pair.patch.take([]);
        touch.hold = pair.law.friction === 0 ? 'smooth' : 'stick';
        meeting.lifted.push(...closed);
        continue;
      }
      pair.patch.take(known.map((point, k) => ({ ...point, presses: closed.includes(firsts[p]! + k) })));
      pair.touch = touch;
      touch.renew();
      const slip = (k: number) => Math.hypot(speeds[3 * k + 1]!, speeds[3 * k + 2]!);
      meeting.closed = closed;
      const still = stillBy(meeting.isAtLimit ? instant.limits.get(pair.index) : undefined);
      meeting.isSlipping = closed.some((k) => slip(k) > still * reach(k) + SLOW * fastest[p]!);
      touch.hold = pair.law.friction === 0 ? 'smooth' : meeting.isSlipping ? 'slide' : 'stick';
      if (touch.hold !== 'slide') continue;
      const { before } = pair;
      const most = (meeting.isAtLimit ? 0.5 : 1) * GLIDING;
      if (closed.every((k) => slip(k) < most * reach(k))) {
        if (along === 'forces') {
          // So slow a slip has the direction that forces give it at once, or ends.
          meeting.isSlipping = false;
          touch.hold = 'stick';
          continue;
        }
        if (along === 'before' && before?.hold === 'glide' && before.count === closed.length) {
          touch.hold = 'glide';
          touch.twist.set(before.twist);
          touch.directions.set(before.directions);
          continue;
        }
      }
      touch.isYoung = before?.hold === 'glide' || (before?.hold === 'slide' && before.isYoung);
      const fastestSlip = Math.max(...closed.map(slip));
      pairs.place(pair);
      for (const [at, k] of closed.entries()) {
        for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        direct(touch, at, e, pairs.rotation);
        // What comes to rest as a whole turns about none of its points.
        if (slip(k) <= STOPPED * reach(k) && slip(k) <= TURNING * fastestSlip) touch.pinned = at;
      }
    }
    return true;
  }

  /** Installs what was guessed, and corrects it until forces and accelerations are as they should be; false where that leads nowhere. */
  private settle(): boolean {
    const { moved, encounter, near } = this;
    const most = 20 * encounter.count + MOST_TURNS + 100;
    const v = moved.v.slice();
    for (let round = 0; round < most; round++) {
      if (!this.install(v)) return false;
      const isWrong = this.correct();
      if (near.some(({ changes }) => changes > MOST_CHANGES)) return false;
      if (!isWrong) return !this.glides() || this.install(v);
    }
    return false;
  }

  /** Installs what was found, as it is. */
  private begin(): boolean {
    const v = this.moved.v.slice();
    return this.install(v) && (!this.glides() || this.install(v));
  }

  /** Has what was decided act, from these speeds on; false where no forces keep it in contact. */
  private install(v: Float64Array): boolean {
    const { pairs, mechanism, moved } = this;
    pairs.install();
    moved.v.set(v);
    this.hold();
    if (mechanism.multipliers.isJammed || this.hasJumped(v)) return false;
    moved.accelerate();
    return !mechanism.multipliers.isJammed;
  }

  /** Whether speeds are others than before by more than what is held could have had. */
  private hasJumped(before: Float64Array): boolean {
    const { moved, encounter, near } = this;
    let [most, change, reach] = [0, 0, 0];
    for (const [i, v] of before.entries()) {
      most = Math.max(most, Math.abs(v));
      change = Math.max(change, Math.abs(moved.v[i]! - v));
    }
    for (const [p, { size }] of near.entries())
      reach = Math.max(reach, Math.sqrt(encounter.scales[encounter.firsts[p]!]! * size) / Math.min(1, size));
    return change > Math.max(TAKEN * most, REACHING * reach);
  }

  /** Whether all that was decided can be: by the forces of the last accelerations, and by these. */
  private isAdmissible(): boolean {
    const { pairs, mechanism, encounter, near } = this;
    const { values } = mechanism.multipliers;
    const rows = pairs.rows();
    for (const { pair, touch, closed, lifted, isSlipping } of near) {
      if (lifted.some((k) => encounter.acceleration(k) < -ADMITTED * encounter.scales[k]!)) return false;
      if (!pair.touch) continue;
      const row = rows.get(pair)!;
      const weight = Math.max(...closed.map((k) => this.weight(k)));
      const { pull, hold, aside } = excessOf(touch, row, values);
      if (!(Math.max(pull, hold, aside) <= ADMITTED * weight)) return false;
      touch.light = UNHEARD * LIGHT * weight;
      if (touch.hold !== 'glide') continue;
      touch.sideways = FIRM * ADMITTED * weight;
      if (isSlipping) continue;
      if (this.along(touch, closed) < -ADMITTED * encounter.scales[closed[0]!]!) return false;
    }
    return true;
  }

  /** How strongly points accelerate in the directions in which they slide, the strongest. */
  private along(touch: Touch, closed: readonly number[]): number {
    const { pairs, encounter } = this;
    const directions = turned(pairs.rotation, touch.directions);
    let most = -Infinity;
    for (const [at, k] of closed.entries()) {
      encounter.across(k, e);
      most = Math.max(most, dot(e, directions.subarray(3 * at, 3 * at + 3)));
    }
    return most;
  }

  /** Takes the worst mistake off; false where there is none. */
  private correct(): boolean {
    const { pairs } = this;
    const rows = pairs.rows();
    return this.lifts(rows) || this.presses() || this.slips(rows) || this.turns() || this.sticks();
  }

  /** Lifts the point that pulls most. */
  private lifts(rows: Map<RigidPair, number>): boolean {
    const { mechanism, near, instant } = this;
    const { values } = mechanism.multipliers;
    let worst: { meeting: Meeting; at: number; by: number } | undefined;
    for (const meeting of near) {
      const row = rows.get(meeting.pair);
      if (row === undefined) continue;
      for (const [at, k] of meeting.closed.entries()) {
        const by = values[row + at]! / this.weight(k) - meeting.slack;
        if (by < 0 && !(by >= (worst?.by ?? 0))) worst = { meeting, at, by };
      }
    }
    if (!worst) return false;
    const { meeting, at } = worst;
    meeting.lifted.push(...meeting.closed.splice(at, 1));
    this.lift(meeting.pair, at);
    if (!meeting.pair.touch) instant.opened.add(meeting.pair.index);
    return true;
  }

  /** Point number k of those that press does so no more. */
  private lift(pair: RigidPair, k: number): void {
    const { patch } = pair;
    const touch = pair.touch!;
    const { directions, hold, pinned } = touch;
    let at = -1;
    patch.take(
      patch.save().map((point) => {
        if (point.presses) at++;
        return point.presses && at === k ? { ...point, presses: false } : point;
      }),
    );
    if (patch.count === 0) {
      pair.touch = undefined;
      patch.take([]);
      return;
    }
    touch.renew();
    touch.hold = hold;
    touch.pinned = pinned === k ? -1 : pinned > k ? pinned - 1 : pinned;
    const remains = (_: number, i: number): boolean => Math.floor(i / 3) !== k;
    touch.directions.set(directions.filter(remains));
    touch.motions = touch.motions.filter(remains);
  }

  /** Presses a point again that would go into the other body. */
  private presses(): boolean {
    const { encounter, near, instant } = this;
    for (const meeting of near)
      for (const [at, k] of meeting.lifted.entries()) {
        if (encounter.acceleration(k) >= -LIGHT * encounter.scales[k]!) continue;
        meeting.changes++;
        meeting.lifted.splice(at, 1);
        meeting.slack = -LIGHT;
        instant.opened.delete(meeting.pair.index);
        this.press(meeting, k);
        return true;
      }
    return false;
  }

  private press(meeting: Meeting, k: number): void {
    const { encounter } = this;
    const { firsts, pairOf } = encounter;
    const { pair, touch, closed, known } = meeting;
    const byPoint = (numbers: Float64Array) =>
      new Map(closed.map((own, at) => [own, numbers.slice(3 * at, 3 * at + 3)]));
    const [directions, motions] = [byPoint(touch.directions), byPoint(touch.motions)];
    const { hold } = touch;
    closed.push(k);
    closed.sort((a, b) => a - b);
    const first = firsts[pairOf[k]!]!;
    pair.patch.take(known.map((point, i) => ({ ...point, presses: closed.includes(first + i) })));
    pair.touch = touch;
    touch.renew();
    touch.hold = hold;
    touch.motions = new Float64Array(3 * touch.count);
    // A point of which nothing is known yet moves as another one of its pair does.
    for (const [known, numbers] of [
      [directions, touch.directions],
      [motions, touch.motions],
    ] as const) {
      const [some] = known.values();
      for (const [at, own] of closed.entries()) {
        const value = known.get(own) ?? some;
        if (value) numbers.set(value, 3 * at);
      }
    }
  }

  /** Lets a pair slide that friction does not hold. */
  private slips(rows: Map<RigidPair, number>): boolean {
    const { pairs, mechanism, near } = this;
    const { values } = mechanism.multipliers;
    for (const meeting of near) {
      const { pair, touch } = meeting;
      if (!pair.touch) continue;
      const row = rows.get(pair)!;
      if (touch.hold === 'slide' && touch.pinned >= 0 && this.unpin(meeting, row)) return true;
      if (touch.hold !== 'stick') continue;
      const { needed, motion, places } = bearingOf(touch, row, values);
      if (needed <= pair.law.friction * meeting.allowed) continue;
      meeting.changes++;
      touch.hold = 'start';
      touch.motions = new Float64Array(3 * touch.count);
      pairs.place(pair);
      const across = [0, 1].map((axis) => {
        acrossOf(touch.normal, axis, e);
        return [...e];
      });
      for (let k = 0; k < touch.count; k++) {
        const x = motion[0]! - motion[2]! * places[2 * k + 1]!;
        const y = motion[1]! + motion[2]! * places[2 * k]!;
        for (let i = 0; i < 3; i++) e[i] = -x * across[0]![i]! - y * across[1]![i]!;
        start(touch, k, e, pairs.rotation);
      }
      return true;
    }
    return false;
  }

  /** Lets a point slide about which a pair cannot turn. */
  private unpin(meeting: Meeting, row: number): boolean {
    const { pairs, mechanism } = this;
    const { touch, pair } = meeting;
    const { pinned, count, normal } = touch;
    const { values } = mechanism.multipliers;
    const share = 1 - meeting.allowed;
    if (gripOf(touch, row, values) >= share * pair.law.friction * values[row + pinned]!) return false;
    meeting.changes++;
    const force = new Float64Array(3);
    for (let axis = 0; axis < 2; axis++) {
      acrossOf(normal, axis, e);
      for (let i = 0; i < 3; i++) force[i]! -= values[row + count + axis]! * e[i]!;
    }
    e.set(force);
    pairs.place(pair);
    direct(touch, pinned, e, pairs.rotation);
    touch.pinned = -1;
    return true;
  }

  /** What begins to slide does so in the direction of its acceleration. */
  private turns(): boolean {
    const { pairs, encounter, near } = this;
    let isNew = false;
    for (const meeting of near) {
      const { pair, touch, closed } = meeting;
      if (!pair.touch || touch.hold !== 'start' || meeting.turns > MOST_TURNS) continue;
      meeting.turns++;
      pairs.place(pair);
      for (const [at, k] of closed.entries()) {
        const before = touch.directions.slice(3 * at, 3 * at + 3);
        const now = turned(pairs.rotation, before);
        // As slip would grow in a short time; whole steps would swing about where friction is strong.
        const step = 1 / ((1 + 4 * pair.law.friction) * encounter.scales[k]!);
        encounter.across(k, e);
        for (let i = 0; i < 3; i++) e[i] = now[i]! + step * e[i]!;
        direct(touch, at, e, pairs.rotation);
        for (let i = 0; i < 3; i++)
          if (Math.abs(touch.directions[3 * at + i]! - before[i]!) > EQUAL) isNew = true;
      }
    }
    return isNew;
  }

  /** Lets a pair stick that friction would have slide back. */
  private sticks(): boolean {
    const { pairs, encounter, near } = this;
    for (const meeting of near) {
      const { pair, touch, closed } = meeting;
      if (!pair.touch || touch.hold !== 'start') continue;
      pairs.place(pair);
      if (this.along(touch, closed) >= -LIGHT * encounter.scales[closed[0]!]!) continue;
      meeting.changes++;
      touch.hold = 'stick';
      return true;
    }
    return false;
  }

  /** What begins to slide keeps its direction at first. */
  private glides(): boolean {
    const { pairs, encounter, near } = this;
    let isNew = false;
    for (const { pair, touch, closed } of near) {
      if (!pair.touch || touch.hold !== 'start') continue;
      const { count, points, normal, twist } = touch;
      const motions = new Float64Array(3 * count);
      let fastest = 0;
      for (const [at, k] of closed.entries()) {
        encounter.across(k, e);
        fastest = Math.max(fastest, Math.sqrt(dot(e, e)) / encounter.scales[k]!);
        motions.set(e, 3 * at);
      }
      pairs.place(pair);
      // What has just reached its limit hardly accelerates, in any direction.
      if (fastest <= REACHED) motions.set(turned(pairs.rotation, touch.motions));
      const mean = [0, 1, 2].map((i) => meanOf(motions, i));
      const middle = [0, 1, 2].map((i) => meanOf(points, i));
      let [turning, square] = [0, 0];
      for (let k = 0; k < count; k++) {
        const [x, y, z] = [0, 1, 2].map((i) => points[3 * k + i]! - middle[i]!) as [number, number, number];
        const [u, v, w] = [0, 1, 2].map((i) => motions[3 * k + i]! - mean[i]!) as [number, number, number];
        turning += normal[0]! * (y * w - z * v) + normal[1]! * (z * u - x * w) + normal[2]! * (x * v - y * u);
        square += x * x + y * y + z * z;
      }
      for (let j = 0; j < 3; j++)
        twist[j] = [0, 1, 2].reduce((sum, i) => sum + pairs.rotation[3 * i + j]! * mean[i]!, 0);
      twist[3] = square > 0 ? turning / square : 0;
      touch.hold = 'glide';
      isNew = true;
    }
    return isNew;
  }

  /** What touches, where corrections lead in a circle: from the forces of all points at once. */
  private search(): boolean {
    const { pairs, mechanism, moved, encounter, near } = this;
    pairs.release();
    mechanism.locate(moved.q, moved.v);
    moved.accelerate();
    const { rates, forces, points, jammed } = encounter.bear(
      near.flatMap(({ closed, lifted, isSlipping }) =>
        [...closed, ...lifted].map((k) => ({ k, isSlipping })),
      ),
    );
    this.jammed = jammed >= 0 ? near[encounter.pairOf[jammed]!]!.pair : undefined;
    if (this.jammed) return false;
    for (const meeting of near) {
      const { pair, touch, known, closed, lifted, isSlipping } = meeting;
      const first = encounter.firsts[near.indexOf(meeting)]!;
      const own = [...closed, ...lifted].sort((a, b) => a - b);
      const at = (k: number) => 3 * points.indexOf(k);
      begin(meeting);
      for (const k of own)
        (forces[at(k)]! > LIGHT * this.weight(k) ? meeting.closed : meeting.lifted).push(k);
      if (meeting.closed.length === 0) continue;
      pair.patch.take(known.map((point, i) => ({ ...point, presses: meeting.closed.includes(first + i) })));
      pair.touch = touch;
      touch.renew();
      const starts = meeting.closed.some(
        (k) => Math.hypot(rates[at(k) + 1]!, rates[at(k) + 2]!) > REACHED * encounter.scales[k]!,
      );
      meeting.isSlipping = isSlipping;
      touch.hold = pair.law.friction === 0 ? 'smooth' : isSlipping ? 'slide' : starts ? 'start' : 'stick';
      touch.motions = new Float64Array(3 * touch.count);
      pairs.place(pair);
      for (const [i, k] of meeting.closed.entries()) {
        if (isSlipping) for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        else for (let c = 0; c < 3; c++) e[c] = encounter.along(k, rates[at(k) + 1]!, rates[at(k) + 2]!, c);
        start(touch, i, e, pairs.rotation);
      }
    }
    return true;
  }

  /** What touches takes the speeds that it does not allow, by impulses. */
  private hold(): void {
    const { mechanism, moved } = this;
    const { q, v } = moved;
    const closed = mechanism.loops.close(q, v);
    mechanism.locate(q, v);
    if (mechanism.isBound && closed) mechanism.impact(v);
    if (mechanism.multipliers.isJammed) return;
    mechanism.project(q, v);
  }

  /** The force by which a point would be pressed if all that acts on it did so. */
  private weight(k: number): number {
    const { encounter } = this;
    const { scales, matrix, count } = encounter;
    return scales[k]! / matrix[3 * k * (3 * count + 1)]!;
  }
}

/** Lets a point slide along a vector of the world, as it would move if friction does not hold it; A is turned as `turn` says. */
function start(touch: Touch, k: number, along: Float64Array, turn: Float64Array): void {
  direct(touch, k, along, turn);
  const length = Math.sqrt(dot(along, along));
  for (let i = 0; i < 3; i++) touch.motions[3 * k + i] = length * touch.directions[3 * k + i]!;
}

/** As nothing was decided of a pair. */
function begin(meeting: Meeting): void {
  meeting.closed = [];
  meeting.lifted.length = 0;
  meeting.isSlipping = false;
  meeting.changes = meeting.turns = 0;
  meeting.slack = meeting.isPulled ? REACHED : -LIGHT;
  meeting.pair.touch = undefined;
}

/** Up to which speed, by what accelerations reach over the size, a pair has come to rest whose friction or slip has just reached its limit while it held so; undefined: it has not. */
function stillBy(limit: Hold | undefined): number {
  switch (limit) {
    case undefined:
    // It goes on as fast where it had to leave its direction.
    case 'glide':
      return STILL;
    case 'slide':
      return ENDING;
    case 'smooth':
    case 'stick':
    case 'start':
      return STOPPED;
  }
}

const unsettled = (touching: readonly RigidPair[]) => {
  const [first] = touching;
  const names = touching.map(({ first, second }) => `\`${first.part.path}\` and \`${second.part.path}\``);
  return partFailure(
    first!.second.part,
    'impossible-change',
    `No forces of contact and friction were found with which ${listed(names, mostNamed)} go on as rigid bodies: each of those that were tried pulls, or needs more friction than there is.`,
    {
      hint: 'Forces of rigid bodies need not be unique, nor exist. Less friction may help, or elastic contact.',
    },
  );
};

const jamming = ({ first, second }: RigidPair) =>
  partFailure(
    second.part,
    'impossible-change',
    `\`${second.part.path}\` slides on \`${first.part.path}\` in such a way that rigid bodies have no force that keeps them apart: friction presses them together the more, the more they press.`,
    { hint: 'Less friction helps, or elastic contact.' },
  );

function meanOf(vectors: Float64Array, i: number): number {
  let sum = 0;
  for (let at = i; at < vectors.length; at += 3) sum += vectors[at]!;
  return (3 * sum) / vectors.length;
}

const e = new Float64Array(3);
