/**
 * The demonstrations of Modia's built-in components and of models that change their sizes (A. Neumayr and M. Otter, Electronics 12(3), 2023), as a user
 * would write them: models in TypeScript, instantiated once, simulated with other values. Each is compared with its exact solution. What
 * single folders show of them is in their tests: other models of Modia's tests in `test/api/oracles.test.ts`, contracts of components in `test/builtin`.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { capacitor } from '../../examples/typescript/capacitor.ts';
import { linear } from '../../examples/typescript/linear.ts';
import { rocket } from '../../examples/typescript/rocket.ts';
import { rod } from '../../examples/typescript/rod.ts';
import {
  array,
  connect,
  flow,
  Integer,
  input,
  instantiate,
  loadModel,
  Model,
  modelica,
  output,
  Par,
  potential,
  type RunOptions,
  type Simulation,
  type SimulationResult,
  simulate,
  Var,
} from '../../src/index.ts';
import { ConstantVoltage, Ground, Pin, Resistor } from '../api/electric.ts';
import { rodTemperature } from '../problems/rod.ts';

/** Relative error that is allowed; Modia's own tests allow 1e-3. */
const ERROR = 1e-6;

/** A number in a list that may differ by the relative error. */
const near = (expected: number, error = ERROR): number =>
  ({
    asymmetricMatch: (actual: unknown) =>
      typeof actual === 'number' && Math.abs(actual - expected) <= error * Math.abs(expected),
    toString: () => `near(${expected})`,
  }) as unknown as number;

