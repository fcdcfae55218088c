/**
 * Signal tables: the results of a run, or any data over an independent variable. One axis (the time), one column a
 * signal; events are two rows of equal time; a variable that does not exist in an interval is missing there (NaN
 * inside, an empty field outside). Parameters and constants are single values; aliases share a column. `builder.ts`
 * makes tables, `store.ts` holds the numbers.
 *
 * Every signal is a scalar. Arrays are signals whose names differ in their subscripts only (`names.ts`); where the size
 * of an array changes during a run, elements that do not exist are missing. A table over several independents is one of
 * arrays: the first independent counts the rows, the others say what the subscripts stand for.
 */
import { nearest } from '../diagnostic/nearest.ts';
import { globMatches } from './glob.ts';
import { elementOf, parseReference, type Subscript } from './names.ts';
import type { RowStore } from './store.ts';

export interface SignalInfo {
  readonly name: string;
  readonly unit: string;
  readonly displayUnit: string;
  readonly description: string;
  readonly type: 'Real' | 'Integer' | 'Boolean';
  /** Not shown by default. */
  readonly hidden: boolean;
  readonly source: SignalSource;
  /** What the variable is in the model; plots choose by it when no signal is named. */
  readonly role?: SignalRole;
  /** For an element of an array: the independents that its subscripts count, `''` for those that count nothing. */
  readonly over?: readonly string[];
}

/** Where the values of a signal are. */
export type SignalSource =
  /** In a column of its own: the n-th trajectory of the list of signals is `values[n]` of `append`. */
  | { readonly kind: 'trajectory' }
  /** Known once. */
  | { readonly kind: 'constant'; readonly value: number }
  /** `sign` times another signal of the same list, which may be an alias or a constant itself. */
  | { readonly kind: 'alias'; readonly of: string; readonly sign: 1 | -1 };

export type SignalRole = 'state' | 'derivative' | 'input' | 'output' | 'local' | 'parameter';

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

