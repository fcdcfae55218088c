/**
 * The texts of a workspace, and the classes as each of them sees them.
 *
 * Libraries stay as they are while somebody writes; so there are two layers. The lower one is a `Library` with the classes of library folders, which is
 * kept. The upper one has the classes of the workspace: it is made anew after each change, and costs little, because nothing in it is read or looked up
 * before somebody asks, and texts that did not change are not parsed again. Where a text defines a class that a library has, or changes one of its
 * files, what the classes of the library mean depends on it: then all is in the upper layer.
 *
 * A file beside a `package.mo`, with a `within` clause, belongs to that package (specification 3.6, section 13.4). All others stand for themselves, and
 * see each other by the names of their classes: the nearest file counts where several define one.
 */
import { append } from '../collections/groups.ts';
import { remember } from '../collections/memo.ts';
import type { FileSystem } from '../model/classes/files.ts';
import { FilesAndOwn, ownRoot } from '../model/classes/own.ts';
import type { Wanted } from '../model/classes/uses.ts';
import { Library } from '../model/library.ts';
import type * as ast from '../syntax/ast.ts';
import type { ParseResult } from '../syntax/parser.ts';
import { Document, sameFacts } from './document.ts';
import { Overlay } from './overlay.ts';
import { distance, folderOf, inFolder, isBelow, nameOf, plainPath } from './paths.ts';

export interface WorkspaceOptions {
  /** Reads what is not open: libraries, and files below `folders`. */
  readonly files?: FileSystem;
  /** Folders with libraries, or of a library each. */
  readonly libraries?: readonly string[];
  /** Folders whose texts belong to the workspace, whether they are open or not. */
  readonly folders?: readonly string[];
}

/** Where the texts of the workspace belong. */
interface Index {
  /** Paths of texts that stand for themselves, by the names of their classes. */
  readonly loose: ReadonlyMap<string, readonly string[]>;
  /** Those that add classes to a package, by the first name of it; outer packages first. */
  readonly within: ReadonlyMap<string, readonly string[]>;
  /** Folders of packages. */
  readonly roots: readonly string[];
  readonly wanted: ReadonlyMap<string, Wanted>;
  /** Whether what classes of libraries mean depends on the workspace. */
  readonly shadows: boolean;
}

/** What a layer asked of the workspace: a question, and what tells whether the answer is still the same. */
export type Reads = Map<string, string>;

export class Workspace {
  private readonly overlay: Overlay;
  /** Files without what is open. */
  private readonly below: FilesAndOwn;
  private libraryNames: ReadonlySet<string> | undefined;
  private readonly libraries: readonly string[];
  private folders: readonly string[];
  private readonly open = new Map<string, Document>();
  /** Open texts of libraries that are as they are stored. */
  private readonly unchanged = new Set<string>();
  private readonly stored = new Map<string, Document | undefined>();
  /** Files of libraries that were read, where these are in the upper layer. */
  private readonly libraryFiles = new Map<string, ParseResult | undefined>();
  private readonly numbers = new WeakMap<Document, number>();
  private count = 0;
  private lowest: { readonly library: Library; readonly wanted: string } | undefined;
  private paths: readonly string[] | undefined;
  private index: Index | undefined;
  private readonly layers = new Map<string, Library>();

  constructor({ files, libraries = [], folders = [] }: WorkspaceOptions = {}) {
    this.overlay = new Overlay(files);
    this.below = new FilesAndOwn(files);
    this.libraries = libraries.map(plainPath);
    this.folders = folders.map(plainPath);
  }

  // ---------------------------------------------------------------- texts

  /** A text is there, or has become another one. */
  put(path: string, text: string): void {
    const plain = plainPath(path);
    const before = this.open.get(plain);
    if (before?.text === text) return;
    const document = new Document(plain, text, true);
    this.open.set(plain, document);
    this.overlay.put(plain, text);
    this.compareStored(document);
    this.layers.clear();
    const other = before ?? this.known(plain);
    if (!other) this.paths = undefined;
    if (!other || this.isOfLibrary(plain) || !sameFacts(document.facts, other.facts)) this.index = undefined;
  }

  private compareStored({ path, text }: Document): void {
    if (this.isBelowLibrary(path) && this.below.read(path) === text) this.unchanged.add(path);
    else this.unchanged.delete(path);
  }

  /** A text is no longer open; its file counts, if there is one. */
  drop(path: string): void {
    const plain = plainPath(path);
    if (!this.open.delete(plain)) return;
    this.overlay.remove(plain);
    this.moved();
  }

  /** Files were written, added or removed by others. */
  refresh(paths: readonly string[]): void {
    for (const path of paths.map(plainPath)) {
      this.stored.delete(path);
      this.libraryFiles.delete(path);
      if (this.isBelowLibrary(path)) this.lowest = undefined;
    }
    this.libraryNames = undefined;
    for (const document of this.open.values()) this.compareStored(document);
    this.overlay.forget();
    this.moved();
  }

