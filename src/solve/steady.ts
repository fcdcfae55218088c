/**
 * Steady states: y with f(t, y) = 0 at a fixed time. Newton's method with a line search comes first, since it also finds states that are not stable; where it
 * does not arrive, pseudo-transient continuation follows the system in steps that grow as f decreases (C. T. Kelley, D. E. Keyes, SIAM Journal on
 * Numerical Analysis 35, 1998), and Newton's method ends it.
 *
 * The Jacobian is singular where f does not determine all of y: an integrator that nothing feeds back, a volume of water that only moves between tanks. Then w f = 0 for some rows w whatever
 * y is, and w y stays what it is while the system moves: the steady state that it would come to is the one with w y as it was. A step dy is found from
 *
 *     J dy + W m = -f,    W' dy = 0        (rows w in W'; where this is singular too, the null space of J in place of them)
 *
 * with m = 0 where there is a steady state.
 */

import { eliminate } from './complete.ts';
import { factorDense, solveDense } from './dense.ts';
import type { OdeJacobian, OdeSystem } from './integrator.ts';
import { IterationMatrix } from './jacobian.ts';
import { createLinearSolver } from './linear.ts';

export interface SteadyState {
  readonly y: Float64Array;
  /** f there, and how large each component is beside the terms that it is made of. */
  readonly rates: Float64Array;
  readonly sizes: Float64Array;
  /** Whether all of f is as good as zero. */
  readonly isSteady: boolean;
  /** By component of y: 1 where f does not determine it. */
  readonly undetermined: Uint8Array;
}

/** Up to this size ranks are found. */
const mostDense = 400;
const mostNewton = 60;
const mostTransient = 400;
/** Steps of a line search. */
const mostHalvings = 24;
/** Beside its terms, f is zero below this; iterations go on to the other. */
const isZero = 1e-9;
const goal = 1e-14;
/** How far the search may begin from where it was to begin, beside the sizes of what is moved. */
const nudge = 1e-6;
const mostNudge = 1e-2;
/** A component of a null vector beside its largest. */
const isPart = 1e-6;

/** What is searched in. */
export interface SteadyProblem {
  readonly system: OdeSystem;
  readonly jacobian: OdeJacobian;
  readonly t: number;
  /** Sizes of what is small. */
  readonly scale: Float64Array;
  /** Told of every point that the search goes on from: f may have several values, and the next ones are to be near that of this point. */
  readonly accept: () => void;
}

/** The search begins at `y0`. Undefined where f has no value there. */
export function steadyState(problem: SteadyProblem, y0: Float64Array): SteadyState | undefined {
  const search = new Search(problem);
  if (!search.begin(y0)) return undefined;
  search.newton();
  if (!search.isSteady) {
    const before = search.found();
    search.begin(y0);
    search.transient();
    search.newton();
    if (!search.isSteady && before.badness < search.badness) search.begin(before.y);
  }
  const { y, f: rates, sizes, isSteady } = search;
  const undetermined = search.undetermined();
  return { y: y.slice(), rates: rates.slice(), sizes: sizes.slice(), isSteady, undetermined };
}

class Search {
  readonly n: number;
  y: Float64Array;
  f: Float64Array;
  /** Of the terms of f, from its Jacobian. */
  sizes: Float64Array;
  badness = Number.POSITIVE_INFINITY;
  private entries = new Float64Array(0);
  private readonly system: OdeSystem;
  private readonly jacobian: OdeJacobian;
  private readonly t: number;
  private readonly scale: Float64Array;

  constructor(private readonly problem: SteadyProblem) {
    const { system, jacobian, t, scale } = problem;
    this.system = system;
    this.jacobian = jacobian;
    this.t = t;
    this.scale = scale;
    this.n = system.n;
    this.y = new Float64Array(this.n);
    this.f = new Float64Array(this.n);
    this.sizes = new Float64Array(this.n);
  }

  get isSteady(): boolean {
    return this.badness <= isZero;
  }

  found(): { readonly y: Float64Array; readonly badness: number } {
    return { y: this.y.slice(), badness: this.badness };
  }

