/**
 * Source texts and places in them. Every later stage points back at the user's text through a `Span`;
 * offsets count UTF-16 units from 0, lines and columns are shown from 1.
 */
import { countWhile } from '../collections/lists.ts';

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

/** Where a part of a composed text comes from: the characters from `start` to `end` are those of `source` from `offset` on. */
export interface Part {
  readonly start: number;
  readonly end: number;
  readonly source: Source;
  readonly offset: number;
}

export interface SourceOptions {
  /** The number of the first line, where the text is a piece of a file. */
  readonly line?: number;
  /** Parts that were written elsewhere, in order and disjoint, if the text was composed. */
  readonly parts?: readonly Part[];
}

/** The place where a span was written: in the text that a composed text took it from, or where it is. */
export function locate(span: Span): Span {
  const part = span.source.partAt(span.start);
  if (!part || span.end > part.end) return span;
  const shift = part.offset - part.start;
  return { source: part.source, start: span.start + shift, end: span.end + shift };
}

/** `ball.mo:4:7`, as editors and terminals recognise places. */
export function placeText(span: Span): string {
  const { source, start } = locate(span);
  const { line, column } = source.position(start);
  return `${source.name}:${line}:${column}`;
}

/** One text with the name that messages use for it (a path as the user gave it). */
export class Source {
  private readonly firstLine: number;
  private readonly parts: readonly Part[];
  /** Offset of the first character of every line, found when the first position is asked for. */
  private lineStarts: number[] | undefined;

  constructor(
    readonly name: string,
    readonly text: string,
    options: SourceOptions = {},
  ) {
    this.firstLine = options.line ?? 1;
    this.parts = options.parts ?? [];
  }

  /** Whether a program composed it. */
  get isComposed(): boolean {
    return this.parts.length > 0;
  }

  /** The part in which an offset lies. */
  partAt(offset: number): Part | undefined {
    const { parts } = this;
    const part = parts[countWhile(parts.length, (k) => parts[k]!.end < offset)];
    return part && part.start <= offset ? part : undefined;
  }

  position(offset: number): Position {
    const starts = this.starts();
    const line = Math.max(0, countWhile(starts.length, (k) => starts[k]! <= offset) - 1);
    return { line: line + this.firstLine, column: offset - starts[line]! + 1 };
  }

  /** The text of a line by its number, without its line break. */
  line(line: number): string {
    const starts = this.starts();
    const index = line - this.firstLine;
    const start = starts[index];
    if (start === undefined) return '';
    const end = starts[index + 1] ?? this.text.length;
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
