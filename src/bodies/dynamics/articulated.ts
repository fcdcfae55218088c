/**
 * Accelerations of a tree in linear time: the articulated-body algorithm (R. Featherstone, Rigid Body Dynamics Algorithms,
 * 2008, chapters 7 and 9), hybrid: driven joints get their accelerations and give the forces that these need.
 *
 * Spatial quantities of link k are in world axes about P_k (`Motion`): vectors are three angular numbers and three linear ones;
 * an inertia takes the acceleration (alpha, a of P_k) to the wrench (torque about P_k, force):
 *
 *     torque = A alpha + B a,   force = B' alpha + C a,   kept as A xx xy xz yy yz zz, B by rows, C xx xy xz yy yz zz: 21 numbers.
 *
 * With one set of axes, to go to the parent is to shift by the arm r: B + [r]C for B, A - B[r] + [r](B + [r]C)' for A.
 * Accelerations are those of the material point at P_k, as seen from a frame that falls with uniform gravity.
 *
 * A joint with one degree of freedom has the column U = I S and the pivot D = S' U, with its rotor. Free and driven ones are one rule:
 *
 *     I' = I - gain U U',   p' = p + I' bias + U push,   acceleration = push - gain U' a'
 *
 * with gain = 1/D and push = (tau - S' p) / D, or gain = 0 and push = the given acceleration.
 *
 * A joint on a loop may be one that little or no inertia resists in the tree: a light rod between two others. Such a joint is
 * *held* at no acceleration, as if it were driven, `lacks` is what its force is too large by, and `Multipliers` finds the
 * acceleration for which nothing is lacking.
 */
import { load } from './loads.ts';
import type { Motion } from './motion.ts';
import { FREE, PRISMATIC, REVOLUTE, SCREW, SINGULAR, SPHERICAL } from './tree.ts';
import { factorFree, factorSpherical, pushWide, releaseWide } from './wide.ts';

export class Articulated {
  /** By link, the world last. */
  readonly inertias: Float64Array;
  /** Wrenches that links need at no acceleration, with those of all that they bear. */
  readonly forces: Float64Array;
  readonly accelerations: Float64Array;
  readonly biases: Float64Array;
  readonly columns: Float64Array;
  readonly pivots: Float64Array;
  readonly gains: Float64Array;
  readonly pushes: Float64Array;
  /** Of spherical and free joints: factors of the inertia, its share for linear acceleration, and what is pushed. */
  readonly factors: Float64Array;
  readonly shares: Float64Array;
  readonly widePushes: Float64Array;
  /** The link whose motion nothing resists, found by the last `accelerate`; -1: none. */
  singular = -1;
  /** 1 of links on loops: these may be held; and of those that are so light that they should be. */
  readonly looped: Uint8Array;
  readonly light: Uint8Array;
  /** 1 of links that are driven, or held. */
  readonly held: Uint8Array;
  /** How many are held without being driven; of these, by place in v: by how much the force that they need exceeds tau. */
  holding = 0;
  readonly lacks: Float64Array;

  constructor(readonly motion: Motion) {
    const { n } = motion.tree;
    this.inertias = new Float64Array(21 * (n + 1));
    this.forces = new Float64Array(6 * (n + 1));
    this.accelerations = new Float64Array(6 * (n + 1));
    this.biases = new Float64Array(6 * n);
    this.columns = new Float64Array(6 * n);
    this.pivots = new Float64Array(n);
    this.gains = new Float64Array(n);
    this.pushes = new Float64Array(n);
    this.factors = new Float64Array(21 * n);
    this.shares = new Float64Array(9 * n);
    this.widePushes = new Float64Array(6 * n);
    this.looped = new Uint8Array(n);
    this.light = new Uint8Array(n);
    this.held = Uint8Array.from(motion.tree.driven);
    this.lacks = new Float64Array(motion.tree.nv);
    const { gravity } = motion.tree;
    if (gravity.kind === 'uniform')
      for (let i = 0; i < 3; i++) this.accelerations[6 * n + 3 + i] = -gravity.acceleration[i]!;
  }

