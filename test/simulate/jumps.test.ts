/** What jumps at events while the mode stays, what is conserved, and what holds when an impulse is over: closed forms. */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, done, run } from './notation.ts';

/** Sum of the impulses of a variable at a time. */
function impulse({ impulses }: SimulationResult, variable: string, time: number): number {
  const own = impulses.filter((i) => i.variable === variable && Math.abs(i.time - time) < 1e-9);
  return own.reduce((sum, i) => sum + i.weight, 0);
}

const warnings = ({ diagnostics }: SimulationResult) =>
  diagnostics.filter((d) => d.severity === 'warning').map((d) => d.code);

describe('bends of a prescribed path', () => {
  // Speeds 0, 1, 3, 2: abs, min and max bend at 1, 1.5 and 0.5.
  test.each([
    ['of functions of time', 'abs(1 - time) + min(time, 1.5) + max(0, time - 0.5)'],
    ['of functions of a variable', 'abs(1 - s) + min(s, 1.5) + max(0, s - 0.5)'],
    ['one inside the other', 'max(abs(1 - s) + s + max(s - 0.5, 0), -1) - max(0, s - 1.5)'],
  ])('%s have their impulses', async (_, path) => {
    const result = await done(
      `model Path
         Real x, v, F, p(start = 0, fixed = true), s(start = 0, fixed = true);
       equation
         der(s) = 1;
         x = ${path};
         der(x) = v;
         der(v) = F;
         der(p) = F;
       end Path;`,
      { stopTime: 2 },
    );
    for (const [time, weight] of [
      [0.5, 1],
      [1, 2],
      [1.5, -1],
    ] as const) {
      const own = result.impulses.filter((i) => i.variable === 'F' && Math.abs(i.time - time) < 1e-6);
      close(
        own.reduce((sum, i) => sum + i.weight, 0),
        weight,
      );
    }
    close(result.table.value('v', 0.25), 0);
    close(result.table.value('v', 1.25), 3);
    close(result.table.value('p', 2), 2);
  });

  test('cause no events where nothing is differentiated', async () => {
    const { statistics } = await done(
      `model Plain
         Real x(start = 1, fixed = true), y;
       equation
         der(x) = -1;
         y = abs(x);
       end Plain;`,
      { stopTime: 2 },
    );
    expect(statistics.events).toBe(0);
  });
});

describe('what stands inside der is conserved', () => {
  test.each([
    [
      'a discrete factor',
      'discrete Real C(start = 1, fixed = true);',
      'when time >= 1 then C = 2; end when;',
      'C*v',
    ],
    ['a condition', '', '', '(if time < 1 then 1 else 2)*v'],
    ['a variable that switches', 'Real C = if time < 1 then 1 else 2;', '', 'C*v'],
    ['a state event', 'Real s(start = 0, fixed = true);', 'der(s) = 1;', '(if s > 1 then 2 else 1)*v'],
  ])('with %s', async (_, declarations, equations, charge) => {
    const result = await done(
      `model Charge
         Real v(start = 10, fixed = true);
         ${declarations}
       equation
         ${equations}
         der(${charge}) = -0.1*v;
       end Charge;`,
      { stopTime: 2 },
    );
    // The charge decays with 0.1, then with 0.05, and does not jump.
    close(result.table.value('v', 0.5), 10 * Math.exp(-0.05));
    close(result.table.value('v', 2), 5 * Math.exp(-0.15));
    expect(warnings(result)).toEqual([]);
  });

  test('of arrays, too', async () => {
    const { table } = await done(
      `model Charges
         discrete Real C(start = 1, fixed = true);
         Real u[20](each start = 4, each fixed = true);
       equation
         when time >= 1 then C = 4; end when;
         der(C*u) = zeros(20);
       end Charges;`,
      { stopTime: 2 },
    );
    close(table.value('u[7]', 2), 1);
  });
});

describe('coefficients that jump', () => {
  const clutch = (declarations: string, equations: string) => `model Clutch
      Real w1(start = 1, fixed = true), w2(start = 5, fixed = true), f;
      ${declarations}
    equation
      ${equations}
      J*der(w1) = f;
      der(w2) = -f;
      if time >= 1 then w1 = w2; else f = 0; end if;
    end Clutch;`;

  test('have their value after the event where time and discrete values alone determine them', async () => {
    const result = await done(clutch('Real J = if time < 1 then 2 else 1;', ''), { stopTime: 2 });
    close(result.table.value('w1', 2), 3);
    close(impulse(result, 'f', 1), 2);
    expect(warnings(result)).toEqual([]);
  });

  test('also where a nonlinear equation does', async () => {
    const { table } = await done(
      clutch('Real J(start = 1);', 'J + 0.1*J^3 = if time < 1 then 2.8 else 1.1;'),
      {
        stopTime: 2,
      },
    );
    close(table.value('w1', 2), 3);
  });
});

