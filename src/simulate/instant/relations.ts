/**
 * Relations and time events. A relation keeps its value between events in a slot of the memory; this class decides what
 * the value is at an event, and when the next event is due that time alone causes.
 *
 * Relations of time and discrete values change at a time known beforehand. There the limit from the right counts:
 * at t = 5, `time > 5` is true already. At initialisation all relations are exact.
 */
import { remember } from '../../collections/memo.ts';
import { choosingRelations } from '../../modes/undecided.ts';
import { type RunValues, SeenValues } from '../../program/evaluation.ts';
import type { Runtime } from '../../program/runtime.ts';
import { ClockTicks, sameTime } from '../../program/ticks.ts';
import { leaves, symbolsOf } from '../../symbolic/analyse.ts';
import { holds } from '../../symbolic/arithmetic.ts';
import { partial } from '../../symbolic/differentiate.ts';
import type { Expr } from '../../symbolic/expr.ts';

/** How far out values are beyond all others, as a multiple of these. */
export const far = 1e8;

/** A relation of time, and when it switches; most switch times stay as they are from event to event. */
class TimeRelation {
  /** The switch time, and the derivative of left - right by time. */
  at = Number.NaN;
  rate = Number.NaN;
  /** What both depend on. */
  private readonly inputs: SeenValues;

  constructor(
    private readonly values: RunValues,
    readonly relation: number,
    private readonly switchTime: Expr,
    private readonly slope: Expr,
  ) {
    const leavesOfBoth = [...leaves(switchTime), ...leaves(slope)];
    this.inputs = new SeenValues(values, leavesOfBoth, (now, before) => now === before);
  }

  refresh(): void {
    if (!this.inputs.look() && !Number.isNaN(this.at)) return;
    this.at = this.values.evaluate(this.switchTime);
    this.rate = this.values.evaluate(this.slope);
  }
}

export class Relations {
  private readonly timeRelations: TimeRelation[] = [];
  readonly ticks: ClockTicks;
  readonly heldSlots: Int32Array;
  /** The relation that was the last to change. */
  latest: number | undefined;
  private readonly nominals = new Map<number, number>();
  /** The largest sizes of indicators so far, and the relations that choose modes as they were when somebody first asked: a value. */
  now: { largest: Float64Array; choosing: ReadonlySet<number> | undefined };

  constructor(private readonly runtime: Runtime) {
    this.now = { largest: new Float64Array(runtime.model.relations.length), choosing: undefined };
    this.ticks = new ClockTicks(runtime.values, runtime.wording);
    const { pool, model } = runtime.values;
    this.heldSlots = Int32Array.from(model.relations, (_, k) => runtime.values.slot(pool.held(k)));
    for (const [k, relation] of model.relations.entries()) {
      if (!relation.switchTime) continue;
      const slope = partial(pool, runtime.values.indicatorOf(k), pool.time).value ?? pool.one;
      this.timeRelations.push(new TimeRelation(runtime.values, k, relation.switchTime, slope));
    }
  }

  /** The next time event after `time`, or infinity; `idle` tells by relation which cause none. */
  nextTime(time: number, idle: Uint8Array): number {
    let { next } = this.ticks;
    for (const timeRelation of this.timeRelations) {
      if (idle[timeRelation.relation]) continue;
      timeRelation.refresh();
      const { at } = timeRelation;
      if (at > time && !sameTime(at, time)) next = Math.min(next, at);
    }
    return next;
  }

  /** Takes note of the size of an indicator. */
  see(relation: number, indicator: number): void {
    const size = Math.abs(indicator);
    if (size > this.now.largest[relation]!) this.now.largest[relation] = size;
  }

  /**
   * Size of the sides of a relation: an indicator is zero that is small beside it. It is at least 1, or what the indicator ever was if that is less. What chooses
   * modes may have been rounding errors all along: of it, nominal values tell.
   */
  sizeOf(relation: number): number {
    const { runtime, now } = this;
    now.choosing ??= choosingRelations(runtime.model);
    const { left, right } = runtime.model.relations[relation]!;
    const seen = now.choosing.has(relation)
      ? this.nominalOf(relation)
      : Math.min(1, now.largest[relation]! || 1);
    return Math.max(seen, Math.abs(runtime.values.evaluate(left)), Math.abs(runtime.values.evaluate(right)));
  }

