/**
 * How far stored values may be off because a run integrates with errors. States are off by what the tolerance of the run allows, relative to their values or
 * to what is nominal for them; all else follows from the states by the equations that are in force. These are linearised and eliminated, variables that are
 * not differentiated first, until every value is a sum of terms of states. So a current that is the difference of two voltages, divided by a small resistance, may be
 * off by much more than either of them, and so may the derivative of a state that follows others fast.
 */
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import { tolerance as auditTolerance, type Evaluator } from './evaluator.ts';
import type { Point } from './point.ts';
import type { Residuals } from './residuals.ts';
import type { Item, Row } from './rows.ts';

/** States may be off by so many times the tolerance of the run. */
const stateFactor = 10;
/** Coefficients below this share of the terms that they are the sum of are rounding. */
const rounding = 1e-12;
/** Equations are not solved for variables whose coefficients are below this share of the largest. */
const leastPivot = 1e-3;
/** Rows beyond which nothing is eliminated. */
const mostRows = 3000;

/** Coefficients by slot. */
type Terms = Map<number, number>;

export class Slack {
  private readonly evaluator: Evaluator;
  private readonly residuals: Residuals;
  private readonly items: readonly Item[];
  private readonly tolerance: number;
  private readonly slopes = new Map<Row, readonly (readonly [Ref, Expr])[]>();
  private readonly known = new WeakMap<Point, (slot: number) => number>();

  constructor(evaluator: Evaluator, residuals: Residuals, items: readonly Item[], tolerance: number) {
    this.evaluator = evaluator;
    this.residuals = residuals;
    this.items = items;
    this.tolerance = tolerance;
  }

  /** How far a state may be off at a point. */
  ofState(slot: number, point: Point): number {
    const size = Math.max(Math.abs(point.now[slot]!), this.evaluator.values.nominal(slot));
    return stateFactor * this.tolerance * size;
  }

  /** How far any value may be off at a point, by slot. */
  at(point: Point): (slot: number) => number {
    let known = this.known.get(point);
    if (!known) this.known.set(point, (known = this.eliminated(point)));
    return known;
  }

  private eliminated(point: Point): (slot: number) => number {
    const { values } = this.evaluator;
    const fitting = this.residuals.inForce(this.items, point).filter(({ row }) => !row.exact);
    if (fitting.length > mostRows) return () => 0;
    const elimination = new Elimination(
      (slot) => values.derivativeOf(slot),
      (slot) => Math.max(Math.abs(point.now[slot]!), values.leastSize(slot)),
    );
    for (const { row, assigned } of fitting) {
      const terms: Terms = new Map();
      for (const [ref, factor] of this.slopesOf(row)) {
        const slope = this.evaluator.evaluate(factor, point, assigned);
        if (slope !== 0) terms.set(values.slotOf(ref), slope);
      }
      if ([...terms.values()].every(Number.isFinite)) elimination.add(terms);
    }
    elimination.finish();
    const errors = new Map<number, number>();
    return (slot) => {
      let error = errors.get(slot);
      if (error === undefined) {
        error = 0;
        for (const [free, factor] of elimination.termsOf(slot))
          error += Math.abs(factor) * this.own(free, point);
        errors.set(slot, error);
      }
      return error;
    };
  }

  /** How far a value may be off that follows from nothing else. */
  private own(slot: number, point: Point): number {
    const { values } = this.evaluator;
    if (values.derivativeOf(slot) !== undefined) return this.ofState(slot, point);
    return auditTolerance * Math.max(Math.abs(point.now[slot]!), values.leastSize(slot));
  }

  private slopesOf(row: Row): readonly (readonly [Ref, Expr])[] {
    let known = this.slopes.get(row);
    if (!known) {
      const { values } = this.evaluator;
      const isReal = (leaf: Expr): boolean =>
        leaf.kind === 'ref' && !values.isFixed(leaf.symbol) && !values.isDiscrete(leaf.symbol);
      const { value } = gradient(values.flat.pool, values.flat.pool.sub(row.left, row.right), isReal);
      this.slopes.set(row, (known = value ? ([...value] as unknown as (readonly [Ref, Expr])[]) : []));
    }
    return known;
  }
}

/** Homogeneous linear equations, solved for as many variables as possible. */
class Elimination {
  private readonly derivativeOf: (slot: number) => number | undefined;
  private readonly sizeOf: (slot: number) => number;
  /** What variables are sums of; a row has no variables that were solved for before it. */
  private readonly solved: { readonly slot: number; readonly terms: Terms }[] = [];
  private readonly places = new Map<number, number>();
  private rest: Terms[] = [];

  /** Equations are solved for variables that have derivatives only where no others are left in them. */
  constructor(derivativeOf: (slot: number) => number | undefined, sizeOf: (slot: number) => number) {
    this.derivativeOf = derivativeOf;
    this.sizeOf = sizeOf;
  }

  add(terms: Terms): void {
    this.reduce(terms);
    if (!this.solve(terms, (slot) => this.derivativeOf(slot) === undefined)) this.rest.push(terms);
  }

  /** All equations have been added. */
  finish(): void {
    for (let terms = this.rest.shift(); terms; terms = this.rest.shift()) {
      this.reduce(terms);
      if (terms.size === 0 || this.solve(terms, (slot) => this.derivativeOf(slot) === undefined)) continue;
      // What ties states together ties their derivatives as well.
      const tied: Terms = new Map([...terms].map(([slot, factor]) => [this.derivativeOf(slot)!, factor]));
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

  private solve(terms: Terms, may: (slot: number) => boolean): boolean {
    let pivot = -1;
    let largest = 0;
    for (const [slot, factor] of terms) {
      const weight = Math.abs(factor) * this.sizeOf(slot);
      if (weight <= largest || !may(slot)) continue;
      largest = weight;
      pivot = slot;
    }
    if (pivot < 0) return false;
    this.solveFor(pivot, terms);
    return true;
  }

  /** Of states that are tied together, the run may have chosen any: the smallest is taken for what follows from the others, and so is off by the most. */
  private solveLast(terms: Terms): void {
    const strongest = Math.max(...[...terms.values()].map(Math.abs));
    const strong = [...terms].filter(([, factor]) => Math.abs(factor) > leastPivot * strongest);
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
