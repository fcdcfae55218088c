/**
 * Variable-order, variable-step BDF for stiff problems, orders one to five, in the fixed-leading-coefficient
 * Nordsieck form (see `kernels/nordsieck.ts`). The strategies (when to evaluate the Jacobian, convergence of the
 * modified Newton iteration, error test, choice of order and step) are those of VODE and CVODE: Brown, Byrne,
 * Hindmarsh, VODE: a variable-coefficient ODE solver, SIAM J. Sci. Stat. Comput. 10 (1989); Hindmarsh et al.,
 * SUNDIALS, ACM TOMS 31 (2005). Its steps are those of `kernels/bdf.ts`.
 *
 * Where the system has algebraic equations in the open (`CoupledSystem`), vectors hold the states y and behind them the unknowns u: both have a history, and
 * are corrected together; the error of a step is that of y alone.
 */

import { differenceJacobian } from './differences.ts';
import type {
  CoupledSystem,
  Integrator,
  IntegratorOptions,
  IntegratorState,
  OdeSystem,
  SolverStatistics,
  StepOutcome,
  Tolerances,
} from './integrator.ts';
import { newStatistics, takenFrom } from './integrator.ts';
import { IterationMatrix, type MatrixState } from './jacobian.ts';
import { copyNumbers, KernelView } from './kernel.ts';
import { nominalOf } from './norm.ts';
import type { KernelRows } from './rows.ts';
import { KernelSystem } from './system.ts';

/** An unknown of a coupled system has strayed by this part of its size; less than the other part of its nominal value says nothing. */
const STRAY = 0.5;
const EASE = 1e-4;
/** So many times in a row corrections went to and fro: see `kernels/bdf.ts`. */
const TIMES_TO_WATCH = 3;

/** The state of BDF: what the next steps begin from, as the kernel has it. */
export interface BdfState extends IntegratorState {
  readonly name: 'bdf';
  readonly order: number;
  readonly history: Float64Array;
  readonly content: Float64Array;
  readonly matrix: MatrixState;
}

/** Steps in a row that the explicit pair could take as well: those that the norm of the Jacobian times their length says so of. */
export interface Easy {
  count: number;
  readonly bound: number;
  /** After so many, somebody has to think of it. */
  readonly most: number;
  /** Whether somebody has to think of corrections that go to and fro. */
  readonly mayWaver: boolean;
}

/** Vectors in the state; the correction of the last step is the first. */
const STATE_VECTORS = 5;

/** Places of numbers in the state, those of `Bdf` from `t` on. */
const [T, PREVIOUS, STEP_SIZE, WAVERING, STARTED, JACOBIAN_KNOWN] = [0, 1, 2, 6, 7, 19] as const;

export class Bdf implements Integrator {
  readonly name = 'bdf';
  readonly method = 'bdf';

  private readonly coupled: CoupledSystem | undefined;
  private readonly host: KernelSystem;
  private readonly at: number;
  private readonly content: KernelView;
  /** The order is an integer; the numbers behind it, and the rows, are the rest of the past. */
  private readonly past: number;
  private readonly history: KernelView;
  private readonly point: KernelView;
  private readonly states: KernelView;
  private readonly matrix: IterationMatrix;

  constructor(
    private readonly system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    const { n, coupled } = system;
    const length = n + (coupled?.m ?? 0);
    const tolerances = coupled ? tolerancesOf(n, options, coupled) : options;
    const host = new KernelSystem(system, { ...options, ...tolerances }, statistics, length);
    const { kernel } = host;
    const { exports } = kernel;
    this.coupled = coupled;
    this.host = host;
    const bytes = exports.nordsieckBytes(length);
    this.past = kernel.allocate(this, bytes);
    exports.newNordsieck(this.past, length);
    this.at = kernel.allocate(this, exports.bdfBytes(length));
    exports.newBdf(this.at, host.at, this.past);
    this.content = new KernelView(kernel, exports.bdfState(this.at), exports.bdfStateLength(this.at));
    this.history = new KernelView(kernel, this.past + 8, bytes / 8 - 1);
    this.point = host.vector(exports.nordsieckRow(this.past, 0));
    this.states = new KernelView(kernel, this.point.address, n);
    this.matrix = coupled
      ? new IterationMatrix(coupled.jacobian, n, kernel)
      : new IterationMatrix(
          system.jacobian ??
            differenceJacobian(system, host.weights, statistics, (i) => nominalOf(tolerances, i)),
          undefined,
          kernel,
        );
    host.matrix = this.matrix;
  }

