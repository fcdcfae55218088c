/**
 * The pool that builds expressions. Structurally equal nodes are built once; the constructors for operators apply
 * the local rules of `simplify.ts`, so that what is built is already simple.
 *
 * A node is found by an open-addressing table of ids: its key is a tag (kind or operator), two integers and the
 * ids of its children. Numbers and texts have maps of their own.
 */
import { grown } from '../collections/lists.ts';
import { remember } from '../collections/memo.ts';
import { pulse } from '../diagnostic/pulse.ts';
import type { Apply, Call, Const, Expr, Held, Iter, Local, Op, Pre, Ref, Text, Time } from './expr.ts';
import { constant } from './shape.ts';
import { simplifyApply } from './simplify.ts';
import { StringTable } from './strings.ts';

const none: readonly Expr[] = [];

/** Tags of the kinds; operators count on from `firstOperator` in the order of their first use. */
const tags = { time: 0, ref: 1, pre: 2, held: 3, local: 4, iter: 5, call: 6 } as const;
const firstOperator = 16;

export class Pool {
  private readonly nodes: Expr[] = [];
  /** Hashes by id; 0 for numbers and texts, which are not in `slots`. */
  private hashes = new Int32Array(1 << 12);
  /** `slots[h & mask]`: id + 1 of a node with hash h, 0 where free; collisions move to the next slot. */
  private slots = new Int32Array(1 << 12);
  private mask = (1 << 12) - 1;
  private used = 0;
  private readonly numbers = new Map<number, Const>();
  private readonly texts = new Map<string, Text>();
  /** The numbers that stand for texts in runs. */
  readonly strings = new StringTable();
  private readonly operators = new Map<Op, number>();
  private negativeZero: Const | undefined;
  readonly zero: Const;
  readonly one: Const;
  readonly time: Time;

  constructor() {
    this.zero = this.const(0);
    this.one = this.const(1);
    this.time = this.insert({ kind: 'time', id: this.nodes.length }, hash(tags.time, 0, 0, none)) as Time;
  }

  /** How many nodes were built; ids are below this. */
  get size(): number {
    return this.nodes.length;
  }

  /** The node with this id. */
  at(id: number): Expr {
    return this.nodes[id]!;
  }

  const(value: number): Const {
    if (Object.is(value, -0)) return (this.negativeZero ??= this.newConst(value));
    let node = this.numbers.get(value);
    if (!node) {
      node = this.newConst(value);
      this.numbers.set(value, node);
    }
    return node;
  }

  bool(value: boolean): Const {
    return value ? this.one : this.zero;
  }

  text(value: string): Text {
    return remember(this.texts, value, () => {
      const node: Text = { kind: 'text', id: this.nodes.length, value };
      this.append(node, 0);
      return node;
    });
  }

  ref(symbol: number, order = 0, subscripts: readonly Expr[] = none): Ref {
    const h = hash(tags.ref, symbol, order, subscripts);
    const known = this.find(h, 'ref', undefined, symbol, order, subscripts);
    return (known ??
      this.insert(
        { kind: 'ref', id: this.nodes.length, symbol, order, subscripts, leaves: undefined },
        h,
      )) as Ref;
  }

  pre(symbol: number, subscripts: readonly Expr[] = none): Pre {
    const h = hash(tags.pre, symbol, 0, subscripts);
    const known = this.find(h, 'pre', undefined, symbol, 0, subscripts);
    return (known ??
      this.insert({ kind: 'pre', id: this.nodes.length, symbol, subscripts, leaves: undefined }, h)) as Pre;
  }

  held(relation: number): Held {
    const h = hash(tags.held, relation, 0, none);
    const known = this.find(h, 'held', undefined, relation, 0, none);
    return (known ??
      this.insert({ kind: 'held', id: this.nodes.length, relation, leaves: undefined }, h)) as Held;
  }

  local(index: number, subscripts: readonly Expr[] = none): Local {
    const h = hash(tags.local, index, 0, subscripts);
    const known = this.find(h, 'local', undefined, index, 0, subscripts);
    return (known ??
      this.insert(
        { kind: 'local', id: this.nodes.length, index, subscripts, leaves: undefined },
        h,
      )) as Local;
  }

  iter(iterator: number): Iter {
    const h = hash(tags.iter, iterator, 0, none);
    const known = this.find(h, 'iter', undefined, iterator, 0, none);
    return (known ??
      this.insert({ kind: 'iter', id: this.nodes.length, iterator, leaves: undefined }, h)) as Iter;
  }

  call(fn: number, args: readonly Expr[], output = 0): Call {
    const h = hash(tags.call, fn, output, args);
    const known = this.find(h, 'call', undefined, fn, output, args);
    return (known ??
      this.insert({ kind: 'call', id: this.nodes.length, fn, args, output, leaves: undefined }, h)) as Call;
  }

