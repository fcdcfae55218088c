/**
 * Algorithm sections (specification 11.1.2) as equations: the statements are carried out on expressions, so that each
 * assigned scalar ends with one expression over what the section reads. Relations in it then cause events as they do in
 * any equation. An `if` gives conditional expressions, a `for` is written out, a `when` gives `if fire then new else old`. After a `break`
 * everything in its loop depends on whether the loop was left.
 *
 * Expressions share their parts, so a value that is used in many later statements is there once. One that many statements have made is a variable of its own from then on:
 * each equation and each relation would otherwise hold all that was done before it.
 */
import type {
  AssertLevel,
  FlatAlgorithm,
  FlatFor,
  FlatStatement,
  FlatWhenStatement,
  Guard,
  Origin,
} from '../flat/flat.ts';
import { children, fold, nodesOf, substitute } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import { expressionsOf, type FunctionDef, statementsIn } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';
import { eachElement, flatIndex, type Picks } from '../symbolic/shape.ts';
import { auxiliary } from './events.ts';
import type { GuardedEquation } from './guarded.ts';
import type { KeptCalls } from './kept.ts';
import { definition, type ScalarSink } from './sink.ts';

/** What the execution of a section needs, and where its actions go. */
export interface AlgorithmSink extends ScalarSink {
  readonly kept: KeptCalls;
  /** The elements of an expression, as they are written. */
  writtenOut(expr: Expr, origin: Origin): Expr[];
  /** A scalar expression in which events are explicit. */
  withEvents(expr: Expr, origin: Origin): Expr;
  /** What goes wrong in some work is reported with its place. */
  located<T>(origin: Origin, work: () => T): T;
  iterate(loop: Pick<FlatFor, 'iterator' | 'range' | 'origin'>, work: () => void): void;
  whenActing(): Expr;
  /** True where one of the conditions becomes true. */
  trigger(conditions: readonly Expr[], guard: Guard, origin: Origin, out: GuardedEquation[]): Expr;
}

/** What a section assigns to a scalar. */
export interface AssignedValue {
  readonly symbol: number;
  readonly value: Expr;
  /** The value without what when-statements assign: what it follows between events. */
  readonly between: Expr;
}

/** The values after the section; `fire` says when it is carried out, always without it. */
export function executed(
  sink: AlgorithmSink,
  section: FlatAlgorithm,
  guard: Guard,
  out: GuardedEquation[],
  fire?: Expr,
): AssignedValue[] {
  return new Execution(sink, section, guard, out, fire).run();
}

interface Current {
  readonly now: Expr;
  readonly between: Expr;
}

/** Whether an expression is a call that does something: others give what they give whenever they are called. */
const isEffect = (functions: readonly FunctionDef[], node: Expr): boolean =>
  node.kind === 'call' && functions[node.fn]!.impure === true;

/** Whether something is assigned, or decided, by calls that do something: what is done before acts on it. */
function hasOrder(functions: readonly FunctionDef[], body: readonly FlatStatement[]): boolean {
  for (const statement of statementsIn(body)) {
    if (statement.kind === 'assert' || statement.kind === 'warn' || statement.kind === 'terminate') continue;
    if (statement.kind === 'multiassign' && functions[statement.fn]!.impure) return true;
    if (nodesOf(...expressionsOf(statement)).some((node) => isEffect(functions, node))) return true;
  }
  return false;
}

/** Values of scalars; those that a branch changes lie in a layer of their own. */
class Values {
  readonly changed = new Map<number, Current>();

  constructor(private readonly outer?: Values) {}

  get(symbol: number): Current | undefined {
    return this.changed.get(symbol) ?? this.outer?.get(symbol);
  }
}

const isColon = (subscript: Expr): boolean => subscript.kind === 'apply' && subscript.op === 'colon';

/** Values of so many levels become variables. */
const deepest = 64;

/** What stands among the symbols for whether the innermost of so many loops was left. */
const leaving = (depth: number): number => -1 - depth;

