/** `reinit`, `pre` and `when` of single elements, of arrays that stay arrays and of those that do not: closed forms, and the values of scalars. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../src/instantiate.ts';
import { loadModel } from '../../src/load.ts';
import { simulate, surveyArrays } from '../../src/simulate/index.ts';
import type { SimulateOptions } from '../../src/simulate/settings.ts';
import type { SimulationResult } from '../../src/simulate/types.ts';

const ways = [{}, { scalars: true }, { interpret: true }];

const final = (result: SimulationResult, name: string): number => result.table.get(name).at(-1)!;

async function run(text: string, options: SimulateOptions): Promise<SimulationResult> {
  const result = await simulate(loadModel(text), { tolerance: 1e-9, intervals: 10, ...options });
  expect(result.diagnostics.filter((d) => d.severity === 'error').map((d) => d.message)).toEqual([]);
  expect(result.status).toBe('done');
  return result;
}

const loopsOf = (text: string): readonly string[] => surveyArrays(loadModel(text)).loops;

/** n elements that decay from 1, and more. */
const decay = (n: number, more: string, declarations = ''): string => `model M
    Real x[${n}](each start = 1, each fixed = true);
    ${declarations}
  equation
    for i in 1:${n} loop der(x[i]) = -x[i]; end for;
    ${more}
  end M;`;

const sizes = [3, 16, 17, 100];

