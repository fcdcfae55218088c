/** One run of a translated model, and its result. */
import { type Diagnostic, warning } from '../diagnostic/diagnostic.ts';
import { Failure, failureOf } from '../diagnostic/failure.ts';
import { heeding, Interrupted, pulse } from '../diagnostic/pulse.ts';
import { placeText } from '../diagnostic/source.ts';
import type { ModeBank } from '../program/cache.ts';
import type { Needs } from '../program/components/equations.ts';
import { parameterWarnings } from '../program/parameters.ts';
import type { Prepared } from '../program/translation.ts';
import { TableBuilder } from '../results/table/builder.ts';
import { countsOf } from './check.ts';
import { noCounts } from './counters.ts';
import type { Beginning } from './run/continued.ts';
import { Engine } from './run/engine.ts';
import { checkStructure, type Manner, snapshotOf, stateOf } from './run/snapshot.ts';
import { badSettings, type Settings, type SimulateOptions } from './settings.ts';
import type { RunSnapshot, RunSoFar, SimulationResult, Statistics } from './types.ts';
import { visualsOf } from './visuals.ts';

/** A translation that has begun, and the row of a result, or the state, that the run begins with. */
export interface Started extends Prepared {
  readonly from?: Beginning | undefined;
  /** The state that it goes on from, and how the model is translated. */
  readonly resume?: RunSnapshot | undefined;
  readonly manner: Manner;
}

/** Work between two looks at the event loop, in milliseconds. */
const slice = 30;
/** Steps between two looks at the clock, at most: they may become slow all of a sudden. */
const mostUnwatched = 16;

/**
 * One run, from what `prepare` gives to its result. Where arrays stay arrays and that leads nowhere (they would have to be
 * differentiated, for instance), it gives what is needed instead. The work is cut in slices, so that progress can be shown and the signal be
 * heard.
 */
export async function drive(
  name: string,
  settings: Settings,
  options: SimulateOptions,
  prepare: () => Started,
  /** What is done where the run has come to its stop time, in place of its end. */
  there?: (engine: Engine, prepared: Started) => void,
): Promise<{ readonly result: SimulationResult } | { readonly needs: Needs }> {
  const clock = new Clock();
  let prepared: Started | undefined;
  let engine: Engine | undefined;
  let failure: Failure | undefined;
  let begun = false;
  let arrived = false;
  let stopped = false;
  const soFar = soFarOf(() => engine);
  const tell = (): unknown => engine?.recorder && options.onProgress?.(engine.time, settings.stopTime, soFar);
  const pauses = new Pauses(clock, options, tell);
  try {
    const wrong = badSettings(settings);
    if (wrong.length > 0) throw new Failure('initialise', wrong);
    await pauses.look();
    prepared = heeding(options.signal, prepare);
    await pauses.look();
    const { runtime, bank } = prepared.translation;
    engine = heeding(
      options.signal,
      () => new Engine(runtime, settings, bank, prepared!.inputs, options.shelf),
    );
    heeding(options.signal, () => begin(engine!, prepared!));
    await pauses.look();
    await clock.pause(tell);
    heeding(options.signal, pulse);
    begun = true;
    clock.startIntegration(bank);
    const happened = (): Promise<void> => clock.pause(() => options.onEvent?.(engine!.time, soFar));
    await advance(engine, options, pauses, there !== undefined, happened);
    arrived = there !== undefined;
    if (there) heeding(options.signal, () => there(engine!, prepared!));
  } catch (problem) {
    if (problem instanceof Interrupted) {
      stopped = true;
      if (prepared) prepared.translation.isWhole = false;
    } else if (!(problem instanceof Failure)) throw problem;
    else failure = problem;
  }
  const needs = stopped ? undefined : prepared?.translation.takeNeeds(failure, begun);
  if (needs) return { needs };
  engine?.finish();
  const modes = engine?.modes.visits ?? [];
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
  const destroyed = runtime && failureOf(() => runtime.end());
  const { startTime, stopTime, tolerance, intervals, method } = settings;
  const experiment = { startTime, stopTime, tolerance, intervals, method };
  const status = failure ? 'failed' : stopped ? 'stopped' : (engine?.status ?? (there ? 'done' : 'failed'));
  const [problem] = failure?.diagnostics ?? [];
  const attributes = { status, ...(problem && { problem: briefly(problem) }), experiment, statistics };
  const recorder = engine?.recorder ?? new TableBuilder([]);
  const table = recorder.finish({ model: name, impulses, modes, attributes });
  const result: SimulationResult = {
    model: name,
    status,
    ...(failure && { stage: failure.stage }),
    time: engine?.time ?? settings.startTime,
    table,
    modes,
    segments: engine?.segments.visits ?? [],
    stepsAtRows: engine?.stepsAtRows ?? [],
    ...(engine?.initial && { initial: engine.initial }),
    impulses,
    ...(engine?.ended && {
      state: snapshotOf(name, runtime!, settings, prepared!.manner, engine.time, engine.ended),
    }),
    pictures: runtime?.components.live.flatMap((live) => live.picture() ?? []) ?? [],
    visuals: runtime ? visualsOf(runtime, table) : [],
    statistics,
    diagnostics: [
      ...(prepared?.diagnostics ?? []),
      ...(engine ? parameterWarnings(runtime!.values, runtime!.wording, engine.recalled) : []),
      ...(engine?.diagnostics ?? []),
      ...(stopped ? [interruption(engine)] : []),
      ...(destroyed?.diagnostics ?? []),
      ...(failure?.diagnostics.map((problem) => (arrived ? problem : withTime(problem, engine))) ?? []),
    ],
  };
  return { result };
}

