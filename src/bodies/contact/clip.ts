/**
 * What is left of a face within another one, the *base*, as both are seen along the normal of that: it is cut off at the sides of the base, one after the other (I. E. Sutherland
 * and G. W. Hodgman, Reentrant polygon clipping, 1974), or at the rim of a disc.
 */
import { type Face, MOST_CORNERS } from './face.ts';

/** Room for points: each side of the base adds one at the most, and a disc two on each edge. */
const MOST = 4 * MOST_CORNERS;

/**
 * A polygon in the plane of the base: coordinates in it, and the height above it. Each point is a `corner` of the other face, or lies on the edge that begins
 * there; or it is on a `side` of the base, which is the one that begins at that corner. Where both are there, edge and side cross; a corner of the
 * base has the corner -1.
 */
interface Polygon {
  count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly corner: Int32Array;
  readonly side: Int32Array;
  /** What the boundary follows to the next point: the edge from this corner of the other face, or -1 - k along side k of the base. */
  readonly edge: Int32Array;
}

const newPolygon = (): Polygon => ({
  count: 0,
  x: new Float64Array(MOST),
  y: new Float64Array(MOST),
  z: new Float64Array(MOST),
  corner: new Int32Array(MOST),
  side: new Int32Array(MOST),
  edge: new Int32Array(MOST),
});

export class Clip {
  /** What is left; and what will be after the next cut. */
  polygon = newPolygon();
  private next = newPolygon();
  /** The plane of the base: a point of it, two directions in it. */
  private readonly origin = new Float64Array(3);
  private readonly first = new Float64Array(3);
  private readonly second = new Float64Array(3);

  cut(base: Face, other: Face): void {
    this.place(base);
    this.load(base, other);
    if (base.radius > 0) this.cutByDisc(base.radius);
    else for (let k = 0; k < base.count && this.polygon.count > 0; k++) this.cutBySide(base, k);
  }

  /** A coordinate of the place in the plane that a point is above of. */
  foot(k: number, i: number): number {
    const { x, y } = this.polygon;
    return this.origin[i]! + x[k]! * this.first[i]! + y[k]! * this.second[i]!;
  }

  /** Weights of points: the part of the boundary that is nearer to one than to its neighbours. */
  weigh(weight: Float64Array): void {
    const { x, y, count } = this.polygon;
    let sum = 0;
    weight.fill(0, 0, count);
    for (let k = 0; k < count; k++) {
      const to = (k + 1) % count;
      const [dx, dy] = [x[to]! - x[k]!, y[to]! - y[k]!];
      const half = Math.sqrt(dx * dx + dy * dy) / 2;
      weight[k]! += half;
      weight[to]! += half;
      sum += 2 * half;
    }
    for (let k = 0; k < count; k++) weight[k] = sum > 0 ? weight[k]! / sum : 1 / count;
  }

  private place({ points, normal: n, centre, radius }: Face): void {
    const { origin, first, second } = this;
    for (let k = 0; k < 3; k++) origin[k] = radius > 0 ? centre[k]! : points[k]!;
    let length = 0;
    for (let k = 0; k < 3; k++) {
      first[k] = points[k + (radius > 0 ? 0 : 3)]! - origin[k]!;
      length += first[k]! * first[k]!;
    }
    length = Math.sqrt(length);
    for (let k = 0; k < 3; k++) first[k]! /= length;
    second[0] = n[1]! * first[2]! - n[2]! * first[1]!;
    second[1] = n[2]! * first[0]! - n[0]! * first[2]!;
    second[2] = n[0]! * first[1]! - n[1]! * first[0]!;
  }

  /** How far the point at a place is from the origin, in a direction. */
  private along(p: Float64Array, at: number, direction: Float64Array): number {
    const { origin } = this;
    return (
      (p[at]! - origin[0]!) * direction[0]! +
      (p[at + 1]! - origin[1]!) * direction[1]! +
      (p[at + 2]! - origin[2]!) * direction[2]!
    );
  }

