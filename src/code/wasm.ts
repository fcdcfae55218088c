/**
 * Units as WebAssembly modules. A routine becomes functions of some 200 assignments each (engines compile and optimise
 * those well, and give up on huge ones) and one that calls them in order. Values are loaded from constant addresses;
 * what is shared within a chunk is computed once, and a variable assigned in the chunk is read from its local.
 *
 * A chunk sees every slot in one state only: an assignment to a slot that the chunk has read or written before ends the
 * chunk, so that an expression means the same wherever it stands in it.
 *
 * A module imports the memory, the functions of `Math`, the bounds of the frame stack, and, where functions need it, what stops work and the code of built-in components; nothing of the
 * model's text is in its code, names stand in the custom section alone.
 */
import { grown } from '../collections/lists.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { eachNode } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { type FunctionDef, statementExpressions } from '../symbolic/function.ts';
import { lowerFunctions } from '../symbolic/lower.ts';
import { isTextOperator, StringTable, type TextOperator, textOperators } from '../symbolic/strings.ts';
import { Callees, type FrameRoom, reachedFunctions, stackBounds } from './callees.ts';
import { Emitter } from './emit.ts';
import { Body, f64, ModuleBuilder, op, type ValType } from './encoder.ts';
import { faultOf, messageOf, type Site } from './fault.ts';
import { interpretRoutine } from './interpret.ts';
import type { Memory } from './memory.ts';
import { moduleOf } from './modules.ts';
import { type MathFunction, mathFunctions } from './operators.ts';
import type { CodeUnit, Program, Routine, SlotAssignment } from './unit.ts';

/** Assignments, and nodes of expressions, after which a new function is begun. */
const chunkAssignments = 200;
const chunkNodes = 6000;

interface Encoded {
  readonly bytes: Uint8Array;
  readonly sites: readonly Site[];
  readonly room: FrameRoom;
}

/** The bytes of the module for a unit. Routine k is exported as `k`. */
export function encodeUnit(unit: CodeUnit, memory: Memory): Uint8Array {
  return new UnitEncoder(unit, memory).encode().bytes;
}

/** Compiles a unit to run in this memory. Slots are allocated by `unit.slotOf`, so the memory may grow. */
export function compileUnit(unit: CodeUnit, memory: Memory): Program {
  const { bytes, sites, room } = new UnitEncoder(unit, memory).encode();
  const { start, slots } = memory.frames(room.slots);
  // Asking for the view makes the memory large enough for all slots allocated so far.
  void memory.values;
  const strings = unit.strings ?? unit.pool?.strings ?? new StringTable();
  const instance = new WebAssembly.Instance(moduleOf(bytes), {
    Math: Math as unknown as WebAssembly.ModuleImports,
    text: strings.operators,
    memory: { doubles: memory.wasm, ...stackBounds(start, slots, room) },
    component: { call: externalCall(unit, memory, strings) },
    work: { pulse },
  });
  const runs = unit.routines.map((_, k) => instance.exports[`${k}`] as () => void);
  const run = (k: number): void => {
    try {
      runs[k]!();
    } catch (problem) {
      throw faultOf(problem, sites, memory.values, () => {
        const values = memory.values.slice();
        return () => messageOf(() => interpretRoutine(unit, k, values));
      });
    }
  };
  return { run, entries: (k) => [runs[k]!] };
}

/** What external functions import: the number of the function and the address of its frame come in. */
function externalCall(
  { functions, external }: CodeUnit,
  memory: Memory,
  strings: StringTable,
): (fn: number, address: number) => void {
  /** By function that was called: how many numbers come in. */
  const counts: number[] = [];
  const countOf = ({ locals, inputs }: FunctionDef): number =>
    locals.slice(0, inputs).reduce((sum, { dims }) => sum + (dims[0] ?? 0), 0);
  return (fn, address) => {
    const code = functions[fn]!.external;
    const start = address / 8;
    const count = (counts[fn] ??= countOf(functions[fn]!));
    if (code!.kind === 'component') {
      external!.component(code!, memory.values, start, start + count);
      return;
    }
    const results = external!.foreign(code!, [...memory.values.subarray(start, start + count)]);
    const { values } = memory;
    for (const [k, result] of results.entries())
      values[start + count + k] = typeof result === 'string' ? strings.numberOf(result) : result;
  };
}

