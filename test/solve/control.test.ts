/**
 * What all integrators owe: error in proportion to tolerance, exact stops, restarts, and an end to what
 * cannot go on.
 */
import { describe, expect, test } from 'vitest';
import { createIntegrator } from '../../src/solve/auto.ts';
import type { Method, OdeSystem } from '../../src/solve/integrator.ts';
import { heatRod, swingingString } from '../problems/field.ts';
import { arenstorf, decay, oscillators, pleiades } from '../problems/nonstiff.ts';
import {
  hires,
  oregonator,
  pipe,
  protheroRobinson,
  robertson,
  robertson40,
  vanDerPol,
} from '../problems/stiff.ts';
import { advance, relativeError, run } from './run.ts';

const methods: Method[] = ['auto', 'bdf', 'radau', 'rk'];

/** A system without Jacobian from a function of one component. */
function scalar(f: (t: number, y: number) => number): OdeSystem {
  return {
    n: 1,
    rhs(t, y, dy) {
      dy[0] = f(t, y[0]!);
      return Number.isFinite(dy[0]!);
    },
  };
}

describe.each(methods)('%s: error control', (method) => {
  // On an undamped oscillation the errors of all steps add up, those of BDF most (CVODE 6.4.1: up to 840).
  test.each([
    [decay, 30],
    [oscillators, 1000],
    [protheroRobinson(-50), 30],
  ])('$name', (problem, factor) => {
    for (const tolerance of [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]) {
      const { integrator } = run(problem, method, { relative: tolerance, absolute: tolerance });
      const error = Math.max(...problem.reference.map((r, i) => Math.abs(integrator.y[i]! - r)));
      expect(error).toBeLessThan(factor * tolerance);
    }
  });

  test('the error is smaller when the tolerance is', () => {
    const error = (tolerance: number): number =>
      relativeError(
        run(decay, method, { relative: tolerance, absolute: tolerance }).integrator.y,
        decay.reference,
      );
    expect(error(1e-10)).toBeLessThan(1e-3 * error(1e-4));
  });

  test('a tolerance for each component', () => {
    const strict = Float64Array.of(1e-9, 1e-9, 1e-2, 1e-2);
    const { integrator } = run(oscillators, method, { relative: 0, absolute: strict });
    expect(Math.abs(integrator.y[0]! - oscillators.reference[0]!)).toBeLessThan(1e-6);
  });
});

