/**
 * What of a convex shape lies flat against a plane, or nearly so: a corner, an edge, or a flat face as a polygon, with numbers by which its corners are known
 * again. Round faces are polygons of points of their rims, of which one is the lowest. A cylinder that lies touches with a line: that is an edge,
 * too, although always another one.
 */
import type { BeamCore, FrustumCore } from './cores.ts';
import type { BoxCore, HullCore, SegmentCore } from './polytope.ts';
import type { Convex } from './support.ts';

/** Polygons have no more corners. */
export const MOST_CORNERS = 8;

export class Face {
  /** 1: a corner, 2: an edge, otherwise a polygon, counter-clockwise as seen from outside. */
  count = 0;
  readonly points = new Float64Array(3 * MOST_CORNERS);
  readonly ids = new Int32Array(MOST_CORNERS);
  /** Which of the faces of the shape it is. */
  id = 0;
  /** The sine of the angle by which it is turned against being flat; of a corner, zero. */
  steepness = 0;
  /** Of a polygon: outward, of length 1. */
  readonly normal = new Float64Array(3);
  /** Of a disc: its radius, otherwise zero; and its centre. */
  radius = 0;
  readonly centre = new Float64Array(3);

  add(x: number, y: number, z: number, id: number): void {
    const k = this.count++;
    this.points[3 * k] = x;
    this.points[3 * k + 1] = y;
    this.points[3 * k + 2] = z;
    this.ids[k] = id;
  }

  /** Given in the directions of three coordinates. */
  put(u: number, v: number, w: number, atU: number, atV: number, atW: number, id: number): void {
    const k = this.count++;
    this.points[3 * k + u] = atU;
    this.points[3 * k + v] = atV;
    this.points[3 * k + w] = atW;
    this.ids[k] = id;
  }

  facing(k: number, side: number): void {
    this.normal.fill(0);
    this.normal[k] = side;
  }

  /** Of a polygon only the side is left beyond which an edge is farthest. */
  takeSide(edge: Face): void {
    const { points, ids, normal: n, count } = this;
    let [first, least] = [0, Infinity];
    for (let k = 0; k < count; k++) {
      const [i, j] = [3 * k, 3 * ((k + 1) % count)];
      for (let c = 0; c < 3; c++) along[c] = points[j + c]! - points[i + c]!;
      for (let c = 0; c < 3; c++)
        inward[c] = n[(c + 1) % 3]! * along[(c + 2) % 3]! - n[(c + 2) % 3]! * along[(c + 1) % 3]!;
      let most = -Infinity;
      for (let end = 0; end < 6; end += 3) {
        let within = 0;
        for (let c = 0; c < 3; c++) within += inward[c]! * (edge.points[end + c]! - points[i + c]!);
        most = Math.max(most, within / Math.hypot(...inward));
      }
      if (!(most < least)) continue;
      [first, least] = [k, most];
    }
    const second = (first + 1) % count;
    const ends = [first, second].map((k) => points.slice(3 * k, 3 * k + 3));
    const names = [ids[first]!, ids[second]!];
    this.count = 2;
    for (const [k, end] of ends.entries()) points.set(end, 3 * k);
    ids.set(names);
  }

  /** Moves to the frame that the shape is placed in. */
  place(rotation: Float64Array, translation: Float64Array): void {
    for (let k = 0; k < this.count; k++) turn(this.points, 3 * k, rotation, translation);
    turn(this.centre, 0, rotation, translation);
    turn(this.normal, 0, rotation, undefined);
  }
}

const along = new Float64Array(3);
const inward = new Float64Array(3);

function turn(p: Float64Array, at: number, r: Float64Array, translation: Float64Array | undefined): void {
  const [x, y, z] = [p[at]!, p[at + 1]!, p[at + 2]!];
  for (let k = 0; k < 3; k++) {
    p[at + k] = (translation ? translation[k]! : 0) + r[3 * k]! * x + r[3 * k + 1]! * y + r[3 * k + 2]! * z;
  }
}

/**
 * Which points stand for the rim of a round face: one of them is the `lowest`, so that the polygon is as low as the rim, and they move along the rim when the
 * lowest does; or they are `fixed` in the shape, and the rim between them may be lower.
 */
export type Rims = 'lowest' | 'fixed';

