/**
 * Ranges of axes and their ticks. Of a linear axis: multiples of 1, 2 or 5 times a power of ten, labelled with the digits that tell them
 * apart; where numbers are large or small, a power of ten with an exponent divisible by three is taken out, as engineers do. Of a
 * logarithmic axis: powers of ten, and 2 and 5 times these where there is room.
 */
import { minus } from '../../names/readable.ts';
import { superscript } from '../../units/display.ts';

export interface AxisTicks {
  readonly values: readonly number[];
  readonly labels: readonly string[];
  /** The power of ten that is taken out of the labels; 0 for none. */
  readonly exponent: number;
}

/** A closed interval of numbers, `low < high`; both are positive where it is logarithmic. */
export interface Range {
  readonly low: number;
  readonly high: number;
  readonly log?: boolean;
}

/** Where a value lies: 0 at the low end of the range, 1 at its high end. */
export function shareOf({ low, high, log }: Range, value: number): number {
  return log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
}

/** The value at a share of the range. */
export function valueAt({ low, high, log }: Range, share: number): number {
  return log ? low * (high / low) ** share : low + share * (high - low);
}

/** About `count` ticks inside the range. */
export function ticksOf(range: Range, count: number): AxisTicks {
  return (range.log && logTicks(range, count)) || niceTicks(range, count);
}

/** Two at least: of one alone nobody can read a value. */
export function niceTicks(range: Range, count: number): AxisTicks {
  let step = niceStep((range.high - range.low) / Math.max(1, count));
  let values = multiples(range, step, count);
  for (let tries = 0; values.length < 2 && tries < 2; tries++) {
    step = finer(step);
    values = multiples(range, step, count);
  }
  const largest = Math.max(...values.map(Math.abs), 0);
  const exponent = engineeringExponent(largest);
  const decimals = Math.min(20, Math.max(0, exponent - step.power));
  return { values, exponent, labels: values.map((value) => fixed(value, exponent, decimals)) };
}

/** `mantissa * 10^power` */
interface Step {
  readonly mantissa: number;
  readonly power: number;
}

function multiples({ low, high }: Range, { mantissa, power }: Step, count: number): number[] {
  const step = scaled(mantissa, power);
  const slack = 1e-9;
  const first = Math.ceil(low / step - slack);
  const last = Math.min(first + 2 * count, Math.floor(high / step + slack));
  const values: number[] = [];
  for (let i = 0; first + i <= last; i++) values.push(scaled((first + i) * mantissa, power));
  return values;
}

const finer = ({ mantissa, power }: Step): Step =>
  mantissa === 1 ? { mantissa: 5, power: power - 1 } : { mantissa: mantissa === 5 ? 2 : 1, power };

/** Undefined where fewer than two ticks would lie inside: such a range is nearly linear. */
function logTicks({ low, high }: Range, count: number): AxisTicks | undefined {
  const slack = 1e-9;
  const decades = Math.log10(high / low);
  const mantissas = decades * 3 <= count ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(decades / Math.max(1, count)));
  const values: number[] = [];
  const first = Math.floor(Math.log10(low) + slack);
  for (let power = Math.ceil(first / step) * step; scaled(1, power) <= high * (1 + slack); power += step)
    for (const mantissa of mantissas) values.push(scaled(mantissa, power));
  const inside = values.filter((value) => value >= low * (1 - slack) && value <= high * (1 + slack));
  if (inside.length < 2) return undefined;
  const isPlain = inside.every((value) => value >= 1e-3 && value < 1e5);
  return { values: inside, exponent: 0, labels: inside.map(isPlain ? String : powerLabel) };
}

/** `2·10⁶` beyond what is read easily. */
function powerLabel(value: number): string {
  const power = Math.floor(Math.log10(value) + 1e-9);
  const mantissa = Math.round(value / 10 ** power);
  return `${mantissa === 1 ? '' : `${mantissa}·`}10${superscript(power)}`;
}

/** `×10³`, or nothing. */
export function exponentLabel(exponent: number): string {
  return exponent === 0 ? '' : `×10${superscript(exponent)}`;
}

/** The range of some values, widened a little; a constant gets room on both sides. */
export function paddedRange(low: number, high: number): Range {
  if (!(low <= high)) return { low: 0, high: 1 };
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low <= 1e-12 * size || high - low < 1e-290) {
    const room = size === 0 ? 1 : 0.1 * size;
    return { low: low - room, high: high + room };
  }
  const padding = 0.06 * (high - low);
  return { low: low - padding, high: high + padding };
}

/** The same of a logarithmic axis, of positive values. */
export function paddedLogRange(low: number, high: number): Range {
  if (!(low <= high)) return { low: 0.1, high: 10, log: true };
  const room = high / low < 1 + 1e-9 ? 2 : (high / low) ** 0.05;
  return { low: Math.max(low / room, 1e-300), high: Math.min(high * room, 1e300), log: true };
}

/** The nearest of 1, 2, 5 times a power of ten, by ratio. */
function niceStep(step: number): Step {
  const power = Math.floor(Math.log10(step));
  const rest = step / 10 ** power;
  if (rest < Math.sqrt(2)) return { mantissa: 1, power };
  if (rest < Math.sqrt(10)) return { mantissa: 2, power };
  if (rest < Math.sqrt(50)) return { mantissa: 5, power };
  return { mantissa: 1, power: power + 1 };
}

/** `integer * 10^power` without the rounding errors of a product. */
function scaled(integer: number, power: number): number {
  return Number(`${integer}e${power}`);
}

function engineeringExponent(largest: number): number {
  if (largest === 0 || (largest < 1e5 && largest >= 1e-2)) return 0;
  return 3 * Math.floor((Math.log10(largest) + 1e-9) / 3);
}

function fixed(value: number, exponent: number, decimals: number): string {
  return minus((value / 10 ** exponent + 0).toFixed(decimals));
}
