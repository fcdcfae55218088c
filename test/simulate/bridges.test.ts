/**
 * Controlled rectifiers. With a resistive load the voltage behind a bridge is that of the two phases that conduct, so its
 * mean is an integral of sines (J. G. Kassakian, M. F. Schlecht and G. C. Verghese, Principles of Power Electronics, chapter 5).
 */
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../src/instantiate.ts';
import { close, done } from './notation.ts';
import { parts } from './parts.ts';

/** A thyristor as many libraries write it: equations of one structure, resistances instead of ideal contacts. */
const thyristors = `${parts}
model LeakyThyristor
  extends TwoPin;
  parameter Real Ron = 1e-5, Goff = 1e-5;
  input Boolean fire;
  Real loss;
  Real s(start = 0);
  Boolean off(start = true, fixed = true);
  constant Real unit = 1;
equation
  v = (s*unit)*(if off then 1 else Ron);
  i = (s*unit)*(if off then Goff else 1);
  loss = v*i;
  off = s < 0 or pre(off) and not fire;
end LeakyThyristor;
model BareThyristor
  extends LeakyThyristor(Ron = 0, Goff = 0);
end BareThyristor;`;

const V = 100;
const R = 20;
const rad = Math.PI / 180;

describe('six pulses', () => {
  /** Valves of a bridge of three phases with the star point earthed through a large resistor; the period is 1. */
  const bridge = (high: string, low: string, phases = '3') => `${thyristors}
model Bridge
  constant Real w = 6.283185307179586;
  parameter Real alpha = 0.5 "Angle at which valves are fired, from where diodes would begin to conduct";
  Sine source[3](each V = ${V}, each w = w, phase = {0, -w/3, -2*w/3});
  parameter Integer m = 3;
  ${high} high[${phases}];
  ${low} low[${phases}];
  Resistor load(R = ${R}), star(R = 1e6);
  Ground ground;
  Real angle[3], area(start = 0, fixed = true) "Integral of the voltage";
equation
  for k in 1:3 loop
    connect(source[k].n, star.p);
    connect(source[k].p, high[k].p);
    connect(source[k].p, low[k].n);
    connect(high[k].n, load.p);
    connect(low[k].p, load.n);
    angle[k] = mod(w*time + source[k].phase - w/12 - alpha + 2*w, w);
    ${high.endsWith('Thyristor') ? 'high[k].fire = angle[k] < w/3;' : ''}
    ${low.endsWith('Thyristor') ? 'low[k].fire = angle[k] > w/2 and angle[k] < 5*w/6;' : ''}
  end for;
  connect(star.n, ground.p);
  der(area) = load.v;
end Bridge;`;
  const ideal = (3 * Math.sqrt(3) * V) / Math.PI;

  /** The voltage of the load where the phases `a` and `b` conduct, from Kirchhoff's law at both ends of the load. */
  function voltage(t: number, a: number, b: number): number {
    const e = [0, 1, 2].map((k) => V * Math.sin(2 * Math.PI * (t - k / 3)));
    const sum = (k: number, f: (g: number, v: number) => number) =>
      e.reduce((all, v, n) => all + f(n === k ? 1e5 : 1e-5, v), 0);
    const [gp, jp] = [sum(a, (g) => g), sum(a, (g, v) => g * v)];
    const [gn, jn] = [sum(b, (g) => g), sum(b, (g, v) => g * v)];
    // (gp + 1/R) p - n/R = jp and (gn + 1/R) n - p/R = jn.
    const determinant = (gp + 1 / R) * (gn + 1 / R) - 1 / (R * R);
    return (jp * gn - jn * gp) / determinant;
  }

  test.each([10, 30, 50])('thyristors with resistances, fired at %i degrees', async (alpha) => {
    const { table } = await done(bridge('LeakyThyristor', 'LeakyThyristor'), {
      set: { alpha: alpha * rad },
      stopTime: 2,
      intervals: 98,
    });
    // One valve after the other takes over, every sixth of a period.
    const first = (30 + alpha) / 360;
    const exact = (t: number, pulse: number) =>
      voltage(t, Math.floor(pulse / 2) % 3, (Math.floor((pulse + 1) / 2) + 1) % 3);
    let compared = 0;
    for (const t of table.time) {
      const pulses = (t - first) * 6;
      if (t < 1 / 3 || Math.abs(pulses - Math.round(pulses)) < 1e-6) continue;
      close(table.value('load.v', t), exact(t, Math.floor(pulses)));
      compared++;
    }
    expect(compared).toBeGreaterThan(70);
    const pulse = simpson((t) => exact(t, 0), first, first + 1 / 6);
    close(table.value('area', 2) - table.value('area', 1), 6 * pulse);
    close(6 * pulse, ideal * Math.cos(alpha * rad), 1e-3);
  });

  test.each([
    ['equations', 'Thyristor', 10],
    ['equations', 'Thyristor', 50],
    ['equations', 'Thyristor', 75],
    ['equations', 'Thyristor', 100],
    ['coefficients', 'BareThyristor', 30],
    ['coefficients', 'BareThyristor', 75],
  ])('ideal thyristors that change %s (%s), fired at %i degrees', async (_, valve, alpha) => {
    const { table } = await done(bridge(valve, valve), {
      set: { alpha: alpha * rad },
      stopTime: 2,
      intervals: 10,
    });
    // Beyond 60 degrees the current has gaps.
    const share = alpha <= 60 ? Math.cos(alpha * rad) : 1 + Math.cos((alpha + 60) * rad);
    close(table.value('area', 2) - table.value('area', 1), ideal * share);
  });

  test.each(['Thyristor', 'BareThyristor'])('arrays of thyristors (%s) make modes, too', async (valve) => {
    const { table } = await done(bridge(valve, valve, 'm'), { stopTime: 2, intervals: 10 });
    close(table.value('area', 2) - table.value('area', 1), ideal * Math.cos(0.5));
  });

  test('resistances that are zero for good', async () => {
    const text = bridge('LeakyThyristor', 'LeakyThyristor').replace(
      'parameter Real Ron = 1e-5, Goff = 1e-5',
      'constant Real Ron = 0, Goff = 0',
    );
    const { table } = await done(text, { stopTime: 2, intervals: 10 });
    close(table.value('area', 2) - table.value('area', 1), ideal * Math.cos(0.5));
  });

  test('resistances that are zero in one run only', async () => {
    const simulation = instantiate(bridge('LeakyThyristor', 'LeakyThyristor'));
    const voltages: number[] = [];
    for (const Ron of [1e-5, 0, 1e-5, 1]) {
      const valve = { Ron, Goff: Ron / 1e5 };
      const { table, status } = await simulation.simulate({
        merge: { high: valve, low: valve },
        stopTime: 2,
        intervals: 10,
        tolerance: 1e-8,
      });
      expect(status).toBe('done');
      voltages.push(table.value('area', 2) - table.value('area', 1));
    }
    const exact = ideal * Math.cos(0.5);
    close(voltages[1]!, exact);
    // The valves share the voltage with the load.
    close(voltages[0]!, exact, 3e-6);
    expect(voltages[2]).toBe(voltages[0]);
    close(voltages[3]!, exact / (1 + 2 / R), 1e-3);
  });

  test.each([
    ['Leaky', 10, 5e-3],
    ['Diode', 10, 1e-6],
    ['Diode', 75, 1e-6],
  ])('thyristors above, below of kind %s, fired at %i degrees', async (diode, alpha, relative) => {
    const thyristor = diode === 'Diode' ? 'Thyristor' : 'LeakyThyristor';
    const { table } = await done(bridge(thyristor, diode), {
      set: { alpha: alpha * rad },
      stopTime: 2,
      intervals: 10,
    });
    const mean = (ideal * (1 + Math.cos(alpha * rad))) / 2;
    close(table.value('area', 2) - table.value('area', 1), mean, relative);
  });
});

