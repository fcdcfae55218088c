/** Texts and numbers as literals of Modelica (Modelica 3.7, section 2.4). */

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

/** A text as a string of Modelica. Characters for which there is no escape sequence stand as they are. */
export const stringLiteral = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
  `"${text.replace(/["\\\x07\b\f\n\r\t\v]/g, (c) => escapes[c]!)}"`;

/** A finite number as a literal, with its sign. Whole numbers that no Integer can be are Reals. */
export function numberLiteral(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value);
}
