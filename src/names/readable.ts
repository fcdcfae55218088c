/** Numbers as people read them. */

/** Digits that tell a number apart from others that are a step away; six at least. */
export function digitsOf(value: number, step: number): number {
  const needed = step > 0 && value !== 0 ? Math.ceil(Math.log10(Math.abs(value) / step)) + 1 : 0;
  return Math.min(16, Math.max(6, needed));
}

/** A number for reading: six digits at most, or as many as tell it apart from others; an exponent where it is larger, or small. */
export function readable(value: number, digits = 6): string {
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(digits));
  const isLarge = Math.abs(rounded) >= 10 ** digits || size < 1e-4;
  return minus(size !== 0 && isLarge ? rounded.toExponential().replace('e+', 'e') : String(rounded));
}

/** With a sign as wide as a plus. */
export function minus(text: string): string {
  return text.replace(/^-/, '−');
}
