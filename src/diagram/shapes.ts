/**
 * What is drawn in the end: paths, words, pictures and groups of them, all in the coordinates of one layer (y up), in the order in which they cover each other. `svg.ts`
 * writes them as text, `png.ts` fills pixels with them. They are plain data, which workers can send.
 */
import { wordsWidth } from './font.ts';
import {
  apply,
  cornersOf,
  type Extent,
  type Matrix,
  type Point,
  rotation,
  shift,
  times,
} from './geometry.ts';

export type Shape = Group | Path | Words | Picture;

export interface Group {
  readonly kind: 'group';
  /** What it is: `component`, `connector`, `connection`, `state`, …; a page finds it by this and its key. */
  readonly role: string;
  /** Which one, by its path in the class that is drawn: `resistor.p`. */
  readonly key?: string;
  /** What the reader sees who points at it. */
  readonly tooltip?: string;
  /** Drawn faintly: a conditional component that is absent. */
  readonly faint?: boolean;
  /** Where it can be pointed at, besides what is drawn. */
  readonly area?: Extent;
  readonly shapes: readonly Shape[];
}

/** A letter for each piece of an outline, with its points: `M` begins, `L` a line, `Q` and `C` bends with control points, `Z` closes. */
export type Piece =
  | readonly ['M' | 'L', Point]
  | readonly ['Q', Point, Point]
  | readonly ['C', Point, Point, Point]
  | readonly ['Z'];

export interface Path {
  readonly kind: 'path';
  /** Not drawn, but one can point at it. */
  readonly unseen?: true;
  readonly pieces: readonly Piece[];
  readonly fill?: Fill | undefined;
  readonly stroke?: Stroke | undefined;
}

export interface Stroke {
  readonly color: string;
  readonly width: number;
  /** Lengths of dashes and gaps. */
  readonly dash?: readonly number[];
}

export type Fill =
  | { readonly kind: 'plain'; readonly color: string }
  /** Lines of one or two directions, at equal distances, over a colour. */
  | {
      readonly kind: 'hatched';
      readonly color: string;
      readonly lines: string;
      /** Angles of the lines in degrees. */
      readonly angles: readonly number[];
      readonly distance: number;
      readonly width: number;
    }
  /** From `edge` to `center` and back, along a line from side to side. */
  | {
      readonly kind: 'cylinder';
      readonly edge: string;
      readonly center: string;
      readonly from: Point;
      readonly to: Point;
    }
  /** From the middle outwards; `matrix` takes the unit circle to where it ends. */
  | { readonly kind: 'sphere'; readonly edge: string; readonly center: string; readonly matrix: Matrix };

export interface Words {
  readonly kind: 'words';
  readonly text: string;
  /** On the base line: its beginning, middle or end. */
  readonly at: Point;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly size: number;
  /** Counter-clockwise, in degrees. */
  readonly angle: number;
  readonly color: string;
  readonly font?: string;
  readonly bold?: true;
  readonly italic?: true;
  readonly underlined?: true;
  /** The width that it must not exceed, whatever font there is. */
  readonly width?: number;
}

export interface Picture {
  readonly kind: 'picture';
  /** `data:image/png;base64,…`. It is as large as its box allows without being stretched, in the middle of it. */
  readonly source: string;
  readonly size: Point;
  /** Takes the box from (0, 0) to `size` to where it is drawn. */
  readonly matrix: Matrix;
}

/** An outline in another layer. */
export const mapped = (matrix: Matrix, pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece) => {
    switch (piece[0]) {
      case 'Z':
        return piece;
      case 'Q':
        return ['Q', apply(matrix, piece[1]), apply(matrix, piece[2])];
      case 'C':
        return ['C', apply(matrix, piece[1]), apply(matrix, piece[2]), apply(matrix, piece[3])];
      default:
        return [piece[0], apply(matrix, piece[1])];
    }
  });

/** Shapes elsewhere. */
export const moved = (shapes: readonly Shape[], by: Point): Shape[] =>
  by[0] === 0 && by[1] === 0 ? [...shapes] : shapes.map((shape) => likewise(shape, shift(by), 1));

/** Shapes larger or smaller by a factor, with their lines and words, around (0, 0). */
export const scaled = (shapes: readonly Shape[], factor: number): Shape[] =>
  shapes.map((shape) => likewise(shape, [factor, 0, 0, factor, 0, 0], factor));

/** A shape under a map that keeps its form. */
function likewise(shape: Shape, matrix: Matrix, factor: number): Shape {
  switch (shape.kind) {
    case 'group':
      return {
        ...shape,
        ...(shape.area && { area: shape.area.map((corner) => apply(matrix, corner)) as unknown as Extent }),
        shapes: shape.shapes.map((inner) => likewise(inner, matrix, factor)),
      };
    case 'path': {
      const { fill, stroke } = shape;
      return {
        ...shape,
        pieces: mapped(matrix, shape.pieces),
        fill: fill && filledLikewise(fill, matrix, factor),
        stroke: stroke && {
          ...stroke,
          width: stroke.width * factor,
          ...(stroke.dash && { dash: stroke.dash.map((length) => length * factor) }),
        },
      };
    }
    case 'words': {
      const { at, size, width } = shape;
      return {
        ...shape,
        at: apply(matrix, at),
        size: size * factor,
        ...(width !== undefined && { width: width * factor }),
      };
    }
    case 'picture':
      return { ...shape, matrix: times(matrix, shape.matrix) };
    default:
      return shape satisfies never;
  }
}

function filledLikewise(fill: Fill, matrix: Matrix, factor: number): Fill {
  switch (fill.kind) {
    case 'plain':
      return fill;
    case 'hatched':
      return { ...fill, distance: fill.distance * factor, width: fill.width * factor };
    case 'cylinder':
      return { ...fill, from: apply(matrix, fill.from), to: apply(matrix, fill.to) };
    case 'sphere':
      return { ...fill, matrix: times(matrix, fill.matrix) };
    default:
      return fill satisfies never;
  }
}

/** Points that surround all that shapes draw, without the widths of lines. */
export function* pointsOf(shapes: readonly Shape[]): Generator<Point> {
  for (const shape of shapes) {
    switch (shape.kind) {
      case 'group':
        yield* pointsOf(shape.shapes);
        break;
      case 'path':
        for (const [, ...points] of shape.pieces) yield* points;
        break;
      case 'words':
        for (const corner of cornersOf(wordsExtent(shape)))
          yield apply(times(shift(shape.at), rotation(shape.angle)), corner);
        break;
      case 'picture':
        for (const corner of cornersOf([[0, 0], shape.size])) yield apply(shape.matrix, corner);
        break;
      default:
        shape satisfies never;
    }
  }
}

/** The room that words take, from the point at which they stand. */
function wordsExtent({ text, anchor, size, bold, width }: Words): Extent {
  const length = width ?? wordsWidth(text, bold) * size;
  const start = { start: 0, middle: -length / 2, end: -length }[anchor];
  return [
    [start, -0.2 * size],
    [start + length, 0.8 * size],
  ];
}
