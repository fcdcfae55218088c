/**
 * Numbers and Booleans as text, as Modelica's `String` writes them (Modelica 3.7, section 3.7.2.3): six significant
 * digits in the manner of C's `%g`. Integral values are written in full, because Integers are doubles here.
 */
import { Failure } from '../diagnostic/failure.ts';

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

/** `String(x, minimumLength, leftJustified, significantDigits)`: filled up with blanks. */
export function formatted(
  value: number | string,
  minimumLength = 0,
  leftJustified = true,
  significantDigits = 6,
): string {
  const text = typeof value === 'string' ? value : numberText(value, significantDigits);
  if (minimumLength > longestText) throw tooLong();
  return leftJustified ? text.padEnd(minimumLength) : text.padStart(minimumLength);
}

/** Longer texts are surely a mistake: they are made by texts that double. */
const longestText = 1_000_000;

/** Texts one after the other. */
export function joined(parts: readonly string[]): string {
  let length = 0;
  for (const part of parts) length += part.length;
  if (length > longestText) throw tooLong();
  return parts.join('');
}

const tooLong = (): Failure =>
  Failure.of('translate', 'limit-exceeded', `A String has more than ${longestText} characters.`, {
    hint: 'Look for a String that is joined with itself again and again.',
  });

function trimmed(digits: string): string {
  return digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits;
}
