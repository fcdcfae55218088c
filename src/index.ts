/**
 * Mutabor for programs, in Node and in browsers: from models to results. Tables of results, their files and plots are in
 * `results.ts`, which is `mutabor/results`.
 *
 *     import { loadModel, simulate } from 'mutabor';
 *     import { plotSvg } from 'mutabor/results';
 *
 *     const model = loadModel('model Decay Real x(start = 1); equation der(x) = -x; end Decay;');
 *     const { table, status } = await simulate(model, { stopTime: 5 });
 *     table.value('x', 1);            // 0.3678…
 *     const picture = plotSvg(table); // SVG text
 *
 * Nothing here reads files: libraries come through the `FileSystem` that a `Library` is given.
 */

export { modelFromJson, modelToJson } from './api/json.ts';
export { addModels, type NamedModels, toModelica } from './api/library.ts';
export {
  array,
  Changes,
  /** @deprecated Use `Changes`, which hides nothing of JavaScript's own. */
  Changes as Map,
  Class,
  Component,
  constant,
  flow,
  Integer,
  input,
  Model,
  type ModelValue,
  merge,
  output,
  Par,
  parameter,
  potential,
  quantity,
  redeclare,
  Var,
} from './api/model.ts';
export { connect, modelica, type Template } from './api/template.ts';
export type {
  Attributes,
  ChangeSet,
  ComponentAttributes,
  Items,
  ModelData as AnyModel,
  Quantity,
  Variable,
} from './api/value.ts';
export type { Audit } from './audit/index.ts';
export {
  type BuiltIn,
  banded,
  type Columns,
  type ComponentEvent,
  type ComponentPattern,
  type ConstantOptions,
  type Explanation,
  type Instance,
  type ParameterValue,
  type Place,
  type Point,
  type PointArrays,
  type PointSizes,
  type Segment,
  type StateOptions,
  scattered,
  type Trouble,
  type VariableDeclaration,
  type VariableOptions,
} from './builtin/component.ts';
export type { Picture, PicturedGeometry, PicturedShape, PicturedVisual } from './builtin/picture.ts';
export { type DiagnosticCode, diagnosticCodes } from './diagnostic/codes.ts';
export type { Diagnostic, Severity, Stage } from './diagnostic/diagnostic.ts';
export { Failure } from './diagnostic/failure.ts';
export { heeding, Interrupted, type StopSignal } from './diagnostic/pulse.ts';
export { type RenderOptions, renderDiagnostic } from './diagnostic/render.ts';
export { type Position, Source, type Span } from './diagnostic/source.ts';
export { type Exported, type ExportOptions, exportModelica } from './export/index.ts';
export type { FlatModel } from './flat/flat.ts';
export {
  type InstantiateOptions,
  instantiate,
  type ModelSource,
  type ParameterInfo,
  type PointRun,
  type RunOptions,
  Simulation,
  type VariableInfo,
} from './instantiate.ts';
export {
  type ExternalFunction,
  type Externals,
  type FileContent,
  type Files,
  type FlatModelOptions,
  flatModelOf,
  type LoadOptions,
  lastModel,
  libraryOf,
  loadModel,
  loadText,
  type Overrides,
  type Translation,
  translate,
} from './load.ts';
export type { Merge, MergeOf, MergeValue } from './merge.ts';
export type { FileSystem } from './model/classes/files.ts';
export { TextFiles } from './model/classes/texts.ts';
export type { Override } from './model/instances/outside.ts';
export { Library } from './model/library.ts';
/** @deprecated Import them from `mutabor/results`. */
export * from './results.ts';
export {
  type ArraySurvey,
  type CompiledCode,
  check,
  compiledCode,
  type Difference,
  forgetCode,
  type Impulse,
  type InputValues,
  type Linearization,
  type LinearizeOptions,
  linearize,
  type Method,
  type ModeEquations,
  type ModelCheck,
  type ModeStructure,
  type ModeSurvey,
  type ModeVisit,
  modeEquations,
  type RunSnapshot,
  type RunSoFar,
  type SegmentVisit,
  type SimulateOptions,
  type SimulationResult,
  type SolvedBlock,
  type Statistics,
  type Status,
  type SteadyOptions,
  type SteadyStateResult,
  type SurveyedMode,
  type SurveyedStructure,
  type SurveyOptions,
  simulate,
  stateFromText,
  stateToText,
  steadyState,
  surveyArrays,
  surveyModes,
  useCode,
  type WrittenEquation,
} from './simulate/index.ts';
export { parse, parseExpression } from './syntax/parser.ts';