  /** Forgets which joints are light. */
  renew(): void {
    this.light.fill(0);
    this.held.set(this.motion.tree.driven);
    this.holding = 0;
  }

  /**
   * Accelerations `a` of free joints and forces `tau` of driven ones, where `Motion` has been moved to; given are `tau` of free
   * joints and `a` of driven ones. `wrenches`: of each body, torque and force on it in world axes, about its origin. False:
   * nothing resists the motion of link `singular`, and there are no results.
   */
  accelerate(tau: Float64Array, wrenches: Float64Array | undefined, a: Float64Array): boolean {
    load(this.motion, wrenches, this.forces);
    if (!this.#reduce(tau, a)) return false;
    this.#release(tau, a);
    return true;
  }

  /** From the tips to the roots: inertias and forces of each link with all that it bears. */
  #reduce(tau: Float64Array, a: Float64Array): boolean {
    const { motion, inertias, forces, biases, columns, pivots, gains, pushes, light, looped } = this;
    const { tree, frames, velocities, arms } = motion;
    const { n, parent, kind, turn, advance, bears, mass, moment, inertia, driven, rotor } = tree;
    const { vAt } = tree;
    this.singular = -1;
    if (this.holding > 0) this.held.set(driven);
    this.holding = 0;
    inertias.fill(0);
    for (let k = n - 1; k >= 0; k--) {
      const j = parent[k]!;
      const of = kind[k]!;
      const f = 9 * k;
      const r0 = frames[f]!;
      const r1 = frames[f + 1]!;
      const r2 = frames[f + 2]!;
      const r3 = frames[f + 3]!;
      const r4 = frames[f + 4]!;
      const r5 = frames[f + 5]!;
      const r6 = frames[f + 6]!;
      const r7 = frames[f + 7]!;
      const r8 = frames[f + 8]!;
      const e = 6 * k;
      const g = 3 * k;

      // The body alone, turned into world axes.
      let i0 = inertia[e]!;
      let i1 = inertia[e + 1]!;
      let i2 = inertia[e + 2]!;
      let i3 = inertia[e + 3]!;
      let i4 = inertia[e + 4]!;
      let i5 = inertia[e + 5]!;
      const t0 = r0 * i0 + r1 * i1 + r2 * i2;
      const t1 = r0 * i1 + r1 * i3 + r2 * i4;
      const t2 = r0 * i2 + r1 * i4 + r2 * i5;
      const t3 = r3 * i0 + r4 * i1 + r5 * i2;
      const t4 = r3 * i1 + r4 * i3 + r5 * i4;
      const t5 = r3 * i2 + r4 * i4 + r5 * i5;
      const t6 = r6 * i0 + r7 * i1 + r8 * i2;
      const t7 = r6 * i1 + r7 * i3 + r8 * i4;
      const t8 = r6 * i2 + r7 * i4 + r8 * i5;
      i0 = t0 * r0 + t1 * r1 + t2 * r2;
      i1 = t0 * r3 + t1 * r4 + t2 * r5;
      i2 = t0 * r6 + t1 * r7 + t2 * r8;
      i3 = t3 * r3 + t4 * r4 + t5 * r5;
      i4 = t3 * r6 + t4 * r7 + t5 * r8;
      i5 = t6 * r6 + t7 * r7 + t8 * r8;
      const mx = moment[g]!;
      const my = moment[g + 1]!;
      const mz = moment[g + 2]!;
      const hx = r0 * mx + r1 * my + r2 * mz;
      const hy = r3 * mx + r4 * my + r5 * mz;
      const hz = r6 * mx + r7 * my + r8 * mz;
      const wx = velocities[e]!;
      const wy = velocities[e + 1]!;
      const wz = velocities[e + 2]!;
      const lx = i0 * wx + i1 * wy + i2 * wz;
      const ly = i1 * wx + i3 * wy + i4 * wz;
      const lz = i2 * wx + i4 * wy + i5 * wz;
      const ex = wy * hz - wz * hy;
      const ey = wz * hx - wx * hz;
      const ez = wx * hy - wy * hx;
      let p0 = forces[e]! + wy * lz - wz * ly;
      let p1 = forces[e + 1]! + wz * lx - wx * lz;
      let p2 = forces[e + 2]! + wx * ly - wy * lx;
      let p3 = forces[e + 3]! + wy * ez - wz * ey;
      let p4 = forces[e + 4]! + wz * ex - wx * ez;
      let p5 = forces[e + 5]! + wx * ey - wy * ex;
      forces[e] = p0;
      forces[e + 1] = p1;
      forces[e + 2] = p2;
      forces[e + 3] = p3;
      forces[e + 4] = p4;
      forces[e + 5] = p5;

      // With what it bears.
      const m = mass[k]!;
      let b0 = 0;
      let b1 = -hz;
      let b2 = hy;
      let b3 = hz;
      let b4 = 0;
      let b5 = -hx;
      let b6 = -hy;
      let b7 = hx;
      let b8 = 0;
      let c0 = m;
      let c1 = 0;
      let c2 = 0;
      let c3 = m;
      let c4 = 0;
      let c5 = m;
      const x = 21 * k;
      if (bears[k]) {
        i0 += inertias[x]!;
        i1 += inertias[x + 1]!;
        i2 += inertias[x + 2]!;
        i3 += inertias[x + 3]!;
        i4 += inertias[x + 4]!;
        i5 += inertias[x + 5]!;
        b0 += inertias[x + 6]!;
        b1 += inertias[x + 7]!;
        b2 += inertias[x + 8]!;
        b3 += inertias[x + 9]!;
        b4 += inertias[x + 10]!;
        b5 += inertias[x + 11]!;
        b6 += inertias[x + 12]!;
        b7 += inertias[x + 13]!;
        b8 += inertias[x + 14]!;
        c0 += inertias[x + 15]!;
        c1 += inertias[x + 16]!;
        c2 += inertias[x + 17]!;
        c3 += inertias[x + 18]!;
        c4 += inertias[x + 19]!;
        c5 += inertias[x + 20]!;
      }
      inertias[x] = i0;
      inertias[x + 1] = i1;
      inertias[x + 2] = i2;
      inertias[x + 3] = i3;
      inertias[x + 4] = i4;
      inertias[x + 5] = i5;
      inertias[x + 6] = b0;
      inertias[x + 7] = b1;
      inertias[x + 8] = b2;
      inertias[x + 9] = b3;
      inertias[x + 10] = b4;
      inertias[x + 11] = b5;
      inertias[x + 12] = b6;
      inertias[x + 13] = b7;
      inertias[x + 14] = b8;
      inertias[x + 15] = c0;
      inertias[x + 16] = c1;
      inertias[x + 17] = c2;
      inertias[x + 18] = c3;
      inertias[x + 19] = c4;
      inertias[x + 20] = c5;

      // What the motion of the parent adds to the acceleration.
      const v = 6 * j;
      const vx = velocities[v]!;
      const vy = velocities[v + 1]!;
      const vz = velocities[v + 2]!;
      const rx = arms[g]!;
      const ry = arms[g + 1]!;
      const rz = arms[g + 2]!;
      let sx = vy * rz - vz * ry;
      let sy = vz * rx - vx * rz;
      let sz = vx * ry - vy * rx;
      if (of !== REVOLUTE && of !== SPHERICAL) {
        // P_k moves in the parent: Coriolis.
        sx += 2 * (velocities[e + 3]! - velocities[v + 3]! - sx);
        sy += 2 * (velocities[e + 4]! - velocities[v + 4]! - sy);
        sz += 2 * (velocities[e + 5]! - velocities[v + 5]! - sz);
      }
      const q0 = vy * wz - vz * wy;
      const q1 = vz * wx - vx * wz;
      const q2 = vx * wy - vy * wx;
      const q3 = vy * sz - vz * sy;
      const q4 = vz * sx - vx * sz;
      const q5 = vx * sy - vy * sx;
      biases[e] = q0;
      biases[e + 1] = q1;
      biases[e + 2] = q2;
      biases[e + 3] = q3;
      biases[e + 4] = q4;
      biases[e + 5] = q5;

      if (of > SCREW) {
        if (!(of === FREE ? factorFree(this, k) : factorSpherical(this, k))) {
          this.singular = k;
          return false;
        }
        pushWide(this, k, forces, tau);
        continue;
      }

      let u0: number;
      let u1: number;
      let u2: number;
      let u3: number;
      let u4: number;
      let u5: number;
      let pivot: number;
      let along: number;
      let whole: number;
      if (of === REVOLUTE) {
        u0 = i0 * r2 + i1 * r5 + i2 * r8;
        u1 = i1 * r2 + i3 * r5 + i4 * r8;
        u2 = i2 * r2 + i4 * r5 + i5 * r8;
        u3 = b0 * r2 + b3 * r5 + b6 * r8;
        u4 = b1 * r2 + b4 * r5 + b7 * r8;
        u5 = b2 * r2 + b5 * r5 + b8 * r8;
        pivot = r2 * u0 + r5 * u1 + r8 * u2;
        along = r2 * p0 + r5 * p1 + r8 * p2;
        whole = i0 + i3 + i5;
      } else {
        const spin = turn[k]!;
        const slide = advance[k]!;
        u0 = spin * (i0 * r2 + i1 * r5 + i2 * r8) + slide * (b0 * r2 + b1 * r5 + b2 * r8);
        u1 = spin * (i1 * r2 + i3 * r5 + i4 * r8) + slide * (b3 * r2 + b4 * r5 + b5 * r8);
        u2 = spin * (i2 * r2 + i4 * r5 + i5 * r8) + slide * (b6 * r2 + b7 * r5 + b8 * r8);
        u3 = spin * (b0 * r2 + b3 * r5 + b6 * r8) + slide * (c0 * r2 + c1 * r5 + c2 * r8);
        u4 = spin * (b1 * r2 + b4 * r5 + b7 * r8) + slide * (c1 * r2 + c3 * r5 + c4 * r8);
        u5 = spin * (b2 * r2 + b5 * r5 + b8 * r8) + slide * (c2 * r2 + c4 * r5 + c5 * r8);
        pivot = spin * (r2 * u0 + r5 * u1 + r8 * u2) + slide * (r2 * u3 + r5 * u4 + r8 * u5);
        along = spin * (r2 * p0 + r5 * p1 + r8 * p2) + slide * (r2 * p3 + r5 * p4 + r8 * p5);
        whole = spin * (i0 + i3 + i5) + slide * slide * (c0 + c3 + c5);
      }
      pivot += rotor[k]!;
      columns[e] = u0;
      columns[e + 1] = u1;
      columns[e + 2] = u2;
      columns[e + 3] = u3;
      columns[e + 4] = u4;
      columns[e + 5] = u5;
      pivots[k] = pivot;
      const i = vAt[k]!;
      let gain: number;
      let push: number;
      if (driven[k]) {
        gain = 0;
        push = a[i]!;
        tau[i] = along;
      } else if (pivot > SINGULAR * whole && !(light[k] && looped[k])) {
        gain = 1 / pivot;
        push = (tau[i]! - along) * gain;
      } else {
        if (!this.#hold(k, along - tau[i]!)) return false;
        gain = 0;
        push = 0;
      }
      gains[k] = gain;
      pushes[k] = push;

      // p' needs I' bias; the world needs no inertia.
      const toBias = push - gain * (u0 * q0 + u1 * q1 + u2 * q2 + u3 * q3 + u4 * q4 + u5 * q5);
      p0 += i0 * q0 + i1 * q1 + i2 * q2 + b0 * q3 + b1 * q4 + b2 * q5 + u0 * toBias;
      p1 += i1 * q0 + i3 * q1 + i4 * q2 + b3 * q3 + b4 * q4 + b5 * q5 + u1 * toBias;
      p2 += i2 * q0 + i4 * q1 + i5 * q2 + b6 * q3 + b7 * q4 + b8 * q5 + u2 * toBias;
      p3 += b0 * q0 + b3 * q1 + b6 * q2 + c0 * q3 + c1 * q4 + c2 * q5 + u3 * toBias;
      p4 += b1 * q0 + b4 * q1 + b7 * q2 + c1 * q3 + c3 * q4 + c4 * q5 + u4 * toBias;
      p5 += b2 * q0 + b5 * q1 + b8 * q2 + c2 * q3 + c4 * q4 + c5 * q5 + u5 * toBias;
      forces[v] = forces[v]! + p0 + ry * p5 - rz * p4;
      forces[v + 1] = forces[v + 1]! + p1 + rz * p3 - rx * p5;
      forces[v + 2] = forces[v + 2]! + p2 + rx * p4 - ry * p3;
      forces[v + 3] = forces[v + 3]! + p3;
      forces[v + 4] = forces[v + 4]! + p4;
      forces[v + 5] = forces[v + 5]! + p5;
      if (j === n) continue;

      if (gain !== 0) {
        const g0 = gain * u0;
        const g1 = gain * u1;
        const g2 = gain * u2;
        const g3 = gain * u3;
        const g4 = gain * u4;
        const g5 = gain * u5;
        i0 -= g0 * u0;
        i1 -= g0 * u1;
        i2 -= g0 * u2;
        i3 -= g1 * u1;
        i4 -= g1 * u2;
        i5 -= g2 * u2;
        b0 -= g0 * u3;
        b1 -= g0 * u4;
        b2 -= g0 * u5;
        b3 -= g1 * u3;
        b4 -= g1 * u4;
        b5 -= g1 * u5;
        b6 -= g2 * u3;
        b7 -= g2 * u4;
        b8 -= g2 * u5;
        c0 -= g3 * u3;
        c1 -= g3 * u4;
        c2 -= g3 * u5;
        c3 -= g4 * u4;
        c4 -= g4 * u5;
        c5 -= g5 * u5;
      }
      const d0 = b0 + ry * c2 - rz * c1;
      const d1 = b1 + ry * c4 - rz * c3;
      const d2 = b2 + ry * c5 - rz * c4;
      const d3 = b3 + rz * c0 - rx * c2;
      const d4 = b4 + rz * c1 - rx * c4;
      const d5 = b5 + rz * c2 - rx * c5;
      const d6 = b6 + rx * c1 - ry * c0;
      const d7 = b7 + rx * c3 - ry * c1;
      const d8 = b8 + rx * c4 - ry * c2;
      const y = 21 * j;
      inertias[y] = inertias[y]! + i0 + ry * (b2 + d2) - rz * (b1 + d1);
      inertias[y + 1] = inertias[y + 1]! + i1 + rz * b0 - rx * b2 + ry * d5 - rz * d4;
      inertias[y + 2] = inertias[y + 2]! + i2 + rx * b1 - ry * b0 + ry * d8 - rz * d7;
      inertias[y + 3] = inertias[y + 3]! + i3 + rz * (b3 + d3) - rx * (b5 + d5);
      inertias[y + 4] = inertias[y + 4]! + i4 + rx * b4 - ry * b3 + rz * d6 - rx * d8;
      inertias[y + 5] = inertias[y + 5]! + i5 + rx * (b7 + d7) - ry * (b6 + d6);
      inertias[y + 6] = inertias[y + 6]! + d0;
      inertias[y + 7] = inertias[y + 7]! + d1;
      inertias[y + 8] = inertias[y + 8]! + d2;
      inertias[y + 9] = inertias[y + 9]! + d3;
      inertias[y + 10] = inertias[y + 10]! + d4;
      inertias[y + 11] = inertias[y + 11]! + d5;
      inertias[y + 12] = inertias[y + 12]! + d6;
      inertias[y + 13] = inertias[y + 13]! + d7;
      inertias[y + 14] = inertias[y + 14]! + d8;
      inertias[y + 15] = inertias[y + 15]! + c0;
      inertias[y + 16] = inertias[y + 16]! + c1;
      inertias[y + 17] = inertias[y + 17]! + c2;
      inertias[y + 18] = inertias[y + 18]! + c3;
      inertias[y + 19] = inertias[y + 19]! + c4;
      inertias[y + 20] = inertias[y + 20]! + c5;
    }
    return true;
  }

  /** Holds a joint that little or nothing resists, if it is on a loop. */
  #hold(k: number, lacking: number): boolean {
    if (!this.looped[k]) {
      this.singular = k;
      return false;
    }
    this.held[k] = 1;
    this.lacks[this.motion.tree.vAt[k]!] = lacking;
    this.holding++;
    return true;
  }

