/** Comma-separated values: one matrix of numbers after lines that are skipped. */
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
    const words = delimiter === ' ' ? line.trim().split(/ +/) : line.split(delimiter || ',');
    columns ||= words.length;
    if (words.length !== columns)
      throw new Error(`${at(k)} has ${words.length} values, those before it have ${columns}`);
    for (const word of words) {
      const own = word.trim();
      if (!isNumber(own)) throw new Error(`${at(k)}: “${own}” is no number`);
      values.push(numberOf(own));
    }
    rows++;
  }
  if (rows === 0)
    throw new Error(
      `there are no values in the file “${fileName}”${headerLines > 0 ? ` after ${headerLines} header lines` : ''}`,
    );
  return { rows, columns, values: Float64Array.from(values) };
}
