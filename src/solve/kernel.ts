/**
 * The inner loops of integrators run in WebAssembly (`src/solve/kernels`, written in AssemblyScript): an engine runs what is in JavaScript ten times slower until it has compiled it,
 * which takes longer than most simulations. Here is their memory, and what they call.
 *
 * A kernel is the code in one memory. Blocks of the memory belong to objects, and are used again once these are gone. The memory may grow, which ends all views of it: they are asked
 * for each time. What the code calls belongs to the system that is at work.
 */
import { pulse } from '../diagnostic/pulse.ts';
import { kernelCode } from './kernelcode.ts';

/** Memory that a kernel shares with others. */
export interface KernelStore {
  readonly wasm: WebAssembly.Memory;
  /** The address of so many bytes more, which may be anything. */
  reserve(bytes: number): number;
}

export type Address = number;

/** What a kernel calls: see `kernels/host.ts`. Vectors are given by their addresses. */
export interface KernelHost {
  rhs(t: number, y: Address, dy: Address): boolean;
  /** The address of the matrix that the Jacobian belongs to; 0 where it cannot be evaluated. */
  jacobian(t: number, y: Address): Address;
  evaluate(t: number, point: Address, values: Address): boolean;
  read(point: Address): void;
  write(point: Address): void;
}

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
  present: KernelHost | undefined;
  /** Blocks in use by their addresses, and addresses of those that nobody uses any more by their sizes. */
  private readonly blocks = new Map<Address, Block>();
  private readonly free = new Map<number, Address[]>();
  /** Places in the table that nobody uses any more. */
  private readonly places: number[] = [];
  private readonly linked = new FinalizationRegistry<number>((first) => {
    for (let k = 0; k < LINKS; k++) this.exports.table.set(first + k, null);
    this.places.push(first);
  });
  private readonly registry = new FinalizationRegistry<readonly Block[]>((blocks) => {
    for (const block of blocks) this.give(block);
  });
  /** Who was given blocks last, and these: most ask for several in a row, and to be told of the end of an object costs more than a block. */
  private owner: object | undefined;
  private owned: Block[] = [];
  /** All of the memory. */
  private whole = new Float64Array(0);

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
    if (owner !== this.owner) {
      this.owner = owner;
      this.owned = [];
      this.registry.register(owner, this.owned);
    }
    this.owned.push(block);
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
    // An array whose memory has grown has no elements any more.
    if (this.whole.length === 0) this.whole = new Float64Array(this.buffer);
    this.whole.fill(0, address / 8, (address + size) / 8);
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
