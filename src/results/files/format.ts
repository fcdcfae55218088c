/** What the readers of result files have in common. */

/** Where in a file something is wrong: a line of text, and a column of a table, counted from 1, or a byte, counted from 0. */
export interface FilePlace {
  readonly line?: number;
  readonly column?: number;
  readonly byte?: number;
}

/** A file that is not what its reader expects. */
export class FormatError extends Error {
  constructor(
    message: string,
    readonly place: FilePlace = {},
  ) {
    super(`${placeText(place)}${message}`);
    this.name = 'FormatError';
  }
}

function placeText({ line, column, byte }: FilePlace): string {
  if (line !== undefined) return column === undefined ? `Line ${line}: ` : `Line ${line}, column ${column}: `;
  return byte === undefined ? '' : `Byte ${byte}: `;
}
