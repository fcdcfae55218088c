import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rootIn, Ties } from '../../src/collections/forest.ts';
import { append, grouped } from '../../src/collections/groups.ts';
import { concatenated, countWhile, sameItems } from '../../src/collections/lists.ts';
import { remember } from '../../src/collections/memo.ts';

describe('groups', () => {
  test('keep the order of keys and items, and leave out what has no key', () => {
    const groups = grouped([5, 2, 7, 4, 0], (n) => (n === 0 ? undefined : n % 2));
    expect([...groups]).toEqual([
      [1, [5, 7]],
      [0, [2, 4]],
    ]);
    append(groups, 1, 9);
    append(groups, 3, 6);
    expect([...groups.values()]).toEqual([[5, 7, 9], [2, 4], [6]]);
  });
});

describe('lists', () => {
  test('are the same with the same items in the same order', () => {
    expect(sameItems([1, 'a'], [1, 'a'])).toBe(true);
    expect(sameItems([], [])).toBe(true);
    expect(sameItems([1, 2], [2, 1])).toBe(false);
    expect(sameItems([1], [1, 1])).toBe(false);
  });

  test('are put one after the other', () => {
    const parts = [Int32Array.of(1, 2), new Int32Array(), Int32Array.of(3)];
    expect(concatenated(parts, Int32Array)).toEqual(Int32Array.of(1, 2, 3));
    expect(concatenated([], Float64Array)).toEqual(new Float64Array());
  });

  test('are searched for the first item that is too large', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20)), fc.nat(20), (items, limit) => {
        const sorted = items.toSorted((a, b) => a - b);
        expect(countWhile(sorted.length, (k) => sorted[k]! < limit)).toBe(
          sorted.filter((item) => item < limit).length,
        );
      }),
    );
  });
});

describe('disjoint sets', () => {
  test('have one root each, found ever faster', () => {
    const parents = [0, 0, 1, 2, 4];
    expect([0, 1, 2, 3, 4].map((n) => rootIn(parents, n))).toEqual([0, 0, 0, 0, 4]);
    expect(parents).toEqual([0, 0, 0, 0, 4]);
  });

  test('of numbers that are tied two by two', () => {
    const ties = new Ties();
    ties.tie(1, 2);
    ties.tie(3, 4);
    ties.tie(4, 2);
    ties.tie(7, 8);
    expect([...ties.with([1, 9])].sort()).toEqual([1, 2, 3, 4, 9]);
    expect([...ties.with([])]).toEqual([]);
  });
});

test('a value is made once, also where it is zero', () => {
  const known = new Map<string, number>();
  const made: string[] = [];
  const numberOf = (word: string): number => remember(known, word, () => made.push(word) - 1);
  expect([numberOf('a'), numberOf('b'), numberOf('a')]).toEqual([0, 1, 0]);
  expect(made).toEqual(['a', 'b']);
});
