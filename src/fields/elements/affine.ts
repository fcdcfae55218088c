/**
 * Elements of arrays as functions of loop counters.
 *
 * Encoding: the element of an array is `Ref` with the subscripts `base, stride₀, stride₁, …` (constants): it stands for the
 * element number `base + Σ strideₖ·cₖ`, row-major from 0, where cₖ counts the k-th loop around it. Within a pool, equal
 * accesses are therefore the same object. The value of counter k is `Iter` number k. A sum over a loop of its own
 * is `sumOver(value, Iter k, range 0:extent-1)`, and so are the other reductions; k counts on from the loops around it.
 */
import type { Apply, Call, Const, Expr, Op, Ref } from '../../symbolic/expr.ts';
import type { FunctionDef } from '../../symbolic/function.ts';
import { ofNothing } from '../../symbolic/operators.ts';
import type { Pool } from '../../symbolic/pool.ts';

/** `base + Σ strides[k]·cₖ`; strides that are missing are 0. */
export interface Affine {
  readonly base: number;
  readonly strides: readonly number[];
}

/** The reason why an equation is left to the scalar part. It ends the writing of its elements, at any depth, and is a value for all others. */
export class Unfit {
  constructor(readonly reason: string) {}
}

/** What is written with loops, or why it cannot be. */
export function fitted<T>(write: () => T): T | Unfit {
  try {
    return write();
  } catch (problem) {
    if (problem instanceof Unfit) return problem;
    throw problem;
  }
}

/** Loop `depth` must be cut so that a part begins at its count `at`; or, with a `period`, into as many loops, each of every so manieth turn. */
export class Cut {
  constructor(
    readonly depth: number,
    readonly at: number,
    readonly period: number = 1,
  ) {}

  /** The turns of each part, of n turns. */
  parts(n: number): readonly Turns[] {
    const { at, period } = this;
    if (period > 1)
      return Array.from({ length: period }, (_, first) => ({
        first,
        step: period,
        count: Math.ceil((n - first) / period),
      }));
    return [
      { first: 0, step: 1, count: at },
      { first: at, step: 1, count: n - at },
    ];
  }
}

/** Turns of a loop: `first`, `first + step`, and so on. */
export interface Turns {
  readonly first: number;
  readonly step: number;
  readonly count: number;
}

/**
 * What is written in all turns of nested loops, the outermost of which has the number `outer`; in as many parts, `most` of them, as the loops
 * have to be cut into.
 */
export function writtenInParts<T>(
  extents: readonly number[],
  outer: number,
  most: number,
  what: string,
  write: (loops: readonly Turns[]) => T,
): T[] {
  const open: (readonly Turns[])[] = [extents.map((count) => ({ first: 0, step: 1, count }))];
  const parts: T[] = [];
  for (let loops = open.pop(); loops; loops = open.pop()) {
    try {
      parts.push(write(loops));
    } catch (problem) {
      if (!(problem instanceof Cut) || problem.depth < outer) throw problem;
      if (parts.length + open.length > most) throw new Unfit(`${what} has too many parts`);
      open.push(...cutTurns(loops, problem, outer));
    }
  }
  return parts;
}

/** The parts of nested loops of which one is cut, the last one first. */
function cutTurns(loops: readonly Turns[], cut: Cut, outer: number): Turns[][] {
  const depth = cut.depth - outer;
  const { first, step, count } = loops[depth]!;
  return cut
    .parts(count)
    .map((part) => ({ first: first + step * part.first, step: step * part.step, count: part.count }))
    .map((part) => loops.map((loop, k) => (k === depth ? part : loop)))
    .reverse();
}

/** What the elements belong to. */
export interface Arrays {
  readonly pool: Pool;
  readonly dimsOf: (symbol: number) => readonly number[];
  /** User functions, by the numbers that calls have. */
  readonly functions: readonly FunctionDef[];
  /** The value of a scalar that sizes and subscripts may use. */
  readonly known: (symbol: number) => number | undefined;
  /** Numbers that lie in memory as they are: gives the symbol of an array that holds them. */
  readonly data: (values: Float64Array) => number;
}

