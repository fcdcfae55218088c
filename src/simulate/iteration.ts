/**
 * What happens at an instant: values of relations and discrete variables are brought to a fixpoint, actions are performed,
 * and the mode is found that is consistent with its own conditions. Time is super-dense: there are as many iterations
 * as the model needs.
 *
 * States are real, conditions are tried. When a structural condition proposes another mode, that mode is entered from
 * the left limits; if other conditions are violated there (an impulse counts as an infinitely large value), the left limits
 * come back and the next combination is tried. Only the mode in which the iteration settles changes the values.
 */
import { EvaluationError } from '../code/fault.ts';
import { timeSlot } from '../code/memory.ts';
import { type Diagnostic, Failure } from '../diagnostic/diagnostic.ts';
import { modeKey } from '../modes/mode.ts';
import { isRelevant } from '../modes/relevance.ts';
import { leaves } from '../symbolic/analyse.ts';
import { gradient } from '../symbolic/differentiate.ts';
import type { Expr } from '../symbolic/expr.ts';
import { Actions, withoutEffect } from './actions.ts';
import type { ModeBank } from './bank.ts';
import type { CompiledMode } from './compiled.ts';
import { cycleOfModes, endlessTransitions, explainEvaluation, unsettled } from './explain.ts';
import { ImpulseWatch } from './impulses.ts';
import { actionsOf, type Firing, Machines } from './machines.ts';
import type { Relations } from './relations.ts';
import type { Weight } from './restart.ts';
import type { Runtime } from './runtime.ts';
import { searchModes } from './search.ts';
import { betterStates } from './selection.ts';
import { Sliding } from './sliding.ts';
import { notFinite, type Stage, sizeOf, Trials, verge } from './trial.ts';

/** Iterations at one instant before the engine gives up (a cycle of modes or of discrete values). */
const mostIterations = 100;

/** Combinations of conditions that are tried at initialisation, where each needs an analysis of its own. */
const mostInitialModes = 256;

/** Iterations in which a cycle of discrete values is looked for. */
const mostRecent = 12;

/** How far a value that a transition set may be off. */
const agreement = 1e-6;

export class Iteration {
  /** The mode in force. */
  mode!: CompiledMode;
  readonly diagnostics: Diagnostic[] = [];
  readonly actions: Actions;
  private readonly runtime: Runtime;
  private readonly bank: ModeBank;
  private readonly relations: Relations;
  private readonly machines: Machines;
  /** Values of all conditions; those that cannot be evaluated in a mode keep theirs. */
  private conditions: boolean[] = [];
  /** Left limits of everything. */
  private left: Float64Array = new Float64Array(0);
  /** Slots of values that belong to the iteration, not to the left limits. */
  private readonly ownSlots: Int32Array;
  /** Their values while the left limits come back. */
  private readonly kept: Float64Array;
  /** Where `own` lies. */
  private readonly first: Float64Array;
  /** Slots of what is remembered, and of its left limits. */
  private readonly nowSlots: Int32Array;
  private readonly preSlots: Int32Array;
  /** Relations on the verge of changing keep their values. */
  private steady = false;
  /** Relations that were crossed at this instant. */
  private crossed: readonly number[] = [];
  /** Discrete values, relations and flags before the first other mode was tried. */
  private own: Float64Array | undefined;
  /** Whether a mode that would be left at once was given up at this instant. */
  private reconsidered = false;
  private readonly trials: Trials;
  private readonly impulses: ImpulseWatch;
  private readonly sliding: Sliding;
  /** Conditions of the states that were entered last at this instant, and begin anew. */
  private entered: readonly number[] = [];
  /** The transition that led to the present states, at this instant. */
  private fired: Firing | undefined;
  /** Impulses of this instant. */
  private real: Weight[] = [];
  /** Relations that were left again at this instant. */
  private readonly turned = new Set<number>();
  /** Discrete variables that changed in the last iteration. */
  private changing: number[] = [];
  /** The same for the last few iterations: a cycle may be longer than one. */
  private readonly recent: number[][] = [];
  private fault: EvaluationError | undefined;

