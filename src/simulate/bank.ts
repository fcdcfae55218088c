/**
 * The bank of modes: each is analysed and compiled when it is first entered, then kept. The key is the values of the
 * structural conditions together with the choice of states.
 *
 * What is kept is bounded: whole modes by their number and by the equations they have in all, sorted blocks and code (`code/shared.ts`)
 * by theirs. What was not used for longest goes first, and only between instants, so that an event iteration
 * meets each of its modes once. A mode that returns is made again, mostly from blocks and code that are still there.
 */
import { Failure } from '../diagnostic/diagnostic.ts';
import { type ConditionValues, type Mode, modeKey, promote, selectMode } from '../modes/mode.ts';
import { KnownBlocks } from '../structure/sort.ts';
import type { SortedMode } from '../structure/sorted.ts';
import { analyseMode, type Choices } from './analyse.ts';
import { CompiledMode } from './compiled.ts';
import type { Runtime } from './runtime.ts';

/** Equations of all modes that are kept, at some 200 bytes each. */
const mostEquations = 2_500_000;

/** Sorted blocks that are kept for modes to come. */
const mostBlocks = 100_000;

/** Singular modes that are remembered. */
const mostSingular = 10_000;

export class ModeBank {
  private readonly runtime: Runtime;
  private readonly keptModes: number;
  /** Conditional expressions stay inside the one mode there is. */
  private readonly single: boolean;
  private readonly modes = new Map<string, CompiledMode>();
  /** How often modes were asked for. */
  private uses = 0;
  /** Why modes have no solution, whatever the values: ideal switches propose the same ones again and again. */
  private readonly singular = new Map<string, Failure>();
  private equations = 0;
  private blocks = new KnownBlocks(mostBlocks);
  /** Time spent on analysis and on code, in milliseconds. */
  translateMs = 0;
  compileMs = 0;
  compiled = 0;

  constructor(runtime: Runtime, keptModes: number, single: boolean) {
    this.runtime = runtime;
    this.keptModes = keptModes;
    this.single = single;
  }

  /** How many modes are kept. */
  get size(): number {
    return this.modes.size;
  }

  /** The mode for the values of all conditions; without `choices`, states are chosen for the values in the memory. */
  get(conditions: ConditionValues, choices?: Choices): CompiledMode {
    const { model } = this.runtime;
    const known = this.recall(keyOf(modeKey(model, completed(this.runtime, conditions)), choices ?? []));
    if (known) return known;
    const failure = this.singular.get(modeKey(model, conditions));
    if (failure && conditions.length === model.conditions.length) throw failure;
    const started = performance.now();
    const { mode, sorted } = this.sort(conditions, choices);
    const key = keyOf(
      modeKey(model, conditions),
      sorted.selections.map((s) => s.dependent),
    );
    const chosen = this.recall(key);
    this.translateMs += performance.now() - started;
    return chosen ?? this.compile(key, mode, sorted, conditions);
  }

  /** What was concluded from values of parameters is no longer valid. */
  forgetBlocks(): void {
    this.blocks = new KnownBlocks(mostBlocks);
    this.singular.clear();
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
    this.equations += mode.equations.length;
    return compiled;
  }

  /** Forgets modes beyond what is kept; `present` stays. */
  trim(present: CompiledMode): void {
    if (this.modes.size <= this.keptModes && this.equations <= mostEquations) return;
    const byUse = [...this.modes].sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
    for (const [key, mode] of byUse) {
      if (this.modes.size <= this.keptModes && this.equations <= mostEquations) return;
      if (mode === present) continue;
      this.modes.delete(key);
      this.equations -= mode.mode.equations.length;
    }
  }

  private recall(key: string): CompiledMode | undefined {
    const mode = this.modes.get(key);
    if (mode) mode.lastUsed = ++this.uses;
    return mode;
  }

  /** Selects and sorts a mode; where a condition turns out to be structural, again with its value fixed. */
  private sort(
    conditions: ConditionValues,
    choices: Choices | undefined,
  ): { mode: Mode; sorted: SortedMode } {
    const { runtime } = this;
    for (;;) {
      const mode = selectMode(runtime.model, completed(runtime, conditions));
      const { sorted, diagnostics } = analyseMode(runtime, mode, choices, this.blocks);
      if (!sorted) {
        const where = mode.signature ? [{ message: `in the mode: ${mode.signature}` }] : [];
        const failure = new Failure(
          'translate',
          diagnostics.map((d) => ({ ...d, notes: [...d.notes, ...where] })),
        );
        if (this.singular.size >= mostSingular) this.singular.clear();
        this.singular.set(mode.key, failure);
        throw failure;
      }
      if (this.single || !promote(runtime.model, mode, sorted, (expr) => runtime.print(expr)))
        return { mode, sorted };
    }
  }
}

/** Promotion may have added conditions: their values follow from the memory. */
function completed(runtime: Runtime, conditions: ConditionValues): ConditionValues {
  for (let k = conditions.length; k < runtime.model.conditions.length; k++) {
    conditions.push(runtime.evaluate(runtime.model.conditions[k]!.value) !== 0);
  }
  return conditions;
}

function keyOf(prefix: string, choices: Choices): string {
  return choices.length === 0 ? prefix : `${prefix}|${choices.map((c) => c.join(',')).join(';')}`;
}
