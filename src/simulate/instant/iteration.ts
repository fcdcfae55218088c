/**
 * What happens at an instant: values of relations and discrete variables are brought to a fixpoint, actions are performed,
 * and the mode is found that is consistent with its own conditions. Time is super-dense: there are as many iterations
 * as the model needs.
 *
 * States are real, conditions are tried. Transitions and actions set new left limits (`leftlimits.ts`); when a structural condition
 * proposes another mode (`proposals.ts`), only the mode in which the iteration settles changes the values.
 */
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { attempted, Failure, failureOf } from '../../diagnostic/failure.ts';
import type { ModeBank } from '../../program/cache.ts';
import { endlessTransitions, relationWithoutValue, unsettled } from '../../program/explain.ts';
import { Actions } from '../../program/machines/actions.ts';
import {
  actionsOf,
  confirmActions,
  type Firing,
  Machines,
  toldWithActions,
} from '../../program/machines/machines.ts';
import type { Runtime } from '../../program/runtime.ts';
import type { Weight } from '../../program/values/jumps.ts';
import { mostNeighbours, Trials } from './candidate.ts';
import { Crossings } from './crossings.ts';
import type { Present } from './current.ts';
import { FirstMode } from './firstmode.ts';
import { ImpulseWatch } from './impulses.ts';
import { LeftLimits } from './leftlimits.ts';
import { Proposals } from './proposals.ts';
import type { Relations } from './relations.ts';
import { Sliding } from './sliding.ts';

/** Iterations at one instant before the engine gives up (a cycle of modes or of discrete values), and more for each discrete variable of a chain. */
const mostIterations = 100;
const iterationsEach = 10;
const longestChain = 1000;

/** Iterations over relations alone after which it is looked whether they go round in a circle. */
const fewRounds = 4;
/** So many relations in a circle are tried in all combinations. */
const mostCircling = 10;

/** A point of the iteration that can be returned to. */
interface TurningPoint {
  readonly restore: () => void;
  /** Whether discrete variables had become something new. */
  readonly hasNews: boolean;
}

export class EventIteration {
  readonly diagnostics: Diagnostic[] = [];
  readonly actions: Actions;
  readonly machines: Machines;
  private readonly limits: LeftLimits;
  private readonly crossings: Crossings;
  readonly trials: Trials;
  private readonly proposals: Proposals;
  readonly first: FirstMode;
  private readonly impulses: ImpulseWatch;
  private readonly sliding: Sliding;
  /** Impulses of this instant. */
  private real: Weight[] = [];
  /** The transition that led to the present states, at this instant. */
  private fired: Firing | undefined;
  /** Whether an action has set a value since relations followed the values. */
  private jumped = false;
  /** Where a condition that remembers first turned, since anything was remembered. */
  private turning: TurningPoint | undefined;
  /** Iterations over relations alone since then, and by their values: what was found with them, once it seems that they go round in a circle. */
  private rounds = 0;
  private readonly circle = new Map<string, TurningPoint>();
  /** Values of relations that were tried because of that. */
  private readonly tried = new Set<string>();

  constructor(
    private readonly runtime: Runtime,
    bank: ModeBank,
    private readonly relations: Relations,
    private readonly present: Present,
  ) {
    this.actions = new Actions(runtime.values, runtime.wording, this.diagnostics);
    this.machines = new Machines(runtime.values);
    this.limits = new LeftLimits(runtime, relations);
    this.crossings = new Crossings(runtime.values, runtime.code.calls, relations, present);
    this.trials = new Trials(runtime, bank, relations);
    const { limits, crossings, trials, machines } = this;
    this.proposals = new Proposals(runtime, bank, relations, present, limits, crossings, trials);
    this.first = new FirstMode(runtime, relations, present, limits, crossings, trials, machines);
    this.impulses = new ImpulseWatch(runtime);
    this.sliding = new Sliding(runtime, relations);
  }

  /** Finds a mode that agrees with the initial values that `solve` finds in it, from those of `approximate`, where it has some. */
  find(solve: () => Diagnostic[], approximate: () => boolean): void {
    this.diagnostics.push(...this.first.find(solve, approximate));
    this.present.reviewStates();
  }

