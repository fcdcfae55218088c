/** The rows of shapes that touch: points that press keep their gaps, and friction holds the shapes or pushes against their slip. */
import { METRES, NONE } from './closure.ts';
import { acrossOf, cross, dot } from './flat.ts';
import { A, apart, omega, sight, uA, uB, wA, wB } from './sight.ts';
import type { Touch } from './touch.ts';

/** What rows are written to, as in `rows.ts`. */
interface Rows {
  readonly biases: Float64Array;
  readonly skew: Uint8Array;
  readonly pushA: Float64Array;
  readonly pushB: Float64Array;
  begin(c: number, residual: number, measure: number): number;
  force(
    row: number,
    e: Float64Array,
    fromA: Float64Array,
    fromB: Float64Array,
    onA?: Float64Array,
    onB?: Float64Array,
  ): void;
  torque(row: number, e: Float64Array, by?: number): void;
}

/** Points that press keep their gaps; what sticks does not move along the surface, what slides is pushed against its slip. */
export function touchRows(rows: Rows, c: number, touch: Touch, withBiases: boolean): void {
  if (withBiases) touch.move(sight);
  else touch.look(sight);
  const { count, points, pointRates, normal, normals, gaps, normalRate, normalRates, hold, pinned } = touch;
  s.fill(0);
  rate.fill(0);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < 3; i++) {
      phi[i] = points[3 * k + i]!;
      r[i] = pointRates[3 * k + i]!;
      s[i] = s[i]! + phi[i]! / count;
      rate[i] = rate[i]! + r[i]! / count;
    }
    const row = rows.begin(c, gaps[k]!, METRES);
    touch.velocity(k, sight, slip);
    carry(r);
    for (let i = 0; i < 3; i++) {
      r[i] = phi[i]! - apart[i]!;
      e[i] = normals[3 * k + i]!;
      t[i] = normalRates[3 * k + i]!;
    }
    rows.biases[row] = dot(e, drift) + dot(t, slip);
    rows.force(row, e, phi, r);
    if (hold === 'smooth' || hold === 'stick' || (hold === 'slide' && k === pinned)) continue;
    against(k, touch);
    rows.force(row, e, phi, r, rows.pushA, rows.pushB);
    rows.skew[row] = 1;
  }
  if (hold === 'smooth' || hold === 'start' || (hold === 'slide' && pinned < 0)) return;
  if (hold === 'slide')
    for (let i = 0; i < 3; i++) {
      s[i] = points[3 * pinned + i]!;
      rate[i] = pointRates[3 * pinned + i]!;
    }
  carry(rate);
  for (let i = 0; i < 3; i++) r[i] = s[i]! - apart[i]!;
  if (hold === 'glide') {
    glide(rows, c, touch);
    return;
  }
  for (let axis = 0; axis < 2; axis++) {
    acrossOf(normal, axis, e);
    const row = rows.begin(c, 0, NONE);
    rows.force(row, e, s, r);
    rows.biases[row] = dot(e, drift);
  }
  if (count === 1 || hold === 'slide') return;
  const row = rows.begin(c, 0, NONE);
  rows.torque(row, normal);
  rows.biases[row] = dot(normalRate, omega);
}

/** Keeps the direction of a motion along the surface: s and r go to the middle of the points. */
function glide(rows: Rows, c: number, { count, points, normal, normalRate, twist, slips }: Touch): void {
  let square = 0;
  slip.fill(0);
  for (let i = 0; i < 3 * count; i++) {
    square += (points[i]! - s[i % 3]!) ** 2 / count;
    slip[i % 3] = slip[i % 3]! + slips[i]! / count;
  }
  const size = Math.sqrt(square);
  for (let i = 0; i < 3; i++)
    phi[i] = A[3 * i]! * twist[0]! + A[3 * i + 1]! * twist[1]! + A[3 * i + 2]! * twist[2]!;
  for (let axis = 0; axis < 2; axis++) {
    acrossOf(normal, axis, e);
    rate[axis] = dot(phi, e);
  }
  rate[2] = size * twist[3]!;
  const length = Math.sqrt(dot(rate, rate));
  for (let i = 0; i < 3; i++) rate[i] = rate[i]! / length;
  for (let which = 0; which < (count > 1 ? 2 : 1); which++) {
    if (count > 1) acrossOf(rate, which, mix);
    else {
      mix[0] = -rate[1]!;
      mix[1] = rate[0]!;
      mix[2] = 0;
    }
    e.fill(0);
    for (let axis = 0; axis < 2; axis++) {
      acrossOf(normal, axis, t);
      for (let i = 0; i < 3; i++) e[i] = e[i]! + mix[axis]! * t[i]!;
    }
    const row = rows.begin(c, 0, NONE);
    rows.force(row, e, s, r);
    rows.torque(row, normal, size * mix[2]!);
    cross(wA, e, t);
    rows.biases[row] = dot(e, drift) + dot(t, slip) + size * mix[2]! * dot(normalRate, omega);
  }
}

/** What the velocity of B past A, at a place that moves with a velocity, changes by besides accelerations: `drift`. */
function carry(velocity: Float64Array): void {
  for (let i = 0; i < 3; i++) drift[i] = velocity[i]! - uB[i]!;
  cross(wB, drift, t);
  for (let i = 0; i < 3; i++) drift[i] = velocity[i]! - uA[i]!;
  cross(wA, drift, drift);
  for (let i = 0; i < 3; i++) drift[i] = t[i]! - drift[i]!;
}

/** The direction of the force on a point that slides: e. Where the slip has just turned back, friction goes on as it was. */
function against(k: number, { slips, directions, friction, normals, slow, hold }: Touch): void {
  for (let i = 0; i < 3; i++) {
    t[i] =
      A[3 * i]! * directions[3 * k]! +
      A[3 * i + 1]! * directions[3 * k + 1]! +
      A[3 * i + 2]! * directions[3 * k + 2]!;
    e[i] = hold === 'slide' ? slips[3 * k + i]! + slow * t[i]! : t[i]!;
  }
  const length = Math.sqrt(dot(e, e));
  const sign = dot(e, t) < 0 ? -1 : 1;
  for (let i = 0; i < 3; i++)
    e[i] = normals[3 * k + i]! - friction * (length > 0 ? (sign * e[i]!) / length : t[i]!);
}

const slip = new Float64Array(3);
const drift = new Float64Array(3);
const e = new Float64Array(3);
const phi = new Float64Array(3);
const s = new Float64Array(3);
const rate = new Float64Array(3);
const mix = new Float64Array(3);
const t = new Float64Array(3);
const r = new Float64Array(3);
