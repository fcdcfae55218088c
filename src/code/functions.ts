/**
 * User functions as WebAssembly functions. Scalars are locals; scalar inputs are parameters and scalar outputs are
 * results. Arrays live in a frame on a stack in memory, so that they can be subscripted:
 *
 *     frame + 0     array inputs, row by row    (written by the caller, before the call)
 *             …     array outputs               (read by the caller, after the call)
 *             …     protected arrays
 *             …     values that a for-loop goes through, where they are not a range
 *
 * Functions come in lowered form (`symbolic/lower.ts`): expressions are scalar, arrays are assigned whole or by element.
 * The caller writes beyond its own frame, where the callee opens its frame; `limit` leaves room for that. Subscripts are
 * checked; every iteration of a loop takes one from a budget, and work can be stopped there (`diagnostic/pulse.ts`); functions that can call themselves count their depth.
 */
import type { Span } from '../diagnostic/source.ts';
import type { Apply, Expr, Local } from '../symbolic/expr.ts';
import { beginningOf, type FunctionDef, type FunctionStatement } from '../symbolic/function.ts';
import { zeroStep } from '../symbolic/functions.ts';
import { rangeSlack } from '../symbolic/ranges.ts';
import type { Emitter } from './emit.ts';
import { type Body, f64, i32, op, type ValType } from './encoder.ts';
import { type FaultKind, loopLimit, type Message, recursionLimit } from './fault.ts';
import { type FrameLayout, type Handover, isVector } from './frame.ts';

/** Globals and functions of the module that bodies of functions use. */
export interface FunctionRuntime {
  /** Address of the next frame. */
  readonly stackPointer: number;
  /** Largest address at which a frame may end. */
  readonly stackLimit: number;
  /** Iterations left. */
  readonly fuel: number;
  /** Open calls of recursive functions. */
  readonly depth: number;
  readonly fault: number;
  /** Imported: looks whether the work is still wanted. */
  readonly pulse: number;
  readonly site: (kind: FaultKind, fn: string, span: Span | undefined, message: Message) => number;
}

/** Types of parameters and results. */
export function signature(
  def: FunctionDef,
  places: readonly Handover[],
): { parameters: ValType[]; results: ValType[] } {
  const scalars = (from: number, to: number): ValType[] =>
    places.slice(from, to).flatMap((place) => (place.size < 0 ? [f64 as ValType] : []));
  return { parameters: scalars(0, def.inputs), results: scalars(def.inputs, def.inputs + def.outputs) };
}

/** Iterations between two looks; a power of two. */
const loopPulse = 4096;

const tooManyIterations: Message = (_, fn) => `Loops of ${fn} ran more than ${loopLimit} times.`;

export class FunctionWriter {
  private readonly body: Body;
  private readonly scalars: number[] = [];
  private readonly iterators = new Map<number, number>();
  private frame = -1;
  private span: Span | undefined;
  /** Depth of the block that `break` leaves, by open loop. */
  private readonly loops: number[] = [];
  private returnDepth = 0;

  constructor(
    private readonly emitter: Emitter,
    private readonly def: FunctionDef,
    private readonly layout: FrameLayout,
    private readonly runtime: FunctionRuntime,
    private readonly recursive: boolean,
  ) {
    this.body = emitter.body;
    this.span = def.span;
  }

  /** Writes the whole body. */
  write(): void {
    const { body, def, layout } = this;
    body.reset(signature(def, layout.places).parameters.length);
    let parameter = 0;
    layout.places.forEach((place, i) => {
      const isInput = i < def.inputs;
      this.scalars.push(place.size >= 0 ? -1 : isInput ? parameter++ : body.allocate(f64));
    });
    this.frame = body.allocate(i32);
    this.enter();
    const self = this;
    this.emitter.variables = {
      scalar: (index) => this.scalars[index]!,
      array: (index) => (layout.places[index]!.size >= 0 ? layout.places[index] : undefined),
      iterator: (iterator) => this.iteratorLocal(iterator),
      frame: this.frame,
      name: (index) => def.locals[index]!.name,
      get span() {
        return self.span;
      },
    };
    this.initialise();
    body.open(op.block);
    this.returnDepth = body.depth;
    this.statements(def.body);
    body.close();
    this.leave();
    this.emitter.variables = undefined;
  }

  private iteratorLocal(iterator: number): number {
    const local = this.iterators.get(iterator);
    if (local === undefined) throw new Error('an iterator outside its loop');
    return local;
  }

