/**
 * The signed distance of two convex shapes, the points at which they are nearest to each other, and the normal between them. Where shapes overlap, the
 * distance is negative: by how much they must be moved apart along the normal, which is the direction in which that is least.
 *
 * - Spheres, capsules, and spheres with boxes have closed forms.
 * - Otherwise it is found which pieces of the surfaces are nearest (`simplex.ts` where the shapes are apart, `expansion.ts` where they overlap), and
 *   the rest is Newton's method (`polish.ts`), whose results are exact to rounding errors.
 * - The same pieces are tried first the next time: of shapes that are apart the result is the same as without; shapes that overlap a little keep
 *   their normal, even if another one becomes the better one.
 */
import { type ClosedForm, closedForm } from './closed.ts';
import { Difference, Vertices } from './difference.ts';
import { Expansion } from './expansion.ts';
import { Polish } from './polish.ts';
import { Simplex } from './simplex.ts';
import type { Convex } from './support.ts';

/** How exact a result is, as a part of the sizes, when Newton's method is first tried, and how much more exact the next time. */
const FIRST = 1e-3;
const FIRST_INSIDE = 1e-5;
const FURTHER = 1 / 30;
/** Simplices that are nearer to the origin, as a part of the sizes, say too little about the normal. */
const TOUCHING = 1e-7;
/** What overlaps by more, as a part of the smaller size, is looked at anew. */
const SHALLOW = 0.05;
/** How far shapes are moved apart, as a part of the sizes, to find their normal. */
const APART = 0.01;
const MOST_PARTINGS = 30;

export class Pair {
  /** The distance; negative where the shapes overlap. */
  distance = Infinity;
  /** From a to b, of length 1; in the world, as are the points. */
  readonly normal = new Float64Array(3);
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Radii of curvature at these points (`Convex.curvature`). */
  radiusA = Infinity;
  radiusB = Infinity;

  readonly between: Difference;
  /** Of the cores, in the frame of a; its pieces are those of the last result where they are `known`. */
  readonly core: Polish;
  private known = false;
  private readonly closed: ClosedForm | undefined;

  constructor(
    readonly a: Convex,
    readonly b: Convex,
  ) {
    this.between = new Difference(a, b);
    this.core = new Polish(this.between);
    this.closed = closedForm(a, b);
  }

  /** The next result does not depend on those before it. */
  forget(): void {
    this.known = false;
    this.normal.fill(0);
  }

  /** Rotations (rows) and positions are those of all objects in the world; a and b are the numbers of two of them. Gives the distance. */
  measure(rotation: Float64Array, position: Float64Array, a: number, b: number): number {
    const { between, core, closed } = this;
    between.place(rotation, position, a, b);
    if (closed) closed(between, core);
    else if (!this.known || !this.again()) this.search(rotation, a);
    this.finish(rotation, position, a);
    return this.distance;
  }

  /** With the pieces of the last result. */
  private again(): boolean {
    const { core, a, b } = this;
    return core.solve() && core.distance > -SHALLOW * Math.min(a.size, b.size);
  }

  private search(rotation: Float64Array, a: number): void {
    const { between, core, normal } = this;
    // The last normal, or the direction from centre to centre.
    towards(between, guess);
    if (normal[0] !== 0 || normal[1] !== 0 || normal[2] !== 0) {
      for (let k = 0; k < 3; k++) {
        const at = 9 * a + k;
        guess[k] =
          rotation[at]! * normal[0]! + rotation[at + 3]! * normal[1]! + rotation[at + 6]! * normal[2]!;
      }
    }
    simplex.start(between, guess[0]!, guess[1]!, guess[2]!);
    for (let part = FIRST; ; part *= FURTHER) {
      const found = simplex.approach(part);
      if (found === 'inside') break;
      this.known = this.settle(simplex.vertices, simplex.count, simplex.parts, simplex.v, simplex.length);
      if (this.known && core.distance > 0) return;
      if (found !== 'exact') continue;
      this.known = false;
      if (simplex.length < TOUCHING * between.scale) break;
      take(core, simplex.vertices, simplex.count, simplex.parts, simplex.v, simplex.length);
      return;
    }
    this.overlap();
  }

  private overlap(): void {
    const { between, core } = this;
    this.known = false;
    // Points and segments have closed forms, so one of the shapes has a volume.
    if (!expansion.start(between)) throw new Error('Shapes without volume overlap.');
    for (let part = FIRST_INSIDE; ; part *= FURTHER) {
      const found = expansion.expand(part);
      const { simplex: face, parts, normal, least, most } = expansion;
      if (found === 'stuck') {
        this.best(expansion.shallowest);
        this.part();
        return;
      }
      this.known = this.settle(face, 3, parts, normal, -most);
      if (this.known && -core.distance <= least + 2 * part * between.scale) return;
      if (found === 'near') continue;
      take(core, face, 3, parts, normal, -most);
      this.part();
      return;
    }
  }

