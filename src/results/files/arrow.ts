/**
 * Signal tables as Apache Arrow IPC files (also known as Feather, version 2), which data frames of Python, R and Julia
 * read without conversion. The first column is the time, every other one a signal that changes: doubles, 64-bit integers or
 * bits, missing values as nulls. Units and the like are metadata of the columns; constants, modes, impulses and attributes
 * are JSON in the metadata of the schema, under `mutabor`. So nothing is lost.
 *
 *     ARROW1 0 0
 *     schema message         each message: 0xFFFFFFFF, length, flatbuffer, body
 *     record batch message   body: for every column bits that say what is there, then the values, padded to 8 bytes
 *     0xFFFFFFFF 0           end of the messages
 *     footer                 the schema again, and where the batches are
 *     length of the footer, ARROW1
 *
 * Numbers of fields and types are those of Schema.fbs, Message.fbs and File.fbs of the format, version 5 of the metadata.
 */
import { concatenated } from '../../collections/lists.ts';
import { tableOfColumns } from '../table/builder.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { Independent, SignalTable } from '../table/table.ts';
import { type FlatField, FlatTable, FlatWriter } from './flatbuffer.ts';
import { FormatError, type NumberReader, numberReaders } from './format.ts';
import { besideText, constantText, ROLES, readBeside, readSignal, TYPES } from './json.ts';
import { type JsonReader, parseJson } from './jsontext.ts';

const MAGIC = 'ARROW1';
const VERSION = 4;
const HEADER = { schema: 1, dictionary: 2, batch: 3 } as const;
const TYPE = { int: 2, float: 3, bool: 6 } as const;
const CONTINUED = 0xffffffff;
/** Key of what belongs to the whole table. */
const KEY = 'mutabor';

/** The whole file; for large tables take `arrowParts`. */
export function toArrow(table: SignalTable): Uint8Array {
  return concatenated([...arrowParts(table)], Uint8Array);
}

/** The file in parts, about a column each. */
export function* arrowParts(table: SignalTable): Generator<Uint8Array> {
  const columns = columnsOf(table);
  const rows = table.rowCount;
  const body = layOut(columns, rows);
  const schema = message(HEADER.schema, (writer) => schemaOf(writer, table, columns), 0);
  const batch = message(HEADER.batch, (writer) => batchOf(writer, columns, rows, body.buffers), body.length);
  yield Uint8Array.from([...bytesOf(MAGIC), 0, 0]);
  yield schema;
  yield batch;
  yield* columnBytes(columns[0]!, table.time);
  let next = 1;
  for (const [, values] of table.reader.eachColumn(changing(table)))
    yield* columnBytes(columns[next++]!, values);
  yield words(CONTINUED, 0);
  const footer = new FlatWriter();
  const root = footer.table([
    { bytes: 2, value: VERSION },
    { at: schemaOf(footer, table, columns) },
    { at: footer.structs([]) },
    { at: footer.structs([[8 + schema.length, batch.length, body.length]]) },
  ]);
  const bytes = footer.finish(root);
  yield bytes;
  yield words(bytes.length);
  yield bytesOf(MAGIC);
}

/** Reads what `toArrow` writes, and other Arrow files and streams of numbers without compression. Throws `FormatError`. */
export function readArrow(bytes: Uint8Array): SignalTable {
  try {
    const { schema, batches } = readMessages(bytes);
    const columns = schema.tables(1).map(readField);
    for (const batch of batches) readBatch(bytes, batch, columns);
    return tableOf(columns, pairsOf(schema, 2).get(KEY));
  } catch (problem) {
    if (problem instanceof FormatError) throw problem;
    if (problem instanceof RangeError) throw new FormatError(`The file is damaged: ${problem.message}`);
    throw problem;
  }
}

type Kind = 'double' | 'int' | 'bool';

interface ArrowColumn {
  readonly name: string;
  readonly kind: Kind;
  readonly missing: number;
  readonly metadata: readonly (readonly [key: string, value: string])[];
}

/** The time, then everything that changes, in table order. */
function columnsOf(table: SignalTable): ArrowColumn[] {
  const { name, unit, description } = table.independents[0]!;
  const columns: ArrowColumn[] = [
    { name, kind: 'double', missing: 0, metadata: given({ unit, description }) },
  ];
  for (const [number, values] of table.reader.eachColumn(changing(table)))
    columns.push(columnOf(table.reader.infoOf(number), values));
  return columns;
}

/** Numbers of the signals that change. */
function changing(table: SignalTable): Int32Array {
  const numbers: number[] = [];
  for (let number = 0; number < table.size; number++)
    if (table.reader.column(number).index >= 0) numbers.push(number);
  return Int32Array.from(numbers);
}

