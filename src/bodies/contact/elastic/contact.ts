/**
 * Two shapes that may touch: where they are next to each other, and what they do to each other while they overlap. Where faces meet, the force is spread
 * over the points of contact, by their weights; friction acts at the centre of pressure.
 */
import type { Frames } from '../../frames.ts';
import type { Collider } from '../../scene/scene.ts';
import { Pair } from '../distance.ts';
import {
  type Bristles,
  bend,
  damping,
  dampingAt,
  hertz,
  LEAST_BENT,
  rollingLag,
  SLOW,
  slipping,
  smooth,
  type Touching,
} from '../law.ts';
import { Manifold, MOST_POINTS } from '../manifold.ts';

/** Points of faces count that are apart by less than this share of the smaller shape. */
const NEAR = 1e-3;
/** What touches does so until it is apart by this share of the smaller shape. */
const APART = 1e-10;
/** How much more easily surfaces give way along each other than into each other (R. D. Mindlin). */
const SIDEWAYS = 0.8;
/** How far what resists spinning is from the centre, by the distance of the outermost points: as of pressure that is even over a face. */
const EVEN = 0.55;
/** How much stiffer what holds back from rolling is than the surface on which it does. */
const ROLLING = 10;
/** How much faster than a depth grows the speed with which it does is taken note of. */
const NOTE = 10;
/** By how much faster a depth must grow than when shapes met. What falls gets a little faster still; implicit methods go astray where that counts for an instant only. */
const MARGIN = 1.1;

export class Contact {
  readonly manifold: Manifold;
  /** Whether they overlap. */
  touches = false;
  /** While they touch: which place among the states is theirs, and what was there at the last event (speed, bent, twisted). */
  slot = -1;
  readonly kept = new Float64Array(7);
  /** Whether they come apart again, after having met with a speed. */
  isReturning = false;
  /** The common radius of curvature where they met, as long as they touch: a stiffness that changed would give or take energy. Zero where both are flat. */
  radius = 0;

  /** After `press`: where they press on each other, normal force, force and torque on the second, of how the second moves past the first and turns against it. */
  readonly at = new Float64Array(3);
  normal = 0;
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  readonly slip = new Float64Array(3);
  readonly turn = new Float64Array(3);
  depth = 0;
  rate = 0;
  /** By how much points go deeper, or less deep, than they all do. */
  private tilting = 0;
  /** How what is among the states changes. */
  readonly rates = new Float64Array(7);
  private readonly bending = this.rates.subarray(1, 4);
  private readonly twisting = this.rates.subarray(4, 7);

  /** The mass that moves when they are pressed together. */
  mass = 1;

  private readonly damping: number;
  private readonly margin: number;
  /** What touches does so until they are apart by this much: distances that are zero are so but for rounding. */
  readonly gap: number;
  /** How far apart their origins are when they can no longer touch. */
  private readonly reach: number;
  /** The radius of what is flat. */
  private readonly flat: number;
  /** Whether they touch in a single point always. */
  private readonly isPoint: boolean;

  constructor(
    readonly first: Collider,
    readonly second: Collider,
    readonly law: Touching,
  ) {
    this.manifold = new Manifold(new Pair(first.convex, second.convex));
    this.damping = damping(law.restitution);
    const size = Math.min(first.convex.size, second.convex.size);
    this.margin = NEAR * size;
    this.gap = APART * size;
    this.flat = size / 2;
    this.isPoint = [first, second].some(({ convex: { kind } }) => kind === 'point' || kind === 'ellipsoid');
    this.reach = first.reach + second.reach;
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
    const { pointA, pointB, normal: n, radiusA, radiusB } = this.manifold.pair;
    const curvature = 1 / radiusA + 1 / radiusB;
    this.radius = curvature > 0 ? 1 / curvature : 0;
    const { slip, kept } = this;
    this.touches = true;
    for (let i = 0; i < 3; i++) this.at[i] = (pointA[i]! + pointB[i]!) / 2;
    this.move(frames);
    kept.fill(0);
    const along = slip[0]! * n[0]! + slip[1]! * n[1]! + slip[2]! * n[2]!;
    kept[0] = Math.max(0, -along);
    flatten(slip, 0, n, deflection);
    const sliding = Math.hypot(deflection[0]!, deflection[1]!, deflection[2]!);
    if (!(sliding > SLOW && this.law.friction > 0)) return;
    for (let i = 0; i < 3; i++) kept[1 + i] = (LEAST_BENT * this.flat * deflection[i]!) / sliding;
  }

