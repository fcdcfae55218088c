/**
 * Numbers and Booleans as text, as Modelica's `String` writes them (Modelica 3.7, section 3.7.2.3): Reals with six significant
 * digits, or as many as are given, in the manner of C's `%g`. Integers are doubles here, and written in full: the number of digits is 0 for them.
 */
import { Failure } from '../diagnostic/failure.ts';

export function numberText(value: number, significantDigits = 0): string {
  const isWhole = Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (isWhole && (significantDigits === 0 || value === 0)) return String(value + 0);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Inf' : '-Inf';
  const digits = Math.min(Math.max(Math.trunc(significantDigits || usualDigits), 1), 100);
  const [mantissa, exponentText] = value.toExponential(digits - 1).split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < digits)
    return trimmed(value.toFixed(Math.min(digits - 1 - exponent, 100)));
  const magnitude = String(Math.abs(exponent)).padStart(2, '0');
  return `${trimmed(mantissa)}e${exponent < 0 ? '-' : '+'}${magnitude}`;
}

/** Significant digits of a Real, where none are given. */
export const usualDigits = 6;

export function booleanText(value: number): string {
  return value !== 0 ? 'true' : 'false';
}

/** `String(x, minimumLength, leftJustified, significantDigits)`: filled up with blanks. */
export function formatted(
  value: number | string,
  minimumLength = 0,
  leftJustified = true,
  significantDigits = 0,
): string {
  const text = typeof value === 'string' ? value : numberText(value, significantDigits);
  if (minimumLength > longestText) throw tooLong();
  return leftJustified ? text.padEnd(minimumLength) : text.padStart(minimumLength);
}

/**
 * `String(x, format = "10.3f")`: a conversion of C without its `%` (Modelica 3.6, section 3.7.1). What is
 * no format, which is refused where it is written out, gives the usual digits.
 */
export function formattedAs(value: number, format: string): string {
  const parts = formatParts(format);
  if (!parts) return numberText(value);
  const { flags, width, precision, conversion } = parts;
  const digits = Math.min(precision ?? 6, 100);
  const size = converted(Math.abs(value), digits, conversion, flags.includes('#'), precision);
  const isNegative = value < 0 || Object.is(value, -0);
  const sign = isNegative ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (width > longestText) throw tooLong();
  if (flags.includes('-')) return (sign + size).padEnd(width);
  if (flags.includes('0') && Number.isFinite(value)) return sign + size.padStart(width - sign.length, '0');
  return (sign + size).padStart(width);
}

interface FormatParts {
  readonly flags: string;
  readonly width: number;
  readonly precision: number | undefined;
  readonly conversion: string;
}

/** The parts of a format; undefined where it is none. */
export function formatParts(format: string): FormatParts | undefined {
  const match = /^%?([-+ #0]*)(\d*)(?:\.(\d*))?([eEfgGdioxXuc])$/.exec(format);
  if (!match) return undefined;
  const [, flags, width, precision, conversion] = match as unknown as string[];
  return {
    flags: flags!,
    width: Number(width),
    precision: precision === undefined ? undefined : Number(precision),
    conversion: conversion!,
  };
}

function converted(
  size: number,
  digits: number,
  conversion: string,
  keepsZeros: boolean,
  precision: number | undefined,
): string {
  if (!Number.isFinite(size)) return Number.isNaN(size) ? 'NaN' : 'Inf';
  switch (conversion) {
    case 'f':
      return size.toFixed(digits);
    case 'e':
      return exponential(size, digits);
    case 'E':
      return exponential(size, digits).toUpperCase();
    case 'd':
    case 'i':
    case 'u':
      return String(Math.round(size)).padStart(precision ?? 0, '0');
    case 'o':
      return Math.round(size)
        .toString(8)
        .padStart(precision ?? 0, '0');
    case 'x':
      return Math.round(size)
        .toString(16)
        .padStart(precision ?? 0, '0');
    case 'X':
      return Math.round(size)
        .toString(16)
        .toUpperCase()
        .padStart(precision ?? 0, '0');
    case 'c':
      return String.fromCodePoint(Math.min(Math.round(size), 0x10ffff));
    default: {
      const significant = Math.max(digits, 1);
      const exponent = Number(size.toExponential(significant - 1).split('e')[1]);
      const isShort = exponent >= -4 && exponent < significant;
      const text = isShort
        ? size.toFixed(Math.min(significant - 1 - exponent, 100))
        : exponential(size, significant - 1);
      const [mantissa, power] = text.split('e') as [string, string | undefined];
      const short = (keepsZeros ? mantissa : trimmed(mantissa)) + (power === undefined ? '' : `e${power}`);
      return conversion === 'G' ? short.toUpperCase() : short;
    }
  }
}

/** As C writes it: two digits of the exponent at least. */
function exponential(size: number, digits: number): string {
  const [mantissa, power] = size.toExponential(digits).split('e') as [string, string];
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, '0')}`;
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
