/**
 * The layout of a plot: where every diagram stands, in pixels. Diagrams are a grid; those of a column have the same width and, over the
 * time, the same axis, whose labels stand below the last of them. `svg.ts` and `html.ts` draw the same figure.
 *
 *     title
 *     mode strip            one cell an interval, only where the mode changes
 *     heading               ┐
 *     unit  legend          │ a panel
 *     ┌───────────────┐     │
 *     └───────────────┘     ┘
 *     time ticks, label
 */
import { kind, type OptionKinds } from '../../diagnostic/options.ts';
import type { SignalTable } from '../table.ts';
import { chooseSignals } from './choose.ts';
import type { Frame } from './curve.ts';
import { byUnit, type Grid, type Layout, type ResolvedDiagram, resolveLayout } from './layout.ts';
import { type Legend, layoutLegend } from './legend.ts';
import {
  type Axis,
  acrossAxis,
  axisWidth,
  drawArrows,
  drawCurves,
  drawMarks,
  type Member,
  membersOf,
  type Panel,
  panelHeight,
  valueAxis,
} from './panel.ts';
import { type ModeCell, modeCells, restartPlaces } from './strip.ts';

export interface PlotOptions {
  /** Pixels; the height follows from the contents. */
  readonly width?: number;
  /** The name of the model where it is left out. */
  readonly title?: string;
  /** `auto` follows the reader's system. */
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Entries in a legend at most; 12 where it is left out. */
  readonly legend?: number;
}

export const plotKinds: OptionKinds<PlotOptions> = {
  width: { is: (value) => kind.number.is(value) && (value as number) > 0, what: 'a number of pixels' },
  title: kind.text,
  theme: kind.oneOf('auto', 'light', 'dark'),
  legend: kind.number,
};

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly panels: readonly Panel[];
  readonly strips: readonly Strip[];
}

/** The modes above the diagrams of a column that are over the time. */
export interface Strip {
  readonly top: number;
  /** False where a diagram over something else stands between: changes are marked all the same. */
  readonly isShown: boolean;
  readonly cells: readonly ModeCell[];
  /** Places of restarts within a mode. */
  readonly restarts: readonly number[];
  readonly frames: readonly Frame[];
}

const MARGIN = 16;
const TITLE_HEIGHT = 26;
const HEADING_HEIGHT = 20;
const STRIP_HEIGHT = 20;
const PANEL_GAP = 12;
const AXIS_HEIGHT = 42;
/** Between columns. */
const GUTTER = 24;
const LEGEND_LIMIT = 12;
/** Default widths of a plot with one column, and of each of several. */
const ONE_COLUMN = 800;
const COLUMN = 520;

/** The diagrams of a layout, or of a choice of signals where there is none. */
export function layoutFigure(
  table: SignalTable,
  layout: Layout | undefined,
  options: PlotOptions = {},
): Figure {
  const isChosen = layout !== undefined && !(Array.isArray(layout) && layout.length === 0);
  const grid = resolveLayout(table, isChosen ? layout : byUnit(table, chooseSignals(table)));
  const columns = Math.max(1, ...grid.map((row) => row.length));
  const width = Math.max(240, options.width ?? (columns === 1 ? ONE_COLUMN : COLUMN * columns));
  const title = options.title ?? table.model;
  const cells = placeColumns(table, grid, columns, width);
  const stripTop = MARGIN + (title === '' ? 0 : TITLE_HEIGHT);
  const modes = modesOf(table, cells, columns);
  const isShown = modes.map((list, column) => list.length > 0 && firstOf(cells, column)?.over === undefined);
  let top = stripTop + (isShown.includes(true) ? STRIP_HEIGHT : 0);
  const limit = Math.max(0, options.legend ?? LEGEND_LIMIT);
  const panels: Panel[] = [];
  for (const row of cells) {
    const laid = layoutRow(table, row, grid.length, top, limit);
    panels.push(...laid.panels);
    top = laid.bottom + (row.some((cell) => cell.showsAxis) ? AXIS_HEIGHT : PANEL_GAP);
  }
  const timed = panels.filter(({ over }) => over === undefined);
  const strips = modes.map((list, column) => {
    const frames = timed.filter((panel) => panel.column === column).map(({ frame }) => frame);
    const first = frames[0];
    const restarts = first ? restartPlaces(table, first.x, first.left, first.right) : [];
    return { top: stripTop, isShown: isShown[column]!, cells: list, restarts, frames };
  });
  const height = panels.length > 0 ? top : top - PANEL_GAP + AXIS_HEIGHT;
  return { width, height, title, theme: options.theme ?? 'auto', panels, strips };
}

