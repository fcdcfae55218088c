/**
 * Comparison of two results: where do signals of the same name differ by more than a tolerance? A curve is allowed a tube around the
 * other one: a rectangle, as high as the tolerance of values and as wide as the tolerance of time, drawn along it. So an event that comes a little
 * earlier is no difference, although the values at that time are far apart. Each of the two must lie in the tube of the other.
 *
 * Both are brought to the same points of time, all of both, where both are linear in between; every point has a value before and one
 * after it, which differ at events. A value that exists must be met by one that exists somewhere in the width of the tube, and a missing one
 * by a missing one.
 */
import { checkOptions, kind, type OptionKinds } from '../../diagnostic/options.ts';
import { elementOf } from '../../names/names.ts';
import { isNamed, valueText } from '../plot/value.ts';
import { checkTable, type SignalTable } from '../table/table.ts';

export interface CompareOptions {
  /** Share of the greatest magnitude of a signal, and of the length of the run; 1e-4 where it is left out. */
  readonly tolerance?: number;
  /** Difference of values that is always allowed; a millionth of the tolerance, for what changes, where it is left out. */
  readonly absolute?: number;
  /** Difference of times that is allowed; the tolerance times the length of the run where it is left out. */
  readonly time?: number;
  /** Signals to compare (names, arrays, globs); all where it is left out. */
  readonly signals?: readonly string[];
}

const compareKinds: OptionKinds<CompareOptions> = {
  tolerance: kind.number,
  absolute: kind.number,
  time: kind.number,
  signals: kind.listOf(kind.text.is, 'a list of names'),
};

export interface Comparison {
  /** True where there are signals in both results, and all of them agree over the same time. */
  readonly same: boolean;
  /** In the order of the first result. */
  readonly signals: readonly SignalComparison[];
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
  /** The time that both have, and whether it is all of both. */
  readonly from: number;
  readonly to: number;
  readonly sameTime: boolean;
  /** What was allowed. */
  readonly tolerance: number;
  readonly timeTolerance: number;
}

export interface SignalComparison {
  readonly name: string;
  /** The unit of the values here, and the one to show them in; of the first result that has a unit. */
  readonly unit: string;
  readonly displayUnit: string;
  readonly same: boolean;
  /** Greatest difference of values at the same time, and where it is; 0 where there is none to compare. */
  readonly difference: number;
  readonly time: number;
  /** Of Booleans and enumerations: the names of both values there, where they differ. */
  readonly values?: readonly [string, string];
  /** Root of the mean square of the difference. */
  readonly rms: number;
  /** Greatest magnitude of the signal. */
  readonly magnitude: number;
  /** Where one of them leaves the tube of the other. */
  readonly outside: readonly Interval[];
  /** Where it exists in one of them only. */
  readonly missing: readonly (Interval & { readonly in: 'first' | 'second' })[];
}

export interface Interval {
  readonly from: number;
  readonly to: number;
}

const TOLERANCE = 1e-4;
const NEAR_ZERO = 1e-6;

