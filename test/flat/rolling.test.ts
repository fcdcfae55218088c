import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryExpr, loopsOf, type Roll, rollUp, rollUpSet } from '../../src/flat/core/loops.ts';
import { evaluate } from '../../src/symbolic/evaluate.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** All vectors of a roll, by counting its loops. */
function counted({ first, loops }: Roll): number[][] {
  let all = [[...first]];
  for (const { count, step } of loops)
    all = all.flatMap((vector) =>
      Array.from({ length: count }, (_, t) => vector.map((at, k) => at + t * step[k]!)),
    );
  return all;
}

/** All vectors of a roll, by its ranges and the expressions of its entries. */
function written(roll: Roll): number[][] {
  const pool = new Pool();
  const { ranges, entries } = loopsOf(roll);
  let all: number[][] = [[]];
  for (const [from, by, last] of ranges) {
    const values = Array.from({ length: Math.round((last - from) / by) + 1 }, (_, k) => from + k * by);
    all = all.flatMap((iterators) => values.map((value) => [...iterators, value]));
  }
  return all.map((iterators) =>
    entries.map((entry) =>
      evaluate(
        entryExpr(
          pool,
          entry,
          iterators.map((value) => pool.const(value)),
        ),
        () => Number.NaN,
      ),
    ),
  );
}

describe('rolling up', () => {
  test.each<[what: string, vectors: number[][], rolls: number]>([
    [
      'a chain',
      [
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
      ],
      1,
    ],
    [
      'a ring',
      [
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 1],
      ],
      2,
    ],
    [
      'backwards against forwards',
      [
        [1, 9],
        [2, 7],
        [3, 5],
        [4, 3],
      ],
      1,
    ],
    [
      'a grid',
      [
        [1, 1],
        [1, 2],
        [1, 3],
        [2, 1],
        [2, 2],
        [2, 3],
        [3, 1],
        [3, 2],
        [3, 3],
      ],
      1,
    ],
    [
      'far apart by chance',
      [
        [1, 7],
        [5, 2],
      ],
      2,
    ],
    ['one', [[4, 2, 6]], 1],
    ['none', [], 0],
  ])('%s', (_, vectors, rolls) => {
    const width = vectors[0]?.length ?? 1;
    const found = rollUp(vectors.flat(), width);
    expect(found).toHaveLength(rolls);
    expect(found.flatMap(counted)).toEqual(vectors);
    expect(found.flatMap(written)).toEqual(vectors);
  });

  test('an entry is the iterator itself where that is possible', () => {
    const [roll] = rollUp([3, 1, 4, 2, 5, 3], 2);
    expect(loopsOf(roll!)).toEqual({
      ranges: [[3, 1, 5]],
      entries: [
        [1, 0],
        [1, -2],
      ],
    });
  });
});

test('loops give back the vectors that were rolled up, in their order', () => {
  const box = fc
    .tuple(
      fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 2, maxLength: 2 }),
      fc.array(
        fc.record({
          count: fc.integer({ min: 1, max: 4 }),
          step: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 2, maxLength: 2 }),
        }),
        { maxLength: 3 },
      ),
    )
    .map(([first, loops]): Roll => ({ first, loops, position: 0 }));
  fc.assert(
    fc.property(fc.array(box, { maxLength: 4 }), (boxes) => {
      const vectors = boxes.flatMap(counted);
      const rolls = rollUp(vectors.flat(), 2);
      expect(rolls.flatMap(counted)).toEqual(vectors);
      expect(rolls.flatMap(written)).toEqual(vectors);
    }),
  );
});

describe('vectors in any order', () => {
  test('make the loops that they make in the best one', () => {
    const chain = Array.from({ length: 30 }, (_, k) => [k + 1, k + 2]);
    const shuffled = [...chain.keys()].map((k) => chain[(7 * k) % 30]!);
    expect(rollUp(shuffled.flat(), 2).length).toBeGreaterThan(3);
    const [roll, ...others] = rollUpSet(shuffled.flat(), 2);
    expect(others).toEqual([]);
    expect(roll).toMatchObject({ first: [1, 2], loops: [{ count: 30, step: [1, 1] }], position: 0 });
  });

  test('are all there, each with its own position', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))),
        (vectors) => {
          const rolls = rollUpSet(vectors.flat(), 2);
          const sorted = (all: readonly (readonly number[])[]) => all.map(String).sort();
          expect(sorted(rolls.flatMap(counted))).toEqual(sorted(vectors));
          for (const { first, position } of rolls) expect(vectors[position]).toEqual(first);
        },
      ),
    );
  });
});
