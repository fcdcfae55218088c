/**
 * The matrix (alpha + i beta) I - h df/dy of methods whose stages have complex eigenvalues, as a real one of twice the size: real and imaginary part of an unknown stand
 * side by side, so the pattern stays as narrow as that of the Jacobian.
 */
import type { SparsePattern } from '../collections/pattern.ts';
import type { EvaluatedJacobian } from './jacobian.ts';
import { createLinearSolver } from './linear.ts';
import type { LinearSolver } from './solver.ts';

export class ComplexMatrix {
  private shape: ComplexShape | undefined;

  /** The Jacobian has this pattern from now on; with another one, nothing that was learned about pivots counts. */
  adapt(pattern: SparsePattern): void {
    if (this.shape?.source !== pattern) this.shape = shapeOf(pattern);
  }

  /** In the order of elimination of another one, where its `pivots` are given. */
  factor(of: EvaluatedJacobian, h: number, alpha: number, beta: number, pivots?: Int32Array): boolean {
    this.adapt(of.pattern);
    const { values, real, imaginary, diagonal, linear } = this.shape!;
    const n = diagonal.length >> 2;
    values.fill(0);
    for (let k = 0; k < real.length; k++) {
      const entry = -h * of.values[k]!;
      values[real[k]!] = entry;
      values[imaginary[k]!] = entry;
    }
    for (let j = 0; j < n; j++) {
      values[diagonal[4 * j]!]! += alpha;
      values[diagonal[4 * j + 1]!] = beta;
      values[diagonal[4 * j + 2]!] = -beta;
      values[diagonal[4 * j + 3]!]! += alpha;
    }
    return linear.factor(values, pivots);
  }

  get pivots(): Int32Array | undefined {
    return this.shape?.linear.pivots;
  }

  /** The solution in place of the right-hand side, both as pairs of real and imaginary part. */
  solve(b: Float64Array): void {
    this.shape!.linear.solve(b);
  }
}

interface ComplexShape {
  /** The pattern of the Jacobian. */
  readonly source: SparsePattern;
  readonly values: Float64Array;
  /** Where the k-th nonzero of the Jacobian lies in `values`, in the rows of real parts and in those of imaginary ones. */
  readonly real: Int32Array;
  readonly imaginary: Int32Array;
  /** For each unknown its two by two block on the diagonal, by columns. */
  readonly diagonal: Int32Array;
  readonly linear: LinearSolver;
}

function shapeOf(source: SparsePattern): ComplexShape {
  const { n, starts, rows } = source;
  const real = new Int32Array(rows.length);
  const imaginary = new Int32Array(rows.length);
  const diagonal = new Int32Array(4 * n);
  const wholeStarts = new Int32Array(2 * n + 1);
  const wholeRows: number[] = [];
  /** The column of the part (0 real, 1 imaginary) of an unknown. */
  const column = (j: number, part: 0 | 1, places: Int32Array): void => {
    const block = (): void => {
      for (const row of [0, 1]) {
        diagonal[4 * j + 2 * part + row] = wholeRows.length;
        wholeRows.push(2 * j + row);
      }
    };
    let isDone = false;
    for (let k = starts[j]!; k < starts[j + 1]!; k++) {
      const row = rows[k]!;
      if (!isDone && row >= j) {
        block();
        isDone = true;
      }
      if (row === j) places[k] = diagonal[4 * j + 3 * part]!;
      else {
        places[k] = wholeRows.length;
        wholeRows.push(2 * row + part);
      }
    }
    if (!isDone) block();
    wholeStarts[2 * j + part + 1] = wholeRows.length;
  };
  for (let j = 0; j < n; j++) {
    column(j, 0, real);
    column(j, 1, imaginary);
  }
  const whole = { n: 2 * n, starts: wholeStarts, rows: Int32Array.from(wholeRows) };
  return {
    source,
    values: new Float64Array(wholeRows.length),
    real,
    imaginary,
    diagonal,
    linear: createLinearSolver(whole),
  };
}
