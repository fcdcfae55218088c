/**
 * Ideal switching elements: which of them conduct, stick or slip is found by the simulation. Numbers are from closed
 * solutions of the pieces between the switching instants.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { searchModes } from '../../src/simulate/instant/search.ts';
import { close, done, run } from './notation.ts';
import { parts } from './parts.ts';

/** Times at which a Boolean changes. */
function changes(
  table: { time: ArrayLike<number>; at(name: string, row: number): number },
  name: string,
): number[] {
  const found: number[] = [];
  for (let row = 1; row < table.time.length; row++)
    if (table.at(name, row) !== table.at(name, row - 1)) found.push(table.time[row]!);
  return found;
}

const bridge = (extra: string, connects: string) => `${parts}
model Bridge
  Sine source(V = 220, w = 2*3.14*50);
  Resistor r1(R = 20), r2(R = 500);
  Diode d1, d2, d3, d4;
  Capacitor c(C = 1e-4, v(start = 0, fixed = true));
  Ground ground;
  ${extra}
equation
  connect(source.p, r1.p);
  connect(r1.n, d1.p);
  connect(d2.n, d1.p);
  connect(source.n, d3.p);
  connect(d4.n, d3.p);
  connect(d3.n, d1.n);
  connect(d2.p, ground.p);
  connect(d4.p, ground.p);
  ${connects}
  connect(c.n, ground.p);
  connect(r2.p, c.p);
  connect(r2.n, ground.p);
end Bridge;`;

describe('diodes with resistances', () => {
  test('switch once at a knee where rounding contradicts itself on both sides', async () => {
    for (let k = 0; k < 20; k++) {
      const knee = 0.05 + k / 23;
      // In the gap of 2e-13 behind the knee, the size of a rounding error, each branch asks for the other one.
      const { table } = await done(
        `model Knee
          parameter Real knee = ${knee}, gap = 2e-13;
          Real x = sin(20*time), s, y;
          Boolean off(start = true) = s < 0;
        equation
          s = if off then 50*(x - knee) else x - (knee + gap);
          y = if off then 0 else s;
        end Knee;`,
        { stopTime: 1, intervals: 50 },
      );
      for (const [row, t] of table.time.entries())
        expect(Math.abs(table.at('y', row) - Math.max(0, Math.sin(20 * t) - knee))).toBeLessThan(1e-12);
      const crossings = [0, 2, 4, 6]
        .flatMap((n) => [n * Math.PI + Math.asin(knee), (n + 1) * Math.PI - Math.asin(knee)])
        .filter((phase) => phase < 20);
      const found = changes(table, 'off');
      expect(found.length).toBe(crossings.length);
      for (const [n, phase] of crossings.entries()) close(found[n]!, phase / 20, 1e-9);
    }
  });

  test('conduct in a bridge what the source gives them', async () => {
    const { table } = await done(
      `${parts}
model Bridge
  Sine source(V = 100, w = 20);
  Resistor r(R = 20), load(R = 100);
  Leaky d1(knee = 2), d2(knee = 2), d3(knee = 2), d4(knee = 2);
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, d1.p);
  connect(d2.n, d1.p);
  connect(source.n, d3.p);
  connect(d4.n, d3.p);
  connect(d3.n, d1.n);
  connect(d2.p, ground.p);
  connect(d4.p, ground.p);
  connect(load.p, d1.n);
  connect(load.n, ground.p);
end Bridge;`,
      { stopTime: 1, intervals: 50 },
    );
    // With the voltage a, the diodes of one pair conduct g(a); those of the other pair block at -(a + load).
    const g = (v: number) => (v < 2 ? 1e-3 * v : 2e-3 + (v - 2) / 1e-3);
    const loadAt = (a: number) => (g(a) - 1e-3 * a) / (1 / 100 + 1e-3);
    const sourceAt = (a: number) => 20 * (g(a) + 1e-3 * (a + loadAt(a))) + 2 * a + loadAt(a);
    for (const [row, t] of table.time.entries()) {
      let [low, high] = [0, 100];
      for (let n = 0; n < 100; n++) {
        const a = (low + high) / 2;
        if (sourceAt(a) < Math.abs(100 * Math.sin(20 * t))) low = a;
        else high = a;
      }
      expect(Math.abs(table.at('load.v', row) - loadAt(low))).toBeLessThan(1e-9);
    }
  });
});

