/**
 * The search for a consistent mode where proposals do not lead to one: combinations of values of the structural
 * conditions are tried, those next to the present mode first.
 *
 * Which ideal diodes conduct is a complementarity problem. Where its matrix has positive principal minors, as that of a
 * passive network has, a solution differs from any other combination in at least one of the conditions that are violated
 * there (the matrix reverses the sign of no vector; Cottle, Pang and Stone, The Linear Complementarity Problem, 3.3).
 * So a combination that was tried leads to those that differ from it in one violated condition, or in all of them. One
 * that is singular says nothing and leads to its neighbours in all conditions involved so far.
 *
 * The combinations next to the present one come first, so that of several solutions the nearest is found. Their number grows
 * exponentially with the distance. Therefore, after a few of them, pivoting follows: from the combination with the fewest violated
 * conditions on (block principal pivoting; where a pivot is zero, one of two rows and columns). Only where this fails
 * too, the remaining combinations follow: of the conditions involved, then of all that can change.
 */

import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { pulse } from '../../diagnostic/pulse.ts';

/** What became of a combination. */
export type TrialOutcome =
  | { readonly kind: 'consistent' }
  /** The mode has a solution in which these conditions have other values. */
  | { readonly kind: 'violated'; readonly conditions: readonly number[] }
  /** The mode has no solution. */
  | { readonly kind: 'singular'; readonly reason: Diagnostic };

/** Of a mode with a solution in which these conditions have other values. */
export const outcomeOf = (conditions: readonly number[]): TrialOutcome =>
  conditions.length === 0 ? { kind: 'consistent' } : { kind: 'violated', conditions };

export interface Attempt {
  /** By condition. */
  readonly values: readonly boolean[];
  readonly outcome: TrialOutcome;
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
const mostAttempts = 4096;

/** Combinations next to the present one that are tried before the descent. */
const nearby = 6;
/** Steps of the descent that may change all violated conditions without making their number smaller. */
const mostDetours = 8;
/** Steps of the descent for each condition. */
const mostSteps = 10;

/**
 * Tries combinations that differ from `present` in the `affected` conditions and in those found violated on the way, at last
 * in all that are `movable`. `attempt` may add values of conditions that came up while the mode was built.
 */
export function searchModes(
  present: readonly boolean[],
  affected: Iterable<number>,
  movable: Iterable<number>,
  attempt: (values: boolean[]) => TrialOutcome,
  options: SearchOptions = {},
): SearchResult {
  const search = new Search(present, affected, [...movable], attempt, options);
  const outcome = search.spread(nearby) ?? search.descend() ?? search.spread();
  return { found: outcome === 'found', attempts: search.attempts, cut: outcome === 'cut' };
}

type End = 'found' | 'used-up' | 'cut';

class Search {
  readonly attempts: Attempt[] = [];
  private readonly keyOf: (values: boolean[]) => string;
  private readonly most: number;
  private readonly involved: Set<number>;
  private readonly frontier: Frontier;
  private readonly outcomes = new Map<string, Attempt>();

  constructor(
    present: readonly boolean[],
    affected: Iterable<number>,
    private readonly movable: readonly number[],
    private readonly attempt: (values: boolean[]) => TrialOutcome,
    { keyOf = bits, most = mostAttempts }: SearchOptions,
  ) {
    this.keyOf = keyOf;
    this.most = most;
    this.involved = new Set(affected);
    this.frontier = new Frontier(present, keyOf);
    this.frontier.add(present);
  }

  /** Goes on by distance from the present combination; undefined after `budget` attempts in all. */
  spread(budget = Number.POSITIVE_INFINITY): End | undefined {
    for (;;) {
      if (this.attempts.length >= this.most && this.frontier.size > 0) return 'cut';
      if (this.attempts.length >= budget) return undefined;
      const values = this.frontier.next();
      if (values) {
        if (this.attemptOnce(values)?.outcome.kind === 'consistent') return 'found';
      } else if (!this.widen() && !this.widen(this.movable)) return 'used-up';
    }
  }

