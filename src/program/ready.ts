/**
 * A mode that is ready to run, as the parts of its program see it: what it consists of, where its values lie, and how it is evaluated.
 * `mode/compiled.ts` makes one.
 */
import type { Plan, Step } from '../code/plan.ts';
import type { CodeUnit } from '../code/unit.ts';
import type { Action, Machine, Transition } from '../modes/guarded.ts';
import type { ConditionValues, Mode } from '../modes/mode.ts';
import type { SortedMode } from '../structure/analysis.ts';
import type { Expr, Ref } from '../symbolic/expr.ts';
import type { ActiveComponent } from './components/components.ts';
import type { SystemFailure, SystemSolver } from './systems.ts';

/** A relation that is watched while integrating, with leaf and slot of left - right. */
export interface Watched {
  readonly relation: number;
  readonly leaf: Ref;
  readonly slot: number;
}

/** An action that belongs to the mode, with the slots of what it computes. */
export interface ArmedAction {
  readonly action: Action;
  readonly fire: number | undefined;
  readonly value: number | undefined;
}

/** A transition that can fire in the mode, with the slots of its condition and of the values of its actions. */
export interface ArmedTransition {
  readonly machine: Machine;
  readonly transition: Transition;
  readonly slot: number;
  readonly actionSlots: readonly number[];
}

export interface ReadyMode {
  readonly mode: Mode;
  readonly sorted: SortedMode;
  readonly plan: Plan;
  readonly conditions: ConditionValues;
  readonly unit: CodeUnit;
  readonly states: readonly Ref[];
  /** Replaces eliminated variables by what they are aliases of. */
  readonly resolve: (expr: Expr) => Expr;
  readonly watched: readonly Watched[];
  readonly actions: readonly ArmedAction[];
  readonly transitions: readonly ArmedTransition[];
  readonly systems: readonly SystemSolver[];
  /** Built-in components that exist. */
  readonly parts: readonly ActiveComponent[];
  /** Numbers of states and of indicators, those of parts included. */
  readonly size: number;
  readonly indicatorCount: number;
  /** The system that could not be solved in the last failed evaluation. */
  readonly failure: SystemFailure | undefined;
  /** Derivatives of the states; false where they cannot be computed. */
  derivatives(t: number, y: Float64Array, dy: Float64Array): boolean;
  /** As `derivatives`, once they are computed. */
  readDerivatives(dy: Float64Array): boolean;
  /** Moves the memory to a point in time without evaluating any equation; false where a component gives no number. */
  place(t: number, y: Float64Array): boolean;
  readStates(y: Float64Array): void;
  /** Values of the indicators, of relations and then of parts, once they are evaluated. */
  readIndicators(out: Float64Array): void;
  /**
   * Runs steps of the plan at the point where the memory is; false where a system has no solution. Where systems are `open`, unknowns of large ones are
   * in the memory, and what follows from them is computed.
   */
  execute(steps: readonly Step[], isOpen?: boolean): boolean;
  evaluateWatched(isOpen?: boolean): boolean;
  evaluateOutputs(): boolean;
}