describe('rectifiers', () => {
  test('half wave', async () => {
    const { table } = await done(
      `${parts}
model HalfWave
  constant Real pi = 3.141592653589793;
  Sine source(w = 2*pi*60, phase = pi/32);
  Resistor r(R = 1), load(R = 50);
  Diode d;
  Capacitor c(C = 1e-3, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, d.p);
  connect(d.n, c.p);
  connect(c.p, load.p);
  connect(c.n, ground.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
end HalfWave;`,
      { stopTime: 0.1 },
    );
    const [off, on] = changes(table, 'd.off');
    close(off!, 4.974805418e-3);
    close(on!, 1.8471676255e-2);
    close(table.value('c.v', 4.974805418e-3), 0.9199529394);
    close(table.value('c.v', 0.1), 0.7378348555);
  });

  test('half wave with a larger load', async () => {
    const { table } = await done(
      `${parts}
model Rectifier
  Sine source(V = 5, w = 2*3.14*1.5);
  Resistor r1(R = 1), r2(R = 10);
  Diode d;
  Capacitor c(C = 0.1, v(start = 0, fixed = true));
  Ground ground;
equation
  connect(source.p, r1.p);
  connect(r1.n, d.p);
  connect(d.n, c.p);
  connect(c.p, r2.p);
  connect(c.n, ground.p);
  connect(r2.n, ground.p);
  connect(source.n, ground.p);
end Rectifier;`,
      { stopTime: 3 },
    );
    close(table.value('c.v', 3), 3.5097085016);
  });

  test('bridge of four diodes', async () => {
    const { table, modes } = await done(bridge('', 'connect(d1.n, c.p);'), { stopTime: 0.1 });
    close(table.value('c.v', 0.1), 184.1403069462);
    // Of 16 combinations three: one of the two pairs conducts, or nothing flows, and the source floats.
    const conducting = modes.map(({ signature }) => signature.match(/not d\d/g)?.join() ?? 'none');
    const cycle = ['not d1,not d4', 'none', 'not d2,not d3', 'none'];
    expect(conducting).toEqual(Array.from({ length: 20 }, (_, k) => cycle[k % 4]));
    for (const [k, { from, to }] of modes.entries())
      if (conducting[k] === 'none') expect(Math.abs(table.value('r1.i', (from + to) / 2))).toBe(0);
  });

  test('bridge with an inductor behind it: diodes conduct in pairs', async () => {
    const { table, modes } = await done(
      `${parts}
model FullWave
  Sine source(V = 10, w = 6);
  Diode d1, d2, d3, d4;
  Inductor l(L = 2, i(start = 0, fixed = true));
  Resistor r(R = 4);
  Ground ground;
equation
  connect(source.p, d1.p);
  connect(d2.n, d1.p);
  connect(source.n, d3.p);
  connect(d4.n, d3.p);
  connect(d3.n, d1.n);
  connect(d2.p, ground.p);
  connect(d4.p, ground.p);
  connect(d1.n, l.p);
  connect(l.n, r.p);
  connect(r.n, ground.p);
end FullWave;`,
      { stopTime: 3 },
    );
    expect(modes.map((m) => m.signature.match(/not/g)?.length)).toEqual([2, 2, 2, 2, 2, 2]);
    // 2 i' + 4 i = 10 |sin 6t|, integrated over the half waves.
    const particular = (t: number) => (10 * (4 * Math.sin(6 * t) - 12 * Math.cos(6 * t))) / (16 + 144);
    let [i, half] = [0, 0];
    for (; (half + 1) * (Math.PI / 6) < 3; half++)
      i = particular(Math.PI / 6) + (i - particular(0)) * Math.exp((-2 * Math.PI) / 6);
    const rest = 3 - half * (Math.PI / 6);
    close(table.value('l.i', 3), particular(rest) + (i - particular(0)) * Math.exp(-2 * rest));
  });

  test('bridge with a resistor before and an inductor behind it: the pairs overlap', async () => {
    const { table } = await done(
      bridge(
        'Inductor l(L = 2, i(start = 0, fixed = true));',
        'connect(d1.n, l.p); connect(l.n, c.p);',
      ).replace('R = 500', 'R = 50'),
      { stopTime: 0.1 },
    );
    // While the source cannot drive the current of the inductor through its resistor, that current circulates in the bridge.
    for (let row = 1; row < table.time.length; row++) {
      const driven = Math.abs(table.at('source.v', row)) / 20;
      const current = table.at('l.i', row);
      if (Math.abs(driven - current) < 1e-6) continue;
      const expected = driven > current ? Math.abs(table.at('source.v', row)) - 20 * current : 0;
      expect(table.at('d1.n.v', row), `at ${table.time[row]}`).toBeCloseTo(expected, 6);
    }
  });

  test('bridge with a small inductor: the current comes in pulses', async () => {
    const { table, modes } = await done(
      bridge('Inductor l(L = 0.05, i(start = 0, fixed = true));', 'connect(d1.n, l.p); connect(l.n, c.p);'),
      { stopTime: 0.1 },
    );
    // No mode with one or three diodes that conduct lasts.
    expect(new Set(modes.map((m) => m.signature.match(/not d/g)?.length ?? 0))).toEqual(new Set([0, 2]));
    let pauses = 0;
    for (let row = 1; row < table.time.length; row++) {
      const current = table.at('l.i', row);
      expect(current).toBeGreaterThan(-1e-7);
      if (current < 1e-7) pauses++;
      else expect(table.at('r1.i', row) ** 2).toBeCloseTo(current ** 2, 6);
    }
    expect(pauses).toBeGreaterThan(50);
  });
});