  private load({ normal }: Face, { count, points }: Face): void {
    const { first, second } = this;
    this.next.count = 0;
    for (let k = 0; k < count; k++) {
      const at = 3 * k;
      this.push(
        this.along(points, at, first),
        this.along(points, at, second),
        this.along(points, at, normal),
        k,
        -1,
        k,
      );
    }
    this.swap();
  }

  /** Keeps what is on the left of a side of the base. */
  private cutBySide({ points, count }: Face, side: number): void {
    const { polygon, first, second } = this;
    const [i, j] = [3 * side, 3 * ((side + 1) % count)];
    const [x0, y0] = [this.along(points, i, first), this.along(points, i, second)];
    const [dx, dy] = [this.along(points, j, first) - x0, this.along(points, j, second) - y0];
    const { x, y, edge } = polygon;
    const within = (k: number): number => dx * (y[k]! - y0) - dy * (x[k]! - x0);
    this.next.count = 0;
    // An edge has two ends, and one side.
    const isEdge = polygon.count === 2;
    const last = isEdge ? 1 : polygon.count;
    for (let k = 0; k < last; k++) {
      const to = (k + 1) % polygon.count;
      const [here, there] = [within(k), within(to)];
      const follows = edge[k]!;
      if (here >= 0) this.keep(k, follows);
      if (here >= 0 !== there >= 0) {
        const isOfBase = follows < 0;
        this.pushBetween(
          k,
          to,
          here / (here - there),
          isOfBase ? -1 : follows,
          isOfBase ? cornerBetween(-1 - follows, side, count) : side,
          here >= 0 && !isEdge ? -1 - side : follows,
        );
      }
      if (isEdge && there >= 0) this.keep(to, follows);
    }
    this.swap();
  }

  /** Keeps what is within a circle about the origin of the plane. Its crossings have the side 0 where an edge enters, and 1 where it leaves. */
  private cutByDisc(radius: number): void {
    const { x, y, edge, count } = this.polygon;
    this.next.count = 0;
    const isEdge = count === 2;
    const last = isEdge ? 1 : count;
    for (let k = 0; k < last; k++) {
      const to = (k + 1) % count;
      const [dx, dy] = [x[to]! - x[k]!, y[to]! - y[k]!];
      const a = dx * dx + dy * dy;
      const b = x[k]! * dx + y[k]! * dy;
      const c = x[k]! * x[k]! + y[k]! * y[k]! - radius * radius;
      const root = b * b - a * c;
      if (c <= 0) this.keep(k, edge[k]!);
      if (root > 0 && a > 0) {
        const [enters, leaves] = [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
        if (enters > 0 && enters < 1) this.pushBetween(k, to, enters, edge[k]!, 0, edge[k]!);
        if (leaves > 0 && leaves < 1) this.pushBetween(k, to, leaves, edge[k]!, 1, -1);
      }
      if (isEdge && x[to]! * x[to]! + y[to]! * y[to]! <= radius * radius) this.keep(to, edge[to]!);
    }
    this.swap();
  }

  private keep(k: number, edge: number): void {
    const { x, y, z, corner, side } = this.polygon;
    this.push(x[k]!, y[k]!, z[k]!, corner[k]!, side[k]!, edge);
  }

  /** A new point, at a part of the way from one to another. */
  private pushBetween(from: number, to: number, t: number, corner: number, side: number, edge: number): void {
    const { x, y, z } = this.polygon;
    this.push(
      x[from]! + t * (x[to]! - x[from]!),
      y[from]! + t * (y[to]! - y[from]!),
      z[from]! + t * (z[to]! - z[from]!),
      corner,
      side,
      edge,
    );
  }

  private push(x: number, y: number, z: number, corner: number, side: number, edge: number): void {
    const { next } = this;
    const k = next.count++;
    next.x[k] = x;
    next.y[k] = y;
    next.z[k] = z;
    next.corner[k] = corner;
    next.side[k] = side;
    next.edge[k] = edge;
  }

  private swap(): void {
    const { polygon } = this;
    this.polygon = this.next;
    this.next = polygon;
  }
}

/** The corner of the base at which two of its sides meet. (Sides between them have no length.) */
const cornerBetween = (one: number, two: number, count: number): number =>
  2 * ((two - one + count) % count) <= count ? two : one;
