/** One run of a translated model, and its result. */
import { Failure } from '../diagnostic/diagnostic.ts';
import { TableBuilder } from '../results/builder.ts';
import type { ModeBank } from './bank.ts';
import { countsOf } from './check.ts';
import { Engine, noCounts } from './engine.ts';
import type { Prepared } from './session.ts';
import { badSettings, type Settings } from './settings.ts';
import type { SimulateOptions, SimulationResult, Statistics } from './types.ts';
import { NeedsScalars } from './written.ts';

/** Work between two looks at the event loop, in milliseconds. */
const slice = 30;
/** Steps between two looks at the clock, at most. */
const mostUnwatched = 64;

/**
 * One run, from what `prepare` gives to its result. Where arrays stay arrays and that leads nowhere (they would have to be
 * differentiated, for instance), the run begins anew with all of them written out as scalars. The work is cut in slices, so that progress
 * can be shown and the signal be heard.
 */
export async function drive(
  name: string,
  settings: Settings,
  options: SimulateOptions,
  prepare: (scalars: boolean) => Prepared,
): Promise<SimulationResult> {
  const clock = new Clock();
  let prepared: Prepared | undefined;
  let engine: Engine | undefined;
  let failure: Failure | undefined;
  try {
    const wrong = badSettings(settings);
    if (wrong.length > 0) throw new Failure('initialise', wrong);
    const start = (scalars: boolean): Engine => {
      prepared = prepare(scalars);
      const { runtime, bank } = prepared.translation;
      engine = new Engine(runtime, settings, bank);
      engine.initialise();
      return engine;
    };
    try {
      start(false);
    } catch (problem) {
      if (!(problem instanceof Failure) || !prepared?.translation.hasArrays) throw problem;
      start(true);
    }
    clock.startIntegration(engine!.bank);
    try {
      await advance(engine!, settings, options, clock);
    } catch (problem) {
      if (prepared!.translation.hasArrays && isUnsolvable(problem)) throw new NeedsScalars();
      throw problem;
    }
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    if (engine && prepared?.translation.assumes) throw new NeedsScalars();
    failure = problem;
  }
  engine?.finish();
  const modes = engine?.visits ?? [];
  const impulses = engine?.impulses ?? [];
  const runtime = prepared?.translation.runtime;
  const statistics = {
    ...clock.stop(engine?.bank),
    ...(engine?.counters ?? noCounts),
    translations: prepared?.isNew ? 1 : 0,
    modesCompiled: engine?.bank.compiled ?? 0,
    // Names of states may be many: they are formed where somebody asks.
    get states(): readonly string[] {
      return modes[0]?.states ?? [];
    },
    ...(runtime ? countsOf(runtime, engine?.initialMode?.mode) : { unknowns: 0, equations: 0 }),
  } satisfies Statistics;
  const { startTime, stopTime, tolerance, intervals, method } = settings;
  const experiment = { startTime, stopTime, tolerance, intervals, method };
  const attributes = { experiment, statistics };
  return {
    model: name,
    status: failure ? 'failed' : (engine?.status ?? 'failed'),
    ...(failure && { stage: failure.stage }),
    time: engine?.time ?? settings.startTime,
    table: (engine?.recorder ?? new TableBuilder([])).finish({ model: name, impulses, modes, attributes }),
    modes,
    segments: engine?.segments.visits ?? [],
    stepsAtRows: engine?.stepsAtRows ?? [],
    impulses,
    statistics,
    diagnostics: [
      ...(prepared?.diagnostics ?? []),
      ...(engine ? runtime!.missingValues() : []),
      ...(engine?.diagnostics ?? []),
      ...(failure?.diagnostics ?? []),
    ],
  };
}

/**
 * Whether a system of equations could not be solved: conditions of scalars can choose between structures, those of elements of arrays
 * that stay arrays cannot.
 */
function isUnsolvable(problem: unknown): boolean {
  const unsolvable: readonly string[] = ['singular-system', 'not-converged', 'event-cycle'];
  return problem instanceof Failure && unsolvable.includes(problem.diagnostics[0]!.code);
}

/** Advances to the end, with a look at the event loop now and then. */
async function advance(
  engine: Engine,
  settings: Settings,
  options: SimulateOptions,
  clock: Clock,
): Promise<void> {
  let sliceStarted = performance.now();
  // Looking at the clock costs as much as a step of a small model: after quick steps it is done less often.
  let untilLook = 1;
  let stride = 1;
  if (options.signal?.aborted) engine.interrupt();
  while (engine.advance()) {
    if (--untilLook > 0) continue;
    const spent = performance.now() - sliceStarted;
    stride = spent < slice / 2 ? Math.min(2 * stride, mostUnwatched) : 1;
    untilLook = stride;
    if (spent < slice) continue;
    await clock.pause(() => {
      options.onProgress?.(engine.time, settings.stopTime);
      return new Promise((resolve) => setTimeout(resolve, 0));
    });
    sliceStarted = performance.now();
    if (options.signal?.aborted) engine.interrupt();
  }
}

/** Tells apart the times of translation, of making code, and of integration; modes that are entered later count as the former two. */
class Clock {
  private readonly started = performance.now();
  private integrationStarted = Number.NaN;
  private inBank = 0;
  private paused = 0;

  startIntegration(bank: ModeBank): void {
    this.integrationStarted = performance.now();
    this.inBank = bank.translateMs + bank.compileMs;
  }

  async pause(work: () => Promise<unknown>): Promise<void> {
    const started = performance.now();
    await work();
    this.paused += performance.now() - started;
  }

  stop(bank: ModeBank | undefined): { translateMs: number; compileMs: number; simulateMs: number } {
    const ended = performance.now();
    const compileMs = bank?.compileMs ?? 0;
    const later = (bank?.translateMs ?? 0) + compileMs - this.inBank;
    const integrated = Number.isNaN(this.integrationStarted)
      ? 0
      : ended - this.integrationStarted - this.paused;
    const simulateMs = Math.max(0, integrated - (integrated > 0 ? later : 0));
    const translateMs = Math.max(0, ended - this.started - this.paused - compileMs - simulateMs);
    return { translateMs, compileMs, simulateMs };
  }
}
