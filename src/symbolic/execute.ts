/**
 * Functions whose relations have to cause events (`GenerateEvents`, Modelica 3.6, section 12.8), written out although they have
 * branches and loops: statements are carried out on expressions, an `if` gives conditional expressions, a `for` with a known range
 * is repeated. Expressions share their parts, so a value that many statements use is there once.
 */
import { children, nodesOf, substitute } from './analyse.ts';
import type { Call, Expr, Local } from './expr.ts';
import { beginningOf, type FunctionDef, type FunctionStatement } from './function.ts';
import type { Pool } from './pool.ts';
import { rangeValues } from './ranges.ts';
import { flatIndex, sizeOf } from './shape.ts';

/** A function that carries out more statements stays a call: every relation in it would be one more to watch. */
const mostStatements = 2000;

/** The value of a scalarised call of a lowered function; undefined where what happens in it is not known before it runs. */
export function carriedOut(pool: Pool, fn: FunctionDef, call: Call): Expr | undefined {
  if (fn.external) return undefined;
  const execution = new Execution(pool, fn, call);
  return execution.run() ? withoutGaps(fn, execution.output(call.output)) : undefined;
}

/** A value of a function in which everything was assigned; calls with others stay, so that it is told where they come from. */
export function withoutGaps({ locals }: FunctionDef, value: Expr): Expr | undefined {
  if (!locals.some(({ bare }) => bare)) return value;
  return nodesOf(value).some((node) => node.kind === 'const' && Number.isNaN(node.value)) ? undefined : value;
}

/** Elements of all variables of the function. */
type Values = Expr[][];

class Execution {
  private values: Values;
  private readonly iterators = new Map<number, Expr>();
  private left = mostStatements;
  /** Whether the present statement has elements that are not known before the function runs. */
  private isOpen = false;

  constructor(
    private readonly pool: Pool,
    private readonly fn: FunctionDef,
    call: Call,
  ) {
    let next = 0;
    this.values = fn.locals.map((local, k) => {
      const beginning = pool.const(beginningOf(local));
      return Array.from({ length: sizeOf(local.dims) }, () =>
        k < fn.inputs ? call.args[next++]! : beginning,
      );
    });
  }

  run(): boolean {
    const { fn, pool } = this;
    const begun = fn.locals.every(
      ({ initial }, k) => k < fn.inputs || !initial || this.assign(pool.local(k), initial),
    );
    return begun && this.statements(fn.body);
  }

  output(index: number): Expr {
    const { inputs, outputs } = this.fn;
    return this.values.slice(inputs, inputs + outputs).flat()[index]!;
  }

  private statements(body: readonly FunctionStatement[]): boolean {
    return body.every((statement) => this.left-- > 0 && this.statement(statement));
  }

  private statement(statement: FunctionStatement): boolean {
    switch (statement.kind) {
      case 'assign':
        return this.assign(statement.target as Local, statement.value);
      case 'if':
        return this.choose(statement.branches);
      case 'for': {
        const range = this.rangeOf(statement.range);
        const done = range?.every((value) => {
          this.iterators.set(statement.iterator, value);
          return this.statements(statement.body);
        });
        this.iterators.delete(statement.iterator);
        return done ?? false;
      }
      default:
        // What leaves a loop early, or fails, does so when the function runs.
        return false;
    }
  }

  private rangeOf(range: Expr): readonly Expr[] | undefined {
    const items = children(range).map((item) => this.written(item));
    const numbers = items.flatMap((item) => (item?.kind === 'const' ? [item.value] : []));
    if (numbers.length < items.length || range.kind !== 'apply') return undefined;
    if (range.op !== 'range') return items as Expr[];
    const [first, step, last] = numbers;
    return rangeValues(first!, step!, last!).map((value) => this.pool.const(value));
  }

  private choose(branches: (FunctionStatement & { kind: 'if' })['branches']): boolean {
    const [branch, ...rest] = branches;
    if (!branch) return true;
    const condition = branch.condition ? this.written(branch.condition) : this.pool.one;
    if (!condition) return false;
    if (condition.kind === 'const')
      return condition.value === 0 ? this.choose(rest) : this.statements(branch.body);
    const before = this.values;
    this.values = before.map((own) => [...own]);
    if (!this.statements(branch.body)) return false;
    const chosen = this.values;
    this.values = before;
    if (!this.choose(rest)) return false;
    this.values = this.values.map((own, k) =>
      own.map((other, e) =>
        chosen[k]![e] === other ? other : this.pool.if(condition, chosen[k]![e]!, other),
      ),
    );
    return true;
  }

  private assign(target: Local, value: Expr): boolean {
    const { dims } = this.fn.locals[target.index]!;
    const own = this.values[target.index]!;
    if (dims.length > 0 && target.subscripts.length === 0) {
      // A call stands for all elements of an output, from the one that it names.
      if (value.kind === 'call') {
        const first = this.written(value);
        if (first?.kind !== 'call') return false;
        this.values[target.index] = own.map((_, e) => this.pool.call(first.fn, first.args, first.output + e));
        return true;
      }
      const items = children(value).map((item) => this.written(item));
      if (items.some((item) => !item)) return false;
      this.values[target.index] = items as Expr[];
      return true;
    }
    const place = this.position(
      target.index,
      target.subscripts.map((subscript) => this.written(subscript)),
    );
    const item = this.written(value);
    if (place === undefined || !item) return false;
    own[place] = item;
    return true;
  }

  /** An expression at this point of the function; undefined where it names elements that are not known. */
  private written(expr: Expr): Expr | undefined {
    this.isOpen = false;
    const result = substitute(this.pool, expr, (node, below) => {
      if (node.kind === 'iter') return this.iterators.get(node.iterator);
      if (node.kind !== 'local') return undefined;
      const place = this.position(node.index, below);
      if (place === undefined) this.isOpen = true;
      return place === undefined ? undefined : this.values[node.index]![place];
    });
    return this.isOpen ? undefined : result;
  }

  /** Row-major position of an element; undefined where it is not known, or where there is none. */
  private position(local: number, subscripts: readonly (Expr | undefined)[]): number | undefined {
    const { dims } = this.fn.locals[local]!;
    const index = subscripts.map((subscript) => (subscript?.kind === 'const' ? subscript.value : 0));
    const isInside = index.length === dims.length && index.every((k, d) => k >= 1 && k <= dims[d]!);
    return isInside ? flatIndex(dims, index) : undefined;
  }
}
