/**
 * Sparse matrices in compressed column form, and their LU factorisation: left-looking with symbolic search
 * (J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9, 1988), threshold partial pivoting that prefers
 * a given diagonal, and a refactorisation that repeats pattern and pivots for new values (T. A. Davis and E.
 * Palamadai Natarajan, KLU, ACM TOMS 37, 2010).
 *
 * With the column order q and the pivot rows, the permuted matrix is L U. Both factors are stored by columns
 * with indices of the permuted matrix; L without its unit diagonal, U without its diagonal, whose reciprocals
 * are `inverses`. The columns of U are in an order in which they can be eliminated.
 */

import { grown } from '../collections/lists.ts';
import type { SparsePattern } from '../collections/pattern.ts';
import { pulse } from '../diagnostic/pulse.ts';
import { minimumDegree, transversal } from './order.ts';
import type { LinearSolver } from './solver.ts';

/** The pattern of a full matrix. */
export function densePattern(n: number): SparsePattern {
  const starts = Int32Array.from({ length: n + 1 }, (_, j) => j * n);
  return { n, starts, rows: Int32Array.from({ length: n * n }, (_, k) => k % n) };
}

/** The preferred pivot is taken if it is at least this part of the largest one (KLU's default). */
const PIVOT_THRESHOLD = 1e-3;
/** A pivot of a former factorisation is kept as long as it is at least this part of the largest one. */
const REUSE_THRESHOLD = 1e-5;

export class SparseLu implements LinearSolver {
  readonly n: number;
  /** The row that should become the pivot of each column; undefined where the matrix is structurally singular. */
  private readonly preferred: Int32Array | undefined;
  /** Columns in the order of elimination. */
  private readonly columns: Int32Array;
  /** Place of each row in the order of elimination; -1 while not yet a pivot. */
  private readonly place: Int32Array;
  private readonly lStarts: Int32Array;
  private readonly uStarts: Int32Array;
  private lRows: Int32Array;
  private lValues: Float64Array;
  private uRows: Int32Array;
  private uValues: Float64Array;
  private readonly inverses: Float64Array;
  private readonly work: Float64Array;
  /**
   * Places of the nonzeros in the order of elimination, column after column, and where in the values they
   * come from.
   */
  private readonly entryStarts: Int32Array;
  private readonly entryPlaces: Int32Array;
  private readonly entrySources: Int32Array;
  private readonly search: Search;
  private analysed = false;

  constructor(private readonly pattern: SparsePattern) {
    const { n, rows } = pattern;
    this.n = n;
    this.preferred = transversal(pattern);
    this.columns = this.preferred === undefined ? new Int32Array(0) : minimumDegree(pattern, this.preferred);
    this.place = new Int32Array(n);
    this.lStarts = new Int32Array(n + 1);
    this.uStarts = new Int32Array(n + 1);
    const guess = 4 * rows.length + n;
    this.lRows = new Int32Array(guess);
    this.lValues = new Float64Array(guess);
    this.uRows = new Int32Array(guess);
    this.uValues = new Float64Array(guess);
    this.inverses = new Float64Array(n);
    this.work = new Float64Array(n);
    this.entryStarts = new Int32Array(n + 1);
    this.entryPlaces = new Int32Array(rows.length);
    this.entrySources = new Int32Array(rows.length);
    this.search = new Search(n);
  }

  /** Nonzeros of L and U without their diagonals. */
  get fill(): number {
    return this.lStarts[this.n]! + this.uStarts[this.n]!;
  }

  get pivots(): Int32Array | undefined {
    return this.analysed ? this.place : undefined;
  }

  /** Columns with the rows of their pivots, in the order of elimination. */
  get order(): { readonly row: number; readonly column: number }[] {
    const rows = this.rowsOf(this.place);
    return Array.from(this.columns, (column) => ({ row: rows[column]!, column }));
  }

  /** Multiplications of a factorisation with these pivots. */
  get products(): number {
    const { n, lStarts, uStarts, uRows } = this;
    let count = this.fill + n;
    for (let p = 0; p < uStarts[n]!; p++) count += lStarts[uRows[p]! + 1]! - lStarts[uRows[p]!]!;
    return count;
  }

  factor(values: Float64Array, pivots?: Int32Array): boolean {
    if (this.preferred === undefined) return false;
    if (!pivots && this.analysed && this.refactor(values)) return true;
    this.analysed = pivots
      ? this.factorAnew(values, this.rowsOf(pivots), 0)
      : this.factorAnew(values, this.preferred, PIVOT_THRESHOLD);
    return this.analysed;
  }