  /** What when-clauses do because a run begins. */
  start(): void {
    this.actions.set(this.present.mode, this.actions.orders(this.present.mode, []));
    this.actions.perform(this.present.mode, 'initialise');
    this.machines.noteInitial(this.present.mode);
  }

  /** In place of `find` and `start`, with values that are known. */
  recall(...from: Parameters<FirstMode['recall']>): void {
    this.first.recall(...from);
  }

  /** Whether the sides of a relation turn back from the value that it has now; so they are said to do where it is not known. */
  isPushedBack(relation: number): boolean {
    const slope = this.slopeOf(relation);
    return slope === undefined || slope * this.relations.side(relation) <= 0;
  }

  /** How fast the sides of a relation move apart, where that is known. */
  slopeOf(relation: number): number | undefined {
    return this.crossings.slopeOf(relation);
  }

  /**
   * What happens at an instant. `crossed` are relations whose indicators were seen to change sign, `reached` those whose sides have become equal, and
   * which have the value for that. Gives impulses.
   */
  run(crossed: readonly number[], reached: readonly number[]): readonly Weight[] {
    const { failure } = this.first;
    this.first.failure = undefined;
    const weights = attempted(() => this.happen(crossed, reached));
    if (weights instanceof Failure) throw failure ?? weights;
    return weights;
  }

  private happen(crossed: readonly number[], reached: readonly number[]): readonly Weight[] {
    const { sliding, crossings, present } = this;
    if (this.runtime.model.slides.length === 0) return this.settle(crossed, reached);
    const weights = [...this.settle(crossed, [...reached, ...sliding.begin(crossed)])];
    for (;;) {
      const turned = sliding.review(
        present.mode,
        crossed,
        (relation) => crossings.slopeOf(relation) ?? this.trend(relation),
      );
      if (!turned) break;
      weights.push(...this.settle([], turned));
    }
    return weights;
  }

  /** Iterates until nothing changes; `turned` are relations that keep their values. */
  private settle(crossed: readonly number[], turned: readonly number[]): readonly Weight[] {
    this.begin(crossed, turned);
    const chain = Math.min(this.runtime.model.remembered.length, longestChain);
    const most = mostIterations + iterationsEach * chain;
    for (let n = 0; this.step(n === 0); n++) if (n === most) throw this.cycle();
    this.makeReal();
    this.present.known = 'nothing';
    this.present.reviewStates();
    return this.real;
  }

  private begin(crossed: readonly number[], turned: readonly number[]): void {
    const { present, crossings, limits } = this;
    present.mode.activate();
    const { extents, sizes, memory } = this.runtime.values;
    extents.see(present.mode.stateSlots, memory.values);
    sizes.see(present.mode.jumpingSlots, memory.values);
    this.machines.trail.length = 0;
    crossings.begin(crossed, turned);
    this.remember();
    this.relations.updateTimeRelations(present.time);
    crossings.cross();
    crossings.updateWatched([]);
    crossings.crossAgain();
    this.actions.renew();
    this.jumped = false;
    this.real = [];
    this.fired = undefined;
    this.goOn();
    limits.take(present.mode.present);
    this.proposals.begin();
  }

  /** What has happened is the past of what comes now; true if something is another one than before. */
  private remember(): boolean {
    const { values } = this.runtime;
    const { acting } = values.model.flags;
    values.foreign.repeats.forget();
    if (acting !== undefined) values.setVariable(acting, 0);
    return this.limits.updatePre();
  }

  /** A relation has no value at the point that the memory is at: an error, if anything depends on what it is. */
  checkValue(relation: number): void {
    const { present, relations, limits } = this;
    const { mode } = present;
    const { values: run } = this.runtime;
    const { memory } = run;
    const slots = [...mode.variableSlots, ...mode.conditionSlots.map(({ slot }) => slot), ...limits.nowSlots];
    const evaluated = (): number[] | undefined =>
      present.guarded(() => mode.evaluateEvent()) ? slots.map((slot) => memory.values[slot]!) : undefined;
    const saved = run.saved();
    const now = evaluated();
    const isMissing = Number.isNaN(mode.indicatorNow(relation));
    relations.set(relation, !relations.held(relation));
    const other = evaluated();
    memory.values.set(saved);
    if (isMissing && now?.some((value, k) => other && !Object.is(value, other[k])))
      throw new Failure('simulate', [relationWithoutValue(this.runtime, relation)]);
  }

