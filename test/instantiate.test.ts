/** Simulation objects: many runs of one model, each as if it were the first. */
import { describe, expect, test } from 'vitest';
import {
  Map as changes,
  instantiate,
  loadModel,
  type Merge,
  Model,
  modelica,
  Par,
  quantity,
  type RunOptions,
  type Simulation,
  type SimulationResult,
  Var,
} from '../src/index.ts';
import { outcome } from './outcome.ts';

const failures = ({ status, diagnostics }: SimulationResult): string[] => [
  status,
  ...diagnostics.filter((d) => d.severity === 'error').map(({ code }) => code),
];

async function final(
  simulation: Simulation,
  name: string,
  options: RunOptions,
): Promise<{ value: number; translations: number }> {
  const result = await simulation.simulate({ tolerance: 1e-10, ...options });
  expect(result.diagnostics.filter((d) => d.severity === 'error')).toEqual([]);
  return {
    value: result.table.at(name, result.table.rowCount - 1),
    translations: result.statistics.translations,
  };
}

const near = (value: number): object => ({
  asymmetricMatch: (actual: number) => Math.abs(actual - value) <= 1e-8 * Math.abs(value),
});

describe('known solutions', () => {
  const firstOrder = `model FirstOrder
    parameter Real T = 0.2;
    Real u = sin(time), x(start = 0.3, fixed = true);
  equation
    T*der(x) + x = u;
  end FirstOrder;`;

  /** x = a e^(-t/T) + (sin t - T cos t)/(1 + T²) */
  const solution = (T: number, x0: number, t: number): number => {
    const d = 1 + T * T;
    return (x0 + T / d) * Math.exp(-t / T) + (Math.sin(t) - T * Math.cos(t)) / d;
  };

  test('first order: values are merged for one run', async () => {
    expect(solution(0.2, 0.3, 10)).toBeCloseTo(-0.36173731, 8);
    expect(solution(0.4, 0.9, 10)).toBeCloseTo(-0.17964871, 8);
    const simulation = instantiate(firstOrder);
    const runs: [Merge, number, number][] = [
      [{}, 0.2, 0.3],
      [{ T: 0.4, x: { start: 0.9 } }, 0.4, 0.9],
      [{}, 0.2, 0.3],
      [{ T: 0.4, x: { init: 0.9 } }, 0.4, 0.9],
      [{ 'x.start': 0.5 }, 0.2, 0.5],
    ];
    for (const [k, [merge, T, x0]] of runs.entries()) {
      expect(await final(simulation, 'x', { merge, stopTime: 10 })).toEqual({
        value: near(solution(T, x0, 10)),
        translations: k === 0 ? 1 : 0,
      });
    }
  });

  test('low-pass: parameters of components', async () => {
    const simulation = instantiate(`package P
      connector Pin Real v; flow Real i; end Pin;
      partial model OnePort Pin p, n; Real v, i; equation v = p.v - n.v; 0 = p.i + n.i; i = p.i; end OnePort;
      model Resistor extends OnePort; parameter Real R = 1; equation R*i = v; end Resistor;
      model Capacitor extends OnePort(v(start = 0, fixed = true)); parameter Real C = 1; equation C*der(v) = i; end Capacitor;
      model Voltage extends OnePort; parameter Real V = 1; equation v = V; end Voltage;
      model Ground Pin p; equation p.v = 0; end Ground;
      model Filter
        Resistor R(R = 0.5); Capacitor C(C = 2, v(start = 0.1)); Voltage V(V = 10); Ground ground;
      equation
        connect(V.p, R.p); connect(R.n, C.p); connect(C.n, V.n); connect(V.n, ground.p);
      end Filter;
    end P;`);
    const runs: [Merge, number][] = [
      [{}, 9.99955054069535],
      [{ R: { R: 5 }, C: { v: { start: 3 } } }, 7.424843911799904],
      [{ 'R.R': 5 }, 6.357993532402721],
      [{}, 9.99955054069535],
    ];
    for (const [k, [merge, value]] of runs.entries()) {
      expect(await final(simulation, 'C.v', { merge, stopTime: 10 })).toEqual({
        value: near(value),
        translations: k === 0 ? 1 : 0,
      });
    }
  });

  test('state space: a matrix is merged', async () => {
    const simulation = instantiate(`model StateSpace
      parameter Real A[2, 2] = [0, 1; -100, -12];
      parameter Real B[2] = {0, 400};
      Real x[2](start = {0, 0}, each fixed = true);
    equation
      der(x) = A*x + B;
    end StateSpace;`);
    // w = 20, D = 0.3: x'' + 2 D w x' + w² x = w², from x = 1, x' = v.
    const [w, D] = [20, 0.3];
    const damped = w * Math.sqrt(1 - D * D);
    const from = (v: number) => [
      1 + (v / damped) * Math.exp(-D * w) * Math.sin(damped),
      v * Math.exp(-D * w) * (Math.cos(damped) - ((D * w) / damped) * Math.sin(damped)),
    ];
    expect(from(1)[0]).toBeCloseTo(1.00002952, 8);
    expect(from(1)[1]).toBeCloseTo(0.00223678, 8);
    const A = [
      [0, 1],
      [-w * w, -2 * D * w],
    ];
    for (const [translations, v] of [
      [1, 1],
      [0, 3],
    ] as const) {
      const result = await simulation.simulate({
        merge: { A, x: { start: [1, v] } },
        stopTime: 1,
        tolerance: 1e-11,
      });
      expect(result.statistics.translations).toBe(translations);
      expect(result.table.value('x[1]', 1)).toBeCloseTo(from(v)[0]!, 9);
      expect(result.table.value('x[2]', 1)).toBeCloseTo(from(v)[1]!, 8);
    }
    // Without the merge it is the system that is written, at rest in 4.
    expect((await final(simulation, 'x[1]', { stopTime: 10 })).value).toEqual(near(4));
  });

  test('Boolean, String and enumeration parameters', async () => {
    const simulation = instantiate(`model Kinds
      type Shape = enumeration(flat, rising, falling);
      parameter Boolean on = true;
      parameter String unit = "m";
      parameter Integer n = 2;
      parameter Shape shape = Shape.flat;
      Real y = (if on then n else 0) + (if shape == Shape.rising then time elseif shape == Shape.falling then -time else 0);
    equation
      assert(time < 0.5, "long in " + unit, AssertionLevel.warning);
    end Kinds;`);
    const merge = { on: false, unit: 'km', n: 3, shape: 'falling' };
    const result = await simulation.simulate({ merge, stopTime: 1 });
    expect(result.table.value('y', 1)).toBe(-1);
    expect(result.diagnostics.map((d) => d.message).join()).toContain('long in km');
    expect((await simulation.simulate({ stopTime: 1 })).table.value('y', 1)).toBe(2);
    expect((await simulation.simulate({ merge: { n: 5, shape: 'Shape.rising' } })).table.value('y', 1)).toBe(
      6,
    );
    const values = simulation.parameters(merge).map(({ name, value }) => [name, value]);
    expect(Object.fromEntries(values)).toEqual(merge);
  });

  test('values of parameters that depend on others follow', async () => {
    const simulation = instantiate(`model Bound
      parameter Real a = 2; parameter Real b = 3*a; parameter Real v[2] = {a, b};
      Real x(start = b, fixed = true);
    equation der(x) = 0; end Bound;`);
    expect((await final(simulation, 'x', { merge: { a: 5 } })).value).toBe(15);
    expect((await final(simulation, 'x', { merge: { a: 5, b: 1 } })).value).toBe(1);
    expect(simulation.parameter('v', { a: 4 })).toMatchObject({
      value: [4, 12],
      declared: '{a, b}',
      dims: [2],
    });
    expect(simulation.parameter('b')).toMatchObject({ value: 6, declared: '3*a', structural: false });
  });
});

