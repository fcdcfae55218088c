/**
 * The way of one text through everything, and what is wrong with how it went. What a text deserves is a result or a located message; a
 * finding is all else: an exception that is no `Failure`, an `internal` error, a message without a place, printed text that does not load.
 * Hangs and exhausted memory are found by whoever runs this (`runner.ts`).
 */
import type { Diagnostic } from '../../src/diagnostic/diagnostic.ts';
import { Failure } from '../../src/diagnostic/failure.ts';
import { heeding, Interrupted, type StopSignal } from '../../src/diagnostic/pulse.ts';
import { renderDiagnostic } from '../../src/diagnostic/render.ts';
import { locate, Source } from '../../src/diagnostic/source.ts';
import { exportModelica } from '../../src/export/index.ts';
import type { FlatModel } from '../../src/flat/flat.ts';
import { printFlat } from '../../src/flat/print/class.ts';
import { lastModel, translate } from '../../src/load.ts';
import type { FileSystem } from '../../src/model/classes/files.ts';
import { Library } from '../../src/model/library.ts';
import { toArrow } from '../../src/results/files/arrow.ts';
import { toCsv } from '../../src/results/files/csv.ts';
import { FormatError } from '../../src/results/files/format.ts';
import { readResults } from '../../src/results/files/formats.ts';
import { toJson } from '../../src/results/files/json.ts';
import { toMat } from '../../src/results/files/mat.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { check, simulate, surveyModes } from '../../src/simulate/index.ts';
import { parse } from '../../src/syntax/parser.ts';
import { print } from '../../src/syntax/print.ts';
import { damaged } from './mutate.ts';
import { Random } from './random.ts';

export interface Finding {
  readonly kind: 'crash' | 'internal' | 'unlocated' | 'unloadable' | 'hang' | 'memory';
  /** Where it went wrong. */
  readonly stage: string;
  readonly message: string;
}

/** Two findings with the same one are the same mistake, as far as one can tell. */
export function signatureOf({ kind, stage, message }: Finding): string {
  return `${kind} ${stage} ${message.replace(/`[^`]*`|"[^"]*"|\d+(\.\d+)?(e[+-]?\d+)?/g, '…').slice(0, 100)}`;
}

/**
 * Looks at the signal in one stage, after which it is stopped: what takes longer is no finding, not being able to stop is. Time would depend on
 * the machine.
 */
const PATIENCE = 300_000;
/** The same for a run: it looks about once a step, and what has many events has large results. */
const PATIENCE_OF_RUNS = 20_000;

/** Codes of messages that are about a run or a model as a whole. */
const placeless: readonly string[] = ['bad-option', 'interrupted', 'no-model'];

/** How far a text came, and what is wrong with how it was dealt with. */
export interface Verdict {
  readonly reached: 'nothing' | 'tree' | 'flat model' | 'results';
  readonly finding?: Finding;
}

export async function judge(text: string, files: FileSystem, seed: number): Promise<Verdict> {
  let reached: Verdict['reached'] = 'nothing';
  try {
    await everything(text, files, seed, (what) => {
      reached = what;
    });
    return { reached };
  } catch (problem) {
    if (problem instanceof Found) return { reached, finding: problem.finding };
    throw problem;
  }
}

class Found extends Error {
  readonly finding: Finding;

  constructor(kind: Finding['kind'], stage: string, message: string) {
    super(message);
    this.finding = { kind, stage, message };
  }
}

async function everything(
  text: string,
  files: FileSystem,
  seed: number,
  reach: (what: Verdict['reached']) => void,
): Promise<void> {
  const source = new Source('fuzz.mo', text);
  const read = stage('parse', () => parse(source));
  if (!read) return;
  located('parse', read.diagnostics, text);
  if (hasErrors(read.diagnostics)) return;
  reach('tree');
  const { definition } = read;
  const printed = stage('print', () => print(definition))!;
  const again = stage('parse printed', () => parse(new Source('printed.mo', printed)))!;
  if (hasErrors(again.diagnostics)) throw new Found('unloadable', 'print', first(again.diagnostics));
  if (print(again.definition) !== printed)
    throw new Found('unloadable', 'print', 'Printing what was printed gives another text.');

  const flat = flattened(text, files, 'flatten');
  if (!flat) return;
  reach('flat model');
  const flatText = stage('print flat', () => printFlat(flat));
  if (flatText !== undefined && !/^partial model/m.test(flatText)) loads('print flat', flatText, files);
  located('check', stage('check', () => check(flat))?.diagnostics ?? [], text);
  const survey = stage('modes', () => surveyModes(flat, { limit: 4 }));
  located('modes', survey?.diagnostics ?? [], text);
  const exported = stage('export', () => exportModelica(flat, { limit: 4 }));
  if (exported) loads('export', exported.text, files);
  const table = await simulated(flat, text);
  if (!table || table.rowCount === 0) return;
  reach('results');
  reading(table, seed);
}

