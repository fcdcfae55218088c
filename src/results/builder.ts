/**
 * Makes signal tables: row by row while a run goes on, or from whole columns. Signals may be declared at any row; before
 * it they are missing.
 */
import { elementOf } from './names.ts';
import { type RowLayout, RowStore, rowLayout } from './store.ts';
import { type Column, type SignalInfo, SignalTable, type TableExtras, type TableSegment } from './table.ts';

/** Records a run row by row. */
export class TableBuilder {
  private readonly signals: SignalInfo[] = [];
  private readonly columns: Column[] = [];
  private readonly byName = new Map<string, number>();
  private readonly rows = new RowStore();
  private time = new Float64Array(1024);
  private count = 0;
  private trajectories = 0;
  private readonly starts: { signature: string; firstRow: number }[] = [];
  /** Layouts of rows by the list of what is present; that of all trajectories apart. */
  private readonly layouts = new WeakMap<object, RowLayout>();
  private full = rowLayout(0);
  private interleaved = false;

  constructor(signals: readonly SignalInfo[]) {
    this.declare(signals);
    this.beginRows(undefined);
  }

  /** Number of trajectories: the length of `values` in `append`. */
  get width(): number {
    return this.trajectories;
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
    for (const signal of signals) {
      if (this.byName.has(signal.name)) throw new Error(`Two signals have the same name: ${signal.name}.`);
      this.byName.set(signal.name, this.signals.length);
      this.signals.push(signal);
      const isTrajectory = signal.source.kind === 'trajectory';
      this.columns.push({ index: isTrajectory ? this.trajectories++ : -1, scale: 1 });
    }
    for (let i = start; i < this.signals.length; i++) this.columns[i] = this.resolve(i);
    // Before the first row, whoever declares arrays does so one after the other.
    this.interleaved ||= start > 0 && this.count > 0;
    return first;
  }

  /** The number of the trajectory of this name; undefined where there is none. */
  trajectory(name: string): number | undefined {
    const signal = this.byName.get(name);
    if (signal === undefined || this.signals[signal]!.source.kind !== 'trajectory') return undefined;
    return this.columns[signal]!.index;
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
      throw new RangeError(`Results must follow in time: ${time} after ${this.lastTime}.`);
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
    const segments: TableSegment[] = [];
    for (const [i, { signature, firstRow }] of this.starts.entries()) {
      const endRow = this.starts[i + 1]?.firstRow ?? this.count;
      if (endRow > firstRow) segments.push({ signature, firstRow, endRow });
    }
    const order = this.interleaved ? withElementsTogether(this.signals) : this.signals.keys();
    const signals: SignalInfo[] = [];
    const columns: Column[] = [];
    for (const i of order) {
      signals.push(this.signals[i]!);
      columns.push(this.columns[i]!);
    }
    return new SignalTable(signals, columns, this.rows, this.time.slice(0, this.count), segments, extras);
  }

  private beginRows(present: ArrayLike<number | boolean> | undefined): void {
    if (!present) {
      if (this.full.places.length !== this.trajectories) this.full = rowLayout(this.trajectories);
      this.rows.begin(this.full);
      return;
    }
    let layout = this.layouts.get(present);
    if (!layout) this.layouts.set(present, (layout = rowLayout(this.trajectories, present)));
    this.rows.begin(layout);
  }

  /** Follows aliases to their trajectories and constants; a wrong list of signals is a bug of the caller. */
  private resolve(first: number): Column {
    let index = first;
    let scale = 1;
    for (let hops = 0; ; hops++) {
      const { name, source } = this.signals[index]!;
      if (source.kind === 'trajectory') return { index: this.columns[index]!.index, scale };
      if (source.kind === 'constant') return { index: -1, scale: scale * source.value };
      const target = this.byName.get(source.of);
      if (target === undefined) throw new Error(`${name} is an alias of an unknown signal.`);
      if (hops > this.signals.length) throw new Error(`${this.signals[first]!.name} is an alias of itself.`);
      scale *= source.sign;
      index = target;
    }
  }
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
function withElementsTogether(signals: readonly SignalInfo[]): number[] {
  const groups = new Map<string, number[]>();
  for (const [i, { name }] of signals.entries()) {
    const key = elementOf(name)?.array ?? name;
    const group = groups.get(key);
    if (group) group.push(i);
    else groups.set(key, [i]);
  }
  return [...groups.values()].flat();
}
