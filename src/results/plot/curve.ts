/**
 * From a column of a signal table to the lines of a curve. A curve is cut where values are missing; the two rows of an
 * event have the same place on the time axis, so a jump becomes a vertical line by itself. Where there are more points
 * than pixels, each column of pixels keeps its first, least, greatest and last point (the M4 aggregation of Jugel et
 * al., VLDB 2014), which draws the same picture with a bounded number of points. Where there are many curves, points that lie on the line between
 * their neighbours are left out too; only what is still too much then has wider columns.
 */
import type { Line } from '../../paint/raster.ts';
import { type Range, shareOf } from './ticks.ts';

/** A rectangle of the picture and the values at its edges; y grows downwards in the picture, upwards in values. */
export interface PlotFrame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Range;
  readonly y: Range;
}

/** Values over other values, row by row. */
export interface Series {
  readonly across: Float64Array;
  readonly values: Float64Array;
  /** The times of the rows, where something else is across. */
  readonly times?: Float64Array;
}

/** Values beyond this are not drawn: differences of them would not be finite. */
const DRAWABLE = 1e300;

export const drawable = (value: number, { log }: { readonly log?: boolean } = {}): boolean =>
  Math.abs(value) <= DRAWABLE && (!log || value > 0);

export function placeX(frame: PlotFrame, value: number): number {
  return frame.left + shareOf(frame.x, value) * (frame.right - frame.left);
}

export function placeY(frame: PlotFrame, value: number): number {
  return frame.bottom - shareOf(frame.y, value) * (frame.bottom - frame.top);
}

/** Chooses the rows that matter for the picture, of those from `first` to `end` (exclusive), all of which can be drawn. */
type Thinning = (frame: PlotFrame, series: Series, first: number, end: number) => Iterable<number>;

/** A curve over the time, or over anything else that never goes back, of about `most` points. */
export function curveLines(frame: PlotFrame, series: Series, most = Number.POSITIVE_INFINITY): Line[] {
  const inColumns = (pixels: number): Line[] =>
    linesOf(frame, series, (...rows) => keptRows(...rows, pixels));
  const whole = inColumns(1);
  if (pointsOf(whole) <= most) return whole;
  const straight = whole.map(straightened);
  return pointsOf(straight) <= most ? straight : inColumns((6 * (frame.right - frame.left)) / most);
}

const pointsOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.length / 2, 0);

/**
 * A curve over another signal, which may go to and fro, of at most `most` points: those that are too near to be seen are left out; where
 * there are more, also every way that was drawn before, up to so many pixels as it takes.
 */
export function orbitLines(frame: PlotFrame, series: Series, most = Number.POSITIVE_INFINITY): Line[] {
  const all = linesOf(frame, series, distinctRows);
  let lines = all;
  const size = Math.max(frame.right - frame.left, frame.bottom - frame.top);
  for (let cell = NEAR; pointsOf(lines) > most && cell < size; cell *= 2) lines = drawnOnce(all, frame, cell);
  return lines;
}

/**
 * Lines without the ways between two cells of the frame that another part has gone before, in either direction, and without what is beside
 * the frame. Of the points that follow each other in a cell the first is kept.
 */
function drawnOnce(lines: readonly Line[], frame: PlotFrame, cell: number): Line[] {
  const { left, right, top, bottom } = frame;
  const columns = Math.ceil((right - left) / cell) + 1;
  const cells = columns * (Math.ceil((bottom - top) / cell) + 1);
  const cellAt = (x: number, y: number): number | undefined =>
    x < left || x > right || y < top || y > bottom
      ? undefined
      : Math.floor((x - left) / cell) + columns * Math.floor((y - top) / cell);
  const known = new Set<number>();
  const isKnown = (from: number, to: number): boolean => {
    const way = Math.min(from, to) * cells + Math.max(from, to);
    const before = known.size;
    return known.add(way).size === before;
  };
  const isBeside = (x1: number, y1: number, x2: number, y2: number): boolean =>
    Math.max(x1, x2) < left ||
    Math.min(x1, x2) > right ||
    Math.max(y1, y2) < top ||
    Math.min(y1, y2) > bottom;
  return lines.flatMap((line) => {
    if (line.length === 2) return [line];
    const pieces: number[][] = [];
    let piece: number[] | undefined;
    let [fromX, fromY] = [line[0]!, line[1]!];
    let from = cellAt(fromX, fromY);
    for (let i = 2; i < line.length; i += 2) {
      const [x, y] = [line[i]!, line[i + 1]!];
      const to = cellAt(x, y);
      if (from !== undefined && from === to) continue;
      const isNeedless =
        from !== undefined && to !== undefined ? isKnown(from, to) : isBeside(fromX, fromY, x, y);
      if (isNeedless) piece = undefined;
      else if (piece) piece.push(x, y);
      else pieces.push((piece = [fromX, fromY, x, y]));
      [fromX, fromY, from] = [x, y, to];
    }
    return pieces;
  });
}

