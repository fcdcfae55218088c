/**
 * Where two rigid shapes touch: points of a manifold (`manifold.ts`) that are known since the last event. Some of them press; others lie on the other shape as well, but
 * those that press hold the bodies already (of four corners, three would do).
 *
 * Where round shapes touch in a single point, that goes on with pieces of their surfaces (`pieces.ts`). Other points are found again by their numbers. Where a number is missing, the point goes on with the shapes as it did at the last event, what is round rolls on, and `lost` tells how far that is from all
 * points that there are: there is an event where that is no rounding error.
 */
import type { Ball, Footing } from '../../dynamics/touch.ts';
import { Pair } from '../distance.ts';
import type { Piece } from '../feature.ts';
import { Manifold, MOST_POINTS } from '../manifold.ts';
import type { Convex } from '../support.ts';
import { ballOf } from './ball.ts';
import { ERROR, Pieces } from './pieces.ts';
import { isRound, rolled } from './rolling.ts';

/** Points are listed up to this distance, by the size of the smaller shape. */
const MARGIN = 1e-3;
/** So near to each other, by that size, points are the same. */
const SAME = 1e-7;
/** Gaps up to this part of that size are closed: faces that meet are tilted by errors of a run, and meet as a whole. */
export const CLOSED = 1e-7;
/** Points that are listed are those at which round shapes touch where the nearest one is among them but for this part of that size, and for errors of distances. */
const EXACT = 5e-11;
/** Shapes with several points that are as near, by that size, lie against each other but for rounding errors: which of the points is nearest is not to be seen then. */
const FLAT = 1e-8;

/** Planes that lie against each other are turned by less than this. */
const TILTED = 0.1;

/** A point in the frames of both shapes. */
export interface Known {
  readonly id: number;
  readonly onA: readonly number[];
  readonly onB: readonly number[];
  readonly presses: boolean;
  /** The shape whose plane it is on, as in `Manifold`; the normal in the frame of that shape, or of A. */
  readonly plane: number;
  readonly normal: readonly number[];
  /** Directions of the edges that cross, in the frames of A and B; zeros where none do. */
  readonly edgeA: readonly number[];
  readonly edgeB: readonly number[];
  /** The points of the cores that are nearest to it, in the frames of A and B. */
  readonly coreA: readonly number[];
  readonly coreB: readonly number[];
  /** Of a nearest point of shapes of which one is round: the pieces of both surfaces that it goes on with. */
  readonly pieces?: readonly [Piece, Piece];
}

export class Patch implements Footing {
  count = 0;
  readonly points = new Float64Array(3 * MOST_POINTS);
  readonly gaps = new Float64Array(MOST_POINTS);
  readonly normal = new Float64Array(3);
  readonly normals = new Float64Array(3 * MOST_POINTS);
  readonly edges = new Float64Array(6 * MOST_POINTS);
  readonly planes = new Uint8Array(MOST_POINTS);
  base: Footing['base'] = 0;
  readonly size: number;
  /** After `measure`: see above; and the least distance of points that are not known, or the margin. */
  lost = 0;
  nearest = 0;
  /** After `measure`: the least distance of points that are known and do not press; of round shapes, of all their points. */
  idle = 0;
  readonly margin: number;
  readonly manifold: Manifold;
  /** After `measure`: a ball that touches in a single point of a face, an edge or a corner. */
  ball: Ball | undefined;
  private readonly pieces: Pieces;
  private readonly isPolyhedral: boolean;
  private known: readonly Known[] = [];

  constructor(a: Convex, b: Convex) {
    this.size = Math.min(a.size, b.size);
    this.margin = MARGIN * this.size;
    this.manifold = new Manifold(new Pair(a, b), 'fixed');
    this.pieces = new Pieces(this.manifold.pair);
    this.isPolyhedral = [a, b].every(({ kind }) => kind === 'box' || kind === 'hull');
  }

  forget(): void {
    this.manifold.forget();
    this.take([]);
  }

  save(): readonly Known[] {
    return this.known;
  }

