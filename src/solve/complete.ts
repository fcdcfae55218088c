/**
 * Gaussian elimination with complete pivoting, for square matrices that may be singular: it finds the rank, and what the null spaces on both sides are (G. H. Golub, C. F. Van Loan:
 * Matrix Computations, section 3.4). Matrices are dense, row by row. Columns and rows are scaled by their largest elements first, so that units do not decide.
 */

/** Pivots below this share of the first one count as zero. */
const negligible = 1e-12;

export interface Elimination {
  readonly rank: number;
  /** Columns x with A x = 0, one for each that the rank lacks. */
  readonly right: () => Float64Array[];
  /** Rows w with w A = 0. */
  readonly left: () => Float64Array[];
}

export function eliminate(n: number, matrix: Float64Array): Elimination {
  const lu = matrix.slice();
  const scale = scaleColumns(n, lu);
  for (let i = 0; i < n; i++) {
    const row = lu.subarray(i * n, (i + 1) * n);
    const size = row.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    if (size > 0) for (let j = 0; j < n; j++) row[j]! /= size;
  }
  const columns = Int32Array.from({ length: n }, (_, j) => j);
  let rank = 0;
  let first = 0;
  for (; rank < n; rank++) {
    const [p, q] = largest(n, lu, rank);
    const pivot = lu[p * n + q]!;
    if (rank === 0) first = Math.abs(pivot);
    if (!(Math.abs(pivot) > negligible * first)) break;
    exchange(n, lu, rank, p, q);
    [columns[rank], columns[q]] = [columns[q]!, columns[rank]!];
    for (let i = rank + 1; i < n; i++) {
      const factor = lu[i * n + rank]! / pivot;
      lu[i * n + rank] = factor;
      if (factor === 0) continue;
      for (let j = rank + 1; j < n; j++) lu[i * n + j]! -= factor * lu[rank * n + j]!;
    }
  }
  return {
    rank,
    right: () => nullSpace(n, rank, lu, columns).map((x) => x.map((value, j) => value / scale[j]!)),
    left: () => eliminate(n, transposed(n, matrix)).right(),
  };
}

function scaleColumns(n: number, lu: Float64Array): Float64Array {
  return Float64Array.from({ length: n }, (_, j) => {
    let size = 0;
    for (let i = 0; i < n; i++) size = Math.max(size, Math.abs(lu[i * n + j]!));
    if (size === 0) return 1;
    for (let i = 0; i < n; i++) lu[i * n + j]! /= size;
    return size;
  });
}

function largest(n: number, lu: Float64Array, from: number): [number, number] {
  let [p, q, most] = [from, from, -1];
  for (let i = from; i < n; i++)
    for (let j = from; j < n; j++) {
      const size = Math.abs(lu[i * n + j]!);
      if (size > most) [p, q, most] = [i, j, size];
    }
  return [p, q];
}

function exchange(n: number, lu: Float64Array, k: number, p: number, q: number): void {
  for (let j = 0; j < n; j++) [lu[k * n + j], lu[p * n + j]] = [lu[p * n + j]!, lu[k * n + j]!];
  for (let i = 0; i < n; i++) [lu[i * n + k], lu[i * n + q]] = [lu[i * n + q]!, lu[i * n + k]!];
}

/** U (x1, x2) = 0 with x2 = each unit vector. */
function nullSpace(n: number, rank: number, lu: Float64Array, columns: Int32Array): Float64Array[] {
  return Array.from({ length: n - rank }, (_, free) => {
    const x = new Float64Array(n);
    x[rank + free] = 1;
    for (let i = rank - 1; i >= 0; i--) {
      let sum = 0;
      for (let j = i + 1; j < n; j++) sum -= lu[i * n + j]! * x[j]!;
      x[i] = sum / lu[i * n + i]!;
    }
    const out = new Float64Array(n);
    for (let j = 0; j < n; j++) out[columns[j]!] = x[j]!;
    return out;
  });
}

function transposed(n: number, matrix: Float64Array): Float64Array {
  const out = new Float64Array(n * n);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) out[j * n + i] = matrix[i * n + j]!;
  return out;
}