  /** How the indicator of a relation changes in a very small time. */
  private readonly trend = (relation: number): number | undefined =>
    this.trials.trend(this.present.mode, relation);

  /** One iteration; true if another one is needed. */
  private step(isFirst: boolean): boolean {
    this.proposals.rejoin();
    this.complete();
    // What when-clauses compute may depend on what they let jump: both are solved together.
    for (let n = 0; n < mostIterations && this.proposals.isBehind(); n++) {
      this.proposals.catchUp();
      this.complete();
    }
    if (this.followRelations(isFirst) || (isFirst ? this.goOver() : this.followConditions())) return true;
    if (this.letAct()) return true;
    const acted = this.act();
    if (this.actions.terminated) return false;
    if (this.update(acted)) return true;
    if (this.proposals.reconsider()) return true;
    if (this.jumped && this.crossings.turnBack(this.trend)) {
      this.jumped = false;
      return true;
    }
    if (this.fire() || this.endTick()) return true;
    this.proposals.confirm();
    return this.endImpulses();
  }

  /**
   * Everything at the point the memory is at. Relations of time may be those of before a when-clause set what they compare time with, as at the beginning of a ramp: a valve would be open at once. Where
   * that cannot be evaluated, they follow what is known by then. And systems of equations may begin at solutions for such values: then they begin once more at those of before the instant.
   */
  private complete(): void {
    const { present, relations, limits } = this;
    let isFresh = false;
    for (let n = 0; ; n++) {
      const failure = failureOf(() => present.complete());
      if (!failure) return;
      if (!relations.updateTimeRelations(present.time)) {
        if (isFresh) throw failure;
        isFresh = true;
      }
      if (n === mostIterations) throw failure;
      present.mode.beginSolutions(limits.values);
      present.known = 'nothing';
    }
  }

  /**
   * What jumped is real, the impulses are over: relations that they decided follow the finite values, and the mode settles again, with
   * the values after the jump as left limits. True if a relation changed.
   */
  private endImpulses(): boolean {
    const { weights } = this.proposals;
    if (weights.length === 0) return false;
    const decided = this.crossings.decidedBy(weights);
    this.makeReal();
    this.limits.take(this.present.mode.present);
    this.proposals.stay();
    this.crossings.release();
    this.crossings.jump();
    return this.crossings.followFinite(decided, this.trend);
  }

  /**
   * Relations follow the values of a mode that was entered, or of one in which something has stepped: an impulse decides them. At the beginning of an instant
   * those that were crossed are left alone, and those of time, until what follows from them has happened. True if one changed.
   */
  private followRelations(isFirst: boolean): boolean {
    const { proposals, crossings, present } = this;
    // Another mode would have to be tried before relations follow its values.
    const isCalled = isFirst || proposals.isNew || this.hasOneStructure;
    if (!isCalled && present.contradicts(present.mode.conditions)) return false;
    const { weights } = proposals;
    const point = this.rounds > fewRounds ? this.point() : undefined;
    const key = point && this.relations.key();
    if (isFirst ? crossings.updateWatched(weights, crossings.crossed) : crossings.update(weights)) {
      this.rounds++;
      const isRound = key !== undefined && this.circle.has(key);
      if (point && !isRound) this.circle.set(key!, point);
      if (isRound && this.findAgreement()) return true;
      const turning = isRound ? [...this.circle.values()].find(({ hasNews }) => hasNews) : undefined;
      if (!turning) return true;
      turning.restore();
    }
    proposals.isNew = false;
    return false;
  }

