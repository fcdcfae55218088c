/** Tables and comparisons in words: what a person wants to know before looking at numbers. */

import { remember } from '../../collections/memo.ts';
import { counted, listed } from '../../diagnostic/words.ts';
import { readable } from '../../names/readable.ts';
import { AS_IT_IS, displayOf } from '../../units/display.ts';
import { displayed, endingText, isNamed, valueText } from '../plot/value.ts';
import { countOf, nameAt, type Signal } from '../table/signal.ts';
import { arrayName } from '../table/signals.ts';
import type { SignalTable } from '../table/table.ts';
import { aligned } from './aligned.ts';
import type { Comparison, SignalComparison } from './compare.ts';

/** So many lines are listed. */
const LISTED = 60;

/**
 * A summary of a table: what it is over, then a line for every signal or array with unit, kind, values and description.
 *
 *     Pendulum: 503 rows over time from 0 s to 10 s, 2 segments, 12 signals
 *       name  unit  size  kind       values        description
 *       x     m           state      −1 … 1        Horizontal position
 *       T     K     [20]  state      290 … 363.15  missing in 40 of 503 rows
 */
export function describeTable(table: SignalTable): string {
  const [axis] = table.independents;
  const [from, to] = [table.time[0], table.time.at(-1)];
  const unit = axis!.unit && ` ${axis!.unit}`;
  const span = from === undefined ? '' : ` from ${readable(from)}${unit} to ${readable(to!)}${unit}`;
  const ending = endingText(table, { ...AS_IT_IS, unit: axis!.unit });
  const counts = [
    ...(ending === '' ? [] : [ending]),
    `${counted(table.rowCount, 'row')} over ${axis!.name}${span}`,
    ...(table.segments.length > 1 ? [counted(table.segments.length, 'segment')] : []),
    ...(table.impulses.length > 0 ? [counted(table.impulses.length, 'impulse')] : []),
    counted(table.size, 'signal'),
  ];
  const groups = groupsOf(table);
  const lines = groups.slice(0, LISTED).map((group) => describeGroup(table, group));
  const columns = ['name', 'unit', 'size', 'kind', 'values', 'description'];
  return [
    `${table.model && `${table.model}: `}${counts.join(', ')}`,
    ...(lines.length > 0 ? aligned([columns, ...lines]) : []),
    ...(groups.length > LISTED ? [`  … and ${groups.length - LISTED} more`] : []),
    '',
  ].join('\n');
}

/** What a comparison found; `labels` name the two results. */
export function describeComparison(comparison: Comparison, labels: readonly [string, string]): string {
  const { signals, onlyFirst, onlySecond, sameTime, from, to, tolerance, timeTolerance } = comparison;
  const different = signals.filter(({ same }) => !same);
  const [first, second] = labels;
  const allowed = `tolerance ${readable(tolerance)}, in time ${readable(timeTolerance)}`;
  const verdict =
    signals.length === 0
      ? `${first} and ${second} have no signal in common.`
      : different.length === 0
        ? `${first} and ${second} agree in ${signals.length === 1 ? 'the signal' : `all ${signals.length} signals`} that both have (${allowed}).`
        : `${first} and ${second} differ in ${different.length} of ${counted(signals.length, 'signal')} (${allowed}).`;
  const lines = different.slice(0, LISTED).map((signal) => describeDifference(signal, labels));
  const columns = ['signal', 'difference', 'at', 'rms', 'relative', 'where'];
  return [
    verdict,
    ...(sameTime
      ? []
      : [`  They cover different times: both have those from ${readable(from)} to ${readable(to)}.`]),
    ...(lines.length > 0 ? aligned([columns, ...lines]) : []),
    ...(different.length > LISTED ? [`  … and ${different.length - LISTED} more`] : []),
    ...(different.length === 0 ? closest(signals) : []),
    ...only(first, onlyFirst),
    ...only(second, onlySecond),
    '',
  ].join('\n');
}

/** Elements of an array that have the same unit and kind make one line. */
interface Group {
  readonly name: string;
  /** Numbers of the signals. */
  readonly members: number[];
  readonly first: Signal;
}

function groupsOf({ reader: { signals } }: SignalTable): Group[] {
  const groups = new Map<string, Group>();
  for (const [n, signal] of [...signals].entries()) {
    const array = arrayName(signal);
    const { name } = signal.info;
    const { unit } = displayed(signal.info);
    const key = array === undefined ? `scalar ${name}` : `${array} ${unit} ${kindOf(signal)}`;
    const group = remember(groups, key, () => ({ name: array ?? name, members: [], first: signal }));
    const first = signals.first(n);
    for (let place = 0; place < countOf(signal); place++) group.members.push(first + place);
  }
  return [...groups.values()].filter(({ members }) => members.length > 0);
}

