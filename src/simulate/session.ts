/**
 * Runs of one model, many times. What was translated for a run (equations sorted into modes, code in WebAssembly) serves the runs
 * after it; what belongs to a run (values in the memory, relations, state machines, clocks, integrators, results) is made anew,
 * so that a run gives the same results whatever ran before it.
 *
 * A model is translated again in three cases: its flat model has another structure than those known, it is to be run in another
 * manner (`Manner`), or values of parameters lead to another structure (`restructuring`: a damping of zero removes a term).
 * All translations are kept, up to a limit.
 *
 * Runs of a session share one memory and wait for each other: they may be started at the same time.
 */

import { type Audit, audit } from '../audit/index.ts';
import { remember } from '../collections/memo.ts';
import { type Diagnostic, diagnostic, error, warning } from '../diagnostic/diagnostic.ts';
import { attempted, Failure } from '../diagnostic/failure.ts';
import { badOptions, type OptionKinds } from '../diagnostic/options.ts';
import { heeding, Interrupted } from '../diagnostic/pulse.ts';
import { type FlatModel, type FlatVariable, isObject } from '../flat/flat.ts';
import { type OpenModel, openModel } from '../flat/open.ts';
import { differenceOf } from '../modes/compare.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import { lowerModel } from '../modes/lower.ts';
import { elementSymbols } from '../modes/variables.ts';
import { writtenNotes } from '../program/components/equations.ts';
import type { GivenValues } from '../program/evaluation.ts';
import { Runtime } from '../program/runtime.ts';
import type { ScheduledRows } from '../program/ticks.ts';
import {
  type Given,
  lowered,
  type Manner,
  mannerText,
  type Prepared,
  scalarValues,
  Translation,
  withValues,
} from '../program/translation.ts';
import { drive, type Started } from './drive.ts';
import { type Linearised, linearised } from './linear.ts';
import { beginningOf, withTimes } from './run/continued.ts';
import { type DrivenModels, driveInputs } from './run/inputs.ts';
import { resumedSettings, snapshotProblems, stateOf } from './run/snapshot.ts';
import { findSteady, undeterminedNote } from './run/steady.ts';
import {
  type LinearizeOptions,
  linearizeKinds,
  type PointOptions,
  type Settings,
  type SimulateOptions,
  type SteadyOptions,
  settingsOf,
  simulateKinds,
  steadyKinds,
} from './settings.ts';
import type { Linearization, SimulationResult, SteadyReport, SteadyStateResult } from './types.ts';

/** Translations that are kept. */
const mostTranslations = 16;

/** What a run is made of: a flat model, and values in place of those that it declares. */
export interface Subject {
  readonly flat: FlatModel;
  readonly given: readonly Given[];
  /** What is to be said of it besides. */
  readonly diagnostics?: readonly Diagnostic[];
  /** What its inputs follow, and the model without: an audit takes their values as they are. */
  readonly inputs?: ScheduledRows;
  readonly original?: FlatModel;
}

/** What is done where a run has come to its stop time. */
type There = NonNullable<Parameters<typeof drive>[4]>;

export class Session {
  private translations: Translation[] = [];
  /** Built-in components that turned out to need their equations. */
  private readonly written = new Set<string>();
  /** Models whose arrays have to be written out. */
  private readonly scalar = new WeakSet<FlatModel>();
  private readonly driven: DrivenModels = new WeakMap();
  private readonly open = new WeakMap<FlatModel, OpenModel>();
  private last: Promise<unknown> = Promise.resolve();

  /**
   * Simulates a model, or what `subject` makes of it. Never rejects because of the model: what goes wrong is told by `status`, `stage`
   * and `diagnostics`, and the results up to that point are in `table`.
   */
  simulate(
    flat: FlatModel,
    given: SimulateOptions = {},
    subject: () => Subject = () => ({ flat, given: [] }),
    kinds: OptionKinds<SimulateOptions> = simulateKinds,
  ): Promise<SimulationResult> {
    const bad = badOptions(given, kinds, 'simulate');
    const wrong = bad.length > 0 ? bad : [...idleHold(given), ...idleTime(given), ...badResume(given)];
    const options = wrong.length > 0 ? {} : given;
    return this.inTurn(() => {
      const begin = (): Subject => {
        if (wrong.length > 0) throw new Failure('initialise', wrong);
        return subject();
      };
      return this.run(flat, options, begin);
    });
  }

