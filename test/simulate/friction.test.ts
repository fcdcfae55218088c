/**
 * Clutches with dry friction, described on the level of accelerations as in the Modelica Standard Library (Otter, Elmqvist and
 * Mattsson 1999): both speeds stay states, a locked clutch has no relative acceleration, and whether it is locked, begins to
 * slide or slides follows from one system of Boolean and Real equations.
 */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

const clutch = `
  model Clutch
    constant Integer Unknown = 3, Free = 2, Forward = 1, Stuck = 0, Backward = -1;
    input Real fn "Normal force";
    Real w "Relative speed", a "Relative acceleration", tau;
    Real tau0 = 0.5*fn, tau0_max = 1.1*tau0, sa "Path parameter of the characteristic";
    Boolean free = fn <= 0, locked;
    Boolean startForward(start = false, fixed = true), startBackward(start = false, fixed = true);
    Integer mode(start = Unknown, fixed = true);
  equation
    startForward = pre(mode) == Stuck and (sa > tau0_max or pre(startForward) and sa > tau0) or initial() and w > 0;
    startBackward = pre(mode) == Stuck and (sa < -tau0_max or pre(startBackward) and sa < -tau0) or initial() and w < 0;
    locked = not free and not (pre(mode) == Forward or startForward or pre(mode) == Backward or startBackward);
    a = if locked then 0 elseif free then sa
      elseif startForward or not startBackward and pre(mode) == Forward then sa - tau0_max else sa + tau0_max;
    tau = if locked then sa elseif free then 0
      elseif startForward or not startBackward and pre(mode) == Forward then tau0 else -tau0;
    mode = if free then Free
      elseif (pre(mode) == Forward or pre(mode) == Free or startForward) and w > 0 then Forward
      elseif (pre(mode) == Backward or pre(mode) == Free or startBackward) and w < 0 then Backward else Stuck;
  end Clutch;`;

function root(f: (t: number) => number, low: number, high: number): number {
  for (let k = 0; k < 100; k++) {
    const t = (low + high) / 2;
    if (f(t) < 0 === f(low) < 0) low = t;
    else high = t;
  }
  return high;
}

describe('clutches with dry friction', () => {
  test('one locks when the speeds meet, and slides where its torque is too large', async () => {
    const { table, modes } = await done(
      `model Drive
         ${clutch}
         constant Real pi = 3.141592653589793;
         Real w1(start = 10, fixed = true), w2(start = 0, fixed = true);
         Clutch c(fn = 20*cos(0.4*pi*time));
       equation
         der(w1) = 10*sin(10*pi*time) + c.tau;
         der(w2) = -c.tau;
         c.w = w2 - w1;
         c.a = der(c.w);
       end Drive;`,
      { model: 'Drive', stopTime: 1, intervals: 100 },
    );
    const pi = Math.PI;
    // Sliding: w1 - w2 = 10 + (1 - cos 10 pi t)/pi - 20 sin(0.4 pi t)/(0.4 pi).
    const meet = root(
      (t) => 10 + (1 - Math.cos(10 * pi * t)) / pi - (50 / pi) * Math.sin(0.4 * pi * t),
      0.5,
      0.6,
    );
    // Locked: half of the outer torque goes through the clutch, at most 11 cos 0.4 pi t.
    const slip = root((t) => 5 * Math.sin(10 * pi * t) + 11 * Math.cos(0.4 * pi * t), 0.9, 0.94);
    expect(modes.map((m) => m.signature)).toEqual(['not c.locked', 'c.locked', 'not c.locked']);
    expect(modes.map((m) => m.states.length)).toEqual([2, 2, 2]);
    close(modes[1]!.from, meet);
    close(modes[2]!.from, slip);
    // Momentum: the sum of the speeds follows the outer torque alone.
    const sum = (t: number) => 10 + (1 - Math.cos(10 * pi * t)) / pi;
    close(table.value('w1', 0.8), sum(0.8) / 2);
    close(table.value('w2', 0.8), sum(0.8) / 2);
    // The outer torque slows the first one down; the second one gives 10 cos 0.4 pi t to it.
    const given = (t: number) => (25 / pi) * Math.sin(0.4 * pi * t);
    close(table.value('w2', 1), sum(slip) / 2 - (given(1) - given(slip)));
  });

  test('three in a row lock one after the other', async () => {
    const { modes, table } = await done(
      `model Train
         ${clutch}
         constant Real pi = 3.141592653589793;
         Real w[4](start = {10, 0, 0, 0}, each fixed = true);
         Clutch c[3](fn = {20*cos(0.4*pi*time), if time >= 0.4 then 20 else 0, if time >= 0.9 then 20 else 0});
       equation
         der(w[1]) = 10*sin(10*pi*time) + c[1].tau;
         der(w[2]) = c[2].tau - c[1].tau;
         der(w[3]) = c[3].tau - c[2].tau;
         der(w[4]) = -c[3].tau;
         for k in 1:3 loop
           c[k].w = w[k + 1] - w[k];
           c[k].a = der(c[k].w);
         end for;
       end Train;`,
      { model: 'Train', stopTime: 1.5, intervals: 150 },
    );
    // Times of the reference results of the Modelica Standard Library for its coupled clutches, which have these data.
    for (const [k, t] of [
      0.709621463833, 0.79165828432, 0.83110850627, 0.906849137544, 1.00029586011, 1.14396963043,
    ].entries())
      close(modes[k + 1]!.from, t, 1e-5);
    const momentum = [1, 2, 3, 4].reduce((sum, k) => sum + table.value(`w[${k}]`, 1.5), 0);
    close(momentum, 10 + (1 - Math.cos(15 * Math.PI)) / Math.PI);
  });
});