describe('names', () => {
  test.each<[string, string, Merge, Record<string, number>]>([
    [
      'an element of an array',
      'parameter Real a[3] = {1, 2, 3}; Real x = a[2], y = a[1];',
      { 'a[2]': 5 },
      { x: 5, y: 1 },
    ],
    [
      'an element of a matrix',
      'parameter Real m[2, 3] = [1, 2, 3; 4, 5, 6]; Real x = m[2, 1], y = m[1, 2];',
      { 'm[2, 1]': 7 },
      { x: 7, y: 2 },
    ],
    ['one value for an array', 'parameter Real a[3] = {1, 2, 3}; Real x = sum(a);', { a: 7 }, { x: 21 }],
    [
      'members of a record',
      'record R Real a = 1; Real b = 2; end R; parameter R r = R(a = 3, b = 4); Real x = r.a + 10*r.b;',
      { r: { a: 5 } },
      { x: 45 },
    ],
    ['the start value of an input', 'input Real u(start = 2); Real x = 2*u;', { u: { start: 5 } }, { x: 10 }],
    [
      'components by number',
      'model P parameter Real k = 1; Real x = k; end P; P p[3](k = {1, 2, 3});',
      { 'p[2].k': 9 },
      { 'p[1].x': 1, 'p[2].x': 9 },
    ],
    [
      'an array over components',
      'model P parameter Real k = 1; Real x = k; end P; P p[3](k = {1, 2, 3});',
      { p: { k: [4, 5, 6] } },
      { 'p[1].x': 4, 'p[3].x': 6 },
    ],
    [
      'a list of components',
      'model P parameter Real k = 1; Real x = k; end P; P p[2];',
      { p: [{ k: 4 }, { k: 5 }] },
      { 'p[1].x': 4, 'p[2].x': 5 },
    ],
    [
      'a text with quotes',
      'parameter String s = "a"; Real x = if s == "q\\"\\\\" then 1 else 2;',
      { s: 'q"\\' },
      { x: 1 },
    ],
  ])('%s', async (_, declarations, merge, values) => {
    const simulation = instantiate(`model M ${declarations} end M;`);
    const before = await simulation.simulate();
    const { status, table } = await simulation.simulate({ merge });
    expect(status).toBe('done');
    for (const [name, value] of Object.entries(values))
      expect([name, table.value(name, 1)]).toEqual([name, value]);
    expect(outcome(await simulation.simulate())).toEqual(outcome(before));
  });

  test('zero has no sign, be it merged or written', async () => {
    const text = 'model M parameter Real k = 1; Real x = k, y = atan2(k, -1); end M;';
    for (const simulation of [instantiate(text), instantiate(loadModel(text, 'M', { k: -0 }))]) {
      const { table } = await simulation.simulate({ merge: { k: -0 } });
      expect([table.at('k', 0), table.at('x', 0)]).toEqual([0, 0]);
      expect(table.at('y', 0)).toBeCloseTo(Math.PI, 12);
    }
  });

  test('a message names the value that is used', async () => {
    const simulation = instantiate('model M input Real u(start = 2); Real x = u; end M;');
    const messages = async (merge: Merge) => (await simulation.simulate({ merge })).diagnostics[0]!.message;
    expect(await messages({})).toContain('start value 2 ');
    expect(await messages({ u: { start: 5 } })).toContain('start value 5 ');
  });

  test('what initial equations determine is no value of a run', async () => {
    const simulation = instantiate(`model M
      parameter Real p(fixed = false), goal = 3; parameter Real q = 2*p;
      Real x(start = p, fixed = true);
    equation der(x) = -q*x;
    initial equation p = goal;
    end M;`);
    const end = async (merge: Merge) => (await final(simulation, 'x', { merge })).value;
    expect(await end({})).toEqual(near(3 * Math.exp(-6)));
    expect(await end({ goal: 1 })).toEqual(near(Math.exp(-2)));
    expect(await end({ q: 1 })).toEqual(near(3 * Math.exp(-1)));
    expect(await end({ x: { start: 1 } })).toEqual(near(Math.exp(-6)));
    const tooMany = await simulation.simulate({ merge: { p: 2 } });
    expect(failures(tooMany)).toEqual(['failed', 'initial-overdetermined']);
  });
});

