/**
 * The corrector of BDF: a modified Newton iteration for the correction of a step, with a matrix that is kept as long as it converges. When the Jacobian is evaluated, when the
 * matrix is factored, and when an iteration has converged is decided as in VODE and CVODE (see `bdf.ts`).
 */
import type { OwnBdfState } from './bdfstate.ts';
import { differenceJacobian } from './differences.ts';
import type { CoupledSystem, OdeSystem, SolverStatistics } from './integrator.ts';
import { IterationMatrix } from './jacobian.ts';
import type { Nordsieck } from './nordsieck.ts';
import type { ErrorWeights } from './norm.ts';

/** Newton: at most so many iterations, converged at this part of the error tolerance, diverging above this rate. */
const NEWTON_ITERATIONS = 3;
const NEWTON_SHARE = 0.1;
const NEWTON_DIVERGENCE = 2;
/** An old convergence rate fades by this factor. */
const RATE_MEMORY = 0.3;
/**
 * Where a step is stiff in quantities that are below the tolerance, their corrections are none for it, whether or not they would bring these anywhere; so it goes on until corrections
 * are smaller by this factor, or no smaller any more.
 */
const STRICT_SHARE = 1e-6;
const STRICT_ITERATIONS = 10;

/**
 * The iteration matrix is renewed after so many steps, or when gamma has changed by this part (CVODE: 0.3;
 * see `GROW_LEAST`).
 */
const STEPS_PER_FACTOR = 20;
const GAMMA_CHANGE = 0.1;
/**
 * The Jacobian is renewed after so many steps; if Newton fails with a smaller change of gamma, the Jacobian
 * is to blame.
 */
const STEPS_PER_JACOBIAN = 50;
const GAMMA_BLAMELESS = 0.2;

/** Why there is no correction. */
export type Trouble = 'none' | 'not-finite' | 'singular' | 'diverged';

export class Corrector {
  private readonly coupled: CoupledSystem | undefined;
  readonly matrix: IterationMatrix;
  /** Norm of the last correction. */
  norm = 0;
  /** What was evaluated last: the point and what came out. */
  private readonly trial: Float64Array;
  readonly slope: Float64Array;
  private readonly residual: Float64Array;

  constructor(
    private readonly system: OdeSystem,
    private readonly weights: ErrorWeights,
    private readonly history: Nordsieck,
    private readonly statistics: SolverStatistics,
  ) {
    const { n, coupled } = system;
    this.coupled = coupled;
    this.matrix = coupled
      ? new IterationMatrix(coupled.jacobian, n)
      : new IterationMatrix(
          system.jacobian ??
            differenceJacobian(system, weights.values, statistics, (i) => weights.nominal(i)),
        );
    this.trial = new Float64Array(history.n);
    this.slope = new Float64Array(history.n);
    this.residual = new Float64Array(history.n);
  }

  /**
   * Solves for the correction at time `end` by modified Newton, with a renewed matrix where that is due or
   * the old one fails.
   */
  correct(now: OwnBdfState, end: number): Trouble {
    const { history } = this;
    const gamma = history.h / history.l[1]!;
    const ratio = now.jacobianKnown ? gamma / now.gammaFactored : Number.POSITIVE_INFINITY;
    const stale =
      !now.jacobianKnown || now.suspect || now.strict || now.count > now.countJacobian + STEPS_PER_JACOBIAN;
    let renewed = false;
    if (
      now.suspect ||
      now.strict ||
      Math.abs(ratio - 1) > GAMMA_CHANGE ||
      now.count >= now.countFactored + STEPS_PER_FACTOR
    ) {
      const trouble = this.renew(now, end, gamma, stale);
      if (trouble !== 'none') return trouble;
      renewed = stale || now.countJacobian === now.count;
    }
    const trouble = this.iterate(now, end, gamma);
    if (trouble !== 'diverged' || renewed) return trouble;
    // The old matrix is to blame first: a new one, with a new Jacobian unless only gamma was off.
    const jacobianToBlame = now.count > now.countJacobian && Math.abs(ratio - 1) < GAMMA_BLAMELESS;
    const again = this.renew(now, end, gamma, jacobianToBlame || now.gammaFactored === gamma);
    return again === 'none' ? this.iterate(now, end, gamma) : again;
  }

