/** PNG files of pixels. */
import { crc32 } from '../collections/crc.ts';
import { concatenated } from '../collections/lists.ts';
import { deflated } from './deflate.ts';
import type { Raster } from './raster.ts';

/** Signature, header, pixels, end (PNG, third edition, sections 5 and 11). */
export function pngFile({ width, height, pixels }: Raster): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8); // Bits of a sample,
  header.setUint8(9, 2); // which are red, green and blue.
  const parts = [
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', deflated(filtered(pixels, 3 * width, height))),
    chunk('IEND', new Uint8Array()),
  ];
  return concatenated(parts, Uint8Array);
}

/** Every row as its difference to the row above: most rows of a plot are like that. */
function filtered(pixels: Uint8Array, stride: number, height: number): Uint8Array {
  const rows = new Uint8Array((stride + 1) * height);
  for (let row = 0; row < height; row++) {
    const start = row * (stride + 1);
    rows[start] = UP;
    for (let i = 0; i < stride; i++) {
      const above = row === 0 ? 0 : pixels[(row - 1) * stride + i]!;
      rows[start + 1 + i] = pixels[row * stride + i]! - above;
    }
  }
  return rows;
}

const UP = 2;

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(
    [...type].map((letter) => letter.charCodeAt(0)),
    4,
  );
  bytes.set(data, 8);
  view.setUint32(data.length + 8, crc32(bytes.subarray(4, data.length + 8)));
  return bytes;
}
