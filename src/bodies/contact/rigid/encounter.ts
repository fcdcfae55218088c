/**
 * Rigid bodies at an instant: all points at which shapes touch, how these move against each other, and what forces and impulses there do to all of them. From that follow
 * velocities after impacts, and which points press on each other.
 *
 * An impact of two shapes has the restitution of Newton and the friction of Coulomb, at all of their points at once; what would gain energy by that (T. R. Kane, 1984) loses some of
 * its restitution. Where several shapes are involved, they strike in pairs, the fastest first, until nothing approaches; so a row of balls passes on what it gets. Pairs
 * that are equally fast strike together, so that a ball that meets two at once prefers neither; so do those that do not part again, and what does not end is plastic, all at once.
 */
import { solveCoulomb } from '../../dynamics/coulomb.ts';
import { acrossOf, cross, dot } from '../../dynamics/flat.ts';
import { islandsOf } from '../../dynamics/islands.ts';
import type { Mechanism } from '../../dynamics/mechanism.ts';
import type { Touch } from '../../dynamics/touch.ts';
import type { Known } from './patch.ts';

/** Two shapes with points at which they touch. */
export interface TouchingPair {
  readonly touch: Touch;
  /** Links; the number of links is the world. */
  readonly a: number;
  readonly b: number;
  readonly restitution: number;
  readonly size: number;
  readonly known: readonly Known[];
}

/** Pairs strike at most so often, each on average. */
const MOST_STRIKES = 1000;
/** Approaching is what is faster than this part of all speeds, and of those that accelerations reach over the size. */
const APPROACHING = 1e-11;
/** Pairs that approach with this part of the largest speed, or more, are equally fast. */
const EQUALLY = 1 - 1e-9;
/** Rebounds that rise less than this part of the size are none. */
const REBOUND = 1e-10;
/** What slips faster than this part of the speed that accelerations reach over the size goes on to do so. */
const SLIPPING = 1e-5;
/** What rests beside what rebounds is slower, by this part of the energy. */
const RESTING = 1e-4;
/** Accelerations that are none are smaller than this part of the square of speeds by the size, and speeds than this part of those of links. */
const ROUNDED = 1e-10;
const ROUNDED_SPEED = 1e-14;
/** So often forces are corrected of which the size is wanted. */
const ROUNDS = 50;

export class Encounter {
  /** Points of all pairs, one after the other, and of each its pair. */
  readonly count: number;
  readonly pairOf: Int32Array;
  readonly firsts: Int32Array;
  readonly friction: Float64Array;
  /** W of `coulomb.ts`. */
  readonly matrix: Float64Array;
  /** Velocities, of each point along its normal and across. */
  readonly speeds: Float64Array;
  /** Accelerations without forces of contact. */
  readonly free: Float64Array;
  readonly biases: Float64Array;
  /** How large accelerations are that meet at a point, or at others of its island: what presses two bodies may act on a third one, or on all of them alike. */
  readonly scales: Float64Array;
  /** Accelerations by which points that part are pressed back. */
  private readonly back: Float64Array;
  /** Of each pair, and of closures after them, its island: the number of one of its pairs. */
  private readonly islands: Int32Array;
  /** Of each row 6, on a and on b. */
  private readonly onA: Float64Array;
  private readonly onB: Float64Array;
  /** Of each row its direction. */
  readonly directions: Float64Array;

  /** The fastest that anything was at this instant. */
  before = 0;

  constructor(
    private readonly mechanism: Mechanism,
    readonly pairs: readonly TouchingPair[],
  ) {
    this.firsts = new Int32Array(pairs.length + 1);
    for (const [k, { known }] of pairs.entries()) this.firsts[k + 1] = this.firsts[k]! + known.length;
    this.count = this.firsts[pairs.length]!;
    this.pairOf = Int32Array.from(pairs.flatMap(({ known }, k) => known.map(() => k)));
    this.friction = Float64Array.from(this.pairOf, (k) => pairs[k]!.touch.friction);
    const rows = 3 * this.count;
    this.matrix = new Float64Array(rows * rows);
    this.speeds = new Float64Array(rows);
    this.free = new Float64Array(rows);
    this.biases = new Float64Array(rows);
    this.scales = new Float64Array(this.count);
    this.onA = new Float64Array(6 * rows);
    this.onB = new Float64Array(6 * rows);
    this.directions = new Float64Array(3 * rows);
    this.back = new Float64Array(this.count);
    this.islands = islandsOf(mechanism.tree, [...pairs, ...mechanism.closures.ties()]);
    for (const [k, { a, b, touch }] of pairs.entries()) this.write(this.firsts[k]!, a, b, touch);
    this.respond();
    this.look();
  }

