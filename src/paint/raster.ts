/**
 * A picture of pixels: lines, polygons and boxes with smooth edges. What is drawn is first collected as coverage, the share of each pixel that it
 * covers, and then mixed into the picture once, so that parts of one shape that overlap leave no seams.
 */

/** Points of a picture, x and y in turn. One point alone is a dot. */
export type Line = readonly number[];

/** Red, green and blue of `#rrggbb`. */
export const channels = (color: string): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** A colour, or that of each pixel: red, green, blue up to 255, and how opaque it is, up to 1. */
export type Paint = string | ((column: number, row: number) => readonly number[]);

export class Raster {
  /** Red, green and blue of every pixel. */
  readonly pixels: Uint8Array;
  private readonly coverage: Float32Array;
  /** Of what was collected: columns and rows from the first to before the last. */
  private box = { left: 0, right: 0, top: 0, bottom: 0 };

  constructor(
    readonly width: number,
    readonly height: number,
  ) {
    this.pixels = new Uint8Array(3 * width * height).fill(255);
    this.coverage = new Float32Array(width * height);
    this.clearBox();
  }

  /** Lines of a width, with round ends and bends. */
  strokes(lines: readonly Line[], width: number, color: string, opacity = 1): void {
    for (const line of lines) {
      if (line.length === 2) this.capsule(line[0]!, line[1]!, line[0]!, line[1]!, width / 2);
      for (let i = 2; i + 1 < line.length; i += 2)
        this.capsule(line[i - 2]!, line[i - 1]!, line[i]!, line[i + 1]!, width / 2);
    }
    this.mix(color, opacity);
  }

  /** Closed polygons; where they overlap an even number of times is outside. */
  polygons(lines: readonly Line[], color: Paint, opacity = 1): void {
    let [top, bottom] = [this.height, 0];
    for (const line of lines) {
      for (let i = 1; i < line.length; i += 2) {
        top = Math.min(top, Math.floor(line[i]!));
        bottom = Math.max(bottom, Math.ceil(line[i]!));
      }
    }
    for (let row = Math.max(0, top); row < Math.min(this.height, bottom); row++) {
      for (let part = 0; part < SAMPLES; part++) {
        const crossings = crossingsOf(lines, row + (part + 0.5) / SAMPLES);
        for (let i = 0; i + 1 < crossings.length; i += 2)
          this.span(row, crossings[i]!, crossings[i + 1]!, 1 / SAMPLES);
      }
    }
    this.mix(color, opacity);
  }

  rectangle(x: number, y: number, width: number, height: number, color: string, opacity = 1): void {
    const [top, bottom] = [Math.max(0, y), Math.min(this.height, y + height)];
    for (let row = Math.floor(top); row < bottom; row++)
      this.span(row, x, x + width, Math.min(row + 1, bottom) - Math.max(row, top));
    this.mix(color, opacity);
  }

  disc(x: number, y: number, radius: number, color: string): void {
    this.capsule(x, y, x, y, radius);
    this.mix(color, 1);
  }

  /** All points that are not further than `radius` from a piece of line. */
  private capsule(ax: number, ay: number, bx: number, by: number, radius: number): void {
    const reach = radius + 1;
    const [dx, dy] = [bx - ax, by - ay];
    const length = dx * dx + dy * dy;
    const [first, last] = [Math.floor(Math.min(ay, by) - reach), Math.ceil(Math.max(ay, by) + reach)];
    for (let row = Math.max(0, first); row < Math.min(this.height, last); row++) {
      // The part of the line that is near this row.
      const y = row + 0.5;
      const [s, t] = dy === 0 ? [0, 1] : [(y - reach - ay) / dy, (y + reach - ay) / dy];
      const [from, to] = [clamp(Math.min(s, t)), clamp(Math.max(s, t))];
      const [xa, xb] = [ax + from * dx, ax + to * dx];
      const left = Math.max(0, Math.floor(Math.min(xa, xb) - reach));
      const right = Math.min(this.width, Math.ceil(Math.max(xa, xb) + reach));
      if (left >= right) continue;
      this.touch(row, left, right);
      for (let column = left; column < right; column++) {
        const x = column + 0.5;
        const share = length === 0 ? 0 : clamp(((x - ax) * dx + (y - ay) * dy) / length);
        const distance = Math.hypot(x - ax - share * dx, y - ay - share * dy);
        const covered = Math.min(1, 2 * radius) * clamp(radius + 0.5 - distance);
        const place = row * this.width + column;
        if (covered > this.coverage[place]!) this.coverage[place] = covered;
      }
    }
  }

