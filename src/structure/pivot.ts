/**
 * Which columns of a constraint Jacobian become dependent: as many as there are rows, with a regular square
 * submatrix, so that the columns left over, the states, are those with the largest weights.
 *
 * Weights fall into *classes* that are never mixed (`weightClass`): columns of a lower class are taken as
 * long as they add rank. Within a class a column is taken when its pivot is not much smaller than the best
 * one (`tolerable`), the least weight first and then the largest pivot; of equals the last, so that what was
 * declared first stays a state. Rows are scaled to largest entry 1. Small matrices are eliminated densely
 * with full pivoting, large sparse ones column by column (left-looking LU).
 */
import { popHeap, pushHeap } from '../collections/heap.ts';

/** Preference of a variable as a state. Tens are classes or steps; ones break ties among derivatives. */
export const stateWeights = {
  never: 0,
  introduced: 10,
  avoid: 20,
  default: 30,
  prefer: 40,
  always: 50,
} as const;

export interface PivotChoice {
  /** Columns of the dependent variables, increasing; fewer than rows where the matrix is singular. */
  readonly dependent: readonly number[];
  /** |det| of the current choice relative to that of `dependent`; 1 without a current choice. */
  readonly quality: number;
}

/**
 * Chooses for the values of a Jacobian by rows. `current` is the choice in force: a quality well below 1 says
 * that it has become worse than what would be chosen now, 0 that it is singular. It is increasing, as what is chosen.
 */
export function chooseDependent(
  rows: readonly (readonly PivotEntry[])[],
  weights: ArrayLike<number>,
  current?: readonly number[],
): PivotChoice {
  const dependent = chooseColumns(rows, weights);
  if (!current || isSame(current, dependent)) return { dependent, quality: 1 };
  const columns = columnsOf(rows, weights.length);
  const best = logDeterminant(columns, rows.length, dependent);
  const own = logDeterminant(columns, rows.length, current);
  if (best === Number.NEGATIVE_INFINITY) return { dependent, quality: 1 };
  return { dependent, quality: Math.exp(own - best) };
}

const isSame = (a: readonly number[], b: readonly number[]): boolean =>
  a.length === b.length && a.every((column, k) => column === b[k]);

export interface PivotEntry {
  readonly column: number;
  readonly value: number;
}

/** As many columns as there are rows, or fewer where these are dependent; increasing. */
export function chooseColumns(
  rows: readonly (readonly PivotEntry[])[],
  weights: ArrayLike<number>,
): number[] {
  const scaled = rows.map(scale);
  const chosen =
    rows.length * weights.length <= denseLimit ? chooseDense(scaled, weights) : chooseSparse(scaled, weights);
  return chosen.sort((a, b) => a - b);
}

/** Entries of a dense matrix up to which elimination is dense. */
export const denseLimit = 6000;
/** A pivot below this, in rows scaled to 1, counts as zero. */
export const negligible = 1e-10;
/** How much smaller than the best pivot of its class that of a less wanted state may be. */
export const tolerable = 1e-3;

export function weightClass(weight: number): number {
  if (weight < stateWeights.introduced) return 0;
  if (weight < stateWeights.avoid) return 1;
  return weight < stateWeights.always ? 2 : 3;
}

function scale(row: readonly PivotEntry[]): PivotEntry[] {
  let largest = 0;
  for (const { value } of row) largest = Math.max(largest, Math.abs(value));
  if (largest === 0) return [];
  return row.map(({ column, value }) => ({ column, value: value / largest }));
}

/** A row of a matrix, with the columns in which it may have something. */
interface DenseRow {
  readonly values: Float64Array;
  readonly columns: number[];
}

function chooseDense(rows: readonly (readonly PivotEntry[])[], weights: ArrayLike<number>): number[] {
  const n = weights.length;
  const classes = Uint8Array.from(weights, weightClass);
  const a = rows.map((row): DenseRow => {
    const values = new Float64Array(n);
    for (const { column, value } of row) values[column] = value;
    return { values, columns: row.map(({ column }) => column) };
  });
  const chosen: number[] = [];
  const found = { taken: new Uint8Array(n), size: new Float64Array(n), at: new Int32Array(n) };
  for (let rank = 0; rank < a.length; rank++) {
    const column = findPivot(a, rank, weights, classes, found);
    if (column === -1) break;
    const row = found.at[column]!;
    [a[rank], a[row]] = [a[row]!, a[rank]!];
    found.taken[column] = 1;
    chosen.push(column);
    for (let i = rank + 1; i < a.length; i++) eliminate(a[i]!, a[rank]!, column);
  }
  return chosen;
}

function eliminate(target: DenseRow, source: DenseRow, column: number): void {
  const { values, columns } = target;
  const factor = values[column]! / source.values[column]!;
  if (factor === 0) return;
  for (const j of source.columns) {
    // One that has become zero by cancellation is there twice, which does no harm.
    if (values[j] === 0) columns.push(j);
    values[j]! -= factor * source.values[j]!;
  }
  values[column] = 0;
}

/** By column: whether it is taken, its largest entry among rows without pivot, and the row of that. */
interface Found {
  readonly taken: Uint8Array;
  readonly size: Float64Array;
  readonly at: Int32Array;
}