  /**
   * Relations that go round in a circle may hold all the same: a brake that comes to rest would start forwards with what it had going backwards, and backwards with
   * what it would have then, but it stays where it is. Combinations of those that change are tried, those with the fewest that hold first; true if one agrees with
   * its values, or asks for another mode, which then shows it.
   */
  private findAgreement(): boolean {
    const { present, relations, runtime } = this;
    const { memory } = runtime.values;
    const keys = [...this.circle.keys()];
    const changing = [...keys[0]!].flatMap((_, k) => (keys.some((key) => key[k] !== keys[0]![k]) ? [k] : []));
    if (changing.length > mostCircling) return false;
    const watched = present.mode.watched.filter(({ relation }) => changing.includes(relation));
    const agrees = () =>
      present.guarded(() => present.mode.evaluateEvent()) &&
      (present.contradicts(present.mode.conditions) ||
        !watched.some(({ relation, slot }) => relations.differs(relation, memory.values[slot]!)));
    const saved = runtime.values.saved();
    for (const held of combinations(changing.length)) {
      for (const [k, relation] of changing.entries()) relations.set(relation, held[k]!);
      const key = relations.key();
      if (!this.tried.has(key) && agrees()) {
        this.tried.add(key);
        this.rounds = 0;
        this.circle.clear();
        return true;
      }
      memory.values.set(saved);
    }
    return false;
  }

  /**
   * The mode follows conditions as they are now, not as they were in the iteration before or in another mode, before anything acts or is
   * remembered: a mode that is dropped again leaves no trace, and when-clauses see the values of the one that stays. Only conditions that
   * remember what they saw of it (`broken` of a shaft) come later: else they would forget what they saw when the mode is left. True if something changed.
   */
  private followConditions(): boolean {
    const { proposals, present, trials } = this;
    const isSteady = !this.jumped && proposals.weights.length === 0;
    const before = present.conditions.slice();
    if (!present.readConditions(isSteady ? undefined : trials.roles.forgetful)) return false;
    if (isSteady && trials.hasTurned(before, present.conditions)) this.turning ??= this.point(before);
    const { turning } = this;
    if (!turning) {
      proposals.follow();
      return true;
    }
    if (proposals.attempt(() => proposals.follow(mostNeighbours))) return true;
    turning.restore();
    return false;
  }

  private point(conditions?: readonly boolean[]): TurningPoint {
    const { proposals, limits } = this;
    return { restore: proposals.save(conditions), hasNews: limits.hasNews() };
  }

  /** Something is remembered or was set: what follows is new. */
  private goOn(): void {
    this.turning = undefined;
    this.rounds = 0;
    this.circle.clear();
    this.tried.clear();
  }

  /**
   * The same at the beginning of an instant, where the mode in force was real: what `reinit` sets are values before the change. Where no mode can be entered,
   * what when-clauses do may make it possible: a position that is latched at the instant at which a shaft is joined.
   */
  private goOver(): boolean {
    const { present, trials, proposals } = this;
    const before = present.conditions.slice();
    if (!present.readConditions(trials.roles.forgetful)) return false;
    this.reset(() => true);
    if (proposals.attempt(() => proposals.follow())) return true;
    present.conditions = before;
    return false;
  }

  /** Whether no condition proposes another mode, which would have to be tried before relations follow its values. */
  private get hasOneStructure(): boolean {
    return !this.runtime.model.conditions.some((c) => c.structural && !c.constant);
  }

  /** What statements do cannot be taken back: they do it when relations and mode have settled without it. True if they have not done it yet. */
  private letAct(): boolean {
    const { values } = this.runtime;
    const { acting } = values.model.flags;
    if (acting === undefined || values.get(values.pool.ref(acting)) !== 0) return false;
    values.setVariable(acting, 1);
    this.present.known = 'nothing';
    return true;
  }

  /** Performs actions; true if they set values. */
  private act(): boolean {
    this.machines.notePassing(this.present.mode);
    const isSet = this.reset(() => this.present.isAskedToChange());
    this.actions.perform(this.present.mode, 'simulate');
    return isSet;
  }

  /**
   * Sets what `reinit` asks for, which becomes the left limit: what an action sets is real. A mode that `isLeft` at this instant is not, nor is what has jumped
   * in it: there, what is set are values before it. True if there is something.
   */
  private reset(isLeft: () => boolean): boolean {
    const { actions, present, proposals, machines } = this;
    const orders = actions.orders(present.mode, machines.wishes(present.mode));
    if (orders.length === 0) return false;
    const isOld = proposals.origin !== undefined && isLeft();
    const next = isOld ? present.asked() : undefined;
    if (isOld && next && !actions.canSet(proposals.origin!, orders) && actions.canSet(next, orders)) {
      // They are states of the next mode.
      actions.renew();
      return false;
    }
    this.jumped = true;
    let isHeld = true;
    if (isOld && actions.canSet(proposals.origin!, orders)) isHeld = proposals.goBack();
    else {
      proposals.catchUp();
      this.tellImpulses();
    }
    const { mode } = present;
    const settings = actions.set(mode, orders);
    const { values } = this.runtime;
    for (const { own, value } of settings) {
      values.setVariable(own, value);
      values.extents.now.delete(values.slot(values.pool.ref(own)));
    }
    const isReleased = isHeld && !isOld && this.releases();
    if (isHeld && !isReleased) mode.resets.run(settings, next);
    this.crossings.jump();
    this.present.known = 'nothing';
    this.limits.take(mode.present);
    this.proposals.stay();
    if (isReleased) this.proposals.reenter();
    return true;
  }