  /** Adds to the coverage of a row between two places. */
  private span(row: number, from: number, to: number, amount: number): void {
    const [left, right] = [Math.max(0, from), Math.min(this.width, to)];
    if (!(left < right) || row < 0 || row >= this.height) return;
    this.touch(row, Math.floor(left), Math.ceil(right));
    for (let column = Math.floor(left); column < right; column++) {
      const share = Math.min(column + 1, right) - Math.max(column, left);
      this.coverage[row * this.width + column]! += share * amount;
    }
  }

  private touch(row: number, left: number, right: number): void {
    const { box } = this;
    if (left < box.left) box.left = left;
    if (right > box.right) box.right = right;
    if (row < box.top) box.top = row;
    if (row >= box.bottom) box.bottom = row + 1;
  }

  /** Mixes a colour in where something was collected, and forgets that. */
  private mix(color: Paint, opacity: number): void {
    const plain = typeof color === 'string' ? channels(color) : undefined;
    const { left, right, top, bottom } = this.box;
    for (let row = top; row < bottom; row++) {
      for (let place = row * this.width + left; place < row * this.width + right; place++) {
        const share = Math.min(1, this.coverage[place]!) * opacity;
        if (share === 0) continue;
        this.coverage[place] = 0;
        const own = plain ?? (color as Exclude<Paint, string>)(place % this.width, row);
        const seen = share * (own[3] ?? 1);
        for (let c = 0; c < 3; c++) {
          const before = this.pixels[3 * place + c]!;
          this.pixels[3 * place + c] = Math.round(before + (own[c]! - before) * seen);
        }
      }
    }
    this.clearBox();
  }

  private clearBox(): void {
    this.box = { left: this.width, right: 0, top: this.height, bottom: 0 };
  }
}

/** Lines of samples in a row of pixels. */
const SAMPLES = 4;

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

/** Where edges of polygons cross a height, from left to right. */
function crossingsOf(lines: readonly Line[], y: number): number[] {
  const crossings: number[] = [];
  for (const line of lines) {
    for (let i = 0; i < line.length; i += 2) {
      const next = i + 2 < line.length ? i + 2 : 0;
      const [ax, ay, bx, by] = [line[i]!, line[i + 1]!, line[next]!, line[next + 1]!];
      if (ay <= y !== by <= y) crossings.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
    }
  }
  return crossings.sort((a, b) => a - b);
}

/** A line cut into dashes; `dash` are lengths of dashes and gaps in turn. */
export function dashed(line: Line, dash: readonly number[]): Line[] {
  if (dash.length === 0 || line.length < 4) return [line];
  const pieces: number[][] = [];
  let [kind, left] = [0, dash[0]!];
  let piece: number[] = [line[0]!, line[1]!];
  for (let i = 2; i + 1 < line.length; i += 2) {
    let [x, y] = [line[i - 2]!, line[i - 1]!];
    let rest = Math.hypot(line[i]! - x, line[i + 1]! - y);
    while (rest > left) {
      const share = left / rest;
      [x, y] = [x + share * (line[i]! - x), y + share * (line[i + 1]! - y)];
      rest -= left;
      if (kind % 2 === 0) pieces.push([...piece, x, y]);
      piece = [x, y];
      kind = (kind + 1) % dash.length;
      left = dash[kind]!;
    }
    left -= rest;
    piece.push(line[i]!, line[i + 1]!);
  }
  if (kind % 2 === 0) pieces.push(piece);
  return pieces;
}
