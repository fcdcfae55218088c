/**
 * Sparse matrices in compressed column form, and their LU factorisation: left-looking with symbolic search
 * (J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9, 1988), threshold partial pivoting that prefers
 * a given diagonal, and a refactorisation that repeats pattern and pivots for new values (T. A. Davis and E.
 * Palamadai Natarajan, KLU, ACM TOMS 37, 2010).
 *
 * With the column order q and the pivot rows, the permuted matrix is L U. Both factors are stored by columns
 * with indices of the permuted matrix; L without its unit diagonal, U without its diagonal, whose reciprocals
 * are `inverses`. The columns of U are in an order in which they can be eliminated. `kernels/sparse.ts` does the work.
 */

import type { SparsePattern } from '../collections/pattern.ts';
import { type Kernel, SPARSE, sharedKernel } from './kernel.ts';
import { minimumDegree, transversal } from './order.ts';
import { KernelSolver } from './solver.ts';

/** The pattern of a full matrix. */
export function densePattern(n: number): SparsePattern {
  const starts = Int32Array.from({ length: n + 1 }, (_, j) => j * n);
  return { n, starts, rows: Int32Array.from({ length: n * n }, (_, k) => k % n) };
}

/** Integers of `Sparse`, in its order. */
const fields = [
  'n',
  'starts',
  'rows',
  'preferred',
  'columns',
  'place',
  'lStarts',
  'uStarts',
  'lRows',
  'lValues',
  'uRows',
  'uValues',
  'lRoom',
  'uRoom',
  'inverses',
  'work',
  'entryStarts',
  'entryPlaces',
  'entrySources',
  'analysed',
  'found',
  'stack',
  'next',
  'visited',
  'stamp',
] as const;

type Fields = Record<(typeof fields)[number], number>;

export class SparseLu extends KernelSolver {
  /** Columns in the order of elimination. */
  private readonly columns: Int32Array;
  private readonly own: number;

  constructor(pattern: SparsePattern, kernel: Kernel = sharedKernel()) {
    const { n, starts, rows } = pattern;
    super(kernel, n, rows.length);
    const preferred = transversal(pattern);
    this.columns = preferred === undefined ? new Int32Array(0) : minimumDegree(pattern, preferred);
    const integers = (count: number): number => kernel.allocate(this, 4 * count);
    const doubles = (count: number): number => kernel.allocate(this, 8 * count);
    const room = 4 * rows.length + n;
    const own: Fields = {
      n,
      starts: kernel.copy(this, starts),
      rows: kernel.copy(this, rows),
      preferred: preferred ? kernel.copy(this, preferred) : 0,
      columns: kernel.copy(this, this.columns),
      place: integers(n),
      lStarts: integers(n + 1),
      uStarts: integers(n + 1),
      lRows: integers(room),
      lValues: doubles(room),
      uRows: integers(room),
      uValues: doubles(room),
      lRoom: room,
      uRoom: room,
      inverses: doubles(n),
      work: doubles(n),
      entryStarts: integers(n + 1),
      entryPlaces: integers(rows.length),
      entrySources: integers(rows.length),
      analysed: 0,
      found: integers(n),
      stack: integers(n),
      next: integers(n),
      visited: integers(n),
      stamp: 0,
    };
    this.own = this.begin(
      SPARSE,
      fields.map((name) => own[name]),
    );
  }

  private field(name: keyof Fields): number {
    return this.kernel.integers(this.own, fields.length)[fields.indexOf(name)]!;
  }

  private list(name: keyof Fields, length: number): Int32Array {
    return this.kernel.integers(this.field(name), length);
  }

  /** Nonzeros of L and U without their diagonals. */
  get fill(): number {
    const { n } = this;
    return this.list('lStarts', n + 1)[n]! + this.list('uStarts', n + 1)[n]!;
  }

  override get pivots(): Int32Array | undefined {
    return this.field('analysed') ? this.list('place', this.n).slice() : undefined;
  }

  /** Columns with the rows of their pivots, in the order of elimination. */
  get order(): { readonly row: number; readonly column: number }[] {
    const rows = this.rowsOf(this.list('place', this.n));
    return Array.from(this.columns, (column) => ({ row: rows[column]!, column }));
  }

  /** Multiplications of a factorisation with these pivots. */
  get products(): number {
    const { n } = this;
    const [lStarts, uStarts] = [this.list('lStarts', n + 1), this.list('uStarts', n + 1)];
    const uRows = this.list('uRows', uStarts[n]!);
    let count = this.fill + n;
    for (let p = 0; p < uRows.length; p++) count += lStarts[uRows[p]! + 1]! - lStarts[uRows[p]!]!;
    return count;
  }

  protected override factorLike(values: number, pivots: Int32Array): number {
    if (this.columns.length < this.n) return 0;
    const { kernel } = this;
    const preferred = kernel.take(4 * this.n);
    kernel.integers(preferred.address, this.n).set(this.rowsOf(pivots));
    const done = kernel.exports.factorSparse(this.own, values, preferred.address);
    kernel.give(preferred);
    return done;
  }

  /** By column: the row that is its pivot. */
  private rowsOf(pivots: Int32Array): Int32Array {
    const rows = new Int32Array(this.n);
    for (let row = 0; row < rows.length; row++) rows[this.columns[pivots[row]!]!] = row;
    return rows;
  }
}
