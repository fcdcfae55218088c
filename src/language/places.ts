/** Places in texts as the service gives them. */
import { locate, type Span } from '../diagnostic/source.ts';

/** Characters of a text, from `from` up to but without `to`, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A range of a text. */
export interface Location extends TextRange {
  readonly path: string;
}

/** Where a span was written. */
export function locationOf(span: Span): Location {
  const { source, start, end } = locate(span);
  return { path: source.name, from: start, to: end };
}
