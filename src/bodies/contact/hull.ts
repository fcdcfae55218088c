/**
 * The convex hull of points (quickhull: Barber, Dobkin and Huhdanpaa 1996), with its triangles joined to polygons where they lie in one plane.
 */
import { pulse } from '../../diagnostic/pulse.ts';
import type { Feature } from './feature.ts';
import { type Convex, simplexFeature, withinSimplex } from './support.ts';

/** Points that are nearer to a plane lie in it, as a part of the extent. */
const EXACT = 1e-12;
/** Triangles are one face if that is true of their corners: files of meshes have numbers of single precision. */
const FLAT = 1e-6;

/** Polygons have no more corners. */
export const MOST_CORNERS = 8;

export interface Hull {
  readonly core: HullCore;
  readonly volume: number;
}

/** Undefined where all points lie in a plane. */
export function hullOf(points: Float64Array): Hull | undefined {
  const faces = new Quickhull(points).faces();
  if (!faces) return undefined;
  const numbers = new Map<number, number>();
  for (const { corners } of faces) {
    for (const corner of corners) if (!numbers.has(corner)) numbers.set(corner, numbers.size);
  }
  const kept = new Float64Array(3 * numbers.size);
  for (const [corner, number] of numbers) kept.set(points.subarray(3 * corner, 3 * corner + 3), 3 * number);
  const triangles = faces.map(({ corners }) => corners.map((corner) => numbers.get(corner)!) as Triangle);
  const core = new HullCore({
    points: kept,
    ...joined(kept, triangles),
    neighbours: neighboursOf(numbers.size, triangles),
  });
  return { core, volume: volumeOf(kept, triangles, core.centre) };
}

/** What is known of the convex hull of points, none of which lies inside (`hull.ts`). */
export interface HullShape {
  /** x, y, z of one vertex after the other. */
  readonly points: Float64Array;
  /** Vertices of faces, counter-clockwise as seen from outside, and their normals; only some vertices of faces that have many. */
  readonly polygons: readonly (readonly number[])[];
  readonly normals: Float64Array;
  /** Pairs of vertices at which faces meet. */
  readonly edges: Uint32Array;
  /** For each vertex those that triangles join it with. */
  readonly neighbours: readonly Uint32Array[];
}

export class HullCore implements Convex {
  readonly kind = 'hull';
  readonly margin = 0;
  readonly size: number;
  readonly centre = new Float64Array(3);
  readonly points: Float64Array;
  /** Of large hulls, the farthest vertices in the directions of `STARTS`: from there it is not far to any other. */
  private readonly starts: Uint32Array | undefined;

  constructor(readonly shape: HullShape) {
    const { points } = shape;
    this.points = points;
    const count = points.length / 3;
    for (let k = 0; k < points.length; k++) this.centre[k % 3]! += points[k]! / count;
    let farthest = 0;
    for (let k = 0; k < points.length; k += 3) {
      const [x, y, z] = this.centre;
      farthest = Math.max(farthest, Math.hypot(points[k]! - x!, points[k + 1]! - y!, points[k + 2]! - z!));
    }
    this.size = 2 * farthest;
    if (count > MANY) {
      this.starts = Uint32Array.from(STARTS, ([x, y, z]) => this.farthest(x, y, z));
    }
  }

  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const best = this.starts ? this.climb(this.starts, x, y, z) : this.farthest(x, y, z);
    for (let k = 0; k < 3; k++) point[at + k] = this.points[3 * best + k]!;
    return best;
  }

  private reach(vertex: number, x: number, y: number, z: number): number {
    const points = this.points;
    return x * points[3 * vertex]! + y * points[3 * vertex + 1]! + z * points[3 * vertex + 2]!;
  }

  private farthest(x: number, y: number, z: number): number {
    const points = this.points;
    let [best, most] = [0, -Infinity];
    for (let k = 0; k < points.length; k += 3) {
      const reach = x * points[k]! + y * points[k + 1]! + z * points[k + 2]!;
      if (reach > most) {
        most = reach;
        best = k;
      }
    }
    return best / 3;
  }

  /** From vertex to neighbour, as long as one is farther: on a convex surface there are no other summits. */
  private climb(starts: Uint32Array, x: number, y: number, z: number): number {
    let [best, most] = [0, -Infinity];
    for (let k = 0; k < starts.length; k++) {
      const reach = this.reach(starts[k]!, x, y, z);
      if (reach > most) {
        most = reach;
        best = starts[k]!;
      }
    }
    for (let from = -1; from !== best; ) {
      from = best;
      const near = this.shape.neighbours[from]!;
      for (let k = 0; k < near.length; k++) {
        const reach = this.reach(near[k]!, x, y, z);
        if (reach > most) {
          most = reach;
          best = near[k]!;
        }
      }
    }
    return best;
  }

  feature(ids: Int32Array, count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    return simplexFeature(this.points, ids, count, into);
  }

  holds(feature: Feature, _p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean {
    return withinSimplex(feature, s, at, tolerance);
  }

  curvature(): number {
    return Infinity;
  }
}

