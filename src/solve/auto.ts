/**
 * The choice of the integrator. The automatic one begins with the explicit Runge-Kutta pair, which is cheap
 * and restarts cheaply, goes over to BDF when stability rules its steps, and back when BDF takes steps that
 * the explicit pair could take as well (the idea of L. Petzold, Automatic selection of methods for solving
 * stiff and nonstiff systems, SIAM J. Sci. Stat. Comput. 4, 1983). After a restart it goes on with the method
 * of before; one that begins where a stiff one ended begins with BDF, and so does one for a coupled system that is
 * not linear in its unknowns: the explicit pair would iterate for these to the end in every stage. Where the
 * corrections of BDF go to and fro and keep its steps short, Radau goes on until the next restart.
 *
 * Radau is also tried where the fastest that the system can do is an oscillation, as in lines, strings and beams that are divided finely, and the explicit pair goes beyond what
 * is stable there: however small that oscillation is, it grows, until it rules the steps and the error. That is looked for before it happens: what has grown has to be followed by
 * any method, and BDF of order three and more lets it grow as well (C. W. Gear, Numerical Initial Value Problems in Ordinary Differential Equations, 1971, chapter 11).
 */
import { Bdf, type BdfState } from './bdf.ts';
import { ChosenPair } from './chosen.ts';
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
import type { KernelRows } from './rows.ts';
import { Looks } from './spectrum.ts';

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
      return new ChosenPair(new RungeKutta(system, options, statistics), system, options);
  }
}

/** BDF steps between two looks at whether the problem is still stiff; doubled after every return to BDF. */
const STEPS_TO_REVIEW = 40;
/** The explicit pair is taken again when h times the norm of the Jacobian is below this for a whole review. */
const EASY = 1;

/** After so many steps Radau must have got to steps that are longer than the last of BDF by this factor, or BDF goes on, until the next restart. */
const STEPS_TO_GAIN = 10;
const GAIN = 4;

/** The explicit pair makes oscillations grow where they turn by more than this angle in a step: by 1e-4 each time there, by 0.03 at twice as much. */
const ANGLE = 1;
/** Radau gives way after so many steps in a row that turn them by less, because the solution asks for that. Then it is not tried again for so many steps, and twice as many each time. */
const SHORT_STEPS = 3;
const STEPS_TO_TRY = 50;

/** After so many steps, its own experience counts more than that of others. */
const STEPS_TO_TRUST = 40;