describe('sizes', () => {
  /** x of x' = 5 (u - x) after a second. */
  const lag = (u: number, x0: number): number => u - (u - x0) * Math.exp(-5);

  const stateSpace = `block StateSpace
    parameter Real A[:, :] = [-5];
    parameter Real B[:, :] = [5];
    parameter Real C[:, :] = [0.9];
    parameter Real W[:, :] = [1.1];
    parameter Real x_init[size(A, 1)] = {0.2};
    input Real u[size(B, 2)];
    output Real y[size(C, 1)] = C*x;
    Real x[size(A, 1)](start = x_init, each fixed = true);
    Real w[size(W, 1)] = W*x;
  equation
    der(x) = A*x + B*u;
  end StateSpace;`;

  test('a linear system of other dimensions needs no translation', async () => {
    const simulation = instantiate(`${stateSpace}
      model Test StateSpace ss; equation ss.u = {2}; end Test;`);
    const two = {
      A: [
        [-5, 0],
        [0, -5],
      ],
      B: [[5], [5]],
      C: [[0.5, 0.5]],
      W: [
        [0.5, 0.6],
        [0.7, 0.8],
        [0.9, 1],
      ],
      x_init: [0.3, 0.4],
    };
    for (const round of [0, 1]) {
      const options = { stopTime: 1, tolerance: 1e-10 };
      const first = await simulation.simulate(options);
      expect(first.statistics.translations).toBe(round === 0 ? 1 : 0);
      expect(first.table.value('ss.x[1]', 1)).toEqual(near(lag(2, 0.2)));
      expect(first.table.value('ss.y[1]', 1)).toEqual(near(0.9 * lag(2, 0.2)));
      const second = await simulation.simulate({ ...options, merge: { ss: two } });
      expect(second.diagnostics).toEqual([]);
      expect(second.statistics.translations).toBe(0);
      const x = [lag(2, 0.3), lag(2, 0.4)];
      expect(x.map((_, k) => second.table.value(`ss.x[${k + 1}]`, 1))).toEqual(x.map(near));
      const w = two.W.map(([a, b]) => a! * x[0]! + b! * x[1]!);
      expect(w.map((_, k) => second.table.value(`ss.w[${k + 1}]`, 1))).toEqual(w.map(near));
      expect(second.table.value('ss.y[1]', 1)).toEqual(near((x[0]! + x[1]!) / 2));
      expect(first.table.has('ss.w[3]')).toBe(false);
    }
  });

  test('several systems and arrays, nested', async () => {
    const simulation = instantiate(`${stateSpace}
      model Sub
        StateSpace ss;
        parameter Real x3_init[:] = {0.5, 0.6, 0.7};
        Real x1(start = 1.1, fixed = true);
        Real x3[size(x3_init, 1)](start = x3_init, each fixed = true);
      equation
        ss.u = {2.1}; der(x1) = -x1; der(x3) = -x3;
      end Sub;
      model Test
        Sub submodel;
        StateSpace ss(A = -5*identity(2), B = fill(5, 2, 1), C = fill(0.4, 1, 2), W = identity(2), x_init = {0.3, 0.4});
        parameter Real x4_init[:] = {0.8, 0.9};
        Real x4[size(x4_init, 1)](start = x4_init, each fixed = true);
      equation
        ss.u = {2}; der(x4) = -x4;
      end Test;`);
    const options = { stopTime: 1, tolerance: 1e-10 };
    const first = await simulation.simulate(options);
    const three = {
      A: [
        [-5, 0, 0],
        [0, -5, 0],
        [0, 0, -5],
      ],
      B: [[5], [5], [5]],
      C: [[0.5, 0.5, 0.5]],
      W: [[1, 0, 0]],
      x_init: [0.35, 0.45, 0.55],
    };
    const second = await simulation.simulate({ ...options, merge: { x4_init: [0.85], ss: three } });
    expect([first, second].map((r) => r.statistics.translations)).toEqual([1, 0]);
    const checks: [SimulationResult, Record<string, number>][] = [
      [
        first,
        { 'ss.x[1]': lag(2, 0.3), 'ss.x[2]': lag(2, 0.4), 'x4[1]': 0.8 / Math.E, 'x4[2]': 0.9 / Math.E },
      ],
      [
        second,
        { 'ss.x[1]': lag(2, 0.35), 'ss.x[2]': lag(2, 0.45), 'ss.x[3]': lag(2, 0.55), 'x4[1]': 0.85 / Math.E },
      ],
      ...[first, second].map((r): [SimulationResult, Record<string, number>] => [
        r,
        { 'submodel.ss.x[1]': lag(2.1, 0.2), 'submodel.x1': 1.1 / Math.E, 'submodel.x3[3]': 0.7 / Math.E },
      ]),
    ];
    for (const [{ table }, values] of checks)
      for (const [name, value] of Object.entries(values))
        expect([name, table.value(name, 1)]).toEqual([name, near(value)]);
    expect(second.table.has('x4[2]')).toBe(false);
  });

  test('sizes that do not fit each other are told with both', async () => {
    const simulation = instantiate(`${stateSpace}
      model Test StateSpace ss; equation ss.u = {2}; end Test;`);
    const cases: [Merge, RegExp][] = [
      [{ x_init: [1, 2] }, /`ss.x_init` has sizes \[1\] but is given \[2\]/],
      [
        {
          A: [
            [-5, 0],
            [0, -5],
          ],
        },
        /ss\.x_init.*\[2\].*\[1\]|\[2, 1\]/,
      ],
      [{ A: [1, 2] }, /ss\.A/],
    ];
    for (const [ss, message] of cases) {
      const { status, diagnostics } = await simulation.simulate({ merge: { ss } });
      expect(status).toBe('failed');
      expect(diagnostics.map((d) => d.message).join()).toMatch(message);
    }
  });
});

