/**
 * The one interface to linear systems whose sparsity pattern stays and whose values change, and the choice of
 * the method behind it: dense LU where the matrix is small or nearly full, sparse LU otherwise.
 */

import type { SparsePattern } from '../collections/pattern.ts';
import { DENSE, type Kernel, sharedKernel } from './kernel.ts';
import { KernelSolver } from './solver.ts';
import { SparseLu } from './sparse.ts';

/** Up to this size the short loops of dense LU are as fast as any sparse method. */
const DENSE_SIZE = 10;
/**
 * Up to this size dense LU is faster on patterns fuller than `DENSE_SHARE` (measured on random patterns with
 * a full diagonal).
 */
const DENSE_LIMIT = 200;
const DENSE_SHARE = 0.25;

export function createLinearSolver(pattern: SparsePattern, kernel = sharedKernel()): DenseSolver | SparseLu {
  const { n } = pattern;
  const share = n === 0 ? 1 : pattern.rows.length / (n * n);
  if (n <= DENSE_SIZE || (n <= DENSE_LIMIT && share > DENSE_SHARE)) return new DenseSolver(pattern, kernel);
  return new SparseLu(pattern, kernel);
}

/** Dense LU of a matrix given by the nonzeros of a pattern. */
export class DenseSolver extends KernelSolver {
  constructor(pattern: SparsePattern, kernel: Kernel = sharedKernel()) {
    const { n, starts, rows } = pattern;
    super(kernel, n, rows.length);
    const places = new Int32Array(rows.length);
    for (let j = 0; j < n; j++) {
      for (let k = starts[j]!; k < starts[j + 1]!; k++) places[k] = rows[k]! + j * n;
    }
    const own = [
      n,
      rows.length,
      kernel.allocate(this, 8 * n * n),
      kernel.allocate(this, 4 * n),
      kernel.copy(this, places),
    ];
    this.begin(DENSE, own);
  }
}
