/** Statements and equations that stand for themselves, what when-clauses may assign, and what constants may depend on. */
import { describe, expect, test } from 'vitest';
import { inModel, problems } from '../flat/notation.ts';
import { done, run } from './notation.ts';

const checking =
  'function f input Real u; output Real y; algorithm assert(u < 0.5, "too large"); y := 2*u; end f; function g input Real u; algorithm end g;';

/** When the first assertion fails, with its message. */
async function violated(text: string): Promise<string> {
  const { status, diagnostics, table } = await run(text, { stopTime: 1, audit: false });
  if (status !== 'failed') return status;
  const { code, message } = diagnostics.find(({ severity }) => severity === 'error')!;
  return `${code} ${message.replace(/^At time \S* /, '')} ${(table.time.at(-1) ?? 0).toFixed(3)}`;
}

describe('what assigns nothing is there for its assertions', () => {
  test.each([
    ['an algorithm', 'algorithm assert(false, "never");', 'assertion never 0.000'],
    ['an algorithm with a limit', 'algorithm assert(x < 0.5, "too large");', 'assertion too large 0.500'],
    [
      'a loop',
      'algorithm for i in 1:3 loop assert(x < 1.5/i, "too large"); end for;',
      'assertion too large 0.500',
    ],
    [
      'a branch',
      'algorithm if x > 0.25 then assert(x < 0.25, "too large"); end if;',
      'assertion too large 0.250',
    ],
    [
      'an initial algorithm',
      'initial algorithm assert(x > 0, "not positive");',
      'assertion not positive 0.000',
    ],
    ['one that is fulfilled', 'algorithm assert(x < 2, "too large"); g(x);', 'done'],
    ['a call', 'equation g(x);', 'done'],
  ])('%s', async (_, section, expected) => {
    expect(await violated(`model M ${checking} Real x = time; ${section} end M;`)).toBe(expected);
  });
});

test.each(['equation', 'algorithm'])(
  'a call of a function that asserts, in an %s, without an event',
  async (section) => {
    expect(await violated(`model M ${checking} Real x = time; ${section} f(x); end M;`)).toMatch(
      /^assertion too large/,
    );
  },
);

test('a condition is asked for only where those before it are false', async () => {
  const text = `model M ${checking} parameter Integer i = 4; Real x;
  equation if i == 4 then x = 3; elseif f(i) > 1 then x = 4; else x = 5; end if; end M;`;
  const { table } = await done(text, { stopTime: 1 });
  expect(table.value('x', 1)).toBe(3);
  expect(await violated(text.replace('i = 4', 'i = 5'))).toBe('assertion too large 0.000');
});

test('sizes of what `fill` repeats follow from declarations', async () => {
  const { table } = await done('model M Real a[2] = {time, 2*time}; Real x[:, :] = fill(a, 3); end M;', {
    stopTime: 1,
  });
  expect([1, 2, 3].flatMap((i) => [1, 2].map((j) => table.value(`x[${i},${j}]`, 1)))).toEqual([
    1, 2, 1, 2, 1, 2,
  ]);
});

test('a variable that is a flow, but in no connector, is no sum of flows', async () => {
  const { table } = await done('model M flow Real x = 3*time; end M;', { stopTime: 1 });
  expect(table.value('x', 1)).toBe(3);
});

describe('wrong', () => {
  const sub = 'model S discrete Real x; end S; S s;';
  test.each([
    [
      `${sub} equation when sample(0, 1) then\ns.x = 1; end when;`,
      '2:1 not-allowed `s.x` is a variable of the component `s`, which a when-clause outside of it cannot assign.',
    ],
    [
      `${sub} algorithm when sample(0, 1) then\ns.x := 1; end when;`,
      '2:1 not-allowed `s.x` is a variable of the component `s`, which a when-clause outside of it cannot assign.',
    ],
    [
      'discrete Real x =\n1;',
      '2:1 variability `x` is declared `discrete`: a declaration cannot give it a value.',
    ],
    [
      'parameter Real p = 2; constant Real c =\np + 1;',
      '2:1 variability `c` is a constant, but its value depends on parameters.',
    ],
    [
      'constant Integer n = 1; Real x =\nder(n);',
      '2:5 type-mismatch `der` needs a continuous Real variable, not an Integer.',
    ],
  ])('%s', (body = '', expected = '') => {
    const [first] = problems(inModel(body).replace('\n', ' '));
    const [, code, place, rest] = first!.match(/^(\S+) (\S+) ([^|]*?)(?: \|.*)?$/)!;
    expect(`${place} ${code} ${rest}`).toBe(expected);
  });

  test.each([
    ['else x = 1;', 'x < 1'],
    ['elseif x >= 1 then x = 1;', 'x < 1'],
  ])('a variable that cancels out of its only equation: … %s', async (rest) => {
    const text = `model M Real x(start = 0), y(start = 2); equation if x < 1 then x = time; y = y + x; ${rest} end if; end M;`;
    const { status, diagnostics } = await run(text, { stopTime: 2, audit: false });
    expect(status).toBe('failed');
    expect(diagnostics[0]!.message).toMatch(
      /^The equations cannot determine the variables: nothing determines y/,
    );
  });
});

describe('when in a branch of an if-equation whose condition changes', () => {
  const branches = (...[inside, outside]: [string, string]): string =>
    `model M discrete Real y(start = 5, fixed = true); Integer n(start = 0, fixed = true); Real w = 2*y; equation
      if time > 0.2 and time < 0.4 or time > 0.6 then ${inside} else ${outside} end if; end M;`;
  const rise = (from: number): string => `when time > ${from} then y = time; n = pre(n) + 1; end when;`;
  const keep = 'y = pre(y); n = pre(n);';

  test.each([
    // Where it becomes true, with the branch active.
    [branches(rise(0.3), keep), 0.3, 1],
    [branches(rise(0.7), keep), 0.7, 1],
    // Where the branch becomes active, and it has become true meanwhile; once.
    [branches(rise(0.1), keep), 0.2, 1],
    [branches(rise(0.5), keep), 0.6, 1],
    // In both branches: at 0.3 inside; outside at 0.4, where it has become true meanwhile.
    [branches(rise(0.3), rise(0.35)), 0.4, 2],
  ])('%s', async (text, y, n) => {
    const { table } = await done(text, { stopTime: 1 });
    expect(table.value('y', 1)).toBeCloseTo(y, 9);
    expect(table.value('w', 1)).toBeCloseTo(2 * y, 9);
    expect(table.value('n', 1)).toBe(n);
  });

  test('what it changes is to keep its value elsewhere', async () => {
    const { diagnostics } = await run(branches(rise(0.3), ''), { stopTime: 1, audit: false });
    expect(diagnostics[0]).toMatchObject({
      code: 'unbalanced',
      hint: 'A `when` in a branch that is not active here changes y. Write `else y = pre(y);`, so that it keeps its value there, or the condition of the `if` into that of the `when`.',
    });
  });
});
