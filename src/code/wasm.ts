/**
 * Units as WebAssembly modules. A routine becomes functions of some 200 assignments each (engines compile and optimise
 * those well, and give up on huge ones) and one that calls them in order. Values are loaded from constant addresses;
 * what is shared within a chunk is computed once, and a variable assigned in the chunk is read from its local.
 *
 * A chunk sees every slot in one state only: an assignment to a slot that the chunk has read or written before ends the
 * chunk, so that an expression means the same wherever it stands in it.
 *
 * A module imports the memory, the functions of `Math`, the bounds of the frame stack and, where it is needed, the code of built-in components; nothing of the
 * model's text is in its code, names stand in the custom section alone.
 */
import { Failure } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';
import { walk } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';
import { lowerFunctions } from '../symbolic/lower.ts';
import { type Context, Emitter } from './emit.ts';
import { Body, f64, i32, ModuleBuilder, op, type ValType } from './encoder.ts';
import { EvaluationError, type FaultKind, loopLimit, type Message } from './fault.ts';
import { type Callee, eachStatement, type FrameLayout, layoutFrame } from './frame.ts';
import { type FunctionRuntime, FunctionWriter, signature } from './functions.ts';
import { interpretRoutine } from './interpret.ts';
import { type Memory, statusSlot, statusValueSlot } from './memory.ts';
import { moduleOf } from './modules.ts';
import { type MathFunction, mathFunctions } from './operators.ts';
import type { Assignment, Program, Routine, Unit } from './unit.ts';

/** Assignments, and nodes of expressions, after which a new function is begun. */
const chunkAssignments = 200;
const chunkNodes = 6000;
/** Memory for the frames of nested calls, beyond the largest frame itself. */
const stackSlots = 16384;

/** A check in generated code, by the number it reports when it fails. */
interface Site {
  readonly kind: FaultKind;
  readonly fn: string;
  readonly span: Span | undefined;
  readonly message: Message;
}

interface Encoded {
  readonly bytes: Uint8Array;
  readonly sites: readonly Site[];
  /** Size of the largest frame, or -1 where no function is called. */
  readonly largestFrame: number;
}

/** The bytes of the module for a unit. Routine k is exported as `k`. */
export function encodeUnit(unit: Unit, memory: Memory): Uint8Array {
  return new UnitEncoder(unit, memory).encode().bytes;
}

/** Compiles a unit to run in this memory. Slots are allocated by `unit.slotOf`, so the memory may grow. */
export function compileUnit(unit: Unit, memory: Memory): Program {
  const { bytes, sites, largestFrame } = new UnitEncoder(unit, memory).encode();
  const stack = memory.frames(largestFrame < 0 ? 0 : stackSlots + 2 * Math.ceil(largestFrame / 8));
  const start = stack.start * 8;
  const limit = (stack.start + stack.slots) * 8 - Math.max(0, largestFrame);
  // Asking for the view makes the memory large enough for all slots allocated so far.
  void memory.values;
  const instance = new WebAssembly.Instance(moduleOf(bytes), {
    Math: Math as unknown as WebAssembly.ModuleImports,
    memory: { doubles: memory.wasm, stack: start, limit },
    component: { call: externalCall(unit, memory) },
  });
  const runs = unit.routines.map((_, k) => instance.exports[`${k}`] as () => void);
  const run = (k: number): void => {
    try {
      runs[k]!();
    } catch (problem) {
      throw explain(problem, sites, memory, () => interpretedMessage(unit, k, memory));
    }
  };
  return { run };
}

/** What external functions import: the number of the function and the address of its frame come in. */
function externalCall({ functions, external }: Unit, memory: Memory): (fn: number, address: number) => void {
  return (fn, address) => {
    const { external: code, locals, inputs } = functions[fn]!;
    let count = 0;
    for (let k = 1; k < inputs; k++) count += locals[k]!.dims[0]!;
    external!(code!, memory.values, address / 8, address / 8 + count);
  };
}

