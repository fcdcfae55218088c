/**
 * From expressions to instructions. One emitter writes one function body at a time; the expressions that belong
 * together (a chunk of assignments, or one statement of a function) are first added to its graph, then placed, then
 * emitted in the order of the program.
 *
 * Emission keeps its own stack of tasks, so that deep expressions cost memory and not call depth. The operand that needs
 * more of WebAssembly's operand stack goes first (Sethi and Ullman), by swapping where the operator commutes and through
 * a local where it does not; so even a chain of 100,000 operators needs a few places only. Nothing is reassociated:
 * results are those of the interpreter bit by bit, but for powers with small exponents, which become products.
 */

import { remember } from '../collections/memo.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Apply, Call, Expr, Local } from '../symbolic/expr.ts';
import { commutative, isEventOperator } from '../symbolic/operators.ts';
import { isTextOperator, type TextOperator, textOperators } from '../symbolic/strings.ts';
import { elementAddress } from './address.ts';
import type { EmitContext } from './context.ts';
import { type Body, f64, i32, op, type ValType } from './encoder.ts';
import type { Callee, FrameVariables, Handover } from './frame.ts';
import { type Branching, Graph } from './graph.ts';
import { writeOperator } from './operators.ts';

/** How many assignments a loaded value stays in a local: longer, and it would only be spilled to the stack. */
const leafWindow = 4;
const forever = 0x7fffffff;

const task = {
  value: 0,
  condition: 1,
  finish: 2,
  tee: 3,
  set: 4,
  toDouble: 5,
  toBoolean: 6,
  instruction: 7,
  setTemporary: 8,
  getTemporary: 9,
  whenTrue: 10,
  whenFalse: 11,
  close: 12,
  compute: 13,
  argumentAddress: 14,
  argumentStore: 15,
  truth: 16,
} as const;

/** What is to be done, and its operand. */
type Task = readonly [kind: number, operand: number];

export class Emitter {
  /** Set while the body of a function is written. */
  variables: FrameVariables | undefined;
  /** Locals that hold the value of a slot assigned earlier in the same piece. */
  readonly assigned = new Map<number, number>();
  readonly graph = new Graph();
  private readonly tasks: number[] = [];
  private computed: Int32Array = new Int32Array(0);
  private remaining: Int32Array = new Int32Array(0);
  /** Last position at which the local of a node is used. */
  private validUntil: Int32Array = new Int32Array(0);
  /** Counts the roots that were emitted. */
  private position = 0;
  private readonly results = new Map<number, number>();
  /** Locals that hold right operands computed before their left ones; nested like the expressions. */
  private readonly temporaries: number[] = [];
  private scope = 0;
  private readonly open: Branching[] = [];
  /** Nodes computed inside the open branches, to be forgotten when they close; only where there are copies. */
  private readonly inside: number[][] = [];

  constructor(
    public body: Body,
    private readonly context: EmitContext,
  ) {}

  /** Forgets the previous piece. */
  begin(): void {
    this.graph.clear();
    this.assigned.clear();
    this.results.clear();
  }

  callee(fn: number): Callee {
    return this.context.callee(fn);
  }

  /** Everything is added to the graph: decides what is computed where. */
  place(): void {
    this.graph.place();
    const n = this.graph.count;
    if (this.computed.length < n) {
      this.computed = new Int32Array(2 * n);
      this.remaining = new Int32Array(2 * n);
      this.validUntil = new Int32Array(2 * n);
    }
    this.remaining.set(this.graph.uses.subarray(0, n));
    this.computed.fill(-1, 0, n);
    this.scope = 0;
    this.position = 0;
  }

  /** A piece of its own: leaves the values of expressions on the operand stack. */
  write(type: ValType, ...exprs: readonly Expr[]): void {
    this.begin();
    const nodes = exprs.map((expr) => this.graph.add(expr));
    this.place();
    for (const node of nodes) this.emit(node, type);
  }

  /** Leaves the value of a root on the operand stack. */
  emit(node: number, type: ValType): void {
    this.position++;
    this.tasks.push(type === f64 ? task.value : task.condition, node);
    this.drain();
  }

  /** Calls; its results are in the locals `resultLocal(node, k)` afterwards. */
  emitCall(node: number): void {
    this.tasks.push(task.compute, node);
    this.drain();
  }

  private drain(): void {
    while (this.tasks.length > 0) {
      pulse();
      const operand = this.tasks.pop()!;
      this.perform(this.tasks.pop()!, operand);
    }
  }

