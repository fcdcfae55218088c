/** Scenes that are kept from one run to the next: a run gives the same bits whatever ran before it. */
import { expect, test } from 'vitest';
import { instantiate, loadModel } from '../../src/index.ts';

const arm = `model Arm
  import Mutabor.Bodies.*;
  parameter Real m = 2 "Mass of the hand";
  parameter Real l = 1 "Length of the arm";
  parameter Real angle = 0 "Of the arm at the start";
  World world;
  Object3D arm(mass = 1, centre = {l/2, 0, 0}, inertia = 0.1*identity(3));
  Object3D hand(parent = "arm", translation = {l, 0, 0}, mass = m);
  Sphere part(fixed = false, translation = {l, 0.2, 0}, diameter = 0.1, material = "DryWood");
  Mutabor.Bodies.RevoluteWithFlange joint(obj1 = "world", obj2 = "arm", phi(fixed = true, start = angle), w(fixed = true));
  Weld grip(obj1 = "hand", obj2 = "part", active = time >= 0.3 and time < 0.6);
  Mutabor.Rotational.Inertia rotor(J = 0.2);
equation
  connect(joint.flange, rotor.flange_a);
end Arm;`;

const options = { stopTime: 1, tolerance: 1e-7 };
type Values = { readonly m?: number; readonly l?: number; readonly angle?: number };

async function end(model: ReturnType<typeof instantiate>, merge: Values): Promise<readonly number[]> {
  const { status, table } = await model.simulate({ ...options, merge });
  expect(status).toBe('done');
  // What components alone read is stored with the values of the run.
  expect(table.value('hand.translation[1]', 1)).toBe(merge.l ?? 1);
  return ['joint.phi', 'joint.w', 'hand.r[1]', 'part.r[1]', 'part.v[2]'].map((name) => table.value(name, 1));
}

test('runs with other parameters in between are as runs alone', async () => {
  const model = instantiate(loadModel(arm));
  for (const values of [{}, {}, { m: 5 }, {}, { l: 2 }, { m: 5, l: 2 }, { angle: 0.1 }, { angle: 0.1 }, {}]) {
    const alone = await end(instantiate(loadModel(arm)), values);
    expect(await end(model, values)).toEqual(alone);
  }
});

test('two runs of one model at the same time', async () => {
  const model = loadModel(arm);
  const expected = await end(instantiate(model), {});
  const both = [instantiate(model), instantiate(model)].map((one) => end(one, {}));
  expect(await Promise.all(both)).toEqual([expected, expected]);
});
