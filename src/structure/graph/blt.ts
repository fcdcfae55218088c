/**
 * Block lower triangular form: the order of computation. Rows are nodes; row i needs row k when it contains
 * the column that k is matched with. The strongly connected components are the systems that must be solved
 * together, and Tarjan's algorithm (1972) gives each component after all those it needs. The walk keeps its
 * own stack: depth grows with the model.
 */
import type { Incidence } from '../../collections/incidence.ts';
import { pulse } from '../../diagnostic/pulse.ts';

export interface Blocks {
  /** All rows; those of block b are `order[starts[b] .. starts[b + 1])`, blocks in order of computation. */
  readonly order: Int32Array;
  readonly starts: Int32Array;
}

/** Blocks of a perfectly matched graph; `columnOf` and `rowOf` as in `Matching`. */
export function sortBlocks(graph: Incidence, columnOf: Int32Array, rowOf: Int32Array): Blocks {
  const n = graph.rows;
  const order = new Int32Array(n);
  const starts: number[] = [0];
  /** 0: not seen; then the number of the visit, and `done` when its block is complete. */
  const visit = new Int32Array(n);
  const low = new Int32Array(n);
  const edge = graph.starts.slice(0, n);
  const path = new Int32Array(n);
  const open = new Int32Array(n);
  let visits = 0;
  let opened = 0;
  let placed = 0;

  for (let root = 0; root < n; root++) {
    if (visit[root] !== 0) continue;
    let depth = 0;
    path[0] = root;
    visit[root] = low[root] = ++visits;
    open[opened++] = root;
    while (depth >= 0) {
      pulse();
      const row = path[depth]!;
      if (edge[row]! < graph.starts[row + 1]!) {
        const column = graph.targets[edge[row]!++]!;
        const needed = rowOf[column]!;
        if (needed === -1 || column === columnOf[row]) continue;
        if (visit[needed] === 0) {
          path[++depth] = needed;
          visit[needed] = low[needed] = ++visits;
          open[opened++] = needed;
        } else if (visit[needed]! < low[row]!) low[row] = visit[needed]!;
        continue;
      }
      depth--;
      if (depth >= 0 && low[row]! < low[path[depth]!]!) low[path[depth]!] = low[row]!;
      if (low[row] !== visit[row]) continue;
      let member: number;
      do {
        member = open[--opened]!;
        visit[member] = done;
        order[placed++] = member;
      } while (member !== row);
      starts.push(placed);
    }
  }
  return { order, starts: Int32Array.from(starts) };
}

const done = 0x7fffffff;
