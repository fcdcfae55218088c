import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompareOptions, compareResults, spellings } from '../../src/results/compare/compare.ts';
import { describeComparison, describeTable } from '../../src/results/compare/describe.ts';
import { fromArrays } from '../../src/results/table/arrays.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import type { SignalTable } from '../../src/results/table/table.ts';
import { rocket } from './gallery.ts';
import { alias, constant, plainTable, signal } from './signals.ts';

/** A table with one signal `x`. */
const x = (time: readonly number[], values: readonly (number | null)[]): SignalTable =>
  fromArrays({ time, x: values });
const compared = (a: SignalTable, b: SignalTable, options: CompareOptions = {}) =>
  compareResults(a, b, options).signals[0]!;

describe('values with names', () => {
  const phase = (...values: readonly number[]) =>
    tableOfColumns(
      [signal('p', undefined, { type: 'Integer', literals: ['solid', 'liquid', 'gas'] })],
      [0, 1, 1, 2],
      [[...values]],
    );

  it('are named where they differ', () => {
    const [a, b] = [phase(1, 1, 1, 1), phase(1, 1, 2, 2)];
    const comparison = compareResults(a, b);
    expect(comparison.signals[0]).toMatchObject({ same: false, difference: 1, values: ['solid', 'liquid'] });
    expect(describeComparison(comparison, ['a', 'b'])).toMatch(/^ {2}p +solid, liquid +1 /m);
    expect(compareResults(a, a).signals[0]).not.toHaveProperty('values');
  });

  it('are named by the result that has the names', () => {
    const numbers = fromArrays({ time: [0, 2], p: [3, 3] });
    expect(compared(numbers, phase(1, 1, 1, 1)).values).toEqual(['gas', 'solid']);
    expect(compared(phase(1, 1, 1, 1), numbers).values).toEqual(['solid', 'gas']);
  });

  it('are named also where a difference is too short to count', () => {
    const wide = { time: 10 };
    const comparison = compareResults(phase(1, 1, 1, 1), phase(1, 3, 1, 1), { tolerance: 10, ...wide });
    expect(comparison.same).toBe(true);
    expect(describeComparison(comparison, ['a', 'b'])).toContain('that of p at 1: solid, gas.');
  });
});

