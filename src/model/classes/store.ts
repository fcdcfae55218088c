/**
 * The loaded classes: those of given texts, and those of packages below library folders, which are read when a name in
 * them is first looked up (specification 3.6, section 13.4: structured entities, `package.order`, MODELICAPATH).
 * Files are read through `FileSystem` alone and only below the roots. The last root is that of Mutabor's own libraries (`own.ts`).
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { replaced } from '../../diagnostic/fix.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { kind, type OptionKinds, requireOptions } from '../../diagnostic/options.ts';
import type { Span } from '../../diagnostic/source.ts';
import type { Externals } from '../../symbolic/foreign.ts';
import type * as ast from '../../syntax/ast.ts';
import { type ParseResult, parse } from '../../syntax/parser.ts';
import type { Instance } from '../instance.ts';
import { predefinedClasses } from '../predefined.ts';
import { ClassEntity, elementsOf } from './class.ts';
import { readText } from './encoding.ts';
import type { FileSystem } from './files.ts';
import { namesInFolder, orderProblems } from './order.ts';
import { FilesAndOwn, ownRoot } from './own.ts';
import { Resources } from './resources.ts';
import type { ShapeComponent } from './shape.ts';
import { type Edition, isIdentifier, Shelf } from './shelf.ts';
import { type Available, Upgrade } from './upgrade.ts';
import { fitting, Uses, type Wanted } from './uses.ts';

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

/**
 * What a library stands on, where its texts change often and those of other libraries do not: a library underneath, which knows nothing of the one
 * above, and files whose classes are read already.
 */
export interface Ground {
  /** Names that are not found here are looked up there. Texts must not add to its packages, nor define classes that it has. */
  readonly base?: ClassStore;
  /** A class of the top level that a text defines which is not added yet. */
  readonly given?: (name: string) => ast.ClassDef | undefined;
  /** The names of these. */
  readonly givenNames?: () => Iterable<string>;
  /** Texts that add classes to packages in a class of the top level, outer packages first. */
  readonly within?: (name: string) => readonly ast.StoredDefinition[];
  /** The classes of a file, which may be known; `read` reads it. */
  readonly parsed?: (path: string, read: () => ParseResult | undefined) => ParseResult | undefined;
  /** The version of a library that is used, and by whom. */
  readonly wanted?: (name: string) => Wanted | undefined;
}

/** What libraries that stand on each other have in common. */
interface Work {
  /** How many models were instantiated; what a class was `consulted` for. */
  instantiations: number;
  /** Classes whose elements were asked for since the last model was begun. */
  consulted: ClassEntity[];
  /** How many classes have their elements collected. */
  shapes: number;
  externals: Externals;
}

/** Constants are instances, and made by `Library` (`model/library.ts`): names can mean them. */
export abstract class ClassStore {
  /** Classes of given texts in their order; nested ones are not listed. */
  readonly classes: readonly ClassEntity[];
  /** What it shares with the library underneath. */
  private readonly work: Work;
  private suggestions = 0;
  private readonly given: ClassEntity[] = [];
  /** Files of libraries that are no classes: tables, texts. */
  readonly resources: Resources;
  private readonly files: FilesAndOwn;
  private readonly shelf: Shelf;
  private readonly uses: Uses;
  private readonly roots: readonly string[];
  private readonly upgrade = new Upgrade(
    (name, version) => this.available(name, version),
    (problems) => this.addProblems(problems),
  );
  /** Names of files by their folder. */
  private readonly listed = new Map<string, ReadonlySet<string>>();
  /** Files that were looked into. */
  private readonly looked = new Map<string, ParseResult>();
  private readonly top = new Map<string, ClassEntity | null>();
  private readonly predefined: ReadonlyMap<string, ClassEntity>;
  private problems: Diagnostic[] = [];

