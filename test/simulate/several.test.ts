/**
 * Steps that are taken several at once, with their rows, are those that are taken by themselves, to the last bit. An assertion that always holds lets each be taken by
 * itself.
 */
import { describe, expect, test } from 'vitest';
import { loadModel, simulate, toCsv } from '../../src/index.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';

const models: Readonly<Record<string, string>> = {
  'van der Pol':
    'Real x(start = 2, fixed = true), y(start = 0, fixed = true), e = x^2 + y^2; equation der(x) = y; der(y) = 100*(1 - x^2)*y - x;',
  'what is stiff for a while':
    'Real x(start = 0, fixed = true); equation der(x) = -(1 + 1e4*exp(-time))*(x - sin(time));',
  'an oscillation, and time':
    'Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; der(v) = sin(3*time) - x;',
  'events of time':
    'Real x(start = 1, fixed = true); discrete Real u(start = 0, fixed = true); equation der(x) = u - x; when sample(0, 0.3) then u = pre(u) + 1; end when;',
  'what fails': 'Real x(start = 1, fixed = true), y = sqrt(x - 0.2); equation der(x) = -x;',
  'what grows over all bounds': 'Real x(start = 1, fixed = true); equation der(x) = x^2;',
  'a function that refuses':
    'function g input Real u; output Real y; algorithm assert(u > 0.3, "too small"); y := sqrt(u); end g; Real x(start = 1, fixed = true); equation der(x) = -g(x);',
  'a variable that a function refuses':
    'function g input Real u; output Real y; algorithm assert(u > 0.3, "too small"); y := sqrt(u); end g; Real x(start = 1, fixed = true), y = g(x); equation der(x) = -x;',
};

async function seen(text: string, options: SimulateOptions) {
  const { table, stepsAtRows, statistics, status, time, diagnostics } = await simulate(
    loadModel(text),
    options,
  );
  const { steps, evaluations, jacobians } = statistics;
  const messages = diagnostics.map(({ message }) => message);
  // What throws is evaluated once more, to see what it says.
  const work = status === 'done' ? { evaluations, jacobians } : undefined;
  return { rows: toCsv(table), stepsAtRows, steps, work, status, time, messages };
}

describe.each(Object.entries(models))('%s', (_name, body) => {
  test.each([
    { stopTime: 5 },
    { stopTime: 5, tolerance: 1e-9, intervals: 2000 },
    { stopTime: 5, tolerance: 1e-3, intervals: 7 },
  ])('%o', async (options) => {
    const whole = await seen(`model M ${body} end M;`, options);
    const single = await seen(
      `model M ${body.replace('equation', 'equation assert(time < 1e9, "never");')} end M;`,
      options,
    );
    expect(whole.stepsAtRows.length).toBeGreaterThan(1);
    expect(whole).toEqual(single);
  });
});

test('whoever stops a run has all rows until then', async () => {
  const model = loadModel(`model M ${models['an oscillation, and time']} end M;`);
  let looks = 0;
  const signal = {
    get aborted() {
      return ++looks > 3000;
    },
  };
  const { status, time, table } = await simulate(model, { stopTime: 1000, intervals: 10_000, signal });
  expect(status).toBe('stopped');
  expect(time).toBeGreaterThan(1);
  const times = [...table.time];
  for (const [k, t] of times.slice(0, -1).entries()) expect(t).toBeCloseTo(k / 10, 9);
  expect(times.at(-1)).toBeGreaterThan(time - 0.1);
});
