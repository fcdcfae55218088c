/** Relations, integer functions, samples and left limits made explicit (specification 8.5). */
import { describe, expect, test } from 'vitest';
import { actions, equations, lowered, relations, scalars } from './notation.ts';

const x = 'Real x; equation der(x) = 1;';

describe('relations that cause events', () => {
  test.each([
    ['of a continuous variable', 'Real x; Real y = if x > 1 then 2 else x; equation der(x) = y;', ['x > 1']],
    [
      'written twice are one',
      'Real x; Real y[2] = {if x > 1 then k else 0 for k in 1:2}; equation der(x) = 1;',
      ['x > 1'],
    ],
    [
      'of each element',
      'Real x[2]; equation for i in 1:2 loop der(x[i]) = if x[i] > i then 1 else 0; end for;',
      ['x[1] > 1', 'x[2] > 2'],
    ],
    ['of time: the instant is known', 'parameter Real a = 2; Boolean b = time > a;', ['time > a at a']],
    [
      'of a linear function of time',
      'parameter Real a = 2; Boolean b = 3*time + 1 >= a;',
      ['3*time + 1 >= a at (a - 1)/3'],
    ],
    [
      'of another function of time: the instant is looked for',
      'Boolean b = sin(time) > 0;',
      ['sin(time) > 0'],
    ],
    ['of an input', 'input Real u; Boolean b = u > 1;', ['u > 1']],
    [
      'inside of functions with a bend',
      'Real x; Real y = abs(x), z = max(x, 1); equation der(x) = 1;',
      ['x >= 0', 'x >= 1'],
    ],
    [
      'of smooth(0, …), whose derivative jumps',
      'Real x; equation der(x) = smooth(0, if x < 2 then 1 else x);',
      ['x < 2'],
    ],
  ])('%s', (_, text, expected) => expect(relations(text)).toEqual(expected));

  test.each([
    ['parameters', 'parameter Real a = 2; Real y = if a > 1 then 1 else 2;'],
    [
      'discrete values',
      'discrete Real d; Boolean b = d > 1; equation when sample(0, 1) then d = time; end when;',
    ],
    ['noEvent', 'Real x; equation der(x) = noEvent(if x > 1 then 2 else x);'],
    ['smooth(1, …)', 'Real x; equation der(x) = smooth(1, if x < 2 then 1 else x);'],
    [
      'integers and Booleans',
      'Integer n; Boolean b = n > 1 and n <> 3; equation when sample(0, 1) then n = pre(n) + 1; end when;',
    ],
  ])('none of %s', (_, text) => expect(relations(text)).toEqual([]));
});

describe('functions with whole values', () => {
  test.each([
    ['floor(x)', '$floor1', 'floor(x)', ['x < $floor1', 'x >= $floor1 + 1']],
    ['ceil(x)', '-$floor1', 'floor(-x)', ['-x < $floor1', '-x >= $floor1 + 1']],
    ['mod(x, 3)', 'x - 3*$floor1', 'floor(x/3)', ['x/3 < $floor1', 'x/3 >= $floor1 + 1']],
  ])('%s is %s', (call, value, floor, watched) => {
    const text = `Real y = ${call}; ${x}`;
    expect(equations(text)).toEqual([`$floor1 := ${floor}`, `y = ${value}`, 'der(x) = 1']);
    expect(relations(text)).toEqual(watched);
  });

  test('those of parameters stay', () => {
    expect(equations('parameter Real a = 2.5; Real y = floor(a);')).toEqual(['y = floor(a)']);
  });
});

describe('flags and left limits', () => {
  const fires = '$when1 and not pre($when1) and not $initial';

  test.each([
    ['x > 1', '[x > 1]', []],
    ['sample(0.1, 0.5)', '$sample1', ['$sample1']],
    ['terminal()', '$terminal', []],
  ])('when %s', (condition, value, added) => {
    const text = `Integer n; ${x} when ${condition} then n = pre(n) + 1; end when;`;
    expect(equations(text)).toEqual([
      'der(x) = 1',
      `$when1 := ${value}`,
      `n := if ${fires} then pre(n) + 1 else pre(n)`,
    ]);
    expect(scalars(text, 'flag')).toEqual(['$initial', '$terminal', ...added]);
  });

  test('when initial() is no edge', () => {
    expect(equations('Integer n; equation when initial() then n = 1; end when;')).toEqual([
      'n := if $initial then 1 else pre(n)',
    ]);
  });

  test('edge and change are their definitions', () => {
    const of = (call: string) => equations(`Boolean b = time > 1; Boolean c = ${call};`).at(-1);
    expect(of('edge(b)')).toBe('c := b and not pre(b)');
    expect(of('change(b)')).toBe('c := b <> pre(b)');
  });

  test('each sample has its start and its interval', () => {
    const { samples, pool } = lowered(
      'Integer n; equation when {sample(0.1, 0.5), sample(2, 3), sample(0.1, 0.5)} then n = pre(n) + 1; end when;',
    );
    expect(samples.map(({ start, interval }) => [start, interval])).toEqual([
      [pool.const(0.1), pool.const(0.5)],
      [pool.const(2), pool.const(3)],
    ]);
  });

  test('what happens besides equations', () => {
    const text = `Real v; ${x} der(v) = -1; when x < 0 then reinit(v, -pre(v)); end when;
      assert(x > -1, "low"); assert(x < 9, "high", AssertionLevel.warning); when x < -3 then terminate("far"); end when;`;
    expect(actions(text)).toEqual([
      `when ${fires} reinit v to -pre(v)`,
      'error unless [x > -1]',
      'warning unless [x < 9]',
      `when ${fires.replaceAll('1', '2')} terminate`,
    ]);
  });
});
