/**
 * Rigid bodies that touch: contact as a constraint that closes and opens. Between events the points that press are the same, and each pair of shapes sticks, slides or is
 * smooth (`touch.ts`); at events impacts are computed, and it is decided anew which points press and how (`encounter.ts`).
 *
 * Of each pair there are three indicators, positive as long as all stays as it is: the gap of what does not touch, or how far points are from being lost; the normal
 * force of what does; and what friction could bear more, or the speed of slip in the direction of the last event.
 */

import type { TouchClosure } from '../../dynamics/closure.ts';
import { acrossOf, dot } from '../../dynamics/flat.ts';
import { limitOf } from '../../dynamics/limit.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import { type Hold, Touch } from '../../dynamics/touch.ts';
import type { Frames } from '../../frames.ts';
import { shown } from '../../problem.ts';
import { type Assembly, GONE } from '../../scene/assembly.ts';
import { partFailure } from '../../scene/names.ts';
import type { Collider, Remark, Scene, SceneTouch } from '../../scene/scene.ts';
import { atOrigin, type Pose } from '../../space.ts';
import type { Touching as Law } from '../law.ts';
import { type Pressing, Sensed } from '../sensed.ts';
import { apartOf, Encounter, type Touching } from './encounter.ts';
import { type Known, Patch } from './patch.ts';

/** Indicators of a pair. */
const INDICATORS = 3;
/** Gaps that are closed, by the size of the smaller shape, and what of them is rounding. */
const CLOSED = 1e-9;
const ROUNDING = 1e-12;
/** Shapes may overlap so much at the start, by that size. */
const OVERLAP = 1e-6;
/** Speeds that are none: by the speeds before, and by what accelerations reach over the size. */
const SLOW = 1e-10;
const STILL = 1e-9;
const STOPPED = 1e-7;
const CREEP = 1e-11;
/** Up to this speed, by what accelerations reach over the size, what begins to slide keeps its direction. */
const GLIDING = 1e-5;
/** Forces and accelerations that are none, by what they are sums of; and those that have just reached zero, or their limit. */
const LIGHT = 1e-9;
const REACHED = 1e-6;
/** Directions that are equal; how often they are corrected, and how often a point or pair may change its mind. */
const EQUAL = 1e-13;
const MOST_TURNS = 500;
const MOST_CHANGES = 20;
/** So often at one instant, what hardly parts is held; then it may let others approach again and again. */
const PATIENT = 4;
/** Points that others hold may overlap by this part of the size, and points may be lost by so much. */
const IDLE = 1e-10;
const LOST = 1e-9;

interface RigidPair {
  readonly index: number;
  readonly first: Collider;
  readonly second: Collider;
  readonly patch: Patch;
  readonly law: Law;
  readonly reach: number;
  touch: Touch | undefined;
  /** What it was before an event. */
  before: Touch | undefined;
  /** Of the present structure. */
  a: number;
  b: number;
  poseA: Pose;
  poseB: Pose;
}

/** What touches, as a value. */
export interface SavedTouch {
  readonly index: number;
  readonly hold: Hold;
  readonly known: readonly Known[];
  readonly directions: readonly number[];
  readonly twist: readonly number[];
  readonly slow: number;
  readonly pinned: number;
}

/** The motion that contact acts on. */
export interface Moved {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Accelerations where the mechanism is, with all forces but those of contact that is not known to it. */
  accelerate(): void;
  /** Links that joints with flanges move, or that what they move is tied to. */
  readonly flanged: ReadonlySet<number>;
}

export class RigidContacts {
  private readonly all: readonly RigidPair[];
  private present: RigidPair[] = [];
  private frames!: Frames;
  private mechanism!: Mechanism;
  /** What has happened at an instant: pairs that were opened, by index, and indicators that have reached zero. */
  private instant: Instant = newInstant(Number.NaN);

  /** Pairs that should have bounced, and did not. */
  private readonly dull = new Set<RigidPair>();
  /** Of each switch: whether its pairs may not touch. */
  private readonly switched: boolean[];
  private readonly sensed = new Sensed();

  constructor(private readonly scene: Pick<Scene, 'colliders' | 'touching' | 'switches' | 'areNeighbours'>) {
    const { colliders, touching, areNeighbours } = scene;
    this.switched = scene.switches.map(() => false);
    const all: RigidPair[] = [];
    for (const [i, first] of colliders.entries())
      for (const second of colliders.slice(i + 1)) {
        if (areNeighbours(first.object, second.object)) continue;
        all.push({
          index: all.length,
          first,
          second,
          patch: new Patch(first.convex, second.convex),
          law: touching(first.material, second.material),
          reach: first.reach + second.reach,
          touch: undefined,
          before: undefined,
          a: 0,
          b: 0,
          poseA: atOrigin,
          poseB: atOrigin,
        });
      }
    this.all = all;
  }