describe('impulses', () => {
  test('are seen once by when, and are over then', async () => {
    const { table } = await done(
      `model Hit
         Real w1(start = 5, fixed = true), w2(start = 0, fixed = true), f;
         discrete Integer hits(start = 0, fixed = true), edges(start = 0, fixed = true);
         Boolean hard = f > 100;
       equation
         der(w1) = -f;
         der(w2) = f - 1;
         if time >= 1 then w1 = w2; else f = 0; end if;
         when f > 100 then hits = pre(hits) + 1; end when;
         when not hard then edges = pre(edges) + 1; end when;
       end Hit;`,
      { stopTime: 2 },
    );
    expect(table.value('hits', 2)).toBe(1);
    expect(table.value('edges', 2)).toBe(1);
    expect(table.value('hard', 2)).toBe(0);
    close(table.value('f', 2), 0.5);
  });

  test('are seen by integrals in arrays that stay arrays', async () => {
    const { table } = await done(
      `model Integrals
         parameter Integer n = 20;
         Real v1[n](each start = 0, each fixed = true), v2[n], i[n], p[n](each start = 0, each fixed = true);
       equation
         for k in 1:n loop
           (if time < 1 then 0 else 5) = v1[k] + v2[k];
           der(v1[k]) = i[k];
           3*der(v2[k]) = i[k];
           der(p[k]) = k*i[k];
         end for;
       end Integrals;`,
      { stopTime: 2 },
    );
    close(table.value('p[1]', 2), 3.75);
    close(table.value('p[20]', 2), 75);
  });

  test('of small units are told, those of rounding are not', async () => {
    const result = await done(
      `model Small
         Real v1(start = 0, fixed = true), v2, i, q(start = 1e-9, fixed = true);
       equation
         (if time < 1 then 0 else 5) = v1 + v2;
         1e-12*der(v1) = i;
         3e-12*der(v2) = i;
         der(q) = 0;
       end Small;`,
      { stopTime: 3 },
    );
    expect(Math.abs(impulse(result, 'i', 1) / 3.75e-12 - 1)).toBeLessThan(1e-9);
    expect(result.impulses).toHaveLength(1);
  });

  test('a jump of a position is impossible, wherever it comes from', async () => {
    for (const position of ['if time < 1 then 0 else 1', 'floor(time)', 'sign(time - 1)']) {
      const { status, diagnostics } = await run(
        `model Jump
           Real x, v, F;
         equation
           x = ${position};
           der(x) = v;
           der(v) = F;
         end Jump;`,
        { stopTime: 2 },
      );
      expect([position, status]).toEqual([position, 'failed']);
      expect(diagnostics.at(-1)!.code).toBe('impossible-change');
      expect(diagnostics.at(-1)!.message).toContain('is violated by');
    }
  });
});

test('initial values that no mode agrees with lead on at the first instant', async () => {
  const result = await done(
    `model Shared
       Real a(start = 10, fixed = true), b(start = 2, fixed = true), i, s(start = -1);
       Boolean off(start = true) = s < 0;
     equation
       der(a) = -i;
       3*der(b) = i - b/2;
       a - b = if off then s else 0;
       i = if off then 0 else s;
     end Shared;`,
    { stopTime: 1 },
  );
  // Charges 10 and 6 become 4 and 12; then both lose them through the resistor.
  close(impulse(result, 'i', 0), 6);
  close(result.table.value('a', 1), 4 * Math.exp(-1 / 8));
  close(result.table.value('b', 1), 4 * Math.exp(-1 / 8));
});

