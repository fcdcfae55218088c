/**
 * Signal tables: the results of a run. One time axis, one column a variable; events are two rows of equal time; a
 * variable that does not exist in an interval is missing there (NaN inside, an empty field outside). Parameters
 * and constants are single values; aliases share a column.
 *
 * Rows are written one after another while a run goes on, so storage is row-major: chunks of some 64 Ki numbers, each
 * holding whole rows of `width` trajectories. Columns are gathered when somebody asks for them.
 */
import { globMatches } from './glob.ts';

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
}

/** Which of the rows of an event speaks for its time: the first (left limit) or the last (right limit). */
export type Side = 'before' | 'after';

/** Immutable results; made by a `TableBuilder` or read from a file. */
export class SignalTable {
  /** Names in order of declaration. */
  readonly names: readonly string[];
  readonly time: Float64Array;
  readonly segments: readonly TableSegment[];
  readonly model: string;
  readonly impulses: readonly TableImpulse[];
  readonly modes: readonly TableMode[];
  private readonly signals: readonly SignalInfo[];
  private readonly byName: ReadonlyMap<string, number>;
  private readonly columns: readonly Column[];
  private readonly rows: RowStore;

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
    const column = this.column(name);
    const values = new Float64Array(this.time.length);
    for (let row = 0; row < values.length; row++) values[row] = this.read(column, row);
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

  /** The signals whose names match at least one of the globs (`*` any text, `?` one character), in table order. */
  select(globs: readonly string[]): SignalTable {
    return this.filter((signal) => globs.some((glob) => globMatches(glob, signal.name)));
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
      this,
    );
  }

  private column(name: string): Column {
    const index = this.byName.get(name);
    if (index === undefined) throw new RangeError(`There is no signal named ${name}.`);
    return this.columns[index]!;
  }

  private read(column: Column, row: number): number {
    return column.index < 0 ? column.scale : column.scale * this.rows.read(row, column.index);
  }
}

/** Records a run row by row. */
export class TableBuilder {
  private readonly signals: readonly SignalInfo[];
  private readonly columns: readonly Column[];
  private readonly rows: RowStore;
  private time = new Float64Array(1024);
  private count = 0;
  private readonly starts: { signature: string; firstRow: number }[] = [];
  /** Per trajectory: 0 where the variable does not exist in the current segment. */
  private present: ArrayLike<number | boolean> | undefined;

  constructor(signals: readonly SignalInfo[]) {
    this.signals = signals;
    this.columns = resolveColumns(signals);
    this.rows = new RowStore(signals.filter((signal) => signal.source.kind === 'trajectory').length);
  }

  /** Number of trajectories: the length of `values` in `append`. */
  get width(): number {
    return this.rows.width;
  }

  get rowCount(): number {
    return this.count;
  }

  /** Time of the last row, NaN before the first. */
  get lastTime(): number {
    return this.count === 0 ? Number.NaN : this.time[this.count - 1]!;
  }

  /** A mode begins; `present` says by trajectory which variables exist in it (kept, not copied), all of them when left out. */
  beginSegment(signature: string, present?: ArrayLike<number | boolean>): void {
    this.starts.push({ signature, firstRow: this.count });
    this.present = present;
  }

  /** One row; `values` by trajectory. Times must not decrease; two rows of equal time are an event. */
  append(time: number, values: Float64Array): void {
    if (this.count > 0 && !(time >= this.time[this.count - 1]!)) {
      throw new RangeError(`Results must follow in time: ${time} after ${this.lastTime}.`);
    }
    if (this.count === this.time.length) {
      const grown = new Float64Array(2 * this.count);
      grown.set(this.time);
      this.time = grown;
    }
    this.time[this.count++] = time;
    this.rows.append(values, this.present);
  }

  finish(extras: TableExtras = {}): SignalTable {
    const segments: TableSegment[] = [];
    for (const [i, { signature, firstRow }] of this.starts.entries()) {
      const endRow = this.starts[i + 1]?.firstRow ?? this.count;
      if (endRow > firstRow) segments.push({ signature, firstRow, endRow });
    }
    const time = this.time.slice(0, this.count);
    return new SignalTable(this.signals, this.columns, this.rows, time, segments, extras);
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

/** Where a signal is read: `scale` times trajectory `index`, or the constant `scale` itself where `index` is -1. */
interface Column {
  readonly index: number;
  readonly scale: number;
}

/** Follows aliases to their trajectories and constants; a wrong list of signals is a bug of the caller. */
function resolveColumns(signals: readonly SignalInfo[]): Column[] {
  const byName = new Map(signals.map((signal, index) => [signal.name, index]));
  if (byName.size !== signals.length) throw new Error('Two signals have the same name.');
  let width = 0;
  const own = signals.map(({ source }) => (source.kind === 'trajectory' ? width++ : -1));
  return signals.map((first) => {
    let signal = first;
    let scale = 1;
    for (let hops = 0; signal.source.kind === 'alias'; hops++) {
      const target = byName.get(signal.source.of);
      if (target === undefined) throw new Error(`${signal.name} is an alias of an unknown signal.`);
      if (hops > signals.length) throw new Error(`${first.name} is an alias of itself.`);
      scale *= signal.source.sign;
      signal = signals[target]!;
    }
    if (signal.source.kind === 'constant') return { index: -1, scale: scale * signal.source.value };
    return { index: own[byName.get(signal.name)!]!, scale };
  });
}

/** Numbers in a chunk, as long as a row fits. */
const CHUNK = 1 << 16;

/** Rows of `width` numbers each, in chunks that never move. */
class RowStore {
  readonly width: number;
  private readonly rowsPerChunk: number;
  private readonly chunks: Float64Array[] = [];
  private count = 0;

  constructor(width: number) {
    this.width = width;
    this.rowsPerChunk = Math.max(1, Math.floor(CHUNK / Math.max(1, width)));
  }

  append(values: Float64Array, present: ArrayLike<number | boolean> | undefined): void {
    const slot = this.count % this.rowsPerChunk;
    if (slot === 0) this.chunks.push(new Float64Array(this.rowsPerChunk * this.width));
    const chunk = this.chunks[this.chunks.length - 1]!;
    const base = slot * this.width;
    chunk.set(values, base);
    if (present) {
      for (let i = 0; i < present.length; i++) if (!present[i]) chunk[base + i] = Number.NaN;
    }
    this.count++;
  }

  read(row: number, column: number): number {
    const chunk = this.chunks[Math.floor(row / this.rowsPerChunk)]!;
    return chunk[(row % this.rowsPerChunk) * this.width + column]!;
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
