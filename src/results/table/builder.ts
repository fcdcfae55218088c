/**
 * Makes signal tables: row by row while a run goes on, or from whole columns. Signals may be declared at any row; before
 * it they are missing.
 */
import { grouped } from '../../collections/groups.ts';
import { remember } from '../../collections/memo.ts';
import { cutName, subscriptsOf } from '../../names/names.ts';
import { type Column, TableReader } from './reader.ts';
import { type ArrayInfo, countOf, nameAt, type Signal, type SignalInfo, sizeOf } from './signal.ts';
import { arrayName, type FoundScalar, type Names, namesOf, Signals, wholeName } from './signals.ts';
import { type RowLayout, RowStore, rowLayout, type Shelf, type StoredColumns } from './store.ts';
import { SignalTable, type TableExtras, type TableSegment } from './table.ts';

/** Of arrays that were declared: the same ones are in many tables. */
const knownNames = new WeakMap<ArrayInfo, Names>();

/** Arrays that are declared together, in many tables: those that have elements. */
interface NewArrays {
  readonly signals: readonly Signal[];
  readonly names: readonly Names[];
  /** Whether no two of them have a name in common. */
  readonly areDistinct: boolean;
}

const knownArrays = new WeakMap<readonly ArrayInfo[], NewArrays>();

function newArrays(infos: readonly ArrayInfo[]): NewArrays {
  const signals = infos.map((info) => ({ info })).filter((signal) => countOf(signal) > 0);
  const names = signals.map(({ info }) => remember(knownNames, info, () => namesOf({ info })));
  return { signals, names, areDistinct: areDistinct(names) };
}

/** Elements of `c[1].T[:]` and `c[2].T[:]` differ; those of `c[:].T[1]` may be among them. */
function areDistinct(names: readonly Names[]): boolean {
  const wholes = new Set(names.map(({ whole }) => whole));
  if (wholes.size < names.length) return false;
  const shape = (whole: string) =>
    cutName(whole)
      ?.brackets.map((bracket) => bracket.replace(/\d+/g, '1'))
      .join(';');
  return [...grouped(names, ({ array, whole }) => array ?? whole).values()].every(
    (group) => new Set(group.map(({ whole }) => shape(whole))).size === 1,
  );
}

/** What an alias stands for: `sign` times a scalar that is a trajectory or a constant. */
interface Target extends FoundScalar {
  readonly sign: number;
}

/** Whether a constant has this value already. */
function isValue(
  source: SignalInfo['source'] | ArrayInfo['source'],
  value: number | ArrayLike<number>,
): boolean {
  if (source.kind !== 'constant') return false;
  if (typeof value === 'number') return 'value' in source && Object.is(source.value, value);
  if (!('values' in source) || source.values.length !== value.length) return false;
  for (let k = 0; k < value.length; k++) if (!Object.is(source.values[k], value[k])) return false;
  return true;
}

/** Records a run row by row. */
export class TableBuilder {
  private signals = new Signals();
  /**
   * By signal, where its scalars are read (see `StoredColumns`): a number where it is one scalar, or where it is an array whose elements are trajectories one after the
   * other, that of the first. Of aliases, `targets` tell.
   */
  private indices: (number | Int32Array)[] = [];
  private scales: (number | Float64Array)[] = [];
  /** Whether a table has the signals as they are. */
  private isShared = false;
  /** By signal that is an alias. */
  private targets = new Map<number, Target>();
  private readonly rows: RowStore;
  private time = new Float64Array(1024);
  private count = 0;
  private trajectories = 0;
  private readonly starts: { signature: string; firstRow: number }[] = [];
  /** Layouts of rows by the list of what is present; that of all trajectories apart. */
  private readonly layouts = new WeakMap<object, RowLayout>();
  private full = rowLayout(0);
  private interleaved = false;

  /** Rows that are too many for memory are kept on the shelf, where there is one. */
  constructor(signals: readonly SignalInfo[], shelf?: Shelf) {
    this.rows = new RowStore(shelf);
    this.declare(signals);
    this.beginRows(undefined);
  }

  /** Another one that has declared the same, before the first row of this one. */
  copy(shelf?: Shelf): TableBuilder {
    const copy = new TableBuilder([], shelf);
    copy.signals = this.signals.copy();
    copy.indices = this.indices.slice();
    copy.scales = this.scales.slice();
    copy.targets = new Map(this.targets);
    copy.trajectories = this.trajectories;
    copy.beginRows(undefined);
    return copy;
  }

