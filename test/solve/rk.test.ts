/** The explicit pair: its order conditions, convergence, dense output, step control and detection of stiffness. */
import { describe, expect, test } from 'vitest';
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { RungeKutta, TSITOURAS } from '../../src/solve/rk.ts';
import { arenstorf, oscillators, pleiades } from '../problems/nonstiff.ts';
import { robertson40, vanDerPol } from '../problems/stiff.ts';
import { advance, relativeError, run } from './run.ts';

/**
 * The rooted trees up to order 5 (Hairer, Norsett, Wanner I, table II.2.2) as products of sums over the
 * tableau.
 */
describe('order conditions of the tableau', () => {
  const { c } = TSITOURAS;
  const a = TSITOURAS.a as readonly (readonly number[])[];
  const b = a[6]!;
  const sum = (weights: readonly number[], f: (i: number) => number): number =>
    weights.reduce((total, w, i) => total + w * f(i), 0);
  const inner =
    (f: (j: number) => number) =>
    (i: number): number =>
      sum(a[i]!, f);
  const conditions: [string, number, (i: number) => number][] = [
    ['1', 1, () => 1],
    ['c', 1 / 2, (i) => c[i]!],
    ['c^2', 1 / 3, (i) => c[i]! ** 2],
    ['Ac', 1 / 6, inner((j) => c[j]!)],
    ['c^3', 1 / 4, (i) => c[i]! ** 3],
    ['c Ac', 1 / 8, (i) => c[i]! * inner((j) => c[j]!)(i)],
    ['A c^2', 1 / 12, inner((j) => c[j]! ** 2)],
    ['AAc', 1 / 24, inner(inner((k) => c[k]!))],
    ['c^4', 1 / 5, (i) => c[i]! ** 4],
    ['c^2 Ac', 1 / 10, (i) => c[i]! ** 2 * inner((j) => c[j]!)(i)],
    ['c A c^2', 1 / 15, (i) => c[i]! * inner((j) => c[j]! ** 2)(i)],
    ['c AAc', 1 / 30, (i) => c[i]! * inner(inner((k) => c[k]!))(i)],
    ['(Ac)^2', 1 / 20, (i) => inner((j) => c[j]!)(i) ** 2],
    ['A c^3', 1 / 20, inner((j) => c[j]! ** 3)],
    ['A c Ac', 1 / 40, inner((j) => c[j]! * inner((k) => c[k]!)(j))],
    ['AA c^2', 1 / 60, inner(inner((k) => c[k]! ** 2))],
    ['AAAc', 1 / 120, inner(inner(inner((l) => c[l]!)))],
  ];
  test.each(conditions)('b . %s = %f', (_name, value, f) => {
    expect(sum(b, f)).toBeCloseTo(value, 13);
  });

  test.each(conditions.slice(0, 8))('the error weights vanish on %s up to order 4', (_name, _value, f) => {
    expect(sum(TSITOURAS.e, f)).toBeCloseTo(0, 13);
  });

  test('the error weights see order 5', () => {
    expect(Math.abs(sum(TSITOURAS.e, (i) => c[i]! ** 4))).toBeGreaterThan(1e-4);
  });
});

describe('convergence', () => {
  /** y' = y cos t, y = e^sin t: largest error at the steps, and of the interpolant, with steps of size h. */
  function errors(h: number): { steps: number; between: number } {
    const system = {
      n: 1,
      rhs(t: number, y: Float64Array, dy: Float64Array) {
        dy[0] = y[0]! * Math.cos(t);
        return true;
      },
    };
    const exact = (t: number): number => Math.exp(Math.sin(t));
    const integrator = new RungeKutta(system, { relative: 1e6, absolute: 1e6, maxStep: h, initialStep: h });
    integrator.start(0, Float64Array.of(1));
    const out = new Float64Array(1);
    let steps = 0;
    let between = 0;
    for (;;) {
      const outcome = integrator.step(4);
      steps = Math.max(steps, Math.abs(integrator.y[0]! - exact(integrator.t)));
      for (const share of [0.2, 0.4, 0.6, 0.8]) {
        const t = integrator.tPrevious + share * (integrator.t - integrator.tPrevious);
        integrator.interpolate(t, out);
        between = Math.max(between, Math.abs(out[0]! - exact(t)));
      }
      if (outcome.kind === 'limit') break;
    }
    return { steps, between };
  }

  test('order 5 at the steps and at least 4 between them', () => {
    const coarse = errors(0.125);
    const fine = errors(0.0625);
    expect(Math.log2(coarse.steps / fine.steps)).toBeGreaterThan(4.7);
    expect(Math.log2(coarse.steps / fine.steps)).toBeLessThan(6);
    expect(Math.log2(coarse.between / fine.between)).toBeGreaterThan(3.9);
  });
});

