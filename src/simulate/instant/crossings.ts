/**
 * Relations at an instant: which values they take, from the values of their sides, from impulses, and from how their sides change.
 *
 * An indicator is left - right. On its boundary rounding decides on the sign, so that there the past or the limit from the right counts.
 */

import type { RunValues } from '../../program/evaluation.ts';
import { roundingErrors } from '../../program/mode/disturbance.ts';
import type { Weight } from '../../program/values/jumps.ts';
import { type CallRule, gradient } from '../../symbolic/differentiate.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { rounding, verge } from './candidate.ts';
import type { Present } from './current.ts';
import { far, type Relations } from './relations.ts';

/**
 * Changes of a relation at an instant after which it stays, if its indicator is on the verge: it was crossed, taken back and crossed again,
 * so it is rounding that decides.
 */
const mostChanges = 3;

/** Errors of an indicator may be so many times larger than those that were seen. */
const margin = 16;

export class Crossings {
  /** Relations on the verge of changing keep their values. */
  steady = false;
  /** Relations whose indicators were seen to change sign. */
  crossed: readonly number[] = [];
  /** Relations that keep their values: they were left again at this instant. */
  private readonly turned = new Set<number>();
  /** How often relations changed at this instant. */
  private readonly changes = new Map<number, number>();
  /** By crossed relation: an indicator that is no larger says nothing. */
  private readonly doubts = new Map<number, number>();

  constructor(
    private readonly values: RunValues,
    private readonly calls: CallRule,
    private readonly relations: Relations,
    private readonly present: Present,
  ) {}

  begin(crossed: readonly number[], turned: readonly number[]): void {
    this.release();
    this.doubts.clear();
    this.crossed = crossed;
    for (const relation of turned) this.turned.add(relation);
  }

  /** All relations are free again to follow their indicators. */
  release(): void {
    this.turned.clear();
    this.changes.clear();
    this.steady = false;
  }

  /** Values have jumped: indicators say what they are again. */
  jump(): void {
    this.doubts.clear();
  }

  /** From now on only values that are clear change relations, and nothing changes those that are `zero`. */
  settle(zero: Iterable<number>): void {
    this.steady = true;
    for (const relation of zero) this.turned.add(relation);
  }

  /** New values of relations of time and of watched ones; true if one changed. */
  update(weights: readonly Weight[]): boolean {
    return this.relations.updateTimeRelations(this.present.time) || this.updateWatched(weights);
  }

  /** New values of watched relations, those excepted. */
  updateWatched(weights: readonly Weight[], except: readonly number[] = []): boolean {
    const { values } = this.values.memory;
    const { mode } = this.present;
    let errors: Float64Array | undefined;
    let changed = false;
    for (const [i, { relation, slot }] of mode.watched.entries()) {
      if (this.turned.has(relation) || except.includes(relation)) continue;
      const impulse = this.impulse(relation, weights);
      const indicator = impulse || values[slot]!;
      if (Math.abs(indicator) <= (this.doubts.get(relation) ?? -1)) continue;
      const changes = this.changes.get(relation) ?? 0;
      if (!this.relations.differs(relation, indicator)) continue;
      const isClear = impulse !== 0 || this.relations.isBeyond(relation, indicator);
      if (!isClear && (this.steady || changes >= mostChanges)) {
        if (Math.abs(indicator) <= verge * this.relations.sizeOf(relation)) continue;
        errors ??= roundingErrors(this.values, mode);
        if (Math.abs(indicator) <= errors[i]!) continue;
      }
      this.relations.update(relation, indicator);
      this.changes.set(relation, changes + 1);
      changed = true;
    }
    return changed;
  }

  /**
   * The impulse of a relation's indicator, 0 without one. An impulse is an infinitely large value: the slopes of the indicator are those far out
   * in its direction, where `abs(tau)` has one. An indicator that stays bounded there counts with its limit.
   */
  impulse(relation: number, weights: readonly Weight[]): number {
    if (weights.length === 0) return 0;
    const { values, calls } = this;
    const { pool } = values;
    const indicator = values.indicatorOf(relation);
    const weightOf = new Map<Expr, number>(weights.map((w) => [pool.ref(w.symbol), w.weight]));
    const slopes = gradient(pool, indicator, (leaf) => weightOf.has(leaf), calls).value;
    if (!slopes || slopes.size === 0) return 0;
    return farOut(values, weightOf, () => {
      let sum = 0;
      for (const [leaf, slope] of slopes) sum += values.evaluate(slope) * weightOf.get(leaf)!;
      if (sum !== 0 || [...slopes.values()].every((slope) => slope.kind === 'const')) return sum || 0;
      return values.evaluate(indicator) || 0;
    });
  }

  /** Watched relations whose indicators have an impulse. */
  decidedBy(weights: readonly Weight[]): number[] {
    return this.present.mode.watched.flatMap(({ relation }) =>
      this.impulse(relation, weights) === 0 ? [] : [relation],
    );
  }

