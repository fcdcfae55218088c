/**
 * A piece of the surface of a convex shape on which the point that is farthest in a direction n is a smooth function of n:
 *
 *     p(n, s) = base + radius u(n) + s1 e1(n) + s2 e2(n),     e(n) = along + slope u(n),     e(n) . n = 0 for each e
 *
 * A vertex has a base only; edges and flat faces have one or two directions e, along which the point is free. On a circle, u is the unit vector
 * of the part of n in its plane, and the side of a cone is made of circles whose radius grows along e. On an ellipsoid the point follows from n
 * alone. Directions e have length 1, so that s are lengths.
 */
/** A feature as a value, with the fields that it has. */
export interface Piece {
  readonly kind: Feature['kind'];
  readonly base: readonly number[];
  readonly radius: number;
  readonly first: number;
  readonly second: number;
  readonly semiaxes: readonly number[];
  readonly count: number;
  readonly along: readonly number[];
  readonly slope: readonly number[];
  readonly length: readonly number[];
}

export class Feature {
  kind: 'flat' | 'round' | 'ellipsoid' = 'flat';
  readonly base = new Float64Array(3);
  /** Of a circle: its radius, and which two coordinates its plane has. */
  radius = 0;
  first = 0;
  second = 1;
  /** Of an ellipsoid. */
  readonly semiaxes = new Float64Array(3);
  /** How many directions e there are, their constant parts, and how they lean. */
  count = 0;
  readonly along = new Float64Array(6);
  readonly slope = new Float64Array(2);
  /** How long the directions were before they had length 1. */
  readonly length = new Float64Array(2);

  /** Results of `locate`. */
  readonly point = new Float64Array(3);
  readonly directions = new Float64Array(6);
  /** The derivative of the point by n: a symmetric matrix, rows one after the other. */
  readonly turning = new Float64Array(9);

  /** What it is, as a value. */
  save(): Piece {
    const { kind, base, radius, first, second, semiaxes, count, along, slope, length } = this;
    return {
      kind,
      base: [...base],
      radius,
      first,
      second,
      semiaxes: [...semiaxes],
      count,
      along: [...along],
      slope: [...slope],
      length: [...length],
    };
  }

  /** Becomes what was saved. */
  load({ kind, base, radius, first, second, semiaxes, count, along, slope, length }: Piece): void {
    this.kind = kind;
    this.base.set(base);
    this.radius = radius;
    this.first = first;
    this.second = second;
    this.semiaxes.set(semiaxes);
    this.count = count;
    this.along.set(along);
    this.slope.set(slope);
    this.length.set(length);
  }

  flat(base: Float64Array, at = 0): this {
    this.kind = 'flat';
    this.count = 0;
    for (let k = 0; k < 3; k++) this.base[k] = base[at + k]!;
    return this;
  }

  round(x: number, y: number, z: number, radius: number, first: number, second: number): this {
    this.kind = 'round';
    this.count = 0;
    this.base[0] = x;
    this.base[1] = y;
    this.base[2] = z;
    this.radius = radius;
    this.first = first;
    this.second = second;
    return this;
  }

  ellipsoid(semiaxes: Float64Array): this {
    this.kind = 'ellipsoid';
    this.count = 0;
    this.semiaxes.set(semiaxes);
    return this;
  }

  /** Adds a direction, of any length but zero. */
  free(x: number, y: number, z: number, slope = 0): this {
    const k = this.count++;
    const length = Math.sqrt(x * x + y * y + z * z + slope * slope);
    this.along[3 * k] = x / length;
    this.along[3 * k + 1] = y / length;
    this.along[3 * k + 2] = z / length;
    this.slope[k] = slope / length;
    this.length[k] = length;
    return this;
  }

  /** The point in the direction n, which has length 1, at the parameters `s[at]`, `s[at + 1]`. */
  locate(x: number, y: number, z: number, s: Float64Array, at: number): void {
    const { point, turning, directions } = this;
    directions.set(this.along);
    turning.fill(0);
    if (this.kind === 'ellipsoid') {
      this.locateOnEllipsoid(x, y, z);
      return;
    }
    point.set(this.base);
    if (this.kind === 'round') this.locateOnCircle(x, y, z, s, at);
    for (let k = 0; k < this.count; k++) {
      const by = s[at + k]!;
      for (let i = 0; i < 3; i++) point[i]! += by * directions[3 * k + i]!;
    }
  }

  /** The parameters of the point that is nearest to p where n is the direction. */
  parameters(p: Float64Array, n: Float64Array, s: Float64Array, at: number): void {
    s[at] = s[at + 1] = 0;
    if (this.count === 0) return;
    this.locate(n[0]!, n[1]!, n[2]!, s, at);
    const { point, directions: e } = this;
    const [x, y, z] = [p[0]! - point[0]!, p[1]! - point[1]!, p[2]! - point[2]!];
    const one = x * e[0]! + y * e[1]! + z * e[2]!;
    if (this.count === 1) {
      s[at] = one;
      return;
    }
    const two = x * e[3]! + y * e[4]! + z * e[5]!;
    const mixed = e[0]! * e[3]! + e[1]! * e[4]! + e[2]! * e[5]!;
    const determinant = 1 - mixed * mixed;
    if (!(determinant > 0)) return;
    s[at] = (one - mixed * two) / determinant;
    s[at + 1] = (two - mixed * one) / determinant;
  }

  /** Whether parameters are those of a point between the vertices from which the directions lead. */
  isWithin(s: Float64Array, at: number, tolerance: number): boolean {
    let rest = 1;
    for (let k = 0; k < this.count; k++) {
      const length = this.length[k]!;
      if (!(s[at + k]! >= -tolerance)) return false;
      rest -= s[at + k]! / length;
      if (!(rest * length >= -tolerance)) return false;
    }
    return true;
  }

  private locateOnEllipsoid(x: number, y: number, z: number): void {
    const { point, turning, semiaxes } = this;
    const [a, b, c] = [semiaxes[0]!, semiaxes[1]!, semiaxes[2]!];
    const length = Math.sqrt(a * a * x * x + b * b * y * y + c * c * z * z);
    point[0] = (a * a * x) / length;
    point[1] = (b * b * y) / length;
    point[2] = (c * c * z) / length;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        turning[3 * i + j] = ((i === j ? semiaxes[i]! * semiaxes[i]! : 0) - point[i]! * point[j]!) / length;
      }
    }
  }

  private locateOnCircle(x: number, y: number, z: number, s: Float64Array, at: number): void {
    const { point, turning, directions, first, second } = this;
    const u = first === 0 ? x : first === 1 ? y : z;
    const v = second === 0 ? x : second === 1 ? y : z;
    const across = Math.sqrt(u * u + v * v);
    const [c, d] = across > 0 ? [u / across, v / across] : [1, 0];
    let radius = this.radius;
    for (let k = 0; k < this.count; k++) {
      radius += s[at + k]! * this.slope[k]!;
      directions[3 * k + first]! += this.slope[k]! * c;
      directions[3 * k + second]! += this.slope[k]! * d;
    }
    point[first]! += this.radius * c;
    point[second]! += this.radius * d;
    if (across === 0) return;
    const by = radius / across;
    turning[4 * first] = by * d * d;
    turning[4 * second] = by * c * c;
    turning[3 * first + second] = turning[3 * second + first] = -by * c * d;
  }
}
