/**
 * Relations and time events. A relation keeps its value between events in a slot of the memory; this class decides what
 * the value is at an event, and when the next event is due that time alone causes.
 *
 * Relations of time and discrete values change at a time known beforehand. There the limit from the right counts:
 * at t = 5, `time > 5` is true already. At initialisation all relations are exact.
 */
import type { Relation } from '../modes/guarded.ts';
import { partial } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Runtime } from './runtime.ts';
import { sameTime, Ticks } from './ticks.ts';

interface TimeRelation {
  readonly relation: number;
  readonly switchTime: Expr;
  /** Derivative of left - right by time. */
  readonly slope: Expr;
}

export class Relations {
  private readonly runtime: Runtime;
  private readonly timeRelations: TimeRelation[] = [];
  readonly ticks: Ticks;
  readonly heldSlots: Int32Array;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
    this.ticks = new Ticks(runtime);
    const { pool, model } = runtime;
    this.heldSlots = Int32Array.from(model.relations, (_, k) => runtime.slot(pool.held(k)));
    for (const [k, relation] of model.relations.entries()) {
      if (!relation.switchTime) continue;
      const slope = partial(pool, pool.sub(relation.left, relation.right), pool.time).value ?? pool.one;
      this.timeRelations.push({ relation: k, switchTime: relation.switchTime, slope });
    }
  }

  /** The next time event after `time`, or infinity; `idle` tells by relation which cause none. */
  nextTime(time: number, idle: Uint8Array): number {
    let { next } = this.ticks;
    for (const { relation, switchTime } of this.timeRelations) {
      if (idle[relation]) continue;
      const at = this.runtime.evaluate(switchTime);
      if (at > time && !sameTime(at, time)) next = Math.min(next, at);
    }
    return next;
  }

  /** Exact values of all relations from the current memory, without regard to what they were. */
  setExactly(): void {
    for (let k = 0; k < this.heldSlots.length; k++) this.setOneExactly(k);
  }

  /** The same for relations of time; true if one changed. */
  setTimeExactly(): boolean {
    let changed = false;
    for (const { relation } of this.timeRelations) if (this.setOneExactly(relation)) changed = true;
    return changed;
  }

  private setOneExactly(relation: number): boolean {
    const { left, right } = this.runtime.model.relations[relation]!;
    return this.update(relation, this.runtime.evaluate(left) - this.runtime.evaluate(right));
  }

  /** New values of relations of time, by their limit from the right. */
  updateTimeRelations(time: number): boolean {
    let changed = false;
    for (const { relation, switchTime, slope } of this.timeRelations) {
      const { op, left, right } = this.runtime.model.relations[relation]!;
      const rate = this.runtime.evaluate(slope);
      const at = this.runtime.evaluate(switchTime);
      const side = sameTime(at, time) ? 1 : time - at;
      // Where the factor of time is zero there is no such instant.
      const difference =
        rate === 0 ? this.runtime.evaluate(left) - this.runtime.evaluate(right) : side * rate;
      if (this.hold(relation, holds(op, difference))) changed = true;
    }
    return changed;
  }

  /** New value of one relation from its indicator left - right. */
  update(relation: number, indicator: number): boolean {
    return this.hold(relation, holds(this.runtime.model.relations[relation]!.op, indicator));
  }

  /** A first guess of a relation. */
  set(relation: number, value: boolean): void {
    this.hold(relation, value);
  }

  held(relation: number): boolean {
    return this.runtime.memory.values[this.heldSlots[relation]!] !== 0;
  }

  /** The sign of left - right that agrees with the held value. */
  side(relation: number): 1 | -1 {
    const { op } = this.runtime.model.relations[relation]!;
    return this.held(relation) === (op === 'gt' || op === 'ge') ? 1 : -1;
  }

  private hold(relation: number, value: boolean): boolean {
    const { values } = this.runtime.memory;
    const slot = this.heldSlots[relation]!;
    if ((values[slot] !== 0) === value) return false;
    values[slot] = value ? 1 : 0;
    return true;
  }
}

export function holds(op: Relation['op'], difference: number): boolean {
  switch (op) {
    case 'lt':
      return difference < 0;
    case 'le':
      return difference <= 0;
    case 'gt':
      return difference > 0;
    case 'ge':
      return difference >= 0;
  }
}
