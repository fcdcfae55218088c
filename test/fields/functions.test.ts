/** User functions in loops: exact results, the values of the scalars, and what goes wrong in them. */
import { describe, expect, test } from 'vitest';
import { modulesMade } from '../../src/fields/code/wasm.ts';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';
import { compared } from './notation.ts';

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

const library = `
  function polynomial "By the scheme of Horner"
    input Real c[:]; input Real u; output Real v = 0;
  algorithm
    for k in size(c, 1):-1:1 loop v := c[k] + u*v; end for;
  end polynomial;
  function capacity
    input Real T; output Real c;
  protected
    constant Real a[3] = {4, 0.1, 0};
  algorithm
    c := polynomial(a, T);
  end capacity;
  function lookup "Linear between points"
    input Real xs[:]; input Real ys[size(xs, 1)]; input Real x; output Real y;
  protected
    Integer k = 1;
  algorithm
    while k < size(xs, 1) - 1 and x > xs[k + 1] loop k := k + 1; end while;
    y := ys[k] + (x - xs[k])*(ys[k + 1] - ys[k])/(xs[k + 1] - xs[k]);
  end lookup;
  function halves
    input Real a; output Real b; output Real count;
  algorithm
    b := a; count := 0;
    while b > 1 loop b := b/2; count := count + 1; end while;
  end halves;
  function split
    input Real a; output Real s; output Real parts[2];
  algorithm
    parts := if a > 0.3 then {a, 1} else {2*a, a};
    s := parts[1] + parts[2];
  end split;
  function square
    input Real a; output Real b;
  algorithm
    b := a*a;
  end square;`;

describe('with exact results', () => {
  // (4 + 0.1 T) T' = q: 4 T + 0.05 T² grows at the rate q.
  const heated = `package P ${library}
    model Heated
      parameter Integer n = 5;
      Real T[n](each start = 1, each fixed = true), c[n];
    equation
      c = capacity(T);
      for i in 1:n loop capacity(T[i])*der(T[i]) = 1 + i/n; end for;
    end Heated;
  end P;`;
  const temperature = (q: number, t: number): number => {
    const integral = 4.05 + q * t;
    return (Math.sqrt(16 + 0.2 * integral) - 4) / 0.1;
  };

  test('a heat capacity that depends on the temperature, in all sizes with one translation', async () => {
    const simulation = instantiate(heated, { name: 'P.Heated' });
    await simulation.simulate({ stopTime: 1 });
    const made = modulesMade();
    for (const n of [8, 100, 10_000, 5]) {
      const result = await simulation.simulate({ stopTime: 3, tolerance: 1e-9, merge: { n } });
      expect(result.status).toBe('done');
      expect(result.statistics.translations).toBe(0);
      expect(result.statistics.states.length).toBe(n);
      for (const i of [1, Math.ceil(n / 2), n]) {
        const T = temperature(1 + i / n, 3);
        expect(Math.abs(final(result, `T[${i}]`) / T - 1)).toBeLessThan(1e-7);
        expect(Math.abs(final(result, `c[${i}]`) / (4 + 0.1 * T) - 1)).toBeLessThan(1e-7);
      }
    }
    expect(modulesMade()).toBe(made);
    expect(surveyArrays(loadModel(heated, 'P.Heated'))).toEqual({ loops: ['T', 'c'], scalars: [] });
  });

  test('a table', async () => {
    // T' = -(2 T - 1) from T = 2 down to 1, then T' = -T.
    const text = `package P ${library}
      model Table
        parameter Integer n = 100;
        parameter Real xs[:] = {0, 1, 2}, ys[:] = {0, 1, 3};
        Real T[n](each start = 2, each fixed = true);
      equation
        for i in 1:n loop der(T[i]) = -lookup(xs, ys, T[i])*i/n; end for;
      end Table;
    end P;`;
    const flat = loadModel(text, 'P.Table');
    expect(surveyArrays(flat).loops).toEqual(['T']);
    const result = await simulate(flat, { stopTime: 1, tolerance: 1e-10 });
    const reached = Math.log(3) / 2;
    for (const i of [1, 40, 80, 100]) {
      const t = i / 100;
      const T = t < reached ? 1.5 * Math.exp(-2 * t) + 0.5 : Math.exp(-(t - reached));
      expect(Math.abs(final(result, `T[${i}]`) / T - 1)).toBeLessThan(1e-7);
    }
  });

  test('a budget of iterations for each element, not for all together', async () => {
    const text = `model M
      function long
        input Real a; output Real b = 0;
      algorithm
        for k in 1:2000 loop b := b + a/2000; end for;
      end long;
      Real x[6000](each start = 1, each fixed = true);
    equation
      for i in 1:6000 loop der(x[i]) = -long(x[i]); end for;
    end M;`;
    const result = await simulate(loadModel(text), { stopTime: 0.01, intervals: 1, method: 'rk' });
    expect(result.status).toBe('done');
    expect(final(result, 'x[6000]')).toBeCloseTo(Math.exp(-0.01), 7);
  });
});