  private enter(): void {
    const { body, runtime, layout } = this;
    body.opIndex(op.globalGet, runtime.stackPointer);
    body.opIndex(op.localSet, this.frame);
    if (layout.bytes > 0) {
      body.opIndex(op.localGet, this.frame);
      body.constI32(layout.bytes);
      body.op(op.i32Add);
      body.opIndex(op.globalSet, runtime.stackPointer);
      body.opIndex(op.globalGet, runtime.stackPointer);
      body.opIndex(op.globalGet, runtime.stackLimit);
      body.op(op.i32GtU);
      this.faultIf(
        'recursion',
        this.def.span,
        (_, fn) => `Calls of ${fn} are nested so deeply that there is no memory for their arrays.`,
      );
    }
    if (!this.recursive) return;
    this.burn((_, fn) => `${fn} was called more than ${loopLimit} times in one evaluation.`);
    this.count(runtime.depth, op.i32Add);
    body.opIndex(op.globalGet, runtime.depth);
    body.constI32(recursionLimit);
    body.op(op.i32GtS);
    this.faultIf(
      'recursion',
      this.def.span,
      (_, fn) => `Calls of ${fn} are nested more than ${recursionLimit} deep.`,
    );
  }

  private leave(): void {
    const { body, runtime, def, layout } = this;
    if (layout.bytes > 0) {
      body.opIndex(op.localGet, this.frame);
      body.opIndex(op.globalSet, runtime.stackPointer);
    }
    if (this.recursive) this.count(runtime.depth, op.i32Sub);
    for (let i = def.inputs; i < def.inputs + def.outputs; i++) {
      if (layout.places[i]!.size < 0) body.opIndex(op.localGet, this.scalars[i]!);
    }
  }

  /** Outputs and protected variables get their defaults in order; arrays without one are cleared. */
  private initialise(): void {
    const { body, def, layout } = this;
    for (let i = def.inputs; i < def.locals.length; i++) {
      const place = layout.places[i]!;
      const local = def.locals[i]!;
      const { initial, bare } = local;
      if (place.size < 0 && bare) {
        body.const(beginningOf(local));
        body.opIndex(op.localSet, this.scalars[i]!);
      }
      if (place.size > 0 && !initial) {
        body.opIndex(op.localGet, this.frame);
        body.constI32(place.offset);
        body.op(op.i32Add);
        // Bytes of ones are the bits of a double that is no number.
        body.constI32(bare ? 0xff : 0);
        body.constI32(8 * place.size);
        body.op(op.saturating);
        body.code.u32(11);
        body.code.byte(0);
      }
      if (initial) this.assignTo(i, [], initial);
    }
  }

  /** Adds one to a global, or takes one from it. */
  private count(global: number, operation: number): void {
    const { body } = this;
    body.opIndex(op.globalGet, global);
    body.constI32(1);
    body.op(operation);
    body.opIndex(op.globalSet, global);
  }

  /** Traps when the i32 on the stack is not zero. */
  private faultIf(kind: FaultKind, span: Span | undefined, message: Message): void {
    const { body, runtime } = this;
    body.open(op.if);
    body.constI32(runtime.site(kind, this.def.name, span, message));
    body.const(0);
    body.opIndex(op.call, runtime.fault);
    body.close();
  }

  private statements(list: readonly FunctionStatement[]): void {
    for (const statement of list) this.statement(statement);
  }

  private statement(statement: FunctionStatement): void {
    const { body } = this;
    switch (statement.kind) {
      case 'assign': {
        this.span = statement.span ?? this.def.span;
        const target = localOf(statement.target);
        this.assignTo(target.index, target.subscripts, statement.value);
        break;
      }
      case 'multiassign':
        this.span = statement.span ?? this.def.span;
        this.multiassign(statement);
        break;
      case 'if':
        this.branches(statement.branches);
        break;
      case 'for':
        this.forLoop(statement);
        break;
      case 'while':
        this.whileLoop(statement);
        break;
      case 'break':
        body.opIndex(op.br, body.depth - this.loops[this.loops.length - 1]!);
        break;
      case 'return':
        body.opIndex(op.br, body.depth - this.returnDepth);
        break;
      case 'assert': {
        this.span = statement.span ?? this.def.span;
        this.emitter.write(i32, statement.condition);
        body.op(op.i32Eqz);
        this.assertion(statement.message);
        break;
      }
    }
  }

  /** The message is text, or is left to the interpreter, which can compute it. */
  private assertion(message: Expr): void {
    const text = message.kind === 'text' ? message.value : undefined;
    this.faultIf('assertion', this.span, () => text);
  }

