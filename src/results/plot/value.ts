/** Values as people read them: in the display unit of their signal, and by name where they have one (Booleans, enumerations). */

import { digitsOf, minus, readable } from '../../names/readable.ts';
import { AS_IT_IS, type Display, displayOf, prettyUnit } from '../../units/display.ts';
import type { SignalInfo } from '../table/signal.ts';
import type { SignalTable } from '../table/table.ts';

type Described = Pick<SignalInfo, 'unit' | 'displayUnit' | 'type' | 'literals'>;

/** Whether the values of a signal have names. */
export const isNamed = ({ type, literals }: Described): boolean =>
  type === 'Boolean' || literals !== undefined;

/** The names of all values, and the value that the first of them has. */
export function namesOf({ literals }: Described): {
  readonly names: readonly string[];
  readonly first: number;
} {
  return literals ? { names: literals, first: 1 } : { names: ['false', 'true'], first: 0 };
}

/** How numbers of a signal are shown. */
export const displayed = ({ unit, displayUnit }: Described): Display => displayOf(unit, displayUnit);

/** Whether signals have the same values by the same names. */
export function isOneKind(infos: readonly Described[]): boolean {
  const names = infos.map((info) => (isNamed(info) ? namesOf(info).names.join() : ''));
  return names.length > 0 && names[0] !== '' && names.every((list) => list === names[0]);
}

/**
 * A number in the display unit, without the unit, or the name of the value; `missing` for one that does not exist. It has digits that tell it apart
 * from what is shown as a `step` away.
 */
export function valueText(info: Described, value: number, step = 0): string {
  const { scale, offset } = isNamed(info) ? AS_IT_IS : displayed(info);
  return shownText(info, value * scale + offset, step);
}

/** The same of a value in the display unit. */
export function shownText(info: Described, value: number, step = 0): string {
  if (Number.isNaN(value)) return 'missing';
  if (isNamed(info)) {
    const { names, first } = namesOf(info);
    const name = names[value - first];
    if (name !== undefined) return name;
  }
  return info.type === 'Integer' && Number.isInteger(value)
    ? minus(String(value))
    : readable(value, digitsOf(value, step));
}

/** The same with the unit, as Modelica writes it. */
export function quantityText(info: Described, value: number, step = 0): string {
  const { unit } = displayed(info);
  const hasUnit = unit !== '' && unit !== '1' && !isNamed(info) && !Number.isNaN(value);
  return `${valueText(info, value, step)}${hasUnit ? ` ${unit}` : ''}`;
}

/** That a run did not come to its end, and when: `failed at 4.06 s`; empty for others, and where nothing is known of it. */
export function endingText({ attributes: { status }, time }: SignalTable, clock: Display): string {
  if ((status !== 'failed' && status !== 'stopped') || time.length === 0) return '';
  return `${status} at ${timeText(clock, time[time.length - 1]!)}`;
}

/** A time in the unit that suits a run: `2.5 ms`; with digits that tell it apart from times that are a `step` away. */
export function timeText({ unit, scale }: Display, time: number, step = 0): string {
  return `${readable(time * scale, digitsOf(time, step))}${unit && ` ${prettyUnit(unit)}`}`;
}