async function run(simulation: Simulation, options: RunOptions): Promise<SimulationResult> {
  const result = await simulation.simulate({ tolerance: 1e-9, ...options });
  expect(result.diagnostics.filter(({ severity }) => severity !== 'info').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

/** Last values of an array, or of what a name stands for. */
function last({ table }: SimulationResult, text: string): number[] {
  return table.expand(text).map((name) => table.at(name, table.rowCount - 1));
}

describe('a capacitor as a built-in component', () => {
  const Capacitor = Model('Capacitor', {
    builtIn: capacitor,
    p: Pin,
    n: Pin,
    C: Par({ value: 1, unit: 'F' }),
    v0: Par({ value: 0, unit: 'V' }),
    w: Var({ unit: 'V' }),
    equations: modelica`
      w = p.v - n.v;
      0 = p.i + n.i;
    `,
  });
  const Filter = Model('Filter', {
    R: Resistor.with({ R: 0.5 }),
    C: Capacitor.with({ C: 2, v0: 0.1 }),
    V: ConstantVoltage.with({ V: 10 }),
    ground: Ground,
    connections: [connect('V.p', 'R.p'), connect('R.n', 'C.p'), connect('C.n', 'V.n', 'ground.p')],
  });

  test('in a low-pass filter that is translated once', async () => {
    const filter = instantiate(Filter);
    const cases = [
      [{}, 9.99955054069535],
      [{ R: { R: 5 }, C: { v0: 3 } }, 7.424843911799904],
      [{ 'R.R': 5 }, 6.357993532402721],
      [{}, 9.99955054069535],
    ] as const;
    for (const [k, [merge, exact]] of cases.entries()) {
      const result = await run(filter, { merge, stopTime: 10 });
      expect([...last(result, 'C.w'), ...last(result, 'C.v')]).toEqual([near(exact), near(exact)]);
      expect(result.statistics.translations).toBe(k === 0 ? 1 : 0);
    }
  });
});

describe('linear systems of changing size', () => {
  const T = 0.2;
  /** -1/T on the diagonal. */
  const diagonal = (n: number): number[][] =>
    Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? -1 / T : 0)));
  const column = (n: number): number[][] => Array.from({ length: n }, () => [1 / T]);
  const matrices = (n: number) => ({ A: diagonal(n), B: column(n) });
  /** T x' + x = u. */
  const state = (u: number, x0: number, t = 1): number => u - (u - x0) * Math.exp(-t / T);

  const members = {
    ...matrices(1),
    C: [[0.9]],
    W: [[1.1]],
    x0: [0.2],
    u: Var(input, { size: modelica`size(B, 2)` }),
    y: Var(output, { size: modelica`size(C, 1)` }),
  };
  /** With states of its own, and as array equations. */
  const systems = [
    ['as a built-in component', Model('Linear', { builtIn: linear, ...members })],
    [
      'as array equations',
      Model('Linear', {
        ...members,
        x: Var({ size: modelica`size(A, 1)`, init: modelica`x0` }),
        w: Var({ size: modelica`size(W, 1)` }),
        equations: modelica`
          der(x) = A*x + B*u;
          y = C*x;
          w = W*x;
        `,
      }),
    ],
  ] as const;

  describe.each(systems)('%s', (_, Linear) => {
    test('SSTest: from one state to two', async () => {
      const system = instantiate(Model('SSTest', { ss: Linear.with({ u: [2] }) }));
      const one = await run(system, { stopTime: 1 });
      const x = state(2, 0.2);
      expect(x).toBeCloseTo(1.9878716954, 10);
      expect([last(one, 'ss.x'), last(one, 'ss.y'), last(one, 'ss.w')]).toEqual([
        [near(x)],
        [near(0.9 * x)],
        [near(1.1 * x)],
      ]);
      expect(one.segments.map(({ states }) => states)).toEqual([1]);

      const W = [
        [0.5, 0.6],
        [0.7, 0.8],
        [0.9, 1.0],
      ];
      const merge = { ss: { ...matrices(2), C: [[0.5, 0.5]], W, x0: [0.3, 0.4] } };
      const two = await run(system, { stopTime: 1, merge });
      const [x1, x2] = [state(2, 0.3), state(2, 0.4)];
      expect([x1, x2]).toEqual([near(1.98854549, 5e-9), near(1.98921928, 5e-9)]);
      expect([last(two, 'ss.x'), last(two, 'ss.y'), last(two, 'ss.w')]).toEqual([
        [near(x1), near(x2)],
        [near((x1 + x2) / 2)],
        W.map(([a, b]) => near(a! * x1 + b! * x2)),
      ]);
      expect(two.segments.map(({ states }) => states)).toEqual([2]);
      expect([one, two].map(({ statistics }) => statistics.translations)).toEqual([1, 0]);
    });

    test('SSTest2: nested, beside scalars and arrays', async () => {
      const Sub = Model('Sub', {
        ss: Linear.with({ u: [2.1] }),
        x40: [0.8, 0.9],
        x1: Var({ init: 1.1 }),
        x2: Var({ init: 0 }),
        x3: Var({ init: [0.5, 0.6, 0.7] }),
        x4: Var({ size: modelica`size(x40, 1)`, init: modelica`x40` }),
        equations: modelica`
          der(x1) = -x1;
          der(x2) = -x2;
          der(x3) = -x3;
          der(x4) = -x4;
        `,
      });
      const SSTest2 = Model('SSTest2', {
        submodel: Sub,
        ss: Linear.with({ ...matrices(2), C: [[0.4, 0.4]], W: [[1, 1]], x0: [0.3, 0.4], u: [2] }),
        y1: modelica`ss.y[1]`,
        y2: modelica`submodel.ss.y[1]`,
      });
      const system = instantiate(SSTest2);
      const decay = (...values: number[]): number[] => values.map((value) => near(value * Math.exp(-1)));
      const check = (result: SimulationResult, x4: number[], x0: number[], gain: number): void => {
        const x = x0.map((value) => state(2, value));
        expect(last(result, 'submodel.x1')).toEqual(decay(1.1));
        expect(last(result, 'submodel.x2')).toEqual([0]);
        expect(last(result, 'submodel.x3')).toEqual(decay(0.5, 0.6, 0.7));
        expect(last(result, 'submodel.x4')).toEqual(decay(...x4));
        expect(last(result, 'submodel.ss.x')).toEqual([near(state(2.1, 0.2))]);
        expect(last(result, 'ss.x')).toEqual(x.map((value) => near(value)));
        expect(last(result, 'y1')).toEqual([near(gain * x.reduce((a, b) => a + b))]);
        expect(last(result, 'y2')).toEqual([near(0.9 * state(2.1, 0.2))]);
        expect(result.segments.map(({ states }) => states)).toEqual([1 + 1 + 1 + 3 + x4.length + x0.length]);
      };

      const first = await run(system, { stopTime: 1 });
      check(first, [0.8, 0.9], [0.3, 0.4], 0.4);
      const ss = { ...matrices(3), C: [[0.5, 0.5, 0.5]], W: [[1, 1, 1]], x0: [0.35, 0.45, 0.55] };
      const second = await run(system, { stopTime: 1, merge: { submodel: { x40: [0.85] }, ss } });
      check(second, [0.85], [0.35, 0.45, 0.55], 0.5);
      expect([first, second].map(({ statistics }) => statistics.translations)).toEqual([1, 0]);
      // Nothing of the merge stays.
      check(await run(system, { stopTime: 1 }), [0.8, 0.9], [0.3, 0.4], 0.4);
    });
  });

  test("TestArrays: x' = A x with two and three states; an array of fixed size keeps it", async () => {
    const Decay = Model('Decay', {
      A: [
        [-1, 0],
        [0, -2],
      ],
      x0: [1, 2],
      v: Var({ init: [0.5, 0.6, 0.7] }),
      x: Var({ size: modelica`size(A, 1)`, init: modelica`x0` }),
      equations: modelica`
        der(x) = A*x;
        der(v) = -v;
      `,
    });
    const decay = instantiate(Decay);
    const two = await run(decay, { stopTime: 2 });
    expect(last(two, 'x')).toEqual([near(Math.exp(-2)), near(2 * Math.exp(-4))]);
    const A = [
      [-1, 0, 0],
      [0, -2, 0],
      [0, 0, -3],
    ];
    const three = await run(decay, { stopTime: 2, merge: { A, x0: [1.1, 2.1, 3.1] } });
    expect(last(three, 'x')).toEqual([0.14886881156, 0.03846284167, 0.00768413175].map((x) => near(x)));
    expect([two, three].map(({ statistics }) => statistics.translations)).toEqual([1, 0]);

    const { status, diagnostics } = await decay.simulate({ merge: { v: { init: [1, 2] } } });
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({ code: 'dimension-mismatch' });
    expect(diagnostics[0]!.message).toMatch(/\[3\].*\[2\]/);
  });
});

