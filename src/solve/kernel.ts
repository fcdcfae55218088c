/**
 * The inner loops of integrators run in WebAssembly (`src/solve/kernels`, written in AssemblyScript): an engine runs what is in JavaScript ten times slower until it has compiled it,
 * which takes longer than most simulations. Here is their memory, and what they call.
 *
 * A kernel is the code in one memory. Blocks of the memory belong to objects, and are used again once these are gone. The memory may grow, which ends all views of it: they are asked
 * for each time. What the code calls belongs to the system that is at work.
 */
import { Interrupted, pulse } from '../diagnostic/pulse.ts';
import type { IntegratorOptions, OdeSystem, SolverStatistics, StepOutcome } from './integrator.ts';
import { LIMIT, STEP } from './integrator.ts';
import type { IterationMatrix } from './jacobian.ts';
import { kernelCode } from './kernelcode.ts';

/** Memory that a kernel shares with others. */
export interface KernelStore {
  readonly wasm: WebAssembly.Memory;
  /** The address of so many bytes more, which may be anything. */
  reserve(bytes: number): number;
}

type Address = number;

/** What the code exports; see `kernels/index.ts`. Addresses stand for objects. */
interface KernelExports {
  readonly table: WebAssembly.Table;

  systemBytes(length: number): number;
  newSystem(system: Address, n: number, length: number, relative: number, maxStep: number): void;
  setDirect(system: Address, direct: number, time: number, states: Address, derivatives: Address): void;
  absoluteOf(system: Address): Address;
  weightsOf(system: Address): Address;
  betweenOf(system: Address): Address;
  countsOf(system: Address): Address;
  worstOf(system: Address): number;

  pairBytes(n: number): number;
  newPair(pair: Address, system: Address): void;
  pairState(pair: Address): Address;
  pairStateLength(pair: Address): number;
  pairY(pair: Address): Address;
  startPair(pair: Address, t: number, step: number): void;
  stepPair(pair: Address, limit: number): number;
  interpolatePair(pair: Address, t: number): void;
  runPair(
    pair: Address,
    rows: Address,
    limit: number,
    steps: number,
    frequency: number,
    angle: number,
  ): number;
  forgetStiffness(pair: Address): void;
  expectStiffness(pair: Address): void;

  nordsieckBytes(n: number): number;
  newNordsieck(history: Address, n: number): void;
  nordsieckRow(history: Address, j: number): Address;

  startPast(history: Address, slope: Address, h: number): void;
  predictPast(history: Address): void;
  retreatPast(history: Address): void;
  rescalePast(history: Address, ratio: number): void;
  setCoefficients(history: Address, neighbours: number): void;
  correctPast(history: Address, correction: Address): void;
  raisePast(history: Address, correction: Address): void;
  lowerPast(history: Address): void;
  evaluatePast(history: Address, s: number, out: Address, n: number): void;

  bdfBytes(n: number): number;
  newBdf(bdf: Address, system: Address, history: Address): void;
  bdfState(bdf: Address): Address;
  bdfStateLength(bdf: Address): number;
  startBdf(bdf: Address, t: number, step: number): void;
  stepBdf(bdf: Address, limit: number): number;
  runBdf(
    bdf: Address,
    rows: Address,
    limit: number,
    steps: number,
    wavering: number,
    easy: number,
    review: number,
  ): number;
  easySteps(bdf: Address): number;
  setEasySteps(bdf: Address, count: number): void;
  abandonBdf(bdf: Address): void;
  interpolateBdf(bdf: Address, t: number): void;
  guessBdf(bdf: Address, t: number): number;
  expectStiff(bdf: Address): void;
  setMatrix(bdf: Address, matrix: Address): void;

  factorMatrix(matrix: Address, gamma: number): number;
  normOf(matrix: Address): number;
  factorLinear(solver: Address, values: Address): number;
  solveLinear(solver: Address, b: Address): void;
  factorSparse(sparse: Address, values: Address, preferred: Address): number;
  factorDense(n: number, a: Address, pivots: Address): number;
  solveDense(n: number, a: Address, pivots: Address, b: Address): void;
}

/** Memory that is in use. It moves where it has to become larger. */
interface Block {
  address: Address;
  bytes: number;
}

/** Kinds of solvers of linear systems; see `kernels/linear.ts`. */
export const DENSE = 0;
export const SPARSE = 1;

const pageBytes = 65536;
/** Functions that belong together, at most. */
const LINKS = 3;
/** Blocks are multiples of this. */
const grain = 64;

let compiled: WebAssembly.Module | undefined;

function kernelModule(): WebAssembly.Module {
  if (compiled) return compiled;
  const text = atob(kernelCode);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = text.charCodeAt(k);
  compiled = new WebAssembly.Module(bytes);
  return compiled;
}

let shared: Kernel | undefined;

/** The kernel of those that have no memory of their own. */
export function sharedKernel(): Kernel {
  shared ??= new Kernel(new OwnStore());
  return shared;
}

class OwnStore implements KernelStore {
  readonly wasm = new WebAssembly.Memory({ initial: 1 });
  private used = grain;

  reserve(bytes: number): number {
    const first = this.used;
    this.used += bytes;
    const missing = this.used - this.wasm.buffer.byteLength;
    if (missing > 0) {
      const pages = Math.ceil(missing / pageBytes);
      const spare = Math.min(this.wasm.buffer.byteLength / pageBytes, 4096);
      this.wasm.grow(Math.max(pages, spare));
    }
    return first;
  }
}

