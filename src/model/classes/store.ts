/**
 * The loaded classes: those of given texts, and those of packages below library folders, which are read when a name in
 * them is first looked up (specification 3.6, section 13.4: structured entities, `package.order`, MODELICAPATH).
 * Files are read through `FileSystem` alone and only below the roots. The last root is that of Mutabor's own libraries (`own.ts`).
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { kind, type OptionKinds, requireOptions } from '../../diagnostic/options.ts';
import { Source, type Span } from '../../diagnostic/source.ts';
import type { Externals } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import { parse } from '../../syntax/parser.ts';
import type { Instance } from '../instance.ts';
import { predefinedClasses } from '../predefined.ts';
import { ClassEntity, elementsOf } from './class.ts';
import type { FileSystem, FolderEntry } from './files.ts';
import { FilesAndOwn, ownRoot } from './own.ts';
import { Resources } from './resources.ts';
import type { ShapeComponent } from './shape.ts';

export interface LibraryOptions {
  readonly files?: FileSystem;
  /** Folders with packages. */
  readonly roots?: readonly string[];
}

const libraryKinds: OptionKinds<LibraryOptions> = {
  files: kind.object,
  roots: kind.listOf(kind.text.is, 'a list of paths'),
};

/** Names that suggestions are made for. */
const MOST_SUGGESTIONS = 200;

/** Constants are instances, and made by `Library` (`model/library.ts`): names can mean them. */
export abstract class ClassStore {
  /** Classes of given texts in their order; nested ones are not listed. */
  readonly classes: readonly ClassEntity[];
  /** Classes whose elements were collected, in that order. */
  readonly shaped: ClassEntity[] = [];
  /** How many models were instantiated; what a class was `consulted` for. */
  instantiations = 0;
  /** What computes external functions whose values are needed while a model is instantiated. */
  externals: Externals = {};
  private suggestions = 0;
  private readonly given: ClassEntity[] = [];
  /** Files of libraries that are no classes: tables, texts. */
  readonly resources: Resources;
  private readonly files: FilesAndOwn;
  private readonly roots: readonly string[];
  private readonly top = new Map<string, ClassEntity | null>();
  private readonly predefined = new Map<string, ClassEntity>();
  private problems: Diagnostic[] = [];

  constructor(options: LibraryOptions = {}) {
    requireOptions(options, libraryKinds, 'Library');
    this.classes = this.given;
    this.files = new FilesAndOwn(options.files);
    this.roots = [...(options.roots ?? []), ownRoot];
    this.resources = new Resources(this.files, this.roots, (name) => this.folderOf(name));
    for (const [name, definition] of predefinedClasses) {
      this.predefined.set(name, new ClassEntity(this, definition, undefined, name));
    }
  }

  /** A constant of a class, instantiated when it is first used. */
  abstract constantOf(owner: ClassEntity, component: ShapeComponent): Instance | undefined;

  /** What may have been meant by a name. After so many mistakes nobody reads on, and the search costs more than all else. */
  suggestion(name: string, names: () => Iterable<string>): string | undefined {
    return this.suggestions++ < MOST_SUGGESTIONS ? nearest(name, names()) : undefined;
  }

  /** Adds the classes of a text at the place that its `within` names. */
  add(definition: ast.StoredDefinition): Diagnostic[] {
    const problems: Diagnostic[] = [];
    const place = definition.within;
    let parent: ClassEntity | undefined;
    if (place && place.parts.length > 0) {
      parent = this.byPath(place.parts.map((part) => part.text));
      if (!parent) {
        const name = place.parts.map((part) => part.text).join('.');
        return [
          error('unknown-class', `The package \`${name}\` named after \`within\` does not exist.`, {
            span: withinSpan(definition),
            hint: 'Load the file that holds the package first.',
          }),
        ];
      }
    }
    for (const item of definition.classes) this.addClass(item, parent, problems);
    return problems;
  }

