/** Decompression of zlib streams (RFC 1950 and 1951), for pictures in PNG files. Wrong or endless streams throw a `RangeError`. */

/** The bytes of a stream; at most `most` of them. */
export function inflated(stream: Uint8Array, most: number): Uint8Array {
  if (stream.length < 6 || (stream[0]! & 15) !== 8) throw new RangeError('no zlib stream');
  const bits = new BitReader(stream, 2);
  const out = new Output(most);
  for (let isLast = 0; isLast === 0; ) {
    isLast = bits.take(1);
    const kind = bits.take(2);
    if (kind === 0) stored(bits, out);
    else if (kind === 1) block(bits, out, fixedLiterals, fixedDistances);
    else if (kind === 2) block(bits, out, ...dynamicCodes(bits));
    else throw new RangeError('a block of an unknown kind');
  }
  return out.bytes();
}

class BitReader {
  private held = 0;
  private count = 0;

  constructor(
    private readonly source: Uint8Array,
    private at: number,
  ) {}

  take(count: number): number {
    while (this.count < count) {
      if (this.at >= this.source.length) throw new RangeError('the stream ends too early');
      this.held |= this.source[this.at++]! << this.count;
      this.count += 8;
    }
    const value = this.held & ((1 << count) - 1);
    this.held >>>= count;
    this.count -= count;
    return value;
  }

  /** Bytes from the next whole one on. */
  bytes(count: number): Uint8Array {
    this.at -= this.count >> 3;
    this.held = 0;
    this.count = 0;
    const part = this.source.subarray(this.at, this.at + count);
    if (part.length < count) throw new RangeError('the stream ends too early');
    this.at += count;
    return part;
  }

  symbol({ counts, symbols }: Code): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length < counts.length; length++) {
      code |= this.take(1);
      const count = counts[length]!;
      if (code - count < first) return symbols[index + code - first]!;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw new RangeError('a code that means nothing');
  }
}

class Output {
  private data = new Uint8Array(1 << 16);
  private length = 0;

  constructor(private readonly most: number) {}

  add(byte: number): void {
    if (this.length === this.data.length) this.grow();
    this.data[this.length++] = byte;
  }

  repeat(distance: number, count: number): void {
    if (distance > this.length) throw new RangeError('a repetition of what is not there');
    for (let k = 0; k < count; k++) this.add(this.data[this.length - distance]!);
  }

  bytes(): Uint8Array {
    return this.data.subarray(0, this.length);
  }

  private grow(): void {
    if (this.length >= this.most) throw new RangeError('too many bytes');
    const larger = new Uint8Array(2 * this.length);
    larger.set(this.data);
    this.data = larger;
  }
}

/** How many codes there are of each length, and what they mean in their order (canonical Huffman codes). */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

function codeOf(lengths: readonly number[]): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) if (length > 0) counts[length]!++;
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++) next[length + 1] = next[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length > 0) symbols[next[length]!++] = symbol;
  return { counts, symbols };
}

const repeated = (value: number, count: number): number[] => new Array<number>(count).fill(value);
const fixedLiterals = codeOf([
  ...repeated(8, 144),
  ...repeated(9, 112),
  ...repeated(7, 24),
  ...repeated(8, 8),
]);
const fixedDistances = codeOf(repeated(5, 30));

/** The order in which lengths of codes of lengths are given. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function dynamicCodes(bits: BitReader): [Code, Code] {
  const literals = bits.take(5) + 257;
  const distances = bits.take(5) + 1;
  const given = bits.take(4) + 4;
  const own = repeated(0, 19);
  for (let k = 0; k < given; k++) own[ORDER[k]!] = bits.take(3);
  const code = codeOf(own);
  const lengths: number[] = [];
  while (lengths.length < literals + distances) {
    const symbol = bits.symbol(code);
    if (symbol < 16) lengths.push(symbol);
    else if (symbol === 16) lengths.push(...repeated(lengths.at(-1) ?? 0, 3 + bits.take(2)));
    else lengths.push(...repeated(0, symbol === 17 ? 3 + bits.take(3) : 11 + bits.take(7)));
  }
  return [codeOf(lengths.slice(0, literals)), codeOf(lengths.slice(literals, literals + distances))];
}

function stored(bits: BitReader, out: Output): void {
  const head = bits.bytes(4);
  for (const byte of bits.bytes(head[0]! | (head[1]! << 8))) out.add(byte);
}

function block(bits: BitReader, out: Output, literals: Code, distances: Code): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol === 256) return;
    if (symbol < 256) {
      out.add(symbol);
      continue;
    }
    const count = extended(bits, symbol - 257, 4, 3, 258);
    out.repeat(extended(bits, bits.symbol(distances), 2, 1, 0), count);
  }
}

/** The value of a code for lengths or distances: groups of `group` codes have one bit more than those before (RFC 1951, section 3.2.5). */
function extended(bits: BitReader, code: number, group: number, least: number, last: number): number {
  if (group === 4 && code === 28) return last;
  if (code > 29) throw new RangeError('a code that means nothing');
  const more = Math.max(0, Math.floor(code / group) - 1);
  const first = code < 2 * group ? code : (group + (code % group)) << more;
  return least + first + bits.take(more);
}
