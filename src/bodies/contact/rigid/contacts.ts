/**
 * Rigid bodies that touch: contact as a constraint that closes and opens. Between events the points that press are the same, and each pair of shapes sticks, slides or is
 * smooth (`touch.ts`); at events impacts are computed (`encounter.ts`), and it is decided anew which points press and how (`decision.ts`).
 *
 * Of each pair that is near there are three indicators, positive as long as all stays as it is: the gap of what does not touch, or how far points are from being lost; the normal
 * force of what does; and what friction could bear more, or the speed of slip in the direction of the last event. (A slip that has hardly begun keeps its direction, and should need no force for that.) Before these is one of how far shapes may still move until
 * somebody looks which are near (`nearby.ts`).
 */

import type { Ahead, Segment } from '../../../builtin/component.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import type { Touch } from '../../dynamics/touch.ts';
import type { Frames } from '../../frames.ts';
import type { Assembly } from '../../scene/assembly.ts';
import type { Collider, Remark, Scene, SceneTouch } from '../../scene/scene.ts';
import { Sensed } from '../sensed.ts';
import { asideOf, excessOf } from './admissible.ts';
import { Decision, GLIDING_BY_SLOW } from './decision.ts';
import { Encounter } from './encounter.ts';
import { bearingOf, gripOf, slipOf } from './friction.ts';
import {
  type Instant,
  type Meeting,
  type Moved,
  meetingOf,
  newInstant,
  REACHED,
  ROUNDING,
  separate,
} from './meeting.ts';
import { type RigidPair, RigidPairs, type SavedPairs } from './pairs.ts';
import { CLOSED } from './patch.ts';
import { sense } from './sensing.ts';
import { keepStruck } from './struck.ts';

/** Indicators before those of pairs, and of each pair. */
const OWN = 1;
const INDICATORS = 3;
/** Points that others hold may overlap by this part of the size, and points may be lost by so much. */
const IDLE = 1e-10;
const LOST = 1e-9;

/** Up to this speed, by `slow` of a touch, the direction of a slip settles much faster than the slip grows. */
const SETTLING_BY_SLOW = 100 * GLIDING_BY_SLOW;

/** A slip ends where it has gone back so fast, by `slow` of a touch: not faster, since friction has no direction where both cancel. */
const BACK_BY_SLOW = 0.5;

/** Speeds that are rounding, by `slow` of a touch. */
const STILL_BY_SLOW = 10;

/** Whether a slip is so slow that friction turns it at once: errors of an explicit method could then hold it down, and be smaller than any tolerance. */
const isStiff = ({ hold, isYoung, slips, slow, count }: Touch): boolean =>
  hold === 'slide' && isYoung && Math.hypot(...slips) < SETTLING_BY_SLOW * slow * Math.sqrt(count);

/** An indicator of a pair, by its number, as one number. */
/** An angular impulse that is smaller by this than what it is the sum of is none. */
const NO_TURN = 1e-14;

const crossingOf = ({ index }: RigidPair, which: number): number => INDICATORS * index + which;

export class RigidContacts {
  private readonly pairs: RigidPairs;
  private instant: Instant = newInstant(Number.NaN);
  /** Pairs that should have bounced, and did not. */
  private readonly dull = new Set<RigidPair>();
  /** Impulses of the last look, on the second shapes of pairs: see `Encounter.impulseOn`. */
  private struck: readonly { readonly pair: RigidPair; readonly impulse: Float64Array }[] = [];
  private readonly sensed = new Sensed();
  /** What goes over to a segment that is only to have more indicators. */
  private kept: SavedPairs | undefined;

  constructor(scene: Pick<Scene, 'colliders' | 'touching' | 'switches' | 'areNeighbours'>) {
    this.pairs = new RigidPairs(scene);
  }

  get any(): boolean {
    return this.pairs.scene.colliders.length > 1;
  }

  get isTouching(): boolean {
    return this.pairs.touching().length > 0;
  }

  /** Speeds that are none beside those that what touches reaches. */
  get still(): number {
    return STILL_BY_SLOW * this.pairs.touching().reduce((most, { touch }) => Math.max(most, touch!.slow), 0);
  }

