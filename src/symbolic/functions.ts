/**
 * The interpreter of user functions: statements over frames of numbers, for evaluation while translating and as the oracle
 * for generated code. Subscripts are checked; loops and recursion have limits. Functions are interpreted in lowered
 * form (`lower.ts`) and are lowered when they are first called.
 */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { Span } from '../diagnostic/source.ts';
import { subscriptsOf } from '../names/names.ts';
import { type Environment, evaluateIn, evaluateText, type Gap } from './evaluate.ts';
import type { Call, Expr, Local } from './expr.ts';
import { beginningOf, type ExternalCalls, type FunctionDef, type FunctionStatement } from './function.ts';
import { lowerFunction } from './lower.ts';
import type { Pool } from './pool.ts';
import { rangeCount } from './ranges.ts';
import { outputOffset, sizeOf } from './shape.ts';
import type { StringTable } from './strings.ts';

type Value = number | string;

export interface InterpreterLimits {
  /** Iterations of all loops together in one outermost call. */
  readonly iterations: number;
  /** Calls that may be open at once. */
  readonly depth: number;
}

const usualLimits: InterpreterLimits = { iterations: 10_000_000, depth: 256 };

/** Why a sequence of statements ended. */
type Outcome = 'next' | 'break' | 'return';

interface Frame {
  readonly fn: FunctionDef;
  /** Elements of every local, row-major. */
  readonly locals: Value[][];
  readonly iterators: Map<number, number>;
  readonly environment: Environment;
}

export class Interpreter {
  private depth = 0;
  private iterations = 0;
  /** What the last call has left without a value, or has used without one. */
  private gap: Gap | undefined;
  private last:
    | { readonly fn: number; readonly args: readonly Value[]; readonly results: Value[] }
    | undefined;

  constructor(
    private readonly pool: Pool,
    private readonly functions: readonly FunctionDef[],
    private readonly limits: InterpreterLimits = usualLimits,
    private readonly external?: ExternalCalls,
    /** Where it is given, texts are the numbers that stand for them. */
    private readonly strings?: StringTable,
  ) {}

  /** For `evaluate`: the value of a scalarised call. */
  readonly call = (node: Call, args: readonly Value[]): Value => {
    // The outputs of one call are asked for one after the other.
    const { last } = this;
    const { external } = this.functions[node.fn]!;
    if (external) return this.run(node.fn, args)[node.output]!;
    const again = last && last.fn === node.fn && last.args.every((arg, k) => Object.is(arg, args[k]));
    if (again) return last.results[node.output]!;
    const results = this.run(node.fn, args);
    this.last = { fn: node.fn, args, results };
    return results[node.output]!;
  };

  /** Why a call gives what is no number, where the reason is a variable without a value. */
  readonly gapIn = (node: Call, args: readonly Value[]): Gap | undefined => {
    this.gap = undefined;
    this.run(node.fn, args);
    return this.found();
  };

  /** Calls function number k with the elements of its inputs; gives the elements of all outputs. */
  run(k: number, args: readonly Value[]): Value[] {
    const fn = lowerFunction(this.pool, this.functions, this.functions[k]!);
    if (fn.external) return this.runExternal(fn, args);
    if (this.depth === 0) this.iterations = 0;
    else if (++this.iterations > this.limits.iterations) {
      const message = `${fn.name} was called more than ${this.limits.iterations} times in one evaluation.`;
      fail('limit-exceeded', message, fn.span);
    }
    if (this.depth >= this.limits.depth) {
      fail('limit-exceeded', `Calls of ${fn.name} are nested more than ${this.limits.depth} deep.`, fn.span);
    }
    this.depth++;
    try {
      const frame = this.frame(fn, args);
      this.statements(frame, fn.body);
      for (let k = fn.inputs; k < fn.inputs + fn.outputs && !this.gap; k++) {
        const element = frame.locals[k]!.findIndex((value) => Number.isNaN(value));
        if (element >= 0) this.note(frame, k, element, false);
      }
      return frame.locals.slice(fn.inputs, fn.inputs + fn.outputs).flat();
    } finally {
      this.depth--;
    }
  }

