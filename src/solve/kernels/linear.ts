/** Linear systems whose pattern stays and whose values change: dense or sparse, as the host has chosen. */
import { Dense } from './dense';
import { Sparse } from './sparse';
import { Integers, Vector } from './vector';

export const DENSE = 0;
export const SPARSE = 1;

@unmanaged
export class Linear {
  kind: i32;
  /** The object of that kind. */
  at: usize;

  /** Factors the matrix with these nonzeros, in the order of its pattern; false where it is singular. */
  factor(values: Vector): bool {
    return this.kind === DENSE
      ? changetype<Dense>(this.at).factor(values)
      : changetype<Sparse>(this.at).factor(values);
  }

  /** Replaces `b` by the solution. */
  solve(b: Vector): void {
    if (this.kind === DENSE) changetype<Dense>(this.at).solve(b);
    else changetype<Sparse>(this.at).solve(b);
  }
}

export function factorLinear(linear: Linear, values: Vector): bool {
  return linear.factor(values);
}

export function solveLinear(linear: Linear, b: Vector): void {
  linear.solve(b);
}

/** Factors in the order of elimination of another matrix: each column with the row that `preferred` says. */
export function factorSparse(sparse: Sparse, values: Vector, preferred: Integers): bool {
  return sparse.factorWith(values, preferred, 0);
}
