/** Values with lists of numbers in them as JSON and back: the bytes of a list in base 64, little-endian, beside its type. */
import { fromBase64, toBase64 } from '../paint/base64.ts';
import { bytesOf } from './pool.ts';

const kinds = { Uint8Array, Uint16Array, Uint32Array, Float32Array, Float64Array };

interface PackedList {
  readonly list: keyof typeof kinds;
  readonly bytes: string;
}

export function packed(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    ArrayBuffer.isView(part)
      ? ({ list: part.constructor.name, bytes: toBase64(bytesOf(part)) } as PackedList)
      : part,
  );
}

export function unpacked(json: string): unknown {
  return JSON.parse(json, (_, part) => (isPacked(part) ? listOf(part) : part));
}

function isPacked(value: unknown): value is PackedList {
  return typeof value === 'object' && value !== null && 'bytes' in value && 'list' in value;
}

const listOf = ({ list, bytes }: PackedList) => new kinds[list](fromBase64(bytes).buffer);