  constructor(runtime: Runtime, bank: ModeBank, relations: Relations) {
    this.runtime = runtime;
    this.bank = bank;
    this.relations = relations;
    this.machines = new Machines(runtime);
    this.actions = new Actions(runtime, this.diagnostics);
    this.ownSlots = ownSlots(runtime, relations);
    this.kept = new Float64Array(this.ownSlots.length);
    this.first = new Float64Array(this.ownSlots.length);
    const { remembered } = runtime.model;
    this.nowSlots = Int32Array.from(remembered, (symbol) => runtime.slot(runtime.pool.ref(symbol)));
    this.preSlots = Int32Array.from(remembered, (symbol) => runtime.slot(runtime.pool.pre(symbol)));
    this.trials = new Trials(runtime, bank, relations);
    this.impulses = new ImpulseWatch(runtime);
    this.sliding = new Sliding(runtime, relations);
  }

  /** Conditions may be promoted during a search: combinations from before know less of them. */
  private readonly keyOf = (values: boolean[]): string =>
    `${values.length} ${modeKey(this.runtime.model, values)}`;

  private get time(): number {
    return this.runtime.memory.values[timeSlot]!;
  }

  // -------------------------------------------------------------- initialisation

  /** Enters the mode that start values ask for. */
  enterInitialMode(): void {
    this.guessConditions();
    this.mode = this.bank.get(this.conditions);
  }

  private guessConditions(): void {
    this.machines.begin();
    this.relations.setExactly();
    this.guessDiscrete();
    this.conditions = this.runtime.model.conditions.map((c) => this.runtime.evaluate(c.value) !== 0);
  }

  /**
   * First values of discrete variables: their start values where given, which also speak for the relation that such a variable
   * stands for; otherwise what their equations say.
   */
  private guessDiscrete(): void {
    const { model, pool } = this.runtime;
    for (const { guard, assigns, right } of model.equations) {
      if (assigns === undefined || guard.length > 0) continue;
      const { start } = model.scalars[assigns]!;
      if (!start) this.runtime.set(pool.ref(assigns), this.runtime.evaluate(right));
      else if (right.kind === 'held') this.relations.set(right.relation, this.runtime.evaluate(start) !== 0);
    }
  }

  /** Finds a mode that agrees with the initial values that `solve` finds in it. */
  initialise(solve: () => Diagnostic[]): void {
    this.guessConditions();
    this.remember();
    const guess = this.conditions.slice();
    try {
      this.mode = this.bank.get(this.conditions);
      this.diagnostics.push(...this.iterateInitially(solve));
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      this.diagnostics.push(...this.searchInitially(guess, solve, problem));
    }
    this.reviewStates();
    this.actions.perform(this.mode, 'initialise');
  }

  /** Repeats `solve` until the mode and the discrete values agree with it. */
  private iterateInitially(solve: () => Diagnostic[]): Diagnostic[] {
    for (let n = 0; n <= mostIterations; n++) {
      const notes = solve();
      this.mode.activate();
      this.evaluate('initialise');
      let changed = this.updatePre();
      if (this.updateWatched([])) changed = true;
      if (this.readConditions()) {
        this.mode = this.bank.get(this.conditions);
        changed = true;
      }
      if (!changed) return notes;
    }
    throw new Failure('initialise', [unsettled(this.runtime, 'initialisation', this.recent.flat())]);
  }

  /** Tries combinations of conditions from the start values on. */
  private searchInitially(guess: boolean[], solve: () => Diagnostic[], cause: Failure): Diagnostic[] {
    const movable = this.trials.movable();
    if (movable.length === 0) throw cause;
    const { left } = this;
    let notes: Diagnostic[] = [];
    const stage: Stage = {
      restore: () => this.runtime.memory.values.set(left),
      enter: (mode) => {
        this.mode = mode;
        return [];
      },
      evaluate: () => {
        notes = solve();
        this.mode.activate();
        this.evaluate('initialise');
        return this.updatePre();
      },
      impulse: () => 0,
      forced: () => undefined,
    };
    const attempt = (values: boolean[]) => this.trials.attempt(values, stage);
    const result = searchModes(guess, [], movable, attempt, { keyOf: this.keyOf, most: mostInitialModes });
    if (!result.found) throw this.trials.failure(result, cause);
    this.conditions = this.mode.conditions.slice();
    return notes;
  }

