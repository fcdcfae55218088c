/**
 * Graphic items as shapes of the layer that is drawn. The geometry of an item follows the map into that layer; widths of lines, hatching, arrows and fonts of a given size do not, they are measured
 * in natural size (section 18.6.1), and texts stay upright and readable.
 */
import { BASE, LINE_HEIGHT, wordsWidth } from './font.ts';
import {
  apply,
  applyLinear,
  boundsOf,
  determinant,
  type Extent,
  type Matrix,
  mapping,
  middle,
  type Point,
  rotation,
  shift,
  times,
  upright,
} from './geometry.ts';
import type { Arrow, FillPattern, Item, LineItem, LinePattern, RectangleItem, TextItem } from './items.ts';
import { ellipseOutline, lineOutline, polygonOutline, rectangleOutline } from './outline.ts';
import { type Fill, mapped, type Path, type Piece, type Shape, type Stroke } from './shapes.ts';

/** What items are drawn with. */
export interface Pen {
  /** How long a millimetre of natural size is in the layer that is drawn. */
  readonly millimetre: number;
  /** No line is thinner than this. */
  readonly thinnest: number;
  /** A text with its macros replaced. */
  readonly words: (text: string) => string;
  /** The address (`data:…`) of a picture; undefined where it cannot be had. */
  readonly picture: (item: { readonly fileName: string; readonly imageSource: string }) => string | undefined;
}

/** What an item draws in a layer, where `matrix` takes it. */
export function drawItem(item: Item, matrix: Matrix, pen: Pen): Shape[] {
  if (!item.visible) return [];
  const own = times(matrix, times(shift(item.origin), rotation(item.rotation)));
  switch (item.kind) {
    case 'Line':
      return drawLine(item, own, pen);
    case 'Polygon':
      return drawFilled(item, polygonOutline(item.points, item.smooth), boundsOf(item.points), own, pen);
    case 'Rectangle': {
      const outline = rectangleOutline(item.extent, item.radius);
      return [...drawFilled(item, outline, upright(item.extent), own, pen), ...drawBorder(item, own, pen)];
    }
    case 'Ellipse': {
      const outline = ellipseOutline(item);
      const isOpen = item.closure === 'None';
      const fillPattern = isOpen ? 'None' : item.fillPattern;
      return drawFilled({ ...item, fillPattern }, outline, upright(item.extent), own, pen);
    }
    case 'Text':
      return drawText(item, own, pen);
    case 'Bitmap': {
      const source = pen.picture(item);
      return source === undefined ? [] : [pictureShape(item.extent, source, own)];
    }
    default:
      return item satisfies never;
  }
}

// ---------------------------------------------------------------- lines and areas

/** Dashes and gaps in mm, of lines of the usual width. */
const DASHES: Readonly<Record<LinePattern, readonly number[]>> = {
  None: [],
  Solid: [],
  Dash: [2, 1],
  Dot: [0.4, 0.8],
  DashDot: [2, 0.8, 0.4, 0.8],
  DashDotDot: [2, 0.8, 0.4, 0.8, 0.4, 0.8],
};
const USUAL_WIDTH = 0.25;

function strokeOf(color: string, pattern: LinePattern, thickness: number, pen: Pen): Stroke | undefined {
  if (pattern === 'None') return undefined;
  const width = Math.max(thickness * pen.millimetre, pen.thinnest);
  const unit = Math.max(width / USUAL_WIDTH / 2, pen.millimetre);
  const dash = DASHES[pattern].map((length) => length * unit);
  return { color, width, ...(dash.length > 0 && { dash }) };
}

function drawFilled(
  item: Pick<RectangleItem, 'lineColor' | 'fillColor' | 'pattern' | 'fillPattern' | 'lineThickness'>,
  outline: readonly Piece[],
  bounds: Extent | undefined,
  matrix: Matrix,
  pen: Pen,
): Shape[] {
  if (!bounds || outline.length === 0) return [];
  const { lineColor, fillColor, pattern, fillPattern, lineThickness } = item;
  const fill = fillOf(fillPattern, lineColor, fillColor, bounds, matrix, pen);
  const stroke = strokeOf(lineColor, pattern, lineThickness, pen);
  return fill || stroke ? [{ kind: 'path', pieces: mapped(matrix, outline), fill, stroke }] : [];
}

