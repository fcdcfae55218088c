/** Two models have the same structure up to values of parameters; what differs is said. */
import { describe, expect, test } from 'vitest';
import { differenceOf } from '../../src/modes/compare.ts';
import { lowered } from './notation.ts';

const text =
  'parameter Real k = 1; Real x(start = k), y; equation der(x) = -k*x; y = if x > k then 1 else 2;';

describe('the structure is the same', () => {
  test.each([
    ['itself', text],
    ['another value', text.replace('k = 1', 'k = 7')],
    ['a value that is computed', text.replace('k = 1', 'k = 3*4')],
    ['other blanks and comments', text.replace('equation', '/* here */ equation\n\n')],
    ['another description', text.replace(', y;', ', y "Height";')],
  ])('%s', (_, other) => expect(differenceOf(lowered(text), lowered(other))).toBeUndefined());
});

describe('the structure differs', () => {
  test.each([
    ['one unknown more', text.replace(', y;', ', y, z = x;'), 'it has 3 unknowns instead of 2'],
    ['one parameter more', `parameter Real j = 1; ${text}`, 'it has other parameters'],
    ['another name', text.replaceAll('y', 'w'), 'there is w in place of y'],
    [
      'another type',
      text.replace('Real x(start = k), y', 'Real x(start = k); Integer y'),
      'y is declared in another way',
    ],
    ['another equation', text.replace('-k*x', '-k*x^2'), 'its equations are others'],
    ['another relation', text.replace('x > k', 'x < k'), 'its equations are others'],
    ['a constant in an equation', text.replace('else 2', 'else 3'), 'its equations are others'],
  ])('%s', (_, other, difference) => expect(differenceOf(lowered(text), lowered(other))).toBe(difference));
});