/** The face of a shape in the direction n, of length 1, whose normal differs from n by no more than a small angle. */
export function faceOf(shape: Convex, n: Float64Array, angle: number, rims: Rims, into: Face): void {
  into.count = 0;
  into.id = 0;
  into.radius = 0;
  into.steepness = 0;
  switch (shape.kind) {
    case 'segment':
      segmentFace(shape as SegmentCore, n, angle, into);
      break;
    case 'box':
      boxFace(shape as BoxCore, n, angle, into);
      break;
    case 'frustum':
      frustumFace(shape as FrustumCore, n, angle, rims, into);
      break;
    case 'beam':
      beamFace(shape as BeamCore, n, angle, rims, into);
      break;
    case 'hull':
      hullFace(shape as HullCore, n, angle, into);
      break;
    case 'point':
    case 'ellipsoid':
  }
  if (into.count > 0) return;
  into.count = 1;
  into.ids[0] = shape.support(n[0]!, n[1]!, n[2]!, into.points, 0);
}

function segmentFace({ w, half }: SegmentCore, n: Float64Array, angle: number, into: Face): void {
  if (Math.abs(n[w]!) > angle) return;
  into.steepness = Math.abs(n[w]!);
  for (let end = 0; end < 2; end++) {
    const at = end ? half : -half;
    into.add(w === 0 ? at : 0, w === 1 ? at : 0, w === 2 ? at : 0, end);
  }
}

function boxFace({ half }: BoxCore, n: Float64Array, angle: number, into: Face): void {
  // The direction that n has most of, and the two others in cyclic order.
  const [x, y, z] = [Math.abs(n[0]!), Math.abs(n[1]!), Math.abs(n[2]!)];
  const w = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  const [u, v] = [(w + 1) % 3, (w + 2) % 3];
  const side = n[w]! >= 0 ? 1 : -1;
  const [steepU, steepV] = [Math.abs(n[u]!), Math.abs(n[v]!)];
  const [flatU, flatV] = [steepU <= angle, steepV <= angle];
  into.steepness = Math.max(flatU ? steepU : 0, flatV ? steepV : 0);
  const corner = (a: number, b: number): void => {
    const id = (a > 0 ? 1 << u : 0) + (b > 0 ? 1 << v : 0) + (side > 0 ? 1 << w : 0);
    into.put(u, v, w, a * half[u]!, b * half[v]!, side * half[w]!, id);
  };
  if (flatU && flatV) {
    into.id = 2 * w + (side > 0 ? 1 : 0);
    into.facing(w, side);
    corner(-1, -side);
    corner(1, -side);
    corner(1, side);
    corner(-1, side);
  } else if (flatU) {
    corner(-1, n[v]! >= 0 ? 1 : -1);
    corner(1, n[v]! >= 0 ? 1 : -1);
  } else if (flatV) {
    corner(n[u]! >= 0 ? 1 : -1, -1);
    corner(n[u]! >= 0 ? 1 : -1, 1);
  }
}

/** A direction that leans by less has no lowest point. */
const LEVEL = 1e-9;

function frustumFace(
  { u, v, w, ends, radii }: FrustumCore,
  n: Float64Array,
  angle: number,
  rims: Rims,
  into: Face,
): void {
  const across = Math.sqrt(n[u]! * n[u]! + n[v]! * n[v]!);
  const [c, s] = across <= LEVEL ? [1, 0] : [n[u]! / across, n[v]! / across];
  if (across <= angle) {
    const end = n[w]! >= 0 ? 1 : 0;
    const radius = radii[end]!;
    if (radius === 0) return;
    into.id = end;
    into.steepness = across;
    into.facing(w, end ? 1 : -1);
    into.radius = radius;
    into.centre.fill(0);
    into.centre[w] = ends[3 * end + w]!;
    const [x0, y0] = rims === 'fixed' ? [1, 0] : [c, s];
    for (let k = 0; k < 8; k++) {
      const turns = end ? k : (8 - k) % 8;
      const [x, y] = [COSINES[turns]!, COSINES[(turns + 6) % 8]!];
      into.put(u, v, w, radius * (x0 * x - y0 * y), radius * (y0 * x + x0 * y), ends[3 * end + w]!, turns);
    }
    return;
  }
  const length = ends[3 + w]! - ends[w]!;
  const growth = radii[1]! - radii[0]!;
  const slant = Math.sqrt(length * length + growth * growth);
  const steepness = Math.abs(n[w]! * length + across * growth) / slant;
  if (steepness > angle) return;
  into.steepness = steepness;
  for (let end = 0; end < 2; end++) {
    into.put(u, v, w, radii[end]! * c, radii[end]! * s, ends[3 * end + w]!, end);
  }
}

/** Of multiples of 45 degrees. */
const COSINES = Float64Array.of(1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2);

