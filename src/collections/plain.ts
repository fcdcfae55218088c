/**
 * Values as text: JSON, with what JSON lacks as objects of one key. `{"$": "Map", "of": [[k, v], …]}` stands for maps, the same with `Set` and the names of typed
 * arrays for these; numbers that are not finite, and a zero with a sign, are `{"$": "NaN"}` and so on, and what is undefined is `{"$": "undefined"}`.
 */

type Typed = Float64Array | Int32Array | Int8Array | Uint8Array;
const typed = { Float64Array, Int32Array, Int8Array, Uint8Array } as const;
const odd: Readonly<Record<string, number | undefined>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
  '-0': -0,
  undefined: undefined,
};

export function toText(value: unknown): string {
  return JSON.stringify(plain(value));
}

/** What a text stands for; throws a `SyntaxError` where it is none of `toText`. */
export function fromText(text: string): unknown {
  return whole(JSON.parse(text));
}

function plain(value: unknown): unknown {
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'number') {
    if (Object.is(value, -0)) return { $: '-0' };
    return Number.isFinite(value) ? value : { $: String(value) };
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return Array.from(value, plain);
  if (value instanceof Map) return { $: 'Map', of: [...value].map((pair) => pair.map(plain)) };
  if (value instanceof Set) return { $: 'Set', of: [...value].map(plain) };
  const name = value.constructor.name;
  if (Object.hasOwn(typed, name)) return { $: name, of: Array.from(value as Typed, plain) };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

function whole(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(whole);
  const { $: kind, of } = value as { $?: unknown; of?: unknown };
  if (typeof kind !== 'string')
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, whole(item)]));
  if (Object.hasOwn(odd, kind)) return odd[kind];
  if (!Array.isArray(of)) throw new SyntaxError(`a value of the kind ${kind} has no list`);
  const items = of.map(whole);
  if (kind === 'Map') return new Map(items as [unknown, unknown][]);
  if (kind === 'Set') return new Set(items);
  if (!Object.hasOwn(typed, kind)) throw new SyntaxError(`there is no value of the kind ${kind}`);
  return new typed[kind as keyof typeof typed](items as number[]);
}
