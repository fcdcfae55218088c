/** Simulation of flat models: the public face of this folder. */
import { disassemble } from '../code/disassemble.ts';
import { interpretUnit } from '../code/interpret.ts';
import { compileUnit, encodeUnit } from '../code/wasm.ts';
import { type Diagnostic, Failure, type Stage } from '../diagnostic/diagnostic.ts';
import type { FlatModel } from '../flat/flat.ts';
import { lowerModel } from '../modes/lower.ts';
import type { Mode } from '../modes/mode.ts';
import type { SignalTable } from '../results/table.ts';
import { type Counters, Engine, type Settings } from './engine.ts';
import { Recorder } from './record.ts';
import { Runtime } from './runtime.ts';
import type { SimulateOptions, SimulationResult, Statistics } from './types.ts';

export type {
  Impulse,
  Method,
  ModeVisit,
  SimulateOptions,
  SimulationResult,
  Statistics,
  Status,
} from './types.ts';

/** Without a stop time in the model or the options. */
const defaultStopTime = 1;
const defaultTolerance = 1e-6;
const defaultIntervals = 500;
/** Work between two looks at the event loop, in milliseconds. */
const slice = 30;

/**
 * Simulates a model. Never rejects because of the model: what goes wrong is told by `status`, `stage` and
 * `diagnostics`, and the results up to that point are in `table`. The work is cut in slices, so that progress can be
 * shown and the signal be heard.
 */
export async function simulate(flat: FlatModel, options: SimulateOptions = {}): Promise<SimulationResult> {
  const settings = settingsOf(flat, options);
  const started = performance.now();
  const runtime = new Runtime(lowerModel(flat), options.interpret ? interpretUnit : compileUnit);
  let engine: Engine | undefined;
  let failure: Failure | undefined;
  let integrationStarted = Number.NaN;
  let paused = 0;
  try {
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
      if (options.signal?.aborted) engine.status = 'stopped';
    }
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    failure = problem;
  }
  const ended = performance.now();
  engine?.finish();
  return {
    model: flat.name,
    status: failure ? 'failed' : (engine?.status ?? 'failed'),
    ...(failure && { stage: failure.stage }),
    time: engine?.time ?? settings.startTime,
    table: tableOf(runtime, engine, flat),
    modes: engine?.visits ?? [],
    impulses: engine?.impulses ?? [],
    statistics: statisticsOf(runtime, engine, {
      total: ended - started - paused,
      integration: Number.isNaN(integrationStarted) ? 0 : ended - integrationStarted - paused,
    }),
    diagnostics: [
      ...(engine ? runtime.missingValues() : []),
      ...(engine?.diagnostics ?? []),
      ...(failure?.diagnostics ?? []),
    ],
  };
}

function settingsOf({ experiment }: FlatModel, options: SimulateOptions): Settings {
  const startTime = options.startTime ?? experiment.startTime ?? 0;
  const stopTime = options.stopTime ?? experiment.stopTime ?? startTime + defaultStopTime;
  const fromInterval = experiment.interval
    ? Math.round((stopTime - startTime) / experiment.interval)
    : undefined;
  return {
    startTime,
    stopTime,
    tolerance: options.tolerance ?? experiment.tolerance ?? defaultTolerance,
    intervals: Math.max(1, options.intervals ?? experiment.intervals ?? fromInterval ?? defaultIntervals),
    method: options.method ?? 'auto',
  };
}

/** What the structure of the initial mode looks like. */
export interface ModelCheck {
  readonly status: 'ok' | 'failed';
  readonly stage?: Stage;
  /** Scalar counts before any elimination. */
  readonly unknowns: number;
  readonly equations: number;
  readonly signature: string;
  readonly states: readonly string[];
  readonly index: number;
  /** Unknowns that are computed one after the other, and the sizes of systems that are solved at once. */
  readonly assignments: number;
  readonly systems: readonly {
    readonly unknowns: readonly string[];
    readonly iterated: number;
    readonly linear: boolean;
  }[];
  /** Readable text of the generated code. */
  readonly code: () => string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Analyses the initial mode (for start values as they are) and compiles it, without simulating. */
export function check(flat: FlatModel): ModelCheck {
  const runtime = new Runtime(lowerModel(flat));
  try {
    const engine = new Engine(runtime, settingsOf(flat, {}));
    const mode = engine.enterInitialMode();
    const systems = mode.sorted.blocks.flatMap((block) => {
      if (block.kind !== 'solve') return [];
      const unknowns = [...block.tears, ...block.inner.map((i) => i.unknown)].map((u) =>
        runtime.nameOfRef(u),
      );
      return [{ unknowns, iterated: block.tears.length, linear: block.linear }];
    });
    return {
      status: 'ok',
      ...countsOf(runtime, mode.mode),
      signature: mode.signature,
      states: mode.states.map((s) => runtime.nameOfRef(s)),
      index: mode.sorted.index,
      assignments: mode.sorted.blocks.length - systems.length,
      systems,
      code: () => disassemble(encodeUnit(mode.unit), { nameOfSlot: runtime.slotNames() }),
      diagnostics: [...runtime.missingValues(), ...engine.diagnostics],
    };
  } catch (problem) {
    if (!(problem instanceof Failure)) throw problem;
    const { stage, diagnostics } = problem;
    const nothing = { signature: '', states: [], index: 0, assignments: 0, systems: [], code: () => '' };
    return { status: 'failed', stage, ...countsOf(runtime), ...nothing, diagnostics };
  }
}

function tableOf(runtime: Runtime, engine: Engine | undefined, flat: FlatModel): SignalTable {
  const recorder = engine?.recorder ?? new Recorder(runtime);
  return recorder.finish({ model: flat.name, impulses: engine?.impulses ?? [], modes: engine?.visits ?? [] });
}

function statisticsOf(
  runtime: Runtime,
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
    ...countsOf(runtime, engine?.mode?.mode),
  };
}

/** Scalar counts of a mode, or of the whole model where no mode is known; what lowering added is not counted. */
function countsOf({ model }: Runtime, mode?: Mode): { unknowns: number; equations: number } {
  const declared = (symbol: number) => model.scalars[symbol]!.variable !== undefined;
  const isUnknown = (symbol: number) =>
    ['continuous', 'discrete'].includes(model.scalars[symbol]!.kind) && declared(symbol);
  const symbols = mode ? mode.variables.map((v) => v.symbol) : [...model.scalars.keys()];
  const equations: readonly { readonly assigns: number | undefined }[] = mode?.equations ?? model.equations;
  return {
    unknowns: symbols.filter(isUnknown).length,
    equations: equations.filter((e) => e.assigns === undefined || declared(e.assigns)).length,
  };
}
