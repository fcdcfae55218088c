/** Calls of functions without use of their outputs: what they assert holds, or ends the run. */
import { expect, test } from 'vitest';
import { problems } from '../flat/notation.ts';
import { done, run } from './notation.ts';

const functions = `
  function check input Real x[:]; output Real y; output Integer n; algorithm assert(sum(x) < 0.5, "too large: " + String(sum(x), significantDigits = 3)); y := 1; n := 2; end check;
  function silent input Real x; algorithm check({x, 0.1}); end silent;
  partial function F input Real x; output Real y; end F;
  function apply input F f; input Real x; algorithm f(x); end apply;
  function id extends F; algorithm assert(x < 0.7, "id"); y := x; end id;`;

test.each([
  ['an equation', 'equation der(z) = 1; silent(time);', 'too large: ', 0.4],
  [
    'an algorithm',
    'Real y; algorithm y := time + 0.1; check({y}); y := 10; equation der(z) = 1;',
    'too large: ',
    0.4,
  ],
  [
    'a when-equation',
    'equation der(z) = 1; when sample(0, 0.3) then check({time}); end when;',
    'too large: 0.6',
    0.6,
  ],
  [
    'a when-statement',
    'equation der(z) = 1; algorithm when sample(0, 0.3) then check({time}); end when;',
    'too large: 0.6',
    0.6,
  ],
  ['a call of a function that is given', 'equation der(z) = 1; apply(id, time);', 'id', 0.7],
])('%s', async (_, body, message, last) => {
  const { status, diagnostics, table } = await run(
    `${functions}\n  model M Real z(start = 0, fixed = true); ${body} end M;`,
    {
      stopTime: 1,
      intervals: 100,
    },
  );
  expect(status).toBe('failed');
  expect(diagnostics[0]!.code).toBe('assertion');
  expect(diagnostics[0]!.message).toContain(message);
  // Relations in functions cause no events: a violation is met at the next step.
  expect(table.time.at(-1)!).toBeGreaterThan(last - 0.02);
});

test('what holds goes on', async () => {
  const text = `${functions}\n  model M Real z(start = 0, fixed = true); equation der(z) = 1; silent(-time); end M;`;
  expect((await done(text, { stopTime: 1 })).table.value('z', 1)).toBeCloseTo(1, 9);
});

test('arguments are checked', () => {
  expect(problems(`${functions} model M equation silent("a"); end M;`)[0]).toContain(
    '`x` is Real but is given String.',
  );
  expect(problems(`${functions} model M equation silent(1, 2); end M;`)[0]).toContain(
    'takes 1 argument but is given 2',
  );
});

test('semiLinear of arrays takes their elements', async () => {
  const text =
    'model M Real x[2] = {1 - 2*time, 3}; Real y[2] = semiLinear(x, {2, 4}, {5, 7}); Real z[2] = semiLinear(x[1], {2, 4}, {5, 7}); Real w[0] = semiLinear(x[1], fill(0, 0), fill(0, 0)); end M;';
  const { table } = await done(text, { stopTime: 1 });
  expect(['y[1]', 'y[2]', 'z[1]', 'z[2]'].map((name) => table.value(name, 1))).toEqual([-5, 12, -5, -7]);
  expect(problems('model M Real y[2] = semiLinear(1, {2, 4}, {5, 7, 8}); end M;')[0]).toMatch(
    /^dimension-mismatch/,
  );
});

test('an Integer has no derivative, however constant it is', () => {
  expect(problems('model M constant Integer n = 1; Real a = der(n); end M;')).toEqual([
    'type-mismatch 1:46 `der` needs a continuous Real variable, not an Integer.',
  ]);
});