export function compareResults(
  first: SignalTable,
  second: SignalTable,
  options: CompareOptions = {},
): Comparison {
  checkTable(first, 'compareResults');
  checkTable(second, 'compareResults');
  checkOptions(options, compareKinds, 'compareResults');
  const { tolerance = TOLERANCE, signals: texts } = options;
  const pairs = pairsOf(first, second, texts);
  const times = jointTimes(first.time, second.time);
  const [inFirst, inSecond] = [placesOf(first.time, times), placesOf(second.time, times)];
  const [from, to] = [times[0] ?? Number.NaN, times[times.length - 1] ?? Number.NaN];
  const length = Math.max(spanOf(first.time), spanOf(second.time));
  const timeTolerance = options.time ?? tolerance * length;
  const windows = new Windows(times, timeTolerance);
  const signals = pairs.both.map(([name, other]) => {
    const isConstant = first.isConstant(name) && second.isConstant(other);
    const absolute = options.absolute ?? (isConstant ? 0 : tolerance * NEAR_ZERO);
    const [a, b] = [limitsOf(first.get(name), inFirst), limitsOf(second.get(other), inSecond)];
    const [own, others] = [first.info(name)!, second.info(other)!];
    const { unit, displayUnit } = own.unit === '' ? others : own;
    const { pair, ...found } = compareSignal(times, a, b, windows, tolerance, absolute);
    const named = [own, others].map((info) => (isNamed(info) ? info : isNamed(own) ? own : others));
    const values = named.map((info, k) => valueText(info, pair[k]!)) as [string, string];
    return {
      name,
      unit,
      displayUnit,
      ...found,
      ...(isNamed(named[0]!) && found.difference > 0 && { values }),
    };
  });
  const sameTime =
    Math.abs((first.time[0] ?? 0) - (second.time[0] ?? 0)) <= timeTolerance &&
    Math.abs((first.time.at(-1) ?? 0) - (second.time.at(-1) ?? 0)) <= timeTolerance &&
    first.rowCount > 0 === second.rowCount > 0;
  return {
    same: signals.length > 0 && times.length > 0 && sameTime && signals.every(({ same }) => same),
    signals,
    onlyFirst: pairs.onlyFirst,
    onlySecond: pairs.onlySecond,
    ...{ from, to, sameTime, tolerance, timeTolerance },
  };
}

interface Pairs {
  /** Names in the first and in the second result. */
  readonly both: readonly (readonly [string, string])[];
  readonly onlyFirst: readonly string[];
  readonly onlySecond: readonly string[];
}

/** Signals of the same name, or of names that mean the same and nothing else. */
function pairsOf(first: SignalTable, second: SignalTable, texts: readonly string[] | undefined): Pairs {
  const [inFirst, inSecond] = chosenNames([first, second], texts) as [string[], string[]];
  const [one, other] = [new Set(inFirst), new Set(inSecond)];
  // A name that both have is itself, whatever else could be meant by it.
  const rest = single(inSecond.filter((name) => !one.has(name)));
  const common = single(inFirst.filter((name) => !other.has(name)));
  const both = inFirst.flatMap((name): (readonly [string, string])[] => {
    if (other.has(name)) return [[name, name]];
    const meant = commonName(name);
    const partner = common.get(meant) === name ? rest.get(meant) : undefined;
    return partner === undefined ? [] : [[name, partner]];
  });
  const paired = [new Set(both.map(([name]) => name)), new Set(both.map(([, name]) => name))] as const;
  return {
    both,
    onlyFirst: inFirst.filter((name) => !paired[0].has(name)),
    onlySecond: inSecond.filter((name) => !paired[1].has(name)),
  };
}

/** By table: what the texts mean in any of them. */
function chosenNames(tables: readonly SignalTable[], texts: readonly string[] | undefined): string[][] {
  if (!texts) return tables.map(({ names }) => [...names]);
  const expanded = tables.map((table) => texts.flatMap((text) => table.expand(text)));
  const meant = new Set(expanded.flat().map(commonName));
  return tables.map((table, i) => [
    ...new Set([...expanded[i]!, ...table.names.filter((name) => meant.has(commonName(name)))]),
  ]);
}

/** By common name: the name that means it, where there is only one. */
function single(names: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const name of names) {
    const common = commonName(name);
    if (found.has(common)) several.add(common);
    found.set(common, name);
  }
  for (const common of several) found.delete(common);
  return found;
}

/** How some results write the name of a signal: that of the first, and others where they differ. */
export function spellings(tables: readonly SignalTable[], name: string): string[] {
  const common = commonName(name);
  const others = tables.flatMap((table) =>
    table.has(name) ? [] : table.names.filter((other) => commonName(other) === common),
  );
  return [...new Set([name, ...others])];
}

/**
 * One way to write a name. Tools differ: `a.der(b[1, 2])` is `der(a.b[1,2])`. In a flat text `a[2].b` is one identifier, `'a[2].b'`, or an
 * element of one, `'a.b'[2]`.
 */
