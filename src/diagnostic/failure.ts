/** Work that cannot go on. */
import type { DiagnosticCode } from './codes.ts';
import { type Diagnostic, type DiagnosticOptions, error, type Stage } from './diagnostic.ts';
import { renderDiagnostic } from './render.ts';

/**
 * Thrown where work cannot go on; always carries at least one error for the user. Where nobody catches it, its host prints it: the
 * diagnostics as text with their places, then the stack. All else would bury these, so it is not enumerable.
 */
export class Failure extends Error {
  declare readonly stage: Stage;
  declare readonly diagnostics: readonly Diagnostic[];

  /** With one error. */
  static of(stage: Stage, code: DiagnosticCode, message: string, options?: DiagnosticOptions): Failure {
    return new Failure(stage, [error(code, message, options)]);
  }

  /** Diagnostics that take long to find may be given as a function: most failures are caught, and nobody asks. */
  constructor(stage: Stage, diagnostics: readonly Diagnostic[] | (() => readonly Diagnostic[])) {
    const limit = Error.stackTraceLimit;
    // Its own frames would be formatted when they are replaced below.
    Error.stackTraceLimit = 0;
    super();
    Error.stackTraceLimit = limit;
    let known = typeof diagnostics === 'function' ? undefined : diagnostics;
    const found = () => (known ??= (diagnostics as () => readonly Diagnostic[])());
    // Stacks are formatted when somebody looks at them.
    const trace = new Error();
    let stack: string | undefined;
    Object.defineProperties(this, {
      name: { value: 'Failure', writable: true, configurable: true },
      stage: { value: stage },
      diagnostics: { get: found },
      stack: {
        get: () => (stack ??= printed(this, trace)),
        set: (other: string) => (stack = other),
        configurable: true,
      },
      // After the stack: hosts that write stacks in a way of their own read the message when it is replaced.
      message: {
        get: () =>
          found()
            .map((d) => d.message)
            .join('\n'),
        configurable: true,
      },
    });
  }
}

/** Does what may fail; gives its result, or the failure. */
export function attempted<T>(work: () => T): T | Failure {
  try {
    return work();
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  }
}

/** Does what may fail; gives the failure, where there is one. */
export function failureOf(work: () => unknown): Failure | undefined {
  const result = attempted(work);
  return result instanceof Failure ? result : undefined;
}

/** Diagnostics as text, and below them the frames of a stack. */
function printed({ name, diagnostics }: Failure, { stack = '' }: Error): string {
  const text = diagnostics.map((item) => renderDiagnostic(item)).join('\n');
  const frames = stack
    .split('\n')
    .filter((line) => /:\d+:\d+\)?$/.test(line) && !/\b(new Failure|(Failure|Function)\.of)\b/.test(line));
  return [`${name}:\n${text}`, ...frames].join('\n');
}