test('a voltage doubler without any resistance: each diode makes a constraint between capacitors', async () => {
  const { table, modes } = await done(
    `${parts}
model Doubler
  Sine source(V = 10, w = 1);
  Capacitor c1(v(start = 0, fixed = true)), c2(v(start = 0, fixed = true));
  Diode d1, d2;
  Ground ground;
equation
  connect(source.p, c1.p);
  connect(c1.n, d1.n);
  connect(c1.n, d2.p);
  connect(d1.p, ground.p);
  connect(d2.n, c2.p);
  connect(c2.n, ground.p);
  connect(source.n, ground.p);
end Doubler;`,
    { stopTime: 30 },
  );
  // After each peak of the source the voltage lacks half of what it lacked to 20 V before.
  for (const k of [0, 1, 2, 3, 4]) close(table.value('c2.v', 2 * Math.PI * k + 4), 20 - 15 * 0.5 ** k);
  const blocking = (signature: string) => ['d1', 'd2'].filter((d) => !signature.includes(`not ${d}.off`));
  expect(modes.slice(0, 5).map((m) => [blocking(m.signature), m.states.length])).toEqual([
    [['d1'], 1],
    [['d1', 'd2'], 2],
    [['d2'], 1],
    [['d1', 'd2'], 2],
    [['d1'], 1],
  ]);
});

/** A circuit around a source of 10 sin 6t and a resistor of 4 Ohm. */
const around = (diodes: string) => `${parts}
model Circuit
  Sine source(V = 10, w = 6);
  Diode d1, d2;
  Resistor r(R = 4);
  Ground ground;
equation
  ${diodes}
  connect(r.n, ground.p);
  connect(source.n, ground.p);
end Circuit;`;

describe('a current that begins with slope zero', () => {
  /** A source that rises from zero charges a, which charges b through a diode and a resistor: the current begins as the second power of time. */
  const text = `model Chain
      Real a(start = 0, fixed = true), b(start = 0, fixed = true), i, s;
      Boolean off(start = true) = s < 0;
    equation
      0.1*der(a) = 5*sin(19*time) - a - i;
      0.1*der(b) = i;
      if off then
        i = 0;
        s = a - b;
      else
        a - b = 0.5*i;
        s = i;
      end if;
    end Chain;`;
  /** The same with the current as a function of the voltages, in small steps of classical Runge-Kutta. */
  const [exactA, exactB] = (() => {
    const n = 400_000;
    const h = 1 / n;
    const current = (a: number, b: number) => Math.max(0, (a - b) / 0.5);
    const slopes = (t: number, a: number, b: number): [number, number] => {
      const i = current(a, b);
      return [10 * (5 * Math.sin(19 * t) - a - i), 10 * i];
    };
    let [a, b] = [0, 0];
    for (let k = 0; k < n; k++) {
      const t = k * h;
      const p = slopes(t, a, b);
      const q = slopes(t + h / 2, a + (h / 2) * p[0], b + (h / 2) * p[1]);
      const r = slopes(t + h / 2, a + (h / 2) * q[0], b + (h / 2) * q[1]);
      const s = slopes(t + h, a + h * r[0], b + h * r[1]);
      a += (h / 6) * (p[0] + 2 * q[0] + 2 * r[0] + s[0]);
      b += (h / 6) * (p[1] + 2 * q[1] + 2 * r[1] + s[1]);
    }
    return [a, b];
  })();

  test.each([1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8])(
    'has no events but where it ends and begins, tolerance %d',
    async (tolerance) => {
      for (const method of ['auto', 'rk', 'bdf'] as const) {
        const { table, statistics } = await done(text, { tolerance, method });
        expect(statistics.events).toBe(5);
        expect(Math.abs(table.value('a', 1) - exactA)).toBeLessThan(Math.max(1e-7, 100 * tolerance));
        expect(Math.abs(table.value('b', 1) - exactB)).toBeLessThan(Math.max(1e-7, 100 * tolerance));
      }
    },
  );
});

describe('two diodes', () => {
  test.each([
    [
      'in series',
      'connect(source.p, d1.p); connect(d1.n, d2.p); connect(d2.n, r.p);',
      (i: number) => Math.max(0, i),
    ],
    ['in series, opposed', 'connect(source.p, d1.p); connect(d1.n, d2.n); connect(d2.p, r.p);', () => 0],
    [
      'in parallel',
      'connect(source.p, d1.p); connect(source.p, d2.p); connect(d1.n, r.p); connect(d2.n, r.p);',
      (i: number) => Math.max(0, i),
    ],
    [
      'in parallel, opposed',
      'connect(source.p, d1.p); connect(source.p, d2.n); connect(d1.n, r.p); connect(d2.p, r.p);',
      (i: number) => i,
    ],
  ])('%s', async (_, connects, expected) => {
    const { table } = await done(around(connects), { stopTime: 2 });
    for (let row = 0; row < table.time.length; row++)
      expect(table.at('r.i', row)).toBeCloseTo(expected(2.5 * Math.sin(6 * table.time[row]!)), 9);
  });
});

