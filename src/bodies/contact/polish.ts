/**
 * The exact distance, points and normal where it is known which pieces of their surfaces are nearest to each other: Newton's method for
 *
 *     pB - pA = d n,     n . n = 1,     e . n = 0 for each direction e along which one of the points is free
 *
 * with the unknowns n, d and the parameters of the points (`feature.ts`). It is as regular where shapes touch (d = 0) or overlap (d < 0) as where
 * they are apart, so results are smooth wherever the surfaces are. Where a parameter is not determined, such as along two parallel edges, it
 * stays as it is.
 *
 * A solution is checked: the points belong to the shapes and no other points are farther in the direction of the normal. Then d is the distance if
 * it is positive; if it is negative, no small change of the normal makes shapes that overlap less deep.
 */
import type { Result } from './closed.ts';
import { type Difference, Vertices } from './difference.ts';
import { Feature, type Piece } from './feature.ts';

/** Errors of results, as a part of the sizes, are smaller. */
const EXACT = 1e-12;
/** After a step of the normal that is as small, the next one would be a rounding error. */
const SMALL = 1e-10;
const MOST_STEPS = 10;
/** Pivots that are smaller are zero. */
const SINGULAR = 1e-13;
/** Directions are parallel if the sine of their angle is smaller. */
const FREE = 1e-6;

const matrix = new Float64Array(8 * 9);
const order = new Int32Array(8);
const step = new Float64Array(8);
const directionsB = new Float64Array(6);
const bending = new Float64Array(9);
const opposite = new Float64Array(3);
const inB = new Float64Array(3);
const check = new Vertices(1);

export class Polish {
  /** What the points lie on. */
  readonly featureA = new Feature();
  readonly featureB = new Feature();
  /** From a to b, of length 1. */
  readonly normal = new Float64Array(3);
  distance = 0;
  /** In the frame of a. */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Parameters of a, then of b. */
  private readonly s = new Float64Array(4);

  constructor(private readonly between: Difference) {}

  /** From a simplex of points whose nearest has normal n; `pointA` and `pointB` are about its points. */
  choose(simplex: Vertices, count: number): boolean {
    const { between, normal } = this;
    between.inB(this.pointB, inB);
    between.opposite(normal, opposite);
    if (!between.a.feature(simplex.idA, count, this.pointA, normal, this.featureA)) return false;
    if (!between.b.feature(simplex.idB, count, inB, opposite, this.featureB)) return false;
    this.featureA.parameters(this.pointA, normal, this.s, 0);
    this.featureB.parameters(inB, opposite, this.s, 2);
    return true;
  }

  /** From the features, normal, distance and parameters that are there. True where the result is exact. */
  solve(): boolean {
    return this.converge() && this.isRight();
  }

  /** From these features, and from a result nearby: the same on the whole of both surfaces that the features are pieces of, whether it belongs to the shapes or not. */
  follow(pieces: readonly [Piece, Piece], from: Result): boolean {
    const { between, featureA, featureB, normal, s } = this;
    featureA.load(pieces[0]);
    featureB.load(pieces[1]);
    normal.set(from.normal);
    this.distance = from.distance;
    between.inB(from.pointB, inB);
    between.opposite(normal, opposite);
    featureA.parameters(from.pointA, normal, s, 0);
    featureB.parameters(inB, opposite, s, 2);
    // Where a rim is nearly in the plane of what touches it, points move much farther than the normal does: one more step is worth it.
    return this.converge() && this.converge();
  }

  /** Newton's method; false where it leads nowhere. */
  private converge(): boolean {
    const size = 4 + this.featureA.count + this.featureB.count;
    let change = Infinity;
    for (let k = 0; k < MOST_STEPS && change > SMALL; k++) {
      this.locate();
      this.assemble(size);
      this.eliminate(size);
      change = this.advance();
      if (!(change < 0.5)) return false;
    }
    this.locate();
    return change <= SMALL;
  }

