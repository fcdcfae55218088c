/**
 * One diagram of a plot: its axes, curves and arrows, in pixels. Signals whose values have names (Booleans, enumerations) are lanes above each
 * other where they are by themselves; all others share an axis, with its unit where they have the same one.
 */

import { readable } from '../../names/readable.ts';
import type { Line } from '../../paint/raster.ts';
import { spaced, textWidth } from '../../paint/text.ts';
import { prettyUnit } from '../../units/display.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { TableImpulse } from '../table/table.ts';
import { type Axis, type AxisNote, axisLabel } from './axis.ts';
import { curveLines, drawable, orbitLines, type PlotFrame, placeX, placeY } from './curve.ts';
import { type HeatMap, mapAxis } from './heat.ts';
import type { ResolvedDiagram } from './layout.ts';
import type { LegendEntry } from './legend.ts';
import { indexOf, type PlotMember, type PlotSubject } from './member.ts';
import {
  type AxisTicks,
  exponentLabel,
  paddedLogRange,
  paddedRange,
  type Range,
  shareOf,
  ticksOf,
} from './ticks.ts';
import { impulseUnit } from './units.ts';
import { displayed, isNamed, isOneKind, namesOf, timeText } from './value.ts';

export interface Panel {
  readonly frame: PlotFrame;
  readonly column: number;
  readonly heading: AxisNote | undefined;
  /** Of the value axis. */
  readonly label: string;
  readonly ticks: AxisTicks;
  readonly diagram: ResolvedDiagram;
  readonly isTimed: boolean;
  readonly acrossTicks: AxisTicks;
  /** Empty where the diagram below shows the same axis. */
  readonly acrossLabel: string;
  readonly legend: readonly LegendEntry[];
  /** What the legend leaves out, and what the axes cannot show. */
  readonly notes: readonly AxisNote[];
  readonly members: readonly PlotMember[];
  readonly curves: readonly Curve[];
  readonly arrows: readonly Arrow[];
  /** Changes of mode on curves that are not over the time. */
  readonly marks: readonly Mark[];
  readonly map: HeatMap | undefined;
}

export interface Curve {
  readonly member: PlotMember;
  readonly lines: readonly Line[];
  /** Areas below lanes; empty for others. */
  readonly areas: readonly Line[];
}

/** An impulse: from the zero line to the edge of the panel. */
export interface Arrow {
  readonly member: PlotMember;
  readonly x: number;
  readonly from: number;
  readonly to: number;
  /** Empty where it would cover others. */
  readonly label: string;
  readonly labelX: number;
  readonly labelY: number;
  /** Whether the label ends at its place. */
  readonly isLeft: boolean;
  readonly tooltip: string;
}

export interface Mark {
  readonly member: PlotMember;
  readonly x: number;
  readonly y: number;
  readonly tooltip: string;
}

export const isTimed = ({ as, over }: ResolvedDiagram): boolean => as !== 'profile' && over === undefined;

/** Diagrams with the same key have the same horizontal axis. */
export const acrossKey = (diagram: ResolvedDiagram): string =>
  `${diagram.logOver ? 'log ' : ''}${isTimed(diagram) ? 'time' : diagram.as === 'profile' ? `index ${diagram.signals.join()}` : `signal ${diagram.over}`}`;

/** Signals with names, by themselves over the time. */
const isLanes = (diagram: ResolvedDiagram, members: readonly PlotMember[]): boolean =>
  diagram.as === 'curves' &&
  diagram.over === undefined &&
  members.length > 0 &&
  members.every(({ info }) => isNamed(info));

/** Pixels between the values of a lane. */
const LANE_STEP = 17;

/** Its height where `rows` diagrams stand above each other. */
export function panelHeight(diagram: ResolvedDiagram, members: readonly PlotMember[], rows: number): number {
  if (isLanes(diagram, members)) return LANE_STEP * lanesOf(members).total;
  const usual = [300, 300, 200, 160][rows] ?? 130;
  return diagram.as === 'map' ? Math.min(360, Math.max(usual, members.length / 2)) : usual;
}