describe('switches', () => {
  test('the current of an inductor goes on through the diode when the switch opens', async () => {
    const { table, modes, impulses } = await done(
      `${parts}
model Buck
  Constant source(V = 10);
  Switch s(closed = mod(time, 0.1) < 0.04);
  Diode d;
  Inductor l(L = 0.5, i(start = 1, fixed = true));
  Constant load(V = 4);
  Ground ground;
equation
  connect(source.p, s.p);
  connect(s.n, l.p);
  connect(d.n, l.p);
  connect(d.p, ground.p);
  connect(l.n, load.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
end Buck;`,
      { stopTime: 0.25 },
    );
    expect(impulses).toEqual([]);
    expect(modes.map((m) => m.signature)).toEqual([
      's.closed, d.off',
      'not s.closed, not d.off',
      's.closed, d.off',
      'not s.closed, not d.off',
      's.closed, d.off',
      'not s.closed, not d.off',
    ]);
    // The inductor sees 6 V while the switch is closed, then -4 V.
    close(table.value('l.i', 0.04), 1.48);
    close(table.value('l.i', 0.1), 1);
    close(table.value('l.i', 0.25), 1.4);
  });

  test('also when the switch is a state machine', async () => {
    const { table, modes, impulses } = await done(
      `${parts}
model On
  Pin p, n;
equation
  p.v = n.v;
  p.i + n.i = 0;
end On;
model Off
  Pin p, n;
equation
  p.i = 0;
  n.i = 0;
end Off;
model Buck
  Constant source(V = 10);
  On on;
  Off off;
  Diode d;
  Inductor l(L = 0.5, i(start = 1, fixed = true));
  Constant load(V = 4);
  Ground ground;
equation
  initialState(on);
  transition(on, off, timeInState() > 0.04);
  transition(off, on, timeInState() > 0.06);
  connect(source.p, on.p);
  connect(source.p, off.p);
  connect(on.n, l.p);
  connect(off.n, l.p);
  connect(d.n, l.p);
  connect(d.p, ground.p);
  connect(l.n, load.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
end Buck;`,
      { stopTime: 0.25 },
    );
    expect(impulses).toEqual([]);
    expect(modes.map((m) => m.signature)).toEqual([
      'on, d.off',
      'off, not d.off',
      'on, d.off',
      'off, not d.off',
      'on, d.off',
      'off, not d.off',
    ]);
    close(table.value('l.i', 0.04), 1.48);
    close(table.value('l.i', 0.25), 1.4);
  });

  test('a thyristor waits for its gate and conducts until its current ends', async () => {
    const { modes } = await done(
      `${parts}
model Phase
  constant Real pi = 3.141592653589793;
  Sine source(V = 10, w = 2*pi);
  Thyristor t(fire = mod(time, 1) > 0.2 and mod(time, 1) < 0.25);
  Inductor l(L = 0.1, i(start = 0, fixed = true));
  Resistor r(R = 4);
  Ground ground;
equation
  connect(source.p, t.p);
  connect(t.n, l.p);
  connect(l.n, r.p);
  connect(r.n, ground.p);
  connect(source.n, ground.p);
end Phase;`,
      { stopTime: 3 },
    );
    // 0.1 i' + 4 i = 10 sin wt from i(0.2) = 0; the current ends where particular and decaying part cancel.
    const w = 2 * Math.PI;
    const particular = (t: number) => 4 * Math.sin(w * t) - 0.1 * w * Math.cos(w * t);
    const current = (t: number) => particular(t) - particular(0.2) * Math.exp(-40 * (t - 0.2));
    expect(modes.map((m) => m.signature)).toEqual([
      't.off',
      'not t.off',
      't.off',
      'not t.off',
      't.off',
      'not t.off',
      't.off',
    ]);
    for (const [period, k] of [1, 3, 5].entries()) {
      close(modes[k]!.from, period + 0.2);
      expect(current(modes[k]!.to - period)).toBeCloseTo(0, 6);
    }
  });

  test('the current ends before the switch closes again', async () => {
    const { table, impulses } = await done(
      `${parts}
model Discontinuous
  Constant source(V = 10);
  Switch s(closed = mod(time, 0.1) < 0.03);
  Diode d;
  Inductor l(L = 0.5, i(start = 0, fixed = true));
  Constant load(V = 4);
  Ground ground;
equation
  connect(source.p, s.p);
  connect(s.n, l.p);
  connect(d.n, l.p);
  connect(d.p, ground.p);
  connect(l.n, load.p);
  connect(load.n, ground.p);
  connect(source.n, ground.p);
end Discontinuous;`,
      { stopTime: 0.3 },
    );
    expect(impulses).toEqual([]);
    for (const period of [0, 0.1, 0.2]) {
      close(table.value('l.i', period + 0.03), 0.36);
      close(table.value('l.i', period + 0.05), 0.2);
      expect(Math.abs(table.value('l.i', period + 0.09))).toBeLessThan(1e-9);
    }
  });

  test('a switch that closes across a conducting diode turns it off', async () => {
    const { modes, table } = await done(
      `${parts}
model Short
  Constant source(V = 10);
  Switch s(closed = time > 0.5);
  Diode d;
  Resistor r(R = 4);
  Ground ground;
equation
  connect(source.p, r.p);
  connect(r.n, s.p);
  connect(r.n, d.p);
  connect(s.n, ground.p);
  connect(d.n, ground.p);
  connect(source.n, ground.p);
end Short;`,
      { stopTime: 1 },
    );
    expect(modes.map((m) => m.signature)).toEqual(['not s.closed, not d.off', 's.closed, d.off']);
    close(table.value('s.i', 0.7), 2.5);
    close(table.value('d.i', 0.3), 2.5);
  });
});