describe('models written in TypeScript', () => {
  const Tank = Model({
    A: Par({ value: 2, unit: 'm2' }),
    level: Var({ init: 1, unit: 'm' }),
    inflow: Par({ value: 0, unit: 'm3/s' }),
    equations: modelica`A*der(level) = inflow - level;`,
  });

  /** A h' = q - h */
  const level = (A: number, q: number, h0: number) => q + (h0 - q) * Math.exp(-3 / A);

  test('values, quantities, expressions, variables and maps are merged', async () => {
    const simulation = instantiate(Model({ tank: Tank, size: Par({ value: 2, unit: 'm2' }) }), {
      name: 'Plant',
    });
    const runs: [Merge, number][] = [
      [{}, level(2, 0, 1)],
      [{ tank: { A: 4, inflow: 3 } }, level(4, 3, 1)],
      [{ tank: { A: quantity(40_000, 'cm2'), level: { init: quantity(50, 'cm') } } }, level(4, 0, 0.5)],
      [{ tank: changes({ level: Var({ init: 7 }) }) }, level(2, 0, 7)],
      [{ 'tank.inflow': Par({ value: 3 }), size: 3 }, level(2, 3, 1)],
      [{ tank: { A: modelica`2*size` }, size: 3 }, level(6, 0, 1)],
      [{}, level(2, 0, 1)],
    ];
    for (const [k, [merge, value]] of runs.entries()) {
      expect(await final(simulation, 'tank.level', { merge, stopTime: 3 })).toEqual({
        value: near(value),
        translations: k === 0 ? 1 : 0,
      });
    }
  });

  test.each<[string, Merge, string, RegExp]>([
    ['a unit of another kind', { A: quantity(3, 'kg') }, 'type-mismatch', /`kg`.*`A`.*`m2`/],
    ['an unknown unit', { A: quantity(3, 'furlong') }, 'type-mismatch', /`furlong`.*is not known/],
    ['an expression with an unknown name', { A: modelica`2*areaa` }, 'unknown-name', /`areaa`/],
    ['an expression that is none', { A: modelica`2*` }, 'syntax-error', /./],
    ['a model', { A: Tank as unknown as number }, 'bad-binding', /`A` is given a model/],
  ])('%s is refused', async (_, merge, code, message) => {
    const { status, diagnostics } = await instantiate(Tank).simulate({ merge });
    expect([status, diagnostics[0]!.code]).toEqual(['failed', code]);
    expect(diagnostics[0]!.message).toMatch(message);
  });
});