  // -------------------------------------------------------------- events

  /** What happens at an instant. `crossed` are relations whose indicators were seen to change sign. Gives impulses. */
  run(crossed: readonly number[]): readonly Weight[] {
    const { sliding } = this;
    if (this.runtime.model.slides.length === 0) return this.settle(crossed, []);
    const weights = [...this.settle(crossed, sliding.begin(crossed))];
    for (;;) {
      const turned = sliding.review(
        this.mode,
        crossed,
        (relation) => this.slopeOf(relation) ?? this.trials.trend(this.mode, relation),
      );
      if (!turned) break;
      weights.push(...this.settle([], turned));
    }
    return weights;
  }

  /** Iterates until nothing changes; `turned` are relations that keep their values. */
  private settle(crossed: readonly number[], turned: readonly number[]): readonly Weight[] {
    this.mode.activate();
    this.turned.clear();
    for (const relation of turned) this.turned.add(relation);
    this.machines.trail.length = 0;
    this.steady = false;
    this.crossed = crossed;
    this.reconsidered = false;
    this.updatePre();
    this.relations.updateTimeRelations(this.time);
    this.updateWatched([]);
    for (const relation of crossed) this.cross(relation);
    /** By scalar: which variables have a left limit. */
    let existed = this.mode.present;
    let weights: readonly Weight[] = [];
    let tried = new Set<CompiledMode>([this.mode]);
    let ticking = true;
    let jumped = false;
    this.real = [];
    this.fired = undefined;
    this.entered = [];
    this.remember();
    for (let n = 0; ; n++) {
      if (n > mostIterations)
        throw new Failure('simulate', [
          this.livelock() ?? unsettled(this.runtime, 'event iteration', this.recent.flat()),
        ]);
      this.evaluate('simulate');
      // Discrete variables follow conditions and relations as they are now, not as they were in the iteration before.
      // After a jump relations come first: an impulse decides them.
      if (n > 0 && !jumped && weights.length === 0 && this.readConditions()) {
        weights = this.tryMode(existed, tried);
        continue;
      }
      if (n > 0 && this.oneStructure && this.updateRelations(weights)) continue;
      const settings = this.actions.perform(this.mode, 'simulate');
      let again = settings.length > 0;
      if (again) {
        jumped = true;
        this.makeReal(weights, existed);
        weights = [];
        // What an action sets is real: it becomes a left limit.
        this.mode.resets.run(settings);
        this.remember();
        existed = this.mode.present;
        this.entered = [];
        tried = new Set([this.mode]);
      }
      if (this.actions.terminated) break;
      if (this.updatePre()) again = true;
      if (!again && this.relations.updateTimeRelations(this.time)) again = true;
      if (!again && this.updateWatched(weights)) again = true;
      if (this.readConditions()) {
        weights = this.tryMode(existed, tried);
        again = true;
      }
      if (again) continue;
      const better = this.reconsider(existed, tried);
      if (better) {
        weights = better;
        continue;
      }
      if (jumped && this.turnBack(crossed)) {
        jumped = false;
        continue;
      }
      const firing = this.machines.choose(this.mode);
      if (firing === 'waiting') continue;
      if (firing) {
        this.makeReal(weights, existed);
        this.confirmActions();
        this.turned.clear();
        this.steady = false;
        existed = this.enterState(firing);
        tried = new Set();
        weights = this.follow(firing, () => this.tryMode(existed, tried));
        continue;
      }
      if (!ticking) break;
      ticking = false;
      this.relations.ticks.lower(this.time);
      existed = this.mode.present;
      this.entered = [];
      this.own = undefined;
    }
    this.makeReal(weights, existed);
    this.confirmActions();
    this.reviewStates();
    return this.real;
  }

