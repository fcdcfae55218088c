/**
 * Modes that conditions propose at an instant. A proposal is entered from the left limits; if other conditions are violated there (an
 * impulse counts as an infinitely large value), the left limits come back and the next one is entered. Proposals that lead to each
 * other or to a singular mode make a search over combinations of conditions necessary (`search.ts`).
 */
import { attempted, Failure, failureOf } from '../../diagnostic/failure.ts';
import { isRelevant } from '../../modes/relevance.ts';
import type { ModeBank } from '../../program/cache.ts';
import { cycleOfModes } from '../../program/explain.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Weight } from '../../program/values/jumps.ts';
import { leaves } from '../../symbolic/analyse.ts';
import { mostNeighbours, notFinite, type TrialStage, type Trials } from './candidate.ts';
import type { Crossings } from './crossings.ts';
import type { Present } from './current.ts';
import type { LeftLimits } from './leftlimits.ts';
import type { Relations } from './relations.ts';
import { foreseen } from './settling.ts';

export class Proposals {
  /** Impulses of entering the present mode. */
  weights: readonly Weight[] = [];
  /** Why the values after a jump in the mode that stays cannot be computed, with discrete values as they are. */
  private impossible: Failure | undefined;
  /** Whether relations have not yet followed the values of the mode that was entered last. */
  isNew = false;
  /** The mode whose values the memory has, entered from the present left limits. */
  private entered: CompiledMode | undefined;
  /** The mode that the left limits belong to; undefined where machines have entered states since. */
  origin: CompiledMode | undefined;
  /** Modes that were entered from the present left limits. */
  private tried = new Set<CompiledMode>();
  /** Whether a mode that would be left at once was given up at this instant. */
  private reconsidered = false;
  /** Whether the mode was foreseen from the present left limits. */
  private isForeseen = false;
  /** Whether the memory has the left limits. */
  private isAtLimits = false;
  /** The mode in which these were found to violate nothing, with discrete values as its constraints saw them last. */
  private calm: CompiledMode | undefined;
  private copy = new Float64Array(0);

  constructor(
    private readonly runtime: Runtime,
    private readonly bank: ModeBank,
    private readonly relations: Relations,
    private readonly present: Present,
    private readonly limits: LeftLimits,
    private readonly crossings: Crossings,
    private readonly trials: Trials,
  ) {}

  /** A new instant. */
  begin(): void {
    this.reconsidered = false;
    this.stay();
  }

  /** The present mode and its values are real: new left limits were taken in it. */
  stay(): void {
    this.weights = [];
    this.isNew = false;
    this.impossible = undefined;
    this.entered = undefined;
    this.origin = this.present.mode;
    this.isForeseen = false;
    this.isAtLimits = true;
    this.calm = undefined;
    this.tried = new Set([this.present.mode]);
  }

  /** No mode was entered from the present left limits. */
  forget(): void {
    this.origin = undefined;
    this.entered = undefined;
    this.impossible = undefined;
    this.isForeseen = false;
    this.calm = undefined;
    this.tried = new Set();
  }

  /**
   * Enters the mode that the conditions ask for, from the left limits; where this does not work out, any consistent one, of as many as `most` that are
   * tried.
   */
  follow(most?: number): void {
    const { present, limits, tried, trials } = this;
    present.known = 'nothing';
    this.calm = undefined;
    this.isAtLimits = false;
    limits.keepOwn();
    limits.recall();
    this.awaken();
    const isAsked = trials.hasTurned(present.mode.conditions, present.conditions);
    if (!isAsked && trials.isNetwork() && this.foresee()) return;
    const isEntered = attempted(() => {
      const mode = this.bank.get(present.conditions);
      if (tried.has(mode)) return false;
      this.weights = this.enter(mode);
      present.known = 'all';
      tried.add(mode);
      return true;
    });
    if (isEntered instanceof Failure) this.search(() => isEntered, most);
    else if (isEntered) return;
    else if (this.crossings.steady) this.search(this.cycle, most);
    else this.beginAgain();
  }

  /**
   * The mode stays, but discrete values may have changed since its values were computed: where they violate constraints, these decide
   * anew what jumps, from the left limits. Nothing to do right after a mode was entered.
   */
  rejoin(): void {
    if (this.present.known !== 'all') this.catchUp();
  }

