/**
 * Units as numbers: every unit that occurs in a model has an id, so that products are looked up and equality is `===`. Exponents
 * of the base units are rational, because of roots; they are kept as integers, in parts of 1/2520 (2520 has the divisors 1 to 10).
 * Scales (of `mm`, `kW`) are logarithms, which powers multiply and products add.
 */

import { remember } from '../collections/memo.ts';
import { baseUnits } from './symbols.ts';
import type { Unit } from './unit.ts';

/** The exponent 1. */
export const WHOLE = 2520;

/**
 * What the zero of a scale of temperature is, as far as that is known:
 * `''` unknown (computed, or no temperature), `'K'` declared in kelvin, a temperature or a difference, `'K0'` certainly a temperature above
 * absolute zero; otherwise the unit (`degC`) whose zero it is.
 */
export type Zero = string;

export interface Measure {
  /** Of the base units, in parts of `WHOLE`. */
  readonly exponents: readonly number[];
  /** Natural logarithm of the factor to the coherent unit. */
  readonly scale: number;
  readonly zero: Zero;
}

/** Scales that differ by less are the same: they come from products of rounded factors. */
const SAME_SCALE = 1e-9;

export class Measures {
  private readonly list: Measure[] = [];
  private readonly ids = new Map<string, number>();
  private readonly products = new Map<number, number>();
  private readonly powers = new Map<string, number | undefined>();
  /** The unit `1`. */
  readonly one: number;
  readonly second: number;

  constructor() {
    const none = baseUnits.map(() => 0);
    this.one = this.idOf({ exponents: none, scale: 0, zero: '' });
    this.second = this.idOf({
      exponents: none.map((_, k) => (baseUnits[k] === 's' ? WHOLE : 0)),
      scale: 0,
      zero: '',
    });
  }

  at(id: number): Measure {
    return this.list[id]!;
  }

  of(unit: Unit, zero: Zero): number {
    const exponents = unit.dimension.map((exponent) => exponent * WHOLE);
    return this.idOf({ exponents, scale: Math.log(unit.factor), zero });
  }

  product(a: number, b: number): number {
    if (a === this.one) return this.relative(b);
    return remember(this.products, a * 0x4000000 + b, () => {
      const [first, second] = [this.at(a), this.at(b)];
      const exponents = first.exponents.map((exponent, k) => exponent + second.exponents[k]!);
      return this.idOf({ exponents, scale: first.scale + second.scale, zero: '' });
    });
  }

  /** A unit to the power of `exponent/WHOLE`; undefined where its exponents are no multiples of 1/2520 any more. */
  power(a: number, exponent: number): number | undefined {
    if (exponent === 0 || a === this.one) return this.one;
    if (exponent === WHOLE) return this.relative(a);
    const key = `${a} ${exponent}`;
    if (this.powers.has(key)) return this.powers.get(key);
    const { exponents, scale } = this.at(a);
    const raised = exponents.map((own) => (own * exponent) / WHOLE || 0);
    const exact = raised.every(Number.isSafeInteger);
    const result = exact
      ? this.idOf({ exponents: raised, scale: (scale * exponent) / WHOLE, zero: '' })
      : undefined;
    this.powers.set(key, result);
    return result;
  }

  /** The same unit with another knowledge of its zero. */
  withZero(a: number, zero: Zero): number {
    const measure = this.at(a);
    return measure.zero === zero ? a : this.idOf({ ...measure, zero });
  }

  /** The same unit for a difference. */
  relative(a: number): number {
    return this.withZero(a, '');
  }

  sameDimension(a: number, b: number): boolean {
    if (a === b) return true;
    const other = this.at(b).exponents;
    return this.at(a).exponents.every((exponent, k) => exponent === other[k]);
  }

  sameScale(a: number, b: number): boolean {
    return Math.abs(this.at(a).scale - this.at(b).scale) < SAME_SCALE;
  }

  /** The number of a unit; equal ones have the same. */
  idOf(measure: Measure): number {
    const key = `${measure.exponents.join()} ${Math.round(measure.scale / SAME_SCALE) || 0} ${measure.zero}`;
    return remember(this.ids, key, () => this.list.push(measure) - 1);
  }
}
