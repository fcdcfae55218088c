/**
 * Values by time with no more of them than it takes: a track keeps some rows of the times, and interpolation gives the others within a
 * tolerance. Jumps keep both rows.
 */
import { pulse } from '../diagnostic/pulse.ts';
import { between, type Quaternion, rotationVector, slerp, unit } from './turning.ts';

export interface Track {
  /** Rows of the times, increasing; one row alone is a constant. */
  readonly rows: Uint16Array | Uint32Array;
  /** One after the other, in single precision where that is exact enough. */
  readonly values: Float32Array | Float64Array | Uint8Array;
}

/** Positions, or anything else that goes straight. */
export function straightTrack(times: Float64Array, values: ArrayLike<number>, tolerance: number): Track {
  const local: Local = (anchor, row, out) => {
    for (let k = 0; k < 3; k++) out[k] = values[3 * row + k]! - values[3 * anchor + k]!;
  };
  const count = values.length / 3;
  return taken(keptRows(times, count, local, tolerance, Number.POSITIVE_INFINITY), values, 3, tolerance);
}

/**
 * Unit quaternions, each on the same side as the one before it. In the frame of the anchor even turning goes straight along a rotation vector, and the angle
 * between two rotations is at most the distance of their vectors.
 */
export function turningTrack(times: Float64Array, rotations: ArrayLike<number>, tolerance: number): Track {
  const values = continuous(rotations);
  const at = (row: number) => quaternionAt(values, row);
  const local: Local = (anchor, row, out) => {
    const vector = rotationVector(between(at(anchor), at(row)));
    for (let k = 0; k < 3; k++) out[k] = vector[k]!;
  };
  const count = values.length / 4;
  return taken(keptRows(times, count, local, tolerance, MOST_TURN), values, 4, tolerance);
}

/** Keys further apart than this would be read differently by viewers that interpolate otherwise. */
const MOST_TURN = Math.PI / 4;

/** What holds until it changes. */
export function steppingTrack(values: ArrayLike<number>): Track {
  const flags = Uint8Array.from(values, (value) => (value === 0 ? 0 : 1));
  const rows = [0];
  for (let row = 1; row < flags.length; row++) if (flags[row] !== flags[row - 1]) rows.push(row);
  if (rows.length > 1 && rows.at(-1)! < flags.length - 1) rows.push(flags.length - 1);
  return { rows: rowsOf(rows), values: Uint8Array.from(rows, (row) => flags[row]!) };
}

/** A track on some rows as one on all of them. */
export const onRows = (rows: ArrayLike<number>, { rows: own, values }: Track): Track => ({
  rows: rowsOf(Array.from(own, (row) => rows[row]!)),
  values,
});

export const isConstant = ({ rows }: Track): boolean => rows.length === 1;

/** Writes where a row is as seen from an anchor. */
type Local = (anchor: number, row: number, out: Float64Array) => void;

/**
 * Which rows to keep: from an anchor as far as a straight line passes all rows between within the tolerance. Each of these restricts
 * the slopes of the line to an interval (a cone), so one pass is enough.
 */
