/** Text in SVG and HTML: escaping, and an estimate of its width where there is no font to measure. */

/** Safe in elements and in attributes in double quotes; characters that XML 1.0 forbids are replaced. */
export function escapeText(text: string): string {
  return text
    .replace(FORBIDDEN, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

// Control characters, unpaired surrogates and the two non-characters of the basic plane.
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Texts with blanks between them, as far as they are not empty. */
export const spaced = (...texts: readonly string[]): string => texts.filter((text) => text !== '').join(' ');

/** Pixels that a text takes in DejaVu Sans, the widest of the usual fonts. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const c of text) {
    if ("ijltfrI.,:;'|![]() ".includes(c)) width += 0.38;
    else if ('mwMW@%'.includes(c)) width += 0.96;
    else if (c >= 'A' && c <= 'Z') width += 0.7;
    else width += c.codePointAt(0)! > 0x2e80 ? 1 : 0.62;
  }
  return width * fontSize;
}

/** The text, cut with an ellipsis to a width; bold text is wider by `factor`. */
export function shortened(text: string, width: number, fontSize: number, factor = 1): string {
  if (textWidth(text, fontSize) * factor <= width) return text;
  let end = text.length;
  while (end > 0 && textWidth(`${text.slice(0, end)}…`, fontSize) * factor > width) end--;
  return `${text.slice(0, end).trimEnd()}…`;
}
