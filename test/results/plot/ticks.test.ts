import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { niceTicks, paddedRange, readable } from '../../../src/results/plot/ticks.ts';
import { displayOf, prettyUnit } from '../../../src/results/plot/units.ts';

describe('ticks', () => {
  it.each([
    [0, 10, 5, ['0', '2', '4', '6', '8', '10'], 0],
    [-0.3, 0.3, 6, ['−0.3', '−0.2', '−0.1', '0.0', '0.1', '0.2', '0.3'], 0],
    [0, 1, 2, ['0.0', '0.5', '1.0'], 0],
    [101325, 125325, 3, ['110', '120'], 3],
    [0, 2.5e-6, 3, ['0', '1', '2'], -6],
    [0, 2e-3, 2, ['0', '1', '2'], -3],
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
          expect(values.length).toBeGreaterThanOrEqual(1);
          expect(values.length).toBeLessThanOrEqual(2 * count);
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

describe('numbers for reading', () => {
  it.each([
    [0.3350802848, '0.33508'],
    [-2, '−2'],
    [1234567, '1.2346e6'],
    [0.00001, '1e-5'],
    [0, '0'],
  ])('%d', (value, text) => {
    expect(readable(value)).toBe(text);
  });
});

describe('units', () => {
  it.each([
    ['K', 'degC', 300, 26.85],
    ['rad', 'deg', Math.PI, 180],
    ['rad/s', 'rev/min', 2 * Math.PI, 60],
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
