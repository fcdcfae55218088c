/**
 * A program as a built-in component: it reads gaps between parts and places, and conditions; it gives the parabolas of
 * which reference positions are made, and what is held. All of it changes at events only, so that what follows positions may differentiate them.
 */
import type { BuiltIn } from '../builtin/component.ts';
import { gapOf, type Plan } from './plan.ts';
import { Runner } from './runner.ts';

export function programComponent(name: string, plan: Plan): BuiltIn<Runner> {
  const { axes, parts, places, removable, conditions } = plan;
  const gaps = parts.flatMap((part) => places.map((place) => gapOf(part, place)));
  const stepped = [
    ...(axes > 0 ? ['since', 'base', 'rate', 'bend'] : []),
    ...(gaps.length > 0 ? ['holds'] : []),
    ...(removable.length > 0 ? ['removed'] : []),
  ];
  return {
    name,
    inputs: [...gaps.flatMap((gap) => [`${gap}.distance`, `${gap}.v`, `${gap}.w`]), ...conditions],
    outputs: Object.fromEntries(stepped.map((output) => [output, []])),
    stepped,
    instead: (output) => `A program gives \`${output}\`: it can be used, but not determined by the model.`,
    allocate: (instance) => new Runner(instance, plan),
    begin: (runner, { first }) => runner.begin(first),
    stateOutputs: (runner, point) => runner.outputs(point),
    event: (runner, event) => runner.event(event),
    save: (runner) => runner.save(),
    load: (runner, saved) => runner.load(saved as ReturnType<Runner['save']>),
  };
}
