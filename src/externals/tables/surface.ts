/**
 * A matrix over its first column and its first row: `CombiTable2D`. Values are interpolated along the row first, then along the column; for smooth
 * surfaces this is Akima's bicubic interpolation (A method of bivariate interpolation and smooth surface fitting based on local procedures. Commun. ACM 17
 * (1974), 18-20), with slopes in both directions and mixed derivatives at the grid points.
 */
import { Axis, apply, type Extrapolation, type Smoothness } from './axis.ts';
import { type Matrix, pointsOf } from './content.ts';
import { akima } from './slopes.ts';

export class Surface {
  readonly axes: readonly [Axis, Axis];
  /** As they are outside of the points. */
  private readonly beyond: readonly [Axis, Axis];
  private readonly columns: number;
  private readonly values: Float64Array;
  private readonly slopes: Slopes | undefined;

  constructor(
    matrix: Matrix,
    kinds: { readonly smoothness: Smoothness; readonly extrapolation: Extrapolation },
  ) {
    const { label, rows, columns, values } = matrix;
    if (rows < 2 || columns < 2)
      throw new Error(
        `${label} has ${rows} × ${columns} elements; a table over two inputs needs at least 2 × 2`,
      );
    if (!['linear', 'akima', 'constant'].includes(kinds.smoothness))
      throw new Error(
        `the smoothness of ${label} can be LinearSegments, ContinuousDerivative or ConstantSegments`,
      );
    const x = pointsOf(matrix, 'column', 1, rows, true);
    const y = pointsOf(matrix, 'row', 1, columns, true);
    const smoothness =
      kinds.smoothness === 'akima' && rows <= 3 && columns <= 3 ? 'linear' : kinds.smoothness;
    this.axes = [new Axis(x, smoothness, kinds.extrapolation), new Axis(y, smoothness, kinds.extrapolation)];
    const isStraight = smoothness === 'constant' && kinds.extrapolation === 'lastTwoPoints';
    this.beyond = isStraight
      ? [new Axis(x, 'linear', kinds.extrapolation), new Axis(y, 'linear', kinds.extrapolation)]
      : this.axes;
    this.columns = y.length;
    this.values = Float64Array.from({ length: x.length * y.length }, (_, k) => {
      const [i, j] = [Math.floor(k / y.length), k % y.length];
      return values[(i + 1) * columns + j + 1]!;
    });
    this.slopes = smoothness === 'akima' ? slopesOf(x, y, this.values) : undefined;
  }

  /** The derivative of these orders by both inputs. */
  at(u1: number, u2: number, order1: number, order2: number): number {
    const { axes, columns, values, slopes } = this;
    const places = [axes[0].locate(u1, 'u1'), axes[1].locate(u2, 'u2')] as const;
    // Where constant segments are extrapolated in one direction, the table is bilinear in both.
    const [first, second] = places.some(({ side }) => side !== 'inside') ? this.beyond : axes;
    const down = first.weights(places[0], order1);
    const across = second.weights(places[1], order2);
    const along = (own: Float64Array, inRow: Float64Array | undefined, row: number): number =>
      apply(across, own, inRow, row * columns);
    const last = Math.min(down.interval + 1, axes[0].points.length - 1);
    const ends = [down.interval, last];
    const inColumn = slopes && Float64Array.from(ends, (row) => along(slopes.down, slopes.mixed, row));
    return apply(
      { ...down, interval: 0 },
      Float64Array.from(ends, (row) => along(values, slopes?.across, row)),
      inColumn,
    );
  }
}

/** Derivatives at grid points, row by row: down the columns, across the rows, and mixed. */
interface Slopes {
  readonly down: Float64Array;
  readonly across: Float64Array;
  readonly mixed: Float64Array;
}

