/** Convex shapes with round surfaces, and the convex shape of each kind of solid. */
import type { Axis, SolidShape } from '../shapes/shape.ts';
import type { Feature } from './feature.ts';
import { BoxCore, SegmentCore } from './polytope.ts';
import type { Convex } from './support.ts';

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

/** The core of a sphere. */
class PointCore implements Convex {
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

class EllipsoidCore implements Convex {
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
    this.u = axis % 3;
    this.v = (axis + 1) % 3;
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
    const u = chosen(this.u, x, y, z);
    const v = chosen(this.v, x, y, z);
    const w = chosen(this.w, x, y, z);
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
      freeAlong(u, 1, into);
      freeAlong(v, 1, into);
    }
    return true;
  }

  holds(feature: Feature, p: Float64Array, s: Float64Array, at: number, tolerance: number): boolean {
    if (feature.count === 1) return feature.isWithin(s, at, tolerance);
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
    this.u = axis % 3;
    this.v = (axis + 1) % 3;
    this.w = axis - 1;
    this.size = 2 * Math.hypot(half + radius, thick);
  }

  /** Bits of the number say on which side the point is along w, and along v. */
  support(x: number, y: number, z: number, point: Float64Array, at: number): number {
    const u = chosen(this.u, x, y, z);
    const v = chosen(this.v, x, y, z);
    const w = chosen(this.w, x, y, z);
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
    if (!(both & 2) && Math.hypot(n[u]!, n[w]!) < FLAT && this.outside(p) < -ROUND * radius) {
      into.base[u] = into.base[w] = 0;
      into.base[v] = up;
      into.flat(into.base);
      freeAlong(u, 1, into);
      freeAlong(w, 1, into);
      return true;
    }
    const at = (k: number): number => (k === v ? up : k === w ? end : 0);
    into.round(at(0), at(1), at(2), radius, u, w);
    if (both & 1) freeAlong(w, 2 * half, into);
    if (both & 2) freeAlong(v, 2 * thick, into);
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

/** One of the coordinates of a vector. */
const chosen = (axis: number, x: number, y: number, z: number): number =>
  axis === 0 ? x : axis === 1 ? y : z;

/** Points are free in the direction of a coordinate, over a length. */
function freeAlong(axis: number, length: number, into: Feature): void {
  into.free(axis === 0 ? length : 0, axis === 1 ? length : 0, axis === 2 ? length : 0);
}
