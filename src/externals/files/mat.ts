/**
 * Matrices in MATLAB files of version 4, 5 (which save writes as v6) and 7 (the same, compressed); those of version 7.3 are HDF5 and not read.
 *
 *     v4   matrices one after the other: five numbers of 4 bytes (kind, rows, columns, imaginary?, length of the name), name, elements by columns
 *     v5   128 bytes of head, then elements: kind and length (4 bytes each; both in 4 bytes where at most 4 bytes of data follow), data, padded to 8 bytes.
 *          A matrix is an element of elements: flags, sizes, name, real part; compressed ones are elements packed by zlib.
 *
 * Fields of structures are named with dots: `s.x`.
 */
import { inflate } from './inflate.ts';
import type { FileMatrix } from './numbers.ts';

export function matMatrix(bytes: Uint8Array, fileName: string, name: string): FileMatrix {
  const names: string[] = [];
  try {
    const found = isV5(bytes) ? fromV5(bytes, name, names) : fromV4(bytes, name, names);
    if (found) return found;
  } catch (problem) {
    const why =
      problem instanceof RangeError
        ? 'it ends too early or is no MATLAB file'
        : String((problem as Error).message);
    throw new Error(`the file “${fileName}” cannot be read: ${why}`);
  }
  const there = names.length === 0 ? 'there is none' : `there are ${names.slice(0, 10).join(', ')}`;
  throw new Error(`there is no matrix “${name}” in the file “${fileName}”; ${there}`);
}

function isV5(bytes: Uint8Array): boolean {
  if (bytes.length >= 8 && [0, 512].some((at) => bytes[at] === 0x89 && textAt(bytes, at + 1, 3) === 'HDF'))
    throw new Error('it is a MATLAB file of version 7.3; save it with -v7');
  return bytes.length >= 128 && ['IM', 'MI'].includes(textAt(bytes, 126, 2));
}

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

// ---------------------------------------------------------------- version 4

const typesV4: readonly NumberType[] = ['f64', 'f32', 'i32', 'i16', 'u16', 'u8'];
const sizesV4 = [8, 4, 4, 2, 2, 1];

/** A matrix in a file of version 4: what its head says, and where it stands. */
interface EntryV4 {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
  /** 0 numbers, 1 text, 2 sparse. */
  readonly class: number;
  readonly complex: boolean;
  readonly type: NumberType;
  readonly little: boolean;
  readonly from: number;
  readonly data: number;
  readonly to: number;
}

function entriesV4(bytes: Uint8Array): EntryV4[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const entries: EntryV4[] = [];
  for (let from = 0; from < bytes.length; ) {
    // Kinds are small: with the wrong order of bytes they are not.
    const little = view.getUint32(from, true) < 10000;
    const number = (k: number): number => view.getInt32(from + 4 * k, little);
    const [kind, rows, columns, imaginary, length] = [number(0), number(1), number(2), number(3), number(4)];
    const digit = Math.floor(kind / 10) % 10;
    const [type, size] = [typesV4[digit], sizesV4[digit]];
    if (kind < 0 || kind > 4052 || !type || !size || rows < 0 || columns < 0 || length < 1)
      throw new RangeError();
    const data = from + 20 + length;
    const to = data + rows * columns * size * (imaginary ? 2 : 1);
    if (to > bytes.length) throw new RangeError();
    const name = textAt(bytes, from + 20, length).replace(/\0.*$/s, '');
    const complex = imaginary !== 0;
    entries.push({ name, rows, columns, class: kind % 10, complex, type, little, from, data, to });
    from = to;
  }
  return entries;
}