  /**
   * Values follow the discrete ones as they are now. A change that is impossible may become possible when all of them have settled; until
   * then nothing jumps. Where nothing has changed that constraints depend on, there is nothing to follow.
   */
  catchUp(): void {
    const { present, limits } = this;
    const { mode } = present;
    if (!mode.restart.mayJump) return;
    const { isAtLimits } = this;
    this.isAtLimits = false;
    if (!mode.restart.hasNews() && this.calm === mode) return;
    if (this.entered === mode && mode.restart.isCurrent()) return;
    this.entered = undefined;
    this.impossible = undefined;
    this.weights = [];
    const { known } = present;
    present.known = 'nothing';
    if (!isAtLimits) limits.recall();
    if (this.origin === mode && !mode.restart.isViolated()) {
      this.calm = mode;
      if (isAtLimits) present.known = known;
      return;
    }
    this.impossible = failureOf(() => {
      this.weights = this.enter(mode);
    });
    if (this.impossible) limits.recall();
    else if (this.weights.length > 0) present.known = 'all';
  }

  /** Enters the present mode anew: its constraints make up for values that were set. */
  reenter(): void {
    this.weights = this.enter(this.present.mode);
    this.present.known = 'all';
  }

  /** Whether what the evaluation of the mode gave discrete variables lets its values jump once more. */
  isBehind(): boolean {
    const { restart } = this.present.mode;
    if (!restart.mayJump || !restart.hasNews()) return false;
    this.calm = undefined;
    return true;
  }

  /** Throws where what happened at an instant is impossible after all. */
  confirm(): void {
    if (this.impossible) throw this.impossible;
  }

  /** Back to the mode and the values of the left limits; what belongs to the iteration stays. False where they do not agree any more. */
  goBack(): boolean {
    const { present, limits } = this;
    limits.recall();
    this.returnTo(this.origin!);
    present.known = 'nothing';
    this.weights = [];
    const { restart } = present.mode;
    return !(restart.mayJump && restart.isViolated());
  }

  /** A mode in which an indicator of zero moves to the other side would be left at once: true if another was found, which lasts. */
  reconsider(): boolean {
    const { present } = this;
    if (this.reconsidered || this.tried.size < 2 || !this.trials.isLeftAtOnce(present.mode)) return false;
    this.reconsidered = true;
    present.known = 'nothing';
    return this.attempt(() => this.search(this.cycle));
  }

  /** Goes over to another mode; false where that fails, and everything is as it was. */
  attempt(go: () => void): boolean {
    const restore = this.save(this.present.conditions, this.copied());
    const failure = failureOf(go);
    if (failure) restore();
    return !failure;
  }

  /** A way back to the mode and the values as they are now, and to these conditions; `values` is a copy of the memory. */
  save(
    conditions: readonly boolean[] = this.present.conditions,
    values: Float64Array = this.runtime.values.saved(),
  ): () => void {
    const { present, crossings } = this;
    const { mode, known } = present;
    const { steady } = crossings;
    const { weights, isForeseen, entered, isNew } = this;
    const own = { weights, isForeseen, entered, isNew, tried: new Set(this.tried) };
    const asked = conditions.slice();
    return () => {
      this.runtime.values.memory.values.set(values);
      Object.assign(present, { mode, conditions: asked, known });
      mode.activate();
      crossings.steady = steady;
      Object.assign(this, own, { calm: undefined, isAtLimits: false });
    };
  }

  /** The memory as it is, in an array of its own that is used again. */
  private copied(): Float64Array {
    const { memory } = this.runtime.values;
    const { size } = memory.layout;
    if (this.copy.length !== size) this.copy = new Float64Array(size);
    this.copy.set(memory.values.subarray(0, size));
    return this.copy;
  }

  private readonly cycle = (): Failure => new Failure('simulate', [cycleOfModes(this.present.time)]);

