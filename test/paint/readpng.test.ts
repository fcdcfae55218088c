/** Reading PNG files, against the compression of Node and files written by hand. */
import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromBase64, toBase64 } from '../../src/paint/base64.ts';
import { inflated } from '../../src/paint/inflate.ts';
import { pngFile } from '../../src/paint/png.ts';
import { Raster } from '../../src/paint/raster.ts';
import { readPng } from '../../src/paint/readpng.ts';

const repetitive = fc
  .array(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 3000 })), { maxLength: 8 })
  .map((runs) => Uint8Array.from(runs.flatMap(([value, count]) => new Array<number>(count).fill(value))));

describe('decompression', () => {
  test('gives back what was compressed, stored, with fixed and with own codes', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.uint8Array({ maxLength: 3000 }), repetitive),
        fc.constantFrom(0, 1, 9),
        fc.constantFrom(0, 4),
        (data, level, strategy) => {
          const stream = new Uint8Array(deflateSync(data, { level, strategy }));
          expect(Buffer.compare(inflated(stream, 1e6), data)).toBe(0);
        },
      ),
    );
  });

  test('refuses what is none, ends early or is too much', () => {
    const stream = new Uint8Array(deflateSync(new Uint8Array(300_000)));
    expect(() => inflated(stream, 1000)).toThrow(RangeError);
    expect(() => inflated(stream.subarray(0, 20), 1e6)).toThrow(RangeError);
    expect(() => inflated(new Uint8Array(10), 1e6)).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 8, maxLength: 100 }), (data) => {
        data[0] = 0x78;
        try {
          inflated(data, 1e5);
        } catch (problem) {
          expect(problem).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

/** A file of one row filter for all rows. */
function png(
  width: number,
  height: number,
  depth: number,
  color: number,
  rows: number[][],
  more: [string, number[]][] = [],
): Uint8Array {
  const chunk = (type: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([depth, color], 8);
  return new Uint8Array(
    Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', head),
      ...more.map(([type, data]) => chunk(type, Uint8Array.from(data))),
      chunk('IDAT', deflateSync(Uint8Array.from(rows.flat()))),
      chunk('IEND', new Uint8Array()),
    ]),
  );
}

describe('PNG files', () => {
  test('are read as they were written', () => {
    const raster = new Raster(7, 5);
    raster.rectangle(1, 1, 3.5, 2, '#ff8000');
    raster.strokes([[0, 0, 6, 4]], 1, '#0000ff');
    const { width, height, data } = readPng(pngFile(raster))!;
    expect([width, height]).toEqual([7, 5]);
    const colors = [...data].filter((_, k) => k % 4 !== 3);
    expect(colors).toEqual([...raster.pixels]);
  });

  test('of all kinds of colours and filters', () => {
    // Gray, each row by another filter: none, left, above, mean, Paeth. All rows are 10 20 30.
    const gray = png(3, 5, 8, 0, [
      [0, 10, 20, 30],
      [1, 10, 10, 10],
      [2, 0, 0, 0],
      [3, 5, 5, 5],
      [4, 0, 0, 0],
    ]);
    const rows = [...readPng(gray)!.data].filter((_, k) => k % 4 === 0);
    expect(rows).toEqual([10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30, 10, 20, 30]);
    // Two bits of a palette with transparency: 0, 1, 2, 1.
    const palette = png(
      4,
      1,
      2,
      3,
      [[0, 0b00011001]],
      [
        ['PLTE', [1, 2, 3, 4, 5, 6, 7, 8, 9]],
        ['tRNS', [0, 128]],
      ],
    );
    expect([...readPng(palette)!.data]).toEqual([1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255, 4, 5, 6, 128]);
    expect([...readPng(png(1, 1, 8, 6, [[0, 9, 8, 7, 6]]))!.data]).toEqual([9, 8, 7, 6]);
    expect([...readPng(png(1, 1, 8, 4, [[0, 9, 6]]))!.data]).toEqual([9, 9, 9, 6]);
    expect([...readPng(png(8, 1, 1, 0, [[0, 0b10000001]]))!.data.filter((_, k) => k % 4 === 0)]).toEqual([
      255, 0, 0, 0, 0, 0, 0, 255,
    ]);
  });

  test('that are wrong, too large or of another kind are none', () => {
    expect(readPng(new Uint8Array(5))).toBeUndefined();
    expect(readPng(png(1, 1, 16, 0, [[0, 1, 1]]))).toBeUndefined();
    expect(readPng(png(100_000, 100_000, 8, 0, [[0]]))).toBeUndefined();
    expect(readPng(png(10, 10, 8, 0, [[0, 1, 1]]))).toBeUndefined();
  });
});

describe('base 64', () => {
  test('gives back the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
        expect([...fromBase64(toBase64(bytes))]).toEqual([...bytes]);
      }),
    );
  });
});