/** One line for every interval of rows in which values exist. */
function linesOf(frame: PlotFrame, series: Series, thinning: Thinning): Line[] {
  const { across, values } = series;
  const isPoint = (row: number): boolean =>
    drawable(across[row]!, frame.x) && drawable(values[row]!, frame.y);
  const lines: Line[] = [];
  for (let row = 0; row < values.length; row++) {
    if (!isPoint(row)) continue;
    const first = row;
    while (row < values.length && isPoint(row)) row++;
    lines.push(lineOf(frame, series, thinning(frame, series, first, row)));
  }
  return lines;
}

function lineOf(frame: PlotFrame, { across, values }: Series, rows: Iterable<number>): Line {
  const line: number[] = [];
  for (const row of rows) {
    const [x, y] = [round(placeX(frame, across[row]!)), round(placeY(frame, values[row]!))];
    if (line.length > 0 && line[line.length - 2] === x && line[line.length - 1] === y) continue;
    line.push(x, y);
  }
  return line;
}

/** Pixels. */
const NEAR = 0.4;

function* distinctRows(
  frame: PlotFrame,
  { across, values }: Series,
  first: number,
  end: number,
): Generator<number> {
  let [x, y] = [Number.NaN, Number.NaN];
  for (let row = first; row < end; row++) {
    const [nextX, nextY] = [placeX(frame, across[row]!), placeY(frame, values[row]!)];
    if (Math.abs(nextX - x) < NEAR && Math.abs(nextY - y) < NEAR && row < end - 1) continue;
    [x, y] = [nextX, nextY];
    yield row;
  }
}

function* keptRows(
  frame: PlotFrame,
  { across, values }: Series,
  first: number,
  end: number,
  pixels: number,
): Generator<number> {
  const columnOf = (row: number): number => Math.floor(placeX(frame, across[row]!) / pixels);
  const columns = Math.abs(columnOf(end - 1) - columnOf(first)) + 1;
  const all = end - first <= 4 * columns;
  for (let row = first; row < end; ) {
    if (all) {
      yield row++;
      continue;
    }
    const column = columnOf(row);
    const start = row;
    let least = row;
    let greatest = row;
    let [jump, size] = [row, 0];
    for (; row < end && columnOf(row) === column; row++) {
      if (values[row]! < values[least]!) least = row;
      if (values[row]! > values[greatest]!) greatest = row;
      const step = Math.abs(values[row]! - values[row - 1]!);
      if (row > start && across[row] === across[row - 1] && step > size) [jump, size] = [row, step];
    }
    const seen = [start, least, greatest, row - 1];
    // In a wide column it is seen where the greatest step is.
    if (pixels > 1 && size > 0) seen.push(jump - 1, jump);
    yield* seen.sort((a, b) => a - b);
  }
}

/** Pixels that a line may be beside the points that are left out of it. */
const BESIDE = 0.2;

/**
 * A line without the points that lie between others. From a point that is kept, the slopes at which a line passes all points since then are
 * an interval; the last point in it is kept next. Where a line is vertical, all points stay.
 */
function straightened(line: Line): Line {
  const kept = [line[0]!, line[1]!];
  let [fromX, fromY] = [line[0]!, line[1]!];
  let [least, greatest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 2; i < line.length; i += 2) {
    const [lastX, lastY] = [line[i - 2]!, line[i - 1]!];
    let slope = (line[i + 1]! - fromY) / (line[i]! - fromX);
    if (lastX === line[i] || !(slope >= least && slope <= greatest)) {
      if (i > 2) kept.push(lastX, lastY);
      [fromX, fromY] = [lastX, lastY];
      [least, greatest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      slope = (line[i + 1]! - fromY) / (line[i]! - fromX);
    }
    const room = BESIDE / Math.abs(line[i]! - fromX);
    least = Math.max(least, slope - room);
    greatest = Math.min(greatest, slope + room);
  }
  if (line.length > 2) kept.push(line[line.length - 2]!, line[line.length - 1]!);
  return kept;
}

/** Hundredths of a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
