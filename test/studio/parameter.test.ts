/** Values of parameters as people write and drag them, in display units. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rangeOf, shownOf, sliderValue, storedOf, written } from '../../src/studio/page/parameter.ts';
import { labelsOf } from '../../src/studio/page/sweep.ts';
import type { Parameter } from '../../src/studio/protocol.ts';

const parameter = (more: Partial<Parameter>): Parameter => ({
  ...{ name: 'p', description: '', type: 'Real', value: 1, unit: '', displayUnit: '' },
  ...{ dims: [], final: false, hidden: false, min: undefined, max: undefined },
  ...(more as Parameter),
});
const pressure = parameter({ unit: 'Pa', displayUnit: 'bar', value: 101325, min: 101000, max: 101600 });
const warmth = parameter({ unit: 'K', displayUnit: 'degC', value: 293.2, min: 293.15, max: 293.95 });
const angle = parameter({ unit: 'rad', displayUnit: 'deg', value: 1, min: 0, max: Math.PI / 2 });

describe('values of parameters', () => {
  it('are bounds where their numbers are those of bounds', () => {
    // 1.01 divided by 1e-5 is 100999.99999999999.
    expect(storedOf(pressure, 1.01)).toBe(101000);
    expect(storedOf(pressure, 1.016)).toBe(101600);
    expect(storedOf(warmth, 20)).toBe(293.15);
    expect(storedOf(angle, 90)).toBe(Math.PI / 2);
    expect(storedOf(pressure, 1.0132)).toBe(101320);
    expect(storedOf(parameter({}), 0.1 + 0.2)).toBe(0.1 + 0.2);
  });

  it('are written with all digits that they have', () => {
    expect(written(123456.789)).toBe('123456.789');
    expect(written(299792458)).toBe('299792458');
    expect(written(shownOf(pressure, 101325))).toBe('1.01325');
    expect(written(-2.5e-7)).toBe('-2.5e-7');
  });

  it('of sliders end with the bounds, and have few digits between them', () => {
    const narrow = parameter({ min: 0, max: 0.12345, value: 0.1 });
    expect(sliderValue(narrow, 1)).toBe(0.12345);
    expect(sliderValue(narrow, 0)).toBe(0);
    expect(sliderValue(warmth, 0)).toBe(293.15);
    expect(shownOf(warmth, sliderValue(warmth, 0.5))).toBeCloseTo(20.4, 12);
    // All 201 places that keys lead to are different ones.
    expect(new Set(Array.from({ length: 201 }, (_, k) => sliderValue(pressure, k / 200))).size).toBe(201);
    expect(sliderValue(parameter({ value: 2 }), 0.51)).toBe(2.04);
  });

  it('of sliders stay between the bounds, and follow the hand', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const units = fc.constantFrom(['', ''], ['K', 'degC'], ['Pa', 'bar'], ['rad', 'deg'], ['rad/s', 'rpm']);
    fc.assert(
      fc.property(
        ...([number, fc.double({ min: 1e-3, max: 1e6, noNaN: true }), units] as const),
        ...([fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('Real', 'Integer')] as const),
        (start, length, [unit, displayUnit], share, type) => {
          const isWhole = type === 'Integer';
          const min = isWhole ? Math.round(start) : start;
          const max = isWhole ? min + 1 + Math.round(length) : min + length;
          const own = parameter({ min, max, type, value: min, unit: unit!, displayUnit: displayUnit! });
          expect(rangeOf(own)).toEqual([min, max]);
          const value = sliderValue(own, share);
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(max);
          const slack = isWhole ? 0.5 + 1e-9 : 1e-2 * (max - min) + 1e-11 * 1e6;
          expect(Math.abs(value - (min + share * (max - min)))).toBeLessThanOrEqual(slack);
        },
      ),
    );
  });
});

describe('labels of sweeps', () => {
  it('tell values apart that are close to each other', () => {
    expect(labelsOf([1, 2, 4])).toEqual(['1', '2', '4']);
    expect(labelsOf([12345, 17345])).toEqual(['12345', '17345']);
    expect(labelsOf([100000, 100016.666667, 100033.333333])).toEqual(['100000', '100017', '100033']);
    expect(labelsOf([0, 1 / 3, 2 / 3])).toEqual(['0', '0.3333', '0.6667']);
    expect(labelsOf([1000.0001, 1000.00012])).toEqual(['1000.0001', '1000.00012']);
  });
});
