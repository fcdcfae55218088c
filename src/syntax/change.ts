/**
 * Changes of a text, as editors, the language service and diagrams hand them to each other. Offsets are those of the text before any of the
 * changes; a list of changes is in the order of the text, and none of them overlaps another one.
 */

export interface TextChange {
  readonly from: number;
  /** Exclusive; equal to `from` where something is inserted alone. */
  readonly to: number;
  readonly insert: string;
}

/** The text after some changes. */
export function changedText(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let done = 0;
  for (const { from, to, insert } of changes) {
    if (from < done || to < from || to > text.length)
      throw new RangeError(`a change from ${from} to ${to} does not fit the text`);
    result += text.slice(done, from) + insert;
    done = to;
  }
  return result + text.slice(done);
}

/** The changes that give the text back: `changedText(changedText(text, c), invertedChanges(text, c))` is `text`. */
export function invertedChanges(text: string, changes: readonly TextChange[]): TextChange[] {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}
