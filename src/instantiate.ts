/**
 * Simulation objects: a model is instantiated once and simulated many times, with other values of parameters, other start values and
 * other sizes in each run. Values belong to the run that they are given to; the next one begins with what the model declares.
 *
 *     const decay = instantiate('model Decay parameter Real k = 1; Real x(start = 1, fixed = true); equation der(x) = -k*x; end Decay;');
 *     await decay.simulate({ stopTime: 1 });                                          // x(1) = exp(-1)
 *     await decay.simulate({ stopTime: 1, merge: { k: 2, x: { start: 3 } } });        // x(1) = 3*exp(-2), nothing is translated
 */
import type { ModelValue } from './api/model.ts';
import { type ChangeSet, ModelData } from './api/value.ts';
import type { ParameterValue } from './builtin/component.ts';
import type { Diagnostic } from './diagnostic/diagnostic.ts';
import { Failure } from './diagnostic/failure.ts';
import { suggestion } from './diagnostic/nearest.ts';
import { kind, type OptionKinds, requireOptions } from './diagnostic/options.ts';
import { isFlat } from './flat/core/require.ts';
import { exprText } from './flat/core/text.ts';
import type { FlatModel, FlatVariable, WholeParts } from './flat/flat.ts';
import { namesOf } from './flat/print/names.ts';
import { type LoadOptions, libraryOf, loadKinds, loadText, modelIn, translate } from './load.ts';
import { type Entry, entriesOf, type Merge, type MergeOf, overrideOf, VariableNames } from './merge.ts';
import type { Override } from './model/instances/outside.ts';
import { Library } from './model/library.ts';
import type { Given } from './program/translation.ts';
import { parameterValues, Session, type Subject } from './simulate/session.ts';
import {
  type LinearizeOptions,
  linearizeKinds,
  type SimulateOptions,
  type SteadyOptions,
  simulateKinds,
  steadyKinds,
} from './simulate/settings.ts';
import type { Linearization, SimulationResult, SteadyStateResult } from './simulate/types.ts';

/** Modelica text or a library (of which the last model is taken, or the one that `name` says), a model written in TypeScript, or a flat model. */
export type ModelSource = string | Library | ModelData | FlatModel;

export interface InstantiateOptions<M = Merge> extends LoadOptions {
  /** The qualified name of the model. */
  readonly name?: string | undefined;
  /** The classes of Modelica libraries that a model written in TypeScript uses. */
  readonly library?: Library | undefined;
  /** Values that hold in all runs. */
  readonly merge?: M | undefined;
  /** Modifications that hold in all runs, as the command line reads them. */
  readonly overrides?: readonly Override[] | undefined;
}

export interface RunOptions<M = Merge> extends SimulateOptions {
  /** Values for this run: parameters, start values, sizes. */
  readonly merge?: M | undefined;
}

/** Options of what is looked for at a point of a run, with values for this run. */
export type PointRun<Options, M = Merge> = Options & Pick<RunOptions<M>, 'merge'>;

/** What a model declares. */
interface DeclaredInfo {
  readonly name: string;
  readonly type: FlatVariable['type'];
  /** Names of the values where the type is an enumeration. */
  readonly literals: readonly string[] | undefined;
  /** Sizes; empty for a scalar. */
  readonly dims: readonly number[];
  readonly unit: string;
  readonly displayUnit: string;
  readonly description: string;
  /** Not shown by default. */
  readonly hidden: boolean;
}

/** A parameter of a model. */
export interface ParameterInfo extends DeclaredInfo {
  /** The declaration equation as text; undefined where there is none. */
  readonly declared: string | undefined;
  /** The value; arrays are nested, enumerations are names of literals. */
  readonly value: ParameterValue;
  /** Whether the value shapes the model (sizes, conditions), so that another one may need another translation. */
  readonly structural: boolean;
  /** Whether the model allows no other value. */
  readonly final: boolean;
}

/** What a model has besides parameters. */
export interface VariableInfo extends DeclaredInfo {
  /** `result`: what a built-in component stores besides its variables; equations cannot read it. */
  readonly kind: 'constant' | 'input' | 'output' | 'variable' | 'result';
  /** The value of a constant, as parameters have it; undefined for all others. */
  readonly value: ParameterValue | undefined;
  /** The start value as text; undefined where none is declared. */
  readonly start: string | undefined;
  /** Whether the run begins with the start value. */
  readonly fixed: boolean;
}

const isOverride = (value: unknown): boolean =>
  kind.object.is(value) && ['name', 'value', 'span'].every((key) => key in (value as object));
