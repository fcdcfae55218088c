/**
 * Compression for PNG files (RFC 1950 and 1951), the same wherever there is JavaScript: one block with the fixed codes; a repetition is sought at
 * the last place where the same three bytes stood. Pictures with large even areas become about as small as with better searches.
 */

/** A zlib stream of some bytes. */
export function deflated(bytes: Uint8Array): Uint8Array {
  const out = new BitWriter(bytes.length / 4 + 64);
  out.byte(0x78);
  out.byte(0x01);
  out.bits(1, 1); // The last block,
  out.bits(1, 2); // with fixed codes.
  compress(bytes, out);
  writeLiteral(out, END);
  out.align();
  const sum = adler32(bytes);
  for (const shift of [24, 16, 8, 0]) out.byte((sum >>> shift) & 255);
  return out.finish();
}

const END = 256;
const LEAST_MATCH = 3;
const LONGEST_MATCH = 258;
const WINDOW = 32_768;
const HASHES = 1 << 15;

function compress(bytes: Uint8Array, out: BitWriter): void {
  const last = new Int32Array(HASHES).fill(-1);
  const hashAt = (i: number): number =>
    ((bytes[i]! << 10) ^ (bytes[i + 1]! << 5) ^ bytes[i + 2]!) & (HASHES - 1);
  for (let i = 0; i < bytes.length; ) {
    let length = 0;
    let from = -1;
    if (i + LEAST_MATCH <= bytes.length) {
      const hash = hashAt(i);
      from = last[hash]!;
      last[hash] = i;
      if (from >= 0 && i - from <= WINDOW) {
        const most = Math.min(LONGEST_MATCH, bytes.length - i);
        while (length < most && bytes[from + length] === bytes[i + length]) length++;
      }
    }
    if (length < LEAST_MATCH) writeLiteral(out, bytes[i++]!);
    else {
      writeMatch(out, length, i - from);
      i += length;
    }
  }
}

/** Codes of RFC 1951, section 3.2.6, written from their highest bit on. */
function writeLiteral(out: BitWriter, symbol: number): void {
  if (symbol < 144) out.code(0x30 + symbol, 8);
  else if (symbol < 256) out.code(0x190 + symbol - 144, 9);
  else if (symbol < 280) out.code(symbol - 256, 7);
  else out.code(0xc0 + symbol - 280, 8);
}

/** Section 3.2.5: first values of the codes of lengths and distances, and how many further bits tell the rest. */
const LENGTHS = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = Array.from({ length: 30 }, (_, i) =>
  i < 4 ? i + 1 : ((2 + (i & 1)) << ((i >> 1) - 1)) + 1,
);

function writeMatch(out: BitWriter, length: number, distance: number): void {
  const l = LENGTHS.findLastIndex((first) => first <= length);
  writeLiteral(out, 257 + l);
  out.bits(length - LENGTHS[l]!, LENGTH_BITS[l]!);
  const d = DISTANCES.findLastIndex((first) => first <= distance);
  out.code(d, 5);
  out.bits(distance - DISTANCES[d]!, Math.max(0, (d >> 1) - 1));
}

class BitWriter {
  private bytes: Uint8Array;
  private length = 0;
  private held = 0;
  private count = 0;

  constructor(size: number) {
    this.bytes = new Uint8Array(Math.ceil(size));
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.bytes.length);
      larger.set(this.bytes);
      this.bytes = larger;
    }
    this.bytes[this.length++] = value;
  }

  /** From the lowest bit on. */
  bits(value: number, count: number): void {
    this.held |= value << this.count;
    this.count += count;
    while (this.count >= 8) {
      this.byte(this.held & 255);
      this.held >>>= 8;
      this.count -= 8;
    }
  }

  /** From the highest bit on. */
  code(value: number, count: number): void {
    for (let i = count - 1; i >= 0; i--) this.bits((value >>> i) & 1, 1);
  }

  align(): void {
    if (this.count > 0) this.bits(0, 8 - this.count);
  }

  finish(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}

function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (let i = 0; i < bytes.length; ) {
    const end = Math.min(bytes.length, i + 5552);
    for (; i < end; i++) b += a += bytes[i]!;
    a %= 65_521;
    b %= 65_521;
  }
  return ((b << 16) | a) >>> 0;
}