  get count(): number {
    return INDICATORS * this.present.length;
  }

  /** Nothing touches any more. */
  forget(): void {
    for (const pair of this.all) {
      pair.touch = undefined;
      pair.patch.forget();
    }
  }

  save(): readonly SavedTouch[] {
    return this.touching().map(({ index, patch, touch }) => ({
      index,
      hold: touch!.hold,
      known: patch.save(),
      directions: [...touch!.directions],
      twist: [...touch!.twist],
      slow: touch!.slow,
      pinned: touch!.pinned,
    }));
  }

  load(saved: readonly SavedTouch[]): void {
    this.forget();
    for (const { index, hold, known, directions, twist, slow, pinned } of saved) {
      const pair = this.all[index]!;
      pair.patch.take(known);
      pair.touch = new Touch(pair.patch, pair.law.friction);
      pair.touch.hold = hold;
      pair.touch.slow = slow;
      pair.touch.pinned = pinned;
      pair.touch.twist.set(twist);
      pair.touch.directions.set(directions);
    }
    this.install();
  }

  /** Takes up another mechanism, in which nothing touches yet. Objects of one body do not touch each other. */
  setUp({ places }: Assembly, frames: Frames, mechanism: Mechanism): void {
    this.frames = frames;
    this.mechanism = mechanism;
    this.forget();
    mechanism.touch([]);
    const { n } = mechanism.tree;
    this.present = this.all.filter((pair) => {
      const [first, second] = [places[pair.first.object]!, places[pair.second.object]!];
      const [a, b] = [first.link, second.link];
      if (a === b || a === GONE || b === GONE) return false;
      Object.assign(pair, {
        a: a < 0 ? n : a,
        b: b < 0 ? n : b,
        poseA: first.pose,
        poseB: second.pose,
      });
      return true;
    });
  }

  /** Which pairs the model switches off. */
  turn(isOff: (condition: string) => boolean): void {
    for (const [k, { condition }] of this.scene.switches.entries()) this.switched[k] = isOff(condition);
  }

  private isOff({ first, second }: RigidPair): boolean {
    return this.scene.switches.some(
      ({ between }, k) => this.switched[k] && between(first.object, second.object) !== 0,
    );
  }

  private touching(): RigidPair[] {
    return this.present.filter(({ touch }) => touch);
  }

