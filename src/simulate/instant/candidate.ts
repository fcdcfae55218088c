/**
 * One trial of the search for a consistent mode: a combination of values of the structural conditions is entered from the
 * left limits, and its conditions are evaluated there. It is consistent when they have the values that define it. An
 * impulse counts as an infinitely large value of its variable.
 *
 * On the boundary of a relation, where its sides are equal up to rounding, the limit from the right decides: the mode is
 * followed for a very small time. Where the sides stay equal, as with the current of an ideal diode in series with one
 * that blocks, both values are right and the trial may assume either.
 */
import { type Diagnostic, error, type Note } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../../diagnostic/failure.ts';
import { type ConditionValues, modeKey, modeSignature } from '../../modes/mode.ts';
import { leastNetwork } from '../../modes/undecided.ts';
import type { ModeBank } from '../../program/cache.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import { integrationErrors, roundingErrors } from '../../program/mode/disturbance.ts';
import type { Watched } from '../../program/ready.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Weight } from '../../program/values/jumps.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr, Leaf } from '../../symbolic/expr.ts';
import type { Relations } from './relations.ts';
import { type Attempt, outcomeOf, type SearchResult, searchModes, type TrialOutcome } from './search.ts';
import { shortTime } from './stepping.ts';

/** Indicators below this share of the sides of their relation are on the verge of changing sign. */
export const verge = 1e-9;
/** Changes of indicators below this share of the sides of their relation are rounding. */
export const rounding = 1e-13;
/** The smallest step to the right, as a share of time. */
const leastAhead = 1e-14;
/** Modes that are tried in all where one was foreseen on numbers, that one and those next to it. */
export const mostNeighbours = 8;
/** Evaluations in which relations and discrete values of one mode must settle. */
const mostEvaluations = 50;
/** Definitions that are followed from a condition to the relation that it stands for. */
const mostDefinitions = 100;
/** Attempts and conditions that a message lists. */
const mostNotes = 12;
/** Conditions of a mode that a message lists. */
const mostShown = 6;

/** How a trial enters a mode and looks at it: at an event from the left limits, at the beginning by initial values. */
export interface TrialStage {
  /** Brings back the values from which modes are entered. */
  restore(): void;
  enter(mode: CompiledMode): readonly Weight[];
  /** Evaluates everything, throws a `Failure` where this is impossible; true if a discrete value changed. */
  evaluate(): boolean;
  /** The impulse of a relation's indicator, 0 without one. */
  impulse(relation: number, weights: readonly Weight[]): number;
  /** The value of a relation that must change, where its sides stay equal. */
  forced(relation: number): boolean | undefined;
}

const none: ReadonlySet<number> = new Set();

/** A search over combinations of conditions. */
interface Quest {
  readonly from: readonly boolean[];
  /** Conditions that are varied first, and all that may be. */
  readonly affected: readonly number[];
  readonly movable: ReadonlySet<number>;
  readonly stage: (values: readonly boolean[]) => TrialStage;
  /** What made it necessary; asked for where it leads nowhere. */
  readonly cause: () => Failure;
  /** Combinations before it is given up. */
  readonly most?: number | undefined;
  /** Is told of modes that have a solution, and how many conditions are others in it. */
  readonly solved?: ((values: readonly boolean[], violated: number) => void) | undefined;
}

/** What conditions are to the search. */
interface Roles {
  /** How many there are, and how many are structural. */
  readonly count: number;
  readonly structural: number;
  /** Those that depend on values that a mode determines, and of these the ones that stand for no relation, such as latches. */
  readonly movable: readonly number[];
  readonly remembering: readonly number[];
  /** Those that do not remember anything that a mode determines: the mode itself decides on them. */
  readonly forgetful: ReadonlySet<number>;
  /** Relations that conditions stand for. */
  readonly decisive: ReadonlySet<number>;
}

export class Trials {
  /** Impulses of the last trial. */
  weights: readonly Weight[] = [];
  /** Relations of the last trial that errors of integration contradict: their sides are equal and about to agree with them. */
  readonly zero = new Set<number>();
  /** Whether relations on the verge of changing agree with every mode. */
  private lenient = false;
  /** What discrete variables are equal to in all modes. */
  private readonly definitions: ReadonlyMap<number, Expr>;
  private known: Roles | undefined;

