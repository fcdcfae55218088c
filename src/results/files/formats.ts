/** Which result files there are: one table, by which they are read and written. Files to be read are told apart by how they begin. */

import type { SignalTable } from '../table/table.ts';
import { arrowParts, readArrow } from './arrow.ts';
import { type CellReader, csvParts, readCsv } from './csv.ts';
import { FormatError } from './format.ts';
import { jsonParts, readJson } from './json.ts';
import { matParts, readMat } from './mat.ts';

export interface ResultFormat {
  /** How names of its files end. */
  readonly extension: string;
  /** Whether a file is one, by its first bytes as Latin-1; without it, one that is of no other format. */
  readonly begins?: RegExp;
  /** The file, in parts. */
  readonly parts: (table: SignalTable) => Iterable<string | Uint8Array>;
  /** Throws `FormatError`. `cell` reads fields of texts that are no numbers. */
  readonly read: (bytes: Uint8Array, cell?: CellReader) => SignalTable;
}

export const resultFormats: readonly ResultFormat[] = [
  { extension: '.csv', parts: csvParts, read: (bytes, cell) => readCsv(textOf(bytes), 'time', cell) },
  { extension: '.mat', begins: /^MATLAB|^(?!\xff{4}|ARROW1).{0,63}\0/s, parts: matParts, read: readMat },
  { extension: '.arrow', begins: /^ARROW1|^\xff{4}/, parts: arrowParts, read: readArrow },
  {
    extension: '.json',
    begins: /^(?:\xef\xbb\xbf)?\s*[{[]/,
    parts: jsonParts,
    read: (bytes) => readJson(textOf(bytes)),
  },
];

/** How many bytes of a file are looked at. */
const HEAD = 4096;

/** Reads a file of any format. Throws `FormatError`. */
export function readResults(bytes: Uint8Array, cell?: CellReader): SignalTable {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD));
  const format =
    resultFormats.find(({ begins }) => begins?.test(head)) ?? resultFormats.find(({ begins }) => !begins)!;
  return format.read(bytes, cell);
}

/** The endings of all formats: `.csv, .mat or …`. */
export const resultExtensions: string = alternatives(resultFormats.map(({ extension }) => extension));

export function alternatives(list: readonly string[]): string {
  const last = list[list.length - 1]!;
  return list.length === 1 ? last : `${list.slice(0, -1).join(', ')} or ${last}`;
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError('The file is neither text in UTF-8 nor of a format that is known.');
  }
}
