/** What stands at a place: the name with its meaning, where that is declared, and all places of the workspace that mean the same. */
import type { Span } from '../diagnostic/source.ts';
import type { Library } from '../model/library.ts';
import { T } from '../syntax/tokens.ts';
import { meaningOfPath, scopeOf, targetClass } from './completion.ts';
import { type Context, contextAt } from './context.ts';
import { type Description, describe } from './describe.ts';
import type { Document } from './document.ts';
import {
  calledBy,
  declarationOf,
  elementIn,
  identityOf,
  isPredefined,
  type Meaning,
  modifiable,
  type Scope,
} from './meaning.ts';
import { eachMention, type Mention, mentionAt } from './mentions.ts';
import { type Location, locationOf, type TextRange } from './places.ts';
import type { Workspace } from './workspace.ts';

/** A name at a place, and what it means. */
export interface Named extends TextRange {
  readonly text: string;
  readonly meaning: Meaning;
}

export interface Hover extends TextRange, Description {}

/** The name at a place; in what could not be read, as far as the words before it tell. */
export function namedAt(document: Document, library: Library, offset: number): Named | undefined {
  const mention = mentionAt(document, library, offset);
  if (mention) {
    const meaning = mention.meaning();
    return meaning && { from: mention.from, to: mention.to, text: mention.text, meaning };
  }
  const word = wordAt(document, offset);
  const context = word && contextAt(document, word.to);
  const meaning = context && meaningIn(context, scopeOf(document, library, context), word.text);
  return meaning && { ...word!, meaning };
}

/** The identifier at a place. */
function wordAt({ tokens, text }: Document, offset: number): (TextRange & { text: string }) | undefined {
  for (let k = 0; k < tokens.count && tokens.start[k]! <= offset; k++) {
    const [from, to] = [tokens.start[k]!, tokens.end[k]!];
    if (tokens.kind[k] === T.identifier && offset <= to) return { from, to, text: text.slice(from, to) };
  }
  return undefined;
}

/** What a word means where it would be completed. */
function meaningIn({ expected, path, calls }: Context, scope: Scope, word: string): Meaning | undefined {
  switch (expected.kind) {
    case 'modifier': {
      const { target } = expected;
      const entity = targetClass(scope, { ...target, inside: [...target.inside, ...(path?.names ?? [])] });
      return entity && modifiable(entity, word);
    }
    case 'import':
      return meaningOfPath(scope, { global: true, names: [...(path?.names ?? []), word] });
    case 'item':
    case 'class':
    case 'expression': {
      const meaning = meaningOfPath(scope, {
        global: path?.global ?? false,
        names: [...(path?.names ?? []), word],
      });
      const call = path ? undefined : calls.at(-1);
      const fn = meaning || !call ? undefined : calledBy(meaningOfPath(scope, call.callee));
      return meaning ?? (fn && elementIn(fn, word));
    }
    case 'nothing':
    case 'annotation':
    case 'end':
    case 'unit':
      return undefined;
    default:
      return expected satisfies never;
  }
}

export function hoverAt(document: Document, library: Library, offset: number): Hover | undefined {
  const named = namedAt(document, library, offset);
  return named && { from: named.from, to: named.to, ...describe(named.meaning) };
}

/** Where something is declared that is in force: a redeclaration rather than what it replaces. */
export function definitionOf(meaning: Meaning): Location | undefined {
  const span = declaredAt(meaning);
  return span && locationOf(span);
}

function declaredAt(meaning: Meaning): Span | undefined {
  switch (meaning.kind) {
    case 'class': {
      const { name, source } = meaning.entity.definition;
      return isPredefined(meaning.entity) ? undefined : { source, start: name.start, end: name.end };
    }
    case 'component': {
      const { lexical, declaration } = meaning.component;
      return lexical.span(declaration.name);
    }
    case 'literal':
    case 'iterator':
    case 'attribute':
    case 'builtin':
      return declarationOf(meaning);
    default:
      return meaning satisfies never;
  }
}

/** A name in a text of the workspace. */
export interface Use extends Mention {
  readonly document: Document;
}

/** All names of the workspace with a text that mean one of these. */
export function usesOf(workspace: Workspace, text: string, identities: ReadonlySet<string>): Use[] {
  const found: Use[] = [];
  for (const document of workspace.documents()) {
    if (!document.text.includes(text)) continue;
    eachMention(document, workspace.layer(document.path), (mention) => {
      if (mention.text !== text) return;
      const meaning = mention.meaning();
      if (meaning && identities.has(identityOf(meaning))) found.push({ ...mention, document });
    });
  }
  return found;
}