  private write(first: number, a: number, b: number, touch: Touch): void {
    const apart = apartOf(this.mechanism, a, b);
    for (let k = 0; k < touch.count; k++)
      for (let axis = 0; axis < 3; axis++) {
        const row = 3 * (first + k) + axis;
        for (let i = 0; i < 3; i++) n[i] = touch.normals[3 * k + i]!;
        if (axis === 0) e.set(n);
        else acrossOf(n, axis - 1, e);
        this.directions.set(e, 3 * row);
        for (let i = 0; i < 3; i++) arm[i] = touch.points[3 * k + i]!;
        cross(arm, e, t);
        for (let i = 0; i < 3; i++) {
          this.onA[6 * row + i] = -t[i]!;
          this.onA[6 * row + 3 + i] = this.onB[6 * row + 3 + i] = e[i]!;
          this.onA[6 * row + 3 + i]! *= -1;
          arm[i] = arm[i]! - apart[i]!;
        }
        cross(arm, e, t);
        for (let i = 0; i < 3; i++) this.onB[6 * row + i] = t[i]!;
      }
  }

  /** What each force does to all points. */
  private respond(): void {
    const { mechanism, matrix, islands, pairOf } = this;
    const rows = 3 * this.count;
    const islandOf = (row: number) => islands[pairOf[Math.floor(row / 3)]!]!;
    for (let column = 0; column < rows; column++) {
      mechanism.strike((wrenches) => this.push(column, 1, wrenches));
      for (let row = 0; row < rows; row++)
        if (islandOf(row) === islandOf(column))
          matrix[row * rows + column] = this.rate(row, mechanism.response.accelerations);
    }
  }

  private push(row: number, by: number, wrenches: Float64Array): void {
    const { a, b } = this.pairs[this.pairOf[Math.floor(row / 3)]!]!;
    for (let i = 0; i < 6; i++) {
      wrenches[6 * a + i]! += by * this.onA[6 * row + i]!;
      wrenches[6 * b + i]! += by * this.onB[6 * row + i]!;
    }
  }

  private rate(row: number, of: Float64Array): number {
    const { a, b } = this.pairs[this.pairOf[Math.floor(row / 3)]!]!;
    let sum = 0;
    for (let i = 0; i < 6; i++)
      sum += this.onA[6 * row + i]! * of[6 * a + i]! + this.onB[6 * row + i]! * of[6 * b + i]!;
    return sum;
  }

  /** Takes note of velocities. */
  look(): void {
    for (let row = 0; row < 3 * this.count; row++)
      this.speeds[row] = this.rate(row, this.mechanism.motion.velocities);
  }

  /** Of each pair: the fastest that any point of its island moves along any axis. */
  fastest(): Float64Array {
    const { speeds, islands, pairOf } = this;
    const most = new Float64Array(this.pairs.length);
    for (const [row, speed] of speeds.entries()) {
      const island = islands[pairOf[Math.floor(row / 3)]!]!;
      most[island] = Math.max(most[island]!, Math.abs(speed));
    }
    return most.map((_, pair) => most[islands[pair]!]!);
  }

  /** How fast a link moves, and what is so large turns with it. */
  private speedOf(link: number, size: number): number {
    const { velocities } = this.mechanism.motion;
    const length = (at: number) => Math.hypot(velocities[at]!, velocities[at + 1]!, velocities[at + 2]!);
    return size * length(6 * link) + length(6 * link + 3);
  }

  /** Takes note of accelerations, which the mechanism has computed. */
  feel(): void {
    const { motion, articulated, tree } = this.mechanism;
    const { velocities } = motion;
    const largest = new Float64Array(this.pairs.length);
    for (let k = 0; k < this.count; k++) {
      const pair = this.pairOf[k]!;
      const { a, b, touch, size: width } = this.pairs[pair]!;
      const at = k - this.firsts[pair]!;
      // Without forces, rounding errors of speeds are all that there is.
      const fastest = Math.max(this.before, this.speedOf(a, width) + this.speedOf(b, width));
      const least = (ROUNDED * fastest ** 2) / width;
      carry(velocities, a, b, touch.pointRates, 3 * at);
      for (let axis = 0; axis < 3; axis++) {
        const row = 3 * k + axis;
        for (let i = 0; i < 3; i++) e[i] = this.directions[3 * row + i]!;
        let bias = dot(e, drift);
        if (axis === 0)
          for (let i = 0; i < 3; i++) {
            const rate = touch.normalRates[3 * at + i]!;
            for (let other = 0; other < 3; other++)
              bias += rate * this.directions[9 * k + 3 * other + i]! * this.speeds[3 * k + other]!;
          }
        const own = this.rate(row, articulated.accelerations);
        this.biases[row] = bias;
        this.free[row] = own + bias;
        let size = Math.abs(bias) + least;
        // Accelerations are seen from a frame that falls: the world has that of gravity.
        for (const link of [a, b, tree.n])
          for (let i = 0; i < 3; i++) size += Math.abs(articulated.accelerations[6 * link + 3 + i]!);
        const island = this.islands[pair]!;
        largest[island] = Math.max(largest[island]!, size);
      }
    }
    for (let k = 0; k < this.count; k++) this.scales[k] = largest[this.islands[this.pairOf[k]!]!]!;
    this.press();
  }

