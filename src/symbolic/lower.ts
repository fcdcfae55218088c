/**
 * Functions in lowered form, which back ends, the interpreter and differentiation share. Arrays stay variables of the
 * function, but every expression is scalar:
 *
 *     x := e              x a scalar variable or an element `a[i, j]`; subscripts may be computed
 *     a := {e, e, …}      all elements of an array, row-major, computed before the first is stored
 *     a := f(…)           all elements of one output of a function
 *     (a, x) := f(…)      whole arrays, scalars or elements
 *
 * Arguments of calls are the elements of all inputs in a row, and `Call.output` counts scalars (see `arrays.ts`).
 */
import { remember } from '../collections/memo.ts';
import { children } from './analyse.ts';
import { arrayValue, fitted, type ScalariseContext } from './arrays.ts';
import type { Call, Expr, Local } from './expr.ts';
import {
  type Assignment,
  type FunctionDef,
  type FunctionLocal,
  type FunctionStatement,
  type MultiAssignment,
  rewriteStatements,
  type StatementRewriter,
} from './function.ts';
import { inlineCalls } from './inline.ts';
import type { Pool } from './pool.ts';
import { type ArrayValue, outputOffset, sizeOf } from './shape.ts';

/** The lowered form of every function met so far; a lowered function stands for itself. */
const lowered = new WeakMap<FunctionDef, FunctionDef>();

/** All functions in lowered form, each lowered once. */
export function lowerFunctions(pool: Pool, functions: readonly FunctionDef[]): FunctionDef[] {
  return functions.map((fn) => lowerFunction(pool, functions, fn));
}

export function lowerFunction(pool: Pool, functions: readonly FunctionDef[], fn: FunctionDef): FunctionDef {
  return remember(lowered, fn, () => {
    busy.add(fn);
    const made = markLowered(new Lowering(pool, functions, fn).run());
    busy.delete(fn);
    return made;
  });
}

/** Functions that are being lowered: a function that calls itself cannot be written out in itself. */
const busy = new WeakSet<FunctionDef>();

/** A scalar expression in which calls are written out, of functions that ask for it or, inside of those, of all that can be. */
export function withInlinedCalls(
  pool: Pool,
  functions: readonly FunctionDef[],
  expr: Expr,
  memo: Map<Expr, Expr>,
  within?: FunctionDef,
): Expr {
  if (children(expr).length === 0) return expr;
  const inlinable = (k: number): FunctionDef | undefined => {
    const fn = functions[k];
    // Written out, a function would lose the derivative that is given for it.
    const inherited = fn?.given && fn.given.length > 0 ? undefined : within?.inline;
    const isWanted = fn && (fn.inline ?? inherited) !== undefined && !busy.has(fn);
    return isWanted ? lowerFunction(pool, functions, fn) : undefined;
  };
  return inlineCalls(pool, inlinable, expr, memo);
}

/** A scalar expression in which calls are written out only of functions whose relations have to cause events. */
export function withDemandedEvents(
  pool: Pool,
  functions: readonly FunctionDef[],
  expr: Expr,
  memo: Map<Expr, Expr>,
): Expr {
  const demanded = (k: number): FunctionDef | undefined =>
    functions[k]?.inline === 'demanded' ? lowerFunction(pool, functions, functions[k]) : undefined;
  return inlineCalls(pool, demanded, expr, memo);
}

/** Whether a function is in lowered form: its calls count elements of outputs, others outputs. */
export const isLowered = (fn: FunctionDef): boolean => lowered.get(fn) === fn;

/** Declares a function to be in lowered form; for those that build functions out of lowered ones. */
export function markLowered(fn: FunctionDef): FunctionDef {
  lowered.set(fn, fn);
  return fn;
}

class Lowering implements StatementRewriter {
  private readonly locals: FunctionLocal[];
  private readonly context: ScalariseContext;
  private readonly inlined = new Map<Expr, Expr>();

  constructor(
    private readonly pool: Pool,
    private readonly functions: readonly FunctionDef[],
    private readonly fn: FunctionDef,
  ) {
    this.locals = [...fn.locals];
    this.context = {
      functions,
      dimsOfSymbol: () => [],
      symbolElement: (symbol) => symbol,
      iterators: new Map(),
      dimsOfLocal: (index) => this.locals[index]!.dims,
    };
  }

  run(): FunctionDef {
    this.fn.locals.forEach((local, k) => {
      if (!local.initial) return;
      const value = this.value(local.initial);
      const initial =
        local.dims.length === 0 ? value.items[0]! : this.whole(local.initial, value, local.dims);
      this.locals[k] = { ...local, initial };
    });
    return { ...this.fn, locals: this.locals, body: rewriteStatements(this, this.fn.body) };
  }