  /** Whether more pairs are near each other than there are indicators: another segment must follow, which has more of them. What touches goes on to do so there. */
  overflows(): boolean {
    if (this.pairs.nearby.isCrowded) this.kept = this.pairs.save();
    return this.kept !== undefined;
  }

  /** Takes up another mechanism, in which nothing touches yet. */
  setUp(assembly: Assembly, frames: Frames, mechanism: Mechanism): void {
    const { pairs, kept } = this;
    if (!this.any) return;
    pairs.setUp(assembly, frames, mechanism);
    if (kept) pairs.load(kept);
    this.kept = undefined;
  }

  /** How many indicators a segment has. */
  declare(segment: Segment): void {
    if (!this.any) return;
    this.pairs.nearby.makeRoom();
    segment.indicators(this.count);
  }

  private get count(): number {
    return OWN + INDICATORS * this.pairs.nearby.near.length;
  }

  /** Finds pairs that are near each other. */
  lookAhead(time: number): Ahead {
    const { pairs } = this;
    return { ...pairs.lookAround(time), isStiff: pairs.touching().some(({ touch }) => isStiff(touch!)) };
  }

  /** Nothing touches any more. */
  forget(): void {
    this.kept = undefined;
    this.pairs.forget();
  }

  save(): SavedPairs {
    return this.pairs.save();
  }

  load(saved: SavedPairs): void {
    if (this.any) this.pairs.load(saved);
  }

  /** Which pairs the model switches off. */
  turn(isOff: (condition: string) => boolean): void {
    this.pairs.turn(isOff);
  }

  /** Where the mechanism is; forces are those of its last accelerations. */
  indicators(into: Float64Array): void {
    const { pairs } = this;
    const { rotation, position } = pairs;
    const { values } = pairs.mechanism.multipliers;
    const rows = pairs.rows();
    into[0] = pairs.slack();
    for (const [k, pair] of pairs.nearby.near.entries()) {
      const at = OWN + INDICATORS * k;
      into[at] = into[at + 1] = into[at + 2] = 1;
      if (!pair) continue;
      const { touch, patch, law } = pair;
      if (!touch) {
        into[at] = pairs.gap(pair) + ROUNDING * patch.size;
        continue;
      }
      pairs.place(pair);
      patch.measure(rotation, position);
      into[at] = Math.min(
        patch.nearest + ROUNDING * patch.size,
        patch.idle + IDLE * patch.size,
        LOST * patch.size - patch.lost,
      );
      const row = rows.get(pair)!;
      let least = Infinity;
      for (let i = 0; i < touch.count; i++) least = Math.min(least, values[row + i]!);
      into[at + 1] = least + touch.light;
      if (touch.hold === 'slide')
        into[at + 2] = Math.min(
          slipOf(touch, rotation).least + BACK_BY_SLOW * touch.slow,
          touch.pinned < 0 ? Infinity : gripOf(touch, row, values) + touch.light,
        );
      else if (touch.hold === 'glide') {
        const { mean } = slipOf(touch, rotation);
        into[at + 2] = Math.min(
          mean + touch.slow,
          GLIDING_BY_SLOW * touch.slow - mean,
          touch.sideways - asideOf(touch, row, values),
        );
      } else if (touch.hold === 'stick') {
        const { needed, pressing, wanted } = bearingOf(touch, row, values);
        into[at + 2] = (pressing > 0 ? (law.friction - needed) * pressing : -wanted) + touch.light;
      }
    }
  }

  sides(into: Int8Array): void {
    if (this.any) into.fill(1, 0, this.count);
  }

  /** Pairs that touch, or would. */
  closest(): (readonly [Collider, Collider])[] {
    return this.pairs.present
      .filter((pair) => pair.touch || this.pairs.gap(pair) <= CLOSED * pair.patch.size)
      .map(({ first, second }) => [first, second] as const);
  }

  /** Pairs that do not press at this instant because something else carries them. */
  carried(): (readonly [Collider, Collider])[] {
    return this.pairs.present
      .filter(({ index }) => this.instant.carried.has(index))
      .map(({ first, second }) => [first, second] as const);
  }

