/**
 * Radau IIA of order five with variable steps, for stiff problems: implicit, of one step, so a restart costs it nothing of its order. Newton's
 * method for the stages, its predictions and their convergence, the estimate of the error and the choice of steps are those of RADAU5: E. Hairer, G. Wanner, Solving
 * Ordinary Differential Equations II, IV.8; the steps also look back, as K. Gustafsson proposed (ACM TOMS 20, 1994). The numbers of the method are in
 * `collocation.ts`. Between the ends of a step values are of order four: the polynomial through the stages, of order three, is corrected by what the slope at its start tells.
 *
 * The estimate of the error is of order three, the method of order five. RADAU5 therefore holds the estimate against the tolerance to the power of two thirds; here it is held against the tolerance
 * itself, because rows of results and events lie inside of steps, where values are only as exact as the estimate says.
 */
import { pulse } from '../diagnostic/pulse.ts';
import {
  ALPHA,
  BETA,
  errorShape,
  GAMMA,
  NODES,
  START_WEIGHTS,
  StagePolynomial,
  T,
  T_INVERSE,
} from './collocation.ts';
import { ComplexMatrix } from './complex.ts';
import { differenceJacobian } from './differences.ts';
import type {
  Integrator,
  IntegratorOptions,
  OdeSystem,
  SolverStatistics,
  StepOutcome,
} from './integrator.ts';
import { LIMIT, newStatistics, STEP, smallestStep, stepToLimit, takenFrom } from './integrator.ts';
import { IterationMatrix } from './jacobian.ts';
import { ErrorWeights, initialStep } from './norm.ts';
import { newRadauState, type OwnRadauState, type RadauState } from './radaustate.ts';

/** Newton: at most so many iterations, converged at this part of the tolerance or at its root, given up above this rate. */
const NEWTON_ITERATIONS = 7;
const NEWTON_SHARE = 0.03;
const NEWTON_DIVERGENCE = 0.99;
/** The Jacobian is kept as long as Newton converges at least at this rate. */
const RATE_TO_KEEP = 0.001;
/** How much of the rate of the last step counts for the first iteration of the next. */
const RATE_MEMORY = 0.8;
/** Shares of the step that is tried next where Newton is too slow, diverges or has a singular matrix, where there are no values, and after a first step whose error is too large. */
const SLOW_SHARE = 0.8;
const DIVERGED_SHARE = 0.5;
const RETREAT = 0.25;
const FIRST_SHARE = 0.1;

const SAFETY = 0.9;
/** A step is at most divided by, and at most multiplied by these. */
const SHRINK_MOST = 5;
const GROW_MOST = 8;
/** A step that would grow by no more than this keeps its length, and with it the factors of its matrices. */
const GROW_LEAST = 1.2;
/** Errors below this are taken for this, so that one lucky step does not rule the next. */
const ERROR_FLOOR = 0.01;
/** Of the estimate of the error. */
const ESTIMATE_ORDER = 3;
/** The largest error inside of a step, as a share of `excess`, where components are stiff. */
const INSIDE_SHARE = 0.072;
/** Part of the tolerance that the first step aims at. */
const FIRST_TARGET = 0.01;

const [C1, C2] = NODES;
const [[T11, T12, T13], [T21, T22, T23], [T31]] = T;
const [[I11, I12, I13], [I21, I22, I23], [I31, I32, I33]] = T_INVERSE;
const [S1, S2, S3] = START_WEIGHTS;

type Trouble = 'none' | 'not-finite' | 'singular' | 'diverged';

export class Radau implements Integrator {
  readonly name = 'radau';
  readonly method = 'radau';
  readonly order = 5;

