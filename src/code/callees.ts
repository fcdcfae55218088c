/**
 * The user functions of a module: what the module imports for them, their bodies, and the checks in them. A module has one section of
 * functions, which all code in it calls.
 *
 * Frames of functions lie on a stack whose bounds the module imports, so that code does not depend on where the stack is.
 */
import { incidenceOf } from '../collections/incidence.ts';
import { remember } from '../collections/memo.ts';
import type { Span } from '../diagnostic/source.ts';
import { sortBlocks } from '../structure/graph/blt.ts';
import { eachNode } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import {
  expressionsOf,
  type FunctionDef,
  type FunctionStatement,
  type NestedStatement,
  statementsIn,
} from '../symbolic/function.ts';
import type { Emitter } from './emit.ts';
import { type Body, f64, i32, type ModuleBuilder, op } from './encoder.ts';
import { type FaultKind, loopLimit, type Message, type Site } from './fault.ts';
import { type Callee, type FrameLayout, layoutFrame } from './frame.ts';
import { type FunctionRuntime, FunctionWriter, signature } from './functions.ts';
import { statusSlot, statusValueSlot } from './memory.ts';

/** Memory for the frames of calls that are nested to any depth, beyond the largest frame itself. */
const deepSlots = 16384;

/** The room that frames of functions need. */
export interface FrameRoom {
  /** Size of the largest frame in bytes; -1 where no function is called. */
  readonly largest: number;
  readonly slots: number;
}

export const noFrames: FrameRoom = { largest: -1, slots: 0 };

export class Callees {
  /** Checks, by the number that they report when they fail, from 1. */
  readonly sites: Site[] = [];
  private readonly callees = new Map<number, Callee>();
  private readonly layouts = new Map<number, FrameLayout>();
  private runtime: FunctionRuntime | undefined;
  /** Number of the imported function that computes external code. */
  private externalCall = 0;
  private stackStart = 0;
  private recursive: ReadonlySet<number> = new Set();
  private currentFunction = '';

  /** Declares the imports: to be made before any other function of the module. `reached` are the functions to be written. */
  constructor(
    private readonly module: ModuleBuilder,
    /** In lowered form. */
    private readonly functions: readonly FunctionDef[],
    private readonly reached: readonly number[],
  ) {
    if (reached.length === 0) return;
    this.stackStart = module.importGlobal('memory', 'stack');
    const stackLimit = module.importGlobal('memory', 'limit');
    if (reached.some((fn) => functions[fn]!.external))
      this.externalCall = module.importFunction('component', 'call', [i32, i32], []);
    this.runtime = {
      stackLimit,
      stackPointer: module.global(0),
      fuel: module.global(0),
      depth: module.global(0),
      fault: 0,
      pulse: module.importFunction('work', 'pulse', [], []),
      site: (kind, fn, span, message) => this.addSite(kind, fn, span, message),
    };
  }

  get isEmpty(): boolean {
    return this.reached.length === 0;
  }

  /** The memory is copied at events: only functions that call themselves get more than one frame for each. */
  get room(): FrameRoom {
    if (this.isEmpty) return noFrames;
    let largest = 0;
    for (const { bytes } of this.layouts.values()) largest = Math.max(largest, bytes);
    if (this.recursive.size > 0) return { largest, slots: deepSlots + 2 * Math.ceil(largest / 8) };
    return { largest, slots: Math.ceil((this.deepest() + largest) / 8) };
  }

  /** The bytes of all frames that can be open at once, where no function can call itself. */
  private deepest(): number {
    const below = new Map<number, number>();
    const depth = (fn: number): number =>
      remember(below, fn, () => {
        let most = 0;
        for (const other of callsOf(this.functions[fn]!)) most = Math.max(most, depth(other));
        return most + this.layouts.get(fn)!.bytes;
      });
    let most = 0;
    for (const fn of this.reached) most = Math.max(most, depth(fn));
    return most;
  }

  readonly callee = (fn: number): Callee => this.callees.get(fn)!;
  readonly stackPointer = (): number => this.runtime!.stackPointer;
  readonly fault = (): number => this.runtime!.fault;
  /** A check in the function that is being written. */
  readonly site = (kind: FaultKind, span: Span | undefined, message: Message): number =>
    this.addSite(kind, this.currentFunction, span, message);

