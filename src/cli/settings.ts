/** The options of a run from the command line, and what can be wrong with them. */
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import type { Experiment } from '../flat/flat.ts';
import { type Beginning, withTimes } from '../simulate/run/continued.ts';
import {
  isIntervals,
  isTolerance,
  mostIntervals,
  settingsOf as runSettings,
  type Settings,
  type SimulateOptions,
} from '../simulate/settings.ts';
import {
  type Arguments,
  badOption,
  isNumber,
  type OptionName,
  type OptionSpec,
  options,
  optionValue,
} from './options.ts';

/** What options of the command set of a run, by the table. */
function* givenOptions(args: Arguments): Generator<{ name: OptionName; text: string; spec: OptionSpec }> {
  for (const [name, spec] of Object.entries(options) as [OptionName, OptionSpec][]) {
    const text = optionValue(args, name);
    if (text !== undefined && spec.sets) yield { name, text, spec };
  }
}

const isNumeric = ({ value, choices }: OptionSpec): boolean => value !== undefined && !choices;

/** What can be seen to be wrong before the model is known. */
export function checkSettings(args: Arguments): Diagnostic[] {
  return [...givenOptions(args)].flatMap(({ name, text, spec }) => {
    if (!isNumeric(spec)) return [];
    const value = Number(text);
    if (!isNumber(text) || !Number.isFinite(value))
      return [badOption(`\`--${name} ${text}\` is not a number.`)];
    if (name === 'tolerance') return checkTolerance(value, `\`--tolerance ${text}\``);
    if (name === 'intervals') return checkIntervals(value, `\`--intervals ${text}\``);
    return [];
  });
}

/** The options that were given, and the settings that follow. */
export function settingsOf(
  args: Arguments,
  experiment: Experiment,
  beginning?: Beginning,
): {
  readonly given: SimulateOptions;
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
} {
  const given: SimulateOptions = Object.fromEntries(
    Array.from(givenOptions(args), ({ text, spec }) => [
      spec.sets,
      spec.value === undefined || (isNumeric(spec) ? Number(text) : text),
    ]),
  );
  const settings = runSettings(experiment, withTimes(experiment, given, beginning));
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
  return { given, settings, diagnostics };
}

function checkTolerance(value: number, what: string): Diagnostic[] {
  return isTolerance(value) ? [] : [badOption(`${what} does not lie between 0 and 1.`)];
}

function checkIntervals(value: number, what: string): Diagnostic[] {
  return isIntervals(value) ? [] : [badOption(`${what} is not a whole number from 1 to ${mostIntervals}.`)];
}
