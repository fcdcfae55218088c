/**
 * Pieces of time in which functions may change their signs. Where the ranges of a function and of its derivative show that its sign stays over
 * a piece, this is passed over; where it may change at most once, the piece is given; all others are halved (R. E. Moore, Interval
 * Analysis, 1966). So no pulse is too short to be found.
 *
 * Ranges may stay too wide however short a piece is: those of a function that touches zero, or is zero all along but for rounding. Then the
 * shortest piece is given. It becomes longer where that happens again and again.
 */
import { pulse } from '../diagnostic/pulse.ts';

/** What is known of functions over a piece: no sign changes, each changes once at most, or nothing. */
export type PieceFinding = 'stays' | 'single' | 'open';

export interface Piece {
  readonly start: number;
  readonly end: number;
  /** `stays` tells that there is nothing up to its end, and that what follows was not looked at. */
  readonly finding: PieceFinding;
}

const EPSILON = 2.220446049250313e-16;
/** The shortest piece in units in the last place of time. */
const LEAST_ULPS = 64;
/** Pieces are cut here, not in halves: functions turn at round times, and a turn between two pieces would be in neither. */
const SPLIT = 0.4870937;
/** After so many shortest pieces in a row, pieces may be this much longer. */
const PATIENCE = 8;
const GROWTH = 4;
/** So many pieces that cover no more than this share of the rest lead nowhere. */
const MANY = 1000;
const SLOW = 1e-3;
/** A piece that is this much longer than the shortest one tells that ranges are of use again. */
const CLEAR = 256;

export class Isolation {
  /** Length of the last piece that something was known of. */
  private width = Number.POSITIVE_INFINITY;
  private coarseness = 1;
  private shortest = 0;
  /** Pieces that were looked at since the time `mark`, and by how much longer the shortest is because they led nowhere. */
  private looks = 0;
  private mark = Number.NaN;
  private slowness = 1;

  constructor(private readonly examine: (a: number, b: number) => PieceFinding) {}

  /**
   * The first piece in which something may change; undefined where there is none up to `end`. At most `budget` pieces are looked at, none of them
   * longer than `widest`.
   */
  next(from: number, end: number, budget: number, widest: number): Piece | undefined {
    let a = from;
    let width = Math.min(2 * this.width, widest);
    for (let count = 0; a < end; count++) {
      pulse();
      if (count >= budget && a > from) return { start: a, end: a, finding: 'stays' };
      const rest = end - a;
      // The rest may be shorter than what can be added to a time.
      if (!(width < rest && a + width > a)) width = rest;
      const b = width === rest ? end : a + width;
      const finding = this.examine(a, b);
      this.pace(a, end);
      const ulps = LEAST_ULPS * this.coarseness * this.slowness;
      const least = ulps * EPSILON * Math.max(Math.abs(a), Math.abs(end));
      if (finding === 'open' && width > least) {
        width *= SPLIT;
        continue;
      }
      this.width = width;
      this.adapt(width / least);
      if (finding !== 'stays') return { start: a, end: b, finding };
      a = b;
      width = Math.min(2 * width, widest);
    }
    return undefined;
  }

  /** Begins anew: what made pieces longer is not looked at any more. */
  forget(): void {
    this.width = Number.POSITIVE_INFINITY;
    this.coarseness = 1;
    this.slowness = 1;
    this.shortest = 0;
    this.looks = 0;
  }

  /** A function that is zero all along, but for terms that cancel, leaves pieces of every length open: where many lead nowhere, they become longer. */
  private pace(a: number, end: number): void {
    if (!(a >= this.mark)) {
      this.mark = a;
      this.looks = 0;
    }
    if (++this.looks < MANY) return;
    if (a - this.mark < SLOW * (end - this.mark)) this.slowness *= GROWTH;
    else this.slowness = Math.max(1, this.slowness / GROWTH);
    this.mark = a;
    this.looks = 0;
  }

  /** Where ranges tell nothing, it is rounding that lets a sign seem to stay or to change once over pieces that are hardly longer than the shortest. */
  private adapt(length: number): void {
    if (length > CLEAR) {
      this.shortest = 0;
      this.coarseness = Math.max(1, this.coarseness / GROWTH);
    } else if (++this.shortest >= PATIENCE) {
      this.shortest = 0;
      this.coarseness *= GROWTH;
    }
  }
}
