/**
 * Modia's test models, written with the API, against exact solutions: closed forms, or recursions between events where the solution
 * is exponential. The numbers in comments are those of its tests, which agree to 1e-3 only.
 */
import { describe, expect, test } from 'vitest';
import {
  type AnyModel,
  check,
  connect,
  flow,
  input,
  loadModel,
  Model,
  merge,
  modelica,
  output,
  Par,
  potential,
  simulate,
  Var,
} from '../../src/index.ts';
import { Capacitor, ConstantVoltage, Ground, Inductor, Pin, Resistor } from './electric.ts';
import { expectClose, final } from './notation.ts';

describe('one variable', () => {
  const FirstOrder = Model({
    T: 0.2,
    x: Var({ init: 0.3 }),
    u: modelica`sin(time)`,
    equations: modelica`T*der(x) + x = u`,
  });
  /** T x' + x = sin t. */
  const exact = (T: number, x0: number, t: number): number =>
    (Math.sin(t) - T * Math.cos(t)) / (1 + T * T) + (x0 + T / (1 + T * T)) * Math.exp(-t / T);

  test('first order', async () => {
    expectClose(await final(FirstOrder, 10, ['x']), [exact(0.2, 0.3, 10)], 1e-8); // -0.3617373
    const other = merge(FirstOrder, { T: 0.4, x: Var({ init: 0.9 }) });
    expectClose(await final(other, 10, ['x']), [exact(0.4, 0.9, 10)], 1e-8); // -0.1796487
  });

  test('an input that nothing is connected to has its start value', async () => {
    const Lag = Model({
      u: input,
      y: output,
      x: Var({ init: 0.3 }),
      equations: modelica`der(x) + x = u; y = 2*x;`,
    });
    const { table, diagnostics } = await simulate(loadModel(Lag), { stopTime: 10, tolerance: 1e-10 });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([['no-value', 'warning']]);
    expectClose([table.final().get('y') as number], [0.6 * Math.exp(-10)], 1e-9);
    const Driven = Model({
      lag: Lag,
      x: modelica`lag.y`,
      u: modelica`1`,
      connections: connect('u', 'lag.u'),
    });
    expectClose(
      await final(Driven.with({ u: null, connections: null, lag: { u: modelica`1 + 0*time` } }), 10, ['x']),
      [2 * (1 - 0.7 * Math.exp(-10))],
    );
  });

  const StateSpace = Model('StateSpace', {
    A: [[0]],
    B: [[0]],
    C: [[1]],
    u: Var(input, { size: modelica`size(B, 2)` }),
    y: Var(output, { size: modelica`size(C, 1)` }),
    x: Var({ size: modelica`size(A, 1)`, init: [0] }),
    equations: modelica`
      der(x) = A*x + B*u;
      y = C*x;
    `,
  });

  /** x'' + 2 D w x' + w^2 x = w^2 from x0, v0. */
  function secondOrder(w: number, D: number, x0: number, v0: number, t: number): number[] {
    const wd = w * Math.sqrt(1 - D * D);
    const [a, b] = [x0 - 1, (v0 + D * w * (x0 - 1)) / wd];
    const [decay, c, s] = [Math.exp(-D * w * t), Math.cos(wd * t), Math.sin(wd * t)];
    return [1 + decay * (a * c + b * s), decay * (-D * w * (a * c + b * s) + wd * (b * c - a * s))];
  }

  test('state space: matrices of expressions in the model around, and of numbers', async () => {
    const SecondOrder = Model({
      w: 20,
      D: 0.1,
      k: 2,
      sys: merge(StateSpace, {
        A: modelica`[0, 1; -w^2, -2*D*w]`,
        B: modelica`[0; w^2]`,
        C: modelica`[k, 0]`,
        u: [1],
        x: Var({ init: [0, 0] }),
      }),
    });
    const names = ['sys.x[1]', 'sys.x[2]', 'sys.y[1]'];
    const [x, v] = secondOrder(20, 0.3, 0, 0, 1) as [number, number];
    expectClose([x, v], [0.99740896, 0.01180865], 1e-8);
    expectClose(await final(SecondOrder.with({ D: 0.3 }), 1, names), [x, v, 2 * x]);

    const Numbers = Model({
      sys: merge(StateSpace, {
        A: [
          [0, 1],
          [-100, -12],
        ],
        B: [[0], [400]],
        C: [[2, 0]],
        u: [1],
        x: Var({ init: [0, 0] }),
      }),
    });
    const other = Numbers.with({
      sys: {
        A: [
          [0, 1],
          [-400, -12],
        ],
      },
    });
    expectClose(await final(other, 1, names), [x, v, 2 * x]);
    const [x1, v1] = secondOrder(20, 0.3, 1, 1, 1) as [number, number];
    expectClose([x1, v1], [1.00002952, 0.00223678], 1e-8);
    expectClose(await final(other.with({ sys: { x: { init: [1, 1] } } }), 1, names), [x1, v1, 2 * x1]);
  });

  test('state space with matrices of another size', async () => {
    const One = StateSpace.with({ A: [[-5]], B: [[5]], C: [[0.9]], u: [2], x: { init: [0.2] } });
    const closed = (x0: number): number => 2 - (2 - x0) * Math.exp(-5);
    expectClose(await final(One, 1, ['x[1]', 'y[1]']), [closed(0.2), 0.9 * closed(0.2)]); // 1.9878717
    const Two = One.with({
      A: [
        [-5, 0],
        [0, -5],
      ],
      B: [[5], [5]],
      C: [[0.5, 0.5]],
      x: { init: [0.3, 0.4] },
    });
    expectClose(await final(Two, 1, ['x[1]', 'x[2]']), [closed(0.3), closed(0.4)]); // 1.9885455, 1.9892193
  });

  test('an array takes the sizes of its values', async () => {
    const Decay = Model({ A: [1, 2], x: Var({ init: [1, 2] }), equations: modelica`der(x) = -A.*x` });
    expectClose(await final(Decay, 2, ['x[1]', 'x[2]']), [Math.exp(-2), 2 * Math.exp(-4)]);
    const Three = Decay.with({ A: [1, 2, 3], x: { init: [1.1, 2.1, 3.1] } });
    expectClose(await final(Three, 2, ['x[1]', 'x[2]', 'x[3]']), [
      1.1 * Math.exp(-2),
      2.1 * Math.exp(-4),
      3.1 * Math.exp(-6),
    ]);
  });
});

