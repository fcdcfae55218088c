/** Diagnostics as data that can be sent. */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { locate, type Span } from '../../diagnostic/source.ts';
import type { QuickFix } from '../../language/index.ts';
import type { Message, Place } from '../protocol.ts';

/** With what would put them right, where somebody knows. */
export function messagesOf(
  diagnostics: readonly Diagnostic[],
  fixOf: (diagnostic: Diagnostic) => QuickFix | undefined = () => undefined,
): Message[] {
  return diagnostics.map((diagnostic) => {
    const { severity, code, message, hint, span, notes } = diagnostic;
    const fix = fixOf(diagnostic);
    return {
      severity,
      code,
      text: message,
      ...(hint !== undefined && { hint }),
      ...(span && { place: placeOf(span) }),
      notes: notes.map((note) => ({ text: note.message, ...(note.span && { place: placeOf(note.span) }) })),
      ...(fix && { fix: { title: fix.title, changes: [...fix.changes] } }),
    };
  });
}

export function placeOf(span: Span): Place {
  const { source, start, end } = locate(span);
  return { file: source.name, from: start, to: end, ...source.position(start) };
}
