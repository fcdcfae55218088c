/**
 * FlatBuffers, as far as Arrow needs them (the encoding is described in *FlatBuffer Internals*, google.github.io/flatbuffers).
 * A table is a list of fields at fixed offsets, which its vtable lists; texts, vectors and other tables are reached through
 * offsets that point forwards. So a buffer is written from its end to its beginning, what is pointed to first; a place is counted in bytes from the end.
 *
 *     vtable    u16 size of the vtable | u16 size of the table | u16 offset of field 0 (0: not there) | ...
 *     table     i32 distance back to the vtable | fields
 *     vector    u32 length | elements            text   u32 length | UTF-8 | 0
 */

/** A field of a table: a number of some bytes, or the place of a table, vector or text. */
export type FlatField =
  | { readonly bytes: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly at: number }
  | undefined;

const encoder = new TextEncoder();

export class FlatWriter {
  private bytes = new Uint8Array(1024);
  private view = new DataView(this.bytes.buffer);
  /** Bytes written, at the end of `bytes`. */
  private used = 0;

  /** Each of these gives the place of what it has written. */
  text(text: string): number {
    const bytes = encoder.encode(text);
    this.align(4, bytes.length + 1);
    this.number(1, 0);
    this.claim(bytes.length);
    this.bytes.set(bytes, this.bytes.length - this.used);
    return this.number(4, bytes.length);
  }

  /** A vector of tables, by their places. */
  vector(places: readonly number[]): number {
    this.align(4, 4 * places.length);
    for (let i = places.length - 1; i >= 0; i--) this.offset(places[i]!);
    return this.number(4, places.length);
  }

  /** A vector of structs, each a list of 64-bit numbers. */
  structs(list: readonly (readonly number[])[]): number {
    const length = 8 * list.reduce((sum, struct) => sum + struct.length, 0);
    this.align(8, length);
    for (let i = list.length - 1; i >= 0; i--) {
      const struct = list[i]!;
      for (let k = struct.length - 1; k >= 0; k--) this.number(8, struct[k]!);
    }
    return this.number(4, list.length);
  }

  table(fields: readonly FlatField[]): number {
    const end = this.used;
    const places = fields.map(() => 0);
    for (let i = fields.length - 1; i >= 0; i--) {
      const field = fields[i];
      if (!field) continue;
      if ('at' in field) {
        this.align(4, 0);
        this.offset(field.at);
      } else {
        this.align(field.bytes, 0);
        this.number(field.bytes, field.value);
      }
      places[i] = this.used;
    }
    this.align(4, 0);
    const table = this.number(4, 0);
    for (let i = fields.length - 1; i >= 0; i--) this.number(2, places[i] === 0 ? 0 : table - places[i]!);
    this.number(2, table - end);
    const vtable = this.number(2, 4 + 2 * fields.length);
    this.view.setInt32(this.bytes.length - table, vtable - table, true);
    return table;
  }

  /** The buffer with its root table; its length is a multiple of 8. */
  finish(root: number): Uint8Array {
    this.align(8, 4);
    this.offset(root);
    return this.bytes.slice(this.bytes.length - this.used);
  }

  private offset(target: number): void {
    this.number(4, this.used + 4 - target);
  }

  private number(bytes: 1 | 2 | 4 | 8, value: number): number {
    this.claim(bytes);
    const at = this.bytes.length - this.used;
    if (bytes === 1) this.view.setUint8(at, value);
    else if (bytes === 2) this.view.setUint16(at, value, true);
    else this.view.setInt32(at, value | 0, true);
    if (bytes === 8) {
      this.view.setUint32(at, value >>> 0, true);
      this.view.setInt32(at + 4, Math.floor(value / 2 ** 32), true);
    }
    return this.used;
  }

  /** Pads so that what follows ends on a multiple of `size` after another `length` bytes. */
  private align(size: number, length: number): void {
    const padding = -(this.used + length) & (size - 1);
    this.claim(padding);
    this.bytes.fill(0, this.bytes.length - this.used, this.bytes.length - this.used + padding);
  }

  private claim(count: number): void {
    this.used += count;
    if (this.used <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.bytes.length, this.used + 1024));
    const before = this.used - count;
    grown.set(this.bytes.subarray(this.bytes.length - before), grown.length - before);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

const decoder = new TextDecoder();

/** A table of a buffer. What lies outside the buffer makes the reader throw a `RangeError`, as a `DataView` does. */
export class FlatTable {
  constructor(
    private readonly view: DataView,
    private readonly place: number,
  ) {}

  static root(bytes: Uint8Array): FlatTable {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new FlatTable(view, view.getUint32(0, true));
  }

  /** A number; 0 where the field is left out, unless another default is known. */
  number(field: number, bytes: 1 | 2 | 4 | 8, byDefault = 0): number {
    const at = this.field(field);
    if (at === 0) return byDefault;
    if (bytes === 1) return this.view.getUint8(at);
    if (bytes === 2) return this.view.getInt16(at, true);
    return bytes === 4 ? this.view.getInt32(at, true) : this.long(at);
  }

  table(field: number): FlatTable | undefined {
    const at = this.field(field);
    return at === 0 ? undefined : new FlatTable(this.view, this.follow(at));
  }

  text(field: number): string {
    const at = this.field(field);
    if (at === 0) return '';
    const start = this.follow(at);
    const length = this.view.getUint32(start, true);
    if (start + 4 + length > this.view.byteLength) throw new RangeError('A text lies outside the buffer.');
    return decoder.decode(new Uint8Array(this.view.buffer, this.view.byteOffset + start + 4, length));
  }

  tables(field: number): FlatTable[] {
    return this.elements(field, 4).map((at) => new FlatTable(this.view, this.follow(at)));
  }

  /** Structs of `count` 64-bit numbers. */
  structs(field: number, count: number): number[][] {
    return this.elements(field, 8 * count).map((at) =>
      Array.from({ length: count }, (_, i) => this.long(at + 8 * i)),
    );
  }

  private elements(field: number, size: number): number[] {
    const at = this.field(field);
    if (at === 0) return [];
    const start = this.follow(at);
    const length = this.view.getUint32(start, true);
    if (start + 4 + length * size > this.view.byteLength)
      throw new RangeError('A vector lies outside the buffer.');
    return Array.from({ length }, (_, i) => start + 4 + i * size);
  }

  /** Where a field is, 0 where it is left out. */
  private field(field: number): number {
    const vtable = this.place - this.view.getInt32(this.place, true);
    if (4 + 2 * field >= this.view.getUint16(vtable, true)) return 0;
    const offset = this.view.getUint16(vtable + 4 + 2 * field, true);
    return offset === 0 ? 0 : this.place + offset;
  }

  private follow(at: number): number {
    return at + this.view.getUint32(at, true);
  }

  private long(at: number): number {
    return this.view.getInt32(at + 4, true) * 2 ** 32 + this.view.getUint32(at, true);
  }
}
