/** `mutabor modes`: which structures can the equations take, how do they differ, and is one of them singular? */
import { remember } from '../collections/memo.ts';
import type { Diagnostic } from '../diagnostic/diagnostic.ts';
import { locate, type Span } from '../diagnostic/source.ts';
import { counted, listed } from '../diagnostic/words.ts';
import type { FlatModel } from '../flat/flat.ts';
import type { Difference, ModeEquations, ModeSurvey, SolvedBlock, SurveyedMode } from '../simulate/index.ts';
import type { Core } from './core.ts';
import { loadModel } from './load.ts';
import { type Arguments, badOption, optionValue } from './options.ts';
import {
  diagnosticJson,
  type ExitStatus,
  mannerOf,
  painter,
  placeJson,
  printDiagnostics,
  printJson,
  refuse,
  show,
  together,
} from './report.ts';
import type { Io } from './surroundings.ts';

/** More modes than anybody reads. */
const MOST_MODES = 1e5;

export async function modesCommand(args: Arguments, io: Io, core: Core): Promise<ExitStatus> {
  const manner = mannerOf(args);
  const { limit, diagnostics: wrong } = readLimit(args);
  const loaded = await loadModel({ ...args, diagnostics: [...args.diagnostics, ...wrong] }, io, core);
  if (!loaded.ok) return refuse(io, loaded, manner);
  const { name } = loaded.model;
  const survey = core.surveyModes(loaded.model, { limit, mode: optionValue(args, 'mode') });
  const diagnostics = together(loaded.diagnostics, survey.diagnostics);
  if (survey.diagnostics.some((item) => item.code === 'bad-option'))
    return refuse(io, { status: 2, model: name, diagnostics }, manner);
  const equations: EquationsOf = args.given.has('equations')
    ? (mode) => core.modeEquations(mode)
    : () => undefined;
  if (manner.json) printJson(io, surveyJson(name, survey, diagnostics, equations));
  else if (!manner.quiet && survey.status !== 'failed')
    show(io, report(io, loaded.model, survey, placesOf(args.files), equations));
  printDiagnostics(io, [...diagnostics, ...problemsOf(survey.modes)], manner);
  return survey.status === 'ok' ? 0 : 1;
}

/** What is solved in a mode, where that is to be shown. */
type EquationsOf = (mode: SurveyedMode) => ModeEquations | undefined;

/** How many modes to look at. */
export function readLimit(args: Arguments): { limit: number | undefined; diagnostics: Diagnostic[] } {
  const text = optionValue(args, 'limit');
  const limit = text === undefined ? undefined : Number(text);
  const right = limit === undefined || (Number.isInteger(limit) && limit >= 1 && limit <= MOST_MODES);
  const message = `\`--limit ${text}\` is not a whole number from 1 to ${MOST_MODES}.`;
  return { limit, diagnostics: right ? [] : [badOption(message)] };
}

// ---------------------------------------------------------------- for programs

const structural = ['states', 'index', 'assignments', 'loops', 'systems', 'selections', 'floating'] as const;

function surveyJson(
  model: string,
  survey: ModeSurvey,
  diagnostics: readonly Diagnostic[],
  equations: EquationsOf,
): object {
  const { status, stage, modes, conditions, machines, combinations, complete } = survey;
  return {
    model,
    status: status === 'ok' ? 'done' : status,
    stage: stage ?? null,
    modes: modes.map((mode) => ({
      signature: mode.signature,
      changes: mode.changes,
      predecessor: mode.predecessor ?? null,
      regular: mode.structure !== undefined,
      ...Object.fromEntries(structural.map((key) => [key, mode.structure?.[key] ?? null])),
      appears: differenceJson(mode.appears),
      disappears: differenceJson(mode.disappears),
      diagnostics: mode.diagnostics.map(diagnosticJson),
      ...equationsJson(equations(mode)),
    })),
    bounded: { examined: modes.length, combinations, complete, conditions, machines },
    diagnostics: diagnostics.map(diagnosticJson),
  };
}

function equationsJson(solved: ModeEquations | undefined): object {
  if (!solved) return {};
  const blocks = solved.blocks.map(({ equations, ...block }) => ({
    ...block,
    equations: equations.map(({ text, span, differentiations }) => ({
      text,
      differentiations,
      ...placeJson(span),
    })),
  }));
  return { aliases: solved.aliases, blocks, beside: solved.beside };
}

function differenceJson({ states, variables, equations }: Difference): object {
  return {
    states,
    variables,
    equations: equations.map(({ text, span }) => ({ text, ...placeJson(span) })),
  };
}

