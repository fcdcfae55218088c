/**
 * How a tree answers a change: accelerations and forces are linear in the wrenches on links, in the forces of free joints and
 * in the accelerations of driven ones, and one sweep with the inertias that `Articulated` has reduced gives the answer to a
 * change of these. What holds for forces and accelerations holds for impulses and jumps of velocities.
 */
import type { Articulated } from './articulated.ts';
import { PRISMATIC, REVOLUTE, SCREW } from './tree.ts';
import { pushWide, releaseWide } from './wide.ts';

export class Response {
  /**
   * What changes: wrenches on links about P_k in world axes, forces of free joints, accelerations of driven ones and of those
   * that are held.
   */
  readonly wrenches: Float64Array;
  readonly tau: Float64Array;
  readonly a: Float64Array;
  /** Answers, beside `a` of free joints and `tau` of driven and held ones: as in `Articulated`. */
  readonly accelerations: Float64Array;
  readonly forces: Float64Array;
  /** All links, rising; by place in v, the link whose speed it is. */
  readonly #links: Int32Array;
  readonly #linkAt: Int32Array;

  constructor(readonly articulated: Articulated) {
    const { n, nv, vAt } = articulated.motion.tree;
    this.wrenches = new Float64Array(6 * (n + 1));
    this.tau = new Float64Array(nv);
    this.a = new Float64Array(nv);
    this.accelerations = new Float64Array(6 * (n + 1));
    this.forces = new Float64Array(6 * (n + 1));
    this.#links = Int32Array.from({ length: n }, (_, k) => k);
    this.#linkAt = new Int32Array(nv);
    for (let k = 0; k < n; k++) this.#linkAt.fill(k, vAt[k]!, vAt[k + 1]!);
  }

  /** No change; of some links: all those of trees that are looked at. */
  clear(links?: Int32Array): void {
    const { wrenches, tau, a } = this;
    if (!links) {
      wrenches.fill(0);
      tau.fill(0);
      a.fill(0);
      return;
    }
    const { n, vAt } = this.articulated.motion.tree;
    for (let i = 6 * n; i < 6 * n + 6; i++) wrenches[i] = 0;
    for (let l = 0; l < links.length; l++) {
      const k = links[l]!;
      for (let i = 6 * k; i < 6 * k + 6; i++) wrenches[i] = 0;
      for (let i = vAt[k]!; i < vAt[k + 1]!; i++) tau[i] = a[i] = 0;
    }
  }

  /** The answer of these links. */
  sweep(links = this.#links): void {
    const { forces, wrenches } = this;
    const { n } = this.articulated.motion.tree;
    this.#begin(n, forces, wrenches);
    for (let l = 0; l < links.length; l++) this.#begin(links[l]!, forces, wrenches);
    for (let l = links.length - 1; l >= 0; l--) this.#pull(links[l]!);
    for (let l = 0; l < links.length; l++) this.#release(links[l]!);
  }