  private perform(kind: number, x: number): void {
    const { body } = this;
    switch (kind) {
      case task.value:
      case task.condition:
        this.value(x, kind === task.value ? f64 : i32);
        break;
      case task.finish:
        this.finish(x);
        break;
      case task.tee:
        this.keep(x, op.localTee);
        this.remaining[x]!--;
        break;
      case task.set:
        this.keep(x, op.localSet);
        break;
      case task.toDouble:
        body.op(op.f64ConvertI32S);
        break;
      case task.toBoolean:
        body.const(0);
        body.op(op.f64Ne);
        break;
      case task.instruction:
        body.op(x);
        break;
      case task.setTemporary:
        this.temporaries.push(body.allocate(f64));
        body.opIndex(op.localSet, this.temporaries[this.temporaries.length - 1]!);
        break;
      case task.getTemporary: {
        const local = this.temporaries.pop()!;
        body.opIndex(op.localGet, local);
        body.release(f64, local);
        break;
      }
      case task.whenTrue:
        this.enterThen(x);
        break;
      case task.whenFalse:
        this.enterElse();
        break;
      case task.close:
        this.leave();
        break;
      case task.compute:
        this.compute(x);
        break;
      case task.argumentAddress:
        body.opIndex(op.globalGet, this.context.stackPointer());
        break;
      case task.argumentStore:
        body.store(x);
        break;
      case task.truth:
        body.constI32(x);
        break;
    }
  }

  /** Plans the value of a node as a double or a Boolean. */
  private value(node: number, type: ValType): void {
    const { body, graph } = this;
    const expr = graph.nodes[node]!;
    if (expr.kind === 'const') {
      if (type === f64) this.constant(expr.value);
      else body.constI32(expr.value !== 0 ? 1 : 0);
      return;
    }
    const natural = graph.bool[node] === 1 ? i32 : f64;
    if (natural !== type) this.tasks.push(type === f64 ? task.toDouble : task.toBoolean, 0);
    let local = this.computed[node]!;
    if (local >= 0 && this.position > this.validUntil[node]!) {
      body.release(f64, local);
      local = this.computed[node] = -1;
    }
    if (local >= 0) {
      body.opIndex(op.localGet, local);
      if (--this.remaining[node]! === 0 && !graph.copies) body.release(natural, local);
      return;
    }
    if (this.isKept(node)) this.tasks.push(task.tee, node);
    this.expand(node);
  }

  /**
   * Engines build simple constants faster than they load them; others take 15 bytes of machine code in place, and as
   * globals a microsecond each to instantiate.
   */
  private constant(value: number): void {
    const slot = isSimple(value) ? undefined : this.context.constant(value);
    if (slot === undefined) this.body.const(value);
    else this.body.loadSlot(slot);
  }

  /** Plans a node into its local. */
  private compute(node: number): void {
    if (this.computed[node]! >= 0) return;
    if (this.graph.group[node] === 0) this.tasks.push(task.set, node);
    this.expand(node);
  }

  /** Whether a value is worth a local: it is used again and is more than a load. */
  private isKept(node: number): boolean {
    const { graph } = this;
    if (graph.group[node] === 1 || graph.uses[node]! < 2) return false;
    if (!graph.isLeaf(node)) return true;
    return this.variables === undefined && this.open.length === 0 && this.remaining[node]! > 1;
  }

  private keep(node: number, instruction: number): void {
    const { body, graph } = this;
    const local = body.allocate(graph.bool[node] === 1 ? i32 : f64);
    body.opIndex(instruction, local);
    this.validUntil[node] = graph.isLeaf(node) ? this.position + leafWindow : forever;
    this.markComputed(node, local);
  }

  private markComputed(node: number, local: number): void {
    this.computed[node] = local;
    if (this.graph.group[node] === 1) this.validUntil[node] = forever;
    if (this.graph.copies && this.inside.length > 0) this.inside[this.inside.length - 1]!.push(node);
  }

