/** What a figure shows at a place: the time, the mode and the values there, as lines of text, and where a cursor stands. */

import { prettyUnit } from '../../units/display.ts';
import { placeX, placeY } from './curve.ts';
import type { Figure } from './figure.ts';
import { indexOf, type PlotMember, type PlotSubject, type Run, rowsBefore } from './member.ts';
import { compact, conditionsOf, modeName } from './naming.ts';
import type { Panel } from './panel.ts';
import { modeAt } from './strip.ts';
import { valueAt } from './ticks.ts';
import { displayed, isNamed, timeText, valueText } from './value.ts';

export interface Readout {
  /** Undefined where the place is not one of a time. */
  readonly time: number | undefined;
  readonly lines: readonly ReadoutLine[];
  /** SVG path data. */
  readonly cursor: string;
}

export interface ReadoutLine {
  /** Empty for a line that belongs to no curve. */
  readonly color: string;
  readonly text: string;
}

/** Longer names of modes are written with ranges of elements. */
const LONGEST = 80;
/** Values that are listed at once. */
const MOST_LINES = 12;

/** A line that belongs to no curve. */
const said = (text: string): ReadoutLine => ({ color: '', text });

/** Undefined outside the diagrams. */
export function readoutAt(figure: Figure, x: number, y: number): Readout | undefined {
  const column = figure.panels.filter(({ frame }) => x >= frame.left && x <= frame.right);
  const panel = column.find(({ frame }) => y >= frame.top && y <= frame.bottom);
  if (panel && !panel.isTimed) return nearestPoint(figure, panel, x, y);
  const timed = column.filter(({ isTimed }) => isTimed);
  if (timed.length === 0) return undefined;
  const [top, bottom] = [timed[0]!.frame.top, timed[timed.length - 1]!.frame.bottom];
  return y < top || y > bottom ? undefined : atTime(figure, timed, x, y);
}

/** Over the time, all diagrams of the column are read off at once. */
function atTime({ subject }: Figure, panels: readonly Panel[], x: number, y: number): Readout {
  const { left, right, x: range } = panels[0]!.frame;
  const time = valueAt(range, (x - left) / (right - left));
  const { name } = subject.runs[0]!.table.independents[0]!;
  return {
    time,
    lines: [
      said(`${name} = ${timeText(subject.clock, time, (range.high - range.low) / (right - left))}`),
      ...subject.runs.flatMap((run) => modeLine(run, time)),
      ...panels.flatMap((panel) =>
        panel.map ? mapLine(panel, time, y) : valueLines(subject, panel, time, y),
      ),
    ],
    cursor: panels.map(({ frame }) => `M${x} ${frame.top}V${frame.bottom}`).join(''),
  };
}

/** Only of results whose mode changes. */
function modeLine({ table, label }: Run, time: number): ReadoutLine[] {
  if (new Set(table.segments.map(({ signature }) => signature)).size < 2) return [];
  const signature = modeAt(table, time);
  if (signature === undefined) return [];
  const name = modeName(signature.length > LONGEST ? compact(conditionsOf(signature)) : signature);
  return [said(`mode${label && ` of ${label}`}: ${name}`)];
}

/** Of many curves those that are nearest to the pointer. */
function valueLines(
  { view }: PlotSubject,
  { frame, members }: Panel,
  time: number,
  y: number,
): ReadoutLine[] {
  const values = members
    .filter(({ isHidden }) => !isHidden)
    .map((member) => ({ member, value: readAt(member, time) }));
  const pixel = frame.y.log ? 0 : (frame.y.high - frame.y.low) / (frame.bottom - frame.top);
  const distance = ({ member: { display }, value }: (typeof values)[number]): number => {
    const away = Math.abs(placeY(frame, value * display.scale + display.offset) - y);
    return Number.isNaN(away) ? Number.POSITIVE_INFINITY : away;
  };
  const listed =
    values.length <= MOST_LINES
      ? values
      : [...values].sort((a, b) => distance(a) - distance(b)).slice(0, MOST_LINES);
  const rest = values.length - listed.length;
  return [
    ...listed.map(({ member, value }) => ({
      color: member.color,
      text: `${member.tooltip} ${view.resolution ? around(member, time, view.resolution) : `= ${withUnit(member, value, pixel)}`}`,
    })),
    ...(rest > 0 ? [said(`… and ${rest} more`)] : []),
  ];
}