  /** Until where the step may lead. */
  private limit = 0;
  private readonly work = (): number => this.host.kernel.exports.stepBdf(this.at, this.limit);
  private readonly abandon = (): void => this.host.kernel.exports.abandonBdf(this.at);

  get t(): number {
    return this.content.values[T]!;
  }

  get tPrevious(): number {
    return this.content.values[PREVIOUS]!;
  }

  get stepSize(): number {
    return this.content.values[STEP_SIZE]!;
  }

  get order(): number {
    return this.host.kernel.integers(this.past, 2)[1]!;
  }

  /** The first row of the history, without u. */
  get y(): Float64Array {
    return this.states.values;
  }

  /** Whether corrections go to and fro: a method with stages, which solves for them anew in each step, may take far longer steps. */
  get wavers(): boolean {
    const { values } = this.content;
    return values[STARTED] !== 0 && values[WAVERING]! >= TIMES_TO_WATCH;
  }

  /** An upper bound of the spectral radius of the last Jacobian; that of a coupled system without its unknowns is not known. */
  get jacobianNorm(): number {
    const isKnown = this.content.values[JACOBIAN_KNOWN] !== 0 && !this.coupled;
    return isKnown ? this.matrix.norm() : Number.POSITIVE_INFINITY;
  }

  state(): BdfState {
    const { t, order, content, history, matrix } = this;
    return structuredClone({
      name: 'bdf',
      t,
      y: this.y.slice(),
      order,
      history: history.values.slice(),
      content: content.values.slice(),
      matrix: matrix.state(),
    });
  }

  resume(state: BdfState): void {
    const { order, history, content, matrix } = takenFrom(state, this);
    const { kernel } = this.host;
    this.matrix.resume(matrix);
    kernel.exports.setMatrix(this.at, this.matrix.at);
    kernel.integers(this.past, 2)[1] = order;
    this.history.values.set(history);
    this.content.values.set(content);
  }

  expectStiff(): void {
    this.host.kernel.exports.expectStiff(this.at);
  }

  start(t: number, y: Float64Array, step = this.options.initialStep ?? 0): void {
    copyNumbers(this.y, y);
    this.host.kernel.exports.startBdf(this.at, t, step);
  }

  step(limit: number): StepOutcome {
    this.limit = limit;
    return this.host.step(this.work, this.abandon);
  }

  /** Several steps, with rows; gives how they ended, and how many in a row were easy then. See `runBdf` of `kernels/bdf.ts`. */
  several(rows: KernelRows, limit: number, steps: number, easy: Easy): StepOutcome | undefined {
    const { host, at } = this;
    const { exports } = host.kernel;
    const wavering = easy.mayWaver ? TIMES_TO_WATCH : Number.POSITIVE_INFINITY;
    exports.setEasySteps(at, easy.count);
    const outcome = host.run(
      () => exports.runBdf(at, rows.at, limit, steps, wavering, easy.bound, easy.most),
      this.abandon,
    );
    easy.count = exports.easySteps(at);
    return outcome;
  }

  interpolate(t: number, out: Float64Array): void {
    this.host.kernel.exports.interpolateBdf(this.at, t);
    copyNumbers(out, this.host.between.values);
  }

  guess(t: number): boolean {
    if (!this.coupled) return false;
    const before = this.host.enter();
    const isGood = this.host.kernel.exports.guessBdf(this.at, t) !== 0;
    this.host.leave(before);
    return isGood;
  }

  get strayed(): boolean | undefined {
    const { coupled, content, point, system } = this;
    if (!coupled) return undefined;
    const u = point.values.subarray(system.n);
    const first = content.length - STATE_VECTORS * point.length;
    const correction = content.values.subarray(first + system.n, first + point.length);
    return u.some((value, i) => {
      const off = Math.abs(correction[i]!);
      return (
        off > STRAY * Math.max(Math.abs(value), Math.abs(value - correction[i]!)) + EASE * coupled.nominal[i]!
      );
    });
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
