/**
 * A ball that touches a face, an edge or a corner: the point of the other core that is nearest to its centre moves with the centre along that only. So it is known how the
 * contact moves, without looking at the shapes anywhere else.
 */
import type { Ball } from '../../dynamics/touch.ts';
import type { Piece } from '../feature.ts';
import type { Convex } from '../support.ts';

/** Undefined where none of the shapes is a ball, or the piece of the other one, of both that touch, is round. */
export function ballOf(
  a: Convex,
  b: Convex,
  pieces: readonly [Piece, Piece],
  rotation: Float64Array,
): Ball | undefined {
  const of = b.kind === 'point' ? 2 : a.kind === 'point' ? 1 : undefined;
  if (of === undefined) return undefined;
  const [ball, other, shape] = of === 2 ? [b, a, 0] : [a, b, 1];
  const { kind, count, along } = pieces[shape]!;
  if (kind !== 'flat') return undefined;
  const edge = [0, 3, 6].map((row) =>
    [0, 1, 2].reduce((sum, k) => sum + rotation[9 * shape + row + k]! * along[k]!, 0),
  );
  return { of, radius: ball.margin, margin: other.margin, freedom: count, edge };
}
