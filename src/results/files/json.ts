/**
 * Signal tables as JSON, with everything that CSV cannot hold: units, descriptions, constants and aliases as such,
 * segments, modes, impulses, attributes. Trajectories are arrays, column by column; a missing value is `null`, an infinite one
 * the text "Infinity" or "-Infinity". What is read back is the same to the last bit.
 */
import { tableOfColumns } from '../table/builder.ts';
import type { SignalInfo, SignalRole, SignalSource } from '../table/signal.ts';
import type {
  Attribute,
  Independent,
  SignalTable,
  TableExtras,
  TableImpulse,
  TableSegment,
} from '../table/table.ts';
import { FormatError } from './format.ts';
import { type JsonReader, parseJson } from './jsontext.ts';

const FORMAT = 'mutabor-results';
const VERSION = 1;

/** The whole text; for large tables take `jsonParts`. */
export function toJson(table: SignalTable): string {
  return [...jsonParts(table)].join('');
}

/** The text in parts, a signal each, so that no string has to hold everything. */
export function* jsonParts(table: SignalTable): Generator<string> {
  yield `{"format":"${FORMAT}","version":${VERSION},${besideText(table)},\n`;
  yield `"time":${numbersText(table.time)},\n"signals":[`;
  let separator = '';
  for (const text of signalTexts(table)) {
    yield `${separator}\n${text}`;
    separator = ',';
  }
  yield ']}\n';
}

/** Reads what `toJson` writes. Throws `FormatError`. */
export function readJson(text: string): SignalTable {
  const json = parseJson(text).object();
  const format = json.field('format').value;
  if (format !== FORMAT) throw new FormatError(`This is not a ${FORMAT} file.`);
  const version = json.field('version').value;
  if (version !== VERSION)
    throw new FormatError(`Version ${JSON.stringify(version)} of the format is unknown.`);
  const time = readNumbers(json.field('time'));
  const signals: SignalInfo[] = [];
  const columns: Float64Array[] = [];
  for (const item of json.field('signals').list()) {
    const signal = readSignal(item.object());
    signals.push(signal);
    if (signal.source.kind !== 'trajectory') continue;
    const values = readNumbers(item.field('values'));
    if (values.length !== time.length) {
      throw new FormatError(`${signal.name} has ${values.length} values, but there are ${time.length} rows.`);
    }
    columns.push(values);
  }
  const { segments, extras } = readBeside(json);
  try {
    return tableOfColumns(signals, time, columns, segments, extras);
  } catch (cause) {
    throw new FormatError((cause as Error).message);
  }
}

/** Everything of a table that is no signal, as fields of an object. */
export function besideText(table: SignalTable): string {
  const { model, segments, modes, impulses, attributes } = table;
  const [axis, ...dimensions] = table.independents;
  const { name, unit, description } = axis!;
  const fields = {
    model: JSON.stringify(model),
    independents: listText([{ name, unit, description }, ...dimensions], independentText),
    segments: JSON.stringify(segments),
    modes: listText(
      modes,
      ({ signature, from, to }) =>
        `{"signature":${JSON.stringify(signature)},"from":${numberText(from)},"to":${numberText(to)}}`,
    ),
    impulses: listText(
      impulses,
      ({ time, variable, weight, unit }) =>
        `{"time":${numberText(time)},"variable":${JSON.stringify(variable)},"weight":${numberText(weight)}${unit === undefined ? '' : `,"unit":${JSON.stringify(unit)}`}}`,
    ),
    attributes: JSON.stringify(attributes),
  };
  return Object.entries(fields)
    .map(([key, text]) => `"${key}":${text}`)
    .join(',\n');
}

/** What `besideText` wrote. */
export function readBeside(json: JsonReader): { segments: TableSegment[]; extras: TableExtras } {
  const independents = json.optional('independents')?.list() ?? [];
  const attributes = json.optional('attributes')?.object().value as Record<string, Attribute> | undefined;
  return {
    segments: json.field('segments').list().map(readSegment),
    extras: {
      model: json.field('model').string(),
      modes: json.field('modes').list().map(readMode),
      impulses: json.field('impulses').list().map(readImpulse),
      ...(attributes && { attributes }),
      ...(independents[0] && { axis: readAxis(independents[0]) }),
      dimensions: independents.slice(1).map(readIndependent),
    },
  };
}

function listText<T>(list: readonly T[], text: (item: T) => string): string {
  return `[${list.map(text).join(',')}]`;
}