// ---------------------------------------------------------------- for people

/** So many names or equations of one kind are listed. */
const LISTED = 8;

function report(
  io: Io,
  model: FlatModel,
  survey: ModeSurvey,
  places: Places,
  equations: EquationsOf,
): string {
  const paint = painter(io);
  const lines = [
    `${paint('bold', model.name)}: ${boundOf(survey)}`,
    ...insideLines(model),
    ...table(survey.modes),
    ...survey.modes.flatMap((mode) => {
      return [
        '',
        paint('bold', titleOf(mode)),
        ...structureLines(mode),
        ...differenceLines(mode, places),
        ...solvedLines(equations(mode), places),
      ];
    }),
  ];
  return `${lines.join('\n')}\n`;
}

/** Modes are those of equations: what built-in components do inside, by truth values that they read, is not seen here. */
function insideLines({ components, variables, equations }: FlatModel): string[] {
  const fixed = new Set(
    equations.flatMap((equation) =>
      equation.kind === 'equal' && equation.left.kind === 'ref' && equation.right.kind === 'const'
        ? [equation.left.symbol]
        : [],
    ),
  );
  return components.flatMap(({ builtIn, inputs, arrays }) => {
    if (arrays) return [];
    const conditions = inputs.flatMap(({ name, value }) =>
      value.kind === 'ref' && variables[value.symbol]?.type === 'Boolean' && !fixed.has(value.symbol)
        ? [name]
        : [],
    );
    const by = conditions.length > 0 ? `, and may change with ${listed(conditions, LISTED)}` : '';
    return [`  hidden states of ${builtIn.name} are not counted${by}`];
  });
}

/** How much of what there may be was examined. */
function boundOf({ modes, conditions, machines, combinations, complete }: ModeSurvey): string {
  const choices = [
    ...(conditions.length > 0 ? [counted(conditions.length, 'condition')] : []),
    ...(machines.length > 0 ? [counted(machines.length, 'state machine')] : []),
  ].join(' and ');
  if (choices === '') return '1 mode, no structural conditions';
  const examined = counted(modes.length, 'mode');
  if (modes.length === combinations) return `${examined}, all combinations of ${choices}`;
  const all = machines.length > 0 ? 'all that transitions lead to' : 'all that differ';
  if (complete) return `${examined}, ${all}, of ${choices}`;
  const of = `${modes.length} of at most ${amount(combinations)} combinations of ${choices}`;
  const furthest = Math.max(...modes.map((mode) => mode.changes));
  return modes.length > 1 ? `${of}, up to ${counted(furthest, 'change')} from the initial mode` : of;
}

/** Large powers of two as such. */
function amount(n: number): string {
  if (n < 1e6) return String(n);
  return Number.isFinite(n) ? n.toExponential(1).replace('e+', 'e') : '1e308';
}

function table(modes: readonly SurveyedMode[]): string[] {
  const rows = modes.map((mode) => {
    const { structure } = mode;
    const cells = structure
      ? [String(structure.states.length), String(structure.index), systemsOf(structure.systems)]
      : ['singular', '', ''];
    return [String(mode.changes), ...cells, titleOf(mode)];
  });
  const all = [['changes', 'states', 'index', 'systems', 'mode'], ...rows];
  const widths = all[0]!.map((_, k) => Math.max(...all.map((row) => row[k]!.length)));
  return all.map((row) => `  ${row.map((cell, k) => cell.padEnd(widths[k]!)).join('  ')}`.trimEnd());
}

const titleOf = ({ signature }: SurveyedMode): string => signature || 'the only mode';

type Systems = NonNullable<SurveyedMode['structure']>['systems'];

/** Sizes of the systems: `2 linear, 5 nonlinear`. */
function systemsOf(systems: Systems): string {
  if (systems.length === 0) return 'none';
  const sizes = systems.map(
    ({ unknowns, linear }) => `${unknowns.length} ${linear ? 'linear' : 'nonlinear'}`,
  );
  return listed(sizes, LISTED);
}

function structureLines({ structure }: SurveyedMode): string[] {
  if (!structure) return [];
  const { states, selections, assignments, loops, systems, floating } = structure;
  const ofArrays = loops > 0 ? `, ${counted(loops, 'loop')} over arrays` : '';
  const solved = systems
    .slice(0, LISTED)
    .map((s) => `  system of ${counted(s.unknowns.length, 'unknown')}: ${listed(s.unknowns, LISTED)}`);
  return [
    `  ${counted(assignments, 'assignment')}${ofArrays}, ${counted(systems.length, 'system')}`,
    ...solved,
    ...(systems.length > LISTED ? ['  …'] : []),
    `  states: ${states.length === 0 ? 'none' : listed(states, LISTED)}`,
    ...selections.map((s) => `  chosen while running: ${s.states} of ${listed(s.candidates, LISTED)}`),
    ...(floating.length > 0 ? [`  floating: ${listed(floating, LISTED)}`] : []),
  ];
}