  /** Tells the mechanism what touches. */
  private install(): void {
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

  // -------------------------------------------------------------- between events

  /** Where the mechanism is; forces are those of its last accelerations. */
  indicators(into: Float64Array): void {
    const rows = this.rows();
    for (const [k, pair] of this.present.entries()) {
      const { touch, patch, law } = pair;
      const at = INDICATORS * k;
      into[at + 1] = into[at + 2] = 1;
      if (!touch) {
        into[at] = this.isOff(pair) ? 1 : this.gap(pair) + ROUNDING * patch.size;
        continue;
      }
      this.place(pair);
      patch.measure(rotation, position);
      into[at] = Math.min(
        patch.nearest + ROUNDING * patch.size,
        patch.idle + IDLE * patch.size,
        LOST * patch.size - patch.lost,
      );
      const row = rows.get(pair)!;
      const { values } = this.mechanism.multipliers;
      let least = Infinity;
      for (let i = 0; i < touch.count; i++) least = Math.min(least, values[row + i]!);
      into[at + 1] = least;
      if (touch.hold === 'slide')
        into[at + 2] = Math.min(
          slipOf(touch, rotation).least + touch.slow,
          touch.pinned < 0 ? Infinity : this.grip(touch, row, law.friction),
        );
      else if (touch.hold === 'glide') {
        const { mean } = slipOf(touch, rotation);
        into[at + 2] = Math.min(mean + touch.slow, (GLIDING / CREEP) * touch.slow - mean);
      } else if (touch.hold === 'stick') {
        const { needed, pressing, wanted } = this.limit(touch, row);
        into[at + 2] = pressing > 0 ? (law.friction - needed) * pressing : -wanted;
      }
    }
  }

  sides(into: Int8Array): void {
    into.fill(1, 0, this.count);
  }

  /** Pairs that touch, or would. */
  closest(): (readonly [Collider, Collider])[] {
    return this.present
      .filter((pair) => pair.touch || this.gap(pair) <= CLOSED * pair.patch.size)
      .map(({ first, second }) => [first, second] as const);
  }

  /** What a sensor sees; forces are those of the last accelerations. */
  sense({ between }: SceneTouch): Sensed {
    const into = this.sensed;
    into.clear();
    const rows = this.rows();
    for (const pair of this.present) {
      const sign = between(pair.first.object, pair.second.object);
      if (sign === 0 || this.isOff(pair)) continue;
      const row = rows.get(pair);
      if (row !== undefined) into.add(this.pressing(pair, row), sign);
      else if (into.normalForce === 0) {
        this.place(pair);
        const { manifold } = pair.patch;
        if (manifold.pair.measure(rotation, position, 0, 1) < into.distance) {
          into.near(pair.patch, sign);
          for (let i = 0; i < 3; i++) into.r[i]! += this.originOf(pair.a, i);
        }
      }
    }
    if (into.distance === Infinity) into.distance = 0;
    return into;
  }

  /** Force and torque of a pair that touches, on the second shape. */
  private pressing({ a, b, touch, patch }: RigidPair, row: number): Pressing {
    const { closures, multipliers, motion } = this.mechanism;
    const { count, points, normal, slips } = touch!;
    const { values } = multipliers;
    const [force, torque, at, slip] = [0, 0, 0, 0].map(() => new Float64Array(3)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    let pressed = 0;
    for (let k = 0; k < count; k++) pressed += values[row + k]!;
    const share = (k: number) => (pressed > 0 ? values[row + k]! / pressed : 1 / count);
    for (let k = 0; k < count; k++)
      for (let i = 0; i < 3; i++) {
        at[i]! += share(k) * points[3 * k + i]!;
        slip[i]! += share(k) * slips[3 * k + i]!;
      }
    for (let r = row; r < row + touch!.rows; r++) {
      const on = closures.skew[r] ? closures.pushB : closures.onB;
      for (let i = 0; i < 3; i++) {
        torque[i]! += values[r]! * on[6 * r + i]!;
        force[i]! += values[r]! * on[6 * r + 3 + i]!;
      }
    }
    // About where it acts instead of P_b.
    const apart = apartOf(this.mechanism, a, b);
    for (let i = 0; i < 3; i++) e[i] = at[i]! - apart[i]!;
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      torque[i]! -= e[j]! * force[k]! - e[k]! * force[j]!;
    }
    const turn = Float64Array.from(
      [0, 1, 2],
      (i) => motion.velocities[6 * b + i]! - motion.velocities[6 * a + i]!,
    );
    for (let i = 0; i < 3; i++) at[i]! += this.originOf(a, i);
    return {
      at,
      force,
      torque,
      slip,
      turn,
      normal: pressed,
      manifold: { normal },
      depth: -patch.gaps[0]!,
      rate: 0,
    };
  }

  /** Where P of a link is in the world. */
  private originOf(link: number, i: number): number {
    const { bases, places, tree } = this.mechanism.motion;
    return link === tree.n ? 0 : bases[3 * tree.root[link]! + i]! + places[3 * link + i]!;
  }

  /** The distance of a pair; of one that is far apart, less than that. */
  private gap(pair: RigidPair): number {
    this.place(pair);
    let square = 0;
    for (let i = 0; i < 3; i++) square += (position[3 + i]! - position[i]!) ** 2;
    const apart = Math.sqrt(square) - pair.reach;
    return apart > 0 ? apart : pair.patch.distance(rotation, position);
  }

  /** Poses of the shapes of a pair, positions from P_a: `rotation`, `position`. */
  private place({ first, second, a }: RigidPair): void {
    const { frames, mechanism } = this;
    frames.update(first.object, mechanism);
    frames.update(second.object, mechanism);
    for (const [k, { object }] of [first, second].entries()) {
      for (let i = 0; i < 9; i++) rotation[9 * k + i] = frames.rotation[9 * object + i]!;
      for (let i = 0; i < 3; i++)
        position[3 * k + i] = frames.position[3 * object + i]! - this.originOf(a, i);
    }
  }

  /** The first row of each pair that touches. */
  private rows(): Map<RigidPair, number> {
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

  /** What friction could bear more at the point about which a pair turns. */
  private grip({ count, pinned }: Touch, row: number, friction: number): number {
    const { values } = this.mechanism.multipliers;
    return friction * values[row + pinned]! - Math.hypot(values[row + count]!, values[row + count + 1]!);
  }

  /** What friction has to bear of a pair that sticks. */
  private limit(touch: Touch, row: number) {
    const { values } = this.mechanism.multipliers;
    const { count, points, normal } = touch;
    const places = new Float64Array(2 * count);
    const middle = [0, 1, 2].map((i) => {
      let sum = 0;
      for (let k = 0; k < count; k++) sum += points[3 * k + i]! / count;
      return sum;
    });
    for (let axis = 0; axis < 2; axis++) {
      acrossOf(normal, axis, e);
      for (let k = 0; k < count; k++)
        places[2 * k + axis] = [0, 1, 2].reduce(
          (sum, i) => sum + e[i]! * (points[3 * k + i]! - middle[i]!),
          0,
        );
    }
    const normals = values.subarray(row, row + count);
    const found = limitOf(
      normals,
      places,
      values[row + count]!,
      values[row + count + 1]!,
      count > 1 ? values[row + count + 2]! : 0,
    );
    return { ...found, places, pressing: normals.reduce((sum, f) => sum + Math.max(0, f), 0) };
  }

  // -------------------------------------------------------------- events

  /**
   * Impacts, and what touches from here on; true where that changes anything. `crossed` are indicators that have reached zero. `struck` is told impulses.
   */
  look(time: number, moved: Moved, crossed: readonly number[], isFirst: boolean): boolean {
    const { mechanism } = this;
    const before = this.signature();
    if (this.instant.time !== time) this.instant = newInstant(time);
    this.instant.looks++;
    for (const k of crossed) this.instant.crossed.add(k);
    mechanism.touch([]);
    mechanism.locate(moved.q, moved.v);
    const [q, v] = [moved.q.slice(), moved.v.slice()];
    const near = this.present.flatMap((pair) => this.meeting(pair, isFirst, moved.flanged));
    for (const pair of this.present) {
      pair.before = pair.touch;
      pair.touch = undefined;
    }
    if (near.length === 0) return before !== '';
    this.separate(moved, near);
    const encounter = new Encounter(mechanism, near);
    moved.accelerate();
    encounter.feel();
    const fastest = near.map((_, k) => this.fastest(encounter, k));
    const impulses = encounter.collide();
    if (impulses) {
      this.note(encounter, near, impulses);
      encounter.apply(impulses, moved.v);
      mechanism.locate(moved.q, moved.v);
      for (const { pair, touch } of near) this.lookAt(pair, touch);
      encounter.look();
      moved.accelerate();
      encounter.feel();
    }
    this.guess(encounter, near, fastest);
    this.settle(moved, encounter, near);
    const isNew = impulses !== undefined || this.signature() !== before;
    if (!isNew && crossed.length === 0) {
      moved.q.set(q);
      moved.v.set(v);
    }
    return isNew || crossed.length > 0;
  }

  /** Takes note of pairs that should have bounced. */
  private note({ firsts }: Encounter, near: readonly Meeting[], impulses: Float64Array): void {
    for (const [p, { pair, restitution }] of near.entries()) {
      if (restitution === pair.law.restitution) continue;
      for (let k = firsts[p]!; k < firsts[p + 1]!; k++) if (impulses[3 * k]! > 0) this.dull.add(pair);
    }
  }

  /** What the model should know of, once: laws that do not hold for rigid bodies. */
  takeRemarks(): readonly (Remark & { readonly severity: 'info' | 'warning' })[] {
    const rolling = this.present.find(({ law }) => law.rolling > 0);
    const remarks = [...this.dull].map(({ first, second }) => ({
      severity: 'warning' as const,
      part: second.part,
      message: `\`${first.part.path}\` and \`${second.part.path}\` do not bounce: a joint with a flange moves one of them, and rigid impacts of such bodies are plastic.`,
      hint: 'Give their materials a law with `restitution = 0`, or use elastic contact.',
    }));
    this.dull.clear();
    if (!rolling) return remarks;
    const message = `Rigid bodies roll without resistance: \`rolling\` of the law of \`${rolling.first.part.path}\` and \`${rolling.second.part.path}\` does nothing.`;
    const hint = 'Use elastic contact where that matters.';
    return [...remarks, { severity: 'info', part: rolling.second.part, message, hint }];
  }

  /** Moves bodies apart that overlap by errors of the run. */
  private separate(moved: Moved, near: readonly Meeting[]): void {
    const { mechanism } = this;
    const overlaps = near.filter(({ touch, size }) =>
      touch.gaps.some((gap) => gap < -ROUNDING * 1e-2 * size),
    );
    if (overlaps.length === 0) return;
    for (const { pair, touch, known } of overlaps) {
      const points = known.map((point, k) => ({ ...point, presses: touch.gaps[k]! < 0 }));
      pair.patch.take(points);
      pair.touch = new Touch(pair.patch, 0);
    }
    this.install();
    mechanism.loops.close(moved.q, moved.v);
    for (const { pair, known } of overlaps) {
      pair.patch.take(known);
      pair.touch = undefined;
    }
    mechanism.touch([]);
    mechanism.locate(moved.q, moved.v);
    for (const { pair, touch } of near) this.lookAt(pair, touch);
  }

  private signature(): string {
    return this.touching()
      .map(({ index, patch, touch }) => `${index} ${touch!.hold} ${patch.count} ${patch.save().length}`)
      .join();
  }

  /** Where a pair touches, all points of it. */
  private meeting(pair: RigidPair, isFirst: boolean, flanged: ReadonlySet<number>): Meeting[] {
    const { patch, law, a, b } = pair;
    const closed = CLOSED * patch.size;
    if (this.isOff(pair) || this.gap(pair) > closed) return [];
    const points = patch.list(rotation, position).filter(({ gap }) => gap <= closed);
    if (points.length === 0) return [];
    const depth = -Math.min(...points.map(({ gap }) => gap));
    if (isFirst && depth > OVERLAP * patch.size) throw overlapping(pair, depth);
    const known = points.map((point) => ({ ...point.known, presses: true }));
    patch.take(known);
    const touch = new Touch(patch, law.friction);
    this.lookAt(pair, touch);
    const { size } = patch;
    const restitution = flanged.has(a) || flanged.has(b) ? 0 : law.restitution;
    const own = { pair, touch, a, b, restitution, size, known };
    return [
      { ...own, closed: [], lifted: [], isSlipping: false, slack: 0, allowed: 1, changes: 0, turns: 0 },
    ];
  }

  /** Has a touch of a pair look where the mechanism is. */
  private lookAt(pair: RigidPair, touch: Touch): void {
    const { a, b } = pair;
    this.place(pair);
    const { velocities } = this.mechanism.motion;
    const angular = (k: number) => velocities.subarray(6 * k, 6 * k + 3);
    const linear = (k: number) => velocities.subarray(6 * k + 3, 6 * k + 6);
    touch.look(
      rotation.slice(0, 9),
      rotation.slice(9),
      position.slice(0, 3),
      position.slice(3),
      angular(a),
      angular(b),
      linear(a),
      linear(b),
      apartOf(this.mechanism, a, b),
    );
  }

  private fastest({ speeds, firsts }: Encounter, pair: number): number {
    let most = 0;
    for (let i = 3 * firsts[pair]!; i < 3 * firsts[pair + 1]!; i++)
      most = Math.max(most, Math.abs(speeds[i]!));
    return most;
  }

  /** A first guess of what touches: all points that do not part press; pairs that do not slip stick. */
  private guess(encounter: Encounter, near: readonly Meeting[], fastest: readonly number[]): void {
    const { speeds, scales, firsts } = encounter;
    for (const [p, meeting] of near.entries()) {
      const { pair, touch, known, size } = meeting;
      const reach = (k: number) => Math.sqrt(scales[k]! * size);
      const points = known.map((_, k) => firsts[p]! + k);
      const closed = points.filter(
        (k) =>
          Math.abs(speeds[3 * k]!) <= SLOW * (fastest[p]! + reach(k)) ||
          (this.instant.looks <= PATIENT && encounter.isSlow(k)),
      );
      const isOpen = closed.length === 1 && this.instant.opened.has(pair.index);
      if (closed.length === 0 || isOpen) {
        pair.patch.take([]);
        continue;
      }
      pair.patch.take(known.map((point, k) => ({ ...point, presses: closed.includes(firsts[p]! + k) })));
      pair.touch = touch;
      touch.renew();
      const slip = (k: number) => Math.hypot(speeds[3 * k + 1]!, speeds[3 * k + 2]!);
      meeting.closed = closed;
      touch.slow = CREEP * Math.max(...closed.map(reach));
      const still = this.hasCrossed(pair, 2) ? STOPPED : STILL;
      meeting.isSlipping = closed.some((k) => slip(k) > still * reach(k) + SLOW * fastest[p]!);
      touch.hold = pair.law.friction === 0 ? 'smooth' : meeting.isSlipping ? 'slide' : 'stick';
      if (touch.hold !== 'slide') continue;
      const { before } = pair;
      if (before?.hold === 'glide' && before.count === closed.length) {
        const most = (this.hasCrossed(pair, 2) ? 0.5 : 1) * GLIDING;
        const isGliding = closed.every((k) => slip(k) < most * reach(k));
        if (isGliding) {
          touch.hold = 'glide';
          touch.twist.set(before.twist);
          touch.directions.set(before.directions);
          continue;
        }
      }
      this.place(pair);
      for (const [at, k] of closed.entries()) {
        for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        this.direct(touch, at);
        if (slip(k) <= STOPPED * reach(k)) touch.pinned = at;
      }
    }
  }

  /** Lets a point slide along `e`; `place` comes before. */
  private direct(touch: Touch, k: number): void {
    const length = Math.sqrt(dot(e, e));
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += rotation[3 * i + j]! * e[i]!;
      touch.directions[3 * k + j] = length > 0 ? sum / length : 0;
    }
  }

  private hasCrossed(pair: RigidPair, which: number): boolean {
    return this.instant.crossed.has(INDICATORS * this.present.indexOf(pair) + which);
  }

  /** Installs what was guessed, and corrects it until forces and accelerations are as they should be. */
  private settle(moved: Moved, encounter: Encounter, near: readonly Meeting[]): void {
    const { mechanism } = this;
    for (const meeting of near) {
      meeting.slack = this.hasCrossed(meeting.pair, 1) ? REACHED : -LIGHT;
      meeting.allowed = this.hasCrossed(meeting.pair, 2) ? 1 - REACHED : 1 + LIGHT;
    }
    const most = 20 * encounter.count + MOST_TURNS + 100;
    const v = moved.v.slice();
    for (let round = 0; round < most; round++) {
      this.install();
      moved.v.set(v);
      this.hold(moved);
      if (mechanism.multipliers.isJammed) break;
      moved.accelerate();
      if (mechanism.multipliers.isJammed) break;
      const isWrong = this.correct(encounter, near);
      if (near.some(({ changes }) => changes > MOST_CHANGES)) break;
      if (isWrong) continue;
      if (this.glides(encounter, near)) {
        this.install();
        moved.v.set(v);
        this.hold(moved);
      }
      return;
    }
    moved.v.set(v);
    this.search(moved, encounter, near);
  }

  /** What touches, where corrections lead in a circle: from the forces of all points at once. */
  private search(moved: Moved, encounter: Encounter, near: readonly Meeting[]): void {
    const { mechanism } = this;
    this.release();
    mechanism.locate(moved.q, moved.v);
    moved.accelerate();
    const { rates, forces, points, jammed } = encounter.press(
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
      meeting.closed = own.filter((k) => forces[at(k)]! > LIGHT * this.weight(encounter, k));
      if (meeting.closed.length === 0) continue;
      pair.patch.take(known.map((point, i) => ({ ...point, presses: meeting.closed.includes(first + i) })));
      pair.touch = touch;
      touch.renew();
      const starts = meeting.closed.some(
        (k) => Math.hypot(rates[at(k) + 1]!, rates[at(k) + 2]!) > REACHED * encounter.scales[k]!,
      );
      touch.hold = pair.law.friction === 0 ? 'smooth' : isSlipping || starts ? 'slide' : 'stick';
      this.place(pair);
      for (const [i, k] of meeting.closed.entries()) {
        if (isSlipping) for (let c = 0; c < 3; c++) e[c] = encounter.slip(k, c);
        else for (let c = 0; c < 3; c++) e[c] = encounter.along(k, rates[at(k) + 1]!, rates[at(k) + 2]!, c);
        this.direct(touch, i);
      }
    }
    if (this.touching().length === 0) return;
    this.install();
    this.hold(moved);
    moved.accelerate();
    if (mechanism.multipliers.isJammed) throw jamming(this.touching()[0]!);
  }

  /** What touches takes the speeds that it does not allow, by impulses. */
  private hold({ q, v }: Moved): void {
    const { mechanism } = this;
    const closed = mechanism.loops.close(q, v);
    mechanism.locate(q, v);
    if (mechanism.isBound && closed) mechanism.impact(v);
    if (mechanism.multipliers.isJammed) return;
    mechanism.project(q, v);
  }

  /** Nothing touches, for now. */
  private release(): void {
    for (const pair of this.present) pair.touch = undefined;
    this.mechanism.touch([]);
  }

  /** Takes the worst mistake off; false where there is none. */
  private correct(encounter: Encounter, near: readonly Meeting[]): boolean {
    const rows = this.rows();
    return (
      this.lifts(encounter, near, rows) ||
      this.presses(encounter, near) ||
      this.slips(near, rows) ||
      this.turns(encounter, near)
    );
  }

  /** The force by which a point would be pressed if all that acts on it did so. */
  private weight({ scales, matrix, count }: Encounter, k: number): number {
    return scales[k]! / matrix[3 * k * (3 * count + 1)]!;
  }

  /** Lifts the point that pulls most. */
  private lifts(encounter: Encounter, near: readonly Meeting[], rows: Map<RigidPair, number>): boolean {
    const { values } = this.mechanism.multipliers;
    let worst: { meeting: Meeting; at: number; by: number } | undefined;
    for (const meeting of near) {
      const row = rows.get(meeting.pair);
      if (row === undefined) continue;
      for (const [at, k] of meeting.closed.entries()) {
        const by = values[row + at]! / this.weight(encounter, k) - meeting.slack;
        if (by < 0 && !(by >= (worst?.by ?? 0))) worst = { meeting, at, by };
      }
    }
    if (!worst) return false;
    const { meeting, at } = worst;
    meeting.lifted.push(...meeting.closed.splice(at, 1));
    this.lift(meeting.pair, at);
    if (!meeting.pair.touch) this.instant.opened.add(meeting.pair.index);
    return true;
  }

  /** Presses a point again that would go into the other body. */
  private presses(encounter: Encounter, near: readonly Meeting[]): boolean {
    for (const meeting of near)
      for (const [at, k] of meeting.lifted.entries()) {
        if (encounter.acceleration(k) >= -LIGHT * encounter.scales[k]!) continue;
        meeting.changes++;
        meeting.lifted.splice(at, 1);
        meeting.slack = -LIGHT;
        this.instant.opened.delete(meeting.pair.index);
        this.press(meeting, encounter, k);
        return true;
      }
    return false;
  }

  private press(meeting: Meeting, { firsts, pairOf }: Encounter, k: number): void {
    const { pair, touch, closed, known } = meeting;
    const directions = new Map(closed.map((own, at) => [own, touch.directions.slice(3 * at, 3 * at + 3)]));
    const { hold } = touch;
    closed.push(k);
    closed.sort((a, b) => a - b);
    const first = firsts[pairOf[k]!]!;
    pair.patch.take(known.map((point, i) => ({ ...point, presses: closed.includes(first + i) })));
    pair.touch = touch;
    touch.renew();
    touch.hold = hold;
    const [some] = directions.values();
    for (const [at, own] of closed.entries()) {
      const direction = directions.get(own) ?? some;
      if (direction) touch.directions.set(direction, 3 * at);
    }
  }

  /** Lets a pair slide that friction does not hold. */
  private slips(near: readonly Meeting[], rows: Map<RigidPair, number>): boolean {
    for (const meeting of near) {
      const { pair, touch } = meeting;
      if (!pair.touch) continue;
      const row = rows.get(pair)!;
      if (touch.hold === 'slide' && touch.pinned >= 0 && this.unpin(meeting, row)) return true;
      if (touch.hold !== 'stick') continue;
      const { needed, motion, places } = this.limit(touch, row);
      if (needed <= pair.law.friction * meeting.allowed) continue;
      meeting.changes++;
      touch.hold = 'slide';
      touch.motions = new Float64Array(3 * touch.count);
      this.place(pair);
      const across = [0, 1].map((axis) => {
        acrossOf(touch.normal, axis, e);
        return [...e];
      });
      for (let k = 0; k < touch.count; k++) {
        const x = motion[0]! - motion[2]! * places[2 * k + 1]!;
        const y = motion[1]! + motion[2]! * places[2 * k]!;
        for (let i = 0; i < 3; i++) e[i] = -x * across[0]![i]! - y * across[1]![i]!;
        this.direct(touch, k);
        const length = Math.sqrt(dot(e, e));
        for (let i = 0; i < 3; i++) touch.motions[3 * k + i] = length * touch.directions[3 * k + i]!;
      }
      return true;
    }
    return false;
  }

  /** Lets a point slide about which a pair cannot turn. */
  private unpin(meeting: Meeting, row: number): boolean {
    const { touch, pair } = meeting;
    const { pinned, count, normal } = touch;
    const { values } = this.mechanism.multipliers;
    const share = 1 - meeting.allowed;
    if (this.grip(touch, row, pair.law.friction) >= share * pair.law.friction * values[row + pinned]!)
      return false;
    meeting.changes++;
    const force = new Float64Array(3);
    for (let axis = 0; axis < 2; axis++) {
      acrossOf(normal, axis, e);
      for (let i = 0; i < 3; i++) force[i]! -= values[row + count + axis]! * e[i]!;
    }
    e.set(force);
    this.place(pair);
    this.direct(touch, pinned);
    touch.pinned = -1;
    return true;
  }

  /** What begins to slide keeps its direction at first. */
  private glides(encounter: Encounter, near: readonly Meeting[]): boolean {
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
      this.place(pair);
      if (fastest <= LIGHT) motions.set(turned(rotation, touch.motions));
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
        twist[j] = [0, 1, 2].reduce((sum, i) => sum + rotation[3 * i + j]! * mean[i]!, 0);
      twist[3] = square > 0 ? turning / square : 0;
      touch.hold = 'glide';
      isNew = true;
    }
    return isNew;
  }

