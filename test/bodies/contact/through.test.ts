/** Balls that hit a thin plate: they go back as restitution says, or it is told that they may have passed through it. */
import { expect, test } from 'vitest';
import { telling } from '../told.ts';

const touches = 'contact = true, material = "Steel"';

test.each([
  [10, 0.02, 1],
  [100, 0.02, 1],
  [1000, 0.002, 1],
  [100, 0.02, 1e-3],
  [1000, 0.002, 1e-3],
  [1000, 0.02, 1e-3],
  [10000, 0.002, 1],
  [10000, 0.02, 1],
])('a speed of %d m/s, a diameter of %d m, a stiffness of %d', async (speed, diameter, stiffness) => {
  const { result, told } = await telling(
    [
      'World world(gravity = Gravity.none);',
      `Sphere ball(fixed = false, diameter = ${diameter}, translation = {-1, 0, 0}, velocity = {${speed}, 0, 0}, ${touches});`,
      `Box plate(parent = "world", lengthX = 0.001, lengthY = 1, lengthZ = 1, ${touches});`,
      `ContactLaw law(material1 = "Steel", material2 = "Steel", restitution = 0.5, stiffness = ${stiffness});`,
    ],
    { stopTime: 2 / speed, tolerance: 1e-7 },
  );
  expect(result.status).toBe('done');
  const back = result.table.value('ball.v[1]', 2 / speed);
  const warnings = told.filter(({ severity }) => severity === 'warning');
  if (warnings.length === 0) expect(Math.abs(back / speed + 0.5)).toBeLessThan(1e-4);
  else {
    expect(warnings[0]!.message).toMatch(
      /^`ball` and `plate` part at time .* they may have passed through each other\.$/,
    );
    expect(warnings[0]!.line).toMatch(/^Box plate/);
  }
  if (back > 0) expect(warnings.length).toBe(1);
});