  /** Factors the iteration matrix for `gamma`, with a new Jacobian at the predicted values where `evaluate`. */
  private renew(now: OwnBdfState, end: number, gamma: number, evaluate: boolean): Trouble {
    if (evaluate) {
      this.statistics.jacobians++;
      now.jacobianKnown = false;
      if (!this.matrix.evaluate(end, this.history.rows[0]!)) return 'not-finite';
      now.countJacobian = now.count;
      now.suspect = false;
    }
    this.statistics.factorisations++;
    if (!this.matrix.factor(gamma)) {
      now.jacobianKnown = false;
      return 'singular';
    }
    now.jacobianKnown = true;
    now.gammaFactored = gamma;
    now.countFactored = now.count;
    now.rate = 1;
    return 'none';
  }

  private iterate(now: OwnBdfState, end: number, gamma: number): Trouble {
    const { system, coupled, history, trial, slope, residual, statistics, matrix } = this;
    const { correction } = now;
    const z1 = history.rows[1]!;
    const n = system.n;
    const share = 1 / history.l[1]!;
    const goal = NEWTON_SHARE / history.errorFactor;
    const strictGoal = now.strict ? STRICT_SHARE * goal : Number.POSITIVE_INFINITY;
    // The matrix belongs to another gamma: the best constant factor for that (VODE, section 3.2).
    const relaxation = gamma === now.gammaFactored ? 1 : 2 / (1 + gamma / now.gammaFactored);
    let [before, converged] = [0, false];
    trial.set(history.rows[0]!);
    correction.fill(0);
    for (let m = 1; m <= (converged ? STRICT_ITERATIONS : NEWTON_ITERATIONS); m++) {
      statistics.evaluations++;
      if (!(coupled ? coupled.evaluate(end, trial, slope) : system.rhs(end, trial, slope)))
        return 'not-finite';
      for (let i = 0; i < n; i++) residual[i] = gamma * slope[i]! - share * z1[i]! - correction[i]!;
      for (let i = n; i < residual.length; i++) residual[i] = -slope[i]!;
      matrix.solve(residual);
      statistics.newtonIterations++;
      const change = this.update(correction, relaxation);
      if (!(change < Number.POSITIVE_INFINITY)) return 'not-finite';
      if (m > 1) now.rate = Math.max(RATE_MEMORY * now.rate, change / before);
      if (change * Math.min(1, now.rate) <= goal) converged = true;
      if (converged && (change <= strictGoal || (m > 1 && change >= before))) return 'none';
      if (m > 1 && change > NEWTON_DIVERGENCE * before) return 'diverged';
      before = change;
    }
    return converged ? 'none' : 'diverged';
  }

  /**
   * Adds the solution of the linear system to the correction; returns the norm of the change, the larger one of y and u, and keeps that
   * of the whole of y.
   */
  private update(correction: Float64Array, relaxation: number): number {
    const { weights, trial } = this;
    const { n } = weights;
    const ofStates = this.move(correction, relaxation, 0, n);
    this.norm = weights.norm(correction);
    return trial.length === n
      ? ofStates
      : Math.max(ofStates, this.move(correction, relaxation, n, trial.length));
  }

  /** Moves the components from one to another; the norm of their change. */
  private move(correction: Float64Array, relaxation: number, from: number, to: number): number {
    const { trial, residual, history, weights } = this;
    const z0 = history.rows[0]!;
    const w = weights.values;
    let changes = 0;
    for (let i = from; i < to; i++) {
      const change = relaxation * residual[i]!;
      const whole = correction[i]! + change;
      correction[i] = whole;
      trial[i] = z0[i]! + whole;
      const a = change * w[i]!;
      changes += a * a;
    }
    return to === from ? 0 : Math.sqrt(changes / (to - from));
  }
}
