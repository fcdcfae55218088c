/** What a sensor of contact sees: the sum over all points at which two objects touch. */
import type { Frames } from '../frames.ts';
import type { Pair } from './distance.ts';

/** What two shapes do to each other: where, force and torque on the second, how it slips and turns. */
export interface Pressing {
  readonly at: Float64Array;
  readonly force: Float64Array;
  readonly torque: Float64Array;
  /** The normal force, and the normal. */
  readonly normal: number;
  readonly manifold: { readonly normal: Float64Array };
  readonly slip: Float64Array;
  readonly turn: Float64Array;
  readonly depth: number;
  readonly rate: number;
}

/** Two shapes whose distance is known. */
export interface Separate {
  readonly first: { readonly object: number };
  readonly second: { readonly object: number };
  readonly manifold: { readonly pair: Pair };
}

export class Sensed {
  /** Which point it belongs to. */
  stamp = -1;
  /** The smallest distance; negative while they touch. */
  distance = Infinity;
  /** Where the force acts, or the middle between both where they are next to each other; the normal from the first to the second. */
  readonly r = new Float64Array(3);
  readonly n = new Float64Array(3);
  /** Force and torque, about r, on the second, in the world. */
  readonly f = new Float64Array(3);
  readonly t = new Float64Array(3);
  normalForce = 0;
  frictionForce = 0;
  /** How fast the deepest goes deeper, slides, and turns; before they touch, how fast they come nearer, where they are nearest. */
  depthSpeed = 0;
  slipSpeed = 0;
  turnSpeed = 0;

  clear(): void {
    for (const of of [this.r, this.n, this.f, this.t]) of.fill(0);
    this.distance = Infinity;
    this.normalForce = this.frictionForce = this.depthSpeed = this.slipSpeed = this.turnSpeed = 0;
  }

  /** Two shapes that touch; `sign` is -1 where the force on the second shape is one on the first object. */
  add(contact: Pressing, sign: number): void {
    const { at, force, torque, normal, slip, turn, manifold } = contact;
    const { r, n, f, t } = this;
    const total = this.normalForce + normal;
    const share = total > 0 ? normal / total : 1;
    let [along, turning] = [0, 0];
    // Torques are about the common point, which moves.
    for (let i = 0; i < 3; i++) middle[i] = r[i]! + share * (at[i]! - r[i]!);
    moved(r, middle, f, t);
    moved(at, middle, force, moment);
    for (let i = 0; i < 3; i++) {
      t[i] = t[i]! + sign * (torque[i]! + moment[i]!);
      moment[i] = 0;
      f[i] = f[i]! + sign * force[i]!;
      r[i] = middle[i]!;
      along += slip[i]! * slip[i]!;
      turning += turn[i]! * turn[i]!;
    }
    this.normalForce = total;
    if (-contact.depth < this.distance) {
      this.distance = -contact.depth;
      for (let i = 0; i < 3; i++) n[i] = sign * manifold.normal[i]!;
      this.depthSpeed = contact.rate;
      this.slipSpeed = Math.sqrt(along);
      this.turnSpeed = Math.sqrt(turning);
    }
    const pressed = f[0]! * n[0]! + f[1]! * n[1]! + f[2]! * n[2]!;
    this.frictionForce = Math.hypot(
      f[0]! - pressed * n[0]!,
      f[1]! - pressed * n[1]!,
      f[2]! - pressed * n[2]!,
    );
  }

  /** Two shapes that do not touch. */
  near({ manifold, first, second }: Separate, { angular, velocity, position }: Frames, sign: number): void {
    const { pair } = manifold;
    const [a, b] = [3 * first.object, 3 * second.object];
    this.distance = pair.distance;
    let [apart, square, turning] = [0, 0, 0];
    for (let i = 0; i < 3; i++) {
      const [j, k] = [(i + 1) % 3, (i + 2) % 3];
      this.n[i] = sign * pair.normal[i]!;
      this.r[i] = (pair.pointA[i]! + pair.pointB[i]!) / 2;
      const past =
        velocity[b + i]! +
        angular[b + j]! * (pair.pointB[k]! - position[b + k]!) -
        angular[b + k]! * (pair.pointB[j]! - position[b + j]!) -
        velocity[a + i]! -
        angular[a + j]! * (pair.pointA[k]! - position[a + k]!) +
        angular[a + k]! * (pair.pointA[j]! - position[a + j]!);
      apart += past * pair.normal[i]!;
      square += past * past;
      turning += (angular[b + i]! - angular[a + i]!) ** 2;
    }
    this.depthSpeed = -apart;
    this.slipSpeed = Math.sqrt(Math.max(0, square - apart * apart));
    this.turnSpeed = Math.sqrt(turning);
  }
}

/** Adds to a torque that it is about `to` instead of `from`. */
function moved(from: Float64Array, to: Float64Array, f: Float64Array, t: Float64Array): void {
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    t[i] = t[i]! + (from[j]! - to[j]!) * f[k]! - (from[k]! - to[k]!) * f[j]!;
  }
}

const middle = new Float64Array(3);
const moment = new Float64Array(3);
