/** Names beside what they name. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Labels, type Named } from '../../src/animation/player/labels.ts';

const named = (key: string, x: number, y: number): Named => ({ key, x, y, width: 40, height: 20 });

describe('names', () => {
  it('stand to the right of what they name', () => {
    expect(new Labels().arranged([named('a', 100, 50)])).toMatchObject([{ left: 108, top: 40 }]);
  });

  it('of things in one place stand beside and below each other', () => {
    const places = new Labels().arranged(['a', 'b', 'c'].map((key) => named(key, 100, 50)));
    expect(places.map((place) => [place!.left, place!.top])).toEqual([
      [108, 40],
      [52, 40],
      [108, 60],
    ]);
  });

  it('stay on their side while there is room', () => {
    const labels = new Labels();
    labels.arranged([named('a', 100, 50), named('b', 100, 50)]);
    // Apart again.
    expect(labels.arranged([named('a', 100, 50), named('b', 300, 50)])[1]).toMatchObject({ left: 252 });
  });

  it('never cover each other; what has no room is not shown', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(200), fc.nat(200)), { maxLength: 40 }), (points) => {
        const places = new Labels().arranged(points.map(([x, y], i) => named(String(i), x, y)));
        const shown = places.filter((place) => place !== undefined);
        for (const [i, a] of shown.entries())
          for (const b of shown.slice(i + 1))
            expect(Math.abs(a.left - b.left) >= 40 || Math.abs(a.top - b.top) >= 20).toBe(true);
        if (points.length > 0) expect(shown.length).toBeGreaterThan(0);
      }),
    );
  });
});