  /** Number of trajectories: the length of `values` in `append`. */
  get width(): number {
    return this.trajectories;
  }

  /** How many signals are declared, an array counting as one. */
  get signalCount(): number {
    return this.signals.length;
  }

  get rowCount(): number {
    return this.count;
  }

  /** Time of the last row, NaN before the first. */
  get lastTime(): number {
    return this.count === 0 ? Number.NaN : this.time[this.count - 1]!;
  }

  /**
   * Further signals; aliases may be of these and of earlier ones. Gives the number of the first of their trajectories.
   * Rows hold them from the next segment on.
   */
  declare(signals: readonly SignalInfo[]): number {
    const first = this.trajectories;
    const start = this.signals.length;
    for (const info of signals) {
      if (this.signals.find(info.name)) throw sameName(info.name);
      const { source } = info;
      if (source.kind === 'trajectory') this.add({ info }, this.trajectories++, 1);
      else this.add({ info }, -1, source.kind === 'constant' ? source.value : Number.NaN);
    }
    for (let n = start; n < this.signals.length; n++)
      if (this.signals.at(n).info.source.kind === 'alias') this.targets.set(n, this.resolve(n));
    return first;
  }

  /** Another value of a constant, by its number; row by row for an array. */
  setConstant(signal: number, value: number | ArrayLike<number>): void {
    const { info, elements } = this.signals.at(signal);
    if (isValue(info.source, value)) return;
    this.unshare();
    if (typeof value === 'number') {
      this.signals.describe(signal, { ...(info as SignalInfo), source: { kind: 'constant', value } });
      this.scales[signal] = value;
      return;
    }
    this.signals.describe(signal, { ...(info as ArrayInfo), source: { kind: 'constant', values: value } });
    this.scales[signal] = elements ? Float64Array.from(elements, (k) => value[k]!) : Float64Array.from(value);
  }

  /**
   * An array with all its elements. Gives the numbers of their trajectories, -1 for those of constants. It may be declared again with other
   * sizes: elements that it had before keep their trajectories, others become new ones.
   */
  declareArray(info: ArrayInfo): Int32Array {
    const declared = this.declareUnlessClash(info);
    if (typeof declared === 'string') throw sameName(declared);
    return declared;
  }

  /** The same; where it cannot be declared, what `clash` gives. */
  declareUnlessClash(info: ArrayInfo): Int32Array | string {
    const names = remember(knownNames, info, () => namesOf({ info }));
    const clash = this.clash(info, names);
    if (clash !== undefined) return clash;
    const { source } = info;
    const found = new Int32Array(sizeOf(info.dims)).fill(-1);
    const elements = this.missingElements(info, names.whole, found);
    const signal: Signal = elements ? { info, elements } : { info };
    const count = countOf(signal);
    if (count === 0) return found;
    const elementAt = (k: number) => (elements ? elements[k]! : k);
    if (source.kind === 'constant') {
      const indices = new Int32Array(count).fill(-1);
      const scales = Float64Array.from(indices, (_, k) => source.values[elementAt(k)]!);
      this.add(signal, indices, scales, names);
      return found;
    }
    this.add(signal, this.trajectories, 1, names);
    for (let k = 0; k < count; k++) found[elementAt(k)] = this.trajectories++;
    return found;
  }

  /**
   * Arrays that are new, all of trajectories: gives the number of the first of these, which follow one another. Undefined, and nothing is declared, where one of them may have the
   * name of what is there: each has to be looked at then, by `declareUnlessClash`. The list is kept: it must stay as it is.
   */
  declareNew(infos: readonly ArrayInfo[]): number | undefined {
    const { signals, names, areDistinct } = remember(knownArrays, infos, () => newArrays(infos));
    const isKnown = ({ array, whole }: Names): boolean =>
      array === undefined ? this.signals.find(whole) !== undefined : this.signals.membersOf(array).length > 0;
    if (!areDistinct || names.some(isKnown)) return undefined;
    const first = this.trajectories;
    for (const [k, signal] of signals.entries()) {
      this.add(signal, this.trajectories, 1, names[k]);
      this.trajectories += countOf(signal);
    }
    return first;
  }

  /** Room for trajectories that elements of arrays share; gives the number of the first. */
  reserve(count: number): number {
    this.trajectories += count;
    return this.trajectories - count;
  }

