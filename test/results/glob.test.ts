import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches, splitNames } from '../../src/results/table/glob.ts';
import { almostLinear, orderOf } from '../growth.ts';

/** The definition, directly: exponential, and therefore only for short texts. */
function oracle(glob: string, name: string): boolean {
  if (glob === '') return name === '';
  if (glob[0] === '*') return oracle(glob.slice(1), name) || (name !== '' && oracle(glob, name.slice(1)));
  return name !== '' && (glob[0] === '?' || glob[0] === name[0]) && oracle(glob.slice(1), name.slice(1));
}

describe('globs', () => {
  it.each([
    ['x', 'x', true],
    ['x', 'xy', false],
    ['body.*', 'body.frame_a.r_0[1]', true],
    ['body.*', 'bodyX.w', false],
    ['*.w', 'a.b.w', true],
    ['der(*)', 'der(x)', true],
    ['x[?]', 'x[1]', true],
    ['x[?]', 'x[10]', false],
    ['x[1-9]', 'x[3]', false],
    ['a*a', 'a', false],
    ['*', '', true],
    ['', '', true],
    ['.+', 'ab', false],
    ['*', '$hold4', false],
    ['?hold4', '$hold4', false],
    ['$*', '$hold4', true],
    ['*$', 'a$', true],
  ])('%s on %s is %s', (glob, name, expected) => {
    expect(globMatches(glob, name)).toBe(expected);
  });

  it('agree with the definition', () => {
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    fc.assert(
      fc.property(glob, name, (g, n) => globMatches(g, n) === oracle(g, n)),
      { numRuns: 2000 },
    );
  });

  it('take no longer on patterns made to be slow', () => {
    // Pattern and name are both four times as long: sixteen times the work, where trying all ways would take forever.
    const slow = (n: number) => () => globMatches(`${'*a'.repeat(n)}b`, 'a'.repeat(10 * n));
    expect(slow(500)()).toBe(false);
    expect(orderOf(slow, 500)).toBeLessThan(1 + almostLinear);
  });
});

describe('lists of names', () => {
  it.each([
    ['a,b.*,c', ['a', 'b.*', 'c']],
    [' a , b ', ['a', 'b']],
    ['a[1,2],der(x)', ['a[1,2]', 'der(x)']],
    ["'p,q',r", ["'p,q'", 'r']],
    ["'it\\'s, so',r", ["'it\\'s, so'", 'r']],
    ['', []],
    [',,', []],
    ['a]),b', ['a])', 'b']],
  ])('%s', (list, expected) => {
    expect(splitNames(list)).toEqual(expected);
  });
});
