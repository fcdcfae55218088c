/**
 * Units of plots: from the unit in which a variable is stored to the one in which people want to see it (`displayUnit`), from seconds to the
 * unit of time that suits the length of a run, and from Modelica's spelling of units (Modelica 3.6, chapter 19) to the typographic one.
 */
import { factorsIn, factorsText, times } from '../../units/factors.ts';
import { factorsOf, unitOf } from '../../units/unit.ts';

/** What is shown is `scale * value + offset`. */
export interface Display {
  readonly unit: string;
  readonly scale: number;
  readonly offset: number;
}

export const AS_IT_IS: Display = { unit: '', scale: 1, offset: 0 };

/** Conversion to the display unit, or none where it is not known or not wanted. */
export function displayOf(unit: string, displayUnit: string): Display {
  const plain: Display = { unit, scale: 1, offset: 0 };
  if (displayUnit === '' || displayUnit === unit) return plain;
  const [from, to] = [unitOf(unit), unitOf(displayUnit)];
  const factors = from && to && factorsOf(from, to);
  if (!factors) return plain;
  const [scale, divisor] = factors;
  return { unit: displayUnit, scale: scale / divisor, offset: (from.offset - to.offset) / divisor };
}

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

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]!);
  return exponent < 0 ? `⁻${digits}` : digits;
}

/** `[m/s]`; empty where there is nothing to show. */
export function bracketedUnit(unit: string): string {
  const shown = prettyUnit(unit);
  return shown && `[${shown}]`;
}

/** `kg.m2/s2` as `kg·m²/s²`, `degC` as `°C`; the unit `1` is not shown. */
export function prettyUnit(unit: string): string {
  if (unit === '1') return '';
  return unit
    .replace(
      /([A-Za-z])([+-]?\d+)/g,
      (_, symbol: string, exponent: string) => symbol + superscript(Number(exponent)),
    )
    .replaceAll('.', '·')
    .replace(/\bdeg([CFK])\b/g, '°$1')
    .replace(/\bdeg\b/g, '°')
    .replace(/Ohm\b/g, 'Ω')
    .replace(/\bu(?=[A-Z]|m\b|s\b)/g, 'µ');
}