describe('nonlinear balances', () => {
  /** Two stores that are joined at 1 s; the second one is linear with the capacity C. */
  const joined = (first: string, v1: number, v2: number, C: number) => `model Joined
      Real v1(start = ${v1}, fixed = true), v2(start = ${v2}, fixed = true), i;
    equation
      ${first};
      ${C}*der(v2) = -i;
      if time >= 1 then v1 = v2; else i = 0; end if;
    end Joined;`;

  test.each([
    // log(v) + 0.1 v stays: the solution next to it on the way from the values before, not one beyond the pole.
    ['a logarithm', 'der(v1) = v1*i', 0.01, 10, 0.1, (v: number) => Math.log(v)],
    ['a saturation', 'der(atan(10*v1)/10) = i', -1, 20, 0.01, (v: number) => Math.atan(10 * v) / 10],
    ['a bend', 'der(v1 + max(0, 3*(v1 - 1.2))) = i', 1, 2, 2, (v: number) => v + Math.max(0, 3 * (v - 1.2))],
    ['another bend', 'der(min(v1, 3*v1)) = i', -1, 4, 2, (v: number) => Math.min(v, 3 * v)],
  ])('%s', async (_, first, v1, v2, C, q) => {
    const { table } = await done(joined(first, v1, v2, C), { stopTime: 2 });
    const total = q(v1) + C * v2;
    let [a, b] = [Math.min(v1, v2), Math.max(v1, v2)];
    for (let n = 0; n < 200; n++) {
      const m = (a + b) / 2;
      if (q(m) + C * m > total) b = m;
      else a = m;
    }
    close(table.value('v1', 2), a);
  });

  test('a decay by an impulse stays positive', async () => {
    const { table } = await done(
      `model Decay
         Real x, q, c(start = 1, fixed = true);
       equation
         x = if time < 1 then 0 else 5;
         der(x) = q;
         der(c) = -q*c;
       end Decay;`,
      { stopTime: 2 },
    );
    close(table.value('c', 2), Math.exp(-5));
  });

  test('what is prescribed counts in all forms alike', async () => {
    const { table } = await done(
      `model Forms
         Real v = if time < 1 then 1 else 3;
         Real i, j, s(start = 0, fixed = true), r(start = 0, fixed = true);
       equation
         der(v) = i/(1 + v^2);
         (1 + v^2)*der(v) = j;
         der(s) = i;
         der(r) = j;
       end Forms;`,
      { stopTime: 2 },
    );
    close(table.value('s', 2), 2 + 26 / 3);
    close(table.value('r', 2), 2 + 26 / 3);
  });

  test('the work of an impulse is that of the mean speed, with a warning', async () => {
    const result = await done(
      `model Work
         Real w1(start = 0, fixed = true), w2(start = 3, fixed = true), f, L(start = 0, fixed = true);
       equation
         der(w1) = f;
         2*der(w2) = -f;
         der(L) = f*(w2 - w1);
         if time >= 1 then w1 = w2; else f = 0; end if;
       end Work;`,
      { stopTime: 2 },
    );
    // Kinetic energy 9 becomes 6.
    close(result.table.value('L', 2), 3);
    expect(warnings(result)).toEqual(['impulse']);
  });
});

describe('when-clauses', () => {
  test('in a loop with what they compute', async () => {
    const { table } = await done(
      `model Loop
         Real y;
         discrete Real r(start = 0, fixed = true);
       equation
         y = time + r;
         when time >= 0.5 then r = 1 + 0.1*y; end when;
       end Loop;`,
    );
    close(table.value('r', 1), 1.05 / 0.9);
  });

  test('in a loop with what they let jump', async () => {
    const { table } = await done(
      `model Loop
         Real w1(start = 0, fixed = true), w2, f;
         discrete Real r(start = 0, fixed = true);
       equation
         der(w1) = 1 - f;
         2*der(w2) = f;
         w1 - w2 = r;
         when time >= 0.5 then r = 1 + 0.1*w2; end when;
       end Loop;`,
    );
    // w1 + 2 w2 = 0.5 stays, so that 3.1 w2 = -0.5.
    close(table.value('r', 1), 1 - 0.05 / 3.1);
  });

  test('that set a state beside a step leave the balance of the step alone', async () => {
    const result = await done(
      `model Beside
         Real w1(start = 0, fixed = true), w2, f, z(start = 0, fixed = true);
         discrete Real d(start = 0, fixed = true);
       equation
         der(w1) = f;
         2*der(w2) = -f;
         w1 = w2 + d;
         der(z) = 1;
         when z >= 1 then d = 3; reinit(z, 0); end when;
       end Beside;`,
      { stopTime: 1.5 },
    );
    close(result.table.value('w1', 1.5), 2);
    close(result.table.value('w2', 1.5), -1);
    close(result.table.value('z', 1.5), 0.5);
  });
});

test('a path is judged when all that it depends on has settled', async () => {
  const result = await done(
    `model Triangle
       Real x, v, F;
     equation
       x = 2*abs(time/2 - floor(time/2 + 0.5));
       der(x) = v;
       2*der(v) = F;
     end Triangle;`,
    { stopTime: 2.5 },
  );
  close(impulse(result, 'F', 1), -4);
  close(impulse(result, 'F', 2), 4);
});
