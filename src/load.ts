/** From Modelica text, a library of classes, or a model written in TypeScript, to a flat model. */

import { isBuiltIn } from './api/define.ts';
import { addModels, className } from './api/library.ts';
import { isPlain, ModelData } from './api/value.ts';
import { type FileContent, type Files, isContent } from './bodies/files.ts';
import { meshReader } from './bodies/scene/meshes.ts';
import { bodiesParts } from './bodies/whole.ts';
import type { BuiltIn } from './builtin/component.ts';
import { type Diagnostic, error, hasErrors } from './diagnostic/diagnostic.ts';
import { Failure } from './diagnostic/failure.ts';
import {
  kind,
  type OptionKind,
  type OptionKinds,
  requireArgument,
  requireOptions,
  shown,
} from './diagnostic/options.ts';
import { Source } from './diagnostic/source.ts';
import { type Surroundings, standardExternals } from './externals/index.ts';
import type { FlatModel } from './flat/flat.ts';
import { flatten } from './flat/flatten.ts';
import { elementsOf } from './model/classes/class.ts';
import { instantiate } from './model/instances/instantiate.ts';
import { type Override, readOverride } from './model/instances/outside.ts';
import { Library } from './model/library.ts';
import { type Literal, literalText } from './names/literals.ts';
import { partsOf } from './names/names.ts';
import type { Externals } from './symbolic/foreign.ts';
import type * as ast from './syntax/ast.ts';
import { parse } from './syntax/parser.ts';

export type { FileContent, Files } from './bodies/files.ts';
export type { ExternalFunction, Externals } from './symbolic/foreign.ts';

/** Values for parameters and start values by dotted name; texts are Modelica expressions. */
export type Overrides = Readonly<Record<string, OverrideValue>>;

export type OverrideValue = string | number | boolean | readonly OverrideValue[];

export interface LoadOptions {
  /** Code that classes name in `annotation(__Mutabor(builtIn = "…"))`. */
  readonly builtIns?: readonly BuiltIn[];
  /** What computes external functions, by the name that the external clause uses or the qualified name of the function. */
  readonly externals?: Externals;
  /** Files that the model names, those of meshes: their bytes or texts by name, or a function that gives them. */
  readonly files?: Files;
  /** Shows a line that the model prints (`Modelica.Utilities.Streams.print`); without it they go to the console. */
  readonly print?: (line: string) => void;
}

export const loadKinds: OptionKinds<LoadOptions> = {
  builtIns: kind.listOf(isBuiltIn, 'a list of built-in components'),
  externals: {
    is: (value) => kind.object.is(value) && Object.values(value as object).every(kind.function.is),
    what: 'an object with functions by name',
  },
  files: {
    is: (value) => kind.function.is(value) || (isPlain(value) && Object.values(value).every(isContent)),
    what: 'an object with bytes (`Uint8Array`) or texts by name, or a function',
  },
  print: kind.function,
};
const libraryKind = kind.instanceOf(Library, 'a `Library`');
const modelKind: OptionKind = {
  is: (value) => kind.text.is(value) || libraryKind.is(value) || value instanceof ModelData,
  what: 'Modelica text, a `Library`, or a model made by `Model`',
};

/** Parses a text and adds its classes to a library, by default a new one. Throws a `Failure` that lists all mistakes. */
export function loadText(modelica: string, name = 'model.mo', library = new Library()): Library {
  requireArgument(modelica, kind.text, 'The text', 'loadText');
  requireArgument(name, kind.text, 'The name', 'loadText');
  requireArgument(library, libraryKind, 'The library', 'loadText');
  const { definition, diagnostics } = parse(new Source(name, modelica));
  const problems = hasErrors(diagnostics) ? diagnostics : [...diagnostics, ...library.add(definition)];
  if (hasErrors(problems)) throw new Failure('syntax', problems);
  return library;
}

/**
 * The flat model of a class, ready to be simulated. `model` is Modelica text, a library or a model written in TypeScript; without a
 * name the last model of the text is taken. Throws a `Failure`.
 */