  /** These are the points from here on. */
  take(known: readonly Known[]): void {
    this.known = known;
    this.pieces.forget();
    this.count = known.filter(({ presses }) => presses).length;
  }

  /** The points that there are, none of which presses yet; for the same arguments as `measure`. */
  list(rotation: Float64Array, position: Float64Array): { readonly known: Known; readonly gap: number }[] {
    const { manifold } = this;
    manifold.forget();
    manifold.measure(rotation, position, 0, 1, this.margin);
    const single = this.single(rotation, position);
    if (single) return [single];
    const listed = Array.from({ length: manifold.count }, (_, k) => k).filter((k) => !this.isDoubled(k));
    return listed.map((k) => {
      const middle = [0, 1, 2].map((i) => (manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2);
      return {
        gap: manifold.distance[k]!,
        known: {
          id: manifold.id[k]!,
          onA: within(middle, rotation, position, 0),
          onB: within(middle, rotation, position, 1),
          presses: false,
          plane: manifold.planes[k]!,
          normal: back(
            [...manifold.across.subarray(3 * k, 3 * k + 3)],
            rotation,
            manifold.planes[k] === 2 ? 1 : 0,
          ),
          edgeA: back([...manifold.crossings.subarray(6 * k, 6 * k + 3)], rotation, 0),
          edgeB: back([...manifold.crossings.subarray(6 * k + 3, 6 * k + 6)], rotation, 1),
          coreA: this.core(k, 0, rotation, position),
          coreB: this.core(k, 1, rotation, position),
        },
      };
    });
  }

  /** Whether a point that may be anywhere on edges is where another one is, or between two, which say what it says. */
  private isDoubled(k: number): boolean {
    const { manifold } = this;
    if (!manifold.isVague(k)) return false;
    const others = Array.from({ length: manifold.count }, (_, i) => i).filter((i) => !manifold.isVague(i));
    return others.some((i) => others.some((j) => j >= i && this.isBetween(k, i, j)));
  }

  /** Whether point k is on the line from point i to point j, which may be the same. */
  private isBetween(k: number, i: number, j: number): boolean {
    const { pointA } = this.manifold;
    const fromI = (to: number) => [0, 1, 2].map((c) => pointA[3 * to + c]! - pointA[3 * i + c]!);
    const [line, place] = [fromI(j), fromI(k)];
    const square = line.reduce((sum, x) => sum + x * x, 0);
    const along = line.reduce((sum, x, c) => sum + x * place[c]!, 0);
    const part = square > 0 ? Math.min(1, Math.max(0, along / square)) : 0;
    return Math.hypot(...place.map((x, c) => x - part * line[c]!)) < SAME * this.size;
  }

  /**
   * The point at which shapes touch of which one is round, after the manifold was measured. Undefined where they lie against each other with several points: these are right only where nothing is
   * tilted, since what is round rises beside the line or point at which it is lowest.
   */
  private single(rotation: Float64Array, position: Float64Array) {
    const { count, distance, pair } = this.manifold;
    if (this.isPolyhedral || !(pair.distance <= this.margin)) return undefined;
    const gaps = distance.subarray(0, count);
    const least = gaps.reduce((most, gap) => Math.min(most, gap), Infinity);
    const several = gaps.filter((gap) => gap <= least + FLAT * this.size).length > 1;
    if (several && Math.abs(least - pair.distance) <= EXACT * this.size + this.error) return undefined;
    const pieces = this.pieces.find();
    if (!pieces) return undefined;
    const middle = [0, 1, 2].map((i) => (pair.pointA[i]! + pair.pointB[i]!) / 2);
    const known: Known = {
      id: 0,
      onA: within(middle, rotation, position, 0),
      onB: within(middle, rotation, position, 1),
      presses: false,
      plane: 0,
      normal: back([...pair.normal], rotation, 0),
      edgeA: [0, 0, 0],
      edgeB: [0, 0, 0],
      coreA: [0, 0, 0],
      coreB: [0, 0, 0],
      pieces,
    };
    return { gap: pair.distance, known };
  }

  /** By how much distances may be wrong. */
  get error(): number {
    return ERROR * this.manifold.pair.between.scale;
  }

  /** The distance of the shapes, for the same arguments. */
  distance(rotation: Float64Array, position: Float64Array): number {
    const { pair } = this.manifold;
    pair.forget();
    return pair.measure(rotation, position, 0, 1);
  }

  measure(rotation: Float64Array, position: Float64Array, isNextTo = false): void {
    const { manifold, known, points, gaps, normal, normals, edges, planes } = this;
    const [single] = known;
    this.ball = undefined;
    // What was measured before must not matter otherwise: it may be farther on than what is looked at now.
    if (!isNextTo) manifold.forget();
    if (known.length === 1 && single!.pieces && this.goOnWith(single!, single!.pieces, rotation, position))
      return;
    const found = manifold.measure(rotation, position, 0, 1, this.margin);
    normal.set(found > 0 ? manifold.normal : manifold.pair.normal);
    this.base = this.isPolyhedral && found > 0 ? manifold.base : 0;
    this.lost = 0;
    this.nearest = this.idle = this.margin;
    if (!this.isPolyhedral) this.idle = Math.min(this.idle, manifold.pair.distance + 2 * this.error);
    isKnown.fill(0, 0, found);
    let at = 0;
    let areLost = true;
    for (const point of known) {
      let k = this.find(point.id, found);
      if (k >= 0 && !this.isAcross(k, point, rotation)) k = -1;
      if (k < 0) {
        this.goOn(point, rotation, position);
        if (!isFixed(point)) k = this.follow(point, found, rotation, position);
      }
      if (k >= 0) {
        isKnown[k] = 1;
        areLost = false;
        gap = manifold.distance[k]!;
        for (let i = 0; i < 3; i++)
          place[i] = (manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2;
      }
      const away = this.awayFrom(found);
      if (!point.presses) {
        this.idle = Math.min(this.idle, gap);
        continue;
      }
      this.lost = Math.max(this.lost, k < 0 ? Math.min(away, this.size) : 0);
      let along = 0;
      for (let i = 0; i < 3; i++) {
        normals[3 * at + i] = k < 0 ? own[i]! : manifold.across[3 * k + i]!;
        along += normals[3 * at + i]! * normal[i]!;
      }
      if (k >= 0) gap *= along;
      planes[at] = k < 0 ? point.plane : manifold.planes[k]!;
      for (let i = 0; i < 6; i++) edges[6 * at + i] = k < 0 ? lines[i]! : manifold.crossings[6 * k + i]!;
      if (this.base === 0 && this.isPolyhedral) this.base = this.baseOf(at);
      gaps[at] = gap;
      for (let i = 0; i < 3; i++) points[3 * at + i] = place[i]!;
      at++;
    }
    if (areLost && at > 0) this.goOnAcross(at);
    for (let k = 0; k < found; k++)
      if (!isKnown[k]) this.nearest = Math.min(this.nearest, manifold.distance[k]!);
  }

  /** The same of a point on pieces of surfaces; false where these have none. */
  private goOnWith(
    { presses }: Known,
    pieces: readonly [Piece, Piece],
    rotation: Float64Array,
    position: Float64Array,
  ): boolean {
    const { points, gaps, normal, normals, edges, planes, size } = this;
    const { pair } = this.manifold;
    const { nearest } = this.pieces;
    pair.measure(rotation, position, 0, 1);
    if (!this.pieces.follow(pieces, rotation, position)) return false;
    for (let i = 0; i < 3; i++) {
      points[i] = (nearest.pointA[i]! + nearest.pointB[i]!) / 2;
      normal[i] = normals[i] = nearest.normal[i]!;
    }
    gaps[0] = nearest.distance;
    planes[0] = this.base = 0;
    this.ball = ballOf(pair.a, pair.b, pieces, rotation);
    edges.fill(0, 0, 6);
    this.lost = presses ? Math.min(this.pieces.lost, size) : 0;
    this.nearest = this.margin;
    this.idle = pair.distance + 2 * this.error;
    return true;
  }

  /**
   * The points that press go on with planes that are not those nearest by now, as where the end of a box lies flush with the side of another: what is across
   * them is what counts.
   */
  private goOnAcross(count: number): void {
    const { normal, normals } = this;
    normal.fill(0);
    for (let k = 0; k < 3 * count; k++) normal[k % 3]! += normals[k]!;
    const length = Math.hypot(normal[0]!, normal[1]!, normal[2]!);
    for (let i = 0; i < 3; i++) normal[i]! /= length;
  }

  /** The base of a point that is not one of several. */
  private baseOf(at: number): Footing['base'] {
    const plane = this.planes[at]!;
    if (plane !== 0) return plane === 1 ? 1 : 2;
    for (let i = 6 * at; i < 6 * at + 3; i++) if (this.edges[i] !== 0) return 3;
    return 0;
  }

  /** Whether what is listed is across the plane of a point: edges that hardly cross are listed with other planes beyond the end of that one. */
  private isAcross(k: number, { plane, normal }: Known, rotation: Float64Array): boolean {
    const { planes, across } = this.manifold;
    if (plane === 0 || planes[k] === 0) return true;
    let square = 0;
    for (let i = 0; i < 3; i++)
      square += (across[3 * k + i]! - turned(normal, rotation, (plane === 2 ? 9 : 0) + 3 * i)) ** 2;
    return square < TILTED ** 2;
  }

  private find(id: number, found: number): number {
    for (let k = 0; k < found; k++) if (this.manifold.id[k] === id) return k;
    return -1;
  }

  /** The point goes on with what it was on: with a plane and fixed in the other shape, or on both edges, as if these had no ends. */
  private goOn(point: Known, rotation: Float64Array, position: Float64Array): void {
    const { onA, onB, plane, coreA, coreB } = point;
    const { a, b } = this.manifold.pair;
    const ofB = plane === 2 ? 9 : 0;
    // Where lines of round shapes cross edges, no shape has a normal that stays.
    const hasNormal = isFixed(point) && (plane !== 0 || !(isRound(a) || isRound(b)));
    for (let i = 0; i < 3; i++) {
      from[i] = turned(onA, rotation, 3 * i) + position[i]!;
      to[i] = turned(onB, rotation, 9 + 3 * i) + position[3 + i]!;
      own[i] = hasNormal ? turned(point.normal, rotation, ofB + 3 * i) : this.normal[i]!;
      lines[i] = turned(point.edgeA, rotation, 3 * i);
      lines[3 + i] = turned(point.edgeB, rotation, 9 + 3 * i);
    }
    const sine = this.cross();
    if (plane === 2 || sine !== 0) this.roll(0, a, coreA, rotation, position);
    if (plane === 1 || sine !== 0) this.roll(1, b, coreB, rotation, position);
    gap = 0;
    for (let i = 0; i < 3; i++) gap += own[i]! * (to[i]! - from[i]!);
    const by = sine === 0 ? 0 : this.along() / sine;
    for (let i = 0; i < 3; i++) {
      const foot = sine !== 0 || plane === 2 ? from[i]! + by * lines[i]! : to[i]! - gap * own[i]!;
      place[i] = isFixed(point) ? foot + (gap / 2) * own[i]! : (from[i]! + to[i]!) / 2;
    }
  }

  /** What is round goes on with its point that is farthest on the side of the other shape. */
  private roll(
    shape: 0 | 1,
    of: Convex,
    core: readonly number[],
    rotation: Float64Array,
    position: Float64Array,
  ): void {
    if (!isRound(of)) return;
    const [sign, into] = shape === 0 ? [1, from] : [-1, to];
    const toward = back(
      [0, 1, 2].map((i) => sign * own[i]!),
      rotation,
      shape,
    );
    const point = rolled(of, core, toward);
    for (let i = 0; i < 3; i++)
      into[i] =
        turned(point, rotation, 9 * shape + 3 * i) + position[3 * shape + i]! + sign * of.margin * own[i]!;
  }

  /** The normal of both edges, where there are some, on the side of the one before; gives the sine of their angle. */
  private cross(): number {
    const [x, y, z] = normalOf(lines[0]!, lines[1]!, lines[2]!, lines[3]!, lines[4]!, lines[5]!);
    const sine = Math.sign(x * own[0]! + y * own[1]! + z * own[2]!) * Math.sqrt(x * x + y * y + z * z);
    if (sine !== 0) own.set([x / sine, y / sine, z / sine]);
    return sine;
  }

  /** How far the nearest point of edge A is from `from`, times the sine. */
  private along(): number {
    const [x, y, z] = [to[0]! - from[0]!, to[1]! - from[1]!, to[2]! - from[2]!];
    const [a, b, c] = normalOf(x, y, z, lines[3]!, lines[4]!, lines[5]!);
    return a * own[0]! + b * own[1]! + c * own[2]!;
  }

  /** A nearest point may have become one of several, which has the same part of the core of A or of B; -1 where none does. */
  private follow(point: Known, found: number, rotation: Float64Array, position: Float64Array): number {
    const { pair, normal } = this.manifold;
    for (const [shape, of, core, sign] of [
      [0, pair.a, point.coreA, 1],
      [1, pair.b, point.coreB, -1],
    ] as const) {
      const toward = back(
        [0, 1, 2].map((i) => sign * normal[i]!),
        rotation,
        shape,
      );
      const known = rolled(of, core, toward);
      for (let k = 0; k < found; k++) {
        const listed = this.core(k, shape, rotation, position);
        if (Math.hypot(...listed.map((x, i) => x - known[i]!)) < SAME * this.size) return k;
      }
    }
    return -1;
  }

  /** The point of the core of shape 0 or 1 below a point that is listed, in the frame of the shape. */
  private core(k: number, shape: 0 | 1, rotation: Float64Array, position: Float64Array): readonly number[] {
    const { pair, normal, pointA, pointB } = this.manifold;
    const [points, below] = shape === 0 ? [pointA, -pair.a.margin] : [pointB, pair.b.margin];
    return within(
      [0, 1, 2].map((i) => points[3 * k + i]! + below * normal[i]!),
      rotation,
      position,
      shape,
    );
  }

  /** How far `place` is from the points that there are; those that are there are known. */
  private awayFrom(found: number): number {
    const { pointA, pointB } = this.manifold;
    let least = Infinity;
    for (let k = 0; k < found; k++) {
      let square = 0;
      for (let i = 0; i < 3; i++) square += (place[i]! - (pointA[3 * k + i]! + pointB[3 * k + i]!) / 2) ** 2;
      if (square < (SAME * this.size) ** 2) isKnown[k] = 1;
      least = Math.min(least, square);
    }
    return Math.sqrt(least);
  }
}

const isFixed = ({ plane, edgeA }: Known): boolean => plane !== 0 || edgeA.some((x) => x !== 0);

const normalOf = (a: number, b: number, c: number, x: number, y: number, z: number) =>
  [b * z - c * y, c * x - a * z, a * y - b * x] as const;

/** A direction of the world in the frame of shape 0 or 1. */
const back = (v: readonly number[], rotation: Float64Array, shape: number): readonly number[] =>
  [0, 1, 2].map((j) => v.reduce((sum, x, i) => sum + x * rotation[9 * shape + 3 * i + j]!, 0));

const turned = (v: readonly number[], rotation: Float64Array, row: number): number =>
  rotation[row]! * v[0]! + rotation[row + 1]! * v[1]! + rotation[row + 2]! * v[2]!;

/** A point of the world in the frame of shape 0 or 1. */
function within(
  p: readonly number[],
  rotation: Float64Array,
  position: Float64Array,
  shape: number,
): readonly number[] {
  return back(
    [0, 1, 2].map((i) => p[i]! - position[3 * shape + i]!),
    rotation,
    shape,
  );
}

/** Of the point that is looked at; and which points of the manifold are known. */
let gap = 0;
const place = new Float64Array(3);
const own = new Float64Array(3);
const lines = new Float64Array(6);
const from = new Float64Array(3);
const to = new Float64Array(3);
const isKnown = new Uint8Array(MOST_POINTS);
