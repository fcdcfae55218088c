/** Simulation of flat models: the public face of this folder. */

import { requireFlat } from '../flat/core/require.ts';
import type { FlatModel } from '../flat/flat.ts';
import { Session } from './session.ts';
import type { SimulateOptions } from './settings.ts';
import type { SimulationResult } from './types.ts';

export { type CompiledCode, compiledCode, forgetCode, useCode } from '../code/modules.ts';
export { type ArraySurvey, surveyArrays } from '../fields/index.ts';
export { check, type ModelCheck } from './check.ts';
export type { InputValues, Method, SimulateOptions } from './settings.ts';
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
  ModeVisit,
  SegmentVisit,
  SimulationResult,
  Statistics,
  Status,
} from './types.ts';

/** Simulates a model once; see `Session` for many runs. */
export async function simulate(flat: FlatModel, options: SimulateOptions = {}): Promise<SimulationResult> {
  requireFlat(flat, 'simulate');
  return new Session().simulate(flat, options);
}
