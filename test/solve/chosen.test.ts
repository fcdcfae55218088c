/** What is said of the explicit pair where it was chosen by hand: oscillations that it makes grow, and only those. */
import { describe, expect, test } from 'vitest';
import type { Integrator, IntegratorOptions } from '../../src/solve/integrator.ts';
import { heatRod, swingingString } from '../problems/field.ts';
import { arenstorf, oscillators, pleiades } from '../problems/nonstiff.ts';
import type { Problem } from '../problems/problem.ts';
import { hires } from '../problems/stiff.ts';
import { relativeError, run } from './run.ts';

const withTolerance = (relative: number): IntegratorOptions => ({ relative, absolute: relative });

/** What it says at the end of a run. */
function told(problem: Problem, tolerance: number): Integrator['growing'] {
  return run(problem, 'rk', withTolerance(tolerance)).integrator.growing;
}

/** A string whose fastest mode is in the solution too, with an amplitude; it is damped by a part of what would be critical for that mode. */
function plucked(n: number, amplitude: number, damping = 0): Problem {
  const string = swingingString(n);
  const shape = string.start.map((_, i) => (i < n ? Math.sin((Math.PI * n * (i + 1)) / (n + 1)) : 0));
  const rhs: Problem['system']['rhs'] = (t, y, dy) => {
    const isThere = string.system.rhs(t, y, dy);
    for (let i = n; i < 2 * n; i++) dy[i] = dy[i]! - 4 * (n + 1) * damping * y[i]!;
    return isThere;
  };
  const start = string.start.map((x, i) => x + amplitude * shape[i]!);
  return { ...string, system: { n: 2 * n, rhs }, start };
}

describe('oscillations that grow from nothing', () => {
  test.each([
    [20, 1e-6],
    [50, 1e-3],
    [50, 1e-6],
    [50, 1e-9],
    [400, 1e-6],
  ])('a string of %i masses at %s: the error is hundreds of times that, and it is told', (n, tolerance) => {
    const string = swingingString(n);
    const { integrator } = run(string, 'rk', withTolerance(tolerance));
    expect(relativeError(integrator.y, string.reference, 1)).toBeGreaterThan(100 * tolerance);
    const { frequency, component } = integrator.growing!;
    // Twice n + 1 is the fastest; speeds move most in it.
    expect(frequency / (2 * (n + 1))).toBeGreaterThan(0.9);
    expect(frequency / (2 * (n + 1))).toBeLessThan(1.001);
    expect(component).toBeGreaterThanOrEqual(n);
  });

  test('nothing is told while the steps are short enough: errors are a few times the tolerance', () => {
    const string = swingingString(20);
    const { integrator } = run(string, 'rk', withTolerance(1e-9));
    expect(relativeError(integrator.y, string.reference, 1)).toBeLessThan(10 * 1e-9);
    expect(integrator.growing).toBeUndefined();
  });

  test('what has been found is part of the state', () => {
    const string = swingingString(50);
    const first = run({ ...string, to: 2 }, 'rk', withTolerance(1e-6)).integrator;
    const second = run({ ...string, to: 0.1 }, 'rk', withTolerance(1e-6)).integrator;
    expect(first.growing).toBeDefined();
    expect(second.growing).toBeUndefined();
    second.resume(first.state());
    expect(second.growing).toEqual(first.growing);
  });
});

describe('nothing is told of', () => {
  test.each([
    ['oscillations that the solution has', plucked(20, 1)],
    ['small ones that it has', plucked(20, 1e-3)],
    ['those that fade', plucked(50, 0, 0.05)],
    ['orbits', arenstorf],
    ['seven bodies', pleiades],
    ['oscillators', oscillators],
    ['diffusion', heatRod(40)],
    ['reactions', hires],
  ])('%s', (_, problem) => {
    for (const tolerance of [1e-3, 1e-6]) expect(told(problem, tolerance)).toBeUndefined();
  });
});
