/**
 * Two shapes that may touch: where they are next to each other, and what they do to each other while they overlap. Where faces meet, the force is spread
 * over the points of contact, by their weights; friction acts at the centre of pressure.
 */
import type { Frames } from '../../frames.ts';
import type { Collider } from '../../scene/scene.ts';
import { Pair } from '../distance.ts';
import {
  bouncing,
  damping,
  dampingAt,
  hertz,
  LEAST_BENT,
  SLOW,
  slipping,
  smooth,
  type Touching,
} from '../law.ts';
import { Manifold, MOST_POINTS } from '../manifold.ts';
import type { Pressing } from '../sensed.ts';
import { along, flatten, type Rubbing, rub, straighten } from './friction.ts';

/** The numbers of a contact among the states, and where they are: how fast its shapes met, the work that pressed them in, how bristles are bent and twisted. */
export const STATES = 8;
export const [MET, STORED, BENT, TWISTED] = [0, 1, 2, 5];

/** Points of faces count that are apart by less than this share of the smaller shape. */
const NEAR = 1e-3;
/** What touches does so until it is apart by this share of the smaller shape. */
const APART = 1e-10;
/**
 * How far what resists spinning is from the centre, by the distance of the outermost points: at one point with the pressure of Hertz, otherwise as of pressure that is
 * even, along a line between two points, over a square between four, and over a disc, whose rim has eight.
 */
const HERTZ = (3 * Math.PI) / 16;
const LINE = 1 / 2;
const SQUARE = (Math.SQRT2 + Math.asinh(1)) / (3 * Math.SQRT2);
const DISC = 2 / 3;
/** How much faster than a depth grows the speed with which it does is taken note of. */
const NOTE = 10;
/** Points that are nearest but for this part of the size touch at once. */
const AT_ONCE = 1e-6;
/** By how much faster a depth must grow than when shapes met. What falls gets a little faster still; implicit methods go astray where that counts for an instant only. */
const MARGIN = 1.1;

/** Work below this share of the energy with which shapes met is not told from none: it is what errors of a run can be. */
const NO_WORK = 1e-4;
/** By how much stiffer or softer than the law they may be for that. */
const MOST = 2;

export class Contact implements Rubbing, Pressing {
  readonly manifold: Manifold;
  /** Whether they overlap. */
  touches = false;
  /** While they touch: which place among the states is theirs, and what was there at the last event. */
  slot = -1;
  readonly kept = new Float64Array(STATES);
  /** Whether they come apart again, after having met with a speed. */
  isReturning = false;
  /** The common radius of curvature where they met, as long as they touch: a stiffness that changed would give or take energy. Zero where both are flat. */
  radius = 0;
  /** As long as they touch: the most energy that their springs had. */
  most = 0;
  /** As long as they touch: how deep they were in each other at most. */
  deepest = 0;

  /** After `press`: where they press on each other; from there on all is as in `Rubbing`. */
  readonly at = new Float64Array(3);
  readonly n: Float64Array;
  normal = 0;
  depth = 0;
  rate = 0;
  room = 0;
  stiffness = 0;
  lag = 0;
  lever = 0;
  readonly slip = new Float64Array(3);
  readonly turn = new Float64Array(3);
  carried = 0;
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  /** How what is among the states changes. */
  readonly rates = new Float64Array(STATES);
  readonly bending = this.rates.subarray(BENT, TWISTED);
  readonly twisting = this.rates.subarray(TWISTED, STATES);
  /** The energy of the springs of all points, as the law says. */
  private energy = 0;
  /** By how much points go deeper, or less deep, than they all do. */
  private tilting = 0;

  /** How deep they were when they ceased to be able to touch, as where one was fixed in the other: that deep they may be when they can again. */
  left = 0;

  /** The mass that moves when they are pressed together. */
  mass = 1;

  private readonly damping: number;
  private readonly margin: number;
  /** What touches does so until they are apart by this much: distances that are zero are so but for rounding. */
  readonly gap: number;
  /** How far apart their origins are when they can no longer touch. */
  private readonly reach: number;
  readonly flat: number;
  /** Whether they touch in a single point always. */
  private readonly isPoint: boolean;

