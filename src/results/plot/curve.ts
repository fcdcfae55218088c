/**
 * From a column of a signal table to the path of a curve. A curve is cut where values are missing; the two rows of an
 * event have the same place on the time axis, so a jump becomes a vertical line by itself. Where there are more points
 * than pixels, each column of pixels keeps its first, least, greatest and last point (the M4 aggregation of Jugel et
 * al., VLDB 2014), which draws the same picture with a bounded number of points.
 */
import type { Range } from './ticks.ts';

/** A rectangle of the picture and the values at its edges; y grows downwards in the picture, upwards in values. */
export interface Frame {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Range;
  readonly y: Range;
}

/** Values beyond this are not drawn: differences of them would not be finite. */
const DRAWABLE = 1e300;

export const drawable = (value: number): boolean => Math.abs(value) <= DRAWABLE;

export function placeX(frame: Frame, value: number): number {
  return frame.left + ((value - frame.x.low) / (frame.x.high - frame.x.low)) * (frame.right - frame.left);
}

export function placeY(frame: Frame, value: number): number {
  return frame.bottom - ((value - frame.y.low) / (frame.y.high - frame.y.low)) * (frame.bottom - frame.top);
}

/** SVG path data of a curve: one `M` a run of values, empty where all are missing. */
export function curvePath(frame: Frame, times: Float64Array, values: Float64Array): string {
  let path = '';
  for (let row = 0; row < values.length; ) {
    if (!drawable(values[row]!)) {
      row++;
      continue;
    }
    const first = row;
    while (row < values.length && drawable(values[row]!)) row++;
    path += runPath(frame, times, values, keptRows(frame, times, values, first, row));
  }
  return path;
}

/** The same for a curve over another signal, which may go to and fro: points that are too near to be seen are left out. */
export function orbitPath(frame: Frame, across: Float64Array, values: Float64Array): string {
  let path = '';
  for (let row = 0; row < values.length; row++) {
    if (!isPoint(across, values, row)) continue;
    const first = row;
    while (row < values.length && isPoint(across, values, row)) row++;
    path += runPath(frame, across, values, distinctRows(frame, across, values, first, row));
  }
  return path;
}

const isPoint = (across: Float64Array, values: Float64Array, row: number): boolean =>
  drawable(across[row]!) && drawable(values[row]!);

/** Pixels. */
const NEAR = 0.4;

function* distinctRows(
  frame: Frame,
  across: Float64Array,
  values: Float64Array,
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

function runPath(frame: Frame, times: Float64Array, values: Float64Array, rows: Iterable<number>): string {
  let path = '';
  let points = 0;
  let last = '';
  for (const row of rows) {
    const point = `${round(placeX(frame, times[row]!))} ${round(placeY(frame, values[row]!))}`;
    if (point === last) continue;
    path += points === 0 ? `M${point}` : points === 1 ? `L${point}` : ` ${point}`;
    points++;
    last = point;
  }
  // A value that exists for an instant only: a line of no length, drawn as a dot by its round ends.
  return points === 1 ? `${path}h0` : path;
}

/** Rows that matter for the picture, of the run from `first` to `end` (exclusive). */
function* keptRows(
  frame: Frame,
  times: Float64Array,
  values: Float64Array,
  first: number,
  end: number,
): Generator<number> {
  const pixels = Math.abs(placeX(frame, times[end - 1]!) - placeX(frame, times[first]!)) + 1;
  const all = end - first <= 4 * pixels;
  for (let row = first; row < end; ) {
    if (all) {
      yield row++;
      continue;
    }
    const column = Math.floor(placeX(frame, times[row]!));
    const start = row;
    let least = row;
    let greatest = row;
    for (; row < end && Math.floor(placeX(frame, times[row]!)) === column; row++) {
      if (values[row]! < values[least]!) least = row;
      if (values[row]! > values[greatest]!) greatest = row;
    }
    yield start;
    yield Math.min(least, greatest);
    yield Math.max(least, greatest);
    yield row - 1;
  }
}

/** Hundredths of a pixel. */
export function round(value: number): number {
  return Math.round(value * 100) / 100 + 0;
}
