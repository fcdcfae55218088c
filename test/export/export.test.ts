/**
 * Models with several modes as standard Modelica with one structure: the text, run without any support of several modes, gives the
 * numbers that the catalogue derives, and the trajectories of the model itself.
 */
import { describe, expect, test } from 'vitest';
import { exportModelica, Failure, loadModel, simulate } from '../../src/index.ts';
import { close } from '../simulate/notation.ts';
import { both, difference } from './notation.ts';

/** Models with values that are known exactly, by variable and time. */
const known: {
  readonly title: string;
  readonly file: string;
  readonly model?: string;
  readonly states: number;
  readonly values: readonly (readonly [string, number, number])[];
  readonly stopTime?: number;
}[] = [
  {
    title: 'ideal clutch: momentum is conserved',
    file: 'IdealClutch',
    states: 2,
    values: [
      ['w1', 5, 1.2863097093],
      ['w2', 5, 1.2863097093],
      ['f1', 5, 0.0032157743],
      ['w1', 7, 1.2671590527],
      ['w1', 10, 1.229708843],
      ['w2', 10, 1.2436211776],
    ],
  },
  {
    title: 'charge sharing',
    file: 'ChargeSharing',
    states: 2,
    values: [
      ['v1', 0.5, 10],
      ['v2', 0.5, 1],
      ['v1', 1, 4],
      ['v2', 2, 4],
    ],
  },
  {
    title: 'a state that becomes a constant',
    file: 'VaryingStates',
    model: 'VaryingStates.OneToNone',
    states: 1,
    values: [
      ['x', 0.4, 4],
      ['x', 0.6, -5],
    ],
  },
  {
    title: 'an alias that becomes a state',
    file: 'VaryingStates',
    model: 'VaryingStates.OneToTwo',
    states: 2,
    values: [
      ['b', 3, 4],
      ['b', 4, 3],
      ['a', 4, 5],
    ],
  },
  {
    title: 'hybrid automaton: entry actions, and a cascade of transitions at one instant',
    file: 'HybridAutomaton',
    states: 1,
    stopTime: 10,
    values: [
      ['x', 2.5, 0.8925206406],
      ['x', 3, 1.3389848313],
      ['x', 4, 1.6133239434],
      ['x', 5, 1.6938583697],
      ['x', 6, 2.4259405183],
      // The sawtooth after the cascade.
      ['x', 8, 1 + 8 - 7.4083428106],
      ['x', 9, 1 + 9 - 8.4083428106],
    ],
  },
  {
    title: 'figure 7: a capacitor replaced by a resistor',
    file: 'ReplacedCapacitor',
    model: 'ReplacedCapacitor.Machine',
    states: 1,
    values: [
      ["'r1.n.v'", 0.25, 10 * (1 - Math.exp(-2.5))],
      ["'r1.n.v'", 0.75, 10 / 3],
      ["'r1.i'", 0.75, 2 / 3],
    ],
  },
  {
    title: 'figure 12: a shaft that breaks in two',
    file: 'BreakingInertia',
    model: 'BreakingInertia.DriveTrain',
    states: 4,
    values: [
      ["'inertia3.phi'", 1, 0.08183697],
      ["'inertia3.w'", 1, 0.36794036],
      ["'state2.inertia2b.phi'", 1, -0.00680777],
      ["'state2.inertia2b.w'", 1, 0.07318345],
    ],
  },
  {
    title: 'figure 14: a capacitor comes back with its charge',
    file: 'ParallelCapacitors',
    model: 'ParallelCapacitors.Circuit',
    states: 1,
    values: [
      ["'c2.v'", 0.5, 8.1112439716],
      ["'c2.v'", 1, 4.9277319379],
      ["'c1.v'", 1, 4.9277319379],
      ["'c2.v'", 2, 9.8190519429],
    ],
  },
  {
    title: 'figure 15: a shaft that breaks and is joined again, in the position in which it is',
    file: 'BreakingShaft',
    model: 'BreakingShaft.Shaft',
    states: 4,
    values: [
      ["'inertia1.w'", 0.5, 0.5],
      ["'inertia1.w'", 1.5, 1.5],
      ["'inertia2.w'", 1.49, 0.5],
      ["'inertia1.w'", 2, 2],
      ["'inertia2.w'", 2, 2],
    ],
  },
  {
    title: 'rocket: bodies separate and disappear',
    file: 'Rocket',
    model: 'Rocket.Flight',
    states: 4,
    values: [
      ["'stage1.v'", 5, 75.95],
      ["'stage1.h'", 5, 294.0416667],
      ["'stage2.v'", 15, 77.85],
      ["'stage2.h'", 15, 1232.2083333],
    ],
  },
  {
    title: 'unrelated states',
    file: 'UnrelatedStates',
    states: 5,
    values: [
      ["'state1.p'", 1.25, Math.cos(1.25)],
      ["'state2.x3'", 2.5, 0.8753479805],
    ],
  },
  {
    title: 'first order, then second order',
    file: 'FirstSecondOrder',
    model: 'FirstSecondOrder.System',
    states: 3,
    values: [
      ["'sink.u'", 0.6, 0.8791035691],
      ["'sink.u'", 1.5, 1.0029558451],
    ],
  },
  {
    title: 'a gripper that takes a mass',
    file: 'Gripper',
    model: 'Gripper.Throw',
    states: 2,
    values: [['x', 2 * Math.PI, -0.5707963268]],
  },
  {
    title: 'recipient with phases that change where they do',
    file: 'Recipient',
    model: 'Recipient.Physical',
    states: 2,
    values: [
      ['T', 73, 373],
      ['T', 90, 373],
      ['mliq', 98, 0],
      ['T', 120, 428],
      ['T', 200, 340],
    ],
  },
  {
    title: 'bouncing ball: one structure',
    file: 'BouncingBall',
    states: 2,
    stopTime: 2,
    values: [['h', 2, 0.0424335478]],
  },
];

