/** What a program reads of its component when a run begins: parameters, and where inputs and outputs lie. */
import type { Instance } from '../builtin/component.ts';
import type { DiagnosticOptions } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { Limits } from './commands.ts';
import { gapOf, type Plan } from './plan.ts';
import type { AxisLimits } from './ptp.ts';

export interface Ports {
  /** Where the axes are at the start. */
  readonly start: Float64Array;
  readonly axes: AxisLimits;
  readonly attaching: Required<Limits>;
  /** By part and place: where what is measured between them lies among the inputs. */
  readonly gaps: readonly { readonly distance: number; readonly v: number; readonly w: number }[];
  readonly conditions: readonly number[];
  /** Where outputs lie, if they are there. */
  readonly outputs: { readonly [Name in 'since' | 'base' | 'rate' | 'bend' | 'holds' | 'removed']?: number };
}

export function portsOf(instance: Instance, { axes, parts, places, removable, conditions }: Plan): Ports {
  const numbers = (name: string) => (axes > 0 ? instance.numbers(name) : new Float64Array(0));
  const input = (name: string) => instance.input(name).start;
  const output = (name: string, isThere: boolean) => (isThere ? { [name]: instance.output(name).start } : {});
  const gaps = parts.flatMap((part) => places.map((place) => gapOf(part, place)));
  return {
    start: numbers('start'),
    axes: {
      speed: positive(instance, 'maxSpeed', numbers('maxSpeed')),
      acceleration: positive(instance, 'maxAcceleration', numbers('maxAcceleration')),
    },
    attaching: gaps.length > 0 ? attachingOf(instance) : { reach: 0, speed: 0, turn: 0, impact: false },
    gaps: gaps.map((gap) => ({
      distance: input(`${gap}.distance`),
      v: input(`${gap}.v`),
      w: input(`${gap}.w`),
    })),
    conditions: conditions.map(input),
    outputs: {
      ...output('since', axes > 0),
      ...output('base', axes > 0),
      ...output('rate', axes > 0),
      ...output('bend', axes > 0),
      ...output('holds', gaps.length > 0),
      ...output('removed', removable.length > 0),
    },
  };
}

const attachingOf = (instance: Instance): Required<Limits> => ({
  reach: instance.number('reach'),
  speed: instance.number('speed'),
  turn: instance.number('turn'),
  impact: instance.parameter('impact') === true,
});

function positive(instance: Instance, name: string, values: Float64Array): Float64Array {
  const wrong = values.findIndex((value) => !(value > 0));
  if (wrong < 0) return values;
  throw actionFailure(instance, `\`${name}[${wrong + 1}]\` is ${values[wrong]}.`, {
    hint: 'Axes need limits above zero, or they never arrive.',
  });
}

/** What a program cannot do. */
export const actionFailure = (
  { path, origin }: Pick<Instance, 'path' | 'origin'>,
  message: string,
  options: DiagnosticOptions = {},
): Failure => Failure.of('simulate', 'action', `\`${path}\`: ${message}`, { span: origin.span, ...options });
