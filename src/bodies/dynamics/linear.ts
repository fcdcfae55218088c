/** Small dense linear systems, by rows in typed arrays. */

/**
 * Factors of a matrix whose rows may depend on each other: Q R of its transpose by Householder reflections, rows of the matrix
 * being picked by what is left of their lengths (P. Businger, G. Golub, 1965). The first `rank` picked rows are independent,
 * all others depend on them.
 */
export class Factors {
  rank = 0;
  /** Of the rows that were picked: the length of the last one, relative to the longest, after what it shares with others is gone. */
  weakest = 1;
  rows = 0;
  /** Rows of the matrix in the order in which they were picked. */
  readonly order: Int32Array;
  /** What remains of the transpose: R above, reflections below; one picked row after the other. */
  readonly #a: Float64Array;
  readonly #beta: Float64Array;
  readonly #lengths: Float64Array;
  readonly #y: Float64Array;

  /** For up to `most` rows of `width` numbers. */
  constructor(
    most: number,
    readonly width: number,
  ) {
    this.order = new Int32Array(most);
    this.#a = new Float64Array(most * width);
    this.#beta = new Float64Array(most);
    this.#lengths = new Float64Array(most);
    this.#y = new Float64Array(Math.max(most, width));
  }

  /**
   * Of `rows` rows, one after the other; those shorter than `tolerance` of the longest, after what they share with others is
   * gone, depend on these. Where all are shorter than `tolerance` of `least`, they are rounding.
   */
  factor(matrix: Float64Array, rows: number, tolerance: number, least: number): void {
    const { width } = this;
    const [a, lengths, order] = [this.#a, this.#lengths, this.order];
    this.rows = rows;
    this.rank = 0;
    this.weakest = 1;
    for (let i = 0; i < rows * width; i++) a[i] = matrix[i]!;
    for (let i = 0; i < rows; i++) order[i] = i;
    let longest = least;
    for (let k = 0; k < Math.min(rows, width); k++) {
      let best = k;
      for (let i = k; i < rows; i++) {
        let square = 0;
        for (let j = k; j < width; j++) square += a[i * width + j]! ** 2;
        lengths[i] = square;
        if (square > lengths[best]!) best = i;
      }
      const length = Math.sqrt(lengths[best]!);
      longest = Math.max(longest, length);
      if (!(length > tolerance * longest)) return;
      this.#exchange(k, best);
      this.#reflect(k, length);
      this.rank = k + 1;
      this.weakest = length / longest;
    }
  }

  #exchange(i: number, j: number): void {
    if (i === j) return;
    const { width, order } = this;
    const a = this.#a;
    for (let l = 0; l < width; l++) {
      const kept = a[i * width + l]!;
      a[i * width + l] = a[j * width + l]!;
      a[j * width + l] = kept;
    }
    const kept = order[i]!;
    order[i] = order[j]!;
    order[j] = kept;
  }

  #reflect(k: number, length: number): void {
    const { width, rows } = this;
    const a = this.#a;
    const at = k * width;
    const head = a[at + k]!;
    const diagonal = head > 0 ? -length : length;
    // v = x - diagonal e_k, kept with v_k = 1
    const scale = 1 / (head - diagonal);
    for (let j = k + 1; j < width; j++) a[at + j] = a[at + j]! * scale;
    const beta = (this.#beta[k] = (diagonal - head) / diagonal);
    a[at + k] = diagonal;
    for (let i = k + 1; i < rows; i++) {
      const other = i * width;
      let sum = a[other + k]!;
      for (let j = k + 1; j < width; j++) sum += a[at + j]! * a[other + j]!;
      sum *= beta;
      a[other + k] = a[other + k]! - sum;
      for (let j = k + 1; j < width; j++) a[other + j] = a[other + j]! - sum * a[at + j]!;
    }
  }

