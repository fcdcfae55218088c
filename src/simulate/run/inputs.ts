/**
 * A table of inputs: which inputs of a model it drives, what is wrong with it, and what the event engine sets at which instant. Rows of
 * equal time are a step. Before the first row and after the last one, inputs keep the value that they have there.
 */
import { remember } from '../../collections/memo.ts';
import { type Diagnostic, error, warning } from '../../diagnostic/diagnostic.ts';
import { Failure } from '../../diagnostic/failure.ts';
import { nearest } from '../../diagnostic/nearest.ts';
import { listed } from '../../diagnostic/words.ts';
import { elementNames } from '../../flat/core/families.ts';
import { type DrivenCell, type DrivenModel, drivenModel, isStepwise } from '../../flat/driven.ts';
import type { FlatModel, FlatVariable } from '../../flat/flat.ts';
import { type ScheduledRows, sameTime } from '../../program/ticks.ts';
import type { CellReader } from '../../results/files/csv.ts';
import { fromArrays, type Nested } from '../../results/table/arrays.ts';
import { SignalTable } from '../../results/table/table.ts';
import type { InputValues, Settings, SimulateOptions } from '../settings.ts';

/** The driven model and what its inputs follow. */
export interface Driving {
  readonly flat: FlatModel;
  /** The inputs that are driven. */
  readonly inputs: readonly FlatVariable[];
  readonly rows: ScheduledRows;
  readonly diagnostics: readonly Diagnostic[];
}

/** Driven models by model and by what is driven: the same one is translated once. */
export type DrivenModels = WeakMap<FlatModel, Map<string, DrivenModel>>;

/** Lets the inputs of a model follow a table in a run. Throws a `Failure` where the table does not fit. */
export function driveInputs(
  flat: FlatModel,
  { startTime, stopTime }: Settings,
  { inputs: given, hold = false }: SimulateOptions,
  known: DrivenModels,
): Driving {
  const names = inputNames(flat);
  const table = tableOf(flat, names, given!);
  const driven = [...new Set(table.names.flatMap((name) => names.get(name) ?? []))].sort((a, b) => a - b);
  const inputs = driven.map((symbol) => flat.variables[symbol]!);
  const wrong = [
    ...tableProblems(table),
    ...(driven.length === 0 ? [noInputs(table, names)] : []),
    ...inputs.flatMap((variable) => columnProblems(table, variable)),
  ];
  if (wrong.length > 0) throw new Failure('initialise', wrong);
  const key = `${hold} ${driven.join()}`;
  const models = remember(known, flat, () => new Map());
  const model = remember(models, key, () => drivenModel(flat, driven, hold));
  const isHeld = hold || inputs.every(isStepwise);
  const rows = new Columns(table, model.cells).over(startTime, stopTime, isHeld);
  const first = table.time[0]!;
  const last = table.time[table.rowCount - 1]!;
  const diagnostics = unused(table, names);
  if (startTime < first) diagnostics.push(outside('begins', startTime, 'before the first', first));
  if (stopTime > last && !isHeld) diagnostics.push(outside('ends', stopTime, 'after the last', last));
  return { flat: model.flat, inputs, rows, diagnostics };
}

function tableOf(
  flat: FlatModel,
  names: ReadonlyMap<string, number>,
  inputs: NonNullable<SimulateOptions['inputs']>,
): SignalTable {
  if (inputs instanceof SignalTable) return inputs;
  const columns = Object.entries(inputs).map(([name, values]) => {
    const symbol = names.get(name) ?? flat.variables.findIndex((variable) => variable.name === name);
    return [name, inNumbers(name, values, flat.variables[symbol])] as const;
  });
  try {
    return fromArrays(Object.fromEntries(columns));
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem;
    throw Failure.of('initialise', 'bad-input', `The table of inputs is wrong: ${problem.message}`);
  }
}

/** Values of a column with numbers in place of texts; of one that drives nothing, texts do not matter. */
function inNumbers(name: string, values: InputValues, variable: FlatVariable | undefined): Nested {
  if (isList(values)) return values.map((value) => inNumbers(name, value, variable));
  if (typeof values !== 'string') return values;
  const value = variable ? numberOf(values, variable) : Number.NaN;
  if (value !== undefined) return value;
  const message = `The table of inputs has ${JSON.stringify(values)} for \`${name}\`, not ${wanted(variable!)}.`;
  throw Failure.of('initialise', 'bad-input', message, placeOf(variable!));
}

