/**
 * What stops generated code while it runs. Arithmetic never does (it gives NaN or infinity, and whoever needs a
 * finite number asks `findFault` why there is none); the checks inside user functions do.
 */
import type { Span } from '../diagnostic/source.ts';

export type FaultKind = 'index-out-of-range' | 'loop-limit' | 'recursion' | 'assertion';

/** A check inside a function failed; both back ends throw it. */
export class EvaluationError extends Error {
  readonly kind: FaultKind;
  /** Name of the user function. */
  readonly fn: string;
  readonly span: Span | undefined;

  constructor(kind: FaultKind, fn: string, span: Span | undefined, message: string) {
    super(message);
    this.name = 'EvaluationError';
    this.kind = kind;
    this.fn = fn;
    this.span = span;
  }
}

/** Iterations of all loops together in one run of a routine. */
export const loopLimit = 10_000_000;
/** Calls of recursive functions that may be open at once. */
export const recursionLimit = 1000;
