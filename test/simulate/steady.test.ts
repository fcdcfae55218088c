/** Steady states against closed forms: linear systems, several solutions, modes, what nothing determines, and what there is none of. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Failure,
  instantiate,
  loadModel,
  type SteadyOptions,
  type SteadyStateResult,
  steadyState,
} from '../../src/index.ts';
import { runsOf } from '../runs.ts';

const steady = (text: string, options: SteadyOptions = {}): Promise<SteadyStateResult> =>
  steadyState(loadModel(text), options);

const value = ({ table }: SteadyStateResult, name: string): number => table.at(name, table.rowCount - 1);

async function refusal(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'no failure',
    (failure: Failure) =>
      failure.diagnostics
        .filter((d) => d.severity === 'error')
        .map((d) => `${d.code}: ${d.message}`)
        .join('\n'),
  );
}

describe('one steady state', () => {
  test('a tank that runs out as fast as it is filled', async () => {
    const found = await steady(
      'model Tank input Real q(start = 2); Real h(start = 0.1, fixed = true); Real out; equation der(h) = q - out; out = sqrt(h); end Tank;',
    );
    expect(value(found, 'h')).toBeCloseTo(4, 12);
    expect(value(found, 'out')).toBeCloseTo(2, 12);
    expect(found.table.rowCount).toBe(1);
    expect(found.residual).toBeLessThan(1e-14);
    expect(found.undetermined).toEqual([]);
  });

  test('far away, where Newton alone does not arrive', async () => {
    // arctan is flat where the search begins.
    const found = await steady(
      'model Far Real x(start = 50, fixed = true); equation der(x) = -atan(x); end Far;',
    );
    expect(value(found, 'x')).toBeCloseTo(0, 9);
  });

  test('the one that is not stable is found from near it', async () => {
    const text = (phi: number) =>
      `model Pendulum Real phi(start = ${phi}, fixed = true), w(start = 0, fixed = true); equation der(phi) = w; der(w) = -9.81*sin(phi) - 0.1*w; end Pendulum;`;
    expect(value(await steady(text(3)), 'phi')).toBeCloseTo(Math.PI, 9);
    expect(value(await steady(text(0.3)), 'phi')).toBeCloseTo(0, 9);
  });

  test('of a constrained system', async () => {
    const found =
      await steady(`model Hanging parameter Real L = 2, g = 9.81; Real x(start = 0.5, fixed = true), y(start = -1.9), vx(start = 0, fixed = true), vy, F;
      equation x^2 + y^2 = L^2; der(x) = vx; der(y) = vy; der(vx) = -F*x - vx; der(vy) = -F*y - g - vy; end Hanging;`);
    expect(value(found, 'x')).toBeCloseTo(0, 9);
    expect(value(found, 'y')).toBeCloseTo(-2, 9);
    expect(value(found, 'F')).toBeCloseTo(9.81 / 2, 9);
  });

  test('from a later time, and for other values', async () => {
    const model = instantiate(
      'model Bistable parameter Real a = 1; Real x(start = 0.1, fixed = true); equation der(x) = a*x - x^3; end Bistable;',
    );
    expect(value(await model.steadyState({ at: 5 }), 'x')).toBeCloseTo(1, 9);
    expect(value(await model.steadyState({ at: 5, merge: { a: 4, x: { start: -0.1 } } }), 'x')).toBeCloseTo(
      -2,
      9,
    );
  });

  test('inputs keep the values that they have', async () => {
    const found = await steady(
      'model Driven input Real u; Real x(start = 0, fixed = true); equation der(x) = u - 2*x; end Driven;',
      {
        inputs: { time: [0, 10], u: [0, 10] },
        at: 3,
      },
    );
    expect(value(found, 'x')).toBeCloseTo(1.5, 12);
    expect(found.time).toBe(3);
  });
});

describe('relations and modes', () => {
  test('a limiter that the search comes to', async () => {
    // der(x) = min(u, 1) - x/4 with u = 10 - x: saturated, x = 4.
    const found = await steady(
      'model Limited Real x(start = 20, fixed = true), u; equation u = 10 - x; der(x) = (if u > 1 then 1 else u) - x/4; end Limited;',
    );
    expect(value(found, 'x')).toBeCloseTo(4, 9);
  });

  test('a clutch that closes on the way', async () => {
    const found =
      await steady(`model Closing Real w1(start = 10, fixed = true), w2(start = 0, fixed = true), t; Boolean closed(start = false, fixed = true);
      equation der(w1) = 1 - w1 - t; der(w2) = t - w2; when w1 < 2 then closed = true; end when;
      if closed then w1 = w2; else t = 0; end if; end Closing;`);
    // Together: 2 der(w) = 1 - 2 w.
    expect(value(found, 'w1')).toBeCloseTo(0.5, 9);
    expect(value(found, 'w2')).toBeCloseTo(0.5, 9);
  });

  test('a thermostat has none', async () => {
    const message = await refusal(
      steady(
        'model Thermostat Real T(start = 15, fixed = true); Boolean on(start = true, fixed = true); equation der(T) = (if on then 30 else 0) - T; on = T < 20 or pre(on) and T < 22; end Thermostat;',
      ),
    );
    expect(message).toMatch(/^no-steady-state: .*change back and forth/);
  });
});

describe('what nothing determines', () => {
  test('an integrator keeps what flows into it', async () => {
    const found = await steady(
      'model Coasting Real x(start = 3, fixed = true), v(start = 1, fixed = true); equation der(x) = v; der(v) = -2*v; end Coasting;',
    );
    // v = exp(-2 t): x ends at 3 + 1/2.
    expect(value(found, 'x')).toBeCloseTo(3.5, 12);
    expect(found.undetermined).toEqual(['x']);
    expect(found.diagnostics.map((d) => d.code)).toEqual(['no-steady-state']);
  });

  test('water between tanks stays as much as it is', async () => {
    const found = await steady(
      'model Tanks Real h1(start = 3, fixed = true), h2(start = 1, fixed = true); equation 2*der(h1) = h2 - h1; 5*der(h2) = h1 - h2; end Tanks;',
    );
    for (const name of ['h1', 'h2']) expect(value(found, name)).toBeCloseTo((2 * 3 + 5 * 1) / 7, 12);
    expect(found.undetermined).toEqual(['h1', 'h2']);
  });

  test('a body at rest that nothing holds', async () => {
    const found = await steady(
      'model Free Real x(start = 3, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = 0; end Free;',
    );
    expect(value(found, 'x')).toBe(3);
    expect(found.undetermined).toEqual(['x']);
  });
});

describe('none', () => {
  test('what always grows is named', async () => {
    expect(
      await refusal(
        steady(
          'model Grows Real x(start = 0, fixed = true), y(start = 0, fixed = true); equation der(x) = 2; der(y) = -y; end Grows;',
        ),
      ),
    ).toBe('no-steady-state: No steady state was found at time 0; where the search ended, der(x) = 2.');
    expect(
      await refusal(steady('model No Real x(start = 0, fixed = true); equation der(x) = 1 + x^2; end No;')),
    ).toMatch(/der\(x\) = 1/);
  });

  test('models without states are as they are', async () => {
    const found = await steady(
      'model Algebraic parameter Real a = 4; Real x(start = 1); equation x^2 = a; end Algebraic;',
    );
    expect(value(found, 'x')).toBeCloseTo(2, 9);
    const discrete = await steady(
      'model Counter discrete Integer n(start = 0, fixed = true); equation when sample(0, 1) then n = pre(n) + 1; end when; end Counter;',
      { at: 2.5 },
    );
    expect(value(discrete, 'n')).toBe(3);
  });
});

const number = fc.integer({ min: -40, max: 40 }).map((n) => n / 8);

test('stable linear systems: x = -A⁻¹ B u', async () => {
  const size = fc.integer({ min: 1, max: 7 });
  const systems = size.chain((n) =>
    fc.record({
      A: fc.array(fc.array(number, { minLength: n, maxLength: n }), { minLength: n, maxLength: n }),
      b: fc.array(number, { minLength: n, maxLength: n }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(systems, async ({ A: drawn, b }) => {
      // A negative diagonal that is larger than all else in its row.
      const A = drawn.map((row, i) => row.map((v, j) => (i === j ? -45 - Math.abs(v) : v)));
      const n = A.length;
      const text = (rows: readonly (readonly number[])[]) =>
        `{${rows.map((row) => `{${row.join(', ')}}`).join(', ')}}`;
      const found = await steady(
        `model Stable parameter Real A[:, :] = ${text(A)}, b[:] = {${b.join(', ')}}; Real x[${n}](each start = 1, each fixed = true); equation der(x) = A*x + b; end Stable;`,
      );
      const x = Array.from({ length: n }, (_, i) => value(found, `x[${i + 1}]`));
      for (const [i, row] of A.entries())
        expect(Math.abs(row.reduce((sum, v, k) => sum + v * x[k]!, b[i]!))).toBeLessThan(1e-12);
    }),
    { numRuns: runsOf(20) },
  );
});

test('a root of zero, where the search begins, has no derivative', async () => {
  const found = await steady(
    'model Level input Real q(start = 2); Real h1(start = 1, fixed = true), h2(start = 1, fixed = true); equation der(h1) = q - sqrt(h1 - h2); der(h2) = sqrt(h1 - h2) - sqrt(h2); end Level;',
  );
  expect(value(found, 'h2')).toBeCloseTo(4, 9);
  expect(value(found, 'h1')).toBeCloseTo(8, 9);
});