/** Temperatures of some cells, counted from 0. */
const exactRod = (n: number, time: number, cells: readonly number[]): number[] =>
  cells.map((i) => rodTemperature(n, i + 1, time));

describe('a heated rod', () => {
  const HeatPort = Model('HeatPort', { T: potential({ unit: 'K' }), Q_flow: flow({ unit: 'W' }) });
  const FixedTemperature = Model('FixedTemperature', {
    port: HeatPort,
    T: Par({ value: 300, unit: 'K' }),
    equations: modelica`port.T = T`,
  });
  const material = { L: 1, A: 4e-4, rho: 7500, lambda: 74, c: 450 };

  const Rod = Model('Rod', {
    a: HeatPort,
    b: HeatPort,
    n: Integer(5),
    ...material,
    dx: Par(modelica`L/n`),
    k1: Par(modelica`lambda/dx/(c*rho*dx)`),
    k2: Par(modelica`2*lambda*A/dx`),
    T: Var({ size: 'n', unit: 'K', init: modelica`fill(293.15, n)` }),
    equations: modelica`
      der(T[1]) = k1*(2*(a.T - T[1]) - (T[1] - T[2]));
      der(T[2:n - 1]) = k1*(T[1:n - 2] - 2*T[2:n - 1] + T[3:n]);
      der(T[n]) = k1*(T[n - 1] - T[n] - 2*(T[n] - b.T));
      a.Q_flow = k2*(a.T - T[1]);
      b.Q_flow = k2*(b.T - T[n]);
    `,
  });
  const Cells = Model('Cells', {
    builtIn: rod,
    a: HeatPort,
    b: HeatPort,
    ...material,
    T0: [293.15],
    sizes: Par({ value: [5], type: 'Integer' }),
    times: [1e9],
    Ta: Var({ unit: 'K' }),
    Tb: Var({ unit: 'K' }),
    G: Var({ unit: 'W/K' }),
    equations: modelica`
      a.Q_flow = G*(a.T - Ta);
      b.Q_flow = G*(b.T - Tb);
    `,
  });
  const Cell = Model('Cell', {
    a: HeatPort,
    b: HeatPort,
    C: 1,
    G: 1,
    T: Var({ init: 293.15, unit: 'K' }),
    equations: modelica`
      C*der(T) = a.Q_flow + b.Q_flow;
      a.Q_flow = 2*G*(a.T - T);
      b.Q_flow = 2*G*(b.T - T);
    `,
  });
  const Chain = Model('Chain', {
    a: HeatPort,
    b: HeatPort,
    n: Integer(5),
    ...material,
    cell: array(Cell.with({ C: modelica`c*rho*A*L/n`, G: modelica`lambda*A*n/L` }), 'n'),
    connections: modelica`
      connect(a, cell[1].a);
      for i in 1:n - 1 loop
        connect(cell[i].b, cell[i + 1].a);
      end for;
      connect(cell[n].b, b);
    `,
  });
  const heated = (bar: typeof Rod | typeof Cells | typeof Chain) =>
    Model('Heated', {
      rod: bar,
      left: FixedTemperature.with({ T: 493.15 }),
      E: Var({ init: 0, unit: 'J', info: 'Heat that came in' }),
      equations: modelica`der(E) = rod.a.Q_flow`,
      connections: connect('left.port', 'rod.a'),
    });

  test('the exact solution has the published values', () => {
    const five = [492.963024285, 492.607375341, 492.304842279, 492.085039144, 491.969481797];
    expect(exactRod(5, 1e5, [0, 1, 2, 3, 4])).toEqual(five.map((T) => near(T, 1e-11)));
    const eight = [478.349783285, 449.384102583, 422.275999746, 398.117604909, 377.81143621, 362.04452623];
    expect(exactRod(8, 1e4, [0, 1, 2, 3, 4, 5])).toEqual(eight.map((T) => near(T, 1e-11)));
  });

  test.each([
    ['array equations', heated(Rod), (n: number) => ({ n }), 'T', ''],
    ['a built-in component', heated(Cells), (n: number) => ({ sizes: [n] }), 'T', ''],
    ['an array of components', heated(Chain), (n: number) => ({ n }), 'cell', '.T'],
  ])(
    '%s with 5, 8, 100 and 10000 cells, translated once',
    async (_, model, size, before, after) => {
      const simulation = instantiate(model);
      const translations: number[] = [];
      for (const n of [5, 8, 100, 10_000]) {
        const options = { stopTime: 1e5, tolerance: 1e-7, intervals: 1, method: 'bdf' } as const;
        const result = await run(simulation, { ...options, merge: { rod: size(n) } });
        const cells = n < 1000 ? Array.from({ length: n }, (_, i) => i) : [0, 1, 77, 2500, 5000, 9998, 9999];
        const actual = cells.map((i) => last(result, `rod.${before}[${i + 1}]${after}`)[0]!);
        expect(actual).toEqual(exactRod(n, 1e5, cells).map((T) => near(T)));
        expect(result.segments.map(({ states }) => states)).toEqual([n + 1]);
        translations.push(result.statistics.translations);
      }
      expect(translations).toEqual([1, 0, 0, 0]);
    },
    60_000,
  );

  test('refined and coarsened during the run: the energy is that which came in', async () => {
    const simulation = instantiate(heated(Cells));
    const sizes = [5, 8, 100, 7, 5];
    const merge = { rod: { sizes, times: [1e3, 4e3, 2e4, 5e4] } };
    const { table, segments, statistics } = await run(simulation, { stopTime: 1e5, merge, intervals: 100 });
    expect(segments.map(({ states }) => states)).toEqual(sizes.map((n) => n + 1));
    expect([statistics.restarts, statistics.translations]).toEqual([4, 1]);
    const energy = table.get('rod.energy');
    const entered = table.get('E');
    // 293.15 K in 1350 J/(kg K) * 1 m * 4 cm2 * 7500 kg/m3.
    expect(energy[0]).toEqual(near(450 * 7500 * 4e-4 * 293.15, 1e-14));
    for (const [row, value] of energy.entries())
      expect(Math.abs((value - entered[row]!) / energy[0]! - 1)).toBeLessThan(1e-10);
    for (const time of [1e3, 4e3, 2e4, 5e4])
      expect(table.value('rod.energy', time)).toEqual(near(table.value('rod.energy', time, 'before'), 1e-12));
    expect(table.value('rod.T[8]', 3e3)).toBeGreaterThan(293);
    for (const time of [500, 3e4]) expect(table.value('rod.T[8]', time)).toBeNaN();
  });

  test('SimpleRod: one capacitor behind a conductor', async () => {
    const SimpleRod = Model('SimpleRod', {
      C: 200,
      G: 100,
      T: Var({ init: 293.15, unit: 'K' }),
      equations: modelica`C*der(T) = G*(393.15 - T)`,
    });
    const exact = 393.15 - 100 * Math.exp(-15 / 2);
    expect(exact).toBeCloseTo(393.0946915629852, 12);
    expect(last(await run(instantiate(SimpleRod), { stopTime: 15 }), 'T')).toEqual([near(exact, 1e-9)]);
  });
});