export function valueAxis(
  subject: PlotSubject,
  diagram: ResolvedDiagram,
  members: readonly PlotMember[],
  height: number,
): Axis {
  const count = Math.max(2, height / 42);
  if (isLanes(diagram, members)) return laneAxis(members);
  if (diagram.as === 'map') return mapAxis(subject, diagram, count);
  const seen = members.filter(({ isHidden }) => !isHidden);
  const visible = seen.length > 0 ? seen : members;
  // What is rounding lies on the line of zero, and is nothing to stretch an axis to.
  const moving = visible.filter(({ info }) => subject.sizes[info.name] !== 0);
  const plain =
    moving.length === 0 && !diagram.log
      ? paddedRange(0, 0)
      : rangeOf(
          moving.map(({ series }) => series.values),
          diagram.log,
        );
  const infos = members.map(({ info }) => info);
  if (isOneKind(infos)) return namedAxis(infos[0]!, '', height / LANE_STEP);
  const range = isTimed(diagram) ? withArrows(plain, subject, visible) : plain;
  const ticks = ticksOf(range, count);
  const unit = sameUnit(members) ? prettyUnit(members[0]?.display.unit ?? '') : '';
  return { range, ticks, label: spaced(exponentLabel(ticks.exponent), unit) };
}

/** The horizontal axis: the time, another signal, or the index of an array. */
export function acrossAxis(
  subject: PlotSubject,
  diagram: ResolvedDiagram,
  members: readonly PlotMember[],
  width: number,
): Axis {
  const count = Math.max(2, Math.min(10, width / 80));
  if (isTimed(diagram)) return timeAxis(subject, diagram.logOver, width, count);
  const { name, unit } = acrossName(diagram, members);
  const along = members.flatMap(({ run }) => run.table.info(diagram.over ?? '') ?? []);
  if (isOneKind(along)) return namedAxis(along[0]!, name, count);
  const plain = rangeOf(
    members.map(({ series }) => series.across),
    diagram.logOver,
  );
  const ticks = apartTicks(plain, width, count);
  return { range: plain, ticks, label: axisLabel(name, ticks, unit) };
}

/** Ticks are even in the unit that is shown. */
function timeAxis({ runs, time, clock }: PlotSubject, log: boolean, width: number, count: number): Axis {
  const { name } = runs[0]!.table.independents[0]!;
  const range = log
    ? positiveTime(
        runs.map(({ table }) => table.time),
        time,
      )
    : time;
  const { scale } = clock;
  const inUnit = { ...range, low: range.low * scale, high: range.high * scale };
  const shown = apartTicks(inUnit, width, count);
  const ticks = { ...shown, values: shown.values.map((value) => value / scale) };
  return { range, ticks, label: axisLabel(name, ticks, clock.unit) };
}

/** From the first time after zero on. */
function positiveTime(times: readonly Float64Array[], { low, high }: Range): Range {
  if (high <= 0) return { low: 0.1, high: 1, log: true };
  let first = high;
  for (const list of times)
    for (const time of list) if (time > 0 && time >= low && time < first) first = time;
  return { low: first < high ? first : high / 10, high, log: true };
}

function acrossName(
  diagram: ResolvedDiagram,
  members: readonly PlotMember[],
): { name: string; unit: string } {
  const table = members[0]?.run.table;
  if (diagram.as === 'profile') {
    const own = diagram.signals.filter((name) => table?.has(name));
    const { label, unit } = table ? indexOf(table, own) : NO_INDEX;
    return { name: label, unit };
  }
  const info = members.map(({ run }) => run.table.info(diagram.over!)).find((found) => found);
  return { name: diagram.over!, unit: info ? displayed(info).unit : '' };
}

const NO_INDEX = { label: 'index', unit: '' };

/** Pixels by which the labels of a horizontal axis reach beyond its right end. */
export function overhang({ range, ticks }: Axis, width: number): number {
  const ends = ticks.labels.map(
    (label, i) => (shareOf(range, ticks.values[i]!) - 1) * width + textWidth(label, 11) / 2,
  );
  return Math.max(0, ...ends);
}

/** Ticks whose labels stand apart from each other, about `count` of them at most. */
function apartTicks(range: Range, width: number, count: number): AxisTicks {
  for (let most = count; ; most *= 0.75) {
    const ticks = ticksOf(range, most);
    const widths = ticks.labels.map((label) => textWidth(label, 11));
    const places = ticks.values.map((value) => shareOf(range, value) * width);
    const isTight = places.some(
      (place, i) => i > 0 && place - places[i - 1]! < (widths[i]! + widths[i - 1]!) / 2 + 8,
    );
    if (!isTight || most <= 2) return ticks;
  }
}

