/** Result files of any format, told apart by how they begin. */

import type { SignalTable } from '../table/table.ts';
import { readArrow } from './arrow.ts';
import { type CellReader, readCsv } from './csv.ts';
import { FormatError } from './format.ts';
import { readJson } from './json.ts';
import { readMat } from './mat.ts';

/** Reads CSV, JSON, Arrow or MATLAB; `cell` reads fields of texts that are no numbers. Throws `FormatError`. */
export function readResults(bytes: Uint8Array, cell?: CellReader): SignalTable {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 64));
  if (head.startsWith('ARROW1') || head.startsWith('\xff\xff\xff\xff')) return readArrow(bytes);
  if (head.startsWith('MATLAB') || head.includes('\0')) return readMat(bytes);
  const text = decode(bytes);
  return /^\s*[{[]/.test(text) ? readJson(text) : readCsv(text, 'time', cell);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError('The file is neither text in UTF-8 nor of a format that is known.');
  }
}
