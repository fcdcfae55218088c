/** Series and their extremes, and what is drawn of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Growing, Series } from '../../src/studio/series.ts';
import { type Frame, type Pen, rangeIn, trace, valueAt } from '../../src/studio/trace.ts';

const growing = (values: readonly number[]): Growing => {
  const made = new Growing();
  made.put(Float64Array.from(values));
  return made;
};

describe('a series', () => {
  it('knows the extremes of any range, however it has grown', () => {
    const numbers = fc.array(fc.oneof({ weight: 5, arbitrary: fc.double() }, fc.constant(Number.NaN)), {
      maxLength: 300,
    });
    fc.assert(
      fc.property(fc.array(numbers, { maxLength: 6 }), fc.nat(), fc.nat(), fc.nat(), (parts, i, j, cut) => {
        const series = new Series();
        let all: number[] = [];
        for (const [k, part] of parts.entries()) {
          // Some parts replace the end of those before.
          const first = k % 3 === 2 ? all.length - (cut % (all.length + 1)) : all.length;
          series.put(Float64Array.from(part), first);
          all = [...all.slice(0, first), ...part];
        }
        expect([...series.values.subarray(0, series.count)]).toEqual(all);
        const [a, b] = [i % (all.length + 1), j % (all.length + 1)];
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const some = all.slice(from, to).filter((value) => !Number.isNaN(value));
        expect(series.extremes(from, to)).toBe(some.length > 0);
        if (some.length === 0) return;
        // The two zeros are equal.
        expect(series.low === Math.min(...some) && series.high === Math.max(...some)).toBe(true);
      }),
    );
  });

  it('looks at few numbers, also of a million', () => {
    const values = Float64Array.from(
      { length: 1_000_000 },
      (_, k) => Math.sin(k / 1000) + (k === 654_321 ? 5 : 0),
    );
    const series = new Series(values);
    // A list that counts how often it is read.
    let reads = 0;
    const counted = new Proxy(values, {
      get: (target, key) => {
        reads++;
        return Reflect.get(target, key);
      },
    });
    series.values = counted;
    expect(series.extremes(3, 999_997)).toBe(true);
    expect(series.high).toBe(values[654_321]);
    expect(reads).toBeLessThan(100);
  });
});

/** The corners of a line, lists of those that are joined. */
function drawn(times: readonly number[], values: readonly number[], frame: Partial<Frame> = {}) {
  const lines: [number, number][][] = [];
  const pen: Pen = {
    moveTo: (x, y) => void lines.push([[x, y]]),
    lineTo: (x, y) => void lines.at(-1)!.push([x, y]),
  };
  const whole = { left: 0, top: 0, width: 100, height: 10, from: 0, to: 1, low: 0, high: 1, ...frame };
  trace(pen, growing(times), new Series(Float64Array.from(values)), whole);
  return lines;
}