  private readonly weights: ErrorWeights;
  private readonly matrix: IterationMatrix;
  private complex = new ComplexMatrix();
  private readonly polynomial: StagePolynomial;
  private now: OwnRadauState;
  /** Increments of the stages, the same transformed, and slopes. */
  private readonly z: Stages;
  private readonly w: Stages;
  private readonly f: Stages;
  /** Pairs of real and imaginary part. */
  private readonly pairs: Float64Array;
  private readonly trial: Float64Array;
  private readonly error: Float64Array;
  /** That of the present attempt. */
  private readonly excess: Float64Array;
  private readonly newtonGoal: number;
  private iterations = 0;
  /** The rate at which Newton converged in the present attempt. */
  private rate = 0;
  /** The step that slow convergence proposes, as a share of the present one. */
  private share = DIVERGED_SHARE;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    const { n } = system;
    this.weights = new ErrorWeights(n, options);
    this.matrix = new IterationMatrix(
      system.jacobian ?? differenceJacobian(system, this.weights, statistics, (i) => this.weights.nominal(i)),
    );
    this.polynomial = new StagePolynomial(n);
    this.z = stages(n);
    this.w = stages(n);
    this.f = stages(n);
    this.pairs = new Float64Array(2 * n);
    this.trial = new Float64Array(n);
    this.error = new Float64Array(n);
    this.excess = new Float64Array(n);
    const relative = options.relative || NEWTON_SHARE ** 2;
    this.newtonGoal = Math.max((10 * Number.EPSILON) / relative, Math.min(NEWTON_SHARE, Math.sqrt(relative)));
    this.now = newRadauState(n);
  }

  get t(): number {
    return this.now.t;
  }

  get y(): Float64Array {
    return this.now.y;
  }

  get tPrevious(): number {
    return this.now.tPrevious;
  }

  get stepSize(): number {
    return this.now.stepSize;
  }

  state(): RadauState {
    const { now, polynomial, matrix, complex } = this;
    const { first, second, third } = polynomial;
    const kept = { polynomial: { first, second, third }, matrix: matrix.state(), pivots: complex.pivots };
    return structuredClone({ ...now, ...kept });
  }

  resume(state: RadauState): void {
    const { polynomial, matrix, pivots, ...now } = takenFrom(state, this);
    this.now = now;
    this.polynomial.set(polynomial);
    this.matrix.resume(matrix);
    this.complex = new ComplexMatrix();
    if (matrix.last) this.complex.adapt(this.matrix.evaluated.pattern);
    // Also where the factors no longer hold: the next ones begin with their order of elimination.
    if (pivots || now.isFactored)
      this.complex.factor(this.matrix.evaluated, now.factored, ALPHA, BETA, pivots);
  }

  start(t: number, y: Float64Array, step = this.options.initialStep ?? 0): void {
    const { now } = this;
    now.t = t;
    now.tPrevious = t;
    now.y.set(y);
    now.next = step;
    now.slopeKnown = false;
    now.hasPast = false;
    now.jacobianKnown = false;
    now.isFactored = false;
    now.tail = 1;
  }

  step(limit: number): StepOutcome {
    const { now } = this;
    if (now.t >= limit) return LIMIT;
    if (!this.begin(limit)) return this.fail('not-finite', now.slope);
    let planned = Math.min(now.next, this.options.maxStep ?? Number.POSITIVE_INFINITY);
    let isRejected = false;
    for (;;) {
      pulse();
      const h = stepToLimit(now.t, planned, limit, true);
      const trouble = this.attempt(h);
      if (trouble === 'none') {
        const error = this.estimate(h, isRejected);
        if (error < 1) {
          this.accept(h, error, planned, limit, isRejected);
          return now.t === limit ? LIMIT : STEP;
        }
        planned = now.hasPast || isRejected ? h / this.quotient(error) : FIRST_SHARE * h;
        if (h <= smallestStep(now.t)) return this.fail('step-too-small', this.error);
      } else {
        if (h <= smallestStep(now.t)) return this.failFor(trouble);
        planned = h * (trouble === 'not-finite' ? RETREAT : this.share);
      }
      planned = Math.max(planned, smallestStep(now.t));
      isRejected = true;
      this.statistics.rejected++;
    }
  }

  interpolate(t: number, out: Float64Array): void {
    const { now, polynomial } = this;
    const h = now.t - now.tPrevious;
    if (h === 0) {
      out.set(now.y);
      return;
    }
    const s = (t - now.t) / h;
    const shape = errorShape(1 + s);
    for (let i = 0; i < out.length; i++) out[i] = now.y[i]! + polynomial.at(i, s) + shape * now.excess[i]!;
  }

  /** The slope where the step begins, what is tolerated there, and a first step. */
  private begin(limit: number): boolean {
    const { now, system, weights, statistics, trial, error: probe } = this;
    const { t, y, slope } = now;
    if (!now.slopeKnown) {
      statistics.evaluations++;
      if (!system.rhs(t, y, slope)) return false;
      now.slopeKnown = true;
    }
    weights.update(y);
    if (now.next > 0) return true;
    const interval = Math.min(limit - t, this.options.maxStep ?? Number.POSITIVE_INFINITY);
    const point = { t, y, slope, weights, interval, trial, probe };
    now.next = initialStep(system, point, ESTIMATE_ORDER, FIRST_TARGET, statistics);
    return true;
  }

  /** Solves for the stages of a step of length h, with matrices that fit. */
  private attempt(h: number): Trouble {
    const { now } = this;
    const isFresh = !now.jacobianKnown;
    const ready = this.prepare(h);
    if (ready !== 'none') return ready;
    this.predict(h);
    const trouble = this.iterate(h);
    if (trouble !== 'none') {
      // The Jacobian of an earlier point is to blame first.
      if (!isFresh) now.jacobianKnown = false;
      if (trouble === 'diverged' && !isFresh) return this.attempt(h);
    }
    return trouble;
  }

  private prepare(h: number): Trouble {
    const { now, matrix, complex, statistics } = this;
    this.share = DIVERGED_SHARE;
    if (!now.jacobianKnown) {
      statistics.jacobians++;
      now.isFactored = false;
      if (!matrix.evaluate(now.t, now.y)) return 'not-finite';
      complex.adapt(matrix.evaluated.pattern);
      now.jacobianKnown = true;
    }
    if (now.isFactored && now.factored === h) return 'none';
    statistics.factorisations++;
    now.factored = h;
    now.isFactored = matrix.factor(h / GAMMA) && complex.factor(matrix.evaluated, h, ALPHA, BETA);
    return now.isFactored ? 'none' : 'singular';
  }

  /** The stages that the polynomial of the step before predicts; none after a start. */
  private predict(h: number): void {
    const { now, z, w, polynomial } = this;
    const n = this.system.n;
    if (!now.hasPast) {
      for (const part of [...z, ...w]) part.fill(0);
      return;
    }
    const past = now.t - now.tPrevious;
    const ratio = h / past;
    for (let i = 0; i < n; i++) {
      const z1 = polynomial.at(i, C1 * ratio);
      const z2 = polynomial.at(i, C2 * ratio);
      const z3 = polynomial.at(i, ratio);
      z[0][i] = z1;
      z[1][i] = z2;
      z[2][i] = z3;
      w[0][i] = I11 * z1 + I12 * z2 + I13 * z3;
      w[1][i] = I21 * z1 + I22 * z2 + I23 * z3;
      w[2][i] = I31 * z1 + I32 * z2 + I33 * z3;
    }
  }

  private iterate(h: number): Trouble {
    const { now, newtonGoal } = this;
    let tail = Math.max(now.tail, Number.EPSILON) ** RATE_MEMORY;
    let before = 0;
    let quotientBefore = 0;
    this.rate = RATE_TO_KEEP;
    for (this.iterations = 1; this.iterations <= NEWTON_ITERATIONS; this.iterations++) {
      if (!this.slopes(h)) return 'not-finite';
      this.statistics.newtonIterations++;
      const change = this.correct(h);
      if (!(change < Number.POSITIVE_INFINITY)) return 'not-finite';
      if (this.iterations > 1) {
        const quotient = change / before;
        this.rate = this.iterations === 2 ? quotient : Math.sqrt(quotient * quotientBefore);
        quotientBefore = quotient;
        if (this.rate >= NEWTON_DIVERGENCE) return 'diverged';
        tail = this.rate / (1 - this.rate);
        if (tail * change > newtonGoal && this.isTooSlow(tail * change)) return 'diverged';
      }
      before = Math.max(change, Number.EPSILON);
      if (tail * change <= newtonGoal) {
        now.tail = tail;
        return 'none';
      }
    }
    return 'diverged';
  }

  /** Whether the iterations that are left cannot reach the goal; a step that is as much shorter as it takes is proposed then. */
  private isTooSlow(rest: number): boolean {
    const left = NEWTON_ITERATIONS - 1 - this.iterations;
    if (left < 0) return false;
    const expected = (rest * this.rate ** left) / this.newtonGoal;
    if (expected < 1) return false;
    this.share = SLOW_SHARE * Math.max(1e-4, Math.min(20, expected)) ** (-1 / (4 + left));
    return true;
  }

  /** f at the stages. */
  private slopes(h: number): boolean {
    const { system, now, z, f, trial, statistics } = this;
    for (let k = 0; k < 3; k++) {
      const increment = z[k]!;
      for (let i = 0; i < trial.length; i++) trial[i] = now.y[i]! + increment[i]!;
      statistics.evaluations++;
      if (system.rhs(now.t + NODES[k]! * h, trial, f[k]!)) continue;
      this.error.set(f[k]!);
      return false;
    }
    return true;
  }

  /** One correction of the stages; its norm is returned. */
  private correct(h: number): number {
    const { z, w, f, pairs, trial, matrix, complex, weights } = this;
    const [f1, f2, f3] = f;
    const [w1, w2, w3] = w;
    const n = trial.length;
    for (let i = 0; i < n; i++) {
      const [a, b, c] = [f1[i]!, f2[i]!, f3[i]!];
      trial[i] = (h / GAMMA) * (I11 * a + I12 * b + I13 * c) - w1[i]!;
      pairs[2 * i] = h * (I21 * a + I22 * b + I23 * c) - (ALPHA * w2[i]! - BETA * w3[i]!);
      pairs[2 * i + 1] = h * (I31 * a + I32 * b + I33 * c) - (BETA * w2[i]! + ALPHA * w3[i]!);
    }
    matrix.solve(trial);
    complex.solve(pairs);
    const scale = weights.values;
    let sum = 0;
    for (let i = 0; i < n; i++) {
      const [d1, d2, d3] = [trial[i]!, pairs[2 * i]!, pairs[2 * i + 1]!];
      sum += (d1 * d1 + d2 * d2 + d3 * d3) * scale[i]! * scale[i]!;
      const x1 = w1[i]! + d1;
      const x2 = w2[i]! + d2;
      const x3 = w3[i]! + d3;
      w1[i] = x1;
      w2[i] = x2;
      w3[i] = x3;
      z[0][i] = T11 * x1 + T12 * x2 + T13 * x3;
      z[1][i] = T21 * x1 + T22 * x2 + T23 * x3;
      z[2][i] = T31 * x1 + x2;
    }
    return n === 0 ? 0 : Math.sqrt(sum / (3 * n));
  }

  /**
   * The norm of the error: that at the end of the step, or that inside of it, where stiff components have errors which their equations take back until the end.
   */
  private estimate(h: number, isRejected: boolean): number {
    const { now, z, error, trial, excess, weights } = this;
    const [z1, z2, z3] = z;
    for (let i = 0; i < error.length; i++) {
      trial[i] = S1 * z1[i]! + S2 * z2[i]! + S3 * z3[i]!;
      excess[i] = now.hasPast ? trial[i]! + h * now.smoothSlope[i]! : 0;
    }
    const norm = Math.max(this.estimateAtEnd(h, isRejected), INSIDE_SHARE * weights.norm(excess));
    return Number.isNaN(norm) ? Number.POSITIVE_INFINITY : norm;
  }

  /** At a start and after a failure the error is filtered once more, because stiff components make it too large there. */
  private estimateAtEnd(h: number, isRejected: boolean): number {
    const { system, now, error, trial, matrix, weights, statistics } = this;
    const n = error.length;
    for (let i = 0; i < n; i++) error[i] = (trial[i]! + h * now.slope[i]!) / GAMMA;
    matrix.solve(error);
    const norm = weights.norm(error);
    if (!(norm >= 1) || (now.hasPast && !isRejected)) return norm;
    const [at, slope] = this.f;
    for (let i = 0; i < n; i++) at[i] = now.y[i]! + error[i]!;
    statistics.evaluations++;
    if (!system.rhs(now.t, at, slope)) return norm;
    for (let i = 0; i < n; i++) error[i] = (trial[i]! + h * slope[i]!) / GAMMA;
    matrix.solve(error);
    return weights.norm(error);
  }

  /** By what the step is to be divided: fewer iterations of Newton than there may be speak for a longer one. */
  private quotient(error: number): number {
    const most = 2 * NEWTON_ITERATIONS;
    const factor = Math.min(SAFETY, (SAFETY * (1 + most)) / (this.iterations + most));
    return Math.max(1 / GROW_MOST, Math.min(SHRINK_MOST, error ** 0.25 / factor));
  }

  private accept(h: number, error: number, planned: number, limit: number, isRejected: boolean): void {
    const { now, z, excess, polynomial } = this;
    this.statistics.steps++;
    const wish = this.wish(h, error, isRejected);
    now.acceptedStep = h;
    now.acceptedError = Math.max(ERROR_FLOOR, error);
    now.tPrevious = now.t;
    now.t = h >= limit - now.t ? limit : now.t + h;
    now.stepSize = h;
    polynomial.fit(...z);
    for (let i = 0; i < now.y.length; i++) {
      now.y[i] = now.y[i]! + z[2][i]!;
      now.excess[i] = excess[i]!;
      now.smoothSlope[i] = polynomial.endSlope(i) / h;
    }
    now.slopeKnown = false;
    now.hasPast = true;
    now.jacobianKnown = this.rate <= RATE_TO_KEEP;
    // A step cut short by the limit says nothing against the longer one that was planned.
    now.next = h < planned ? Math.max(wish, planned) : wish;
  }

  /** The step after this one. */
  private wish(h: number, error: number, isRejected: boolean): number {
    const { now } = this;
    let quotient = this.quotient(error);
    if (now.hasPast) {
      const trend = (now.acceptedStep / h) * ((error * error) / now.acceptedError) ** 0.25;
      quotient = Math.max(quotient, Math.min(SHRINK_MOST, trend / SAFETY));
    }
    const wish = isRejected ? Math.min(h, h / quotient) : h / quotient;
    return this.rate <= RATE_TO_KEEP && wish >= h && wish <= GROW_LEAST * h ? h : wish;
  }

  private failFor(trouble: Exclude<Trouble, 'none'>): StepOutcome {
    if (trouble === 'diverged') return this.fail('step-too-small', this.f[2]);
    return this.fail(trouble, trouble === 'not-finite' ? this.error : this.now.slope);
  }

  private fail(reason: 'step-too-small' | 'not-finite' | 'singular', error: Float64Array): StepOutcome {
    return { kind: 'failed', reason, component: this.weights.worst(error) };
  }
}

type Stages = readonly [Float64Array, Float64Array, Float64Array];

function stages(n: number): Stages {
  return [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
}
