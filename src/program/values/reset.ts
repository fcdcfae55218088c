/**
 * Values after `reinit` in a mode that stays. What is set takes precedence; the states of the mode keep their values, and all that the
 * constraints tie to them follows. What equations differentiate comes before states that no equation does, as a speed of one body before the difference of two which is
 * integrated because it is preferred: momentum belongs to bodies. Values follow level by level from the lowest derivatives up, without impulses (specification 8.3.6: the
 * variable has this value after the event). Where constraints and the values that were set contradict each other, the change is
 * impossible. In a mode that is left at the same instant, a constraint counts that lasts: what the next mode lets go does not follow.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import type { Origin } from '../../flat/flat.ts';
import type { Jump } from '../../structure/jumps/path.ts';
import { leaves, nodesOf } from '../../symbolic/analyse.ts';
import { agrees } from '../evaluation.ts';
import type { ReadyMode } from '../ready.ts';
import type { Runtime } from '../runtime.ts';
import { FollowingValues } from './solution.ts';
import { magnitude } from './steadiness.ts';

/** A value that a variable got. */
export interface ResetValue {
  /** The variable as it was named. */
  readonly symbol: number;
  /** The variable of the mode that it is, and its value. */
  readonly own: number;
  readonly value: number;
  readonly origin: Origin;
}

/** By no more than this share of themselves states move because of rounding. */
const unmoved = 1e-9;

type SortedEquation = ReadyMode['sorted']['equations'][number];

export class Resets {
  /** Systems by which variables are set. */
  private readonly systems = new Map<string, readonly FollowingValues[]>();

  constructor(
    private readonly runtime: Runtime,
    private readonly mode: ReadyMode,
  ) {}

  /** Lets everything follow the values that were written into the memory; the mode may be about to be left for a `next` one. */
  run(settings: readonly ResetValue[], next?: ReadyMode): void {
    const { equations } = this.mode.sorted;
    const lasting = next ? equations.filter((equation) => this.lasts(equation, next)) : equations;
    let deepest = 0;
    for (const { c } of lasting) deepest = Math.max(deepest, c);
    if (deepest === 0) return;
    const symbols = new Set(settings.map((s) => s.own));
    const ended = lasting.length < equations.length ? lasting.map(({ index }) => index) : '';
    const key = `${[...symbols].sort((a, b) => a - b).join(' ')} ${ended}`;
    const systems = remember(this.systems, key, () =>
      this.runtime.code.temporaries.scratch(() =>
        Array.from({ length: deepest }, (_, k) =>
          followingAt(deepest - k, this.runtime, this.mode, lasting, symbols),
        ),
      ),
    );
    const before = next ? undefined : this.stateValues();
    for (const system of systems) system.solve();
    if (before) this.settle(before, settings);
    for (const setting of settings) this.check(setting, settings);
  }

  private stateValues(): number[] {
    const { values } = this.runtime;
    return this.mode.states.map((state) => values.get(state));
  }

  /**
   * Gives states that rounding alone has moved the values that they had, where what was set stays so: a current that follows from the difference of two large values moves by many units in
   * its last place, and would be seen to have changed where an instant compares it with what it was.
   */
  private settle(before: readonly number[], settings: readonly ResetValue[]): void {
    const { runtime, mode } = this;
    const { memory } = runtime.values;
    const after = this.stateValues();
    const isRounding = (k: number): boolean =>
      after[k] !== before[k] && Math.abs(after[k]! - before[k]!) <= unmoved * Math.abs(before[k]!);
    const moved = before.flatMap((_, k) => (isRounding(k) ? [k] : []));
    if (moved.length === 0) return;
    const place = (states: readonly number[]): void => {
      for (const k of moved) runtime.values.set(mode.states[k]!, states[k]!);
    };
    const saved = runtime.values.saved();
    place(before);
    const isSame = ({ own, value }: ResetValue): boolean => {
      const now = runtime.values.get(runtime.values.pool.ref(own));
      return Math.abs(now - value) <= unmoved * Math.abs(value);
    };
    const isKept = mode.evaluateOutputs() && settings.every(isSame);
    memory.values.set(saved);
    if (isKept) place(before);
  }

