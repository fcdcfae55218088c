import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deflated } from '../../src/paint/deflate.ts';
import { lettering } from '../../src/paint/letters.ts';
import { dashed, Raster } from '../../src/paint/raster.ts';
import type { Picture } from './read.ts';

describe('compression', () => {
  it('gives back what was compressed', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 2000 }),
      // Long repetitions, near and far.
      fc
        .array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 40_000 })), {
          maxLength: 6,
        })
        .map((runs) =>
          Uint8Array.from(runs.flatMap(([value, count]) => new Array<number>(count).fill(value))),
        ),
    );
    fc.assert(
      fc.property(bytes, (data) => {
        expect(Buffer.compare(inflateSync(deflated(data)), data)).toBe(0);
      }),
      {
        numRuns: 50,
      },
    );
  });

  it('makes even areas small', () => {
    expect(deflated(new Uint8Array(1_000_000)).length).toBeLessThan(10_000);
  });
});

describe('shapes in pixels', () => {
  const raster = (draw: (raster: Raster) => void): Picture => {
    const made = new Raster(20, 20);
    draw(made);
    const at = (x: number, y: number): string =>
      `#${Buffer.from(made.pixels.subarray(3 * (20 * y + x), 3 * (20 * y + x) + 3)).toString('hex')}`;
    return { width: 20, height: 20, at };
  };
  const gray = (share: number) =>
    `#${Math.round(255 * (1 - share))
      .toString(16)
      .padStart(2, '0')
      .repeat(3)}`;

  it('cover pixels by the share of them that they fill', () => {
    const box = raster((on) => on.rectangle(2.25, 3, 4, 2.5, '#000000'));
    expect([box.at(2, 3), box.at(3, 3), box.at(6, 3), box.at(7, 3)]).toEqual([
      gray(0.75),
      gray(1),
      gray(0.25),
      gray(0),
    ]);
    expect([box.at(3, 5), box.at(3, 6), box.at(3, 2)]).toEqual([gray(0.5), gray(0), gray(0)]);
    const line = raster((on) => on.strokes([[2, 10, 18, 10]], 2, '#000000'));
    expect([line.at(10, 8), line.at(10, 9), line.at(10, 10), line.at(10, 11)]).toEqual([
      gray(0),
      gray(1),
      gray(1),
      gray(0),
    ]);
    const triangle = raster((on) => on.polygons([[0, 0, 20, 0, 0, 20]], '#000000'));
    expect([triangle.at(5, 5), triangle.at(15, 15)]).toEqual([gray(1), gray(0)]);
  });

  it('leave no seams where they overlap, and may lie outside', () => {
    const bent = raster((on) => on.strokes([[-5, 10, 10, 10, 10, 40]], 4, '#000000', 0.5));
    expect([bent.at(3, 10), bent.at(10, 10), bent.at(10, 18)]).toEqual([gray(0.5), gray(0.5), gray(0.5)]);
    expect(bent.at(15, 10)).toBe(gray(0));
  });

  it('are dashed along bends', () => {
    expect(dashed([0, 0, 10, 0], [])).toEqual([[0, 0, 10, 0]]);
    expect(dashed([0, 0, 10, 0], [4, 2])).toEqual([
      [0, 0, 4, 0],
      [6, 0, 10, 0],
    ]);
    expect(dashed([0, 0, 3, 0, 3, 9], [4, 2])).toEqual([
      [0, 0, 3, 0, 3, 1],
      [3, 3, 3, 7],
    ]);
  });
});

describe('letters', () => {
  it('are there for all that plots write', () => {
    const used = [
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:;!?\'"-−+=/|()[]{}<>_*#%°·×…µΩ²³⁻¹',
    ];
    const box = JSON.stringify(lettering('\uE000').lines);
    for (const letter of used)
      expect([letter, JSON.stringify(lettering(letter).lines) === box]).toEqual([letter, false]);
    expect(lettering('ü').lines.length).toBe(lettering('u').lines.length + 2);
    expect(lettering('12').width).toBe(lettering('88').width);
    expect(lettering('').width).toBe(0);
  });
});
