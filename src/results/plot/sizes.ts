/**
 * How large signals become in a run. What stays below the rounding errors of others that have the same unit is as good as zero: a plot that
 * chooses its signals itself neither prefers it nor stretches an axis to it.
 */
import { elementOf } from '../../names/names.ts';
import type { SignalTable } from '../table/table.ts';

/** Rounding errors against the largest value that they may come from. */
const ROUNDING = 1e-13;
/** Tables with more signals or numbers than this are not looked at: it would take longer than to draw them. */
const MOST_SIGNALS = 10_000;
const MOST_NUMBERS = 4_000_000;

/** By number of a signal: its largest absolute value, 0 where that is rounding; empty where nothing was looked at. */
export type Sizes = ReadonlyMap<number, number>;

export function sizesOf({ reader, rowCount, size }: SignalTable): Sizes {
  if (size > MOST_SIGNALS || rowCount * size > MOST_NUMBERS) return new Map();
  const groups = new Map<number, string>();
  for (let number = 0; number < size; number++) {
    const { name, source, role, unit, type } = reader.infoOf(number);
    if (source.kind !== 'trajectory' || role === 'parameter' || type !== 'Real') continue;
    // Without a unit nothing says that two signals are of the same kind, unless they are elements of one array.
    groups.set(number, unit === '' ? `array ${elementOf(name)?.array ?? name}` : `unit ${unit}`);
  }
  const sizes = new Map<number, number>();
  const greatest = new Map<string, number>();
  for (const [number, values] of reader.eachColumn(Int32Array.from(groups.keys()))) {
    let largest = 0;
    for (const value of values) {
      const size = Math.abs(value);
      if (size > largest && size < Number.POSITIVE_INFINITY) largest = size;
    }
    sizes.set(number, largest);
    const group = groups.get(number)!;
    greatest.set(group, Math.max(greatest.get(group) ?? 0, largest));
  }
  for (const [number, largest] of sizes)
    if (largest <= ROUNDING * greatest.get(groups.get(number)!)!) sizes.set(number, 0);
  return sizes;
}
