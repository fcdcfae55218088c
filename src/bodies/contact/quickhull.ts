/** The triangles of the convex hull of points (C. B. Barber, D. P. Dobkin and H. Huhdanpaa, The quickhull algorithm for convex hulls, 1996). */
import { pulse } from '../../diagnostic/pulse.ts';

/** Points that are nearer to a plane lie in it, as a part of the extent. */
const EXACT = 1e-12;

/** Numbers of three points, counter-clockwise as seen from outside. */
export type Triangle = [number, number, number];

/** Undefined where all points lie in a plane. */
export function quickhull(points: Float64Array): Triangle[] | undefined {
  return new Quickhull(points).faces()?.map(({ corners }) => corners);
}

/** The sides of a triangle, from corner to corner. */
export const sidesOf = ([a, b, c]: Triangle): readonly (readonly [number, number])[] => [
  [a, b],
  [b, c],
  [c, a],
];

export const crossed = (
  [ax, ay, az]: readonly [number, number, number],
  [bx, by, bz]: readonly [number, number, number],
): [number, number, number] => [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];

/** A triangle of the hull. Points above its plane are its own until they are part of the hull. */
interface Plane {
  readonly corners: Triangle;
  readonly normal: readonly [number, number, number];
  readonly offset: number;
  above: number[];
  highest: number;
  height: number;
  alive: boolean;
}

class Quickhull {
  private readonly count: number;
  private readonly tolerance: number;
  /** By their edges, as from n + to. */
  private readonly byEdge = new Map<number, Plane>();

  constructor(private readonly points: Float64Array) {
    this.count = points.length / 3;
    let extent = 0;
    for (let k = 0; k < 3; k++) {
      let [low, high] = [Infinity, -Infinity];
      for (let i = k; i < points.length; i += 3) {
        low = Math.min(low, points[i]!);
        high = Math.max(high, points[i]!);
      }
      extent = Math.max(extent, high - low);
    }
    this.tolerance = EXACT * extent;
  }

  faces(): Plane[] | undefined {
    const first = this.tetrahedron();
    if (!first) return undefined;
    const [a, b, c, d] = first;
    const planes = [this.add([a, b, c]), this.add([a, c, d]), this.add([a, d, b]), this.add([b, d, c])];
    const all = Array.from({ length: this.count }, (_, k) => k);
    this.share(all, planes);
    const open = planes.slice();
    while (open.length > 0) {
      const plane = open.pop()!;
      if (!plane.alive || plane.above.length === 0) continue;
      pulse();
      open.push(...this.include(plane));
    }
    return [...new Set(this.byEdge.values())];
  }

  /** Takes the highest point above a plane into the hull; gives the new planes. */
  private include(plane: Plane): Plane[] {
    const point = plane.highest;
    const seen = [plane];
    plane.alive = false;
    const rim: [number, number][] = [];
    for (let k = 0; k < seen.length; k++) {
      for (const [from, to] of sidesOf(seen[k]!.corners)) {
        const beyond = this.byEdge.get(to * this.count + from)!;
        if (!beyond.alive) continue;
        if (this.above(beyond, point) > this.tolerance) {
          beyond.alive = false;
          seen.push(beyond);
        } else rim.push([from, to]);
      }
    }
    const orphans: number[] = [];
    for (const { corners, above } of seen) {
      for (const [from, to] of sidesOf(corners)) this.byEdge.delete(from * this.count + to);
      for (const other of above) if (other !== point) orphans.push(other);
    }
    const added = rim.map(([from, to]) => this.add([from, to, point]));
    this.share(orphans, added);
    return added;
  }

  private add(corners: Triangle): Plane {
    const { points, count } = this;
    const [a, b, c] = corners;
    const [x, y, z] = crossed(this.vector(a, b), this.vector(a, c));
    const length = Math.hypot(x, y, z) || 1;
    const normal = [x / length, y / length, z / length] as const;
    const offset =
      normal[0] * points[3 * a]! + normal[1] * points[3 * a + 1]! + normal[2] * points[3 * a + 2]!;
    const plane: Plane = {
      corners,
      normal,
      offset,
      above: [],
      highest: -1,
      height: this.tolerance,
      alive: true,
    };
    for (const [from, to] of sidesOf(corners)) this.byEdge.set(from * count + to, plane);
    return plane;
  }

  private vector(from: number, to: number): [number, number, number] {
    const p = this.points;
    return [p[3 * to]! - p[3 * from]!, p[3 * to + 1]! - p[3 * from + 1]!, p[3 * to + 2]! - p[3 * from + 2]!];
  }

  private above({ normal: [x, y, z], offset }: Plane, point: number): number {
    const p = this.points;
    return x * p[3 * point]! + y * p[3 * point + 1]! + z * p[3 * point + 2]! - offset;
  }

  /** Gives each point to a plane that it is above of. */
  private share(points: readonly number[], planes: readonly Plane[]): void {
    for (const point of points) {
      for (const plane of planes) {
        const height = this.above(plane, point);
        if (!(height > this.tolerance)) continue;
        plane.above.push(point);
        if (height > plane.height) {
          plane.height = height;
          plane.highest = point;
        }
        break;
      }
    }
    for (const plane of planes) if (plane.highest < 0) plane.above = [];
  }

  /** Four points that are not in a plane, far from each other; the first three are counter-clockwise as seen from outside. */
  private tetrahedron(): [number, number, number, number] | undefined {
    const { points: p, count, tolerance } = this;
    const most = (measure: (k: number) => number): number => {
      let [best, largest] = [-1, 1000 * tolerance];
      for (let k = 0; k < count; k++) {
        const value = measure(k);
        if (value > largest) {
          largest = value;
          best = k;
        }
      }
      return best;
    };
    let a = 0;
    for (let k = 1; k < count; k++) if (p[3 * k]! < p[3 * a]!) a = k;
    const b = most((k) => Math.hypot(...this.vector(a, k)));
    if (b < 0) return undefined;
    const e = this.vector(a, b);
    const length = Math.hypot(...e);
    const c = most((k) => Math.hypot(...crossed(e, this.vector(a, k))) / length);
    if (c < 0) return undefined;
    const n = crossed(e, this.vector(a, c));
    const area = Math.hypot(...n);
    const height = (k: number): number => {
      const [x, y, z] = this.vector(a, k);
      return (n[0] * x + n[1] * y + n[2] * z) / area;
    };
    const d = most((k) => Math.abs(height(k)));
    if (d < 0) return undefined;
    return height(d) > 0 ? [a, c, b, d] : [a, b, c, d];
  }
}
