/**
 * Contact over several points, where faces or edges of two shapes lie against each other. One of the faces is the *reference*: distances are measured
 * along its normal. The face or edge of the other shape is cut off at the sides of the reference, as both are seen along the normal; the corners of what
 * is left are the points of contact, each with its own distance. These are linear along faces, so nothing between the points is nearer.
 *
 * - Points that are apart by up to a given distance are listed as well: the list does not change when one begins to touch.
 * - Each point has a number that says what it is (this corner on that face, the crossing of these two edges); as long as the
 *   number is the same, its distance is a smooth function of the poses. (Points of rims: see `Rims`.)
 * - Each point has a weight: its part of the boundary of the common area, less where it is apart, and nothing where it is apart by the given distance. The sum
 *   of all is 1. Weights change continuously, also where a corner becomes a crossing of two edges, and where what stood on a face tips over an edge. So
 *   a force that is a sum over points, by weight, does not jump.
 * - Up to which angle faces and edges lie against each other is not one number but an interval: lists for all angles in it are put together, with weights by how
 *   many of the angles they are for. So nothing jumps where something narrow, or deep in the other, is turned out of it. (Where rims are `fixed`, points
 *   must be the same for a while, and there is one angle.)
 *
 * Where neither faces nor edges lie against each other there is a single point, the nearest one. Of flat shapes it is a corner on a face, or where two edges
 * cross; where rims are `fixed` it has the number of that.
 */
import { clip, first, MOST_SHARED, origin, second, weigh } from './clip.ts';
import type { Difference } from './difference.ts';
import type { Pair } from './distance.ts';
import { Face, faceOf, type Rims } from './face.ts';
import { smooth } from './law.ts';
import { type Convex, thicknessOf } from './support.ts';

/** The largest number of points. Only one list is of two faces, others have few points. */
export const MOST_POINTS = MOST_SHARED + 16;
const FEW = 4;

/** The sine of the angle up to which faces and edges that only just touch lie against each other, and from which share of it on they do so less and less. */
const ANGLE = 0.02;
const LESS = 0.75;
/** By how many depths, and thicknesses, a face must be tilted until only one point of it is left in the other shape: the next points of a rim rise least. */
const RISE = 7;
const MOST_ANGLE = 0.3;
/** The square of such a sine by how much another reference must be better than the one before. */
const BETTER = 1e-4;

/** What a point is; the numbers of the pieces of the surfaces of a and b follow. */
const NEAREST = 0;
const CORNER_OF_A = 1;
const CORNER_OF_B = 2;
const CROSSING = 3;
const EDGES = 4;
const END_OF_A = 5;
const END_OF_B = 6;
/** An edge above a corner. */
const ABOVE = 7;
const PIECES = 2 ** 20;
/** Edges have the numbers of their ends, one for each pair of so many. */
const ENDS = 2 ** 10;
/** The sine up to which a normal is that of a face, or of two edges. */
const ALIGNED = 1e-6;

export class Manifold {
  count = 0;
  /** From a to b, of length 1, the same for all points; in the world, as are the points. */
  readonly normal = new Float64Array(3);
  readonly distance = new Float64Array(MOST_POINTS);
  readonly weight = new Float64Array(MOST_POINTS);
  readonly id = new Float64Array(MOST_POINTS);
  readonly pointA = new Float64Array(3 * MOST_POINTS);
  readonly pointB = new Float64Array(3 * MOST_POINTS);
  /** Of each point: the normal of both edges where two cross; otherwise that of all points. */
  readonly across = new Float64Array(3 * MOST_POINTS);
  /** Of each point: the shape whose plane it is on, being fixed in the other one: 1 is a, 2 is b; 0 where edges cross, and of nearest points that are not known to be on one. */
  readonly planes = new Uint8Array(MOST_POINTS);
  /** Whether a point is where edges cross that are as good as parallel: anywhere on them. */
  isVague(k: number): boolean {
    return Math.floor(this.id[k]! / PIECES ** 2) === CROSSING && this.planes[k] !== 0;
  }

  /** Of each point where edges cross: their directions, that of a and that of b, of length 1; zeros of others. */
  readonly crossings = new Float64Array(6 * MOST_POINTS);
  /** Which shape has the reference face: 1 is a, 2 is b, 0 is none. */
  private reference: 0 | 1 | 2 = 0;

