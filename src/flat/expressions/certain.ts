/**
 * Variables of a function that some way through it leaves without a value (Modelica 3.6, section 12.4.4). Statements are followed in their order, with what has a
 * value on all ways to them: `for` over a range that is known and not empty runs at least once. Where a way leads to a use without an assignment, which way a call takes
 * shows when it runs: the variable gets another one that says whether it was assigned, and an assertion before the use. An output of a predefined type is used at
 * the end.
 *
 * An array counts as assigned when an element of it is; `untouched.ts` finds elements that no statement can assign. Fields of records that are handed on with
 * the record, `f(r)` or `q := r`, are not used by that. Elements and fields without a value are no numbers (`FunctionLocal.bare`), which shows in what is computed
 * from them; comparisons would lose it, so an assertion stands before these.
 */
import type { Span } from '../../diagnostic/source.ts';
import { children, nodesOf } from '../../symbolic/analyse.ts';
import type { Expr, Local } from '../../symbolic/expr.ts';
import { expressionsOf, type FunctionLocal, type FunctionStatement } from '../../symbolic/function.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { rangeCount } from '../../symbolic/ranges.ts';

/** A function whose statements are translated. */
export interface Written {
  readonly path: string;
  readonly span: Span | undefined;
  readonly locals: readonly FunctionLocal[];
  readonly inputs: number;
  /** Variables that are outputs as a whole, no fields of one. */
  readonly outputs: ReadonlySet<number>;
  readonly body: readonly FunctionStatement[];
}

export interface Certified {
  readonly body: readonly FunctionStatement[];
  /** What is asserted at the end. */
  readonly last: readonly FunctionStatement[];
  /** Further variables. */
  readonly added: readonly FunctionLocal[];
}

export function certified(pool: Pool, written: Written): Certified {
  const { missing, partial, atEnd } = new Flow(written).result();
  const flags = new Flags(pool, written);
  const last = [...atEnd].map((index): FunctionStatement => {
    const { name } = written.locals[index]!;
    const message = pool.text(`The function ${written.path} ends without a value for its output ${name}.`);
    return { kind: 'assert', condition: flags.of(index), message, span: written.span };
  });
  for (const [statement, indices] of missing) flags.assert(statement, indices);
  for (const [statement, indices] of partial) flags.assertNumbers(statement, indices);
  if (flags.isIdle) return { body: written.body, last, added: [] };
  return { body: flags.noted(written.body), last, added: flags.added };
}

/** Whether a variable begins without a value. */
export const isBare = ({ locals, inputs }: Written, index: number): boolean =>
  index >= inputs && !locals[index]!.initial && locals[index]!.dims.every((n) => n > 0);

/** Whether a variable may have values in parts only: an array, or a field of a record that may be handed on without it. */
const isPartial = ({ locals }: Written, index: number): boolean =>
  locals[index]!.dims.length > 0 || locals[index]!.name.includes('.');

function append<K>(map: Map<K, Set<number>>, key: K, index: number): void {
  const known = map.get(key);
  if (known) known.add(index);
  else map.set(key, new Set([index]));
}

/** What has a value on all ways to a statement, with `~index` where all elements of it have; undefined where no way leads to it. */
type State = Set<number> | undefined;

/** Follows statements, and finds those that use what may be without a value. */
class Flow {
  /** By statement. */
  private readonly missing = new Map<FunctionStatement, Set<number>>();
  /** Arrays and fields that it uses, and of which elements may be without a value. */
  private readonly partial = new Map<FunctionStatement, Set<number>>();
  private readonly ends: State[] = [];
  /** Ways out of the loops around a statement, innermost last. */
  private readonly breaks: State[][] = [];

  constructor(private readonly written: Written) {}

  result(): {
    readonly missing: Map<FunctionStatement, Set<number>>;
    readonly partial: Map<FunctionStatement, Set<number>>;
    readonly atEnd: Set<number>;
  } {
    const { body, outputs, locals } = this.written;
    this.ends.push(this.follow(body, new Set()));
    const end = joined(this.ends);
    const open = [...outputs].filter(
      (index) => end && isBare(this.written, index) && locals[index]!.dims.length === 0 && !end.has(index),
    );
    return { missing: this.missing, partial: this.partial, atEnd: new Set(open) };
  }

  private follow(body: readonly FunctionStatement[], before: State): State {
    let state = before && new Set(before);
    for (const statement of body) if (state) state = this.after(statement, state);
    return state;
  }

