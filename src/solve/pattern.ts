/** Patterns of sparse matrices. */

/** Compressed columns: rows of column j are `rows[starts[j] .. starts[j + 1])`, increasing. */
export interface SparsePattern {
  readonly n: number;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}
