/** Tables from plain arrays and back: for programs that have numbers of their own, and for libraries that want nothing but numbers. */
import { remember } from '../../collections/memo.ts';
import { checkOptions, kind, type OptionKind, type OptionKinds } from '../../diagnostic/options.ts';
import { elementName } from '../../names/names.ts';
import { tableOfColumns } from './builder.ts';
import type { SignalInfo } from './signal.ts';
import type { Attribute, SignalTable } from './table.ts';

/** Numbers, nested as an array of the model is; `null` or NaN where missing. */
export type Nested = number | boolean | null | readonly Nested[];

export interface ToArraysOptions {
  /** Stands for missing values; NaN where it is left out. */
  readonly missing?: number | null;
}

/**
 * The values of signals, a list with an entry a row each, by what they were asked for: names, arrays or parts of them (then entries are
 * lists, nested by subscript), globs. Everything that changes where nothing is named. The first entry is the time.
 */
export function toArrays(
  table: SignalTable,
  texts: readonly string[] = table.names.filter((name) => !table.isConstant(name)),
  options: ToArraysOptions = {},
): Record<string, Nested[]> {
  checkOptions<ToArraysOptions>(options, { missing: numberOrNull }, 'toArrays');
  const { missing = Number.NaN } = options;
  const plain = (value: number): number | null => (Number.isNaN(value) ? missing : value);
  const arrays: Record<string, Nested[]> = { [table.independents[0]!.name]: [...table.time] };
  for (const text of texts) {
    const asked = /[*?]/.test(text) && !table.has(text) ? table.expand(text) : [text];
    for (const name of asked) {
      const { dims, elements, values } = table.array(name);
      const count = elements.length;
      arrays[name] = Array.from(table.time, (_, row) => {
        const entries = Array.from(values.subarray(row * count, (row + 1) * count), plain);
        return nested(entries, dims);
      });
    }
  }
  return arrays;
}

/** What is known about the signals of plain arrays, by their names (those of whole arrays). */
export interface FromArraysOptions {
  /** The name of the entry that counts the rows; `time`, or the first one, where it is left out. */
  readonly independent?: string;
  readonly units?: Readonly<Record<string, string>>;
  readonly descriptions?: Readonly<Record<string, string>>;
  /** Values of further independents. */
  readonly dimensions?: Readonly<Record<string, readonly number[]>>;
  /** Which of these the subscripts of an array count. */
  readonly over?: Readonly<Record<string, readonly string[]>>;
  readonly model?: string;
  readonly attributes?: Readonly<Record<string, Attribute>>;
}

const numberOrNull: OptionKind = {
  is: (value) => value === null || kind.number.is(value),
  what: 'a number or null',
};

const fromKinds: OptionKinds<FromArraysOptions> = {
  independent: kind.text,
  units: kind.object,
  descriptions: kind.object,
  dimensions: kind.object,
  over: kind.object,
  model: kind.text,
  attributes: kind.object,
};

/**
 * A table of plain arrays: a list is a signal, with an entry a row; a single value is a constant. Entries that are lists make an array; where
 * they differ in length, the rest is missing. Throws a `RangeError` where lengths do not fit.
 */
export function fromArrays(
  data: Readonly<Record<string, Nested>>,
  options: FromArraysOptions = {},
): SignalTable {
  checkOptions(options, fromKinds, 'fromArrays');
  const names = Object.keys(data);
  const axis = options.independent ?? (Object.hasOwn(data, 'time') ? 'time' : names[0]);
  const time = axis === undefined ? undefined : data[axis];
  if (axis === undefined || !isList(time)) throw new RangeError(`${axis ?? 'The table'} has no values.`);
  const signals: SignalInfo[] = [];
  const columns: Float64Array[] = [];
  for (const name of names) {
    const value = data[name]!;
    if (name === axis) continue;
    if (isList(value) && value.length !== time.length) {
      throw new RangeError(`${name} has ${value.length} entries, but ${axis} has ${time.length}.`);
    }
    for (const [element, column] of elementsOf(name, value)) {
      signals.push(describe(element, name, value, options));
      if (column) columns.push(column);
    }
  }
  const { units = {}, descriptions = {}, dimensions = {}, model, attributes } = options;
  const about = (name: string) => ({
    name,
    unit: units[name] ?? (name === 'time' ? 's' : ''),
    description: descriptions[name] ?? '',
  });
  return tableOfColumns(signals, time.map(number), columns, [], {
    axis: about(axis),
    dimensions: Object.entries(dimensions).map(([name, list]) => ({
      ...about(name),
      values: Float64Array.from(list),
    })),
    ...(model !== undefined && { model }),
    ...(attributes && { attributes }),
  });
}

const isList = (value: Nested | undefined): value is readonly Nested[] => Array.isArray(value);

function describe(element: string, name: string, value: Nested, options: FromArraysOptions): SignalInfo {
  const over = options.over?.[name];
  const single = isList(value) ? undefined : value;
  return {
    name: element,
    unit: options.units?.[name] ?? '',
    displayUnit: '',
    description: options.descriptions?.[name] ?? '',
    type: isBoolean(value) ? 'Boolean' : 'Real',
    hidden: false,
    source: single === undefined ? { kind: 'trajectory' } : { kind: 'constant', value: number(single) },
    ...(over && { over }),
  };
}

/** Names of elements, each with its values; a constant has none. */
function elementsOf(name: string, value: Nested): [string, Float64Array | undefined][] {
  if (!isList(value)) return [[name, undefined]];
  const columns = new Map<string, Float64Array>();
  const collect = (entry: Nested, row: number, indices: readonly number[]): void => {
    if (isList(entry)) {
      for (const [i, item] of entry.entries()) collect(item, row, [...indices, i + 1]);
      return;
    }
    const element = indices.length === 0 ? name : elementName(name, indices);
    const column = remember(columns, element, () => new Float64Array(value.length).fill(Number.NaN));
    column[row] = number(entry);
  };
  for (const [row, entry] of value.entries()) collect(entry, row, []);
  return columns.size === 0 ? [[name, new Float64Array(0)]] : [...columns];
}

function isBoolean(value: Nested): boolean {
  if (!isList(value)) return typeof value === 'boolean';
  return (
    value.length > 0 &&
    value.every((item) => item === null || isBoolean(item)) &&
    value.some((item) => item !== null)
  );
}

function number(value: Nested): number {
  return value === null || isList(value) ? Number.NaN : Number(value);
}

/** Row-major numbers as nested lists. */
function nested(values: readonly (number | null)[], dims: readonly number[]): Nested {
  if (dims.length === 0) return values[0] ?? null;
  if (dims.length === 1) return values;
  const size = dims.slice(1).reduce((product, n) => product * n, 1);
  return Array.from({ length: dims[0]! }, (_, i) =>
    nested(values.slice(i * size, (i + 1) * size), dims.slice(1)),
  );
}
