/**
 * New values of elements at events. `reinit(x[5], e)` with an array x of states of the field becomes two discrete variables of the scalar part, which
 * the field reads: the new value, and how often there was one.
 *
 *     when c then reinit(x[5], e); end when;      becomes      when c then $value1 = e; $count1 = pre($count1) + 1; end when;
 *
 * When the equations have settled, the field sets each element whose count is another one than it was, and the equations settle again.
 */

import { blank } from '../flat/core/blank.ts';
import type { FlatAction, FlatVariable } from '../flat/flat.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { FieldReset } from './field.ts';
import type { FieldMemory, FieldProgram } from './program.ts';

/** The actions in place of a reinit of an element; adds the variables that they assign. */
export function resetActions(
  pool: Pool,
  variables: FlatVariable[],
  resets: FieldReset[],
  { symbol, element }: Pick<FieldReset, 'symbol' | 'element'>,
  { value: expr, when, origin }: FlatAction & { kind: 'reinit' },
): FlatAction[] {
  const number = resets.length + 1;
  const added = {
    ...blank,
    variability: 'discrete',
    copy: true,
    start: pool.zero,
    fixed: true,
    origin,
  } as const;
  const value = variables.push({ ...added, name: `$value${number}` }) - 1;
  const count = variables.push({ ...added, name: `$count${number}`, type: 'Integer' }) - 1;
  resets.push({ symbol, element, value, count });
  const assigned = (target: number, own: Expr): FlatAction => ({
    kind: 'assign',
    target: pool.ref(target),
    value: when ? pool.if(when, own, pool.pre(target)) : own,
    origin,
  });
  return [assigned(value, expr), assigned(count, pool.add(pool.pre(count), pool.one))];
}

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
