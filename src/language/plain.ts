/** Diagnostics as plain data, with places by path: what a thread that checks hands to the one that shows. */
import type { Diagnostic, Severity } from '../diagnostic/diagnostic.ts';
import type { TextChange } from '../syntax/change.ts';
import type { QuickFix } from './fixes.ts';
import { type Location, locationOf } from './places.ts';

export interface CheckedDiagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly place: Location;
  readonly hint?: string;
  readonly notes: readonly { readonly message: string; readonly place?: Location }[];
  /** What would put it right: changes by path. */
  readonly fix?: {
    readonly title: string;
    readonly changes: readonly (readonly [string, readonly TextChange[]])[];
  };
}

/** A diagnostic of a text; one without a place stands at the beginning. */
export function plainDiagnostic(
  { code, severity, message, span, hint, notes }: Diagnostic,
  path: string,
  fix: QuickFix | undefined,
): CheckedDiagnostic {
  return {
    code,
    severity,
    message,
    place: span ? locationOf(span) : { path, from: 0, to: 0 },
    notes: notes.map((note) => ({
      message: note.message,
      ...(note.span && { place: locationOf(note.span) }),
    })),
    ...(hint !== undefined && { hint }),
    ...(fix && { fix: { title: fix.title, changes: [...fix.changes] } }),
  };
}
