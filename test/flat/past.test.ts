/** Printed texts of operators and functions that are more than equations: read again, they give the same values, which are known by hand. */
import { describe, expect, test } from 'vitest';
import { printFlat } from '../../src/flat/print/class.ts';
import { type Externals, loadModel, simulate } from '../../src/index.ts';

const externals = {
  triple: (u: number) => 3 * u,
  doubled: (u: Float64Array, n: number, y: Float64Array) => {
    for (let k = 0; k < n; k++) y[k] = 2 * u[k]!;
  },
} as unknown as Externals;

async function finals(text: string, name: string, stopTime: number): Promise<[number, number]> {
  const model = loadModel(text, undefined, {}, { externals });
  const printed = loadModel(printFlat(model), undefined, {}, { externals });
  const [first, second] = await Promise.all(
    [model, printed].map((one) => simulate(one, { stopTime, tolerance: 1e-8 })),
  );
  expect(second!.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return [first!.table.value(name, stopTime), second!.table.value(name, stopTime)];
}

const cases: readonly [what: string, text: string, name: string, expected: number, stopTime?: number][] = [
  ['a delay', 'model M Real x = sin(time), y = delay(x, 0.5); end M;', 'y', Math.sin(0.5)],
  [
    'a delay that changes',
    'model M Real x = time^2, y = delay(x, 0.25 + 0.1*time, 1); end M;',
    'y',
    0.65 ** 2,
  ],
  ['a delay of a parameter', 'model M parameter Real T = 0.25; Real y = delay(time, 2*T); end M;', 'y', 0.5],
  [
    'a delay in a state',
    `model M
      model A outer output Real x; equation x = delay(time, 0.25); end A;
      model B outer output Real x; equation x = 7; end B;
      inner Real x; A a; B b;
    equation
      initialState(a); transition(a, b, time > 2);
    end M;`,
    'x',
    0.75,
  ],
  [
    'a delay beside clocks',
    'model M Real a = sample(delay(time, 0.25), Clock(1, 2)), y = hold(a) + delay(time, 0.5); end M;',
    'y',
    0.5,
    0.75,
  ],
  [
    'a line',
    `model M Real o0, o1; Real x(start = 0, fixed = true); equation der(x) = 2;
      (o0, o1) = spatialDistribution(time, 0, x, true, {0, 1}, {5, 5}); end M;`,
    'o1',
    0.5,
  ],
  [
    'a line that turns',
    `model M Real o0, o1, v = if time < 0.5 then 1 else -1; Real x(start = 0, fixed = true); equation der(x) = v;
      (o0, o1) = spatialDistribution(10 + time, 20, x, v > 0, {0, 1}, {5, 6}); end M;`,
    'o0',
    10.25,
    0.75,
  ],
  [
    'explicit steps at ticks',
    'model M Real x(start = 1, fixed = true); equation when Clock(Clock(1, 10), solverMethod = "ExplicitEuler") then der(x) = -x; end when; end M;',
    'x',
    0.81,
    0.25,
  ],
  [
    'initial equations at ticks',
    `model M Real x, y, u; initial equation y = 3;
      equation u = sample(time, Clock(Clock(1, 10), solverMethod = "ImplicitEuler")); der(x) = u; y = 2*(x + u) + 1; end M;`,
    'x',
    1.03,
    0.25,
  ],
  [
    'clocks in an array',
    'model M Clock c[2] = {Clock(1, 10), Clock(1, 4)}; Real a = sample(time, c[2]); end M;',
    'a',
    0.75,
    0.99,
  ],
  [
    'a function that asks for events',
    `package P function f input Real u; output Real y; algorithm y := if u > 0.5 then 1 else 0; annotation(GenerateEvents = true); end f;
      model M Real x(start = 0, fixed = true); equation der(x) = f(time); end M; end P;`,
    'x',
    0.5,
  ],
  [
    'a String that changes',
    'model M String s(start = "a"); Integer k = if s == "ab" then 3 else 4; equation when time > 0.5 then s = pre(s) + "b"; end when; end M;',
    'k',
    3,
  ],
  [
    'external functions',
    `package P function f input Real u; output Real y; external "C" y = triple(u); end f;
      function g input Real u[:]; output Real y[size(u, 1)]; external "C" doubled(u, size(u, 1), y); end g;
      model M Real v[2] = g({f(time), 2}), y = v[1] + 10*v[2]; end M; end P;`,
    'y',
    46,
  ],
  [
    'functions with sizes that are known only when they run',
    `package P function f input Integer n; output Real y; protected Real v[n]; algorithm for i in 1:n loop v[i] := i; end for; y := sum(v); end f;
      model M Integer n(start = 1, fixed = true); Real y = f(n); equation when time > 0.5 then n = 4; end when; end M; end P;`,
    'y',
    10,
  ],
  [
    'impure functions',
    `package P impure function f input Real u; output Real y; external "C" y = triple(u); end f;
      model M Real y(start = 0, fixed = true); equation when time > 0.5 then y = f(1) + f(1); end when; end M; end P;`,
    'y',
    6,
  ],
];

describe('printed and read again', () => {
  test.each(cases)('%s', async (_, text, name, expected, stopTime = 1) => {
    const [first, second] = await finals(text, name, stopTime);
    expect(first).toBeCloseTo(expected, 6);
    expect(second).toBeCloseTo(expected, 6);
  });

  test('what no words say is said', () => {
    const text = printFlat(
      loadModel(`package P record R Real a; end R;
        function f input Integer n; output Real y; protected Real v[n]; R r; algorithm for i in 1:n loop v[i] := i; end for; r := R(sum(v)); y := r.a; end f;
        model M Integer n(start = 1, fixed = true); Real y = f(n); equation when time > 0.5 then n = 4; end when; end M; end P;`),
    );
    expect(text).toMatch(/This text cannot be run/);
    expect(text).toMatch(/sizes that are known only when it runs/);
  });
});