  private after(statement: FunctionStatement, state: Set<number>): State {
    this.look(statement, state);
    switch (statement.kind) {
      case 'assign':
      case 'multiassign':
        for (const { index, subscripts } of targetsOf(statement)) {
          state.add(index);
          if (subscripts.length === 0 && statement.kind === 'assign' && this.isWhole(statement.value, state))
            state.add(~index);
        }
        return state;
      case 'assert':
        return statement.condition.kind === 'const' && statement.condition.value === 0 ? undefined : state;
      case 'if': {
        const ways = statement.branches.map(({ body }) => this.follow(body, state));
        const isTotal = statement.branches.some(({ condition }) => !condition);
        return joined(isTotal ? ways : [...ways, state]);
      }
      case 'for':
        return this.loop(statement.body, state, isNonempty(statement.range) ? 'once' : 'perhaps');
      case 'while': {
        const { condition } = statement;
        const endless = condition.kind === 'const' && condition.value !== 0;
        return this.loop(statement.body, state, endless ? 'endless' : 'perhaps');
      }
      case 'break':
        this.breaks.at(-1)?.push(state);
        return undefined;
      case 'return':
        this.ends.push(state);
        return undefined;
    }
  }

  private loop(
    body: readonly FunctionStatement[],
    state: Set<number>,
    runs: 'once' | 'perhaps' | 'endless',
  ): State {
    const ways: State[] = [];
    this.breaks.push(ways);
    const last = this.follow(body, state);
    this.breaks.pop();
    if (runs === 'endless') return joined(ways);
    return joined([...ways, last, ...(runs === 'perhaps' ? [state] : [])]);
  }

  /** Notes what a statement may use without a value; `while` looks at its condition after each turn, too. */
  private look(statement: FunctionStatement, state: Set<number>): void {
    const targets = new Set<Expr>(targetsOf(statement));
    const whole = expressionsOf(statement).flatMap((expr) => (targets.has(expr) ? children(expr) : [expr]));
    for (const node of nodesOf(...whole)) {
      if (node.kind !== 'local' || !isBare(this.written, node.index)) continue;
      if (!state.has(node.index)) append(this.missing, statement, node.index);
      if (!state.has(~node.index) && isPartial(this.written, node.index))
        append(this.partial, statement, node.index);
    }
  }

  /** Whether a value is there as a whole. */
  private isWhole(value: Expr, state: Set<number>): boolean {
    if (value.kind === 'call') return false;
    return value.kind !== 'local' || !isBare(this.written, value.index) || state.has(~value.index);
  }
}

/** Variables that say whether others were assigned. */
class Flags {
  readonly added: FunctionLocal[] = [];
  private readonly flags = new Map<number, Expr>();
  /** What is asserted before statements. */
  private readonly asserted = new Map<FunctionStatement, readonly FunctionStatement[]>();

  constructor(
    private readonly pool: Pool,
    private readonly written: Written,
  ) {}

  of(index: number): Expr {
    const known = this.flags.get(index);
    if (known) return known;
    const { locals } = this.written;
    const flag = this.pool.local(locals.length + this.added.length);
    let name = `${locals[index]!.name.replaceAll('.', '_')}_assigned`;
    while ([...locals, ...this.added].some((local) => local.name === name)) name += '_';
    this.added.push({ name, type: 'Boolean', dims: [], initial: this.pool.zero });
    this.flags.set(index, flag);
    return flag;
  }

  get isIdle(): boolean {
    return this.added.length === 0 && [...this.asserted.values()].every((own) => own.length === 0);
  }

  /** The same statements with assignments to flags, and assertions before uses. */
  noted(body: readonly FunctionStatement[]): FunctionStatement[] {
    return body.flatMap((statement) => this.one(statement));
  }

  private one(statement: FunctionStatement): FunctionStatement[] {
    const before = this.asserted.get(statement) ?? [];
    switch (statement.kind) {
      case 'assign':
      case 'multiassign': {
        const notes = targetsOf(statement).flatMap(({ index }): FunctionStatement[] => {
          const target = this.flags.get(index);
          return target ? [{ kind: 'assign', target, value: this.pool.one, span: statement.span }] : [];
        });
        return [...before, statement, ...notes];
      }
      case 'if': {
        const branches = statement.branches.map((one) => ({ ...one, body: this.noted(one.body) }));
        return [...before, { ...statement, branches }];
      }
      case 'for':
        return [...before, { ...statement, body: this.noted(statement.body) }];
      case 'while':
        return [...before, { ...statement, body: [...this.noted(statement.body), ...before] }];
      case 'assert':
        return [...before, statement];
      case 'break':
      case 'return':
        return [statement];
    }
  }