function simpson(f: (t: number) => number, from: number, to: number): number {
  const n = 200;
  let sum = f(from) - f(to);
  for (let k = 0; k < n; k++)
    sum += 4 * f(from + ((k + 0.5) * (to - from)) / n) + 2 * f(from + ((k + 1) * (to - from)) / n);
  return (sum * (to - from)) / (6 * n);
}

describe('a leg of an inverter with pulse width modulation', () => {
  const leg = `model Leg
      import Mutabor.Electrical.*;
      Real reference = 0.8*sin(314.1592653589793*time);
      Real carrier = 4*abs(mod(time, 1e-3)/1e-3 - 0.5) - 1;
      Integer pulses(start = 0, fixed = true);
      ConstantVoltage upper(V = 10), lower(V = 10);
      Switch s1(closed = reference > carrier + 0.05), s2(closed = reference < carrier - 0.05);
      Diode d1, d2;
      Resistor r(R = 1);
      Inductor l(L = 5e-3, i(start = 0, fixed = true));
      Ground g;
    equation
      connect(upper.n, g.p);
      connect(lower.p, g.p);
      connect(upper.p, s1.p);
      connect(s1.n, s2.p);
      connect(s2.n, lower.n);
      connect(d1.n, s1.p);
      connect(d1.p, s1.n);
      connect(d2.n, s2.p);
      connect(d2.p, s2.n);
      connect(s1.n, r.p);
      connect(r.n, l.p);
      connect(l.n, g.p);
      when s1.closed then
        pulses = pre(pulses) + 1;
      end when;
    end Leg;`;
  /** The voltage of the leg is that of the closed switch, or of the diode that the current takes; steps of 0.02 us are exact in the current. */
  const exact = (() => {
    const h = 2e-8;
    const decay = Math.exp(-200 * h);
    let [i, pulses, on] = [0, 0, false];
    for (let k = 0; k < 1_000_000; k++) {
      const t = (k + 0.5) * h;
      const reference = 0.8 * Math.sin(314.1592653589793 * t);
      const carrier = 4 * Math.abs((t % 1e-3) / 1e-3 - 0.5) - 1;
      const first = reference > carrier + 0.05;
      if (first && !on) pulses++;
      on = first;
      const second = reference < carrier - 0.05;
      const v = first ? 10 : second ? -10 : -10 * Math.sign(i);
      const next = v + (i - v) * decay;
      i = !first && !second && next * i < 0 ? 0 : next;
    }
    return { i, pulses };
  })();

  test.each([1e-2, 5e-3, 1e-3, 1e-6])('no pulse is missed, tolerance %d', async (tolerance) => {
    for (const method of ['auto', 'rk', 'bdf', 'radau'] as const) {
      const { table } = await done(leg, { stopTime: 0.02, intervals: 10, tolerance, method });
      expect(table.value('pulses', 0.02)).toBe(exact.pulses);
      expect(Math.abs(table.value('l.i', 0.02) - exact.i)).toBeLessThan(5e-3);
    }
  });
});