function commonName(name: string): string {
  const tight = unquoted(name).replace(/\s+/g, '');
  const inner = /^(.+)\.der\(([^()]*)\)$/.exec(tight);
  const outer = inner ? `der(${inner[1]}.${inner[2]})` : tight;
  const element = elementOf(outer);
  return element ? `${element.array}[${element.indices}]` : outer;
}

/** Quoted identifiers as what stands between the quotes, in which others may be quoted. */
function unquoted(name: string): string {
  let text = name;
  for (let before = ''; text !== before && text.includes("'"); ) {
    before = text;
    text = text.replace(/'((?:[^'\\]|\\.)*)'/g, (_, inside: string) => inside.replace(/\\(.)/g, '$1'));
  }
  return text;
}

/** Values before and after every point of time. */
interface Limits {
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** All points of time of two axes, as far as both reach. */
function jointTimes(first: Float64Array, second: Float64Array): Float64Array {
  const from = Math.max(first[0] ?? Number.NaN, second[0] ?? Number.NaN);
  const to = Math.min(first.at(-1) ?? Number.NaN, second.at(-1) ?? Number.NaN);
  const times: number[] = [];
  for (let i = 0, k = 0; i < first.length || k < second.length; ) {
    const time = Math.min(first[i] ?? Number.POSITIVE_INFINITY, second[k] ?? Number.POSITIVE_INFINITY);
    while (first[i] === time) i++;
    while (second[k] === time) k++;
    if (time >= from && time <= to) times.push(time);
  }
  return Float64Array.from(times);
}

/** The values of a column at points of time. */
function limitsOf(values: Float64Array, { row, lastRow, fraction }: Places): Limits {
  const count = row.length;
  const [before, after] = [new Float64Array(count), new Float64Array(count)];
  for (let k = 0; k < count; k++) {
    const share = fraction[k]!;
    if (share === 0) {
      // Nothing comes before the beginning.
      before[k] = values[k === 0 ? lastRow[k]! : row[k]!]!;
      after[k] = values[lastRow[k]!]!;
    } else before[k] = after[k] = between(values[row[k]!]!, values[row[k]! + 1]!, share);
  }
  return { before, after };
}

/** Where points of time lie among the rows of an axis: on the rows from `row` to `lastRow`, or at a fraction after `row`. */
interface Places {
  readonly row: Int32Array;
  readonly lastRow: Int32Array;
  readonly fraction: Float64Array;
}

function placesOf(axis: Float64Array, times: Float64Array): Places {
  const row = new Int32Array(times.length);
  const lastRow = new Int32Array(times.length);
  const fraction = new Float64Array(times.length);
  let at = 0;
  for (const [k, time] of times.entries()) {
    while (axis[at + 1]! < time) at++;
    if (axis[at] !== time && axis[at + 1] === time) at++;
    row[k] = at;
    if (axis[at] === time) while (axis[at + 1] === time) at++;
    else fraction[k] = (time - axis[at]!) / (axis[at + 1]! - axis[at]!);
    lastRow[k] = at;
  }
  return { row, lastRow, fraction };
}

/** On the line from `a` to `b`; at its ends nothing is asked of the other end, which may be missing. */
function between(a: number, b: number, share: number): number {
  if (share === 0 || a === b) return a;
  return share === 1 ? b : a * (1 - share) + b * share;
}

/** For every point of time: the points in the width of the tube, and where its edges lie between points. */
class Windows {
  /** First and last point inside. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Shares of the way from the point before `first`, and from `last`, at which the edges lie; NaN where the run ends before. */
  readonly left: Float64Array;
  readonly right: Float64Array;

