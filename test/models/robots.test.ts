/** Robots of the library: where their hands are, what their drives do. */
import { describe, expect, test } from 'vitest';
import { close, run } from './notation.ts';

const { PI } = Math;

describe('YouBot', () => {
  test.each<[readonly number[], number, readonly number[]]>([
    [[0, 0, 0, 0, 0], 0, [-0.363, -0.025, 0.72782]],
    [[PI, PI / 4, PI / 4, 1.04, 0], 0.048, [-0.772037, 0.025, 0.185275]],
    [[PI, PI / 4, PI / 4, 1.057, 0], 0.06, [-0.769145, 0.025, 0.183729]],
    [[PI, 0, PI / 2, 0, 0], 0.048, [-0.76282, 0.025, 0.394]],
  ])('its hand is where it should be for the angles %s', async (angles, opening, expected) => {
    const links = angles.map((angle, k) => `link${k + 1}(phi0 = ${angle})`).join(', ');
    const { table, segments } = await run(
      'Bodies',
      `World world(direction = {0, 0, -1});
      Mutabor.Robots.YouBot robot(position = {-0.569, 0, 0.084}, ${links}, gripper(s0 = ${opening}), arm = {${angles.join(', ')}}, opening = ${opening});`,
      0.01,
    );
    for (const [k, value] of expected.entries())
      expect(Math.abs(table.value(`robot.gripper.lock.r[${k + 1}]`, 0) - value)).toBeLessThan(6e-7);
    expect(segments[0]!.states).toBe(18);
  });

  test('it can stand on what moves', async () => {
    // A turntable that turns with 1 rad/s carries it: after a second the hand has gone round by a radian.
    const { table } = await run(
      'Bodies',
      `import Mutabor.Robots.YouBot;
      World world(direction = {0, 0, -1});
      Object3D table(mass = 1e6, inertia = 1e6*identity(3));
      Revolute turning(obj1 = "world", obj2 = "table", w0 = 1);
      YouBot robot(on = "table", position = {0.5, 0, 0}, arm = zeros(5), opening = 0.05, gripper(s0 = 0.05));`,
      1,
    );
    const at = (time: number) =>
      [1, 2].map((k) => table.value(`robot.gripper.lock.r[${k}]`, time)) as [number, number];
    const [x, y] = at(0);
    const angle = table.value('turning.phi', 1);
    // Servos hold the arm against centrifugal forces to some micrometres.
    expect(Math.abs(at(1)[0] - (x * Math.cos(angle) - y * Math.sin(angle)))).toBeLessThan(1e-3);
    expect(Math.abs(at(1)[1] - (x * Math.sin(angle) + y * Math.cos(angle)))).toBeLessThan(1e-3);
    close(angle, 1, 1e-4);
  });
});

describe('Servo', () => {
  test('follows a ramp: Modia3D has the same to its tolerance', async () => {
    const { table } = await run(
      'Rotational',
      `Mutabor.Robots.Servo servo(ratio = 156, J = 1.3909e-5, reference = ramp.y);
      Blocks.Ramp ramp(height = 2.95, duration = 1.18);
      Inertia load(J = 0.32, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    equation
      connect(servo.flange, load.flange_a);`,
      4,
    );
    expect(Math.abs(table.value('servo.x', 4) + 0.004445925511)).toBeLessThan(1e-6);
    expect(Math.abs(table.value('load.phi', 4) - 2.94999941838)).toBeLessThan(1e-6);
    expect(Math.abs(table.value('load.w', 4) - 5.816286501e-7)).toBeLessThan(1e-7);
  });

  test('its error follows (J r^2 + load) q" = r k (x + u)', async () => {
    // Without the load, with T so long that x stays zero: J q" = k (50 (qref - q) - q'), solved in closed form.
    const [J, k, kp, ratio] = [0.01, 0.1, 20, 2];
    const { table } = await run(
      'Rotational',
      `Mutabor.Robots.Servo servo(ratio = ${ratio}, J = ${J}, kPosition = ${kp}, kSpeed = ${k}, T = 1e12, reference = 1, motor(phi(start = 0, fixed = true), w(start = 0, fixed = true)));`,
      1,
    );
    const decay = k / J / 2;
    const frequency = Math.sqrt((k * kp) / J - decay ** 2);
    for (const t of [0.05, 0.2, 0.7]) {
      const swing = Math.cos(frequency * t) + (decay / frequency) * Math.sin(frequency * t);
      close(table.value('servo.flange.phi', t), 1 - Math.exp(-decay * t) * swing);
    }
  });
});

