/**
 * Diagnostics: the one format in which every stage tells the user what is wrong. Inside the compiler they are
 * values that are collected; `Failure` carries them through code that cannot go on.
 */
import type { DiagnosticCode } from './codes.ts';
import type { Fix } from './fix.ts';
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
  /** The same as changes of texts, where it can be said so. */
  readonly fix?: Fix;
  /** Only of a model that stands for itself: as a part of another one it has what is missing. */
  readonly isOfWhole?: boolean;
  readonly notes: readonly Note[];
}

/** The stage of a run in which it failed, as the command line reports it. */
export type Stage = 'syntax' | 'flatten' | 'translate' | 'initialise' | 'simulate';

export interface DiagnosticOptions {
  readonly span?: Span | undefined;
  readonly hint?: string | undefined;
  readonly commandHint?: string | undefined;
  readonly fix?: Fix | undefined;
  readonly isOfWhole?: boolean;
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
    ...(options.fix && { fix: options.fix }),
    ...(options.isOfWhole && { isOfWhole: true }),
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

export const hasErrors = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ severity }) => severity === 'error');
