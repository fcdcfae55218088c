/**
 * BDF: order of its formulas, published values, statistics beside those published for other codes, finite
 * differences.
 */
import { describe, expect, test } from 'vitest';
import { Bdf } from '../../src/solve/bdf.ts';
import type { OdeSystem } from '../../src/solve/integrator.ts';
import { brusselator } from '../problems/field.ts';
import { decay } from '../problems/nonstiff.ts';
import type { Problem } from '../problems/problem.ts';
import { hires, oregonator, protheroRobinson, robertson, robertson40, vanDerPol } from '../problems/stiff.ts';
import { MAX_ORDER, Nordsieck } from './nordsieck.ts';
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
    // C. W. Gear (1971): l1 = 1 + 1/2 + ... + 1/q; the local error is 1 / (l1 (q + 1)) of the correction.
    let harmonic = 0;
    for (let q = 1; q <= MAX_ORDER; q++) {
      harmonic += 1 / q;
      const history = new Nordsieck(1);
      history.start(new Float64Array(1), new Float64Array(1), 0.1);
      history.order = q;
      history.setCoefficients(false);
      expect(history.l[0]).toBe(1);
      expect(history.l[1]).toBeCloseTo(harmonic, 12);
      expect(history.errorFactor).toBeCloseTo(1 / (harmonic * (q + 1)), 12);
    }
  });

  /**
   * y' = -y + sin t + cos t, y = sin t, with n steps of a fixed order from the exact history on; the largest
   * error.
   */
  function fixedOrderError(q: number, n: number, unequal: boolean): number {
    const sizes = Array.from({ length: n + q }, (_, k) => (4 / n) * (unequal ? 1 + 0.3 * Math.sin(k) : 1));
    const history = new Nordsieck(1);
    const h = sizes[0]!;
    history.start(Float64Array.of(0), Float64Array.of(1), h);
    history.order = q;
    let factor = 1;
    for (let j = 0; j <= q; j++) {
      history.rows[j]![0] = Math.sin((j * Math.PI) / 2) * factor;
      factor *= h / (j + 1);
    }
    let t = 0;
    let worst = 0;
    const correction = new Float64Array(1);
    for (const size of sizes) {
      if (size !== history.h) history.rescale(size / history.h);
      history.setCoefficients(false);
      history.predict();
      t += history.h;
      // z1 + l1 c = h f(z0 + c), solved for c.
      const [z0, z1] = [history.rows[0]![0]!, history.rows[1]![0]!];
      correction[0] = (history.h * (-z0 + Math.sin(t) + Math.cos(t)) - z1) / (history.l[1]! + history.h);
      history.correct(correction);
      worst = Math.max(worst, Math.abs(history.rows[0]![0]! - Math.sin(t)));
    }
    return worst;
  }

  test.each([1, 2, 3, 4, 5])('order %i converges with that order, on equal and on changing steps', (q) => {
    for (const unequal of [false, true]) {
      const order = Math.log2(fixedOrderError(q, 100, unequal) / fixedOrderError(q, 200, unequal));
      expect(order).toBeGreaterThan(q - 0.25);
      expect(order).toBeLessThan(q + 1.1);
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

/**
 * Problem, tolerances, the largest relative error allowed, and the steps and evaluations of CVODE 6.4.1 (BDF,
 * dense, exact Jacobian).
 */
type Row = [
  problem: Problem,
  relative: number,
  absolute: number,
  error: number,
  steps: number,
  evaluations: number,
];

/** A loss of efficiency beyond this factor of CVODE's counts is seen. */
const MARGIN = 1.3;

describe('the first step after a start', () => {
  /** y = t^2 (1 + sin t), which begins with slope zero; and a fast mode beside it. */
  const system: OdeSystem = {
    n: 2,
    rhs: (t, y, dy) => {
      dy[0] = 2 * t * (1 + Math.sin(t)) + t * t * Math.cos(t) + 0 * y[0]!;
      dy[1] = -1e4 * (y[1]! - Math.cos(t)) - Math.sin(t);
      return true;
    },
  };

  test.each([1e-3, 1e-6, 1e-9])(
    'is interpolated from its start on: nothing that begins with slope zero goes back, tolerance %d',
    (tolerance) => {
      const integrator = new Bdf(system, { relative: tolerance, absolute: tolerance });
      integrator.start(0, Float64Array.of(0, 1));
      integrator.step(1);
      const out = new Float64Array(2);
      const h = integrator.t;
      for (let k = 0; k <= 60; k++) {
        const t = h * 2 ** -k;
        integrator.interpolate(t, out);
        expect(out[0]).toBeGreaterThan(0);
        expect(Math.abs(out[1]! - Math.cos(t))).toBeLessThan(tolerance);
      }
      integrator.interpolate(h, out);
      expect(Array.from(out)).toEqual(Array.from(integrator.y));
      integrator.interpolate(0, out);
      expect(Array.from(out)).toEqual([0, 1]);
    },
  );
});

describe('published values, with statistics', () => {
  test.each<Row>([
    [robertson40, 1e-6, 1e-10, 1e-5, 231, 304],
    [robertson40, 1e-9, 1e-13, 5e-8, 564, 768],
    [robertson, 1e-6, 1e-14, 1e-4, 1182, 1561],
    [robertson, 1e-9, 1e-18, 2e-7, 3014, 3590],
    [vanDerPol, 1e-6, 1e-10, 5e-5, 1583, 2332],
    [vanDerPol, 1e-9, 1e-13, 2e-7, 4638, 6185],
    [hires, 1e-6, 1e-10, 5e-5, 513, 826],
    [hires, 1e-9, 1e-13, 1e-7, 1253, 1627],
    [oregonator, 1e-6, 1e-10, 3e-4, 2344, 3614],
    [oregonator, 1e-9, 1e-13, 1e-6, 5678, 7943],
  ])('$0.name at $1', (problem, relative, absolute, error, steps, evaluations) => {
    const { integrator, outcome } = run(problem, 'bdf', { relative, absolute });
    expect(outcome.kind).toBe('limit');
    expect(integrator.t).toBe(problem.to);
    expect(relativeError(integrator.y, problem.reference)).toBeLessThan(error);
    expect(integrator.statistics.steps).toBeLessThan(MARGIN * steps);
    expect(integrator.statistics.evaluations).toBeLessThan(MARGIN * evaluations);
    expect(integrator.statistics.jacobians).toBeLessThan(steps / 20);
  });

  test.each([
    [1e-6, 1e-4],
    [1e-9, 2e-7],
  ])('Brusselator at %f', (tolerance, error) => {
    const { integrator } = run(brusselator, 'bdf', { relative: tolerance, absolute: tolerance });
    expect(relativeError(integrator.y, brusselator.reference)).toBeLessThan(error);
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
