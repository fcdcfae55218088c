/** Units as products of factors that have names, as texts write them: a map from names to exponents. */
export type Factors = ReadonlyMap<string, number>;

/** The factors that a unit text names: those of `N.m/(rad.s)` are N, m, and with the exponent -1 rad and s. */
export function factorsIn(text: string | undefined): Factors | undefined {
  if (text === undefined) return undefined;
  const [above, below, more] = text.split('/');
  if (more !== undefined) return undefined;
  const factors = new Map<string, number>();
  for (const [part, sign] of [
    [above!, 1],
    [below?.replace(/^\(|\)$/g, '') ?? '', -1],
  ] as const)
    for (const factor of part.split('.')) {
      if (factor === '' || factor === '1') continue;
      const [, name, exponent = '1'] = /^([A-Za-z%µΩ]+)(-?\d+)?$/.exec(factor) ?? [];
      if (name === undefined) return undefined;
      factors.set(name, (factors.get(name) ?? 0) + sign * Number(exponent));
    }
  return factors;
}

/** `a` times a power of `b`. */
export function times(a: Factors | undefined, b: Factors | undefined, power: number): Factors | undefined {
  if (!a || !b) return undefined;
  const product = new Map(a);
  for (const [name, exponent] of b) product.set(name, (product.get(name) ?? 0) + power * exponent);
  return product;
}

/** Factors as a unit text. */
export function factorsText(factors: Factors): string {
  const texts = (sign: 1 | -1): string[] =>
    [...factors].flatMap(([name, exponent]) => {
      if (sign * exponent <= 0) return [];
      return [exponent * sign === 1 ? name : `${name}${exponent * sign}`];
    });
  const [above, below] = [texts(1), texts(-1)];
  const top = above.join('.') || '1';
  if (below.length === 0) return top;
  return `${top}/${below.length === 1 ? below[0] : `(${below.join('.')})`}`;
}
