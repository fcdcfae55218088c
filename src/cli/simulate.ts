/** `mutabor simulate`: from the command line to result files and a summary. */
import { type Diagnostic, Failure } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import type { Experiment } from '../flat/flat.ts';
import { splitNames } from '../results/glob.ts';
import { chooseSignals } from '../results/plot/choose.ts';
import { readable } from '../results/plot/ticks.ts';
import type { SignalTable } from '../results/table.ts';
import type { Method, SimulateOptions, SimulationResult, Statistics } from '../simulate/types.ts';
import type { Core } from './core.ts';
import type { Io } from './io.ts';
import { type Loaded, loadModel, refuse } from './load.ts';
import { type Arguments, badOption, isNumber, optionValue } from './options.ts';
import { checkTargets, writeTargets } from './output.ts';
import { duration, showProgress } from './progress.ts';
import {
  diagnosticJson,
  type ExitStatus,
  failureJson,
  type Manner,
  painter,
  printDiagnostics,
  printJson,
} from './report.ts';

export async function simulateCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner: Manner = { json: args.given.has('json'), quiet: args.given.has('quiet') };
  const wrong = [...args.diagnostics, ...checkNumbers(args), ...checkMethod(args), ...checkTargets(args, io)];
  if (wrong.length > 0) return refuse(io, { ok: false, status: 2, diagnostics: wrong }, manner);
  const loaded = loadModel(args, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const settings = settingsOf(args, loaded.model.experiment);
  const { name } = loaded.model;
  if (!settings.ok)
    return refuse(io, { ok: false, status: 2, model: name, diagnostics: settings.diagnostics }, manner);
  let result: SimulationResult;
  try {
    result = await run(loaded, settings.options, io, core, manner);
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const diagnostics = [...loaded.diagnostics, ...failure.diagnostics];
    printDiagnostics(io, diagnostics, manner);
    if (manner.json) printJson(io, failureJson(name, failure.stage, diagnostics));
    return 1;
  }
  return finish(args, io, manner, loaded, settings.options, result);
}

type Complete = Required<Omit<SimulateOptions, 'signal' | 'onProgress'>>;

async function run(
  loaded: Loaded,
  options: Complete,
  io: Io,
  core: Core,
  manner: Manner,
): Promise<SimulationResult> {
  const span = { start: options.startTime, stop: options.stopTime };
  const silent = { write: () => {}, isTerminal: false };
  const progress = showProgress(manner.quiet ? silent : io.err, loaded.model.name, span);
  const interrupt = new AbortController();
  const release = io.onInterrupt(() => interrupt.abort());
  try {
    return await core.simulate(loaded.model, {
      ...options,
      signal: interrupt.signal,
      onProgress: (time) => progress.update(time),
    });
  } finally {
    release();
    progress.end();
  }
}

function finish(
  args: Arguments,
  io: Io,
  manner: Manner,
  loaded: Loaded,
  options: Complete,
  result: SimulationResult,
): ExitStatus {
  const list = optionValue(args, 'variables');
  const selection = selectSignals(result.table, list === undefined ? undefined : splitNames(list));
  const written = writeTargets(args, io, selection.table, list !== undefined);
  const diagnostics = [
    ...loaded.diagnostics,
    ...result.diagnostics,
    ...selection.diagnostics,
    ...written.diagnostics,
  ];
  printDiagnostics(io, diagnostics, manner);
  const wrong = selection.diagnostics.length > 0;
  const lost = written.diagnostics.length > 0;
  if (manner.json) printJson(io, resultJson(result, loaded.milliseconds, diagnostics));
  else if (!manner.quiet) io.out.write(summary(io, loaded, options, result, written.paths));
  if (wrong) return 2;
  return lost || result.status === 'failed' || result.status === 'stopped' ? 1 : 0;
}

/** Signals for output and plot: what the user named, otherwise everything that is not hidden. */
function selectSignals(
  table: SignalTable,
  globs: readonly string[] | undefined,
): { table: SignalTable; diagnostics: Diagnostic[] } {
  if (!globs) return { table: table.filter((signal) => !signal.hidden), diagnostics: [] };
  const idle = globs.filter((glob) => table.select([glob]).names.length === 0);
  // A run that failed before its first row has no signals, and that is reported already.
  const diagnostics =
    table.names.length === 0
      ? []
      : idle.map((glob) => {
          const meant = nearest(glob, table.names);
          return badOption(
            `No variable matches \`${glob}\` in \`--variables\`.`,
            meant ? `Did you mean \`${meant}\`?` : undefined,
          );
        });
  return { table: table.select(globs), diagnostics };
}

/** Options complete with the defaults of the experiment annotation. */
function settingsOf(
  args: Arguments,
  experiment: Experiment,
): { ok: true; options: Complete } | { ok: false; diagnostics: Diagnostic[] } {
  const number = (name: 'start' | 'stop' | 'tolerance' | 'intervals'): number | undefined => {
    const text = optionValue(args, name);
    return text === undefined ? undefined : Number(text);
  };
  const startTime = number('start') ?? experiment.startTime ?? 0;
  const stopTime = number('stop') ?? experiment.stopTime ?? startTime + 1;
  const tolerance = number('tolerance') ?? experiment.tolerance ?? 1e-6;
  const spacing = experiment.interval
    ? Math.ceil((stopTime - startTime) / experiment.interval - 1e-9)
    : undefined;
  const intervals = number('intervals') ?? experiment.intervals ?? spacing ?? 500;
  const method = (optionValue(args, 'method') ?? 'auto') as Method;
  if (stopTime < startTime) {
    const hint = args.given.has('stop')
      ? undefined
      : 'The stop time is that of the experiment annotation; use `--stop`.';
    return {
      ok: false,
      diagnostics: [badOption(`The stop time ${stopTime} lies before the start time ${startTime}.`, hint)],
    };
  }
  return { ok: true, options: { startTime, stopTime, tolerance, intervals: Math.max(1, intervals), method } };
}

