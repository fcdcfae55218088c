/**
 * Convex shapes as contact needs them: a *core*, known by the point that is farthest in a direction (its support), and a *margin*, by which the
 * shape extends beyond its core everywhere. A sphere is a point with a margin, a capsule a segment with one; all others have none.
 *
 * Everything is in the frame of the shape (`shapes/shape.ts`); directions need not have length 1 unless said.
 */
import { identity } from '../space.ts';
import type { Feature } from './feature.ts';

export interface Convex {
  readonly kind: 'point' | 'segment' | 'ellipsoid' | 'box' | 'frustum' | 'beam' | 'hull';
  readonly margin: number;
  /** About the extent of the shape. */
  readonly size: number;
  /** A point within the core. */
  readonly centre: Float64Array;
  /** Stores the point of the core that is farthest in a direction, and gives the number of the piece of the surface that it lies on. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number;
  /**
   * The piece of the surface that points p around some points of support lie on, which have these numbers of pieces; n is the direction, of length
   * 1. False where there is none.
   */
  feature(ids: Int32Array, count: number, p: Float64Array, n: Float64Array, into: Feature): boolean;
  /** Whether a point on that piece with parameters `s[at]`, `s[at + 1]` belongs to the core. */
  holds(feature: Feature, p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean;
  /**
   * The radius of curvature of the shape where it touches something in a direction n, of length 1, at a point p of the core: the geometric mean of an ellipsoid, the smaller
   * one of what is round in one direction; infinite where the surface is flat, or has an edge.
   */
  curvature(p: Float64Array, n: Float64Array): number;
}

/** The box in the world around a shape that is placed: lowest x, y, z, highest x, y, z, each further by `beyond`. */
export function boundsOf(
  shape: Convex,
  rotation: Float64Array,
  position: Float64Array,
  object: number,
  beyond: number,
  into: Float64Array,
  at: number,
): void {
  for (let k = 0; k < 3; k++) {
    const row = 9 * object + 3 * k;
    const [x, y, z] = [rotation[row]!, rotation[row + 1]!, rotation[row + 2]!];
    const middle = position[3 * object + k]!;
    const by = shape.margin + beyond;
    shape.support(-x, -y, -z, spare, 0);
    into[at + k] = middle + x * spare[0]! + y * spare[1]! + z * spare[2]! - by;
    shape.support(x, y, z, spare, 0);
    into[at + 3 + k] = middle + x * spare[0]! + y * spare[1]! + z * spare[2]! + by;
  }
}
const spare = new Float64Array(3);

/** The smallest extent along an axis of the shape. */
export function thicknessOf(shape: Convex): number {
  const bounds = new Float64Array(6);
  boundsOf(shape, Float64Array.from(identity), new Float64Array(3), 0, 0, bounds, 0);
  return Math.min(bounds[3]! - bounds[0]!, bounds[4]! - bounds[1]!, bounds[5]! - bounds[2]!);
}

/** How far a shape reaches from the origin of its frame at the most: up to the corners of the box around it. */
export function reachOf(shape: Convex): number {
  const point = new Float64Array(3);
  let square = 0;
  for (let corner = 0; corner < 8; corner++) {
    let own = 0;
    for (let k = 0; k < 3; k++) {
      const side = (corner >> k) & 1 ? 1 : -1;
      shape.support(k === 0 ? side : 0, k === 1 ? side : 0, k === 2 ? side : 0, point, 0);
      own += point[k]! ** 2;
    }
    square = Math.max(square, own);
  }
  return Math.sqrt(square) + shape.margin;
}
