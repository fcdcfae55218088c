/** Drawings as PNG files: the same shapes as in SVG, filled into pixels here. Of pictures in them, those in PNG files are drawn, others are a frame. */
import { fromBase64 } from '../paint/base64.ts';
import { lettering, UNIT } from '../paint/letters.ts';
import { pngFile } from '../paint/png.ts';
import { channels, dashed, type Line, type Paint, Raster } from '../paint/raster.ts';
import { type Pixels, readPng } from '../paint/readpng.ts';
import { apply, inverse, type Matrix, type Point, times } from './geometry.ts';
import type { Drawing } from './icon.ts';
import { rectangleOutline } from './outline.ts';
import { type Fill, mapped, type Picture, type Piece, type Shape, type Words } from './shapes.ts';

export interface PngOptions {
  /** Pixels for a unit of the layer; 4 where it is left out. */
  readonly scale?: number;
  /** Pixels of the longer side, in place of a scale. */
  readonly size?: number;
}

/** What fits into memory. */
const MOST_PIXELS = 1e8;

/** The file of a drawing on white ground; a drawing that is too large for its scale has a smaller one. */
export function drawingPng({ extent, shapes }: Drawing, options: PngOptions = {}): Uint8Array {
  const [[left, low], [right, high]] = extent;
  const [width, height] = [right - left, high - low];
  const wanted = options.size === undefined ? (options.scale ?? 4) : options.size / Math.max(width, height);
  const scale = Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)));
  const raster = new Raster(Math.max(1, Math.ceil(width * scale)), Math.max(1, Math.ceil(height * scale)));
  const painter = new Painter(raster, [scale, 0, 0, -scale, -left * scale, high * scale], scale);
  for (const shape of shapes) painter.draw(shape, 1);
  return pngFile(raster);
}

class Painter {
  constructor(
    private readonly raster: Raster,
    private readonly matrix: Matrix,
    private readonly scale: number,
  ) {}

  draw(shape: Shape, opacity: number): void {
    switch (shape.kind) {
      case 'group':
        for (const inner of shape.shapes) this.draw(inner, shape.faint ? 0.35 * opacity : opacity);
        return;
      case 'path': {
        const { pieces, fill, stroke, unseen } = shape;
        if (unseen) return;
        const lines = linesOf(mapped(this.matrix, pieces));
        if (fill) this.raster.polygons(lines, this.paint(fill), opacity);
        if (!stroke) return;
        const dash = (stroke.dash ?? []).map((length) => length * this.scale);
        const strokes = lines.flatMap((line) => dashed(line, dash));
        this.raster.strokes(strokes, stroke.width * this.scale, stroke.color, opacity);
        return;
      }
      case 'words':
        this.words(shape, opacity);
        return;
      case 'picture':
        this.picture(shape, opacity);
        return;
      default:
        shape satisfies never;
    }
  }

  private paint(fill: Fill): Paint {
    const { matrix, scale } = this;
    switch (fill.kind) {
      case 'plain':
        return fill.color;
      case 'hatched': {
        const [ground, line] = [channels(fill.color), channels(fill.lines)];
        const turns = fill.angles.map((angle) => (angle * Math.PI) / 180);
        const [distance, half] = [fill.distance * scale, (fill.width * scale) / 2];
        return (x, y) => {
          let share = 0;
          for (const turn of turns) {
            const across = x * Math.sin(turn) + y * Math.cos(turn);
            const away = Math.abs(across - Math.round(across / distance) * distance);
            share = Math.max(share, clamp(half + 0.5 - away));
          }
          return mixed(ground, line, share);
        };
      }
      case 'cylinder': {
        const [edge, center] = [channels(fill.edge), channels(fill.center)];
        const [[ax, ay], [bx, by]] = [apply(matrix, fill.from), apply(matrix, fill.to)];
        const length = (bx - ax) ** 2 + (by - ay) ** 2 || 1;
        return (x, y) => {
          const along = clamp(((x + 0.5 - ax) * (bx - ax) + (y + 0.5 - ay) * (by - ay)) / length);
          return mixed(edge, center, 1 - Math.abs(2 * along - 1));
        };
      }
      case 'sphere': {
        const [edge, center] = [channels(fill.edge), channels(fill.center)];
        const back = inverse(times(matrix, fill.matrix));
        if (!back) return fill.center;
        return (x, y) => mixed(center, edge, clamp(Math.hypot(...apply(back, [x + 0.5, y + 0.5]))));
      }
      default:
        return fill satisfies never;
    }
  }