function flattened(text: string, files: FileSystem, name: string): FlatModel | undefined {
  return stage(name, () => {
    const library = new Library({ files, roots: ['Mutabor'] });
    const { definition, diagnostics } = parse(new Source('fuzz.mo', text));
    const clashes = [...diagnostics, ...library.add(definition)];
    located('library', clashes, text);
    const within = (definition.within?.parts ?? []).map((part) => part.text);
    const model = lastModel(definition.classes, within);
    if (hasErrors(clashes) || model === undefined) return undefined;
    const translation = translate(library, model);
    located(name, translation.diagnostics, text);
    return translation.model;
  });
}

async function simulated(flat: FlatModel, text: string): Promise<SignalTable | undefined> {
  const { startTime = 0, stopTime = startTime + 1 } = flat.experiment;
  const options = { startTime, stopTime: startTime + 0.1 * (stopTime - startTime), intervals: 10 };
  try {
    const { diagnostics, table } = await simulate(flat, { ...options, signal: patience(PATIENCE_OF_RUNS) });
    located('simulate', diagnostics, text);
    return table;
  } catch (problem) {
    throw crash('simulate', problem);
  }
}

/** A model that was exported or printed says what it is: it loads. */
function loads(name: string, text: string, files: FileSystem): void {
  const { diagnostics } = parse(new Source(`${name}.mo`, text));
  if (hasErrors(diagnostics)) throw new Found('unloadable', name, first(diagnostics));
  const library = new Library({ files, roots: ['Mutabor'] });
  const { definition } = parse(new Source(`${name}.mo`, text));
  library.add(definition);
  const model = lastModel(definition.classes, [])!;
  const translation = stage(`load ${name}`, () => translate(library, model));
  if (translation && !translation.model) throw new Found('unloadable', name, first(translation.diagnostics));
}

/** Results come back as they were written; damaged files give a table or a `FormatError`. */
function reading(table: SignalTable, seed: number): void {
  const random = new Random(seed, 1);
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
  const formats: [string, () => Uint8Array][] = [
    ['csv', () => encode(toCsv(table))],
    ['mat', () => toMat(table)],
    ['arrow', () => toArrow(table)],
    ['json', () => encode(toJson(table))],
  ];
  for (const [format, write] of formats) {
    const bytes = stage(`write ${format}`, write);
    if (!bytes) continue;
    const back = stage(`read ${format}`, () => readResults(bytes));
    if (back && back.rowCount !== table.rowCount)
      throw new Found('unloadable', `read ${format}`, 'There are other rows than were written.');
    for (let n = 0; n < 8; n++) readDamaged(format, damaged(random, bytes));
  }
}

/** Reads a file of results that may be damaged. */
export function readDamaged(format: string, bytes: Uint8Array): void {
  try {
    readResults(bytes);
  } catch (problem) {
    if (!(problem instanceof FormatError)) throw crash(`read damaged ${format}`, problem, bytes);
  }
}

/** A stage that gives a result, a `Failure`, or is stopped; undefined for the latter two. */
function stage<T>(name: string, work: () => T): T | undefined {
  try {
    return heeding(patience(), work);
  } catch (problem) {
    if (problem instanceof Interrupted) return undefined;
    if (!(problem instanceof Failure)) throw crash(name, problem);
    if (problem.diagnostics.some(({ code }) => code === 'internal'))
      throw new Found('internal', name, problem.message);
    return undefined;
  }
}

function patience(most = PATIENCE): StopSignal {
  let looks = 0;
  return {
    get aborted() {
      return ++looks > most;
    },
  };
}

/** The exception, with the place in our sources: the same message comes from many. */
function crash(name: string, problem: unknown, bytes?: Uint8Array): Found {
  if (problem instanceof Found) return problem;
  if (!(problem instanceof Error)) return new Found('crash', name, String(problem));
  const frame = /at (?:new )?([\w.$<>]+) /.exec((problem.stack ?? '').split('\n').slice(1).join('\n'))?.[1];
  const dump = bytes ? ` (base64 ${Buffer.from(bytes).toString('base64').slice(0, 4000)})` : '';
  return new Found('crash', name, `${problem.name} in ${frame}: ${problem.message}${dump}`);
}

/** Messages can be shown, have a place inside their text, and are no bug. */
function located(name: string, diagnostics: readonly Diagnostic[], text: string): void {
  for (const item of diagnostics) {
    if (item.code === 'internal') throw new Found('internal', name, item.message);
    renderDiagnostic(item, { color: false });
    const spans = [item, ...item.notes].flatMap(({ span }) => span ?? []);
    for (const span of spans) {
      const { source, start, end } = locate(span);
      if (start < 0 || end < start || end > source.text.length)
        throw new Found('unlocated', name, `Outside of the text: ${item.message}`);
    }
    if (spans.length > 0) continue;
    if (item.severity === 'error' && text.trim() !== '' && !placeless.includes(item.code))
      throw new Found('unlocated', name, `[${item.code}] ${item.message}`);
  }
}

const hasErrors = (list: readonly Diagnostic[]): boolean => list.some(({ severity }) => severity === 'error');
const first = (list: readonly Diagnostic[]): string =>
  list.find(({ severity }) => severity === 'error')?.message ?? '';
