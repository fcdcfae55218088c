/** Matrices for the tests of LAPACK, column by column, and what is expected of them. */
import { expect } from 'vitest';
import { functions } from './notation.ts';

/** Columns of a matrix one after the other, as FORTRAN has them. */
export class M {
  readonly data: Float64Array;

  constructor(
    readonly rows: number,
    readonly columns: number,
    at: (i: number, j: number) => number = () => 0,
  ) {
    this.data = Float64Array.from({ length: rows * columns }, (_, k) => at(k % rows, Math.floor(k / rows)));
  }

  static of(rows: readonly (readonly number[])[]): M {
    return new M(rows.length, rows[0]?.length ?? 0, (i, j) => rows[i]![j]!);
  }

  at(i: number, j: number): number {
    return this.data[i + j * this.rows]!;
  }

  copy(): M {
    return new M(this.rows, this.columns, (i, j) => this.at(i, j));
  }

  get t(): M {
    return new M(this.columns, this.rows, (i, j) => this.at(j, i));
  }

  times(other: M): M {
    return new M(this.rows, other.columns, (i, j) => {
      let sum = 0;
      for (let k = 0; k < this.columns; k++) sum += this.at(i, k) * other.at(k, j);
      return sum;
    });
  }

  plus(other: M, by = 1): M {
    return new M(this.rows, this.columns, (i, j) => this.at(i, j) + by * other.at(i, j));
  }

  get upper(): M {
    return new M(this.rows, this.columns, (i, j) => (i <= j ? this.at(i, j) : 0));
  }

  part(i: number, iEnd: number, j: number, jEnd: number): M {
    return new M(iEnd - i, jEnd - j, (r, s) => this.at(i + r, j + s));
  }
}

export const unit = (n: number): M => new M(n, n, (i, j) => (i === j ? 1 : 0));
export const zeros = (n: number): Float64Array => new Float64Array(n);
export const box = (): { value: number } => ({ value: -99 });
export const { call, number } = functions();

/** The largest difference. */
export const off = (a: M, b: M): number =>
  a.data.reduce((most, x, k) => Math.max(most, Math.abs(x - b.data[k]!)), 0);
export const same = (a: M, b: M, tolerance = 1e-11): void => {
  expect([a.rows, a.columns]).toEqual([b.rows, b.columns]);
  expect(off(a, b)).toBeLessThan(tolerance);
};
export const isOrthogonal = (q: M): void => same(q.t.times(q), unit(q.columns), 1e-12);

/** Numbers from -1 to 1 that are the same in each run. */
export function random(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
}
export function randomMatrix(rows: number, columns: number, seed: number): M {
  const next = random(seed);
  return new M(rows, columns, next);
}

export const sizes = [1, 2, 3, 5, 8, 13];
