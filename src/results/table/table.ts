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
import { countWhile } from '../../collections/lists.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { shown } from '../../diagnostic/options.ts';
import { parseReference } from '../../names/names.ts';
import { nameMatches } from './glob.ts';
import { chosenElements, ElementGrid } from './grid.ts';
import { TableReader } from './reader.ts';
import { countOf, type Signal, type SignalInfo } from './signal.ts';
import { Signals } from './signals.ts';
import { pickedColumns } from './store.ts';

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
  /** The unit of the weight, where the results have no such variable, whose unit would say it. */
  readonly unit?: string;
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
  readonly model: string;
  readonly impulses: readonly TableImpulse[];
  readonly modes: readonly TableMode[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The first one counts the rows, others count subscripts. */
  readonly independents: readonly Independent[];
  private nameList: readonly string[] | undefined;

  /** A `TableBuilder`, or the reader of a file, makes tables. */
  constructor(
    /** The signals by their numbers, for those who go through all of them: files, plots, audits. */
    readonly reader: TableReader,
    /** The time of every row, or the values of whatever else counts the rows. */
    readonly time: Float64Array,
    readonly segments: readonly TableSegment[],
    extras: TableExtras,
  ) {
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
    return this.reader.signals.count;
  }

  /** Names in order of declaration. */
  get names(): readonly string[] {
    this.nameList ??= [...this.reader.eachName()];
    return this.nameList;
  }

  has(name: string): boolean {
    return this.reader.find(name) !== undefined;
  }

  info(name: string): SignalInfo | undefined {
    const number = this.reader.find(name);
    return number === undefined ? undefined : this.reader.infoOf(number);
  }

  /** True where the value never changes: parameters, constants and their aliases. */
  isConstant(name: string): boolean {
    return this.reader.column(this.number(name)).index < 0;
  }

  /** A new array with the value of every row, NaN where missing. */
  get(name: string): Float64Array {
    return this.reader.valuesOf([this.number(name)])[0]!;
  }

  /** The value of one row, NaN where missing. */
  at(name: string, row: number): number {
    return this.reader.value(this.number(name), row);
  }

  /** Values of one row in the order of `names`, NaN where missing, written to `into`. */
  row(row: number, into: Float64Array): void {
    this.reader.rows.readRow(row, this.reader.columns, into);
  }

  /**
   * The value at any time of the run: linear between rows; at an event the limit from the side asked for. NaN outside
   * the run and where the variable does not exist.
   */
  value(name: string, time: number, side: Side = 'after'): number {
    const number = this.number(name);
    const times = this.time;
    const right = countWhile(times.length, (k) => times[k]! < time);
    if (right < times.length && times[right] === time) {
      return this.reader.value(number, side === 'before' ? right : lastEqual(times, right));
    }
    if (right === 0 || right === times.length || Number.isNaN(time)) return Number.NaN;
    const a = this.reader.value(number, right - 1);
    const b = this.reader.value(number, right);
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
    const { indices, scales } = this.reader.columns;
    const own = this.number(name);
    const others: { readonly name: string; readonly sign: 1 | -1 }[] = [];
    if (indices[own]! < 0) return others;
    for (let i = 0; i < indices.length; i++) {
      if (i === own || indices[i] !== indices[own]) continue;
      others.push({ name: this.reader.nameOf(i), sign: scales[i] === scales[own] ? 1 : -1 });
    }
    return others;
  }

  /**
   * Names of the signals that a text means: a name, an array or a part of it (`T`, `T[2:4]`, `a.b[2,:]`) or a glob (`*`
   * any text, `?` one character) over names of signals and of arrays. Elements are in the order of the array, others in that of the table.
   */
  expand(text: string): string[] {
    return Array.from(this.meant(text), (number) => this.reader.nameOf(number));
  }

  /** A signal, an array or a part of one, with its values in all rows. Throws a `RangeError` where there is none. */
  array(text: string): SignalArray {
    const { reader } = this;
    const reference = parseReference(reader.signals.numbered(text));
    const elements = reference && !this.has(text) ? reader.signals.elementsOf(reference.array) : undefined;
    if (!reference || !elements) {
      return { name: text, dims: [], axes: [], elements: [text], values: this.get(text) };
    }
    const grid = new ElementGrid(text, reference.subscripts, elements);
    const { count } = grid;
    const names = new Array<string | undefined>(count).fill(undefined);
    const columns = {
      indices: new Int32Array(count).fill(-1),
      scales: new Float64Array(count).fill(Number.NaN),
    };
    for (const [k, number] of elements.numbers.entries()) {
      const place = grid.place(k);
      if (place < 0) continue;
      names[place] = reader.nameOf(number);
      const { index, scale } = reader.column(number);
      columns.indices[place] = index;
      columns.scales[place] = scale;
    }
    const values = new Float64Array(count * this.rowCount);
    for (let row = 0; row < this.rowCount; row++)
      reader.rows.readRow(row, columns, values.subarray(row * count, (row + 1) * count));
    const over = reader.infoOf(elements.numbers[0]!).over ?? [];
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
    return this.subset((number) => keep(this.reader.infoOf(number)));
  }

  /** The signals that are shown by default. */
  visible(): SignalTable {
    const kept = Array.from(this.reader.signals, ({ info }) => !info.hidden);
    return this.subset((_, signal) => kept[signal]!);
  }

  /** The same signals with something else beside them. */
  with(extras: TableExtras): SignalTable {
    const all = { ...this.extras(), ...extras };
    return new SignalTable(this.reader, this.time, this.segments, all);
  }

  /** What may have been meant by a name that does not exist: that of a signal or an array. */
  nearest(name: string): string | undefined {
    return nearest(name, this.reader.signals.namesLike(name));
  }

  private number(name: string): number {
    const number = this.reader.find(name);
    if (number !== undefined) return number;
    throw noSignal([this], name);
  }

  /** Numbers of the signals that a text means: see `expand`. */
  private meant(text: string): Int32Array | readonly number[] {
    const { reader } = this;
    const found = reader.find(text);
    if (found !== undefined) return [found];
    const reference = parseReference(reader.signals.numbered(text));
    const elements = reference && reader.signals.elementsOf(reference.array);
    if (elements && reference.subscripts.length <= elements.rank)
      return chosenElements(elements, reference.subscripts);
    if (!/[*?]/.test(text)) return [];
    const numbers: number[] = [];
    let number = 0;
    for (const name of reader.eachName()) {
      if (nameMatches(text, name)) numbers.push(number);
      number++;
    }
    return numbers;
  }

  private subset(keep: (number: number, signal: number) => boolean): SignalTable {
    const { reader } = this;
    const signals = new Signals();
    const kept: number[] = [];
    for (const [n, signal] of [...reader.signals].entries()) {
      const first = reader.signals.first(n);
      const places: number[] = [];
      for (let place = 0; place < countOf(signal); place++) if (keep(first + place, n)) places.push(place);
      if (places.length === 0) continue;
      for (const place of places) kept.push(first + place);
      signals.add(places.length === countOf(signal) ? signal : partOf(signal, places));
    }
    const subset = new TableReader(signals, pickedColumns(reader.columns, kept), reader.rows, this.rowCount);
    return new SignalTable(subset, this.time, this.segments, this.extras());
  }

  private extras(): TableExtras {
    const { model, impulses, modes, attributes } = this;
    const [axis, ...dimensions] = this.independents;
    return { model, impulses, modes, attributes, axis: axis!, dimensions };
  }
}

/** That none of some tables has a signal, with what may have been meant, or why a run has no results. */
export function noSignal(tables: readonly SignalTable[], name: string): RangeError {
  const meant = tables.map((table) => table.nearest(name)).find((other) => other !== undefined);
  const problem = tables.map(({ attributes }) => attributes.problem).find((text) => typeof text === 'string');
  const help = meant ? ` Did you mean ${meant}?` : '';
  return new RangeError(`There is no signal named ${name}.${problem ? ` The run failed: ${problem}` : help}`);
}

const TIME = { name: 'time', unit: 's', description: '' };

/** Some of the scalars of a signal. */
function partOf({ info, elements }: Signal, places: readonly number[]): Signal {
  return { info, elements: Int32Array.from(places, (place) => (elements ? elements[place]! : place)) };
}

function lastEqual(times: Float64Array, first: number): number {
  let row = first;
  while (row + 1 < times.length && times[row + 1] === times[first]) row++;
  return row;
}
