/** Rigid bodies on each other: what falls on a stack, is taken from it, or pushes it. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { box, g, ground, law, near, precise, world } from './rigidnotation.ts';

const size = [0.3, 0.2, 0.2] as const;
const sensor = (name: string, first: string, second: string) =>
  `ContactSensor ${name}(object1 = "${first}", object2 = "${second}");`;

describe('a box that falls on one that rests', () => {
  test.each([
    [0, 0],
    [0.02, 0.01],
  ])('stays there at once, off its middle by %d and %d', async (x, z) => {
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, 0.3)} ${box('low', 0, 0.1, size, ', mass = 2')}
      ${box('high', x, 0.31, size, ', mass = 2', z)} ${sensor('under', 'ground', 'low')} ${sensor('between', 'low', 'high')}`,
      1,
      precise,
    );
    const lands = Math.sqrt(0.02 / g);
    near(table.value('between.normalForce', lands - 1e-6), 0, 1e-12);
    near(table.value('between.normalForce', lands + 1e-6), 2 * g, 1e-10);
    near(table.value('under.normalForce', lands + 1e-6), 4 * g, 1e-10);
    near(table.value('high.r[2]', 1), 0.3, 1e-12);
    near(table.value('high.r[1]', 1), x, 1e-12);
    near(table.value('high.r[3]', 1), z, 1e-12);
    expect(statistics.events).toBe(1);
  });
});

test('the highest of three boxes is lifted and falls back', async () => {
  const { table, statistics } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.3)} ${[2, 3, 4].map((mass, k) => box(`b${k}`, 0, 0.1 + 0.2 * k, size, `, mass = ${mass}`)).join('\n')}
    WorldForce lift(object = "b2", f = {0, if time < 0.5 then 0 elseif time < 0.6 then 60 else 0, 0});
    ${sensor('s0', 'ground', 'b0')} ${sensor('s1', 'b0', 'b1')} ${sensor('s2', 'b1', 'b2')}`,
    1.5,
    precise,
  );
  const up = 60 / 4 - g;
  // How high and how fast it is when it is let go; it lands after.
  const [height, speed] = [(up * 0.01) / 2, up * 0.1];
  const lands = 0.6 + (speed + Math.sqrt(speed * speed + 2 * g * height)) / g;
  near(table.value('b2.r[2]', 0.6), 0.5 + height);
  near(table.value('s1.normalForce', 0.59), 3 * g, 1e-10);
  near(table.value('b2.v[2]', lands - 1e-3), speed - g * (lands - 1e-3 - 0.6), 1e-7);
  near(table.value('s2.normalForce', lands + 1e-6), 4 * g, 1e-10);
  near(table.value('s1.normalForce', 1.5), 7 * g, 1e-10);
  near(table.value('s0.normalForce', 1.5), 9 * g, 1e-10);
  near(table.value('b2.r[2]', 1.5), 0.5, 1e-12);
  expect(statistics.events).toBe(3);
});

test('a box that a force drives against two others takes them with it, without gravity', async () => {
  const { table, statistics } = await run(
    'Bodies',
    `${world(', gravity = Gravity.none')} ${law(0, 0.3)} ${box('a', -0.4, 0, size, ', mass = 1')} ${box('b', 0, 0, size, ', mass = 2')} ${box('c', 0.3, 0, size, ', mass = 3')}
    WorldForce push(object = "a", f = {2, 0, 0}); ${sensor('first', 'a', 'b')} ${sensor('second', 'b', 'c')}`,
    1,
    precise,
  );
  // It goes 0.1 m alone; momentum stays.
  const strikes = Math.sqrt(0.1);
  near(table.value('c.v[1]', 1), 2 / 6);
  near(
    table.value('c.r[1]', 1),
    0.3 + ((2 * strikes) / 6) * (1 - strikes) + ((2 / 6) * (1 - strikes) ** 2) / 2,
  );
  near(table.value('first.normalForce', 1), (2 * 5) / 6, 1e-10);
  near(table.value('second.normalForce', 1), (2 * 3) / 6, 1e-10);
  expect(statistics.events).toBe(1);
});
