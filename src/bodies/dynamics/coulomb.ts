/**
 * Forces, or impulses, of points that touch: the law of Coulomb on the exact cone. Of each point there are three numbers, along its normal and along two directions across.
 * Accelerations, or velocities, are linear in the forces p:
 *
 *     v = free + W p,    0 <= v_n, 0 <= p_n, v_n p_n = 0,    |p_t| <= friction p_n, and where v_t is not zero, p_t = -friction p_n v_t/|v_t|
 *
 * Points that already slip have the direction of their slip in place of that of v_t.
 *
 * Solved point by point in turn, each with the forces of the others as they are (M. Jean, J. J. Moreau, 1992), until nothing changes; where that takes long, as of points that share a
 * load, all are solved at once from there (`nonsmooth.ts`). Forces need not be unique; v is, but for points that slip.
 */
import { type CoulombProblem, Nonsmooth } from './nonsmooth.ts';

export interface CoulombSolution {
  readonly forces: Float64Array;
  /** v, of each point three. */
  readonly rates: Float64Array;
  /** The first point that slips in such a way that no force keeps it from going into the other body (P. Painlevé, 1895); -1 if there is none. */
  readonly jammed: number;
  /** How much the last round changed, by the largest force. */
  readonly change: number;
}

/** A round that changes no more than this part of the largest force is the last one. */
const EXACT = 4e-15;
/** After so many rounds all points are solved at once; where that fails, it is tried again after so many more, so often. */
const ROUNDS = 60;
const MOST_TIMES = 20;
/** What all at once need not be better than, by the largest force. */
const SOLVED = 1e-12;
/** Directions that are tried. */
const DIRECTIONS = 64;

export function solveCoulomb(problem: CoulombProblem): CoulombSolution {
  const sweep = new Sweep(problem);
  const { forces } = sweep;
  let change = sweep.rounds(ROUNDS);
  if (change > EXACT) {
    const nonsmooth = new Nonsmooth(problem);
    const best = forces.slice();
    for (let time = 0; time < MOST_TIMES; time++) {
      const error = nonsmooth.solve(forces);
      if (error < change) {
        change = error;
        best.set(forces);
      }
      if (change <= SOLVED) break;
      sweep.begin(forces);
      if (sweep.rounds(ROUNDS) > EXACT) continue;
      change = EXACT;
      best.set(forces);
      break;
    }
    forces.set(best);
    sweep.begin(forces);
    sweep.rounds(1);
  }
  // What has been added up again and again has rounding errors.
  sweep.begin(forces);
  return { forces, rates: sweep.rates, jammed: sweep.jammed, change };
}

/** All points in turn. */
class Sweep {
  readonly forces: Float64Array;
  readonly rates: Float64Array;
  jammed = -1;
  private readonly point: Point;

  constructor(private readonly problem: CoulombProblem) {
    this.forces = new Float64Array(3 * problem.count);
    this.rates = problem.free.slice();
    this.point = new Point(problem);
  }

  /** Goes on from these forces. */
  begin(from: Float64Array): void {
    const { forces, rates, problem } = this;
    const n = forces.length;
    forces.set(from);
    for (let row = 0; row < n; row++) {
      rates[row] = problem.free[row]!;
      for (let i = 0; i < n; i++) rates[row]! += problem.matrix[row * n + i]! * forces[i]!;
    }
  }

  /** Goes through all points so often, or until nothing changes; gives how much the last round has changed, by the largest force. */
  rounds(most: number): number {
    let change = 0;
    for (let round = 0; round < most; round++) {
      change = this.go();
      if (change <= EXACT) break;
    }
    return change;
  }

  private go(): number {
    const { forces, rates, point, problem } = this;
    const n = forces.length;
    let [change, largest] = [0, 0];
    this.jammed = -1;
    for (let k = 0; k < problem.count; k++) {
      const at = 3 * k;
      if (!point.solve(k, rates, forces) && this.jammed < 0) this.jammed = k;
      for (let i = 0; i < 3; i++) {
        const step = point.force[i]! - forces[at + i]!;
        largest = Math.max(largest, Math.abs(point.force[i]!));
        if (step === 0) continue;
        change = Math.max(change, Math.abs(step));
        forces[at + i] = point.force[i]!;
        for (let row = 0; row < n; row++) rates[row]! += problem.matrix[row * n + at + i]! * step;
      }
    }
    return largest > 0 ? change / largest : 0;
  }
}

/** One point, the forces of all others being known. */
class Point {
  readonly force = new Float64Array(3);
  /** Its part of W: normal, mixed, across; and v without its own force. */
  private nn = 0;
  private nx = 0;
  private ny = 0;
  private xx = 0;
  private xy = 0;
  private yy = 0;
  private bn = 0;
  private bx = 0;
  private by = 0;
  private friction = 0;

  constructor(private readonly problem: CoulombProblem) {}

