/**
 * Units of plots: from the unit in which a variable is stored to the one in which people want to see it (`displayUnit`),
 * and from Modelica's spelling of units (Modelica 3.6, chapter 19) to the typographic one.
 */

/** What is shown is `scale * value + offset`. */
export interface Display {
  readonly unit: string;
  readonly scale: number;
  readonly offset: number;
}

/** Conversion to the display unit, or none where it is not known or not wanted. */
export function displayOf(unit: string, displayUnit: string): Display {
  const plain: Display = { unit, scale: 1, offset: 0 };
  if (displayUnit === '' || displayUnit === unit) return plain;
  const known = lookUp(lookUp(CONVERSIONS, unit) ?? {}, displayUnit);
  if (known !== undefined) {
    const [scale, offset] = typeof known === 'number' ? [known, 0] : known;
    return { unit: displayUnit, scale, offset };
  }
  const prefix = prefixBetween(unit, displayUnit);
  return prefix === undefined ? plain : { unit: displayUnit, scale: 1 / prefix, offset: 0 };
}

const DEG = 180 / Math.PI;

/** By stored unit and display unit: scale, or scale and offset. */
const CONVERSIONS: Readonly<Record<string, Readonly<Record<string, number | readonly [number, number]>>>> = {
  rad: { deg: DEG, rev: 0.5 / Math.PI },
  'rad/s': { 'deg/s': DEG, 'rev/min': 30 / Math.PI, rpm: 30 / Math.PI, 'rev/s': 0.5 / Math.PI },
  'rad/s2': { 'deg/s2': DEG },
  K: { degC: [1, -273.15], degF: [1.8, -459.67], degRk: [1.8, 0] },
  Pa: { bar: 1e-5, mbar: 1e-2, psi: 1 / 6894.757293168361, atm: 1 / 101325 },
  s: { min: 1 / 60, h: 1 / 3600, d: 1 / 86400 },
  m: { in: 1 / 0.0254, ft: 1 / 0.3048 },
  'm/s': { 'km/h': 3.6, 'mm/s': 1e3, 'm/h': 3600 },
  m3: { l: 1e3, ml: 1e6, cm3: 1e6, dm3: 1e3 },
  m2: { cm2: 1e4, mm2: 1e6 },
  'm3/s': { 'l/s': 1e3, 'l/min': 6e4, 'm3/h': 3600 },
  kg: { g: 1e3, mg: 1e6, t: 1e-3 },
  'kg/s': { 'kg/h': 3600, 'g/s': 1e3, 't/h': 3.6 },
  'kg/m3': { 'g/cm3': 1e-3, 'g/l': 1 },
  J: { 'kW.h': 1 / 3.6e6, 'W.h': 1 / 3600 },
  C: { 'A.h': 1 / 3600 },
  '1': { '%': 100 },
};

const PREFIXES: Readonly<Record<string, number>> = {
  G: 1e9,
  M: 1e6,
  k: 1e3,
  d: 1e-1,
  c: 1e-2,
  m: 1e-3,
  u: 1e-6,
  n: 1e-9,
  p: 1e-12,
};

/** `mm` is 1e-3 of `m`; only units that are one symbol take a prefix. */
function prefixBetween(unit: string, displayUnit: string): number | undefined {
  if (!/^[A-Za-z]+$/.test(unit) || displayUnit.slice(1) !== unit) return undefined;
  return lookUp(PREFIXES, displayUnit[0]!);
}

/** Units are text from a model: only own properties count. */
function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
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
