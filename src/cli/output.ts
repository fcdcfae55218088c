/** Result files: which ones can be written, checked before a run, and writing them after it. */
import { extname } from 'node:path';
import type { Recorded, RecordedOptions } from '../animation/recorded.ts';
import { type Diagnostic, hasErrors } from '../diagnostic/diagnostic.ts';
import { alternatives, resultFormats } from '../results/files/formats.ts';
import {
  layoutFigure,
  type PlotOptions,
  type Plotted,
  runsOf,
  type TimeUnit,
} from '../results/plot/figure.ts';
import { plotHtml } from '../results/plot/html.ts';
import { byUnit, type Layout } from '../results/plot/layout.ts';
import { plotPng } from '../results/plot/png.ts';
import { plotSvg } from '../results/plot/svg.ts';
import { splitNames } from '../results/table/glob.ts';
import type { SignalTable } from '../results/table/table.ts';
import { type Arguments, badOption, type OptionName, optionValue, optionValues } from './options.ts';
import type { Io } from './surroundings.ts';
import { obstacle, type Parts, writeWhole } from './write.ts';

/** What is to be written. */
export interface OutputFile {
  /** The signals for the file. */
  readonly table: SignalTable;
  readonly plot: Picture;
  /** The run, where bodies can be seen, and what shows it. */
  readonly run?: Recorded;
  readonly animated?: ((run: Recorded, extension: string, options: RecordedOptions) => Written) | undefined;
}

/** A file in parts, none where there is nothing to show, and what is to be said about it. */
export interface Written {
  readonly parts: Parts | undefined;
  readonly diagnostics?: readonly Diagnostic[];
}

export interface Picture {
  readonly plotted: Plotted;
  /** A choice of signals where it is undefined. */
  readonly layout: Layout | undefined;
  readonly options: PlotOptions;
  readonly diagnostics: readonly Diagnostic[];
}

/** By option and extension. */
const writers: Record<'output' | 'plot' | 'animation', Record<string, (written: OutputFile) => Written>> = {
  output: Object.fromEntries(
    resultFormats.map(({ extension, parts }) => [
      extension,
      ({ table }: OutputFile) => ({ parts: parts(table) }),
    ]),
  ),
  plot: {
    '.svg': ({ plot: { plotted, layout, options } }) => ({ parts: [plotSvg(plotted, layout, options)] }),
    '.html': ({ plot: { plotted, layout, options } }) => ({ parts: [plotHtml(plotted, layout, options)] }),
    '.png': ({ plot: { plotted, layout, options } }) => ({ parts: [plotPng(plotted, layout, options)] }),
  },
  animation: {
    '.glb': (written) => animationIn(written, '.glb'),
    '.html': (written) => animationIn(written, '.html'),
  },
};

const animationIn = ({ run, plot, animated }: OutputFile, extension: string): Written =>
  animated!(run!, extension, { title: plot.options.title, layout: plot.layout });

const WHAT_CAN_BE_SEEN =
  'Bodies of `Mutabor.Bodies` and visualizers of `Modelica.Mechanics.MultiBody` can be seen. For curves use `--plot`.';

const targets = ['output', 'plot', 'animation'] as const;
const pictureOptions = ['diagrams', 'title', 'time-unit'] as const;

/** What is wrong with `--output` and `--plot`, as far as one can know before a run. */
export function checkTargets(args: Arguments, io: Io): Diagnostic[] {
  const idle = pictureOptions.filter(
    (name) => args.given.has(name) && !args.given.has('plot') && !args.given.has('animation'),
  );
  const useless = idle.map((name) =>
    badOption(`\`--${name}\` says what a plot looks like, but there is none.`, 'Add `--plot FILE`.'),
  );
  const problems = targets.flatMap((option) => checkFile(args, io, option, Object.keys(writers[option])));
  return [...problems, ...useless];
}

