/** Exact fractions, for the ticks of clocks: products of many factors stay exact, and equal instants are equal numbers. */

/** `numerator / denominator` in lowest terms; the denominator is positive. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rational(numerator: bigint | number, denominator: bigint | number = 1n): Rational {
  let n = BigInt(numerator);
  let d = BigInt(denominator);
  if (d < 0n) [n, d] = [-n, -d];
  const common = gcd(n < 0n ? -n : n, d);
  return common > 1n ? { numerator: n / common, denominator: d / common } : { numerator: n, denominator: d };
}

export const zero: Rational = rational(0);
export const one: Rational = rational(1);

export const plus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const minus = (a: Rational, b: Rational): Rational =>
  plus(a, { numerator: -b.numerator, denominator: b.denominator });

export const times = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

export const over = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

export const equal = (a: Rational, b: Rational): boolean =>
  a.numerator === b.numerator && a.denominator === b.denominator;

export const isBelow = (a: Rational, b: Rational): boolean =>
  a.numerator * b.denominator < b.numerator * a.denominator;

export const isInteger = (a: Rational): boolean => a.denominator === 1n;

/** `3`, `2/5`. */
export const rationalText = (a: Rational): string =>
  a.denominator === 1n ? String(a.numerator) : `${a.numerator}/${a.denominator}`;

function gcd(a: bigint, b: bigint): bigint {
  while (b > 0n) [a, b] = [b, a % b];
  return a;
}
