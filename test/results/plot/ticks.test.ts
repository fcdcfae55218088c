import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readable } from '../../../src/names/readable.ts';
import { niceTicks, paddedRange, shareOf, ticksOf, valueAt } from '../../../src/results/plot/ticks.ts';
import { clockOf, impulseUnit } from '../../../src/results/plot/units.ts';
import { quantityText, valueText } from '../../../src/results/plot/value.ts';
import type { SignalInfo } from '../../../src/results/table/signal.ts';
import { displayOf, prettyUnit } from '../../../src/units/display.ts';
import { signal } from '../signals.ts';

describe('ticks', () => {
  it.each([
    [0, 10, 5, ['0', '2', '4', '6', '8', '10'], 0],
    [-0.3, 0.3, 6, ['−0.3', '−0.2', '−0.1', '0.0', '0.1', '0.2', '0.3'], 0],
    [0, 1, 2, ['0.0', '0.5', '1.0'], 0],
    [101325, 125325, 3, ['110', '120'], 3],
    [0, 2.5e-6, 3, ['0', '1', '2'], -6],
    [0, 2e-3, 2, ['0', '1', '2'], -3],
    // One multiple of 5 alone.
    [-4.9, 4.9, 3, ['−4', '−2', '0', '2', '4'], 0],
    [1e6, 1e6 + 2e-3, 2, ['1.000000000', '1.000000001', '1.000000002'], 6],
  ])('from %d to %d', (low, high, count, labels, exponent) => {
    const ticks = niceTicks({ low, high }, count);
    expect(ticks.labels).toEqual(labels);
    expect(ticks.exponent).toBe(exponent);
  });

  it('lie inside, at equal steps of 1, 2 or 5, with labels that say their values', () => {
    const size = fc.double({ min: -12, max: 12, noNaN: true }).map((power) => 10 ** power);
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        size,
        fc.integer({ min: 2, max: 10 }),
        (at, width, count) => {
          const range = { low: at * width * 10, high: at * width * 10 + width };
          const { values, labels, exponent } = niceTicks(range, count);
          expect(values.length).toBeGreaterThanOrEqual(2);
          expect(values.length).toBeLessThanOrEqual(2 * count + 1);
          for (const [i, value] of values.entries()) {
            expect(value).toBeGreaterThanOrEqual(range.low - 1e-6 * width);
            expect(value).toBeLessThanOrEqual(range.high + 1e-6 * width);
            const said = Number(labels[i]!.replace('−', '-')) * 10 ** exponent;
            expect(Math.abs(said - value)).toBeLessThanOrEqual(1e-9 * width);
          }
          expect(new Set(labels).size).toBe(labels.length);
          if (values.length < 2) return;
          const step =
            (values[1]! - values[0]!) / 10 ** Math.floor(Math.log10((values[1]! - values[0]!) * 1.000001));
          expect([1, 2, 5].some((nice) => Math.abs(step - nice) < 1e-4)).toBe(true);
        },
      ),
    );
  });

  it('give a constant room on both sides', () => {
    expect(paddedRange(5, 5)).toEqual({ low: 4.5, high: 5.5 });
    expect(paddedRange(0, 0)).toEqual({ low: -1, high: 1 });
    expect(paddedRange(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)).toEqual({ low: 0, high: 1 });
  });
});

describe('ticks of a logarithmic axis', () => {
  it.each([
    [1, 1000, 3, ['1', '10', '100', '1000']],
    [0.5, 20, 6, ['0.5', '1', '2', '5', '10', '20']],
    [1e-9, 1e9, 4, ['10⁻⁵', '10⁰', '10⁵']],
    [2e5, 3e7, 8, ['2·10⁵', '5·10⁵', '10⁶', '2·10⁶', '5·10⁶', '10⁷', '2·10⁷']],
    // Nearly linear.
    [100, 110, 5, ['100', '102', '104', '106', '108', '110']],
  ])('from %d to %d', (low, high, count, labels) => {
    expect(ticksOf({ low, high, log: true }, count).labels).toEqual(labels);
  });

  it('stand where the logarithm says, and back', () => {
    const range = { low: 0.01, high: 100, log: true };
    expect(shareOf(range, 1)).toBeCloseTo(0.5, 12);
    expect(shareOf(range, 10)).toBeCloseTo(0.75, 12);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (share, log) => {
        expect(shareOf({ ...range, log }, valueAt({ ...range, log }, share))).toBeCloseTo(share, 9);
      }),
    );
  });
});

describe('units of time', () => {
  it.each([
    [0, 4e-9, 'ns', 1e9],
    [0, 2e-6, 'us', 1e6],
    [0, 5e-4, 'us', 1e6],
    [0, 0.02, 'ms', 1e3],
    [0, 1, 's', 1],
    [0, 100, 's', 1],
    [0, 600, 'min', 1 / 60],
    [0, 43_200, 'h', 1 / 3600],
    [0, 1e6, 'd', 1 / 86_400],
    // A millisecond after an hour is read in seconds.
    [3600, 3600.001, 's', 1],
  ])('from %d s to %d s', (low, high, unit, scale) => {
    expect(clockOf('s', low, high)).toEqual({ unit, scale, offset: 0 });
  });

  it('are those of a time in seconds only', () => {
    expect(clockOf('m', 0, 1e6).unit).toBe('m');
  });
});