  constructor(
    readonly first: Collider,
    readonly second: Collider,
    readonly law: Touching,
  ) {
    this.manifold = new Manifold(new Pair(first.convex, second.convex));
    this.n = this.manifold.normal;
    this.damping = damping(law.restitution);
    const size = Math.min(first.convex.size, second.convex.size);
    this.margin = NEAR * size;
    this.gap = APART * size;
    this.flat = size / 2;
    this.isPoint = [first, second].some(({ convex: { kind } }) => kind === 'point' || kind === 'ellipsoid');
    this.reach = first.reach + second.reach;
  }

  /** What is left of the work that pressed them in, now that they have parted, by the energy with which they met: lost if positive, else gained. Zero where other forces pressed more than that. */
  get astray(): number {
    const met = this.kept[MET]!;
    const isImpact = bouncing(met) === 1 && this.most <= 2 * this.energyOf(met);
    return isImpact && !this.isPoint ? this.kept[STORED]! : 0;
  }

  /** Takes note of how much energy their springs have, and how deep they are. After `press`. */
  note(met: number): void {
    this.deepest = Math.max(this.deepest, -this.manifold.pair.distance);
    this.most = Math.max(this.most, this.energy * this.energyOf(met));
  }

  /** They can no longer touch. */
  cease(): void {
    this.left = -this.manifold.pair.distance;
    this.forget();
  }

  forget(): void {
    this.touches = false;
    this.slot = -1;
    this.isReturning = false;
    this.manifold.forget();
  }

  /** The distance; of shapes that are far apart, less than that. */
  distance(frames: Frames): number {
    const { first, second } = this;
    const { position } = frames;
    const [a, b] = [3 * first.object, 3 * second.object];
    const apart =
      Math.hypot(
        position[b]! - position[a]!,
        position[b + 1]! - position[a + 1]!,
        position[b + 2]! - position[a + 2]!,
      ) - this.reach;
    return apart > 0 ? apart : this.measure(frames);
  }

  /** The distance, however far they are apart. */
  measure({ position, rotation }: Frames): number {
    return this.manifold.pair.measure(rotation, position, this.first.object, this.second.object);
  }

  /** They begin to touch: how fast they come nearer to each other, how they are curved, and bristles that slide from the beginning. After `distance`. */
  meet(frames: Frames): void {
    const { radiusA, radiusB } = this.manifold.pair;
    const { slip, kept } = this;
    const curvature = 1 / radiusA + 1 / radiusB;
    this.radius = curvature > 0 ? 1 / curvature : 0;
    this.touches = true;
    this.most = this.deepest = 0;
    kept.fill(0);
    kept[MET] = this.approach(frames);
    kept[STORED] = this.energyIn() / this.energyOf(kept[MET]!);
    const sliding = Math.hypot(slip[0]!, slip[1]!, slip[2]!);
    if (!(sliding > SLOW && this.law.friction > 0)) return;
    for (let i = 0; i < 3; i++) kept[BENT + i] = (LEAST_BENT * this.flat * slip[i]!) / sliding;
  }

  /** They have come to rest without having parted. After `press`. */
  rest(): void {
    this.isReturning = false;
    this.kept[MET] = 0;
    this.kept[STORED] = this.energyIn() / this.energyOf(0);
  }

  /**
   * How fast they meet. Of several points that touch at once each one gets as deep as its own speed v says, and its force and damping act with the lever of that: the mean is by the power of forces, which
   * grows with v^(5/2). So a rod on a hinge that falls flat rebounds as its restitution says. `slip` is that of where they are nearest to each other.
   */
  private approach(frames: Frames): number {
    const { manifold, n, at, slip, first, second } = this;
    const { pointA, pointB, distance, pair } = manifold;
    const count = manifold.measure(
      frames.rotation,
      frames.position,
      first.object,
      second.object,
      this.margin,
    );
    let [sum, shares] = [0, 0];
    for (let k = 0; k < count; k++) {
      if (distance[k]! > pair.distance + AT_ONCE * this.flat) continue;
      for (let i = 0; i < 3; i++) at[i] = (pointA[3 * k + i]! + pointB[3 * k + i]!) / 2;
      this.move(frames);
      const speed = Math.max(0, -along(slip, 0, n));
      const share = manifold.weight[k]! * speed * speed * Math.sqrt(speed);
      sum += share * speed;
      shares += share;
    }
    const nearest = Math.max(0, -this.moveApart(frames));
    return shares > 0 ? sum / shares : nearest;
  }

