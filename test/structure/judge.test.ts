import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PivotJudge } from '../../src/structure/judge.ts';
import { chooseDependent, stateWeights } from '../../src/structure/pivot.ts';

const { default: plain, introduced } = stateWeights;

type Entries = readonly { readonly column: number; readonly value: number; readonly constant?: number }[];

/** By both ways; entries with `constant` are known when the judge is made. */
function qualities(rows: readonly Entries[], weights: readonly number[], current: readonly number[]) {
  const judged = rows.map((row) => row.map(({ column, constant }) => ({ column, constant })));
  const judge = PivotJudge.of(judged, weights, current)!;
  const values = Float64Array.from(rows.flatMap((row) => row.map(({ value }) => value)));
  return [judge.quality(values), chooseDependent(rows, weights, current).quality, judge.quality(values)];
}

test('a pendulum: the determinant of a choice is its coordinate', () => {
  for (const [x, y] of [
    [0.6, -0.8],
    [0.1, 0.9],
    [0.9, 0.1],
  ] as const) {
    const row = [
      { column: 0, value: 2 * x },
      { column: 1, value: 2 * y },
    ];
    const expected = Math.abs(y) / Math.max(x, Math.abs(y));
    expect(qualities([row], [plain, plain], [1])[0]).toBeCloseTo(expected, 12);
  }
});

/** A rod between two points: its sides are introduced variables, which rows of constants determine. */
const rod = (dx: number, dy: number): Entries[] => [
  [1, -1, 1].map((constant, k) => ({ column: [0, 1, 4][k]!, value: constant, constant })),
  [1, -1, 1].map((constant, k) => ({ column: [2, 3, 5][k]!, value: constant, constant })),
  [
    { column: 4, value: 2 * dx },
    { column: 5, value: 2 * dy },
  ],
];
const rodWeights = [plain, plain, plain, plain, introduced, introduced];

test('variables that constants determine leave determinants of the others', () => {
  const law = fc.property(fc.double({ min: 0.05, max: 1.5, noNaN: true }), (angle) => {
    const [dx, dy] = [Math.sin(angle), Math.cos(angle)];
    // With y of the second point dependent, |dy|; the best is the larger of both.
    const [quality] = qualities(rod(dx, dy), rodWeights, [3, 4, 5]);
    expect(quality).toBeCloseTo(dy / Math.max(dx, dy), 9);
  });
  fc.assert(law);
});

test('as good as what is chosen anew, for any matrix', () => {
  const entry = fc
    .double({ min: -2, max: 2, noNaN: true })
    .map((value) => (Math.abs(value) < 0.1 ? 0 : value));
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 4 }))
    .chain(([m, more]) => {
      const row = fc.array(entry, { minLength: m + more, maxLength: m + more });
      return fc.tuple(
        fc.array(row, { minLength: m, maxLength: m }),
        fc.array(fc.constantFrom(...Object.values(stateWeights)), {
          minLength: m + more,
          maxLength: m + more,
        }),
        fc.shuffledSubarray([...Array(m + more).keys()], { minLength: m, maxLength: m }),
      );
    });
  const law = fc.property(matrix, ([values, weights, chosen]) => {
    const rows = values.map((row) =>
      row.flatMap((value, column) => (value === 0 ? [] : [{ column, value }])),
    );
    const current = [...chosen].sort((a, b) => a - b);
    const [judged, expected, again] = qualities(rows, weights, current);
    expect(again).toBe(judged);
    expect(Math.abs(judged! - expected!)).toBeLessThan(1e-6 * (1 + expected!));
  });
  fc.assert(law, { numRuns: 1000 });
});
