/**
 * Results as MATLAB files of version 4, laid out as Modelica tools (Dymola, OpenModelica) write and read them. The file
 * is a row of matrices:
 *
 *     Aclass        the texts `Atrajectory`, `1.1`, ``, `binTrans`
 *     name          a text for every signal; the first is the time
 *     description   texts, with the unit at the end: `voltage drop [V|mV]`
 *     dataInfo      for every signal: table, ± column (from 1; negative for the negative of the column), 0, -1
 *     data_1        constants: a column each, first the time; two rows, for the start and the end
 *     data_2        trajectories: a column each, first the time; a row for every point
 *
 * `binTrans` says that all but Aclass are transposed, so that a name, or the values of one time, lie together. Every matrix has
 * a header of five 32-bit integers: type, rows, columns, whether it is complex, length of its name; then come the name, ended by a zero byte,
 * and the numbers column by column. The digits of the type tell byte order, 0, format of numbers, and 1 for texts (MathWorks,
 * *MAT-File Format*, chapter 2). Missing values are NaN.
 */
import { concatenated } from '../../collections/lists.ts';
import { remember } from '../../collections/memo.ts';
import { TableBuilder } from '../table/builder.ts';
import { countOf, type SignalInfo } from '../table/signal.ts';
import type { SignalTable } from '../table/table.ts';
import { FormatError, numberReaders } from './format.ts';

/** The whole file; for large tables take `matParts`. */
export function toMat(table: SignalTable): Uint8Array {
  return concatenated([...matParts(table)], Uint8Array);
}

/** Numbers of rows that are written at once. */
const PART = 1 << 16;

/** The file in parts. */
export function* matParts(table: SignalTable): Generator<Uint8Array> {
  const { time, independents } = table;
  const axis = independents[0]!;
  const { info, constants, trajectories } = arrange(table);
  yield textMatrix('Aclass', ['Atrajectory', '1.1', '', 'binTrans'], false);
  yield textMatrix('name', [axis.name, ...table.reader.eachName()], true);
  yield textMatrix('description', [describe(axis), ...eachDescription(table)], true);
  yield matrixHeader('dataInfo', INT32, 4, info.length / 4);
  yield littleEndian(info);
  yield matrixHeader('data_1', DOUBLE, constants.length + 1, 2);
  const [start, end] = [time[0] ?? 0, time[time.length - 1] ?? 0];
  yield littleEndian(Float64Array.from([[start], constants, [end], constants].flat()));
  yield matrixHeader('data_2', DOUBLE, trajectories.length + 1, time.length);
  const read = table.reader.rowReader(trajectories);
  const width = trajectories.length + 1;
  const together = Math.max(1, Math.floor(PART / width));
  for (let from = 0; from < time.length; from += together) {
    const rows = new Float64Array(width * Math.min(together, time.length - from));
    for (let start = 0, i = from; start < rows.length; start += width, i++) {
      rows[start] = time[i]!;
      read(i, rows.subarray(start + 1, start + width));
    }
    yield littleEndian(rows);
  }
}

/** Reads what `toMat` writes, and what Modelica tools write. Throws `FormatError`. */
export function readMat(bytes: Uint8Array): SignalTable {
  const matrices = readMatrices(bytes);
  const take = (name: string): Matrix => {
    const matrix = matrices.get(name);
    if (matrix) return matrix;
    throw new FormatError(`The matrix ${name} of a Modelica result is not in the file.`);
  };
  const head = texts(take('Aclass'), false);
  if (head[0] !== 'Atrajectory' || head[1] !== '1.1') {
    throw new FormatError(`This is no Atrajectory of version 1.1, but ${head.slice(0, 2).join(' ')}.`);
  }
  const transposed = head[3] === 'binTrans';
  if (!transposed && head[3] !== 'binNormal') throw new FormatError(`The layout ${head[3]} is not known.`);
  const names = texts(take('name'), transposed);
  const descriptions = texts(take('description'), transposed);
  const [information, constants, data] = ['dataInfo', 'data_1', 'data_2'].map(
    (name) => new Turned(take(name), transposed),
  ) as [Turned, Turned, Turned];
  if (descriptions.length !== names.length || information.rows !== names.length || information.columns < 2) {
    throw new FormatError('The matrices name, description and dataInfo do not fit each other.');
  }
  if (data.columns < 1) throw new FormatError('The matrix data_2 has no column for the time.');
  const { signals, axis, columns } = readSignals(names, descriptions, information, constants, data);
  const builder = new TableBuilder(signals);
  const row = new Float64Array(columns.length);
  for (let i = 0; i < data.rows; i++) {
    for (const [k, column] of columns.entries()) {
      row[k] = Math.sign(column) * data.at(i, Math.abs(column) - 1);
    }
    try {
      builder.append(data.at(i, 0), row);
    } catch (cause) {
      throw new FormatError((cause as Error).message);
    }
  }
  return builder.finish({ axis });
}

interface Arrangement {
  /** Four numbers a signal, the time first. */
  readonly info: Int32Array;
  readonly constants: number[];
  /** Numbers of the signals whose values make the columns of data_2. */
  readonly trajectories: number[];
}

