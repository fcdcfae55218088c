import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { excerptOf } from '../../../src/results/plot/excerpt.ts';
import { layoutFigure, runsOf } from '../../../src/results/plot/figure.ts';
import { readoutAt } from '../../../src/results/plot/readout.ts';
import { TableBuilder, tableOfColumns } from '../../../src/results/table/builder.ts';
import { constant, missing, signal } from '../signals.ts';

/** `rows` rows in ten seconds of a wave, a Boolean that changes at every tenth of them, and a parameter. */
function switching(rows: number) {
  const builder = new TableBuilder([
    signal('x'),
    signal('on', undefined, { type: 'Boolean' }),
    signal('other'),
    constant('p', 3),
  ]);
  builder.beginSegment('');
  for (let row = 0; row < rows; row++) {
    const [time, half] = [(10 * row) / (rows - 1), Math.floor(row / 10)];
    if (row % 10 === 0 && row > 0)
      builder.append(time, Float64Array.of(Math.sin(40 * time), (half + 1) % 2, time));
    builder.append(time, Float64Array.of(Math.sin(40 * time), half % 2, time));
  }
  return builder.finish({ model: 'Switching' });
}

describe('an excerpt', () => {
  it('has every row as it is where there is room', () => {
    const table = switching(20_000);
    const excerpt = excerptOf(table, ['x', 'on', 'p'], true)!;
    expect(excerpt).toMatchObject({ resolution: 0, notes: [] });
    expect(excerpt.table.time).toEqual(table.time);
    for (const name of ['x', 'on', 'p', 'other']) expect(excerpt.table.get(name)).toEqual(table.get(name));
  });

  it('has the extremes of short intervals, and the ends of segments, where there is none', () => {
    const table = switching(60_000);
    const { table: thin, resolution, notes } = excerptOf(table, ['x', 'on'], true, 100_000)!;
    expect(3 * thin.rowCount).toBeLessThanOrEqual(100_000);
    expect(notes).toEqual([
      expect.stringContaining(`${thin.rowCount} of ${table.rowCount} rows`),
      '1 more signals are in the results, but not in this page',
    ]);
    expect([thin.time[0], thin.time.at(-1)]).toEqual([0, 10]);
    const extremes = ({ time, values }: { time: Float64Array; values: Float64Array }) => {
      const found = new Map<number, [number, number]>();
      for (const [row, at] of time.entries()) {
        const interval = Math.floor(at / resolution);
        const [low, high] = found.get(interval) ?? [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        found.set(interval, [Math.min(low, values[row]!), Math.max(high, values[row]!)]);
      }
      return found;
    };
    for (const name of ['x', 'on'])
      expect(extremes({ time: thin.time, values: thin.get(name) })).toEqual(
        extremes({ time: table.time, values: table.get(name) }),
      );
  });

  it('has the rows at which a signal begins and ceases to exist', () => {
    const time = Array.from({ length: 40_000 }, (_, row) => row);
    const values = time.map((row) => (row > 1000 && row < 30_000 ? row : missing));
    const { table } = excerptOf(tableOfColumns([signal('x')], time, [values]), ['x'], true, 20_000)!;
    const known = [...table.time].filter((_, row) => !Number.isNaN(table.at('x', row)));
    expect([known[0], known.at(-1)]).toEqual([1001, 29_999]);
    const [first, last] = [table.time.indexOf(1001), table.time.indexOf(29_999)];
    expect([table.time[first - 1], table.time[last + 1]]).toEqual([1000, 30_000]);
  });

  it('does not exist where curves would be wrong in it', () => {
    const table = switching(60_000);
    expect(excerptOf(table, ['x', 'on'], false, 100_000)).toBeUndefined();
    expect(excerptOf(table, ['x', 'on'], true, 10_000)).toBeUndefined();
  });

  it('reads out ranges in which the value is', () => {
    const table = switching(60_000);
    const { table: thin, resolution } = excerptOf(table, ['x', 'on'], true, 100_000)!;
    const figure = layoutFigure(runsOf(thin), 'x, on', {}, { resolution });
    const { left, right, top } = figure.panels[0]!.frame;
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (share) => {
        const { time, lines } = readoutAt(figure, left + share * (right - left), top)!;
        const [low, high] = /^x from (\S+) to (\S+)$/
          .exec(lines[1]!.text)!
          .slice(1)
          .map((text) => Number(text.replace('−', '-')));
        const truth = Math.sin(40 * time!);
        // Six digits, and a chord of the wave between rows.
        expect(truth).toBeGreaterThan(low! - 2e-5);
        expect(truth).toBeLessThan(high! + 2e-5);
        // An interval and its neighbours: 40 per second at most.
        expect(high! - low!).toBeLessThan(40 * 3 * resolution);
        expect(lines[2]!.text).toMatch(/^on (= (true|false)|from false to true)$/);
      }),
    );
  });
});

describe('what is not real', () => {
  const lane = (window?: { low: number; high: number }) => {
    const on = signal('on', undefined, { type: 'Boolean' });
    const table = tableOfColumns([on], [0, 1, 2, 3], [[0, 1, 1, 0]]);
    const figure = layoutFigure(runsOf(table), 'on', {}, window ? { window } : {});
    const { frame, curves } = figure.panels[0]!;
    const [line] = curves[0]!.lines;
    return line!.flatMap((x, i) =>
      i % 2 === 0 ? [[(x - frame.left) / (frame.right - frame.left), line![i + 1]!] as const] : [],
    );
  };

  it('holds until it changes, although no row says so', () => {
    const points = lane();
    expect(points.map(([share]) => 3 * share)).toEqual([0, 1, 1, 2, 3, 3].map((t) => expect.closeTo(t, 1)));
    const [no, yes] = [points[0]![1], points[2]![1]];
    expect(points.map(([, y]) => y)).toEqual([no, no, yes, yes, yes, no]);
    // From the half of the first second on it is still false.
    const part = lane({ low: 0.5, high: 1.5 });
    expect(part.map(([, y]) => y)).toEqual([no, no, yes, yes]);
  });
});