  constructor(
    private readonly runtime: Runtime,
    private readonly bank: ModeBank,
    private readonly relations: Relations,
  ) {
    this.definitions = new Map(
      runtime.model.equations.flatMap(({ assigns, guard, right }) =>
        assigns === undefined || guard.length > 0 ? [] : [[assigns, right]],
      ),
    );
  }

  /** As `search`; false where none is found. */
  finds(quest: Quest): boolean {
    return failureOf(() => this.search(quest)) === undefined;
  }

  /** Enters a consistent mode; where none is found, throws the cause with what was tried. */
  search({ from, affected, movable, stage, cause, most, solved }: Quest): void {
    if (movable.size === 0) throw cause();
    const attempt = (values: boolean[]) => {
      const outcome = this.attempt(values, stage(values));
      if (outcome.kind === 'violated') solved?.(values, outcome.conditions.length);
      return outcome;
    };
    // Conditions may be promoted during a search: combinations from before know less of them.
    const keyOf = (values: boolean[]) => `${values.length} ${modeKey(this.runtime.model, values)}`;
    const look = (limit: number | undefined, lenient: boolean): SearchResult => {
      this.lenient = lenient;
      const result = searchModes(from, affected, movable, attempt, {
        keyOf,
        ...(limit !== undefined && { most: limit }),
      });
      this.lenient = false;
      return result;
    };
    // What is zero but for noise, as levels of empty tanks, may contradict every mode.
    const near = look(most ?? mostNeighbours, false);
    if (near.found || (most === undefined && look(mostNeighbours, true).found)) return;
    const result = most === undefined ? look(undefined, false) : near;
    if (!result.found) throw this.failure(result, cause());
  }

  private attempt(values: ConditionValues, stage: TrialStage): TrialOutcome {
    const violated = attempted(() => {
      stage.restore();
      this.assume(values);
      const mode = this.bank.get(values);
      this.weights = stage.enter(mode);
      this.settle(mode, stage);
      return this.violated(mode, values);
    });
    if (violated instanceof Failure) return { kind: 'singular', reason: violated.diagnostics[0]! };
    return outcomeOf(violated);
  }

  /** Whether a relation that decides on the mode is on its boundary and about to leave its value. */
  isLeftAtOnce(mode: CompiledMode): boolean {
    const { runtime, relations } = this;
    if (mode.watched.length === 0) return false;
    const { decisive } = this.roles;
    const isClose = ({ relation, slot }: Watched) =>
      decisive.has(relation) &&
      Math.abs(runtime.values.memory.values[slot]!) <= verge * relations.sizeOf(relation);
    if (!mode.watched.some(isClose)) return false;
    const now = mode.watched.map((w) => runtime.values.memory.values[w.slot]!);
    const ahead = this.lookAhead(mode);
    return mode.watched.some((watched, i) => {
      const change = (ahead[i] ?? now[i]!) - now[i]!;
      const { relation } = watched;
      return change * relations.side(relation) < -rounding * relations.sizeOf(relation) && isClose(watched);
    });
  }

  /** How a watched indicator changes in a very small time; 0 where that is rounding. */
  trend(mode: CompiledMode, relation: number): number | undefined {
    const i = mode.watched.findIndex((w) => w.relation === relation);
    const ahead = i < 0 ? undefined : this.lookAhead(mode)[i];
    if (ahead === undefined) return undefined;
    const change = ahead - mode.indicatorNow(relation)!;
    return Math.abs(change) <= rounding * this.relations.sizeOf(relation) ? 0 : change;
  }

  /** In how much time a watched indicator is zero, if it goes on as now; infinity where it does not move towards zero, or that is rounding. */
  timeToZero(mode: CompiledMode, relation: number): number {
    const now = mode.indicatorNow(relation)!;
    const change = this.trend(mode, relation) ?? 0;
    if (!(change * now < 0)) return Number.POSITIVE_INFINITY;
    return Math.abs(now / change) * shortTime(this.runtime.values, mode, leastAhead);
  }

