/**
 * Explicit Runge-Kutta pair of order 5(4) for non-stiff problems: Ch. Tsitouras, Runge-Kutta pairs of order
 * 5(4) satisfying only the first column simplifying assumption, Computers and Mathematics with Applications
 * 62 (2011) 770-775. Seven stages, the last is the first of the next step. The interpolant of order 4 needs
 * no further evaluation. Step control (PI) and the detection of stiffness follow Hairer, Norsett, Wanner,
 * Solving Ordinary Differential Equations I (II.4) and Hairer, Wanner II (IV.2). Its steps are those of `kernels/rk.ts`.
 */
import type {
  Integrator,
  IntegratorOptions,
  IntegratorState,
  OdeSystem,
  SolverStatistics,
  StepOutcome,
} from './integrator.ts';
import { newStatistics, takenFrom } from './integrator.ts';
import { copyNumbers, KernelView } from './kernel.ts';
import * as method from './kernels/tsitouras.ts';
import type { KernelRows } from './rows.ts';
import { KernelSystem } from './system.ts';

const { A21, A31, A32, A41, A42, A43, A51, A52, A53, A54, A61, A62, A63, A64, A65 } = method;
const { B1, B2, B3, B4, B5, B6, C2, C3, C4, C5, E1, E2, E3, E4, E5, E6, E7 } = method;

/** The tableau. */
export const TSITOURAS = {
  c: [0, C2, C3, C4, C5, 1, 1],
  a: [
    [],
    [A21],
    [A31, A32],
    [A41, A42, A43],
    [A51, A52, A53, A54],
    [A61, A62, A63, A64, A65],
    [B1, B2, B3, B4, B5, B6],
  ],
  /** Weights of the error estimate, fifth minus fourth order. */
  e: [E1, E2, E3, E4, E5, E6, E7],
} as const;

/** What the next steps of the pair begin from. */
export interface RungeKuttaState extends IntegratorState {
  readonly name: 'rk';
  /** As the kernel has it. */
  readonly content: Float64Array;
}

/** Places of numbers in the state. */
const [T, PREVIOUS, STEP_SIZE, STIFF] = [0, 1, 2, 6] as const;

export class RungeKutta implements Integrator {
  readonly name = 'rk';
  readonly method = 'rk';
  readonly order = 5;

  private readonly host: KernelSystem;
  private readonly at: number;
  /** The state as it lies in the memory: numbers, and behind them vectors, of which y is the first. */
  private readonly content: KernelView;
  private readonly states: KernelView;

  constructor(
    system: OdeSystem,
    private readonly options: IntegratorOptions,
    readonly statistics: SolverStatistics = newStatistics(),
  ) {
    this.host = new KernelSystem(system, options, statistics);
    const { kernel, at } = this.host;
    const { exports } = kernel;
    this.at = kernel.allocate(this, exports.pairBytes(system.n));
    exports.newPair(this.at, at);
    this.content = new KernelView(kernel, exports.pairState(this.at), exports.pairStateLength(this.at));
    this.states = this.host.vector(exports.pairY(this.at));
  }

  /** Until where the step may lead. */
  private limit = 0;
  private readonly work = (): number => this.host.kernel.exports.stepPair(this.at, this.limit);
  /** Nothing of a step is kept before it is accepted. */
  private readonly abandon = (): void => {};

  get t(): number {
    return this.content.values[T]!;
  }

  get tPrevious(): number {
    return this.content.values[PREVIOUS]!;
  }

  get stepSize(): number {
    return this.content.values[STEP_SIZE]!;
  }

  get stiff(): boolean {
    return this.content.values[STIFF] !== 0;
  }

  get y(): Float64Array {
    return this.states.values;
  }

  state(): RungeKuttaState {
    return { name: 'rk', t: this.t, y: this.y.slice(), content: this.content.values.slice() };
  }

  resume(state: RungeKuttaState): void {
    this.content.values.set(takenFrom(state, this).content);
  }

  start(t: number, y: Float64Array, step = this.options.initialStep ?? 0): void {
    copyNumbers(this.y, y);
    this.host.kernel.exports.startPair(this.at, t, step);
  }

  /** Begins to watch for stiffness anew. A restart does not: short stretches between events would never show it. */
  forgetStiffness(): void {
    this.host.kernel.exports.forgetStiffness(this.at);
  }

  /** Somebody knows that what comes is stiff. */
  expectStiffness(): void {
    this.host.kernel.exports.expectStiffness(this.at);
  }

  step(limit: number): StepOutcome {
    this.limit = limit;
    return this.host.step(this.work, this.abandon);
  }

  /** Several steps, with rows; see `runPair` of `kernels/rk.ts`. */
  several(
    rows: KernelRows,
    limit: number,
    steps: number,
    frequency: number,
    angle: number,
  ): StepOutcome | undefined {
    const { host, at } = this;
    const { exports } = host.kernel;
    return host.run(() => exports.runPair(at, rows.at, limit, steps, frequency, angle), this.abandon);
  }

  interpolate(t: number, out: Float64Array): void {
    this.host.kernel.exports.interpolatePair(this.at, t);
    copyNumbers(out, this.host.between.values);
  }
}
