/**
 * Units as people see them: from the unit in which a variable is stored to the one in which people want to see it (`displayUnit`), and from Modelica's
 * spelling of units (Modelica 3.6, chapter 19) to the typographic one.
 */
import { factorsOf, unitOf } from './unit.ts';

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

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

export function superscript(exponent: number): string {
  const digits = String(Math.abs(exponent)).replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]!);
  return exponent < 0 ? `⁻${digits}` : digits;
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
