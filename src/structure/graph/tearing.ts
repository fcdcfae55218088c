/**
 * Tearing: which unknowns of a block to guess so that the others follow one after the other.
 *
 * The greedy method of Cellier and Kofman (Continuous System Simulation, chapter 7): whatever one equation
 * determines is taken from it; when nothing is left to take, an unknown is guessed. They guess the one that lets most equations go on;
 * here it is the one from which most unknowns follow to the end, which takes half the guesses in a bridge of diodes. Equations whose unknowns are all
 * known are residuals. An equation may only give an unknown that it is marked `solvable` for, so that no choice can divide by zero.
 *
 * Where each unknown follows from two before it, as in `x[i+1] = 3*x[i] - x[i-1]`, rounding errors of the guess multiply from one to the next. So
 * such chains are short: after some links something else is guessed, and the residuals tie the pieces together.
 *
 * In a large block the residuals have to stay sparse: no unknown may follow from more than a few guesses. What is guessed then is what stands in most rows,
 * as the potentials of a circuit do; looking for the best guess would take time that grows with the square of the block.
 */
import { popHeap, pushHeap } from '../../collections/heap.ts';
import { type Incidence, transpose } from '../../collections/incidence.ts';

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
 * values) are guessed only where nothing else is left. The graph is square; with more than `largest` rows it counts as large.
 */
export function tear(
  graph: Incidence,
  solvable: Uint8Array,
  guarded: Uint8Array = new Uint8Array(graph.columns),
  largest = Number.POSITIVE_INFINITY,
): Tearing {
  const torn = new (graph.rows > largest ? SparselyTorn : Torn)(graph, solvable, guarded);
  const tears: number[] = [];
  torn.propagate();
  for (let column = torn.choose(); column !== -1; column = torn.choose()) {
    tears.push(column);
    torn.guess(column);
    torn.propagate();
  }
  const residuals: number[] = [];
  for (let i = 0; i < graph.rows; i++) if (!torn.used[i]) residuals.push(i);
  return { tears, residuals, inner: torn.inner };
}

/** Links of a chain in which each follows from several unknowns. */
const longestChain = 4;

/** In a large block chains are shorter, with so many links of any kind, and an unknown follows from so many guesses at most. */
const longestSparseChain = 1;
const mostLinks = 4;
const mostGuesses = 6;

class Torn {
  readonly inner: { row: number; column: number }[] = [];
  readonly used: Uint8Array;
  /** How long chains may be. */
  protected readonly longest: number = longestChain;
  protected readonly rowsOf: Incidence;
  protected readonly known: Uint8Array;
  /** How many links lead from guesses to a known column. */
  private readonly depth: Int32Array;
  /** How many columns of each row are not known yet. */
  protected readonly missing: Int32Array;
  /** Rows that may have become ready. */
  private readonly ready: number[] = [];
  /** What follows from a guess: columns, and the rows that give them. */
  private readonly found: Int32Array;
  private readonly taken: Int32Array;

  constructor(
    protected readonly graph: Incidence,
    private readonly solvable: Uint8Array,
    protected readonly guarded: Uint8Array,
  ) {
    this.rowsOf = transpose(graph);
    this.used = new Uint8Array(graph.rows);
    this.known = new Uint8Array(graph.columns);
    this.depth = new Int32Array(graph.columns);
    this.missing = new Int32Array(graph.rows);
    this.found = new Int32Array(graph.columns);
    this.taken = new Int32Array(graph.rows);
    for (let i = 0; i < graph.rows; i++) {
      this.missing[i] = graph.starts[i + 1]! - graph.starts[i]!;
      if (this.missing[i] === 1) this.ready.push(i);
    }
  }

  guess(column: number): void {
    this.depth[column] = 0;
    this.know(column);
  }