const instantiateKinds: OptionKinds<InstantiateOptions> = {
  name: kind.text,
  library: kind.instanceOf(Library, 'a `Library`'),
  merge: kind.anything,
  overrides: kind.listOf(isOverride, 'a list of `Override`s (plain values are given by `merge`)'),
  ...loadKinds,
};
const runKinds = { ...simulateKinds, merge: kind.anything };
const steadyRunKinds = { ...steadyKinds, merge: kind.anything };
const linearRunKinds = { ...linearizeKinds, merge: kind.anything };

/** Instantiates a model. Throws a `Failure` that lists all mistakes. */
export function instantiate<M>(
  source: ModelValue<M>,
  options?: InstantiateOptions<MergeOf<M> | ChangeSet>,
): Simulation<MergeOf<M> | ChangeSet>;
export function instantiate<S extends ModelSource>(
  source: S extends ModelValue<infer _> ? never : S,
  options?: InstantiateOptions,
): Simulation;
export function instantiate(source: ModelSource, options: InstantiateOptions<unknown> = {}): Simulation {
  requireOptions(options, instantiateKinds, 'instantiate');
  return new Simulation(originOf(source, options as InstantiateOptions), new Session());
}

/** A model that is simulated many times; `M` is what can be merged into it. */
export class Simulation<M = Merge> {
  /** The result of the last run that ended. */
  lastResult: SimulationResult | undefined;
  private lastOptions: RunOptions<unknown> = {};

  constructor(
    private readonly origin: Origin,
    private readonly session: Session,
  ) {}

  /** The model as it was instantiated. */
  get model(): FlatModel {
    return this.origin.flat;
  }

  /** What instantiation has to say that is no error. */
  get diagnostics(): readonly Diagnostic[] {
    return this.origin.diagnostics;
  }

  /**
   * Simulates the model. Never rejects because of the model or of what is merged: what goes wrong is given by `status`, `stage` and
   * `diagnostics`, and the results up to that point are in `table`. Runs that are started at the same time wait for each other.
   */
  async simulate(options: RunOptions<M> = {}): Promise<SimulationResult> {
    const subject = () => this.subject(options.merge);
    const result = await this.session.simulate(this.model, options, subject, runKinds);
    this.lastResult = result;
    this.lastOptions = options;
    return result;
  }

  /**
   * Goes on where the last run ended, which must have been `resumable`, with its values and options but for those given here: `stopTime`, `intervals` and what does not
   * change the run. The result has the rows from there on.
   */
  async continue(options: RunOptions<M> = {}): Promise<SimulationResult> {
    const state = this.lastResult?.state;
    if (!state) throw noState(this.lastResult);
    const ofLast = { startTime: undefined, stopTime: undefined, from: undefined, fromTime: undefined };
    const last = this.lastOptions as RunOptions<M>;
    return this.simulate({ ...last, ...ofLast, ...options, resumable: true, resume: state });
  }

  /** The linear model at a point of a run; see `linearize`. Rejects with a `Failure` where there is none. */
  async linearize(options: PointRun<LinearizeOptions, M> = {}): Promise<Linearization> {
    return this.session.linearize(this.model, options, () => this.subject(options.merge), linearRunKinds);
  }

  /** A state in which nothing moves; see `steadyState`. Rejects with a `Failure` where none is found. */
  async steadyState(options: PointRun<SteadyOptions, M> = {}): Promise<SteadyStateResult> {
    return this.session.steadyState(this.model, options, () => this.subject(options.merge), steadyRunKinds);
  }

  /** All parameters, with the values that a run with this merge would have. Throws a `Failure` where a value cannot be merged. */
  parameters(merge?: M): ParameterInfo[] {
    const subject = this.subject(merge);
    return [...parameterValues(subject)].map(([variable, values]) =>
      parameterInfo(subject.flat, variable, values),
    );
  }

  /** A parameter by its name, as `parameters` gives it. */
  parameter(name: string, merge?: M): ParameterInfo {
    const all = this.parameters(merge);
    const found = all.find((parameter) => parameter.name === name);
    if (found) return found;
    const names = all.map((parameter) => parameter.name);
    const hint = suggestion(name, names);
    throw Failure.of('flatten', 'unknown-name', `There is no parameter \`${name}\`.`, { hint });
  }