function columnOf(info: SignalInfo, values: Float64Array): ArrowColumn {
  let missing = 0;
  let isBits = info.type === 'Boolean';
  let isWhole = info.type === 'Integer';
  for (const value of values) {
    if (Number.isNaN(value)) missing++;
    else {
      isBits &&= value === 0 || value === 1;
      isWhole &&= Number.isSafeInteger(value);
    }
  }
  const kind: Kind = isBits ? 'bool' : isWhole ? 'int' : 'double';
  return { name: info.name, kind, missing, metadata: metadataOf(info) };
}

function metadataOf(info: SignalInfo) {
  const { unit, displayUnit, description, type, literals, hidden, role, over, source } = info;
  return given({
    unit,
    displayUnit,
    description,
    type: type === 'Real' ? '' : type,
    literals: literals ? JSON.stringify(literals) : '',
    role: role ?? '',
    hidden: hidden ? 'true' : '',
    over: over ? JSON.stringify(over) : '',
    ...(source.kind === 'alias' && { alias: source.of, sign: String(source.sign) }),
  });
}

const given = (texts: Record<string, string>): [string, string][] =>
  Object.entries(texts).filter(([, text]) => text !== '');

/** A message without its body: its length is a multiple of 8, as all places in the file are. */
function message(type: number, header: (writer: FlatWriter) => number, bodyLength: number): Uint8Array {
  const writer = new FlatWriter();
  const at = header(writer);
  const root = writer.table([
    { bytes: 2, value: VERSION },
    { bytes: 1, value: type },
    { at },
    { bytes: 8, value: bodyLength },
  ]);
  const bytes = writer.finish(root);
  return concatenated([words(CONTINUED, bytes.length), bytes], Uint8Array);
}

function schemaOf(writer: FlatWriter, table: SignalTable, columns: readonly ArrowColumn[]): number {
  const constants: string[] = [];
  for (let place = 0; place < table.size; place++)
    if (table.reader.column(place).index < 0)
      constants.push(`{"place":${place},"signal":${constantText(table, place)}}`);
  const whole = `{${besideText(table)},\n"constants":[${constants.join(',\n')}]}`;
  const fields = columns.map((column) => fieldOf(writer, column));
  const metadata = keyValues(writer, [[KEY, whole]]);
  return writer.table([undefined, { at: writer.vector(fields) }, metadata]);
}

function fieldOf(writer: FlatWriter, { name, kind, metadata }: ArrowColumn): number {
  const at = {
    double: () => writer.table([{ bytes: 2, value: 2 }]),
    int: () =>
      writer.table([
        { bytes: 4, value: 64 },
        { bytes: 1, value: 1 },
      ]),
    bool: () => writer.table([]),
  }[kind]();
  const type = { double: TYPE.float, int: TYPE.int, bool: TYPE.bool }[kind];
  return writer.table([
    { at: writer.text(name) },
    { bytes: 1, value: 1 },
    { bytes: 1, value: type },
    { at },
    undefined,
    { at: writer.vector([]) },
    keyValues(writer, metadata),
  ]);
}

function keyValues(writer: FlatWriter, pairs: readonly (readonly [string, string])[]): FlatField {
  if (pairs.length === 0) return undefined;
  const tables = pairs.map(([key, value]) =>
    writer.table([{ at: writer.text(key) }, { at: writer.text(value) }]),
  );
  return { at: writer.vector(tables) };
}

function batchOf(
  writer: FlatWriter,
  columns: readonly ArrowColumn[],
  rows: number,
  buffers: readonly (readonly number[])[],
): number {
  const nodes = writer.structs(columns.map(({ missing }) => [rows, missing]));
  return writer.table([{ bytes: 8, value: rows }, { at: nodes }, { at: writer.structs(buffers) }]);
}

/** Places and lengths of the buffers in the body: bits of what is there (none where all is), and values. */
function layOut(columns: readonly ArrowColumn[], rows: number): { buffers: number[][]; length: number } {
  const buffers: number[][] = [];
  let length = 0;
  for (const { kind, missing } of columns) {
    for (const size of [
      missing > 0 ? Math.ceil(rows / 8) : 0,
      kind === 'bool' ? Math.ceil(rows / 8) : 8 * rows,
    ]) {
      buffers.push([length, size]);
      length += padded(size);
    }
  }
  return { buffers, length };
}

