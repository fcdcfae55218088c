/**
 * The interpreter of units: slow, simple, and the oracle that compiled code is compared with. It also answers why a
 * routine gave something that is no finite number.
 */
import { type Environment, evaluateIn } from '../symbolic/evaluate.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { Pool } from '../symbolic/pool.ts';
import type { Memory } from './memory.ts';
import type { Program, Unit } from './unit.ts';

/** Runs a unit by evaluating its expressions one by one over the same memory. */
export function interpretUnit(unit: Unit, memory: Memory): Program {
  const run = (k: number): void => {
    const values = memory.values;
    const environment = environmentOf(unit, values);
    for (const { slot, value } of unit.routines[k]!.body) {
      values[slot] = Number(evaluateIn(value, environment));
    }
  };
  return { run };
}

function environmentOf(unit: Unit, values: Float64Array): Environment {
  const interpreter = new Interpreter(unit.pool ?? new Pool(), unit.functions);
  return { leaf: (leaf) => values[unit.slotOf(leaf)] ?? 0, call: interpreter.call };
}
