/**
 * The bank of modes: each is analysed and compiled when it is first entered, then kept, also for runs to come. The key is
 * the values of the structural conditions together with the choice of states.
 *
 * A mode may show that further conditions are structural (`promote`), so that from there on other modes are told apart. A run begins
 * without these, whatever runs before it have found, and goes through the same steps: modes and promotions are known by the conditions
 * that were structural when they were found (`stage`).
 *
 * What is kept is bounded: whole modes by their number and by the equations they have in all, sorted blocks and code (`code/shared.ts`)
 * by theirs. What was not used for longest goes first, and only between instants, so that an event iteration
 * meets each of its modes once. A mode that returns is made again, mostly from blocks and code that are still there.
 */
import { attempted, Failure } from '../diagnostic/failure.ts';
import type { GuardedModel } from '../modes/guarded.ts';
import { sharpen } from '../modes/kinks.ts';
import { type ConditionValues, type Mode, modeKey } from '../modes/mode.ts';
import type { SortedMode } from '../structure/analysis.ts';
import { KnownBlocks } from '../structure/sort.ts';
import { analyseMode, type DependentChoices, promotedBy, selectMode } from './mode/analyse.ts';
import { CompiledMode } from './mode/compiled.ts';
import type { Runtime } from './runtime.ts';

/** A mode that has shown that more conditions are structural. */
export interface StageOrigin {
  readonly stage: number;
  readonly conditions: ConditionValues;
  readonly choices: DependentChoices | undefined;
}

/** Equations of all modes that are kept, at some 100 bytes each. */
const mostEquations = 2_500_000;

/** Sorted blocks that are kept for modes to come. */
const mostBlocks = 100_000;

/** Singular modes that are remembered. */
const mostSingular = 10_000;

export class ModeBank {
  private readonly modes = new Map<string, CompiledMode>();
  /** How often modes were asked for. */
  private uses = 0;
  /** Why modes have no solution, whatever the values: ideal switches propose the same ones again and again. */
  private readonly singular = new Map<string, Failure>();
  /** Why no mode is made any more in this run: other equations have to take the place of components. */
  private refusal: Failure | undefined;
  private equations = 0;
  private readonly blocks = new KnownBlocks(mostBlocks);
  /** The model at the stages, and the stage that a mode leads to, by its key. */
  private readonly stages: GuardedModel[];
  private readonly promotions = new Map<string, number>();
  /** By stage but the first: the mode that led to it. */
  readonly origins: StageOrigin[] = [];
  stage = 0;
  /** Time spent on analysis and on code, in milliseconds. */
  translateMs = 0;
  compileMs = 0;
  compiled = 0;

  constructor(
    private readonly runtime: Runtime,
    private readonly keptModes: number,
    /** Conditional expressions stay inside the one mode there is. */
    private readonly single: boolean,
  ) {
    this.stages = [runtime.model];
  }

  /** Begins a run: with the conditions that are structural from the start, and nothing counted. */
  begin(): void {
    this.enterStage(0);
    this.refusal = undefined;
    this.translateMs = 0;
    this.compileMs = 0;
    this.compiled = 0;
  }

  /** How many modes are kept. */
  get size(): number {
    return this.modes.size;
  }

  /** The modes of this run, the last used last: with `again`, another run finds the same ones. */
  get used(): readonly CompiledMode[] {
    const { run } = this.runtime.values;
    return [...this.modes.values()].filter((m) => m.run === run).sort((a, b) => a.lastUsed - b.lastUsed);
  }

  /** Whether the stages of another bank of the model are, or can be, those of this one. */
  fits(origins: readonly StageOrigin[]): boolean {
    const both = Math.min(origins.length, this.origins.length);
    return Array.from({ length: both }, (_, k) => k).every(
      (k) => JSON.stringify(origins[k]) === JSON.stringify(this.origins[k]),
    );
  }

  /** Goes through the modes that led to the stages of another bank, which fits, so that this one has the same. */
  restage(origins: readonly StageOrigin[]): void {
    while (this.origins.length < origins.length) {
      const { length } = this.origins;
      const { stage, conditions, choices } = origins[length]!;
      this.enterStage(stage);
      // It may have shown that, and have no solution.
      attempted(() => this.sort(conditions.slice(), choices));
      if (this.origins.length === length) throw new Error('a stage of the model cannot be found again');
    }
  }

  again({ address: { stage, conditions, choices } }: ReturnType<CompiledMode['state']>): CompiledMode {
    this.enterStage(stage);
    return this.get(conditions.slice(), choices);
  }