  /** Impulses of a mode that is kept, or was real before it was left. */
  private makeReal(weights: readonly Weight[], existed: Uint8Array): void {
    if (weights.length === 0) return;
    this.real.push(...weights);
    const { mode, left } = this;
    this.diagnostics.push(...this.impulses.warnings({ mode, weights, left, existed }));
  }

  /** Whether no condition proposes another mode, which would have to be tried before relations follow its values. */
  private get oneStructure(): boolean {
    return !this.runtime.model.conditions.some((c) => c.structural && !c.constant);
  }

  private livelock(): Diagnostic | undefined {
    const { trail } = this.machines;
    return trail.length > mostIterations / 4 ? endlessTransitions(this.runtime, trail) : undefined;
  }

  /** Goes on after a transition; if that is impossible, the values that its actions set are part of the reason. */
  private follow(firing: Firing, go: () => readonly Weight[]): readonly Weight[] {
    try {
      return go();
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      const notes = actionsOf(firing).map(({ target, origin }) => ({
        message: `${this.runtime.nameOf(target)} is set by the transition`,
        ...(origin.span && { span: origin.span }),
      }));
      throw new Failure(
        problem.stage,
        problem.diagnostics.map((d) =>
          d.code === 'impossible-change' ? { ...d, notes: [...d.notes, ...notes] } : d,
        ),
      );
    }
  }

  /** What the actions of a transition set must still be so, unless balances of the new mode made a state jump. */
  private confirmActions(): void {
    const { fired, mode, runtime } = this;
    this.fired = undefined;
    for (const { target, value: wanted, origin } of fired ? actionsOf(fired) : []) {
      const alias = mode.sorted.aliases.find((a) => a.symbol === target);
      const own = mode.sorted.variables.find((v) => v.symbol === (alias?.target ?? target));
      if (!own || own.d > 0) continue;
      const value = runtime.get(runtime.pool.ref(target));
      if (Math.abs(value - wanted) > agreement * Math.max(1, Math.abs(value), Math.abs(wanted)))
        throw new Failure('simulate', [withoutEffect(runtime, target, origin)]);
    }
  }

  /** A transition is real: the values before it and those that it sets are the left limits of what it leads to. */
  private enterState(firing: Firing): Uint8Array {
    const { existed, entered } = this.machines.enter(firing, this.mode.present);
    this.fired = firing;
    this.entered = entered;
    this.machines.readConditions(this.conditions);
    this.remember();
    return existed;
  }

  /** Enters the mode that the conditions ask for, from the left limits; where this does not work out, any consistent one. */
  private tryMode(existed: Uint8Array, tried: Set<CompiledMode>): readonly Weight[] {
    this.ownValues();
    this.recall();
    this.awaken();
    try {
      const mode = this.bank.get(this.conditions);
      if (!tried.has(mode)) {
        const weights = this.enter(mode, existed);
        tried.add(mode);
        return weights;
      }
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      return this.search(existed, tried, problem);
    }
    if (this.steady) return this.search(existed, tried, new Failure('simulate', [cycleOfModes(this.time)]));
    this.beginAgain(tried);
    return [];
  }

  /**
   * Conditions that mattered nowhere in the present mode, but do in the one to come, and the relations that they depend on: their
   * values are those of the left limits, where these exist.
   */
  private awaken(): void {
    const { mode, conditions, runtime } = this;
    const { model, pool } = runtime;
    if (mode.conditionSlots.length === model.conditions.length) return;
    const read = new Set(mode.conditionSlots.map((c) => c.condition));
    const waking = model.conditions.flatMap(({ value, structural }, k) =>
      structural &&
      !read.has(k) &&
      k < conditions.length &&
      mode.exists(value) &&
      isRelevant(model, k, conditions)
        ? [k]
        : [],
    );
    for (const k of waking) {
      const { value } = model.conditions[k]!;
      for (const leaf of leaves(value)) {
        if (leaf.kind !== 'held' || !mode.idle[leaf.relation]) continue;
        const { left, right, switchTime } = model.relations[leaf.relation]!;
        const indicator = pool.sub(left, right);
        if (!switchTime && mode.exists(indicator))
          this.relations.update(leaf.relation, runtime.evaluate(indicator));
      }
      conditions[k] = runtime.evaluate(value) !== 0;
    }
  }