/** Reals are linear between rows; all else holds until it changes. Outside its run a signal is missing. */
function readAt({ run: { table }, info }: PlotMember, time: number): number {
  if (info.type === 'Real' || table.isConstant(info.name)) return table.value(info.name, time);
  const { time: times } = table;
  if (!(time >= times[0]! && time <= times[times.length - 1]!)) return Number.NaN;
  return table.at(info.name, rowsBefore(times, (early) => early <= time) - 1);
}

/** Of results that are thinned out: between which values a signal is about a time. All that is left out lies between these. */
function around(member: PlotMember, time: number, resolution: number): string {
  const { run, info } = member;
  const { time: times } = run.table;
  if (!(time >= times[0]! && time <= times[times.length - 1]!)) return `= ${withUnit(member, Number.NaN)}`;
  const first = Math.max(0, rowsBefore(times, (early) => early < time - resolution) - 1);
  const end = Math.min(times.length, rowsBefore(times, (early) => early <= time + resolution) + 1);
  let [low, high, isMissing] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false];
  for (let row = first; row < end; row++) {
    const value = run.table.at(info.name, row);
    if (Number.isNaN(value)) isMissing = true;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low > high) return `= ${withUnit(member, Number.NaN)}`;
  const range =
    low === high ? `= ${withUnit(member, low)}` : `from ${valueText(info, low)} to ${withUnit(member, high)}`;
  return isMissing ? `${range}, or missing` : range;
}

function withUnit({ info }: PlotMember, value: number, step = 0): string {
  const unit = isNamed(info) || Number.isNaN(value) ? '' : prettyUnit(displayed(info).unit);
  return `${valueText(info, value, step)}${unit && ` ${unit}`}`;
}

/** The element under the pointer. */
function mapLine({ frame, members }: Panel, time: number, y: number): ReadoutLine[] {
  if (y < frame.top || y > frame.bottom) return [];
  const { table } = members[0]!.run;
  const { values } = indexOf(
    table,
    members.map(({ info }) => info.name),
  );
  const wanted = valueAt(frame.y, (frame.bottom - y) / (frame.bottom - frame.top));
  let nearest = 0;
  for (const [k, value] of values.entries())
    if (Math.abs(value - wanted) < Math.abs(values[nearest]! - wanted)) nearest = k;
  const member = members[nearest]!;
  return [said(`${member.info.name} = ${withUnit(member, readAt(member, time))}`)];
}

/** Over anything else, the nearest point of a curve. */
function nearestPoint({ subject }: Figure, panel: Panel, x: number, y: number): Readout | undefined {
  const { frame, members, diagram } = panel;
  let best:
    | { readonly member: PlotMember; readonly row: number; readonly px: number; readonly py: number }
    | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const member of members) {
    if (member.isHidden) continue;
    const { across, values } = member.series;
    for (let row = 0; row < values.length; row++) {
      const [px, py] = [placeX(frame, across[row]!), placeY(frame, values[row]!)];
      const distance = (px - x) ** 2 + (py - y) ** 2;
      if (!(distance < least)) continue;
      least = distance;
      best = { member, row, px, py };
    }
  }
  if (!best) return undefined;
  const { member, row, px, py } = best;
  const time = member.series.times?.[row];
  const { run, info } = member;
  const raw = (member.series.values[row]! - member.display.offset) / member.display.scale;
  const beginning =
    diagram.as === 'profile'
      ? [said(member.tooltip)]
      : time === undefined
        ? []
        : [
            said(`${run.table.independents[0]!.name} = ${timeText(subject.clock, time)}`),
            ...modeLine(run, time),
            overLine(run, diagram.over!, time),
          ];
  const name = diagram.as === 'profile' ? elementAt(member, diagram.signals, row) : member.tooltip;
  return {
    time,
    lines: [...beginning, { color: member.color, text: `${name} = ${withUnit({ ...member, info }, raw)}` }],
    cursor: `M${px - 6} ${py}h12M${px} ${py - 6}v12`,
  };
}

function overLine({ table }: Run, over: string, time: number): ReadoutLine {
  const info = table.info(over)!;
  const unit = prettyUnit(displayed(info).unit);
  return said(`${over} = ${valueText(info, table.value(over, time))}${unit && ` ${unit}`}`);
}

/** Elements that are drawn as steps have two points each. */
function elementAt({ run: { table }, series }: PlotMember, signals: readonly string[], row: number): string {
  const names = signals.filter((name) => table.has(name));
  return names[Math.floor((row * names.length) / series.values.length)]!;
}
