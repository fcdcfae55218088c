/**
 * What a page carries of a result: the signals that it draws, and others to choose from as far as there is room; all rows, or, of
 * many, those that matter for the picture. What is left out is told.
 */
import { tableOfColumns } from '../builder.ts';
import type { SignalInfo } from '../signal.ts';
import type { SignalTable } from '../table.ts';

export interface Excerpt {
  readonly table: SignalTable;
  /** What was left out. */
  readonly notes: readonly string[];
}

/** More rows are thinned out. */
const MOST_ROWS = 4000;
/** Signals that are not drawn are added up to so many numbers in all. */
const MOST_NUMBERS = 200_000;
/** Signals whose extremes are looked for where rows are thinned out. */
const MOST_SEARCHED = 24;

export function excerptOf(table: SignalTable, drawn: readonly string[]): Excerpt {
  const wanted = [...new Set(drawn)].filter((name) => table.has(name));
  const rows = keptRows(table, wanted);
  const { others, left } = othersOf(table, new Set(wanted), rows.length);
  const time = rows.map((row) => table.time[row]!);
  const signals: SignalInfo[] = [];
  const columns: number[][] = [];
  for (const name of [...wanted, ...others]) {
    const info = table.info(name)!;
    if (table.isConstant(name)) {
      signals.push({ ...info, source: { kind: 'constant', value: table.at(name, 0) } });
      continue;
    }
    const values = table.get(name);
    signals.push({ ...info, source: { kind: 'trajectory' } });
    columns.push(rows.map((row) => shorter(values[row]!)));
  }
  const { model, impulses, independents } = table;
  const [axis, ...dimensions] = independents;
  const segments = segmentsOf(table, rows);
  const isThinned = rows.length < table.rowCount;
  return {
    table: tableOfColumns(signals, time, columns, segments, { model, impulses, axis: axis!, dimensions }),
    notes: [
      ...(isThinned ? [`${rows.length} of ${table.rowCount} rows, with the extremes of the curves`] : []),
      ...(left > 0 ? [`${left} more signals are in the results, but not in this page`] : []),
    ],
  };
}

/** Digits beyond those that can be seen are left out. */
const shorter = (value: number): number => (Number.isFinite(value) ? Number(value.toPrecision(9)) : value);

/** Signals that a reader may add: what changes and is not hidden. */
function othersOf(
  table: SignalTable,
  drawn: ReadonlySet<string>,
  rows: number,
): { others: string[]; left: number } {
  const most = Math.floor(MOST_NUMBERS / Math.max(1, rows)) - drawn.size;
  const others: string[] = [];
  let left = 0;
  for (const name of table.visible().eachName()) {
    if (drawn.has(name) || table.isConstant(name)) continue;
    if (others.length < most) others.push(name);
    else left++;
  }
  return { others, left };
}

/** All rows; of many, the ends of segments and, of equal intervals of time, the first row and those of the extremes. */
function keptRows(table: SignalTable, drawn: readonly string[]): number[] {
  const { time, rowCount, segments } = table;
  if (rowCount <= MOST_ROWS) return Array.from({ length: rowCount }, (_, row) => row);
  const kept = new Set([
    0,
    rowCount - 1,
    ...segments.flatMap(({ firstRow, endRow }) => [firstRow, endRow - 1]),
  ]);
  const searched = drawn.filter((name) => !table.isConstant(name)).slice(0, MOST_SEARCHED);
  const intervals = MOST_ROWS / (2 + 2 * searched.length);
  const length = (time[rowCount - 1]! - time[0]!) / intervals || 1;
  const intervalOf = (row: number): number => Math.floor((time[row]! - time[0]!) / length);
  for (let row = 1; row < rowCount; row++) if (intervalOf(row) !== intervalOf(row - 1)) kept.add(row);
  for (const name of searched) {
    const values = table.get(name);
    for (let row = 0; row < rowCount; ) {
      const interval = intervalOf(row);
      let [least, greatest] = [row, row];
      for (; row < rowCount && intervalOf(row) === interval; row++) {
        if (values[row]! < values[least]!) least = row;
        if (values[row]! > values[greatest]!) greatest = row;
      }
      kept.add(least).add(greatest);
    }
  }
  return [...kept].sort((a, b) => a - b);
}

function segmentsOf({ segments }: SignalTable, rows: readonly number[]): SignalTable['segments'] {
  const places = new Map(rows.map((row, place) => [row, place]));
  return segments.map(({ signature, firstRow, endRow }) => ({
    signature,
    firstRow: places.get(firstRow)!,
    endRow: places.get(endRow - 1)! + 1,
  }));
}