function* columnBytes({ kind, missing }: ArrowColumn, numbers: Float64Array): Generator<Uint8Array> {
  const rows = numbers.length;
  if (missing > 0) yield bits(numbers, (value) => !Number.isNaN(value));
  if (kind === 'bool') yield bits(numbers, (value) => value === 1);
  else {
    const bytes = new Uint8Array(8 * rows);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < rows; i++) {
      const value = Number.isNaN(numbers[i]) ? 0 : numbers[i]!;
      if (kind === 'double') view.setFloat64(8 * i, value, true);
      else view.setBigInt64(8 * i, BigInt(value), true);
    }
    yield bytes;
  }
}

/** A bit a row, the least significant first. */
function bits(values: Float64Array, isSet: (value: number) => boolean): Uint8Array {
  const bytes = new Uint8Array(padded(Math.ceil(values.length / 8)));
  for (let i = 0; i < values.length; i++) if (isSet(values[i]!)) bytes[i >> 3]! |= 1 << (i & 7);
  return bytes;
}

const padded = (length: number): number => Math.ceil(length / 8) * 8;

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, (c) => c.charCodeAt(0));
}

function words(...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(4 * i, value, true);
  return bytes;
}

interface Batch {
  readonly header: FlatTable;
  /** Where its body begins and ends. */
  readonly start: number;
  readonly end: number;
}