describe('friction by a parameter of a path, with Booleans', () => {
  /** After Otter, Elmqvist and Mattsson, "Hybrid Modeling in Modelica based on the Synchronous Data Flow Principle", 1999. */
  const brake = (w: number, T: number) => `model Brake
      parameter Real J = 0.05, T = ${T}, most = 80;
      Real w(start = ${w}, fixed = true), a, tau, s;
      Boolean forward(start = false, fixed = true), backward(start = false, fixed = true), locked;
      Integer mode(start = ${Math.sign(w)}, fixed = true);
    equation
      a = der(w);
      J*a = T - tau;
      forward = pre(mode) == 0 and (s > most or pre(forward) and s > most);
      backward = pre(mode) == 0 and (s < -most or pre(backward) and s < -most);
      locked = not (pre(mode) == 1 or forward or pre(mode) == -1 or backward);
      a = if locked then 0 elseif forward or not backward and pre(mode) == 1 then s - most else s + most;
      tau = if locked then s elseif forward or not backward and pre(mode) == 1 then most else -most;
      mode = if (pre(mode) == 1 or forward) and w > 0 then 1
        elseif (pre(mode) == -1 or backward) and w < 0 then -1 else 0;
      annotation(experiment(StopTime = 0.01));
    end Brake;`;

  test.each([
    [-1, -20],
    [-1, 20],
    [1, -20],
    [1, 40],
  ])(
    'from %d with %d it comes to rest, although it is slowed down by more than could hold it',
    async (w, T) => {
      const { table } = await done(brake(w, T));
      const a = (T - Math.sign(w) * 80) / 0.05;
      close(table.value('w', -w / a / 2), w / 2, 1e-6);
      close(table.value('w', 0.01), 0, 1e-9);
      close(table.value('tau', 0.01), T, 1e-9);
      expect(table.value('mode', 0.01)).toBe(0);
    },
  );

  test.each([
    [1, -200],
    [-1, 130],
  ])('from %d with %d it turns back', async (w, T) => {
    const { table } = await done(brake(w, T));
    const side = Math.sign(w);
    const at = (-w * 0.05) / (T - side * 80);
    close(table.value('w', 0.01), ((T + side * 80) / 0.05) * (0.01 - at), 1e-5);
    expect(table.value('mode', 0.01)).toBe(-side);
  });
});

