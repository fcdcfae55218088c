/**
 * Signal tables as JSON, with everything that CSV cannot hold: units, descriptions, constants and aliases as such,
 * segments, modes and impulses. Trajectories are arrays, column by column; a missing value is `null`, an infinite one
 * the text "Infinity" or "-Infinity".
 */

import { tableOfColumns } from './builder.ts';
import { FormatError } from './csv.ts';
import type { SignalInfo, SignalRole, SignalSource, SignalTable, TableSegment } from './table.ts';

const FORMAT = 'mutabor-results';
const VERSION = 1;

type JsonNumber = number | 'Infinity' | '-Infinity' | null;

interface JsonTable {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly model: string;
  readonly time: readonly JsonNumber[];
  readonly signals: readonly JsonSignal[];
  readonly segments: readonly TableSegment[];
  readonly modes: readonly { signature: string; from: JsonNumber; to: JsonNumber }[];
  readonly impulses: readonly { time: JsonNumber; variable: string; weight: JsonNumber }[];
}

/** Exactly one of `values`, `value` and `of` (with `sign`) is present. */
interface JsonSignal extends Omit<SignalInfo, 'source'> {
  readonly values?: readonly JsonNumber[];
  readonly value?: JsonNumber;
  readonly of?: string;
  readonly sign?: 1 | -1;
}

export function toJson(table: SignalTable): string {
  const json: JsonTable = {
    format: FORMAT,
    version: VERSION,
    model: table.model,
    time: Array.from(table.time, writeNumber),
    signals: table.names.map((name) => writeSignal(table, name)),
    segments: table.segments,
    modes: table.modes.map(({ signature, from, to }) => ({
      signature,
      from: writeNumber(from),
      to: writeNumber(to),
    })),
    impulses: table.impulses.map(({ time, variable, weight }) => ({
      time: writeNumber(time),
      variable,
      weight: writeNumber(weight),
    })),
  };
  return `${JSON.stringify(json)}\n`;
}

/** Reads what `toJson` writes. Throws `FormatError`. */
export function readJson(text: string): SignalTable {
  const json = parseObject(text);
  if (json.format !== FORMAT) throw new FormatError(`This is not a ${FORMAT} file.`);
  if (json.version !== VERSION)
    throw new FormatError(`Version ${String(json.version)} of the format is unknown.`);
  const time = readColumn(json.time, 'time');
  const signals: SignalInfo[] = [];
  const columns: Float64Array[] = [];
  for (const item of list(json.signals, 'signals')) {
    const signal = readSignal(object(item, 'signals'));
    signals.push(signal);
    if (signal.source.kind !== 'trajectory') continue;
    const values = readColumn((item as JsonSignal).values, signal.name);
    if (values.length !== time.length) throw new FormatError(`${signal.name} is not as long as the time.`);
    columns.push(values);
  }
  const extras = {
    model: string(json.model, 'model'),
    modes: list(json.modes, 'modes').map((item) => {
      const { signature, from, to } = object(item, 'modes');
      return { signature: string(signature, 'signature'), from: readNumber(from), to: readNumber(to) };
    }),
    impulses: list(json.impulses, 'impulses').map((item) => {
      const { time: at, variable, weight } = object(item, 'impulses');
      return { time: readNumber(at), variable: string(variable, 'variable'), weight: readNumber(weight) };
    }),
  };
  try {
    return tableOfColumns(signals, time, columns, readSegments(json.segments), extras);
  } catch (cause) {
    throw new FormatError((cause as Error).message);
  }
}

function writeSignal(table: SignalTable, name: string): JsonSignal {
  const { source, ...info } = table.info(name)!;
  if (table.isConstant(name)) return { ...info, value: writeNumber(table.at(name, 0)) };
  if (source.kind === 'alias' && table.has(source.of)) return { ...info, of: source.of, sign: source.sign };
  return { ...info, values: Array.from(table.get(name), writeNumber) };
}

function writeNumber(value: number): JsonNumber {
  if (Number.isNaN(value)) return null;
  return Number.isFinite(value) ? value : value > 0 ? 'Infinity' : '-Infinity';
}

const ROLES: readonly SignalRole[] = ['state', 'derivative', 'input', 'output', 'local', 'parameter'];

function readSignal(json: Record<string, unknown>): SignalInfo {
  const name = string(json.name, 'name');
  const { type, role } = json;
  if (type !== 'Real' && type !== 'Integer' && type !== 'Boolean')
    throw new FormatError(`${name} has no type.`);
  return {
    name,
    unit: string(json.unit, 'unit'),
    displayUnit: string(json.displayUnit, 'displayUnit'),
    description: string(json.description, 'description'),
    type,
    hidden: json.hidden === true,
    source: readSource(json, name),
    ...(ROLES.includes(role as SignalRole) && { role: role as SignalRole }),
  };
}

function readSource(json: Record<string, unknown>, name: string): SignalSource {
  if ('values' in json) return { kind: 'trajectory' };
  if ('value' in json) return { kind: 'constant', value: readNumber(json.value) };
  if (json.sign !== 1 && json.sign !== -1) throw new FormatError(`${name} has no values.`);
  return { kind: 'alias', of: string(json.of, 'of'), sign: json.sign };
}

function readSegments(json: unknown): TableSegment[] {
  return list(json, 'segments').map((item) => {
    const { signature, firstRow, endRow } = object(item, 'segments');
    if (!Number.isInteger(firstRow) || !Number.isInteger(endRow))
      throw new FormatError('A segment has no rows.');
    return {
      signature: string(signature, 'signature'),
      firstRow: firstRow as number,
      endRow: endRow as number,
    };
  });
}

function readColumn(json: unknown, what: string): Float64Array {
  return Float64Array.from(list(json, what), readNumber);
}

function readNumber(json: unknown): number {
  if (typeof json === 'number') return json;
  if (json === null) return Number.NaN;
  if (json === 'Infinity') return Number.POSITIVE_INFINITY;
  if (json === '-Infinity') return Number.NEGATIVE_INFINITY;
  throw new FormatError(`${JSON.stringify(json)} stands where a number is needed.`);
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return object(JSON.parse(text), 'the file');
  } catch (cause) {
    if (cause instanceof FormatError) throw cause;
    throw new FormatError(`This is not JSON: ${(cause as Error).message}`);
  }
}

function object(json: unknown, what: string): Record<string, unknown> {
  if (typeof json === 'object' && json !== null && !Array.isArray(json))
    return json as Record<string, unknown>;
  throw new FormatError(`An object is needed in ${what}.`);
}

function list(json: unknown, what: string): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw new FormatError(`A list is needed for ${what}.`);
}

function string(json: unknown, what: string): string {
  if (typeof json === 'string') return json;
  throw new FormatError(`A text is needed for ${what}.`);
}