  /** The mode for the values of all conditions; without `choices`, states are chosen for the values in the memory. */
  get(conditions: ConditionValues, choices?: DependentChoices): CompiledMode {
    const known = this.recall(keyOf(this.keyOf(conditions), choices ?? []));
    if (known) return known;
    const failure = this.refusal ?? this.singular.get(this.keyOf(conditions));
    if (failure) throw failure;
    const started = performance.now();
    const { mode, sorted } = this.sort(conditions, choices);
    const dependents = sorted.selections.map((s) => s.dependent);
    const key = keyOf(this.keyOf(conditions), dependents);
    const chosen = this.recall(key);
    this.translateMs += performance.now() - started;
    return chosen ?? this.compile(key, mode, sorted, conditions);
  }

  /** The key of a mode at the stage that it is known to lead to. */
  private keyOf(conditions: ConditionValues): string {
    for (;;) {
      const key = `${this.stage} ${modeKey(this.runtime.model, completed(this.runtime, conditions))}`;
      const next = this.promotions.get(key);
      if (next === undefined) return key;
      this.enterStage(next);
    }
  }

  enterStage(stage: number): void {
    this.stage = stage;
    this.runtime.model = this.stages[stage]!;
  }

  /** Counts the time of making code. */
  timeCode<T>(make: () => T): T {
    const started = performance.now();
    try {
      return make();
    } finally {
      this.compileMs += performance.now() - started;
    }
  }

  private compile(key: string, mode: Mode, sorted: SortedMode, conditions: ConditionValues): CompiledMode {
    const compiled = this.timeCode(() => new CompiledMode(this.runtime, mode, sorted, conditions.slice()));
    this.compiled++;
    this.modes.set(key, compiled);
    compiled.lastUsed = ++this.uses;
    compiled.stage = this.stage;
    this.equations += mode.equations.length;
    return compiled;
  }

  /** Forgets modes beyond what is kept; `present` stays. */
  trim(present: CompiledMode): void {
    if (this.modes.size <= this.keptModes && this.equations <= mostEquations) return;
    for (const [key, mode] of [...this.modes].sort(([, a], [, b]) => a.lastUsed - b.lastUsed)) {
      if (this.modes.size <= this.keptModes && this.equations <= mostEquations) return;
      if (mode === present) continue;
      this.modes.delete(key);
      this.equations -= mode.mode.equations.length;
    }
  }

  private recall(key: string): CompiledMode | undefined {
    const mode = this.modes.get(key);
    if (mode) {
      mode.lastUsed = ++this.uses;
      mode.renew();
    }
    return mode;
  }

  /** Selects and sorts a mode; where a condition turns out to be structural, again with its value fixed. */
  private sort(
    conditions: ConditionValues,
    choices: DependentChoices | undefined,
  ): { mode: Mode; sorted: SortedMode } {
    const { runtime } = this;
    for (;;) {
      const key = this.keyOf(conditions);
      const mode = selectMode(runtime, conditions);
      const analysis = analyseMode(runtime, mode, choices, this.blocks);
      const { sorted, diagnostics } = analysis;
      if (!sorted) {
        const where = mode.signature ? [{ message: `in the mode: ${mode.signature}` }] : [];
        const located = diagnostics.map((d) => ({ ...d, notes: [...d.notes, ...where] }));
        const failure = new Failure('translate', located);
        for (const component of analysis.blamed)
          if (runtime.components.refuse(component)) this.refusal = failure;
        if (this.refusal) throw failure;
        if (this.singular.size >= mostSingular) this.singular.clear();
        this.singular.set(key, failure);
        throw failure;
      }
      // More conditions may be structural, and more bends cause events.
      const promoted = this.single
        ? runtime.model
        : promotedBy(runtime, sharpen(runtime.model, sorted), mode, sorted);
      if (promoted === runtime.model) return { mode, sorted };
      this.origins.push({ stage: this.stage, conditions: conditions.slice(), choices });
      const stage = this.stages.push(promoted) - 1;
      this.promotions.set(key, stage);
      this.enterStage(stage);
    }
  }
}

/** Promotion may have added conditions: their values follow from the memory. */
function completed(runtime: Runtime, conditions: ConditionValues): ConditionValues {
  for (let k = conditions.length; k < runtime.model.conditions.length; k++) {
    conditions.push(runtime.values.evaluate(runtime.model.conditions[k]!.value) !== 0);
  }
  return conditions;
}

function keyOf(prefix: string, choices: DependentChoices): string {
  return choices.length === 0 ? prefix : `${prefix}|${choices.map((c) => c.join(',')).join(';')}`;
}
