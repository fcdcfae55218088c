/**
 * Regularised Newton steps: the minimiser of |S^-1 (F + J d)|^2 + damping |D^-1 d|^2 from its normal
 * equations, with the scales S of the equations and D of the unknowns. Exists for every Jacobian, also a
 * singular one.
 */
import { compressed, type SparsePattern, transposed } from '../collections/pattern.ts';
import { createLinearSolver } from './linear.ts';
import type { LinearSolver } from './solver.ts';

export class Levenberg {
  /** The pattern of J'J, whose diagonal is complete. */
  private readonly normal: SparsePattern;
  private readonly values: Float64Array;
  private readonly linear: LinearSolver;
  private readonly column: Float64Array;

  constructor(private readonly pattern: SparsePattern) {
    this.normal = normalPattern(pattern);
    this.values = new Float64Array(this.normal.rows.length);
    this.linear = createLinearSolver(this.normal);
    this.column = new Float64Array(pattern.n);
  }

  /**
   * Writes the step for the Jacobian `jacobian` and the residual `r`; false where even the regularised matrix
   * fails.
   */
  step(
    jacobian: Float64Array,
    r: Float64Array,
    scale: Float64Array,
    x: Float64Array,
    nominal: Float64Array,
    damping: number,
    step: Float64Array,
  ): boolean {
    const { pattern, normal, values, column } = this;
    const { n, starts, rows } = pattern;
    for (let j = 0; j < n; j++) {
      const unit = Math.max(Math.abs(x[j]!), nominal[j]!);
      let gradient = 0;
      for (let k = starts[j]!; k < starts[j + 1]!; k++) {
        const row = rows[k]!;
        const scaled = (jacobian[k]! * unit) / scale[row]!;
        column[row] = scaled;
        gradient -= (scaled * r[row]!) / scale[row]!;
      }
      step[j] = gradient;
      for (let p = normal.starts[j]!; p < normal.starts[j + 1]!; p++) {
        const other = normal.rows[p]!;
        const otherUnit = Math.max(Math.abs(x[other]!), nominal[other]!);
        let sum = other === j ? damping : 0;
        for (let k = starts[other]!; k < starts[other + 1]!; k++) {
          sum += (column[rows[k]!]! * jacobian[k]! * otherUnit) / scale[rows[k]!]!;
        }
        values[p] = sum;
      }
      for (let k = starts[j]!; k < starts[j + 1]!; k++) column[rows[k]!] = 0;
    }
    if (!this.linear.factor(values)) return false;
    this.linear.solve(step);
    for (let j = 0; j < n; j++) step[j] = step[j]! * Math.max(Math.abs(x[j]!), nominal[j]!);
    return true;
  }
}

/** The pattern of J'J: columns that share a row, and the diagonal. */
function normalPattern(pattern: SparsePattern): SparsePattern {
  const { n, starts, rows } = pattern;
  const byRow = transposed(pattern);
  const columns = Array.from({ length: n }, (_, j) => {
    const others = new Set([j]);
    for (let k = starts[j]!; k < starts[j + 1]!; k++)
      for (let e = byRow.starts[rows[k]!]!; e < byRow.starts[rows[k]! + 1]!; e++) others.add(byRow.rows[e]!);
    return Int32Array.from(others).sort();
  });
  return compressed(columns);
}