describe('a comparison', () => {
  it('knows the greatest difference and the mean square of straight lines exactly', () => {
    // b - a = t from 0 to 1: greatest 1 at the end, mean square 1/3.
    const { difference, time, rms, magnitude, same } = compared(
      x([0, 1], [2, 2]),
      x([0, 0.25, 1], [2, 2.25, 3]),
    );
    expect({ difference, time, magnitude, same }).toEqual({
      difference: 1,
      time: 1,
      magnitude: 3,
      same: false,
    });
    expect(rms).toBeCloseTo(Math.sqrt(1 / 3), 14);
  });

  it('looks between the points of the coarser one', () => {
    // A peak that the other one steps over.
    const [a, b] = [x([0, 1], [0, 0]), x([0, 0.5, 1], [0, 1, 0])];
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const { same, difference, time, outside } = compared(one, other, { tolerance: 0.1, time: 0 });
      expect({ same, difference, time }).toEqual({ same: false, difference: 1, time: 0.5 });
      expect(outside).toEqual([{ from: 0.5, to: 0.5 }]);
    }
  });

  it('allows differences up to the tolerance', () => {
    const [a, b] = [x([0, 1], [10, 10]), x([0, 1], [10.001, 10.001])];
    expect(compared(a, b, { tolerance: 1.01e-4, time: 0, absolute: 0 }).same).toBe(true);
    expect(compared(a, b, { tolerance: 0.99e-4, time: 0, absolute: 0 }).same).toBe(false);
    expect(compared(a, b, { tolerance: 0, time: 0, absolute: 0.0011 }).same).toBe(true);
    expect(compared(a, b, { tolerance: 0, time: 0, absolute: 0.0009 }).same).toBe(false);
  });

  /** A step from 0 to 1. */
  const step = (at: number) => x([0, at, at, 2], [0, 0, 1, 1]);

  it('allows an event to come a little earlier, and no more', () => {
    expect(compared(step(1), step(1.05), { tolerance: 1e-3, time: 0.06 }).same).toBe(true);
    const { same, difference, outside } = compared(step(1), step(1.05), { tolerance: 1e-3, time: 0.04 });
    expect(same).toBe(false);
    expect(difference).toBe(1);
    expect(outside).toEqual([{ from: 1, to: 1.05 }]);
  });

  it('tells the sides of an event apart where no tolerance of time is given', () => {
    expect(compared(step(1), step(1), { time: 0 })).toMatchObject({ same: true, difference: 0 });
    const late = x([0, 1, 1, 2], [0, 0, 0.5, 1]);
    expect(compared(step(1), late, { time: 0 })).toMatchObject({ same: false, difference: 0.5, time: 1 });
  });

  it('takes a curve that is too high for one that comes too early, and no more', () => {
    const time = Array.from({ length: 11 }, (_, i) => i);
    const [a, b] = [
      x(time, time),
      x(
        time,
        time.map((t) => t + 0.5),
      ),
    ];
    // A line of slope 1 that is 0.5 too high is the same line 0.5 earlier, except where it begins and ends.
    expect(compared(a, b, { tolerance: 0, absolute: 0, time: 0.51 }).outside).toEqual([
      { from: 0, to: 0 },
      { from: 10, to: 10 },
    ]);
    expect(compared(a, b, { tolerance: 0, absolute: 0, time: 0.49 }).outside).toEqual([{ from: 0, to: 10 }]);
  });

  it('finds what exists in one of them only', () => {
    const a = x([0, 1, 1, 3], [1, 1, null, null]);
    const b = x([0, 2, 2, 3], [1, 1, null, null]);
    expect(compared(a, b, { time: 0 }).missing).toEqual([{ from: 1, to: 2, in: 'first' }]);
    expect(compared(b, a, { time: 0 }).missing).toEqual([{ from: 1, to: 2, in: 'second' }]);
    expect(compared(a, b, { time: 1 }).same).toBe(true);
    expect(compared(a, a)).toMatchObject({ same: true, missing: [] });
    // Nothing is missing at 2, the nearest time that the width of the tube reaches from 3.
    const gap = x([0, 2, 3, 3, 20], [null, 0, null, 0, 0]);
    expect(compared(gap, x([0, 2, 20], [null, 0, 0]), { time: 1 }).missing).toEqual([
      { from: 3, to: 3, in: 'first' },
    ]);
    expect(compared(x([0, 1], [null, null]), x([0, 1], [1, 1])).same).toBe(false);
  });

  it('compares constants by their size alone', () => {
    const table = (value: number) => tableOfColumns([constant('C', value)], [0, 1], []);
    expect(compared(table(1e-12), table(1.1e-12)).same).toBe(false);
    expect(compared(table(1e-12), table(1.00001e-12)).same).toBe(true);
  });

  it('forgives noise around zero', () => {
    expect(compared(x([0, 1], [0, 1e-17]), x([0, 1], [-1e-17, 0])).same).toBe(true);
  });

  it('knows that infinities are equal to themselves', () => {
    const infinite = x([0, 1], [Number.POSITIVE_INFINITY, 1]);
    expect(compared(infinite, infinite)).toMatchObject({ same: true, difference: 0 });
    expect(compared(infinite, x([0, 1], [1, 1]))).toMatchObject({
      same: false,
      difference: Number.POSITIVE_INFINITY,
    });
  });

  it('lists signals of one result only, and agrees on names that tools write differently', () => {
    const a = fromArrays({ time: [0], 'der(a.x)': [1], 'm[1,2]': [2], u: [0] });
    const b = fromArrays({ time: [0], 'a.der(x)': [1], 'm[1, 2]': [2], w: [0] });
    const comparison = compareResults(a, b);
    expect(comparison.signals.map(({ name, same }) => [name, same])).toEqual([
      ['der(a.x)', true],
      ['m[1,2]', true],
    ]);
    expect(comparison).toMatchObject({ same: true, onlyFirst: ['u'], onlySecond: ['w'] });
  });

  it('agrees on names that a flat text quotes', () => {
    const names = ['source.v', 'c[2].T[1,3]', 'x[2]', 'der(m.w)', "a.'b c'.d", 'plain'];
    const quoted = ["'source.v'", "'c.T'[2, 1, 3]", "'x[2]'", "der('m.w')", "'a.\\'b c\\'.d'", 'plain'];
    const table = (list: readonly string[], value: number) =>
      tableOfColumns(
        list.map((name) => signal(name)),
        [0, 1],
        list.map((_, i) => [i, i + value]),
      );
    const comparison = compareResults(table(names, 1), table(quoted, 1));
    expect(comparison).toMatchObject({ same: true, onlyFirst: [], onlySecond: [] });
    expect(comparison.signals.map(({ name }) => name)).toEqual(names);
    expect(compareResults(table(names, 1), table(quoted, 2)).signals.every(({ same }) => !same)).toBe(true);
    // What is named is compared, however the other result writes it.
    const chosen = (list: readonly string[], signals: readonly string[]) =>
      compareResults(table(list, 1), table(list === names ? quoted : names, 1), { signals }).signals;
    expect(chosen(names, ['source.v']).map(({ name }) => name)).toEqual(['source.v']);
    expect(chosen(quoted, ['source.v', 'c.T']).map(({ name }) => name)).toEqual([
      "'source.v'",
      "'c.T'[2, 1, 3]",
    ]);
  });

  it('keeps names apart that one result has both of', () => {
    const pair = fromArrays({ time: [0], 'a.b': [1], "'a.b'": [2] });
    const other = fromArrays({ time: [0], "'a.b'": [2] });
    const both = compareResults(pair, pair);
    expect(both).toMatchObject({ same: true, onlyFirst: [], onlySecond: [] });
    expect(both.signals.map(({ magnitude }) => magnitude)).toEqual([1, 2]);
    expect(compareResults(pair, other)).toMatchObject({ same: true, onlyFirst: ['a.b'], onlySecond: [] });
    const spaced = fromArrays({ time: [0], 'a .b': [3] });
    expect(compareResults(pair, spaced)).toMatchObject({
      signals: [],
      onlyFirst: ['a.b', "'a.b'"],
      onlySecond: ['a .b'],
    });
  });

  it('of different models, of nothing, or over other times is no agreement', () => {
    const [a, b] = [fromArrays({ time: [0, 1], x: [1, 1] }), fromArrays({ time: [0, 1], y: [1, 1] })];
    expect(compareResults(a, b)).toMatchObject({ same: false, signals: [] });
    expect(compareResults(a, tableOfColumns([signal('x')], [], [[]]))).toMatchObject({ same: false });
    const shorter = compareResults(a, x([0, 0.5], [1, 1]));
    expect(shorter).toMatchObject({ same: false, sameTime: false, from: 0, to: 0.5 });
    expect(shorter.signals[0]).toMatchObject({ same: true });
  });

  it('compares the signals that are named', () => {
    const a = fromArrays({ time: [0], T: [[1, 2, 3]], y: [1] });
    const b = fromArrays({ time: [0], T: [[1, 2, 4]], y: [2] });
    expect(compareResults(a, b, { signals: ['T[1:2]'] })).toMatchObject({ same: true });
    expect(compareResults(a, b, { signals: ['T'] }).signals.map(({ same }) => same)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('agrees with itself, and is the same in both directions', () => {
    fc.assert(
      fc.property(plainTable, plainTable, (a, b) => {
        const self = compareResults(a, a, { tolerance: 0, absolute: 0, time: 0 });
        expect(self.signals.every(({ same, difference }) => same && difference === 0)).toBe(true);
        const [there, back] = [compareResults(a, b), compareResults(b, a)];
        expect(there.same).toBe(back.same);
      }),
    );
  });

  it('agrees with the definition of the tube', () => {
    const value = fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 3 }));
    const curve = fc
      .array(fc.tuple(fc.integer({ min: 0, max: 2 }), value), { minLength: 2, maxLength: 8 })
      .map((steps) => {
        let now = 0;
        const time = steps.map(([step], i) => (i === 0 ? 0 : (now += step)));
        return x([...time, 20], [...steps.map(([, v]) => v), steps.at(-1)![1]]);
      });
    fc.assert(
      fc.property(
        curve,
        curve,
        fc.constantFrom(0.5, 1, 2.5),
        fc.constantFrom(0, 1),
        (a, b, width, height) => {
          const { outside, missing: gaps } = compared(a, b, { tolerance: 0, absolute: height, time: width });
          expect(outside.length + gaps.length === 0).toBe(isInTubes(a, b, width, height));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** The definition, point by point: every value of either curve at every knot lies in the tube of the other. */
function isInTubes(a: SignalTable, b: SignalTable, width: number, height: number): boolean {
  const knots = [...new Set([...a.time, ...b.time])].sort((p, q) => p - q);
  const limits = (table: SignalTable, time: number) =>
    time === 0
      ? [table.value('x', 0, 'after')]
      : [table.value('x', time, 'before'), table.value('x', time, 'after')];
  const near = (table: SignalTable, time: number): number[] =>
    [...knots.filter((knot) => Math.abs(knot - time) <= width), time - width, time + width]
      .filter((at) => at >= 0 && at <= 20)
      .flatMap((at) => limits(table, at));
  const isIn = (value: number, others: readonly number[]): boolean => {
    if (Number.isNaN(value)) return others.some(Number.isNaN);
    const present = others.filter((other) => !Number.isNaN(other));
    return (
      present.length > 0 && value >= Math.min(...present) - height && value <= Math.max(...present) + height
    );
  };
  return knots.every((time) =>
    [
      [a, b],
      [b, a],
    ].every(([one, other]) => limits(one!, time).every((value) => isIn(value, near(other!, time)))),
  );
}

describe('results in words', () => {
  it('tell what a table holds', () => {
    const words = describeTable(rocket())
      .split('\n')
      .map((line) => line.trim().split(/ {2,}/));
    expect(words).toEqual([
      ['Rocket: 243 rows over time from 0 s to 90 s, 3 segments, 9 signals'],
      ['name', 'unit', 'size', 'kind', 'values', 'description'],
      ['h', 'km', 'state', '0 … 24', 'height'],
      ['v', 'm/s', 'state', '0 … 600', 'velocity'],
      ['stage1.h', 'km', 'variable', '4 … 6.04069, missing in 162 rows', 'height of the first stage'],
      ['stage1.v', 'm/s', 'variable', '−94 … 200, missing in 162 rows', 'velocity of the first stage'],
      ['m', 'kg', 'state', '1000 … 9000', 'mass'],
      ['x', 'km', 'variable', '0 … 10.3298', 'way along the ground'],
      ['p', 'bar', '[3]', 'variable', '1.3 … 4, missing in 162 rows'],
      [''],
    ]);
    const small = tableOfColumns([constant('p', 2), signal('x'), alias('y', 'x', -1)], [], [[]]);
    expect(describeTable(small)).toBe(
      '0 rows over time, 3 signals\n  name  kind      values\n  p     constant  2\n  x     variable  missing\n  y     = −x      missing\n',
    );
  });

  it('tell where two of them differ', () => {
    const a = fromArrays({ time: [0, 1, 1, 2], x: [0, 1, 1, 2], y: [1, 1, null, null], u: [0, 0, 0, 0] });
    const b = fromArrays({ time: [0, 2], x: [0, 3], y: [1, 1], w: [0, 0] });
    const text = describeComparison(compareResults(a, b, { time: 0 }), ['a.csv', 'b.csv']);
    expect(text).toBe(
      [
        'a.csv and b.csv differ in 2 of 2 signals (tolerance 0.0001, in time 0).',
        '  signal  difference  at  rms      relative  where',
        '  x       1           2   0.57735  0.333333  from 1 to 2',
        '  y       0           0   0        0         missing in a.csv from 1 to 2',
        '  only in a.csv: u',
        '  only in b.csv: w',
        '',
      ].join('\n'),
    );
    expect(describeComparison(compareResults(a, a), ['a', 'b'])).toContain('agree in all 3 signals');
    expect(
      describeComparison(compareResults(x([0], [1]), fromArrays({ time: [0], z: [1] })), ['a', 'b']),
    ).toContain('a and b have no signal in common.');
  });

  it('tell differences in the units that values are shown in', () => {
    const angle = (end: number, unit = 'rad', displayUnit = 'deg') =>
      tableOfColumns([{ ...signal('phi'), unit, displayUnit }], [0, 1], [[0, end]]);
    const warm = (end: number) =>
      tableOfColumns([{ ...signal('T'), unit: 'K', displayUnit: 'degC' }], [0, 1], [[end, end]]);
    const text = (a: SignalTable, b: SignalTable) => describeComparison(compareResults(a, b), ['a', 'b']);
    // A right angle more at the end; linear in between, so the root mean square is 1/√3 of it.
    expect(text(angle(Math.PI), angle(Math.PI / 2))).toMatch(/ {2}phi +90 deg +1 +51\.9615 deg +0\.5 /);
    expect(text(angle(Math.PI, '', ''), angle(Math.PI / 2))).toContain(' 90 deg ');
    // The zero of a unit is no part of a difference.
    expect(text(warm(300), warm(310))).toContain(' 10 degC ');
    expect(text(angle(Math.PI), angle(Math.PI * 0.99999))).toContain('phi at 1: 0.0018 deg, 1e-5 of its');
    expect(compareResults(warm(300), warm(310)).signals[0]).toMatchObject({ difference: 10, unit: 'K' });
  });

  it('find a signal that other tools write in another way', () => {
    const own = fromArrays({ time: [0], 'der(a.b[1,2])': [1] });
    const other = fromArrays({ time: [0], 'a.der(b[1, 2])': [1], 'a.der(b[1, 1])': [1] });
    expect(spellings([own, other], 'der(a.b[1,2])')).toEqual(['der(a.b[1,2])', 'a.der(b[1, 2])']);
    expect(spellings([own, own], 'der(a.b[1,2])')).toEqual(['der(a.b[1,2])']);
  });
});

it('a summary says that a run failed, and when', () => {
  const table = x([0, 4.0625], [1, 2]).with({ model: 'Ball', attributes: { status: 'failed' } });
  expect(describeTable(table)).toMatch(/^Ball: failed at 4\.0625 s, 2 rows /);
});