function fromV4(bytes: Uint8Array, name: string, names: string[]): FileMatrix | undefined {
  const entries = entriesV4(bytes);
  names.push(...entries.map((entry) => entry.name));
  const found = entries.find((entry) => entry.name === name);
  if (!found) return undefined;
  const { rows, columns, type, little, data } = found;
  if (found.class === 1) throw new Error(`“${name}” is a text, not a matrix of numbers`);
  if (found.class === 2) throw new Error(`“${name}” is a sparse matrix`);
  if (found.complex) throw new Error(`“${name}” has complex elements`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = sizesV4[typesV4.indexOf(type)]!;
  return byRows(rows, columns, (k) => numberAt(view, data + k * size, type, little));
}

/** A file of version 4 with a matrix at its end, in place of one that had its name. */
export function withMatrix(
  file: Uint8Array,
  name: string,
  rows: number,
  columns: number,
  values: ArrayLike<number>,
): Uint8Array {
  const kept = entriesV4(file).filter((entry) => entry.name !== name);
  const parts = [
    ...kept.map(({ from, to }) => file.subarray(from, to)),
    mat4Bytes(name, rows, columns, values),
  ];
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** A matrix as a file of version 4 holds it. */
function mat4Bytes(name: string, rows: number, columns: number, values: ArrayLike<number>): Uint8Array {
  const view = new DataView(new ArrayBuffer(20 + name.length + 1 + 8 * rows * columns));
  for (const [k, own] of [0, rows, columns, 0, name.length + 1].entries()) view.setInt32(4 * k, own, true);
  for (let k = 0; k < name.length; k++) view.setUint8(20 + k, name.charCodeAt(k));
  for (let j = 0; j < columns; j++)
    for (let i = 0; i < rows; i++)
      view.setFloat64(21 + name.length + 8 * (i + j * rows), values[i * columns + j]!, true);
  return new Uint8Array(view.buffer);
}

type NumberType = 'i8' | 'u8' | 'i16' | 'u16' | 'i32' | 'u32' | 'f32' | 'f64' | 'i64' | 'u64';

function numberAt(view: DataView, at: number, type: NumberType, little: boolean): number {
  switch (type) {
    case 'i8':
      return view.getInt8(at);
    case 'u8':
      return view.getUint8(at);
    case 'i16':
      return view.getInt16(at, little);
    case 'u16':
      return view.getUint16(at, little);
    case 'i32':
      return view.getInt32(at, little);
    case 'u32':
      return view.getUint32(at, little);
    case 'f32':
      return view.getFloat32(at, little);
    case 'f64':
      return view.getFloat64(at, little);
    case 'i64':
      return Number(view.getBigInt64(at, little));
    case 'u64':
      return Number(view.getBigUint64(at, little));
  }
}

function byRows(rows: number, columns: number, value: (k: number) => number): FileMatrix {
  const values = Float64Array.from({ length: rows * columns }, (_, k) =>
    value((k % columns) * rows + Math.floor(k / columns)),
  );
  return { rows, columns, values };
}

// ---------------------------------------------------------------- versions 5 and 7

const [MATRIX, COMPRESSED] = [14, 15];
/** Kinds of data by their numbers, with their sizes. */
const v5Types: Readonly<Record<number, readonly [NumberType, number]>> = {
  1: ['i8', 1],
  2: ['u8', 1],
  3: ['i16', 2],
  4: ['u16', 2],
  5: ['i32', 4],
  6: ['u32', 4],
  7: ['f32', 4],
  9: ['f64', 8],
  12: ['i64', 8],
  13: ['u64', 8],
};
const STRUCTURE = 2;

interface Element {
  readonly kind: number;
  readonly data: Uint8Array;
  readonly next: number;
}

function fromV5(bytes: Uint8Array, name: string, names: string[]): FileMatrix | undefined {
  const little = textAt(bytes, 126, 2) === 'IM';
  const [first, ...fields] = name.split('.');
  for (let at = 128; at + 8 <= bytes.length; ) {
    const outer = elementAt(bytes, at, little);
    at = outer.next;
    const element = outer.kind === COMPRESSED ? elementAt(inflate(outer.data), 0, little) : outer;
    if (element.kind !== MATRIX) continue;
    const own = new MatrixElement(element.data, little);
    names.push(own.name);
    if (own.name === first) return own.field(fields, name).matrix(name);
  }
  return undefined;
}

function elementAt(bytes: Uint8Array, at: number, little: boolean): Element {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = view.getUint32(at, little);
  const short = word >>> 16;
  if (short > 0) return { kind: word & 0xffff, data: bytes.subarray(at + 4, at + 4 + short), next: at + 8 };
  const length = view.getUint32(at + 4, little);
  if (at + 8 + length > bytes.length) throw new RangeError();
  const padded = word === COMPRESSED ? length : Math.ceil(length / 8) * 8;
  return { kind: word, data: bytes.subarray(at + 8, at + 8 + length), next: at + 8 + padded };
}

/** An array of version 5, its parts one after the other. */
class MatrixElement {
  readonly name: string;
  private readonly kind: number;
  private readonly complex: boolean;
  private readonly dims: readonly number[];
  private readonly parts: readonly Element[];

  constructor(
    data: Uint8Array,
    private readonly little: boolean,
  ) {
    const parts: Element[] = [];
    for (let at = 0; at + 8 <= data.length; ) {
      const part = elementAt(data, at, little);
      parts.push(part);
      at = part.next;
    }
    const [flags, dims, name] = parts;
    if (!flags || !dims || !name) throw new RangeError();
    const word = new DataView(flags.data.buffer, flags.data.byteOffset).getUint32(0, little);
    this.kind = word & 0xff;
    this.complex = (word & 0x800) !== 0;
    this.dims = numbersOf(dims, little);
    this.name = textAt(name.data, 0, name.data.length).replace(/\0.*$/s, '');
    this.parts = parts.slice(3);
  }

  /** A field of a structure, of a structure in it and so on. */
  field(path: readonly string[], whole: string): MatrixElement {
    const [first, ...rest] = path;
    if (first === undefined) return this;
    const [length, list, ...values] = this.parts;
    if (this.kind !== STRUCTURE || !length || !list)
      throw new Error(`“${this.name}” in “${whole}” is no structure`);
    if (this.dims.some((size) => size !== 1))
      throw new Error(
        `“${this.name}” in “${whole}” is an array of ${this.dims.join(' × ')} structures, not one`,
      );
    const [size] = numbersOf(length, this.little);
    const names = Array.from({ length: list.data.length / size! }, (_, k) =>
      textAt(list.data, k * size!, size!).replace(/\0.*$/s, ''),
    );
    const value = values[names.indexOf(first)];
    if (!value) throw new Error(`there is no field “${first}” in “${whole}”, only ${names.join(', ')}`);
    return new MatrixElement(value.data, this.little).field(rest, whole);
  }

  matrix(name: string): FileMatrix {
    const [real] = this.parts;
    if (this.kind < 6 || this.kind > 15) throw new Error(`“${name}” is no matrix of numbers`);
    if (this.complex) throw new Error(`“${name}” has complex elements`);
    if (this.dims.length !== 2) throw new Error(`“${name}” has ${this.dims.length} dimensions, not 2`);
    const values = real ? numbersOf(real, this.little) : [];
    const [rows, columns] = this.dims as [number, number];
    if (values.length < rows * columns) throw new RangeError();
    return byRows(rows, columns, (k) => values[k]!);
  }
}

function numbersOf({ kind, data }: Element, little: boolean): number[] {
  const [type, size] = v5Types[kind] ?? [];
  if (!type || !size) throw new RangeError();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: Math.floor(data.length / size) }, (_, k) =>
    numberAt(view, k * size, type, little),
  );
}
