/** All modes of a model with what they were analysed on, for those who write them down: what `simulate` hands to `export`. */
import type { GuardedModel } from '../modes/guarded.ts';
import type { ConditionValues, Mode } from '../modes/mode.ts';
import type { RunValues } from '../program/evaluation.ts';
import type { Analysis } from '../program/mode/analyse.ts';
import type { Runtime } from '../program/runtime.ts';
import { initialSystem, type StartCondition } from '../program/values/initial.ts';
import { switchingIn } from '../program/values/switching.ts';
import type { Wording } from '../program/wording.ts';
import type { SortedMode } from '../structure/analysis.ts';
import type { Switching } from '../structure/jumps/jumps.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { FunctionDef } from '../symbolic/function.ts';

/** A mode on the way of the search. */
export interface Step {
  readonly values: ConditionValues;
  readonly changes: number;
  readonly predecessor: Examined | undefined;
}

export interface Examined extends Step {
  readonly mode: Mode;
  readonly analysis: Analysis;
}

interface CollectedModes {
  /** The initial mode first. */
  readonly modes: readonly Examined[];
  /** False where the limit ended the search. */
  readonly complete: boolean;
  readonly combinations: number;
  /** Conditions that select modes, besides the states of state machines. */
  readonly free: readonly number[];
}

export interface ModeCollection extends CollectedModes {
  readonly model: GuardedModel;
  /** User functions, and derivatives of them. */
  readonly functions: readonly FunctionDef[];
  readonly wording: Wording;
  /** Those with which a run begins. */
  readonly values: RunValues;
  /** A leaf that nothing else uses. */
  fresh(): Ref;
  /** Whether only events change a leaf. */
  switches(leaf: Expr): boolean;
  switchingIn(sorted: SortedMode): Switching;
  /** The conditions that determine values when a run begins in a mode. */
  initialConditions(mode: Mode, sorted: SortedMode): readonly StartCondition[];
}

export function collectionOf(runtime: Runtime, found: CollectedModes): ModeCollection {
  const { model, values, wording, code, facts } = runtime;
  return {
    ...{ ...found, model, values, wording, functions: code.functions },
    fresh: () => code.temporaries.fresh(),
    switches: (leaf) => facts.switches(leaf),
    switchingIn: (sorted) => switchingIn(runtime, sorted),
    initialConditions: (mode, sorted) => initialSystem(runtime, mode, sorted, 'given').usedConditions,
  };
}