describe('mechanics', () => {
  test.each([
    [
      'with a memory of the direction',
      `forward = pre(forward) and v >= 0 or not pre(forward) and not pre(backward) and f > 0.7;
       backward = pre(backward) and v <= 0 or not pre(forward) and not pre(backward) and f < -0.7;
       if forward then
         f = 0.7;
       elseif backward then
         f = -0.7;
       else
         v = 0;
       end if;`,
      'forward(start = false, fixed = true), backward(start = false, fixed = true)',
    ],
    [
      'as a curve',
      `forward = s > 0.7;
       backward = s < -0.7;
       if forward then
         f = 0.7;
         v = s - 0.7;
       elseif backward then
         f = -0.7;
         v = s + 0.7;
       else
         v = 0;
         f = s;
       end if;`,
      'forward, backward;\n  Real s',
    ],
  ])('Coulomb friction %s', async (_, friction, declared) => {
    const { modes, table } = await done(
      `model Coulomb
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f;
  Boolean ${declared};
equation
  der(x) = v;
  der(v) = sin(time) - f;
  ${friction}
end Coulomb;`,
      { stopTime: 7 },
    );
    // Where the first branch holds, the second condition may be of no importance.
    expect(modes.map((m) => m.signature.replace('forward, not backward', 'forward'))).toEqual([
      'not forward',
      'forward',
      'not forward',
      'not forward, backward',
      'not forward',
    ]);
    expect(modes.map((m) => m.states.length)).toEqual([1, 2, 1, 2, 1]);
    for (const [k, t] of [0.775397497, 3.219805724, 3.91699015, 6.361398378].entries())
      close(modes[k]!.to, t);
    close(table.value('x', 3.5), 0.43249394);
    expect(Math.abs(table.value('x', 7))).toBeLessThan(1e-7);
  });

  test('a one-way clutch', async () => {
    const { modes, table, impulses } = await done(
      `model Freewheel
  Real w1(start = 0, fixed = true), w2(start = 1, fixed = true), tau, s(start = -1);
  Boolean free(start = true) = s < 0;
equation
  2*der(w1) = 3*cos(time) - tau;
  der(w2) = tau - 0.5;
  if free then
    w1 - w2 = s;
    tau = 0;
  else
    w1 = w2;
    tau = s;
  end if;
end Freewheel;`,
      { stopTime: 5 },
    );
    expect(modes.map((m) => m.signature)).toEqual(['free', 'not free', 'free']);
    // 1.5 sin t = 1 - t/2 at the first instant; locked, 3 w' = 3 cos t - 0.5 and tau = cos t + 1/3.
    const first = modes[0]!.to;
    expect(1.5 * Math.sin(first) - 1 + first / 2).toBeCloseTo(0, 7);
    close(modes[1]!.to, Math.acos(-1 / 3));
    close(
      table.value('w1', 1.5),
      1.5 * Math.sin(first) + Math.sin(1.5) - Math.sin(first) - (1.5 - first) / 6,
    );
    expect(impulses).toEqual([]);
  });
});