describe('structure', () => {
  test('a damping of zero leaves another structure, and is noticed', async () => {
    // With d = 0 the torque c*phi determines phi: index reduction instead of a state.
    const simulation = instantiate(`model Damped
      parameter Real c = 1, d = 1;
      Real phi(start = 0);
    equation
      sin(time) = c*phi + d*der(phi);
    end Damped;`);
    const runs: [Merge, number, number][] = [
      [{ d: 0 }, Math.sin(2), 1],
      [{}, 0.5 * (Math.sin(2) - Math.cos(2) + Math.exp(-2)), 1],
      [{ d: 0, c: 2 }, Math.sin(2) / 2, 0],
      [{ d: 2, c: 2 }, 0.25 * (Math.sin(2) - Math.cos(2) + Math.exp(-2)), 0],
    ];
    for (const [merge, value, translations] of runs)
      expect(await final(simulation, 'phi', { merge, stopTime: 2 })).toEqual({
        value: near(value),
        translations,
      });
    const { diagnostics } = await simulation.simulate({ merge: { c: 0, d: 1 }, stopTime: 2 });
    expect(diagnostics.find((d) => d.code === 'translated-again')).toMatchObject({
      severity: 'info',
      message: 'The model is translated again: the value of c changes the structure of the equations.',
    });
  });

  test('a parameter that becomes zero in a sum changes nothing', async () => {
    const simulation = instantiate(`model Offset
      parameter Real k = 2, x0 = 1;
      Real x(start = 0, fixed = true);
    equation der(x) = -k*(x - x0); end Offset;`);
    expect((await final(simulation, 'x', {})).translations).toBe(1);
    expect(await final(simulation, 'x', { merge: { x0: 0, x: { start: 1 } } })).toEqual({
      value: near(Math.exp(-2)),
      translations: 0,
    });
    expect(await final(simulation, 'x', { merge: { x0: -3 } })).toEqual({
      value: near(-3 * (1 - Math.exp(-2))),
      translations: 0,
    });
  });

  test('sizes and conditions: the model is flattened again', async () => {
    const simulation = instantiate(`model Sized
      parameter Integer n = 2;
      parameter Real k = 1;
      parameter Boolean extra = false;
      Real x[n](start = 1:n, each fixed = true);
      model Extra Real z(start = 1, fixed = true); equation der(z) = 1; end Extra;
      Extra e if extra;
    equation
      der(x) = -k*x;
    end Sized;`);
    expect((await final(simulation, 'x[2]', { stopTime: 1 })).value).toEqual(near(2 * Math.exp(-1)));
    expect((await final(simulation, 'x[4]', { merge: { n: 4, k: 2 } })).value).toEqual(
      near(4 * Math.exp(-2)),
    );
    // The same sizes again, with another value.
    expect(await final(simulation, 'x[4]', { merge: { n: 4, k: 3 } })).toEqual({
      value: near(4 * Math.exp(-3)),
      translations: 0,
    });
    expect((await final(simulation, 'e.z', { merge: { extra: true } })).value).toEqual(near(2));
    expect(simulation.lastResult!.diagnostics.map((d) => d.message)).toContain(
      'The model is translated again: it has 3 unknowns instead of 2.',
    );
    expect((await final(simulation, 'x[2]', {})).translations).toBe(0);
  });

  test('a start value where none is declared, or that becomes fixed, is a condition more', async () => {
    const simulation = instantiate(`model Free Real x, y; equation der(x) = -x; y = 2*x; end Free;`);
    expect((await final(simulation, 'x', {})).value).toBe(0);
    expect((await final(simulation, 'x', { merge: { y: { init: 4 } } })).value).toEqual(
      near(2 * Math.exp(-1)),
    );
    expect((await final(simulation, 'x', { merge: { x: { start: 3 } } })).value).toEqual(
      near(3 * Math.exp(-1)),
    );
    expect((await final(simulation, 'x', {})).value).toBe(0);
  });
});

