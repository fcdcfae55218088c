/**
 * Units of values: `quantity(5, 'kOhm')` given to a variable in `Ohm` is 5000. Unit texts follow section 19.1 of the Modelica
 * specification: factors such as `kg` and `s-2` joined by `.`, at most one `/`, parentheses for several factors below it.
 *
 * A unit is its factor to the coherent SI unit, its offset (degrees Celsius), the exponents of the seven base units, and the text of
 * the coherent unit.
 */

export interface Unit {
  readonly factor: number;
  readonly offset: number;
  /** Of m, kg, s, A, K, mol, cd. Angles have none. */
  readonly dimension: readonly number[];
  /** The unit of the same kind with factor 1 and no offset. */
  readonly coherent: string;
}

/** The unit that a text names; undefined if it names none. */
export function unitOf(text: string): Unit | undefined {
  const known = units.get(text);
  if (known !== undefined) return known ?? undefined;
  const unit = readUnit(text);
  units.set(text, unit ?? null);
  return unit;
}

/** A value in the unit `to`; undefined if the units are of different kinds. */
export function converted(value: number, from: Unit, to: Unit): number | undefined {
  if (!sameKind(from, to)) return undefined;
  if (from === to) return value;
  return (value * from.factor + from.offset - to.offset) / to.factor;
}

export const sameKind = (a: Unit, b: Unit): boolean =>
  a.dimension.every((exponent, k) => exponent === b.dimension[k]);

const units = new Map<string, Unit | null>();

interface Symbol {
  readonly factor: number;
  readonly offset: number;
  readonly dimension: readonly number[];
  readonly coherent: string;
  readonly prefixed: boolean;
}

const symbols = new Map<string, Symbol>();

/** Base and derived units: their exponents of m, kg, s, A, K, mol, cd. */
const coherentUnits: Record<string, readonly number[]> = {
  m: [1],
  s: [0, 0, 1],
  A: [0, 0, 0, 1],
  K: [0, 0, 0, 0, 1],
  mol: [0, 0, 0, 0, 0, 1],
  cd: [0, 0, 0, 0, 0, 0, 1],
  rad: [],
  sr: [],
  Hz: [0, 0, -1],
  N: [1, 1, -2],
  Pa: [-1, 1, -2],
  J: [2, 1, -2],
  W: [2, 1, -3],
  C: [0, 0, 1, 1],
  V: [2, 1, -3, -1],
  F: [-2, -1, 4, 2],
  Ohm: [2, 1, -3, -2],
  S: [-2, -1, 3, 2],
  Wb: [2, 1, -2, -1],
  T: [0, 1, -2, -1],
  H: [2, 1, -2, -2],
  lm: [0, 0, 0, 0, 0, 0, 1],
  lx: [-2, 0, 0, 0, 0, 0, 1],
  Bq: [0, 0, -1],
  Gy: [2, 0, -2],
  Sv: [2, 0, -2],
  kat: [0, 0, -1, 0, 0, 1],
};

const full = (exponents: readonly number[]): number[] =>
  Array.from({ length: 7 }, (_, k) => exponents[k] ?? 0);

for (const [name, exponents] of Object.entries(coherentUnits))
  symbols.set(name, { factor: 1, offset: 0, dimension: full(exponents), coherent: name, prefixed: true });
symbols.set('g', { factor: 1e-3, offset: 0, dimension: full([0, 1]), coherent: 'kg', prefixed: true });

/** Others: factor, coherent unit, and whether prefixes are allowed. */
const otherUnits: Record<
  string,
  readonly [factor: number, coherent: string, prefixed?: boolean, offset?: number]