/** Hulls with more vertices are large. */
const MANY = 48;
/** Towards faces, edges and corners of a cube. */
const STARTS = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as const)),
);

type Triangle = [number, number, number];

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
      const [a, b, c] = seen[k]!.corners;
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        const beyond = this.byEdge.get(to * this.count + from)!;
        if (!beyond.alive) continue;
        if (this.above(beyond, point) > this.tolerance) {
          beyond.alive = false;
          seen.push(beyond);
        } else rim.push([from, to]);
      }
    }
    const orphans: number[] = [];
    for (const {
      corners: [a, b, c],
      above,
    } of seen) {
      for (const edge of [a * this.count + b, b * this.count + c, c * this.count + a])
        this.byEdge.delete(edge);
      for (const other of above) if (other !== point) orphans.push(other);
    }
    const added = rim.map(([from, to]) => this.add([from, to, point]));
    this.share(orphans, added);
    return added;
  }

  private add(corners: Triangle): Plane {
    const { points, count } = this;
    const [a, b, c] = corners;
    const at = (k: number, i: number): number => points[3 * k + i]! - points[3 * a + i]!;
    const [ex, ey, ez] = [at(b, 0), at(b, 1), at(b, 2)];
    const [fx, fy, fz] = [at(c, 0), at(c, 1), at(c, 2)];
    const [x, y, z] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
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
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const)
      this.byEdge.set(from * count + to, plane);
    return plane;
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
    const from = (i: number, k: number): [number, number, number] => [
      p[3 * k]! - p[3 * i]!,
      p[3 * k + 1]! - p[3 * i + 1]!,
      p[3 * k + 2]! - p[3 * i + 2]!,
    ];
    let a = 0;
    for (let k = 1; k < count; k++) if (p[3 * k]! < p[3 * a]!) a = k;
    const b = most((k) => Math.hypot(...from(a, k)));
    if (b < 0) return undefined;
    const e = from(a, b);
    const length = Math.hypot(...e);
    const c = most((k) => Math.hypot(...crossed(e, from(a, k))) / length);
    if (c < 0) return undefined;
    const n = crossed(e, from(a, c));
    const area = Math.hypot(...n);
    const height = (k: number): number => {
      const [x, y, z] = from(a, k);
      return (n[0] * x + n[1] * y + n[2] * z) / area;
    };
    const d = most((k) => Math.abs(height(k)));
    if (d < 0) return undefined;
    return height(d) > 0 ? [a, c, b, d] : [a, b, c, d];
  }
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

const crossed = (
  [ax, ay, az]: readonly [number, number, number],
  [bx, by, bz]: readonly [number, number, number],
): [number, number, number] => [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];

function volumeOf(points: Float64Array, triangles: readonly Triangle[], centre: Float64Array): number {
  let sum = 0;
  for (const triangle of triangles) {
    const [a, b, c] = triangle.map((k): [number, number, number] => [
      points[3 * k]! - centre[0]!,
      points[3 * k + 1]! - centre[1]!,
      points[3 * k + 2]! - centre[2]!,
    ]);
    const n = crossed(b!, c!);
    sum += (a![0] * n[0] + a![1] * n[1] + a![2] * n[2]) / 6;
  }
  return sum;
}

