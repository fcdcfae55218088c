/** Sizes left open, `Real y[:] = …` (specification 3.6, section 10.1), that follow from the sizes of parts whose values are not known before the run. */
import { describe, expect, it } from 'vitest';
import { problems } from '../flat/notation.ts';
import { done } from './notation.ts';

const functions = `
  function more input Real x[:]; input Integer n = 2; output Real y[size(x, 1) + n]; algorithm y := cat(1, x, {i for i in 1:n}); end more;
  function pair input Real x; output Real y[2]; algorithm y := {x, 2*x}; end pair;
  function turned input Real x[3]; output Real R[3, size(x, 1)]; algorithm R := skew(x); end turned;
  function total input Real x[:]; output Real y; algorithm y := sum(x); end total;
  function tail input Real x[:]; output Real y[:]; algorithm y := x[2:end]; end tail;`;

/** A value of `y`, and its elements row by row at time 1, where `x` is {1, 2, 3} and `b` [1, 2; 3, 4]. */
const cases: readonly [string, string, readonly number[]][] = [
  ['[:]', '{0, 1, 2} + 0.5*time*ones(3)', [0.5, 1.5, 2.5]],
  ['[:]', 'x*2 + ones(size(x, 1))*time', [3, 5, 7]],
  ['[:]', 'x .* linspace(0, 1, n + 1)', [0, 1, 3]],
  ['[:]', 'zeros(n) + {time, 2}', [1, 2]],
  ['[:]', 'x/2 + fill(time, 3)', [1.5, 2, 2.5]],
  ['[:]', '{time, size(x, 1)}', [1, 3]],
  ['[:]', 'size(b)*time', [2, 2]],
  ['[:]', 'cat(1, x, {time}, {5, 6})', [1, 2, 3, 1, 5, 6]],
  ['[:]', '{i*time for i in 1:n}', [1, 2]],
  ['[:]', '{x[i]*time for i in {3, 1}}', [3, 1]],
  ['[:]', 'if time > 0.5 then x else -x', [1, 2, 3]],
  ['[:]', 'b*{1, time}', [3, 7]],
  ['[:, :]', 'time*identity(n) + b', [2, 2, 3, 5]],
  ['[:, :]', 'diagonal(x[1:2])', [1, 0, 0, 2]],
  ['[:, :]', 'cat(2, b, {{time}, {9}})', [1, 2, 1, 3, 4, 9]],
  ['[:, :]', 'transpose(b)*time', [1, 3, 2, 4]],
  ['[:]', 'more(x)', [1, 2, 3, 1, 2]],
  ['[:]', 'more(x, n = 1)', [1, 2, 3, 1]],
  ['[:]', 'more(n = n - 2, x = {time})', [1]],
  ['[:, :]', 'pair(x)', [1, 2, 2, 4, 3, 6]],
  ['[:, :]', 'turned(x)', [0, -3, 2, 3, 0, -1, -2, 1, 0]],
  ['[:]', '{total(x), time}', [6, 1]],
];

const model = (size: string, value: string): string =>
  `package P ${functions}\nmodel M parameter Integer n = 2; Real x[3] = time*{1, 2, 3}; Real b[2, 2] = time*[1, 2; 3, 4]; Real y${size} = ${value}; \nend M;\nend P;`;

describe('sizes that follow', () => {
  it.each(cases)('y%s = %s', async (size, value, elements) => {
    const { table } = await done(model(size, value), { stopTime: 1 });
    const names = [...table.names].filter((name) => name.startsWith('y['));
    expect(names.map((name) => table.value(name, 1))).toEqual(elements);
  });

  it('or not', () => {
    const refused = (size: string, value: string): string => problems(model(size, value), 'P.M').join();
    expect(refused('[:]', 'tail(x)')).toMatch(/variability.*`x` is not a parameter/);
    expect(refused('[:]', 'fill(time, integer(time))')).toMatch(/variability.*time/);
    expect(refused('[:]', 'more({1}, integer(time))')).toMatch(/variability.*time/);
  });
});