  /** Enters a mode from the left limits; a `Failure` where it is singular. */
  private enter(mode: CompiledMode, existed: Uint8Array): readonly Weight[] {
    this.mode = mode;
    mode.activate();
    const weights = mode.restart.run(this.entered.length > 0 ? mode.begin(existed, this.entered) : existed);
    this.evaluate('simulate');
    const fault = notFinite(this.runtime, mode);
    if (fault) throw this.evaluationFailure('simulate');
    return weights;
  }

  /** Tries combinations of conditions where proposals led nowhere for the reason given by `cause`. */
  private search(existed: Uint8Array, tried: Set<CompiledMode>, cause: Failure): readonly Weight[] {
    const movable = new Set(this.trials.movable());
    if (movable.size === 0) throw cause;
    const proposals = [...tried].map((mode) => mode.conditions);
    const present = this.conditions.map(
      (value, k) => (movable.has(k) ? proposals[0]?.[k] : undefined) ?? value,
    );
    const affected = [...movable].filter((k) =>
      [...proposals, this.conditions].some((values) => values[k] !== present[k]),
    );
    const combination = present.join();
    const { left } = this;
    const own = this.ownValues();
    const { relations } = this.runtime.model;
    const stage = (values: readonly boolean[]): Stage => ({
      restore: () => {
        const { values } = this.runtime.memory;
        values.set(left);
        for (const [i, slot] of this.ownSlots.entries()) values[slot] = own[i]!;
        for (const [k, slot] of this.relations.heldSlots.entries())
          if (!relations[k]!.switchTime) values[slot] = left[slot]!;
      },
      enter: (mode) => this.enter(mode, existed),
      evaluate: () => {
        this.evaluate('simulate');
        return false;
      },
      impulse: (relation, weights) => this.impulsive(relation, weights),
      // A relation that was crossed in the present mode has to lead to another one.
      forced: (relation) =>
        this.crossed.includes(relation) && values.join() === combination
          ? left[this.relations.heldSlots[relation]!] !== 0
          : undefined,
    });
    const result = searchModes(
      present,
      affected,
      movable,
      (values) => this.trials.attempt(values, stage(values)),
      { keyOf: this.keyOf },
    );
    if (!result.found) throw this.trials.failure(result, cause);
    this.settleIn(tried);
    return this.trials.weights;
  }

  /**
   * A mode in which an indicator of zero moves to the other side would be left at once, for one that may lead back.
   * Gives the impulses of a mode that lasts, where there is one.
   */
  private reconsider(existed: Uint8Array, tried: Set<CompiledMode>): readonly Weight[] | undefined {
    if (this.reconsidered || tried.size < 2 || !this.trials.isLeftAtOnce(this.mode)) return undefined;
    this.reconsidered = true;
    const { mode, conditions, steady } = this;
    const { memory } = this.runtime;
    const values = memory.values.slice(0, memory.layout.size);
    try {
      return this.search(existed, tried, new Failure('simulate', [cycleOfModes(this.time)]));
    } catch (problem) {
      if (!(problem instanceof Failure)) throw problem;
      memory.values.set(values);
      this.mode = mode;
      mode.activate();
      this.conditions = conditions;
      this.steady = steady;
      return undefined;
    }
  }

  /** The mode that was found is the one to go on with; from now on only values that are clear change relations. */
  private settleIn(tried: Set<CompiledMode>): void {
    this.conditions = this.mode.conditions.slice();
    this.own = undefined;
    this.steady = true;
    tried.clear();
    tried.add(this.mode);
  }