function beamFace(
  { u, v, w, half, radius, thick }: BeamCore,
  n: Float64Array,
  angle: number,
  rims: Rims,
  into: Face,
): void {
  const across = Math.sqrt(n[u]! * n[u]! + n[w]! * n[w]!);
  const put = (atU: number, atV: number, atW: number, id: number): void =>
    into.put(u, v, w, atU, atV, atW, id);
  if (across <= angle) {
    const side = n[v]! >= 0 ? 1 : -1;
    into.id = side > 0 ? 1 : 0;
    into.steepness = across;
    into.facing(v, side);
    // w, u, v are right-handed. Where the lowest point of an end is on its round part, the nearest one of its four points is there.
    const lowest = rims === 'fixed' || across <= LEVEL ? Number.NaN : Math.atan2(side * n[u]!, n[w]!);
    for (let end = 0; end < 2; end++) {
      const sign = end ? -1 : 1;
      const own = end ? wrapped(lowest - Math.PI) : lowest;
      const nearest = Math.abs(own) <= Math.PI / 2 ? Math.min(3, Math.floor((3 / Math.PI) * own + 2)) : -1;
      for (let k = 0; k < 4; k++) {
        const turn = k === nearest ? own : ANGLES[k]!;
        put(
          side * sign * radius * Math.sin(turn),
          side * thick,
          sign * (half + radius * Math.cos(turn)),
          4 * end + k,
        );
      }
    }
    return;
  }
  const [steepW, steepV] = [Math.abs(n[w]!), Math.abs(n[v]!)];
  const [flatW, flatV] = [steepW <= angle, steepV <= angle];
  into.steepness = Math.max(flatW ? steepW : 0, flatV ? steepV : 0);
  const side = n[u]! >= 0 ? 1 : -1;
  const up = n[v]! >= 0 ? 1 : -1;
  if (flatW && flatV) {
    into.id = 2 + (side > 0 ? 1 : 0);
    into.facing(u, side);
    put(side * radius, -thick, -side * half, 0);
    put(side * radius, thick, -side * half, 1);
    put(side * radius, thick, side * half, 2);
    put(side * radius, -thick, side * half, 3);
  } else if (flatW) {
    put(side * radius, up * thick, -half, 0);
    put(side * radius, up * thick, half, 1);
  } else if (flatV) {
    const end = (n[w]! >= 0 ? half : -half) + (radius * n[w]!) / across;
    put((radius * n[u]!) / across, -thick, end, 0);
    put((radius * n[u]!) / across, thick, end, 1);
  }
}

const ANGLES = [-Math.PI / 2, -Math.PI / 6, Math.PI / 6, Math.PI / 2];
const wrapped = (turn: number): number => (turn < -Math.PI ? turn + 2 * Math.PI : turn);

function hullFace(
  { shape: { points, polygons, normals, edges } }: HullCore,
  n: Float64Array,
  angle: number,
  into: Face,
): void {
  let [best, most] = [-1, -Infinity];
  for (let k = 0; k < polygons.length; k++) {
    const cosine = normals[3 * k]! * n[0]! + normals[3 * k + 1]! * n[1]! + normals[3 * k + 2]! * n[2]!;
    if (cosine > most) {
      most = cosine;
      best = k;
    }
  }
  const vertex = (id: number): void =>
    into.add(points[3 * id]!, points[3 * id + 1]!, points[3 * id + 2]!, id);
  if (best >= 0 && most >= 1 - (angle * angle) / 2) {
    into.id = best;
    into.steepness = Math.sqrt(Math.max(0, 2 - 2 * most));
    for (let k = 0; k < 3; k++) into.normal[k] = normals[3 * best + k]!;
    for (const id of polygons[best]!) vertex(id);
    return;
  }
  const reach = (id: number): number =>
    points[3 * id]! * n[0]! + points[3 * id + 1]! * n[1]! + points[3 * id + 2]! * n[2]!;
  let highest = -Infinity;
  for (let id = 0; id < points.length / 3; id++) highest = Math.max(highest, reach(id));
  let [chosen, longest, steepness] = [-1, 0, 0];
  for (let k = 0; k < edges.length; k += 2) {
    const [i, j] = [3 * edges[k]!, 3 * edges[k + 1]!];
    const [x, y, z] = [
      points[j]! - points[i]!,
      points[j + 1]! - points[i + 1]!,
      points[j + 2]! - points[i + 2]!,
    ];
    const length = Math.sqrt(x * x + y * y + z * z);
    const lower = Math.min(reach(edges[k]!), reach(edges[k + 1]!));
    if (highest - lower <= angle * length && length > longest) {
      longest = length;
      chosen = k;
      steepness = (highest - lower) / length;
    }
  }
  if (chosen < 0) return;
  into.steepness = steepness;
  vertex(edges[chosen]!);
  vertex(edges[chosen + 1]!);
}
