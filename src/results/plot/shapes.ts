/**
 * The shapes that a figure consists of: lines, areas, texts and groups of them, in the order in which they are drawn. `svg.ts` writes them as
 * text, `png.ts` fills pixels with them. Colours are those of `style.ts`.
 */

import type { Line } from '../../paint/raster.ts';
import { textWidth } from '../../paint/text.ts';
import type { Rectangle } from './axis.ts';
import { placeX, placeY, round } from './curve.ts';
import type { Figure, Strip } from './figure.ts';
import { type LegendEntry, RAMP, type Ramp, SWATCH } from './legend.ts';
import type { Arrow, Curve, Mark, Panel } from './panel.ts';
import type { ModeKey } from './strip.ts';
import { curveColor } from './style.ts';

export type Shape = Group | Lines | Area | Box | Boxes | TextShape | Ring;

interface Named {
  /** What it is, for style sheets and scripts. */
  readonly class?: string;
}

export interface Group extends Named {
  readonly kind: 'group';
  /** What the reader sees who points at it. */
  readonly tooltip: string;
  /** What the legend switches off and on. */
  readonly key?: string;
  readonly shapes: readonly Shape[];
}

export interface Lines extends Named {
  readonly kind: 'lines';
  readonly lines: readonly Line[];
  readonly color: string;
  readonly width: number;
  readonly dash?: readonly number[];
}

export interface Area extends Named {
  readonly kind: 'area';
  readonly lines: readonly Line[];
  readonly color: string;
  readonly opacity: number;
}

export interface Box extends Named, Rectangle {
  readonly kind: 'box';
  /** Empty for one that is not seen but can be pointed at. */
  readonly color: string;
  readonly radius?: number;
}

/** Boxes side by side, without seams. */
export interface Boxes extends Named {
  readonly kind: 'boxes';
  readonly cells: readonly Rectangle[];
  readonly color: string;
}

export interface TextShape extends Named {
  readonly kind: 'words';
  readonly text: string;
  readonly x: number;
  /** Of the base line. */
  readonly y: number;
  readonly size: number;
  readonly color: string;
  readonly anchor?: 'middle' | 'end';
  readonly bold?: boolean;
  /** A border in the colour of the ground, over what is crossed. */
  readonly halo?: boolean;
  /** What follows on the same line, not bold, in another colour, at a distance. */
  readonly after?: { readonly text: string; readonly color: string; readonly gap: number };
}

export interface Ring extends Named {
  readonly kind: 'ring';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly color: string;
}

export function shapesOf(figure: Figure): Shape[] {
  const { width, height, title, panels, strips, key, subject } = figure;
  return [
    { kind: 'box', class: 'ground', x: 0, y: 0, width, height, color: 'ground' },
    ...(title === '' ? [] : [words('title', title, 16, 30, 15, 'text', { bold: true })]),
    ...panels.flatMap(gridShapes),
    ...strips.flatMap((strip) => stripShapes(strip, subject.runs.length > 1)),
    ...(key ? keyShapes(key) : []),
    ...panels.flatMap(panelShapes),
    ...panels.flatMap(acrossShapes),
  ];
}

function words(
  name: string,
  text: string,
  x: number,
  y: number,
  size: number,
  color: string,
  more: Partial<TextShape> = {},
): TextShape {
  return { kind: 'words', class: name, text, x: round(x), y: round(y), size, color, ...more };
}