function slopesOf(x: Float64Array, y: Float64Array, z: Float64Array): Slopes {
  const [n, m] = [x.length, y.length];
  const none = (): Float64Array => new Float64Array(n * m);
  const [down, across, mixed] = [none(), none(), none()];
  if (n > 1)
    for (let j = 0; j < m; j++) {
      const own = akima(
        x,
        x.map((_, i) => z[i * m + j]!),
      );
      for (let i = 0; i < n; i++) down[i * m + j] = own[i]!;
    }
  if (m > 1) for (let i = 0; i < n; i++) across.set(akima(y, z.subarray(i * m, i * m + m)), i * m);
  if (n > 1 && m > 1) mixedSlopes(x, y, z, mixed);
  return { down, across, mixed };
}

/** Akima's means of the four differences of second order around each point, weighted in both directions as its slopes are. */
function mixedSlopes(x: Float64Array, y: Float64Array, z: Float64Array, into: Float64Array): void {
  const [n, m] = [x.length, y.length];
  const [ex, ey] = [extendedPoints(x), extendedPoints(y)];
  const wide = m + 4;
  // Rows first, then all columns of the wider matrix, each by two points on either side.
  const rows = Array.from(x, (_, i) => extendedValues(ey, z.subarray(i * m, i * m + m)));
  const columns = Array.from({ length: wide }, (_, j) =>
    extendedValues(
      ex,
      Float64Array.from(rows, (row) => row[j]!),
    ),
  );
  const at = (i: number, j: number): number => columns[j]![i]!;
  const slope = (k: number, points: Float64Array, value: (k: number) => number): number =>
    (value(k + 1) - value(k)) / (points[k + 1]! - points[k]!);
  for (let i = 2; i < n + 2; i++)
    for (let j = 2; j < m + 2; j++) {
      const [before1, after1] = shares([-2, -1, 0, 1].map((k) => slope(i + k, ex, (r) => at(r, j))));
      const [before2, after2] = shares([-2, -1, 0, 1].map((k) => slope(j + k, ey, (r) => at(i, r))));
      const second = (r: number, s: number): number =>
        slope(r, ex, (own) => slope(s, ey, (column) => at(own, column)));
      into[(i - 2) * m + j - 2] =
        before1 * (before2 * second(i - 1, j - 1) + after2 * second(i - 1, j)) +
        after1 * (before2 * second(i, j - 1) + after2 * second(i, j));
    }
}

/** Akima's weights of the differences before and after a point, which add up to 1. */
function shares(d: readonly number[]): [number, number] {
  const [before, after] = [Math.abs(d[3]! - d[2]!), Math.abs(d[1]! - d[0]!)];
  const sum = before + after;
  return sum > 0 ? [before / sum, after / sum] : [0.5, 0.5];
}

/** With two more points on either side, at the distances of the outermost ones. */
function extendedPoints(x: Float64Array): Float64Array {
  const n = x.length;
  const third = n > 2 ? x[2]! : 2 * x[1]! - x[0]!;
  const thirdLast = n > 2 ? x[n - 3]! : 2 * x[0]! - x[1]!;
  const [first, second, last, previous] = [x[0]!, x[1]!, x[n - 1]!, x[n - 2]!];
  return Float64Array.of(
    2 * first - third,
    first + second - third,
    ...x,
    last + previous - thirdLast,
    2 * last - thirdLast,
  );
}

/** Values at such points, so that divided differences go on linearly. */
function extendedValues(points: Float64Array, y: Float64Array): Float64Array {
  const n = y.length;
  const d = (k: number): number => (y[k + 1]! - y[k]!) / (points[k + 3]! - points[k + 2]!);
  const gap = (k: number): number => points[k + 1]! - points[k]!;
  const [first, second] = [d(0), n > 2 ? d(1) : d(0)];
  const [last, previous] = [d(n - 2), n > 2 ? d(n - 3) : d(n - 2)];
  const before = y[0]! - (2 * first - second) * gap(1);
  const after = y[n - 1]! + (2 * last - previous) * gap(n + 1);
  return Float64Array.of(
    before - (3 * first - 2 * second) * gap(0),
    before,
    ...y,
    after,
    after + (3 * last - 2 * previous) * gap(n + 2),
  );
}
