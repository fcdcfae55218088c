/** Functions as arguments, with some of their inputs bound (Modelica 3.6, section 12.4.2). */
import { describe, expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { done } from './notation.ts';

const functions = `
  partial function F input Real x; output Real y; end F;
  function simpson input F f; input Real a; input Real b; output Real s; algorithm s := (b - a)*(f(a) + 4*f((a + b)/2) + f(b))/6; end simpson;
  function square extends F; algorithm y := x^2; end square;
  function poly input Real c[:]; input Real x; output Real y; algorithm y := 0; for i in 1:size(c, 1) loop y := y*x + c[i]; end for; end poly;
  function twice input F f; input Real x; output Real y; algorithm y := f(f(x)); end twice;
  function both input Real x; output Real y; output Real z; algorithm y := x + 1; z := 10*x; end both;
  partial function G input Real x; output Real y; output Real z; end G;
  function second input G g; input Real x; output Real s; protected Real a; Real b; algorithm (a, b) := g(x); s := a + b; end second;
  function named input Real x; output Real v; algorithm v := x; end named; function other input Real u; output Real y; algorithm y := u; end other; function whole input Integer x; output Real y; algorithm y := x; end whole;
  function withDefault input Real x; input F f = square; output Real y; algorithm y := f(x); end withDefault;
`;

async function value(expression: string): Promise<number> {
  const { table } = await done(`${functions}\n  model M Real y = ${expression}; end M;`, { stopTime: 2 });
  return table.value('y', 2);
}

describe('functions as arguments', () => {
  test.each([
    // The integral of x^2 from 0 to t = 2, of 3 x^2 + 2 x + t, of t x^2 + 1; Simpson's rule is exact.
    ['simpson(square, 0, time)', 8 / 3],
    ['simpson(function poly(c = {3, 2, time}), 0, 2)', 8 + 4 + 4],
    ['simpson(b = 1, a = 0, f = function poly(c = {time, 0, 1}))', 2 / 3 + 1],
    // A function that takes a function, itself given with that one bound: ((x^2)^2) from 0 to 1 by Simpson's rule.
    ['simpson(function twice(f = square), 0, 1)', (4 / 16 + 1) / 6],
    ['twice(function twice(f = function poly(c = {2, 1})), time)', 47],
    ['second(both, time)', 23],
    // Outputs may have other names.
    ['simpson(named, 0, 1)', 1 / 2],
    ['withDefault(time)', 4],
    ['withDefault(time, function poly(c = {1, time}))', 4],
  ])('%s', async (expression, wanted) => {
    expect(await value(expression)).toBeCloseTo(wanted, 12);
  });

  test('bound values are differentiated', async () => {
    const text = `${functions}\n  model M Real x(start = 1, fixed = true); Real y = simpson(function poly(c = {x, 0}), 0, 1); equation der(y) = y; end M;`;
    const { table } = await done(text, { stopTime: 1, tolerance: 1e-8 });
    expect(table.value('x', 1)).toBeCloseTo(Math.E, 6);
  });

  test.each([
    [
      'simpson(poly, 0, 1)',
      'type-mismatch',
      'cannot be given for `f`, a `F`: it has the input `x` in place 2, not 1.',
    ],
    ['simpson(function poly(d = 1), 0, 1)', 'bad-call', '`poly` has no input `d` that could be bound.'],
    ['simpson(F, 0, 1)', 'bad-call', 'The function `F` is partial.'],
    ['simpson(3, 0, 1)', 'type-mismatch', 'A function is needed here.'],
    ['square(square)', 'type-mismatch', '`square` is a function, not a value.'],
    ['square(function poly(c = {1}))', 'type-mismatch', '`x` is no function, but is given one.'],
    ['sin(function poly(c = {1}))', 'type-mismatch', '`sin` takes no functions.'],
    ['simpson(other, 0, 1)', 'type-mismatch', '`other` cannot be given for `f`, a `F`: it has no input `x`.'],
    ['simpson(whole, 0, 1)', 'type-mismatch', 'its `x` is Integer, not Real.'],
    ['second(square, 1)', 'type-mismatch', 'it has no output `z`.'],
  ])('%s is wrong', (expression, code, message) => {
    const [found] = problems(`${functions}\n  model M Real y = ${expression}; end M;`);
    expect(found).toMatch(new RegExp(`^${code} 13:`));
    expect(found).toContain(message);
  });
});
