/** The numbers of a run: what is asked for, before what the experiment annotation says, before the defaults. */
import type { Experiment } from '../flat/flat.ts';
import type { Method, SimulateOptions } from './types.ts';

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
