/**
 * Signal tables: the results of a run, or any data over an independent variable. One axis (the time), one column a
 * signal; events are two rows of equal time; a variable that does not exist in an interval is missing there (NaN
 * inside, an empty field outside). Parameters and constants are single values; aliases share a column. `builder.ts`
 * makes tables, `store.ts` holds the numbers.
 *
 * To whoever reads a table, every signal is a scalar, and arrays are signals whose names differ in their subscripts only (`names.ts`);
 * where the size of an array changes during a run, elements that do not exist are missing. Inside, an array that was declared as a whole is
 * one thing (`signal.ts`), and the names of its elements are formed on demand. A table over several independents is one of
 * arrays: the first independent counts the rows, the others say what the subscripts stand for.
 */
import { nearest } from '../../diagnostic/nearest.ts';
import { shown } from '../../diagnostic/options.ts';
import { parseReference } from '../../names/names.ts';
import { globMatches } from './glob.ts';
import { chosenElements, Grid } from './grid.ts';
import { countOf, infoAt, nameAt, type Signal, type SignalInfo } from './signal.ts';
import { Signals } from './signals.ts';
import type { Columns, RowStore } from './store.ts';

/** An interval of rows in one mode. */
export interface TableSegment {
  readonly signature: string;
  readonly firstRow: number;
  /** Exclusive. */
  readonly endRow: number;
}

/** A Dirac impulse: an infinitely large value of the variable at one instant, with a finite integral. */
export interface TableImpulse {
  readonly time: number;
  readonly variable: string;
  readonly weight: number;
}

/** A variable that others are given over; its values never decrease. */
export interface Independent {
  readonly name: string;
  readonly unit: string;
  readonly description: string;
  readonly values: Float64Array;
}

/** Anything that JSON can hold. */
export type Attribute =
  | string
  | number
  | boolean
  | null
  | readonly Attribute[]
  | { readonly [name: string]: Attribute };

/** An array of signals, or a part of one, with all its values. */
export interface SignalArray {
  /** What was asked for. */
  readonly name: string;
  /** Sizes, the greatest of the run; empty for a scalar. */
  readonly dims: readonly number[];
  /** By dimension: what its subscript stands for. */
  readonly axes: readonly (Independent | undefined)[];
  /** Names of the elements, the last subscript fastest; undefined for one that never exists. */
  readonly elements: readonly (string | undefined)[];
  /** Element k of a row is `values[row * elements.length + k]`; NaN where missing. */
  readonly values: Float64Array;
}

/** An interval of time spent in one mode. */
export interface TableMode {
  readonly signature: string;
  readonly from: number;
  readonly to: number;
}

/** What belongs to the results and is not a signal. */
export interface TableExtras {
  /** Name of the model, the title of plots. */
  readonly model?: string;
  readonly impulses?: readonly TableImpulse[];
  readonly modes?: readonly TableMode[];
  /** What else is to be kept: settings of the experiment, statistics, texts. */
  readonly attributes?: Readonly<Record<string, Attribute>>;
  /** The independent that counts the rows; the time in seconds where it is left out. */
  readonly axis?: Omit<Independent, 'values'>;
  /** Independents of subscripts. */
  readonly dimensions?: readonly Independent[];
}

/** Which of the rows of an event speaks for its time: the first (left limit) or the last (right limit). */
export type Side = 'before' | 'after';

/** Throws a `RangeError` where the table of a function is none. */
export function checkTable(table: unknown, name: string): asserts table is SignalTable {
  if (table instanceof SignalTable) return;
  const hint = Object(table).table instanceof SignalTable ? ' Write `result.table`.' : '';
  throw new RangeError(`\`${name}\` needs a \`SignalTable\`, not ${shown(table)}.${hint}`);
}