describe.each(methods)('%s: limits and restarts', (method) => {
  const options = { relative: 1e-6, absolute: 1e-8 };

  test('stops exactly, never goes beyond, and goes on with its step', () => {
    const whole = run(oscillators, method, options).integrator;
    const integrator = createIntegrator(method, oscillators.system, options);
    integrator.start(0, Float64Array.from(oscillators.start));
    for (const limit of [0.1, 1 / 3, 1 / 3 + 1e-12, 7.7, 10]) {
      while (integrator.t < limit) {
        const outcome = integrator.step(limit);
        expect(integrator.t).toBeLessThanOrEqual(limit);
        expect(outcome.kind).toBe(integrator.t === limit ? 'limit' : 'step');
      }
    }
    expect(integrator.t).toBe(10);
    expect(relativeError(integrator.y, oscillators.reference, 0.1)).toBeLessThan(1e-3);
    expect(integrator.statistics.steps).toBeLessThan(1.3 * whole.statistics.steps + 25);
  });

  test('at the limit already, nothing happens', () => {
    const integrator = createIntegrator(method, decay.system, options);
    integrator.start(1, Float64Array.from(decay.start));
    expect(integrator.step(1).kind).toBe('limit');
    expect(integrator.statistics.steps).toBe(0);
    const out = new Float64Array(2);
    integrator.interpolate(1, out);
    expect([...out]).toEqual([...decay.start]);
  });

  test('interpolation meets both ends of the step', () => {
    const integrator = createIntegrator(method, oscillators.system, options);
    integrator.start(0, Float64Array.from(oscillators.start));
    const out = new Float64Array(4);
    for (let k = 0; k < 50; k++) {
      const before = Float64Array.from(integrator.y);
      integrator.step(10);
      integrator.interpolate(integrator.t, out);
      out.forEach((v, i) => {
        expect(v).toBeCloseTo(integrator.y[i]!, 12);
      });
      integrator.interpolate(integrator.tPrevious, out);
      // The polynomial of BDF does not pass through the former point exactly, only within the tolerance.
      out.forEach((v, i) => {
        expect(Math.abs(v - before[i]!)).toBeLessThan(method === 'bdf' ? 2e-5 : 1e-12);
      });
    }
  });

  test('a restart is cheap: 100 of them cost less than 20 evaluations each', () => {
    const integrator = createIntegrator(method, decay.system, { relative: 1e-4, absolute: 1e-6 });
    const y = Float64Array.from(decay.start);
    for (let k = 0; k < 100; k++) {
      integrator.start(0.01 * k, y);
      expect(advance(integrator, 0.01 * (k + 1)).kind).toBe('limit');
      y.set(integrator.y);
    }
    expect(integrator.statistics.evaluations).toBeLessThan(2000);
    expect(relativeError(y, decay.exact!(1))).toBeLessThan(3e-3);
  });

  test('without an end', () => {
    const integrator = createIntegrator(method, oscillators.system, options);
    integrator.start(0, Float64Array.from(oscillators.start));
    for (let k = 0; k < 200; k++) expect(integrator.step(Number.POSITIVE_INFINITY).kind).toBe('step');
    expect(relativeError(integrator.y, oscillators.exact!(integrator.t), 0.1)).toBeLessThan(1e-3);
  });

  test('no state at all', () => {
    const integrator = createIntegrator(method, { n: 0, rhs: () => true }, options);
    integrator.start(0, new Float64Array(0));
    expect(advance(integrator, 5).kind).toBe('limit');
    expect(integrator.t).toBe(5);
  });

  test('a solution at rest takes few steps', () => {
    const { integrator } = run({ ...decay, start: [0, 0], to: 1e6 }, method, {
      relative: 1e-6,
      absolute: 1e-6,
    });
    expect(integrator.statistics.steps).toBeLessThan(60);
    expect([...integrator.y]).toEqual([0, 0]);
  });
});

describe.each(methods)('%s: what cannot go on ends', (method) => {
  const options = { relative: 1e-6, absolute: 1e-9 };

  test('finite escape: y2 of (1, y2^2) goes to infinity at t = 1, and is named', () => {
    const system: OdeSystem = {
      n: 2,
      rhs(_t, y, dy) {
        dy[0] = 1;
        dy[1] = y[1]! * y[1]!;
        return Number.isFinite(dy[1]!);
      },
    };
    const integrator = createIntegrator(method, system, options);
    integrator.start(0, Float64Array.of(0, 1));
    const outcome = advance(integrator, 2);
    expect(outcome).toMatchObject({ kind: 'failed', component: 1 });
    expect(integrator.t).toBeCloseTo(1, 4);
  });

  test('the right-hand side ends at a wall: y = 1 - t is defined up to t = 1', () => {
    const integrator = createIntegrator(
      method,
      scalar((_t, y) => (y >= 0 ? -1 : Number.NaN)),
      options,
    );
    integrator.start(0, Float64Array.of(1));
    const outcome = advance(integrator, 2);
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'not-finite', component: 0 });
    expect(integrator.t).toBeGreaterThan(0.99);
    expect(integrator.t).toBeLessThanOrEqual(1 + 1e-9);
  });

  test('a step that lands where nothing is defined is taken shorter', () => {
    // sqrt(y) y' = -1, so y = (1 - 3/2 t)^(2/3); a trial beyond t = 2/3 has no square root.
    const integrator = createIntegrator(
      method,
      scalar((_t, y) => -1 / Math.sqrt(y)),
      options,
    );
    integrator.start(0, Float64Array.of(1));
    expect(advance(integrator, 0.6).kind).toBe('limit');
    expect(integrator.y[0]).toBeCloseTo(0.1 ** (2 / 3), 4);
  });

  test('undefined from the start', () => {
    const integrator = createIntegrator(
      method,
      scalar(() => Number.NaN),
      options,
    );
    integrator.start(0, Float64Array.of(1));
    expect(integrator.step(1)).toMatchObject({ kind: 'failed', reason: 'not-finite' });
  });

  test('values that are not numbers although the system says they are', () => {
    const system: OdeSystem = {
      n: 1,
      rhs(t, _y, dy) {
        dy[0] = t > 0.5 ? Number.NaN : 1;
        return true;
      },
    };
    const integrator = createIntegrator(method, system, options);
    integrator.start(0, Float64Array.of(0));
    expect(advance(integrator, 1)).toMatchObject({ kind: 'failed', component: 0 });
    expect(integrator.t).toBeLessThanOrEqual(0.5 + 1e-9);
  });

  test('a jump in the right-hand side is passed', () => {
    const integrator = createIntegrator(
      method,
      scalar((t) => (t < 0.3 ? 1 : -1)),
      options,
    );
    integrator.start(0, Float64Array.of(0));
    expect(advance(integrator, 1).kind).toBe('limit');
    expect(integrator.y[0]).toBeCloseTo(-0.4, 4);
  });
});

