/** PNG files, read back with the decompression of Node. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plotPng } from '../../../src/results/plot/png.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import { readPng } from '../../paint/read.ts';
import { clutch } from '../gallery.ts';
import { anyTable, signal } from '../signals.ts';

describe('a plot as PNG', () => {
  // A line from corner to corner of the values, in the first colour of the palette.
  const table = tableOfColumns([signal('x')], [0, 10], [[0, 0]]);

  it('has the size of the figure in pixels, and its curve where the axis says', () => {
    const { width, height, at } = readPng(plotPng(table, 'x', { title: '', scale: 2 }));
    expect(width).toBe(1600);
    const column = Array.from({ length: height }, (_, y) => at(800, y));
    const blue = column.flatMap((color, y) => (color === '#0072b2' ? [y] : []));
    // 1.75 pixels wide at twice the size: two or three are covered whole, in the middle of the panel of 300 pixels.
    expect([2, 3]).toContain(blue.length);
    // Legend above it: 16 + 19 + 4 pixels, then the panel.
    expect(Math.abs(blue[0]! / 2 - (16 + 19 + 4 + 150))).toBeLessThanOrEqual(1);
    expect(readPng(plotPng(table, 'x', { scale: 1 })).width).toBe(800);
  });

  it('is light, or dark where that is asked for', () => {
    expect(readPng(plotPng(clutch())).at(1, 1)).toBe('#ffffff');
    expect(readPng(plotPng(clutch(), undefined, { theme: 'dark' })).at(1, 1)).toBe('#14181d');
  });

  it('is a file for any table', () => {
    const draw = fc.property(anyTable, (any) => {
      readPng(plotPng(any, any.names, { scale: 0.5, width: 300 }));
    });
    fc.assert(draw, { numRuns: 8 });
  });

  it('refuses what would not fit into memory', () => {
    expect(() => plotPng(table, 'x', { width: 1e6 })).toThrow('is too large for a PNG file.');
  });

  it.each([[0], [100], [Number.NaN], ['2']])('refuses the scale %j', (scale) => {
    expect(() => plotPng(table, 'x', { scale: scale as number })).toThrow(RangeError);
  });
});
