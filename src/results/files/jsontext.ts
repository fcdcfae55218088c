/** Reading JSON that somebody else may have written: every complaint says where. */
import { type FilePlace, FormatError } from './format.ts';

/** The value that a text stands for. Throws a `FormatError` that says where it is no JSON. */
export function parseJson(text: string): JsonReader {
  try {
    return new JsonReader(JSON.parse(text), '');
  } catch (cause) {
    const place = jsonErrorPlace(text);
    throw new FormatError(
      place ? 'This is not JSON.' : `This is not JSON: ${(cause as Error).message}`,
      place,
    );
  }
}

/** A value with the way to it from the top: `signals[3].unit`. */
export class JsonReader {
  constructor(
    readonly value: unknown,
    readonly path: string,
  ) {}

  /** A field that must be there. */
  field(name: string): JsonReader {
    const found = this.optional(name);
    if (found) return found;
    throw new FormatError(`${this.path || 'The file'} has no field \`${name}\`.`);
  }

  optional(name: string): JsonReader | undefined {
    const fields = this.object().value as Record<string, unknown>;
    if (!Object.hasOwn(fields, name)) return undefined;
    return new JsonReader(fields[name], this.path === '' ? name : `${this.path}.${name}`);
  }

  object(): this {
    if (typeof this.value === 'object' && this.value !== null && !Array.isArray(this.value)) return this;
    throw this.wrong('an object');
  }

  list(): JsonReader[] {
    return this.values().map((_, i) => this.item(i));
  }

  /** A list of texts. */
  strings(): string[] {
    return this.list().map((item) => item.string());
  }

  /** The elements of a list, as they are. */
  values(): readonly unknown[] {
    if (Array.isArray(this.value)) return this.value;
    throw this.wrong('a list');
  }

  item(index: number): JsonReader {
    return new JsonReader(this.values()[index], `${this.path}[${index}]`);
  }

  string(): string {
    if (typeof this.value === 'string') return this.value;
    throw this.wrong('a text');
  }

  /** A number of things: 0, 1, 2, ... */
  count(): number {
    if (Number.isSafeInteger(this.value) && (this.value as number) >= 0) return this.value as number;
    throw this.wrong('a count');
  }

  oneOf<T extends string | number>(values: readonly T[]): T {
    if (values.includes(this.value as T)) return this.value as T;
    throw this.wrong(`one of ${values.join(', ')}`);
  }

  wrong(needed: string): FormatError {
    const text = JSON.stringify(this.value) ?? 'nothing';
    const found = text.length > 40 ? `${text.slice(0, 40)}…` : text;
    return new FormatError(`${this.path || 'The file'} must be ${needed}, not ${found}.`);
  }
}

/** A token of RFC 8259, with the white space before it. */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[ !#-[\]-\uFFFF]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))/y;

/** What may come next: a value, or a closing bracket where the list is still empty; and so on. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end';

/**
 * Where a text stops being JSON; undefined where it does not. JSON.parse knows, but does not always say. Brackets are kept on a stack,
 * so that depth is no danger.
 */
export function jsonErrorPlace(text: string): FilePlace | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let place = 0;
  for (;;) {
    TOKEN.lastIndex = place;
    const match = TOKEN.exec(text);
    if (!match) break;
    const [all, bracket, string] = match;
    const next = step(expected, bracket ?? (string === undefined ? 'scalar' : 'string'), open);
    if (!next) {
      place += all.length - all.trimStart().length;
      return placeIn(text, place);
    }
    expected = next;
    place += all.length;
  }
  place += /^[ \t\n\r]*/.exec(text.slice(place))![0].length;
  return place === text.length && open.length === 0 && expected === ', or end'
    ? undefined
    : placeIn(text, place);
}

/** What is expected after a token, undefined where it cannot stand. `open` holds the closing brackets to come. */
function step(expected: Expected, token: string, open: string[]): Expected | undefined {
  switch (expected) {
    case 'key':
    case 'key or }':
      if (token === 'string') return ':';
      return expected === 'key or }' && token === '}' ? close(token, open) : undefined;
    case ':':
      return token === ':' ? 'value' : undefined;
    case ', or end':
      if (token === ',' && open.length > 0) return open[open.length - 1] === '}' ? 'key' : 'value';
      return close(token, open);
    case 'value or ]':
      if (token === ']') return close(token, open);
      return step('value', token, open);
    case 'value':
      if (token === 'string' || token === 'scalar') return ', or end';
      if (token !== '{' && token !== '[') return undefined;
      open.push(token === '{' ? '}' : ']');
      return token === '{' ? 'key or }' : 'value or ]';
  }
}

function close(token: string, open: string[]): Expected | undefined {
  if (open.length === 0 || open[open.length - 1] !== token) return undefined;
  open.pop();
  return ', or end';
}

function placeIn(text: string, place: number): FilePlace {
  const before = text.slice(0, place).split('\n');
  return { line: before.length, column: before[before.length - 1]!.length + 1 };
}