const isList = (values: InputValues): values is readonly InputValues[] => Array.isArray(values);

/** The inputs of a model, by the names of their elements. */
function inputNames({ variables }: FlatModel): Map<string, number> {
  const names = new Map<string, number>();
  for (const [symbol, variable] of variables.entries()) {
    if (variable.causality !== 'input' || variable.variability === 'parameter') continue;
    for (const name of elementNames(variable)) names.set(name, symbol);
  }
  return names;
}

// ---------------------------------------------------------------- what can be wrong

function tableProblems({ time, independents }: SignalTable): Diagnostic[] {
  const { name } = independents[0]!;
  if (name !== 'time')
    return [error('bad-input', `The rows of the table of inputs count \`${name}\`, not \`time\`.`)];
  if (time.length === 0) return [error('bad-input', 'The table of inputs has no rows.')];
  const bad = time.findIndex((t) => !Number.isFinite(t));
  if (bad < 0) return [];
  const message = `Row ${bad + 1} of the table of inputs: the time ${time[bad]} is not a finite number.`;
  return [error('bad-input', message)];
}

function columnProblems(table: SignalTable, variable: FlatVariable): Diagnostic[] {
  const names = elementNames(variable);
  const missing = names.filter((name) => !table.has(name));
  if (missing.length > 0) {
    const message = `The table of inputs has values for some elements of \`${variable.name}\`, but not for ${missing.slice(0, 5).join(', ')}.`;
    return [error('bad-input', message, placeOf(variable))];
  }
  return names.flatMap((name) => {
    const { unit } = table.info(name)!;
    if (unit !== '' && variable.unit !== '' && unit !== variable.unit) {
      const message = `The table of inputs has \`${name}\` in ${unit}, the model in ${variable.unit}.`;
      return [error('bad-input', message, { ...placeOf(variable), hint: 'Convert the values.' })];
    }
    const row = table.get(name).findIndex((value) => problemOf(value, variable) !== undefined);
    if (row < 0) return [];
    const value = table.at(name, row);
    const place = `Row ${row + 1} of the table of inputs (time ${table.time[row]})`;
    return [error('bad-input', `${place}: \`${name}\` ${problemOf(value, variable)!}.`, placeOf(variable))];
  });
}

/** What is wrong with a value of an input. */
function problemOf(value: number, { type, literals }: FlatVariable): string | undefined {
  if (Number.isNaN(value)) return 'has no value';
  if (!Number.isFinite(value)) return `is ${value}`;
  if (type === 'Boolean') return value === 0 || value === 1 ? undefined : `is ${value}, not true or false`;
  if (type !== 'Integer') return undefined;
  if (!Number.isInteger(value)) return `is ${value}, not a whole number`;
  if (!literals || (value >= 1 && value <= literals.length)) return undefined;
  return `is ${value}, but the enumeration has ${literals.length} values`;
}

const placeOf = ({ origin }: FlatVariable) => (origin.span ? { span: origin.span } : {});

function noInputs(table: SignalTable, names: ReadonlyMap<string, number>): Diagnostic {
  const inputs = [...names.keys()];
  if (inputs.length === 0)
    return error('bad-input', 'The model has no inputs that a table could drive.', {
      hint: 'Inputs are declared `input Real u;` in the model itself; one that already has a value is not an input.',
    });
  const message = `No column of the table of inputs is named as an input of the model: it has ${listOf(table.names)}.`;
  return error('bad-input', message, { hint: `Inputs are ${listOf(inputs)}.` });
}

/** Columns that drive nothing may be spelt wrongly. */
function unused(table: SignalTable, names: ReadonlyMap<string, number>): Diagnostic[] {
  const idle = table.names.filter((name) => !names.has(name));
  if (idle.length === 0) return [];
  const free = [...names.keys()].filter((name) => !table.has(name));
  const meant = idle.flatMap((name) => nearest(name, free) ?? []);
  const message = `The model has no ${idle.length === 1 ? 'input' : 'inputs'} ${listOf(idle)}; what the table has for ${idle.length === 1 ? 'it' : 'them'} is not used.`;
  return [warning('bad-input', message, meant[0] ? { hint: `Did you mean \`${meant[0]}\`?` } : {})];
}