  constructor(
    options: LibraryOptions = {},
    private readonly ground: Ground = {},
  ) {
    requireOptions(options, libraryKinds, 'Library');
    const { base } = ground;
    this.classes = this.given;
    this.files = new FilesAndOwn(options.files);
    const own = options.roots ?? [];
    this.shelf = new Shelf(this.files, base ? own : [...own, ownRoot]);
    this.roots = [...own, ...(base?.roots ?? [ownRoot])];
    this.resources = new Resources(this.files, this.roots, (name) => this.folderOf(name));
    this.uses = new Uses(base?.uses, ground.wanted);
    this.work = base?.work ?? { instantiations: 0, consulted: [], shapes: 0, externals: {} };
    this.predefined =
      base?.predefined ??
      new Map(
        [...predefinedClasses].map(([name, definition]) => [
          name,
          new ClassEntity(this, definition, undefined, name),
        ]),
      );
  }

  // ---------------------------------------------------------------- the model at hand

  /** What computes external functions whose values are needed while a model is instantiated. */
  get externals(): Externals {
    return this.work.externals;
  }

  set externals(externals: Externals) {
    this.work.externals = externals;
  }

  /** Begins with a model: what is wrong with classes that it looks into concerns it. */
  begin(): void {
    this.work.instantiations++;
    this.work.consulted = [];
  }

  /** The elements of a class are asked for. */
  consult(entity: ClassEntity): void {
    const { work } = this;
    if (entity.consulted === work.instantiations) return;
    entity.consulted = work.instantiations;
    work.consulted.push(entity);
  }

  /** The number of a class among those whose elements are collected. */
  nextShape(): number {
    return this.work.shapes++;
  }

  /** Classes that the model at hand looked into, in the order in which their elements were collected. */
  consulted(): ClassEntity[] {
    return this.work.consulted
      .filter(({ shape, collecting }) => shape && !collecting)
      .sort((a, b) => a.shape!.order - b.shape!.order);
  }

  // ---------------------------------------------------------------- classes

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
    if (!parent && this.predefined.has(name) && /^(Real|Integer|Boolean|String)$/.test(name))
      problems.push(
        error('not-allowed', `\`${name}\` is a predefined type: nothing else can have its name.`, {
          span,
          hint: 'Rename it.',
        }),
      );
    const definition = this.upgrade.current(item, parent);
    const entity = new ClassEntity(this, definition, parent, parent ? `${parent.path}.${name}` : name);
    if (parent) {
      parent.filed.set(name, entity);
      parent.shape = undefined;
      parent.found.clear();
    } else {
      this.top.set(name, entity);
      this.problems.push(...this.uses.add(entity));
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
    const known = this.top.get(name);
    if (known !== undefined) return known ?? undefined;
    const text = this.ground.given?.(name);
    if (text) this.addClass(text, undefined, this.problems);
    else this.top.set(name, this.loadTop(name) ?? this.below(name) ?? null);
    for (const inner of this.ground.within?.(name) ?? []) this.problems.push(...this.add(inner));
    return this.top.get(name) ?? undefined;
  }

  /** A class of the library underneath. */
  private below(name: string): ClassEntity | undefined {
    const { base } = this.ground;
    const entity = base?.topLevel(name);
    if (entity) this.problems.push(...this.uses.join(base!.uses, name));
    return entity;
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
    if (origin.library !== this) return origin.library.nested(origin, name);
    const filed = origin.filed.get(name);
    if (filed) return filed;
    const own = elementsOf(origin.definition).classes.get(name);
    if (own) {
      const entity = new ClassEntity(this, own.definition, origin, `${origin.path}.${name}`);
      origin.filed.set(name, entity);
      this.checkOnce(entity, name);
      return entity;
    }
    if (filed === null) return undefined;
    const entity = this.inFolder(origin, name);
    origin.filed.set(name, entity ?? null);
    return entity;
  }

  /** A class from the folder of a package. What a package is by way of another one has the same classes, of the same texts. */
  private inFolder(origin: ClassEntity, name: string): ClassEntity | undefined {
    const { stored: around, folder } = origin;
    if (!around) return folder === undefined ? undefined : this.load(folder, name, origin);
    const stored = this.nested(around, name);
    return (
      stored &&
      new ClassEntity(this, stored.definition, origin, `${origin.path}.${name}`, {
        folder: stored.folder,
        stored,
      })
    );
  }

