/** Circuits of the library against closed solutions. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { close, impulse, instants, library, run, states } from './notation.ts';

describe('rectifiers', () => {
  test('half wave', async () => {
    const result = await run(
      'Electrical',
      `SineVoltage source(f = 60, phase = Mutabor.Constants.pi/32);
       Resistor r(R = 1), load(R = 50);
       Diode d;
       Capacitor c(C = 1e-3, v(start = 0, fixed = true));
       Ground ground;
     equation
       connect(source.p, r.p); connect(r.n, d.p); connect(d.n, c.p); connect(c.p, load.p);
       connect(c.n, ground.p); connect(load.n, ground.p); connect(source.n, ground.p);`,
      0.1,
    );
    const [off, on] = instants(result);
    close(off!, 4.974805418e-3);
    close(on!, 1.8471676255e-2);
    close(result.table.value('c.v', 4.974805418e-3), 0.9199529394);
    close(result.table.value('c.v', 0.1), 0.7378348555);
  });

  test('half wave with a larger load', async () => {
    const { table } = await run(
      'Electrical',
      `SineVoltage source(V = 5, f = 1.5*3.14/Mutabor.Constants.pi);
       Resistor r1(R = 1), r2(R = 10);
       Diode d;
       Capacitor c(C = 0.1, v(start = 0, fixed = true));
       Ground ground;
     equation
       connect(source.p, r1.p); connect(r1.n, d.p); connect(d.n, c.p); connect(c.p, r2.p);
       connect(c.n, ground.p); connect(r2.n, ground.p); connect(source.n, ground.p);`,
      3,
    );
    close(table.value('c.v', 3), 3.5097085016);
  });

  test('bridge', async () => {
    const { table } = await run(
      'Electrical',
      `SineVoltage source(V = 220, f = 50*3.14/Mutabor.Constants.pi);
       Resistor r1(R = 20), r2(R = 500);
       Diode d1, d2, d3, d4;
       Capacitor c(C = 1e-4, v(start = 0, fixed = true));
       Ground ground;
     equation
       connect(source.p, r1.p); connect(r1.n, d1.p); connect(d2.n, d1.p); connect(source.n, d3.p); connect(d4.n, d3.p);
       connect(d1.n, c.p); connect(d3.n, c.p); connect(c.p, r2.p);
       connect(d2.p, ground.p); connect(d4.p, ground.p); connect(c.n, ground.p); connect(r2.n, ground.p);`,
      0.1,
    );
    close(table.value('c.v', 0.1), 184.1403069462);
  });

  test('a diode with a forward voltage begins to conduct when the source reaches it', async () => {
    const result = await run(
      'Electrical',
      `SignalVoltage source(u = 2*time);
       Diode d(Vforward = 0.7);
       Resistor r(R = 10);
       Ground ground;
     equation
       connect(source.p, d.p); connect(d.n, r.p); connect(r.n, ground.p); connect(source.n, ground.p);`,
      1,
    );
    close(instants(result)[0]!, 0.35);
    close(result.table.value('r.i', 1), 0.13);
  });
});

describe('thyristor', () => {
  const circuit = (load: string, connects: string) => `
    SineVoltage source(V = 10, f = 50);
    Thyristor t;
    Blocks.BooleanPulse gate(period = 0.02, startTime = 0.004, width = 0.05);
    ${load}
    Ground ground;
    Real charge(start = 0, fixed = true);
  equation
    der(charge) = t.i;
    connect(gate.y, t.fire);
    connect(source.p, t.p); connect(source.n, ground.p);
    ${connects}`;

  test('with a resistor: the charge of a period follows from the phase angle', async () => {
    const { table } = await run(
      'Electrical',
      circuit('Resistor r(R = 5);', 'connect(t.n, r.p); connect(r.n, ground.p);'),
      0.1,
    );
    const w = 2 * Math.PI * 50;
    const period = (10 / 5 / w) * (1 + Math.cos(w * 0.004));
    for (const k of [1, 2, 5]) close(table.value('charge', 0.02 * k), k * period);
  });

  test('with an inductor: conducts beyond the zero of the voltage', async () => {
    const { table, modes } = await run(
      'Electrical',
      circuit(
        'Resistor r(R = 5); Inductor l(L = 0.01, i(start = 0, fixed = true));',
        'connect(t.n, r.p); connect(r.n, l.p); connect(l.n, ground.p);',
      ),
      0.02,
    );
    const w = 2 * Math.PI * 50;
    const [R, L, a] = [5, 0.01, 0.004];
    const particular = (t: number) =>
      (10 * (R * Math.sin(w * t) - w * L * Math.cos(w * t))) / (R * R + w * w * L * L);
    const current = (t: number) => particular(t) - particular(a) * Math.exp((-R / L) * (t - a));
    expect(modes.map((mode) => mode.signature)).toEqual(['t.off', 'not t.off', 't.off']);
    expect(modes[2]!.from).toBeGreaterThan(0.01);
    expect(Math.abs(current(modes[2]!.from))).toBeLessThan(1e-6);
    close(table.value('l.i', 0.008), current(0.008));
  });
});

describe('switches', () => {
  test('two capacitors share their charge', async () => {
    const result = await run(
      'Electrical',
      `Capacitor c1(C = 1, v(start = 10, fixed = true)), c2(C = 2, v(start = 1, fixed = true));
       Switch s(closed = time >= 1);
       Ground ground;
     equation
       connect(c1.p, s.p); connect(s.n, c2.p); connect(c1.n, ground.p); connect(c2.n, ground.p);`,
      2,
    );
    close(result.table.value('c1.v', 2), 4);
    close(result.table.value('c2.v', 2), 4);
    close(impulse(result, 's.i', 1), 6);
    expect(states(result)).toEqual([2, 1]);
  });

  test('a source is put on a capacitor', async () => {
    const result = await run(
      'Electrical',
      `ConstantVoltage source(V = 5);
       Capacitor c(C = 2, v(start = 1, fixed = true));
       Switch s;
       Blocks.BooleanStep command(startTime = 1);
       Ground ground;
     equation
       connect(command.y, s.closed);
       connect(source.p, s.p); connect(s.n, c.p); connect(c.n, ground.p); connect(source.n, ground.p);`,
      2,
    );
    close(result.table.value('c.v', 2), 5);
    close(impulse(result, 's.i', 1), 8);
    expect(states(result)).toEqual([1, 0]);
  });

  test('a buck converter: the diode takes over the current', async () => {
    const result = await run(
      'Electrical',
      `ConstantVoltage source(V = 10), load(V = 4);
       Switch s;
       Blocks.BooleanPulse command(period = 0.1, width = 0.4);
       Diode d;
       Inductor l(L = 0.5, i(start = 1, fixed = true));
       Ground ground;
     equation
       connect(command.y, s.closed);
       connect(source.p, s.p); connect(s.n, l.p); connect(d.n, l.p); connect(d.p, ground.p);
       connect(l.n, load.p); connect(load.n, ground.p); connect(source.n, ground.p);`,
      0.25,
    );
    expect(result.impulses).toEqual([]);
    close(result.table.value('l.i', 0.04), 1.48);
    close(result.table.value('l.i', 0.1), 1);
    close(result.table.value('l.i', 0.25), 1.4);
  });

  test('a commutator replaces a capacitor by a resistor', async () => {
    const result = await run(
      'Electrical',
      `ConstantVoltage source(V = 10);
       Resistor r1(R = 10), r2(R = 5);
       Capacitor c(C = 0.01, v(start = 0, fixed = true));
       Commutator s(first = time < 0.5);
       Ground ground;
     equation
       connect(source.p, r1.p); connect(r1.n, s.p); connect(s.n1, c.p); connect(s.n2, r2.p);
       connect(c.n, ground.p); connect(r2.n, ground.p); connect(source.n, ground.p);`,
      1,
    );
    close(result.table.value('s.p.v', 0.5, 'before'), 9.93262053);
    close(result.table.value('s.p.v', 0.5), 10 / 3);
    close(result.table.value('r1.i', 1), 2 / 3);
    close(result.table.value('c.v', 1), 9.93262053);
  });

  test('a breaker waits for the zero of the current', async () => {
    // Steady state from the beginning: i = I sin(wt - phase).
    const [w, R, L] = [2 * Math.PI * 50, 3, 0.02];
    const phase = Math.atan2(w * L, R);
    const amplitude = 100 / Math.hypot(R, w * L);
    const result = await run(
      'Electrical',
      `SineVoltage source(V = 100, f = 50);
       Resistor r(R = ${R});
       Inductor l(L = ${L}, i(start = ${-amplitude * Math.sin(phase)}, fixed = true));
       Breaker b(on = time < 0.021);
       Ground ground;
     equation
       connect(source.p, r.p); connect(r.n, l.p); connect(l.n, b.p); connect(b.n, ground.p); connect(source.n, ground.p);`,
      0.04,
    );
    expect(result.modes.map((mode) => mode.signature)).toEqual(['b.closed', 'not b.closed']);
    close(instants(result)[0]!, (2 * Math.PI + phase) / w);
    close(result.table.value('l.i', 0.016), amplitude * Math.sin(w * 0.016 - phase));
    expect(Math.abs(impulse(result, 'l.v', instants(result)[0]!))).toBeLessThan(1e-6);
  });
});

describe('what breaks', () => {
  const fused = (rest: string) => `
    SignalVoltage source(u = 4*time);
    Resistor r(R = 2);
    Fuse fuse(I2t = 5);
    Ground ground;
    ${rest}
    connect(source.p, fuse.p); connect(source.n, ground.p);`;

  test('a fuse melts when the integral of the square of the current says so', async () => {
    const result = await run(
      'Electrical',
      fused('equation connect(fuse.n, r.p); connect(r.n, ground.p);'),
      3,
    );
    const melted = (3 * 5 * (2 / 4) ** 2) ** (1 / 3);
    close(instants(result)[0]!, melted);
    close(result.table.value('r.i', 1), 2);
    close(result.table.value('fuse.v', 3), 12);
    expect(result.table.value('r.i', 3)).toBeCloseTo(0, 12);
    expect(states(result)).toEqual([1, 0]);
  });

  test('an inductor answers a fuse with an impulse of voltage', async () => {
    const result = await run(
      'Electrical',
      `ConstantVoltage source(V = 6);
       Inductor l(L = 2, i(start = 0, fixed = true));
       Fuse fuse(I2t = 3);
       Ground ground;
     equation
       connect(source.p, fuse.p); connect(fuse.n, l.p); connect(l.n, ground.p); connect(source.n, ground.p);`,
      2,
    );
    // i = 3t, so that its square reaches 3 after 1 s; the flux of 6 Vs goes.
    close(instants(result)[0]!, 1);
    close(impulse(result, 'l.v', 1), -6);
    close(impulse(result, 'fuse.v', 1), 6);
    expect(result.table.value('l.i', 2)).toBeCloseTo(0, 12);
  });

  test('a capacitor breaks down and becomes a resistor', async () => {
    const result = await run(
      'Electrical',
      `ConstantCurrent source(I = -2);
       FailingCapacitor c(C = 0.5, Vmax = 6, Rfailed = 1.25, intact(v(start = 0, fixed = true)));
       Ground ground;
     equation
       connect(source.p, c.p); connect(c.n, ground.p); connect(source.n, ground.p);`,
      2,
    );
    close(instants(result)[0]!, 1.5);
    close(result.table.value('c.v', 1), 4);
    close(result.table.value('c.v', 2), 2.5);
    expect(states(result)).toEqual([1, 0]);
    expect(result.table.value('c.intact.v', 1.7)).toBeNaN();
  });
});

describe('linear components', () => {
  test('a resonant circuit', async () => {
    const { table } = await run(
      'Electrical',
      `StepVoltage source(V = 10, startTime = 0.1);
       Inductor l(L = 0.1, i(start = 0, fixed = true));
       Capacitor c(C = 1e-3, v(start = 0, fixed = true));
       CurrentSensor a;
       VoltageSensor v;
       PotentialSensor p;
       Ground ground;
     equation
       connect(source.p, a.p); connect(a.n, l.p); connect(l.n, c.p); connect(c.n, ground.p); connect(source.n, ground.p);
       connect(v.p, c.p); connect(v.n, c.n); connect(p.p, l.p);`,
      0.3,
    );
    close(table.value('v.y', 0.3), 10 * (1 - Math.cos(100 * 0.2)));
    close(table.value('a.y', 0.3), 10 * Math.sqrt(1e-3 / 0.1) * Math.sin(100 * 0.2));
    close(table.value('p.phi', 0.05), 0);
    close(table.value('p.phi', 0.2), 10);
  });

  test('a transformer, sources of current and conductors', async () => {
    const { table } = await run(
      'Electrical',
      `SineCurrent source(I = 2, f = 1, phase = 0.3, offset = 1);
       StepCurrent step(I = 1, offset = 0.5, startTime = 0.5);
       SignalCurrent signal(u = time);
       Transformer t(n = 3);
       Conductor g(G = 0.5), g2(G = 4);
       Ground ground;
     equation
       connect(source.n, t.p1); connect(step.n, t.p1); connect(signal.n, t.p1);
       connect(source.p, ground.p); connect(step.p, ground.p); connect(signal.p, ground.p); connect(t.n1, ground.p);
       connect(t.p2, g.p); connect(g.n, ground.p); connect(t.n2, ground.p);
       connect(g2.p, g.p); connect(g2.n, ground.p);`,
      1,
    );
    const current = (t: number) => 1 + 2 * Math.sin(2 * Math.PI * t + 0.3) + (t < 0.5 ? 0.5 : 1.5) + t;
    for (const t of [0.2, 0.9]) close(table.value('t.v1', t), (3 * 3 * current(t)) / 4.5);
  });
});

describe('bridges', () => {
  test('six diodes: the highest and the lowest of three phases feed the load', async () => {
    const result = await run(
      'Electrical',
      `SineVoltage s[3](each V = 325, each f = 50, phase = {0, -2, 2}*Mutabor.Constants.pi/3);
       Diode up[3], down[3];
       Inductor l(L = 0.05, i(start = 0, fixed = true));
       Resistor r(R = 10);
       Ground ground;
     equation
       for k in 1:3 loop
         connect(s[k].n, ground.p); connect(s[k].p, up[k].p); connect(down[k].n, s[k].p);
         connect(up[k].n, l.p); connect(down[k].p, r.n);
       end for;
       connect(l.n, r.p);`,
      0.04,
    );
    const { table } = result;
    for (let row = 0; row < table.rowCount; row++) {
      const phases = [0, -2, 2].map(
        (p) => 325 * Math.sin(100 * Math.PI * table.time[row]! + (p * Math.PI) / 3),
      );
      close(table.at('l.p.v', row) - table.at('r.n.v', row), Math.max(...phases) - Math.min(...phases), 1e-7);
    }
    // Commutations every sixth of a period.
    for (const [k, t] of instants(result).entries()) close(t, (k + 0.5) / 300);
  });

  test('four switches with diodes: the current of the inductor goes back into the source', async () => {
    const result = await run(
      'Electrical',
      `ConstantVoltage source(V = 100);
       Switch s1(closed = time < 0.01), s2(closed = false), s3(closed = false), s4(closed = time < 0.01);
       Diode d1, d2, d3, d4;
       Inductor l(L = 0.02, i(start = 0, fixed = true));
       Ground ground;
     equation
       connect(source.n, ground.p);
       connect(source.p, s1.p); connect(s1.n, l.p); connect(d1.n, source.p); connect(d1.p, l.p);
       connect(l.p, s2.p); connect(s2.n, ground.p); connect(d2.n, l.p); connect(d2.p, ground.p);
       connect(source.p, s3.p); connect(s3.n, l.n); connect(d3.n, source.p); connect(d3.p, l.n);
       connect(l.n, s4.p); connect(s4.n, ground.p); connect(d4.n, l.n); connect(d4.p, ground.p);`,
      0.03,
    );
    close(result.table.value('l.i', 0.01), 50);
    close(result.table.value('l.i', 0.018), 10);
    expect(Math.abs(result.table.value('l.i', 0.03))).toBeLessThan(1e-6);
    expect(states(result).slice(0, 3)).toEqual([1, 1, 0]);
    expect(result.impulses).toEqual([]);
  });

  test('a voltage doubler, loaded by nothing', async () => {
    const { table } = await run(
      'Electrical',
      `SineVoltage source(V = 10, f = 50);
       Capacitor c1(C = 1e-4, v(start = 0, fixed = true)), c2(C = 1e-4, v(start = 0, fixed = true));
       Diode d1, d2;
       Ground ground;
     equation
       connect(source.p, c1.p); connect(c1.n, d1.n); connect(c1.n, d2.p); connect(d1.p, ground.p);
       connect(d2.n, c2.p); connect(c2.n, ground.p); connect(source.n, ground.p);`,
      0.1,
    );
    for (const k of [0, 1, 2, 3]) close(table.value('c2.v', 0.02 * k + 0.01), 20 - 15 * 0.5 ** k);
  });
});

describe('other domains', () => {
  test('a motor runs up', async () => {
    const { table } = await run(
      'Electrical',
      `ConstantVoltage source(V = 12);
       Resistor r(R = 2);
       EMF motor(k = 0.5);
       Mutabor.Rotational.Inertia j(J = 0.1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
       Mutabor.Rotational.RackAndPinion rack(r = 0.2);
       Mutabor.Translational.Mass m(m = 2.5);
       Ground ground;
     equation
       connect(source.p, r.p); connect(r.n, motor.p); connect(motor.n, ground.p); connect(source.n, ground.p);
       connect(motor.flange, j.flange_a); connect(j.flange_b, rack.flangeR); connect(rack.flangeT, m.flange_a);`,
      2,
    );
    // (0.1 + 2.5*0.2^2) w' = k (V - k w)/R
    const w = 24 * (1 - Math.exp((-0.25 / 2 / 0.2) * 2));
    close(table.value('j.w', 2), w);
    close(table.value('m.v', 2), 0.2 * w);
    close(table.value('r.i', 2), (12 - 0.5 * w) / 2);
  });

  test('a resistor heats a body and changes with it', async () => {
    const { table } = await run(
      'Electrical',
      `ConstantCurrent source(I = 2);
       HeatingResistor r(R = 5, alpha = 0.01, T_ref = 300);
       Mutabor.Thermal.HeatCapacitor body(C = 10, T(start = 300, fixed = true));
       Ground ground;
     equation
       connect(source.n, r.p); connect(r.n, ground.p); connect(source.p, ground.p); connect(r.port, body.port);`,
      10,
    );
    // 10 T' = 20 (1 + 0.01 (T - 300))
    close(table.value('body.T', 10), 300 + 100 * (Math.exp(0.2) - 1));
    close(table.value('r.v', 10), 10 * Math.exp(0.2));
  });
});

test('an antiparallel pair of diodes is a wire', async () => {
  const { table } = await run(
    'Electrical',
    `SineVoltage s(V = 5, f = 2);
     Capacitor c(C = 0.1, v(start = 0, fixed = true));
     Diode a, b;
     Resistor r(R = 2);
     Ground g;
   equation
     connect(s.p, c.p); connect(c.n, a.p); connect(c.n, b.n);
     connect(a.n, r.p); connect(b.p, r.p); connect(r.n, s.n); connect(s.n, g.p);`,
    1,
  );
  // T v' + v = 5 sin(w t).
  const [T, w] = [0.2, 4 * Math.PI];
  const factor = 5 / (1 + (w * T) ** 2);
  const v = (t: number) => factor * (Math.sin(w * t) - w * T * Math.cos(w * t) + w * T * Math.exp(-t / T));
  for (const t of [0.13, 0.41, 1]) close(table.value('c.v', t), v(t), 1e-5);
});

test.each(['rk', 'bdf', 'auto'] as const)(
  'a diode stops once at the peak of what it follows, by %s',
  async (method) => {
    const text = `model Peak
    import Mutabor.Electrical.*;
    SineVoltage u(V = 6, f = 3);
    Diode d;
    Capacitor c(C = 0.1, v(start = 0, fixed = true)), c1(C = 0.05, v(start = 0, fixed = true));
    Inductor l(L = 0.1, i(start = 0, fixed = true));
    Ground g;
  equation
    connect(u.n, g.p); connect(u.p, d.p); connect(d.n, c.p); connect(c.n, g.p);
    connect(c.p, l.p); connect(l.n, c1.p); connect(c1.n, g.p);
  end Peak;`;
    // While it conducts, c has the voltage of the source, and its current is that of c and of l; then c, l and c1 are alone.
    const w = 6 * Math.PI;
    const h = 1e-5;
    let [v, i, v1, stop] = [0, 0, 0, 0];
    const slope = (t: number, x: readonly number[]): number[] => {
      const at = stop > 0 ? x[0]! : 6 * Math.sin(w * t);
      return [stop > 0 ? -x[1]! / 0.1 : 6 * w * Math.cos(w * t), (at - x[2]!) / 0.1, x[1]! / 0.05];
    };
    for (let k = 0; k < 1e5; k++) {
      const t = k * h;
      const x = [v, i, v1];
      const k1 = slope(t, x);
      const half = (s: readonly number[], share: number) => x.map((value, j) => value + share * h * s[j]!);
      const k2 = slope(t + h / 2, half(k1, 0.5));
      const k3 = slope(t + h / 2, half(k2, 0.5));
      const k4 = slope(t + h, half(k3, 1));
      [v, i, v1] = x.map((value, j) => value + (h / 6) * (k1[j]! + 2 * k2[j]! + 2 * k3[j]! + k4[j]!)) as [
        number,
        number,
        number,
      ];
      if (stop === 0 && 0.6 * w * Math.cos(w * (t + h)) + i < 0) stop = t + h;
    }
    for (const tolerance of [1e-2, 1e-3, 1e-4, 1e-6]) {
      const result = await simulate(loadModel(loadText(text, 'Peak.mo', library())), {
        method,
        tolerance,
        audit: true,
      });
      expect(result.status).toBe('done');
      expect(instants(result)).toHaveLength(1);
      close(instants(result)[0]!, stop, tolerance + 1e-4);
      close(result.table.value('l.i', 1), i, 20 * tolerance + 1e-4);
    }
  },
);
