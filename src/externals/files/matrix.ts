/** Matrices in files: text files of tables, comma-separated values, MATLAB files. What is in a file follows from the end of its name. */
import type { Surroundings } from '../surroundings.ts';
import { csvMatrix } from './csv.ts';
import { matMatrix } from './mat.ts';
import type { CsvOptions, FileMatrix } from './numbers.ts';
import { textMatrix } from './text.ts';

const plainCsv: CsvOptions = { delimiter: ',', headerLines: 0 };

/** Throws an error that names the file, and the line where there are lines. */
export function readMatrix(
  files: Pick<Surroundings, 'read'>,
  fileName: string,
  name: string,
  options = plainCsv,
): FileMatrix {
  const bytes = files.read(fileName);
  if (/\.mat$/i.test(fileName)) return matMatrix(bytes, fileName, name);
  const text = new TextDecoder().decode(bytes);
  return /\.csv$/i.test(fileName) ? csvMatrix(text, fileName, options) : textMatrix(text, fileName, name);
}
