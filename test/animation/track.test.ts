/** Values by time with no more keys than it takes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  steppingAt,
  steppingTrack,
  straightAt,
  straightTrack,
  turningAt,
  turningTrack,
} from '../../src/animation/track.ts';
import { byRow, turn } from './scenes.ts';

const numbers = (count: number): Float64Array => Float64Array.from({ length: count }, (_, i) => i / 10);

describe('tracks', () => {
  it('are one key where nothing changes by more than the tolerance, however slowly it drifts', () => {
    const times = numbers(1001);
    const still = straightTrack(
      times,
      byRow(1001, (i) => [1 + 1e-7 * Math.sin(i), 2, 3]),
      1e-6,
    );
    expect([...still.rows]).toEqual([0]);
    const drifting = straightTrack(
      times,
      byRow(1001, (i) => [1e-7 * i + 2e-7 * Math.sin(i), 0, 0]),
      1e-6,
    );
    expect(drifting.rows.length).toBeGreaterThan(1);
    for (const [row, time] of times.entries())
      expect(
        Math.abs(straightAt(times, drifting, time)[0] - (1e-7 * row + 2e-7 * Math.sin(row))),
      ).toBeLessThan(1e-6);
  });

  it('keep both sides of a jump and, of several values at one time, the first and the last', () => {
    const times = Float64Array.of(0, 1, 1, 1, 2);
    const track = straightTrack(times, [0, 0, 0, 0, 0, 0, 5, 5, 5, 1, 0, 0, 1, 0, 0], 1e-6);
    expect([...track.rows]).toEqual([0, 1, 3, 4]);
    expect(straightAt(times, track, 1 - 1e-12)[0]).toBe(0);
    expect(straightAt(times, track, 1)[0]).toBe(1);
  });

  it('go through equal times at which nothing jumps', () => {
    const times = Float64Array.of(0, 1, 1, 2);
    expect([...straightTrack(times, [0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0], 1e-6).rows]).toEqual([0, 3]);
  });

  it('are in double precision where single is not exact enough', () => {
    const times = Float64Array.of(0, 1);
    expect(straightTrack(times, [0, 0, 0, 1, 1, 1], 1e-6).values).toBeInstanceOf(Float32Array);
    const far = straightTrack(times, [3e7, 0, 0, 3e7 + 0.1, 0, 0], 1e-6);
    expect(straightAt(times, far, 0.5)[0]).toBeCloseTo(3e7 + 0.05, 7);
  });

  it('have few keys for a parabola: as many as its bend asks for', () => {
    const times = numbers(1001);
    const track = straightTrack(
      times,
      byRow(1001, (i) => [0, -4.905 * (i / 10) ** 2, 0]),
      1e-6,
    );
    // Between two keys h apart a parabola is off by 4.905 h^2 / 4; rows are 0.1 s apart, so all are needed.
    expect(track.rows.length).toBe(1001);
    const rough = straightTrack(
      times,
      byRow(1001, (i) => [0, -4.905 * (i / 10) ** 2, 0]),
      5,
    );
    // 5 m / sqrt 3 allow steps of 1.5 s, and the tolerance lies on one side of the curve only.
    expect(rough.rows.length).toBeGreaterThan(50);
    expect(rough.rows.length).toBeLessThan(100);
  });

  it('turn the shorter way round, through half a turn and more', () => {
    const times = Float64Array.of(0, 1);
    const track = turningTrack(times, [...turn([0, 0, 1], 3), ...turn([0, 0, 1], -3)], 1e-6);
    // From 3 to -3 rad it is 2 pi - 6 rad further.
    const [w, , , z] = turningAt(times, track, 0.5);
    expect(Math.abs(w)).toBeCloseTo(Math.cos(Math.PI / 2), 6);
    expect(Math.abs(z)).toBeCloseTo(1, 6);
  });

  it('hold until they change', () => {
    const times = Float64Array.of(0, 1, 2, 3);
    const track = steppingTrack([0, 1, 1, 0]);
    expect([0, 0.99, 1, 2.99, 3, 9].map((time) => steppingAt(times, track, time))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('give back every row within the tolerance, whatever moves', () => {
    const step = fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 1, noNaN: true }));
    const value = fc.oneof(
      fc.double({ min: -5, max: 5, noNaN: true }),
      fc.double({ min: -1e-6, max: 1e-6, noNaN: true }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(step, value, value, value), { minLength: 1, maxLength: 60 }), (rows) => {
        let now = 0;
        const times = Float64Array.from(rows, ([pause]) => (now += pause));
        const positions = rows.flatMap(([, x, y, z]) => [x, y, z]);
        const rotations = rows.flatMap(([, x, y, z]) => [1, x, y, z]);
        const [moved, turned] = [straightTrack(times, positions, 1e-6), turningTrack(times, rotations, 1e-6)];
        for (const [row, [, x, y, z]] of rows.entries()) {
          const time = times[row]!;
          if (times[row + 1] === time) continue;
          const place = straightAt(times, moved, time);
          expect(Math.hypot(place[0] - x, place[1] - y, place[2] - z)).toBeLessThan(1.5e-6);
          const length = Math.hypot(1, x, y, z);
          const own = [1, x, y, z].map((part) => part / length);
          const found = turningAt(times, turned, time);
          const apart = (sign: number) => Math.hypot(...own.map((part, k) => part - sign * found[k]!));
          expect(4 * Math.asin(Math.min(apart(1), apart(-1)) / 2)).toBeLessThan(1.5e-6);
        }
      }),
      { numRuns: 400 },
    );
  });
});
