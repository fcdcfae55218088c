/**
 * What is wrong with the classes of a text, in the words of the translator. A model or block is translated, and where it stands for itself its initial mode is
 * analysed, as `mutabor check` does; of other classes the elements are looked at.
 *
 * A check works on a layer of its own (`workspace.ts`), which notes what it asks of the workspace. Its result holds until one of the answers is another one.
 */
import { type Diagnostic, hasErrors, type Note } from '../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import { heeding, type StopSignal } from '../diagnostic/pulse.ts';
import { locate, type Span } from '../diagnostic/source.ts';
import { isWhole } from '../flat/whole.ts';
import { translate } from '../load.ts';
import type { ClassEntity } from '../model/classes/class.ts';
import { shapeOf } from '../model/classes/shape.ts';
import type { Library } from '../model/library.ts';
import { extentProblems } from '../model/types/extents.ts';
import { redeclarationProblems } from '../model/types/redeclarations.ts';
import { check } from '../simulate/check.ts';
import type * as ast from '../syntax/ast.ts';
import type { Document } from './document.ts';
import { folderOf, inFolder } from './paths.ts';
import type { Reads, Workspace } from './workspace.ts';

/** A class of a text, by its qualified name. */
export interface CheckedClass {
  readonly name: string;
  readonly definition: ast.ClassDef;
}

/** The classes of a text, outer ones first. */
export function classesIn({ definition, facts }: Document): CheckedClass[] {
  const found: CheckedClass[] = [];
  const visit = (classes: readonly ast.ClassDef[], around: readonly string[]): void => {
    for (const item of classes) {
      const path = [...around, item.name.text];
      found.push({ name: path.join('.'), definition: item });
      visit(nestedIn(item), path);
    }
  };
  visit(definition.classes, facts.within);
  return found;
}

/** The classes that are written in a class. */
export const nestedIn = ({ body }: ast.ClassDef): ast.ClassDef[] =>
  body.kind === 'long'
    ? body.sections.flatMap((section) =>
        section.kind === 'elements' ? section.elements.filter((element) => element.kind === 'class') : [],
      )
    : [];

interface Result {
  readonly reads: Reads;
  readonly library: Library | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export class Checks {
  private readonly results = new Map<string, Map<string, Result>>();

  constructor(private readonly workspace: Workspace) {}

  /** What is wrong with a class of a text, where its syntax is right. Throws `Interrupted` where the signal says so. */
  of(document: Document, { name, definition }: CheckedClass, signal?: StopSignal): readonly Diagnostic[] {
    const { workspace } = this;
    const known = this.results.get(document.path)?.get(name);
    const library = workspace.base();
    if (known && known.library === library && workspace.isCurrent(known.reads, document.path))
      return known.diagnostics;
    const reads: Reads = new Map();
    const layer = workspace.makeLayer(document.path, reads);
    const all = heeding(signal, () => problemsOf(layer, name, definition));
    // Classes in others are mostly their parts; who runs one alone is told.
    const found = name.includes('.') ? all.filter(({ isOfWhole }) => !isOfWhole) : all;
    const diagnostics = located(found, document, definition);
    if (found.some((one) => hasErrors([one]) && this.isOfLibrary(one.span))) workspace.forgetLibraries();
    const results = this.results.get(document.path) ?? new Map<string, Result>();
    this.results.set(document.path, results.set(name, { reads, library, diagnostics }));
    return diagnostics;
  }

  /** Libraries tell mistakes in their texts once, and are asked anew by the next one. */
  private isOfLibrary(span: Span | undefined): boolean {
    return span !== undefined && this.workspace.isOfLibrary(locate(span).source.name);
  }

  forget(path: string): void {
    this.results.delete(path);
  }

  /** Results of classes that are no longer there are of no use. */
  keepOnly(path: string, names: ReadonlySet<string>): void {
    const results = this.results.get(path);
    for (const name of results?.keys() ?? []) if (!names.has(name)) results!.delete(name);
  }
}

function problemsOf(library: Library, name: string, definition: ast.ClassDef): readonly Diagnostic[] {
  // Where its text says that it is there may be nothing, and that was told.
  const unplaced = library.byPath(name.split('.')) ? [] : library.takeProblems();
  if (unplaced.length > 0) return unplaced;
  const { restriction, partial } = definition;
  const isModel = (restriction === 'model' || restriction === 'block' || restriction === 'class') && !partial;
  return isModel ? problemsOfModel(library, name) : problemsOfClass(library, name);
}

function problemsOfModel(library: Library, name: string): readonly Diagnostic[] {
  const files = (file: string, declaredIn: string): Uint8Array | undefined =>
    library.resources.read(/^(\w+:|\/)/.test(file) ? file : inFolder(folderOf(declaredIn), file));
  const translation = attempted(() => translate(library, name, [], { files, print: () => {} }));
  if (translation instanceof Failure) return translation.diagnostics;
  const { model, diagnostics } = translation;
  if (!model || !isWhole(model)) return diagnostics;
  return [...diagnostics, ...check(model).diagnostics];
}

function problemsOfClass(library: Library, name: string): readonly Diagnostic[] {
  library.begin();
  const entity = library.byPath(name.split('.'));
  if (!entity) return library.takeProblems();
  const problems = [
    ...shapeOf(entity).problems,
    ...redeclarationProblems(entity),
    ...extentProblems(shapeOf(entity)),
  ];
  return [...library.takeProblems(), ...problems, ...packageProblems(library, entity)];
}

const packageProblems = (library: Library, entity: ClassEntity): Diagnostic[] =>
  entity.definition.restriction === 'package' ? library.orderProblems(entity) : [];

/** Diagnostics with their places in a text. What is wrong elsewhere is told at the name of the class, with the place. */
function located(
  found: readonly Diagnostic[],
  { path }: Document,
  { name, source }: ast.ClassDef,
): Diagnostic[] {
  const here: Span = { source, start: name.start, end: name.end };
  const seen = new Set<string>();
  const result: Diagnostic[] = [];
  for (const problem of found) {
    const span = problem.span && locate(problem.span);
    const isHere = span?.source.name === path;
    // Warnings about other texts are for those who write them.
    if (!isHere && span && problem.severity !== 'error') continue;
    const note: Note[] = isHere || !span ? [] : [{ message: 'It is here.', span }];
    const whole: Diagnostic = { ...problem, span: isHere ? span : here, notes: [...note, ...problem.notes] };
    const key = `${whole.span!.start} ${whole.span!.end} ${whole.message}`;
    if (!seen.has(key)) result.push(whole);
    seen.add(key);
  }
  return result;
}
