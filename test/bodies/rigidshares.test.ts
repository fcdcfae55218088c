/** Rigid bodies that lean against others in such a way that forces are not unique: those that are shown are possible ones. */
import { expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { box, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

// A ladder may press along itself as it likes. It stands above atan((1 - mu^2)/(2 mu)), some 37 degrees.
test.each([38, 50, 65, 80])(
  'a ladder at %d degrees neither is pulled by its wall nor held by more friction than there is',
  async (degrees) => {
    const friction = 0.5;
    const angle = (degrees * Math.PI) / 180;
    const [x, y] = [0.5 * Math.cos(angle) + 0.02, 0.5 * Math.sin(angle) + 0.02];
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${ground} ${law(0, friction)}
    Box wall(parent = "world", translation = {-0.5, 2, 0}, lengthX = 1, lengthY = 6, lengthZ = 10, ${touches});
    Capsule ladder(fixed = false, axis = 1, rotation = {0, 0, ${Math.PI - angle}}, translation = {${x}, ${y}, 0}, diameter = 0.04, length = 1, mass = 1, ${touches});
    ContactSensor top(object1 = "wall", object2 = "ladder"); ContactSensor foot(object1 = "ground", object2 = "ladder");`,
      0.5,
      precise,
    );
    expect(statistics.events).toBeLessThan(3);
    for (const t of [0, 0.25, 0.5]) {
      const at = (name: string) => [1, 2].map((i) => table.value(`${name}[${i}]`, t)) as [number, number];
      const [centre, up, down, high, low] = [
        at('ladder.r'),
        at('top.f'),
        at('foot.f'),
        at('top.r'),
        at('foot.r'),
      ];
      near(centre[0], x);
      near(up[0] + down[0], 0);
      near(up[1] + down[1], g);
      const moment = (r: readonly number[], f: readonly number[]) =>
        (r[0]! - centre[0]) * f[1]! - (r[1]! - centre[1]) * f[0]!;
      near(moment(high, up) + moment(low, down), 0);
      for (const [normal, along] of [up, [down[1], down[0]]] as const) {
        expect(normal).toBeGreaterThan(0);
        expect(Math.abs(along)).toBeLessThan(friction * normal);
      }
      near(table.value('top.normalForce', t), up[0]);
    }
  },
);

// Boxes that lie side by side and slide with a common speed have nothing to do with each other: what is between them must neither pull nor hold.
test('boxes in a row slide to rest with forces inside of the cones', async () => {
  const friction = 0.5;
  const stops = 1 / (friction * g);
  const masses = [1, 2, 1];
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, friction)}
    ${masses.map((mass, k) => box(`b${k}`, 0.2 * k, 0.1, [0.2, 0.2, 0.2], `, mass = ${mass}, velocity = {1, 0, 0}`)).join('\n')}
    ${masses.map((_, k) => `ContactSensor low${k}(object1 = "ground", object2 = "b${k}");`).join('\n')}
    ContactSensor side0(object1 = "b0", object2 = "b1"); ContactSensor side1(object1 = "b1", object2 = "b2");`,
    0.26,
    precise,
  );
  near(table.value('b1.r[1]', 0.26), 0.2 + stops / 2, 1e-7);
  for (const sensor of ['low0', 'low1', 'low2', 'side0', 'side1'])
    for (let row = 0; row < table.rowCount; row++) {
      const pressing = table.at(`${sensor}.normalForce`, row);
      expect(pressing).toBeGreaterThan(-1e-3);
      expect(table.at(`${sensor}.frictionForce`, row) - friction * pressing).toBeLessThan(1e-3);
    }
});

// The left end of the beam lies flush with the side of the first box: the planes that are nearest there are not those that press.
test('a sensor tells the normal of what presses where a box ends flush with another', async () => {
  const friction = 0.2;
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, friction)}
    ${box('a', 0, 0.1, [0.2, 0.2, 0.2], ', mass = 1')}
    ${box('b', 0.4, 0.1, [0.2, 0.2, 0.2], ', mass = 1')}
    ${box('beam', 0.2, 0.25, [0.6, 0.1, 0.2], ', mass = 1')}
    WorldForce push(object = "beam", f = {30*time, 0, 0});
    ContactSensor left(object1 = "a", object2 = "beam"); ContactSensor right(object1 = "b", object2 = "beam");`,
    0.5,
    { ...precise, tolerance: 1e-7 },
  );
  for (const sensor of ['left', 'right'])
    for (let row = 0; row < table.rowCount; row++) {
      const pressing = table.at(`${sensor}.normalForce`, row);
      if (pressing === 0) continue;
      // The beam begins to tip in the end.
      expect(table.at(`${sensor}.n[2]`, row)).toBeGreaterThan(0.999);
      const along = [1, 2, 3].map(
        (i) => table.at(`${sensor}.n[${i}]`, row) * table.at(`${sensor}.f[${i}]`, row),
      );
      near(along[0]! + along[1]! + along[2]!, pressing);
      expect(table.at(`${sensor}.frictionForce`, row) - friction * pressing).toBeLessThan(1e-3);
    }
});
