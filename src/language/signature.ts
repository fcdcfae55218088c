/** The call at a place: what the function takes, and which of it is being written. */
import type { Library } from '../model/library.ts';
import { builtins, parametersOf } from './builtins.ts';
import { meaningOfPath, scopeOf } from './completion.ts';
import { contextAt, type OpenCall } from './context.ts';
import { parameterText } from './describe.ts';
import type { Document } from './document.ts';
import { argumentsOf, calledBy, type Meaning } from './meaning.ts';
import { descriptionOf } from './outline.ts';

export interface Signature {
  /** The call with all that it takes. */
  readonly label: string;
  readonly description: string;
  readonly parameters: readonly SignatureParameter[];
  /** The number of the parameter that is being written, if it is known. */
  readonly active: number | undefined;
}

export interface SignatureParameter {
  readonly name: string;
  /** As it stands in the label. */
  readonly text: string;
  readonly description: string;
}

export function signatureAt(document: Document, library: Library, offset: number): Signature | undefined {
  const context = contextAt(document, offset);
  const call = context?.calls.at(-1);
  if (!context || !call) return undefined;
  const name = call.callee.names.join('.');
  const meaning = meaningOfPath(scopeOf(document, library, context), call.callee);
  const found = meaning && meaning.kind !== 'builtin' ? ofFunction(meaning, name) : ofBuiltin(name);
  return found && { ...found, active: activeIn(found.parameters, call) };
}

type Form = Omit<Signature, 'active'>;

function ofBuiltin(name: string): Form | undefined {
  const known = builtins.get(name);
  if (!known) return undefined;
  const parameters = parametersOf(known.form).map((one) => ({ ...one, description: '' }));
  return { label: known.form, description: known.text, parameters };
}

function ofFunction(meaning: Meaning, name: string): Form | undefined {
  const entity = calledBy(meaning);
  if (!entity) return undefined;
  const parameters = argumentsOf(entity).map((component) => ({
    name: component.name,
    text: parameterText(component),
    description: component.declaration.comment.description?.value ?? '',
  }));
  const label = `${name}(${parameters.map(({ text }) => text).join(', ')})`;
  return { label, description: descriptionOf(entity.definition), parameters };
}

/** The parameter of the name of the argument, or the one at its place. */
function activeIn(parameters: readonly SignatureParameter[], { name, index }: OpenCall): number | undefined {
  const active = name === undefined ? index : parameters.findIndex((one) => one.name === name);
  return active >= 0 && active < parameters.length ? active : undefined;
}