describe('one element', () => {
  test('gets a new value, the others go on', async () => {
    for (const n of sizes)
      for (const way of ways) {
        const text = decay(n, 'when time > 0.5 then reinit(x[3], 2); end when;');
        const result = await run(text, { stopTime: 2, ...way });
        expect(final(result, 'x[3]')).toBeCloseTo(2 * Math.exp(-1.5), 7);
        expect(final(result, `x[${n === 3 ? 2 : n}]`)).toBeCloseTo(Math.exp(-2), 7);
        if (n >= 16) expect(loopsOf(text)).toEqual(['x']);
      }
  });

  test('gets a new value from its old one, and that of others', async () => {
    for (const n of sizes)
      for (const way of ways) {
        const more = `when time > 0.5 then reinit(x[2], pre(x[2]) + 2); reinit(x[1], pre(v)); reinit(v, pre(x[1])); end when;
          der(v) = 0;`;
        const result = await run(decay(n, more, 'Real v(start = 5, fixed = true);'), { stopTime: 1, ...way });
        expect(final(result, 'x[2]')).toBeCloseTo((Math.exp(-0.5) + 2) * Math.exp(-0.5), 7);
        expect(final(result, 'x[1]')).toBeCloseTo(5 * Math.exp(-0.5), 7);
        expect(final(result, 'v')).toBeCloseTo(Math.exp(-0.5), 7);
      }
  });

  test('gets several ones: by samples, other branches, conditions inside', async () => {
    for (const way of ways) {
      const more = `
        when sample(0.1, 0.2) then reinit(x[1], x[1] + 1); end when;
        when time > 0.3 then reinit(x[2], 7);
        elsewhen time > 0.6 then reinit(x[2], 3); reinit(x[20], 4); end when;
        when time > 0.5 then if x[5] > 0.7 then reinit(x[3], 1); else reinit(x[4], 1); end if; end when;`;
      const result = await run(decay(20, more), { stopTime: 1, ...way });
      let first = 1;
      let before = 0;
      for (const t of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        first = first * Math.exp(before - t) + 1;
        before = t;
      }
      expect(final(result, 'x[1]')).toBeCloseTo(first * Math.exp(-0.1), 6);
      expect(final(result, 'x[2]')).toBeCloseTo(3 * Math.exp(-0.4), 7);
      expect(final(result, 'x[20]')).toBeCloseTo(4 * Math.exp(-0.4), 7);
      expect(final(result, 'x[3]')).toBeCloseTo(Math.exp(-1), 7);
      expect(final(result, 'x[4]')).toBeCloseTo(Math.exp(-0.5), 7);
    }
  });

  test('is remembered', async () => {
    for (const way of ways) {
      const more = `when time > 0.5 then z = pre(x[5]); k = pre(k) + (if x[6] < 0.7 then 1 else 0); end when;
        when {x[1] < 0.5, x[20] < 0.4} then hits = pre(hits) + 1; end when;
        b = x[7] < 0.6;
        when edge(b) then edges = pre(edges) + 1; end when;
        when change(b) then changes = pre(changes) + 1; end when;`;
      const declarations = `discrete Real z(start = 0, fixed = true); Boolean b;
        Integer k(start = 0, fixed = true), hits(start = 0, fixed = true), edges(start = 0, fixed = true), changes(start = 0, fixed = true);`;
      const result = await run(decay(20, more, declarations), { stopTime: 1, ...way });
      expect(final(result, 'z')).toBeCloseTo(Math.exp(-0.5), 7);
      expect(['k', 'hits', 'edges', 'changes'].map((name) => final(result, name))).toEqual([1, 2, 1, 1]);
    }
    const remembered = decay(20, 'when time > 0.5 then z = pre(x[5]); end when;', 'discrete Real z;');
    expect(loopsOf(remembered)).toEqual(['x']);
  });

  test('of two dimensions', async () => {
    const text = `model M
        Real x[4,5](each start = 1, each fixed = true);
      equation
        for i in 1:4, j in 1:5 loop der(x[i,j]) = -x[i,j]; end for;
        when time > 0.5 then reinit(x[2,3], 10*pre(x[4,5])); end when;
      end M;`;
    expect(loopsOf(text)).toEqual(['x']);
    for (const way of ways) {
      const result = await run(text, { stopTime: 1, ...way });
      expect(final(result, 'x[2,3]')).toBeCloseTo(10 * Math.exp(-1), 7);
      expect(final(result, 'x[3,2]')).toBeCloseTo(Math.exp(-1), 7);
    }
  });

  test('begins with its start value in every run, whatever ran before', async () => {
    const simulation = instantiate(decay(20, 'when time > 0.5 then reinit(x[5], 2); end when;'));
    for (let k = 0; k < 2; k++) {
      const early = await simulation.simulate({ stopTime: 0.4, tolerance: 1e-9 });
      expect(final(early, 'x[5]')).toBeCloseTo(Math.exp(-0.4), 7);
      const late = await simulation.simulate({ stopTime: 1, tolerance: 1e-9 });
      expect(final(late, 'x[5]')).toBeCloseTo(2 * Math.exp(-0.5), 7);
    }
  });

  test('is another one in the next run, in an array of another size, without translation', async () => {
    const simulation = instantiate(`model M
      parameter Integer k = 5;
      parameter Integer n = 20;
      Real x[n](each start = 1, each fixed = true);
    equation
      for i in 1:n loop der(x[i]) = (if i > k then x[i - k] else 0) - x[i]; end for;
      when time > 0.5 then reinit(x[k], 2); end when;
    end M;`);
    for (const [run, merge] of [{}, { k: 7 }, { k: 7, n: 40 }, { k: 3, n: 17 }, { k: 5, n: 20 }].entries()) {
      const result = await simulation.simulate({ stopTime: 1, tolerance: 1e-9, merge });
      expect(result.statistics.translations).toBe(run === 0 ? 1 : 0);
      expect(final(result, `x[${merge.k ?? 5}]`)).toBeCloseTo(2 * Math.exp(-0.5), 7);
      expect(final(result, 'x[1]')).toBeCloseTo(Math.exp(-1), 7);
    }
  });

  test('counts as the scalars do', async () => {
    const flat = loadModel(decay(20, 'when time > 0.5 then reinit(x[5], 2); end when;'));
    const [own, other] = await Promise.all(
      [{}, { scalars: true }].map((way) => simulate(flat, { stopTime: 1, ...way })),
    );
    expect(own!.statistics.unknowns).toBe(other!.statistics.unknowns);
    expect(own!.statistics.equations).toBe(other!.statistics.equations);
    expect(own!.statistics.events).toBe(other!.statistics.events);
    expect([...own!.table.names].sort()).toEqual([...other!.table.names].sort());
  });
});

test('an element that follows from a state sets it, in loops as in scalars', async () => {
  const more =
    'for i in 1:20 loop y[i] = i*x[i] + 1; end for; when time > 0.5 then reinit(y[5], 11); end when;';
  for (const way of ways) {
    const result = await run(decay(20, more, 'Real y[20];'), { stopTime: 1, ...way });
    expect(final(result, 'x[5]')).toBeCloseTo(2 * Math.exp(-0.5), 7);
    expect(final(result, 'y[5]')).toBeCloseTo(10 * Math.exp(-0.5) + 1, 7);
    expect(final(result, 'x[6]')).toBeCloseTo(Math.exp(-1), 7);
    expect(final(result, 'y[20]')).toBeCloseTo(20 * Math.exp(-1) + 1, 7);
  }
});