describe('circuits', () => {
  test('a filter with an inner resistance', async () => {
    const Source = Model({
      V: ConstantVoltage.with({ V: 10 }),
      R: Resistor.with({ R: 10 }),
      p: Pin,
      n: Pin,
      connections: [connect('V.p', 'R.n'), connect('R.p', 'p'), connect('V.n', 'n')],
    });
    const Filter = Model({
      source: Source,
      R: Resistor.with({ R: 100 }),
      C: Capacitor.with({ C: 2.5e-3 }),
      ground: Ground,
      connections: [
        connect('source.p', 'R.p'),
        connect('R.n', 'C.p'),
        connect('C.n', 'source.n', 'ground.p'),
      ],
    });
    expectClose(await final(Filter, 1, ['C.v']), [10 * (1 - Math.exp(-1 / (110 * 2.5e-3)))]); // 9.7365201
  });

  /** A circuit without ground floats, and that is told; its currents are determined. */
  async function floating(model: AnyModel, name: string): Promise<number> {
    const { status, table, diagnostics } = await simulate(loadModel(model), {
      stopTime: 1,
      tolerance: 1e-11,
    });
    expect([status, diagnostics.map(({ code }) => code)]).toEqual(['done', ['floating']]);
    return table.final().get(name) as number;
  }

  const LRRL = Model({
    V: ConstantVoltage.with({ V: 10 }),
    L1: Inductor.with({ L: 0.1, i: { init: null } }),
    L2: Inductor.with({ L: 0.2, i: { init: 0.1 } }),
    R1: Resistor.with({ R: 10 }),
    R2: Resistor.with({ R: 20 }),
    connections: [
      connect('V.p', 'L1.p'),
      connect('L1.n', 'R1.p', 'R2.p'),
      connect('R1.n', 'R2.n', 'L2.p'),
      connect('L2.n', 'V.n'),
    ],
  });

  test('without ground, two inductors in series', async () => {
    expectClose([await floating(LRRL, 'L1.i')], [1.5 - 1.4 * Math.exp(-(20 / 3) / 0.3)], 1e-10);
  });

  test('two more resistors by merging', async () => {
    const more = Model({
      R3: Resistor.with({ R: 3 }),
      R4: Resistor.with({ R: 4 }),
      connections: [
        connect('V.p', 'L1.p'),
        connect('L1.n', 'R1.p', 'R2.p'),
        connect('R1.n', 'R2.n', 'R3.p', 'R4.p'),
        connect('R3.n', 'R4.n', 'L2.p'),
        connect('L2.n', 'V.n'),
      ],
    });
    const changes = { connections: null, R1: { R: 1 }, R2: { R: 2 }, L2: { i: { init: 0 } } };
    const LRRL3 = merge(LRRL.with(changes), more);
    const R = 2 / 3 + 12 / 7;
    expectClose([await floating(LRRL3, 'L1.i')], [(10 / R) * (1 - Math.exp(-R / 0.3))], 1e-9); // 4.1984987
  });
});

