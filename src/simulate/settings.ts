/**
 * The options of a run: what they mean, of which kind they are, what holds where they are left out (the experiment annotation, then the
 * defaults), and what can be wrong with them. The command line has a row for each in `cli/options.ts`.
 */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { kind, type OptionKinds } from '../diagnostic/options.ts';
import type { StopSignal } from '../diagnostic/pulse.ts';
import type { Experiment } from '../flat/flat.ts';
import type { Shelf } from '../results/table/store.ts';
import type { SignalTable } from '../results/table/table.ts';
import { type Method, methods } from '../solve/integrator.ts';
import type { RunSnapshot, RunSoFar } from './types.ts';

export { type Method, methods };

/** Values of an input: a list with an entry for each row, or one that stays; names of literals, `true` and `false` may be texts. */
export type InputValues = number | boolean | string | null | readonly InputValues[];

export interface SimulateOptions {
  readonly startTime?: number;
  readonly stopTime?: number;
  readonly tolerance?: number;
  /** Number of equal output intervals. */
  readonly intervals?: number;
  readonly method?: Method;
  /** Where both sides of a relation push back, slide along the boundary instead of chattering. */
  readonly sliding?: boolean;
  /** Modes that are kept with their code (1000 by default); others are made again when they return. */
  readonly keptModes?: number;
  /** Switches all support of several modes off: a model that changes its structure is refused. */
  readonly singleMode?: boolean;
  /** Writes all arrays out as scalars instead of computing them in loops: for comparing the two. */
  readonly scalars?: boolean;
  /** Runs on the interpreter instead of WebAssembly: slow, for comparing the two. */
  readonly interpret?: boolean;
  /** Checks the results against the equations of the model when the run is over; offences are diagnostics with the code `audit`. */
  readonly audit?: boolean;
  /** Stops the run with the results so far: an `AbortSignal`, or any object that says when (see `diagnostic/pulse.ts`). */
  readonly signal?: StopSignal;
  /** Values of inputs of the model over time, by name: a table, or lists (`{ time: [0, 1], u: [0, 5] }`). Enumerations may be names of literals. Two rows of equal time are a step. */
  readonly inputs?: SignalTable | Readonly<Record<string, InputValues>>;
  /** Lets inputs keep the value of a row until the next one; otherwise continuous ones are interpolated linearly. */
  readonly hold?: boolean;
  /** Keeps the state of the run where it ends, in `state` of the result: `resume` goes on from there. */
  readonly resumable?: boolean;
  /** The state of a run of this model: the run goes on from it, bit by bit as the one would that it is from, with the values and settings of that. */
  readonly resume?: RunSnapshot;
  /** A result whose last row the run begins with, or the row at `fromTime`: states, discrete variables and machines go on from there. */
  readonly from?: SignalTable;
  readonly fromTime?: number;
  /** Where rows of results are kept that are too many for memory, such as a file; without it, all stay in memory. */
  readonly shelf?: Shelf;
  /**
   * Called when the initial values are known, and now and then from there on, with the time reached and what there is up to it. Where it gives a promise,
   * the run waits for it, and goes on as if it had not waited.
   */
  readonly onProgress?: (time: number, stopTime: number, soFar: RunSoFar) => unknown;
  /** The same after every event. */
  readonly onEvent?: (time: number, soFar: RunSoFar) => unknown;
}

export const simulateKinds: OptionKinds<SimulateOptions> = {
  startTime: kind.number,
  stopTime: kind.number,
  tolerance: kind.number,
  intervals: kind.number,
  method: kind.oneOf(...methods),
  sliding: kind.flag,
  keptModes: kind.number,
  singleMode: kind.flag,
  scalars: kind.flag,
  interpret: kind.flag,
  audit: kind.flag,
  inputs: {
    is: kind.object.is,
    what: 'a `SignalTable`, or an object with a list of values for `time` and for every input',
  },
  hold: kind.flag,
  resumable: kind.flag,
  resume: { is: kind.object.is, what: 'the `state` of a result' },
  from: { is: kind.object.is, what: 'a `SignalTable`' },
  fromTime: kind.number,
  signal: { is: (value) => kind.object.is(value) && 'aborted' in (value as object), what: 'an AbortSignal' },
  shelf: {
    is: (value) => kind.object.is(value) && 'put' in (value as object) && 'take' in (value as object),
    what: 'an object with the functions `put` and `take`',
  },
  onProgress: kind.function,
  onEvent: kind.function,
};

