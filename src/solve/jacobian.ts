/**
 * The Jacobian df/dy and the iteration matrix I - gamma df/dy of implicit methods. Where the system gives no
 * Jacobian, it is approximated by differences; columns that share no row are moved together (Curtis, Powell, Reid,
 * On the estimation of sparse Jacobian matrices, J. Inst. Maths Applics 13, 1974).
 */
import type { OdeJacobian, OdeSystem, SolverStatistics } from './integrator.ts';
import { createLinearSolver, type LinearSolver } from './linear.ts';
import { densePattern, type SparsePattern, transposed } from './sparse.ts';

/** M = I - gamma J with the pattern of J and the diagonal. */
export class IterationMatrix {
  readonly jacobian: Float64Array;
  private readonly source: OdeJacobian;
  private readonly values: Float64Array;
  /** Where the k-th nonzero of J lies in `values`. */
  private readonly places: Int32Array;
  private readonly diagonal: Int32Array;
  private readonly linear: LinearSolver;

  constructor(source: OdeJacobian) {
    const { pattern } = source;
    this.source = source;
    this.jacobian = new Float64Array(pattern.rows.length);
    const full = withDiagonal(pattern);
    this.values = new Float64Array(full.pattern.rows.length);
    this.places = full.places;
    this.diagonal = full.diagonal;
    this.linear = createLinearSolver(full.pattern);
  }

  /** Evaluates J; false where that fails. */
  evaluate(t: number, y: Float64Array): boolean {
    return this.source.evaluate(t, y, this.jacobian);
  }

  /** Factors I - gamma J with the J of the last `evaluate`. */
  factor(gamma: number): boolean {
    const { values, jacobian, places, diagonal } = this;
    if (places.length < values.length) values.fill(0);
    for (let k = 0; k < places.length; k++) values[places[k]!] = -gamma * jacobian[k]!;
    for (let j = 0; j < diagonal.length; j++) {
      const at = diagonal[j]!;
      values[at] = values[at]! + 1;
    }
    return this.linear.factor(values);
  }

  solve(b: Float64Array): void {
    this.linear.solve(b);
  }

  /** The largest sum of a row's absolute values: an upper bound of the spectral radius of J. */
  norm(): number {
    const { jacobian } = this;
    const { n, rows } = this.source.pattern;
    const sums = new Float64Array(n);
    for (let k = 0; k < rows.length; k++) sums[rows[k]!] = sums[rows[k]!]! + Math.abs(jacobian[k]!);
    let largest = 0;
    for (let i = 0; i < n; i++) if (!(sums[i]! <= largest)) largest = sums[i]!;
    return largest;
  }
}

/** Relative change of a component in a difference quotient: the square root of the unit roundoff. */
const DIFFERENCE = 1.4901161193847656e-8;

/**
 * A Jacobian by forward differences. `weights` are the reciprocals of the tolerated errors and give the scale
 * of components near zero.
 */
export function differenceJacobian(
  system: OdeSystem,
  weights: Float64Array,
  statistics: SolverStatistics,
): OdeJacobian {
  const { n } = system;
  const pattern = system.pattern ?? densePattern(n);
  const { starts, rows } = pattern;
  const groups = independentColumns(pattern);
  const base = new Float64Array(n);
  const moved = new Float64Array(n);
  const slope = new Float64Array(n);
  const changes = new Float64Array(n);
  const evaluate = (t: number, y: Float64Array, values: Float64Array): boolean => {
    statistics.evaluations += groups.length + 1;
    if (!system.rhs(t, y, base)) return false;
    moved.set(y);
    for (const group of groups) {
      for (const j of group) {
        const size = Math.max(Math.abs(y[j]!), 1 / weights[j]!);
        const target = y[j]! + (base[j]! < 0 ? -1 : 1) * DIFFERENCE * size;
        moved[j] = target;
        changes[j] = target - y[j]!;
      }
      if (!system.rhs(t, moved, slope)) return false;
      for (const j of group) {
        const inverse = 1 / changes[j]!;
        for (let k = starts[j]!; k < starts[j + 1]!; k++)
          values[k] = (slope[rows[k]!]! - base[rows[k]!]!) * inverse;
        moved[j] = y[j]!;
      }
    }
    return true;
  };
  return { pattern, evaluate };
}

/** Groups of columns without a common row, first fit in the given order. */
function independentColumns(pattern: SparsePattern): number[][] {
  const { n, starts, rows } = pattern;
  const groups: number[][] = [];
  const colour = new Int32Array(n).fill(-1);
  const { starts: rowStarts, rows: columns } = transposed(pattern);
  const taken = new Int32Array(n + 1).fill(-1);
  for (let j = 0; j < n; j++) {
    for (let k = starts[j]!; k < starts[j + 1]!; k++) {
      const row = rows[k]!;
      for (let e = rowStarts[row]!; columns[e]! < j; e++) taken[colour[columns[e]!]!] = j;
    }
    let free = 0;
    while (taken[free] === j) free++;
    colour[j] = free;
    if (free === groups.length) groups.push([]);
    groups[free]!.push(j);
  }
  return groups;
}

function withDiagonal(pattern: SparsePattern): {
  pattern: SparsePattern;
  places: Int32Array;
  diagonal: Int32Array;
} {
  const { n, starts, rows } = pattern;
  const newStarts = new Int32Array(n + 1);
  const newRows: number[] = [];
  const places = new Int32Array(rows.length);
  const diagonal = new Int32Array(n);
  for (let j = 0; j < n; j++) {
    let placed = false;
    for (let k = starts[j]!; k < starts[j + 1]!; k++) {
      if (!placed && rows[k]! >= j) {
        diagonal[j] = newRows.length;
        placed = true;
        if (rows[k]! > j) newRows.push(j);
      }
      places[k] = newRows.length;
      newRows.push(rows[k]!);
    }
    if (!placed) {
      diagonal[j] = newRows.length;
      newRows.push(j);
    }
    newStarts[j + 1] = newRows.length;
  }
  return { pattern: { n, starts: newStarts, rows: Int32Array.from(newRows) }, places, diagonal };
}
