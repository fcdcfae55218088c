/**
 * Rigid bodies that touch: contact as a constraint that closes and opens. Between events the points that press are the same, and each pair of shapes sticks, slides or is
 * smooth (`touch.ts`); at events impacts are computed, and it is decided anew which points press and how (`encounter.ts`).
 *
 * Of each pair there are three indicators, positive as long as all stays as it is: the gap of what does not touch, or how far points are from being lost; the normal
 * force of what does; and what friction could bear more, or the speed of slip in the direction of the last event.
 */
import { partFailure } from '../scene/names.ts';
import type { TouchClosure } from '../dynamics/closure.ts';
import { acrossOf, dot } from '../dynamics/flat.ts';
import { solveCoulomb } from '../dynamics/coulomb.ts';
import { limitOf } from '../dynamics/limit.ts';
import type { Mechanism } from '../dynamics/mechanism.ts';
import { type Hold, Touch } from '../dynamics/touch.ts';
import type { Frames } from '../frames.ts';
import { shown } from '../problem.ts';
import type { Assembly } from '../scene/assembly.ts';
import type { Collider, Scene } from '../scene/scene.ts';
import { atOrigin, type Pose } from '../space.ts';
import { apartOf, Encounter, type Touching } from './encounter.ts';
import type { Touching as Law } from './law.ts';
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
const STILL = 1e-7;
/** Forces and accelerations that are none, by what they are sums of; and those that have just reached zero, or their limit. */
const LIGHT = 1e-9;
const REACHED = 1e-6;
/** Points may be lost by this part of the size. */
const LOST = 1e-9;

interface RigidPair {
  readonly index: number;
  readonly first: Collider;
  readonly second: Collider;
  readonly patch: Patch;
  readonly law: Law;
  readonly reach: number;
  touch: Touch | undefined;
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
}

/** The motion that contact acts on. */
export interface Moved {
  readonly q: Float64Array;
  readonly v: Float64Array;
  /** Accelerations where the mechanism is, with all forces but those of contact that is not known to it. */
  accelerate(): void;
}

export class RigidContacts {
  private readonly all: readonly RigidPair[];
  private present: RigidPair[] = [];
  private frames!: Frames;
  private mechanism!: Mechanism;
  /** Pairs that were opened at an instant, by index. */
  private opened: { readonly time: number; readonly pairs: Set<number> } = {
    time: Number.NaN,
    pairs: new Set(),
  };

