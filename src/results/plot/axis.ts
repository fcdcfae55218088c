/** Axes of diagrams, and texts beside them. */
import type { AxisTicks, Range } from './ticks.ts';

/** A text and where it begins. */
export interface AxisNote {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface Axis {
  readonly range: Range;
  readonly ticks: AxisTicks;
  readonly label: string;
}