describe('give what scalars give', () => {
  const cases: Record<string, string> = {
    'in families': 'for i in 1:n loop der(x[i]) = lookup({-2, 0, 3}, {1, p, -1}, x[i]); y[i] = i; end for;',
    'over whole arrays': 'der(x) = -halves(x .+ 3); y = square(x) - capacity(x);',
    'with several outputs': 'for i in 1:n loop (der(x[i]), y[i]) = halves(4 + x[i]); end for;',
    'of which one is not used': 'for i in 1:n loop (, y[i]) = halves(4 + x[i]); end for; der(x) = -y;',
    'in reductions': 'der(x) = -x*sum(halves(x[i] + i) for i in 1:n); y = fill(max(capacity(x)), n);',
    'that give arrays': 'for i in 1:n loop (y[i], pair[i,:]) = split(x[i]); der(x[i]) = -pair[i,2]; end for;',
    'of arrays': 'for i in 2:n loop der(x[i]) = polynomial(x[i-1:i], x[1]); end for; der(x[1]) = 1; y = -x;',
    'of functions': 'for i in 1:n loop y[i] = halves(capacity(square(x[i]))); der(x[i]) = y[i]; end for;',
    'of what all elements share':
      'for i in 1:n loop y[i] = x[i]*halves(p + time); der(x[i]) = -y[i]; end for;',
    'in chains': 'y[1] = u; for i in 2:n loop y[i] = halves(y[i-1] + 1.5) + x[i]; end for; der(x) = -y;',
    'at outputs': 'for i in 1:n loop y[i] = halves(5 + x[i] + u); end for; der(x) = -x; s = y[3];',
  };
  for (const [what, equations] of Object.entries(cases)) {
    test(what, async () => {
      const { leftOut, difference, unforeseen } = await compared(
        `package P ${library}
          model M
            parameter Integer n = 6;
            parameter Real p = 2.5, k[n] = {capacity(i) for i in 1:n};
            Real x[n](start = {0.2*halves(i) for i in 1:n}), y[n], z[n] = k.*x;
            Real u(start = 0.3), s;
            ${equations.includes('pair') ? 'Real pair[n,2];' : ''}
          equation
            ${equations}
            der(u) = -u;
            ${equations.includes('s = ') ? '' : 's = x[2];'}
          end M;
        end P;`,
        {},
        'P.M',
      );
      expect(leftOut).toEqual([]);
      expect(difference).toBeLessThan(1e-12);
      expect(unforeseen).toEqual([]);
    });
  }

  test('in components', async () => {
    const text = `package P ${library}
      connector Port Real T; flow Real Q; end Port;
      model Cell
        Port a, b;
        parameter Real m = 2;
        Real T(start = 1, fixed = true);
      equation
        a.Q = 3*(a.T - T);
        b.Q = 3*(b.T - T)*lookup({0, 1, 9}, {1, 2, 1.5}, T);
        m*capacity(T)*der(T) = a.Q + b.Q;
      end Cell;
      model Source
        Port p;
      equation
        p.T = 5;
      end Source;
      model Rod
        parameter Integer n = 20;
        Cell c[n](m = {2 + 0.1*i for i in 1:n});
        Source s;
      equation
        connect(s.p, c[1].a);
        for i in 1:n-1 loop connect(c[i].b, c[i+1].a); end for;
      end Rod;
    end P;`;
    const flat = loadModel(text, 'P.Rod');
    expect(surveyArrays(flat).scalars).toEqual([]);
    const options = { stopTime: 5, tolerance: 1e-9, intervals: 5 };
    const loops = await simulate(flat, options);
    const scalars = await simulate(flat, { ...options, scalars: true });
    for (const name of ['c[1].T', 'c[2].T', 'c[20].T', 'c[3].b.Q', 'der(c[4].T)'])
      expect(Math.abs(final(loops, name) - final(scalars, name))).toBeLessThan(1e-7);
  });

  test('where a mass is zero in one run, scalars compute it', async () => {
    const simulation = instantiate(
      `package P ${library}
        model M
          parameter Integer n = 20;
          parameter Real m[n] = fill(1, n);
          Real T[n](each start = 1);
        equation
          for i in 1:n loop m[i]*capacity(T[i])*der(T[i]) = 2 - T[i]; end for;
        end M;
      end P;`,
      { name: 'P.M' },
    );
    const first = await simulation.simulate({ stopTime: 1, tolerance: 1e-9 });
    const m = Array.from({ length: 20 }, (_, i) => (i === 0 ? 0 : 1));
    const second = await simulation.simulate({ stopTime: 1, tolerance: 1e-9, merge: { m } });
    expect(final(second, 'T[1]')).toBeCloseTo(2, 9);
    expect(final(second, 'T[2]')).toBeCloseTo(final(first, 'T[2]'), 7);
  });
});

