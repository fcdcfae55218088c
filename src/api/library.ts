/** Models as classes: in a library, where Modelica text can use them, and as Modelica text. */
import type { BuiltIn } from '../builtin/component.ts';
import { Failure } from '../diagnostic/failure.ts';
import { kind, type OptionKind, requireArgument } from '../diagnostic/options.ts';
import { Library } from '../model/library.ts';
import type * as ast from '../syntax/ast.ts';
import { parse } from '../syntax/parser.ts';
import { print } from '../syntax/print.ts';
import { isPlain, ModelData } from './value.ts';
import { builtInsOf, write } from './write.ts';

/** Models by the names that their classes get. */
export type NamedModels = Readonly<Record<string, ModelData>>;

const namedModels: OptionKind = {
  is: (value) => isPlain(value) && Object.values(value).every((model) => model instanceof ModelData),
  what: 'an object with models by name, `{ Name: model }`',
};

/** Adds models to a library as classes at top level, and gives the built-in components that they use. Throws a `Failure`. */
export function addModels(library: Library, models: NamedModels): BuiltIn[] {
  requireArgument(library, kind.instanceOf(Library, 'a `Library`'), 'The library', 'addModels');
  requireArgument(models, namedModels, 'The models', 'addModels');
  const builtIns = builtInsOf(Object.values(models));
  const problems = definitionsOf(models).flatMap((definition) => library.add(definition));
  if (problems.length > 0) throw new Failure('flatten', problems);
  return builtIns;
}

/**
 * The Modelica text of a model, or of several by the names of their classes: `toModelica({ Pin, Resistor, Filter })`. Models that
 * have no name of their own here are written inside those that use them.
 */
export function toModelica(models: ModelData | NamedModels): string {
  const named = models instanceof ModelData ? { [className(models)]: models } : models;
  requireArgument(named, namedModels, 'The models', 'toModelica');
  return definitionsOf(named).map(print).join('');
}

/** The name of the class of a model that is not given another one; that of a class of a library is its last one. */
export const className = (model: ModelData): string => model.definition.name?.split('.').at(-1) ?? 'Model';

function definitionsOf(models: NamedModels): ast.StoredDefinition[] {
  for (const [name, { attributes }] of Object.entries(models)) {
    if (attributes.size === undefined) continue;
    const message = `\`${name}\` is an array of components, not a model.`;
    throw Failure.of('flatten', 'no-model', message, { hint: 'Make it a member of a model.' });
  }
  return write(models).map((source) => {
    const { definition, diagnostics } = parse(source);
    if (diagnostics.length > 0) throw new Failure('syntax', diagnostics);
    return definition;
  });
}
