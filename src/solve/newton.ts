/**
 * Newton's method for F(x) = 0 with line search, scaled by nominal values (J. E. Dennis and R. B. Schnabel,
 * Numerical Methods for Unconstrained Optimization and Nonlinear Equations, 1983, chapter 6). Where the
 * Jacobian is singular or the line search fails, a regularised step (K. Levenberg, 1944) is tried before
 * giving up. Inside an integration the factors of the last solution are used again as long as they converge
 * fast.
 *
 * Residuals are measured against what their row of the Jacobian makes of the unknowns, sum_j |J_ij|
 * max(|x_j|, nominal_j), so equations need no nominal values of their own. The rows of the Jacobian are scaled alike before it is factored: otherwise
 * an equation with large coefficients would be taken for a good pivot, and spoil the others by its rounding errors.
 */
import type { SparsePattern } from '../collections/pattern.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { Levenberg } from './levenberg.ts';
import { createLinearSolver } from './linear.ts';
import type { LinearSolver } from './solver.ts';

export interface NonlinearSystem {
  readonly n: number;
  /** Where dF/dx may be nonzero. */
  readonly pattern: SparsePattern;
  /** Writes F(x) into `r`; false where it cannot be evaluated. */
  residual(x: Float64Array, r: Float64Array): boolean;
  /** Writes the nonzeros of dF/dx in the order of the pattern; false where they cannot be evaluated. */
  jacobian(x: Float64Array, values: Float64Array): boolean;
}

export interface NewtonOptions {
  /** Typical sizes of the unknowns; 1 where not given. */
  readonly nominal?: Float64Array;
  /** Relative accuracy of the unknowns. */
  readonly tolerance?: number;
  readonly maxIterations?: number;
  /** Begin with the factors of the last solution. */
  readonly reuse?: boolean;
  /** F is linear: steps are taken whole. */
  readonly linear?: boolean;
}

export type NewtonOutcome =
  | { readonly kind: 'converged' }
  /** The Jacobian is singular and no regularised step helps. */
  | { readonly kind: 'singular'; readonly equation: number; readonly residual: number }
  /** F or its Jacobian cannot be evaluated at the start, or nowhere along the steps. */
  | { readonly kind: 'not-finite'; readonly equation: number }
  /** No progress, or too many iterations; the equation with the largest scaled residual. */
  | { readonly kind: 'no-convergence'; readonly equation: number; readonly residual: number };

/** Relative accuracy of unknowns. */
export const TOLERANCE = 1e-12;
const MAX_ITERATIONS = 200;
/** A scaled residual of so many units of roundoff cannot be improved. */
export const ROUNDOFF = 4 * Number.EPSILON;
/** Sufficient decrease of the merit function (Dennis and Schnabel, algorithm A6.3.1). */
const DECREASE = 1e-4;
const SHORTEST_STEP = 1e-10;
/** A step that leaves more than this share of the merit is compared with a shorter one. */
const POOR = 0.25;
/** Old factors must reduce the correction at least by this factor in each iteration. */
const REUSE_RATE = 0.2;
/** Where corrections no longer shrink but are this small, rounding is all that is left. */
const STAGNATION = 1e-8;
const STAGNATION_RATE = 0.9;
/** Corrections of the solution of a linear system. */
const REFINEMENTS = 4;
/** A second correction that would be below this part of the tolerance, by what others with the same factors were, is left out. */
const REFINEMENT_SHARE = 0.1;
/** Errors of residuals are measured so often, at points that differ from the solution by up to this share. */
const NOISE_PROBES = 8;
const NOISE_SHARE = 1e-3;
/** Residuals may be so many times larger than the errors that were measured. */
const NOISE_FACTOR = 10;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const CONVERGED: NewtonOutcome = { kind: 'converged' };

export class Newton {
  /** Iterations of the last `solve`. */
  iterations = 0;
  /** Whether the last `solve` ended at a solution at which the Jacobian is singular: there may be others beside it. */
  isSingular = false;

