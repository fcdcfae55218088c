/**
 * Lines of connections that nobody has drawn: horizontal and vertical pieces that leave connectors outwards, go round boxes where they can, and do not lie upon other lines. A few ways with up to four
 * bends are tried and the best is taken, so that a line costs as much as there is near it.
 */
import { remember } from '../collections/memo.ts';
import type { Extent, Point } from './geometry.ts';

export interface LineEnd {
  readonly at: Point;
  /** The side on which it leaves: a unit vector along an axis. */
  readonly outwards: Point | undefined;
  /** What it leaves: the line begins beyond that. */
  readonly box: Extent | undefined;
  /** Lines that begin at the same place may lie upon each other. */
  readonly net: string;
}

/** Room between a line and the box that it leaves. */
const STUB = 6;
/** Distance of lines side by side. */
const TRACK = 4;
/** What costs as much as a piece of line of this length: a bend, a piece inside of a box or upon another line (each unit of it). */
const BEND = 12;
const INSIDE = 30;
const UPON = 12;
/** Size of the squares by which boxes are found. */
const CELL = 40;
/** Squares that a box or a line lies in; larger ones lie everywhere. */
const MOST_CELLS = 4000;

export class Router {
  private readonly cells = new Map<string, number[]>();
  private readonly everywhere: number[] = [];
  /** Pieces of lines by the line on which they lie. */
  private readonly taken = new Map<string, { from: number; to: number; nets: readonly string[] }[]>();

  constructor(private readonly boxes: readonly Extent[]) {
    for (const [k, box] of boxes.entries()) {
      const keys = cellsOf(box);
      if (!keys) this.everywhere.push(k);
      else for (const key of keys) remember(this.cells, key, () => []).push(k);
    }
  }

  /** Notes a line that is there already, between these ends. */
  note(points: readonly Point[], nets: readonly string[]): void {
    for (let k = 1; k < points.length; k++) {
      const piece = pieceOf(points[k - 1]!, points[k]!);
      if (piece) remember(this.taken, piece.line, () => []).push({ ...piece, nets });
    }
  }

  /** A line between two ends, noted for those that follow. */
  route(from: LineEnd, to: LineEnd): Point[] {
    const [start, end] = [beyond(from), beyond(to)];
    let best: Point[] = [];
    let least = Number.POSITIVE_INFINITY;
    for (const way of this.ways(start, end)) {
      const points = straight([from.at, start, ...way, end, to.at]);
      const cost = this.cost(points, from, to, least);
      if (cost >= least) continue;
      least = cost;
      best = points;
    }
    this.note(best, [from.net, to.net]);
    return best;
  }

  /** What lies between the points at which a line leaves both ends. */
  private *ways([ax, ay]: Point, [bx, by]: Point): Generator<Point[]> {
    if (ax === bx || ay === by) yield [];
    yield [[bx, ay]];
    yield [[ax, by]];
    const [mx, my] = [Math.round((ax + bx) / 2), Math.round((ay + by) / 2)];
    const [left, right] = [Math.min(ax, bx), Math.max(ax, bx)];
    const [low, high] = [Math.min(ay, by), Math.max(ay, by)];
    for (const shift of SHIFTS) {
      for (const x of [mx, ax, bx, left - CELL / 2, right + CELL / 2]) {
        yield [
          [x + shift, ay],
          [x + shift, by],
        ];
      }
      for (const y of [my, ay, by, low - CELL / 2, high + CELL / 2]) {
        yield [
          [ax, y + shift],
          [bx, y + shift],
        ];
      }
    }
    // Round what lies between: out, along, and back in.
    for (const y of [low - CELL / 2, high + CELL / 2, low - CELL, high + CELL, my])
      for (const dx of [TRACK, -TRACK])
        yield [
          [ax + dx, ay],
          [ax + dx, y],
          [bx - dx, y],
          [bx - dx, by],
        ];
  }

  private cost(points: readonly Point[], from: LineEnd, to: LineEnd, limit: number): number {
    let cost = BEND * Math.max(0, points.length - 2);
    for (let k = 1; k < points.length; k++) {
      const [a, b] = [points[k - 1]!, points[k]!];
      cost += Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
      if (cost >= limit) return cost;
      const isEnd = (end: LineEnd): boolean => a === end.at || b === end.at;
      cost += UPON * this.upon(a, b, [from.net, to.net]);
      // The pieces at the ends lie in the boxes that they leave.
      const own = isEnd(from) ? from.box : isEnd(to) ? to.box : undefined;
      cost += INSIDE * this.inside(a, b, own);
    }
    // A line that turns back upon itself looks like none.
    for (let k = 2; k < points.length; k++)
      if (isBack(points[k - 2]!, points[k - 1]!, points[k]!)) cost += 20 * BEND;
    return cost;
  }