  /**
   * Conditions that mattered nowhere in the present mode, but do in the one to come, and the relations that they depend on: their
   * values are those of the left limits, where these exist.
   */
  private awaken(): void {
    const { runtime } = this;
    const { mode, conditions } = this.present;
    const { model } = runtime;
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
        const { switchTime } = model.relations[leaf.relation]!;
        const indicator = runtime.values.indicatorOf(leaf.relation);
        if (!switchTime && mode.exists(indicator))
          this.relations.update(leaf.relation, runtime.values.evaluate(indicator));
      }
      conditions[k] = runtime.values.evaluate(value) !== 0;
    }
  }

  /** Enters a mode from the left limits; a `Failure` where it is singular. */
  private enter(mode: CompiledMode): readonly Weight[] {
    const { present } = this;
    const { existed, entered } = this.limits;
    this.impossible = undefined;
    this.entered = undefined;
    this.calm = undefined;
    this.isAtLimits = false;
    this.bend(present.mode, mode);
    present.mode = mode;
    mode.activate();
    const weights = mode.restart.run(entered.length > 0 ? mode.begin(existed, entered) : existed);
    present.evaluate('simulate');
    if (notFinite(this.runtime, mode)) throw present.evaluationFailure('simulate');
    this.isNew = true;
    this.entered = mode;
    return weights;
  }

  /** On which sides of their bends the left limits are, where these cause events from now on. */
  private bend(before: CompiledMode, mode: CompiledMode): void {
    const { model, values } = this.runtime;
    for (const { relation, sharp } of model.kinks)
      if (sharp && !mode.idle[relation] && before.idle[relation])
        this.relations.update(relation, values.evaluate(values.indicatorOf(relation)));
  }

  /** Tries combinations of conditions where proposals led nowhere for the reason given by `cause`. */
  private search(cause: () => Failure, most?: number): void {
    // The run begins again without a component that stands in the way.
    if (this.runtime.components.isRefused) throw cause();
    if (this.foresee()) return;
    const { limits, trials } = this;
    const { conditions } = this.present;
    const movable = new Set(trials.roles.movable);
    const proposals = [...this.tried].map((mode) => mode.conditions);
    const from = conditions.map((value, k) => (movable.has(k) ? proposals[0]?.[k] : undefined) ?? value);
    const affected = [...movable].filter((k) =>
      [...proposals, conditions].some((values) => values[k] !== from[k]),
    );
    limits.keepOwn();
    trials.search({ from, affected, movable, stage: this.stageFrom(from), cause, most });
    this.weights = trials.weights;
    this.settleIn();
  }

  /**
   * Enters the mode in which all relations agree with a very small step from the left limits, or one next to it; false where that leads nowhere. It
   * is asked once for the same left limits.
   */
  private foresee(): boolean {
    if (this.isForeseen) return false;
    this.isForeseen = true;
    const { limits, trials, runtime, present } = this;
    const values = runtime.values.saved();
    const { mode, conditions } = present;
    const [first = mode] = this.tried;
    limits.keepOwn();
    limits.recallFirst();
    trials.assume(first.conditions);
    const from = foreseen(runtime, conditions, first);
    const movable = new Set(trials.roles.movable);
    // The step has decided on relations that were crossed: sides that stay equal may as well keep the present mode.
    const stage = this.stageFrom([]);
    const quest = { affected: [], movable, stage, cause: this.cycle, most: mostNeighbours };
    if (from && trials.finds({ ...quest, from })) {
      this.weights = trials.weights;
      this.settleIn();
      return true;
    }
    runtime.values.memory.values.set(values);
    this.returnTo(mode);
    return false;
  }

  /** How modes are entered from the left limits; `first` are the conditions of a mode that relations must leave that were crossed in it. */
  private stageFrom(first: readonly boolean[]): (values: readonly boolean[]) => TrialStage {
    const { limits, crossings } = this;
    const combination = first.join();
    return (values) => ({
      restore: () => limits.recallFirst(),
      enter: (mode) => this.enter(mode),
      evaluate: () => {
        this.present.evaluate('simulate');
        return false;
      },
      impulse: (relation, weights) => crossings.impulse(relation, weights),
      // A relation that was crossed in the present mode has to lead to another one.
      forced: (relation) =>
        crossings.crossed.includes(relation) && values.join() === combination
          ? limits.held(relation)
          : undefined,
    });
  }

  /** The mode that was found is the one to go on with; from now on only values that are clear change relations. */
  private settleIn(): void {
    this.limits.forgetOwn();
    this.hold(this.present.mode, this.trials.zero);
  }

  /**
   * Modes that lead to each other have relations on the verge of changing: a diode whose current has come down to zero
   * would block at a voltage of zero. Back to the first mode, with the relations that were crossed there; from now on only
   * values that are clear change them.
   */
  private beginAgain(): void {
    const [first] = this.tried;
    this.limits.recallRelations();
    this.returnTo(first!);
    this.weights = [];
    this.hold(first!);
  }

  /** Another mode is in force, which is not entered. */
  private returnTo(mode: CompiledMode): void {
    this.entered = undefined;
    this.calm = undefined;
    this.present.mode = mode;
    mode.activate();
  }

  private hold(mode: CompiledMode, zero: Iterable<number> = []): void {
    this.present.conditions = mode.conditions.slice();
    this.crossings.settle(zero);
    this.tried.clear();
    this.tried.add(mode);
  }
}