  /**
   * Applies an operator to scalars and simplifies at the root; arguments are taken to be simple already.
   * `0*x` and `x - x` become the scalar 0, so operators on whole arrays are built by `raw`; `arrays.ts` simplifies
   * their elements.
   */
  apply(op: Op, ...args: Expr[]): Expr {
    return simplifyApply(this, op, args);
  }

  /** Builds the node as it is, without simplifying; for operators on arrays, for `simplify.ts` and for tests. */
  raw(op: Op, args: readonly Expr[]): Apply {
    let tag = this.operators.get(op);
    if (tag === undefined) {
      tag = firstOperator + this.operators.size;
      this.operators.set(op, tag);
    }
    const h = hash(tag, 0, 0, args);
    const known = this.find(h, 'apply', op, 0, 0, args);
    return (known ??
      this.insert({ kind: 'apply', id: this.nodes.length, op, args, leaves: undefined }, h)) as Apply;
  }

  /** The number that an expression is; an error for anything that is not constant. */
  number(expr: Expr, what: string): number {
    return constant(expr, what);
  }

  add(a: Expr, b: Expr): Expr {
    return this.apply('add', a, b);
  }
  sub(a: Expr, b: Expr): Expr {
    return this.apply('sub', a, b);
  }
  mul(a: Expr, b: Expr): Expr {
    return this.apply('mul', a, b);
  }
  div(a: Expr, b: Expr): Expr {
    return this.apply('div', a, b);
  }
  /** `a/b` where others see to it that b is not zero: 0 where a is. */
  quotient(a: Expr, b: Expr): Expr {
    return a === this.zero ? a : this.div(a, b);
  }
  neg(a: Expr): Expr {
    return this.apply('neg', a);
  }
  not(a: Expr): Expr {
    return this.apply('not', a);
  }
  and(a: Expr, b: Expr): Expr {
    return this.apply('and', a, b);
  }
  if(condition: Expr, then: Expr, otherwise: Expr): Expr {
    return this.apply('if', condition, then, otherwise);
  }

  private newConst(value: number): Const {
    const node: Const = { kind: 'const', id: this.nodes.length, value };
    this.append(node, 0);
    return node;
  }

  private find(
    h: number,
    kind: Expr['kind'],
    op: Op | undefined,
    a: number,
    b: number,
    children: readonly Expr[],
  ): Expr | undefined {
    pulse();
    for (let slot = h & this.mask; ; slot = (slot + 1) & this.mask) {
      const entry = this.slots[slot]!;
      if (entry === 0) return undefined;
      if (this.hashes[entry - 1] !== h) continue;
      const node = this.nodes[entry - 1]!;
      if (node.kind === kind && matches(node, op, a, b, children)) return node;
    }
  }

  private insert(node: Expr, h: number): Expr {
    this.append(node, h);
    this.used++;
    if (this.used * 2 > this.slots.length) this.grow();
    else this.place(node.id, h);
    return node;
  }

  private append(node: Expr, h: number): void {
    const id = this.nodes.push(node) - 1;
    if (id >= this.hashes.length) this.hashes = grown(this.hashes);
    this.hashes[id] = h;
  }

  private place(id: number, h: number): void {
    let slot = h & this.mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
    this.slots[slot] = id + 1;
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 2);
    this.mask = this.slots.length - 1;
    for (let id = 0; id < this.nodes.length; id++) {
      if (this.hashes[id] !== 0) this.place(id, this.hashes[id]!);
    }
  }
}

/** Multiplicative mixing of the integers of a key, never 0; the final shifts spread high bits to the slot index. */
function hash(tag: number, a: number, b: number, children: readonly Expr[]): number {
  let h = Math.imul(tag + 1, 0x9e3779b1) ^ Math.imul(a + 1, 0x85ebca6b) ^ Math.imul(b + 1, 0xc2b2ae35);
  for (let i = 0; i < children.length; i++) {
    h = Math.imul((h << 13) | (h >>> 19), 0x27d4eb2f) ^ Math.imul(children[i]!.id + 1, 0x165667b1);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) | 0 || 1;
}

function same(a: readonly Expr[], b: readonly Expr[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function matches(node: Expr, op: Op | undefined, a: number, b: number, children: readonly Expr[]): boolean {
  switch (node.kind) {
    case 'apply':
      return node.op === op && same(node.args, children);
    case 'ref':
      return node.symbol === a && node.order === b && same(node.subscripts, children);
    case 'pre':
      return node.symbol === a && same(node.subscripts, children);
    case 'local':
      return node.index === a && same(node.subscripts, children);
    case 'call':
      return node.fn === a && node.output === b && same(node.args, children);
    case 'held':
      return node.relation === a;
    case 'iter':
      return node.iterator === a;
    case 'time':
      return true;
    case 'const':
    case 'text':
      return false;
  }
}
