/** Dynamic state selection at run time: is the choice of states still good at the current values, and was it in the whole of a step? */

import type { RunValues } from '../../program/evaluation.ts';
import type { DependentChoices } from '../../program/mode/analyse.ts';
import type { DynamicSelection } from '../../structure/analysis.ts';
import { chooseDependent } from '../../structure/pivot.ts';
import type { Ref } from '../../symbolic/expr.ts';

/**
 * A choice is given up when its determinant falls below this share of the best. Errors of the states reach the dependent
 * variables multiplied by its inverse, so it is not far below 1; a restart costs little, and the gap is the hysteresis.
 */
const leastQuality = 0.8;

/** A step does not go on to where its choice is worse than this: what it computes of dependent variables there is not worth much. */
const leastAtEnd = 0.5;

/** The choices to go over to, or undefined where the present ones are good enough. */
export function betterStates(
  values: RunValues,
  selections: readonly DynamicSelection[],
): DependentChoices | undefined {
  let better = false;
  const choices = selections.map((selection) => {
    const { dependent, quality } = judge(values, selection);
    if (!(quality < leastQuality)) return selection.dependent;
    better = true;
    return dependent;
  });
  return better ? choices : undefined;
}

/** The best choice of dependent variables at the values in the memory, and how good the present one is beside it. */
function judge(values: RunValues, { constraints, weights, dependent }: DynamicSelection) {
  const rows = constraints.map((row) =>
    row.map(({ column, value }) => ({ column, value: values.evaluate(value) })),
  );
  return chooseDependent(rows, weights, dependent);
}

/** How far the change of a variable over a step may be from what its derivatives at both ends say, as a share of it. */
const mostDeviation = 0.3;

/**
 * Watches the variables among which states are chosen, over steps. Constraints have several solutions, and a step that is too large ends on
 * another one than it began on: a pendulum seems to bounce at its lowest point. Then derivatives do not fit the values.
 */
export class StepWatch {
  /** The time of the beginning, values and slopes there, and whether the choice is good there, as far as that is known: a value. */
  now = { time: 0, before: [] as { value: number; slope: number }[], isGood: false };
  private selections: readonly DynamicSelection[] = [];
  private refs: readonly Ref[] = [];
  /** Of the choice, at the end that was looked at last. */
  private quality = 0;

  constructor(
    private readonly values: RunValues,
    private readonly tolerance: number,
  ) {}

  /** Begins with the values in the memory. */
  begin(time: number, selections: readonly DynamicSelection[]): void {
    this.selections = selections;
    this.refs = selections.flatMap((s) => s.candidates);
    this.now = { time, before: this.read(), isGood: false };
  }

  /** Goes on from the end of a step that fits, whose values are in the memory again. */
  next(time: number): void {
    this.now = { time, before: this.read(), isGood: this.quality >= leastQuality };
  }

  /** Whether the values in the memory can be those at the end of a step. */
  fits(time: number): boolean {
    this.quality = Math.min(...this.selections.map((selection) => judge(this.values, selection).quality));
    if (this.quality < leastAtEnd) return false;
    const half = 0.5 * (time - this.now.time);
    const after = this.read();
    return this.refs.every(({ symbol }, k) => {
      const [a, b] = [this.now.before[k]!, after[k]!];
      const expected = half * (a.slope + b.slope);
      const size = Math.max(this.values.nominalOf(symbol), Math.abs(a.value), Math.abs(b.value));
      const room = mostDeviation * half * (Math.abs(a.slope) + Math.abs(b.slope)) + this.tolerance * size;
      return Math.abs(b.value - a.value - expected) <= room;
    });
  }

  private read() {
    const { values } = this;
    return this.refs.map((ref) => ({
      value: values.get(ref),
      slope: values.get(values.pool.ref(ref.symbol, ref.order + 1)),
    }));
  }
}