  /**
   * Modes that lead to each other have relations on the verge of changing: a diode whose current has come down to zero
   * would block at a voltage of zero. Back to the first mode, with the relations that were crossed there; from now on only
   * values that are clear change them.
   */
  private beginAgain(tried: Set<CompiledMode>): void {
    const [first] = tried;
    const { values } = this.runtime.memory;
    for (const slot of this.relations.heldSlots) values[slot] = this.left[slot]!;
    this.steady = true;
    this.mode = first!;
    this.mode.activate();
    this.conditions = this.mode.conditions.slice();
    tried.clear();
    tried.add(this.mode);
  }

  /** Takes the values of the memory as left limits. */
  private remember(): void {
    const { memory } = this.runtime;
    const { size } = memory.layout;
    if (this.left.length === size) this.left.set(memory.values.subarray(0, size));
    else this.left = memory.values.slice(0, size);
    this.own = undefined;
  }

  /** Values that belong to the iteration, as they are when first asked for since the left limits were taken. */
  private ownValues(): Float64Array {
    if (this.own) return this.own;
    const { values } = this.runtime.memory;
    const { ownSlots, first } = this;
    for (let i = 0; i < first.length; i++) first[i] = values[ownSlots[i]!]!;
    this.own = first;
    return first;
  }

  /** Brings the left limits back; discrete values, relations and flags stay. */
  private recall(): void {
    const { values } = this.runtime.memory;
    const { ownSlots, kept } = this;
    for (let i = 0; i < kept.length; i++) kept[i] = values[ownSlots[i]!]!;
    values.set(this.left);
    for (let i = 0; i < kept.length; i++) values[ownSlots[i]!] = kept[i]!;
  }

  /** Goes over to another choice of states where the present one has become bad; true if it did. */
  reviewStates(): boolean {
    const choices = betterStates(this.runtime, this.mode.sorted.selections);
    if (!choices) return false;
    const mode = this.bank.get(this.conditions, choices);
    if (mode === this.mode) return false;
    this.mode = mode;
    mode.activate();
    this.evaluate('simulate');
    return true;
  }

  // -------------------------------------------------------------- evaluation

  /** Everything at the point the memory is at. */
  evaluate(stage: 'initialise' | 'simulate'): void {
    if (!this.guarded(() => this.mode.evaluateEvent())) throw this.evaluationFailure(stage);
  }

  /** Checks inside user functions throw; while integrating they are a reason for a smaller step first. */
  guarded(evaluate: () => boolean): boolean {
    try {
      return evaluate();
    } catch (problem) {
      return this.caught(problem);
    }
  }

  /** Takes note of a failed check; anything else is a bug and goes on. */
  caught(problem: unknown): false {
    if (!(problem instanceof EvaluationError)) throw problem;
    this.fault = problem;
    return false;
  }

  /** Why the last evaluation failed. */
  evaluationFailure(stage: 'initialise' | 'simulate'): Failure {
    const { fault } = this;
    this.fault = undefined;
    return new Failure(stage, [explainEvaluation(this.runtime, this.mode, fault)]);
  }

  // -------------------------------------------------------------- parts of an iteration

  /** Values become left limits for the next iteration; true if a discrete one was new. */
  private updatePre(): boolean {
    const { memory, model } = this.runtime;
    const { values } = memory;
    const { nowSlots, preSlots } = this;
    this.changing = [];
    for (let k = 0; k < nowSlots.length; k++) {
      const now = values[nowSlots[k]!]!;
      if (values[preSlots[k]!] === now) continue;
      values[preSlots[k]!] = now;
      const symbol = model.remembered[k]!;
      if (model.scalars[symbol]!.kind === 'discrete') this.changing.push(symbol);
    }
    this.recent.push(this.changing);
    if (this.recent.length > mostRecent) this.recent.shift();
    return this.changing.length > 0;
  }

  private updateRelations(weights: readonly Weight[]): boolean {
    return this.relations.updateTimeRelations(this.time) || this.updateWatched(weights);
  }

  /** New values of the watched relations. */
  private updateWatched(weights: readonly Weight[]): boolean {
    const { values } = this.runtime.memory;
    let changed = false;
    for (const { relation, slot } of this.mode.watched) {
      if (this.turned.has(relation)) continue;
      const indicator = this.impulsive(relation, weights) || values[slot]!;
      if (this.steady && Math.abs(indicator) <= verge * sizeOf(this.runtime, relation)) continue;
      if (this.relations.update(relation, indicator)) changed = true;
    }
    return changed;
  }

