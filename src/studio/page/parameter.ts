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

/** Of numbers that are compared after a conversion of their unit: its last digits mean nothing. */
const LOST = 1e-11;
/** A slider leads to numbers with the digits that this part of its range needs. */
const FINEST = 1e-3;

/** The number that a person sees of a value of a parameter. */
export function shownOf(parameter: Parameter, value: number): number {
  const { scale, offset } = displayed(asSignal(parameter));
  return value * scale + offset;
}

/** The value of a number that a person writes: what cannot be told from a bound, because its unit was converted, is the bound. */
export function storedOf(parameter: Parameter, shown: number): number {
  const { scale, offset } = displayed(asSignal(parameter));
  if (scale === 1 && offset === 0) return shown;
  const near = LOST * Math.max(Math.abs(shown), Math.abs(offset));
  const bound = [parameter.min, parameter.max].find(
    (one) => one !== undefined && Math.abs(one * scale + offset - shown) <= near,
  );
  return bound ?? Number(((shown - offset) / scale).toPrecision(15));
}

/** All digits that a person may need to write the same number again, and none that a conversion has left. */
export const written = (shown: number): string => readable(shown, 12).replace('−', '-');

/** The value at a share of the way of a slider: its ends are the bounds, and between them are numbers with few digits in the display unit. */
export function sliderValue(parameter: Parameter, share: number): number {
  const [low, high] = rangeOf(parameter);
  if (share <= 0 || share >= 1) return share <= 0 ? low : high;
  const value = low + share * (high - low);
  if (parameter.type === 'Integer') return Math.round(value);
  const shown = shownOf(parameter, value);
  const step = FINEST * Math.abs(shownOf(parameter, high) - shownOf(parameter, low));
  const digits = Math.ceil(Math.log10(Math.abs(shown) / step));
  const rounded = digits < 1 ? 0 : Number(shown.toPrecision(Math.min(15, digits)));
  return Math.min(high, Math.max(low, storedOf(parameter, rounded)));
}

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
  const shown = (bound: number): string => readable(shownOf(parameter, bound), 12);
  if (min !== undefined && value < min) return texts.tooSmall(shown(min));
  if (max !== undefined && value > max) return texts.tooLarge(shown(max));
  return undefined;
}
