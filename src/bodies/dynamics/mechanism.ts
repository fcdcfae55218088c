/**
 * Rigid bodies that joints tie to each other, in trees and loops: what moves how, given coordinates and speeds. Nothing is allocated
 * after construction; results stay in arrays of the mechanism until the next call.
 *
 * All joints share the arrays q, v, a and tau (`Tree` says where each begins): of driven joints the coordinate, speed and acceleration
 * are given and tau is the result; of all others tau is given and the acceleration is the result.
 */
import { Articulated } from './articulated.ts';
import { type Balance, balance, newBalance } from './energy.ts';
import { Motion } from './motion.ts';
import { type Gravity, type Link, Tree } from './tree.ts';

export interface MechanismOptions {
  readonly links: readonly Link[];
  readonly gravity?: Gravity;
}

export class Mechanism {
  readonly tree: Tree;
  readonly motion: Motion;
  readonly articulated: Articulated;
  readonly #balance: Balance = newBalance();

  constructor({ links, gravity = { kind: 'none' } }: MechanismOptions) {
    this.tree = new Tree(links, gravity);
    this.motion = new Motion(this.tree);
    this.articulated = new Articulated(this.motion);
  }

  /** Poses and velocities of all bodies: `motion.rotation`, `position`, `angular`, `velocity`. */
  locate(q: Float64Array, v: Float64Array): void {
    this.motion.move(q, v);
    this.motion.bodies();
  }

  /** Derivatives of coordinates. */
  rates(q: Float64Array, v: Float64Array, qdot: Float64Array): void {
    this.motion.rates(q, v, qdot);
  }

  /**
   * Accelerations of free joints into `a` and forces of driven ones into `tau`, after `locate`. `wrenches`: of each body torque and force on it,
   * in world axes, about its origin. Gives the link whose motion no inertia resists, or -1.
   */
  accelerate(tau: Float64Array, wrenches: Float64Array | undefined, a: Float64Array): number {
    return this.articulated.accelerate(tau, wrenches, a) ? -1 : this.articulated.singular;
  }

  /** Energy and momentum, after `locate`. */
  balance(): Readonly<Balance> {
    balance(this.motion, this.#balance);
    return this.#balance;
  }
}