describe('runs at the same time', () => {
  test('do not disturb each other, nor does a copy', async () => {
    const simulation = instantiate(`model Oscillator
      parameter Real w = 1; Real x(start = 1, fixed = true), v(start = 0, fixed = true); Integer n(start = 0, fixed = true);
    equation
      der(x) = v; der(v) = -w^2*x;
      when x < 0 then n = pre(n) + 1; end when;
    end Oscillator;`);
    const copy = simulation.copy();
    const frequencies = Array.from({ length: 12 }, (_, k) => 1 + k / 3);
    const results = await Promise.all(
      frequencies.map((w, k) =>
        (k % 2 === 0 ? simulation : copy).simulate({ merge: { w }, stopTime: 200, tolerance: 1e-9 }),
      ),
    );
    for (const [k, w] of frequencies.entries()) {
      expect(results[k]!.table.value('x', 200)).toBeCloseTo(Math.cos(200 * w), 4);
      expect(results[k]!.table.at('n', results[k]!.table.rowCount - 1)).toBe(
        Math.floor((200 * w) / (2 * Math.PI) + 0.75),
      );
    }
    expect(results.map((r) => r.statistics.translations)).toEqual([1, ...new Array(11).fill(0)]);
    expect(copy.lastResult).toBe(results[11]);
  });

  test('a run that is stopped or fails leaves nothing behind', async () => {
    const simulation = instantiate(`model Root
      parameter Real k = 1; Real x(start = 1, fixed = true), y;
    equation der(x) = -k; y = sqrt(x); end Root;`);
    const good = outcome(await simulation.simulate({ stopTime: 0.5 }));
    const failed = await simulation.simulate({ merge: { k: 2 }, stopTime: 2 });
    expect(failed.status).toBe('failed');
    expect(failed.table.rowCount).toBeGreaterThan(0);
    const stopped = await simulation.simulate({
      stopTime: 0.5,
      signal: AbortSignal.abort(),
      intervals: 400_000,
    });
    expect(stopped.status).toBe('stopped');
    expect(outcome(await simulation.simulate({ stopTime: 0.5 }))).toEqual(good);
  });
});

