/** Results that are written down by hand, or falsified, and what an audit says of them. */
import { type AuditedRun, type AuditOptions, audit } from '../../src/audit/index.ts';
import { type FlatModel, loadModel, type SimulationResult } from '../../src/index.ts';
import { tableOfColumns } from '../../src/results/table/builder.ts';
import type { SignalTable, TableImpulse } from '../../src/results/table/table.ts';

const usual: AuditOptions = { tolerance: 1e-6, sliding: false };

/** Messages of the audit of a run. */
export function offences(flat: FlatModel, run: AuditedRun, options: Partial<AuditOptions> = {}): string[] {
  return audit(flat, run, { ...usual, ...options }).diagnostics.map(({ message }) => message);
}

/** Values by name, as functions of time. */
export type Curves = Readonly<Record<string, (t: number) => number>>;

export interface Told {
  /** When the event is. */
  readonly at: number;
  readonly before: Curves;
  readonly after: Curves;
  /** Weights by variable. */
  readonly impulses?: Readonly<Record<string, number>>;
}

/** What an audit says of results with one event that are written down as formulas, from 0 s to 2 s. */
export function told(text: string, { at, before, after, impulses = {} }: Told): string[] {
  const grid = Array.from({ length: 21 }, (_, k) => k / 10);
  const left = [...grid.filter((t) => t < at), at];
  const right = [at, ...grid.filter((t) => t > at)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const columns = names.map((name) => [
    ...left.map((t) => before[name]?.(t) ?? Number.NaN),
    ...right.map((t) => after[name]?.(t) ?? Number.NaN),
  ]);
  const list = Object.entries(impulses).map(([variable, weight]) => ({ time: at, variable, weight }));
  const table = tableOfColumns(names.map(trajectory), [...left, ...right], columns, [], { impulses: list });
  return offences(loadModel(text), { table, stepsAtRows: [...table.time].map(() => 0) });
}

const trajectory = (name: string) =>
  ({
    name,
    unit: '',
    displayUnit: '',
    description: '',
    type: 'Real',
    hidden: false,
    source: { kind: 'trajectory' },
  }) as const;

/** A result that can be changed: every signal has a column of its own. */
export interface Copy {
  readonly names: string[];
  readonly time: number[];
  readonly columns: Float64Array[];
  impulses: TableImpulse[];
  /** By name: the value before anything happens at the first instant. */
  readonly initial: Map<string, number>;
  readonly stepsAtRows: readonly number[];
  run(): AuditedRun;
}

export function copyOf({ table, stepsAtRows, initial }: SimulationResult): Copy {
  const names = [...table.names];
  const columns = names.map((name) => table.get(name));
  const first = new Map(initial?.names.map((name) => [name, initial.at(name, 0)]));
  return copied(names, [...table.time], columns, [...table.impulses], stepsAtRows, first);
}

function copied(
  names: string[],
  time: number[],
  columns: Float64Array[],
  impulses: TableImpulse[],
  stepsAtRows: readonly number[],
  initial: Map<string, number>,
): Copy {
  const run = () => ({
    table: tableOf(copy),
    stepsAtRows,
    ...(initial.size > 0 && { initial: rowOf(initial, time[0]!) }),
  });
  const copy: Copy = { names, time, columns, impulses, stepsAtRows, initial, run };
  return copy;
}

/** The same without some of its rows. */
export function without(
  { names, time, columns, impulses, stepsAtRows, initial }: Copy,
  rows: readonly number[],
): Copy {
  const isKept = (_: unknown, row: number): boolean => !rows.includes(row);
  const kept = columns.map((values) => values.filter(isKept));
  return copied(names, time.filter(isKept), kept, impulses, stepsAtRows.filter(isKept), initial);
}

function tableOf({ names, time, columns, impulses }: Copy): SignalTable {
  return tableOfColumns(names.map(trajectory), time, columns, [], { impulses });
}

function rowOf(values: ReadonlyMap<string, number>, time: number): SignalTable {
  const columns = [...values.values()].map((value) => [value]);
  return tableOfColumns([...values.keys()].map(trajectory), [time], columns, [], {});
}

/** The column of a signal. */
export const column = (copy: Copy, name: string): Float64Array => copy.columns[copy.names.indexOf(name)]!;

/** Rows with another one of the same time before them. */
export const afterEvents = ({ time }: Copy): number[] =>
  time.flatMap((t, k) => (k > 0 && time[k - 1] === t ? [k] : []));