function describeGroup(table: SignalTable, { name, members, first }: Group): string[] {
  const { description } = first.info;
  const isMany = members.length > 1;
  return [
    isMany ? name : nameAt(first, 0),
    isNamed(first.info) ? '' : displayed(first.info).unit,
    isMany ? `[${sizesOf(table, name, members).join(',')}]` : '',
    kindOf(first),
    valuesOf(table, first.info, members),
    description,
  ];
}

/** How many subscripts some elements of an array have in each dimension. */
function sizesOf({ reader: { signals } }: SignalTable, array: string, members: readonly number[]): number[] {
  const { rank, subscripts, numbers } = signals.elementsOf(array)!;
  const isMember = new Set(members);
  const found = Array.from({ length: rank }, () => new Set<number>());
  for (const [k, number] of numbers.entries())
    if (isMember.has(number)) for (let d = 0; d < rank; d++) found[d]!.add(subscripts[rank * k + d]!);
  return found.map(({ size }) => size);
}

function kindOf({ info }: Signal): string {
  const { role, source } = info;
  if (source.kind === 'alias') return `${source.sign < 0 ? '= −' : '= '}${source.of}`;
  return role ?? (source.kind === 'constant' ? 'constant' : 'variable');
}

/** `least … greatest` as they are shown, and in how many rows the value is missing. */
function valuesOf(table: SignalTable, info: Signal['info'], members: readonly number[]): string {
  let [low, high, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const [number, column] of table.reader.eachColumn(Int32Array.from(members))) {
    const { index, scale } = table.reader.column(number);
    const values = index < 0 ? Float64Array.of(scale) : column;
    let missing = 0;
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      if (Number.isNaN(value)) missing++;
      else {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    most = Math.max(most, missing);
  }
  if (low > high) return 'missing';
  const [least, greatest] = [valueText(info, low), valueText(info, high)];
  const range = low === high ? least : `${least} … ${greatest}`;
  return most === 0 ? range : `${range}, missing in ${counted(most, 'row')}`;
}

function describeDifference(signal: SignalComparison, [first, second]: readonly [string, string]): string[] {
  const { name, difference, time, rms, magnitude, outside, missing } = signal;
  const places = [
    ...outside.slice(0, 3).map(({ from, to }) => interval(from, to)),
    ...(outside.length > 3 ? [`${outside.length - 3} more`] : []),
    ...missing
      .slice(0, 3)
      .map((gap) => `missing in ${gap.in === 'first' ? first : second} ${interval(gap.from, gap.to)}`),
  ];
  const where = places.join(', ');
  if (signal.values) return [name, signal.values.join(', '), readable(time), '', '', where];
  const share = magnitude === 0 ? '' : readable(difference / magnitude);
  const shown = (value: number): string => differenceText(signal, value);
  return [name, shown(difference), readable(time), shown(rms), share, where];
}

/** A difference of two values, in the unit that they are shown in: zeros of units do not matter. */
function differenceText(signal: SignalComparison, difference: number): string {
  const { unit, scale } = displayOf(signal.unit, signal.displayUnit);
  return `${readable(difference * scale)}${unit === '' || unit === '1' ? '' : ` ${unit}`}`;
}

const interval = (from: number, to: number): string =>
  from === to ? `at ${readable(from)}` : `from ${readable(from)} to ${readable(to)}`;

/** The signal that differs most, in relation to its size. */
function closest(signals: readonly SignalComparison[]): string[] {
  const share = ({ difference, magnitude }: SignalComparison): number =>
    difference === 0 ? 0 : difference / magnitude;
  const most = signals.reduce<SignalComparison | undefined>(
    (best, signal) => (best === undefined || share(signal) > share(best) ? signal : best),
    undefined,
  );
  if (!most || most.difference === 0) return signals.length > 0 ? ['  They are equal.'] : [];
  const part = readable(most.difference / most.magnitude);
  const what =
    most.values?.join(', ') ?? `${differenceText(most, most.difference)}, ${part} of its greatest value`;
  return [
    `  The greatest difference in relation to size is that of ${most.name} at ${readable(most.time)}: ${what}.`,
  ];
}

function only(label: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`  only in ${label}: ${listed(names, 8)}`];
}