  /** The steady state that the run comes to, or is near to, at its stop time. Throws a `Failure` where there is none. */
  async steadyState(
    flat: FlatModel,
    given: SteadyOptions = {},
    subject: () => Subject = () => ({ flat, given: [] }),
    kinds: OptionKinds<SteadyOptions> = steadyKinds,
  ): Promise<SteadyStateResult> {
    const options = this.pointOptions(flat, given, kinds, 'steadyState');
    let report: SteadyReport | undefined;
    const look: There = (engine, { translation: { runtime } }) => {
      report = findSteady(engine, runtime);
      engine.recordAnew();
    };
    const result = reached(await this.inTurn(() => this.run(flat, options, subject, look)), options);
    const { model, time, modes, table, diagnostics } = result;
    const mode = modes.at(-1)?.signature ?? '';
    const notes = undeterminedNote(report!.undetermined);
    return { model, time, mode, ...report!, table, diagnostics: [...diagnostics, ...notes] };
  }

  /** The linear model at a point of a run. Throws a `Failure` where there is none. */
  async linearize(
    flat: FlatModel,
    given: LinearizeOptions = {},
    subject: () => Subject = () => ({ flat, given: [] }),
    kinds: OptionKinds<LinearizeOptions> = linearizeKinds,
  ): Promise<Linearization> {
    // Arrays that stay arrays are components, whose derivatives are differences.
    const options = { ...this.pointOptions(flat, given, kinds, 'linearize'), scalars: true };
    const { outputs, steady = false } = given;
    let found: Linearised | undefined;
    let report: SteadyReport | undefined;
    let open: OpenModel | undefined;
    const opened = (own: Subject): Subject => {
      open = remember(this.open, own.flat, () => openModel(own.flat));
      return { ...own, flat: open.flat, original: own.original ?? own.flat };
    };
    const look: There = (engine, { translation: { runtime } }) => {
      if (steady) report = findSteady(engine, runtime);
      found = linearised(engine, runtime, open!, outputs);
    };
    const run = await this.inTurn(() => this.run(flat, options, subject, look, opened));
    const { diagnostics } = reached(run, options);
    const notes = [...undeterminedNote(report?.undetermined ?? []), ...found!.diagnostics];
    const { linear } = found!;
    return { ...linear, model: flat.name, diagnostics: [...diagnostics, ...notes] };
  }

  /** The options of a run that ends where it is looked at. */
  private pointOptions<O extends PointOptions>(
    flat: FlatModel,
    given: O,
    kinds: OptionKinds<O>,
    name: string,
  ): SimulateOptions {
    const bad = badOptions(given, kinds, name);
    const wrong = bad.length > 0 ? bad : idleHold(given);
    if (wrong.length > 0) throw new Failure('initialise', wrong);
    const options: SimulateOptions = Object.fromEntries(
      Object.entries(given).filter(([option]) => Object.hasOwn(simulateKinds, option)),
    );
    const startTime = given.startTime ?? flat.experiment.startTime ?? 0;
    const { at = startTime } = given;
    if (at < startTime) {
      const message = `The time ${at} lies before the start time ${startTime}.`;
      throw Failure.of('initialise', 'bad-option', message);
    }
    return { ...options, startTime, stopTime: at, intervals: 1 };
  }

