import { expect, test } from 'vitest';
import { Isolation } from '../../src/solve/isolate.ts';

test('pieces go on to the end, however short the rest is', () => {
  // Nothing is known of any piece: the shortest ones are given, one after the other.
  const isolation = new Isolation(() => 'open');
  const end = 1;
  for (let t = 1 - 2 ** -40; t < end; ) {
    const piece = isolation.next(t, end, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)!;
    expect(piece.end).toBeGreaterThan(piece.start);
    t = piece.end;
  }
});

test('a rest of one unit in the last place after a piece that was shorter', () => {
  let width = 0;
  const isolation = new Isolation((a, b) => {
    width = b - a;
    return 'single';
  });
  isolation.next(0, 1e-20, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  const from = 0.026537386079000656;
  const piece = isolation.next(from, 0.02653738607900066, Number.POSITIVE_INFINITY, 1)!;
  expect([piece.start, piece.end]).toEqual([from, 0.02653738607900066]);
  expect(width).toBeGreaterThan(0);
});