  private readonly linear: LinearSolver;
  private readonly nominal: Float64Array;
  private readonly tolerance: number;
  private readonly maxIterations: number;
  private readonly reuse: boolean;
  private readonly isLinear: boolean;
  private readonly values: Float64Array;
  private readonly r: Float64Array;
  private readonly rTrial: Float64Array;
  private readonly step: Float64Array;
  private readonly trial: Float64Array;
  private readonly start: Float64Array;
  /** Scale of each equation at the point of the last Jacobian. */
  private readonly scale: Float64Array;
  private readonly products: Float64Array;
  /** What the rows of the factored matrix were multiplied by, powers of two near 1/scale, and that matrix. */
  private readonly factors: Float64Array;
  private readonly scaled: Float64Array;
  private levenberg: Levenberg | undefined;
  private factored = false;
  /** The second correction of a linear system as a share of the first, the largest one with these factors; what is unknown leaves nothing out. */
  private refinement = Number.POSITIVE_INFINITY;
  /** The Jacobian that was factored. */
  private readonly last: Float64Array;

  constructor(
    readonly system: NonlinearSystem,
    options: NewtonOptions = {},
  ) {
    const { n } = system;
    this.nominal = options.nominal ?? new Float64Array(n).fill(1);
    this.tolerance = options.tolerance ?? TOLERANCE;
    this.maxIterations = options.maxIterations ?? MAX_ITERATIONS;
    this.reuse = options.reuse ?? false;
    this.isLinear = options.linear ?? false;
    this.linear = createLinearSolver(system.pattern);
    this.values = new Float64Array(system.pattern.rows.length);
    this.r = new Float64Array(n);
    this.rTrial = new Float64Array(n);
    this.step = new Float64Array(n);
    this.trial = new Float64Array(n);
    this.start = new Float64Array(n);
    this.scale = new Float64Array(n).fill(1);
    this.products = new Float64Array(n);
    this.factors = new Float64Array(n).fill(1);
    this.scaled = new Float64Array(this.values.length);
    this.last = new Float64Array(this.values.length);
  }

  /** Improves `x` to a solution. After any other outcome than `converged`, `x` is the best point found. */
  solve(x: Float64Array): NewtonOutcome {
    this.iterations = 0;
    this.isSingular = false;
    const { system, r } = this;
    if (!system.residual(x, r) || !allFinite(r)) return { kind: 'not-finite', equation: notFinite(r) };
    if (this.reuse && this.factored) {
      this.start.set(x);
      if (this.simplified(x)) return CONVERGED;
      // With the factors of another point it may have gone far away, where another solution is nearer.
      x.set(this.start);
      system.residual(x, r);
    }
    if (this.isLinear && this.refined(x)) return CONVERGED;
    return this.damped(x);
  }

  /** Factors the Jacobian at x, for `solveLinear`. */
  factorAt(x: Float64Array): boolean {
    this.factored = this.system.jacobian(x, this.values) && allFinite(this.values) && this.factorise(x);
    return this.factored;
  }

  /** As `factorAt`; the factors at hand serve where the matrix is still the same, as it mostly is in linear systems. */
  private factorAgain(x: Float64Array): boolean {
    const { values, last } = this;
    const known = this.factored;
    this.factored = this.system.jacobian(x, values);
    if (!this.factored) return false;
    let same = known;
    for (let k = 0; same && k < values.length; k++) same = values[k] === last[k];
    if (same) return true;
    this.factored = this.factorise(x);
    return this.factored;
  }

  /** Factors the Jacobian in `values`, which is that at x; false where it is singular. */
  private factorise(x: Float64Array): boolean {
    const { factors, scale, scaled, values } = this;
    const { rows } = this.system.pattern;
    this.last.set(values);
    this.refinement = Number.POSITIVE_INFINITY;
    this.setScale(x);
    for (let i = 0; i < factors.length; i++) factors[i] = inversePower(scale[i]!);
    for (let k = 0; k < scaled.length; k++) scaled[k] = values[k]! * factors[rows[k]!]!;
    return this.linear.factor(scaled);
  }

