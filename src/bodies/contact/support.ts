/**
 * Convex shapes as contact needs them: a *core*, known by the point that is farthest in a direction (its support), and a *margin*, by which the
 * shape extends beyond its core everywhere. A sphere is a point with a margin, a capsule a segment with one; all others have none.
 *
 * Everything is in the frame of the shape (`shapes/shape.ts`); directions need not have length 1 unless said.
 */
import type { Axis, SolidShape } from '../shapes/shape.ts';
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

/** The convex shape of a solid; of a mesh see `parts.ts`. A tube is taken for the full cylinder. */
export function convexOf(shape: Exclude<SolidShape, { kind: 'mesh' }>): Convex {
  switch (shape.kind) {
    case 'sphere':
      return new PointCore(shape.diameter / 2);
    case 'ellipsoid':
      return new EllipsoidCore(shape.lengthX / 2, shape.lengthY / 2, shape.lengthZ / 2);
    case 'box':
      return new BoxCore(shape.lengthX / 2, shape.lengthY / 2, shape.lengthZ / 2);
    case 'cylinder':
      return new FrustumCore(
        shape.axis,
        -shape.length / 2,
        shape.length / 2,
        shape.diameter / 2,
        shape.diameter / 2,
      );
    case 'cone':
      return new FrustumCore(shape.axis, 0, shape.length, shape.diameter / 2, shape.topDiameter / 2);
    case 'capsule':
      return new SegmentCore(shape.axis, shape.length / 2, shape.diameter / 2);
    case 'beam':
      return new BeamCore(shape.axis, shape.length / 2, shape.width / 2, shape.thickness / 2);
  }
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

/** Which coordinates u, v, w are. */
const first = (axis: Axis): number => axis % 3;
const second = (axis: Axis): number => (axis + 1) % 3;

/** The core of a sphere. */
export class PointCore implements Convex {
  readonly kind = 'point';
  readonly size: number;
  readonly centre = new Float64Array(3);

  constructor(readonly margin: number) {
    this.size = 2 * margin;
  }

  support(_x: number, _y: number, _z: number, point: Float64Array, at: number): number {
    point[at] = point[at + 1] = point[at + 2] = 0;
    return 0;
  }

  feature(_ids: Int32Array, _count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    into.flat(this.centre);
    return true;
  }

  holds(): boolean {
    return true;
  }

  curvature(): number {
    return this.margin;
  }
}

/** The core of a capsule, from -half to half on its axis. */
export class SegmentCore implements Convex {
  readonly kind = 'segment';
  readonly size: number;
  readonly centre = new Float64Array(3);
  /** The coordinate that it extends in. */
  readonly w: number;
  private readonly ends: Float64Array;

  constructor(
    axis: Axis,
    readonly half: number,
    readonly margin: number,
  ) {
    this.size = 2 * (half + margin);
    this.w = axis - 1;
    this.ends = new Float64Array(6);
    this.ends[this.w] = -half;
    this.ends[3 + this.w] = half;
  }

  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const end = (this.w === 0 ? x : this.w === 1 ? y : z) >= 0 ? 1 : 0;
    point[at] = point[at + 1] = point[at + 2] = 0;
    point[at + this.w] = end ? this.half : -this.half;
    return end;
  }

  feature(ids: Int32Array, count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    return simplexFeature(this.ends, ids, count, into);
  }

  holds(feature: Feature, _p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean {
    return withinSimplex(feature, s, at, tolerance);
  }

  curvature(): number {
    return this.margin;
  }
}

export class BoxCore implements Convex {
  readonly kind = 'box';
  readonly margin = 0;
  readonly size: number;
  readonly centre = new Float64Array(3);
  readonly half: Float64Array;
  private readonly corners = new Float64Array(24);

  constructor(x: number, y: number, z: number) {
    this.half = Float64Array.of(x, y, z);
    this.size = 2 * Math.hypot(x, y, z);
    for (let id = 0; id < 8; id++) {
      for (let k = 0; k < 3; k++) this.corners[3 * id + k] = id & (1 << k) ? this.half[k]! : -this.half[k]!;
    }
  }

  /** Bits of the number say on which sides the corner is. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const half = this.half;
    point[at] = x >= 0 ? half[0]! : -half[0]!;
    point[at + 1] = y >= 0 ? half[1]! : -half[1]!;
    point[at + 2] = z >= 0 ? half[2]! : -half[2]!;
    return (x >= 0 ? 1 : 0) + (y >= 0 ? 2 : 0) + (z >= 0 ? 4 : 0);
  }

  feature(ids: Int32Array, count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    return simplexFeature(this.corners, ids, count, into);
  }

  holds(_feature: Feature, p: Float64Array, _s: Float64Array, _at: number, tolerance: number): boolean {
    for (let k = 0; k < 3; k++) if (!(Math.abs(p[k]!) <= this.half[k]! + tolerance)) return false;
    return true;
  }

  curvature(): number {
    return Infinity;
  }
}

export class EllipsoidCore implements Convex {
  readonly kind = 'ellipsoid';
  readonly margin = 0;
  readonly size: number;
  readonly centre = new Float64Array(3);
  readonly semiaxes: Float64Array;

  constructor(x: number, y: number, z: number) {
    this.semiaxes = Float64Array.of(x, y, z);
    this.size = 2 * Math.max(x, y, z);
  }

  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const [a, b, c] = [this.semiaxes[0]!, this.semiaxes[1]!, this.semiaxes[2]!];
    const [ax, by, cz] = [a * x, b * y, c * z];
    const length = Math.sqrt(ax * ax + by * by + cz * cz) || 1;
    point[at] = (a * ax) / length;
    point[at + 1] = (b * by) / length;
    point[at + 2] = (c * cz) / length;
    return 0;
  }

  feature(_ids: Int32Array, _count: number, _p: Float64Array, _n: Float64Array, into: Feature): boolean {
    into.ellipsoid(this.semiaxes);
    return true;
  }

  holds(): boolean {
    return true;
  }

  /** The Gaussian curvature is 1 / (a b c (x^2 / a^4 + y^2 / b^4 + z^2 / c^4))^2. */
  curvature(_p: Float64Array, n: Float64Array): number {
    const [a, b, c] = [this.semiaxes[0]!, this.semiaxes[1]!, this.semiaxes[2]!];
    const square = (a * n[0]!) ** 2 + (b * n[1]!) ** 2 + (c * n[2]!) ** 2;
    return (a * b * c) / square;
  }
}

/** Cylinders and cones: a circle of radius `low` at w = `from`, one of radius `high` at w = `to`, and what is between them. */
export class FrustumCore implements Convex {
  readonly kind = 'frustum';
  readonly margin = 0;
  readonly size: number;
  readonly centre = new Float64Array(3);
  readonly u: number;
  readonly v: number;
  readonly w: number;
  /** Centres of both ends, and their radii. */
  readonly ends = new Float64Array(6);
  readonly radii: Float64Array;

  constructor(axis: Axis, from: number, to: number, low: number, high: number) {
    this.u = first(axis);
    this.v = second(axis);
    this.w = axis - 1;
    this.ends[this.w] = from;
    this.ends[3 + this.w] = to;
    this.radii = Float64Array.of(low, high);
    this.centre[this.w] = (from + to) / 2;
    this.size = Math.hypot(to - from, 2 * Math.max(low, high));
  }

  /** The number says which end. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const { ends, radii } = this;
    const u = this.u === 0 ? x : this.u === 1 ? y : z;
    const v = this.v === 0 ? x : this.v === 1 ? y : z;
    const w = this.w === 0 ? x : this.w === 1 ? y : z;
    const across = Math.sqrt(u * u + v * v);
    const end = w * ends[3 + this.w]! + across * radii[1]! >= w * ends[this.w]! + across * radii[0]! ? 1 : 0;
    const radius = radii[end]!;
    point[at + this.u] = across > 0 ? (radius * u) / across : radius;
    point[at + this.v] = across > 0 ? (radius * v) / across : 0;
    point[at + this.w] = ends[3 * end + this.w]!;
    return end;
  }

  feature(ids: Int32Array, count: number, p: Float64Array, n: Float64Array, into: Feature): boolean {
    const { ends, radii, u, v } = this;
    for (let k = 1; k < count; k++) {
      if (ids[k] === ids[0]) continue;
      into.round(ends[0]!, ends[1]!, ends[2]!, radii[0]!, u, v);
      into.free(ends[3]! - ends[0]!, ends[4]! - ends[1]!, ends[5]! - ends[2]!, radii[1]! - radii[0]!);
      return true;
    }
    const end = ids[0]!;
    const radius = radii[end]!;
    const inside = Math.hypot(p[u]!, p[v]!) < (1 - ROUND) * radius;
    if (radius > 0 && (!inside || Math.hypot(n[u]!, n[v]!) > FLAT)) {
      into.round(ends[3 * end]!, ends[3 * end + 1]!, ends[3 * end + 2]!, radius, u, v);
      return true;
    }
    into.flat(ends, 3 * end);
    if (radius > 0) {
      into.free(u === 0 ? 1 : 0, u === 1 ? 1 : 0, u === 2 ? 1 : 0);
      into.free(v === 0 ? 1 : 0, v === 1 ? 1 : 0, v === 2 ? 1 : 0);
    }
    return true;
  }

  holds(feature: Feature, p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean {
    if (feature.count === 1) return withinSimplex(feature, s, at, tolerance);
    const radius = this.radii[feature.base[this.w] === this.ends[this.w] ? 0 : 1]!;
    return feature.kind === 'round' || Math.hypot(p[this.u]!, p[this.v]!) <= radius + tolerance;
  }

  curvature(p: Float64Array, n: Float64Array): number {
    const { ends, radii, u, v, w } = this;
    const across = Math.hypot(n[u]!, n[v]!);
    const length = ends[3 + w]! - ends[w]!;
    const leaning = n[w]! * length + across * (radii[1]! - radii[0]!);
    if (Math.abs(leaning) > EDGE * this.size) return Infinity;
    return Math.hypot(p[u]!, p[v]!) / across;
  }
}

/** A disc in the plane of u and w that is swept along w and v. */
export class BeamCore implements Convex {
  readonly kind = 'beam';
  readonly margin = 0;
  readonly size: number;
  readonly centre = new Float64Array(3);
  readonly u: number;
  readonly v: number;
  readonly w: number;

  constructor(
    axis: Axis,
    readonly half: number,
    readonly radius: number,
    readonly thick: number,
  ) {
    this.u = first(axis);
    this.v = second(axis);
    this.w = axis - 1;
    this.size = 2 * Math.hypot(half + radius, thick);
  }

  /** Bits of the number say on which side the point is along w, and along v. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const u = this.u === 0 ? x : this.u === 1 ? y : z;
    const v = this.v === 0 ? x : this.v === 1 ? y : z;
    const w = this.w === 0 ? x : this.w === 1 ? y : z;
    const across = Math.sqrt(u * u + w * w);
    point[at + this.u] = across > 0 ? (this.radius * u) / across : this.radius;
    point[at + this.w] = (w >= 0 ? this.half : -this.half) + (across > 0 ? (this.radius * w) / across : 0);
    point[at + this.v] = v >= 0 ? this.thick : -this.thick;
    return (w >= 0 ? 1 : 0) + (v >= 0 ? 2 : 0);
  }

  feature(ids: Int32Array, count: number, p: Float64Array, n: Float64Array, into: Feature): boolean {
    const { half, thick, radius, u, v, w } = this;
    let both = 0;
    for (let k = 1; k < count; k++) both |= ids[k]! ^ ids[0]!;
    const up = both & 2 ? -thick : ids[0]! & 2 ? thick : -thick;
    const end = both & 1 ? -half : ids[0]! & 1 ? half : -half;
    const unit = (k: number, i: number): number => (k === i ? 1 : 0);
    if (!(both & 2) && Math.hypot(n[u]!, n[w]!) < FLAT && this.outside(p) < -ROUND * radius) {
      into.base[u] = into.base[w] = 0;
      into.base[v] = up;
      into.flat(into.base);
      into.free(unit(u, 0), unit(u, 1), unit(u, 2));
      into.free(unit(w, 0), unit(w, 1), unit(w, 2));
      return true;
    }
    const at = (k: number): number => (k === v ? up : k === w ? end : 0);
    into.round(at(0), at(1), at(2), radius, u, w);
    if (both & 1) into.free(unit(w, 0) * 2 * half, unit(w, 1) * 2 * half, unit(w, 2) * 2 * half);
    if (both & 2) into.free(unit(v, 0) * 2 * thick, unit(v, 1) * 2 * thick, unit(v, 2) * 2 * thick);
    return true;
  }

  holds(_feature: Feature, p: Float64Array, _s: Float64Array, _at: number, tolerance: number): boolean {
    return Math.abs(p[this.v]!) <= this.thick + tolerance && this.outside(p) <= tolerance;
  }

  curvature(_p: Float64Array, n: Float64Array): number {
    return Math.abs(n[this.v]!) > EDGE || Math.abs(n[this.w]!) < EDGE ? Infinity : this.radius;
  }

  /** How far a point is from the outline of the beam as seen along v; negative inside. */
  private outside(p: Float64Array): number {
    const beyond = Math.max(0, Math.abs(p[this.w]!) - this.half);
    return Math.hypot(p[this.u]!, beyond) - this.radius;
  }
}

/** A normal that leans as little may be that of a flat end, and one that leans more is not. */
const FLAT = 3e-3;
/** A point that is as much nearer to the middle of a flat end, as a part of its radius, is not at its rim. */
const ROUND = 1e-4;
/** A normal that leans as little against a surface is its own. */
const EDGE = 1e-9;

/** Vertices, edges and faces of polytopes: between those vertices of a simplex that differ. */
export function simplexFeature(points: Float64Array, ids: Int32Array, count: number, into: Feature): boolean {
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

/** Whether parameters are those of a point between the vertices of such a piece. */
export function withinSimplex(feature: Feature, s: Float64Array, at: number, tolerance: number): boolean {
  let rest = 1;
  for (let k = 0; k < feature.count; k++) {
    const length = feature.length[k]!;
    if (!(s[at + k]! >= -tolerance)) return false;
    rest -= s[at + k]! / length;
    if (!(rest * length >= -tolerance)) return false;
  }
  return true;
}

/** The farthest that a shape reaches from the origin of its frame. */
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
