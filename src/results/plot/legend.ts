/** The legend of a diagram: entries from left to right, wrapped into lines. */
import { type Member, sameUnit } from './panel.ts';
import { textWidth } from './text.ts';
import { prettyUnit } from './units.ts';

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

export interface Legend {
  readonly entries: readonly LegendEntry[];
  /** What is left out. */
  readonly more: { readonly text: string; readonly x: number; readonly y: number } | undefined;
  readonly height: number;
}

const LEGEND_LINE = 19;
/** Width of bold text in relation to plain. */
const BOLD = 1.12;

/** At most `limit` entries; descriptions only where there are few, units only where they differ. */
export function layoutLegend(
  group: readonly Member[],
  left: number,
  right: number,
  top: number,
  limit: number,
): Legend {
  const entries: LegendEntry[] = [];
  const isMixed = !sameUnit(group);
  const room = isRoomy(group, right - left, isMixed)
    ? right - left
    : (right - left) / Math.min(group.length, 3) - 40;
  let x = left;
  let y = top + LEGEND_LINE - 5;
  const advance = (width: number): void => {
    if (x > left && x + width > right) {
      x = left;
      y += LEGEND_LINE;
    }
  };
  for (const { info, order, display } of group.slice(0, limit)) {
    const nameWidth = textWidth(info.name, 12) * BOLD;
    const unit = prettyUnit(display.unit);
    const shownUnit = unitText(display.unit, isMixed);
    const description =
      group.length <= 4 ? shortened(info.description, room - nameWidth - textWidth(shownUnit, 12)) : '';
    const detail = [shownUnit, description].filter(Boolean).join(' ');
    const width = 23 + nameWidth + (detail === '' ? 0 : 6 + textWidth(detail, 12));
    advance(width);
    const tooltip = [info.name, info.description, unit && `[${unit}]`].filter(Boolean).join(' ');
    entries.push({ order, name: info.name, detail, tooltip, x, y, width });
    x += width + 16;
  }
  const rest = group.length - entries.length;
  const text = `and ${rest} more`;
  if (rest > 0) advance(textWidth(text, 12));
  return { entries, more: rest > 0 ? { text, x, y } : undefined, height: y - top + 5 };
}

/** Whether everything fits into one line. */
function isRoomy(group: readonly Member[], width: number, isMixed: boolean): boolean {
  const widths = group.map(({ info, display }) => {
    const detail = `${unitText(display.unit, isMixed)} ${info.description}`.trim();
    return 23 + textWidth(info.name, 12) * BOLD + (detail === '' ? 0 : 6 + textWidth(detail, 12));
  });
  return widths.reduce((sum, each) => sum + each + 16, -16) <= width;
}

function unitText(unit: string, isMixed: boolean): string {
  return isMixed && prettyUnit(unit) ? `[${prettyUnit(unit)}]` : '';
}

/** The text, cut with an ellipsis to a width; nothing where hardly anything would be left. */
function shortened(text: string, width: number): string {
  if (textWidth(text, 12) <= width) return text;
  let end = text.length;
  while (end > 0 && textWidth(`${text.slice(0, end)}…`, 12) > width) end--;
  return end < 8 ? '' : `${text.slice(0, end).trimEnd()}…`;
}