  private know(column: number): void {
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
      const e = this.remaining(row);
      if (!this.solvable[e]) continue;
      const column = this.graph.targets[e]!;
      if (!this.admits(row, column)) continue;
      this.used[row] = 1;
      this.inner.push({ row, column });
      this.know(column);
    }
  }

  /** Whether a row may give a column; takes note of what it then follows from. */
  protected admits(row: number, column: number): boolean {
    const depth = this.depthBehind(row, column);
    if (depth > this.longest) return false;
    this.depth[column] = depth;
    return true;
  }

  /**
   * The best unknown to guess: that from which most others follow, then that which frees most rows, then that in most open rows; -1 when all
   * are known.
   */
  choose(): number {
    let best = -1;
    let bestGain = -1;
    let bestFreed = -1;
    let bestOpen = -1;
    for (let j = 0; j < this.graph.columns; j++) {
      if (this.known[j]) continue;
      const gain = this.consequences(j) - (this.guarded[j] ? this.graph.rows + 1 : 0);
      if (best !== -1 && gain < bestGain) continue;
      let freed = 0;
      let open = 0;
      for (let e = this.rowsOf.starts[j]!; e < this.rowsOf.starts[j + 1]!; e++) {
        const row = this.rowsOf.targets[e]!;
        if (this.used[row]) continue;
        open++;
        if (this.missing[row] === 2 && this.solvable[this.remaining(row, j)]) freed++;
      }
      const isBetter = gain > bestGain || freed > bestFreed || (freed === bestFreed && open > bestOpen);
      if (best !== -1 && !isBetter) continue;
      best = j;
      bestGain = gain;
      bestFreed = freed;
      bestOpen = open;
    }
    return best;
  }

  /** How many unknowns follow one after the other from a guess of this one. */
  private consequences(column: number): number {
    const { found, taken, known, missing, used } = this;
    const { starts, targets } = this.rowsOf;
    let count = 0;
    found[0] = column;
    known[column] = 1;
    this.depth[column] = 0;
    for (let n = 0; n <= count; n++) {
      for (let e = starts[found[n]!]!; e < starts[found[n]! + 1]!; e++) {
        const row = targets[e]!;
        if (--missing[row]! !== 1 || used[row]) continue;
        const edge = this.remaining(row);
        if (edge === -1 || !this.solvable[edge]) continue;
        const next = this.graph.targets[edge]!;
        const depth = this.depthBehind(row, next);
        if (depth > this.longest) continue;
        this.depth[next] = depth;
        used[row] = 1;
        known[next] = 1;
        taken[count++] = row;
        found[count] = next;
      }
    }
    for (let n = 0; n < count; n++) used[taken[n]!] = 0;
    for (let n = 0; n <= count; n++) {
      known[found[n]!] = 0;
      for (let e = starts[found[n]!]!; e < starts[found[n]! + 1]!; e++) missing[targets[e]!]!++;
    }
    return count;
  }

  /** The links that lead to a column which a row gives. */
  private depthBehind(row: number, column: number): number {
    const { starts, targets } = this.graph;
    let deepest = 0;
    for (let e = starts[row]!; e < starts[row + 1]!; e++)
      if (targets[e] !== column) deepest = Math.max(deepest, this.depth[targets[e]!]!);
    return starts[row + 1]! - starts[row]! > 2 ? deepest + 1 : deepest;
  }

  /** The edge of the row to its one unknown column other than `except`; -1 where there is none. */
  private remaining(row: number, except = -1): number {
    for (let e = this.graph.starts[row]!; e < this.graph.starts[row + 1]!; e++) {
      const column = this.graph.targets[e]!;
      if (!this.known[column] && column !== except) return e;
    }
    return -1;
  }
}

class SparselyTorn extends Torn {
  protected override readonly longest = longestSparseChain;
  /** By known column: how many links of any kind lead to it. */
  private readonly links: number[] = [];
  /** By known column: the guesses that it follows from. */
  private readonly behind: (readonly number[])[] = [];
  /** Columns that may be guessed, by what speaks for them: the larger, the earlier they come. */
  private readonly queue: number[] = [];
  private isFilled = false;

  override guess(column: number): void {
    this.behind[column] = [column];
    this.links[column] = 0;
    super.guess(column);
  }

  protected override admits(row: number, column: number): boolean {
    const guesses = new Set<number>();
    let links = 1;
    for (let e = this.graph.starts[row]!; e < this.graph.starts[row + 1]!; e++) {
      const other = this.graph.targets[e]!;
      if (other === column) continue;
      for (const guess of this.behind[other]!) guesses.add(guess);
      links = Math.max(links, this.links[other]! + 1);
    }
    if (links > mostLinks || guesses.size > mostGuesses || !super.admits(row, column)) return false;
    this.behind[column] = [...guesses];
    this.links[column] = links;
    return true;
  }

  /** The unknown that stands in most open rows. Numbers of rows only fall, so those in the queue are bounds. */
  override choose(): number {
    if (!this.isFilled) for (let j = 0; j < this.graph.columns; j++) this.enqueue(j);
    this.isFilled = true;
    for (let key = popHeap(this.queue); key !== undefined; key = popHeap(this.queue)) {
      const j = key % this.graph.columns;
      if (this.known[j]) continue;
      if (this.keyOf(j) === key) return j;
      this.enqueue(j);
    }
    return -1;
  }

  private enqueue(j: number): void {
    if (!this.known[j]) pushHeap(this.queue, this.keyOf(j));
  }

  private keyOf(j: number): number {
    const { starts, targets } = this.rowsOf;
    const { rows, columns } = this.graph;
    let open = 0;
    for (let e = starts[j]!; e < starts[j + 1]!; e++) if (!this.used[targets[e]!]) open++;
    return ((this.guarded[j] ? rows + 1 : 0) + rows - open) * columns + j;
  }
}
