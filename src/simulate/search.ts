/**
 * The search for a consistent mode where proposals do not lead to one: combinations of values of the structural
 * conditions are tried, those next to the present mode first.
 *
 * Which ideal diodes conduct is a complementarity problem. Where its matrix has positive principal minors, as that of a
 * passive network has, a solution differs from any other combination in at least one of the conditions that are violated
 * there (the matrix reverses the sign of no vector; Cottle, Pang and Stone, The Linear Complementarity Problem, 3.3).
 * So a combination that was tried leads to those that differ from it in one violated condition, or in all of them. One
 * that is singular says nothing and leads to its neighbours in all conditions involved so far. Only when these are used up
 * the remaining combinations follow: of the conditions involved, then of all that can change.
 */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';

/** What became of a combination. */
export type Outcome =
  | { readonly kind: 'consistent' }
  /** The mode has a solution in which these conditions have other values. */
  | { readonly kind: 'violated'; readonly conditions: readonly number[] }
  /** The mode has no solution. */
  | { readonly kind: 'singular'; readonly reason: Diagnostic };

export interface Attempt {
  /** By condition. */
  readonly values: readonly boolean[];
  readonly outcome: Outcome;
}

export interface SearchResult {
  readonly found: boolean;
  /** In the order in which they were tried; the last one is consistent if one was found. */
  readonly attempts: readonly Attempt[];
  /** Whether there were more combinations than could be tried. */
  readonly cut: boolean;
}

export interface SearchOptions {
  /** Combinations with the same key are one. */
  readonly keyOf?: (values: boolean[]) => string;
  readonly most?: number;
}

/** Combinations that are tried before the search is given up. */
export const mostAttempts = 4096;

/**
 * Tries combinations that differ from `present` in the `affected` conditions and in those found violated on the way, at last
 * in all that are `movable`. `attempt` may add values of conditions that came up while the mode was built.
 */
export function searchModes(
  present: readonly boolean[],
  affected: Iterable<number>,
  movable: Iterable<number>,
  attempt: (values: boolean[]) => Outcome,
  { keyOf = bits, most = mostAttempts }: SearchOptions = {},
): SearchResult {
  const attempts: Attempt[] = [];
  const involved = new Set(affected);
  const frontier = new Frontier(present, keyOf);
  frontier.add(present);
  const spread = (more: Iterable<number> = []): boolean => {
    for (const k of more) involved.add(k);
    for (const { values } of attempts) for (const k of involved) frontier.add(flipped(values, [k]));
    return frontier.size > 0;
  };
  for (;;) {
    const values = frontier.next();
    if (!values) {
      if (spread() || spread(movable)) continue;
      return { found: false, attempts, cut: false };
    }
    if (attempts.length === most) return { found: false, attempts, cut: true };
    const outcome = attempt(values);
    attempts.push({ values, outcome });
    switch (outcome.kind) {
      case 'consistent':
        return { found: true, attempts, cut: false };
      case 'violated':
        for (const k of outcome.conditions) involved.add(k);
        for (const k of outcome.conditions) frontier.add(flipped(values, [k]));
        frontier.add(flipped(values, outcome.conditions));
        break;
      case 'singular':
        for (const k of involved) frontier.add(flipped(values, [k]));
        break;
    }
  }
}

/** Combinations to be tried, by their distance from the present one; each comes once. */
class Frontier {
  size = 0;
  private readonly present: readonly boolean[];
  private readonly keyOf: (values: boolean[]) => string;
  private readonly known = new Set<string>();
  /** By the number of conditions that differ from the present values. */
  private readonly waiting: boolean[][][] = [];

  constructor(present: readonly boolean[], keyOf: (values: boolean[]) => string) {
    this.present = present;
    this.keyOf = keyOf;
  }

  add(values: readonly boolean[]): void {
    const key = this.keyOf(values.slice());
    if (this.known.has(key)) return;
    this.known.add(key);
    const distance = this.present.reduce((sum, v, k) => (v === values[k] ? sum : sum + 1), 0);
    while (this.waiting.length <= distance) this.waiting.push([]);
    this.waiting[distance]!.push(values.slice());
    this.size++;
  }

  next(): boolean[] | undefined {
    const first = this.waiting.find((list) => list.length > 0)?.shift();
    if (first) this.size--;
    return first;
  }
}

function bits(values: readonly boolean[]): string {
  return values.map((v) => (v ? '1' : '0')).join('');
}

function flipped(values: readonly boolean[], conditions: readonly number[]): boolean[] {
  const result = values.slice();
  for (const k of conditions) result[k] = !result[k];
  return result;
}