/** Turns a trap into the error of the check that caused it. */
function explain(
  problem: unknown,
  sites: readonly Site[],
  memory: Memory,
  interpretedMessage: () => string,
): unknown {
  const values = memory.values;
  const site = sites[values[statusSlot]! - 1];
  values[statusSlot] = 0;
  if (site) {
    const { kind, fn, span, message } = site;
    const text = message(values[statusValueSlot]!, fn) ?? interpretedMessage();
    return new EvaluationError(kind, fn, span, text);
  }
  if (!(problem instanceof RangeError)) return problem;
  return new EvaluationError('recursion', '', undefined, 'Function calls are nested too deeply.');
}

/** The message of a failed assertion whose text holds values: the interpreter computes it. */
function interpretedMessage(unit: Unit, k: number, memory: Memory): string {
  try {
    interpretRoutine(unit, k, memory.values.slice());
  } catch (problem) {
    if (problem instanceof Failure) return problem.message;
  }
  return 'An assertion is violated.';
}

/** The functions of `Math` that the routines of a unit use. */
function mathOf(unit: Unit): MathFunction[] {
  const used = new Set<string>();
  const seen = new Set<Expr>();
  const visit = (node: Expr): void => {
    seen.add(node);
    if (node.kind === 'apply') used.add(node.op);
  };
  for (const { body } of unit.routines) {
    for (const { value } of body) walk(value, (node) => seen.has(node), visit);
  }
  return mathFunctions.filter((name) => used.has(name));
}

class UnitEncoder {
  private readonly unit: Unit;
  private readonly module = new ModuleBuilder('mutabor');
  private readonly body = new Body();
  private readonly emitter: Emitter;
  private readonly math = new Map<MathFunction, number>();
  private readonly callees = new Map<number, Callee>();
  private readonly layouts = new Map<number, FrameLayout>();
  private readonly sites: Site[] = [];
  private runtime: FunctionRuntime | undefined;
  /** Number of the imported function that computes external code. */
  private externalCall = 0;
  private stackStart = 0;
  private stackLimit = 0;
  private currentFunction = '';
  /** Epoch in which a slot was last read or written, by slot. */
  private touched = new Int32Array(1024);
  private epoch = 0;

  constructor(unit: Unit, memory: Memory) {
    this.unit = unit.pool ? { ...unit, functions: lowerFunctions(unit.pool, unit.functions) } : unit;
    const context: Context = {
      slotOf: unit.slotOf,
      math: (name) => this.math.get(name)!,
      callee: (fn) => this.callees.get(fn)!,
      constant: (value) => memory.constant(value),
      stackPointer: () => this.runtime!.stackPointer,
      site: (kind, span, message) => this.site(kind, this.currentFunction, span, message),
      fault: () => this.runtime!.fault,
    };
    this.emitter = new Emitter(this.body, context);
  }

  encode(): Encoded {
    const { module, unit } = this;
    module.importMemory('memory', 'doubles');
    const reached = unit.functions.length > 0 ? reachedFunctions(unit) : [];
    if (reached.length > 0) {
      this.stackStart = module.importGlobal('memory', 'stack');
      this.stackLimit = module.importGlobal('memory', 'limit');
    }
    if (reached.some((fn) => unit.functions[fn]!.external))
      this.externalCall = module.importFunction('component', 'call', [i32, i32], []);
    this.importMath(reached.length > 0 ? mathFunctions : mathOf(unit));
    if (reached.length > 0) this.writeFunctions(reached);
    const entries = unit.routines.map((routine) => this.writeRoutine(routine));
    entries.forEach((index, k) => {
      module.exportFunction(`${k}`, index);
    });
    const largestFrame =
      reached.length === 0 ? -1 : Math.max(...[...this.layouts.values()].map((l) => l.bytes));
    return { bytes: module.encode(), sites: this.sites, largestFrame };
  }

  /**
   * The functions of `Math`, each behind a function of the module: an engine calls imports through a pointer, which
   * processors predict well at one place and badly at tens of thousands of places.
   */
  private importMath(names: readonly MathFunction[]): void {
    const { module, body } = this;
    const imports = names.map((name) => {
      const parameters: ValType[] = name === 'pow' || name === 'atan2' ? [f64, f64] : [f64];
      return { name, parameters, index: module.importFunction('Math', name, parameters, [f64]) };
    });
    for (const { name, parameters, index } of imports) {
      this.math.set(name, module.declare(name, parameters, [f64]));
      body.reset(parameters.length);
      for (let k = 0; k < parameters.length; k++) body.opIndex(op.localGet, k);
      body.opIndex(op.call, index);
      module.define(body);
    }
  }

