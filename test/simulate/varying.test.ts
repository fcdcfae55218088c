/**
 * Relatives of the model of specification issue 2411: a variable is a state for a while and algebraic otherwise, in all the
 * ways in which equations can be chosen. The closed forms are in the comments.
 */
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly stop?: number;
  readonly set?: Record<string, number | boolean>;
  /** Variable, time, value; at a change the value after it. */
  readonly values: readonly (readonly [string, number, number])[];
  /** Number of states and index of the modes visited. */
  readonly modes: readonly (readonly [number, number])[];
}

const x = 'Real x(start = 0, fixed = true)';

const choice = `model Choice
  parameter Integer kind = 1;
  Real x(start = 0, fixed = kind == 1), y;
equation
  if kind == 1 then
    der(x) = 10;
    y = x;
  elseif kind == 2 then
    x = -5;
    der(y) = 1;
  else
    x + y = 1;
    x - y = 3;
  end if;
initial equation
  if kind == 2 then y = 7; end if;
end Choice;`;

const cases: readonly Case[] = [
  {
    name: 'nested if-equations',
    text: `model Nested
  ${x}, y;
equation
  if time < 0.5 then
    der(x) = 10;
    y = x;
  else
    if time < 0.75 then
      x = -5;
      der(y) = 1;
    else
      der(x) = 2;
      der(y) = x;
    end if;
  end if;
end Nested;`,
    // y = 5 + (t - 0.5), then 5.25 + (-5 s + s^2) with s = t - 0.75.
    values: [
      ['x', 0.5, -5],
      ['y', 0.5, 5],
      ['y', 0.75, 5.25],
      ['x', 1, -4.5],
      ['y', 1, 4.0625],
    ],
    modes: [
      [1, 1],
      [1, 1],
      [2, 0],
    ],
  },
  {
    name: 'a chain of elseif, one branch nonlinear',
    text: `model Chain
  ${x};
equation
  if time < 0.25 then der(x) = 10; elseif time < 0.5 then x = -5; elseif time < 0.75 then der(x) = -x; else x^3 = 8; end if;
end Chain;`,
    values: [
      ['x', 0.25, -5],
      ['x', 0.5, -5],
      ['x', 0.625, -5 * Math.exp(-0.125)],
      ['x', 1, 2],
    ],
    modes: [
      [1, 0],
      [0, 1],
      [1, 0],
      [0, 1],
    ],
  },
  {
    name: 'in a loop',
    text: `model Loop
  parameter Integer n = 3;
  Real x[n](each start = 0, each fixed = true);
equation
  for i in 1:n loop
    if time < 0.25*i then der(x[i]) = 10*i; else x[i] = -5*i; end if;
  end for;
end Loop;`,
    values: [
      ['x[1]', 0.25, -5],
      ['x[2]', 0.25, 5],
      ['x[3]', 0.5, 15],
      ['x[3]', 0.75, -15],
    ],
    modes: [
      [3, 0],
      [2, 1],
      [1, 1],
      [0, 1],
    ],
  },
  {
    name: 'in an array of components',
    text: `model Components
  model Part
    parameter Real T, k;
    ${x};
  equation
    if time < T then der(x) = 10*k; else x = -5*k; end if;
  end Part;
  Part part[3](T = {0.2, 0.4, 0.6}, k = 1:3);
end Components;`,
    values: [
      ['part[1].x', 0.2, -5],
      ['part[2].x', 0.2, 4],
      ['part[3].x', 0.6, -15],
    ],
    modes: [
      [3, 0],
      [2, 1],
      [1, 1],
      [0, 1],
    ],
  },
  {
    name: 'whole vectors',
    text: `model Vectors
  Real x[3](start = {0, 1, 2}, each fixed = true);
equation
  if time < 0.5 then der(x) = [0, 1, 0; -1, 0, 0; 0, 0, -1]*x; else x = {1, 2, 3}*time; end if;
end Vectors;`,
    values: [
      ['x[1]', 0.25, Math.sin(0.25)],
      ['x[3]', 0.25, 2 * Math.exp(-0.25)],
      ['x[2]', 0.5, 1],
      ['x[3]', 1, 3],
    ],
    modes: [
      [3, 0],
      [0, 1],
    ],
  },
  {
    name: 'back and forth, by another state',
    text: `model Crossing
  ${x}, s(start = 0, fixed = true);
  Boolean up(start = true, fixed = true);
equation
  der(s) = if up then 1 else -2;
  up = not (pre(up) and s > 1 or not pre(up) and s > 0.2);
  if up then der(x) = 10; else x = -5; end if;
end Crossing;`,
    stop: 3,
    // s rises for 0.8 and falls for 0.4 s.
    values: [
      ['x', 1.2, -5],
      ['x', 2, 1],
      ['x', 2.4, -5],
      ['x', 3, -1],
    ],
    modes: [
      [2, 0],
      [1, 1],
      [2, 0],
      [1, 1],
      [2, 0],
    ],
  },
  {
    name: 'by the variable itself',
    text: `model Own
  ${x};
equation
  if x < 5 and time < 2 then der(x) = 10; else x = 5; end if;
end Own;`,
    values: [
      ['x', 0.25, 2.5],
      ['x', 1, 5],
    ],
    modes: [
      [1, 0],
      [0, 1],
    ],
  },
  {
    name: 'second, first and no order; what is differentiated jumps, and has an impulse',
    text: `model Orders
  Real x(start = 1, fixed = true), v;
equation
  if time < 0.5 then
    der(x) = v;
    der(v) = -x;
  elseif time < 1 then
    der(x) = -x;
    v = der(x);
  else
    x = 3*time;
    v = der(x);
  end if;
initial equation
  v = 0;
end Orders;`,
    stop: 1.5,
    values: [
      ['x', 0.5, Math.cos(0.5)],
      ['v', 0.5, -Math.cos(0.5)],
      ['x', 0.75, Math.cos(0.5) * Math.exp(-0.25)],
      ['x', 1, 3],
      ['v', 1, 3],
    ],
    modes: [
      [2, 0],
      [1, 1],
      [0, 2],
    ],
  },
  {
    name: 'as a conditional expression',
    text: `model Expression
  ${x};
equation
  0 = if time < 0.5 then der(x) - 10 else x + 5;
end Expression;`,
    values: [['x', 0.5, -5]],
    modes: [
      [1, 0],
      [0, 1],
    ],
  },
  {
    name: 'beside an algorithm',
    text: `model Beside
  ${x}, y;
algorithm
  if time < 0.5 then y := 1; else y := 2*x; end if;
equation
  if time < 0.5 then der(x) = 10; else x = -5; end if;
end Beside;`,
    values: [
      ['y', 0.25, 1],
      ['y', 0.75, -10],
    ],
    modes: [
      [1, 1],
      [0, 1],
    ],
  },
  {
    name: 'with a variable less in one branch',
    text: `model Fewer
  ${x}, a, b;
equation
  if time < 0.5 then
    der(x) = 10;
    a = 1;
    b = x;
  else
    x = -5;
    a = 2;
  end if;
end Fewer;`,
    values: [
      ['b', 0.25, 2.5],
      ['a', 0.75, 2],
      ['b', 0.75, Number.NaN],
    ],
    modes: [
      [1, 1],
      [0, 1],
    ],
  },
  { name: 'by a parameter: first', text: choice, values: [['y', 1, 10]], modes: [[1, 1]] },
  {
    name: 'by a parameter: second',
    text: choice,
    set: { kind: 2 },
    values: [
      ['x', 1, -5],
      ['y', 1, 8],
    ],
    modes: [[1, 1]],
  },
  {
    name: 'by a parameter: third',
    text: choice,
    set: { kind: 3 },
    values: [
      ['x', 1, 2],
      ['y', 1, -1],
    ],
    modes: [[0, 1]],
  },
];

describe('a variable is a state for a while', () => {
  test.each(cases)('$name', async ({ text, stop = 1, set = {}, values, modes }) => {
    const result = await done(text, {
      model: /^model (\w+)/.exec(text)![1]!,
      stopTime: stop,
      intervals: Math.round(stop * 40),
      set,
    });
    for (const [name, t, value] of values) {
      if (Number.isNaN(value)) expect(result.table.value(name, t)).toBeNaN();
      else close(result.table.value(name, t), value);
    }
    expect(result.modes.map((m) => [m.states.length, m.index])).toEqual(modes);
  });

  test('the jump of a variable is the impulse of its derivative', async () => {
    const { text } = cases.find((c) => c.name.startsWith('second'))!;
    const { impulses } = await done(text, { model: 'Orders', stopTime: 1.5 });
    expect(impulses.map((i) => i.variable)).toEqual(['v']);
    close(impulses[0]!.weight, 3 - Math.cos(0.5) * Math.exp(-0.5));
  });
});
