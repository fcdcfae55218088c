/** The numbers of a run: what is asked for, before what the experiment annotation says, before the defaults; and what can be wrong with them. */
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { kind, type OptionKinds } from '../diagnostic/options.ts';
import type { Experiment } from '../flat/flat.ts';
import type { Method, SimulateOptions } from './types.ts';

export const simulateKinds: OptionKinds<SimulateOptions> = {
  startTime: kind.number,
  stopTime: kind.number,
  tolerance: kind.number,
  intervals: kind.number,
  method: kind.oneOf('auto', 'bdf', 'rk'),
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
  signal: { is: (value) => kind.object.is(value) && 'aborted' in (value as object), what: 'an AbortSignal' },
  onProgress: kind.function,
};

export interface Settings {
  readonly startTime: number;
  readonly stopTime: number;
  readonly tolerance: number;
  readonly intervals: number;
  readonly method: Method;
  readonly sliding: boolean;
  /** Modes that are kept with their code. */
  readonly keptModes: number;
  readonly singleMode: boolean;
}

const defaultLength = 1;
const defaultTolerance = 1e-6;
const defaultIntervals = 500;
const defaultKeptModes = 1000;
/** More rows than anybody reads, and than memory holds for large models. */
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