  /**
   * Replaces b by the solution of J d = b with the factors at hand: tangents of the solution for right-hand
   * sides -dF/dp.
   */
  solveLinear(b: Float64Array): void {
    const { factors } = this;
    for (let i = 0; i < b.length; i++) b[i] = b[i]! * factors[i]!;
    this.linear.solve(b);
  }

  /** The matrix that was factored last, its rows scaled; undefined where it was singular. */
  get matrix(): Float64Array | undefined {
    return this.factored ? this.scaled : undefined;
  }

  /** The last Jacobian and its factors, as a value. */
  state() {
    const { factored, refinement, last, scale, factors, scaled } = this;
    return structuredClone({
      own: { factored, refinement, last, scale, factors, scaled },
      pivots: this.linear.pivots,
    });
  }

  resume({ own, pivots }: ReturnType<Newton['state']>): void {
    Object.assign(this, structuredClone(own));
    if (own.factored || pivots) this.linear.factor(this.scaled, pivots);
  }

  /** Forgets old factors. */
  reset(): void {
    this.factored = false;
  }

  /**
   * Iterates with the factors at hand; false, with `x` and its residual the last good ones, where they converge too
   * slowly.
   */
  private simplified(x: Float64Array): boolean {
    const { system, r, rTrial, step, trial } = this;
    let before = Number.POSITIVE_INFINITY;
    while (this.iterations < this.maxIterations) {
      pulse();
      this.iterations++;
      for (let i = 0; i < r.length; i++) step[i] = -r[i]!;
      this.solveLinear(step);
      const size = this.stepSize(x, step);
      const rate = before === Number.POSITIVE_INFINITY ? 1 : size / before;
      if (!(rate <= REUSE_RATE || before === Number.POSITIVE_INFINITY)) return false;
      for (let i = 0; i < x.length; i++) trial[i] = x[i]! + step[i]!;
      if (!system.residual(trial, rTrial) || !allFinite(rTrial)) return false;
      x.set(trial);
      r.set(rTrial);
      if (size <= this.tolerance || size * rate <= this.tolerance) return true;
      before = size;
    }
    return false;
  }

  /**
   * The solution of a linear system, corrected as long as that makes residuals smaller. What remains then are rounding errors of the
   * residuals; a line search would follow them. False where more remains than that.
   */
  private refined(x: Float64Array): boolean {
    const { system, r, rTrial, step, trial } = this;
    if (!this.factorAgain(x) || !allFinite(this.values)) return false;
    let before = Number.POSITIVE_INFINITY;
    let first = 0;
    for (let n = 0; n < REFINEMENTS; n++) {
      this.iterations++;
      for (let i = 0; i < r.length; i++) step[i] = -r[i]!;
      this.solveLinear(step);
      for (let i = 0; i < x.length; i++) trial[i] = x[i]! + step[i]!;
      if (!system.residual(trial, rTrial) || !allFinite(rTrial)) return false;
      const size = this.stepSize(x, step);
      if (n === 0) first = size;
      // Of a correction that is little more than rounding there is nothing to learn.
      if (n === 1 && first > STAGNATION) this.learn(size / first);
      const isEnough =
        n === 0 && size * this.refinement <= REFINEMENT_SHARE * this.tolerance && this.isSmall(rTrial);
      const isExact = isEnough || this.isRounding(trial, rTrial);
      // Mostly the first step is all that is needed; nothing has to be compared then.
      if (n > 0 || !isExact) {
        this.setScale(trial);
        const now = this.merit(rTrial);
        if (now >= before) break;
        before = now;
      }
      const isDone = isExact || size <= this.tolerance;
      x.set(trial);
      r.set(rTrial);
      if (isDone) return true;
    }
    return this.largest(r) <= STAGNATION || this.isNoise(x);
  }

  /** Whether residuals leave no doubt that this is the solution, as far as factors serve at all. */
  private isSmall(r: Float64Array): boolean {
    const { scale } = this;
    for (let i = 0; i < r.length; i++) if (!(Math.abs(r[i]!) <= STAGNATION * scale[i]!)) return false;
    return true;
  }