  /** Inputs, outputs, variables and constants of the model as it was instantiated, in the order of their declaration; then what is stored besides. */
  variables(): VariableInfo[] {
    const { model } = this;
    const shown = model.variables.filter(
      ({ variability, copy, engine }) => variability !== 'parameter' && !copy && !engine,
    );
    const hasConstants = shown.some(({ variability }) => variability === 'constant');
    const constants = hasConstants ? parameterValues({ flat: model, given: [] }, 'constant') : undefined;
    return [
      ...shown.map((variable) => variableInfo(model, variable, constants?.get(variable))),
      ...model.components.flatMap(({ whole }) => (whole?.results ?? []).map(resultInfo)),
    ];
  }

  /** Another object for the same model, with a result of its own; both share all that was translated. */
  copy(): Simulation<M> {
    return new Simulation(this.origin, this.session);
  }

  private subject(merge: M | undefined): Subject {
    return this.origin.with(merge === undefined ? {} : (merge as Merge));
  }
}

function noState(last: SimulationResult | undefined): Failure {
  const message = last
    ? 'The last run has no state that another one could go on from.'
    : 'There is no run that could go on.';
  const hint = 'Simulate with `resumable: true`; a run has a state where it came to its stop time.';
  return Failure.of('initialise', 'bad-start', message, { hint });
}

type Value = NonNullable<FlatVariable['binding']>;

/** A value as it could be written in the declaration. */
function valueText(flat: FlatModel, { type, literals, enumeration }: FlatVariable, value: Value): string {
  const literal = value.kind === 'const' ? literals?.[value.value - 1] : undefined;
  if (literal !== undefined) return `${enumeration}.${literal}`;
  return exprText(value, namesOf(flat), type);
}

/** `values` are those of a constant. */
function variableInfo(
  flat: FlatModel,
  variable: FlatVariable,
  values: readonly (number | string)[] | undefined,
): VariableInfo {
  const { name, type, literals, dims, unit, displayUnit, description, hidden, causality, start } = variable;
  const isConstant = variable.variability === 'constant';
  return {
    name,
    kind: isConstant ? 'constant' : causality === 'local' ? 'variable' : causality,
    ...{ type, literals, dims, unit, displayUnit, description },
    value: values && nestedValue(variable, values),
    start: isConstant ? undefined : start && valueText(flat, variable, start),
    fixed: variable.fixed === true || (Array.isArray(variable.fixed) && variable.fixed.every(Boolean)),
    hidden,
  };
}

function resultInfo({ name, options }: WholeParts['results'][number]): VariableInfo {
  const { size = [], unit = '', displayUnit = '', description = '', hidden = false } = options;
  const dims = typeof size === 'number' ? [size] : size;
  const declaration = {
    name,
    type: 'Real' as const,
    literals: undefined,
    dims,
    unit,
    displayUnit,
    description,
  };
  return { ...declaration, kind: 'result', value: undefined, start: undefined, fixed: false, hidden };
}

function parameterInfo(
  flat: FlatModel,
  variable: FlatVariable,
  values: readonly (number | string)[],
): ParameterInfo {
  const { name, type, literals, dims, unit, displayUnit, description } = variable;
  const { binding, structural, hidden, locked } = variable;
  const declared = binding && valueText(flat, variable, binding);
  const value = nestedValue(variable, values);
  const final = locked?.value === 'final';
  const declaration = { name, type, literals, dims, unit, displayUnit, description };
  return { ...declaration, declared, value, structural, final, hidden };
}

/** Values of elements in row-major order as lists in lists, with names of literals. */
function nestedValue(
  { type, literals, dims }: FlatVariable,
  values: readonly (number | string)[],
): ParameterValue {
  const shown = (value: number | string): ParameterValue => {
    if (literals) return literals[(value as number) - 1] ?? '';
    return type === 'Boolean' ? value !== 0 : value;
  };
  const nested = (from: number, sizes: readonly number[]): ParameterValue => {
    const [n, ...rest] = sizes;
    if (n === undefined) return shown(values[from]!);
    const stride = rest.reduce((a, b) => a * b, 1);
    return Array.from({ length: n }, (_, k) => nested(from + k * stride, rest));
  };
  return nested(0, dims);
}

// ---------------------------------------------------------------- where models come from

/** Gives flat models with values merged into them. */
interface Origin {
  readonly flat: FlatModel;
  readonly diagnostics: readonly Diagnostic[];
  /** Throws a `Failure`. */
  with(merge: Merge): Subject;
}

