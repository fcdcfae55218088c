/**
 * Graphic items of annotations with the values of their attributes (Modelica 3.6, sections 18.6.1 and 18.6.5), as `read.ts` finds them. Lengths are those of the layer; widths of
 * lines, sizes of arrows and fonts are in mm and points of natural size.
 */
import type { Extent, Point } from './geometry.ts';

export const linePatterns = ['None', 'Solid', 'Dash', 'Dot', 'DashDot', 'DashDotDot'] as const;
export const fillPatterns = [
  'None',
  'Solid',
  'Horizontal',
  'Vertical',
  'Cross',
  'Forward',
  'Backward',
  'CrossDiag',
  'HorizontalCylinder',
  'VerticalCylinder',
  'Sphere',
] as const;
export const borderPatterns = ['None', 'Raised', 'Sunken', 'Engraved'] as const;
export const smooths = ['None', 'Bezier'] as const;
export const closures = ['None', 'Chord', 'Radial', 'Automatic'] as const;
export const arrows = ['None', 'Open', 'Filled', 'Half'] as const;
export const textStyles = ['Bold', 'Italic', 'UnderLine'] as const;
export const alignments = ['Left', 'Center', 'Right'] as const;

/** The enumerations that annotations know. */
export const enumerations: Readonly<Record<string, readonly string[]>> = {
  LinePattern: linePatterns,
  FillPattern: fillPatterns,
  BorderPattern: borderPatterns,
  Smooth: smooths,
  EllipseClosure: closures,
  Arrow: arrows,
  TextStyle: textStyles,
  TextAlignment: alignments,
};

export type LinePattern = (typeof linePatterns)[number];
export type FillPattern = (typeof fillPatterns)[number];
export type Arrow = (typeof arrows)[number];

export type Item = LineItem | PolygonItem | RectangleItem | EllipseItem | TextItem | BitmapItem;

interface ItemBase {
  readonly visible: boolean;
  readonly origin: Point;
  /** In degrees, counter-clockwise, around the origin. */
  readonly rotation: number;
}

interface Filled {
  /** Colours are `#rrggbb`. */
  readonly lineColor: string;
  readonly fillColor: string;
  readonly pattern: LinePattern;
  readonly fillPattern: FillPattern;
  readonly lineThickness: number;
}

export interface LineItem extends ItemBase {
  readonly kind: 'Line';
  readonly points: readonly Point[];
  readonly color: string;
  readonly pattern: LinePattern;
  readonly thickness: number;
  readonly arrow: readonly [start: Arrow, end: Arrow];
  readonly arrowSize: number;
  readonly smooth: boolean;
}

export interface PolygonItem extends ItemBase, Filled {
  readonly kind: 'Polygon';
  readonly points: readonly Point[];
  readonly smooth: boolean;
}

export interface RectangleItem extends ItemBase, Filled {
  readonly kind: 'Rectangle';
  readonly extent: Extent;
  readonly radius: number;
  readonly borderPattern: (typeof borderPatterns)[number];
}

export interface EllipseItem extends ItemBase, Filled {
  readonly kind: 'Ellipse';
  readonly extent: Extent;
  readonly startAngle: number;
  readonly endAngle: number;
  readonly closure: (typeof closures)[number];
}

export interface TextItem extends ItemBase {
  readonly kind: 'Text';
  readonly extent: Extent;
  readonly text: string;
  /** In points; 0 where it follows from the extent. */
  readonly fontSize: number;
  readonly fontName: string;
  readonly styles: readonly (typeof textStyles)[number][];
  readonly color: string;
  readonly alignment: (typeof alignments)[number];
  /** Of the text on a connection: the point of its line that it stands at; -1 is the last one. */
  readonly index?: number;
}

export interface BitmapItem extends ItemBase {
  readonly kind: 'Bitmap';
  readonly extent: Extent;
  readonly fileName: string;
  /** In base 64. */
  readonly imageSource: string;
}

export interface CoordinateSystem {
  readonly extent: Extent;
  readonly preserveAspectRatio: boolean;
  /** The size of a component, as a share of the coordinate system of its class. */
  readonly initialScale: number;
  readonly grid: Point;
}

export const defaultSystem: CoordinateSystem = {
  extent: [
    [-100, -100],
    [100, 100],
  ],
  preserveAspectRatio: true,
  initialScale: 0.1,
  grid: [2, 2],
};
