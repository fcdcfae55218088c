/** What `simulate` prints about a run: the JSON object of the contract, or a few lines for people. */
import type { Audit } from '../audit/index.ts';
import { grouped } from '../collections/groups.ts';
import { counted, listed as listedNames } from '../diagnostic/words.ts';
import { readable } from '../names/readable.ts';
import { chooseSignals, leftOut } from '../results/plot/choose.ts';
import { briefNames } from '../results/plot/naming.ts';
import { impulseUnit } from '../results/plot/units.ts';
import { displayed, quantityText } from '../results/plot/value.ts';
import type { SignalTable } from '../results/table/table.ts';
import type { Settings } from '../simulate/settings.ts';
import type { SimulationResult, Statistics } from '../simulate/types.ts';
import { duration } from './progress.ts';
import { finalJson, painter } from './report.ts';
import type { Io } from './surroundings.ts';

export interface Finished {
  readonly result: SimulationResult;
  readonly settings: Settings;
  /** Time from the text to the flat model. */
  readonly loadMs: number;
  /** The signals that the user named, where there are any. */
  readonly named: SignalTable | undefined;
  /** Whether a variable is to be shown. */
  readonly isNamed: (variable: string) => boolean;
  /** Files that were written. */
  readonly paths: readonly string[];
}

export function resultJson({ result, loadMs }: Finished): object {
  const visible = result.table.visible();
  return {
    model: result.model,
    status: result.status,
    stage: result.stage ?? null,
    time: result.time,
    final: finalJson(visible),
    modes: result.modes,
    segments: result.segments,
    impulses: result.impulses,
    statistics: { ...result.statistics, translateMs: loadMs + result.statistics.translateMs },
    ...(result.audit && { audit: auditJson(result.audit) }),
  };
}

function auditJson({ equations, points, events, residual, unchecked, diagnostics }: Audit): object {
  return { equations, points, events, residual, unchecked, offences: diagnostics.length };
}

/** So many modes and impulses are listed. */
export const LISTED = 12;
/** Characters of the names of modes; where some are longer, all are shortened. */
const LONGEST = 80;

export function summary(io: Io, finished: Finished): string {
  const { result, settings, loadMs, named, isNamed, paths } = finished;
  const paint = painter(io);
  const color = result.status === 'failed' ? 'red' : result.status === 'stopped' ? 'yellow' : 'green';
  const { startTime, stopTime, tolerance } = settings;
  const span = ` (from ${startTime} s to ${stopTime} s, tolerance ${readable(tolerance)})`;
  const lines = [
    `${paint('bold', result.model)}: ${paint(color, result.status)} at ${readable(result.time)} s${paint('dim', span)}`,
    ...(result.modes.length > 1 ? listed(modeLines(result), result.modes.length) : []),
    ...listed(
      together(
        result.table,
        result.impulses.filter(({ variable }) => isNamed(variable)),
      ).map(([impulse, ...others]) => `${impulseLine(result.table, impulse!)}${alsoOf(impulse!, others)}`),
    ),
    ...(named
      ? listed(finalLines(named, named.names.slice(0, LISTED)), named.size)
      : chosenLines(result.table)),
    ...(result.audit
      ? [
          `  ${paint(result.audit.diagnostics.length > 0 ? 'red' : 'green', 'audit')}: ${auditLine(result.audit)}`,
        ]
      : []),
    paint('dim', `  ${statisticsLine(result.statistics, loadMs)}`),
    ...paths.map((path) => `  wrote ${path}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The first lines; `total` where there are more than these. */
export function listed(lines: readonly string[], total = lines.length): string[] {
  const rest = total - LISTED;
  return rest > 0 ? [...lines.slice(0, LISTED), `  … and ${rest} more`] : [...lines];
}

function modeLines({ modes: all }: SimulationResult): string[] {
  const modes = all.slice(0, LISTED);
  const spans = modes.map(({ from, to }) => `${readable(from)} s to ${readable(to)} s`);
  const brief = briefNames(
    all.map(({ signature }) => signature),
    LONGEST,
  );
  const names = modes.map(({ signature }) => brief.get(signature)!);
  const [spanWidth, nameWidth] = [width(spans), width(names)];
  return modes.map(({ states, index }, i) => {
    const structure = `${counted(states.length, 'state')}, index ${index}`;
    return `  mode ${spans[i]!.padEnd(spanWidth)}  ${names[i]!.padEnd(nameWidth)}  ${structure}`;
  });
}

type Impulses = SimulationResult['impulses'];

/** Impulses of one instant that are one and the same under several names. */
function together(table: SignalTable, impulses: Impulses): Impulses[] {
  const owner = (variable: string): string => {
    const source = table.info(variable)?.source;
    return source?.kind === 'alias' ? source.of : variable;
  };
  return [...grouped(impulses, ({ time, variable }) => `${time} ${owner(variable)}`).values()];
}

/** The other names of an impulse, with their signs. */
function alsoOf({ weight }: Impulses[number], others: Impulses): string {
  const names = others.map((other) => `${other.weight * weight < 0 ? '−' : ''}${other.variable}`);
  return names.length > 0 ? ` (also ${listedNames(names, 3)})` : '';
}

function impulseLine(
  table: SignalTable,
  { time, variable, weight, unit: own }: SimulationResult['impulses'][number],
): string {
  const info = table.info(variable);
  const { unit, scale } = info ? displayed(info) : { unit: '', scale: 1 };
  const size = [readable(weight * scale), own ?? impulseUnit(unit)].filter(Boolean).join(' ');
  return `  impulse at ${readable(time)} s  ${variable}  ${size}`;
}

/** The signals that a plot would choose. */
export function chosenLines(table: SignalTable): string[] {
  const chosen = chooseSignals(table);
  const rest = leftOut(table, chosen);
  const lines = finalLines(table, chosen);
  return rest > 0 && lines.length > 0 ? [...lines, `  … and ${rest} more`] : lines;
}

/** Signals with their last values. */
export function finalLines(table: SignalTable, names: readonly string[]): string[] {
  if (table.rowCount === 0) return [];
  const nameWidth = width(names);
  return names.map((name) => {
    const value = table.at(name, table.rowCount - 1);
    return `  ${name.padEnd(nameWidth)} = ${quantityText(table.info(name)!, value)}`;
  });
}

function statisticsLine(statistics: Statistics, loadMs: number): string {
  const { steps, events, modesCompiled, translateMs, compileMs, simulateMs } = statistics;
  const counts = `${counted(steps, 'step')}, ${counted(events, 'event')}, ${counted(modesCompiled, 'mode')} compiled`;
  const times = [
    `${duration(loadMs + translateMs)} to translate`,
    `${duration(compileMs)} to compile`,
    `${duration(simulateMs)} to simulate`,
  ];
  return `${counts}; ${times.join(', ')}`;
}

function auditLine({ equations, points, events, residual, unchecked, diagnostics }: Audit): string {
  const checked = [counted(equations, 'equation'), counted(points, 'point'), counted(events, 'event')].join(
    ', ',
  );
  const open = unchecked > 0 ? `; ${unchecked} not checked` : '';
  if (diagnostics.length > 0) return `${checked}; ${counted(diagnostics.length, 'offence')}${open}`;
  return `${checked}; largest residual ${readable(residual)} of the terms${open}`;
}

const width = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0);