describe('the same rocket three ways', () => {
  const text = readFileSync(new URL('../../examples/TwoStageRocket.mo', import.meta.url), 'utf8');
  const data = { m1: 100, m2: 100, f1max: 1e4, f2max: 2e3, t1: 5, t2: 10, t3: 15, g: 9.81 };
  const Rocket = Model('Rocket', { builtIn: rocket, ...data });
  const names = ['h1', 'v1', 'h2', 'v2'] as const;
  const ways = [
    ['a built-in component', () => loadModel(Rocket), (name: string) => name],
    ['if-equations', () => loadModel(text, 'TwoStageRocket.Switched'), (name: string) => name],
    [
      'state machines',
      () => loadModel(text, 'TwoStageRocket.Machine'),
      (name: string) => `stage${name[1]}.${name[0]}`,
    ],
  ] as const;

  /** Heights and velocities by their polynomials; undefined where a stage does not exist, or is not told apart. */
  function exact(t: number): (number | undefined)[] {
    const { m1, m2, f1max, f2max, t1, t2, t3, g } = data;
    // F (b - t)/(b - a)/m - g from t = a: s seconds later.
    const fly = (a: number, b: number, f: number, h: number, v: number, s: number): [number, number] => [
      h + v * s - (g * s * s) / 2 + f * ((s * s) / 2 - s ** 3 / (6 * (b - a))),
      v - g * s + f * (s - (s * s) / (2 * (b - a))),
    ];
    const parting = fly(0, t1, f1max / (m1 + m2), 0, 0, t1);
    const first = t < t1 ? fly(0, t1, f1max / (m1 + m2), 0, 0, t) : fly(t1, t3, 0, ...parting, t - t1);
    const second = fly(t1, t3, f2max / m2, ...parting, t - t1);
    return [...(t < t2 ? first : [undefined, undefined]), ...(t >= t1 ? second : [undefined, undefined])];
  }

  test('the polynomials have the published values', () => {
    expect(exact(5 - 1e-12).slice(0, 2)).toEqual([near(294.0416667, 1e-9), near(75.95, 1e-9)]);
    expect(exact(10 - 1e-12)).toEqual([551.1666667, 26.9, 759.5, 101.9].map((x) => near(x, 1e-9)));
    expect(exact(15).slice(2)).toEqual([near(1229.7083333, 1e-9), near(77.85, 1e-9)]);
  });

  test.each(ways)('%s: values, states and gaps', async (_, load, signal) => {
    const { status, table, segments } = await simulate(load(), {
      stopTime: 15,
      tolerance: 1e-10,
      intervals: 60,
    });
    expect(status).toBe('done');
    expect(segments.map(({ from, to, states }) => [from, to, states])).toEqual([
      [0, 5, 2],
      [5, 10, 4],
      [10, 15, 2],
    ]);
    for (const t of [0, 1.5, 4.75, 5, 7.25, 9.75, 10, 12.25, 15]) {
      const values = names.map((name) => table.value(signal(name), t));
      expect(values).toEqual(
        exact(t).map((x) => (x === undefined ? Number.NaN : x === 0 ? 0 : near(x, 1e-9))),
      );
    }
    // What was before an event belongs to the segment before.
    expect(table.value(signal('h1'), 10, 'before')).toEqual(near(551.1666666666667, 1e-9));
    expect(table.value(signal('h2'), 5, 'before')).toBeNaN();
  });

  test('all have the same trajectories', async () => {
    const runs = await Promise.all(
      ways.map(([, load]) => simulate(load(), { stopTime: 15, tolerance: 1e-10, intervals: 150 })),
    );
    const [first, ...others] = runs.map(({ table }, way) =>
      names.map((name) => {
        const values = [];
        for (let k = 0; k <= 150; k++)
          for (const side of ['before', 'after'] as const)
            values.push(table.value(ways[way]![2](name), k / 10, side));
        return values;
      }),
    );
    for (const other of others)
      for (const [k, values] of other.entries()) {
        const expected = first![k]!;
        expect(values.map(Number.isNaN)).toEqual(expected.map(Number.isNaN));
        for (const [row, value] of values.entries())
          if (!Number.isNaN(value))
            expect(Math.abs(value - expected[row]!)).toBeLessThanOrEqual(1e-8 * Math.max(1, Math.abs(value)));
      }
  });
});