  /** Where f has values but its derivatives have none, as those of a root of zero, the search begins a little along f. */
  begin(y: Float64Array): boolean {
    const { system, t, f, scale } = this;
    this.y.set(y);
    if (this.look()) return true;
    if (!system.rhs(t, y, f) || !f.every(Number.isFinite)) return false;
    const along = f.slice();
    const rate = along.reduce((most, value, i) => Math.max(most, Math.abs(value) / scale[i]!), 0);
    for (let length = nudge; rate > 0 && length <= mostNudge; length *= 10) {
      for (let i = 0; i < along.length; i++) this.y[i] = y[i]! + (length / rate) * along[i]!;
      if (this.look()) return true;
    }
    return false;
  }

  /** f and its Jacobian at the point. */
  private look(): boolean {
    const { system, jacobian, t, y, f } = this;
    if (!system.rhs(t, y, f) || !f.every(Number.isFinite)) return false;
    if (jacobian.prepare && !jacobian.prepare(t, y)) return false;
    const { rows } = jacobian.pattern;
    if (this.entries.length !== rows.length) this.entries = new Float64Array(rows.length);
    if (!jacobian.evaluate(t, y, this.entries) || !this.entries.every(Number.isFinite)) return false;
    this.measure();
    if (!system.rhs(t, y, f)) return false;
    this.problem.accept();
    return true;
  }

  private measure(): void {
    const { n, entries, sizes, scale, y } = this;
    const { starts, rows } = this.jacobian.pattern;
    sizes.fill(0);
    for (let j = 0; j < n; j++) {
      const size = Math.max(Math.abs(y[j]!), scale[j]!);
      for (let k = starts[j]!; k < starts[j + 1]!; k++) sizes[rows[k]!]! += Math.abs(entries[k]!) * size;
    }
    this.badness = this.badnessOf(this.f);
  }

  /** The largest component of f beside its terms; one that depends on nothing is measured by itself. */
  private badnessOf(f: Float64Array): number {
    let most = 0;
    for (let i = 0; i < f.length; i++) {
      if (f[i] === 0) continue;
      most = Math.max(
        most,
        Math.abs(f[i]!) / (this.sizes[i]! > 0 ? this.sizes[i]! : this.scale[i]! * isZero),
      );
    }
    return most;
  }

  /** Steps of Newton's method as long as they help. */
  newton(): void {
    for (let k = 0; k < mostNewton && this.badness > goal; k++) {
      const step = this.n <= mostDense ? this.boundedStep() : this.sparseStep();
      if (!step || !this.descend(step)) return;
    }
  }

  /** Goes along a step as far as f decreases. */
  private descend(step: Float64Array): boolean {
    const { system, t, n, badness } = this;
    const before = { y: this.y.slice(), f: this.f.slice(), sizes: this.sizes.slice(), badness };
    const f = new Float64Array(n);
    let length = 1;
    for (let k = 0; k < mostHalvings; k++, length /= 2) {
      const y = before.y.map((value, i) => value + length * step[i]!);
      this.sizes.set(before.sizes);
      if (!system.rhs(t, y, f) || !f.every(Number.isFinite)) continue;
      if (!(this.badnessOf(f) < (1 - 1e-4 * length) * badness)) continue;
      this.y.set(y);
      if (this.look() && this.badness < 2 * badness) return true;
    }
    this.y.set(before.y);
    this.look();
    this.badness = before.badness;
    return false;
  }

  private sparseStep(): Float64Array | undefined {
    const linear = createLinearSolver(this.jacobian.pattern);
    if (!linear.factor(this.entries)) return undefined;
    const step = this.f.map((value) => -value);
    linear.solve(step);
    return step.every(Number.isFinite) ? step : undefined;
  }

  private dense(): Float64Array {
    const { n, entries } = this;
    const { starts, rows } = this.jacobian.pattern;
    const matrix = new Float64Array(n * n);
    for (let j = 0; j < n; j++)
      for (let k = starts[j]!; k < starts[j + 1]!; k++) matrix[rows[k]! * n + j] = entries[k]!;
    return matrix;
  }