  #begin(k: number, forces: Float64Array, wrenches: Float64Array): void {
    for (let i = 6 * k; i < 6 * k + 6; i++) forces[i] = -wrenches[i]!;
  }

  /**
   * The matrix M of tau = M a + h for driven joints, by rows in the order of `Tree.drives`, while free joints move as they do.
   * An acceleration is passed on towards the root alone, unless a free joint on that way begins to move.
   */
  driven(matrix: Float64Array): void {
    const { motion, pivots, held } = this.articulated;
    const { parent, n, drives, vAt } = motion.tree;
    const count = drives.length;
    this.clear();
    for (let column = 0; column < count; column++) {
      const link = drives[column]!;
      let alone = true;
      for (let k = link; k !== n; k = parent[k]!) alone &&= held[k] === 1;
      this.a[vAt[link]!] = 1;
      this.#pullAlone(link);
      if (!alone) this.#releaseBefore(link);
      let above = link;
      for (let row = column; row >= 0; row--) {
        const k = drives[row]!;
        while (above > k && above !== n) above = parent[above]!;
        const i = vAt[k]!;
        const value = !alone ? this.tau[i]! : k === link ? pivots[k]! : above === k ? this.tau[i]! : 0;
        matrix[row * count + column] = matrix[column * count + row] = value;
      }
      this.a[vAt[link]!] = 0;
    }
  }

  /**
   * The matrix A of a = A tau + b for free joints, for the speeds at `places` of v, by rows. A force is passed on towards the
   * root alone; that of a joint behind moves a joint before as its own would move the other.
   */
  compliance(places: Int32Array, matrix: Float64Array): void {
    const { root } = this.articulated.motion.tree;
    const count = places.length;
    this.clear();
    for (let column = 0; column < count; column++) {
      const place = places[column]!;
      const link = this.#linkAt[place]!;
      this.tau[place] = 1;
      this.#pullAlone(link);
      this.#releaseBefore(link);
      for (let row = 0; row < count; row++) {
        const other = places[row]!;
        if (other > place) continue;
        const value = root[this.#linkAt[other]!] === root[link] ? this.a[other]! : 0;
        matrix[row * count + column] = matrix[column * count + row] = value;
      }
      this.tau[place] = 0;
    }
  }

  /** What is passed on towards the root, where one joint alone has a force or an acceleration. */
  #pullAlone(link: number): void {
    const { forces } = this;
    const { parent, n } = this.articulated.motion.tree;
    for (let k = link; k !== n; k = parent[k]!) for (let i = 6 * k; i < 6 * k + 6; i++) forces[i] = 0;
    for (let k = link; k !== n; k = parent[k]!) this.#pull(k);
  }

  /** How links up to this one answer that, in its tree. */
  #releaseBefore(link: number): void {
    const { root } = this.articulated.motion.tree;
    this.#others(link);
    for (let k = root[link]!; k <= link; k++) if (root[k] === root[link]) this.#release(k);
  }

  /** Links before this one that are not on its way to the root push nothing. */
  #others(link: number): void {
    const { pushes, widePushes, motion, held } = this.articulated;
    const { parent, vAt } = motion.tree;
    let way = link;
    for (let k = link; k >= 0; k--) {
      if (k === way) {
        way = parent[k]!;
        continue;
      }
      pushes[k] = 0;
      widePushes.fill(0, 6 * k, 6 * k + 6);
      if (held[k]) this.tau[vAt[k]!] = 0;
    }
  }

  /** What joint k pushes; the parent gets what it passes on. */
  #pull(k: number): void {
    const { articulated, forces, tau, a } = this;
    const { motion, columns, gains, pushes, held } = articulated;
    const { parent, kind, turn, advance, vAt } = motion.tree;
    const of = kind[k]!;
    if (of > SCREW) {
      pushWide(articulated, k, forces, tau);
      return;
    }
    const e = 6 * k;
    const f = 9 * k;
    const zx = motion.frames[f + 2]!;
    const zy = motion.frames[f + 5]!;
    const zz = motion.frames[f + 8]!;
    let along = 0;
    if (of !== PRISMATIC) along += turn[k]! * (zx * forces[e]! + zy * forces[e + 1]! + zz * forces[e + 2]!);
    if (of !== REVOLUTE)
      along += advance[k]! * (zx * forces[e + 3]! + zy * forces[e + 4]! + zz * forces[e + 5]!);
    const i = vAt[k]!;
    let push: number;
    if (held[k]) {
      push = a[i]!;
      tau[i] = along;
    } else push = (tau[i]! - along) * gains[k]!;
    pushes[k] = push;
    const tx = forces[e]! + push * columns[e]!;
    const ty = forces[e + 1]! + push * columns[e + 1]!;
    const tz = forces[e + 2]! + push * columns[e + 2]!;
    const fx = forces[e + 3]! + push * columns[e + 3]!;
    const fy = forces[e + 4]! + push * columns[e + 4]!;
    const fz = forces[e + 5]! + push * columns[e + 5]!;
    const r = 3 * k;
    const rx = motion.arms[r]!;
    const ry = motion.arms[r + 1]!;
    const rz = motion.arms[r + 2]!;
    const v = 6 * parent[k]!;
    forces[v] = forces[v]! + tx + ry * fz - rz * fy;
    forces[v + 1] = forces[v + 1]! + ty + rz * fx - rx * fz;
    forces[v + 2] = forces[v + 2]! + tz + rx * fy - ry * fx;
    forces[v + 3] = forces[v + 3]! + fx;
    forces[v + 4] = forces[v + 4]! + fy;
    forces[v + 5] = forces[v + 5]! + fz;
  }

  /** The acceleration of link k from that of its parent. */
  #release(k: number): void {
    const { articulated, accelerations, tau, a } = this;
    const { motion, columns, gains, pushes, pivots, held } = articulated;
    const { parent, kind, turn, advance, vAt } = motion.tree;
    const e = 6 * k;
    const r = 3 * k;
    const v = 6 * parent[k]!;
    const rx = motion.arms[r]!;
    const ry = motion.arms[r + 1]!;
    const rz = motion.arms[r + 2]!;
    const a0 = accelerations[v]!;
    const a1 = accelerations[v + 1]!;
    const a2 = accelerations[v + 2]!;
    const a3 = accelerations[v + 3]! + a1 * rz - a2 * ry;
    const a4 = accelerations[v + 4]! + a2 * rx - a0 * rz;
    const a5 = accelerations[v + 5]! + a0 * ry - a1 * rx;
    accelerations[e] = a0;
    accelerations[e + 1] = a1;
    accelerations[e + 2] = a2;
    accelerations[e + 3] = a3;
    accelerations[e + 4] = a4;
    accelerations[e + 5] = a5;
    if (kind[k]! > SCREW) {
      releaseWide(articulated, k, accelerations, a);
      return;
    }
    const reached =
      columns[e]! * a0 +
      columns[e + 1]! * a1 +
      columns[e + 2]! * a2 +
      columns[e + 3]! * a3 +
      columns[e + 4]! * a4 +
      columns[e + 5]! * a5;
    const own = pushes[k]! - gains[k]! * reached;
    const i = vAt[k]!;
    if (held[k]) tau[i] = tau[i]! + reached + pivots[k]! * own;
    else a[i] = own;
    const f = 9 * k;
    const spin = turn[k]! * own;
    const slide = advance[k]! * own;
    accelerations[e] = a0 + spin * motion.frames[f + 2]!;
    accelerations[e + 1] = a1 + spin * motion.frames[f + 5]!;
    accelerations[e + 2] = a2 + spin * motion.frames[f + 8]!;
    accelerations[e + 3] = a3 + slide * motion.frames[f + 2]!;
    accelerations[e + 4] = a4 + slide * motion.frames[f + 5]!;
    accelerations[e + 5] = a5 + slide * motion.frames[f + 8]!;
  }
}
