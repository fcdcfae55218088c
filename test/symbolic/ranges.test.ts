import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rangeCount, rangeValues } from '../../src/symbolic/ranges.ts';

/** How many elements a range of decimal fractions has, in exact arithmetic. */
function exactCount(first: bigint, step: bigint, last: bigint): number {
  const [a, b] = step > 0n ? [last - first, step] : [first - last, -step];
  return a < 0n ? 0 : Number(a / b) + 1;
}

describe('ranges', () => {
  test.each([
    [1, 1, 3, 3],
    [1, 1, 0, 0],
    [1, 1, 1, 1],
    [3, -1, 1, 3],
    [1, -1, 3, 0],
    [0, 0.1, 1, 11],
    [0, 0.1, 0.3, 4],
    [0.1, 0.1, 0.7, 7],
    [0, 0.1, 0.99999999995, 10],
    [0, 0.1, 1 - 1e-12, 10],
    [1, 2, 1e6, 500_000],
    [-1e12, 1e6, 1e12, 2_000_001],
    [1e9, 0.1, 1e9 + 1, 11],
    [1, 0, 3, 0],
    [1, 1, Number.NaN, 0],
  ])('%d : %d : %d has %d elements', (first, step, last, count) => {
    expect(rangeCount(first, step, last)).toBe(count);
  });

  test('of decimal fractions have as many elements as exact arithmetic says', () => {
    const number = fc.integer({ min: -100_000, max: 100_000 });
    fc.assert(
      fc.property(
        number,
        number,
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: -500, max: 500 }),
        (a, b, digits, s) => {
          fc.pre(s !== 0);
          const fraction = (k: number): number => Number(`${k}e-${digits}`);
          const count = rangeCount(fraction(a), fraction(s), fraction(b));
          expect(count).toBe(exactCount(BigInt(a), BigInt(s), BigInt(b)));
        },
      ),
    );
  });

  test('of Integers are exact', () => {
    const number = fc.integer({ min: -(2 ** 47), max: 2 ** 47 });
    fc.assert(
      fc.property(number, number, number, (a, s, b) => {
        fc.pre(s !== 0);
        expect(rangeCount(a, s, b)).toBe(exactCount(BigInt(a), BigInt(s), BigInt(b)));
      }),
    );
  });

  test('have elements that are computed from the first one', () => {
    expect(rangeValues(0, 0.1, 0.3)).toEqual([0, 0.1, 0.2, 3 * 0.1]);
    expect(rangeValues(5, -2, 0)).toEqual([5, 3, 1]);
  });
});
