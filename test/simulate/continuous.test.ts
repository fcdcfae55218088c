/** Ordinary models against closed forms: components, arrays, functions, algebraic loops, index reduction. */
import { describe, expect, test } from 'vitest';
import type { Method } from '../../src/index.ts';
import { close, done, example } from './notation.ts';

describe.each<Method>(['auto', 'rk', 'bdf', 'radau'])('method %s', (method) => {
  test('decay', async () => {
    const { table } = await done(
      'model Decay Real x(start = 1, fixed = true); equation der(x) = -2*x; end Decay;',
      { method, tolerance: 1e-9 },
    );
    for (const t of [0.1, 0.35, 1]) close(table.value('x', t), Math.exp(-2 * t), 1e-5);
    close(table.value('x', 1), Math.exp(-2));
  });

  test('RLC circuit', async () => {
    const { table, statistics } = await done(example('RLC'), {
      model: 'RLC.Circuit',
      method,
      tolerance: 1e-9,
    });
    // L q'' + R q' + q/C = V from t0 = 0.1 on: damping 100/s, natural frequency sqrt(1e5) rad/s.
    const [v, l, r, c] = [10, 0.1, 20, 1e-4];
    const a = r / (2 * l);
    const w = Math.sqrt(1 / (l * c) - a * a);
    const step = (t: number) => v * (1 - Math.exp(-a * t) * (Math.cos(w * t) + (a / w) * Math.sin(w * t)));
    for (const t of [0.1012, 0.11, 0.15, 0.2]) close(table.value('capacitor.v', t), step(t - 0.1), 2e-6);
    expect(table.value('capacitor.v', 0.05)).toBe(0);
    expect(statistics.unknowns).toBe(statistics.equations);
    expect(statistics.states).toEqual(['inductor.i', 'capacitor.v']);
  });

  test('heat rod', async () => {
    const { table } = await done(example('HeatRod'), { method, stopTime: 400, set: { n: 10 } });
    // Linear profile in the steady state.
    for (let k = 1; k <= 10; k++) close(table.value(`T[${k}]`, 400), 373.15 - 80 * ((k - 0.5) / 10), 1e-6);
  });

  test('algebraic loops: a linear and a nonlinear one', async () => {
    const { table } = await done(
      `model Loops
         Real x(start = 1, fixed = true), a, b, c, u, v;
       equation
         der(x) = -a;
         a + b + c = 6*x;
         a - b + 2*c = 5*x;
         2*a + b - c = x;
         u^3 + v = 2 + time;
         u - v^3 = 0;
       end Loops;`,
      { method },
    );
    close(table.value('a', 1) / table.value('x', 1), 1, 1e-9);
    close(table.value('b', 1) / table.value('x', 1), 2, 1e-9);
    close(table.value('c', 1) / table.value('x', 1), 3, 1e-9);
    close(table.value('x', 1), Math.exp(-1));
    close(table.value('u', 0), 1, 1e-10);
    const [u, v] = [table.value('u', 1), table.value('v', 1)];
    close(u ** 3 + v, 3, 1e-10);
    close(u, v ** 3, 1e-10);
  });

  test('the Jacobian goes through algebraic systems: a stiff model with a loop', async () => {
    const { table } = await done(
      `model StiffLoop
         Real x(start = 1, fixed = true), y(start = 0, fixed = true), r, s;
       equation
         der(x) = -1000*(x - r);
         der(y) = -y + s;
         r + r^3 + s = cos(time) + cos(time)^3 + y;
         s - y = (r - cos(time))/2;
       end StiffLoop;`,
      { method, stopTime: 2 },
    );
    // r = cos(t), s = y: x follows cos(t), y stays 0.
    close(table.value('r', 2), Math.cos(2), 1e-8);
    const exact = (t: number) => (1e6 * Math.cos(t) + 1000 * Math.sin(t)) / (1e6 + 1);
    close(table.value('x', 2), exact(2), 1e-5);
  });
});

