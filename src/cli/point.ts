/** What the commands `linearize` and `steady` have in common: a model, and the point of a run at which they look. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { PointOptions } from '../simulate/settings.ts';
import type { Core } from './core.ts';
import { type Loaded, loadModel } from './load.ts';
import { type Arguments, badOption, isNumber, optionValue } from './options.ts';
import { checkFile, readTargets } from './output.ts';
import { type ExitStatus, mannerOf, refuse, together } from './report.ts';
import { checkSettings, settingsOf } from './settings.ts';
import { checkVariables } from './signals.ts';
import type { Io } from './surroundings.ts';
import { checkHold, inputTable } from './table.ts';

export interface AtPoint<Result> {
  readonly result: Result;
  readonly loaded: Loaded;
}

/** Loads the model and looks at it; gives the exit status where something is wrong, which is reported. */
export async function atPoint<Result>(
  args: Arguments,
  io: Io,
  core: Core,
  extensions: readonly string[],
  look: (model: FlatModel, options: PointOptions) => Promise<Result>,
): Promise<AtPoint<Result> | ExitStatus> {
  const manner = mannerOf(args);
  const wrong = [
    ...args.diagnostics,
    ...checkSettings(args),
    ...checkTime(args),
    ...checkHold(args),
    ...checkFile(args, io, 'output', extensions),
  ];
  if (wrong.length > 0) return refuse(io, { status: 2, diagnostics: wrong }, manner);
  const loaded = await loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model } = loaded;
  const inputs = inputTable(args, io, model);
  const unusable = [
    ...inputs.diagnostics,
    ...checkVariables(args, model),
    ...readTargets(args, io, loaded.sources),
  ];
  if (unusable.length > 0) return refuse(io, { status: 2, model: model.name, diagnostics: unusable }, manner);
  const { startTime, tolerance, method, sliding } = settingsOf(args, model.experiment).given;
  const at = optionValue(args, 'at');
  const options: PointOptions = {
    ...(at !== undefined && { at: Number(at) }),
    ...(startTime !== undefined && { startTime }),
    ...(tolerance !== undefined && { tolerance }),
    ...(method !== undefined && { method }),
    ...(sliding !== undefined && { sliding }),
    ...(inputs.table && { inputs: inputs.table, hold: args.given.has('hold') }),
  };
  try {
    return { result: await look(model, options), loaded };
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    const diagnostics = together(loaded.diagnostics, problem.diagnostics);
    const isUsage = problem.diagnostics.every(
      ({ code, severity }) => severity !== 'error' || code === 'bad-option',
    );
    const status = isUsage ? 2 : 1;
    return refuse(io, { status, model: model.name, stage: problem.stage, diagnostics }, manner);
  }
}

function checkTime(args: Arguments): Diagnostic[] {
  const at = optionValue(args, 'at');
  if (at === undefined || (isNumber(at) && Number.isFinite(Number(at)))) return [];
  return [badOption(`\`--at ${at}\` is not a number.`)];
}
