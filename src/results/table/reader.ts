/**
 * The signals of a table by their numbers, from 0 in order of declaration: for those who go through all of them, such as writers of files.
 * They need no names then, see arrays whole, and read many values at once, as fits their storage.
 */
import { countOf, infoAt, nameAt, type SignalInfo } from './signal.ts';
import type { Signals } from './signals.ts';
import { pickedColumns, type RowStore, type StoredColumns } from './store.ts';

/** Where a signal is read: `scale` times trajectory `index`, or the constant `scale` itself where `index` is -1. Aliases share an index. */
export interface Column {
  readonly index: number;
  readonly scale: number;
}

export class TableReader {
  /** By trajectory: the number of the first signal that was declared as one, to which others that share it are aliases. */
  private ownerList: Int32Array | undefined;

  constructor(
    /** As they were declared, arrays whole. */
    readonly signals: Signals,
    /** Those of all scalars of the signals, one after the other. */
    readonly columns: StoredColumns,
    readonly rows: RowStore,
    /** More may have been stored since. */
    readonly rowCount: number,
  ) {}

  /** The number of a signal. */
  find(name: string): number | undefined {
    const found = this.signals.find(name);
    return found && this.signals.first(found.signal) + found.place;
  }

  nameOf(number: number): string {
    const { signal, place } = this.signals.owner(number);
    return nameAt(this.signals.at(signal), place);
  }

  infoOf(number: number): SignalInfo {
    const { signal, place } = this.signals.owner(number);
    const info = infoAt(this.signals.at(signal), place);
    if (info.source.kind !== 'trajectory') return info;
    const { indices, scales } = this.columns;
    const owner = this.owners()[indices[number]!]!;
    if (owner === number) return info;
    const sign = scales[owner] === scales[number] ? 1 : -1;
    return { ...info, source: { kind: 'alias', of: this.nameOf(owner), sign } };
  }

  column(number: number): Column {
    return { index: this.columns.indices[number]!, scale: this.columns.scales[number]! };
  }

  /** NaN where missing. */
  value(number: number, row: number): number {
    const { index, scale } = this.column(number);
    return index < 0 ? scale : scale * this.rows.read(row, index);
  }

  /** Every name, one after the other. */
  *eachName(): Generator<string> {
    for (const signal of this.signals) {
      const count = countOf(signal);
      for (let place = 0; place < count; place++) yield nameAt(signal, place);
    }
  }

  /** Numbers of signals with the values of all rows; some are read at once. */
  *eachColumn(numbers: Int32Array): Generator<readonly [number: number, values: Float64Array]> {
    const { rowCount } = this;
    const fewRows = Math.floor((1 << 17) / Math.max(1, rowCount));
    const manyRows = Math.floor((1 << 23) / Math.max(1, rowCount));
    const together = Math.min(512, Math.max(fewRows, Math.min(8, manyRows), 1));
    for (let from = 0; from < numbers.length; from += together) {
      const some = numbers.subarray(from, from + together);
      for (const [k, values] of this.valuesOf(some).entries()) yield [some[k]!, values];
    }
  }

  /** Reads rows of some signals. */
  rowReader(numbers: ArrayLike<number>): (row: number, into: Float64Array) => void {
    const columns = pickedColumns(this.columns, numbers);
    return (row, into) => this.rows.readRow(row, columns, into);
  }

  /** The values of some signals in all rows. */
  valuesOf(numbers: ArrayLike<number>): Float64Array[] {
    const values = Array.from(numbers, () => new Float64Array(this.rowCount));
    this.rows.readColumns(pickedColumns(this.columns, numbers), values);
    return values;
  }

  private owners(): Int32Array {
    if (this.ownerList) return this.ownerList;
    const { indices } = this.columns;
    const owners = new Int32Array(indices.reduce((most, index) => Math.max(most, index + 1), 0)).fill(-1);
    for (const [n, signal] of [...this.signals].entries()) {
      if (signal.info.source.kind !== 'trajectory') continue;
      const first = this.signals.first(n);
      for (let number = first; number < first + countOf(signal); number++)
        if (owners[indices[number]!] === -1) owners[indices[number]!] = number;
    }
    this.ownerList = owners;
    return owners;
  }
}
