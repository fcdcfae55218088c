/** Bodies go on, bit by bit, from the state of a run, wherever it was taken: also just before and after their structure changes. */
import { describe, test } from 'vitest';
import { loadModel, loadText, type SimulateOptions } from '../../src/index.ts';
import { library } from '../models/notation.ts';
import { expectContinued, expectContinuedAtRestarts, Run } from '../simulate/continued.ts';

function running(elements: string, stopTime: number, options: SimulateOptions = {}): Run {
  const text = `model Test
  import Mutabor.Bodies.*;
  import Mutabor.Rotational;
  ${elements}
end Test;`;
  return new Run(loadModel(loadText(text, 'Test.mo', library()), 'Test'), { stopTime, ...options });
}

const arm = (name: string, mass: number) => `
  Object3D ${name}(mass = ${mass}, centre = {0.5, 0, 0}, inertia = diagonal({0.1, 0.2, 0.2}));
  Object3D ${name}End(parent = "${name}", translation = {1, 0, 0});`;

/** Models, with the numbers of changes of their structures. */
const trees: Readonly<Record<string, readonly [changes: number, elements: string]>> = {
  'hinges that lock and release, a part that is gripped and let go': [
    6,
    `
    World world;
    ${arm('a', 2)} ${arm('b', 1)}
    Object3D ball(fixed = false, translation = {2, 0.3, 0}, angularVelocity = {1, 2, 3}, mass = 1, inertia = diagonal({0.1, 0.2, 0.3}));
    Revolute j1(obj1 = "world", obj2 = "a", phi0 = 0.2, w0 = 9, locked = time > 0.5 and time < 0.6);
    Revolute j2(obj1 = "aEnd", obj2 = "b", phi0 = 0.1, w0 = -12, locked = time > 0.55 and time < 0.7);
    Weld grip(obj1 = "bEnd", obj2 = "ball", active = time > 0.2 and time < 0.8);`,
  ],
  'joints with flanges, whose momentum comes from inside': [
    4,
    `
    World world;
    ${arm('a', 2)} ${arm('b', 1)} ${arm('c', 3)}
    Rotational.Inertia rotor(J = 0.01);
    Rotational.IdealGear gear(ratio = 20);
    Rotational.Spring spring(c = 30);
    Rotational.Fixed housing;
    RevoluteWithFlange j1(obj1 = "world", obj2 = "a", phi(start = 0.2, fixed = true), w(start = 1, fixed = true));
    RevoluteWithFlange j2(obj1 = "aEnd", obj2 = "b", axis = {0, 1, 0}, phi(start = 0.2, fixed = true), w(start = 1, fixed = true));
    Revolute j3(obj1 = "bEnd", obj2 = "c", phi0 = 0.3, w0 = 5, locked = sin(12*time) > 0.5);
  equation
    connect(rotor.flange_b, gear.flange_a);
    connect(gear.flange_b, j1.flange);
    connect(spring.flange_a, housing.flange);
    connect(spring.flange_b, j2.flange);`,
  ],
  'spherical and universal joints, welded with a measured reaction': [
    4,
    `
    World world;
    ${arm('a', 2)} ${arm('b', 1)} ${arm('c', 1)}
    Spherical j1(obj1 = "world", obj2 = "a", w0 = {1, 2, 3});
    Universal j2(obj1 = "aEnd", obj2 = "b", phi0 = {0.1, 0.2}, w0 = {5, -3}, locked = time > 0.3 and time < 0.5);
    Cylindrical j3(obj1 = "bEnd", obj2 = "c", s0 = 0.1, v0 = 1, w0 = 40);
    Weld grip(obj1 = "world", obj2 = "cEnd", active = time > 0.4 and time < 0.45);
    ReactionSensor force(joint = "grip");
    ReactionSensor torque(joint = "j2");`,
  ],
};

const removals: typeof trees = {
  'bodies that are taken away, seen by sensors, and come back': [
    5,
    `
    World world;
    ${arm('a', 2)}
    Object3D ball(parent = "aEnd", fixed = false, translation = {0.2, 0.3, 0}, angularVelocity = {1, 2, 3}, velocity = {0, 3, 0}, mass = 1, inertia = diagonal({0.1, 0.2, 0.3}));
    ${arm('tail', 0.3)}
    Revolute j1(obj1 = "world", obj2 = "a", phi0 = 0.2, w0 = 3);
    Revolute j2(obj1 = "ball", obj2 = "tail", phi0 = 0.1, w0 = -4);
    Sensor distance(object = "tailEnd", origin = "aEnd");
    Rotational.Inertia shown(J = 1, phi(start = 0, fixed = true), w(start = 0, fixed = true));
    Rotational.Torque torque(tau = distance.distance);
    Removal away(object = "ball", active = sin(14*time) > 0.2);
  equation
    connect(torque.flange, shown.flange_a);`,
  ],
};

const loops: typeof trees = {
  'a linkage whose flange joint is held by a weld for a while': [
    4,
    `
    World world(gravity = Gravity.none);
    ${arm('crank', 1)} ${arm('rod', 0.001)}
    Object3D slider(mass = 2);
    Rotational.Inertia rotor(J = 0.5);
    RevoluteWithFlange drive(obj1 = "world", obj2 = "crank", phi(start = 0.7, fixed = true), w(start = 7, fixed = true));
    Revolute j1(obj1 = "crankEnd", obj2 = "rod");
    Prismatic slide(obj1 = "world", obj2 = "slider", s0 = 1.5);
    Revolute j2(obj1 = "slider", obj2 = "rodEnd", locked = time > 1.1 and time < 1.15);
    Weld stop(obj1 = "world", obj2 = "slider", active = time > 0.5 and time < 0.8);
  equation
    connect(rotor.flange_b, drive.flange);`,
  ],
  'a wheel that rolls for a while': [
    3,
    `
    World world;
    Object3D ground(parent = "world");
    Sphere wheel(fixed = false, diameter = 0.4, mass = 1, translation = {0, 0, 0.2}, velocity = {2, 1, 0}, angularVelocity = {3, 1, 2});
    Object3D pin(parent = "wheel", translation = {0.1, 0, 0});
    Object3D bob(mass = 0.2, inertia = 0.001*identity(3), centre = {0.1, 0, 0});
    Revolute swing(obj1 = "pin", obj2 = "bob", w0 = 20, locked = time > 0.25 and time < 0.35);
    Rolling rolling(obj1 = "world", obj2 = "wheel", radius = 0.2, ball = true, active = time < 0.3);`,
  ],
};

describe('the state of a run with bodies', () => {
  for (const [name, [changes, elements]] of Object.entries({ ...trees, ...removals }))
    for (const method of ['auto', 'bdf'] as const)
      test(`${name}, by ${method}`, () => {
        const run = running(elements, 1, { method });
        expectContinuedAtRestarts(run, changes);
        expectContinued(run, 3);
      });

  for (const [name, [changes, elements]] of Object.entries(loops))
    test(name, () => {
      const run = running(elements, 2);
      expectContinuedAtRestarts(run, changes);
      expectContinued(run, 3);
    });
});