class Execution {
  private readonly pool: Pool;
  private readonly always: Current;
  private readonly never: Current;
  private values = new Values();
  /** Conditions of the if-statements around the present statement. */
  private path: Expr;
  /** How many for-statements there are around the present statement. */
  private depth = 0;
  /** Where what calls do has to come in the order of the statements: the ticket of the last one (`kept.ts`). */
  private done: Expr | undefined;
  /** How many levels values have. */
  private readonly levels = new Map<Expr, number>();

  constructor(
    private readonly sink: AlgorithmSink,
    private readonly section: FlatAlgorithm,
    private readonly guard: Guard,
    private readonly out: GuardedEquation[],
    /** When the present statement is carried out; undefined: always. */
    private fire: Expr | undefined,
  ) {
    this.pool = sink.pool;
    this.path = sink.pool.one;
    if (hasOrder(sink.flat.functions, section.body)) this.done = sink.pool.zero;
    this.always = { now: sink.pool.one, between: sink.pool.one };
    this.never = { now: sink.pool.zero, between: sink.pool.zero };
  }

  run(): AssignedValue[] {
    const { sink, section } = this;
    const { origin } = section;
    const symbols = section.assigned.flatMap(({ symbol, entry }) => {
      const own = sink.symbolsOf(symbol);
      const elements = sink.writtenOut(entry, origin);
      for (const [k, scalar] of own.entries()) {
        const now = elements[k] ?? elements[0]!;
        this.values.changed.set(scalar, { now, between: now });
      }
      return own;
    });
    this.statements(section.body);
    return symbols.map((symbol) => {
      const { now, between } = this.values.get(symbol)!;
      const value = sink.withEvents(now, origin);
      return { symbol, value, between: now === between ? value : sink.withEvents(between, origin) };
    });
  }

  private statements(body: readonly FlatStatement[]): void {
    for (const [k, statement] of body.entries()) {
      const left = this.values.get(leaving(this.depth));
      if (left && left.now !== this.pool.zero) {
        const stays = { now: this.pool.not(left.now), between: this.pool.not(left.between) };
        const rest = (): void => {
          this.values.changed.set(leaving(this.depth), this.never);
          this.statements(body.slice(k));
        };
        this.choose([{ test: () => stays, work: rest }]);
        return;
      }
      this.statement(statement);
    }
  }

  private statement(statement: FlatStatement): void {
    switch (statement.kind) {
      case 'assign':
        this.assign(statement.target, statement.value, this.at(statement));
        return;
      case 'multiassign': {
        const origin = this.at(statement);
        const { fn, args } = statement;
        const kept = this.kept(fn, args, origin);
        const values = statement.targets.map(
          (target, k) => target && (kept ? kept[k] : this.evaluate(this.pool.call(fn, args, k), origin)),
        );
        for (const [k, target] of statement.targets.entries())
          if (target) this.store(target, values[k]!, origin);
        return;
      }
      case 'if':
        this.choose(
          statement.branches.map(({ condition, body }) => ({
            test: () => (condition ? this.evaluate(condition, this.section.origin)[0]! : this.always),
            work: () => this.statements(body),
          })),
        );
        return;
      case 'for':
        this.depth++;
        this.values.changed.set(leaving(this.depth), this.never);
        this.sink.iterate({ ...statement, origin: this.section.origin }, () =>
          this.statements(statement.body),
        );
        this.values.changed.delete(leaving(this.depth));
        this.depth--;
        return;
      case 'break':
        this.values.changed.set(leaving(this.depth), this.always);
        return;
      case 'when':
        this.when(statement);
        return;
      case 'assert':
      case 'warn': {
        const origin = this.at(statement);
        const test = this.evaluate(statement.condition, origin)[0]!.now;
        const level = statement.kind === 'warn' ? 'warning' : 'error';
        this.assert(test, this.message(statement.message, origin), level, origin);
        return;
      }
      case 'terminate': {
        const origin = this.at(statement);
        const { sink, guard } = this;
        const fire = this.pool.and(this.fire ?? this.pool.one, sink.withEvents(this.path, origin));
        const message = this.message(statement.message, origin);
        sink.actions.push({ kind: 'terminate', fire, message, origin, guard });
        return;
      }
      case 'while':
      case 'return':
        throw new Error(`${statement.kind} of an algorithm section reached lowering`);
    }
  }

