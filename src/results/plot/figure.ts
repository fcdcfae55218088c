/**
 * The layout of a plot: where every diagram stands, in pixels. Diagrams are a grid; those of a column have the same width and, over the
 * time, the same axis, whose labels stand below the last of them. `shapes.ts` draws the figure.
 *
 *     title
 *     mode strip            a line for each result, one cell an interval, only where the mode changes
 *     key of modes          where a cell has no room for its name
 *     heading               ┐
 *     unit  legend          │ a panel
 *     ┌───────────────┐     │
 *     └───────────────┘     ┘
 *     time ticks, label
 */
import { checkOptions, kind, type OptionKinds } from '../../diagnostic/options.ts';
import { counted } from '../../diagnostic/words.ts';
import { shortened, textWidth } from '../../paint/text.ts';
import { checkTable, SignalTable } from '../table/table.ts';
import type { Axis } from './axis.ts';
import { type Choice, choiceOf } from './choose.ts';
import type { PlotFrame } from './curve.ts';
import { heatMap, moved } from './heat.ts';
import {
  bySize,
  byUnit,
  type DiagramGrid,
  type Layout,
  type ResolvedDiagram,
  resolveLayout,
} from './layout.ts';
import { itemsOf, type Legend, layoutLegend, mapItem } from './legend.ts';
import { membersOf, type PlotMember, type PlotSubject, type Run, subjectOf, type View } from './member.ts';
import {
  type Arrow,
  acrossAxis,
  acrossKey,
  axisWidth,
  drawArrows,
  drawCurves,
  drawMarks,
  isTimed,
  overhang,
  type Panel,
  panelHeight,
  unshown,
  valueAxis,
} from './panel.ts';
import {
  keyFit,
  type ModeCell,
  type ModeKey,
  type Modes,
  modeCells,
  modeKey,
  modesOf,
  restartPlaces,
} from './strip.ts';
import { endingText } from './value.ts';

/** What is drawn: one result, or several by their labels, each in a colour of its own. */
export type Plotted = SignalTable | Readonly<Record<string, SignalTable>>;

export interface PlotOptions {
  /** Pixels; the height follows from the contents. */
  readonly width?: number;
  /** The name of the model where it is left out. */
  readonly title?: string;
  /** `auto` follows the reader's system. */
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Entries in a legend at most; 24 where it is left out. */
  readonly legend?: number;
  /** The unit of the time axis, of a time in seconds; what suits the length of the run where it is left out. */
  readonly timeUnit?: TimeUnit;
}

export type TimeUnit = 'ns' | 'us' | 'ms' | 's' | 'min' | 'h' | 'd';
export const timeUnits: readonly TimeUnit[] = ['ns', 'us', 'ms', 's', 'min', 'h', 'd'];

const plotKinds: OptionKinds<PlotOptions> = {
  width: { is: (value) => kind.number.is(value) && (value as number) > 0, what: 'a number of pixels' },
  title: kind.text,
  theme: kind.oneOf('auto', 'light', 'dark'),
  legend: kind.number,
  timeUnit: kind.oneOf(...timeUnits),
};

export interface Figure {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly theme: 'auto' | 'light' | 'dark';
  readonly subject: PlotSubject;
  readonly panels: readonly Panel[];
  readonly strips: readonly Strip[];
  readonly key: ModeKey | undefined;
}

/** The modes of a result above the diagrams of a column that are over the time. */
export interface Strip {
  readonly run: Run;
  readonly top: number;
  readonly left: number;
  /** False where a diagram over something else stands between: changes are marked all the same. */
  readonly isShown: boolean;
  readonly cells: readonly ModeCell[];
  /** Places of restarts within a mode. */
  readonly restarts: readonly number[];
  /** Diagrams through which changes are marked: those of one result. */
  readonly frames: readonly PlotFrame[];
}

const MARGIN = 16;
const TITLE_HEIGHT = 26;
const HEADING_HEIGHT = 20;
const STRIP_HEIGHT = 20;
const PANEL_GAP = 12;
const AXIS_HEIGHT = 42;
/** Between columns. */
const GUTTER = 24;
const LEGEND_LIMIT = 24;
/** Default widths of a plot with one column, and of each of several. */
const ONE_COLUMN = 800;
const COLUMN = 520;
/** Where columns would be narrower, their diagrams stand above each other. */
const LEAST_COLUMN = 280;
const LEAST_WIDTH = 240;
/** More curves are no picture. */
const MOST_CURVES = 2000;

