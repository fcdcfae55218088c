/**
 * Cuts a face or an edge off at the sides of another face, the base, as both are seen along its normal. All is in the frame of the base; points that are left are
 * numbered by what they are, so that they are known again.
 */
import { type Face, MOST_CORNERS } from './face.ts';

/** The largest number of points that two faces share. */
export const MOST_SHARED = 2 * MOST_CORNERS;

/** What is left of the other face within the base. */
export function clip(base: Face, other: Face): Polygon {
  plane(base);
  load(base, other);
  if (base.radius > 0) cutByDisc(base.radius);
  else for (let k = 0; k < base.count && polygon.count > 0; k++) cutBySide(base, k);
  return polygon;
}

// Shared by all, of which only one is cut at a time.
/** The plane of the base: a point of it, and two directions in it. */
export const origin = new Float64Array(3);
export const first = new Float64Array(3);
export const second = new Float64Array(3);

/**
 * What is left of the other face, as seen in the plane: coordinates in it, and the height above it. Each point is a `corner` of the other face, or
 * lies on the edge that begins there; or it is on a `side` of the base, which is the one that begins at that corner. Where both are
 * there, edge and side cross; a corner of the base has the corner -1. Then comes which edge, or side, the boundary follows to the next point.
 */
export interface Polygon {
  count: number;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array;
  readonly corner: Int32Array;
  readonly side: Int32Array;
  /** The edge that leads to the next point: from this corner of the other face, or -1 - k along side k of the base. */
  readonly edge: Int32Array;
}

const newPolygon = (): Polygon => ({
  count: 0,
  x: new Float64Array(2 * MOST_SHARED),
  y: new Float64Array(2 * MOST_SHARED),
  z: new Float64Array(2 * MOST_SHARED),
  corner: new Int32Array(2 * MOST_SHARED),
  side: new Int32Array(2 * MOST_SHARED),
  edge: new Int32Array(2 * MOST_SHARED),
});
let polygon = newPolygon();
let next = newPolygon();

function push(x: number, y: number, z: number, corner: number, side: number, edge: number): void {
  const k = next.count++;
  next.x[k] = x;
  next.y[k] = y;
  next.z[k] = z;
  next.corner[k] = corner;
  next.side[k] = side;
  next.edge[k] = edge;
}

function swap(): void {
  const other = polygon;
  polygon = next;
  next = other;
}