  solve(b: Float64Array): void {
    const { n, place, columns, lStarts, lRows, lValues, uStarts, uRows, uValues, inverses, work: x } = this;
    for (let i = 0; i < n; i++) x[place[i]!] = b[i]!;
    for (let j = 0; j < n; j++) {
      const end = lStarts[j + 1]!;
      const value = x[j]!;
      for (let p = lStarts[j]!; p < end; p++) x[lRows[p]!] = x[lRows[p]!]! - lValues[p]! * value;
    }
    for (let j = n - 1; j >= 0; j--) {
      const end = uStarts[j + 1]!;
      const value = x[j]! * inverses[j]!;
      x[j] = 0;
      b[columns[j]!] = value;
      for (let p = uStarts[j]!; p < end; p++) x[uRows[p]!] = x[uRows[p]!]! - uValues[p]! * value;
    }
  }

  /** The same pivots for new values; false where one of them is no longer good enough. */
  private refactor(values: Float64Array): boolean {
    const { n, lStarts, lRows, lValues, uStarts, uRows, uValues, inverses, work: x } = this;
    const { entryStarts, entryPlaces, entrySources } = this;
    for (let k = 0; k < n; k++) {
      const entriesEnd = entryStarts[k + 1]!;
      for (let p = entryStarts[k]!; p < entriesEnd; p++) x[entryPlaces[p]!] = values[entrySources[p]!]!;
      const uEnd = uStarts[k + 1]!;
      for (let p = uStarts[k]!; p < uEnd; p++) {
        const j = uRows[p]!;
        const value = x[j]!;
        x[j] = 0;
        uValues[p] = value;
        const end = lStarts[j + 1]!;
        for (let s = lStarts[j]!; s < end; s++) x[lRows[s]!] = x[lRows[s]!]! - lValues[s]! * value;
      }
      const pivot = x[k]!;
      x[k] = 0;
      const inverse = 1 / pivot;
      inverses[k] = inverse;
      let largest = 0;
      const lEnd = lStarts[k + 1]!;
      for (let p = lStarts[k]!; p < lEnd; p++) {
        const value = x[lRows[p]!]!;
        x[lRows[p]!] = 0;
        if (Math.abs(value) > largest) largest = Math.abs(value);
        lValues[p] = value * inverse;
      }
      if (!(Math.abs(pivot) >= REUSE_THRESHOLD * largest) || !Number.isFinite(inverse)) {
        x.fill(0);
        return false;
      }
    }
    return true;
  }

  /** By column: the row that is its pivot. */
  private rowsOf(pivots: Int32Array): Int32Array {
    const rows = new Int32Array(this.n);
    for (let row = 0; row < rows.length; row++) rows[this.columns[pivots[row]!]!] = row;
    return rows;
  }

  /** Chooses pivots and the patterns of L and U, column by column. */
  private factorAnew(values: Float64Array, preferred: Int32Array, threshold: number): boolean {
    const { n, columns, place, lStarts, uStarts, work: x, search } = this;
    place.fill(-1);
    for (let k = 0; k < n; k++) {
      const column = columns[k]!;
      pulse();
      const top = search.reach(this.pattern, column, place, lStarts, this.lRows);
      this.reserve(lStarts[k]! + n - top, uStarts[k]! + n - top);
      uStarts[k + 1] = this.eliminate(values, column, top, uStarts[k]!);
      const pivotRow = this.choosePivot(preferred[column]!, top, threshold);
      const inverse = pivotRow < 0 ? Number.NaN : 1 / x[pivotRow]!;
      if (!Number.isFinite(inverse) || inverse === 0) {
        x.fill(0);
        return false;
      }
      this.inverses[k] = inverse;
      place[pivotRow] = k;
      lStarts[k + 1] = this.storeLower(inverse, top, lStarts[k]!);
    }
    this.finish(lStarts[n]!);
    return true;
  }

