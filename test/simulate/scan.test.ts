/** Events that nothing but an indicator itself keeps a step from passing over. Expected counts and times come from closed forms and from fine scans. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { close, done } from './notation.ts';

const methods = ['auto', 'bdf', 'rk'] as const;

/** Counts how often a condition becomes true, beside a state that moves slowly. */
const counter = (condition: string, more = '', declared = '') => `model Count
    Real x(start = 0, fixed = true) "Equals time";
    Real slow(start = 1, fixed = true);
    ${declared}
    Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
    discrete Real last(start = 0, fixed = true);
    Boolean on = ${condition};
  equation
    der(x) = 1;
    der(slow) = -0.01*slow;
    ${more}
    when on then
      rises = pre(rises) + 1;
      last = time;
    end when;
    when not on then
      falls = pre(falls) + 1;
    end when;
  end Count;`;

/** The same without any state. */
const stateless = (condition: string) => `model Count
    Integer rises(start = 0, fixed = true), falls(start = 0, fixed = true);
    discrete Real last(start = 0, fixed = true);
    Boolean on = ${condition};
  equation
    when on then
      rises = pre(rises) + 1;
      last = time;
    end when;
    when not on then
      falls = pre(falls) + 1;
    end when;
  end Count;`;

describe('a coil and a clutch that are switched a thousand times a second', () => {
  const coil = `model PulseWidth
      Real i(start = 0, fixed = true);
    equation
      0.1*der(i) = (if sin(6283.185307179586*time) > 0.5 then 3 else 0) - i;
    end PulseWidth;`;
  /** On from T/12 to 5T/12 of each period. */
  const current = (): number => {
    const [period, tau] = [1e-3, 0.1];
    const gain = 3 * (Math.exp((-7 * period) / 12 / tau) - Math.exp((-11 * period) / 12 / tau));
    let i = 0;
    for (let k = 0; k < 2000; k++) i = i * Math.exp(-period / tau) + gain;
    return i;
  };

  test.each([10, 500, 5000].flatMap((intervals) => methods.map((method) => ({ intervals, method }))))(
    'coil, %o',
    async ({ intervals, method }) => {
      const { table, statistics } = await done(coil, { stopTime: 2, tolerance: 1e-6, intervals, method });
      expect(statistics.events).toBe(4000);
      expect(Math.abs(table.value('i', 2) - current())).toBeLessThan(1e-4);
    },
  );

  test('clutch', async () => {
    const { table, statistics } = await done(
      `model PulsedClutch
         Real w1(start = 1, fixed = true), w2(start = 0, fixed = true), f, slip(start = 0, fixed = true);
       equation
         der(w1) = -f + 1 - w1;
         2*der(w2) = f - 1 - 2*w2;
         der(slip) = w1 - w2;
         if sin(6283.185307179586*time) > 0 then w1 = w2; else f = 0; end if;
       end PulsedClutch;`,
      { stopTime: 0.2, intervals: 10 },
    );
    const h = 5e-4;
    expect(Math.abs(table.value('slip', 0.2) - 200 * 1.5 * (h - 1 + Math.exp(-h)))).toBeLessThan(1e-6);
    // At zero the sine is not positive yet; whether the last event is before the end is up to rounding.
    expect(Math.abs(statistics.events - 400.5)).toBe(0.5);
  });
});

describe('short pulses', () => {
  const edge = 1e-4 * Math.sqrt(Math.LN2);
  test.each([
    ['abs(time - 3) < 5e-5', 3 - 5e-5],
    ['(time - 3)^2 < 1e-9', 3 - Math.sqrt(1e-9)],
    ['exp(-((time - 3)/1e-4)^2) > 0.5', 3 - edge],
    ['tanh(1e5*(time - 3)) + tanh(1e5*(3.0001 - time)) > 1', 3],
    ['max(0, 1 - 1e4*abs(time - 3)) > 0.5', 3 - 5e-5],
    ['abs(x - 3) < 5e-5', 3 - 5e-5],
    ['(x - 3)^2 < 1e-6', 3 - 1e-3],
    ['exp(-((x - 3)/1e-4)^2) > 0.5', 3 - edge],
    ['cos(x)^2 > 1 - 1e-8 and x > 1 and x < 5', Math.PI - Math.asin(1e-4)],
    ['min(x - 3, 3.0001 - x) > 0', 3],
  ])('%s', async (condition, start) => {
    for (const method of methods) {
      const runs = [
        counter(condition),
        ...(condition.includes('x') && !condition.includes('exp(-((t') ? [] : [stateless(condition)]),
      ];
      for (const text of runs) {
        const { table } = await done(text, { stopTime: 10, intervals: 10, method });
        expect([table.value('rises', 10), table.value('falls', 10)]).toEqual([1, 1]);
        expect(Math.abs(table.value('last', 10) - start)).toBeLessThan(2e-6);
      }
    }
  });
});