  /**
   * Whether an indicator is beyond all that it ever was: nothing but an equation that is about singular makes it so, and no error of a number explains
   * it. As an impulse, it is clear.
   */
  isBeyond(relation: number, indicator: number): boolean {
    const size = Math.max(this.nominalOf(relation), this.now.largest[relation]!);
    return Math.abs(indicator) > far * size;
  }

  /** What is declared as the typical size of the sides of a relation; 1 without a declaration. */
  private nominalOf(relation: number): number {
    return remember(this.nominals, relation, () => {
      const { model, values } = this.runtime;
      const { left, right } = model.relations[relation]!;
      const declared = [left, right].flatMap(symbolsOf).filter((symbol) => model.scalars[symbol]?.nominal);
      return declared.length > 0 ? Math.max(...declared.map((symbol) => values.nominalOf(symbol))) : 1;
    });
  }

  /** The relation of time that is the next to change after `time`. */
  nextOfTime(time: number): number | undefined {
    let first: TimeRelation | undefined;
    for (const candidate of this.timeRelations)
      if (candidate.at > time && !(first && first.at <= candidate.at)) first = candidate;
    return first?.relation;
  }

  /** Exact values of all relations from the current memory, without regard to what they were. */
  setExactly(): void {
    for (let k = 0; k < this.heldSlots.length; k++) this.setOneExactly(k);
  }

  /** The same where both sides have values in a mode, whose aliases `resolve` replaces; true if one changed. */
  setKnownExactly(resolve: (expr: Expr) => Expr): boolean {
    let changed = false;
    for (let k = 0; k < this.heldSlots.length; k++) {
      const { left, right } = this.runtime.model.relations[k]!;
      const [own, other] = [left, right].map((side) => this.runtime.values.evaluateGuess(resolve(side)));
      const difference = own! - other!;
      if (!Number.isFinite(difference)) continue;
      if (this.update(k, difference)) changed = true;
    }
    return changed;
  }

  /** The same for relations of time; true if one changed. */
  setTimeExactly(): boolean {
    let changed = false;
    for (const { relation } of this.timeRelations) if (this.setOneExactly(relation)) changed = true;
    return changed;
  }

  private setOneExactly(relation: number): boolean {
    const { left, right } = this.runtime.model.relations[relation]!;
    const { values } = this.runtime;
    return this.update(relation, values.evaluateGuess(left) - values.evaluateGuess(right));
  }

  /** New values of relations of time, by their limit from the right. */
  updateTimeRelations(time: number): boolean {
    let changed = false;
    for (const timeRelation of this.timeRelations) {
      timeRelation.refresh();
      const { relation, at, rate } = timeRelation;
      const side = sameTime(at, time) ? 1 : time - at;
      // Where the factor of time is zero there is no such instant.
      if (rate === 0 ? this.setOneExactly(relation) : this.update(relation, side * rate)) changed = true;
    }
    return changed;
  }

  /** New value of one relation from its indicator left - right. */
  update(relation: number, indicator: number): boolean {
    return this.hold(relation, holds(this.runtime.model.relations[relation]!.op, indicator));
  }

  /** Whether an indicator says something else than the relation. */
  differs(relation: number, indicator: number): boolean {
    return holds(this.runtime.model.relations[relation]!.op, indicator) !== this.held(relation);
  }

  /** A first guess of a relation. */
  set(relation: number, value: boolean): void {
    this.hold(relation, value);
  }

  /** What all relations are. */
  key(): string {
    const { values } = this.runtime.values.memory;
    return this.heldSlots.reduce((key, slot) => key + (values[slot] ? '1' : '0'), '');
  }

  held(relation: number): boolean {
    return this.runtime.values.memory.values[this.heldSlots[relation]!] !== 0;
  }

  /** Whether a relation would change if its sides were equal. */
  changesAtZero(relation: number): boolean {
    return this.held(relation) !== holds(this.runtime.model.relations[relation]!.op, 0);
  }

  /** The sign of left - right that agrees with the held value. */
  side(relation: number): 1 | -1 {
    const { op } = this.runtime.model.relations[relation]!;
    return this.held(relation) === (op === 'gt' || op === 'ge') ? 1 : -1;
  }

  private hold(relation: number, value: boolean): boolean {
    const { values } = this.runtime.values.memory;
    const slot = this.heldSlots[relation]!;
    if ((values[slot] !== 0) === value) return false;
    values[slot] = value ? 1 : 0;
    this.latest = relation;
    return true;
  }
}