/** Immutable results; made by a `TableBuilder` or read from a file. */
export class SignalTable {
  /** Names in order of declaration. */
  readonly names: readonly string[];
  /** The time of every row, or the values of whatever else counts the rows. */
  readonly time: Float64Array;
  readonly segments: readonly TableSegment[];
  readonly model: string;
  readonly impulses: readonly TableImpulse[];
  readonly modes: readonly TableMode[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The first one counts the rows, others count subscripts. */
  readonly independents: readonly Independent[];
  private readonly signals: readonly SignalInfo[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly columns: readonly Column[];
  private readonly rows: RowStore;
  private arrayIndex: ReadonlyMap<string, readonly ArrayElement[]> | undefined;

  /** @internal */
  constructor(
    signals: readonly SignalInfo[],
    columns: readonly Column[],
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
    this.names = signals.map((signal) => signal.name);
    this.byName = new Map(this.names.map((name, index) => [name, index]));
    this.model = extras.model ?? '';
    this.impulses = extras.impulses ?? [];
    this.modes = extras.modes ?? [];
    this.attributes = extras.attributes ?? {};
    this.independents = [{ ...(extras.axis ?? TIME), values: time }, ...(extras.dimensions ?? [])];
  }

  get rowCount(): number {
    return this.time.length;
  }

  has(name: string): boolean {
    return this.byName.has(name);
  }

  info(name: string): SignalInfo | undefined {
    return this.signals[this.byName.get(name) ?? -1];
  }

  /** True where the value never changes: parameters, constants and their aliases. */
  isConstant(name: string): boolean {
    return this.column(name).index < 0;
  }

  /** A new array with the value of every row, NaN where missing. */
  get(name: string): Float64Array {
    const { index, scale } = this.column(name);
    const values = new Float64Array(this.time.length);
    if (index < 0) values.fill(scale);
    else this.rows.readColumn(index, scale, values);
    return values;
  }

  /** The value of one row, NaN where missing. */
  at(name: string, row: number): number {
    return this.read(this.column(name), row);
  }

  /** Values of one row in the order of `names`, NaN where missing, written to `into`. */
  row(row: number, into: Float64Array): void {
    for (let i = 0; i < this.columns.length; i++) into[i] = this.read(this.columns[i]!, row);
  }

  /**
   * The value at any time of the run: linear between rows; at an event the limit from the side asked for. NaN outside
   * the run and where the variable does not exist.
   */
  value(name: string, time: number, side: Side = 'after'): number {
    const column = this.column(name);
    const times = this.time;
    const right = lowerBound(times, time);
    if (right < times.length && times[right] === time) {
      return this.read(column, side === 'before' ? right : lastEqual(times, right));
    }
    if (right === 0 || right === times.length || Number.isNaN(time)) return Number.NaN;
    const a = this.read(column, right - 1);
    const b = this.read(column, right);
    const fraction = (time - times[right - 1]!) / (times[right]! - times[right - 1]!);
    return a === b ? a : a * (1 - fraction) + b * fraction;
  }

  /** Values of the last row, `null` where missing. */
  final(): Map<string, number | null> {
    const last = this.time.length - 1;
    return new Map(
      this.names.map((name, i) => {
        const value = last < 0 ? Number.NaN : this.read(this.columns[i]!, last);
        return [name, Number.isNaN(value) ? null : value];
      }),
    );
  }

  /** Signals that are the same as this one in all modes, or its negative: those that share its column. */
  aliases(name: string): { readonly name: string; readonly sign: 1 | -1 }[] {
    const { index, scale } = this.column(name);
    if (index < 0) return [];
    return this.names.flatMap((other, i) => {
      const column = this.columns[i]!;
      if (other === name || column.index !== index) return [];
      return [{ name: other, sign: column.scale === scale ? 1 : -1 } as const];
    });
  }

  /**
   * Names of the signals that a text means: a name, an array or a part of it (`T`, `T[2:4]`, `a.b[2,:]`) or a glob (`*`
   * any text, `?` one character). Elements are in the order of the array, others in that of the table.
   */
  expand(text: string): string[] {
    if (this.has(text)) return [text];
    const reference = parseReference(text);
    const elements = reference && this.arrays().get(reference.array);
    if (elements && reference.subscripts.length <= elements[0]!.indices.length) {
      return elements
        .filter(({ indices }) => reference.subscripts.every((subscript, i) => isIn(indices[i]!, subscript)))
        .map(({ signal }) => this.names[signal]!);
    }
    return /[*?]/.test(text) ? this.names.filter((name) => globMatches(text, name)) : [];
  }

  /** A signal, an array or a part of one, with its values in all rows. Throws a `RangeError` where there is none. */
  array(text: string): SignalArray {
    const reference = parseReference(text);
    const elements = reference && !this.has(text) ? this.arrays().get(reference.array) : undefined;
    if (!reference || !elements) {
      return { name: text, dims: [], axes: [], elements: [text], values: this.get(text) };
    }
    const grid = new Grid(text, reference.subscripts, elements);
    const names = new Array<string | undefined>(grid.count).fill(undefined);
    const values = new Float64Array(grid.count * this.time.length).fill(Number.NaN);
    for (const { signal, indices } of elements) {
      const place = grid.place(indices);
      if (place < 0) continue;
      names[place] = this.names[signal]!;
      const column = this.get(this.names[signal]!);
      for (let row = 0; row < column.length; row++) values[row * grid.count + place] = column[row]!;
    }
    const over = this.signals[elements[0]!.signal]!.over ?? [];
    const axes = grid.kept.map((dimension) => this.independents.find(({ name }) => name === over[dimension]));
    return { name: text, dims: grid.dims, axes, elements: names, values };
  }

  /** The signals that at least one of the texts means, as `expand` understands them, in table order. */
  select(texts: readonly string[]): SignalTable {
    const meant = new Set(texts.flatMap((text) => this.expand(text)));
    return this.filter((signal) => meant.has(signal.name));
  }

  /** The signals that satisfy a condition, over the same storage. */
  filter(keep: (signal: SignalInfo) => boolean): SignalTable {
    const kept = this.signals.flatMap((signal, index) => (keep(signal) ? [index] : []));
    return new SignalTable(
      kept.map((index) => this.signals[index]!),
      kept.map((index) => this.columns[index]!),
      this.rows,
      this.time,
      this.segments,
      this.extras(),
    );
  }

  /** The same signals with something else beside them. */
  with(extras: TableExtras): SignalTable {
    const all = { ...this.extras(), ...extras };
    return new SignalTable(this.signals, this.columns, this.rows, this.time, this.segments, all);
  }

  /** @internal Where the values of a signal are: files that know aliases need it. */
  column(name: string): Column {
    const index = this.byName.get(name);
    if (index !== undefined) return this.columns[index]!;
    const meant = nearest(name, this.names);
    throw new RangeError(`There is no signal named ${name}.${meant ? ` Did you mean ${meant}?` : ''}`);
  }

  private extras(): TableExtras {
    const { model, impulses, modes, attributes } = this;
    const [axis, ...dimensions] = this.independents;
    return { model, impulses, modes, attributes, axis: axis!, dimensions };
  }

  private read(column: Column, row: number): number {
    return column.index < 0 ? column.scale : column.scale * this.rows.read(row, column.index);
  }

  /** By name of the array: its elements, the last subscript fastest. */
  private arrays(): ReadonlyMap<string, readonly ArrayElement[]> {
    this.arrayIndex ??= indexArrays(this.names);
    return this.arrayIndex;
  }
}

const TIME = { name: 'time', unit: 's', description: '' };

/** @internal Where a signal is read: `scale` times trajectory `index`, or the constant `scale` itself where `index` is -1. */
export interface Column {
  readonly index: number;
  readonly scale: number;
}

interface ArrayElement {
  readonly indices: readonly number[];
  /** Number of the signal in the table. */
  readonly signal: number;
}

function indexArrays(names: readonly string[]): Map<string, ArrayElement[]> {
  const arrays = new Map<string, ArrayElement[]>();
  for (const [signal, name] of names.entries()) {
    const element = elementOf(name);
    if (!element) continue;
    const known = arrays.get(element.array);
    if (!known) arrays.set(element.array, [{ indices: element.indices, signal }]);
    else if (known[0]!.indices.length === element.indices.length)
      known.push({ indices: element.indices, signal });
  }
  for (const elements of arrays.values()) elements.sort((a, b) => compareIndices(a.indices, b.indices));
  return arrays;
}

function compareIndices(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

function isIn(index: number, { from, step, to }: Subscript): boolean {
  return index >= from && index <= to && (index - from) % step === 0;
}

/** More elements than this are a mistake in a name. */
const LARGEST_GRID = 1e7;

/** The part of an array that some subscripts choose. */
class Grid {
  /** Sizes of the dimensions that are kept, and which ones these are. */
  readonly dims: readonly number[];
  readonly kept: readonly number[];
  readonly count: number;
  private readonly ranges: readonly Subscript[];
  private readonly sizes: readonly number[];

  constructor(text: string, subscripts: readonly Subscript[], elements: readonly ArrayElement[]) {
    const rank = elements[0]!.indices.length;
    if (subscripts.length > rank) {
      throw new RangeError(
        `${text} has ${subscripts.length} subscripts, but the array has ${rank} dimensions.`,
      );
    }
    const all: Subscript = { from: 1, step: 1, to: Number.POSITIVE_INFINITY, single: false };
    this.ranges = Array.from({ length: rank }, (_, i) => {
      const range = subscripts[i] ?? all;
      let size = 0;
      for (const { indices } of elements) size = Math.max(size, indices[i]!);
      if (range.single && range.from > size) {
        throw new RangeError(`${text}: the array has ${size} elements in dimension ${i + 1}.`);
      }
      return { ...range, to: Math.min(range.to, size) };
    });
    this.sizes = this.ranges.map(({ from, step, to }) => Math.max(0, Math.floor((to - from) / step) + 1));
    this.kept = this.ranges.flatMap(({ single }, i) => (single ? [] : [i]));
    this.dims = this.kept.map((i) => this.sizes[i]!);
    this.count = this.sizes.reduce((product, size) => product * size, 1);
    if (this.count > LARGEST_GRID) throw new RangeError(`${text} would have ${this.count} elements.`);
  }

  /** Row-major place of an element, -1 where it is not in this part. */
  place(indices: readonly number[]): number {
    let place = 0;
    for (const [i, range] of this.ranges.entries()) {
      if (!isIn(indices[i]!, range)) return -1;
      place = place * this.sizes[i]! + (indices[i]! - range.from) / range.step;
    }
    return place;
  }
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
