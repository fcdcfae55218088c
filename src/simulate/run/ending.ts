/**
 * Where a run ends that cannot go on. Equations may cease to have values anywhere inside a step, `y = sqrt(0.55 - x)` where x passes 0.55; the run
 * ends at the last time at which they have some, whatever the output grid. What a stopped run has reached becomes its last row.
 */
import { Failure } from '../../diagnostic/failure.ts';
import { heeding, Interrupted } from '../../diagnostic/pulse.ts';
import type { CompiledMode } from '../../program/mode/compiled.ts';
import type { Integrator } from '../../solve/integrator.ts';

/** The last time with values, and one without right behind it. */
export interface Edge {
  readonly last: number;
  readonly beyond: number;
}

/** A point of the solution at which there are values. */
export interface SolutionPoint {
  time: number;
  readonly y: Float64Array;
}

/**
 * Looks for the edge in the last step, up to a time without values. It may be in a step before, in which nobody asked for values: then the
 * solution is followed once more from the mark. Undefined where it has values that time.
 */
export function findEdge(
  mode: CompiledMode,
  integrator: Integrator,
  mark: SolutionPoint,
  to: number,
  hasValues: (t: number) => boolean,
): Edge | undefined {
  const from = Math.max(mark.time, mode.size > 0 ? integrator.tPrevious : mark.time);
  const edge = edgeBetween(mode, from, to, hasValues);
  if (edge || from === mark.time) return edge;
  integrator.start(mark.time, mark.y);
  while (integrator.t < to && integrator.step(to).kind !== 'failed') {
    const { t, tPrevious } = integrator;
    if (!hasValues(t)) return edgeBetween(mode, tPrevious, t, hasValues);
    mode.keepSolutions();
    mode.nextStep();
  }
  return undefined;
}

/**
 * Bisection between a time with values and one without. Systems of equations are solved from their solutions at the last time that has
 * some, as they would be in small steps. Undefined where there are no values at the first time either.
 */
function edgeBetween(
  mode: CompiledMode,
  from: number,
  to: number,
  hasValues: (t: number) => boolean,
): Edge | undefined {
  const tries = (t: number): boolean => {
    mode.restoreSolutions();
    if (!hasValues(t)) return false;
    mode.keepSolutions();
    mode.nextStep();
    return true;
  };
  if (!(from < to) || !tries(from)) return undefined;
  let [last, beyond] = [from, to];
  for (;;) {
    const middle = last + (beyond - last) / 2;
    if (middle <= last || middle >= beyond) return { last, beyond };
    if (tries(middle)) last = middle;
    else beyond = middle;
  }
}

/** Milliseconds for a last row; nobody waits longer for work that was stopped. */
const patience = 500;

/** Does what takes no longer than that, and does not fail; false otherwise. */
export function briefly(work: () => boolean): boolean {
  const until = performance.now() + patience;
  const signal = {
    get aborted() {
      return performance.now() > until;
    },
  };
  try {
    return heeding(signal, work);
  } catch (problem) {
    if (!(problem instanceof Interrupted || problem instanceof Failure)) throw problem;
    return false;
  }
}