  private boundedStep(): Float64Array | undefined {
    const matrix = this.dense();
    const found = eliminate(this.n, matrix);
    if (found.rank === this.n) return bordered(this.n, matrix, [], [], this.f);
    const left = found.left().map(normalised);
    const right = found.right().map(normalised);
    if (left.length !== right.length) return undefined;
    return bordered(this.n, matrix, left, left, this.f) ?? bordered(this.n, matrix, left, right, this.f);
  }

  /** Implicit steps in time, larger and larger as f becomes smaller. */
  transient(): void {
    const matrix = new IterationMatrix(this.jacobian);
    const { system, t } = this;
    if (!matrix.evaluate(t, this.y)) return;
    let length = 1 / Math.max(matrix.norm(), Number.MIN_VALUE);
    for (let k = 0; k < mostTransient && this.badness > isZero; k++) {
      if (!matrix.evaluate(t, this.y)) return;
      system.rhs(t, this.y, this.f);
      const before = { y: this.y.slice(), size: this.scaledRates() };
      const step = this.f.map((value) => length * value);
      const isPossible = matrix.factor(length);
      if (isPossible) {
        matrix.solve(step);
        for (let i = 0; i < step.length; i++) this.y[i]! += step[i]!;
      }
      if (!isPossible || !this.y.every(Number.isFinite) || !this.look()) {
        this.begin(before.y);
        length /= 10;
        if (!(length > 1e-12 / Math.max(matrix.norm(), Number.MIN_VALUE))) return;
        continue;
      }
      length *= Math.min(10, Math.max(0.1, before.size / Math.max(this.scaledRates(), Number.MIN_VALUE)));
    }
  }

  private scaledRates(): number {
    const { f, y, scale } = this;
    let sum = 0;
    for (let i = 0; i < f.length; i++) sum += (f[i]! / Math.max(Math.abs(y[i]!), scale[i]!)) ** 2;
    return Math.sqrt(sum);
  }

  /** What can be moved without moving f. */
  undetermined(): Uint8Array {
    const marks = new Uint8Array(this.n);
    if (this.n > mostDense) return marks;
    const { scale, y } = this;
    const size = (j: number): number => Math.max(Math.abs(y[j]!), scale[j]!);
    for (const vector of eliminate(this.n, this.dense()).right()) {
      const most = vector.reduce((largest, value, j) => Math.max(largest, Math.abs(value) / size(j)), 0);
      for (let j = 0; j < this.n; j++) if (Math.abs(vector[j]!) / size(j) > isPart * most) marks[j] = 1;
    }
    return marks;
  }
}

function normalised(vector: Float64Array): Float64Array {
  const size = Math.hypot(...vector);
  return vector.map((value) => value / size);
}

/** The solution of J dy + W m = -f, R dy = 0; undefined where there is none. */
function bordered(
  n: number,
  matrix: Float64Array,
  columns: readonly Float64Array[],
  rows: readonly Float64Array[],
  f: Float64Array,
): Float64Array | undefined {
  const m = n + columns.length;
  const whole = new Float64Array(m * m);
  const b = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    // Rows are scaled, so that units do not decide about pivots.
    const row = matrix.subarray(i * n, (i + 1) * n);
    const size = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
    for (let j = 0; j < n; j++) whole[i + j * m] = row[j]! / size;
    for (const [k, column] of columns.entries()) whole[i + (n + k) * m] = column[i]!;
    b[i] = -f[i]! / size;
  }
  for (const [k, row] of rows.entries()) for (let j = 0; j < n; j++) whole[n + k + j * m] = row[j]!;
  const exchanges = new Int32Array(m);
  if (!factorDense(m, whole, exchanges)) return undefined;
  for (let k = 0; k < m; k++) if (Math.abs(whole[k + k * m]!) < 1e-13) return undefined;
  solveDense(m, whole, exchanges, b);
  const step = b.slice(0, n);
  return step.every(Number.isFinite) ? step : undefined;
}
