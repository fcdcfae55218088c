/** Values as people read them: in the display unit of their signal, and by name where they have one (Booleans, enumerations). */
import type { SignalInfo } from '../signal.ts';
import { readable } from './ticks.ts';
import { displayOf } from './units.ts';

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

/** A number in the display unit, without the unit, or the name of the value; `missing` for one that does not exist. */
export function valueText(info: Described, value: number): string {
  if (Number.isNaN(value)) return 'missing';
  if (isNamed(info)) {
    const { names, first } = namesOf(info);
    const name = names[value - first];
    if (name !== undefined) return name;
  }
  const { scale, offset } = displayOf(info.unit, info.displayUnit);
  return readable(value * scale + offset);
}

/** The same with the unit, as Modelica writes it. */
export function quantityText(info: Described, value: number): string {
  const { unit } = displayOf(info.unit, info.displayUnit);
  const hasUnit = unit !== '' && unit !== '1' && !isNamed(info) && !Number.isNaN(value);
  return `${valueText(info, value)}${hasUnit ? ` ${unit}` : ''}`;
}
