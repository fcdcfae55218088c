/**
 * What a diagram draws: for every curve its values over the horizontal axis, as they are shown, with colour and name. A curve is a signal over
 * the time, a signal over another one, or an array over its index at some time; of several runs each has its own. Only what lies in
 * the window of time that is looked at is kept.
 */
import { grouped } from '../../collections/groups.ts';
import { countWhile } from '../../collections/lists.ts';
import { elementOf } from '../../names/names.ts';
import { AS_IT_IS, type Display, displayOf } from '../../units/display.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { SignalTable } from '../table/table.ts';
import type { Choice } from './choose.ts';
import type { Series } from './curve.ts';
import type { ResolvedDiagram } from './layout.ts';
import { curveColor, curveDash, dashOf, hueRamp, lineRamp } from './style.ts';
import { niceTicks, type Range } from './ticks.ts';
import { clockOf } from './units.ts';
import { displayed, isNamed, timeText } from './value.ts';

/** One of the results that are drawn together. */
export interface Run {
  /** Empty where there is one only. */
  readonly label: string;
  readonly number: number;
  readonly table: SignalTable;
}

/** What a reader looks at. */
export interface View {
  /** All of the time where it is left out. */
  readonly window?: Range;
  /** Keys of members that are switched off. */
  readonly hidden?: ReadonlySet<string>;
  /** Of results that are thinned out: the length of the intervals of which only extremes are known. */
  readonly resolution?: number;
  /** Of results that carry only a part of the signals: what was chosen among all of them. */
  readonly choice?: Choice | undefined;
}

/** What is drawn: the same for all diagrams of a figure. */
export interface PlotSubject {
  readonly runs: readonly Run[];
  readonly view: View;
  /** The time that is drawn. */
  readonly time: Range;
  /** How times are shown. */
  readonly clock: Display;
  /** By signal: its number in the figure, which chooses the colour. */
  readonly orders: Map<string, number>;
  /** How large signals become that the plot has chosen; 0 where that is rounding. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface PlotMember {
  /** What is switched off and on together. */
  readonly key: string;
  /** In the legend; members of a family have the same entry. */
  readonly label: string;
  readonly tooltip: string;
  readonly run: Run;
  readonly info: SignalInfo;
  readonly display: Display;
  readonly color: string;
  readonly dash: readonly number[];
  readonly isHidden: boolean;
  readonly family: PlotFamily | undefined;
  readonly series: Series;
}

/** Many elements of one array: their colours go from that of the first to that of the last. */
export interface PlotFamily {
  readonly first: string;
  readonly last: string;
  /** From 0 for the first to 1 for the last. */
  readonly colorAt: (share: number) => string;
}

/** Elements of one array that share the palette of single signals; more of them are a family. */
const MOST_SINGLE = 8;

export function subjectOf(runs: readonly Run[], view: View, timeUnit: string | undefined): PlotSubject {
  const time = view.window ?? timeRange(runs);
  const { unit } = runs[0]!.table.independents[0]!;
  const clock = timeUnit === undefined ? clockOf(unit, time.low, time.high) : displayOf(unit, timeUnit);
  return { runs, view, time, clock, orders: new Map(), sizes: {} };
}

function timeRange(runs: readonly Run[]): Range {
  const filled = runs.map(({ table }) => table.time).filter(({ length }) => length > 0);
  if (filled.length === 0) return { low: 0, high: 1 };
  const low = Math.min(...filled.map((time) => time[0]!));
  const high = Math.max(...filled.map((time) => time[time.length - 1]!));
  if (high > low) return { low, high };
  const room = low === 0 ? 1 : 0.1 * Math.abs(low);
  return { low: low - room, high: high + room };
}

export function membersOf(subject: PlotSubject, diagram: ResolvedDiagram): PlotMember[] {
  return diagram.as === 'profile' ? profilesOf(subject, diagram) : curvesOf(subject, diagram);
}

function curvesOf(subject: PlotSubject, { signals, over, as }: ResolvedDiagram): PlotMember[] {
  const { runs, orders, view } = subject;
  const families = runs.length > 1 || as === 'map' ? new Map<string, string[]>() : familiesOf(signals);
  const arrays = [...families.keys()];
  return signals.flatMap((name, place) => {
    if (!orders.has(name)) orders.set(name, orders.size);
    const array = elementOf(name)?.array ?? '';
    const elements = families.get(array);
    const ramp = arrays.length > 1 ? hueRamp(arrays.indexOf(array)) : lineRamp;
    return runs.flatMap((run) => {
      const info = run.table.info(name);
      if (!info) return [];
      const look =
        runs.length > 1
          ? runLook(run, name, place, signals.length === 1)
          : elements
            ? elementLook(name, elements, ramp)
            : signalLook(name, orders.get(name)!);
      return [
        {
          ...{ ...look, run, info },
          display: isNamed(info) ? AS_IT_IS : displayed(info),
          isHidden: view.hidden?.has(look.key) === true,
          series: as === 'map' ? NOTHING : seriesOf(subject, run, info, over),
        },
      ];
    });
  });
}

