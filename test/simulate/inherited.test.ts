/** What is inherited: from outer classes (specification 3.6, sections 5.4 and 7.1), and in which order (section 12.4.1). */
import { expect, test } from 'vitest';
import { refusals } from '../model/notation.ts';
import { done } from './notation.ts';

const classes = `
  model Base parameter Real k = 1; Real x; end Base;
  model Special extends Base; equation x = k*time; end Special;
  package P constant Real c = 1; model X Real x = c; end X; end P;
  package Q extends P(c = 7); end Q;
  partial function f input Real u; output Real y; end f;
  function square extends f; algorithm y := u^2; end square;
`;

// By hand, at time 1.
test.each([
  [
    'a nested class',
    'model A outer model O = Base; model B extends O; Real y = x + 1; end B; B b; end A; model M inner model O = Special(k = 2); A a; Real y = a.b.y; end M;',
    3,
  ],
  [
    'the class that declares it',
    'model E outer model O = Base; extends O; Real z = 10*x; end E; model A E e; end A; model U inner model O = Special(k = 2); A a; end U; model V inner model O = Special(k = 3); A a; end V; model M U u; V v; Real y = u.a.e.z + v.a.e.z; end M;',
    50,
  ],
  [
    'modified, in an array',
    'model A outer model O = Base; model B extends O(k = 5); end B; B b; end A; model M inner model O = Special; A a[2]; Real y = sum(a.b.x); end M;',
    10,
  ],
  [
    'a short class',
    'model A outer model O = Base; model B = O(k = 4); B b; end A; model M inner model O = Special; A a; Real y = a.b.x; end M;',
    4,
  ],
  [
    'what is in an outer package',
    'model A outer package R = P; model B extends R.X; end B; B b; end A; model M inner package R = Q; A a; Real y = a.b.x; end M;',
    7,
  ],
  [
    'a function',
    'model A outer function g = f; function h extends g; end h; Real y = h(3); end A; model M inner function g = square; A a; Real y = a.y; end M;',
    9,
  ],
])('outer classes are extended as the inner ones: %s', async (_, text, wanted) => {
  const { table } = await done(`${classes}\n  ${text}`, { stopTime: 1, model: 'M' });
  expect(table.value('y', 1)).toBeCloseTo(wanted, 12);
});

test('without an inner class there is nothing to extend', () => {
  const missing = 'The outer model `A.O` has no inner model';
  expect(
    refusals(
      'model A outer model O = W; model B extends O; end B; B b; end A; model W Real x = 1; end W; model M A a; end M;',
    ),
  ).toEqual([`1:21 unknown-class ${missing}.`, `1:34 unknown-class ${missing}: \`A.B\` cannot extend it.`]);
});

test.each([
  [
    'function g input Real b; extends f; algorithm y := 10*b + u; end g; model M Real y = g(1, 2); end M;',
    12,
  ],
  [
    'function g input Real b; extends f; input Real c; algorithm y := 100*b + 10*u + c; end g; model M Real y = g(1, 2, 3); end M;',
    123,
  ],
  [
    'record R Real a; end R; record S Real b; extends R; end S; model M S s = S(1, 2); Real y = 10*s.b + s.a; end M;',
    12,
  ],
  [
    'function g output Real z; extends f; algorithm z := 1; y := 2; end g; model M Real y; Real v; Real w; equation (v, w) = g(0); y = 10*v + w; end M;',
    12,
  ],
])('arguments and outputs stand where the extends clause does: %s', async (text, wanted) => {
  const { table } = await done(`${classes}\n  ${text}`, { stopTime: 1, model: 'M' });
  expect(table.value('y', 1)).toBeCloseTo(wanted, 12);
});
