/**
 * What all LAPACK functions share. Matrices come as LAPACK has them, column by column in arrays with `ld` elements between columns; inside they are `Dense`:
 * column by column without gaps.
 */

/** An output that is no array; one that the Modelica function does not hand on is a plain number. */
export type Box<T = number> = { value: T } | T;

export function put<T>(box: Box<T>, value: T): void {
  if (typeof box === 'object' && box !== null && 'value' in box) box.value = value;
}

export class Dense {
  constructor(
    readonly rows: number,
    readonly columns: number,
    readonly data = new Float64Array(rows * columns),
  ) {}

  static identity(n: number): Dense {
    const unit = new Dense(n, n);
    for (let k = 0; k < n; k++) unit.set(k, k, 1);
    return unit;
  }

  at(i: number, j: number): number {
    return this.data[i + j * this.rows]!;
  }

  set(i: number, j: number, value: number): void {
    this.data[i + j * this.rows] = value;
  }

  copy(): Dense {
    return new Dense(this.rows, this.columns, this.data.slice());
  }

  transposed(): Dense {
    const { rows, columns } = this;
    const out = new Dense(columns, rows);
    for (let j = 0; j < columns; j++) for (let i = 0; i < rows; i++) out.set(j, i, this.at(i, j));
    return out;
  }

  times(other: Dense): Dense {
    const out = new Dense(this.rows, other.columns);
    for (let j = 0; j < other.columns; j++)
      for (let k = 0; k < this.columns; k++) {
        const x = other.at(k, j);
        if (x !== 0) for (let i = 0; i < this.rows; i++) out.data[i + j * this.rows]! += this.at(i, k) * x;
      }
    return out;
  }

  /** Some rows and columns, from one to the one before another. */
  part(row: number, rowEnd: number, column: number, columnEnd: number): Dense {
    const out = new Dense(rowEnd - row, columnEnd - column);
    for (let j = column; j < columnEnd; j++)
      for (let i = row; i < rowEnd; i++) out.set(i - row, j - column, this.at(i, j));
    return out;
  }
}

/** A matrix that was handed over; `name` is what messages call it. */
export function taken(name: string, a: Float64Array, rows: number, columns: number, ld: number): Dense {
  const need = columns === 0 || rows === 0 ? 0 : (columns - 1) * ld + rows;
  if (ld < rows || a.length < need)
    throw new Error(`${name} has ${a.length} elements, too few for ${rows} × ${columns}`);
  const out = new Dense(rows, columns);
  for (let j = 0; j < columns; j++) for (let i = 0; i < rows; i++) out.data[i + j * rows] = a[i + j * ld]!;
  return out;
}

/** Writes a matrix where it was handed over. */
export function give(matrix: Dense, into: Float64Array, ld: number): void {
  for (let j = 0; j < matrix.columns; j++)
    for (let i = 0; i < matrix.rows; i++) into[i + j * ld] = matrix.at(i, j);
}

/** `M` largest element, `1` and `O` largest sum of a column, `I` of a row, `F` and `E` root of the sum of squares. */
export function norm(kind: string, a: Dense): number {
  const sums = (count: number, length: number, at: (k: number, i: number) => number): number => {
    let largest = 0;
    for (let k = 0; k < count; k++) {
      let sum = 0;
      for (let i = 0; i < length; i++) sum += Math.abs(at(k, i));
      if (!(sum <= largest)) largest = sum;
    }
    return largest;
  };
  switch (kind.toUpperCase()) {
    case 'M':
      return a.data.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
    case '1':
    case 'O':
      return sums(a.columns, a.rows, (j, i) => a.at(i, j));
    case 'I':
      return sums(a.rows, a.columns, (i, j) => a.at(i, j));
    case 'F':
    case 'E':
      return Math.hypot(...a.data);
    default:
      throw new Error(`there is no norm “${kind}”`);
  }
}

export const isNone = (option: string): boolean => option.toUpperCase() === 'N';
