/** Curves over other signals have a bounded number of points, and look as if they had all. */
import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/paint/raster.ts';
import { orbitLines, type PlotFrame } from '../../../src/results/plot/curve.ts';

/** One unit of the values is a pixel. */
const frame: PlotFrame = {
  left: 0,
  right: 400,
  top: 0,
  bottom: 300,
  x: { low: 0, high: 400 },
  y: { low: 0, high: 300 },
};
const count = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + line.length / 2, 0);
const pointsOf = (lines: readonly Line[]): [number, number][] =>
  lines.flatMap((line) =>
    Array.from({ length: line.length / 2 }, (_, k): [number, number] => [line[2 * k]!, line[2 * k + 1]!]),
  );
const orbit = (rows: number, at: (row: number) => readonly [number, number]) => {
  const points = Array.from({ length: rows }, (_, row) => at(row));
  return {
    across: Float64Array.from(points, ([x]) => x),
    values: Float64Array.from(points, ([, y]) => y),
  };
};

describe('a curve over another signal', () => {
  const angle = (row: number): number => (2 * Math.PI * row) / 1000.5;
  const circle = (turns: number) =>
    orbit(1000 * turns, (row) => [200 + 100 * Math.cos(angle(row)), 150 + 100 * Math.sin(angle(row))]);

  it('has all points where there is room for them', () => {
    expect(count(orbitLines(frame, circle(1), 5000))).toBe(1000);
    expect(count(orbitLines(frame, circle(10)))).toBe(10_000);
  });

  it('that goes round and round is drawn once', () => {
    const lines = orbitLines(frame, circle(300), 5000);
    expect(count(lines)).toBeLessThanOrEqual(5000);
    for (const line of lines)
      for (let k = 2; k < line.length; k += 2)
        expect(Math.hypot(line[k]! - line[k - 2]!, line[k + 1]! - line[k - 1]!)).toBeLessThan(3);
    const turned = new Set<number>();
    for (const [x, y] of pointsOf(lines)) {
      expect(Math.hypot(x - 200, y - 150)).toBeCloseTo(100, 1);
      turned.add(Math.floor(((Math.atan2(y - 150, x - 200) + Math.PI) * 180) / Math.PI));
    }
    for (let degree = 0; degree < 360; degree++) expect(turned).toContain(degree);
  });

  it('that jumps to and fro all over has no more points than it may, and goes everywhere', () => {
    const golden = 0.6180339887498949;
    const jumps = orbit(200_000, (row) => [400 * ((row * golden) % 1), 300 * ((row * row * golden) % 1)]);
    const lines = orbitLines(frame, jumps, 20_000);
    expect(count(lines)).toBeLessThanOrEqual(20_000);
    expect(count(lines)).toBeGreaterThan(1000);
    const visited = new Set(pointsOf(lines).map(([x, y]) => Math.floor(x / 100) + 4 * Math.floor(y / 100)));
    expect(visited.size).toBeGreaterThanOrEqual(12);
  });

  it('that is mostly outside of what is seen keeps what crosses it', () => {
    const rows = orbit(100_000, (row) => (row % 2 === 0 ? [-1000 - row, 150] : [1000 + row, 150]));
    const far = orbit(100_000, (row) => [500 + (row % 7), 100 * (row % 3)]);
    expect(count(orbitLines(frame, far, 10))).toBe(0);
    expect(count(orbitLines(frame, rows, 10))).toBeGreaterThan(0);
  });
});
