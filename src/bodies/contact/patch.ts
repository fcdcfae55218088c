/**
 * Where two rigid shapes touch: points of a manifold (`manifold.ts`) that are known since the last event. Some of them press; others lie on the other shape as well, but
 * those that press hold the bodies already (of four corners, three would do).
 *
 * Points are found again by their numbers. Where a number is missing, the point goes on with the shapes as it did at the last event, and `lost` tells how far that is from all
 * points that there are: there is an event where that is no rounding error.
 */
import type { Meeting } from '../dynamics/touch.ts';
import { Pair } from './distance.ts';
import { Manifold, MOST_POINTS } from './manifold.ts';
import type { Convex } from './support.ts';

/** Points are listed up to this distance, by the size of the smaller shape. */
const MARGIN = 1e-3;
/** So near to each other, by that size, points are the same. */
const SAME = 1e-7;

/** A point in the frames of both shapes. */
export interface Known {
  readonly id: number;
  readonly onA: readonly number[];
  readonly onB: readonly number[];
  readonly presses: boolean;
}

export class Patch implements Meeting {
  count = 0;
  readonly points = new Float64Array(3 * MOST_POINTS);
  readonly gaps = new Float64Array(MOST_POINTS);
  readonly normal = new Float64Array(3);
  readonly normals = new Float64Array(3 * MOST_POINTS);
  readonly edges = new Float64Array(6 * MOST_POINTS);
  readonly planes = new Uint8Array(MOST_POINTS);
  base: 0 | 1 | 2 = 0;
  readonly size: number;
  /** After `measure`: see above; and the least distance of points that are not known, or the margin. */
  lost = 0;
  nearest = 0;
  /** After `measure`: the least distance of points that are known and do not press. */
  idle = 0;
  readonly margin: number;
  readonly manifold: Manifold;
  private readonly isPolyhedral: boolean;
  private known: readonly Known[] = [];

  constructor(a: Convex, b: Convex) {
    this.size = Math.min(a.size, b.size);
    this.margin = MARGIN * this.size;
    this.manifold = new Manifold(new Pair(a, b), 'fixed');
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
    this.count = known.filter(({ presses }) => presses).length;
  }

  /** The points that there are, none of which presses yet; for the same arguments as `measure`. */
  list(rotation: Float64Array, position: Float64Array): { readonly known: Known; readonly gap: number }[] {
    const { manifold } = this;
    manifold.forget();
    manifold.measure(rotation, position, 0, 1, this.margin);
    return Array.from({ length: manifold.count }, (_, k) => {
      const middle = [0, 1, 2].map((i) => (manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2);
      return {
        gap: manifold.distance[k]!,
        known: {
          id: manifold.id[k]!,
          onA: within(middle, rotation, position, 0),
          onB: within(middle, rotation, position, 1),
          presses: false,
        },
      };
    });
  }

  /** The distance of the shapes, for the same arguments. */
  distance(rotation: Float64Array, position: Float64Array): number {
    const { pair } = this.manifold;
    pair.forget();
    return pair.measure(rotation, position, 0, 1);
  }

  measure(rotation: Float64Array, position: Float64Array): void {
    const { manifold, known, points, gaps, normal, normals, edges, planes } = this;
    // What was measured before must not matter: it may be farther on than what is looked at now.
    manifold.forget();
    const found = manifold.measure(rotation, position, 0, 1, this.margin);
    normal.set(found > 0 ? manifold.normal : manifold.pair.normal);
    this.base = this.isPolyhedral && found > 0 ? manifold.base : 0;
    this.lost = 0;
    this.nearest = this.idle = this.margin;
    isKnown.fill(0, 0, found);
    let at = 0;
    for (const point of known) {
      const k = this.find(point.id, found);
      if (k < 0) this.goOn(point, rotation, position);
      else {
        isKnown[k] = 1;
        gap = manifold.distance[k]!;
        for (let i = 0; i < 3; i++)
          place[i] = (manifold.pointA[3 * k + i]! + manifold.pointB[3 * k + i]!) / 2;
      }
      const away = this.awayFrom(found);
      if (!point.presses) {
        this.idle = Math.min(this.idle, gap);
        continue;
      }
      this.lost = Math.max(this.lost, k < 0 ? away : 0);
      let along = 0;
      for (let i = 0; i < 3; i++) {
        normals[3 * at + i] = k < 0 ? normal[i]! : manifold.across[3 * k + i]!;
        along += normals[3 * at + i]! * normal[i]!;
      }
      gap *= along;
      planes[at] = k < 0 ? this.base : manifold.planes[k]!;
      for (let i = 0; i < 6; i++) edges[6 * at + i] = k < 0 ? 0 : manifold.crossings[6 * k + i]!;
      gaps[at] = gap;
      for (let i = 0; i < 3; i++) points[3 * at + i] = place[i]!;
      at++;
    }
    for (let k = 0; k < found; k++)
      if (!isKnown[k]) this.nearest = Math.min(this.nearest, manifold.distance[k]!);
  }

  private find(id: number, found: number): number {
    for (let k = 0; k < found; k++) if (this.manifold.id[k] === id) return k;
    return -1;
  }

  /** The point as if it were fixed in the shape that the plane is not fixed in. */
  private goOn({ onA, onB }: Known, rotation: Float64Array, position: Float64Array): void {
    gap = 0;
    for (let i = 0; i < 3; i++) {
      const a = turned(onA, rotation, 3 * i) + position[i]!;
      const b = turned(onB, rotation, 9 + 3 * i) + position[3 + i]!;
      gap += this.normal[i]! * (b - a);
      place[i] = this.base === 1 ? b : this.base === 2 ? a : (a + b) / 2;
    }
    for (let i = 0; i < 3; i++)
      place[i] = place[i]! + (this.base === 1 ? -gap / 2 : this.base === 2 ? gap / 2 : 0) * this.normal[i]!;
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

const turned = (v: readonly number[], rotation: Float64Array, row: number): number =>
  rotation[row]! * v[0]! + rotation[row + 1]! * v[1]! + rotation[row + 2]! * v[2]!;

/** A point of the world in the frame of shape 0 or 1. */
function within(
  p: readonly number[],
  rotation: Float64Array,
  position: Float64Array,
  shape: number,
): readonly number[] {
  const from = [0, 1, 2].map((i) => p[i]! - position[3 * shape + i]!);
  return [0, 1, 2].map((j) => from.reduce((sum, x, i) => sum + x * rotation[9 * shape + 3 * i + j]!, 0));
}

/** Of the point that is looked at; and which points of the manifold are known. */
let gap = 0;
const place = new Float64Array(3);
const isKnown = new Uint8Array(MOST_POINTS);
