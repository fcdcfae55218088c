/** `delay` against closed forms: fixed and variable, smooth and with jumps, in loops, across events and changes of structure. */
import { describe, expect, it } from 'vitest';
import { loadModel, type SimulationResult, simulate } from '../../src/index.ts';
import { close, done } from './notation.ts';

/** Rows of the results and their values of a variable. */
function rows({ table }: SimulationResult, name: string): [time: number, value: number][] {
  return [...table.time].map((time, k) => [time, table.get(name)[k]!]);
}

function follows(result: SimulationResult, name: string, expected: (t: number) => number, tolerance = 1e-6) {
  for (const [time, value] of rows(result, name))
    expect(Math.abs(value - expected(time)), `${name} at ${time}`).toBeLessThanOrEqual(tolerance);
}

describe('a fixed delay', () => {
  it('gives what was, and the first value before', async () => {
    const result = await done('model M Real y = sin(3*time); Real x = delay(y + 1, 2.5); end M;', {
      stopTime: 10,
    });
    follows(result, 'x', (t) => (t < 2.5 ? 1 : 1 + Math.sin(3 * (t - 2.5))), 1e-9);
  });

  it('in a differential equation: the method of steps', async () => {
    const result = await done(
      'model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 1); end M;',
      { stopTime: 8 },
    );
    // x(t) = sum of (-1)^k (t - k + 1)^k / k! for k up to t + 1
    follows(result, 'x', (t) => {
      let [sum, factorial] = [1, 1];
      for (let k = 1; k <= Math.floor(t) + 1; k++) {
        factorial *= k;
        sum += ((-1) ** k * (t - k + 1) ** k) / factorial;
      }
      return sum;
    });
  });

  it('lets jumps arrive as events, at their time', async () => {
    const result = await done(
      `model M
        Real u = if time < 1 then 0 elseif time < 3 then 1 else 2;
        Real y = delay(u, 1.5);
        Real i(start = 0, fixed = true);
        discrete Real at(start = 0, fixed = true);
      equation
        der(i) = y;
        when y > 1.5 then
          at = time;
        end when;
      end M;`,
      { stopTime: 6 },
    );
    expect(result.table.value('at', 6)).toBe(4.5);
    close(result.table.value('i', 6), 2 + 3, 1e-9);
    expect(result.statistics.events).toBe(4);
  });

  it('gives what changes at events only exactly, without short steps', async () => {
    const result = await done(
      `model M
        discrete Integer n(start = 3, fixed = true);
        Real r = n;
        Integer late = integer(delay(r, 1e-3));
        Real x(start = 1, fixed = true);
        discrete Real at(start = 0, fixed = true);
      equation
        when sample(0.7, 1) then
          n = 10 - pre(n);
        end when;
        when late == 7 then
          at = time;
        end when;
        der(x) = -x;
      end M;`,
      { stopTime: 10 },
    );
    for (let k = 0; k < 4; k++) close(result.table.value('at', 2 + 2 * k), 0.701 + 2 * k, 1e-12);
    expect(new Set(result.table.get('late'))).toEqual(new Set([3, 7]));
    expect(result.statistics.steps).toBeLessThan(1000);
  });

  it('keeps what is constant exactly so', async () => {
    const result = await done(
      `model M
        Real u = if time < 0.3 then 1.1 else 4.7;
        Real y = delay(u, 0.5);
      end M;`,
      { stopTime: 2 },
    );
    expect(new Set(result.table.get('y'))).toEqual(new Set([1.1, 4.7]));
  });

  it('follows states across reinit', async () => {
    const result = await done(
      `model M
        Real x(start = 0, fixed = true);
        Real y = delay(x, 0.75);
        Real i(start = 0, fixed = true);
      equation
        der(x) = 1;
        der(i) = y;
        when x > 1 then
          reinit(x, 0);
        end when;
      end M;`,
      { stopTime: 3.25 },
    );
    follows(result, 'i', (t) => {
      const s = Math.max(0, t - 0.75);
      return Math.floor(s) / 2 + (s - Math.floor(s)) ** 2 / 2;
    });
  });

  it('is part of the initial problem', async () => {
    const result = await done(
      'model M Real x; initial equation der(x) = 0; equation der(x) = delay(3 + time, 1) - x; end M;',
      { stopTime: 1 },
    );
    follows(result, 'x', () => 3, 1e-9);
  });

  it('of zero is the signal', async () => {
    const result = await done(
      'model M Real x(start = 1, fixed = true); equation der(x) = -delay(x, 0); end M;',
      { stopTime: 1 },
    );
    follows(result, 'x', (t) => Math.exp(-t));
  });

  it('of arrays, in loops and in arrays of components', async () => {
    const { table } = await done(
      `model M
        block B
          Real y = delay(time, 0.5);
        end B;
        B b[20];
        Real u[3] = {i*time for i in 1:3};
        Real y[3];
        Real z[3] = delay(u, 1);
      equation
        for i in 1:3 loop
          y[i] = delay(u[i], i);
        end for;
      end M;`,
      { stopTime: 10, model: 'M' },
    );
    const values = ['y[1]', 'y[2]', 'y[3]', 'z[3]', 'b[20].y'].map((name) => table.value(name, 10));
    for (const [k, expected] of [9, 16, 21, 27, 9.5].entries()) close(values[k]!, expected, 1e-9);
  });

  it('goes on where the structure changes', async () => {
    const result = await done(
      `model M
        Real x(start = 0, fixed = true), v(start = 1, fixed = true);
        Real y = delay(x, 1);
        Boolean held = time > 2 and time < 4;
      equation
        der(x) = v;
        if held then
          v = 0;
        else
          der(v) = 0;
        end if;
      end M;`,
      { stopTime: 6 },
    );
    const x = (t: number) => Math.max(0, Math.min(t, 2));
    follows(result, 'y', (t) => x(t - 1), 1e-9);
  });
});

