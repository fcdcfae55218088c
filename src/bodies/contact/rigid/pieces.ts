/**
 * Where two shapes of which one is round touch in a single point: the pieces of their surfaces that are nearest to each other there, such as the side of a cylinder and an edge
 * of a box. Until the next event the point goes on with these pieces as if they had no ends. So it moves smoothly, also where an event is looked for beyond an end; how far it is from the point that
 * is nearest by then tells whether there was an end.
 */
import { newResult, type Result } from '../closed.ts';
import type { Pair } from '../distance.ts';
import type { Piece } from '../feature.ts';
import { Polish } from '../polish.ts';
import { Search } from '../search.ts';

/** Errors of distances, by the sizes of both shapes and how far they are apart (`Polish`). */
export const ERROR = 2e-12;
/** Points as near to each other, by the same, are the same. */
const NEAR = 1e-8;

export class Pieces {
  /** After `follow`: as in `Pair`. */
  readonly nearest: Result = newResult();
  /** How far that is from the nearest points of the shapes. */
  lost = 0;
  /** The last result that was that of the shapes, in the frame of a. */
  private readonly last: Result = newResult();
  private isKept = false;
  private readonly search: Search;
  private readonly polish: Polish;

  constructor(private readonly pair: Pair) {
    this.search = new Search(pair.between);
    this.polish = new Polish(pair.between);
  }

  /** The pieces that are nearest where the pair was last measured; undefined where these are not known, or touch along a line or a face: points are free in more than two directions then. */
  find(): readonly [Piece, Piece] | undefined {
    const { search, pair, polish } = this;
    search.forget();
    search.measure();
    const { featureA, featureB } = search.core;
    if (featureA.count + featureB.count > 2) return undefined;
    const pieces = [featureA.save(), featureB.save()] as const;
    // Just where a piece ends it may not be known whether a point is still on it.
    const isRight = search.known || (polish.follow(pieces, pair.core) && this.isNear());
    return isRight ? pieces : undefined;
  }

  /** Whether the points are those of the shapes that are nearest, but for rounding errors. */
  private isNear(): boolean {
    const { pair, polish } = this;
    const apart = polish.pointA.map((x, i) => x - pair.core.pointA[i]!);
    return Math.hypot(...apart) <= NEAR * pair.between.scale;
  }

  /** The nearest points of pieces where the pair was last measured; false where there are none. */
  follow(pieces: readonly [Piece, Piece], rotation: Float64Array, position: Float64Array): boolean {
    const { pair, polish } = this;
    let isFound = polish.follow(pieces, pair.core);
    this.lost = isFound ? this.away(rotation, position) : Infinity;
    if (this.lost === 0) this.keep();
    else if (this.isKept && polish.follow(pieces, this.last)) {
      // Beyond an end the shapes may be nearest to each other elsewhere: there, the last point that was right is a better beginning.
      this.lost = this.away(rotation, position);
      isFound = true;
    } else if (isFound) polish.follow(pieces, pair.core);
    if (isFound) pair.place(polish, rotation, position, 0, this.nearest);
    return isFound;
  }

  /** The next result does not depend on those before it. */
  forget(): void {
    this.isKept = false;
  }

  /** How far the points are from those of the shapes that are nearest; these may not be unique. */
  private away(rotation: Float64Array, position: Float64Array): number {
    const { pair, polish, nearest } = this;
    if (polish.isRight()) return 0;
    pair.place(polish, rotation, position, 0, nearest);
    let square = 0;
    for (let i = 0; i < 3; i++) square += (nearest.pointA[i]! - pair.pointA[i]!) ** 2;
    return Math.max(0, Math.sqrt(square) - ERROR * pair.between.scale);
  }

  private keep(): void {
    const { last, polish } = this;
    last.normal.set(polish.normal);
    last.pointA.set(polish.pointA);
    last.pointB.set(polish.pointB);
    last.distance = polish.distance;
    this.isKept = true;
  }
}