describe('test models', () => {
  /** Fixed steps of the classical Runge-Kutta method, so small that rounding is what remains. */
  function integrate(
    f: (x: readonly number[]) => number[],
    x0: readonly number[],
    t: number,
    steps: number,
  ): number[] {
    const h = t / steps;
    const moved = (x: readonly number[], k: readonly number[], s: number) => x.map((v, i) => v + s * k[i]!);
    let x = [...x0];
    for (let step = 0; step < steps; step++) {
      const k1 = f(x);
      const k2 = f(moved(x, k1, h / 2));
      const k3 = f(moved(x, k2, h / 2));
      const k4 = f(moved(x, k3, h));
      x = x.map((v, i) => v + (h / 6) * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!));
    }
    return x;
  }

  test('two pendulums: one function has all their torques', async () => {
    const Pendulums = Model('Pendulums', {
      declarations: modelica`
        function torques "What turns two pendulums of unit mass and length"
          input Real phi1, alpha1, phi2, alpha2;
          output Real tau1, tau2;
        algorithm
          tau1 := alpha1 + sin(phi1);
          tau2 := alpha2 + sin(phi2);
        end torques;
      `,
      phi1: Var({ init: Math.PI / 2 }),
      w1: Var({ init: 0 }),
      phi2: Var({ init: Math.PI / 4 }),
      w2: Var({ init: 0 }),
      tau1: Var(),
      tau2: Var(),
      equations: modelica`
        w1 = der(phi1);
        w2 = der(phi2);
        (tau1, tau2) = torques(phi1, der(w1), phi2, der(w2));
        tau1 = 0;
        tau2 = 0;
      `,
    });
    const exact = [Math.PI / 2, Math.PI / 4].flatMap((phi) =>
      integrate(([angle, speed]) => [speed!, -Math.sin(angle!)], [phi, 0], 10, 20_000),
    );
    expect(exact).toEqual([-0.94686245, -1.08095546, -0.77150226, 0.13969468].map((x) => near(x, 1e-7)));
    const result = await run(instantiate(Pendulums), { stopTime: 10 });
    const names = ['phi1', 'w1', 'phi2', 'w2'];
    expect(names.flatMap((name) => last(result, name))).toEqual(exact.map((x) => near(x)));
  });

  test('a force on one side: where it begins and ends', async () => {
    const [d, f] = [0.1, 1.5];
    const Slider = Model('Slider', {
      m: 1,
      k: 1,
      d,
      s: Var({ init: 2, unit: 'm' }),
      v: Var({ init: 0, unit: 'm/s' }),
      left: modelica`s <= 0`,
      equations: modelica`
        v = der(s);
        m*der(v) = (if left then ${f} else 0) - k*s - d*v;
      `,
    });
    // Between crossings s is an oscillation around the force, which has a closed form; crossings by bisection.
    const w = Math.sqrt(1 - (d / 2) ** 2);
    const flown = (s0: number, v0: number, force: number, t: number): [number, number] => {
      const [a, b] = [s0 - force, (v0 + (d / 2) * (s0 - force)) / w];
      const [decay, c, z] = [Math.exp((-d / 2) * t), Math.cos(w * t), Math.sin(w * t)];
      const s = decay * (a * c + b * z);
      return [force + s, (-d / 2) * s + decay * w * (b * c - a * z)];
    };
    const crossings: number[] = [];
    let [time, s, v, force] = [0, 2, 0, 0];
    for (;;) {
      // No two crossings are closer than this.
      let [low, high] = [1e-3, 1e-3];
      const side = (t: number) => Math.sign(flown(s, v, force, t)[0]);
      while (side(high) === side(1e-3) && time + high < 10) high += 0.05;
      if (time + high >= 10) break;
      for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (side(middle) === side(1e-3)) low = middle;
        else high = middle;
      }
      [s, v] = flown(s, v, force, low);
      time += low;
      s = 0;
      force = f - force;
      crossings.push(time);
    }
    const published = [1.622847012, 3.367663071, 6.513190094, 8.041371834];
    expect(crossings).toEqual(published.map((t) => near(t, 1e-9)));

    const { table } = await run(instantiate(Slider), { stopTime: 10, tolerance: 1e-10 });
    const switched = [...table.time].filter(
      (_, row) => row > 0 && table.at('left', row) !== table.at('left', row - 1),
    );
    expect(switched).toEqual(crossings.map((t) => near(t, 1e-8)));
    const end = flown(s, v, force, 10 - time);
    expect(end).toEqual([near(1.17569934, 1e-8), near(-0.53513066, 1e-8)]);
    expect([table.value('s', 10), table.value('v', 10)]).toEqual(end.map((x) => near(x)));
  });
});
