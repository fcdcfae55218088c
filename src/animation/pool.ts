/** Lists of numbers that are kept once, however often they come. */

type Numbers = Float32Array | Uint8Array | Uint16Array | Uint32Array;

export class Pool<T extends Numbers> {
  readonly items: T[] = [];
  private readonly known = new Map<T, number>();
  private readonly alike = new Map<string, number[]>();

  /** The number of a list; equal ones have the same. */
  add(item: T): number {
    const known = this.known.get(item);
    if (known !== undefined) return known;
    const bytes = bytesOf(item);
    const key = `${item.constructor.name} ${hashOf(bytes)}`;
    const candidates = this.alike.get(key) ?? [];
    const same = candidates.find((n) => isSame(bytesOf(this.items[n]!), bytes));
    const number = same ?? this.items.push(item) - 1;
    if (same === undefined) this.alike.set(key, [...candidates, number]);
    this.known.set(item, number);
    return number;
  }
}

export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** FNV-1a, and the length. */
function hashOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return `${bytes.length} ${hash}`;
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i]);
