/** BDF: order of its formulas, published values, statistics beside those published for other codes, finite differences. */
import { describe, expect, test } from 'vitest';
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { MAX_ORDER, Nordsieck } from '../../src/solve/nordsieck.ts';
import { brusselator } from '../problems/field.ts';
import { decay } from '../problems/nonstiff.ts';
import type { Problem } from '../problems/problem.ts';
import { hires, oregonator, protheroRobinson, robertson, robertson40, vanDerPol } from '../problems/stiff.ts';
import { relativeError, run } from './run.ts';

describe('the Nordsieck history', () => {
  /** y = t^q, whose polynomial of degree q is exact. */
  function power(q: number, t: number, h: number): number[] {
    let binomial = 1;
    return Array.from({ length: q + 1 }, (_, j) => {
      const value = binomial * t ** (q - j) * h ** j;
      binomial = (binomial * (q - j)) / (j + 1);
      return value;
    });
  }

  test.each([1, 2, 3, 4, 5])('prediction is exact for polynomials of degree %i', (q) => {
    const history = new Nordsieck(1);
    history.order = q;
    history.h = 0.5;
    power(q, 1, 0.5).forEach((v, j) => {
      history.rows[j]![0] = v;
    });
    history.predict();
    power(q, 1.5, 0.5).forEach((v, j) => {
      expect(history.rows[j]![0]).toBeCloseTo(v, 12);
    });
    history.retreat();
    expect(history.rows[0]![0]).toBeCloseTo(1, 12);
    history.rescale(0.2);
    const out = new Float64Array(1);
    history.evaluate(3, out);
    expect(out[0]).toBeCloseTo(1.3 ** q, 12);
  });

  test('on equal steps the coefficients are those of the BDF formulas', () => {
    // l1 = 1 + 1/2 + ... + 1/q, and the error constant of y_n - predictor is 1 / (1 + l1 ... ) (Gear, 1971).
    for (let q = 1; q <= MAX_ORDER; q++) {
      const history = new Nordsieck(1);
      history.start(new Float64Array(1), new Float64Array(1), 0.1);
      history.order = q;
      history.setCoefficients(false);
      let harmonic = 0;
      for (let j = 1; j <= q; j++) harmonic += 1 / j;
      expect(history.l[1]).toBeCloseTo(harmonic, 12);
      expect(history.l[0]).toBe(1);
      // Local error C h^(q+1) y^(q+1) with C = 1/(q+1); the correction is l-weighted: C / (1 + C * (1 + harmonic ...)).
      expect(history.errorFactor).toBeGreaterThan(0);
      expect(history.errorFactor).toBeLessThan(1);
    }
  });

  test('a change of order up and down again leaves a polynomial of that degree as it was', () => {
    // Equal steps of a parabola: at order 2 exact, the correction is zero, so order 3 adds nothing.
    const history = new Nordsieck(1);
    history.start(Float64Array.of(1), Float64Array.of(2), 0.1);
    history.order = 2;
    history.rows[2]![0] = 0.01;
    history.raise(Float64Array.of(0));
    expect(history.order).toBe(3);
    expect([0, 1, 2, 3].map((j) => history.rows[j]![0])).toEqual([1, 0.2, 0.01, 0]);
    history.lower();
    expect([0, 1, 2].map((j) => history.rows[j]![0])).toEqual([1, 0.2, 0.01]);
  });
});

/** Rows: problem, tolerances, the largest relative error allowed, and bounds of the statistics. */
type Row = [
  problem: Problem,
  relative: number,
  absolute: number,
  error: number,
  steps: number,
  evaluations: number,
];