const noStrides: readonly number[] = [];

export const constantIndex = (base: number): Affine => ({ base, strides: noStrides });

/** `offset + factor·counter` of one loop. */
export function counter(depth: number, factor = 1, offset = 0): Affine {
  const strides = new Array<number>(depth + 1).fill(0);
  strides[depth] = factor;
  return { base: offset, strides };
}

export function scaled(a: Affine, factor: number, offset = 0): Affine {
  return { base: a.base * factor + offset, strides: a.strides.map((s) => s * factor) };
}

export function sum(a: Affine, b: Affine): Affine {
  const length = Math.max(a.strides.length, b.strides.length);
  const strides = Array.from({ length }, (_, k) => (a.strides[k] ?? 0) + (b.strides[k] ?? 0));
  return { base: a.base + b.base, strides };
}

export const isConstant = (a: Affine): boolean => a.strides.every((s) => s === 0);

/** A reference that has the form of an access. */
export type Access = Ref & { readonly subscripts: readonly [Const, ...Const[]] };

export const isAccess = (expr: Expr): expr is Access => expr.kind === 'ref' && expr.subscripts.length > 0;

/** Base and strides of an access; a scalar is its own element 0. */
export function affineOf(access: Ref): Affine {
  const [base = 0, ...strides] = access.subscripts.map((s) => (s as { value: number }).value);
  return { base, strides };
}

/** Least and greatest value of an index in all turns of loops. */
export function boundsOf({ base, strides }: Affine, extents: readonly number[]): [number, number] {
  let low = base;
  let high = base;
  strides.forEach((stride, k) => {
    const span = stride * (extents[k]! - 1);
    if (span < 0) low += span;
    else high += span;
  });
  return [low, high];
}

/** The count of each loop in a turn, counted row by row. */
export function countsOf(extents: readonly number[], turn: number): number[] {
  const counts: number[] = [];
  let rest = turn;
  for (let k = extents.length - 1; k >= 0; k--) {
    counts[k] = rest % extents[k]!;
    rest = Math.floor(rest / extents[k]!);
  }
  return counts;
}

export function accessTo(pool: Pool, symbol: number, order: number, { base, strides }: Affine): Ref {
  let last = strides.length;
  while (last > 0 && strides[last - 1] === 0) last--;
  const subscripts = [base, ...strides.slice(0, last)].map((n) => pool.const(n));
  return pool.ref(symbol, order, subscripts);
}

/** The value of an index as an expression of the counters. */
export function indexValue(pool: Pool, { base, strides }: Affine): Expr {
  let value: Expr = pool.const(base);
  strides.forEach((stride, k) => {
    if (stride !== 0) value = pool.add(value, pool.mul(pool.const(stride), pool.iter(k)));
  });
  return value;
}

export type ReductionOp = Extract<Op, 'sumOver' | 'productOver' | 'minOver' | 'maxOver'>;

/** What a reduction of nothing is, and what it begins with. */
export const neutral: Readonly<Record<ReductionOp, number>> = {
  sumOver: ofNothing.sum,
  productOver: ofNothing.product,
  minOver: ofNothing.min,
  maxOver: ofNothing.max,
};

/** What puts two values of a reduction together. */
export const combined: Readonly<Record<ReductionOp, Op>> = {
  sumOver: 'add',
  productOver: 'mul',
  minOver: 'min',
  maxOver: 'max',
};

/** `value, (Iter k, range 0:extent-1)…`. */
export type Reduction = Apply & { readonly op: ReductionOp };

export const isReduction = (expr: Expr): expr is Reduction => expr.kind === 'apply' && expr.op in combined;

/** The same operator or call over other arguments; of a reduction, its value alone is another. */
export function withArguments(pool: Pool, expr: Apply | Call, map: (arg: Expr) => Expr): Expr {
  const args = expr.args.map((arg, k) => (isReduction(expr) && k > 0 ? arg : map(arg)));
  return expr.kind === 'call' ? pool.call(expr.fn, args, expr.output) : pool.raw(expr.op, args);
}
