/** Unpacks what zlib has packed (RFC 1950, RFC 1951). */

/** Nothing that a model reads is larger: bytes that unpack without end are refused. */
const LARGEST = 1 << 29;

/** Lengths and distances: smallest value and number of bits that add to it, by code. */
const lengths = bases(29, 3, (k) => Math.max(0, (k >> 2) - 1));
const distances = bases(30, 1, (k) => Math.max(0, (k >> 1) - 1));
/** In this order the lengths of code lengths are written. */
const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/** Throws a `RangeError` where the data end too early, and another error where they are wrong. */
export function inflate(packed: Uint8Array): Uint8Array {
  const [method, flags] = [packed[0]!, packed[1]!];
  if ((method & 15) !== 8 || ((method << 8) | flags) % 31 !== 0 || (flags & 32) !== 0)
    throw new Error('its compressed part is not packed by zlib');
  const bits = new Bits(packed, 2);
  const out = new Output();
  for (let last = 0; last === 0; ) {
    last = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) stored(bits, out);
    else if (kind === 1) coded(bits, out, fixedCodes());
    else if (kind === 2) coded(bits, out, dynamicCodes(bits));
    else throw new Error('its compressed part is damaged');
  }
  const unpacked = out.bytes();
  bits.align();
  const sum = ((bits.take(8) << 24) | (bits.take(8) << 16) | (bits.take(8) << 8) | bits.take(8)) >>> 0;
  if (sum !== adler32(unpacked)) throw new Error('its compressed part is damaged: the checksum differs');
  return unpacked;
}

function stored(bits: Bits, out: Output): void {
  bits.align();
  const length = bits.take(16);
  if ((bits.take(16) ^ 0xffff) !== length) throw new Error('its compressed part is damaged');
  for (let k = 0; k < length; k++) out.add(bits.take(8));
}

interface Codes {
  readonly literals: Huffman;
  readonly distances: Huffman;
}

function coded(bits: Bits, out: Output, codes: Codes): void {
  for (;;) {
    const symbol = codes.literals.read(bits);
    if (symbol === 256) return;
    if (symbol < 256) {
      out.add(symbol);
      continue;
    }
    const length = numberFrom(lengths, symbol - 257, bits);
    out.repeat(numberFrom(distances, codes.distances.read(bits), bits), length);
  }
}

function numberFrom(table: readonly (readonly [number, number])[], code: number, bits: Bits): number {
  const row = table[code];
  if (!row) throw new Error('its compressed part is damaged');
  return row[0] + bits.take(row[1]);
}

function fixedCodes(): Codes {
  const own = Array.from({ length: 288 }, (_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8));
  return { literals: new Huffman(own), distances: new Huffman(new Array<number>(30).fill(5)) };
}

function dynamicCodes(bits: Bits): Codes {
  const [literals, far, count] = [bits.take(5) + 257, bits.take(5) + 1, bits.take(4) + 4];
  const sizes = new Array<number>(19).fill(0);
  for (let k = 0; k < count; k++) sizes[order[k]!] = bits.take(3);
  const code = new Huffman(sizes);
  const all: number[] = [];
  while (all.length < literals + far) {
    const symbol = code.read(bits);
    if (symbol < 16) {
      all.push(symbol);
      continue;
    }
    if (symbol === 16 && all.length === 0) throw new Error('its compressed part is damaged');
    const value = symbol === 16 ? all.at(-1)! : 0;
    const times = symbol === 16 ? bits.take(2) + 3 : symbol === 17 ? bits.take(3) + 3 : bits.take(7) + 11;
    for (let k = 0; k < times; k++) all.push(value);
  }
  return {
    literals: new Huffman(all.slice(0, literals)),
    distances: new Huffman(all.slice(literals, literals + far)),
  };
}

class Bits {
  private held = 0;
  private count = 0;

  constructor(
    private readonly data: Uint8Array,
    private at: number,
  ) {}

  take(n: number): number {
    while (this.count < n) {
      if (this.at >= this.data.length) throw new RangeError();
      this.held |= this.data[this.at++]! << this.count;
      this.count += 8;
    }
    const value = this.held & ((1 << n) - 1);
    this.held >>>= n;
    this.count -= n;
    return value;
  }

  /** To the next whole byte. */
  align(): void {
    this.take(this.count % 8);
  }
}

/** Codes of shorter lengths come first, those of the same length in the order of their symbols. */
class Huffman {
  private readonly counts = new Array<number>(16).fill(0);
  private readonly symbols: number[] = [];

  constructor(sizes: readonly number[]) {
    for (let length = 1; length < 16; length++)
      for (const [symbol, size] of sizes.entries())
        if (size === length) {
          this.counts[length]!++;
          this.symbols.push(symbol);
        }
  }

  read(bits: Bits): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length < 16; length++) {
      code |= bits.take(1);
      const count = this.counts[length]!;
      if (code - first < count) return this.symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new Error('its compressed part is damaged');
  }
}

class Output {
  private room = new Uint8Array(1 << 16);
  private length = 0;

  add(byte: number): void {
    if (this.length === this.room.length) this.grow();
    this.room[this.length++] = byte;
  }

  repeat(distance: number, length: number): void {
    if (distance > this.length) throw new Error('its compressed part is damaged');
    for (let k = 0; k < length; k++) this.add(this.room[this.length - distance]!);
  }

  bytes(): Uint8Array {
    return this.room.subarray(0, this.length);
  }

  private grow(): void {
    if (this.length >= LARGEST) throw new Error('its compressed part is too large');
    const more = new Uint8Array(2 * this.length);
    more.set(this.room);
    this.room = more;
  }
}

/** The checksum at the end (RFC 1950, section 8.2). */
function adler32(bytes: Uint8Array): number {
  let [a, b] = [1, 0];
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}

function bases(count: number, first: number, extra: (k: number) => number): (readonly [number, number])[] {
  const table: (readonly [number, number])[] = [];
  let next = first;
  for (let k = 0; k < count; k++) {
    // The longest length has a code of its own, without bits.
    if (first === 3 && k === 28) table.push([258, 0]);
    else table.push([next, extra(k)]);
    next += 1 << extra(k);
  }
  return table;
}
