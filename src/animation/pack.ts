/** Values with lists of numbers in them as JSON and back: the bytes of a list in base 64, little-endian, beside its type. */
import { bytesOf } from './pool.ts';

const kinds = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array };

interface PackedList {
  readonly list: keyof typeof kinds;
  readonly bytes: string;
}

export function packed(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    ArrayBuffer.isView(part)
      ? ({ list: part.constructor.name, bytes: encoded(bytesOf(part)) } as PackedList)
      : part,
  );
}

export function unpacked(json: string): unknown {
  return JSON.parse(json, (_, part) => (isPacked(part) ? listOf(part) : part));
}

function isPacked(value: unknown): value is PackedList {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'list' in value;
}

function listOf({ list, bytes }: PackedList) {
  const text = atob(bytes);
  const own = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) own[i] = text.charCodeAt(i);
  return new kinds[list](own.buffer);
}

function encoded(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let i = 0; i < bytes.length; i += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(i, i + 0x8000)));
  return btoa(parts.join(''));
}
