/** `mutabor results`: what is in a file of results; writes it in another format, draws it. `mutabor compare`: where two of them differ. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { type CompareOptions, compareResults, overlayResults } from '../results/compare.ts';
import { describeComparison, describeTable } from '../results/describe.ts';
import { FormatError } from '../results/format.ts';
import { splitNames } from '../results/glob.ts';
import { readResults } from '../results/read.ts';
import type { SignalTable } from '../results/table.ts';
import type { Io } from './io.ts';
import { type Arguments, badOption, isNumber, type OptionName, optionValue } from './options.ts';
import { checkTargets, pictureOf, writeTargets } from './output.ts';
import { diagnosticJson, type ExitStatus, type Manner, printDiagnostics, printJson, show } from './report.ts';
import { selectSignals } from './signals.ts';

export function resultsCommand(args: Arguments, io: Io): ExitStatus {
  const manner: Manner = { json: args.given.has('json'), quiet: args.given.has('quiet') };
  const opened = open(args, io, 1);
  const wrong = [...args.diagnostics, ...checkTargets(args, io), ...opened.diagnostics];
  if (wrong.length > 0) return refuse(io, wrong, manner);
  const table = opened.tables[0]!;
  const selection = selectSignals(args, table);
  const isNamed = args.given.has('variables');
  const plot = pictureOf(args, table, isNamed ? selection.table : undefined);
  const written = writeTargets(args, io, { table: selection.table, plot });
  const diagnostics = [...selection.diagnostics, ...written.diagnostics];
  if (diagnostics.some(({ severity }) => severity === 'error')) return refuse(io, diagnostics, manner);
  printDiagnostics(io, diagnostics, manner);
  if (manner.json) printJson(io, tableJson(selection.table));
  else if (!manner.quiet) {
    show(io, describeTable(selection.table));
    for (const path of written.paths) show(io, `  wrote ${path}\n`);
  }
  return 0;
}

export function compareCommand(args: Arguments, io: Io): ExitStatus {
  const manner: Manner = { json: args.given.has('json'), quiet: args.given.has('quiet') };
  const { options, diagnostics: unusable } = compareOptions(args);
  const opened = open(args, io, 2);
  const wrong = [...args.diagnostics, ...unusable, ...checkTargets(args, io), ...opened.diagnostics];
  if (wrong.length > 0) return refuse(io, wrong, manner);
  const [first, second] = opened.tables as [SignalTable, SignalTable];
  const unknown = (options.signals ?? [])
    .filter((text) => first.expand(text).length + second.expand(text).length === 0)
    .map((text) => badOption(`No variable matches \`${text}\` in \`--variables\`.`));
  if (unknown.length > 0) return refuse(io, unknown, manner);
  const comparison = compareResults(first, second, options);
  const labels = args.files as unknown as [string, string];
  const plotted = comparison.signals.filter(({ same }) => !same).slice(0, MOST_DIAGRAMS);
  const paths =
    plotted.length > 0
      ? plotDifferences(
          args,
          io,
          first,
          second,
          plotted.map(({ name }) => name),
        )
      : [];
  if (manner.json) printJson(io, { ...comparison, diagnostics: [] });
  else if (!manner.quiet) {
    show(io, describeComparison(comparison, labels));
    for (const path of paths) show(io, `  wrote ${path}\n`);
  }
  return comparison.same ? 0 : 1;
}

/** More signals than this are not drawn. */
const MOST_DIAGRAMS = 8;

/** Signals of both results above each other, each with its two curves. */
function plotDifferences(
  args: Arguments,
  io: Io,
  first: SignalTable,
  second: SignalTable,
  names: readonly string[],
): string[] {
  const [a, b] = args.files as [string, string];
  const table = overlayResults(first, second, names, [a, b]);
  const layout = names.map((name) => [`${name} (${a})`, `${name} (${b})`]);
  const options = { title: `${a} and ${b}` };
  return writeTargets(args, io, { table, plot: { table, layout, options, diagnostics: [] } }).paths;
}

function compareOptions(args: Arguments): { options: CompareOptions; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const number = (name: OptionName): number | undefined => {
    const text = optionValue(args, name);
    if (text === undefined || (isNumber(text) && Number(text) >= 0))
      return text === undefined ? undefined : Number(text);
    diagnostics.push(badOption(`\`--${name} ${text}\` is not a number from 0 on.`));
    return undefined;
  };
  const [tolerance, absolute, time] = [number('tolerance'), number('absolute'), number('time-tolerance')];
  const list = optionValue(args, 'variables');
  return {
    options: {
      ...(tolerance !== undefined && { tolerance }),
      ...(absolute !== undefined && { absolute }),
      ...(time !== undefined && { time }),
      ...(list !== undefined && { signals: splitNames(list) }),
    },
    diagnostics,
  };
}

/** Reads the files of the command line, of which there must be `count`. */
function open(args: Arguments, io: Io, count: number): { tables: SignalTable[]; diagnostics: Diagnostic[] } {
  const tables: SignalTable[] = [];
  const diagnostics: Diagnostic[] = [];
  if (args.files.length !== count) {
    const needed = count === 1 ? 'one file of results is needed' : 'two files of results are needed';
    diagnostics.push(badOption(`${args.files.length} files are named, but ${needed}.`));
  }
  for (const path of diagnostics.length > 0 ? [] : args.files) {
    try {
      tables.push(readResults(new Uint8Array(readFileSync(resolve(io.cwd, path)))));
    } catch (problem) {
      diagnostics.push(unreadable(path, problem));
    }
  }
  return { tables, diagnostics };
}

function unreadable(path: string, problem: unknown): Diagnostic {
  if (problem instanceof FormatError) {
    const hint = 'Results can be CSV, MATLAB (version 4), Arrow or JSON.';
    return error('bad-file', `\`${path}\`: ${problem.message}`, { hint });
  }
  const { code, message } = problem as NodeJS.ErrnoException;
  if (code === undefined) throw problem;
  const what =
    code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a folder' : `cannot be read: ${message}`;
  return error('file-not-found', `\`${path}\` ${what}.`);
}

function refuse(io: Io, diagnostics: readonly Diagnostic[], manner: Manner): ExitStatus {
  printDiagnostics(io, diagnostics, manner);
  if (manner.json) printJson(io, { status: 'failed', diagnostics: diagnostics.map(diagnosticJson) });
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
    final: Object.fromEntries(table.final()),
    diagnostics: [],
  };
}