  /** How much of a piece lies inside of boxes. */
  private inside(a: Point, b: Point, own: Extent | undefined): number {
    const [[x1, y1], [x2, y2]] = [
      [Math.min(a[0], b[0]), Math.min(a[1], b[1])],
      [Math.max(a[0], b[0]), Math.max(a[1], b[1])],
    ];
    let total = 0;
    for (const k of this.near([a, b])) {
      const box = this.boxes[k]!;
      if (box === own) continue;
      const [[left, low], [right, high]] = box;
      if (x2 <= left || x1 >= right || y2 <= low || y1 >= high) continue;
      total += Math.min(x2, right) - Math.max(x1, left) + Math.min(y2, high) - Math.max(y1, low);
    }
    return total;
  }

  private near(piece: Extent): Iterable<number> {
    const keys = cellsOf(piece);
    if (!keys) return this.boxes.keys();
    const found = new Set(this.everywhere);
    for (const key of keys) for (const k of this.cells.get(key) ?? []) found.add(k);
    return found;
  }

  /** How much of a piece lies upon lines of others. */
  private upon(a: Point, b: Point, nets: readonly string[]): number {
    const piece = pieceOf(a, b);
    if (!piece) return 0;
    let total = 0;
    for (const { from, to, nets: own } of this.taken.get(piece.line) ?? []) {
      if (own.some((net) => nets.includes(net))) continue;
      total += Math.max(0, Math.min(to, piece.to) - Math.max(from, piece.from));
    }
    return total;
  }
}

const SHIFTS = [0, TRACK, -TRACK, 2 * TRACK, -2 * TRACK, 3 * TRACK, -3 * TRACK];

/** Where a line is free of the box that it leaves. */
function beyond({ at, outwards, box }: LineEnd): Point {
  if (!outwards) return at;
  const [dx, dy] = outwards;
  const [x, y] = at;
  if (!box) return [x + STUB * dx, y + STUB * dy];
  const [[left, low], [right, high]] = box;
  if (dx !== 0) return [dx > 0 ? Math.max(x, right) + STUB : Math.min(x, left) - STUB, y];
  return [x, dy > 0 ? Math.max(y, high) + STUB : Math.min(y, low) - STUB];
}

/** Without points at which it goes straight on, or nowhere. */
export function straight(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    const [before, last] = [kept.at(-2), kept.at(-1)];
    if (last && last[0] === point[0] && last[1] === point[1]) continue;
    if (before && last && !isBack(before, last, point)) {
      const isAlong =
        (before[0] === last[0] && last[0] === point[0]) || (before[1] === last[1] && last[1] === point[1]);
      if (isAlong) kept.pop();
    }
    kept.push(point);
  }
  return kept;
}

const isBack = (a: Point, b: Point, c: Point): boolean =>
  (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0;

/** A horizontal or vertical piece, as an interval on its line. */
function pieceOf(a: Point, b: Point): { line: string; from: number; to: number } | undefined {
  if (a[1] === b[1]) return { line: `h${a[1]}`, from: Math.min(a[0], b[0]), to: Math.max(a[0], b[0]) };
  if (a[0] === b[0]) return { line: `v${a[0]}`, from: Math.min(a[1], b[1]), to: Math.max(a[1], b[1]) };
  return undefined;
}

/** The squares in which a rectangle lies; undefined where there are too many. */
function cellsOf([a, b]: Extent): string[] | undefined {
  const [left, right] = [Math.floor(Math.min(a[0], b[0]) / CELL), Math.floor(Math.max(a[0], b[0]) / CELL)];
  const [low, high] = [Math.floor(Math.min(a[1], b[1]) / CELL), Math.floor(Math.max(a[1], b[1]) / CELL)];
  if (!((right - left + 1) * (high - low + 1) <= MOST_CELLS)) return undefined;
  const keys: string[] = [];
  for (let x = left; x <= right; x++) for (let y = low; y <= high; y++) keys.push(`${x} ${y}`);
  return keys;
}
