/** `mutabor results`: what is in a file of results; writes it in another format, draws it. `mutabor compare`: where some of them differ. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Diagnostic, error, hasErrors, warning } from '../diagnostic/diagnostic.ts';
import {
  type CompareOptions,
  type Comparison,
  compareResults,
  spellings,
} from '../results/compare/compare.ts';
import { describeComparison, describeTable } from '../results/compare/describe.ts';
import type { CellReader } from '../results/files/csv.ts';
import { FormatError } from '../results/files/format.ts';
import { readResults } from '../results/files/formats.ts';
import { chooseSignals } from '../results/plot/choose.ts';
import { splitNames } from '../results/table/glob.ts';
import { SignalTable } from '../results/table/table.ts';
import { type Arguments, badOption, isNumber, type OptionName, optionValue } from './options.ts';
import { checkTargets, type Picture, pictured, pictureOf, writeTargets } from './output.ts';
import { conclude, type ExitStatus, finalJson, mannerOf, type ReportManner } from './report.ts';
import { selectSignals } from './signals.ts';
import type { Io } from './surroundings.ts';

export function resultsCommand(args: Arguments, io: Io): ExitStatus {
  const manner = mannerOf(args);
  const opened = open(args, io, 1, 1);
  const wrong = [...args.diagnostics, ...checkTargets(args, io), ...opened.diagnostics];
  if (wrong.length > 0) return refuse(io, wrong, manner);
  const table = opened.tables[0]!;
  const selection = selectSignals(args, table);
  const isNamed = args.given.has('variables');
  const plot = pictureOf(args, table, isNamed ? selection.table : undefined);
  const written = writeTargets(args, io, { table: selection.table, plot });
  const diagnostics = [...selection.diagnostics, ...written.diagnostics];
  if (hasErrors(diagnostics)) return refuse(io, diagnostics, manner);
  const object = (): object => tableJson(selection.table);
  conclude(io, manner, diagnostics, object, () => withPaths(describeTable(selection.table), written.paths));
  return 0;
}

export function compareCommand(args: Arguments, io: Io): ExitStatus {
  const manner = mannerOf(args);
  const { options, diagnostics: unusable } = compareOptions(args);
  const opened = open(args, io, 2, Number.POSITIVE_INFINITY);
  const wrong = [...args.diagnostics, ...unusable, ...checkTargets(args, io), ...opened.diagnostics];
  if (wrong.length > 0) return refuse(io, wrong, manner);
  const [first, ...others] = opened.tables as [SignalTable, ...SignalTable[]];
  const unknown = (options.signals ?? [])
    .filter((text) => opened.tables.every((table) => table.expand(text).length === 0))
    .map((text) => badOption(`No variable matches \`${text}\` in \`--variables\`.`));
  if (unknown.length > 0) return refuse(io, unknown, manner);
  const comparisons = others.map((table) => compareResults(first, table, options));
  const plot = differences(args, opened.tables, comparisons);
  if (hasErrors(plot.diagnostics)) return refuse(io, plot.diagnostics, manner);
  const written = writeTargets(args, io, { table: first, plot });
  const same = comparisons.every((comparison) => comparison.same);
  const labels = labelsOf(args.files);
  const object = (): object => comparisonsJson(comparisons, labels, same);
  conclude(io, manner, written.diagnostics, object, () => {
    const described = comparisons.map((one, i) => describeComparison(one, [labels[0]!, labels[i + 1]!]));
    return withPaths(described.join(''), written.paths);
  });
  return same && !hasErrors(written.diagnostics) ? 0 : 1;
}

const withPaths = (text: string, paths: readonly string[]): string =>
  text + paths.map((path) => `  wrote ${path}\n`).join('');

/** Of two results one object; of more, one for each but the first. */
function comparisonsJson(
  comparisons: readonly Comparison[],
  labels: readonly string[],
  same: boolean,
): object {
  if (comparisons.length === 1) return comparisons[0]!;
  const list = comparisons.map((comparison, i) => ({
    first: labels[0],
    second: labels[i + 1],
    ...comparison,
  }));
  return { same, comparisons: list };
}

/** More diagrams are not drawn; a warning names the first of them. */
const MOST_DIAGRAMS = 40;

/**
 * A picture of all results, each in its colour: the diagrams that were asked for, otherwise one for each signal that was named or, where none was,
 * differs; where none differs, the usual choice.
 */
