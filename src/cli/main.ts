/** The command `mutabor`: finds the command and runs it. The exit status is the result; nothing ends the process. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { error } from '../diagnostic/diagnostic.ts';
import { didYouMean } from '../diagnostic/nearest.ts';
import { visible } from '../diagnostic/visible.ts';
import { checkCommand } from './check.ts';
import type { Core } from './core.ts';
import { exportCommand } from './export.ts';
import { flattenCommand } from './flatten.ts';
import { commandHelp, generalHelp } from './help.ts';
import { OutputError } from './io.ts';
import { linearizeCommand } from './linearize.ts';
import { listCommand } from './list.ts';
import { modesCommand } from './modes.ts';
import {
  type Arguments,
  badOption,
  type CommandName,
  commands,
  meantCommand,
  parseArguments,
} from './options.ts';
import { type ExitStatus, printDiagnostics, refuse } from './report.ts';
import { compareCommand, resultsCommand } from './results.ts';
import { simulateCommand } from './simulate.ts';
import { steadyCommand } from './steady.ts';
import type { Io } from './surroundings.ts';

/** Runs the tool. `core` is the simulator; by default the package itself, loaded when it is needed. */
export async function main(argv: readonly string[], io: Io, core?: Core): Promise<ExitStatus> {
  try {
    return await answer(argv, io, core);
  } catch (problem) {
    if (!(problem instanceof OutputError)) throw problem;
    if (problem.isClosed) return 141;
    const lost = error('output-failed', `Standard output cannot be written: ${problem.message}.`);
    printDiagnostics(io, [lost], { json: false, quiet: false });
    return 1;
  }
}

async function answer(argv: readonly string[], io: Io, core?: Core): Promise<ExitStatus> {
  const [first, ...rest] = argv;
  if (first === '--help' || first === '-h') return print(io, generalHelp());
  if (first === '--version') return print(io, `mutabor ${version()}\n`);
  if (first === 'help') return help(rest[0], io);
  if (first === undefined) {
    io.err.write(generalHelp());
    return 2;
  }
  const isCommand = Object.hasOwn(commands, first);
  if (!isCommand && !isModel(first, io)) return unknownCommand(first, argv, io);
  const command = isCommand ? (first as CommandName) : 'simulate';
  const args = parseArguments(command, isCommand ? rest : argv);
  if (args.given.has('help')) return print(io, commandHelp(command));
  try {
    return await dispatch(command, args, io, core);
  } catch (problem) {
    if (problem instanceof OutputError) throw problem;
    return internalError(problem, args.given.has('json'), io);
  }
}

/** Whether a command line begins with a model, or with options, and not with a command: then it is simulated. */
function isModel(word: string, io: Io): boolean {
  if (word.startsWith('-') || /\.(mo|mjs|js|ts)$/.test(word)) return true;
  return !isResults(word) && existsSync(resolve(io.cwd, word));
}

const isResults = (word: string): boolean => /\.(csv|mat|arrow|json)$/.test(word);

async function dispatch(command: CommandName, args: Arguments, io: Io, core?: Core): Promise<ExitStatus> {
  if (command === 'results') return resultsCommand(args, io);
  if (command === 'compare') return compareCommand(args, io);
  if (command === 'lsp') return noServer(args, io);
  if (command === 'draw') return (await import('./draw.ts')).drawCommand(args, io);
  if (command === 'studio') return (await import('./studio.ts')).studioCommand(args, io);
  return onModels[command](args, io, core ?? (await import('../index.ts')));
}

/** The language server runs elsewhere (`host.ts`), where its command line is right. */
function noServer({ diagnostics, files }: Arguments, io: Io): ExitStatus {
  const unwanted = files.map((file) =>
    badOption(`\`lsp\` takes no files, but is given \`${file}\`.`, 'Editors say which files they have open.'),
  );
  return refuse(io, { status: 2, diagnostics: [...diagnostics, ...unwanted] }, { json: false, quiet: false });
}

/** The commands that need the simulator. */
const onModels = {
  simulate: simulateCommand,
  check: checkCommand,
  list: listCommand,
  flatten: flattenCommand,
  steady: steadyCommand,
  linearize: linearizeCommand,
  modes: modesCommand,
  export: exportCommand,
};

function help(command: string | undefined, io: Io): ExitStatus {
  if (command === undefined) return print(io, generalHelp());
  if (Object.hasOwn(commands, command)) return print(io, commandHelp(command as CommandName));
  return unknownCommand(command, [], io);
}

function unknownCommand(name: string, argv: readonly string[], io: Io): ExitStatus {
  const file = `${name}.mo`;
  const meant = isResults(name)
    ? `results ${name}`
    : existsSync(resolve(io.cwd, file))
      ? file
      : meantCommand(name);
  const hint = didYouMean(meant) ?? '`mutabor --help` lists the commands.';
  const diagnostics = [badOption(`There is no command \`${name}\`.`, hint)];
  return refuse(io, { status: 2, diagnostics }, { json: argv.includes('--json'), quiet: false });
}

/** A bug of Mutabor: said as such, with what helps to report it. An exhausted call stack is a limit, not a bug. */
function internalError(problem: unknown, json: boolean, io: Io): ExitStatus {
  const message = problem instanceof Error ? problem.message : String(problem);
  const manner = { json, quiet: false };
  if (problem instanceof RangeError && message.includes('call stack')) {
    const diagnostics = [error('limit-exceeded', 'The classes of the model are nested too deeply.')];
    return refuse(io, { status: 1, stage: 'flatten', diagnostics }, manner);
  }
  const diagnostics = [
    error('internal', `Mutabor itself has a problem here: ${message}`, {
      hint: 'This is not your mistake. Please report it with the model that shows it.',
    }),
  ];
  refuse(io, { status: 1, diagnostics }, manner);
  if (!json && problem instanceof Error && problem.stack) io.err.write(`${visible(problem.stack)}\n`);
  return 1;
}

function print(io: Io, text: string): ExitStatus {
  io.out.write(text);
  return 0;
}

function version(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