  /** Runs of a session wait for each other. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => undefined);
    return run;
  }

  private async run(
    flat: FlatModel,
    options: SimulateOptions,
    subject: () => Subject,
    there?: There,
    opened: (own: Subject) => Subject = (own) => own,
  ): Promise<SimulationResult> {
    const { from, fromTime, resume } = options;
    const found = from && attempted(() => beginningOf(from, fromTime));
    const beginning = found instanceof Failure ? undefined : found;
    const origin = resume ?? beginning;
    const usual = settingsOf(flat.experiment, withTimes(flat.experiment, options, origin));
    const settings = resume ? resumedSettings(usual, resume) : usual;
    for (const path of resume?.written ?? []) this.written.add(path);
    let own: Subject | undefined;
    const prepare = (): Started => {
      if (found instanceof Failure) throw found;
      if (resume && settings.stopTime < resume.time) throw tooEarly(settings.stopTime, resume.time);
      own ??= opened(driven(subject(), settings, options, this.driven));
      return { ...this.prepare(own, settings, options), from: beginning, resume };
    };
    for (;;) {
      const outcome = await drive(flat.name, settings, options, prepare, there);
      if ('result' in outcome)
        return options.audit && own
          ? heeding(options.signal, () => audited(own!, outcome.result, settings))
          : outcome.result;
      if (outcome.needs.scalars) this.scalar.add(own!.flat);
      for (const path of outcome.needs.equations) this.written.add(path);
    }
  }

  /** A translation that has begun with the values of the subject. */
  private prepare(
    { flat, given, inputs, diagnostics: known = [] }: Subject,
    settings: Settings,
    options: SimulateOptions,
  ): Omit<Started, 'from' | 'resume'> {
    const { written } = this;
    const { resume } = options;
    const diagnostics = [...known, ...writtenNotes(flat, written)];
    const interpret = options.interpret === true;
    const isScalar = resume?.scalars ?? (this.scalar.has(flat) || options.scalars === true || interpret);
    const manner: Manner = { ...settings, interpret, written, scalars: isScalar };
    const text = mannerText(manner);
    let why: string | undefined;
    this.translations = this.translations.filter(({ isWhole }) => isWhole);
    const own = { scalars: isScalar, written: new Set(written) };
    const fits = ({ bank }: Translation): boolean => !resume || bank.fits(stateOf(resume).stages);
    for (const translation of this.translations) {
      if (translation.flat !== flat || translation.manner !== text || !fits(translation)) continue;
      const reason = translation.begin(translation.valuesOf(given), translation.model, given);
      if (reason === undefined) return { ...this.used(translation, diagnostics, inputs), manner: own };
      why ??= reason;
    }
    const model = lowered(flat, manner);
    for (const translation of this.translations) {
      if (translation.flat === flat || translation.manner !== text || !fits(translation)) continue;
      const reason =
        differenceOf(translation.model, model) ?? translation.begin(evaluated(model, given), model, given);
      if (reason === undefined) return { ...this.used(translation, diagnostics, inputs), manner: own };
      why ??= reason;
    }
    const translation = new Translation(flat, manner, model);
    translation.begin(translation.valuesOf(given), model, given);
    this.translations.unshift(translation);
    if (this.translations.length > mostTranslations) this.translations.pop();
    const again = why === undefined ? [] : [translatedAgain(why)];
    return { translation, isNew: true, diagnostics: [...diagnostics, ...again], inputs, manner: own };
  }

  private used(
    translation: Translation,
    diagnostics: readonly Diagnostic[],
    inputs: ScheduledRows | undefined,
  ): Prepared {
    this.translations.splice(this.translations.indexOf(translation), 1);
    this.translations.unshift(translation);
    return { translation, isNew: false, diagnostics, inputs };
  }
}

/** A run that came to the point where it is looked at; anything else is a failure. */
function reached(result: SimulationResult, { stopTime }: SimulateOptions): SimulationResult {
  const { status, stage, diagnostics, time } = result;
  if (status === 'done') return result;
  if (status === 'stopped') throw new Interrupted();
  if (status === 'failed') throw new Failure(stage!, diagnostics);
  const message = `The model ended its run at time ${time}, before ${stopTime}.`;
  throw new Failure('simulate', [...diagnostics, error('terminated', message)]);
}

/** A subject whose inputs follow the table of a run. */
function driven(
  subject: Subject,
  settings: Settings,
  options: SimulateOptions,
  known: DrivenModels,
): Subject {
  if (!options.inputs) return subject;
  const { flat, inputs, rows, diagnostics } = driveInputs(subject.flat, settings, options, known);
  const twice = subject.given.filter(({ variable }) => inputs.includes(variable));
  if (twice.length > 0)
    throw new Failure(
      'initialise',
      twice.map(({ variable }) =>
        error('bad-input', `\`${variable.name}\` has a value and a column in the table of inputs.`),
      ),
    );
  const all = [...(subject.diagnostics ?? []), ...diagnostics];
  return { ...subject, flat, inputs: rows, original: subject.flat, diagnostics: all };
}

