/** Whether forces of what touches are such as contact and friction can have: normal forces press, and friction is within its cone. `values` are those of multipliers. */
import type { Touch } from '../../dynamics/touch.ts';
import { bearingOf, gripOf } from './friction.ts';

/** What of the forces of a pair cannot be, as forces; nothing of it is negative. */
export interface Excess {
  /** How hard a point pulls. */
  readonly pull: number;
  /** By how much friction that holds is more than there is. */
  readonly hold: number;
  /** What keeps the direction of a slip that has hardly begun. */
  readonly aside: number;
}

export function excessOf(touch: Touch, row: number, values: Float64Array): Excess {
  const { count, hold, pinned, friction } = touch;
  let pull = 0;
  for (let k = row; k < row + count; k++) pull = Math.max(pull, -values[k]!);
  if (hold === 'stick') {
    const { needed, pressing, wanted } = bearingOf(touch, row, values);
    const over = pressing > 0 ? (needed - friction) * pressing : wanted;
    return { pull, hold: Math.max(0, over), aside: 0 };
  }
  const grip = hold === 'slide' && pinned >= 0 ? gripOf(touch, row, values) : 0;
  return { pull, hold: Math.max(0, -grip), aside: asideOf(touch, row, values) };
}

/** Forces that keep the direction of what glides; none where nothing does. */
export function asideOf({ count, hold, rows }: Touch, row: number, values: Float64Array): number {
  if (hold !== 'glide') return 0;
  let square = 0;
  for (let k = row + count; k < row + rows; k++) square += values[k]! ** 2;
  return Math.sqrt(square);
}
