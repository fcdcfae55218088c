/**
 * LU factorisation of sparse matrices; see `src/solve/sparse.ts`, which lays out the memory. Matrices are in compressed column form.
 *
 * With the column order q and the pivot rows, the permuted matrix is L U. Both factors are stored by columns
 * with indices of the permuted matrix; L without its unit diagonal, U without its diagonal, whose reciprocals
 * are `inverses`. The columns of U are in an order in which they can be eliminated.
 */
import { extend, pulse } from './host';
import { at, clear, get, Integers, put, set, Vector } from './vector';

/** The preferred pivot is taken if it is at least this part of the largest one (KLU's default). */
const PIVOT_THRESHOLD = 1e-3;
/** A pivot of a former factorisation is kept as long as it is at least this part of the largest one. */
const REUSE_THRESHOLD = 1e-5;

/** A pulse for so many columns. */
const COLUMNS_PER_PULSE = 16;

@unmanaged
export class Sparse {
  n: i32;
  /** The matrix by columns. */
  starts: Integers;
  rows: Integers;
  /** The row that should become the pivot of each column; 0 where the matrix is structurally singular. */
  preferred: Integers;
  /** Columns in the order of elimination. */
  columns: Integers;
  /** Place of each row in the order of elimination; -1 while not yet a pivot. */
  place: Integers;
  lStarts: Integers;
  uStarts: Integers;
  lRows: Integers;
  lValues: Vector;
  uRows: Integers;
  uValues: Vector;
  /** Nonzeros for which there is room. */
  lRoom: i32;
  uRoom: i32;
  inverses: Vector;
  work: Vector;
  /**
   * Places of the nonzeros in the order of elimination, column after column, and where in the values they
   * come from.
   */
  entryStarts: Integers;
  entryPlaces: Integers;
  entrySources: Integers;
  /** Whether there are pivots of a former factorisation. */
  analysed: i32;
  // Depth-first search for the rows that a column can reach through the columns of L found so far.
  /** Reached rows in topological order, at the end of the array. */
  found: Integers;
  stack: Integers;
  next: Integers;
  visited: Integers;
  stamp: i32;

  factor(values: Vector): bool {
    if (this.preferred === 0) return false;
    if (this.analysed && this.refactor(values)) return true;
    return this.factorWith(values, this.preferred, PIVOT_THRESHOLD);
  }

  factorWith(values: Vector, preferred: Integers, threshold: f64): bool {
    this.analysed = this.factorAnew(values, preferred, threshold) ? 1 : 0;
    return this.analysed !== 0;
  }

  solve(b: Vector): void {
    const n = this.n;
    const place = this.place;
    const columns = this.columns;
    const lStarts = this.lStarts;
    const lRows = this.lRows;
    const lValues = this.lValues;
    const uStarts = this.uStarts;
    const uRows = this.uRows;
    const uValues = this.uValues;
    const inverses = this.inverses;
    const x = this.work;
    for (let i = 0; i < n; i++) set(x, at(place, i), get(b, i));
    let p = 0;
    for (let j = 0; j < n; j++) {
      const end = at(lStarts, j + 1);
      const value = get(x, j);
      for (; p < end; p++) subtract(x, at(lRows, p), get(lValues, p) * value);
    }
    for (let j = n - 1; j >= 0; j--) {
      const end = at(uStarts, j + 1);
      const value = get(x, j) * get(inverses, j);
      set(x, j, 0);
      set(b, at(columns, j), value);
      for (let p = at(uStarts, j); p < end; p++) subtract(x, at(uRows, p), get(uValues, p) * value);
    }
  }

  /** The same pivots for new values; false where one of them is no longer good enough. */
  refactor(values: Vector): bool {
    const n = this.n;
    const lStarts = this.lStarts;
    const lRows = this.lRows;
    const lValues = this.lValues;
    const uStarts = this.uStarts;
    const uRows = this.uRows;
    const uValues = this.uValues;
    const x = this.work;
    const entryStarts = this.entryStarts;
    const entryPlaces = this.entryPlaces;
    const entrySources = this.entrySources;
    for (let k = 0; k < n; k++) {
      const entriesEnd = at(entryStarts, k + 1);
      for (let p = at(entryStarts, k); p < entriesEnd; p++)
        set(x, at(entryPlaces, p), get(values, at(entrySources, p)));
      const uEnd = at(uStarts, k + 1);
      for (let p = at(uStarts, k); p < uEnd; p++) {
        const j = at(uRows, p);
        const value = get(x, j);
        set(x, j, 0);
        set(uValues, p, value);
        const end = at(lStarts, j + 1);
        for (let s = at(lStarts, j); s < end; s++) subtract(x, at(lRows, s), get(lValues, s) * value);
      }
      const pivot = get(x, k);
      set(x, k, 0);
      const inverse = 1 / pivot;
      set(this.inverses, k, inverse);
      let largest: f64 = 0;
      const lEnd = at(lStarts, k + 1);
      for (let p = at(lStarts, k); p < lEnd; p++) {
        const value = get(x, at(lRows, p));
        set(x, at(lRows, p), 0);
        if (abs(value) > largest) largest = abs(value);
        set(lValues, p, value * inverse);
      }
      if (!(abs(pivot) >= REUSE_THRESHOLD * largest) || !Number.isFinite(inverse)) {
        clear(x, n);
        return false;
      }
    }
    return true;
  }

