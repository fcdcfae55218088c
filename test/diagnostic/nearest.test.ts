import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, nearest } from '../../src/diagnostic/nearest.ts';

describe('nearest', () => {
  const cases: [string, string[], string | undefined][] = [
    ['lenght', ['width', 'length', 'height'], 'length'],
    ['resistor', ['Capacitor', 'Resistor'], 'Resistor'],
    ['velocty', ['velocity', 'position'], 'velocity'],
    ['R', ['r', 'S'], 'r'],
    ['x', ['y', 'z'], undefined],
    ['ab', ['ba', 'ac'], 'ba'],
    ['phi', ['omega', 'tau'], undefined],
    ['Real', ['Real'], undefined],
    ['Model', ['mode', 'model'], 'model'],
    ['aaaa', ['aaab', 'aaac'], 'aaab'],
    ['x', [], undefined],
    ['Gear', ['Inertia', 'LossyGearBox', 'IdealGear'], 'IdealGear'],
    ['stopTime', ['start', 'stop', 'step'], 'stop'],
    ['speed', ['wheel.speed', 'wheel.angle'], 'wheel.speed'],
    ['motorSpeed', ['speed_of_motor', 'torque'], 'speed_of_motor'],
    ['phi', ['motor.phi'], undefined],
    ['Gears', ['Gear', 'IdealGear'], 'Gear'],
    ['Clutc', ['Damper', 'FrictionClutch', 'IdealClutch'], 'IdealClutch'],
    ['Cluch', ['IdealClutch', 'Clutch'], 'Clutch'],
    ['Gera', ['IdealGear'], undefined],
    ['Bearing', ['IdealGear', 'RackAndPinion'], undefined],
    ['hh', ['v', 'h'], 'h'],
    ['hv', ['v', 'h'], undefined],
  ];
  test.each(cases)('%s in %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });
});

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['abcd', 'acbd', 1],
    ['ca', 'abc', 3],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
  });

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  test('is symmetric, zero only for equal words, and at most the longer length', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const d = editDistance(a, b);
        expect(editDistance(b, a)).toBe(d);
        expect(d === 0).toBe(a === b);
        expect(d).toBeLessThanOrEqual(Math.max(a.length, b.length));
      }),
    );
  });

  test('with a bound is the same below the bound and not below it otherwise', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 6 }), (a, b, bound) => {
        const d = editDistance(a, b);
        const bounded = editDistance(a, b, bound);
        if (d < bound) expect(bounded).toBe(d);
        else expect(bounded).toBeGreaterThanOrEqual(bound);
      }),
    );
  });
});