  /** What begins to slide does so in the direction of its acceleration. */
  private turns(encounter: Encounter, near: readonly Meeting[]): boolean {
    let isNew = false;
    for (const meeting of near) {
      const { pair, touch, closed, isSlipping } = meeting;
      if (!pair.touch || touch.hold !== 'slide' || isSlipping || meeting.turns > MOST_TURNS) continue;
      meeting.turns++;
      this.place(pair);
      for (const [at, k] of closed.entries()) {
        const before = touch.directions.slice(3 * at, 3 * at + 3);
        const now = turned(rotation, before);
        // As slip would grow in a short time; whole steps would swing about where friction is strong.
        const step = 1 / ((1 + 4 * pair.law.friction) * encounter.scales[k]!);
        encounter.across(k, e);
        for (let i = 0; i < 3; i++) e[i] = now[i]! + step * e[i]!;
        this.direct(touch, at);
        for (let i = 0; i < 3; i++)
          if (Math.abs(touch.directions[3 * at + i]! - before[i]!) > EQUAL) isNew = true;
      }
    }
    return isNew;
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
    touch.directions.set(directions.filter((_, i) => Math.floor(i / 3) !== k));
  }
}

/** What has happened at an instant: pairs that were opened, by index, indicators that have reached zero, and how often it was looked at. */
interface Instant {
  readonly time: number;
  readonly opened: Set<number>;
  readonly crossed: Set<number>;
  looks: number;
}

