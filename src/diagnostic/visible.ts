/**
 * Texts as a terminal may show them. Names, strings and files come from anywhere; what a terminal would obey instead of show
 * (escape sequences, other directions of writing) is written as its number.
 */

/** Characters that a terminal would obey instead of show; the byte order mark has no width. */
export function isControl(code: number): boolean {
  return (
    code < 32 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0xfeff ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  );
}

/** A text with control characters written as `\u001b`; lines and tabs stay. */
export function visible(text: string): string {
  let shown = '';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (!isControl(code) || code === 10 || code === 9) continue;
    // A line of a file may end with both characters.
    const isLineEnd = code === 13 && text.charCodeAt(i + 1) === 10;
    shown += text.slice(from, i) + (isLineEnd ? '' : `\\u${code.toString(16).padStart(4, '0')}`);
    from = i + 1;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** The longest name, token or text that a message repeats. */
const LONGEST = 200;

/** A text that is too long for a message, cut. */
export function shortened(text: string, longest = LONGEST): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
