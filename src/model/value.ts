/**
 * Values of expressions that are evaluated before any code exists. Arrays are flat in row-major order with their sizes, so that
 * empty ones keep their shape.
 */
import { sameItems } from '../collections/lists.ts';
import type { ClassNode, Enumeration } from './instance.ts';

export type Value =
  | RealValue
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'string'; readonly value: string }
  /** The index counts from 1. */
  | (Enumeration & { readonly kind: 'enumeration'; readonly index: number })
  | ArrayValue
  | RecordValue;

export interface RealValue {
  readonly kind: 'real';
  readonly value: number;
  /** Where a function is differentiated: how fast the value changes. */
  readonly slope?: number;
}

export interface ArrayValue {
  readonly kind: 'array';
  readonly dims: readonly number[];
  /** Scalars and records, never arrays. */
  readonly elements: readonly Value[];
}

export interface RecordValue {
  readonly kind: 'record';
  readonly path: string;
  /** The operator record whose operators it has. */
  readonly operators?: ClassNode | undefined;
  readonly fields: ReadonlyMap<string, Value>;
}

export const real = (value: number, slope = 0): RealValue =>
  slope === 0 ? { kind: 'real', value } : { kind: 'real', value, slope };

/** How fast a value changes where a function is differentiated. */
export const slopeOf = (value: Value): number => (value.kind === 'real' ? (value.slope ?? 0) : 0);

export const integer = (value: number): Value => ({ kind: 'integer', value });
export const boolean = (value: boolean): Value => ({ kind: 'boolean', value });
export const string = (value: string): Value => ({ kind: 'string', value });

export const dimsOf = (value: Value): readonly number[] => (value.kind === 'array' ? value.dims : []);

export const elementsOf = (value: Value): readonly Value[] =>
  value.kind === 'array' ? value.elements : [value];

/** Sizes as messages write them. */
export const dimsName = (dims: readonly number[]): string =>
  dims.length ? `[${dims.join(', ')}]` : 'scalar';

export const product = (dims: readonly number[]): number => dims.reduce((total, n) => total * n, 1);

export const isNumber = (value: Value): value is Extract<Value, { kind: 'real' | 'integer' }> =>
  value.kind === 'real' || value.kind === 'integer';

/** An array of equal parts along a new first dimension; `undefined` where their sizes differ. */
export function stack(parts: readonly Value[]): ArrayValue | undefined {
  const first = parts[0];
  const inner = first ? dimsOf(first) : [];
  if (!parts.every((part) => sameItems(dimsOf(part), inner))) return undefined;
  return { kind: 'array', dims: [parts.length, ...inner], elements: parts.flatMap(elementsOf) };
}

/** An array of the given sizes; a scalar when there are none. */
export function arrayOf(dims: readonly number[], element: (k: number) => Value): Value {
  if (dims.length === 0) return element(0);
  return { kind: 'array', dims, elements: Array.from({ length: product(dims) }, (_, k) => element(k)) };
}

/** The part of an array under leading subscripts (from 1); `undefined` outside. */
export function at(value: Value, index: readonly number[]): Value | undefined {
  if (index.length === 0) return value;
  const dims = dimsOf(value);
  if (index.length > dims.length || value.kind !== 'array') return undefined;
  let offset = 0;
  for (const [d, i] of index.entries()) {
    if (!(i >= 1 && i <= dims[d]!)) return undefined;
    offset = offset * dims[d]! + (i - 1);
  }
  const rest = dims.slice(index.length);
  const size = product(rest);
  if (rest.length === 0) return value.elements[offset];
  return { kind: 'array', dims: rest, elements: value.elements.slice(offset * size, (offset + 1) * size) };
}

/** How messages speak of a value's type. */
export function typeName(value: Value): string {
  if (value.kind === 'enumeration' || value.kind === 'record') return value.path;
  if (value.kind !== 'array') return plainTypes[value.kind];
  return value.elements[0] ? `array of ${typeName(value.elements[0])}` : 'empty array';
}

const plainTypes = { real: 'Real', integer: 'Integer', boolean: 'Boolean', string: 'String' } as const;
