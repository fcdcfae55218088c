/** What would put a mistake right, where that is known: changes that an editor can make. They are made where the hint is made. */
import type { Source, Span } from './source.ts';

export interface Fix {
  /** What is done: “Write `x`”. */
  readonly title: string;
  readonly changes: readonly Replacement[];
}

/** Text that is written in place of a span. */
export interface Replacement {
  readonly span: Span;
  readonly insert: string;
}

/** Another text in place of a span. */
export const replaced = (span: Span, insert: string, title = `Write \`${insert.trim()}\``): Fix => ({
  title,
  changes: [{ span, insert }],
});

/** A text at a place where there is none. */
export const inserted = (
  source: Source,
  at: number,
  insert: string,
  title = `Add \`${insert.trim()}\``,
): Fix => replaced({ source, start: at, end: at }, insert, title);

/** Another word in place of the first one of a spelling in a span; undefined where nothing is meant, or the word is not there. */
export function respelt(span: Span | undefined, word: string, meant: string | undefined): Fix | undefined {
  if (!span || meant === undefined) return undefined;
  const text = span.source.text.slice(span.start, span.end);
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (isLetter(text[at - 1]) || isLetter(text[at + word.length])) continue;
    const start = span.start + at;
    return replaced({ source: span.source, start, end: start + word.length }, meant);
  }
  return undefined;
}

const isLetter = (character: string | undefined): boolean => character !== undefined && /\w/.test(character);