/** Constants in the first table, one column for all aliases of a trajectory in the second. */
function arrange(table: SignalTable): Arrangement {
  const info = new Int32Array(4 * (table.size + 1));
  info.set([0, 1, 0, -1]);
  const constants: number[] = [];
  const trajectories: number[] = [];
  const known = new Map<number, { column: number; scale: number }>();
  for (let number = 0; number < table.size; number++) {
    const { index, scale } = table.reader.column(number);
    if (index < 0) {
      constants.push(scale);
      info.set([1, constants.length + 1, 0, 0], 4 * (number + 1));
      continue;
    }
    const owner = remember(known, index, () => ({ column: trajectories.push(number) + 1, scale }));
    info.set([2, owner.scale === scale ? owner.column : -owner.column, 0, -1], 4 * (number + 1));
  }
  return { info, constants, trajectories };
}

/** Those of all signals; elements of an array share theirs. */
function* eachDescription({ reader: { signals } }: SignalTable): Generator<string> {
  for (const signal of signals) {
    const text = describe(signal.info);
    for (let left = countOf(signal); left > 0; left--) yield text;
  }
}

/** `text [unit|displayUnit]`; the type, where it is not Real, as Dymola writes it: `[:#(type=Boolean)]`. */
function describe(signal: Pick<SignalInfo, 'unit' | 'description'> & Partial<Described>): string {
  const { description, unit, displayUnit = '', type = 'Real' } = signal;
  const shown = displayUnit === '' || displayUnit === unit ? unit : `${unit}|${displayUnit}`;
  const bracket = type === 'Real' ? shown : `${shown}:#(type=${type})`;
  return bracket === '' ? description : `${description}${description && ' '}[${bracket}]`;
}

type Described = Pick<SignalInfo, 'description' | 'unit' | 'displayUnit' | 'type'>;

function readDescription(text: string): Described {
  const parts = /^(.*?)\s*\[([^[\]]*)\]$/s.exec(text);
  if (!parts) return { description: text, unit: '', displayUnit: '', type: 'Real' };
  const [units, more = ''] = parts[2]!.split(':#');
  const [unit, displayUnit = ''] = units!.split('|');
  const type = /type=(Boolean|Integer)/.exec(more)?.[1] as 'Boolean' | 'Integer' | undefined;
  return { description: parts[1]!, unit: unit!, displayUnit, type: type ?? 'Real' };
}

interface ReadSignals {
  readonly signals: SignalInfo[];
  readonly axis: { name: string; unit: string; description: string };
  /** By trajectory: the column of data_2, from 1, with its sign. */
  readonly columns: number[];
}

function readSignals(
  names: readonly string[],
  descriptions: readonly string[],
  information: Turned,
  constants: Turned,
  data: Turned,
): ReadSignals {
  let axis = { name: 'time', unit: 's', description: '' };
  const signals: SignalInfo[] = [];
  const columns: number[] = [];
  const owners = new Map<number, { name: string; sign: number }>();
  const seen = new Set<string>();
  for (const [i, name] of names.entries()) {
    const described = readDescription(descriptions[i]!);
    const [table, column] = [information.at(i, 0), information.at(i, 1)];
    const isTime = name.toLowerCase() === 'time';
    if (table === 0 || (i === 0 && isTime)) {
      const { unit, description } = described;
      axis = { name: isTime ? 'time' : name, unit: unit || 's', description };
      continue;
    }
    if (seen.has(name)) throw new FormatError(`There are two signals named ${name}.`);
    seen.add(name);
    const place = Math.abs(column);
    const within = table === 1 ? constants.columns : table === 2 ? data.columns : 0;
    if (!(Number.isInteger(place) && place >= 1 && place <= within)) {
      throw new FormatError(
        `${name} is said to be in column ${column} of data_${table}, which is not there.`,
      );
    }
    const sign = column > 0 ? 1 : -1;
    const info = { name, ...described, hidden: false };
    const owner = owners.get(place);
    if (table === 1) {
      const value = constants.rows > 0 ? sign * constants.at(0, place - 1) : Number.NaN;
      signals.push({ ...info, role: 'parameter', source: { kind: 'constant', value } });
    } else if (owner) {
      const own = owner.sign === sign ? 1 : -1;
      signals.push({ ...info, source: { kind: 'alias', of: owner.name, sign: own } });
    } else {
      owners.set(place, { name, sign });
      columns.push(column);
      signals.push({ ...info, source: { kind: 'trajectory' } });
    }
  }
  return { signals, axis, columns };
}

export const DOUBLE = 0;
const INT32 = 20;
const TEXT = 51;

export function matrixHeader(name: string, type: number, rows: number, columns: number): Uint8Array {
  const header = new Uint8Array(20 + name.length + 1);
  const view = new DataView(header.buffer);
  for (const [i, value] of [type, rows, columns, 0, name.length + 1].entries())
    view.setInt32(4 * i, value, true);
  for (let i = 0; i < name.length; i++) header[20 + i] = name.charCodeAt(i);
  return header;
}

