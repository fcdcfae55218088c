/**
 * Whether a run has the parameters of the run before: what was made from these alone (scenes of bodies, conclusions about structure, signals) then serves again. Functions of the
 * model may give something else each time: where components read some directly, nothing is said to be the same.
 */
import { sameItems } from '../collections/lists.ts';
import type { Component } from '../modes/guarded.ts';
import { reachable } from '../symbolic/analyse.ts';
import type { Expr } from '../symbolic/expr.ts';
import type { GivenValues, RunValues } from './evaluation.ts';

/** The parameters of a run; runs with the same ones share the object. */
interface Parameters {
  readonly given: GivenValues;
  readonly components: readonly Component[];
  readonly values: Float64Array;
}

export class RepeatedParameters {
  private last: Parameters | undefined;
  private readonly slots: Int32Array;
  /** Whether all that components read follows from parameters. */
  private readonly isKnown: boolean;

  constructor(private readonly values: RunValues) {
    const { scalars, components } = values.model;
    const parameters = [...scalars.keys()].filter((symbol) => scalars[symbol]!.kind === 'parameter');
    this.slots = Int32Array.from(parameters, (symbol) => values.slotOf(symbol));
    this.isKnown = !components.some(
      ({ outputs, parameters: read }) =>
        outputs.some(({ symbols }) => symbols.some((symbol) => callsFunctions(scalars[symbol]!.start))) ||
        [...read.values()].some(({ elements }) => elements.some(callsFunctions)),
    );
  }

  /** An object for the parameters of now, once they are evaluated: that of the run before where all are the same. */
  look(components: readonly Component[]): object | undefined {
    const { slots, last, isKnown } = this;
    if (!isKnown) return undefined;
    const { given, memory } = this.values;
    const values = Float64Array.from(slots, (slot) => memory.values[slot]!);
    if (
      last &&
      sameItems(components, last.components) &&
      isSameGiven(given, last.given) &&
      values.every((value, k) => Object.is(value, last.values[k]))
    )
      return last;
    this.last = { given: new Map(given), components, values };
    return this.last;
  }
}

function isSameGiven(a: GivenValues, b: GivenValues): boolean {
  if (a.size !== b.size) return false;
  for (const [symbol, value] of a) if (!Object.is(value, b.get(symbol))) return false;
  return true;
}

const callsFunctions = (element: Expr | number | string | undefined): boolean =>
  typeof element === 'object' && reachable(element, ({ kind }) => kind === 'call');