/** Radau at work since a restart: its steps, the method before it, and the shortest step that is worth while. */
interface Trial {
  readonly steps: number;
  readonly instead: 'bdf' | 'rk';
  readonly least: number;
  /** Steps in a row that were shorter. */
  readonly short: number;
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
  readonly looks: Looks['now'];
  readonly patience: number;
  readonly stepsToTry: number;
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
  /** While the explicit pair is at work. */
  private readonly looks: Looks;
  private patience = STEPS_TO_TRY;
  private stepsToTry = 0;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    this.rk = new RungeKutta(system, options, this.statistics);
    this.looks = new Looks(system, options, this.statistics);
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
    if (this.active instanceof Radau) this.active = this.instead;
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
    this.bdf ??= new Bdf(this.system, this.options, this.statistics);
    this.bdf.expectStiff();
  }

  step(limit: number): StepOutcome {
    this.reconsider();
    this.steps++;
    return this.active.step(limit);
  }

  run(rows: KernelRows, limit: number, most: number): StepOutcome | undefined {
    this.reconsider();
    const { active, statistics } = this;
    const before = statistics.steps;
    let outcome: StepOutcome | undefined;
    if (active instanceof Radau) outcome = active.step(limit);
    else if (active instanceof RungeKutta) {
      // What is counted before every step is counted for all of them.
      const { steps: toLook } = this.looks.now;
      const toTry = this.stepsToTry > 0 ? this.stepsToTry : most;
      const frequency = this.stepsToTry > 0 ? 0 : this.frequency;
      outcome = active.several(rows, limit, 1 + Math.min(most - 1, toLook, toTry), frequency, ANGLE);
      const begun = statistics.steps - before + (outcome?.kind === 'failed' ? 1 : 0);
      const further = Math.max(0, begun - 1);
      this.looks.pass(further);
      this.stepsToTry = Math.max(0, this.stepsToTry - further);
    } else {
      const easy = {
        count: this.easySteps,
        bound: EASY,
        most: this.stepsToReview,
        mayWaver: !this.trial,
      };
      outcome = active.several(rows, limit, most, easy);
      this.easySteps = easy.count;
    }
    this.steps += Math.max(1, statistics.steps - before);
    return outcome;
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
    const { patience, stepsToTry } = this;
    const [rk, bdf] = [this.rk.state(), this.bdf?.state()];
    const radau = method === 'radau' ? this.radau?.state() : undefined;
    const counts = { steps, easySteps, stepsToReview, patience, stepsToTry };
    const looks = this.looks.now;
    return { name: 'auto', t, y: this.y.slice(), method, rk, bdf, radau, trial, looks, ...counts };
  }

  resume(state: AutomaticState): void {
    const { method, rk, bdf, radau, trial, looks, ...counts } = takenFrom(state, this);
    this.rk.resume(rk);
    this.bdf = bdf && new Bdf(this.system, this.options, this.statistics);
    if (bdf) this.bdf?.resume(bdf);
    this.radau = radau && new Radau(this.system, this.options, this.statistics);
    if (radau) this.radau?.resume(radau);
    this.active = this.radau ?? ((method === 'bdf' && this.bdf) || this.rk);
    this.trial = trial;
    this.steps = counts.steps;
    this.easySteps = counts.easySteps;
    this.stepsToReview = counts.stepsToReview;
    this.looks.now = looks;
    this.patience = counts.patience;
    this.stepsToTry = counts.stepsToTry;
  }

  /**
   * Changes the method where the last steps speak for it. Happens between steps, so that the last step can be
   * interpolated.
   */
  private reconsider(): void {
    const { active, rk } = this;
    if (active instanceof Radau) {
      this.judge(active);
    } else if (active instanceof RungeKutta) {
      if (!this.system.coupled) this.looks.look(rk.t, rk.y);
      if (active.stiff) {
        this.bdf ??= new Bdf(this.system, this.options, this.statistics);
        this.bdf.start(rk.t, rk.y);
        this.active = this.bdf;
        this.easySteps = 0;
      } else if (this.stepsToTry > 0) {
        this.stepsToTry--;
      } else if (this.frequency * active.stepSize > ANGLE) {
        this.try(active, ANGLE / this.frequency);
      }
    } else if (active.wavers && !this.trial && !this.system.coupled) {
      this.try(active, GAIN * active.stepSize);
    } else if (active.stepSize * active.jacobianNorm < EASY) {
      if (++this.easySteps < this.stepsToReview) return;
      rk.start(active.t, active.y, active.stepSize);
      rk.forgetStiffness();
      this.active = rk;
      this.stepsToReview *= 2;
    } else {
      this.easySteps = 0;
    }
  }

  /** Of the fastest that the system can do, if that is an oscillation; 0 otherwise. */
  private get frequency(): number {
    const { found } = this.looks.now;
    return found?.oscillates ? found.radius : 0;
  }

  private try(before: RungeKutta | Bdf, least: number): void {
    this.trial = { steps: 0, instead: before.name, least, short: 0 };
    this.radau ??= new Radau(this.system, this.options, this.statistics);
    this.radau.start(before.t, before.y, before.stepSize);
    this.active = this.radau;
  }

  /** Whether Radau goes on. */
  private judge(radau: Radau): void {
    const { instead, least, ...own } = this.trial!;
    const short = radau.stepSize < least ? own.short + 1 : 0;
    const steps = own.steps + 1;
    this.trial = { steps, instead, least, short };
    if (short === 0 || (instead === 'bdf' ? own.steps !== STEPS_TO_GAIN : short < SHORT_STEPS)) return;
    this.instead.start(radau.t, radau.y, radau.stepSize);
    this.active = this.instead;
    this.stepsToTry = this.patience;
    this.patience *= 2;
  }

  /** What was at work before Radau. */
  private get instead(): RungeKutta | Bdf {
    return this.trial?.instead === 'bdf' ? this.bdf! : this.rk;
  }
}
