/**
 * The steps of the articulated-body algorithm for joints with three and six degrees of freedom. Notation of `articulated.ts`.
 *
 * A spherical joint passes on no torque but its own, so that its inertia becomes C - B' A^-1 B, at P_k, and its angular
 * acceleration is push - A^-1 B a. A free joint passes on its own wrench and no inertia: its acceleration is push.
 */
import type { Motion } from './motion.ts';
import { FREE, SINGULAR } from './tree.ts';

/** What is reduced, as `Articulated` keeps it. */
export interface Reduced {
  readonly motion: Motion;
  readonly inertias: Float64Array;
  readonly biases: Float64Array;
  readonly forces: Float64Array;
  /** Of spherical and free joints: factors of the inertia, its share for linear acceleration, and what is pushed. */
  readonly factors: Float64Array;
  readonly shares: Float64Array;
  readonly widePushes: Float64Array;
}

/** Factors the inertia of a spherical joint, and gives the parent what remains of it. False: singular. */
export function factorSpherical(at: Reduced, k: number): boolean {
  const { inertias, factors, shares, biases, motion } = at;
  const x = 21 * k;
  const s = 9 * k;
  const whole = inertias[x]! + inertias[x + 3]! + inertias[x + 5]!;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j <= i; j++) factors[x + packed(i, j)] = inertias[x + upper(j, i)]!;
  if (!factored(factors, x, 0, 3, whole)) return false;
  for (let column = 0; column < 3; column++) {
    for (let i = 0; i < 3; i++) solution[i] = inertias[x + 6 + 3 * i + column]!;
    solved(factors, x, 3);
    for (let i = 0; i < 3; i++) shares[s + 3 * i + column] = solution[i]!;
  }
  const c = remainder;
  for (let i = 0; i < 3; i++)
    for (let j = i; j < 3; j++) {
      let sum = inertias[x + 15 + upper(i, j)]!;
      for (let l = 0; l < 3; l++) sum -= inertias[x + 6 + 3 * l + i]! * shares[s + 3 * l + j]!;
      c[3 * i + j] = c[3 * j + i] = sum;
    }
  const bx = biases[6 * k + 3]!;
  const by = biases[6 * k + 4]!;
  const bz = biases[6 * k + 5]!;
  pass(
    at,
    k,
    at.forces,
    0,
    0,
    0,
    c[0]! * bx + c[1]! * by + c[2]! * bz,
    c[3]! * bx + c[4]! * by + c[5]! * bz,
    c[6]! * bx + c[7]! * by + c[8]! * bz,
  );
  const { n, parent } = motion.tree;
  if (parent[k] !== n) shift(at, k, parent[k]!);
  return true;
}

/** The inertia `remainder` at P_k is added to that of the parent. */
function shift({ inertias, motion }: Reduced, k: number, j: number): void {
  const rx = motion.arms[3 * k]!;
  const ry = motion.arms[3 * k + 1]!;
  const rz = motion.arms[3 * k + 2]!;
  const y = 21 * j;
  const c = remainder;
  const d = moments;
  for (let i = 0; i < 3; i++) {
    d[i] = ry * c[6 + i]! - rz * c[3 + i]!;
    d[3 + i] = rz * c[i]! - rx * c[6 + i]!;
    d[6 + i] = rx * c[3 + i]! - ry * c[i]!;
  }
  inertias[y] = inertias[y]! + ry * d[2]! - rz * d[1]!;
  inertias[y + 1] = inertias[y + 1]! + ry * d[5]! - rz * d[4]!;
  inertias[y + 2] = inertias[y + 2]! + ry * d[8]! - rz * d[7]!;
  inertias[y + 3] = inertias[y + 3]! + rz * d[3]! - rx * d[5]!;
  inertias[y + 4] = inertias[y + 4]! + rz * d[6]! - rx * d[8]!;
  inertias[y + 5] = inertias[y + 5]! + rx * d[7]! - ry * d[6]!;
  for (let i = 0; i < 9; i++) inertias[y + 6 + i] = inertias[y + 6 + i]! + d[i]!;
  for (let i = 0; i < 3; i++)
    for (let l = i; l < 3; l++)
      inertias[y + 15 + upper(i, l)] = inertias[y + 15 + upper(i, l)]! + c[3 * i + l]!;
}