describe('random networks of resistors, sources and diodes', () => {
  interface Network {
    /** By node: conductance to ground, to the next node, amplitude and phase of a source behind 1 Ohm, capacity to ground. */
    readonly nodes: readonly { g: number; next: number; a: number; phase: number; c: number }[];
    /** From and to; 0 is ground. */
    readonly diodes: readonly (readonly [number, number])[];
  }
  const network = (capacity: number): fc.Arbitrary<Network> =>
    fc.integer({ min: 1, max: 4 }).chain((n) =>
      fc.record({
        nodes: fc.array(
          fc.record({
            g: fc.integer({ min: 1, max: 5 }),
            next: fc.integer({ min: 1, max: 5 }),
            a: fc.integer({ min: -5, max: 5 }),
            phase: fc.integer({ min: 0, max: 6 }),
            c: fc.integer({ min: 0, max: capacity }),
          }),
          { minLength: n, maxLength: n },
        ),
        diodes: fc.array(
          fc
            .tuple(fc.integer({ min: 0, max: n }), fc.integer({ min: 0, max: n }))
            .filter(([a, b]) => a !== b),
          { minLength: 1, maxLength: 5 },
        ),
      }),
    );

  const injected = ({ nodes }: Network, t: number) => nodes.map(({ a, phase }) => a * Math.sin(t + phase));

  function write({ nodes, diodes }: Network): string {
    const sum = nodes.map(({ a, phase, g, c }, k) => {
      const terms = [`${a}*sin(time + ${phase}) - v[${k + 1}]`, `- ${g}*v[${k + 1}]`];
      if (k + 1 < nodes.length) terms.push(`- ${nodes[k]!.next}*(v[${k + 1}] - v[${k + 2}])`);
      if (k > 0) terms.push(`- ${nodes[k - 1]!.next}*(v[${k + 1}] - v[${k}])`);
      for (const [d, [from, to]] of diodes.entries()) {
        if (from === k + 1) terms.push(`- i[${d + 1}]`);
        if (to === k + 1) terms.push(`+ i[${d + 1}]`);
      }
      return `${c === 0 ? '0' : `${c}*der(v[${k + 1}])`} = ${terms.join(' ')};`;
    });
    const at = (node: number) => (node === 0 ? '0' : `v[${node}]`);
    const curves = diodes.map(
      ([from, to], d) =>
        `off[${d + 1}] = s[${d + 1}] < 0;
  ${at(from)} - ${at(to)} = if off[${d + 1}] then s[${d + 1}] else 0;
  i[${d + 1}] = if off[${d + 1}] then 0 else s[${d + 1}];`,
    );
    const fixed = nodes.map(({ c }) => c > 0);
    return `model Network
  Real v[${nodes.length}](fixed = {${fixed.join(', ')}}), i[${diodes.length}], s[${diodes.length}](each start = -1);
  Boolean off[${diodes.length}](each start = true);
equation
  ${[...sum, ...curves].join('\n  ')}
end Network;`;
  }

  /**
   * The voltages minimise the power among those that no diode forbids: the best of the minima on all faces. In an implicit
   * step from the voltages `before`, of length 1/rate, a capacitor is a conductance with a source.
   */
  function voltages(network: Network, t: number, rate = 0, before: readonly number[] = []): number[] {
    const { diodes } = network;
    const nodes = network.nodes.map((node) => ({ ...node, own: node.g + 1 + rate * node.c }));
    const n = nodes.length;
    const source = injected(network, t).map((i, k) => i + rate * nodes[k]!.c * (before[k] ?? 0));
    let best: { v: number[]; power: number } | undefined;
    for (let face = 0; face < 1 << diodes.length; face++) {
      const root = Array.from({ length: n + 1 }, (_, k) => k);
      const find = (k: number): number => (root[k] === k ? k : find(root[k]!));
      for (const [d, [from, to]] of diodes.entries()) {
        if (!(face & (1 << d))) continue;
        const [a, b] = [find(from), find(to)];
        root[Math.max(a, b)] = Math.min(a, b);
      }
      const free = Array.from({ length: n }, (_, k) => k + 1).filter((k) => find(k) === k);
      const row = new Map(free.map((k, r) => [k, r]));
      const matrix = free.map(() => new Array<number>(free.length + 1).fill(0));
      const stamp = (g: number, a: number, b: number) => {
        for (const [x, y, sign] of [
          [a, a, 1],
          [b, b, 1],
          [a, b, -1],
          [b, a, -1],
        ] as const) {
          const [r, c] = [row.get(find(x)), row.get(find(y))];
          if (r !== undefined && c !== undefined) matrix[r]![c]! += sign * g;
        }
      };
      for (const [k, { own, next }] of nodes.entries()) {
        stamp(own, k + 1, 0);
        if (k + 1 < n) stamp(next, k + 1, k + 2);
        const r = row.get(find(k + 1));
        if (r !== undefined) matrix[r]![free.length]! += source[k]!;
      }
      const x = solve(matrix);
      const v = nodes.map((_, k) => x[row.get(find(k + 1)) ?? -1] ?? 0);
      const at = (node: number) => (node === 0 ? 0 : v[node - 1]!);
      if (diodes.some(([from, to]) => at(from) - at(to) > 1e-9)) continue;
      let power = 0;
      for (const [k, { own, next }] of nodes.entries()) {
        power += (own * v[k]! ** 2) / 2 - source[k]! * v[k]!;
        if (k + 1 < n) power += (next * (v[k]! - v[k + 1]!) ** 2) / 2;
      }
      if (!best || power < best.power) best = { v, power };
    }
    return best!.v;
  }

  test('have the voltages of least power', async () => {
    await fc.assert(
      fc.asyncProperty(network(0), async (data) => {
        const { table } = await done(write(data), { stopTime: 6, intervals: 40 });
        for (let row = 0; row < table.time.length; row++) {
          const expected = voltages(data, table.time[row]!);
          for (const [k, v] of expected.entries())
            expect(table.at(`v[${k + 1}]`, row), `v[${k + 1}] at ${table.time[row]}`).toBeCloseTo(v, 6);
        }
      }),
      { numRuns: 25, seed: 7 },
    );
  }, 60_000);

  test('with capacitors, follow small implicit steps', async () => {
    await fc.assert(
      fc.asyncProperty(network(2), async (data) => {
        const { table } = await done(write(data), { stopTime: 4, intervals: 400, tolerance: 1e-8 });
        const rate = 100;
        // Errors of implicit steps are proportional to their length, so those of twice as many tell them.
        let [coarse, fine] = [data.nodes.map(() => 0), data.nodes.map(() => 0)];
        for (let step = 1; step < 4 * rate; step++) {
          const t = step / rate;
          coarse = voltages(data, t, rate, coarse);
          for (const now of [t - 0.5 / rate, t]) fine = voltages(data, now, 2 * rate, fine);
          for (const [k, v] of fine.entries()) {
            const difference = table.value(`v[${k + 1}]`, t) - (2 * v - coarse[k]!);
            expect(Math.abs(difference), `v[${k + 1}] at ${t}`).toBeLessThan(2e-4);
          }
        }
      }),
      { numRuns: 10, seed: 11 },
    );
  }, 60_000);
});

