/**
 * Values that expressions have whatever their unknown leaves are, through user functions: the propagation of constants (G. A. Kildall, A unified
 * approach to global program optimization, POPL 1973). Of `c := if v > 0 then c0*v else c0/2` with `c0 = 0` it is known that it is 0.
 *
 * A value is a number or unknown (undefined). A product with zero is zero, and so is zero divided by what is unknown. After an `if` whose condition is
 * unknown, a variable has a known value where all branches give it the same one.
 */
import { fold } from './analyse.ts';
import { arithmetic } from './arithmetic.ts';
import type { Apply, Call, Expr, Iter, Leaf, Local } from './expr.ts';
import type { FunctionDef, FunctionStatement, MultiAssignment } from './function.ts';
import { lowerFunction } from './lower.ts';
import type { Pool } from './pool.ts';
import { rangeValues } from './ranges.ts';
import { outputOffset, sizeOf } from './shape.ts';
import { isTextOperator } from './strings.ts';

export type Known = number | undefined;

/** The value of a leaf, or an application of an event operator. */
export type KnownLeaf = (leaf: Leaf | Iter) => Known;

/** Statements that are looked at for one call, with all calls in it, and calls in calls; beyond, nothing is known. */
const mostStatements = 20_000;
const mostDepth = 40;

export class KnownValues {
  private readonly calls = new Map<Call, readonly Known[]>();
  /** Outputs by function and arguments: a pipe of many cells asks the same of its medium in each of them. */
  private readonly results = new Map<string, readonly Known[]>();
  private left = 0;
  private depth = 0;
  /** A limit was met since the outermost call began. */
  private isCut = false;

  constructor(
    private readonly pool: Pool,
    private readonly functions: readonly FunctionDef[],
  ) {}

  /** The value of a scalar expression of the model. Leaves must keep their values from one question to the next. */
  of(expr: Expr, leaf: KnownLeaf): Known {
    return this.value(expr, leaf, (call, args) => {
      // Outputs of one call share their arguments, so that they share the call of the first output.
      const first = this.pool.call(call.fn, call.args, 0) as Call;
      const known = this.calls.get(first) ?? this.outputs(call.fn, args);
      this.calls.set(first, known);
      return known[call.output];
    });
  }

  /** All outputs of a function, element by element; nothing where too little is known. */
  outputs(k: number, args: readonly Known[]): readonly Known[] {
    const key = `${k}(${args.map(keyOf).join()})`;
    const known = this.results.get(key);
    if (known) return known;
    const fn = lowerFunction(this.pool, this.functions, this.functions[k]!);
    if (fn.external) return [];
    if (this.depth >= mostDepth) {
      this.isCut = true;
      return [];
    }
    if (this.depth === 0) {
      this.left = mostStatements;
      this.isCut = false;
    }
    this.depth++;
    const results = new Execution(this.pool, this, fn, args).run();
    this.depth--;
    // What was given up inside of another call may be found where it is the outermost one.
    if (this.depth === 0 || !this.isCut) this.results.set(key, results);
    return results;
  }

  /** Counts a statement; false where there were too many. */
  count(): boolean {
    if (this.left-- > 0) return true;
    this.isCut = true;
    return false;
  }

  offsetOf(fn: number, output: number): { first: number; size: number } {
    const callee = this.functions[fn]!;
    return { first: outputOffset(callee, output), size: sizeOf(callee.locals[callee.inputs + output]!.dims) };
  }

  value(expr: Expr, leaf: KnownLeaf, call: (call: Call, args: readonly Known[]) => Known): Known {
    if (expr.kind === 'const') return expr.value;
    const values = new Map<Expr, { readonly known: Known }>();
    return fold(expr, values, (node) => {
      const at = (arg: Expr) => values.get(arg)!.known;
      switch (node.kind) {
        case 'const':
          return { known: node.value };
        case 'text':
          return unknown;
        case 'apply':
          return { known: applied(node, at) };
        case 'call':
          return { known: call(node, node.args.map(at)) };
        default:
          return { known: leaf(node) };
      }
    }).known;
  }
}

const unknown = { known: undefined };

const keyOf = (arg: Known): string => (Object.is(arg, -0) ? '-0' : arg === undefined ? '' : String(arg));

function applied(node: Apply, at: (arg: Expr) => Known): Known {
  if (isTextOperator(node.op)) return undefined;
  const [a, b, c] = node.args.map(at);
  switch (node.op) {
    case 'mul':
      if (a === 0 || b === 0) return 0;
      break;
    case 'div':
      if (a === 0 && b === undefined) return 0;
      break;
    case 'if':
      return a === undefined ? joined(b, c) : a !== 0 ? b : c;
    case 'and':
      if (a === 0 || b === 0) return 0;
      break;
    case 'or':
      if ((a ?? 0) !== 0 || (b ?? 0) !== 0) return 1;
      break;
    default:
      break;
  }
  if (node.args.length === 0 || node.args.some((arg) => at(arg) === undefined)) return undefined;
  const result = arithmetic(node.op, a ?? 0, b ?? 0, c ?? 0);
  // One zero, whatever its sign: branches may differ in it.
  return result === undefined || Number.isNaN(result) ? undefined : result + 0;
}

const joined = (a: Known, b: Known): Known => (a === b ? a : undefined);