  private readonly thickness: number;

  constructor(
    readonly pair: Pair,
    readonly rims: Rims = 'lowest',
  ) {
    this.thickness = Math.min(thicknessOf(pair.a), thicknessOf(pair.b));
  }

  forget(): void {
    this.pair.forget();
    this.reference = 0;
  }

  /** The shape whose face is the reference of the points: 1 is a, 2 is b, 0 is none. */
  get base(): 0 | 1 | 2 {
    return this.reference;
  }

  /**
   * As `Pair.measure`; points are listed if they are less than `margin` apart, a length greater than zero. It should be smaller than a hundredth of the
   * edges of the shapes, so that what has left it is beyond that when faces no longer lie against each other. Gives the number of points.
   */
  measure(rotation: Float64Array, position: Float64Array, a: number, b: number, margin: number): number {
    const { pair, normal } = this;
    this.count = 0;
    if (!(pair.measure(rotation, position, a, b) <= margin)) return 0;
    normal.fill(0);
    const before = this.reference;
    let after = before;
    // The far points of a face that is pressed in leave the other shape at a larger angle: until then they count.
    const most = Math.min(MOST_ANGLE, ANGLE + (RISE * Math.max(0, -pair.distance)) / this.thickness);
    let angle = most;
    let left = 1;
    while (left > 0) {
      const from = this.count;
      this.reference = before;
      const steepness = this.faces(angle);
      const isLast = this.rims === 'fixed' || this.count + FEW > MOST_POINTS;
      const next = isLast ? 0 : below(steepness / most);
      this.settle(from, left - next, margin, rotation, position, a);
      if (this.count === from && this.rims === 'fixed' && this.besides(angle))
        this.settle(from, left - next, margin, rotation, position, a);
      if (this.count === from) {
        this.nearest(left - next);
        if (this.rims === 'fixed' && isFlat(pair.a) && isFlat(pair.b)) this.identify(from, rotation, a);
      }
      if (angle === most) after = this.reference;
      left = next;
      // The largest angle at which what was turned most no longer counts as flat.
      angle = steepness * (1 - 1e-9);
    }
    this.reference = after;
    const length = Math.hypot(normal[0]!, normal[1]!, normal[2]!);
    for (let i = 0; i < 3; i++) normal[i]! /= length;
    return this.count;
  }

  /** Lists the point that is nearest. */
  private nearest(share: number): void {
    const { pair, count: k } = this;
    this.count++;
    this.reference = 0;
    this.distance[k] = pair.distance;
    this.weight[k] = share;
    this.id[k] = NEAREST;
    for (let i = 0; i < 3; i++) {
      this.pointA[3 * k + i] = pair.pointA[i]!;
      this.pointB[3 * k + i] = pair.pointB[i]!;
      this.across[3 * k + i] = pair.normal[i]!;
      this.normal[i]! += share * pair.normal[i]!;
    }
    this.crossings.fill(0, 6 * k, 6 * k + 6);
    this.planes[k] = 0;
  }

  /** What the nearest point is, after `faces`: a corner on a face, or where edges cross. */
  private identify(k: number, rotation: Float64Array, object: number): void {
    const { core, between } = this.pair;
    const isCornerOfA = faceA.count === 1 && faceB.count > 2;
    if (isCornerOfA || (faceB.count === 1 && faceA.count > 2)) {
      const face = isCornerOfA ? faceB : faceA;
      const sign = isCornerOfA ? -1 : 1;
      if (isCornerOfA) face.place(between.rotation, between.translation);
      for (let i = 0; i < 3; i++) upright[i] = sign * face.normal[i]!;
      if (!isAligned(upright, core.normal)) return;
      this.count--;
      if (isCornerOfA) this.list(CORNER_OF_A, faceA.ids[0]!, faceB.id);
      else this.list(CORNER_OF_B, faceA.id, faceB.ids[0]!);
      this.planes[k] = isCornerOfA ? 2 : 1;
    } else if (faceA.count === 2 && faceB.count === 2) {
      upright.set(core.normal);
      this.cross(k, faceA, 0, faceB, 0, true);
      for (let i = 0; i < 3; i++) upright[i] = this.across[3 * k + i]!;
      if (!isAligned(upright, core.normal)) {
        this.crossings.fill(0, 6 * k, 6 * k + 6);
        for (let i = 0; i < 3; i++) this.across[3 * k + i] = this.pair.normal[i]!;
        return;
      }
      this.count--;
      this.list(EDGES, edgeOf(faceA), edgeOf(faceB));
      for (let of = 0; of < 6; of += 3)
        turn(this.crossings, 6 * k + of, rotation, object, this.crossings, 6 * k + of);
    } else return;
    turn(upright, 0, rotation, object, this.across, 3 * k);
    this.distance[k] = 0;
    for (let i = 0; i < 3; i++)
      this.distance[k]! += this.across[3 * k + i]! * (this.pointB[3 * k + i]! - this.pointA[3 * k + i]!);
  }