/** Solves rows of coefficients with the right side at their end. */
function solve(rows: number[][]): number[] {
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let r = k; r < n; r++) if (Math.abs(rows[r]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = r;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let r = 0; r < n; r++) {
      if (r === k) continue;
      const factor = rows[r]![k]! / rows[k]![k]!;
      for (let c = k; c <= n; c++) rows[r]![c]! -= factor * rows[k]![c]!;
    }
  }
  return rows.map((row, k) => row[n]! / row[k]!);
}

describe('when no mode is consistent', () => {
  test('the message says what was tried, and why it failed', async () => {
    const { status, diagnostics, time } = await run(
      `model Contradiction
  Real v, i, w, j;
  Boolean a, b;
equation
  a = v < 0.5;
  b = w < 2;
  v + i = time;
  w + j = time;
  if a then
    i = 0;
  else
    v = 0;
  end if;
  if b then
    j = 0;
  else
    w = 1;
  end if;
end Contradiction;`,
      { stopTime: 3 },
    );
    expect(status).toBe('failed');
    expect(time).toBeCloseTo(0.5, 6);
    const problem = diagnostics.at(-1)!;
    expect(problem.code).toBe('event-cycle');
    expect(problem.message).toContain('No mode is consistent at time 0.5');
    const notes = problem.notes.map((n) => n.message);
    expect(notes).toContain('mode a, b: a turns false');
    expect(notes).toContain('mode not a, b: a turns true');
    expect(problem.span).toBeDefined();
  });

  test('also at the start', async () => {
    const { status, diagnostics } = await run(
      `model Contradiction
  Real v, i;
  Boolean a(start = true) = v < 0.5;
equation
  v + i = 1 + time;
  if a then
    i = 0;
  else
    v = 0;
  end if;
end Contradiction;`,
    );
    expect(status).toBe('failed');
    const notes = diagnostics.at(-1)!.notes.map((n) => n.message);
    expect(notes).toEqual(['equation a = v < 0.5', 'mode a: a turns false', 'mode not a: a turns true']);
  });

  test('a mistake that no diode can mend is told once', async () => {
    const { status, diagnostics, time } = await run(
      `${parts}
model Conflict
  Constant source(V = 3), other(V = 4);
  Switch s(closed = time > 0.5);
  Diode d[7];
  Resistor r[7];
  Ground ground;
equation
  connect(source.p, s.p);
  connect(s.n, other.p);
  connect(other.n, ground.p);
  connect(source.n, ground.p);
  for k in 1:7 loop
    connect(source.p, d[k].p);
    connect(d[k].n, r[k].p);
    connect(r[k].n, ground.p);
  end for;
end Conflict;`,
    );
    expect({ status, time }).toEqual({ status: 'failed', time: 0.5 });
    const problem = diagnostics.at(-1)!;
    expect(problem.code).toBe('structurally-singular');
    expect(problem.notes.map((note) => note.message)).toContain(
      'tried 128 modes, singular for the same reason',
    );
  });

  test('a singular mode at the start is left for another one', async () => {
    const { modes } = await done(
      `${parts}
model Parallel
  Constant source(V = 3);
  Diode d1(off(start = false)), d2(off(start = false));
  Resistor r(R = 4);
  Ground ground;
equation
  connect(source.p, d1.p);
  connect(source.p, d2.p);
  connect(d1.n, r.p);
  connect(d2.n, r.p);
  connect(r.n, ground.p);
  connect(source.n, ground.p);
end Parallel;`,
    );
    expect(modes).toHaveLength(1);
    expect(['d1.off, not d2.off', 'not d1.off, d2.off']).toContain(modes[0]!.signature);
  });
});

