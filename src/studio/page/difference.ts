/** Which lines of two texts differ: those that are not in the longest common subsequence of their lines. */

/** Pairs of lines that are compared at most; of texts that differ in more, all lines between the equal ends count as different. */
const MOST = 4_000_000;

export interface Line {
  /** With its end, so that all lines together are the text. */
  readonly text: string;
  readonly differs: boolean;
}

export function differentLines(a: string, b: string): readonly [Line[], Line[]] {
  const [left, right] = [linesOf(a), linesOf(b)];
  const least = Math.min(left.length, right.length);
  let first = 0;
  while (first < least && left[first] === right[first]) first++;
  let last = 0;
  while (last < least - first && left.at(-1 - last) === right.at(-1 - last)) last++;
  const common = commonLines(left.slice(first, left.length - last), right.slice(first, right.length - last));
  const told = (lines: readonly string[], same: ReadonlySet<number>): Line[] =>
    lines.map((text, k) => ({
      text,
      differs: k >= first && k < lines.length - last && !same.has(k - first),
    }));
  return [told(left, common[0]), told(right, common[1])];
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The places of common lines in both. */
function commonLines(a: readonly string[], b: readonly string[]): readonly [Set<number>, Set<number>] {
  const places: [Set<number>, Set<number>] = [new Set(), new Set()];
  if (a.length * b.length > MOST) return places;
  const width = b.length + 1;
  // How many lines those from i and from j on have in common.
  const count = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      count[i * width + j] =
        a[i] === b[j]
          ? count[(i + 1) * width + j + 1]! + 1
          : Math.max(count[(i + 1) * width + j]!, count[i * width + j + 1]!);
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) {
      places[0].add(i++);
      places[1].add(j++);
    } else if (count[(i + 1) * width + j]! >= count[i * width + j + 1]!) i++;
    else j++;
  }
  return places;
}
