/**
 * Models of the workspace: the classes of its files, and what is made of them for runs. A file that is open stands for itself; other files of its folder, and
 * packages at the top of the workspace, are found by the names of their classes, as libraries are. Files of libraries are read once for all models.
 */
import { hasErrors } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../../diagnostic/failure.ts';
import { Source } from '../../diagnostic/source.ts';
import { elementName } from '../../flat/core/families.ts';
import { instantiate, type ParameterInfo, type Simulation } from '../../instantiate.ts';
import { elementsOf } from '../../model/classes/class.ts';
import type { FileSystem } from '../../model/classes/files.ts';
import { classByName } from '../../model/classes/lookup.ts';
import type { Library } from '../../model/library.ts';
import { settingsOf } from '../../simulate/settings.ts';
import type * as ast from '../../syntax/ast.ts';
import { parse } from '../../syntax/parser.ts';
import { SHARED } from '../link.ts';
import {
  type Content,
  type FigureReport,
  LIBRARIES,
  type ListedClass,
  type ModelAnswer,
  type ModelName,
  type Parameter,
  type ParameterSetting,
} from '../protocol.ts';
import { figuresOf } from './figures.ts';
import { HeardFiles, isInLibrary, type WorkspaceFiles } from './files.ts';
import { LibraryTexts } from './librarytexts.ts';
import { messagesOf } from './messages.ts';

/** Models that are kept, so that another run needs no translation. */
const MOST_KEPT = 4;

/** A model with what it was made of. */
export interface MadeModel {
  readonly simulation: Simulation;
  /** Files that were read for it. */
  readonly sources: ReadonlyMap<string, Content>;
  /** Paths of those of libraries. */
  readonly libraries: ReadonlySet<string>;
}

interface Heard {
  readonly sources: Map<string, Content>;
  readonly libraries: Set<string>;
}

export class Models {
  /** By file and name, the last used at the end. */
  private readonly kept = new Map<string, MadeModel>();

  private readonly libraryTexts: LibraryTexts;

  constructor(private readonly files: WorkspaceFiles) {
    this.libraryTexts = new LibraryTexts(files);
  }

  /** The files have changed. */
  change(): void {
    this.kept.clear();
  }

  /** There are other libraries. */
  changeLibraries(): void {
    this.kept.clear();
    this.libraryTexts.forget();
  }

  /** The classes of a file, outer before inner. */
  classes(file: string): ListedClass[] {
    const { definition } = parse(new Source(file, this.files.read(file) ?? ''));
    const within = (definition.within?.parts ?? []).map(({ text }) => text);
    return definition.classes.flatMap((item) => listed(item, within));
  }

  /** Throws a `Failure`. */
  made(of: ModelName): MadeModel {
    const key = keyOf(of);
    const made = this.kept.get(key) ?? this.make(of, this.heard());
    this.kept.delete(key);
    this.kept.set(key, made);
    if (this.kept.size > MOST_KEPT) this.kept.delete(this.kept.keys().next().value!);
    return made;
  }

  private heard(): Heard {
    return { sources: new Map(), libraries: new Set() };
  }

  private make(of: ModelName, heard: Heard): MadeModel {
    const { sources, libraries } = heard;
    const library = this.library(of.file, undefined, new HeardFiles(this.files, sources, libraries));
    return { simulation: instantiate(library, { name: of.model }), ...heard };
  }

  /** Files of which a model is made, as far as they can be read. */
  sources(of: ModelName): Pick<MadeModel, 'sources' | 'libraries'> {
    const known = this.kept.get(keyOf(of));
    if (known) return known;
    const heard = this.heard();
    attempted(() => this.make(of, heard));
    return heard;
  }

  /** The name of the library that a file belongs to: `Modelica 4.1.0`. */
  libraryOf(path: string): string {
    const root = this.files.libraryRoots.find((one) => path.startsWith(`${one}/`)) ?? LIBRARIES;
    // A folder of libraries, or one that is a library itself.
    const isOne = this.files.read(`${root}/package.mo`) !== undefined;
    const inside = path.slice(root.length + 1).split('/')[0]!;
    return isOne ? root.split('/').at(-1)! : inside.replace(/\.mo$/, '');
  }

