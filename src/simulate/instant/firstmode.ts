/**
 * The first mode of a run. Start values give a guess of discrete variables and relations, which gives a mode; initial values are found in
 * it, and the mode must agree with them. Where it does not, or is singular, other combinations of conditions are tried.
 */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../../diagnostic/failure.ts';
import { unsettled } from '../../program/explain.ts';
import type { Machines } from '../../program/machines/machines.ts';
import type { Runtime } from '../../program/runtime.ts';
import { leaves } from '../../symbolic/analyse.ts';
import type { Expr } from '../../symbolic/expr.ts';
import { mostNeighbours, notFinite, type TrialStage, type Trials } from './candidate.ts';
import type { Crossings } from './crossings.ts';
import type { Present } from './current.ts';
import type { LeftLimits } from './leftlimits.ts';
import type { Relations } from './relations.ts';
import { foreseen, unforced } from './settling.ts';

/** Solutions for initial values before the engine gives up. */
const mostIterations = 100;

/** How often discrete variables that follow from others are computed, whatever their order is. */
const fewRounds = 3;

/** Combinations of conditions that are tried, where each needs an analysis of its own. */
const mostModes = 256;

/** Whether a discrete variable keeps its value: it does not follow from others. */
const looksBack = (right: Expr, symbol: number): boolean =>
  leaves(right).some((leaf) => leaf.kind === 'pre' && leaf.symbol === symbol);

export class FirstMode {
  /** Why the first mode does not agree with its initial values, where it does not. */
  failure: Failure | undefined;

  constructor(
    private readonly runtime: Runtime,
    private readonly relations: Relations,
    private readonly present: Present,
    private readonly limits: LeftLimits,
    private readonly crossings: Crossings,
    private readonly trials: Trials,
    private readonly machines: Machines,
  ) {}

  /** Takes the mode that start values ask for. */
  guess(): void {
    this.guessConditions();
    this.present.followConditions();
  }

  /**
   * Finds a mode that agrees with the initial values that `solve` finds in it, from those of `approximate`, where it has some; gives what `solve` has to say. What
   * statements do is done when the values are known that they are given, and they are found again with what it gives.
   */
  find(solve: () => Diagnostic[], approximate: () => boolean): Diagnostic[] {
    const { values } = this.runtime;
    const { acting } = values.model.flags;
    const notes = this.found(solve, approximate);
    if (acting === undefined) return notes;
    values.setVariable(acting, 1);
    return this.iterate(solve);
  }

  private found(solve: () => Diagnostic[], approximate: () => boolean): Diagnostic[] {
    this.guessConditions();
    this.limits.take(new Uint8Array(this.runtime.model.scalars.length));
    const guess = this.present.conditions.slice();
    const near = this.runtime.model.simplified.size > 0 ? this.findNear(solve, approximate) : undefined;
    if (near) return near;
    const found = attempted(() => {
      this.present.followConditions();
      return this.iterate(solve);
    });
    if (!(found instanceof Failure)) return found;
    const solvable = [guess];
    const other = attempted(() => this.search(guess.slice(), solve, found, solvable));
    return other instanceof Failure ? this.beginWith(solvable, solve, other) : other;
  }

