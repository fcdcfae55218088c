/**
 * The strip of modes above the panels: a cell for each interval of equal signature, coloured by its mode. Where some cell has no room for the whole
 * name of its mode, all modes have shorter ones (`naming.ts`). Where a cell has no room even then, a key below the strip says what the colours mean.
 */

import { shortened, textWidth } from '../../paint/text.ts';
import type { Display } from '../../units/display.ts';
import type { SignalTable } from '../table/table.ts';
import type { AxisNote } from './axis.ts';
import type { PlotSubject } from './member.ts';
import { type ModeNames, modeName, shorterNames } from './naming.ts';
import { MODES, modeColor } from './style.ts';
import { type Range, shareOf } from './ticks.ts';
import { timeText } from './value.ts';

/** An interval of the mode strip. */
export interface ModeCell {
  readonly left: number;
  readonly right: number;
  readonly color: string;
  /** Empty where there is no room. */
  readonly label: string;
  /** Whether the label is the whole name of the mode. */
  readonly isNamed: boolean;
  readonly tooltip: string;
  /** Whether a line through the panels marks its beginning: not for the first one, nor where lines would hide the curves. */
  readonly marked: boolean;
}

/** What the modes of some results look like. */
export interface Modes {
  /** By signature. */
  readonly colors: ReadonlyMap<string, string>;
  /** By signature: where colours repeat, a number tells modes apart; empty where they do not. */
  readonly numbers: ReadonlyMap<string, string>;
  /** By signature: the same in strip and key. */
  readonly names: ModeNames;
  /** Names leave out conditions that differ. */
  readonly isPartial: boolean;
}

interface Visit {
  readonly signature: string;
  readonly from: number;
  to: number;
}

/** With less room between changes, on average, they are not marked in the panels. */
const LEAST_DISTANCE = 20;
/** With less room, a label is not cut but left out. */
const LEAST_LABEL = 60;

/** The modes with their whole names, and with names that are shorter and shorter. */
export function modesOf(tables: readonly SignalTable[]): readonly [Modes, ...Modes[]] {
  const signatures = tables.flatMap((table) => table.segments.map(({ signature }) => signature));
  const different = [...new Set(signatures)];
  const colors = new Map(different.map((signature, i) => [signature, modeColor(i)]));
  const numbers = new Map(
    different.length > MODES ? different.map((signature, i) => [signature, String(i + 1)]) : [],
  );
  const whole = new Map(different.map((signature) => [signature, modeName(signature)]));
  return [
    { colors, numbers, names: whole, isPartial: false },
    ...shorterNames(different).map((names) => ({ colors, numbers, ...names })),
  ];
}

/** Intervals of equal signature, none for a run with one mode. Those narrower than a pixel share a cell. */
export function modeCells(
  table: SignalTable,
  modes: Modes,
  clock: Display,
  time: Range,
  [left, right]: readonly [number, number],
): ModeCell[] {
  const all = visitsOf(table);
  if (all.length < 2) return [];
  const place = (at: number): number => left + shareOf(time, at) * (right - left);
  const visits = all.filter((visit) => isSeen(visit, time));
  const marked = (right - left) / visits.length >= LEAST_DISTANCE;
  const cells: (ModeCell & { readonly modes: readonly string[]; readonly from: number })[] = [];
  for (const { signature, from, to } of visits) {
    const [start, end] = [place(Math.max(from, time.low)), place(Math.min(to, time.high))];
    const last = cells[cells.length - 1];
    const span = (began: number): string => `from ${timeText(clock, began)} to ${timeText(clock, to)}`;
    if (last && last.right - last.left < 1 && end - start < 1) {
      const several = [...new Set([...last.modes, modeName(signature)])];
      cells[cells.length - 1] = {
        ...last,
        right: end,
        modes: several,
        color: several.length > 1 ? 'axis' : last.color,
        tooltip: `${several.join('; ')} ${span(last.from)}`,
      };
      continue;
    }
    const label = labelFor(signature, modes, end - start - 10);
    cells.push({
      left: start,
      right: end,
      color: modes.colors.get(signature)!,
      label,
      isNamed: label === modes.names.get(signature),
      tooltip: `${modeName(signature)} ${span(from)}`,
      marked: marked && from > time.low && from > all[0]!.from,
      ...{ modes: [modeName(signature)], from },
    });
  }
  return cells.map(({ modes: _, from: _from, ...cell }) => cell);
}