/** How a sequence of statements ends; `lost` where that is not known. */
type Outcome = 'next' | 'break' | 'return' | 'lost';

/** One call of a function. */
class Execution {
  /** Elements of all variables. */
  private values: Known[][];
  private readonly iterators = new Map<number, Known>();

  constructor(
    private readonly pool: Pool,
    private readonly all: KnownValues,
    private readonly fn: FunctionDef,
    args: readonly Known[],
  ) {
    let next = 0;
    this.values = fn.locals.map(({ dims }, k) =>
      Array.from({ length: sizeOf(dims) }, () => (k < fn.inputs ? args[next++] : undefined)),
    );
  }

  run(): readonly Known[] {
    const { locals, inputs, outputs, body } = this.fn;
    locals.forEach(({ initial }, k) => {
      if (k >= inputs && initial) this.assign(this.pool.local(k) as Local, initial);
    });
    if (this.statements(body) === 'lost') return [];
    return this.values.slice(inputs, inputs + outputs).flat();
  }

  private statements(body: readonly FunctionStatement[]): Outcome {
    for (const statement of body) {
      const outcome = this.all.count() ? this.statement(statement) : 'lost';
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private statement(statement: FunctionStatement): Outcome {
    switch (statement.kind) {
      case 'assign':
        this.assign(statement.target as Local, statement.value);
        return 'next';
      case 'multiassign':
        this.multiassign(statement);
        return 'next';
      case 'if':
        return this.choose(statement.branches);
      case 'for':
        return this.repeat(statement);
      case 'while':
        for (;;) {
          const condition = this.value(statement.condition);
          if (condition === undefined || !this.all.count()) return 'lost';
          if (condition === 0) return 'next';
          const outcome = this.statements(statement.body);
          if (outcome === 'break') return 'next';
          if (outcome !== 'next') return outcome;
        }
      case 'assert':
        return 'next';
      default:
        return statement.kind;
    }
  }

  private choose(branches: (FunctionStatement & { kind: 'if' })['branches']): Outcome {
    const [branch, ...rest] = branches;
    if (!branch) return 'next';
    const condition = branch.condition ? this.value(branch.condition) : 1;
    if (condition !== undefined) return condition === 0 ? this.choose(rest) : this.statements(branch.body);
    const before = this.values;
    this.values = before.map((own) => [...own]);
    if (this.statements(branch.body) !== 'next') return 'lost';
    const chosen = this.values;
    this.values = before;
    if (this.choose(rest) !== 'next') return 'lost';
    this.values = this.values.map((own, k) => own.map((value, e) => joined(value, chosen[k]![e])));
    return 'next';
  }

  private repeat({ iterator, range, body }: FunctionStatement & { kind: 'for' }): Outcome {
    if (range.kind !== 'apply') return 'lost';
    const items = range.args.map((arg) => this.value(arg));
    const isRange = range.op === 'range';
    if (isRange && items.some((item) => item === undefined)) return 'lost';
    const [first, step, last] = items as [number, number, number];
    for (const value of isRange ? rangeValues(first, step, last) : items) {
      this.iterators.set(iterator, value);
      const outcome = this.statements(body);
      if (outcome === 'break') break;
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private multiassign({ targets, fn, args }: MultiAssignment): void {
    const results = this.all.outputs(
      fn,
      args.map((arg) => this.value(arg)),
    );
    targets.forEach((target, k) => {
      if (!target) return;
      const { first, size } = this.all.offsetOf(fn, k);
      this.put(
        target as Local,
        Array.from({ length: size }, (_, e) => results[first + e]),
      );
    });
  }

  private assign(target: Local, value: Expr): void {
    const isWhole = target.subscripts.length === 0 && this.fn.locals[target.index]!.dims.length > 0;
    if (!isWhole) this.put(target, [this.value(value)]);
    else if (value.kind === 'call') {
      const results = this.all.outputs(
        value.fn,
        value.args.map((arg) => this.value(arg)),
      );
      this.put(
        target,
        this.values[target.index]!.map((_, e) => results[value.output + e]),
      );
    } else
      this.put(
        target,
        (value as Apply).args.map((item) => this.value(item)),
      );
  }

  private put(target: Local, values: readonly Known[]): void {
    const own = this.values[target.index]!;
    if (target.subscripts.length === 0) this.values[target.index] = [...values];
    else {
      const place = this.position(target);
      if (place === undefined) own.fill(undefined);
      else own[place] = values[0];
    }
  }

  /** Row-major position of an element; undefined where it is not known, or where there is none. */
  private position({ index, subscripts }: Local): number | undefined {
    const { dims } = this.fn.locals[index]!;
    let place = 0;
    for (let k = 0; k < subscripts.length; k++) {
      const i = this.value(subscripts[k]!);
      if (i === undefined || !(i >= 1 && i <= dims[k]!)) return undefined;
      place = place * dims[k]! + i - 1;
    }
    return place;
  }

  private value(expr: Expr): Known {
    return this.all.value(
      expr,
      (leaf) => {
        if (leaf.kind === 'iter') return this.iterators.get(leaf.iterator);
        if (leaf.kind !== 'local') return undefined;
        const place = this.position(leaf);
        return place === undefined ? undefined : this.values[leaf.index]![place];
      },
      (call, args) => this.all.outputs(call.fn, args)[call.output],
    );
  }
}