/** More rows than anybody reads, and than memory holds for large models. */
const MOST_INTERVALS = 1e7;

function checkNumbers(args: Arguments): Diagnostic[] {
  return (['start', 'stop', 'tolerance', 'intervals'] as const).flatMap((name) => {
    const text = optionValue(args, name);
    if (text === undefined) return [];
    const value = Number(text);
    if (!isNumber(text) || !Number.isFinite(value))
      return [badOption(`\`--${name} ${text}\` is not a number.`)];
    if (name === 'tolerance' && !(value > 0 && value < 1)) {
      return [badOption(`\`--tolerance ${text}\` does not lie between 0 and 1.`)];
    }
    if (name === 'intervals' && !(Number.isInteger(value) && value >= 1 && value <= MOST_INTERVALS)) {
      return [badOption(`\`--intervals ${text}\` is not a whole number from 1 to ${MOST_INTERVALS}.`)];
    }
    return [];
  });
}

function checkMethod(args: Arguments): Diagnostic[] {
  if (optionValue(args, 'method') !== 'radau') return [];
  return [badOption('The method `radau` is not available in this version.', 'Use `bdf` for stiff models.')];
}

function resultJson(result: SimulationResult, loadMs: number, diagnostics: readonly Diagnostic[]): object {
  const visible = result.table.filter((signal) => !signal.hidden);
  return {
    model: result.model,
    status: result.status,
    stage: result.stage ?? null,
    time: result.time,
    final: Object.fromEntries(visible.final()),
    modes: result.modes,
    impulses: result.impulses,
    statistics: { ...result.statistics, translateMs: loadMs + result.statistics.translateMs },
    diagnostics: diagnostics.map(diagnosticJson),
  };
}

/** So many modes and impulses are listed. */
const LISTED = 12;

function summary(
  io: Io,
  loaded: Loaded,
  options: Complete,
  result: SimulationResult,
  paths: readonly string[],
): string {
  const paint = painter(io);
  const color = result.status === 'failed' ? 'red' : result.status === 'stopped' ? 'yellow' : 'green';
  const lines = [
    `${paint('bold', result.model)}: ${paint(color, result.status)} at ${readable(result.time)} s` +
      paint(
        'dim',
        ` (from ${options.startTime} s to ${options.stopTime} s, tolerance ${readable(options.tolerance)})`,
      ),
    ...(result.modes.length > 1 ? listed(modeLines(result)) : []),
    ...listed(
      result.impulses.map(
        ({ time, variable, weight }) => `  impulse at ${readable(time)} s  ${variable}  ${readable(weight)}`,
      ),
    ),
    ...finalLines(result.table),
    paint('dim', `  ${statisticsLine(result.statistics, loaded.milliseconds)}`),
    ...paths.map((path) => `  wrote ${path}`),
  ];
  return `${lines.join('\n')}\n`;
}

function listed(lines: readonly string[]): string[] {
  const rest = lines.length - LISTED;
  return rest > 0 ? [...lines.slice(0, LISTED), `  … and ${rest} more`] : [...lines];
}

function modeLines({ modes }: SimulationResult): string[] {
  const spans = modes.map(({ from, to }) => `${readable(from)} s to ${readable(to)} s`);
  const names = modes.map(({ signature }) => signature || '(no choices)');
  const width = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
  const [spanWidth, nameWidth] = [width(spans), width(names)];
  return modes.map(({ states, index }, i) => {
    const count = `${states.length} ${states.length === 1 ? 'state' : 'states'}`;
    return `  mode ${spans[i]!.padEnd(spanWidth)}  ${names[i]!.padEnd(nameWidth)}  ${count}, index ${index}`;
  });
}

/** The signals that a plot would choose, with their last values. */
function finalLines(table: SignalTable): string[] {
  if (table.rowCount === 0) return [];
  const names = chooseSignals(table);
  const width = Math.max(0, ...names.map((name) => name.length));
  return names.map((name) => {
    const value = table.at(name, table.rowCount - 1);
    const unit = table.info(name)!.unit;
    return `  ${name.padEnd(width)} = ${Number.isNaN(value) ? 'missing' : `${readable(value)}${unit && ` ${unit}`}`}`;
  });
}

function statisticsLine(statistics: Statistics, loadMs: number): string {
  const { steps, events, modesCompiled, translateMs, compileMs, simulateMs } = statistics;
  const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;
  const counts = `${count(steps, 'step')}, ${count(events, 'event')}, ${count(modesCompiled, 'mode')} compiled`;
  const times = `${duration(loadMs + translateMs)} to translate, ${duration(compileMs)} to compile, ${duration(simulateMs)} to simulate`;
  return `${counts}; ${times}`;
}
