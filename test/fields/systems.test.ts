/** Systems of linear equations through arrays: exact solutions, the values of the scalars, and what is no such system. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modulesMade } from '../../src/fields/code/wasm.ts';
import { BandedSolver } from '../../src/fields/run/banded.ts';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';
import { compared } from './notation.ts';

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

describe('with exact solutions', () => {
  test('a loaded string, in all sizes with one translation', async () => {
    // -x[i-1] + 2 x[i] - x[i+1] = f, zero beyond both ends: x[i] = f i (n + 1 - i)/2.
    const text = `model LoadedString
      parameter Integer n = 6;
      Real x[n], f = 1 + time;
    equation
      2*x[1] - x[2] = f;
      for i in 2:n-1 loop -x[i-1] + 2*x[i] - x[i+1] = f; end for;
      2*x[n] - x[n-1] = f;
    end LoadedString;`;
    const simulation = instantiate(text);
    await simulation.simulate({ stopTime: 1, intervals: 2 });
    const made = modulesMade();
    for (const n of [5, 8, 100, 10_000]) {
      const result = await simulation.simulate({ stopTime: 1, intervals: 2, merge: { n } });
      expect(result.status).toBe('done');
      expect(result.statistics.translations).toBe(0);
      for (const i of [1, 2, Math.ceil(n / 2), n])
        expect(Math.abs(final(result, `x[${i}]`) / (i * (n + 1 - i)) - 1)).toBeLessThan(n * n * 1e-15);
    }
    expect(modulesMade()).toBe(made);
    expect(surveyArrays(loadModel(text)).loops).toEqual(['x']);
  });

  test('a matrix of masses', async () => {
    // Linear elements of u' = u'': a sine decays at a rate that is known.
    const n = 20;
    const text = `model Elements
      parameter Integer n = ${n};
      parameter Real h = 1/(n + 1);
      Real u[n](start = {sin(Modelica.Constants.pi*i*h) for i in 1:n}, each fixed = true);
    equation
      (4*der(u[1]) + der(u[2]))/6 = (u[2] - 2*u[1])/h^2;
      for i in 2:n-1 loop (der(u[i-1]) + 4*der(u[i]) + der(u[i+1]))/6 = (u[i-1] - 2*u[i] + u[i+1])/h^2; end for;
      (der(u[n-1]) + 4*der(u[n]))/6 = (u[n-1] - 2*u[n])/h^2;
    end Elements;`.replace('Modelica.Constants.pi', `${Math.PI}`);
    const flat = loadModel(text);
    expect(surveyArrays(flat).loops).toEqual(['u']);
    const result = await simulate(flat, { stopTime: 0.1, tolerance: 1e-9 });
    const angle = Math.PI / (n + 1);
    const rate = ((2 - 2 * Math.cos(angle)) * (n + 1) ** 2) / ((4 + 2 * Math.cos(angle)) / 6);
    for (const i of [1, 10, 20])
      expect(final(result, `u[${i}]`)).toBeCloseTo(Math.sin(i * angle) * Math.exp(-rate * 0.1), 7);
  });

  test('a ladder of resistors', async () => {
    // One in series and one across, again and again: its resistance is that of the golden ratio.
    const text = `package P
      connector Pin Real v; flow Real i; end Pin;
      model Rung
        Pin a, b;
      equation
        a.v - b.v = a.i;
        a.i + b.i = b.v;
      end Rung;
      model Source
        Pin p;
      equation
        p.v = 1;
      end Source;
      model Ladder
        parameter Integer n = 40;
        Rung r[n];
        Source s;
      equation
        connect(s.p, r[1].a);
        for k in 1:n-1 loop connect(r[k].b, r[k+1].a); end for;
      end Ladder;
    end P;`;
    const flat = loadModel(text, 'P.Ladder');
    expect(surveyArrays(flat).scalars).toEqual([]);
    const result = await simulate(flat, { stopTime: 1, intervals: 1 });
    expect(final(result, 'r[1].a.i')).toBeCloseTo(2 / (1 + Math.sqrt(5)), 12);
    expect(final(result, 's.p.i')).toBeCloseTo(-2 / (1 + Math.sqrt(5)), 12);
  });

  test('a ladder to its far end: loops do not begin with a guess at the near one', async () => {
    // Backwards from 1 A in the last rung, currents and voltages are sums of what lies behind: Fibonacci numbers.
    const n = 60;
    const resistors = `connector Pin Real v; flow Real i; end Pin;
      model Resistor
        parameter Real R = 1;
        Pin p, n;
        Real v, i;
      equation
        v = p.v - n.v;
        i = p.i;
        p.i + n.i = 0;
        v = R*i;
      end Resistor;
      model Source
        parameter Real V = 0;
        Pin p;
      equation
        p.v = V;
      end Source;`;
    const ladder = (x: string, source: string) =>
      `connect(${source}.p, ${x}r[1].p);
      for k in 1:n-1 loop connect(${x}r[k].n, ${x}r[k+1].p); end for;
      for k in 1:n loop connect(${x}r[k].n, ${x}g[k].p); connect(${x}g[k].n, zero.p); end for;`;
    const text = `package P
      ${resistors}
      model Ladders
        parameter Integer n = ${n};
        Resistor r[n], g[n], yr[n], yg[n];
        Source one(V = 1), ten(V = 10), zero;
      equation
        ${ladder('', 'one')}
        ${ladder('y', 'ten')}
      end Ladders;
    end P;`;
    const flat = loadModel(text, 'P.Ladders');
    expect(surveyArrays(flat).scalars).toEqual([]);
    const result = await simulate(flat, { stopTime: 1, intervals: 1 });
    expect(result.status).toBe('done');
    const currents: number[] = [];
    let [voltage, current] = [1, 0];
    for (let k = n; k >= 1; k--) {
      current += voltage;
      currents[k] = current;
      voltage += current;
    }
    for (let k = 1; k <= n; k++) {
      expect((final(result, `r[${k}].i`) * voltage) / currents[k]!).toBeCloseTo(1, 10);
      expect((final(result, `yr[${k}].i`) * voltage) / currents[k]!).toBeCloseTo(10, 9);
    }
  });

  test('sums along a chain stay loops, whatever closes them', async () => {
    const text = `package P
      connector Port Real p; flow Real m; end Port;
      model Pipe
        Port a, b;
      equation
        a.p - b.p = 0.5*a.m;
        a.m + b.m = 0;
      end Pipe;
      model Tank
        parameter Real p0;
        Port port;
      equation
        port.p = p0;
      end Tank;
      model Line
        parameter Integer n = 50;
        Pipe s[n];
        Tank a(p0 = 20), b(p0 = 10);
      equation
        connect(a.port, s[1].a);
        for k in 1:n-1 loop connect(s[k].b, s[k+1].a); end for;
        connect(s[n].b, b.port);
      end Line;
    end P;`;
    const flat = loadModel(text, 'P.Line');
    expect(surveyArrays(flat).scalars).toEqual([]);
    const result = await simulate(flat, { stopTime: 1, intervals: 1 });
    expect(final(result, 's[25].b.p')).toBeCloseTo(15, 12);
    expect(final(result, 'b.port.m')).toBeCloseTo(0.4, 12);
  });
});

describe('give what scalars give', () => {
  const cases: Record<string, string> = {
    'with given ends':
      'y[1] = u; y[n] = x[2]; for i in 2:n-1 loop 3*y[i] = y[i-1] + y[i+1] + x[i]; end for; der(x) = -y;',
    'with coefficients that change': `for i in 2:n-1 loop y[i-1] + (3 + x[i]^2)*y[i] + sin(time)*y[i+1] = x[i]*u; end for;
      2*y[1] + y[2] = 1; y[n] + 0.3*y[n-1] = u; der(x) = y;`,
    'of five diagonals': `for i in 3:n-2 loop y[i-2] + y[i-1] + 7*y[i] + y[i+1] + 2*y[i+2] = x[i]; end for;
      y[1] = 0; 3*y[2] - y[3] = 1; y[n] = u; y[n-1] = 2*y[n-2]; der(x) = -y;`,
    'of two arrays': `for i in 2:n loop y[i] - y[i-1] = 0.5*z[i]; end for; for i in 1:n-1 loop z[i+1] - z[i] = y[i] + x[i]; end for;
      y[1] = 2*z[1] + u; z[n] = 1 - y[n]; der(x) = -y;`,
    'in branches': `2*y[1] - y[2] = u; for i in 2:n-1 loop (if x[i] > 0.31 then 4 else 3)*y[i] = y[i-1] + y[i+1] + x[i]; end for;
      2*y[n] - y[n-1] = 0; der(x) = y;`,
    'read one by one': `2*y[1] - y[2] = u; for i in 2:n-1 loop 3*y[i] = y[i-1] + y[i+1] + time; end for; 2*y[n] - y[n-1] = s;
      der(x) = -x; s = 0.1*y[3] + u;`,
  };
  for (const [what, equations] of Object.entries(cases)) {
    test(what, async () => {
      const { leftOut, difference, unforeseen } = await compared(`model M
        parameter Integer n = 7;
        Real x[n](start = {0.1*i for i in 1:n}), y[n], z[n]${equations.includes('z[') ? '' : ' = x'};
        Real u(start = 0.3), s${equations.includes('s =') ? '' : ' = y[2] + x[3]'};
      equation
        ${equations}
        der(u) = -u + 0.1*y[4];
      end M;`);
      expect(leftOut).toEqual([]);
      expect(difference).toBeLessThan(1e-11);
      expect(unforeseen).toEqual([]);
    });
  }

  test('where a matrix is singular', async () => {
    const text = `model M
      Real y[20];
    equation
      0.1*(y[1] - y[2]) = time;
      for i in 2:19 loop -0.1*i*(y[i-1] - y[i]) + 0.7*(y[i] - y[i+1]) = 0; end for;
      y[20] - y[19] = 0;
    end M;`;
    const flat = loadModel(text);
    const loops = await simulate(flat, { stopTime: 1 });
    const scalars = await simulate(flat, { stopTime: 1, scalars: true });
    expect(loops.diagnostics).toEqual(scalars.diagnostics);
  });
});

test('unknowns of a cell depend on that cell alone', async () => {
  // Conductances of any sign: no formula divides by them, and the matrix has a block for each cell.
  const { field, leftOut, difference, component } = await compared(`model M
    parameter Integer n = 6;
    Real T[n](start = {i for i in 1:n}, each fixed = true), Tm[n], Q[n], G[n];
  equation
    for i in 1:n loop
      Q[i] = G[i]*(Tm[i] - T[i]); Q[i] + 2*(Tm[i] - time) = 0; der(T[i]) = Q[i]; G[i] = 3 - 0.1*T[i];
    end for;
  end M;`);
  expect(leftOut).toEqual([]);
  expect(field!.kernels.some(({ system }) => system)).toBe(true);
  expect(difference).toBeLessThan(1e-12);
  expect(component.pattern().derivativesByStates!.rows).toEqual(Int32Array.from([0, 1, 2, 3, 4, 5]));
});

describe('are left to the scalar part', () => {
  test.each([
    [
      'products of unknowns',
      'for i in 2:n-1 loop y[i] = 0.1*y[i-1]*y[i+1] + 1; end for; y[1] = 1; y[n] = 1;',
    ],
    ['systems without a band', 'for i in 1:n loop y[i] = 0.01*sum(y) + 1; end for;'],
  ])('%s', async (_, equations) => {
    const { leftOut } = await compared(
      `model M parameter Integer n = 6; Real y[n](each start = 1); equation ${equations} end M;`,
    );
    expect(leftOut.join()).toContain('depend on each other');
  });
});

test('a band is solved as a full matrix is', () => {
  const band = fc.record({
    n: fc.integer({ min: 1, max: 12 }),
    lower: fc.integer({ min: 0, max: 3 }),
    upper: fc.integer({ min: 0, max: 3 }),
    seed: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 100, maxLength: 100 }),
  });
  fc.assert(
    fc.property(band, ({ n, lower, upper, seed }) => {
      // Rows in another order: the largest entries are not on the diagonal.
      const entry = (i: number, j: number): number => {
        if (j < i - lower || j > i + upper || j < 0 || j >= n) return 0;
        const anywhere = seed[(i * 7 + j * 13) % 100]!;
        return j === Math.min(n - 1, i + (lower > 0 && upper > 0 ? 1 : 0)) ? 100 + anywhere : anywhere;
      };
      const solution = Array.from({ length: n }, (_, j) => seed[(j * 31) % 100]! / 4);
      const solver = new BandedSolver(n, lower, upper);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) {
          if (entry(i, j) !== 0) solver.add(solver.place(i, j), entry(i, j));
          solver.addRight(i, entry(i, j) * solution[j]!);
        }
      }
      const found = solver.solve().slice();
      // What a nearly singular matrix leaves open does not count: the residual does.
      for (let i = 0; i < n; i++) {
        let residual = 0;
        let size = 1;
        for (let j = 0; j < n; j++) {
          residual += entry(i, j) * (found[j]! - solution[j]!);
          size = Math.max(size, Math.abs(entry(i, j) * found[j]!));
        }
        if (lower === 0 || upper === 0 || found.every(Number.isFinite))
          expect(Math.abs(residual) / size).toBeLessThan(1e-9);
      }
    }),
    { numRuns: 300, seed: 20260115 },
  );
});
