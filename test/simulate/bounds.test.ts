/** Declared bounds of values: warnings for variables, errors for parameters. */
import { describe, expect, test } from 'vitest';
import { instantiate } from '../../src/instantiate.ts';
import { done, run } from './notation.ts';

const told = ({ diagnostics }: Awaited<ReturnType<typeof run>>): string[] =>
  diagnostics
    .filter(({ code }) => code === 'out-of-bounds')
    .map(
      ({ severity, message, span }) =>
        `${severity} ${span?.source.text.slice(span.start, span.end)}: ${message}`,
    );

/** The line that the first message points to. */
const lineOf = ({ diagnostics }: Awaited<ReturnType<typeof run>>) => {
  const { source, start } = diagnostics[0]!.span!;
  return { line: source.text.split('\n')[source.text.slice(0, start).split('\n').length - 1] };
};

describe('variables', () => {
  test('leave their bounds with one warning, at the first row outside', async () => {
    const result = await done(
      `model M
         Real x(start = 0, fixed = true, max = 0.5);
         Real y(min = -0.25) = -x;
       equation
         der(x) = 1;
       end M;`,
      { stopTime: 1, intervals: 10 },
    );
    const [first, second, ...more] = told(result);
    expect(first).toMatch(/^warning y: At time 0\.3: y is -0\.(3|29999)\d*, below its min = -0\.25\.$/);
    expect(second).toMatch(/^warning x: At time 0\.6: x is 0\.(6|59999)\d*, above its max = 0\.5\.$/);
    expect(more).toEqual([]);
  });

  test('rest on their bounds without one, and without bounds there is none', async () => {
    const result = await done(
      `model M
         Real x(start = 1, fixed = true, min = 0);
         Integer n(start = 0, fixed = true, min = 0, max = 2);
         Real free(start = 0, fixed = true);
       equation
         der(x) = -x; der(free) = -1e6;
         when sample(1, 1) then n = pre(n) + 1; end when;
       end M;`,
      { stopTime: 2.5 },
    );
    expect(told(result)).toEqual([]);
  });

  test('at events, and once for an array; bounds from parameters', async () => {
    const result = await done(
      `model M
         parameter Integer most = 1;
         discrete Integer n[2](each start = 0, each fixed = true, each max = 2*most);
       equation
         when sample(1, 1) then n = {pre(n[1]) + 1, pre(n[2]) + 2}; end when;
       end M;`,
      { stopTime: 4.5, intervals: 1 },
    );
    expect(told(result).map((text) => text.replace(/^.*: At/, 'At'))).toEqual([
      'At time 2: n[2] is 4, above its max = 2.',
    ]);
  });

  test('only while they exist', async () => {
    const text = (value: number) => `model M
         block A end A;
         block B Real p(min = 1) = ${value}*time; end B;
         A a; B b;
       equation
         initialState(a);
         transition(a, b, time >= 1, immediate = true);
       end M;`;
    expect(told(await done(text(2), { stopTime: 2, model: 'M' }))).toEqual([]);
    expect(told(await done(text(0.5), { stopTime: 2, model: 'M' }))).toHaveLength(1);
  });

  test('of connected components, under their own names', async () => {
    const result = await done(
      `package P
         connector In = input Real; connector Out = output Real;
         block A Out y = time; end A;
         block B input Real u(max = 0.5); Real z = 2*u; end B;
         model M A a; B b; equation b.u = a.y; end M;
       end P;`,
      { stopTime: 1, intervals: 10 },
    );
    expect(told(result).map((text) => text.replace(/^.*: At/, 'At'))).toEqual([
      'At time 0.6: b.u is 0.6, above its max = 0.5.',
    ]);
  });
});