  private assignTo(index: number, subscripts: readonly Expr[], value: Expr): void {
    const place = this.layout.places[index]!;
    if (place.size < 0) {
      this.emitter.write(f64, value);
      this.body.opIndex(op.localSet, this.scalars[index]!);
    } else if (subscripts.length === 0) {
      this.assignArray(place, value);
    } else {
      const result = this.body.allocate(f64);
      this.emitter.write(f64, value);
      this.body.opIndex(op.localSet, result);
      this.storeElement({ kind: 'local', id: -1, index, subscripts }, place, result);
      this.body.release(f64, result);
    }
  }

  /** `target[…] := local`. */
  private storeElement(target: Local, place: Handover, value: number): void {
    const { body, emitter } = this;
    if (!target.subscripts.every((s) => s.kind === 'const')) emitter.write(f64, ...target.subscripts);
    const offset = emitter.address(target, place);
    body.opIndex(op.localGet, value);
    body.store(offset);
  }

  /** A whole array: all values are computed before the first is stored, as the right side may read the target. */
  private assignArray(place: Handover, value: Expr): void {
    const { body, emitter } = this;
    if (value.kind === 'call') {
      const outputs = Array.from({ length: place.size }, (_, e) => value.output + e);
      this.storeAll(place, this.called(value.fn, value.args, outputs));
      return;
    }
    if (!isVector(value) || value.args.length !== place.size)
      throw new Error('a function is not in lowered form');
    emitter.begin();
    const nodes = value.args.map((element) => emitter.graph.add(element));
    emitter.place();
    if (!this.readsArray(place)) {
      nodes.forEach((node, e) => {
        body.opIndex(op.localGet, this.frame);
        emitter.emit(node, f64);
        body.store(place.offset + 8 * e);
      });
      return;
    }
    const locals = nodes.map((node) => {
      const local = body.allocate(f64);
      emitter.emit(node, f64);
      body.opIndex(op.localSet, local);
      return local;
    });
    this.storeAll(place, locals);
    for (const local of locals) body.release(f64, local);
  }

  /** Whether the expressions just added read the array at this place. */
  private readsArray(place: Handover): boolean {
    const { nodes, count } = this.emitter.graph;
    for (let i = 0; i < count; i++) {
      const node = nodes[i]!;
      if (node.kind === 'local' && this.layout.places[node.index] === place) return true;
    }
    return false;
  }

  private storeAll(place: Handover, locals: readonly number[]): void {
    for (const [e, local] of locals.entries()) {
      this.body.opIndex(op.localGet, this.frame);
      this.body.opIndex(op.localGet, local);
      this.body.store(place.offset + 8 * e);
    }
  }

  /** Calls a function; gives the locals of these scalar results. */
  private called(fn: number, args: readonly Expr[], outputs: readonly number[]): number[] {
    const { emitter } = this;
    emitter.begin();
    const call = emitter.graph.addCall(fn, args, outputs);
    emitter.place();
    emitter.emitCall(call);
    return outputs.map((k) => emitter.resultLocal(call, k));
  }

  private multiassign(statement: Extract<FunctionStatement, { kind: 'multiassign' }>): void {
    const { emitter, body } = this;
    const callee = emitter.callee(statement.fn);
    const wanted: { first: number; size: number; target: Local }[] = [];
    let first = 0;
    callee.outputs.forEach((output, o) => {
      const size = output.size < 0 ? 1 : output.size;
      const target = statement.targets[o];
      if (target) wanted.push({ first, size, target: localOf(target) });
      first += size;
    });
    const outputs = wanted.flatMap(({ first, size }) => Array.from({ length: size }, (_, e) => first + e));
    const results = this.called(statement.fn, statement.args, outputs);
    for (const { size, target } of wanted) {
      const locals = results.splice(0, size);
      const place = this.layout.places[target.index]!;
      if (place.size < 0) {
        body.opIndex(op.localGet, locals[0]!);
        body.opIndex(op.localSet, this.scalars[target.index]!);
      } else if (target.subscripts.length === 0) this.storeAll(place, locals);
      else this.storeElement(target, place, locals[0]!);
    }
  }

  private branches(list: Extract<FunctionStatement, { kind: 'if' }>['branches']): void {
    const { body } = this;
    let opened = 0;
    for (let k = 0; k < list.length; k++) {
      const { condition, body: inner } = list[k]!;
      if (condition) {
        this.emitter.write(i32, condition);
        body.open(op.if);
        opened++;
      }
      this.statements(inner);
      if (!condition) break;
      if (k < list.length - 1) body.op(op.else);
    }
    for (; opened > 0; opened--) body.close();
  }