  private at({ span }: { readonly span: Origin['span'] }): Origin {
    return { span, component: this.section.origin.component };
  }

  private assert(test: Expr, message: Expr, level: AssertLevel, origin: Origin): void {
    const { pool, sink, fire, guard } = this;
    const condition = sink.withEvents(pool.apply('or', pool.not(this.path), test), origin);
    sink.actions.push({ kind: 'assert', fire, condition, message, level, origin, guard });
  }

  private message(text: Expr, origin: Origin): Expr {
    return this.sink.withEvents(this.evaluate(text, origin)[0]!.now, origin);
  }

  // -------------------------------------------------------------- values

  /** The elements of an expression at this point of the section. */
  private evaluate(expr: Expr, origin: Origin): Current[] {
    const now = new Map<Expr, Expr>();
    const between = new Map<Expr, Expr>();
    return this.sink.writtenOut(expr, origin).map((written) => {
      const element = this.performed(written, this.path, origin);
      return {
        now: this.replaced(element, 'now', now),
        between: this.replaced(element, 'between', between),
      };
    });
  }

  /**
   * A scalar expression in which the results of calls that do something are what these give here: such a call comes after all that were carried out before it,
   * and where the branches of `if` are chosen that it stands in.
   */
  private performed(expr: Expr, path: Expr, origin: Origin): Expr {
    const { pool, fire, done } = this;
    const { functions } = this.sink.flat;
    if (!done || !fire || !nodesOf(expr).some((node) => isEffect(functions, node))) return expr;
    if (expr.kind === 'apply' && expr.op === 'if') {
      const [test, chosen, other] = expr.args as readonly [Expr, Expr, Expr];
      const first = this.performed(test, path, origin);
      const holds = this.replaced(first, 'now', new Map());
      return pool.if(
        first,
        this.performed(chosen, pool.and(path, holds), origin),
        this.performed(other, pool.and(path, pool.not(holds)), origin),
      );
    }
    if (expr.kind !== 'apply' && expr.kind !== 'call') return expr;
    const args = expr.args.map((arg) => this.performed(arg, path, origin));
    if (expr.kind === 'apply') return pool.apply(expr.op, ...args);
    if (!isEffect(functions, expr)) return pool.call(expr.fn, args, expr.output);
    const { sink, guard, out } = this;
    const given = args.map((arg) => sink.withEvents(this.replaced(arg, 'now', new Map()), origin));
    const when = pool.and(fire, sink.withEvents(path, origin));
    const { ticket, results } = sink.kept.call(expr.fn, given, when, { guard, origin, out }, done);
    this.done = ticket;
    return results[expr.output]!;
  }

  private replaced(expr: Expr, which: keyof Current, memo: Map<Expr, Expr>): Expr {
    const { pool } = this;
    return substitute(
      pool,
      expr,
      (node, below) => {
        if (node.kind === 'ref' && node.order === 0) return this.values.get(node.symbol)?.[which];
        if (node.kind !== 'apply' || (node.op !== 'edge' && node.op !== 'change')) return undefined;
        // The left limit is that of the variable, not of what was assigned to it here.
        const [variable] = node.args;
        if (variable?.kind !== 'ref' || !this.values.get(variable.symbol)) return undefined;
        const before = pool.pre(variable.symbol);
        return node.op === 'edge'
          ? pool.and(below[0]!, pool.not(before))
          : pool.apply('ne', below[0]!, before);
      },
      memo,
    );
  }

  private assign(target: Expr, value: Expr, origin: Origin): void {
    const kept = value.kind === 'call' ? this.kept(value.fn, value.args, origin)?.[value.output] : undefined;
    this.store(target, kept ?? this.evaluate(value, origin), origin);
  }