> = {
  '1': [1, '1'],
  min: [60, 's'],
  h: [3600, 's'],
  d: [86400, 's'],
  deg: [Math.PI / 180, 'rad'],
  rev: [2 * Math.PI, 'rad'],
  l: [1e-3, 'm3', true],
  L: [1e-3, 'm3', true],
  t: [1e3, 'kg', true],
  bar: [1e5, 'Pa', true],
  atm: [101325, 'Pa'],
  eV: [1.602176634e-19, 'J', true],
  u: [1.66053906892e-27, 'kg'],
  ha: [1e4, 'm2'],
  degC: [1, 'K', false, 273.15],
  degF: [5 / 9, 'K', false, 273.15 - (32 * 5) / 9],
  rpm: [Math.PI / 30, 'rad.s-1'],
  VA: [1, 'W', true],
  var: [1, 'W', true],
};

const prefixes: Record<string, number> = {
  Q: 1e30,
  R: 1e27,
  Y: 1e24,
  Z: 1e21,
  E: 1e18,
  P: 1e15,
  T: 1e12,
  G: 1e9,
  M: 1e6,
  k: 1e3,
  h: 1e2,
  da: 1e1,
  d: 1e-1,
  c: 1e-2,
  m: 1e-3,
  u: 1e-6,
  µ: 1e-6,
  n: 1e-9,
  p: 1e-12,
  f: 1e-15,
  a: 1e-18,
  z: 1e-21,
  y: 1e-24,
};

for (const [name, [factor, coherent, prefixed = false, offset = 0]] of Object.entries(otherUnits)) {
  const base = coherent === '1' ? full([]) : readUnit(coherent)!.dimension;
  symbols.set(name, { factor, offset, dimension: base, coherent, prefixed });
}

function readUnit(text: string): Unit | undefined {
  const [above = '', below, ...more] = text.trim().split('/');
  if (more.length > 0 || above === '' || below === '') return undefined;
  const factors = [...factorsOf(above, 1), ...(below === undefined ? [] : factorsOf(below, -1))];
  if (factors.includes(undefined)) return undefined;
  let factor = 1;
  const dimension = full([]);
  const names: string[] = [];
  for (const { symbol, scale, exponent } of factors as Factor[]) {
    // An offset makes sense for a temperature that stands alone.
    if (symbol.offset !== 0 && factors.length === 1 && exponent === 1) {
      return {
        factor: symbol.factor,
        offset: symbol.offset,
        dimension: symbol.dimension,
        coherent: symbol.coherent,
      };
    }
    factor *= (scale * symbol.factor) ** exponent;
    for (const [k, base] of symbol.dimension.entries()) dimension[k]! += exponent * base;
    if (symbol.coherent !== '1') names.push(powerText(symbol.coherent, exponent));
  }
  return { factor, offset: 0, dimension, coherent: names.join('.') || '1' };
}

interface Factor {
  readonly symbol: Symbol;
  readonly scale: number;
  readonly exponent: number;
}

function factorsOf(text: string, sign: number): (Factor | undefined)[] {
  const inner = /^\((.+)\)$/.exec(text.trim())?.[1] ?? text.trim();
  return inner.split('.').map((part) => {
    const match = /^(1|[A-Za-zµ%]+)(?:\^?([+-]?\d+))?$/.exec(part.trim().replace('Ω', 'Ohm'));
    const found = match && symbolOf(match[1]!);
    return found ? { ...found, exponent: sign * Number(match[2] ?? 1) } : undefined;
  });
}

function symbolOf(name: string): { symbol: Symbol; scale: number } | undefined {
  const plain = symbols.get(name);
  if (plain) return { symbol: plain, scale: 1 };
  for (const length of [1, 2]) {
    const scale = prefixes[name.slice(0, length)];
    const symbol = symbols.get(name.slice(length));
    if (scale !== undefined && symbol?.prefixed) return { symbol, scale };
  }
  return undefined;
}

function powerText(coherent: string, exponent: number): string {
  const factors = coherent.split('.').map((part) => {
    const [, name, power] = /^([A-Za-z]+)(-?\d+)?$/.exec(part)!;
    const total = exponent * Number(power ?? 1);
    return total === 1 ? name : `${name}${total}`;
  });
  return factors.join('.');
}