  assign({ target, value, span }: Assignment): FunctionStatement[] {
    const assigned = (to: Expr, from: Expr): Assignment => ({
      kind: 'assign',
      target: to,
      value: from,
      span,
    });
    const wholeTarget = this.wholeLocal(target);
    const call = value.kind === 'call' ? this.wholeCall(value) : undefined;
    if (call && wholeTarget) return [assigned(wholeTarget, call)];
    const values = this.value(value);
    if (wholeTarget) {
      const { dims } = this.locals[wholeTarget.index]!;
      return [assigned(wholeTarget, dims.length === 0 ? values.items[0]! : this.whole(value, values, dims))];
    }
    const targets = this.value(target);
    if (targets.dims.length === 0) return [assigned(targets.items[0]!, values.items[0]!)];
    // The right side may read what the left side writes, so it is computed into an array of its own first.
    const buffer = this.buffer(targets.dims);
    const filled = assigned(buffer, this.whole(value, values, targets.dims));
    return [filled, ...this.copied(buffer.index, targets, span)];
  }

  multiassign(statement: MultiAssignment): FunctionStatement[] {
    const callee = this.functions[statement.fn]!;
    const args = statement.args.flatMap((arg, k) => fitted(this.value(arg), callee.locals[k]!.dims, callee));
    const after: FunctionStatement[] = [];
    const targets = statement.targets.map((target, k) => {
      if (!target) return undefined;
      const whole = this.wholeLocal(target);
      if (whole) return whole;
      const elements = this.value(target);
      if (elements.dims.length === 0) return elements.items[0]!;
      const buffer = this.buffer(callee.locals[callee.inputs + k]!.dims);
      after.push(...this.copied(buffer.index, elements, statement.span));
      return buffer;
    });
    return [{ ...statement, targets, args }, ...after];
  }

  /** Copies the array local `from` to the elements `targets`. */
  private copied(from: number, targets: ArrayValue, span: Assignment['span']): FunctionStatement[] {
    const source = this.value(this.pool.local(from));
    return targets.items.map((target, k) => ({ kind: 'assign', target, value: source.items[k]!, span }));
  }

  /**
   * All elements of an array that a function gives, as the call for the first of them: one call for each element, with all
   * arguments, would be quadratic. Undefined where the call is written out, or the value is no array.
   */
  private wholeCall(value: Call): Expr | undefined {
    const fn = this.functions[value.fn]!;
    const { dims } = fn.locals[fn.inputs + value.output]!;
    if (dims.length === 0 || sizeOf(dims) === 0) return undefined;
    const args = value.args.flatMap((arg, k) => fitted(this.value(arg), fn.locals[k]?.dims ?? [], fn));
    const first = this.pool.call(value.fn, args, outputOffset(fn, value.output));
    const made = withInlinedCalls(this.pool, this.functions, first, this.inlined, this.fn);
    return made.kind === 'call' && made.fn === value.fn ? made : undefined;
  }

  /** A value for a whole array of the given sizes; a scalar fills it. */
  private whole(value: Expr, values: ArrayValue, dims: readonly number[]): Expr {
    const first = values.items[0];
    if (value.kind === 'call' && first?.kind === 'call' && first.fn === value.fn) return first;
    const items =
      values.dims.length === 0 ? new Array<Expr>(sizeOf(dims)).fill(values.items[0]!) : values.items;
    return this.pool.raw('array', items);
  }

  /** The variable, where `target` is all of one. */
  private wholeLocal(target: Expr): Local | undefined {
    if (target.kind !== 'local') return undefined;
    const all = target.subscripts.every((s) => s.kind === 'apply' && s.op === 'colon');
    return all ? this.pool.local(target.index) : undefined;
  }

  /** A new protected variable of the given sizes. */
  private buffer(dims: readonly number[]): Local {
    this.locals.push({ name: `$buffer${this.locals.length}`, type: 'Real', dims, initial: undefined });
    return this.pool.local(this.locals.length - 1);
  }

  range(range: Expr): Expr {
    if (range.kind === 'apply' && range.op === 'range') {
      const bounds = range.args.map((arg) => this.expression(arg));
      return this.pool.raw('range', bounds);
    }
    return this.pool.raw('array', this.value(range).items);
  }

  private value(expr: Expr): ArrayValue {
    const { dims, items } = arrayValue(this.pool, this.context, expr);
    return {
      dims,
      items: items.map((item) => withInlinedCalls(this.pool, this.functions, item, this.inlined, this.fn)),
    };
  }

  expression(expr: Expr): Expr {
    return this.value(expr).items[0]!;
  }
}