  /** Solves with the columns of L found so far; writes the column of U from `count` on and returns its end. */
  private eliminate(values: Float64Array, column: number, top: number, count: number): number {
    const { n, pattern, place, lStarts, lRows, lValues, uRows, uValues, work: x } = this;
    const { starts, rows } = pattern;
    const { found } = this.search;
    for (let p = starts[column]!; p < starts[column + 1]!; p++) x[rows[p]!] = values[p]!;
    let end = count;
    for (let p = top; p < n; p++) {
      const j = place[found[p]!]!;
      if (j < 0) continue;
      const value = x[found[p]!]!;
      uRows[end] = j;
      uValues[end++] = value;
      for (let s = lStarts[j]!; s < lStarts[j + 1]!; s++) x[lRows[s]!] = x[lRows[s]!]! - lValues[s]! * value;
    }
    return end;
  }

  /** The wanted row if it is large enough, otherwise the largest; -1 where all are zero. */
  private choosePivot(wanted: number, top: number, threshold: number): number {
    const { n, place, work: x } = this;
    const { found } = this.search;
    let largest = 0;
    let row = -1;
    for (let p = top; p < n; p++) {
      const size = Math.abs(x[found[p]!]!);
      if (place[found[p]!]! >= 0 || !(size > largest)) continue;
      largest = size;
      row = found[p]!;
    }
    const good = place[wanted]! < 0 && Math.abs(x[wanted]!) >= threshold * largest;
    return good && largest > 0 ? wanted : row;
  }

  /** Writes the column of L from `count` on, clears the work vector and returns the end of the column. */
  private storeLower(inverse: number, top: number, count: number): number {
    const { n, place, lRows, lValues, work: x } = this;
    const { found } = this.search;
    let end = count;
    for (let p = top; p < n; p++) {
      const row = found[p]!;
      const value = x[row]!;
      x[row] = 0;
      if (place[row]! >= 0) continue;
      lRows[end] = row;
      lValues[end++] = value * inverse;
    }
    return end;
  }

  /** Renames the rows of L to places, and lays out the nonzeros of the matrix for `refactor`. */
  private finish(lCount: number): void {
    const { n, pattern, columns, place, lRows, entryStarts, entryPlaces, entrySources } = this;
    for (let p = 0; p < lCount; p++) lRows[p] = place[lRows[p]!]!;
    let count = 0;
    for (let k = 0; k < n; k++) {
      const column = columns[k]!;
      for (let p = pattern.starts[column]!; p < pattern.starts[column + 1]!; p++) {
        entryPlaces[count] = place[pattern.rows[p]!]!;
        entrySources[count++] = p;
      }
      entryStarts[k + 1] = count;
    }
  }

  private reserve(l: number, u: number): void {
    if (l > this.lRows.length) {
      this.lRows = grown(this.lRows, l);
      this.lValues = grown(this.lValues, l);
    }
    if (u > this.uRows.length) {
      this.uRows = grown(this.uRows, u);
      this.uValues = grown(this.uValues, u);
    }
  }
}

/** Depth-first search for the rows that a column can reach through the columns of L found so far. */
class Search {
  /** Reached rows in topological order, at the end of the array. */
  readonly found: Int32Array;
  private readonly stack: Int32Array;
  private readonly next: Int32Array;
  private readonly visited: Int32Array;
  private stamp = 0;

  constructor(n: number) {
    this.found = new Int32Array(n);
    this.stack = new Int32Array(n);
    this.next = new Int32Array(n);
    this.visited = new Int32Array(n);
  }

  /** Returns where `found` begins. L's rows are still named by rows of the matrix. */
  reach(
    pattern: SparsePattern,
    column: number,
    place: Int32Array,
    lStarts: Int32Array,
    lRows: Int32Array,
  ): number {
    const { found, stack, next, visited } = this;
    const stamp = ++this.stamp;
    let top = pattern.n;
    for (let p = pattern.starts[column]!; p < pattern.starts[column + 1]!; p++) {
      const root = pattern.rows[p]!;
      if (visited[root] === stamp) continue;
      visited[root] = stamp;
      stack[0] = root;
      next[0] = place[root]! < 0 ? 0 : lStarts[place[root]!]!;
      let depth = 0;
      while (depth >= 0) {
        const row = stack[depth]!;
        const j = place[row]!;
        const end = j < 0 ? 0 : lStarts[j + 1]!;
        let at = next[depth]!;
        while (at < end && visited[lRows[at]!] === stamp) at++;
        if (at < end) {
          const child = lRows[at]!;
          next[depth] = at + 1;
          visited[child] = stamp;
          stack[++depth] = child;
          next[depth] = place[child]! < 0 ? 0 : lStarts[place[child]!]!;
        } else {
          found[--top] = row;
          depth--;
        }
      }
    }
    return top;
  }
}
