/** Units as text, for messages: `N.m`, `kW`, `m/s2`, `kg.m2/(s2.K)`. */
import { type Measure, WHOLE } from './measures.ts';
import { baseUnits, prefixes } from './symbols.ts';
import { unitOf } from './unit.ts';

/** The text of a unit; one that is read back as the same unit wherever its exponents are whole and its scale is a power of ten. */
export function unitText({ exponents, scale, zero }: Measure): string {
  if (zero !== '' && zero !== 'K' && zero !== 'K0') return zero;
  const shown = exponents.map((exponent) => exponent / WHOLE);
  const named = names.find(([, dimension]) => dimension.every((exponent, k) => exponent === shown[k]))?.[0];
  const text = named ?? productText(shown);
  if (Math.abs(scale) < SAME) return text;
  const known = otherScales.find(
    ([, dimension, factor]) =>
      Math.abs(Math.log(factor) - scale) < SAME &&
      baseUnits.every((_, k) => (dimension[k] ?? 0) === shown[k]),
  );
  return known?.[0] ?? prefixed(text, scale) ?? `${Number(Math.exp(scale).toPrecision(6))} ${text}`;
}

/** Logarithms of scales that differ by less are the same. */
const SAME = 1e-9;

/** A prefix for the first factor, where that can have one. */
function prefixed(text: string, scale: number): string | undefined {
  const [, name, exponent = '', rest] = /^(1|[A-Za-z]+)(\d+(?:\.\d+)?)?(.*)$/.exec(text)!;
  if (name === '1') return undefined;
  const grams = name === 'kg';
  const power = scale / Math.LN10 / Number(exponent || 1) + (grams ? 3 : 0);
  const base = `${grams ? 'g' : name}${exponent}${rest}`;
  if (Math.abs(power) < SAME) return base;
  for (const [prefix, factor] of prefixes)
    if (Math.abs(Math.log10(factor) - power) < SAME) return `${prefix}${base}`;
  return undefined;
}

/** Those that are preferred to products of base units; of equal ones the first. */
const preferred =
  '1 kg m s A K mol cd N Pa J W C V F Ohm S Wb T H N/m W/K J/K J/(kg.K) J/kg W/m2 W/(m.K) W/(m2.K) Pa.s V/m';
const names = preferred
  .split(' ')
  .map((text): readonly [string, readonly number[]] => [text, unitOf(text)!.dimension]);

/** Scales that are no powers of ten. */
const otherScales: readonly (readonly [string, readonly number[], number])[] = [
  ['min', [0, 0, 1], 60],
  ['h', [0, 0, 1], 3600],
  ['d', [0, 0, 1], 86400],
  ['1/min', [0, 0, -1], 1 / 60],
  ['km/h', [1, 0, -1], 1 / 3.6],
  ['rpm', [0, 0, -1], Math.PI / 30],
  ['%', [], 1e-2],
  ['deg', [], Math.PI / 180],
  ['deg/s', [0, 0, -1], Math.PI / 180],
  ['bar', [-1, 1, -2], 1e5],
];

function productText(exponents: readonly number[]): string {
  // As people write them: kg before m.
  const order = [1, 0, 2, 3, 4, 5, 6];
  const factor = (k: number, exponent: number): string =>
    `${baseUnits[k]}${exponent === 1 ? '' : Number(exponent.toFixed(4))}`;
  const above = order.filter((k) => exponents[k]! > 0).map((k) => factor(k, exponents[k]!));
  const below = order.filter((k) => exponents[k]! < 0).map((k) => factor(k, -exponents[k]!));
  if (below.length === 0) return above.join('.') || '1';
  const divisor = below.length === 1 ? below[0] : `(${below.join('.')})`;
  return `${above.join('.') || '1'}/${divisor}`;
}
