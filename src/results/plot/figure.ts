/**
 * The layout of a plot: which signal is drawn in which panel, where everything stands, in pixels. Signals of one unit
 * share a panel, panels stand above each other over one time axis, Booleans are lanes of a panel of their own. `svg.ts`
 * and `html.ts` draw the same figure.
 *
 *     title
 *     mode strip            one cell an interval, only where the mode changes
 *     unit  legend          ┐
 *     ┌───────────────┐     │ a panel
 *     └───────────────┘     ┘
 *     time ticks, label
 */
import type { SignalInfo, SignalTable } from '../table.ts';
import { curvePath, drawable, type Frame, placeX, placeY } from './curve.ts';
import { type ModeCell, modeCells } from './strip.ts';
import { textWidth } from './text.ts';
import { exponentLabel, niceTicks, paddedRange, type Range, readable, type Ticks } from './ticks.ts';
import { type Display, displayOf, prettyUnit } from './units.ts';

export interface PlotOptions {
  /** Pixels; the height follows from the contents. */
  readonly width?: number;
  /** The name of the model where it is left out. */
  readonly title?: string;
  /** `auto` follows the reader's system. */
  readonly theme?: 'auto' | 'light' | 'dark';
}

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly time: Range;
  readonly timeTicks: Ticks;
  readonly timeLabel: string;
  readonly panels: readonly Panel[];
  /** Empty where the mode never changes. */
  readonly modes: readonly ModeCell[];
  /** Top of the mode strip. */
  readonly stripTop: number;
}