/** A diagram with its place in the width of the figure. */
interface Cell {
  readonly diagram: ResolvedDiagram;
  readonly group: readonly Member[];
  readonly column: number;
  readonly left: number;
  readonly right: number;
  readonly axis: Axis;
  readonly across: Axis;
  /** Labels of the horizontal axis stand below it. */
  readonly showsAxis: boolean;
}

/** Columns are equally wide; the diagrams of each begin where the longest labels of their axes end. */
function placeColumns(table: SignalTable, grid: Grid, columns: number, width: number): Cell[][] {
  const orders = new Map<string, number>();
  const rows = grid.map((row) =>
    row.flatMap((diagram, column) => {
      if (!diagram) return [];
      const group = membersOf(table, diagram, orders);
      const axis = valueAxis(table, group, panelHeight(group, grid.length), diagram.over);
      return [{ diagram, group, column, axis }];
    }),
  );
  const outer = (width - 2 * MARGIN - (columns - 1) * GUTTER) / columns;
  return rows.map((row, r) =>
    row.map((cell) => {
      const { column, diagram } = cell;
      const same = rows.flatMap((other) => other.filter((item) => item.column === column));
      const start = Math.round(MARGIN + column * (outer + GUTTER));
      const left = start + Math.max(24, ...same.map((item) => axisWidth(item.axis)));
      const right = Math.round(start + outer);
      const below = rows
        .slice(r + 1)
        .flat()
        .find((item) => item.column === column);
      const showsAxis = below === undefined || below.diagram.over !== diagram.over;
      return { ...cell, left, right, across: acrossAxis(table, diagram.over, right - left), showsAxis };
    }),
  );
}

/** By column: the strip of modes above its diagrams. */
function modesOf(table: SignalTable, rows: readonly (readonly Cell[])[], columns: number): ModeCell[][] {
  return Array.from({ length: columns }, (_, column) => {
    const cell = rows.flat().find((item) => item.column === column && item.diagram.over === undefined);
    return cell ? modeCells(table, cell.across.range, cell.left, cell.right) : [];
  });
}

const firstOf = (rows: readonly (readonly Cell[])[], column: number): ResolvedDiagram | undefined =>
  rows.flat().find((cell) => cell.column === column)?.diagram;

/** The diagrams of a row have their frames at the same height. */
function layoutRow(
  table: SignalTable,
  row: readonly Cell[],
  rows: number,
  top: number,
  limit: number,
): { panels: Panel[]; bottom: number } {
  const headed = top + (row.some(({ diagram }) => diagram.heading !== '') ? HEADING_HEIGHT : 0);
  const legendAt = ({ group, left, right }: Cell, y: number): Legend =>
    layoutLegend(group, left, right, y, limit);
  const tallest = Math.max(0, ...row.map((cell) => legendAt(cell, headed).height));
  const frameTop = headed + tallest + 4;
  const bottom = frameTop + Math.max(0, ...row.map(({ group }) => panelHeight(group, rows)));
  const panels = row.map((cell) => {
    const { diagram, group, column, left, right, axis, across, showsAxis } = cell;
    const { heading, over } = diagram;
    const legend = legendAt(cell, headed + tallest - legendAt(cell, headed).height);
    const frame: Frame = { left, right, top: frameTop, bottom, x: across.range, y: axis.range };
    return {
      frame,
      column,
      heading,
      label: axis.label,
      ticks: axis.ticks,
      over,
      acrossTicks: across.ticks,
      acrossLabel: showsAxis ? across.label : '',
      legend: legend.entries,
      more: legend.more,
      curves: drawCurves(table, group, frame, over),
      arrows: over === undefined ? drawArrows(table, group, frame) : [],
      marks: over === undefined ? [] : drawMarks(table, group, frame, over),
    };
  });
  return { panels, bottom };
}
