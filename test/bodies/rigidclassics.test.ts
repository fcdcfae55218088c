/** Problems of textbooks with rigid bodies that touch, against their closed forms. */
import { describe, expect, test } from 'vitest';
import { run } from '../models/notation.ts';
import { ball, box, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

test('a smooth ladder leaves the wall at two thirds of its height', async () => {
  const steep = 1.2;
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0)}
    Box wall(parent = "world", translation = {-0.1, 2.01, 0}, lengthX = 0.2, lengthY = 4, lengthZ = 2, ${touches});
    Capsule ladder(fixed = false, axis = 1, diameter = 0.02, length = 2, mass = 1, translation = {0.01 + cos(${steep}), 0.01 + sin(${steep}), 0}, rotation = {0, 0, ${-steep}}, ${touches});
    ContactSensor touch(object1 = "wall", object2 = "ladder");`,
    1,
    precise,
  );
  // The weight alone does work until then: (1 + I) w^2/2 = g (sin a0 - sin a), with the inertia of a cylinder and two half balls.
  const [r, ends] = [0.01, (4 / 3) * 0.01];
  const inertia = (2 * (1 / 3 + r ** 2 / 4) + ends * (0.4 * r ** 2 + 1 + 0.75 * r)) / (2 + ends);
  const left = [...table.time.keys()].find((row) => table.at('touch.normalForce', row) === 0)!;
  const [sine, w] = [table.at('ladder.r[2]', left) - 0.01, table.at('ladder.w[3]', left)];
  near(sine, (2 / 3) * Math.sin(steep));
  near(((1 + inertia) * w ** 2) / 2, g * (Math.sin(steep) - sine));
});

test('a block slides down a wedge that is free to slide itself', async () => {
  const slope = 0.5;
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0)}
    Object3D wedge(fixed = false, translation = {0, 1, 0}, mass = 5, inertia = identity(3));
    Box foot(parent = "wedge", translation = {0, -0.95, 0}, lengthX = 2, lengthY = 0.1, lengthZ = 1, mass = 0.5, ${touches});
    Box ramp(parent = "wedge", rotation = {0, 0, ${-slope}}, lengthX = 2, lengthY = 0.1, lengthZ = 1, mass = 0.5, ${touches});
    Object3D top(parent = "wedge", rotation = {0, 0, ${-slope}});
    Box brick(fixed = false, parent = "top", translation = {-0.3, 0.15, 0}, lengthX = 0.2, lengthY = 0.2, lengthZ = 0.2, mass = 1, ${touches});`,
    0.3,
    precise,
  );
  const [m, M, s, c] = [1, 6, Math.sin(slope), Math.cos(slope)];
  near(table.value('wedge.v[1]', 0.3), (-0.3 * m * g * s * c) / (M + m * s * s));
  near(table.value('brick.v[2]', 0.3), (-0.3 * g * s * s * (M + m)) / (M + m * s * s));
});

describe('a box on a belt that speeds up', () => {
  test.each([2, 6])('with %d m/s2', async (belt) => {
    const { table } = await run(
      'Bodies',
      `import Mutabor.Translational; ${world()} ${law(0, 0.4)}
      Object3D carrier; Box belt(parent = "carrier", translation = {0, -0.1, 0}, lengthX = 10, lengthY = 0.2, lengthZ = 1, mass = 5, ${touches});
      PrismaticWithFlange slide(obj1 = "world", obj2 = "carrier", axis = {1, 0, 0});
      Translational.Position drive(s_ref = ${belt / 2}*time^2);
      ${box('b', 0, 0.05, [0.2, 0.1, 0.2], ', mass = 2')}
      equation connect(drive.flange, slide.flange);`,
      1,
      precise,
    );
    const own = Math.min(belt, 0.4 * g);
    near(table.value('b.v[1]', 1), own);
    near(table.value('b.r[1]', 1), own / 2);
    near(table.value('drive.flange.f', 1), -(5 * belt + 2 * own), 1e-7);
  });
});

test('a box that slides on a free one takes it along until both have one speed', async () => {
  const { table } = await run(
    'Bodies',
    `${world()} ${law(0, 0.3)}
    ContactLaw ice(material1 = "Ice", material2 = "Steel", restitution = 0, friction = 0);
    Box lake(parent = "world", translation = {0, -0.1, 0}, lengthX = 20, lengthY = 0.2, lengthZ = 2, contact = true, material = "Ice");
    ${box('low', 0, 0.1, [3, 0.2, 0.5], ', mass = 4')} ${box('top', -1, 0.25, [0.2, 0.1, 0.2], ', mass = 1, velocity = {2, 0, 0}')}`,
    1,
    precise,
  );
  const stops = 2 / (0.3 * g * (1 + 1 / 4));
  near(table.value('top.v[1]', 1), 2 / 5);
  near(table.value('low.v[1]', 1), 2 / 5);
  near(table.value('top.r[1]', 1) - table.value('low.r[1]', 1), -1 + stops);
});