/** What is solved, in its order; of a system what it is solved for, what follows, and its equations. */
function solvedLines(solved: ModeEquations | undefined, places: Places): string[] {
  if (!solved) return [];
  const { aliases, blocks, beside } = solved;
  const width = String(blocks.length).length;
  return [
    ...aliases.map(({ name, target, sign }) => `  ${name} is ${sign < 0 ? '-' : ''}${target}`),
    ...beside.map((name) => `  beside these: ${name}`),
    ...blocks.flatMap((block, k) => {
      const [first, ...others] = blockLines(block, places);
      const indent = ' '.repeat(width + 4);
      return [`  ${String(k + 1).padStart(width)}  ${first}`, ...others.map((line) => indent + line)];
    }),
  ];
}

function blockLines({ kind, unknowns, tears, steps, equations }: SolvedBlock, places: Places): string[] {
  const times = (n: number): string => (n === 1 ? ', differentiated' : `, differentiated ${n} times`);
  const written = equations.map(
    ({ text, span, differentiations: n }) => `${text}${places(span)}${n > 0 ? times(n) : ''}`,
  );
  const values = steps.map(({ unknown, value }) => `${unknown} := ${value}`);
  if (kind === 'assignment') {
    const [only] = equations;
    const place = equations.length === 1 ? places(only!.span) : '';
    const n = only?.differentiations ?? 0;
    return [`${values[0]}${place}${n > 0 ? times(n) : ''}`];
  }
  return [
    `${kind} system of ${counted(unknowns.length, 'unknown')}, solved for ${listed(tears, LISTED)}`,
    ...values.map((value) => `  ${value}`),
    ...written.map((text) => `  from ${text}`),
  ];
}

/** Where an equation stands, in words. */
type Places = (span: Span | undefined) => string;

/** Lines; those of other files than the one given, as of a library, with the name of their file. */
function placesOf(files: readonly string[]): Places {
  return (span) => {
    if (!span) return '';
    const { source, start } = locate(span);
    const { name } = source;
    const file = files.length === 1 && files[0] === name ? '' : `${name.split(/[\\/]/).at(-1)}, `;
    return ` (${file}line ${source.position(start).line})`;
  };
}

function differenceLines({ predecessor, appears, disappears }: SurveyedMode, places: Places): string[] {
  if (predecessor === undefined) return [];
  const differences = [...signed('+', appears, places), ...signed('-', disappears, places)];
  if (differences.length === 0) return [`  the same equations as ${predecessor}`];
  return [`  against ${predecessor}:`, ...differences];
}

function signed(sign: string, { states, variables, equations }: Difference, places: Places): string[] {
  const named = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`  ${sign} ${what}${names.length === 1 ? '' : 's'} ${listed(names, LISTED)}`];
  const shown = equations.slice(0, LISTED).map(({ text, span }) => {
    return `  ${sign} equation ${text}${places(span)}`;
  });
  const more = equations.length - LISTED;
  return [
    ...named('state', states),
    ...named('variable', variables),
    ...shown,
    ...(more > 0 ? [`  ${sign} ${counted(more, 'more equation')}`] : []),
  ];
}

/** Why modes are singular; the same reason in many modes is given once, with their names. */
function problemsOf(modes: readonly SurveyedMode[]): Diagnostic[] {
  const groups = new Map<string, { problem: Diagnostic; signatures: string[] }>();
  for (const { signature, diagnostics } of modes) {
    for (const problem of diagnostics) {
      const key = `${problem.code} ${problem.message} ${problem.span?.source.name} ${problem.span?.start}`;
      const { signatures } = remember(groups, key, () => ({ problem, signatures: [] }));
      if (signature !== '') signatures.push(signature);
    }
  }
  return [...groups.values()].map(({ problem, signatures }) => {
    const where = signatures.slice(0, LISTED).map((signature) => ({ message: `in the mode: ${signature}` }));
    const more = signatures.length - LISTED;
    if (more > 0) where.push({ message: `and in ${counted(more, 'more mode')}` });
    return { ...problem, notes: [...problem.notes, ...where] };
  });
}