  private site(kind: FaultKind, fn: string, span: Span | undefined, message: Message): number {
    this.sites.push({ kind, fn, span, message });
    return this.sites.length;
  }

  private writeFunctions(reached: readonly number[]): void {
    const { module, unit, stackLimit } = this;
    const fault = module.declare('fault', [i32, f64], []);
    this.runtime = {
      stackLimit,
      stackPointer: module.global(0),
      fuel: module.global(0),
      depth: module.global(0),
      fault,
      site: (kind, fn, span, message) => this.site(kind, fn, span, message),
    };
    this.writeFault();
    for (const fn of reached) this.declareFunction(fn, unit.functions[fn]!);
    const recursive = recursiveFunctions(unit.functions, reached);
    for (const fn of reached) {
      const def = unit.functions[fn]!;
      this.currentFunction = def.name;
      if (def.external) this.writeExternal(fn);
      else
        new FunctionWriter(this.emitter, def, this.layouts.get(fn)!, this.runtime, recursive.has(fn)).write();
      module.define(this.body);
    }
  }

  /** The arguments are in the frame that begins at the stack pointer; so will be the results. */
  private writeExternal(fn: number): void {
    const { body } = this;
    body.reset(1);
    body.constI32(fn);
    body.opIndex(op.globalGet, this.runtime!.stackPointer);
    body.opIndex(op.call, this.externalCall);
  }

  private declareFunction(fn: number, def: FunctionDef): void {
    const layout = layoutFrame(def);
    const { parameters, results } = signature(def, layout.places);
    const index = this.module.declare(def.name, parameters, results);
    this.layouts.set(fn, layout);
    this.callees.set(fn, {
      index,
      inputs: layout.places.slice(0, def.inputs),
      outputs: layout.places.slice(def.inputs, def.inputs + def.outputs),
    });
  }

  /** Records the number of the check and a value, and traps. */
  private writeFault(): void {
    const { body } = this;
    body.reset(2);
    body.constI32(0);
    body.opIndex(op.localGet, 0);
    body.op(op.f64ConvertI32S);
    body.store(statusSlot * 8);
    body.constI32(0);
    body.opIndex(op.localGet, 1);
    body.store(statusValueSlot * 8);
    body.op(op.unreachable);
    this.module.define(body);
  }

  /** Writes the chunks of a routine and gives the function that runs it. */
  private writeRoutine(routine: Routine): number {
    const { body, module } = this;
    const chunks: number[] = [];
    for (let first = 0; first < routine.body.length; ) {
      first = this.writeChunk(routine, first, chunks);
    }
    if (chunks.length === 1 && !this.runtime) return chunks[0]!;
    const index = module.declare(routine.name, [], []);
    body.reset(0);
    if (this.runtime) {
      const { stackPointer, fuel, depth } = this.runtime;
      body.opIndex(op.globalGet, this.stackStart);
      body.opIndex(op.globalSet, stackPointer);
      body.constI32(loopLimit);
      body.opIndex(op.globalSet, fuel);
      body.constI32(0);
      body.opIndex(op.globalSet, depth);
    }
    for (const chunk of chunks) body.opIndex(op.call, chunk);
    module.define(body);
    return index;
  }

  /** Writes the function of the chunk that begins with assignment `first`; gives where the next one begins. */
  private writeChunk(routine: Routine, first: number, chunks: number[]): number {
    const { emitter, body, module } = this;
    emitter.begin();
    body.reset(0);
    this.epoch += 2;
    const nodes: number[] = [];
    const later = new Set<number>();
    let last = first;
    for (let closed = false; !closed && last < routine.body.length; last++) {
      const { slot, value } = routine.body[last]!;
      const before = emitter.graph.count;
      nodes.push(emitter.add(value));
      this.touchLeaves(before, later);
      closed = this.stateOf(slot) !== untouched || nodes.length === chunkAssignments;
      closed ||= emitter.graph.count >= chunkNodes;
      this.touch(slot, written);
    }
    emitter.place();
    for (let k = 0; k < nodes.length; k++) this.writeAssignment(routine.body[first + k]!, nodes[k]!, later);
    const name =
      first === 0 && last === routine.body.length ? routine.name : `${routine.name}.${chunks.length}`;
    chunks.push(module.declare(name, [], []));
    module.define(body);
    return last;
  }