  /** Finds faces that lie against each other up to an angle, and lists the corners of what they share. Gives the sine of the angle by which they are turned. */
  private faces(angle: number): number {
    const { core, between } = this.pair;
    const { a, b } = between;
    between.opposite(core.normal, opposite);
    faceOf(a, core.normal, angle, this.rims, faceA);
    faceOf(b, opposite, angle, this.rims, faceB);
    if (faceA.count === 1 || faceB.count === 1) return 0;
    const steepness = Math.max(faceA.steepness, faceB.steepness);
    faceB.place(between.rotation, between.translation);
    if (faceA.count === 2 && faceB.count === 2) {
      this.reference = 0;
      return Math.max(steepness, this.edges(angle));
    }
    const isA = this.isReferenceA();
    this.reference = isA ? 1 : 2;
    const base = isA ? faceA : faceB;
    leaning(between, isA, base.normal, this.rims, 2 * angle);
    const other = isA ? faceB : faceA;
    if (other.count === 1) return steepness;
    upright.set(base.normal);
    this.cut(base, other, isA);
    return steepness;
  }

  /** An edge that is not above a face but beyond one of its sides touches that side; false where none does. */
  private besides(angle: number): boolean {
    const { core, between } = this.pair;
    const [base, other] = faceA.count > 2 ? [faceA, faceB] : [faceB, faceA];
    if (base.count === 2 || other.count !== 2 || base.radius > 0) return false;
    base.takeSide(other);
    // What is round has another line there than above the face.
    if (other === faceB) {
      between.opposite(core.normal, opposite);
      faceOf(between.b, opposite, angle, this.rims, faceB);
      faceB.place(between.rotation, between.translation);
    } else faceOf(between.a, core.normal, angle, this.rims, faceA);
    if (other.count !== 2) return false;
    this.reference = 0;
    const from = this.count;
    this.edges(angle);
    return this.count > from;
  }

  /** The better one of both faces: a polygon rather than a disc, that which the normal belongs to, the one before. */
  private isReferenceA(): boolean {
    if (faceB.count === 2) return true;
    if (faceA.count === 2) return false;
    if (faceA.radius > 0 !== faceB.radius > 0) return faceB.radius > 0;
    if (faceA.radius > 0 && faceA.radius !== faceB.radius) return faceA.radius > faceB.radius;
    const n = this.pair.core.normal;
    const apart = (face: Face): number => {
      const m = face.normal;
      const [x, y, z] = [
        m[1]! * n[2]! - m[2]! * n[1]!,
        m[2]! * n[0]! - m[0]! * n[2]!,
        m[0]! * n[1]! - m[1]! * n[0]!,
      ];
      return x * x + y * y + z * z;
    };
    return (
      apart(faceA) <= apart(faceB) + (this.reference === 1 ? BETTER : this.reference === 2 ? -BETTER : 0)
    );
  }

