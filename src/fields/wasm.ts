/**
 * Loop code as WebAssembly. Each kernel becomes a function of one argument, the address of its table (`loops.ts`). Modules hold
 * no sizes and no addresses: they are kept by the text of their code, and simulations of any size share them.
 */
import { type Context, Emitter } from '../code/emit.ts';
import { Body, f64, i32, ModuleBuilder, op, type ValType } from '../code/encoder.ts';
import { moduleOf } from '../code/modules.ts';
import { type MathFunction, mathFunctions } from '../code/operators.ts';
import { nodesOf } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { ReductionOp } from './affine.ts';
import type { LoopCode, LoweredKernel, Step } from './loops.ts';

/** Runs the loops whose table is at this address. */
export type Run = (table: number) => void;

/** Modules that were made so far. */
const modules = new Map<string, WebAssembly.Module>();
const mostModules = 500;
let made = 0;

/** How many modules were made since the start of the program. */
export const modulesMade = (): number => made;

/** A function for each kernel, over this memory. Kernels with the same code share a function. */
export function compileKernels(kernels: readonly LoweredKernel[], memory: WebAssembly.Memory): Run[] {
  const distinct = new Map<string, LoopCode>();
  for (const { key, code } of kernels) distinct.set(key, code);
  const text = [...distinct.keys()].join('\n====\n');
  let module = modules.get(text);
  if (!module) {
    made++;
    module = moduleOf(encode([...distinct.values()]));
    if (modules.size >= mostModules) modules.delete(modules.keys().next().value!);
    modules.set(text, module);
  }
  const instance = new WebAssembly.Instance(module, {
    Math: Math as unknown as WebAssembly.ModuleImports,
    memory: { doubles: memory },
  });
  const numbers = new Map([...distinct.keys()].map((key, k) => [key, k]));
  return kernels.map(({ key }) => instance.exports[`${numbers.get(key)}`] as Run);
}

function encode(codes: readonly LoopCode[]): Uint8Array {
  const module = new ModuleBuilder('fields');
  module.importMemory('memory', 'doubles');
  const math = new Map<MathFunction, number>();
  for (const name of mathFunctions) {
    if (!codes.some((code) => uses(code, name))) continue;
    const parameters: ValType[] = name === 'pow' || name === 'atan2' ? [f64, f64] : [f64];
    math.set(name, module.importFunction('Math', name, parameters, [f64]));
  }
  const body = new Body();
  codes.forEach((code, k) => {
    const index = module.declare(`loop${k}`, [i32], []);
    new Writer(body, code, math).write();
    module.define(body);
    module.exportFunction(`${k}`, index);
  });
  return module.encode();
}

function uses(code: LoopCode, name: MathFunction): boolean {
  const inSteps = (steps: readonly Step[]): boolean =>
    steps.some((step) => {
      if (step.kind === 'load' || step.kind === 'count') return false;
      if (step.kind === 'reduce' && inSteps(step.body)) return true;
      return nodesOf(step.value).some((node) => node.kind === 'apply' && node.op === name);
    });
  return inSteps(code.before) || inSteps(code.body);
}

const tableLocal = 0;

class Writer {
  private readonly body: Body;
  private readonly code: LoopCode;
  private readonly emitter: Emitter;
  /** WebAssembly locals by local, loop, stride and pointer. */
  private readonly locals: number[];
  private readonly counts: number[];
  private readonly offsets: number[];
  private readonly increments: (readonly number[])[];
  private readonly bases: number[];

  constructor(body: Body, code: LoopCode, math: ReadonlyMap<MathFunction, number>) {
    this.body = body;
    this.code = code;
    body.reset(1);
    const many = (n: number, type: ValType): number[] => Array.from({ length: n }, () => body.allocate(type));
    this.counts = many(code.loopCount, i32);
    this.offsets = many(code.strides.length, i32);
    this.increments = code.strides.map((loops) => many(loops.length, i32));
    this.bases = many(code.pointers.length, i32);
    this.locals = many(code.locals, f64);
    this.emitter = new Emitter(body, contextOf(math));
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
      body.opIndex(op.localGet, this.offsets[stride]!);
      body.opIndex(op.localGet, this.increments[stride]![level]!);
      body.op(op.i32Add);
      body.opIndex(op.localSet, this.offsets[stride]!);
    });
  }

  private steps(steps: readonly Step[]): void {
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
    body.opIndex(op.localGet, this.offsets[stride]!);
    body.op(op.i32Add);
  }

  private value(expr: Expr): void {
    const { emitter } = this;
    emitter.begin();
    const node = emitter.add(expr);
    emitter.place();
    emitter.emit(node, f64);
  }
}

export const neutral: Readonly<Record<ReductionOp, number>> = {
  sumOver: 0,
  productOver: 1,
  minOver: Number.MAX_VALUE,
  maxOver: -Number.MAX_VALUE,
};

const combining: Readonly<Record<ReductionOp, number>> = {
  sumOver: op.f64Add,
  productOver: op.f64Mul,
  minOver: op.f64Min,
  maxOver: op.f64Max,
};

function contextOf(math: ReadonlyMap<MathFunction, number>): Context {
  const never = (): never => {
    throw new Error('loops have locals and operators only');
  };
  return {
    slotOf: never,
    math: (name) => math.get(name)!,
    callee: never,
    constant: never,
    stackPointer: never,
    site: never,
    fault: never,
  };
}
