/** What all solvers of linear systems have in common. */
import { copyNumbers, type Kernel, KernelView } from './kernel.ts';

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

/** One whose work a kernel does; see `kernels/linear.ts`. */
export abstract class KernelSolver implements LinearSolver {
  /** For who is in the memory, too. */
  readonly at: number;
  /** The nonzeros, and a right-hand side, of those who are not. */
  private readonly given: KernelView;
  private readonly right: KernelView;

  constructor(
    readonly kernel: Kernel,
    readonly n: number,
    nonzeros: number,
  ) {
    this.at = kernel.allocate(this, 8);
    this.given = new KernelView(kernel, kernel.allocate(this, 8 * nonzeros), nonzeros);
    this.right = new KernelView(kernel, kernel.allocate(this, 8 * n), n);
  }

  /** The solver of a kind with these integers. */
  protected begin(kind: number, own: readonly number[]): number {
    const address = this.kernel.copy(this, Int32Array.from(own));
    this.kernel.integers(this.at, 2).set([kind, address]);
    return address;
  }

  get pivots(): Int32Array | undefined {
    return undefined;
  }

  factor(values: Float64Array, pivots?: Int32Array): boolean {
    const { address } = this.given;
    copyNumbers(this.given.values, values);
    return (
      (pivots ? this.factorLike(address, pivots) : this.kernel.exports.factorLinear(this.at, address)) !== 0
    );
  }

  /** As another solver did. */
  protected factorLike(values: number, _pivots: Int32Array): number {
    return this.kernel.exports.factorLinear(this.at, values);
  }

  solve(b: Float64Array): void {
    const { right } = this;
    copyNumbers(right.values, b);
    this.kernel.exports.solveLinear(this.at, right.address);
    copyNumbers(b, right.values);
  }
}
