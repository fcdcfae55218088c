/**
 * Loop code as WebAssembly. Each kernel becomes a function of one argument, the address of its table (`loops.ts`). Modules hold
 * no sizes and no addresses: they are kept by the text of their code, and simulations of any size share them.
 */
import { Callees, type FrameRoom, noFrames, stackBounds } from '../../code/callees.ts';
import type { EmitContext } from '../../code/context.ts';
import { Emitter } from '../../code/emit.ts';
import { Body, f64, i32, ModuleBuilder, op, type ValType } from '../../code/encoder.ts';
import type { Site } from '../../code/fault.ts';
import { moduleOf } from '../../code/modules.ts';
import { mathFunctions } from '../../code/operators.ts';
import { pulse } from '../../diagnostic/pulse.ts';
import { nodesOf } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import type { MathFunction } from '../../symbolic/operators.ts';
import { neutral, type ReductionOp } from '../elements/affine.ts';
import type { LoopFunctions } from '../elements/functions.ts';
import type { LoopCode, LoopStep, LoweredKernel } from './loops.ts';

/** Runs the loops whose table is at this address. */
export type RunLoops = (table: number) => void;

/** Modules that were made so far. */
const modules = new Map<string, WebAssembly.Module>();
const mostModules = 500;
let made = 0;

/** How many modules were made since the start of the program. */
export const modulesMade = (): number => made;

/** Loops and the functions that they call, for memories of any size. */
export class LoopModule {
  /** Checks in the functions, by the number that they report when they fail, from 1. */
  readonly sites: readonly Site[];
  readonly room: FrameRoom;
  private readonly module: WebAssembly.Module;
  /** By kernel: the number of its function. Kernels with the same code share one. */
  private readonly numbers: readonly number[];

  constructor(kernels: readonly LoweredKernel[], functions: LoopFunctions) {
    const distinct = new Map<string, LoopCode>();
    for (const { key, code } of kernels) distinct.set(key, code);
    const position = new Map([...distinct.keys()].map((key, k) => [key, k]));
    this.numbers = kernels.map(({ key }) => position.get(key)!);
    const text = [functions.key, ...distinct.keys()].join('\n====\n');
    let module = modules.get(text);
    // Checks belong to the model: the places that they tell of are those of its text.
    const encoded =
      module && functions.reached.length === 0 ? undefined : encode([...distinct.values()], functions);
    if (!module) {
      made++;
      module = moduleOf(encoded!.bytes);
      if (modules.size >= mostModules) modules.delete(modules.keys().next().value!);
      modules.set(text, module);
    }
    this.module = module;
    this.sites = encoded?.sites ?? [];
    this.room = encoded?.room ?? noFrames;
  }

  /** A function for each kernel, over this memory; `stack` is the slot where frames begin. */
  runs(memory: WebAssembly.Memory, stack: number): RunLoops[] {
    const { exports } = new WebAssembly.Instance(this.module, {
      Math: Math as unknown as WebAssembly.ModuleImports,
      memory: { doubles: memory, ...stackBounds(stack, this.room.slots, this.room) },
      work: { pulse },
    });
    return this.numbers.map((number) => exports[`${number}`] as RunLoops);
  }
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly sites: readonly Site[];
  readonly room: FrameRoom;
}

function encode(codes: readonly LoopCode[], { functions, reached }: LoopFunctions): Encoded {
  const module = new ModuleBuilder('fields');
  module.importMemory('memory', 'doubles');
  const callees = new Callees(module, functions, reached);
  const math = new Map<MathFunction, number>();
  for (const name of mathFunctions) {
    if (callees.isEmpty && !codes.some((code) => uses(code, name))) continue;
    const parameters: ValType[] = name === 'pow' || name === 'atan2' ? [f64, f64] : [f64];
    math.set(name, module.importFunction('Math', name, parameters, [f64]));
  }
  const body = new Body();
  const context = contextOf(math, callees);
  callees.write(new Emitter(body, context));
  codes.forEach((code, k) => {
    const index = module.declare(`loop${k}`, [i32], []);
    new Writer(body, code, context, callees).write();
    module.define(body);
    module.exportFunction(`${k}`, index);
  });
  return { bytes: module.encode(), sites: callees.sites, room: callees.room };
}

function uses(code: LoopCode, name: MathFunction): boolean {
  const inSteps = (steps: readonly LoopStep[]): boolean =>
    steps.some((step) => {
      if (step.kind === 'load' || step.kind === 'count') return false;
      if (step.kind === 'reduce' && inSteps(step.body)) return true;
      return nodesOf(step.value).some((node) => node.kind === 'apply' && node.op === name);
    });
  return inSteps(code.before) || inSteps(code.body);
}

const tableLocal = 0;

class Writer {
  private readonly emitter: Emitter;
  /** WebAssembly locals by local, loop, stride and pointer. */
  private readonly locals: number[];
  private readonly counts: number[];
  private readonly offsets: number[];
  private readonly increments: (readonly number[])[];
  private readonly bases: number[];

