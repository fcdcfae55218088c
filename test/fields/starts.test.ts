/** States of loops that begin as initial equations say, against exact results. */
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';

/** x[i] = x0[i]*exp(-i*t), begun by `initial`. */
const decay = (declared: string, initial: string): string => `model Decay
  parameter Integer n = 20;
  parameter Real a = 3;
  ${declared}
initial equation
  ${initial}
equation
  for i in 1:n loop der(x[i]) = -i*x[i]; end for;
end Decay;`;

const plain = 'Real x[n](each start = 7);';

async function values(text: string): Promise<{ inLoops: boolean; x: (i: number) => number }> {
  const flat = loadModel(text);
  const { table, status, diagnostics } = await simulate(flat, { stopTime: 0.1, tolerance: 1e-9 });
  expect(diagnostics.map((d) => d.message)).toEqual([]);
  expect(status).toBe('done');
  return {
    inLoops: surveyArrays(flat).loops.includes('x'),
    x: (i) => table.value(`x[${i}]`, 0.1) * Math.exp(0.1 * i),
  };
}

describe('initial equations of whole arrays are start values of loops', () => {
  const cases: Record<string, [initial: string, start: (i: number) => number]> = {
    'a number for all': ['for i in 1:n loop x[i] = 2; end for;', () => 2],
    'a formula of parameters': ['for i in 1:n loop x[i] = a + i; end for;', (i) => 3 + i],
    'the other way round': ['for i in 1:n loop a*i = x[i]; end for;', (i) => 3 * i],
    'the array as a whole': ['x = a*ones(n);', () => 3],
    'as an array of values': ['x = {2.0*i for i in 1:n};', (i) => 2 * i],
  };
  for (const [what, [initial, start]] of Object.entries(cases)) {
    test(what, async () => {
      const { inLoops, x } = await values(decay(plain, initial));
      expect(inLoops).toBe(true);
      for (const i of [1, 7, 20]) expect(x(i) / start(i)).toBeCloseTo(1, 7);
    });
  }

  test('in components, and in two dimensions', async () => {
    const flat = loadModel(`
      model Cell parameter Real v0 = 1; Real v[3]; initial equation v = {v0, 2*v0, 3*v0}; equation der(v) = -v; end Cell;
      model M parameter Integer n = 16; Cell c[n](v0 = {1.0*i for i in 1:n}); end M;`);
    expect(surveyArrays(flat).loops).toContain('c.v');
    const { table } = await simulate(flat, { stopTime: 1, tolerance: 1e-9 });
    for (const [i, k] of [
      [1, 1],
      [5, 2],
      [16, 3],
    ] as const)
      expect(table.value(`c[${i}].v[${k}]`, 1) * Math.E).toBeCloseTo(i * k, 6);
  });
});

describe('what else initial equations say is left to systems of them', () => {
  const cases: Record<string, [declared: string, initial: string, start: (i: number) => number]> = {
    'a rest': [plain, 'for i in 1:n loop der(x[i]) = -i; end for;', () => 1],
    'parts of the array': [plain, 'x[1] = 4; for i in 2:n loop x[i] = 5; end for;', (i) => (i === 1 ? 4 : 5)],
    'another order': [plain, 'for i in 1:n loop x[n + 1 - i] = i; end for;', (i) => 21 - i],
    'a sum of them': [
      plain,
      'for i in 1:n - 1 loop x[i] = 1; end for; sum(x) = 30;',
      (i) => (i === 20 ? 11 : 1),
    ],
    'parameters that are sought': [
      `${plain} parameter Real p(fixed = false);`,
      'for i in 1:n loop x[i] = p; end for; p = 2*a;',
      () => 6,
    ],
  };
  for (const [what, [declared, initial, start]] of Object.entries(cases)) {
    test(what, async () => {
      const { x } = await values(decay(declared, initial));
      for (const i of [1, 7, 20]) expect(x(i) / start(i)).toBeCloseTo(1, 7);
    });
  }

  test('values that are given twice are too many', async () => {
    const text = decay(plain, 'for i in 1:n loop x[i] = 1; end for; for i in 1:n loop x[i] = 2; end for;');
    const { status, diagnostics } = await simulate(loadModel(text));
    expect(status).toBe('failed');
    expect(diagnostics[0]!.message).toMatch(/initial|too many|contradict/i);
  });
});

test('parameters of a run count, start values do not', async () => {
  for (const initial of [
    'for i in 1:n loop x[i] = a; end for;',
    'x[1] = a; for i in 2:n loop x[i] = a; end for;',
  ]) {
    const decays = instantiate(decay(plain, initial));
    for (const merge of [{}, { a: 5 }, { a: 4, x: { start: 9 } }]) {
      const { table } = await decays.simulate({ stopTime: 0.1, tolerance: 1e-9, merge });
      expect(table.value('x[3]', 0.1) * Math.exp(0.3)).toBeCloseTo((merge as { a?: number }).a ?? 3, 6);
    }
  }
});