function independentText({ name, unit, description, values }: Partial<Independent>): string {
  const texts = JSON.stringify({ name, unit, description });
  return values ? `${texts.slice(0, -1)},"values":${numbersText(values)}}` : texts;
}

/** By signal, exactly one of `values`, `value` and `of` (with `sign`) is present. */
function* signalTexts(table: SignalTable): Generator<string> {
  const all = Int32Array.from({ length: table.size }, (_, number) => number);
  for (const [number, values] of table.reader.eachColumn(all)) {
    const { source, ...info } = table.reader.infoOf(number);
    if (table.reader.column(number).index < 0) yield constantText(table, number);
    else if (source.kind === 'alias' && table.has(source.of))
      yield `${startText(info)},"of":${JSON.stringify(source.of)},"sign":${source.sign}}`;
    else yield `${startText(info)},"values":${numbersText(values)}}`;
  }
}

/** A signal that does not change. */
export function constantText(table: SignalTable, number: number): string {
  const { source: _, ...info } = table.reader.infoOf(number);
  return `${startText(info)},"value":${numberText(table.reader.column(number).scale)}}`;
}

function startText(info: Omit<SignalInfo, 'source'>): string {
  return JSON.stringify(info).slice(0, -1);
}

function numbersText(values: Float64Array): string {
  const texts: string[] = new Array(values.length);
  for (let i = 0; i < values.length; i++) texts[i] = numberText(values[i]!);
  return `[${texts.join(',')}]`;
}

/** The shortest text that reads back as the same number. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'null';
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"';
  return Object.is(value, -0) ? '-0' : String(value);
}

export const ROLES: readonly SignalRole[] = ['state', 'derivative', 'input', 'output', 'local', 'parameter'];
export const TYPES: readonly SignalInfo['type'][] = ['Real', 'Integer', 'Boolean'];

export function readSignal(json: JsonReader): SignalInfo {
  const role = json.optional('role')?.oneOf(ROLES);
  const [over, literals] = [json.optional('over')?.strings(), json.optional('literals')?.strings()];
  return {
    name: json.field('name').string(),
    unit: json.field('unit').string(),
    displayUnit: json.field('displayUnit').string(),
    description: json.field('description').string(),
    type: json.field('type').oneOf(TYPES),
    hidden: json.optional('hidden')?.value === true,
    source: readSource(json),
    ...(role && { role }),
    ...(over && { over }),
    ...(literals && { literals }),
  };
}

function readSource(json: JsonReader): SignalSource {
  if (json.optional('values')) return { kind: 'trajectory' };
  const value = json.optional('value');
  if (value) return { kind: 'constant', value: readNumber(value) };
  const of = json.optional('of');
  if (!of) throw new FormatError(`${json.path} has no values.`);
  return { kind: 'alias', of: of.string(), sign: json.field('sign').oneOf([1, -1] as const) };
}

function readMode(json: JsonReader): { signature: string; from: number; to: number } {
  const [from, to] = [json.field('from'), json.field('to')];
  return { signature: json.field('signature').string(), from: readNumber(from), to: readNumber(to) };
}

function readImpulse(json: JsonReader): TableImpulse {
  const [time, weight] = [json.field('time'), json.field('weight')];
  const unit = json.optional('unit')?.string();
  return {
    time: readNumber(time),
    variable: json.field('variable').string(),
    weight: readNumber(weight),
    ...(unit !== undefined && { unit }),
  };
}

function readSegment(json: JsonReader): TableSegment {
  const [firstRow, endRow] = [json.field('firstRow').count(), json.field('endRow').count()];
  return { signature: json.field('signature').string(), firstRow, endRow };
}

function readAxis(json: JsonReader): Omit<Independent, 'values'> {
  const [name, unit, description] = ['name', 'unit', 'description'].map((key) => json.field(key).string());
  return { name: name!, unit: unit!, description: description! };
}

function readIndependent(json: JsonReader): Independent {
  return { ...readAxis(json), values: readNumbers(json.field('values')) };
}

function readNumbers(json: JsonReader): Float64Array {
  const list = json.values();
  const numbers = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const value = list[i];
    numbers[i] = typeof value === 'number' ? value : readNumber(json.item(i));
  }
  return numbers;
}

function readNumber(json: JsonReader): number {
  const { value } = json;
  if (typeof value === 'number') return value;
  if (value === null) return Number.NaN;
  if (value === 'Infinity') return Number.POSITIVE_INFINITY;
  if (value === '-Infinity') return Number.NEGATIVE_INFINITY;
  throw json.wrong('a number');
}