  private learn(share: number): void {
    const known = this.refinement < Number.POSITIVE_INFINITY ? this.refinement : 0;
    this.refinement = Math.max(known, share);
  }

  /** Whether the residuals at x are no larger than the rounding of the products that they are sums of. */
  private isRounding(x: Float64Array, r: Float64Array): boolean {
    const { products, values } = this;
    const { starts, rows, n } = this.system.pattern;
    products.fill(0);
    for (let j = 0; j < n; j++) {
      const size = ROUNDOFF * Math.abs(x[j]!);
      for (let k = starts[j]!; k < starts[j + 1]!; k++)
        products[rows[k]!] = products[rows[k]!]! + Math.abs(values[k]!) * size;
    }
    for (let i = 0; i < n; i++) if (Math.abs(r[i]!) > products[i]!) return false;
    return true;
  }

  /**
   * Whether the residuals of a linear system at x are no larger than the errors of their evaluation. Values on the way to
   * a residual may cancel (currents of a short circuit at a node), and the derivatives in which they have cancelled do not show how large they
   * were. But F(x + d) - F(x) = J d holds for any d: what is missing are the errors of two evaluations. `r` stays as it is.
   */
  private isNoise(x: Float64Array): boolean {
    const { system, r, rTrial, step: d, trial } = this;
    const { starts, rows, n } = system.pattern;
    const open = Uint8Array.from(r, (value, i) => (Math.abs(value / this.scale[i]!) <= STAGNATION ? 0 : 1));
    for (let probe = 0; probe < NOISE_PROBES; probe++) {
      for (let j = 0; j < n; j++) {
        // Another share for each unknown and probe, with all bits in use.
        const share = NOISE_SHARE * (((j + 1) * (probe + 1) * GOLDEN) % 1);
        trial[j] = x[j]! + share * Math.max(Math.abs(x[j]!), this.nominal[j]!);
        d[j] = trial[j]! - x[j]!;
      }
      if (!system.residual(trial, rTrial)) continue;
      for (let i = 0; i < n; i++) rTrial[i] = rTrial[i]! - r[i]!;
      for (let j = 0; j < n; j++)
        for (let k = starts[j]!; k < starts[j + 1]!; k++)
          rTrial[rows[k]!] = rTrial[rows[k]!]! - this.values[k]! * d[j]!;
      for (let i = 0; i < n; i++) if (Math.abs(r[i]!) <= NOISE_FACTOR * Math.abs(rTrial[i]!)) open[i] = 0;
    }
    // What the evaluation leaves behind is that of the solution.
    return system.residual(x, rTrial) && open.every((value) => value === 0);
  }

  private damped(x: Float64Array): NewtonOutcome {
    const { step, r } = this;
    let before = Number.POSITIVE_INFINITY;
    while (this.iterations < this.maxIterations) {
      pulse();
      this.iterations++;
      this.factored = false;
      if (!this.system.jacobian(x, this.values) || !allFinite(this.values))
        return { kind: 'not-finite', equation: this.system.pattern.rows[notFinite(this.values)] ?? 0 };
      this.factored = this.factorise(x);
      if (this.factored) {
        for (let i = 0; i < r.length; i++) step[i] = -r[i]!;
        this.solveLinear(step);
      }
      const newton = this.factored && allFinite(step);
      const size = newton ? this.stepSize(x, step) : Number.POSITIVE_INFINITY;
      const settled = newton && this.settled(size, before);
      if (newton && this.search(x, settled)) {
        if (settled) return CONVERGED;
        before = size;
        continue;
      }
      // A correction that leads to where nothing can be evaluated is only left out where it does not matter.
      const isNegligible = newton ? settled && !(size > this.tolerance) : this.largest(r) <= this.tolerance;
      if (isNegligible || (settled && this.largest(r) <= ROUNDOFF)) return this.converged();
      before = Number.POSITIVE_INFINITY;
      if (!this.regularised(x))
        return this.largest(r) <= this.tolerance ? this.converged() : this.stuck(newton);
    }
    return this.stuck(true);
  }

