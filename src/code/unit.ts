/**
 * The intermediate form of generated code: straight-line routines over one memory of doubles. Two back ends run it:
 * WebAssembly (`wasm.ts`) for speed and an interpreter (`interpret.ts`) as the oracle and for diagnosis.
 */

import type { Expr } from '../symbolic/expr.ts';
import type { ExternalCalls, FunctionDef } from '../symbolic/function.ts';
import type { Pool } from '../symbolic/pool.ts';
import type { StringTable } from '../symbolic/strings.ts';
import type { Entry } from './calls.ts';

/** `memory[slot] := value`; Booleans are stored as 0 and 1. */
export interface SlotAssignment {
  readonly slot: number;
  readonly value: Expr;
}

export interface Routine {
  readonly name: string;
  readonly body: readonly SlotAssignment[];
}

/** What is compiled together: routines with the functions they call and the place of every leaf. */
export interface CodeUnit {
  readonly routines: readonly Routine[];
  readonly functions: readonly FunctionDef[];
  /** Computes functions that are code from outside. */
  readonly external?: ExternalCalls;
  /** The pool of all expressions; may be missing where the functions are in lowered form (`symbolic/lower.ts`). */
  readonly pool?: Pool;
  /** The numbers that stand for texts; may be missing where there are none. */
  readonly strings?: StringTable;
  /** The slot of a leaf (`time`, `ref`, `pre`, `held`). */
  readonly slotOf: (leaf: Expr) => number;
}

/** A unit ready to run. All programs of a simulation share one memory. */
export interface Program {
  /** Runs routine number k (the order of `CodeUnit.routines`). Throws a `Failure` where a check in a function fails. */
  run(k: number): void;
  /** The functions that routine k calls, in their order, for other code to call; undefined where it is interpreted. */
  entries?(k: number): readonly Entry[] | undefined;
}
