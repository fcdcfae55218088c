/**
 * What of the constraints of a stage can be decided without looking at values that change, so that only a core is left in which states are chosen by them.
 *
 * Two rules, applied until neither fits. A row with a single column left: that column is dependent, whatever is chosen elsewhere. A column that stands in a single row
 * left, with a constant coefficient, and that no other column of the row is less wanted as a state than: it is dependent. For suppose that it were not. Then
 * it could take the place of a dependent column of its row, with which it stands in a circuit, and states would be as wanted as before; and the determinant is that of
 * the rest times the constant, so it vanishes for no other values. Of two columns that fit the less wanted one is taken first, of equals the last.
 *
 * Rows and columns are numbers; each is looked at when the rules may have begun to fit it.
 */
import { Ties } from '../collections/forest.ts';
import { popHeap, pushHeap } from '../collections/heap.ts';
import { remember } from '../collections/memo.ts';

/** Where a column stands in a row, with whatever the coefficient is. */
export interface PeelEntry<T> {
  readonly column: number;
  readonly value: T;
}

export interface Peeled {
  readonly dependent: readonly number[];
  /** Rows and columns of each connected part that is left, increasing; columns that stand in none of its rows are states. */
  readonly cores: readonly { readonly rows: readonly number[]; readonly columns: readonly number[] }[];
}

export function peel<T>(
  rows: readonly (readonly PeelEntry<T>[])[],
  weights: readonly number[],
  isPivot: (value: T) => boolean,
): Peeled {
  const peeling = new Peeling(rows, weights, isPivot);
  peeling.run();
  return { dependent: peeling.dependent, cores: peeling.cores() };
}

class Peeling<T> {
  readonly dependent: number[] = [];
  /** Rows of each column, and how many of them are left. */
  private readonly rowsOf: number[][];
  private readonly count: Int32Array;
  /** How many columns of each row are left, and the first of them in its list by weight. */
  private readonly width: Int32Array;
  private readonly head: Int32Array;
  private readonly sorted: readonly (readonly PeelEntry<T>[])[];
  private readonly done: Uint8Array;
  private readonly gone: Uint8Array;
  /** Columns in the order in which they are taken, and the place of each in it; places of those that may fit; rows with a single column. */
  private readonly order: readonly number[];
  private readonly rank: Int32Array;
  private readonly due: number[] = [];
  private readonly forced: number[] = [];

  constructor(
    private readonly rows: readonly (readonly PeelEntry<T>[])[],
    private readonly weights: readonly number[],
    private readonly isPivot: (value: T) => boolean,
  ) {
    this.rowsOf = weights.map(() => []);
    rows.forEach((row, i) => {
      for (const { column } of row) this.rowsOf[column]!.push(i);
    });
    this.count = Int32Array.from(this.rowsOf, (list) => list.length);
    this.width = Int32Array.from(rows, (row) => row.length);
    this.head = new Int32Array(rows.length);
    this.done = new Uint8Array(rows.length);
    this.gone = new Uint8Array(weights.length);
    this.order = weights.map((_, k) => k).sort((p, q) => weights[p]! - weights[q]! || q - p);
    this.rank = new Int32Array(weights.length);
    this.order.forEach((column, place) => {
      this.rank[column] = place;
    });
    this.sorted = rows.map((row) => [...row].sort((p, q) => this.rank[p.column]! - this.rank[q.column]!));
  }

  run(): void {
    const { count, width, forced, due, rank } = this;
    for (let k = 0; k < count.length; k++) if (count[k] === 1) pushHeap(due, rank[k]!);
    for (let i = 0; i < width.length; i++) if (width[i] === 1) forced.push(i);
    for (;;) {
      const row = forced.pop();
      if (row !== undefined) {
        if (!this.done[row] && width[row] === 1) this.take(row, this.least(row)!.column);
        continue;
      }
      const place = popHeap(due);
      if (place === undefined) return;
      this.consider(this.order[place]!);
    }
  }

  /** The connected parts of what is left. */
  cores(): { rows: number[]; columns: number[] }[] {
    const ties = new Ties();
    const open = (row: number) => this.rows[row]!.filter(({ column }) => !this.gone[column]);
    const left = this.rows.map((_, i) => i).filter((i) => !this.done[i] && this.width[i]! > 0);
    for (const i of left) {
      const [first, ...others] = open(i);
      for (const { column } of others) ties.tie(column, first!.column);
    }
    const parts = new Map<number, { rows: number[]; columns: number[] }>();
    const partOf = (column: number) => remember(parts, ties.root(column), () => ({ rows: [], columns: [] }));
    for (let k = 0; k < this.gone.length; k++) {
      if (!this.gone[k] && this.count[k]! > 0) partOf(k).columns.push(k);
    }
    for (const i of left) partOf(open(i)[0]!.column).rows.push(i);
    return [...parts.values()];
  }

  /** A column in one row: does it fit? */
  private consider(column: number): void {
    if (this.gone[column] || this.count[column] !== 1) return;
    const row = this.rowsOf[column]!.find((i) => !this.done[i])!;
    if (this.weights[column]! > this.weights[this.least(row)!.column]!) return;
    const { value } = this.rows[row]!.find((entry) => entry.column === column)!;
    if (this.isPivot(value)) this.take(row, column);
  }

  /** The column of a row that is wanted least as a state. */
  private least(row: number): PeelEntry<T> | undefined {
    const list = this.sorted[row]!;
    while (this.head[row]! < list.length && this.gone[list[this.head[row]!]!.column]) this.head[row]!++;
    return list[this.head[row]!];
  }

  private take(row: number, column: number): void {
    this.dependent.push(column);
    this.done[row] = 1;
    this.gone[column] = 1;
    for (const entry of this.rows[row]!) {
      if (--this.count[entry.column]! === 1 && !this.gone[entry.column])
        pushHeap(this.due, this.rank[entry.column]!);
    }
    for (const other of this.rowsOf[column]!) if (!this.done[other]) this.shorten(other, column);
  }

  /** A row loses a column; where that was the least wanted one, others may fit now. */
  private shorten(row: number, column: number): void {
    if (--this.width[row]! === 1) this.forced.push(row);
    const next = this.least(row);
    if (!next || this.weights[next.column] === this.weights[column]) return;
    for (const entry of this.rows[row]!) {
      if (!this.gone[entry.column] && this.count[entry.column] === 1)
        pushHeap(this.due, this.rank[entry.column]!);
    }
  }
}