/** The functions of `Math` that are used. */
function mathIn(values: readonly Expr[]): MathFunction[] {
  const used = new Set<string>();
  eachNode(values, (node) => {
    if (node.kind === 'apply') used.add(node.op);
  });
  return mathFunctions.filter((name) => used.has(name));
}

/** The operators on texts that are used. */
function textsIn(values: readonly Expr[]): TextOperator[] {
  const used = new Set<TextOperator>();
  eachNode(values, (node) => {
    if (node.kind === 'apply' && isTextOperator(node.op)) used.add(node.op);
  });
  return [...used].sort();
}

/** The expressions of a function; those of messages are left to the interpreter. */
const bodyOf = ({ locals, body }: FunctionDef): Expr[] => [
  ...locals.flatMap(({ initial }) => initial ?? []),
  ...statementExpressions(body),
];

class UnitEncoder {
  private readonly module = new ModuleBuilder('mutabor');
  private readonly body = new Body();
  private readonly emitter: Emitter;
  private readonly callees: Callees;
  private readonly math = new Map<MathFunction, number>();
  private readonly text = new Map<TextOperator, number>();
  /** Epoch in which a slot was last read or written, by slot. */
  private touched = new Int32Array(1024);
  private epoch = 0;

  constructor(
    private readonly unit: CodeUnit,
    memory: Memory,
  ) {
    const functions = unit.pool ? lowerFunctions(unit.pool, unit.functions) : unit.functions;
    this.module.importMemory('memory', 'doubles');
    const values = unit.routines.flatMap((routine) => routine.body.map((assignment) => assignment.value));
    this.callees = new Callees(this.module, functions, reachedFunctions(functions, values));
    const { callee, stackPointer, site, fault } = this.callees;
    this.emitter = new Emitter(this.body, {
      slotOf: unit.slotOf,
      math: (name) => this.math.get(name)!,
      text: (name) => this.text.get(name)!,
      numberOf: (text) => (unit.strings ?? unit.pool?.strings)?.numberOf(text) ?? 0,
      constant: (value) => memory.constant(value),
      callee,
      stackPointer,
      site,
      fault,
    });
    const reached = reachedFunctions(functions, values).map((fn) => functions[fn]!);
    this.importTexts(textsIn([...values, ...reached.flatMap(bodyOf)]));
    this.importMath(this.callees.isEmpty ? mathIn(values) : mathFunctions);
  }

  encode(): Encoded {
    const { module, unit, callees } = this;
    callees.write(this.emitter);
    const entries = unit.routines.map((routine) => this.writeRoutine(routine));
    entries.forEach((index, k) => {
      module.exportFunction(`${k}`, index);
    });
    return { bytes: module.encode(), sites: callees.sites, room: callees.room };
  }

  private importTexts(names: readonly TextOperator[]): void {
    for (const name of names) {
      const parameters = textOperators[name].map((): ValType => f64);
      this.text.set(name, this.module.importFunction('text', name, parameters, [f64]));
    }
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

  /** Writes the chunks of a routine and gives the function that runs it. */
  private writeRoutine(routine: Routine): number {
    const { body, module } = this;
    const chunks: number[] = [];
    for (let first = 0; first < routine.body.length; ) {
      first = this.writeChunk(routine, first, chunks);
    }
    if (chunks.length === 1 && this.callees.isEmpty) return chunks[0]!;
    const index = module.declare(routine.name, [], []);
    body.reset(0);
    this.callees.begin(body);
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
      nodes.push(emitter.graph.add(value));
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

  private writeAssignment({ slot }: SlotAssignment, node: number, later: ReadonlySet<number>): void {
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
    if (slot >= this.touched.length) this.touched = grown(this.touched, slot + 1);
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
