/** Integers are doubles, which hold whole numbers up to 2^53: larger ones are errors, never other numbers. What is no number is told, too. */
import { expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { done, run } from './notation.ts';

test.each([
  ['Integer n = 9007199254740993;', 'this Integer is beyond 2^53'],
  ['Real x = 1e309;', 'this number is too large'],
  [
    'constant Integer a = 3037000500; constant Integer n = a*a;',
    'The Integer 9223372037000250000 is beyond 2^53',
  ],
  ['Real x[n]; constant Integer n = 3037000500*3037000500;', 'beyond 2^53'],
])('%s is refused', (declarations, message) => {
  expect(() => loadModel(`model M ${declarations} end M;`)).toThrow(message);
});

test('the largest Integers and Reals are what they are', async () => {
  const text =
    'model M Integer n = 9007199254740991; Integer m = -n; Real x = 1.7e308; Real y = 1e20; end M;';
  const { table } = await simulate(loadModel(text), { stopTime: 1 });
  expect(['n', 'm', 'x', 'y'].map((name) => table.value(name, 1))).toEqual([
    2 ** 53 - 1,
    1 - 2 ** 53,
    1.7e308,
    1e20,
  ]);
});

test('a product in a loop stops the run where it becomes too large', async () => {
  // 3^33 is the largest power of 3 below 2^53.
  const power = (n: number): string => `package P
    function f input Integer n; output Integer y; algorithm y := 1; for i in 1:n loop y := y*3; end for; end f;
    model M Integer n(start = 0, fixed = true); equation when time > 0.5 then n = f(${n}); end when; end M; end P;`;
  const exact = await simulate(loadModel(power(33)), { stopTime: 1 });
  expect(exact.table.value('n', 1)).toBe(5559060566555523);
  const large = await simulate(loadModel(power(34)), { stopTime: 1 });
  expect([large.status, large.diagnostics[0]?.code]).toEqual(['failed', 'bad-evaluation']);
});

test('a counter that grows too large is told with its value', async () => {
  const text =
    'model M Integer n(start = 1, fixed = true); equation when sample(0.01, 0.01) then n = 3*pre(n); end when; end M;';
  const { status, time, diagnostics } = await simulate(loadModel(text), { stopTime: 1 });
  expect(status).toBe('failed');
  expect(time).toBeCloseTo(0.34, 9);
  expect(diagnostics[0]!.message).toContain('An Integer beyond 2^53 in 3*pre(n)');
  expect(diagnostics[0]!.notes[0]!.message).toBe('values: pre(n) = 5559060566555523');
});

test('a parameter that is computed is checked, too', async () => {
  const text = 'model M parameter Integer a = 3037000500; parameter Integer n = a*a; Real x = n*time; end M;';
  const { diagnostics } = await simulate(loadModel(text), { stopTime: 1 });
  expect(diagnostics.map((d) => d.code)).toEqual(['bad-evaluation']);
});

test.each([
  [
    'parameter Real T = 0/0; Real x(start = 0, fixed = true); equation der(x) = if time < T then 1 else 2;',
    'The parameter T has no value: division by zero in 0/0.',
  ],
  [
    'parameter Real a = -1; parameter Real T = sqrt(a); Real x = T*time;',
    'The parameter T has no value: square root of a negative number in sqrt(a).',
  ],
  [
    'parameter Real z = 0; Integer n(start = 0, fixed = true); equation when sample(z/z, 1) then n = pre(n) + 1; end when;',
    'The start of `sample`, z/z, has no value.',
  ],
])('%s is told', async (declarations, message) => {
  const { diagnostics } = await simulate(loadModel(`model M ${declarations} end M;`), { stopTime: 1 });
  expect(diagnostics.map((d) => `${d.code} ${d.message}`)).toEqual([`bad-evaluation ${message}`]);
});

test('zero divided by what becomes zero is an error, not zero', async () => {
  const text = (divisor: string) => `model M Integer d(start = 0, fixed = true); Real y;
    equation when sample(0.1, 0.1) then d = pre(d) + 1; end when; y = 0/(${divisor}); end M;`;
  const { status, time, diagnostics } = await run(text('d - 3'), { stopTime: 1 });
  expect(status).toBe('failed');
  expect(time).toBeCloseTo(0.3, 9);
  expect(diagnostics.at(-1)).toMatchObject({ code: 'bad-evaluation' });
  const { table } = await done(text('d + 3'), { stopTime: 1 });
  expect(table.value('y', 1)).toBe(0);
});
