/**
 * What stops generated code while it runs. Arithmetic never does (it gives NaN or infinity, and whoever needs a
 * finite number asks `findFault` why there is none); the checks inside user functions do.
 */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { error, Failure } from '../diagnostic/diagnostic.ts';
import type { Span } from '../diagnostic/source.ts';

export type FaultKind = 'index-out-of-range' | 'loop-limit' | 'recursion' | 'assertion';

/**
 * What to tell the user, given the value that failed the check and the name of the function; undefined where the
 * interpreter must be asked.
 */
export type Message = (value: number, fn: string) => string | undefined;

const codes: Record<FaultKind, DiagnosticCode> = {
  'index-out-of-range': 'index-out-of-range',
  'loop-limit': 'limit-exceeded',
  recursion: 'limit-exceeded',
  assertion: 'assertion',
};

/** A check inside a user function failed while compiled code ran. */
export class EvaluationError extends Failure {
  readonly kind: FaultKind;
  /** Name of the user function. */
  readonly fn: string;
  readonly span: Span | undefined;

  constructor(kind: FaultKind, fn: string, span: Span | undefined, message: string) {
    super('simulate', [error(codes[kind], message, { span })]);
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
