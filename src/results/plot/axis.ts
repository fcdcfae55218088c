/** Axes of diagrams, and texts beside them. */
import type { Range, Ticks } from './ticks.ts';

/** A text and where it begins. */
export interface Note {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface Axis {
  readonly range: Range;
  readonly ticks: Ticks;
  readonly label: string;
}