test('where a function vanishes that was divided by, scalars are asked', async () => {
  const text = `model M
    function window
      input Real x; output Real k = 0;
    algorithm
      while k < 1 and x < 0.5 loop k := k + 0.5; end while;
    end window;
    Real x[20](each start = 0, each fixed = true), y[20];
  equation
    der(x) = ones(20);
    for i in 1:20 loop window(x[i])*y[i] = 1; end for;
  end M;`;
  const flat = loadModel(text);
  expect(surveyArrays(flat).loops).toEqual(['x', 'y']);
  const half = await simulate(flat, { stopTime: 0.4 });
  expect(half.status).toBe('done');
  expect(final(half, 'y[1]')).toBe(1);
  const loops = await simulate(flat, { stopTime: 1 });
  const scalars = await simulate(flat, { stopTime: 1, scalars: true });
  expect(loops.diagnostics).toEqual(scalars.diagnostics);
  expect(loops.status).toBe(scalars.status);
});

describe('what goes wrong', () => {
  const withFunction = (algorithm: string, rate = '-f(x[i])'): string => `model M
    function f
      input Real a; output Real b;
    protected
      Real t[2] = {1, 2};
    algorithm
      ${algorithm}
    end f;
    parameter Real p = -1;
    Real x[20](start = linspace(1, 2, 20), each fixed = true);
  equation
    for i in 1:20 loop der(x[i]) = ${rate}; end for;
  end M;`;
  const cases: Record<string, string> = {
    'an assertion': 'assert(a > 0.5, "too small"); b := 1;',
    'an assertion that tells values': 'assert(a > 0.5, "too small: " + String(a > 0.5)); b := 1;',
    'a subscript': 'b := t[if a > 0.5 then 2 else 3];',
    'a loop without end': 'b := 1; while a < 0.5 loop b := 1; end while;',
  };
  for (const [what, algorithm] of Object.entries(cases)) {
    test(`${what} is told as scalars tell it`, async () => {
      const flat = loadModel(withFunction(algorithm));
      expect(surveyArrays(flat).loops).toEqual(['x']);
      const loops = await simulate(flat, { stopTime: 1 });
      const scalars = await simulate(flat, { stopTime: 1, scalars: true });
      expect(loops.status).toBe('failed');
      const [own, other] = [loops.diagnostics.at(-1)!, scalars.diagnostics.at(-1)!];
      expect(own.code).toBe(other.code);
      expect(own.span).toEqual(other.span);
      const words = (message: string): string => message.replace(/[\d.e-]+/g, '#');
      expect(words(own.message)).toBe(words(other.message));
    });
  }

  test('what is not chosen is not called', async () => {
    const text = withFunction(
      'assert(a > 0, "negative"); b := a;',
      'noEvent(if x[i] > 0 then -x[i] else f(p))',
    );
    const result = await simulate(loadModel(text), { stopTime: 1, tolerance: 1e-9 });
    expect(result.status).toBe('done');
    expect(final(result, 'x[20]')).toBeCloseTo(2 * Math.exp(-1), 7);
  });

  test('functions of one name in two models are two functions', async () => {
    for (const factor of [1, 3]) {
      const text = withFunction(`b := 0; for k in 1:${factor} loop b := b + a; end for;`);
      const result = await simulate(loadModel(text), { stopTime: 1, tolerance: 1e-9 });
      expect(final(result, 'x[1]')).toBeCloseTo(Math.exp(-factor), 7);
    }
  });
});
