/** Square matrices of complex numbers, with rotations of rows and columns. */
import { Dense } from './dense.ts';

export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const complex = (re: number, im = 0): Complex => ({ re, im });
export const add = (a: Complex, b: Complex): Complex => complex(a.re + b.re, a.im + b.im);
export const subtract = (a: Complex, b: Complex): Complex => complex(a.re - b.re, a.im - b.im);
export const multiply = (a: Complex, b: Complex): Complex =>
  complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
export const conjugate = ({ re, im }: Complex): Complex => complex(re, -im);
export const absolute = ({ re, im }: Complex): number => Math.hypot(re, im);

export function divide(a: Complex, b: Complex): Complex {
  const size = absolute(b);
  const unit = complex(b.re / size, -b.im / size);
  const { re, im } = multiply(a, unit);
  return complex(re / size, im / size);
}

export function root(a: Complex): Complex {
  const size = absolute(a);
  const re = Math.sqrt((size + Math.abs(a.re)) / 2);
  const other = re === 0 ? 0 : Math.abs(a.im) / (2 * re);
  const sign = a.im < 0 ? -1 : 1;
  return a.re >= 0 ? complex(re, sign * other) : complex(other, sign * re);
}

export class ComplexMatrix {
  private constructor(
    readonly size: number,
    private readonly re: Dense,
    private readonly im: Dense,
  ) {}

  static of(matrix: Dense): ComplexMatrix {
    return new ComplexMatrix(matrix.rows, matrix.copy(), new Dense(matrix.rows, matrix.rows));
  }

  at(i: number, j: number): Complex {
    return complex(this.re.at(i, j), this.im.at(i, j));
  }

  set(i: number, j: number, { re, im }: Complex): void {
    this.re.set(i, j, re);
    this.im.set(i, j, im);
  }

  /** Rows i and i + 1 become c x + s y and -conj(s) x + c y. */
  turnRows(i: number, { c, s }: Rotation): void {
    for (let j = 0; j < this.size; j++) {
      const [x, y] = [this.at(i, j), this.at(i + 1, j)];
      this.set(i, j, add(scaled(x, c), multiply(s, y)));
      this.set(i + 1, j, subtract(scaled(y, c), multiply(conjugate(s), x)));
    }
  }

  /** Columns j and j + 1 become c x - conj(s) y and s x + c y. */
  turnColumns(j: number, { c, s }: Rotation): void {
    for (let i = 0; i < this.size; i++) {
      const [x, y] = [this.at(i, j), this.at(i, j + 1)];
      this.set(i, j, subtract(scaled(x, c), multiply(conjugate(s), y)));
      this.set(i, j + 1, add(multiply(s, x), scaled(y, c)));
    }
  }

  /** Times a vector. */
  times(x: readonly Complex[]): Complex[] {
    return x.map((_, i) => x.reduce((sum, own, j) => add(sum, multiply(this.at(i, j), own)), complex(0)));
  }
}

export interface Rotation {
  readonly c: number;
  readonly s: Complex;
}

const scaled = ({ re, im }: Complex, by: number): Complex => complex(re * by, im * by);

/** Makes y zero: -conj(s) x + c y = 0. */
export function rotationFor(x: Complex, y: Complex): Rotation {
  const [a, b] = [absolute(x), absolute(y)];
  if (b === 0) return { c: 1, s: complex(0) };
  if (a === 0) return { c: 0, s: complex(1) };
  const size = Math.hypot(a, b);
  // s = x conj(y) / (|x| size)
  return { c: a / size, s: scaled(multiply(scaled(x, 1 / a), conjugate(y)), 1 / size) };
}
