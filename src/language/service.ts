/**
 * The language service: what can be said about a place in a text of Modelica, for editors. Texts are given to it and changed; libraries are read through a
 * `FileSystem`. It never throws because of what stands in a text, and all places that it gives lie in the texts.
 */

import { type Diagnostic, hasErrors, warning } from '../diagnostic/diagnostic.ts';
import type { StopSignal } from '../diagnostic/pulse.ts';
import type { Library } from '../model/library.ts';
import { changedText, type TextChange } from '../syntax/change.ts';
import { type CheckedClass, Checks, classesIn } from './checks.ts';
import { type CompletionList, completionsAt, isSubsequence } from './completion.ts';
import type { Document } from './document.ts';
import { definitionOf, type Hover, hoverAt, namedAt, usesOf } from './find.ts';
import { type QuickFix, quickFix } from './fixes.ts';
import { type Fold, foldsOf } from './folds.ts';
import { type ClassifiedName, namesIn } from './highlight.ts';
import { declarationOf, identityOf } from './meaning.ts';
import { type OutlineItem, type OutlineKind, outlineOf } from './outline.ts';
import { plainPath } from './paths.ts';
import { type Location, locationOf, type TextRange } from './places.ts';
import { type Refusal, type Renaming, renamable, rename } from './rename.ts';
import { type Signature, signatureAt } from './signature.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

/** A class of the workspace. */
export interface FoundClass {
  readonly name: string;
  readonly kind: OutlineKind;
  /** The qualified name of the class around it. */
  readonly container: string;
  readonly place: Location;
}

export class LanguageService {
  private readonly workspace: Workspace;
  private readonly checks: Checks;

  constructor(options: WorkspaceOptions = {}) {
    this.workspace = new Workspace(options);
    this.checks = new Checks(this.workspace);
  }

  // ---------------------------------------------------------------- texts

  /** A text is there, or has become another one. */
  open(path: string, text: string): void {
    this.workspace.put(path, text);
  }

  /** Changes of an open text; all of them count in the text before. */
  change(path: string, changes: readonly TextChange[]): void {
    const text = this.workspace.document(path)?.text ?? '';
    this.workspace.put(path, changedText(text, changes));
  }

  /** A text is no longer open: what its file holds counts, if there is one. */
  close(path: string): void {
    this.workspace.drop(path);
    this.checks.forget(path);
  }

  /** Files were written, added or removed by others. */
  refresh(paths: readonly string[]): void {
    this.workspace.refresh(paths);
  }

  /** The folders whose texts belong to the workspace. */
  setFolders(folders: readonly string[]): void {
    this.workspace.setFolders(folders);
  }

  /** The text of a file, also of a library: those of Mutabor itself lie below `mutabor/models`. */
  text(path: string): string | undefined {
    return this.workspace.text(path);
  }

  /** Whether a file belongs to a library, and is as it is stored. */
  isOfLibrary(path: string): boolean {
    return this.workspace.isOfLibrary(path);
  }

  // ---------------------------------------------------------------- diagnostics

  /** Mistakes of syntax; quick. */
  syntax(path: string): readonly Diagnostic[] {
    return this.workspace.document(path)?.parsed.diagnostics ?? [];
  }

  /**
   * The classes of a text that can be checked, by their qualified names, that around a place first; none where the syntax is wrong, because what was read
   * after a mistake is a guess.
   */
  checkable(path: string, near?: number): string[] {
    const document = this.workspace.document(path);
    if (!document || hasErrors(document.parsed.diagnostics)) return [];
    const classes = classesIn(document);
    this.checks.keepOnly(document.path, new Set(classes.map(({ name }) => name)));
    return nearestFirst(classes, near).map(({ name }) => name);
  }

  /**
   * What is wrong with a class of a text. This may take long; it ends with `Interrupted` where the signal says so. The result is kept until a text changes that it
   * depends on.
   */
  check(path: string, name: string, signal?: StopSignal): readonly Diagnostic[] {
    const document = this.workspace.document(path);
    const found = document && classesIn(document).find((one) => one.name === name);
    return found ? this.checks.of(document, found, signal) : [];
  }

  /** All that is wrong with a text: its syntax or, where that is right, its classes. May take long. */
  diagnostics(path: string, signal?: StopSignal): readonly Diagnostic[] {
    const document = this.workspace.document(path);
    if (!document) return [];
    if (hasErrors(document.parsed.diagnostics)) return this.syntax(path);
    const found = this.checkable(path).flatMap((name) => this.check(path, name, signal));
    return distinct([...this.syntax(path), ...this.rivals(document), ...found]);
  }

  /** What would put a diagnostic right, where that is known; none where its text has changed since. */
  fix(diagnostic: Diagnostic): QuickFix | undefined {
    return quickFix(this.workspace, diagnostic);
  }

