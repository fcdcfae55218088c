/** Each class of `Mutabor.Bodies` where its result is known in closed form. */
import { describe, expect, test } from 'vitest';
import type { SimulationResult } from '../../src/index.ts';
import { close, run } from '../models/notation.ts';

type Vector = readonly [number, number, number];

const vector = ({ table }: SimulationResult, name: string, t: number): number[] =>
  [1, 2, 3].map((i) => table.value(`${name}[${i}]`, t));

/** Close to all numbers, those near zero to an absolute 1e-6. */
function all(actual: readonly number[], expected: readonly number[]): void {
  for (const [i, value] of expected.entries())
    expect(Math.abs(actual[i]! - value), `${actual} instead of ${expected}`).toBeLessThan(
      1e-6 * Math.max(1, Math.abs(value)),
    );
}

const g = 9.81;
const free = 'World world(gravity = Gravity.none);';

describe('shapes have the inertia of their kind', () => {
  const capsule = (m: number, r: number, h: number): Vector => {
    const [tube, balls] = [Math.PI * r * r * h, (4 / 3) * Math.PI * r ** 3];
    const rho = m / (tube + balls);
    const along = rho * (tube * (r * r) * 0.5 + balls * r * r * 0.4);
    const across =
      rho * (tube * ((h * h) / 12 + (r * r) / 4) + balls * ((2 / 5) * r * r + (h * h) / 4 + (3 / 8) * h * r));
    return [across, across, along];
  };
  const beam = (m: number, length: number, width: number, thickness: number): Vector => {
    const [r, ends] = [width / 2, (Math.PI * width ** 2) / 4];
    const area = length * width + ends;
    const yy = (length * width ** 3) / 12 + (Math.PI * r ** 4) / 4;
    const xx =
      (length ** 3 * width) / 12 +
      ends * (r ** 2 / 4 + length ** 2 / 4) +
      (ends * length * 4 * r) / (3 * Math.PI);
    const zz = (area * thickness ** 2) / 12;
    return [yy + zz, xx + zz, xx + yy].map((part) => (m * part) / area) as unknown as Vector;
  };
  const shapes: readonly [declaration: string, inertia: Vector][] = [
    ['Sphere body(diameter = 0.4, mass = 3,', [1, 1, 1].map(() => 3 * 0.4 * 0.2 ** 2) as unknown as Vector],
    [
      'Sphere body(diameter = 0.4, density = 100,',
      [1, 1, 1].map(() => 100 * (4 / 3) * Math.PI * 0.2 ** 3 * 0.4 * 0.2 ** 2) as unknown as Vector,
    ],
    [
      'Ellipsoid body(lengthX = 1, lengthY = 2, lengthZ = 3, mass = 5,',
      [(5 * 13) / 20, (5 * 10) / 20, (5 * 5) / 20],
    ],
    [
      'Box body(lengthX = 1, lengthY = 2, lengthZ = 3, mass = 6,',
      [(6 * 13) / 12, (6 * 10) / 12, (6 * 5) / 12],
    ],
    [
      'Cylinder body(diameter = 0.8, innerDiameter = 0.4, length = 2, axis = 2, mass = 3,',
      [(3 * (3 * (0.16 + 0.04) + 4)) / 12, (3 * (0.16 + 0.04)) / 2, (3 * (3 * (0.16 + 0.04) + 4)) / 12],
    ],
    [
      'Cone body(diameter = 0.6, length = 0.9, axis = 1, mass = 2,',
      [2 * 0.3 * 0.09, 2 * 0.0375 * (4 * 0.09 + 0.81), 2 * 0.0375 * (4 * 0.09 + 0.81)],
    ],
    ['Capsule body(diameter = 0.2, length = 0.5, mass = 2,', capsule(2, 0.1, 0.5)],
    ['Beam body(length = 0.7, width = 0.2, thickness = 0.1, mass = 4,', beam(4, 0.7, 0.2, 0.1)],
    [
      'Object3D body(mass = 1, centre = {0.1, 0.2, 0.3}, inertia = diagonal({0.2, 0.3, 0.4}),',
      [0.2, 0.3, 0.4],
    ],
  ];

  test.each(shapes)('%s', async (declaration, inertia) => {
    for (const i of [0, 1, 2]) {
      const torque = [0, 1, 2].map((k) => (k === i ? 1 : 0)).join(', ');
      const result = await run(
        'Bodies',
        `${free} ${declaration} fixed = false); WorldTorque torque(object = "body", t = {${torque}});`,
        0.5,
      );
      close(result.table.value(`body.w[${i + 1}]`, 0.5), 0.5 / inertia[i]!);
    }
  });

  test('a cone has its centre of mass at a quarter of its length', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Cone cone(diameter = 0.6, length = 1.2, mass = 2, fixed = false);
      WorldForce force(object = "cone", f = {0, 4, 0});`,
      0.01,
    );
    // The force at the base turns it about its centre: w' = F L/4 / J.
    close(table.value('cone.w[1]', 0.01) / 0.01, (4 * 0.3) / (2 * 0.0375 * (4 * 0.09 + 1.44)), 1e-4);
  });

  test('what is only seen has no mass, whatever is said of its material', async () => {
    const { table } = await run(
      'Bodies',
      `World world;
      Object3D hinge;
      Object3D bob(parent = "hinge", translation = {0.5, 0, 0}, mass = 1);
      FrameMark frame(parent = "bob", material = "Steel");
      Grid grid(parent = "bob");
      CoilSpring coil(parent = "bob", material = "Rubber");
      GearWheel gear(parent = "bob", material = "Steel");
      TextMark text(parent = "bob", text = "bob");
      Revolute joint(obj1 = "world", obj2 = "hinge");`,
      3,
    );
    close(table.value('joint.phi', 3), -1.13955805);
  });
});

describe('joints', () => {
  test('Prismatic: down a slope', async () => {
    const { table } = await run(
      'Bodies',
      `World world; Object3D slope(parent = "world", rotation = {0, 0, -0.4});
      Box box(mass = 3); Prismatic slide(obj1 = "slope", obj2 = "box", s0 = 1, v0 = 0.5);`,
      1,
    );
    close(table.value('slide.s', 1), 1 + 0.5 + 0.5 * g * Math.sin(0.4));
    close(table.value('slide.v', 1), 0.5 + g * Math.sin(0.4));
  });

  test('PrismaticWithFlange: a mass on a spring of another library', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Box box(mass = 2);
      PrismaticWithFlange slide(obj1 = "world", obj2 = "box", axis = {0, 1, 0}, s(start = 0.3, fixed = true), v(fixed = true));
      Mutabor.Translational.Spring spring(c = 18); Mutabor.Translational.Fixed wall;
    equation
      connect(wall.flange, spring.flange_a); connect(spring.flange_b, slide.flange);`,
      1,
    );
    close(table.value('slide.s', 1), 0.3 * Math.cos(3));
    close(table.value('box.r[2]', 1), 0.3 * Math.cos(3));
  });

  test('Screw: its nut turns while it falls', async () => {
    const { table } = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Object3D nut(mass = 2, inertia = diagonal({0.2, 0.2, 0.3}));
      Screw screw(obj1 = "world", obj2 = "nut", pitch = 0.2);`,
      1,
    );
    const phi = (-2 * g * 0.2) / (2 * 0.04 + 0.3) / 2;
    close(table.value('screw.phi', 1), phi);
    close(table.value('nut.r[3]', 1), 0.2 * phi);
  });

  test('Cylindrical: angle and position are independent', async () => {
    const result = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Object3D ring(mass = 2, inertia = diagonal({0.2, 0.2, 0.3}));
      Cylindrical joint(obj1 = "world", obj2 = "ring", s0 = 4, v0 = 1, phi0 = 0.2, w0 = 5);
      WorldTorque torque(object = "ring", t = {0, 0, 0.6});`,
      1,
    );
    const { table } = result;
    close(table.value('joint.phi', 1), 0.2 + 5 + 1);
    close(table.value('joint.s', 1), 4 + 1 - g / 2);
    close(table.value('joint.w', 1), 7);
    close(table.value('joint.v', 1), 1 - g);
  });

  test('Universal: energy, and angular momentum about the first axis', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Object3D cross(mass = 1, inertia = diagonal({0.2, 0.3, 0.4}));
      Universal joint(obj1 = "world", obj2 = "cross", phi0 = {0.3, 0.5}, w0 = {2, 1});`,
      2,
    );
    const at = (t: number) => {
      const [q, u, v] = ['joint.phi[2]', 'joint.w[1]', 'joint.w[2]'].map((name) => table.value(name, t)) as [
        number,
        number,
        number,
      ];
      const J = 0.2 * Math.cos(q) ** 2 + 0.4 * Math.sin(q) ** 2;
      return [J * u, J * u * u + 0.3 * v * v];
    };
    for (const t of [0.8, 2]) all(at(t), at(0));
    expect(Math.abs(table.value('joint.w[2]', 2) - 1)).toBeGreaterThan(1e-3);
  });

  test('Planar: a disc is thrown in a plane', async () => {
    const result = await run(
      'Bodies',
      `World world; Cylinder disc(mass = 1, diameter = 0.3, length = 0.02);
      Planar plane(obj1 = "world", obj2 = "disc", s0 = {1, 2}, v0 = {3, 4}, phi0 = 0.1, w0 = 6);`,
      1,
    );
    all([result.table.value('plane.s[1]', 1), result.table.value('plane.s[2]', 1)], [4, 6 - g / 2]);
    all([result.table.value('plane.v[1]', 1), result.table.value('plane.v[2]', 1)], [3, 4 - g]);
    close(result.table.value('plane.phi', 1), 6.1);
    all(vector(result, 'disc.r', 1), [4, 6 - g / 2, 0]);
  });

  test('Spherical: a pendulum that goes round a cone', async () => {
    const [m, l, lean, across, along] = [2, 0.6, 0.7, 0.03, 0.01];
    // Steady: (Jt - Ja) W^2 cos(lean) = m g l, with Jt about the point that holds it.
    const speed = Math.sqrt((m * g * l) / ((across + m * l * l - along) * Math.cos(lean)));
    const result = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Object3D bob(mass = ${m}, centre = {0, 0, ${-l}}, inertia = diagonal({${across}, ${across}, ${along}}));
      Spherical joint(obj1 = "world", obj2 = "bob", rotation = {${lean}, 0, 0}, w0 = {0, 0, ${speed}});
      Sensor centre(object = "mark"); Object3D mark(parent = "bob", translation = {0, 0, ${-l}});`,
      2,
    );
    const angle = speed * 2;
    const r = l * Math.sin(lean);
    all(vector(result, 'centre.r', 2), [-r * Math.sin(angle), r * Math.cos(angle), -l * Math.cos(lean)]);
    all(vector(result, 'joint.w', 2), [0, 0, speed]);
  });

  test('Rolling: a disc down a slope', async () => {
    const { table } = await run(
      'Bodies',
      `World world(direction = {sin(0.2), 0, -cos(0.2)});
      Cylinder disc(fixed = false, translation = {0, 0, 0.5}, axis = 2, diameter = 1, length = 0.1, mass = 3);
      Rolling rolling(obj1 = "world", obj2 = "disc", radius = 0.5);`,
      1,
    );
    // J = m r^2/2: two thirds of the acceleration.
    close(table.value('disc.r[1]', 1), (2 / 3) * g * Math.sin(0.2) * 0.5);
  });
});

