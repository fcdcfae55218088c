/** Texts as literals of Modelica (Modelica 3.7, section 2.4.5), and names as identifiers (section 2.3.1). */

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