  constructor(
    times: Float64Array,
    readonly width: number,
  ) {
    const count = times.length;
    this.first = new Int32Array(count);
    this.last = new Int32Array(count);
    this.left = new Float64Array(count).fill(Number.NaN);
    this.right = new Float64Array(count).fill(Number.NaN);
    let [low, high] = [0, 0];
    for (let k = 0; k < count; k++) {
      const [from, to] = [times[k]! - width, times[k]! + width];
      while (times[low]! < from) low++;
      while (high + 1 < count && times[high + 1]! <= to) high++;
      this.first[k] = low;
      this.last[k] = high;
      if (low > 0) this.left[k] = (from - times[low - 1]!) / (times[low]! - times[low - 1]!);
      if (high + 1 < count) this.right[k] = (to - times[high]!) / (times[high + 1]! - times[high]!);
    }
  }
}

function compareSignal(
  times: Float64Array,
  a: Limits,
  b: Limits,
  windows: Windows,
  relative: number,
  absolute: number,
): Omit<SignalComparison, 'name' | 'unit' | 'displayUnit' | 'values'> & { readonly pair: readonly number[] } {
  const magnitude = Math.max(greatest(a), greatest(b));
  const height = absolute + relative * magnitude;
  let [difference, place, isClose] = [0, 0, true];
  let limit: keyof Limits = 'before';
  for (const side of ['before', 'after'] as const) {
    const [first, second] = [a[side], b[side]];
    for (let k = 0; k < times.length; k++) {
      const [x, y] = [first[k]!, second[k]!];
      const apart = x === y ? 0 : Math.abs(x - y);
      if (apart > difference || (apart === difference && k < place))
        [difference, place, limit] = [apart, k, side];
      isClose &&= judgePoint(x, y, height) === 'same';
    }
  }
  // What is close at every point is in the tube.
  const { outside, missing } = isClose ? { outside: [], missing: [] } : judge(times, a, b, windows, height);
  return {
    same: outside.length === 0 && missing.length === 0,
    difference,
    time: times[place] ?? Number.NaN,
    rms: difference === 0 ? 0 : rootMeanSquare(times, a, b),
    magnitude,
    outside,
    missing,
    pair: [a[limit][place]!, b[limit][place]!],
  };
}

/** Where a value of one of the curves does not lie in the tube of the other. */
function judge(
  times: Float64Array,
  a: Limits,
  b: Limits,
  windows: Windows,
  height: number,
): Pick<SignalComparison, 'outside' | 'missing'> {
  const [tubeA, tubeB] =
    windows.width > 0 ? [tubeOf(a, windows), tubeOf(b, windows)] : [undefined, undefined];
  const outside = new Intervals();
  const gaps = { first: new Intervals(), second: new Intervals() };
  for (const [k, now] of times.entries()) {
    for (const side of ['before', 'after'] as const) {
      const [x, y] = [a[side][k]!, b[side][k]!];
      const verdict = tubeA && tubeB ? judgeTubes(x, y, tubeA, tubeB, k, height) : judgePoint(x, y, height);
      outside.add(now, verdict === 'outside');
      gaps.first.add(now, verdict === 'missing' && Number.isNaN(x));
      gaps.second.add(now, verdict === 'missing' && Number.isNaN(y));
    }
  }
  const missing = (['first', 'second'] as const).flatMap((which) =>
    gaps[which].list.map((interval) => ({ ...interval, in: which })),
  );
  return { outside: outside.list, missing };
}

type Verdict = 'same' | 'outside' | 'missing';

function judgePoint(x: number, y: number, height: number): Verdict {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) === Number.isNaN(y) ? 'same' : 'missing';
  return x === y || Math.abs(x - y) <= height ? 'same' : 'outside';
}

/** Either value must lie in the tube of the other curve. */
function judgeTubes(x: number, y: number, tubeA: Tube, tubeB: Tube, k: number, height: number): Verdict {
  const verdict = meets(x, tubeB, k, height);
  return verdict === 'same' ? meets(y, tubeA, k, height) : verdict;
}

function meets(value: number, { low, high, hasGap }: Tube, k: number, height: number): Verdict {
  if (Number.isNaN(value)) return hasGap[k] ? 'same' : 'missing';
  if (low[k]! > high[k]!) return 'missing';
  return value >= low[k]! - height && value <= high[k]! + height ? 'same' : 'outside';
}