  /** The shortest x whose products with the independent rows are `right` (by row of the matrix). */
  shortest(right: Float64Array, x: Float64Array): void {
    const { width, rank, order } = this;
    const [a, y] = [this.#a, this.#y];
    for (let i = 0; i < rank; i++) {
      let sum = right[order[i]!]!;
      for (let j = 0; j < i; j++) sum -= a[i * width + j]! * y[j]!;
      y[i] = sum / a[i * width + i]!;
    }
    for (let j = 0; j < width; j++) x[j] = j < rank ? y[j]! : 0;
    for (let k = rank - 1; k >= 0; k--) {
      const at = k * width;
      let sum = x[k]!;
      for (let j = k + 1; j < width; j++) sum += a[at + j]! * x[j]!;
      sum *= this.#beta[k]!;
      x[k] = x[k]! - sum;
      for (let j = k + 1; j < width; j++) x[j] = x[j]! - sum * a[at + j]!;
    }
  }

  /**
   * Row `which` of those that depend on others, as their combination: n of the sum n_i row_i = 0, by row of the matrix, from
   * `at`.
   */
  dependence(which: number, n: Float64Array, at: number): void {
    const { width, rank, rows, order } = this;
    const [a, y] = [this.#a, this.#y];
    const own = (rank + which) * width;
    for (let i = rank - 1; i >= 0; i--) {
      let sum = a[own + i]!;
      for (let j = i + 1; j < rank; j++) sum -= a[j * width + i]! * y[j]!;
      y[i] = sum / a[i * width + i]!;
    }
    for (let i = 0; i < rows; i++) n[at + order[i]!] = i < rank ? -y[i]! : i === rank + which ? 1 : 0;
  }
}

/**
 * Cholesky's factor of a symmetric matrix of n rows, in its lower triangle, inverse diagonal; directions without resistance are
 * left out.
 */
export function choleskyOf(matrix: Float64Array, n: number): void {
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const whole = matrix[i * n + j]!;
      let sum = whole;
      for (let k = 0; k < j; k++) sum -= matrix[i * n + k]! * matrix[j * n + k]!;
      if (j < i) matrix[i * n + j] = sum * matrix[j * n + j]!;
      else matrix[i * n + i] = sum > 1e-15 * whole ? 1 / Math.sqrt(sum) : 0;
    }
}

/** Solves with that factor, in place. */
export function choleskySolved(factor: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = x[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * n + k]! * x[k]!;
    x[i] = sum * factor[i * n + i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[i]!;
    for (let k = i + 1; k < n; k++) sum -= factor[k * n + i]! * x[k]!;
    x[i] = sum * factor[i * n + i]!;
  }
}

/**
 * Factors L U of a square matrix whose rows and columns are in any units: scaled first, so that the largest number of each is 1.
 */
export class SquareFactors {
  readonly #exchanges: Int32Array;
  readonly #rowScales: Float64Array;
  readonly #columnScales: Float64Array;

  /** For up to `most` rows. */
  constructor(most: number) {
    this.#exchanges = new Int32Array(most);
    this.#rowScales = new Float64Array(most);
    this.#columnScales = new Float64Array(most);
  }

  /** Of a matrix of n rows, in place; false where a pivot is not larger than the tolerance. */
  factor(matrix: Float64Array, n: number, tolerance: number): boolean {
    this.#scale(matrix, n);
    for (let k = 0; k < n; k++) {
      let best = k;
      for (let i = k + 1; i < n; i++)
        if (Math.abs(matrix[i * n + k]!) > Math.abs(matrix[best * n + k]!)) best = i;
      this.#exchanges[k] = best;
      for (let j = 0; j < n && best !== k; j++) {
        const kept = matrix[k * n + j]!;
        matrix[k * n + j] = matrix[best * n + j]!;
        matrix[best * n + j] = kept;
      }
      const pivot = matrix[k * n + k]!;
      if (!(Math.abs(pivot) > tolerance)) return false;
      for (let i = k + 1; i < n; i++) {
        const factor = (matrix[i * n + k] = matrix[i * n + k]! / pivot);
        for (let j = k + 1; j < n; j++) matrix[i * n + j] = matrix[i * n + j]! - factor * matrix[k * n + j]!;
      }
    }
    return true;
  }

  #scale(matrix: Float64Array, n: number): void {
    for (let i = 0; i < n; i++) {
      let largest = 0;
      for (let j = 0; j < n; j++) largest = Math.max(largest, Math.abs(matrix[i * n + j]!));
      this.#rowScales[i] = largest > 0 ? 1 / largest : 1;
    }
    for (let j = 0; j < n; j++) {
      let largest = 0;
      for (let i = 0; i < n; i++)
        largest = Math.max(largest, Math.abs((matrix[i * n + j] = matrix[i * n + j]! * this.#rowScales[i]!)));
      const scale = (this.#columnScales[j] = largest > 0 ? 1 / largest : 1);
      for (let i = 0; i < n; i++) matrix[i * n + j] = matrix[i * n + j]! * scale;
    }
  }

  /** Solves with these factors, in place. */
  solve(factors: Float64Array, n: number, x: Float64Array): void {
    for (let i = 0; i < n; i++) x[i] = x[i]! * this.#rowScales[i]!;
    for (let k = 0; k < n; k++) {
      const kept = x[k]!;
      x[k] = x[this.#exchanges[k]!]!;
      x[this.#exchanges[k]!] = kept;
    }
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) x[i] = x[i]! - factors[i * n + j]! * x[j]!;
    for (let i = n - 1; i >= 0; i--) {
      for (let j = i + 1; j < n; j++) x[i] = x[i]! - factors[i * n + j]! * x[j]!;
      x[i] = x[i]! / factors[i * n + i]!;
    }
    for (let i = 0; i < n; i++) x[i] = x[i]! * this.#columnScales[i]!;
  }
}