  /** The same workspace with other texts, and without some, to see what that would mean; what is read of libraries is shared. */
  with(texts: ReadonlyMap<string, string>, gone: ReadonlySet<string> = new Set()): Workspace {
    const files: FileSystem = {
      list: (path) => {
        const folder = plainPath(path);
        return this.overlay.list(path)?.filter(({ name }) => !gone.has(inFolder(folder, name)));
      },
      read: (path) => (gone.has(plainPath(path)) ? undefined : this.overlay.read(path)),
      bytes: (path) => this.overlay.bytes(path),
      absolute: (path) => this.overlay.absolute(path),
    };
    const other = new Workspace({ files, libraries: this.libraries, folders: this.folders });
    for (const [path, document] of this.stored) if (!gone.has(path)) other.stored.set(path, document);
    for (const [path, document] of this.open) {
      if (gone.has(path)) continue;
      other.open.set(path, document);
      if (this.unchanged.has(path)) other.unchanged.add(path);
    }
    other.lowest = this.lowest;
    other.libraryNames = this.libraryNames;
    for (const [path, text] of texts) other.put(path, text);
    return other;
  }

  setFolders(folders: readonly string[]): void {
    this.folders = folders.map(plainPath);
    this.moved();
  }

  private moved(): void {
    this.paths = undefined;
    this.index = undefined;
    this.layers.clear();
  }

  /** A text of the workspace, or an open one of a library. */
  document(path: string): Document | undefined {
    const plain = plainPath(path);
    return this.open.get(plain) ?? this.known(plain);
  }

  /** The text of any file. */
  text(path: string): string | undefined {
    return this.document(path)?.text ?? this.below.read(path);
  }

  private known(path: string): Document | undefined {
    if (!this.stored.has(path)) {
      const isOwn = path.endsWith('.mo') && this.folders.some((folder) => isBelow(path, folder));
      const text = isOwn && !this.isBelowLibrary(path) ? this.below.read(path) : undefined;
      this.stored.set(path, text === undefined ? undefined : new Document(path, text, false));
    }
    return this.stored.get(path);
  }

  /** The texts that can be changed: all but those of libraries. */
  documents(): Document[] {
    this.paths ??= [...new Set([...this.open.keys(), ...this.folders.flatMap((one) => this.modelsIn(one))])];
    return this.paths.flatMap((path) => (this.isOfLibrary(path) ? [] : (this.document(path) ?? [])));
  }

  private modelsIn(folder: string): string[] {
    return this.overlay.modelsBelow(folder).filter((path) => !this.isBelowLibrary(path));
  }

  private isBelowLibrary(path: string): boolean {
    return this.libraries.some((root) => isBelow(path, root)) || isBelow(path, ownRoot);
  }

  /** Whether a text is that of a library as it is: nothing of it was changed. */
  isOfLibrary(path: string): boolean {
    const plain = plainPath(path);
    return this.isBelowLibrary(plain) && (!this.open.has(plain) || this.unchanged.has(plain));
  }

  // ---------------------------------------------------------------- classes

  /** The library of all folders of libraries, which knows nothing of the texts of the workspace. */
  lower(): Library {
    const { wanted } = this.indexed();
    const wishes = JSON.stringify([...wanted]);
    if (this.lowest?.wanted !== wishes) {
      const options = { files: this.below, roots: this.libraries };
      this.lowest = { library: new Library(options, { wanted: (name) => wanted.get(name) }), wanted: wishes };
    }
    return this.lowest.library;
  }

  /** The lower layer is made anew when it is next asked for. */
  forgetLibraries(): void {
    this.lowest = undefined;
    this.layers.clear();
  }

  /** What layers stand on: undefined where libraries are part of them. */
  base(): Library | undefined {
    return this.indexed().shadows ? undefined : this.lower();
  }

  /** The classes as a text sees them, its own first. */
  layer(path: string): Library {
    const plain = plainPath(path);
    const base = this.base();
    if (base && this.isOfLibrary(plain)) return base;
    return remember(this.layers, plain, () => this.makeLayer(plain));
  }

  /** The same, and apart from others; `reads` gets what it asks for. */
  makeLayer(path: string, reads?: Reads): Library {
    const { within, roots, shadows, wanted } = this.indexed();
    const own = this.rootOf(this.document(path));
    const inOrder = own === undefined ? roots : [own, ...roots.filter((root) => root !== own)];
    const ask = (question: string, answer: string): void => void reads?.set(question, answer);
    const files: FileSystem = {
      list: (folder) => {
        const entries = this.overlay.list(folder);
        ask(`list ${folder}`, this.answer(`list ${folder}`, path));
        return entries;
      },
      read: (file) => {
        ask(`file ${file}`, this.answer(`file ${file}`, path));
        return this.overlay.read(file);
      },
      bytes: (file) => this.overlay.bytes(file),
      absolute: (file) => this.overlay.absolute(file),
    };
    const visible = inOrder.map((root) => (root === '' ? '.' : root));
    const library: Library = new Library(
      { files, roots: shadows ? [...visible, ...this.libraries] : visible },
      {
        ...(shadows ? { wanted: (name: string) => wanted.get(name) } : { base: this.lower() }),
        given: (name) => {
          ask(`name ${name}`, this.answer(`name ${name}`, path));
          const document = this.definer(name, path);
          if (document && document.path !== path) library.addProblems(document.parsed.diagnostics);
          return document && classOf(document, name);
        },
        givenNames: () => this.indexed().loose.keys(),
        within: (name) => {
          ask(`within ${name}`, this.answer(`within ${name}`, path));
          return (within.get(name) ?? []).map((one) => this.document(one)!.definition);
        },
        parsed: (file, read) => {
          ask(`file ${file}`, this.answer(`file ${file}`, path));
          const document = this.document(file);
          if (document) return document.parsed;
          if (!this.libraryFiles.has(file)) this.libraryFiles.set(file, read());
          return this.libraryFiles.get(file);
        },
      },
    );
    return library;
  }