export function axisWidth(axis: Axis): number {
  const labels = axis.ticks.labels.map((label) => textWidth(label, 11));
  return 10 + Math.max(...labels, Math.min(110, textWidth(axis.label, 11)), 0);
}

export const sameUnit = (members: readonly PlotMember[]): boolean =>
  members.every(({ display }) => display.unit === members[0]!.display.unit);

/** Points that all curves of a figure have together, about. */
const MOST_POINTS = 300_000;

export function drawCurves(
  diagram: ResolvedDiagram,
  members: readonly PlotMember[],
  frame: PlotFrame,
  curves: number,
): Curve[] {
  const most = MOST_POINTS / curves;
  if (isLanes(diagram, members)) {
    const { bases } = lanesOf(members);
    return members.map((member, lane) => drawLane(frame, member, bases[lane]!, most));
  }
  return members.map((member) => {
    const { isHidden, series } = member;
    const lines = isHidden
      ? []
      : diagram.over === undefined
        ? curveLines(frame, series, most)
        : orbitLines(frame, series, most);
    return { member, lines, areas: [] };
  });
}

function drawLane(frame: PlotFrame, member: PlotMember, base: number, most: number): Curve {
  const { first } = namesOf(member.info);
  const { across, values } = member.series;
  const placed = values.map((value) => value - first + base);
  const lines = member.isHidden ? [] : curveLines(frame, { across, values: placed }, most);
  const ground = placeY(frame, base);
  const areas = lines
    .filter((line) => line.length > 2)
    .map((line) => [...line, line[line.length - 2]!, ground, line[0]!, ground]);
  return { member, lines, areas };
}

/** Impulses in the order of their times. A label stands beside its arrow, where it covers neither another one nor another label; with the unit of the weight, which is not that of the axis, where there is room for it. */
export function drawArrows(
  { clock }: PlotSubject,
  members: readonly PlotMember[],
  frame: PlotFrame,
): Arrow[] {
  const impulses = members
    .filter(({ isHidden }) => !isHidden)
    .flatMap((member) =>
      impulsesIn(frame.x, member)
        .filter(({ weight }) => drawable(weight))
        .map((impulse) => ({ ...impulse, member, x: placeX(frame, impulse.time) })),
    )
    .sort((a, b) => a.time - b.time);
  const taken = impulses.map(({ x, weight }) => ({ from: x - 4, to: x + 4, isUp: weight > 0 }));
  return impulses.map(({ member, time, weight, variable, x }, own) => {
    const text = readable(weight * member.display.scale);
    const unit = prettyUnit(impulseUnit(member.display.unit));
    const isUp = weight > 0;
    const isFree = ([from, to]: readonly [number, number]): boolean =>
      from >= frame.left - 4 &&
      to <= frame.right + 10 &&
      taken.every((other, i) => i === own || other.isUp !== isUp || other.to < from || other.from > to);
    const places = [...new Set([spaced(text, unit), text])].flatMap((label) => {
      const room = textWidth(label, 11) * 1.12;
      return [
        { label, from: x + 8, to: x + 8 + room },
        { label, from: x - 8 - room, to: x - 8 },
      ];
    });
    const place = places.find(({ from, to }) => isFree([from, to]));
    if (place) taken.push({ from: place.from, to: place.to, isUp });
    const isLeft = place !== undefined && place.from < x;
    const end = isUp ? frame.top + 3 : frame.bottom - 3;
    return {
      ...{ member, x, isLeft, to: end },
      from: frame.y.log ? (isUp ? frame.bottom : frame.top) : placeY(frame, 0),
      label: place?.label ?? '',
      labelX: isLeft ? x - 8 : x + 8,
      labelY: isUp ? end + 9 : end - 1,
      tooltip: `impulse of ${variable} at ${timeText(clock, time)}: ${spaced(text, unit)}`,
    };
  });
}

/** More changes of mode than this on a curve hide it. */
const MOST_MARKS = 40;

