/**
 * The choice of the integrator. The automatic one begins with the explicit Runge-Kutta pair, which is cheap
 * and restarts cheaply, goes over to BDF when stability rules its steps, and back when BDF takes steps that
 * the explicit pair could take as well (the idea of L. Petzold, Automatic selection of methods for solving
 * stiff and nonstiff systems, SIAM J. Sci. Stat. Comput. 4, 1983). After a restart it goes on with the method
 * of before; one that begins where a stiff one ended begins with BDF. So does one for a coupled system that is
 * not linear in its unknowns: the explicit pair would iterate for these to the end in every stage.
 */
import { Bdf } from './bdf.ts';
import type { BdfState } from './bdfstate.ts';
import type {
  Integrator,
  IntegratorOptions,
  IntegratorState,
  Method,
  OdeSystem,
  SolverStatistics,
  StepOutcome,
} from './integrator.ts';
import { newStatistics, takenFrom } from './integrator.ts';
import { Radau } from './radau.ts';
import { RungeKutta, type RungeKuttaState } from './rk.ts';

/** Several integrators may count in one place. */
export function createIntegrator(
  method: Method,
  system: OdeSystem,
  options: IntegratorOptions,
  statistics: SolverStatistics = newStatistics(),
): Integrator {
  switch (method) {
    case 'auto':
      return new Automatic(system, options, statistics);
    case 'bdf':
      return new Bdf(system, options, statistics);
    case 'radau':
      return new Radau(system, options, statistics);
    case 'rk':
      return new RungeKutta(system, options, statistics);
  }
}

/** BDF steps between two looks at whether the problem is still stiff; doubled after every return to BDF. */
const STEPS_TO_REVIEW = 40;
/** The explicit pair is taken again when h times the norm of the Jacobian is below this for a whole review. */
const EASY = 1;

/** After so many steps, its own experience counts more than that of others. */
const STEPS_TO_TRUST = 40;

interface AutomaticState extends IntegratorState {
  readonly name: 'auto';
  readonly method: 'bdf' | 'rk';
  readonly rk: RungeKuttaState;
  readonly bdf: BdfState | undefined;
  readonly steps: number;
  readonly easySteps: number;
  readonly stepsToReview: number;
}

export class Automatic implements Integrator {
  readonly name = 'auto';
  private readonly rk: RungeKutta;
  /** Made when first needed: many models never are stiff. */
  private bdf: Bdf | undefined;
  private active: (RungeKutta | Bdf) & Integrator;
  /** Steps so far. */
  private steps = 0;
  private easySteps = 0;
  private stepsToReview = STEPS_TO_REVIEW;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    this.rk = new RungeKutta(system, options, this.statistics);
    if (options.stiff || system.coupled?.iterated) this.bdf = new Bdf(system, options, statistics);
    this.active = this.bdf ?? this.rk;
  }

  get t(): number {
    return this.active.t;
  }

  get y(): Float64Array {
    return this.active.y;
  }

  get tPrevious(): number {
    return this.active.tPrevious;
  }

  get order(): number {
    return this.active.order;
  }

  get stepSize(): number {
    return this.active.stepSize;
  }

  get method(): 'bdf' | 'rk' {
    return this.active.method;
  }

  /** Steps that were easy still count: where events let BDF begin again and again, it is the explicit pair that is cheap. */
  start(t: number, y: Float64Array): void {
    this.active.start(t, y);
  }

  presumeStiff(): void {
    if (this.bdf || this.steps >= STEPS_TO_TRUST) return;
    this.bdf = new Bdf(this.system, this.options, this.statistics);
    this.active = this.bdf;
  }

  step(limit: number): StepOutcome {
    this.reconsider();
    this.steps++;
    return this.active.step(limit);
  }

  interpolate(t: number, out: Float64Array): void {
    this.active.interpolate(t, out);
  }

  guess(t: number): boolean {
    return this.active.guess?.(t) ?? false;
  }

  get strayed(): boolean | undefined {
    return this.active.strayed;
  }

  state(): AutomaticState {
    const { t, method, steps, easySteps, stepsToReview } = this;
    const [rk, bdf] = [this.rk.state(), this.bdf?.state()];
    return { name: 'auto', t, y: this.y.slice(), method, rk, bdf, steps, easySteps, stepsToReview };
  }

  resume(state: AutomaticState): void {
    const { method, rk, bdf, steps, easySteps, stepsToReview } = takenFrom(state, this);
    this.rk.resume(rk);
    this.bdf = bdf && new Bdf(this.system, this.options, this.statistics);
    if (bdf) this.bdf?.resume(bdf);
    this.active = (method === 'bdf' && this.bdf) || this.rk;
    this.steps = steps;
    this.easySteps = easySteps;
    this.stepsToReview = stepsToReview;
  }

  /**
   * Changes the method where the last steps speak for it. Happens between steps, so that the last step can be
   * interpolated.
   */
  private reconsider(): void {
    if (this.active instanceof RungeKutta) {
      if (!this.active.stiff) return;
      this.bdf ??= new Bdf(this.system, this.options, this.statistics);
      this.bdf.start(this.rk.t, this.rk.y);
      this.active = this.bdf;
      this.easySteps = 0;
    } else if (this.active.stepSize * this.active.jacobianNorm < EASY) {
      if (++this.easySteps < this.stepsToReview) return;
      this.rk.start(this.active.t, this.active.y, this.active.stepSize);
      this.rk.forgetStiffness();
      this.active = this.rk;
      this.stepsToReview *= 2;
    } else {
      this.easySteps = 0;
    }
  }
}
