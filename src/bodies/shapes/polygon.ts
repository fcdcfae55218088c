/**
 * Flat polygons in space as triangles. A convex one is cut from its first corner; of one with corners that point inward, ears are cut off, one after
 * the other: corners that point outward, and whose triangles have no other corner in them.
 */
import { cross, dot, minus, norm, plus, type Vector, zero } from '../space.ts';

/** Triples of corners, counted from 0, which go round as the polygon does. */
export function polygonTriangles(corners: readonly Vector[]): [number, number, number][] {
  const normal = normalOf(corners);
  /** Twice the signed area of a triangle, seen from where the polygon goes counterclockwise; of rounding errors, none. */
  const least = 1e-12 * norm(normal);
  const area = (a: number, b: number, c: number) => {
    const value = dot(normal, cross(minus(corners[b]!, corners[a]!), minus(corners[c]!, corners[a]!)));
    return Math.abs(value) <= least * norm(normal) ? 0 : value;
  };
  const left = corners.map((_, k) => k);
  const triangles: [number, number, number][] = [];
  const around = (k: number): [number, number, number] => {
    const count = left.length;
    return [left[(k + count - 1) % count]!, left[k]!, left[(k + 1) % count]!];
  };
  const isEar = (k: number): boolean => {
    const [a, b, c] = around(k);
    if (area(a, b, c) <= 0) return false;
    return left.every(
      (p, j) =>
        p === a ||
        p === b ||
        p === c ||
        // Corners that point outward cannot be the only ones in it.
        area(...around(j)) > 0 ||
        same(corners[p]!, corners[a]!) ||
        same(corners[p]!, corners[b]!) ||
        same(corners[p]!, corners[c]!) ||
        area(a, b, p) < 0 ||
        area(b, c, p) < 0 ||
        area(c, a, p) < 0,
    );
  };
  while (left.length > 3) {
    if (left.every((_, k) => area(...around(k)) >= 0)) break;
    // Where there is none, the polygon crosses itself: what is left is cut in any way.
    const ear = left.findIndex((_, k) => isEar(k));
    if (ear < 0) break;
    triangles.push(around(ear));
    left.splice(ear, 1);
  }
  for (let k = 2; k < left.length; k++) triangles.push([left[0]!, left[k - 1]!, left[k]!]);
  return triangles;
}

/** Along the normal, twice as long as the area is large: the sum over all edges, also where corners point inward. */
function normalOf(corners: readonly Vector[]): Vector {
  const [origin] = corners;
  let sum: Vector = zero;
  for (let k = 2; k < corners.length; k++) {
    sum = plus(sum, cross(minus(corners[k - 1]!, origin!), minus(corners[k]!, origin!)));
  }
  return sum;
}

const same = (a: Vector, b: Vector) => a[0] === b[0] && a[1] === b[1] && a[2] === b[2];
