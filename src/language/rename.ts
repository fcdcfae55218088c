/**
 * Renaming: all places of the workspace that mean the same thing get another name, or it is said why that cannot be done. The result is tried before it is given: every name that has the
 * new spelling then, renamed or not, must mean what it meant before, and no class may have a mistake more. So nothing is captured, hidden or declared twice.
 */

import { shapeOf } from '../model/classes/shape.ts';
import { builtinNames, predefinedClasses } from '../model/predefined.ts';
import type { TextChange } from '../syntax/change.ts';
import { changedText } from '../syntax/change.ts';
import { keywords } from '../syntax/tokens.ts';
import { classesIn } from './checks.ts';
import type { Document } from './document.ts';
import { type Named, type Use, usesOf } from './find.ts';
import { declarationOf, elementIn, identityOf, type Meaning, nameOf, topLevel, typeOf } from './meaning.ts';
import { eachMention } from './mentions.ts';
import { nameOf as fileName, folderOf, inFolder, isBelow } from './paths.ts';
import type { TextRange } from './places.ts';
import { entityAt } from './scopes.ts';
import type { Workspace } from './workspace.ts';

/** Changes of several texts, and files that are moved after them. */
export interface Renaming {
  readonly changes: ReadonlyMap<string, readonly TextChange[]>;
  readonly moves: readonly { readonly from: string; readonly to: string }[];
}

/** Why a name cannot be another one. */
export interface Refusal {
  readonly refused: string;
}

export const isRefused = (result: Renaming | Refusal): result is Refusal => 'refused' in result;

const refused = (reason: string): Refusal => ({ refused: reason });

/** The name at a place, where it can be renamed at all. */
export function renamable(workspace: Workspace, named: Named | undefined): TextRange | Refusal {
  if (!named) return refused('There is no name here.');
  const { meaning, text, from, to } = named;
  if (meaning.kind === 'builtin' || meaning.kind === 'attribute')
    return refused(`\`${text}\` is part of the language.`);
  const place = declarationOf(meaning);
  if (!place) return refused(`\`${text}\` is part of the language.`);
  if (workspace.isOfLibrary(place.source.name))
    return refused(`\`${text}\` is declared in a library: ${place.source.name}.`);
  return { from, to };
}

export function rename(
  workspace: Workspace,
  path: string,
  named: Named | undefined,
  name: string,
): Renaming | Refusal {
  const range = renamable(workspace, named);
  if ('refused' in range) return range;
  const { meaning, text } = named!;
  const wrong = wrongName(name) ?? seenByLibraries(workspace, meaning);
  if (wrong) return refused(wrong);
  if (name === text) return { changes: new Map(), moves: [] };
  const isAlias = text !== nameOf(meaning);
  const all = usesOf(workspace, text, identitiesOf(workspace, meaning));
  // `import A = B.C`: the places of one text where `A` stands for it.
  const uses = isAlias ? all.filter(({ document }) => document.path === path) : all;
  if (isAlias && !uses.some(({ role }) => role === 'declares'))
    return refused(`\`${text}\` is no name of its own.`);
  const changes = changesOf(uses, name);
  const moves = isAlias || meaning.kind !== 'class' ? [] : movesOf(workspace, meaning, text, name);
  const clash =
    (isAlias ? undefined : taken(workspace, meaning, text, name)) ??
    new Trial(workspace, changes, moves).clash(text, name);
  if (clash) return refused(clash);
  return { changes: withOrder(workspace, changes, moves, text, name), moves };
}

/** What is wrong with a new name by itself. */
function wrongName(name: string): string | undefined {
  if (keywords.includes(name)) return `\`${name}\` is a reserved word.`;
  if (!/^(?:[A-Za-z_]\w*|'(?:[^'\\\r\n]|\\.)+')$/.test(name))
    return `\`${name}\` is no identifier: letters, digits and \`_\`, or anything in single quotes.`;
  if (predefinedClasses.has(name) || builtinNames.has(name)) return `\`${name}\` is part of the language.`;
  return undefined;
}

