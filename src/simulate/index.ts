/** Simulation of flat models: the public face of this folder. */
import { interpretUnit } from '../code/interpret.ts';
import { compileUnit } from '../code/wasm.ts';
import { Failure } from '../diagnostic/diagnostic.ts';
import type { FlatModel } from '../flat/flat.ts';
import { lowerModel } from '../modes/lower.ts';
import { TableBuilder } from '../results/table.ts';
import { countsOf } from './check.ts';
import { type Counters, Engine } from './engine.ts';
import { Runtime } from './runtime.ts';
import { settingsOf } from './settings.ts';
import type { SimulateOptions, SimulationResult, Statistics } from './types.ts';

export { check, type ModelCheck } from './check.ts';
export type {
  Impulse,
  Method,
  ModeVisit,
  SimulateOptions,
  SimulationResult,
  Statistics,
  Status,
} from './types.ts';

/** Work between two looks at the event loop, in milliseconds. */
const slice = 30;

/**
 * Simulates a model. Never rejects because of the model: what goes wrong is told by `status`, `stage` and
 * `diagnostics`, and the results up to that point are in `table`. The work is cut in slices, so that progress can be
 * shown and the signal be heard.
 */
export async function simulate(flat: FlatModel, options: SimulateOptions = {}): Promise<SimulationResult> {
  const settings = settingsOf(flat.experiment, options);
  const started = performance.now();
  let runtime: Runtime | undefined;
  let engine: Engine | undefined;
  let failure: Failure | undefined;
  let integrationStarted = Number.NaN;
  let paused = 0;
  try {
    runtime = new Runtime(lowerModel(flat), options.interpret ? interpretUnit : compileUnit);
    engine = new Engine(runtime, settings);
    engine.initialise();
    integrationStarted = performance.now();
    let sliceStarted = integrationStarted;
    while (engine.advance()) {
      if (performance.now() - sliceStarted < slice) continue;
      const pause = performance.now();
      options.onProgress?.(engine.time, settings.stopTime);
      await new Promise((resolve) => setTimeout(resolve, 0));
      sliceStarted = performance.now();
      paused += sliceStarted - pause;
      if (options.signal?.aborted) engine.interrupt();
    }
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    failure = problem;
  }
  const ended = performance.now();
  engine?.finish();
  const modes = engine?.visits ?? [];
  const impulses = engine?.impulses ?? [];
  return {
    model: flat.name,
    status: failure ? 'failed' : (engine?.status ?? 'failed'),
    ...(failure && { stage: failure.stage }),
    time: engine?.time ?? settings.startTime,
    table: (engine?.recorder ?? new TableBuilder([])).finish({ model: flat.name, impulses, modes }),
    modes,
    impulses,
    statistics: statisticsOf(runtime, engine, {
      total: ended - started - paused,
      integration: Number.isNaN(integrationStarted) ? 0 : ended - integrationStarted - paused,
    }),
    diagnostics: [
      ...(engine ? runtime!.missingValues() : []),
      ...(engine?.diagnostics ?? []),
      ...(failure?.diagnostics ?? []),
    ],
  };
}

function statisticsOf(
  runtime: Runtime | undefined,
  engine: Engine | undefined,
  times: { readonly total: number; readonly integration: number },
): Statistics {
  const none: Counters = { steps: 0, evaluations: 0, jacobians: 0, events: 0, modeChanges: 0 };
  const compileMs = engine?.bank.compileMs ?? 0;
  const first = engine?.visits[0];
  return {
    translateMs: Math.max(0, times.total - times.integration - compileMs),
    compileMs,
    simulateMs: times.integration,
    ...(engine?.counters ?? none),
    modesCompiled: engine?.bank.compiled ?? 0,
    states: first?.states ?? [],
    ...(runtime ? countsOf(runtime, engine?.mode?.mode) : { unknowns: 0, equations: 0 }),
  };
}
