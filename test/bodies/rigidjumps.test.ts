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

test('a cart that hits what slides on a slope, with a roller on it, is not refused', async () => {
  const { result } = await telling(
    [
      `${world(', direction = {0.479425538604203, -0.8775825618903728, 0.19866933079506122}')} ${law(1)}`,
      'ContactLaw steel(material1 = "Steel", material2 = "Steel", restitution = 0.7, friction = 0);',
      'ContactLaw both(material1 = "Steel", material2 = "Rubber", restitution = 0, friction = 0.6);',
      `Box ground(parent = "world", lengthX = 40, lengthY = 0.2, lengthZ = 40, translation = {0, -0.1, 0}, ${touches});`,
      'Box plank(fixed = false, mass = 5, lengthX = 0.4, lengthY = 0.08, lengthZ = 0.2, translation = {0, 0.04, 0}, velocity = {0.5, 0, 0}, contact = true, material = "Rubber");',
      `Cylinder roller(fixed = false, mass = 1, diameter = 0.2, length = 0.3, translation = {0, 0.18, 0}, ${touches});`,
      'WorldForce push(object = "roller", f = {if time < 0.08 then -1.962 else -5.886, 0, 0});',
      'Object3D arm; Object3D post(parent = "world", translation = {0.72, 0.45, 0}); Revolute hinge(obj1 = "post", obj2 = "arm", w0 = 4);',
      `Box beam(parent = "arm", mass = 0.2, lengthX = 0.5, lengthY = 0.04, lengthZ = 0.1, translation = {-0.25, 0, 0}, ${touches});`,
      'Box cart(mass = 0.3, lengthX = 0.2, lengthY = 0.12, lengthZ = 0.2, contact = true, material = "Rubber");',
      'Object3D rail(parent = "world", translation = {-0.45, 0.08, 0}); NoContact above(object1 = "cart", object2 = "ground");',
      'PrismaticWithFlange j(obj1 = "rail", obj2 = "cart", s(fixed = true), v(fixed = true)); ContactSensor s(object1 = "cart", object2 = "plank");',
      'Mutabor.Translational.Force motor(f = if time < 0.08 then 4.7088 else 11.772); equation connect(motor.flange, j.flange);',
    ],
    { stopTime: 0.1302, tolerance: 1e-8 },
  );
  expect(result.status).toBe('done');
  const { table: results, impulses } = result;
  const struck = impulses.filter(({ variable }) => variable.startsWith('s.impulse'));
  const of = (k: number) => struck.find(({ variable }) => variable === `s.impulse[${k}]`)?.weight ?? 0;
  const row = results.time.lastIndexOf(struck[0]!.time);
  // The cart loses what the plank gets, but for what little comes to stick at once after it, and friction of both is within its cone.
  near(0.3 * (results.at('cart.v[1]', row - 1) - results.at('cart.v[1]', row)), of(1), 3e-3);
  expect(Math.hypot(of(2), of(3))).toBeLessThanOrEqual(of(1) * (1 + 1e-6));
});
