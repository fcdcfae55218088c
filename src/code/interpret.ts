/**
 * The interpreter of units: slow, simple, and the oracle that compiled code is compared with. It also answers why a
 * routine gave something that is no finite number.
 */
import { type Environment, evaluateIn } from '../symbolic/evaluate.ts';
import { Interpreter } from '../symbolic/functions.ts';
import { Pool } from '../symbolic/pool.ts';
import { EvaluationError } from './fault.ts';
import type { Memory } from './memory.ts';
import type { Program, Unit } from './unit.ts';

/** Runs a unit by evaluating its expressions one by one over the same memory. */
export function interpretUnit(unit: Unit, memory: Memory): Program {
  const run = (k: number): void => {
    interpretRoutine(unit, k, memory.values);
  };
  return { run };
}

/** Runs one routine over these values. */
export function interpretRoutine(unit: Unit, k: number, values: Float64Array): void {
  const environment = environmentOf(unit, values);
  try {
    for (const { slot, value } of unit.routines[k]!.body) {
      values[slot] = Number(evaluateIn(value, environment));
    }
  } catch (problem) {
    // The interpreter's own recursion may meet the end of the stack before its limit.
    if (!(problem instanceof RangeError)) throw problem;
    throw new EvaluationError('recursion', '', undefined, 'Function calls are nested too deeply.');
  }
}

function environmentOf(unit: Unit, values: Float64Array): Environment {
  const interpreter = new Interpreter(unit.pool ?? new Pool(), unit.functions);
  return { leaf: (leaf) => values[unit.slotOf(leaf)] ?? 0, call: interpreter.call };
}
