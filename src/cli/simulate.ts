/** `mutabor simulate`: from the command line to result files and a summary. */
import { Failure } from '../diagnostic/diagnostic.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { Settings } from '../simulate/settings.ts';
import type { SimulationResult } from '../simulate/types.ts';
import type { Core } from './core.ts';
import type { Io } from './io.ts';
import { loadModel, refuse } from './load.ts';
import type { Arguments } from './options.ts';
import { checkTargets, pictureOf, writeTargets } from './output.ts';
import { showProgress } from './progress.ts';
import { type ExitStatus, type Manner, printDiagnostics, printJson, show, together } from './report.ts';
import { checkSettings, settingsOf } from './settings.ts';
import { selectSignals } from './signals.ts';
import { resultJson, summary } from './summary.ts';

export async function simulateCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner: Manner = { json: args.given.has('json'), quiet: args.given.has('quiet') };
  const wrong = [...args.diagnostics, ...checkSettings(args), ...checkTargets(args, io)];
  if (wrong.length > 0) return refuse(io, { ok: false, status: 2, diagnostics: wrong }, manner);
  const loaded = await loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { model, milliseconds: loadMs } = loaded;
  const { settings, diagnostics: unusable } = settingsOf(args, model.experiment);
  if (unusable.length > 0) {
    return refuse(io, { ok: false, status: 2, model: model.name, diagnostics: unusable }, manner);
  }
  const result = await run(model, settings, args.given.has('audit'), io, core, manner);
  if (result instanceof Failure) {
    const diagnostics = together(loaded.diagnostics, result.diagnostics);
    return refuse(io, { ok: false, status: 1, model: model.name, stage: result.stage, diagnostics }, manner);
  }
  const selection = selectSignals(args, result.table);
  const isNamed = args.given.has('variables');
  const plot = pictureOf(args, result.table, isNamed ? selection.table : undefined);
  const written = writeTargets(args, io, { table: selection.table, plot });
  const late = [...selection.diagnostics, ...written.diagnostics];
  const diagnostics = [...together(loaded.diagnostics, result.diagnostics), ...late];
  const named = isNamed ? selection.table : undefined;
  const finished = { result, settings, loadMs, diagnostics, named, paths: written.paths };
  printDiagnostics(io, diagnostics, manner);
  if (manner.json) printJson(io, resultJson(finished));
  else if (!manner.quiet) show(io, summary(io, finished));
  if ([...selection.diagnostics, ...plot.diagnostics].some(({ severity }) => severity === 'error')) return 2;
  const complete = result.status === 'done' || result.status === 'terminated';
  if (result.audit && result.audit.diagnostics.length > 0) return 1;
  return complete && !late.some((item) => item.severity === 'error') ? 0 : 1;
}

/** Runs with progress on a terminal; Ctrl-C ends the run with the results so far. */
async function run(
  model: FlatModel,
  settings: Settings,
  audit: boolean,
  io: Io,
  core: Core,
  manner: Manner,
): Promise<SimulationResult | Failure> {
  const span = { start: settings.startTime, stop: settings.stopTime };
  const silent = { write: () => {}, isTerminal: false };
  const progress = showProgress(manner.quiet ? silent : io.err, model.name, span);
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  try {
    const onProgress = (time: number): void => progress.update(time);
    return await core.simulate(model, { ...settings, audit, signal: interrupt.signal, onProgress });
  } catch (problem) {
    if (problem instanceof Failure) return problem;
    throw problem;
  } finally {
    release();
    progress.end();
  }
}