describe('published values', () => {
  test.each([
    [1e-6, 1e-3],
    [1e-9, 1e-6],
  ])('Pleiades at tolerance %f', (tolerance, error) => {
    const { integrator, outcome } = run(pleiades, 'rk', { relative: tolerance, absolute: tolerance });
    expect(outcome.kind).toBe('limit');
    expect(relativeError(integrator.y, pleiades.reference)).toBeLessThan(error);
  });

  test('Arenstorf orbit closes; DOPRI5 takes 3,000 evaluations at 1e-7 and 6,000 at 1e-9', () => {
    const { integrator } = run(arenstorf, 'rk', { relative: 1e-9, absolute: 1e-9 });
    expect(integrator.y[0]).toBeCloseTo(0.994, 4);
    expect(Math.abs(integrator.y[1]!)).toBeLessThan(1e-4);
    expect(integrator.statistics.evaluations).toBeLessThan(6000);
  });
});

describe('detection of stiffness', () => {
  test('does not depend on how far below the tolerance values are', () => {
    for (const size of [1e-50, 1e-200, 1e-290]) {
      const system = {
        n: 1,
        rhs: (t: number, y: Float64Array, f: Float64Array) => {
          f[0] = 1e9 * (size * Math.sin(t) - y[0]!);
          return true;
        },
      };
      const integrator = new RungeKutta(system, { relative: 1e-6, absolute: 1e-6 });
      // Events: values that grow without bounds would soon be large enough.
      for (let count = 0; count < 300 && !integrator.stiff; count++) {
        integrator.start(1e-3 * count, Float64Array.of(0));
        integrator.step(1e-3 * (count + 1));
      }
      expect(integrator.stiff).toBe(true);
    }
  });

  test('looks at the component that rules the step, though the stages of others differ by more', () => {
    // The drive of a small joint beside the motion of a large one.
    const system: OdeSystem = {
      n: 3,
      rhs(t, y, dy) {
        dy[0] = y[1]!;
        dy[1] = -1e4 * y[0]!;
        dy[2] = -1e4 * (y[2]! - Math.sin(t));
        return true;
      },
    };
    const integrator = new RungeKutta(system, { relative: 1e-8, absolute: 1e-8 });
    integrator.start(0, Float64Array.of(1, 0, 0));
    for (let count = 0; count < 300 && !integrator.stiff; count++) integrator.step(2);
    expect(integrator.stiff).toBe(true);
  });

  test.each([robertson40, vanDerPol])('$name is found stiff within 300 steps', (problem) => {
    for (const tolerance of [1e-3, 1e-6]) {
      const integrator = new RungeKutta(problem.system, { relative: tolerance, absolute: 1e-4 * tolerance });
      integrator.start(problem.from, Float64Array.from(problem.start));
      for (let count = 0; count < 300 && !integrator.stiff; count++) integrator.step(problem.to);
      expect(integrator.stiff).toBe(true);
    }
  });

  test.each([arenstorf, pleiades, oscillators])('$name is not', (problem) => {
    for (const tolerance of [1e-3, 1e-6, 1e-9]) {
      const integrator = new RungeKutta(problem.system, { relative: tolerance, absolute: tolerance });
      integrator.start(problem.from, Float64Array.from(problem.start));
      advance(integrator, problem.to);
      expect(integrator.stiff).toBe(false);
    }
  });
});