  /**
   * Goes on from the best combination so far by pivoting (Júdice and Pires 1994): all violated conditions change as long as that makes
   * their number smaller, up to a few exceptions; otherwise the first of them does (Murty's rule, which ends where all principal
   * minors are positive). Undefined where this leads nowhere.
   */
  descend(): End | undefined {
    let here = this.best();
    let least = Number.POSITIVE_INFINITY;
    let patience = mostDetours;
    const steps = mostSteps * (1 + this.movable.length);
    for (let n = 0; here && n < steps; n++) {
      if (violations(here) < least) {
        least = violations(here);
        patience = mostDetours;
      } else patience--;
      here = this.step(here, patience > 0);
      if (here?.outcome.kind === 'consistent') return 'found';
    }
    return this.attempts.length >= this.most ? 'cut' : undefined;
  }

  /** The regular combination with the fewest violated conditions. */
  private best(): Attempt | undefined {
    return this.attempts.reduce(better, undefined);
  }

  /** The next regular combination; `all` lets everything change that is violated. */
  private step({ values, outcome }: Attempt, all: boolean): Attempt | undefined {
    if (outcome.kind !== 'violated') return undefined;
    const { conditions } = outcome;
    const whole = all ? this.look(flipped(values, conditions)) : undefined;
    if (whole && whole.outcome.kind !== 'singular') return whole;
    for (const k of all ? conditions : conditions.toSorted((a, b) => a - b)) {
      const next = this.look(flipped(values, [k]));
      if (next && next.outcome.kind !== 'singular') return next;
      const exchanged = next && this.exchange(values, k, conditions.length);
      if (exchanged) return exchanged;
    }
    return undefined;
  }

  /**
   * Where one condition alone makes a singular mode (two diodes that conduct would connect two sources), it takes the place of
   * another one.
   */
  private exchange(values: readonly boolean[], k: number, violated: number): Attempt | undefined {
    let best: Attempt | undefined;
    for (const other of this.movable) {
      if (other === k || values[other] === values[k]) continue;
      const next = this.look(flipped(values, [k, other]));
      if (next) best = better(best, next);
      if (best && violations(best) < violated) break;
    }
    return best;
  }

  /** What becomes of a combination, be it tried before or now. */
  private look(values: boolean[]): Attempt | undefined {
    return this.outcomes.get(this.keyOf(values)) ?? this.attemptOnce(values);
  }

  /** Undefined where the combination was tried before, or too many were. */
  private attemptOnce(values: boolean[]): Attempt | undefined {
    const key = this.keyOf(values);
    if (this.outcomes.has(key) || this.attempts.length >= this.most) return undefined;
    pulse();
    const outcome = this.attempt(values);
    const attempt = { values, outcome };
    this.attempts.push(attempt);
    this.outcomes.set(key, attempt);
    const { frontier, involved } = this;
    if (outcome.kind === 'violated') {
      for (const k of outcome.conditions) involved.add(k);
      for (const k of outcome.conditions) frontier.add(flipped(values, [k]));
      frontier.add(flipped(values, outcome.conditions));
    } else if (outcome.kind === 'singular') for (const k of involved) frontier.add(flipped(values, [k]));
    return attempt;
  }

  /** The neighbours of all that was tried; false where there are no new ones. */
  private widen(more: Iterable<number> = []): boolean {
    for (const k of more) this.involved.add(k);
    for (const { values } of this.attempts)
      for (const k of this.involved) this.frontier.add(flipped(values, [k]));
    return this.frontier.size > 0;
  }
}

/** Conditions that are violated; a singular combination is worse than any. */
function violations({ outcome }: Attempt): number {
  switch (outcome.kind) {
    case 'consistent':
      return 0;
    case 'violated':
      return outcome.conditions.length;
    case 'singular':
      return Number.POSITIVE_INFINITY;
  }
}

/** The other one where it violates fewer conditions, and is regular. */
function better(best: Attempt | undefined, other: Attempt): Attempt | undefined {
  return violations(other) < (best ? violations(best) : Number.POSITIVE_INFINITY) ? other : best;
}

/** Combinations to be tried, by their distance from the present one; each comes once. */
class Frontier {
  size = 0;
  private readonly known = new Set<string>();
  /** By the number of conditions that differ from the present values. */
  private readonly waiting: boolean[][][] = [];

  constructor(
    private readonly present: readonly boolean[],
    private readonly keyOf: (values: boolean[]) => string,
  ) {}

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
