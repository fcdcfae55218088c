/**
 * The command line as data: which commands and options there are, what they mean, and what a user wrote. Splitting
 * into tokens is left to `node:util`; which tokens are right is decided here, so that every mistake is a diagnostic
 * that names what was probably meant.
 */
import { parseArgs } from 'node:util';
import { append } from '../collections/groups.ts';
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts';
import { nearest } from '../diagnostic/nearest.ts';
import { resultExtensions } from '../results/files/formats.ts';
import { timeUnits } from '../results/plot/figure.ts';
import { methods, type SimulateOptions } from '../simulate/settings.ts';

export interface OptionSpec {
  /** Name of the value in the help; a flag has none. */
  readonly value?: string;
  readonly multiple?: boolean;
  /** The option of a run that it gives: true where it is a flag, else a number or, of `choices`, a text. */
  readonly sets?: keyof SimulateOptions;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** What other tools call it. */
  readonly also?: readonly string[];
  readonly help: string;
}

export const options = {
  model: { value: 'NAME', help: 'the model, by its qualified name (default: the last one in the file)' },
  library: {
    also: ['lib', 'path', 'include', 'L'],
    value: 'DIR',
    multiple: true,
    help: 'a library, or a folder that contains libraries (also: MODELICAPATH)',
  },
  start: {
    sets: 'startTime',
    also: ['startTime'],
    value: 'T',
    help: 'start time in s (default: experiment annotation, or 0)',
  },
  stop: {
    sets: 'stopTime',
    also: ['stopTime', 'end', 'until', 'duration'],
    value: 'T',
    help: 'stop time in s (default: experiment annotation, or 1 s after the start)',
  },
  from: {
    also: ['continue', 'initial', 'restart'],
    value: 'FILE',
    help: `begin with the last row of a result (${resultExtensions})`,
  },
  'from-time': {
    sets: 'fromTime',
    value: 'T',
    help: 'begin with the row of the result at this time, in s (default: the last one)',
  },
  at: {
    also: ['time', 'when'],
    value: 'T',
    help: 'simulate to this time first, in s (default: at the start)',
  },
  steady: {
    also: ['equilibrium', 'trim'],
    help: 'at the steady state that is found from there',
  },
  tolerance: {
    sets: 'tolerance',
    also: ['tol', 'rtol'],
    value: 'TOL',
    help: 'relative tolerance (default: experiment annotation, or 1e-6; for comparisons 1e-4)',
  },
  absolute: {
    also: ['atol'],
    value: 'VALUE',
    help: 'difference of values that is always allowed (default: a millionth of the tolerance)',
  },
  'time-tolerance': {
    value: 'T',
    help: 'difference of times that is allowed (default: the tolerance times the length of the run)',
  },
  intervals: {
    sets: 'intervals',
    also: ['numberOfIntervals', 'points'],
    value: 'N',
    help: 'number of output intervals (default: experiment annotation, or 500)',
  },
  method: {
    sets: 'method',
    also: ['solver', 'integrator'],
    value: 'METHOD',
    choices: methods,
    help: 'auto, bdf or radau (stiff), rk (not stiff) (default: auto)',
  },
  sliding: { sets: 'sliding', help: 'slide along a boundary where both sides of a relation push back' },
  audit: { sets: 'audit', help: 'check the results against the equations of the model' },
  set: {
    also: ['param', 'parameter', 'override', 'define'],
    value: 'NAME=VALUE',
    multiple: true,
    help: 'another value for a parameter or start value: k=2*a, x.start=1, c[3].k=5',
  },
  input: {
    value: 'FILE',
    also: ['inputs', 'data', 'table'],
    help: `a table (${resultExtensions}) that the inputs of the model follow`,
  },
  hold: {
    sets: 'hold',
    help: 'inputs keep the value of a row until the next one (default: Reals are interpolated)',
  },
  variables: {
    also: ['vars', 'signals', 'filter'],
    value: 'LIST',
    help: 'names and globs, separated by commas: only these in output, plot or linear model',
  },
  output: {
    also: ['o', 'out', 'result', 'results', 'csv', 'save'],
    value: 'FILE',
    help: `write results (${resultExtensions}), linear models (.json, .mat, .m), text (.mo)`,
  },
  plot: { also: ['svg', 'png', 'figure'], value: 'FILE', help: 'draw the results as .svg, .png or .html' },
  animation: {
    also: ['animate', 'glb', 'gltf'],
    value: 'FILE',
    multiple: true,
    help: 'show bodies in motion, as .glb for viewers of glTF or as a page, .html',
  },
  diagrams: {
    also: ['layout'],
    value: 'LAYOUT',
    help: 'what to draw where: "a, b; c | y over x" has two curves above two diagrams side by side',
  },
  title: { value: 'TEXT', help: 'the title of the plot (default: the name of the model)' },
  'time-unit': {
    value: 'UNIT',
    choices: timeUnits,
    help: `the unit of the time axis: ${timeUnits.join(', ')} (default: what suits the run)`,
  },
  'single-mode': { sets: 'singleMode', help: 'allow one structure of the equations only, as other tools do' },
  show: {
    value: 'WHAT',
    choices: ['stages', 'wat'],
    help: 'stages: what each stage makes of the model; wat: the WebAssembly of the initial mode',
  },
  limit: { value: 'N', help: 'number of modes to examine or write at most (default: 64)' },
  mode: {
    value: 'SIGNATURE',
    help: 'examine this mode alone (`closed, not broken`); the rest is as in the initial mode',
  },
  equations: { help: 'show what is solved in each mode, in its order: blocks, unknowns, lines' },
  icon: { also: ['symbol'], help: 'draw the icon of the class, which others see of it' },
  chart: { also: ['states', 'statechart'], help: 'draw the chart of the state machines of the class' },
  base: { help: 'write Base Modelica, for other tools: a package with functions and one model' },
  as: { value: 'LANGUAGE', choices: ['modelica'], help: 'the language to write: modelica' },
  port: { value: 'N', help: 'the port to serve at (default: one that is free)' },
  'no-open': { help: 'print the address, but open no browser' },
  json: { help: 'print one JSON object, also when something is wrong' },
  quiet: { also: ['q', 'silent'], help: 'print nothing but errors' },
  help: { help: 'show this help' },
  version: { help: 'show the version' },
} as const satisfies Record<string, OptionSpec>;

