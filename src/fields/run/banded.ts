/**
 * Banded systems of linear equations at run time. `FieldSystemSolver` takes the numbers of a system (`fields/sorting/systems.ts`) from the memory of a field and writes the
 * unknowns there; `BandedSolver` is Gaussian elimination with row exchanges within the band (G. H. Golub and C. F. Van Loan,
 * Matrix Computations, section 4.3). Everything that is a number, the size too, is data.
 *
 * Row i of the matrix lies at `i*width`; its column j at `j - i + lower`, for j from i - lower to i + upper + lower: row exchanges fill in as many
 * diagonals above as there are below.
 */

import type { LinearSystem } from '../elements/kernel.ts';
import { eachTerm, elementOf } from '../sorting/systems.ts';

export class FieldSystemSolver {
  private readonly solver: BandedSolver;
  /** By entry of the matrix: where its value lies in the memory, and where it goes. */
  private readonly entries: { readonly from: Int32Array; readonly to: Int32Array };
  private readonly diagonal: Int32Array;
  /** Products of coefficients and known values that belong to the right side of a row. */
  private readonly products: {
    readonly row: number;
    readonly coefficient: number;
    readonly value: number;
  }[] = [];
  /** By row: where its right side and its unknown lie. */
  private readonly rights: Int32Array;
  private readonly solutions: Int32Array;

  constructor(system: LinearSystem, slotOf: (symbol: number, order: number, element: number) => number) {
    const { equations, size, lower, upper } = system;
    this.solver = new BandedSolver(size, lower, upper);
    this.diagonal = Int32Array.from({ length: size }, (_, k) => this.solver.place(k, k));
    this.rights = new Int32Array(size);
    this.solutions = new Int32Array(size);
    const [from, to]: [number[], number[]] = [[], []];
    equations.forEach(({ row: { target, rest }, turn }, k) => {
      this.rights[k] = slotOf(rest.symbol, 0, turn);
      this.solutions[k] = slotOf(target.symbol, target.order, elementOf(target, turn));
    });
    eachTerm(system, ({ row, turn, access, element, column, coefficient }) => {
      const slot = slotOf(coefficient.symbol, 0, turn);
      if (column < 0) {
        const value = slotOf(access.symbol, access.order, element);
        this.products.push({ row, coefficient: slot, value });
        return;
      }
      from.push(slot);
      to.push(this.solver.place(row, column));
    });
    this.entries = { from: Int32Array.from(from), to: Int32Array.from(to) };
  }

  solve(doubles: Float64Array): void {
    const { solver, diagonal, rights, solutions, products } = this;
    const { from, to } = this.entries;
    solver.clear();
    for (let k = 0; k < diagonal.length; k++) {
      solver.add(diagonal[k]!, 1);
      solver.addRight(k, doubles[rights[k]!]!);
    }
    for (let e = 0; e < from.length; e++) solver.add(to[e]!, -doubles[from[e]!]!);
    for (const { row, coefficient, value } of products)
      solver.addRight(row, doubles[coefficient]! * doubles[value]!);
    const solution = solver.solve();
    for (let k = 0; k < solutions.length; k++) doubles[solutions[k]!] = solution[k]!;
  }
}

/** A pivot below this share of the entries of its row is rounding: the matrix is singular. */
const negligible = 1e-12;

export class BandedSolver {
  private readonly width: number;
  private readonly matrix: Float64Array;
  private readonly right: Float64Array;
  /** By row: its largest entry before the elimination. */
  private readonly sizes: Float64Array;

  constructor(
    private readonly n: number,
    private readonly lower: number,
    upper: number,
  ) {
    this.width = 2 * lower + upper + 1;
    this.matrix = new Float64Array(n * this.width);
    this.right = new Float64Array(n);
    this.sizes = new Float64Array(n);
  }

  /** All numbers are zero. */
  clear(): void {
    this.matrix.fill(0);
    this.right.fill(0);
  }

  /** Where the entry of a row and a column lies. */
  place(row: number, column: number): number {
    return row * this.width + column - row + this.lower;
  }

  add(place: number, value: number): void {
    this.matrix[place]! += value;
  }

  addRight(row: number, value: number): void {
    this.right[row]! += value;
  }

  /** The solution, which stays valid until the next one; not finite where there is none. */
  solve(): Float64Array {
    const { n, lower, width, matrix, right, sizes } = this;
    this.measure();
    for (let k = 0; k < n; k++) {
      const last = Math.min(n - 1, k + lower);
      this.exchange(k, this.pivot(k, last));
      const pivotRow = k * width + lower - k;
      const pivot = matrix[pivotRow + k]!;
      if (!(Math.abs(pivot) > negligible * sizes[k]!)) return right.fill(Number.NaN);
      const end = Math.min(n, k + width - lower);
      for (let i = k + 1; i <= last; i++) {
        const row = i * width + lower - i;
        if (matrix[row + k] === 0) continue;
        const factor = matrix[row + k]! / pivot;
        matrix[row + k] = 0;
        for (let j = k + 1; j < end; j++) matrix[row + j]! -= factor * matrix[pivotRow + j]!;
        right[i]! -= factor * right[k]!;
      }
    }
    for (let i = n - 1; i >= 0; i--) {
      const row = i * width + lower - i;
      const end = Math.min(n, i + width - lower);
      let sum = right[i]!;
      for (let j = i + 1; j < end; j++) sum -= matrix[row + j]! * right[j]!;
      right[i] = sum / matrix[row + i]!;
    }
    return right;
  }

  private measure(): void {
    const { n, width, matrix, sizes } = this;
    for (let i = 0; i < n; i++) {
      let largest = 0;
      for (let k = i * width; k < (i + 1) * width; k++) largest = Math.max(largest, Math.abs(matrix[k]!));
      sizes[i] = largest;
    }
  }

  /** The row with the largest entry in column k. */
  private pivot(k: number, last: number): number {
    const { width, lower, matrix } = this;
    let best = k;
    let largest = Math.abs(matrix[k * width + lower]!);
    for (let i = k + 1; i <= last; i++) {
      const size = Math.abs(matrix[i * width + lower + k - i]!);
      if (!(size > largest)) continue;
      best = i;
      largest = size;
    }
    return best;
  }

  private exchange(k: number, other: number): void {
    if (k === other) return;
    const { n, width, lower, matrix } = this;
    const [row, otherRow] = [k * width + lower - k, other * width + lower - other];
    const end = Math.min(n, k + width - lower);
    for (let j = k; j < end; j++) {
      const value = matrix[row + j]!;
      matrix[row + j] = matrix[otherRow + j]!;
      matrix[otherRow + j] = value;
    }
    for (const numbers of [this.right, this.sizes]) {
      const value = numbers[k]!;
      numbers[k] = numbers[other]!;
      numbers[other] = value;
    }
  }
}