  private converged(): NewtonOutcome {
    this.isSingular = !this.factored;
    return CONVERGED;
  }

  /** Whether a full step of this size leaves nothing to gain. */
  private settled(size: number, before: number): boolean {
    if (size <= this.tolerance) return true;
    if (size < STAGNATION && size >= STAGNATION_RATE * before) return true;
    return this.largest(this.r) <= ROUNDOFF;
  }

  /**
   * Moves along `step` as far as the merit function allows; false where it does not decrease. A final
   * correction is just taken, as a whole or not at all.
   */
  private search(x: Float64Array, final: boolean): boolean {
    const { system, r, rTrial, step, trial } = this;
    const merit = this.merit(r);
    let length = 1;
    let evaluated = false;
    while (length > SHORTEST_STEP) {
      for (let i = 0; i < x.length; i++) trial[i] = x[i]! + length * step[i]!;
      if (!system.residual(trial, rTrial) || !allFinite(rTrial)) {
        if (final) return false;
        length *= 0.25;
        continue;
      }
      evaluated = true;
      const now = this.merit(rTrial);
      // Minimum of the parabola with the slope of Newton's direction, -2 merit.
      const wish = (merit * length * length) / (now - merit + 2 * merit * length);
      if (final || now <= (1 - 2 * DECREASE * length) * merit) {
        if (final && now > merit) return true;
        x.set(trial);
        r.set(rTrial);
        if (!final && now > POOR * merit) this.shorten(x, length - wish, now);
        return true;
      }
      length = Math.min(Math.max(Number.isFinite(wish) ? wish : 0, 0.1 * length), 0.5 * length);
    }
    return evaluated && merit === 0;
  }

  /**
   * Goes back along `step` by so much where that is better than `merit`. Past a steep root, as that of sign(x) sqrt|x|, which a flow follows where it turns, the
   * residual is hardly smaller than before, and the next step would lead back to where this one came from.
   */
  private shorten(x: Float64Array, back: number, merit: number): void {
    const { system, r, rTrial, step, trial } = this;
    if (!(back > 0)) return;
    for (let i = 0; i < x.length; i++) trial[i] = x[i]! - back * step[i]!;
    if (!system.residual(trial, rTrial) || !allFinite(rTrial) || !(this.merit(rTrial) < merit)) return;
    x.set(trial);
    r.set(rTrial);
  }

  private regularised(x: Float64Array): boolean {
    const { system, r, rTrial, step, trial } = this;
    this.levenberg ??= new Levenberg(system.pattern);
    const merit = this.merit(r);
    for (let attempt = 0; attempt < DAMPINGS; attempt++) {
      const damping = SMALLEST_DAMPING * 10 ** attempt;
      if (!this.levenberg.step(this.values, r, this.scale, x, this.nominal, damping, step)) continue;
      for (let i = 0; i < x.length; i++) trial[i] = x[i]! + step[i]!;
      if (!system.residual(trial, rTrial) || !allFinite(rTrial)) continue;
      if (this.merit(rTrial) < (1 - DECREASE) * merit) {
        x.set(trial);
        r.set(rTrial);
        return true;
      }
    }
    return false;
  }

  private stuck(regular: boolean): NewtonOutcome {
    const equation = this.worst(this.r);
    return { kind: regular ? 'no-convergence' : 'singular', equation, residual: this.r[equation] ?? 0 };
  }

  private setScale(x: Float64Array): void {
    const { scale, values, nominal } = this;
    const { starts, rows, n } = this.system.pattern;
    scale.fill(0);
    for (let j = 0; j < n; j++) {
      const size = Math.max(Math.abs(x[j]!), nominal[j]!);
      for (let k = starts[j]!; k < starts[j + 1]!; k++)
        scale[rows[k]!] = scale[rows[k]!]! + Math.abs(values[k]!) * size;
    }
    for (let i = 0; i < n; i++) if (!(scale[i]! > 0)) scale[i] = 1;
  }