  /** What a sensor sees; forces are those of the last accelerations. */
  sense(sensor: SceneTouch): Sensed {
    sense(this.pairs, sensor, this.sensed);
    return this.sensed;
  }

  /** What a sensor has seen in the last look, on its second object: angular impulse and impulse. */
  impulse({ between, about }: SceneTouch): Float64Array {
    const { pairs } = this;
    const sum = new Float64Array(6);
    let largest = 0;
    for (const { pair, impulse } of this.struck) {
      const sign = between(pair.first.object, pair.second.object);
      if (sign === 0) continue;
      const arm = [0, 1, 2].map((i) => pairs.originOf(pair.a, i) - pairs.placeOf(about, i));
      for (let i = 0; i < 3; i++) {
        const [j, k] = [(i + 1) % 3, (i + 2) % 3];
        const moved = arm[j]! * impulse[3 + k]! - arm[k]! * impulse[3 + j]!;
        largest = Math.max(largest, Math.abs(impulse[i]!), Math.abs(moved));
        sum[i]! += sign * (impulse[i]! + moved);
        sum[3 + i]! += sign * impulse[3 + i]!;
      }
    }
    for (let i = 0; i < 3; i++) if (Math.abs(sum[i]!) <= NO_TURN * largest) sum[i] = 0;
    return sum;
  }

  /** What touches bodies on these links does not press on them at this instant: something else carries them. False where nothing touches them. */
  carry(time: number, links: ReadonlySet<number>): boolean {
    const { pairs } = this;
    const instant = this.at(time);
    const carried = pairs.touching().filter(({ a, b }) => links.has(a) || links.has(b));
    for (const pair of carried) {
      instant.carried.add(pair.index);
      pair.patch.take([]);
      pair.touch = undefined;
    }
    pairs.install();
    return carried.length > 0;
  }

  /**
   * Whether contact can give the impulses that `Mechanism.kick` has found for it: it presses, and friction is within its cones. What has struck at this instant can: it is told there
   * how much of that was too much. They are seen by sensors then.
   */
  bears(time: number): boolean {
    if (!this.any) return true;
    const { pairs } = this;
    const { values } = pairs.mechanism.multipliers;
    const rows = [...pairs.rows()];
    let largest = 0;
    for (const [{ touch }, row] of rows)
      for (let r = row; r < row + touch!.rows; r++) largest = Math.max(largest, Math.abs(values[r]!));
    const canGive = ([{ touch }, row]: readonly [RigidPair, number]) => {
      const { pull, hold, aside } = excessOf(touch!, row, values);
      return Math.max(pull, hold, aside) <= REACHED * largest;
    };
    if (!this.at(time).hasStruck && !rows.every(canGive)) return false;
    this.struck = rows.map(([pair, row]) => ({ pair, impulse: this.impulseOn(pair, row) }));
    return true;
  }

  /** Multipliers of a pair as `Encounter.impulseOn`. */
  private impulseOn({ touch }: RigidPair, row: number): Float64Array {
    const { closures, multipliers } = this.pairs.mechanism;
    const sum = new Float64Array(6);
    for (let r = row; r < row + touch!.rows; r++) {
      const on = closures.skew[r] ? closures.pushA : closures.onA;
      for (let i = 0; i < 6; i++) sum[i]! -= multipliers.values[r]! * on[6 * r + i]!;
    }
    return sum;
  }

  /** What has happened at this instant. */
  private at(time: number): Instant {
    if (this.instant.time !== time) this.instant = newInstant(time);
    return this.instant;
  }

  /** Nothing touches, until the next look. */
  release(): void {
    this.pairs.release();
  }