  private locate(): void {
    const { between, featureA, featureB, normal, s, pointA, pointB } = this;
    featureA.locate(normal[0]!, normal[1]!, normal[2]!, s, 0);
    pointA.set(featureA.point);
    between.opposite(normal, opposite);
    featureB.locate(opposite[0]!, opposite[1]!, opposite[2]!, s, 2);
    const { rotation: r, translation: t } = between;
    const { point: p, directions: e } = featureB;
    for (let k = 0; k < 3; k++) {
      pointB[k] = t[k]! + r[3 * k]! * p[0]! + r[3 * k + 1]! * p[1]! + r[3 * k + 2]! * p[2]!;
      for (let i = 0; i < featureB.count; i++) {
        directionsB[3 * i + k] =
          r[3 * k]! * e[3 * i]! + r[3 * k + 1]! * e[3 * i + 1]! + r[3 * k + 2]! * e[3 * i + 2]!;
      }
    }
  }

  /** Lengths are divided by the scale, so that all equations and unknowns are of one size. Columns: n, d, parameters; then the residual. */
  private assemble(size: number): void {
    const { between, featureA, featureB, normal: n, pointA, pointB } = this;
    const { scale } = between;
    const m = matrix;
    const stride = size + 1;
    m.fill(0, 0, size * stride);
    this.bend();
    for (let i = 0; i < 3; i++) {
      const row = i * stride;
      for (let j = 0; j < 3; j++) m[row + j] = -bending[3 * i + j]! / scale;
      m[row + 3] = -n[i]!;
      m[3 * stride + i] = n[i]!;
      m[row + size] = (pointB[i]! - pointA[i]! - this.distance * n[i]!) / scale;
    }
    m[3 * stride + size] = (n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]! - 1) / 2;
    let column = 4;
    for (let k = 0; k < featureA.count; k++) this.bind(column++, size, featureA.directions, 3 * k, -1);
    for (let k = 0; k < featureB.count; k++) this.bind(column++, size, directionsB, 3 * k, 1);
  }

  /** How the points move apart as the normal turns: the radii of curvature of both surfaces, and the distance. */
  private bend(): void {
    const { turning: ta } = this.featureA;
    const { turning: tb, kind } = this.featureB;
    const { rotation: r } = this.between;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j <= i; j++) {
        let value = ta[3 * i + j]!;
        if (kind !== 'flat') {
          for (let k = 0; k < 3; k++) {
            const part =
              tb[3 * k]! * r[3 * j]! + tb[3 * k + 1]! * r[3 * j + 1]! + tb[3 * k + 2]! * r[3 * j + 2]!;
            value += r[3 * i + k]! * part;
          }
        }
        if (i === j) value += this.distance;
        bending[3 * i + j] = bending[3 * j + i] = value;
      }
    }
  }

  private bind(column: number, size: number, e: Float64Array, at: number, sign: number): void {
    const n = this.normal;
    const m = matrix;
    const stride = size + 1;
    for (let i = 0; i < 3; i++) {
      m[i * stride + column] = sign * e[at + i]!;
      m[column * stride + i] = e[at + i]!;
    }
    m[column * stride + size] = e[at]! * n[0]! + e[at + 1]! * n[1]! + e[at + 2]! * n[2]!;
  }

  /** Gauss with full pivoting; unknowns that are not determined are not changed. */
  private eliminate(size: number): void {
    const m = matrix;
    const stride = size + 1;
    for (let k = 0; k < size; k++) order[k] = k;
    let rank = 0;
    for (; rank < size; rank++) {
      let [row, column, most] = [rank, rank, 0];
      for (let i = rank; i < size; i++) {
        for (let j = rank; j < size; j++) {
          const value = Math.abs(m[i * stride + j]!);
          if (value > most) {
            most = value;
            row = i;
            column = j;
          }
        }
      }
      if (!(most > SINGULAR)) break;
      if (row !== rank) {
        for (let j = rank; j <= size; j++) {
          const value = m[rank * stride + j]!;
          m[rank * stride + j] = m[row * stride + j]!;
          m[row * stride + j] = value;
        }
      }
      if (column !== rank) {
        for (let i = 0; i < size; i++) {
          const value = m[i * stride + rank]!;
          m[i * stride + rank] = m[i * stride + column]!;
          m[i * stride + column] = value;
        }
        const other = order[rank]!;
        order[rank] = order[column]!;
        order[column] = other;
      }
      const pivot = m[rank * stride + rank]!;
      for (let i = rank + 1; i < size; i++) {
        const by = m[i * stride + rank]! / pivot;
        if (by === 0) continue;
        for (let j = rank + 1; j <= size; j++) m[i * stride + j]! -= by * m[rank * stride + j]!;
      }
    }
    step.fill(0);
    for (let i = rank - 1; i >= 0; i--) {
      let value = -m[i * stride + size]!;
      for (let j = i + 1; j < rank; j++) value -= m[i * stride + j]! * step[order[j]!]!;
      step[order[i]!] = value / m[i * stride + i]!;
    }
  }

  /** Gives the length of the step of the normal. */
  private advance(): number {
    const { normal: n, s, featureA, featureB } = this;
    const { scale } = this.between;
    for (let k = 0; k < 3; k++) n[k]! += step[k]!;
    const length = Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
    for (let k = 0; k < 3; k++) n[k]! /= length;
    this.distance += step[3]! * scale;
    for (let k = 0; k < featureA.count; k++) s[k]! += step[4 + k]! * scale;
    for (let k = 0; k < featureB.count; k++) s[2 + k]! += step[4 + featureA.count + k]! * scale;
    return Math.sqrt(step[0]! * step[0]! + step[1]! * step[1]! + step[2]! * step[2]!);
  }

  /** Whether the result is that of the shapes. */
  isRight(): boolean {
    const { between, normal: n, pointA: p, pointB: q, featureA, featureB, s } = this;
    const tolerance = EXACT * between.scale;
    const [x, y, z] = [q[0]! - p[0]!, q[1]! - p[1]!, q[2]! - p[2]!];
    const d = x * n[0]! + y * n[1]! + z * n[2]!;
    const aside = Math.abs(x - d * n[0]!) + Math.abs(y - d * n[1]!) + Math.abs(z - d * n[2]!);
    if (!(aside <= tolerance)) return false;
    this.distance = d;
    if (d < 0 && !this.isLeast()) return false;
    if (!(between.support(n[0]!, n[1]!, n[2]!, check, 0) >= d - tolerance)) return false;
    return (
      between.a.holds(featureA, p, s, 0, tolerance) &&
      between.b.holds(featureB, featureB.point, s, 2, tolerance)
    );
  }

  /** Whether shapes that overlap do so more in all directions nearby: the normal may turn across all directions along which the points are free. */
  private isLeast(): boolean {
    const { normal: n, featureA, featureB } = this;
    this.bend();
    const least = -EXACT * this.between.scale;
    let bound = 0;
    for (let k = 0; k < featureA.count + featureB.count; k++) {
      const e = k < featureA.count ? featureA.directions : directionsB;
      const at = 3 * (k < featureA.count ? k : k - featureA.count);
      // Across this direction and the normal.
      const x = n[1]! * e[at + 2]! - n[2]! * e[at + 1]!;
      const y = n[2]! * e[at]! - n[0]! * e[at + 2]!;
      const z = n[0]! * e[at + 1]! - n[1]! * e[at]!;
      if (bound === 0) across(x, y, z);
      else if (Math.abs(e[at]! * beside[0]! + e[at + 1]! * beside[1]! + e[at + 2]! * beside[2]!) > FREE)
        return true;
      bound = 1;
    }
    if (bound === 1) return bent(beside, beside) >= least;
    const small = Math.abs(n[0]!) < 0.6 ? 0 : 1;
    if (small === 0) across(0, n[2]!, -n[1]!);
    else across(-n[2]!, 0, n[0]!);
    other[0] = n[1]! * beside[2]! - n[2]! * beside[1]!;
    other[1] = n[2]! * beside[0]! - n[0]! * beside[2]!;
    other[2] = n[0]! * beside[1]! - n[1]! * beside[0]!;
    const [p, q, r] = [bent(beside, beside), bent(other, other), bent(beside, other)];
    // The smaller eigenvalue.
    return (p + q) / 2 - Math.sqrt(((p - q) / 2) ** 2 + r * r) >= least;
  }
}

const beside = new Float64Array(3);
const other = new Float64Array(3);

function across(x: number, y: number, z: number): void {
  const length = Math.sqrt(x * x + y * y + z * z);
  beside[0] = x / length;
  beside[1] = y / length;
  beside[2] = z / length;
}

/** A product with the matrix of `bend`. */
function bent(u: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) sum += u[i]! * bending[3 * i + j]! * v[j]!;
  return sum;
}