  /** Names of the classes of a package, those in its folder included, without reading them. */
  nestedNames(parent: ClassEntity): string[] {
    const origin = parent.origin;
    if (origin.library !== this) return origin.library.nestedNames(origin);
    const names = new Set(elementsOf(origin.definition).classes.keys());
    for (const [name, entity] of origin.filed) if (entity) names.add(name);
    for (const name of origin.stored ? origin.stored.library.nestedNames(origin.stored) : []) names.add(name);
    if (origin.folder !== undefined)
      for (const name of namesInFolder(this.files, origin.folder)) names.add(name);
    return [...names];
  }

  /** What is wrong with the order that the folder of a package gives. */
  orderProblems({ origin: { folder, definition } }: ClassEntity): Diagnostic[] {
    if (folder === undefined) return [];
    const { classes, componentNames } = elementsOf(definition);
    return orderProblems(this.files, folder, new Set([...classes.keys(), ...componentNames]));
  }

  topLevelNames(): string[] {
    const names = new Set<string>();
    for (const [name, entity] of this.top) if (entity) names.add(name);
    for (const name of this.ground.givenNames?.() ?? []) names.add(name);
    for (const name of this.shelf.names()) names.add(name);
    for (const name of this.ground.base?.topLevelNames() ?? []) names.add(name);
    return [...names];
  }

  /** Which version of a library is used, and by whom. */
  wantedVersion(name: string): Wanted | undefined {
    return this.uses.wanted(name);
  }

  /** What is wrong with packages that the model at hand looked into. */
  packageProblems(): Diagnostic[] {
    return this.consulted().flatMap(({ shape }) => (shape!.restriction === 'package' ? shape!.problems : []));
  }

  addProblems(problems: readonly Diagnostic[]): void {
    this.problems.push(...problems);
  }

  /** Problems found while files were loaded or constants made since the last call. */
  takeProblems(): Diagnostic[] {
    const problems = [...(this.ground.base?.takeProblems() ?? []), ...this.problems];
    this.problems = [];
    return problems;
  }

  /** The edition that fits decides, even if loading fails there. */
  private loadTop(name: string): ClassEntity | undefined {
    if (!isIdentifier(name)) return undefined;
    const editions = this.shelf.editions(name);
    const edition = this.editionOf(name, editions, this.uses.wanted(name)?.version);
    const entity = edition && this.loadFile(edition.path, name, undefined, edition.folder);
    if (entity) this.problems.push(...this.uses.add(entity, edition, editions));
    return entity;
  }

  private editionOf(name: string, editions: readonly Edition[], version?: string): Edition | undefined {
    return fitting(editions, version, (edition) => this.definitionIn(edition, name));
  }

  private definitionIn({ path }: Edition, name: string): ast.ClassDef | undefined {
    return this.parsed(path)?.definition.classes.find((item) => item.name.text === name);
  }

  /** A library that is loaded, or would be for who uses a version of it. */
  private available(name: string, version: string): Available | undefined {
    const given = this.top.get(name);
    const editions = given || !isIdentifier(name) ? [] : this.shelf.editions(name);
    const edition = this.editionOf(name, editions, this.uses.wanted(name)?.version ?? version);
    const definition = given?.definition ?? (edition && this.definitionIn(edition, name));
    const folder = given?.folder ?? edition?.folder ?? edition?.path.replace(/\/[^/]*$/, '');
    if (!definition) return this.ground.base?.available(name, version);
    const read = (path: string) => (folder === undefined ? undefined : this.files.read(`${folder}/${path}`));
    return { definition, read };
  }

  private entriesOf(folder: string): ReadonlySet<string> {
    return remember(this.listed, folder, () => new Set(this.files.list(folder)?.map((one) => one.name)));
  }

  /** A class that the file of its package declares has no file of its own. */
  private checkOnce(entity: ClassEntity, name: string): void {
    const folder = entity.parent?.folder;
    if (folder === undefined || !isIdentifier(name)) return;
    const entries = this.entriesOf(folder);
    const asFile = entries.has(`${name}.mo`) ? `${folder}/${name}.mo` : undefined;
    const asFolder = entries.has(name) && this.entriesOf(`${folder}/${name}`).has('package.mo');
    const other = asFile ?? (asFolder ? `${folder}/${name}/package.mo` : undefined);
    if (other === undefined) return;
    const message = `The class \`${entity.path}\` is stored twice, in \`${folder}/package.mo\` and in \`${other}\`.`;
    const span = entity.span(entity.definition.name);
    this.problems.push(error('duplicate-name', message, { span, hint: 'Remove the one that is not meant.' }));
  }