/** Throws a `RangeError` where what is to be drawn, or how, is nothing that the function `name` can use. */
export function checkPlot(plotted: unknown, options: unknown, name: string): asserts plotted is Plotted {
  const values = kind.object.is(plotted) ? Object.values(plotted as object) : [];
  const isSeveral = values.length > 0 && values.every((value) => value instanceof SignalTable);
  if (!isSeveral) checkTable(plotted, name);
  checkOptions(options, plotKinds, name);
}

export function runsOf(plotted: Plotted): Run[] {
  if (plotted instanceof SignalTable) return [{ label: '', number: 0, table: plotted }];
  const entries = Object.entries(plotted);
  const isOne = entries.length === 1;
  return entries.map(([label, table], number) => ({ label: isOne ? '' : label, number, table }));
}

/** Whether a layout names no diagrams, so that some are chosen. */
export const isOpen = (layout: Layout | undefined): layout is undefined =>
  layout === undefined || (Array.isArray(layout) && layout.length === 0);

/** The diagrams of a layout, or of a choice of signals where there is none. */
export function layoutFigure(
  runs: readonly Run[],
  layout: Layout | undefined,
  options: PlotOptions = {},
  view: View = {},
): Figure {
  const tables = runs.map(({ table }) => table);
  const choice = isOpen(layout) ? (view.choice ?? choiceOf(tables[0]!)) : undefined;
  const subject = { ...subjectOf(runs, view, options.timeUnit), sizes: choice?.sizes ?? {} };
  const resolved = resolveLayout(tables, isOpen(layout) ? chosenDiagrams(tables[0]!, choice!) : layout);
  const curves = countCurves(resolved, runs.length);
  const most = Math.max(1, ...resolved.map((row) => row.length));
  const width = Math.max(LEAST_WIDTH, options.width ?? (most === 1 ? ONE_COLUMN : COLUMN * most));
  const grid = width / most < LEAST_COLUMN ? resolved.flat().map((diagram) => [diagram]) : resolved;
  const columns = Math.max(1, ...grid.map((row) => row.length));
  const title = titleOf(subject, options.title ?? tables[0]!.model, width - 2 * MARGIN);
  const cells = placeColumns(subject, grid, columns, width);
  const stripTop = MARGIN + (title === '' ? 0 : TITLE_HEIGHT);
  const left = Math.min(width, ...cells.flat().map((cell) => cell.left));
  const keySpan = [left, width - MARGIN] as const;
  const { modes, strips: bare } = namedStrips(subject, cells, columns, stripTop, keySpan);
  const lines = bare.some(({ isShown, cells }) => isShown && cells.length > 0) ? runs.length : 0;
  const keyTop = stripTop + STRIP_HEIGHT * lines;
  const isUnnamed = bare.some(({ isShown, cells }) => isShown && cells.some(({ isNamed }) => !isNamed));
  const key = isUnnamed ? modeKey(subject, modes, keySpan, keyTop) : undefined;
  let top = keyTop + (key?.height ?? 0);
  const limit = Math.max(0, options.legend ?? LEGEND_LIMIT);
  const unseen = choice?.unseen ?? 0;
  const struck = cells.flat().find(({ members }) => members.some(hasImpulse)) ?? cells[0]?.[0];
  const remark =
    unseen > 0 && struck
      ? { cell: struck, text: counted(unseen, 'more variable has impulses', 'more variables have impulses') }
      : undefined;
  const drawing: Drawing = { subject, rows: grid.length, limit, curves, remark };
  const panels: Panel[] = [];
  for (const row of cells) {
    const laid = layoutRow(drawing, row, top);
    panels.push(...laid.panels);
    top = laid.bottom + (row.some((cell) => cell.showsAxis) ? AXIS_HEIGHT : PANEL_GAP);
  }
  const strips = bare.map(({ column, ...strip }) => {
    const own = panels.filter((panel) => panel.column === column && panel.isTimed);
    return { ...strip, frames: runs.length === 1 ? own.map(({ frame }) => frame) : [] };
  });
  const height = panels.length > 0 ? top : top - PANEL_GAP + AXIS_HEIGHT;
  return { width, height, title, theme: options.theme ?? 'auto', subject, panels, strips, key };
}

const chosenDiagrams = (table: SignalTable, { signals, sizes }: Choice): Layout =>
  bySize(byUnit(table, signals), sizes);

