/** The system of unknown units, and units as text: against random units that are known beforehand. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WHOLE } from '../../src/units/measures.ts';
import { type Form, UnitSystem } from '../../src/units/system.ts';
import { unitText } from '../../src/units/text.ts';
import { readUnit, unitOf } from '../../src/units/unit.ts';
import { almostLinear, orderOf } from '../growth.ts';

const system = (): { units: UnitSystem; unit: (text: string) => Form; unknown: () => Form } => {
  const units = new UnitSystem();
  return {
    units,
    unit: (text) => units.constant(units.measures.of(unitOf(text)!, '')),
    unknown: () => units.single(units.unknown()),
  };
};

describe('unknown units', () => {
  test('follow from equations in any order', () => {
    const { units, unit, unknown } = system();
    const [a, b, c] = [unknown(), unknown(), unknown()];
    // a*b = J, b = c, c = N: a is m.
    expect(units.equate(units.product(a, b)!, unit('J'), 1)).toBe('learnt');
    expect(units.equate(b, c, 2)).toBe('learnt');
    expect(units.unitOf(a)).toBeUndefined();
    expect(units.equate(c, unit('N'), 3)).toBe('learnt');
    expect(units.equate(a, unit('m'), 4)).toBe('same');
    expect(units.equate(a, unit('mm'), 5)).toBe('differ');
    expect(units.equate(a, unit('s'), 6)).toBe('differ');
  });

  test('roots and powers', () => {
    const { units, unit, unknown } = system();
    const a = unknown();
    expect(units.equate(units.power(a, 3 * WHOLE)!, unit('m6'), 1)).toBe('learnt');
    expect(units.equate(a, unit('m2'), 2)).toBe('same');
    expect(units.equate(units.power(a, WHOLE / 2)!, unit('m'), 3)).toBe('same');
    expect(units.power(unit('m'), 1)).toEqual(expect.anything());
    expect(units.power(units.power(unit('m'), 1)!, 1)).toBeUndefined();
  });

  test('what contradicts itself for every unit says nothing', () => {
    const { units, unit, unknown } = system();
    const a = unknown();
    expect(units.equate(units.quotient(a, unit('s'))!, a, 1)).toBe('open');
    expect(units.unitOf(a)).toBeUndefined();
  });

  test('a long chain is followed without recursion, in little time', () => {
    const follow = (n: number) => () => {
      const { units, unit, unknown } = system();
      const chain = Array.from({ length: n }, unknown);
      for (let k = chain.length - 1; k > 0; k--) units.equate(chain[k]!, chain[k - 1]!, k);
      expect(units.equate(chain[0]!, unit('kg'), 0)).toBe('learnt');
      expect(units.equate(chain[chain.length - 1]!, unit('kg'), 0)).toBe('same');
      const kilogram = unit('kg').unit;
      expect(chain.every((form) => units.unitOf(form) === kilogram)).toBe(true);
    };
    follow(100_000)();
    expect(orderOf(follow, 5000)).toBeLessThan(almostLinear);
  });

  test('equations that hold for some units never contradict each other, and what is found is right', () => {
    const size = 6;
    const units = fc.array(fc.constantFrom('m', 'kg', 's', 'A/s', 'N', 'mm', 'kW', '1'), {
      minLength: size,
      maxLength: size,
    });
    const rows = fc.array(fc.array(fc.integer({ min: -2, max: 2 }), { minLength: size, maxLength: size }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(units, rows, (texts, equations) => {
        const { units: solver, unit, unknown } = system();
        const unknowns = texts.map(unknown);
        const product = (forms: readonly Form[], powers: readonly number[]): Form =>
          forms.reduce(
            (sum, form, k) => solver.product(sum, solver.power(form, powers[k]! * WHOLE)!)!,
            unit('1'),
          );
        const known = texts.map(unit);
        for (const [k, powers] of equations.entries()) {
          const outcome = solver.equate(product(unknowns, powers), product(known, powers), k);
          expect(outcome).not.toBe('differ');
        }
        for (const [k, text] of texts.entries()) {
          const found = solver.unitOf(unknowns[k]!);
          if (found !== undefined) expect(solver.equate(solver.constant(found), unit(text), 0)).toBe('same');
        }
      }),
    );
  });
});

describe('units as text', () => {
  test.each([
    ['kg.m/s2', 'N'],
    ['kg/s2', 'N/m'],
    ['V.A', 'W'],
    ['W.s', 'J'],
    ['kW', 'kW'],
    ['mm', 'mm'],
    ['g', 'g'],
    ['bar', 'bar'],
    ['rad/s', '1/s'],
    ['rpm', 'rpm'],
    ['deg', 'deg'],
    ['m2/(s2.K)', 'J/(kg.K)'],
    ['g.m/s', 'g.m/s'],
    ['mm2', 'mm2'],
    ['kW/K', 'kW/K'],
    ['km/s', 'km/s'],
    ['1', '1'],
    ['%', '%'],
  ])('%s is written %s', (text, expected) => {
    const { units, unit } = system();
    expect(unitText(units.measures.at(unit(text).unit))).toBe(expected);
  });

  test('what is written is read as the same unit', () => {
    const factor = fc
      .tuple(
        fc.constantFrom('', 'k', 'm', 'M'),
        fc.constantFrom('m', 'g', 's', 'A', 'K', 'N', 'V', 'Ohm', 'J'),
        fc.integer({ min: -3, max: 3 }).filter((n) => n !== 0),
      )
      .map(([prefix, name, exponent]) => `${prefix}${name}${exponent === 1 ? '' : exponent}`);
    fc.assert(
      fc.property(
        fc.array(factor, { minLength: 1, maxLength: 4 }),
        fc.array(factor, { maxLength: 3 }),
        (above, below) => {
          const text = below.length === 0 ? above.join('.') : `${above.join('.')}/(${below.join('.')})`;
          const { units, unit } = system();
          const written = unitText(units.measures.at(unit(text).unit));
          const [number, name] = / /.test(written) ? written.split(' ') : ['1', written];
          const [first, second] = [unitOf(text)!, unitOf(name!)!];
          expect(second.dimension).toEqual(first.dimension.map((n) => n || 0));
          expect((Number(number) * second.factor) / first.factor).toBeCloseTo(1, 5);
        },
      ),
    );
  });

  test('any text is read or refused, with a problem inside it', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc
        .array(fc.constantFrom('m', 'kg', '/', '.', '(', ')', '2', '-1', '1', 's', '^'), { maxLength: 12 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (unit) => {
        const reading = readUnit(unit);
        // Levels are right, but in proportion to nothing.
        const isLevel = ['dB', 'B', 'Np', 'pH'].includes(unit);
        expect(reading.unit !== undefined || reading.problem !== undefined).toBe(!isLevel);
        if (!reading.problem) return;
        const { start, end } = reading.problem;
        expect(start).toBeGreaterThanOrEqual(0);
        expect(end).toBeLessThanOrEqual(unit.length);
        expect(start).toBeLessThanOrEqual(end);
      }),
    );
  });

  test('parentheses without end are refused', () => {
    expect(readUnit('('.repeat(100_000)).problem?.message).toBe('it has too many parentheses');
  });
});
