/**
 * One diagram of a plot: its axes, curves and arrows, in pixels. Booleans alone are lanes above each other; all other signals share an
 * axis, with its unit where they have the same one.
 */
import type { SignalInfo } from '../signal.ts';
import type { SignalTable } from '../table.ts';
import { curvePath, drawable, type Frame, orbitPath, placeX, placeY } from './curve.ts';
import type { ResolvedDiagram } from './layout.ts';
import type { LegendEntry } from './legend.ts';
import { textWidth } from './text.ts';
import { exponentLabel, niceTicks, paddedRange, type Range, readable, type Ticks } from './ticks.ts';
import { type Display, displayOf, prettyUnit } from './units.ts';

export interface Panel {
  readonly frame: Frame;
  readonly column: number;
  readonly heading: string;
  /** Of the value axis. */
  readonly label: string;
  readonly ticks: Ticks;
  /** What is along the horizontal axis; undefined for the time. */
  readonly over: string | undefined;
  readonly acrossTicks: Ticks;
  /** Empty where the diagram below shows the same axis. */
  readonly acrossLabel: string;
  readonly legend: readonly LegendEntry[];
  /** What the legend leaves out. */
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly curves: readonly Curve[];
  readonly arrows: readonly Arrow[];
  /** Changes of mode on curves that are not over the time. */
  readonly marks: readonly Mark[];
}

export interface Curve {
  readonly name: string;
  /** Number of the signal in the figure: chooses the colour. */
  readonly order: number;
  readonly display: Display;
  /** SVG path data. */
  readonly path: string;
  /** The area below a Boolean; empty for others. */
  readonly area: string;
}

/** An impulse: from the zero line to the edge of the panel. */
export interface Arrow {
  readonly order: number;
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly tooltip: string;
}

export interface Mark {
  readonly order: number;
  readonly x: number;
  readonly y: number;
  readonly tooltip: string;
}

/** A signal of a diagram. */
export interface Member {
  readonly info: SignalInfo;
  readonly order: number;
  readonly display: Display;
  /** Drawn in a lane of its own. */
  readonly isLane: boolean;
}

/** The signals of a diagram; `orders` numbers those of the whole figure. */
export function membersOf(
  table: SignalTable,
  { signals, over }: ResolvedDiagram,
  orders: Map<string, number>,
): Member[] {
  const isLane = over === undefined && signals.every((name) => table.info(name)!.type === 'Boolean');
  return signals.map((name) => {
    const info = table.info(name)!;
    let order = orders.get(name);
    if (order === undefined) orders.set(name, (order = orders.size));
    return { info, order, display: displayOf(info.unit, info.displayUnit), isLane };
  });
}

const LANE = 34;

const isLanes = (group: readonly Member[]): boolean => group[0]?.isLane === true;

/** Its height where `rows` diagrams stand above each other. */
export function panelHeight(group: readonly Member[], rows: number): number {
  if (isLanes(group)) return LANE * group.length;
  return [300, 300, 200, 160][rows] ?? 130;
}

export interface Axis {
  readonly range: Range;
  readonly ticks: Ticks;
  readonly label: string;
}

export function valueAxis(
  table: SignalTable,
  group: readonly Member[],
  height: number,
  over: string | undefined,
): Axis {
  if (isLanes(group)) return laneAxis(group.length);
  const range = rangeOf(table, group, over === undefined);
  const ticks = niceTicks(range, Math.max(2, height / 42));
  const unit = sameUnit(group) ? prettyUnit(group[0]?.display.unit ?? '') : '';
  return { range, ticks, label: [exponentLabel(ticks.exponent), unit].filter(Boolean).join(' ') };
}

/** The horizontal axis of the time, or of another signal. */
export function acrossAxis(table: SignalTable, over: string | undefined, width: number): Axis {
  const count = Math.max(2, Math.min(10, width / 80));
  if (over === undefined) {
    const { name, unit } = table.independents[0]!;
    const range = timeRange(table.time);
    const ticks = niceTicks(range, count);
    return { range, ticks, label: axisLabel(name, ticks, prettyUnit(unit)) };
  }
  const member = memberOf(table, over);
  const range = rangeOf(table, [member], false);
  const ticks = niceTicks(range, count);
  return { range, ticks, label: axisLabel(over, ticks, prettyUnit(member.display.unit)) };
}

export function axisWidth(axis: Axis): number {
  const labels = axis.ticks.labels.map((label) => textWidth(label, 11));
  return 10 + Math.max(...labels, Math.min(110, textWidth(axis.label, 11)), 0);
}

export const sameUnit = (group: readonly Member[]): boolean =>
  group.every(({ display }) => display.unit === group[0]!.display.unit);

export function drawCurves(
  table: SignalTable,
  group: readonly Member[],
  frame: Frame,
  over: string | undefined,
): Curve[] {
  const across = over === undefined ? undefined : shownValues(table, memberOf(table, over));
  return group.map((member, lane) => {
    const { order, display } = member;
    const { name } = member.info;
    const values = shownValues(table, member);
    if (across) return { name, order, display, path: orbitPath(frame, across, values), area: '' };
    if (!isLanes(group)) {
      return { name, order, display, path: curvePath(frame, table.time, values), area: '' };
    }
    const base = laneBase(frame.y.high / 2, lane);
    for (let i = 0; i < values.length; i++) values[i] = values[i]! + base;
    const path = curvePath(frame, table.time, values);
    return { name, order, display, path, area: areaBelow(path, placeY(frame, base)) };
  });
}

