/** Axes, directions and signs of joints as the reference tells them: where bodies are at the start. */
import { describe, expect, test } from 'vitest';
import { loadModel, loadText, simulate } from '../../src/index.ts';
import { library } from '../models/notation.ts';

/** Results of an object at the start, in a world without gravity. */
async function startOf(elements: string): Promise<(name: string, object?: string) => number[]> {
  const text = `model Test
    import Mutabor.Bodies.*;
    World world(gravity = Gravity.none);
    Box body(mass = 1);
    ${elements}
  end Test;`;
  const { status, table } = await simulate(loadModel(loadText(text, 'Test.mo', library()), 'Test'), {
    stopTime: 0.01,
  });
  expect(status).toBe('done');
  return (name, object = 'body') => [1, 2, 3].map((i) => table.value(`${object}.${name}[${i}]`, 0));
}

const near = (actual: readonly number[], expected: readonly number[]): void => {
  for (const [i, value] of expected.entries()) expect(actual[i]).toBeCloseTo(value, 12);
};

describe('at the start', () => {
  test.each([
    ['{1, 0, 0}', [0, 0.1, 0.2]],
    ['{0, 1, 0}', [0.2, 0, 0.1]],
    ['{0, 0, 1}', [0.1, 0.2, 0]],
  ])('a planar joint with the normal %s', async (normal, position) => {
    const at = await startOf(
      `Planar joint(obj1 = "world", obj2 = "body", normal = ${normal}, s0 = {0.1, 0.2}, v0 = {0.1, 0.2});`,
    );
    near(at('r'), position);
    near(at('v'), position);
  });

  test('a hinge turns counterclockwise about its axis', async () => {
    const at = await startOf('Revolute joint(obj1 = "world", obj2 = "body", phi0 = 0.5, w0 = 2);');
    near(at('angles'), [0, 0, 0.5]);
    near(at('w'), [0, 0, 2]);
  });

  test('a universal joint turns about its first axis, then about its second', async () => {
    const at = await startOf(
      'Universal joint(obj1 = "world", obj2 = "body", phi0 = {0.3, 0.4}, w0 = {1, 2});',
    );
    near(at('angles'), [0.3, 0.4, 0]);
    // The second axis is turned about the first.
    near(at('w'), [1, 2 * Math.cos(0.3), 2 * Math.sin(0.3)]);
  });

  test('a spherical joint has its angular velocity along the axes of obj1', async () => {
    const at = await startOf(`Object3D base(parent = "world", rotation = {0, 0, Mutabor.Constants.pi/2});
      Spherical joint(obj1 = "base", obj2 = "body", rotation = {0.1, 0.2, 0.3}, w0 = {1, 0, 0});`);
    near(at('w'), [0, 1, 0]);
  });

  test('a screw and a cylindrical joint move along their axis', async () => {
    const screw = await startOf('Screw joint(obj1 = "world", obj2 = "body", pitch = 0.1, phi0 = 2);');
    near(screw('r'), [0, 0, 0.2]);
    near(screw('angles'), [0, 0, 2]);
    const cylinder = await startOf('Cylindrical joint(obj1 = "world", obj2 = "body", s0 = 0.3, phi0 = 1);');
    near(cylinder('r'), [0, 0, 0.3]);
    near(cylinder('angles'), [0, 0, 1]);
  });

  test('degrees are written with a constant', async () => {
    const at = await startOf(`import Mutabor.Constants.pi;
      Revolute joint(obj1 = "world", obj2 = "body", phi0 = 30*pi/180);`);
    near(at('angles'), [0, 0, Math.PI / 6]);
  });

  test('a ball rolls on the plane through obj1, where y points up', async () => {
    const at =
      await startOf(`Sphere ball(fixed = false, diameter = 0.2, mass = 1, translation = {0, 0.1, 0}, velocity = {1, 0, 0}, angularVelocity = {0, 0, -10});
      Rolling rolling(obj1 = "world", obj2 = "ball", radius = 0.1, ball = true, normal = {0, 1, 0});
      Revolute joint(obj1 = "world", obj2 = "body");`);
    near(at('r', 'ball'), [0, 0.1, 0]);
    near(at('v', 'ball'), [1, 0, 0]);
    near(at('w', 'ball'), [0, 0, -10]);
  });
});
