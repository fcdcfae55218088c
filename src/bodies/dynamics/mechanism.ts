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
import { Response } from './response.ts';
import { type Gravity, type Link, Tree } from './tree.ts';

export interface MechanismOptions {
  readonly links: readonly Link[];
  readonly gravity?: Gravity;
}

export class Mechanism {
  readonly tree: Tree;
  readonly motion: Motion;
  readonly articulated: Articulated;
  readonly response: Response;
  readonly #balance: Balance = newBalance();
  /** Inertias have been reduced where the bodies are. */
  #reduced = false;
  readonly #tau: Float64Array;
  readonly #a: Float64Array;

  constructor({ links, gravity = { kind: 'none' } }: MechanismOptions) {
    this.tree = new Tree(links, gravity);
    this.motion = new Motion(this.tree);
    this.articulated = new Articulated(this.motion);
    this.response = new Response(this.articulated);
    this.#tau = new Float64Array(this.tree.nv);
    this.#a = new Float64Array(this.tree.nv);
  }

  /** Poses and velocities of all bodies: `motion.rotation`, `position`, `angular`, `velocity`. */
  locate(q: Float64Array, v: Float64Array): void {
    this.motion.move(q, v);
    this.motion.bodies();
    this.#reduced = false;
  }

  /** Derivatives of coordinates. */
  rates(q: Float64Array, v: Float64Array, qdot: Float64Array): void {
    this.motion.rates(q, v, qdot);
  }

  /**
   * Accelerations of free joints into `a` and forces of driven ones into `tau`, after `locate`. `wrenches`: of each body torque and force on it,
   * in world axes, about its origin. Gives the link whose motion no inertia resists, or -1; then there are no results.
   */
  accelerate(tau: Float64Array, wrenches: Float64Array | undefined, a: Float64Array): number {
    this.#reduced = this.articulated.accelerate(tau, wrenches, a);
    return this.articulated.singular;
  }

  /**
   * The symmetric matrix M of tau = M a + h for driven joints, by rows, while free joints move as they do; after `locate`. The vector h is what
   * `accelerate` gives for a = 0. Gives what `accelerate` does.
   */
  driven(matrix: Float64Array): number {
    if (this.#reduce()) this.response.driven(matrix);
    return this.articulated.singular;
  }

  /** How accelerations of all joints change with those of driven ones: by rows, one for each driven joint, as long as `v`. */
  partials(rows: Float64Array): number {
    const { response, tree } = this;
    if (this.#reduce())
      tree.drives.forEach((link, row) => {
        response.clear();
        response.a[tree.vAt[link]!] = 1;
        response.sweep();
        rows.set(response.a, row * tree.nv);
      });
    return this.articulated.singular;
  }

  /**
   * Speeds after those of driven joints jump by `change` (in the order of `Tree.drives`), where no other impulse acts: changes `v`; into `impulses`, where given, what
   * the driven joints need for it. After `locate`; gives what `accelerate` does.
   */
  jump(change: Float64Array, v: Float64Array, impulses?: Float64Array): number {
    const { response, tree } = this;
    if (!this.#reduce()) return this.articulated.singular;
    response.clear();
    for (let d = 0; d < tree.drives.length; d++) response.a[tree.vAt[tree.drives[d]!]!] = change[d]!;
    response.sweep();
    for (let i = 0; i < tree.nv; i++) v[i] = v[i]! + response.a[i]!;
    if (impulses)
      for (let d = 0; d < tree.drives.length; d++) impulses[d] = response.tau[tree.vAt[tree.drives[d]!]!]!;
    return -1;
  }

  #reduce(): boolean {
    if (!this.#reduced) {
      this.#tau.fill(0);
      this.#a.fill(0);
      this.accelerate(this.#tau, undefined, this.#a);
    }
    return this.#reduced;
  }

  /** Into `into`: torque and force that joint k puts on its body, in world axes about the origin of its moved frame; after `accelerate`. */
  reaction(k: number, into: Float64Array): void {
    const { inertias, forces, accelerations } = this.articulated;
    const x = 21 * k;
    const e = 6 * k;
    for (let i = 0; i < 3; i++) {
      let torque = forces[e + i]!;
      let force = forces[e + 3 + i]!;
      for (let j = 0; j < 3; j++) {
        const angular = accelerations[e + j]!;
        const linear = accelerations[e + 3 + j]!;
        torque += inertias[x + symmetric[3 * i + j]!]! * angular + inertias[x + 6 + 3 * i + j]! * linear;
        force += inertias[x + 6 + 3 * j + i]! * angular + inertias[x + 15 + symmetric[3 * i + j]!]! * linear;
      }
      into[i] = torque;
      into[3 + i] = force;
    }
  }

  /** Into `into`: angular acceleration of body k and acceleration of its origin, in world axes; after `accelerate`. */
  acceleration(k: number, into: Float64Array): void {
    const { accelerations } = this.articulated;
    const { offsets, velocities } = this.motion;
    const { n } = this.tree;
    const e = 6 * k;
    const o = 3 * k;
    for (let i = 0; i < 3; i++) {
      const j = (i + 1) % 3;
      const l = (i + 2) % 3;
      const [wi, wj, wl] = [velocities[e + i]!, velocities[e + j]!, velocities[e + l]!];
      const [oi, oj, ol] = [offsets[o + i]!, offsets[o + j]!, offsets[o + l]!];
      into[i] = accelerations[e + i]!;
      // a + alpha x o + w x (w x o), in the frame of the world
      into[3 + i] =
        accelerations[e + 3 + i]! -
        accelerations[6 * n + 3 + i]! +
        (accelerations[e + j]! * ol - accelerations[e + l]! * oj) +
        wj * (wi * oj - wj * oi) -
        wl * (wl * oi - wi * ol);
    }
  }

  /** Energy and momentum, after `locate`. */
  balance(): Readonly<Balance> {
    balance(this.motion, this.#balance);
    return this.#balance;
  }
}

/** Places in xx, xy, xz, yy, yz, zz. */
const symmetric = [0, 1, 2, 1, 3, 4, 2, 4, 5];
