/** What all solvers of linear systems have in common. */

export interface LinearSolver {
  readonly n: number;
  /** Factors the matrix whose nonzeros, in the order of the pattern, are `values`. False where it is singular. */
  factor(values: Float64Array): boolean;
  /** Replaces `b` by the solution of A x = b. Valid after a successful `factor`. */
  solve(b: Float64Array): void;
}
