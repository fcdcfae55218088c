/**
 * Numbers and Booleans as text, as Modelica's `String` writes them (Modelica 3.7, section 3.7.2.3): six significant
 * digits in the manner of C's `%g`. Integral values are written in full, because Integers are doubles here.
 */

export function numberText(value: number, significantDigits = 6): string {
  if (Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value + 0);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Inf' : '-Inf';
  const digits = Math.min(Math.max(Math.trunc(significantDigits), 1), 100);
  const [mantissa, exponentText] = value.toExponential(digits - 1).split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < digits)
    return trimmed(value.toFixed(Math.min(digits - 1 - exponent, 100)));
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return `${trimmed(mantissa)}e${exponent < 0 ? '-' : '+'}${magnitude}`;
}

export function booleanText(value: number): string {
  return value !== 0 ? 'true' : 'false';
}

/** Fills up with blanks to `minimumLength`. */
export function padded(text: string, minimumLength: number, leftJustified: boolean): string {
  return leftJustified ? text.padEnd(minimumLength) : text.padStart(minimumLength);
}

function trimmed(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
