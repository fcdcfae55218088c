/**
 * Rigid bodies that joints tie to each other, in trees and loops: what moves how, given coordinates and speeds. Nothing is
 * allocated after construction; results stay in arrays of the mechanism until the next call.
 *
 * All joints share the arrays q, v, a and tau (`Tree` says where each begins): of driven joints the coordinate, speed and
 * acceleration are given and tau is the result; of all others tau is given and the acceleration is the result.
 */
import { Articulated } from './articulated.ts';
import type { Closure, TouchClosure } from './closure.ts';
import { type Balance, balance, newBalance } from './energy.ts';
import { Loops } from './loops.ts';
import { Motion } from './motion.ts';
import { Multipliers } from './multipliers.ts';
import { Response } from './response.ts';
import { Closures } from './rows.ts';
import { type Gravity, type Link, Tree } from './tree.ts';

export interface MechanismOptions {
  readonly links: readonly Link[];
  readonly closures?: readonly Closure[];
  readonly gravity?: Gravity;
}

/**
 * What became of coordinates and speeds: all closures are satisfied; they cannot be (`loops.open` is the closure that is
 * farthest from it, `loops.residual` by how much); they are, but bind driven joints (`loops.tied`), whose motion is not free to
 * be given.
 */
export type Projection = 'closed' | 'open' | 'tied';

export class Mechanism {
  readonly tree: Tree;
  readonly motion: Motion;
  readonly articulated: Articulated;
  readonly response: Response;
  closures: Closures;
  loops: Loops;
  /**
   * `multipliers.values` hold closures, one for each of their rows, after `accelerate` as forces, after `impact` as impulses.
   */
  multipliers: Multipliers;
  /** Closures but for those of bodies that touch, which come after them. */
  #joints: readonly Closure[];
  readonly #balance: Balance = newBalance();
  readonly #q: Float64Array;
  readonly #v: Float64Array;
  /** What is known where the bodies are: inertias, independent rows of closures, their matrix. */
  #reduced = false;
  #factored = false;
  #prepared = false;
  /** Whether biases of closures are those of the speeds. */
  #biased = false;
  /** How often something was computed that accelerations, and forces with them, may not be known after. */
  changes = 0;
  readonly #tau: Float64Array;
  readonly #a: Float64Array;

  constructor({ links, closures = [], gravity = { kind: 'none' } }: MechanismOptions) {
    this.tree = new Tree(links, gravity);
    this.motion = new Motion(this.tree);
    this.articulated = new Articulated(this.motion);
    this.response = new Response(this.articulated);
    this.#joints = closures;
    this.closures = new Closures(this.motion, closures);
    this.closures.mark(this.articulated.looped);
    this.loops = new Loops(this.closures);
    this.multipliers = new Multipliers(this.loops, this.response);
    this.#q = new Float64Array(this.tree.nq);
    this.#v = new Float64Array(this.tree.nv);
    this.#tau = new Float64Array(this.tree.nv);
    this.#a = new Float64Array(this.tree.nv);
  }

  /** As if it were new: the same joints and closures, in other places and with other bodies. */
  renew(links: readonly Link[], closures: readonly Closure[]): void {
    this.changes++;
    this.touch([]);
    this.#joints = closures;
    this.tree.renew(links);
    this.motion.offsets.fill(0);
    this.articulated.renew();
    this.closures.renew(closures);
    this.multipliers.values.fill(0);
  }

  /** Other bodies touch each other from here on, or others of their points; `locate` or `project` comes next. */
  touch(touches: readonly TouchClosure[]): void {
    this.changes++;
    const joints = this.#joints;
    if (touches.length === 0 && this.closures.closures.length === joints.length) return;
    // Which joints are light is a question of closures; those of others may be more than these can hold.
    this.articulated.renew();
    this.closures = new Closures(this.motion, [...joints, ...touches]);
    this.closures.mark(this.articulated.looped);
    this.loops = new Loops(this.closures);
    this.multipliers = new Multipliers(this.loops, this.response);
  }

  /** Whether there are closures. */
  get isBound(): boolean {
    return this.closures.closures.length > 0;
  }

  /** Poses and velocities of all bodies: `motion.rotation`, `position`, `angular`, `velocity`. */
  locate(q: Float64Array, v: Float64Array): void {
    this.changes++;
    this.motion.move(q, v);
    this.motion.bodies();
    this.#q.set(q);
    this.#reduced = this.#factored = this.#prepared = this.#biased = false;
  }

