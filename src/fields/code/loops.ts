/**
 * Kernels as code without sizes. Everything about them that is a number (how often loops run, where arrays begin, how
 * far apart elements lie, constants) stands in a table in memory, so that one piece of code serves all sizes:
 *
 *     table    counts of the loops, those of reductions after the others
 *              for each stride: its increment at the end of a turn of each loop around it, outermost first
 *              for each pointer: its address in the first turn (or, for a counter, its value)
 *
 * The address of a pointer is its first address and the sum of its stride so far; accesses that move alike share one stride. Increments take
 * back what inner loops have added. Backwards means other numbers, not other code.
 *
 * The body is a list of steps over locals; expressions in it refer to locals by `Local`. What does not change in the loops is
 * computed before them.
 */

import { isSmallPower } from '../../code/graph.ts';
import { remember } from '../../collections/memo.ts';
import { children, fold, nodesOf, walk } from '../../symbolic/analyse.ts';
import type { Apply, Call, Expr, Ref } from '../../symbolic/expr.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { affineOf, isAccess, isReduction, type Reduction, type ReductionOp } from '../elements/affine.ts';
import { exprKey } from '../elements/functions.ts';
import { type Kernel, keyOf } from '../elements/kernel.ts';
import { reductionExtents } from '../elements/nodes.ts';

export type LoopStep =
  /** local := the number that the pointer shows. */
  | { readonly kind: 'load'; readonly local: number; readonly pointer: number }
  /** local := the pointer itself, a counter. */
  | { readonly kind: 'count'; readonly local: number; readonly pointer: number }
  | { readonly kind: 'set'; readonly local: number; readonly value: Expr }
  /** The number that the pointer shows := local := value. */
  | { readonly kind: 'store'; readonly local: number; readonly pointer: number; readonly value: Expr }
  | {
      readonly kind: 'reduce';
      readonly op: ReductionOp;
      readonly local: number;
      /** Loops of its own. */
      readonly loops: readonly number[];
      readonly body: readonly LoopStep[];
      readonly value: Expr;
    };

/** What is the same for all sizes. */
export interface LoopCode {
  /** Numbers of the loops, outermost first. */
  readonly loops: readonly number[];
  readonly before: readonly LoopStep[];
  readonly body: readonly LoopStep[];
  /** By stride: the loops around it, outermost first. */
  readonly strides: readonly (readonly number[])[];
  /** By pointer: its stride; -1 where it stands still. */
  readonly pointers: readonly number[];
  readonly locals: number;
  /** How many loops there are, those of reductions included. */
  readonly loopCount: number;
}

/** A kernel as code and numbers. */
export interface LoweredKernel {
  readonly code: LoopCode;
  /** Tells apart what is compiled differently. */
  readonly key: string;
  readonly table: Int32Array;
}

/** Where everything lies, in bytes. */
export interface BytePlaces {
  readonly addressOf: (symbol: number, order: number) => number;
  readonly constant: (value: number) => number;
  readonly time: number;
  /** The number that a user function has in keys. */
  readonly numberOf: (fn: number) => number;
}

export function lowerKernel(pool: Pool, kernel: Kernel, places: BytePlaces): LoweredKernel {
  return new Lowering(pool, kernel, places).run();
}

interface Pointer {
  readonly stride: number;
  readonly address: number;
}

class Lowering {
  private readonly counts: number[];
  private readonly pointers: Pointer[] = [];
  private readonly strides: { readonly loops: readonly number[]; readonly increments: readonly number[] }[] =
    [];
  private readonly strideIndex = new Map<string, number>();
  private readonly before: LoopStep[] = [];
  /** Locals of what does not change in the loops. */
  private readonly invariants = new Map<Expr, number>();
  private readonly written: ReadonlySet<string>;
  /** Loops by depth, for what is computed before them. */
  private readonly outside: readonly number[];
  private locals = 0;

  constructor(
    private readonly pool: Pool,
    private readonly kernel: Kernel,
    private readonly places: BytePlaces,
  ) {
    this.counts = [...kernel.extents];
    this.outside = kernel.extents.map(() => -1);
    this.written = new Set(kernel.statements.map(({ target }) => keyOf(target)));
  }

  run(): LoweredKernel {
    const { kernel } = this;
    const body: LoopStep[] = [];
    const loops = kernel.extents.map((_, k) => k);
    /** Locals of accesses and counters that stay valid from statement to statement. */
    const lasting = new Map<Expr, number>();
    for (const { target, value } of kernel.statements) {
      const known = new Map(lasting);
      const code = this.value(value, loops, known, body);
      for (const [expr, local] of known) if (!this.isWritten(expr)) lasting.set(expr, local);
      const local = this.locals++;
      body.push({ kind: 'store', local, pointer: this.pointer(target, loops), value: code });
      lasting.set(target, local);
    }
    const code: LoopCode = {
      loops,
      before: this.before,
      body,
      strides: this.strides.map((s) => s.loops),
      pointers: this.pointers.map((p) => p.stride),
      locals: this.locals,
      loopCount: this.counts.length,
    };
    const table = Int32Array.from([
      ...this.counts,
      ...this.strides.flatMap((s) => s.increments),
      ...this.pointers.map((p) => p.address),
    ]);
    return { code, key: codeKey(code, this.places.numberOf), table };
  }