  /**
   * Whether a relation that has chosen the mode contradicts the impulse by which constraints would make up for what was set: a diode does not conduct backwards,
   * so that a capacitor behind it does not follow.
   */
  private releases(): boolean {
    const { proposals, trials, relations } = this;
    const decisive = [...trials.roles.decisive];
    if (decisive.length === 0) return false;
    const before = decisive.map((relation) => relations.held(relation));
    const restore = proposals.save();
    const failure = failureOf(() => {
      proposals.reenter();
      this.crossings.updateWatched(proposals.weights);
    });
    // What has but another value in the end does not contradict: without the impulse, it would not have it.
    const isTurned =
      !failure &&
      decisive.some(
        (relation, k) =>
          relations.held(relation) !== before[k] && this.crossings.impulse(relation, proposals.weights) !== 0,
      );
    restore();
    return isTurned;
  }

  /** Discrete variables, relations and conditions follow the values; true if something changed. */
  private update(acted: boolean): boolean {
    let changed = acted;
    this.goOn();
    if (this.remember()) changed = true;
    this.actions.renew();
    if (!changed && this.crossings.update(this.proposals.weights)) changed = true;
    if (!this.present.readConditions()) return changed;
    this.proposals.follow();
    return true;
  }

  /** Takes the transitions that can be taken; true if there are some, now or in the next iteration. */
  private fire(): boolean {
    const { machines, present } = this;
    const firing = machines.choose(present.mode);
    if (!firing) return false;
    if (firing === 'waiting') return true;
    this.actions.checkUnique(present.mode, actionsOf(firing));
    this.makeReal();
    this.crossings.release();
    const { existed, entered } = machines.enter(firing, present.mode.present);
    machines.readConditions(present.conditions);
    this.runtime.components.enter(present.conditions, entered);
    this.fired = firing;
    this.limits.take(existed, entered);
    this.proposals.forget();
    toldWithActions(this.runtime.wording, firing, () => this.proposals.follow());
    return true;
  }

  /** Ends the ticks of this instant, after all else; false if there are none. */
  private endTick(): boolean {
    if (!this.relations.ticks.lower(this.present.time)) return false;
    this.limits.forgetOwn();
    return true;
  }

  /** The present mode is kept, or was real before it is left by a transition. */
  private makeReal(): void {
    this.tellImpulses();
    if (this.fired) confirmActions(this.runtime, this.present.mode, this.fired);
    this.fired = undefined;
  }

  private tellImpulses(): void {
    const weights = this.proposals.weights.filter(({ isNoise }) => !isNoise);
    if (weights.length === 0) return;
    this.real.push(...weights);
    const { mode } = this.present;
    const { values: left, existed } = this.limits;
    this.diagnostics.push(...this.impulses.warnings({ mode, weights, left, existed }));
  }

  private cycle(): Failure {
    const { trail } = this.machines;
    const isLivelock = trail.length > mostIterations / 4;
    return new Failure('simulate', [
      isLivelock
        ? endlessTransitions(this.runtime, trail)
        : unsettled(this.runtime, 'event iteration', this.limits.changing, this.relations.latest),
    ]);
  }
}

/** All combinations of n truth values, those with fewer that are true first. */
function combinations(n: number): boolean[][] {
  const all = Array.from({ length: 2 ** n }, (_, code) =>
    Array.from({ length: n }, (_, k) => ((code >> k) & 1) === 1),
  );
  const count = (values: readonly boolean[]) => values.filter(Boolean).length;
  return all.sort((a, b) => count(a) - count(b));
}