  /** Demands that variables have values where a statement uses them. */
  assert(statement: FunctionStatement, indices: ReadonlySet<number>): void {
    const { pool, written } = this;
    const assertions = [...indices].flatMap((index): FunctionStatement[] => {
      const condition = this.whereUsed(statement, index);
      if (condition === pool.one) return [];
      const { name } = written.locals[index]!;
      const message = pool.text(
        `The function ${written.path} uses ${name}, to which it has assigned nothing.`,
      );
      const span = 'span' in statement ? statement.span : written.span;
      return [{ kind: 'assert', condition, message, span }];
    });
    this.asserted.set(statement, assertions);
  }

  /**
   * Demands numbers where a statement compares elements or fields, or decides by them: what has no value is no number, and would be lost in the result. Elsewhere it
   * shows in what is computed.
   */
  assertNumbers(statement: FunctionStatement, indices: ReadonlySet<number>): void {
    const { pool, written } = this;
    const known = this.asserted.get(statement) ?? [];
    const more = [...indices].flatMap((index): FunctionStatement[] => {
      const condition = this.whereCompared(statement, index);
      if (condition === pool.one) return [];
      const message = pool.text(
        `The function ${written.path} uses ${written.locals[index]!.name} where it has no value.`,
      );
      const span = 'span' in statement ? statement.span : written.span;
      return [{ kind: 'assert', condition, message, span }];
    });
    this.asserted.set(statement, [...known, ...more]);
  }

  private whereCompared(statement: FunctionStatement, index: number): Expr {
    const { pool } = this;
    switch (statement.kind) {
      case 'assign':
        return this.numbers(statement.value, index, false);
      case 'multiassign':
        return statement.args.reduce<Expr>(
          (sum, arg) => this.both(sum, this.numbers(arg, index, false)),
          pool.one,
        );
      case 'if': {
        const conditions = statement.branches.flatMap(({ condition }) => (condition ? [condition] : []));
        return conditions.reduceRight<Expr>(
          (rest, condition) =>
            this.both(this.numbers(condition, index, true), this.guarded(condition, pool.one, rest)),
          pool.one,
        );
      }
      case 'while':
      case 'assert':
        return this.numbers(statement.condition, index, true);
      default:
        return pool.one;
    }
  }

  /** True unless what is compared in an expression is no number; `decides`: the expression is compared itself. */
  private numbers(expr: Expr, index: number, decides: boolean): Expr {
    const { pool, written } = this;
    if (!nodesOf(expr).some((node) => node.kind === 'local' && node.index === index)) return pool.one;
    const all = (exprs: readonly Expr[], own: boolean): Expr =>
      exprs.reduce<Expr>((sum, one) => this.both(sum, this.numbers(one, index, own)), pool.one);
    if (expr.kind === 'local') {
      const inside = all(expr.subscripts, false);
      const isOwn = expr.index === index && expr.subscripts.length === written.locals[index]!.dims.length;
      const isAsked = decides || written.locals[index]!.type === 'Boolean';
      if (!isOwn || !isAsked) return inside;
      return this.both(
        inside,
        pool.apply('or', pool.apply('le', expr, pool.zero), pool.apply('gt', expr, pool.zero)),
      );
    }
    if (expr.kind !== 'apply') return all(children(expr), false);
    const [first, second, third] = expr.args;
    if (iterating.has(expr.op)) return pool.one;
    switch (expr.op) {
      case 'if':
        return this.both(
          this.numbers(first!, index, true),
          this.guarded(first!, this.numbers(second!, index, decides), this.numbers(third!, index, decides)),
        );
      case 'and':
        return this.both(
          this.numbers(first!, index, true),
          this.guarded(first!, this.numbers(second!, index, true), pool.one),
        );
      case 'or':
        return this.both(
          this.numbers(first!, index, true),
          this.guarded(first!, pool.one, this.numbers(second!, index, true)),
        );
      default:
        return all(expr.args, decides || comparing.has(expr.op));
    }
  }