  /**
   * Impacts, and what touches from here on; true where that changes anything. `crossed` are indicators that have reached zero.
   */
  look(time: number, moved: Moved, crossed: readonly number[], isFirst: boolean): boolean {
    const { pairs } = this;
    const { mechanism } = pairs;
    const before = this.signature();
    this.struck = [];
    const instant = this.at(time);
    instant.looks++;
    for (const k of crossed) this.noteCrossed(k);
    mechanism.touch([]);
    mechanism.locate(moved.q, moved.v);
    pairs.lookAround(time);
    const [q, v] = [moved.q.slice(), moved.v.slice()];
    const { flanged } = moved;
    const near = pairs.present.flatMap((pair) =>
      meetingOf(pairs, pair, {
        isFirst,
        flanged,
        hasCrossed: (which) => instant.crossed.has(crossingOf(pair, which)),
      }),
    );
    pairs.noteSeen();
    for (const pair of pairs.present) {
      pair.before = pair.touch;
      pair.touch = undefined;
    }
    if (near.length === 0) return before !== '';
    separate(pairs, moved, near);
    const encounter = new Encounter(mechanism, near);
    const fastest = encounter.fastest();
    // What has come to rest at this instant has done so but for rounding errors of the speeds before.
    for (const [k, { pair }] of near.entries()) {
      fastest[k] = Math.max(fastest[k]!, instant.fastest.get(pair.index) ?? 0);
      instant.fastest.set(pair.index, fastest[k]!);
      encounter.before = Math.max(encounter.before, fastest[k]!);
    }
    moved.accelerate();
    encounter.feel();
    const impulses = encounter.collide();
    if (impulses) {
      this.note(encounter, near, impulses);
      this.struck = near.map(({ pair }, k) => ({ pair, impulse: encounter.impulseOn(k, impulses) }));
      instant.hasStruck = true;
      encounter.apply(impulses, moved.v);
      mechanism.locate(moved.q, moved.v);
      for (const { pair, touch } of near) pairs.lookAt(pair, touch);
      encounter.look();
      moved.accelerate();
      encounter.feel();
    }
    new Decision(pairs, moved, encounter, near, instant).decide(fastest);
    if (impulses) keepStruck(pairs, moved, encounter, near, impulses);
    const isNew = impulses !== undefined || this.signature() !== before;
    if (!isNew && crossed.length === 0) {
      moved.q.set(q);
      moved.v.set(v);
    }
    return isNew || crossed.length > 0;
  }

  /** An indicator has reached zero: it is kept by pair, since the next look may put others in its place. */
  private noteCrossed(indicator: number): void {
    const k = indicator - OWN;
    const pair = k < 0 ? undefined : this.pairs.nearby.near[Math.floor(k / INDICATORS)];
    if (!pair) return;
    const { crossed, limits } = this.instant;
    const crossing = crossingOf(pair, k % INDICATORS);
    if (!crossed.has(crossing) && k % INDICATORS === 2 && pair.touch) limits.set(pair.index, pair.touch.hold);
    crossed.add(crossing);
  }

  private signature(): string {
    return this.pairs
      .touching()
      .map(({ index, patch, touch }) => `${index} ${touch!.hold} ${patch.count} ${patch.save().length}`)
      .join();
  }

  /** Takes note of pairs that should have bounced. */
  private note({ firsts }: Encounter, near: readonly Meeting[], impulses: Float64Array): void {
    for (const [p, { pair, restitution }] of near.entries()) {
      if (restitution === pair.law.restitution) continue;
      for (let k = firsts[p]!; k < firsts[p + 1]!; k++) if (impulses[3 * k]! > 0) this.dull.add(pair);
    }
  }

  /** What the model should know of, once: laws that do not hold for rigid bodies. */
  takeRemarks(isFirst: boolean): readonly Remark[] {
    const remarks = [...this.dull].map(({ first, second }) => ({
      severity: 'warning' as const,
      part: second.part,
      message: `\`${first.part.path}\` and \`${second.part.path}\` do not bounce: a joint with a flange moves one of them, and rigid impacts of such bodies are plastic.`,
      hint: 'Give their materials a law with `restitution = 0`, or use elastic contact.',
    }));
    this.dull.clear();
    const rolling = isFirst ? this.pairs.find(({ rolling }) => rolling > 0) : undefined;
    if (!rolling) return remarks;
    const [first, second] = rolling.map(({ part }) => part);
    const message = `Rigid bodies roll without resistance: \`rolling\` of the law of \`${first!.path}\` and \`${second!.path}\` does nothing.`;
    const hint = 'Use elastic contact where that matters.';
    return [...remarks, { severity: 'info', part: second!, message, hint }];
  }
}
