/** The convex hull of points, as a shape that can touch others. */
import { polygonsOf } from './polygons.ts';
import { HullCore } from './polytope.ts';
import { crossed, quickhull, type Triangle } from './quickhull.ts';

export interface Hull {
  readonly core: HullCore;
  readonly volume: number;
}

/** Undefined where all points lie in a plane. */
export function hullOf(points: Float64Array): Hull | undefined {
  const faces = quickhull(points);
  if (!faces) return undefined;
  const numbers = new Map<number, number>();
  for (const corner of faces.flat()) if (!numbers.has(corner)) numbers.set(corner, numbers.size);
  const kept = new Float64Array(3 * numbers.size);
  for (const [corner, number] of numbers) kept.set(points.subarray(3 * corner, 3 * corner + 3), 3 * number);
  const triangles = faces.map((corners) => corners.map((corner) => numbers.get(corner)!) as Triangle);
  const core = new HullCore({
    points: kept,
    ...polygonsOf(kept, triangles),
    neighbours: neighboursOf(numbers.size, triangles),
  });
  return { core, volume: enclosedBy(kept, triangles.flat(), core.centre) };
}

function neighboursOf(count: number, triangles: readonly Triangle[]): Uint32Array[] {
  const near = Array.from({ length: count }, () => new Set<number>());
  for (const [a, b, c] of triangles) {
    near[a]!.add(b);
    near[b]!.add(c);
    near[c]!.add(a);
  }
  return near.map((own) => Uint32Array.from(own));
}

/** The volume within triangles, whose corners come one after the other: the sum of their tetrahedra with a point. */
export function enclosedBy(points: Float64Array, corners: ArrayLike<number>, point: Float64Array): number {
  const from = (k: number): [number, number, number] => [
    points[3 * k]! - point[0]!,
    points[3 * k + 1]! - point[1]!,
    points[3 * k + 2]! - point[2]!,
  ];
  let sum = 0;
  for (let k = 0; k < corners.length; k += 3) {
    const [x, y, z] = from(corners[k]!);
    const n = crossed(from(corners[k + 1]!), from(corners[k + 2]!));
    sum += (x * n[0] + y * n[1] + z * n[2]) / 6;
  }
  return sum;
}
