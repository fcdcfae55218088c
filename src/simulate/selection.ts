/** Dynamic state selection at run time: is the choice of states still good at the current values? */
import { chooseDependent } from '../structure/pivot.ts';
import type { DynamicSelection } from '../structure/sorted.ts';
import type { Choices } from './analyse.ts';
import type { Runtime } from './runtime.ts';

/**
 * A choice is given up when its determinant falls below this share of the best. Errors of the states reach the dependent
 * variables multiplied by its inverse, so it is not far below 1; a restart costs little, and the gap is the hysteresis.
 */
const leastQuality = 0.8;

/** The choices to go over to, or undefined where the present ones are good enough. */
export function betterStates(runtime: Runtime, selections: readonly DynamicSelection[]): Choices | undefined {
  let better = false;
  const choices = selections.map((selection) => {
    const matrix = selection.jacobian.map((row) => row.map((entry) => runtime.evaluate(entry)));
    const { dependent, quality } = chooseDependent(matrix, selection.weights, selection.dependent);
    if (!(quality < leastQuality)) return selection.dependent;
    better = true;
    return dependent;
  });
  return better ? choices : undefined;
}