function differences(
  args: Arguments,
  tables: readonly SignalTable[],
  comparisons: readonly Comparison[],
): Picture {
  const labels = labelsOf(args.files);
  const plotted = Object.fromEntries(labels.map((label, i) => [label, tables[i]!]));
  const title = `${labels.slice(0, -1).join(', ')} and ${labels[labels.length - 1]}`;
  const diagrams = optionValue(args, 'diagrams');
  if (diagrams !== undefined) return pictured(args, plotted, diagrams, title);
  const isNamed = args.given.has('variables');
  const names = new Set(
    comparisons.flatMap(({ signals }) =>
      signals.filter(({ same }) => isNamed || !same).map(({ name }) => name),
    ),
  );
  const drawn = [...(names.size > 0 ? names : chooseSignals(tables[0]!.visible()))];
  const layout = drawn.slice(0, MOST_DIAGRAMS).map((name) => spellings(tables, name));
  const picture = pictured(args, plotted, layout, title);
  if (drawn.length <= MOST_DIAGRAMS) return picture;
  const message = `The plot shows ${MOST_DIAGRAMS} of ${drawn.length} signals; the first that it leaves out is ${drawn[MOST_DIAGRAMS]}.`;
  const hint = 'Choose signals with `--variables`.';
  return { ...picture, diagnostics: [...picture.diagnostics, warning('limit-exceeded', message, { hint })] };
}

/** The names of the files; where one is named twice, with its number. */
function labelsOf(files: readonly string[]): string[] {
  return files.map((file, i) => (files.indexOf(file) === i ? file : `${file} (${i + 1})`));
}

function compareOptions(args: Arguments): { options: CompareOptions; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const number = (name: OptionName): number | undefined => {
    const text = optionValue(args, name);
    if (text === undefined) return undefined;
    if (!isNumber(text) || Number(text) < 0)
      diagnostics.push(badOption(`\`--${name} ${text}\` is not a number from 0 on.`));
    return Number(text);
  };
  const [tolerance, absolute, time] = [number('tolerance'), number('absolute'), number('time-tolerance')];
  const list = optionValue(args, 'variables');
  const signals = list === undefined ? undefined : splitNames(list);
  return { options: { tolerance, absolute, time, signals }, diagnostics };
}

/** Reads the files of the command line, of which there must be so many. */
function open(
  args: Arguments,
  io: Io,
  least: number,
  most: number,
): { tables: SignalTable[]; diagnostics: Diagnostic[] } {
  const tables: SignalTable[] = [];
  const diagnostics: Diagnostic[] = [];
  const { length } = args.files;
  if (length < least || length > most) {
    const needed = most === 1 ? 'one file of results is needed' : 'at least two files of results are needed';
    diagnostics.push(
      badOption(`${length === 1 ? '1 file is' : `${length} files are`} named, but ${needed}.`),
    );
  }
  for (const path of diagnostics.length > 0 ? [] : args.files) {
    const table = readTable(io, path);
    if (table instanceof SignalTable) tables.push(table);
    else diagnostics.push(table);
  }
  return { tables, diagnostics };
}

/** The table in a file, or why there is none. */
export function readTable(io: Io, path: string, cell?: CellReader): SignalTable | Diagnostic {
  try {
    const place = resolve(io.cwd, path);
    const stats = statSync(place);
    if (!stats.isFile() && !stats.isDirectory())
      return error('file-not-found', `\`${path}\` is a pipe or a device, not a file.`);
    return readResults(new Uint8Array(readFileSync(place)), cell);
  } catch (problem) {
    return unreadable(path, problem);
  }
}

function unreadable(path: string, problem: unknown): Diagnostic {
  if (problem instanceof FormatError) {
    const { line = 1, column } = problem.place;
    // Behind the header, it is known what the file is.
    const isKnown = line > 1 || column !== undefined;
    const hint = isKnown ? undefined : 'Such a file can be CSV, MATLAB (version 4), Arrow or JSON.';
    return error('bad-file', `\`${path}\`: ${problem.message}`, { hint });
  }
  const { code, message } = problem as NodeJS.ErrnoException;
  if (code === undefined) throw problem;
  const what =
    code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : `cannot be read: ${message}`;
  return error('file-not-found', `\`${path}\` ${what}.`);
}

function refuse(io: Io, diagnostics: readonly Diagnostic[], manner: ReportManner): ExitStatus {
  conclude(io, manner, diagnostics, () => ({ status: 'failed' }));
  return 2;
}

function tableJson(table: SignalTable): object {
  const { model, rowCount, segments, modes, impulses, attributes } = table;
  return {
    status: 'done',
    model,
    rows: rowCount,
    from: table.time[0] ?? null,
    to: table.time.at(-1) ?? null,
    signals: table.names.map((name) => table.info(name)),
    ...{ segments, modes, impulses, attributes },
    final: finalJson(table),
  };
}
