/** The derivatives of a mode for integrators that call them without JavaScript in between, where one routine computes them from time and states alone. */
import { accessTo } from '../../code/access.ts';
import { timeSlot } from '../../code/memory.ts';
import { planSequence } from '../../code/sequence.ts';
import type { Program } from '../../code/unit.ts';
import type { DirectRhs } from '../../solve/integrator.ts';
import type { CodeStore } from '../store.ts';

/** Numbers are carried over one by one: beyond so many states loops in JavaScript are as fast. */
const mostStates = 50;

const addressesOf = (slots: Int32Array): Int32Array => slots.map((slot) => 8 * slot);

/** `routine`: that which computes all derivatives. */
export function directRhs(
  { memory }: CodeStore,
  { stateSlots, derivativeSlots }: Readonly<Record<'stateSlots' | 'derivativeSlots', Int32Array>>,
  program: Program,
  routine: number,
): DirectRhs | undefined {
  if (stateSlots.length > mostStates) return undefined;
  const entries = program.entries?.(routine);
  if (!entries) return undefined;
  return {
    ...accessTo(memory),
    run: planSequence(memory, [entries]),
    time: 8 * timeSlot,
    states: addressesOf(stateSlots),
    derivatives: addressesOf(derivativeSlots),
  };
}
