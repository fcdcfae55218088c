/** Values as text of Modelica (Modelica 3.7, sections 2.4 and 10.4). */

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

/** A number, a truth value, a text, or even lists of them. */
export type Literal = number | boolean | string | readonly Literal[];

/** The sizes of an array, none for a scalar; undefined if its rows have different lengths. */
export function shapeOf(literal: Literal): readonly number[] | undefined {
  if (typeof literal !== 'object') return [];
  const shapes = literal.map(shapeOf);
  const [first = []] = shapes;
  const even = shapes.every(
    (shape) => shape && shape.length === first.length && shape.every((n, k) => n === first[k]),
  );
  return even ? [literal.length, ...first] : undefined;
}

/** A value as an expression. Texts are strings, unless `textOf` says what they are. */
export function literalText(literal: Literal, textOf: (text: string) => string = stringLiteral): string {
  switch (typeof literal) {
    case 'string':
      return textOf(literal);
    case 'object': {
      const shape = shapeOf(literal) ?? [];
      // There is no `{}` in Modelica.
      if (shape.includes(0)) return `zeros(${shape.join(', ')})`;
      return `{${literal.map((item) => literalText(item, textOf)).join(', ')}}`;
    }
    case 'number':
      return numberLiteral(literal);
    default:
      return String(literal);
  }
}
