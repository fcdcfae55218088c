/**
 * User functions in loops. Short ones without branches are written out; all others become functions of the module that the loops are in
 * (`code/callees.ts`), with scalars as arguments: the elements of an array are handed over one by one.
 *
 * Code is known by its text (`fields/code/wasm.ts`). In it, functions have numbers in the order in which the loops reach them, so that the text of a
 * function says what it computes and nothing of the model around it.
 */

import { reachedFunctions } from '../../code/callees.ts';
import { remember } from '../../collections/memo.ts';
import { children, fold, nodesOf } from '../../symbolic/analyse.ts';
import type { Call, Expr } from '../../symbolic/expr.ts';
import {
  expressionsOf,
  type FunctionDef,
  type FunctionStatement,
  type NestedStatement,
  statementsIn,
} from '../../symbolic/function.ts';
import { inlined } from '../../symbolic/inline.ts';
import { lowerFunction, lowerFunctions } from '../../symbolic/lower.ts';
import type { Pool } from '../../symbolic/pool.ts';
import { isTextOperator } from '../../symbolic/strings.ts';
import type { Arrays } from './affine.ts';
import { causesEvents } from './events.ts';
import type { Kernel } from './kernel.ts';

/** Operators, as often as they are written, up to which a call is written out. */
const mostWritten = 1000;

/** A call as a formula of its arguments, where that is short. */
export function writtenOut({ pool, functions }: Arrays, call: Call): Expr | undefined {
  const fn = lowerFunction(pool, functions, functions[call.fn]!);
  if (!isSmooth(fn)) return undefined;
  const formula = inlined(pool, fn, call);
  return formula && writtenSize(formula) <= mostWritten ? formula : undefined;
}

const smooth = new WeakMap<FunctionDef, boolean>();

/** Relations cause no events in a function, but would outside of it. */
function isSmooth(fn: FunctionDef): boolean {
  return remember(smooth, fn, () => {
    const values = fn.body.flatMap((s) => (s.kind === 'assign' ? [s.value] : []));
    const initial = fn.locals.flatMap((local) => local.initial ?? []);
    return !nodesOf(...values, ...initial).some(causesEvents);
  });
}

/** Nodes of an expression, those that are shared each time. */
function writtenSize(root: Expr): number {
  const sizes = new Map<Expr, number>();
  return fold(root, sizes, (node) => children(node).reduce((sum, child) => sum + sizes.get(child)!, 1));
}

/** The functions that kernels call, directly or through others. */
export class LoopFunctions {
  /** All functions of the model, in lowered form. */
  readonly functions: readonly FunctionDef[];
  /** Those that are called, by their number in texts. */
  readonly reached: readonly number[];
  private readonly numbers: ReadonlyMap<number, number>;
  /** How many of them are called while a model runs. */
  private readonly running: number;

  /** `once` are kernels that run before all others. */
  constructor(
    pool: Pool,
    functions: readonly FunctionDef[],
    kernels: readonly Kernel[],
    once: readonly Kernel[],
  ) {
    this.functions = functions.length === 0 ? functions : lowerFunctions(pool, functions);
    const running = reachedFunctions(this.functions, valuesOf(kernels));
    this.running = running.length;
    this.reached = [...new Set([...running, ...reachedFunctions(this.functions, valuesOf(once))])];
    this.numbers = new Map(this.reached.map((fn, k) => [fn, k]));
  }

  readonly numberOf = (fn: number): number => this.numbers.get(fn)!;

  /** What all functions compute. */
  get key(): string {
    return this.textsOf(this.reached);
  }

  /** What those compute that are called while a model runs. */
  get runningKey(): string {
    return this.textsOf(this.reached.slice(0, this.running));
  }

  private textsOf(functions: readonly number[]): string {
    return functions.map((fn) => this.textOf(fn)).join('\n');
  }

  private textOf(fn: number): string {
    const { locals, inputs, outputs, body } = this.functions[fn]!;
    const iterators = new Map<number, number>();
    const iteratorOf = (iterator: number): number => remember(iterators, iterator, () => iterators.size);
    return JSON.stringify({ locals, inputs, outputs, body }, (key, value: unknown) => {
      if (key === 'span' || key === 'name') return undefined;
      if (key === 'iterator') return iteratorOf(value as number);
      return isExpr(value) ? exprKey(value, this.numberOf, iteratorOf) : value;
    });
  }
}

function valuesOf(kernels: readonly Kernel[]): Expr[] {
  return kernels.flatMap(({ statements }) => statements.map(({ value }) => value));
}

/** Expressions have numbers, statements have none. */
function isExpr(value: unknown): value is Expr {
  return typeof value === 'object' && value !== null && 'id' in value;
}

/** An expression of locals, constants and iterators as text, without the numbers that a pool gives its nodes. */
export function exprKey(
  root: Expr,
  numberOf: (fn: number) => number,
  iteratorOf: (iterator: number) => number = (iterator) => iterator,
): string {
  const position = new Map<Expr, number>();
  const parts = nodesOf(root).map((node, k) => {
    position.set(node, k);
    const below = children(node).map((child) => position.get(child));
    switch (node.kind) {
      case 'local':
        return `l${node.index}${below.length > 0 ? `[${below}]` : ''}`;
      case 'const':
        return Object.is(node.value, -0) ? '-0' : `${node.value}`;
      case 'text':
        return JSON.stringify(node.value);
      case 'iter':
        return `i${iteratorOf(node.iterator)}`;
      case 'apply':
        return `${node.op}(${below})`;
      case 'call':
        return `f${numberOf(node.fn)}.${node.output}(${below})`;
      default:
        throw new Error(`an expression of kind ${node.kind} in a loop`);
    }
  });
  return parts.join(';');
}

const texts = new WeakMap<FunctionDef, boolean>();

/** Whether a function, or one that it calls, computes with Strings; messages are none of its computations. */
export function handlesTexts(functions: readonly FunctionDef[], fn: number): boolean {
  const definition = functions[fn]!;
  const known = texts.get(definition);
  if (known !== undefined) return known;
  texts.set(definition, false);
  const { locals, body } = definition;
  const initial = locals.flatMap((local) => local.initial ?? []);
  const own = [...statementsIn(body)].flatMap(({ message: _, ...rest }: NestedStatement<FunctionStatement>) =>
    expressionsOf(rest),
  );
  const called = [...statementsIn(body)].flatMap((statement) =>
    statement.kind === 'multiassign' ? [statement.fn] : [],
  );
  const found =
    locals.some(({ type }) => type === 'String') ||
    nodesOf(...initial, ...own).some(
      (node) =>
        (node.kind === 'apply' && isTextOperator(node.op)) ||
        (node.kind === 'call' && handlesTexts(functions, node.fn)),
    ) ||
    called.some((other) => handlesTexts(functions, other));
  texts.set(definition, found);
  return found;
}