/** A run that came to its end, with what an audit says of it. */
function audited(own: Subject, result: SimulationResult, settings: Settings): SimulationResult {
  if (result.status === 'failed') return result;
  let found: Audit;
  try {
    found = audit(own.original ?? own.flat, { ...result, starts: own.given }, settings);
  } catch (problem) {
    if (!(problem instanceof Interrupted)) throw problem;
    const stopped = warning('interrupted', 'The audit of the results was stopped.');
    return { ...result, status: 'stopped', diagnostics: [...result.diagnostics, stopped] };
  }
  return {
    ...result,
    audit: found,
    diagnostics: [...result.diagnostics, ...found.diagnostics, ...found.notes],
  };
}

/** What is wrong with `fromTime` where there is no result. */
function idleTime({ from, fromTime }: SimulateOptions): Diagnostic[] {
  if (fromTime === undefined || from) return [];
  const message = 'The option `fromTime` says which row of a result a run begins with, but there is none.';
  return [error('bad-option', message, { hint: 'Add the option `from`.' })];
}

function tooEarly(stopTime: number, time: number): Failure {
  const message = `The stop time ${stopTime} lies before ${time}, where the run goes on.`;
  return Failure.of('initialise', 'bad-option', message);
}

/** What is wrong with a state to go on from, and with what stands beside it. */
function badResume(options: SimulateOptions): Diagnostic[] {
  const { resume, from } = options;
  if (resume === undefined) return [];
  if (from) return [error('bad-option', 'A run goes on from a state or from a result, not from both.')];
  return snapshotProblems(resume, { ...options });
}

/** What is wrong with `hold` where there is nothing to hold. */
function idleHold({ hold, inputs }: Pick<SimulateOptions, 'hold' | 'inputs'>): Diagnostic[] {
  if (!hold || inputs) return [];
  const message = 'The option `hold` says how inputs follow a table, but there is none.';
  return [error('bad-option', message, { hint: 'Add the option `inputs`.' })];
}

/** The values of the parameters of a model, or of its constants, by variable; elements of arrays in row-major order. */
export function parameterValues(
  { flat, given }: Subject,
  which: 'parameter' | 'constant' = 'parameter',
): Map<FlatVariable, (number | string)[]> {
  const model = lowerModel(flat);
  const found = new Map<FlatVariable, (number | string)[]>();
  for (const variable of flat.variables)
    if (variable.variability === which && !isObject(variable)) found.set(variable, []);
  const runtime = new Runtime(model);
  runtime.values.foreign.lenient = true;
  runtime.begin(scalarValues(model, elementSymbols(model.scalars), given));
  for (const [symbol, { variable, element }] of model.scalars.entries()) {
    const values = variable && found.get(variable);
    if (values) values[element] = parameterValue(runtime, symbol);
  }
  for (const component of model.components) {
    for (const { variable, elements } of withValues(component, given).parameters.values())
      if (found.get(variable)?.length === 0) {
        const numbers = elements.map((e) => (typeof e === 'object' ? runtime.values.evaluate(e) : e));
        found.set(variable, numbers);
      }
  }
  runtime.end();
  return found;
}

/** The values of the parameters of a model that have some; another model of the same structure can run with them. */
function evaluated(model: GuardedModel, given: readonly Given[]): GivenValues {
  const own = scalarValues(model, elementSymbols(model.scalars), given);
  const runtime = new Runtime(model);
  runtime.begin(own);
  const values = new Map<number, number | string>();
  for (const [symbol, { kind, binding, variable }] of model.scalars.entries())
    if (kind === 'parameter' && (binding || own.has(symbol)) && !(variable && isObject(variable)))
      values.set(symbol, parameterValue(runtime, symbol));
  runtime.end();
  return values;
}

function parameterValue(runtime: Runtime, symbol: number): number | string {
  const leaf = runtime.values.pool.ref(symbol);
  return runtime.model.scalars[symbol]!.variable?.type === 'String'
    ? runtime.values.text(leaf)
    : runtime.values.get(leaf);
}

function translatedAgain(why: string): Diagnostic {
  return diagnostic('info', 'translated-again', `The model is translated again: ${why}.`);
}
