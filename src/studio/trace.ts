/**
 * Curves as lines of pixels. Where rows are few, all of them are corners of the line; where they are many, those of one column of pixels are drawn as the first, the
 * lowest, the highest and the last of them, which looks the same (M4: Jugel, Jerzak, Hackenbroich and Markl, VLDB 2014) and costs as much as the picture is wide.
 */
import type { Growing, Series } from './series.ts';

/** What is drawn where: times from the left to the right, values from the bottom to the top. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
}

export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

/** Rows in a column of pixels from which on they are drawn together. */
const MANY = 4;

/** Values are shown as `scale * value + offset`. A line that meets a missing value ends, and begins behind it. */
export function trace(
  pen: Pen,
  times: Growing,
  series: Series,
  frame: Frame,
  { scale, offset } = { scale: 1, offset: 0 },
): void {
  const { left, top, width, height, from, to, low, high } = frame;
  const [perTime, perValue] = [width / (to - from), height / (high - low)];
  const x = (time: number): number => left + (time - from) * perTime;
  const y = (value: number): number => top + (high - (scale * value + offset)) * perValue;
  const count = Math.min(times.count, series.count);
  // One more at each end: lines go on beyond the frame.
  const first = Math.max(0, times.before(from, 0, count) - 1);
  const end = Math.min(count, times.upTo(to, first, count) + 1);
  const { values } = series;
  let isDown = false;
  const go = (px: number, value: number): void => {
    if (Number.isNaN(value)) isDown = false;
    else if (isDown) pen.lineTo(px, y(value));
    else {
      pen.moveTo(px, y(value));
      isDown = true;
    }
  };
  if (end - first <= MANY * width) {
    for (let k = first; k < end; k++) go(x(times.values[k]!), values[k]!);
    return;
  }
  for (let column = -1, row = first; row < end; column++) {
    const next = column < width ? times.before(from + (column + 1) / perTime, row, end) : end;
    if (next === row) continue;
    const [begin, last] = [values[row]!, values[next - 1]!];
    go(x(times.values[row]!), begin);
    if (next - row > 2 && series.extremes(row, next)) {
      const { low, high } = series;
      // What only rises or falls in a column is one line through it.
      const isBetween = low >= Math.min(begin, last) && high <= Math.max(begin, last);
      if (!isBetween) {
        const middle = left + Math.min(width, Math.max(0, column + 0.5));
        go(middle, low);
        go(middle, high);
      }
    }
    go(x(times.values[next - 1]!), last);
    row = next;
  }
}

/** The range of what is shown of a series between two times; undefined where there is nothing. */
export function rangeIn(
  times: Growing,
  series: Series,
  from: number,
  to: number,
): { readonly low: number; readonly high: number } | undefined {
  const count = Math.min(times.count, series.count);
  const first = Math.max(0, times.before(from, 0, count) - 1);
  const end = Math.min(count, times.upTo(to, first, count) + 1);
  return series.extremes(first, end) ? { low: series.low, high: series.high } : undefined;
}

/** The value at a time, as `SignalTable.value` finds it: at an event the one after it. */
export function valueAt(times: Growing, series: Series, time: number): number {
  const count = Math.min(times.count, series.count);
  const next = times.upTo(time, 0, count);
  if (next === 0) return Number.NaN;
  const [a, ta] = [series.values[next - 1]!, times.values[next - 1]!];
  if (ta === time) return a;
  if (next === count) return Number.NaN;
  const [b, tb] = [series.values[next]!, times.values[next]!];
  const share = (time - ta) / (tb - ta);
  return a === b ? a : a * (1 - share) + b * share;
}