  /** False where no force along the cone helps. */
  solve(k: number, rates: Float64Array, forces: Float64Array): boolean {
    this.read(k, rates, forces);
    const { slips } = this.problem;
    const at = 3 * k;
    const { force } = this;
    force.fill(0);
    if (!(this.bn < 0)) return true;
    const [sx, sy] = [slips[2 * k]!, slips[2 * k + 1]!];
    if (this.friction === 0) {
      force[0] = -this.bn / this.nn;
      return true;
    }
    if (!Number.isNaN(sx)) return this.push(sx, sy);
    if (this.stick()) return true;
    this.slide(forces[at + 1]!, forces[at + 2]!);
    return true;
  }

  private read(k: number, rates: Float64Array, forces: Float64Array): void {
    const { matrix, count, friction } = this.problem;
    const n = 3 * count;
    const at = 3 * k;
    const w = (i: number, j: number) => matrix[(at + i) * n + at + j]!;
    this.nn = w(0, 0);
    this.nx = w(0, 1);
    this.ny = w(0, 2);
    this.xx = w(1, 1);
    this.xy = w(1, 2);
    this.yy = w(2, 2);
    const own = (i: number) =>
      rates[at + i]! - w(i, 0) * forces[at]! - w(i, 1) * forces[at + 1]! - w(i, 2) * forces[at + 2]!;
    this.bn = own(0);
    this.bx = own(1);
    this.by = own(2);
    this.friction = friction[k]!;
  }

  /** The force where it slips in a direction; false where there is none. */
  private push(sx: number, sy: number): boolean {
    const { force, friction } = this;
    const resistance = this.nn - friction * (this.nx * sx + this.ny * sy);
    if (!(resistance > 0)) return false;
    force[0] = -this.bn / resistance;
    force[1] = -friction * force[0]! * sx;
    force[2] = -friction * force[0]! * sy;
    return true;
  }

  /** The force that lets it rest, if friction can hold that. */
  private stick(): boolean {
    const { nn, nx, ny, xx, xy, yy, bn, bx, by, force } = this;
    const [a, b, c] = [xx * yy - xy * xy, ny * xy - nx * yy, nx * xy - ny * xx];
    const determinant = nn * a + nx * b + ny * c;
    if (!(determinant > 0)) return false;
    force[0] = -(a * bn + b * bx + c * by) / determinant;
    force[1] = -(b * bn + (nn * yy - ny * ny) * bx + (nx * ny - nn * xy) * by) / determinant;
    force[2] = -(c * bn + (nx * ny - nn * xy) * bx + (nn * xx - nx * nx) * by) / determinant;
    return force[0]! > 0 && Math.hypot(force[1]!, force[2]!) <= this.friction * force[0]!;
  }

  /** The force on the edge of the cone that is against the motion. */
  private slide(beforeX: number, beforeY: number): void {
    const from =
      beforeX !== 0 || beforeY !== 0 ? Math.atan2(-beforeY, -beforeX) : Math.atan2(this.by, this.bx);
    if (this.refine(from, Math.PI / DIRECTIONS)) return;
    const step = (2 * Math.PI) / DIRECTIONS;
    for (let i = 0; i < DIRECTIONS; i++) {
      const [low, high] = [from + i * step, from + (i + 1) * step];
      if (this.sideways(low) * this.sideways(high) <= 0 && this.bisect(low, high)) return;
    }
    // Nothing fits: the force that opposes the motion it began with.
    this.push(Math.cos(from), Math.sin(from));
  }

  /** Secants from a direction; false where they lead astray. */
  private refine(from: number, step: number): boolean {
    let [a, b] = [from, from + 1e-3];
    let [fa, fb] = [this.sideways(a), this.sideways(b)];
    for (let i = 0; i < 30; i++) {
      if (fa === 0 || fb === 0 || a === b) break;
      const next = b - (fb * (b - a)) / (fb - fa);
      if (!(Math.abs(next - from) < 16 * step)) return false;
      [a, fa, b, fb] = [b, fb, next, this.sideways(next)];
      if (Math.abs(b - a) < 1e-16) break;
    }
    const best = Math.abs(fa) < Math.abs(fb) ? a : b;
    return Math.abs(this.sideways(best)) <= 1e-12 * this.scale() && this.goes(best);
  }

  private bisect(from: number, to: number): boolean {
    let [low, high] = [from, to];
    const sign = Math.sign(this.sideways(low));
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (Math.sign(this.sideways(middle)) === sign) low = middle;
      else high = middle;
    }
    return this.goes((low + high) / 2);
  }

  private scale(): number {
    return Math.abs(this.bn) + Math.abs(this.bx) + Math.abs(this.by) + Number.MIN_VALUE;
  }

  /** Takes a direction, if it is that of the motion, not the opposite one. */
  private goes(angle: number): boolean {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    if (!this.push(x, y)) return false;
    return this.along(x, y) >= -1e-12 * this.scale();
  }

  /** How fast it moves across a direction, with the force against that. */
  private sideways(angle: number): number {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    if (!this.push(x, y)) return Number.NaN;
    return this.along(-y, x);
  }

  private along(x: number, y: number): number {
    const { force, nx, ny, xx, xy, yy } = this;
    const [n, f, g] = [force[0]!, force[1]!, force[2]!];
    return x * (this.bx + nx * n + xx * f + xy * g) + y * (this.by + ny * n + xy * f + yy * g);
  }
}
