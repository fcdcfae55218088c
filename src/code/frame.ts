/**
 * The frames of user functions: where their variables lie, as the function itself and its callers see them. Scalars are locals of
 * WebAssembly; arrays lie in memory, one after the other (`functions.ts`).
 */
import type { Span } from '../diagnostic/source.ts';
import type { Apply, Expr } from '../symbolic/expr.ts';
import { type FunctionDef, type FunctionStatement, statementsIn } from '../symbolic/function.ts';
import { sizeOf } from '../symbolic/shape.ts';

/** How an array or scalar is handed over: a scalar (`size` -1) by value, an array in the callee's frame. */
export interface Handover {
  readonly size: number;
  /** Bytes from the start of the frame. */
  readonly offset: number;
  readonly dims: readonly number[];
}

/** A user function as its callers see it. */
export interface Callee {
  readonly index: number;
  readonly inputs: readonly Handover[];
  readonly outputs: readonly Handover[];
}

/** The variables of a user function while its body is written. */
export interface FrameVariables {
  /** WebAssembly local of a scalar. */
  readonly scalar: (index: number) => number;
  readonly array: (index: number) => Handover | undefined;
  readonly iterator: (iterator: number) => number;
  /** Local that holds the address of the frame. */
  readonly frame: number;
  readonly name: (index: number) => string;
  /** Place of the statement that is being written. */
  readonly span: Span | undefined;
}

/** Where the variables of a function lie; known before any body is written. */
export interface FrameLayout {
  readonly places: readonly Handover[];
  /** Offsets of the values of for-loops over vectors, in order of the statements. */
  readonly vectors: ReadonlyMap<FunctionStatement, number>;
  readonly bytes: number;
}

export function layoutFrame(def: FunctionDef): FrameLayout {
  let bytes = 0;
  const places = def.locals.map((local): Handover => {
    if (local.dims.length === 0) return { size: -1, offset: 0, dims: local.dims };
    const size = sizeOf(local.dims);
    const offset = bytes;
    bytes += 8 * size;
    return { size, offset, dims: local.dims };
  });
  const vectors = new Map<FunctionStatement, number>();
  for (const statement of statementsIn(def.body)) {
    if (statement.kind !== 'for' || !isVector(statement.range)) continue;
    vectors.set(statement, bytes);
    bytes += 8 * statement.range.args.length;
  }
  return { places, vectors, bytes };
}

/** Values that a for-loop goes through, one by one. */
export function isVector(range: Expr): range is Apply {
  return range.kind === 'apply' && range.op === 'array';
}
