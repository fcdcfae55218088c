/**
 * The choice of the integrator. The automatic one begins with the explicit Runge-Kutta pair, which is cheap
 * and restarts cheaply, goes over to BDF when stability rules its steps, and back when BDF takes steps that
 * the explicit pair could take as well (the idea of L. Petzold, Automatic selection of methods for solving
 * stiff and nonstiff systems, SIAM J. Sci. Stat. Comput. 4, 1983). After a restart it goes on with the method
 * of before; one that begins where a stiff one ended begins with BDF, and so does one for a coupled system that is
 * not linear in its unknowns: the explicit pair would iterate for these to the end in every stage. Where the
 * corrections of BDF go to and fro and keep its steps short, Radau goes on until the next restart.
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
import type { RadauState } from './radaustate.ts';
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

/** After so many steps Radau must have got to steps that are longer than the last of BDF by this factor, or BDF goes on, until the next restart. */
const STEPS_TO_GAIN = 10;
const GAIN = 4;

/** After so many steps, its own experience counts more than that of others. */
const STEPS_TO_TRUST = 40;

/** Radau at work since a restart: its steps, and the last one of BDF before them. */
interface Trial {
  readonly steps: number;
  readonly before: number;
}

interface AutomaticState extends IntegratorState {
  readonly name: 'auto';
  readonly method: Integrator['method'];
  readonly rk: RungeKuttaState;
  readonly bdf: BdfState | undefined;
  /** While it is at work. */
  readonly radau: RadauState | undefined;
  readonly trial: Trial | undefined;
  readonly steps: number;
  readonly easySteps: number;
  readonly stepsToReview: number;
}

export class Automatic implements Integrator {
  readonly name = 'auto';
  private readonly rk: RungeKutta;
  /** Made when first needed: many models never are stiff. */
  private bdf: Bdf | undefined;
  /** Made when BDF first has to give way. */
  private radau: Radau | undefined;
  private active: (RungeKutta | Bdf | Radau) & Integrator;
  private trial: Trial | undefined;
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

  get method(): Integrator['method'] {
    return this.active.method;
  }

  /** Steps that were easy still count: where events let BDF begin again and again, it is the explicit pair that is cheap. */
  start(t: number, y: Float64Array): void {
    if (this.active instanceof Radau) this.active = this.bdf!;
    this.trial = undefined;
    this.active.start(t, y);
  }

  presumeStiff(): void {
    if (this.bdf || this.steps >= STEPS_TO_TRUST) return;
    this.bdf = new Bdf(this.system, this.options, this.statistics);
    this.active = this.bdf;
  }

  expectStiff(): void {
    this.rk.expectStiffness();
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
    const { t, method, trial, steps, easySteps, stepsToReview } = this;
    const [rk, bdf] = [this.rk.state(), this.bdf?.state()];
    const radau = method === 'radau' ? this.radau?.state() : undefined;
    const counts = { steps, easySteps, stepsToReview };
    return { name: 'auto', t, y: this.y.slice(), method, rk, bdf, radau, trial, ...counts };
  }

  resume(state: AutomaticState): void {
    const { method, rk, bdf, radau, trial, steps, easySteps, stepsToReview } = takenFrom(state, this);
    this.rk.resume(rk);
    this.bdf = bdf && new Bdf(this.system, this.options, this.statistics);
    if (bdf) this.bdf?.resume(bdf);
    this.radau = radau && new Radau(this.system, this.options, this.statistics);
    if (radau) this.radau?.resume(radau);
    this.active = this.radau ?? ((method === 'bdf' && this.bdf) || this.rk);
    this.trial = trial;
    this.steps = steps;
    this.easySteps = easySteps;
    this.stepsToReview = stepsToReview;
  }

  /**
   * Changes the method where the last steps speak for it. Happens between steps, so that the last step can be
   * interpolated.
   */
  private reconsider(): void {
    if (this.active instanceof Radau) {
      this.judge(this.active);
      return;
    }
    if (this.active instanceof RungeKutta) {
      if (!this.active.stiff) return;
      this.bdf ??= new Bdf(this.system, this.options, this.statistics);
      this.bdf.start(this.rk.t, this.rk.y);
      this.active = this.bdf;
      this.easySteps = 0;
    } else if (this.active.wavers && !this.trial && !this.system.coupled) {
      this.trial = { steps: 0, before: this.active.stepSize };
      this.radau ??= new Radau(this.system, this.options, this.statistics);
      this.radau.start(this.active.t, this.active.y, this.active.stepSize);
      this.active = this.radau;
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
  /** Whether Radau goes on. */
  private judge(radau: Radau): void {
    const { steps, before } = this.trial!;
    this.trial = { steps: steps + 1, before };
    if (steps !== STEPS_TO_GAIN || radau.stepSize >= GAIN * before) return;
    this.bdf!.start(radau.t, radau.y, radau.stepSize);
    this.active = this.bdf!;
  }
}
