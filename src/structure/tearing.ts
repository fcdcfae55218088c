/**
 * Tearing: which unknowns of a block to guess so that the others follow one after the other.
 *
 * The greedy method of Cellier and Kofman (Continuous System Simulation, chapter 7): whatever one equation
 * determines is taken from it; when nothing is left to take, the unknown that lets most equations go on is
 * guessed. Equations whose unknowns are all known are residuals. An equation may only give an unknown that it
 * is marked `solvable` for, so that no choice can divide by zero.
 */
import type { Incidence } from './incidence.ts';
import { transpose } from './incidence.ts';

export interface Tearing {
  /** Columns to guess. */
  readonly tears: readonly number[];
  /** Rows that must vanish; as many as `tears`. */
  readonly residuals: readonly number[];
  /** Rows and the columns that they give, in order. */
  readonly inner: readonly { readonly row: number; readonly column: number }[];
}

/**
 * `solvable[e]` is 1 where the row of edge e gives its column safely; columns with `guarded[j]` (discrete
 * values) are guessed only where nothing else is left. The graph is square.
 */
export function tear(graph: Incidence, solvable: Uint8Array, guarded?: Uint8Array): Tearing {
  const torn = new Torn(graph, solvable, guarded ?? new Uint8Array(graph.columns));
  const tears: number[] = [];
  torn.propagate();
  for (let column = torn.choose(); column !== -1; column = torn.choose()) {
    tears.push(column);
    torn.know(column);
    torn.propagate();
  }
  const residuals: number[] = [];
  for (let i = 0; i < graph.rows; i++) if (!torn.used[i]) residuals.push(i);
  return { tears, residuals, inner: torn.inner };
}

class Torn {
  readonly inner: { row: number; column: number }[] = [];
  readonly used: Uint8Array;
  private readonly graph: Incidence;
  private readonly solvable: Uint8Array;
  private readonly guarded: Uint8Array;
  private readonly rowsOf: Incidence;
  private readonly known: Uint8Array;
  /** How many columns of each row are not known yet. */
  private readonly missing: Int32Array;
  /** Rows that may have become ready. */
  private readonly ready: number[] = [];

  constructor(graph: Incidence, solvable: Uint8Array, guarded: Uint8Array) {
    this.graph = graph;
    this.solvable = solvable;
    this.guarded = guarded;
    this.rowsOf = transpose(graph);
    this.used = new Uint8Array(graph.rows);
    this.known = new Uint8Array(graph.columns);
    this.missing = new Int32Array(graph.rows);
    for (let i = 0; i < graph.rows; i++) {
      this.missing[i] = graph.starts[i + 1]! - graph.starts[i]!;
      if (this.missing[i] === 1) this.ready.push(i);
    }
  }

  know(column: number): void {
    this.known[column] = 1;
    for (let e = this.rowsOf.starts[column]!; e < this.rowsOf.starts[column + 1]!; e++) {
      const row = this.rowsOf.targets[e]!;
      if (--this.missing[row]! === 1) this.ready.push(row);
    }
  }

  /** Takes every unknown that some row determines. */
  propagate(): void {
    for (let row = this.ready.pop(); row !== undefined; row = this.ready.pop()) {
      if (this.used[row] || this.missing[row] !== 1) continue;
      const e = this.remaining(row, -1);
      if (!this.solvable[e]) continue;
      const column = this.graph.targets[e]!;
      this.used[row] = 1;
      this.inner.push({ row, column });
      this.know(column);
    }
  }

  /** The best unknown to guess: frees most rows, then occurs in most open rows; -1 when all are known. */
  choose(): number {
    let best = -1;
    let bestFreed = -1;
    let bestOpen = -1;
    for (let j = 0; j < this.graph.columns; j++) {
      if (this.known[j]) continue;
      let freed = 0;
      let openRows = 0;
      for (let e = this.rowsOf.starts[j]!; e < this.rowsOf.starts[j + 1]!; e++) {
        const row = this.rowsOf.targets[e]!;
        if (this.used[row]) continue;
        openRows++;
        if (this.missing[row] === 2 && this.solvable[this.remaining(row, j)]) freed++;
      }
      if (this.guarded[j]) freed -= this.graph.rows + 1;
      if (best !== -1 && (freed < bestFreed || (freed === bestFreed && openRows <= bestOpen))) continue;
      best = j;
      bestFreed = freed;
      bestOpen = openRows;
    }
    return best;
  }

  /** The edge of the row to its one unknown column other than `except`. */
  private remaining(row: number, except: number): number {
    for (let e = this.graph.starts[row]!; e < this.graph.starts[row + 1]!; e++) {
      const column = this.graph.targets[e]!;
      if (!this.known[column] && column !== except) return e;
    }
    return -1;
  }
}