export type OptionName = keyof typeof options;

export interface CommandSpec {
  readonly summary: string;
  /** What one may call it as well. */
  readonly also?: readonly string[];
  /** What stands between the command and its options; models where it is left out. */
  readonly files?: string;
  readonly options: readonly OptionName[];
  /** What options mean here, where that is something else. */
  readonly help?: Partial<Record<OptionName, string>>;
}

const loading: readonly OptionName[] = ['model', 'library'];

export const commands = {
  simulate: {
    also: ['run', 'sim', 'plot'],
    summary: 'simulate a model and write or plot the results',
    options: [
      ...loading,
      ...([
        'start',
        'stop',
        'tolerance',
        'intervals',
        'method',
        'single-mode',
        'sliding',
        'audit',
        'set',
        'input',
        'hold',
        'from',
        'from-time',
        'variables',
      ] as const),
      ...(['output', 'plot', 'animation', 'diagrams', 'title', 'time-unit'] as const),
      ...(['json', 'quiet', 'help'] as const),
    ],
  },
  check: {
    also: ['validate', 'lint'],
    summary: 'count equations and variables, find problems, show the structure of the initial mode',
    options: [...loading, 'set', 'show', 'json', 'quiet', 'help'],
  },
  list: {
    also: ['ls', 'info', 'show', 'parameters', 'variables'],
    summary: 'list parameters, inputs and variables, with their values and units, before a run',
    options: [...loading, 'set', 'variables', 'json', 'quiet', 'help'],
  },
  flatten: {
    also: ['dump'],
    summary: 'print the model as one class, which can be read again',
    options: [...loading, 'base', 'set', 'help'],
  },
  steady: {
    also: ['trim', 'equilibrium', 'steady-state'],
    summary: 'find a state in which nothing moves, and write its values',
    options: [
      ...loading,
      ...(['at', 'start', 'tolerance', 'method', 'sliding', 'set', 'input', 'hold'] as const),
      ...(['variables', 'output', 'json', 'quiet', 'help'] as const),
    ],
  },
  linearize: {
    also: ['linearise', 'linear', 'lin'],
    summary: 'write the linear model around a point: matrices A, B, C, D, and poles',
    options: [
      ...loading,
      ...(['at', 'steady', 'start', 'tolerance', 'method', 'sliding', 'set', 'input', 'hold'] as const),
      ...(['variables', 'output', 'json', 'quiet', 'help'] as const),
    ],
  },
  modes: {
    summary: 'list the structures that the equations can take, their differences, and singular ones',
    options: [...loading, 'set', 'limit', 'mode', 'equations', 'json', 'quiet', 'help'],
  },
  export: {
    summary: 'write a model for other tools: all its modes in one structure, as standard Modelica',
    options: [...loading, 'as', 'output', 'limit', 'set', 'json', 'quiet', 'help'],
  },
  draw: {
    also: ['diagram', 'drawing', 'picture', 'view'],
    summary: 'draw the diagram, the icon or the state chart of a class',
    options: [...loading, 'icon', 'chart', 'output', 'json', 'quiet', 'help'],
    help: {
      model: 'the class, by its qualified name (default: the last model in the file)',
      output: 'write the drawing as .svg or .png (default: SVG on standard output)',
    },
  },
  studio: {
    also: ['serve', 'gui', 'edit', 'open', 'web'],
    summary: 'write, run and watch the models in a folder, in a browser',
    files: '[DIR]',
    options: ['library', 'port', 'no-open', 'help'],
  },
  lsp: {
    also: ['language-server', 'server'],
    summary: 'serve editors with diagnostics, completion, renaming and more, over standard input and output',
    files: '',
    options: ['library', 'help'],
  },
  results: {
    also: ['convert', 'describe'],
    summary: 'describe a file of results, write it in another format, plot it',
    files: 'FILE',
    options: ['variables', 'output', 'plot', 'diagrams', 'title', 'time-unit', 'json', 'quiet', 'help'],
  },
  compare: {
    also: ['diff'],
    summary: 'find where results differ from those in the first file',
    files: 'FILE FILE...',
    options: [
      ...(['tolerance', 'absolute', 'time-tolerance', 'variables', 'plot', 'diagrams'] as const),
      ...(['title', 'time-unit', 'json', 'quiet', 'help'] as const),
    ],
  },
} as const satisfies Record<string, CommandSpec>;

