import { describe, expect, test } from 'vitest';
import { close, done, run } from './notation.ts';

const rotational = `
connector Flange Real phi; flow Real tau; end Flange;
model Inertia parameter Real J = 1; Flange a; Flange b; Real w;
equation a.phi = b.phi; w = der(a.phi); J*der(w) = a.tau + b.tau; end Inertia;
model Torque parameter Real tau = 1; Flange b; equation b.tau = -tau; end Torque;
`;

const electrical = `
connector Pin Real v; flow Real i; end Pin;
model Ground Pin p; equation p.v = 0; end Ground;
partial model OnePort Pin p; Pin n; Real v; Real i; equation v = p.v - n.v; i = p.i; p.i + n.i = 0; end OnePort;
model Capacitor extends OnePort; parameter Real C = 1; equation C*der(v) = i; end Capacitor;
model Resistor extends OnePort; parameter Real R = 1; equation v = R*i; end Resistor;
model Source extends OnePort; parameter Real V = 1; equation v = V; end Source;
`;

describe('a shaft that breaks (Elmqvist, Mattsson and Otter 2014, figure 15)', () => {
  const shaft = `${rotational}
    model Shaft
      Inertia inertia1(J = 2), inertia2(J = 1);
      Torque torque(tau = 3);
      Boolean rigid = time < 0.5;
    equation
      connect(torque.b, inertia1.a);
      if rigid then connect(inertia1.b, inertia2.a); end if;
    initial equation
      inertia1.a.phi = 0;
      inertia1.w = 0;
    end Shaft;`;

  test('two states, then four; the second inertia turns on at its speed', async () => {
    const { table, modes, impulses } = await done(shaft, { stopTime: 1.5 });
    expect(modes.map((m) => [m.signature, m.from, m.to, m.states.length])).toEqual([
      ['rigid', 0, 0.5, 2],
      ['not rigid', 0.5, 1.5, 4],
    ]);
    expect(impulses).toEqual([]);
    // 3/(2 + 1) until the break, 3/2 for the first inertia alone afterwards.
    close(table.value('inertia1.w', 0.5), 0.5);
    close(table.value('inertia2.w', 0.5), 0.5);
    close(table.value('inertia1.w', 1.5), 2);
    close(table.value('inertia2.w', 1.5), 0.5);
    close(table.value('inertia1.a.phi', 1.5), 0.125 + 0.5 + 0.75);
    close(table.value('inertia2.b.phi', 1.5), 0.125 + 0.5);
    close(table.value('inertia2.a.tau', 0.5, 'before'), 1);
    close(table.value('inertia2.a.tau', 0.5, 'after'), 0);
  });
});

describe('circuits', () => {
  test('a capacitor switched in parallel: the charge is conserved, the current has an impulse', async () => {
    const { table, modes, impulses } = await done(
      `${electrical}
      model Parallel
        Capacitor c1(C = 1, v(start = 10, fixed = true)), c2(C = 2, v(start = 1, fixed = true));
        Ground ground;
      equation
        connect(c1.n, ground.p);
        connect(c2.n, ground.p);
        if time >= 1 then connect(c1.p, c2.p); end if;
      end Parallel;`,
      { stopTime: 2 },
    );
    expect(modes.map((m) => m.states.length)).toEqual([2, 1]);
    close(table.value('c1.v', 1, 'before'), 10);
    close(table.value('c2.v', 1, 'before'), 1);
    // (1*10 + 2*1)/(1 + 2) V; 6 As pass from the first to the second.
    for (const time of [1, 2]) {
      close(table.value('c1.v', time, 'after'), 4);
      close(table.value('c2.v', time, 'after'), 4);
    }
    expect(impulses.map((i) => [i.time, i.variable, Math.round(i.weight * 1e6) / 1e6])).toEqual([
      [1, 'c1.p.i', -6],
      [1, 'c1.n.i', 6],
      [1, 'c1.i', -6],
      [1, 'c2.p.i', 6],
      [1, 'c2.n.i', -6],
      [1, 'c2.i', 6],
    ]);
  });

  test('a load that is disconnected carries no current, and comes back', async () => {
    const { table } = await done(
      `${electrical}
      model Loads
        Source source(V = 12); Resistor first(R = 6), second(R = 3); Ground ground;
        Boolean on = time < 1 or time >= 2;
      equation
        connect(source.n, ground.p); connect(first.n, ground.p); connect(second.n, ground.p);
        connect(source.p, first.p);
        if on then connect(first.p, second.p); end if;
      end Loads;`,
      { stopTime: 3 },
    );
    for (const [time, current, voltage] of [
      [0.5, 4, 12],
      [1.5, 0, 0],
      [2.5, 4, 12],
    ] as const) {
      close(table.value('second.i', time), current);
      close(table.value('second.v', time), voltage);
      close(table.value('first.i', time), 2);
      close(table.value('source.i', time), -2 - current);
    }
  });

  test('twenty loads of one bus, switched on one after the other', async () => {
    const { table, statistics } = await done(
      `${electrical}
      model Bus Source source(V = 12); Resistor load[20](R = 1:20); Ground ground;
      equation
        connect(source.n, ground.p);
        for i in 1:20 loop
          connect(load[i].n, ground.p);
          if time >= i then connect(source.p, load[i].p); end if;
        end for;
      end Bus;`,
      { stopTime: 21 },
    );
    let current = 0;
    for (let k = 0; k <= 20; k++) {
      if (k > 0) current += 12 / k;
      close(table.value('source.i', k + 0.5), -current);
      if (k < 20) close(table.value(`load[${k + 1}].i`, k + 0.5), 0);
    }
    expect(statistics.modesCompiled).toBe(21);
  });

  test('a change-over contact charges from one source, then from the other', async () => {
    const { table } = await done(
      `${electrical}
      model Change
        Source a(V = 1), b(V = 3); Resistor r(R = 2); Capacitor c(C = 0.5, v(start = 0, fixed = true)); Ground ground;
      equation
        connect(a.n, ground.p); connect(b.n, ground.p); connect(c.n, ground.p); connect(r.n, c.p);
        if time < 1 then connect(a.p, r.p); else connect(b.p, r.p); end if;
      end Change;`,
      { stopTime: 2 },
    );
    const first = 1 - Math.exp(-1);
    close(table.value('c.v', 1), first);
    close(table.value('c.v', 2), 3 + (first - 3) * Math.exp(-1));
    close(table.value('a.i', 1.5), 0);
  });

  test('signals: two sources of one input, one at a time', async () => {
    const { table } = await done(
      `connector In = input Real; connector Out = output Real;
      block Ramp parameter Real k = 1; Out y; equation y = k*time; end Ramp;
      block Integrator In u; Out y(start = 0, fixed = true); equation der(y) = u; end Integrator;
      model Signals Ramp a(k = 2), b(k = -4); Integrator i;
      equation if time < 1 then connect(a.y, i.u); else connect(b.y, i.u); end if; end Signals;`,
      { stopTime: 2 },
    );
    close(table.value('i.y', 1), 1);
    close(table.value('i.y', 2), 1 - 2 * (4 - 1));
  });
});

