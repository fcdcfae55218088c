/** Rigid bodies that are gripped: by welds on hands whose motion is given, and by fingers that forces close. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { library, run } from '../models/notation.ts';
import { box, g, ground, law, near, precise, touches, world } from './rigidnotation.ts';

/** What a run that fails says. */
async function problemOf(elements: string) {
  const text = `model Test\n  import Mutabor.Bodies.*;\n  ${elements}\nend Test;`;
  const { status, diagnostics } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'), {
    stopTime: 3,
  });
  expect(status).toBe('failed');
  return diagnostics.find(({ severity }) => severity === 'error')!;
}

/** A hand of 1 kg on a slider that follows `y` holds a box of 2 kg on the ground while `holds`. */
const hand = (axis: string, y: string, holds: string) =>
  `import Mutabor.Translational; ${world()} ${ground} ${law(0, 0.3)}
  ${box('b', 0, 0.05, [0.1, 0.1, 0.1], ', mass = 2')}
  Object3D hand(mass = 1, inertia = 0.01*identity(3));
  PrismaticWithFlange slide(obj1 = "world", obj2 = "hand", axis = ${axis});
  Translational.Position drive(s_ref = ${y});
  ContactSensor sensor(object1 = "ground", object2 = "b");
  Weld grip(obj1 = "hand", obj2 = "b", active = ${holds});
  equation connect(drive.flange, slide.flange);`;

describe('a hand with a given motion welds a box that stands on the ground', () => {
  test('lifts it, puts it down and lets go', async () => {
    const y = '0.2 + (if time < 1 or time > 3 then 0 else 0.1*(1 - cos(pi*(time - 1))))';
    const { table } = await run(
      'Bodies',
      `import Mutabor.Constants.pi; ${hand('{0, 1, 0}', y, 'time >= 0.5 and time < 3.5')}`,
      4,
      precise,
    );
    near(table.value('sensor.f[2]', 0.25), 2 * g);
    for (const t of [1.2, 1.6, 2, 2.8]) {
      near(table.value('b.r[2]', t), 0.05 + 0.1 * (1 - Math.cos(Math.PI * (t - 1))));
      near(
        table.value('drive.flange.f', t),
        -3 * (g + 0.1 * Math.PI ** 2 * Math.cos(Math.PI * (t - 1))),
        1e-6,
      );
      near(table.value('sensor.f[2]', t), 0);
    }
    near(table.value('b.r[2]', 4), 0.05);
    near(table.value('sensor.f[2]', 4), 2 * g);
    near(table.value('drive.flange.f', 4), -g);
  });

  test('moves it along the ground, which carries nothing of it', async () => {
    const { table } = await run(
      'Bodies',
      hand('{1, 0, 0}', 'if time < 1 then 0 else 0.1*(time - 1)^2', 'time >= 0.5'),
      2,
      precise,
    );
    near(table.value('b.r[1]', 2), 0.1);
    near(table.value('drive.flange.f', 1.5), -3 * 0.2);
  });

  test.each([
    ['drives it into the ground', '0.2 - (if time < 1 then 0 else 0.1*(time - 1)^2)', 'impossible-change'],
    ['lets it strike the ground', '0.2 + (if time < 1 then time else 2 - time)*0.1', 'singular-system'],
  ])('where it %s, nothing gives way', async (_, y, code) => {
    const problem = await problemOf(hand('{0, 1, 0}', y, 'true'));
    expect(problem.code).toBe(code);
    expect(problem.message).toMatch(/motion/);
    expect(problem.message).toContain('`ground` and `b`');
    expect(problem.hint).toContain('Drive the flange through a spring and a damper or by a servo');
  });
});

test('a given motion cannot begin to push a rigid box that sticks, which the message says', async () => {
  const { message } = await problemOf(
    `import Mutabor.Translational; ${world()} ${ground} ${law(0, 0.3)}
    ${box('b', 0, 0.05, [0.1, 0.1, 0.1], ', mass = 1')}
    Object3D c; Sphere finger(parent = "c", translation = {0, 0.05, 0}, diameter = 0.02, mass = 0.2, ${touches});
    PrismaticWithFlange slide(obj1 = "world", obj2 = "c", axis = {1, 0, 0});
    Translational.Position drive(s_ref = -0.06 + (if time < 0.5 then 0 else 0.05*(time - 0.5)^2));
    equation connect(drive.flange, slide.flange);`,
  );
  expect(message).toBe(
    'Nothing determines the force of `slide` at time 0.5: its motion is given, and rigid contact holds it, of `ground` and `b`, `b` and `finger`.',
  );
});

/** Two fingers of 0.2 kg each, on an arm, with springs of 2000 N/m that draw them to places. */
const fingers = (start: number, end: number, lift: string) =>
  `import Mutabor.Translational; ${world()} ${ground} ${law(0, 0.5)}
  ${box('b', 0, 0.05, [0.1, 0.1, 0.1], ', mass = 1')}
  Object3D arm(mass = 1, inertia = 0.01*identity(3)); Object3D c1; Object3D c2;
  Box f1(parent = "c1", translation = {0, 0.05, 0}, lengthX = 0.02, lengthY = 0.04, lengthZ = 0.04, mass = 0.2, ${touches});
  Box f2(parent = "c2", translation = {0, 0.05, 0}, lengthX = 0.02, lengthY = 0.04, lengthZ = 0.04, mass = 0.2, ${touches});
  PrismaticWithFlange up(obj1 = "world", obj2 = "arm", axis = {0, 1, 0}, s(fixed = true), v(fixed = true));
  PrismaticWithFlange j1(obj1 = "arm", obj2 = "c1", axis = {1, 0, 0}, s(start = ${start}, fixed = true), v(fixed = true));
  PrismaticWithFlange j2(obj1 = "arm", obj2 = "c2", axis = {1, 0, 0}, s(start = 0.1, fixed = true), v(fixed = true));
  Translational.Force d1(f = 2000*(${start} + (${end - start})*min(time, 1) - j1.s) - 50*j1.v);
  Translational.Force d2(f = 2000*(0.1 - 0.06*min(time, 1) - j2.s) - 50*j2.v);
  Translational.Force d3(f = 5000*(${lift} - up.s) - 200*up.v + 1.4*${g});
  equation connect(d1.flange, j1.flange); connect(d2.flange, j2.flange); connect(d3.flange, up.flange);`;

describe('two fingers that springs close', () => {
  test('meet a box from both sides at once', async () => {
    const { table } = await run('Bodies', fingers(-0.1, -0.04, '0'), 2);
    near(table.value('j1.s', 2), -0.06, 1e-7);
    near(table.value('j2.s', 2), 0.06, 1e-7);
    near(table.value('b.r[2]', 2), 0.05);
  });

  // Where the box comes to rest and begins to move again, speeds of the fingers jump by rounding, which no friction has to bear.
  test.each([1e-6, 1e-7, 1e-8])(
    'push it to where both press alike, and lift it, to %s',
    async (tolerance) => {
      const lift = 'if time < 1.5 then 0 elseif time < 2.5 then 0.2*(time - 1.5) else 0.2';
      const { table } = await run('Bodies', fingers(-0.08, -0.02, `(${lift})`), 4, { tolerance });
      // The springs press alike where the distances to -0.02 and 0.04 are the same; the arm sinks by the weight of the box.
      near(table.value('b.r[1]', 4), 0.01, 1e-6);
      near(table.value('j1.s', 4), -0.05, 1e-6);
      near(table.value('up.s', 4), 0.2 - g / 5000, 1e-6);
      near(table.value('b.r[2]', 4), 0.25 - g / 5000, 1e-6);
    },
  );
});