  constructor({ colliders, touching }: Pick<Scene, 'colliders' | 'touching'>) {
    const all: RigidPair[] = [];
    for (const [i, first] of colliders.entries())
      for (const second of colliders.slice(i + 1))
        all.push({
          index: all.length,
          first,
          second,
          patch: new Patch(first.convex, second.convex),
          law: touching(first.material, second.material),
          reach: first.reach + second.reach,
          touch: undefined,
          a: 0,
          b: 0,
          poseA: atOrigin,
          poseB: atOrigin,
        });
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
    }));
  }

  load(saved: readonly SavedTouch[]): void {
    this.forget();
    for (const { index, hold, known, directions } of saved) {
      const pair = this.all[index]!;
      pair.patch.take(known);
      pair.touch = new Touch(pair.patch, pair.law.friction);
      pair.touch.hold = hold;
      pair.touch.directions.set(directions);
    }
    this.install();
  }

  /** Takes up another mechanism, in which nothing touches yet. Objects of one body, and of bodies that a joint joins, do not touch each other. */
  setUp({ places, links }: Assembly, frames: Frames, mechanism: Mechanism): void {
    this.frames = frames;
    this.mechanism = mechanism;
    this.forget();
    mechanism.touch([]);
    const { n } = mechanism.tree;
    this.present = this.all.filter((pair) => {
      const [first, second] = [places[pair.first.object]!, places[pair.second.object]!];
      const [a, b] = [first.link, second.link];
      const isJoint = (child: number, parent: number) =>
        child >= 0 && links[child]!.parent === parent && links[child]!.kind !== 'free';
      if (a === b || a < -1 || b < -1 || isJoint(a, b) || isJoint(b, a)) return false;
      Object.assign(pair, {
        a: a < 0 ? n : a,
        b: b < 0 ? n : b,
        poseA: first.pose,
        poseB: second.pose,
      });
      return true;
    });
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
        into[at] = this.gap(pair) + ROUNDING * patch.size;
        continue;
      }
      this.place(pair);
      patch.measure(rotation, position);
      into[at] = Math.min(patch.nearest + ROUNDING * patch.size, LOST * patch.size - patch.lost);
      const row = rows.get(pair)!;
      const { values } = this.mechanism.multipliers;
      let least = Infinity;
      for (let i = 0; i < touch.count; i++) least = Math.min(least, values[row + i]!);
      into[at + 1] = least;
      if (touch.hold === 'slide') into[at + 2] = slipOf(touch, rotation);
      else if (touch.hold === 'stick') {
        const { needed, pressing } = this.limit(touch, row);
        into[at + 2] = (law.friction - needed) * pressing;
      }
    }
  }

  sides(into: Int8Array): void {
    into.fill(1, 0, this.count);
  }

  /** The distance of a pair; of one that is far apart, less than that. */
  private gap(pair: RigidPair): number {
    this.place(pair);
    let square = 0;
    for (let i = 0; i < 3; i++) square += (position[3 + i]! - position[i]!) ** 2;
    const apart = Math.sqrt(square) - pair.reach;
    return apart > 0 ? apart : pair.patch.manifold.pair.measure(rotation, position, 0, 1);
  }

  /** Poses of the shapes of a pair, positions from P_a: `rotation`, `position`. */
  private place({ first, second, a }: RigidPair): void {
    const { frames, mechanism } = this;
    frames.update(first.object, mechanism);
    frames.update(second.object, mechanism);
    const { bases, places, tree } = mechanism.motion;
    for (const [k, { object }] of [first, second].entries()) {
      for (let i = 0; i < 9; i++) rotation[9 * k + i] = frames.rotation[9 * object + i]!;
      for (let i = 0; i < 3; i++) {
        const base = a === tree.n ? 0 : bases[3 * tree.root[a]! + i]! + places[3 * a + i]!;
        position[3 * k + i] = frames.position[3 * object + i]! - base;
      }
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
    if (this.opened.time !== time) this.opened = { time, pairs: new Set() };
    mechanism.touch([]);
    mechanism.locate(moved.q, moved.v);
    const [q, v] = [moved.q.slice(), moved.v.slice()];
    const near = this.present.flatMap((pair) => this.meeting(pair, isFirst));
    for (const pair of this.present) pair.touch = undefined;
    if (near.length === 0) return before !== '';
    const encounter = new Encounter(mechanism, near);
    moved.accelerate();
    encounter.feel();
    const fastest = near.map((_, k) => this.fastest(encounter, k));
    const impulses = encounter.collide();
    if (impulses) {
      encounter.apply(impulses, moved.v);
      mechanism.locate(moved.q, moved.v);
      for (const { pair, touch } of near) this.lookAt(pair, touch);
      encounter.look();
      moved.accelerate();
      encounter.feel();
    }
    this.choose(encounter, near, fastest, crossed);
    this.settle(moved, near, crossed);
    const isNew = impulses !== undefined || this.signature() !== before;
    if (!isNew && crossed.length === 0) {
      moved.q.set(q);
      moved.v.set(v);
    }
    return isNew || crossed.length > 0;
  }

  private signature(): string {
    return this.touching()
      .map(
        ({ index, patch, touch }) =>
          `${index}${touch!.hold}${patch.save().map(({ id, presses }) => `,${id}${presses ? '' : '-'}`)}`,
      )
      .join(';');
  }

  /** Where a pair touches, all points of it. */
  private meeting(pair: RigidPair, isFirst: boolean): Meeting[] {
    const { patch, law, a, b } = pair;
    const closed = CLOSED * patch.size;
    if (this.gap(pair) > closed) return [];
    const points = patch.list(rotation, position).filter(({ gap }) => gap <= closed);
    if (points.length === 0) return [];
    const depth = -Math.min(...points.map(({ gap }) => gap));
    if (isFirst && depth > OVERLAP * patch.size) throw overlapping(pair, depth);
    const known = points.map((point) => ({ ...point.known, presses: true }));
    patch.take(known);
    const touch = new Touch(patch, law.friction);
    this.lookAt(pair, touch);
    return [{ pair, touch, a, b, restitution: law.restitution, size: patch.size, known }];
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
    for (let i = 3 * firsts[pair]!; i < 3 * firsts[pair + 1]!; i++) most = Math.max(most, Math.abs(speeds[i]!));
    return most;
  }

  /** Which points press, and whether pairs stick or slide, from accelerations. */
  private choose(
    encounter: Encounter,
    near: readonly Meeting[],
    fastest: readonly number[],
    crossed: readonly number[],
  ): void {
    const { speeds, free, scales, matrix, count, pairOf, firsts, friction, directions } = encounter;
    const rows = 3 * count;
    const reach = (k: number) => Math.sqrt(scales[k]! * near[pairOf[k]!]!.size);
    const closed = [...pairOf.keys()].filter(
      (k) => Math.abs(speeds[3 * k]!) <= SLOW * (fastest[pairOf[k]!]! + reach(k)),
    );
    const n = 3 * closed.length;
    const part = new Float64Array(n * n);
    const own = (i: number) => 3 * closed[Math.floor(i / 3)]! + (i % 3);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) part[i * n + j] = matrix[own(i) * rows + own(j)]!;
    const slips = new Float64Array(2 * closed.length).fill(Number.NaN);
    for (const [i, k] of closed.entries()) {
      const [x, y] = [speeds[3 * k + 1]!, speeds[3 * k + 2]!];
      const slip = Math.hypot(x, y);
      if (!(slip > STILL * reach(k) + SLOW * fastest[pairOf[k]!]!)) continue;
      slips[2 * i] = x / slip;
      slips[2 * i + 1] = y / slip;
    }
    const { forces, rates, jammed } = solveCoulomb({
      count: closed.length,
      matrix: part,
      free: Float64Array.from({ length: n }, (_, i) => free[own(i)]!),
      friction: Float64Array.from(closed, (k) => friction[k]!),
      slips,
    });
    if (jammed >= 0) throw jamming(near[pairOf[closed[jammed]!]!]!.pair);
    for (const [p, { pair, touch, known }] of near.entries()) {
      const members = [...closed.keys()].filter((i) => pairOf[closed[i]!] === p);
      const weight = (i: number) => scales[closed[i]!]! / part[3 * i * n + 3 * i]!;
      const isPressed = members.some((i) => forces[3 * i]! > LIGHT * weight(i));
      const isOpen = this.opened.pairs.has(pair.index) || this.hasCrossed(pair, 1, crossed);
      const presses = members.filter(
        (i) =>
          rates[3 * i]! <= LIGHT * 10 * scales[closed[i]!]! &&
          !(isOpen && members.length === 1 && forces[3 * i]! <= REACHED * weight(i)),
      );
      if (!isPressed || presses.length === 0) {
        pair.patch.take([]);
        if (isOpen) this.opened.pairs.add(pair.index);
        continue;
      }
      const points = new Map(presses.map((i) => [closed[i]! - firsts[p]!, i]));
      pair.patch.take(known.map((point, k) => ({ ...point, presses: points.has(k) })));
      pair.touch = touch;
      touch.renew();
      const isSlipping = presses.some((i) => !Number.isNaN(slips[2 * i]!));
      const isStarting = presses.some(
        (i) => Math.hypot(rates[3 * i + 1]!, rates[3 * i + 2]!) > LIGHT * 10 * scales[closed[i]!]!,
      );
      touch.hold = pair.law.friction === 0 ? 'smooth' : isSlipping || isStarting ? 'slide' : 'stick';
      if (touch.hold !== 'slide') continue;
      this.place(pair);
      for (const [at, i] of [...points.values()].entries()) {
        const isOwn = !Number.isNaN(slips[2 * i]!);
        let [x, y] = isOwn ? [slips[2 * i]!, slips[2 * i + 1]!] : [rates[3 * i + 1]!, rates[3 * i + 2]!];
        if (Math.hypot(x, y) === 0) [x, y] = [-forces[3 * i + 1]!, -forces[3 * i + 2]!];
        const k = closed[i]!;
        for (let c = 0; c < 3; c++)
          e[c] = x * directions[9 * k + 3 + c]! + y * directions[9 * k + 6 + c]!;
        this.direct(touch, at);
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

  private hasCrossed(pair: RigidPair, which: number, crossed: readonly number[]): boolean {
    return crossed.includes(INDICATORS * this.present.indexOf(pair) + which);
  }

  /** Installs what was chosen, and takes off what does not press after all, or does not stick. */
  private settle(moved: Moved, near: readonly Meeting[], crossed: readonly number[]): void {
    const { mechanism } = this;
    const slack = new Map(near.map(({ pair }) => [pair, REACHED]));
    const most = 4 * near.reduce((sum, { known }) => sum + known.length, 0) + 10;
    for (let round = 0; round < most; round++) {
      this.install();
      if (this.touching().length === 0) {
        mechanism.locate(moved.q, moved.v);
        return;
      }
      mechanism.project(moved.q, moved.v);
      moved.accelerate();
      if (mechanism.multipliers.isJammed) throw jamming(this.touching()[0]!);
      if (!this.correct(crossed, slack)) return;
    }
  }

  /** Takes the worst mistake off; false where there is none. */
  private correct(crossed: readonly number[], slack: Map<RigidPair, number>): boolean {
    const { values } = this.mechanism.multipliers;
    for (const [pair, row] of this.rows()) {
      const touch = pair.touch!;
      const { count } = touch;
      const normals = values.subarray(row, row + count);
      const largest = Math.max(...normals.map(Math.abs));
      let worst = 0;
      for (let k = 1; k < count; k++) if (normals[k]! < normals[worst]!) worst = k;
      const reached = this.hasCrossed(pair, 1, crossed) && count > 1 ? slack.get(pair)! : -LIGHT;
      if (normals[worst]! < reached * largest) {
        slack.set(pair, -LIGHT);
        this.lift(pair, worst);
        return true;
      }
      if (touch.hold !== 'stick') continue;
      const { needed, motion, places } = this.limit(touch, row);
      const allowed = this.hasCrossed(pair, 2, crossed) ? 1 - REACHED : 1 + LIGHT;
      if (needed <= pair.law.friction * allowed) continue;
      touch.hold = 'slide';
      this.place(pair);
      const across = [0, 1].map((axis) => {
        acrossOf(touch.normal, axis, e);
        return [...e];
      });
      for (let k = 0; k < count; k++) {
        const x = motion[0]! - motion[2]! * places[2 * k + 1]!;
        const y = motion[1]! + motion[2]! * places[2 * k]!;
        for (let i = 0; i < 3; i++) e[i] = -x * across[0]![i]! - y * across[1]![i]!;
        this.direct(touch, k);
      }
      return true;
    }
    return false;
  }

  /** Point number k of those that press does so no more. */
  private lift(pair: RigidPair, k: number): void {
    const { patch } = pair;
    const touch = pair.touch!;
    const { directions, hold } = touch;
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
    touch.directions.set(directions.filter((_, i) => Math.floor(i / 3) !== k));
  }
}

interface Meeting extends Touching {
  readonly pair: RigidPair;
}

/** How fast points slide, the slowest of them, in the direction in which they did at the last event; A is turned as `rotation` says. */
function slipOf({ count, slips, directions }: Touch, turn: Float64Array): number {
  let least = Infinity;
  for (let k = 0; k < count; k++) {
    let along = 0;
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += turn[3 * i + j]! * directions[3 * k + j]!;
      along += sum * slips[3 * k + i]!;
    }
    least = Math.min(least, along);
  }
  return least;
}

const overlapping = ({ first, second }: RigidPair, depth: number) =>
  partFailure(
    second.part,
    'bad-body',
    `\`${first.part.path}\` and \`${second.part.path}\` are in each other at the start, by ${shown(depth)} m.`,
    { hint: 'Rigid bodies cannot be. Place them so that they just touch, or leave out `contact` of one of them.' },
  );

const jamming = ({ first, second }: RigidPair) =>
  partFailure(
    second.part,
    'impossible-change',
    `\`${second.part.path}\` slides on \`${first.part.path}\` in such a way that rigid bodies have no force that keeps them apart: friction presses them together the more, the more they press.`,
    { hint: 'Less friction helps, or elastic contact.' },
  );

const rotation = new Float64Array(18);
const position = new Float64Array(6);
const e = new Float64Array(3);
