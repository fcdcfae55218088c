/**
 * Explicit Runge-Kutta pair of order 5(4) for non-stiff problems: Ch. Tsitouras, Runge-Kutta pairs of order
 * 5(4) satisfying only the first column simplifying assumption, Computers and Mathematics with Applications
 * 62 (2011) 770-775. Seven stages, the last is the first of the next step. The interpolant of order 4 needs
 * no further evaluation. Step control (PI) and the detection of stiffness follow Hairer, Norsett, Wanner,
 * Solving Ordinary Differential Equations I (II.4) and Hairer, Wanner II (IV.2).
 */
import { pulse } from '../diagnostic/pulse.ts';
import type {
  Integrator,
  IntegratorOptions,
  IntegratorState,
  OdeSystem,
  SolverStatistics,
  Stages,
  StepOutcome,
} from './integrator.ts';
import { LIMIT, newStatistics, STEP, smallestStep, stepToLimit, takenFrom } from './integrator.ts';
import { ErrorWeights, initialStep } from './norm.ts';

/** The tableau, for tests of its order conditions and for systems that do all stages at once; the stages below have it written out. */
export const TSITOURAS = {
  c: [0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1],
  a: [
    [],
    [0.161],
    [-0.008480655492356989, 0.335480655492357],
    [2.8971530571054935, -6.359448489975075, 4.3622954328695815],
    [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
    [5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383],
    [0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774],
  ],
  /** Weights of the error estimate, fifth minus fourth order. */
  e: [
    -0.001780011052225777,
    -0.0008164344596567469,
    0.007880878010261995,
    -0.1447110071732629,
    0.5823571654525552,
    -0.45808210592918697,
    1 / 66,
  ],
} as const;

const [, [A21], [A31, A32], [A41, A42, A43], [A51, A52, A53, A54], [A61, A62, A63, A64, A65], B] =
  TSITOURAS.a;
const [B1, B2, B3, B4, B5, B6] = B;
const [E1, E2, E3, E4, E5, E6, E7] = TSITOURAS.e;
const [, C2, C3, C4, C5] = TSITOURAS.c;

/** Constants of the PI controller, Hairer, Norsett, Wanner I, program DOPRI5. */
const PI_BETA = 0.04;
const PI_ALPHA = 0.2 - 0.75 * PI_BETA;
const SAFETY = 0.9;
const SHRINK_MOST = 0.2;
const GROW_MOST = 10;
/** Errors below this are taken for this, so that one lucky step does not rule the next. */
const ERROR_FLOOR = 1e-4;
/** Step reduction where the right-hand side cannot be evaluated. */
const RETREAT = 0.25;
/** Part of the tolerance that the first step aims at. */
const FIRST_TARGET = 0.01;

/** After so many steps the system may do the stages of a step all at once: making code for that has to pay. */
const STEPS_TO_JOIN = 250;

/**
 * Extent of the stability region on the negative real axis is 3.5; above this part of it stability rules the
 * step.
 */
const STABILITY_BOUND = 2.9;
/** Of a single component, above this it is chance: its stages hardly differ. */
const OWN_MOST = 4.5;
/**
 * A step that leads less than this part of the way which slopes at both its ends agree on leads elsewhere in between. Methods of this kind have fixed points and
 * cycles of their own beyond the bound of stability (A. Iserles, Stability and dynamics of numerical methods for nonlinear ordinary differential equations, IMA J. Numer. Anal. 10,
 * 1990), where f is anything but zero, and the last two stages may lie where it is flat.
 */
const LEAST_WAY = 0.5;
/** So many steps at the bound of stability mean that the problem is stiff ... */
const STIFF_STEPS = 15;
/** ... unless so many steps in a row are clear of it. */
const CLEAR_STEPS = 6;

/** What the next steps of the pair begin from. */
export interface RungeKuttaState extends IntegratorState {
  readonly name: 'rk';
  tPrevious: number;
  stepSize: number;
  readonly yPrevious: Float64Array;
  /** Stages 2 to 7 of the last step and the arguments of the last two, as `Stages` writes them; parts of it have names of their own. */
  readonly written: Float64Array;
  /** f at the beginning of the last step, its first stage ... */
  k1: Float64Array;
  /** ... and at its end, the first stage of the next. */
  slope: Float64Array;
  slopeKnown: boolean;
  /** Proposal for the next step, 0 where none is known. */
  next: number;
  /** Logarithm of the error of the last step. */
  errorBefore: number;
  stepsToJoin: number;
  /** Whether stability rather than accuracy has ruled the step size for a while. */
  stiff: boolean;
  stiffSteps: number;
  clearSteps: number;
}

export class RungeKutta implements Integrator {
  readonly name = 'rk';
  readonly method = 'rk';
  readonly order = 5;

  private readonly weights: ErrorWeights;
  private now: RungeKuttaState;
  /** Parts of `written`: stages of the last attempt; the first one is `slope` then. */
  private k2!: Float64Array;
  private k3!: Float64Array;
  private k4!: Float64Array;
  private k5!: Float64Array;
  private k6!: Float64Array;
  private error!: Float64Array;
  private trial!: Float64Array;
  /** f at the end of the attempted step. */
  private fresh: Float64Array;
  private stages: Stages | undefined;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    const { n } = system;
    this.weights = new ErrorWeights(n, options);
    this.fresh = new Float64Array(n);
    this.now = {
      name: 'rk',
      t: 0,
      y: new Float64Array(n),
      tPrevious: 0,
      stepSize: 0,
      yPrevious: new Float64Array(n),
      written: new Float64Array(8 * n),
      k1: new Float64Array(n),
      slope: new Float64Array(n),
      slopeKnown: false,
      next: 0,
      errorBefore: Math.log(ERROR_FLOOR),
      stepsToJoin: STEPS_TO_JOIN,
      stiff: false,
      stiffSteps: 0,
      clearSteps: 0,
    };
    this.nameParts();
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

  get stiff(): boolean {
    return this.now.stiff;
  }

  state(): RungeKuttaState {
    return structuredClone(this.now);
  }

  resume(state: RungeKuttaState): void {
    this.now = takenFrom(state, this);
    this.nameParts();
    this.stages = state.stepsToJoin > 0 ? undefined : this.system.stages;
  }

  private nameParts(): void {
    const { n } = this.system;
    const part = (k: number): Float64Array => this.now.written.subarray(k * n, (k + 1) * n);
    this.k2 = part(0);
    this.k3 = part(1);
    this.k4 = part(2);
    this.k5 = part(3);
    this.k6 = part(4);
    this.error = part(6);
    this.trial = part(7);
  }

  start(t: number, y: Float64Array, step = this.options.initialStep ?? 0): void {
    this.now.t = t;
    this.now.tPrevious = t;
    this.now.y.set(y);
    this.now.yPrevious.set(y);
    this.now.next = step;
    this.now.errorBefore = Math.log(ERROR_FLOOR);
    this.now.slopeKnown = false;
  }

  /** Begins to watch for stiffness anew. A restart does not: short stretches between events would never show it. */
  forgetStiffness(): void {
    this.now.stiff = false;
    this.now.stiffSteps = 0;
    this.now.clearSteps = 0;
  }

  /** Somebody knows that what comes is stiff. */
  expectStiffness(): void {
    this.now.stiff = true;
  }

  step(limit: number): StepOutcome {
    if (this.now.t >= limit) return LIMIT;
    if (!this.now.slopeKnown) {
      this.statistics.evaluations++;
      if (!this.system.rhs(this.now.t, this.now.y, this.now.slope))
        return this.fail('not-finite', this.now.slope);
      this.now.slopeKnown = true;
    }
    this.weights.update(this.now.y);
    if (!(this.now.next > 0)) this.now.next = this.firstStep(limit);
    let proposal = Math.min(this.now.next, this.options.maxStep ?? Number.POSITIVE_INFINITY);
    let rejected = false;
    for (;;) {
      pulse();
      const h = stepToLimit(this.now.t, proposal, limit, true);
      const size = this.attempt(h);
      if (size <= 1) {
        this.accept(h, size, proposal, limit, rejected);
        return this.now.t === limit ? LIMIT : STEP;
      }
      rejected = true;
      this.statistics.rejected++;
      const finite = size < Number.POSITIVE_INFINITY;
      proposal = h * (finite ? Math.max(SHRINK_MOST, SAFETY * size ** -PI_ALPHA) : RETREAT);
      if (proposal < smallestStep(this.now.t)) {
        return this.fail(finite ? 'step-too-small' : 'not-finite', finite ? this.error : this.fresh);
      }
    }
  }

  interpolate(t: number, out: Float64Array): void {
    const h = this.now.t - this.now.tPrevious;
    if (h === 0) {
      out.set(this.now.y);
      return;
    }
    const s = (t - this.now.tPrevious) / h;
    const s2 = s * s;
    // The weights b_i(s) of the interpolant in the factored form of the paper.
    const w1 =
      h *
      s *
      (-1.0530884977290216 * (s - 1.329989018975141) * (s2 - 1.4364028541716352 * s + 0.7139816917074209));
    const w2 = h * s2 * (0.1017 * (s2 - 2.1966568338249752 * s + 1.294985250737463));
    const w3 = h * s2 * (2.490627285651253 * (s2 - 2.3853564547206165 * s + 1.5780346820809248));
    const w4 = h * s2 * (-16.548102889244902 * (s - 1.2171292729553325) * (s - 0.6162040603780009));
    const w5 = h * s2 * (47.37952196281928 * (s - 1.2030712083723627) * (s - 0.6580472926535473));
    const w6 = h * s2 * (-34.87065786149661 * (s - 1.2) * (s - 0.6666666666666666));
    const w7 = h * s2 * (2.5 * (s - 1) * (s - 0.6));
    const { k2, k3, k4, k5, k6 } = this;
    const { yPrevious: y0, k1, slope: k7 } = this.now;
    for (let i = 0; i < out.length; i++) {
      out[i] =
        y0[i]! +
        w1 * k1[i]! +
        w2 * k2[i]! +
        w3 * k3[i]! +
        w4 * k4[i]! +
        w5 * k5[i]! +
        w6 * k6[i]! +
        w7 * k7[i]!;
    }
  }

  private firstStep(limit: number): number {
    const { weights, trial, fresh: probe } = this;
    const { t, y, slope } = this.now;
    const interval = Math.min(limit - t, this.options.maxStep ?? Number.POSITIVE_INFINITY);
    const point = { t, y, slope, weights, interval, trial, probe };
    return initialStep(this.system, point, this.order - 1, FIRST_TARGET, this.statistics);
  }

  /**
   * Computes the stages, the new values in `trial` and their slope in `fresh`; returns the norm of the error,
   * infinite where f failed.
   */
  private attempt(h: number): number {
    this.statistics.evaluations += 6;
    if (this.stages) {
      const size = this.attemptAtOnce(this.stages, h);
      if (size < Number.POSITIVE_INFINITY) return size;
    }
    return this.attemptInTurn(h);
  }

  private attemptAtOnce(stages: Stages, h: number): number {
    const { t, y, slope, written } = this.now;
    const { fresh } = this;
    const n = y.length;
    try {
      stages(t, h, y, slope, written);
    } catch {
      return Number.POSITIVE_INFINITY;
    }
    for (let i = 0; i < n; i++) fresh[i] = written[5 * n + i]!;
    return this.measure(h);
  }

  private attemptInTurn(h: number): number {
    const { system, trial, fresh, k2, k3, k4, k5, k6, error } = this;
    const { t, y, slope: k1 } = this.now;
    const n = y.length;
    const failed = Number.POSITIVE_INFINITY;
    for (let i = 0; i < n; i++) trial[i] = y[i]! + h * (A21 * k1[i]!);
    if (!system.rhs(t + C2 * h, trial, k2)) return failed;
    for (let i = 0; i < n; i++) trial[i] = y[i]! + h * (A31 * k1[i]! + A32 * k2[i]!);
    if (!system.rhs(t + C3 * h, trial, k3)) return failed;
    for (let i = 0; i < n; i++) trial[i] = y[i]! + h * (A41 * k1[i]! + A42 * k2[i]! + A43 * k3[i]!);
    if (!system.rhs(t + C4 * h, trial, k4)) return failed;
    for (let i = 0; i < n; i++)
      trial[i] = y[i]! + h * (A51 * k1[i]! + A52 * k2[i]! + A53 * k3[i]! + A54 * k4[i]!);
    if (!system.rhs(t + C5 * h, trial, k5)) return failed;
    for (let i = 0; i < n; i++) {
      error[i] = y[i]! + h * (A61 * k1[i]! + A62 * k2[i]! + A63 * k3[i]! + A64 * k4[i]! + A65 * k5[i]!);
    }
    if (!system.rhs(t + h, error, k6)) return failed;
    for (let i = 0; i < n; i++) {
      trial[i] =
        y[i]! + h * (B1 * k1[i]! + B2 * k2[i]! + B3 * k3[i]! + B4 * k4[i]! + B5 * k5[i]! + B6 * k6[i]!);
    }
    if (!system.rhs(t + h, trial, fresh)) return failed;
    return this.measure(h);
  }

  /**
   * The norm of the error; `error` holds the argument of stage 6 before and the estimate afterwards. Watches
   * stiffness on the way.
   */
  private measure(h: number): number {
    const { trial, fresh, k2, k3, k4, k5, k6, error, weights } = this;
    const { y, slope: k1 } = this.now;
    const w = weights.values;
    const n = trial.length;
    let sum = 0;
    let slopes = 0;
    let values = 0;
    let worst = 0;
    this.astray = false;
    this.ownStiffness = 0;
    for (let i = 0; i < n; i++) {
      const way = k1[i]! * fresh[i]! > 0 ? h * Math.min(Math.abs(k1[i]!), Math.abs(fresh[i]!)) : 0;
      // What is below the tolerance says nothing.
      if (way * w[i]! > 1 && (trial[i]! - y[i]!) * Math.sign(k1[i]!) < LEAST_WAY * way) this.astray = true;
      // Largest ones: the squares of what is tiny would be zero, and nothing be stiff.
      slopes = Math.max(slopes, Math.abs(fresh[i]! - k6[i]!) * w[i]!);
      const from6 = trial[i]! - error[i]!;
      values = Math.max(values, Math.abs(from6) * w[i]!);
      const e =
        h *
        (E1 * k1[i]! + E2 * k2[i]! + E3 * k3[i]! + E4 * k4[i]! + E5 * k5[i]! + E6 * k6[i]! + E7 * fresh[i]!);
      error[i] = e;
      const scaled = e * w[i]!;
      sum += scaled * scaled;
      if (!(scaled * scaled > worst)) continue;
      worst = scaled * scaled;
      this.ownStiffness = Math.abs((h * (fresh[i]! - k6[i]!)) / from6);
    }
    this.stiffness = values > 0 ? (h * slopes) / values : 0;
    const norm = n === 0 ? 0 : Math.sqrt(sum / n);
    return Number.isNaN(norm) ? Number.POSITIVE_INFINITY : norm;
  }

  /** h times an estimate of the largest eigenvalue, from the last two stages, which belong to the same time. */
  private stiffness = 0;
  /** The same of the component with the largest error alone: others may differ by much more between these stages, without ruling the step. */
  private ownStiffness = 0;
  /** Whether the last step does not lead where the slopes at both its ends do. */
  private astray = false;

  private accept(h: number, size: number, proposal: number, limit: number, rejected: boolean): void {
    const { trial, now } = this;
    const { y, yPrevious } = now;
    this.statistics.steps++;
    this.now.tPrevious = this.now.t;
    this.now.t = h >= limit - this.now.t ? limit : this.now.t + h;
    this.now.stepSize = h;
    for (let i = 0; i < y.length; i++) {
      yPrevious[i] = y[i]!;
      y[i] = trial[i]!;
    }
    const used = this.now.k1;
    this.now.k1 = this.now.slope;
    this.now.slope = this.fresh;
    this.fresh = used;
    const error = Math.log(Math.max(size, ERROR_FLOOR));
    const factor = SAFETY * Math.exp(PI_BETA * this.now.errorBefore - PI_ALPHA * error);
    this.now.errorBefore = error;
    const wish = h * Math.min(rejected ? 1 : GROW_MOST, Math.max(SHRINK_MOST, factor));
    // A step cut short by the limit says nothing against the longer one that was planned.
    this.now.next = h < proposal ? Math.max(wish, proposal) : wish;
    if (--this.now.stepsToJoin === 0) this.stages = this.system.stages;
    this.watchStiffness();
  }

  private watchStiffness(): void {
    const isOwn = this.ownStiffness > STABILITY_BOUND && this.ownStiffness < OWN_MOST;
    if (this.stiffness > STABILITY_BOUND || isOwn || this.astray) {
      this.now.clearSteps = 0;
      if (++this.now.stiffSteps >= STIFF_STEPS) this.now.stiff = true;
    } else if (this.now.stiffSteps > 0 && ++this.now.clearSteps >= CLEAR_STEPS) {
      this.forgetStiffness();
    }
  }

  private fail(reason: 'step-too-small' | 'not-finite', error: Float64Array): StepOutcome {
    return { kind: 'failed', reason, component: this.weights.worst(error) };
  }
}