  private stepSize(x: Float64Array, step: Float64Array): number {
    const { nominal } = this;
    let largest = 0;
    for (let i = 0; i < x.length; i++) {
      const size = Math.abs(step[i]!) / Math.max(Math.abs(x[i]!), nominal[i]!);
      if (!(size <= largest)) largest = size;
    }
    return largest;
  }

  private merit(r: Float64Array): number {
    const { scale } = this;
    let sum = 0;
    for (let i = 0; i < r.length; i++) {
      const scaled = r[i]! / scale[i]!;
      sum += scaled * scaled;
    }
    return sum;
  }

  private largest(r: Float64Array): number {
    return r.length === 0 ? 0 : Math.abs(r[this.worst(r)]! / this.scale[this.worst(r)]!);
  }

  private worst(r: Float64Array): number {
    const { scale } = this;
    let worst = 0;
    for (let i = 1; i < r.length; i++) {
      if (Math.abs(r[i]! / scale[i]!) > Math.abs(r[worst]! / scale[worst]!)) worst = i;
    }
    return worst;
  }
}

/** Regularised steps are tried with damping from the smallest on, each time ten times larger. */
const DAMPINGS = 16;
const SMALLEST_DAMPING = 1e-10;

export interface Homotopy {
  /** Sets the parameter of the family of systems: 0 is the simple one, 1 the one to be solved. */
  set(lambda: number): void;
}

/** The parameter moves at least by this much in each step. */
const SMALLEST_ADVANCE = 1e-4;

/** Follows the solution from the simplified system (0) to the actual one (1), with secant prediction. */
export function continuation(newton: Newton, homotopy: Homotopy, x: Float64Array): NewtonOutcome {
  homotopy.set(0);
  newton.reset();
  let outcome = newton.solve(x);
  if (outcome.kind !== 'converged') return outcome;
  const last = Float64Array.from(x);
  const before = Float64Array.from(x);
  let lambda = 0;
  let advance = 1;
  let lastAdvance = 0;
  while (lambda < 1) {
    const target = Math.min(1, lambda + advance);
    const share = lastAdvance > 0 ? (target - lambda) / lastAdvance : 0;
    for (let i = 0; i < x.length; i++) x[i] = last[i]! + share * (last[i]! - before[i]!);
    homotopy.set(target);
    newton.reset();
    outcome = newton.solve(x);
    if (outcome.kind === 'converged') {
      lastAdvance = target - lambda;
      before.set(last);
      last.set(x);
      lambda = target;
      advance = 2 * lastAdvance;
    } else {
      advance *= 0.25;
      if (advance < SMALLEST_ADVANCE) return outcome;
    }
  }
  return CONVERGED;
}

const double = new Float64Array(1);
/** Its halves, the one with the exponent last; on other machines than those, logarithms serve. */
const halves = new Uint32Array(double.buffer);
double[0] = 1;
const isLittle = halves[1] === 0x3ff00000;

/** The power of two that is nearest to 1/x, in the exponent; 1 where there is none. This happens for every row of every matrix. */
function inversePower(x: number): number {
  double[0] = x;
  const high = halves[1]!;
  const exponent = high >>> 20;
  if (!isLittle || exponent < 2 || exponent > 2044) {
    const factor = 2 ** -Math.round(Math.log2(x));
    return factor > 0 && factor < Number.POSITIVE_INFINITY ? factor : 1;
  }
  // The mantissa is below the square root of two.
  const isLower = (high & 0xfffff) < 0x6a09e;
  halves[1] = (2046 - exponent - (isLower ? 0 : 1)) << 20;
  halves[0] = 0;
  return double[0]!;
}

function allFinite(v: Float64Array): boolean {
  return notFinite(v) < 0;
}

function notFinite(v: Float64Array): number {
  for (let i = 0; i < v.length; i++) if (!Number.isFinite(v[i]!)) return i;
  return -1;
}
