/**
 * Bipartite incidence graphs of equations (rows) and unknowns (columns): the only thing that matching,
 * offsets, BLT and tearing look at. Compressed rows: the columns of row i are `targets[starts[i] .. starts[i
 * + 1])`.
 */
import { transposed } from './pattern.ts';

export interface Incidence {
  readonly rows: number;
  readonly columns: number;
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

export function incidenceOf(lists: readonly (readonly number[])[], columns: number): Incidence {
  const starts = new Int32Array(lists.length + 1);
  for (let i = 0; i < lists.length; i++) starts[i + 1] = starts[i]! + lists[i]!.length;
  const targets = new Int32Array(starts[lists.length]!);
  let next = 0;
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!;
    for (let k = 0; k < list.length; k++) targets[next++] = list[k]!;
  }
  return { rows: lists.length, columns, starts, targets };
}

/** The same graph seen from the columns: rows of column j, increasing. */
export function transpose({ rows, columns, starts, targets }: Incidence): Incidence {
  const pattern = transposed({ n: rows, starts, rows: targets }, columns);
  return { rows: columns, columns: rows, starts: pattern.starts, targets: pattern.rows };
}
