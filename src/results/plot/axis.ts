/** Axes of diagrams, and texts beside them. */
import { spaced } from '../../paint/text.ts';
import { type AxisTicks, exponentLabel, type Range } from './ticks.ts';
import { bracketedUnit } from './units.ts';

/** A text and where it begins. */
export interface AxisNote {
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Axis {
  readonly range: Range;
  readonly ticks: AxisTicks;
  readonly label: string;
}

/** `name ×10³ [unit]`, as far as there is any of them. */
export function axisLabel(name: string, { exponent }: AxisTicks, unit: string): string {
  return spaced(name, exponentLabel(exponent), bracketedUnit(unit));
}