/** Factors the inertia of a free joint, linear accelerations first. False: singular. */
export function factorFree({ inertias, factors }: Reduced, k: number): boolean {
  const x = 21 * k;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      if (j <= i) {
        factors[x + packed(i, j)] = inertias[x + 15 + upper(j, i)]!;
        factors[x + packed(i + 3, j + 3)] = inertias[x + upper(j, i)]!;
      }
      factors[x + packed(i + 3, j)] = inertias[x + 6 + 3 * i + j]!;
    }
  const linear = inertias[x + 15]! + inertias[x + 18]! + inertias[x + 20]!;
  const angular = inertias[x]! + inertias[x + 3]! + inertias[x + 5]!;
  return factored(factors, x, 0, 3, linear) && factored(factors, x, 3, 6, angular);
}

/** What a joint pushes, with force tau, against the forces of its link; the parent gets what it passes on. */
export function pushWide(at: Reduced, k: number, forces: Float64Array, tau: Float64Array): void {
  const { motion, inertias, factors, widePushes } = at;
  const { kind, vAt } = motion.tree;
  const x = 21 * k;
  const e = 6 * k;
  const i = vAt[k]!;
  if (kind[k] === FREE) {
    resolve(motion.joints, k, tau, i);
    const fx = turned[0]!;
    const fy = turned[1]!;
    const fz = turned[2]!;
    resolve(motion.joints, k, tau, i + 3);
    const tx = turned[0]!;
    const ty = turned[1]!;
    const tz = turned[2]!;
    solution[0] = fx - forces[e + 3]!;
    solution[1] = fy - forces[e + 4]!;
    solution[2] = fz - forces[e + 5]!;
    solution[3] = tx - forces[e]!;
    solution[4] = ty - forces[e + 1]!;
    solution[5] = tz - forces[e + 2]!;
    solved(factors, x, 6);
    for (let l = 0; l < 3; l++) {
      widePushes[e + l] = solution[l + 3]!;
      widePushes[e + l + 3] = solution[l]!;
    }
    pass(at, k, forces, tx, ty, tz, fx, fy, fz);
  } else {
    resolve(motion.joints, k, tau, i);
    const tx = turned[0]!;
    const ty = turned[1]!;
    const tz = turned[2]!;
    solution[0] = tx - forces[e]!;
    solution[1] = ty - forces[e + 1]!;
    solution[2] = tz - forces[e + 2]!;
    solved(factors, x, 3);
    const sx = (widePushes[e] = solution[0]!);
    const sy = (widePushes[e + 1] = solution[1]!);
    const sz = (widePushes[e + 2] = solution[2]!);
    const b = x + 6;
    pass(
      at,
      k,
      forces,
      tx,
      ty,
      tz,
      forces[e + 3]! + inertias[b]! * sx + inertias[b + 3]! * sy + inertias[b + 6]! * sz,
      forces[e + 4]! + inertias[b + 1]! * sx + inertias[b + 4]! * sy + inertias[b + 7]! * sz,
      forces[e + 5]! + inertias[b + 2]! * sx + inertias[b + 5]! * sy + inertias[b + 8]! * sz,
    );
  }
}

/** Accelerations of a link, where they hold those without its joint, and those of the joint. */
export function releaseWide(at: Reduced, k: number, accelerations: Float64Array, a: Float64Array): void {
  const { motion, shares, widePushes } = at;
  const { kind, vAt } = motion.tree;
  const e = 6 * k;
  const i = vAt[k]!;
  if (kind[k] === FREE) {
    for (let l = 0; l < 6; l++) {
      solution[l] = widePushes[e + l]! - accelerations[e + l]!;
      accelerations[e + l] = widePushes[e + l]!;
    }
    resolveBack(motion.joints, k, 3, a, i);
    resolveBack(motion.joints, k, 0, a, i + 3);
  } else {
    const s = 9 * k;
    const x = accelerations[e + 3]!;
    const y = accelerations[e + 4]!;
    const z = accelerations[e + 5]!;
    for (let l = 0; l < 3; l++) {
      const alpha =
        widePushes[e + l]! - shares[s + 3 * l]! * x - shares[s + 3 * l + 1]! * y - shares[s + 3 * l + 2]! * z;
      solution[l] = alpha - accelerations[e + l]!;
      accelerations[e + l] = alpha;
    }
    resolveBack(motion.joints, k, 0, a, i);
  }
}