function labelFor(signature: string, { names, numbers }: Modes, room: number): string {
  const name = names.get(signature)!;
  if (textWidth(name, 11) <= room) return name;
  if (room >= LEAST_LABEL) return shortened(name, room, 11);
  // A number needs no air around it.
  const number = numbers.get(signature) ?? '';
  return textWidth(number, 11) <= room + 8 ? number : '';
}

export interface ModeKey {
  readonly entries: readonly KeyEntry[];
  /** What is left out. */
  readonly more: AxisNote | undefined;
  readonly height: number;
}

export interface KeyEntry {
  readonly color: string;
  readonly label: string;
  readonly tooltip: string;
  readonly x: number;
  readonly y: number;
}

const KEY_LINE = 16;
const MOST_KEYS = 16;

/** Pixels for the name of a mode. */
const keyRoom = ([left, right]: readonly [number, number]): number => Math.max(80, (right - left) / 2 - 30);

/** How many names a key has no room for, and whether the modes are told apart in it all the same. */
export function keyFit(
  { names, numbers }: Modes,
  span: readonly [number, number],
): { readonly cut: number; readonly isClear: boolean } {
  const room = keyRoom(span) - textWidth(numbers.size > 0 ? '00: ' : '', 11);
  const labels = [...names.values()].map((name) => shortened(name, room, 11));
  const cut = [...names.values()].filter((name, i) => name !== labels[i]).length;
  return { cut, isClear: new Set(labels).size === labels.length };
}

/** What the colours of modes mean, in lines from `left` to `right`: for those that are seen. */
export function modeKey(
  { runs, time }: PlotSubject,
  modes: Modes,
  [left, right]: readonly [number, number],
  top: number,
): ModeKey {
  const visits = runs.flatMap(({ table }) => visitsOf(table).filter((visit) => isSeen(visit, time)));
  const seen = new Set(visits.map(({ signature }) => signature));
  let [x, y] = [left, top + 11];
  const advance = (width: number): void => {
    if (x > left && x + width > right) [x, y] = [left, y + KEY_LINE];
  };
  const entries = [...seen].slice(0, MOST_KEYS).map((signature) => {
    const name = modes.names.get(signature)!;
    const number = modes.numbers.get(signature);
    const named = number === undefined ? name : `${number}: ${name}`;
    const label = shortened(named, keyRoom([left, right]), 11);
    const width = 15 + textWidth(label, 11);
    advance(width);
    const entry = { color: modes.colors.get(signature)!, label, tooltip: modeName(signature), x, y };
    x += width + 14;
    return entry;
  });
  const rest = seen.size - entries.length;
  const text = `and ${rest} more modes`;
  if (rest > 0) advance(textWidth(text, 11));
  return { entries, more: rest > 0 ? { text, x, y } : undefined, height: y - top + 7 };
}

/** Where a segment begins in the same mode, as a component that restarts with other states makes them; none where they would hide the curves. */
export function restartPlaces(
  table: SignalTable,
  time: Range,
  [left, right]: readonly [number, number],
): number[] {
  const places = table.segments.flatMap(({ signature, firstRow }, i) => {
    const at = table.time[firstRow]!;
    const isRestart = signature === table.segments[i - 1]?.signature && at >= time.low && at <= time.high;
    return isRestart ? [left + shareOf(time, at) * (right - left)] : [];
  });
  return (right - left) / Math.max(1, places.length) >= LEAST_DISTANCE ? places : [];
}

function visitsOf(table: SignalTable): Visit[] {
  const visits: Visit[] = [];
  for (const { signature, firstRow, endRow } of table.segments) {
    const last = visits[visits.length - 1];
    const to = table.time[endRow - 1]!;
    if (last?.signature === signature) last.to = to;
    else visits.push({ signature, from: table.time[firstRow]!, to });
  }
  return visits;
}

const isSeen = ({ from, to }: Visit, time: Range): boolean => to >= time.low && from <= time.high;

/** The mode at a time; undefined outside the run. */
export function modeAt(table: SignalTable, time: number): string | undefined {
  const visits = visitsOf(table);
  return visits.findLast(({ from, to }) => from <= time && time <= to)?.signature;
}
