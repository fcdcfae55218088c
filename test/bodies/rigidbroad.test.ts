/** Many rigid bodies: only pairs that are near each other are looked at, none is passed through, and there is room for however many are. */
import { afterEach, expect, test, vi } from 'vitest';
import { RigidContacts } from '../../src/bodies/contact/rigid/contacts.ts';
import { RigidPairs } from '../../src/bodies/contact/rigid/pairs.ts';
import { run } from '../models/notation.ts';
import { ball, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

afterEach(() => vi.restoreAllMocks());

/** Balls on their way down to a tray. */
function tray(n: number): string {
  const side = Math.ceil(Math.sqrt(n));
  const width = 0.14 * side + 0.02;
  const wall = width / 2 + 0.05;
  const balls = Array.from({ length: n }, (_, k) => {
    const [column, row] = [k % side, Math.floor(k / side)];
    const [x, z] = [0.14 * (column - (side - 1) / 2), 0.14 * (row - (side - 1) / 2)];
    return `Sphere b${k}(fixed = false, diameter = 0.1, translation = {${x}, ${0.08 + 0.02 * (k % 3)}, ${z}}, velocity = {${Math.sin(3 * k) / 2}, 0, ${Math.cos(2 * k) / 2}}, ${touches});`;
  });
  const side4 = [
    [wall, 0, 0.1, width],
    [-wall, 0, 0.1, width],
    [0, wall, width, 0.1],
    [0, -wall, width, 0.1],
  ].map(
    ([x, z, lx, lz], k) =>
      `Box w${k}(parent = "world", lengthX = ${lx}, lengthY = 0.4, lengthZ = ${lz}, translation = {${x}, 0.2, ${z}}, ${touches});`,
  );
  return `${world()} ${ground} ${law(0.5, 0.3)} ${side4.join('\n')} ${balls.join('\n')}`;
}

test('pairs that are looked at grow with the number of balls in a tray, not with its square', async () => {
  const perLook: number[] = [];
  for (const n of [10, 20, 40]) {
    const gaps = vi.spyOn(RigidPairs.prototype, 'gap');
    const looks = vi.spyOn(RigidContacts.prototype, 'indicators');
    await run('Bodies', tray(n), 0.05);
    perLook.push(gaps.mock.calls.length / looks.mock.calls.length);
    vi.restoreAllMocks();
  }
  // All pairs would be 1.8 here.
  expect(Math.log(perLook[2]! / perLook[0]!) / Math.log(4)).toBeLessThan(1.25);
}, 60_000);

test('a ball that is fast and small does not pass through a thin plate', async () => {
  const { table } = await run(
    'Bodies',
    `${world(', gravity = Gravity.none')} ${law(1, 0)}
    Box plate(parent = "world", lengthX = 0.002, lengthY = 2, lengthZ = 2, ${touches});
    Sphere bullet(fixed = false, diameter = 0.01, translation = {-3, 0.1, 0.2}, velocity = {300, 0, 0}, ${touches});`,
    1,
    precise,
  );
  near(table.value('bullet.v[1]', 1), -300);
  near(table.value('bullet.r[1]', 1), -0.006 - 300 * (1 - 2.994 / 300), 1e-7);
});

test('many balls that come together at one instant all strike', async () => {
  // A ring of 24 balls falls, and all of them meet the ground together: more pairs than there is room for at first.
  const balls = Array.from({ length: 24 }, (_, k) => {
    const angle = (2 * Math.PI * k) / 24;
    return ball(`b${k}`, 2 * Math.cos(angle), 1.1, '', 2 * Math.sin(angle));
  });
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0.5, 0.3)} ${balls.join('\n')}`,
    0.6,
    precise,
  );
  const lands = Math.sqrt(2 / g);
  for (let k = 0; k < 24; k++) {
    near(table.value(`b${k}.v[2]`, 0.6), 0.5 * g * lands - g * (0.6 - lands), 1e-7);
    near(
      table.value(`b${k}.r[2]`, 0.6),
      0.1 + 0.5 * g * lands * (0.6 - lands) - (g * (0.6 - lands) ** 2) / 2,
      1e-7,
    );
  }
});

test('what rests goes on to rest when others come near and there must be more room', async () => {
  const falling = Array.from({ length: 16 }, (_, k) =>
    ball(`b${k}`, 0.5 + 0.3 * (k % 4), 1.2, '', 0.3 * Math.floor(k / 4)),
  );
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.5)} ${falling.join('\n')}
    Box slider(fixed = false, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, translation = {-3, 0.1, 0}, velocity = {3, 0, 0}, ${touches});
    Box still(fixed = false, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, translation = {-3, 0.1, 2}, ${touches});`,
    0.55,
    precise,
  );
  near(table.value('slider.v[1]', 0.55), 3 - 0.5 * g * 0.55);
  near(table.value('still.r[1]', 0.55), -3, 1e-12);
  near(table.value('still.r[2]', 0.55), 0.1, 1e-12);
  for (let k = 0; k < 16; k++) near(table.value(`b${k}.r[2]`, 0.55), 0.1);
});