  private isWritten(expr: Expr): boolean {
    return expr.kind === 'ref' && this.written.has(keyOf(expr));
  }

  /** Writes the steps before a value and gives it in terms of locals. */
  private value(root: Expr, loops: readonly number[], known: Map<Expr, number>, out: LoopStep[]): Expr {
    const results = new Map<Expr, Expr>();
    const varies = this.varying(root);
    const resultOf = (node: Expr): Expr => this.node(node, varies, results, loops, known, out);
    const below = (node: Expr): readonly Expr[] => (varies.has(node) ? operands(node) : none);
    return this.local(fold(root, results, resultOf, below));
  }

  /** A constant is a local as well. */
  private local(value: Expr): Expr {
    return value.kind === 'const' ? this.pool.local(this.invariant(value)) : value;
  }

  private node(
    node: Expr,
    varies: ReadonlySet<Expr>,
    results: ReadonlyMap<Expr, Expr>,
    loops: readonly number[],
    known: Map<Expr, number>,
    out: LoopStep[],
  ): Expr {
    const { pool } = this;
    if (!varies.has(node)) return pool.local(this.invariant(node));
    if (node.kind === 'ref' || node.kind === 'iter') return pool.local(this.loaded(node, loops, known, out));
    if (isReduction(node)) return pool.local(this.reduction(node, loops, known, out));
    return this.rebuilt(node, results);
  }

  /** An operator or a call over locals. */
  private rebuilt(node: Expr, results: ReadonlyMap<Expr, Expr>): Expr {
    const { pool } = this;
    if (node.kind !== 'apply' && node.kind !== 'call')
      throw new Error(`an expression of kind ${node.kind} in a loop`);
    const args = node.args.map((arg) => results.get(arg) ?? arg);
    if (node.kind === 'call') return pool.call(node.fn, args, node.output);
    if (node.op === 'smooth') return args[1]!;
    if (node.op === 'noEvent' || node.op === 'homotopy') return args[0]!;
    return pool.raw(node.op, args);
  }

  /** The local of an access or counter, loaded when it is first needed. */
  private loaded(
    node: Expr & { kind: 'ref' | 'iter' },
    loops: readonly number[],
    known: Map<Expr, number>,
    out: LoopStep[],
  ): number {
    return remember(known, node, () => {
      const local = this.locals++;
      if (node.kind === 'ref') out.push({ kind: 'load', local, pointer: this.pointer(node, loops) });
      else out.push({ kind: 'count', local, pointer: this.counter(node.iterator, loops) });
      return local;
    });
  }

  private reduction(
    node: Reduction,
    loops: readonly number[],
    known: Map<Expr, number>,
    out: LoopStep[],
  ): number {
    const own = reductionExtents(node).map((extent) => this.counts.push(extent) - 1);
    const inside = [...loops, ...own];
    const body: LoopStep[] = [];
    const value = this.value(node.args[0]!, inside, new Map(known), body);
    const local = this.locals++;
    out.push({ kind: 'reduce', op: node.op, local, loops: own, body, value });
    return local;
  }

  /** The local of something that is the same in all turns, computed before the loops. */
  private invariant(node: Expr): number {
    let local = this.invariants.get(node);
    if (local !== undefined) return local;
    if (node.kind === 'apply' || node.kind === 'call') {
      const value = this.invariantValue(node);
      if (value.kind === 'local') return value.index;
      local = this.locals++;
      this.before.push({ kind: 'set', local, value });
    } else {
      local = this.locals++;
      this.before.push({ kind: 'load', local, pointer: this.addPointer(-1, this.standing(node)) });
    }
    this.invariants.set(node, local);
    return local;
  }

  private invariantValue(root: Apply | Call): Expr {
    const results = new Map<Expr, Expr>();
    return this.local(fold(root, results, (node) => this.invariantNode(node, results), operands));
  }

  private invariantNode(node: Expr, results: ReadonlyMap<Expr, Expr>): Expr {
    const { pool } = this;
    if (node.kind !== 'apply' && node.kind !== 'call') return pool.local(this.invariant(node));
    if (isReduction(node)) return pool.local(this.reduction(node, this.outside, new Map(), this.before));
    return this.rebuilt(node, results);
  }

