/** Relations of elements in loops: exact instants, the values and events of the scalars, and what comes to no end. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modulesMade } from '../../src/fields/code/wasm.ts';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

/** The same model in loops and in scalars: all values in all rows, and the number of events. */
async function both(text: string, options: SimulateOptions, name?: string): Promise<SimulationResult> {
  const flat = loadModel(text, name);
  expect(surveyArrays(flat).scalars).toEqual([]);
  const loops = await simulate(flat, options);
  const scalars = await simulate(flat, { ...options, scalars: true });
  expect(loops.diagnostics.map((d) => d.message)).toEqual(scalars.diagnostics.map((d) => d.message));
  expect(loops.status).toBe(scalars.status);
  if (loops.status === 'failed') return loops;
  expect(loops.statistics.events).toBe(scalars.statistics.events);
  expect(loops.table.rowCount).toBe(scalars.table.rowCount);
  for (const signal of scalars.table.names) {
    const [own, other] = [loops.table.get(signal), scalars.table.get(signal)];
    for (let k = 0; k < own.length; k++)
      expect(Math.abs(own[k]! - other[k]!), `${signal} in row ${k}`).toBeLessThan(
        1e-6 * Math.max(1, Math.abs(other[k]!)),
      );
  }
  return loops;
}

const options = { stopTime: 1, tolerance: 1e-9, intervals: 10 };

describe('instants that are known', () => {
  // Cell i heats at the rate 1 up to 1, and at the rate 1/4 from then on.
  const melting = `model Melting
    parameter Integer n = 5;
    parameter Real Tm = 1;
    Real T[n](start = {i/n for i in 1:n}, each fixed = true), c[n];
    Integer molten = integer(sum(if T[i] > Tm then 1 else 0 for i in 1:n));
  equation
    for i in 1:n loop
      c[i] = if T[i] > Tm then 4 else 1;
      c[i]*der(T[i]) = 1;
    end for;
  end Melting;`;
  const temperature = (start: number, t: number): number =>
    start + t < 1 ? start + t : 1 + (t - (1 - start)) / 4;

  test('are met, in all sizes with one translation', async () => {
    const text = melting.replace(/Integer molten.*/, '');
    const simulation = instantiate(text);
    await simulation.simulate({ stopTime: 0.5 });
    const made = modulesMade();
    for (const n of [8, 100, 10_000, 5]) {
      const stopTime = n === 10_000 ? 0.003 : 0.503;
      const result = await simulation.simulate({ stopTime, tolerance: 1e-9, intervals: 5, merge: { n } });
      expect(result.status).toBe('done');
      expect(result.statistics.translations).toBe(0);
      // The last cell begins on the boundary and leaves it at once.
      expect(result.statistics.events).toBe(Math.floor(stopTime * n) + 1);
      for (const i of [1, n - Math.floor(stopTime * n), n - 1, n])
        expect(Math.abs(final(result, `T[${i}]`) - temperature(i / n, stopTime))).toBeLessThan(1e-9);
    }
    expect(modulesMade()).toBe(made);
    expect(surveyArrays(loadModel(text))).toEqual({ loops: ['T', 'c'], scalars: [] });
  });

  test('have a row before and a row after', async () => {
    const result = await simulate(loadModel(melting), options);
    const time = [...result.table.time];
    for (const i of [1, 2, 3, 4]) {
      const at = 1 - i / 5;
      const rows = time.flatMap((t, k) => (Math.abs(t - at) < 1e-12 ? [k] : []));
      expect(rows.slice(-2).map((k) => result.table.get(`c[${i}]`)[k])).toEqual([1, 4]);
    }
    expect(final(result, 'molten')).toBe(5);
  });

  test.each(['>', '>=', '<', '<='])('beginning on the boundary of %s', async (op) => {
    for (const slope of [1, -1]) {
      const text = `model M
        Real x[20](each start = 1, each fixed = true), y[20](each start = 0, each fixed = true);
      equation
        for i in 1:20 loop der(x[i]) = ${slope}*i; der(y[i]) = if x[i] ${op} 1 then 4 else 1; end for;
      end M;`;
      const result = await both(text, options);
      expect(final(result, 'y[7]')).toBeCloseTo(slope > 0 === op.startsWith('>') ? 4 : 1, 8);
    }
  });

  test('of time', async () => {
    const text = `model M
      parameter Real at[20] = {0.0401*i for i in 1:20};
      Real x[20](each start = 0, each fixed = true);
    equation
      for i in 1:20 loop der(x[i]) = if time > at[i] and not time > 2*at[i] then i else 0; end for;
    end M;`;
    const result = await both(text, options);
    for (const i of [1, 12, 13, 20])
      expect(final(result, `x[${i}]`)).toBeCloseTo(i * (Math.min(1, 0.0802 * i) - 0.0401 * i), 9);
  });

  test('of many elements at once are one event', async () => {
    const text = `model M
      Real x[600](each start = 0, each fixed = true), y[600](each start = 0, each fixed = true);
    equation
      der(x) = ones(600);
      for i in 1:600 loop der(y[i]) = if x[i] > 0.25 then 2 else 1; end for;
    end M;`;
    const result = await both(text, { ...options, intervals: 2 });
    expect(result.statistics.events).toBe(1);
    expect(final(result, 'y[600]')).toBeCloseTo(1.75, 9);
  });
});

