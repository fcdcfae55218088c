/**
 * The modes of a model without a run: each is selected and sorted as a run would do it, but no code is made. The search
 * begins with the initial mode and changes one condition at a time (or lets one transition of a state machine happen),
 * breadth first, so that modes come in the order of their distance from the initial one. It covers combinations of
 * conditions: whether a run can reach them is not known, because conditions may exclude each other.
 *
 * A mode may show that further conditions are structural (`promote`). Then all signatures grow, and the search begins
 * again; what has been sorted is kept by the equations it consists of.
 */

import { remember } from '../collections/memo.ts';
import type { Diagnostic, Note, Stage } from '../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../diagnostic/failure.ts';
import { kind, requireOptions } from '../diagnostic/options.ts';
import type { Span } from '../diagnostic/source.ts';
import { requireFlat } from '../flat/core/require.ts';
import type { FlatMachine, FlatModel } from '../flat/flat.ts';
import { type ConditionValues, modeKey } from '../modes/mode.ts';
import { guardHolds, isRelevant } from '../modes/relevance.ts';
import { type Analysis, analyseMode, promotedBy, selectMode } from '../program/mode/analyse.ts';
import { parameterWarnings } from '../program/parameters.ts';
import type { Runtime } from '../program/runtime.ts';
import type { Translation } from '../program/translation.ts';
import type { ScalarEquation, SortedMode } from '../structure/analysis.ts';
import { asInRun } from './begun.ts';
import { collectionOf, type Examined, type ModeCollection, type Step } from './collection.ts';
import { withSource } from './equations.ts';
import { Engine } from './run/engine.ts';
import type { Settings } from './settings.ts';
import { impossible, readSignature } from './signature.ts';
import { type ModeStructure, structureOf } from './structure.ts';

export interface SurveyOptions {
  /** Modes to examine at most; default 64. */
  readonly limit?: number | undefined;
  /** Examine this mode alone: parts of its signature; the other conditions are those of the initial mode. */
  readonly mode?: string | undefined;
}

export interface ModeSurvey {
  /** `singular`: at least one of the modes is. */
  readonly status: 'ok' | 'singular' | 'failed';
  readonly stage?: Stage;
  readonly modes: readonly SurveyedMode[];
  /** Conditions that select modes, besides the states of state machines, which are listed by machine. */
  readonly conditions: readonly string[];
  readonly machines: readonly (readonly string[])[];
  /** Combinations of all these: an upper bound of the number of modes. */
  readonly combinations: number;
  /** False where the limit ended the search, or where it was for one mode. */
  readonly complete: boolean;
  /** What concerns no mode in particular. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SurveyedMode {
  readonly signature: string;
  /** Changes of conditions from the initial mode; 0 for that mode itself. */
  readonly changes: number;
  /** Signature of the mode that it is compared with: one change before. Undefined for the initial mode. */
  readonly predecessor: string | undefined;
  /** Undefined where the mode is singular. */
  readonly structure: SurveyedStructure | undefined;
  readonly appears: Difference;
  readonly disappears: Difference;
  /** Why the mode is singular. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface SurveyedStructure extends ModeStructure {
  /** Where states are chosen while the model runs: so many of these candidates. */
  readonly selections: readonly { readonly candidates: readonly string[]; readonly states: number }[];
}

/** What one mode has and another has not. States are compared where both modes are regular. */
export interface Difference {
  readonly states: readonly string[];
  readonly variables: readonly string[];
  readonly equations: readonly { readonly text: string; readonly span: Span | undefined }[];
}

const usualLimit = 64;

