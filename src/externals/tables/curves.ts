/** Several columns of a matrix over its first one: `CombiTable1D`, and what `CombiTimeTable` interpolates with. */
import { Axis, apply, type Extrapolation, type Place, type Smoothness } from './axis.ts';
import { type Matrix, pointsOf, requireColumns } from './content.ts';
import { akima, fritschButland, modifiedAkima, type SlopeRule, steffen } from './slopes.ts';

const slopeRules: Partial<Record<Smoothness, SlopeRule>> = { akima, modifiedAkima, fritschButland, steffen };

export class Curves {
  readonly axis: Axis;
  private readonly values: readonly Float64Array[];
  private readonly slopes: readonly (Float64Array | undefined)[];

  /** `jumps`: whether points may be the same, which makes the curve jump there, if it is not smooth. */
  constructor(
    readonly matrix: Matrix,
    columns: Float64Array,
    kinds: { readonly smoothness: Smoothness; readonly extrapolation: Extrapolation },
    jumps: boolean,
  ) {
    const { label, rows } = matrix;
    if (rows < 1 || matrix.columns < 2)
      throw new Error(
        `${label} has ${rows} × ${matrix.columns} elements; it needs a column of points, one of values, and at least one row`,
      );
    requireColumns(matrix, columns);
    const wanted = slopeRules[kinds.smoothness];
    const points = pointsOf(matrix, 'column', 0, rows, !jumps || wanted !== undefined);
    const smoothness = wanted && rows <= 2 ? 'linear' : kinds.smoothness;
    this.axis = new Axis(points, smoothness, kinds.extrapolation);
    if (kinds.extrapolation === 'periodic' && rows > 1 && this.axis.max <= this.axis.min)
      throw new Error(`${label} cannot repeat: its period is zero`);
    const rule = slopeRules[smoothness];
    this.values = Array.from(columns, (column) =>
      Float64Array.from({ length: rows }, (_, k) => matrix.values[k * matrix.columns + column - 1]!),
    );
    this.slopes = this.values.map((y) => rule?.(points, y));
  }

  /** The derivative of this order of column number `index` (from 1, of those that are interpolated) by the abscissa. */
  at(index: number, place: Place, order: number): number {
    const values = this.values[index - 1];
    if (!values)
      throw new Error(`there is no column ${index} among the ${this.values.length} that are interpolated`);
    return apply(this.axis.weights(place, order), values, this.slopes[index - 1]);
  }

  get isConstant(): boolean {
    return this.axis.points.length === 1;
  }
}