  /** Two edges that are nearly parallel touch where both are. Gives the sine of the angle between them; zero where they do not. */
  private edges(angle: number): number {
    const { core } = this.pair;
    const [p, q] = [faceA.points, faceB.points];
    const [ax, ay, az] = [p[3]! - p[0]!, p[4]! - p[1]!, p[5]! - p[2]!];
    const [bx, by, bz] = [q[3]! - q[0]!, q[4]! - q[1]!, q[5]! - q[2]!];
    const aa = ax * ax + ay * ay + az * az;
    const bb = bx * bx + by * by + bz * bz;
    const [cx, cy, cz] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const sine = Math.sqrt((cx * cx + cy * cy + cz * cz) / (aa * bb));
    if (sine > angle) return 0;
    // Where the ends of b are along a, from 0 to 1.
    const begin = ((q[0]! - p[0]!) * ax + (q[1]! - p[1]!) * ay + (q[2]! - p[2]!) * az) / aa;
    const end = begin + (ax * bx + ay * by + az * bz) / aa;
    const [low, high] = [Math.max(0, Math.min(begin, end)), Math.min(1, Math.max(begin, end))];
    if (!(low < high)) return 0;
    upright.set(core.normal);
    // What is round rises beside the line at which it is lowest.
    const { radiusA, radiusB } = this.pair;
    const radius = (radiusA < Infinity ? radiusA : 0) + (radiusB < Infinity ? radiusB : 0);
    const from = this.count;
    for (let k = from; k < from + 2; k++) {
      const s = k === from ? low : high;
      const t = Math.max(0, Math.min(1, (s - begin) / (end - begin)));
      const endOfA = s === 0 ? 1 : s === 1 ? 2 : 0;
      const endOfB = t === 0 ? 1 : 2;
      if (endOfA) this.list(END_OF_A, faceA.ids[endOfA - 1]!, edgeOf(faceB));
      else this.list(END_OF_B, edgeOf(faceA), faceB.ids[endOfB - 1]!);
      let height = 0;
      let square = 0;
      for (let i = 0; i < 3; i++) {
        spare[i] = p[i]! + s * (p[3 + i]! - p[i]!);
        spare[3 + i] = q[i]! + t * (q[3 + i]! - q[i]!);
        height += (spare[3 + i]! - spare[i]!) * upright[i]!;
        square += (spare[3 + i]! - spare[i]!) ** 2;
      }
      const aside = Math.max(0, square - height * height);
      const own = height + (radius > 0 ? aside / (2 * radius) : 0);
      // The middle between both, so that one is above the other.
      for (let i = 0; i < 3; i++) {
        const middle = (spare[i]! + spare[3 + i]!) / 2;
        this.pointA[3 * k + i] = middle - (own / 2) * upright[i]!;
        this.pointB[3 * k + i] = middle + (own / 2) * upright[i]!;
      }
    }
    for (let i = 0; i < 6; i++) this.across[3 * from + i] = upright[i % 3]!;
    this.crossings.fill(0, 6 * from, 6 * from + 12);
    this.planes.fill(0, from, from + 2);
    this.weight.fill(0.5, from, from + 2);
    return sine;
  }

  private list(what: number, ofA: number, ofB: number): void {
    this.id[this.count++] = numberOf(what, ofA, ofB);
  }

  /** Lists the corners of what is left of the other face within the base. */
  private cut(base: Face, other: Face, isA: boolean): void {
    const shared = clip(base, other);
    const { count, x, y, z, corner, side } = shared;
    if (count > MOST_SHARED) return;
    const from = this.count;
    weigh(shared, this.weight.subarray(from));
    const isRound =
      other.count === 2 && this.rims === 'lowest' && (isA ? this.pair.b : this.pair.a).margin > 0;
    for (let k = 0; k < count; k++) {
      this.count++;
      const at = from + k;
      for (let i = 0; i < 3; i++) foot[i] = origin[i]! + x[k]! * first[i]! + y[k]! * second[i]!;
      const height = isRound && z[k]! > 0 ? distanceFrom(other.points, foot) : z[k]!;
      for (let i = 0; i < 3; i++) {
        const point = foot[i]! + height * upright[i]!;
        this.pointA[3 * at + i] = isA ? foot[i]! : point;
        this.pointB[3 * at + i] = isA ? point : foot[i]!;
      }
      this.crossings.fill(0, 6 * at, 6 * at + 6);
      this.across.set(upright, 3 * at);
      this.planes[at] = isA ? 1 : 2;
      if (side[k]! >= 0 && base.radius === 0) {
        if (corner[k]! >= 0) this.cross(at, base, side[k]!, other, corner[k]!, isA);
        else if (other.count > 2) {
          // A corner of the base is on the other face.
          for (let i = 0; i < 3; i++) this.across[3 * at + i] = -other.normal[i]!;
          this.planes[at] = isA ? 2 : 1;
        }
      }
      this.number(at, base, side[k]!, other, corner[k]!, isA);
      if (!isA) for (let i = 0; i < 3; i++) this.across[3 * at + i]! *= -1;
    }
    if (!isA) for (let i = 0; i < 3; i++) upright[i] = -upright[i]!;
  }

