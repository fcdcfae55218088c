// Two fingers grip a box, lift it and put it down, by contact and friction alone: `npx mutabor examples/typescript/gripping.mjs --animation gripping.html`.
import { Class, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { Box, ContactLaw, ContactSensor, World } from 'mutabor/bodies';

const [open, closed] = [0.06, 0.048];
const above = (opening) => [Math.PI, 0, Math.PI / 2, 0, 0, opening];
const atPlate = (opening) => [Math.PI, Math.PI / 4, Math.PI / 4, 1.057, 0, opening];

const program = Program('Grip', {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  *run({ move, wait }) {
    yield move(above(open), atPlate(open), atPlate(closed));
    // The control of the gripper presses harder and harder, until friction carries the box.
    yield wait(1);
    yield move(above(closed), atPlate(closed), atPlate(open), above(open));
  },
});

export const Gripping = Model('Gripping', {
  info: 'A robot grips a box by contact',
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
  experiment: { stopTime: 12, tolerance: 1e-7 },
});

export default Gripping;