describe('what is wrong', () => {
  const cases: readonly [string, string, RegExp][] = [
    [
      'two values',
      'when time > 0.5 then reinit(x[5], 2); end when; when time > 0.25 + 0.25 then reinit(x[5], 3); end when;',
      /x\[5\] gets two values from reinit/,
    ],
    [
      'no number',
      'when time > 0.5 then reinit(x[5], 1/(x[6] - x[7])); end when;',
      /Division by zero|No finite value/,
    ],
    [
      'no state',
      'for i in 1:20 loop y[i] = i*time; end for; when time > 0.5 then reinit(y[5], 2); end when;',
      /reinit has no effect on y\[5\]/,
    ],
  ];
  test.each(cases)('%s', async (_, more, message) => {
    const flat = loadModel(decay(20, more, more.includes('y[') ? 'Real y[20];' : ''));
    for (const way of ways) {
      const { status, diagnostics } = await simulate(flat, { stopTime: 1, ...way });
      expect(status).toBe('failed');
      expect(diagnostics.at(-1)!.message).toMatch(message);
    }
  });
});

describe('elements that trigger their own new values', () => {
  const saw = (n: number): string => `model M
      parameter Integer n = ${n};
      Real x[n](start = {0.1*i for i in 1:n}, each fixed = true);
    equation
      for i in 1:n loop der(x[i]) = -1; end for;
      for i in 1:n loop when x[i] < 0 then reinit(x[i], 1); end when; end for;
    end M;`;

  test('each at its own instants', async () => {
    for (const n of [3, 16, 40])
      for (const way of ways) {
        const result = await run(saw(n), { stopTime: 1.95, ...way });
        for (let i = 1; i <= n; i++) {
          const rest = 0.1 * i - 1.95;
          expect(final(result, `x[${i}]`)).toBeCloseTo(rest > 0 ? rest : rest + Math.ceil(-rest), 6);
        }
      }
  });

  /** The height of a ball that is let fall and keeps 0.8 of its speed. */
  function height(start: number, time: number): number {
    let [t, v] = [Math.sqrt((2 * start) / 9.81), Math.sqrt(2 * start * 9.81)];
    if (time < t) return start - (9.81 * time * time) / 2;
    for (;;) {
      v *= 0.8;
      const next = t + (2 * v) / 9.81;
      if (time < next) return v * (time - t) - (9.81 * (time - t) ** 2) / 2;
      t = next;
    }
  }

  const balls = (inside: boolean): string => {
    const bounce = (v: string, h: string) => `when ${h} < 0 then reinit(${v}, -0.8*pre(${v})); end when;`;
    return `model M
      model Ball
        Real h(start = 1, fixed = true), v(start = 0, fixed = true);
      equation
        der(h) = v; der(v) = -9.81;
        ${inside ? bounce('v', 'h') : ''}
      end Ball;
      Ball ball[20](h(start = {0.1*i for i in 1:20}));
    equation
      ${inside ? '' : `for i in 1:20 loop ${bounce('ball[i].v', 'ball[i].h')} end for;`}
    end M;`;
  };

  test.each([true, false])('balls, bouncing by themselves: %s', async (inside) => {
    for (const way of ways) {
      const result = await run(balls(inside), { stopTime: 1, ...way });
      for (let i = 1; i <= 20; i++) expect(final(result, `ball[${i}].h`)).toBeCloseTo(height(0.1 * i, 1), 6);
    }
  });

  test('balls do not fall through the floor', async () => {
    for (const way of ways) {
      const { status, diagnostics } = await simulate(loadModel(balls(false)), { stopTime: 3, ...way });
      expect(status).toBe('failed');
      expect(diagnostics[0]).toMatchObject({ code: 'zeno' });
      expect(diagnostics[0]!.message).toMatch(/ball\[1\]\.h < 0 accumulate/);
    }
  });

  test('what has nothing to do with them stays an array', () => {
    const survey = surveyArrays(
      loadModel(`model M
        Real x[20](each start = 1, each fixed = true), y[20](each start = 1, each fixed = true), d, v(start = 0, fixed = true);
      equation
        for i in 1:20 loop der(x[i]) = v; der(y[i]) = -y[i]; end for;
        d = x[3] - 0.5;
        der(v) = -1;
        when d < 0 then reinit(v, 1); end when;
      end M;`),
    );
    expect(survey).toEqual({
      loops: ['y'],
      scalars: [{ name: 'x', reason: 'new values of states depend on its elements' }],
    });
  });
});

describe('elements that trigger new values of others', () => {
  test('stay in loops where that does not change how they go on', async () => {
    const text = decay(
      20,
      `der(c) = 1;
      when x[5] < 0.5 then reinit(c, 0); end when;
      when c > 0.1 then reinit(x[7], 3); hits = pre(hits) + 1; end when;`,
      'Real c(start = 0, fixed = true); Integer hits(start = 0, fixed = true);',
    );
    expect(loopsOf(text)).toEqual(['x']);
    for (const way of ways) {
      const result = await run(text, { stopTime: 1, ...way });
      expect(final(result, 'hits')).toBe(2);
      expect(final(result, 'c')).toBeCloseTo(1 - Math.LN2, 7);
      expect(final(result, 'x[7]')).toBeCloseTo(3 * Math.exp(-(1 - Math.LN2 - 0.1)), 7);
    }
  });
});