/** What is wrong with the file that an option names; its name must end in one of some extensions. */
export function checkFile(
  args: Arguments,
  io: Io,
  option: OptionName,
  extensions: readonly string[],
): Diagnostic[] {
  const unknown = optionValues(args, option).filter(
    (path) => !extensions.includes(extname(path).toLowerCase()),
  );
  if (unknown.length === 0) return impossible(args, io, option, args.files);
  const hint = `Use a name that ends in ${alternatives(extensions)}.`;
  return unknown.map((path) =>
    badOption(`\`--${option} ${path}\`: the type of the file is not known.`, hint),
  );
}

/**
 * The picture that was asked for: the diagrams of `--diagrams`, otherwise the signals of `--variables` (`named`) by their units, otherwise a
 * choice. Names in `--diagrams` may be those of any signal of the run.
 */
export function pictureOf(args: Arguments, all: SignalTable, named: SignalTable | undefined): Picture {
  const diagrams = optionValue(args, 'diagrams');
  if (diagrams !== undefined) return pictured(args, all, diagrams);
  if (!named) return pictured(args, all.visible(), undefined);
  const texts = splitNames(optionValue(args, 'variables') ?? '').filter(
    (text) => named.expand(text).length > 0,
  );
  return pictured(args, named, byUnit(named, texts));
}

/** A picture of one or several results; what cannot be drawn is reported before any file is written. */
export function pictured(
  args: Arguments,
  plotted: Plotted,
  layout: Layout | undefined,
  title?: string,
): Picture {
  const options: PlotOptions = {
    title: optionValue(args, 'title') ?? title,
    timeUnit: optionValue(args, 'time-unit') as TimeUnit | undefined,
  };
  const runs = runsOf(plotted);
  const diagnostics: Diagnostic[] = [];
  try {
    if (args.given.has('plot') && runs.some(({ table }) => table.rowCount > 0))
      layoutFigure(runs, layout, options);
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    const option = args.given.has('diagrams') ? 'diagrams' : 'plot';
    diagnostics.push(badOption(`\`--${option}\`: ${problem.message}`));
  }
  return { plotted, layout, options, diagnostics };
}

/** Writes the files; a failure (a full disk) loses none of the others. */
export function writeTargets(
  args: Arguments,
  io: Io,
  written: OutputFile,
): { paths: string[]; diagnostics: Diagnostic[] } {
  const paths: string[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const option of targets) {
    const named = optionValues(args, option);
    if (named.length === 0 || written.table.rowCount === 0) continue;
    if (option === 'plot') diagnostics.push(...written.plot.diagnostics);
    if (option === 'plot' && hasErrors(written.plot.diagnostics)) continue;
    for (const path of named) {
      const writer = writers[option][extname(path).toLowerCase()];
      if (!writer) continue;
      const { parts, diagnostics: remarks = [] } = writer(written);
      const unseen = badOption(`\`--${option}\`: nothing in the model can be seen.`, WHAT_CAN_BE_SEEN);
      const problems = parts ? writeFile(io, option, path, parts) : [unseen];
      if (problems.length === 0) paths.push(path);
      diagnostics.push(...remarks, ...problems);
    }
  }
  return { paths, diagnostics };
}

/** Targets among the files that were read: classes of libraries are found while a model is translated. */
export function readTargets(args: Arguments, io: Io, inputs: readonly string[]): Diagnostic[] {
  return targets.flatMap((option) => impossible(args, io, option, inputs));
}

/** Why files that an option names cannot be written; `inputs` are files that the command reads. */
function impossible(args: Arguments, io: Io, option: OptionName, inputs: readonly string[]): Diagnostic[] {
  return optionValues(args, option).flatMap((path) => {
    const reason = obstacle(io, path, inputs);
    return reason === undefined ? [] : [badOption(`\`--${option} ${path}\` cannot be written: ${reason}.`)];
  });
}

/** Writes the file that an option names; gives what went wrong. */
export function writeFile(io: Io, option: OptionName, path: string, parts: Parts): Diagnostic[] {
  try {
    writeWhole(io, path, parts);
    return [];
  } catch (problem) {
    return [badOption(`\`--${option} ${path}\` could not be written: ${(problem as Error).message}.`)];
  }
}