test('a ball leaves a table that falls faster than it, flies, and is caught', async () => {
  const table0 = (t: number) => 0.05 * (1 - Math.cos(20 * t));
  const { table } = await run(
    'Bodies',
    `import Mutabor.Translational; ${world()} ${law(0, 0)}
    Object3D carrier; Box plate(parent = "carrier", translation = {0, -0.1, 0}, lengthX = 1, lengthY = 0.2, lengthZ = 1, mass = 1, ${touches});
    PrismaticWithFlange slide(obj1 = "world", obj2 = "carrier", axis = {0, 1, 0});
    Translational.Position drive(s_ref = 0.05*(1 - cos(20*time)));
    ${ball('b', 0, 0.1)}
    equation connect(drive.flange, slide.flange);`,
    0.5,
    precise,
  );
  // The table falls with g first when 20 cos(20 t) = -g.
  const leaves = Math.acos(-g / 20) / 20;
  const [y, v] = [table0(leaves), Math.sin(20 * leaves)];
  const flies = (t: number) => y + v * (t - leaves) - (g / 2) * (t - leaves) ** 2;
  for (const t of [0.1, 0.12, 0.2, 0.3])
    near(table.value('b.r[2]', t) - 0.1, t < leaves ? table0(t) : flies(t));
  // It lands at 0.34 s, where the table pushes again.
  expect(flies(0.34)).toBeGreaterThan(table0(0.34));
  expect(flies(0.341)).toBeLessThan(table0(0.341));
  for (const t of [0.342, 0.36, 0.38]) near(table.value('b.r[2]', t) - 0.1, table0(t));
});

test('a disc that spins on its face is braked at its rim, as the documentation says', async () => {
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.2)}
    Cylinder disc(fixed = false, axis = 2, diameter = 0.4, length = 0.1, mass = 1, translation = {0, 0.05, 0}, angularVelocity = {0, 5, 0}, ${touches});`,
    0.5,
    precise,
  );
  // J = R^2/2, and the torque is 0.2 g R: it stops after J 5/(0.2 g R).
  near(table.value('disc.w[2]', 0.2), 5 - (0.2 * g * 0.2) / 0.1);
  near(table.value('disc.w[2]', 0.5), 0);
  near(table.value('disc.r[1]', 0.5), 0);
});

test.each([1, 0.5])(
  'a ball that meets two balls at once prefers neither, with restitution %d',
  async (restitution) => {
    const speed = 2;
    const { table, statistics } = await run(
      'Bodies',
      `${world(', gravity = Gravity.none')} ${law(restitution, 0)} ${ball('cue', -1, 0, `, mass = 1, velocity = {${speed}, 0, 0}`)}
    ${ball('left', 0, 0, ', mass = 1', 0.1)} ${ball('right', 0, 0, ', mass = 1', -0.1)}`,
      1,
      precise,
    );
    // Normals are 30 degrees off the way; both impulses are alike: 2.5 of each changes the speed at both.
    const impulse = ((1 + restitution) * speed * (Math.sqrt(3) / 2)) / 2.5;
    near(table.value('cue.v[1]', 1), speed - Math.sqrt(3) * impulse, 1e-9);
    near(table.value('cue.v[3]', 1), 0, 1e-9);
    for (const [name, side] of [
      ['left', 1],
      ['right', -1],
    ] as const) {
      near(table.value(`${name}.v[1]`, 1), (impulse * Math.sqrt(3)) / 2, 1e-9);
      near(table.value(`${name}.v[3]`, 1), (side * impulse) / 2, 1e-9);
    }
    expect(statistics.events).toBe(1);
  },
);

test('dominoes throw down the next one, energy never grows, and what has reached the limit of friction goes on', async () => {
  const [thick, high, wide, mass] = [0.03, 0.3, 0.15, 0.5];
  const names = ['d0', 'd1', 'd2', 'd3'];
  const { table } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.4)}
    ${names.map((name, k) => box(name, 0.12 * k, high / 2, [thick, high, wide], `, mass = ${mass}${k === 0 ? ', angularVelocity = {0, 0, -3}' : ''}`)).join('\n')}`,
    0.95,
  );
  const inertia = [high ** 2 + wide ** 2, thick ** 2 + wide ** 2, thick ** 2 + high ** 2];
  let before = Infinity;
  for (let row = 0; row < table.rowCount; row++) {
    let energy = 0;
    for (const name of names) {
      energy += mass * g * table.at(`${name}.r[2]`, row);
      for (const i of [1, 2, 3])
        energy +=
          (mass / 2) *
          (table.at(`${name}.v[${i}]`, row) ** 2 +
            (inertia[i - 1]! / 12) * table.at(`${name}.w[${i}]`, row) ** 2);
    }
    expect(energy - before).toBeLessThan(1e-7);
    before = energy;
  }
  // Each leans on the next one, which it has reached: 0.09 m away, at most as high as it is.
  for (const name of names)
    expect(table.value(`${name}.angles[3]`, 0.95)).toBeLessThan(-Math.asin(0.09 / high));
});