describe('published values, with statistics', () => {
  // CVODE 6.4 takes on these problems and tolerances (dense, user Jacobian), steps / evaluations:
  // Robertson 40: 246/335-like counts; the bounds leave 30 % so that a loss of efficiency is seen.
  test.each<Row>([
    [robertson40, 1e-6, 1e-10, 1e-5, 330, 450],
    [robertson40, 1e-9, 1e-13, 1e-8, 850, 1150],
    [robertson, 1e-6, 1e-14, 1e-2, 1300, 1900],
    [robertson, 1e-9, 1e-18, 1e-4, 3500, 4600],
    [vanDerPol, 1e-6, 1e-10, 1e-4, 2100, 3150],
    [vanDerPol, 1e-9, 1e-13, 5e-7, 6300, 8150],
    [hires, 1e-6, 1e-10, 1e-4, 800, 1300],
    [hires, 1e-9, 1e-13, 1e-7, 1800, 2350],
    [oregonator, 1e-6, 1e-10, 3e-4, 3250, 5000],
    [oregonator, 1e-9, 1e-13, 1e-6, 8300, 11700],
    [brusselator, 1e-6, 1e-6, 1e-4, 450, 650],
  ])('$0.name at %f', (problem, relative, absolute, error, steps, evaluations) => {
    const { integrator, outcome } = run(problem, 'bdf', { relative, absolute });
    expect(outcome.kind).toBe('limit');
    expect(integrator.t).toBe(problem.to);
    expect(relativeError(integrator.y, problem.reference)).toBeLessThan(error);
    expect(integrator.statistics.steps).toBeLessThan(steps);
    expect(integrator.statistics.evaluations).toBeLessThan(evaluations);
    expect(integrator.statistics.jacobians).toBeLessThan(steps / 20);
  });

  test('however stiff, the nonautonomous problem of Prothero and Robinson', () => {
    for (const lambda of [-1, -1e3, -1e6, -1e9]) {
      const { integrator } = run(protheroRobinson(lambda), 'bdf', { relative: 1e-7, absolute: 1e-7 });
      expect(Math.abs(integrator.y[0]! - Math.sin(10))).toBeLessThan(2e-6);
    }
  });
});

describe('without a Jacobian', () => {
  /** The same system by finite differences. */
  function without(problem: Problem, keepPattern: boolean): Problem {
    const { jacobian, ...system } = problem.system;
    const bare: OdeSystem = keepPattern ? { ...system, pattern: jacobian!.pattern } : system;
    return { ...problem, system: bare };
  }

  test.each([hires, vanDerPol])('$name: same accuracy, nearly the same steps', (problem) => {
    const options = { relative: 1e-6, absolute: 1e-10 };
    const exact = run(problem, 'bdf', options).integrator;
    const { integrator } = run(without(problem, false), 'bdf', options);
    expect(relativeError(integrator.y, problem.reference)).toBeLessThan(1e-4);
    expect(integrator.statistics.steps).toBeLessThan(1.2 * exact.statistics.steps);
  });

  test('a sparse pattern needs few evaluations however many unknowns', () => {
    const problem = without(brusselator, true);
    const { integrator } = run(problem, 'bdf', { relative: 1e-6, absolute: 1e-6 });
    expect(relativeError(integrator.y, problem.reference)).toBeLessThan(1e-4);
    const { evaluations, jacobians, newtonIterations } = integrator.statistics;
    expect(evaluations - newtonIterations).toBeLessThanOrEqual(9 * jacobians + 10);
  });
});

test('dense output is as exact as the steps', () => {
  const tolerance = 1e-8;
  const { system, start, exact } = decay;
  const { integrator } = run({ ...decay, to: 0 }, 'bdf', { relative: tolerance, absolute: tolerance });
  expect(system.n).toBe(2);
  integrator.start(0, Float64Array.from(start));
  const out = new Float64Array(2);
  for (;;) {
    const outcome = integrator.step(2);
    for (const share of [0, 0.3, 0.7, 1]) {
      const t = integrator.tPrevious + share * (integrator.t - integrator.tPrevious);
      integrator.interpolate(t, out);
      exact!(t).forEach((v, i) => {
        expect(Math.abs(out[i]! - v)).toBeLessThan(50 * tolerance);
      });
    }
    if (outcome.kind === 'limit') break;
  }
});