export function drawArrows(table: SignalTable, group: readonly Member[], frame: Frame): Arrow[] {
  return table.impulses.flatMap((impulse) => {
    const member = group.find(({ info }) => info.name === impulse.variable);
    if (!member || !drawable(impulse.weight)) return [];
    const weight = readable(impulse.weight * member.display.scale);
    const unit = prettyUnit(member.display.unit);
    return [
      {
        order: member.order,
        x: placeX(frame, impulse.time),
        from: placeY(frame, 0),
        to: impulse.weight > 0 ? frame.top + 3 : frame.bottom - 3,
        label: weight,
        tooltip: `impulse of ${impulse.variable} at ${readable(impulse.time)} s: ${weight}${unit && ` ${unit}`}·s`,
      },
    ];
  });
}

/** More changes of mode than this on a curve hide it. */
const MOST_MARKS = 40;

/** Where the mode changes, on curves over another signal. */
export function drawMarks(table: SignalTable, group: readonly Member[], frame: Frame, over: string): Mark[] {
  const changes = table.segments.filter(
    ({ signature }, i) => i > 0 && signature !== table.segments[i - 1]!.signature,
  );
  if (changes.length > MOST_MARKS) return [];
  const across = shownValues(table, memberOf(table, over));
  return group.flatMap((member) => {
    const values = shownValues(table, member);
    return changes.flatMap(({ firstRow, signature }) => {
      const [x, y] = [across[firstRow]!, values[firstRow]!];
      if (!drawable(x) || !drawable(y)) return [];
      const tooltip = `${signature || 'mode'} from ${readable(table.time[firstRow]!)} s on`;
      return [{ order: member.order, x: placeX(frame, x), y: placeY(frame, y), tooltip }];
    });
  });
}

function memberOf(table: SignalTable, name: string): Member {
  const info = table.info(name)!;
  return { info, order: 0, display: displayOf(info.unit, info.displayUnit), isLane: false };
}

/** Values as they are shown. */
function shownValues(table: SignalTable, { info, display }: Member): Float64Array {
  const values = table.get(info.name);
  for (let i = 0; i < values.length; i++) values[i] = values[i]! * display.scale + display.offset;
  return values;
}

function rangeOf(table: SignalTable, group: readonly Member[], withArrows: boolean): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const member of group) {
    for (const shown of shownValues(table, member)) {
      if (!drawable(shown)) continue;
      if (shown < low) low = shown;
      if (shown > high) high = shown;
    }
    // An arrow of an impulse starts at zero.
    if (withArrows && table.impulses.some((impulse) => impulse.variable === member.info.name)) {
      low = Math.min(low, 0);
      high = Math.max(high, 0);
    }
  }
  return withArrows ? withArrowRoom(paddedRange(low, high), table, group) : paddedRange(low, high);
}

/** Arrows of impulses end beyond all values, where their labels cover nothing. */
function withArrowRoom({ low, high }: Range, table: SignalTable, group: readonly Member[]): Range {
  const weights = table.impulses
    .filter((impulse) => group.some(({ info }) => info.name === impulse.variable))
    .map((impulse) => impulse.weight);
  const room = 0.12 * (high - low);
  return {
    low: weights.some((weight) => weight < 0) ? low - room : low,
    high: weights.some((weight) => weight > 0) ? high + room : high,
  };
}

/** Lane k (from the top) of n shows false at 2 (n-1-k) + 0.5 and true 1 above. */
function laneAxis(lanes: number): Axis {
  const values = Array.from({ length: lanes }, (_, lane) => laneBase(lanes, lane));
  return {
    range: { low: 0, high: 2 * lanes },
    ticks: {
      values: values.flatMap((base) => [base, base + 1]),
      labels: values.flatMap(() => ['false', 'true']),
      exponent: 0,
    },
    label: '',
  };
}

function laneBase(lanes: number, lane: number): number {
  return 2 * (lanes - 1 - lane) + 0.5;
}

function timeRange(times: Float64Array): Range {
  const low = times[0] ?? 0;
  const high = times[times.length - 1] ?? 1;
  return high > low ? { low, high } : paddedRange(low, high);
}

function axisLabel(name: string, ticks: Ticks, unit: string): string {
  return [name, exponentLabel(ticks.exponent), unit && `[${unit}]`].filter(Boolean).join(' ');
}

/** Closes every run of a path along the line at height `y`. */
function areaBelow(path: string, y: number): string {
  return path
    .split('M')
    .slice(1)
    .map((run) => {
      const numbers = run.split(/[ L]/);
      return run.endsWith('h0') ? '' : `M${run}L${numbers[numbers.length - 2]} ${y} ${numbers[0]} ${y}Z`;
    })
    .join('');
}