export function loadModel(
  model: string | Library | ModelData,
  name?: string,
  overrides: Overrides = {},
  options: LoadOptions = {},
): FlatModel {
  requireArgument(model, modelKind, 'The model', 'loadModel');
  const order = 'Values are the third argument: `loadModel(model, name, { k: 2 })`.';
  if (name !== undefined) requireArgument(name, kind.text, 'The name', 'loadModel', order);
  requireOptions(options, loadKinds, 'loadModel');
  const given = readOverrides(overrides);
  if (model instanceof ModelData) return flatModelOf(model, { ...options, name, overrides });
  const library = typeof model === 'string' ? loadText(model) : model;
  const translation = translate(library, modelIn(library, name), given, options);
  if (!translation.model) throw new Failure('flatten', translation.diagnostics);
  return translation.model;
}

function readOverrides(overrides: Overrides): Override[] {
  requireArgument(overrides, kind.object, 'The overrides', 'loadModel', 'Write `{ name: value, … }`.');
  const wrong: Diagnostic[] = [];
  const read = Object.entries(overrides).flatMap(([name, value]) => {
    const written = modelicaText(value);
    if (written !== undefined) return [readOverride(name, written, name)];
    const isInside = isPlain(value) ? `Write dotted names: \`'${name}.start': 1\`.` : undefined;
    const hint =
      isInside ?? 'Values are finite numbers, Booleans, lists of them, and texts with Modelica expressions.';
    wrong.push(error('bad-binding', `The value of \`${name}\` is ${shown(value)}.`, { hint }));
    return [];
  });
  if (wrong.length > 0) throw new Failure('flatten', wrong);
  return read;
}

/** A value as text, where it is one; texts are expressions already. */
function modelicaText(value: unknown): string | undefined {
  const isLiteral = (item: unknown): item is Literal =>
    Array.isArray(item)
      ? item.length > 0 && item.every(isLiteral)
      : ['string', 'boolean'].includes(typeof item) || Number.isFinite(item);
  return isLiteral(value) ? literalText(value, (text) => text) : undefined;
}

/** The name of a model of a library: the given one, or the last one that there is. Throws a `Failure`. */
export function modelIn(library: Library, name?: string): string {
  const chosen = name ?? lastOf(library);
  if (chosen !== undefined) return chosen;
  throw Failure.of('flatten', 'no-model', 'There is no model in the text.', {
    hint: library.classes.some(({ definition }) => definition.partial)
      ? 'Partial classes cannot be simulated: write a model that extends one.'
      : undefined,
  });
}

export interface FlatModelOptions extends LoadOptions {
  /** The name of the model; without one that which it has itself. */
  readonly name?: string | undefined;
  /** The classes of Modelica libraries that the model uses. The class of the model is added to them. */
  readonly library?: Library | undefined;
  readonly overrides?: Overrides | undefined;
}

const ownModelKind = kind.instanceOf(ModelData, 'a model made by `Model`');
const flatKinds: OptionKinds<FlatModelOptions> = {
  name: kind.text,
  library: libraryKind,
  overrides: kind.object,
  ...loadKinds,
};

/** The flat model of a model written in TypeScript. Throws a `Failure`. */
export function flatModelOf(model: ModelData, options: FlatModelOptions = {}): FlatModel {
  requireArgument(model, ownModelKind, 'The model', 'flatModelOf');
  requireOptions(options, flatKinds, 'flatModelOf');
  const { library, name, builtIns } = libraryOf(model, options);
  return loadModel(library, name, options.overrides, {
    builtIns: [...builtIns, ...(options.builtIns ?? [])],
    externals: options.externals,
    files: options.files,
    print: options.print,
  });
}

/** A class of a library that was made from a model. */
export interface AddedModel {
  readonly library: Library;
  readonly name: string;
  /** The code that the model needs. */
  readonly builtIns: readonly BuiltIn[];
}

/** Models are values: the same one in the same library is the same class. */
const addedModels = new WeakMap<Library, WeakMap<ModelData, AddedModel>>();

