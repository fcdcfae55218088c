/** Units of plots: the unit of time that suits the length of a run, those of impulses, and how axes show them. */
import { type Display, prettyUnit } from '../../units/display.ts';
import { factorsIn, factorsText, times } from '../../units/factors.ts';

/** Units of time by the length of the runs, in seconds, from which on they suit. */
const CLOCKS: readonly (readonly [from: number, unit: string, scale: number])[] = [
  [3 * 86_400, 'd', 1 / 86_400],
  [2 * 3600, 'h', 1 / 3600],
  [180, 'min', 1 / 60],
  [0.5, 's', 1],
  [1e-3, 'ms', 1e3],
  [1e-6, 'us', 1e6],
  [0, 'ns', 1e9],
];

/** The unit in which a run from `low` to `high` is shown; other axes than the time in seconds stay as they are. */
export function clockOf(unit: string, low: number, high: number): Display {
  const plain: Display = { unit, scale: 1, offset: 0 };
  const span = high - low;
  // A short look at a late time is read in the unit that the time was given in.
  if (unit !== 's' || !(span > 0) || Math.max(Math.abs(low), Math.abs(high)) > 1e3 * span) return plain;
  const [, name, scale] = CLOCKS.find(([from]) => span >= from)!;
  return { unit: name, scale, offset: 0 };
}

/** The unit of an impulse of a variable: that of the variable times a second, `m/s` for `m/s2`; none where that of the variable is not known. */
export function impulseUnit(unit: string): string {
  if (unit === '') return '';
  const product = times(factorsIn(unit), new Map([['s', 1]]), 1);
  return product ? factorsText(product) : `(${unit}).s`;
}

/** `[m/s]`; empty where there is nothing to show. */
export function bracketedUnit(unit: string): string {
  const shown = prettyUnit(unit);
  return shown && `[${shown}]`;
}