describe('the search itself', () => {
  /** The linear complementarity problem w = M z + q, with z = 0 where a condition is true and w = 0 elsewhere. */
  const trial = (m: number[][], q: number[]) => (values: boolean[]) => {
    const n = q.length;
    const rows = q.map((_, k) =>
      values[k] ? [...q.map((_, c) => (c === k ? 1 : 0)), 0] : [...m[k]!, -q[k]!],
    );
    const z = solve(rows);
    const w = q.map((c, k) => c + m[k]!.reduce((sum, x, j) => sum + x * z[j]!, 0));
    const conditions = Array.from({ length: n }, (_, k) => k).filter((k) =>
      values[k] ? w[k]! < -1e-9 : z[k]! < -1e-9,
    );
    return conditions.length === 0
      ? ({ kind: 'consistent' } as const)
      : ({ kind: 'violated', conditions } as const);
  };

  test('solves complementarity problems of positive definite matrices', () => {
    const size = 6;
    const numbers = fc.array(fc.integer({ min: -5, max: 5 }), {
      minLength: size * size,
      maxLength: size * size,
    });
    const right = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(numbers, right, (a, q) => {
        const row = (k: number) => a.slice(k * size, (k + 1) * size);
        const m = q.map((_, i) =>
          q.map((_, j) => row(i).reduce((sum, x, k) => sum + x * row(j)[k]!, 0) + (i === j ? 1 : 0)),
        );
        const { found, attempts } = searchModes(
          q.map(() => true),
          [],
          [],
          trial(m, q),
        );
        expect(found).toBe(true);
        expect(attempts.at(-1)!.outcome.kind).toBe('consistent');
      }),
      { numRuns: 200 },
    );
  });

  test('pivots where combinations are too many', () => {
    const size = 40;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), (seed) => {
        let state = seed;
        const random = () => {
          state = (state * 48271) % 2147483647;
          return state / 2147483647 - 0.5;
        };
        const q = Array.from({ length: size }, () => 10 * random());
        const a = q.map(() => q.map(random));
        const m = a.map((row, i) =>
          a.map((other, j) => row.reduce((sum, x, k) => sum + x * other[k]!, 0) + (i === j ? 0.1 : 0)),
        );
        const all = q.map((_, k) => k);
        const { found, attempts } = searchModes(
          q.map(() => true),
          [],
          all,
          trial(m, q),
        );
        expect(found).toBe(true);
        expect(attempts.length).toBeLessThan(10 * size);
      }),
      { numRuns: 20 },
    );
  });

  test('tries what is next to the present mode first, and everything at last', () => {
    const order: string[] = [];
    const reason = { code: 'singular-system', severity: 'error', message: 'singular', notes: [] } as const;
    const result = searchModes([false, true, false], [2], [0, 1, 2], (values) => {
      order.push(values.map((v) => (v ? '1' : '0')).join(''));
      return { kind: 'singular', reason };
    });
    expect(result).toMatchObject({ found: false, cut: false });
    expect(order.slice(0, 2)).toEqual(['010', '011']);
    expect([...order].sort()).toEqual(['000', '001', '010', '011', '100', '101', '110', '111']);
    const flips = order.slice(2).map((s) => [...s].filter((c, k) => c !== '010'[k]).length);
    expect(flips).toEqual([1, 1, 2, 2, 2, 3]);
  });

  test('gives up after so many attempts', () => {
    const many = Array.from({ length: 40 }, (_, k) => k);
    const attempt = () => ({ kind: 'violated', conditions: many }) as const;
    const { found, cut, attempts } = searchModes(
      many.map(() => true),
      [],
      many,
      attempt,
      { most: 300 },
    );
    expect({ found, cut, count: attempts.length }).toEqual({ found: false, cut: true, count: 300 });
  });
});

test('noEvent has no effect on conditions that choose between structures, and this is said', async () => {
  const { table, diagnostics } = await done(
    `model M
      Real p, q, x(start = 2, fixed = true);
    equation
      der(x) = -1;
      p + q = 3;
      if noEvent(x > 1) then p = x; else q = 0; end if;
    end M;`,
    { stopTime: 2 },
  );
  close(table.value('p', 0.5), 1.5);
  close(table.value('p', 1.5), 3);
  close(table.value('q', 1.5), 0, 1e-12);
  expect(diagnostics.map(({ code }) => code)).toEqual(['variability']);
});

test('a potential that no equation of a mode contains floats', async () => {
  // While the level is below, the port is closed by two equations, and nothing says what its pressure is.
  const { table, diagnostics } = await done(
    `package P
      connector Port Real p(start = 5); flow Real m; end Port;
      model Tank
        Port port;
        input Real level;
        Boolean closed(start = true, fixed = true);
      equation
        closed = pre(closed) and not port.p > 7 or port.m < -1e-6;
        if level > 0 then port.p = level + 1; elseif pre(closed) then port.m = 0; else port.p = 1; end if;
      end Tank;
      model Plant
        Port top;
        Tank tank(level = time - 1);
      equation
        connect(top, tank.port);
      end Plant;
      model M Plant plant; end M;
    end P;`,
    { stopTime: 2, model: 'P.M' },
  );
  expect(table.value('plant.top.p', 0.5)).toBe(5);
  close(table.value('plant.top.p', 2), 2);
  expect(diagnostics.map(({ code }) => code)).toEqual(['floating']);
});
