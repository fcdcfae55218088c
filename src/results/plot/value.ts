/** Values as people read them: in the display unit of their signal, and by name where they have one (Booleans, enumerations). */
import type { SignalInfo } from '../table/signal.ts';
import { minus, readable } from './ticks.ts';
import { type Display, displayOf, prettyUnit } from './units.ts';

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

/** A number in the display unit, without the unit, or the name of the value; `missing` for one that does not exist. */
export function valueText(info: Described, value: number): string {
  if (Number.isNaN(value)) return 'missing';
  if (isNamed(info)) {
    const { names, first } = namesOf(info);
    const name = names[value - first];
    if (name !== undefined) return name;
  }
  const { scale, offset } = displayed(info);
  const shown = value * scale + offset;
  return info.type === 'Integer' && Number.isInteger(shown) ? minus(String(shown)) : readable(shown);
}

/** The same with the unit, as Modelica writes it. */
export function quantityText(info: Described, value: number): string {
  const { unit } = displayed(info);
  const hasUnit = unit !== '' && unit !== '1' && !isNamed(info) && !Number.isNaN(value);
  return `${valueText(info, value)}${hasUnit ? ` ${unit}` : ''}`;
}

/** A time in the unit that suits a run: `2.5 ms`. */
export function timeText({ unit, scale }: Display, time: number): string {
  return `${readable(time * scale)}${unit && ` ${prettyUnit(unit)}`}`;
}