  /** The impulse of a relation's indicator, 0 without one. */
  private impulsive(relation: number, weights: readonly Weight[]): number {
    if (weights.length === 0) return 0;
    const { pool, model, calls } = this.runtime;
    const { left, right } = model.relations[relation]!;
    const weightOf = new Map<Expr, number>(weights.map((w) => [pool.ref(w.symbol), w.weight]));
    const slopes = gradient(pool, pool.sub(left, right), (leaf) => weightOf.has(leaf), calls).value;
    let sum = 0;
    for (const [leaf, slope] of slopes ?? []) sum += this.runtime.evaluate(slope) * weightOf.get(leaf)!;
    return sum;
  }

  /** An indicator that was seen to change sign has done so, even where rounding puts it on zero. */
  private cross(relation: number): void {
    const watched = this.mode.watched.find((w) => w.relation === relation);
    if (!watched || this.runtime.memory.values[watched.slot] !== 0) return;
    this.relations.update(relation, -this.relations.side(relation));
  }

  /**
   * After a jump, a relation that was crossed may be left again at once: a ball that bounced is a rounding error below the
   * floor and moves up. Its limit from the right counts, so that one impact is one event. True if a value changed.
   */
  private turnBack(crossed: readonly number[]): boolean {
    let changed = false;
    for (const relation of crossed) {
      if (!this.isOnVerge(relation)) continue;
      const slope = this.slopeOf(relation);
      if (slope !== undefined && slope * this.relations.side(relation) < 0) {
        if (this.relations.update(relation, slope)) changed = true;
        this.turned.add(relation);
      }
    }
    return changed;
  }

  private isOnVerge(relation: number): boolean {
    const watched = this.mode.watched.find((w) => w.relation === relation);
    const indicator = watched && this.runtime.memory.values[watched.slot]!;
    return indicator !== undefined && Math.abs(indicator) <= verge * sizeOf(this.runtime, relation);
  }

  /** Time derivative of left - right, where all that it depends on has a derivative in this mode. */
  private slopeOf(relation: number): number | undefined {
    const { pool, model, calls } = this.runtime;
    const { left, right } = model.relations[relation]!;
    const orders = new Map(this.mode.sorted.variables.map((v) => [v.symbol, v.d]));
    const slopes = gradient(
      pool,
      this.mode.resolve(pool.sub(left, right)),
      (leaf) => leaf.kind === 'ref' || leaf.kind === 'time',
      calls,
    ).value;
    let sum = 0;
    for (const [leaf, slope] of slopes ?? []) {
      const factor = this.runtime.evaluate(slope);
      if (leaf.kind === 'time') sum += factor;
      if (leaf.kind !== 'ref' || !orders.has(leaf.symbol)) continue;
      if (leaf.order >= orders.get(leaf.symbol)!) return undefined;
      sum += factor * this.runtime.get(pool.ref(leaf.symbol, leaf.order + 1));
    }
    return slopes && sum;
  }

  /** Reads the conditions of the mode; true if a structural one changed. */
  private readConditions(): boolean {
    const { values } = this.runtime.memory;
    let changed = false;
    for (const { condition, slot } of this.mode.conditionSlots) {
      const value = values[slot] !== 0;
      if (this.conditions[condition] === value) continue;
      this.conditions[condition] = value;
      if (this.runtime.model.conditions[condition]!.structural) changed = true;
    }
    return changed;
  }
}

function ownSlots(runtime: Runtime, relations: Relations): Int32Array {
  const { model, pool } = runtime;
  const discrete = model.scalars.flatMap((s, symbol) =>
    s.kind === 'discrete' || s.kind === 'flag' ? [runtime.slot(pool.ref(symbol))] : [],
  );
  const pre = model.remembered.map((symbol) => runtime.slot(pool.pre(symbol)));
  return Int32Array.from([...relations.heldSlots, ...discrete, ...pre]);
}
