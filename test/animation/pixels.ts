/** Colours of a picture in PNG, as browsers write it: eight bits, three or four channels, not interlaced. */
import { inflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue from 0 to 255. */
  at(x: number, y: number): readonly [number, number, number];
}

export function pictureOf(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(height * stride);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? pixels[row * stride + i - channels]! : 0;
      const above = row > 0 ? pixels[(row - 1) * stride + i]! : 0;
      const corner = row > 0 && i >= channels ? pixels[(row - 1) * stride + i - channels]! : 0;
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter]!;
      pixels[row * stride + i] = raw[row * (stride + 1) + 1 + i]! + guess;
    }
  }
  return {
    width,
    height,
    at: (x, y) => {
      const start = Math.floor(y) * stride + Math.floor(x) * channels;
      return [pixels[start]!, pixels[start + 1]!, pixels[start + 2]!];
    },
  };
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(guess - value)) as [number, number, number];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
