/**
 * How good a choice of dependent columns is, asked after every step: as `chooseDependent` finds it, for other values of the same entries, without allocations. Only small
 * matrices, which are eliminated densely there, are judged so.
 *
 * Columns that must not be states are dependent whatever the values are, if rows of constants determine them, as `dx = x[2] - x[1]` does. They are eliminated once and for
 * all: with them, determinants of all choices have a constant factor more. `terms` say what is left: entry k, times a factor, is added to an element of the matrix.
 */
import { denseLimit, negligible, tolerable, weightClass } from './pivot.ts';

/** An entry of a row; its value where that is a constant. */
export interface JudgedEntry {
  readonly column: number;
  readonly constant: number | undefined;
}

/** Below this class, columns are dependent wherever that is possible. */
const CHOSEN = 2;

export class PivotJudge {
  private readonly m: number;
  private readonly n: number;
  /** By row, where its entries begin and end. */
  private readonly from: Int32Array;
  private readonly to: Int32Array;
  /** By row, where its terms begin; of each term the entry, the element and the factor. */
  private readonly termsFrom: Int32Array;
  private readonly entries: Int32Array;
  private readonly elements: Int32Array;
  private readonly factors: Float64Array;
  private readonly weights: Float64Array;
  private readonly classes: Uint8Array;
  private readonly current: Int32Array;
  /** By row and column: the matrix with its rows scaled, and what elimination leaves of it. */
  private readonly scaled: Float64Array;
  private readonly a: Float64Array;
  /** By row: columns in which it may have something, how many they are, and which. */
  private readonly lists: Int32Array;
  private readonly counts: Int32Array;
  private readonly listed: Uint8Array;
  /** Rows in the order of their pivots. */
  private readonly order: Int32Array;
  private readonly taken: Uint8Array;
  private readonly size: Float64Array;
  private readonly at: Int32Array;
  private readonly best = new Float64Array(4);
  /** The square matrix of the choice. */
  private readonly square: Float64Array;

  /** `undefined` where the matrix is too large. */
  static of(
    rows: readonly (readonly JudgedEntry[])[],
    weights: readonly number[],
    current: readonly number[],
  ): PivotJudge | undefined {
    return rows.length * weights.length <= denseLimit ? new PivotJudge(rows, weights, current) : undefined;
  }

  private constructor(
    rows: readonly (readonly JudgedEntry[])[],
    weights: readonly number[],
    current: readonly number[],
  ) {
    const fixed = fixedColumns(rows, weights, current);
    const left = [...weights.keys()].filter((column) => !fixed.columns.has(column));
    const open = [...rows.keys()].filter((row) => !fixed.rows.has(row));
    const [m, n] = [open.length, left.length];
    this.m = m;
    this.n = n;
    const starts = [0];
    for (const row of rows) starts.push(starts.at(-1)! + row.length);
    this.from = Int32Array.from(open, (row) => starts[row]!);
    this.to = Int32Array.from(open, (row) => starts[row + 1]!);
    const terms = open.map((row, i) =>
      rows[row]!.flatMap(({ column }, k) => {
        const pivots = fixed.columns.get(column);
        const term = (place: number, factor: number) => ({
          entry: starts[row]! + k,
          element: i * n + place,
          factor,
        });
        if (!pivots) return [term(left.indexOf(column), 1)];
        return left.flatMap((other, place) => (pivots[other] ? [term(place, -pivots[other])] : []));
      }),
    );
    this.termsFrom = Int32Array.from([0, ...terms.map(({ length }) => length)]);
    for (let i = 0; i < m; i++) this.termsFrom[i + 1]! += this.termsFrom[i]!;
    this.entries = Int32Array.from(terms.flat(), ({ entry }) => entry);
    this.elements = Int32Array.from(terms.flat(), ({ element }) => element);
    this.factors = Float64Array.from(terms.flat(), ({ factor }) => factor);
    this.weights = Float64Array.from(left, (column) => weights[column]!);
    this.classes = Uint8Array.from(this.weights, weightClass);
    this.current = Int32Array.from(
      current.filter((column) => !fixed.columns.has(column)),
      (column) => left.indexOf(column),
    );
    this.scaled = new Float64Array(m * n);
    this.a = new Float64Array(m * n);
    this.lists = new Int32Array(m * n);
    this.counts = new Int32Array(m);
    this.listed = new Uint8Array(m * n);
    this.order = new Int32Array(m);
    this.taken = new Uint8Array(n);
    this.size = new Float64Array(n);
    this.at = new Int32Array(n);
    this.square = new Float64Array(m * m);
  }

  /** |det| of the choice relative to that of the best one, for values of the entries, row by row. */
  quality(values: Float64Array): number {
    this.begin(values);
    const { m, n, a, order, taken, current } = this;
    let best = 0;
    for (let rank = 0; rank < m; rank++) {
      const column = this.findPivot(rank);
      // Where the matrix is singular, no choice is better.
      if (column === -1) return 1;
      const place = this.at[column]!;
      const row = order[place]!;
      order[place] = order[rank]!;
      order[rank] = row;
      taken[column] = 1;
      best += Math.log(Math.abs(a[row * n + column]!));
      for (let i = rank + 1; i < m; i++) this.eliminate(order[i]!, row, column);
    }
    let isBest = current.length === m;
    for (let k = 0; k < current.length && isBest; k++) isBest = taken[current[k]!] === 1;
    return isBest ? 1 : Math.exp(this.logDeterminant() - best);
  }

