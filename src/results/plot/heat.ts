/**
 * An array over index and time, values as colours. The picture is a grid of cells: columns are instants, rows elements; where there are more
 * elements than fit, a row shows the mean of some neighbours. Cells of one colour that stand side by side are one rectangle. The colours go from
 * the least to the greatest of all values in the time that is seen, however many cells there are.
 */

import { AS_IT_IS, type Display } from '../../units/display.ts';
import type { SignalTable } from '../table/table.ts';
import { type Axis, axisLabel, type Rectangle } from './axis.ts';
import { drawable, type PlotFrame } from './curve.ts';
import type { ResolvedDiagram } from './layout.ts';
import { edgesOf, indexOf, type PlotSubject } from './member.ts';
import { areaRamp } from './style.ts';
import { type Range, shareOf, ticksOf, valueAt } from './ticks.ts';
import { displayed } from './value.ts';

export interface HeatMap {
  readonly areas: readonly { readonly color: string; readonly cells: readonly Rectangle[] }[];
  /** What the first and the last colour mean, in the unit that is shown. */
  readonly low: number;
  readonly high: number;
}

/** Pixels that a cell is wide, and high at least. */
const CELL = 2;
/** Different colours. */
const LEVELS = 48;

/** The axis of the index: every element has its place around its number. */
export function mapAxis(subject: PlotSubject, diagram: ResolvedDiagram, count: number): Axis {
  const { table, signals } = mapped(subject, diagram);
  const { label, unit, values } = indexOf(table, signals);
  const edges = edgesOf(values);
  const range = {
    low: edges.reduce((least, edge) => Math.min(least, edge)),
    high: edges.reduce((most, edge) => Math.max(most, edge)),
  };
  const ticks = ticksOf(range, Math.min(count, signals.length));
  return { range, ticks, label: axisLabel(label, ticks, unit) };
}

export function heatMap(subject: PlotSubject, diagram: ResolvedDiagram, frame: PlotFrame): HeatMap {
  const { table, signals } = mapped(subject, diagram);
  const rows = rowsOf(frame, edgesOf(indexOf(table, signals).values));
  const columns = Math.max(1, Math.floor((frame.right - frame.left) / CELL));
  const edgeX = (column: number): number =>
    Math.round(frame.left + ((frame.right - frame.left) * column) / columns);
  const display = displayed(table.info(signals[0]!)!);
  const read = reader(table, signals, display);
  const means = new Float64Array(rows.length * columns);
  for (let column = 0; column < columns; column++) {
    const values = read(valueAt(frame.x, (column + 0.5) / columns));
    for (const [r, { first, end }] of rows.entries())
      means[r * columns + column] = meanOf(values, first, end);
  }
  const { low, high } = extremesOf(table, signals, display, frame.x);
  const range: Range = low < high ? { low, high } : { low: low - 0.5, high: low + 0.5 };
  const levelOf = (mean: number): number =>
    Number.isFinite(mean) ? Math.min(LEVELS - 1, Math.max(0, Math.floor(shareOf(range, mean) * LEVELS))) : -1;
  const cells = Array.from({ length: LEVELS }, (): Rectangle[] => []);
  for (const [r, { top, bottom }] of rows.entries()) {
    for (let column = 0; column < columns; ) {
      const start = column;
      const level = levelOf(means[r * columns + column]!);
      while (column < columns && levelOf(means[r * columns + column]!) === level) column++;
      const x = edgeX(start);
      if (level >= 0) cells[level]!.push({ x, y: top, width: edgeX(column) - x, height: bottom - top });
    }
  }
  const areas = cells.flatMap((list, level) =>
    list.length > 0 ? [{ color: areaRamp((level + 0.5) / LEVELS), cells: list }] : [],
  );
  return low <= high ? { areas, low, high } : { areas, low: Number.NaN, high: Number.NaN };
}

/** The same map further down. */
export function moved({ areas, low, high }: HeatMap, by: number): HeatMap {
  const down = (cell: Rectangle): Rectangle => ({ ...cell, y: cell.y + by });
  return { areas: areas.map(({ color, cells }) => ({ color, cells: cells.map(down) })), low, high };
}

/** The result that has the array. */
function mapped(
  { runs }: PlotSubject,
  { signals }: ResolvedDiagram,
): { table: SignalTable; signals: string[] } {
  const having = runs.filter(({ table }) => signals.some((name) => table.has(name)));
  if (having.length > 1)
    throw new RangeError(`A map shows one result, but ${signals[0]} is in ${having.length} of them.`);
  const { table } = having[0]!;
  return { table, signals: signals.filter((name) => table.has(name)) };
}

/** Elements of a row of cells, and where it stands. */
interface Row {
  readonly first: number;
  readonly end: number;
  readonly top: number;
  readonly bottom: number;
}

function rowsOf(frame: PlotFrame, edges: readonly number[]): Row[] {
  const elements = edges.length - 1;
  const count = Math.min(elements, Math.max(1, Math.floor((frame.bottom - frame.top) / CELL)));
  const place = (edge: number): number =>
    Math.round(frame.bottom - shareOf(frame.y, edges[edge]!) * (frame.bottom - frame.top));
  return Array.from({ length: count }, (_, r) => {
    const [first, end] = [Math.floor((r * elements) / count), Math.floor(((r + 1) * elements) / count)];
    const [a, b] = [place(first), place(end)];
    return { first, end, top: Math.min(a, b), bottom: Math.max(a, b) };
  });
}

/** The least and the greatest of all values in an interval of time, its ends included; `low > high` where none exists. */
function extremesOf(
  table: SignalTable,
  signals: readonly string[],
  display: Display,
  { low: from, high: to }: Range,
): { low: number; high: number } {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const include = (values: Float64Array, { scale, offset }: Display): void => {
    for (const raw of values) {
      const value = raw * scale + offset;
      if (!drawable(value)) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  };
  const read = table.reader.rowReader(numbersOf(table, signals));
  const values = new Float64Array(signals.length);
  for (const [row, time] of table.time.entries()) {
    if (time < from || time > to) continue;
    read(row, values);
    include(values, display);
  }
  for (const end of [from, to]) include(reader(table, signals, display)(end), AS_IT_IS);
  return { low, high };
}

const numbersOf = (table: SignalTable, signals: readonly string[]): number[] =>
  signals.map((name) => table.reader.find(name)!);

/** Reads all elements at a time: linear between rows, after an event the values after it; missing outside the run. */
function reader(
  table: SignalTable,
  signals: readonly string[],
  { scale, offset }: Display,
): (time: number) => Float64Array {
  const numbers = numbersOf(table, signals);
  const read = table.reader.rowReader(numbers);
  const [before, after] = [new Float64Array(numbers.length), new Float64Array(numbers.length)];
  let row = 0;
  return (time) => {
    const times = table.time;
    if (!(time >= times[0]! && time <= times[times.length - 1]!)) return before.fill(Number.NaN);
    while (row + 1 < times.length && times[row + 1]! <= time) row++;
    read(row, before);
    const step = times[row + 1]! - times[row]!;
    const share = step > 0 ? (time - times[row]!) / step : 0;
    if (share > 0) read(row + 1, after);
    for (let k = 0; k < before.length; k++) {
      const value = share > 0 ? before[k]! + share * (after[k]! - before[k]!) : before[k]!;
      before[k] = value * scale + offset;
    }
    return before;
  };
}

/** Of those that exist. */
function meanOf(values: Float64Array, first: number, end: number): number {
  let [sum, count] = [0, 0];
  for (let k = first; k < end; k++) {
    if (Number.isNaN(values[k]!)) continue;
    sum += values[k]!;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}