  /** Chooses pivots and the patterns of L and U, column by column. */
  factorAnew(values: Vector, preferred: Integers, threshold: f64): bool {
    const n = this.n;
    for (let i = 0; i < n; i++) put(this.place, i, -1);
    for (let k = 0; k < n; k++) {
      const column = at(this.columns, k);
      if (k % COLUMNS_PER_PULSE === 0) pulse();
      const top = this.reach(column);
      this.reserve(at(this.lStarts, k) + n - top, at(this.uStarts, k) + n - top);
      put(this.uStarts, k + 1, this.eliminate(values, column, top, at(this.uStarts, k)));
      const pivotRow = this.choosePivot(at(preferred, column), top, threshold);
      const inverse = pivotRow < 0 ? NaN : 1 / get(this.work, pivotRow);
      if (!Number.isFinite(inverse) || inverse === 0) {
        clear(this.work, n);
        return false;
      }
      set(this.inverses, k, inverse);
      put(this.place, pivotRow, k);
      put(this.lStarts, k + 1, this.storeLower(inverse, top, at(this.lStarts, k)));
    }
    this.finish(at(this.lStarts, n));
    return true;
  }

  /** Solves with the columns of L found so far; writes the column of U from `count` on and returns its end. */
  eliminate(values: Vector, column: i32, top: i32, count: i32): i32 {
    const x = this.work;
    const last = at(this.starts, column + 1);
    for (let p = at(this.starts, column); p < last; p++) set(x, at(this.rows, p), get(values, p));
    let end = count;
    for (let p = top; p < this.n; p++) {
      const row = at(this.found, p);
      const j = at(this.place, row);
      if (j < 0) continue;
      const value = get(x, row);
      put(this.uRows, end, j);
      set(this.uValues, end++, value);
      const lEnd = at(this.lStarts, j + 1);
      for (let s = at(this.lStarts, j); s < lEnd; s++)
        subtract(x, at(this.lRows, s), get(this.lValues, s) * value);
    }
    return end;
  }

  /** The wanted row if it is large enough, otherwise the largest; -1 where all are zero. */
  choosePivot(wanted: i32, top: i32, threshold: f64): i32 {
    const x = this.work;
    let largest: f64 = 0;
    let row = -1;
    for (let p = top; p < this.n; p++) {
      const each = at(this.found, p);
      const size = abs(get(x, each));
      if (at(this.place, each) >= 0 || !(size > largest)) continue;
      largest = size;
      row = each;
    }
    const good = at(this.place, wanted) < 0 && abs(get(x, wanted)) >= threshold * largest;
    return good && largest > 0 ? wanted : row;
  }

  /** Writes the column of L from `count` on, clears the work vector and returns the end of the column. */
  storeLower(inverse: f64, top: i32, count: i32): i32 {
    const x = this.work;
    let end = count;
    for (let p = top; p < this.n; p++) {
      const row = at(this.found, p);
      const value = get(x, row);
      set(x, row, 0);
      if (at(this.place, row) >= 0) continue;
      put(this.lRows, end, row);
      set(this.lValues, end++, value * inverse);
    }
    return end;
  }

  /** Renames the rows of L to places, and lays out the nonzeros of the matrix for `refactor`. */
  finish(lCount: i32): void {
    for (let p = 0; p < lCount; p++) put(this.lRows, p, at(this.place, at(this.lRows, p)));
    let count = 0;
    for (let k = 0; k < this.n; k++) {
      const column = at(this.columns, k);
      const end = at(this.starts, column + 1);
      for (let p = at(this.starts, column); p < end; p++) {
        put(this.entryPlaces, count, at(this.place, at(this.rows, p)));
        put(this.entrySources, count++, p);
      }
      put(this.entryStarts, k + 1, count);
    }
  }

  reserve(l: i32, u: i32): void {
    if (l > this.lRoom) {
      const room = max(l, 2 * this.lRoom);
      this.lRows = extend(this.lRows, 4 * room);
      this.lValues = extend(this.lValues, 8 * room);
      this.lRoom = room;
    }
    if (u > this.uRoom) {
      const room = max(u, 2 * this.uRoom);
      this.uRows = extend(this.uRows, 4 * room);
      this.uValues = extend(this.uValues, 8 * room);
      this.uRoom = room;
    }
  }

  /** Returns where `found` begins. L's rows are still named by rows of the matrix. */
  reach(column: i32): i32 {
    const place = this.place;
    const lStarts = this.lStarts;
    const lRows = this.lRows;
    const visited = this.visited;
    const stack = this.stack;
    const next = this.next;
    const stamp = ++this.stamp;
    let top = this.n;
    const last = at(this.starts, column + 1);
    for (let p = at(this.starts, column); p < last; p++) {
      const root = at(this.rows, p);
      if (at(visited, root) === stamp) continue;
      put(visited, root, stamp);
      put(stack, 0, root);
      put(next, 0, at(place, root) < 0 ? 0 : at(lStarts, at(place, root)));
      let depth = 0;
      while (depth >= 0) {
        const row = at(stack, depth);
        const j = at(place, row);
        const end = j < 0 ? 0 : at(lStarts, j + 1);
        let each = at(next, depth);
        while (each < end && at(visited, at(lRows, each)) === stamp) each++;
        if (each < end) {
          const child = at(lRows, each);
          put(next, depth, each + 1);
          put(visited, child, stamp);
          put(stack, ++depth, child);
          put(next, depth, at(place, child) < 0 ? 0 : at(lStarts, at(place, child)));
        } else {
          put(this.found, --top, row);
          depth--;
        }
      }
    }
    return top;
  }
}

function subtract(x: Vector, i: i32, value: f64): void {
  set(x, i, get(x, i) - value);
}