  private begin(values: Float64Array): void {
    const { m, n, from, to, termsFrom, entries, elements, factors, scaled, lists, counts, listed } = this;
    this.taken.fill(0);
    scaled.fill(0);
    listed.fill(0);
    for (let i = 0; i < m; i++) {
      this.order[i] = i;
      let largest = 0;
      for (let k = from[i]!; k < to[i]!; k++) largest = Math.max(largest, Math.abs(values[k]!));
      let count = 0;
      for (let k = termsFrom[i]!; k < termsFrom[i + 1]! && largest !== 0; k++) {
        const at = elements[k]!;
        scaled[at] = scaled[at]! + (factors[k]! * values[entries[k]!]!) / largest;
        if (listed[at] === 1) continue;
        listed[at] = 1;
        lists[i * n + count++] = at - i * n;
      }
      counts[i] = count;
    }
    this.a.set(scaled);
  }

  /** As in `pivot.ts`. */
  private findPivot(rank: number): number {
    const { m, n, a, lists, counts, order, taken, size, at, classes, weights, best } = this;
    size.fill(0);
    for (let i = rank; i < m; i++) {
      const row = order[i]! * n;
      for (let k = row; k < row + counts[order[i]!]!; k++) {
        const j = lists[k]!;
        const magnitude = Math.abs(a[row + j]!);
        if (magnitude <= size[j]! || taken[j] === 1) continue;
        size[j] = magnitude;
        at[j] = i;
      }
    }
    best.fill(0);
    for (let j = 0; j < n; j++) if (size[j]! > best[classes[j]!]!) best[classes[j]!] = size[j]!;
    let lowest = 0;
    while (lowest < best.length && !(best[lowest]! > negligible)) lowest++;
    if (lowest === best.length) return -1;
    let column = -1;
    for (let j = 0; j < n; j++) {
      if (taken[j] === 1 || classes[j] !== lowest || size[j]! < tolerable * best[lowest]!) continue;
      if (column === -1 || weights[j]! < weights[column]!) column = j;
      else if (weights[j] === weights[column] && size[j]! >= size[column]! * (1 - 1e-9)) column = j;
    }
    return column;
  }

  private eliminate(target: number, source: number, column: number): void {
    const { n, a, lists, counts, listed } = this;
    const [t, s] = [target * n, source * n];
    const factor = a[t + column]! / a[s + column]!;
    if (factor === 0) return;
    for (let k = s; k < s + counts[source]!; k++) {
      const j = lists[k]!;
      if (listed[t + j] === 0) {
        listed[t + j] = 1;
        lists[t + counts[target]!] = j;
        counts[target] = counts[target]! + 1;
      }
      a[t + j] = a[t + j]! - factor * a[s + j]!;
    }
    a[t + column] = 0;
  }

  /** log |det| of the choice, with partial pivoting. */
  private logDeterminant(): number {
    const { m, n, scaled, square, current } = this;
    if (current.length !== m) return Number.NEGATIVE_INFINITY;
    for (let i = 0; i < m; i++) for (let k = 0; k < m; k++) square[i * m + k] = scaled[i * n + current[k]!]!;
    let sum = 0;
    for (let k = 0; k < m; k++) {
      let row = k;
      for (let i = k + 1; i < m; i++)
        if (Math.abs(square[i * m + k]!) > Math.abs(square[row * m + k]!)) row = i;
      const pivot = square[row * m + k]!;
      if (pivot === 0) return Number.NEGATIVE_INFINITY;
      sum += Math.log(Math.abs(pivot));
      for (let j = k; j < m && row !== k; j++) {
        const value = square[row * m + j]!;
        square[row * m + j] = square[k * m + j]!;
        square[k * m + j] = value;
      }
      for (let i = k + 1; i < m; i++) {
        const factor = square[i * m + k]! / pivot;
        for (let j = k + 1; j < m && factor !== 0; j++)
          square[i * m + j] = square[i * m + j]! - factor * square[k * m + j]!;
      }
    }
    return sum;
  }
}

/** Columns that rows of constants determine, and those rows. */
interface Fixed {
  readonly rows: ReadonlySet<number>;
  /** By column: the row that determines it, solved for it and for all others of them; its own coefficient is 1. */
  readonly columns: ReadonlyMap<number, Float64Array>;
}

/** All columns that are never chosen as states, or none: where constants do not determine all of them, it depends on values which are dependent. */
function fixedColumns(
  rows: readonly (readonly JudgedEntry[])[],
  weights: readonly number[],
  current: readonly number[],
): Fixed {
  const columns = new Map<number, Float64Array>();
  const used = new Set<number>();
  const never = weights.flatMap((weight, column) => (weightClass(weight) < CHOSEN ? [column] : []));
  for (const [i, row] of rows.entries()) {
    if (never.length === 0 || row.some(({ constant }) => constant === undefined)) continue;
    const own = new Float64Array(weights.length);
    for (const { column, constant } of row) own[column]! += constant!;
    for (const [column, pivots] of columns) subtract(own, pivots, own[column]!);
    let [pivot, largest] = [-1, 0];
    for (const { column } of row) largest = Math.max(largest, Math.abs(own[column]!));
    for (const column of never)
      if (!columns.has(column) && Math.abs(own[column]!) > Math.abs(own[pivot] ?? 0)) pivot = column;
    if (pivot < 0 || Math.abs(own[pivot]!) < stable * largest || !current.includes(pivot)) continue;
    const scale = 1 / own[pivot]!;
    for (let j = 0; j < own.length; j++) own[j]! *= scale;
    for (const pivots of columns.values()) subtract(pivots, own, pivots[pivot]!);
    columns.set(pivot, own);
    used.add(i);
  }
  return columns.size === never.length ? { rows: used, columns } : { rows: new Set(), columns: new Map() };
}

/** A pivot among constants is at least this share of its row. */
const stable = 0.1;

function subtract(from: Float64Array, what: Float64Array, factor: number): void {
  if (factor === 0) return;
  for (let j = 0; j < from.length; j++) from[j]! -= factor * what[j]!;
}
