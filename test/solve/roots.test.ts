/** Event location against analytic zeros. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createIntegrator } from '../../src/solve/auto.ts';
import { type Indicators, type RootLocation, RootSearch } from '../../src/solve/roots.ts';
import { decay } from '../problems/nonstiff.ts';

const one = (f: (t: number) => number) => (t: number, out: Float64Array) => {
  out[0] = f(t);
};

/** The first sign change of `count` indicators in (from, to], where nothing is known before; undefined without one. */
function locateRoot(count: number, from: number, to: number, evaluate: Indicators): RootLocation | undefined {
  const search = new RootSearch(count);
  const values = new Float64Array(count);
  evaluate(from, values);
  search.begin(from, values);
  return search.locate(to, evaluate);
}

describe('a single indicator', () => {
  test.each([
    ['linear', (t: number) => t - 0.3, 0.3],
    ['cubic, flat', (t: number) => (t - 0.7) ** 3, 0.7],
    ['ninth power, flatter', (t: number) => (t - 0.2) ** 9, 0.2],
    ['steep', (t: number) => Math.exp(40 * t) - Math.exp(20), 0.5],
    ['cosine', (t: number) => Math.cos(t * Math.PI), 0.5],
    ['a jump', (t: number) => (t < 0.625 ? -1 : 1), 0.625],
    ['nearly at the end', (t: number) => t - (1 - 1e-14), 1 - 1e-14],
  ])('%s', (_name, f, zero) => {
    const found = locateRoot(1, 0, 1, one(f))!;
    expect(found.changed).toEqual([0]);
    expect(Math.abs(found.time - zero)).toBeLessThan(zero === 0.2 ? 1e-12 : 2e-15);
    // The sign has strictly changed at the time reported and has not before.
    expect(Math.sign(f(found.time))).toBe(-Math.sign(f(0)));
    expect(f(found.before) * f(0)).toBeGreaterThanOrEqual(0);
    expect(found.time - found.before).toBeLessThanOrEqual(1e-15);
  });

  test('ends after few evaluations, however flat the zero', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        fc.integer({ min: 0, max: 15 }),
        (zero, power) => {
          let count = 0;
          const f = (t: number): number => {
            count++;
            return Math.sign(t - zero) * Math.abs(t - zero) ** (2 * power + 1);
          };
          const found = locateRoot(1, 0, 1, one(f));
          expect(count).toBeLessThan(240);
          if (power <= 3) expect(Math.abs(found!.time - zero)).toBeLessThan(1e-14);
        },
      ),
    );
  });

  test('a smooth indicator costs about a dozen evaluations', () => {
    let count = 0;
    const search = new RootSearch(1);
    const f = one((t) => {
      count++;
      return Math.exp(-t) - 0.5;
    });
    search.begin(-1, Float64Array.of(Math.E - 0.5));
    search.locate(0, f);
    count = 0;
    expect(Math.abs(search.locate(1, f)!.time - Math.LN2)).toBeLessThan(3e-16 * 4);
    expect(count).toBeLessThan(14);
  });

  test('down and up again inside one step', () => {
    const found = locateRoot(
      1,
      0,
      1,
      one((t) => (t - 0.5) ** 2 - 0.04),
    )!;
    expect(found.time).toBeCloseTo(0.3, 14);
  });

  test('touching zero without a change is no event', () => {
    expect(
      locateRoot(
        1,
        0,
        1,
        one((t) => (t - 0.4) ** 2),
      ),
    ).toBeUndefined();
  });

  test('a start at exactly zero counts from the first nonzero sign', () => {
    expect(
      locateRoot(
        1,
        0,
        1,
        one((t) => t),
      ),
    ).toBeUndefined();
    const found = locateRoot(
      1,
      0,
      1,
      one((t) => t * (t - 0.55)),
    )!;
    expect(found.time).toBeCloseTo(0.55, 14);
  });

  test('zero at the right end is not yet a change, the next step finds it', () => {
    const search = new RootSearch(1);
    const f = one((t) => 1 - t);
    search.begin(0, Float64Array.of(1));
    expect(search.locate(1, f)).toBeUndefined();
    const found = search.locate(2, f)!;
    expect(found.time).toBeGreaterThan(1);
    expect(found.time).toBeLessThan(1 + 1e-14);
  });

  test('a sign that the value contradicts by rounding holds until it is clear that it is wrong', () => {
    const held = (f: (t: number) => number) => {
      const search = new RootSearch(1);
      search.begin(0, Float64Array.of(f(0)));
      search.hold(0, 1);
      return (to: number) => search.locate(to, one(f));
    };
    // Noise, then up, as the sign says, and down again later: the one change is at pi.
    const rises = held((t) => (t < 1e-9 ? -1e-13 * (1 + 4 * Math.sin(1e12 * t) ** 2) : Math.sin(t)));
    for (const t of [1e-12, 3e-12, 1e-10, 1e-6, 1, 3]) expect(rises(t)).toBeUndefined();
    expect(rises(4)!.time).toBeCloseTo(Math.PI, 14);
    const falls = held((t) => -1e-13 - t);
    expect(falls(1e-13)).toBeUndefined();
    expect(falls(1)!.time).toBeLessThan(1e-11);
  });

  test('identically zero and not a number never end in a loop', () => {
    expect(
      locateRoot(
        1,
        0,
        1,
        one(() => 0),
      ),
    ).toBeUndefined();
    expect(
      locateRoot(
        1,
        0,
        1,
        one(() => Number.NaN),
      ),
    ).toBeUndefined();
    expect(
      locateRoot(
        0,
        0,
        1,
        one(() => 1),
      ),
    ).toBeUndefined();
  });
});