  /** The address of something that stands still. */
  private standing(node: Expr): number {
    switch (node.kind) {
      case 'const':
        return this.places.constant(node.value);
      case 'time':
        return this.places.time;
      case 'ref':
        return this.places.addressOf(node.symbol, node.order) + 8 * affineOf(node).base;
      default:
        throw new Error(`an expression of kind ${node.kind} in a loop`);
    }
  }

  /** Nodes whose value differs from turn to turn, that a turn writes, or that a turn may not ask for: calls can fail. */
  private varying(root: Expr): Set<Expr> {
    const found = new Set<Expr>();
    const certain = certainNodes(root);
    for (const node of nodesOf(root)) {
      const own =
        node.kind === 'iter' ||
        (node.kind === 'call' && !certain.has(node)) ||
        (node.kind === 'ref' && (node.subscripts.length > 1 || this.isWritten(node)));
      const below = node.kind === 'ref' ? none : children(node);
      if (own || below.some((child) => found.has(child))) found.add(node);
    }
    return found;
  }

  // ------------------------------------------------------------------ pointers

  private pointer(access: Ref, loops: readonly number[]): number {
    const address = this.places.addressOf(access.symbol, access.order);
    if (!isAccess(access)) return this.addPointer(-1, address);
    const { base, strides } = affineOf(access);
    const steps = strides.map((s) => 8 * s);
    return this.moving(address + 8 * base, steps, loops);
  }

  private counter(iterator: number, loops: readonly number[]): number {
    const strides = loops.map((_, k) => (k === iterator ? 1 : 0));
    return this.moving(0, strides, loops);
  }

  /** A pointer with so many bytes from turn to turn of each loop; `depths` are loops by depth, -1 where it is outside. */
  private moving(first: number, strides: readonly number[], depths: readonly number[]): number {
    const outer = this.kernel.extents.length;
    const around = depths.flatMap((loop, depth) => (loop < 0 ? [] : [{ loop, depth }]));
    const loops = around.map(({ loop }) => loop);
    let address = first;
    const steps = around.map(({ loop, depth }) => {
      const step = strides[depth] ?? 0;
      if (!this.kernel.reversed || depth >= outer) return step;
      address += step * (this.counts[loop]! - 1);
      return -step;
    });
    const increments = steps.map((step, k) =>
      k + 1 < loops.length ? step - steps[k + 1]! * this.counts[loops[k + 1]!]! : step,
    );
    const key = `${loops.join()} ${increments.join()}`;
    const stride = remember(this.strideIndex, key, () => this.strides.push({ loops, increments }) - 1);
    return this.addPointer(stride, address);
  }

  private addPointer(stride: number, address: number): number {
    return this.pointers.push({ stride, address }) - 1;
  }
}

const none: readonly Expr[] = [];

/** Operands that are values: not the small exponent of a power, nor the order of `smooth`; reductions are looked into by themselves. */
function operands(node: Expr): readonly Expr[] {
  if (node.kind === 'call') return node.args;
  if (node.kind !== 'apply' || isReduction(node)) return none;
  if (node.op === 'smooth') return [node.args[1]!];
  if (node.op === 'noEvent' || node.op === 'homotopy') return [node.args[0]!];
  if (node.op === 'pow' && isSmallPower(node.args[1]!)) return [node.args[0]!];
  return node.args;
}

/** What is computed in any case: not in a branch, nor after `and` and `or`. */
function certainNodes(root: Expr): Set<Expr> {
  const certain = new Set<Expr>();
  const isCertain = (node: Expr): boolean => certain.has(node);
  const isLazy = (node: Expr): boolean =>
    node.kind === 'apply' && (node.op === 'if' || node.op === 'and' || node.op === 'or');
  const below = (node: Expr): readonly Expr[] => children(node).slice(0, isLazy(node) ? 1 : undefined);
  walk(root, isCertain, (node) => certain.add(node), below);
  return certain;
}

/** The code as text. */
function codeKey(
  { loops, strides, pointers, before, body }: LoopCode,
  numberOf: (fn: number) => number,
): string {
  const stepKey = (step: LoopStep): string => {
    switch (step.kind) {
      case 'load':
      case 'count':
        return `${step.kind} ${step.local} ${step.pointer}`;
      case 'set':
        return `set ${step.local} ${exprKey(step.value, numberOf)}`;
      case 'store':
        return `store ${step.local} ${step.pointer} ${exprKey(step.value, numberOf)}`;
      case 'reduce': {
        const inner = step.body.map(stepKey).join('\n');
        return `${step.op} ${step.local} ${step.loops}{${inner}}${exprKey(step.value, numberOf)}`;
      }
    }
  };
  const head = `${loops}|${strides.map((s) => s.join()).join(' ')}|${pointers}`;
  return [head, ...before.map(stepKey), '--', ...body.map(stepKey)].join('\n');
}
