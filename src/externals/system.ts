/**
 * Files, streams and the system: `Modelica.Utilities.Files`, `Streams`, `System`. Files are read where the surroundings allow it; what is written stays in the memory
 * of the run (`files/written.ts`). Nothing else is changed or started: what a model asks for in that way is refused.
 */
import type { Externals, ForeignRun } from '../symbolic/foreign.ts';
import { withMatrix } from './files/mat.ts';
import { readMatrix } from './files/matrix.ts';
import { filesOf, type RunFiles } from './files/written.ts';
import type { Surroundings } from './surroundings.ts';

type Box<T> = { value: T };

/** `Modelica.Utilities.Types.FileType`. */
const [NO_FILE, FILE, FOLDER] = [1, 2, 3];

export const system = (surroundings: Surroundings): Externals => {
  const withFiles = Object.entries<FileFunction>({ ...streams, ...folders }).map(([name, work]) => [
    name,
    function (this: ForeignRun, ...args: never[]) {
      return work(filesOf(this, surroundings), ...args);
    },
  ]);
  return { ...Object.fromEntries(withFiles), ...process, ...refused };
};

/** A function of files: they come before the arguments of the clause. */
type FileFunction = (files: RunFiles, ...args: never[]) => unknown;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function linesOf(files: RunFiles, name: string): string[] {
  const lines = new TextDecoder().decode(files.read(name)).split(/\r\n|\r|\n/);
  // What ends with the end of a line has no line after it.
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const streams = {
  ModelicaInternal_print: (files: RunFiles, text: string, fileName: string) =>
    fileName === '' ? files.print(text) : files.append(fileName, bytesOf(`${text}\n`)),

  ModelicaInternal_countLines: (files: RunFiles, name: string) => linesOf(files, name).length,

  ModelicaInternal_readFile: (files: RunFiles, name: string, into: string[], count: number) => {
    const lines = linesOf(files, name);
    if (lines.length < count) throw new Error(`the file “${name}” has ${lines.length} lines, not ${count}`);
    for (let k = 0; k < count; k++) into[k] = lines[k]!;
  },

  ModelicaInternal_readLine: (files: RunFiles, name: string, number: number, endOfFile: Box<boolean>) => {
    if (number < 1) throw new Error(`the first line of the file “${name}” is number 1, not ${number}`);
    const line = linesOf(files, name)[number - 1];
    endOfFile.value = line === undefined;
    return line ?? '';
  },

  ModelicaStreams_closeFile: () => {},

  ModelicaIO_readMatrixSizes: (files: RunFiles, name: string, matrix: string, into: Float64Array) => {
    const { rows, columns } = readMatrix(files, name, matrix);
    into.set([rows, columns]);
  },

  ModelicaIO_readRealMatrix: (
    files: RunFiles,
    name: string,
    matrix: string,
    into: Float64Array,
    wantedRows: number,
    wantedColumns: number,
    verbose: boolean,
  ) => {
    if (verbose) files.print(`loading “${matrix}” of “${name}”`);
    const { rows, columns, values } = readMatrix(files, name, matrix);
    if (rows !== wantedRows || columns !== wantedColumns)
      throw new Error(
        `the matrix “${matrix}” of the file “${name}” has ${rows} × ${columns} elements, not ${wantedRows} × ${wantedColumns}`,
      );
    into.set(values);
  },

  /** Always as version 4: only the run itself reads it. */
  ModelicaIO_writeRealMatrix: (
    files: RunFiles,
    name: string,
    matrix: string,
    values: Float64Array,
    rows: number,
    columns: number,
    append: boolean,
    version: string,
  ) => {
    if (!['4', '6', '7', '7.3'].includes(version))
      throw new Error(`there is no version ${version} of MATLAB files, only 4, 6, 7 and 7.3`);
    const before = append ? files.own(name) : undefined;
    if (append && !before && files.isFile(name))
      throw new Error(`nothing is appended to the file “${name}”: models do not change files`);
    files.write(name, withMatrix(before ?? new Uint8Array(), matrix, rows, columns, values));
    return true;
  },
};

const folders = {
  ModelicaInternal_fullPathName: (files: RunFiles, name: string) => files.fullName(name),
  ModelicaInternal_getcwd: (files: RunFiles) => files.fullName('.'),
  ModelicaInternal_stat: (files: RunFiles, name: string) =>
    files.isFolder(name) ? FOLDER : files.isFile(name) ? FILE : NO_FILE,
  ModelicaInternal_getNumberOfFiles: (files: RunFiles, name: string) => inside(files, name).length,
  ModelicaInternal_readDirectory: (files: RunFiles, name: string, count: number, into: string[]) => {
    for (const [k, entry] of inside(files, name).slice(0, count).entries()) into[k] = entry.name;
  },
  ModelicaInternal_mkdir: (files: RunFiles, name: string) => files.makeFolder(name),
  ModelicaInternal_rmdir: (files: RunFiles, name: string) => files.remove(name),
  ModelicaInternal_removeFile: (files: RunFiles, name: string) => files.remove(name),
  ModelicaInternal_copyFile: (files: RunFiles, from: string, to: string) => files.write(to, files.read(from)),
  ModelicaInternal_rename: (files: RunFiles, from: string, to: string) => {
    const bytes = files.own(from);
    if (!bytes) throw new Error(`“${from}” is not renamed: models do not change files`);
    files.remove(from);
    files.write(to, bytes);
  },
  ModelicaInternal_temporaryFileName: (files: RunFiles) => {
    let k = 1;
    while (files.isFile(`temporary${k}.txt`)) k++;
    return files.fullName(`temporary${k}.txt`);
  },
};

function inside(files: RunFiles, name: string): readonly { readonly name: string }[] {
  const entries = files.list(name);
  if (!entries) throw new Error(`there is no folder “${name}” that can be read`);
  return entries;
}

/** The clock is that of the machine; of the process that they run in models know nothing. */
const process: Externals = {
  ModelicaInternal_getTime: (...parts: Box<number>[]) => {
    const now = new Date();
    const values = [
      now.getMilliseconds(),
      now.getSeconds(),
      now.getMinutes(),
      now.getHours(),
      now.getDate(),
      now.getMonth() + 1,
      now.getFullYear(),
    ];
    for (const [k, value] of values.entries()) parts[k]!.value = value;
  },
  ModelicaInternal_getpid: () => 0,
  ModelicaInternal_getenv: (_name: string, _slash: boolean, content: Box<string>, exist: Box<boolean>) => {
    content.value = '';
    exist.value = false;
  },
  ModelicaError: (text: string) => {
    throw new Error(text);
  },
};

const refusal = (what: string) => () => {
  throw new Error(`${what}: a model does not change the system that it runs in`);
};

const refused: Externals = {
  ModelicaInternal_chdir: refusal('the working folder stays as it is'),
  ModelicaInternal_setenv: refusal('no environment variable is set'),
  system: refusal('no command is run'),
  exit: () => {
    throw new Error('a model ends its run with `terminate`, not with exit');
  },
};