  /** Takes the best of some directions for the normal: one that is given, and the axes of both shapes. */
  private best(given: Float64Array): void {
    const { between, core } = this;
    const { rotation: r } = between;
    let most = -Infinity;
    const look = (x: number, y: number, z: number): void => {
      const gap = between.support(x, y, z, corner, 0);
      if (!(gap > most)) return;
      most = gap;
      core.normal[0] = x;
      core.normal[1] = y;
      core.normal[2] = z;
    };
    look(given[0]!, given[1]!, given[2]!);
    for (const side of [1, -1]) {
      for (let k = 0; k < 3; k++) {
        look(k === 0 ? side : 0, k === 1 ? side : 0, k === 2 ? side : 0);
        look(side * r[k]!, side * r[3 + k]!, side * r[6 + k]!);
      }
    }
  }

  /**
   * From a normal that is about right: shapes that are moved apart along it have a normal that is better (a proximal point method), until
   * it does not change any more.
   */
  private part(): void {
    const { between, core } = this;
    const { translation } = between;
    for (let k = 0; k < MOST_PARTINGS; k++) {
      guess.set(core.normal);
      const by = APART * between.scale - between.support(guess[0]!, guess[1]!, guess[2]!, corner, 0);
      for (let i = 0; i < 3; i++) translation[i]! += by * guess[i]!;
      simplex.start(between, guess[0]!, guess[1]!, guess[2]!);
      const found = simplex.approach(0);
      for (let i = 0; i < 3; i++) translation[i]! -= by * guess[i]!;
      if (found === 'inside') return;
      const { vertices, count, parts, v } = simplex;
      for (let i = 0; i < 3 * count; i++) vertices.b[i]! -= by * guess[i % 3]!;
      const reach = between.support(v[0]!, v[1]!, v[2]!, corner, 0) / simplex.length;
      this.known = this.settle(vertices, count, parts, v, reach);
      if (this.known) return;
      take(core, vertices, count, parts, v, reach);
      const n = core.normal;
      const change = Math.abs(n[0]! - guess[0]!) + Math.abs(n[1]! - guess[1]!) + Math.abs(n[2]! - guess[2]!);
      if (change < 1e-13) return;
    }
  }

  private settle(
    vertices: Vertices,
    count: number,
    parts: Float64Array,
    direction: Float64Array,
    distance: number,
  ): boolean {
    take(this.core, vertices, count, parts, direction, distance);
    return this.core.choose(vertices, count) && this.core.solve();
  }

  /** Adds the margins, and goes to the world. */
  private finish(rotation: Float64Array, position: Float64Array, object: number): void {
    const { a, b, core, between, normal, pointA, pointB } = this;
    const n = core.normal;
    this.distance = core.distance - a.margin - b.margin;
    this.radiusA = a.curvature(core.pointA, n);
    between.inB(core.pointB, spare);
    between.opposite(n, guess);
    this.radiusB = b.curvature(spare, guess);
    const [p, q] = [core.pointA, core.pointB];
    for (let k = 0; k < 3; k++) {
      const row = 9 * object + 3 * k;
      const [x, y, z] = [rotation[row]!, rotation[row + 1]!, rotation[row + 2]!];
      const at = position[3 * object + k]!;
      normal[k] = x * n[0]! + y * n[1]! + z * n[2]!;
      pointA[k] = at + x * p[0]! + y * p[1]! + z * p[2]! + a.margin * normal[k]!;
      pointB[k] = at + x * q[0]! + y * q[1]! + z * q[2]! - b.margin * normal[k]!;
    }
  }
}

// Shared by all pairs, of which only one is measured at a time.
const simplex = new Simplex();
const expansion = new Expansion();
const corner = new Vertices(1);
const guess = new Float64Array(3);
const spare = new Float64Array(3);

/** From the centre of a to that of b. */
function towards({ a, b, rotation: r, translation: t }: Difference, into: Float64Array): void {
  const c = b.centre;
  for (let k = 0; k < 3; k++) {
    into[k] = t[k]! + r[3 * k]! * c[0]! + r[3 * k + 1]! * c[1]! + r[3 * k + 2]! * c[2]! - a.centre[k]!;
  }
  if (into[0] === 0 && into[1] === 0 && into[2] === 0) into[2] = 1;
}

/** The result that a simplex gives by itself. */
function take(
  core: Polish,
  { a, b }: Vertices,
  count: number,
  parts: Float64Array,
  direction: Float64Array,
  distance: number,
): void {
  const { normal: n, pointA, pointB } = core;
  const [x, y, z] = [direction[0]!, direction[1]!, direction[2]!];
  const length = Math.sqrt(x * x + y * y + z * z);
  n[0] = x / length;
  n[1] = y / length;
  n[2] = z / length;
  core.distance = distance;
  pointA.fill(0);
  pointB.fill(0);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < 3; i++) {
      pointA[i]! += parts[k]! * a[3 * k + i]!;
      pointB[i]! += parts[k]! * b[3 * k + i]!;
    }
  }
}