/** Examines the modes of a model; what is wrong with it is told by `status` and diagnostics. */
export function surveyModes(flat: FlatModel, options: SurveyOptions = {}): ModeSurvey {
  requireFlat(flat, 'surveyModes');
  requireOptions<SurveyOptions>(options, { limit: kind.number, mode: kind.anything }, 'surveyModes');
  const found = attempted(() =>
    asInRun(flat, { interpret: true }, (...begun) => new Survey(...begun).run(options)),
  );
  if (!(found instanceof Failure)) return found;
  const { stage, diagnostics } = found;
  const nothing = { modes: [], conditions: [], machines: [], combinations: 0, complete: false };
  return { status: 'failed', stage, ...nothing, diagnostics };
}

/** Collects the modes around the one in which a run begins, in scalars; throws a `Failure` where it cannot begin. */
export function collectModes(flat: FlatModel, limit = usualLimit): ModeCollection {
  return asInRun(flat, { interpret: true, scalars: true }, (translation, settings) =>
    new Survey(translation, settings, [], true).collect(limit),
  );
}

type Found = Pick<ModeCollection, 'modes' | 'complete'>;

class Survey {
  private readonly runtime: Runtime;
  /** Why a run would not find its initial mode. */
  private readonly failure: Failure | undefined;
  /** Values of the conditions with which a run begins, where it was begun. */
  private readonly begun: readonly boolean[] = [];
  private readonly analyses = new Map<string, Analysis>();

  /** With `begin`, initial values are computed; without, the mode that start values ask for is the initial one. */
  constructor(
    { runtime, bank }: Translation,
    settings: Settings,
    private readonly notes: readonly Diagnostic[],
    begin = false,
  ) {
    this.runtime = runtime;
    this.runtime.begin();
    const engine = new Engine(runtime, settings, bank);
    if (begin) {
      engine.initialise();
      this.begun = engine.initialMode!.conditions;
      return;
    }
    this.failure = failureOf(() => engine.enterInitialMode());
  }

  run({ limit = usualLimit, mode }: SurveyOptions): ModeSurvey {
    const found = this.repeated(() => (mode === undefined ? this.search(limit) : this.lookAt(mode)));
    const modes = found.modes.map((item) => this.describe(item));
    const labels = (conditions: readonly number[]) =>
      conditions.map((k) => this.runtime.model.conditions[k]!.label);
    return {
      status: modes.every((m) => m.structure) ? 'ok' : 'singular',
      modes,
      conditions: labels(this.freeConditions()),
      machines: this.machines.map(({ states }) => labels(states.map((s) => s.condition))),
      combinations: this.combinations(),
      complete: found.complete,
      diagnostics: [...this.notes, ...parameterWarnings(this.runtime.values, this.runtime.wording)],
    };
  }

  collect(limit: number): ModeCollection {
    const found = this.repeated(() => this.search(limit));
    const [combinations, free] = [this.combinations(), this.freeConditions()];
    return collectionOf(this.runtime, { ...found, combinations, free });
  }

  // -------------------------------------------------------------- search

  /** Conditions only ever become structural, so this ends. */
  private repeated<T>(attempt: () => T | undefined): T {
    for (;;) {
      const result = attempt();
      if (result !== undefined) return result;
    }
  }

  /** Modes around the initial one; undefined if conditions were promoted on the way. */
  private search(limit: number): Found | undefined {
    const { model } = this.runtime;
    const queue: Step[] = [{ values: this.initialValues(), changes: 0, predecessor: undefined }];
    const seen = new Set(queue.map(({ values }) => modeKey(model, values)));
    const modes: Examined[] = [];
    let complete = true;
    for (let k = 0; k < queue.length; k++) {
      const examined = this.examine(queue[k]!);
      if (!examined) return undefined;
      modes.push(examined);
      if (k === 0) this.confirm(examined);
      for (const values of this.neighbours(examined.values)) {
        const key = modeKey(model, values);
        if (seen.has(key)) continue;
        if (queue.length >= limit) {
          complete = false;
          break;
        }
        seen.add(key);
        queue.push({ values, changes: examined.changes + 1, predecessor: examined });
      }
    }
    return { modes, complete };
  }

