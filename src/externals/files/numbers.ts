/** What is read from files: matrices, and numbers in texts. */

export interface FileMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Row by row. */
  readonly values: Float64Array;
}

export interface CsvOptions {
  readonly delimiter: string;
  readonly headerLines: number;
}

/** A number as C reads it; NaN where it is none. */
export const numberOf = (text: string): number =>
  /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)
    ? Number(text)
    : /^[+-]?inf(inity)?$/i.test(text)
      ? Number(text[0] === '-' ? -Infinity : Infinity)
      : Number.NaN;

export const isNumber = (text: string): boolean => /^[+-]?nan$/i.test(text) || !Number.isNaN(numberOf(text));