  /** Whether all that a layer was told is still so. */
  isCurrent(reads: Reads, path: string): boolean {
    for (const [question, answer] of reads) if (this.answer(question, path) !== answer) return false;
    return true;
  }

  private answer(question: string, path: string): string {
    const at = question.indexOf(' ');
    const what = question.slice(at + 1);
    switch (question.slice(0, at)) {
      case 'name':
        return this.numberOf(this.definer(what, path));
      case 'within':
        return (this.indexed().within.get(what) ?? [])
          .map((one) => this.numberOf(this.document(one)))
          .join(' ');
      case 'file':
        return this.numberOf(this.document(what));
      default:
        return (this.overlay.list(what) ?? [])
          .map(({ name, folder }) => (folder ? `${name}/` : name))
          .join('\n');
    }
  }

  private numberOf(document: Document | undefined): string {
    return document ? `${remember(this.numbers, document, () => ++this.count)}` : '';
  }

  /** The text whose class is meant by a name of the top level: the asking one itself, or the nearest. */
  private definer(name: string, path: string): Document | undefined {
    const candidates = this.indexed().loose.get(name) ?? [];
    const from = folderOf(path);
    const meant = candidates.includes(path)
      ? path
      : candidates.reduce<string | undefined>(
          (best, one) =>
            best !== undefined && distance(folderOf(best), from) <= distance(folderOf(one), from)
              ? best
              : one,
          undefined,
        );
    return meant === undefined ? undefined : this.document(meant);
  }

  /** Other texts of the same folder that define a class of the top level, too. */
  rivals(name: string, path: string): Document[] {
    const candidates = this.indexed().loose.get(name) ?? [];
    return candidates
      .filter((one) => one !== path && folderOf(one) === folderOf(path))
      .flatMap((one) => this.document(one) ?? []);
  }

  private indexed(): Index {
    this.index ??= this.makeIndex();
    return this.index;
  }

  private makeIndex(): Index {
    const loose = new Map<string, string[]>();
    const within = new Map<string, string[]>();
    const roots = new Map<string, string>();
    const wanted = new Map<string, Wanted>();
    const documents = this.documents().sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const document of documents) {
      const { facts } = document;
      const root = this.rootOf(document);
      if (root !== undefined) roots.set(root, facts.within[0] ?? facts.names[0] ?? '');
      else if (facts.within.length > 0) append(within, facts.within[0]!, document.path);
      else for (const name of new Set(facts.names)) append(loose, name, document.path);
      for (const { name, version } of facts.uses)
        if (!wanted.has(name) && name !== facts.names[0])
          wanted.set(name, { user: facts.names[0] ?? '', version });
    }
    const depthOf = (path: string): number => this.document(path)!.facts.within.length;
    for (const list of within.values()) list.sort((a, b) => depthOf(a) - depthOf(b));
    const index = { loose, within, roots: [...roots.keys()], wanted };
    return { ...index, shadows: this.isShadowing([...loose.keys(), ...within.keys(), ...roots.values()]) };
  }

  private isShadowing(names: readonly string[]): boolean {
    if ([...this.open.keys()].some((path) => this.isBelowLibrary(path) && !this.isOfLibrary(path)))
      return true;
    const options = { files: this.below, roots: this.libraries };
    const known = (this.libraryNames ??= new Set(new Library(options).topLevelNames()));
    return names.some((name) => known.has(name));
  }

  /** The folder of the outermost package that a text belongs to. */
  private rootOf(document: Document | undefined): string | undefined {
    if (!document || this.isOfLibrary(document.path)) return undefined;
    const { within } = document.facts;
    let folder = folderOf(document.path);
    if (within.length === 0 && nameOf(document.path) !== 'package.mo') return undefined;
    if (!this.overlay.has(folder, 'package.mo')) return undefined;
    for (let depth = within.length; depth > 0 && folder !== '' && folder !== '/'; depth--) {
      const above = folderOf(folder);
      if (!this.overlay.has(above, 'package.mo')) break;
      folder = above;
    }
    return folder;
  }
}

const classOf = ({ definition }: Document, name: string): ast.ClassDef | undefined =>
  definition.classes.find((one) => one.name.text === name);