describe('a component that is not there for a while', () => {
  const around = (a: string, machine: string) =>
    `package P
      block A ${a} end A;
      block B Real y = 1; end B;
      model T ${machine} B b;
      equation
        initialState(a);
        transition(a, b, time >= 1 and time < 2);
        transition(b, a, time >= 2, reset = false);
      end T;
    end P;`;

  it('goes on with what it knew: a state', async () => {
    const { table } = await done(
      around('Real x(start = 0, fixed = true); Real d = delay(x, 0.5); equation der(x) = 1;', 'A a;'),
      { stopTime: 4, model: 'P.T' },
    );
    const at = [0.75, 2.2, 2.8, 4].map((t) => table.value('a.d', t));
    for (const [k, expected] of [0.25, 1, 1.3, 2.5].entries()) close(at[k]!, expected, 1e-9);
  });

  it('an input, which is another one when it comes back', async () => {
    const { table } = await done(around('input Real u; Real d = delay(u, 0.5);', 'A a(u = time);'), {
      stopTime: 4,
      model: 'P.T',
    });
    const at = [0.75, 2.2, 2.8, 4].map((t) => table.value('a.d', t));
    for (const [k, expected] of [0.25, 1, 2.3, 3.5].entries()) close(at[k]!, expected, 1e-9);
  });
});

describe('a variable delay', () => {
  it('gives what was', async () => {
    const result = await done('model M Real T = 1 + 0.5*sin(time); Real y = delay(time^2, T, 2); end M;', {
      stopTime: 10,
    });
    follows(result, 'y', (t) => Math.max(0, t - 1 - 0.5 * Math.sin(t)) ** 2, 1e-7);
  });

  it('lets jumps arrive when they come', async () => {
    const { table } = await done(
      `model M
        Real u = if time < 2 then 0 else 1;
        Real y = delay(u, 1 + 0.5*sin(time), 2);
        Real i(start = 0, fixed = true);
      equation
        der(i) = y;
      end M;`,
      { stopTime: 10 },
    );
    // t - 1 - sin(t)/2 = 2
    let arrival = 3;
    for (let k = 0; k < 200; k++) arrival = 3 + 0.5 * Math.sin(arrival);
    close(table.value('i', 10), 10 - arrival, 1e-9);
  });

  it('may become zero', async () => {
    const result = await done(
      'model M Real y = delay(sin(time), if time < 2 then 0.5*(2 - time) else 0, 1); end M;',
      { stopTime: 3 },
    );
    follows(result, 'y', (t) => Math.sin(t < 2 ? Math.max(0, t - 0.5 * (2 - t)) : t), 1e-6);
  });
});

describe('what is wrong', () => {
  for (const [text, code, message] of [
    ['Real y = delay(time, -1);', 'bad-delay', /is -1 at time 0: it cannot be negative/],
    ['Real y = delay(time, 5, 1);', 'bad-delay', /is 5 at time 0, longer than the longest one, 1/],
    ['Real y = delay(time, 0.5 - time, 1);', 'bad-delay', /cannot be negative/],
    ['Real a = 1; Real y = delay(time, a);', 'variability', /needs a bound/],
    ['Real a = 1; Real y = delay(time, 1, a);', 'variability', /longest delay must not change/],
    ['Real y = der(delay(time^2, 1));', 'not-differentiable', /can neither be differentiated/],
    ['Real y = delay(true, 1);', 'type-mismatch', /cannot be given Boolean/],
    [
      'function f input Real u; output Real y; algorithm y := delay(u, 1); end f; Real y = f(time);',
      'bad-call',
      /function/,
    ],
  ] as const)
    it(text, async () => {
      let diagnostics: SimulationResult['diagnostics'];
      try {
        ({ diagnostics } = await simulate(loadModel(`model M ${text} end M;`), { stopTime: 2 }));
      } catch (problem) {
        ({ diagnostics } = problem as SimulationResult);
      }
      const found = diagnostics.find(({ severity }) => severity === 'error')!;
      expect(found.code).toBe(code);
      expect(found.message).toMatch(message);
      expect(found.span).toBeDefined();
    });
});

describe('getInstanceName', () => {
  it('has the subscripts of elements of arrays', async () => {
    const { table } = await done(
      `model M
        model A parameter String name = getInstanceName(); Boolean b[2] = {name == "M.a[1]", name == "M.a[2]"}; end A;
        A a[2];
      end M;`,
      { model: 'M' },
    );
    const names = ['a[1].b[1]', 'a[1].b[2]', 'a[2].b[1]', 'a[2].b[2]'];
    expect(names.map((name) => table.value(name, 0))).toEqual([1, 0, 0, 1]);
  });

  it('is the name of the model with the path of the component', async () => {
    const { table } = await done(
      `package P
        model A
          parameter String name = getInstanceName();
          Boolean isRight = name == "M.b.a";
        end A;
        model B A a; end B;
        model M B b; parameter String name = getInstanceName(); Boolean isRight = name == "M"; end M;
      end P;`,
      { model: 'P.M' },
    );
    expect(table.value('b.a.isRight', 0)).toBe(1);
    expect(table.value('isRight', 0)).toBe(1);
  });
});
