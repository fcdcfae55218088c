/**
 * Comma-separated values: one matrix of numbers after lines that are skipped. Blanks around values, quotes around numbers and a separator at the end of a line mean
 * nothing.
 */
import { type CsvOptions, type FileMatrix, isNumber, numberOf } from './numbers.ts';

export function csvMatrix(
  text: string,
  fileName: string,
  { delimiter, headerLines }: CsvOptions,
): FileMatrix {
  const at = (line: number): string => `line ${line + 1} of the file “${fileName}”`;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const values: number[] = [];
  let [rows, columns] = [0, 0];
  for (let k = Math.max(0, headerLines); k < lines.length; k++) {
    const line = lines[k]!;
    if (line.trim() === '') continue;
    const words = wordsOf(line, delimiter || ',');
    columns ||= words.length;
    if (words.length !== columns)
      throw new Error(`${at(k)} has ${words.length} values, those before it have ${columns}`);
    for (const [j, word] of words.entries()) {
      if (word === '') throw new Error(`${at(k)}: value ${j + 1} is missing`);
      if (!isNumber(word)) throw new Error(`${at(k)}: “${word}” is no number`);
      values.push(numberOf(word));
    }
    rows++;
  }
  if (rows === 0)
    throw new Error(
      `there are no values in the file “${fileName}”${headerLines > 0 ? ` after ${headerLines} header lines` : ''}`,
    );
  return { rows, columns, values: Float64Array.from(values) };
}

function wordsOf(line: string, delimiter: string): string[] {
  const words = delimiter.trim() === '' ? line.trim().split(/[ \t]+/) : line.split(delimiter);
  const bare = words.map((word) =>
    word
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2')
      .trim(),
  );
  return bare.length > 1 && bare.at(-1) === '' ? bare.slice(0, -1) : bare;
}