  /** Classes of the top level that another text beside this one defines, too. */
  private rivals(document: Document): Diagnostic[] {
    if (document.facts.within.length > 0) return [];
    return document.definition.classes.flatMap(({ name, source }) => {
      const [other] = this.workspace.rivals(name.text, document.path);
      if (!other) return [];
      const there = other.definition.classes.find((one) => one.name.text === name.text)!;
      return warning(
        'duplicate-name',
        `The class \`${name.text}\` is defined in \`${other.path}\` as well.`,
        {
          span: { source, start: name.start, end: name.end },
          hint: 'Here this one is meant; elsewhere it may be the other. Rename one of the two.',
          notes: [
            {
              message: 'The other definition is here.',
              span: { source: other.source, start: there.name.start, end: there.name.end },
            },
          ],
        },
      );
    });
  }

  // ---------------------------------------------------------------- structure

  outline(path: string): OutlineItem[] {
    const document = this.workspace.document(path);
    return document ? outlineOf(document.definition) : [];
  }

  folds(path: string): Fold[] {
    const document = this.workspace.document(path);
    return document ? foldsOf(document) : [];
  }

  /** What the names of a text are, for colours. */
  names(path: string): ClassifiedName[] {
    return this.at(path, namesIn) ?? [];
  }

  /** Classes of the workspace whose names contain some letters, in their order. */
  classes(letters: string, most: number): FoundClass[] {
    const found: FoundClass[] = [];
    for (const document of this.workspace.documents())
      for (const { name, definition } of classesIn(document)) {
        const own = definition.name.text;
        if (found.length >= most) return found;
        if (!isSubsequence(letters, own)) continue;
        const { start: from, end: to } = definition.name;
        const container = name.slice(0, Math.max(0, name.length - own.length - 1));
        found.push({
          name: own,
          kind: definition.restriction,
          container,
          place: { path: document.path, from, to },
        });
      }
    return found;
  }

  // ---------------------------------------------------------------- places

  /** What can be written at a place. */
  complete(path: string, offset: number): CompletionList | undefined {
    return this.at(path, (document, library) => completionsAt(document, library, offset));
  }

  /** What is known of the name at a place. */
  hover(path: string, offset: number): Hover | undefined {
    return this.at(path, (document, library) => hoverAt(document, library, offset));
  }

  /** The call at a place. */
  signature(path: string, offset: number): Signature | undefined {
    return this.at(path, (document, library) => signatureAt(document, library, offset));
  }

  /** Where the thing at a place is declared, also in a library. */
  definition(path: string, offset: number): Location | undefined {
    return this.at(path, (document, library) => {
      const named = namedAt(document, library, offset);
      return named && definitionOf(named.meaning);
    });
  }

  /** All places of the workspace that mean the same as that at a place, with its declaration. */
  references(path: string, offset: number): Location[] {
    const named = this.at(path, (document, library) => namedAt(document, library, offset));
    if (!named) return [];
    const uses = usesOf(this.workspace, named.text, new Set([identityOf(named.meaning)]));
    const declared = declarationOf(named.meaning);
    const places = uses.map(({ document, from, to }): Location => ({ path: document.path, from, to }));
    const first = declared && locationOf(declared);
    const isKnown = places.some((one) => one.path === first?.path && one.from === first.from);
    return first && !isKnown ? [first, ...places] : places;
  }

  /** The name at a place, where it can be renamed. */
  renamable(path: string, offset: number): TextRange | Refusal {
    const named = this.at(path, (document, library) => namedAt(document, library, offset));
    return renamable(this.workspace, named);
  }

  /** The changes of all texts that give the thing at a place another name, or why that cannot be done. */
  rename(path: string, offset: number, name: string): Renaming | Refusal {
    const named = this.at(path, (document, library) => namedAt(document, library, offset));
    return rename(this.workspace, plainPath(path), named, name);
  }

  /** An answer about a text; what is wrong with it is told elsewhere. */
  private at<T>(path: string, ask: (document: Document, library: Library) => T): T | undefined {
    const document = this.workspace.document(path);
    if (!document) return undefined;
    const library = this.workspace.layer(path);
    library.begin();
    const answer = ask(document, library);
    library.takeProblems();
    return answer;
  }
}

/** Classes around a place first, the innermost before all others. */
function nearestFirst(classes: readonly CheckedClass[], near: number | undefined): CheckedClass[] {
  if (near === undefined) return [...classes];
  const isAround = ({ definition: { start, end } }: CheckedClass): boolean => start <= near && near <= end;
  return [...classes.filter(isAround).reverse(), ...classes.filter((one) => !isAround(one))];
}

/** Diagnostics without repetitions, in the order of the text. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics
    .filter(({ message, span }) => {
      const key = `${span?.start} ${span?.end} ${message}`;
      return !seen.has(key) && seen.add(key);
    })
    .sort((a, b) => (a.span?.start ?? 0) - (b.span?.start ?? 0));
}