describe('the text with one structure has the numbers of the catalogue', () => {
  for (const { title, file, model, states, values, stopTime } of known) {
    test(title, async () => {
      const runs = await both(file, model, stopTime);
      expect(runs.text.modes).toHaveLength(1);
      expect(runs.text.statistics.states).toHaveLength(states);
      for (const [name, time, value] of values) close(runs.text.table.value(name, time), value);
      const { worst, at } = difference(runs);
      expect(worst, at).toBeLessThan(1e-6);
    });
  }

  test('a pendulum that breaks: all coordinates are states', async () => {
    const runs = await both('BreakingPendulum');
    expect(runs.text.modes).toHaveLength(1);
    expect(runs.text.statistics.states).toEqual(['x', 'y', 'vx', 'vy']);
    expect(difference(runs).worst).toBeLessThan(2e-6);
    const at = (name: string, t: number) => runs.text.table.value(name, t);
    // Energy is kept while the rod holds, and the flight is a parabola.
    close(at('vx', 1.5) ** 2 / 2 + at('vy', 1.5) ** 2 / 2 + 9.81 * at('y', 1.5), 0, 1e-2);
    close(at('y', 3), at('y', 2) + at('vy', 2) - 9.81 / 2);
  });

  test('two machines and a diode: the diode is left to the event iteration', async () => {
    const runs = await both('TwoMachines', 'TwoMachines.Circuit');
    close(runs.text.table.value("'c.vC'", 1.2), 1.0814367, 1e-5);
    close(runs.text.table.value("'load.v'", 0.6), 1.5339621, 1e-5);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('thermostat: a machine of two states', async () => {
    const runs = await both(thermostat, 'Thermostat');
    close(runs.text.table.value('T', 24), 18.8242680319);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('shared variables that a state does not determine keep their values', async () => {
    const runs = await both(keeping, 'Keeping');
    const { table } = runs.text;
    // x rises by 1 a second in `rise`, follows 10*time in `follow`, and rests in `rest`; y is given in `rise` only.
    for (const [time, x, y] of [
      [0.5, 1.5, 1.5],
      [1.5, 2, 2],
      [2.5, 25, 2],
      [3.5, 30, 2],
      [4.5, 30.5, 5.5],
    ] as const) {
      expect(Math.abs(table.value('x', time) - x)).toBeLessThan(1e-6);
      expect(Math.abs(table.value('y', time) - y)).toBeLessThan(1e-6);
    }
    const { worst, at } = difference(runs);
    expect(worst, at).toBeLessThan(1e-6);
  });
});

const keeping = `
model Keeping
  inner Real x(start = 1, fixed = true), y(start = 7);
  block Rise
    outer output Real x, y;
  equation
    der(x) = 1;
    y = 1 + time;
  end Rise;
  block Follow
    outer output Real x;
  equation
    x = 10*time;
  end Follow;
  block Rest
  end Rest;
  Rise rise;
  Follow follow;
  Rest rest;
equation
  initialState(rise);
  transition(rise, rest, time >= 1 and time < 2);
  transition(rest, follow, time >= 2 and time < 3);
  transition(follow, rest, time >= 3 and time < 4);
  transition(rest, rise, time >= 4, priority = 2);
  annotation(experiment(StopTime = 5));
end Keeping;
`;

const thermostat = `
model Thermostat
  inner Real T(start = 20, fixed = true);
  block Off
    outer output Real T;
  equation
    der(T) = -0.1*T;
  end Off;
  block On
    outer output Real T;
  equation
    der(T) = 5 - 0.1*T;
  end On;
  Off off;
  On on;
equation
  initialState(off);
  transition(off, on, T <= 18);
  transition(on, off, T >= 22);
  annotation(experiment(StopTime = 24));
end Thermostat;
`;

describe('the liquid-vapour recipient of Urquia and Dormido', () => {
  /** Table 6, in Modelica. */
  const table6 = `
model LiqVapEq
  parameter Real m0 = 100, lam = 5, Cliq = 0.2, Cvap = 0.08, Tcf = 373;
  Real T, Q, mvap, mliq, Fcf, dermvap, derT, beta1, beta2;
  Real alfa1(start = 300, fixed = true), alfa2(start = 0, fixed = true);
  Boolean liquid = time < 10;
  Boolean equilib = time >= 10 and time < 20 or time >= 30;
equation
  0 = if equilib then dermvap - Fcf else if liquid then mliq - m0 else mliq;
  0 = if equilib then mvap + mliq - m0 else if liquid then mvap else mvap - m0;
  0 = if equilib then T - Tcf else if liquid then derT - Q/(m0*Cliq) else derT - Q/(m0*Cvap);
  0 = if equilib then Fcf - Q/lam else Fcf;
  der(alfa1) = beta1;
  der(alfa2) = beta2;
  0 = if equilib then derT - beta1 else alfa1 - T;
  0 = if equilib then alfa2 - mvap else dermvap - beta2;
  0 = if equilib then der(alfa2) - dermvap else der(alfa1) - derT;
  0 = if equilib then derT else dermvap;
  Q = if time < 28 then 20 else -20;
  when equilib then
    reinit(alfa1, T);
  end when;
  when not equilib then
    reinit(alfa2, mvap);
  end when;
  annotation(experiment(StopTime = 40));
end LiqVapEq;
`;
  const forced = () => both('Recipient', 'Recipient.Forced');

  test('table 5: alpha takes the values of what becomes algebraic', async () => {
    const { written } = await forced();
    expect(written).toMatch(/when \{[^}]*mode == 2\} then\n {4}reinit\(alpha_T, T\);/);
    expect(written).toMatch(/when \{[^}]*mode == 1, mode == 3\} then\n {4}reinit\(alpha_mvap, mvap\);/);
  });

  test('tables 3 and 4: their equations hold at all times', async () => {
    const { text } = await forced();
    const [m0, lam, Cliq, Cvap, Tcf] = [100, 5, 0.2, 0.08, 373] as const;
    for (let t = 0.05; t < 40; t += 0.1) {
      const at = (name: string) => text.table.value(name, t);
      const [T, mvap, mliq, Q] = ['T', 'mvap', 'mliq', 'Q'].map(at) as [number, number, number, number];
      const Fcf = at("'equilibrium.Fcf'");
      const [alpha1, alpha2] = [at('alpha_T'), at('alpha_mvap')];
      const [beta1, beta2] = [at('beta_T'), at('beta_mvap')];
      const [derT, dermvap] = [at('der_T'), at('der_mvap')];
      const liquid = t < 10;
      const equilib = (t > 10 && t < 20) || t > 30;
      const rows = equilib
        ? [
            dermvap - Fcf,
            mvap + mliq - m0,
            T - Tcf,
            Fcf - Q / lam,
            derT - beta1,
            alpha2 - mvap,
            beta2 - dermvap,
            derT,
          ]
        : [
            liquid ? mliq - m0 : mliq,
            liquid ? mvap : mvap - m0,
            derT - Q / (m0 * (liquid ? Cliq : Cvap)),
            Fcf,
            alpha1 - T,
            dermvap - beta2,
            beta1 - derT,
            dermvap,
          ];
      for (const [k, residual] of rows.entries())
        expect(Math.abs(residual), `row ${k + 1} at ${t}`).toBeLessThan(1e-9);
    }
  });

  test('table 6: its trajectories, and those of the table itself', async () => {
    const { text } = await forced();
    const own = await simulate(loadModel(table6), { tolerance: 1e-8, intervals: 200, singleMode: true });
    expect(own.status).toBe('done');
    expect(own.modes).toHaveLength(1);
    const values: readonly (readonly [string, number, number])[] = [
      ['T', 9.8, 309.8],
      ['T', 15, 373],
      ['mvap', 15, 20],
      ['mvap', 19.8, 39.2],
      ['mliq', 19.8, 60.8],
      ['mvap', 25, 100],
      ['T', 28, 393],
      ['T', 29.8, 388.5],
      ['T', 35, 373],
      ['mvap', 40, 60],
      ['mliq', 40, 40],
    ];
    for (const [name, time, value] of values) {
      close(text.table.value(name, time), value, 1e-9);
      close(own.table.value(name, time), value, 1e-9);
    }
    for (let t = 0.1; t < 40; t += 0.4) {
      close(text.table.value('alpha_T', t), own.table.value('alfa1', t), 1e-9);
      close(text.table.value('alpha_mvap', t), own.table.value('alfa2', t), 1e-9);
    }
  });
});

describe('parts of machines', () => {
  test('history and reset', async () => {
    for (const reset of [true, false]) {
      const runs = await both(toggled(reset), 'Toggled');
      close(runs.text.table.value("'a.x'", 2.5), reset ? 0.5 : 1.5);
      expect(difference(runs).worst).toBeLessThan(1e-6);
    }
  });

  test('history of a state that has not been active is its beginning', async () => {
    const runs = await both(toggled(false), 'Toggled');
    close(runs.text.table.value("'b.x'", 1.5), 5.5);
    close(runs.text.table.value("'b.x'", 3.5), 6.5);
  });

  test('of transitions that hold together the smallest priority fires; delayed ones come later', async () => {
    const runs = await both(priorities, 'Priorities');
    close(runs.text.table.value('x', 1), 10.5);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('a transition at initialisation', async () => {
    const runs = await both(beginning, 'Beginning');
    close(runs.text.table.value('x', 1), 3);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('a self transition, time in state', async () => {
    const runs = await both(restarting, 'Restarting');
    close(runs.text.table.value('x', 1.25), 0.25);
    close(runs.text.table.value('x', 2.5), 0.5);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('machines inside of states begin again with them', async () => {
    const runs = await both(nested, 'Nested');
    close(runs.text.table.value('x', 2.25), 2 + 2 + 0.25);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('when-equations and discrete variables inside of states', async () => {
    const runs = await both(counting, 'Counting');
    expect(runs.text.table.value("'a.n'", 0.95)).toBe(3);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('machines side by side fire together: their actions use the values before', async () => {
    const runs = await both(exchange, 'Exchange');
    close(runs.text.table.value('x', 1.5), 2);
    close(runs.text.table.value('y', 1.5), 1);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('actions on discrete variables', async () => {
    const runs = await both(counter, 'Counter');
    expect(runs.text.table.value('count', 0.95)).toBe(5);
    expect(runs.text.table.value('level', 0.95)).toBe(64);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('a condition inside of a state begins again with the state', async () => {
    const runs = await both(rising, 'Rising');
    // Entered anew at 0.9 with x = 0: high only from 1.2 on.
    close(runs.text.table.value("'rising.y'", 1.1), 0.2);
    close(runs.text.table.value("'rising.y'", 1.3), 0.8);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  const beginning = `
model Beginning
  inner Real x(start = 1, fixed = true);
  block S
    parameter Real k;
    outer output Real x;
  equation
    der(x) = k;
  end S;
  S a(k = 1), b(k = -2);
equation
  initialState(a);
  transition(a, b, initial() and x > 0, actions = {reinit(x, x + 4)});
  transition(b, a, initial() or x < -4);
end Beginning;
`;

  const exchange = `
model Exchange
  block S
    Real z = 1;
  end S;
  S a, b, c, d;
  Real x(start = 1, fixed = true), y(start = 2, fixed = true);
equation
  der(x) = 0;
  der(y) = 0;
  initialState(a);
  transition(a, b, time >= 1, actions = {reinit(x, y)});
  initialState(c);
  transition(c, d, time >= 1, actions = {reinit(y, x)});
  annotation(experiment(StopTime = 2));
end Exchange;
`;

  const counter = `
model Counter
  block S
  end S;
  S a, b;
  Integer count(start = 0, fixed = true);
  discrete Real level(start = 2, fixed = true);
  Real z = count + level;
equation
  initialState(a);
  transition(a, b, timeInState() >= 0.1, actions = {reinit(count, count + 1), reinit(level, 2*level)});
  transition(b, a, timeInState() >= 0.1);
end Counter;
`;

  const rising = `
model Rising
  block Rise
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    Boolean high = x > 0.3;
  equation
    der(x) = 1;
    if high then y = 2*x; else der(y) = 1; end if;
  end Rise;
  block Wait
    Real z(start = 0, fixed = true);
  equation
    der(z) = 1;
  end Wait;
  Rise rising;
  Wait waiting;
equation
  initialState(rising);
  transition(rising, waiting, time >= 0.7 and time < 0.8);
  transition(waiting, rising, time >= 0.9);
  annotation(experiment(StopTime = 1.4));
end Rising;
`;

  const toggled = (reset: boolean) => `
model Toggled
  block A
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
  end A;
  block B
    Real x(start = 5, fixed = true);
  equation
    der(x) = 1;
  end B;
  A a;
  B b;
  Boolean odd = mod(floor(time), 2) > 0.5;
equation
  initialState(a);
  transition(a, b, odd, reset = ${reset});
  transition(b, a, not odd, reset = ${reset});
  annotation(experiment(StopTime = 4));
end Toggled;
`;

  const priorities = `
model Priorities
  inner Real x(start = 0, fixed = true);
  block Rate
    parameter Real k;
    outer output Real x;
  equation
    der(x) = k;
  end Rate;
  Rate slow(k = 1), fast(k = 20), wrong(k = -100);
equation
  initialState(slow);
  transition(slow, wrong, time >= 0.5, priority = 2);
  transition(slow, fast, time >= 0.5, priority = 1);
  transition(slow, wrong, time >= 0.5, immediate = false, priority = 3);
end Priorities;
`;

  const restarting = `
model Restarting
  inner Real x(start = 0, fixed = true);
  block Run
    outer output Real x;
  equation
    der(x) = 1;
  end Run;
  Run run;
equation
  initialState(run);
  transition(run, run, timeInState() >= 1, actions = {reinit(x, 0)});
  annotation(experiment(StopTime = 2.5));
end Restarting;
`;

  const nested = `
model Nested
  inner Real x(start = 0, fixed = true);
  block Rate
    parameter Real k;
    outer output Real x;
  equation
    der(x) = k;
  end Rate;
  block Outer
    Rate one(k = 1), two(k = 3);
  equation
    initialState(one);
    transition(one, two, timeInState() >= 0.5);
  end Outer;
  Outer first, second;
equation
  initialState(first);
  transition(first, second, timeInState() >= 1);
  transition(second, first, timeInState() >= 1);
  annotation(experiment(StopTime = 2.5));
end Nested;
`;

  const counting = `
model Counting
  block A
    Integer n(start = 0, fixed = true);
    Real y(start = 0, fixed = true);
  equation
    der(y) = 1;
    when {y > 0.2, y > 0.5, y > 0.9} then
      n = pre(n) + 1;
    end when;
  end A;
  block B
    Real z(start = 1, fixed = true);
  equation
    der(z) = -z;
    when z < 0.7 then
      reinit(z, 2);
    end when;
  end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, time >= 1 and time < 2);
  transition(b, a, time >= 2);
  annotation(experiment(StopTime = 3));
end Counting;
`;
});

describe('other parts of the language', () => {
  test('reinit of the model together with a change of mode; functions, arrays, floor', async () => {
    const runs = await both(
      `
model Parts
  function square
    input Real x;
    output Real y;
  algorithm
    y := x^2;
  end square;
  Real w[2](start = {1, 3}, each fixed = true), f;
  Real s(start = 0, fixed = true);
  Boolean closed = time > 0.3;
  Integer hits(start = 0, fixed = true), whole = integer(4*time);
equation
  der(w[1]) = f;
  2*der(w[2]) = -f - 0.5*w[2];
  if closed then w[1] = w[2]; else f = 0; end if;
  der(s) = square(w[1]) + mod(time, 0.3);
  when s > 0.5 then
    reinit(s, 0);
    hits = pre(hits) + 1;
  end when;
  when {time > 0.6, time > 0.3} then
    reinit(w[1], 5);
  end when;
  annotation(experiment(StopTime = 0.8));
end Parts;
`,
      'Parts',
    );
    // Set to 5 and joined at the same instant with 2*w[2]; then set to 5 while joined.
    const before = 3 * Math.exp(-0.25 * 0.3);
    close(runs.text.table.value("'w[1]'", 0.4), ((5 + 2 * before) / 3) * Math.exp(-0.1 / 6), 1e-6);
    close(runs.text.table.value("'w[2]'", 0.8), 5 * Math.exp(-0.2 / 6), 1e-6);
    expect(difference(runs).worst).toBeLessThan(1e-6);
  });

  test('a model with one structure: arrays, functions, enumerations, second derivatives', async () => {
    const runs = await both(
      `
model Plain
  type Kind = enumeration(small, large);
  parameter Kind kind = Kind.large;
  function lengths
    input Real x[:];
    output Real y;
    output Real z;
  protected
    Real s = 0;
  algorithm
    for i in 1:size(x, 1) loop
      s := s + x[i]^2;
    end for;
    y := s;
    z := if s > 1 then 2 else 3;
  end lengths;
  Real v[3](each start = 1, each fixed = true), a, b, w(start = 1, fixed = true);
equation
  for i in 1:3 loop
    der(v[i]) = -i*v[i];
  end for;
  (a, b) = lengths(v);
  der(der(w)) = if kind == Kind.large then -w else 0;
initial equation
  der(w) = 0;
end Plain;
`,
      'Plain',
    );
    close(runs.text.table.value('w', 1), Math.cos(1));
    close(runs.text.table.value('a', 1), Math.exp(-2) + Math.exp(-4) + Math.exp(-6));
    expect(runs.written).toContain('der(der(w))');
  });
});

describe('what cannot be written', () => {
  const refusal = (text: string, limit?: number) => {
    try {
      exportModelica(loadModel(text), { limit });
    } catch (problem) {
      if (problem instanceof Failure) return problem.diagnostics;
      throw problem;
    }
    throw new Error('nothing was refused');
  };

  test('more modes than the limit', () => {
    const text = `
model Many
  Real x[7](each start = 1);
equation
  for k in 1:7 loop
    if time > k then x[k] = 2; else der(x[k]) = -1; end if;
  end for;
end Many;`;
    const [problem] = refusal(text);
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.message).toBe('The model has up to 128 modes; no more than 64 are written.');
    expect(problem!.span?.source.text.slice(problem!.span.start, problem!.span.end)).toContain('time > k');
    expect(exportModelica(loadModel(text), { limit: 128 }).text).toContain('mode == 128');
  });

  test('a variable that no mode determines', () => {
    const [problem] = refusal(`
model Rectifier
  Real u, i, s, v;
  Boolean off = s < 0;
equation
  if off then u = s; i = s; end if;
  u + v = 10*time;
  v = i;
  v = 3;
end Rectifier;`);
    expect(problem).toMatchObject({ code: 'not-exportable', severity: 'error' });
    expect(problem!.message).toBe('s is used, but no mode that has a solution determines it.');
    expect(problem!.span?.source.text.slice(problem!.span.start, problem!.span.end)).toBe('s');
  });

  test('a factor with a relation of what jumps', () => {
    const [problem] = refusal(`
model Stepped
  Real v1(start = 1, fixed = true), v2(start = 2, fixed = true), i;
equation
  (if v1 < 1.2 then 1 else 4)*der(v1) = i;
  2*der(v2) = -i;
  if time >= 1 then v1 = v2; else i = 0; end if;
end Stepped;`);
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.notes.map((n) => n.message).join()).toContain('v1 < 1.2');
  });

  test('a mode that has to be searched for, with values that jump', () => {
    const [problem] = refusal(`
model Buck
  Real i(start = 0, fixed = true), v, is, id, s(start = -10);
  Boolean on(start = true) = time < 0.5, off(start = true) = s < 0;
equation
  i = is + id;
  0.1*der(i) = v - i;
  if on then v = 10; else is = 0; end if;
  if off then id = 0; -v = s; else v = 0; id = s; end if;
end Buck;`);
    expect(problem).toMatchObject({ code: 'not-exportable', severity: 'error' });
    expect(problem!.message).toContain('The condition off depends on s, which the mode itself determines');
    expect(problem!.span).toBeDefined();
  });

  test('values after a change that follow from nonlinear constraints', () => {
    const [problem] = refusal(`
model Curved
  Real a(start = 1, fixed = true), b(start = 1, fixed = true), c;
  Boolean bound = time > 0.5;
equation
  der(a) = c;
  der(b) = 2*c;
  if bound then a + b^3 = 2; else c = 0; end if;
end Curved;`);
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.notes.map((n) => n.message).join()).toContain('a + b^3 = 2');
  });

  test('equations on clocks', () => {
    const [problem] = refusal(`
model Sampled
  Real x(start = 0, fixed = true), u;
equation
  der(x) = hold(u);
  u = sample(x, Clock(0.1)) + 1;
end Sampled;`);
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.message).toContain('clocks');
  });

  test('initial equations of a state that is entered', () => {
    const [problem] = refusal(`
model Shared
  inner Real x(start = 0, fixed = true);
  block A outer output Real x; equation der(x) = 1; end A;
  block B outer output Real x; initial equation x = 10; equation der(x) = -1; end B;
  A a;
  B b;
equation
  initialState(a);
  transition(a, b, x >= 0.5);
end Shared;`);
    expect(problem).toMatchObject({ code: 'not-exportable' });
    expect(problem!.span!.source.text.slice(problem!.span!.start)).toMatch(/^x = 10/);
  });

  test('reinit of what is no state', () => {
    const [problem] = refusal(`
model Dependent
  Real w1(start = 1, fixed = true, stateSelect = StateSelect.always), w2(start = 2, fixed = true), f;
  Boolean closed = time > 0.3;
equation
  der(w1) = f;
  2*der(w2) = -f;
  if closed then w1 = w2; else f = 0; end if;
  when time > 0.6 then
    reinit(w2, 5);
  end when;
end Dependent;`);
    expect(problem!.message).toContain('reinit sets w2, which is no state in the mode closed');
  });

  test('functions with arrays, where there are several modes', () => {
    const [problem] = refusal(`
model Calls
  function f
    input Real x[2];
    output Real y;
  algorithm
    y := x[1]*x[2];
  end f;
  Real a(start = 1, fixed = true), b;
equation
  der(a) = f({a, b});
  if time < 0.5 then b = 1; else der(b) = 1; end if;
end Calls;`);
    expect(problem!.message).toContain('The function Calls.f has arrays');
  });

  test('a singular mode is written, and its entry is an error of the text', async () => {
    const { text } = exportModelica(
      loadModel(
        `
model Sources
  Real v(start = 1, fixed = true), i1, i2;
  Boolean left = time >= 1 and time < 2, right = time >= RIGHT;
equation
  2*der(v) = i1 + i2;
  if left then v = 5; else i1 = 0; end if;
  if right then v = 3; else i2 = 0; end if;
  annotation(experiment(StopTime = 4));
end Sources;`.replace('RIGHT', '3'),
      ),
    );
    const run = (t: string) => simulate(loadModel(t), { singleMode: true, intervals: 100 });
    const fine = await run(text);
    expect(fine.status).toBe('done');
    close(fine.table.value('v', 2.5), 5);
    close(fine.table.value('v', 4), 3);
    const failed = await run(text.replace('time >= 3', 'time >= 1.5'));
    expect(failed.status).toBe('failed');
    expect(failed.diagnostics.map((d) => d.message).join()).toContain(
      'no solution in this mode: left, right',
    );
  });
});

describe('one structure alone', () => {
  const refused = async (text: string, model?: string) => {
    const result = await simulate(loadModel(text, model), { singleMode: true });
    expect(result.status).toBe('failed');
    expect(result.stage).toBe('translate');
    return result.diagnostics.filter((d) => d.severity === 'error');
  };

  test('a condition that changes the structure is refused with its place', async () => {
    const [problem] = await refused(`
model M
  Real x(start = 0, fixed = true);
equation
  if time < 0.5 then der(x) = 10; else x = -5; end if;
end M;`);
    expect(problem!.code).toBe('multi-mode');
    expect(problem!.message).toContain('The condition time < 0.5');
    expect(problem!.span!.source.text.slice(problem!.span!.start)).toMatch(/^time < 0.5/);
    expect(problem!.commandHint).toContain('mutabor export --as modelica');
  });

  test('a state machine is refused', async () => {
    const problems = await refused(thermostat);
    expect(problems.map((d) => d.message)).toEqual([
      'The state machine of off, on changes the structure of the equations, but only one structure is allowed.',
    ]);
  });

  test('a connection that comes and goes is refused', async () => {
    const [problem] = await refused(`
model M
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  model Tank
    Pin p;
    Real v(start = 1, fixed = true);
  equation
    v = p.v;
    der(v) = p.i;
  end Tank;
  Tank a, b(v(start = 3));
equation
  if time > 1 then connect(a.p, b.p); end if;
end M;`);
    expect(problem!.code).toBe('multi-mode');
  });

  test('what a parameter decides is allowed', async () => {
    const result = await simulate(
      loadModel(`
model M
  parameter Boolean moving = true;
  Real x(start = 0, fixed = true);
equation
  if moving then der(x) = 1; else x = 2; end if;
end M;`),
      { singleMode: true },
    );
    expect(result.status).toBe('done');
  });
});

describe('algorithm sections', () => {
  test('are written as sections, loops among them as functions', async () => {
    const runs = await both(
      `
model M
  Real T(start = 0, fixed = true);
  Boolean on(start = true, fixed = true);
  Integer n(start = 0, fixed = true);
  Real a[3];
algorithm
  if pre(on) then on := T < 6; else on := T < 4; end if;
  when change(on) then n := n + 1; end when;
  for i in 1:3 loop
    a[i] := i*T + (if T > i then 1 else 0);
    while a[i] > 3 loop a[i] := a[i] - 1; end while;
  end for;
equation
  der(T) = if on then 10 - T else -T;
end M;`,
      'M',
      2,
    );
    expect(runs.written).toMatch(/^algorithm$/m);
    // From 0 towards 10 up to 6, then between 4 and 6: the third change is at ln(2.5) + 2 ln(1.5).
    for (const { table } of [runs.model, runs.text]) {
      expect([1.72, 1.73].map((t) => table.value('n', t))).toEqual([2, 3]);
    }
    const { worst, at } = difference(runs);
    expect([worst < 1e-6, at]).toEqual([true, at]);
  });
});

test('what a new variable with a fixed start value brings is in the text, with all that is tied to it', async () => {
  const { text } = await both(
    `model M
  Real v1(start = 3, fixed = true), i, v3(start = 1, fixed = true), q3;
equation
  der(v1) = -i;
  if time >= 1 then q3 = 2*v3; der(q3) = i; v3 = v1; else i = 0; end if;
end M;
`,
    'M',
    2,
  );
  close(text.table.get('v1').at(-1)!, 5 / 3);
  close(text.table.get('q3').at(-1)!, 10 / 3);
});