describe('impacts at the beginning beside friction', () => {
  const train = (parts: string, connects: string) => `model Train
      import Mutabor.Rotational.*;
      ${parts}
    equation
      ${connects}
    end Train;`;

  test('a freewheel that is driven from the start, and a brake that does not press yet', async () => {
    const text = train(
      `Inertia a(J = 1, w(start = -3, fixed = true)), b(J = 3, w(start = -4, fixed = true));
       OneWayClutch drive;
       Brake brake(tau_max = 4, pressure = if time < 1 then 0 else 1);`,
      `connect(brake.flange_a, a.flange_a);
       connect(a.flange_b, drive.flange_a);
       connect(drive.flange_b, b.flange_a);`,
    );
    const { table, impulses } = await done(text, { stopTime: 2 });
    // Momentum: (-3 - 12)/4.
    close(table.value('a.w', 0.5), -3.75);
    close(table.value('b.w', 0.5), -3.75);
    expect(impulses.map(({ time }) => time)).toContain(0);
    // The brake pushes a forwards, which drives b.
    close(table.value('a.w', 1.5), -3.75 + 0.5 * (4 / 4));
    close(table.value('b.w', 1.5), -3.75 + 0.5 * (4 / 4));
  });

  test('two freewheels, with brakes and a clutch that could all stick, although no mode in which all of them do has a solution', async () => {
    const text = train(
      `Inertia a(J = 1, w(start = 9, fixed = true)), b(J = 1, w(start = 3, fixed = true)), c(J = 1, w(start = 0, fixed = true)), d(J = 1, w(start = 1, fixed = true));
       OneWayClutch first, second;
       FrictionClutch clutch(tau_max = 1, pressure = 1);
       Brake left(tau_max = 1, pressure = 1), right(tau_max = 1, pressure = 1);`,
      `connect(a.flange_b, first.flange_a);
       connect(first.flange_b, b.flange_a);
       connect(b.flange_b, second.flange_a);
       connect(second.flange_b, c.flange_a);
       connect(c.flange_a, left.flange_a);
       connect(c.flange_b, clutch.flange_a);
       connect(clutch.flange_b, d.flange_a);
       connect(d.flange_b, right.flange_a);`,
    );
    const { table } = await done(text, { stopTime: 7 });
    // Three of them share their momentum at once: 4. The brake at c and the clutch slow c down by 2, which a and b overtake: all three by 2/3.
    // The clutch drives d as its brake holds it back: it keeps 1, until 4 - 2/3*t = 1; then all have 2/4 against them.
    for (const name of ['a.w', 'b.w', 'c.w']) close(table.value(name, 3), 2);
    close(table.value('d.w', 3), 1);
    for (const name of ['a.w', 'b.w', 'c.w', 'd.w']) close(table.value(name, 5.5), 0.5);
    for (const name of ['a.w', 'b.w', 'c.w', 'd.w'])
      expect(Math.abs(table.value(name, 7))).toBeLessThan(1e-9);
  });

  test('six wheels, each with a brake, that freewheels join at once', async () => {
    const wheels = [1, 2, 3, 4, 5, 6];
    const text = train(
      [
        ...wheels.map((k) => `Inertia w${k}(J = 1, w(start = ${7 - k}, fixed = true)); Brake b${k};`),
        ...wheels.slice(1).map((k) => `OneWayClutch f${k};`),
      ].join('\n'),
      [
        ...wheels.map((k) => `connect(b${k}.flange_a, w${k}.flange_a); b${k}.pressure = 1;`),
        ...wheels
          .slice(1)
          .map(
            (k) => `connect(w${k - 1}.flange_b, f${k}.flange_a); connect(f${k}.flange_b, w${k}.flange_a);`,
          ),
      ].join('\n'),
    );
    const { table } = await done(text, { stopTime: 1 });
    // The mean of 1 to 6, slowed down by 1 on each wheel.
    for (const k of wheels) close(table.value(`w${k}.w`, 0), 3.5);
    for (const k of wheels) close(table.value(`w${k}.w`, 1), 2.5);
  });
});
