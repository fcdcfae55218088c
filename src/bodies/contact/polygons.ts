/** The faces of a convex hull: triangles that lie in one plane, joined to polygons. */
import { MOST_CORNERS } from './face.ts';
import type { HullShape } from './polytope.ts';
import { crossed, sidesOf, type Triangle } from './quickhull.ts';

/** Triangles are one face if their corners are as near to its plane, as a part of the extent: files of meshes have numbers of single precision. */
const FLAT = 1e-6;

/** Polygons of the largest triangles come first. */
export function polygonsOf(
  points: Float64Array,
  triangles: readonly Triangle[],
): Pick<HullShape, 'polygons' | 'normals' | 'edges'> {
  const surface = new Surface(points, triangles);
  const polygons: number[][] = [];
  const normals: number[] = [];
  for (const seed of surface.largestFirst()) {
    if (surface.faceOf[seed]! >= 0) continue;
    const n = surface.normalOf(seed);
    const members = surface.join(seed, n, polygons.length);
    polygons.push(fewer(points, surface.around(members), n));
    normals.push(...n);
  }
  return { polygons, normals: Float64Array.from(normals), edges: surface.edges() };
}

class Surface {
  /** Of each triangle: its face, -1 as long as it has none. */
  readonly faceOf: Int32Array;
  /** Of each triangle: its normal, as long as twice its area. */
  private readonly areas: readonly Vector[];
  /** Triangles by their sides, as from n + to; n is the number of points. */
  private readonly bySide = new Map<number, number>();
  private readonly n: number;
  private readonly extent: number;

  constructor(
    private readonly points: Float64Array,
    private readonly triangles: readonly Triangle[],
  ) {
    this.n = points.length / 3;
    this.faceOf = new Int32Array(triangles.length).fill(-1);
    this.areas = triangles.map(([a, b, c]) => crossed(this.vector(a, b), this.vector(a, c)));
    let extent = 0;
    for (const [k, triangle] of triangles.entries())
      for (const [from, to] of sidesOf(triangle)) {
        this.bySide.set(from * this.n + to, k);
        extent = Math.max(extent, Math.hypot(...this.vector(from, to)));
      }
    this.extent = extent;
  }

  private vector(from: number, to: number): Vector {
    const p = this.points;
    return [p[3 * to]! - p[3 * from]!, p[3 * to + 1]! - p[3 * from + 1]!, p[3 * to + 2]! - p[3 * from + 2]!];
  }

  private beyond(from: number, to: number): number {
    return this.bySide.get(to * this.n + from)!;
  }

  largestFirst(): number[] {
    const sizes = this.areas.map((area) => Math.hypot(...area));
    return [...sizes.keys()].sort((p, q) => sizes[q]! - sizes[p]! || p - q);
  }

  normalOf(triangle: number): Vector {
    const [x, y, z] = this.areas[triangle]!;
    const size = Math.hypot(x, y, z);
    return [x / size, y / size, z / size];
  }

  /** Triangles about one that lie in its plane, which has the normal n, become its face. */
  join(seed: number, n: Vector, face: number): number[] {
    const { triangles, faceOf } = this;
    const base = triangles[seed]![0];
    const isInPlane = (k: number): boolean => Math.abs(dot(n, this.vector(base, k))) <= FLAT * this.extent;
    const members = [seed];
    faceOf[seed] = face;
    for (let k = 0; k < members.length; k++)
      for (const [from, to] of sidesOf(triangles[members[k]!]!)) {
        const beyond = this.beyond(from, to);
        if (faceOf[beyond]! >= 0 || !(dot(n, this.areas[beyond]!) > 0)) continue;
        if (!triangles[beyond]!.every(isInPlane)) continue;
        faceOf[beyond] = face;
        members.push(beyond);
      }
    return members;
  }

  /** The corners of a face, counter-clockwise. */
  around(members: readonly number[]): number[] {
    const next = new Map<number, number>();
    for (const member of members)
      for (const [from, to] of sidesOf(this.triangles[member]!))
        if (this.faceOf[this.beyond(from, to)] !== this.faceOf[member]) next.set(from, to);
    const [start] = next.keys();
    const corners: number[] = [];
    for (let k = start!; corners.length < next.size; k = next.get(k)!) {
      corners.push(k);
      if (next.get(k) === start) break;
    }
    return corners;
  }

  /** Sides at which faces meet. */
  edges(): Uint32Array {
    const edges: number[] = [];
    for (const [side, k] of this.bySide) {
      const [from, to] = [Math.floor(side / this.n), side % this.n];
      if (from < to && this.faceOf[k] !== this.faceOf[this.beyond(from, to)]) edges.push(from, to);
    }
    return Uint32Array.from(edges);
  }
}

/** Of polygons with many corners, those that are farthest in eight directions. */
function fewer(points: Float64Array, corners: number[], n: Vector): number[] {
  if (corners.length <= MOST_CORNERS) return corners;
  const [x, y, z] = n.map(Math.abs);
  const across: Vector = x! <= y! && x! <= z! ? [1, 0, 0] : y! <= z! ? [0, 1, 0] : [0, 0, 1];
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

type Vector = readonly [number, number, number];

const dot = ([a, b, c]: Vector, [x, y, z]: Vector): number => a * x + b * y + c * z;