  private whileLoop({ condition, body }: Extract<FunctionStatement, { kind: 'while' }>): void {
    this.loop(
      () => this.emitter.write(i32, condition),
      () => this.statements(body),
    );
  }

  /** Does `inner` again as long as what `test` writes is true. */
  private loop(test: () => void, inner: () => void): void {
    const { body } = this;
    body.open(op.block);
    this.loops.push(body.depth);
    body.open(op.loop);
    const again = body.depth;
    test();
    body.op(op.i32Eqz);
    body.opIndex(op.brIf, body.depth - this.loops[this.loops.length - 1]!);
    this.burn(tooManyIterations);
    inner();
    body.opIndex(op.br, body.depth - again);
    body.close();
    body.close();
    this.loops.pop();
  }

  /** Takes one from the budget of iterations and recursive calls; now and then looks whether the work is still wanted. */
  private burn(message: Message): void {
    const { body, runtime } = this;
    this.count(runtime.fuel, op.i32Sub);
    body.opIndex(op.globalGet, runtime.fuel);
    body.constI32(loopPulse - 1);
    body.op(op.i32And);
    body.op(op.i32Eqz);
    body.open(op.if);
    body.opIndex(op.call, runtime.pulse);
    body.opIndex(op.globalGet, runtime.fuel);
    body.op(op.i32Eqz);
    this.faultIf('loop-limit', this.def.span, message);
    body.close();
  }

  /** The position counts from 0 in an i32; the iterator is computed from it, so that rounding does not accumulate. */
  private forLoop(statement: Extract<FunctionStatement, { kind: 'for' }>): void {
    const { body } = this;
    const outer = this.iterators.get(statement.iterator);
    const iterator = body.allocate(f64);
    const position = body.allocate(f64);
    const count = body.allocate(f64);
    const read = this.loopValues(statement, count);
    body.const(0);
    body.opIndex(op.localSet, position);
    this.iterators.set(statement.iterator, iterator);
    this.loop(
      () => body.op(op.f64Lt, position, count),
      () => {
        read(position);
        body.opIndex(op.localSet, iterator);
        body.opIndex(op.localGet, position);
        body.const(1);
        body.op(op.f64Add);
        body.opIndex(op.localSet, position);
        this.statements(statement.body);
      },
    );
    if (outer === undefined) this.iterators.delete(statement.iterator);
    else this.iterators.set(statement.iterator, outer);
  }

  /** Puts the number of values into `count`; the result writes the value at a position (from 0) to the stack. */
  private loopValues(
    statement: Extract<FunctionStatement, { kind: 'for' }>,
    count: number,
  ): (position: number) => void {
    const { body } = this;
    const { range } = statement;
    if (range.kind === 'apply' && range.op === 'range') return this.rangeValues(range, count);
    if (!isVector(range)) throw new Error('a function is not in lowered form');
    const offset = this.layout.vectors.get(statement)!;
    const size = range.args.length;
    this.assignArray({ size, offset, dims: [size] }, range);
    body.const(size);
    body.opIndex(op.localSet, count);
    return (position) => {
      body.op(op.saturating, position);
      body.code.u32(2);
      body.constI32(8);
      body.op(op.i32Mul);
      body.op(op.i32Add, this.frame);
      body.load(offset);
    };
  }

  /** Counts as `symbolic/ranges.ts` does. */
  private rangeValues(range: Apply, count: number): (position: number) => void {
    const { body } = this;
    const [first, step, last] = [body.allocate(f64), body.allocate(f64), body.allocate(f64)];
    [first, step, last].forEach((local, k) => {
      this.emitter.write(f64, range.args[k]!);
      body.opIndex(op.localSet, local);
    });
    body.opIndex(op.localGet, step);
    body.const(0);
    body.op(op.f64Eq);
    this.faultIf('zero-step', this.def.span, (_, fn) => zeroStep(fn));
    body.op(op.f64Sub, last, first);
    body.op(op.f64Div, step);
    body.const(rangeSlack);
    body.op(op.f64Abs, first);
    body.op(op.f64Abs, last);
    body.op(op.f64Add);
    body.op(op.f64Mul);
    body.op(op.f64Abs, step);
    body.op(op.f64Div);
    body.op(op.f64Add);
    body.op(op.f64Floor);
    body.const(1);
    body.op(op.f64Add);
    body.opIndex(op.localSet, count);
    return (position) => {
      body.opIndex(op.localGet, first);
      body.op(op.f64Mul, position, step);
      body.op(op.f64Add);
    };
  }
}

function localOf(target: Expr): Local {
  if (target.kind !== 'local')
    throw new Error('an assignment in a function to something that is no variable');
  return target;
}
