/**
 * What touches from an event on: which points press, and whether their pairs stick or slide. First it is guessed from velocities: all points that do not part press, and what
 * does not slip sticks. Then the worst mistake is corrected, again and again, until forces and accelerations are as they should be. Where that leads in a circle, the law of Coulomb is
 * solved for all points at once.
 */
import { acrossOf, dot } from '../../dynamics/flat.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import { partFailure } from '../../scene/names.ts';
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
/** Directions that are equal; how often they are corrected, and how often a point or pair may change its mind. */
const EQUAL = 1e-13;
const MOST_TURNS = 500;
const MOST_CHANGES = 20;
/** So often at one instant, what hardly parts is held; then it may let others approach again and again. */
const PATIENT = 4;

export class Decision {
  private readonly mechanism: Mechanism;

  constructor(
    private readonly pairs: RigidPairs,
    private readonly moved: Moved,
    private readonly encounter: Encounter,
    private readonly near: readonly Meeting[],
    private readonly instant: Instant,
  ) {
    this.mechanism = pairs.mechanism;
  }

  /** A first guess of what touches: all points that do not part press; pairs that do not slip stick. */
  guess(fastest: Float64Array): void {
    const { pairs, encounter, near, instant } = this;
    const { speeds, scales, firsts } = encounter;
    for (const [p, meeting] of near.entries()) {
      const { pair, touch, known, size } = meeting;
      const reach = (k: number) => Math.sqrt(scales[k]! * size);
      const points = known.map((_, k) => firsts[p]! + k);
      const closed = points.filter(
        (k) =>
          Math.abs(speeds[3 * k]!) <= SLOW * (fastest[p]! + reach(k)) ||
          (instant.looks <= PATIENT && encounter.isSlow(k)),
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
      const still = !meeting.isAtLimit ? STILL : pair.before?.hold === 'slide' ? ENDING : STOPPED;
      meeting.isSlipping = closed.some((k) => slip(k) > still * reach(k) + SLOW * fastest[p]!);
      touch.hold = pair.law.friction === 0 ? 'smooth' : meeting.isSlipping ? 'slide' : 'stick';
      if (touch.hold !== 'slide') continue;
      const { before } = pair;
      if (before?.hold === 'glide' && before.count === closed.length) {
        const most = (meeting.isAtLimit ? 0.5 : 1) * GLIDING;
        const isGliding = closed.every((k) => slip(k) < most * reach(k));
        if (isGliding) {
          touch.hold = 'glide';
          touch.twist.set(before.twist);
          touch.directions.set(before.directions);
          continue;
        }
      }
      touch.isYoung = before?.hold === 'glide' || (before?.hold === 'slide' && before.isYoung);
      pairs.place(pair);
      for (const [at, k] of closed.entries()) {
        for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        direct(touch, at, e, pairs.rotation);
        if (slip(k) <= STOPPED * reach(k)) touch.pinned = at;
      }
    }
  }

  /** Installs what was guessed, and corrects it until forces and accelerations are as they should be. */
  settle(): void {
    const { pairs, mechanism, moved, encounter, near } = this;
    const most = 20 * encounter.count + MOST_TURNS + 100;
    const v = moved.v.slice();
    for (let round = 0; round < most; round++) {
      pairs.install();
      moved.v.set(v);
      this.hold();
      if (mechanism.multipliers.isJammed) break;
      moved.accelerate();
      if (mechanism.multipliers.isJammed) break;
      const isWrong = this.correct();
      if (near.some(({ changes }) => changes > MOST_CHANGES)) break;
      if (isWrong) continue;
      if (!this.glides()) return;
      pairs.install();
      moved.v.set(v);
      this.hold();
      if (!mechanism.multipliers.isJammed) return;
      break;
    }
    moved.v.set(v);
    this.search();
  }

  /** Takes the worst mistake off; false where there is none. */
  private correct(): boolean {
    const { pairs } = this;
    const rows = pairs.rows();
    return this.lifts(rows) || this.presses() || this.slips(rows) || this.turns();
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
      touch.hold = 'slide';
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
        direct(touch, k, e, pairs.rotation);
        const length = Math.sqrt(dot(e, e));
        for (let i = 0; i < 3; i++) touch.motions[3 * k + i] = length * touch.directions[3 * k + i]!;
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
      const { pair, touch, closed, isSlipping } = meeting;
      if (!pair.touch || touch.hold !== 'slide' || isSlipping || meeting.turns > MOST_TURNS) continue;
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

  /** What begins to slide keeps its direction at first. */
  private glides(): boolean {
    const { pairs, encounter, near } = this;
    let isNew = false;
    for (const { pair, touch, closed, isSlipping } of near) {
      if (!pair.touch || touch.hold !== 'slide' || isSlipping) continue;
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
  private search(): void {
    const { pairs, mechanism, moved, encounter, near } = this;
    pairs.release();
    mechanism.locate(moved.q, moved.v);
    moved.accelerate();
    const { rates, forces, points, jammed } = encounter.bear(
      near.flatMap(({ closed, lifted, isSlipping }) =>
        [...closed, ...lifted].map((k) => ({ k, isSlipping })),
      ),
    );
    if (jammed >= 0) throw jamming(near[encounter.pairOf[jammed]!]!.pair);
    for (const meeting of near) {
      const { pair, touch, known, closed, lifted, isSlipping } = meeting;
      const first = encounter.firsts[near.indexOf(meeting)]!;
      const own = [...closed, ...lifted].sort((a, b) => a - b);
      const at = (k: number) => 3 * points.indexOf(k);
      meeting.closed = own.filter((k) => forces[at(k)]! > LIGHT * this.weight(k));
      if (meeting.closed.length === 0) continue;
      pair.patch.take(known.map((point, i) => ({ ...point, presses: meeting.closed.includes(first + i) })));
      pair.touch = touch;
      touch.renew();
      const starts = meeting.closed.some(
        (k) => Math.hypot(rates[at(k) + 1]!, rates[at(k) + 2]!) > REACHED * encounter.scales[k]!,
      );
      touch.hold = pair.law.friction === 0 ? 'smooth' : isSlipping || starts ? 'slide' : 'stick';
      pairs.place(pair);
      for (const [i, k] of meeting.closed.entries()) {
        if (isSlipping) for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        else for (let c = 0; c < 3; c++) e[c] = encounter.along(k, rates[at(k) + 1]!, rates[at(k) + 2]!, c);
        direct(touch, i, e, pairs.rotation);
      }
    }
    if (pairs.touching().length === 0) return;
    pairs.install();
    this.hold();
    moved.accelerate();
    if (mechanism.multipliers.isJammed) throw jamming(pairs.touching()[0]!);
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
