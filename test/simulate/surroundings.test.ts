/** Inner and outer components, classes and functions in simulations (Modelica 3.6, section 5.4), with results known by hand. */
import { expect, test } from 'vitest';
import { close, done } from './notation.ts';

test('a variable that is inner and outer at once is one for the objects inside and another one outside', async () => {
  const { table } = await done(
    `model Tank outer Boolean open; Real x(start = 1, fixed = true); equation der(x) = if open then -x else 0; end Tank;
    model Plant Boolean allowed = time > 1; inner outer Boolean open = open and allowed; Tank tank; Boolean seen = open; end Plant;
    model M inner Boolean open = true; Plant plant; Tank tank; end M;`,
    { stopTime: 2 },
  );
  close(table.value('tank.x', 2), Math.exp(-2));
  close(table.value('plant.tank.x', 1), 1);
  close(table.value('plant.tank.x', 2), Math.exp(-1));
  expect(table.value('plant.seen', 0.5)).toBe(1);
});

test('a component that is inner and outer at once is one for the objects inside and another one outside', async () => {
  const { table } = await done(
    `model World parameter Real g = 1; end World;
    model Ball outer World world; Real v(start = 0, fixed = true); equation der(v) = world.g; end Ball;
    model Lift inner outer World world(g = world.g + 2); Ball ball; Real around = world.g; end Lift;
    model M inner World world(g = 10); Lift lift[2]; Ball ball; end M;`,
    { stopTime: 1 },
  );
  close(table.value('ball.v', 1), 10);
  close(table.value('lift[2].ball.v', 1), 12);
  close(table.value('lift[1].around', 1), 10);
});

test('an inner component that the model lacks has the values of its class, or those that are set', async () => {
  const text = `model World parameter Real g = 3; end World;
    model Ball outer World world; Real v(start = 0, fixed = true); equation der(v) = world.g; end Ball;
    model M Ball a; Ball b; end M;`;
  const { table } = await done(text, { stopTime: 1 });
  close(table.value('b.v', 1), 3);
  const other = await done(text, { stopTime: 1, set: { 'world.g': 5 } });
  close(other.table.value('a.v', 1), 5);
});

test('an inner component that is added may lack inner components itself', async () => {
  const { table } = await done(
    `model Rate parameter Real k = 2; end Rate;
    model World outer Rate rate; parameter Real g = 3*rate.k; end World;
    model Ball outer World world; Real v(start = 0, fixed = true); equation der(v) = world.g; end Ball;
    model M Ball a; end M;`,
    { stopTime: 1 },
  );
  close(table.value('a.v', 1), 6);
});

test('outer functions and classes are those of the nearest object that has inner ones', async () => {
  const { table } = await done(
    `partial function F input Real x; output Real y; end F;
    function double extends F; algorithm y := 2*x; end double;
    function triple extends F; algorithm y := 3*x; end triple;
    partial model Part Real y; end Part;
    model Slow extends Part; equation y = time; end Slow;
    model Fast extends Part; parameter Real k = 1; equation y = k*time; end Fast;
    model User outer function f = F; outer model P = Part; P p; P q; Real z = f(time); end User;
    model A inner function f = double; inner model P = Slow; User user; end A;
    model B inner function f = triple; parameter Real k = 10; inner model P = Fast(k = k); User user; end B;
    model M A a; B b; B c(k = 20); end M;`,
    { stopTime: 2 },
  );
  expect(['a', 'b', 'c'].map((name) => table.value(`${name}.user.z`, 2))).toEqual([4, 6, 6]);
  expect(['a', 'b', 'c'].map((name) => table.value(`${name}.user.p.y`, 2))).toEqual([2, 20, 40]);
  expect(['a', 'b', 'c'].map((name) => table.value(`${name}.user.q.y`, 2))).toEqual([2, 20, 40]);
});

test('an outer constant of a package in a component', async () => {
  const { table } = await done(
    `model A package P outer constant Integer n; end P; Real y = P.n*time; end A;
    model B inner constant Integer n; A a; end B;
    model M B b(n = 3); B c(n = 4); end M;`,
    { stopTime: 2 },
  );
  expect(table.value('b.a.y', 2)).toBe(6);
  expect(table.value('c.a.y', 2)).toBe(8);
});

test('outer components of an array of components', async () => {
  const { table } = await done(
    `model A outer Real w; Real x = 2*w; end A;
    model M inner Real w = time; A a[3]; Real s = sum(a.w) + sum(a.x); Real one = a[2].w; end M;`,
    { stopTime: 2 },
  );
  expect(table.value('s', 2)).toBe(3 * 2 + 3 * 4);
  expect(table.value('one', 2)).toBe(2);
});

test('what is inner and outer at once in a state exists with the state', async () => {
  const { table } = await done(
    `model Ball outer Real push; Real v(start = 0, fixed = true); equation der(v) = push; end Ball;
    block Held Real y; equation y = -1; end Held;
    block Free inner outer Real push = 2*push; Ball ball; Real y; equation y = ball.v + push; end Free;
    model M inner Real push = 3; Held held; Free free; Real y = if activeState(free) then free.y else held.y;
    equation initialState(held); transition(held, free, time > 1); end M;`,
    { stopTime: 2 },
  );
  expect(table.value('y', 0.5)).toBe(-1);
  close(table.value('y', 2), 6 * 1 + 3);
});
