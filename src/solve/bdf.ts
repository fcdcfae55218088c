/**
 * Variable-order, variable-step BDF for stiff problems, orders one to five, in the fixed-leading-coefficient
 * Nordsieck form (see `nordsieck.ts`). The strategies (when to evaluate the Jacobian, convergence of the
 * modified Newton iteration, error test, choice of order and step) are those of VODE and CVODE: Brown, Byrne,
 * Hindmarsh, VODE: a variable-coefficient ODE solver, SIAM J. Sci. Stat. Comput. 10 (1989); Hindmarsh et al.,
 * SUNDIALS, ACM TOMS 31 (2005).
 *
 * Where the system has algebraic equations in the open (`CoupledSystem`), vectors hold the states y and behind them the unknowns u: both have a history, and
 * are corrected together; the error of a step is that of y alone.
 */

import { pulse } from '../diagnostic/pulse.ts';
import { type BdfState, newBdfState, type OwnBdfState } from './bdfstate.ts';
import { Corrector, type Trouble } from './corrector.ts';
import type {
  CoupledSystem,
  Integrator,
  IntegratorOptions,
  OdeSystem,
  SolverStatistics,
  StepOutcome,
  Tolerances,
} from './integrator.ts';
import { LIMIT, newStatistics, STEP, smallestStep, stepToLimit, takenFrom } from './integrator.ts';
import { MAX_ORDER, Nordsieck } from './nordsieck.ts';
import { ErrorWeights, initialStep } from './norm.ts';

/**
 * Safety factors of the step for the same, a lower and a higher order (the higher one must be worth its
 * while). CVODE has 6, 6 and 10, lets a step grow from a factor of 1.5 on and keeps the matrix until gamma
 * has changed by 0.3. On the bank of problems the values here need as many evaluations and a third more
 * factorisations for half the error.
 */
const BIAS_SAME = 10;
const BIAS_BELOW = 10;
const BIAS_ABOVE = 15;
const ADDITION = 1e-6;
/** A step grows only if it can grow by this factor, and at most by the others: at the first step, and later. */
const GROW_LEAST = 1.2;
const GROW_FIRST = 1e4;
const GROW_MOST = 10;
/**
 * After a failed error test the step shrinks by at least, at most, and from the second failure on by these
 * factors.
 */
const SHRINK_LEAST = 0.9;
const SHRINK_MOST = 0.1;
const SHRINK_AGAIN = 0.2;
/** After so many failed error tests the history is not trusted: order one. */
const FAILURES_TO_RESTART = 3;
/** Step reduction when Newton fails. */
const RETREAT = 0.25;
/** Part of the first step over which the second derivatives are taken. */
const BEND_SHARE = 2 ** -10;
/** An unknown of a coupled system has strayed by this part of its size; less than the other part of its nominal value says nothing. */
const STRAY = 0.5;
const EASE = 1e-4;
/**
 * Where steps are accurate, corrections change slowly. A correction takes back the one before where the cosine between them is below the first number, and the error at least the
 * second part of the tolerance. Where four of five do, in so many steps and that so many times in a row, what is seen is not the solution: an iteration that ends when it has converged well enough leaves something behind, and where f is far steeper at zero
 * than at this distance from it, as flow is by pressure, steps throw that to and fro, and cannot grow.
 */
const OPPOSITE = -0.5;
const LEAST_ERROR = 0.01;
const STEPS_TO_WATCH = 40;
const TIMES_TO_WATCH = 3;
/** Part of the tolerance that the first step aims at. */
const FIRST_TARGET = 0.1;

export class Bdf implements Integrator {
  readonly name = 'bdf';
  readonly method = 'bdf';