  /** The outputs of a call that is carried out at events alone, where they are many or it has to come after others. */
  private kept(fn: number, args: readonly Expr[], origin: Origin): Current[][] | undefined {
    const { pool, sink, guard, out } = this;
    const isOrdered = this.done !== undefined && sink.flat.functions[fn]!.impure === true;
    if (!this.fire || !(isOrdered || sink.kept.keeps(fn))) return undefined;
    const given = args.map((arg) =>
      this.evaluate(arg, origin).map(({ now }) => sink.withEvents(now, origin)),
    );
    const fire = pool.and(this.fire, sink.withEvents(this.path, origin));
    const before = isOrdered ? this.done : undefined;
    const { ticket, outputs } = sink.kept.outputs(fn, given, fire, { guard, origin, out }, before);
    if (isOrdered) this.done = ticket;
    return outputs.map((elements) => elements.map((now) => ({ now, between: now })));
  }

  /** The value of a scalar from here on. */
  private set(symbol: number, value: Current): void {
    this.values.changed.set(symbol, this.isDeep(symbol, value) ? this.asVariable(symbol, value.now) : value);
  }

  /** In branches, and where `when` acts, values are computed under conditions: they stay what they are. */
  private isDeep(symbol: number, { now, between }: Current): boolean {
    if (symbol < 0 || this.fire || this.path !== this.pool.one || now !== between) return false;
    if (this.sink.scalars[symbol]!.variable?.type === 'String') return false;
    const { levels } = this;
    const levelOf = (node: Expr): number => {
      let most = 0;
      for (const child of children(node)) most = Math.max(most, levels.get(child)!);
      return most + 1;
    };
    return fold(now, levels, levelOf) > deepest;
  }

  private asVariable(symbol: number, value: Expr): Current {
    const { sink, guard, out, section } = this;
    const { kind, type } = sink.scalars[symbol]!;
    const own = sink.addScalar(auxiliary(`$value${sink.scalars.length}`, kind, type));
    out.push(definition(sink, own, sink.withEvents(value, section.origin), guard, section.origin));
    const now = this.pool.ref(own);
    return { now, between: now };
  }

  private store(target: Expr, values: readonly Current[], origin: Origin): void {
    if (target.kind !== 'ref') throw new Error('an assignment to what is no variable reached lowering');
    if (target.subscripts.every((subscript) => this.isKnown(subscript, origin))) {
      for (const [k, element] of this.sink.writtenOut(target, origin).entries())
        if (element.kind === 'ref') this.set(element.symbol, values[k]!);
      return;
    }
    const { dims } = this.sink.flat.variables[target.symbol]!;
    const picks = target.subscripts.map((subscript, d) => this.picked(subscript, dims[d]!, origin));
    for (const [d, pick] of picks.entries()) this.assertInside(target.symbol, pick, d, picks.length, origin);
    // `a[i, :] := v` stores one element after the other, row by row; of those with equal subscripts the last counts.
    let k = 0;
    const symbols = this.sink.symbolsOf(target.symbol);
    this.sink.located(origin, () =>
      eachElement(picks, (places) => this.storeSomewhere(dims, symbols, places, values[k++]!)),
    );
  }

  /** Whether a subscript selects the same places at all times. */
  private isKnown(subscript: Expr, origin: Origin): boolean {
    return (
      isColon(subscript) || this.sink.writtenOut(subscript, origin).every(({ kind }) => kind === 'const')
    );
  }

  /** What a subscript selects: one place, or several. */
  private picked(subscript: Expr, size: number, origin: Origin): Picks<Current> {
    if (isColon(subscript)) {
      const all = Array.from({ length: size }, (_, k) => this.pool.const(k + 1));
      return { items: all.map((place) => ({ now: place, between: place })), scalar: false };
    }
    const items = this.evaluate(subscript, origin);
    return { items, scalar: items.length === 1 };
  }

