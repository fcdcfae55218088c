/** Flows that turn, with balances of what they carry: a pump without a volume heats what flows through it by p/kg, wherever it comes from. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

/** The work depends on what flows: p*(1 + k*h) per unit of it. `flow` gives a. */
const pump = (flow: string) => `
model Pump
  parameter Real hl = 10, hr = 20, p = 1, k = 0.01;
  Real a(start = 1), b, h(start = 10), H, W, dp;
equation
  a + b = 0;
  dp = p*(1 + k*h);
  a = ${flow};
  W = a*dp;
  H = a*(if a > 0 then hl else h) + b*(if b > 0 then hr else h);
  0 = H + W;
end Pump;`;

/** What leaves the pump on its right, and on its left. */
const forwards = (hl: number, p: number, k: number) => (hl + p) / (1 - p * k);
const backwards = (hr: number, p: number, k: number) => (hr - p) / (1 + p * k);

const [right, left] = [forwards(10, 1, 0.01), backwards(20, 1, 0.01)];

describe('a flow that turns', () => {
  test('carries what comes from its other side, also where a row falls on the instant at which it is zero', async () => {
    const { table, modes } = await done(pump('0.5 - time'), { stopTime: 1, intervals: 10 });
    for (const t of [0, 0.3, 0.49]) close(table.value('h', t), right, 1e-10);
    for (const t of [0.51, 0.7, 1]) close(table.value('h', t), left, 1e-10);
    for (const t of [0, 0.3, 0.7, 1]) close(table.value('a', t), 0.5 - t, 1e-10);
    expect(modes.map(({ signature }) => signature)).toEqual(['a > 0, not (b > 0)', 'not (a > 0), b > 0']);
  });

  test('is found by sums that make it one with others, as balances of mass do', async () => {
    const text = `model M
      parameter Real n = 1;
      Real a, b, c, m, q, h(start = 10), H, V, W, Q, dp, rho;
    equation
      m = a - c; 0 = m; b = -c; Q = q; q = 0;
      a = 0.5 - time - 0.001*(h - 10);
      rho = 1 + 0.01*h; dp = rho*1; V = a/rho; W = dp*V/0.5*n;
      H = a*(if a > 0 then 10 else h) + b*(if b > 0 then 20 else h);
      0 = W + (Q + H);
    end M;`;
    const { table } = await done(text, { stopTime: 1, intervals: 10 });
    // dp*V/0.5 is 2*a.
    close(table.value('h', 0.2), 12, 1e-10);
    close(table.value('a', 0.2), 0.3 - 0.002, 1e-10);
    close(table.value('h', 0.8), 18, 1e-10);
    close(table.value('a', 0.8), -0.3 - 0.008, 1e-10);
  });

  test('is that of connectors with streams', async () => {
    const text = `connector Port Real p; flow Real m; stream Real h; end Port;
    model Boundary Port c; parameter Real h; input Real p; equation c.p = p; c.h = h; end Boundary;
    model Pump Port a, b; Real W, h;
    equation
      a.m + b.m = 0; W = a.m*1; a.h = h; b.h = h; a.m = a.p - b.p + 0.001*(10 - h);
      0 = a.m*actualStream(a.h) + b.m*actualStream(b.h) + W;
    end Pump;
    model M Boundary l(h = 10, p = 1), r(h = 20, p = 2*time); Pump pump;
    equation connect(l.c, pump.a); connect(pump.b, r.c); end M;`;
    const { table } = await done(text, { stopTime: 1, intervals: 10 });
    close(table.value('pump.h', 0.2), 11, 1e-10);
    close(table.value('pump.a.m', 0.2), 0.6 - 0.001, 1e-10);
    close(table.value('pump.h', 0.8), 19, 1e-10);
    close(table.value('pump.a.m', 0.8), -0.6 - 0.009, 1e-10);
  });

  test('is found to have a direction from the start, where zero would be a solution for any value of what it carries', async () => {
    const text = `model M Real a, b, h;
      equation a + b = 0; a = 0.5 - time + 0.001*(10 - h);
      0 = a*(if a > 0 then 10 else h) + b*(if b > 0 then 20 else h) + a; end M;`;
    const { table } = await done(text, { stopTime: 1, intervals: 10 });
    for (const [t, h] of [
      [0, 11],
      [0.2, 11],
      [0.8, 19],
    ] as const) {
      close(table.value('h', t), h, 1e-10);
      close(table.value('a', t), 0.5 - t + 0.001 * (10 - h), 1e-10);
    }
  });

  test('turns at once where it can, and tells where neither direction agrees with itself', async () => {
    const positive = { min: 0.1, noNaN: true } as const;
    const law = fc.asyncProperty(
      fc.double({ ...positive, min: -20, max: 20 }),
      fc.double({ ...positive, min: -20, max: 20 }),
      fc.double({ ...positive, max: 3 }),
      fc.double({ ...positive, min: 0, max: 0.05 }),
      fc.double({ ...positive, min: -0.002, max: 0.002 }),
      fc.constantFrom(1, -1),
      async (hl, hr, p, k, e, direction) => {
        const [toRight, toLeft] = [forwards(hl, p, k), backwards(hr, p, k)];
        const [before, after] = direction > 0 ? [toRight, toLeft] : [toLeft, toRight];
        const overlap = e * (toLeft - toRight);
        fc.pre(Math.abs(overlap) > 1e-4 || e === 0);
        const text = pump(`${direction}*(0.5 - time) + (${-e})*(h - (${hl}))`);
        const set = { hl, hr, p, k, 'h.start': before, 'a.start': direction };
        const { table, status, diagnostics, time } = await run(text, { set, stopTime: 1, intervals: 10 });
        const turn = 0.5 - direction * e * (before - hl);
        const check = (t: number, h: number) => {
          close(table.value('h', t), h, 1e-8);
          close(table.value('a', t), direction * (0.5 - t) - e * (h - hl), 1e-8);
        };
        check(0, before);
        check(turn - 0.01, before);
        if (overlap >= 0) {
          expect(status).toBe('done');
          check(turn + 0.01, after);
          check(1, after);
        } else {
          expect(status).toBe('failed');
          expect(diagnostics.map(({ code }) => code)).toContain('event-cycle');
          expect(Math.abs(time - turn)).toBeLessThan(1e-6);
        }
      },
    );
    await fc.assert(law, { numRuns: 60 });
  });

  test('rests behind a valve that shuts: what it carried stays, which is told once', async () => {
    const text = `model M
      Real a, b, h(start = 15), H, V, W, s(start = 1), rho, p;
    equation
      a + b = 0; rho = 1 + 0.01*h; V = a/rho;
      p = if time < 1 then 1 - time elseif time < 2 then -1 else 2*(time - 2) - 1;
      V = if s > 0 then s/rho else 0;
      p = if s > 0 then V*(1 + 0.1*h) else s;
      W = V*2;
      H = a*(if a > 0 then 10 else h) + b*(if b > 0 then 20 else h);
      0 = H + W;
    end M;`;
    const { table, diagnostics, modes } = await done(text, { stopTime: 4, intervals: 16 });
    // (h - 10)*(1 + 0.01*h) = 2
    const h = (Math.sqrt(0.9 ** 2 + 0.48) - 0.9) / 0.02;
    for (const t of [0, 0.7, 1.2, 1.9, 2.2, 2.7, 4]) {
      const p = t < 1 ? 1 - t : t < 2 ? -1 : 2 * (t - 2) - 1;
      close(table.value('h', t), h, 1e-8);
      close(table.value('V', t), Math.max(p, 0) / (1 + 0.1 * h), 1e-8);
      close(table.value('a', t), ((1 + 0.01 * h) * Math.max(p, 0)) / (1 + 0.1 * h), 1e-8);
      if (p < 0) close(table.value('s', t), p, 1e-10);
    }
    expect(modes[1]!.signature).toBe('not (s > 0), not (a > 0), not (b > 0)');
    const warnings = diagnostics.filter(({ severity }) => severity === 'warning');
    expect(warnings.map(({ code }) => code)).toEqual(['floating']);
    expect(warnings[0]!.message).toMatch(
      /^Nothing determines h in the mode .*: a, which would carry it, is zero\. It keeps the value 11\.7/,
    );
  });

  test('may rest at zero where what it carries is not asked for', async () => {
    const text = `model M Real v(start = 0), f, power;
      equation der(v) = (if time < 0.5 then 0 else 2) - f; f = if v > 0 then 1 elseif -v > 0 then -1 else 0; power = f*v; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('v', 0.4)).toBe(0);
    expect(table.value('power', 0.4)).toBe(0);
    close(table.value('v', 1), 0.5);
  });

  test('rests at zero where nothing but the balance determines it', async () => {
    const text = `model M Real v, u, w, p;
      equation u = 2 + time; w = 5; p = u*v; p = (if v > 0 then w elseif -v > 0 then -w else u + 1)*v; end M;`;
    const { table } = await done(text, { stopTime: 1 });
    for (const t of [0, 0.5, 1]) {
      expect(table.value('v', t)).toBe(0);
      close(table.value('u', t), 2 + t);
    }
  });
});
