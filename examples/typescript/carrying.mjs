// Two fingers grip a box until sensors say that they press hard enough; then the hand holds it while it is carried: `npx mutabor examples/typescript/carrying.mjs --animation carrying.html`.
import { Class, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { Box, ContactLaw, ContactSensor, World } from 'mutabor/bodies';

const [open, closed] = [0.06, 0.048];
const above = (opening) => [Math.PI, 0, Math.PI / 2, 0, 0, opening];
const atPlate = (opening) => [Math.PI, Math.PI / 4, Math.PI / 4, 1.057, 0, opening];

const program = Program('Carry', {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  parts: { box: 'box' },
  places: { hand: 'robot.gripper.lock' },
  reach: 0.06,
  speed: 0.001,
  conditions: {
    firm: modelica`right.normalForce > 2 and left.normalForce > 2`,
    down: modelica`plate.normalForce > 0.4`,
  },
  *run({ attach, move, release, until, wait }) {
    yield move(above(open), atPlate(open), atPlate(closed));
    yield until('firm');
    yield attach('box', 'hand');
    yield move(above(closed), atPlate(closed));
    yield until('down', 2);
    yield release('box');
    yield wait(0.5);
    yield move(atPlate(open), above(open));
  },
});

export const Carrying = Model('Carrying', {
  info: 'A box is gripped by contact, and held while it is carried',
  world: World({ direction: [0, 0, -1], camera: [-0.9, -1.1, 0.9], target: [-0.05, 0, 0.25] }),
  law: ContactLaw({ restitution: 0.6, friction: 0.3, stiffness: 1e-3 }),
  box: Box({
    fixed: false,
    translation: [-0.211, 0, 0.1843],
    lengthX: 0.05,
    lengthY: 0.05,
    lengthZ: 0.05,
    mass: 0.0875,
    material: 'DryWood',
    contact: true,
    color: 'Crimson',
  }),
  plate: ContactSensor({ object1: 'robot.surface', object2: 'box' }),
  right: ContactSensor({ object1: 'robot.gripper.rightPad', object2: 'box' }),
  left: ContactSensor({ object1: 'robot.gripper.leftPad', object2: 'box' }),
  program,
  robot: Class('Mutabor.Robots.YouBot').with({
    contact: true,
    arm: modelica`program.position[1:5]`,
    opening: modelica`program.position[6]`,
  }),
  experiment: { stopTime: 14, tolerance: 1e-7 },
});

export default Carrying;
