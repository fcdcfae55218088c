/**
 * What a page carries of a result: all rows of the signals that it draws, and other signals to choose from as far as there is room. A long
 * result is thinned out: of short intervals of time the page has the extremes of each curve, so that the picture is right as long as an
 * interval is no wider than a pixel (the M4 aggregation, see `curve.ts`). Where that is not possible, a page carries nothing but the picture.
 * The page says what is left out.
 */
import { tableOfColumns } from '../table/builder.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { SignalTable } from '../table/table.ts';

export interface Excerpt {
  readonly table: SignalTable;
  /** The length of the intervals of time of which only extremes are kept; 0 where all rows are. */
  readonly resolution: number;
  /** What was left out. */
  readonly notes: readonly string[];
}

/** Numbers that a page carries of what it draws, the time among them. */
export const MOST_NUMBERS = 2_000_000;
/** Signals that are not drawn are added up to so many numbers in all. */
const MOST_WITH_OTHERS = 200_000;
/** With fewer intervals than a page is wide, curves would not be right. */
const LEAST_INTERVALS = 1500;

/**
 * At most so many numbers, of a result of which these signals are drawn. They can be thinned out where all of them are curves over the
 * time; undefined where a page has no room for them.
 */
export function excerptOf(
  table: SignalTable,
  drawn: readonly string[],
  isTimed: boolean,
  most = MOST_NUMBERS,
): Excerpt | undefined {
  const own = new Set(drawn.filter((name) => table.has(name)));
  const changing = [...own].filter((name) => !table.isConstant(name));
  const others = othersOf(table, own);
  const columns = changing.length + 1;
  if (columns * table.rowCount <= most) {
    const room = Math.max(0, Math.floor(MOST_WITH_OTHERS / Math.max(1, table.rowCount)) - own.size);
    const carried = new Set([...own, ...others.slice(0, room)]);
    const part = table
      .filter(({ name }) => carried.has(name))
      .with({ modes: [], attributes: outcomeOf(table) });
    return { table: part, resolution: 0, notes: leftOut(others.length - room) };
  }
  const room = most / columns - 2 * table.segments.length;
  const intervals = Math.floor(room / (2 + 2 * changing.length));
  if (!isTimed || intervals < LEAST_INTERVALS) return undefined;
  const resolution = (table.time[table.rowCount - 1]! - table.time[0]!) / intervals;
  const rows = keptRows(table, changing, resolution);
  if (columns * rows.length > most) return undefined;
  const note = `${rows.length} of ${table.rowCount} rows, with the extremes of the curves: values are read out as ranges, and zooming ends where single rows would be seen`;
  return { table: withRows(table, own, rows), resolution, notes: [note, ...leftOut(others.length)] };
}

/** How a run ended; other attributes are not shown. */
const outcomeOf = ({ attributes: { status } }: SignalTable): SignalTable['attributes'] =>
  status === undefined ? {} : { status };

const leftOut = (count: number): string[] =>
  count > 0 ? [`${count} more signals are in the results, but not in this page`] : [];

/** Signals that a reader may add, what changes and is not hidden: those with impulses first. */
function othersOf(table: SignalTable, drawn: ReadonlySet<string>): string[] {
  const names = [...table.visible().reader.eachName()].filter(
    (name) => !drawn.has(name) && !table.isConstant(name),
  );
  const struck = new Set(table.impulses.map(({ variable }) => variable));
  return [...names.filter((name) => struck.has(name)), ...names.filter((name) => !struck.has(name))];
}

/**
 * The ends of segments; of intervals of time the first row, the last one, and for each signal those of its extremes and those between which it
 * begins or ceases to exist.
 */
function keptRows(table: SignalTable, signals: readonly string[], length: number): number[] {
  const { time, rowCount } = table;
  const kept = new Set(table.segments.flatMap(({ firstRow, endRow }) => [firstRow, endRow - 1]));
  const intervalOf = (row: number): number => Math.floor((time[row]! - time[0]!) / length);
  for (const name of signals) {
    const values = table.get(name);
    for (let row = 0; row < rowCount; ) {
      const interval = intervalOf(row);
      kept.add(row);
      let [least, greatest] = [row, row];
      for (; row < rowCount && intervalOf(row) === interval; row++) {
        const value = values[row]!;
        if (value < values[least]! || Number.isNaN(values[least]!)) least = row;
        if (value > values[greatest]! || Number.isNaN(values[greatest]!)) greatest = row;
        if (row > 0 && Number.isNaN(value) !== Number.isNaN(values[row - 1]!)) kept.add(row - 1).add(row);
      }
      kept
        .add(least)
        .add(greatest)
        .add(row - 1);
    }
  }
  return [...kept].sort((a, b) => a - b);
}

/** Some rows of some signals. */
function withRows(table: SignalTable, names: Iterable<string>, rows: readonly number[]): SignalTable {
  const signals: SignalInfo[] = [];
  const columns: number[][] = [];
  for (const name of names) {
    const info = table.info(name)!;
    if (table.isConstant(name)) {
      signals.push({ ...info, source: { kind: 'constant', value: table.at(name, 0) } });
      continue;
    }
    const values = table.get(name);
    signals.push({ ...info, source: { kind: 'trajectory' } });
    columns.push(rows.map((row) => values[row]!));
  }
  const time = rows.map((row) => table.time[row]!);
  const { model, impulses, independents } = table;
  const [axis, ...dimensions] = independents;
  const extras = { model, impulses, axis: axis!, dimensions, attributes: outcomeOf(table) };
  return tableOfColumns(signals, time, columns, segmentsOf(table, rows), extras);
}

function segmentsOf({ segments }: SignalTable, rows: readonly number[]): SignalTable['segments'] {
  const places = new Map(rows.map((row, place) => [row, place]));
  return segments.map(({ signature, firstRow, endRow }) => ({
    signature,
    firstRow: places.get(firstRow)!,
    endRow: places.get(endRow - 1)! + 1,
  }));
}
