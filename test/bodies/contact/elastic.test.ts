/** Bodies that touch elastically, against closed forms and laws of conservation. */
import { describe, expect, test } from 'vitest';
import { instantiate, loadModel, loadText } from '../../../src/index.ts';
import { close, library, run } from '../../models/notation.ts';
import { expectContinued, Run } from '../../simulate/continued.ts';
import { telling } from '../told.ts';

const g = 9.81;
const plate = (material = 'Steel') =>
  `Box ground(parent = "world", translation = {0, -0.05, 0}, lengthX = 20, lengthY = 0.1, lengthZ = 4, contact = true, material = "${material}");`;
const exactly = (tolerance: number) => ({ tolerance });
/** So many points of a table. */
const points = (stop: number, count: number) =>
  Array.from({ length: count + 1 }, (_, k) => (stop * k) / count);

describe('restitution', () => {
  const thrown = (e: number) => `World world(gravity = Gravity.none); ${plate()}
    Sphere ball(fixed = false, translation = {0, 0.15, 0}, velocity = {0, -2, 0}, diameter = 0.1, contact = true, material = "Steel");
    ContactLaw law(restitution = ${e}, friction = 0);`;

  test.each([0.3, 0.5, 0.7, 0.9, 1])('%d is what comes out', async (e) => {
    const { table } = await run('Bodies', thrown(e), 0.1, exactly(1e-9));
    expect(Math.abs(table.value('ball.v[2]', 0.1) / (2 * e) - 1)).toBeLessThan(2e-7);
  });

  // Points of the block have other speeds: damping must be that of the motion as a whole, with one degree of freedom.
  test.each([
    [0.5, 0.5, 0.9],
    [0.8, 0.5, 0.9],
    [0.5, 0.1, 0.5],
    [0.5, 0.55, 0.85],
    [0.5, -1, 2],
  ])('%d is that of a rod on a hinge that falls flat on a block from %d to %d', async (e, from, to) => {
    const { table } = await run(
      'Bodies',
      `World world(gravity = Gravity.none); ContactLaw law(restitution = ${e}, friction = 0);
      Box pad(parent = "world", translation = {${(from + to) / 2}, -0.55, 0}, lengthX = ${to - from}, lengthY = 1, lengthZ = 1, material = "Steel", contact = true);
      Box rod(fixed = false, lengthX = 1, lengthY = 0.1, lengthZ = 0.1, mass = 1, material = "Steel", contact = true);
      Object3D pin(parent = "world"); Object3D bearing(parent = "rod", translation = {-0.5, 0, 0});
      Revolute hinge(obj1 = "pin", obj2 = "bearing", phi0 = 0.05, w0 = -1);`,
      0.1,
      exactly(1e-9),
    );
    close(table.value('hinge.w', 0.1), e, 2e-6);
  });

  test('of two balls conserves momentum, and is that of their relative speed', async () => {
    const { table } = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Sphere a(fixed = false, velocity = {3, 0, 0}, diameter = 0.1, mass = 2, contact = true, material = "Glass");
      Sphere b(fixed = false, translation = {0.3, 0, 0}, velocity = {-1, 0, 0}, diameter = 0.2, mass = 5, contact = true, material = "Steel");
      ContactLaw law(material1 = "Steel", material2 = "Glass", restitution = 0.6, friction = 0);`,
      0.2,
      exactly(1e-9),
    );
    const [a, b] = [table.value('a.v[1]', 0.2), table.value('b.v[1]', 0.2)];
    close(b - a, 0.6 * 4, 1e-6);
    close(2 * a + 5 * b, 2 * 3 - 5 * 1, 1e-9);
  });

  test('lets a ball bounce to heights that fall by its square, apart from what its weight does in the impacts', async () => {
    const { table } = await run(
      'Bodies',
      `World world; ${plate()}
      Sphere ball(fixed = false, translation = {0, 1.05, 0}, diameter = 0.1, contact = true, material = "Steel");
      ContactLaw law(restitution = 0.8, friction = 0);`,
      2,
      exactly(1e-9),
    );
    const heights = points(2, 4000).map((t) => table.value('ball.r[2]', t) - 0.05);
    const [first, second, third] = peaks(heights);
    close(first!, 1);
    // The weight takes some g T of the speed, where an impact lasts T = 0.13 ms.
    expect(Math.abs(second! - 0.64)).toBeLessThan(1e-3);
    expect(Math.abs(third! - 0.64 ** 2)).toBeLessThan(1e-3);
  });

  test('is none where things meet slowly: a ball comes to rest', async () => {
    const { table } = await run(
      'Bodies',
      `World world; ${plate('DryWood')}
      Sphere ball(fixed = false, translation = {0, 0.06, 0}, diameter = 0.1, contact = true, material = "DryWood");`,
      3,
    );
    const modulus = 1.1e10 / (1 - 0.4 ** 2) / 2;
    const weight = 700 * (Math.PI / 6) * 0.1 ** 3 * g;
    const depth = (weight / ((4 / 3) * Math.sqrt(0.05) * modulus)) ** (2 / 3);
    expect(Math.abs(table.value('ball.v[2]', 3))).toBeLessThan(1e-8);
    close(0.05 - table.value('ball.r[2]', 3), depth, 1e-3);
  });
});

describe('friction', () => {
  const slope = (angle: number, more = '') =>
    `World world(direction = {sin(${angle}), -cos(${angle}), 0}); ${plate()}
    Box box(fixed = false, translation = {-5, 0.05, 0}, lengthX = 0.2, lengthY = 0.1, lengthZ = 0.1, contact = true, material = "Steel"${more});
    ContactLaw law(restitution = 0.3, friction = 0.5);
    ContactSensor touch(object1 = "ground", object2 = "box");`;

  test('holds a box below the friction angle, for ever', async () => {
    const angle = Math.atan(0.49);
    const { table } = await run('Bodies', slope(angle), 10);
    const weight = 8000 * 0.2 * 0.1 * 0.1 * g;
    expect(Math.abs(table.value('box.r[1]', 10) - table.value('box.r[1]', 5))).toBeLessThan(1e-8);
    close(table.value('touch.normalForce', 10), weight * Math.cos(angle), 1e-6);
    close(table.value('touch.frictionForce', 10), weight * Math.sin(angle), 1e-6);
    close(table.value('touch.f[2]', 10), weight * Math.cos(angle), 1e-6);
  });

  test('lets it slide above it with g (sin a - mu cos a)', async () => {
    const angle = 0.6;
    const { table } = await run('Bodies', slope(angle), 1.2, exactly(1e-8));
    const gained = (table.value('box.v[1]', 1.2) - table.value('box.v[1]', 0.4)) / 0.8;
    close(gained, g * (Math.sin(angle) - 0.5 * Math.cos(angle)), 1e-5);
    expect(Math.abs(table.value('box.angles[3]', 1))).toBeLessThan(1e-4);
  });

  test('stops a box that slides after v^2 / (2 mu g)', async () => {
    const { table } = await run('Bodies', slope(0, ', velocity = {2, 0, 0}'), 1.5, exactly(1e-8));
    const [x, v] = [table.value('box.r[1]', 0.1), table.value('box.v[1]', 0.1)];
    // Surfaces of steel give way by micrometres.
    expect(Math.abs(table.value('box.r[1]', 1.5) - x - v ** 2 / (2 * 0.5 * g))).toBeLessThan(2e-5);
    expect(Math.abs(table.value('box.v[1]', 1.5))).toBeLessThan(1e-7);
  });

  test('stops a box that spins on its face', async () => {
    const { table } = await run('Bodies', slope(0, ', angularVelocity = {0, 5, 0}'), 1);
    expect(Math.abs(table.value('box.w[2]', 1))).toBeLessThan(1e-7);
    expect(Math.abs(table.value('box.r[1]', 1) + 5)).toBeLessThan(1e-3);
  });

  test.each([
    // The mean distance from the centre: 2/3 R of a disc, L (sqrt(2) + asinh(1))/6 of a square.
    ['a disc', 'Cylinder body(axis = 2, diameter = 0.4, length = 0.1, ', (2 / 3) * 0.2, (0.2 * 0.2) / 2],
    [
      'a square',
      'Box body(lengthX = 0.4, lengthY = 0.1, lengthZ = 0.4, ',
      (0.4 * (Math.SQRT2 + Math.asinh(1))) / 6,
      (0.4 * 0.4) / 6,
    ],
  ])('brakes %s that spins on its face as an even pressure does', async (_, shape, lever, inertia) => {
    const [friction, speed] = [0.2, 5];
    const { table } = await run(
      'Bodies',
      `World world; ${plate()}
      ${shape}fixed = false, translation = {0, 0.05, 0}, angularVelocity = {0, ${speed}, 0}, mass = 1, contact = true, material = "Steel");
      ContactLaw law(restitution = 0, friction = ${friction});`,
      1,
      exactly(1e-8),
    );
    const braking = (friction * g * lever) / inertia;
    const [from, to] = [0.1, 0.25];
    close(table.value('body.w[2]', from) - table.value('body.w[2]', to), braking * (to - from), 1e-4);
    const stops = speed / braking;
    expect(stops).toBeLessThan(0.6);
    expect(Math.abs(table.value('body.w[2]', stops - 0.02) - 0.02 * braking)).toBeLessThan(0.1);
    expect(Math.abs(table.value('body.w[2]', 1))).toBeLessThan(1e-7);
  });

  test('lets a ball that slides roll at 5/7 of its speed', async () => {
    const { table } = await run(
      'Bodies',
      `World world; ${plate()}
      Sphere ball(fixed = false, translation = {-5, 0.05, 0}, velocity = {3, 0, 0}, diameter = 0.1, contact = true, material = "Steel");
      ContactLaw law(restitution = 0, friction = 0.2);`,
      2,
      exactly(1e-8),
    );
    const depth = 0.05 - table.value('ball.r[2]', 2);
    // It rolls on a radius that is smaller by what it is pressed in.
    expect(Math.abs(table.value('ball.v[1]', 2) / ((3 * 5) / 7) - 1)).toBeLessThan(depth / 0.05);
    close(table.value('ball.v[1]', 2), -table.value('ball.w[3]', 2) * 0.05, depth / 0.05);
  });

  test('against rolling holds a ball on a slope that is less steep than it', async () => {
    const rolling = (
      angle: number,
    ) => `World world(direction = {sin(${angle}), -cos(${angle}), 0}); ${plate()}
      Sphere ball(fixed = false, translation = {-5, 0.05, 0}, diameter = 0.1, contact = true, material = "Steel");
      ContactLaw law(restitution = 0, friction = 0.5, rolling = 0.02);`;
    const held = await run('Bodies', rolling(0.019), 4);
    expect(Math.abs(held.table.value('ball.v[1]', 4))).toBeLessThan(1e-7);
    expect(Math.abs(held.table.value('ball.r[1]', 4) + 5)).toBeLessThan(0.02 * 0.05);
    const { table } = await run('Bodies', rolling(0.1), 2, exactly(1e-8));
    const gained = table.value('ball.v[1]', 2) - table.value('ball.v[1]', 1);
    close(gained, (5 / 7) * g * (Math.sin(0.1) - 0.02 * Math.cos(0.1)), 1e-5);
  });
});

describe('faces', () => {
  test('a stack of five boxes stands for ten seconds, each bearing what is above it', async () => {
    const sensors = [1, 2, 3, 4, 5].map(
      (k) =>
        `ContactSensor touch${k}(object1 = "${k === 1 ? 'ground' : `box[${k - 1}]`}", object2 = "box[${k}]");`,
    );
    const { table } = await run(
      'Bodies',
      `World world; ${plate('DryWood')}
      Box box[5](each fixed = false, translation = {{0, 0.1*i - 0.05, 0} for i in 1:5}, each lengthX = 0.1, each lengthY = 0.1, each lengthZ = 0.1, each contact = true, each material = "DryWood");
      ${sensors.join('\n')}`,
      10,
      exactly(1e-6),
    );
    for (const k of [1, 2, 3, 4, 5]) {
      close(table.value(`touch${k}.normalForce`, 10), (6 - k) * 0.7 * g, 1e-5);
      expect(Math.abs(table.value(`box[${k}].r[1]`, 10))).toBeLessThan(1e-6);
      expect(Math.abs(table.value(`box[${k}].r[2]`, 10) - (0.1 * k - 0.05))).toBeLessThan(5e-5);
    }
  });

  test('a tall box tips over where its centre is beyond its edge, and stands where it is not', async () => {
    const tall = (
      angle: number,
    ) => `World world(direction = {sin(${angle}), -cos(${angle}), 0}); ${plate('DryWood')}
      Box box(fixed = false, translation = {0, 0.2, 0}, lengthX = 0.1, lengthY = 0.4, lengthZ = 0.1, contact = true, material = "DryWood");
      ContactLaw law(friction = 2);`;
    const limit = Math.atan(0.1 / 0.4);
    const stands = await run('Bodies', tall(0.95 * limit), 3);
    expect(Math.abs(stands.table.value('box.angles[3]', 3))).toBeLessThan(1e-3);
    const tips = await run('Bodies', tall(1.05 * limit), 3);
    expect(Math.abs(tips.table.value('box.angles[3]', 3))).toBeGreaterThan(1);
  });

  test('two fingers lift a box if 2 mu f is more than its weight, and lose it if it is less', async () => {
    const lifted = (force: number) => `World world; ${plate('DryWood')}
      Object3D hand;
      PrismaticWithFlange lift(obj1 = "world", obj2 = "hand", axis = {0, 1, 0});
      Mutabor.Translational.Position up(s_ref = if time < 0.5 then 0 else 0.1*(time - 0.5)^2);
      Box left(mass = 0.1, lengthX = 0.01, lengthY = 0.04, lengthZ = 0.04, contact = true, material = "DryWood");
      Box right(mass = 0.1, lengthX = 0.01, lengthY = 0.04, lengthZ = 0.04, contact = true, material = "DryWood");
      Object3D from(parent = "hand", translation = {0, 0.05, 0});
      PrismaticWithFlange one(obj1 = "from", obj2 = "left", s(start = -0.06, fixed = true), v(start = 0, fixed = true));
      PrismaticWithFlange two(obj1 = "from", obj2 = "right", s(start = 0.06, fixed = true), v(start = 0, fixed = true));
      Mutabor.Translational.Force f1(f = ${force} - 5*one.v), f2(f = -${force} - 5*two.v);
      Box box(fixed = false, translation = {0, 0.05, 0}, lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1, mass = 1, contact = true, material = "DryWood");
      ContactLaw law(restitution = 0.2, friction = 0.5, stiffness = 0.01);
      equation connect(up.flange, lift.flange); connect(f1.flange, one.flange); connect(f2.flange, two.flange);`;
    const held = await run('Bodies', lifted(15), 2);
    expect(Math.abs(held.table.value('box.r[2]', 2) - (0.05 + 0.1 * 1.5 ** 2))).toBeLessThan(3e-4);
    const lost = await run('Bodies', lifted(9), 2);
    expect(lost.table.value('box.r[2]', 2)).toBeLessThan(0.06);
  });
});

describe('finding contact', () => {
  test('a bullet does not fly through a sheet that is thinner than its steps are long', async () => {
    const { table } = await run(
      'Bodies',
      `World world(gravity = Gravity.none);
      Box sheet(parent = "world", translation = {50, 0, 0}, lengthX = 0.001, lengthY = 1, lengthZ = 1, contact = true, material = "Steel");
      Sphere bullet(fixed = false, velocity = {300, 0, 0}, diameter = 0.01, contact = true, material = "Steel");
      ContactLaw law(restitution = 0.5);`,
      1,
    );
    close(table.value('bullet.v[1]', 1), -150, 1e-4);
  });

  test('balls that fall from rest, with steps that could be as long as the fall, are not lost', async () => {
    const { table } = await run(
      'Bodies',
      `World world; ${plate()}
      Sphere ball(fixed = false, translation = {0, 100, 0}, diameter = 0.01, contact = true, material = "Steel");
      ContactLaw law(restitution = 0);`,
      10,
    );
    expect(Math.abs(table.value('ball.r[2]', 10) - 0.005)).toBeLessThan(1e-5);
  });

  test('all of many impacts at one instant happen', async () => {
    const { table, impulses } = await run(
      'Bodies',
      `World world(gravity = Gravity.none); ${plate()}
      Sphere ball[12](each fixed = false, translation = {{0.3*i - 2, 0.25, 0} for i in 1:12}, each velocity = {0, -2, 0}, each diameter = 0.1, each contact = true, each material = "Steel");
      ContactLaw law(restitution = 1);`,
      0.15,
      exactly(1e-8),
    );
    expect(impulses).toEqual([]);
    for (let k = 1; k <= 12; k++) close(table.value(`ball[${k}].v[2]`, 0.15), 2, 1e-6);
  });

  test('nothing is missed where more and more come near each other', async () => {
    const rows = [0, 1, 2, 3, 4, 5].map((k) => `{${0.5 + 0.35 * k}, 0.05, 0}`);
    const { table } = await run(
      'Bodies',
      `World world; ${plate('DryWood')}
      Box pile[4](each fixed = false, translation = {{-1, 0.1*k - 0.05, 0} for k in 1:4}, each lengthX = 0.1, each lengthY = 0.1, each lengthZ = 0.1, each contact = true, each material = "DryWood");
      Sphere ball[6](each fixed = false, translation = {${rows.join()}}, velocity = {{-2 + 0.3*k, 0, 0} for k in 1:6}, each diameter = 0.1, each contact = true, each material = "DryWood");
      Sphere hammer(fixed = false, translation = {-3, 0.25, 0}, velocity = {4, 2.33, 0}, mass = 5, diameter = 0.1, contact = true, material = "DryWood");
      ContactLaw law(restitution = 0.2, friction = 0, stiffness = 0.01);`,
      0.7,
      exactly(1e-5),
    );
    expect(table.value('pile[3].v[1]', 0.7)).toBeGreaterThan(1);
    expect(table.value('hammer.v[1]', 0.7)).toBeLessThan(3.9);
  });

  test('objects that are switched off pass through each other, as long as they are', async () => {
    const { table } = await run(
      'Bodies',
      `World world; ${plate()}
      Sphere a(fixed = false, translation = {-1, 0.25, 0}, diameter = 0.1, contact = true, material = "Steel");
      Sphere b(fixed = false, translation = {0, 0.25, 0}, diameter = 0.1, contact = true, material = "Steel");
      Sphere c(fixed = false, translation = {1, 0.25, 0}, diameter = 0.1, contact = true, material = "Steel");
      NoContact never(object1 = "a"), still(object1 = "ground", object2 = "b", active = time > 0.1);
      ContactLaw law(restitution = 1);`,
      0.5,
      exactly(1e-8),
    );
    close(table.value('a.r[2]', 0.5), 0.25 - (g / 2) * 0.25);
    close(table.value('b.r[2]', 0.5), 0.25 - (g / 2) * 0.25);
    expect(table.value('c.r[2]', 0.5)).toBeGreaterThan(0.04);
  });
});

describe('a run with contact', () => {
  const scene = `World world; ${plate('DryWood')}
    Box box(fixed = false, translation = {0, 0.3, 0}, rotation = {0.3, 0.4, 0.5}, lengthX = 0.2, lengthY = 0.1, lengthZ = 0.15, contact = true, material = "DryWood");
    Sphere ball(fixed = false, translation = {0.05, 0.5, 0}, diameter = 0.1, contact = true, material = "DryWood");
    ContactLaw law(restitution = 0.5, friction = 0.4, rolling = 0.01, stiffness = 0.01);
    ContactSensor one(object1 = "ground"), two(object1 = "box", object2 = "ball");`;

  test('goes on, bit by bit, from its state', () => {
    const balls = `World world; ${plate('Rubber')}
      Sphere ball(fixed = false, translation = {0, 0.1, 0}, velocity = {1, 0, 0}, diameter = 0.1, contact = true, material = "Rubber");
      Sphere other(fixed = false, translation = {0.2, 0.06, 0.02}, angularVelocity = {5, 6, 7}, diameter = 0.1, contact = true, material = "Rubber");`;
    const text = `model Test\n import Mutabor.Bodies.*;\n ${balls}\nend Test;`;
    expectContinued(new Run(loadModel(loadText(text, 'Test.mo', library()), 'Test'), { stopTime: 0.5 }));
  });

  test('gives what it gives alone, whatever ran before', async () => {
    const text = `model Test\n import Mutabor.Bodies.*;\n ${scene}\nend Test;`;
    const simulation = instantiate(loadText(text, 'Test.mo', library()));
    const last = async (e: number) => {
      const { table } = await simulation.simulate({ stopTime: 0.6, merge: { 'law.restitution': e } });
      return ['box.r[1]', 'box.w[3]', 'ball.v[2]'].map((name) => table.value(name, 0.6));
    };
    const first = await last(0.5);
    expect(await last(0.1)).not.toEqual(first);
    expect(await last(0.5)).toEqual(first);
  });

  test('never gains energy', async () => {
    const { table } = await run('Bodies', scene, 2, exactly(1e-8));
    const inertia = [(0.1 ** 2 + 0.15 ** 2) / 12, (0.2 ** 2 + 0.15 ** 2) / 12, (0.2 ** 2 + 0.1 ** 2) / 12];
    const [box, ball] = [700 * 0.2 * 0.1 * 0.15, (700 * Math.PI * 0.1 ** 3) / 6];
    const isFree = (t: number) => ['one', 'two'].every((name) => table.value(`${name}.normalForce`, t) === 0);
    // What is pressed together has energy that is not seen.
    const energy = points(2, 2000)
      .filter(isFree)
      .map((t) => {
        const own = (name: string, i: number) => table.value(`${name}[${i}]`, t);
        const square = (name: string) => [1, 2, 3].reduce((sum, i) => sum + own(name, i) ** 2, 0);
        const turning = turned(
          [1, 2, 3].map((i) => own('box.angles', i)),
          [1, 2, 3].map((i) => own('box.w', i)),
        );
        return (
          (box * (square('box.v') + turning.reduce((sum, w, i) => sum + inertia[i]! * w * w, 0))) / 2 +
          (ball * (square('ball.v') + 0.4 * 0.05 ** 2 * square('ball.w'))) / 2 +
          g * (box * own('box.r', 2) + ball * own('ball.r', 2))
        );
      });
    const gains = energy.slice(1).map((e, k) => e - energy[k]!);
    expect(Math.max(...gains) / energy[0]!).toBeLessThan(1e-4);
    expect(energy.at(-1)! / energy[0]!).toBeLessThan(0.5);
  });
});

describe('mistakes', () => {
  const ball = 'Sphere ball(fixed = false, diameter = 0.1, contact = true, material = "Steel");';

  test('objects that are in each other at the start are named, with how deep', async () => {
    const { told } = await telling(['World world;', plate(), ball]);
    expect(told).toMatchObject([
      {
        severity: 'warning',
        message: '`ground` and `ball` are in each other at the start, by 0.05 m.',
        line: ball,
      },
    ]);
  });

  describe('during a run', () => {
    const settled =
      'Sphere ball(fixed = false, translation = {0, 0.05, 0}, diameter = 0.1, contact = true, material = "Steel");';
    const other =
      'Sphere other(fixed = false, translation = {0, 0.14, 0}, diameter = 0.1, contact = true, material = "Steel");';
    const soft = 'ContactLaw law(restitution = 0, stiffness = 1e-4);';
    const tellingUntil = (lines: string[]) =>
      telling(['World world;', plate(), soft, ...lines], { stopTime: 0.3 });

    test('a body that comes back where another one is', async () => {
      const lines = [settled, 'Removal away(object = "ball", active = time < 0.2);', other];
      lines[2] = other.replace('0.14', '0.05');
      const { told } = await tellingUntil(lines);
      expect(told.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^`ball` and `other` are in each other at time 0\.2, by 0\.09\d+ m\.$/),
      ]);
    });

    test('what was held together, one in the other, and is released', async () => {
      const { told } = await tellingUntil([
        settled,
        other,
        'Weld held(obj1 = "ball", obj2 = "other", active = time < 0.2);',
      ]);
      expect(told.map(({ message }) => message)).toEqual([
        '`ball` and `other` are in each other at time 0.2, by 0.01 m.',
      ]);
    });

    test('but not what lay on the other before it was held', async () => {
      const { told } = await tellingUntil([
        settled,
        'Weld held(obj1 = "world", obj2 = "ball", active = time > 0.1 and time < 0.2);',
      ]);
      expect(told).toEqual([]);
    });

    test('nor what lay on it with one edge deeper than with the other', async () => {
      const { told } = await tellingUntil([
        'Box box(fixed = false, translation = {0, 0.05, 0}, lengthX = 0.1, lengthY = 0.1, lengthZ = 0.1, contact = true, material = "Steel");',
        'Object3D edge(parent = "box", translation = {0.03, 0, 0}); WorldForce push(object = "edge", f = {0, -100, 0});',
        'Weld held(obj1 = "world", obj2 = "box", active = time > 0.1 and time < 0.2);',
      ]);
      expect(told).toEqual([]);
    });
  });

  test.each([
    ['Sphere ball(fixed = false, contact = true, material = "Stel");', 'Did you mean `Steel`?'],
    ['Sphere ball(fixed = false, contact = true, mass = 1);', 'has no material'],
    ['Grid ball(parent = "world", contact = true);', 'cannot touch others: a `Grid` is only seen'],
  ])('%s', async (line, message) => {
    const { told } = await telling(['World world;', line]).catch((problem) => ({
      told: problem.diagnostics,
    }));
    expect(`${told[0].message} ${told[0].hint ?? ''}`).toContain(message);
  });

  test.each([
    ['ContactLaw law(restitution = 1.2);', '`law.restitution` is 1.2, but must be between 0 and 1.'],
    ['ContactLaw law(friction = -1);', '`law.friction` is -1, but must not be negative.'],
    ['ContactLaw law(stiffness = 0);', '`law.stiffness` is 0, but must be positive.'],
    ['ContactLaw law(material1 = "Wood");', 'DryWood'],
    ['ContactLaw one, two;', 'are laws of the same materials'],
    ['NoContact none(object1 = "balll");', 'Did you mean "ball"?'],
    ['Object3D mark(parent = "world"); ContactSensor sensor(object1 = "mark");', 'which touches nothing'],
    ['ContactSensor sensor(object1 = "ball", object2 = "ball");', 'names the same object twice'],
    [
      'Box table(parent = "world", translation = {0, -1, 0});',
      '`ball` has `contact = true`, but there is nothing',
    ],
  ])('%s', async (line, message) => {
    const { told } = await telling(['World world;', ball, line]).catch((problem) => ({
      told: problem.diagnostics,
    }));
    expect(`${told[0]!.message} ${told[0]!.hint ?? ''}`).toContain(message);
  });

  describe('laws of one material each', () => {
    const steel = 'ContactLaw steel(material1 = "Steel", friction = 0.2);';
    const wood = 'ContactLaw wood(material2 = "DryWood", friction = 0.4);';
    const floor =
      'Box floor(parent = "world", translation = {0, -0.5, 0}, contact = true, material = "Steel");';
    const slab =
      'Box slab(fixed = false, translation = {0, 0.05, 0}, lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2, velocity = {1, 0, 0}, contact = true, material = "DryWood");';

    // The order of declarations had said which law counts.
    test.each([
      ['each of both: the mean counts', 0.3, wood],
      [
        'each of both, and one of both: that counts',
        0.25,
        `${wood} ContactLaw both(material1 = "DryWood", material2 = "Steel", friction = 0.25);`,
      ],
      ['one of both: it counts', 0.2, ''],
    ])('%s', async (_, friction, line) => {
      for (const shapes of [
        [floor, slab],
        [slab, floor],
      ]) {
        const lines = ['World world;', steel, ...(line ? line.split(/(?<=;) /) : []), ...shapes];
        const { told, result } = await telling(lines, { stopTime: 0.2 });
        expect(told).toEqual([]);
        expect(result.table.value('slab.v[1]', 0.2)).toBeCloseTo(1 - friction * 9.81 * 0.2, 3);
      }
    });
  });

  describe('what has no effect', () => {
    const fall = ball.replace('fixed = false', 'fixed = false, translation = {0, 1, 0}');
    const cap =
      'Sphere cap(parent = "ball", translation = {0, 0.1, 0}, diameter = 0.05, contact = true, material = "Glass");';
    const arm = 'Sphere arm(diameter = 0.05, contact = true, material = "Steel");';
    const hinge = 'Revolute hinge(obj1 = "ball", obj2 = "arm");';
    const tellingOf = async (...lines: string[]) =>
      (await telling(['World world;', plate(), fall, ...lines], { stopTime: 0.01 })).told;

    test.each([
      ['of one body', cap, 'ContactSensor eye(object1 = "ball", object2 = "cap");'],
      ['joined by a joint', `${arm} ${hinge}`, 'ContactSensor eye(object1 = "arm", object2 = "ball");'],
    ])('a sensor of what cannot touch: %s', async (_, lines, sensor) => {
      const names = [...sensor.matchAll(/"(\w+)"/g)].map(([, name]) => `\`${name}\``).join(' and ');
      expect(await tellingOf(lines, sensor)).toMatchObject([
        { severity: 'warning', message: `\`eye\`: ${names} cannot touch each other.`, line: sensor },
      ]);
    });

    test('a law of materials that nothing is made of', async () => {
      const law = 'ContactLaw law(material1 = "Rubber", material2 = "Steel");';
      expect(await tellingOf(law)).toMatchObject([
        {
          severity: 'info',
          message: '`law` has no effect: nothing that touches anything else is made of `Rubber` and `Steel`.',
          line: law,
        },
      ]);
    });

    test('but not what may have one', async () => {
      const laws = [
        'ContactLaw all, own(material1 = "Steel");',
        'ContactLaw two(material1 = "Steel", material2 = "Glass"), other(material2 = "Glass");',
      ];
      const sensors = 'ContactSensor eye(object1 = "cap"), both(object1 = "ground", object2 = "ball");';
      expect(await tellingOf(cap, ...laws, sensors)).toEqual([]);
    });
  });
});

/** Local maxima, and the first value. */
function peaks(values: readonly number[]): number[] {
  return values.filter((y, k) => y > (values[k - 1] ?? -1) && y >= (values[k + 1] ?? 9));
}

/** A vector of the world along the axes of an object with angles about x, the new y and the new z. */
function turned([a, b, c]: readonly number[], [x, y, z]: readonly number[]): number[] {
  const about = (angle: number, u: number, v: number) => [
    Math.cos(angle) * u + Math.sin(angle) * v,
    -Math.sin(angle) * u + Math.cos(angle) * v,
  ];
  const [y1, z1] = about(a!, y!, z!);
  const [z2, x2] = about(b!, z1!, x!);
  const [x3, y3] = about(c!, x2!, y1!);
  return [x3!, y3!, z2!];
}