describe('functions', () => {
  test('with loops, arrays, several results and recursion', async () => {
    const { table } = await done(
      `package F
         function poly "Horner"
           input Real c[:];
           input Real x;
           output Real y = 0;
         algorithm
           for k in size(c, 1):-1:1 loop
             y := y*x + c[k];
           end for;
         end poly;
         function minmax
           input Real u[3];
           output Real lo, hi;
         algorithm
           lo := min(u);
           hi := max(u);
         end minmax;
         function fib
           input Integer n;
           output Integer f;
         algorithm
           if n < 2 then f := n; else f := fib(n - 1) + fib(n - 2); end if;
         end fib;
         model Test
           Real x(start = 0, fixed = true), lo, hi;
           Integer f = fib(10);
         equation
           der(x) = poly({1, 2, 3}, time);
           (lo, hi) = minmax({x, time, -1});
         end Test;
       end F;`,
      { stopTime: 1 },
    );
    close(table.value('x', 1), 3, 1e-9);
    expect(table.value('lo', 1)).toBe(-1);
    close(table.value('hi', 1), 3, 1e-9);
    expect(table.value('f', 1)).toBe(55);
  });

  test('are differentiated when the index asks for it', async () => {
    const { table, modes } = await done(
      `package G
         function position
           input Real t;
           output Real p;
         protected
           Real s;
         algorithm
           s := sin(t);
           p := s*s + t;
         end position;
         model Driven
           Real x, v, F;
         equation
           x = position(time);
           der(x) = v;
           2*der(v) = F;
         end Driven;
       end G;`,
      { stopTime: 1 },
    );
    expect(modes[0]!.index).toBe(3);
    close(table.value('v', 1), Math.sin(2) + 1, 1e-9);
    close(table.value('F', 1), 4 * Math.cos(2), 1e-9);
  });
});

describe('arrays', () => {
  test('matrix equations of a linear system', async () => {
    const { table } = await done(
      `model Lti
         parameter Real A[2, 2] = [0, 1; -4, 0];
         Real x[2](start = {1, 0}, each fixed = true);
         Real y;
       equation
         der(x) = A*x;
         y = {1, 1}*x;
       end Lti;`,
      { stopTime: 2, tolerance: 1e-10 },
    );
    close(table.value('x[1]', 2), Math.cos(4), 1e-7);
    close(table.value('x[2]', 2), -2 * Math.sin(4), 1e-7);
    close(table.value('y', 2), Math.cos(4) - 2 * Math.sin(4), 1e-7);
  });

  test('arrays of components, connected in a loop', async () => {
    const { table, statistics } = await done(
      `package Chain
         connector Port
           Real T;
           flow Real Q;
         end Port;
         model Cell
           Port a, b;
           Real T(start = 0, fixed = true);
         equation
           der(T) = a.Q + b.Q;
           a.Q = 10*(a.T - T);
           b.Q = 10*(b.T - T);
         end Cell;
         model Wall
           Port p;
           parameter Real T;
         equation
           p.T = T;
         end Wall;
         model Rod
           parameter Integer n = 5;
           Cell c[n];
           Wall left(T = 1), right(T = 0);
         equation
           connect(left.p, c[1].a);
           for i in 1:n - 1 loop
             connect(c[i].b, c[i + 1].a);
           end for;
           connect(c[n].b, right.p);
         end Rod;
       end Chain;`,
      { stopTime: 60, set: { n: 8 } },
    );
    expect(statistics.states).toHaveLength(8);
    for (let k = 1; k <= 8; k++) close(table.value(`c[${k}].T`, 60), 1 - (k - 0.5) / 8, 1e-6);
  });
});

describe('the interpreter and WebAssembly give the same trajectories', () => {
  test.each(['RLC', 'IdealClutch', 'BouncingBall', 'BreakingPendulum', 'HeatRod'])('%s', async (name) => {
    const text = example(name);
    const compiled = await done(text, { intervals: 50 });
    const interpreted = await done(text, { intervals: 50, interpret: true });
    expect(interpreted.statistics.steps).toBe(compiled.statistics.steps);
    expect(interpreted.table.time.length).toBe(compiled.table.time.length);
    for (const signal of compiled.table.names) {
      const [a, b] = [compiled.table.get(signal), interpreted.table.get(signal)];
      for (let k = 0; k < a.length; k++) {
        if (Number.isNaN(a[k]!)) expect(b[k]).toBeNaN();
        else expect(Math.abs(a[k]! - b[k]!)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a[k]!)));
      }
    }
  });
});