describe('a curve', () => {
  it('has a corner at each row where these are few, and both at an event', () => {
    expect(drawn([0, 0.5, 0.5, 1], [0, 1, 0, 0.5])).toEqual([
      [
        [0, 10],
        [50, 0],
        [50, 10],
        [100, 5],
      ],
    ]);
  });

  it('ends where the variable does not exist', () => {
    const { NaN: gone } = Number;
    expect(drawn([0, 0.2, 0.4, 0.6, 0.8], [0, 0, gone, 1, 1])).toEqual([
      [
        [0, 10],
        [20, 10],
      ],
      [
        [60, 0],
        [80, 0],
      ],
    ]);
    expect(drawn([0, 1], [gone, gone])).toEqual([]);
  });

  it('goes on beyond the frame, by one row', () => {
    expect(drawn([0, 1, 2, 3, 4], [0, 1, 0, 1, 0], { from: 1.5, to: 2.5 })).toEqual([
      [
        [-50, 0],
        [50, 10],
        [150, 0],
      ],
    ]);
  });

  it('shows values in their display unit', () => {
    const lines: number[] = [];
    const pen: Pen = { moveTo: (_, y) => void lines.push(y), lineTo: (_, y) => void lines.push(y) };
    const frame: Frame = { left: 0, top: 0, width: 10, height: 100, from: 0, to: 1, low: 0, high: 100 };
    const kelvin = new Series(Float64Array.of(273.15, 373.15));
    trace(pen, growing([0, 1]), kelvin, frame, { scale: 1, offset: -273.15 });
    expect(lines.map((y) => Math.round(y))).toEqual([100, 0]);
  });

  it('of many rows covers in each column of pixels what all rows would', () => {
    const width = 40;
    fc.assert(
      fc.property(
        fc.integer({ min: 200, max: 2000 }),
        fc.func(fc.double({ min: 0, max: 1, noNaN: true })),
        fc.double({ min: 0, max: 0.4, noNaN: true }),
        (count, value, from) => {
          const times = Array.from({ length: count }, (_, k) => (k / count) ** 1.5);
          const values = times.map((_, k) => value(k));
          const frame = { width, from, to: from + 0.5 };
          const [line] = drawn(times, values, frame);
          // What is drawn in a column: from the lowest to the highest of its corners.
          const covered = new Map<number, { low: number; high: number; last: number }>();
          for (const [x, y] of line!) {
            const column = Math.floor(x);
            const own = covered.get(column) ?? { low: y, high: y, last: y };
            covered.set(column, { low: Math.min(own.low, y), high: Math.max(own.high, y), last: y });
          }
          for (let column = 0; column < width; column++) {
            const inside = values.filter((_, k) => Math.floor(((times[k]! - from) / 0.5) * width) === column);
            // Rows at the border of two columns belong to either.
            const isClear = times.every((time) => Math.abs((((time - from) / 0.5) * width) % 1) > 1e-9);
            if (!isClear || inside.length < 3) continue;
            const own = covered.get(column)!;
            expect(own.low).toBeCloseTo(10 * (1 - Math.max(...inside)), 9);
            expect(own.high).toBeCloseTo(10 * (1 - Math.min(...inside)), 9);
            expect(own.last).toBeCloseTo(10 * (1 - inside.at(-1)!), 9);
          }
        },
      ),
      { numRuns: 50 },
    );
  });

  it('of many rows that only rise is as straight as they are', () => {
    const times = Array.from({ length: 10_000 }, (_, k) => k / 10_000);
    const [line] = drawn(times, times, { width: 40 });
    for (const [x, y] of line!) expect(y).toBeCloseTo(10 * (1 - x / 40), 9);
  });

  it('of a million rows has as many corners as the picture is wide', () => {
    const count = 1_000_000;
    const times = Array.from({ length: count }, (_, k) => k / count);
    const lines = drawn(
      times,
      times.map((time) => 0.5 + 0.5 * Math.sin(1e4 * time)),
      { width: 1000 },
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThan(4 * 1003);
    expect(lines[0]!.length).toBeGreaterThan(3000);
  });
});

describe('values', () => {
  const times = growing([0, 1, 1, 2]);
  const series = new Series(Float64Array.of(0, 2, 5, Number.NaN));
  it('are interpolated, after an event those after it, and missing where there are none', () => {
    expect([0, 0.5, 1, 1.5, 2, 3, -1].map((time) => valueAt(times, series, time))).toEqual([
      0,
      1,
      5,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
  it('have a range between two times', () => {
    expect(rangeIn(times, series, 0.2, 0.3)).toEqual({ low: 0, high: 2 });
    expect(rangeIn(times, series, 0, 2)).toEqual({ low: 0, high: 5 });
    expect(
      rangeIn(growing([0, 1]), new Series(Float64Array.of(Number.NaN, Number.NaN)), 0, 1),
    ).toBeUndefined();
  });
});
