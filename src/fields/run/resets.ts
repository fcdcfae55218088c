/**
 * New values of elements at events. `reinit(x[5], e)` with an array x of states of the field becomes two discrete variables of the scalar part (`fields/cut/scalars.ts`), which
 * the field reads: the new value, and how often there was one.
 *
 *     when c then reinit(x[5], e); end when;      becomes      when c then $value1 = e; $count1 = pre($count1) + 1; end when;
 *
 * When the equations have settled, the field sets each element whose count is another one than it was, and the equations settle again.
 */

import type { FieldMemory, FieldProgram } from './program.ts';

/** The new values of a run. */
export class FieldResets {
  /** Slots of states, values and counts. */
  private readonly slots: readonly { readonly x: number; readonly value: number; readonly count: number }[];

  constructor({ field, layout }: FieldProgram) {
    this.slots = field.resets.map(({ symbol, element, value, count }) => ({
      x: layout.slotOf(symbol, 0, element),
      value: layout.slotOf(value, 0, 0),
      count: layout.slotOf(count, 0, 0),
    }));
  }

  /** Sets what got a new value since the last time. */
  apply({ doubles, counts }: FieldMemory): void {
    const set = new Map<number, number>();
    for (const [k, { x, value, count }] of this.slots.entries()) {
      const times = doubles[count]!;
      if (counts[k] === times) continue;
      counts[k] = times;
      const next = doubles[value]!;
      // Scalars tell what is wrong with these, and which of two values counts.
      if (!Number.isFinite(next)) throw new Error('an element gets no number');
      if (set.has(x) && set.get(x) !== next) throw new Error('an element gets two values');
      set.set(x, next);
      doubles[x] = next;
    }
  }
}
