/**
 * From the paths and libraries of a command line to a `Library` and the name of the model. A file is read as it is; a
 * file or folder that belongs to a package (there is a `package.mo` beside it) opens that whole package, whose
 * other classes are read when they are needed (specification 3.6, section 13.4). Libraries come from `--library`, from the
 * environment variable `MODELICAPATH` and, last, from Mutabor itself. A JavaScript module is run, and its models become classes.
 */
import { basename, delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addModels } from '../api/library.ts';
import type { BuiltIn } from '../builtin/component.ts';
import { type Diagnostic, error, hasErrors } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import { didYouMean, nearest } from '../diagnostic/nearest.ts';
import { Source } from '../diagnostic/source.ts';
import { type Externals, lastModel } from '../load.ts';
import { readText } from '../model/classes/encoding.ts';
import { classByName } from '../model/classes/lookup.ts';
import { noSuchClass } from '../model/instances/admission.ts';
import { Library } from '../model/library.ts';
import type * as ast from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { HostFiles } from './files.ts';
import { importModule, isModule, type ModelModule } from './module.ts';
import { type NamedFile, NamedFiles } from './named.ts';
import { type Arguments, optionValue } from './options.ts';
import type { Io } from './surroundings.ts';

/** The folder of the libraries that come with Mutabor. It is looked into last, so that a user's own copy is preferred. */
const OWN_LIBRARIES = slashed(fileURLToPath(new URL('../../models', import.meta.url)));

export type Input = ReadInput | WrongInput;

export interface ReadInput {
  readonly ok: true;
  readonly library: Library;
  /** A model, or the package that was named where no model was. */
  readonly model: string;
  /** Built-in components that models of JavaScript modules bring along. */
  readonly builtIns: readonly BuiltIn[];
  /** Implementations of external functions that such modules export. */
  readonly externals: Externals;
  /** Reads files that models name; throws a `Failure`. */
  readonly files: NamedFile;
  /** The files that were read so far: those of libraries are when their classes are needed. */
  readonly sources: () => readonly string[];
}

export interface WrongInput {
  readonly ok: false;
  /** True where the command line is wrong, false where the text is. */
  readonly usage: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export async function readInput(args: Arguments, io: Io): Promise<Input> {
  const reader = new Reader(io);
  for (const path of args.given.get('library') ?? []) reader.library(path);
  for (const path of args.files) await reader.path(slashed(path), optionValue(args, 'model'));
  for (const path of (io.env.MODELICAPATH ?? '').split(delimiter))
    if (path !== '') reader.libraries(slashed(path));
  reader.root(OWN_LIBRARIES);
  if (reader.missing.length > 0) return { ok: false, usage: true, diagnostics: reader.missing };
  return reader.finish(optionValue(args, 'model'));
}

class Reader {
  /** Paths that do not exist or hold no models. */
  readonly missing: Diagnostic[] = [];
  private readonly files: HostFiles;
  private readonly named: NamedFiles;
  private readonly roots: string[] = [];
  private readonly definitions: ast.StoredDefinition[] = [];
  private readonly modules: ModelModule[] = [];
  private readonly problems: Diagnostic[] = [];
  /** The last model of the last file, qualified. */
  private last: string | undefined;
  /** The last package that was named by its folder or file, qualified. */
  private lastPackage: string | undefined;

  constructor(private readonly io: Io) {
    this.files = new HostFiles(io.cwd);
    this.named = new NamedFiles(io.cwd);
  }

  library(path: string): void {
    if (this.files.isFolder(path)) {
      this.libraries(slashed(path));
      if (!this.files.list(path)) this.missing.push(notFound(path, 'cannot be read'));
    } else this.missing.push(notFound(path, this.files.exists(path) ? 'is not a folder' : 'does not exist'));
  }

  /** A folder of libraries, or of one. */
  libraries(path: string): void {
    this.root(path);
    this.files.allowLibraries(path);
    this.named.allowLibraries(path);
  }

  root(path: string): void {
    this.files.allow(path);
    this.named.allow(path);
    // The name of the folder is the name of its package, so it must be visible.
    this.roots.push(/(^|\/)\.\.?$/.test(path) ? slashed(this.files.absolute(path)) : path);
  }

  async path(path: string, wanted: string | undefined): Promise<void> {
    if (path === '-') this.piped();
    else if (!this.files.exists(path)) this.missing.push(notFound(path, 'does not exist', this.near(path)));
    else if (this.files.isFolder(path)) this.folder(path);
    else if (!this.files.isFile(path)) this.missing.push(notFound(path, 'is a pipe or a device, not a file'));
    else if (isModule(path)) await this.module(path, wanted);
    else this.file(path);
  }

  private piped(): void {
    const text = this.io.readInput();
    if (text === undefined) this.missing.push(notFound('-', 'is standard input, which is too large'));
    else this.definitions.push(this.parsed(new Source('standard input', text)));
  }

  /** A file beside a path that does not exist, which may have been meant. */
  private near(path: string): string | undefined {
    const folder = dirname(path);
    this.files.allow(folder);
    const names = (this.files.list(folder) ?? []).map(({ name }) => name);
    const meant = nearest(basename(path), names) ?? names.find((name) => name === `${basename(path)}.mo`);
    return meant && (path.includes('/') ? `${folder}/${meant}` : meant);
  }

  private async module(path: string, wanted: string | undefined): Promise<void> {
    const found = await importModule(path, this.io.cwd, wanted);
    if ('models' in found) {
      this.named.allowProgram(dirname(path));
      this.modules.push(found);
      this.last = found.main ?? this.last;
      return;
    }
    // A module without a model is a wrong argument; a model with a mistake is a wrong text.
    const isUsage = found.every((item) => item.code === 'bad-option' || item.code === 'no-model');
    (isUsage ? this.missing : this.problems).push(...found);
  }

