/**
 * The plane of a layer: x to the right, y up, in drawing units (mm in natural size; Modelica 3.6, section 18.6.1). Affine maps take points of one layer to those of
 * another one.
 */

export type Point = readonly [x: number, y: number];

/** Two opposite corners of a rectangle; where they are not the lower left and the upper right one, what is mapped to it is mirrored. */
export type Extent = readonly [Point, Point];

/** `x' = a*x + c*y + e`, `y' = b*x + d*y + f`, as in SVG. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

export const identity: Matrix = [1, 0, 0, 1, 0, 0];

export const apply = ([a, b, c, d, e, f]: Matrix, [x, y]: Point): Point => [
  a * x + c * y + e,
  b * x + d * y + f,
];

/** What a map makes of a vector. */
export const applyLinear = ([a, b, c, d]: Matrix, [x, y]: Point): Point => [a * x + c * y, b * x + d * y];

/** First `inner`, then `outer`. */
export function times(outer: Matrix, inner: Matrix): Matrix {
  if (outer === identity) return inner;
  if (inner === identity) return outer;
  const [a, b, c, d] = outer;
  const [e, f] = apply(outer, [inner[4], inner[5]]);
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    e,
    f,
  ];
}

export const determinant = ([a, b, c, d]: Matrix): number => a * d - b * c;

/** The map back; undefined where everything is mapped to a line. */
export function inverse(matrix: Matrix): Matrix | undefined {
  const det = determinant(matrix);
  if (!(Math.abs(det) > 1e-12)) return undefined;
  const [a, b, c, d, e, f] = matrix;
  return [d / det, -b / det, -c / det, a / det, (c * f - d * e) / det, (b * e - a * f) / det];
}

export const shift = ([x, y]: Point): Matrix => (x === 0 && y === 0 ? identity : [1, 0, 0, 1, x, y]);

/** Counter-clockwise, in degrees; quarters of a turn are exact. */
export function rotation(degrees: number): Matrix {
  const turn = ((degrees % 360) + 360) % 360;
  if (turn === 0) return identity;
  if (turn === 90) return [0, 1, -1, 0, 0, 0];
  if (turn === 180) return [-1, 0, 0, -1, 0, 0];
  if (turn === 270) return [0, -1, 1, 0, 0, 0];
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [cos, sin, -sin, cos, 0, 0];
}

/** Takes the corners of one rectangle to those of another one. What has no size is put in the middle. */
export function mapping(from: Extent, to: Extent): Matrix {
  const axis = (k: 0 | 1): readonly [scale: number, offset: number] => {
    const [low, high] = [from[0][k], from[1][k]];
    const [start, end] = [to[0][k], to[1][k]];
    if (high === low) return [1, (start + end) / 2 - low];
    const scale = (end - start) / (high - low);
    return [scale, start - scale * low];
  };
  const [[a, e], [d, f]] = [axis(0), axis(1)];
  return [a, 0, 0, d, e, f];
}

export const middle = ([[ax, ay], [bx, by]]: Extent): Point => [(ax + bx) / 2, (ay + by) / 2];

/** Lower left corner, then upper right one. */
export const upright = ([[ax, ay], [bx, by]]: Extent): Extent => [
  [Math.min(ax, bx), Math.min(ay, by)],
  [Math.max(ax, bx), Math.max(ay, by)],
];

export const cornersOf = ([[ax, ay], [bx, by]]: Extent): readonly Point[] => [
  [ax, ay],
  [bx, ay],
  [bx, by],
  [ax, by],
];

/** The least upright rectangle around points; undefined without any. */
export function boundsOf(points: Iterable<Point>): Extent | undefined {
  let [left, low] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let [right, high] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const [x, y] of points) {
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < low) low = y;
    if (y > high) high = y;
  }
  return left <= right
    ? [
        [left, low],
        [right, high],
      ]
    : undefined;
}

/** The least upright rectangle around what a map makes of one. */
export const mappedBounds = (matrix: Matrix, extent: Extent): Extent =>
  boundsOf(cornersOf(extent).map((corner) => apply(matrix, corner)))!;

/** Where an object is placed in a layer (Modelica 3.6, section 18.6.2): its own coordinate system is mapped to the extent, then turned around the origin, then moved there. */
export interface Placing {
  readonly extent: Extent;
  /** In degrees, counter-clockwise. */
  readonly rotation: number;
  readonly origin: Point;
}

export const placingMatrix = ({ extent, rotation: turn, origin }: Placing, system: Extent): Matrix =>
  times(shift(origin), times(rotation(turn), mapping(system, extent)));