test('LinearServo moves to where it should, as (m s)" = k (50 (ref - s) - v + x)', async () => {
  const [m, k, kp] = [0.1, 10, 50];
  const { table } = await run(
    'Translational',
    `Mutabor.Robots.LinearServo servo(T = 1e12, reference = 0.01, motor(s(start = 0, fixed = true), v(start = 0, fixed = true)));`,
    1,
  );
  // Roots of m z^2 + k z + k kp.
  const half = k / m / 2;
  const frequency = Math.sqrt((k * kp) / m - half ** 2);
  for (const t of [0.01, 0.03, 0.1]) {
    const swing = Math.cos(frequency * t) + (half / frequency) * Math.sin(frequency * t);
    close(table.value('servo.flange.s', t), 0.01 * (1 - Math.exp(-half * t) * swing));
  }
});

test('a state machine of the model says what Gripper and plate hold, and Link after Link follows ramps', async () => {
  const A = `{pi, pi/4, pi/4, 1.04, 0}`;
  const { table, segments } = await run(
    'Bodies',
    `import Mutabor.Constants.pi;
    model State end State;
    World world(direction = {0, 0, -1});
    Sphere ball(fixed = false, translation = {-0.211, 0, 0.1842}, diameter = 0.05, mass = 0.05);
    State onPlate, inHand, back;
    Blocks.Ramp down(duration = 2), up(startTime = 4, duration = 2), again(startTime = 7, duration = 2);
    Real way = down.y - up.y + again.y "1 where the hand is at the plate";
    Mutabor.Robots.YouBot robot(arm = {pi, 0, pi/2, 0, 0} + way*(${A} - {pi, 0, pi/2, 0, 0}), opening = 0.05,
      link1(phi0 = pi), link3(phi0 = pi/2), gripper(s0 = 0.05));
    Weld plate(obj1 = "robot.plateLock", obj2 = "ball", active = activeState(onPlate) or activeState(back));
    Weld hand(obj1 = "robot.gripper.lock", obj2 = "ball", active = activeState(inHand));
    Sensor gap(object = "ball", origin = "robot.gripper.lock");
  equation
    initialState(onPlate);
    transition(onPlate, inHand, time >= 4);
    transition(inHand, back, time >= 10);`,
    12,
    // Speeds come to rest within 0.3 ms: what is left of the tolerance in them is thousands of times larger in their derivatives, whose integrals the audit looks at.
    { audit: false },
  );
  const at = (name: string, time: number) => [1, 2, 3].map((k) => table.value(`${name}.r[${k}]`, time));
  // It stays where it is until it is taken, and against the hand where it was taken.
  expect(at('ball', 3.9)).toEqual([-0.211, 0, 0.1842]);
  for (const time of [5, 6, 9])
    for (const [k, value] of at('gap', 4).entries()) close(at('gap', time)[k]!, value, 1e-6);
  // At rest the hand is where the angles say, to what a proportional-integral control still misses.
  for (const [k, value] of [-0.772037 + 0.569, 0.025, 0.185275].entries())
    expect(Math.abs(at('robot.gripper.lock', 10)[k]! - value)).toBeLessThan(1e-4);
  for (const [k, value] of [-0.211, 0, 0.1842].entries())
    expect(Math.abs(at('ball', 12)[k]! - value)).toBeLessThan(1e-4);
  expect(at('ball', 12)).toEqual(at('ball', 11));
  expect(segments.map(({ states }) => states)).toEqual([18, 18, 18]);
});
