/** The robot of the scenarios of A. Neumayr and M. Otter (Electronics 12(3), 2023, and Modelica Conference 2023), its programs, and what it ends with. */
import { Program, type ProgramOptions } from '../../src/actions.ts';
import { Box, Object3D, Removal, Sensor, Sphere, Weld, World } from '../../src/bodies.ts';
import { type AnyModel, Class, Model, modelica } from '../../src/index.ts';

export const [open, grip] = [0.06, 0.048];
const { PI } = Math;
export const atPlate = (q4: number, opening: number, q2 = PI / 4) => [PI, q2, PI / 4, q4, 0, opening];
export const lifted = (opening: number) => [PI, 0, PI / 2, 0, 0, opening];

/** Takes a piece from the plate, puts it down at another place, and takes it again. */
const [up, down] = [PI / 4 - 0.1, PI / 4 - 0.015];
export const elsewhere = [
  atPlate(0, open),
  atPlate(1.04, open),
  atPlate(1.04, grip),
  atPlate(1.04, grip, up),
  lifted(grip),
  atPlate(1.04, grip, down),
  atPlate(1.04, open, down),
  atPlate(1.04, open),
  lifted(open),
  atPlate(1.04, open),
  atPlate(1.04, grip),
  atPlate(1.04, grip, up),
  lifted(grip),
];

const axes = {
  speed: [2.68512, 2.68512, 4.8879, 5.8997, 5.8997, 2],
  acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5],
};

export type Steps = ProgramOptions<'piece', 'plate' | 'hand'>['run'];

/** The references take parts from 0.045 m, by hands that still move with 0.013 m/s. */
export const programOf = (run: Steps) =>
  Program('Work', {
    axes,
    parts: { piece: 'lock' },
    places: { plate: 'robot.plateLock', hand: 'robot.gripper.lock' },
    reach: 0.05,
    speed: 0.02,
    run,
  });

export const ball = (z: number, options: Parameters<typeof Sphere>[0] = {}) =>
  Sphere({
    fixed: false,
    translation: [-0.78, 0, z],
    diameter: 0.05,
    material: 'DryWood',
    color: 'Peru',
    ...options,
  });
export const cube = (options: Parameters<typeof Box>[0] = {}) =>
  Box({
    fixed: false,
    translation: [-0.78, 0, 0.1792],
    lengthX: 0.05,
    lengthY: 0.05,
    lengthZ: 0.05,
    mass: 0.0875,
    color: 'Peru',
    ...options,
  });

export const cellOf = (piece: AnyModel, run: Steps, changes: object = {}, others: object = {}) =>
  Model('Cell', {
    ...others,
    world: World({ direction: [0, 0, -1] }),
    piece,
    lock: Object3D({ parent: 'piece', translation: [0, 0.025, 0] }),
    inHand: Sensor({ object: 'piece', origin: 'robot.gripper.lock' }),
    program: programOf(run),
    robot: Class('Mutabor.Robots.YouBot').with({
      position: [-0.569, 0, 0.084],
      arm: modelica`program.position[1:5]`,
      opening: modelica`program.position[6]`,
      ...changes,
    }),
  });

/** The states in the order of the references. */
export const stateNames = [
  ...[1, 2, 3, 4, 5].flatMap((k) => [`robot.link${k}.joint.phi`, `robot.link${k}.joint.w`]),
  ...[1, 2, 3, 4, 5, 6].map((k) => `robot.servo${k}.x`),
  'robot.gripper.joint.s',
  'robot.gripper.joint.v',
];

/** A cube that comes into being in the hand at a time, moves with it from the first instant, and is gone at another time. */
export const appearing = (name: string, translation: readonly number[], from: number, to: number) => ({
  [name]: cube({ parent: 'robot.gripper.lock', translation }),
  [`${name}Gone`]: Removal({ object: name, active: modelica`time < ${from} or time >= ${to}` }),
  [`${name}Held`]: Weld({
    obj1: 'robot.gripper.lock',
    obj2: name,
    active: modelica`time >= ${from} and time < ${to}`,
  }),
});