function plane({ points, normal: n, centre, radius }: Face): void {
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

const along = (p: Float64Array, at: number, direction: Float64Array): number =>
  (p[at]! - origin[0]!) * direction[0]! +
  (p[at + 1]! - origin[1]!) * direction[1]! +
  (p[at + 2]! - origin[2]!) * direction[2]!;

function load(base: Face, { count, points }: Face): void {
  next.count = 0;
  for (let k = 0; k < count; k++) {
    push(
      along(points, 3 * k, first),
      along(points, 3 * k, second),
      along(points, 3 * k, base.normal),
      k,
      -1,
      k,
    );
  }
  swap();
}

/** Keeps what is on the left of a side of the base (Sutherland and Hodgman 1974). */
function cutBySide({ points, count }: Face, side: number): void {
  const [i, j] = [3 * side, 3 * ((side + 1) % count)];
  const [x0, y0] = [along(points, i, first), along(points, i, second)];
  const [dx, dy] = [along(points, j, first) - x0, along(points, j, second) - y0];
  const { x, y, z, corner, side: sides, edge } = polygon;
  const within = (k: number): number => dx * (y[k]! - y0) - dy * (x[k]! - x0);
  next.count = 0;
  // An edge has two ends, and one side.
  const isEdge = polygon.count === 2;
  const last = isEdge ? 1 : polygon.count;
  for (let k = 0; k < last; k++) {
    const to = (k + 1) % polygon.count;
    const [here, there] = [within(k), within(to)];
    if (here >= 0) push(x[k]!, y[k]!, z[k]!, corner[k]!, sides[k]!, edge[k]!);
    if (here >= 0 !== there >= 0) {
      const t = here / (here - there);
      push(
        x[k]! + t * (x[to]! - x[k]!),
        y[k]! + t * (y[to]! - y[k]!),
        z[k]! + t * (z[to]! - z[k]!),
        edge[k]! >= 0 ? edge[k]! : -1,
        edge[k]! >= 0 ? side : cornerBetween(-1 - edge[k]!, side, count),
        here >= 0 && !isEdge ? -1 - side : edge[k]!,
      );
    }
    if (isEdge && there >= 0) push(x[to]!, y[to]!, z[to]!, corner[to]!, sides[to]!, edge[k]!);
  }
  swap();
}

/** The corner of the base at which two of its sides meet. (Sides between them have no length.) */
const cornerBetween = (one: number, two: number, count: number): number =>
  2 * ((two - one + count) % count) <= count ? two : one;

/** Keeps what is within a circle about the origin of the plane. */
function cutByDisc(radius: number): void {
  const { x, y, z, corner, side, edge, count } = polygon;
  next.count = 0;
  const isEdge = count === 2;
  const last = isEdge ? 1 : count;
  for (let k = 0; k < last; k++) {
    const to = (k + 1) % count;
    const [dx, dy] = [x[to]! - x[k]!, y[to]! - y[k]!];
    const a = dx * dx + dy * dy;
    const b = x[k]! * dx + y[k]! * dy;
    const c = x[k]! * x[k]! + y[k]! * y[k]! - radius * radius;
    const root = b * b - a * c;
    if (c <= 0) push(x[k]!, y[k]!, z[k]!, corner[k]!, side[k]!, edge[k]!);
    if (root > 0 && a > 0) {
      const [enters, leaves] = [(-b - Math.sqrt(root)) / a, (-b + Math.sqrt(root)) / a];
      for (let way = 0; way < 2; way++) {
        const t = way === 0 ? enters : leaves;
        if (!(t > 0 && t < 1)) continue;
        push(
          x[k]! + t * dx,
          y[k]! + t * dy,
          z[k]! + t * (z[to]! - z[k]!),
          edge[k]!,
          way,
          way === 0 ? edge[k]! : -1,
        );
      }
    }
    if (isEdge && x[to]! * x[to]! + y[to]! * y[to]! <= radius * radius) {
      push(x[to]!, y[to]!, z[to]!, corner[to]!, side[to]!, edge[to]!);
    }
  }
  swap();
}

/** The part of the size of a polygon that an edge must have to have a direction. */
const SHORT = 1e-9;

/**
 * The share of each point: by how much the boundary turns there. Of all measures that have no weight but at corners it is the one that changes continuously with the
 * polygon (the curvature measure of H. Federer), whatever corners it is said to have: one between two that are in line has no weight, two at one place
 * share that of one, and a strip that becomes an edge leaves a half to each end.
 */
export function weigh({ x, y, count }: Polygon, weight: Float64Array): void {
  weight.fill(0, 0, count);
  let size = 0;
  for (let k = 1; k < count; k++) size = Math.max(size, Math.abs(x[k]! - x[0]!) + Math.abs(y[k]! - y[0]!));
  const short = SHORT * size;
  // A last edge that has a direction is that on which the boundary comes to the first point.
  let [ux, uy] = [0, 0];
  for (let k = count - 1; k >= 0 && ux === 0 && uy === 0; k--) {
    const to = (k + 1) % count;
    const [dx, dy] = [x[to]! - x[k]!, y[to]! - y[k]!];
    if (Math.hypot(dx, dy) > short) [ux, uy] = [dx, dy];
  }
  let way = 0;
  for (let k = 0; k < count; k++) {
    const to = (k + 1) % count;
    const [dx, dy] = [x[to]! - x[k]!, y[to]! - y[k]!];
    if (!(Math.hypot(dx, dy) > short)) continue;
    weight[k] = Math.atan2(ux * dy - uy * dx, ux * dx + uy * dy);
    way += weight[k]!;
    [ux, uy] = [dx, dy];
  }
  // Faces go round in one way or the other; along an edge and back is half a turn at each end, to any side.
  let sum = 0;
  for (let k = 0; k < count; k++) {
    weight[k] = count === 2 ? Math.abs(weight[k]!) : Math.max(0, way < 0 ? -weight[k]! : weight[k]!);
    sum += weight[k]!;
  }
  for (let k = 0; k < count; k++) weight[k] = sum > 0 ? weight[k]! / sum : 1 / count;
}