function listOf(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return listed(quoted, 5);
}

function outside(does: string, run: number, which: string, row: number): Diagnostic {
  const message = `The run ${does} at ${run} s, ${which} row of the table of inputs, which is that of ${row} s; outside, inputs keep the values of that row.`;
  return warning('bad-input', message);
}

/**
 * Reads fields of a text for the inputs of a model: Booleans and enumerations by name too. What stands in columns that are no inputs does
 * not matter.
 */
export function inputCell(flat: FlatModel): CellReader {
  const names = inputNames(flat);
  return (column, text) => {
    const symbol = names.get(column);
    if (symbol === undefined) return Number.isNaN(Number(text)) ? Number.NaN : undefined;
    const variable = flat.variables[symbol]!;
    const value = numberOf(text, variable);
    if (value === undefined) return `\`${column}\` is ${JSON.stringify(text)}, not ${wanted(variable)}.`;
    const problem = problemOf(value, variable);
    return problem === undefined ? value : `\`${column}\` ${problem}.`;
  };
}

function numberOf(text: string, { type, literals }: FlatVariable): number | undefined {
  if (text === '') return Number.NaN;
  if (type === 'Boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true' ? 1 : 0;
  const literal = literals?.indexOf(text.split('.').at(-1)!) ?? -1;
  if (literal >= 0) return literal + 1;
  return Number.isNaN(Number(text)) ? undefined : Number(text);
}

function wanted({ type, literals }: FlatVariable): string {
  if (literals) return `one of ${literals.slice(0, 8).join(', ')}`;
  return type === 'Boolean' ? 'true or false' : 'a number';
}

// ---------------------------------------------------------------- instants

interface Column {
  readonly kind: DrivenCell['kind'];
  readonly values: Float64Array;
}

/** The columns of a table as cells of a schedule. */
class Columns {
  private readonly time: Float64Array;
  private readonly columns: readonly Column[];

  constructor(table: SignalTable, cells: readonly DrivenCell[]) {
    this.time = table.time;
    this.columns = cells.flatMap((cell): Column[] => {
      if (cell.kind === 'instant') return [{ kind: cell.kind, values: table.time }];
      return elementNames(cell.input).map((name) => ({ kind: cell.kind, values: table.get(name) }));
    });
  }

  /** What is set at `start` and at the instants after it. Where all `hold` their values, an instant that changes none is none. */
  over(start: number, stop: number, hold: boolean): ScheduledRows {
    const { time } = this;
    const times: number[] = [];
    const rows: Float64Array[] = [];
    const add = (t: number, row: Float64Array): void => {
      const last = rows[rows.length - 1];
      if (last && hold && row.every((value, k) => value === last[k])) return;
      times.push(t);
      rows.push(row);
    };
    const isPast = (k: number): boolean => time[k]! <= start || sameTime(time[k]!, start);
    let k = 0;
    while (k + 1 < time.length && isPast(k + 1)) k++;
    add(start, isPast(k) ? this.row(k, stop) : this.constant(start));
    for (let next = isPast(k) ? k + 1 : 0; next < time.length; next++) {
      // Of several rows of one time, the last one counts from there on.
      if (time[next + 1] !== time[next]) add(time[next]!, this.row(next, stop));
    }
    return { times: Float64Array.from(times), rows };
  }

  /** From row k on: values there, and slopes towards the row after it. A run that ends at the row knows of no other slope. */
  private row(k: number, stop: number): Float64Array {
    const { time } = this;
    const isEnd = time[k]! >= stop && k > 0 && time[k - 1]! < time[k]!;
    const from = isEnd ? k - 1 : k;
    const length = time[from + 1]! - time[from]!;
    return Float64Array.from(this.columns, ({ kind, values }) => {
      if (kind !== 'slope') return values[k]!;
      return from + 1 < time.length && length > 0 ? (values[from + 1]! - values[from]!) / length : 0;
    });
  }

  /** Before the first row. */
  private constant(start: number): Float64Array {
    return Float64Array.from(this.columns, ({ kind, values }) =>
      kind === 'slope' ? 0 : kind === 'instant' ? start : values[0]!,
    );
  }
}
