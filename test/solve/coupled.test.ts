/** BDF with algebraic equations in the open: exact solutions, the same steps as without, sparse matrices, restarts. */
import { describe, expect, test } from 'vitest';
import { Bdf } from '../../src/solve/bdf.ts';
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { ladder, leak } from '../problems/coupled.ts';
import type { Problem } from '../problems/problem.ts';
import { advance, run } from './run.ts';

const errorOf = (problem: Problem, tolerance: number): number => {
  const { integrator, outcome } = run(problem, 'bdf', { relative: tolerance, absolute: tolerance });
  expect(outcome.kind).toBe('limit');
  return Math.max(...problem.reference.map((r, i) => Math.abs(integrator.y[i]! - r)));
};

/** The system that solves its algebraic equations by itself. */
const closed = ({ system, ...rest }: Problem): Problem => ({
  ...rest,
  system: { n: system.n, rhs: system.rhs.bind(system) },
});

describe.each([leak, ladder(40), ladder(3, { s: 1e-3, c: 10, to: 50 })])('$name', (problem) => {
  test.each([1e-4, 1e-6, 1e-8])('is as exact as tolerance %s asks for', (tolerance) => {
    const size = Math.max(...problem.start.map(Math.abs));
    const error = errorOf(problem, tolerance);
    expect(error).toBeLessThan(20 * tolerance * size);
    expect(error).toBeLessThan(2 * errorOf(closed(problem), tolerance) + tolerance);
  });

  test('takes about the steps that it takes with its equations solved inside', () => {
    const steps = (p: Problem) =>
      run(p, 'bdf', { relative: 1e-6, absolute: 1e-9 }).integrator.statistics.steps;
    expect(steps(problem)).toBeLessThan(1.2 * steps(closed(problem)));
  });

  test('begins again from other values', () => {
    const integrator = new Bdf(problem.system, { relative: 1e-7, absolute: 1e-9 });
    integrator.start(
      0,
      Float64Array.from(problem.start, (v) => 0.3 * v),
    );
    advance(integrator, problem.to / 3);
    integrator.start(0, Float64Array.from(problem.start));
    advance(integrator, problem.to);
    for (const [i, r] of problem.reference.entries()) expect(integrator.y[i]).toBeCloseTo(r, 5);
  });

  test('can be interpolated', () => {
    const integrator = new Bdf(problem.system, { relative: 1e-8, absolute: 1e-10 });
    integrator.start(0, Float64Array.from(problem.start));
    const out = new Float64Array(problem.system.n);
    for (let k = 0; k < 30; k++) {
      if (integrator.step(problem.to).kind !== 'step') break;
      const t = 0.5 * (integrator.t + integrator.tPrevious);
      integrator.interpolate(t, out);
      for (const [i, value] of problem.exact!(t).entries()) expect(out[i]).toBeCloseTo(value, 5);
    }
  });
});

test('an iteration evaluates its equations once, and solves nothing inside', () => {
  const problem = ladder(30);
  let solved = 0;
  const system: OdeSystem = {
    ...problem.system,
    rhs: (t, y, dy) => {
      solved++;
      return problem.system.rhs(t, y, dy);
    },
  };
  const { integrator } = run({ ...problem, system }, 'bdf', { relative: 1e-6, absolute: 1e-9 });
  expect(integrator.statistics.steps).toBeGreaterThan(50);
  // The choice of the first step.
  expect(solved).toBeLessThan(12);
});

test('where the equations cannot be evaluated, steps become smaller', () => {
  const { system } = leak;
  const blind: OdeSystem = {
    ...system,
    coupled: {
      ...system.coupled!,
      evaluate: (t, point, values) =>
        !(t > 1 && t < 1.5 && point[1]! > 1.9) && system.coupled!.evaluate(t, point, values),
    },
  };
  const { integrator, outcome } = run({ ...leak, system: blind }, 'bdf', { relative: 1e-6, absolute: 1e-9 });
  expect(outcome.kind).toBe('limit');
  expect(integrator.y[0]).toBeCloseTo(leak.reference[0]!, 4);
});
