/** PNG files, read back with the decompression of Node. */
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deflated } from '../../../src/results/plot/deflate.ts';
import { lettering } from '../../../src/results/plot/font.ts';
import { plotPng } from '../../../src/results/plot/png.ts';
import { dashed, Raster } from '../../../src/results/plot/raster.ts';
import { tableOfColumns } from '../../../src/results/table/builder.ts';
import { clutch } from '../gallery.ts';
import { anyTable, signal } from '../signals.ts';

interface Picture {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` of a pixel. */
  at(x: number, y: number): string;
}

/** Reads RGB files whose rows are differences to the rows above; checks every sum. */
function readPng(file: Uint8Array): Picture {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  expect([...file.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const chunks = new Map<string, Uint8Array>();
  for (let at = 8; at < file.length; ) {
    const length = view.getUint32(at);
    const body = file.subarray(at + 4, at + 8 + length);
    expect(view.getUint32(at + 8 + length)).toBe(crc32(body));
    chunks.set(String.fromCharCode(...body.subarray(0, 4)), body.subarray(4));
    at += length + 12;
  }
  expect([...chunks.keys()]).toEqual(['IHDR', 'IDAT', 'IEND']);
  const header = chunks.get('IHDR')!;
  const size = new DataView(header.buffer, header.byteOffset, 8);
  const [width, height] = [size.getUint32(0), size.getUint32(4)];
  expect([...header.subarray(8)]).toEqual([8, 2, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT')!);
  const stride = 3 * width;
  expect(rows.length).toBe((stride + 1) * height);
  const pixels = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    expect(rows[row * (stride + 1)]).toBe(2);
    for (let i = 0; i < stride; i++)
      pixels[row * stride + i] =
        rows[row * (stride + 1) + 1 + i]! + (row > 0 ? pixels[(row - 1) * stride + i]! : 0);
  }
  const at = (x: number, y: number): string =>
    `#${Buffer.from(pixels.subarray(3 * (y * width + x), 3 * (y * width + x) + 3)).toString('hex')}`;
  return { width, height, at };
}

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