/** With what is to be known of runs that did not come to their end. */
function titleOf({ runs, clock }: PlotSubject, title: string, width: number): string {
  const endings = runs.flatMap(({ label, table }) => {
    const text = endingText(table, clock);
    return text === '' ? [] : [label === '' ? text : `${label} ${text}`];
  });
  const ending = endings.join(', ');
  const isBoth = title !== '' && ending !== '';
  const room = width - (isBoth ? textWidth(` (${ending})`, 15) * 1.12 : 0);
  const named = shortened(title, Math.max(60, room), 15, 1.12);
  return isBoth ? `${named} (${ending})` : named || ending;
}

const hasImpulse = ({ run, info }: PlotMember): boolean =>
  run.table.impulses.some(({ variable }) => variable === info.name);

/** A diagram with its place in the width of the figure. */
interface Cell {
  readonly diagram: ResolvedDiagram;
  readonly members: readonly PlotMember[];
  readonly column: number;
  readonly left: number;
  readonly right: number;
  readonly axis: Axis;
  readonly across: Axis;
  /** Labels of the horizontal axis stand below it. */
  readonly showsAxis: boolean;
}

/** Columns are equally wide; the diagrams of each begin where the longest labels of their axes end, and leave room for the last labels below them. */
function placeColumns(subject: PlotSubject, grid: DiagramGrid, columns: number, width: number): Cell[][] {
  const rows = grid.map((row) =>
    row.flatMap((diagram, column) => {
      if (!diagram) return [];
      const members = membersOf(subject, diagram);
      const axis = valueAxis(subject, diagram, members, panelHeight(diagram, members, grid.length));
      return [{ diagram, members, column, axis }];
    }),
  );
  const outer = (width - 2 * MARGIN - (columns - 1) * GUTTER) / columns;
  const spans = Array.from({ length: columns }, (_, column) => {
    const same = rows.flatMap((row) => row.filter((item) => item.column === column));
    const start = Math.round(MARGIN + column * (outer + GUTTER));
    const labels = Math.max(24, ...same.map((item) => axisWidth(item.axis)));
    const left = start + Math.round(Math.min(labels, outer / 2));
    const right = Math.round(start + outer);
    const beyond = same.map(({ diagram, members }) =>
      overhang(acrossAxis(subject, diagram, members, right - left), right - left),
    );
    return {
      left,
      right: right - Math.round(Math.min(Math.max(0, ...beyond.map((by) => by - MARGIN)), outer / 4)),
    };
  });
  return rows.map((row, r) =>
    row.map((cell) => {
      const { column, diagram, members } = cell;
      const { left, right } = spans[column]!;
      const below = rows
        .slice(r + 1)
        .flat()
        .find((item) => item.column === column);
      const showsAxis = below === undefined || acrossKey(below.diagram) !== acrossKey(diagram);
      return { ...cell, left, right, across: acrossAxis(subject, diagram, members, right - left), showsAxis };
    }),
  );
}

/** How many curves there are; throws a `RangeError` before too many of them are read. */
function countCurves(grid: DiagramGrid, runs: number): number {
  const curves = grid
    .flat()
    .reduce((sum, diagram) => sum + (diagram?.as === 'curves' ? runs * diagram.signals.length : 0), 0);
  if (curves <= MOST_CURVES) return curves;
  throw new RangeError(
    `The diagrams have ${curves} curves; more than ${MOST_CURVES} are no picture. \`map(T)\` draws all elements of an array as colours.`,
  );
}

/**
 * The names of the modes are whole where there is room for all of them, otherwise those shorter ones that a key tells apart and for which there is
 * room most often.
 */
function namedStrips(
  subject: PlotSubject,
  rows: readonly (readonly Cell[])[],
  columns: number,
  top: number,
  keySpan: readonly [number, number],
): { modes: Modes; strips: ReturnType<typeof stripsOf> } {
  const [whole, ...shorter] = modesOf(subject.runs.map(({ table }) => table)).map((modes) => {
    const strips = stripsOf(subject, rows, columns, modes, top);
    const unnamed = strips.flatMap(({ cells }) => cells).filter(({ isNamed }) => !isNamed).length;
    const { cut, isClear } = keyFit(modes, keySpan);
    return { modes, strips, unnamed, lack: unnamed + cut, isClear };
  });
  if (whole!.unnamed === 0 || shorter.length === 0) return whole!;
  const clear = shorter.filter(({ isClear }) => isClear);
  const full = clear.filter(({ modes }) => !modes.isPartial);
  const fit = full.length > 0 ? full : clear.length > 0 ? clear : shorter;
  return fit.reduce((best, other) => (other.lack < best.lack ? other : best));
}