/** An inner component is found by its name, also by components of libraries. */
function seenByLibraries(workspace: Workspace, meaning: Meaning): string | undefined {
  if (meaning.kind !== 'component') return undefined;
  const { clause, name } = meaning.component;
  if (!clause.prefixes.inner && !clause.prefixes.outer) return undefined;
  const type = typeOf(meaning.component);
  if (!type || !workspace.isOfLibrary(type.definition.source.name)) return undefined;
  return `\`${name}\` is found by its name by components of the library that its class \`${type.path}\` belongs to.`;
}

/** What is renamed together: inner and outer components find each other by their name. */
function identitiesOf(workspace: Workspace, meaning: Meaning): Set<string> {
  const identities = new Set([identityOf(meaning)]);
  if (!isInnerOrOuter(meaning)) return identities;
  for (const document of workspace.documents()) {
    if (!document.text.includes(nameOf(meaning))) continue;
    eachMention(document, workspace.layer(document.path), (mention) => {
      if (mention.text !== nameOf(meaning) || mention.role !== 'declares') return;
      const other = mention.meaning();
      if (other && isInnerOrOuter(other)) identities.add(identityOf(other));
    });
  }
  return identities;
}

const isInnerOrOuter = (meaning: Meaning): boolean =>
  meaning.kind === 'component' &&
  (meaning.component.clause.prefixes.inner || meaning.component.clause.prefixes.outer);

function changesOf(uses: readonly Use[], name: string): Map<string, TextChange[]> {
  const changes = new Map<string, TextChange[]>();
  const inOrder = [...uses].sort((a, b) => a.from - b.from);
  for (const { document, from, to } of inOrder) {
    const list = changes.get(document.path) ?? [];
    // A place that is mentioned twice is one place.
    if (list.at(-1)?.from !== from) list.push({ from, to, insert: name });
    changes.set(document.path, list);
  }
  return changes;
}

// ---------------------------------------------------------------- what would come of it

/** A class that has the thing, and something else with its new name already. */
function taken(workspace: Workspace, meaning: Meaning, before: string, after: string): string | undefined {
  if (meaning.kind === 'iterator') return undefined;
  if (meaning.kind === 'literal')
    return elementIn(meaning.owner, after) && `\`${meaning.owner.path}\` has a literal \`${after}\` already.`;
  const identity = identityOf(meaning);
  for (const document of workspace.documents()) {
    const library = workspace.layer(document.path);
    const top = topLevel(library, before);
    if (top && identityOf(top) === identity && topLevel(library, after))
      return `There is a class \`${after}\` already.`;
    for (const { definition } of classesIn(document)) {
      const entity = entityAt(document, library, definition.name.end);
      const own = entity && elementIn(entity, before);
      if (own && identityOf(own) === identity && elementIn(entity, after))
        return `\`${entity.path}\` has \`${after}\` already.`;
    }
  }
  return undefined;
}

/** A name of a text with what it means, in a form that can be compared with that after a change. */
interface Known extends TextRange {
  readonly identity: string | undefined;
}

/** The workspace as it would be. */
class Trial {
  private readonly after: Workspace;

  constructor(
    private readonly before: Workspace,
    private readonly changes: ReadonlyMap<string, readonly TextChange[]>,
    private readonly moves: Renaming['moves'],
  ) {
    const texts = new Map<string, string>();
    const gone = new Set(moves.map(({ from }) => from));
    for (const { path, text } of before.documents()) {
      const list = changes.get(path);
      const path2 = this.pathAfter(path);
      if (path2 !== path) gone.add(path);
      if (path2 !== path || list) texts.set(path2, list ? changedText(text, list) : text);
    }
    this.after = before.with(texts, gone);
  }

  private pathAfter(path: string): string {
    const move = this.moves.find(({ from }) => path === from || isBelow(path, from));
    return move ? move.to + path.slice(move.from.length) : path;
  }

