/**
 * Text files of tables, as `Modelica.Blocks.Tables` describes them: `#1` first, then matrices, each with a head and its elements row by row.
 *
 *     #1
 *     double tab(2,3)   # a comment
 *     0 1 2
 *     3, 4; 5
 */
import { type FileMatrix, isNumber, numberOf } from './numbers.ts';

/** Numbers have all their digits, whichever of the two words is written: the file is text. */
const head = /^\s*(?:double|float)\s+([^\s,()]+)\s*\(\s*(\d+)\s*[,;\s]\s*(\d+)\s*\)(.*)$/;

export function textMatrix(text: string, fileName: string, name: string): FileMatrix {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const at = (line: number): string => `line ${line + 1} of the file “${fileName}”`;
  if (!lines[0]!.startsWith('#1'))
    throw new Error(`the file “${fileName}” does not begin with \`#1\`, as text files of tables do`);
  const names: string[] = [];
  for (let k = 1; k < lines.length; k++) {
    const [, own, rows, columns, rest] = head.exec(withoutComment(lines[k]!)) ?? [];
    if (own !== undefined) names.push(own);
    if (own !== name) continue;
    const size = Number(rows) * Number(columns);
    const found: number[] = [];
    const take = (line: number, part: string): void => {
      for (const word of part.split(/[\s,;]+/)) {
        if (word === '') continue;
        if (found.length === size)
          throw new Error(`${at(line)}: “${word}” follows all ${size} elements of “${name}”`);
        if (!isNumber(word)) throw new Error(`${at(line)}: “${word}” is no number`);
        found.push(numberOf(word));
      }
    };
    take(k, rest!);
    for (let line = k + 1; line < lines.length; line++) {
      const own = withoutComment(lines[line]!);
      if (head.test(own) || (found.length === size && !isNumber(firstWord(own)))) break;
      take(line, own);
    }
    if (found.length < size)
      throw new Error(
        `the matrix “${name}” in line ${k + 1} of the file “${fileName}” has ${found.length} elements instead of ${rows} × ${columns} = ${size}`,
      );
    return { rows: Number(rows), columns: Number(columns), values: Float64Array.from(found) };
  }
  const there = names.length === 0 ? 'there is none' : `there are ${names.slice(0, 10).join(', ')}`;
  throw new Error(`there is no matrix “${name}” in the file “${fileName}”; ${there}`);
}

/** What begins with no number is no element: it ends a matrix that has all of them. */
const firstWord = (line: string): string => /[^\s,;]+/.exec(line)?.[0] ?? '0';

const withoutComment = (line: string): string => line.replace(/#.*$/, '');