  private addClass(item: ast.ClassDef, parent: ClassEntity | undefined, problems: Diagnostic[]): void {
    const name = item.name.text;
    const previous = parent ? this.nested(parent, name) : this.top.get(name);
    const span: Span = { source: item.source, start: item.name.start, end: item.name.end };
    if (previous) {
      problems.push(
        error('duplicate-name', `The class \`${previous.path}\` is defined twice.`, {
          span,
          hint: 'Rename one of the two classes.',
          notes: [
            { message: 'The other definition is here.', span: previous.span(previous.definition.name) },
          ],
        }),
      );
      return;
    }
    const entity = new ClassEntity(this, item, parent, parent ? `${parent.path}.${name}` : name);
    if (parent) {
      parent.filed.set(name, entity);
      parent.shape = undefined;
      parent.found.clear();
    } else {
      this.top.set(name, entity);
    }
    this.given.push(entity);
  }

  /** A class by its qualified name, without imports and inherited classes. */
  byPath(parts: readonly string[]): ClassEntity | undefined {
    let entity = this.topLevel(parts[0] ?? '');
    for (let i = 1; entity && i < parts.length; i++) entity = this.nested(entity, parts[i]!);
    return entity;
  }

  /** A class at top level: given, or found in the first root that has a file for it. */
  topLevel(name: string): ClassEntity | undefined {
    const entity = remember(this.top, name, () => this.loadTop(name) ?? null);
    return entity ?? undefined;
  }

  /** The folder of the file in which a class is written, where it is one of a library. */
  private folderOf(name: string): string | undefined {
    const entity = this.byPath(name.split('.'));
    const path = entity?.span(entity.definition.name).source.name;
    return path?.includes('/') ? path.slice(0, path.lastIndexOf('/')) : undefined;
  }

  predefinedClass(name: string): ClassEntity | undefined {
    return this.predefined.get(name);
  }

  /** A class declared in `parent` itself, in its text or in a file of its folder. */
  nested(parent: ClassEntity, name: string): ClassEntity | undefined {
    const origin = parent.origin;
    const filed = origin.filed.get(name);
    if (filed) return filed;
    const own = elementsOf(origin.definition).classes.get(name);
    if (own) {
      const entity = new ClassEntity(this, own.definition, origin, `${origin.path}.${name}`);
      origin.filed.set(name, entity);
      return entity;
    }
    if (filed === null || origin.folder === undefined) return undefined;
    const entity = this.load(origin.folder, name, origin) ?? null;
    origin.filed.set(name, entity);
    return entity ?? undefined;
  }

  /** Names of the classes of a package, those in its folder included, without reading them. */
  nestedNames(parent: ClassEntity): string[] {
    const origin = parent.origin;
    const names = new Set(elementsOf(origin.definition).classes.keys());
    for (const [name, entity] of origin.filed) if (entity) names.add(name);
    if (origin.folder !== undefined) for (const name of this.folderNames(origin.folder)) names.add(name);
    return [...names];
  }

  topLevelNames(): string[] {
    const names = new Set<string>();
    for (const [name, entity] of this.top) if (entity) names.add(name);
    for (const root of this.roots) {
      const entries = this.files.list(root) ?? [];
      if (isPackage(entries)) names.add(topName(lastPart(root)));
      for (const entry of isPackage(entries) ? [] : entries) {
        const name = topName(entry.name.replace(/\.mo$/, ''));
        if (isIdentifier(name) && (entry.folder || entry.name.endsWith('.mo'))) names.add(name);
      }
    }
    return [...names];
  }

  /** What is wrong with packages that the model at hand looked into. */
  packageProblems(): Diagnostic[] {
    return this.shaped.flatMap(({ shape, consulted }) =>
      shape?.restriction === 'package' && consulted === this.instantiations ? shape.problems : [],
    );
  }

  addProblems(problems: readonly Diagnostic[]): void {
    this.problems.push(...problems);
  }

  /** Problems found while files were loaded or constants made since the last call. */
  takeProblems(): Diagnostic[] {
    const problems = this.problems;
    this.problems = [];
    return problems;
  }

  private folderNames(folder: string): string[] {
    const order = this.files.read(`${folder}/package.order`);
    const listed = order ? order.split(/\r?\n/).map((line) => line.trim()) : [];
    const entries = this.files.list(folder) ?? [];
    const found = entries
      .filter((entry) => entry.folder || (entry.name.endsWith('.mo') && entry.name !== 'package.mo'))
      .map((entry) => (entry.folder ? entry.name : entry.name.slice(0, -3)));
    return [...listed, ...found].filter(isIdentifier);
  }

