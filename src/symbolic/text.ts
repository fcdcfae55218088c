/**
 * Numbers and Booleans as text, as Modelica's `String` writes them (Modelica 3.7, section 3.7.2.3): Reals with six significant
 * digits, or as many as are given, in the manner of C's `%g`. Integers are doubles here, and written in full: the number of digits is 0 for them.
 */
import { Failure } from '../diagnostic/failure.ts';
import { fixedDigits, scientificDigits } from './decimal.ts';

export function numberText(value: number, significantDigits = 0): string {
  const isWhole = Number.isInteger(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (isWhole && (significantDigits === 0 || value === 0)) return String(value + 0);
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Inf' : '-Inf';
  const digits = Math.min(Math.max(Math.trunc(significantDigits || usualDigits), 1), 100);
  return (value < 0 || Object.is(value, -0) ? '-' : '') + shortest(Math.abs(value), digits, false);
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
  const isHexadecimal = 'xX'.includes(conversion) && flags.includes('#') && Math.round(value) !== 0;
  const front = isHexadecimal ? `${sign}0${conversion}` : sign;
  // The number of digits of a whole number says itself how many zeros there are.
  const isFilled = flags.includes('0') && !(precision !== undefined && 'dioxXu'.includes(conversion));
  if (width > longestText) throw tooLong();
  if (flags.includes('-')) return (front + size).padEnd(width);
  if (isFilled && Number.isFinite(value)) return front + size.padStart(width - front.length, '0');
  return (front + size).padStart(width);
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

export interface FormatTrouble {
  readonly code: 'bad-call' | 'type-mismatch';
  readonly message: string;
  readonly hint: string;
  /** What is meant is clear all the same. */
  readonly isClear?: boolean;
}

/** What is wrong with a format, in words. */
export function formatTrouble(format: string, isReal: boolean): FormatTrouble | undefined {
  const parts = formatParts(format);
  const hint =
    'Write the width, a point and the number of digits, and one of `f`, `e`, `g`, for Integers `d`: `"10.3f"`.';
  const code = 'bad-call';
  if (!parts) return { code, message: `"${format}" is no format.`, hint };
  if (isReal && 'oxXuc'.includes(parts.conversion))
    return {
      code: 'type-mismatch',
      message: `"${parts.conversion}" is a format of Integers, not of Reals.`,
      hint,
    };
  if (!format.startsWith('%')) return undefined;
  const message = `The format "${format}" begins with \`%\`, which Modelica leaves out.`;
  return { code, message, hint: `Write "${format.slice(1)}": other tools refuse it.`, isClear: true };
}

function converted(
  size: number,
  digits: number,
  conversion: string,
  isAlternate: boolean,
  precision: number | undefined,
): string {
  if (!Number.isFinite(size)) return Number.isNaN(size) ? 'NaN' : 'Inf';
  const whole = (base: number): string => {
    const text = BigInt(Math.round(size)).toString(base);
    const digitsOf = base === 8 && isAlternate && size !== 0 ? `0${text}` : text;
    return digitsOf.padStart(precision ?? 0, '0');
  };
  const point = isAlternate && digits === 0 ? '.' : '';
  switch (conversion) {
    case 'f':
      return fixedDigits(size, digits) + point;
    case 'e':
      return exponential(size, digits, isAlternate);
    case 'E':
      return exponential(size, digits, isAlternate).toUpperCase();
    case 'd':
    case 'i':
    case 'u':
      return whole(10);
    case 'o':
      return whole(8);
    case 'x':
      return whole(16);
    case 'X':
      return whole(16).toUpperCase();
    case 'c':
      return String.fromCodePoint(Math.min(Math.round(size), 0x10ffff));
    default: {
      const short = shortest(size, Math.max(digits, 1), isAlternate);
      return conversion === 'G' ? short.toUpperCase() : short;
    }
  }
}

/** In the manner of `%g`: with a power where that is shorter; zeros at the end, and a point there, only on request. */
function shortest(size: number, digits: number, keepsZeros: boolean): string {
  const { power } = scientificDigits(size, digits - 1);
  if (power < -4 || power >= digits) {
    const [mantissa, rest] = exponential(size, digits - 1, keepsZeros).split('e') as [string, string];
    return `${keepsZeros ? mantissa : trimmed(mantissa)}e${rest}`;
  }
  const text = fixedDigits(size, digits - 1 - power);
  if (!keepsZeros) return trimmed(text);
  return text.includes('.') ? text : `${text}.`;
}

/** As C writes it: two digits of the exponent at least. */
function exponential(size: number, digits: number, keepsPoint: boolean): string {
  const { mantissa, power } = scientificDigits(size, digits);
  const point = keepsPoint && digits === 0 ? '.' : '';
  return `${mantissa}${point}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
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
