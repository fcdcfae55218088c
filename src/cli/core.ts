/** The way from a library to results, as the commands use it: an interface, so that tests can put in their own. */
import type { Exported, ExportOptions } from '../export/index.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { Simulation } from '../instantiate.ts';
import type { LoadOptions, Translation } from '../load.ts';
import type { Override } from '../model/instances/outside.ts';
import type { Library } from '../model/library.ts';
import type {
  ModeEquations,
  ModelCheck,
  ModeSurvey,
  SurveyedMode,
  SurveyOptions,
} from '../simulate/index.ts';
import type { LinearizeOptions, SimulateOptions, SteadyOptions } from '../simulate/settings.ts';
import type { Linearization, SimulationResult, SteadyStateResult } from '../simulate/types.ts';

export interface Core {
  translate(
    library: Library,
    name: string,
    overrides?: readonly Override[],
    options?: LoadOptions,
  ): Translation;
  simulate(model: FlatModel, options?: SimulateOptions): Promise<SimulationResult>;
  /** These two reject with a `Failure`. */
  linearize(model: FlatModel, options?: LinearizeOptions): Promise<Linearization>;
  steadyState(model: FlatModel, options?: SteadyOptions): Promise<SteadyStateResult>;
  check(model: FlatModel): ModelCheck;
  instantiate(model: FlatModel): Pick<Simulation, 'parameters' | 'variables'>;
  surveyModes(model: FlatModel, options?: SurveyOptions): ModeSurvey;
  modeEquations(mode: SurveyedMode): ModeEquations | undefined;
  /** Throws a `Failure`. */
  exportModelica(model: FlatModel, options?: ExportOptions): Exported;
}
