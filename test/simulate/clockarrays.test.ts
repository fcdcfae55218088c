/** Arrays of clocks (Modelica 3.6, chapter 16): every element is a clock of its own. The last tick before a time t of a clock with interval h is floor(t/h)*h. */
import { describe, expect, test } from 'vitest';
import type { Failure } from '../../src/diagnostic/failure.ts';
import { done, run } from './notation.ts';

const refused = (text: string): Promise<string> =>
  run(text).then(
    () => 'accepted',
    ({ diagnostics }: Failure) => `${diagnostics[0]!.code}: ${diagnostics[0]!.message}`,
  );

describe('arrays of clocks', () => {
  test('are given element by element, and chosen by constants and parameters', async () => {
    const { table } = await done(
      `model M
        parameter Integer n = 2;
        Clock c[2] = {Clock(k, 10) for k in {1, 3}};
        Clock d[2];
        Clock e[2, 2];
        Real a = sample(time, c[1]);
        Real b = sample(time, d[n]);
        Real p = sample(time, e[1, 2]);
        Real q = sample(time, e[2, 1]);
      equation
        d = subSample(c, 2);
        for i in 1:2, j in 1:2 loop
          e[i, j] = Clock(i, 7*j);
        end for;
      end M;`,
      { stopTime: 1.05 },
    );
    // Intervals 0.1, 2*0.3, 1/14 and 2/7.
    expect(table.value('a', 1.05)).toBe(1);
    expect(table.value('b', 1.05)).toBe(0.6);
    expect(table.value('p', 1.05)).toBe(1);
    expect(table.value('q', 1.05)).toBeCloseTo(6 / 7, 15);
  });

  const library = `
    connector Input = input Clock;
    connector Output = output Clock;
    block Source
      parameter Integer n = 1;
      Output y = Clock(n, 10);
    end Source;
    block Watch
      Input u;
      Real v;
    equation
      when u then
        v = sample(time);
      end when;
    end Watch;
    block Watches
      parameter Integer n = 2;
      Input u[n];
      Watch w[n];
    equation
      connect(u, w.u);
    end Watches;`;

  test.each([
    [
      'element by element',
      'Source a(n = 3), b(n = 4);',
      'connect(a.y, r.u[1]); connect(b.y, r.u[2]);',
      2,
      [0.9, 0.8],
    ],
    ['as a whole', 'Source s[3](n = {3, 4, 7});', 'connect(s.y, r.u);', 3, [0.9, 0.8, 0.7]],
    ['as a slice', 'Source s[3](n = {3, 4, 7});', 'connect(s[{1, 3}].y, r.u);', 2, [0.9, 0.7]],
    [
      'in a loop',
      'Source s[3](n = {3, 4, 7});',
      'for i in 1:3 loop connect(s[i].y, r.u[4 - i]); end for;',
      3,
      [0.7, 0.8, 0.9],
    ],
  ] as const)('are connected %s', async (_, sources, connects, n, expected) => {
    const text = `package P ${library} model M ${sources} Watches r(n = ${n}); equation ${connects} end M; end P;`;
    const { table } = await done(text, { stopTime: 1, model: 'P.M' });
    expect(expected.map((__, k) => table.value(`r.w[${k + 1}].v`, 1))).toEqual(expected);
  });

  test('a clock may tick because of itself, one evaluation later', async () => {
    // b rises with time >= k; the clock of b counts, and the count lets b fall.
    const { table } = await done(
      `model M
        Integer n(start = 0), held = hold(n);
        Boolean b = time >= held + 1;
      equation
        when Clock(b) then
          n = previous(n) + 1;
        end when;
      end M;`,
      { stopTime: 3.5 },
    );
    expect([0.5, 1.5, 2.5, 3.5].map((t) => table.value('held', t))).toEqual([0, 1, 2, 3]);
  });

  test.each([
    ['Clock c[2] = {Clock(1), Clock(2)}; Real x = sample(time, c);', /dimension-mismatch.*array of clocks/],
    [
      'Clock c[2] = {Clock(1), Clock(2)}; Integer k(start = 1, fixed = true); Real x = sample(time, c[k]); equation when time > 1 then k = 2; end when;',
      /variability.*known before the run/,
    ],
    ['Clock c[2] = {Clock(1), Clock(2), Clock(3)};', /dimension-mismatch/],
    [
      'Clock c[2] = {Clock(1, 2), Clock(1, 3)}; Real x = sample(time, c[1]) + sample(time, c[2]);',
      /clock-conflict/,
    ],
    ['Clock c[2] = {Clock(1, 2), Clock(1, 3)}; Real x = sample(time, c[3]);', /bad-subscript/],
  ])('%s is refused', async (body, message) => {
    expect(await refused(`model M ${body} end M;`)).toMatch(message);
  });
});