  /** The acceleration along the normal of a point, as the mechanism has computed it since. */
  acceleration(k: number): number {
    return this.rate(3 * k, this.mechanism.articulated.accelerations) + this.biases[3 * k]!;
  }

  /** That across the normal. */
  across(k: number, into: Float64Array): void {
    into.fill(0);
    for (let row = 3 * k + 1; row < 3 * k + 3; row++) {
      const along = this.rate(row, this.mechanism.articulated.accelerations) + this.biases[row]!;
      for (let i = 0; i < 3; i++) into[i]! += along * this.directions[3 * row + i]!;
    }
  }

  /** The slip of a point, along an axis of the world. */
  slip(k: number, axis: number): number {
    return this.along(k, this.speeds[3 * k + 1]!, this.speeds[3 * k + 2]!, axis);
  }

  /** What a vector across the normal of a point has along an axis of the world. */
  along(k: number, x: number, y: number, axis: number): number {
    return x * this.directions[9 * k + 3 + axis]! + y * this.directions[9 * k + 6 + axis]!;
  }

  /** Forces of points that do not part, and their accelerations; those that slip go on to do so. */
  bear(closed: readonly { readonly k: number; readonly isSlipping: boolean }[]) {
    const rows = 3 * this.count;
    const n = 3 * closed.length;
    const own = (i: number) => 3 * closed[Math.floor(i / 3)]!.k + (i % 3);
    const matrix = new Float64Array(n * n);
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) matrix[i * n + j] = this.matrix[own(i) * rows + own(j)]!;
    const slips = new Float64Array(2 * closed.length).fill(Number.NaN);
    for (const [i, { k, isSlipping }] of closed.entries()) {
      const [x, y] = [this.speeds[3 * k + 1]!, this.speeds[3 * k + 2]!];
      const slip = Math.hypot(x, y);
      if (isSlipping && slip > 0) slips.set([x / slip, y / slip], 2 * i);
    }
    const { forces, rates, jammed } = solveCoulomb({
      count: closed.length,
      matrix,
      free: Float64Array.from({ length: n }, (_, i) => this.free[own(i)]!),
      friction: Float64Array.from(closed, ({ k }) => this.friction[k]!),
      slips,
    });
    const points = closed.map(({ k }) => k);
    return { forces, rates, points, jammed: jammed < 0 ? -1 : points[jammed]! };
  }

  /**
   * Impulses of all points, such that no pair approaches any more: `speeds` are those after it. Undefined where nothing does. `isSlow` where rebounds are not worth it: `free`
   * is known.
   */
  collide(): Float64Array | undefined {
    const { speeds, count, pairs } = this;
    const rows = 3 * count;
    let fastest = this.before;
    for (let row = 0; row < rows; row++) fastest = Math.max(fastest, Math.abs(speeds[row]!));
    for (let k = 0; k < count; k++)
      fastest = Math.max(fastest, Math.sqrt(this.scales[k]! * pairs[this.pairOf[k]!]!.size));
    let least = APPROACHING * fastest;
    for (const { a, b, size } of pairs)
      least = Math.max(least, ROUNDED_SPEED * (this.speedOf(a, size) + this.speedOf(b, size)));
    const impulses = new Float64Array(rows);
    if (this.approaching(least) < 0) return undefined;
    const all = [...this.pairOf.keys()];
    for (let strikes = 0; ; strikes++) {
      const pair = this.approaching(least);
      if (pair < 0) return impulses;
      if (strikes >= MOST_STRIKES * pairs.length) {
        this.strike(all, false, impulses);
        return impulses;
      }
      const rebounds = this.rebounds(pair);
      const enough = rebounds ? EQUALLY * this.approach(pair) : -Infinity;
      const isStruck = (other: number) =>
        other === pair ||
        (this.islands[other] === this.islands[pair] &&
          this.rebounds(other) === rebounds &&
          this.approach(other) >= enough);
      this.strike(
        all.filter((k) => isStruck(this.pairOf[k]!)),
        rebounds,
        impulses,
      );
      if (pairs.length === 1) return impulses;
    }
  }

  /** Whether a pair that strikes parts again. */
  private rebounds(pair: number): boolean {
    if (this.pairs[pair]!.restitution === 0) return false;
    for (let k = this.firsts[pair]!; k < this.firsts[pair + 1]!; k++)
      if (this.speeds[3 * k]! < 0 && !this.isSlow(k)) return true;
    return false;
  }

  /** The pair that approaches fastest, if any does. */
  private approaching(least: number): number {
    let [found, most] = [-1, least];
    for (let k = 0; k < this.count; k++)
      if (-this.speeds[3 * k]! > most) {
        most = -this.speeds[3 * k]!;
        found = this.pairOf[k]!;
      }
    return found;
  }

  /** How fast the points of a pair approach at most. */
  private approach(pair: number): number {
    let most = 0;
    for (let k = this.firsts[pair]!; k < this.firsts[pair + 1]!; k++)
      most = Math.max(most, -this.speeds[3 * k]!);
    return most;
  }

  /** Points strike, all at once. */
  private strike(points: readonly number[], rebounds: boolean, impulses: Float64Array): void {
    const { matrix, speeds, count } = this;
    const rows = 3 * count;
    const own = points.flatMap((k) => [3 * k, 3 * k + 1, 3 * k + 2]);
    const part = Float64Array.from(own.flatMap((row) => own.map((column) => matrix[row * rows + column]!)));
    const before = Float64Array.from(own, (row) => speeds[row]!);
    const after = (restitutionOf: (k: number) => number) => {
      const free = before.slice();
      for (const [i, k] of points.entries()) if (free[3 * i]! < 0) free[3 * i]! *= 1 + restitutionOf(k);
      return solveCoulomb({
        count: points.length,
        matrix: part,
        free,
        friction: Float64Array.from(points, (k) => this.friction[k]!),
        slips: new Float64Array(2 * points.length).fill(Number.NaN),
      }).forces;
    };
    const plastic = after(() => 0);
    const restitution = (k: number) => (this.isSlow(k) ? 0 : this.pairs[this.pairOf[k]!]!.restitution);
    const forces = rebounds ? blended(plastic, after(restitution), part, before) : plastic;
    for (const [i, column] of own.entries()) {
      impulses[column]! += forces[i]!;
      for (let row = 0; row < rows; row++) speeds[row]! += matrix[row * rows + column]! * forces[i]!;
    }
  }

  /** Whether a point would be pressed back at once. */
  isSlow(k: number): boolean {
    return this.isSlower(k, this.back[k]!);
  }

  /** Whether an acceleration takes back the speed of a point on a way that is none. */
  private isSlower(k: number, acceleration: number): boolean {
    const { size } = this.pairs[this.pairOf[k]!]!;
    return this.speeds[3 * k]! ** 2 < 2 * REBOUND * size * acceleration;
  }

  /**
   * How strongly points are pressed back that part: what falls on a box that rests is not pressed on it by its own weight alone, but by the ground under the box. So
   * what may be at rest gets the forces that hold it, about, with the friction of what slips; what is left without those of the own pair is pressing. A box that rocks is
   * pressed back by what its other edge bears: so is what moves pressed by all that rests.
   */
  private press(): void {
    const { count, pairOf, back } = this;
    const isSlow = (k: number, share: number) => this.isSlower(k, share * this.scales[k]!);
    const slow = [...pairOf.keys()].filter((k) => isSlow(k, 1));
    const resting = slow.filter((k) => isSlow(k, RESTING));
    const forces = this.supports(slow);
    const rest = resting.length < slow.length ? this.supports(resting) : forces;
    const isResting = new Uint8Array(count);
    for (const k of resting) isResting[k] = 1;
    for (let k = 0; k < count; k++) {
      const others = slow.filter((other) => pairOf[other] !== pairOf[k]);
      const pressed = isResting[k] ? 0 : -this.pushed(k, resting, rest);
      back[k] = Math.max(0, -this.pushed(k, others, forces), pressed);
    }
  }

  /** Forces along normals by which points would rest, about. */
  private supports(points: readonly number[]): Float64Array {
    const { count, matrix } = this;
    const forces = new Float64Array(count);
    for (let round = 0; round < ROUNDS; round++)
      for (const k of points)
        forces[k] = Math.max(
          0,
          forces[k]! - this.pushed(k, points, forces) / matrix[3 * k * (3 * count + 1)]!,
        );
    return forces;
  }

  /** The acceleration of a point along its normal where forces act at others. */
  private pushed(k: number, points: readonly number[], forces: Float64Array): number {
    const { matrix, speeds, friction } = this;
    const row = 9 * k * this.count;
    let sum = this.free[3 * k]!;
    for (const other of points) {
      const force = forces[other]!;
      if (force === 0) continue;
      sum += matrix[row + 3 * other]! * force;
      const [x, y] = [speeds[3 * other + 1]!, speeds[3 * other + 2]!];
      const slip = Math.hypot(x, y);
      if (!(slip > this.reach(other, SLIPPING))) continue;
      const share = (friction[other]! * force) / slip;
      sum -= share * (x * matrix[row + 3 * other + 1]! + y * matrix[row + 3 * other + 2]!);
    }
    return sum;
  }

  /** A part of the speed that accelerations reach over the size. */
  private reach(k: number, part: number): number {
    return part * Math.sqrt(this.scales[k]! * this.pairs[this.pairOf[k]!]!.size);
  }

  /** What the second shape of a pair gets of impulses, along the axes of the world: angular impulse about P_a, and impulse. */
  impulseOn(pair: number, impulses: Float64Array): Float64Array {
    const sum = new Float64Array(6);
    for (let row = 3 * this.firsts[pair]!; row < 3 * this.firsts[pair + 1]!; row++)
      for (let i = 0; i < 6; i++) sum[i]! -= impulses[row]! * this.onA[6 * row + i]!;
    return sum;
  }

  /** Gives the mechanism the impulses, as changes of `v`. */
  apply(impulses: Float64Array, v: Float64Array): void {
    this.mechanism.strike((wrenches) => {
      for (let row = 0; row < impulses.length; row++)
        if (impulses[row] !== 0) this.push(row, impulses[row]!, wrenches);
    });
    const { a } = this.mechanism.response;
    for (let i = 0; i < v.length; i++) v[i]! += a[i]!;
  }
}