  /** True unless a statement uses a variable that was not assigned. */
  private whereUsed(statement: FunctionStatement, index: number): Expr {
    const { pool } = this;
    switch (statement.kind) {
      case 'assign':
        return this.all(
          [
            ...targetsOf(statement).flatMap(({ subscripts }) => subscripts),
            ...(this.isHandedOn(statement.value) ? [] : [statement.value]),
          ],
          index,
        );
      case 'multiassign': {
        const subscripts = targetsOf(statement).flatMap((target) => target.subscripts);
        const args = statement.args.filter((arg) => !this.isHandedOn(arg));
        return this.all([...subscripts, ...args], index);
      }
      case 'if': {
        const conditions = statement.branches.flatMap(({ condition }) => (condition ? [condition] : []));
        return conditions.reduceRight<Expr>(
          (rest, condition) =>
            this.both(this.used(condition, index), this.guarded(condition, pool.one, rest)),
          pool.one,
        );
      }
      case 'for':
        return this.used(statement.range, index);
      case 'while':
      case 'assert':
        return this.used(statement.condition, index);
      case 'break':
      case 'return':
        return pool.one;
    }
  }

  /** The same of an expression: what a condition excludes is not used. Uses for each element of something are left alone, since it may be empty. */
  private used(expr: Expr, index: number): Expr {
    const { pool } = this;
    if (!nodesOf(expr).some((node) => node.kind === 'local' && node.index === index)) return pool.one;
    switch (expr.kind) {
      case 'local':
        if (expr.index === index) return this.isPart(expr) ? pool.one : this.of(index);
        return this.all(expr.subscripts, index);
      case 'call':
        return this.all(
          expr.args.filter((arg) => !this.isHandedOn(arg)),
          index,
        );
      case 'apply': {
        const [first, second, third] = expr.args;
        if (iterating.has(expr.op)) return pool.one;
        if (expr.op === 'if')
          return this.both(
            this.used(first!, index),
            this.guarded(first!, this.used(second!, index), this.used(third!, index)),
          );
        if (expr.op === 'and')
          return this.both(
            this.used(first!, index),
            this.guarded(first!, this.used(second!, index), pool.one),
          );
        if (expr.op === 'or')
          return this.both(
            this.used(first!, index),
            this.guarded(first!, pool.one, this.used(second!, index)),
          );
        return this.all(expr.args, index);
      }
      default:
        return this.all(children(expr), index);
    }
  }

  private all(exprs: readonly Expr[], index: number): Expr {
    return exprs.reduce<Expr>((sum, expr) => this.both(sum, this.used(expr, index)), this.pool.one);
  }

  private both(a: Expr, b: Expr): Expr {
    const { one } = this.pool;
    if (a === one || a === b) return b;
    return b === one ? a : this.pool.apply('and', a, b);
  }

  private guarded(condition: Expr, then: Expr, otherwise: Expr): Expr {
    return then === otherwise ? then : this.pool.apply('if', condition, then, otherwise);
  }

  /** A field that goes on with its record. */
  private isHandedOn(expr: Expr): boolean {
    return expr.kind === 'local' && this.written.locals[expr.index]!.name.includes('.');
  }

  /** Some elements of an array, perhaps none. */
  private isPart({ index, subscripts }: Local): boolean {
    const { locals } = this.written;
    if (subscripts.length === 0) return false;
    if (subscripts.length < locals[index]!.dims.length) return true;
    return !subscripts.every((one) =>
      nodesOf(one).every(
        (node) =>
          node.kind === 'const' ||
          node.kind === 'iter' ||
          (node.kind === 'local' && locals[node.index]!.dims.length === 0) ||
          (node.kind === 'apply' && (node.op === 'add' || node.op === 'sub')),
      ),
    );
  }
}

const comparing: ReadonlySet<string> = new Set('lt le gt ge eq ne not'.split(' '));

const iterating: ReadonlySet<string> = new Set(
  'comprehension sumOver productOver minOver maxOver'.split(' '),
);

/** The variables to which a statement assigns. */
export function targetsOf(statement: FunctionStatement): Local[] {
  if (statement.kind !== 'assign' && statement.kind !== 'multiassign') return [];
  const targets = statement.kind === 'assign' ? [statement.target] : statement.targets;
  return targets.filter((target) => target?.kind === 'local');
}

function isNonempty(range: Expr): boolean {
  if (range.kind !== 'apply') return false;
  if (range.op === 'array') return range.args.length > 0;
  const [first, step, last] = range.args;
  if (range.op !== 'range' || first?.kind !== 'const' || step?.kind !== 'const' || last?.kind !== 'const')
    return false;
  return rangeCount(first.value, step.value, last.value) > 0;
}

function joined(ways: readonly State[]): State {
  const [first, ...rest] = ways.filter((way) => way !== undefined);
  return first && new Set([...first].filter((index) => rest.every((way) => way.has(index))));
}