function readMessages(bytes: Uint8Array): { schema: FlatTable; batches: Batch[] } {
  const isFile = startsWith(bytes, 0, MAGIC);
  if (isFile && !startsWith(bytes, bytes.length - MAGIC.length, MAGIC)) {
    throw new FormatError('The file is cut short: its end is missing.', { byte: bytes.length });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let schema: FlatTable | undefined;
  const batches: Batch[] = [];
  for (let place = isFile ? 8 : 0; place + 8 <= bytes.length; ) {
    if (view.getUint32(place, true) !== CONTINUED) {
      throw new FormatError(schema ? 'A message is damaged.' : 'This is not an Arrow file.', { byte: place });
    }
    const length = view.getUint32(place + 4, true);
    if (length === 0) break;
    const start = place + 8 + length;
    if (start > bytes.length)
      throw new FormatError('A message goes beyond the end of the file.', { byte: place });
    const message = FlatTable.root(bytes.subarray(place + 8, start));
    const end = start + message.number(3, 8);
    if (!(end >= start && end <= bytes.length)) {
      throw new FormatError('The values go beyond the end of the file.', { byte: place });
    }
    const header = message.table(2);
    const type = message.number(1, 1);
    if (type === HEADER.dictionary) throw new FormatError('Columns that are dictionaries cannot be read.');
    if (header && type === HEADER.schema) schema = header;
    if (header && type === HEADER.batch) batches.push({ header, start, end });
    place = end;
  }
  if (!schema) throw new FormatError('There is no schema in the file.');
  return { schema, batches };
}

interface ReadColumn {
  readonly name: string;
  readonly metadata: ReadonlyMap<string, string>;
  /** Bits of a value. */
  readonly width: number;
  /** What a row is multiplied by to give the place at which it is read. */
  readonly stride: number;
  readonly read: NumberReader['read'];
  /** By batch. */
  readonly values: Float64Array[];
}

function readField(field: FlatTable): ReadColumn {
  const name = field.text(0);
  const reader = valueReader(field);
  if (!reader) throw new FormatError(`The column ${name} does not hold numbers of 64 bits or less.`);
  return { name, metadata: pairsOf(field, 6), ...reader, values: [] };
}

function valueReader(field: FlatTable): Pick<ReadColumn, 'width' | 'stride' | 'read'> | undefined {
  const type = field.table(3);
  if (!type || field.table(4)) return undefined;
  const kind = field.number(2, 1);
  if (kind === TYPE.bool)
    return { width: 1, stride: 1, read: (view, row) => (view.getUint8(row >> 3) >> (row & 7)) & 1 };
  const name =
    kind === TYPE.float
      ? ['f16', 'f32', 'f64'][type.number(0, 2)]!
      : kind === TYPE.int
        ? `${type.number(1, 1) === 0 ? 'u' : 'i'}${type.number(0, 4)}`
        : '';
  if (!Object.hasOwn(numberReaders, name)) return undefined;
  const { bytes, read } = numberReaders[name as keyof typeof numberReaders];
  return { width: 8 * bytes, stride: bytes, read };
}

function readBatch(bytes: Uint8Array, { header, start, end }: Batch, columns: readonly ReadColumn[]): void {
  if (header.table(3)) throw new FormatError('The file is compressed; write it without compression.');
  const [nodes, buffers] = [header.structs(1, 2), header.structs(2, 2)];
  if (nodes.length !== columns.length || buffers.length !== 2 * columns.length) {
    throw new FormatError('The numbers of columns and of their buffers do not fit each other.');
  }
  const viewOf = ([offset, length]: readonly number[]): DataView => {
    const from = start + offset!;
    if (!(offset! >= 0 && length! >= 0 && from + length! <= end)) {
      throw new FormatError('A column lies outside the file.', { byte: from });
    }
    return new DataView(bytes.buffer, bytes.byteOffset + from, length);
  };
  for (const [i, { width, stride, read, values }] of columns.entries()) {
    const [rows, missing] = nodes[i]!;
    const [presence, data] = [viewOf(buffers[2 * i]!), viewOf(buffers[2 * i + 1]!)];
    if (!(rows! >= 0 && rows! * width <= 8 * data.byteLength)) {
      throw new FormatError(`The column ${columns[i]!.name} is too short.`);
    }
    const column = new Float64Array(rows!);
    for (let row = 0; row < rows!; row++) {
      const isThere = missing === 0 || ((presence.getUint8(row >> 3) >> (row & 7)) & 1) === 1;
      column[row] = isThere ? read(data, stride * row, true) : Number.NaN;
    }
    values.push(column);
  }
}

/** The axis is the column that the metadata name, or `time`, or the first one. */
function tableOf(columns: readonly ReadColumn[], whole: string | undefined): SignalTable {
  const json = whole === undefined ? undefined : parseJson(whole);
  const beside = json && readBeside(json);
  const axisName = beside?.extras.axis?.name ?? 'time';
  const axis = columns.find(({ name }) => name === axisName) ?? columns[0];
  if (!axis) throw new FormatError('There are no columns in the file.');
  const others = columns.filter((column) => column !== axis);
  const names = new Set(others.map(({ name }) => name));
  const signals = others.map((column) => signalOf(column, names));
  const trajectories = others.filter((_, i) => signals[i]!.source.kind === 'trajectory');
  const constants = json?.field('constants').list() ?? [];
  const extras = beside?.extras ?? { axis: axisOf(axis) };
  try {
    return tableOfColumns(
      withConstants(signals, constants),
      concatenated(axis.values, Float64Array),
      trajectories.map(({ values }) => concatenated(values, Float64Array)),
      beside?.segments,
      extras,
    );
  } catch (cause) {
    throw cause instanceof FormatError ? cause : new FormatError((cause as Error).message);
  }
}

function signalOf({ name, width, metadata }: ReadColumn, names: ReadonlySet<string>): SignalInfo {
  const text = (key: string): string => metadata.get(key) ?? '';
  const type = oneOf(TYPES, text('type')) ?? (width === 1 ? 'Boolean' : 'Real');
  const role = oneOf(ROLES, text('role'));
  const of = text('alias');
  const list = (key: string): string[] | undefined => {
    const written = metadata.get(key);
    return written === undefined ? undefined : parseJson(written).strings();
  };
  const [over, literals] = [list('over'), list('literals')];
  return {
    name,
    unit: text('unit'),
    displayUnit: text('displayUnit'),
    description: text('description'),
    type,
    hidden: text('hidden') === 'true',
    source: names.has(of)
      ? { kind: 'alias', of, sign: text('sign') === '-1' ? -1 : 1 }
      : { kind: 'trajectory' },
    ...(role && { role }),
    ...(over && { over }),
    ...(literals && { literals }),
  };
}

const oneOf = <T extends string>(values: readonly T[], text: string): T | undefined =>
  values.find((value) => value === text);

function axisOf({ name, metadata }: ReadColumn): Omit<Independent, 'values'> {
  const unit = metadata.get('unit') ?? (name === 'time' ? 's' : '');
  return { name, unit, description: metadata.get('description') ?? '' };
}

/** Constants go back to their places between the others. */
function withConstants(signals: readonly SignalInfo[], constants: readonly JsonReader[]): SignalInfo[] {
  const all: SignalInfo[] = [];
  let next = 0;
  for (const item of constants) {
    const place = item.field('place').count();
    while (all.length < place && next < signals.length) all.push(signals[next++]!);
    all.push(readSignal(item.field('signal')));
  }
  return [...all, ...signals.slice(next)];
}

function pairsOf(table: FlatTable, field: number): Map<string, string> {
  return new Map(table.tables(field).map((pair) => [pair.text(0), pair.text(1)]));
}

function startsWith(bytes: Uint8Array, place: number, text: string): boolean {
  return [...text].every((c, i) => bytes[place + i] === c.charCodeAt(0));
}
