/**
 * How points that touch share what rows that depend on each other do not say: a ladder between a wall and the ground may press along itself with any force. The shortest
 * multipliers may be such that a wall pulls, or that friction holds more than it can, although others that do the same motion are possible. So of all multipliers
 * x = shortest + N z, those are taken for which
 *
 *     |N z|^2 KEPT / (2 s^2) + sum over limits of exp(-margin / (SHARP s)) + |sideways|^2 IDLE / (2 s^2),   s = |shortest|
 *
 * is least: a margin is a normal force, or how much more friction could hold; sideways are forces that keep the direction of what glides, and have nothing to bear. That is convex
 * and smooth; where all margins of the shortest ones are large, these are the result, and where no multipliers are possible, the worst margin is about as good as it can be.
 */
import { choleskyOf, choleskySolved } from './linear.ts';
import type { Touch } from './touch.ts';

/** Forces of a touch: where its rows begin in an island. */
export interface Bearing {
  readonly touch: Touch;
  readonly row: number;
}

const SHARP = 1e-3;
const KEPT = 1e-3;
const IDLE = 1e8;
/** Margins of so many times SHARP have no say. */
const FAR = 40;
/** Exponents that are not looked at more sharply: nothing can be done then. */
const HOPELESS = 100;
const ROUNDS = 30;
/** So many on the way to SHARP. */
const FEW = 3;
const CLOSE = 1e-9;

/**
 * Changes `x`, multipliers of the rows of an island, to which any of `count` combinations `nulls` may be added. Gives how much of each was; undefined where none was.
 */
export function share(
  x: Float64Array,
  nulls: Float64Array,
  count: number,
  bearings: readonly Bearing[],
): Float64Array | undefined {
  let square = 0;
  for (const value of x) square += value * value;
  const size = Math.sqrt(square);
  if (!(size > 0)) return;
  const limits = bearings.flatMap((bearing) => limitsOf(bearing));
  const idle = bearings.flatMap((bearing) => sidewaysOf(bearing));
  const least = () => limits.reduce((sum, limit) => Math.min(sum, marginOf(limit, x, size)), Infinity);
  if (idle.length === 0 && least() >= FAR * SHARP) return;
  const room: Room = {
    x,
    from: x.slice(),
    nulls: nulls.slice(0, count * x.length),
    squares: squaresOf(nulls, count, x.length, idle, size),
    parts: new Float64Array(count),
    size,
  };
  for (let sharp = 1; ; sharp = Math.max(SHARP, sharp / 4)) {
    descend(room, limits, idle, sharp);
    if (sharp === SHARP || -least() > (HOPELESS * sharp) / 4) return room.parts;
  }
}

/** Multipliers as they are, where they began, and what may be added to them. */
interface Room {
  readonly x: Float64Array;
  readonly from: Float64Array;
  readonly nulls: Float64Array;
  /** How the terms with KEPT and IDLE bend, by combinations; the lower half. */
  readonly squares: Float64Array;
  /** How much of each combination has been added. */
  readonly parts: Float64Array;
  readonly size: number;
}

function squaresOf(
  nulls: Float64Array,
  count: number,
  rows: number,
  idle: readonly number[],
  size: number,
): Float64Array {
  const squares = new Float64Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b <= a; b++) {
      let sum = 0;
      for (let row = 0; row < rows; row++) sum += KEPT * nulls[a * rows + row]! * nulls[b * rows + row]!;
      for (const row of idle) sum += IDLE * nulls[a * rows + row]! * nulls[b * rows + row]!;
      squares[a * count + b] = sum / (size * size);
    }
  return squares;
}

/** What must not become negative: ratio times normal forces, less the length of forces along the surface. */
interface Limit {
  readonly normals: readonly number[];
  readonly ratio: number;
  readonly across: readonly number[];
  /** By which numbers those are divided. */
  readonly by: readonly number[];
}

function limitsOf({ touch, row }: Bearing): Limit[] {
  const { count, hold, friction, points, pinned } = touch;
  const normals = Array.from({ length: count }, (_, k) => row + k);
  const limits: Limit[] =
    hold === 'stick' && count === 1
      ? []
      : normals.map((k) => ({ normals: [k], ratio: 1, across: [], by: [] }));
  const across = [row + count, row + count + 1];
  if (hold === 'slide' && pinned >= 0)
    limits.push({ normals: [row + pinned], ratio: friction, across, by: [1, 1] });
  if (hold !== 'stick') return limits;
  const by = [1, 1];
  if (count > 1) {
    across.push(row + count + 2);
    by.push(spreadOf(points, count));
  }
  return [...limits, { normals, ratio: friction, across, by }];
}

/** Rows that keep the direction of what glides. */
function sidewaysOf({ touch, row }: Bearing): number[] {
  const { count, hold, rows } = touch;
  return hold === 'glide' ? Array.from({ length: rows - count }, (_, i) => row + count + i) : [];
}

/** How far points are from their middle, in the mean. */
function spreadOf(points: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) {
    let middle = 0;
    for (let k = 0; k < count; k++) middle += points[3 * k + i]! / count;
    for (let k = 0; k < count; k++) sum += (points[3 * k + i]! - middle) ** 2 / count;
  }
  return Math.sqrt(sum);
}