export interface Panel {
  readonly frame: Frame;
  readonly label: string;
  readonly ticks: Ticks;
  readonly legend: readonly LegendEntry[];
  readonly curves: readonly Curve[];
  readonly arrows: readonly Arrow[];
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

export interface LegendEntry {
  readonly order: number;
  readonly name: string;
  /** Description, shortened to the room there is. */
  readonly detail: string;
  readonly tooltip: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
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

const MARGIN = 16;
const TITLE_HEIGHT = 26;
const STRIP_HEIGHT = 20;
const LEGEND_LINE = 19;
const PANEL_GAP = 12;
const AXIS_HEIGHT = 42;
const LANE = 34;
/** Width of bold text in relation to plain. */
const BOLD = 1.12;

export function layoutFigure(
  table: SignalTable,
  names: readonly string[],
  options: PlotOptions = {},
): Figure {
  const width = Math.max(240, options.width ?? 800);
  const title = options.title ?? table.model;
  const groups = groupSignals(table, names);
  const time = timeRange(table.time);
  const axes = groups.map((group) => valueAxis(table, group, panelHeight(group, groups.length)));
  const left = MARGIN + Math.max(24, ...axes.map(axisWidth));
  const right = width - MARGIN;
  const modes = modeCells(table, time, left, right);
  const stripTop = MARGIN + (title === '' ? 0 : TITLE_HEIGHT);
  let top = stripTop + (modes.length > 0 ? STRIP_HEIGHT : 0);
  const panels = groups.map((group, index) => {
    const legend = layoutLegend(group, left, right, top);
    const frameTop = top + legend.height + 4;
    const bottom = frameTop + panelHeight(group, groups.length);
    top = bottom + PANEL_GAP;
    const axis = axes[index]!;
    const frame: Frame = { left, right, top: frameTop, bottom, x: time, y: axis.range };
    return {
      frame,
      label: axis.label,
      ticks: axis.ticks,
      legend: legend.entries,
      curves: group.map((member, lane) => drawCurve(table, member, frame, lane)),
      arrows: drawArrows(table, group, frame),
    };
  });
  const timeTicks = niceTicks(time, Math.max(2, Math.min(10, (right - left) / 80)));
  return {
    width,
    height: top - PANEL_GAP + AXIS_HEIGHT,
    title,
    theme: options.theme ?? 'auto',
    time,
    timeTicks,
    timeLabel: ['time', exponentLabel(timeTicks.exponent), '[s]'].filter(Boolean).join(' '),
    panels,
    modes,
    stripTop,
  };
}

/** A signal of the figure. */
interface Member {
  readonly info: SignalInfo;
  readonly order: number;
  readonly display: Display;
}

/** Signals by displayed unit, Booleans by themselves, in order of first appearance. */
function groupSignals(table: SignalTable, names: readonly string[]): Member[][] {
  const groups = new Map<string, Member[]>();
  for (const [order, name] of names.entries()) {
    const info = table.info(name);
    if (!info) throw new RangeError(`There is no signal named ${name}.`);
    const display = displayOf(info.unit, info.displayUnit);
    const key = info.type === 'Boolean' ? 'Boolean' : `unit ${display.unit}`;
    const group = groups.get(key);
    if (group) group.push({ info, order, display });
    else groups.set(key, [{ info, order, display }]);
  }
  return [...groups.values()];
}

const isLanes = (group: readonly Member[]): boolean => group[0]!.info.type === 'Boolean';

function panelHeight(group: readonly Member[], panels: number): number {
  if (isLanes(group)) return LANE * group.length;
  return [300, 300, 200, 160][panels] ?? 130;
}

interface Axis {
  readonly range: Range;
  readonly ticks: Ticks;
  readonly label: string;
}

function valueAxis(table: SignalTable, group: readonly Member[], height: number): Axis {
  if (isLanes(group)) return laneAxis(group.length);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { info, display } of group) {
    for (const value of table.get(info.name)) {
      if (!drawable(value)) continue;
      const shown = value * display.scale + display.offset;
      if (shown < low) low = shown;
      if (shown > high) high = shown;
    }
    // An arrow of an impulse starts at zero.
    if (table.impulses.some((impulse) => impulse.variable === info.name)) {
      low = Math.min(low, 0);
      high = Math.max(high, 0);
    }
  }
  const range = withArrowRoom(paddedRange(low, high), table, group);
  const ticks = niceTicks(range, Math.max(2, height / 42));
  const unit = prettyUnit(group[0]!.display.unit);
  return { range, ticks, label: [exponentLabel(ticks.exponent), unit].filter(Boolean).join(' ') };
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

function axisWidth(axis: Axis): number {
  const labels = axis.ticks.labels.map((label) => textWidth(label, 11));
  return 10 + Math.max(...labels, Math.min(110, textWidth(axis.label, 11)), 0);
}

function timeRange(times: Float64Array): Range {
  const low = times[0] ?? 0;
  const high = times[times.length - 1] ?? 1;
  return high > low ? { low, high } : paddedRange(low, high);
}

function drawCurve(table: SignalTable, { info, order, display }: Member, frame: Frame, lane: number): Curve {
  const values = table.get(info.name);
  if (info.type !== 'Boolean') {
    for (let i = 0; i < values.length; i++) values[i] = values[i]! * display.scale + display.offset;
    return { name: info.name, order, display, path: curvePath(frame, table.time, values), area: '' };
  }
  const base = laneBase(frame.y.high / 2, lane);
  for (let i = 0; i < values.length; i++) values[i] = values[i]! + base;
  const path = curvePath(frame, table.time, values);
  return { name: info.name, order, display, path, area: areaBelow(path, placeY(frame, base)) };
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

function drawArrows(table: SignalTable, group: readonly Member[], frame: Frame): Arrow[] {
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

/** Entries from left to right, wrapped into lines; descriptions only where the panel has few signals. */
function layoutLegend(
  group: readonly Member[],
  left: number,
  right: number,
  top: number,
): { entries: LegendEntry[]; height: number } {
  const entries: LegendEntry[] = [];
  const room = (right - left) / Math.min(group.length, 3) - 40;
  let x = left;
  let y = top + LEGEND_LINE - 5;
  for (const { info, order, display } of group) {
    const nameWidth = textWidth(info.name, 12) * BOLD;
    const detail = group.length <= 4 ? shortened(info.description, room - nameWidth) : '';
    const width = 23 + nameWidth + (detail === '' ? 0 : 6 + textWidth(detail, 12));
    if (x > left && x + width > right) {
      x = left;
      y += LEGEND_LINE;
    }
    const unit = prettyUnit(display.unit);
    const tooltip = [info.name, info.description, unit && `[${unit}]`].filter(Boolean).join(' ');
    entries.push({ order, name: info.name, detail, tooltip, x, y, width });
    x += width + 16;
  }
  return { entries, height: y - top + 5 };
}

/** The text, cut with an ellipsis to a width; nothing where hardly anything would be left. */
function shortened(text: string, width: number): string {
  if (textWidth(text, 12) <= width) return text;
  let end = text.length;
  while (end > 0 && textWidth(`${text.slice(0, end)}…`, 12) > width) end--;
  return end < 8 ? '' : `${text.slice(0, end).trimEnd()}…`;
}