  constructor(
    private readonly body: Body,
    private readonly code: LoopCode,
    context: EmitContext,
    private readonly callees: Callees,
  ) {
    body.reset(1);
    const many = (n: number, type: ValType): number[] => Array.from({ length: n }, () => body.allocate(type));
    this.counts = many(code.loopCount, i32);
    this.offsets = many(code.strides.length, i32);
    this.increments = code.strides.map((loops) => many(loops.length, i32));
    this.bases = many(code.pointers.length, i32);
    this.locals = many(code.locals, f64);
    this.emitter = new Emitter(body, context);
    this.emitter.variables = {
      scalar: (index) => this.locals[index]!,
      array: () => undefined,
      iterator: () => 0,
      frame: 0,
      name: () => '',
      span: undefined,
    };
  }

  write(): void {
    const { body } = this;
    let place = 0;
    const read = (local: number): void => {
      body.opIndex(op.localGet, tableLocal);
      body.loadI32(place);
      body.opIndex(op.localSet, local);
      place += 4;
    };
    this.counts.forEach(read);
    for (const list of this.increments) list.forEach(read);
    this.bases.forEach(read);
    this.callees.begin(body);
    this.steps(this.code.before);
    this.nest(this.code.loops, () => this.steps(this.code.body));
  }

  /** Loops around what `inner` writes; each runs at least once. */
  private nest(loops: readonly number[], inner: () => void): void {
    const [loop, ...others] = loops;
    if (loop === undefined) {
      inner();
      return;
    }
    const { body } = this;
    const left = body.allocate(i32);
    body.opIndex(op.localGet, this.counts[loop]!);
    body.opIndex(op.localSet, left);
    body.open(op.loop);
    this.nest(others, inner);
    this.advance(loop);
    body.opIndex(op.localGet, left);
    body.constI32(1);
    body.op(op.i32Sub);
    body.opIndex(op.localTee, left);
    body.opIndex(op.brIf, 0);
    body.close();
    body.release(i32, left);
  }

  /** The end of a turn. */
  private advance(loop: number): void {
    const { body } = this;
    this.code.strides.forEach((loops, stride) => {
      const level = loops.indexOf(loop);
      if (level < 0) return;
      body.op(op.i32Add, this.offsets[stride]!, this.increments[stride]![level]!);
      body.opIndex(op.localSet, this.offsets[stride]!);
    });
  }

  private steps(steps: readonly LoopStep[]): void {
    const { body } = this;
    for (const step of steps) {
      const local = this.locals[step.local]!;
      switch (step.kind) {
        case 'load':
          this.address(step.pointer);
          body.load(0);
          body.opIndex(op.localSet, local);
          break;
        case 'count':
          this.address(step.pointer);
          body.op(op.f64ConvertI32S);
          body.opIndex(op.localSet, local);
          break;
        case 'set':
          this.value(step.value);
          body.opIndex(op.localSet, local);
          break;
        case 'store':
          this.address(step.pointer);
          this.value(step.value);
          body.opIndex(op.localTee, local);
          body.store(0);
          break;
        case 'reduce':
          body.const(neutral[step.op]);
          body.opIndex(op.localSet, local);
          this.nest(step.loops, () => {
            this.steps(step.body);
            body.opIndex(op.localGet, local);
            this.value(step.value);
            body.op(combining[step.op]);
            body.opIndex(op.localSet, local);
          });
          break;
      }
    }
  }

  /** Leaves the address of a pointer on the stack. */
  private address(pointer: number): void {
    const { body } = this;
    body.opIndex(op.localGet, this.bases[pointer]!);
    const stride = this.code.pointers[pointer]!;
    if (stride < 0) return;
    body.op(op.i32Add, this.offsets[stride]!);
  }

  private value(expr: Expr): void {
    // However many turns there are, each value has the whole budget.
    if (!this.callees.isEmpty && nodesOf(expr).some(({ kind }) => kind === 'call'))
      this.callees.refuel(this.body);
    this.emitter.write(f64, expr);
  }
}

const combining: Readonly<Record<ReductionOp, number>> = {
  sumOver: op.f64Add,
  productOver: op.f64Mul,
  minOver: op.f64Min,
  maxOver: op.f64Max,
};

/** Functions that handle texts do not come into loops. */
const noTexts = (): never => {
  throw new Error('a loop handles texts');
};

/** Constants stand in the code of functions: loops have theirs in memory. */
function contextOf(math: ReadonlyMap<MathFunction, number>, callees: Callees): EmitContext {
  const { callee, stackPointer, site, fault } = callees;
  return {
    slotOf: () => {
      throw new Error('loops have locals and operators only');
    },
    math: (name) => math.get(name)!,
    text: noTexts,
    numberOf: noTexts,
    constant: () => undefined,
    callee,
    stackPointer,
    site,
    fault,
  };
}
