/** The robot among rigid bodies: what it touches on its way, and what it takes by contact. Heights and widths follow from the shapes. */
import { expect, test } from 'vitest';
import { ContactLaw, World } from '../../src/bodies.ts';
import { type AnyModel, Class, loadModel, Model, modelica, simulate } from '../../src/index.ts';
import { atPlate, ball, cube, grip, lifted, open, programOf, type Steps } from './youbot.ts';

const q = 1.057;
/** The upper side of the plate, and half the width of what lies on it. */
const [plate, half] = [0.084 + 0.0702 + 0.005, 0.025];

async function run(piece: AnyModel, steps: Steps, stopTime: number) {
  const cell = Model('Cell', {
    world: World({ direction: [0, 0, -1], rigidContact: true }),
    law: ContactLaw({ restitution: 0.3, friction: 0.3 }),
    lock: piece,
    program: programOf(steps),
    robot: Class('Mutabor.Robots.YouBot').with({
      position: [-0.569, 0, 0.084],
      contact: true,
      arm: modelica`program.position[1:5]`,
      opening: modelica`program.position[6]`,
    }),
  });
  const { diagnostics, status, table } = await simulate(loadModel(cell), { stopTime, tolerance: 1e-7 });
  // Impacts of what joints with flanges move are plastic, which is told.
  const told = diagnostics.map(({ message }) => message);
  expect(told.filter((text) => !text.includes('do not bounce'))).toEqual([]);
  expect(status).toBe('done');
  return table;
}

test('a finger that passes a box pushes it aside: what touches with one point after four is no joint too many', async () => {
  const steps: Steps = function* ({ move }) {
    yield move(atPlate(q, open), atPlate(q, grip));
  };
  const place = { translation: [-0.78, 0, plate + half], material: 'DryWood', contact: true };
  const table = await run(cube(place), steps, 3.20425);
  for (const time of [1, 2.5, 3.204]) expect(table.value('lock.r[3]', time)).toBeCloseTo(plate + half, 9);
  expect(table.value('lock.r[2]', 3.204)).toBeGreaterThan(1e-6);
});

test('a ball is taken between two fingers, lifted by friction and put down', async () => {
  const steps: Steps = function* ({ move, wait }) {
    yield move(lifted(open), atPlate(q, open), atPlate(q, grip));
    yield wait(1);
    yield move(lifted(grip), atPlate(q, grip), atPlate(q, open), lifted(open));
  };
  const table = await run(ball(plate + half + 1e-4, { contact: true }), steps, 12);
  for (const time of [4, 5, 12]) expect(table.value('lock.r[3]', time)).toBeCloseTo(plate + half, 9);
  // The pads are 0.2 mm nearer to each other than the slider says.
  expect(table.value('robot.gripper.joint.s', 7.5)).toBeCloseTo(2 * half - 2e-4, 6);
  expect(table.value('lock.r[3]', 7.5)).toBeGreaterThan(0.4);
});