  /** A new array whose elements are in trajectories that were reserved: by element, 1 + the number, negative for its negative. */
  declareShared(info: ArrayInfo, places: Int32Array): void {
    const names = namesOf({ info });
    const clash = this.clash(info, names);
    if (clash !== undefined || this.signals.hasArray(names.whole)) throw sameName(clash ?? info.name);
    if (places.length === 0) return;
    const indices = places.map((place) => Math.abs(place) - 1);
    this.add({ info }, indices, Float64Array.from(places, Math.sign), names);
  }

  /** The name of an element of an array that is another signal already, so that the array cannot be declared. */
  clash(info: ArrayInfo, { whole, array }: Names = namesOf({ info })): string | undefined {
    const signal = { info };
    const isOwn = (n: number): boolean => {
      const other = this.signals.at(n);
      return wholeName(other) === whole && other.info.source.kind === info.source.kind;
    };
    if (array !== undefined && this.signals.membersOf(array).every(isOwn)) return undefined;
    for (let element = 0; element < countOf(signal); element++) {
      const own = nameAt(signal, element);
      const known = this.signals.find(own);
      if (known && !isOwn(known.signal)) return own;
    }
    return undefined;
  }

  /** The number of the trajectory of this name; undefined where there is none. */
  trajectory(name: string): number | undefined {
    const found = this.signals.find(name);
    if (!found || this.signals.at(found.signal).info.source.kind !== 'trajectory') return undefined;
    return this.column(found.signal, found.place).index;
  }

  /**
   * A mode begins; `present` says by trajectory which variables exist in it, all that are declared when it is left out. It is kept: a list
   * that is given again must say the same again.
   */
  beginSegment(signature: string, present?: ArrayLike<number | boolean>): void {
    this.starts.push({ signature, firstRow: this.count });
    this.beginRows(present);
  }

  /** One row; `values` by trajectory. Times must not decrease; two rows of equal time are an event. */
  append(time: number, values: Float64Array): void {
    if (Number.isNaN(time) || time < this.lastTime) {
      throw new RangeError(`Rows must follow in time: ${time} after ${this.lastTime}.`);
    }
    if (this.count === this.time.length) {
      const grown = new Float64Array(2 * this.count);
      grown.set(this.time);
      this.time = grown;
    }
    this.time[this.count++] = time;
    this.rows.append(values);
  }

  finish(extras: TableExtras = {}): SignalTable {
    return this.tableOf(this.time.slice(0, this.count), extras);
  }

  /** The rows that there are, while others will follow: it stays as it is. */
  soFar(extras: TableExtras = {}): SignalTable {
    return this.tableOf(this.time.subarray(0, this.count), extras);
  }

  private tableOf(time: Float64Array, extras: TableExtras): SignalTable {
    const segments: TableSegment[] = [];
    for (const [i, { signature, firstRow }] of this.starts.entries()) {
      const endRow = this.starts[i + 1]?.firstRow ?? this.count;
      if (endRow > firstRow) segments.push({ signature, firstRow, endRow });
    }
    const { signals, columns } = this.interleaved
      ? this.ordered(withElementsTogether(this.signals))
      : this.declared();
    const reader = new TableReader(signals, columns, this.rows, time.length);
    return new SignalTable(reader, time, segments, extras);
  }

  private add(
    signal: Signal,
    indices: number | Int32Array,
    scales: number | Float64Array,
    names?: Names,
  ): void {
    // Before the first row, whoever declares arrays does so one after the other.
    this.interleaved ||= this.signals.length > 0 && this.count > 0;
    this.unshare();
    this.signals.add(signal, names);
    this.indices.push(indices);
    this.scales.push(scales);
  }

  private beginRows(present: ArrayLike<number | boolean> | undefined): void {
    if (!present) {
      if (this.full.places.length !== this.trajectories) this.full = rowLayout(this.trajectories);
      this.rows.begin(this.full);
      return;
    }
    const layout = remember(this.layouts, present, () => rowLayout(this.trajectories, present));
    this.rows.begin(layout);
  }

  /** Elements that are not there yet, undefined for all of them; for others, `found` gets the number of their trajectory. */
  private missingElements(info: ArrayInfo, name: string, found: Int32Array): Int32Array | undefined {
    if (!this.signals.hasArray(name)) return undefined;
    const missing: number[] = [];
    const subscripts: number[] = [];
    for (let element = 0; element < found.length; element++) {
      subscriptsOf(info.dims, element, subscripts);
      const known = this.signals.element(name, subscripts);
      if (known) found[element] = this.column(known.signal, known.place).index;
      else missing.push(element);
    }
    return Int32Array.from(missing);
  }

