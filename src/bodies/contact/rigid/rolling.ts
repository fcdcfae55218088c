/** Points at which shapes touch while these roll: what of them stays the same. */
import type { FrustumCore } from '../cores.ts';
import type { Convex } from '../support.ts';

/** The sine of the angle between an axis and a direction up to which a cylinder stands on its end instead of rolling. */
const STANDING = 0.04;

/** Whether the points of a shape that touch a plane go round in it when it rolls there. */
export const isRound = ({ kind, margin }: Convex): boolean => kind === 'frustum' || margin > 0;

/**
 * Where a point of the core is, in the frame of the shape, when the same part of the core is farthest in a direction of length 1: an end of a capsule stays there, a
 * point of a rim goes round.
 */
export function rolled(shape: Convex, core: readonly number[], toward: readonly number[]): readonly number[] {
  if (shape.kind !== 'frustum') return core;
  const { u, v } = shape as FrustumCore;
  const across = Math.hypot(toward[u]!, toward[v]!);
  if (across <= STANDING) return core;
  const radius = Math.hypot(core[u]!, core[v]!);
  return core.map((x, i) => (i === u || i === v ? (radius * toward[i]!) / across : x));
}