describe('wrong values', () => {
  const simulation = instantiate(
    `package P
    model Part parameter Real gain = 1; protected parameter Real hidden = 1; end Part;
    model Whole
      type Kind = enumeration(one, two);
      parameter Real k = 1(min = 0) ;
      parameter Real m[2, 2] = [1, 0; 0, 1];
      parameter Integer n = 3;
      parameter Boolean b = true;
      parameter Kind kind = Kind.one;
      final parameter Real f = 2;
      constant Real c = 3;
      Part part, parts[2];
      Real x(final start = 1, fixed = true);
    equation der(x) = -k*x; end Whole;
  end P;`.replace('= 1(min = 0) ', '(min = 0) = 1'),
  );

  test.each<[string, unknown, string, RegExp]>([
    ['unknown', { kk: 1 }, 'unknown-modifier', /has no element `kk`/],
    ['unknown below', { part: { gian: 1 } }, 'unknown-modifier', /`gian`/],
    ['unknown dotted', { 'part.gain.gain': 1 }, 'unknown-modifier', /gain/],
    ['string for a number', { k: 'two' }, 'type-mismatch', /`k` is Real but is given String/],
    ['fraction for an integer', { n: 2.5 }, 'type-mismatch', /`n` is Integer but is given Real/],
    ['number for a Boolean', { b: 1 }, 'type-mismatch', /`b` is Boolean but is given Integer/],
    ['unknown literal', { kind: 'three' }, 'unknown-name', /three/],
    ['wrong sizes', { m: [[1, 2, 3]] }, 'dimension-mismatch', /\[2, 2\].*\[1, 3\]/],
    ['ragged', { m: [[1, 2], [3]] }, 'dimension-mismatch', /rows in the value of `m`/],
    ['a row for a matrix', { m: [1, 2] }, 'dimension-mismatch', /\[2, 2\].*\[2\]/],
    ['final', { f: 3 }, 'bad-binding', /`f` is final/],
    ['final start', { x: { start: 3 } }, 'bad-binding', /`x.start` is final/],
    ['protected', { part: { hidden: 2 } }, 'bad-binding', /`part.hidden` is protected/],
    ['not finite', { k: Number.NaN }, 'bad-binding', /`k` is not a number/],
    ['null', { k: null }, 'bad-binding', /`k` is null/],
    ['a function', { k: () => 1 }, 'bad-binding', /`k` is a function/],
    ['too few values', { parts: { gain: [1] } }, 'dimension-mismatch', /parts/],
    ['out of bounds', { k: -1 }, 'out-of-bounds', /k is -1, below its min = 0/],
    ['a variable', { x: 3 }, 'bad-binding', /`x` is a variable/],
    ['no object', 3, 'bad-binding', /must be an object/],
    ['nothing', null, 'bad-binding', /must be an object/],
  ])('%s', async (_, merge, code, message) => {
    const result = await simulation.simulate({ merge: merge as Merge });
    const [first] = result.diagnostics.filter((d) => d.severity === 'error');
    expect(first?.message).toMatch(message);
    expect(first?.code).toBe(code);
    expect(result.status).toBe('failed');
    // Nothing of it stays.
    expect((await simulation.simulate()).status).toBe('done');
  });

  test.each([null, 3, {}, { library: 'P' }])('%j is no model', (source) => {
    expect(() => instantiate(source as never)).toThrow('What is instantiated must be a model.');
  });

  test('the nearest name is proposed', async () => {
    const { diagnostics } = await simulation.simulate({ merge: { part: { gian: 1 } } });
    expect(diagnostics[0]!.hint).toBe('Did you mean `gain`?');
    expect(() => simulation.parameter('part.gian')).toThrow('There is no parameter `part.gian`.');
  });

  test('circles', async () => {
    const circle: Record<string, unknown> = {};
    circle.part = circle;
    expect(failures(await simulation.simulate({ merge: circle as Merge }))).toEqual([
      'failed',
      'cyclic-definition',
    ]);
  });

  test('a flat model takes values only, and says so', async () => {
    const flat = instantiate(
      loadModel(
        'model M parameter Integer n = 2; parameter Real k = 1; Real x[n]; equation x = k*(1:n); end M;',
      ),
    );
    expect((await flat.simulate({ merge: { k: 3 } })).table.value('x[2]', 1)).toBe(6);
    const cases: [Merge, string, RegExp][] = [
      [{ n: 3 }, 'bad-binding', /`n` cannot be changed/],
      [{ kk: 3 }, 'unknown-modifier', /no variable `kk`/],
      [{ k: true }, 'bad-binding', /`k`/],
    ];
    for (const [merge, code, message] of cases) {
      const { diagnostics, status } = await flat.simulate({ merge });
      expect([status, diagnostics[0]!.code]).toEqual(['failed', code]);
      expect(diagnostics[0]!.message).toMatch(message);
    }
  });
});