/** Horizontal and vertical grid lines and the labels of the value axis. */
function gridShapes(panel: Panel): Shape[] {
  const { frame, ticks, acrossTicks, acrossLabel, map } = panel;
  const { left, right, top, bottom, y } = frame;
  const heights = ticks.values.map((value) => crisp(placeY(frame, value)));
  const across = heights.map((at) => [left, at, right, at]);
  const down = acrossTicks.values
    .map((value) => crisp(placeX(frame, value)))
    .map((at) => [at, top, at, bottom]);
  const zero = y.low < 0 && y.high > 0 && !map ? crisp(placeY(frame, 0)) : undefined;
  const corner = acrossLabel ? [right, crisp(bottom)] : [];
  return [
    { kind: 'lines', class: 'grid', lines: [...across, ...down], color: 'grid', width: 1 },
    ...(zero === undefined ? [] : [line('zero', [left, zero, right, zero], 'zero', 1)]),
    line('axis', [crisp(left), top, crisp(left), crisp(bottom), ...corner], 'axis', 1),
    ...ticks.values.map((value, i) =>
      words('tick', ticks.labels[i]!, left - 8, placeY(frame, value) + 4, 11, 'muted', { anchor: 'end' }),
    ),
  ];
}

const group = (name: string, tooltip: string, shapes: readonly Shape[], key?: string): Group => ({
  ...{ kind: 'group', class: name, tooltip, shapes },
  ...(key !== undefined && { key }),
});

const line = (name: string, points: Line, color: string, width: number): Lines => ({
  ...{ kind: 'lines', class: name, lines: [points], color, width },
});

function panelShapes({ frame, label, heading, legend, notes, curves, marks, arrows, map }: Panel): Shape[] {
  return [
    ...(heading ? [words('heading', heading.text, heading.x, heading.y, 13, 'text', { bold: true })] : []),
    ...(label
      ? [words('tick unit', label, frame.left - 8, frame.top - 9, 11, 'muted', { anchor: 'end' })]
      : []),
    ...legend.map(entryShape),
    ...notes.map(({ text, x, y }) => words('note', text, x, y, 12, 'muted')),
    ...(map?.areas ?? []).map(({ color, cells }): Shape => ({ kind: 'boxes', class: 'cells', cells, color })),
    ...curves.map(curveShape),
    ...marks.map(markShape),
    ...arrows.map(arrowShape),
  ];
}

function entryShape(entry: LegendEntry): Group {
  const { key, isHidden, ramp, name, detail, tooltip, x, y, width } = entry;
  const place = { x: round(x - 4), y: y - 14, width: round(width + 8), height: 19 };
  const sample = ramp
    ? rampShapes(ramp, name, detail, x, y)
    : [
        { ...line('', [round(x + 1), y - 4, round(x + 16), y - 4], entry.color, 2.5), dash: entry.dash },
        words('', name, x + SWATCH, y, 12, 'text', { bold: true, ...after(detail, 6) }),
      ];
  const shapes: Shape[] = [{ kind: 'box', ...place, color: '' }, ...sample];
  return group(`entry${isHidden ? ' off' : ''}`, tooltip, shapes, key || undefined);
}

const after = (text: string, gap: number): Partial<TextShape> =>
  text === '' ? {} : { after: { text, color: 'muted', gap } };

const RAMP_STEPS = 16;

/** `name from ▒▒▒▒ to detail` */
function rampShapes(
  { from, to, colorAt }: Ramp,
  name: string,
  detail: string,
  x: number,
  y: number,
): Shape[] {
  const start = x + (name === '' ? 0 : textWidth(name, 12) * 1.12 + 8) + textWidth(from, 12) + 6;
  const step = RAMP / RAMP_STEPS;
  return [
    ...(name === '' ? [] : [words('', name, x, y, 12, 'text', { bold: true })]),
    words('', from, start - 6, y, 12, 'muted', { anchor: 'end' }),
    ...Array.from({ length: RAMP_STEPS }, (_, i): Shape => {
      const cells = [{ x: round(start + i * step), y: y - 9, width: step, height: 9 }];
      return { kind: 'boxes', cells, color: colorAt((i + 0.5) / RAMP_STEPS) };
    }),
    words('', to, start + RAMP + 6, y, 12, 'muted', after(detail, 10)),
  ];
}

function curveShape({ member, lines, areas }: Curve): Group {
  const { key, tooltip, color, dash } = member;
  const filled: Shape[] =
    areas.length > 0 ? [{ kind: 'area', class: 'area', lines: areas, color, opacity: 0.16 }] : [];
  return group('curve', tooltip, [...filled, { kind: 'lines', lines, color, width: 1.75, dash }], key);
}