export class Kernel {
  readonly exports: KernelExports;
  /** The system at work. */
  present: KernelSystem | undefined;
  /** Blocks in use by their addresses, and addresses of those that nobody uses any more by their sizes. */
  private readonly blocks = new Map<Address, Block>();
  private readonly free = new Map<number, Address[]>();
  /** Places in the table that nobody uses any more. */
  private readonly places: number[] = [];
  private readonly linked = new FinalizationRegistry<number>((first) => {
    for (let k = 0; k < LINKS; k++) this.exports.table.set(first + k, null);
    this.places.push(first);
  });
  private readonly registry = new FinalizationRegistry<Block>((block) => this.give(block));

  constructor(private readonly store: KernelStore) {
    const host: Record<string, (...given: never[]) => unknown> = {
      rhs: (t: number, y: Address, dy: Address) => this.present!.rhs(t, y, dy),
      jacobian: (t: number, y: Address) => this.present!.jacobian(t, y),
      evaluateCoupled: (t: number, point: Address, values: Address) =>
        this.present!.evaluate(t, point, values),
      readUnknowns: (point: Address) => this.present!.read(point),
      writeUnknowns: (point: Address) => this.present!.write(point),
      extend: (address: Address, bytes: number) => this.extend(address, bytes),
      pulse,
    };
    const instance = new WebAssembly.Instance(kernelModule(), {
      env: { memory: store.wasm },
      math: Math as unknown as WebAssembly.ModuleImports,
      host: host as WebAssembly.ModuleImports,
    });
    this.exports = instance.exports as unknown as KernelExports;
  }

  get buffer(): ArrayBuffer {
    return this.store.wasm.buffer;
  }

  /** The address of a block of zeros, which lives as long as its owner. */
  allocate(owner: object, bytes: number): Address {
    const block = this.take(bytes);
    this.registry.register(owner, block);
    return block.address;
  }

  /** The same with these integers. */
  copy(owner: object, integers: Int32Array): Address {
    const address = this.allocate(owner, 4 * integers.length);
    this.integers(address, integers.length).set(integers);
    return address;
  }

  /** A block of zeros, to be given back. */
  take(bytes: number): Block {
    const size = Math.max(grain, Math.ceil(bytes / grain) * grain);
    const address = this.free.get(size)?.pop() ?? this.store.reserve(size);
    new Uint8Array(this.buffer, address, size).fill(0);
    const block = { address, bytes: size };
    this.blocks.set(address, block);
    return block;
  }

  give({ address, bytes }: Block): void {
    this.blocks.delete(address);
    const list = this.free.get(bytes);
    if (list) list.push(address);
    else this.free.set(bytes, [address]);
  }

  /** Puts functions of WebAssembly into the table, for as long as their owner lives; gives the place of the first. */
  link(owner: object, functions: readonly ((...given: never[]) => unknown)[]): number {
    const { table } = this.exports;
    const first = this.places.pop() ?? table.grow(LINKS);
    for (const [k, each] of functions.entries()) table.set(first + k, each);
    this.linked.register(owner, first);
    return first;
  }

  /** Moves a block to where there is room for so many bytes; it belongs to whom it belonged to. */
  private extend(address: Address, bytes: number): Address {
    const block = this.blocks.get(address)!;
    const before = { ...block };
    const { address: to, bytes: size } = this.take(bytes);
    new Uint8Array(this.buffer, to, size).set(new Uint8Array(this.buffer, address, before.bytes));
    this.give(before);
    Object.assign(block, { address: to, bytes: size });
    this.blocks.set(to, block);
    return to;
  }

  doubles(address: Address, length: number): Float64Array {
    return new Float64Array(this.buffer, address, length);
  }

  integers(address: Address, length: number): Int32Array {
    return new Int32Array(this.buffer, address, length);
  }
}

/** Doubles of a kernel. The memory may grow at any time: the array is asked for whenever it is used. */
export class KernelView {
  private array = new Float64Array(0);

  constructor(
    private readonly kernel: Kernel,
    readonly address: Address,
    readonly length: number,
  ) {}

  /** An array whose memory has grown has no elements any more. */
  get values(): Float64Array {
    if (this.array.length !== this.length)
      this.array = new Float64Array(this.kernel.buffer, this.address, this.length);
    return this.array;
  }
}

/** Vectors up to this length are copied sooner one by one than by the engine. */
const SHORT = 16;

/** Copies the numbers that there is room for. */
export function copyNumbers(to: Float64Array, from: Float64Array): void {
  if (to.length > SHORT) to.set(from.length > to.length ? from.subarray(0, to.length) : from);
  else for (let i = 0; i < to.length; i++) to[i] = from[i]!;
}

/** By the numbers that kernels give; see `kernels/system.ts`. */
const reasons = { 2: 'step-too-small', 3: 'not-finite', 4: 'singular' } as const;

/** Numbers of what is counted. */
const COUNTS = 6;

/** A system as kernels see it. */
export class KernelSystem {
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
  enter(): KernelSystem | undefined {
    const { kernel } = this;
    const { present } = kernel;
    kernel.present = this;
    return present;
  }

  leave(before: KernelSystem | undefined): void {
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
