/** A ball that falls and bounces, by explicit and implicit methods, against a few lines of time stepping with the law of contact. */
import { expect, test } from 'vitest';
import { Box, ContactLaw, Sphere, World } from '../../../src/bodies.ts';
import { loadModel, Model, simulate } from '../../../src/index.ts';

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

/** The speed with which it leaves the ground: m x'' = m g - c x^(3/2) (1 + d x'), k = d speed with k (1 + e) = ln((1 + k)/(1 - e k)). */
function rebound(speed: number): number {
  let [k, high] = [1e-3, 1 / restitution];
  for (let n = 0; n < 60; n++) {
    const middle = (k + high) / 2;
    if (Math.log((1 + middle) / (1 - restitution * middle)) < middle * (1 + restitution)) k = middle;
    else high = middle;
  }
  const acceleration = (x: number, v: number) =>
    g - (hertz / mass) * Math.max(0, x) ** 1.5 * Math.max(0, 1 + (k / speed) * v);
  let [x, v] = [0, speed];
  const h = 1e-7;
  do {
    const middle = v + (h / 2) * acceleration(x, v);
    x += h * middle;
    v += h * acceleration(x - (h / 2) * middle, middle);
  } while (x > 0);
  return -v;
}

test.each([
  ['rk', 1e-6],
  ['bdf', 1e-5],
  ['bdf', 1e-6],
  ['bdf', 1e-8],
] as const)('%s with the tolerance %s', async (method, tolerance) => {
  const { diagnostics, table } = await simulate(loadModel(Falling), { stopTime: 0.35, method, tolerance });
  expect(diagnostics).toEqual([]);
  const top = table.value('ball.r[3]', 0.35) - radius + table.value('ball.v[3]', 0.35) ** 2 / (2 * g);
  const expected = rebound(Math.sqrt(2 * g * height)) ** 2 / (2 * g);
  expect(Math.abs(top / expected - 1)).toBeLessThan(300 * tolerance);
});