describe('numbers for reading', () => {
  it.each([
    [0.3350802848, '0.33508'],
    [-2, '−2'],
    [1234567, '1.23457e6'],
    [-999999.7, '−1e6'],
    [0.0000123456789, '1.23457e-5'],
    [0.00001, '1e-5'],
    [0, '0'],
  ])('%d', (value, text) => {
    expect(readable(value)).toBe(text);
  });
});

describe('values for reading', () => {
  const text = (value: number, more: Partial<SignalInfo> = {}): string =>
    quantityText(signal('k', undefined, more), value);

  it('are whole where they are Integers', () => {
    const type = 'Integer';
    expect(text(1234567, { type })).toBe('1234567');
    expect(text(-9007199254740991, { type })).toBe('−9007199254740991');
    expect(text(0, { type })).toBe('0');
    expect(text(1234567)).toBe('1.23457e6');
    // Thousandths of a million are not whole where they are shown in kg.
    expect(text(1234567, { type, unit: 'g', displayUnit: 'kg' })).toBe('1234.57 kg');
    expect(text(Number.NaN, { type })).toBe('missing');
  });

  it('have their names, and numbers where there is none', () => {
    const phase: Partial<SignalInfo> = { type: 'Integer', literals: ['solid', 'liquid'] };
    expect([text(1, phase), text(2, phase), text(3, phase)]).toEqual(['solid', 'liquid', '3']);
    expect([text(0, { type: 'Boolean' }), text(1, { type: 'Boolean' })]).toEqual(['false', 'true']);
  });
});

describe('units', () => {
  it.each([
    ['K', 'degC', 300, 26.85],
    ['rad', 'deg', Math.PI, 180],
    ['rad/s', 'rev/min', 2 * Math.PI, 60],
    ['rad/s', '1/min', 2 * Math.PI, 60],
    ['1/s', '1/min', 2, 120],
    ['Pa', 'bar', 1e5, 1],
    ['m', 'mm', 0.5, 500],
    ['W', 'kW', 1500, 1.5],
    ['kg', 'g', 2, 2000],
    ['m/s', 'km/h', 10, 36],
    ['m/s', 'km/s', 1500, 1.5],
    ['1', '%', 0.5, 50],
    ['J', 'kW.h', 7.2e6, 2],
  ])('%s shown as %s', (unit, displayUnit, value, shown) => {
    const display = displayOf(unit, displayUnit);
    expect(display.unit).toBe(displayUnit);
    expect(value * display.scale + display.offset).toBeCloseTo(shown, 9);
  });

  it('stay as they are where the conversion is not known', () => {
    for (const [unit, displayUnit] of [
      ['m', ''],
      ['m', 'm'],
      ['m', 'furlong'],
      ['', 'deg'],
      ['m/s', 'km'],
      ['x', 'constructor'],
    ]) {
      expect(displayOf(unit!, displayUnit!)).toEqual({ unit, scale: 1, offset: 0 });
    }
    expect(displayOf('constructor', 'name')).toEqual({ unit: 'constructor', scale: 1, offset: 0 });
  });

  it.each([
    ['kg.m2/s2', 'kg·m²/s²'],
    ['degC', '°C'],
    ['deg/s', '°/s'],
    ['K-1', 'K⁻¹'],
    ['Ohm', 'Ω'],
    ['1', ''],
    ['', ''],
    ['rev/min', 'rev/min'],
    ['N.m', 'N·m'],
    ['m12', 'm¹²'],
    ['us', 'µs'],
  ])('%s is written %s', (unit, text) => {
    expect(prettyUnit(unit)).toBe(text);
  });
});

describe('units of impulses', () => {
  it.each([
    ['N.m', 'N.m.s'],
    ['m/s2', 'm/s'],
    ['kg/s', 'kg'],
    ['rad/s2', 'rad/s'],
    ['kg.m.s-2', 'kg.m/s'],
    ['1/s', '1'],
    ['W/(m2.K)', 'W.s/(m2.K)'],
    ['km/h', 'km.s/h'],
    ['what is it', '(what is it).s'],
    ['1', 's'],
    ['', ''],
  ])('of %j are in %j', (unit, impulse) => {
    expect(impulseUnit(unit)).toBe(impulse);
  });
});

describe('values as they are read', () => {
  it.each([
    [{ unit: 'K', displayUnit: 'degC' }, 293.15, '20', '20 degC'],
    [{ unit: '1', displayUnit: '' }, 0.5, '0.5', '0.5'],
    [{ unit: '1', displayUnit: '%' }, 0.5, '50', '50 %'],
    [{ type: 'Boolean' as const }, 1, 'true', 'true'],
    [{ type: 'Boolean' as const }, 0, 'false', 'false'],
    [{ type: 'Integer' as const, literals: ['open', 'closed'] }, 2, 'closed', 'closed'],
    // Values that the type does not have are told as they are.
    [{ type: 'Integer' as const, literals: ['open', 'closed'] }, 3, '3', '3'],
    [{ unit: 'm' }, Number.NaN, 'missing', 'missing'],
  ])('%j %d', (info, value, text, quantity) => {
    const whole = { ...signal('x'), ...info };
    expect(valueText(whole, value)).toBe(text);
    expect(quantityText(whole, value)).toBe(quantity);
  });
});
