/**
 * Bipartite incidence graphs of equations (rows) and unknowns (columns): the only thing that matching,
 * offsets, BLT and tearing look at. Compressed rows: the columns of row i are `targets[starts[i] .. starts[i
 * + 1])`.
 */

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
export function transpose(graph: Incidence): Incidence {
  const { rows, columns, starts, targets } = graph;
  const counts = new Int32Array(columns + 1);
  for (let e = 0; e < targets.length; e++) counts[targets[e]! + 1]!++;
  for (let j = 0; j < columns; j++) counts[j + 1]! += counts[j]!;
  const next = counts.slice(0, columns);
  const transposed = new Int32Array(targets.length);
  for (let i = 0; i < rows; i++) {
    for (let e = starts[i]!; e < starts[i + 1]!; e++) transposed[next[targets[e]!]!++] = i;
  }
  return { rows: columns, columns: rows, starts: counts, targets: transposed };
}
