/**
 * Maximum bipartite matching of equations (rows) with unknowns (columns).
 *
 * A cheap greedy pass, then the phases of Hopcroft and Karp (1973), O(m sqrt(n)); single rows are added by
 * one augmenting path each. Unmatched is -1 throughout.
 */
import { pulse } from '../diagnostic/pulse.ts';
import type { Incidence } from './incidence.ts';

export class Matching {
  /** The column matched to each row. */
  readonly columnOf: Int32Array;
  /** The row matched to each column. */
  readonly rowOf: Int32Array;
  private matched = 0;

  /**
   * Rows that one search has visited carry its number; searches that failed leave their rows closed for good.
   */
  private readonly mark: Int32Array;
  private search = 0;
  /** Next edge of each row to look at, by depth-first search and by lookahead. */
  private readonly edge: Int32Array;
  private readonly ahead: Int32Array;
  private readonly stack: Int32Array;

  /** An empty matching, or one that continues `previous` (whose edges must all be in `graph`). */
  constructor(
    readonly graph: Incidence,
    previous?: Matching,
  ) {
    this.columnOf = previous ? previous.columnOf.slice() : new Int32Array(graph.rows).fill(-1);
    this.rowOf = previous ? previous.rowOf.slice() : new Int32Array(graph.columns).fill(-1);
    this.matched = previous ? previous.size : 0;
    this.mark = new Int32Array(graph.rows);
    this.edge = new Int32Array(graph.rows);
    this.ahead = graph.starts.slice(0, graph.rows);
    this.stack = new Int32Array(graph.rows);
  }

  get size(): number {
    return this.matched;
  }

  /** Matches a row with a column, both of which are free. */
  match(row: number, column: number): void {
    this.columnOf[row] = column;
    this.rowOf[column] = row;
    this.matched++;
  }

  /** Makes the matching a maximum one of the first `rows` rows. */
  maximise(rows = this.graph.rows): this {
    this.greedy(rows);
    const level = new Int32Array(this.graph.rows);
    while (this.matched < rows) {
      const deepest = this.layers(rows, level);
      if (deepest === -1) break;
      for (let i = 0; i < rows; i++) this.edge[i] = this.graph.starts[i]!;
      for (let i = 0; i < rows; i++) if (this.columnOf[i] === -1) this.layeredPath(i, level, deepest);
    }
    return this;
  }

  /**
   * Tries to match one more row without unmatching any other. Rows seen by a search that failed can never lie
   * on an augmenting path again, so that any number of failures costs no more than one walk through the
   * graph.
   */
  augment(root: number): boolean {
    if (this.columnOf[root] !== -1) return true;
    if (this.mark[root] === closed) return false;
    const { starts, targets } = this.graph;
    const search = ++this.search;
    const { stack, edge, mark } = this;
    const seen = [root];
    let depth = 0;
    stack[0] = root;
    edge[root] = starts[root]!;
    mark[root] = search;
    while (depth >= 0) {
      pulse();
      const row = stack[depth]!;
      const free = this.lookahead(row);
      if (free >= 0) {
        this.flip(depth, free);
        return true;
      }
      let next = -1;
      while (next === -1 && edge[row]! < starts[row + 1]!) {
        const other = this.rowOf[targets[edge[row]!]!]!;
        if (mark[other] === closed || mark[other] === search) edge[row]!++;
        else next = other;
      }
      if (next === -1) {
        depth--;
        if (depth >= 0) edge[stack[depth]!]!++;
      } else {
        stack[++depth] = next;
        edge[next] = starts[next]!;
        mark[next] = search;
        seen.push(next);
      }
    }
    for (const row of seen) mark[row] = closed;
    return false;
  }

  /**
   * A free column of a row, or -1. Columns never become free again, so each edge is looked at once in all.
   */
  private lookahead(row: number): number {
    const { starts, targets } = this.graph;
    for (; this.ahead[row]! < starts[row + 1]!; this.ahead[row]!++) {
      const column = targets[this.ahead[row]!]!;
      if (this.rowOf[column] === -1) return column;
    }
    return -1;
  }

  /** Exchanges the edges along the stack, whose top row takes the free column. */
  private flip(depth: number, free: number): void {
    let column = free;
    for (let k = depth; k >= 0; k--) {
      const row = this.stack[k]!;
      const previous = this.columnOf[row]!;
      this.columnOf[row] = column;
      this.rowOf[column] = row;
      column = previous;
    }
    this.matched++;
  }

  private greedy(rows: number): void {
    for (let i = 0; i < rows; i++) {
      if (this.columnOf[i] !== -1) continue;
      const column = this.lookahead(i);
      if (column !== -1) this.match(i, column);
    }
  }

  /**
   * Breadth-first layers from the free rows, down to the first that reaches a free column; -1 where none
   * does.
   */
  private layers(rows: number, level: Int32Array): number {
    const { starts, targets } = this.graph;
    const queue = this.stack;
    let tail = 0;
    level.fill(-1);
    for (let i = 0; i < rows; i++) {
      if (this.columnOf[i] !== -1) continue;
      level[i] = 0;
      queue[tail++] = i;
    }
    let deepest = -1;
    for (let head = 0; head < tail; head++) {
      const row = queue[head]!;
      if (deepest !== -1 && level[row]! > deepest) break;
      for (let e = starts[row]!; e < starts[row + 1]!; e++) {
        const other = this.rowOf[targets[e]!]!;
        if (other === -1) deepest = level[row]!;
        else if (level[other] === -1) {
          level[other] = level[row]! + 1;
          queue[tail++] = other;
        }
      }
    }
    return deepest;
  }

  /** Depth-first search along the layers; rows without success are closed for the rest of the phase. */
  private layeredPath(root: number, level: Int32Array, deepest: number): void {
    const { starts, targets } = this.graph;
    const { stack, edge } = this;
    let depth = 0;
    stack[0] = root;
    while (depth >= 0) {
      const row = stack[depth]!;
      if (edge[row]! === starts[row + 1]!) {
        level[row] = -1;
        depth--;
        if (depth >= 0) edge[stack[depth]!]!++;
        continue;
      }
      const column = targets[edge[row]!]!;
      const other = this.rowOf[column]!;
      if (other === -1) {
        this.flip(depth, column);
        return;
      }
      if (depth < deepest && level[other] === depth + 1) stack[++depth] = other;
      else edge[row]!++;
    }
  }
}

const closed = -1;
