/** Arrows of impulses in diagrams of the studio, and the range of the axis at whose zero they stand. */
import { describe, expect, it } from 'vitest';
import { arrowLength, rangeWith } from '../../src/studio/page/curves/arrows.ts';

describe('arrows of impulses', () => {
  it('have zero in view, and room beyond it', () => {
    expect(rangeWith(3, 10, [])).toEqual([3, 10]);
    expect(rangeWith(3, 10, [{ size: 1 }])).toEqual([0, 10]);
    expect(rangeWith(3, 10, [{ size: -1 }])).toEqual([-2, 10]);
    expect(rangeWith(-10, -3, [{ size: 1 }, { size: -0.5 }])).toEqual([-10, 2]);
    // A curve that is nowhere yet.
    expect(rangeWith(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, [{ size: 1 }])).toEqual([0, 0.2]);
  });

  it('have one scale, in which all of them can be seen', () => {
    // Zero is at 80 of 0 to 100, from above: 80 pixels upwards, 20 downwards.
    const up = arrowLength([{ size: 1 }], [80], 0, 100);
    expect(up).toBeGreaterThan(40);
    expect(up).toBeLessThanOrEqual(80);
    const both = arrowLength([{ size: 1 }, { size: -0.5 }], [80, 80], 0, 100);
    expect(both * 0.5).toBeLessThanOrEqual(20);
    expect(both * 0.5).toBeGreaterThan(10);
  });
});
