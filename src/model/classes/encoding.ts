/**
 * The text of a file. Modelica is written in UTF-8 (specification 3.6, section 13.4); old libraries have files in Latin-1, whose letters with accents are no UTF-8.
 * Such a file is read as what it is, and that is told.
 */
import { type Diagnostic, warning } from '../../diagnostic/diagnostic.ts';
import { Source } from '../../diagnostic/source.ts';
import type { FileSystem } from './files.ts';

/** What decoders put in the place of bytes that are no UTF-8. */
const REPLACED = '\ufffd';

export interface FileText {
  readonly source: Source;
  readonly problems: readonly Diagnostic[];
}

export function readText(files: FileSystem, path: string): FileText | undefined {
  const text = files.read(path);
  if (text === undefined) return undefined;
  if (!text.includes(REPLACED)) return { source: new Source(path, text), problems: [] };
  const bytes = files.bytes?.(path);
  // Where the sign itself is in the file, it is UTF-8.
  if (!bytes || isUtf8(bytes)) return { source: new Source(path, text), problems: [] };
  const source = new Source(path, new TextDecoder('latin1').decode(bytes));
  const at = text.indexOf(REPLACED);
  const message = 'The file is not in UTF-8; it is read as Latin-1.';
  const span = { source, start: at, end: at + 1 };
  return { source, problems: [warning('bad-character', message, { span, hint: 'Save it in UTF-8.' })] };
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
