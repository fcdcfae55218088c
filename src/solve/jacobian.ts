/**
 * The iteration matrix of implicit methods, I - gamma df/dy. Where algebraic equations g(t, y, u) = 0 are solved for together with y, it has more rows:
 *
 *     I - gamma f_y   - gamma f_u
 *     g_y             g_u
 */
import type { SparsePattern } from '../collections/pattern.ts';
import type { OdeJacobian } from './integrator.ts';
import { createLinearSolver } from './linear.ts';
import type { LinearSolver } from './solver.ts';

/** The nonzeros of df/dy, in the order of the pattern. */
export interface EvaluatedJacobian {
  readonly pattern: SparsePattern;
  readonly values: Float64Array;
}

/** The nonzeros are those of J = d(f, g)/d(y, u) and the diagonal. */
export class IterationMatrix {
  /** What belongs to the pattern that J had last. */
  private shape: MatrixShape | undefined;
  private knownNorm: number | undefined;

  constructor(
    private readonly source: OdeJacobian,
    /** The number of rows of f; all where it is not given. */
    private readonly differential = Number.POSITIVE_INFINITY,
  ) {}

  /** Evaluates J; false where that fails. */
  evaluate(t: number, y: Float64Array): boolean {
    const { source } = this;
    if (source.prepare && !source.prepare(t, y)) return false;
    if (this.shape?.pattern !== source.pattern) this.shape = shapeOf(source.pattern, this.differential);
    this.knownNorm = undefined;
    return source.evaluate(t, y, this.shape.jacobian);
  }

  /** The J of the last `evaluate`. */
  get evaluated(): EvaluatedJacobian {
    const { pattern, jacobian } = this.shape!;
    return { pattern, values: jacobian };
  }

  /** Factors the matrix with the J of the last `evaluate`. */
  factor(gamma: number): boolean {
    const { values, jacobian, places, diagonal, linear, pattern } = this.shape!;
    const { differential } = this;
    if (places.length < values.length) values.fill(0);
    for (let k = 0; k < places.length; k++)
      values[places[k]!] = pattern.rows[k]! < differential ? -gamma * jacobian[k]! : jacobian[k]!;
    for (let j = 0; j < diagonal.length; j++) {
      const at = diagonal[j]!;
      values[at] = values[at]! + 1;
    }
    return linear.factor(values);
  }

  solve(b: Float64Array): void {
    this.shape!.linear.solve(b);
  }

  /** The largest sum of a row's absolute values: an upper bound of the spectral radius of J. */
  norm(): number {
    this.knownNorm ??= this.largestSum();
    return this.knownNorm;
  }

  state(): MatrixState {
    const source = this.source.state?.();
    if (!this.shape) return { source, last: undefined };
    const { pattern, jacobian, values, linear } = this.shape;
    return { source, last: { pattern, jacobian, values, pivots: linear.pivots } };
  }

  resume({ source, last }: MatrixState): void {
    this.knownNorm = undefined;
    this.shape = undefined;
    this.source.resume?.(source);
    if (!last) return;
    const { pattern } = this.source;
    this.shape = shapeOf(isSame(pattern, last.pattern) ? pattern : last.pattern, this.differential);
    this.shape.jacobian.set(last.jacobian);
    this.shape.values.set(last.values);
    this.shape.linear.factor(last.values, last.pivots);
  }

  private largestSum(): number {
    const { jacobian, pattern } = this.shape!;
    const { n, rows } = pattern;
    const sums = new Float64Array(n);
    for (let k = 0; k < rows.length; k++) sums[rows[k]!] = sums[rows[k]!]! + Math.abs(jacobian[k]!);
    let largest = 0;
    for (let i = 0; i < n; i++) if (!(sums[i]! <= largest)) largest = sums[i]!;
    return largest;
  }
}

export interface MatrixState {
  /** What the source of the Jacobian has learned. */
  readonly source: unknown;
  /** What the last evaluation and the last factorisation leave behind. */
  readonly last:
    | {
        readonly pattern: SparsePattern;
        readonly jacobian: Float64Array;
        /** Those of the matrix. */
        readonly values: Float64Array;
        readonly pivots: Int32Array | undefined;
      }
    | undefined;
}

interface MatrixShape {
  /** Of J. */
  readonly pattern: SparsePattern;
  readonly jacobian: Float64Array;
  readonly values: Float64Array;
  /** Where the k-th nonzero of J lies in `values`. */
  readonly places: Int32Array;
  readonly diagonal: Int32Array;
  readonly linear: LinearSolver;
}

function isSame(a: SparsePattern, b: SparsePattern): boolean {
  const isEqual = (x: Int32Array, y: Int32Array): boolean =>
    x.length === y.length && x.every((k, i) => k === y[i]);
  return a === b || (isEqual(a.starts, b.starts) && isEqual(a.rows, b.rows));
}

function shapeOf(pattern: SparsePattern, differential: number): MatrixShape {
  const { pattern: full, places, diagonal } = withDiagonal(pattern, Math.min(pattern.n, differential));
  return {
    pattern,
    jacobian: new Float64Array(pattern.rows.length),
    values: new Float64Array(full.rows.length),
    places,
    diagonal,
    linear: createLinearSolver(full),
  };
}

/** With the diagonal of the first `count` columns. */
function withDiagonal(
  pattern: SparsePattern,
  count: number,
): {
  pattern: SparsePattern;
  places: Int32Array;
  diagonal: Int32Array;
} {
  const { n, starts, rows } = pattern;
  const newStarts = new Int32Array(n + 1);
  const newRows: number[] = [];
  const places = new Int32Array(rows.length);
  const diagonal = new Int32Array(count);
  for (let j = 0; j < n; j++) {
    let placed = j >= count;
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
