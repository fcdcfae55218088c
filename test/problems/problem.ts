/**
 * What a problem of the bank is: an initial value problem with its Jacobian, a reference solution and where that
 * comes from. The same problems serve the tests of all integrators and the benchmarks.
 */

import type { SparsePattern } from '../../src/collections/pattern.ts';
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { densePattern } from '../../src/solve/sparse.ts';

export interface Problem {
  readonly name: string;
  readonly system: OdeSystem;
  readonly start: readonly number[];
  readonly from: number;
  readonly to: number;
  /** Values at `to`. */
  readonly reference: readonly number[];
  readonly source: string;
  /** The exact solution, where there is one. */
  readonly exact?: (t: number) => number[];
}

export type Rhs = (t: number, y: Float64Array, dy: Float64Array) => void;

/** A system whose Jacobian is given by rows as a full matrix. */
export function denseSystem(n: number, f: Rhs, rows: (t: number, y: Float64Array) => number[][]): OdeSystem {
  return {
    n,
    rhs(t, y, dy) {
      f(t, y, dy);
      return true;
    },
    jacobian: {
      pattern: densePattern(n),
      evaluate(t, y, values) {
        rows(t, y).forEach((row, i) => {
          row.forEach((value, j) => {
            values[i + j * n] = value;
          });
        });
        return true;
      },
    },
  };
}

/** A pattern from the rows of each column. */
export function patternOf(columns: readonly (readonly number[])[]): SparsePattern {
  const starts = new Int32Array(columns.length + 1);
  columns.forEach((rows, j) => {
    starts[j + 1] = starts[j]! + rows.length;
  });
  return { n: columns.length, starts, rows: Int32Array.from(columns.flat()) };
}

/** The tridiagonal pattern of size n. */
export function tridiagonal(n: number): SparsePattern {
  return patternOf(Array.from({ length: n }, (_, j) => [j - 1, j, j + 1].filter((i) => i >= 0 && i < n)));
}
