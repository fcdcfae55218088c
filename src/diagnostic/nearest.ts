/**
 * The nearest known name to a misspelt one, for "did you mean" hints. The distance is that of Damerau and Levenshtein
 * in the restricted form (optimal string alignment): insert, delete, replace or swap two neighbours, each at cost 1.
 * Letters that differ only in case cost next to nothing, because a wrong case is the commonest slip of all. Where no name is near, one that has
 * all words of the other is meant: `IdealGear` for `Gear`, `stop` for `stopTime`; or else one that has words like these, `IdealClutch` for `Cluch`.
 */

/** The cost of a letter of the wrong case: small enough that any number of them stays below one real change. */
const CASE_COST = 1 / 1024;

/** Names beyond this length are not compared: nobody mistypes them by a letter or two, and the cost is quadratic. */
const LONGEST = 256;

/** Cells of tables of distances that are filled for one name. */
const MOST_CELLS = 500_000;

/** A hint that something else may have been meant. */
export const didYouMean = (meant: string | undefined): string | undefined =>
  meant ? `Did you mean \`${meant}\`?` : undefined;

/** The hint with the nearest candidate. */
export const suggestion = (name: string, candidates: Iterable<string>): string | undefined =>
  didYouMean(nearest(name, candidates));

/**
 * The candidate closest to `name`, or `undefined` if none is close: at most one change in three letters counts as
 * close. Of equally close candidates the first is taken. A candidate equal to `name` is not a suggestion.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > LONGEST) return undefined;
  const words = wordsOf(name);
  let related: string | undefined;
  let alike: string | undefined;
  let best: string | undefined;
  let bound = Math.max(1, Math.floor(name.length / 3)) + 0.5;
  const letters = lettersOf(name);
  let cells = 0;
  for (const candidate of candidates) {
    if (candidate === name || candidate.length > LONGEST) continue;
    if (best === undefined) {
      if (isShorter(candidate, related) && isRelated(words, candidate, isSame)) related = candidate;
      else if (isShorter(candidate, alike) && isRelated(words, candidate, isAlike)) alike = candidate;
    }
    // Each change adds at most one letter and takes away at most one.
    if (Math.abs(name.length - candidate.length) >= bound) continue;
    if (bitsOf(letters ^ lettersOf(candidate)) >= 2 * bound + 1) continue;
    cells += name.length * candidate.length;
    if (cells > MOST_CELLS) break;
    const distance = editDistance(name, candidate, bound);
    // A name of one or two letters is near everything; only its case, the order of its letters or a letter twice is evidence.
    if (distance < bound && (distance < 1 || isPlausible(name, candidate))) {
      best = candidate;
      bound = distance;
    }
  }
  return best ?? related ?? alike;
}

const isShorter = (candidate: string, other: string | undefined): boolean =>
  other === undefined || candidate.length < other.length;

/** A word that stands for a name must be this long. */
const SHORTEST = 4;

type Likeness = (word: string, other: string) => boolean;

const isSame: Likeness = (word, other) => word === other;

/** Words of more letters may have one wrong. */
const isAlike: Likeness = (word, other) =>
  word === other || (word.length > SHORTEST && editDistance(word, other, 2) < 2);

/** Whether one name consists of words of the other, of which one at least says something. */
function isRelated(words: readonly string[], candidate: string, fits: Likeness): boolean {
  if (candidate.length > LONGEST) return false;
  const others = wordsOf(candidate);
  const [few, many] = words.length < others.length ? [words, others] : [others, words];
  return (
    few.length < many.length &&
    few.some((word) => word.length >= SHORTEST) &&
    few.every((word) => many.some((other) => fits(word, other)))
  );
}

/** `stopTime`, `stop-time` and `stop_time` have two words. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** Which letters a word has, in any case, as bits; other characters share bits with letters. */
function lettersOf(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) & 31);
  return bits;
}

function bitsOf(word: number): number {
  let count = 0;
  for (let rest = word; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** The distance between two words, or `Infinity` where it is certain to reach `bound`. */
export function editDistance(a: string, b: string, bound = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) >= bound) return Number.POSITIVE_INFINITY;
  const width = b.length + 1;
  // Rows i - 2, i - 1 and i of the table of distances between prefixes.
  let before = new Float64Array(width);
  let previous = Float64Array.from({ length: width }, (_, j) => j);
  let current = new Float64Array(width);
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    let least = i;
    for (let j = 1; j < width; j++) {
      let cost = Math.min(
        previous[j]! + 1,
        current[j - 1]! + 1,
        previous[j - 1]! + replacement(a.charAt(i - 1), b.charAt(j - 1)),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      current[j] = cost;
      if (cost < least) least = cost;
    }
    if (least >= bound + 1) return Number.POSITIVE_INFINITY;
    [before, previous, current] = [previous, current, before];
  }
  return previous[width - 1]!;
}

function replacement(a: string, b: string): number {
  if (a === b) return 0;
  return a.toLowerCase() === b.toLowerCase() ? CASE_COST : 1;
}

function isPlausible(name: string, candidate: string): boolean {
  if (name.length > 2) return true;
  if (name.length < 2) return false;
  const letters = (word: string): string => [...word.toLowerCase()].sort().join('');
  return candidate.length > 1 ? letters(name) === letters(candidate) : name === candidate.repeat(2);
}
