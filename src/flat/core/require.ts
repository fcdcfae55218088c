/** Flat models where programs give them to functions: anything else is told, with what it should have been. */
import { Failure } from '../../diagnostic/failure.ts';
import { shown } from '../../diagnostic/options.ts';
import type { FlatModel } from '../flat.ts';

export function isFlat(model: unknown): model is FlatModel {
  const { variables, equations, pool } = Object(model) as Partial<FlatModel>;
  return Array.isArray(variables) && Array.isArray(equations) && pool !== undefined;
}

/** Throws a `Failure` where the model of a function is none. */
export function requireFlat(model: unknown, name: string): asserts model is FlatModel {
  if (isFlat(model)) return;
  const isText = typeof model === 'string';
  const found = isText ? 'a text' : shown(model);
  throw Failure.of('flatten', 'no-model', `\`${name}\` needs a flat model, not ${found}.`, {
    hint: isText
      ? `Make one of the text: \`${name}(loadModel(text))\`.`
      : 'Make one of Modelica text, a `Library` or a model in TypeScript: `loadModel(model)`.',
  });
}
