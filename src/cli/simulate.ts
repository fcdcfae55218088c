/** `mutabor simulate`: from the command line to result files and a summary. */
import { hasErrors } from '../diagnostic/diagnostic.ts';
import { Failure } from '../diagnostic/failure.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { Settings, SimulateOptions } from '../simulate/settings.ts';
import type { SimulationResult } from '../simulate/types.ts';
import type { Core } from './core.ts';
import { loadModel } from './load.ts';
import type { Arguments } from './options.ts';
import { checkTargets, pictureOf, readTargets, writeTargets } from './output.ts';
import { showProgress } from './progress.ts';
import { conclude, type ExitStatus, mannerOf, type ReportManner, refuse, together } from './report.ts';
import { checkSettings, settingsOf } from './settings.ts';
import { FileShelf } from './shelf.ts';
import { checkVariables, selectSignals } from './signals.ts';
import { resultJson, summary } from './summary.ts';
import type { Io } from './surroundings.ts';
import { checkFrom, checkHold, inputTable, originRow } from './table.ts';

export async function simulateCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const wrong = [
    ...args.diagnostics,
    ...checkSettings(args),
    ...checkHold(args),
    ...checkFrom(args),
    ...checkTargets(args, io),
  ];
  if (wrong.length > 0) return refuse(io, { status: 2, diagnostics: wrong }, manner);
  const loaded = await loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model, milliseconds: loadMs } = loaded;
  const origin = originRow(args, io);
  const { given, settings, diagnostics: wrongNumbers } = settingsOf(args, model.experiment, origin.beginning);
  const inputs = inputTable(args, io, model);
  const unusable = [
    ...wrongNumbers,
    ...inputs.diagnostics,
    ...origin.diagnostics,
    ...checkVariables(args, model),
    ...readTargets(args, io, loaded.sources),
  ];
  const { name } = model;
  if (unusable.length > 0) return refuse(io, { status: 2, model: name, diagnostics: unusable }, manner);
  const kept = io.keeping();
  const options = {
    ...given,
    ...settings,
    ...(inputs.table && { inputs: inputs.table }),
    ...(origin.beginning && { from: origin.beginning.table }),
    signal: kept.signal,
    shelf: new FileShelf(),
    onProgress: kept.begin,
  };
  const result = await run(model, options, io, core, manner);
  kept.write();
  if (result instanceof Failure) {
    kept.end();
    const diagnostics = together(loaded.diagnostics, result.diagnostics);
    return refuse(io, { status: 1, model: name, stage: result.stage, diagnostics }, manner);
  }
  const selection = selectSignals(args, result.table);
  const named = args.given.has('variables') ? selection.table : undefined;
  const plot = pictureOf(args, result.table, named);
  const animated = args.given.has('animation') ? (await import('./animate.ts')).animated : undefined;
  const written = writeTargets(args, io, { table: selection.table, plot, run: result, animated });
  kept.end();
  const late = [...selection.diagnostics, ...written.diagnostics];
  const diagnostics = [...together(loaded.diagnostics, result.diagnostics), ...late];
  const { isNamed } = selection;
  const finished = { result, settings, loadMs, named, isNamed, paths: written.paths };
  const object = (): object => resultJson(finished);
  conclude(io, manner, diagnostics, object, () => summary(io, finished));
  if (hasErrors([...selection.diagnostics, ...plot.diagnostics])) return 2;
  const complete = result.status === 'done' || result.status === 'terminated';
  if (result.audit && result.audit.diagnostics.length > 0) return 1;
  return complete && !hasErrors(late) ? 0 : 1;
}

/** Runs with progress on a terminal. */
async function run(
  model: FlatModel,
  options: Settings & SimulateOptions,
  io: Io,
  core: Core,
  manner: ReportManner,
): Promise<SimulationResult | Failure> {
  const span = { start: options.startTime, stop: options.stopTime };
  const silent = { write: () => {}, isTerminal: false };
  const progress = showProgress(manner.quiet ? silent : io.err, model.name, span);
  try {
    const onProgress: SimulateOptions['onProgress'] = (...reached) => {
      options.onProgress?.(...reached);
      progress.update(reached[0]);
    };
    const result = await core.simulate(model, { ...options, onProgress });
    // What code of the model has left behind, a promise that is rejected, is reported before the results.
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  } finally {
    progress.end();
  }
}