test('a condition that causes no events cannot choose connections', async () => {
  const { status, diagnostics } = await run(`${electrical}
    model Smooth Source s; Resistor r; Ground g;
    equation connect(s.n, g.p); connect(r.n, g.p); if noEvent(time < 1) then connect(s.p, r.p); end if; end Smooth;`);
  expect(status).toBe('failed');
  expect(diagnostics.map((d) => d.code)).toEqual(['variability']);
});

test('flows are zero where nothing is connected to a connector, and what they are elsewhere', async () => {
  const { table } = await done(
    `record R Real f; end R;
    connector C flow R r; Real e; end C;
    model A C c; equation c.e = 2; end A;
    model M A a; flow Real x = 3; Real y = x + a.c.r.f; end M;`,
    { stopTime: 1 },
  );
  expect(table.value('a.c.r.f', 1)).toBe(0);
  expect(table.value('y', 1)).toBe(3);
});

describe('semiLinear', () => {
  test('in a connector that is not connected: both sides are equal (rule 2 of section 3.7.2.5)', async () => {
    const { table } = await done(
      `model M
        connector P Real p; flow Real m; Real h; flow Real H; Real X[2]; flow Real mX[2]; end P;
        P port; parameter Real h0 = 7; Real x0[2] = {time, 2};
      equation
        port.p = 1; port.H = semiLinear(port.m, port.h, h0); port.mX = semiLinear(port.m, port.X, x0);
      end M;`,
      { stopTime: 1, model: 'M' },
    );
    expect(['port.h', 'port.X[1]', 'port.X[2]', 'port.H'].map((name) => table.value(name, 1))).toEqual([
      7, 1, 2, 0,
    ]);
  });
});

describe('parameters of connected connectors', () => {
  const lines = `
    connector C Real v; flow Real i; parameter Integer n = 1; parameter Real w[2] = {1, 2}; parameter String s = "a"; end C;
    model Source C c(n = 2); equation c.v = 1; end Source;
    model Load parameter Integer k = 2; C c(n = k); equation c.v = c.i; end Load;`;

  test('that are equal, also of arrays, are as if they were not there', async () => {
    const model = 'model M Source a[3]; Load b[3]; equation connect(a.c, b.c); end M;';
    const { table } = await done(`${lines}\n${model}`);
    expect(table.value('b[3].c.i', 1)).toBe(1);
  });

  test.each([
    ['of one connection', 'Source a; Load b(k = 3); equation connect(a.c, b.c);', '`a.c.n` and `b.c.n`', 0],
    ['as texts', 'Source a; Load b(c(s = "b")); equation connect(a.c, b.c);', '`a.c.s` and `b.c.s`', 0],
    ['as arrays', 'Source a; Load b(c(w = {1, 3})); equation connect(a.c, b.c);', '`a.c.w` and `b.c.w`', 0],
    [
      'of elements of arrays',
      'Source a[3]; Load b[3](k = {2, 2, 3}); equation for i in 1:3 loop connect(a[i].c, b[i].c); end for;',
      '`a.c.n` and `b.c.n`',
      0,
    ],
    [
      'that are connected later',
      'Source a; Load b(k = 3); equation if time > 0.5 then connect(a.c, b.c); end if;',
      '`a.c.n` and `b.c.n`',
      0.5,
    ],
  ])('%s must have the same value', async (_, body, names, time) => {
    const { status, diagnostics, time: reached } = await run(`${lines}\nmodel M ${body} end M;`);
    expect([status, reached]).toEqual(['failed', time]);
    expect(diagnostics.map(({ message }) => message)).toContain(
      `At time ${time}: The parameters ${names} of connected connectors must have the same value.`,
    );
  });
});
