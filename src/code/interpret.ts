/**
 * The interpreter of units: slow, simple, and the oracle that compiled code is compared with.
 */
import { type Environment, evaluateIn } from '../symbolic/evaluate.ts';
import type { Memory } from './memory.ts';
import type { Program, Unit } from './unit.ts';

/** Runs a unit by evaluating its expressions one by one over the same memory. */
export function interpretUnit(unit: Unit, memory: Memory): Program {
  const run = (k: number): void => {
    const environment: Environment = {
      leaf: (leaf) => memory.values[unit.slotOf(leaf)] ?? Number.NaN,
    };
    for (const { slot, value } of unit.routines[k]!.body) {
      memory.values[slot] = Number(evaluateIn(value, environment));
    }
  };
  return { run };
}
