/**
 * The notation of these tests. A text has a `|` where the cursor is; `at` gives a service with the text, the path and the place. Several texts are an object by path, of which one
 * has the mark. Answers are written as short texts: a place as `M.mo:2:5`, a range as the text in it.
 */
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { placeText } from '../../src/diagnostic/source.ts';
import { LanguageService, type OutlineItem, type WorkspaceOptions } from '../../src/language/index.ts';

export type Texts = string | Readonly<Record<string, string>>;

export interface Place {
  readonly service: LanguageService;
  readonly path: string;
  readonly offset: number;
  readonly text: string;
}

const textsOf = (texts: Texts): Readonly<Record<string, string>> =>
  typeof texts === 'string' ? { 'M.mo': texts } : texts;

/** A service with texts, of which the one with the mark has its place. */
export function at(texts: Texts, options: WorkspaceOptions = {}): Place {
  const service = new LanguageService(options);
  let place: Place | undefined;
  for (const [path, marked] of Object.entries(textsOf(texts))) {
    const offset = marked.indexOf('|');
    const text = offset < 0 ? marked : marked.slice(0, offset) + marked.slice(offset + 1);
    service.open(path, text);
    if (offset >= 0) place = { service, path, offset, text };
  }
  if (!place) throw new Error('no text has a mark');
  return place;
}

/** A service with texts. */
export function having(texts: Texts, options: WorkspaceOptions = {}): LanguageService {
  const service = new LanguageService(options);
  for (const [path, text] of Object.entries(textsOf(texts))) service.open(path, text);
  return service;
}

/** `M.mo:2:5 unknown-name There is no …` */
export const shown = (diagnostics: readonly Diagnostic[]): string[] =>
  diagnostics.map(({ span, code, message }) => `${span ? placeText(span) : '?'} ${code} ${message}`);

/** What is wrong with a text, or with one of several. */
export const wrong = (texts: Texts, path = 'M.mo', options: WorkspaceOptions = {}): string[] =>
  shown(having(texts, options).diagnostics(path));

/** `model A[component x, equation equation]` */
export const tree = (items: readonly OutlineItem[]): string =>
  items
    .map(({ kind, name, children }) => `${kind} ${name}${children.length > 0 ? `[${tree(children)}]` : ''}`)
    .join(', ');

/** What can be written at the mark, in order: the labels, or those of a kind. */
export function completions(
  texts: Texts,
  options: WorkspaceOptions = {},
  kinds?: readonly string[],
): string[] {
  const { service, path, offset } = at(texts, options);
  const items = service.complete(path, offset)?.items ?? [];
  return items.filter(({ kind }) => !kinds || kinds.includes(kind)).map(({ label }) => label);
}

/** The declaration at the mark: `M.mo:1:14`. */
export function definition(texts: Texts, options: WorkspaceOptions = {}): string | undefined {
  const { service, path, offset } = at(texts, options);
  const found = service.definition(path, offset);
  if (!found) return undefined;
  const before = service.text(found.path)!.slice(0, found.from);
  return `${found.path}:${before.split('\n').length}:${found.from - before.lastIndexOf('\n')}`;
}

/** Marks the places that mean the same as that at the mark, with `‹` and `›`. */
export function references(texts: Texts, options: WorkspaceOptions = {}): Record<string, string> {
  const { service, path, offset } = at(texts, options);
  const found: Record<string, string> = {};
  for (const place of service.references(path, offset).sort((a, b) => b.from - a.from)) {
    const text = found[place.path] ?? service.text(place.path)!;
    found[place.path] =
      `${text.slice(0, place.from)}‹${text.slice(place.from, place.to)}›${text.slice(place.to)}`;
  }
  return found;
}