/** Least and greatest value in the width of the tube at every point (`low > high` where none exists), and whether one is missing. */
interface Tube {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly hasGap: Uint8Array;
}

function tubeOf(limits: Limits, windows: Windows): Tube {
  const { before, after } = limits;
  const count = before.length;
  const low = slidingLeast(before, after, windows, 1);
  const high = slidingLeast(before, after, windows, -1).map((value) => -value);
  const hasGap = new Uint8Array(count);
  // How many points up to here miss a value.
  const gaps = new Int32Array(count + 1);
  for (let k = 0; k < count; k++) {
    gaps[k + 1] = gaps[k]! + (Number.isNaN(before[k]!) || Number.isNaN(after[k]!) ? 1 : 0);
  }
  const includeEdge = (k: number, place: number, share: number): void => {
    if (Number.isNaN(share)) return;
    const edge = between(after[place]!, before[place + 1]!, share);
    if (Number.isNaN(edge)) hasGap[k] = 1;
    else {
      low[k] = Math.min(low[k]!, edge);
      high[k] = Math.max(high[k]!, edge);
    }
  };
  for (let k = 0; k < count; k++) {
    const [first, last] = [windows.first[k]!, windows.last[k]!];
    hasGap[k] = gaps[last + 1]! > gaps[first]! ? 1 : 0;
    includeEdge(k, first - 1, windows.left[k]!);
    includeEdge(k, last, windows.right[k]!);
  }
  return { low, high, hasGap };
}

/** The least of `sign` times the values in every window; a queue holds the points that may still become the least. */
function slidingLeast(
  before: Float64Array,
  after: Float64Array,
  windows: Windows,
  sign: 1 | -1,
): Float64Array {
  const count = before.length;
  const least = new Float64Array(count);
  const values = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const [x, y] = [sign * before[k]!, sign * after[k]!];
    const least = Math.min(Number.isNaN(x) ? y : x, Number.isNaN(y) ? x : y);
    values[k] = Number.isNaN(least) ? Number.POSITIVE_INFINITY : least;
  }
  const queue = new Int32Array(count);
  let [head, tail, next] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    for (; next <= windows.last[k]!; next++) {
      while (tail > head && values[queue[tail - 1]!]! >= values[next]!) tail--;
      queue[tail++] = next;
    }
    while (queue[head]! < windows.first[k]!) head++;
    least[k] = values[queue[head]!]!;
  }
  return least;
}

/** Of the difference, which is linear between points; where one of them is missing, nothing is counted. */
function rootMeanSquare(times: Float64Array, a: Limits, b: Limits): number {
  let [sum, length] = [0, 0];
  for (let k = 0; k + 1 < times.length; k++) {
    const p = a.after[k]! === b.after[k]! ? 0 : a.after[k]! - b.after[k]!;
    const q = a.before[k + 1]! === b.before[k + 1]! ? 0 : a.before[k + 1]! - b.before[k + 1]!;
    if (Number.isNaN(p) || Number.isNaN(q)) continue;
    const step = times[k + 1]! - times[k]!;
    sum += ((p * p + p * q + q * q) / 3) * step;
    length += step;
  }
  return length === 0 ? 0 : Math.sqrt(sum / length);
}

function greatest({ before, after }: Limits): number {
  let size = 0;
  for (const values of [before, after]) {
    for (const value of values) if (Number.isFinite(value)) size = Math.max(size, Math.abs(value));
  }
  return size;
}

function spanOf(time: Float64Array): number {
  return time.length === 0 ? 0 : time[time.length - 1]! - time[0]!;
}

/** Times at which something holds, one after another, as intervals. */
class Intervals {
  readonly list: Interval[] = [];
  private isOpen = false;

  add(time: number, holds: boolean): void {
    if (holds && this.isOpen)
      this.list[this.list.length - 1] = { from: this.list[this.list.length - 1]!.from, to: time };
    else if (holds) this.list.push({ from: time, to: time });
    this.isOpen = holds;
  }
}
