/**
 * The iteration matrix of implicit methods, I - gamma df/dy. Where algebraic equations g(t, y, u) = 0 are solved for together with y, it has more rows:
 *
 *     I - gamma f_y   - gamma f_u
 *     g_y             g_u
 */
import type { SparsePattern } from '../collections/pattern.ts';
import type { OdeJacobian } from './integrator.ts';
import { type Kernel, KernelView, sharedKernel } from './kernel.ts';
import { createLinearSolver } from './linear.ts';
import type { KernelSolver } from './solver.ts';

/** The nonzeros of df/dy, in the order of the pattern. */
export interface EvaluatedJacobian {
  readonly pattern: SparsePattern;
  readonly values: Float64Array;
}

/** The nonzeros are those of J = d(f, g)/d(y, u) and the diagonal. */
export class IterationMatrix {
  /** What belongs to the pattern that J had last. */
  private shape: MatrixShape | undefined;

  constructor(
    private readonly source: OdeJacobian,
    /** The number of rows of f; all where it is not given. */
    private readonly differential = Number.POSITIVE_INFINITY,
    private readonly kernel = sharedKernel(),
  ) {}

  /** Evaluates J; false where that fails. Where memory has grown meanwhile, what was written is lost. */
  evaluate(t: number, y: Float64Array): boolean {
    const { source } = this;
    if (source.prepare && !source.prepare(t, y)) return false;
    if (this.shape?.pattern !== source.pattern) this.adapt(source.pattern);
    const { jacobian } = this.shape!;
    this.shape!.forgetNorm();
    for (;;) {
      const { values } = jacobian;
      const done = source.evaluate(t, y, values);
      if (values.length === jacobian.length) return done;
    }
  }

  private adapt(pattern: SparsePattern): void {
    this.shape = new MatrixShape(pattern, this.differential, this.kernel);
  }

  /** Where the kernel has it; 0 before the first evaluation. */
  get at(): number {
    return this.shape?.at ?? 0;
  }

  /** The J of the last `evaluate`. */
  get evaluated(): EvaluatedJacobian {
    const { pattern, jacobian } = this.shape!;
    return { pattern, values: jacobian.values };
  }

  /** Factors the matrix with the J of the last `evaluate`. */
  factor(gamma: number): boolean {
    return this.kernel.exports.factorMatrix(this.at, gamma) !== 0;
  }

  solve(b: Float64Array): void {
    this.shape!.linear.solve(b);
  }

  /** The largest sum of a row's absolute values: an upper bound of the spectral radius of J. */
  norm(): number {
    return this.kernel.exports.normOf(this.at);
  }

  state(): MatrixState {
    const source = this.source.state?.();
    if (!this.shape) return { source, last: undefined };
    const { pattern, jacobian, values, linear } = this.shape;
    return {
      source,
      last: {
        pattern,
        jacobian: jacobian.values.slice(),
        values: values.values.slice(),
        pivots: linear.pivots,
      },
    };
  }

  resume({ source, last }: MatrixState): void {
    this.shape = undefined;
    this.source.resume?.(source);
    if (!last) return;
    const { pattern } = this.source;
    this.adapt(isSame(pattern, last.pattern) ? pattern : last.pattern);
    const { jacobian, values, linear } = this.shape!;
    jacobian.values.set(last.jacobian);
    values.values.set(last.values);
    linear.factor(last.values, last.pivots);
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

/** What belongs to a pattern of J; as `Matrix` of `kernels/matrix.ts`. */
class MatrixShape {
  readonly at: number;
  readonly jacobian: KernelView;
  readonly values: KernelView;
  readonly linear: KernelSolver;
  /** The number of the field that says whether the norm of J is known. */
  private readonly isMeasured: number;

  constructor(
    readonly pattern: SparsePattern,
    differential: number,
    private readonly kernel: Kernel,
  ) {
    const { n, rows } = pattern;
    const count = Math.min(n, differential);
    const { pattern: full, places, diagonal } = withDiagonal(pattern, count);
    const linear = createLinearSolver(full, kernel);
    const doubles = (length: number): KernelView =>
      new KernelView(kernel, kernel.allocate(this, 8 * length), length);
    this.linear = linear;
    this.jacobian = doubles(rows.length);
    this.values = doubles(full.rows.length);
    const norm = [0, 0, 0];
    const own = [
      n,
      count,
      full.rows.length,
      rows.length,
      this.values.address,
      this.jacobian.address,
      kernel.copy(this, rows),
      kernel.copy(this, places),
      kernel.copy(this, diagonal),
      linear.at,
      doubles(n).address,
      ...norm,
    ];
    this.at = kernel.copy(this, Int32Array.from(own));
    this.isMeasured = own.length - norm.length;
  }

  forgetNorm(): void {
    this.kernel.integers(this.at, this.isMeasured + 1)[this.isMeasured] = 0;
  }
}

function isSame(a: SparsePattern, b: SparsePattern): boolean {
  const isEqual = (x: Int32Array, y: Int32Array): boolean =>
    x.length === y.length && x.every((k, i) => k === y[i]);
  return a === b || (isEqual(a.starts, b.starts) && isEqual(a.rows, b.rows));
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