describe('rotation', () => {
  const Flange = Model('Flange', { phi: potential({ unit: 'rad' }), tau: flow({ unit: 'N.m' }) });
  const Inertia = Model('Inertia', {
    a: Flange,
    b: Flange,
    J: Par({ value: 1, unit: 'kg.m2' }),
    phi: Var({ unit: 'rad' }),
    w: Var({ unit: 'rad/s' }),
    equations: modelica`
      phi = a.phi;
      phi = b.phi;
      w = der(phi);
      J*der(w) = a.tau + b.tau;
    `,
  });
  const Torque = Model('Torque', { flange: Flange, tau: input, equations: modelica`flange.tau = -tau` });
  const Gear = Model('Gear', {
    a: Flange,
    b: Flange,
    ratio: 1,
    equations: modelica`a.phi = ratio*b.phi; 0 = ratio*a.tau + b.tau;`,
  });

  const Drive = Model({
    source: merge(Torque, {
      tau: modelica`if time < 1 then 1 elseif time < 2 then 0 elseif time < 3 then -1 else 0`,
    }),
    motor: Inertia.with({ J: 0.0025 }),
    gear: Gear.with({ ratio: 105 }),
    load: Inertia.with({ J: 170, phi: { init: 0.5 }, w: { init: 0 } }),
    connections: [
      connect('source.flange', 'motor.a'),
      connect('motor.b', 'gear.a'),
      connect('gear.b', 'load.a'),
    ],
  });

  test('two inertias with a gear: the torque changes at time events', async () => {
    const acceleration = 105 / (170 + 0.0025 * 105 ** 2);
    expectClose(await final(Drive, 4, ['load.phi', 'load.w']), [0.5 + 2 * acceleration, 0]); // 1.5628 in Modia
  });

  test('more initial values than states are an error', async () => {
    const { status, diagnostics } = await simulate(loadModel(Drive.with({ motor: { w: { init: 1 } } })));
    expect([status, diagnostics[0]?.code]).toEqual(['failed', 'initial-overdetermined']);
  });

  test('three inertias on one shaft', async () => {
    const Shaft = Model({
      source: Torque.with({ tau: modelica`sin(time)` }),
      J1: Inertia.with({ J: 1.1, phi: { init: 0 }, w: { init: 0 } }),
      J2: Inertia.with({ J: 1.2 }),
      J3: Inertia.with({ J: 1.3 }),
      connections: [connect('source.flange', 'J1.a'), connect('J1.b', 'J2.a'), connect('J2.b', 'J3.a')],
    });
    const [phi, w] = [(2 - Math.sin(2)) / 3.6, (1 - Math.cos(2)) / 3.6];
    expectClose(await final(Shaft, 2, ['J3.phi', 'J3.w']), [phi, w]);
  });
});