function originOf(source: ModelSource, options: InstantiateOptions): Origin {
  if (typeof source === 'string') return new ClassOrigin(loadText(source), options);
  if (source instanceof ModelData) {
    const { library, name, builtIns } = libraryOf(source, { name: options.name, library: options.library });
    return new ClassOrigin(library, {
      ...options,
      name,
      builtIns: [...builtIns, ...(options.builtIns ?? [])],
    });
  }
  if (source instanceof Library) return new ClassOrigin(source, options);
  if (!isFlat(source))
    throw Failure.of('flatten', 'no-model', 'What is instantiated must be a model.', {
      hint: 'Give it Modelica text, a `Library` (with `name` among the options), a model made by `Model`, or a `FlatModel`.',
    });
  return new FlatOrigin(source, options);
}

/** A flat model by itself: values can change, what they shaped cannot. */
class FlatOrigin implements Origin {
  readonly diagnostics: readonly Diagnostic[] = [];
  private readonly names: VariableNames;
  private readonly base: readonly Given[];

  constructor(
    readonly flat: FlatModel,
    { merge = {} }: InstantiateOptions,
  ) {
    this.names = new VariableNames(flat);
    this.base = this.given(merge);
  }

  with(merge: Merge): Subject {
    return { flat: this.flat, given: [...this.base, ...this.given(merge)] };
  }

  private given(merge: Merge): Given[] {
    const entries = entriesOf(merge, this.names);
    const refused = entries.filter((entry) => !this.names.values(entry));
    if (refused.length > 0)
      throw new Failure(
        'flatten',
        refused.map((entry) => this.names.refuse(entry)),
      );
    return entries.flatMap((entry) => this.names.values(entry)!);
  }
}

/** Flat models that are kept besides the first one. */
const mostKept = 16;

/** A class of a library: what shapes the flat model is a modification of the class, all else are values. */
class ClassOrigin implements Origin {
  private readonly name: string;
  private readonly overrides: readonly Override[];
  private readonly options: LoadOptions;
  private readonly base: Flattened;
  /** By the modifications that led to them, the last used last. */
  private readonly known = new Map<string, Flattened>();

  constructor(
    private readonly library: Library,
    { name, merge = {}, overrides = [], builtIns, externals, files, print }: InstantiateOptions,
  ) {
    this.name = modelIn(library, name);
    this.options = { builtIns, externals, files, print };
    const names = Object.keys(merge).length > 0 ? this.plainNames() : undefined;
    this.overrides = [...overrides, ...entriesOf(merge, names).map(overrideOf)];
    this.base = this.flatten([]);
  }

  get flat(): FlatModel {
    return this.base.flat;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.base.diagnostics;
  }

  with(merge: Merge): Subject {
    const { names } = this.base;
    const entries = entriesOf(merge, names);
    const [values, shaping] = split(entries, (entry) => names.values(entry) !== undefined);
    if (shaping.length === 0) return subjectOf(this.base, entries);
    const shaped = this.flattened(shaping);
    // A size that changed may have changed those of other arrays, and what is given for them must fit.
    const fits = values.every((entry) => shaped.names.values(entry) !== undefined);
    const known = new Set(this.diagnostics.map(({ message }) => message));
    const { diagnostics, ...subject } = fits
      ? subjectOf(shaped, values)
      : subjectOf(this.flattened(entries), []);
    return { ...subject, diagnostics: diagnostics!.filter(({ message }) => !known.has(message)) };
  }

  /** The names of the model as it is written, where it can be flattened. */
  private plainNames(): VariableNames | undefined {
    const { model } = translate(this.library, this.name, [], this.options);
    return model && new VariableNames(model);
  }

  private flattened(entries: readonly Entry[]): Flattened {
    const overrides = entries.map(overrideOf);
    const key = overrides.map(({ name, span }) => `${name}=${span.source.text}`).join('\n');
    const found = this.known.get(key) ?? this.flatten(overrides);
    this.known.delete(key);
    this.known.set(key, found);
    if (this.known.size > mostKept) this.known.delete(this.known.keys().next().value!);
    return found;
  }

  private flatten(overrides: readonly Override[]): Flattened {
    const all = [...this.overrides, ...overrides];
    const { model, diagnostics } = translate(this.library, this.name, all, this.options);
    if (!model) throw new Failure('flatten', diagnostics);
    return { flat: model, names: new VariableNames(model), diagnostics };
  }
}

interface Flattened {
  readonly flat: FlatModel;
  readonly names: VariableNames;
  readonly diagnostics: readonly Diagnostic[];
}

function subjectOf({ flat, names, diagnostics }: Flattened, entries: readonly Entry[]): Subject {
  return { flat, given: entries.flatMap((entry) => names.values(entry)!), diagnostics };
}

function split<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
