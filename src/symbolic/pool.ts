/**
 * The pool that builds expressions. Structurally equal nodes are built once; the constructors for operators apply
 * the local rules of `simplify.ts`, so that what is built is already simple.
 */
import type { Apply, Call, Const, Expr, Held, Iter, Local, Op, Pre, Ref, Text, Time } from './expr.ts';
import { simplifyApply } from './simplify.ts';

const none: readonly Expr[] = [];

export class Pool {
  private readonly nodes = new Map<string, Expr>();
  private count = 0;
  readonly zero: Const;
  readonly one: Const;
  readonly time: Time;

  constructor() {
    this.zero = this.const(0);
    this.one = this.const(1);
    this.time = this.intern('t', (id) => ({ kind: 'time', id })) as Time;
  }

  /** How many nodes were built; ids are below this. */
  get size(): number {
    return this.count;
  }

  const(value: number): Const {
    const key = Object.is(value, -0) ? 'c-0' : `c${value}`;
    return this.intern(key, (id) => ({ kind: 'const', id, value })) as Const;
  }

  bool(value: boolean): Const {
    return value ? this.one : this.zero;
  }

  text(value: string): Text {
    return this.intern(`s${value}`, (id) => ({ kind: 'text', id, value })) as Text;
  }

  ref(symbol: number, order = 0, subscripts: readonly Expr[] = none): Ref {
    const key = `r${symbol},${order}${ids(subscripts)}`;
    return this.intern(key, (id) => ({ kind: 'ref', id, symbol, order, subscripts })) as Ref;
  }

  pre(symbol: number, subscripts: readonly Expr[] = none): Pre {
    return this.intern(`p${symbol}${ids(subscripts)}`, (id) => ({
      kind: 'pre',
      id,
      symbol,
      subscripts,
    })) as Pre;
  }

  held(relation: number): Held {
    return this.intern(`h${relation}`, (id) => ({ kind: 'held', id, relation })) as Held;
  }

  local(index: number, subscripts: readonly Expr[] = none): Local {
    return this.intern(`l${index}${ids(subscripts)}`, (id) => ({
      kind: 'local',
      id,
      index,
      subscripts,
    })) as Local;
  }

  iter(iterator: number): Iter {
    return this.intern(`i${iterator}`, (id) => ({ kind: 'iter', id, iterator })) as Iter;
  }

  call(fn: number, args: readonly Expr[], output = 0): Call {
    return this.intern(`f${fn}.${output}${ids(args)}`, (id) => ({
      kind: 'call',
      id,
      fn,
      args,
      output,
    })) as Call;
  }

  /** Applies an operator and simplifies at the root; arguments are taken to be simple already. */
  apply(op: Op, ...args: Expr[]): Expr {
    return simplifyApply(this, op, args);
  }

  /** Builds the node as it is, without simplifying; for `simplify.ts` and for tests. */
  raw(op: Op, args: readonly Expr[]): Apply {
    return this.intern(`${op}${ids(args)}`, (id) => ({ kind: 'apply', id, op, args })) as Apply;
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

  private intern(key: string, build: (id: number) => Expr): Expr {
    const known = this.nodes.get(key);
    if (known) return known;
    const node = build(this.count++);
    this.nodes.set(key, node);
    return node;
  }
}

function ids(args: readonly Expr[]): string {
  let key = '';
  for (const arg of args) key += `,${arg.id}`;
  return key;
}