describe('constraints between states that the structure hides', () => {
  const circuit = (parts: string, connects: string) => `package Circuits
      connector Pin Real v; flow Real i; end Pin;
      partial model Two Pin p, n; Real v, i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end Two;
      model R extends Two; parameter Real R = 1; equation v = R*i; end R;
      model C extends Two; parameter Real C = 1; equation C*der(v) = i; end C;
      model L extends Two; parameter Real L = 1; equation L*der(i) = v; end L;
      model V extends Two; parameter Real V = 1; equation v = V; end V;
      model G Pin p; equation p.v = 0; end G;
      model Test
        V s;
        R r, r2;
        G g;
        ${parts}
      equation
        connect(s.n, g.p);
        connect(s.p, r.p);
        connect(r2.n, g.p);
        ${connects}
      end Test;
    end Circuits;`;
  const run = (parts: string, connects: string) =>
    done(circuit(parts, connects), { model: 'Circuits.Test', stopTime: 1 });

  test.each([
    ['in parallel', 'connect(c1.p, c2.p); connect(c1.n, c2.n);', 1],
    ['the other way round', 'connect(c1.p, c2.n); connect(c1.n, c2.p);', -1],
  ])('two capacitors %s, far from ground', async (_, between, sign) => {
    const { table, modes } = await run(
      'C c1(v(start = 0, fixed = true)), c2(C = 2);',
      `connect(r.n, c1.p); connect(c1.n, r2.p); ${between}`,
    );
    close(table.value('c1.v', 1), 1 - Math.exp(-1 / 6));
    close(table.value('c2.v', 1), sign * (1 - Math.exp(-1 / 6)));
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([[1, 2]]);
  });

  test('capacitors in a triangle', async () => {
    const { table, modes } = await run(
      'C c1(C = 2, v(start = 0, fixed = true)), c2(C = 2, v(start = 0, fixed = true)), c3;',
      'connect(r.n, c1.p); connect(c1.n, c2.p); connect(c2.n, r2.p); connect(c3.p, c1.p); connect(c3.n, c2.n);',
    );
    // 2 F and 2 F in series, with 1 F beside them.
    close(table.value('c3.v', 1), 1 - Math.exp(-1 / 4));
    close(table.value('c1.v', 1), (1 - Math.exp(-1 / 4)) / 2);
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([[2, 2]]);
  });

  test('a source across a capacitor', async () => {
    const { table, modes } = await run(
      'C c(C = 2); V b(V = 3);',
      'connect(r.n, c.p); connect(c.n, r2.p); connect(b.p, c.p); connect(b.n, c.n);',
    );
    close(table.value('c.v', 1), 3);
    close(table.value('r.i', 1), -1);
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([[0, 2]]);
  });

  test('inductors on both sides of two resistors', async () => {
    const { table, modes } = await run(
      'L a(i(start = 0, fixed = true)), b; R ra, rb(R = 3);',
      'connect(r.n, a.p); connect(a.n, ra.p); connect(a.n, rb.p); connect(ra.n, b.p); connect(rb.n, b.p); connect(b.n, r2.p);',
    );
    // 2 H and 1 + 0.75 + 1 Ohm.
    close(table.value('a.i', 1), (1 - Math.exp(-2.75 / 2)) / 2.75);
    close(table.value('rb.i', 1), (1 - Math.exp(-2.75 / 2)) / 2.75 / 4);
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([[1, 2]]);
  });
});

test.each([0, 0.01])('systems along a chain lose no digits by tearing: cubic terms %d', async (cubic) => {
  // x[i] = sin(i) by construction; each follows from two before it with errors that multiply by 2.6.
  const n = 40;
  const { table } = await done(
    `model Chain
      parameter Integer n = ${n};
      parameter Real a = ${3 - 2 * Math.cos(1)}, b = ${cubic};
      Real x[n];
    equation
      3*x[1] + b*x[1]^3 - x[2] = a*sin(1) + b*sin(1)^3;
      for i in 2:n-1 loop -x[i-1] + 3*x[i] + b*x[i]^3 - x[i+1] = a*sin(i) + b*sin(i)^3; end for;
      -x[n-1] + 3*x[n] + b*x[n]^3 = a*sin(n) + b*sin(n)^3 + sin(n + 1);
    end Chain;`,
    { scalars: true, stopTime: 1, intervals: 2 },
  );
  for (let i = 1; i <= n; i++) close(table.value(`x[${i}]`, 1), Math.sin(i), 1e-9);
});

describe('a step that is large beside what systems of equations do in it', () => {
  test.each([
    ['a root', 'z^2 = 1.2 + cos(phi)', 1.5, 5, (phi: number) => Math.sqrt(1.2 + Math.cos(phi))],
    [
      'a cylinder on a lever',
      'z^2 = 1.64 - 1.6*cos(phi)',
      0.2,
      25,
      (phi: number) => Math.sqrt(1.64 - 1.6 * Math.cos(phi)),
    ],
    [
      'the angle of a linkage',
      '(cos(phi) + 1.5)*sin(z) = sin(phi)*cos(z)',
      0,
      25,
      (phi: number) => Math.atan2(Math.sin(phi), Math.cos(phi) + 1.5),
    ],
  ])('stays on the solution that it began on: %s', async (_, equation, start, w, solution) => {
    for (const method of ['auto', 'rk', 'bdf', 'radau'] as const) {
      const { table } = await done(
        `model Branch
          Real phi(start = 0, fixed = true), z(start = ${start});
        equation
          der(phi) = ${w};
          ${equation};
        end Branch;`,
        { method, stopTime: 2, tolerance: 1e-6 },
      );
      for (const time of table.time) close(table.value('z', time), solution(w * time), 1e-6);
    }
  });
});
