/**
 * The one interface to linear systems whose sparsity pattern stays and whose values change, and the choice of
 * the method behind it: dense LU where the matrix is small or nearly full, sparse LU otherwise.
 */

import type { SparsePattern } from '../collections/pattern.ts';
import { factorDense, solveDense } from './dense.ts';
import type { LinearSolver } from './solver.ts';
import { SparseLu } from './sparse.ts';

/** Up to this size the short loops of dense LU are as fast as any sparse method. */
const DENSE_SIZE = 10;
/**
 * Up to this size dense LU is faster on patterns fuller than `DENSE_SHARE` (measured on random patterns with
 * a full diagonal).
 */
const DENSE_LIMIT = 200;
const DENSE_SHARE = 0.25;

export function createLinearSolver(pattern: SparsePattern): LinearSolver {
  const { n } = pattern;
  const share = n === 0 ? 1 : pattern.rows.length / (n * n);
  if (n <= DENSE_SIZE || (n <= DENSE_LIMIT && share > DENSE_SHARE)) return new DenseSolver(pattern);
  return new SparseLu(pattern);
}

/** Dense LU of a matrix given by the nonzeros of a pattern. */
export class DenseSolver implements LinearSolver {
  readonly n: number;
  private readonly matrix: Float64Array;
  private readonly exchanges: Int32Array;
  /** Where the k-th nonzero of the pattern lies in `matrix`. */
  private readonly places: Int32Array;

  constructor(pattern: SparsePattern) {
    const { n, starts, rows } = pattern;
    this.n = n;
    this.matrix = new Float64Array(n * n);
    this.exchanges = new Int32Array(n);
    this.places = new Int32Array(rows.length);
    for (let j = 0; j < n; j++) {
      for (let k = starts[j]!; k < starts[j + 1]!; k++) this.places[k] = rows[k]! + j * n;
    }
  }

  factor(values: Float64Array): boolean {
    const { matrix, places } = this;
    matrix.fill(0);
    for (let k = 0; k < places.length; k++) matrix[places[k]!] = values[k]!;
    return factorDense(this.n, matrix, this.exchanges);
  }

  solve(b: Float64Array): void {
    solveDense(this.n, this.matrix, this.exchanges, b);
  }
}
