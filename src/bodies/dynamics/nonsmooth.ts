/**
 * The law of Coulomb for all points at once, by Newton's method on equations with bends (P. Alart, A. Curnier, 1991): of a point that presses, the speed along the normal is zero; one that
 * sticks has none across, and one that slips has all the force that friction can bear against its slip. Which of these a point does is seen from forces and speeds of the last
 * approximation, as the projections show that forces must be equal to:
 *
 *     p_n = max(0, p_n - v_n/W_nn),    p_t = p_t - v_t/W_tt, or the nearest to it of length friction p_n
 *
 * Points that share a load leave forces open, and rounding lets their speeds contradict each other: a very small compliance decides.
 */
import { SquareFactors } from './linear.ts';

/** What there is at points that touch: see `coulomb.ts`. */
export interface CoulombProblem {
  /** How many points. */
  readonly count: number;
  /** W, by rows; three for each point. */
  readonly matrix: Float64Array;
  readonly free: Float64Array;
  readonly friction: Float64Array;
  /** Of each point two numbers: the direction of slip; not numbers where it does not slip. */
  readonly slips: Float64Array;
}

/** The compliance, by that of the most compliant point. */
const COMPLIANCE = 1e-12;
/** Equations that hold so well, by the largest force, are solved. */
const EXACT = 2e-15;
const MOST_STEPS = 25;
/** Steps are made shorter so often, until the equations hold better; where none does, the whole step is taken. */
const MOST_HALVINGS = 7;
const PROGRESS = 1e-4;

export class Nonsmooth {
  private readonly n: number;
  /** W with the compliance. */
  private readonly matrix: Float64Array;
  /** Of each point: how forces along the normal and across answer to speeds. */
  private readonly normal: Float64Array;
  private readonly across: Float64Array;
  private readonly slopes: Float64Array;
  private readonly residuals: Float64Array;
  private readonly speeds: Float64Array;
  private readonly step: Float64Array;
  private readonly trial: Float64Array;
  private readonly factors: SquareFactors;