describe('elements elsewhere', () => {
  test('whole arrays and slices, and what happens at the start', async () => {
    for (const way of ways) {
      const more = `when time > 0.5 then reinit(x, fill(2, 20)); end when;
        when time > 0.75 then reinit(x[1:3], {5, 6, 7}); end when;
        when {initial(), time > 0.9} then reinit(x[20], 50); end when;`;
      const result = await run(decay(20, more), { stopTime: 1, ...way });
      expect(final(result, 'x[2]')).toBeCloseTo(6 * Math.exp(-0.25), 6);
      expect(final(result, 'x[4]')).toBeCloseTo(2 * Math.exp(-0.5), 6);
      expect(final(result, 'x[20]')).toBeCloseTo(50 * Math.exp(-0.1), 6);
    }
  });

  test('actions of transitions', async () => {
    const text = decay(
      20,
      `initialState(a);
      transition(a, b, x[3] < 0.5, actions = {reinit(x[5], 3*x[5]), reinit(x[6], 1)});`,
      'model S end S; S a; S b;',
    );
    for (const way of ways) {
      const result = await run(text, { stopTime: 1, ...way });
      expect(final(result, 'x[5]')).toBeCloseTo(3 * Math.exp(-1), 6);
      expect(final(result, 'x[6]')).toBeCloseTo(2 * Math.exp(-1), 6);
    }
  });

  test('initial equations and algorithms', async () => {
    const text = `model M
        Real x[20], y[20];
        discrete Real z[20](each start = 0, each fixed = true);
      initial equation
        for i in 1:20 loop x[i] = if i > 1 then x[i - 1] + 1 else 3; end for;
      equation
        for i in 1:20 loop der(x[i]) = -x[i]; end for;
      algorithm
        for i in 1:20 loop y[i] := if i > 1 then x[i - 1] else 0; end for;
        y[3] := 7;
      algorithm
        when time > 0.5 then
          for i in 1:20 loop if i > 1 then z[i] := pre(x[i - 1]); end if; end for;
        end when;
      end M;`;
    for (const way of ways) {
      const result = await run(text, { stopTime: 1, ...way });
      expect(final(result, 'x[20]')).toBeCloseTo(22 * Math.exp(-1), 6);
      expect(['y[1]', 'y[3]', 'z[1]'].map((name) => final(result, name))).toEqual([0, 7, 0]);
      expect(final(result, 'y[20]')).toBeCloseTo(21 * Math.exp(-1), 6);
      expect(final(result, 'z[20]')).toBeCloseTo(21 * Math.exp(-0.5), 6);
    }
  });
});

describe('random new values', () => {
  const action = (n: number) =>
    fc.record({
      time: fc.integer({ min: 1, max: 9 }),
      target: fc.integer({ min: 1, max: n }),
      source: fc.integer({ min: 1, max: n }),
      factor: fc.integer({ min: -2, max: 3 }),
    });
  const cases = fc
    .constantFrom(3, 16, 20)
    .chain((n) => fc.tuple(fc.constant(n), fc.array(action(n), { minLength: 1, maxLength: 6 })));

  test('are those of a list of numbers', async () => {
    await fc.assert(
      fc.asyncProperty(cases, fc.constantFrom(...ways), async ([n, actions], way) => {
        // One new value for an element at an instant.
        const unique = [...new Map(actions.map((a) => [`${a.time} ${a.target}`, a])).values()];
        const whens = unique.map(
          ({ time, target, source, factor }) =>
            `when time > ${time}/10 then reinit(x[${target}], ${factor}*pre(x[${source}]) + ${target}); end when;`,
        );
        const result = await run(decay(n, whens.join('\n')), { stopTime: 1, ...way });
        let values = Array.from({ length: n }, () => 1);
        for (let t = 1; t <= 10; t++) {
          values = values.map((v) => v * Math.exp(-0.1));
          const before = [...values];
          for (const { time, target, source, factor } of unique)
            if (time === t) values[target - 1] = factor * before[source - 1]! + target;
        }
        for (const [k, v] of values.entries()) expect(final(result, `x[${k + 1}]`)).toBeCloseTo(v, 6);
      }),
      { numRuns: 30 },
    );
  });
});
