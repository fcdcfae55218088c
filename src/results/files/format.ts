/** What the readers of result files have in common. */

/** Where in a file something is wrong: a line of text, and a column of a table, counted from 1, or a byte, counted from 0. */
export interface FilePlace {
  readonly line?: number;
  readonly column?: number;
  readonly byte?: number;
}

/** Bytes of a number in a binary file, and how it is read at a place. */
export interface NumberReader {
  readonly bytes: number;
  readonly read: (view: DataView, at: number, little: boolean) => number;
}

/** Floating-point, signed and unsigned numbers by their bits. */
export const numberReaders = {
  f64: { bytes: 8, read: (view, at, little) => view.getFloat64(at, little) },
  f32: { bytes: 4, read: (view, at, little) => view.getFloat32(at, little) },
  i64: { bytes: 8, read: (view, at, little) => Number(view.getBigInt64(at, little)) },
  u64: { bytes: 8, read: (view, at, little) => Number(view.getBigUint64(at, little)) },
  i32: { bytes: 4, read: (view, at, little) => view.getInt32(at, little) },
  u32: { bytes: 4, read: (view, at, little) => view.getUint32(at, little) },
  i16: { bytes: 2, read: (view, at, little) => view.getInt16(at, little) },
  u16: { bytes: 2, read: (view, at, little) => view.getUint16(at, little) },
  i8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  u8: { bytes: 1, read: (view, at) => view.getUint8(at) },
} as const satisfies Record<string, NumberReader>;

/** A file that is not what its reader expects. */
export class FormatError extends Error {
  constructor(
    message: string,
    readonly place: FilePlace = {},
  ) {
    super(`${placeText(place)}${message}`);
    this.name = 'FormatError';
  }
}

function placeText({ line, column, byte }: FilePlace): string {
  if (line !== undefined) return column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `;
  return byte === undefined ? '' : `Byte ${byte}: `;
}