/** Texts of equal length, filled up with blanks: a column each where transposed, otherwise a row each. */
export function textMatrix(name: string, lines: readonly string[], transposed: boolean): Uint8Array {
  const encoder = new TextEncoder();
  const encoded = lines.map((line) => encoder.encode(line));
  const length = encoded.reduce((longest, line) => Math.max(longest, line.length), 1);
  const bytes = new Uint8Array(length * lines.length).fill(0x20);
  for (const [i, line] of encoded.entries()) {
    if (transposed) bytes.set(line, i * length);
    else for (const [k, byte] of line.entries()) bytes[k * lines.length + i] = byte;
  }
  const header = transposed
    ? matrixHeader(name, TEXT, length, lines.length)
    : matrixHeader(name, TEXT, lines.length, length);
  return concatenated([header, bytes], Uint8Array);
}

export function littleEndian(values: Float64Array | Int32Array): Uint8Array {
  const size = values.BYTES_PER_ELEMENT;
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    if (size === 8) view.setFloat64(8 * i, values[i]!, true);
    else view.setInt32(4 * i, values[i]!, true);
  }
  return bytes;
}

/** A matrix of the file; its numbers lie column by column from `start` on. */
interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly number: (index: number) => number;
}

/** By the third digit of the type. */
const NUMBERS = (['f64', 'f32', 'i32', 'i16', 'u16', 'u8'] as const).map((name) => numberReaders[name]);

type FiveNumbers = [number, number, number, number, number];

function readMatrices(bytes: Uint8Array): Map<string, Matrix> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const matrices = new Map<string, Matrix>();
  refuseOthers(bytes);
  for (let place = 0; place < bytes.length; ) {
    if (place + 20 > bytes.length)
      throw new FormatError('The file ends in the header of a matrix.', { byte: place });
    const little = readType(view, place);
    const field = (i: number): number => view.getInt32(place + 4 * i, little);
    const [type, rows, columns, complex, nameLength] = [0, 1, 2, 3, 4].map(field) as FiveNumbers;
    const { bytes: size, read } = NUMBERS[Math.floor((type % 1000) / 10) % 10]!;
    // A matrix without numbers takes no room, so the file does not limit its other size.
    const isVast = rows * columns === 0 && Math.max(rows, columns) > bytes.length;
    if (rows < 0 || columns < 0 || isVast || nameLength < 1 || complex !== 0) {
      throw new FormatError('The header of a matrix makes no sense.', { byte: place });
    }
    const start = place + 20 + nameLength;
    const name = decode(bytes.subarray(place + 20, start)).replace(/\0.*$/s, '');
    const end = start + rows * columns * size;
    if (end > bytes.length) {
      const message = `The file ends in the matrix ${name}: ${end - bytes.length} bytes are missing.`;
      throw new FormatError(message, { byte: bytes.length });
    }
    matrices.set(name, {
      rows,
      columns,
      number: (index) => read(view, start + index * size, little),
    });
    place = end;
  }
  return matrices;
}

/** Whether the matrix that begins here has its least byte first. */
function readType(view: DataView, place: number): boolean {
  for (const little of [true, false]) {
    const type = view.getInt32(place, little);
    const [order, zero, format, kind] = [1000, 100, 10, 1].map((unit) => Math.floor(type / unit) % 10);
    if (type < 0 || type >= 2000 || zero !== 0 || format! > 5 || kind! > 1) continue;
    if (order === (little ? 0 : 1)) return little;
  }
  throw new FormatError('This is no MATLAB file of version 4.', { byte: place });
}

/** Files of later versions begin with a text. */
function refuseOthers(bytes: Uint8Array): void {
  const version = /^MATLAB (\d\.\d) MAT-file/.exec(decode(bytes.subarray(0, 32)))?.[1];
  if (version !== undefined) {
    throw new FormatError(
      `This is a MATLAB file of version ${version}; Modelica results are of version 4 (in MATLAB: save with -v4).`,
    );
  }
  if (bytes.length === 0) throw new FormatError('The file is empty.');
}

/** A matrix with a signal, or a point of time, in every row, however it is stored. */
class Turned {
  readonly rows: number;
  readonly columns: number;

  constructor(
    private readonly matrix: Matrix,
    private readonly transposed: boolean,
  ) {
    this.rows = transposed ? matrix.columns : matrix.rows;
    this.columns = transposed ? matrix.rows : matrix.columns;
  }

  at(row: number, column: number): number {
    return this.matrix.number(this.transposed ? row * this.columns + column : column * this.rows + row);
  }
}

/** The rows of a matrix as texts, without the blanks and zeros at their ends. */
function texts(matrix: Matrix, transposed: boolean): string[] {
  const turned = new Turned(matrix, transposed);
  const bytes = new Uint8Array(turned.columns);
  return Array.from({ length: turned.rows }, (_, row) => {
    for (let k = 0; k < bytes.length; k++) bytes[k] = turned.at(row, k);
    return decode(bytes).replace(/[\0 ]+$/, '');
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const latin1 = new TextDecoder('latin1');

/** UTF-8, or Latin-1 where it is not that. */
function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return latin1.decode(bytes);
  }
}