/** The margin of a limit, by the size of all forces. */
function marginOf(limit: Limit, x: Float64Array, size: number): number {
  const { normals, ratio } = limit;
  let pressing = 0;
  for (let i = 0; i < normals.length; i++) pressing += x[normals[i]!]!;
  return (ratio * pressing - Math.sqrt(lengthSquare(limit, x) + (EVEN * size) ** 2)) / size;
}

/** Lengths are those of forces that are not zero, so that they are smooth. */
const EVEN = 1e-6;

/** Newton's method, for one sharpness. */
function descend(room: Room, limits: readonly Limit[], idle: readonly number[], sharp: number): void {
  const { x, from, nulls, squares, parts, size } = room;
  const count = parts.length;
  const rows = x.length;
  const scale = 1 / (size * size);
  const value = (at: Float64Array) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += KEPT * (at[row]! - from[row]!) ** 2;
    for (const row of idle) sum += IDLE * at[row]! ** 2;
    sum *= scale / 2;
    for (const limit of limits) sum += Math.exp(-marginOf(limit, at, size) / sharp);
    return sum;
  };
  const next = new Float64Array(rows);
  let now = value(x);
  const most = sharp > SHARP ? FEW : ROUNDS;
  for (let round = 0; round < most; round++) {
    const step = new Float64Array(count);
    const matrix = squares.slice();
    for (let a = 0; a < count; a++) {
      for (let row = 0; row < rows; row++)
        step[a]! -= KEPT * scale * nulls[a * rows + row]! * (x[row]! - from[row]!);
      for (const row of idle) step[a]! -= IDLE * scale * nulls[a * rows + row]! * x[row]!;
    }
    for (const limit of limits) bend(limit, x, nulls, count, size, sharp, step, matrix);
    const slope = step.slice();
    choleskyOf(matrix, count);
    choleskySolved(matrix, count, step);
    let falls = 0;
    for (let a = 0; a < count; a++) falls += slope[a]! * step[a]!;
    const go = (part: number, to: Float64Array) => {
      for (let row = 0; row < rows; row++) {
        let sum = x[row]!;
        for (let a = 0; a < count; a++) sum += part * step[a]! * nulls[a * rows + row]!;
        to[row] = sum;
      }
    };
    const take = (part: number) => {
      x.set(next);
      for (let a = 0; a < count; a++) parts[a]! += part * step[a]!;
    };
    // Newton's method squares errors: this step is the last.
    if (!(falls > CLOSE * now)) {
      go(1, next);
      take(1);
      return;
    }
    let part = 1;
    for (; part > 1e-6; part /= 2) {
      go(part, next);
      const then = value(next);
      if (!(then <= now - 1e-4 * part * falls)) continue;
      now = then;
      take(part);
      break;
    }
    if (part <= 1e-6) return;
  }
}

/** Adds the slope of the exponential of a limit, downwards, and how it bends. */
function bend(
  limit: Limit,
  x: Float64Array,
  nulls: Float64Array,
  count: number,
  size: number,
  sharp: number,
  step: Float64Array,
  matrix: Float64Array,
): void {
  const { normals, ratio, across, by } = limit;
  const rows = x.length;
  const weight = Math.exp(-marginOf(limit, x, size) / sharp);
  if (!(weight > Math.exp(-FAR))) return;
  const length = Math.sqrt(lengthSquare(limit, x) + (EVEN * size) ** 2);
  const wide = across.length;
  const rises = new Float64Array(count);
  // Of each combination: forces across, and what of them is along those that there are.
  const pulls = new Float64Array(count * wide);
  const along = new Float64Array(count);
  for (let a = 0; a < count; a++) {
    let sum = 0;
    for (let i = 0; i < normals.length; i++) sum += ratio * nulls[a * rows + normals[i]!]!;
    for (let i = 0; i < wide; i++) {
      const pull = nulls[a * rows + across[i]!]! / by[i]!;
      pulls[a * wide + i] = pull;
      along[a] = along[a]! + (pull * x[across[i]!]!) / (by[i]! * length);
    }
    rises[a] = (sum - along[a]!) / size;
    step[a] = step[a]! + (weight * rises[a]!) / sharp;
  }
  const [first, second] = [weight / (sharp * sharp), weight / (sharp * length * size)];
  for (let a = 0; a < count; a++) {
    const own = first * rises[a]!;
    if (wide === 0 && own === 0) continue;
    for (let b = 0; b <= a; b++) {
      let sum = own * rises[b]!;
      if (wide > 0) {
        let whole = -along[a]! * along[b]!;
        for (let i = 0; i < wide; i++) whole += pulls[a * wide + i]! * pulls[b * wide + i]!;
        sum += second * whole;
      }
      matrix[a * count + b] = matrix[a * count + b]! + sum;
    }
  }
}

/** The square of the length of forces across. */
function lengthSquare({ across, by }: Limit, x: Float64Array): number {
  let square = 0;
  for (let i = 0; i < across.length; i++) square += (x[across[i]!]! / by[i]!) ** 2;
  return square;
}
