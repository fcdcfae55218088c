/**
 * How deep shapes overlap: the least distance from the origin to the surface of their difference, by expanding polytopes (van den Bergen 2001).
 * A polytope of points of the difference grows where its surface is nearest to the origin, until it is the surface of the difference there.
 *
 * Distances of faces have signs, so the origin may lie outside by a rounding error where shapes touch, and the first polytope may be any that is not flat.
 */
import { type Difference, Vertices } from './difference.ts';

const MOST_VERTICES = 192;
const MOST_FACES = 2 * MOST_VERTICES;
/** Depths are exact, as a part of the sizes; points beyond a face by less lie in it. */
const EXACT = 1e-14;

export class Expansion {
  readonly vertices = new Vertices(MOST_VERTICES);
  /** Three vertices of each face, its outward normal, and its distance from the origin. */
  private readonly faces = new Int32Array(3 * MOST_FACES);
  private readonly normals = new Float64Array(3 * MOST_FACES);
  private readonly offsets = new Float64Array(MOST_FACES);
  /** Edges of faces that are taken away. */
  private readonly rim = new Int32Array(6 * MOST_FACES);
  private count = 0;
  private faceCount = 0;

  /** The face that is nearest to the origin: its vertices, the point nearest to the origin as parts of them. */
  readonly simplex = new Vertices(3);
  readonly parts = new Float64Array(3);
  /** The normal from a to b: into the polytope. */
  readonly normal = new Float64Array(3);
  /** The normal of all that were looked at along which the shapes overlap least, and how deep. */
  readonly shallowest = new Float64Array(3);
  private depth = Infinity;
  /** The depth lies between these. */
  least = 0;
  most = 0;

  private between!: Difference;

