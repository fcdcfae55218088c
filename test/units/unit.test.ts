/** Units: what they are in SI, and conversions between them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { converted, sameKind, unitOf } from '../../src/units/unit.ts';

const to = (value: number, from: string, unit: string): number | undefined =>
  converted(value, unitOf(from)!, unitOf(unit)!);

describe('units', () => {
  test.each([
    ['km', 'm', 1e3],
    ['km/h', 'm/s', 1 / 3.6],
    ['kOhm', 'V/A', 1e3],
    ['mbar', 'Pa', 100],
    ['N.m', 'J', 1],
    ['W.h', 'J', 3600],
    ['kW.h', 'MJ', 3.6],
    ['1/min', 'Hz', 1 / 60],
    ['rpm', 'rad/s', Math.PI / 30],
    ['deg', 'rad', Math.PI / 180],
    ['l/min', 'm3/s', 1e-3 / 60],
    ['g/cm3', 'kg/m3', 1e3],
    ['J/(kg.K)', 'm2/(s2.K)', 1],
    ['uF', 'A.s/V', 1e-6],
    ['mm2', 'm2', 1e-6],
    ['m.s-2', 'm/s2', 1],
    ['dam', 'm', 10],
    ['t', 'kg', 1e3],
    ['mg', 'kg', 1e-6],
    ['Pa.s', 'kg/(m.s)', 1],
    ['Wb', 'V.s', 1],
    ['1', 'rad', 1],
  ] as const)('%s in %s', (from, unit, factor) => {
    expect(to(1, from, unit)).toBeCloseTo(factor, 12);
  });

  test('temperatures have an offset where they stand alone', () => {
    expect(to(20, 'degC', 'K')).toBeCloseTo(293.15, 10);
    expect(to(212, 'degF', 'degC')).toBeCloseTo(100, 10);
    expect(to(5, 'W/(m2.degC)', 'W/(m2.K)')).toBe(5);
  });

  test.each([
    // 60 turns of 2π in a minute, 2π rad/s.
    ['1/min', 'rad/s', Math.PI / 30],
    ['rad/s', '1/min', 30 / Math.PI],
    ['deg/s', '1/min', 1 / 6],
    ['rpm', '1/min', 1],
    ['rev/min', 'min-1', 1],
    ['rad/s', 'Hz', 1 / (2 * Math.PI)],
    ['kHz', 'rad/s', 2000 * Math.PI],
    ['1/s', '1/min', 60],
    ['1/s', 'Hz', 1],
    ['Bq', '1/min', 60],
    ['rad/s', '1/s', 1],
    ['rad/s2', '1/s2', 1],
    ['rad', '1', 1],
  ] as const)('of rotation: %s in %s', (from, unit, factor) => {
    expect(to(1, from, unit)).toBeCloseTo(factor, 12);
  });

  test('of different kinds cannot be converted', () => {
    expect(to(1, 'm', 's')).toBeUndefined();
    expect(to(1, 'N', 'J')).toBeUndefined();
    expect(sameKind(unitOf('rad')!, unitOf('1')!)).toBe(true);
  });

  test('the coherent unit has the factor 1', () => {
    expect(
      ['km/h', 'kOhm', 'degC', 'rpm', 'l', 'bar', 'kg', '1/min', 'deg'].map((one) => unitOf(one)!.coherent),
    ).toEqual(['m.s-1', 'Ohm', 'K', 'rad.s-1', 'm3', 'Pa', 'kg', 's-1', 'rad']);
    for (const text of ['km/h', 'l2', 'kg.mm2/h3', 'rpm2', 'mbar.cm3']) {
      const { dimension, coherent } = unitOf(text)!;
      expect(unitOf(coherent)).toMatchObject({ factor: 1, offset: 0, dimension });
    }
  });

  test('what is no unit is none', () => {
    for (const text of ['', 'parsek', 'm/', '/s', 'm/s/s', 'm..s', 'kkm', 'm^^2', '5m', 'm s'])
      expect(unitOf(text)).toBeUndefined();
  });

  test('there and back again', () => {
    const unit = fc.constantFrom('K', 'degC', 'degF', 'mK');
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), unit, unit, (value, from, other) => {
        const back = to(to(value, from, other)!, other, from)!;
        expect(Math.abs(back - value)).toBeLessThanOrEqual(1e-9 * (300 + Math.abs(value)));
      }),
    );
  });
});