  /** Numbers a corner of what is left of the other face within the base. */
  private number(k: number, base: Face, side: number, other: Face, corner: number, isA: boolean): void {
    const id = (what: number, ofBase: number, ofOther: number) => {
      this.id[k] = numberOf(what, isA ? ofBase : ofOther, isA ? ofOther : ofBase);
    };
    const [cornerOfBase, cornerOfOther] = isA ? [CORNER_OF_A, CORNER_OF_B] : [CORNER_OF_B, CORNER_OF_A];
    if (side < 0) id(cornerOfOther, base.id, corner < 0 ? PIECES - 1 : other.ids[corner]!);
    else if (corner < 0 && other.count > 2) id(cornerOfBase, base.ids[side]!, other.id);
    else if (corner < 0) id(ABOVE, base.ids[side]!, edgeOf(other));
    else id(CROSSING, base.radius > 0 ? side : edgeOf(base, side), edgeOf(other, corner));
  }

  /** The normal of a side of the base and an edge of the other face, on the side of that of the base. */
  private cross(k: number, base: Face, side: number, other: Face, corner: number, isA: boolean): void {
    const [i, j] = [3 * side, 3 * ((side + 1) % base.count)];
    const [l, m] = [3 * corner, 3 * ((corner + 1) % other.count)];
    const [p, q] = [base.points, other.points];
    const [ax, ay, az] = [p[j]! - p[i]!, p[j + 1]! - p[i + 1]!, p[j + 2]! - p[i + 2]!];
    const [bx, by, bz] = [q[m]! - q[l]!, q[m + 1]! - q[l + 1]!, q[m + 2]! - q[l + 2]!];
    const [x, y, z] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const up = x * upright[0]! + y * upright[1]! + z * upright[2]!;
    const length = Math.sign(up) * Math.sqrt(x * x + y * y + z * z);
    const [one, two] = [Math.hypot(ax, ay, az), Math.hypot(bx, by, bz)];
    if (!(Math.abs(up) > 1e-6 * one * two)) return;
    this.planes[k] = 0;
    this.across.set([x / length, y / length, z / length], 3 * k);
    this.crossings.set([ax / one, ay / one, az / one], 6 * k + (isA ? 0 : 3));
    this.crossings.set([bx / two, by / two, bz / two], 6 * k + (isA ? 3 : 0));
  }

  /** Of the points from a place on: adds margins, keeps what is near, and goes to the world. The sum of their weights is a share. */
  private settle(
    from: number,
    share: number,
    margin: number,
    rotation: Float64Array,
    position: Float64Array,
    object: number,
  ): void {
    const { a, b } = this.pair;
    const { pointA, pointB, distance, weight, id, normal } = this;
    const n = upright;
    let kept = from;
    let sum = 0;
    for (let k = from; k < this.count; k++) {
      const at = 3 * k;
      const core =
        n[0]! * (pointB[at]! - pointA[at]!) +
        n[1]! * (pointB[at + 1]! - pointA[at + 1]!) +
        n[2]! * (pointB[at + 2]! - pointA[at + 2]!);
      const own = core - a.margin - b.margin;
      if (!(own < margin)) continue;
      distance[kept] = own;
      weight[kept] = weight[k]! * nearness(own / margin);
      sum += weight[kept]!;
      id[kept] = id[k]!;
      for (let i = 0; i < 3; i++) {
        spare[i] = pointA[at + i]! + a.margin * n[i]!;
        spare[3 + i] = pointB[at + i]! - b.margin * n[i]!;
      }
      this.planes[kept] = this.planes[k]!;
      turn(this.across, at, rotation, object, this.across, 3 * kept);
      for (let of = 0; of < 6; of += 3)
        turn(this.crossings, 6 * k + of, rotation, object, this.crossings, 6 * kept + of);
      toWorld(spare, 0, rotation, position, object, pointA, 3 * kept);
      toWorld(spare, 3, rotation, position, object, pointB, 3 * kept);
      kept++;
    }
    for (let k = from; k < kept; k++) weight[k] = share * (sum > 0 ? weight[k]! / sum : 1 / (kept - from));
    this.count = kept;
    if (kept === from) return;
    for (let k = 0; k < 3; k++) {
      const row = 9 * object + 3 * k;
      normal[k]! +=
        share * (rotation[row]! * n[0]! + rotation[row + 1]! * n[1]! + rotation[row + 2]! * n[2]!);
    }
  }
}