  private folder(path: string): void {
    this.files.allow(path);
    const entries = this.files.list(path) ?? [];
    if (entries.some((entry) => entry.name === 'package.mo')) {
      this.file(`${path}/package.mo`);
      return;
    }
    const texts = entries.filter((entry) => !entry.folder && entry.name.endsWith('.mo'));
    const packages = entries.filter(
      (entry) => entry.folder && this.files.exists(`${path}/${entry.name}/package.mo`),
    );
    if (texts.length + packages.length === 0) {
      this.missing.push(
        error('no-model', `The folder \`${path}\` holds no Modelica files.`, {
          hint: 'Name a file that ends in `.mo`, or a folder with such files or packages.',
        }),
      );
    }
    this.root(path);
    for (const entry of texts) this.file(`${path}/${entry.name}`);
  }

  private file(path: string): void {
    this.files.allow(path);
    const read = readText(this.files, path);
    if (!read) {
      this.missing.push(notFound(path, 'cannot be read'));
      return;
    }
    this.named.allow(dirname(path));
    const definition = this.parsed(read.source);
    const within = withinOf(definition);
    const folder = dirname(path);
    const packaged = this.isPackage(folder) && (within.length > 0 || basename(path) === 'package.mo');
    const [first] = definition.classes;
    if (packaged && first?.restriction === 'package')
      this.lastPackage = [...within, first.name.text].join('.');
    if (packaged) this.root(this.topPackage(folder, within.length));
    else {
      this.definitions.push(definition);
      this.problems.push(...read.problems);
    }
  }

  private parsed(source: Source): ast.StoredDefinition {
    const { definition, diagnostics } = parse(source);
    this.last = lastModel(definition.classes, withinOf(definition)) ?? this.last;
    this.problems.push(...diagnostics);
    return definition;
  }

  private isPackage(folder: string): boolean {
    return this.files.exists(`${folder}/package.mo`);
  }

  /** The folder of the outermost package, at most `depth` levels up. */
  private topPackage(folder: string, depth: number): string {
    let top = slashed(this.files.absolute(folder));
    let levels = 0;
    for (; levels < depth && this.isPackage(dirname(top)); levels++) top = dirname(top);
    return levels === 0 ? folder : top;
  }

  private noModel(): Diagnostic {
    const classes = this.definitions.flatMap((definition) => definition.classes);
    const [module] = this.modules;
    if (this.definitions.length === 0 && module) {
      if (module.builtIns.length === 0)
        return error('no-model', 'There are external functions, but no model that calls them.', {
          hint: 'Name the Modelica file of such a model too.',
        });
      const names = module.builtIns.map(({ name }) => `\`${name}\``);
      return error(
        'no-model',
        `There is the built-in component ${names.join(', ')}, but no model that has it.`,
        {
          hint: 'Name the Modelica file of such a model too, or run the module with `node` where it is a program.',
        },
      );
    }
    if (this.definitions.length === 0) {
      return error('no-model', 'There is no model to work on.', {
        hint: 'Name a Modelica file, or a model of a library with `--library` and `--model`.',
      });
    }
    const found = classes.map(
      (item) => `${item.partial ? 'partial ' : ''}${item.restriction} \`${item.name.text}\``,
    );
    const message =
      found.length === 0
        ? 'The text holds no classes.'
        : `There is no model that can be simulated, only the ${found.slice(0, 5).join(', ')}.`;
    return error('no-model', message, { hint: 'Name a model or block that is not partial.' });
  }

  private addModules(library: Library): BuiltIn[] {
    try {
      const all = this.modules.flatMap(({ models, builtIns }) => [
        ...addModels(library, models),
        ...builtIns,
      ]);
      return [...new Set(all)];
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      this.problems.push(...problem.diagnostics);
      return [];
    }
  }

  finish(name: string | undefined): Input {
    const library = new Library({ files: this.files, roots: this.roots });
    // What was read after a mistake is a guess: classes that clash are reported when the text is right.
    if (!hasErrors(this.problems))
      for (const definition of this.definitions) this.problems.push(...library.add(definition));
    const builtIns = hasErrors(this.problems) ? [] : this.addModules(library);
    if (hasErrors(this.problems)) return { ok: false, usage: false, diagnostics: this.problems };
    library.addProblems(this.problems);
    const model = name ?? this.last ?? this.lastPackage;
    if (model === undefined) return { ok: false, usage: true, diagnostics: [this.noModel()] };
    if (classByName(library, model)) {
      const files = this.named.reader(library);
      const externals: Externals = Object.assign({}, ...this.modules.map((module) => module.externals));
      return { ok: true, library, model, builtIns, externals, files, sources: () => this.files.sources };
    }
    const unreadable = library.takeProblems();
    if (unreadable.length > 0) return { ok: false, usage: false, diagnostics: unreadable };
    return { ok: false, usage: true, diagnostics: [noSuchClass(library, model)] };
  }
}

const withinOf = ({ within }: ast.StoredDefinition): string[] =>
  (within?.parts ?? []).map((part) => part.text);

/** Modelica's and this program's paths use `/` on every system. */
function slashed(path: string): string {
  const plain = path.replaceAll('\\', '/');
  return plain.length > 1 ? plain.replace(/\/+$/, '') : plain;
}

function notFound(path: string, what: string, meant?: string): Diagnostic {
  const isClass = /^[A-Za-z]\w*(\.[A-Z]\w*)*$/.test(path);
  const hint =
    didYouMean(meant) ?? (isClass ? `If it is a class of a library, write \`--model ${path}\`.` : undefined);
  return error('file-not-found', `\`${path}\` ${what}.`, { hint });
}