  private writeAssignment({ slot }: Assignment, node: number, later: ReadonlySet<number>): void {
    const { emitter, body } = this;
    body.constI32(0);
    emitter.emit(node, f64);
    if (later.has(slot)) {
      const local = body.allocate(f64);
      body.opIndex(op.localTee, local);
      emitter.assigned.set(slot, local);
    }
    body.store(slot * 8);
  }

  /** Notes which slots the nodes from this one on read, and which of them the chunk has assigned itself. */
  private touchLeaves(from: number, later: Set<number>): void {
    const { nodes, start, group, count } = this.emitter.graph;
    for (let i = from; i < count; i++) {
      if (start[i] !== start[i + 1] || group[i] === 1 || !isStored(nodes[i]!)) continue;
      const slot = this.unit.slotOf(nodes[i]!);
      if (this.stateOf(slot) === written) later.add(slot);
      else this.touch(slot, read);
    }
  }

  private stateOf(slot: number): number {
    const state = (this.touched[slot] ?? 0) - this.epoch;
    return state < 0 ? untouched : state;
  }

  private touch(slot: number, state: number): void {
    if (slot >= this.touched.length) {
      const larger = new Int32Array(Math.max(2 * this.touched.length, slot + 1));
      larger.set(this.touched);
      this.touched = larger;
    }
    this.touched[slot] = this.epoch + state;
  }
}

/** What a chunk has done to a slot. */
const untouched = -1;
const read = 0;
const written = 1;

/** Whether a node without children is read from memory; an operator is one of those of events. */
function isStored(expr: Expr): boolean {
  return expr.kind !== 'const' && expr.kind !== 'text';
}

/** Functions that the routines call, directly or through others, callees of the routines first. */
function reachedFunctions(unit: Unit): number[] {
  const reached = new Set<number>();
  const values = unit.routines.flatMap((routine) => routine.body.map((assignment) => assignment.value));
  for (const fn of calledIn(values)) reached.add(fn);
  for (const fn of reached) for (const other of callsOf(unit.functions[fn]!)) reached.add(other);
  return [...reached];
}

function calledIn(values: readonly Expr[]): Set<number> {
  const called = new Set<number>();
  const seen = new Set<Expr>();
  const visit = (node: Expr): void => {
    seen.add(node);
    if (node.kind === 'call') called.add(node.fn);
  };
  for (const value of values) walk(value, (node) => seen.has(node), visit);
  return called;
}

function callsOf(def: FunctionDef): Set<number> {
  const values: Expr[] = [];
  const direct = new Set<number>();
  for (const local of def.locals) if (local.initial) values.push(local.initial);
  eachStatement(def.body, (statement) => {
    switch (statement.kind) {
      case 'assign':
        values.push(statement.target, statement.value);
        break;
      case 'multiassign':
        direct.add(statement.fn);
        for (const target of statement.targets) if (target) values.push(target);
        values.push(...statement.args);
        break;
      case 'if':
        for (const branch of statement.branches) if (branch.condition) values.push(branch.condition);
        break;
      case 'for':
        values.push(statement.range);
        break;
      case 'while':
      case 'assert':
        values.push(statement.condition);
        break;
    }
  });
  for (const fn of calledIn(values)) direct.add(fn);
  return direct;
}

/** Functions that can call themselves. */
function recursiveFunctions(functions: readonly FunctionDef[], reached: readonly number[]): Set<number> {
  const calls = new Map(reached.map((fn) => [fn, callsOf(functions[fn]!)] as const));
  const recursive = new Set<number>();
  for (const fn of reached) {
    const below = new Set(calls.get(fn));
    for (const other of below) for (const next of calls.get(other)!) below.add(next);
    if (below.has(fn)) recursive.add(fn);
  }
  return recursive;
}
