/** Pictures in PNG files as pixels (PNG, third edition): all kinds of colours with up to 8 bits, not interlaced. */
import { inflated } from './inflate.ts';

export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of every pixel. */
  readonly data: Uint8Array;
}

/** Larger pictures are not read. */
const MOST_PIXELS = 2e7;

/** Undefined for files of other kinds, and for wrong ones. */
export function readPng(file: Uint8Array): Pixels | undefined {
  try {
    return decoded(file);
  } catch (problem) {
    if (problem instanceof RangeError) return undefined;
    throw problem;
  }
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly color: number;
}

/** Samples of a pixel by the kind of colour. */
const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function decoded(file: Uint8Array): Pixels | undefined {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (file.length < 33 || view.getUint32(0) !== 0x89504e47) return undefined;
  const width = view.getUint32(16);
  const height = view.getUint32(20);
  const header: Header = { width, height, depth: file[24]!, color: file[25]! };
  const samples = SAMPLES[header.color];
  const isKnown = samples !== undefined && header.depth <= 8 && file[28] === 0;
  if (!isKnown || width * height === 0 || width * height > MOST_PIXELS) return undefined;
  const parts: Uint8Array[] = [];
  let palette = new Uint8Array();
  let transparency = new Uint8Array();
  for (let at = 8; at + 8 <= file.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    const body = file.slice(at + 8, at + 8 + length);
    if (type === 'IDAT') parts.push(body);
    else if (type === 'PLTE') palette = body;
    else if (type === 'tRNS') transparency = body;
    at += length + 12;
  }
  const stride = Math.ceil((width * samples * header.depth) / 8);
  const rows = unfiltered(joined(parts), header, stride, Math.max(1, (samples * header.depth) >> 3));
  return { width, height, data: coloured(rows, header, stride, palette, transparency) };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Rows without the differences that they were written as (section 9). */
function unfiltered(stream: Uint8Array, { height }: Header, stride: number, step: number): Uint8Array {
  const raw = inflated(stream, 2 * (stride + 1) * height);
  if (raw.length < (stride + 1) * height) throw new RangeError('too few rows');
  const rows = new Uint8Array(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (stride + 1)]!;
    for (let i = 0; i < stride; i++) {
      const at = row * stride + i;
      const left = i >= step ? rows[at - step]! : 0;
      const above = row > 0 ? rows[at - stride]! : 0;
      const corner = i >= step && row > 0 ? rows[at - stride - step]! : 0;
      rows[at] = raw[row * (stride + 1) + 1 + i]! + predicted(filter, left, above, corner);
    }
  }
  return rows;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4: {
      const p = left + above - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - above), Math.abs(p - corner)];
      return a <= b && a <= c ? left : b <= c ? above : corner;
    }
    default:
      return 0;
  }
}

function coloured(
  rows: Uint8Array,
  { width, height, depth, color }: Header,
  stride: number,
  palette: Uint8Array,
  transparency: Uint8Array,
): Uint8Array {
  const samples = SAMPLES[color]!;
  const top = (1 << depth) - 1;
  const data = new Uint8Array(4 * width * height);
  const sample = (row: number, k: number): number => {
    if (depth === 8) return rows[row * stride + k]!;
    const bit = k * depth;
    return (rows[row * stride + (bit >> 3)]! >> (8 - depth - (bit & 7))) & top;
  };
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = 4 * (row * width + column);
      const first = sample(row, column * samples);
      if (color === 3) {
        for (let c = 0; c < 3; c++) data[at + c] = palette[3 * first + c] ?? 0;
        data[at + 3] = transparency[first] ?? 255;
        continue;
      }
      const isGray = samples <= 2;
      for (let c = 0; c < 3; c++)
        data[at + c] = isGray ? (255 * first) / top : sample(row, column * samples + c);
      data[at + 3] = samples === 2 || samples === 4 ? sample(row, column * samples + samples - 1) : 255;
    }
  }
  return data;
}