type Look = Pick<PlotMember, 'key' | 'label' | 'tooltip' | 'color' | 'dash' | 'family'>;

const signalLook = (name: string, order: number): Look => ({
  ...{ key: name, label: name, tooltip: name, color: curveColor(order), dash: curveDash(order) },
  family: undefined,
});

const elementLook = (name: string, elements: readonly string[], colorAt: PlotFamily['colorAt']): Look => ({
  ...{ key: `array ${elements[0]}`, label: name, tooltip: name, dash: [] },
  color: colorAt(elements.indexOf(name) / (elements.length - 1)),
  family: { first: elements[0]!, last: elements[elements.length - 1]!, colorAt },
});

/** Runs differ in their colours; dashes tell signals apart where a diagram has several. */
function runLook({ label, number }: Run, name: string, place: number, isOnly: boolean): Look {
  const whole = `${name} (${label})`;
  return {
    ...{ key: `run ${label}`, label: isOnly ? label : whole, tooltip: whole, color: curveColor(number) },
    dash: isOnly ? curveDash(number) : dashOf(place),
    family: undefined,
  };
}

const NOTHING: Series = { across: new Float64Array(), values: new Float64Array() };

/** By array: its elements among the signals, where they are many. */
function familiesOf(signals: readonly string[]): Map<string, string[]> {
  const arrays = grouped(signals, (name) => elementOf(name)?.array);
  for (const [array, elements] of arrays) if (elements.length <= MOST_SINGLE) arrays.delete(array);
  return arrays;
}

function seriesOf({ view }: PlotSubject, { table }: Run, info: SignalInfo, over: string | undefined): Series {
  const along = over === undefined ? undefined : table.info(over);
  const across =
    over === undefined
      ? table.time
      : along
        ? shown(table.get(over), displayed(along))
        : new Float64Array(table.rowCount).fill(Number.NaN);
  const values = table.get(info.name);
  if (!isNamed(info)) shown(values, displayed(info));
  const whole =
    over !== undefined
      ? { across, values, times: table.time }
      : info.type === 'Real'
        ? { across, values }
        : held(across, values);
  if (!view.window) return whole;
  const cut = cutter(whole.times ?? whole.across, view.window);
  return {
    across: cut(whole.across),
    values: cut(whole.values),
    ...(whole.times && { times: cut(whole.times) }),
  };
}

/** What is not real changes at once, also where the rows do not have both values. */
function held(times: Float64Array, values: Float64Array): Series {
  const isLeft = (row: number): boolean =>
    row > 0 &&
    times[row] !== times[row - 1] &&
    !(values[row] === values[row - 1] || Number.isNaN(values[row]!) || Number.isNaN(values[row - 1]!));
  let steps = 0;
  for (let row = 0; row < values.length; row++) if (isLeft(row)) steps++;
  if (steps === 0) return { across: times, values };
  const across = new Float64Array(values.length + steps);
  const both = new Float64Array(values.length + steps);
  for (let row = 0, place = 0; row < values.length; row++) {
    if (isLeft(row)) {
      across[place] = times[row]!;
      both[place++] = values[row - 1]!;
    }
    across[place] = times[row]!;
    both[place++] = values[row]!;
  }
  return { across, values: both };
}

function shown(values: Float64Array, { scale, offset }: Display): Float64Array {
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * scale + offset;
  return values;
}

/** Takes what lies in a window, with a point at each of its edges, out of columns over the time. */
function cutter(times: Float64Array, { low, high }: Range): (values: Float64Array) => Float64Array {
  const first = rowsBefore(times, (time) => time < low);
  const end = rowsBefore(times, (time) => time <= high);
  const edge = (row: number, time: number): ((values: Float64Array) => number)[] => {
    if (row === 0 || row === times.length || times[row - 1] === time || times[row] === time) return [];
    const share = (time - times[row - 1]!) / (times[row]! - times[row - 1]!);
    return [(values) => values[row - 1]! + share * (values[row]! - values[row - 1]!)];
  };
  const [before, after] = [edge(first, low), edge(end, high)];
  return (values) => {
    const cut = new Float64Array(before.length + end - first + after.length);
    for (const read of before) cut[0] = read(values);
    cut.set(values.subarray(first, end), before.length);
    for (const read of after) cut[cut.length - 1] = read(values);
    return cut;
  };
}