describe('sizes that change without another translation', () => {
  /** The number of translations of each run, and the values of names at the end. */
  async function runs(text: string, merges: readonly Merge[], names: readonly string[]) {
    const simulation = instantiate(text);
    const found: (readonly number[])[] = [];
    for (const merge of merges) {
      const { status, table, statistics } = await simulation.simulate({
        merge,
        tolerance: 1e-9,
        stopTime: 1,
      });
      expect(status).toBe('done');
      found.push([statistics.translations, ...names.map((name) => table.value(name, 1))]);
    }
    return found;
  }
  const decay = Math.exp(-1);
  const close = (found: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void => {
    expect(found.map((row) => row.length)).toEqual(expected.map((row) => row.length));
    for (const [k, row] of expected.entries())
      for (const [i, value] of row.entries()) expect(found[k]![i]).toBeCloseTo(value, 7);
  };

  test('of what a small array is computed from', async () => {
    const text = `
      model M
        parameter Integer n = 2;
        parameter Real C[1, n] = fill(1, 1, n);
        Real x[n](each start = 1, each fixed = true);
        Real y[1] = C*x;
      equation
        der(x) = -x;
      end M;`;
    const merges = [{}, { n: 3 }, { C: [[1, 4]] }, { n: 4, C: [[1, 2, 3, 4]] }, { C: [[0, 0]] }];
    const expected = [2, 3, 5, 10, 0].map((sum, k) => [k === 0 ? 1 : 0, sum * decay]);
    close(await runs(text, merges, ['y[1]']), expected);
  });

  test('of matrices of a linear system with one input and one output', async () => {
    const text = `
      model M
        parameter Real A[:, size(A, 1)] = [-1, 0; 0, -2];
        parameter Real B[size(A, 1), 1] = [1; 1];
        parameter Real C[1, size(A, 1)] = [1, 1];
        Real x[size(A, 1)](each start = 0, each fixed = true), u[1] = {1}, y[1] = C*x;
      equation
        der(x) = A*x + B*u;
      end M;`;
    const response = (rate: number) => (1 - Math.exp(-rate)) / rate;
    const three = {
      A: [
        [-1, 0, 0],
        [0, -2, 0],
        [0, 0, -3],
      ],
      B: [[1], [1], [2]],
      C: [[1, 1, 1]],
    };
    close(await runs(text, [{}, three, { C: [[0, 1]] }], ['y[1]']), [
      [1, response(1) + response(2)],
      [0, response(1) + response(2) + 2 * response(3)],
      [0, response(2)],
    ]);
  });

  test('of arrays that nothing uses; results have them', async () => {
    const text = `
      model Part
        parameter Integer n = 2;
        parameter Real v[n] = 3*(1:n);
        parameter Integer w[:, :] = [1, 2; 3, 4];
        Real x(start = 1, fixed = true);
      equation
        der(x) = -x;
      end Part;
      model M Part part; end M;`;
    const merges = [
      {},
      { 'part.n': 3 },
      { part: { v: [7, 8] } },
      { part: { w: [[5, 6, 7]] } },
      { 'part.v[2]': 9 },
    ];
    close(await runs(text, merges, ['part.x', 'part.v[2]', 'part.w[1,2]']), [
      [1, decay, 6, 2],
      [0, decay, 6, 2],
      [0, decay, 8, 2],
      [0, decay, 6, 6],
      [0, decay, 9, 2],
    ]);
    const simulation = instantiate(text);
    expect(simulation.parameter('part.v', { 'part.n': 3 }).value).toEqual([3, 6, 9]);
    const { status, diagnostics } = await simulation.simulate({ merge: { part: { v: [1, 2, 3] } } });
    expect([status, diagnostics[0]!.message]).toEqual(['failed', '`part.v` has sizes [2] but is given [3].']);
  });
});
