/**
 * The distance of shapes that are apart: the point of their difference that is nearest to the origin, by the algorithm of Gilbert, Johnson and Keerthi
 * (1988). A simplex of points of the difference moves towards the origin: its nearest point v tells in which direction to look for the next
 * vertex, until none is nearer.
 *
 * The nearest point of a simplex is the best one of all of its vertices, edges and faces, compared by their distances. That is more work than
 * walking from one to the other, but it cannot go astray where simplices are flat.
 */
import { type Difference, Vertices } from './difference.ts';

/** What is nearer is as good as touching, as a part of the sizes. */
const TOUCHING = 1e-13;
/** The nearest point is exact, as a part of the sizes. */
const EXACT = 1e-14;
const MOST_STEPS = 100;
/** Simplices are flat where the sine of the angle is smaller. */
const FLAT = 1e-14;

export class Simplex {
  readonly vertices = new Vertices(4);
  count = 0;
  /** The nearest point, its parts of the vertices, and its distance from the origin. */
  readonly v = new Float64Array(3);
  readonly parts = new Float64Array(4);
  length = 0;
  /** No point of the difference is nearer than that. */
  least = 0;
  private readonly next = new Vertices(1);
  private readonly best = new Int32Array(4);
  private readonly bestParts = new Float64Array(4);
  private bestCount = 0;
  private steps = 0;

  private between!: Difference;

  /** Begins with the vertex in a direction. */
  start(between: Difference, x: number, y: number, z: number): void {
    this.between = between;
    between.support(x, y, z, this.vertices, 0);
    this.count = 1;
    this.steps = 0;
    this.least = -Infinity;
    this.nearest();
  }

  /**
   * Goes on until the distance is known to a part of the scale. `near`: it is; `exact`: no further vertex is nearer; `inside`: the shapes
   * overlap, or nearly touch.
   */
  approach(part: number): 'near' | 'exact' | 'inside' {
    const { between, vertices, v, next } = this;
    const touching = TOUCHING * between.scale;
    for (; this.steps < MOST_STEPS; this.steps++) {
      if (this.count === 4 || this.length <= touching) return 'inside';
      const reach = between.support(v[0]!, v[1]!, v[2]!, next, 0) / this.length;
      this.least = Math.max(this.least, reach);
      const gap = this.length - reach;
      if (gap <= EXACT * between.scale || this.knows()) return 'exact';
      vertices.copy(this.count++, next, 0);
      const before = this.length;
      this.nearest();
      if (!(this.length < before) && this.count < 4) return 'exact';
      if (gap <= part * between.scale && this.count < 4) {
        this.steps++;
        return 'near';
      }
    }
    return 'exact';
  }

  private knows(): boolean {
    const { vertices, next } = this;
    for (let k = 0; k < this.count; k++) {
      if (
        vertices.w[3 * k] === next.w[0] &&
        vertices.w[3 * k + 1] === next.w[1] &&
        vertices.w[3 * k + 2] === next.w[2]
      ) {
        return true;
      }
    }
    return false;
  }

  /** The nearest point, and the simplex of only those vertices that it needs. */
  private nearest(): void {
    const { vertices, count, best, bestParts, v } = this;
    this.length = Infinity;
    this.bestCount = 0;
    if (count === 4 && this.surrounds()) {
      this.length = 0;
      return;
    }
    for (let i = 0; i < count; i++) {
      this.vertex(i);
      for (let j = 0; j < i; j++) {
        this.edge(j, i);
        for (let k = 0; k < j; k++) this.face(k, j, i);
      }
    }
    // Vertices come in rising order, so none is overwritten that is still needed.
    this.count = this.bestCount;
    v.fill(0);
    for (let k = 0; k < this.count; k++) {
      const from = best[k]!;
      if (from !== k) vertices.copy(k, vertices, from);
      this.parts[k] = bestParts[k]!;
      for (let i = 0; i < 3; i++) v[i]! += bestParts[k]! * vertices.w[3 * k + i]!;
    }
    this.length = Math.sqrt(v[0]! * v[0]! + v[1]! * v[1]! + v[2]! * v[2]!);
  }