/** Triangles that lie in one plane as polygons, largest triangles first. */
function joined(
  points: Float64Array,
  triangles: readonly Triangle[],
): { polygons: number[][]; normals: Float64Array; edges: Uint32Array } {
  const count = points.length / 3;
  const byEdge = new Map<number, number>();
  let extent = 0;
  const vector = (from: number, to: number): [number, number, number] => [
    points[3 * to]! - points[3 * from]!,
    points[3 * to + 1]! - points[3 * from + 1]!,
    points[3 * to + 2]! - points[3 * from + 2]!,
  ];
  const areas = triangles.map(([a, b, c]) => crossed(vector(a, b), vector(a, c)));
  for (const [k, [a, b, c]] of triangles.entries()) {
    for (const [from, to] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const) {
      byEdge.set(from * count + to, k);
      extent = Math.max(extent, Math.hypot(...vector(from, to)));
    }
  }
  const group = new Int32Array(triangles.length).fill(-1);
  const order = triangles
    .map((_, k) => k)
    .sort((p, q) => Math.hypot(...areas[q]!) - Math.hypot(...areas[p]!) || p - q);
  const polygons: number[][] = [];
  const normals: number[] = [];
  for (const seed of order) {
    if (group[seed]! >= 0) continue;
    const own = polygons.length;
    const size = Math.hypot(...areas[seed]!);
    const n = areas[seed]!.map((value) => value / size) as [number, number, number];
    const base = triangles[seed]![0];
    const inPlane = (k: number): boolean => {
      const [x, y, z] = vector(base, k);
      return Math.abs(n[0] * x + n[1] * y + n[2] * z) <= FLAT * extent;
    };
    group[seed] = own;
    const members = [seed];
    const next = new Map<number, number>();
    for (let k = 0; k < members.length; k++) {
      const [a, b, c] = triangles[members[k]!]!;
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        const beyond = byEdge.get(to * count + from)!;
        if (group[beyond] === own) continue;
        const leans = areas[beyond]!;
        const agrees = n[0] * leans[0] + n[1] * leans[1] + n[2] * leans[2] > 0;
        if (group[beyond]! < 0 && agrees && triangles[beyond]!.every(inPlane)) {
          group[beyond] = own;
          members.push(beyond);
        }
      }
    }
    for (const member of members) {
      const [a, b, c] = triangles[member]!;
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ] as const) {
        if (group[byEdge.get(to * count + from)!] !== own) next.set(from, to);
      }
    }
    polygons.push(fewer(points, around(next), n));
    normals.push(...n);
  }
  const edges: number[] = [];
  for (const [edge, k] of byEdge) {
    const [from, to] = [Math.floor(edge / count), edge % count];
    if (from < to && group[k] !== group[byEdge.get(to * count + from)!]) edges.push(from, to);
  }
  return { polygons, normals: Float64Array.from(normals), edges: Uint32Array.from(edges) };
}

function around(next: ReadonlyMap<number, number>): number[] {
  const [start] = next.keys();
  const corners: number[] = [];
  for (let k = start!; corners.length < next.size; k = next.get(k)!) {
    corners.push(k);
    if (next.get(k) === start) break;
  }
  return corners;
}

/** Of polygons with many corners, those that are farthest in eight directions. */
function fewer(points: Float64Array, corners: number[], n: readonly [number, number, number]): number[] {
  if (corners.length <= MOST_CORNERS) return corners;
  const [x, y, z] = n.map(Math.abs);
  const across: [number, number, number] =
    x! <= y! && x! <= z! ? [1, 0, 0] : y! <= z! ? [0, 1, 0] : [0, 0, 1];
  const u = crossed(n, across);
  const v = crossed(n, u);
  const chosen = new Set<number>();
  for (let k = 0; k < MOST_CORNERS; k++) {
    const [c, s] = [Math.cos((k * Math.PI) / 4 + 0.1), Math.sin((k * Math.PI) / 4 + 0.1)];
    const reach = (p: number): number =>
      [0, 1, 2].reduce((sum, i) => sum + points[3 * p + i]! * (c * u[i]! + s * v[i]!), 0);
    chosen.add(corners.reduce((best, p) => (reach(p) > reach(best) ? p : best)));
  }
  return corners.filter((corner) => chosen.has(corner));
}
