/**
 * Doubles as decimal digits, rounded as C rounds them: to the nearest number of so many digits, the one that is even where two
 * are equally near. (`toFixed` and `toExponential` of JavaScript take the greater one then, and write large numbers with a power.)
 */

/** A number that is not negative, with so many digits after its point. */
export function fixedDigits(value: number, digits: number): string {
  const text = scaled(value, digits)
    .toString()
    .padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** The digits of a number that is not negative, with a point after the first, and the power of ten that they are multiplied with. */
export function scientificDigits(
  value: number,
  digits: number,
): { readonly mantissa: string; readonly power: number } {
  if (value === 0) return { mantissa: fixedDigits(0, digits), power: 0 };
  // With so many digits no double is rounded up to a power of ten.
  let power = Number(value.toExponential(20).split('e')[1]);
  let text = scaled(value, digits - power).toString();
  if (text.length > digits + 1) {
    power += 1;
    text = text.slice(0, -1);
  }
  return { mantissa: digits === 0 ? text : `${text[0]}.${text.slice(1)}`, power };
}

/** `value * 10^power`, rounded to a whole number. */
function scaled(value: number, power: number): bigint {
  const [mantissa, exponent] = binary(value);
  const ten = 10n ** BigInt(Math.abs(power));
  const two = 1n << BigInt(Math.abs(exponent));
  const above = mantissa * (exponent >= 0 ? two : 1n) * (power >= 0 ? ten : 1n);
  const below = (exponent >= 0 ? 1n : two) * (power >= 0 ? 1n : ten);
  const whole = above / below;
  const twice = 2n * (above % below);
  return twice > below || (twice === below && whole % 2n === 1n) ? whole + 1n : whole;
}

/** A double is a whole number times a power of two. */
function binary(value: number): [mantissa: bigint, exponent: number] {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const all = bits.getBigUint64(0);
  const exponent = Number((all >> 52n) & 0x7ffn);
  const fraction = all & 0xfffffffffffffn;
  return exponent === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, exponent - 1075];
}
