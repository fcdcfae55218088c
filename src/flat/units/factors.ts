/**
 * Units as products of the units that variables have, for messages: `Q*C` with `W` and `J/K` is in `W.J/K`, which says more than
 * `kg2.m4/(s5.K)`. A unit is a map from names to exponents; undefined stands for what is no product.
 */
import type { Apply, Expr } from '../../symbolic/expr.ts';

export type Factors = ReadonlyMap<string, number>;

const none: Factors = new Map();

/** The factors of an expression; `unitOf` gives the unit text of a variable. */
export function factorsOf(
  expr: Expr,
  unitOf: (leaf: Extract<Expr, { kind: 'ref' | 'pre' | 'local' }>) => string | undefined,
): Factors | undefined {
  const of = (node: Expr): Factors | undefined => {
    switch (node.kind) {
      case 'const':
      case 'iter':
        return none;
      case 'time':
        return new Map([['s', 1]]);
      case 'ref':
        return times(factorsIn(unitOf(node)), new Map([['s', node.order]]), -1);
      case 'pre':
      case 'local':
        return factorsIn(unitOf(node));
      case 'apply':
        return applied(node);
      default:
        return undefined;
    }
  };
  const applied = ({ op, args: [a, b] }: Apply): Factors | undefined => {
    switch (op) {
      case 'mul':
        return times(of(a!), of(b!), 1);
      case 'div':
        return times(of(a!), of(b!), -1);
      case 'pow':
        return b!.kind === 'const' && Number.isInteger(b!.value) ? times(none, of(a!), b!.value) : undefined;
      case 'neg':
      case 'abs':
      case 'noEvent':
        return of(a!);
      default:
        return undefined;
    }
  };
  return of(expr);
}

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
      const [, name, exponent = '1'] = /^([A-Za-z%]+)(-?\d+)?$/.exec(factor) ?? [];
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

/** Factors as a unit text; angles are left out, for they are numbers. */
export function factorsText(factors: Factors): string {
  const texts = (sign: 1 | -1): string[] =>
    [...factors].flatMap(([name, exponent]) => {
      if (sign * exponent <= 0 || name === 'rad') return [];
      return [exponent * sign === 1 ? name : `${name}${exponent * sign}`];
    });
  const [above, below] = [texts(1), texts(-1)];
  const top = above.join('.') || '1';
  if (below.length === 0) return top;
  return `${top}/${below.length === 1 ? below[0] : `(${below.join('.')})`}`;
}