  /**
   * Relations follow their finite values once impulses are over; where both sides are equal, their `trend`, and at last the relation as
   * it is written. True if one changed.
   */
  followFinite(relations: readonly number[], trend: (relation: number) => number | undefined): boolean {
    let changed = false;
    for (const relation of relations) {
      const indicator = this.present.mode.indicatorNow(relation);
      if (indicator === undefined) continue;
      const clear = this.isOnVerge(relation) ? (trend(relation) ?? 0) : indicator;
      if (this.relations.update(relation, clear)) changed = true;
    }
    return changed;
  }

  /**
   * An indicator that was seen to change sign has done so. Evaluated again at the same point it may be zero or on its old side: by rounding, or because
   * a nonlinear system was solved from other values. This tells how large such errors are.
   */
  cross(): void {
    const { present } = this;
    const { mode } = present;
    // Systems are solved once more, from their solutions: what is evaluated later will differ by rounding at most.
    if (this.crossed.length > 0 && mode.isIterated) present.guarded(() => mode.evaluateWatched());
    for (const relation of this.crossed) {
      const side = this.relations.side(relation);
      const beyond = side * (mode.indicatorNow(relation) ?? -side);
      if (!(beyond >= 0)) continue;
      this.relations.update(relation, -side);
      this.doubts.set(relation, margin * beyond);
    }
  }

  /**
   * Of relations that were crossed together, one may have seemed to only as long as another had not changed: `y < 0` of a `y = if g > 0 then g else 0`. Those
   * have the values that they have now.
   */
  crossAgain(): void {
    const { present } = this;
    const { mode } = present;
    const { values } = this.values.memory;
    if (this.crossed.length < 2 || mode.isIterated) return;
    const before = mode.watched.map(({ slot }) => values[slot]!);
    present.guarded(() => mode.evaluateWatched());
    for (const [i, { relation, slot }] of mode.watched.entries()) {
      if (!this.crossed.includes(relation) || values[slot] === before[i]) continue;
      this.doubts.delete(relation);
      this.relations.update(relation, values[slot]!);
    }
  }

  /**
   * After a jump, a relation that was crossed may be left again at once: a ball that bounced is a rounding error below the
   * floor and moves up. Its limit from the right counts, so that one impact is one event. True if a value changed.
   */
  turnBack(trend: (relation: number) => number | undefined): boolean {
    let changed = false;
    for (const relation of this.crossed) {
      if (!this.isOnVerge(relation)) continue;
      const slope = this.slopeOf(relation) ?? trend(relation);
      if (slope !== undefined && slope * this.relations.side(relation) < 0) {
        if (this.relations.update(relation, slope)) changed = true;
        this.turned.add(relation);
      }
    }
    return changed;
  }

  /** Time derivative of left - right, where all that it depends on has a derivative in this mode; 0 where it is rounding. */
  slopeOf(relation: number): number | undefined {
    const { pool, model } = this.values;
    const { mode } = this.present;
    const orders = new Map(mode.sorted.variables.map((v) => [v.symbol, v.d]));
    const isVariable = ({ kind }: Expr): boolean => kind === 'ref' || kind === 'time';
    const slopes = gradient(
      pool,
      mode.resolve(this.values.indicatorOf(relation)),
      isVariable,
      this.calls,
    ).value;
    let [sum, size] = [0, 0];
    const add = (term: number): void => {
      sum += term;
      size += Math.abs(term);
    };
    for (const [leaf, slope] of slopes ?? []) {
      const factor = this.values.evaluate(slope);
      if (leaf.kind === 'time') add(factor);
      if (leaf.kind === 'ref' && model.scalars[leaf.symbol]?.kind === 'external') return undefined;
      if (leaf.kind !== 'ref' || !orders.has(leaf.symbol)) continue;
      if (leaf.order >= orders.get(leaf.symbol)!) return undefined;
      add(factor * this.values.get(pool.ref(leaf.symbol, leaf.order + 1)));
    }
    return slopes && (Math.abs(sum) <= rounding * size ? 0 : sum);
  }

  private isOnVerge(relation: number): boolean {
    const indicator = this.present.mode.indicatorNow(relation);
    return indicator !== undefined && Math.abs(indicator) <= verge * this.relations.sizeOf(relation);
  }
}

/** Looks at the memory with the variables far out in the direction of their weights. */
function farOut(values: RunValues, weightOf: ReadonlyMap<Expr, number>, look: () => number): number {
  let [size, largest] = [1, 0];
  const before = new Map([...weightOf.keys()].map((leaf) => [leaf, values.get(leaf)]));
  for (const value of before.values()) size = Math.max(size, Math.abs(value));
  for (const weight of weightOf.values()) largest = Math.max(largest, Math.abs(weight));
  const step = (far * size) / largest;
  try {
    for (const [leaf, weight] of weightOf) values.set(leaf, before.get(leaf)! + step * weight);
    return look();
  } finally {
    for (const [leaf, value] of before) values.set(leaf, value);
  }
}