  constructor(private readonly problem: CoulombProblem) {
    const { count } = problem;
    const n = 3 * count;
    this.n = n;
    this.matrix = problem.matrix.slice();
    let most = 0;
    for (let i = 0; i < n; i++) most = Math.max(most, this.matrix[i * n + i]!);
    for (let i = 0; i < n; i++) this.matrix[i * n + i]! += COMPLIANCE * most;
    this.normal = new Float64Array(count);
    this.across = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const w = (i: number, j: number) => this.matrix[(3 * k + i) * n + 3 * k + j]!;
      this.normal[k] = 1 / w(0, 0);
      this.across[k] = 2 / (w(1, 1) + w(2, 2) + Math.hypot(w(1, 1) - w(2, 2), 2 * w(1, 2)));
    }
    this.slopes = new Float64Array(n * n);
    this.residuals = new Float64Array(n);
    this.speeds = new Float64Array(n);
    this.step = new Float64Array(n);
    this.trial = new Float64Array(n);
    this.factors = new SquareFactors(n);
  }

  /** Improves forces as far as possible; gives by how much equations do not hold then, by the largest force. */
  solve(forces: Float64Array): number {
    const { n, step, slopes, residuals, factors } = this;
    const now = forces.slice();
    let least = Infinity;
    for (let steps = 0; steps < MOST_STEPS; steps++) {
      slopes.fill(0);
      const error = this.look(now, true);
      if (error < least * largest(now)) {
        least = error / largest(now);
        forces.set(now);
      }
      if (!(least > EXACT * Math.sqrt(n)) || !Number.isFinite(error)) break;
      for (let i = 0; i < n; i++) step[i] = -residuals[i]!;
      if (!factors.factor(slopes, n, 0)) break;
      factors.solve(slopes, n, step);
      this.advance(now, error);
    }
    return least;
  }

  /** Goes along `step` as far as the equations then hold better. */
  private advance(now: Float64Array, error: number): void {
    const { n, step, trial } = this;
    const go = (share: number) => {
      for (let i = 0; i < n; i++) trial[i] = now[i]! + share * step[i]!;
    };
    let share = 1;
    for (let halvings = 0; halvings <= MOST_HALVINGS; halvings++, share /= 2) {
      go(share);
      if (!(this.look(trial, false) < error * (1 - PROGRESS * share))) continue;
      now.set(trial);
      return;
    }
    go(1);
    now.set(trial);
  }

  /** By how much forces are not what they must be equal to, and with `slopes` how that changes with forces; gives its length. */
  private look(p: Float64Array, withSlopes: boolean): number {
    const { problem, residuals, speeds, matrix, n } = this;
    for (let row = 0; row < n; row++) {
      let sum = problem.free[row]!;
      for (let i = 0; i < n; i++) sum += matrix[row * n + i]! * p[i]!;
      speeds[row] = sum;
    }
    let square = 0;
    for (let k = 0; k < problem.count; k++) {
      this.lookAt(k, p, withSlopes);
      for (let i = 0; i < 3; i++) square += residuals[3 * k + i]! ** 2;
    }
    return Math.sqrt(square);
  }

  private lookAt(k: number, p: Float64Array, withSlopes: boolean): void {
    const { residuals, speeds, normal, problem } = this;
    const at = 3 * k;
    const pressing = p[at]! - normal[k]! * speeds[at]!;
    const presses = pressing > 0;
    this.rest(at, presses ? normal[k]! : 0, p, withSlopes);
    const [slipX, slipY] = [problem.slips[2 * k]!, problem.slips[2 * k + 1]!];
    const friction = problem.friction[k]!;
    if (!presses || friction === 0) {
      this.rest(at + 1, 0, p, withSlopes);
      this.rest(at + 2, 0, p, withSlopes);
    } else if (!Number.isNaN(slipX)) {
      for (const [i, slip] of [slipX, slipY].entries()) {
        residuals[at + 1 + i] = p[at + 1 + i]! + friction * p[at]! * slip;
        if (!withSlopes) continue;
        this.slopes[(at + 1 + i) * this.n + at + 1 + i] = 1;
        this.slopes[(at + 1 + i) * this.n + at] = friction * slip;
      }
    } else {
      const stiffness = this.across[k]!;
      const x = p[at + 1]! - stiffness * speeds[at + 1]!;
      const y = p[at + 2]! - stiffness * speeds[at + 2]!;
      const length = Math.hypot(x, y);
      if (length <= friction * pressing) {
        this.rest(at + 1, stiffness, p, withSlopes);
        this.rest(at + 2, stiffness, p, withSlopes);
      } else this.slide(k, p, pressing, [x / length, y / length], length, withSlopes);
    }
  }

  /** A row where the speed is zero, or the force where it does not answer to the speed. */
  private rest(row: number, stiffness: number, p: Float64Array, withSlopes: boolean): void {
    const { n, slopes, matrix } = this;
    this.residuals[row] = stiffness > 0 ? stiffness * this.speeds[row]! : p[row]!;
    if (!withSlopes) return;
    if (stiffness === 0) slopes[row * n + row] = 1;
    else for (let i = 0; i < n; i++) slopes[row * n + i] = stiffness * matrix[row * n + i]!;
  }

  /** Rows of a point that slips: the force is all that friction can bear, in a direction. */
  private slide(
    k: number,
    p: Float64Array,
    pressing: number,
    direction: readonly [number, number],
    length: number,
    withSlopes: boolean,
  ): void {
    const { n, matrix, residuals, slopes, problem } = this;
    const at = 3 * k;
    const friction = problem.friction[k]!;
    const most = friction * pressing;
    for (let i = 0; i < 2; i++) residuals[at + 1 + i] = p[at + 1 + i]! - most * direction[i]!;
    if (!withSlopes) return;
    for (let c = 0; c < n; c++) {
      const moved = (row: number, stiffness: number) => Number(c === row) - stiffness * matrix[row * n + c]!;
      const more = friction * moved(at, this.normal[k]!);
      const [x, y] = [moved(at + 1, this.across[k]!), moved(at + 2, this.across[k]!)];
      const along = direction[0] * x + direction[1] * y;
      slopes[(at + 1) * n + c] =
        Number(c === at + 1) - more * direction[0] - (most / length) * (x - along * direction[0]);
      slopes[(at + 2) * n + c] =
        Number(c === at + 2) - more * direction[1] - (most / length) * (y - along * direction[1]);
    }
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, Math.abs(values[i]!));
  return most;
}