describe('parameters', () => {
  const text = 'model M\n  parameter Real k(min = 0, max = 10) = 2;\n  Real x = k*time;\nend M;';

  test('outside their bounds are errors at their declarations', async () => {
    const { status, diagnostics } = await run(text, { set: { k: -1 } });
    expect(status).toBe('failed');
    expect(diagnostics[0]).toMatchObject({
      code: 'out-of-bounds',
      severity: 'error',
      message: 'The parameter k is -1, below its min = 0.',
    });
    expect(text.slice(diagnostics[0]!.span!.start).startsWith('k(min')).toBe(true);
  });

  test('of components are told where the value is given', async () => {
    const library = 'model C\n  parameter Real k(min = 0) = 2;\n  Real x = k*time;\nend C;\n';
    const given = await run(`${library}model M\n  parameter Real p = -1;\n  C c(k = p);\nend M;`);
    expect(told(given)).toEqual(['error p: The parameter c.k is -1, below its min = 0.']);
    const { line } = lineOf(given);
    expect(line).toBe('  C c(k = p);');
    const set = await run(`${library}model M\n  C c;\nend M;`, { set: { 'c.k': -1 } });
    expect(lineOf(set).line).toBe('  C c;');
  });

  test('on their bounds are not', async () => {
    for (const k of [0, 10]) expect(told(await done(text, { set: { k } }))).toEqual([]);
  });

  test('that initial equations determine are judged with what they get', async () => {
    const free = (max: number) => `model M
        parameter Real p(fixed = false, max = ${max});
        Real x(start = 1, fixed = true);
      initial equation
        der(x) = 3;
      equation
        der(x) = p*x;
      end M;`;
    expect(told(await done(free(4)))).toEqual([]);
    const { status, diagnostics } = await run(free(2));
    expect(status).toBe('failed');
    expect(diagnostics.at(-1)!.message).toBe('The parameter p is 3, above its max = 2.');
  });
});

describe('parameters that are infinite', () => {
  const infinite = async (text: string, merge = {}) =>
    (await instantiate(text).simulate({ merge })).diagnostics
      .filter(({ code }) => code === 'bad-evaluation')
      .map(({ severity, message }) => `${severity}: ${message}`);

  test('are told where they come to be so, once for an array, and not where that is used', async () => {
    const text = `model M
      parameter Real T = 0;
      parameter Real f = 1/T, g = 2*f;
      parameter Real h[3] = {1, exp(1000), exp(1000)};
      Real x = if time < f and time < g then h[1] else 2;
    end M;`;
    expect(await infinite(text)).toEqual([
      'warning: The parameter f is infinite: division by zero in 1/T.',
      'warning: The parameter h[2] is infinite: result too large in exp(1000).',
    ]);
    expect(await infinite(text, { T: 1, h: [1, 2, 3] })).toEqual([]);
  });

  test('are told with the values that they are computed from', async () => {
    const text = 'model M parameter Real k = 0, N = 0.9; parameter Real g = 1/(k*N); Real x = g*time; end M;';
    const { diagnostics } = await instantiate(text).simulate();
    expect(diagnostics[0]).toMatchObject({
      message: 'The parameter g is infinite: division by zero in 1/(k*N).',
      notes: [{ message: 'values: k = 0, N = 0.9' }],
    });
  });

  test('are silent where somebody says so', async () => {
    const text =
      'model M parameter Real f = 1; parameter Real g = 2*f; Real x = if time < g then 1 else 2; end M;';
    expect(await infinite(text, { f: Number.POSITIVE_INFINITY })).toEqual([]);
  });
});

describe('a field that a function leaves without a value', () => {
  const model = (use: string): string => `model M
    record R Real a; Real b; end R;
    function f input Real x; output R r; algorithm r.a := 2*x; if x > 5 then r.b := x; end if; end f;
    parameter Real p = 1;
    parameter R r = f(p);
    Real y = ${use};
  end M;`;

  test('is worth a warning while nothing is computed with it', async () => {
    const { status, diagnostics, table } = await instantiate(model('time*r.a')).simulate({});
    expect(status).toBe('done');
    expect(table.value('y', 1)).toBe(2);
    expect(diagnostics.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      'warning: The parameter r.b has no value: the function M.f ends without a value for r.b.',
    ]);
  });

  test('ends the run where something is', async () => {
    for (const use of ['time*r.b', 'if r.b > 3 then 1 else 2']) {
      const { status, diagnostics } = await instantiate(model(use)).simulate({});
      expect(status).toBe('failed');
      expect(diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code)).toEqual([
        'bad-evaluation',
      ]);
    }
  });

  test('has one on the other way', async () => {
    const { status, diagnostics, table } = await instantiate(model('r.b')).simulate({ merge: { p: 6 } });
    expect(status).toBe('done');
    expect(diagnostics).toEqual([]);
    expect(table.value('y', 1)).toBe(6);
  });
});
