/**
 * Initial equations of states that are entered with `reset`. They hold together with the equations of the mode: what is new gets its
 * values from them, then from `fixed` start values; all else is as it was. Values found this way are left limits, from which the mode
 * restarts (`program/values/restart.ts`), so that what the mode constrains anew still jumps as its balances say.
 */
import type { Mode } from '../../modes/mode.ts';
import type { Alias } from '../../structure/analysis.ts';
import { symbolsOf } from '../../symbolic/analyse.ts';
import type { Ref } from '../../symbolic/expr.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { InitialSystem, initialEquations, type StartCondition } from '../values/initial.ts';
import { leftLimits, setLeftLimits } from '../values/previous.ts';
import { inOrderOfStarts } from '../values/restart.ts';

/** A value that is wanted, with the leaf that holds it while the system is solved. */
interface Wish {
  readonly ref: Ref;
  readonly leaf: Ref;
  readonly value: () => number;
}

export class Beginning {
  private readonly equations: Mode['initialEquations'];
  private readonly system: InitialSystem | undefined;
  private readonly wishes: readonly Wish[];
  /** Symbols and derivatives whose values are those found. */
  private readonly found: readonly Ref[];
  private readonly aliases: readonly Alias[];

  /** `existed` tells by scalar what has a left limit, `entered` are the conditions of the states. */
  constructor(
    private readonly runtime: Runtime,
    private readonly compiled: ReadyMode,
    existed: Uint8Array,
    entered: readonly number[],
  ) {
    const { mode, sorted, resolve } = compiled;
    const { model } = runtime;
    const { pool } = model;
    const own = mode.initialEquations.filter(({ index }) =>
      model.initialEquations[index]!.guard.some((l) => l.value && entered.includes(l.condition)),
    );
    const conditions: StartCondition[] = initialEquations(runtime, own, resolve);
    const named = new Set(conditions.flatMap(({ left, right }) => [left, right].flatMap(symbolsOf)));
    const condition = ({ ref, leaf }: Wish, binding: boolean): void => {
      const { variable } = model.scalars[ref.symbol]!;
      const name = runtime.wording.nameOfRef(ref);
      conditions.push({
        left: ref,
        right: leaf,
        index: model.equations.length + conditions.length,
        text: `${name} = its start value`,
        span: variable?.origin.span,
        binding,
        variable: name,
      });
    };
    const fixed: Wish[] = [];
    const kept: Wish[] = [];
    const started: Wish[] = [];
    const inOrder: Wish[] = [];
    const found: Ref[] = [];
    for (const { symbol, d } of inOrderOfStarts(model, sorted.variables)) {
      for (let order = 0; order < d; order++) {
        const ref = pool.ref(symbol, order);
        const leaf = runtime.code.temporaries.fresh();
        const start = () => (order > 0 ? 0 : runtime.values.startOf(symbol));
        if (existed[symbol]) kept.push({ ref, leaf, value: () => runtime.values.get(ref) });
        else {
          const wish = { ref, leaf, value: start };
          inOrder.push(wish);
          (order === 0 && model.scalars[symbol]!.fixed ? fixed : started).push(wish);
        }
        if (!existed[symbol] || named.has(symbol)) found.push(ref);
      }
    }
    for (const { symbol, target, sign } of sorted.aliases) {
      if (existed[symbol] || !model.scalars[symbol]!.fixed) continue;
      const wish = {
        ref: pool.ref(target),
        leaf: runtime.code.temporaries.fresh(),
        value: () => sign * runtime.values.startOf(symbol),
      };
      inOrder.push(wish);
      fixed.push(wish);
    }
    const statesFirst = (wishes: readonly Wish[]) => [
      ...wishes.filter(({ ref }) => sorted.states.includes(ref)),
      ...wishes.filter(({ ref }) => !sorted.states.includes(ref)),
    ];
    for (const wish of fixed) condition(wish, true);
    for (const wish of [...statesFirst(kept), ...statesFirst(started)]) condition(wish, false);
    this.equations = own;
    this.wishes = [...kept, ...inOrder];
    this.found = found;
    this.aliases = sorted.aliases;
    this.system =
      own.length > 0
        ? new InitialSystem(runtime, mode, sorted, conditions, leftLimits(own, resolve))
        : undefined;
  }

  /** Computes the values in the memory; gives, by scalar, what has a left limit now. */
  solve(existed: Uint8Array): Uint8Array {
    const { runtime, system } = this;
    if (!system) return existed;
    const { memory } = runtime.values;
    setLeftLimits(runtime, this.equations, this.compiled);
    for (const { ref, leaf, value } of this.wishes) {
      const wanted = value();
      runtime.values.set(leaf, wanted);
      runtime.values.set(ref, wanted);
    }
    const before = runtime.values.saved();
    system.solve('simulate');
    const values = this.found.map((ref) => runtime.values.get(ref));
    memory.values.set(before);
    const now = existed.slice();
    for (const [k, ref] of this.found.entries()) {
      runtime.values.set(ref, values[k]!);
      now[ref.symbol] = 1;
    }
    for (const { symbol, target } of this.aliases) if (now[target]) now[symbol] = 1;
    return now;
  }
}