function keptRows(
  times: Float64Array,
  count: number,
  local: Local,
  tolerance: number,
  reach: number,
): number[] {
  const each = tolerance / Math.sqrt(3);
  const kept = [0];
  const out = new Float64Array(3);
  const low = new Float64Array(3).fill(Number.NEGATIVE_INFINITY);
  const high = new Float64Array(3).fill(Number.POSITIVE_INFINITY);
  let anchor = 0;
  const isNear = () => out.every((value) => Math.abs(value) <= each);
  const begin = (row: number) => {
    if (row !== kept.at(-1)) kept.push(row);
    anchor = row;
    low.fill(Number.NEGATIVE_INFINITY);
    high.fill(Number.POSITIVE_INFINITY);
  };
  let still = 1;
  for (; still < count; still++) {
    local(0, still, out);
    if (!isNear()) break;
  }
  if (still >= count) return kept;
  for (let row = 1; row < count; row++) {
    if (row % 1024 === 0) pulse();
    local(anchor, row, out);
    const span = times[row]! - times[anchor]!;
    if (span === 0) {
      if (isNear()) continue;
      // Of several rows at one time the first and the last are seen.
      if (kept.length > 1 && times[kept.at(-2)!] === times[row]) kept.pop();
      begin(row);
      continue;
    }
    const isStraight = out.every((value, k) => value / span >= low[k]! && value / span <= high[k]!);
    if (
      !(isStraight && Math.hypot(...out) <= reach) &&
      anchor < row - 1 &&
      times[row - 1]! > times[anchor]!
    ) {
      begin(row - 1);
      row--;
      continue;
    }
    for (let k = 0; k < 3; k++) {
      low[k] = Math.max(low[k]!, (out[k]! - each) / span);
      high[k] = Math.min(high[k]!, (out[k]! + each) / span);
    }
  }
  begin(count - 1);
  return kept;
}

function taken(rows: readonly number[], values: ArrayLike<number>, size: number, tolerance: number): Track {
  const chosen = new Float64Array(rows.length * size);
  for (const [i, row] of rows.entries())
    for (let k = 0; k < size; k++) chosen[size * i + k] = values[size * row + k]!;
  const single = Float32Array.from(chosen);
  const isEnough = chosen.every((value, i) => Math.abs(value - single[i]!) <= tolerance / 4);
  return { rows: rowsOf(rows), values: isEnough ? single : chosen };
}

const rowsOf = (rows: readonly number[]): Uint16Array | Uint32Array =>
  rows.at(-1)! < 65536 ? Uint16Array.from(rows) : Uint32Array.from(rows);

function continuous(rotations: ArrayLike<number>): Float64Array {
  const values = new Float64Array(rotations.length);
  let before: Quaternion = [1, 0, 0, 0];
  for (let row = 0; row < values.length / 4; row++) {
    const own = unit(quaternionAt(rotations, row));
    const isOther = own.reduce((sum, value, k) => sum + value * before[k]!, 0) < 0;
    before = isOther ? [-own[0], -own[1], -own[2], -own[3]] : own;
    values.set(before, 4 * row);
  }
  return values;
}

export const quaternionAt = (values: ArrayLike<number>, row: number): Quaternion => [
  values[4 * row]!,
  values[4 * row + 1]!,
  values[4 * row + 2]!,
  values[4 * row + 3]!,
];

/** The last key at or before a time; at a jump the one after it, before the first key that one. */
export function keyAt(times: Float64Array, { rows }: Track, time: number): number {
  let [low, high] = [0, rows.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[rows[middle]!]! <= time) low = middle;
    else high = middle;
  }
  return low;
}

/** How far a time is from a key to the next one, from 0 to 1. */
function shareAt(times: Float64Array, { rows }: Track, key: number, time: number): number {
  if (key + 1 >= rows.length) return 0;
  const [from, to] = [times[rows[key]!]!, times[rows[key + 1]!]!];
  return to > from ? Math.min(1, Math.max(0, (time - from) / (to - from))) : 0;
}

export function straightAt(times: Float64Array, track: Track, time: number): [number, number, number] {
  const { values } = track;
  const key = keyAt(times, track, time);
  const share = shareAt(times, track, key, time);
  const at = (k: number): number => {
    const value = values[3 * key + k]!;
    return share === 0 ? value : value + share * (values[3 * key + 3 + k]! - value);
  };
  return [at(0), at(1), at(2)];
}

export function turningAt(times: Float64Array, track: Track, time: number): Quaternion {
  const key = keyAt(times, track, time);
  const share = shareAt(times, track, key, time);
  const from = quaternionAt(track.values, key);
  return share === 0 ? from : slerp(from, quaternionAt(track.values, key + 1), share);
}

export const steppingAt = (times: Float64Array, track: Track, time: number): boolean =>
  track.values[keyAt(times, track, time)] !== 0;