  /** What is known of a model, and what is wrong with it. */
  report(of: ModelName): ModelAnswer {
    const found = attempted(() => this.made(of).simulation);
    if (found instanceof Failure) return { report: undefined, messages: messagesOf(found.diagnostics) };
    const { name, description, experiment } = found.model;
    const { startTime, stopTime, tolerance, intervals, method } = settingsOf(experiment, {});
    const report = {
      name,
      description,
      parameters: parametersOf(found),
      figures: this.figures(of),
      settings: { startTime, stopTime, tolerance, intervals, method },
    };
    return { report, messages: messagesOf(found.diagnostics) };
  }

  private figures({ file, model }: ModelName): FigureReport[] {
    const entity = classByName(this.library(file), model);
    return entity ? figuresOf(entity) : [];
  }

  /** The classes of libraries alone. */
  libraries(): Library {
    return this.libraryTexts.library(this.files, []);
  }

  /** The classes as a file sees them; with another text of it, or among other files, where some are given. Throws a `Failure`. */
  library(file: string, text?: string, others: FileSystem = this.files): Library {
    const files: FileSystem =
      text === undefined
        ? others
        : {
            list: (path) => others.list(path),
            read: (path) => (path === file ? text : others.read(path)),
            bytes: (path) => others.bytes?.(path),
          };
    const folder = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '';
    // What somebody else sent means the same everywhere: it sees nothing of the reader's own files.
    const top = file.startsWith(SHARED) ? SHARED.slice(0, -1) : '';
    const own = isInLibrary(file) ? [] : [...new Set([folder, top])];
    const library: Library = this.libraryTexts.library(files, own);
    // What belongs to a package is found as a part of it.
    const isPackaged = files.read(join(folder, 'package.mo')) !== undefined;
    const { definition, diagnostics } = parse(new Source(file, files.read(file) ?? ''));
    const problems =
      hasErrors(diagnostics) || (isPackaged && definition.within)
        ? diagnostics
        : [...diagnostics, ...library.add(definition)];
    if (hasErrors(problems)) throw new Failure('syntax', problems);
    return library;
  }
}

const keyOf = ({ file, model }: ModelName): string => `${file}\n${model}`;

const join = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

function listed(item: ast.ClassDef, within: readonly string[]): ListedClass[] {
  const path = [...within, item.name.text];
  const { restriction, partial, body } = item;
  const comment = body.kind === 'long' ? body.description : body.comment.description;
  const isModel = ['model', 'block', 'class'].includes(restriction) && !partial;
  const own = { name: path.join('.'), kind: restriction, description: comment?.value ?? '', isModel };
  const nested = [...elementsOf(item).classes.values()].map(({ definition }) => definition);
  return [own, ...nested.flatMap((inner) => listed(inner, path))];
}

/** The elements of an array, row by row; of a scalar the value alone. */
const elementsIn = (value: ParameterInfo['value']): ParameterSetting[] =>
  typeof value === 'object' ? value.flatMap(elementsIn) : [value];

/** Elements of an array that stand by themselves; larger arrays stay one parameter. */
const MOST_ELEMENTS = 100;

/** With the values that a run has that is given some; of arrays their elements, each of which can be given another value. */
export function parametersOf(
  simulation: Simulation,
  values: Readonly<Record<string, ParameterSetting>> = {},
): Parameter[] {
  const declared = new Map(simulation.model.variables.map((variable) => [variable.name, variable]));
  const number = (name: string, bound: 'min' | 'max'): number | undefined => {
    const value = declared.get(name)?.[bound];
    return value?.kind === 'const' && Number.isFinite(value.value) ? value.value : undefined;
  };
  return simulation.parameters(values).flatMap((info) => {
    const whole = { ...info, min: number(info.name, 'min'), max: number(info.name, 'max') };
    const variable = declared.get(info.name);
    const elements = elementsIn(info.value);
    if (!variable || info.dims.length === 0 || elements.length > MOST_ELEMENTS) return [whole];
    return elements.map(
      (value, k): Parameter => ({
        ...whole,
        name: elementName(variable, k),
        dims: [],
        value,
      }),
    );
  });
}