/** Angles of the lines of hatchings. */
const HATCHES: Partial<Record<FillPattern, readonly number[]>> = {
  Horizontal: [0],
  Vertical: [90],
  Cross: [0, 90],
  Forward: [45],
  Backward: [135],
  CrossDiag: [45, 135],
};
/** Between the lines of hatchings, in mm. */
const HATCH_DISTANCE = 1.2;

function fillOf(
  pattern: FillPattern,
  lineColor: string,
  fillColor: string,
  bounds: Extent,
  matrix: Matrix,
  pen: Pen,
): Fill | undefined {
  const [[left, low], [right, high]] = bounds;
  const [x, y] = middle(bounds);
  switch (pattern) {
    case 'None':
      return undefined;
    case 'Solid':
      return { kind: 'plain', color: fillColor };
    case 'HorizontalCylinder':
    case 'VerticalCylinder': {
      const isHorizontal = pattern === 'HorizontalCylinder';
      const [from, to]: readonly [Point, Point] = isHorizontal
        ? [
            [x, low],
            [x, high],
          ]
        : [
            [left, y],
            [right, y],
          ];
      const ends = { from: apply(matrix, from), to: apply(matrix, to) };
      return { kind: 'cylinder', edge: lineColor, center: fillColor, ...ends };
    }
    case 'Sphere': {
      const circle: Matrix = [(right - left) / 2, 0, 0, (high - low) / 2, x, y];
      return { kind: 'sphere', edge: lineColor, center: fillColor, matrix: times(matrix, circle) };
    }
    default: {
      const width = Math.max(0.2 * pen.millimetre, pen.thinnest / 2);
      const distance = Math.max(HATCH_DISTANCE * pen.millimetre, 4 * width);
      const angles = HATCHES[pattern]!;
      return { kind: 'hatched', color: fillColor, lines: lineColor, angles, distance, width };
    }
  }
}

/** Frames that look raised or sunken, inside of the rectangle. */
function drawBorder({ borderPattern, extent }: RectangleItem, matrix: Matrix, pen: Pen): Shape[] {
  if (borderPattern === 'None') return [];
  const [[left, low], [right, high]] = upright(extent);
  const width = Math.max(0.35 * pen.millimetre, pen.thinnest);
  const scale = Math.sqrt(Math.abs(determinant(matrix)));
  const frame = (inset: number, above: string, below: string): Path[] => {
    const d = scale > 0 ? inset / scale : 0;
    const [l, b, r, t] = [left + d, low + d, right - d, high - d];
    if (l >= r || b >= t) return [];
    const line = (color: string, points: readonly Point[]): Path => ({
      kind: 'path',
      pieces: mapped(matrix, lineOutline(points, false)),
      stroke: { color, width },
    });
    return [
      line(above, [
        [l, b],
        [l, t],
        [r, t],
      ]),
      line(below, [
        [l, b],
        [r, b],
        [r, t],
      ]),
    ];
  };
  const [light, dark] = ['#ffffff', '#808080'];
  switch (borderPattern) {
    case 'Raised':
      return frame(width, light, dark);
    case 'Sunken':
      return frame(width, dark, light);
    case 'Engraved':
      return [...frame(width / 2, dark, light), ...frame((3 * width) / 2, light, dark)];
    default:
      return borderPattern satisfies never;
  }
}

// ---------------------------------------------------------------- lines with arrows

function drawLine(item: LineItem, matrix: Matrix, pen: Pen): Shape[] {
  const stroke = strokeOf(item.color, item.pattern, item.thickness, pen);
  if (!stroke || item.points.length < 2) return [];
  const points = item.points.map((point) => apply(matrix, point));
  const { arrow, arrowSize } = item;
  const [start, end] = arrow;
  const size = arrowSize * pen.millimetre;
  const heads: Shape[] = [];
  if (start !== 'None') addArrow(points, 0, start, size, stroke, heads);
  if (end !== 'None') addArrow(points, points.length - 1, end, size, stroke, heads);
  return [{ kind: 'path', pieces: lineOutline(points, item.smooth), stroke }, ...heads];
}

