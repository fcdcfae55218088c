/**
 * Signal tables as comma-separated values (RFC 4180, lines end in a line feed): the first column is the time, every other
 * one a signal under its dotted name. Numbers are the shortest that read back as the same double; a missing value is an
 * empty field; Booleans are 0 and 1. An event is two lines of equal time.
 */
import { tableOfColumns } from '../table/builder.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { SignalTable } from '../table/table.ts';
import { type FilePlace, FormatError } from './format.ts';

/** What a field of a column means: a number, what is wrong with it, or undefined where it is read as all others. */
export type CellReader = (column: string, text: string) => number | string | undefined;

/** The whole text; for large tables take `csvParts`. */
export function toCsv(table: SignalTable): string {
  return [...csvParts(table)].join('');
}

/** The text in parts of some 64 thousand fields, so that no string has to hold everything. */
export function* csvParts(table: SignalTable): Generator<string> {
  const width = table.size;
  const rowsPerPart = Math.max(1, Math.floor(65536 / (width + 1)));
  const values = new Float64Array(width);
  const fields: string[] = new Array(width + 1).fill('');
  /** What stands in the fields: most signals of most models rest. */
  const last = new Float64Array(width).fill(Number.NaN);
  let part = `${[table.independents[0]!.name, ...table.names].map(quoteField).join(',')}\n`;
  for (let row = 0; row < table.rowCount; row++) {
    table.row(row, values);
    fields[0] = String(table.time[row]);
    for (let i = 0; i < width; i++) {
      const value = values[i]!;
      if (value === last[i]) continue;
      fields[i + 1] = Number.isNaN(value) ? '' : String(value);
      last[i] = value;
    }
    part += `${fields.join(',')}\n`;
    if ((row + 1) % rowsPerPart === 0) {
      yield part;
      part = '';
    }
  }
  yield part;
}

/**
 * Reads what `toCsv` writes, and what Modelica tools write: a header whose first name is `time` (in any case) or that of another
 * independent, then numbers, `true` and `false`. Units and descriptions are not in the format. Throws `FormatError`.
 */
export function readCsv(text: string, independent = 'time', cell: CellReader = () => undefined): SignalTable {
  const records = csvRecords(text);
  const header = records.next().value;
  if (header?.fields[0]?.trim().toLowerCase() !== independent.toLowerCase())
    throw wrongHeader(header, independent);
  const names = header.quoted ? header.fields.slice(1) : header.fields.slice(1).map((name) => name.trim());
  const seen = new Set<string>();
  const repeated = names.find((name) => seen.has(name) || !seen.add(name));
  if (repeated !== undefined) throw new FormatError(`There are two columns named ${repeated}.`, { line: 1 });
  const time: number[] = [];
  const columns: number[][] = names.map(() => []);
  for (const { fields, line } of records) {
    if (fields.length !== names.length + 1)
      throw new FormatError(`${fields.length} fields where the header has ${names.length + 1}.`, { line });
    const now = readNumber(fields[0]!, { line, column: 1 });
    if (Number.isNaN(now)) throw new FormatError('The time is missing.', { line, column: 1 });
    if (time.length > 0 && now < time[time.length - 1]!)
      throw new FormatError('The time decreases.', { line, column: 1 });
    time.push(now);
    for (let i = 0; i < columns.length; i++) {
      const field = fields[i + 1]!;
      const own = cell(names[i]!, field.trim());
      if (typeof own === 'string') throw new FormatError(own, { line, column: i + 2 });
      columns[i]!.push(own ?? readNumber(field, { line, column: i + 2 }));
    }
  }
  const axis = { name: independent, unit: independent === 'time' ? 's' : '', description: '' };
  return tableOfColumns(names.map(plainSignal), time, columns, [], { axis });
}

function plainSignal(name: string): SignalInfo {
  const source = { kind: 'trajectory' } as const;
  return { name, unit: '', displayUnit: '', description: '', type: 'Real', hidden: false, source };
}

function quoteField(name: string): string {
  return /[",\r\n]|^\s|\s$/.test(name) ? `"${name.replaceAll('"', '""')}"` : name;
}

/** Why the first line is no header, as far as that can be seen. */
function wrongHeader(header: CsvRecord | undefined, independent: string): FormatError {
  const first = header?.fields[0]?.trim() ?? '';
  const place = { line: header?.line ?? 1 };
  if (first.includes(';'))
    return new FormatError('Columns are separated by semicolons; use commas, and points in numbers.', place);
  if (first.includes('\t')) return new FormatError('Columns are separated by tabulators; use commas.', place);
  if (first !== '' && !Number.isNaN(Number(first)))
    return new FormatError(
      `There is no header: the first line must name the columns, ${independent} first.`,
      place,
    );
  return new FormatError(`The first column must be named ${independent}.`, place);
}

/** NaN for an empty field. */
function readNumber(field: string, place: FilePlace): number {
  const text = field.trim();
  if (text === '' || text === 'NaN') return Number.NaN;
  if (text === 'true' || text === 'false') return text === 'true' ? 1 : 0;
  const value = Number(text);
  if (Number.isNaN(value)) throw new FormatError(`${JSON.stringify(text)} is not a number.`, place);
  return value;
}

interface CsvRecord {
  readonly fields: string[];
  /** Where the record begins. */
  readonly line: number;
  /** Quotes stand in it: spaces around names are part of them. */
  readonly quoted?: boolean;
}

/** Records of RFC 4180 text; line breaks may be CR LF or LF, empty lines are skipped. */
function* csvRecords(text: string): Generator<CsvRecord, undefined> {
  let place = text.startsWith('\uFEFF') ? 1 : 0;
  let line = 1;
  // Quotes are rare, most often in the header alone: lines before the next one are split at once.
  let quote = text.indexOf('"', place);
  while (place < text.length) {
    const end = lineEnd(text, place);
    if (quote < 0 || quote > end) {
      const fields = text.slice(place, text[end - 1] === '\r' && end > place ? end - 1 : end).split(',');
      if (fields.length > 1 || fields[0] !== '') yield { fields, line };
      place = end + 1;
      line++;
      continue;
    }
    const record = quotedRecord(text, place, line);
    yield { fields: record.fields, line, quoted: true };
    place = record.end + 1;
    line = record.line + 1;
    quote = text.indexOf('"', place);
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A record in which quotes stand; `end` is its line feed, `line` the number of that line. */
function quotedRecord(text: string, start: number, first: number): CsvRecord & { readonly end: number } {
  const fields: string[] = [];
  let [place, line] = [start, first];
  for (;;) {
    const quoted = text[place] === '"';
    const field = quoted ? quotedField(text, place, line) : plainField(text, place);
    if (quoted) line += field.value.split('\n').length - 1;
    fields.push(field.value);
    place = field.end;
    if (text[place] !== ',') break;
    place++;
  }
  if (text[place] === '\r') place++;
  if (place < text.length && text[place] !== '\n') {
    throw new FormatError('Text follows after a closing quote.', { line });
  }
  return { fields, line, end: place };
}

interface Field {
  readonly value: string;
  readonly end: number;
}

function plainField(text: string, start: number): Field {
  let end = start;
  while (end < text.length && !',\n'.includes(text[end]!)) end++;
  const cut = text[end - 1] === '\r' && text[end] !== ',' && end > start ? end - 1 : end;
  return { value: text.slice(start, cut), end: cut };
}

function quotedField(text: string, start: number, line: number): Field {
  let value = '';
  for (let from = start + 1; ; ) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new FormatError('A quote is not closed.', { line });
    value += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    from = quote + 2;
  }
}