describe('the automatic choice', () => {
  test.each([arenstorf, pleiades, oscillators, decay])('$name: as cheap as Runge-Kutta', (problem) => {
    const options = { relative: 1e-6, absolute: 1e-6 };
    const rk = run(problem, 'rk', options).integrator.statistics;
    const auto = run(problem, 'auto', options).integrator.statistics;
    // It looks once or twice at how fast the system can move, with nine evaluations each time.
    expect(auto.evaluations).toBeLessThanOrEqual(rk.evaluations + 2 * 9);
    expect(auto.steps).toBe(rk.steps);
    expect(auto.jacobians).toBe(0);
  });

  // Of the explicit pair, whose steps make the fast oscillations grow, errors are a thousand and ten thousand times the tolerance; for 400 masses it takes 7,300 steps.
  test.each([
    [50, 1e-3],
    [50, 1e-6],
    [400, 1e-4],
    [400, 1e-6],
    [400, 1e-8],
  ])(
    'a string of %i masses swings slowly: as exact as asked for at %s, in steps of that motion',
    (n, tolerance) => {
      const string = swingingString(n);
      const { integrator, outcome } = run(string, 'auto', { relative: tolerance, absolute: tolerance });
      expect(outcome.kind).toBe('limit');
      expect(relativeError(integrator.y, string.reference, 1)).toBeLessThan(tolerance);
      expect(integrator.statistics.steps).toBeLessThan(1000);
      expect(integrator.method).toBe('radau');
    },
  );

  test('where a fast oscillation has to be followed, the explicit pair does that', () => {
    const string = swingingString(20);
    // The fastest mode, at its largest and at rest.
    const mode = string.start.map((_, i) => (i < 20 ? Math.sin((Math.PI * 20 * (i + 1)) / 21) : 0));
    const frequency = 42 * Math.sin((Math.PI * 20) / 42);
    const options = { relative: 1e-4, absolute: 1e-4 };
    const { integrator } = run({ ...string, start: mode, to: 3 }, 'auto', options);
    const explicit = run({ ...string, start: mode, to: 3 }, 'rk', options).integrator.statistics;
    expect(integrator.method).toBe('rk');
    expect(integrator.statistics.evaluations).toBeLessThan(1.3 * explicit.evaluations);
    expect(integrator.y[0]).toBeCloseTo(mode[0]! * Math.cos(3 * frequency), 1);
  });

  test.each([robertson40, robertson, vanDerPol, hires, oregonator, heatRod(100)])(
    '$name: nearly as cheap as BDF, as exact',
    (problem) => {
      const options = { relative: 1e-6, absolute: 1e-10 };
      const bdf = run(problem, 'bdf', options).integrator.statistics;
      const { integrator, outcome } = run(problem, 'auto', options);
      expect(outcome.kind).toBe('limit');
      expect(integrator.statistics.evaluations).toBeLessThan(1.6 * bdf.evaluations + 700);
      expect(integrator.statistics.jacobians).toBeGreaterThan(0);
      const floor = problem === robertson ? 1e-6 : 0;
      expect(relativeError(integrator.y, problem.reference, floor)).toBeLessThan(1e-3);
    },
  );

  test('finds stiffness also when events leave only a few steps between them', () => {
    const { system } = protheroRobinson(-1e3);
    const integrator = createIntegrator('auto', system, { relative: 1e-6, absolute: 1e-6 });
    const y = new Float64Array(1);
    for (let k = 0; k < 200; k++) {
      integrator.start(0.01 * k, y);
      advance(integrator, 0.01 * (k + 1));
      y.set(integrator.y);
    }
    expect(integrator.statistics.jacobians).toBeGreaterThan(100);
    expect(Math.abs(y[0]! - Math.sin(2))).toBeLessThan(1e-5);
  });

  test('finds stiffness where explicit steps end where they began, whatever the slopes say', () => {
    const integrator = createIntegrator('auto', pipe.system, { relative: 1e-6, absolute: 1e-6 });
    integrator.start(pipe.from, Float64Array.from(pipe.start));
    expect(advance(integrator, pipe.to).kind).toBe('limit');
    // The explicit pair goes to and fro by half a Pascal, in steps of 1e-5.
    expect(integrator.statistics.steps).toBeLessThan(300);
    for (const [i, p] of pipe.reference.entries()) expect(Math.abs(integrator.y[i]! - p)).toBeLessThan(0.01);
  });

  test('leaves BDF where its corrections go to and fro, until the next restart', () => {
    const options = { relative: 1e-6, absolute: 1e-6, stiff: true };
    const integrator = createIntegrator('auto', pipe.system, options);
    integrator.start(pipe.from, Float64Array.of(pipe.start[0]! + 1, pipe.start[1]! - 1));
    expect(integrator.method).toBe('bdf');
    expect(advance(integrator, pipe.to).kind).toBe('limit');
    expect(integrator.method).toBe('radau');
    // BDF alone takes 694.
    expect(integrator.statistics.steps).toBeLessThan(200);
    for (const [i, p] of pipe.reference.entries()) expect(Math.abs(integrator.y[i]! - p)).toBeLessThan(0.01);
    integrator.start(integrator.t, integrator.y.slice());
    expect(integrator.method).toBe('bdf');
  });

  test('goes back when stiffness is over', () => {
    // lambda falls from 1e4 to 1 at t = 1; afterwards an oscillation rules.
    const system: OdeSystem = {
      n: 3,
      rhs(t, y, dy) {
        dy[0] = y[1]!;
        dy[1] = -y[0]!;
        dy[2] = -(t < 1 ? 1e4 : 1) * (y[2]! - y[0]!);
        return true;
      },
    };
    const integrator = createIntegrator('auto', system, { relative: 1e-6, absolute: 1e-6 });
    integrator.start(0, Float64Array.of(1, 0, 1));
    advance(integrator, 60);
    expect(integrator.y[0]).toBeCloseTo(Math.cos(60), 3);
    expect((integrator as unknown as { method: string }).method).toBe('rk');
    expect(integrator.statistics.jacobians).toBeGreaterThan(0);
  });

  test('goes back also when events leave only a few steps between them', () => {
    const system: OdeSystem = {
      n: 2,
      rhs(t, y, dy) {
        dy[0] = 1;
        dy[1] = -(t < 1 ? 1e4 : 1) * (y[1]! - Math.sin(t)) + Math.cos(t);
        return true;
      },
    };
    const integrator = createIntegrator('auto', system, { relative: 1e-6, absolute: 1e-6 });
    let y = Float64Array.of(0, 0);
    for (let k = 0; k < 300; k++) {
      integrator.start(0.01 * k, y);
      advance(integrator, 0.01 * (k + 1));
      y = integrator.y.slice();
    }
    expect(integrator.statistics.jacobians).toBeGreaterThan(0);
    expect((integrator as unknown as { method: string }).method).toBe('rk');
    expect(y[1]).toBeCloseTo(Math.sin(3), 4);
  });
});
