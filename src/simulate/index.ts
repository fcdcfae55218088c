/** Simulation of flat models: the public face of this folder. */

import { requireFlat } from '../flat/core/require.ts';
import type { FlatModel } from '../flat/flat.ts';
import { Session } from './session.ts';
import type { LinearizeOptions, SimulateOptions, SteadyOptions } from './settings.ts';
import type { Linearization, SimulationResult, SteadyStateResult } from './types.ts';

export { type CompiledCode, compiledCode, forgetCode, useCode } from '../code/modules.ts';
export { type ArraySurvey, surveyArrays } from '../fields/index.ts';
export { check, type ModelCheck } from './check.ts';
export { type ModeEquations, modeEquations, type SolvedBlock, type WrittenEquation } from './equations.ts';
export { stateFromText, stateToText } from './run/snapshot.ts';
export type { InputValues, LinearizeOptions, Method, SimulateOptions, SteadyOptions } from './settings.ts';
export type { ModeStructure } from './structure.ts';
export {
  type Difference,
  type ModeSurvey,
  type SurveyedMode,
  type SurveyedStructure,
  type SurveyOptions,
  surveyModes,
} from './survey.ts';
export type {
  Impulse,
  Linearization,
  ModeVisit,
  RunSnapshot,
  RunSoFar,
  SegmentVisit,
  SimulationResult,
  Statistics,
  Status,
  SteadyStateResult,
} from './types.ts';

/** Simulates a model once; see `Session` for many runs. */
export async function simulate(flat: FlatModel, options: SimulateOptions = {}): Promise<SimulationResult> {
  requireFlat(flat, 'simulate');
  return new Session().simulate(flat, options);
}

/**
 * The linear model of a model, `der(x) = A x + B u`, `y = C x + D u`, at its start, at a time or at a steady state. Throws a `Failure` where there
 * is none.
 */
export async function linearize(flat: FlatModel, options: LinearizeOptions = {}): Promise<Linearization> {
  requireFlat(flat, 'linearize');
  return new Session().linearize(flat, options);
}

/** A state of a model in which nothing moves, from its start or from what it has come to at a time. Throws a `Failure` where none is found. */
export async function steadyState(flat: FlatModel, options: SteadyOptions = {}): Promise<SteadyStateResult> {
  requireFlat(flat, 'steadyState');
  return new Session().steadyState(flat, options);
}