/** A library with the class of a model. Throws a `Failure`. */
export function libraryOf(model: ModelData, options: FlatModelOptions = {}): AddedModel {
  requireArgument(model, ownModelKind, 'The model', 'libraryOf');
  requireOptions(options, flatKinds, 'libraryOf');
  const library = options.library ?? new Library();
  const known = addedModels.get(library) ?? new WeakMap<ModelData, AddedModel>();
  addedModels.set(library, known);
  const wanted = options.name ?? className(model);
  const before = known.get(model);
  if (before && (options.name === undefined || before.name === options.name)) return before;
  let name = wanted;
  for (let k = 2; library.topLevel(name); k++) name = `${wanted}${k}`;
  const added = { library, name, builtIns: addModels(library, { [name]: model }) };
  known.set(model, added);
  return added;
}

export interface Translation {
  /** `undefined` where there are errors. */
  readonly model: FlatModel | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Instantiates and flattens a class; what is wrong is in the diagnostics, warnings included. */
export function translate(
  library: Library,
  name: string,
  overrides: readonly Override[] = [],
  { builtIns = [], externals: given = {}, files, print }: LoadOptions = {},
): Translation {
  requireArgument(library, libraryKind, 'The library', 'translate', 'Make one of text: `loadText(text)`.');
  requireArgument(name, kind.text, 'The name', 'translate');
  const surroundings = surroundingsOf(library, files, print);
  const externals = { ...standardExternals(surroundings), ...given };
  library.externals = externals;
  const { root, diagnostics, deadImports } = instantiate(library, name, { overrides });
  if (!root || hasErrors(diagnostics)) return { model: undefined, diagnostics };
  const flat = flatten(root, library, [...bodiesParts(meshReader(files)), ...builtIns], externals);
  const unneeded = flat.model ? deadImports() : [];
  const model = flat.model && { ...flat.model, read: surroundings.read };
  return { model, diagnostics: [...diagnostics, ...unneeded, ...flat.diagnostics] };
}

/** What functions of the Modelica Standard Library can reach: files that were given, those of the library, the console. */
function surroundingsOf(
  { resources }: Library,
  files: Files | undefined,
  print: LoadOptions['print'],
): Surroundings {
  return {
    read: (name) => {
      const content = givenFile(files, name) ?? resources.read(name);
      if (content === undefined)
        throw new Error(
          `the file “${name}” does not exist, or is outside of the folders of libraries and the working folder`,
        );
      return typeof content === 'string' ? new TextEncoder().encode(content) : content;
    },
    list: (name) => resources.list(name),
    fullName: (name) => {
      if (files && typeof files !== 'function' && Object.hasOwn(files, name)) return name;
      const path = resources.fullName(name);
      if (path === undefined)
        throw new Error(`“${name}” names a package that is not there, or leads out of its library`);
      return path;
    },
    print: print ?? ((line) => console.log(line)),
  };
}

/** A file of those that were given; where a function cannot give it, the library may have it. */
function givenFile(files: Files | undefined, name: string): FileContent | undefined {
  if (typeof files !== 'function') return files && Object.hasOwn(files, name) ? files[name] : undefined;
  try {
    return files(name, '');
  } catch (problem) {
    if (problem instanceof Failure) return undefined;
    throw problem;
  }
}

/** The last class of a text that can be simulated, by its qualified name; packages are looked into. */
export function lastModel(
  classes: Iterable<ast.ClassDef>,
  within: readonly string[] = [],
): string | undefined {
  for (const item of [...classes].reverse()) {
    const path = [...within, item.name.text];
    if (['model', 'block', 'class'].includes(item.restriction) && !item.partial) return path.join('.');
    if (item.restriction !== 'package') continue;
    const nested = [...elementsOf(item).classes.values()].map((inner) => inner.definition);
    const found = lastModel(nested, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

function lastOf(library: Library): string | undefined {
  for (const { definition, path } of [...library.classes].reverse()) {
    const found = lastModel([definition], partsOf(path).slice(0, -1));
    if (found !== undefined) return found;
  }
  return undefined;
}