  /** Its values depend on more than the arguments: nothing is remembered. */
  private runExternal(fn: FunctionDef, args: readonly Value[]): Value[] {
    const code = fn.external!;
    if (!this.external) fail('internal', `${fn.name} is called where it cannot be computed.`, fn.span);
    if (code.kind === 'foreign') {
      const results = this.external.foreign(code, args);
      const { strings } = this;
      return strings
        ? results.map((one) => (typeof one === 'string' ? strings.numberOf(one) : one))
        : results;
    }
    const inputs = args.slice(1).map(Number);
    const length = sizeOf(fn.locals[fn.inputs]!.dims);
    const values = Float64Array.from([...inputs, ...new Array<number>(length).fill(0)]);
    this.external.component(code, values, 0, inputs.length);
    return [...values.subarray(inputs.length)];
  }

  private frame(fn: FunctionDef, args: readonly Value[]): Frame {
    const locals = fn.locals.map((local) =>
      new Array<Value>(sizeOf(local.dims)).fill(
        local.type === 'String' && !this.strings ? '' : beginningOf(local),
      ),
    );
    const iterators = new Map<number, number>();
    const environment: Environment = {
      leaf: (leaf) => {
        if (leaf.kind === 'local') return this.read(frame, leaf);
        if (leaf.kind === 'iter') return iterators.get(leaf.iterator)!;
        throw new Error(`${leaf.kind} in the body of a function`);
      },
      call: this.call,
      isBoolean: (leaf) => leaf.kind === 'local' && fn.locals[leaf.index]!.type === 'Boolean',
      strings: this.strings,
    };
    const frame: Frame = { fn, locals, iterators, environment };
    let next = 0;
    for (let k = 0; k < fn.inputs; k++) {
      const input = locals[k]!;
      for (let e = 0; e < input.length; e++) input[e] = args[next++] ?? 0;
    }
    for (let k = fn.inputs; k < fn.locals.length; k++) {
      const { initial } = fn.locals[k]!;
      if (initial) this.store(frame, this.pool.local(k), initial);
    }
    return frame;
  }

  private found(): Gap | undefined {
    return this.gap;
  }

  private read(frame: Frame, leaf: Local): Value {
    const element = this.position(frame, leaf);
    const value = frame.locals[leaf.index]![element]!;
    if (Number.isNaN(value) && !this.gap?.isUsed) this.note(frame, leaf.index, element, true);
    return value;
  }

  private note({ fn }: Frame, k: number, element: number, isUsed: boolean): void {
    const { name, dims, bare } = fn.locals[k]!;
    if (!bare) return;
    const part = dims.length === 0 ? name : `${name}[${subscriptsOf(dims, element).join(', ')}]`;
    const text = isUsed
      ? `${fn.name} uses ${part}, which has no value,`
      : `${fn.name} ends without a value for ${part}`;
    this.gap = { text: `the function ${text}`, isUsed };
  }

  private statements(frame: Frame, body: readonly FunctionStatement[]): Outcome {
    for (const statement of body) {
      const outcome = this.statement(frame, statement);
      if (outcome !== 'next') return outcome;
    }
    return 'next';
  }

  private statement(frame: Frame, statement: FunctionStatement): Outcome {
    // The same call in another statement may have another value, if external code has a say in it.
    this.last = undefined;
    switch (statement.kind) {
      case 'assign':
        this.store(frame, statement.target, statement.value, statement.span);
        return 'next';
      case 'multiassign':
        this.multiassign(frame, statement);
        return 'next';
      case 'if': {
        const branch = statement.branches.find(
          ({ condition }) => !condition || this.number(frame, condition) !== 0,
        );
        return branch ? this.statements(frame, branch.body) : 'next';
      }
      case 'for':
        return this.loop(frame, statement);
      case 'while':
        while (this.number(frame, statement.condition) !== 0) {
          this.count(frame);
          const outcome = this.statements(frame, statement.body);
          if (outcome === 'return') return outcome;
          if (outcome === 'break') break;
        }
        return 'next';
      case 'break':
        return 'break';
      case 'return':
        return 'return';
      case 'assert':
        if (this.number(frame, statement.condition) === 0) {
          fail('assertion', evaluateText(statement.message, frame.environment), statement.span);
        }
        return 'next';
    }
  }