  /** Subscripts that change are checked where the statement is carried out. */
  private assertInside(
    variable: number,
    { items }: Picks<Current>,
    d: number,
    rank: number,
    origin: Origin,
  ): void {
    const { pool, sink } = this;
    const { dims, name } = sink.flat.variables[variable]!;
    for (const place of items) {
      if (place.now.kind === 'const' && place.now.value >= 1 && place.now.value <= dims[d]!) continue;
      const inside = pool.and(
        pool.apply('ge', place.now, pool.one),
        pool.apply('le', place.now, pool.const(dims[d]!)),
      );
      const which = rank === 1 ? 'The subscript' : `Subscript ${d + 1}`;
      const message = pool.apply(
        'concat',
        pool.text(`${which} of \`${name}\` is `),
        pool.apply('string', place.now),
        pool.text(`, outside its bounds 1 to ${dims[d]}.`),
      );
      this.assert(pool.apply('noEvent', inside), message, 'error', origin);
    }
  }

  /** `a[i] := v` where `i` changes: every element that it may be is the new value or the old one. */
  private storeSomewhere(
    dims: readonly number[],
    symbols: readonly number[],
    places: readonly Current[],
    value: Current,
  ): void {
    const { pool } = this;
    const possible = dims.map((size, d): Picks<number> => {
      const { now } = places[d]!;
      const items = now.kind === 'const' ? [now.value] : Array.from({ length: size }, (_, k) => k + 1);
      return { items, scalar: true };
    });
    eachElement(possible, (at) => {
      const symbol = symbols[flatIndex(dims, at)]!;
      const old = this.values.get(symbol)!;
      const chosen = (which: keyof Current): Expr => {
        const here = at.reduceRight<Expr>(
          (rest, index, d) => pool.and(pool.apply('eq', places[d]![which], pool.const(index)), rest),
          pool.one,
        );
        return pool.if(here, value[which], old[which]);
      };
      this.set(symbol, { now: chosen('now'), between: chosen('between') });
    });
  }

  // -------------------------------------------------------------- branches

  /** Carries out the first branch whose test is true, or none. */
  private choose(branches: readonly { test: () => Current; work: () => void }[]): void {
    const { pool, path } = this;
    const tests: Current[] = [];
    const bodies: Values[] = [];
    let open = path;
    for (const { test: given, work } of branches) {
      const test = given();
      this.path = pool.and(open, test.now);
      open = pool.and(open, pool.not(test.now));
      tests.push(test);
      bodies.push(this.changedBy(work));
    }
    this.path = path;
    for (const symbol of new Set(bodies.flatMap(({ changed }) => [...changed.keys()]))) {
      const merged = { ...this.values.get(symbol)! };
      const old = this.values.get(symbol)!;
      for (let k = tests.length - 1; k >= 0; k--) {
        const own = bodies[k]!.changed.get(symbol) ?? old;
        merged.now = pool.if(tests[k]!.now, own.now, merged.now);
        merged.between = pool.if(tests[k]!.between, own.between, merged.between);
      }
      this.set(symbol, merged);
    }
  }

  /** Carries out a branch and gives what it changed. */
  private changedBy(work: () => void): Values {
    const outer = this.values;
    const own = new Values(outer);
    this.values = own;
    work();
    this.values = outer;
    return own;
  }

  /** All conditions are those before the statement; what branches assign between events is nothing. */
  private when({ branches, span }: FlatWhenStatement): void {
    const { pool, sink, guard, out } = this;
    const origin = this.at({ span });
    const before = this.fire;
    let earlier: Expr = pool.zero;
    const chosen = branches.map(({ condition, body }) => {
      const conditions = this.evaluate(condition, origin).map(({ now }) => sink.withEvents(now, origin));
      const triggered = sink.trigger(conditions, guard, origin, out);
      const own = pool.and(triggered, pool.not(earlier));
      const fire = this.done ? pool.and(own, sink.whenActing()) : own;
      earlier = pool.apply('or', earlier, triggered);
      this.fire = fire;
      const { changed } = this.changedBy(() => this.statements(body));
      this.fire = before;
      return { fire, changed };
    });
    for (const { fire, changed } of chosen.reverse()) {
      for (const [symbol, { now }] of changed) {
        const old = this.values.get(symbol)!;
        this.values.changed.set(symbol, { now: pool.if(fire, now, old.now), between: old.between });
      }
    }
  }
}
