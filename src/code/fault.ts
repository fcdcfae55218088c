/**
 * What stops generated code while it runs. Arithmetic never does (it gives NaN or infinity, and whoever needs a
 * finite number asks `findFault` why there is none); the checks inside user functions do.
 */
import type { DiagnosticCode } from '../diagnostic/codes.ts';
import { error } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { Span } from '../diagnostic/source.ts';
import { ForeignError } from '../symbolic/foreign.ts';
import { statusSlot, statusValueSlot } from './memory.ts';

export type FaultKind =
  | 'index-out-of-range'
  | 'zero-step'
  | 'loop-limit'
  | 'recursion'
  | 'assertion'
  | 'external';

/**
 * What to tell the user, given the value that failed the check and the name of the function; undefined where the
 * interpreter must be asked.
 */
export type Message = (value: number, fn: string) => string | undefined;

const codes: Record<FaultKind, DiagnosticCode> = {
  'index-out-of-range': 'index-out-of-range',
  'zero-step': 'bad-evaluation',
  'loop-limit': 'limit-exceeded',
  recursion: 'limit-exceeded',
  assertion: 'assertion',
  external: 'external-failed',
};

/** A check in generated code, by the number it reports when it fails. */
export interface Site {
  readonly kind: FaultKind;
  readonly fn: string;
  readonly span: Span | undefined;
  readonly message: Message;
}

/** A check inside a user function failed while compiled code ran. */
export class EvaluationError extends Failure {
  constructor(
    readonly kind: FaultKind,
    /** Name of the user function. */
    readonly fn: string,
    readonly span: Span | undefined,
    message: string | (() => string),
  ) {
    super('simulate', () => [
      error(codes[kind], typeof message === 'string' ? message : message(), { span }),
    ]);
    this.name = 'EvaluationError';
  }
}

/**
 * Turns a trap into the error of the check that caused it. The code has left the number of the check, from 1, and the value that failed it
 * in the memory (`memory.ts`).
 */
export function faultOf(
  problem: unknown,
  sites: readonly Site[],
  values: Float64Array,
  /** Gives the function that finds the message; it is asked for at once, while the memory is what it was, and called when somebody wants to know. */
  interpretedMessage: () => () => string,
): unknown {
  if (problem instanceof ForeignError) return foreignFault(problem);
  const site = sites[values[statusSlot]! - 1];
  values[statusSlot] = 0;
  if (site) {
    const { kind, fn, span, message } = site;
    const text = message(values[statusValueSlot]!, fn) ?? interpretedMessage();
    return new EvaluationError(kind, fn, span, text);
  }
  if (!(problem instanceof RangeError)) return problem;
  return new EvaluationError('recursion', '', undefined, 'Function calls are nested too deeply.');
}

/** What an external function says when it fails is a check like others. */
export function foreignFault({ diagnostics }: ForeignError): EvaluationError {
  const { message, span } = diagnostics[0]!;
  return new EvaluationError('external', '', span, message);
}

/** The message of a failed assertion: what `interpret`, which meets it again, throws. */
export function messageOf(interpret: () => void): string {
  try {
    interpret();
  } catch (problem) {
    if (problem instanceof Failure) return problem.diagnostics[0]!.message;
  }
  return 'An assertion is violated.';
}

/** Iterations of all loops together in one run of a routine. */
export const loopLimit = 10_000_000;
/** Calls of recursive functions that may be open at once. */
export const recursionLimit = 1000;