  /** Of a signal that is one scalar, which may be an alias. */
  private scalarColumn(signal: number): Column {
    const target = this.targets.get(signal);
    if (!target) return this.column(signal, 0);
    const { index, scale } = this.column(target.signal, target.place);
    return { index, scale: target.sign * scale };
  }

  private column(signal: number, place: number): Column {
    const [indices, scales] = [this.indices[signal]!, this.scales[signal]!];
    return {
      index: typeof indices === 'number' ? indices + place : indices[place]!,
      scale: typeof scales === 'number' ? scales : scales[place]!,
    };
  }

  /** Follows an alias to its trajectory or constant; a wrong list of signals is a bug of the caller. */
  private resolve(alias: number): Target {
    let [found, sign]: [FoundScalar, number] = [{ signal: alias, place: 0 }, 1];
    for (let hops = 0; ; hops++) {
      const { name, source } = this.signals.at(found.signal).info;
      if (source.kind !== 'alias') return { ...found, sign };
      const target = this.signals.find(source.of);
      if (!target) throw new Error(`${name} is an alias of an unknown signal.`);
      if (hops > this.signals.length) throw new Error(`${name} is an alias of itself.`);
      sign *= source.sign;
      found = target;
    }
  }

  /** The signals as they are, with the columns of all their scalars. */
  private declared(): { signals: Signals; columns: StoredColumns } {
    const { signals } = this;
    const columns = newColumns(signals.count);
    for (let n = 0; n < signals.length; n++) this.writeColumns(n, columns, signals.first(n));
    this.isShared = true;
    return { signals, columns };
  }

  /** The same in another order of their numbers. */
  private ordered(order: Iterable<number>): { signals: Signals; columns: StoredColumns } {
    const signals = new Signals();
    const columns = newColumns(this.signals.count);
    for (const n of order) {
      this.writeColumns(n, columns, signals.count);
      signals.add(this.signals.at(n));
    }
    return { signals, columns };
  }

  /** Writes the columns of the scalars of a signal from a place on. */
  private writeColumns(signal: number, { indices, scales }: StoredColumns, at: number): void {
    const [own, factors] = [this.indices[signal]!, this.scales[signal]!];
    if (typeof own !== 'number') {
      indices.set(own, at);
      scales.set(factors as Float64Array, at);
      return;
    }
    const count = countOf(this.signals.at(signal));
    if (count === 1) ({ index: indices[at], scale: scales[at] } = this.scalarColumn(signal));
    else
      for (let k = 0; k < count; k++) {
        indices[at + k] = own + k;
        scales[at + k] = 1;
      }
  }

  /** A table has the signals: it must not see others. */
  private unshare(): void {
    if (this.isShared) this.signals = this.signals.copy();
    this.isShared = false;
  }
}

const newColumns = (count: number): StoredColumns => ({
  indices: new Int32Array(count),
  scales: new Float64Array(count),
});

function sameName(name: string): Error {
  return new Error(`Two signals have the same name: ${name}.`);
}

/** A table from whole columns: `values` belongs to the trajectories of `signals`, NaN where missing. */
export function tableOfColumns(
  signals: readonly SignalInfo[],
  time: ArrayLike<number>,
  values: readonly ArrayLike<number>[],
  segments: readonly TableSegment[] = [],
  extras: TableExtras = {},
): SignalTable {
  const builder = new TableBuilder(signals);
  const row = new Float64Array(builder.width);
  const signatures = new Map(segments.map((segment) => [segment.firstRow, segment.signature]));
  for (let i = 0; i < time.length; i++) {
    const signature = signatures.get(i);
    if (signature !== undefined || i === 0) builder.beginSegment(signature ?? '');
    for (let k = 0; k < row.length; k++) row[k] = values[k]![i]!;
    builder.append(time[i]!, row);
  }
  return builder.finish(extras);
}

/** Numbers of signals so that elements that an array got later follow its first ones. */
function withElementsTogether(signals: Signals): number[] {
  const list = [...signals];
  const groups = grouped(list.keys(), (n) => arrayName(list[n]!) ?? list[n]!.info.name);
  return [...groups.values()].flat();
}
