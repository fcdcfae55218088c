/**
 * The legend of a diagram: entries from left to right, wrapped into lines. An entry is a curve, or a ramp of colours between two texts: many
 * elements of an array, or the values of a map.
 */

import { shortened, spaced, textWidth } from '../../paint/text.ts';
import { prettyUnit } from '../../units/display.ts';
import type { AxisNote } from './axis.ts';
import type { HeatMap } from './heat.ts';
import type { PlotMember } from './member.ts';
import { areaRamp } from './style.ts';
import { bracketedUnit } from './units.ts';
import { shownText } from './value.ts';

export interface LegendEntry {
  /** What a click on it switches off and on; empty for nothing. */
  readonly key: string;
  readonly isHidden: boolean;
  readonly color: string;
  readonly dash: readonly number[];
  readonly ramp: Ramp | undefined;
  readonly name: string;
  /** Description, shortened to the room there is. */
  readonly detail: string;
  readonly tooltip: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Ramp {
  readonly from: string;
  readonly to: string;
  readonly colorAt: (share: number) => string;
}

export interface Legend {
  readonly entries: readonly LegendEntry[];
  readonly notes: readonly AxisNote[];
  readonly height: number;
}

const LEGEND_LINE = 19;
/** Width of bold text in relation to plain. */
const BOLD = 1.12;
/** Before the name: the line of a curve. */
export const SWATCH = 23;
export const RAMP = 64;

type Item = Pick<LegendEntry, 'key' | 'isHidden' | 'color' | 'dash' | 'ramp' | 'name' | 'tooltip'> & {
  readonly unit: string;
  readonly description: string;
};

/** At most `limit` entries; descriptions only where there are few, units only where they differ. */
export function layoutLegend(
  items: readonly Item[],
  extra: readonly string[],
  [left, right]: readonly [number, number],
  top: number,
  limit: number,
): Legend {
  const entries: LegendEntry[] = [];
  const notes: AxisNote[] = [];
  const details = detailsOf(items, right - left);
  let x = left;
  let y = top + LEGEND_LINE - 5;
  const advance = (width: number): void => {
    if (x > left && x + width > right) {
      x = left;
      y += LEGEND_LINE;
    }
  };
  for (const [i, item] of items.slice(0, limit).entries()) {
    const name = shortened(item.name, Math.max(60, right - left - SWATCH), 12, BOLD);
    const width = entryWidth({ ...item, name }, details[i]!);
    advance(width);
    const { unit: _, description: _description, ...entry } = item;
    entries.push({ ...entry, name, detail: details[i]!, x, y, width });
    x += width + 16;
  }
  const rest = items.length - entries.length;
  for (const text of [...(rest > 0 ? [`and ${rest} more`] : []), ...extra]) {
    advance(textWidth(text, 12));
    notes.push({ text, x, y });
    x += textWidth(text, 12) + 16;
  }
  return { entries, notes, height: entries.length + notes.length === 0 ? 0 : y - top + 5 };
}

/** The entries for the members of a diagram: each family has one. */
export function itemsOf(members: readonly PlotMember[]): Item[] {
  const items = new Map<string, Item>();
  for (const { key, label, info, run, display, color, dash, isHidden, family } of members) {
    const id = family ? key : `${key} ${label}`;
    if (items.has(id)) continue;
    const isSignal = label === info.name;
    const name = family ? '' : label;
    const what = family ? `${family.first} … ${family.last}` : isSignal ? info.name : `${label} ${info.name}`;
    items.set(id, {
      ...{ key, isHidden, color, dash, name, unit: display.unit },
      ramp: family && { from: family.first, to: family.last, colorAt: family.colorAt },
      description: isSignal || family ? info.description : '',
      tooltip: spaced(what, run.label && !isSignal ? '' : info.description, bracketedUnit(display.unit)),
    });
  }
  return [...items.values()];
}

/** The entry of a map: its name, and what its colours mean. */
export function mapItem(members: readonly PlotMember[], { low, high }: HeatMap, name: string): Item {
  const { info, display } = members[0]!;
  const unit = prettyUnit(display.unit);
  const text = (value: number): string => shownText(info, value);
  return {
    ...{ key: '', isHidden: false, color: '', dash: [], name },
    ramp: { from: text(low), to: `${text(high)}${unit && ` ${unit}`}`, colorAt: areaRamp },
    description: info.description,
    unit: display.unit,
    tooltip: spaced(name, info.description, bracketedUnit(display.unit)),
  };
}

/** Units where they differ, and descriptions as far as there is room for them. */
function detailsOf(items: readonly Item[], width: number): string[] {
  const isMixed = items.some(({ unit }) => unit !== items[0]!.unit);
  const units = items.map(({ unit }) => (isMixed ? bracketedUnit(unit) : ''));
  const whole = items.map(({ description }, i) => spaced(units[i]!, description));
  const total = items.reduce((sum, item, i) => sum + entryWidth(item, whole[i]!) + 16, -16);
  if (total <= width) return whole;
  if (items.length > 4) return units;
  const room = items.length === 1 ? width : width / Math.min(items.length, 3) - 40;
  return items.map((item, i) => {
    const left = room - entryWidth(item, units[i]!) + (items.length === 1 ? -6 : SWATCH);
    const text = shortened(item.description, left, 12);
    return spaced(units[i]!, text.length < 8 && text !== item.description ? '' : text);
  });
}

function entryWidth({ name, ramp }: Pick<Item, 'name' | 'ramp'>, detail: string): number {
  const bold = textWidth(name, 12) * BOLD;
  const after = detail === '' ? 0 : 6 + textWidth(detail, 12);
  if (!ramp) return SWATCH + bold + after;
  return (name === '' ? 0 : bold + 8) + textWidth(ramp.from, 12) + RAMP + 12 + textWidth(ramp.to, 12) + after;
}
