/**
 * How texts are written in files. The studio has all of them in one form, so that a place in a text is the same for the editor, which knows one kind of line end, and for
 * workers; a file is saved in the form that it had. What is no UTF-8 is Latin-1 as browsers understand it, as old libraries are.
 */
export interface TextForm {
  readonly isUtf8: boolean;
  /** Whether it begins with the mark of UTF-8. */
  readonly hasMark: boolean;
  readonly lineEnd: '\n' | '\r\n';
}

/** Of a new file. */
export const USUAL: TextForm = { isUtf8: true, hasMark: false, lineEnd: '\n' };

const MARK = '\ufeff';

/** The text of a file, and its form. */
export function readForm(bytes: Uint8Array): { readonly text: string; readonly form: TextForm } {
  try {
    return formOf(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    const { text, form } = formOf(new TextDecoder('latin1').decode(bytes));
    return { text, form: { ...form, isUtf8: false } };
  }
}

/** The same where it was decoded already. */
export function formOf(decoded: string): { readonly text: string; readonly form: TextForm } {
  const hasMark = decoded.startsWith(MARK);
  const whole = hasMark ? decoded.slice(1) : decoded;
  const ends = whole.match(/\r\n?|\n/g) ?? [];
  // Where there are several, it is that of most lines.
  const isDouble = 2 * ends.filter((end) => end === '\r\n').length > ends.length;
  return {
    text: plainText(whole),
    form: { isUtf8: true, hasMark, lineEnd: isDouble ? '\r\n' : '\n' },
  };
}

/** A text with the line ends that editors have. */
export const plainText = (text: string): string => text.replace(/\r\n?/g, '\n');

/** What a file holds. Letters that Latin-1 does not have make it UTF-8. */
export function writtenIn({ isUtf8, hasMark, lineEnd }: TextForm, text: string): Uint8Array {
  const whole = `${hasMark ? MARK : ''}${text.replaceAll('\n', lineEnd)}`;
  return (isUtf8 ? undefined : latin1(whole)) ?? new TextEncoder().encode(whole);
}

/** Undefined where there are other letters in it. */
function latin1(text: string): Uint8Array | undefined {
  const codes = new Map(
    [...new TextDecoder('latin1').decode(Uint8Array.from({ length: 256 }, (_, k) => k))].map(
      (letter, code) => [letter, code],
    ),
  );
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) {
    const code = codes.get(text[k]!);
    if (code === undefined) return undefined;
    bytes[k] = code;
  }
  return bytes;
}