  /** Why it would mean something else. */
  clash(old: string, name: string): string | undefined {
    for (const document of this.before.documents()) {
      const { path, text } = document;
      if (!text.includes(old) && !text.includes(name)) continue;
      const now = this.after.document(this.pathAfter(path));
      if (!now || now.parsed.diagnostics.length > document.parsed.diagnostics.length)
        return `\`${name}\` cannot stand where \`${old}\` does in \`${path}\`.`;
      const found = new Map(meanings(this.after, now, [old, name]).map((one) => [one.from, one]));
      for (const one of meanings(this.before, document, [old, name])) {
        const { from, identity } = this.moved(one, path);
        if (found.get(from)?.identity === identity) continue;
        const { line } = now.source.position(from);
        return `In \`${path}\`, line ${line}, \`${name}\` would mean something else: the name is taken there.`;
      }
      const problem = newProblem(problemsIn(this.before, document), problemsIn(this.after, now));
      if (problem) return problem;
    }
    return undefined;
  }

  /** A name as it must be afterwards. */
  private moved({ from, to, identity }: Known, path: string): Known {
    const [, where, start] = /^(.*) (\d+)$/.exec(identity ?? '') ?? [];
    const place = (at: number, file: string): number => shifted(at, this.changes.get(file) ?? []);
    return {
      from: place(from, path),
      to: place(to, path),
      identity: where === undefined ? identity : `${this.pathAfter(where)} ${place(Number(start), where)}`,
    };
  }
}

function meanings(workspace: Workspace, document: Document, names: readonly string[]): Known[] {
  const found: Known[] = [];
  eachMention(document, workspace.layer(document.path), ({ from, to, text, meaning }) => {
    if (!names.includes(text)) return;
    const known = meaning();
    found.push({ from, to, identity: known && identityOf(known) });
  });
  return found;
}

/** Where a place is after changes before it. */
const shifted = (at: number, changes: readonly TextChange[]): number =>
  changes.reduce((sum, { from, to, insert }) => (from < at ? sum + insert.length - (to - from) : sum), at);

/** A mistake that a class has only afterwards. */
function newProblem(before: readonly string[][], after: readonly string[][]): string | undefined {
  for (const [k, problems] of after.entries())
    if (problems.length > (before[k]?.length ?? 0)) return problems.at(-1)!;
  return undefined;
}

/** What is wrong with the elements of each class of a text. */
const problemsIn = (workspace: Workspace, document: Document): string[][] =>
  classesIn(document).map(({ definition }) => {
    const entity = entityAt(document, workspace.layer(document.path), definition.name.end);
    return entity ? shapeOf(entity.self).problems.map(({ message }) => message) : [];
  });

// ---------------------------------------------------------------- files

/** Files and folders that have the name of a class: they are moved with it. */
function movesOf(
  workspace: Workspace,
  meaning: Extract<Meaning, { kind: 'class' }>,
  text: string,
  name: string,
): Renaming['moves'] {
  const path = declarationOf(meaning)!.source.name;
  const document = workspace.document(path);
  const isOutermost = document?.definition.classes.some(
    (one) => one.name.start === declarationOf(meaning)!.start,
  );
  if (!isOutermost) return [];
  if (fileName(path) === `${text}.mo`) return [{ from: path, to: inFolder(folderOf(path), `${name}.mo`) }];
  const folder = folderOf(path);
  if (fileName(path) !== 'package.mo' || fileName(folder) !== text) return [];
  return [{ from: folder, to: inFolder(folderOf(folder), name) }];
}

/** The list of classes of a package names those that are moved. */
function withOrder(
  workspace: Workspace,
  changes: ReadonlyMap<string, readonly TextChange[]>,
  moves: Renaming['moves'],
  text: string,
  name: string,
): Renaming['changes'] {
  const all = new Map(changes);
  for (const { from } of moves) {
    const path = inFolder(folderOf(from), 'package.order');
    const order = workspace.text(path);
    const found =
      order === undefined ? undefined : new RegExp(`^[ \\t]*(${escaped(text)})[ \\t]*$`, 'm').exec(order);
    if (!found) continue;
    const at = found.index + found[0].indexOf(text);
    all.set(path, [{ from: at, to: at + text.length, insert: name }]);
  }
  return all;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
