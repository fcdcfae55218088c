/** Flanges whose speeds jump while what they move touches other bodies: contact presses and rubs in that instant as well, and does not pull. */
import { expect, test } from 'vitest';
import { g, near, touches, world } from './rigidnotation.ts';
import { telling } from './told.ts';

const mu = 0.3;
const law = (friction: number) => `ContactLaw law(restitution = 0, friction = ${friction});`;
const box = `Box box(fixed = false, mass = 1, lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2, translation = {0, 0.15, 0}, ${touches});`;
const table = (
  axis: string,
  mass: number,
) => `Box table(lengthX = 40, lengthY = 0.2, lengthZ = 1, mass = ${mass}, ${touches});
  PrismaticWithFlange j(obj1 = "world", obj2 = "table", axis = ${axis}, s(fixed = true)); ContactSensor s(object1 = "table", object2 = "box");`;
const given = (speed: string) =>
  `Mutabor.Translational.Speed source(v_ref = ${speed}); equation connect(source.flange, j.flange);`;

async function run(friction: number, elements: readonly string[]) {
  const { result } = await telling([world(), law(friction), box, ...elements], {
    stopTime: 0.25,
    tolerance: 1e-9,
  });
  expect(result.status).toBe('done');
  const sum = (name: string, time: number) =>
    result.impulses
      .filter(({ variable, time: at }) => variable === name && Math.abs(at - time) < 1e-9)
      .reduce((total, { weight }) => total + weight, 0);
  return { ...result, sum };
}

test('a table that is moved down at once leaves the box, which flies on', async () => {
  const { table: results, sum } = await run(mu, [
    table('{0, 1, 0}', 100),
    given('if time < 0.1 then 1 elseif time < 0.2 then -1 else -1.2'),
  ]);
  near(sum('s.impulse[2]', 0), 1);
  near(results.value('box.v[2]', 0.05), 1);
  near(results.value('box.v[2]', 0.15), 1 - g * 0.05);
  near(sum('s.impulse[2]', 0.1), 0);
  near(sum('j.f', 0.1), -200);
});

test('a table that is moved up at once takes the box with it, by an impulse that the sensor sees', async () => {
  const { table: results, sum } = await run(mu, [
    table('{0, 1, 0}', 100),
    given('if time < 0.1 then 0.1 else 1'),
  ]);
  near(results.value('box.v[2]', 0.15), 1);
  near(sum('s.impulse[2]', 0.1), 0.9);
  near(sum('j.f', 0.1), 101 * 0.9);
});

test('a belt that goes back at once leaves the box its speed, which friction takes then', async () => {
  const { table: results } = await run(mu, [
    table('{1, 0, 0}', 100),
    given('if time < 0.1 then 0.2 else -0.3'),
  ]);
  near(results.value('box.v[1]', 0.09), 0.2);
  near(results.value('box.v[1]', 0.2), 0.2 - mu * g * 0.1);
});

test.each([0.3, 5])('a table that is moved up at a slant, friction %d: both impulses', async (friction) => {
  const [c, s] = [Math.cos(0.5), Math.sin(0.5)];
  const { table: results, sum } = await run(friction, [
    table(`{${c}, ${s}, 0}`, 100),
    given('if time < 0.1 then 0 else 1'),
  ]);
  const along = Math.min(c, friction * s);
  near(sum('s.impulse[2]', 0.1), s);
  near(sum('s.impulse[1]', 0.1), along);
  near(results.value('box.v[2]', 0.12), s);
  near(results.value('box.v[1]', 0.12), Math.min(c, along + friction * g * 0.02));
});

test('a gripper takes a belt with it, and not the box', async () => {
  const { table: results, sum } = await run(mu, [
    table('{1, 0, 0}', 4).replace('s(fixed = true)', 's(fixed = true), v(fixed = true)'),
    'Mutabor.Translational.Mass m(m = 4, v(start = 3, fixed = true), s(fixed = true));',
    'Mutabor.Translational.Gripper grip(closed = time > 0.1);',
    'equation connect(m.flange_b, grip.flange_a); connect(grip.flange_b, j.flange);',
  ]);
  near(results.value('box.v[1]', 0.15), mu * g * 0.05);
  near(results.value('table.v[1]', 0.15), 1.5 - (mu * g * 0.05) / 8);
  near(sum('j.f', 0.1), 6);
});

test('a cart that a force drives against a box: the impulse is that of both masses', async () => {
  const { table: results, sum } = await run(0, [
    `Box ground(parent = "world", lengthX = 40, lengthY = 0.2, lengthZ = 4, ${touches});`,
    `Box cart(lengthX = 0.2, lengthY = 0.1, lengthZ = 0.2, mass = 2, ${touches}); Object3D rail(parent = "world", translation = {-0.4, 0.15, 0});`,
    'PrismaticWithFlange j(obj1 = "rail", obj2 = "cart", s(fixed = true), v(fixed = true)); NoContact above(object1 = "cart", object2 = "ground");',
    'ContactSensor s(object1 = "cart", object2 = "box"); Mutabor.Translational.Force push(f = 200); equation connect(push.flange, j.flange);',
  ]);
  const [time, speed] = [Math.sqrt(0.004), 100 * Math.sqrt(0.004)];
  near(sum('s.impulse[1]', time), (2 / 3) * speed, 1e-6);
  near(results.value('box.v[1]', 0.2), (2 / 3) * speed + (200 / 3) * (0.2 - time), 1e-6);
});
