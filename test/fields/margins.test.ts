/** Assertions on arrays that are computed in loops: they hold, or end a run, when those on scalars do. */
import { describe, expect, test } from 'vitest';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';

/** x[i] = i*exp(-t). */
const model = (assertions: string, declared = ''): string => `model M
  parameter Integer n = 20;
  Real x[n](start = {1.0*i for i in 1:n}, each fixed = true);
  Real y[n];
  ${declared}
equation
  for i in 1:n loop der(x[i]) = -x[i]; y[i] = 2*x[i]; end for;
  ${assertions}
  annotation(experiment(StopTime = 1));
end M;`;

async function run(assertions: string) {
  const flat = loadModel(model(assertions));
  const result = await simulate(flat, { tolerance: 1e-8 });
  return { ...result, loops: surveyArrays(flat).loops };
}

describe('arrays stay in loops, and a run ends where an element breaks', () => {
  const cases: Record<string, [assertions: string, end: number]> = {
    'a lower bound': ['for i in 1:n loop assert(x[i] >= 0.5, "low"); end for;', Math.log(2)],
    'a strict bound': ['for i in 1:n loop assert(x[i] > 0.5, "low"); end for;', Math.log(2)],
    'an upper bound, of another array': [
      'for i in 1:n loop assert(-y[i] < -1, "low"); end for;',
      Math.log(2),
    ],
    'bounds that depend on the element': [
      'for i in 1:n loop assert(x[i] >= i/2, "low"); end for;',
      Math.log(2),
    ],
    'one of two': ['for i in 1:n loop assert(x[i] < 21 and y[i] > 1.5, "low"); end for;', Math.log(4 / 3)],
    'a bound on the whole': ['assert(sum(x) > 105, "low");', Math.log(2)],
    'the least of all': ['assert(min(x) > 0.5, "low");', Math.log(2)],
  };
  for (const [what, [assertions, end]] of Object.entries(cases)) {
    test(what, async () => {
      const { status, time, diagnostics, loops } = await run(assertions);
      expect(loops).toEqual(['x', 'y']);
      expect(diagnostics.map(({ code }) => code)).toEqual(['assertion']);
      expect(diagnostics[0]!.message).toContain('low');
      expect(diagnostics[0]!.span).toBeDefined();
      expect(status).toBe('failed');
      expect(time).toBeCloseTo(end, 6);
    });
  }

  test('warnings let a run go on', async () => {
    const { status, diagnostics, table } = await run(
      'for i in 1:n loop assert(x[i] >= 0.5, "low", AssertionLevel.warning); end for;',
    );
    expect(status).toBe('done');
    expect(diagnostics.map(({ severity }) => severity)).toEqual(['warning']);
    expect(table.value('x[1]', 1)).toBeCloseTo(Math.exp(-1), 7);
  });

  test('what holds is not heard of, and is no result', async () => {
    const { status, diagnostics, table } = await run('for i in 1:n loop assert(x[i] >= 0, "low"); end for;');
    expect(status).toBe('done');
    expect(diagnostics).toEqual([]);
    expect(table.names.filter((name) => name.includes('margin'))).toEqual([]);
  });
});

describe('other assertions are on scalars', () => {
  const cases: Record<string, string> = {
    'one or the other': 'for i in 1:n loop assert(x[i] >= 0.5 or y[i] < 0, "low"); end for;',
    'a message of its own': 'for i in 1:n loop assert(x[i] >= 0.5, "low at " + String(i)); end for;',
    'a message with the value': 'for i in 1:n loop assert(x[i] >= 0.5, "low: " + String(x[i])); end for;',
  };
  for (const [what, assertions] of Object.entries(cases)) {
    test(what, async () => {
      const { status, time, diagnostics } = await run(assertions);
      expect(status).toBe('failed');
      expect(time).toBeCloseTo(Math.log(2), 6);
      expect(diagnostics[0]!.message).toContain('low');
    });
  }
});
