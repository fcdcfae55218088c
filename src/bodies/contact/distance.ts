/**
 * The signed distance of two convex shapes, the points at which they are nearest to each other, and the normal between them. Where shapes overlap, the
 * distance is negative: by how much they must be moved apart along the normal, which is the direction in which that is least.
 *
 * Spheres, capsules, and spheres with boxes have closed forms (`closed.ts`), others are searched (`search.ts`); all are exact to rounding errors.
 *
 * A pair remembers its last result, to be faster. Where shapes are apart the result is the same as without. Where they overlap a little they keep their
 * normal, even if another one becomes better; where they overlap much, of directions that are about equally good (to 1e-5 of the sizes) any may be taken.
 */
import { closedForm, newResult, type Result } from './closed.ts';
import { Difference } from './difference.ts';
import { Search } from './search.ts';
import type { Convex } from './support.ts';

export class Pair {
  /** The distance; negative where the shapes overlap; not a number where a pose is none. */
  distance = Infinity;
  /** From a to b, of length 1; in the world, as are the points. */
  readonly normal = new Float64Array(3);
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** Radii of curvature at these points (`Convex.curvature`). */
  radiusA = Infinity;
  radiusB = Infinity;

  readonly between: Difference;
  readonly core: Result;
  private readonly search: Search | undefined;
  private readonly closed: ReturnType<typeof closedForm>;

  constructor(
    readonly a: Convex,
    readonly b: Convex,
  ) {
    this.between = new Difference(a, b);
    this.closed = closedForm(a, b);
    this.search = this.closed ? undefined : new Search(this.between);
    this.core = this.search ? this.search.core : newResult();
  }

  /** The next result does not depend on those before it. */
  forget(): void {
    this.search?.forget();
  }

  /** Rotations (rows) and positions are those of all objects in the world; a and b are the numbers of two of them. Gives the distance. */
  measure(rotation: Float64Array, position: Float64Array, a: number, b: number): number {
    const { between, core } = this;
    between.place(rotation, position, a, b);
    if (!(between.scale < Infinity)) return this.fail();
    if (this.closed) this.closed(between, core);
    else this.search!.measure();
    this.finish(rotation, position, a);
    return this.distance;
  }

  private fail(): number {
    this.forget();
    for (const of of [this.normal, this.pointA, this.pointB]) of.fill(Number.NaN);
    this.distance = Number.NaN;
    return this.distance;
  }

  private finish(rotation: Float64Array, position: Float64Array, object: number): void {
    const { a, b, core, between } = this;
    this.radiusA = a.curvature(core.pointA, core.normal);
    between.inB(core.pointB, spare);
    between.opposite(core.normal, opposite);
    this.radiusB = b.curvature(spare, opposite);
    this.place(core, rotation, position, object, this);
  }

  /** Adds the margins to a result for the cores, and goes to the world. */
  place(core: Result, rotation: Float64Array, position: Float64Array, object: number, into: Result): void {
    const { a, b } = this;
    const { normal, pointA, pointB } = into;
    const [n, p, q] = [core.normal, core.pointA, core.pointB];
    into.distance = core.distance - a.margin - b.margin;
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

const spare = new Float64Array(3);
const opposite = new Float64Array(3);
