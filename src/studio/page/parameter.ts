/** What fields, sliders and sweeps have to know of a parameter. */
import { readable } from '../../names/readable.ts';
import { displayed } from '../../results/plot/value.ts';
import type { Parameter } from '../protocol.ts';
import { texts } from './texts.ts';

/** A parameter as what shows values takes signals. */
export const asSignal = ({ unit, displayUnit, type, literals }: Parameter) => ({
  unit,
  displayUnit,
  type: type === 'String' ? ('Real' as const) : type,
  ...(literals && { literals }),
});

/** The bounds of a parameter or, where it has none, values around the one that it has. */
export function rangeOf({ value, min, max, type }: Parameter): [low: number, high: number] {
  const number = typeof value === 'number' ? value : 0;
  const around = number === 0 ? 1 : Math.abs(number);
  const usual = type === 'Integer' ? Math.max(10, around) : around;
  const low =
    min ?? (number > 0 || (number === 0 && max === undefined && type === 'Integer') ? 0 : number - usual);
  const high = max ?? number + usual;
  return high > low ? [low, high] : [low, low + usual];
}

/** The range of a sweep where the person names none: at zero, which sliders begin with, many models have no solution. */
export function sweepRangeOf(parameter: Parameter): [low: number, high: number] {
  const { value, min, max } = parameter;
  if (typeof value !== 'number' || value === 0 || min !== undefined || max !== undefined)
    return rangeOf(parameter);
  return value > 0 ? [value / 2, value * 2] : [value * 2, value / 2];
}

/** What is wrong with a value, in the unit of the parameter. */
export function boundProblem(parameter: Parameter, value: number): string | undefined {
  const { min, max } = parameter;
  const { scale, offset } = displayed(asSignal(parameter));
  const shown = (bound: number): string => readable(bound * scale + offset);
  if (min !== undefined && value < min) return texts.tooSmall(shown(min));
  if (max !== undefined && value > max) return texts.tooLarge(shown(max));
  return undefined;
}