  private words(
    { text, at, anchor, size, angle, color, bold, italic, underlined, width }: Words,
    opacity: number,
  ): void {
    const { lines, width: drawn } = lettering(text);
    const unit = size * UNIT;
    const stretch = width === undefined ? 1 : Math.min(1, width / Math.max(1e-9, drawn * unit));
    const shift = { start: 0, middle: drawn / 2, end: drawn }[anchor];
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const place = (x: number, y: number): Point => {
      const [along, up] = [(x - shift + (italic ? 0.2 * y : 0)) * unit * stretch, y * unit];
      return apply(this.matrix, [at[0] + along * cos - up * sin, at[1] + along * sin + up * cos]);
    };
    const all = underlined ? [...lines, [0, -1.5, drawn, -1.5]] : lines;
    const placed = all.map((line) => {
      const points: number[] = [];
      for (let k = 0; k < line.length; k += 2) points.push(...place(line[k]!, line[k + 1]!));
      return points;
    });
    this.raster.strokes(placed, size * (bold ? 0.125 : 0.085) * this.scale, color, opacity);
  }

  private picture({ source, size, matrix }: Picture, opacity: number): void {
    const [width, height] = size;
    const box = linesOf(mapped(this.matrix, mapped(matrix, rectangleOutline([[0, 0], size], 0))));
    const pixels = pixelsOf(source);
    const back = inverse(times(this.matrix, matrix));
    if (!pixels || !back) {
      this.raster.strokes(box, this.scale / 4, '#808080', opacity);
      return;
    }
    // As large as the box allows, in its middle.
    const share = Math.min(width / pixels.width, height / pixels.height);
    const [dx, dy] = [(width - share * pixels.width) / 2, (height - share * pixels.height) / 2];
    const paint: Paint = (column, row) => {
      const [x, y] = apply(back, [column + 0.5, row + 0.5]);
      return pixelAt(pixels, Math.floor((x - dx) / share), Math.floor((height - y - dy) / share));
    };
    this.raster.polygons(box, paint, opacity);
  }
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

const mixed = (a: readonly number[], b: readonly number[], share: number): number[] =>
  a.map((value, k) => value + (b[k]! - value) * share);

const NOTHING = [255, 255, 255, 0];

function pixelAt({ width, height, data }: Pixels, x: number, y: number): readonly number[] {
  if (x < 0 || y < 0 || x >= width || y >= height) return NOTHING;
  const at = 4 * (y * width + x);
  return [data[at]!, data[at + 1]!, data[at + 2]!, data[at + 3]! / 255];
}

function pixelsOf(source: string): Pixels | undefined {
  const [, data] = /^data:image\/png;base64,(.*)$/.exec(source) ?? [];
  return data === undefined ? undefined : readPng(fromBase64(data));
}

/** Pieces of straight line for each bend. */
const PIECES = 12;

/** Outlines as lines of points; closed ones end where they began. */
function linesOf(pieces: readonly Piece[]): Line[] {
  const lines: number[][] = [];
  let line: number[] = [];
  const bend = (points: readonly Point[]): void => {
    const all: readonly Point[] = [[line.at(-2)!, line.at(-1)!], ...points];
    for (let k = 1; k <= PIECES; k++) line.push(...bezierAt(all, k / PIECES));
  };
  for (const piece of pieces) {
    switch (piece[0]) {
      case 'M':
        line = [...piece[1]];
        lines.push(line);
        break;
      case 'L':
        line.push(...piece[1]);
        break;
      case 'Q':
        bend([piece[1], piece[2]]);
        break;
      case 'C':
        bend([piece[1], piece[2], piece[3]]);
        break;
      case 'Z':
        line.push(line[0]!, line[1]!);
        break;
      default:
        piece satisfies never;
    }
  }
  return lines;
}

/** De Casteljau's construction. */
function bezierAt(points: readonly Point[], t: number): Point {
  let row = points;
  while (row.length > 1)
    row = row
      .slice(1)
      .map(([x, y], k): Point => [row[k]![0] + (x - row[k]![0]) * t, row[k]![1] + (y - row[k]![1]) * t]);
  return row[0]!;
}
