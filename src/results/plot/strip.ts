/**
 * The strip of modes above the panels: a cell for each interval of equal signature. A signature that does not fit into its
 * cell is shortened, first to the conditions that change during the run, then to those of them that hold.
 */
import type { SignalTable } from '../table.ts';
import { textWidth } from './text.ts';
import { type Range, readable } from './ticks.ts';

/** An interval of the mode strip. */
export interface ModeCell {
  readonly left: number;
  readonly right: number;
  /** Empty where there is no room. */
  readonly label: string;
  readonly tooltip: string;
  /** Whether a line through the panels marks its beginning: not for the first one, nor where lines would hide the curves. */
  readonly marked: boolean;
}

interface Visit {
  readonly signature: string;
  readonly from: number;
  to: number;
}

/** With less room between changes, on average, they are not marked in the panels. */
const LEAST_DISTANCE = 20;

/** Intervals of equal signature. Those narrower than a pixel share a cell. */
export function modeCells(table: SignalTable, time: Range, left: number, right: number): ModeCell[] {
  const visits = visitsOf(table);
  if (visits.length < 2) return [];
  const shorter = abbreviations(visits.map(({ signature }) => signature));
  const place = (at: number): number => left + ((at - time.low) / (time.high - time.low)) * (right - left);
  const marked = (right - left) / visits.length >= LEAST_DISTANCE;
  const cells: ModeCell[] = [];
  for (const { signature, from, to } of visits) {
    const room = place(to) - place(from) - 10;
    const cell: ModeCell = {
      left: place(from),
      right: place(to),
      label: [signature, ...shorter(signature)].find((text) => textWidth(text, 11) <= room) ?? '',
      tooltip: `${signature || 'mode'} from ${readable(from)} s to ${readable(to)} s`,
      marked: marked && cells.length > 0,
    };
    const last = cells[cells.length - 1];
    if (last && cell.right - last.left < 1) {
      cells[cells.length - 1] = { ...last, right: cell.right, tooltip: 'several modes' };
    } else cells.push(cell);
  }
  return cells;
}

/** Where a segment begins in the same mode, as a component that restarts with other states makes them; none where they would hide the curves. */
export function restartPlaces(table: SignalTable, time: Range, left: number, right: number): number[] {
  const places: number[] = [];
  for (const [i, { signature, firstRow }] of table.segments.entries()) {
    if (i === 0 || signature !== table.segments[i - 1]!.signature) continue;
    const share = (table.time[firstRow]! - time.low) / (time.high - time.low);
    places.push(left + share * (right - left));
  }
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

/** Gives shorter forms of a signature: what changes in the run, and what of it holds. */
function abbreviations(signatures: readonly string[]): (signature: string) => string[] {
  const different = new Set(signatures);
  const count = new Map<string, number>();
  for (const signature of different)
    for (const condition of conditionsOf(signature)) count.set(condition, (count.get(condition) ?? 0) + 1);
  return (signature) => {
    const changing = conditionsOf(signature).filter((condition) => count.get(condition)! < different.size);
    const holding = changing.filter((condition) => !condition.startsWith('not '));
    return [changing.join(', '), holding.join(', ')];
  };
}

/** The conditions of a signature: parts between commas that stand in no brackets. */
function conditionsOf(signature: string): string[] {
  const parts: string[] = [];
  let [start, depth] = [0, 0];
  for (let i = 0; i <= signature.length; i++) {
    const character = signature[i];
    if (character === '(' || character === '[') depth++;
    else if (character === ')' || character === ']') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      parts.push(signature.slice(start, i).trim());
      start = i + 1;
    }
  }
  return parts.filter((part) => part !== '');
}