  /** False where the difference is flat. */
  start(between: Difference): boolean {
    const w = this.vertices.w;
    this.between = between;
    this.count = 0;
    this.faceCount = 0;
    this.depth = Infinity;
    const far = 1e-10 * between.scale;
    let k = 0;
    do {
      const [x, y, z] = [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0];
      between.support(x, y, z, this.vertices, 0);
      between.support(-x, -y, -z, this.vertices, 1);
      if (++k > 3) return false;
    } while (!(Math.hypot(w[3]! - w[0]!, w[4]! - w[1]!, w[5]! - w[2]!) > far));
    const [ex, ey, ez] = [w[3]! - w[0]!, w[4]! - w[1]!, w[5]! - w[2]!];
    // Across the edge, away from the coordinate that it extends in least.
    const [ax, ay, az] = [Math.abs(ex), Math.abs(ey), Math.abs(ez)];
    const [hx, hy, hz] = ax <= ay && ax <= az ? [1, 0, 0] : ay <= az ? [0, 1, 0] : [0, 0, 1];
    const [fx, fy, fz] = [ey * hz - ez * hy, ez * hx - ex * hz, ex * hy - ey * hx];
    const [gx, gy, gz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
    const e = Math.hypot(ex, ey, ez);
    const beside = (x: number, y: number, z: number): boolean => {
      between.support(x, y, z, this.vertices, 2);
      const [px, py, pz] = [w[6]! - w[0]!, w[7]! - w[1]!, w[8]! - w[2]!];
      return Math.hypot(py * ez - pz * ey, pz * ex - px * ez, px * ey - py * ex) > far * e;
    };
    if (!beside(fx, fy, fz) && !beside(-fx, -fy, -fz) && !beside(gx, gy, gz) && !beside(-gx, -gy, -gz)) {
      return false;
    }
    const [px, py, pz] = [w[6]! - w[0]!, w[7]! - w[1]!, w[8]! - w[2]!];
    const [nx, ny, nz] = [ey * pz - ez * py, ez * px - ex * pz, ex * py - ey * px];
    const n = Math.hypot(nx, ny, nz);
    const height = (sign: number): number => {
      between.support(sign * nx, sign * ny, sign * nz, this.vertices, 3);
      return (nx * (w[9]! - w[0]!) + ny * (w[10]! - w[1]!) + nz * (w[11]! - w[2]!)) / n;
    };
    const above = height(-1);
    const below = height(1);
    if (Math.max(above, -below) <= far) return false;
    const up = above > -below;
    if (up) height(-1);
    this.count = 4;
    // The normal of 0, 1, 2 is n.
    return up
      ? this.face(0, 2, 1) && this.face(0, 1, 3) && this.face(1, 2, 3) && this.face(2, 0, 3)
      : this.face(0, 1, 2) && this.face(1, 0, 3) && this.face(2, 1, 3) && this.face(0, 2, 3);
  }

  /** Grows until the depth is known to a part of the scale; `exact`: it is; `stuck`: it cannot grow, for rounding errors or for want of space. */
  expand(part: number): 'near' | 'exact' | 'stuck' {
    const { between, vertices, normals, offsets } = this;
    for (;;) {
      let best = 0;
      for (let f = 1; f < this.faceCount; f++) if (offsets[f]! < offsets[best]!) best = f;
      const k = this.count;
      const [x, y, z] = [normals[3 * best]!, normals[3 * best + 1]!, normals[3 * best + 2]!];
      if (k === MOST_VERTICES) return 'stuck';
      const most = -between.support(-x, -y, -z, vertices, k);
      const gap = most - offsets[best]!;
      if (most < this.depth) {
        this.depth = most;
        this.shallowest[0] = -x;
        this.shallowest[1] = -y;
        this.shallowest[2] = -z;
      }
      if (gap <= EXACT * between.scale) return this.found(this.facing(best), most, 'exact');
      this.found(best, most, 'near');
      if (!this.include(k)) return 'stuck';
      if (gap <= part * between.scale) return 'near';
    }
  }

  /** Of all faces in the plane of one, that which the foot of the origin lies in. */
  private facing(face: number): number {
    const { offsets, normals } = this;
    const [x, y, z] = [normals[3 * face]!, normals[3 * face + 1]!, normals[3 * face + 2]!];
    const same = offsets[face]! + 1e-12 * this.between.scale;
    let [best, most] = [face, -Infinity];
    for (let f = 0; f < this.faceCount; f++) {
      if (offsets[f]! > same) continue;
      if (!(normals[3 * f]! * x + normals[3 * f + 1]! * y + normals[3 * f + 2]! * z > 1 - 1e-12)) continue;
      const within = this.foot(f);
      if (within > most) {
        most = within;
        best = f;
      }
    }
    return best;
  }

  private found<Answer>(face: number, most: number, answer: Answer): Answer {
    const { parts } = this;
    for (let k = 0; k < 3; k++) {
      this.simplex.copy(k, this.vertices, this.faces[3 * face + k]!);
      this.normal[k] = -this.normals[3 * face + k]!;
    }
    this.least = this.offsets[face]!;
    this.most = most;
    this.foot(face);
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += parts[k] = Math.max(0, parts[k]!);
    for (let k = 0; k < 3; k++) parts[k]! /= sum;
    return answer;
  }

  /** The foot of the origin on a face, as parts of its vertices; gives the least of them. */
  private foot(face: number): number {
    const {
      vertices: { w },
      faces,
      normals,
      parts,
    } = this;
    const [x, y, z] = [normals[3 * face]!, normals[3 * face + 1]!, normals[3 * face + 2]!];
    let sum = 0;
    for (let k = 0; k < 3; k++) {
      const [i, j] = [3 * faces[3 * face + ((k + 1) % 3)]!, 3 * faces[3 * face + ((k + 2) % 3)]!];
      parts[k] =
        x * (w[i + 1]! * w[j + 2]! - w[i + 2]! * w[j + 1]!) +
        y * (w[i + 2]! * w[j]! - w[i]! * w[j + 2]!) +
        z * (w[i]! * w[j + 1]! - w[i + 1]! * w[j]!);
      sum += parts[k]!;
    }
    for (let k = 0; k < 3; k++) parts[k]! /= sum;
    return Math.min(parts[0]!, parts[1]!, parts[2]!);
  }

  /** Makes the last vertex part of the polytope: faces that it sees are replaced by those between their rim and it. */
  private include(vertex: number): boolean {
    const {
      vertices: { w },
      faces,
      normals,
      offsets,
      rim,
    } = this;
    const [x, y, z] = [w[3 * vertex]!, w[3 * vertex + 1]!, w[3 * vertex + 2]!];
    const beyond = EXACT * this.between.scale;
    let edges = 0;
    for (let f = this.faceCount - 1; f >= 0; f--) {
      const height = normals[3 * f]! * x + normals[3 * f + 1]! * y + normals[3 * f + 2]! * z - offsets[f]!;
      if (!(height > beyond)) continue;
      for (let side = 0; side < 3; side++) {
        edges = this.toggle(faces[3 * f + side]!, faces[3 * f + ((side + 1) % 3)]!, edges);
      }
      const last = --this.faceCount;
      for (let k = 0; k < 3; k++) {
        faces[3 * f + k] = faces[3 * last + k]!;
        normals[3 * f + k] = normals[3 * last + k]!;
      }
      offsets[f] = offsets[last]!;
    }
    this.count++;
    if (this.faceCount + edges > MOST_FACES) return false;
    for (let k = 0; k < edges; k++) {
      if (!this.face(rim[2 * k]!, rim[2 * k + 1]!, vertex)) return false;
    }
    return true;
  }

  /** An edge between two faces that are taken away is not part of the rim. */
  private toggle(from: number, to: number, edges: number): number {
    const rim = this.rim;
    for (let k = 0; k < edges; k++) {
      if (rim[2 * k] !== to || rim[2 * k + 1] !== from) continue;
      rim[2 * k] = rim[2 * edges - 2]!;
      rim[2 * k + 1] = rim[2 * edges - 1]!;
      return edges - 1;
    }
    rim[2 * edges] = from;
    rim[2 * edges + 1] = to;
    return edges + 1;
  }

  /** Adds a face, counter-clockwise as seen from outside; false where it has no area. */
  private face(i: number, j: number, k: number): boolean {
    const {
      vertices: { w },
      faces,
      normals,
      offsets,
    } = this;
    const [x, y, z] = [w[3 * i]!, w[3 * i + 1]!, w[3 * i + 2]!];
    const [ex, ey, ez] = [w[3 * j]! - x, w[3 * j + 1]! - y, w[3 * j + 2]! - z];
    const [fx, fy, fz] = [w[3 * k]! - x, w[3 * k + 1]! - y, w[3 * k + 2]! - z];
    const [nx, ny, nz] = [ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx];
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) return false;
    const at = this.faceCount++;
    faces[3 * at] = i;
    faces[3 * at + 1] = j;
    faces[3 * at + 2] = k;
    normals[3 * at] = nx / length;
    normals[3 * at + 1] = ny / length;
    normals[3 * at + 2] = nz / length;
    offsets[at] = (nx * x + ny * y + nz * z) / length;
    return true;
  }
}
