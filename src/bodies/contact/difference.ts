/**
 * Two convex shapes a and b that are placed, as the set of all differences b - a of their points: it contains the origin where the shapes
 * overlap, and its point that is nearest to the origin is as long as their distance. Everything is in the frame of a, so that nothing is lost far away from
 * the origin of the world, and of the cores: margins are taken into account at the end.
 */
import type { Convex } from './support.ts';

/** Points of a difference: w = b - a, the points a and b that it comes from, and the pieces of their surfaces. */
export class Vertices {
  readonly w: Float64Array;
  readonly a: Float64Array;
  readonly b: Float64Array;
  readonly idA: Int32Array;
  readonly idB: Int32Array;

  constructor(count: number) {
    this.w = new Float64Array(3 * count);
    this.a = new Float64Array(3 * count);
    this.b = new Float64Array(3 * count);
    this.idA = new Int32Array(count);
    this.idB = new Int32Array(count);
  }

  copy(to: number, other: Vertices, from: number): void {
    for (let k = 0; k < 3; k++) {
      this.w[3 * to + k] = other.w[3 * from + k]!;
      this.a[3 * to + k] = other.a[3 * from + k]!;
      this.b[3 * to + k] = other.b[3 * from + k]!;
    }
    this.idA[to] = other.idA[from]!;
    this.idB[to] = other.idB[from]!;
  }
}

export class Difference {
  /** Rows of the rotation of b in the frame of a, and its translation. */
  readonly rotation = new Float64Array(9);
  readonly translation = new Float64Array(3);
  /** Sizes and distance: what errors are a part of. */
  scale = 1;

  constructor(
    readonly a: Convex,
    readonly b: Convex,
  ) {}

  /** Rotations and positions are those of objects; a and b are the numbers of two of them. */
  place(rotation: Float64Array, position: Float64Array, a: number, b: number): void {
    const { rotation: r, translation: t } = this;
    const [i, j] = [9 * a, 9 * b];
    for (let row = 0; row < 3; row++) {
      const [x, y, z] = [rotation[i + row]!, rotation[i + 3 + row]!, rotation[i + 6 + row]!];
      for (let k = 0; k < 3; k++) {
        r[3 * row + k] = x * rotation[j + k]! + y * rotation[j + 3 + k]! + z * rotation[j + 6 + k]!;
      }
      t[row] =
        x * (position[3 * b]! - position[3 * a]!) +
        y * (position[3 * b + 1]! - position[3 * a + 1]!) +
        z * (position[3 * b + 2]! - position[3 * a + 2]!);
    }
    this.scale = this.a.size + this.b.size + Math.sqrt(t[0]! * t[0]! + t[1]! * t[1]! + t[2]! * t[2]!);
    // A rotation that is not a number makes the scale none.
    if (!(r[0]! + r[4]! + r[8]! < Infinity)) this.scale = Number.NaN;
  }

  /** The point whose part along n is least: of a the farthest along n, of b the farthest along -n. Gives that part, times the length of n. */
  support(x: number, y: number, z: number, into: Vertices, k: number): number {
    const { rotation: r, translation: t } = this;
    const { a, b, w } = into;
    const at = 3 * k;
    into.idA[k] = this.a.support(x, y, z, a, at);
    into.idB[k] = this.b.support(
      -(r[0]! * x + r[3]! * y + r[6]! * z),
      -(r[1]! * x + r[4]! * y + r[7]! * z),
      -(r[2]! * x + r[5]! * y + r[8]! * z),
      b,
      at,
    );
    const [p, q, s] = [b[at]!, b[at + 1]!, b[at + 2]!];
    b[at] = t[0]! + r[0]! * p + r[1]! * q + r[2]! * s;
    b[at + 1] = t[1]! + r[3]! * p + r[4]! * q + r[5]! * s;
    b[at + 2] = t[2]! + r[6]! * p + r[7]! * q + r[8]! * s;
    w[at] = b[at]! - a[at]!;
    w[at + 1] = b[at + 1]! - a[at + 1]!;
    w[at + 2] = b[at + 2]! - a[at + 2]!;
    return x * w[at]! + y * w[at + 1]! + z * w[at + 2]!;
  }

  /** A point, given in the frame of a, in that of b. */
  inB(p: Float64Array, into: Float64Array): void {
    const { rotation: r, translation: t } = this;
    const [x, y, z] = [p[0]! - t[0]!, p[1]! - t[1]!, p[2]! - t[2]!];
    for (let k = 0; k < 3; k++) into[k] = r[k]! * x + r[3 + k]! * y + r[6 + k]! * z;
  }

  /** The direction -n, as seen from b. */
  opposite(n: Float64Array, into: Float64Array): void {
    const r = this.rotation;
    for (let k = 0; k < 3; k++) into[k] = -(r[k]! * n[0]! + r[3 + k]! * n[1]! + r[6 + k]! * n[2]!);
  }
}
