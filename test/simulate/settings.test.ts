/** Options with which no run can begin: each a diagnostic, nothing hangs. */
import { describe, expect, it } from 'vitest';
import { instantiate, type SimulateOptions } from '../../src/index.ts';

const decay = instantiate('model Decay Real x(start = 1, fixed = true); equation der(x) = -x; end Decay;');

describe('options that are wrong', () => {
  const cases: [SimulateOptions, string][] = [
    [{ stopTime: -1 }, 'The stop time -1 lies before the start time 0.'],
    [{ stopTime: Number.NaN }, 'The stop time NaN is not a finite number.'],
    [{ stopTime: Number.POSITIVE_INFINITY }, 'The stop time Infinity is not a finite number.'],
    [{ startTime: Number.NaN, stopTime: 1 }, 'The start time NaN is not a finite number.'],
    [{ tolerance: -1 }, 'The tolerance -1 does not lie between 0 and 1.'],
    [{ tolerance: 0 }, 'The tolerance 0 does not lie between 0 and 1.'],
    [{ tolerance: Number.NaN }, 'The tolerance NaN does not lie between 0 and 1.'],
    [{ intervals: -5 }, 'The number of intervals -5 is not a whole number from 1 to 10000000.'],
    [{ intervals: 2.5 }, 'The number of intervals 2.5 is not a whole number from 1 to 10000000.'],
    [{ intervals: 1e12 }, 'The number of intervals 1000000000000 is not a whole number from 1 to 10000000.'],
  ];
  it.each(cases)('%o', async (options, message) => {
    const { status, diagnostics } = await decay.simulate(options);
    expect([status, diagnostics.map((d) => [d.code, d.message])]).toEqual([
      'failed',
      [['bad-option', message]],
    ]);
  });

  it('all at once, and the next run is not disturbed', async () => {
    const { diagnostics } = await decay.simulate({ stopTime: -1, tolerance: 2, intervals: 0 });
    expect(diagnostics).toHaveLength(3);
    const { status, table } = await decay.simulate({ tolerance: 1e-8 });
    expect(status).toBe('done');
    expect(table.value('x', 1)).toBeCloseTo(Math.exp(-1), 7);
  });
});