  /** The mode that a signature names, compared with the initial one. */
  private lookAt(signature: string): Found | undefined {
    const { model } = this.runtime;
    const initial = this.examine({ values: this.initialValues(), changes: 0, predecessor: undefined });
    if (!initial) return undefined;
    this.confirm(initial);
    const wish = readSignature(signature, model.conditions);
    const values = initial.values.slice();
    for (const [k, value] of wish.values) values[k] = value;
    this.settle(values, wish.values);
    const denied = [...wish.values].filter(
      ([k, value]) => values[k] !== value || !isRelevant(model, k, values),
    );
    const diagnostics = [
      ...wish.diagnostics,
      ...denied.map(([k]) => impossible(model.conditions[k]!, signature)),
    ];
    const changes = this.distance(initial.values, values);
    const asked = changes === 0 ? initial : this.examine({ values, changes, predecessor: initial });
    // A condition that is not known yet may be promoted by the mode itself.
    if (asked && diagnostics.length > 0) throw new Failure('translate', diagnostics);
    return asked && { modes: [asked], complete: false };
  }

  /** Selects and sorts; undefined if that made conditions structural. */
  private examine(step: Step): Examined | undefined {
    const { runtime } = this;
    const mode = selectMode(runtime, step.values);
    const key = mode.equations.map(identity).join(' ');
    const analysis = remember(this.analyses, key, () => analyseMode(runtime, mode));
    const { sorted } = analysis;
    if (!sorted) return { ...step, mode, analysis };
    const promoted = promotedBy(runtime, runtime.model, mode, sorted);
    if (promoted === runtime.model) return { ...step, mode, analysis };
    runtime.model = promoted;
    return undefined;
  }

  /** A failure to begin must be the singular mode that the survey shows; any other is the answer. */
  private confirm({ analysis }: Examined): void {
    if (this.failure && analysis.sorted) throw this.failure;
  }

  private initialValues(): ConditionValues {
    const values = this.runtime.model.conditions.map(
      (c, k) => this.begun[k] ?? this.runtime.values.evaluate(c.value) !== 0,
    );
    this.settle(values);
    return values;
  }

  // -------------------------------------------------------------- conditions

  private get machines(): readonly FlatMachine[] {
    return this.runtime.model.flat.machines;
  }

  /** Structural conditions that can change, each for itself. */
  private freeConditions(): number[] {
    const ofMachines = new Set(this.machines.flatMap((m) => m.states.map((s) => s.condition)));
    return this.runtime.model.conditions.flatMap((c, k) =>
      c.structural && !c.constant && !ofMachines.has(k) ? [k] : [],
    );
  }

  /** All modes one change away: conditions in order, then the transitions of machines that exist. */
  private *neighbours(values: ConditionValues): Generator<ConditionValues> {
    for (const k of this.freeConditions()) {
      const next = values.slice();
      next[k] = !next[k];
      this.settle(next);
      yield next;
    }
    for (const { states, transitions, guard } of this.machines) {
      if (!guardHolds(guard, values)) continue;
      for (const { from, to } of transitions) {
        if (from === to || !values[states[from]!.condition]) continue;
        const next = values.slice();
        next[states[from]!.condition] = false;
        next[states[to]!.condition] = true;
        this.settle(next);
        yield next;
      }
    }
  }

  /** A machine is in exactly one state while it exists, else in none. States that are wished for come first. */
  private settle(values: ConditionValues, wished: ReadonlyMap<number, boolean> = new Map()): void {
    for (const { states, initial, guard } of this.machines) {
      const order = [states[initial]!, ...states].map((s) => s.condition);
      const active =
        order.find((k) => wished.get(k)) ??
        order.find((k) => values[k] && wished.get(k) !== false) ??
        order.find((k) => wished.get(k) !== false);
      const exists = guardHolds(guard, values);
      for (const { condition } of states) values[condition] = exists && condition === active;
    }
  }