const numberOf = (what: number, ofA: number, ofB: number): number => (what * PIECES + ofA) * PIECES + ofB;

/** Whether a shape has flat faces and straight edges only. */
const isFlat = ({ kind }: Convex): boolean => kind === 'box' || kind === 'hull';

/** The number of the edge of a face that begins at a corner. */
function edgeOf({ ids, count }: Face, from = 0): number {
  const [one, other] = [ids[from]!, ids[(from + 1) % count]!];
  return (Math.min(one, other) * ENDS + Math.max(one, other)) % PIECES;
}

/** Whether directions of length 1 are the same but for rounding errors. */
const isAligned = (one: Float64Array, other: Float64Array): boolean =>
  Math.hypot(one[0]! - other[0]!, one[1]! - other[1]!, one[2]! - other[2]!) < ALIGNED;

// Shared by all manifolds, of which only one is measured at a time. Everything is in the frame of a.
const faceA = new Face();
const faceB = new Face();
const opposite = new Float64Array(3);
const spare = new Float64Array(6);
const foot = new Float64Array(3);
/** The normal of the base; later, that from a to b. */
const upright = new Float64Array(3);

/** The face of the other shape that is lowest on the reference: round ones are chosen by its normal. */
function leaning(between: Difference, isA: boolean, normal: Float64Array, rims: Rims, angle: number): void {
  if (isA) {
    if (between.b.kind !== 'frustum' && between.b.kind !== 'beam') return;
    between.opposite(normal, opposite);
    faceOf(between.b, opposite, angle, rims, faceB);
    faceB.place(between.rotation, between.translation);
  } else {
    if (between.a.kind !== 'frustum' && between.a.kind !== 'beam') return;
    for (let k = 0; k < 3; k++) opposite[k] = -normal[k]!;
    faceOf(between.a, opposite, angle, rims, faceA);
  }
}

/**
 * How far a point is from a line between two others. What is round about that line is as deep in a face, where it leans out over a side of it, as in that side: the height
 * above the face would be more, and the side not be touched.
 */
function distanceFrom(ends: Float64Array, p: Float64Array): number {
  let [length, along] = [0, 0];
  for (let i = 0; i < 3; i++) {
    const d = ends[3 + i]! - ends[i]!;
    length += d * d;
    along += d * (p[i]! - ends[i]!);
  }
  const t = Math.min(1, Math.max(0, along / length));
  let square = 0;
  for (let i = 0; i < 3; i++) square += (ends[i]! + t * (ends[3 + i]! - ends[i]!) - p[i]!) ** 2;
  return Math.sqrt(square);
}

/** The share of angles in the interval that are below one, as a part of the largest. */
const below = (part: number): number => smooth((part - LESS) / (1 - LESS));

/** 1 for what touches, 0 for what is apart by the margin, and smooth between them. */
const nearness = (part: number): number => 1 - smooth(part);

/** A direction in the frame of an object, in the world. */
function turn(
  v: Float64Array,
  at: number,
  rotation: Float64Array,
  object: number,
  into: Float64Array,
  to: number,
): void {
  const [x, y, z] = [v[at]!, v[at + 1]!, v[at + 2]!];
  for (let k = 0; k < 3; k++) {
    const row = 9 * object + 3 * k;
    into[to + k] = rotation[row]! * x + rotation[row + 1]! * y + rotation[row + 2]! * z;
  }
}

/** A point in the frame of an object, in the world. */
function toWorld(
  p: Float64Array,
  at: number,
  rotation: Float64Array,
  position: Float64Array,
  object: number,
  into: Float64Array,
  to: number,
): void {
  for (let k = 0; k < 3; k++) {
    const row = 9 * object + 3 * k;
    into[to + k] =
      position[3 * object + k]! +
      rotation[row]! * p[at]! +
      rotation[row + 1]! * p[at + 1]! +
      rotation[row + 2]! * p[at + 2]!;
  }
}
