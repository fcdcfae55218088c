/** Convex shapes with corners: segments, boxes, and convex hulls of points (`hull.ts`). Pieces of their surfaces are known by the numbers of their corners. */
import type { Axis } from '../shapes/shape.ts';
import type { Feature } from './feature.ts';
import type { Convex } from './support.ts';

abstract class Polytope implements Convex {
  abstract readonly kind: Convex['kind'];
  abstract readonly size: number;
  readonly centre = new Float64Array(3);
  /** x, y, z of one corner after the other, by the numbers that `support` gives. */
  abstract readonly points: Float64Array;

  constructor(readonly margin = 0) {}

  abstract support(x: number, y: number, z: number, point: Float64Array, at: number): number;

  /** A corner, an edge or a face: between those of the corners that differ. False where they span a volume. */
  feature(ids: Int32Array, count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    const { points } = this;
    const base = 3 * ids[0]!;
    into.flat(points, base);
    let other = -1;
    for (let k = 1; k < count; k++) {
      const id = ids[k]!;
      if (id === ids[0] || id === other) continue;
      if (into.count === 2) {
        let known = false;
        for (let i = 0; i < k; i++) known ||= ids[i] === id;
        if (!known) return false;
        continue;
      }
      other = id;
      into.free(
        points[3 * id]! - points[base]!,
        points[3 * id + 1]! - points[base + 1]!,
        points[3 * id + 2]! - points[base + 2]!,
      );
    }
    return true;
  }

  holds(feature: Feature, _p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean {
    return feature.isWithin(s, at, tolerance);
  }

  curvature(): number {
    return Infinity;
  }
}

/** The core of a capsule, from -half to half on its axis. */
export class SegmentCore extends Polytope {
  readonly kind = 'segment';
  readonly size: number;
  /** The coordinate that it extends in. */
  readonly w: number;
  readonly points = new Float64Array(6);

  constructor(
    axis: Axis,
    readonly half: number,
    margin: number,
  ) {
    super(margin);
    this.size = 2 * (half + margin);
    this.w = axis - 1;
    this.points[this.w] = -half;
    this.points[3 + this.w] = half;
  }

  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const end = (this.w === 0 ? x : this.w === 1 ? y : z) >= 0 ? 1 : 0;
    point[at] = point[at + 1] = point[at + 2] = 0;
    point[at + this.w] = end ? this.half : -this.half;
    return end;
  }

  override curvature(): number {
    return this.margin;
  }
}

export class BoxCore extends Polytope {
  readonly kind = 'box';
  readonly size: number;
  readonly half: Float64Array;
  readonly points = new Float64Array(24);

  constructor(x: number, y: number, z: number) {
    super();
    this.half = Float64Array.of(x, y, z);
    this.size = 2 * Math.hypot(x, y, z);
    for (let id = 0; id < 8; id++)
      for (let k = 0; k < 3; k++) this.points[3 * id + k] = id & (1 << k) ? this.half[k]! : -this.half[k]!;
  }

  /** Bits of the number say on which sides the corner is. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const half = this.half;
    point[at] = x >= 0 ? half[0]! : -half[0]!;
    point[at + 1] = y >= 0 ? half[1]! : -half[1]!;
    point[at + 2] = z >= 0 ? half[2]! : -half[2]!;
    return (x >= 0 ? 1 : 0) + (y >= 0 ? 2 : 0) + (z >= 0 ? 4 : 0);
  }

  /** Three corners of a face span half of it only. */
  override holds(
    _feature: Feature,
    p: Float64Array,
    _s: Float64Array,
    _at: number,
    tolerance: number,
  ): boolean {
    for (let k = 0; k < 3; k++) if (!(Math.abs(p[k]!) <= this.half[k]! + tolerance)) return false;
    return true;
  }
}

/** What is known of the convex hull of points, none of which lies inside. */
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

export class HullCore extends Polytope {
  readonly kind = 'hull';
  readonly size: number;
  readonly points: Float64Array;
  /** Of large hulls, the farthest vertices in the directions of `STARTS`: from there it is not far to any other. */
  private readonly starts: Uint32Array | undefined;

  constructor(readonly shape: HullShape) {
    super();
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
    if (count > MANY) this.starts = Uint32Array.from(STARTS, ([x, y, z]) => this.farthest(x, y, z));
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
    const count = this.points.length / 3;
    let [best, most] = [0, -Infinity];
    for (let vertex = 0; vertex < count; vertex++) {
      const reach = this.reach(vertex, x, y, z);
      if (reach > most) {
        most = reach;
        best = vertex;
      }
    }
    return best;
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
}

/** Hulls with more vertices are large. */
const MANY = 48;
/** Towards faces, edges and corners of a cube. */
const STARTS = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as const)),
);
