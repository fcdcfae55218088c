/** What a function may not do, told at the place where it does it. */
import { expect, test } from 'vitest';
import { refusals as problems } from './notation.ts';

const calling = (statements: string, more = ''): string =>
  `function f ${more} input Real u; output Real y; algorithm\n${statements}\nend f;\nmodel M Real x = f(time); end M;`;

test.each([
  ['u := 2; y := u;', '2:1 bad-call `u` is an input: a function cannot assign to it.'],
  ['y := u + time;', '2:10 bad-call A function cannot use `time`.'],
  ['y := der(u);', '2:6 bad-call A function cannot use `der`: it depends on time or events.'],
  [
    'if initial() then y := 1; else y := u; end if;',
    '2:4 bad-call A function cannot use `initial`: it depends on time or events.',
  ],
  ['y := u; break;', '2:9 bad-call `break` can stand only inside a loop.'],
])('%s', (statements, message) => {
  expect(problems(calling(statements))).toEqual([message]);
});

test('functions extend functions only, and nothing else extends them', () => {
  const part = 'model A Real z = 1; end A;\n';
  expect(problems(part + calling('y := u;', 'extends A;'))).toEqual([
    '2:20 not-allowed A function cannot extend the model `A`.',
  ]);
  expect(
    problems('function g input Real u; output Real y; algorithm y := u; end g;\nmodel M extends g; end M;'),
  ).toContain('2:17 not-allowed A model cannot extend the function `g`.');
  const base = 'partial function g input Real u; output Real y; end g;\n';
  expect(
    problems(`${base}function f extends g; algorithm y := 2*u; end f; model M Real x = f(time); end M;`),
  ).toEqual([]);
});

test('names that mean something else are no operators, and a variable may be called time', () => {
  const own = 'function sample input Real u; output Real y; algorithm y := 2*u; end sample;\n';
  expect(problems(own + calling('y := sample(u);'))).toEqual([]);
  expect(problems(calling('y := time;').replace('input Real u', 'input Real time'))).toEqual([]);
});

test('`return` stands in functions only', () => {
  expect(
    problems('model M Real x; algorithm x := 1;\nif time > 2 then return; end if; x := 2; end M;'),
  ).toEqual(['2:18 bad-call `return` can stand only in a function.']);
});
