/**
 * The unit symbols and prefixes that unit texts may use (Modelica 3.6, section 19.2, and what is in common use beside it). A symbol
 * is its factor to the coherent SI unit, its zero point (degrees Celsius) and the exponents of the seven base units.
 */

export interface UnitSymbol {
  readonly factor: number;
  readonly offset: number;
  /** Exponents of m, kg, s, A, K, mol, cd. */
  readonly dimension: readonly number[];
  /** The unit of the same kind with factor 1 and no offset: names of coherent units with their exponents. */
  readonly coherent: readonly (readonly [name: string, exponent: number])[];
  readonly prefixed: boolean;
}

export const baseUnits = ['m', 'kg', 's', 'A', 'K', 'mol', 'cd'] as const;

/** Base and derived units: their exponents of m, kg, s, A, K, mol, cd. Angles have none. */
const coherentUnits: Readonly<Record<string, readonly number[]>> = {
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

/** Others: factor, coherent unit, and whether prefixes are allowed. */
const otherUnits: Readonly<
  Record<string, readonly [factor: number, coherent: string, prefixed?: boolean, offset?: number]>
> = {
  '%': [1e-2, ''],
  g: [1e-3, 'kg', true],
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
  degRk: [5 / 9, 'K'],
  rpm: [Math.PI / 30, 'rad.s-1'],
  VA: [1, 'W', true],
  var: [1, 'W', true],
};

export const prefixes: ReadonlyMap<string, number> = new Map(
  Object.entries({
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
  }),
);

const symbols = new Map<string, UnitSymbol>();

const full = (exponents: readonly number[]): readonly number[] => baseUnits.map((_, k) => exponents[k] ?? 0);

for (const [name, exponents] of Object.entries(coherentUnits))
  symbols.set(name, {
    factor: 1,
    offset: 0,
    dimension: full(exponents),
    coherent: [[name, 1]],
    prefixed: true,
  });

for (const [name, [factor, text, prefixed = false, offset = 0]] of Object.entries(otherUnits)) {
  const coherent = [...text.matchAll(/([A-Za-z]+)(-?\d+)?/g)].map(([, unit, exponent]): [string, number] => [
    unit!,
    Number(exponent ?? 1),
  ]);
  const dimension = full([]).map((_, k) =>
    coherent.reduce((sum, [unit, exponent]) => {
      const own = unit === 'kg' ? full([0, 1]) : symbols.get(unit)!.dimension;
      return sum + exponent * own[k]!;
    }, 0),
  );
  symbols.set(name, { factor, offset, dimension, coherent, prefixed });
}

/** All symbols, without prefixes. */
export const symbolNames: readonly string[] = [...symbols.keys()];

/** The unit that a name stands for, with the factor of its prefix. */
export function symbolOf(name: string): { readonly symbol: UnitSymbol; readonly scale: number } | undefined {
  const plain = symbols.get(name);
  if (plain) return { symbol: plain, scale: 1 };
  for (const length of [1, 2]) {
    const scale = prefixes.get(name.slice(0, length));
    const symbol = symbols.get(name.slice(length));
    if (scale !== undefined && symbol?.prefixed) return { symbol, scale };
  }
  return undefined;
}