  /** How hard they press on each other and rub; its states lie in x from a place on. */
  press(frames: Frames, x: Float64Array, from: number): void {
    const { n, slip, force, rates } = this;
    const met = x[from + MET]!;
    force.fill(0);
    this.torque.fill(0);
    rates.fill(0);
    const elastic = this.pressPoints(frames, met, x[from + STORED]!);
    const { normal, depth } = this;
    this.room = depth + LEAST_BENT * this.flat;
    if (elastic > 0) rates[MET] = this.noting(met);
    if (!this.isPoint) rates[STORED] = this.storing(met, x[from + STORED]!, elastic);
    if (!(normal > 0)) {
      straighten(this, this.moveApart(frames), x, from + BENT, from + TWISTED);
      return;
    }
    for (let i = 0; i < 3; i++) force[i] = normal * n[i]!;
    this.move(frames);
    flatten(slip, 0, n, slip);
    this.stiffness = elastic / depth;
    this.lag = dampingAt(this.damping, met, depth, elastic / this.mass) * depth;
    this.lever = this.isPoint ? 0 : this.leverOf((this.radius || this.flat) * depth);
    rub(this, x, from + BENT, from + TWISTED);
  }

  /** How the speed changes with which they have met: what goes deeper still faster has met with that, and what tilts more than it goes deeper or comes out has not met. */
  private noting(met: number): number {
    const faster = this.rate - MARGIN * met - SLOW;
    const tilting = Math.max(0, this.tilting - Math.abs(this.rate));
    return (faster > 0 ? NOTE * faster * this.rate : -(met * tilting)) / this.room;
  }

  /** How the second moves past the first where they are nearest to each other; gives what of that is along the normal there, and `slip` is the rest. */
  private moveApart(frames: Frames): number {
    const { at, slip } = this;
    const { pointA, pointB, normal } = this.manifold.pair;
    for (let i = 0; i < 3; i++) at[i] = (pointA[i]! + pointB[i]!) / 2;
    this.move(frames);
    const apart = along(slip, 0, normal);
    flatten(slip, 0, normal, slip);
    return apart;
  }

  /** How the second moves past the first at `at`. */
  private move({ position, velocity, angular }: Frames): void {
    const { n, at, slip, turn } = this;
    const [a, b] = [3 * this.first.object, 3 * this.second.object];
    let carried = 0;
    for (let i = 0; i < 3; i++) {
      const [j, k] = [next[i]!, next[i + 1]!];
      slip[i] =
        velocity[b + i]! +
        angular[b + j]! * (at[k]! - position[b + k]!) -
        angular[b + k]! * (at[j]! - position[b + j]!) -
        velocity[a + i]! -
        angular[a + j]! * (at[k]! - position[a + k]!) +
        angular[a + k]! * (at[j]! - position[a + j]!);
      turn[i] = angular[b + i]! - angular[a + i]!;
      carried += (n[i]! * (angular[a + i]! + angular[b + i]!)) / 2;
    }
    this.carried = carried;
  }

  /** Hertz's factor, as long as they touch. */
  private hertz(): number {
    const { first, second, law } = this;
    return law.stiffness * hertz(first.modulus, second.modulus, this.radius || this.flat);
  }

