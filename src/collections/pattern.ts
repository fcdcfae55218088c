/**
 * Patterns of sparse matrices, compressed by columns: the rows of column j are `rows[starts[j]] … rows[starts[j + 1] - 1]`, increasing. Columns
 * that have no row in common can share a direction of a Jacobian (Curtis, Powell and Reid 1974), and `colour` finds few groups of such
 * columns: greedily, those with most conflicts first (Coleman and Moré 1983) or in a given order.
 */
import { concatenated } from './lists.ts';

export interface SparsePattern {
  /** Number of columns. */
  readonly n: number;
  readonly starts: Int32Array;
  readonly rows: Int32Array;
}

/** From the rows of every column. */
export function compressed(columns: readonly Int32Array[]): SparsePattern {
  const n = columns.length;
  const starts = new Int32Array(n + 1);
  for (let j = 0; j < n; j++) starts[j + 1] = starts[j]! + columns[j]!.length;
  return { n, starts, rows: concatenated(columns, Int32Array) };
}

/** The pattern of the transposed matrix, which has `m` columns. */
export function transposed({ n, starts, rows }: SparsePattern, m = n): SparsePattern {
  const ends = new Int32Array(m + 1);
  for (let k = 0; k < rows.length; k++) ends[rows[k]! + 1]!++;
  for (let i = 0; i < m; i++) ends[i + 1]! += ends[i]!;
  const next = ends.slice();
  const columns = new Int32Array(rows.length);
  for (let j = 0; j < n; j++)
    for (let k = starts[j]!; k < starts[j + 1]!; k++) columns[next[rows[k]!]!++] = j;
  return { n: m, starts: ends, rows: columns };
}

/** Groups of columns, no two of one group with a row in common; without an order, columns without entries are in none. */
export function colour(pattern: SparsePattern, order?: Iterable<number>): Int32Array[] {
  const { n, starts, rows } = pattern;
  const byRow = transposed(pattern, rows.reduce((last, row) => Math.max(last, row), -1) + 1);
  const isRepeated = repeatedRows(byRow);
  const colourOf = new Int32Array(n).fill(-1);
  const taken = new Int32Array(n + 1).fill(-1);
  const groups: number[][] = [];
  for (const j of order ?? mostConflictsFirst(pattern, byRow)) {
    for (let e = starts[j]!; e < starts[j + 1]!; e++) {
      const row = rows[e]!;
      if (isRepeated[row]) continue;
      for (let k = byRow.starts[row]!; k < byRow.starts[row + 1]!; k++) {
        const other = colourOf[byRow.rows[k]!]!;
        if (other >= 0) taken[other] = j;
      }
    }
    let free = 0;
    while (taken[free] === j) free++;
    colourOf[j] = free;
    if (free === groups.length) groups.push([]);
    groups[free]!.push(j);
  }
  return groups.map((columns) => Int32Array.from(columns).sort());
}

/** Columns that are not empty; conflicts through several rows count several times. */
function mostConflictsFirst({ n, starts, rows }: SparsePattern, byRow: SparsePattern): Int32Array {
  const conflicts = new Float64Array(n);
  const columns: number[] = [];
  for (let j = 0; j < n; j++) {
    if (starts[j] === starts[j + 1]) continue;
    columns.push(j);
    for (let e = starts[j]!; e < starts[j + 1]!; e++) {
      conflicts[j]! += byRow.starts[rows[e]! + 1]! - byRow.starts[rows[e]!]! - 1;
    }
  }
  return Int32Array.from(columns).sort((a, b) => conflicts[b]! - conflicts[a]! || a - b);
}

/** Rows with the columns of the row before them: they keep no columns apart that are not kept apart already. */
function repeatedRows({ n, starts, rows: columns }: SparsePattern): Uint8Array {
  const isRepeated = new Uint8Array(n);
  for (let i = 1; i < n; i++) {
    const [before, from, to] = [starts[i - 1]!, starts[i]!, starts[i + 1]!];
    let same = from - before === to - from;
    for (let k = 0; same && k < to - from; k++) same = columns[before + k] === columns[from + k];
    if (same) isRepeated[i] = 1;
  }
  return isRepeated;
}
