/**
 * Linear equations between variables, solved one after the other for one variable each. What is differentiated is solved for last, so that all else becomes a
 * sum of terms of states.
 */

/** Coefficients by slot; that of `one` is a constant. */
export type Terms = Map<number, number>;
export const one = -1;

/** Coefficients below this share of the terms that they are the sum of are rounding. */
const rounding = 1e-12;
/** Equations are not solved for variables whose coefficients are below this share of the largest. */
const leastPivot = 1e-3;

/** Linear equations, solved for as many variables as possible. */
export class AuditElimination {
  /** What variables are sums of; a row has no variables that were solved for before it. */
  private readonly solved: { readonly slot: number; readonly terms: Terms }[] = [];
  private readonly places = new Map<number, number>();
  private rest: Terms[] = [];

  /**
   * Equations are solved for variables that have derivatives, and for those that are given, only where no others are left in them. `presentOf` says what
   * derivatives are, where the equations are those of changes; they may have constant terms then.
   */
  constructor(
    private readonly derivativeOf: (slot: number) => number | undefined,
    private readonly isGiven: (slot: number) => boolean,
    private readonly sizeOf: (slot: number) => number,
    private readonly presentOf: (slot: number) => number = () => 0,
  ) {}

  add(terms: Terms): void {
    this.reduce(terms);
    if (!this.solve(terms, (slot) => !this.isGiven(slot))) this.rest.push(terms);
  }

  /** All equations have been added. */
  finish(): void {
    for (let terms = this.rest.shift(); terms; terms = this.rest.shift()) {
      this.reduce(terms);
      if (this.solve(terms, () => true)) continue;
      if ([...terms.keys()].every((slot) => slot === one)) continue;
      // What ties states together ties their derivatives as well.
      const tied: Terms = new Map();
      for (const [slot, factor] of terms) if (slot !== one) tied.set(this.derivativeOf(slot)!, factor);
      const rest = [...tied].reduce((sum, [slot, factor]) => sum + factor * this.presentOf(slot), 0);
      if (rest !== 0) tied.set(one, rest);
      this.solveLast(terms);
      this.add(tied);
    }
  }

  /** A variable as a sum of variables that remain. */
  termsOf(slot: number): Terms {
    const terms: Terms = new Map([[slot, 1]]);
    this.reduce(terms);
    return terms;
  }

  /** What the variables are that were solved for, where those that remain are zero. */
  constants(): Map<number, number> {
    const found = new Map<number, number>([[one, 1]]);
    for (const { slot, terms } of this.solved.toReversed()) {
      let sum = 0;
      for (const [other, share] of terms) sum += share * (found.get(other) ?? 0);
      found.set(slot, sum);
    }
    found.delete(one);
    return found;
  }

  /** Solves for one of some variables, that has no derivative; false where there is none. */
  private solve(terms: Terms, isWanted: (slot: number) => boolean): boolean {
    let pivot = -1;
    let largest = 0;
    for (const [slot, factor] of terms) {
      if (slot === one || this.derivativeOf(slot) !== undefined || !isWanted(slot)) continue;
      const weight = Math.abs(factor) * this.sizeOf(slot);
      if (weight <= largest) continue;
      largest = weight;
      pivot = slot;
    }
    if (pivot < 0) return false;
    this.solveFor(pivot, terms);
    return true;
  }

  /** Of states that are tied together, the run may have chosen any: the smallest is taken for what follows from the others, and so is off by the most. */
  private solveLast(terms: Terms): void {
    const own = [...terms].filter(([slot]) => slot !== one);
    const strongest = Math.max(...own.map(([, factor]) => Math.abs(factor)));
    const strong = own.filter(([, factor]) => Math.abs(factor) > leastPivot * strongest);
    strong.sort(([a, f], [b, g]) => Math.abs(f) * this.sizeOf(a) - Math.abs(g) * this.sizeOf(b));
    if (strong[0]) this.solveFor(strong[0][0], terms);
  }

  private solveFor(pivot: number, terms: Terms): void {
    const divisor = -terms.get(pivot)!;
    terms.delete(pivot);
    for (const [slot, factor] of terms) terms.set(slot, factor / divisor);
    this.places.set(pivot, this.solved.length);
    this.solved.push({ slot: pivot, terms });
  }

  private reduce(terms: Terms): void {
    for (;;) {
      let first = Number.POSITIVE_INFINITY;
      for (const slot of terms.keys()) first = Math.min(first, this.places.get(slot) ?? first);
      if (!Number.isFinite(first)) return;
      const { slot, terms: by } = this.solved[first]!;
      const factor = terms.get(slot)!;
      terms.delete(slot);
      for (const [other, share] of by) {
        const [a, b] = [terms.get(other) ?? 0, factor * share];
        if (Math.abs(a + b) <= rounding * (Math.abs(a) + Math.abs(b))) terms.delete(other);
        else terms.set(other, a + b);
      }
    }
  }
}