  /**
   * Takes the mode of values that are known: `load` puts them into the memory, those of machines included, and says which variables have one. Relations follow these values, and left limits are
   * what variables are: nothing happens because of them. While relations and what follows from them do not agree yet, variables that remember may take notice of it, and are given back what they had.
   */
  recall(load: () => ReadonlySet<number>, begun: (entered: 'components' | 'mode') => void): void {
    const { runtime, relations, present, limits } = this;
    this.machines.begin();
    const known = load();
    relations.setExactly();
    for (let round = 0; round < fewRounds; round++) {
      for (const { assigns, right } of runtime.values.model.equations) {
        if (assigns === undefined || known.has(assigns) || looksBack(right, assigns)) continue;
        this.guessValue(runtime.values.pool.ref(assigns), right);
      }
      limits.updatePre();
      relations.setExactly();
    }
    const { remembering, following } = this.past();
    const remembered = remembering.map((symbol) => runtime.values.getVariable(symbol));
    present.conditions = runtime.model.conditions.map((c) => runtime.values.evaluate(c.value) !== 0);
    runtime.components.enter(present.conditions, []);
    begun('components');
    for (let n = 0; n <= mostIterations; n++) {
      present.followConditions();
      begun('mode');
      present.mode.activate();
      const before = following.map((symbol) => runtime.values.getVariable(symbol));
      if (!present.reviewStates()) present.evaluate('initialise');
      limits.updatePre();
      let changed = following.some((symbol, k) => !Object.is(runtime.values.getVariable(symbol), before[k]));
      if (relations.updateTimeRelations(present.time)) changed = true;
      if (this.crossings.updateWatched([])) changed = true;
      if (!changed && !present.readConditions()) return;
      for (const [k, symbol] of remembering.entries()) runtime.values.setBoth(symbol, remembered[k]!);
    }
    throw new Failure('initialise', [
      unsettled(runtime, 'initialisation', limits.changing, relations.latest),
    ]);
  }

  /** Discrete variables that keep their values, and those that follow from others. */
  private past(): { readonly remembering: readonly number[]; readonly following: readonly number[] } {
    const { model } = this.runtime;
    const found = new Set<number>();
    for (const { assigns, right } of model.equations)
      if (assigns !== undefined && !looksBack(right, assigns)) found.add(assigns);
    const discrete = model.remembered.filter((symbol) => model.scalars[symbol]!.kind === 'discrete');
    return {
      remembering: discrete.filter((symbol) => !found.has(symbol)),
      following: discrete.filter((symbol) => found.has(symbol)),
    };
  }

  /** As `find`, from what `approximate` gives; undefined where that does not lead to initial values, and everything is as before. */
  private findNear(solve: () => Diagnostic[], approximate: () => boolean): Diagnostic[] | undefined {
    const { present, relations, runtime } = this;
    const guess = present.conditions.slice();
    const saved = runtime.values.saved();
    const found = attempted(() => {
      present.followConditions();
      if (!approximate()) return undefined;
      const { resolve } = present.mode;
      relations.setKnownExactly(resolve);
      present.conditions = runtime.model.conditions.map(
        ({ value }) => runtime.values.evaluate(resolve(value)) !== 0,
      );
      present.followConditions();
      return this.iterate(solve);
    });
    if (found && !(found instanceof Failure)) return found;
    runtime.values.memory.values.set(saved);
    present.conditions = guess;
    return undefined;
  }

  /**
   * Where no mode agrees with its own initial values, as where switches close on capacitors with given voltages, the run begins in the mode that start
   * values ask for, or in another one that has initial values. What happens at its first instant leads on from there; if it does not, the `failure` stands.
   */
  private beginWith(
    modes: readonly (readonly boolean[])[],
    solve: () => Diagnostic[],
    failure: Failure,
  ): Diagnostic[] {
    const { present, limits, runtime } = this;
    for (const mode of modes) {
      runtime.values.memory.values.set(limits.values);
      present.conditions = mode.slice();
      const notes = attempted(() => {
        present.followConditions();
        return this.solved(solve, () => {
          present.evaluate('initialise');
          if (this.crossings.updateWatched([])) present.evaluate('initialise');
        });
      });
      if (notes instanceof Failure || notFinite(runtime, present.mode)) continue;
      this.failure = failure;
      return notes;
    }
    throw failure;
  }

  private guessConditions(): void {
    this.machines.begin();
    this.relations.setExactly();
    this.guessDiscrete();
    const { model } = this.runtime;
    this.present.conditions = model.conditions.map((c) => this.runtime.values.evaluate(c.value) !== 0);
    this.runtime.components.enter(this.present.conditions, []);
  }

