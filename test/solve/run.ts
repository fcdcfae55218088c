/** Runs problems of the bank and measures what comes out. */
import { createIntegrator } from '../../src/solve/auto.ts';
import type { Integrator, IntegratorOptions, Method, StepOutcome } from '../../src/solve/integrator.ts';
import type { Problem } from '../problems/problem.ts';

/** Far above what any test needs: a run that gets here hangs. */
const MOST_STEPS = 300_000;

export interface Run {
  readonly integrator: Integrator;
  readonly outcome: StepOutcome;
}

export function run(problem: Problem, method: Method, options: IntegratorOptions): Run {
  const integrator = createIntegrator(method, problem.system, options);
  integrator.start(problem.from, Float64Array.from(problem.start));
  return { integrator, outcome: advance(integrator, problem.to) };
}

/** Steps until the limit or failure. */
export function advance(integrator: Integrator, limit: number): StepOutcome {
  for (let count = 0; count < MOST_STEPS; count++) {
    const outcome = integrator.step(limit);
    if (outcome.kind !== 'step') return outcome;
  }
  throw new Error(`more than ${MOST_STEPS} steps`);
}

/** The largest error of a component, relative to its reference where that is above `floor`. */
export function relativeError(values: ArrayLike<number>, reference: readonly number[], floor = 0): number {
  return Math.max(...reference.map((r, i) => Math.abs(values[i]! - r) / Math.max(Math.abs(r), floor)));
}