  private expand(node: number): void {
    const { graph, tasks } = this;
    const expr = graph.nodes[node]!;
    if (expr.kind === 'call') {
      if (graph.group[node] === 1) this.expandCall(node);
      else tasks.push(task.finish, node, task.compute, graph.child(node, 0));
      return;
    }
    if (expr.kind === 'local' || graph.childCount(node) === 0) {
      this.expandAll(node);
      return;
    }
    if (expr.kind !== 'apply') throw new Error(`unexpected ${expr.kind} in code`);
    if (expr.op === 'if') this.expandIf(node);
    else if (isTextOperator(expr.op) && expr.op !== 'concat') this.expandAll(node);
    else if (graph.childCount(node) === 1) {
      tasks.push(task.finish, node, expr.op === 'not' ? task.condition : task.value, graph.child(node, 0));
    } else if (graph.isBranching(node)) this.expandShortCircuit(node, expr);
    else this.expandOperands(node, expr);
  }

  /** All operands, one after the other. */
  private expandAll(node: number): void {
    const { graph, tasks } = this;
    tasks.push(task.finish, node);
    for (let k = graph.childCount(node) - 1; k >= 0; k--) tasks.push(task.value, graph.child(node, k));
  }

  /** Two or more operands, folded from the left. */
  private expandOperands(node: number, expr: Apply): void {
    const { graph, tasks } = this;
    const kind = expr.op === 'and' || expr.op === 'or' ? task.condition : task.value;
    const count = graph.childCount(node);
    if (count > 2) {
      for (let k = count - 1; k >= 1; k--) tasks.push(task.finish, node, kind, graph.child(node, k));
      tasks.push(kind, graph.child(node, 0));
      return;
    }
    const [left, right] = [graph.child(node, 0), graph.child(node, 1)];
    tasks.push(task.finish, node);
    if (graph.need[right]! <= graph.need[left]!) {
      tasks.push(kind, right, kind, left);
    } else if (commutative.has(expr.op)) {
      tasks.push(kind, left, kind, right);
    } else {
      tasks.push(task.getTemporary, 0, task.value, left, task.setTemporary, 0, task.value, right);
    }
  }

  private expandIf(node: number): void {
    const { graph, tasks } = this;
    const [condition, then, otherwise] = [graph.child(node, 0), graph.child(node, 1), graph.child(node, 2)];
    const kind = graph.bool[node] === 1 ? task.condition : task.value;
    if (graph.isSelect(node)) {
      tasks.push(task.instruction, op.select, task.condition, condition, kind, otherwise, kind, then);
      return;
    }
    this.expandBranches(node, [kind, then], [kind, otherwise]);
  }

  /** `and`, `or` whose second operand may fail: it is evaluated only when it matters. */
  private expandShortCircuit(node: number, expr: Apply): void {
    const second: Task = [task.condition, this.graph.child(node, 1)];
    if (expr.op === 'and') this.expandBranches(node, second, [task.truth, 0]);
    else this.expandBranches(node, [task.truth, 1], second);
  }

  /** What is computed where the first operand holds, and where it does not. */
  private expandBranches(node: number, holds: Task, fails: Task): void {
    const { graph, tasks } = this;
    tasks.push(task.close, 0, ...fails, task.whenFalse, 0, ...holds, task.whenTrue, node);
    tasks.push(task.condition, graph.child(node, 0));
    for (const shared of graph.branching(node, this.scope).before) tasks.push(task.compute, shared);
  }

  private enterThen(node: number): void {
    const { graph } = this;
    const branching = graph.branching(node, this.scope);
    this.open.push(branching);
    this.inside.push([]);
    this.scope = branching.whenTrue;
    this.body.open(op.if, graph.bool[node] === 1 ? i32 : f64);
  }

  private enterElse(): void {
    this.forget();
    this.inside.push([]);
    this.scope = this.open[this.open.length - 1]!.whenFalse;
    this.body.op(op.else);
  }

  private leave(): void {
    this.forget();
    this.scope = this.open.pop()!.scope;
    this.body.close();
  }

  private forget(): void {
    for (const node of this.inside.pop()!) this.computed[node] = -1;
  }

  /** Writes what comes after the operands of a node. */
  private finish(node: number): void {
    const expr = this.graph.nodes[node]!;
    switch (expr.kind) {
      case 'time':
      case 'ref':
      case 'pre':
      case 'held':
        this.load(expr);
        break;
      case 'text':
        this.constant(this.context.numberOf(expr.value));
        break;
      case 'local':
        this.loadLocal(expr);
        break;
      case 'iter':
        this.body.opIndex(op.localGet, this.frame().iterator(expr.iterator));
        break;
      case 'apply':
        if (isEventOperator(expr.op)) this.load(expr);
        else if (isTextOperator(expr.op)) this.writeText(expr.op, expr.args.length);
        else writeOperator(this.body, expr, this.context.math);
        break;
      case 'call':
        if (this.graph.group[node] === 1) this.finishCall(node, expr.fn);
        else this.body.opIndex(op.localGet, this.resultLocal(this.graph.child(node, 0), expr.output));
        break;
    }
  }

