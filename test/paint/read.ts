/** PNG files, read back with the decompression of Node. */
import { crc32, inflateSync } from 'node:zlib';
import { expect } from 'vitest';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `#rrggbb` of a pixel. */
  at(x: number, y: number): string;
}

/** Reads RGB files whose rows are differences to the rows above; checks every sum. */
export function readPng(file: Uint8Array): Picture {
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
