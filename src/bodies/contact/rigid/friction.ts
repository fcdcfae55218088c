/** Friction of a pair of shapes that touches: what it has to bear, and how points slide. Forces are `values` of multipliers, from the first row of the pair. */
import { acrossOf, dot } from '../../dynamics/flat.ts';
import { limitOf } from '../../dynamics/limit.ts';
import type { Touch } from '../../dynamics/touch.ts';

/** What friction has to bear of a pair that sticks. */
export function bearingOf(touch: Touch, row: number, values: Float64Array) {
  const { count, points, normal } = touch;
  const places = new Float64Array(2 * count);
  const middle = [0, 1, 2].map((i) => {
    let sum = 0;
    for (let k = 0; k < count; k++) sum += points[3 * k + i]! / count;
    return sum;
  });
  for (let axis = 0; axis < 2; axis++) {
    acrossOf(normal, axis, e);
    for (let k = 0; k < count; k++)
      places[2 * k + axis] = [0, 1, 2].reduce((sum, i) => sum + e[i]! * (points[3 * k + i]! - middle[i]!), 0);
  }
  const normals = values.subarray(row, row + count);
  const found = limitOf(
    normals,
    places,
    values[row + count]!,
    values[row + count + 1]!,
    count > 1 ? values[row + count + 2]! : 0,
  );
  return { ...found, places, pressing: normals.reduce((sum, f) => sum + Math.max(0, f), 0) };
}

/** What friction could bear more at the point about which a pair turns. */
export function gripOf({ count, pinned, friction }: Touch, row: number, values: Float64Array): number {
  return friction * values[row + pinned]! - Math.hypot(values[row + count]!, values[row + count + 1]!);
}

/** How fast points slide in the directions in which they did at the last event, the slowest of them and in the mean; A is turned as `turn` says. */
export function slipOf(
  { count, slips, directions, hold, pinned }: Touch,
  turn: Float64Array,
): { least: number; mean: number } {
  let [least, mean] = [Infinity, 0];
  for (let k = 0; k < count; k++) {
    let along = 0;
    if (hold === 'slide' && k === pinned) continue;
    for (let i = 0; i < 3; i++) {
      let sum = 0;
      for (let j = 0; j < 3; j++) sum += turn[3 * i + j]! * directions[3 * k + j]!;
      along += sum * slips[3 * k + i]!;
    }
    least = Math.min(least, along);
    mean += along / count;
  }
  return { least, mean };
}

/** Lets a point slide along a vector of the world; A is turned as `turn` says. */
export function direct(touch: Touch, k: number, along: Float64Array, turn: Float64Array): void {
  const length = Math.sqrt(dot(along, along));
  for (let j = 0; j < 3; j++) {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += turn[3 * i + j]! * along[i]!;
    touch.directions[3 * k + j] = length > 0 ? sum / length : 0;
  }
}

/** Vectors in the frame of A, along the axes of the world. */
export const turned = (turn: Float64Array, of: Float64Array): Float64Array =>
  of.map((_, n) => {
    const [k, i] = [3 * Math.floor(n / 3), n % 3];
    return turn[3 * i]! * of[k]! + turn[3 * i + 1]! * of[k + 1]! + turn[3 * i + 2]! * of[k + 2]!;
  });

const e = new Float64Array(3);