  /** An operator on texts, whose operands are on the stack but for those at the end that are usual. */
  private writeText(name: TextOperator, given: number): void {
    for (const usual of textOperators[name].slice(given)) this.body.const(usual!);
    this.body.opIndex(op.call, this.context.text(name));
  }

  private load(leaf: Expr): void {
    const slot = this.context.slotOf(leaf);
    const local = this.assigned.get(slot);
    if (local !== undefined) this.body.opIndex(op.localGet, local);
    else this.body.loadSlot(slot);
  }

  private frame(): FrameVariables {
    if (!this.variables) throw new Error('a variable of a function outside of any function');
    return this.variables;
  }

  /** A variable of the function; subscripts that are not constant are on the stack. */
  private loadLocal(expr: Local): void {
    const { body } = this;
    const variables = this.frame();
    const place = variables.array(expr.index);
    if (!place) {
      body.opIndex(op.localGet, variables.scalar(expr.index));
      return;
    }
    body.load(this.address(expr, place));
  }

  /** Leaves the address of an array element on the stack and gives the constant offset that is to be added (`address.ts`). */
  address(expr: Local, place: Handover): number {
    return elementAddress(this.body, this.context, this.frame(), expr, place);
  }

  /**
   * A call: scalars on the stack, array elements into the frame that the callee is about to open. An argument that
   * calls functions itself would use the same memory, so it is computed first.
   */
  private expandCall(node: number): void {
    const { graph, tasks } = this;
    const callee = this.context.callee((graph.nodes[node] as Call).fn);
    const plan: number[] = [];
    let k = 0;
    for (const input of callee.inputs) {
      if (input.size < 0) plan.push(task.value, graph.child(node, k++));
      for (let e = 0; e < input.size; e++) {
        plan.push(task.argumentAddress, 0, task.value, graph.child(node, k++));
        plan.push(task.argumentStore, input.offset + 8 * e);
      }
    }
    if (k !== graph.childCount(node)) throw new Error('a function is called with wrong arguments');
    tasks.push(task.finish, node);
    for (let p = plan.length - 2; p >= 0; p -= 2) tasks.push(plan[p]!, plan[p + 1]!);
    for (let c = k - 1; c >= 0; c--) {
      const child = graph.child(node, c);
      if (graph.fails[child] === 1) tasks.push(task.compute, child);
    }
  }

  /** Calls and takes the results into locals; those of arrays are read from the frame that was just left. */
  private finishCall(node: number, fn: number): void {
    const { body } = this;
    const callee = this.context.callee(fn);
    const used = this.graph.outputs.get(node)!;
    body.opIndex(op.call, callee.index);
    const firsts: number[] = [];
    let count = 0;
    for (const output of callee.outputs) {
      firsts.push(count);
      count += output.size < 0 ? 1 : output.size;
    }
    for (let o = callee.outputs.length - 1; o >= 0; o--) {
      if (callee.outputs[o]!.size >= 0) continue;
      if (used.includes(firsts[o]!)) body.opIndex(op.localSet, this.resultLocal(node, firsts[o]!));
      else body.op(op.drop);
    }
    for (const k of used) {
      let o = callee.outputs.length - 1;
      while (o > 0 && firsts[o]! > k) o--;
      const output = callee.outputs[o];
      if (!output || k >= count) throw new Error('a function has no such result');
      if (output.size < 0) continue;
      body.opIndex(op.globalGet, this.context.stackPointer());
      body.load(output.offset + 8 * (k - firsts[o]!));
      body.opIndex(op.localSet, this.resultLocal(node, k));
    }
    this.markComputed(node, 0);
  }

  /** The local of result k of a call. Calls have far fewer than 2^20 results. */
  resultLocal(node: number, k: number): number {
    return remember(this.results, node * 2 ** 20 + k, () => this.body.allocate(f64));
  }
}

const bits = new DataView(new ArrayBuffer(8));

/** Whether few bits of the number are set: small integers and fractions of powers of two. */
function isSimple(value: number): boolean {
  bits.setFloat64(0, value);
  return bits.getInt32(4) === 0 && (bits.getInt32(0) & 0xffff) === 0;
}
