/** Piles of boxes that fall, slide and tip in a plane: they move as in time steps (`planar.ts`), and stay in the plane. */
import { expect, test } from 'vitest';
import { type Block, stepped } from './planar.ts';
import { still, textOf } from './pushed.ts';
import { g, near } from './rigidnotation.ts';
import { telling } from './told.ts';

/** A box: mass, lengths, place of its centre, speed. */
const block = (m: number, lx: number, ly: number, x: number, y: number, vx = 0): Block => ({
  ...still,
  m,
  lx,
  ly,
  x,
  y,
  vx,
});

const friction = 0.1;

test.each<readonly [string, readonly Block[], number]>([
  // The highest one meets one that is tilted by 1e-8 at that time.
  [
    'falls on a pile that slides, and tips',
    [
      block(5, 0.1, 0.1, 0, 0.05, 0.3),
      block(5, 0.15, 0.2, -0.036174, 0.205),
      block(1, 0.2, 0.1, 0.020393, 0.355),
      block(1, 0.2, 0.15, 0.045186, 0.485, 0.3),
    ],
    0.2,
  ],
  // What lies on the one that comes to rest needs just the friction that there is, all the time before.
  [
    'slides under others until they rest on it',
    [
      block(2, 0.2, 0.15, 0, 0.075),
      block(2, 0.2, 0.1, -0.017411, 0.205, 0.3),
      block(1, 0.15, 0.2, 0.017351, 0.355),
      block(5, 0.1, 0.15, 0.016275, 0.53),
    ],
    0.1,
  ],
])('a box that %s', async (_, blocks, end) => {
  const { result, told } = await telling([textOf(blocks, friction, '')], { stopTime: end, tolerance: 1e-8 });
  expect(told).toEqual([]);
  expect(result.statistics.events).toBeLessThan(15);
  const expected = stepped(blocks, friction, g, end, 5e-5);
  const { table } = result;
  for (const [k, { x, y, a }] of expected.entries()) {
    near(table.value(`b${k}.r[1]`, end), x, 1e-4);
    near(table.value(`b${k}.r[2]`, end), y, 1e-4);
    near(table.value(`b${k}.angles[3]`, end), a, 5e-4);
    near(table.value(`b${k}.r[3]`, end), 0, 1e-8);
    near(table.value(`b${k}.angles[1]`, end), 0, 1e-8);
    near(table.value(`b${k}.angles[2]`, end), 0, 1e-8);
  }
});
