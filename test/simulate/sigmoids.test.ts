/** Sigmoids go on where the exponential in them has no finite value: signs of speeds, smoothed, are written so, and `1/exp(800)` is 0. */
import { describe, expect, it } from 'vitest';
import { done } from './notation.ts';

describe('far from where they bend, sigmoids', () => {
  // v rises from -1 by 2 sin(t) and, as long as it is negative, by 0.3 t.
  const slope = '2*cos(time) - 0.3*sign';
  it.each([
    ['2/(1 + exp(-v/0.0007)) - 1', 'bdf'],
    ['2/(1 + exp(-v/0.0007)) - 1', 'radau'],
    ['1 - 2/(exp(v/0.0007) + 1)', 'bdf'],
    ['(1/(1 + exp(-v/0.0007)) - 0.5)/0.5', 'rk'],
  ] as const)('%s are what they tend to: %s', async (sign, method) => {
    const text = `model M
        Real v(start = -1, fixed = true), sign = ${sign};
      equation
        der(v) = ${slope};
      end M;`;
    const { table } = await done(text, { stopTime: 0.4, tolerance: 1e-9, method });
    for (const t of [0.1, 0.25, 0.4])
      expect(Math.abs(table.value('v', t) - (-1 + 2 * Math.sin(t) + 0.3 * t))).toBeLessThan(1e-7);
  });

  it('have no slope, and where there are numbers that of the exponential', async () => {
    const text = `model M
        Real x = 709 + time;
        Real s = 1/(1 + exp(x)), d = der(s), m = log(exp(x - 10)), e = der(m);
      end M;`;
    const { table } = await done(text, { stopTime: 1 });
    for (const t of [0, 0.7, 0.8, 1]) {
      expect(Math.abs(table.value('d', t))).toBeLessThan(1e-200);
      expect(Math.abs(table.value('e', t) - 1)).toBeLessThan(1e-9);
    }
  });
});