const newInstant = (time: number): Instant => ({ time, opened: new Set(), crossed: new Set(), looks: 0 });

/** A pair whose shapes are on each other at an event, while it is decided what becomes of that. */
interface Meeting extends Touching {
  readonly pair: RigidPair;
  /** Points that press, and those that do not part either; by their numbers in the encounter. */
  closed: number[];
  readonly lifted: number[];
  isSlipping: boolean;
  /** By their weights: the least force at which points stay; and the part of friction that holds. */
  slack: number;
  allowed: number;
  /** How often something was changed back, and how often directions were. */
  changes: number;
  turns: number;
}

/** How fast points slide in the directions in which they did at the last event, the slowest of them and in the mean; A is turned as `rotation` says. */
function slipOf(
  { count, slips, directions, hold, pinned }: Touch,
  turn: Float64Array,
): { least: number; mean: number } {
  let [least, mean] = [Infinity, 0];
  for (let k = 0; k < count; k++) {
    let along = 0;
    if (hold === 'slide' && k === pinned) continue;
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += turn[3 * i + j]! * directions[3 * k + j]!;
      along += sum * slips[3 * k + i]!;
    }
    least = Math.min(least, along);
    mean += along / count;
  }
  return { least, mean };
}

const overlapping = ({ first, second }: RigidPair, depth: number) =>
  partFailure(
    second.part,
    'bad-body',
    `\`${first.part.path}\` and \`${second.part.path}\` are in each other at the start, by ${shown(depth)} m.`,
    {
      hint: 'Rigid bodies cannot be. Place them so that they just touch, or leave out `contact` of one of them.',
    },
  );

const jamming = ({ first, second }: RigidPair) =>
  partFailure(
    second.part,
    'impossible-change',
    `\`${second.part.path}\` slides on \`${first.part.path}\` in such a way that rigid bodies have no force that keeps them apart: friction presses them together the more, the more they press.`,
    { hint: 'Less friction helps, or elastic contact.' },
  );

/** Vectors in the frame of A, along the axes of the world. */
const turned = (turn: Float64Array, of: Float64Array): Float64Array =>
  of.map((_, n) => {
    const [k, i] = [3 * Math.floor(n / 3), n % 3];
    return turn[3 * i]! * of[k]! + turn[3 * i + 1]! * of[k + 1]! + turn[3 * i + 2]! * of[k + 2]!;
  });

function meanOf(vectors: Float64Array, i: number): number {
  let sum = 0;
  for (let at = i; at < vectors.length; at += 3) sum += vectors[at]!;
  return (3 * sum) / vectors.length;
}

const rotation = new Float64Array(18);
const position = new Float64Array(6);
const e = new Float64Array(3);
