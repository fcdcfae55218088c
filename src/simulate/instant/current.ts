/** The mode in force with the values of all conditions, and how everything is evaluated in it. */
import { EvaluationError } from '../../code/fault.ts';
import { attempted, Failure } from '../../diagnostic/failure.ts';
import type { ModeBank } from '../../program/cache.ts';
import { explainEvaluation } from '../../program/explain.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Runtime } from '../../program/runtime.ts';
import { betterStates } from './selection.ts';

export class Present {
  /** Undefined before the first one was found. */
  /** Values of all conditions; those that cannot be evaluated in a mode keep theirs. */
  conditions: boolean[] = [];
  /** What of the values in the memory agrees with the states and the time in it; who changes these says so. */
  known: 'nothing' | 'continuous' | 'all' = 'nothing';
  private fault: EvaluationError | undefined;

  private chosen!: CompiledMode;

  constructor(
    private readonly runtime: Runtime,
    private readonly bank: ModeBank,
  ) {}

  get mode(): CompiledMode {
    return this.chosen;
  }

  /** Components may have begun other segments since the mode was last in force. */
  set mode(mode: CompiledMode) {
    this.chosen = mode;
    mode.layOut();
  }

  get time(): number {
    return this.runtime.values.time;
  }

  /** Takes the mode that the conditions ask for, without its values. */
  followConditions(): void {
    this.mode = this.bank.get(this.conditions);
  }

  /** Reads the conditions of the mode, `some` of them or all; true if a structural one changed. */
  readConditions(some?: ReadonlySet<number>): boolean {
    const { values } = this.runtime.values.memory;
    let changed = false;
    for (const { condition, slot } of this.mode.conditionSlots) {
      if (some && !some.has(condition)) continue;
      const value = values[slot] !== 0;
      if (this.conditions[condition] === value) continue;
      this.conditions[condition] = value;
      if (this.runtime.model.conditions[condition]!.structural) changed = true;
    }
    return changed;
  }

  /** The mode that the conditions ask for as they are now; undefined where it is singular. */
  asked(): CompiledMode | undefined {
    const { values } = this.runtime.values.memory;
    const conditions = this.conditions.slice();
    for (const { condition, slot } of this.mode.conditionSlots) conditions[condition] = values[slot] !== 0;
    const mode = attempted(() => this.bank.get(conditions));
    return mode instanceof Failure ? undefined : mode;
  }

  /** Whether a structural condition has another value than the one it had when it was read. */
  isAskedToChange(): boolean {
    return this.contradicts(this.conditions);
  }

  /** Whether structural conditions have other values now than these. */
  contradicts(conditions: readonly boolean[]): boolean {
    const { model, values } = this.runtime;
    return this.mode.conditionSlots.some(
      ({ condition, slot }) =>
        model.conditions[condition]!.structural &&
        conditions[condition] !== (values.memory.values[slot] !== 0),
    );
  }

  /** Goes over to another choice of states where the present one has become bad; true if it did. */
  reviewStates(): boolean {
    const choices = betterStates(this.runtime.values, this.mode.sorted.selections);
    if (!choices) return false;
    const mode = this.bank.get(this.conditions, choices);
    if (mode === this.mode) return false;
    this.mode = mode;
    mode.activate();
    this.evaluate('simulate');
    return true;
  }

  /** Everything at the point the memory is at. */
  evaluate(stage: 'initialise' | 'simulate'): void {
    if (!this.guarded(() => this.mode.evaluateEvent())) throw this.evaluationFailure(stage);
  }

  /** As `evaluate`, with no more work than is needed for values that are known; from now on discrete ones may change. */
  complete(): void {
    const { known } = this;
    this.known = 'continuous';
    if (known === 'all') return;
    if (known === 'nothing') this.evaluate('simulate');
    else if (!this.guarded(() => this.mode.evaluateReaction())) throw this.evaluationFailure('simulate');
  }

  /** Checks inside user functions throw; while integrating they are a reason for a smaller step first. */
  guarded(evaluate: () => boolean): boolean {
    this.fault = undefined;
    try {
      return evaluate();
    } catch (problem) {
      return this.caught(problem);
    }
  }

  /** Evaluates the indicators at the point the memory is at; false where that is impossible. `isOpen`: see `ReadyMode.execute`. */
  readIndicators(out: Float64Array, mode = this.mode, isOpen = false): boolean {
    if (!this.guarded(() => mode.evaluateWatched(isOpen))) return false;
    mode.readIndicators(out);
    return true;
  }

  /** Takes note of a failed check; anything else is a bug and goes on. */
  caught(problem: unknown): false {
    if (!(problem instanceof EvaluationError)) throw problem;
    this.fault = problem;
    return false;
  }

  /** Why the last evaluation failed; `time` is what the message names. */
  evaluationFailure(stage: 'initialise' | 'simulate', time = this.time): Failure {
    const { fault } = this;
    this.fault = undefined;
    const broken = this.runtime.components.fault(time);
    if (broken) return new Failure(stage, [broken]);
    return new Failure(stage, [explainEvaluation(this.runtime, this.mode, fault, time)]);
  }
}