describe('events', () => {
  test('a force that acts on one side', async () => {
    const Slider = Model({
      m: 1,
      k: 1,
      d: 0.1,
      s: Var({ init: 2, unit: 'm' }),
      v: Var({ init: 0 }),
      outside: modelica`s > 0`,
      f: modelica`if outside then 0 else 1.5`,
      equations: modelica`
        v = der(s);
        m*der(v) = f - k*s - d*v;
      `,
    });
    const { status, table, statistics } = await simulate(loadModel(Slider), {
      stopTime: 10,
      tolerance: 1e-10,
    });
    expect([status, statistics.events]).toEqual(['done', 4]);
    expectClose(
      [table.final().get('s') as number, table.final().get('v') as number],
      [1.17569934, -0.53513066],
      1e-7,
    );
  });

  test('a bouncing ball with reinit', async () => {
    const Ball = Model({
      e: 0.5,
      g: 9.81,
      h: Var({ init: 1 }),
      v: Var({ init: 0 }),
      equations: modelica`
        der(h) = v;
        der(v) = -g;
        when h < 0 then
          reinit(v, -e*pre(v));
        end when;
      `,
    });
    // After the first impact at sqrt(2/g) with the speed e*sqrt(2 g).
    const first = Math.sqrt(2 / 9.81);
    const t = 0.6 - first;
    const v = 0.5 * Math.sqrt(2 * 9.81);
    expectClose(await final(Ball, 0.6, ['h', 'v']), [v * t - (9.81 * t * t) / 2, v - 9.81 * t]);
  });
});

describe('clocks', () => {
  const Body = Model('Body', {
    m: 1,
    d: 0.1,
    f: input,
    s: Var({ init: 0 }),
    v: Var({ init: 5 }),
    equations: modelica`
      der(s) = v;
      m*der(v) = f - d*v;
    `,
  });
  const SpeedControl = Model('SpeedControl', {
    partial: true,
    body: Body,
    K: 5,
    vref: 100,
    vs: Var({ info: 'Sampled speed' }),
    u: Var({ start: 0, info: 'Output of the controller' }),
    equations: modelica`
      vs = sample(body.v, Clock(0.1));
      body.f = hold(u);
    `,
  });

  /** The body between ticks, where the force is constant: v' = f - d v. */
  function run(control: (v: number) => number, ticks: number): [s: number, v: number] {
    const [d, T] = [0.1, 0.1];
    let [s, v] = [0, 5];
    for (let k = 0; k < ticks; k++) {
      const f = control(v);
      const rest = v - f / d;
      s += (f / d) * T + (rest / d) * (1 - Math.exp(-d * T));
      v = f / d + rest * Math.exp(-d * T);
    }
    return [s, v];
  }

  test('proportional speed control', async () => {
    const exact = run((v) => 5 * (100 - v), 15);
    expectClose(exact, [133.38452025, 98.03694943], 1e-9);
    const P = Model({ extends: SpeedControl, equations: modelica`u = K*(vref - vs)` });
    expectClose(await final(P, 1.5, ['body.s', 'body.v']), exact, 1e-8);
  });

  test('proportional-integral: previous does not lose the first tick', async () => {
    let sum = 10;
    const exact = run((v) => {
      sum += 100 - v;
      return 5 * (100 - v + sum / 2);
    }, 15);
    expectClose(exact, [155.24584447, 100.18551326], 1e-9);
    const PI = Model({
      extends: SpeedControl,
      Ti: 2,
      e: Var(),
      intE: Var({ start: 10 }),
      equations: modelica`
        e = vref - vs;
        intE = previous(intE) + e;
        u = K*(e + intE/Ti);
      `,
    });
    expectClose(await final(PI, 1.5, ['body.s', 'body.v']), exact, 1e-8);
  });
});