describe('several indicators', () => {
  test('the first of many', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.001, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 12 }),
        (zeros) => {
          const found = locateRoot(zeros.length, 0, 1, (t, out) => {
            zeros.forEach((zero, i) => {
              out[i] = (i % 2 === 0 ? 1 : -1) * (t - zero) * (1 + i);
            });
          })!;
          const first = Math.min(...zeros);
          expect(Math.abs(found.time - first)).toBeLessThan(2e-15);
          for (const i of found.changed) expect(zeros[i]! - first).toBeLessThan(2e-15);
        },
      ),
    );
  });

  test('equal zeros change together', () => {
    const found = locateRoot(3, 0, 1, (t, out) => {
      out[0] = t - 0.25;
      out[1] = t - 0.75;
      out[2] = 0.25 - t;
    })!;
    expect(found.changed).toEqual([0, 2]);
  });
});

test('on dense output, event times are as exact as the integration: e^-t + e^-3t = 1.5', () => {
  // With u = e^-t: u + u^3 = 1.5, so u = 0.861..., by Cardano's formula.
  const d = Math.sqrt(0.5625 + 1 / 27);
  const u = Math.cbrt(0.75 + d) + Math.cbrt(0.75 - d);
  const integrator = createIntegrator('rk', decay.system, { relative: 1e-13, absolute: 1e-15 });
  integrator.start(0, Float64Array.from(decay.start));
  const values = new Float64Array(2);
  const indicator = (t: number, out: Float64Array): void => {
    integrator.interpolate(t, values);
    out[0] = values[0]! - 1.5;
  };
  const search = new RootSearch(1);
  search.begin(0, Float64Array.of(0.5));
  for (let k = 0; k < 2000; k++) {
    integrator.step(2);
    const found = search.locate(integrator.t, indicator);
    if (found === undefined) continue;
    expect(Math.abs(found.time + Math.log(u))).toBeLessThan(1e-12);
    return;
  }
  expect.unreachable();
});

describe('with rounding errors that are told', () => {
  /** Noise around zero, and on top of a line that crosses it. */
  const noise = (t: number) => 1e-15 * Math.sin(1e6 * t);
  const evaluate: Indicators = (t, out) => {
    out[0] = noise(t);
    out[1] = 0.7 - t + noise(t);
  };
  const started = () => {
    const search = new RootSearch(2);
    search.begin(0, Float64Array.of(noise(0), 0.7));
    search.hold(0, 1);
    return search;
  };

  test('what is zero changes no sign, and hides nothing that does', () => {
    const found = started().locate(1, evaluate, (_, out) => out.fill(1e-13))!;
    expect(found.changed).toEqual([1]);
    expect(Math.abs(found.time - 0.7)).toBeLessThan(2e-13);
  });

  test('they are asked for only where a sign seems to change', () => {
    let asked = 0;
    const search = new RootSearch(1);
    search.begin(0, Float64Array.of(1));
    expect(
      search.locate(
        1,
        one((t) => 2 - t),
        () => asked++,
      ),
    ).toBeUndefined();
    expect(asked).toBe(0);
  });

  test('without them noise is an event', () => {
    expect(started().locate(0.5, evaluate)!.changed).toEqual([0]);
  });
});

test('an indicator that is not quite the same when it is evaluated again has changed once it was seen to', () => {
  // Values of nonlinear systems depend a little on where their iterations begin.
  for (let seed = 0; seed < 200; seed++) {
    let n = seed;
    const noisy = one((t) => t - 0.3 + 1e-12 * Math.sin(12345.6 * ++n));
    const search = new RootSearch(1);
    search.begin(0, Float64Array.of(-0.3));
    const found = search.locate(1, noisy)!;
    expect(found.changed).toEqual([0]);
    expect(Math.abs(found.time - 0.3)).toBeLessThan(2e-12);
    expect(search.sign(0)).toBe(1);
  }
});

describe('an error that passes by', () => {
  /** Goes below zero at 0.5, and stays there. */
  const falling = one((t) => Math.max(0.5 - t, -0.25));
  const begun = () => {
    const search = new RootSearch(1);
    search.begin(0, Float64Array.of(0.5));
    return search;
  };

  test('explains a value in the search in which it is told, and no other', () => {
    const search = begun();
    const excused = (_t: number, out: Float64Array, passing: Uint8Array): void => {
      out[0] = 0.25;
      passing[0] = 1;
    };
    expect(search.locate(1, falling, excused)).toBeUndefined();
    const found = search.locate(2, falling, (_t, out) => out.fill(0))!;
    expect(found.changed).toEqual([0]);
    expect(found.before).toBeGreaterThanOrEqual(1);
  });

  test('one that lasts explains it until the value has been on its own side', () => {
    const search = begun();
    const rounding = (_t: number, out: Float64Array): void => {
      out[0] = 0.25;
    };
    expect(search.locate(1, falling, rounding)).toBeUndefined();
    expect(search.locate(2, falling, rounding)).toBeUndefined();
  });
});