describe('as scalars have them', () => {
  const cases: Record<string, string> = {
    'in algebraic variables': `y = {if x[i] < p then x[i] else 2*p - x[i] for i in 1:n}; der(x) = ones(n) - 0.1*y;`,
    'of algebraic variables': `for i in 1:n loop
        y[i] = 2*x[i] - 1; der(x[i]) = if y[i] > 0 then 0.5*x[i] else if y[i] > -0.5 then 1 else 2;
      end for;`,
    'that decide on each other': `for i in 1:n loop
        y[i] = if x[i] > 0.5 then 1 else 0; der(x[i]) = if y[i] > 0.5 then 0.1 else 1;
      end for;`,
    'in each other': `for i in 1:n loop
        y[i] = (if x[i] > 0.4 then x[i] else 0.4); der(x[i]) = if (if x[i] > u then y[i] else 0) > 0.3 then 1.2 else 1;
      end for;`,
    'in chains': `y[1] = u; for i in 2:n loop y[i] = 0.5*y[i-1] + (if y[i-1] > x[i] then 0.1 else 0); end for; der(x) = y;`,
    'of inputs': `for i in 1:n loop der(x[i]) = if u > x[i] then 1 else 0.6; y[i] = if s > 0.5 then x[i] else 0; end for;`,
    'of scalars': `for i in 1:n loop
        y[i] = if time > 0.301 then x[i] else 0; der(x[i]) = if s > 0.6 then 1 else if time > 0.1 then x[i] else 0.5;
      end for;`,
    'at outputs': `for i in 1:n loop y[i] = if x[i] > 0.5 then u else 2*u; end for; der(x) = ones(n);`,
    'in reductions': `y = fill(sum(if x[i] > 0.5 then 1 else 0 for i in 1:n), n); der(x) = ones(n) + y/100;`,
    'of reductions': `for i in 1:n loop der(x[i]) = if n*x[i] > sum(x) + 2*time then 0.5 else 1; y[i] = x[i]; end for;`,
    'of both sides of a boundary': `for i in 1:n loop der(x[i]) = cos(6*time); y[i] = if x[i] >= 0.5 then 1 else -1; end for;`,
  };
  for (const [what, equations] of Object.entries(cases)) {
    test(what, async () => {
      const text = `model M
        parameter Integer n = 9;
        parameter Real p = 0.7;
        Real x[n](start = {i/20 + 0.0031 for i in 1:n}, each fixed = true), y[n];
        Real u(start = 0.3, fixed = true), s;
        discrete Real last(start = 0, fixed = true);
      equation
        ${equations}
        der(u) = 0.3 - 0.2*y[2];
        s = x[4] + y[3];
        when y[5] > 0.6 then last = time; end when;
      end M;`;
      const result = await both(text, options);
      expect(result.status).toBe('done');
      expect(result.statistics.events).toBeGreaterThan(1);
    });
  }

  test('in a wall that melts', async () => {
    const text = `package P
      connector Port Real T; flow Real Q; end Port;
      model Layer "Enthalpy method: temperature rests while it melts"
        Port a, b;
        parameter Real c = 1, L = 0.5, Tm = 1, G = 40;
        Real h(start = 0.2, fixed = true), T;
      equation
        a.Q = 2*G*(a.T - T);
        b.Q = 2*G*(b.T - T);
        der(h) = a.Q + b.Q;
        T = if h < c*Tm then h/c else if h < c*Tm + L then Tm else (h - L)/c;
      end Layer;
      model Source
        Port p;
      equation
        p.T = if time < 0.3 then 3 else 1.5;
      end Source;
      model Wall
        parameter Integer n = 20;
        Layer layer[n](L = {0.5 + 0.01*i for i in 1:n});
        Source s;
      equation
        connect(s.p, layer[1].a);
        for i in 1:n-1 loop connect(layer[i].b, layer[i+1].a); end for;
      end Wall;
    end P;`;
    const result = await both(text, { ...options, stopTime: 2 }, 'P.Wall');
    expect(result.statistics.events).toBeGreaterThan(10);
  });

  test('in if-equations of a class', async () => {
    const text = `package P
      connector Port Real T; flow Real Q; end Port;
      model Cell
        Port a, b;
        parameter Real C = 2;
        Real T(start = 1, fixed = true), k, c;
      equation
        a.Q = 2*k*(a.T - T);
        b.Q = 2*k*(b.T - T);
        c*der(T) = a.Q + b.Q;
        if T > 1.5 then
          c = 2*C; k = 3;
        elseif T > 1.2 then
          k = 2; c = 1.5*C;
        else
          c = C; k = 1 + 0.1*T^2;
        end if;
      end Cell;
      model Source
        Port p;
      equation
        p.T = 3;
      end Source;
      model Rod
        parameter Integer n = 20;
        Cell cell[n](C = {2 + 0.1*i for i in 1:n});
        Source s;
      equation
        connect(s.p, cell[1].a);
        for i in 1:n-1 loop connect(cell[i].b, cell[i+1].a); end for;
      end Rod;
    end P;`;
    const result = await both(text, { ...options, stopTime: 20 }, 'P.Rod');
    expect(result.statistics.events).toBeGreaterThan(10);
  });

  test('in if-equations of a loop', async () => {
    const text = `model M
      parameter Integer n = 20;
      Real x[n](start = {i/n - 0.011 for i in 1:n}, each fixed = true), y[n];
    equation
      for i in 1:n loop
        if x[i] > 1.1 then
          der(x[i]) = 0.5; y[i] = 2*x[i];
        else
          y[i] = 1; der(x[i]) = 1;
        end if;
      end for;
    end M;`;
    const result = await both(text, options);
    for (const i of [1, 13, 20]) {
      const start = i / 20 - 0.011;
      const x = start + 1 < 1.1 ? start + 1 : 1.1 + (start + 1 - 1.1) / 2;
      expect(final(result, `x[${i}]`)).toBeCloseTo(x, 9);
    }
  });

  test('without events where none are asked for', async () => {
    const text = `model M
      parameter Integer n = 9;
      Real x[n](start = {i/20 for i in 1:n}, each fixed = true), y[n], z[n];
    equation
      for i in 1:n loop
        der(x[i]) = noEvent(if x[i] > 0.5 then 1.5 - x[i] else 1);
        y[i] = smooth(1, if x[i] < 0.4 then x[i] else 0.4 + (x[i] - 0.4));
        z[i] = min(x[i], 0.4) + max(y[i], 0.6) + abs(x[i] - 0.5) + sign(x[i]) + (if i > 3 then 1 else 2);
      end for;
    end M;`;
    const result = await both(text, options);
    expect(result.statistics.events).toBe(0);
  });

  test('when initial values depend on them', async () => {
    const text = (more: string): string => `model M
      parameter Integer n = 20;
      Real x[n](start = {i/20 for i in 1:n}, each fixed = true), y[n];
      Real u(start = 0.3, fixed = ${more === ''}), total;
    ${more}
    equation
      for i in 1:n loop y[i] = if x[i] > 0.5*u then 1 else 2; der(x[i]) = y[i]; end for;
      total = sum(y);
      der(u) = total - 30*u;
    end M;`;
    await both(text(''), options);
    await both(text('initial equation der(u) = 0;'), options);
  });

  test('with random boundaries', async () => {
    const boundary = fc.record({
      op: fc.constantFrom('>', '>=', '<', '<='),
      side: fc.constantFrom('x[i]', 'v[i]', 'x[i] + v[i]', 'x[i] - 0.3*i*u', 'y[i]'),
      at: fc.integer({ min: -9, max: 9 }).map((k) => (k / 10 + 0.013).toString()),
      chosen: fc.constantFrom('1', 'v[i]', '-x[i]', 'u'),
      otherwise: fc.constantFrom('0', '-0.5', 'x[i]', '2*u'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(boundary, { minLength: 2, maxLength: 3 }), async (boundaries) => {
        const choices = boundaries.map(
          ({ op, side, at, chosen, otherwise }) =>
            `(if ${side} ${op} ${at} then ${chosen} else ${otherwise})`,
        );
        const text = `model M
          parameter Integer n = 6;
          Real x[n](start = linspace(-0.5, 0.5, n), each fixed = true), v[n](each start = 0.2, each fixed = true);
          Real y[n], w[n], u(start = 0.4, fixed = true);
        equation
          for i in 1:n loop
            y[i] = x[i]*v[i] + 0.3*time - 0.1*i;
            w[i] = ${choices[0]};
            der(x[i]) = v[i] + 0.1*i;
            der(v[i]) = 0.2*w[i] + 0.3*${choices[1]} - x[i]${choices[2] ? ` - 0.1*${choices[2]}` : ''};
          end for;
          der(u) = -u + 0.1*w[2];
        end M;`;
        await both(text, { ...options, stopTime: 2, intervals: 4 });
      }),
      { numRuns: 12, seed: 20260115 },
    );
  });
});

describe('functions of time that swing within a step', () => {
  /** How often `sin(37*i*time)` rises above 0.5 until time 1, by dense sampling. */
  const rises = (i: number): number => {
    let count = 0;
    for (let k = 1, below = true; k <= 200_000; k++) {
      const above = Math.sin((37 * i * k) / 200_000) > 0.5;
      if (above && below) count++;
      below = !above;
    }
    return count;
  };
  const count = 'for i in 1:n loop when s[i] > 0.5 then k[i] = pre(k[i]) + 1; end when; end for;';

  test.each([
    ['an array', 'Real s[n] = sin((1:n)*37*time);', count],
    ['a loop', 'Real s[n];', `for i in 1:n loop s[i] = sin(37*i*time); end for; ${count}`],
    ['one array behind another', 'Real r[n] = sin((1:n)*37*time), s[n] = 2*r - r;', count],
    [
      'a sine of a state',
      'Real x(start = 0, fixed = true), s[n];',
      `der(x) = 1; for i in 1:n loop s[i] = sin(37*i*x); end for; ${count}`,
    ],
    [
      'a relation in a loop',
      'Real s[n] = sin((1:n)*37*time), on[n];',
      `for i in 1:n loop on[i] = if s[i] > 0.5 then 1 else 0; when on[i] > 0.5 then k[i] = pre(k[i]) + 1; end when; end for;`,
    ],
  ])('%s', async (_, declarations, equations) => {
    for (const [method, tolerance, intervals] of [
      ['auto', 1e-6, 500],
      ['bdf', 1e-4, 10],
      ['rk', 1e-3, 2],
    ] as const) {
      const { table } = await simulate(
        loadModel(`model M
          parameter Integer n = 16;
          ${declarations}
          Integer k[n](each start = 0, each fixed = true);
        equation
          ${equations}
        end M;`),
        { method, tolerance, intervals },
      );
      for (const i of [1, 2, 16]) expect(table.value(`k[${i}]`, 1)).toBe(rises(i));
    }
  });
});

describe('what comes to no end', () => {
  const sliding = `model Sliding
    parameter Integer n = 20;
    Real x[n](start = {i/n for i in 1:n}, each fixed = true);
  equation
    for i in 1:n loop der(x[i]) = if x[i] > 0 then -1 else 1; end for;
  end Sliding;`;

  test('is told as scalars tell it', async () => {
    const flat = loadModel(sliding);
    const loops = await simulate(flat, { stopTime: 0.5 });
    const scalars = await simulate(flat, { stopTime: 0.5, scalars: true });
    expect(scalars.status).toBe('failed');
    expect(loops.diagnostics).toEqual(scalars.diagnostics);
  });

  test('slides where that is asked for', async () => {
    const result = await simulate(loadModel(sliding), { stopTime: 1.5, sliding: true });
    expect(result.status).toBe('done');
    expect(final(result, 'x[20]')).toBeCloseTo(0, 9);
  });
});