  /** Writes all functions; the emitter takes what it needs of this section. */
  write(emitter: Emitter): void {
    const { module, functions, reached } = this;
    if (this.isEmpty) return;
    const { body } = emitter;
    const runtime = { ...this.runtime!, fault: module.declare('fault', [i32, f64], []) };
    this.runtime = runtime;
    this.writeFault(body);
    for (const fn of reached) this.declare(fn, functions[fn]!);
    this.recursive = recursiveFunctions(functions, reached);
    for (const fn of reached) {
      const def = functions[fn]!;
      this.currentFunction = def.name;
      if (def.external) this.writeExternal(body, fn);
      else new FunctionWriter(emitter, def, this.layouts.get(fn)!, runtime, this.recursive.has(fn)).write();
      module.define(body);
    }
  }

  /** Writes what comes before the first call of an evaluation: no frame is open. */
  begin(body: Body): void {
    if (!this.runtime) return;
    const { stackPointer, depth } = this.runtime;
    body.opIndex(op.globalGet, this.stackStart);
    body.opIndex(op.globalSet, stackPointer);
    this.refuel(body);
    body.constI32(0);
    body.opIndex(op.globalSet, depth);
  }

  /** Gives loops in functions their whole budget of iterations. */
  refuel(body: Body): void {
    body.constI32(loopLimit);
    body.opIndex(op.globalSet, this.runtime!.fuel);
  }

  /** The arguments are in the frame that begins at the stack pointer; so will be the results. */
  private writeExternal(body: Body, fn: number): void {
    body.reset(1);
    body.constI32(fn);
    body.opIndex(op.globalGet, this.runtime!.stackPointer);
    body.opIndex(op.call, this.externalCall);
  }

  private declare(fn: number, def: FunctionDef): void {
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
  private writeFault(body: Body): void {
    body.reset(2);
    body.constI32(0);
    body.op(op.f64ConvertI32S, 0);
    body.store(statusSlot * 8);
    body.constI32(0);
    body.opIndex(op.localGet, 1);
    body.store(statusValueSlot * 8);
    body.op(op.unreachable);
    this.module.define(body);
  }

  private addSite(kind: FaultKind, fn: string, span: Span | undefined, message: Message): number {
    return this.sites.push({ kind, fn, span, message });
  }
}

/** Bounds of the stack as a module imports them, in bytes. */
export function stackBounds(
  start: number,
  slots: number,
  { largest }: FrameRoom,
): { readonly stack: number; readonly limit: number } {
  return { stack: start * 8, limit: (start + slots) * 8 - Math.max(0, largest) };
}

/** Functions that expressions call, directly or through others, callees of the expressions first. */
export function reachedFunctions(functions: readonly FunctionDef[], values: readonly Expr[]): number[] {
  if (functions.length === 0) return [];
  const reached = new Set<number>();
  for (const fn of calledIn(values)) reached.add(fn);
  for (const fn of reached) for (const other of callsOf(functions[fn]!)) reached.add(other);
  return [...reached];
}

function calledIn(values: readonly Expr[]): Set<number> {
  const called = new Set<number>();
  eachNode(values, (node) => {
    if (node.kind === 'call') called.add(node.fn);
  });
  return called;
}

function callsOf(def: FunctionDef): Set<number> {
  const values = def.locals.flatMap(({ initial }) => initial ?? []);
  const direct = new Set<number>();
  for (const statement of statementsIn(def.body)) {
    if (statement.kind === 'multiassign') direct.add(statement.fn);
    // Messages are left to the interpreter.
    const { message: _, ...own }: NestedStatement<FunctionStatement> = statement;
    values.push(...expressionsOf(own));
  }
  for (const fn of calledIn(values)) direct.add(fn);
  return direct;
}

/** Functions that can call themselves. */
function recursiveFunctions(functions: readonly FunctionDef[], reached: readonly number[]): Set<number> {
  const numbers = new Map(reached.map((fn, k) => [fn, k] as const));
  const calls = reached.map((fn) => [...callsOf(functions[fn]!)].map((other) => numbers.get(other)!));
  const own = Int32Array.from(reached, (_, k) => k);
  const { order, starts } = sortBlocks(incidenceOf(calls, reached.length), own, own);
  const recursive = new Set<number>();
  for (let b = 0; b + 1 < starts.length; b++) {
    const block = order.subarray(starts[b], starts[b + 1]);
    for (const k of block) if (block.length > 1 || calls[k]!.includes(k)) recursive.add(reached[k]!);
  }
  return recursive;
}
