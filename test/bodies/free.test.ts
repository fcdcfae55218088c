/** A free rigid body turns through every orientation, and keeps its energy and its angular momentum. */
import { expect, test } from 'vitest';
import { close, run } from '../models/notation.ts';

test('energy and angular momentum of a body that tumbles stay for 100 s', async () => {
  const inertia = [1, 2, 3] as const;
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.none);
    Object3D b(fixed = false, rotation = {0.1, 1.5707963267948966, 0.2}, mass = 2, inertia = diagonal({1, 2, 3}), angularVelocity = {0.01, 3, 0.01});`,
    100,
    { tolerance: 1e-10 },
  );
  const three = (name: string, row: number) =>
    [1, 2, 3].map((i) => table.at(`b.${name}[${i}]`, row)) as [number, number, number];
  /** Rows of Rx(a) Ry(b) Rz(c). */
  const rotation = ([a, b, c]: [number, number, number]) => {
    const [ca, sa, cb, sb, cc, sc] = [
      Math.cos(a),
      Math.sin(a),
      Math.cos(b),
      Math.sin(b),
      Math.cos(c),
      Math.sin(c),
    ];
    return [
      [cb * cc, -cb * sc, sb],
      [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
      [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ];
  };
  const motion = (row: number) => {
    const [r, w] = [rotation(three('angles', row)), three('w', row)];
    const own = [0, 1, 2].map((j) => r[0]![j]! * w[0] + r[1]![j]! * w[1] + r[2]![j]! * w[2]);
    const spin = own.map((value, j) => inertia[j]! * value);
    return {
      energy: 0.5 * own.reduce((sum, value, j) => sum + value * spin[j]!, 0),
      momentum: [0, 1, 2].map((i) => r[i]![0]! * spin[0]! + r[i]![1]! * spin[1]! + r[i]![2]! * spin[2]!),
    };
  };
  const start = motion(0);
  const size = Math.hypot(...start.momentum);
  for (let row = 0; row < table.rowCount; row++) {
    const { energy, momentum } = motion(row);
    expect(Math.abs(energy / start.energy - 1)).toBeLessThan(1e-9);
    expect(Math.hypot(...momentum.map((value, i) => value - start.momentum[i]!)) / size).toBeLessThan(1e-9);
  }
});

test('masses that are fixed in each other are attracted by a point each at its own place', async () => {
  const [mu, distance, arm, angle] = [3.986004418e14, 7e6, 1e3, 0.5];
  const { table } = await run(
    'Bodies',
    `World world(gravity = Gravity.point, mu = ${mu});
    Object3D middle(fixed = false, translation = {${distance}, 0, 0}, rotation = {0, 0, ${angle}}, mass = 1, inertia = identity(3));
    Object3D left(parent = "middle", translation = {${arm}, 0, 0}, mass = 100, inertia = 1e-3*identity(3));
    Object3D right(parent = "middle", translation = {${-arm}, 0, 0}, mass = 100, inertia = 1e-3*identity(3));
    AccelerationSensor acceleration(object = "middle");`,
    1,
  );
  let [torque, force] = [0, 0];
  for (const [m, side] of [
    [1, 0],
    [100, arm],
    [100, -arm],
  ] as const) {
    const [x, y] = [side * Math.cos(angle), side * Math.sin(angle)];
    const pull = (-mu * m) / Math.hypot(distance + x, y) ** 3;
    torque += pull * (x * y - y * (distance + x));
    force += pull * (distance + x);
  }
  close(table.value('acceleration.z[3]', 0) / (torque / (200 * arm ** 2 + 1.002)), 1);
  close(table.value('acceleration.a[1]', 0), force / 201, 1e-9);
});