  /** Relations that choose modes of a network: of a model with so many conditions that its modes are settled together. */
  choosing(): ReadonlySet<number> {
    return this.isNetwork() ? this.roles.decisive : none;
  }

  /** Whether conditions that stand for relations are so many that they are settled together from the start. */
  isNetwork(): boolean {
    const { movable, remembering } = this.roles;
    return movable.length - remembering.length >= leastNetwork;
  }

  /** Whether a condition that remembers, such as a latch, has other values in two combinations: what it asks for is tried before anything else. */
  hasTurned(before: readonly boolean[], now: readonly boolean[]): boolean {
    return this.roles.remembering.some((k) => before[k] !== now[k]);
  }

  /** What conditions are to the search; promotion may have made more of them structural since they were last looked at. */
  get roles(): Roles {
    const { conditions } = this.runtime.model;
    let structural = 0;
    for (const condition of conditions) if (condition.structural) structural++;
    if (this.known?.structural === structural && this.known.count === conditions.length) return this.known;
    const movable: number[] = [];
    const remembering: number[] = [];
    const decisive = new Set<number>();
    const forgetful = new Set<number>();
    for (const [k, condition] of conditions.entries()) {
      if (!condition.structural || condition.constant) continue;
      const stands = this.standsFor(condition.value);
      if (stands) decisive.add(stands.relation);
      if (!this.remembersMode(condition.value)) forgetful.add(k);
      if (!this.isWatched(condition.value)) continue;
      movable.push(k);
      if (!stands) remembering.push(k);
    }
    this.known = { count: conditions.length, structural, movable, remembering, forgetful, decisive };
    return this.known;
  }

  /** Whether values that a mode determines decide on a condition. What is computed differently from mode to mode may depend on anything. */
  private isWatched(condition: Expr): boolean {
    const { leaves: own, isOpen } = this.origins(condition);
    return isOpen || own.some((leaf) => this.isHeldByMode(leaf));
  }

  /** Whether a condition depends on its own past or that of others, and on values that a mode determines. */
  private remembersMode(condition: Expr): boolean {
    const { leaves: own, isOpen } = this.origins(condition);
    const { scalars } = this.runtime.model;
    const known: readonly string[] = ['parameter', 'flag', 'discrete'];
    const sees = (leaf: Leaf): boolean =>
      this.isHeldByMode(leaf) || (leaf.kind === 'ref' && !known.includes(scalars[leaf.symbol]!.kind));
    return isOpen || (own.some((leaf) => leaf.kind === 'pre') && own.some(sees));
  }

  private isHeldByMode(leaf: Leaf): boolean {
    return leaf.kind === 'held' && !this.runtime.model.relations[leaf.relation]!.switchTime;
  }

  /** What a condition follows from, through definitions of discrete variables; it `isOpen` where one of these has none in all modes. */
  private origins(condition: Expr): { readonly leaves: readonly Leaf[]; readonly isOpen: boolean } {
    const { scalars } = this.runtime.model;
    const found = new Set<Leaf>();
    const open: Expr[] = [condition];
    let isOpen = false;
    for (let expr = open.pop(); expr; expr = open.pop()) {
      for (const leaf of leaves(expr)) {
        if (found.has(leaf)) continue;
        found.add(leaf);
        if (leaf.kind !== 'ref' || scalars[leaf.symbol]!.kind !== 'discrete') continue;
        const definition = this.definitions.get(leaf.symbol);
        if (definition) open.push(definition);
        else isOpen = true;
      }
    }
    return { leaves: [...found], isOpen };
  }

  /** Relations that conditions stand for say what these say. */
  assume(values: readonly boolean[]): void {
    for (const [k, value] of values.entries()) {
      const stands = this.standsFor(this.runtime.model.conditions[k]!.value);
      if (stands) this.relations.set(stands.relation, value !== stands.negated);
    }
  }