/** Each half of an arrow is three times as long as it is wide; `size` is the width of both. */
export function addArrow(
  points: Point[],
  at: number,
  kind: Arrow,
  size: number,
  { color, width }: Stroke,
  into: Shape[],
): void {
  const tip = points[at]!;
  const [fromX, fromY] = points[at === 0 ? 1 : at - 1]!;
  const distance = Math.hypot(tip[0] - fromX, tip[1] - fromY);
  if (distance === 0) return;
  const [ux, uy] = [(tip[0] - fromX) / distance, (tip[1] - fromY) / distance];
  const length = Math.min(1.5 * size, distance);
  const half = length / 3;
  const foot: Point = [tip[0] - length * ux, tip[1] - length * uy];
  const left: Point = [foot[0] - half * uy, foot[1] + half * ux];
  const right: Point = [foot[0] + half * uy, foot[1] - half * ux];
  if (kind === 'Filled') {
    points[at] = foot;
    into.push({
      kind: 'path',
      pieces: [['M', tip], ['L', left], ['L', right], ['Z']],
      fill: { kind: 'plain', color },
    });
    return;
  }
  const line = kind === 'Half' ? [left, tip] : [left, tip, right];
  into.push({ kind: 'path', pieces: lineOutline(line, false), stroke: { color, width } });
}

// ---------------------------------------------------------------- texts and pictures

/** A point of typography in mm. */
const POINT = 25.4 / 72;
/** Of texts whose extent has no height. */
const USUAL_HEIGHT = 4;

function drawText(item: TextItem, matrix: Matrix, pen: Pen): Shape[] {
  const lines = pen.words(item.text).split('\n');
  if (lines.every((line) => line.trim() === '')) return [];
  const [[left, low], [right, high]] = upright(item.extent);
  const [dx, dy] = applyLinear(matrix, [1, 0]);
  const room = (right - left) * Math.hypot(dx, dy);
  const tall = (high - low) * Math.hypot(...applyLinear(matrix, [0, 1]));
  const { angle, isReversed } = readableAngle(dx, dy);
  const bold = item.styles.includes('Bold');
  const widest = Math.max(...lines.map((line) => wordsWidth(line, bold)));
  const size = fontSize(item, room, tall, widest, lines.length, pen);
  const anchor = anchorOf(item.alignment, isReversed);
  const share = { start: 0, middle: 0.5, end: 1 }[anchor];
  const [ux, uy] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
  const [cx, cy] = apply(matrix, middle(item.extent));
  const isTight = room > 0 && widest * size > 0.9 * room;
  return lines.map((text, k): Shape => {
    const along = (share - 0.5) * room;
    const up = ((lines.length - 1) / 2 - k) * LINE_HEIGHT * size - BASE * size;
    return {
      kind: 'words',
      text,
      at: [cx + along * ux - up * uy, cy + along * uy + up * ux],
      anchor,
      size,
      angle,
      color: item.color,
      ...(item.fontName !== '' && { font: item.fontName }),
      ...(bold && { bold }),
      ...(item.styles.includes('Italic') && { italic: true }),
      ...(item.styles.includes('UnderLine') && { underlined: true }),
      ...(isTight && { width: wordsWidth(text, bold) * size }),
    };
  });
}

/** The direction of a text, turned so that nobody has to read it upside down. */
function readableAngle(dx: number, dy: number): { angle: number; isReversed: boolean } {
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  const isReversed = angle > 90 + 1e-6 || angle <= -90 + 1e-6;
  const turned = angle > 0 ? angle - 180 : angle + 180;
  return { angle: Math.round((isReversed ? turned : angle) * 1e6) / 1e6 || 0, isReversed };
}

function fontSize(
  item: TextItem,
  room: number,
  tall: number,
  widest: number,
  count: number,
  pen: Pen,
): number {
  if (item.fontSize > 0) return item.fontSize * POINT * pen.millimetre;
  const height = tall > 0 ? tall : USUAL_HEIGHT * pen.millimetre;
  const byHeight = height / (LINE_HEIGHT * count);
  return room > 0 && widest > 0 ? Math.min(byHeight, room / widest) : byHeight;
}

function anchorOf(alignment: TextItem['alignment'], isReversed: boolean): 'start' | 'middle' | 'end' {
  if (alignment === 'Center') return 'middle';
  return (alignment === 'Left') !== isReversed ? 'start' : 'end';
}

function pictureShape(extent: Extent, source: string, matrix: Matrix): Shape {
  const across = Math.hypot(...applyLinear(matrix, [1, 0]));
  const up = Math.hypot(...applyLinear(matrix, [0, 1]));
  const size: Point = [
    Math.abs(extent[1][0] - extent[0][0]) * across,
    Math.abs(extent[1][1] - extent[0][1]) * up,
  ];
  const box: Extent = [[0, 0], size];
  return { kind: 'picture', source, size, matrix: times(matrix, mapping(box, extent)) };
}