/** Where the mode changes, on curves over another signal. */
export function drawMarks(
  { clock, time }: PlotSubject,
  { over, as }: ResolvedDiagram,
  members: readonly PlotMember[],
  frame: PlotFrame,
): Mark[] {
  if (over === undefined || as !== 'curves') return [];
  return members.flatMap((member) => {
    const { table } = member.run;
    const along = table.info(over);
    const changes = table.segments.filter(
      ({ signature, firstRow }, i) =>
        i > 0 && signature !== table.segments[i - 1]!.signature && inside(time, table.time[firstRow]!),
    );
    if (!along || member.isHidden || changes.length > MOST_MARKS) return [];
    const [display, acrossDisplay] = [member.display, displayed(along)];
    return changes.flatMap(({ firstRow, signature }) => {
      const x = table.at(over, firstRow) * acrossDisplay.scale + acrossDisplay.offset;
      const y = table.at(member.info.name, firstRow) * display.scale + display.offset;
      if (!drawable(x, frame.x) || !drawable(y, frame.y)) return [];
      const tooltip = `${signature || 'mode'} from ${timeText(clock, table.time[firstRow]!)} on`;
      return [{ member, x: placeX(frame, x), y: placeY(frame, y), tooltip }];
    });
  });
}

/** What a diagram cannot show: values on logarithmic axes, times outside the run, weights of impulses that are too near to each other. */
export function unshown(
  diagram: ResolvedDiagram,
  members: readonly PlotMember[],
  arrows: readonly Arrow[],
): string[] {
  const isCut = (values: Float64Array): boolean => values.some((value) => value <= 0);
  const cutAcross =
    diagram.logOver &&
    members.some(({ series, run }) => isCut(diagram.as === 'map' ? run.table.time : series.across));
  const cut =
    (cutAcross && !isTimed(diagram)) || (diagram.log && members.some(({ series }) => isCut(series.values)));
  const empty =
    diagram.as === 'profile' ? members.filter(({ series }) => series.values.every(Number.isNaN)) : [];
  const bare = arrows.filter(({ label }) => label === '').length;
  return [
    ...(cut ? ['values up to zero have no place on a logarithmic axis'] : []),
    ...(cutAcross && isTimed(diagram) ? ['times up to zero have no place on a logarithmic axis'] : []),
    ...empty.map(({ tooltip }) => `nothing exists ${tooltip}`),
    ...(bare > 0 ? [`${bare} impulse${bare === 1 ? '' : 's'} without room for the weight`] : []),
  ];
}

const inside = ({ low, high }: Range, value: number): boolean => value >= low && value <= high;

const impulsesIn = (time: Range, { run, info }: PlotMember): TableImpulse[] =>
  run.table.impulses.filter((impulse) => impulse.variable === info.name && inside(time, impulse.time));

function rangeOf(columns: readonly Float64Array[], log: boolean): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const values of columns) {
    for (const value of values) {
      if (!drawable(value, { log })) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return log ? paddedLogRange(low, high) : paddedRange(low, high);
}

/** Arrows of impulses start at zero, and end beyond all values, where their labels cover nothing. */
function withArrows(range: Range, { time }: PlotSubject, members: readonly PlotMember[]): Range {
  const weights = members.flatMap((member) => impulsesIn(time, member).map(({ weight }) => weight));
  if (weights.length === 0 || range.log) return range;
  const { low, high } =
    range.low > 0 || range.high < 0 ? paddedRange(Math.min(0, range.low), Math.max(0, range.high)) : range;
  const room = 0.12 * (high - low);
  return {
    low: weights.some((weight) => weight < 0) ? low - room : low,
    high: weights.some((weight) => weight > 0) ? high + room : high,
  };
}

/** Where lanes stand, from the top: value number i of a lane is at its base + i. */
function lanesOf(members: readonly PlotMember[]): { bases: number[]; total: number } {
  const sizes = members.map(({ info }) => namesOf(info).names.length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let top = total;
  return { bases: sizes.map((size) => (top -= size) + 0.5), total };
}

function laneAxis(members: readonly PlotMember[]): Axis {
  const { bases, total } = lanesOf(members);
  const names = members.map(({ info }) => namesOf(info).names);
  return {
    range: { low: 0, high: total },
    ticks: {
      values: names.flatMap((list, lane) => list.map((_, i) => bases[lane]! + i)),
      labels: names.flat(),
      exponent: 0,
    },
    label: '',
  };
}

/** An axis of values that have names; where there are too many, some names are left out. */
function namedAxis(info: SignalInfo, label: string, most: number): Axis {
  const { names, first } = namesOf(info);
  const step = Math.ceil(names.length / Math.max(1, most));
  const shown = names.map((name, i) => ({ name, value: first + i })).filter((_, i) => i % step === 0);
  const ticks = {
    values: shown.map(({ value }) => value),
    labels: shown.map(({ name }) => name),
    exponent: 0,
  };
  return { range: { low: first - 0.5, high: first + names.length - 0.5 }, ticks, label };
}