  private loop(frame: Frame, statement: Extract<FunctionStatement, { kind: 'for' }>): Outcome {
    const outer = frame.iterators.get(statement.iterator);
    let result: Outcome = 'next';
    for (const value of this.range(frame, statement)) {
      this.count(frame);
      frame.iterators.set(statement.iterator, value);
      const outcome = this.statements(frame, statement.body);
      if (outcome === 'return') result = outcome;
      if (outcome !== 'next') break;
    }
    if (outer === undefined) frame.iterators.delete(statement.iterator);
    else frame.iterators.set(statement.iterator, outer);
    return result;
  }

  private *range(frame: Frame, { range }: Extract<FunctionStatement, { kind: 'for' }>): Generator<number> {
    if (range.kind !== 'apply') throw new Error('a loop over something that is no range');
    const values = range.args.map((arg) => this.number(frame, arg));
    if (range.op === 'array') {
      yield* values;
      return;
    }
    const [first, step, last] = values as [number, number, number];
    if (step === 0) fail('bad-evaluation', zeroStep(frame.fn.name), frame.fn.span);
    const count = rangeCount(first, step, last);
    for (let k = 0; k < count; k++) yield first + k * step;
  }

  private multiassign(frame: Frame, statement: Extract<FunctionStatement, { kind: 'multiassign' }>): void {
    const callee = this.functions[statement.fn]!;
    const args = statement.args.map((arg) => evaluateIn(arg, frame.environment));
    const results = this.run(statement.fn, args);
    statement.targets.forEach((target, k) => {
      if (!target) return;
      const first = outputOffset(callee, k);
      const size = sizeOf(callee.locals[callee.inputs + k]!.dims);
      this.put(frame, target as Local, results.slice(first, first + size), statement.span);
    });
  }

  private store(frame: Frame, target: Expr, value: Expr, span?: Span): void {
    const local = target as Local;
    const isWhole = local.subscripts.length === 0 && frame.fn.locals[local.index]!.dims.length > 0;
    const values = isWhole ? this.elements(frame, local, value) : [this.value(frame, value)];
    this.put(frame, local, values, span);
  }

  /** The elements of a value for the whole array `target`. */
  private elements(frame: Frame, target: Local, value: Expr): Value[] {
    if (value.kind === 'apply' && value.op === 'array') {
      return value.args.map((item) => this.value(frame, item));
    }
    const size = frame.locals[target.index]!.length;
    if (value.kind !== 'call') throw new Error('an array is assigned what is no array');
    const args = value.args.map((arg) => evaluateIn(arg, frame.environment));
    return this.run(value.fn, args).slice(value.output, value.output + size);
  }

  /** What is assigned: an element that goes on as it is, with or without a value, is not used by that. */
  private value(frame: Frame, expr: Expr): Value {
    if (expr.kind === 'local') return frame.locals[expr.index]![this.position(frame, expr)]!;
    return evaluateIn(expr, frame.environment);
  }

  private put(frame: Frame, target: Local, values: readonly Value[], span?: Span): void {
    const local = frame.locals[target.index]!;
    if (target.subscripts.length > 0) local[this.position(frame, target, span)] = values[0]!;
    else for (let k = 0; k < values.length; k++) local[k] = values[k]!;
  }

  /** Row-major position of an element; its subscripts are evaluated and checked. */
  private position(frame: Frame, local: Local, span?: Span): number {
    const { dims, name } = frame.fn.locals[local.index]!;
    let flat = 0;
    for (let k = 0; k < local.subscripts.length; k++) {
      const i = this.number(frame, local.subscripts[k]!);
      if (!(Number.isInteger(i) && i >= 1 && i <= dims[k]!)) {
        const message = `Subscript ${i} of ${name} in ${frame.fn.name} is outside 1:${dims[k]}.`;
        fail('index-out-of-range', message, span ?? frame.fn.span);
      }
      flat = flat * dims[k]! + i - 1;
    }
    return flat;
  }

  private number(frame: Frame, expr: Expr): number {
    return expr.kind === 'const' ? expr.value : Number(evaluateIn(expr, frame.environment));
  }

  private count(frame: Frame): void {
    if (++this.iterations <= this.limits.iterations) return;
    const { name, span } = frame.fn;
    fail('limit-exceeded', `Loops of ${name} ran more than ${this.limits.iterations} times.`, span);
  }
}

/** The message about a loop in a function. */
export const zeroStep = (fn: string): string => `The step of a range in ${fn} is zero.`;

function fail(code: DiagnosticCode, message: string, span: Span | undefined): never {
  throw Failure.of('simulate', code, message, { span });
}