/** The column of the next pivot, which is in the row `at` it, among rows from `rank` on: of the lowest class that has one, by the rules above; -1 where none has. */
function findPivot(
  a: readonly DenseRow[],
  rank: number,
  weights: ArrayLike<number>,
  classes: Uint8Array,
  { taken, size, at }: Found,
): number {
  size.fill(0);
  for (let i = rank; i < a.length; i++) {
    const { values, columns } = a[i]!;
    for (let k = 0; k < columns.length; k++) {
      const j = columns[k]!;
      const magnitude = Math.abs(values[j]!);
      if (magnitude <= size[j]! || taken[j]) continue;
      size[j] = magnitude;
      at[j] = i;
    }
  }
  const best = [0, 0, 0, 0];
  for (let j = 0; j < size.length; j++) {
    const k = classes[j]!;
    best[k] = Math.max(best[k]!, size[j]!);
  }
  const lowest = best.findIndex((value) => value > negligible);
  if (lowest === -1) return -1;
  let column = -1;
  for (let j = 0; j < size.length; j++) {
    if (taken[j] || classes[j] !== lowest || size[j]! < tolerable * best[lowest]!) continue;
    if (column === -1 || weights[j]! < weights[column]!) column = j;
    else if (weights[j] === weights[column] && size[j]! >= size[column]! * (1 - 1e-9)) column = j;
  }
  return column;
}

/**
 * Class by class, column by column in order of weight, last column first; a column joins when what earlier pivots leave of it
 * is large enough.
 */
function chooseSparse(rows: readonly (readonly PivotEntry[])[], weights: ArrayLike<number>): number[] {
  const columns = columnsOf(rows, weights.length);
  const order = columns.map((_, j) => j).sort((p, q) => weights[p]! - weights[q]! || q - p);
  const factors = new Factors(rows.length);
  const chosen: number[] = [];
  for (const group of [0, 1, 2, 3]) {
    let open = order.filter((j) => weightClass(weights[j]!) === group);
    for (const threshold of [0.01, negligible]) {
      const refused: number[] = [];
      for (const j of open) {
        if (chosen.length < rows.length && factors.add(columns[j]!, threshold)) chosen.push(j);
        else refused.push(j);
      }
      open = refused;
    }
  }
  return chosen;
}

/** The transpose: entries of each column, by rows. */
function columnsOf(rows: readonly (readonly PivotEntry[])[], count: number): PivotEntry[][] {
  const columns: PivotEntry[][] = Array.from({ length: count }, () => []);
  rows.forEach((row, i) => {
    for (const { column, value } of row) if (value !== 0) columns[column]!.push({ column: i, value });
  });
  return columns;
}

/**
 * The L of a growing LU factorisation: pivot k has a row and multipliers for rows without pivot at its time.
 */
class Factors {
  private readonly pivotOf: Int32Array;
  private readonly multipliers: PivotEntry[][] = [];
  private readonly pivotRows: number[] = [];
  /** log |det| of the pivots. */
  logSize = 0;

  constructor(rows: number) {
    this.pivotOf = new Int32Array(rows).fill(-1);
  }

  add(column: readonly PivotEntry[], threshold: number): boolean {
    const x = new Map<number, number>();
    const due: number[] = [];
    for (const { column: row, value } of column) {
      x.set(row, value);
      if (this.pivotOf[row] !== -1) pushHeap(due, this.pivotOf[row]!);
    }
    for (let k = popHeap(due); k !== undefined; k = popHeap(due)) {
      const value = x.get(this.pivotRows[k]!)!;
      for (const { column: row, value: factor } of this.multipliers[k]!) {
        if (!x.has(row) && this.pivotOf[row] !== -1) pushHeap(due, this.pivotOf[row]!);
        x.set(row, (x.get(row) ?? 0) - factor * value);
      }
    }
    return this.accept(x, threshold);
  }

  private accept(x: ReadonlyMap<number, number>, threshold: number): boolean {
    let pivotRow = -1;
    let pivot = 0;
    for (const [row, value] of x) {
      if (this.pivotOf[row] !== -1 || Math.abs(value) <= Math.abs(pivot)) continue;
      pivotRow = row;
      pivot = value;
    }
    if (Math.abs(pivot) <= threshold) return false;
    const multipliers: PivotEntry[] = [];
    for (const [row, value] of x) {
      if (row === pivotRow || this.pivotOf[row] !== -1 || value === 0) continue;
      multipliers.push({ column: row, value: value / pivot });
    }
    this.logSize += Math.log(Math.abs(pivot));
    this.pivotOf[pivotRow] = this.pivotRows.length;
    this.pivotRows.push(pivotRow);
    this.multipliers.push(multipliers);
    return true;
  }
}

/** log |det| of some columns of a matrix; minus infinity where they are singular. */
function logDeterminant(
  columns: readonly (readonly PivotEntry[])[],
  rows: number,
  chosen: readonly number[],
): number {
  if (chosen.length !== rows) return Number.NEGATIVE_INFINITY;
  const factors = new Factors(rows);
  const order = [...chosen].sort((p, q) => columns[p]!.length - columns[q]!.length || p - q);
  for (const j of order) if (!factors.add(columns[j]!, 0)) return Number.NEGATIVE_INFINITY;
  return factors.logSize;
}