  /** The relation whose value a condition has, maybe negated. */
  private standsFor(condition: Expr): { readonly relation: number; readonly negated: boolean } | undefined {
    let expr: Expr | undefined = condition;
    let negated = false;
    for (let depth = 0; expr && depth < mostDefinitions; depth++) {
      if (expr.kind === 'held') return { relation: expr.relation, negated };
      if (expr.kind === 'apply' && expr.op === 'not') {
        expr = expr.args[0];
        negated = !negated;
      } else expr = expr.kind === 'ref' ? this.definitions.get(expr.symbol) : undefined;
    }
    return undefined;
  }

  /** Relations and discrete values within the mode. */
  private settle(mode: CompiledMode, stage: TrialStage): void {
    for (let n = 0; n < mostEvaluations; n++) {
      const discrete = stage.evaluate();
      const fault = notFinite(this.runtime, mode);
      if (fault) throw new Failure('simulate', [fault]);
      if (!this.update(mode, stage) && !discrete) return;
    }
    throw Failure.of('simulate', 'event-cycle', 'Its relations and discrete values do not settle.');
  }

  private update(mode: CompiledMode, stage: TrialStage): boolean {
    const { runtime, relations } = this;
    const now = mode.watched.map((w) => runtime.values.memory.values[w.slot]!);
    const weights = this.lenient ? this.weights.filter(({ isNoise }) => !isNoise) : this.weights;
    let ahead: Float64Array | undefined;
    let errors: Float64Array | undefined;
    let roundings: Float64Array | undefined;
    let changed = false;
    this.zero.clear();
    for (const [i, { relation }] of mode.watched.entries()) {
      const impulse = stage.impulse(relation, weights);
      let indicator = impulse || now[i]!;
      if (impulse !== 0 || relations.isBeyond(relation, indicator)) {
        if (relations.update(relation, indicator)) changed = true;
        continue;
      }
      const whole = relations.sizeOf(relation);
      if (relations.differs(relation, indicator)) {
        errors ??= integrationErrors(runtime.values, mode);
        if (Math.abs(indicator) <= errors[i]!) {
          ahead ??= this.lookAhead(mode);
          if (((ahead[i] ?? now[i]!) - now[i]!) * relations.side(relation) > rounding * whole) {
            this.zero.add(relation);
            continue;
          }
        }
      }
      if (Math.abs(indicator) <= verge * whole) {
        if (this.lenient) continue;
        ahead ??= this.lookAhead(mode);
        roundings ??= roundingErrors(runtime.values, mode);
        indicator = (ahead[i] ?? now[i]!) - now[i]!;
        if (Math.abs(indicator) <= Math.max(rounding * whole, roundings[i]!)) {
          const value = stage.forced(relation);
          if (value !== undefined && relations.held(relation) !== value) {
            relations.set(relation, value);
            changed = true;
          }
          continue;
        }
      }
      if (relations.update(relation, indicator)) changed = true;
    }
    return changed;
  }

  /** Indicators a very small time later, as far as they can be evaluated. */
  lookAhead(mode: CompiledMode): Float64Array {
    const { runtime } = this;
    const { stateSlots, derivativeSlots } = mode;
    const { values } = runtime.values.memory;
    const saved = runtime.values.saved();
    const time = runtime.values.time;
    const step = shortTime(runtime.values, mode, leastAhead);
    // What components read need not be what relations do.
    if (mode.parts.some(({ size }) => size > 0)) mode.evaluateOutputs();
    runtime.values.set(runtime.values.pool.time, time + step);
    for (let i = 0; i < stateSlots.length; i++)
      values[stateSlots[i]!]! += step * values[derivativeSlots[i]!]!;
    for (const part of mode.parts) part.moveAhead(time + step, step);
    try {
      if (!mode.evaluateWatched()) return new Float64Array(0);
      const ahead = new Float64Array(mode.indicatorCount);
      mode.readIndicators(ahead);
      return ahead;
    } finally {
      values.set(saved);
      for (const part of mode.parts) part.moveBack(time);
    }
  }

