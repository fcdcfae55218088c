/**
 * Makes events explicit in scalar expressions (specification 8.5): relations that can change while integrating become
 * held Booleans, `floor` and its relatives become discrete values that relations watch, `sample`, `initial`, `terminal`
 * become flags, `edge` and `change` their definitions. Below `noEvent` and smooth enough `smooth`, expressions
 * stay as they are.
 */

import { remember } from '../collections/memo.ts';
import type { Origin } from '../flat/flat.ts';
import { children, reachable } from '../symbolic/analyse.ts';
import { carried } from '../symbolic/carried.ts';
import { partial } from '../symbolic/differentiate.ts';
import type { Apply, Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import { solveFor } from '../symbolic/solve.ts';
import type { Kink, Relation, Sample, Scalar } from './guarded.ts';
import { bendOf, bent } from './kinks.ts';
import type { ScalarSink } from './sink.ts';

/** A linear function of time this close to an integer, relative to its terms, is that integer up to rounding. */
const nearInteger = 16 * Number.EPSILON;

/** What the rewriting adds to the model; the owner numbers symbols. */
export interface EventSink extends ScalarSink {
  readonly relations: Relation[];
  readonly kinks: Kink[];
  /** By expression: how many continuous derivatives `smooth` promises. */
  readonly promised: Map<Expr, number>;
  /** By expression: what `homotopy` has in its place at the beginning. */
  readonly simplified: Map<Expr, Expr>;
  readonly samples: Sample[];
  /** Adds the equation `symbol = value`, where the variables of the value exist. */
  define(symbol: number, value: Expr, origin: Origin): void;
}

export class EventRewriter {
  private readonly pool: Pool;
  private readonly relationIndex = new Map<string, number>();
  private readonly floors = new Map<Expr, Expr>();
  private readonly kinks = new Set<Expr>();
  private readonly quantities = new Map<Expr, number>();
  private readonly sampleFlags = new Map<Expr, Expr>();
  private readonly continuous = new Map<Expr, boolean>();
  /** Results by expression, without and with events. */
  private readonly quiet = new Map<Expr, Expr>();
  private readonly loud = new Map<Expr, Expr>();

  constructor(private readonly sink: EventSink) {
    this.pool = sink.pool;
  }

  rewrite(expr: Expr, origin: Origin): Expr {
    return this.walk(expr, true, origin);
  }

  /** Post-order without recursion: a sum of a hundred thousand terms is as deep as it is long. */
  private walk(root: Expr, events: boolean, origin: Origin): Expr {
    const stack: { expr: Expr; events: boolean }[] = [{ expr: root, events }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const results = top.events ? this.loud : this.quiet;
      if (results.has(top.expr)) {
        stack.pop();
        continue;
      }
      const childEvents = top.events && !silences(top.expr);
      const childResults = childEvents ? this.loud : this.quiet;
      const before = stack.length;
      for (const child of children(top.expr)) {
        if (!childResults.has(child)) stack.push({ expr: child, events: childEvents });
      }
      if (stack.length > before) continue;
      stack.pop();
      results.set(top.expr, this.rebuild(top.expr, childResults, top.events, origin));
    }
    return (events ? this.loud : this.quiet).get(root)!;
  }

  private rebuild(expr: Expr, results: Map<Expr, Expr>, events: boolean, origin: Origin): Expr {
    if (expr.kind !== 'apply' && expr.kind !== 'call') return expr;
    const args = expr.args.map((a) => results.get(a)!);
    if (expr.kind === 'call') return this.pool.call(expr.fn, args, expr.output);
    return this.rebuildApply(expr, args, events, origin);
  }

  private rebuildApply(expr: Apply, args: Expr[], events: boolean, origin: Origin): Expr {
    const { pool } = this;
    switch (expr.op) {
      case 'noEvent':
        return args[0]!;
      case 'homotopy':
        this.sink.simplified.set(args[0]!, args[1]!);
        return args[0]!;
      case 'smooth':
        if (args[0]!.kind === 'const') this.sink.promised.set(args[1]!, args[0]!.value);
        return args[1]!;
      case 'initial':
        return pool.ref(this.sink.flags.initial);
      case 'terminal':
        return pool.ref(this.sink.flags.terminal);
      case 'sample':
        return this.sample(expr, args, origin);
      case 'edge':
        return pool.and(args[0]!, pool.not(this.leftLimit(args[0]!)));
      case 'change':
        return pool.apply('ne', args[0]!, this.leftLimit(args[0]!));
      case 'der':
        return this.derivative(args[0]!, origin);
      case 'lt':
      case 'le':
      case 'gt':
      case 'ge': {
        const node = pool.apply(expr.op, ...args);
        if (!events || node.kind !== 'apply' || !this.isContinuous(node)) return node;
        return this.relation(expr.op, args[0]!, args[1]!, origin);
      }
      case 'floor':
      case 'ceil':
      case 'idiv':
      case 'mod':
      case 'rem':
        if (!events || !args.some((a) => this.isContinuous(a))) return pool.apply(expr.op, ...args);
        return this.integral(expr.op, args, origin);
      case 'mul':
      case 'if':
        return this.carried(pool.apply(expr.op, ...args));
      default:
        return this.withKink(expr.op, args, events, origin);
    }
  }

  /** What a flow carries along is such a function: where the flow comes to rest, one event would follow upon the other. */
  private carried(node: Expr): Expr {
    const { pool, sink, kinks } = this;
    if (node.kind !== 'apply') return node;
    const relationOf = (condition: Expr) =>
      condition.kind === 'held' ? sink.relations[condition.relation] : undefined;
    const found = carried(pool, node, relationOf);
    if (found?.choice.condition.kind !== 'held') return node;
    const { relation } = found.choice.condition;
    const { op, left, right } = sink.relations[relation]!;
    const smooth = found.by(pool.apply(op, left, right));
    if (!kinks.has(smooth)) sink.kinks.push({ smooth, bent: node, relation, sharp: false });
    kinks.add(smooth);
    return smooth;
  }

  /** A function with a bend stays as it is, and its bend is noted. */
  private withKink(op: Apply['op'], args: Expr[], events: boolean, origin: Origin): Expr {
    const { pool } = this;
    const node = pool.apply(op, ...args);
    const bend = events && node.kind === 'apply' && node.op === op ? bendOf(pool, op, node.args) : undefined;
    if (!bend || node.kind !== 'apply' || this.kinks.has(node) || !this.isContinuous(node)) return node;
    this.kinks.add(node);
    const side = this.relation(bend.op, bend.left, bend.right, origin);
    if (side.kind === 'held')
      this.sink.kinks.push({
        smooth: node,
        bent: bent(pool, op, node.args, side),
        relation: side.relation,
        sharp: false,
      });
    return node;
  }

  /** The derivative of an expression that jumps at events: that of a variable with its value. */
  private derivative(value: Expr, origin: Origin): Expr {
    const symbol = remember(this.quantities, value, () => {
      const name = `$quantity${this.quantities.size + 1}`;
      const quantity = this.sink.addScalar(auxiliary(name, 'continuous', 'Real'));
      this.sink.define(quantity, value, origin);
      return quantity;
    });
    return this.pool.ref(symbol, 1);
  }

  private relation(op: Relation['op'], left: Expr, right: Expr, origin: Origin): Expr {
    const { relations } = this.sink;
    const index = remember(this.relationIndex, `${op},${left.id},${right.id}`, () => {
      const switchTime = this.switchTime(left, right);
      return relations.push({ op, left, right, switchTime, origin }) - 1;
    });
    return this.pool.held(index);
  }

  /** The instant at which a relation of time and discrete values changes, where time occurs linearly. */
  private switchTime(left: Expr, right: Expr): Expr | undefined {
    if (this.isContinuous(this.pool.sub(left, right), true)) return undefined;
    const solution = solveFor(this.pool, left, right, this.pool.time);
    return solution && this.isContinuous(solution.value) ? undefined : solution?.value;
  }

  /** Integer-valued functions of continuous arguments: a discrete value, and relations that show when it changes. */
  private integral(op: 'floor' | 'ceil' | 'idiv' | 'mod' | 'rem', args: Expr[], origin: Origin): Expr {
    const { pool } = this;
    const [x, y] = args as [Expr, Expr];
    switch (op) {
      case 'floor':
        return this.floor(x, origin);
      case 'ceil':
        return pool.neg(this.floor(pool.neg(x), origin));
      case 'mod':
        return pool.sub(x, pool.mul(this.floor(pool.div(x, y), origin), y));
      case 'idiv':
        return this.truncate(pool.div(x, y), origin);
      case 'rem':
        return pool.sub(x, pool.mul(this.truncate(pool.div(x, y), origin), y));
    }
  }

  private truncate(x: Expr, origin: Origin): Expr {
    const { pool } = this;
    const positive = this.relation('ge', x, pool.zero, origin);
    return pool.if(positive, this.floor(x, origin), pool.neg(this.floor(pool.neg(x), origin)));
  }

  private floor(x: Expr, origin: Origin): Expr {
    const known = this.floors.get(x);
    if (known) return known;
    const { pool } = this;
    const symbol = this.sink.addScalar(auxiliary(`$floor${this.floors.size + 1}`, 'discrete', 'Integer'));
    const value = pool.ref(symbol);
    this.floors.set(x, value);
    this.continuous.set(value, false);
    this.relation('lt', x, value, origin);
    this.relation('ge', x, pool.add(value, pool.one), origin);
    this.sink.define(symbol, this.floorAfter(x), origin);
    return value;
  }

  /**
   * floor(x) just after an event. Where x is linear in time, events happen when it is an integer, and rounding may put
   * it on either side: there the direction decides, as it does for relations of time.
   */
  private floorAfter(x: Expr): Expr {
    const { pool } = this;
    const floor = pool.apply('floor', x);
    const slope = this.switchTime(x, pool.zero) && partial(pool, x, pool.time).value;
    if (!slope) return floor;
    const nearest = pool.apply('floor', pool.add(x, pool.const(0.5)));
    const size = pool.add(pool.apply('abs', x), pool.apply('abs', pool.mul(slope, pool.time)));
    const slack = pool.mul(pool.const(nearInteger), pool.add(pool.one, size));
    const near = pool.apply('le', pool.apply('abs', pool.sub(x, nearest)), slack);
    const falling = pool.apply('lt', slope, pool.zero);
    return pool.if(near, pool.if(falling, pool.sub(nearest, pool.one), nearest), floor);
  }

  private sample(expr: Expr, args: Expr[], origin: Origin): Expr {
    const { samples } = this.sink;
    return remember(this.sampleFlags, expr, () => {
      const flag = this.sink.addScalar(auxiliary(`$sample${samples.length + 1}`, 'flag', 'Boolean'));
      samples.push({ flag, start: args[0]!, interval: args[1]!, origin });
      return this.pool.ref(flag);
    });
  }

  private leftLimit(expr: Expr): Expr {
    if (expr.kind === 'ref' && expr.order === 0) return this.pool.pre(expr.symbol);
    // edge and change of an expression: its left limit is that of its variables.
    if (expr.kind === 'apply') return this.pool.apply(expr.op, ...expr.args.map((a) => this.leftLimit(a)));
    return expr;
  }

  /** Whether a value can change between events. With `ignoreTime`, by anything but time itself. */
  private isContinuous(expr: Expr, ignoreTime = false): boolean {
    const varies = (e: Expr): boolean => e.kind === 'ref' && this.varies(e);
    if (ignoreTime) return reachable(expr, varies);
    // What is inside has mostly been asked for: of chains of conditions, only the last link is new.
    const { continuous } = this;
    return remember(continuous, expr, () =>
      reachable(
        expr,
        (e) => continuous.get(e) ?? (e.kind === 'time' || varies(e)),
        new Set(),
        (e) => (continuous.get(e) === false ? [] : children(e)),
      ),
    );
  }

  private varies(ref: Expr & { kind: 'ref' }): boolean {
    if (ref.order > 0) return true;
    const kind = this.sink.scalars[ref.symbol]!.kind;
    return kind === 'continuous' || kind === 'input';
  }
}

/** A scalar that lowering adds. */
export function auxiliary(name: string, kind: Scalar['kind'], type: Scalar['type']): Scalar {
  return {
    name,
    kind,
    type,
    variable: undefined,
    element: 0,
    start: undefined,
    startSymbol: undefined,
    fixed: false,
    binding: undefined,
    nominal: undefined,
    min: undefined,
    max: undefined,
  };
}

function silences(expr: Expr): boolean {
  if (expr.kind !== 'apply') return false;
  if (expr.op === 'noEvent') return true;
  if (expr.op !== 'smooth') return false;
  const order = expr.args[0]!;
  return order.kind === 'const' && order.value >= 1;
}
