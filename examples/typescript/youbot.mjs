// A robot takes a ball from its plate, lifts it and puts it back, again and again: `npx mutabor examples/typescript/youbot.mjs --animation youbot.html`.
import { Class, Model, modelica } from 'mutabor';
import { Program } from 'mutabor/actions';
import { Object3D, Sphere, World } from 'mutabor/bodies';

const [open, closed] = [0.06, 0.048];
const lifted = (opening) => [Math.PI, 0, Math.PI / 2, 0, 0, opening];
const atPlate = (opening) => [Math.PI, Math.PI / 4, Math.PI / 4, 1.04, 0, opening];

const program = Program('LiftAgain', {
  axes: { speed: [2.7, 2.7, 4.9, 5.9, 5.9, 2], acceleration: [1.5, 1.5, 1.5, 1.5, 1.5, 0.5] },
  parts: { ball: 'ballLock' },
  places: { plate: 'robot.plateLock', hand: 'robot.gripper.lock' },
  reach: 0.05,
  speed: 0.001,
  *run({ attach, handOver, move, wait }) {
    yield attach('ball', 'plate');
    yield move(lifted(open));
    for (;;) {
      yield move(atPlate(open), atPlate(closed));
      yield wait(0.5);
      yield handOver('ball', 'hand');
      yield move(lifted(closed), atPlate(closed));
      yield wait(0.5);
      yield handOver('ball', 'plate');
      yield move(atPlate(open), lifted(open));
    }
  },
});

export const Cell = Model('Cell', {
  info: 'A robot with a ball on its plate',
  world: World({ direction: [0, 0, -1], camera: [-0.9, -1.1, 0.9], target: [-0.05, 0, 0.25] }),
  ball: Sphere({
    fixed: false,
    translation: [-0.211, 0, 0.1842],
    diameter: 0.05,
    material: 'DryWood',
    color: 'Crimson',
  }),
  ballLock: Object3D({ parent: 'ball', translation: [0, 0.025, 0] }),
  program,
  robot: Class('Mutabor.Robots.YouBot').with({
    arm: modelica`program.position[1:5]`,
    opening: modelica`program.position[6]`,
  }),
  experiment: { stopTime: 25 },
});

export default Cell;