/** Options of a run that comes to the point where something is looked for. */
export interface PointOptions
  extends Pick<
    SimulateOptions,
    | 'startTime'
    | 'tolerance'
    | 'method'
    | 'sliding'
    | 'singleMode'
    | 'interpret'
    | 'signal'
    | 'inputs'
    | 'hold'
    | 'onProgress'
  > {
  /** When; at the start where it is left out. */
  readonly at?: number;
}

export type SteadyOptions = PointOptions;

export interface LinearizeOptions extends PointOptions {
  /** At the steady state that is found from there. */
  readonly steady?: boolean;
  /** Variables, by names or globs, in place of the outputs of the model. */
  readonly outputs?: readonly string[];
}

const isTime = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

export const steadyKinds: OptionKinds<SteadyOptions> = {
  at: { is: isTime, what: 'a finite number' },
  startTime: simulateKinds.startTime,
  tolerance: simulateKinds.tolerance,
  method: simulateKinds.method,
  sliding: simulateKinds.sliding,
  singleMode: simulateKinds.singleMode,
  interpret: simulateKinds.interpret,
  signal: simulateKinds.signal,
  inputs: simulateKinds.inputs,
  hold: simulateKinds.hold,
  onProgress: simulateKinds.onProgress,
};

export const linearizeKinds: OptionKinds<LinearizeOptions> = {
  ...steadyKinds,
  steady: kind.flag,
  outputs: kind.listOf((item) => typeof item === 'string', 'a list of names'),
};

/** What a run goes by. */
export type Settings = Required<
  Pick<
    SimulateOptions,
    | 'startTime'
    | 'stopTime'
    | 'tolerance'
    | 'intervals'
    | 'method'
    | 'sliding'
    | 'keptModes'
    | 'singleMode'
    | 'audit'
    | 'resumable'
  >
>;

const defaultLength = 1;
const defaultTolerance = 1e-6;
const defaultIntervals = 500;
const defaultKeptModes = 1000;
/** More rows than anybody reads. */
export const mostIntervals = 1e7;

export function settingsOf(experiment: Experiment, options: SimulateOptions): Settings {
  const startTime = options.startTime ?? experiment.startTime ?? 0;
  const stopTime = options.stopTime ?? experiment.stopTime ?? startTime + defaultLength;
  const spaced = experiment.interval
    ? Math.max(1, Math.round((stopTime - startTime) / experiment.interval))
    : undefined;
  return {
    startTime,
    stopTime,
    tolerance: options.tolerance ?? experiment.tolerance ?? defaultTolerance,
    intervals: options.intervals ?? experiment.intervals ?? spaced ?? defaultIntervals,
    method: options.method ?? 'auto',
    sliding: options.sliding ?? false,
    keptModes: Math.max(1, options.keptModes ?? defaultKeptModes),
    singleMode: options.singleMode ?? false,
    audit: options.audit ?? false,
    resumable: options.resumable ?? false,
  };
}

export const isTolerance = (value: number): boolean => value > 0 && value < 1;

export const isIntervals = (value: number): boolean =>
  Number.isInteger(value) && value >= 1 && value <= mostIntervals;

/** Numbers with which no run can begin. */
export function badSettings({ startTime, stopTime, tolerance, intervals }: Settings): Diagnostic[] {
  const wrong: string[] = [];
  if (!Number.isFinite(startTime)) wrong.push(`The start time ${startTime} is not a finite number.`);
  if (!Number.isFinite(stopTime)) wrong.push(`The stop time ${stopTime} is not a finite number.`);
  else if (stopTime < startTime)
    wrong.push(`The stop time ${stopTime} lies before the start time ${startTime}.`);
  if (!isTolerance(tolerance)) wrong.push(`The tolerance ${tolerance} does not lie between 0 and 1.`);
  if (!isIntervals(intervals))
    wrong.push(`The number of intervals ${intervals} is not a whole number from 1 to ${mostIntervals}.`);
  return wrong.map((message) => error('bad-option', message));
}