/** A wrench at P_k is added to the forces of the parent. */
function pass(
  { motion }: Reduced,
  k: number,
  forces: Float64Array,
  tx: number,
  ty: number,
  tz: number,
  fx: number,
  fy: number,
  fz: number,
): void {
  const v = 6 * motion.tree.parent[k]!;
  const rx = motion.arms[3 * k]!;
  const ry = motion.arms[3 * k + 1]!;
  const rz = motion.arms[3 * k + 2]!;
  forces[v] = forces[v]! + tx + ry * fz - rz * fy;
  forces[v + 1] = forces[v + 1]! + ty + rz * fx - rx * fz;
  forces[v + 2] = forces[v + 2]! + tz + rx * fy - ry * fx;
  forces[v + 3] = forces[v + 3]! + fx;
  forces[v + 4] = forces[v + 4]! + fy;
  forces[v + 5] = forces[v + 5]! + fz;
}

const solution = new Float64Array(6);
const turned = new Float64Array(3);
const remainder = new Float64Array(9);
const moments = new Float64Array(9);

/** Three numbers at i of a joint frame, into world axes: `turned`. */
function resolve(joints: Float64Array, k: number, from: Float64Array, i: number): void {
  const x = from[i]!;
  const y = from[i + 1]!;
  const z = from[i + 2]!;
  for (let row = 0, g = 9 * k; row < 3; row++, g += 3)
    turned[row] = joints[g]! * x + joints[g + 1]! * y + joints[g + 2]! * z;
}

/** Three numbers of `solution`, from world axes into the joint frame. */
function resolveBack(joints: Float64Array, k: number, from: number, into: Float64Array, i: number): void {
  const x = solution[from]!;
  const y = solution[from + 1]!;
  const z = solution[from + 2]!;
  for (let row = 0, g = 9 * k; row < 3; row++, g++)
    into[i + row] = joints[g]! * x + joints[g + 3]! * y + joints[g + 6]! * z;
}

/** Places of entries: of the lower triangle by rows, and of the upper triangle of a 3 by 3 matrix by rows. */
const packed = (i: number, j: number): number => (i * (i + 1)) / 2 + j;
const upper = (i: number, j: number): number => (i === 0 ? j : i + j + 1);

/**
 * Cholesky's factor of rows `from` to `to`, those before being done; inverse diagonal. False: a pivot is nothing against
 * `whole`.
 */
function factored(l: Float64Array, x: number, from: number, to: number, whole: number): boolean {
  for (let i = from; i < to; i++)
    for (let j = 0; j <= i; j++) {
      let sum = l[x + packed(i, j)]!;
      for (let m = 0; m < j; m++) sum -= l[x + packed(i, m)]! * l[x + packed(j, m)]!;
      if (j < i) l[x + packed(i, j)] = sum * l[x + packed(j, j)]!;
      else if (sum > SINGULAR * whole) l[x + packed(i, i)] = 1 / Math.sqrt(sum);
      else return false;
    }
  return true;
}

/** Solves for `solution`. */
function solved(l: Float64Array, x: number, n: number): void {
  for (let i = 0; i < n; i++) {
    let sum = solution[i]!;
    for (let m = 0; m < i; m++) sum -= l[x + packed(i, m)]! * solution[m]!;
    solution[i] = sum * l[x + packed(i, i)]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = solution[i]!;
    for (let m = i + 1; m < n; m++) sum -= l[x + packed(m, i)]! * solution[m]!;
    solution[i] = sum * l[x + packed(i, i)]!;
  }
}
