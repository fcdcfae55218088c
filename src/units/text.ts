/** Units as text, for messages: `N.m`, `kW`, `m/s2`, `kg.m2/(s2.K)`. */
import { type Measure, WHOLE } from './measures.ts';
import { baseUnits, coherentUnits, prefixes } from './symbols.ts';

/** The text of a unit; one that is read back as the same unit wherever its exponents are whole and its scale is a power of ten. */
export function unitText({ exponents, scale, zero }: Measure): string {
  if (zero !== '' && zero !== 'K' && zero !== 'K0') return zero;
  const power = scale / Math.LN10;
  const whole = Math.round(power);
  const decimal = Math.abs(power - whole) < 1e-9;
  const shown = exponents.map((exponent) => exponent / WHOLE);
  const named = names.find(([, dimension]) => dimension.every((exponent, k) => exponent === shown[k]))?.[0];
  const text = named ?? productText(shown);
  if (decimal && whole === 0) return text;
  const prefix = decimal && named && named !== '1' ? prefixOf(whole) : undefined;
  if (prefix !== undefined) return named === 'kg' ? gramText(whole) : `${prefix}${named}`;
  const known = otherScales.find(
    ([, dimension, factor]) =>
      Math.abs(Math.log(factor) - scale) < 1e-9 &&
      baseUnits.every((_, k) => (dimension[k] ?? 0) === shown[k]),
  );
  return known?.[0] ?? `${Number(Math.exp(scale).toPrecision(6))} ${text}`;
}

/** Those that are preferred to products; the first of equal ones. */
const preferred = [
  'm',
  's',
  'A',
  'K',
  'mol',
  'cd',
  'N',
  'Pa',
  'J',
  'W',
  'C',
  'V',
  'F',
  'Ohm',
  'S',
  'Wb',
  'T',
  'H',
];
const names: readonly (readonly [string, readonly number[]])[] = [
  ['1', baseUnits.map(() => 0)],
  ['kg', [0, 1, 0, 0, 0, 0, 0]],
  ...preferred.map((name): [string, number[]] => [
    name,
    baseUnits.map((_, k) => coherentUnits[name]![k] ?? 0),
  ]),
];

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

function prefixOf(power: number): string | undefined {
  for (const [name, factor] of prefixes) if (Math.abs(Math.log10(factor) - power) < 1e-9) return name;
  return undefined;
}

const gramText = (power: number): string => `${prefixOf(power + 3) ?? ''}g`;

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
