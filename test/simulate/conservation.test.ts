/**
 * What is stored stays when structures change: charge, flux, momentum, energy of cells, mass. Results of changes of
 * index against the balances that they must obey, worked out by hand.
 */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, done, example } from './notation.ts';

const weight = ({ impulses }: SimulationResult, name: string) =>
  impulses.find((i) => i.variable === name)?.weight ?? 0;

describe('impulses', () => {
  test('charge sharing: 27 J are lost', async () => {
    const { table } = await done(example('ChargeSharing'));
    const energy = (side: 'before' | 'after') =>
      0.5 * table.value('v1', 1, side) ** 2 + table.value('v2', 1, side) ** 2;
    close(energy('before') - energy('after'), 27);
  });

  test('two inertias over a gear of ratio 3', async () => {
    const result = await done(
      `model Gear
         parameter Real i = 3;
         Real w1(start = 10, fixed = true), w2(start = 1, fixed = true), tau1, tau2;
       equation
         1*der(w1) = -tau1;
         4*der(w2) = tau2;
         tau2 = i*tau1;
         if time >= 1 then w1 = i*w2; else tau1 = 0; end if;
       end Gear;`,
      { stopTime: 2 },
    );
    // (w1+ - 10) = -T, 4 (w2+ - 1) = 3 T, w1+ = 3 w2+: w2+ = 34/13.
    close(result.table.value('w1', 1, 'after'), 7.846153846);
    close(result.table.value('w2', 1, 'after'), 2.615384615);
    close(weight(result, 'tau1'), 10 - 102 / 13);
    close(weight(result, 'tau2'), 30 - 306 / 13);
  });

  test('inductors in series: 0.5 A and 1.5 Vs', async () => {
    const result = await done(
      `model Series
         Real i1(start = 2, fixed = true), i2(start = 0, fixed = true), u;
       equation
         1*der(i1) = u;
         3*der(i2) = -u;
         if time >= 1 then i1 = i2; else u = 0; end if;
       end Series;`,
      { stopTime: 2 },
    );
    close(result.table.value('i1', 1, 'after'), 0.5);
    close(weight(result, 'u'), -1.5);
  });

  test('an inductor that is opened: -6 Vs', async () => {
    const result = await done(
      `model Opened
         Real i(start = 3, fixed = true), u;
       equation
         2*der(i) = u;
         if time >= 1 then i = 0; else u = 0; end if;
       end Opened;`,
      { stopTime: 2 },
    );
    close(weight(result, 'u'), -6);
    expect(result.modes.map((m) => [m.states.length, m.index])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test.each([
    ['both conduct', true],
    ['both block', false],
  ])('two branches of diode and capacitor beside two of inductor and resistor: %s', async (_, on) => {
    const t = 1e-10;
    const result = await done(
      `model Branches "The first conducts, then both or none"
         Real U "Common voltage", i1, i2, u1, u2;
         Real v1(start = 1, fixed = true), v2(start = -1/3, fixed = true);
         Real j1(start = -1, fixed = true), j2(start = -0.8, fixed = true);
         Boolean on1 = time < ${t} or ${on};
         Boolean on2 = time >= ${t} and ${on};
       equation
         0 = i1 + i2 + j1 + j2;
         U = v1 + u1;
         U = v2 + u2;
         der(v1) = i1;
         der(v2) = i2;
         U = der(j1) + j1;
         U = der(j2) + j2;
         if on1 then u1 = 0; else i1 = 0; end if;
         if on2 then u2 = 0; else i2 = 0; end if;
       end Branches;`,
      { model: 'Branches', stopTime: 1e-3 },
    );
    const { table, modes } = result;
    expect(modes.map((m) => [m.states.length, m.index])).toEqual([
      [4, 1],
      [3, 2],
    ]);
    const value = (name: string) => table.value(name, t, 'after');
    if (on) {
      close(value('v1'), 1 / 3);
      close(value('v2'), 1 / 3);
      close(weight(result, 'i1'), -2 / 3);
      close(weight(result, 'i2'), 2 / 3);
      close(value('j1'), -1);
    } else {
      close(value('j1'), -0.1);
      close(value('j2'), 0.1);
      close(weight(result, 'U'), 0.9);
      close(value('v1'), 1);
      close(value('v2'), -1 / 3);
    }
  });
});

describe('other equations for the same thing', () => {
  test('a rod of heat cells is refined and coarsened: its energy stays, the profile becomes linear', async () => {
    const { table, modes } = await done(
      `package Rods
         connector Heat Real T; flow Real Q; end Heat;
         model Rod
           parameter Integer n;
           parameter Real C = 8/n, G = n;
           Heat a, b;
           Real T[n];
         equation
           a.Q = 2*G*(a.T - T[1]);
           b.Q = 2*G*(b.T - T[n]);
           C*der(T[1]) = a.Q - G*(T[1] - T[2]);
           for i in 2:n - 1 loop
             C*der(T[i]) = G*(T[i - 1] - T[i]) - G*(T[i] - T[i + 1]);
           end for;
           C*der(T[n]) = b.Q + G*(T[n - 1] - T[n]);
         end Rod;
         model End Heat p; parameter Real T; equation p.T = T; end End;
         model Test
           End hot(T = 400), cold(T = 300);
           Rod coarse(n = 4, T(start = {if initial() then 300 else (fine.T[2*i - 1] + fine.T[2*i])/2 for i in 1:4}, each fixed = true));
           Rod fine(n = 8, T(start = {coarse.T[div(i + 1, 2)] for i in 1:8}, each fixed = true));
           Real energy = if activeState(coarse) then 2*sum(coarse.T) else sum(fine.T);
           Real inflow(start = 0, fixed = true) "Heat that came in";
         equation
           der(inflow) = -hot.p.Q - cold.p.Q;
           connect(hot.p, coarse.a);
           connect(hot.p, fine.a);
           connect(coarse.b, cold.p);
           connect(fine.b, cold.p);
           initialState(coarse);
           transition(coarse, fine, time >= 0.1 and time < 0.5);
           transition(fine, coarse, time >= 0.5);
         end Test;
       end Rods;`,
      { model: 'Rods.Test', stopTime: 100 },
    );
    close(table.value('energy', 0), 2400);
    for (const t of [0.1, 0.5]) {
      close(table.value('energy', t, 'after'), table.value('energy', t, 'before'), 1e-12);
      close(table.value('energy', t) - table.value('inflow', t), 2400);
    }
    close(table.value('fine.T[3]', 0.1, 'after'), table.value('coarse.T[2]', 0.1, 'before'), 1e-12);
    for (const i of [1, 2, 3, 4]) close(table.value(`coarse.T[${i}]`, 100), 400 - 25 * (i - 0.5));
    // One state is the inflow.
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['coarse', 5],
      ['fine', 9],
      ['coarse', 5],
    ]);
  });

  test('a volume is resolved in ten while it cavitates: its mass stays', async () => {
    const { table, modes } = await done(
      `package Pumps
         connector Port Real p; flow Real m; end Port;
         model Lumped
           Port a, b;
           outer Real mean;
           Real p(start = mean, fixed = true);
         equation
           a.p = p;
           b.p = p;
           der(p) = a.m + b.m;
         end Lumped;
         model Resolved
           parameter Integer n = 10;
           Port a, b;
           outer Real mean;
           Real p[n](each start = mean, each fixed = true), m[n + 1];
         equation
           a.p = p[1];
           b.p = p[n];
           a.m = m[1];
           b.m = -m[n + 1];
           for k in 2:n loop m[k] = 5*(p[k - 1] - p[k]); end for;
           for k in 1:n loop der(p[k])/n = m[k] - m[k + 1]; end for;
         end Resolved;
         model Flow Port p; input Real q; equation p.m = -q; end Flow;
         model Test
           parameter Real vapour = 0.4;
           Flow left(q = 0.2), right(q = if time < 1 then -1 else 0.5);
           Lumped lumped(p(start = if initial() then 1 else mean));
           Resolved resolved;
           inner Real mean = if activeState(lumped) then lumped.p else sum(resolved.p)/10;
         equation
           connect(left.p, lumped.a);
           connect(left.p, resolved.a);
           connect(lumped.b, right.p);
           connect(resolved.b, right.p);
           initialState(lumped);
           transition(lumped, resolved, lumped.p < vapour);
           transition(resolved, lumped, min(resolved.p) > vapour + 0.05);
         end Test;
       end Pumps;`,
      { model: 'Pumps.Test', stopTime: 3, intervals: 30 },
    );
    expect(modes.map((m) => [m.signature, m.states.length])).toEqual([
      ['lumped', 1],
      ['resolved', 10],
      ['lumped', 1],
    ]);
    // 1 - 0.8 t reaches 0.4; all the time the mass is what flowed in.
    close(modes[1]!.from, 0.75);
    const mass = (t: number) => (t < 1 ? 1 - 0.8 * t : 0.2 + 0.7 * (t - 1));
    for (let k = 0; k <= 30; k++) close(table.value('mean', k / 10), mass(k / 10));
    const back = modes[2]!.from;
    expect(back).toBeGreaterThan(1);
    close(table.value('mean', back, 'after'), table.value('mean', back, 'before'), 1e-12);
    close(table.value('mean', back), mass(back));
  });

  test('a grid of three generators falls into islands and is joined again', async () => {
    const { table, modes, impulses } = await done(
      `package Grids "Frequencies of what is connected are equal; lines form a ring"
         connector Terminal Real f; flow Real P; end Terminal;
         model Generator
           Terminal t;
           parameter Real M, P;
         equation
           M*der(t.f) = P + t.P;
         end Generator;
         model Load Terminal t; parameter Real P; equation t.P = P; end Load;
         model Test
           Generator g1(M = 2, P = 1, t(f(start = 0, fixed = true))), g2(M = 3, P = 2), g3(M = 5, P = 0.5);
           Load l1(P = 1.2), l2(P = 0.5), l3(P = 2);
           Boolean c12 = time < 1 or time >= 3, c23 = time < 2 or time >= 3, c31 = time < 1.5 or time >= 4;
         equation
           connect(g1.t, l1.t);
           connect(g2.t, l2.t);
           connect(g3.t, l3.t);
           if c12 then connect(g1.t, g2.t); end if;
           if c23 then connect(g2.t, g3.t); end if;
           if c31 then connect(g3.t, g1.t); end if;
         end Test;
       end Grids;`,
      { model: 'Grids.Test', stopTime: 5 },
    );
    expect(modes.map((m) => [m.from, m.states.length, m.index])).toEqual([
      [0, 1, 2],
      [1, 1, 2],
      [1.5, 2, 2],
      [2, 3, 1],
      [3, 1, 2],
    ]);
    // The line that closes the ring at 4 s changes nothing: it is no other mode.
    // Surplus -0.2, 1.5 and -1.5: all together -0.2 on 10; from 1.5 s the second and third have nothing left over.
    const f1 = (t: number) => -0.02 * Math.min(t, 1.5) - 0.1 * Math.max(0, t - 1.5);
    const island = -0.03;
    close(table.value('g1.t.f', 1.5), f1(1.5));
    close(table.value('g1.t.f', 3, 'before'), f1(3));
    close(table.value('g2.t.f', 2), island);
    close(table.value('g2.t.f', 3, 'before'), island + 0.5);
    close(table.value('g3.t.f', 3, 'before'), island - 0.3);
    const joint = (2 * f1(3) + 3 * (island + 0.5) + 5 * (island - 0.3)) / 10;
    for (const g of ['g1', 'g2', 'g3']) {
      close(table.value(`${g}.t.f`, 3, 'after'), joint);
      close(table.value(`${g}.t.f`, 5), joint - 0.04);
    }
    const moved = (name: string) => impulses.find((i) => i.time === 3 && i.variable === name)!.weight;
    close(moved('g1.t.P'), 2 * (joint - f1(3)));
    close(moved('g2.t.P'), 3 * (joint - island - 0.5));
    close(moved('g3.t.P'), 5 * (joint - island + 0.3));
    expect(new Set(impulses.map((i) => i.time))).toEqual(new Set([3]));
  });
});

test('a ball on a soft ground: contact for a tenth of a second', async () => {
  const { table } = await done(
    `model Soft
       parameter Real r = 1, c = 1e3, d = 6, g = 9.81;
       Real h(start = 20, fixed = true), v(start = 0, fixed = true);
       Boolean contact = h < r;
     equation
       der(h) = v;
       der(v) = if contact then c*(r - h) - d*v - g else -g;
     end Soft;`,
    { stopTime: 3.9, intervals: 390 },
  );
  const changes: number[] = [];
  for (let row = 1; row < table.time.length; row++)
    if (table.at('contact', row) !== table.at('contact', row - 1)) changes.push(table.time[row]!);
  expect(changes).toHaveLength(2);
  close(changes[0]!, Math.sqrt(38 / 9.81));
  close(changes[0]!, 1.9681459217);
  close(changes[1]!, 2.0691396423);
  close(table.value('v', changes[1]!), 14.208089818);
  const apex = 1 + 14.208089818 ** 2 / (2 * 9.81);
  close(apex, 11.2889814617);
  close(table.value('h', 3.5), apex - (9.81 / 2) * (3.5 - changes[1]! - 14.208089818 / 9.81) ** 2);
});

describe('capacitors that are connected at almost equal voltages', () => {
  // 1 F and 3 F; the second one has `gap` more, as a share of 5 V.
  const connected = (gap: number) =>
    done(
      `model Shared
         Real v1(start = 5, fixed = true), v2(start = 5 + ${5 * gap}, fixed = true), i1, i2;
         Boolean closed = time > 1;
       equation
         der(v1) = i1;
         3*der(v2) = i2;
         i1 + i2 = 0;
         if closed then v1 = v2; else i1 = 0; end if;
       end Shared;`,
      { stopTime: 2 },
    );

  test('stay as they are where these are equal', async () => {
    const { table, impulses } = await connected(0);
    expect([table.value('v1', 2), table.value('v2', 2), impulses]).toEqual([5, 5, []]);
  });

  test.each([1e-5, 1e-8, 1e-10, 1e-11])('share their charge where these differ by %s', async (gap) => {
    const { table } = await connected(gap);
    const expected = 5 + 0.75 * (table.value('v2', 0.5) - 5);
    for (const v of ['v1', 'v2']) expect(Math.abs(table.value(v, 2) - expected)).toBeLessThanOrEqual(4e-15);
  });

  test('are equal afterwards, whatever the difference', async () => {
    const { table } = await connected(1e-13);
    expect(table.value('v1', 2)).toBe(table.value('v2', 2));
    close(table.value('v1', 2), 5, 1e-12);
  });
});
