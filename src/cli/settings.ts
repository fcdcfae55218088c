/** The numbers of a run from the command line, and what can be wrong with them. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Experiment } from '../flat/flat.ts';
import {
  isIntervals,
  isTolerance,
  mostIntervals,
  settingsOf as runSettings,
  type Settings,
} from '../simulate/settings.ts';
import type { Method } from '../simulate/types.ts';
import { type Arguments, badOption, isNumber, optionValue } from './options.ts';

const numbers = ['start', 'stop', 'tolerance', 'intervals'] as const;

/** What can be seen to be wrong before the model is known. */
export function checkSettings(args: Arguments): Diagnostic[] {
  return numbers.flatMap((name) => {
    const text = optionValue(args, name);
    if (text === undefined) return [];
    const value = Number(text);
    if (!isNumber(text) || !Number.isFinite(value))
      return [badOption(`\`--${name} ${text}\` is not a number.`)];
    if (name === 'tolerance') return checkTolerance(value, `\`--tolerance ${text}\``);
    if (name === 'intervals') return checkIntervals(value, `\`--intervals ${text}\``);
    return [];
  });
}

export function settingsOf(
  args: Arguments,
  experiment: Experiment,
): { readonly settings: Settings; readonly diagnostics: readonly Diagnostic[] } {
  const number = (name: (typeof numbers)[number]): number | undefined => {
    const text = optionValue(args, name);
    return text === undefined ? undefined : Number(text);
  };
  const method = optionValue(args, 'method') as Method | undefined;
  const settings = runSettings(experiment, {
    startTime: number('start'),
    stopTime: number('stop'),
    tolerance: number('tolerance'),
    intervals: number('intervals'),
    method,
    singleMode: args.given.has('single-mode'),
    sliding: args.given.has('sliding'),
  });
  const { startTime, stopTime, tolerance, intervals } = settings;
  const annotation = 'of the experiment annotation';
  const diagnostics = [
    ...checkTolerance(tolerance, `The tolerance ${tolerance} ${annotation}`),
    ...checkIntervals(intervals, `The number of intervals ${intervals} ${annotation}`),
  ];
  if (stopTime < startTime) {
    diagnostics.push(
      badOption(
        `The stop time ${stopTime} lies before the start time ${startTime}.`,
        args.given.has('stop') ? undefined : `The stop time is that ${annotation}; use \`--stop\`.`,
      ),
    );
  }
  return { settings, diagnostics };
}

function checkTolerance(value: number, what: string): Diagnostic[] {
  return isTolerance(value) ? [] : [badOption(`${what} does not lie between 0 and 1.`)];
}

function checkIntervals(value: number, what: string): Diagnostic[] {
  return isIntervals(value) ? [] : [badOption(`${what} is not a whole number from 1 to ${mostIntervals}.`)];
}
