/**
 * Diagnostics: the one format in which every stage tells the user what is wrong. Inside the compiler they are
 * values that are collected; `Failure` carries them through code that cannot go on.
 */
import type { DiagnosticCode } from './codes.ts';
import { renderDiagnostic } from './render.ts';
import type { Span } from './source.ts';
import { shortened } from './visible.ts';

export type Severity = 'error' | 'warning' | 'info';

export interface Note {
  readonly message: string;
  readonly span?: Span;
}

export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** What is wrong, in one sentence that names things as the user does. */
  readonly message: string;
  readonly span?: Span;
  /** What to do about it, where that is known. */
  readonly hint?: string;
  /** The same for people at the command line, where its options are what helps. */
  readonly commandHint?: string;
  readonly notes: readonly Note[];
}

/** The stage of a run in which it failed, as the command line reports it. */
export type Stage = 'syntax' | 'flatten' | 'translate' | 'initialise' | 'simulate';

export interface DiagnosticOptions {
  readonly span?: Span | undefined;
  readonly hint?: string | undefined;
  readonly commandHint?: string | undefined;
  readonly notes?: readonly Note[];
}

export function diagnostic(
  severity: Severity,
  code: DiagnosticCode,
  message: string,
  options: DiagnosticOptions = {},
): Diagnostic {
  return {
    code,
    severity,
    message: shortened(message, LONGEST),
    notes: few(options.notes ?? []),
    ...(options.span && { span: options.span }),
    ...(options.hint && { hint: shortened(options.hint, LONGEST) }),
    ...(options.commandHint && { commandHint: shortened(options.commandHint, LONGEST) }),
  };
}

/** Characters of a sentence, and notes, that anybody reads. */
const LONGEST = 2000;
const MOST_NOTES = 100;

function few(notes: readonly Note[]): readonly Note[] {
  const kept = notes
    .slice(0, MOST_NOTES)
    .map((note) =>
      note.message.length > LONGEST ? { ...note, message: shortened(note.message, LONGEST) } : note,
    );
  return notes.length > MOST_NOTES ? [...kept, { message: `… and ${notes.length - MOST_NOTES} more` }] : kept;
}

export const error = (code: DiagnosticCode, message: string, options?: DiagnosticOptions): Diagnostic =>
  diagnostic('error', code, message, options);

export const warning = (code: DiagnosticCode, message: string, options?: DiagnosticOptions): Diagnostic =>
  diagnostic('warning', code, message, options);

/**
 * Thrown where work cannot go on; always carries at least one error for the user. Where nobody catches it, its host prints it: the
 * diagnostics as text with their places, then the stack. All else would bury these, so it is not enumerable.
 */
export class Failure extends Error {
  declare readonly stage: Stage;
  declare readonly diagnostics: readonly Diagnostic[];

  constructor(stage: Stage, diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((d) => d.message).join('\n'));
    // Stacks are formatted when somebody looks at them; most failures are caught, and nobody does.
    const trace = new Error();
    let stack: string | undefined;
    Object.defineProperties(this, {
      name: { value: 'Failure', writable: true, configurable: true },
      stage: { value: stage },
      diagnostics: { value: diagnostics },
      stack: {
        get: () => (stack ??= printed(this, trace)),
        set: (other: string) => (stack = other),
        configurable: true,
      },
    });
  }
}

/** Diagnostics as text, and below them the frames of a stack. */
function printed({ name, diagnostics }: Failure, { stack = '' }: Error): string {
  const text = diagnostics.map((item) => renderDiagnostic(item)).join('\n');
  const frames = stack
    .split('\n')
    .filter((line) => /:\d+:\d+\)?$/.test(line) && !line.includes('new Failure'));
  return [`${name}:\n${text}`, ...frames].join('\n');
}