function arrowShape({ member, x, from, to, label, labelX, labelY, isLeft, tooltip }: Arrow): Group {
  const { color } = member;
  const at = round(x);
  const back = round(to < from ? to + 9 : to - 9);
  const text = words('weight', label, labelX, labelY, 11, color, {
    bold: true,
    halo: true,
    ...(isLeft && { anchor: 'end' }),
  });
  const head = [at, round(to), round(x - 4.5), back, round(x + 4.5), back];
  const shapes: Shape[] = [
    line('', [at, round(from), at, back], color, 2),
    { kind: 'area', lines: [head], color, opacity: 1 },
    ...(label === '' ? [] : [text]),
  ];
  return group('impulse', tooltip, shapes, member.key);
}

/** A change of mode on a curve that is not over the time. */
function markShape({ member, x, y, tooltip }: Mark): Group {
  const ring: Ring = { kind: 'ring', x: round(x), y: round(y), radius: 3.5, color: member.color };
  return group('mark', tooltip, [ring], member.key);
}

/** The strip of modes, and thin lines through the diagrams below it where they begin. */
function stripShapes(strip: Strip, isOneOfSeveral: boolean): Shape[] {
  const { cells, restarts, frames, top, left, isShown, run } = strip;
  const change = (x: number): Lines => ({
    ...{ kind: 'lines', class: 'change', color: 'mark', width: 1, dash: [2, 3] },
    lines: frames.map((frame) => [round(x), frame.top, round(x), frame.bottom]),
  });
  const again = restarts.map((x) => group('', 'restart', [change(x)]));
  const modes = cells.flatMap((cell): Shape[] => {
    const lines = cell.marked && frames.length > 0 ? [change(cell.left)] : [];
    if (!isShown) return lines;
    const width = cell.right - cell.left;
    const gap = width > 4 ? 1 : 0;
    const [x, room] = [round(cell.left + gap / 2), round(Math.max(0.5, width - gap))];
    const middle = (cell.left + cell.right) / 2;
    const name = words('', cell.label, middle, top + 12, 11, 'text', { anchor: 'middle' });
    const shapes: Shape[] = [
      { kind: 'box', x, y: top, width: room, height: 16, color: cell.color, radius: gap * 2 },
      ...(cell.label === '' ? [] : [name]),
      ...lines,
    ];
    return [group('strip', cell.tooltip, shapes)];
  });
  if (!isOneOfSeveral || !isShown || cells.length === 0) return [...again, ...modes];
  const place = { x: left - 7, y: top + 1, width: 4, height: 14 };
  const owner: Box = { kind: 'box', ...place, color: curveColor(run.number) };
  return [...again, group('run', run.label, [owner]), ...modes];
}

function keyShapes({ entries, more }: ModeKey): Shape[] {
  const named = entries.map(({ color, label, tooltip, x, y }): Shape => {
    const box: Box = { kind: 'box', x: round(x), y: y - 9, width: 10, height: 10, color, radius: 2 };
    return group('mode', tooltip, [box, words('', label, x + 15, y, 11, 'muted')]);
  });
  return more ? [...named, words('note', more.text, more.x, more.y, 11, 'muted')] : named;
}

/** Labels of the horizontal axis, below the last diagram that has it. */
function acrossShapes({ frame, acrossTicks, acrossLabel }: Panel): Shape[] {
  if (acrossLabel === '') return [];
  const { left, right, bottom } = frame;
  const middle = { anchor: 'middle' } as const;
  return [
    ...acrossTicks.values.map((value, i) =>
      words('tick', acrossTicks.labels[i]!, placeX(frame, value), bottom + 17, 11, 'muted', middle),
    ),
    words('tick', acrossLabel, (left + right) / 2, bottom + 34, 11, 'muted', middle),
  ];
}

/** The middle of a pixel, where a thin line is sharp. */
function crisp(value: number): number {
  return Math.floor(value) + 0.5;
}