  /** Structural conditions with other values than assumed, the most violated first. */
  private violated(mode: CompiledMode, assumed: ConditionValues): number[] {
    const { values } = this.runtime.values.memory;
    const { conditions } = this.runtime.model;
    const found = mode.conditionSlots.flatMap(({ condition, slot }) =>
      conditions[condition]!.structural && (values[slot] !== 0) !== assumed[condition] ? [condition] : [],
    );
    if (found.length < 2) return found;
    const slots = new Map(mode.watched.map(({ relation, slot }) => [relation, slot]));
    const sizes = new Map(
      found.map((k) => {
        const slot = slots.get(this.standsFor(conditions[k]!.value)?.relation ?? -1);
        return [k, slot === undefined ? 0 : Math.abs(values[slot]!)];
      }),
    );
    return found.sort((a, b) => sizes.get(b)! - sizes.get(a)!);
  }

  // -------------------------------------------------------------- diagnosis

  /** What was tried and why it failed; `cause` is what made the search necessary. */
  private failure({ attempts, cut }: SearchResult, cause: Failure): Failure {
    const [first, ...others] = cause.diagnostics;
    // A mode that is singular for the reason that is told anyway needs no words of its own.
    const isTold = ({ outcome }: Attempt) =>
      outcome.kind === 'singular' && outcome.reason.message === first!.message;
    const telling = attempts.filter((a) => !isTold(a));
    const notes = telling.slice(0, mostNotes).map((a) => this.describe(a, attempts[0]!));
    const more = attempts.length - notes.length;
    if (more > 0) {
      const what =
        telling.length === 0
          ? `tried ${more} ${more === 1 ? 'mode' : 'modes'}, singular for the same reason`
          : `tried ${more} more ${more === 1 ? 'mode' : 'modes'}`;
      notes.push({ message: cut ? `${what}; then the search was given up` : what });
    }
    const span = first!.span ?? notes.find((note) => note.span)?.span;
    const whole = { ...first!, ...(span && { span }), notes: [...first!.notes, ...notes] };
    return new Failure(cause.stage, [whole, ...others]);
  }

  private describe({ values, outcome }: Attempt, present: Attempt): Note {
    const { model } = this.runtime;
    const mode = this.nameOf(values, present.values);
    switch (outcome.kind) {
      case 'consistent':
        return { message: `${mode}: consistent` };
      case 'singular': {
        const { reason } = outcome;
        return { message: `${mode}: ${reason.message}`, ...(reason.span && { span: reason.span }) };
      }
      case 'violated': {
        const parts = outcome.conditions.slice(0, mostNotes).map((k) => {
          return `${model.conditions[k]!.label} turns ${values[k] ? 'false' : 'true'}`;
        });
        const { span } = model.conditions[outcome.conditions[0]!]!.origin;
        return { message: `${mode}: ${parts.join(', ')}`, ...(span && { span }) };
      }
    }
  }

  /** The mode in full, or, where it has many conditions, what distinguishes it from the present one. */
  private nameOf(values: readonly boolean[], present: readonly boolean[]): string {
    const { model } = this.runtime;
    const structural = model.conditions.filter((c) => c.structural && !c.constant).length;
    if (structural <= mostShown) return `mode ${modeSignature(model, values.slice())}`;
    const changed = values.flatMap((value, k) => {
      if (value === present[k] || !model.conditions[k]!.structural) return [];
      return [`${model.conditions[k]!.label} = ${value}`];
    });
    if (changed.length === 0) return 'the present mode';
    const more = changed.length - mostShown;
    return `with ${changed.slice(0, mostShown).join(', ')}${more > 0 ? ` and ${more} more changes` : ''}`;
  }
}

/** The first variable of a mode that is no number: its equations are singular at these values. */
export function notFinite(runtime: Runtime, mode: CompiledMode): Diagnostic | undefined {
  const { values } = runtime.values.memory;
  const { variableSlots } = mode;
  let sum = 0;
  for (let k = 0; k < variableSlots.length; k++) sum += values[variableSlots[k]!]! * 0;
  if (sum === 0) return undefined;
  for (const { symbol, d } of mode.sorted.variables) {
    for (let order = 0; order <= d; order++) {
      const ref = runtime.values.pool.ref(symbol, order);
      if (!Number.isFinite(runtime.values.get(ref)))
        return error('singular-system', `The equations do not determine ${runtime.wording.nameOfRef(ref)}.`);
    }
  }
  return undefined;
}
