/** Simulation of flat models: the public face of this folder. */
import { interpretUnit } from '../code/interpret.ts';
import { compileUnit } from '../code/wasm.ts';
import { Failure } from '../diagnostic/diagnostic.ts';
import type { FlatModel } from '../flat/flat.ts';
import { lowerModel } from '../modes/lower.ts';
import { withSliding } from '../modes/sliding.ts';
import { TableBuilder } from '../results/builder.ts';
import type { ModeBank } from './bank.ts';
import { countsOf } from './check.ts';
import { Engine, noCounts } from './engine.ts';
import { Runtime } from './runtime.ts';
import { type Settings, settingsOf } from './settings.ts';
import { requireOneStructure } from './single.ts';
import type { SimulateOptions, SimulationResult, Statistics } from './types.ts';

export { check, type ModelCheck, type ModeStructure } from './check.ts';
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
  Method,
  ModeVisit,
  SegmentVisit,
  SimulateOptions,
  SimulationResult,
  Statistics,
  Status,
} from './types.ts';

/** Work between two looks at the event loop, in milliseconds. */
const slice = 30;
/** Steps between two looks at the clock, at most. */
const mostUnwatched = 64;

/**
 * Simulates a model. Never rejects because of the model: what goes wrong is told by `status`, `stage` and
 * `diagnostics`, and the results up to that point are in `table`. The work is cut in slices, so that progress can be
 * shown and the signal be heard.
 */
export async function simulate(flat: FlatModel, options: SimulateOptions = {}): Promise<SimulationResult> {
  const settings = settingsOf(flat.experiment, options);
  const clock = new Clock();
  let runtime: Runtime | undefined;
  let engine: Engine | undefined;
  let failure: Failure | undefined;
  try {
    const model = lowerModel(flat);
    if (settings.singleMode) requireOneStructure(model);
    runtime = new Runtime(
      settings.sliding ? withSliding(model) : model,
      options.interpret ? interpretUnit : compileUnit,
    );
    engine = new Engine(runtime, settings);
    engine.initialise();
    clock.startIntegration(engine.bank);
    await drive(engine, settings, options, clock);
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    failure = problem;
  }
  engine?.finish();
  const modes = engine?.visits ?? [];
  const impulses = engine?.impulses ?? [];
  const statistics: Statistics = {
    ...clock.stop(engine?.bank),
    ...(engine?.counters ?? noCounts),
    modesCompiled: engine?.bank.compiled ?? 0,
    states: modes[0]?.states ?? [],
    ...(runtime ? countsOf(runtime, engine?.initialMode?.mode) : { unknowns: 0, equations: 0 }),
  };
  const { startTime, stopTime, tolerance, intervals, method } = settings;
  const experiment = { startTime, stopTime, tolerance, intervals, method };
  const attributes = { experiment, statistics: { ...statistics } };
  return {
    model: flat.name,
    status: failure ? 'failed' : (engine?.status ?? 'failed'),
    ...(failure && { stage: failure.stage }),
    time: engine?.time ?? settings.startTime,
    table: (engine?.recorder ?? new TableBuilder([])).finish({
      model: flat.name,
      impulses,
      modes,
      attributes,
    }),
    modes,
    segments: engine?.segments.visits ?? [],
    impulses,
    statistics,
    diagnostics: [
      ...(engine ? runtime!.missingValues() : []),
      ...(engine?.diagnostics ?? []),
      ...(failure?.diagnostics ?? []),
    ],
  };
}

/** Advances to the end, with a look at the event loop now and then. */
async function drive(
  engine: Engine,
  settings: Settings,
  options: SimulateOptions,
  clock: Clock,
): Promise<void> {
  let sliceStarted = performance.now();
  // Looking at the clock costs as much as a step of a small model: after quick steps it is done less often.
  let untilLook = 1;
  let stride = 1;
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