  /** Other speeds where the bodies are: what positions alone decide stays known. Rows of bodies that touch depend on speeds as well. */
  changeSpeeds(v: Float64Array): void {
    this.changes++;
    if (this.closures.closures.length > this.#joints.length) {
      this.locate(this.#q, v);
      return;
    }
    this.motion.move(this.#q, v);
    this.motion.bodies();
    this.#biased = false;
  }

  /**
   * Changes coordinates and speeds of free joints, as little as possible, so that closures hold, and locates all bodies there. Speeds that bodies that touch do not allow at all stay:
   * a point that presses has come to an end of what it is on then, and what becomes of that an event decides.
   */
  project(q: Float64Array, v: Float64Array): Projection {
    this.changes++;
    const closed = this.loops.close(q, v);
    if (closed) {
      this.loops.factor();
      this.#v.set(v);
      this.loops.align(v);
      if (this.closures.closures.length > this.#joints.length && hasJumped(v, this.#v)) v.set(this.#v);
    }
    this.locate(q, v);
    if (!closed) return 'open';
    this.closures.evaluate(q, true);
    this.#factored = this.#biased = true;
    return this.loops.tied.includes(1) ? 'tied' : 'closed';
  }

  /** Derivatives of coordinates. */
  rates(q: Float64Array, v: Float64Array, qdot: Float64Array): void {
    this.motion.rates(q, v, qdot);
  }

  /**
   * Accelerations of free joints into `a` and forces of driven ones into `tau`, after `locate` or `project`; loops keep closed.
   * `wrenches`: of each body torque and force on it, in world axes, about its origin. Gives the link whose motion no inertia
   * resists, or -1; then there are no results.
   */
  accelerate(tau: Float64Array, wrenches: Float64Array | undefined, a: Float64Array): number {
    this.changes++;
    const { articulated, response, multipliers, tree } = this;
    do {
      this.#reduced = articulated.accelerate(tau, wrenches, a);
      if (!this.#reduced || !this.#prepare()) return articulated.singular;
    } while (!this.#prepared);
    if (!this.isBound) return -1;
    if (!this.#biased) this.closures.evaluate(this.#q, true);
    this.#biased = true;
    response.clear();
    multipliers.bind(articulated.accelerations, true, articulated.lacks);
    response.sweep();
    for (let i = 0; i < tree.nv; i++) a[i] = a[i]! + response.a[i]!;
    for (let d = 0; d < tree.drives.length; d++) {
      const i = tree.vAt[tree.drives[d]!]!;
      tau[i] = tau[i]! + response.tau[i]!;
    }
    add(articulated.accelerations, response.accelerations);
    add(articulated.forces, response.forces);
    return -1;
  }

  /**
   * The symmetric matrix M of tau = M a + h for driven joints, by rows, while free joints move as they do; after `locate`. The
   * vector h is what `accelerate` gives for a = 0. Gives what `accelerate` does.
   */
  driven(matrix: Float64Array): number {
    if (!this.#reduce()) return this.articulated.singular;
    this.response.driven(matrix);
    if (this.isBound) this.multipliers.stiffen(matrix);
    return -1;
  }

  /**
   * How accelerations of free joints change with their forces: the symmetric matrix A of a = A tau + b, for the speeds at `places` of v, by rows; after `locate`.
   * The vector b is what `accelerate` gives for tau = 0. Gives what `accelerate` does.
   */
  compliance(places: Int32Array, matrix: Float64Array): number {
    const { response } = this;
    const n = places.length;
    if (!this.#reduce()) return this.articulated.singular;
    if (!this.isBound) {
      response.compliance(places, matrix);
      return -1;
    }
    for (let column = 0; column < n; column++) {
      response.clear();
      response.tau[places[column]!] = 1;
      this.#answer();
      for (let row = 0; row < n; row++) matrix[row * n + column] = response.a[places[row]!]!;
    }
    return -1;
  }

  /** Changes `v` as impulses of free joints, at `places` of v, do; after `locate`; gives what `accelerate` does. `multipliers.values` are those of closures. */
  kick(places: Int32Array, impulses: Float64Array, v: Float64Array): number {
    const { response } = this;
    if (!this.#reduce()) return this.articulated.singular;
    response.clear();
    for (let i = 0; i < places.length; i++) response.tau[places[i]!] = impulses[i]!;
    this.#answer(true);
    add(v, response.a);
    return -1;
  }

  /**
   * Speeds after those of driven joints jump by `change` (in the order of `Tree.drives`), where no other impulse acts: changes
   * `v`; into `impulses`, where given, what the driven joints need for it. After `locate`; gives what `accelerate` does.
   */
  jump(change: Float64Array, v: Float64Array, impulses?: Float64Array): number {
    const { response, tree } = this;
    if (!this.#reduce()) return this.articulated.singular;
    response.clear();
    for (let d = 0; d < tree.drives.length; d++) response.a[tree.vAt[tree.drives[d]!]!] = change[d]!;
    this.#answer();
    add(v, response.a);
    if (impulses) this.#impulses(impulses);
    return -1;
  }

  /**
   * Speeds after closures have begun to act at once, as plastic impacts, where those of driven joints are kept: changes `v`.
   * Into `impulses`, where given, what the driven joints need for it: with their matrix M, a jump of their speeds as well needs
   * M change + impulses. After `locate` with the speeds before; gives what `accelerate` does.
   */
  impact(v: Float64Array, impulses?: Float64Array): number {
    this.changes++;
    const { response } = this;
    if (!this.#reduce()) return this.articulated.singular;
    response.clear();
    if (this.isBound) this.multipliers.bind(this.motion.velocities, false, undefined);
    response.sweep();
    add(v, response.a);
    if (impulses) this.#impulses(impulses);
    return -1;
  }

  /**
   * How velocities of all links jump by impulses on them, and with these those of joints: `response.accelerations` and `response.a`. `apply` writes the impulses into
   * wrenches about P_k. After `locate`; gives what `accelerate` does.
   */
  strike(apply: (wrenches: Float64Array) => void): number {
    const { response } = this;
    if (!this.#reduce()) return this.articulated.singular;
    response.clear();
    apply(response.wrenches);
    this.#answer();
    return -1;
  }

  /** A response with what closures add; `isShared`: points that touch share it as they do forces. */
  #answer(isShared = false): void {
    const { response, articulated, tree } = this;
    const given = this.#tau;
    given.set(response.tau);
    response.sweep();
    if (!this.isBound) return;
    // Held joints lack what they need beyond the force that they are given.
    for (let k = 0; k < tree.n; k++)
      if (articulated.held[k] && !tree.driven[k]) {
        const i = tree.vAt[k]!;
        response.tau[i] = response.tau[i]! - given[i]!;
      }
    this.multipliers.bind(response.accelerations, false, response.tau, isShared);
    response.sweep();
  }

  #impulses(into: Float64Array): void {
    const { response, tree } = this;
    for (let d = 0; d < tree.drives.length; d++) into[d] = response.tau[tree.vAt[tree.drives[d]!]!]!;
  }

  /** Makes inertias and the matrix of closures known, where they are not. */
  #reduce(): boolean {
    this.changes++;
    while (!this.#prepared) {
      if (!this.#reduced) {
        this.#tau.fill(0);
        this.#a.fill(0);
        this.#reduced = this.articulated.accelerate(this.#tau, undefined, this.#a);
      }
      if (!this.#reduced || !this.#prepare()) return false;
    }
    return true;
  }

  /** The matrix of closures, for inertias that are known; these may have to be reduced once more. False: nothing resists. */
  #prepare(): boolean {
    const { closures, loops, multipliers } = this;
    if (this.#prepared) return true;
    if (this.isBound) {
      if (!this.#factored) {
        closures.evaluate(this.#q);
        loops.factor();
        this.#factored = true;
      }
      if (multipliers.lighten()) {
        this.#reduced = false;
        return true;
      }
      this.#reduced = multipliers.prepare();
    }
    return (this.#prepared = this.#reduced);
  }

  /**
   * Into `into`: torque and force that joint k puts on its body, in world axes about the origin of its moved frame; after
   * `accelerate`.
   */
  reaction(k: number, into: Float64Array): void {
    this.#transmitted(k, this.articulated, into);
  }

  /** The same of impulses, after `impact`, `jump` or `kick`. */
  impulse(k: number, into: Float64Array): void {
    this.#transmitted(k, this.response, into);
  }

  #transmitted(
    k: number,
    { forces, accelerations }: Pick<Response, 'forces' | 'accelerations'>,
    into: Float64Array,
  ): void {
    const { inertias } = this.articulated;
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

/** Errors of speeds are a smaller part of the largest one, or smaller. */
const JUMP = 0.05;
const SLOW = 1e-5;

/** Whether speeds have changed by more than their errors. */
function hasJumped(v: Float64Array, before: Float64Array): boolean {
  let [most, change] = [0, 0];
  for (let i = 0; i < v.length; i++) {
    most = Math.max(most, Math.abs(before[i]!));
    change = Math.max(change, Math.abs(v[i]! - before[i]!));
  }
  return change > Math.max(SLOW, JUMP * most);
}

function add(to: Float64Array, what: Float64Array): void {
  for (let i = 0; i < what.length; i++) to[i] = to[i]! + what[i]!;
}

/** Places in xx, xy, xz, yy, yz, zz. */
const symmetric = [0, 1, 2, 1, 3, 4, 2, 4, 5];
