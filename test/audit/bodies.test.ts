/** The equations of joints with flanges are checked, with what bodies give for them: masses, forces, momentum from structure that changes. */
import { expect, test } from 'vitest';
import { type FlatModel, loadModel, loadText, type SimulationResult, simulate } from '../../src/index.ts';
import { library } from '../models/notation.ts';
import { afterEvents, column, copyOf, offences } from './notation.ts';

/** An arm with a rotor behind a gear takes a ball that lies in its way. */
const grip = `
  World world(gravity = Gravity.none);
  Object3D arm(mass = 2, centre = {0.5, 0, 0}, inertia = diagonal({0.1, 0.2, 0.2}));
  Object3D hand(parent = "arm", translation = {1, 0, 0});
  Object3D ball(fixed = false, translation = {0, 1, 0}, mass = 3, inertia = 0.01*identity(3));
  RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(start = 0, fixed = true), w(start = 1, fixed = true));
  Rotational.Inertia rotor(J = 0.01);
  Rotational.IdealGear gear(ratio = 10);
  Rotational.Torque motor(tau = sin(time));
  Weld weld(obj1 = "hand", obj2 = "ball", active = time > 1.5);
equation
  connect(motor.flange, rotor.flange_a);
  connect(rotor.flange_b, gear.flange_a);
  connect(gear.flange_b, joint.flange);`;

/** The same arm, held by a rod to a slider: a loop. */
const crank = `
  World world(gravity = Gravity.none);
  Object3D arm(mass = 2, centre = {0.5, 0, 0}, inertia = diagonal({0.1, 0.2, 0.2}));
  Object3D hand(parent = "arm", translation = {1, 0, 0});
  Object3D rod(mass = 1, centre = {1, 0, 0}, inertia = diagonal({0.1, 0.2, 0.2}));
  Object3D tip(parent = "rod", translation = {2, 0, 0});
  Object3D slider(mass = 3);
  Object3D stone(fixed = false, translation = {2, 0, 0}, mass = 1, inertia = 0.01*identity(3));
  RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(start = 0.3, fixed = true), w(start = 1, fixed = true));
  Revolute elbow(obj1 = "hand", obj2 = "rod", phi0 = -0.4);
  Prismatic slide(obj1 = "world", obj2 = "slider", s0 = 3);
  Revolute wrist(obj1 = "slider", obj2 = "tip");
  Rotational.Torque motor(tau = sin(time));
  Weld weld(obj1 = "slider", obj2 = "stone", active = time > 1.5);
equation
  connect(motor.flange, joint.flange);`;

async function checked(elements: string): Promise<{ model: FlatModel; result: SimulationResult }> {
  const text = `model Test
  import Mutabor.Bodies.*;
  import Mutabor.Rotational;
  ${elements}
end Test;`;
  const model = loadModel(loadText(text, 'Test.mo', library()), 'Test');
  const result = await simulate(model, { stopTime: 3, tolerance: 1e-8, audit: true });
  expect(result.diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(result.audit?.unchecked).toBe(0);
  return { model, result };
}

const unbalanced = expect.stringMatching(/\$bodies.*does not balance across the event at time 1.5/);

test.each([
  ['a tree', grip, '$bodies.M[1,1]'],
  ['a loop', crank, '$bodies.A[1,1]'],
])('what does not fit to masses and forces of %s is found', async (_, elements, matrix) => {
  const { model, result } = await checked(elements);
  expect(offences(model, copyOf(result).run())).toEqual([]);
  for (const name of ['joint.a', 'joint.tau', matrix, '$bodies.h[1]']) {
    const copy = copyOf(result);
    const values = column(copy, name);
    expect(values, name).toBeDefined();
    values[100]! += 0.1 * Math.max(1, Math.abs(values[100]!));
    expect(offences(model, copy.run()), name).toContainEqual(expect.stringMatching(/joint|\$bodies/));
  }
});

test('momentum that is not conserved where bodies are joined is found', async () => {
  const { model, result } = await checked(grip);
  const copy = copyOf(result);
  const [event] = afterEvents(copy) as [number];
  const [w, k] = [column(copy, 'joint.w'), column(copy, '$bodies.k[1]')];
  // About the joint: the rotor behind the gear and the arm share their momentum with the ball.
  const own = 0.2 + 2 * 0.5 ** 2 + 0.01 * 10 ** 2;
  const ball = 3 * 1 + 0.01;
  expect(w[event]! / w[event - 1]!).toBeCloseTo(own / (own + ball), 6);
  for (let row = event; row < k.length; row++) k[row]! += 0.1;
  expect(offences(model, copy.run())).toEqual([unbalanced]);
});

test('a jump of speed that a loop does not make is found', async () => {
  const { model, result } = await checked(crank);
  const copy = copyOf(result);
  const [event] = afterEvents(copy) as [number];
  const k = column(copy, '$bodies.k[1]');
  for (let row = event; row < k.length; row++) k[row]! += 0.1;
  expect(offences(model, copy.run())).toEqual([unbalanced]);
});

test('a control that follows the speed of a joint fast may be off in its acceleration', async () => {
  const text = `model Test
  import Mutabor.Bodies.*;
  World world(direction = {0, 0, -1});
  Object3D arm(mass = 2, centre = {0.5, 0, 0}, inertia = diagonal({0.1, 0.2, 0.2}));
  RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", axis = {0, 1, 0}, phi(start = 0, fixed = true), w(start = 0, fixed = true));
  Mutabor.Robots.Servo servo(ratio = 156, J = 1.4e-5);
equation
  servo.reference = if time < 1 then 0 elseif time < 2 then (time - 1)^2/2 elseif time < 3 then 1 - (3 - time)^2/2 else 1;
  connect(servo.flange, joint.flange);
end Test;`;
  const model = loadModel(loadText(text, 'Test.mo', library()), 'Test');
  const options = { stopTime: 6, intervals: 120, tolerance: 1e-4 };
  const result = await simulate(model, { ...options, audit: true });
  expect(result.audit?.diagnostics).toEqual([]);
});