  /** From the roots to the tips: accelerations, and forces of driven joints. */
  #release(tau: Float64Array, a: Float64Array): void {
    const { motion, accelerations, biases, columns, pivots, gains, pushes, held, lacks } = this;
    const { tree, frames, arms } = motion;
    const { n, parent, kind, turn, advance, driven, vAt } = tree;
    for (let k = 0; k < n; k++) {
      const of = kind[k]!;
      const e = 6 * k;
      const v = 6 * parent[k]!;
      const g = 3 * k;
      const rx = arms[g]!;
      const ry = arms[g + 1]!;
      const rz = arms[g + 2]!;
      const ax = accelerations[v]!;
      const ay = accelerations[v + 1]!;
      const az = accelerations[v + 2]!;
      const a0 = ax + biases[e]!;
      const a1 = ay + biases[e + 1]!;
      const a2 = az + biases[e + 2]!;
      const a3 = accelerations[v + 3]! + ay * rz - az * ry + biases[e + 3]!;
      const a4 = accelerations[v + 4]! + az * rx - ax * rz + biases[e + 4]!;
      const a5 = accelerations[v + 5]! + ax * ry - ay * rx + biases[e + 5]!;
      accelerations[e] = a0;
      accelerations[e + 1] = a1;
      accelerations[e + 2] = a2;
      accelerations[e + 3] = a3;
      accelerations[e + 4] = a4;
      accelerations[e + 5] = a5;
      if (of > SCREW) {
        releaseWide(this, k, accelerations, a);
        continue;
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
      if (driven[k]) tau[i] = tau[i]! + reached + pivots[k]! * own;
      else {
        a[i] = own;
        if (held[k]) lacks[i] = lacks[i]! + reached;
      }
      const f = 9 * k;
      const zx = frames[f + 2]!;
      const zy = frames[f + 5]!;
      const zz = frames[f + 8]!;
      if (of !== PRISMATIC) {
        const spin = turn[k]! * own;
        accelerations[e] = a0 + spin * zx;
        accelerations[e + 1] = a1 + spin * zy;
        accelerations[e + 2] = a2 + spin * zz;
      }
      if (of !== REVOLUTE) {
        const slide = advance[k]! * own;
        accelerations[e + 3] = a3 + slide * zx;
        accelerations[e + 4] = a4 + slide * zy;
        accelerations[e + 5] = a5 + slide * zz;
      }
    }
  }
}
