/**
 * The bank of modes: each is analysed and compiled when it is first entered, then kept. The key is the values of the
 * structural conditions together with the choice of states.
 */
import { Failure } from '../diagnostic/diagnostic.ts';
import { type ConditionValues, type Mode, modeKey, promote, selectMode } from '../modes/mode.ts';
import { KnownBlocks } from '../structure/sort.ts';
import type { SortedMode } from '../structure/sorted.ts';
import { analyseMode, type Choices } from './analyse.ts';
import { CompiledMode } from './compiled.ts';
import type { Runtime } from './runtime.ts';

/** Whole modes that are kept; the oldest are forgotten beyond. */
const mostModes = 1000;

/** Sorted blocks that are kept for modes to come. */
const mostBlocks = 100_000;

export class ModeBank {
  private readonly runtime: Runtime;
  private readonly modes = new Map<string, CompiledMode>();
  private blocks = new KnownBlocks(mostBlocks);
  /** Time spent on analysis and on code, in milliseconds. */
  translateMs = 0;
  compileMs = 0;
  compiled = 0;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** The mode for the values of all conditions; without `choices`, states are chosen for the values in the memory. */
  get(conditions: ConditionValues, choices?: Choices): CompiledMode {
    const { model } = this.runtime;
    const prefix = modeKey(model, conditions);
    if (choices) {
      const known = this.modes.get(keyOf(prefix, choices));
      if (known) return known;
    } else {
      const only = this.modes.get(keyOf(prefix, []));
      if (only) return only;
    }
    const started = performance.now();
    const { mode, sorted } = this.sort(conditions, choices);
    const key = keyOf(
      modeKey(model, conditions),
      sorted.selections.map((s) => s.dependent),
    );
    const chosen = this.modes.get(key);
    this.translateMs += performance.now() - started;
    return chosen ?? this.compile(key, mode, sorted, conditions);
  }

  /** What was concluded from values of parameters is no longer valid. */
  forgetBlocks(): void {
    this.blocks = new KnownBlocks(mostBlocks);
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
    if (this.modes.size > mostModes) this.modes.delete(this.modes.keys().next().value!);
    return compiled;
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
        throw new Failure(
          'translate',
          diagnostics.map((d) => ({ ...d, notes: [...d.notes, ...where] })),
        );
      }
      if (!promote(runtime.model, mode, sorted, (expr) => runtime.print(expr))) return { mode, sorted };
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