  /** The first root that holds the name decides, even if loading fails there. */
  private loadTop(name: string): ClassEntity | undefined {
    if (!isIdentifier(name)) return undefined;
    for (const root of this.roots) {
      const entries = this.files.list(root);
      if (!entries) continue;
      if (isPackage(entries)) {
        if (topName(lastPart(root)) !== name) continue;
        return this.loadFile(`${root}/package.mo`, name, undefined, root);
      }
      const found = this.entryOf(entries, name);
      if (!found) continue;
      const path = `${root}/${found.name}`;
      return found.folder
        ? this.loadFile(`${path}/package.mo`, name, undefined, path)
        : this.loadFile(path, name, undefined, undefined);
    }
    return undefined;
  }

  /** `Name/`, `Name.mo`, or the newest of `Name 1.2/` and `Name 1.2.mo`. */
  private entryOf(entries: readonly FolderEntry[], name: string): FolderEntry | undefined {
    const plain =
      entries.find((entry) => entry.folder && entry.name === name) ??
      entries.find((entry) => !entry.folder && entry.name === `${name}.mo`);
    if (plain) return plain;
    const versioned = entries.filter(
      (entry) =>
        (entry.folder || entry.name.endsWith('.mo')) &&
        entry.name.startsWith(`${name} `) &&
        topName(entry.name.replace(/\.mo$/, '')) === name,
    );
    return versioned.sort((a, b) => compareVersions(b.name, a.name))[0];
  }

  private load(folder: string, name: string, parent: ClassEntity): ClassEntity | undefined {
    if (!isIdentifier(name)) return undefined;
    const path = `${folder}/${name}`;
    return (
      this.loadFile(`${path}/package.mo`, name, parent, path) ??
      this.loadFile(`${path}.mo`, name, parent, undefined)
    );
  }

  private loadFile(
    path: string,
    name: string,
    parent: ClassEntity | undefined,
    folder: string | undefined,
  ): ClassEntity | undefined {
    const text = this.files.read(path);
    if (text === undefined) return undefined;
    const source = new Source(path, text);
    const { definition, diagnostics } = parse(source);
    this.problems.push(...diagnostics);
    this.checkWithin(definition, parent);
    const item = definition.classes.find((candidate) => candidate.name.text === name);
    if (!item) {
      this.problems.push(
        error('unknown-class', `The file does not define the class \`${name}\` that its name promises.`, {
          span: { source, start: 0, end: 0 },
          hint: 'The name of a file must be the name of the one class in it.',
        }),
      );
      return undefined;
    }
    return new ClassEntity(this, item, parent, parent ? `${parent.path}.${name}` : name, { folder });
  }

  private checkWithin(definition: ast.StoredDefinition, parent: ClassEntity | undefined): void {
    const written = definition.within?.parts.map((part) => part.text).join('.') ?? '';
    const expected = parent?.path ?? '';
    if (written === expected) return;
    const message = `The file belongs to \`${expected || 'the top level'}\`, not to \`${written}\`.`;
    const hint = `Write \`within ${expected};\` at the beginning of the file.`;
    this.problems.push(error('unknown-class', message, { span: withinSpan(definition), hint }));
  }
}

/** The name after `within`, or the beginning of a file without one. */
function withinSpan({ source, within }: ast.StoredDefinition): Span {
  const [first, last] = [within?.parts[0], within?.parts.at(-1)];
  return { source, start: first?.start ?? 0, end: last?.end ?? 0 };
}

/** Names become parts of paths: nothing but identifiers may. */
const isIdentifier = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** `Modelica 4.1.0` -> `Modelica`. */
const topName = (name: string): string => name.replace(/ [0-9][^/]*$/, '');

/** A root may be the folder of a library itself: then its files are classes of the library, not of the top level. */
const isPackage = (entries: readonly FolderEntry[]): boolean =>
  entries.some((entry) => entry.name === 'package.mo');

const lastPart = (path: string): string => path.replace(/\/+$/, '').split('/').at(-1) ?? '';

function compareVersions(a: string, b: string): number {
  const numbers = (text: string): number[] => (text.match(/[0-9]+/g) ?? []).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? -1) - (right[i] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
