/** Networks of many ideal diodes that switch together: which of them conduct is known from physics. */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

const parts = `
connector Pin Real v; flow Real i; end Pin;
partial model TwoPin Pin p, n; Real v = p.v - n.v; Real i = p.i; equation p.i + n.i = 0; end TwoPin;
model Ground Pin p; equation p.v = 0; end Ground;
model Resistor extends TwoPin; parameter Real R = 1; equation v = R*i; end Resistor;
model Sine extends TwoPin; parameter Real phase = 0; equation v = 10*sin(6*time + phase); end Sine;
model Step extends TwoPin; parameter Real V = 1; equation v = if time < 0.5 then 0 else V; end Step;
model Constant extends TwoPin; parameter Real V = 1; equation v = V; end Constant;
model Diode
  extends TwoPin;
  Real s(start = -1);
  Boolean off(start = true) = s < 0;
equation
  v = if off then s else 0;
  i = if off then 0 else s;
end Diode;
`;

const phase = (k: number, n: number, t: number) => 10 * Math.sin(6 * t + (2 * Math.PI * k) / n);
const phases = (n: number, t: number) => Array.from({ length: n }, (_, k) => phase(k + 1, n, t));
const sources = (n: number) => `Sine s[${n}](phase = {2*3.141592653589793*k/${n} for k in 1:${n}});
  Resistor r(R = 2);
  Ground g;`;

test.each([4, 40])('a rectifier of %i phases: the largest conducts', async (n) => {
  const { table } = await done(
    `${parts}
model Star
  ${sources(n)}
  Diode d[${n}];
equation
  for k in 1:${n} loop
    connect(s[k].n, g.p);
    connect(s[k].p, d[k].p);
    connect(d[k].n, r.p);
  end for;
  connect(r.n, g.p);
end Star;`,
    { stopTime: 0.2, intervals: 50 },
  );
  for (let row = 0; row < table.time.length; row++)
    close(table.at('r.v', row), Math.max(...phases(n, table.time[row]!)), 1e-9);
});

test.each([3, 20])('a bridge of %i phases: from the largest to the smallest', async (n) => {
  // With an even number of phases, one diode on each side takes over at the same instant.
  const { table } = await done(
    `${parts}
model Bridge
  ${sources(n)}
  Diode u[${n}], l[${n}];
equation
  for k in 1:${n} loop
    connect(s[k].n, g.p);
    connect(s[k].p, u[k].p);
    connect(u[k].n, r.p);
    connect(l[k].n, s[k].p);
    connect(l[k].p, r.n);
  end for;
end Bridge;`,
    { stopTime: 0.2, intervals: 50 },
  );
  for (let row = 0; row < table.time.length; row++) {
    const all = phases(n, table.time[row]!);
    close(table.at('r.v', row), Math.max(...all) - Math.min(...all), 1e-9);
  }
});

describe('batteries that limit a voltage, all at one instant', () => {
  test.each([4, 40])('%i of them at one node', async (n) => {
    const { table } = await done(
      `${parts}
model Clipper
  Step s(V = 100);
  Resistor r0(R = 1);
  Diode d[${n}];
  Resistor r[${n}](R = {1 + 0.1*k for k in 1:${n}});
  Constant e[${n}](V = {100*k/${n} for k in 1:${n}});
  Ground g;
equation
  connect(s.n, g.p);
  connect(s.p, r0.p);
  for k in 1:${n} loop
    connect(r0.n, d[k].p);
    connect(d[k].n, r[k].p);
    connect(r[k].n, e[k].p);
    connect(e[k].n, g.p);
  end for;
end Clipper;`,
      { intervals: 4 },
    );
    // The currents of the branches grow with the voltage: bisection finds where they are what comes through r0.
    let [low, high] = [0, 100];
    for (let step = 0; step < 100; step++) {
      const v = (low + high) / 2;
      let sum = 0;
      for (let k = 1; k <= n; k++) sum += Math.max(0, v - (100 * k) / n) / (1 + 0.1 * k);
      if (sum < 100 - v) low = v;
      else high = v;
    }
    close(table.value('r0.n.v', 1), low, 1e-9);
    expect(table.value('r0.n.v', 0.25)).toBe(0);
  });

  test.each([4, 40])('%i of them along a ladder', async (n) => {
    const resistance = (k: number) => 1 + ((7 * k) % 5);
    const limit = (k: number) => 3 + ((11 * k) % 17);
    const list = (f: (k: number) => number) =>
      `{${Array.from({ length: n }, (_, k) => f(k + 1)).join(', ')}}`;
    const { table } = await done(
      `${parts}
model Ladder
  Step s(V = 100);
  Resistor r[${n}](R = ${list(resistance)});
  Diode d[${n}];
  Constant e[${n}](V = ${list(limit)});
  Ground g;
equation
  connect(s.n, g.p);
  connect(s.p, r[1].p);
  for k in 1:${n} loop
    connect(r[k].n, d[k].p);
    connect(d[k].n, e[k].p);
    connect(e[k].n, g.p);
  end for;
  for k in 1:${n - 1} loop
    connect(r[k].n, r[k + 1].p);
  end for;
end Ladder;`,
      { intervals: 4 },
    );
    // Each node has the mean of its neighbours, weighted by conductances, but not more than its battery.
    const v = new Float64Array(n + 1);
    v[0] = 100;
    for (let sweep = 0; sweep < 20_000; sweep++) {
      for (let k = 1; k <= n; k++) {
        const left = 1 / resistance(k);
        const right = k < n ? 1 / resistance(k + 1) : 0;
        const mean = (left * v[k - 1]! + right * (v[k + 1] ?? 0)) / (left + right);
        v[k] = Math.min(limit(k), mean);
      }
    }
    for (let k = 1; k <= n; k++) close(table.value(`r[${k}].n.v`, 1), v[k]!, 1e-9);
  });
});