  private readonly coupled: CoupledSystem | undefined;
  private readonly weights: ErrorWeights;
  private readonly history: Nordsieck;
  private readonly corrector: Corrector;
  /** The first row of the history, without u. */
  y: Float64Array;
  private readonly trial: Float64Array;
  private readonly slope: Float64Array;
  private readonly residual: Float64Array;
  private now: OwnBdfState;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    const { n, coupled } = system;
    const length = n + (coupled?.m ?? 0);
    this.coupled = coupled;
    this.weights = new ErrorWeights(n, coupled ? tolerancesOf(n, options, coupled) : options);
    this.history = new Nordsieck(length);
    this.corrector = new Corrector(system, this.weights, this.history, statistics);
    this.trial = new Float64Array(length);
    this.slope = new Float64Array(length);
    this.residual = new Float64Array(length);
    this.now = newBdfState(n, length);
    this.y = this.history.rows[0]!.subarray(0, n);
  }

  get t(): number {
    return this.now.t;
  }

  get tPrevious(): number {
    return this.now.tPrevious;
  }

  get stepSize(): number {
    return this.now.stepSize;
  }

  get order(): number {
    return this.history.order;
  }

  /** Whether corrections go to and fro: a method with stages, which solves for them anew in each step, may take far longer steps. */
  get wavers(): boolean {
    return this.now.started && this.now.wavering >= TIMES_TO_WATCH;
  }

  /** An upper bound of the spectral radius of the last Jacobian; that of a coupled system without its unknowns is not known. */
  get jacobianNorm(): number {
    return this.now.jacobianKnown && !this.coupled ? this.corrector.matrix.norm() : Number.POSITIVE_INFINITY;
  }

  state(): BdfState {
    const { now, y, history, corrector } = this;
    return structuredClone({ ...now, y, history: history.state(), matrix: corrector.matrix.state() });
  }

  resume(state: BdfState): void {
    const { y: _, history, matrix, ...now } = takenFrom(state, this);
    this.now = now;
    this.history.resume(history);
    this.y = this.history.rows[0]!.subarray(0, this.system.n);
    this.corrector.matrix.resume(matrix);
  }

  expectStiff(): void {
    this.now.strict = true;
  }

  start(t: number, y: Float64Array, step = this.options.initialStep ?? 0): void {
    this.now.t = t;
    this.now.tPrevious = t;
    this.now.hint = step;
    this.y.set(y);
    this.history.order = 1;
    this.now.started = false;
  }

  step(limit: number): StepOutcome {
    if (this.now.t >= limit) return LIMIT;
    this.weights.update(this.history.rows[0]!);
    if (!this.now.started && !this.begin(limit)) return this.fail('not-finite', this.slope);
    this.applyPlan(limit);
    let failures = 0;
    for (;;) {
      pulse();
      const { history } = this;
      const h = history.h;
      const end = h >= limit - this.now.t ? limit : this.now.t + h;
      history.setCoefficients(this.now.wait === 1);
      history.predict();
      const trouble = this.attempt(end);
      if (trouble === 'none') {
        const error = this.corrector.norm * history.errorFactor;
        if (error <= 1) {
          this.accept(end, error);
          return end === limit ? LIMIT : STEP;
        }
        failures++;
        history.retreat();
        if (h <= smallestStep(this.now.t)) return this.fail('step-too-small', this.now.correction);
        this.shrink(error, failures);
      } else {
        history.retreat();
        if (h <= smallestStep(this.now.t)) return this.failFor(trouble);
        this.now.growMost = 1;
        this.now.suspect = true;
        this.change(RETREAT);
      }
      this.statistics.rejected++;
    }
  }

  interpolate(t: number, out: Float64Array): void {
    if (!this.now.started || this.history.h === 0) {
      out.set(this.y);
      return;
    }
    if (this.now.count === 1) this.interpolateFirst(t, out);
    else this.history.evaluate((t - this.now.t) / this.history.h, out);
  }

  /** In the first step they lie on a straight line, states do not. */
  guess(t: number): boolean {
    const { coupled, history, trial, now } = this;
    if (!coupled || !now.started || history.h === 0) return false;
    history.evaluate((t - now.t) / history.h, trial);
    coupled.write(trial);
    return now.count > 1;
  }

  get strayed(): boolean | undefined {
    const { coupled, history, now } = this;
    if (!coupled) return undefined;
    const u = history.rows[0]!.subarray(this.y.length);
    const correction = now.correction.subarray(this.y.length);
    return u.some((value, i) => {
      const off = Math.abs(correction[i]!);
      return (
        off > STRAY * Math.max(Math.abs(value), Math.abs(value - correction[i]!)) + EASE * coupled.nominal[i]!
      );
    });
  }

  /**
   * The first step begins as the solution does, with its slope, and exactly: an event has just found what is zero there, and which way it goes. So the
   * parabola is the one from the start to the end of the step.
   */
  private interpolateFirst(t: number, out: Float64Array): void {
    const { y } = this;
    const { first } = this.now;
    const h = this.now.t - this.now.tPrevious;
    const s = t - this.now.tPrevious;
    for (let i = 0; i < y.length; i++) {
      const slope = first.slope[i]!;
      const bend = (y[i]! - first.y[i]! - slope * h) / (h * h);
      out[i] = first.y[i]! + s * (slope + s * bend);
    }
    if (s === h) out.set(y);
  }

  /** Evaluates the slope and chooses the first step. */
  private begin(limit: number): boolean {
    const { system, history, statistics, t, y, slope, weights, trial, residual: probe, now } = this;
    statistics.evaluations++;
    if (!system.rhs(t, y, slope)) return false;
    slope.fill(0, y.length);
    if (this.coupled) {
      this.coupled.read(history.rows[0]!);
      weights.update(history.rows[0]!);
    }
    const interval = Math.min(limit - t, this.options.maxStep ?? Number.POSITIVE_INFINITY);
    const point = { t, y, slope, weights, interval, trial, probe };
    const h = now.hint > 0 ? now.hint : initialStep(system, point, 1, FIRST_TARGET, statistics);
    history.start(history.rows[0]!, this.slope, Math.min(h, interval));
    now.first.y.set(y);
    now.first.slope.set(slope.subarray(0, y.length));
    this.bend();
    now.started = true;
    now.count = 0;
    now.wait = history.order + 1;
    now.growMost = GROW_FIRST;
    now.ratio = 1;
    now.nextOrder = history.order;
    now.cut = 0;
    now.rate = 1;
    now.jacobianKnown = false;
    now.suspect = false;
    now.correctionLast.fill(0);
    now.watched = 0;
    now.turned = 0;
    now.wavering = 0;
    return true;
  }

  /**
   * Begins with order two, by the change of the slope at the start. An error of order one would be as large as what a state has moved away from the boundary
   * that it has just left, as at the peak of a voltage that a diode followed; and where events are many, such errors add up. The change is taken over a small part of the
   * first step: over all of it, prediction and correction would agree whatever lies between.
   */
  private bend(): void {
    const { system, history, statistics, t, y, slope, trial, residual: probe } = this;
    const { h } = history;
    const part = Math.max(BEND_SHARE * h, smallestStep(t));
    if (part >= h) return;
    for (let i = 0; i < y.length; i++) trial[i] = y[i]! + part * slope[i]!;
    statistics.evaluations++;
    if (!system.rhs(t + part, trial, probe)) return;
    for (let i = 0; i < y.length; i++) probe[i] = (0.5 * h * h * (probe[i]! - slope[i]!)) / part;
    probe.fill(0, y.length);
    if (probe.every(Number.isFinite)) history.bend(probe);
    if (this.coupled) this.lean(h / part);
  }

  /** The slope of u from its change over a `ratio`-th of the first step, at the end of which the right-hand side was evaluated last. */
  private lean(ratio: number): void {
    const { history, trial, y } = this;
    const [z0, z1] = history.rows as [Float64Array, Float64Array];
    this.coupled!.read(trial);
    for (let i = y.length; i < trial.length; i++) z1[i] = ratio * (trial[i]! - z0[i]!);
  }

  /**
   * Brings the history to the order and step that were planned after the last step, and keeps within limit
   * and largest step.
   */
  private applyPlan(limit: number): void {
    const { history, now } = this;
    if (now.nextOrder > history.order) history.raise(now.correction);
    else if (now.nextOrder < history.order) history.lower();
    const wish = Math.max(now.cut, history.h * now.ratio);
    const planned = Math.min(
      wish,
      history.h * now.growMost,
      this.options.maxStep ?? Number.POSITIVE_INFINITY,
    );
    const h = stepToLimit(now.t, planned, limit, false);
    // A step cut short by the limit is taken up again at its planned length.
    now.cut = h < planned ? planned : 0;
    if (h !== history.h) {
      history.rescale(h / history.h);
      history.h = h;
    }
    now.ratio = 1;
  }

  /** Whoever stops the work finds the values at the end of the last step. */
  private attempt(end: number): Trouble {
    try {
      return this.corrector.correct(this.now, end);
    } catch (problem) {
      this.history.retreat();
      throw problem;
    }
  }

  private accept(end: number, error: number): void {
    const { history, now } = this;
    this.statistics.steps++;
    now.count++;
    now.tPrevious = now.t;
    now.t = end;
    now.stepSize = history.h;
    now.strict = false;
    this.watch(error);
    history.correct(now.correction);
    now.wait--;
    if (now.wait === 1 && history.order < MAX_ORDER) {
      now.correctionBefore.set(now.correction);
      now.scaleBefore = history.correctionScale;
    }
    this.plan(error);
    now.growMost = GROW_MOST;
  }

  private watch(error: number): void {
    const { now } = this;
    const { correction, correctionLast: last } = now;
    const w = this.weights.values;
    let product = 0;
    let own = 0;
    let other = 0;
    for (let i = 0; i < last.length; i++) {
      const a = correction[i]! * w[i]!;
      const b = last[i]! * w[i]!;
      product += a * b;
      own += a * a;
      other += b * b;
      last[i] = correction[i]!;
    }
    if (error > LEAST_ERROR && product < OPPOSITE * Math.sqrt(own * other)) now.turned++;
    if (++now.watched < STEPS_TO_WATCH) return;
    now.wavering = 5 * now.turned >= 4 * STEPS_TO_WATCH ? now.wavering + 1 : 0;
    now.watched = 0;
    now.turned = 0;
  }

  /** Order and step of the next step. */
  private plan(error: number): void {
    const { history, now } = this;
    const q = history.order;
    now.ratio = 1;
    now.nextOrder = q;
    if (now.growMost === 1) {
      now.wait = Math.max(now.wait, 2);
      return;
    }
    let best = growth(BIAS_SAME * error, q + 1);
    if (now.wait === 0) {
      now.wait = 2;
      const below = q > 1 ? growth(BIAS_BELOW * this.errorBelow(), q) : 0;
      const above = q < MAX_ORDER ? growth(BIAS_ABOVE * this.errorAbove(), q + 2) : 0;
      const largest = Math.max(best, below, above);
      if (largest >= GROW_LEAST) {
        if (largest !== best) {
          now.nextOrder = largest === below ? q - 1 : q + 1;
          now.wait = now.nextOrder + 1;
        }
        best = largest;
      }
    }
    if (best >= GROW_LEAST) now.ratio = Math.min(best, now.growMost);
  }

  private errorBelow(): number {
    const { history } = this;
    return this.weights.norm(history.rows[history.order]!) * history.errorFactorBelow;
  }

  private errorAbove(): number {
    const { history, residual } = this;
    const { correction, correctionBefore, scaleBefore } = this.now;
    if (scaleBefore === 0) return Number.POSITIVE_INFINITY;
    const factor = (history.correctionScale / scaleBefore) * history.stepRatio() ** (history.order + 1);
    for (let i = 0; i < residual.length; i++) residual[i] = correction[i]! - factor * correctionBefore[i]!;
    return this.weights.norm(residual) * history.errorFactorAbove;
  }

  /** After a failed error test: a smaller step, and order one when the past seems worthless. */
  private shrink(error: number, failures: number): void {
    const { history, system, statistics } = this;
    this.now.growMost = 1;
    if (failures < FAILURES_TO_RESTART) {
      const wish = growth(BIAS_SAME * error, history.order + 1);
      this.change(Math.max(SHRINK_MOST, Math.min(failures > 1 ? SHRINK_AGAIN : SHRINK_LEAST, wish)));
      return;
    }
    if (history.order > 1) {
      history.lower();
      this.now.nextOrder = history.order;
      this.now.wait = history.order + 1;
      this.change(SHRINK_MOST);
      return;
    }
    // At order one only the slope is left to be wrong.
    this.change(SHRINK_MOST);
    this.now.wait = 10;
    statistics.evaluations++;
    if (system.rhs(this.now.t, this.y, this.slope)) {
      const z1 = history.rows[1]!;
      for (let i = 0; i < this.y.length; i++) z1[i] = history.h * this.slope[i]!;
    }
  }

  /** Changes the step of the present attempt. */
  private change(ratio: number): void {
    const { history } = this;
    const smallest = smallestStep(this.now.t);
    history.rescale(Math.max(ratio, smallest / history.h));
    this.now.cut = 0;
  }

  private failFor(trouble: Exclude<Trouble, 'none'>): StepOutcome {
    const reason = trouble === 'diverged' ? 'step-too-small' : trouble;
    return this.fail(reason, trouble === 'not-finite' ? this.corrector.slope : this.now.correction);
  }

  private fail(reason: 'step-too-small' | 'not-finite' | 'singular', error: Float64Array): StepOutcome {
    return { kind: 'failed', reason, component: this.weights.worst(error) };
  }
}

/** Those of y, and behind them those of u. */
function tolerancesOf(n: number, { relative, absolute }: Tolerances, coupled: CoupledSystem): Tolerances {
  const all = new Float64Array(n + coupled.m);
  if (typeof absolute === 'number') all.fill(absolute, 0, n);
  else all.set(absolute);
  for (let i = 0; i < coupled.m; i++) all[n + i] = relative * coupled.nominal[i]!;
  return { relative, absolute: all };
}

/** The factor by which the step may grow for a method of order `power` - 1 whose biased error is `error`. */
function growth(error: number, power: number): number {
  return 1 / (error ** (1 / power) + ADDITION);
}
