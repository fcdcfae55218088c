/**
 * Sizes of arrays and positions in them. Elements are row-major: the last subscript runs fastest.
 */
import { Failure } from '../diagnostic/failure.ts';
import type { Expr } from './expr.ts';
import type { FunctionDef } from './function.ts';

/** Sizes and elements, row-major. */
export interface ArrayValue<E = Expr> {
  readonly dims: readonly number[];
  readonly items: readonly E[];
}

/** What a subscript picks from its dimension; a scalar subscript removes the dimension. */
export interface Picks<E> {
  readonly items: readonly E[];
  readonly scalar: boolean;
}

/** The sizes of what subscripts pick. */
export function keptDims(selection: readonly Picks<unknown>[]): number[] {
  return selection.filter((picks) => !picks.scalar).map((picks) => picks.items.length);
}

/** Visits the subscripts of all selected elements, last dimension fastest. */
export function eachElement<E>(selection: readonly Picks<E>[], visit: (subscripts: E[]) => void): void {
  const total = selection.reduce((product, picks) => product * picks.items.length, 1);
  for (let count = 0; count < total; count++) {
    const subscripts: E[] = new Array(selection.length);
    let rest = count;
    for (let k = selection.length - 1; k >= 0; k--) {
      const { items } = selection[k]!;
      subscripts[k] = items[rest % items.length]!;
      rest = Math.trunc(rest / items.length);
    }
    visit(subscripts);
  }
}

/** The number of elements of an array. */
export function sizeOf(dims: readonly number[]): number {
  let size = 1;
  for (const n of dims) size *= n;
  return size;
}

/** Row-major position (from 0) of subscripts (from 1). */
export function flatIndex(dims: readonly number[], index: readonly number[]): number {
  let flat = 0;
  for (let k = 0; k < dims.length; k++) {
    checkRange(index[k]!, dims[k]!);
    flat = flat * dims[k]! + (index[k]! - 1);
  }
  return flat;
}

/** Where the outputs of a function begin among its scalar outputs. */
export function outputOffset(fn: FunctionDef, output: number): number {
  let offset = 0;
  for (let k = 0; k < output; k++) offset += sizeOf(fn.locals[fn.inputs + k]!.dims);
  return offset;
}

/** The number that an expression is; an error for anything that is not constant. */
export function constant(expr: Expr, what: string): number {
  if (expr.kind === 'const') return expr.value;
  throw Failure.of('translate', 'variability', `${what} must be known when the model is translated.`);
}

/** `[2, 3]`. */
export const dimsText = (dims: readonly number[]): string => `[${dims.join(', ')}]`;

export function mismatch(message: string): never {
  throw Failure.of('translate', 'dimension-mismatch', message);
}

export function checkRange(i: number, n: number): void {
  if (Number.isInteger(i) && i >= 1 && i <= n) return;
  throw Failure.of('translate', 'bad-subscript', `The subscript ${i} is outside 1:${n}.`);
}
