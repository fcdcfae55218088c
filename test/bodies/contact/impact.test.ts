/** A ball that falls and bounces, by explicit and implicit methods, against a few lines of time stepping with the law of contact. */
import { expect, test } from 'vitest';
import { Box, ContactLaw, Sphere, World } from '../../../src/bodies.ts';
import { loadModel, Model, simulate } from '../../../src/index.ts';
import { rebound } from './bouncing.ts';

const [restitution, softer, height, g] = [0.6, 1e-3, 0.2, 9.81];
const radius = 0.025;
const mass = (700 * Math.PI * (2 * radius) ** 3) / 6;
const hertz = ((softer * 1.1e10) / (1 - 0.4 ** 2) / 2) * (4 / 3) * Math.sqrt(radius);

const Falling = Model('Falling', {
  world: World({ direction: [0, 0, -1] }),
  law: ContactLaw({ restitution, friction: 0.3, rolling: 0.001, stiffness: softer }),
  ground: Box({
    parent: 'world',
    translation: [0, 0, -0.05],
    lengthX: 1,
    lengthY: 1,
    lengthZ: 0.1,
    material: 'DryWood',
    contact: true,
  }),
  ball: Sphere({
    fixed: false,
    translation: [0, 0, radius + height],
    diameter: 2 * radius,
    material: 'DryWood',
    contact: true,
  }),
});

test.each([
  ['rk', 1e-6],
  ['bdf', 1e-5],
  ['bdf', 1e-6],
  ['bdf', 1e-8],
] as const)('%s with the tolerance %s', async (method, tolerance) => {
  const { diagnostics, table } = await simulate(loadModel(Falling), { stopTime: 0.35, method, tolerance });
  expect(diagnostics).toEqual([]);
  const top = table.value('ball.r[3]', 0.35) - radius + table.value('ball.v[3]', 0.35) ** 2 / (2 * g);
  const expected = rebound({ mass, g, hertz, restitution }, Math.sqrt(2 * g * height)) ** 2 / (2 * g);
  expect(Math.abs(top / expected - 1)).toBeLessThan(300 * tolerance);
});
