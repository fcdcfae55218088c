/** What sensors of contact see of objects that cannot touch at the moment: they are where they are. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';

const g = 9.81;
const touches = 'material = "Steel", contact = true';
const ground = `Box ground(parent = "world", translation = {0, -0.5, 0}, lengthX = 20, lengthY = 1, lengthZ = 20, ${touches});`;

describe.each(['true', 'false'])('with rigidContact = %s, the distance', (isRigid) => {
  test('of objects that are switched off is that of others', async () => {
    const { table } = await run(
      'Bodies',
      `World world(rigidContact = ${isRigid}); ${ground}
      Sphere ball(fixed = false, translation = {0, 1, 0}, diameter = 0.2, ${touches});
      NoContact none(object1 = "ball", active = time < 0.2); ContactSensor s(object1 = "ground", object2 = "ball");`,
      0.3,
    );
    for (const t of [0, 0.1, 0.15, 0.3]) {
      expect(table.value('s.distance', t)).toBeCloseTo(0.9 - (g * t * t) / 2, 6);
      expect(table.value('s.n[2]', t)).toBeCloseTo(1, 9);
      expect(table.value('s.r[2]', t)).toBeCloseTo((0.9 - (g * t * t) / 2) / 2, 6);
    }
  });

  test('of an object that is removed is that of where it was left', async () => {
    const { table } = await run(
      'Bodies',
      `World world(rigidContact = ${isRigid}); ${ground}
      Sphere ball(fixed = false, translation = {0, 1, 0}, diameter = 0.2, ${touches});
      Removal gone(object = "ball", active = time >= 0.2); ContactSensor s(object1 = "ground", object2 = "ball");`,
      0.3,
    );
    expect(table.value('s.distance', 0.3)).toBeCloseTo(0.9 - (g * 0.2 * 0.2) / 2, 6);
  });

  test('and the speeds before objects touch are those with which they come near and pass', async () => {
    const { table } = await run(
      'Bodies',
      `World world(rigidContact = ${isRigid}); ${ground}
      Capsule rod(fixed = false, translation = {0, 1, 0}, rotation = {0, 0, 0.4}, velocity = {2, 1, 0}, angularVelocity = {0, 0, 3}, axis = 1, diameter = 0.1, length = 0.4, ${touches});
      ContactSensor s(object1 = "ground", object2 = "rod"); ContactSensor back(object1 = "rod", object2 = "ground");`,
      0.3,
    );
    for (const t of [0, 0.1, 0.3]) {
      // The lower end of the rod is nearest; the lowest point of its half ball is 0.05 m below.
      const angle = 0.4 + 3 * t;
      const [x, y] = [-0.2 * Math.cos(angle), -0.2 * Math.sin(angle) - 0.05];
      for (const sensor of ['s', 'back']) {
        expect(table.value(`${sensor}.depthSpeed`, t)).toBeCloseTo(-(1 - g * t + 3 * x), 6);
        expect(table.value(`${sensor}.slipSpeed`, t)).toBeCloseTo(2 - 3 * y, 6);
        expect(table.value(`${sensor}.turnSpeed`, t)).toBeCloseTo(3, 9);
      }
    }
  });
});

test('the speed of an impact is there when it begins', async () => {
  const { table } = await run(
    'Bodies',
    `World world; ${ground}
    Sphere ball(fixed = false, translation = {0, 1, 0}, diameter = 0.2, ${touches}); ContactSensor s(object1 = "ground", object2 = "ball");
    Real met(start = 0, fixed = true);
    equation
    when s.distance < 0 then met = s.depthSpeed; end when;`,
    0.5,
  );
  expect(table.value('met', 0.5)).toBeCloseTo(Math.sqrt(2 * g * 0.9), 5);
});