  /**
   * First values of discrete variables: their start values where given, which also speak for the relation that such a variable
   * stands for; otherwise what their equations say. Relations of time do not depend on the mode: there is nothing to guess.
   */
  private guessDiscrete(): void {
    const { pool, model } = this.runtime.values;
    for (const { guard, assigns, right } of model.equations) {
      if (assigns === undefined || guard.length > 0) continue;
      const { start } = model.scalars[assigns]!;
      if (!start) this.guessValue(pool.ref(assigns), right);
      else if (right.kind === 'held' && !model.relations[right.relation]!.switchTime)
        this.relations.set(right.relation, this.runtime.values.startOf(assigns) !== 0);
    }
  }

  /** Functions may refuse values that are guesses themselves: then there is nothing to guess yet. */
  private guessValue(leaf: Expr, right: Expr): void {
    const { values } = this.runtime;
    const value = values.evaluateGuess(right);
    if (!Number.isNaN(value)) values.set(leaf, value);
  }

  /** Solves for initial values in the present mode and evaluates it; what is remembered is as before. */
  private solved(solve: () => Diagnostic[], evaluate: () => void): Diagnostic[] {
    const before = this.limits.preValues();
    const notes = solve();
    this.present.mode.activate();
    evaluate();
    this.limits.updatePreSince(before);
    return notes;
  }

  /** Repeats `solve` until the mode and the discrete values agree with it. */
  private iterate(solve: () => Diagnostic[]): Diagnostic[] {
    const { present, limits, crossings } = this;
    for (let n = 0; n <= mostIterations; n++) {
      const notes = attempted(() =>
        this.solved(solve, () => {
          if (!present.reviewStates()) present.evaluate('initialise');
        }),
      );
      if (notes instanceof Failure) {
        // What cannot be evaluated may stand in a branch that values which are known now do not ask for.
        const cannotEvaluate = notes.diagnostics.some(({ code }) => code === 'bad-evaluation');
        if (!cannotEvaluate || !this.relations.setKnownExactly(present.mode.resolve)) throw notes;
        continue;
      }
      let changed = this.relations.setTimeExactly();
      if (crossings.updateWatched([])) changed = true;
      // Conditions may depend on relations: they are read when these agree with the values.
      if (changed) continue;
      if (!present.readConditions()) return notes;
      present.followConditions();
    }
    throw new Failure('initialise', [
      unsettled(this.runtime, 'initialisation', limits.changing, this.relations.latest),
    ]);
  }

  /** Tries combinations of conditions from the start values on; where none agrees with its initial values, the one that comes closest is added to the `solvable` ones. */
  private search(
    from: boolean[],
    solve: () => Diagnostic[],
    cause: Failure,
    solvable: (readonly boolean[])[],
  ): Diagnostic[] {
    const { present, limits } = this;
    const { memory } = this.runtime.values;
    let notes: Diagnostic[] = [];
    const stage: TrialStage = {
      restore: () => memory.values.set(limits.values),
      enter: (mode) => {
        present.mode = mode;
        return [];
      },
      evaluate: () => {
        let changed = false;
        notes = this.solved(solve, () => {
          present.evaluate('initialise');
          changed = this.relations.setTimeExactly();
        });
        return changed;
      },
      impulse: () => 0,
      forced: () => undefined,
    };
    const movable = new Set(this.trials.roles.movable);
    let closest: readonly boolean[] | undefined;
    let least = Number.POSITIVE_INFINITY;
    const solved = (values: readonly boolean[], violated: number): void => {
      if (violated >= least) return;
      least = violated;
      closest = values.slice();
    };
    stage.restore();
    const near = foreseen(this.runtime, from, undefined);
    const quest = { affected: [], movable, stage: () => stage, cause: () => cause, solved };
    if (!near || !this.trials.finds({ ...quest, from: near, most: mostNeighbours })) {
      const failure = failureOf(() => this.trials.search({ ...quest, from, most: mostModes }));
      if (failure && !closest) {
        stage.restore();
        closest = unforced(this.runtime, from);
      }
      if (closest) solvable.push(closest);
      if (failure) throw failure;
    }
    present.conditions = present.mode.conditions.slice();
    return notes;
  }
}
