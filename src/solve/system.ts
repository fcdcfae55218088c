/** A system of equations as kernels see it: its vectors in their memory, what they call, and what is counted. */
import { Interrupted } from '../diagnostic/pulse.ts';
import type { IntegratorOptions, OdeSystem, SolverStatistics, StepOutcome } from './integrator.ts';
import { LIMIT, STEP } from './integrator.ts';
import type { IterationMatrix } from './jacobian.ts';
import { type Address, type Kernel, type KernelHost, KernelView, sharedKernel } from './kernel.ts';

/** By the numbers that kernels give; see `kernels/system.ts`. */
const reasons = { 2: 'step-too-small', 3: 'not-finite', 4: 'singular' } as const;

/** Numbers of what is counted. */
const COUNTS = 6;

export class KernelSystem implements KernelHost {
  readonly kernel: Kernel;
  readonly at: Address;
  /** Reciprocals of the tolerated errors. */
  readonly weights: KernelView;
  /** Values between the ends of a step. */
  readonly between: KernelView;
  private readonly vectors = new Map<Address, KernelView>();
  /** Numbers of what was counted. */
  private readonly counts: KernelView;
  private readonly direct: OdeSystem['direct'];
  private links:
    | { readonly first: number; readonly states: Address; readonly derivatives: Address }
    | undefined;
  /** Where the Jacobian is evaluated; what takes long may let the memory grow. */
  private point: Float64Array | undefined;
  /** Of implicit methods. */
  matrix: IterationMatrix | undefined;

  /** Vectors are of this length. */
  constructor(
    readonly system: OdeSystem,
    { relative, absolute, maxStep = Number.POSITIVE_INFINITY }: IntegratorOptions,
    private readonly statistics: SolverStatistics,
    private readonly length = system.n,
  ) {
    const kernel = sharedKernel();
    this.kernel = kernel;
    const { exports } = kernel;
    this.at = kernel.allocate(this, exports.systemBytes(length));
    exports.newSystem(this.at, system.n, length, relative, maxStep);
    this.counts = new KernelView(kernel, exports.countsOf(this.at), COUNTS);
    this.weights = this.vector(exports.weightsOf(this.at));
    this.between = this.vector(exports.betweenOf(this.at));
    this.direct = system.direct;
    this.connect(true);
    const tolerated = this.vector(exports.absoluteOf(this.at)).values;
    if (typeof absolute === 'number') tolerated.fill(absolute);
    else tolerated.set(absolute);
  }

  /** The vector at an address. */
  vector(address: Address): KernelView {
    let view = this.vectors.get(address);
    if (!view) this.vectors.set(address, (view = new KernelView(this.kernel, address, this.length)));
    return view;
  }

  /** Connects the system directly, or through JavaScript. */
  private connect(isDirect: boolean): void {
    const { direct, kernel, at } = this;
    if (!direct) return;
    if (!this.links) {
      const states = kernel.copy(this, direct.states);
      const derivatives = kernel.copy(this, direct.derivatives);
      this.links = { first: kernel.link(this, [direct.get, direct.set, direct.run]), states, derivatives };
    }
    const { first, states, derivatives } = this.links;
    kernel.exports.setDirect(at, isDirect ? first : 0, direct.time, states, derivatives);
  }

  /**
   * Takes a step. What a right-hand side throws is dealt with where it is called through JavaScript: a step that ends there is taken again in that way. Whoever stops the work finds
   * the values at the end of the last step.
   */
  step(work: () => number, abandon: () => void): StepOutcome {
    const before = this.enter();
    try {
      return this.outcome(work());
    } catch (problem) {
      abandon();
      if (!this.links || problem instanceof Interrupted) throw problem;
      this.connect(false);
      try {
        return this.outcome(work());
      } catch (again) {
        abandon();
        throw again;
      } finally {
        this.connect(true);
      }
    } finally {
      this.leave(before);
    }
  }

  /** Takes several steps; undefined where something is thrown in one of them: what it is shows when that step is taken by itself. */
  run(work: () => number, abandon: () => void): StepOutcome | undefined {
    const before = this.enter();
    try {
      return this.outcome(work());
    } catch (problem) {
      abandon();
      if (problem instanceof Interrupted) throw problem;
      return undefined;
    } finally {
      this.leave(before);
    }
  }

  /** What the kernel calls from here on is this system; `leave` gives the one of before back its place. */
  enter(): KernelHost | undefined {
    const { kernel } = this;
    const { present } = kernel;
    kernel.present = this;
    return present;
  }

  leave(before: KernelHost | undefined): void {
    this.kernel.present = before;
    const { statistics } = this;
    const { values } = this.counts;
    // Written out, since every step comes along.
    statistics.steps += values[0]!;
    statistics.rejected += values[1]!;
    statistics.evaluations += values[2]!;
    statistics.jacobians += values[3]!;
    statistics.factorisations += values[4]!;
    statistics.newtonIterations += values[5]!;
    for (let k = 0; k < COUNTS; k++) values[k] = 0;
  }

  outcome(code: number): StepOutcome {
    if (code === 0) return STEP;
    if (code === 1) return LIMIT;
    const component = this.kernel.exports.worstOf(this.at);
    return { kind: 'failed', reason: reasons[code as keyof typeof reasons], component };
  }

  /** Where the memory has grown meanwhile, what was written is lost: it is done again. */
  rhs(t: number, y: Address, dy: Address): boolean {
    for (;;) {
      const out = this.vector(dy).values;
      const done = this.system.rhs(t, this.vector(y).values, out);
      if (out.length === this.length) return done;
    }
  }

  evaluate(t: number, point: Address, values: Address): boolean {
    for (;;) {
      const out = this.vector(values).values;
      const done = this.system.coupled!.evaluate(t, this.vector(point).values, out);
      if (out.length === this.length) return done;
    }
  }

  read(point: Address): void {
    this.system.coupled!.read(this.vector(point).values);
  }

  write(point: Address): void {
    this.system.coupled!.write(this.vector(point).values);
  }

  /** The address of the matrix that the Jacobian belongs to. */
  jacobian(t: number, y: Address): Address {
    const matrix = this.matrix!;
    this.point ??= new Float64Array(this.length);
    this.point.set(this.vector(y).values);
    return matrix.evaluate(t, this.point) ? matrix.at : 0;
  }
}