  /** The energy of the springs of all points as the law says, where `manifold` has been measured. */
  private energyIn(): number {
    const { count, distance, weight } = this.manifold;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const own = -distance[k]!;
      if (own > 0) sum += weight[k]! * own * own * Math.sqrt(own);
    }
    return (2 / 5) * this.hertz() * sum;
  }

  /** The energy by which work is measured: about that with which they met. */
  private energyOf(met: number): number {
    return (this.mass * (met * met + SLOW * SLOW)) / 2;
  }

  /**
   * By how much stiffer they are than the law says, so that the work that has pressed them in is what comes out again. The law has a force for each point, and weights of points
   * change with the poses: the energy of these springs is more or less than the work that was done on them. That of a single point is the same always, and that of what rests does not count.
   */
  private stiffening(met: number, stored: number): number {
    const share = this.isPoint ? 0 : bouncing(met);
    if (share === 0) return 1;
    const ratio = (stored + NO_WORK) / (this.energy + NO_WORK);
    return 1 + share * (Math.min(MOST, Math.max(1 / MOST, ratio)) - 1);
  }

  /** How the work changes that is stored; that of what rests follows the springs. */
  private storing(met: number, stored: number, elastic: number): number {
    const unit = this.energyOf(met);
    const slower = (this.mass * met * this.rates[MET]!) / unit;
    const own = (elastic * this.rate) / unit - slower * stored;
    const share = bouncing(met);
    return share === 1
      ? own
      : own + (1 - share) * (this.energy - stored) * slipping(Math.abs(this.rate), this.room);
  }

  /** The normal force, where it acts, the mean depth and how fast that grows; gives the force without damping. */
  private pressPoints(frames: Frames, met: number, stored: number): number {
    const { manifold, n, at, slip, first, second } = this;
    const { pointA, pointB } = manifold;
    const { rotation, position } = frames;
    const count = manifold.measure(rotation, position, first.object, second.object, this.margin);
    this.energy = this.energyIn() / this.energyOf(met);
    const c = this.hertz() * this.stiffening(met, stored);
    let [elastic, depth, rate, pressed, x, y, z] = [0, 0, 0, 0, 0, 0, 0];
    for (let k = 0; k < count; k++) {
      const own = -manifold.distance[k]!;
      springs[k] = 0;
      if (!(own > 0)) continue;
      for (let i = 0; i < 3; i++) at[i] = (pointA[3 * k + i]! + pointB[3 * k + i]!) / 2;
      this.move(frames);
      const growing = -along(slip, 0, n);
      const weight = manifold.weight[k]!;
      const spring = c * weight * own * Math.sqrt(own);
      const damped = 1 + dampingAt(this.damping, met, own, spring / (weight * this.mass)) * growing;
      const force = Math.max(0, spring * damped);
      springs[k] = spring;
      growths[k] = growing;
      elastic += spring;
      depth += spring * own;
      rate += spring * growing;
      pressed += force;
      x += force * at[0]!;
      y += force * at[1]!;
      z += force * at[2]!;
    }
    const touches = elastic > 0;
    this.normal = touches ? pressed : 0;
    this.depth = touches ? depth / elastic : 0;
    this.rate = touches ? rate / elastic : 0;
    this.tilting = 0;
    for (let k = 0; k < count; k++)
      if (springs[k]! > 0) this.tilting += (springs[k]! / elastic) * Math.abs(growths[k]! - this.rate);
    if (pressed > 0) {
      at[0] = x / pressed;
      at[1] = y / pressed;
      at[2] = z / pressed;
    }
    return elastic;
  }

  /** How far from the centre of pressure that acts which resists spinning; `square` is that of the radius of what a point presses on. */
  private leverOf(square: number): number {
    const { manifold, at } = this;
    const { count, pointA, pointB } = manifold;
    if (count === 1) return HERTZ * Math.sqrt(square);
    let [sum, weights, squares] = [0, 0, 0];
    for (let k = 0; k < count; k++) {
      const own = -manifold.distance[k]!;
      if (!(own > 0)) continue;
      const weight = manifold.weight[k]! * own * Math.sqrt(own);
      weights += weight;
      squares += weight * weight;
      for (let i = 0; i < 3; i++)
        sum += weight * ((pointA[3 * k + i]! + pointB[3 * k + i]!) / 2 - at[i]!) ** 2;
    }
    // As many points as press alike.
    const alike = (weights * weights) / squares;
    const share =
      HERTZ +
      (LINE - HERTZ) * smooth(alike - 1) +
      (SQUARE - LINE) * smooth((alike - 2) / 2) +
      (DISC - SQUARE) * smooth((alike - 4) / 4);
    return share * Math.sqrt(sum / weights + square);
  }
}

/** Axes after 0, 1, 2, and after those. */
const next = [1, 2, 0, 1];
/** Of each point: its force without damping, and how fast its depth grows. */
const springs = new Float64Array(MOST_POINTS);
const growths = new Float64Array(MOST_POINTS);