  private vertex(i: number): void {
    const w = this.vertices.w;
    const [x, y, z] = [w[3 * i]!, w[3 * i + 1]!, w[3 * i + 2]!];
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length < this.length)) return;
    this.length = length;
    this.bestCount = 1;
    this.best[0] = i;
    this.bestParts[0] = 1;
  }

  private edge(i: number, j: number): void {
    const w = this.vertices.w;
    const [x, y, z] = [w[3 * i]!, w[3 * i + 1]!, w[3 * i + 2]!];
    const [ex, ey, ez] = [w[3 * j]! - x, w[3 * j + 1]! - y, w[3 * j + 2]! - z];
    const t = -(x * ex + y * ey + z * ez) / (ex * ex + ey * ey + ez * ez);
    if (!(t > 0 && t < 1)) return;
    const [vx, vy, vz] = [x + t * ex, y + t * ey, z + t * ez];
    const length = Math.sqrt(vx * vx + vy * vy + vz * vz);
    if (!(length < this.length)) return;
    this.length = length;
    this.bestCount = 2;
    this.best[0] = i;
    this.best[1] = j;
    this.bestParts[0] = 1 - t;
    this.bestParts[1] = t;
  }

  private face(i: number, j: number, k: number): void {
    const w = this.vertices.w;
    const [x, y, z] = [w[3 * i]!, w[3 * i + 1]!, w[3 * i + 2]!];
    const [ex, ey, ez] = [w[3 * j]! - x, w[3 * j + 1]! - y, w[3 * j + 2]! - z];
    const [fx, fy, fz] = [w[3 * k]! - x, w[3 * k + 1]! - y, w[3 * k + 2]! - z];
    const [nx, ny, nz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
    const square = nx * nx + ny * ny + nz * nz;
    const sides = (ex * ex + ey * ey + ez * ez) * (fx * fx + fy * fy + fz * fz);
    if (!(square > FLAT * FLAT * sides)) return;
    // Parts are areas of triangles with the foot of the origin, as seen along the normal.
    const q = (nx * (z * fy - y * fz) + ny * (x * fz - z * fx) + nz * (y * fx - x * fy)) / square;
    const r = (nx * (y * ez - z * ey) + ny * (z * ex - x * ez) + nz * (x * ey - y * ex)) / square;
    if (!(q > 0 && r > 0 && q + r < 1)) return;
    const length = Math.abs(nx * x + ny * y + nz * z) / Math.sqrt(square);
    if (!(length < this.length)) return;
    this.length = length;
    this.bestCount = 3;
    this.best[0] = i;
    this.best[1] = j;
    this.best[2] = k;
    this.bestParts[0] = 1 - q - r;
    this.bestParts[1] = q;
    this.bestParts[2] = r;
  }

  /** Whether the origin lies within a tetrahedron: on the same side of each face as the fourth vertex. */
  private surrounds(): boolean {
    for (let k = 0; k < 4; k++) {
      const own = this.side(k, (k + 1) % 4, (k + 2) % 4, (k + 3) % 4);
      if (!(own > 0)) return false;
    }
    return true;
  }

  /** Positive where the origin and vertex l are on the same side of the face i, j, k. */
  private side(i: number, j: number, k: number, l: number): number {
    const w = this.vertices.w;
    const [x, y, z] = [w[3 * i]!, w[3 * i + 1]!, w[3 * i + 2]!];
    const [ex, ey, ez] = [w[3 * j]! - x, w[3 * j + 1]! - y, w[3 * j + 2]! - z];
    const [fx, fy, fz] = [w[3 * k]! - x, w[3 * k + 1]! - y, w[3 * k + 2]! - z];
    const [nx, ny, nz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
    const [gx, gy, gz] = [w[3 * l]! - x, w[3 * l + 1]! - y, w[3 * l + 2]! - z];
    return -(nx * x + ny * y + nz * z) * (nx * gx + ny * gy + nz * gz);
  }
}