/** As much of the restitution as does not gain energy. */
function blended(
  plastic: Float64Array,
  full: Float64Array,
  matrix: Float64Array,
  before: Float64Array,
): Float64Array {
  const n = plastic.length;
  const step = full.map((p, i) => p - plastic[i]!);
  const times = (x: Float64Array) =>
    x.map((_, i) => {
      let sum = 0;
      for (let j = 0; j < n; j++) sum += matrix[i * n + j]! * x[j]!;
      return sum;
    });
  const product = (x: Float64Array, y: Float64Array) => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  // Energy gained: p.v + p W p / 2 with p = plastic + s step.
  const [ofPlastic, ofStep] = [times(plastic), times(step)];
  const constant = product(plastic, before) + product(plastic, ofPlastic) / 2;
  const linear = product(step, before) + product(step, ofPlastic);
  const square = product(step, ofStep) / 2;
  const size = Math.abs(product(full, before));
  if (constant + linear + square <= 1e-13 * size) return full;
  const root = Math.sqrt(Math.max(0, linear * linear - 4 * square * constant));
  const share = square > 0 ? Math.min(1, Math.max(0, (root - linear) / (2 * square))) : 0;
  return plastic.map((p, i) => p + share * step[i]!);
}

/** From P_a to P_b. */
export function apartOf(
  { motion }: Mechanism,
  a: number,
  b: number,
  into: Float64Array = new Float64Array(3),
): Float64Array {
  const { tree, places, bases } = motion;
  const { n, root } = tree;
  const [rootA, rootB] = [a === n ? n : root[a]!, b === n ? n : root[b]!];
  for (let i = 0; i < 3; i++) {
    into[i] = places[3 * b + i]! - places[3 * a + i]!;
    if (rootA !== rootB) into[i]! += bases[3 * rootB + i]! - bases[3 * rootA + i]!;
  }
  return into;
}

/** What the velocity of b past a changes by, besides accelerations, at a place that moves: `drift`. */
function carry(velocities: Float64Array, a: number, b: number, rates: Float64Array, at: number): void {
  for (const [link, sign] of [
    [b, 1],
    [a, -1],
  ] as const) {
    for (let i = 0; i < 3; i++) {
      w[i] = velocities[6 * link + i]!;
      arm[i] = rates[at + i]! - velocities[6 * link + 3 + i]!;
    }
    cross(w, arm, t);
    for (let i = 0; i < 3; i++) drift[i] = (sign > 0 ? 0 : drift[i]!) + sign * t[i]!;
  }
}

const e = new Float64Array(3);
const n = new Float64Array(3);
const arm = new Float64Array(3);
const t = new Float64Array(3);
const w = new Float64Array(3);
const drift = new Float64Array(3);