export type CommandName = keyof typeof commands;

/** What a user wrote after the command. */
export interface Arguments {
  readonly files: readonly string[];
  /** Values by option, in the order written; a flag has the value `''`. */
  readonly given: ReadonlyMap<OptionName, readonly string[]>;
  readonly diagnostics: readonly Diagnostic[];
}

export function parseArguments(command: CommandName, argv: readonly string[]): Arguments {
  const allowed: readonly OptionName[] = commands[command].options;
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      allowed.map((name) => [name, { type: 'value' in options[name] ? 'string' : 'boolean' } as const]),
    ),
    strict: false,
    tokens: true,
  });
  const files: string[] = [];
  const given = new Map<OptionName, string[]>();
  const diagnostics: Diagnostic[] = [];
  let dashed = -1;
  for (const token of tokens) {
    if (token.kind === 'positional') files.push(token.value);
    if (token.kind !== 'option' || token.index === dashed) continue;
    const word = argv[token.index]!;
    // Letters after one dash are options of one letter each, of which there are none.
    if (/^-\w\w/.test(word)) {
      dashed = token.index;
      diagnostics.push(noOption(command, allowed, word.slice(1).replace(/=.*/, ''), word));
      continue;
    }
    const name = token.rawName === '-h' ? 'help' : token.name;
    const problem = checkOption(command, allowed, name, token.rawName, token.value);
    if (problem) diagnostics.push(problem);
    else append(given, name as OptionName, token.value ?? '');
  }
  for (const [name, values] of given) diagnostics.push(...givenTwice(name, values));
  return { files, given, diagnostics };
}