  /** Whether an equation is one of the next mode as well. Aliases may be written in other words there; what a condition chooses is another equation. */
  private lasts({ index, residuals }: SortedEquation, next: ReadyMode): boolean {
    const same = next.sorted.equations.find((equation) => equation.index === index);
    // What is free in the next mode, as the current of a switch that has closed, makes a constraint an equation for it.
    if (!same || same.c === 0) return false;
    if (same.residuals[0] === residuals[0]) return true;
    const { left, right } = this.runtime.model.equations[index]!;
    return ![left, right].some((side) =>
      nodesOf(side).some((node) => node.kind === 'apply' && node.op === 'if'),
    );
  }

  private check(setting: ResetValue, all: readonly ResetValue[]): void {
    const { runtime } = this;
    const value = runtime.values.get(runtime.values.pool.ref(setting.own));
    if (agrees(value, setting.value)) return;
    for (const { own, value: wanted } of all) runtime.values.set(runtime.values.pool.ref(own), wanted);
    throw new Failure('simulate', [this.contradiction(setting, all)]);
  }

  /** Names the constraint that the values violate most, compared with its terms. */
  private contradiction({ symbol, origin }: ResetValue, all: readonly ResetValue[]): Diagnostic {
    const { runtime } = this;
    let worst = { share: 0, residual: 0, index: -1 };
    for (const { c, index, residuals } of this.mode.sorted.equations) {
      for (const constraint of residuals.slice(0, c)) {
        const residual = runtime.values.evaluate(constraint);
        const share = Math.abs(residual) / magnitude(runtime, constraint);
        if (share > worst.share) worst = { share, residual, index };
      }
    }
    const name = runtime.wording.nameOf(symbol);
    const time = runtime.values.time;
    const { text, span } = runtime.wording.describeEquation(worst.index);
    const others = all.filter((s) => s.symbol !== symbol);
    const message = `${name} cannot have the value that reinit gives it at time ${time}: the constraint ${text} would be violated by ${worst.residual}.`;
    return error('impossible-change', message, {
      span: origin.span,
      notes: [
        { message: `the constraint ${text}`, ...(span && { span }) },
        ...others.map((s) => ({
          message: `${runtime.wording.nameOf(s.symbol)} is set at the same instant`,
          ...(s.origin.span && { span: s.origin.span }),
        })),
      ],
      hint: 'Set one of the variables that the constraint ties together: the others follow.',
    });
  }
}

/** The values of one level: constraints, then what was set, then states, then the rest as it was. */
function followingAt(
  level: number,
  runtime: Runtime,
  { sorted }: ReadyMode,
  equations: readonly SortedEquation[],
  symbols: ReadonlySet<number>,
): FollowingValues {
  const { pool } = runtime.values;
  const values = sorted.variables
    .filter(({ d }) => d >= level)
    .map(({ symbol, d }) => ({
      unknown: pool.ref(symbol, d - level),
      left: runtime.code.temporaries.fresh(),
    }));
  const states = new Set(sorted.states);
  const integrated = integratedIn(sorted);
  const rank = ({ unknown }: Jump): number => {
    if (unknown.order === 0 && symbols.has(unknown.symbol)) return 0;
    const isIntegrated = unknown.order < (integrated.get(unknown.symbol) ?? 0);
    if (states.has(unknown)) return isIntegrated ? 1 : 3;
    return isIntegrated ? 2 : 4;
  };
  const index = sorted.equations.length;
  const kept = values
    .toSorted((a, b) => rank(a) - rank(b))
    .map(({ unknown, left }) => ({ left: unknown, right: left, index }));
  const constraints = equations.flatMap((e) =>
    e.c < level ? [] : [{ left: e.residuals[e.c - level]!, right: pool.zero, index: e.index }],
  );
  return new FollowingValues(runtime, values, constraints, kept);
}

/** By symbol: the highest derivative in the equations as they are written. */
function integratedIn({ equations }: ReadyMode['sorted']): Map<number, number> {
  const highest = new Map<number, number>();
  for (const { residuals } of equations) {
    for (const leaf of leaves(residuals[0]!)) {
      if (leaf.kind === 'ref' && leaf.order > (highest.get(leaf.symbol) ?? 0))
        highest.set(leaf.symbol, leaf.order);
    }
  }
  return highest;
}