/** How many rows come before those whose time is not `early`. */
export function rowsBefore(times: Float64Array, early: (time: number) => boolean): number {
  return countWhile(times.length, (k) => early(times[k]!));
}

/** Curves of a profile where no times are named, about. */
const PROFILES = 6;

/** The beginning, the end, and what the axis of the time would have as ticks in between, as far as these are apart. */
function profileTimes({ time: { low, high }, clock: { scale } }: PlotSubject): number[] {
  const { values } = niceTicks({ low: low * scale, high: high * scale }, PROFILES - 1);
  const apart = (high - low) / (4 * PROFILES);
  const between = values.map((value) => value / scale);
  return [low, ...between.filter((time) => time > low + apart && time < high - apart), high];
}

function profilesOf(subject: PlotSubject, { signals, at }: ResolvedDiagram): PlotMember[] {
  const times = at ?? profileTimes(subject);
  // Times that were named are shown as they were.
  const plain = { unit: subject.runs[0]!.table.independents[0]!.unit, scale: 1, offset: 0 };
  return times.flatMap((time, i) =>
    subject.runs.flatMap((run) => {
      const own = signals.filter((name) => run.table.has(name));
      if (own.length === 0) return [];
      const info = run.table.info(own[0]!)!;
      const display = displayed(info);
      const key = `time ${time}`;
      const text = at ? timeText(plain, time) : timeText(subject.clock, time);
      const label = `${text}${run.label && ` (${run.label})`}`;
      const values = Float64Array.from(own, (name) => run.table.value(name, time));
      return [
        {
          ...{ key, label, run, info, display },
          tooltip: `at ${label}`,
          color: lineRamp(times.length === 1 ? 0 : i / (times.length - 1)),
          dash: dashOf(run.number),
          isHidden: subject.view.hidden?.has(key) === true,
          family: undefined,
          series: profileOf(info, indexOf(run.table, own).values, shown(values, display)),
        },
      ];
    }),
  );
}

/** Between two real numbers others may be thought; of other elements each has its own width, up to the middle between it and the next. */
function profileOf({ type }: SignalInfo, index: Float64Array, values: Float64Array): Series {
  if (type === 'Real') return { across: index, values };
  const edges = edgesOf(index);
  const length = 2 * index.length;
  return {
    across: Float64Array.from({ length }, (_, k) => edges[(k + 1) >> 1]!),
    values: Float64Array.from({ length }, (_, k) => values[k >> 1]!),
  };
}

/** Edges halfway between values, and as far outside. */
export function edgesOf(values: Float64Array): number[] {
  const last = values.length - 1;
  if (last === 0) return [values[0]! - 0.5, values[0]! + 0.5];
  const middle = Array.from({ length: last }, (_, i) => (values[i]! + values[i + 1]!) / 2);
  return [2 * values[0]! - middle[0]!, ...middle, 2 * values[last]! - middle[last - 1]!];
}

/** What the elements of an array are drawn over. */
export interface IndexAxis {
  readonly label: string;
  readonly unit: string;
  readonly values: Float64Array;
}

/** The subscript that differs among the elements, or the independent that it counts; their number where several differ. */
export function indexOf(table: SignalTable, signals: readonly string[]): IndexAxis {
  const elements = signals.map((name) => elementOf(name)?.indices ?? []);
  const { length } = elements[0]!;
  const differing = [...elements[0]!.keys()].filter((d) =>
    elements.some((indices) => indices.length !== length || indices[d] !== elements[0]![d]),
  );
  const d = signals.length === 1 && length > 0 ? 0 : differing[0];
  if (d === undefined || differing.length > 1 || elements.some((indices) => indices.length !== length))
    return { label: 'element', unit: '', values: Float64Array.from(signals, (_, i) => i + 1) };
  const subscripts = elements.map((indices) => indices[d]!);
  const over = table.info(signals[0]!)!.over?.[d];
  const independent = over ? table.independents.find(({ name }) => name === over) : undefined;
  if (!independent) return { label: 'index', unit: '', values: Float64Array.from(subscripts) };
  const { name, unit, values } = independent;
  return { label: name, unit, values: Float64Array.from(subscripts, (i) => values[i - 1] ?? Number.NaN) };
}