export const badOption = (message: string, hint?: string): Diagnostic =>
  error('bad-option', message, { hint });

/** Of two numbers the last one counts; of two files or lists of names, one would be lost. */
function givenTwice(name: OptionName, values: readonly string[]): Diagnostic[] {
  const [first, other] = new Set(values);
  const { value = '', multiple = false } = options[name] as OptionSpec;
  if (multiple || !['FILE', 'LIST', 'LAYOUT'].includes(value) || other === undefined) return [];
  const message = `\`--${name}\` is given twice, with \`${first}\` and with \`${other}\`.`;
  const joins: Partial<Record<OptionName, string>> = {
    variables: `Write \`--variables ${first},${other}\`.`,
    input: 'Put the columns of both into one table.',
    from: 'A run begins with one result.',
  };
  return [badOption(message, joins[name])];
}

/** The one value of an option: the last one written. */
export function optionValue(args: Arguments, name: OptionName): string | undefined {
  return args.given.get(name)?.at(-1);
}

/** All different values of an option. */
export const optionValues = (args: Arguments, name: OptionName): string[] => [
  ...new Set(args.given.get(name)),
];

function checkOption(
  command: CommandName,
  allowed: readonly OptionName[],
  name: string,
  written: string,
  value: string | undefined,
): Diagnostic | undefined {
  if (!allowed.includes(name as OptionName))
    return Object.hasOwn(options, name)
      ? badOption(`\`${command}\` has no option \`${written}\`.`, listedOptions(command))
      : noOption(command, allowed, name, written);
  const spec: OptionSpec = options[name as OptionName];
  if (spec.value === undefined) {
    return value === undefined ? undefined : badOption(`The option \`${written}\` takes no value.`);
  }
  if (value === undefined || value === '' || (value.startsWith('-') && !isNumber(value))) {
    return badOption(`The option \`${written}\` needs a value.`, `Write \`${written} ${spec.value}\`.`);
  }
  if (spec.choices && !spec.choices.includes(value)) {
    return badOption(
      `\`${value}\` is not a value of \`${written}\`.`,
      `Choose one of: ${spec.choices.join(', ')}.`,
    );
  }
  return undefined;
}

function noOption(
  command: CommandName,
  allowed: readonly OptionName[],
  name: string,
  written: string,
): Diagnostic {
  const near = meantOption(name, allowed) ?? nearest(name, ['version']);
  return badOption(
    `There is no option \`${written}\`.`,
    near ? `Did you mean \`--${near}\`?` : listedOptions(command),
  );
}

const listedOptions = (command: CommandName): string => `\`mutabor help ${command}\` lists the options.`;

/** The option that was meant, by its own name or by one that other tools have for it. */
const meantOption = (name: string, allowed: readonly OptionName[]): OptionName | undefined =>
  meant(name, allowed, (option) => (options[option] as OptionSpec).also);

/** The command that was meant. */
export const meantCommand = (name: string): CommandName | undefined =>
  meant(name, Object.keys(commands) as CommandName[], (command) => (commands[command] as CommandSpec).also);

function meant<T extends string>(
  name: string,
  all: readonly T[],
  alsoOf: (one: T) => readonly string[] | undefined,
): T | undefined {
  const known = new Map<string, T>(all.map((one) => [one, one]));
  for (const one of all) for (const other of alsoOf(one) ?? []) if (!known.has(other)) known.set(other, one);
  const spelt = known.has(name) ? name : nearest(name, known.keys());
  return spelt === undefined ? undefined : known.get(spelt);
}

export function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}
