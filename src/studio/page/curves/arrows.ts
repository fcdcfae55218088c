/** Where arrows of impulses stand: with their feet at the zero of their axis, which is in view for that, and with room for all of them in one scale. */

/** The part of an axis that is beyond zero at least, where arrows go. */
const ROOM = 0.2;

export interface Pointed {
  /** In the largest of the diagram, with its sign. */
  readonly size: number;
}

/** A range in which arrows of these sizes can be drawn. */
export function rangeWith(
  low: number,
  high: number,
  arrows: readonly Pointed[],
): readonly [low: number, high: number] {
  if (arrows.length === 0) return [low, high];
  const [bottom, top] = [Math.min(0, low), Math.max(0, high)];
  const room = ROOM * (top - bottom || 1);
  return [
    arrows.some(({ size }) => size < 0) ? Math.min(bottom, -room) : bottom,
    arrows.some(({ size }) => size > 0) ? Math.max(top, room) : top,
  ];
}

/** Pixels of an arrow of size 1, where `zeros` are the places of their feet between `top` and `bottom`. */
export function arrowLength(
  arrows: readonly Pointed[],
  zeros: readonly number[],
  top: number,
  bottom: number,
): number {
  const most = arrows.map(
    ({ size }, k) => (size > 0 ? zeros[k]! - top : bottom - zeros[k]!) / Math.abs(size),
  );
  return 0.9 * Math.min(...most);
}
