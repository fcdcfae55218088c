/** What all solvers of linear systems have in common. */

export interface LinearSolver {
  readonly n: number;
  /** By row: its place in the order of elimination, where the next `factor` begins with the order of the last. */
  readonly pivots?: Int32Array | undefined;
  /**
   * Factors the matrix whose nonzeros, in the order of the pattern, are `values`; with `pivots` of another solver as that did. False where it is
   * singular.
   */
  factor(values: Float64Array, pivots?: Int32Array): boolean;
  /** Replaces `b` by the solution of A x = b. Valid after a successful `factor`. */
  solve(b: Float64Array): void;
}
