/** Diagnostics as data that can be sent. */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { locate, type Span } from '../../diagnostic/source.ts';
import type { Message, Place } from '../protocol.ts';

export function messagesOf(diagnostics: readonly Diagnostic[]): Message[] {
  return diagnostics.map(({ severity, code, message, hint, span, notes }) => ({
    severity,
    code,
    text: message,
    ...(hint !== undefined && { hint }),
    ...(span && { place: placeOf(span) }),
    notes: notes.map((note) => ({ text: note.message, ...(note.span && { place: placeOf(note.span) }) })),
  }));
}

export function placeOf(span: Span): Place {
  const { source, start, end } = locate(span);
  return { file: source.name, from: start, to: end, ...source.position(start) };
}