  private load(folder: string, name: string, parent: ClassEntity): ClassEntity | undefined {
    if (!isIdentifier(name)) return undefined;
    const entries = this.entriesOf(folder);
    const path = `${folder}/${name}`;
    const asFolder = entries.has(name) ? this.loadFile(`${path}/package.mo`, name, parent, path) : undefined;
    if (!entries.has(`${name}.mo`)) return asFolder;
    if (!asFolder) return this.loadFile(`${path}.mo`, name, parent, undefined);
    const message = `The class \`${asFolder.path}\` is stored twice, in \`${path}/package.mo\` and in \`${path}.mo\`.`;
    const span = asFolder.span(asFolder.definition.name);
    this.problems.push(error('duplicate-name', message, { span, hint: 'Remove the one that is not meant.' }));
    return asFolder;
  }

  /** A file as it is read; kept until its class is loaded, where it was looked into before. */
  private parsed(path: string): ParseResult | undefined {
    const known = this.looked.get(path);
    if (known) return known;
    const read = (): ParseResult | undefined => this.readFile(path);
    const result = this.ground.parsed ? this.ground.parsed(path, read) : read();
    if (result) this.looked.set(path, result);
    return result;
  }

  private readFile(path: string): ParseResult | undefined {
    const read = readText(this.files, path);
    if (!read) return undefined;
    this.problems.push(...read.problems);
    return parse(read.source, { later: (mistakes) => this.addProblems(mistakes) });
  }

  private loadFile(
    path: string,
    name: string,
    parent: ClassEntity | undefined,
    folder: string | undefined,
  ): ClassEntity | undefined {
    const result = this.parsed(path);
    if (!result) return undefined;
    const { definition, diagnostics } = result;
    this.looked.delete(path);
    this.problems.push(...diagnostics);
    this.checkWithin(definition, parent);
    const item = definition.classes.find((candidate) => candidate.name.text === name);
    if (!item) {
      const [other] = definition.classes;
      const which = folder === undefined ? 'its name' : 'the name of its folder';
      const what = other ? `defines \`${other.name.text}\`, not` : 'does not define';
      this.problems.push(
        error('unknown-class', `The file ${what} the class \`${name}\` that ${which} promises.`, {
          span: { source: definition.source, start: other?.name.start ?? 0, end: other?.name.end ?? 0 },
          hint: `The name of a ${folder === undefined ? 'file' : 'folder'} must be the name of the one class in it.`,
        }),
      );
      return undefined;
    }
    const current = this.upgrade.current(item, parent);
    return new ClassEntity(this, current, parent, parent ? `${parent.path}.${name}` : name, { folder });
  }

  private checkWithin(definition: ast.StoredDefinition, parent: ClassEntity | undefined): void {
    const written = definition.within?.parts.map((part) => part.text).join('.') ?? '';
    const expected = parent?.path ?? '';
    if (written === expected) return;
    const place = expected === '' ? 'the top level' : `\`${expected}\``;
    const message =
      written === ''
        ? `The file belongs to ${place}, but does not say so.`
        : `The file belongs to ${place}, not to \`${written}\`.`;
    const hint = `Write \`within ${expected};\` at the beginning of the file.`;
    const span = withinSpan(definition);
    const isThere = definition.within !== undefined;
    const text = isThere && span.end > span.start ? expected : `within${expected && ` ${expected}`};\n`;
    const fix =
      !isThere || span.end > span.start ? replaced(span, text, `Write \`within ${expected};\``) : undefined;
    this.problems.push(error('unknown-class', message, { span, hint, fix }));
  }
}

/** The name after `within`, or the beginning of a file without one. */
function withinSpan({ source, within }: ast.StoredDefinition): Span {
  const [first, last] = [within?.parts[0], within?.parts.at(-1)];
  return { source, start: first?.start ?? 0, end: last?.end ?? 0 };
}