/** By column and result: the strip of modes above its diagrams. */
function stripsOf(
  subject: PlotSubject,
  rows: readonly (readonly Cell[])[],
  columns: number,
  modes: Modes,
  stripTop: number,
): (Omit<Strip, 'frames'> & { readonly column: number })[] {
  return Array.from({ length: columns }, (_, column) => {
    const own = rows.flat().filter((item) => item.column === column);
    const cell = own.find(({ diagram }) => isTimed(diagram));
    if (!cell) return [];
    const span = [cell.left, cell.right] as const;
    return subject.runs.map((run, line) => ({
      ...{ run, column, left: cell.left },
      top: stripTop + STRIP_HEIGHT * line,
      isShown: isTimed(own[0]!.diagram),
      cells: modeCells(run.table, modes, subject.clock, cell.across.range, span),
      restarts: restartPlaces(run.table, cell.across.range, span),
    }));
  }).flat();
}

/** What all rows have in common. */
interface Drawing {
  readonly subject: PlotSubject;
  readonly rows: number;
  readonly limit: number;
  /** How many there are in all diagrams. */
  readonly curves: number;
  /** A note beside the legend of one of the diagrams. */
  readonly remark: { readonly cell: Cell; readonly text: string } | undefined;
}

/** The diagrams of a row have their frames at the same height. */
function layoutRow(drawing: Drawing, row: readonly Cell[], top: number): { panels: Panel[]; bottom: number } {
  const { subject, rows, limit, remark } = drawing;
  const headings = row.map(headingOf);
  const headed = top + (headings.some((heading) => heading !== '') ? HEADING_HEIGHT : 0);
  const height = Math.max(0, ...row.map(({ diagram, members }) => panelHeight(diagram, members, rows)));
  const frameFrom = ({ left, right, across, axis }: Cell, y: number): PlotFrame => ({
    ...{ left, right, top: y, bottom: y + height, x: across.range, y: axis.range },
  });
  const maps = row.map((cell) =>
    cell.diagram.as === 'map' ? heatMap(subject, cell.diagram, frameFrom(cell, 0)) : undefined,
  );
  const arrowsOf = ({ diagram, members }: Cell, frame: PlotFrame): Arrow[] =>
    isTimed(diagram) && diagram.as === 'curves' ? drawArrows(subject, members, frame) : [];
  const legendAt = (i: number, y: number): Legend => {
    const { diagram, members, left, right } = row[i]!;
    const map = maps[i];
    const items = map ? [mapItem(members, map, mapName(diagram))] : itemsOf(members);
    const arrows = arrowsOf(row[i]!, frameFrom(row[i]!, 0));
    const notes = [...unshown(diagram, members, arrows), ...(remark?.cell === row[i] ? [remark!.text] : [])];
    return layoutLegend(items, notes, [left, right], y, limit);
  };
  const heights = row.map((_, i) => legendAt(i, 0).height);
  const tallest = Math.max(0, ...heights);
  const frameTop = headed + tallest + 4;
  const panels = row.map((cell, i) => {
    const { diagram, members, column, left, axis, across, showsAxis } = cell;
    const legend = legendAt(i, headed + tallest - heights[i]!);
    const frame = frameFrom(cell, frameTop);
    const map = maps[i];
    const heading = shortened(headings[i]!, cell.right - left, 13, 1.12);
    return {
      ...{ frame, column, diagram, members, isTimed: isTimed(diagram) },
      heading: heading === '' ? undefined : { text: heading, x: left, y: headed + tallest - heights[i]! - 4 },
      label: axis.label,
      ticks: axis.ticks,
      acrossTicks: across.ticks,
      acrossLabel: showsAxis ? across.label : '',
      legend: legend.entries,
      notes: legend.notes,
      curves: map ? [] : drawCurves(diagram, members, frame, drawing.curves),
      arrows: arrowsOf(cell, frame),
      marks: drawMarks(subject, diagram, members, frame),
      map: map && moved(map, frameTop),
    };
  });
  return { panels, bottom: frameTop + height };

  /** Of several results, and over an index, the legend does not tell what is drawn: the heading does. */
  function headingOf({ diagram: { heading, signals, as } }: Cell): string {
    if (heading !== '') return heading;
    if (as === 'profile') return mapName({ signals });
    return subject.runs.length > 1 && as === 'curves' && signals.length === 1 ? signals[0]! : '';
  }
}

/** `T[1] … T[20]` */
function mapName({ signals }: Pick<ResolvedDiagram, 'signals'>): string {
  return signals.length === 1 ? signals[0]! : `${signals[0]} … ${signals[signals.length - 1]}`;
}
