/** Pieces of a step in which functions of states turn: sin(x) turns where x = pi/2. */
import { expect, test } from 'vitest';
import { Watcher } from '../../src/program/mode/watcher.ts';
import { Pool } from '../../src/symbolic/pool.ts';

/** Looks at the turning points of sin(x) in a step from 0 to 1, in which x goes from one value to another; tells how often states were asked for. */
function turns(from: number, to: number) {
  const pool = new Pool();
  const x = pool.ref(0);
  const value = pool.apply('sin', x);
  const watcher = new Watcher([{ value, indicator: -1 }], () => ({ kind: 'varies', k: 1 }), 1e-4);
  let samples = 0;
  const sample = (t: number, out: Float64Array): void => {
    samples++;
    out[0] = from + t * (to - from);
  };
  watcher.begin(
    () => Number.NaN,
    () => 0,
    sample,
    1,
    1e-9,
  );
  const pieces = [];
  for (let t = 0; ; ) {
    const piece = watcher.next(t, 1);
    if (!piece) return { pieces, samples };
    pieces.push(piece);
    t = piece.end;
  }
}

test('a function that moves in a step is looked at where it turns', () => {
  const { pieces } = turns(1, 2);
  const turn = Math.PI / 2 - 1;
  expect(pieces.some(({ start, end }) => start <= turn && turn <= end)).toBe(true);
});

test('one that hardly moves in the whole step is not, wherever it turns', () => {
  // sin(x) moves by x^2/2, a hundredth of the share that counts.
  const { pieces, samples } = turns(Math.PI / 2 - 1e-3, Math.PI / 2 + 1e-3);
  expect(pieces).toEqual([]);
  expect(samples).toBeLessThan(20);
});