  /** How the second moves past the first at `at`. */
  private move({ position, velocity, angular }: Frames): void {
    const { at, slip, turn } = this;
    const [a, b] = [3 * this.first.object, 3 * this.second.object];
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
    }
  }

  /** How hard they press on each other and rub; its states lie in x from a place on. */
  press(frames: Frames, x: Float64Array, from: number): void {
    const { manifold, force, torque, slip, turn, bending, twisting, law } = this;
    const met = x[from]!;
    force.fill(0);
    torque.fill(0);
    this.rates.fill(0);
    this.normal = this.depth = this.rate = 0;
    const elastic = this.pressPoints(frames, met);
    const { depth, rate, normal: pressed } = this;
    const room = depth + LEAST_BENT * this.flat;
    if (elastic > 0) {
      const faster = rate - MARGIN * met - SLOW;
      if (faster > 0) this.rates[0] = (NOTE * faster * rate) / room;
      else this.rates[0] = -(met * this.tilting) / room;
    }
    if (!(pressed > 0)) {
      this.straighten(frames, x, from, room);
      return;
    }
    const n = manifold.normal;
    for (let i = 0; i < 3; i++) force[i] = pressed * n[i]!;
    this.move(frames);
    const along = slip[0]! * n[0]! + slip[1]! * n[1]! + slip[2]! * n[2]!;
    for (let i = 0; i < 3; i++) slip[i] = slip[i]! - along * n[i]!;
    const { angular } = frames;
    const [a, b] = [3 * this.first.object, 3 * this.second.object];
    const spin = turn[0]! * n[0]! + turn[1]! * n[1]! + turn[2]! * n[2]!;
    const growth = rate > 0 ? rate / depth : 0;
    const stiffness = elastic / depth;
    const lag = dampingAt(this.damping, met, depth, elastic / this.mass) * depth;
    const { radius } = this;
    const lever = this.isPoint ? 0 : EVEN * Math.sqrt(this.spread() + (radius || this.flat) * depth);
    const patch = stiffness * radius * depth;
    const most = pressed * (law.friction * lever + law.rolling * radius);
    bristles.least = LEAST_BENT;
    bristles.lag = lag;
    bristles.wiped = 0;
    bristles.growth = 1.5 * growth;
    const turning = slipping(
      Math.hypot(turn[0]!, turn[1]!, turn[2]!) * (radius || lever) + Math.abs(rate),
      room,
    );
    bristles.slipping = turning;
    let spinning = 0;
    if (most > 0) {
      const twist = x[from + 4]! * n[0]! + x[from + 5]! * n[1]! + x[from + 6]! * n[2]!;
      for (let i = 0; i < 3; i++) {
        deflection[i] = twist * n[i]!;
        speed[i] = spin * n[i]!;
      }
      bristles.stiffness = SIDEWAYS * stiffness * lever * lever + patch;
      spinning = smooth(2 * bend(deflection, speed, most, bristles, torque, twisting) - 1);
    }
    if (law.friction > 0) {
      flatten(x, from + 1, n, deflection);
      bristles.least = LEAST_BENT * this.flat;
      // What spins on a face wipes its bristles: friction only holds back what moves as fast as that.
      bristles.wiped = (spinning * Math.abs(spin) * lever) / Math.max(bristles.least, law.friction * room);
      bristles.lag = lag * (1 - spinning);
      bristles.stiffness = SIDEWAYS * stiffness;
      bristles.growth = growth / 2;
      bristles.slipping = slipping(Math.hypot(slip[0]!, slip[1]!, slip[2]!) + Math.abs(rate), room);
      bend(deflection, slip, law.friction * pressed, bristles, force, bending);
      // Bristles turn about the normal with the bodies.
      let mean = 0;
      for (let i = 0; i < 3; i++) mean += (n[i]! * (angular[a + i]! + angular[b + i]!)) / 2;
      for (let i = 0; i < 3; i++) {
        const [j, k] = [next[i]!, next[i + 1]!];
        bending[i] = bending[i]! + mean * (n[j]! * deflection[k]! - n[k]! * deflection[j]!);
      }
    }
    if (law.rolling > 0 && radius > 0) {
      flatten(x, from + 4, n, deflection);
      for (let i = 0; i < 3; i++) speed[i] = turn[i]! - spin * n[i]!;
      bristles.least = LEAST_BENT;
      bristles.wiped = 0;
      bristles.growth = 1.5 * growth;
      bristles.slipping = turning;
      bristles.stiffness = ROLLING * patch;
      bristles.lag = rollingLag(radius, ROLLING);
      bend(deflection, speed, pressed * law.rolling * radius, bristles, torque, twisting);
    }
  }

  /** Bristles that are not pressed slip as those do that hardly are. */
  private straighten(frames: Frames, x: Float64Array, from: number, room: number): void {
    const { pointA, pointB, normal: n } = this.manifold.pair;
    const { slip, turn, at, law, rates } = this;
    for (let i = 0; i < 3; i++) at[i] = (pointA[i]! + pointB[i]!) / 2;
    this.move(frames);
    const along = slip[0]! * n[0]! + slip[1]! * n[1]! + slip[2]! * n[2]!;
    for (let i = 0; i < 3; i++) slip[i] = slip[i]! - along * n[i]!;
    const sliding = Math.hypot(slip[0]!, slip[1]!, slip[2]!);
    const turning = Math.hypot(turn[0]!, turn[1]!, turn[2]!) * (this.radius || this.flat);
    const [slides, turns] = [
      slipping(sliding + Math.abs(along), room),
      slipping(turning + Math.abs(along), room),
    ];
    for (let i = 0; i < 3; i++) {
      if (law.friction > 0) rates[1 + i] = slip[i]! - slides * x[from + 1 + i]!;
      rates[4 + i] = -turns * x[from + 4 + i]!;
    }
  }

  /** Normal force, where it acts, mean depth and how fast that grows; gives the force without damping. */
  private pressPoints(frames: Frames, met: number): number {
    const { manifold, at, first, second, law } = this;
    const { rotation, position } = frames;
    const count = manifold.measure(rotation, position, first.object, second.object, this.margin);
    const c = law.stiffness * hertz(first.modulus, second.modulus, this.radius || this.flat);
    const n = manifold.normal;
    let [elastic, depth, rate, pressed, x, y, z] = [0, 0, 0, 0, 0, 0, 0];
    for (let k = 0; k < count; k++) {
      const own = -manifold.distance[k]!;
      springs[k] = 0;
      if (!(own > 0)) continue;
      for (let i = 0; i < 3; i++) at[i] = (manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2;
      this.move(frames);
      const { slip } = this;
      const growing = -(slip[0]! * n[0]! + slip[1]! * n[1]! + slip[2]! * n[2]!);
      const spring = c * manifold.weight[k]! * own * Math.sqrt(own);
      const force = Math.max(
        0,
        spring *
          (1 + dampingAt(this.damping, met, own, spring / (manifold.weight[k]! * this.mass)) * growing),
      );
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
    if (!(elastic > 0)) return 0;
    this.depth = depth / elastic;
    this.rate = rate / elastic;
    this.tilting = 0;
    for (let k = 0; k < count; k++)
      if (springs[k]! > 0) this.tilting += (springs[k]! / elastic) * Math.abs(growths[k]! - this.rate);
    this.normal = pressed;
    if (pressed > 0) {
      at[0] = x / pressed;
      at[1] = y / pressed;
      at[2] = z / pressed;
    }
    return elastic;
  }

  /** The mean square of how far points of contact are from the centre of pressure. */
  private spread(): number {
    const { manifold, at } = this;
    if (manifold.count === 1) return 0;
    let [sum, weights] = [0, 0];
    for (let k = 0; k < manifold.count; k++) {
      const own = -manifold.distance[k]!;
      if (!(own > 0)) continue;
      const weight = manifold.weight[k]! * own * Math.sqrt(own);
      weights += weight;
      let square = 0;
      for (let i = 0; i < 3; i++)
        square += ((manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2 - at[i]!) ** 2;
      sum += weight * square;
    }
    return sum / weights;
  }
}

/** What of the vector at a place lies along the surface. */
function flatten(x: Float64Array, from: number, n: Float64Array, into: Float64Array): void {
  const along = x[from]! * n[0]! + x[from + 1]! * n[1]! + x[from + 2]! * n[2]!;
  for (let i = 0; i < 3; i++) into[i] = x[from + i]! - along * n[i]!;
}

/** Axes after 0, 1, 2, and after those. */
const next = [1, 2, 0, 1];
const bristles: Bristles = { least: 0, stiffness: 0, lag: 0, growth: 0, slipping: 0, wiped: 0 };
const deflection = new Float64Array(3);
const speed = new Float64Array(3);
/** Of each point: its force without damping, and how fast its depth grows. */
const springs = new Float64Array(MOST_POINTS);
const growths = new Float64Array(MOST_POINTS);
