/**
 * Files, streams and the system: `Modelica.Utilities.Files`, `Streams`, `System`. Files are read where the surroundings allow it. Nothing is
 * written, removed or started: what a model asks for in that way is refused.
 */
import type { Externals } from '../symbolic/foreign.ts';
import { readMatrix } from './files/matrix.ts';
import type { Surroundings } from './surroundings.ts';

type Box<T> = { value: T };

/** `Modelica.Utilities.Types.FileType`. */
const [NO_FILE, FILE, FOLDER] = [1, 2, 3];

export const system = (surroundings: Surroundings): Externals => ({
  ...streams(surroundings),
  ...folders(surroundings),
  ...refused,

  ModelicaInternal_getTime: (...parts: Box<number>[]) => {
    const now = new Date();
    const [ms, sec, min, hour, day, mon, year] = parts;
    ms!.value = now.getMilliseconds();
    sec!.value = now.getSeconds();
    min!.value = now.getMinutes();
    hour!.value = now.getHours();
    day!.value = now.getDate();
    mon!.value = now.getMonth() + 1;
    year!.value = now.getFullYear();
  },
  // Models know nothing of the process they run in.
  ModelicaInternal_getpid: () => 0,
  ModelicaInternal_getenv: (_name: string, _slash: boolean, content: Box<string>, exist: Box<boolean>) => {
    content.value = '';
    exist.value = false;
  },
  ModelicaError: (text: string) => {
    throw new Error(text);
  },
});

function streams(surroundings: Surroundings): Externals {
  const linesOf = (name: string): string[] => {
    const text = new TextDecoder().decode(surroundings.read(name));
    const lines = text.split(/\r\n|\r|\n/);
    // What ends with the end of a line has no line after it.
    if (lines.at(-1) === '') lines.pop();
    return lines;
  };
  return {
    ModelicaInternal_print: (text: string, fileName: string) => {
      if (fileName !== '') throw notWritten(fileName);
      surroundings.print(text);
    },
    ModelicaInternal_countLines: (name: string) => linesOf(name).length,
    ModelicaInternal_readFile: (name: string, into: string[], count: number) => {
      const lines = linesOf(name);
      if (lines.length < count) throw new Error(`the file “${name}” has ${lines.length} lines, not ${count}`);
      for (let k = 0; k < count; k++) into[k] = lines[k]!;
    },
    ModelicaInternal_readLine: (name: string, number: number, endOfFile: Box<boolean>) => {
      if (number < 1) throw new Error(`the first line of the file “${name}” is number 1, not ${number}`);
      const line = linesOf(name)[number - 1];
      endOfFile.value = line === undefined;
      return line ?? '';
    },
    ModelicaStreams_closeFile: () => {},
    ModelicaIO_readMatrixSizes: (name: string, matrix: string, into: Float64Array) => {
      const { rows, columns } = readMatrix(surroundings, name, matrix);
      into.set([rows, columns]);
    },
    ModelicaIO_readRealMatrix: (
      name: string,
      matrix: string,
      into: Float64Array,
      wantedRows: number,
      wantedColumns: number,
      verbose: boolean,
    ) => {
      if (verbose) surroundings.print(`loading “${matrix}” of “${name}”`);
      const { rows, columns, values } = readMatrix(surroundings, name, matrix);
      if (rows !== wantedRows || columns !== wantedColumns)
        throw new Error(
          `the matrix “${matrix}” of the file “${name}” has ${rows} × ${columns} elements, not ${wantedRows} × ${wantedColumns}`,
        );
      into.set(values);
    },
    ModelicaIO_writeRealMatrix: (name: string) => {
      throw notWritten(name);
    },
  };
}

function folders(surroundings: Surroundings): Externals {
  const inside = (name: string) => {
    const entries = surroundings.list(name);
    if (!entries) throw new Error(`there is no folder “${name}” that can be read`);
    return entries;
  };
  return {
    ModelicaInternal_fullPathName: (name: string) => surroundings.fullName(name),
    ModelicaInternal_getcwd: () => surroundings.fullName('.'),
    ModelicaInternal_stat: (name: string) => {
      if (surroundings.list(name)) return FOLDER;
      try {
        surroundings.read(name);
        return FILE;
      } catch {
        return NO_FILE;
      }
    },
    ModelicaInternal_getNumberOfFiles: (name: string) => inside(name).length,
    ModelicaInternal_readDirectory: (name: string, count: number, into: string[]) => {
      for (const [k, entry] of inside(name).slice(0, count).entries()) into[k] = entry.name;
    },
  };
}

const refusal = (what: string) => () => {
  throw new Error(`${what}: models only read files`);
};

const notWritten = (name: string): Error =>
  new Error(`the file “${name}” is not written: models only read files`);

const refused: Externals = {
  ModelicaInternal_mkdir: refusal('no folder is made'),
  ModelicaInternal_rmdir: refusal('no folder is removed'),
  ModelicaInternal_rename: refusal('nothing is renamed'),
  ModelicaInternal_removeFile: refusal('no file is removed'),
  ModelicaInternal_copyFile: refusal('no file is copied'),
  ModelicaInternal_temporaryFileName: refusal('there are no temporary files'),
  ModelicaInternal_chdir: refusal('the working folder stays as it is'),
  ModelicaInternal_setenv: refusal('no environment variable is set'),
  system: refusal('no command is run'),
  exit: () => {
    throw new Error('a model ends its run with `terminate`, not with exit');
  },
};
