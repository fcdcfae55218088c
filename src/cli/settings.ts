/** The numbers of a run: what the command line says, before what the experiment annotation says, before the defaults. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Experiment } from '../flat/flat.ts';
import type { Method, SimulateOptions } from '../simulate/types.ts';
import { type Arguments, badOption, isNumber, optionValue } from './options.ts';

export type Settings = Required<
  Pick<SimulateOptions, 'startTime' | 'stopTime' | 'tolerance' | 'intervals' | 'method'>
>;

/** More rows than anybody reads, and than memory holds for large models. */
const MOST_INTERVALS = 1e7;

const numbers = ['start', 'stop', 'tolerance', 'intervals'] as const;

/** What can be seen to be wrong before the model is known. */
export function checkSettings(args: Arguments): Diagnostic[] {
  const diagnostics = numbers.flatMap((name) => {
    const text = optionValue(args, name);
    if (text === undefined) return [];
    const value = Number(text);
    if (!isNumber(text) || !Number.isFinite(value))
      return [badOption(`\`--${name} ${text}\` is not a number.`)];
    if (name === 'tolerance') return checkTolerance(value, `\`--tolerance ${text}\``);
    if (name === 'intervals') return checkIntervals(value, `\`--intervals ${text}\``);
    return [];
  });
  if (optionValue(args, 'method') === 'radau') {
    const message = 'The method `radau` is not available in this version.';
    diagnostics.push(badOption(message, 'Use `bdf` for stiff models.'));
  }
  return diagnostics;
}

export function settingsOf(
  args: Arguments,
  experiment: Experiment,
): { readonly settings: Settings; readonly diagnostics: readonly Diagnostic[] } {
  const number = (name: (typeof numbers)[number]): number | undefined => {
    const text = optionValue(args, name);
    return text === undefined ? undefined : Number(text);
  };
  const startTime = number('start') ?? experiment.startTime ?? 0;
  const stopTime = number('stop') ?? experiment.stopTime ?? startTime + 1;
  const tolerance = number('tolerance') ?? experiment.tolerance ?? 1e-6;
  const length = stopTime - startTime;
  const spaced = experiment.interval ? Math.max(1, Math.round(length / experiment.interval)) : undefined;
  const intervals = number('intervals') ?? experiment.intervals ?? spaced ?? 500;
  const method = (optionValue(args, 'method') ?? 'auto') as Method;
  const annotation = 'of the experiment annotation';
  const diagnostics = [
    ...checkTolerance(tolerance, `The tolerance ${tolerance} ${annotation}`),
    ...checkIntervals(intervals, `The number of intervals ${intervals} ${annotation}`),
  ];
  if (length < 0) {
    diagnostics.push(
      badOption(
        `The stop time ${stopTime} lies before the start time ${startTime}.`,
        args.given.has('stop') ? undefined : `The stop time is that ${annotation}; use \`--stop\`.`,
      ),
    );
  }
  return { settings: { startTime, stopTime, tolerance, intervals, method }, diagnostics };
}

function checkTolerance(value: number, what: string): Diagnostic[] {
  return value > 0 && value < 1 ? [] : [badOption(`${what} does not lie between 0 and 1.`)];
}

function checkIntervals(value: number, what: string): Diagnostic[] {
  return Number.isInteger(value) && value >= 1 && value <= MOST_INTERVALS
    ? []
    : [badOption(`${what} is not a whole number from 1 to ${MOST_INTERVALS}.`)];
}
