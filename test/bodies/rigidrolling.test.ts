/** Round rigid bodies that lie down, and that roll over an edge. */
import { expect, test } from 'vitest';
import { loadModel, simulate } from '../../src/index.ts';
import { run } from '../models/notation.ts';
import { g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

/** The moment of inertia of a capsule of 1 kg across its axis: a cylinder and two halves of a ball. */
function inertiaOf(length: number, radius: number): number {
  const [cylinder, ball] = [length, (4 / 3) * radius];
  const whole = cylinder + ball;
  return (
    (cylinder / whole) * (length ** 2 / 12 + radius ** 2 / 4) +
    (ball / whole) * (0.4 * radius ** 2 + length ** 2 / 4 + 0.375 * radius * length)
  );
}

test('a capsule that stands on an end presses as its fall says until it lies', async () => {
  const [length, radius, start] = [0.3, 0.03, 0.3];
  const half = length / 2;
  const { table, statistics } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0)}
    Capsule c(fixed = false, axis = 1, length = ${length}, diameter = ${2 * radius}, mass = 1, rotation = {0, 0, ${start}}, translation = {0, ${radius + half * Math.sin(start)}, 0}, ${touches});
    ContactSensor touch(object1 = "ground", object2 = "c");`,
    0.3,
    precise,
  );
  const inertia = inertiaOf(length, radius);
  let rows = 0;
  for (let row = 0; row < table.rowCount; row++) {
    const [angle, rate] = [table.at('c.angles[3]', row), table.at('c.w[3]', row)];
    near(table.at('touch.distance', row), 0, 1e-12);
    if (angle < 1e-9) continue;
    const [c, s] = [half * Math.cos(angle), half * Math.sin(angle)];
    near(table.at('touch.normalForce', row), (g - s * rate ** 2) / (1 + c ** 2 / inertia));
    // What it has fallen is motion: its middle goes down by c times the rate.
    near(((inertia + c ** 2) * rate ** 2) / 2, g * (half * Math.sin(start) - s), 1e-9);
    if (angle < 0.022) rows++;
  }
  expect(rows).toBeGreaterThan(0);
  near(table.value('touch.normalForce', 0.3), g, 1e-10);
  near(table.value('c.angles[3]', 0.3), 0, 1e-12);
  expect(statistics.events).toBe(1);
});

test('a cylinder that rolls fast over an edge flies on', async () => {
  const [radius, speed, edge] = [0.1, 2, 20];
  const { table, statistics } = await run(
    'Bodies',
    `${world()} ${ground} ${law(0, 0.3)}
    Cylinder c(fixed = false, axis = 3, diameter = ${2 * radius}, length = 0.3, translation = {${edge - 0.5}, ${radius}, 0}, velocity = {${speed}, 0, 0}, angularVelocity = {0, 0, ${-speed / radius}}, ${touches});`,
    0.4,
    precise,
  );
  const flies = 0.5 / speed;
  near(table.value('c.r[1]', 0.4), edge - 0.5 + speed * 0.4);
  near(table.value('c.r[2]', 0.4), radius - (g * (0.4 - flies) ** 2) / 2);
  near(table.value('c.w[3]', 0.4), -speed / radius);
  expect(statistics.events).toBeLessThanOrEqual(2);
});

test('a prism of 24 sides rolls from side to side: each of its edges bounces lower and lower, and rests', async () => {
  const sides = 24;
  const corners = [-0.05, 0.05].flatMap((z) =>
    Array.from({ length: sides }, (_, k) => {
      const angle = (2 * Math.PI * (k + 0.25)) / sides;
      return [0.1 * Math.cos(angle), 0.1 * Math.sin(angle), z];
    }),
  );
  const ring = Array.from({ length: sides }, (_, k) => k);
  const faces = [
    ...ring.slice(1, -1).flatMap((k) => [
      [0, k + 1, k],
      [sides, sides + k, sides + k + 1],
    ]),
    ...ring.flatMap((k) => {
      const next = (k + 1) % sides;
      return [
        [k, next, sides + next],
        [k, sides + next, sides + k],
      ];
    }),
  ];
  const text = [
    ...corners.map((corner) => `v ${corner.join(' ')}`),
    ...faces.map((face) => `f ${face.map((k) => k + 1).join(' ')}`),
  ].join('\n');
  const model = `model Rolling import Mutabor.Bodies.*; ${world()} ${ground} ${law(0.5, 0.5)}
    Mesh b(file = "b.obj", fixed = false, translation = {0, 0.15, 0}, velocity = {0.5, 0, 0}, mass = 1, ${touches});
    ContactSensor touch(object1 = "ground", object2 = "b"); end Rolling;`;
  const { status, table, statistics } = await simulate(
    loadModel(model, 'Rolling', {}, { files: { 'b.obj': text } }),
    { stopTime: 0.4, tolerance: 1e-8 },
  );
  expect(status).toBe('done');
  // Some ten bounces for each of two edges, until they are lower than 1e-10 of the size: halved speeds quarter them.
  expect(statistics.events).toBeLessThan(60);
  let before = Infinity;
  for (let row = 0; row < table.rowCount; row++) {
    expect(table.at('touch.distance', row)).toBeGreaterThan(-1e-10);
    const [x, y, turning] = ['b.v[1]', 'b.v[2]', 'b.w[3]'].map((name) => table.at(name, row));
    // The moment of inertia of a regular polygon of 1 kg.
    const inertia = (0.1 ** 2 / 6) * (2 + Math.cos((2 * Math.PI) / sides));
    const energy = g * table.at('b.r[2]', row) + (x! ** 2 + y! ** 2 + inertia * turning! ** 2) / 2;
    expect(energy - before).toBeLessThan(1e-8);
    before = energy;
  }
  near(table.value('b.r[3]', 0.4), 0, 1e-9);
});

test.each([0.001, 0.01, 0.03])(
  'a cylinder rolls off an edge that it lies on, along all of its length, from %d rad',
  async (start) => {
    const radius = 0.1;
    const { table, statistics } = await run(
      'Bodies',
      `${world()} ${law(0, 1)}
  Box plate(parent = "world", lengthX = 1, lengthY = 0.2, lengthZ = 1, translation = {-0.5, -0.1, 0}, ${touches});
  Cylinder c(fixed = false, axis = 3, diameter = ${2 * radius}, length = 0.2, translation = {${radius * Math.sin(start)}, ${radius * Math.cos(start)}, 0.03}, ${touches});
  ContactSensor s(object1 = "plate", object2 = "c");`,
      0.25,
    );
    expect(statistics.steps).toBeLessThan(100);
    const angle = Math.atan2(table.value('c.r[1]', 0.25), table.value('c.r[2]', 0.25));
    expect(angle).toBeGreaterThan(3 * start);
    near(
      table.value('c.w[3]', 0.25),
      -Math.sqrt(((4 * g) / (3 * radius)) * (Math.cos(start) - Math.cos(angle))),
    );
    near(table.value('c.w[1]', 0.25), 0, 1e-12);
    near(table.value('c.w[2]', 0.25), 0, 1e-12);
    // The force acts in the middle of the line.
    near(table.value('s.r[3]', 0.25), 0.03);
  },
);