/** Immutable results; made by a `TableBuilder` or read from a file. */
export class SignalTable {
  /** The time of every row, or the values of whatever else counts the rows. */
  readonly time: Float64Array;
  readonly segments: readonly TableSegment[];
  readonly model: string;
  readonly impulses: readonly TableImpulse[];
  readonly modes: readonly TableMode[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The first one counts the rows, others count subscripts. */
  readonly independents: readonly Independent[];
  /** @internal As they were declared, arrays whole. */
  readonly signals: Signals;
  private readonly columns: Columns;
  private readonly rows: RowStore;
  private nameList: readonly string[] | undefined;
  /** By trajectory: the number of the first signal that was declared as one, to which others that share it are aliases. */
  private ownerList: Int32Array | undefined;

  /** @internal `columns` are those of all scalars of the signals, one after the other. */
  constructor(
    signals: Signals,
    columns: Columns,
    rows: RowStore,
    time: Float64Array,
    segments: readonly TableSegment[],
    extras: TableExtras,
  ) {
    this.signals = signals;
    this.columns = columns;
    this.rows = rows;
    this.time = time;
    this.segments = segments;
    this.model = extras.model ?? '';
    this.impulses = extras.impulses ?? [];
    this.modes = extras.modes ?? [];
    this.attributes = extras.attributes ?? {};
    this.independents = [{ ...(extras.axis ?? TIME), values: time }, ...(extras.dimensions ?? [])];
  }

  get rowCount(): number {
    return this.time.length;
  }

  /** The number of signals. */
  get size(): number {
    return this.signals.count;
  }

  /** Names in order of declaration. */
  get names(): readonly string[] {
    this.nameList ??= [...this.eachName()];
    return this.nameList;
  }

  has(name: string): boolean {
    return this.signals.find(name) !== undefined;
  }

  info(name: string): SignalInfo | undefined {
    const found = this.signals.find(name);
    return found && this.infoOf(this.signals.first(found.signal) + found.place);
  }

  /** True where the value never changes: parameters, constants and their aliases. */
  isConstant(name: string): boolean {
    return this.columns.indices[this.number(name)]! < 0;
  }

  /** A new array with the value of every row, NaN where missing. */
  get(name: string): Float64Array {
    return this.valuesOf([this.number(name)])[0]!;
  }

  /** The value of one row, NaN where missing. */
  at(name: string, row: number): number {
    return this.read(this.number(name), row);
  }

  /** Values of one row in the order of `names`, NaN where missing, written to `into`. */
  row(row: number, into: Float64Array): void {
    this.rows.readRow(row, this.columns, into);
  }

  /**
   * The value at any time of the run: linear between rows; at an event the limit from the side asked for. NaN outside
   * the run and where the variable does not exist.
   */
  value(name: string, time: number, side: Side = 'after'): number {
    const number = this.number(name);
    const times = this.time;
    const right = lowerBound(times, time);
    if (right < times.length && times[right] === time) {
      return this.read(number, side === 'before' ? right : lastEqual(times, right));
    }
    if (right === 0 || right === times.length || Number.isNaN(time)) return Number.NaN;
    const a = this.read(number, right - 1);
    const b = this.read(number, right);
    const fraction = (time - times[right - 1]!) / (times[right]! - times[right - 1]!);
    return a === b ? a : a * (1 - fraction) + b * fraction;
  }

  /** Values of the last row, `null` where missing. */
  final(): Map<string, number | null> {
    const values = new Float64Array(this.size);
    if (this.rowCount > 0) this.row(this.rowCount - 1, values);
    else values.fill(Number.NaN);
    return new Map(this.names.map((name, i) => [name, Number.isNaN(values[i]) ? null : values[i]!]));
  }

  /** Signals that are the same as this one in all modes, or its negative: those that share its column. */
  aliases(name: string): { readonly name: string; readonly sign: 1 | -1 }[] {
    const { indices, scales } = this.columns;
    const own = this.number(name);
    const others: { readonly name: string; readonly sign: 1 | -1 }[] = [];
    if (indices[own]! < 0) return others;
    for (let i = 0; i < indices.length; i++) {
      if (i === own || indices[i] !== indices[own]) continue;
      others.push({ name: this.nameOf(i), sign: scales[i] === scales[own] ? 1 : -1 });
    }
    return others;
  }

  /**
   * Names of the signals that a text means: a name, an array or a part of it (`T`, `T[2:4]`, `a.b[2,:]`) or a glob (`*`
   * any text, `?` one character). Elements are in the order of the array, others in that of the table.
   */
  expand(text: string): string[] {
    return Array.from(this.meant(text), (number) => this.nameOf(number));
  }

  /** A signal, an array or a part of one, with its values in all rows. Throws a `RangeError` where there is none. */
  array(text: string): SignalArray {
    const reference = parseReference(this.signals.numbered(text));
    const elements = reference && !this.has(text) ? this.signals.elementsOf(reference.array) : undefined;
    if (!reference || !elements) {
      return { name: text, dims: [], axes: [], elements: [text], values: this.get(text) };
    }
    const grid = new Grid(text, reference.subscripts, elements);
    const { count } = grid;
    const names = new Array<string | undefined>(count).fill(undefined);
    const indices = new Int32Array(count).fill(-1);
    const scales = new Float64Array(count).fill(Number.NaN);
    for (const [k, number] of elements.numbers.entries()) {
      const place = grid.place(k);
      if (place < 0) continue;
      names[place] = this.nameOf(number);
      indices[place] = this.columns.indices[number]!;
      scales[place] = this.columns.scales[number]!;
    }
    const values = new Float64Array(count * this.rowCount);
    for (let row = 0; row < this.rowCount; row++)
      this.rows.readRow(row, { indices, scales }, values.subarray(row * count, (row + 1) * count));
    const over = this.infoOf(elements.numbers[0]!).over ?? [];
    const axes = grid.kept.map((dimension) => this.independents.find(({ name }) => name === over[dimension]));
    return { name: text, dims: grid.dims, axes, elements: names, values };
  }

  /** The signals that at least one of the texts means, as `expand` understands them, in table order. */
  select(texts: readonly string[]): SignalTable {
    const isMeant = new Uint8Array(this.size);
    for (const text of texts) for (const number of this.meant(text)) isMeant[number] = 1;
    return this.subset((number) => isMeant[number] === 1);
  }

  /** The signals that satisfy a condition, over the same storage. */
  filter(keep: (signal: SignalInfo) => boolean): SignalTable {
    return this.subset((number) => keep(this.infoOf(number)));
  }

  /** The signals that are shown by default. */
  visible(): SignalTable {
    const kept = Array.from(this.signals, ({ info }) => !info.hidden);
    return this.subset((_, signal) => kept[signal]!);
  }

  /** The same signals with something else beside them. */
  with(extras: TableExtras): SignalTable {
    const all = { ...this.extras(), ...extras };
    return new SignalTable(this.signals, this.columns, this.rows, this.time, this.segments, all);
  }

  /** What may have been meant by a name that does not exist: that of a signal or an array. */
  nearest(name: string): string | undefined {
    return nearest(name, this.signals.namesLike(name));
  }

  /** @internal */
  nameOf(number: number): string {
    const { signal, place } = this.signals.owner(number);
    return nameAt(this.signals.at(signal), place);
  }

  /** @internal */
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

  /** @internal Where the values of a signal are: files that know aliases need it. */
  column(number: number): Column {
    return { index: this.columns.indices[number]!, scale: this.columns.scales[number]! };
  }

  /** @internal Every name, one after the other. */
  *eachName(): Generator<string> {
    for (const signal of this.signals) {
      const count = countOf(signal);
      for (let place = 0; place < count; place++) yield nameAt(signal, place);
    }
  }

  /** @internal Numbers of signals with their values, as `get` gives them; some are read at once, as fits their storage. */
  *eachColumn(numbers: Int32Array): Generator<readonly [number: number, values: Float64Array]> {
    const together = Math.max(8, Math.min(512, Math.floor((1 << 17) / Math.max(1, this.rowCount))));
    for (let from = 0; from < numbers.length; from += together) {
      const some = numbers.subarray(from, from + together);
      for (const [k, values] of this.valuesOf(some).entries()) yield [some[k]!, values];
    }
  }

  /** @internal Reads rows of some signals, by their numbers. */
  rowReader(numbers: ArrayLike<number>): (row: number, into: Float64Array) => void {
    const columns = picked(this.columns, numbers);
    return (row, into) => this.rows.readRow(row, columns, into);
  }

  private valuesOf(numbers: ArrayLike<number>): Float64Array[] {
    const columns = picked(this.columns, numbers);
    const values = Array.from(numbers, () => new Float64Array(this.rowCount));
    this.rows.readColumns(columns, values);
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

  private number(name: string): number {
    const found = this.signals.find(name);
    if (found) return this.signals.first(found.signal) + found.place;
    const meant = this.nearest(name);
    throw new RangeError(`There is no signal named ${name}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }

  /** Numbers of the signals that a text means: see `expand`. */
  private meant(text: string): Int32Array | readonly number[] {
    const found = this.signals.find(text);
    if (found) return [this.signals.first(found.signal) + found.place];
    const reference = parseReference(this.signals.numbered(text));
    const elements = reference && this.signals.elementsOf(reference.array);
    if (elements && reference.subscripts.length <= elements.rank)
      return chosenElements(elements, reference.subscripts);
    if (!/[*?]/.test(text)) return [];
    const numbers: number[] = [];
    let number = 0;
    for (const name of this.eachName()) {
      if (globMatches(text, name)) numbers.push(number);
      number++;
    }
    return numbers;
  }

  private subset(keep: (number: number, signal: number) => boolean): SignalTable {
    const signals = new Signals();
    const kept: number[] = [];
    for (const [n, signal] of [...this.signals].entries()) {
      const first = this.signals.first(n);
      const places: number[] = [];
      for (let place = 0; place < countOf(signal); place++) if (keep(first + place, n)) places.push(place);
      if (places.length === 0) continue;
      for (const place of places) kept.push(first + place);
      signals.add(places.length === countOf(signal) ? signal : partOf(signal, places));
    }
    const columns = picked(this.columns, kept);
    return new SignalTable(signals, columns, this.rows, this.time, this.segments, this.extras());
  }

  private extras(): TableExtras {
    const { model, impulses, modes, attributes } = this;
    const [axis, ...dimensions] = this.independents;
    return { model, impulses, modes, attributes, axis: axis!, dimensions };
  }

  private read(number: number, row: number): number {
    const { index, scale } = this.column(number);
    return index < 0 ? scale : scale * this.rows.read(row, index);
  }
}

const TIME = { name: 'time', unit: 's', description: '' };

/** @internal Where a signal is read: `scale` times trajectory `index`, or the constant `scale` itself where `index` is -1. */
export interface Column {
  readonly index: number;
  readonly scale: number;
}

function picked({ indices, scales }: Columns, numbers: ArrayLike<number>): Columns {
  return {
    indices: Int32Array.from(numbers, (number) => indices[number]!),
    scales: Float64Array.from(numbers, (number) => scales[number]!),
  };
}

/** Some of the scalars of a signal. */
function partOf({ info, elements }: Signal, places: readonly number[]): Signal {
  return { info, elements: Int32Array.from(places, (place) => (elements ? elements[place]! : place)) };
}

/** The first index whose time is not less than `time`. */
function lowerBound(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function lastEqual(times: Float64Array, first: number): number {
  let row = first;
  while (row + 1 < times.length && times[row + 1] === times[first]) row++;
  return row;
}
