/**
 * Source texts and places in them. Every later stage points back at the user's text through a `Span`;
 * offsets count UTF-16 units from 0, lines and columns are shown from 1.
 */

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A range of a source text, `end` exclusive. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** One text with the name that messages use for it (a path as the user gave it). */
export class Source {
  readonly name: string;
  readonly text: string;
  /** Offset of the first character of every line, found when the first position is asked for. */
  private lineStarts: number[] | undefined;

  constructor(name: string, text: string) {
    this.name = name;
    this.text = text;
  }

  position(offset: number): Position {
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  }

  /** The text of a line (from 1), without its line break. */
  line(line: number): string {
    const starts = this.starts();
    const start = starts[line - 1];
    if (start === undefined) return '';
    const end = starts[line] ?? this.text.length;
    return this.text.slice(start, end).replace(/[\r\n]+$/, '');
  }

  private starts(): number[] {
    if (this.lineStarts) return this.lineStarts;
    const starts = [0];
    for (let i = 0; i < this.text.length; i++) {
      const c = this.text.charCodeAt(i);
      if (c === 10 || (c === 13 && this.text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
    }
    this.lineStarts = starts;
    return starts;
  }
}