  private combinations(): number {
    const free = 2 ** this.freeConditions().length;
    return this.machines.reduce((product, { states }) => product * states.length, free);
  }

  /** Conditions that differ and matter; a machine counts once, unless it merely vanishes. */
  private distance(from: ConditionValues, to: ConditionValues): number {
    const differs = (k: number) => from[k] !== to[k];
    const machines = this.machines.filter(
      ({ states, guard }) => guardHolds(guard, to) && states.some((s) => differs(s.condition)),
    );
    const free = this.freeConditions().filter((k) => differs(k) && isRelevant(this.runtime.model, k, to));
    return free.length + machines.length;
  }

  // -------------------------------------------------------------- description

  private describe(examined: Examined): SurveyedMode {
    const { mode, analysis, changes, predecessor } = examined;
    const { sorted } = analysis;
    const appears = this.difference(predecessor, examined);
    const suspects = predecessor?.analysis.sorted ? appears.equations : [];
    const found = {
      signature: mode.signature,
      changes,
      predecessor: predecessor?.mode.signature,
      structure: sorted && { ...structureOf(this.runtime, sorted), selections: this.selections(sorted) },
      appears,
      disappears: this.difference(examined, predecessor),
      diagnostics: analysis.diagnostics.map((d) => ({
        ...d,
        notes: [...d.notes, ...suspicions(suspects, d.notes)],
      })),
    };
    return sorted ? withSource(found, this.runtime, sorted) : found;
  }

  private selections({ selections }: SortedMode): SurveyedStructure['selections'] {
    return selections.map(({ candidates, constraints }) => ({
      candidates: candidates.map((c) => this.runtime.wording.nameOfRef(c)),
      states: candidates.length - constraints.length,
    }));
  }

  /** What `mine` has and `other` has not. */
  private difference(other: Examined | undefined, mine: Examined | undefined): Difference {
    if (!other || !mine) return { states: [], variables: [], equations: [] };
    const { model } = this.runtime;
    const states = (e: Examined) =>
      e.analysis.sorted?.states.map((s) => this.runtime.wording.nameOfRef(s)) ?? [];
    const variables = (e: Examined) => e.mode.variables.map((v) => v.symbol);
    const bothRegular = other.analysis.sorted !== undefined && mine.analysis.sorted !== undefined;
    const known = new Set(other.mode.equations.map(identity));
    const declared = (symbol: number) => model.scalars[symbol]!.variable !== undefined;
    return {
      states: bothRegular ? without(states(mine), states(other)) : [],
      variables: without(variables(mine), variables(other))
        .filter(declared)
        .map((symbol) => this.runtime.wording.nameOf(symbol)),
      equations: mine.mode.equations
        .filter((e) => !known.has(identity(e)) && (e.assigns === undefined || declared(e.assigns)))
        .map(({ left, right, index }) => ({
          text: `${this.runtime.wording.print(left)} = ${this.runtime.wording.print(right)}`,
          span: model.equations[index]!.origin.span,
        })),
    };
  }
}

/** So many equations that make a mode singular are named. */
const mostSuspects = 5;

/** Equations that came with the change from a regular mode to a singular one, besides those that were named. */
function suspicions(equations: Difference['equations'], named: readonly Note[]): Note[] {
  const isNamed = (span: Span | undefined) =>
    span !== undefined && named.some((n) => n.span?.source === span.source && n.span.start === span.start);
  return equations
    .filter(({ span }) => !isNamed(span))
    .slice(0, mostSuspects)
    .map(({ text, span }) => ({ message: `new in this mode: ${text}`, ...(span && { span }) }));
}

/** Equations are the same where they come from the same one and have the same sides, in any order. */
function identity({ index, left, right }: ScalarEquation): string {
  return `${index}:${Math.min(left.id, right.id)}:${Math.max(left.id, right.id)}`;
}

function without<T>(list: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others);
  return list.filter((item) => !known.has(item));
}