describe('forces', () => {
  test('PointToPoint: pulls two bodies together', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Sphere a(fixed = false, mass = 1, diameter = 0.1);
      Sphere b(fixed = false, mass = 3, diameter = 0.1, translation = {4, 3, 0});
      PointToPoint rope(obj1 = "a", obj2 = "b", force = 6);`,
      0.5,
    );
    all([table.value('a.r[1]', 0.5), table.value('a.r[2]', 0.5)], [0.8 * 6 * 0.125, 0.6 * 6 * 0.125]);
    all([table.value('b.v[1]', 0.5), table.value('b.v[2]', 0.5)], [-0.8, -0.6]);
    close(table.value('rope.length', 0.5), 5 - 8 * 0.125);
    close(table.value('rope.speed', 0.5), -4);
  });

  test('SpringDamper: a damped oscillation', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Sphere ball(fixed = false, mass = 2, diameter = 0.1, translation = {0, 1.5, 0});
      SpringDamper spring(obj1 = "world", obj2 = "ball", c = 20, d = 4, length0 = 1);`,
      1,
    );
    // x'' + 2 x' + 10 x = 0
    close(table.value('spring.length', 1), 1 + 0.5 * Math.exp(-1) * (Math.cos(3) + Math.sin(3) / 3));
  });

  test('ForceAndTorque: acts on both, in opposite ways, along the axes of the first', async () => {
    const result = await run(
      'Bodies',
      `${free} Object3D a(fixed = false, mass = 2, inertia = identity(3), rotation = {0, 0, acos(0)});
      Object3D b(fixed = false, mass = 4, inertia = 2*identity(3));
      ForceAndTorque law(obj1 = "a", obj2 = "b", f = {3, 0, 0}, t = {0, 0, 0});`,
      0.5,
    );
    all(vector(result, 'a.v', 0.5), [0, 0.75, 0]);
    all(vector(result, 'b.v', 0.5), [0, -0.375, 0]);
    const twisted = await run(
      'Bodies',
      `${free} Object3D a(fixed = false, mass = 2, inertia = identity(3));
      Object3D b(fixed = false, mass = 4, inertia = 2*identity(3));
      ForceAndTorque law(obj1 = "a", obj2 = "b", f = zeros(3), t = {0, 0, 3});`,
      0.5,
    );
    all(vector(twisted, 'a.w', 0.5), [0, 0, 1.5]);
    all(vector(twisted, 'b.w', 0.5), [0, 0, -0.75]);
    close(twisted.table.value('law.w[3]', 0.5), -2.25);
  });

  test('Bushing: swings in each direction by itself', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Object3D body(fixed = false, mass = 2, inertia = 0.5*identity(3), translation = {0.1, 0.2, 0}, rotation = {0, 0, 0.3});
      Bushing bushing(obj1 = "world", obj2 = "body", c = {8, 18, 1}, cr = {1, 1, 4.5}, dr = {0, 0, 0});`,
      1,
    );
    close(table.value('body.r[1]', 1), 0.1 * Math.cos(2));
    close(table.value('body.r[2]', 1), 0.2 * Math.cos(3));
    close(table.value('body.angles[3]', 1), 0.3 * Math.cos(3));
  });

  test('WorldForce: along the axes of the body that it pushes', async () => {
    const { table } = await run(
      'Bodies',
      `${free} Sphere ship(fixed = false, mass = 1, diameter = 1, angularVelocity = {0, 0, 2});
      WorldForce engine(object = "ship", resolve = "ship", f = {3, 0, 0});`,
      1,
    );
    // a = 3 (cos 2t, sin 2t)
    close(table.value('ship.v[1]', 1), 1.5 * Math.sin(2));
    close(table.value('ship.v[2]', 1), 1.5 * (1 - Math.cos(2)));
  });
});

describe('sensors', () => {
  const wheel = `${free} Object3D hub(mass = 1, inertia = identity(3)); Revolute axle(obj1 = "world", obj2 = "hub", w0 = 2);
    Object3D rim(parent = "hub", translation = {0.5, 0, 0}); Object3D post(parent = "world", translation = {1, 0, 0});`;

  test('Sensor: against the world, and against what moves', async () => {
    const result = await run(
      'Bodies',
      `${wheel} Sensor still(object = "rim"), turning(object = "post", origin = "hub"), own(object = "rim", resolve = "hub");`,
      1,
    );
    const [c, s] = [Math.cos(2), Math.sin(2)];
    all(vector(result, 'still.r', 1), [0.5 * c, 0.5 * s, 0]);
    all(vector(result, 'still.v', 1), [-s, c, 0]);
    all(vector(result, 'still.angles', 1), [0, 0, 2]);
    all(vector(result, 'still.w', 1), [0, 0, 2]);
    close(result.table.value('still.distance', 1), 0.5);
    // Seen from the hub the post goes round backwards.
    all(vector(result, 'turning.r', 1), [c, -s, 0]);
    all(vector(result, 'turning.v', 1), [-2 * s, -2 * c, 0]);
    all(vector(result, 'turning.w', 1), [0, 0, -2]);
    all(vector(result, 'own.v', 1), [0, 1, 0]);
  });

  test('Sensor: the speed of a distance', async () => {
    const { table } = await run('Bodies', `${wheel} Sensor gap(object = "rim", origin = "post");`, 1);
    const distance = Math.hypot(0.5 * Math.cos(2) - 1, 0.5 * Math.sin(2));
    close(table.value('gap.distance', 1), distance);
    close(table.value('gap.distanceSpeed', 1), Math.sin(2) / distance);
  });

  test('AccelerationSensor: turning, and in free fall', async () => {
    const result = await run(
      'Bodies',
      `${wheel} WorldTorque torque(object = "hub", t = {0, 0, 3});
      AccelerationSensor rimA(object = "rim", resolve = "hub");`,
      1,
    );
    all(vector(result, 'rimA.z', 1), [0, 0, 3]);
    all(vector(result, 'rimA.a', 1), [-0.5 * 25, 1.5, 0]);
    const falling = await run(
      'Bodies',
      'World world; Sphere ball(fixed = false, mass = 1); AccelerationSensor a(object = "ball");',
      1,
    );
    all(vector(falling, 'a.a', 1), [0, -g, 0]);
  });

  test('ReactionSensor: weight and what keeps a mass on its circle', async () => {
    const result = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Object3D hub; Object3D bob(parent = "hub", translation = {0.5, 0, 0}, mass = 2);
      Revolute axle(obj1 = "world", obj2 = "hub", w0 = 3);
      ReactionSensor bearing(joint = "axle", resolve = "hub");`,
      1,
    );
    all(vector(result, 'bearing.f', 1), [-2 * 9 * 0.5, 0, 2 * g]);
    all(vector(result, 'bearing.t', 1), [0, -2 * g * 0.5, 0]);
  });
});