/** One line, for whoever has only the results. */
const briefly = ({ span, message, hint }: Diagnostic): string =>
  [span && `${placeText(span)}:`, message, hint].filter(Boolean).join(' ');

function interruption(engine: Engine | undefined): Diagnostic {
  const when = engine?.recorder ? `at time ${engine.time}` : 'before it began';
  return warning('interrupted', `The run was stopped ${when}.`);
}

/** What ends a run after its beginning says when that was. */
function withTime(problem: Diagnostic, engine: Engine | undefined): Diagnostic {
  const texts = [problem, ...problem.notes].map(({ message }) => message);
  if (!engine?.recorder || texts.some((text) => /\btime -?\d/i.test(text))) return problem;
  return { ...problem, notes: [...problem.notes, { message: `the run ended at time ${engine.time}` }] };
}

function begin(engine: Engine, { from, resume, translation: { runtime } }: Started): void {
  if (resume) {
    checkStructure(runtime, resume);
    engine.resume(stateOf(resume), true);
  } else if (from) engine.initialiseFrom(from);
  else engine.initialise();
}

function soFarOf(engine: () => Engine | undefined): RunSoFar {
  return {
    table: () => engine()!.recorder!.soFar({ impulses: engine()!.impulses.slice() }),
    modes: () => engine()!.modes.soFar(engine()!.time),
    get impulses() {
      return engine()!.impulses.slice();
    },
  };
}

/** Advances to the end, or to where it `stops` before that, with a look at the event loop now and then. */
async function advance(
  engine: Engine,
  { signal, onEvent }: SimulateOptions,
  pauses: Pauses,
  stops: boolean,
  happened: () => Promise<void>,
): Promise<void> {
  // Looking at the clock costs as much as a step of a small model: after quick steps it is done less often.
  let stride = 1;
  let events = engine.counters.events;
  engine.atOnce = stride;
  pauses.begin();
  const isNew = (): boolean => onEvent !== undefined && engine.counters.events !== events;
  const steps = (): boolean => {
    for (let n = 0; n < stride && !isNew(); n++)
      if ((stops && engine.isThere) || !engine.advance()) return false;
    return true;
  };
  while (heeding(signal, steps)) {
    if (isNew()) {
      events = engine.counters.events;
      await happened();
    }
    stride = pauses.spent < slice / 2 ? Math.min(2 * stride, mostUnwatched) : 1;
    engine.atOnce = stride;
    await pauses.look();
  }
}

/** Pauses between slices of work, in which progress is told, and signals of this thread change. */
class Pauses {
  private sliceStarted = performance.now();

  constructor(
    private readonly clock: Clock,
    private readonly options: SimulateOptions,
    private readonly tell: () => unknown,
  ) {}

  /** A slice of work begins: what was done before says nothing of its pace. */
  begin(): void {
    this.sliceStarted = performance.now();
  }

  /** Milliseconds since the last pause. */
  get spent(): number {
    return performance.now() - this.sliceStarted;
  }

  /** A pause if it is time for one; throws where the work is to stop. */
  async look(): Promise<void> {
    if (this.spent >= slice) {
      await this.clock.pause(async () => {
        await this.tell();
        await nextTask();
      });
      this.sliceStarted = performance.now();
    }
    heeding(this.options.signal, pulse);
  }
}

/** Lets the event loop come round once. A timer would wait for a millisecond at least, and browsers let those of loops wait for four. */
function nextTask(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Tells apart the times of translation, of making code, and of integration; modes that are entered later count as the former two. */
class Clock {
  private readonly started = performance.now();
  private integrationStarted = Number.NaN;
  private inBank = 0;
  private paused = 0;
  /** Of the pauses, those before integration. */
  private pausedBefore = 0;

  startIntegration(bank: ModeBank): void {
    this.integrationStarted = performance.now();
    this.inBank = bank.translateMs + bank.compileMs;
    this.pausedBefore = this.paused;
  }

  async pause(work: () => unknown): Promise<void> {
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
      : ended - this.integrationStarted - (this.paused - this.pausedBefore);
    const simulateMs = Math.max(0, integrated - (integrated > 0 ? later : 0));
    const translateMs = Math.max(0, ended - this.started - this.paused - compileMs - simulateMs);
    return { translateMs, compileMs, simulateMs };
  }
}