describe('functions', () => {
  const forces = modelica`
    function forces "Torque that turns a pendulum of unit mass and length"
      input Real phi;
      input Real derw;
      output Real u;
    algorithm
      u := derw + sin(phi);
    end forces;
    function torques
      input Real phi[:];
      input Real derw[size(phi, 1)];
      output Real u[size(phi, 1)];
    algorithm
      for i in 1:size(phi, 1) loop
        u[i] := derw[i] + sin(phi[i]);
      end for;
    end torques;
  `;

  test('a pendulum whose equation is a function', async () => {
    const Pendulum = Model({
      d: 1,
      declarations: forces,
      phi: Var({ init: Math.PI / 2 }),
      w: Var({ init: 0 }),
      equations: modelica`
        w = der(phi);
        forces(phi, der(w)) = -d*w;
      `,
    });
    expectClose(await final(Pendulum, 10, ['phi', 'w']), [0.00240851, -0.01216934], 1e-8);
  });

  test('two pendulums: a function that must be zero for all its results', async () => {
    const Pendulums = Model({
      declarations: forces,
      phi: Var({ init: [Math.PI / 2, Math.PI / 4] }),
      w: Var({ init: [0, 0] }),
      equations: modelica`
        w = der(phi);
        torques(phi, der(w)) = zeros(2);
      `,
    });
    const names = ['phi[1]', 'w[1]', 'phi[2]', 'w[2]'];
    expectClose(await final(Pendulums, 2, names), [-0.20563949, -1.39923594, -0.27423139, -0.7148802], 1e-8);
  });
});

describe('structure', () => {
  const statesOf = (model: AnyModel): readonly string[] => check(loadModel(model)).states;

  test('a free mass has six states', () => {
    const Mass = Model({
      m: 1,
      f: [1, 2, 3],
      r: Var({ init: [0.1, 0.2, 0.3] }),
      v: Var({ init: [-0.1, -0.2, -0.3] }),
      equations: modelica`v = der(r); m*der(v) = f;`,
    });
    expect(statesOf(Mass).length).toBe(6);
  });

  test('a mass on a slide: vectors that have to be differentiated twice', async () => {
    const Sliding = Model({
      m: 1,
      c: 1e4,
      d: 10,
      n: [1, 1, 1],
      g: [0, -9.81, 0],
      s: Var({ init: 1 }),
      ds: Var({ init: 0 }),
      r: Var({ size: 3 }),
      v: Var({ size: 3 }),
      f: Var({ size: 3 }),
      equations: modelica`
        ds = der(s);
        r = n*s;
        v = der(r);
        m*der(v) = f + m*g - (c*s + d*ds)*n;
        n*f = 0;
      `,
    });
    // 3 m s'' = -9.81 m - 3 (c s + d s').
    const [w, D] = [100, 0.05];
    const wd = w * Math.sqrt(1 - D * D);
    const rest = -9.81 / 3 / 1e4;
    const t = 0.1;
    const s =
      rest + (1 - rest) * Math.exp(-D * w * t) * (Math.cos(wd * t) + ((D * w) / wd) * Math.sin(wd * t));
    expect(statesOf(Sliding).length).toBe(2);
    expectClose(await final(Sliding, t, ['s', 'r[2]']), [s, s], 1e-7);
  });

  test('a system of index 4 has two states, those that are asked for', () => {
    const inputs = Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((k) => [`u${k}`, modelica`sin(${k}*time)`]));
    const MultiIndex = Model({
      x1: Var(),
      x2: Var({ init: 0, stateSelect: 'always' }),
      x3: Var(),
      x4: Var(),
      x5: Var(),
      x6: Var(),
      x7: Var(),
      x1d: Var(),
      x2d: Var({ init: 0, stateSelect: 'always' }),
      x3d: Var(),
      x6d: Var(),
      x6dd: Var(),
      ...inputs,
      equations: modelica`
        0 = u1 + x1 - x2;
        0 = u2 + x1 + x2 - x3 + der(x6);
        0 = u3 + x1 + der(x3) - x4;
        x1d = der(x1);
        x2d = der(x2);
        x3d = der(x3);
        x6d = der(x6);
        x6dd = der(x6d);
        0 = u4 + 2*der(x1d) + der(x2d) + der(x3d) + der(x4) + der(x6dd);
        0 = u5 + 3*der(x1d) + 2*der(x2d) + x5;
        0 = u6 + 2*x6 + x7;
        0 = u7 + 3*x6 + 4*x7;
      `,
    });
    expect(statesOf(MultiIndex)).toEqual(['x2', 'x2d']);
  });
});
